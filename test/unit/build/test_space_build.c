/// Building spaces of performed examples: what belongs is taken and what does not is named, motions are what registered
/// blends are, spaces are kept and found again, bad requests are refused.
#include "build/space_build.h"
#include "space_scene.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static rpSpaceDef getDef(const char* features)
{
	rpSpaceDef def = rpDefaultSpaceDef();
	def.features = features;
	def.maxSamples = 100;
	return def;
}

static bool holds(const rpFindings* findings, const char* code, const char* text)
{
	const rpFinding* finding = rpFindings_Find(findings, code);
	return finding != NULL && strstr(finding->message, text) != NULL;
}

// The mean distance of the joints at equal shares of time, each as seen from its root, metres; frames first of a.
static double getDistance(const rpMotion* a, double start, double end, const rpMotion* b)
{
	rpTransform poses[2][RP_MAX_JOINTS];
	int jointCount = a->skeleton->jointCount;
	double sum = 0.0;
	for (int i = 0; i <= 20; ++i)
	{
		int frames[2] = {rpMotion_GetFrame(a, start + (end - start) * i / 20),
						 rpMotion_GetFrame(b, rpMotion_GetDuration(b) * i / 20)};
		rpMotion_Forward(a, frames[0], poses[0]);
		rpMotion_Forward(b, frames[1], poses[1]);
		rpGroundTransform backA = rpGroundTransform_Invert(rpMotion_GetGround(a, frames[0]));
		rpGroundTransform backB = rpGroundTransform_Invert(rpMotion_GetGround(b, frames[1]));
		for (int joint = 0; joint < jointCount; ++joint)
		{
			rpVec3 x = rpGroundTransform_Apply(backA, poses[0][joint].p);
			rpVec3 y = rpGroundTransform_Apply(backB, poses[1][joint].p);
			sum += (double)rpDistance(x, y) / (21.0 * jointCount);
		}
	}
	return sum;
}

// ---- what comes of good examples

// An example alone is the example; its parameters, asked for, give it back.
static void testExample(void** state)
{
	(void)state;
	rpSpace* space = testMakeWalkSpace();
	rpSpaceMaker* maker = rpCreateSpaceMaker(space, NULL);
	assert_int_equal(space->exampleCount, testWalkCount);
	assert_int_equal(space->clipCount, testWalkCount);
	for (int i = 0; i < testWalkCount; ++i)
	{
		rpSpaceMotion made;
		rpMotion* motion = rpSpaceMaker_Make(maker, space->values + i, NULL, 60.0, &made, NULL);
		assert_non_null(motion);
		assert_int_equal(made.answer.weights[0].example, i);
		assert_true(made.answer.weights[0].weight > 0.999f);
		const rpSpaceExample* example = &space->examples[i];
		assert_float_equal(made.seconds, example->end - example->start, 1e-6);
		double distance = getDistance(space->motions[i], example->start, example->end, motion);
		print_message("example %d is %.1f mm from what it gives\n", i, 1e3 * distance);
		assert_true(distance < 0.004);
		rpDestroyMotion(motion);
	}
	rpDestroySpaceMaker(maker);
	rpDestroySpace(space);
}

// Two routes: half of two walks by the space's plan, and by their registration.
static void testRegisteredBlend(void** state)
{
	(void)state;
	rpSpace* space = testMakeWalkSpace();
	rpSpaceMaker* maker = rpCreateSpaceMaker(space, NULL);
	const rpSpaceWeight half[] = {{1, 0.5f}, {3, 0.5f}};
	rpSpaceMotion made;
	rpMotion* motion = rpSpaceMaker_Blend(maker, half, 2, 60.0, &made, NULL);
	rpMotion* parts[2];
	for (int i = 0; i < 2; ++i)
	{
		const rpSpaceExample* example = &space->examples[half[i].example];
		parts[i] = rpCropMotion(space->motions[half[i].example], example->start, example->end, NULL);
	}
	rpRegistration* registration = rpCreateRegistration((const rpMotion* const*)parts, 2, NULL, NULL);
	rpBlendReport report;
	rpMotion* direct = rpRegistration_Blend(registration, NULL, &report, NULL);
	assert_non_null(direct);
	double distance = getDistance(direct, 0.0, rpMotion_GetDuration(direct), motion);
	print_message("plan and registered blend are %.1f mm apart\n", 1e3 * distance);
	assert_true(distance < 0.01);
	assert_int_equal(made.scheme, rp_blendPhysical);
	assert_float_equal(rpMotion_GetDuration(direct), made.seconds, 0.02);
	// Both go the same way.
	rpVec3 a = rpSub(rpMotion_GetPlace(direct, 10.0), rpMotion_GetPlace(direct, 0.0));
	rpVec3 b = rpSub(rpMotion_GetPlace(motion, 10.0), rpMotion_GetPlace(motion, 0.0));
	assert_float_equal(rpLength(a), rpLength(b), 0.02);
	rpDestroyMotion(direct);
	rpDestroyRegistration(registration);
	rpDestroyMotion(parts[0]);
	rpDestroyMotion(parts[1]);
	rpDestroyMotion(motion);
	rpDestroySpaceMaker(maker);
	rpDestroySpace(space);
}

