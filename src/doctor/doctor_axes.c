/// Which direction is up, and in which the body faces at rest.
///
/// Two turns are sought. One brings the world to Y-up: it comes from the motion, since people mostly stand on their
/// feet, and some exporters write a rest pose in other axes than the motion. The other brings the skeleton's own frames
/// to a rest pose that stands in Y and faces +Z: it leaves every joint of every frame where it is, and makes the root's
/// +Z the direction in which the body looks.
#include "base/findings.h"
#include "base/memory.h"
#include "doctor/patient.h"
#include "reprise/edit.h"

// Frames to look at; a long take gives no better answer.
#define SAMPLE_COUNT 400

// Mean share of the body's axis along an axis of the world before it may be called up.
#define CLEAR_UP 0.6f

// Where motion and rest pose disagree (a take spent lying down?), the rest pose's up is believed only if the body has a
// floor there, within this share of its size, and none where the motion would have it.
#define GOOD_FLOOR 0.15f
#define NO_FLOOR 0.3f

// A rest pose whose feet and head are nearer than this share of the bones between them is folded up: no standing body.
#define MIN_STRETCH 0.7f

// A direction within this cosine (30 degrees) of an axis is meant to be that axis.
#define NEAR_AXIS 0.866f

// Turns smaller than this, radians (half a degree), are none.
#define SMALL_TURN 0.0087f

#define HALF_ROOT 0.70710678f

typedef struct Body
{
	int low[2], lowCount; // ankles, or what is nearest to them
	int high;
	int left, right; // hips, or shoulders
	bool complete;
} Body;

static int findFirst(const rpSkeleton* skeleton, const rpRole* roles, int count)
{
	for (int i = 0; i < count; ++i)
	{
		if (skeleton->roles[roles[i]] >= 0)
		{
			return skeleton->roles[roles[i]];
		}
	}
	return -1;
}

static Body findBody(const rpSkeleton* skeleton)
{
	static const rpRole lefts[] = {rp_roleLeftAnkle, rp_roleLeftKnee};
	static const rpRole rights[] = {rp_roleRightAnkle, rp_roleRightKnee};
	static const rpRole highs[] = {rp_roleHead, rp_roleNeck, rp_roleChest};
	Body body = {.high = findFirst(skeleton, highs, 3)};
	int low[2] = {findFirst(skeleton, lefts, 2), findFirst(skeleton, rights, 2)};
	for (int i = 0; i < 2; ++i)
	{
		if (low[i] >= 0)
		{
			body.low[body.lowCount++] = low[i];
		}
	}
	bool hips = skeleton->roles[rp_roleLeftHip] >= 0 && skeleton->roles[rp_roleRightHip] >= 0;
	body.left = skeleton->roles[hips ? rp_roleLeftHip : rp_roleLeftShoulder];
	body.right = skeleton->roles[hips ? rp_roleRightHip : rp_roleRightShoulder];
	body.complete = body.high >= 0 && body.lowCount > 0;
	return body;
}

// From between the feet to the head.
static rpVec3 getAxis(const Body* body, const rpTransform* pose)
{
	rpVec3 low = rpVec3_zero;
	for (int i = 0; i < body->lowCount; ++i)
	{
		low = rpMulAdd(low, 1.0f / (float)body->lowCount, pose[body->low[i]].p);
	}
	return rpSub(pose[body->high].p, low);
}

// The signed axis nearest to a direction.
static rpVec3 snap(rpVec3 v)
{
	rpVec3 size = {fabsf(v.x), fabsf(v.y), fabsf(v.z)};
	if (size.y >= size.x && size.y >= size.z)
	{
		return (rpVec3){0.0f, v.y < 0.0f ? -1.0f : 1.0f, 0.0f};
	}
	return size.z >= size.x ? (rpVec3){0.0f, 0.0f, v.z < 0.0f ? -1.0f : 1.0f}
							: (rpVec3){v.x < 0.0f ? -1.0f : 1.0f, 0.0f, 0.0f};
}

// The usual turn that brings an axis to +Y: about x, or about z for ±X.
static rpQuat getStandingTurn(rpVec3 up)
{
	if (up.y != 0.0f)
	{
		return up.y > 0.0f ? rpQuat_identity : (rpQuat){0.0f, 1.0f, 0.0f, 0.0f};
	}
	return up.z != 0.0f ? (rpQuat){HALF_ROOT, up.z > 0.0f ? -HALF_ROOT : HALF_ROOT, 0.0f, 0.0f}
						: (rpQuat){HALF_ROOT, 0.0f, 0.0f, up.x > 0.0f ? HALF_ROOT : -HALF_ROOT};
}

