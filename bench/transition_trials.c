#include "transition_trials.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What is looked at on both sides of a seam, seconds.
#define MARGIN 1.25

// The window that joins are compared with the truth in, seconds; and the time that
// velocities and, twice, accelerations are multiplied with.
#define TRUTH_WINDOW 2.0
#define TRUTH_TIME 0.1

const TransitionKind s_kinds[] = {
	{"walk to walk", "walk_walk", true, "walk 8 1.1", "walk 8 1.6", "walk %g 1.1; walk 5 1.6", "016/16_15.bvh",
	 "016/16_32.bvh", "walk to walk"},
	{"walk to run", "walk_run", true, "walk 8 1.5", "run 8 3", "walk %g 1.5; run 5 3", "016/16_15.bvh", "016/16_36.bvh",
	 "walk to run"},
	{"run to walk", "run_walk", true, "run 8 3", "walk 8 1.5", "run %g 3; walk 5 1.5", "016/16_36.bvh", "016/16_15.bvh",
	 "run to walk"},
	{"stand to walk", "stand_walk", true, "stand 8", "walk 8 1.35", "stand %g; walk 5 1.35", "069/69_16.bvh",
	 "069/69_01.bvh", "turn in place to walk"},
	{"walk to turn", "walk_turn", true, "walk 8 1.3 0", "walk 8 1.3 60", "walk %g 1.3 0; walk 5 1.3 60",
	 "016/16_15.bvh", "016/16_17.bvh", "walk to turn"},
	{"boxing", "boxing", false, "punch height=1.3; punch height=1.3; punch height=1.3", "kick; kick; kick",
	 "stand %g; punch height=1.3; kick", "013/13_17.bvh", "013/13_18.bvh", "boxing"},
	{"dance to punch", "dance", false, "dance 8", "punch; punch; punch", "dance %g; punch", "005/05_07.bvh",
	 "005/05_13.bvh", "dance to dance"},
};
const int kindCount = sizeof(s_kinds) / sizeof(s_kinds[0]);

// ---- scenes

static rpMotion* performScript(const char* script, uint64_t seed)
{
	rpPerformDef def = rpDefaultPerformDef(rp_actTake);
	rpError error = {0};
	def.script = script;
	def.seed = seed;
	def.fps = 60.0;
	def.seconds = 0.0;
	rpMotion* motion = rpPerform(&def, &error);
	if (motion == NULL)
	{
		fprintf(stderr, "reprise-bench: \"%s\": %s\n", script, error.message);
	}
	return motion;
}

// Joints of all frames of a motion at a rate, [frames * jointCount]; free() it.
static rpVec3* findPlaces(const rpMotion* motion, double fps, int* frameCount)
{
	rpMotion* even = rpResampleMotion(motion, fps, NULL);
	size_t count = even != NULL ? (size_t)even->frameCount * (size_t)even->skeleton->jointCount : 0;
	rpVec3* places = even != NULL ? malloc(count * sizeof(rpVec3)) : NULL;
	if (places != NULL)
	{
		rpMotion_ForwardAll(even, 0, even->frameCount, places, NULL);
		*frameCount = even->frameCount;
	}
	rpDestroyMotion(even);
	return places;
}

static bool makeProfiles(TrialScene* scene)
{
	rpMetricDef def = rpDefaultMetricDef();
	bool done = true;
	def.window = TRUTH_WINDOW;
	def.shape = rp_windowBox;
	scene->metric = rpCreateMetric(scene->a->skeleton, &def, NULL);
	for (int i = 0; i < truthCount && done; ++i)
	{
		scene->profiles[i] = scene->metric != NULL ? rpCreateProfile(scene->metric, scene->truths[i], NULL) : NULL;
		int frameCount;
		scene->places[i] = findPlaces(scene->truths[i], def.fps, &frameCount);
		done = scene->profiles[i] != NULL && scene->places[i] != NULL;
	}
	return done;
}

// The truth comes at other places of the stride: the first stretch is longer each time.
static bool performTruths(const TransitionKind* kind, uint64_t seed, TrialScene* scene)
{
	for (int i = 0; i < truthCount; ++i)
	{
		char script[128];
		snprintf(script, sizeof(script), kind->truth, 4.0 + 0.13 * i);
		scene->truths[i] = performScript(script, seed);
		if (scene->truths[i] == NULL)
		{
			return false;
		}
	}
	return true;
}

