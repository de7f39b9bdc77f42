/// What a metric of angles is made of: the joints that count, and how much. J. Lee, J. Chai, P. Reitsma, J. Hodgins &
/// N. Pollard, "Interactive control of avatars animated with human motion data" (2002); weights by J. Wang &
/// B. Bodenheimer, "An evaluation of a cost metric for selecting transitions between motion segments" (2003).
#include "base/error.h"
#include "base/memory.h"
#include "distance/metric.h"

#include <math.h>

/// A role's weight under a name.
typedef struct RoleWeight
{
	rpRole role;
	float weights[rp_angleWeightsCount];
} RoleWeight;

// The pelvis, which is Lee's too, is the root on most bodies: its tilt has a weight of its own.
static const RoleWeight s_roles[] = {
	{rp_roleLeftHip, {1.0f, 1.0f, 1.0f}},         {rp_roleRightHip, {1.0f, 1.0f, 1.0f}},
	{rp_roleLeftKnee, {1.0f, 0.0901f, 1.0f}},     {rp_roleRightKnee, {1.0f, 0.0901f, 1.0f}},
	{rp_roleLeftShoulder, {1.0f, 0.7884f, 1.0f}}, {rp_roleRightShoulder, {1.0f, 0.7884f, 1.0f}},
	{rp_roleLeftElbow, {1.0f, 0.0247f, 1.0f}},    {rp_roleRightElbow, {1.0f, 0.0247f, 1.0f}},
	{rp_rolePelvis, {1.0f, 0.0f, 1.0f}},          {rp_roleSpine, {1.0f, 0.0f, 1.0f}},
};

static float weighJoint(const rpSkeleton* skeleton, const rpMetricDef* def, int joint)
{
	if (def->jointWeights != NULL)
	{
		return def->jointWeights[joint];
	}
	if (def->weights == rp_weightsEven)
	{
		return 1.0f;
	}
	for (size_t i = 0; i < sizeof(s_roles) / sizeof(s_roles[0]); ++i)
	{
		if (skeleton->roles[s_roles[i].role] == joint)
		{
			return s_roles[i].weights[def->weights];
		}
	}
	return 0.0f;
}

static bool isWeight(float weight)
{
	return isfinite(weight) && weight >= 0.0f;
}

static bool checkWeights(const rpSkeleton* skeleton, const rpMetricDef* def, rpError* error)
{
	if ((unsigned)def->weights >= rp_angleWeightsCount)
	{
		return rpFail(error, rp_errorArgument, "no such weights of joints");
	}
	if (!isWeight(def->velocityWeight) || !isWeight(def->heightWeight) || !isWeight(def->tiltWeight) ||
		!isWeight(def->travelWeight))
	{
		return rpFail(error, rp_errorArgument, "weights of a metric must be numbers that are not negative");
	}
	for (int i = 0; def->jointWeights != NULL && i < skeleton->jointCount; ++i)
	{
		if (!isWeight(def->jointWeights[i]))
		{
			return rpFail(error, rp_errorArgument, "the weight of joint \"%s\" is %g; it must not be negative",
						  skeleton->joints[i].name, (double)def->jointWeights[i]);
		}
	}
	return true;
}

bool rpAngle_Define(rpMetric* metric, const rpMetricDef* def, rpError* error)
{
	const rpSkeleton* skeleton = metric->skeleton;
	if (!checkWeights(skeleton, def, error))
	{
		return false;
	}
	metric->turnJoints = rpAllocate((size_t)skeleton->jointCount, sizeof(int), error);
	metric->turnWeights = rpAllocate((size_t)skeleton->jointCount, sizeof(float), error);
	if (metric->turnJoints == NULL || metric->turnWeights == NULL)
	{
		return false;
	}
	// The root comes first, with or without weight.
	metric->turnJoints[0] = 0;
	metric->turnWeights[0] = def->tiltWeight;
	metric->turnCount = 1;
	for (int joint = 1; joint < skeleton->jointCount; ++joint)
	{
		float weight = weighJoint(skeleton, def, joint);
		if (weight > 0.0f)
		{
			metric->turnJoints[metric->turnCount] = joint;
			metric->turnWeights[metric->turnCount++] = weight;
		}
	}
	metric->velocityWeight = def->velocityWeight;
	metric->heightWeight = def->heightWeight;
	metric->travelWeight = def->travelWeight;
	if (metric->turnCount > 1)
	{
		return true;
	}
	rpFail(error, rp_errorArgument, "no joint of the skeleton has a weight in this metric");
	rpError_SetHint(error, "give the joints roles, or weights of their own, or use the cloud metric");
	return false;
}
