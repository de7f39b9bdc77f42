/// When the feet of a walk pass from one passage to the next.
///
/// The thesis (section 4.1.2) lets constraints of the one clip hold to the middle of a blend, and those of the other
/// from there on. A foot that rests in both clips goes on resting. But one that rests in the first and swings in the
/// second has been taken along for half of the blend by then: nailed down until the middle, it has to catch up at once.
/// So it is let go where the blend takes it away from its place, and one that is about to rest is held only when it has
/// come there.
#include "solve/walk_handover.h"

#include "solve/walk_seam.h"

#include <math.h>

// A foot is where it rests up to this distance, metres: what foot lock mends without being seen.
#define TAKEN_AWAY 0.02f

static const rpEffector s_soles[rp_handoverFeet][2] = {{rp_leftHeel, rp_leftBall}, {rp_rightHeel, rp_rightBall}};

int rpGetHandoverFoot(rpEffector effector)
{
	bool isLeft = effector == rp_leftHeel || effector == rp_leftBall || effector == rp_leftToe;
	bool isRight = effector == rp_rightHeel || effector == rp_rightBall || effector == rp_rightToe;
	return isLeft ? 0 : isRight ? 1 : -1;
}

// Whether a foot rests in a passage at a time of the walk.
static bool rests(const rpPassage* passage, const rpGraph* graph, int foot, double time)
{
	const rpAnnotations* notes = &graph->clips[passage->clip].motion->annotations;
	double own = passage->clipStart + time - passage->start;
	for (int i = 0; i < notes->intervalCount; ++i)
	{
		const rpInterval* interval = &notes->intervals[i];
		if (interval->track == rp_trackContact && rpGetHandoverFoot(interval->effector) == foot &&
			interval->start <= own && interval->end > own)
		{
			return true;
		}
	}
	return false;
}

static rpVec3 getSole(const rpSkeleton* skeleton, rpVec3 root, const rpQuat* rotations, int foot)
{
	rpTransform world[RP_MAX_JOINTS];
	rpVec3 sum = rpVec3_zero;
	rpSkeleton_Forward(skeleton, root, rotations, NULL, world);
	for (int k = 0; k < 2; ++k)
	{
		rpAttachment point = skeleton->effectors[s_soles[foot][k]];
		sum = point.joint >= 0 ? rpAdd(sum, rpTransformPoint(world[point.joint], point.offset)) : sum;
	}
	return rpScale(0.5f, sum);
}

// Whether the blend has a foot elsewhere than a passage.
static bool isAway(const rpPassage* passage, const rpGraph* graph, const rpMotion* out, int foot, int frame)
{
	const rpSkeleton* skeleton = out->skeleton;
	rpQuat rotations[RP_MAX_JOINTS];
	rpPose pose = {.rotations = rotations};
	rpPassage_Sample(passage, graph, frame / out->fps, &pose);
	rpVec3 own = getSole(skeleton, pose.rootPosition, rotations, foot);
	rpVec3 made = getSole(skeleton, out->rootPositions[frame], rpMotion_GetRotations(out, frame), foot);
	return rpDistance(own, made) > TAKEN_AWAY;
}

// The first frame of a seam, up to its middle, in which a foot is taken away from where the passage before has it.
static double findLeave(const rpPassage* passage, const rpPassage* next, const rpGraph* graph, const rpMotion* out,
						int foot)
{
	double middle = 0.5 * (next->start + passage->end);
	int frame = (int)ceil(next->start * out->fps), last = out->frameCount - 1;
	while (frame < last && frame / out->fps < middle && !isAway(passage, graph, out, foot, frame))
	{
		++frame;
	}
	return fmin(frame / out->fps, middle);
}

// The last one, from its middle on, in which it has not yet come to where the next passage has it.
static double findEnter(const rpPassage* passage, const rpPassage* next, const rpGraph* graph, const rpMotion* out,
						int foot)
{
	double middle = 0.5 * (next->start + passage->end);
	int frame = (int)fmin(floor(passage->end * out->fps), out->frameCount - 1);
	while (frame > 0 && frame / out->fps > middle && !isAway(next, graph, out, foot, frame))
	{
		--frame;
	}
	return fmax(frame / out->fps, middle);
}

rpHandover rpFindHandover(const rpPassage* passage, const rpPassage* next, const rpGraph* graph, const rpMotion* out)
{
	double middle = 0.5 * (next->start + passage->end);
	rpHandover handover = {{middle, middle}, {middle, middle}};
	for (int foot = 0; foot < rp_handoverFeet; ++foot)
	{
		bool before = rests(passage, graph, foot, middle), after = rests(next, graph, foot, middle);
		bool isBorne = rests(passage, graph, 1 - foot, middle) && rests(next, graph, 1 - foot, middle);
		if (before && !after && isBorne)
		{
			handover.leave[foot] = findLeave(passage, next, graph, out, foot);
		}
		if (after && !before && isBorne)
		{
			handover.enter[foot] = findEnter(passage, next, graph, out, foot);
		}
	}
	return handover;
}
