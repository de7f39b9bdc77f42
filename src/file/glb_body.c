/// A person around a skeleton. Limbs are rods that share a sphere at each joint, so that any bend closes; the trunk is
/// one loft that follows the spine; measures are those of a person of 1.75 m, scaled to the body at hand.
#include "file/glb_body.h"

#include "base/memory.h"
#include "file/glb_loft.h"

#include <string.h>

// Trunk plus leg of the person whose measures stand below, metres.
#define REFERENCE_SIZE 1.36f

// Bones shorter than this part of the body get no rod.
#define SHORTEST_ROD 0.015f

/// What the parts of the body are made with.
typedef struct Sculptor
{
	const rpSkeleton* skeleton;
	const rpTransform* rest;
	rpBodyMesh* body;
	rpError* error;

	// Unit vectors of the body, and its size against the reference.
	rpVec3 left, up, ahead;
	float scale;

	// Joints that a part stands for already.
	bool covered[RP_MAX_JOINTS];
} Sculptor;

static int jointOf(const Sculptor* s, rpRole role)
{
	return s->skeleton->roles[role];
}

static bool hasAll(const Sculptor* s, const rpRole* roles, int count)
{
	for (int i = 0; i < count; ++i)
	{
		if (jointOf(s, roles[i]) < 0)
		{
			return false;
		}
	}
	return true;
}

static rpVec3 placeOf(const Sculptor* s, rpRole role)
{
	return s->rest[jointOf(s, role)].p;
}

static rpVec3 middleOf(const Sculptor* s, rpRole a, rpRole b)
{
	return rpLerp(placeOf(s, a), placeOf(s, b), 0.5f);
}

static bool isAncestor(const rpSkeleton* skeleton, int ancestor, int joint)
{
	while (joint > ancestor)
	{
		joint = skeleton->parents[joint];
	}
	return joint == ancestor;
}

// A joint and everything below it.
static void coverBelow(Sculptor* s, int top)
{
	for (int i = top; top >= 0 && i < s->skeleton->jointCount; ++i)
	{
		s->covered[i] = s->covered[i] || isAncestor(s->skeleton, top, i);
	}
}

// A joint and everything above it.
static void coverAbove(Sculptor* s, int bottom)
{
	for (int i = bottom; i >= 0; i = s->skeleton->parents[i])
	{
		s->covered[i] = true;
	}
}

/// The joints of the spine from the root up, with their heights along the trunk.
typedef struct Spine
{
	int joints[RP_MAX_JOINTS];
	float heights[RP_MAX_JOINTS];
	int count;
} Spine;

static void findSpine(const Sculptor* s, rpVec3 hips, Spine* out)
{
	int top = jointOf(s, rp_roleNeck) >= 0 ? jointOf(s, rp_roleNeck) : jointOf(s, rp_roleHead);
	top = top >= 0 ? top : jointOf(s, rp_roleChest);
	// Without any role above the hips, everything follows the root.
	top = top >= 0 ? top : 0;
	out->count = 0;
	for (int i = top; i >= 0; i = s->skeleton->parents[i])
	{
		++out->count;
	}
	int place = out->count;
	for (int i = top; i >= 0; i = s->skeleton->parents[i])
	{
		out->joints[--place] = i;
		out->heights[place] = rpDot(rpSub(s->rest[i].p, hips), s->up);
	}
}

// In the middle of a bone all of its joint, at a joint half of each neighbour.
static rpInfluence followSpine(const Spine* spine, float height)
{
	int i = 0;
	while (i + 1 < spine->count && spine->heights[i + 1] <= height)
	{
		++i;
	}
	if (height < spine->heights[0] || spine->count == 1)
	{
		return (rpInfluence){spine->joints[0], spine->joints[0], 1.0f};
	}
	float length = i + 1 < spine->count ? spine->heights[i + 1] - spine->heights[i] : 0.0f;
	float part = length > 0.0f ? (height - spine->heights[i]) / length : 0.5f;
	if (part < 0.5f && i > 0)
	{
		return (rpInfluence){spine->joints[i], spine->joints[i - 1], 0.5f + part};
	}
	if (part > 0.5f)
	{
		return (rpInfluence){spine->joints[i], spine->joints[i + 1], 1.5f - part};
	}
	return (rpInfluence){spine->joints[i], spine->joints[i], 1.0f};
}