// Requests are met, as measured on the frames.
static void testRequests(void** state)
{
	(void)state;
	rpSpace* space = testMakeWalkSpace();
	rpSpaceMaker* maker = rpCreateSpaceMaker(space, NULL);
	rpFeatureList* turn = rpCreateFeatureList("turn", space->motions[0]->skeleton, NULL, NULL);
	for (int i = 0; i <= 10; ++i)
	{
		const rpSpaceParameter* parameter = &space->parameters[0];
		float asked = parameter->low + (parameter->high - parameter->low) * (float)i / 10.0f, achieved;
		rpMotion* motion = rpSpaceMaker_Make(maker, &asked, NULL, 60.0, NULL, NULL);
		rpFeatureStretch stretch = {motion, 0.0, rpMotion_GetDuration(motion)};
		assert_true(rpFeatureList_Measure(turn, &stretch, &achieved, NULL));
		assert_float_equal(asked, achieved, 1.0 * RP_DEGREE);
		rpDestroyMotion(motion);
	}
	rpDestroyFeatureList(turn);
	rpDestroySpaceMaker(maker);
	rpDestroySpace(space);
}

// Samples do what they say: examples first, then blends of at most one more than there are parameters, each measured.
static void testSamples(void** state)
{
	(void)state;
	rpSpace* space = testMakePunchSpace();
	rpSpaceMaker* maker = rpCreateSpaceMaker(space, NULL);
	rpFeatureList* features = rpCreateFeatureList(space->features, space->motions[0]->skeleton, NULL, NULL);
	int d = space->parameterCount;
	assert_true(space->sampleCount > space->exampleCount + 20);
	for (int i = 0; i < space->sampleCount; ++i)
	{
		const rpSpaceWeight* weights = space->weights + i * (d + 1);
		float measured[RP_MAX_SPACE_PARAMETERS];
		int count = 0;
		while (count <= d && weights[count].weight > 0.0f)
		{
			++count;
		}
		assert_true(i >= space->exampleCount ? count > 1 : count == 1 && weights[0].example == i);
		assert_true(rpSpaceMaker_Measure(maker, features, weights, count, measured, NULL, NULL));
		for (int k = 0; k < d; ++k)
		{
			assert_float_equal(measured[k], space->values[i * d + k], 1e-5);
			assert_true(measured[k] >= space->parameters[k].low - 1e-5f);
			assert_true(measured[k] <= space->parameters[k].high + 1e-5f);
		}
	}
	rpDestroyFeatureList(features);
	rpDestroySpaceMaker(maker);
	rpDestroySpace(space);
}

// Jumps: flights of the blend fall as bodies fall, whatever the examples' lengths.
static void testFlight(void** state)
{
	(void)state;
	rpMotion* jumps[3];
	rpMatch matches[3];
	for (int i = 0; i < 3; ++i)
	{
		rpPerformDef perform = rpDefaultPerformDef(rp_actJump);
		perform.fps = 120.0;
		perform.parameters[rp_paramDistance] = 0.3f + 0.4f * (float)i;
		jumps[i] = rpPerform(&perform, NULL);
		matches[i] = (rpMatch){.stretch = {i, false, 0.0, rpMotion_GetDuration(jumps[i])}, .parent = i - 1};
	}
	rpSpaceDef def = getDef("jump_length");
	rpSpaceBuildReport report;
	rpSpace* space = rpBuildSpace((const rpMotion* const*)jumps, 3, matches, 3, &def, NULL, &report, NULL);
	assert_non_null(space);
	assert_int_equal(report.plainCount, 0);
	assert_int_equal(report.registrationCount, 2);
	rpSpaceMaker* maker = rpCreateSpaceMaker(space, NULL);
	const rpSpaceWeight mix[] = {{0, 0.5f}, {2, 0.5f}};
	rpMotion* motion = rpSpaceMaker_Blend(maker, mix, 2, 120.0, NULL, NULL);
	rpFlight flight;
	assert_int_equal(rpFindFlights(motion, &flight, 1, NULL), 1);
	print_message("a blended jump falls with %.2f m/s²\n", (double)flight.gravity);
	assert_float_equal(flight.gravity, RP_GRAVITY, 0.5);
	rpDestroyMotion(motion);
	rpDestroySpaceMaker(maker);
	rpDestroySpace(space);
	for (int i = 0; i < 3; ++i)
	{
		rpDestroyMotion(jumps[i]);
	}
}

