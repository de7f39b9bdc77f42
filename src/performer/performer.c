/// The embedded performer: plans of the body by formula, one per act, turned into a motion with its ground truth.
#include "reprise/performer.h"

#include "base/error.h"
#include "performer/gait.h"

#include <string.h>

#define GRAVITY 9.81f
#define STAND_HEIGHT (PELVIS_HEIGHT - 0.006f)

// Times of a jump from its start, seconds, and the velocity at take-off, m/s.
#define CROUCH_START 0.3
#define CROUCH_END 0.78
#define HEEL_LIFT 0.92
#define TAKE_OFF 1.05
#define TAKE_OFF_SPEED 2.4f
#define FLIGHT (2.0 * TAKE_OFF_SPEED / GRAVITY)
#define TOUCH_DOWN (TAKE_OFF + FLIGHT)
#define HEEL_DOWN (TOUCH_DOWN + 0.12)
#define ABSORBED (TOUCH_DOWN + 0.28)
#define UPRIGHT (ABSORBED + 0.6)
#define JUMP_PERIOD 2.7
#define TAKE_OFF_HEIGHT 1.01f
#define TAKE_OFF_PITCH 0.95f
#define TOUCH_DOWN_PITCH 0.8f

static const char* const s_names[rp_actCount] = {"stand", "walk", "run", "jump", "wave"};

const char* rpAct_GetName(rpAct act)
{
	return (unsigned)act < rp_actCount ? s_names[act] : "none";
}

rpAct rpAct_Find(const char* name)
{
	int act = 0;
	while (act < rp_actCount && strcmp(name, s_names[act]) != 0)
	{
		++act;
	}
	return (rpAct)act;
}

rpPerformDef rpDefaultPerformDef(rpAct act)
{
	rpPerformDef def = {.act = act, .fps = 60.0, .seconds = 4.0};
	def.speed = act == rp_actWalk ? 1.35f : act == rp_actRun ? 3.2f : 0.0f;
	def.seconds = act == rp_actJump ? JUMP_PERIOD : def.seconds;
	return def;
}

// 0 before a, 1 after b, smooth between.
static float ease(double a, double b, double t)
{
	float s = fminf(fmaxf((float)((t - a) / (b - a)), 0.0f), 1.0f);
	return s * s * (3.0f - 2.0f * s);
}

// A cubic from height a with speed va at time ta to b with vb at tb.
static float moveHeight(double ta, float a, float va, double tb, float b, float vb, double t)
{
	float length = (float)(tb - ta), s = (float)(t - ta) / length, r = 1.0f - s;
	return r * r * (1.0f + 2.0f * s) * a + s * s * (3.0f - 2.0f * s) * b + s * r * length * (r * va - s * vb);
}

// Standing at ease: breath and a slow shift of weight.
static void planStand(double t, rpBodyPlan* plan)
{
	float breath = sinf((float)(2.0 * RP_PI * fmod(t / 4.0, 1.0)));
	float sway = sinf((float)(2.0 * RP_PI * fmod(t / 5.3, 1.0)));
	*plan = (rpBodyPlan){.pelvis = {0.008f * sway, STAND_HEIGHT, 0.004f * breath}};
	plan->pelvisRoll = 0.012f * sway;
	plan->trunkBend = -0.012f * breath;
	plan->headTurn = 0.06f * sinf((float)(2.0 * RP_PI * fmod(t / 7.1, 1.0)));
	for (int side = 0; side < 2; ++side)
	{
		plan->arms[side] = (rpArmPlan){0.05f + 0.01f * breath, 0.13f + 0.012f * breath, -0.1f, 0.25f};
		plan->feet[side] =
			(rpFootPlan){.ankle = {SIDE(side) * 0.1f, ANKLE_HEIGHT, 0.0f}, .heading = SIDE(side) * 0.13f};
	}
}

