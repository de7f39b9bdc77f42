/// Is what the program makes as good as the takes that it is made from? For the performer and captured people, and
/// every maker: the judge's own figures, the targets, and whether the second judge (../shared/judge) agrees.
#include "bench.h"
#include "judge/evidence.h"
#include "realism_second.h"
#include "reprise/reprise.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Two judges agree if they are no further apart than this share of the second's figure.
#define AGREEMENT 0.1

/// How made motion is held against its sources: the targets of ../shared/judge/README.md.
typedef enum Target
{
	atMost,
	within,
	between,
} Target;

/// What both judges measure: made at most `tolerance` times the source, or within `tolerance` of it, or between 1 -
/// tolerance and 1 + tolerance times the source. `scale` brings our unit to theirs; differences below `grain` are none.
static const struct Row
{
	const char* name;
	rpMeasure measure;
	Target target;
	double scale, tolerance, grain;
} s_rows[] = {
	{"skate_share", rp_measureSkateRatio, atMost, 1.0, 1.0, 0.001},
	{"pushoff_share", rp_measurePushoff, atMost, 1.0, 1.0, 0.001},
	{"slide_mm", rp_measureSlideMedian, atMost, 1.0, 1.0, 0.2},
	{"slide_mm_p95", rp_measureSlideHigh, atMost, 1.0, 1.0, 0.2},
	{"stance_speed_p95", rp_measureStanceSpeed, atMost, 1.0, 1.0, 0.001},
	{"floor_cm", rp_measureFloor, within, 0.1, 1.0, 0.05},
	{"step_time_s", rp_measureStepTime, between, 1.0, 0.1, 0.001},
	{"step_length_m", rp_measureStepLength, between, 1.0, 0.1, 0.001},
	{"duty", rp_measureDuty, within, 1.0, 0.05, 0.001},
	{"irregularity", rp_measureIrregularity, atMost, 1.0, 1.5, 0.001},
	{"knee_least_deg", rp_measureKnee, within, 1.0, 3.0, 0.1},
	{"hitch_mps", rp_measureHitch, atMost, 1.0, 1.2, 0.001},
	{"jerk_mps3", rp_measureJitter, between, 100.0, 0.2, 0.1},
};

#define ROW_COUNT (int)(sizeof(s_rows) / sizeof(s_rows[0]))

/// What was found, over all people: of each maker how many rows there are, and how many meet their target; of all rows
/// how many the judges agree in.
typedef struct Tally
{
	int rows[makerCount], met[makerCount];
	int compared, agreed;
} Tally;

/// What a table is made with, and where it goes.
typedef struct Court
{
	FILE* out;
	const char* script;
	bool classifies;
	Tally tally;
} Court;

static bool meets(const struct Row* row, double source, double made)
{
	switch (row->target)
	{
	case atMost:
		return made <= row->tolerance * source + row->grain;
	case within:
		return fabs(made - source) <= row->tolerance;
	default:
		return fabs(made - source) <= row->tolerance * source;
	}
}

static bool agrees(const struct Row* row, double ours, double theirs)
{
	return fabs(ours - theirs) <= fmax(AGREEMENT * fabs(theirs), row->grain);
}

static bool addFiles(rpEvidence* evidence, const RealismFiles* files)
{
	bool done = true;
	for (int i = 0; i < files->count && done; ++i)
	{
		// What was written is to be judged, and not what the doctor would make of it.
		rpReadDef def = rpDefaultReadDef();
		def.repair = false;
		rpError error = {0};
		rpMotion* motion = rpLoadMotion(files->paths[i], &def, NULL, &error);
		done = motion != NULL && rpEvidence_AddMotion(evidence, motion, &error);
		if (!done)
		{
			fprintf(stderr, "reprise-bench: %s: %s\n", files->paths[i], error.message);
		}
		rpDestroyMotion(motion);
	}
	return done;
}

static void printRow(const char* person, RealismMaker maker, const struct Row* row, double source, double made,
					 const SecondRow* second, Court* court)
{
	Tally* tally = &court->tally;
	bool isMet = meets(row, source, made);
	++tally->rows[maker];
	tally->met[maker] += isMet;
	fprintf(court->out, "%-10s %-11s %-17s %9.3f %9.3f  %-6s", person, realismGetMakerName(maker), row->name, source,
			made, isMet ? "ok" : "WORSE");
	if (second != NULL && isfinite(second->source) && isfinite(second->made))
	{
		bool isAgreed = agrees(row, source, second->source) && agrees(row, made, second->made);
		++tally->compared;
		tally->agreed += isAgreed;
		fprintf(court->out, " %9.3f %9.3f  %-6s %s", second->source, second->made,
				meets(row, second->source, second->made) ? "ok" : "WORSE", isAgreed ? "" : "DISAGREE");
	}
	fprintf(court->out, "\n");
}

static void printVisible(const char* person, RealismMaker maker, const SecondOpinion* opinion, FILE* out)
{
	const SecondRow* row = realismFindRow(opinion, "visible_auc");
	double max = maker == makerClean ? 0.6 : 0.7;
	if (row != NULL)
	{
		fprintf(out, "%-10s %-11s %-17s %28s %9.3f %9.3f  %s\n", person, realismGetMakerName(maker), "visible_auc", "",
				row->source, row->made, row->made <= max ? "ok" : "WORSE");
	}
}