bool trialPerform(const TransitionKind* kind, uint64_t seed, TrialScene* out)
{
	*out = (TrialScene){.a = performScript(kind->from, seed), .b = performScript(kind->to, seed)};
	return out->a != NULL && out->b != NULL && performTruths(kind, seed, out) && makeProfiles(out);
}

static rpMotion* loadTake(const char* folder, const char* file)
{
	char path[512];
	rpError error = {0};
	rpReadDef def = rpDefaultReadDef();
	snprintf(path, sizeof(path), "%s/cmu/%s", folder, file);
	rpMotion* motion = rpLoadMotion(path, &def, NULL, &error);
	if (motion == NULL || !rpDetectContacts(motion, NULL, NULL, &error))
	{
		fprintf(stderr, "reprise-bench: %s: %s\n", file, error.message);
		rpDestroyMotion(motion);
		return NULL;
	}
	return motion;
}

bool trialLoad(const TransitionKind* kind, const char* folder, TrialScene* out)
{
	*out = (TrialScene){.a = loadTake(folder, kind->fromFile), .b = loadTake(folder, kind->toFile)};
	return out->a != NULL && out->b != NULL;
}

void trialFree(TrialScene* scene)
{
	rpDestroyMotion(scene->a);
	rpDestroyMotion(scene->b);
	for (int i = 0; i < truthCount; ++i)
	{
		rpDestroyProfile(scene->profiles[i]);
		free(scene->places[i]);
		rpDestroyMotion(scene->truths[i]);
	}
	rpDestroyMetric(scene->metric);
	*scene = (TrialScene){0};
}

// ---- trials

// Places spread evenly over what is left of a motion, in an order that hardly ties the two sides.
static double spread(const rpMotion* motion, double margin, int trial, int step)
{
	double room = rpMotion_GetDuration(motion) - 2.0 * margin;
	return margin + fmax(room, 0.0) * ((trial * step) % trialCount + 0.5) / trialCount;
}

bool trialChoose(const TrialScene* scene, int trial, rpTransitionAnchor anchor, double* from, double* to)
{
	double shorter = fmin(rpMotion_GetDuration(scene->a), rpMotion_GetDuration(scene->b));
	double margin = fmin(2.0, 0.3 * shorter);
	*from = spread(scene->a, margin, trial, 1);
	*to = anchor == rp_anchorEnds ? spread(scene->b, margin, trial, 7) : NAN;
	return rpFindJoin(scene->a, scene->b, NULL, rp_anchorCentre, margin, from, to, NULL, NULL);
}

/// Where a truth is most like a join.
typedef struct Match
{
	int truth, frame;
	double distance;
	rpGroundTransform alignment;
} Match;

static Match findMatch(const TrialScene* scene, const rpProfile* profile, int frame)
{
	double fps = rpMetric_GetRate(scene->metric);
	Match best = {.distance = INFINITY};
	for (int i = 0; i < truthCount; ++i)
	{
		// Around the change, which comes after the first stretch.
		int change = (int)lround((4.0 + 0.13 * i) * fps), last = rpProfile_GetFrameCount(scene->profiles[i]) - 1;
		for (int k = change - 30; k <= change + 60 && k <= last; ++k)
		{
			rpGroundTransform alignment;
			double distance = rpMetric_Distance(scene->metric, profile, frame, scene->profiles[i], k, &alignment);
			best = distance < best.distance ? (Match){i, k, distance, alignment} : best;
		}
	}
	return best;
}

// Squares of the distances of two frames' joints, of their velocities' times TRUTH_TIME and of their accelerations'
// times its square.
static double addFrame(const rpVec3* p, const rpVec3* q, int jointCount, double fps, rpGroundTransform alignment)
{
	double sum = 0.0;
	float rate = (float)(fps * TRUTH_TIME);
	for (int k = 0; k < jointCount; ++k)
	{
		rpVec3 before = rpSub(p[k - jointCount], rpGroundTransform_Apply(alignment, q[k - jointCount]));
		rpVec3 now = rpSub(p[k], rpGroundTransform_Apply(alignment, q[k]));
		rpVec3 after = rpSub(p[k + jointCount], rpGroundTransform_Apply(alignment, q[k + jointCount]));
		rpVec3 velocity = rpScale(0.5f * rate, rpSub(after, before));
		rpVec3 acceleration = rpScale(rate * rate, rpSub(rpAdd(after, before), rpScale(2.0f, now)));
		sum += (double)rpDot(now, now) + (double)rpDot(velocity, velocity) + (double)rpDot(acceleration, acceleration);
	}
	return sum;
}