static void planWave(double t, double seconds, rpBodyPlan* plan)
{
	planStand(t, plan);
	float raised = ease(0.3, 1.1, t) * (1.0f - ease(seconds - 1.0, seconds - 0.2, t));
	float waving = raised * sinf((float)(2.0 * RP_PI * fmod(1.7 * (t - 0.7), 1.0)));
	rpArmPlan* arm = plan->arms + 1;
	arm->swing *= 1.0f - raised;
	arm->spread += raised * 1.55f;
	arm->twist -= raised * 1.35f;
	arm->elbow += raised * 1.0f + 0.42f * waving;
	plan->trunkTurn = 0.05f * waving * raised;
	plan->headNod = -0.06f * raised;
}

static float getJumpHeight(double t)
{
	float low = STAND_HEIGHT - 0.3f, soft = STAND_HEIGHT - 0.22f;
	if (t < CROUCH_END)
	{
		return STAND_HEIGHT - 0.3f * ease(CROUCH_START, CROUCH_END, t);
	}
	if (t < TAKE_OFF)
	{
		return moveHeight(CROUCH_END, low, 0.0f, TAKE_OFF, TAKE_OFF_HEIGHT, TAKE_OFF_SPEED, t);
	}
	if (t < TOUCH_DOWN)
	{
		float tau = (float)(t - TAKE_OFF);
		return TAKE_OFF_HEIGHT + tau * (TAKE_OFF_SPEED - 0.5f * GRAVITY * tau);
	}
	if (t < ABSORBED)
	{
		return moveHeight(TOUCH_DOWN, TAKE_OFF_HEIGHT, -TAKE_OFF_SPEED, ABSORBED, soft, 0.0f, t);
	}
	return soft + 0.22f * ease(ABSORBED, UPRIGHT, t);
}

// On the ground the foot stands on its ball; in flight it hangs from the pelvis, drawn up a little.
static void planJumpFoot(double t, const rpBodyPlan* plan, rpFootPlan* foot)
{
	rpVec3 ball = {foot->ankle.x, BALL_HEIGHT, 0.0f};
	ball = rpAdd(ball, rpRotate(rpYaw(foot->heading), (rpVec3){0.0f, 0.0f, BALL_OFFSET.z}));
	float lift = fmaxf((float)((t - HEEL_LIFT) / (TAKE_OFF - HEEL_LIFT)), 0.0f);
	float left = fmaxf((float)((HEEL_DOWN - t) / (HEEL_DOWN - TOUCH_DOWN)), 0.0f);
	float flight = (float)((t - TAKE_OFF) / FLIGHT);
	bool flying = flight > 0.0f && flight < 1.0f;
	foot->pitch = flight <= 0.0f ? TAKE_OFF_PITCH * lift * lift : TOUCH_DOWN_PITCH * left * left;
	if (flying)
	{
		foot->pitch = TAKE_OFF_PITCH + (TOUCH_DOWN_PITCH - TAKE_OFF_PITCH) * ease(TAKE_OFF, TOUCH_DOWN, t);
	}
	foot->ankle = rpPlaceAnkle(ball, BALL_OFFSET, foot->heading, foot->pitch);
	foot->toe = foot->pitch;
	if (flying)
	{
		float bump = 4.0f * flight * (1.0f - flight);
		foot->ankle.y += plan->pelvis.y - TAKE_OFF_HEIGHT + 0.05f * bump * bump;
		foot->ankle.z -= 0.06f * bump * bump;
		foot->toe *= (1.0f - bump) * (1.0f - bump);
	}
}

