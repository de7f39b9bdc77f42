#include "demo_spaces.h"

#include "play_run.h"

#include <math.h>
#include <string.h>

enum
{
	speedCount = 3,
	turnCount = 5,
	strideCount = speedCount * turnCount,

	heightCount = 3,
	punchCount = heightCount * 2 * 2,
	maxExamples = strideCount,
};

/// What a space is built of while it is.
typedef struct Examples
{
	rpMotion* motions[maxExamples];
	rpMatch matches[maxExamples];
	int count;
} Examples;

// A place in an act's range: 0 its low end, 1 its high one.
static float getAt(rpAct act, rpParameter parameter, int index, int count)
{
	rpParameterRange range = {0};
	rpAct_GetRange(act, parameter, &range);
	return range.low + (range.high - range.low) * (float)index / (float)(count - 1);
}

static rpMotion* addExample(Examples* examples, const rpPerformDef* def, rpError* error)
{
	char name[40];
	int index = examples->count++;
	rpMotion* motion = rpPerform(def, error);
	examples->motions[index] = motion;
	snprintf(name, sizeof name, "%s-%d", rpAct_GetName(def->act), index + 1);
	return motion != NULL && rpMotion_SetName(motion, name, error) ? motion : NULL;
}

// The first time from a time on at which something happens.
static double findEvent(const rpMotion* motion, const char* name, double from)
{
	const rpAnnotations* notes = &motion->annotations;
	double found = rpMotion_GetDuration(motion);
	for (int i = notes->eventCount - 1; i >= 0; --i)
		if (strcmp(notes->events[i].name, name) == 0 && notes->events[i].time >= from)
			found = notes->events[i].time;
	return found;
}

// Samples that are enough: punches are 0.2 tolerances off on the average then, and 0.1 with three times as many, which
// take a second more.
#define SAMPLES 200

static rpSpace* build(Examples* examples, bool isMade, const char* features, double margin, rpError* error)
{
	rpSpaceDef def = rpDefaultSpaceDef();
	def.features = features;
	def.margin = margin;
	def.maxSamples = SAMPLES;
	rpSpace* space = isMade ? rpBuildSpace((const rpMotion* const*)examples->motions, examples->count,
										   examples->matches, examples->count, &def, NULL, NULL, error)
							: NULL;
	for (int i = 0; i < examples->count; ++i)
		rpDestroyMotion(examples->motions[i]);
	return space;
}

// ---- strides

// Ways over the floor are measured with what is around a stride (reprise/feature.h).
#define STRIDE_MARGIN 0.5
#define STRIDE_SECONDS 5.0

static rpMatch cutStride(const rpMotion* walk, int index)
{
	double start = findEvent(walk, "heel_strike_left", STRIDE_MARGIN);
	return (rpMatch){.stretch = {index, false, start, findEvent(walk, "heel_strike_left", start + 0.1)}, .parent = -1};
}

rpSpace* cliMakeStrides(rpError* error)
{
	static const float speeds[speedCount] = {0.9f, 1.3f, 1.7f};
	Examples examples = {0};
	bool done = true;
	for (int i = 0; i < strideCount && done; ++i)
	{
		rpPerformDef def = rpDefaultPerformDef(rp_actWalk);
		def.seconds = STRIDE_SECONDS;
		def.parameters[rp_paramSpeed] = speeds[i / turnCount];
		def.parameters[rp_paramTurn] = getAt(rp_actWalk, rp_paramTurn, i % turnCount, turnCount);
		const rpMotion* walk = addExample(&examples, &def, error);
		done = walk != NULL;
		if (done)
			examples.matches[i] = cutStride(walk, i);
	}
	return build(&examples, done, "turn,speed", STRIDE_MARGIN, error);
}

// ---- punches

rpSpace* cliMakePunches(rpError* error)
{
	Examples examples = {0};
	bool done = true;
	for (int i = 0; i < punchCount && done; ++i)
	{
		rpPerformDef def = rpDefaultPerformDef(rp_actPunch);
		def.parameters[rp_paramHeight] = getAt(rp_actPunch, rp_paramHeight, i / 4, heightCount);
		def.parameters[rp_paramReach] = getAt(rp_actPunch, rp_paramReach, i / 2 % 2, 2);
		def.parameters[rp_paramSide] = getAt(rp_actPunch, rp_paramSide, i % 2, 2);
		const rpMotion* punch = addExample(&examples, &def, error);
		double end = punch != NULL ? rpMotion_GetDuration(punch) : 0.0;
		examples.matches[i] = (rpMatch){.stretch = {i, false, 0.0, end}, .parent = -1};
		done = punch != NULL;
	}
	return build(&examples, done, "right_wrist@hit", 0.0, error);
}

// ---- graphs

/// A node of a graph: an act, over whose ranges of parameters its examples are spread.
typedef struct NodeKind
{
	const char* name;
	const char* features;
	rpAct act;
	rpParameter axes[3];
	int counts[3];
	bool isStride;
} NodeKind;

// Each of them is an example after it has come and before it goes, or a stride.
static rpMatch cutAct(const NodeKind* kind, const rpMotion* motion, int index)
{
	double start = findEvent(motion, "core_start", 0.0), end = findEvent(motion, "core_end", start);
	return kind->isStride ? cutStride(motion, index) : (rpMatch){.stretch = {index, false, start, end}, .parent = -1};
}

// Half as many frames as players make: the page is to stay small.
#define NODE_FPS 30.0

