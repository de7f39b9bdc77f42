/// Metrics of point clouds: the direct formula against clouds laid out point by point, and what a metric refuses.
#include "performance.h"
#include "support.h"

#include "motion/point_cloud.h"

#include <stdlib.h>

static rpMotion* performWalk(float speed, float turn, uint64_t seed, double seconds)
{
	rpPerformDef def = rpDefaultPerformDef(rp_actWalk);
	def.fps = 30.0;
	def.seconds = seconds;
	def.seed = seed;
	def.parameters[rp_paramSpeed] = speed;
	def.parameters[rp_paramTurn] = turn;
	return testPerform(&def);
}

static rpMetric* makeMetric(const rpMotion* motion, const rpMetricDef* def)
{
	rpError error = {0};
	rpMetric* metric = rpCreateMetric(motion->skeleton, def, &error);
	assert_string_equal(error.message, "");
	assert_non_null(metric);
	return metric;
}

static rpProfile* makeProfile(const rpMetric* metric, const rpMotion* motion)
{
	rpError error = {0};
	rpProfile* profile = rpCreateProfile(metric, motion, &error);
	assert_string_equal(error.message, "");
	assert_non_null(profile);
	return profile;
}

// The cloud of a window, point by point, as section 4.1.1.1 has it.
static int layOutCloud(const rpMotion* motion, int frame, int reach, rpVec3* out)
{
	int count = 0, joints = motion->skeleton->jointCount;
	for (int r = -reach; r <= reach; ++r)
	{
		int at = frame + r < 0 ? 0 : frame + r >= motion->frameCount ? motion->frameCount - 1 : frame + r;
		rpMotion_ForwardAll(motion, at, 1, out + count, NULL);
		count += joints;
	}
	return count;
}

static void testDirectAgainstClouds(void** state)
{
	(void)state;
	rpMotion* a = performWalk(1.3f, 0.0f, 1, 2.0);
	rpMotion* b = performWalk(1.1f, 0.4f, 2, 2.5);
	rpMetricDef def = rpDefaultMetricDef();
	int joints = a->skeleton->jointCount;
	rpVec3* p = malloc(sizeof(rpVec3) * 15 * (size_t)joints);
	rpVec3* q = malloc(sizeof(rpVec3) * 15 * (size_t)joints);
	float* weights = malloc(sizeof(float) * 15 * (size_t)joints);
	for (int k = 0; k < 15 * joints; ++k)
	{
		weights[k] = (float)(8 - abs(k / joints - 7));
	}
	for (int placed = 0; placed < 2; ++placed)
	{
		def.placed = placed > 0;
		rpMetric* metric = makeMetric(a, &def);
		assert_int_equal(rpMetric_GetReach(metric), 7);
		rpProfile *pa = makeProfile(metric, a), *pb = makeProfile(metric, b);
		assert_int_equal(rpProfile_GetFrameCount(pa), a->frameCount);
		for (int i = 0; i < a->frameCount; i += 7)
		{
			for (int j = 0; j < b->frameCount; j += 5)
			{
				rpGround expected = rpGround_identity, ground;
				int count = layOutCloud(a, i, 7, p);
				layOutCloud(b, j, 7, q);
				double square =
					placed ? rpCompareClouds(p, q, weights, count) : rpFitClouds(p, q, weights, count, &expected);
				assert_float_equal(rpMetric_Distance(metric, pa, i, pb, j, &ground), sqrt(square), 2e-6);
				assert_float_equal(rpWrapAngle(ground.turn - expected.turn), 0.0, 1e-5);
				assert_true(rpDistance(ground.shift, expected.shift) < 2e-5f);
			}
		}
		rpDestroyProfile(pa);
		rpDestroyProfile(pb);
		rpDestroyMetric(metric);
	}
	free(p);
	free(q);
	free(weights);
	rpDestroyMotion(a);
	rpDestroyMotion(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testDirectAgainstClouds),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
