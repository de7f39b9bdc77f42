/// Leaning into turns. A body that goes along a curve of radius r with speed v is in balance if it leans by atan(v²/(r
/// g)) towards the centre: the acceleration of the root across its path shows it, once the sway of single steps is out
/// of it.
#include "reprise/play/body.h"
#include "timeline/layers.h"

// Velocities are smoothed over this time, seconds, that of a step, whose sway is no turn; and a lean follows within it,
// since it is steps that bring it about.
#define STEP_SECONDS 0.5f

typedef struct LeanState
{
	bool hasPlace, hasVelocity;
	rpVec3 place, velocity;

	/// Radians to the left, and per second.
	float lean, rate;
} LeanState;

rpLeanDef rpDefaultLeanDef(void)
{
	return (rpLeanDef){.gain = 0.5f, .maxLean = 0.25f};
}

static bool check(const void* bytes)
{
	const rpLeanDef* def = bytes;
	return def->gain >= 0.0f && def->gain <= RP_MAX_LEAN_GAIN && def->maxLean >= 0.0f && def->maxLean <= 1.0f;
}

// The acceleration over the floor, smoothed.
static rpVec3 getAcceleration(LeanState* state, rpVec3 place, float seconds)
{
	rpVec3 acceleration = rpVec3_zero;
	if (state->hasPlace && seconds > 0.0f)
	{
		rpVec3 velocity = rpScale(1.0f / seconds, rpSub(place, state->place)), before = state->velocity;
		float share = state->hasVelocity ? fminf(seconds / STEP_SECONDS, 1.0f) : 1.0f;
		state->velocity = rpLerp(before, velocity, share);
		acceleration = state->hasVelocity ? rpScale(1.0f / seconds, rpSub(state->velocity, before)) : acceleration;
		state->hasVelocity = true;
	}
	state->place = place;
	state->hasPlace = true;
	return acceleration;
}

// A spring without overshoot, so that neither the lean nor its rate jumps.
static void follow(LeanState* state, float goal, float seconds)
{
	float w = 4.0f / STEP_SECONDS, step = fminf(seconds, 0.25f / w);
	for (float left = seconds; left > 0.0f; left -= step)
	{
		float dt = fminf(step, left);
		state->rate += dt * w * (w * (goal - state->lean) - 2.0f * state->rate);
		state->lean += dt * state->rate;
	}
}

// The whole body is turned about the line on the floor that it goes along; feet settle afterwards.
static void lean(float angle, rpVec3 ahead, float floorHeight, rpPose* pose)
{
	rpQuat turn = rpAxisAngle(ahead, -angle);
	rpVec3 pivot = {pose->rootPosition.x, floorHeight, pose->rootPosition.z};
	pose->rootPosition = rpAdd(pivot, rpRotate(turn, rpSub(pose->rootPosition, pivot)));
	pose->rotations[0] = rpNormalizeQuat(rpMulQuat(turn, pose->rotations[0]));
}

static float getFloor(const rpLayerFrame* frame)
{
	float height = 0.0f;
	for (int i = 0; i <= rp_rightToe; ++i)
	{
		height = (frame->contacts >> i & 1) != 0 ? frame->supportHeights[i] : height;
	}
	return height;
}

static void apply(const void* bytes, void* memory, const rpLayerFrame* frame, rpPose* pose)
{
	const rpLeanDef* def = bytes;
	LeanState* state = memory;
	rpVec3 place = {pose->rootPosition.x, 0.0f, pose->rootPosition.z};
	rpVec3 acceleration = getAcceleration(state, place, frame->seconds);
	float speed = rpLength(state->velocity);
	rpVec3 ahead = speed > 0.0f ? rpScale(1.0f / speed, state->velocity) : (rpVec3){0.0f, 0.0f, 1.0f};
	// Left of (x, z) is (z, -x).
	float across = acceleration.x * ahead.z - acceleration.z * ahead.x;
	float wanted = def->gain * rpAtan2(across, (float)RP_GRAVITY);
	follow(state, fminf(fmaxf(wanted, -def->maxLean), def->maxLean), frame->seconds);
	lean(frame->weight * state->lean, ahead, getFloor(frame), pose);
}

const rpLayerKind rpLeanLayer = {
	.name = "lean",
	.defSize = sizeof(rpLeanDef),
	.stateSize = sizeof(LeanState),
	.check = check,
	.apply = apply,
};
