/// Lengths of transitions: how fast they are found, and joins of fixed and computed lengths side by side, on the
/// performer, whose own transitions are the truth, and on captured motion.
#include "bench.h"
#include "transition_trials.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
	repetitions = 25,
	sceneCount = 3,
};

// ---- how fast

static double timeRule(const rpMotion* a, const rpMotion* b, rpLengthRule rule, rpTransitionAnchor anchor)
{
	double times[repetitions];
	rpBlendLengthDef def = rpDefaultBlendLengthDef();
	def.rule = rule;
	def.anchor = anchor;
	for (int n = 0; n < repetitions; ++n)
	{
		rpBlendLength length;
		double start = benchCpuTime();
		bool done = rpFindBlendLength(a, 3.0 + 0.03 * n, b, 5.0 + 0.03 * n, &def, &length, NULL);
		times[n] = done ? 1e3 * (benchCpuTime() - start) : (double)NAN;
		benchKeep(&length);
		rpBlendLength_Free(&length);
	}
	return benchMedian(times, repetitions);
}

static bool measureSpeed(BenchReport* report)
{
	TrialScene scene;
	bool done = trialPerform(&s_kinds[1], 1, &scene);
	if (done)
	{
		const rpMotion *a = scene.a, *b = scene.b;
		benchPut(report, "geodesic_ms", timeRule(a, b, rp_lengthGeodesic, rp_anchorEnds),
				 "length of a transition by the geodesic rule, 60 lengths, ms");
		benchPut(report, "geodesic_centre_ms", timeRule(a, b, rp_lengthGeodesic, rp_anchorCentre),
				 "the same anchored at the centre, ms");
		benchPut(report, "velocity_ms", timeRule(a, b, rp_lengthVelocity, rp_anchorEnds),
				 "length of a transition by the velocity rule, with its curve, ms");
		benchPut(report, "auto_ms", timeRule(a, b, rp_lengthAuto, rp_anchorCentre),
				 "the same by the rule that suits, chosen by labels, ms");
		benchPut(report, "warp_ms", timeRule(a, b, rp_lengthWarp, rp_anchorEnds),
				 "time-warped length, all pairs of 60 by 60, ms");
		benchPut(report, "dynamic_ms", timeRule(a, b, rp_lengthDynamic, rp_anchorEnds),
				 "time-warped length by dynamic programming, ms");
	}
	trialFree(&scene);
	return done;
}

// ---- tables

/// Keys are kept by the report for good.
static const char* makeKey(const char* group, const char* kind, const char* rule, const char* what)
{
	static char keys[512][64];
	static int count = 0;
	char* key = keys[count < 511 ? count++ : 511];
	snprintf(key, sizeof(keys[0]), "%s_%s_%s_%s", group, kind, rule, what);
	return key;
}

static const char* const s_rules[ruleCount] = {"fixed", "computed", "dynamic"};

static void putMeans(BenchReport* report, const char* group, const TransitionKind* kind, int rule,
					 const TrialMeans* means)
{
	benchPut(report, makeKey(group, kind->key, s_rules[rule], "s"), means->seconds, "mean length, s");
	benchPut(report, makeKey(group, kind->key, s_rules[rule], "slide_mm"), means->slide, "slide of resting feet, mm");
	benchPut(report, makeKey(group, kind->key, s_rules[rule], "jerk"), means->jerk, "jerk ratio");
	benchPut(report, makeKey(group, kind->key, s_rules[rule], "phase"), means->phase, "foot phase error, strides");
	benchPut(report, makeKey(group, kind->key, s_rules[rule], "truth_mm"), means->truth, "distance from the truth, mm");
}

static bool runScene(const TrialScene* scene, const TransitionKind* kind, rpTransitionAnchor anchor, TrialMeans* means)
{
	int ruleLimit = anchor == rp_anchorEnds ? ruleCount : ruleDynamic;
	for (int trial = 0; trial < trialCount; ++trial)
	{
		double from, to;
		if (!trialChoose(scene, trial, anchor, &from, &to))
		{
			return false;
		}
		for (int rule = 0; rule < ruleLimit; ++rule)
		{
			rpBlendLengthDef def = trialGetDef(kind, rule, anchor);
			if (!trialAdd(scene, &def, from, to, &means[rule]))
			{
				return false;
			}
		}
	}
	return true;
}

static const char* writeNumber(double value, int digits)
{
	static char texts[16][24];
	static int next = 0;
	char* text = texts[next++ % 16];
	snprintf(text, sizeof(texts[0]), isfinite(value) ? "%.*f" : "–", digits, value);
	return text;
}

static void printRow(FILE* stream, const TransitionKind* kind, const char* rule, const TrialMeans* means, bool truth)
{
	fprintf(stream, "| %s | %s | %s | %s | %s | %s |", truth ? kind->name : kind->capturedName, rule,
			writeNumber(means->seconds, 2), writeNumber(means->slide, 1), writeNumber(means->jerk, 2),
			writeNumber(means->phase, 3));
	fprintf(stream, truth ? " %s |\n" : "\n", writeNumber(means->truth, 1));
}

static void printKind(FILE* stream, const TransitionKind* kind, rpTransitionAnchor anchor, const TrialMeans* means,
					  bool truth)
{
	printRow(stream, kind, "10 frames", &means[ruleFixed], truth);
	printRow(stream, kind, kind->steps ? "geodesic" : "velocity", &means[ruleComputed], truth);
	if (anchor == rp_anchorEnds)
	{
		printRow(stream, kind, "dynamic", &means[ruleDynamic], truth);
	}
}

