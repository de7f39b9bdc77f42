/// Where a body touches the world: heels, balls, toes, hands and seat, in the rest pose. Points that no joint or end
/// site marks are placed by the proportions of D. A. Winter, Biomechanics and Motor Control of Human Movement. The
/// body's own up and forward are used, so that a skeleton need not stand upright along y.
#include "motion/role_names.h"
#include "motion/roles.h"

// Parts of the height of a body (Winter).
#define ANKLE_HEIGHT 0.039f
#define FOOT_LENGTH 0.152f
#define HAND_LENGTH 0.108f
#define SEAT_DEPTH 0.05f

// Parts of the foot: the ball between ankle and toe, the heel behind the ankle and the toe before the ball in lengths
// from ankle to ball, all along the floor.
#define BALL_PLACE 0.7f
#define HEEL_PLACE 0.3f
#define TOE_PLACE 0.5f

// An end site nearer to the ankle than this part of the height says nothing about the foot.
#define USABLE_FOOT 0.02f

// A foot whose length along the floor is less than this part of itself is stretched downwards.
#define POINTED_FOOT 0.35f

// Directions nearer to an axis than this (cosine of 25 degrees) are meant to be along it.
#define NEAR_AXIS 0.906f

/// The body's own directions, and its height along them.
typedef struct Stance
{
	rpVec3 up;
	rpVec3 forward;
	float height;
} Stance;

static rpVec3 getMiddle(const rpSkeleton* body, const rpTransform* rest, rpRole left, bool* found)
{
	int a = body->roles[left], b = body->roles[rpRole_Mirror(left)];
	*found = a >= 0 && b >= 0;
	return *found ? rpLerp(rest[a].p, rest[b].p, 0.5f) : rpVec3_zero;
}

static rpVec3 snapToAxis(rpVec3 v)
{
	v = rpNormalize(v);
	rpVec3 axis = {roundf(v.x), roundf(v.y), roundf(v.z)};
	return rpDot(axis, axis) == 1.0f && rpDot(axis, v) > NEAR_AXIS ? axis : v;
}

// From the lowest to the highest known part of the body; +Y where less than two are known.
static rpVec3 findUp(const rpSkeleton* body, const rpTransform* rest)
{
	static const rpRole lows[] = {rp_roleLeftAnkle, rp_roleLeftKnee, rp_roleLeftHip};
	static const rpRole highs[] = {rp_roleHead, rp_roleNeck, rp_roleChest, rp_roleSpine, rp_rolePelvis};
	bool found = false;
	rpVec3 low = rpVec3_zero;
	for (int i = 0; i < 3 && !found; ++i)
	{
		low = getMiddle(body, rest, lows[i], &found);
	}
	if (!found && body->roles[rp_rolePelvis] >= 0)
	{
		low = rest[body->roles[rp_rolePelvis]].p;
	}
	for (int i = 0; i < 5; ++i)
	{
		int joint = body->roles[highs[i]];
		if (joint >= 0 && rpDistance(rest[joint].p, low) > 0.0f)
		{
			return snapToAxis(rpSub(rest[joint].p, low));
		}
	}
	return (rpVec3){0.0f, 1.0f, 0.0f};
}

static float measureAlong(const rpSkeleton* body, const rpTransform* rest, rpVec3 up)
{
	float low = INFINITY, high = -INFINITY;
	for (int i = 0; i < body->jointCount + body->endCount; ++i)
	{
		const rpEndSite* end = i < body->jointCount ? NULL : body->ends + i - body->jointCount;
		rpVec3 p = end == NULL ? rest[i].p : rpTransformPoint(rest[end->joint], end->offset);
		low = fminf(low, rpDot(p, up));
		high = fmaxf(high, rpDot(p, up));
	}
	return high - low;
}

static rpVec3 flatten(rpVec3 v, rpVec3 up)
{
	return rpMulAdd(v, -rpDot(v, up), up);
}

