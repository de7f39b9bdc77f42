/// What is known of two motions, through the transition from one to the other.
#include "edit_scene.h"

#include <string.h>

// Two motions of 3 s at 20 Hz; the transition from 1.5 s to 1 s lasts from 1.3 s to 1.7 s, b's times are 0.5 s earlier.
typedef struct Scene
{
	rpMotion *a, *b;
} Scene;

static Scene makeScene(void)
{
	rpSkeleton* body = testMakePuppet(false);
	Scene scene = {testMakeMotion(body, "a", 20.0, 61, 1), testMakeMotion(body, "b", 20.0, 61, 2)};
	rpReleaseSkeleton(body);
	return scene;
}

static void freeScene(Scene* scene)
{
	rpDestroyMotion(scene->a);
	rpDestroyMotion(scene->b);
}

static rpMotion* join(const Scene* scene, rpTransitionKind kind, const rpGroundTransform* alignment)
{
	rpTransitionDef def = rpDefaultTransitionDef();
	rpError error = {0};
	def.kind = kind;
	def.seconds = 0.4;
	def.alignment = alignment;
	rpMotion* result = rpMakeTransition(scene->a, 1.5, scene->b, 1.0, &def, NULL, &error);
	if (result == NULL)
	{
		fail_msg("%s", error.message);
	}
	testCheckAnnotations(result);
	return result;
}

static void addLabel(rpMotion* motion, const char* name, double start, double end)
{
	rpInterval label = {.track = rp_trackLabel, .name = name, .start = start, .end = end};
	assert_true(rpAnnotations_AddInterval(&motion->annotations, &label, NULL));
}

static void addContact(rpMotion* motion, rpEffector effector, double start, double end, float height)
{
	rpInterval contact = {
		.track = rp_trackContact, .effector = effector, .start = start, .end = end, .supportHeight = height};
	assert_true(rpAnnotations_AddInterval(&motion->annotations, &contact, NULL));
}

static void addPhase(rpMotion* motion, const char* name, double start, double end)
{
	rpInterval phase = {.track = rp_trackPhase, .name = name, .start = start, .end = end};
	assert_true(rpAnnotations_AddInterval(&motion->annotations, &phase, NULL));
}

// The index-th interval of a track is this one; its name is NULL for contacts.
static void expect(const rpMotion* motion, rpTrack track, int index, const char* name, rpEffector effector,
				   double start, double end)
{
	rpInterval intervals[32];
	int count = rpMotion_GetIntervals(motion, track, intervals, 32);
	assert_true(index < count);
	const rpInterval* found = intervals + index;
	if (fabs(found->start - start) > 1e-9 || fabs(found->end - end) > 1e-9)
	{
		fail_msg("interval %d of %s is %g..%g, not %g..%g", index, rpTrack_GetName(track), found->start, found->end,
				 start, end);
	}
	if (name != NULL)
	{
		assert_string_equal(found->name, name);
	}
	else
	{
		assert_int_equal(found->effector, effector);
	}
}

// Labels of the blend are the union; one that goes on is one.
static void testLabels(void** state)
{
	(void)state;
	Scene scene = makeScene();
	addLabel(scene.a, "walk", 0.0, 3.0);
	addLabel(scene.a, "early", 0.0, 1.0);
	addLabel(scene.a, "late", 2.0, 3.0);
	addLabel(scene.b, "walk", 0.5, 2.0);
	addLabel(scene.b, "turn", 0.0, 2.5);
	addLabel(scene.b, "before", 0.0, 0.7);
	for (int kind = 0; kind < rp_transitionKindCount; ++kind)
	{
		rpMotion* result = join(&scene, (rpTransitionKind)kind, NULL);
		assert_int_equal(rpMotion_GetIntervals(result, rp_trackLabel, NULL, 0), 3);
		expect(result, rp_trackLabel, 0, "early", rp_effectorCount, 0.0, 1.0);
		expect(result, rp_trackLabel, 1, "walk", rp_effectorCount, 0.0, 2.5);
		expect(result, rp_trackLabel, 2, "turn", rp_effectorCount, kind == rp_transitionInertial ? 1.5 : 1.3, 3.0);
		rpDestroyMotion(result);
	}
	freeScene(&scene);
}

