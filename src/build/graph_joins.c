/// Joins that no blend does well.
///
/// The metric compares where all joints are. It hardly sees that one body stands on a step and the other on the floor,
/// that one carries its weight on the left foot and the other on the right, or that one faces in the opposite
/// direction: but then a blend has nothing to hold on to, and feet are dragged along the ground or through it. Nor does
/// it see how limbs are turned: half a turn apart a joint turns in one direction in a frame and in the other in the
/// next.
#include "build/graph_joins.h"

#include "base/memory.h"
#include "blend/clip.h"
#include "work/parallel.h"

#include <math.h>

// The max share of a blend in which the bodies may rest on different feet; as reprise transition has it.
#define MAX_OPPOSED 0.3f

// How far feet may be dragged in a blend, both together, metres: of 7,572 joins of the performer's repertoire, as far
// as 0.4 m apart, none below it was bad (feet that slide or sink by more than 60 mm, seams that are seen), and one in
// 100 above it.
#define MAX_DRAGGED 0.3f

// The max angle that bodies may be turned against each other by when their joints are as near as can be, radians. More
// is a body that faces in the opposite direction: someone who walks backwards moves the joints much as in walking
// forwards.
#define MAX_TURN 0.8f

// The max turn of a joint against itself, cosine of half the angle: 150 degrees.
#define MAX_TWIST 0.2588f

enum
{
	footCount = 2,
};

static const rpEffector s_soles[footCount][2] = {{rp_leftHeel, rp_leftBall}, {rp_rightHeel, rp_rightBall}};

// ---- what feet do

static void markSupport(const rpExamples* examples, int clip, const rpInterval* contact)
{
	rpFrameFeet* frames = examples->feet + examples->firstFrames[clip];
	double fps = examples->fps, frameCount = examples->clips[clip].frameCount;
	int first = (int)ceil(fmin(fmax(contact->start * fps - 1e-3, 0.0), frameCount));
	int end = (int)ceil(fmin(fmax(contact->end * fps - 1e-3, 0.0), frameCount));
	for (int foot = 0; foot < footCount; ++foot)
	{
		bool isOwn = contact->effector == s_soles[foot][0] || contact->effector == s_soles[foot][1];
		for (int f = first; f < end && isOwn; ++f)
		{
			frames[f].supports[foot] = contact->supportHeight;
		}
	}
}

static rpVec3 getSole(const rpSkeleton* skeleton, const rpTransform* pose, int foot)
{
	rpVec3 sum = rpVec3_zero;
	for (int k = 0; k < 2; ++k)
	{
		rpAttachment attachment = skeleton->effectors[s_soles[foot][k]];
		sum = attachment.joint >= 0 ? rpAdd(sum, rpTransformPoint(pose[attachment.joint], attachment.offset)) : sum;
	}
	return rpScale(0.5f, sum);
}

static bool rests(const rpFrameFeet* frame, int foot)
{
	return !isnan(frame->supports[foot]);
}

// The mean of the feet that rest; where none does, of those that rested last, or that will rest first.
static void findLevels(rpFrameFeet* frames, int frameCount)
{
	float last = NAN;
	for (int f = 0; f < frameCount; ++f)
	{
		const float* own = frames[f].supports;
		float level = !rests(&frames[f], 0) ? own[1] : !rests(&frames[f], 1) ? own[0] : 0.5f * (own[0] + own[1]);
		last = frames[f].level = isnan(level) ? last : level;
	}
	for (int f = frameCount - 1; f >= 0; --f)
	{
		last = frames[f].level = isnan(frames[f].level) ? last : frames[f].level;
	}
}

static void seeClip(int clip, void* context)
{
	const rpExamples* examples = context;
	const rpMotion* motion = examples->clips[clip].motion;
	rpFrameFeet* frames = examples->feet + examples->firstFrames[clip];
	rpTransform pose[RP_MAX_JOINTS];
	for (int f = 0; f < examples->clips[clip].frameCount; ++f)
	{
		rpMotion_Forward(motion, rpMotion_GetFrame(motion, f / examples->fps), pose);
		for (int foot = 0; foot < footCount; ++foot)
		{
			frames[f].soles[foot] = getSole(motion->skeleton, pose, foot);
			frames[f].supports[foot] = NAN;
		}
		frames[f].facing = pose[0].q;
	}
	for (int i = 0; i < motion->annotations.intervalCount; ++i)
	{
		if (motion->annotations.intervals[i].track == rp_trackContact)
		{
			markSupport(examples, clip, &motion->annotations.intervals[i]);
		}
	}
	findLevels(frames, examples->clips[clip].frameCount);
}

bool rpExamples_GatherFeet(rpExamples* examples, rpError* error)
{
	examples->feet = rpAllocateZero((size_t)examples->firstFrames[examples->clipCount], sizeof(rpFrameFeet), error);
	if (examples->feet == NULL)
	{
		return false;
	}
	rpParallelFor(examples->clipCount, seeClip, examples);
	return true;
}