// The farthest end site or child of a joint along the floor, as a place in the world. False if there is none to go by.
static bool findEnd(const rpSkeleton* body, const rpTransform* rest, const Stance* stance, int joint, rpVec3* out)
{
	float farthest = USABLE_FOOT * stance->height;
	bool found = false;
	for (int i = joint + 1; i < body->jointCount + body->endCount; ++i)
	{
		const rpEndSite* end = i < body->jointCount ? NULL : body->ends + i - body->jointCount;
		if ((end == NULL ? body->parents[i] : end->joint) != joint)
		{
			continue;
		}
		rpVec3 p = end == NULL ? rest[i].p : rpTransformPoint(rest[joint], end->offset);
		float distance = rpLength(flatten(rpSub(p, rest[joint].p), stance->up));
		// A heel is behind the ankle, and no toe.
		if (distance > farthest && rpDot(rpSub(p, rest[joint].p), stance->forward) >= 0.0f)
		{
			farthest = distance;
			*out = p;
			found = true;
		}
	}
	return found;
}

// Across the body from its right to its left.
static rpVec3 findLeft(const rpSkeleton* body, const rpTransform* rest)
{
	static const rpRole pairs[] = {rp_roleLeftHip, rp_roleLeftShoulder, rp_roleLeftKnee, rp_roleLeftAnkle};
	for (int i = 0; i < 4; ++i)
	{
		int a = body->roles[pairs[i]], b = body->roles[rpRole_Mirror(pairs[i])];
		if (a >= 0 && b >= 0 && rpDistance(rest[a].p, rest[b].p) > 0.0f)
		{
			return rpSub(rest[a].p, rest[b].p);
		}
	}
	return rpVec3_zero;
}

// Where the feet point; where they do not, a quarter turn from the left.
static rpVec3 findForward(const rpSkeleton* body, const rpTransform* rest, const Stance* stance)
{
	rpVec3 sum = rpVec3_zero;
	for (int side = 0; side < 2; ++side)
	{
		int ankle = body->roles[side == 0 ? rp_roleLeftAnkle : rp_roleRightAnkle];
		int ball = body->roles[side == 0 ? rp_roleLeftBall : rp_roleRightBall];
		rpVec3 toe = ball >= 0 ? rest[ball].p : rpVec3_zero;
		if (ankle >= 0 && (ball >= 0 || findEnd(body, rest, stance, ankle, &toe)))
		{
			sum = rpAdd(sum, flatten(rpSub(toe, rest[ankle].p), stance->up));
		}
	}
	if (rpLength(sum) > USABLE_FOOT * stance->height)
	{
		return snapToAxis(sum);
	}
	rpVec3 forward = rpCross(findLeft(body, rest), stance->up);
	return rpLength(forward) > 0.0f ? snapToAxis(forward)
									: rpNormalize(rpCross((rpVec3){1.0f, 0.01f, 0.0f}, stance->up));
}

static rpAttachment attach(const rpTransform* rest, int joint, rpVec3 place)
{
	return (rpAttachment){joint, rpRotate(rpConjugate(rest[joint].q), rpSub(place, rest[joint].p))};
}

/// One foot in the rest pose: places in the world.
typedef struct Foot
{
	rpVec3 heel, ball, toe;
} Foot;

// A foot stretched downwards: its length is along the bone, its sole faces backwards.
static Foot layPointedFoot(const Stance* stance, rpVec3 ankle, rpVec3 ball)
{
	rpVec3 along = rpSub(ball, ankle);
	rpVec3 heel = rpMulAdd(ankle, -HEEL_PLACE, along);
	return (Foot){
		.heel = rpMulAdd(heel, -ANKLE_HEIGHT * stance->height, stance->forward),
		.ball = ball,
		.toe = rpMulAdd(ball, TOE_PLACE, along),
	};
}