static void printHead(FILE* stream, bool truth)
{
	fprintf(stream, "| transition | length | s | slide, mm | jerk | phase, strides |%s\n", truth ? " truth, mm |" : "");
	fprintf(stream, "|---|---|---|---|---|---|%s\n", truth ? "---|" : "");
}

static bool runTable(FILE* stream, const char* folder, rpTransitionAnchor anchor, const char* group,
					 BenchReport* report)
{
	bool done = true;
	printHead(stream, folder == NULL);
	for (int k = 0; k < kindCount && done; ++k)
	{
		const TransitionKind* kind = &s_kinds[k];
		TrialMeans means[ruleCount] = {0};
		for (int s = 0; s < (folder == NULL ? sceneCount : 1) && done; ++s)
		{
			TrialScene scene;
			done = folder == NULL ? trialPerform(kind, (uint64_t)s + 1, &scene) : trialLoad(kind, folder, &scene);
			done = done && runScene(&scene, kind, anchor, means);
			trialFree(&scene);
		}
		for (int rule = 0; rule < ruleCount && done; ++rule)
		{
			trialFinish(&means[rule]);
			if (means[rule].count > 0)
			{
				putMeans(report, group, kind, rule, &means[rule]);
			}
		}
		printKind(stream, kind, anchor, means, folder == NULL);
	}
	return done;
}

// ---- how much more than at the centre a blend may cost

static const struct
{
	double ratio;
	const char* key;
} s_ratios[] = {
	{1.02, "102"}, {1.05, "105"}, {1.1, "110"}, {1.2, "120"}, {1.3, "130"}, {1.5, "150"}, {2.0, "200"}, {3.0, "300"},
};

enum
{
	ratioCount = sizeof(s_ratios) / sizeof(s_ratios[0]),
};

// Each second join of a scene, with each ratio.
static bool tryRatios(const TrialScene* scene, const TransitionKind* kind, TrialMeans* sums)
{
	bool done = true;
	for (int trial = 0; trial < trialCount && done; trial += 2)
	{
		double from, to;
		done = trialChoose(scene, trial, rp_anchorCentre, &from, &to);
		for (int k = 0; k < ratioCount && done; ++k)
		{
			rpBlendLengthDef def = trialGetDef(kind, ruleComputed, rp_anchorCentre);
			def.centreRatio = s_ratios[k].ratio;
			done = trialAdd(scene, &def, from, to, &sums[k]);
		}
	}
	return done;
}

// Feet of the truth do not slide: what they slide adds to the distance from it.
static void reportRatios(FILE* stream, const TrialMeans* means, BenchReport* report)
{
	int best = 0;
	fprintf(stream, "| c | s | truth, mm | slide, mm | sum | jerk |\n|---|---|---|---|---|---|\n");
	for (int k = 0; k < ratioCount; ++k)
	{
		best = means[k].truth + means[k].slide < means[best].truth + means[best].slide ? k : best;
		fprintf(stream, "| %g | %s | %s | %s | %s | %s |\n", s_ratios[k].ratio, writeNumber(means[k].seconds, 2),
				writeNumber(means[k].truth, 1), writeNumber(means[k].slide, 1),
				writeNumber(means[k].truth + means[k].slide, 1), writeNumber(means[k].jerk, 2));
		benchPut(report, makeKey("ratio", s_ratios[k].key, "truth", "mm"), means[k].truth,
				 "distance from the truth, mm");
		benchPut(report, makeKey("ratio", s_ratios[k].key, "slide", "mm"), means[k].slide, "slide of resting feet, mm");
	}
	benchPut(report, "centre_ratio", s_ratios[best].ratio, "the ratio c of least distance and slide together");
}

static bool fitRatio(FILE* stream, BenchReport* report)
{
	TrialMeans means[ratioCount] = {0};
	bool done = true;
	for (int k = 0; k < kindCount && done; ++k)
	{
		for (int s = 0; s < sceneCount && done && s_kinds[k].steps; ++s)
		{
			TrialScene scene;
			done = trialPerform(&s_kinds[k], (uint64_t)s + 1, &scene) && tryRatios(&scene, &s_kinds[k], means);
			trialFree(&scene);
		}
	}
	for (int k = 0; k < ratioCount; ++k)
	{
		trialFinish(&means[k]);
	}
	reportRatios(stream, means, report);
	return done;
}

static void printTitle(FILE* stream, const char* title)
{
	fprintf(stream, "\n### %s\n", title);
}

static bool runTables(FILE* stream, BenchReport* report)
{
	const char* folder = getenv("REPRISE_MOCAP");
	printTitle(stream, "Any start and any end, on the performer");
	bool done = runTable(stream, NULL, rp_anchorEnds, "ends", report);
	printTitle(stream, "The most alike moments in the middle, on the performer");
	done = done && runTable(stream, NULL, rp_anchorCentre, "centre", report);
	printTitle(stream, "How much more than in its middle a centred blend may cost");
	done = done && fitRatio(stream, report);
	if (done && folder != NULL)
	{
		printTitle(stream, "Any start and any end, captured people");
		done = runTable(stream, folder, rp_anchorEnds, "captured", report);
	}
	return done;
}

bool benchTransitions(const BenchOptions* options, BenchReport* report)
{
	FILE* stream = options->markdown ? stdout : fopen("/dev/null", "w");
	if (stream == NULL)
	{
		fprintf(stderr, "reprise-bench: /dev/null cannot be opened\n");
		return false;
	}
	bool done = measureSpeed(report) && benchTransitionsFit(report) && runTables(stream, report);
	if (!options->markdown)
	{
		fclose(stream);
	}
	return done;
}
