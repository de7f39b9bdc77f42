/// Examples of good and bad transitions, generated from motions whose contacts are the truth, where nobody has marked
/// any. The phase of the gait cycle says what is the same moment in another cycle, and so what is beside it.
#include "analysis/landings.h"
#include "base/assert.h"
#include "base/error.h"
#include "base/memory.h"
#include "learn/step_clock.h"
#include "reprise/metric_fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Draws until one that fits is given up.
#define MAX_DRAWS 2000

// Motions repeat each other if their cycles differ by less than this (logarithm); gaits by another name may differ
// more.
#define SAME_PACE 0.3
#define OTHER_PACE 0.7

// Near misses are so many frames of 30 Hz beside a good one; leaps within a motion without steps so many seconds.
#define NEAREST_MISS 3
#define FARTHEST_MISS 8
#define SHORTEST_LEAP 0.4
#define LONGEST_LEAP 2.0

// Without steps, a jump is bad if a part of the body moves by more than this, metres.
#define VISIBLE 0.1f

// One cycle repeats another only where the body gets on, m/s: someone who steps on the spot may do something else with
// the arms each time.
#define MIN_TRAVEL 0.3

// Share of the cycle that a phase is displaced by, at least and at most; half of it is the other foot's.
#define MIN_DISPLACED 0.12
#define MAX_DISPLACED 0.42

// Seconds at both ends of a motion that no example is of.
#define MARGIN 0.25

rpJoinExampleDef rpDefaultJoinExampleDef(void)
{
	return (rpJoinExampleDef){.goodCount = 16, .badCount = 26, .fps = 30.0};
}

/// A motion as examples are drawn from it.
typedef struct Source
{
	const rpMotion* motion;
	rpStepClock clock;
} Source;

typedef struct Generator
{
	const rpJoinExampleDef* def;
	Source* sources;
	int sourceCount;
	/// Different labels of all motions; "" is that of moments without one.
	const char** labels;
	int labelCount, labelCapacity;
	rpRandom random;
	/// [2 * jointCount], joints of two frames in the world.
	rpTransform* joints;
	rpJoinExamples* out;
} Generator;

// ---- what is known about the motions

static const char* getLabel(const rpMotion* motion, double time)
{
	const rpAnnotations* annotations = &motion->annotations;
	for (int i = 0; i < annotations->intervalCount; ++i)
	{
		const rpInterval* interval = &annotations->intervals[i];
		if (interval->track == rp_trackLabel && time >= interval->start && time < interval->end)
		{
			return interval->name;
		}
	}
	return "";
}

static bool addLabel(Generator* generator, const char* name, rpError* error)
{
	for (int i = 0; i < generator->labelCount; ++i)
	{
		if (strcmp(generator->labels[i], name) == 0)
		{
			return true;
		}
	}
	if (!rpGrow(&generator->labels, &generator->labelCapacity, generator->labelCount, sizeof(const char*), error))
	{
		return false;
	}
	generator->labels[generator->labelCount++] = name;
	return true;
}

static bool study(Generator* generator, const rpMotion* const* motions, rpError* error)
{
	for (int i = 0; i < generator->sourceCount; ++i)
	{
		Source* source = &generator->sources[i];
		source->motion = motions[i];
		if (!rpStepClock_Create(&source->clock, motions[i], error))
		{
			return false;
		}
		for (int k = 0; k <= rpMotion_GetDuration(motions[i]) * generator->def->fps; ++k)
		{
			if (!addLabel(generator, getLabel(motions[i], k / generator->def->fps), error))
			{
				return false;
			}
		}
	}
	return true;
}

// ---- draws

/// A moment of a motion, and what is known about it there.
typedef struct Moment
{
	int source;
	double time;
	bool isStepping;
	double phase, cycle;
} Moment;

static double chance(Generator* generator, double low, double high)
{
	return (double)rpRandom_Range(&generator->random, (float)low, (float)high);
}

static double roundTime(const Generator* generator, double time)
{
	return round(time * generator->def->fps) / generator->def->fps;
}