static void planJump(double seconds, rpBodyPlan* plan)
{
	double t = fmod(seconds, JUMP_PERIOD);
	planStand(0.0, plan);
	plan->pelvis.y = getJumpHeight(t);
	float crouch = ease(CROUCH_START, CROUCH_END, t) * (1.0f - ease(CROUCH_END, TAKE_OFF - 0.03, t));
	float landing = ease(TOUCH_DOWN, ABSORBED, t) * (1.0f - ease(ABSORBED, UPRIGHT, t));
	float aloft = ease(CROUCH_END + 0.03, TAKE_OFF + 0.06, t) * (1.0f - ease(TAKE_OFF + 0.15, ABSORBED + 0.3, t));
	plan->lean = 0.45f * crouch + 0.25f * landing;
	plan->trunkBend = 0.45f * crouch + 0.3f * landing - 0.1f * aloft;
	plan->headNod = -0.5f * crouch - 0.3f * landing - 0.1f * aloft;
	plan->pelvis.z =
		0.05f * (ease(HEEL_LIFT, TAKE_OFF, t) - ease(TOUCH_DOWN, HEEL_DOWN, t)) - 0.1f * crouch - 0.07f * landing;
	for (int side = 0; side < 2; ++side)
	{
		rpArmPlan* arm = plan->arms + side;
		arm->swing += -1.0f * crouch + 2.5f * aloft + 0.3f * landing;
		arm->spread += 0.15f * aloft + 0.15f * landing;
		arm->elbow += 0.3f * crouch + 0.3f * aloft;
		planJumpFoot(t, plan, plan->feet + side);
	}
}

// A stretch of a track, cut to the motion; one that lies outside is none.
static bool addInterval(rpMotion* motion, rpInterval interval, rpError* error)
{
	interval.start = fmax(interval.start, 0.0);
	interval.end = fmin(interval.end, rpMotion_GetDuration(motion));
	return interval.end <= interval.start || rpAnnotations_AddInterval(&motion->annotations, &interval, error);
}

static bool addPhase(rpMotion* motion, const char* name, double start, double end, rpError* error)
{
	return addInterval(motion, (rpInterval){.track = rp_trackPhase, .start = start, .end = end, .name = name}, error);
}

static bool addContact(rpMotion* motion, int side, bool heel, double start, double end, rpError* error)
{
	rpEffector effector = side == 0 ? (heel ? rp_leftHeel : rp_leftBall) : (heel ? rp_rightHeel : rp_rightBall);
	rpInterval contact = {.track = rp_trackContact, .start = start, .end = end, .effector = effector};
	return addInterval(motion, contact, error);
}

static bool addGaitTruth(rpMotion* motion, const rpGait* gait, rpError* error)
{
	static const char* const sides[] = {"L", "R"};
	double duration = rpMotion_GetDuration(motion), half = 0.5 * gait->stride;
	bool ok = true;
	for (int step = -4; ok && rpGait_GetStrike(gait, 0, 0) + step * half < duration; ++step)
	{
		int side = step & 1;
		double strike = rpGait_GetStrike(gait, side, (step - side) / 2);
		double flat = strike + gait->flatAt * gait->stance, lift = strike + gait->liftAt * gait->stance;
		double off = strike + gait->stance, next = strike + half;
		ok = addContact(motion, side, true, strike, lift, error) && addContact(motion, side, false, flat, off, error);
		ok = ok && (gait->running
						? addPhase(motion, sides[side], strike, off, error) && addPhase(motion, "F", off, next, error)
						: addPhase(motion, "D", strike, off - half, error) &&
							  addPhase(motion, sides[side], off - half, next, error));
	}
	return ok;
}

static bool addJumpTruth(rpMotion* motion, rpError* error)
{
	bool ok = true;
	double landed = 0.0, heelDown = 0.0;
	for (double start = 0.0; ok && landed < rpMotion_GetDuration(motion); start += JUMP_PERIOD)
	{
		for (int side = 0; ok && side < 2; ++side)
		{
			ok = addContact(motion, side, true, heelDown, start + HEEL_LIFT, error) &&
				 addContact(motion, side, false, landed, start + TAKE_OFF, error);
		}
		ok = ok && addPhase(motion, "S", landed, start + TAKE_OFF, error) &&
			 addPhase(motion, "F", start + TAKE_OFF, start + TOUCH_DOWN, error);
		landed = start + TOUCH_DOWN;
		heelDown = start + HEEL_DOWN;
	}
	return ok;
}