// The same bytes for any number of threads.
static void testThreads(void** state)
{
	(void)state;
	rpMotion* walks[testWalkCount];
	rpMatch matches[testWalkCount];
	testMakeWalks(walks, matches);
	rpSpaceDef def = getDef("turn,speed");
	void* bytes[2];
	size_t sizes[2];
	for (int i = 0; i < 2; ++i)
	{
		omp_set_num_threads(1 + i);
		rpSpace* space =
			rpBuildSpace((const rpMotion* const*)walks, testWalkCount, matches, testWalkCount, &def, NULL, NULL, NULL);
		assert_non_null(space);
		bytes[i] = rpWriteSpaceBundle(space, &sizes[i], NULL);
		rpDestroySpace(space);
	}
	assert_int_equal(sizes[0], sizes[1]);
	assert_memory_equal(bytes[0], bytes[1], sizes[0]);
	rpFreeBytes(bytes[0]);
	rpFreeBytes(bytes[1]);
	testDestroyWalks(walks);
}

// ---- what does not belong

static rpSpace* build(rpMotion* const* motions, int motionCount, const rpMatch* matches, int matchCount,
					  const char* features, rpFindings* findings, rpError* error)
{
	rpSpaceDef def = getDef(features);
	return rpBuildSpace((const rpMotion* const*)motions, motionCount, matches, matchCount, &def, findings, NULL, error);
}

// Half a cycle off: it begins with the other foot.
static void testOutOfPhase(void** state)
{
	(void)state;
	rpMotion* walks[testWalkCount];
	rpMatch matches[testWalkCount];
	rpFindings findings = {0};
	testMakeWalks(walks, matches);
	double start = testFindEventAfter(walks[2], "heel_strike_right", 1.0);
	matches[2].stretch.start = start;
	matches[2].stretch.end = testFindEventAfter(walks[2], "heel_strike_right", start + 0.1);
	rpSpace* space = build(walks, testWalkCount, matches, testWalkCount, "turn", &findings, NULL);
	assert_non_null(space);
	assert_int_equal(space->exampleCount, testWalkCount - 1);
	assert_true(holds(&findings, "out_of_phase", "walk-2"));
	rpFindings_Free(&findings);
	rpDestroySpace(space);
	testDestroyWalks(walks);
}

// What comes by way of an example that is left out comes from where that came from, whatever else is more like it.
static void testChain(void** state)
{
	(void)state;
	rpMotion* walks[testWalkCount];
	rpMatch matches[testWalkCount], more[testWalkCount + 1];
	testMakeWalks(walks, matches);
	double start = testFindEventAfter(walks[2], "heel_strike_right", 1.0);
	rpMatch chain[] = {matches[0], matches[4], matches[2], matches[1]};
	chain[2].stretch.start = start;
	chain[2].stretch.end = testFindEventAfter(walks[2], "heel_strike_right", start + 0.1);
	for (int i = 0; i < 4; ++i)
	{
		chain[i].parent = i - 1;
	}
	rpSpace* space = build(walks, testWalkCount, chain, 4, "turn", NULL, NULL);
	assert_non_null(space);
	assert_int_equal(space->exampleCount, 3);
	assert_int_equal(space->examples[1].parent, 0);
	assert_int_equal(space->examples[2].parent, 1);
	rpDestroySpace(space);
	// The first one twice; the others come from its second one.
	memcpy(more + 1, matches, sizeof(matches));
	more[0] = matches[0];
	for (int i = 1; i <= testWalkCount; ++i)
	{
		more[i].parent = i - 1;
	}
	rpFindings findings = {0};
	space = build(walks, testWalkCount, more, 3, "turn", &findings, NULL);
	assert_non_null(space);
	assert_true(holds(&findings, "redundant", "walk-0"));
	assert_int_equal(space->exampleCount, 2);
	assert_int_equal(space->examples[1].parent, 0);
	assert_true(strcmp(space->clipNames, "walk-0") == 0);
	rpDestroySpace(space);
	rpFindings_Free(&findings);
	testDestroyWalks(walks);
}