// A foot whose ball is known: heel and toe along the floor, at the ball's height.
static Foot layFoot(const Stance* stance, rpVec3 ankle, rpVec3 ball)
{
	rpVec3 bone = rpSub(ball, ankle), along = flatten(bone, stance->up);
	if (rpLength(along) < POINTED_FOOT * rpLength(bone))
	{
		return layPointedFoot(stance, ankle, ball);
	}
	rpVec3 below = rpAdd(ankle, rpSub(bone, along));
	return (Foot){rpMulAdd(below, -HEEL_PLACE, along), ball, rpMulAdd(ball, TOE_PLACE, along)};
}

static Foot measureFoot(const rpSkeleton* body, const rpTransform* rest, const Stance* stance, int ankle, int ball)
{
	rpVec3 from = rest[ankle].p, toe;
	if (ball >= 0)
	{
		Foot foot = layFoot(stance, from, rest[ball].p);
		foot.toe = findEnd(body, rest, stance, ball, &toe) ? toe : foot.toe;
		return foot;
	}
	if (!findEnd(body, rest, stance, ankle, &toe))
	{
		// From heel to toe along the floor: HEEL_PLACE behind the ankle and 1 / BALL_PLACE before it, in lengths to
		// the ball.
		float length = FOOT_LENGTH / (HEEL_PLACE + 1.0f / BALL_PLACE) / BALL_PLACE;
		toe = rpMulAdd(from, -ANKLE_HEIGHT * stance->height, stance->up);
		toe = rpMulAdd(toe, length * stance->height, stance->forward);
	}
	rpVec3 along = flatten(rpSub(toe, from), stance->up);
	Foot foot = layFoot(stance, from, rpMulAdd(toe, BALL_PLACE - 1.0f, along));
	foot.toe = toe;
	return foot;
}

static void placeFoot(rpSkeleton* body, const rpTransform* rest, const Stance* stance, rpRole ankleRole,
					  rpRole ballRole, rpEffector heel)
{
	int ankle = body->roles[ankleRole], ball = body->roles[ballRole];
	if (ankle < 0)
	{
		return;
	}
	Foot foot = measureFoot(body, rest, stance, ankle, ball);
	int front = ball >= 0 ? ball : ankle;
	body->effectors[heel] = attach(rest, ankle, foot.heel);
	body->effectors[heel + 1] = attach(rest, front, foot.ball);
	body->effectors[heel + 2] = attach(rest, front, foot.toe);
}

// A joint's children stand for fingers; dummies on its place are passed.
static int findFinger(const rpSkeleton* body, const rpTransform* rest, int joint, float dummy, rpVec3* sum, int* count)
{
	int middle = -1;
	for (int i = joint + 1; i < body->jointCount; ++i)
	{
		rpNameReading name;
		if (body->parents[i] != joint || (name = rpReadJointName(body->joints[i].name)).thumb || name.helper)
		{
			continue;
		}
		if (rpDistance(rest[i].p, rest[joint].p) <= dummy)
		{
			int below = findFinger(body, rest, i, dummy, sum, count);
			middle = middle < 0 ? below : middle;
			continue;
		}
		*sum = rpAdd(*sum, rest[i].p);
		++*count;
		middle = name.middle && middle < 0 ? i : middle;
	}
	return middle;
}

static const rpEndSite* findEndSite(const rpSkeleton* body, int joint, float dummy)
{
	for (int i = 0; i < body->endCount; ++i)
	{
		if (body->ends[i].joint == joint && rpLength(body->ends[i].offset) > dummy)
		{
			return body->ends + i;
		}
	}
	return NULL;
}