static bool addStandTruth(rpMotion* motion, rpError* error)
{
	bool ok = addPhase(motion, "S", 0.0, INFINITY, error);
	for (int side = 0; ok && side < 2; ++side)
	{
		ok = addContact(motion, side, true, 0.0, INFINITY, error) &&
			 addContact(motion, side, false, 0.0, INFINITY, error);
	}
	return ok;
}

static bool addTruth(rpMotion* motion, const rpPerformDef* def, const rpGait* gait, rpError* error)
{
	rpInterval label = {.track = rp_trackLabel, .start = 0.0, .end = INFINITY, .name = rpAct_GetName(def->act)};
	if (!addInterval(motion, label, error))
	{
		return false;
	}
	bool moves = def->act == rp_actWalk || def->act == rp_actRun;
	return moves                    ? addGaitTruth(motion, gait, error)
		   : def->act == rp_actJump ? addJumpTruth(motion, error)
									: addStandTruth(motion, error);
}

static bool checkDef(const rpPerformDef* def, rpError* error)
{
	if ((unsigned)def->act >= rp_actCount)
	{
		return rpFail(error, rp_errorArgument, "the performer knows no act %d", (int)def->act);
	}
	if (!(def->fps > 0.0) || !(def->fps <= 1000.0) || !(def->seconds >= 0.0) || !(def->seconds <= 36000.0))
	{
		return rpFail(error, rp_errorArgument, "%g seconds at %g frames per second; up to 36000 and 1000 are possible",
					  def->seconds, def->fps);
	}
	float slowest = def->act == rp_actWalk ? 0.2f : 1.5f, fastest = def->act == rp_actWalk ? 2.2f : 8.0f;
	bool moves = def->act == rp_actWalk || def->act == rp_actRun;
	if (moves && !(def->speed >= slowest && def->speed <= fastest))
	{
		return rpFail(error, rp_errorArgument, "to %s at %g m/s; %g to %g m/s are possible", rpAct_GetName(def->act),
					  (double)def->speed, (double)slowest, (double)fastest);
	}
	if (moves && !(fabsf(def->turn) <= 1.5f))
	{
		return rpFail(error, rp_errorArgument, "a turn of %g rad/s; at most 1.5 is possible", (double)def->turn);
	}
	return true;
}

static void planAct(const rpPerformDef* def, const rpGait* gait, double seconds, rpBodyPlan* plan)
{
	switch (def->act)
	{
	case rp_actWalk:
	case rp_actRun:
		rpGait_Plan(gait, seconds, plan);
		break;
	case rp_actJump:
		planJump(seconds, plan);
		break;
	case rp_actWave:
		planWave(seconds, def->seconds, plan);
		break;
	default:
		planStand(seconds, plan);
		break;
	}
}

rpMotion* rpPerform(const rpPerformDef* def, rpError* error)
{
	if (!checkDef(def, error))
	{
		return NULL;
	}
	rpSkeleton* skeleton = rpCreatePerformerSkeleton(error);
	if (skeleton == NULL)
	{
		return NULL;
	}
	int frameCount = 1 + (int)floor(def->seconds * def->fps + 1e-6);
	rpMotion* motion = rpCreateMotion(skeleton, rpAct_GetName(def->act), def->fps, frameCount, error);
	bool moves = def->act == rp_actWalk || def->act == rp_actRun;
	rpGait gait = moves ? rpMakeGait(def->act == rp_actRun, def->speed, def->turn) : (rpGait){0};
	for (int frame = 0; motion != NULL && frame < frameCount; ++frame)
	{
		rpBodyPlan plan;
		planAct(def, &gait, frame / def->fps, &plan);
		motion->rootPositions[frame] = plan.pelvis;
		rpBodyPlan_Pose(&plan, skeleton, motion->rotations + (size_t)frame * (size_t)skeleton->jointCount);
	}
	rpReleaseSkeleton(skeleton);
	if (motion != NULL && !addTruth(motion, def, &gait, error))
	{
		rpDestroyMotion(motion);
		return NULL;
	}
	if (motion != NULL)
	{
		rpMotion_FixHemispheres(motion);
	}
	return motion;
}