static rpSpace* makeNode(const NodeKind* kind, rpError* error)
{
	Examples examples = {0};
	bool done = true;
	int count = kind->counts[0] * kind->counts[1] * kind->counts[2];
	for (int i = 0; i < count && done; ++i)
	{
		rpPerformDef def = rpDefaultPerformDef(kind->act);
		def.fps = NODE_FPS;
		def.seconds = kind->isStride ? STRIDE_SECONDS : def.seconds;
		for (int k = 0, rest = i; k < 3; rest /= kind->counts[k++])
			if (kind->counts[k] > 1)
				def.parameters[kind->axes[k]] =
					getAt(kind->act, kind->axes[k], rest % kind->counts[k], kind->counts[k]);
		const rpMotion* motion = addExample(&examples, &def, error);
		done = motion != NULL;
		if (done)
			examples.matches[i] = cutAct(kind, motion, i);
	}
	double margin = kind->isStride ? STRIDE_MARGIN : rpDefaultSpaceDef().margin;
	return build(&examples, done, kind->features, margin, error);
}

enum
{
	maxNodes = 3,
};

// All pairs of nodes are edges, if motions are no farther apart than that, metres.
static rpParametricGraph* makeGraph(const NodeKind* kinds, int count, float limit, rpError* error)
{
	rpSpace* spaces[maxNodes] = {0};
	rpParametricNodeDef nodes[maxNodes];
	rpParametricDef def = rpDefaultParametricDef();
	bool done = true;
	for (int i = 0; i < count && done; ++i)
	{
		spaces[i] = makeNode(&kinds[i], error);
		nodes[i] = (rpParametricNodeDef){kinds[i].name, spaces[i]};
		done = spaces[i] != NULL;
	}
	def.nodes = nodes;
	def.nodeCount = count;
	def.autoLimit = limit;
	rpParametricGraph* graph = done ? rpBuildParametricGraph(&def, NULL, NULL, error) : NULL;
	// What a graph is written of is its spaces'.
	for (int i = 0; i < count; ++i)
		rpDestroySpace(spaces[i]);
	return graph;
}

// Guards are alike.
#define GUARD_LIMIT 0.1f
// A walk and a run are not: better a change of gait that is seen than none.
#define GAIT_LIMIT 0.3f

rpParametricGraph* cliMakeBoxer(rpError* error)
{
	static const NodeKind kinds[] = {
		{"punch", "right_wrist@hit", rp_actGuardPunch, {rp_paramHeight, rp_paramReach, rp_paramSide}, {2, 2, 3}, false},
		{"duck", "head.y@lowest", rp_actGuardDuck, {rp_paramHeight}, {4, 1, 1}, false},
		{"dance", "facing", rp_actGuardDance, {rp_paramAngle}, {5, 1, 1}, false},
	};
	return makeGraph(kinds, 3, GUARD_LIMIT, error);
}

rpParametricGraph* cliMakeStrider(rpError* error)
{
	static const NodeKind kinds[] = {
		{"walk", "turn", rp_actWalk, {rp_paramTurn}, {5, 1, 1}, true},
		{"run", "turn", rp_actJog, {rp_paramTurn}, {5, 1, 1}, true},
	};
	return makeGraph(kinds, 2, GAIT_LIMIT, error);
}

// ---- motions of them

/// What a motion is asked for, as shares of the ranges.
typedef struct Orders
{
	const float (*shares)[RP_MAX_SPACE_PARAMETERS];
	int count;
	double seconds;
} Orders;

static bool steer(void* context, const rpPlayer* player, double time, rpPlayerInput* out)
{
	const Orders* orders = context;
	const rpSpaceParameter* parameter;
	int at = (int)fmin(time / orders->seconds, orders->count - 1);
	*out = (rpPlayerInput){.space.isGiven = true};
	for (int i = 0; (parameter = rpPlayer_GetParameter(player, 0, i)) != NULL; ++i)
		out->space.values[i] = parameter->low + orders->shares[at][i] * (parameter->high - parameter->low);
	return true;
}

static rpMotion* playSpace(cliRun* run, rpSpace* space, const Orders* orders, rpError* error)
{
	cliPlay play = {.def = rpDefaultPlayerDef()};
	rpRecordDef def = rpDefaultRecordDef();
	size_t size;
	play.bytes = space != NULL ? rpWriteSpaceBundle(space, &size, error) : NULL;
	play.bundle = play.bytes != NULL ? rpCreateBundle(play.bytes, size, error) : NULL;
	play.player = play.bundle != NULL ? rpCreatePlayer(play.bundle, &play.def, error) : NULL;
	def.seconds = orders->count * orders->seconds;
	def.steer = steer;
	def.context = (void*)(uintptr_t)orders;
	if (play.player == NULL || !rpRecordPlayer(play.player, &def, &play.recording, error))
		cliFailWork(run, error);
	rpMotion* motion = play.recording.motion;
	play.recording.motion = NULL;
	cliFreePlay(&play);
	rpDestroySpace(space);
	return motion;
}

rpMotion* cliWindStrides(cliRun* run)
{
	static const float shares[][RP_MAX_SPACE_PARAMETERS] = {{0.5f, 0.2f}, {0.95f, 0.4f}, {0.2f, 0.6f}, {0.5f, 0.9f}};
	rpError error = {0};
	return playSpace(run, cliMakeStrides(&error), &(Orders){shares, 4, 2.2}, &error);
}

rpMotion* cliPunchAround(cliRun* run)
{
	static const float shares[][RP_MAX_SPACE_PARAMETERS] = {
		{0.5f, 0.5f, 0.7f}, {0.2f, 0.85f, 0.5f}, {0.8f, 0.15f, 0.6f}};
	rpError error = {0};
	return playSpace(run, cliMakePunches(&error), &(Orders){shares, 3, 3.2}, &error);
}
