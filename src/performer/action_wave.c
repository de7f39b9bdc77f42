/// Waving.
#include "performer/stage.h"

static void planWave(const rpPerformance* performance, double t, rpBodyPlan* plan)
{
	rpPerformance_PlanStand(performance, t, plan);
	double end = performance->seconds;
	float raised = rpEaseInOut(0.3, 1.1, end - 1.1, end - 0.2, t);
	float waving = raised * sinf((float)(2.0 * RP_PI * fmod(1.7 * (t - 0.7), 1.0)));
	rpArmPlan* arm = plan->arms + 1;
	arm->swing *= 1.0f - raised;
	arm->spread += raised * 1.55f;
	arm->twist -= raised * 1.35f;
	arm->elbow += raised * 1.0f + 0.42f * waving;
	plan->trunkTurn += 0.05f * waving * raised;
	plan->headNod -= 0.06f * raised;
}

const rpActRow rp_gestureRows[] = {
	{.act = rp_actWave, .seconds = 4.0, .plan = planWave},
	{.act = rp_actCount},
};