/// A section of the trunk: its height as a part of the distance from hips to shoulders; half its width as a part of the
/// hips' or shoulders' half distance plus metres; metres ahead and behind.
typedef struct Section
{
	float height;
	float ofHips, ofShoulders, width;
	float ahead, behind;
} Section;

static const Section s_trunk[] = {
	{-0.27f, 0.00f, 0.00f, 0.040f, 0.030f, 0.035f}, {-0.21f, 0.70f, 0.00f, 0.035f, 0.072f, 0.085f},
	{-0.08f, 1.00f, 0.00f, 0.080f, 0.098f, 0.118f}, {0.08f, 0.90f, 0.00f, 0.080f, 0.100f, 0.112f},
	{0.30f, 0.35f, 0.00f, 0.098f, 0.092f, 0.082f},  {0.45f, 0.00f, 0.20f, 0.098f, 0.096f, 0.084f},
	{0.66f, 0.00f, 0.45f, 0.072f, 0.114f, 0.094f},  {0.84f, 0.00f, 0.74f, 0.036f, 0.112f, 0.100f},
	{0.98f, 0.00f, 0.90f, 0.008f, 0.078f, 0.084f},  {1.07f, 0.00f, 0.70f, 0.000f, 0.054f, 0.068f},
	{1.14f, 0.00f, 0.34f, 0.018f, 0.046f, 0.060f},  {1.20f, 0.00f, 0.12f, 0.024f, 0.034f, 0.046f},
};

static bool addTrunk(Sculptor* s)
{
	enum
	{
		count = sizeof(s_trunk) / sizeof(s_trunk[0])
	};
	rpVec3 hips = middleOf(s, rp_roleLeftHip, rp_roleRightHip);
	rpVec3 shoulders = middleOf(s, rp_roleLeftShoulder, rp_roleRightShoulder);
	float hipWidth = 0.5f * rpDistance(placeOf(s, rp_roleLeftHip), placeOf(s, rp_roleRightHip));
	float shoulderWidth = 0.5f * rpDistance(placeOf(s, rp_roleLeftShoulder), placeOf(s, rp_roleRightShoulder));
	Spine spine;
	findSpine(s, hips, &spine);
	rpRing rings[count];
	for (int i = 0; i < count; ++i)
	{
		const Section* section = s_trunk + i;
		rpVec3 center = rpMulAdd(hips, section->height, rpSub(shoulders, hips));
		float height = rpDot(rpSub(center, hips), s->up);
		float width = section->ofHips * hipWidth + section->ofShoulders * shoulderWidth + section->width * s->scale;
		rings[i] = (rpRing){center,
							s->left,
							s->ahead,
							width,
							section->ahead * s->scale,
							section->behind * s->scale,
							followSpine(&spine, height)};
	}
	coverAbove(s, spine.joints[spine.count - 1]);
	return rpBodyMesh_AddLoft(s->body, rings, count, 12, 0.82f, s->error);
}

/// A limb's bone: from one role to the next, radii in metres.
typedef struct Bone
{
	rpRole from, to;
	float start, middle, bulge, end;
} Bone;

static const Bone s_bones[] = {
	{rp_roleLeftHip, rp_roleLeftKnee, 0.080f, 0.35f, 0.077f, 0.052f},
	{rp_roleRightHip, rp_roleRightKnee, 0.080f, 0.35f, 0.077f, 0.052f},
	{rp_roleLeftKnee, rp_roleLeftAnkle, 0.052f, 0.30f, 0.056f, 0.036f},
	{rp_roleRightKnee, rp_roleRightAnkle, 0.052f, 0.30f, 0.056f, 0.036f},
	{rp_roleLeftShoulder, rp_roleLeftElbow, 0.056f, 0.40f, 0.047f, 0.036f},
	{rp_roleRightShoulder, rp_roleRightElbow, 0.056f, 0.40f, 0.047f, 0.036f},
	{rp_roleLeftElbow, rp_roleLeftWrist, 0.036f, 0.30f, 0.039f, 0.026f},
	{rp_roleRightElbow, rp_roleRightWrist, 0.036f, 0.30f, 0.039f, 0.026f},
};