// Strides of the other foot, mirrored, are strides of this one: they turn the other way, and are what mirroring the
// motion makes of them.
static void testMirrored(void** state)
{
	(void)state;
	rpMotion* walks[testWalkCount];
	rpMatch matches[testWalkCount];
	rpFindings findings = {0};
	testMakeWalks(walks, matches);
	double start = testFindEventAfter(walks[1], "heel_strike_right", 1.0);
	double end = testFindEventAfter(walks[1], "heel_strike_right", start + 0.1);
	matches[3].stretch = (rpStretch){1, true, start, end};
	rpSpace* space = build(walks, testWalkCount, matches, 4, "turn", &findings, NULL);
	assert_non_null(space);
	assert_null(rpFindings_Find(&findings, "out_of_phase"));
	assert_int_equal(space->exampleCount, 4);
	const rpSpaceExample* example = &space->examples[3];
	assert_true(example->isMirror);
	// 20 degrees a second to the right are so many to the left.
	assert_true(space->values[3] > 15.0f * (float)RP_DEGREE);
	rpMotion* image = rpMirrorMotion(walks[1], NULL);
	assert_true(getDistance(image, example->from, example->to, space->motions[3]) > 0.01);
	rpMotion* core = rpCropMotion(space->motions[3], example->start, example->end, NULL);
	assert_true(getDistance(image, example->from, example->to, core) < 1e-4);
	rpDestroyMotion(core);
	rpDestroyMotion(image);
	rpDestroySpace(space);
	rpFindings_Free(&findings);
	testDestroyWalks(walks);
}

// Stages are found for the few examples of a blend: one that touches the ground otherwise does not make the others'
// blends plain ones.
static void testStagesOfFew(void** state)
{
	(void)state;
	rpMotion* walks[testWalkCount];
	rpMatch matches[testWalkCount];
	testMakeWalks(walks, matches);
	double middle = 0.5 * (matches[1].stretch.start + matches[1].stretch.end);
	const rpInterval wrong = {
		.track = rp_trackContact, .effector = rp_leftBall, .start = middle + 0.18, .end = middle + 0.24, .name = ""};
	assert_true(rpAnnotations_AddInterval(&walks[1]->annotations, &wrong, NULL));
	rpSpace* space = build(walks, testWalkCount, matches, testWalkCount, "turn", NULL, NULL);
	assert_non_null(space);
	rpSpaceMaker* maker = rpCreateSpaceMaker(space, NULL);
	for (int i = 1; i < testWalkCount; ++i)
	{
		const rpSpaceWeight half[] = {{i - 1, 0.5f}, {i, 0.5f}};
		rpSpaceMotion made;
		rpMotion* motion = rpSpaceMaker_Blend(maker, half, 2, 60.0, &made, NULL);
		assert_non_null(motion);
		assert_int_equal(made.scheme, i <= 2 ? rp_blendPlain : rp_blendPhysical);
		rpDestroyMotion(motion);
	}
	rpDestroySpaceMaker(maker);
	rpDestroySpace(space);
	testDestroyWalks(walks);
}

// Walks at two speeds: by turn alone neighbours are far apart, by turn and speed they are not. One in another style is
// at fault.
static void testSmoothness(void** state)
{
	(void)state;
	enum
	{
		count = 16,
	};
	rpMotion* walks[count];
	rpMatch matches[count];
	for (int i = 0; i < count; ++i)
	{
		char name[24];
		rpPerformDef def = rpDefaultPerformDef(i == count - 1 ? rp_actMarch : rp_actWalk);
		def.fps = 60.0;
		def.seconds = 5.0;
		def.parameters[rp_paramTurn] = (float)((5 * i - 35) * RP_DEGREE);
		if (i < count - 1)
		{
			def.parameters[rp_paramSpeed] = i % 2 == 0 ? 0.9f : 1.8f;
		}
		walks[i] = rpPerform(&def, NULL);
		assert_non_null(walks[i]);
		snprintf(name, sizeof(name), "walk-%d", i);
		assert_true(rpMotion_SetName(walks[i], name, NULL));
		double start = testFindEventAfter(walks[i], "heel_strike_left", 1.0);
		matches[i] = (rpMatch){
			.stretch = {i, false, start, testFindEventAfter(walks[i], "heel_strike_left", start + 0.1)}, .parent = -1};
	}
	rpFindings byTurn = {0}, byBoth = {0}, withOdd = {0};
	rpSpace* spaces[] = {build(walks, count, matches, count - 1, "turn", &byTurn, NULL),
						 build(walks, count, matches, count - 1, "turn,speed", &byBoth, NULL),
						 build(walks, count, matches, count, "turn,speed", &withOdd, NULL)};
	print_message("roughness by turn %.2f, by turn and speed %.2f\n", (double)spaces[0]->roughness,
				  (double)spaces[1]->roughness);
	assert_true(rpFindings_Find(&byTurn, "rough") != NULL && spaces[0]->roughness > 0.75f);
	assert_true(rpFindings_Find(&byBoth, "rough") == NULL && spaces[1]->roughness < 0.6f);
	assert_null(rpFindings_Find(&byBoth, "not_smooth"));
	assert_true(holds(&withOdd, "not_smooth", "walk-15"));
	rpFindings_Free(&byTurn);
	rpFindings_Free(&byBoth);
	rpFindings_Free(&withOdd);
	for (int i = 0; i < count; ++i)
	{
		rpDestroyMotion(walks[i]);
		rpDestroySpace(i < 3 ? spaces[i] : NULL);
	}
}