static const char* nameAxis(rpVec3 axis)
{
	float sum = axis.x + axis.y + axis.z;
	return axis.x != 0.0f ? (sum > 0.0f ? "X" : "-X")
						  : (axis.y != 0.0f ? (sum > 0.0f ? "Y" : "-Y") : (sum > 0.0f ? "Z" : "-Z"));
}

// From the root down to a joint, along the bones.
static float getChain(const rpSkeleton* skeleton, int joint)
{
	float length = 0.0f;
	for (int i = joint; i > 0; i = skeleton->parents[i])
	{
		length += rpLength(skeleton->offsets[i]);
	}
	return length;
}

// ---- the motion's up ----

typedef struct Samples
{
	int first, stride, count;
} Samples;

static Samples chooseSamples(const rpPatient* patient)
{
	int rows = patient->last - patient->first + 1;
	int stride = 1 + (rows - 1) / SAMPLE_COUNT;
	return (Samples){patient->first, stride, 1 + (rows - 1) / stride};
}

static rpVec3 getMeanAxis(const rpPatient* patient, const Body* body, Samples samples)
{
	rpTransform pose[RP_MAX_JOINTS];
	rpVec3 sum = rpVec3_zero;
	for (int i = 0; i < samples.count; ++i)
	{
		rpMotion_Forward(patient->motion, samples.first + i * samples.stride, pose);
		sum = rpAdd(sum, rpNormalize(getAxis(body, pose)));
	}
	return rpScale(1.0f / (float)samples.count, sum);
}

// How badly the body's lowest points fit a floor at 0 across an axis: their median distance from it plus their mean
// distance from the median. In the file's units.
static bool judgeFloor(const rpPatient* patient, rpVec3 up, Samples samples, float* out)
{
	float* lows = rpAllocate((size_t)samples.count, sizeof(float), patient->error);
	if (lows == NULL)
	{
		return false;
	}
	rpTransform pose[RP_MAX_JOINTS];
	for (int i = 0; i < samples.count; ++i)
	{
		rpMotion_Forward(patient->motion, samples.first + i * samples.stride, pose);
		lows[i] = rpDot(up, pose[0].p);
		for (int j = 1; j < patient->motion->skeleton->jointCount; ++j)
		{
			lows[i] = fminf(lows[i], rpDot(up, pose[j].p));
		}
	}
	float median = rpTakeMedian(lows, samples.count), spread = 0.0f;
	for (int i = 0; i < samples.count; ++i)
	{
		spread += fabsf(lows[i] - median) / (float)samples.count;
	}
	*out = fabsf(median) + spread;
	rpFree(lows);
	return true;
}

// restUp is the rest pose's up if it stands in the world's axes, zero if nothing is known of it.
static bool findUp(const rpPatient* patient, const Body* body, rpVec3 restUp, rpVec3* up)
{
	*up = (rpVec3){0.0f, 1.0f, 0.0f};
	Samples samples = chooseSamples(patient);
	rpVec3 mean = getMeanAxis(patient, body, samples);
	rpVec3 motionUp = snap(mean);
	bool known = rpDot(restUp, restUp) > 0.0f;
	if (rpDot(mean, motionUp) < CLEAR_UP)
	{
		*up = known ? restUp : *up;
		return true;
	}
	*up = motionUp;
	if (!known || rpDot(motionUp, restUp) > 0.0f)
	{
		return true;
	}
	float motionFloor = 0.0f, restFloor = 0.0f;
	if (!judgeFloor(patient, motionUp, samples, &motionFloor) || !judgeFloor(patient, restUp, samples, &restFloor))
	{
		return false;
	}
	float size = getChain(patient->motion->skeleton, body->high) + getChain(patient->motion->skeleton, body->low[0]);
	*up = restFloor < GOOD_FLOOR * size && motionFloor > NO_FLOOR * size ? restUp : motionUp;
	return true;
}

// ---- the rest pose ----

// What the rest pose shows, in the root's own frame.
typedef struct Stance
{
	bool stands;
	rpVec3 up;   // nearest axis, or the direction itself where none is near
	bool faces;  // whether left is known
	rpVec3 left; // likewise, square to up
} Stance;

// The toes must not point backwards.
static bool toesAgree(const rpSkeleton* skeleton, const rpTransform* rest, rpVec3 forward)
{
	rpVec3 toes = rpVec3_zero;
	static const rpRole feet[2][2] = {{rp_roleLeftAnkle, rp_roleLeftBall}, {rp_roleRightAnkle, rp_roleRightBall}};
	for (int i = 0; i < 2; ++i)
	{
		int ankle = skeleton->roles[feet[i][0]], ball = skeleton->roles[feet[i][1]];
		toes = ankle >= 0 && ball >= 0 ? rpAdd(toes, rpSub(rest[ball].p, rest[ankle].p)) : toes;
	}
	return rpDot(toes, forward) >= -0.5f * rpLength(toes);
}