static double compareMatch(const TrialScene* scene, const rpVec3* places, int frameCount, int frame, const Match* match)
{
	double fps = rpMetric_GetRate(scene->metric), sum = 0.0;
	int halfWindow = rpMetric_GetHalfWindow(scene->metric), jointCount = scene->a->skeleton->jointCount, count = 0;
	int last = rpProfile_GetFrameCount(scene->profiles[match->truth]) - 2;
	for (int k = -halfWindow; k < halfWindow; ++k)
	{
		int i = frame + k, j = match->frame + k;
		if (i >= 1 && i < frameCount - 1 && j >= 1 && j <= last)
		{
			sum += addFrame(places + i * jointCount, scene->places[match->truth] + j * jointCount, jointCount, fps,
							match->alignment);
			++count;
		}
	}
	return 1e3 * sqrt(sum / (count * jointCount));
}

double trialCompare(const TrialScene* scene, const rpMotion* result, double seam)
{
	if (scene->metric == NULL)
	{
		return NAN;
	}
	double fps = rpMetric_GetRate(scene->metric), distance = NAN;
	int frame = (int)lround(seam * fps), frameCount = 0;
	rpProfile* profile = rpCreateProfile(scene->metric, result, NULL);
	rpVec3* places = findPlaces(result, fps, &frameCount);
	if (profile != NULL && places != NULL)
	{
		Match match = findMatch(scene, profile, frame);
		distance = compareMatch(scene, places, frameCount, frame, &match);
	}
	free(places);
	rpDestroyProfile(profile);
	return distance;
}

rpBlendLengthDef trialGetDef(const TransitionKind* kind, int rule, rpTransitionAnchor anchor)
{
	rpBlendLengthDef def = rpDefaultBlendLengthDef();
	def.anchor = anchor;
	def.rule = rule == ruleFixed     ? rp_lengthFixed
			   : rule == ruleDynamic ? rp_lengthDynamic
			   : kind->steps         ? rp_lengthGeodesic
									 : rp_lengthVelocity;
	def.seconds = 10.0 / 30.0;
	// As the program does it when nothing is asked.
	def.shortest = 0.1;
	return def;
}

void trialFinish(TrialMeans* means)
{
	double count = means->count;
	means->seconds /= count;
	means->slide /= count;
	means->jerk /= count;
	means->phase /= means->phaseCount;
	means->truth /= count;
}

static bool judge(const TrialScene* scene, const rpMotion* result, const rpTransitionReport* report, TrialMeans* sums)
{
	const rpMotion* references[] = {scene->a, scene->b};
	rpEvaluateDef def = rpDefaultEvaluateDef();
	rpMeasures near, all;
	def.references = references;
	def.referenceCount = 2;
	double start = fmax(report->seam - MARGIN, 0.0), end = fmin(report->seam + MARGIN, rpMotion_GetDuration(result));
	rpMotion* part = rpCropMotion(result, start, end, NULL);
	// The rhythm needs steps on both sides that are further away.
	bool done = part != NULL && rpEvaluate(part, &def, &near, NULL) && rpEvaluate(result, NULL, &all, NULL);
	rpDestroyMotion(part);
	if (done)
	{
		double phase = all.values[rp_measurePhase];
		sums->seconds += report->end - report->start;
		sums->slide += near.values[rp_measureSlideMean];
		sums->jerk += near.values[rp_measureJerk];
		sums->truth += trialCompare(scene, result, report->seam);
		sums->phase += isnan(phase) ? 0.0 : phase;
		sums->phaseCount += !isnan(phase);
		++sums->count;
	}
	return done;
}

bool trialAdd(const TrialScene* scene, const rpBlendLengthDef* def, double from, double to, TrialMeans* sums)
{
	rpBlendLength length;
	rpTransitionReport report;
	rpError error = {0};
	rpMotion* result = NULL;
	if (rpFindBlendLength(scene->a, from, scene->b, to, def, &length, &error))
	{
		result = rpMakeBlend(scene->a, from, scene->b, to, &length, NULL, &report, &error);
		rpBlendLength_Free(&length);
	}
	bool done = result != NULL && judge(scene, result, &report, sums);
	if (!done)
	{
		fprintf(stderr, "reprise-bench: \"%s\" to \"%s\": %s\n", scene->a->name, scene->b->name, error.message);
	}
	rpDestroyMotion(result);
	return done;
}