static void testSameTwice(void** state)
{
	(void)state;
	rpMotion* walks[testWalkCount];
	rpMatch matches[testWalkCount];
	rpFindings findings = {0};
	rpError error = {0};
	testMakeWalks(walks, matches);
	const rpMatch twice[] = {matches[0], matches[0]};
	assert_null(build(walks, testWalkCount, twice, 2, "turn", &findings, &error));
	assert_int_equal(error.code, rp_errorNoSolution);
	assert_true(holds(&findings, "redundant", "walk-0"));
	rpFindings_Free(&findings);
	error = (rpError){0};
	assert_null(build(walks, testWalkCount, matches, 1, "turn", &findings, &error));
	assert_int_equal(error.code, rp_errorNoSolution);
	// Kept if that is asked for: a parameter of one value alone does no harm.
	rpSpaceDef def = getDef("turn");
	def.thin = false;
	rpFindings_Free(&findings);
	rpSpace* space =
		rpBuildSpace((const rpMotion* const*)walks, testWalkCount, twice, 2, &def, &findings, NULL, &error);
	assert_non_null(space);
	assert_true(holds(&findings, "flat", "turn is "));
	const float asked = 2.0f;
	rpSpaceAnswer answer;
	assert_true(rpSpace_Weigh(space, &asked, NULL, &answer, NULL));
	assert_float_equal(answer.nearest[0], space->values[0], 1e-3);
	rpDestroySpace(space);
	rpFindings_Free(&findings);
	testDestroyWalks(walks);
}

// Examples that touch the ground otherwise are blended by the plain scheme; one without contacts at all too.
static void testWrongContacts(void** state)
{
	(void)state;
	rpMotion* walks[testWalkCount];
	rpMatch matches[testWalkCount];
	testMakeWalks(walks, matches);
	double middle = 0.5 * (matches[1].stretch.start + matches[1].stretch.end);
	const rpInterval wrong = {
		.track = rp_trackContact, .effector = rp_leftBall, .start = middle + 0.18, .end = middle + 0.24, .name = ""};
	assert_true(rpAnnotations_AddInterval(&walks[1]->annotations, &wrong, NULL));
	rpSpace* space = build(walks, testWalkCount, matches, 2, "turn", NULL, NULL);
	assert_non_null(space);
	rpSpaceMaker* maker = rpCreateSpaceMaker(space, NULL);
	const rpSpaceWeight half[] = {{0, 0.5f}, {1, 0.5f}};
	rpSpaceMotion made;
	rpMotion* motion = rpSpaceMaker_Blend(maker, half, 2, 60.0, &made, NULL);
	assert_int_equal(made.scheme, rp_blendPlain);
	rpDestroyMotion(motion);
	rpDestroySpaceMaker(maker);
	rpDestroySpace(space);
	// Without contacts they are found, on the whole take: the same feet come down in the same order.
	rpMotion* bare = walks[2];
	rpAnnotations_Free(&bare->annotations);
	const rpStretch stretches[] = {{0, false, matches[2].stretch.start, matches[2].stretch.end},
								   {1, false, matches[3].stretch.start, matches[3].stretch.end}};
	const rpMatch two[] = {{.stretch = stretches[0], .parent = -1}, {.stretch = stretches[1], .parent = 0}};
	space = build(walks + 2, 2, two, 2, "turn", NULL, NULL);
	assert_non_null(space);
	assert_true(rpMotion_GetIntervals(space->motions[0], rp_trackContact, NULL, 0) > 3);
	assert_int_equal(rpMotion_GetIntervals(bare, rp_trackContact, NULL, 0), 0);
	maker = rpCreateSpaceMaker(space, NULL);
	const rpSpaceWeight both[] = {{0, 0.5f}, {1, 0.5f}};
	motion = rpSpaceMaker_Blend(maker, both, 2, 60.0, &made, NULL);
	assert_non_null(motion);
	assert_int_equal(made.scheme, rp_blendPhysical);
	rpDestroyMotion(motion);
	rpDestroySpaceMaker(maker);
	rpDestroySpace(space);
	testDestroyWalks(walks);
}