// The base of the middle finger, or the middle of the fingers' bases; else the end site; else by proportion.
static void placeHand(rpSkeleton* body, const rpTransform* rest, const Stance* stance, rpRole wristRole,
					  rpRole elbowRole, rpEffector hand)
{
	int wrist = body->roles[wristRole], elbow = body->roles[elbowRole];
	if (wrist < 0)
	{
		return;
	}
	float dummy = 0.005f * stance->height;
	rpVec3 sum = rpVec3_zero;
	int count = 0;
	int middle = findFinger(body, rest, wrist, dummy, &sum, &count);
	const rpEndSite* end = findEndSite(body, wrist, dummy);
	rpVec3 place = rest[wrist].p;
	if (middle >= 0 || count > 0)
	{
		place = middle >= 0 ? rest[middle].p : rpScale(1.0f / (float)count, sum);
	}
	else if (end != NULL)
	{
		place = rpTransformPoint(rest[wrist], end->offset);
	}
	else if (elbow >= 0)
	{
		rpVec3 along = rpNormalize(rpSub(rest[wrist].p, rest[elbow].p));
		place = rpMulAdd(place, HAND_LENGTH * stance->height, along);
	}
	body->effectors[hand] = attach(rest, wrist, place);
}

static void placeSeat(rpSkeleton* body, const rpTransform* rest, const Stance* stance)
{
	int pelvis = body->roles[rp_rolePelvis];
	if (pelvis < 0)
	{
		return;
	}
	bool found;
	rpVec3 hips = getMiddle(body, rest, rp_roleLeftHip, &found);
	rpVec3 place = rpMulAdd(found ? hips : rest[pelvis].p, -SEAT_DEPTH * stance->height, stance->up);
	body->effectors[rp_seat] = attach(rest, pelvis, place);
}

// The thickest sole, as a part of the height: a toe that hangs lower in the rest pose is stretched downwards.
#define THICKEST_SOLE 0.03f

// Toes whose end is not even this much lower than the ball, as a part of the height, are marked inside the foot and say
// nothing. Then heel and ball are as far above the ground as those of captured people: 2.3 to 4.7 cm for 17 of 19,
// 0.023 of the height in the middle.
#define MIN_TOE_HEIGHT 0.005f
#define USUAL_SOLE 0.023f

// The toes' end is on the ground where heel and ball are marked at their joints, above it.
static float measureSole(const rpSkeleton* body, const rpTransform* rest, const Stance* stance)
{
	float sole = 0.0f;
	for (int side = 0; side < 2; ++side)
	{
		rpAttachment ball = body->effectors[side == 0 ? rp_leftBall : rp_rightBall];
		rpAttachment toe = body->effectors[side == 0 ? rp_leftToe : rp_rightToe];
		if (ball.joint >= 0 && toe.joint >= 0)
		{
			rpVec3 down =
				rpSub(rpTransformPoint(rest[ball.joint], ball.offset), rpTransformPoint(rest[toe.joint], toe.offset));
			sole += 0.5f * fminf(fmaxf(rpDot(down, stance->up), 0.0f), THICKEST_SOLE * stance->height);
		}
	}
	return sole > MIN_TOE_HEIGHT * stance->height ? sole : USUAL_SOLE * stance->height;
}

void rpPlaceEffectors(rpSkeleton* skeleton, const rpTransform* rest)
{
	for (int i = 0; i < rp_effectorCount; ++i)
	{
		skeleton->effectors[i] = (rpAttachment){.joint = -1};
	}
	Stance stance = {.up = findUp(skeleton, rest)};
	stance.height = measureAlong(skeleton, rest, stance.up);
	stance.forward = findForward(skeleton, rest, &stance);
	placeFoot(skeleton, rest, &stance, rp_roleLeftAnkle, rp_roleLeftBall, rp_leftHeel);
	placeFoot(skeleton, rest, &stance, rp_roleRightAnkle, rp_roleRightBall, rp_rightHeel);
	placeHand(skeleton, rest, &stance, rp_roleLeftWrist, rp_roleLeftElbow, rp_leftHand);
	placeHand(skeleton, rest, &stance, rp_roleRightWrist, rp_roleRightElbow, rp_rightHand);
	placeSeat(skeleton, rest, &stance);
	skeleton->soleHeight = measureSole(skeleton, rest, &stance);
}
