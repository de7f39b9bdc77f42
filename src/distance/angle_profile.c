/// A motion as angles: rotations of the joints that count, the root's without its heading; and features, which are
/// compared by their squared difference: angular velocities, the root's height, its velocity as seen from where it
/// faces. Each feature carries the root of its weight.
#include "base/memory.h"
#include "distance/metric.h"

#include <math.h>

/// The frames before and after a frame, and the rate that their difference is multiplied with.
typedef struct Neighbours
{
	int before, after;
	float rate;
} Neighbours;

static Neighbours findNeighbours(const rpMotion* motion, int frame)
{
	int before = frame > 0 ? frame - 1 : frame, after = frame + 1 < motion->frameCount ? frame + 1 : frame;
	return (Neighbours){before, after, after > before ? (float)(motion->fps / (after - before)) : 0.0f};
}

static void putFeature(rpProfile* profile, int feature, int frame, float weight, float value)
{
	profile->features[(size_t)feature * (size_t)profile->formStride + (size_t)frame] = sqrtf(weight) * value;
}

static void putVector(rpProfile* profile, int feature, int frame, float weight, rpVec3 value)
{
	putFeature(profile, feature, frame, weight, value.x);
	putFeature(profile, feature + 1, frame, weight, value.y);
	putFeature(profile, feature + 2, frame, weight, value.z);
}

static void putTurn(rpProfile* profile, int turn, int frame, rpQuat q)
{
	q = rpNormalizeQuat(q);
	float* out = profile->turns + 4 * (size_t)turn * (size_t)profile->formStride + frame;
	out[0] = q.w;
	out[(size_t)profile->formStride] = q.x;
	out[2 * (size_t)profile->formStride] = q.y;
	out[3 * (size_t)profile->formStride] = q.z;
}

static void seeJoint(const rpMetric* metric, rpProfile* profile, const rpMotion* motion, int frame, int turn)
{
	int joint = metric->turnJoints[turn];
	Neighbours near = findNeighbours(motion, frame);
	rpQuat before = rpMotion_GetRotations(motion, near.before)[joint];
	rpQuat after = rpMotion_GetRotations(motion, near.after)[joint];
	rpVec3 velocity = rpScale(near.rate, rpLogQuat(rpMulQuat(rpConjugate(before), after)));
	putTurn(profile, turn, frame, rpMotion_GetRotations(motion, frame)[joint]);
	putVector(profile, 3 * turn, frame, metric->turnWeights[turn] * metric->velocityWeight, velocity);
}

static void seeRoot(const rpMetric* metric, rpProfile* profile, const rpMotion* motion, int frame)
{
	Neighbours near = findNeighbours(motion, frame);
	rpQuat root = rpMotion_GetRotations(motion, frame)[0];
	rpQuat before = rpMotion_GetRotations(motion, near.before)[0], after = rpMotion_GetRotations(motion, near.after)[0];
	rpQuat facing = rpYaw(-rpHeading(root));
	rpVec3 spin = rpScale(near.rate, rpLogQuat(rpMulQuat(after, rpConjugate(before))));
	rpVec3 travel = rpScale(near.rate, rpSub(motion->rootPositions[near.after], motion->rootPositions[near.before]));
	int next = 3 * metric->turnCount;
	putTurn(profile, 0, frame, rpMulQuat(facing, root));
	putVector(profile, 0, frame, metric->turnWeights[0] * metric->velocityWeight, rpRotate(facing, spin));
	putVector(profile, next, frame, metric->travelWeight, rpRotate(facing, travel));
	putFeature(profile, next + 3, frame, metric->heightWeight, motion->rootPositions[frame].y);
	profile->grounds[frame] = rpMotion_GetGround(motion, frame);
}

bool rpAngle_See(const rpMetric* metric, rpProfile* profile, const rpMotion* motion, rpError* error)
{
	profile->frameCount = motion->frameCount;
	profile->formStride = motion->frameCount;
	profile->turnCount = metric->turnCount;
	profile->featureCount = 3 * metric->turnCount + 4;
	size_t turns = rpCountRowFloats(4 * profile->turnCount, profile->formStride);
	profile->turns = rpAllocateZero(turns, sizeof(float), error);
	size_t features = rpCountRowFloats(profile->featureCount, profile->formStride);
	profile->features = rpAllocateZero(features, sizeof(float), error);
	profile->grounds = rpAllocate((size_t)profile->frameCount, sizeof(rpGroundTransform), error);
	bool done = profile->turns != NULL && profile->features != NULL && profile->grounds != NULL;
	for (int frame = 0; done && frame < motion->frameCount; ++frame)
	{
		seeRoot(metric, profile, motion, frame);
		for (int turn = 1; turn < metric->turnCount; ++turn)
		{
			seeJoint(metric, profile, motion, frame, turn);
		}
	}
	return done;
}