// What no feature can be measured on is named with the seconds of its take, and what there is instead.
static void testMissing(void** state)
{
	(void)state;
	rpMotion* walks[testWalkCount];
	rpMatch matches[testWalkCount];
	rpFindings findings = {0};
	rpError error = {0};
	char text[80];
	testMakeWalks(walks, matches);
	assert_null(build(walks, testWalkCount, matches, testWalkCount, "right_wrist@hit", &findings, &error));
	assert_int_equal(error.code, rp_errorNoSolution);
	assert_int_equal(findings.count, testWalkCount);
	for (int i = 0; i < testWalkCount; ++i)
	{
		const rpFinding* finding = &findings.items[i];
		assert_string_equal(finding->code, "no_feature");
		snprintf(text, sizeof(text), "\"walk-%d\" has no event \"hit\" from %.3f to ", i, matches[i].stretch.start);
		assert_true(strncmp(finding->message, text, strlen(text)) == 0);
		assert_true(finding->repaired && strstr(finding->action, "heel_strike_left") != NULL);
	}
	rpFindings_Free(&findings);
	// Where one alone lacks it the others are a space.
	for (int i = 0; i < testWalkCount; ++i)
	{
		double time = matches[i].stretch.start + 0.3;
		assert_true(i == 3 || rpAnnotations_AddEvent(&walks[i]->annotations, "hit", time, NULL));
	}
	rpSpace* space = build(walks, testWalkCount, matches, testWalkCount, "right_wrist.z@hit", &findings, NULL);
	assert_non_null(space);
	assert_true(holds(&findings, "no_feature", "walk-3"));
	for (int i = 0; i < space->exampleCount; ++i)
	{
		assert_true(space->examples[i].clip < 4);
	}
	rpDestroySpace(space);
	rpFindings_Free(&findings);
	testDestroyWalks(walks);
}

// Requests and weights that are no numbers, or none.
static void testNoNumber(void** state)
{
	(void)state;
	rpSpace* space = testMakeWalkSpace();
	rpSpaceMaker* maker = rpCreateSpaceMaker(space, NULL);
	const float bad[] = {NAN, INFINITY, -INFINITY};
	for (int i = 0; i < 3; ++i)
	{
		rpError error = {0};
		assert_null(rpSpaceMaker_Make(maker, &bad[i], NULL, 60.0, NULL, &error));
		assert_int_equal(error.code, rp_errorArgument);
		assert_non_null(strstr(error.message, "turn"));
	}
	rpSpaceWeight many[RP_MAX_SPACE_WEIGHTS + 1] = {{0, 1.0f}};
	const rpSpaceWeight none[] = {{0, NAN}}, less[] = {{0, 1.5f}, {1, -0.5f}}, other[] = {{testWalkCount, 1.0f}},
						below[] = {{-1, 1.0f}}, light[] = {{0, 0.5f}, {1, 0.4f}};
	const rpSpaceWeight* wrong[] = {many, many, none, less, other, below, light};
	const int counts[] = {0, RP_MAX_SPACE_WEIGHTS + 1, 1, 2, 1, 1, 2};
	for (int i = 0; i < 7; ++i)
	{
		rpError error = {0};
		assert_null(rpSpaceMaker_Blend(maker, wrong[i], counts[i], 60.0, NULL, &error));
		assert_int_equal(error.code, rp_errorArgument);
	}
	rpMotionSource source = rpSpaceMaker_AsSource(maker);
	rpError error = {0};
	float nearest;
	assert_null(source.make(source.context, &bad[0], 60.0, &nearest, &error));
	assert_int_equal(error.code, rp_errorArgument);
	// What is far outside comes to the rim.
	const float far = 1e6f;
	rpMotion* motion = source.make(source.context, &far, 60.0, &nearest, &error);
	assert_non_null(motion);
	assert_float_equal(nearest, space->parameters[0].high, 0.01);
	rpDestroyMotion(motion);
	rpDestroySpaceMaker(maker);
	rpDestroySpace(space);
}