// Look at a motion at a time, on a frame; false near its ends.
static bool look(const Generator* generator, int source, double time, Moment* out)
{
	const Source* own = &generator->sources[source];
	*out = (Moment){.source = source, .time = roundTime(generator, time)};
	out->isStepping = rpStepClock_Read(&own->clock, out->time, &out->phase, &out->cycle);
	return out->time >= MARGIN && out->time <= rpMotion_GetDuration(own->motion) - MARGIN;
}

// A moment with a label.
static bool drawMoment(Generator* generator, const char* label, Moment* out)
{
	int source = rpRandom_Index(&generator->random, generator->sourceCount);
	double time = chance(generator, 0.0, rpMotion_GetDuration(generator->sources[source].motion));
	return look(generator, source, time, out) &&
		   strcmp(getLabel(generator->sources[source].motion, out->time), label) == 0;
}

// Whether the body travels over the cycle around a moment.
static bool isTravelling(const Generator* generator, const Moment* moment)
{
	const rpMotion* motion = generator->sources[moment->source].motion;
	int before = rpMotion_GetFrame(motion, moment->time - 0.5 * moment->cycle);
	int after = rpMotion_GetFrame(motion, moment->time + 0.5 * moment->cycle);
	rpVec3 displacement = rpSub(motion->rootPositions[after], motion->rootPositions[before]);
	return moment->isStepping &&
		   hypot((double)displacement.x, (double)displacement.z) >= MIN_TRAVEL * (after - before) / motion->fps;
}

static bool haveSameFeet(const Generator* generator, const Moment* a, const Moment* b)
{
	return rpGetSupport(generator->sources[a->source].motion, a->time) ==
		   rpGetSupport(generator->sources[b->source].motion, b->time);
}

/// Where to look for another cycle.
typedef enum Where
{
	inSameClip,
	inSameLabel,
	inOtherLabel,
	whereCount,
} Where;

static bool isThere(const Generator* generator, const Moment* from, const Moment* to, Where where)
{
	const char* fromLabel = getLabel(generator->sources[from->source].motion, from->time);
	const char* toLabel = getLabel(generator->sources[to->source].motion, to->time);
	bool isSame = strcmp(fromLabel, toLabel) == 0;
	double pace = fabs(log(to->cycle / from->cycle));
	switch (where)
	{
	case inSameClip:
		return isSame && pace < SAME_PACE && fabs(to->time - from->time) > 0.3 * from->cycle;
	case inSameLabel:
		return isSame && pace < SAME_PACE && to->source != from->source;
	default:
		return !isSame && pace < OTHER_PACE;
	}
}

// A moment at which the gait is at a phase.
static bool drawAtPhase(Generator* generator, const Moment* from, double phase, Where where, Moment* out)
{
	int source = where == inSameClip ? from->source : rpRandom_Index(&generator->random, generator->sourceCount);
	const Source* other = &generator->sources[source];
	double time;
	int count = 0;
	phase -= floor(phase);
	while (rpStepClock_Find(&other->clock, phase, count, &time))
	{
		++count;
	}
	if (count == 0)
	{
		return false;
	}
	rpStepClock_Find(&other->clock, phase, rpRandom_Index(&generator->random, count), &time);
	return look(generator, source, time, out) && out->isStepping && isThere(generator, from, out, where);
}

static Where drawWhere(Generator* generator)
{
	return (Where)rpRandom_Index(&generator->random, whereCount);
}

// Where a joint is as seen from the root's place on the floor and its heading.
static rpVec3 seeJoint(const rpTransform* joints, int joint)
{
	rpVec3 from = {joints[0].p.x, 0.0f, joints[0].p.z};
	return rpRotate(rpYaw(-rpHeading(joints[0].q)), rpSub(joints[joint].p, from));
}

