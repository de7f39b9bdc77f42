/// Movements found in performed takes, and how long a model takes.
#include "bench.h"
#include "movement_score.h"

#include <stdio.h>

// Seeds that nobody looked at while the analysis was made; new ones in turn when somebody has.
#define FIRST_SEED 9901
#define TAKE_COUNT 3
#define TAKE_SECONDS 180.0

// Nothing but gaits and their transitions.
static const char s_gaits[] =
	"stand 2; walk 4 1.3; walk 4 1.0 25; run 3 3; walk 3 1.5 -20; stand 2; run 3 2.6 20; stand 2; walk 4 1.6; run 4 "
	"3.5; "
	"run 3 2.4 -25; stand 2; walk 5 0.8; walk 3 1.9; stand 1.5; run 2 2.2; walk 2 1.2; run 2 3; stand 2";

static double divide(int part, int whole)
{
	return whole > 0 ? (double)part / whole : 0.0;
}

static bool timeModel(BenchReport* report)
{
	rpError error = {0};
	rpPerformDef def = rpDefaultPerformDef(rp_actTake);
	def.fps = 60.0;
	def.seconds = TAKE_SECONDS;
	def.seed = FIRST_SEED;
	rpMotion* take = rpPerform(&def, &error);
	double times[3];
	bool done = take != NULL;
	if (done)
	{
		rpAnnotations_Free(&take->annotations);
	}
	for (int i = 0; done && i < 3; ++i)
	{
		const rpMotion* takes[] = {take};
		double start = benchCpuTime();
		rpLocomotion* model = rpBuildLocomotionOf(takes, 1, NULL, NULL, &error);
		times[i] = benchCpuTime() - start;
		done = model != NULL;
		rpDestroyLocomotion(model);
	}
	rpDestroyMotion(take);
	if (!done)
	{
		fprintf(stderr, "reprise-bench: %s\n", error.message);
		return false;
	}
	benchPut(report, "model_seconds_per_3_min", benchMedian(times, 3),
			 "contacts, movements and model of a 3-minute take at 60 Hz, s");
	return true;
}

static void putScore(BenchReport* report, const MovementScore* all)
{
	benchPut(report, "boundaries_within_1_frame",
			 divide(all->nearPeaks + all->nearStandEnds, all->peaks + all->standEnds),
			 "share of boundaries within 1/60 s: peaks of the centre of mass and ends of stands");
	benchPut(report, "peaks_within_1_frame", divide(all->nearPeaks, all->peaks), "share of the peaks alone");
	benchPut(report, "stand_ends_within_1_frame", divide(all->nearStandEnds, all->standEnds),
			 "share of the ends of stands alone");
	benchPut(report, "strings_right", divide(all->right, all->known),
			 "share of known movements found with their string");
	benchPut(report, "movements_known", all->known, "movements that the performer knows of");
	benchPut(report, "movements_invented", all->invented, "movements found that are not there");
}

bool benchLocomotionAnalysis(BenchReport* report)
{
	MovementScore all = {0}, gaits = {0};
	bool done = true;
	for (int i = 0; done && i < TAKE_COUNT; ++i)
	{
		uint64_t seed = FIRST_SEED + (uint64_t)i;
		done = benchScoreMovements(&all, seed, 60.0, TAKE_SECONDS, NULL) &&
			   benchScoreMovements(&all, seed, 120.0, TAKE_SECONDS, NULL) &&
			   benchScoreMovements(&gaits, seed, i % 2 == 0 ? 60.0 : 120.0, 0.0, s_gaits);
	}
	if (!done)
	{
		return false;
	}
	putScore(report, &all);
	benchPut(report, "gaits_strings_right", divide(gaits.right, gaits.known), "the same in takes of gaits alone");
	benchPut(report, "gaits_valid_share", gaits.seconds > 0.0 ? gaits.validSeconds / gaits.seconds : 0.0,
			 "share of their time in valid movements");
	return timeModel(report);
}
