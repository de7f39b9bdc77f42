/// The metric of angles: against the formula worked out on the motion's own frames, by every kernel, and what does not
/// change it.
#include "grid_scene.h"

#include <stdlib.h>
#include <string.h>

static rpVec3 getSpin(const rpMotion* motion, int frame, int joint, bool inWorld)
{
	int before = frame > 0 ? frame - 1 : 0, after = frame + 1 < motion->frameCount ? frame + 1 : frame;
	rpQuat p = rpMotion_GetRotations(motion, before)[joint], q = rpMotion_GetRotations(motion, after)[joint];
	rpVec3 turn = rpLogQuat(inWorld ? rpMulQuat(q, rpConjugate(p)) : rpMulQuat(rpConjugate(p), q));
	return rpScale((float)motion->fps / (float)(after - before), turn);
}

static rpVec3 getTravel(const rpMotion* motion, int frame)
{
	int before = frame > 0 ? frame - 1 : 0, after = frame + 1 < motion->frameCount ? frame + 1 : frame;
	rpVec3 displacement = rpSub(motion->rootPositions[after], motion->rootPositions[before]);
	return rpScale((float)motion->fps / (float)(after - before), displacement);
}

static double square(rpVec3 v)
{
	return (double)rpDot(v, v);
}

// Eq. IV.2-IV.4 on the frames themselves; the root by height, tilt and velocity as it faces.
static double work(const rpMotion* a, int i, const rpMotion* b, int j, const float* weights, const rpMetricDef* def)
{
	const rpQuat *p = rpMotion_GetRotations(a, i), *q = rpMotion_GetRotations(b, j);
	rpQuat faceA = rpYaw(-rpHeading(p[0])), faceB = rpYaw(-rpHeading(q[0]));
	double sum = 0.0;
	for (int joint = 1; joint < a->skeleton->jointCount; ++joint)
	{
		double angle = rpAngleBetween(p[joint], q[joint]);
		double spin = square(rpSub(getSpin(a, i, joint, false), getSpin(b, j, joint, false)));
		sum += (double)weights[joint] * (angle * angle + (double)def->velocityWeight * spin);
	}
	double tilt = rpAngleBetween(rpMulQuat(faceA, p[0]), rpMulQuat(faceB, q[0]));
	rpVec3 spin = rpSub(rpRotate(faceA, getSpin(a, i, 0, true)), rpRotate(faceB, getSpin(b, j, 0, true)));
	rpVec3 travel = rpSub(rpRotate(faceA, getTravel(a, i)), rpRotate(faceB, getTravel(b, j)));
	double height = (double)a->rootPositions[i].y - (double)b->rootPositions[j].y;
	sum += (double)def->tiltWeight * (tilt * tilt + (double)def->velocityWeight * square(spin));
	sum += (double)def->heightWeight * height * height + (double)def->travelWeight * square(travel);
	return sqrt(sum);
}

static void setRole(const rpSkeleton* skeleton, rpRole role, float weight, float* out)
{
	assert_true(skeleton->roles[role] >= 0);
	out[skeleton->roles[role]] = weight;
}

static void fillWeights(const rpSkeleton* skeleton, rpAngleWeights kind, float* out)
{
	bool lee = kind == rp_weightsLee;
	for (int i = 0; i < skeleton->jointCount; ++i)
	{
		out[i] = kind == rp_weightsEven ? 1.0f : 0.0f;
	}
	if (kind != rp_weightsEven)
	{
		setRole(skeleton, rp_roleLeftHip, 1.0f, out);
		setRole(skeleton, rp_roleRightHip, 1.0f, out);
		setRole(skeleton, rp_roleLeftKnee, lee ? 1.0f : 0.0901f, out);
		setRole(skeleton, rp_roleRightKnee, lee ? 1.0f : 0.0901f, out);
		setRole(skeleton, rp_roleLeftShoulder, lee ? 1.0f : 0.7884f, out);
		setRole(skeleton, rp_roleRightShoulder, lee ? 1.0f : 0.7884f, out);
		setRole(skeleton, rp_roleLeftElbow, lee ? 1.0f : 0.0247f, out);
		setRole(skeleton, rp_roleRightElbow, lee ? 1.0f : 0.0247f, out);
		setRole(skeleton, rp_roleSpine, lee ? 1.0f : 0.0f, out);
	}
}

