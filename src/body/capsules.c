/// Limbs as capsules. Radii are those of slim limbs, half of breadths in "Anthropometric source book" (NASA RP 1024,
/// 1978) less what clothes and flesh give way, as shares of the stature: what meets here is inside of each other.
#include "body/capsules.h"

/// A limb from one role to another, on the joint of the first.
typedef struct Limb
{
	const char* name;
	rpRole from, to;

	/// Beyond `to`, an effector that the limb reaches on to; rp_effectorCount: none.
	rpEffector end;
	float radius;
} Limb;

enum
{
	limbTrunk,
	limbHead,
	limbLeftUpperArm,
	limbRightUpperArm,
	limbLeftForearm,
	limbRightForearm,
	limbLeftThigh,
	limbRightThigh,
	limbLeftShank,
	limbRightShank,
	limbLeftFoot,
	limbRightFoot,
	limbCount,
};

static const Limb s_limbs[limbCount] = {
	[limbTrunk] = {"the trunk", rp_rolePelvis, rp_roleNeck, rp_effectorCount, 0.052f},
	[limbHead] = {"the head", rp_roleHead, rp_roleHead, rp_effectorCount, 0.045f},
	[limbLeftUpperArm] = {"the left upper arm", rp_roleLeftShoulder, rp_roleLeftElbow, rp_effectorCount, 0.022f},
	[limbRightUpperArm] = {"the right upper arm", rp_roleRightShoulder, rp_roleRightElbow, rp_effectorCount, 0.022f},
	[limbLeftForearm] = {"the left forearm", rp_roleLeftElbow, rp_roleLeftWrist, rp_effectorCount, 0.018f},
	[limbRightForearm] = {"the right forearm", rp_roleRightElbow, rp_roleRightWrist, rp_effectorCount, 0.018f},
	[limbLeftThigh] = {"the left thigh", rp_roleLeftHip, rp_roleLeftKnee, rp_effectorCount, 0.036f},
	[limbRightThigh] = {"the right thigh", rp_roleRightHip, rp_roleRightKnee, rp_effectorCount, 0.036f},
	[limbLeftShank] = {"the left shank", rp_roleLeftKnee, rp_roleLeftAnkle, rp_effectorCount, 0.026f},
	[limbRightShank] = {"the right shank", rp_roleRightKnee, rp_roleRightAnkle, rp_effectorCount, 0.026f},
	[limbLeftFoot] = {"the left foot", rp_roleLeftAnkle, rp_roleLeftAnkle, rp_leftBall, 0.018f},
	[limbRightFoot] = {"the right foot", rp_roleRightAnkle, rp_roleRightAnkle, rp_rightBall, 0.018f},
};

// Limbs that must not meet. Upper arms lie at the trunk, thighs at each other.
static const int s_pairs[][2] = {
	{limbLeftForearm, limbTrunk},         {limbRightForearm, limbTrunk},        {limbLeftForearm, limbHead},
	{limbRightForearm, limbHead},         {limbLeftForearm, limbLeftThigh},     {limbLeftForearm, limbRightThigh},
	{limbRightForearm, limbLeftThigh},    {limbRightForearm, limbRightThigh},   {limbLeftForearm, limbRightForearm},
	{limbLeftForearm, limbRightUpperArm}, {limbRightForearm, limbLeftUpperArm}, {limbLeftShank, limbRightShank},
	{limbLeftFoot, limbRightFoot},        {limbLeftFoot, limbRightShank},       {limbRightFoot, limbLeftShank},
	{limbLeftShank, limbRightThigh},      {limbRightShank, limbLeftThigh},
};

static bool addLimb(const rpSkeleton* skeleton, const Limb* limb, rpCapsules* out)
{
	int joint = skeleton->roles[limb->from];
	rpAttachment end = {skeleton->roles[limb->to], rpVec3_zero};
	end = limb->end < rp_effectorCount ? skeleton->effectors[limb->end] : end;
	if (joint < 0 || end.joint < 0)
	{
		return false;
	}
	out->items[out->count++] = (rpCapsule){limb->name, joint, end, limb->radius * skeleton->height};
	return true;
}

bool rpMakeCapsules(const rpSkeleton* skeleton, rpCapsules* out)
{
	int indices[limbCount];
	*out = (rpCapsules){0};
	for (int limb = 0; limb < limbCount; ++limb)
	{
		indices[limb] = addLimb(skeleton, &s_limbs[limb], out) ? out->count - 1 : -1;
	}
	for (size_t i = 0; i < sizeof(s_pairs) / sizeof(s_pairs[0]); ++i)
	{
		int first = indices[s_pairs[i][0]], second = indices[s_pairs[i][1]];
		if (first >= 0 && second >= 0)
		{
			out->pairs[out->pairCount][0] = first;
			out->pairs[out->pairCount++][1] = second;
		}
	}
	return out->pairCount > 0;
}

static float clamp(float x)
{
	return x < 0.0f ? 0.0f : x > 1.0f ? 1.0f : x;
}

// C. Ericson, "Real-time collision detection" (2005), section 5.1.9.
float rpGetSegmentDistance(rpVec3 a0, rpVec3 a1, rpVec3 b0, rpVec3 b1)
{
	rpVec3 u = rpSub(a1, a0), v = rpSub(b1, b0), w = rpSub(a0, b0);
	float uu = rpDot(u, u), vv = rpDot(v, v), uv = rpDot(u, v), uw = rpDot(u, w), vw = rpDot(v, w);
	float denominator = uu * vv - uv * uv;
	float s = denominator > 1e-12f ? clamp((uv * vw - uw * vv) / denominator) : 0.0f;
	float t = vv > 0.0f ? (uv * s + vw) / vv : 0.0f;
	if (t < 0.0f || t > 1.0f || !(vv > 0.0f))
	{
		t = clamp(t);
		s = uu > 0.0f ? clamp((uv * t - uw) / uu) : 0.0f;
	}
	return rpDistance(rpMulAdd(a0, s, u), rpMulAdd(b0, t, v));
}

static rpVec3 getEnd(const rpTransform* pose, rpAttachment end)
{
	return rpTransformPoint(pose[end.joint], end.offset);
}

float rpCapsules_GetDepth(const rpCapsules* capsules, const rpTransform* pose, int pair)
{
	const rpCapsule* a = &capsules->items[capsules->pairs[pair][0]];
	const rpCapsule* b = &capsules->items[capsules->pairs[pair][1]];
	float distance =
		rpGetSegmentDistance(pose[a->joint].p, getEnd(pose, a->end), pose[b->joint].p, getEnd(pose, b->end));
	return a->radius + b->radius - distance;
}
