/// The guard: where feet and fists are.
#include "performer/guard.h"

// Where the ankles are from under the centre of mass, were they flat, and where the feet point: the left foot ahead and
// a little inwards, the right one behind and outwards, its heel up.
#define FRONT_ANKLE ((rpVec3){0.14f, 0.0f, 0.09f})
#define REAR_ANKLE ((rpVec3){-0.06f, 0.0f, -0.24f})
#define REAR_PITCH 0.22f
#define FRONT_HEADING -0.15f
#define REAR_HEADING -0.6f

void rpPerformance_PlanGuard(const rpPerformance* performance, double t, rpBodyPlan* plan)
{
	const rpManner* manner = &performance->manner;
	float breath = sinf((float)(2.0 * RP_PI * fmod(t / 3.2, 1.0))), vary = manner->variation;
	*plan = (rpBodyPlan){.legReach = STAND_REACH};
	rpPerformance_PlanFeet(performance, t, plan);
	plan->center =
		(rpVec3){0.004f * vary * rpNoise(manner->seed, 61, 0.5 * t), (float)GUARD_HEIGHT, STAND_CENTER_FORWARD};
	plan->holds[0] = plan->holds[1] = plan->holds[2] = true;
	plan->pelvisTurn = -0.35f;
	plan->lean = 0.1f + manner->lean;
	plan->trunkTurn = -0.45f;
	plan->trunkBend = 0.16f - 0.008f * breath;
	plan->headNod = -0.04f + manner->nod;
	plan->headTurn = 0.04f * vary * rpNoise(manner->seed, 66, 0.6 * t);
	for (int side = 0; side < 2; ++side)
	{
		float loose = vary * rpNoise(manner->seed, 64 + side, 0.9 * t);
		plan->arms[side] = (rpArmPlan){.swing = (side == 0 ? 0.95f : 0.75f) + 0.03f * loose,
									   .spread = 0.2f,
									   .twist = 0.35f,
									   .elbow = (side == 0 ? 1.95f : 2.15f) + 0.02f * loose,
									   .wrist = 0.1f,
									   .shrug = 0.01f * breath};
	}
}

rpStance* rpScore_AddGuardStance(rpScore* score, const rpPerformance* performance, int side, double strike, double off,
								 rpFrame at)
{
	rpStance* stance = rpScore_AddStance(score, performance, side, strike, off, at);
	float heading = side == 0 ? FRONT_HEADING : REAR_HEADING;
	rpVec3 ball = rpRotate(rpYaw(heading), (rpVec3){0.0f, 0.0f, BALL_OFFSET.z});
	stance->ball = rpFrame_Place(at, rpAdd(side == 0 ? FRONT_ANKLE : REAR_ANKLE, ball));
	stance->heading = at.turn + heading;
	stance->strikePitch = stance->flatPitch = stance->liftPitch = side == 0 ? 0.0f : REAR_PITCH;
	return stance;
}