static void testWrongInput(void** state)
{
	(void)state;
	rpMotion* walks[testWalkCount];
	rpMatch matches[testWalkCount];
	testMakeWalks(walks, matches);
	static const char* const features[] = {"", "nonsense", "right_wrist@hit", "turn,,speed"};
	static const rpErrorCode codes[] = {rp_errorArgument, rp_errorArgument, rp_errorNoSolution, rp_errorArgument};
	for (int i = 0; i < 4; ++i)
	{
		rpError error = {0};
		assert_null(build(walks, testWalkCount, matches, testWalkCount, features[i], NULL, &error));
		assert_int_equal(error.code, codes[i]);
		assert_true(error.message[0] != 0);
	}
	// A stretch that is not in its take, one that is too short, a parent that comes later, another body.
	for (int i = 0; i < 4; ++i)
	{
		rpError error = {0};
		rpMatch wrong[testWalkCount];
		memcpy(wrong, matches, sizeof(wrong));
		wrong[1].stretch.end = i == 0 ? 99.0 : i == 1 ? wrong[1].stretch.start + 0.01 : wrong[1].stretch.end;
		wrong[1].parent = i == 2 ? 3 : 0;
		rpMotion* bodies[testWalkCount];
		memcpy(bodies, walks, sizeof(bodies));
		rpMotion* small = rpScaleMotion(walks[1], 0.8f, NULL);
		bodies[1] = i == 3 ? small : walks[1];
		assert_null(build(bodies, testWalkCount, wrong, testWalkCount, "turn", NULL, &error));
		assert_int_equal(error.code, rp_errorArgument);
		assert_true(i == 2 || strstr(error.message, "walk-1") != NULL);
		rpDestroyMotion(small);
	}
	testDestroyWalks(walks);
}

static bool stop(double fraction, const char* what, void* context)
{
	(void)what;
	(void)context;
	return fraction < 0.1;
}

static void testStop(void** state)
{
	(void)state;
	rpMotion* walks[testWalkCount];
	rpMatch matches[testWalkCount];
	testMakeWalks(walks, matches);
	rpSpaceDef def = getDef("turn");
	rpError error = {0};
	def.progress = stop;
	assert_null(
		rpBuildSpace((const rpMotion* const*)walks, testWalkCount, matches, testWalkCount, &def, NULL, NULL, &error));
	assert_int_equal(error.code, rp_errorCancelled);
	testDestroyWalks(walks);
}

// ---- in a library

static rpLibrary* makeLibrary(const char* name, rpMotion* const* walks)
{
	rpLibrary* library = rpOpenLibrary(testPath(name), rp_openCreate, NULL);
	for (int i = 0; i < testWalkCount; ++i)
	{
		assert_true(rpLibrary_AddClip(library, walks[i], NULL, NULL, NULL) != 0);
	}
	return library;
}

static void testKept(void** state)
{
	(void)state;
	rpMotion* walks[testWalkCount];
	rpMatch matches[testWalkCount];
	rpError error = {0};
	testMakeWalks(walks, matches);
	rpLibrary* library = makeLibrary("spaces.reprise", walks);
	rpSpace* space = build(walks, testWalkCount, matches, testWalkCount, "turn", NULL, NULL);
	assert_true(rpLibrary_PutSpace(library, "walk", space, &error));
	assert_null(rpLibrary_LoadSpace(library, "run", &error));
	assert_int_equal(error.code, rp_errorMissing);
	// Under another name it is the same clip.
	assert_true(rpLibrary_RenameClip(library, rpLibrary_FindClip(library, "walk-3", NULL), "other", NULL));
	rpSpace* kept = rpLibrary_LoadSpace(library, "walk", &error);
	assert_non_null(kept);
	size_t sizes[2];
	void* bytes[2] = {rpWriteSpaceBundle(space, &sizes[0], NULL), rpWriteSpaceBundle(kept, &sizes[1], NULL)};
	assert_int_equal(sizes[0], sizes[1]);
	assert_memory_equal(bytes[0], bytes[1], sizes[0]);
	rpFreeBytes(bytes[0]);
	rpFreeBytes(bytes[1]);
	// Gone is gone.
	assert_true(rpLibrary_RemoveClip(library, rpLibrary_FindClip(library, "other", NULL), NULL));
	rpDestroySpace(kept);
	assert_null(rpLibrary_LoadSpace(library, "walk", &error));
	assert_int_equal(error.code, rp_errorMissing);
	assert_true(strstr(error.message, "walk-3") != NULL);
	rpCloseLibrary(library);
	rpDestroySpace(space);
	testDestroyWalks(walks);
}

// Features rank; turn is among those that explain how walks that turn differ.
static void testRanks(void** state)
{
	(void)state;
	rpSpace* space = testMakeWalkSpace();
	rpFeatureRank ranks[100];
	int count = rpSpace_RankFeatures(space, ranks, 100, NULL), turn = -1;
	assert_true(count > 5);
	for (int i = 0; i < count; ++i)
	{
		assert_true(i == 0 || ranks[i].explained <= ranks[i - 1].explained);
		turn = strcmp(ranks[i].name, "turn") == 0 ? i : turn;
	}
	assert_true(turn >= 0 && ranks[turn].explained > 0.3f);
	assert_true(space->roughness < 0.7f);
	rpDestroySpace(space);
}