// Contacts and phases are a's before the seam and b's after it; a foot that rests on both sides rests once.
static void testConstraints(void** state)
{
	(void)state;
	Scene scene = makeScene();
	addContact(scene.a, rp_leftHeel, 1.0, 2.0, 0.0f);
	addContact(scene.a, rp_leftBall, 1.2, 1.6, 0.2f);
	addContact(scene.a, rp_rightHeel, 0.2, 1.44, 0.0f);
	addContact(scene.a, rp_rightBall, 1.55, 2.0, 0.0f);
	addContact(scene.b, rp_leftHeel, 0.5, 1.2, 0.01f);
	addContact(scene.b, rp_leftBall, 0.9, 1.4, 0.0f);
	addContact(scene.b, rp_rightHeel, 0.8, 1.1, 0.0f);
	addContact(scene.b, rp_rightBall, 0.3, 0.95, 0.0f);
	addPhase(scene.a, "L", 0.5, 1.4);
	addPhase(scene.a, "D", 1.4, 1.8);
	addPhase(scene.b, "D", 0.7, 1.3);
	addPhase(scene.b, "R", 1.3, 1.8);
	for (int kind = 0; kind < rp_transitionKindCount; ++kind)
	{
		rpMotion* result = join(&scene, (rpTransitionKind)kind, NULL);
		// In a fade a foot that is about to rest is held once it has come there, which these bodies never do in time.
		bool isFade = rpTransitionKind_IsFade((rpTransitionKind)kind);
		assert_int_equal(rpMotion_GetIntervals(result, rp_trackContact, NULL, 0), isFade ? 4 : 5);
		// Contacts begin and end on frames; one that pauses for a frame is two.
		expect(result, rp_trackContact, 0, NULL, rp_rightHeel, 0.2, 1.45);
		expect(result, rp_trackContact, 1, NULL, rp_leftHeel, 1.0, 1.7);
		// Supports of different heights stay two contacts.
		expect(result, rp_trackContact, 2, NULL, rp_leftBall, 1.2, 1.5);
		expect(result, rp_trackContact, isFade ? 3 : 4, NULL, rp_leftBall, 1.5, 1.9);
		if (!isFade)
		{
			expect(result, rp_trackContact, 3, NULL, rp_rightHeel, 1.5, 1.6);
		}
		assert_int_equal(rpMotion_GetIntervals(result, rp_trackPhase, NULL, 0), 3);
		expect(result, rp_trackPhase, 1, "D", rp_effectorCount, 1.4, 1.8);
		expect(result, rp_trackPhase, 2, "R", rp_effectorCount, 1.8, 2.3);
		rpDestroyMotion(result);
	}
	freeScene(&scene);
}

static void testEventsAndSources(void** state)
{
	(void)state;
	Scene scene = makeScene();
	const double times[] = {0.0, 0.9, 1.0, 1.45, 1.5, 2.9};
	for (int i = 0; i < 6; ++i)
	{
		assert_true(rpAnnotations_AddEvent(&scene.a->annotations, "of_a", times[i], NULL));
		assert_true(rpAnnotations_AddEvent(&scene.b->annotations, "of_b", times[i], NULL));
	}
	for (int kind = 0; kind < rp_transitionKindCount; ++kind)
	{
		rpMotion* result = join(&scene, (rpTransitionKind)kind, NULL);
		const rpEvent* events = result->annotations.events;
		assert_int_equal(result->annotations.eventCount, 4 + 1 + 4);
		for (int i = 0; i < 9; ++i)
		{
			bool isSeam = strcmp(events[i].name, "seam") == 0;
			assert_true(!isSeam || fabs(events[i].time - 1.5) < 1e-9);
			assert_true(isSeam || strcmp(events[i].name, events[i].time < 1.5 - 1e-9 ? "of_a" : "of_b") == 0);
		}
		bool isFade = rpTransitionKind_IsFade((rpTransitionKind)kind);
		rpInterval sources[4];
		assert_int_equal(rpMotion_GetIntervals(result, rp_trackSource, sources, 4), 2);
		assert_string_equal(sources[0].name, "a");
		assert_string_equal(sources[1].name, "b");
		assert_true(fabs(sources[0].end - (isFade ? 1.7 : 1.5)) < 1e-9 &&
					fabs(sources[0].sourceEnd - sources[0].end) < 1e-9);
		assert_true(fabs(sources[1].start - (isFade ? 1.3 : 1.5)) < 1e-9 &&
					fabs(sources[1].sourceStart - sources[1].start + 0.5) < 1e-9);
		assert_true(fabs(sources[1].end - result->frameCount / 20.0) < 1e-9);
		rpDestroyMotion(result);
	}
	freeScene(&scene);
}

static void addCurve(rpMotion* motion, const char* name, rpCurveKind kind, int keyCount, const float* values)
{
	const double times[] = {0.5, 1.0, 2.5};
	rpCurve curve = {name, kind, keyCount, times, values};
	assert_true(rpAnnotations_AddCurve(&motion->annotations, &curve, NULL));
}