static void testAgainstFormula(void** state)
{
	(void)state;
	static const char* const kernels[] = {"portable", "avx2", "best"};
	for (int kind = 0; kind < rp_angleWeightsCount; ++kind)
	{
		rpMetricDef def = rpDefaultMetricDef();
		def.kind = rp_metricAngle;
		def.weights = (rpAngleWeights)kind;
		def.velocityWeight = kind == 1 ? 0.05f : def.velocityWeight;
		GridScene scene = testMakeGridScene(&def, 130, 270);
		float weights[RP_MAX_JOINTS];
		fillWeights(scene.motionA->skeleton, def.weights, weights);
		setenv("REPRISE_KERNEL", "portable", 1);
		float* portable = testFillGrid(&scene);
		for (int k = 0; k < 3; ++k)
		{
			setenv("REPRISE_KERNEL", kernels[k], 1);
			float* values = testFillGrid(&scene);
			assert_memory_equal(values, portable, (size_t)scene.rows * (size_t)scene.columns * sizeof(float));
			for (int i = 0; i < scene.rows; i += 3)
			{
				for (int j = 0; j < scene.columns; j += 5)
				{
					double expected = work(scene.motionA, i, scene.motionB, j, weights, &def);
					assert_float_equal(rpMetric_Distance(scene.metric, scene.a, i, scene.b, j, NULL), expected, 1e-4);
					assert_float_equal(values[i * scene.columns + j], expected, 1e-4);
				}
			}
			free(values);
		}
		free(portable);
		unsetenv("REPRISE_KERNEL");
		testFreeGridScene(&scene);
	}
}

// Every turn there is, up to half a circle and in both hemispheres, by the grid and directly.
static void testAllTurns(void** state)
{
	(void)state;
	rpMetricDef def = rpDefaultMetricDef();
	def.kind = rp_metricAngle;
	def.velocityWeight = 0.0f;
	def.travelWeight = 0.0f;
	GridScene scene = testMakeGridScene(&def, 200, 200);
	rpRandom random = rpSeedRandom(9);
	int joints = scene.motionA->skeleton->jointCount;
	for (int i = 0; i < 200 * joints; ++i)
	{
		rpVec3 axis = {rpRandom_Normal(&random), rpRandom_Normal(&random), rpRandom_Normal(&random)};
		float angle = i % 3 == 0 ? 3.14159f : i % 3 == 1 ? 1e-4f : rpRandom_Range(&random, -3.0f, 3.0f);
		rpQuat turn = rpAxisAngle(rpNormalize(axis), angle);
		scene.motionA->rotations[i] = rpRandom_Index(&random, 2) == 0 ? turn : rpNegateQuat(turn);
	}
	rpDestroyProfile(scene.a);
	scene.a = testMakeProfile(scene.metric, scene.motionA);
	GridScene self = scene;
	self.b = scene.a;
	float* values = testFillGrid(&self);
	for (int i = 0; i < 200; ++i)
	{
		assert_true(values[i * 200 + i] < 1e-6f);
		for (int j = 0; j < 200; ++j)
		{
			assert_float_equal(values[i * 200 + j], rpMetric_Distance(self.metric, self.a, i, self.b, j, NULL), 2e-5);
		}
	}
	free(values);
	testFreeGridScene(&scene);
}