// Whether one would see the jump: a part of the body is elsewhere. Without steps nothing else says what is bad.
static bool isVisible(const Generator* generator, const Moment* a, const Moment* b)
{
	const rpMotion *aMotion = generator->sources[a->source].motion, *bMotion = generator->sources[b->source].motion;
	int count = aMotion->skeleton->jointCount;
	float farthest = 0.0f;
	rpMotion_Forward(aMotion, rpMotion_GetFrame(aMotion, a->time), generator->joints);
	rpMotion_Forward(bMotion, rpMotion_GetFrame(bMotion, b->time), generator->joints + count);
	for (int joint = 0; joint < count; ++joint)
	{
		rpVec3 displacement = rpSub(seeJoint(generator->joints, joint), seeJoint(generator->joints + count, joint));
		farthest = fmaxf(farthest, rpLength(displacement));
	}
	return farthest >= VISIBLE;
}

static double drawMiss(Generator* generator)
{
	int frames = NEAREST_MISS + rpRandom_Index(&generator->random, FARTHEST_MISS - NEAREST_MISS + 1);
	return (rpRandom_Index(&generator->random, 2) == 0 ? frames : -frames) / 30.0;
}

/// Draws a second moment for a first one; false where nothing fits.
typedef bool DrawFn(Generator* generator, const Moment* from, Moment* to);

static bool drawContinuous(Generator* generator, const Moment* from, Moment* to)
{
	return look(generator, from->source, from->time + 1.0 / generator->def->fps, to);
}

// The same moment of another cycle.
static bool drawSame(Generator* generator, const Moment* from, Where where, Moment* to)
{
	return isTravelling(generator, from) && drawAtPhase(generator, from, from->phase, where, to) &&
		   isTravelling(generator, to) && haveSameFeet(generator, from, to);
}

static bool drawRepeat(Generator* generator, const Moment* from, Moment* to)
{
	return drawSame(generator, from, inSameClip, to);
}

static bool drawOtherRepeat(Generator* generator, const Moment* from, Moment* to)
{
	return drawSame(generator, from, inSameLabel, to);
}

static bool drawOtherGait(Generator* generator, const Moment* from, Moment* to)
{
	return drawSame(generator, from, inOtherLabel, to);
}

static bool drawDisplaced(Generator* generator, const Moment* from, Moment* to)
{
	double phase = chance(generator, MIN_DISPLACED, MAX_DISPLACED);
	phase = rpRandom_Index(&generator->random, 2) == 0 ? phase : -phase;
	if (!from->isStepping)
	{
		double leap = chance(generator, SHORTEST_LEAP, LONGEST_LEAP);
		leap = rpRandom_Index(&generator->random, 2) == 0 ? leap : -leap;
		return look(generator, from->source, from->time + leap, to) && isVisible(generator, from, to);
	}
	return drawAtPhase(generator, from, from->phase + phase, drawWhere(generator), to);
}

static bool drawOtherFoot(Generator* generator, const Moment* from, Moment* to)
{
	return from->isStepping && drawAtPhase(generator, from, from->phase + 0.5, drawWhere(generator), to) &&
		   !haveSameFeet(generator, from, to);
}

// Beside the same moment of another cycle, of this motion or of another, or beside the moment itself.
static bool drawNearMiss(Generator* generator, const Moment* from, Moment* to)
{
	Moment same = *from;
	bool travels = isTravelling(generator, from);
	int base = travels ? rpRandom_Index(&generator->random, whereCount + 1) : 0;
	double miss = drawMiss(generator);
	return (base == 0 || drawSame(generator, from, (Where)(base - 1), &same)) &&
		   look(generator, same.source, same.time + miss, to) && haveSameFeet(generator, from, to) &&
		   (travels || isVisible(generator, from, to));
}

static bool isKnown(const Generator* generator, const rpJoinExample* example)
{
	double frame = 0.5 / generator->def->fps;
	for (int i = 0; i < generator->out->count; ++i)
	{
		const rpJoinExample* other = &generator->out->items[i];
		if (other->a == example->a && other->b == example->b && fabs(other->aTime - example->aTime) < frame &&
			fabs(other->bTime - example->bTime) < frame)
		{
			return true;
		}
	}
	return false;
}

// One more example of a label in a manner; false where there is none.
static bool draw(Generator* generator, const char* label, DrawFn* manner, bool isGood)
{
	for (int i = 0; i < MAX_DRAWS; ++i)
	{
		Moment from, to;
		if (!drawMoment(generator, label, &from) || !manner(generator, &from, &to))
		{
			continue;
		}
		rpJoinExample example = {from.source, to.source, from.time, to.time, isGood, 0, {0}};
		if (!isKnown(generator, &example))
		{
			generator->out->items[generator->out->count++] = example;
			return true;
		}
	}
	return false;
}