static bool judgeMaker(const RealismScene* scene, RealismMaker maker, rpEvidence* sources, Court* court)
{
	static RealismFiles files;
	static SecondOpinion opinion;
	rpEvidence made = {0};
	rpMeasures measures = {0};
	realismMake(scene, maker, &files);
	if (files.count == 0)
	{
		fprintf(court->out, "%-10s %-11s nothing was made\n", scene->person, realismGetMakerName(maker));
		return true;
	}
	bool done = addFiles(&made, &files) && rpMeasureEvidence(&made, sources, &measures, NULL);
	opinion.count = 0;
	if (done && court->script != NULL &&
		!realismAskSecond(court->script, &scene->sources, &files, court->classifies, &opinion))
	{
		fprintf(court->out, "%-10s %-11s the second judge could not decide\n", scene->person,
				realismGetMakerName(maker));
	}
	for (int i = 0; i < ROW_COUNT && done; ++i)
	{
		double source = s_rows[i].scale * measures.standards[s_rows[i].measure];
		double value = s_rows[i].scale * measures.values[s_rows[i].measure];
		if (!isnan(source) && !isnan(value))
		{
			printRow(scene->person, maker, &s_rows[i], source, value, realismFindRow(&opinion, s_rows[i].name), court);
		}
	}
	printVisible(scene->person, maker, &opinion, court->out);
	fflush(court->out);
	rpEvidence_Free(&made);
	return done;
}

static bool judgePerson(const char* person, const BenchOptions* options, const char* program, Court* court)
{
	static RealismScene scene;
	scene = (RealismScene){
		.person = person,
		.program = program,
		.mocap = getenv("REPRISE_MOCAP"),
		.seedCount = options->quick ? 1 : 3,
		.seconds = options->quick ? 20 : 60,
	};
	if (!realismOpen(&scene))
	{
		return false;
	}
	rpEvidence sources = {0};
	bool done = addFiles(&sources, &scene.sources);
	for (int maker = 0; maker < makerCount && done; ++maker)
	{
		done = judgeMaker(&scene, (RealismMaker)maker, &sources, court);
	}
	rpEvidence_Free(&sources);
	realismClose(&scene);
	return done;
}

// ---- the time it takes

static double timeEvaluate(double seconds)
{
	rpPerformDef def = rpDefaultPerformDef(rp_actWalk);
	def.seconds = seconds;
	def.fps = 120.0;
	rpMotion* motion = rpPerform(&def, NULL);
	rpMeasures measures;
	bool done = motion != NULL;
	for (double t = 1.0; t < seconds && done; t += 1.0)
	{
		done = rpAnnotations_AddEvent(&motion->annotations, "seam", t, NULL);
	}
	double start = benchCpuTime();
	done = done && rpEvaluate(motion, NULL, &measures, NULL);
	double time = benchCpuTime() - start;
	rpDestroyMotion(motion);
	return done ? time : (double)NAN;
}

// Eight times the motion, with a seam a second: eight times the time, if it is linear.
static void putTime(BenchReport* report)
{
	double ratios[3], seconds = NAN;
	for (int i = 0; i < 3; ++i)
	{
		double few = timeEvaluate(75.0);
		seconds = timeEvaluate(600.0);
		ratios[i] = seconds / few;
	}
	benchPut(report, "evaluate_600_s_seconds", seconds, "time to evaluate 600 s at 120 Hz with 600 seams, seconds");
	benchPut(report, "evaluate_600_over_75", benchMedian(ratios, 3),
			 "that against 75 s: 8 if it is linear, a little more for sorting");
}

static void putTally(const Tally* tally, BenchReport* report)
{
	static char keys[makerCount][32];
	for (int maker = 0; maker < makerCount; ++maker)
	{
		snprintf(keys[maker], sizeof(keys[maker]), "met_%s", realismGetMakerName((RealismMaker)maker));
		for (char* at = keys[maker]; *at != 0; ++at)
		{
			*at = *at == ' ' ? '_' : *at;
		}
		benchPut(report, keys[maker], (double)tally->met[maker] / tally->rows[maker], "share of targets met");
	}
	benchPut(report, "judges_agree", (double)tally->agreed / tally->compared,
			 "share of rows in which both judges are within 10 %");
	benchPut(report, "judges_rows", tally->compared, "rows that both judged");
}

// `reprise`, beside this program.
static const char* findProgram(void)
{
	static char path[1024];
	ssize_t size = readlink("/proc/self/exe", path, sizeof(path) - 16);
	char* slash = size > 0 ? memrchr(path, '/', (size_t)size) : NULL;
	if (slash != NULL)
	{
		snprintf(slash + 1, sizeof(path) - (size_t)(slash + 1 - path), "reprise");
	}
	return slash != NULL && access(path, X_OK) == 0 ? path : NULL;
}

bool benchRealism(const BenchOptions* options, BenchReport* report)
{
	static const char* const everybody[] = {"performer", "16", "35", "69", "104", "127"};
	const char* mocap = getenv("REPRISE_MOCAP");
	const char* program = findProgram();
	if (program == NULL)
	{
		fprintf(stderr, "reprise-bench: no program \"reprise\" beside this one\n");
		return false;
	}
	Court court = {
		.out = options->json ? stderr : stdout, .script = realismFindSecond(mocap), .classifies = !options->quick};
	const char* const* people = options->wordCount > 0 ? options->words : everybody;
	int count = options->wordCount > 0 ? options->wordCount : options->quick || mocap == NULL ? 1 : 6;
	fprintf(court.out, "%-10s %-11s %-17s %9s %9s  %-6s %9s %9s  (the second judge)\n", "person", "maker", "measure",
			"source", "made", "", "source", "made");
	bool done = true;
	for (int i = 0; i < count && done; ++i)
	{
		done = judgePerson(people[i], options, program, &court);
	}
	putTally(&court.tally, report);
	putTime(report);
	return done;
}