// ---- joins

/// A blend: frames of both clips from its middle on, and how many there are on either side.
typedef struct Blend
{
	const rpFrameFeet *a, *b;
	rpGroundTransform alignment;
	int half;
} Blend;

// How much a frame counts: by how much there is of both clips.
static float getWeight(const Blend* blend, int frame)
{
	float share = ((float)(frame + blend->half) + 0.5f) / (float)(2 * blend->half + 1);
	float fade = rpSmoothstepFloat(share);
	return fade * (1.0f - fade);
}

static bool isFlight(const rpFrameFeet* frame)
{
	return !rests(frame, 0) && !rests(frame, 1);
}

// Feet that rest in both clips rest at one height all through the blend; a body that flies in its middle has left one
// height.
static bool areLevel(const Blend* blend)
{
	bool areLevel =
		!isFlight(blend->a) || !isFlight(blend->b) || !(fabsf(blend->a->level - blend->b->level) > RP_SAME_SUPPORT);
	for (int k = -blend->half; k <= blend->half; ++k)
	{
		for (int foot = 0; foot < footCount; ++foot)
		{
			// A foot in the air has no height: what is compared with it is not greater.
			areLevel = areLevel && !(fabsf(blend->a[k].supports[foot] - blend->b[k].supports[foot]) > RP_SAME_SUPPORT);
		}
	}
	return areLevel;
}

// On one foot each, and not the same; or one on both and the other in the air.
static bool areOpposed(const rpFrameFeet* a, const rpFrameFeet* b)
{
	return rests(a, 0) != rests(b, 0) && rests(a, 1) != rests(b, 1);
}

// How far a foot is from itself in the other clip, where it rests in one of them.
static float getDrag(const Blend* blend, int frame, int foot)
{
	const rpFrameFeet *a = &blend->a[frame], *b = &blend->b[frame];
	bool counts = rests(a, foot) || rests(b, foot);
	return counts ? rpDistance(a->soles[foot], rpGroundTransform_Apply(blend->alignment, b->soles[foot])) : 0.0f;
}

static rpHindrance checkSteps(const Blend* blend)
{
	float all = 0.0f, opposed = 0.0f, dragged = 0.0f;
	for (int k = -blend->half; k <= blend->half; ++k)
	{
		float weight = getWeight(blend, k);
		all += weight;
		opposed += areOpposed(&blend->a[k], &blend->b[k]) ? weight : 0.0f;
		dragged += weight * (getDrag(blend, k, 0) + getDrag(blend, k, 1));
	}
	return opposed > MAX_OPPOSED * all   ? rp_hindranceSupport
		   : dragged > MAX_DRAGGED * all ? rp_hindranceDrag
										 : rp_hindranceNone;
}

static bool areTurned(const Blend* blend)
{
	rpQuat other = rpMulQuat(rpYaw(blend->alignment.turn), blend->b->facing);
	return rpAngleBetween(blend->a->facing, other) > MAX_TURN;
}

static const rpQuat* getRotations(const rpExamples* examples, int clip, int frame)
{
	const rpMotion* motion = examples->clips[clip].motion;
	return rpMotion_GetRotations(motion, rpMotion_GetFrame(motion, frame / examples->fps));
}

// Joints but the root, which the facing covers, at the ends of the blend and in its middle.
static bool areTwisted(const rpExamples* examples, int a, int i, int b, int j, int half)
{
	int jointCount = examples->clips[a].motion->skeleton->jointCount;
	for (int k = -half; k <= half; k += half > 0 ? half : 1)
	{
		const rpQuat *own = getRotations(examples, a, i + k), *other = getRotations(examples, b, j + k);
		for (int joint = 1; joint < jointCount; ++joint)
		{
			if (fabsf(rpDotQuat(own[joint], other[joint])) < MAX_TWIST)
			{
				return true;
			}
		}
	}
	return false;
}

rpHindrance rpExamples_CheckJoin(const rpExamples* examples, int a, int i, int b, int j, rpGroundTransform alignment)
{
	int own = examples->rooms[examples->firstFrames[a] + i], other = examples->rooms[examples->firstFrames[b] + j];
	int room = own < other ? own : other;
	Blend blend = {
		.a = examples->feet + examples->firstFrames[a] + i,
		.b = examples->feet + examples->firstFrames[b] + j,
		.alignment = alignment,
		.half = examples->usualHalf < room ? examples->usualHalf : room,
	};
	return areTurned(&blend)                              ? rp_hindranceFacing
		   : !areLevel(&blend)                            ? rp_hindranceHeight
		   : areTwisted(examples, a, i, b, j, blend.half) ? rp_hindranceTwist
														  : checkSteps(&blend);
}