// Labels by turns, and within each the manners by turns; what a label does not hold is passed over.
static bool drawAll(Generator* generator, int count, bool isGood, rpError* error)
{
	static DrawFn* const good[] = {drawRepeat, drawOtherRepeat, drawContinuous, drawOtherGait};
	static DrawFn* const bad[] = {drawDisplaced, drawNearMiss, drawOtherFoot};
	int missed = 0, drawn = 0;
	for (int turn = 0; drawn < count && missed < 4 * generator->labelCount; ++turn)
	{
		const char* label = generator->labels[turn % generator->labelCount];
		int round = turn / generator->labelCount;
		bool found = draw(generator, label, isGood ? good[round % 4] : bad[round % 3], isGood);
		drawn += found;
		missed = found ? 0 : missed + 1;
	}
	if (drawn == count)
	{
		return true;
	}
	rpFail(error, rp_errorNoSolution, "the motions hold %d different %s examples; %d were asked for", drawn,
		   isGood ? "good" : "bad", count);
	rpError_SetHint(error, "add longer clips, or several of each kind, or ask for fewer");
	return false;
}

static bool nameClips(Generator* generator, const rpMotion* const* motions, rpError* error)
{
	rpJoinExamples* out = generator->out;
	out->clips = rpAllocateZero((size_t)generator->sourceCount, sizeof(char*), error);
	for (int i = 0; out->clips != NULL && i < generator->sourceCount; ++i)
	{
		out->clips[i] = rpCopyString(motions[i]->name, error);
		if (out->clips[i] == NULL)
		{
			return false;
		}
		out->clipCount = out->clipCapacity = i + 1;
	}
	return out->clips != NULL;
}

static void freeGenerator(Generator* generator)
{
	for (int i = 0; generator->sources != NULL && i < generator->sourceCount; ++i)
	{
		rpStepClock_Free(&generator->sources[i].clock);
	}
	rpFree(generator->sources);
	rpFree(generator->joints);
	rpFree(generator->labels);
}

static bool checkDef(const rpJoinExampleDef* def, int count, rpError* error)
{
	if (count < 1 || def->goodCount < 0 || def->badCount < 0 || def->goodCount > 1000000 || def->badCount > 1000000)
	{
		return rpFail(error, rp_errorArgument, "examples need motions, and a number of them from 0 to 1000000");
	}
	return (def->fps >= 10.0 && def->fps <= 1000.0) ||
		   rpFail(error, rp_errorArgument, "examples lie on frames of 10 to 1000 Hz, not %g", def->fps);
}

bool rpJoinExamples_Generate(rpJoinExamples* examples, const rpMotion* const* motions, int count,
							 const rpJoinExampleDef* def, rpError* error)
{
	RP_ASSERT(examples != NULL && motions != NULL && def != NULL);
	*examples = (rpJoinExamples){0};
	if (!checkDef(def, count, error))
	{
		return false;
	}
	Generator generator = {.def = def, .sourceCount = count, .random = rpSeedRandom(def->seed), .out = examples};
	size_t total = (size_t)def->goodCount + (size_t)def->badCount;
	generator.sources = rpAllocateZero((size_t)count, sizeof(Source), error);
	generator.joints = rpAllocate(2 * (size_t)motions[0]->skeleton->jointCount, sizeof(rpTransform), error);
	examples->items = rpAllocate(total, sizeof(rpJoinExample), error);
	examples->capacity = (int)total;
	bool done = generator.sources != NULL && generator.joints != NULL && examples->items != NULL &&
				nameClips(&generator, motions, error) && study(&generator, motions, error) &&
				drawAll(&generator, def->goodCount, true, error) && drawAll(&generator, def->badCount, false, error);
	freeGenerator(&generator);
	if (!done)
	{
		rpJoinExamples_Free(examples);
	}
	return done;
}