// From the middle of the shoulders to each of them: what joins the arms to the trunk when the clavicles move.
static bool addGirdle(Sculptor* s, rpRole shoulder)
{
	int joint = jointOf(s, shoulder);
	int parent = s->skeleton->parents[joint] >= 0 ? s->skeleton->parents[joint] : joint;
	rpVec3 middle = middleOf(s, rp_roleLeftShoulder, rp_roleRightShoulder);
	rpVec3 start = rpLerp(middle, s->rest[joint].p, 0.3f);
	return rpBodyMesh_AddRod(s->body, start, s->rest[joint].p, 0.062f * s->scale, 0.6f, 0.060f * s->scale,
							 0.054f * s->scale, parent, s->error);
}

static bool addLimbs(Sculptor* s)
{
	if (!addGirdle(s, rp_roleLeftShoulder) || !addGirdle(s, rp_roleRightShoulder))
	{
		return false;
	}
	for (size_t i = 0; i < sizeof(s_bones) / sizeof(s_bones[0]); ++i)
	{
		const Bone* bone = s_bones + i;
		int from = jointOf(s, bone->from), to = jointOf(s, bone->to);
		if (from < 0 || to < 0)
		{
			continue;
		}
		if (!rpBodyMesh_AddRod(s->body, s->rest[from].p, s->rest[to].p, bone->start * s->scale, bone->middle,
							   bone->bulge * s->scale, bone->end * s->scale, from, s->error))
		{
			return false;
		}
		coverAbove(s, to);
	}
	return true;
}

/// Sections of head, hand and foot: metres along the part, then half widths.
typedef struct Slice
{
	float along, lift, width, ahead, behind;
} Slice;

// Up the head; lift is forward: chin, mouth, cheeks, brow, crown.
static const Slice s_head[] = {
	{-0.045f, 0.030f, 0.028f, 0.030f, 0.030f}, {-0.020f, 0.025f, 0.052f, 0.060f, 0.060f},
	{0.025f, 0.018f, 0.066f, 0.074f, 0.080f},  {0.080f, 0.010f, 0.074f, 0.084f, 0.098f},
	{0.130f, 0.004f, 0.073f, 0.082f, 0.100f},  {0.170f, 0.000f, 0.060f, 0.064f, 0.082f},
	{0.195f, -0.002f, 0.034f, 0.036f, 0.046f},
};

static rpVec3 findHeadTop(const Sculptor* s, int head)
{
	for (int i = 0; i < s->skeleton->endCount; ++i)
	{
		const rpEndSite* end = s->skeleton->ends + i;
		if (isAncestor(s->skeleton, head, end->joint) && rpLength(end->offset) > 0.0f)
		{
			return rpTransformPoint(s->rest[end->joint], end->offset);
		}
	}
	return rpAdd(s->rest[head].p, s->up);
}

static bool addHead(Sculptor* s)
{
	enum
	{
		count = sizeof(s_head) / sizeof(s_head[0])
	};
	int head = jointOf(s, rp_roleHead);
	if (head < 0)
	{
		return true;
	}
	rpVec3 up = rpNormalize(rpSub(findHeadTop(s, head), s->rest[head].p));
	// A head that lies on its side is a mistake of the file, not of the person.
	up = rpDot(up, s->up) > 0.7f ? up : s->up;
	rpVec3 ahead = rpNormalize(rpCross(s->left, up));
	rpVec3 left = rpCross(up, ahead);
	rpRing rings[count];
	for (int i = 0; i < count; ++i)
	{
		const Slice* slice = s_head + i;
		rpVec3 center = rpMulAdd(s->rest[head].p, slice->along * s->scale, up);
		center = rpMulAdd(center, slice->lift * s->scale, ahead);
		rings[i] = (rpRing){center,
							left,
							ahead,
							slice->width * s->scale,
							slice->ahead * s->scale,
							slice->behind * s->scale,
							{head, head, 1.0f}};
	}
	coverAbove(s, head);
	coverBelow(s, head);
	int neck = jointOf(s, rp_roleNeck) >= 0 ? jointOf(s, rp_roleNeck) : s->skeleton->parents[head];
	rpVec3 skull = rpMulAdd(s->rest[head].p, 0.03f * s->scale, up);
	return rpBodyMesh_AddLoft(s->body, rings, count, 10, 0.9f, s->error) &&
		   rpBodyMesh_AddRod(s->body, s->rest[neck < 0 ? head : neck].p, skull, 0.056f * s->scale, 0.5f,
							 0.052f * s->scale, 0.05f * s->scale, neck < 0 ? head : neck, s->error);
}