// ---- memory

static bool buildSmall(void* context, rpError* error)
{
	rpMotion* const* walks = context;
	rpSpaceDef def = getDef("turn");
	def.maxSamples = 0;
	rpMatch matches[2] = {{.stretch = {0, false, 1.0, 1.6}, .parent = -1},
						  {.stretch = {1, false, 1.0, 1.6}, .parent = 0}};
	rpSpace* space = rpBuildSpace((const rpMotion* const*)walks, 2, matches, 2, &def, NULL, NULL, error);
	rpDestroySpace(space);
	return space != NULL;
}

// From a library to a motion: the space is loaded, written as a bundle, ranked, and a motion made of it.
static bool useKept(void* context, rpError* error)
{
	rpLibrary* library = rpOpenLibrary(context, rp_openRead, error);
	rpSpace* space = library != NULL ? rpLibrary_LoadSpace(library, "walk", error) : NULL;
	rpSpaceMaker* maker = space != NULL ? rpCreateSpaceMaker(space, error) : NULL;
	const float asked = 0.1f;
	rpMotion* motion = maker != NULL ? rpSpaceMaker_Make(maker, &asked, NULL, 30.0, NULL, error) : NULL;
	rpFeatureRank ranks[100];
	bool done = motion != NULL && rpSpace_RankFeatures(space, ranks, 100, error) > 0;
	rpDestroyMotion(motion);
	rpDestroySpaceMaker(maker);
	rpDestroySpace(space);
	rpCloseLibrary(library);
	return done;
}

static void testMemory(void** state)
{
	(void)state;
	rpMotion* walks[testWalkCount];
	rpMatch matches[testWalkCount];
	testMakeWalks(walks, matches);
	testFailEach(buildSmall, walks, 50);
	rpSpaceDef def = getDef("turn");
	def.maxSamples = 0;
	rpSpace* space = rpBuildSpace((const rpMotion* const*)walks, 2, matches, 2, &def, NULL, NULL, NULL);
	char path[1024];
	snprintf(path, sizeof(path), "%s", testPath("memory.reprise"));
	rpLibrary* library = makeLibrary("memory.reprise", walks);
	assert_true(rpLibrary_PutSpace(library, "walk", space, NULL));
	rpCloseLibrary(library);
	rpDestroySpace(space);
	testFailEach(useKept, path, 50);
	testDestroyWalks(walks);
}

// Sampling: of all that it allocates some allocations fail, up to the last.
static void testSamplingMemory(void** state)
{
	(void)state;
	rpMotion* walks[testWalkCount];
	rpMatch matches[testWalkCount];
	testMakeWalks(walks, matches);
	rpSpaceDef def = getDef("turn");
	def.maxSamples = 8;
	int failed = 0;
	bool done = false;
	for (int n = 0; !done; n += n / 8 + 1)
	{
		int blocks = testCountLiveBlocks();
		rpError error = {0};
		testFailAllocation(n);
		rpSpace* space = rpBuildSpace((const rpMotion* const*)walks, testWalkCount, matches, testWalkCount, &def, NULL,
									  NULL, &error);
		testFailAllocation(-1);
		done = space != NULL;
		assert_true(done || error.code == rp_errorMemory);
		rpDestroySpace(space);
		assert_int_equal(testCountLiveBlocks(), blocks);
		failed += !done;
	}
	assert_true(failed > 40);
	testDestroyWalks(walks);
}

int main(void)
{
	testUseCountingAllocator();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testExample),        cmocka_unit_test(testRegisteredBlend),
		cmocka_unit_test(testRequests),       cmocka_unit_test(testFlight),
		cmocka_unit_test(testSamples),        cmocka_unit_test(testThreads),
		cmocka_unit_test(testOutOfPhase),     cmocka_unit_test(testSameTwice),
		cmocka_unit_test(testWrongContacts),  cmocka_unit_test(testWrongInput),
		cmocka_unit_test(testStop),           cmocka_unit_test(testKept),
		cmocka_unit_test(testRanks),          cmocka_unit_test(testMissing),
		cmocka_unit_test(testNoNumber),       cmocka_unit_test(testChain),
		cmocka_unit_test(testMirrored),       cmocka_unit_test(testStagesOfFew),
		cmocka_unit_test(testSmoothness),     cmocka_unit_test(testMemory),
		cmocka_unit_test(testSamplingMemory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