static rpVec3 snapIfNear(rpVec3 direction)
{
	rpVec3 axis = snap(direction);
	return rpDot(axis, direction) > NEAR_AXIS ? axis : direction;
}

static Stance getStance(const rpPatient* patient, const Body* body)
{
	const rpSkeleton* skeleton = patient->motion->skeleton;
	rpTransform rest[RP_MAX_JOINTS];
	rpPatient_GetRest(patient, rest);
	rpVec3 axis = getAxis(body, rest);
	float chain = getChain(skeleton, body->high) + getChain(skeleton, body->low[0]);
	Stance stance = {.stands = rpLength(axis) > MIN_STRETCH * chain && chain > 0.0f};
	stance.up = snapIfNear(rpNormalize(axis));
	if (stance.stands && body->left >= 0 && body->right >= 0)
	{
		rpVec3 across = rpSub(rest[body->left].p, rest[body->right].p);
		rpVec3 left = rpNormalize(rpMulAdd(across, -rpDot(across, stance.up), stance.up));
		stance.left = rpNormalize(snapIfNear(left));
		// Snapped or not, it must stay square to up.
		stance.left = rpNormalize(rpMulAdd(stance.left, -rpDot(stance.left, stance.up), stance.up));
		stance.faces = rpLength(stance.left) > 0.5f && toesAgree(skeleton, rest, rpCross(stance.left, stance.up));
	}
	return stance;
}

// ---- a rest pose that does not stand ----

// The row among the samples in which the body stands tallest, -1 if it never stands.
static int findTallest(const rpPatient* patient, const Body* body, float chain)
{
	Samples samples = chooseSamples(patient);
	rpTransform pose[RP_MAX_JOINTS];
	float max = MIN_STRETCH * chain;
	int tallest = -1;
	for (int i = 0; i < samples.count; ++i)
	{
		int row = samples.first + i * samples.stride;
		rpMotion_Forward(patient->motion, row, pose);
		float length = rpLength(getAxis(body, pose));
		if (length > max)
		{
			max = length;
			tallest = row;
		}
	}
	return tallest;
}

// Some files have bones that all point along one axis while nothing is turned. Such a rest pose shows nothing of the
// body; a row in which it stands does.
static bool unfold(rpPatient* patient, const Body* body, Stance* stance)
{
	const rpSkeleton* skeleton = patient->motion->skeleton;
	int row = findTallest(patient, body, getChain(skeleton, body->high) + getChain(skeleton, body->low[0]));
	rpFinding* finding = rpFindings_Add(patient->findings, "rest_pose", "the rest pose is folded up, no standing body");
	if (!patient->def->repair || row < 0)
	{
		rpFinding_SetAction(finding, false, "nothing; the body's height cannot be found from it");
		return true;
	}
	rpFinding_SetAction(finding, true, "the pose of row %d, where the body stands tallest, is taken instead", row);
	rpJoint* joints = rpPatient_CopyJoints(patient);
	if (joints == NULL)
	{
		return false;
	}
	for (int i = 1; i < skeleton->jointCount; ++i)
	{
		joints[i].rest = rpMotion_GetRotations(patient->motion, row)[i];
	}
	bool done = rpPatient_SetJoints(patient, joints, false);
	rpFree(joints);
	*stance = getStance(patient, body);
	return done;
}

// ---- turning ----

static bool isTurn(rpQuat q)
{
	return rpGetStepAngle(q, rpQuat_identity) > SMALL_TURN;
}

static void turnWorld(rpMotion* motion, rpQuat turn)
{
	for (int row = 0; row < motion->frameCount; ++row)
	{
		rpQuat* root = motion->rotations + (size_t)row * (size_t)motion->skeleton->jointCount;
		motion->rootPositions[row] = rpRotate(turn, motion->rootPositions[row]);
		*root = rpNormalizeQuat(rpMulQuat(turn, *root));
	}
}

// The rest pose as a whole stands upright in the root's own frame, so the root has no rotation in it. Roles are
// guessed better from a body that stands.
static bool clearRootRest(rpPatient* patient, bool turned)
{
	rpQuat rest = patient->motion->skeleton->joints[0].rest;
	if (!turned && rpGetStepAngle(rest, rpQuat_identity) == 0.0f)
	{
		return true;
	}
	rpJoint* joints = rpPatient_CopyJoints(patient);
	if (joints == NULL)
	{
		return false;
	}
	joints[0].rest = rpQuat_identity;
	bool done = rpPatient_SetJoints(patient, joints, turned);
	rpFree(joints);
	return done;
}