// From the wrist to the finger tips.
static const Slice s_hand[] = {
	{-0.010f, 0.0f, 0.022f, 0.014f, 0.014f}, {0.020f, 0.0f, 0.033f, 0.018f, 0.018f},
	{0.080f, 0.0f, 0.042f, 0.016f, 0.016f},  {0.135f, 0.0f, 0.036f, 0.012f, 0.012f},
	{0.180f, 0.0f, 0.018f, 0.007f, 0.007f},
};

static bool addHand(Sculptor* s, rpRole elbowRole, rpRole wristRole)
{
	enum
	{
		count = sizeof(s_hand) / sizeof(s_hand[0])
	};
	int elbow = jointOf(s, elbowRole), wrist = jointOf(s, wristRole);
	if (elbow < 0 || wrist < 0)
	{
		return true;
	}
	rpVec3 along = rpNormalize(rpSub(s->rest[wrist].p, s->rest[elbow].p));
	// Thumbs point ahead: palms down with the arms out, palms in with the arms down.
	rpVec3 thumb = rpNormalize(rpMulAdd(s->ahead, -rpDot(s->ahead, along), along));
	thumb = rpDot(thumb, thumb) > 0.5f ? thumb : s->up;
	rpVec3 back = rpCross(along, thumb);
	rpRing rings[count];
	for (int i = 0; i < count; ++i)
	{
		const Slice* slice = s_hand + i;
		rings[i] = (rpRing){rpMulAdd(s->rest[wrist].p, slice->along * s->scale, along),
							thumb,
							back,
							slice->width * s->scale,
							slice->ahead * s->scale,
							slice->behind * s->scale,
							{wrist, wrist, 1.0f}};
	}
	coverBelow(s, wrist);
	rpVec3 root = rpMulAdd(rpMulAdd(s->rest[wrist].p, 0.03f * s->scale, along), 0.022f * s->scale, thumb);
	rpVec3 tip = rpMulAdd(rpMulAdd(root, 0.055f * s->scale, along), 0.038f * s->scale, thumb);
	return rpBodyMesh_AddLoft(s->body, rings, count, 8, 0.75f, s->error) &&
		   rpBodyMesh_AddRod(s->body, root, tip, 0.014f * s->scale, 0.5f, 0.013f * s->scale, 0.009f * s->scale, wrist,
							 s->error);
}

// Shoes turn up at their tips, by this part of the sole's height below the ball: resting toes are captured up to 2 cm
// lower than the ball, and would stick in the floor. Behind the heel they are round.
#define TOE_SPRING 0.6f
#define HEEL_SPRING 0.4f

/// A foot's points in the rest pose, and its directions.
typedef struct Foot
{
	int ankleJoint, ballJoint;
	rpVec3 ankle, heel, ball, toe;
	rpVec3 along, side, up;
	float length, ballPart; // from heel to toe, and how much of it lies before the ball
} Foot;

static rpVec3 effectorPlace(const Sculptor* s, rpEffector effector)
{
	rpAttachment attachment = s->skeleton->effectors[effector];
	return rpTransformPoint(s->rest[attachment.joint], attachment.offset);
}

