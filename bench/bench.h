/// The benchmarks: `reprise-bench COMMAND [WORD...] [--json] [--quick] [--file F]`.
///
/// A command is a function in a file of its own, bench_NAME.c, and a line in the table of main.c. It measures and puts
/// its figures into the report, which main prints as text or as JSON. Ratios are taken within one run, from medians
/// of interleaved repetitions, so that a busy machine slows both sides alike.
#pragma once

#include <stdbool.h>
#include <stddef.h>

/// What was asked for on the command line.
typedef struct BenchOptions
{
	/// A file to measure on instead of a generated one, or NULL.
	const char* file;

	/// Print tables for the documents instead of figures.
	bool markdown;

	/// Print figures as JSON, and nothing else on standard output.
	bool json;

	/// Less of it, for a first look.
	bool quick;

	/// Words after the command: whose data, [wordCount].
	const char* words[16];
	int wordCount;
} BenchOptions;

/// The figures of a run.
typedef struct BenchReport
{
	struct
	{
		const char* key;
		double value;
		const char* what;

		/// A word instead of the value, or NULL.
		const char* text;
	} figures[1024];
	int count;
} BenchReport;

/// Put a figure; key and what (one line that says what it is, with its unit) are borrowed for good.
void benchPut(BenchReport* report, const char* key, double value, const char* what);

/// Put a word: the unit of others.
void benchPutText(BenchReport* report, const char* key, const char* text, const char* what);

/// The value of a figure that was put, NAN if there is none, and the word, "" if there is none.
double benchGet(const BenchReport* report, const char* object, const char* name);
const char* benchGetText(const BenchReport* report, const char* object, const char* name);

/// The key "object.name", kept for good: what is under it stands in an object of the report.
const char* benchMakeKey(const char* object, const char* name);

/// Whether something was asked for by its name, or nothing was.
bool benchIsWanted(const BenchOptions* options, const char* name);

/// Seconds of a steady clock.
double benchNow(void);

/// Seconds that this thread has had a processor: what others do on the machine counts less.
double benchCpuTime(void);

/// The median of values, which are sorted in the process.
double benchMedian(double* values, int count);

/// Keep the optimiser from dropping what computes this memory.
static inline void benchKeep(const void* memory)
{
	__asm__ volatile("" : : "g"(memory) : "memory");
}

/// Count the library's memory from now on. Between this and the other, nothing may be freed that was there before.
void benchCountHeap(void);

/// Stop counting; the most that was in use at a time, MB.
double benchStopCounting(void);

/// Each returns false after saying what went wrong on stderr.
bool benchFiles(const BenchOptions* options, BenchReport* report);
bool benchKinematics(const BenchOptions* options, BenchReport* report);
bool benchAccelerations(const BenchOptions* options, BenchReport* report);
bool benchPerformer(const BenchOptions* options, BenchReport* report);
bool benchEngine(const BenchOptions* options, BenchReport* report);
bool benchGraph(const BenchOptions* options, BenchReport* report);
bool benchTransitions(const BenchOptions* options, BenchReport* report);
bool benchGraphStability(const BenchOptions* options, BenchReport* report);
bool benchLocomotion(const BenchOptions* options, BenchReport* report);
bool benchRealism(const BenchOptions* options, BenchReport* report);
bool benchSpaces(const BenchOptions* options, BenchReport* report);
bool benchParametric(const BenchOptions* options, BenchReport* report);
bool benchParametricGo(const BenchOptions* options, BenchReport* report);
bool benchWeb(const BenchOptions* options, BenchReport* report);
bool benchSearch(const BenchOptions* options, BenchReport* report);

/// The parts of benchEngine.
bool benchEngineGrid(BenchReport* report);
bool benchEngineAlign(BenchReport* report);
bool benchEngineBlend(BenchReport* report);
bool benchEnginePacked(BenchReport* report);
bool benchEngineFeet(BenchReport* report);

/// The part of benchTransitions that fits weights.
bool benchTransitionsFit(BenchReport* report);

/// The parts of benchGraph.
bool benchGraphSteer(BenchReport* report);

/// The part of benchSpaces that is about captured people; needs REPRISE_MOCAP.
bool benchSpacesCaptured(const BenchOptions* options, BenchReport* report);

/// The part of benchSearch that is about two long captured takes; needs REPRISE_MOCAP.
void benchSearchCuts(BenchReport* report);

/// The parts of benchLocomotion.
bool benchLocomotionAnalysis(BenchReport* report);
bool benchLocomotionPlay(BenchReport* report);