// Place and heading do not count, and the alignment takes one root onto the other.
static void testInvariance(void** state)
{
	(void)state;
	rpMetricDef def = rpDefaultMetricDef();
	def.kind = rp_metricAngle;
	GridScene scene = testMakeGridScene(&def, 100, 100);
	rpGroundTransform ground = {2.0f, {40.0f, 0.0f, -60.0f}};
	rpMotion* moved = rpMoveMotion(scene.motionA, ground, NULL);
	rpProfile* profile = testMakeProfile(scene.metric, moved);
	for (int i = 0; i < 100; ++i)
	{
		rpGroundTransform alignment;
		assert_true(rpMetric_Distance(scene.metric, profile, i, scene.a, i, &alignment) < 2e-3);
		assert_float_equal(rpWrapAngle(alignment.turn - ground.turn), 0.0, 1e-4);
		rpVec3 place = rpGroundTransform_Apply(alignment, scene.motionA->rootPositions[i]);
		assert_true(rpDistance(place, moved->rootPositions[i]) < 1e-4f);
		for (int j = 0; j < 100; ++j)
		{
			assert_float_equal(rpMetric_Distance(scene.metric, profile, i, scene.b, j, NULL),
							   rpMetric_Distance(scene.metric, scene.a, i, scene.b, j, NULL), 2e-3);
		}
	}
	rpDestroyProfile(profile);
	rpDestroyMotion(moved);
	testFreeGridScene(&scene);
}

static void testWeightsOfJoints(void** state)
{
	(void)state;
	rpMetricDef def = rpDefaultMetricDef();
	def.kind = rp_metricAngle;
	GridScene scene = testMakeGridScene(&def, 40, 40);
	const rpSkeleton* skeleton = scene.motionA->skeleton;
	float weights[RP_MAX_JOINTS] = {0};
	weights[4] = 2.5f;
	def.jointWeights = weights;
	rpMetric* metric = testMakeMetric(skeleton, &def);
	rpProfile *a = testMakeProfile(metric, scene.motionA), *b = testMakeProfile(metric, scene.motionB);
	for (int i = 0; i < 40; ++i)
	{
		assert_float_equal(rpMetric_Distance(metric, a, i, b, 39 - i, NULL),
						   work(scene.motionA, i, scene.motionB, 39 - i, weights, &def), 1e-4);
	}
	rpDestroyProfile(a);
	rpDestroyProfile(b);
	rpDestroyMetric(metric);
	rpError error = {0};
	weights[4] = -1.0f;
	assert_null(rpCreateMetric(skeleton, &def, &error));
	assert_non_null(strstr(error.message, skeleton->joints[4].name));
	weights[4] = 0.0f;
	assert_null(rpCreateMetric(skeleton, &def, &error));
	assert_non_null(strstr(error.message, "no joint"));
	def.jointWeights = NULL;
	def.travelWeight = NAN;
	assert_null(rpCreateMetric(skeleton, &def, &error));
	assert_int_equal(error.code, rp_errorArgument);
	testFreeGridScene(&scene);
}

// Tiles and threads make no difference to the bytes, and minima are where the values say.
static void testThreads(void** state)
{
	(void)state;
	rpMetricDef metricDef = rpDefaultMetricDef();
	metricDef.kind = rp_metricAngle;
	GridScene scene = testMakeGridScene(&metricDef, 300, 1100);
	float* first = testFillGrid(&scene);
	for (int threads = 1; threads <= 3; ++threads)
	{
		GridCopy copy = {malloc(sizeof(float) * 300 * 1100), 1100, 0, 0, 0};
		rpGridDef def = rpDefaultGridDef();
		def.visit = testCopyTile;
		def.visitContext = &copy;
		def.threads = threads;
		rpMinima minima = {0};
		assert_true(rpMetric_FindMinima(scene.metric, scene.a, scene.b, 0.8f, &def, &minima, NULL));
		assert_memory_equal(copy.values, first, sizeof(float) * 300 * 1100);
		assert_true(minima.count > 5);
		for (int k = 0; k < minima.count; ++k)
		{
			const rpMinimum* m = minima.items + k;
			assert_true(m->distance == first[m->i * 1100 + m->j]);
			assert_true(m->i >= 7 && m->i < 293 && m->j >= 7 && m->j < 1093);
		}
		rpMinima_Free(&minima);
		free(copy.values);
	}
	free(first);
	testFreeGridScene(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testAgainstFormula),  cmocka_unit_test(testAllTurns), cmocka_unit_test(testInvariance),
		cmocka_unit_test(testWeightsOfJoints), cmocka_unit_test(testThreads),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
