/// Metrics of point clouds: the direct formula against clouds laid out point by point, and what a metric refuses.
#include "grid_scene.h"
#include "performance.h"

#include "motion/point_cloud.h"

#include <stdlib.h>
#include <string.h>

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

// The cloud of a window, point by point, as section 4.1.1.1 has it.
static int layOutCloud(const rpMotion* motion, int frame, int halfWindow, rpVec3* out)
{
	int count = 0, joints = motion->skeleton->jointCount;
	for (int r = -halfWindow; r <= halfWindow; ++r)
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
		rpMetric* metric = testMakeMetric(a->skeleton, &def);
		assert_int_equal(rpMetric_GetHalfWindow(metric), 7);
		rpProfile *pa = testMakeProfile(metric, a), *pb = testMakeProfile(metric, b);
		assert_int_equal(rpProfile_GetFrameCount(pa), a->frameCount);
		for (int i = 0; i < a->frameCount; i += 7)
		{
			for (int j = 0; j < b->frameCount; j += 5)
			{
				rpGroundTransform expected = rpGroundTransform_identity, ground;
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

static double compareAt(const rpMetricDef* def, const rpMotion* a, int i, const rpMotion* b, int j)
{
	rpMetric* metric = testMakeMetric(a->skeleton, def);
	rpProfile *pa = testMakeProfile(metric, a), *pb = testMakeProfile(metric, b);
	double distance = rpMetric_Distance(metric, pa, i, pb, j, NULL);
	rpDestroyProfile(pa);
	rpDestroyProfile(pb);
	rpDestroyMetric(metric);
	return distance;
}

// Weights need not sum to 1, a marker given twice counts twice, one without weight not at all.
static void testMarkers(void** state)
{
	(void)state;
	rpMotion* a = performWalk(1.3f, 0.0f, 1, 1.0);
	rpMotion* b = performWalk(1.1f, 0.4f, 2, 1.0);
	rpMarker hands[] = {
		{3, {0.1f, 0.0f, 0.0f}, 2.0f},
		{3, {0.0f, 0.2f, 0.0f}, 4.0f},
		{0, {0.0f, 0.0f, 0.0f}, 6.0f},
	};
	rpMarker same[] = {
		{0, {0.0f, 0.0f, 0.0f}, 0.15f}, {3, {0.1f, 0.0f, 0.0f}, 0.1f}, {3, {0.0f, 0.2f, 0.0f}, 0.2f},
		{0, {0.0f, 0.0f, 0.0f}, 0.15f}, {5, {0.0f, 0.0f, 0.0f}, 0.0f},
	};
	rpMetricDef def = rpDefaultMetricDef(), sameDef = def;
	def.markers = hands;
	def.markerCount = 3;
	sameDef.markers = same;
	sameDef.markerCount = 5;
	assert_float_equal(compareAt(&def, a, 5, b, 9), compareAt(&sameDef, a, 5, b, 9), 1e-7);

	// By hand, for a single frame.
	def.window = 0.0;
	rpTransform ja[64], jb[64];
	rpVec3 p[3], q[3];
	float weights[3];
	rpMotion_Forward(a, 5, ja);
	rpMotion_Forward(b, 9, jb);
	for (int m = 0; m < 3; ++m)
	{
		p[m] = rpTransformPoint(ja[hands[m].joint], hands[m].offset);
		q[m] = rpTransformPoint(jb[hands[m].joint], hands[m].offset);
		weights[m] = hands[m].weight;
	}
	rpGroundTransform ground;
	assert_float_equal(compareAt(&def, a, 5, b, 9), sqrt(rpFitClouds(p, q, weights, 3, &ground)), 1e-6);
	rpDestroyMotion(a);
	rpDestroyMotion(b);
}

// Joints on bones without length are at their parents' places: merged, they weigh as much as before.
static void testCoincidentJoints(void** state)
{
	(void)state;
	rpJoint joints[5];
	static const char* const names[] = {"root", "same", "tip", "again", "end"};
	for (int i = 0; i < 5; ++i)
	{
		joints[i] = rpDefaultJoint();
		joints[i].name = names[i];
		joints[i].parent = i - 1;
		joints[i].offset = (rpVec3){0.0f, i % 2 == 0 && i > 0 ? 0.5f : 0.0f, 0.0f};
	}
	rpSkeletonDef skeletonDef = rpDefaultSkeletonDef();
	skeletonDef.joints = joints;
	skeletonDef.jointCount = 5;
	rpSkeleton* skeleton = rpCreateSkeleton(&skeletonDef, NULL);
	rpMotion* motion = rpCreateMotion(skeleton, "pole", 30.0, 40, NULL);
	rpRandom random = rpSeedRandom(5);
	for (int i = 0; i < 40 * 5; ++i)
	{
		rpVec3 turn = {rpRandom_Normal(&random), rpRandom_Normal(&random), rpRandom_Normal(&random)};
		motion->rotations[i] = rpExpQuat(rpScale(0.3f, turn));
	}
	rpMetricDef def = rpDefaultMetricDef();
	def.window = 0.0;
	rpMetric* metric = testMakeMetric(skeleton, &def);
	rpProfile* profile = testMakeProfile(metric, motion);
	rpVec3 p[5], q[5];
	rpGroundTransform ground;
	for (int i = 0; i < 39; ++i)
	{
		rpMotion_ForwardAll(motion, i, 1, p, NULL);
		rpMotion_ForwardAll(motion, i + 1, 1, q, NULL);
		assert_float_equal(rpMetric_Distance(metric, profile, i, profile, i + 1, NULL),
						   sqrt(rpFitClouds(p, q, NULL, 5, &ground)), 1e-6);
	}
	rpDestroyProfile(profile);
	rpDestroyMetric(metric);
	rpDestroyMotion(motion);
	rpReleaseSkeleton(skeleton);
}

// At another rate the clip is sampled as rpResampleMotion does.
static void testRate(void** state)
{
	(void)state;
	rpMotion* motion = performWalk(1.3f, 0.0f, 1, 2.0);
	rpMotion* fast = rpResampleMotion(motion, 120.0, NULL);
	rpMetricDef def = rpDefaultMetricDef();
	rpMetric* metric = testMakeMetric(motion->skeleton, &def);
	rpProfile *a = testMakeProfile(metric, motion), *b = testMakeProfile(metric, fast);
	assert_true(rpMetric_GetRate(metric) == 30.0);
	assert_int_equal(rpProfile_GetFrameCount(b), motion->frameCount);
	for (int i = 0; i < motion->frameCount; ++i)
	{
		assert_true(rpMetric_Distance(metric, a, i, b, i, NULL) < 1e-4);
	}
	rpDestroyProfile(a);
	rpDestroyProfile(b);
	rpDestroyMetric(metric);
	rpDestroyMotion(motion);
	rpDestroyMotion(fast);
}

static void refuse(const rpSkeleton* skeleton, rpMetricDef def, const char* word)
{
	rpError error = {0};
	assert_null(rpCreateMetric(skeleton, &def, &error));
	assert_int_equal(error.code, rp_errorArgument);
	if (strstr(error.message, word) == NULL)
	{
		print_error("\"%s\" does not say \"%s\"\n", error.message, word);
	}
	assert_non_null(strstr(error.message, word));
}

static void testWrongDefinitions(void** state)
{
	(void)state;
	rpMotion* motion = performWalk(1.3f, 0.0f, 1, 1.0);
	const rpSkeleton* skeleton = motion->skeleton;
	rpMetricDef def = rpDefaultMetricDef();
	def.fps = 0.0;
	refuse(skeleton, def, "rate");
	def.fps = NAN;
	refuse(skeleton, def, "rate");
	def = rpDefaultMetricDef();
	def.window = -1.0;
	refuse(skeleton, def, "window");
	def.window = 1e9;
	refuse(skeleton, def, "window");
	def.window = NAN;
	refuse(skeleton, def, "window");
	def = rpDefaultMetricDef();
	rpMarker markers[] = {{0, {0.0f, 0.0f, 0.0f}, 1.0f},
						  {0, {0.0f, 0.1f, 0.0f}, 1.0f},
						  {0, {0.0f, 0.2f, 0.0f}, 1.0f},
						  {0, {0.0f, 0.3f, 0.0f}, 1.0f}};
	def.markers = markers;
	def.markerCount = 4;
	refuse(skeleton, def, "at most 3");
	def.markerCount = 0;
	refuse(skeleton, def, "weight");
	def.markerCount = 1;
	markers[0].weight = 0.0f;
	refuse(skeleton, def, "weight");
	markers[0].weight = -1.0f;
	refuse(skeleton, def, "weight");
	markers[0].weight = 1.0f;
	markers[0].offset.x = NAN;
	refuse(skeleton, def, "offset");
	markers[0].offset.x = 0.0f;
	markers[0].joint = skeleton->jointCount;
	refuse(skeleton, def, "joint");
	rpDestroyMotion(motion);
}

static void refuseMotion(const rpMetric* metric, const rpMotion* motion, const char* word)
{
	rpError error = {0};
	assert_null(rpCreateProfile(metric, motion, &error));
	assert_int_equal(error.code, rp_errorArgument);
	assert_non_null(strstr(error.message, word));
}

static void testWrongMotions(void** state)
{
	(void)state;
	rpMotion* motion = performWalk(1.3f, 0.0f, 1, 1.0);
	rpMotion* large = rpScaleMotion(motion, 1.2f, NULL);
	for (int kind = 0; kind < rp_metricKindCount; ++kind)
	{
		rpMetricDef def = rpDefaultMetricDef();
		def.kind = (rpMetricKind)kind;
		rpMetric* metric = testMakeMetric(motion->skeleton, &def);
		refuseMotion(metric, large, "skeleton");
		rpVec3 place = motion->rootPositions[7];
		motion->rootPositions[7].z = NAN;
		refuseMotion(metric, motion, "frame 7");
		motion->rootPositions[7] = place;
		rpQuat* rotation = motion->rotations + 5 * motion->skeleton->jointCount + 3;
		rpQuat turn = *rotation;
		rotation->w = INFINITY;
		refuseMotion(metric, motion, "frame 5");
		*rotation = turn;
		rpDestroyMetric(metric);
	}
	rpDestroyMotion(motion);
	rpDestroyMotion(large);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testDirectAgainstClouds), cmocka_unit_test(testMarkers),
		cmocka_unit_test(testCoincidentJoints),    cmocka_unit_test(testRate),
		cmocka_unit_test(testWrongDefinitions),    cmocka_unit_test(testWrongMotions),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