static float sampleScalar(const rpMotion* motion, const char* name, double time)
{
	float value = NAN;
	rpCurve_Sample(rpAnnotations_FindCurve(&motion->annotations, name), time, &value);
	return value;
}

static void testCurves(void** state)
{
	(void)state;
	Scene scene = makeScene();
	const float one[] = {1.0f, 2.0f, 5.0f}, other[] = {10.0f, 20.0f, 50.0f};
	const float places[] = {1.0f, 0.5f, 2.0f};
	addCurve(scene.a, "both", rp_curveScalar, 3, one);
	addCurve(scene.b, "both", rp_curveScalar, 3, other);
	addCurve(scene.a, "same", rp_curveScalar, 1, one);
	addCurve(scene.b, "same", rp_curveScalar, 1, one);
	addCurve(scene.a, "of_a", rp_curveSided, 3, one);
	addCurve(scene.b, "of_b", rp_curvePoint, 1, places);
	rpGroundTransform ground = {(float)(0.5 * RP_PI), {1.0f, 0.0f, 0.0f}};
	rpMotion* result = join(&scene, rp_transitionFade, &ground);
	assert_int_equal(result->annotations.curveCount, 4);
	assert_int_equal(rpAnnotations_FindCurve(&result->annotations, "same")->keyCount, 1);
	for (int frame = 0; frame < result->frameCount; ++frame)
	{
		double t = frame / 20.0, s = fmin(fmax((t - 1.3) / 0.4, 0.0), 1.0), w = s * s * (3.0 - 2.0 * s);
		double expected =
			(1.0 - w) * (double)sampleScalar(scene.a, "both", t) + w * (double)sampleScalar(scene.b, "both", t - 0.5);
		assert_true(fabs((double)sampleScalar(result, "both", t) - expected) < 1e-4);
		assert_true(t > 1.7 || fabsf(sampleScalar(result, "of_a", t) - sampleScalar(scene.a, "of_a", t)) < 1e-5f);
	}
	const rpCurve* point = rpAnnotations_FindCurve(&result->annotations, "of_b");
	float place[3];
	rpCurve_Sample(point, 2.0, place);
	assert_true(fabsf(place[0] - 3.0f) < 1e-5f && fabsf(place[1] - 0.5f) < 1e-5f && fabsf(place[2] + 1.0f) < 1e-5f);
	rpDestroyMotion(result);

	// A cut: one frame is a's, the next b's.
	rpTransitionDef def = rpDefaultTransitionDef();
	def.seconds = 0.0;
	result = rpMakeTransition(scene.a, 1.5, scene.b, 1.0, &def, NULL, NULL);
	assert_true(fabsf(sampleScalar(result, "both", 1.45) - sampleScalar(scene.a, "both", 1.45)) < 1e-5f);
	assert_true(fabsf(sampleScalar(result, "both", 1.5) - 20.0f) < 1e-4f);
	rpDestroyMotion(result);

	const float wide[] = {1.0f, 2.0f, 5.0f, 1.0f, 2.0f, 5.0f, 1.0f, 2.0f, 5.0f};
	rpError error = {0};
	addCurve(scene.b, "both", rp_curveVector, 3, wide);
	assert_null(rpMakeTransition(scene.a, 1.5, scene.b, 1.0, &def, NULL, &error));
	assert_string_equal(error.message, "the curve \"both\" is of kind scalar in \"a\" and of kind vector in \"b\"");
	freeScene(&scene);
}

// Inputs of both; supports are raised with b.
static void testInputsAndHeights(void** state)
{
	(void)state;
	Scene scene = makeScene();
	rpGroundTransform ground = {0.0f, {0.0f, 0.25f, 0.0f}};
	assert_true(rpMotion_AddInput(scene.a, "x.bvh", "1", NULL) && rpMotion_AddInput(scene.b, "y.bvh", "2", NULL));
	addContact(scene.b, rp_leftHeel, 1.5, 2.0, 0.1f);
	rpMotion* result = join(&scene, rp_transitionDisplace, &ground);
	rpInterval contact;
	assert_int_equal(rpMotion_GetIntervals(result, rp_trackContact, &contact, 1), 1);
	assert_true(fabsf(contact.supportHeight - 0.35f) < 1e-6f);
	assert_int_equal(result->inputCount, 2);
	rpDestroyMotion(result);
	freeScene(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testLabels), cmocka_unit_test(testConstraints),      cmocka_unit_test(testEventsAndSources),
		cmocka_unit_test(testCurves), cmocka_unit_test(testInputsAndHeights),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
