/// One run of the program: what was asked, and what is reported.
#pragma once

#include "command.h"
#include "reprise/reprise.h"
#include "terminal.h"

#include <jansson.h>

/// How a run ends.
enum
{
	cli_exitDone = 0,
	cli_exitFailed = 1,
	cli_exitUsage = 2,
	cli_exitInput = 3,
	cli_exitNoSolution = 4,
	cli_exitLimit = 5,
	cli_exitInterrupted = 130,
};

/// An option as it was given.
typedef struct cliGiven
{
	const cliOption* option;
	/// NULL for a switch.
	const char* value;
} cliGiven;

struct cliRun
{
	/// The program as it was called.
	const char* program;

	const cliCommand* command;

	/// What is no option, in order; borrowed from the command line.
	const char** arguments;
	int argumentCount;

	cliGiven* given;
	int givenCount;

	bool json, quiet;

	/// Exit code: 0 until something fails, then that of the first failure.
	int exit;

	/// The first failure and the last, as they stand in JSON; NULL while there is none.
	json_t* error;
	json_t* lastError;

	/// Arrays for the report.
	json_t* warnings;
	json_t* inputs;

	/// Whether the report in JSON was printed.
	bool isReported;

	/// Files that were read, which no output may overwrite.
	char** inputPaths;
	int inputPathCount;

	/// The library that was opened last, kept so that its clips share their skeletons.
	rpLibrary* library;
	char* libraryPath;
};

/// Print what is left to print, see that it arrives, free everything but the run itself. run->exit is final then.
void cliEndRun(cliRun* run);

// ---- the command line (arguments.c)

/// Read it into an empty run. False: reported.
bool cliParse(cliRun* run, int argc, char** argv);

/// The value of an option, the last if it was given several times; NULL if it was not given.
const char* cliGet(const cliRun* run, const char* name);
bool cliHas(const cliRun* run, const char* name);

/// The index-th value of an option that may be given several times, NULL past the last.
const char* cliGetNth(const cliRun* run, const char* name, int index);

/// A whole text as a number, independent of the locale: no inf, nan or hexadecimal.
bool cliParseNumber(const char* text, double* out);

/// The farthest that a place may be from the origin, metres: floats have steps of 6 cm there, and coarser ones beyond.
#define CLI_FARTHEST 1e6

/// Whether what an option says of a place, in metres or degrees, is within CLI_FARTHEST. False: reported.
bool cliCheckPlace(cliRun* run, const char* option, const double* numbers, int count);

/// The value of an option as a number from low to high; *out is left as it is when the option was not given.
/// False: it is no such number; reported.
bool cliGetNumber(cliRun* run, const char* name, double low, double high, double* out);

/// The same with a hint, which may be NULL, for what is out of that range.
bool cliGetNumberIn(cliRun* run, const char* name, double low, double high, const char* hint, double* out);

/// The path after -o, checked with cliCheckOutput; endings lists what it may end in (".png .svg"), or is NULL. NULL:
/// reported.
const char* cliGetOutput(cliRun* run, const char* endings);

/// Whether a path may be written: its folder exists, it is no folder and, without --force, none of the files that were
/// read. False: reported.
bool cliCheckOutput(cliRun* run, const char* path);

/// Whether a path ends in one of these endings, whatever their case.
bool cliHasEnding(const char* path, const char* endings);

/// The part after the last '/'.
const char* cliGetBaseName(const char* path);

// ---- what is reported (report.c)

/// Report a failure. Always false.
bool cliFail(cliRun* run, int exit, const rpError* error);

/// A failure while reading inputs, and one while making or writing something: the exit code follows from where it
/// happened and what it is. Always false.
bool cliFailInput(cliRun* run, const rpError* error);
bool cliFailWork(cliRun* run, const rpError* error);

/// The command line is wrong. hint may be NULL. Always false.
bool cliFailUsage(cliRun* run, const char* hint, const char* format, ...) RP_PRINTF(3, 4);

/// Something to know, though the work goes on.
void cliWarn(cliRun* run, const char* format, ...) RP_PRINTF(2, 3);

/// Say what was found in a clip, one line each: for where it is taken in (library add).
void cliPrintFindings(cliRun* run, const char* name, const rpFindings* findings);

/// The same for all who only use the clip: what was mended in one line, what was not in one each.
void cliSumFindings(cliRun* run, const char* name, const rpFindings* findings);

/// "message: action", as both people and programs get it; free() it.
char* cliFormatFinding(const rpFinding* finding);

/// What a noun's plural ends in after a number: "s", or nothing after 1.
const char* cliPlural(int count);

/// A remark on what was done, on stdout for people: nothing with --json, and nothing with --quiet.
void cliPrint(cliRun* run, const char* format, ...) RP_PRINTF(2, 3);

/// What was asked for, on stdout for people: nothing with --json. --quiet does not silence it.
void cliAnswer(cliRun* run, const char* format, ...) RP_PRINTF(2, 3);

/// Print the result as JSON with schema, warnings and provenance. Takes result. False: reported.
bool cliReport(cliRun* run, json_t* result);

/// Note what a motion was made from, for the provenance.
void cliNoteInputs(cliRun* run, const rpMotion* motion);

/// The command and its parameters as JSON text, for files that say how they were made; free() it. No folders, no
/// output names.
char* cliFormatParameters(const cliRun* run);

json_t* cliMakeText(const char* text);

/// Rounded to a millionth; null if it is not finite.
json_t* cliMakeReal(double value);
json_t* cliMakeFindings(const rpFindings* findings);