static bool findFoot(const Sculptor* s, rpRole ankle, rpRole ball, const rpEffector points[3], Foot* out)
{
	out->ankleJoint = jointOf(s, ankle);
	out->ballJoint = jointOf(s, ball) >= 0 ? jointOf(s, ball) : out->ankleJoint;
	for (int i = 0; i < 3; ++i)
	{
		if (out->ankleJoint < 0 || s->skeleton->effectors[points[i]].joint < 0)
		{
			return false;
		}
	}
	out->ankle = s->rest[out->ankleJoint].p;
	out->heel = effectorPlace(s, points[0]);
	out->ball = effectorPlace(s, points[1]);
	out->toe = effectorPlace(s, points[2]);
	// A foot lies flat where heel and ball are level: the toes' end may be marked on the ground.
	out->along = rpNormalize(rpSub(out->ball, out->heel));
	rpVec3 rise = rpSub(out->ankle, out->heel);
	out->up = rpNormalize(rpMulAdd(rise, -rpDot(rise, out->along), out->along));
	out->side = rpCross(out->up, out->along);
	out->length = rpDot(rpSub(out->toe, out->heel), out->along);
	out->ballPart = fminf(fmaxf(rpDistance(out->ball, out->heel) / out->length, 0.5f), 0.85f);
	return out->length > 0.05f * s->scale && rpLength(out->up) > 0.5f;
}

// A ring of the foot at a fraction of the distance from heel to toe, standing on the sole, which is below heel and ball
// by their height above the ground; `height` is from there to the top.
static rpRing sliceFoot(const Sculptor* s, const Foot* foot, float part, float width, float height, int joint)
{
	float toes = fmaxf(part - foot->ballPart, 0.0f) / (1.0f - foot->ballPart);
	float rise = part < 0.0f ? HEEL_SPRING : TOE_SPRING * toes;
	rpVec3 sole = rpMulAdd(foot->heel, part * foot->length, foot->along);
	sole = rpMulAdd(sole, (rise - 1.0f) * s->skeleton->soleHeight, foot->up);
	float half = 0.5f * height;
	return (rpRing){
		rpMulAdd(sole, half, foot->up), foot->side, foot->up, width * s->scale, half, half, {joint, joint, 1.0f}};
}

static bool addFoot(Sculptor* s, rpRole ankle, rpRole ball, const rpEffector points[3])
{
	Foot foot;
	if (!findFoot(s, ankle, ball, points, &foot))
	{
		return true;
	}
	float rise = rpDot(rpSub(foot.ankle, foot.heel), foot.up) + s->skeleton->soleHeight + 0.01f * s->scale;
	rise = fminf(fmaxf(rise, 0.05f * s->scale), 0.12f * s->scale);
	float flat = 0.05f * s->scale;
	rpRing rings[] = {
		sliceFoot(s, &foot, -0.06f, 0.022f, 0.5f * rise, foot.ankleJoint),
		sliceFoot(s, &foot, 0.0f, 0.034f, 0.85f * rise, foot.ankleJoint),
		sliceFoot(s, &foot, 0.2f, 0.038f, rise, foot.ankleJoint),
		sliceFoot(s, &foot, 0.45f, 0.040f, 0.5f * (rise + flat) + 0.01f * s->scale, foot.ankleJoint),
		sliceFoot(s, &foot, foot.ballPart, 0.048f, flat, foot.ankleJoint),
		sliceFoot(s, &foot, 0.5f * (foot.ballPart + 1.0f), 0.044f, 0.8f * flat, foot.ballJoint),
		sliceFoot(s, &foot, 1.02f, 0.026f, 0.5f * flat, foot.ballJoint),
	};
	rings[4].influence = (rpInfluence){foot.ankleJoint, foot.ballJoint, 0.5f};
	coverBelow(s, foot.ankleJoint);
	// Round, so that a foot on its edge is no lower than one that lies flat.
	return rpBodyMesh_AddLoft(s->body, rings, (int)(sizeof(rings) / sizeof(rings[0])), 8, 1.0f, s->error);
}

// Rods for bones that no part stands for: tails, wings, whole bodies whose roles are unknown.
static bool addRod(Sculptor* s, rpVec3 from, rpVec3 to, int joint)
{
	float length = rpDistance(from, to);
	if (length < SHORTEST_ROD * s->scale)
	{
		return true;
	}
	float radius = fminf(0.14f * length, 0.045f * s->scale);
	return rpBodyMesh_AddRod(s->body, from, to, radius, 0.25f, 1.2f * radius, 0.6f * radius, joint, s->error);
}