// Turn the world by one rotation and the skeleton's own frames by another.
static bool turn(rpPatient* patient, rpQuat world, rpQuat own)
{
	if (isTurn(own) && !rpPatient_Replace(patient, rpChangeAxes(patient->motion, own, patient->error)))
	{
		return false;
	}
	rpQuat rest = isTurn(own) ? rpMulQuat(world, rpConjugate(own)) : world;
	if (isTurn(rest))
	{
		turnWorld(patient->motion, rest);
		patient->touched = true;
	}
	return true;
}

static rpVec3 getGivenUp(rpUpAxis up)
{
	return up == rp_upZ ? (rpVec3){0.0f, 0.0f, 1.0f}
						: (up == rp_upX ? (rpVec3){1.0f, 0.0f, 0.0f} : (rpVec3){0.0f, 1.0f, 0.0f});
}

static void reportUp(rpPatient* patient, rpVec3 up, bool restDiffers)
{
	if (patient->def->up != rp_upAuto)
	{
		return;
	}
	if (up.y <= 0.0f)
	{
		rpFinding* finding =
			rpFindings_Add(patient->findings, "up_axis", "%s is up, as the body stands in its frames", nameAxis(up));
		rpFinding_SetAction(finding, true, "turned by %s so that Y is up; --up y leaves it",
							up.y < 0.0f ? "180 degrees" : "90 degrees");
	}
	if (restDiffers)
	{
		rpFinding* finding =
			rpFindings_Add(patient->findings, "up_axis", "the rest pose does not stand as the motion does");
		rpFinding_SetAction(finding, true, "stood up; no frame changes by it");
	}
}

static void reportFacing(rpPatient* patient, rpQuat yaw)
{
	rpVec3 forward = rpRotate(rpConjugate(yaw), (rpVec3){0.0f, 0.0f, 1.0f});
	double degrees = (double)atan2f(forward.x, forward.z) / RP_DEGREE;
	rpFinding* finding = rpFindings_Add(patient->findings, "facing", "the rest pose faces %.0f degrees %s of +Z",
										fabs(degrees), degrees > 0.0 ? "left" : "right");
	if (patient->def->repair)
	{
		rpFinding_SetAction(finding, true, "turned to face +Z; no frame changes by it");
	}
	else
	{
		rpFinding_SetAction(finding, false, "nothing; headings are off by that angle");
	}
}

// The turn about Y that is left to face +Z once the rest pose was stood up.
static rpQuat getYaw(const Stance* stance, rpQuat standing)
{
	if (!stance->faces)
	{
		return rpQuat_identity;
	}
	rpVec3 forward = rpRotate(standing, rpCross(stance->left, stance->up));
	return rpYaw(-atan2f(forward.x, forward.z));
}

bool rpExamineAxes(rpPatient* patient)
{
	Body body = findBody(patient->motion->skeleton);
	Stance stance = {0};
	rpVec3 up = getGivenUp(patient->def->up);
	if (body.complete)
	{
		stance = getStance(patient, &body);
		// Only a rest pose that stands by itself has a say in what is up.
		bool inAxes = stance.stands && rpDot(stance.up, snap(stance.up)) > 0.999f;
		rpVec3 restUp = inAxes ? snap(stance.up) : rpVec3_zero;
		if ((!stance.stands && !unfold(patient, &body, &stance)) ||
			(patient->def->up == rp_upAuto && !findUp(patient, &body, restUp, &up)))
		{
			return false;
		}
	}
	rpQuat world = getStandingTurn(up), own = world;
	patient->stands = stance.stands;
	if (!stance.stands)
	{
		reportUp(patient, up, false);
		return turn(patient, world, own);
	}
	bool restDiffers = rpDot(stance.up, up) < NEAR_AXIS;
	if (restDiffers)
	{
		own = rpRotationBetween(stance.up, (rpVec3){0.0f, 1.0f, 0.0f});
		own = rpDot(stance.up, snap(stance.up)) > 0.999f ? getStandingTurn(snap(stance.up)) : own;
	}
	reportUp(patient, up, restDiffers && isTurn(own));
	rpQuat yaw = getYaw(&stance, own);
	if (isTurn(yaw))
	{
		reportFacing(patient, yaw);
		own = patient->def->repair ? rpMulQuat(yaw, own) : own;
	}
	return turn(patient, world, own) && clearRootRest(patient, isTurn(own));
}