static bool addOtherBones(Sculptor* s)
{
	const rpSkeleton* skeleton = s->skeleton;
	for (int i = 1; i < skeleton->jointCount; ++i)
	{
		int parent = skeleton->parents[i];
		if (!s->covered[i] && !addRod(s, s->rest[parent].p, s->rest[i].p, parent))
		{
			return false;
		}
	}
	for (int i = 0; i < skeleton->endCount; ++i)
	{
		int joint = skeleton->ends[i].joint;
		rpVec3 tip = rpTransformPoint(s->rest[joint], skeleton->ends[i].offset);
		if (!s->covered[joint] && !addRod(s, s->rest[joint].p, tip, joint))
		{
			return false;
		}
	}
	// A skeleton without bones still wants to be seen.
	rpVec3 p = s->rest[0].p;
	float r = 0.1f * s->scale;
	return s->body->vertexCount > 0 ||
		   rpBodyMesh_AddRod(s->body, p, rpAdd(p, (rpVec3){0.0f, r, 0.0f}), r, 0.5f, r, r, 0, s->error);
}

static bool isHuman(const Sculptor* s)
{
	static const rpRole needed[] = {rp_roleLeftHip,  rp_roleRightHip,  rp_roleLeftShoulder, rp_roleRightShoulder,
									rp_roleLeftKnee, rp_roleRightKnee, rp_roleLeftAnkle,    rp_roleRightAnkle};
	return hasAll(s, needed, (int)(sizeof(needed) / sizeof(needed[0])));
}

// The body's directions and size, from hips and shoulders. False where they do not make sense.
static bool measure(Sculptor* s)
{
	s->left = (rpVec3){1.0f, 0.0f, 0.0f};
	s->up = (rpVec3){0.0f, 1.0f, 0.0f};
	s->ahead = (rpVec3){0.0f, 0.0f, 1.0f};
	s->scale = s->skeleton->height > 0.0f ? s->skeleton->height / 1.75f : 1.0f;
	if (!isHuman(s))
	{
		return false;
	}
	rpVec3 spine =
		rpSub(middleOf(s, rp_roleLeftShoulder, rp_roleRightShoulder), middleOf(s, rp_roleLeftHip, rp_roleRightHip));
	rpVec3 across = rpAdd(rpSub(placeOf(s, rp_roleLeftHip), placeOf(s, rp_roleRightHip)),
						  rpSub(placeOf(s, rp_roleLeftShoulder), placeOf(s, rp_roleRightShoulder)));
	rpVec3 up = rpNormalize(spine);
	rpVec3 ahead = rpNormalize(rpCross(across, up));
	float scale = (rpLength(spine) + s->skeleton->legLength) / REFERENCE_SIZE;
	if (!(rpLength(ahead) > 0.5f) || !(rpLength(spine) > 0.1f * scale) || !isfinite(scale))
	{
		return false;
	}
	s->up = up;
	s->ahead = ahead;
	s->left = rpCross(up, ahead);
	s->scale = scale;
	return true;
}

static bool addHuman(Sculptor* s)
{
	static const rpEffector left[3] = {rp_leftHeel, rp_leftBall, rp_leftToe};
	static const rpEffector right[3] = {rp_rightHeel, rp_rightBall, rp_rightToe};
	return addTrunk(s) && addLimbs(s) && addHead(s) && addHand(s, rp_roleLeftElbow, rp_roleLeftWrist) &&
		   addHand(s, rp_roleRightElbow, rp_roleRightWrist) && addFoot(s, rp_roleLeftAnkle, rp_roleLeftBall, left) &&
		   addFoot(s, rp_roleRightAnkle, rp_roleRightBall, right);
}

bool rpMakeBodyMesh(const rpSkeleton* skeleton, const rpTransform* rest, rpBodyMesh* out, rpError* error)
{
	*out = (rpBodyMesh){0};
	Sculptor s = {.skeleton = skeleton, .rest = rest, .body = out, .error = error};
	if ((measure(&s) && !addHuman(&s)) || !addOtherBones(&s))
	{
		rpFreeBodyMesh(out);
		return false;
	}
	return true;
}

void rpFreeBodyMesh(rpBodyMesh* body)
{
	rpFree(body->vertices);
	rpFree(body->indices);
	*body = (rpBodyMesh){0};
}
