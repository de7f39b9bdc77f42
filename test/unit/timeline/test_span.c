/// Spans against formulas: keys, masks, ground, contacts, bones that change their lengths.
#include "edit_scene.h"

#include "timeline/span.h"

#include <string.h>

enum
{
	joints = 10,
	clipCount = 3,
	frameCount = 91,
};

/// Three clips of one body at 30 Hz, and a span.
typedef struct Scene
{
	rpMotion* motions[clipCount];
	rpClip* clips[clipCount];
	rpSpan span;
} Scene;

static Scene s_scene;

static Scene* makeScene(void)
{
	rpSkeleton* body = testMakePuppet(false);
	for (int i = 0; i < clipCount; ++i)
	{
		s_scene.motions[i] = testMakeMotion(body, "clip", 30.0, frameCount, (uint64_t)i + 1);
	}
	rpReleaseSkeleton(body);
	testAddTranslations(s_scene.motions[1]);
	memset(&s_scene.span, 0, sizeof(s_scene.span));
	for (int i = 0; i < clipCount; ++i)
	{
		s_scene.clips[i] = rpCreateElasticClip(s_scene.motions[i], NULL);
		assert_non_null(s_scene.clips[i]);
	}
	return &s_scene;
}

static void freeScene(Scene* scene)
{
	for (int i = 0; i < clipCount; ++i)
	{
		rpDestroyMotion(scene->motions[i]);
		rpDestroyClip(scene->clips[i]);
	}
}

/// A pose with its memory.
typedef struct Posture
{
	rpPose pose;
	rpQuat rotations[joints];
	rpVec3 translations[joints];
} Posture;

static rpPose* getPose(Posture* posture)
{
	posture->pose.rotations = posture->rotations;
	posture->pose.translations = posture->translations;
	return &posture->pose;
}

// ---- keys

// Two clips with three keys: neither at its own pace, weights that change.
static void addKeys(Scene* scene)
{
	rpSpan* span = &scene->span;
	span->start = 5.0;
	span->keyCount = 3;
	span->keys[1] = 0.4;
	span->keys[2] = 1.0;
	span->shareCount = 2;
	span->shares[0] = (rpSpanShare){.clip = scene->clips[0],
									.times = {0.5, 1.0, 1.4},
									.rates = {1.0, 1.2, 0.7},
									.weights = {1.0f, 0.25f, 0.0f},
									.ground = {0.3f, {1.0f, 0.0f, 0.5f}}};
	span->shares[1] = (rpSpanShare){.clip = scene->clips[1],
									.times = {1.5, 1.8, 2.6},
									.rates = {0.8, 0.9, 1.5},
									.weights = {0.0f, 0.75f, 1.0f},
									.ground = {-0.2f, {0.0f, 0.0f, 0.25f}}};
	span->placement = (rpGroundTransform){0.7f, {-1.0f, 0.125f, 2.0f}};
}

// The cubic with values and slopes at both ends, by its coefficients.
static double evaluateCubic(double x0, double v0, double x1, double v1, double length, double t, double* slope)
{
	double gap = (x1 - x0) / length;
	double c2 = (3.0 * gap - 2.0 * v0 - v1) / length, c3 = (v0 + v1 - 2.0 * gap) / (length * length);
	*slope = v0 + 2.0 * c2 * t + 3.0 * c3 * t * t;
	return x0 + v0 * t + c2 * t * t + c3 * t * t * t;
}

static double evaluateTime(const rpSpan* span, int share, double seconds, double* slope)
{
	const rpSpanShare* s = &span->shares[share];
	int k = seconds >= span->keys[1];
	return evaluateCubic(s->times[k], s->rates[k], s->times[k + 1], s->rates[k + 1], span->keys[k + 1] - span->keys[k],
						 seconds - span->keys[k], slope);
}

static float evaluateWeight(const rpSpan* span, int share, double seconds)
{
	const float* weights = span->shares[share].weights;
	int k = seconds >= span->keys[1];
	float t = (float)((seconds - span->keys[k]) / (span->keys[k + 1] - span->keys[k]));
	return weights[k] + t * (weights[k + 1] - weights[k]);
}

static void testKeys(void** state)
{
	(void)state;
	Scene* scene = makeScene();
	rpSpan* span = &scene->span;
	addKeys(scene);
	assert_true(rpSpan_GetDuration(span) == 1.0);
	for (double seconds = 0.0; seconds <= 1.0; seconds += 0.01)
	{
		rpSpanSpot spot = rpSpan_FindSpot(span, seconds);
		for (int i = 0; i < 2; ++i)
		{
			double slope, time = evaluateTime(span, i, seconds, &slope);
			assert_true(fabs(rpSpanShare_GetTime(&span->shares[i], &spot) - time) < 1e-9);
			assert_true(fabs(rpSpanShare_GetRate(&span->shares[i], &spot) - slope) < 1e-9);
			assert_true(fabsf(rpSpanShare_GetWeight(&span->shares[i], &spot) - evaluateWeight(span, i, seconds)) <
						1e-6f);
		}
	}
	// It stays at its ends.
	rpSpanSpot before = rpSpan_FindSpot(span, -1.0), after = rpSpan_FindSpot(span, 2.0);
	assert_true(rpSpanShare_GetTime(&span->shares[0], &before) == 0.5);
	assert_true(fabs(rpSpanShare_GetTime(&span->shares[1], &after) - 2.6) < 1e-12);
	freeScene(scene);
}

// A single key: clips run on at the rates there, before it and after it.
static void testSingleKey(void** state)
{
	(void)state;
	Scene* scene = makeScene();
	rpSpan* span = &scene->span;
	rpSpan_PlayClip(span, scene->clips[0], 7, 3.0, 1.25, rpGroundTransform_identity);
	assert_true(isinf(rpSpan_GetDuration(span)));
	for (double seconds = -1.0; seconds < 1.0; seconds += 0.125)
	{
		rpSpanSpot spot = rpSpan_FindSpot(span, seconds);
		assert_true(fabs(rpSpanShare_GetTime(&span->shares[0], &spot) - (1.25 + seconds)) < 1e-12);
		assert_true(rpSpanShare_GetRate(&span->shares[0], &spot) == 1.0);
		assert_true(rpSpanShare_GetWeight(&span->shares[0], &spot) == 1.0f);
	}
	freeScene(scene);
}

// ---- poses

// The mean of clips at their times, from the motions they were made of.
static void evaluatePose(Scene* scene, double seconds, Posture* out)
{
	Posture own[2];
	rpVec3 roots[2];
	float weights[2];
	double slope;
	for (int i = 0; i < 2; ++i)
	{
		rpGroundTransform ground = scene->span.shares[i].ground;
		rpMotion_Sample(scene->motions[i], evaluateTime(&scene->span, i, seconds, &slope), getPose(&own[i]));
		roots[i] = rpGroundTransform_Apply(ground, own[i].pose.rootPosition);
		own[i].rotations[0] = rpMulQuat(rpYaw(ground.turn), own[i].rotations[0]);
		weights[i] = evaluateWeight(&scene->span, i, seconds);
	}
	// The first clip's bones are rigid.
	memcpy(own[0].translations, scene->motions[0]->skeleton->offsets, sizeof(own[0].translations));
	getPose(out)->rootPosition = rpLerp(roots[0], roots[1], weights[1]);
	for (int j = 0; j < joints; ++j)
	{
		out->rotations[j] = rpMeanQuat((rpQuat[]){own[0].rotations[j], own[1].rotations[j]}, weights, 2);
		out->translations[j] = rpLerp(own[0].translations[j], own[1].translations[j], weights[1]);
	}
}

static void place(rpGroundTransform ground, Posture* posture)
{
	posture->pose.rootPosition = rpGroundTransform_Apply(ground, posture->pose.rootPosition);
	posture->rotations[0] = rpMulQuat(rpYaw(ground.turn), posture->rotations[0]);
}

static void checkPose(const Posture* found, const Posture* expected)
{
	assert_true(rpDistance(found->pose.rootPosition, expected->pose.rootPosition) < 1e-5f);
	for (int j = 0; j < joints; ++j)
	{
		assert_true(rpAngleBetween(found->rotations[j], expected->rotations[j]) < 2e-3f);
		assert_true(rpDistance(found->translations[j], expected->translations[j]) < 1e-5f);
	}
}

static void testPoses(void** state)
{
	(void)state;
	Scene* scene = makeScene();
	addKeys(scene);
	for (double seconds = 0.0; seconds <= 1.0; seconds += 0.03)
	{
		Posture found, expected;
		evaluatePose(scene, seconds, &expected);
		place(scene->span.placement, &expected);
		rpSpan_Sample(&scene->span, seconds, getPose(&found));
		checkPose(&found, &expected);
		assert_true(rpDistance(rpSpan_GetRoot(&scene->span, seconds), found.pose.rootPosition) < 1e-5f);
	}
	freeScene(scene);
}

// Shares that run by tracks at 100 Hz, taken from keys: the same at each moment, straight between them, at rest
// outside.
static void testTracks(void** state)
{
	(void)state;
	Scene* scene = makeScene();
	addKeys(scene);
	rpShareMoment moments[2][101];
	rpShareTrack tracks[2];
	rpSpan keyed = scene->span, *span = &scene->span;
	for (int i = 0; i < 2; ++i)
	{
		for (int k = 0; k <= 100; ++k)
		{
			rpSpanSpot spot = rpSpan_FindSpot(&keyed, 0.01 * k);
			double time = rpSpanShare_GetTime(&keyed.shares[i], &spot);
			float weight = rpSpanShare_GetWeight(&keyed.shares[i], &spot);
			moments[i][k] = (rpShareMoment){time, weight, keyed.shares[i].ground};
		}
		tracks[i] = (rpShareTrack){moments[i], 101, 100.0};
		span->shares[i] = (rpSpanShare){.clip = scene->clips[i], .track = &tracks[i]};
	}
	for (int k = 0; k <= 200; ++k)
	{
		Posture found, expected;
		rpSpanSpot spot = rpSpan_FindSpot(span, 0.005 * k);
		rpSpan_Sample(span, 0.005 * k, getPose(&found));
		rpSpan_Sample(&keyed, 0.005 * k, getPose(&expected));
		double rate = rpSpanShare_GetRate(&span->shares[0], &spot), line = rpSpanShare_GetTime(&span->shares[0], &spot);
		assert_true(rpDistance(rpSpan_GetRoot(span, 0.005 * k), found.pose.rootPosition) < 1e-5f);
		if (k % 2 == 0)
		{
			checkPose(&found, &expected);
			assert_true(k == 0 || k == 200 || fabs(rate - rpSpanShare_GetRate(&keyed.shares[0], &spot)) < 0.02);
			continue;
		}
		assert_true(fabs(line - 0.5 * (moments[0][k / 2].time + moments[0][k / 2 + 1].time)) < 1e-12);
		assert_true(fabs(rate - 100.0 * (moments[0][k / 2 + 1].time - moments[0][k / 2].time)) < 1e-9);
	}
	rpSpanSpot before = rpSpan_FindSpot(span, -1.0), after = rpSpan_FindSpot(span, 2.0);
	assert_true(rpSpanShare_GetTime(&span->shares[1], &before) == 1.5);
	assert_true(rpSpanShare_GetTime(&span->shares[1], &after) == moments[1][100].time);
	assert_true(rpSpanShare_GetWeight(&span->shares[1], &after) == 1.0f);

	// Its ground may move: half-way between two moments it is half-way.
	rpVec3 sum = rpVec3_zero;
	rpSpanSpot spot = rpSpan_FindSpot(span, 0.495);
	for (int i = 0; i < 2; ++i)
	{
		moments[i][50].ground = (rpGroundTransform){0.5f, {0.0f, 0.0f, 2.0f}};
		rpGroundTransform from = moments[i][49].ground, to = moments[i][50].ground;
		rpGroundTransform middle = {0.5f * (from.turn + to.turn), rpLerp(from.shift, to.shift, 0.5f)};
		rpVec3 root = rpClip_GetRoot(scene->clips[i], rpSpanShare_GetTime(&span->shares[i], &spot));
		sum = rpMulAdd(sum, rpSpanShare_GetWeight(&span->shares[i], &spot), rpGroundTransform_Apply(middle, root));
	}
	assert_true(rpDistance(rpSpan_GetRoot(span, 0.495), rpGroundTransform_Apply(span->placement, sum)) < 1e-5f);
	freeScene(scene);
}

// Joints of a mask come from the shares that have it alone; all else is as without them.
static void testMasks(void** state)
{
	(void)state;
	Scene* scene = makeScene();
	rpSpan* span = &scene->span;
	bool mask[joints] = {[4] = true, [5] = true};
	addKeys(scene);
	span->shareCount = 3;
	span->shares[2] = (rpSpanShare){.clip = scene->clips[2],
									.times = {0.2, 0.6, 1.2},
									.rates = {1.0, 1.0, 1.0},
									.weights = {0.1f, 0.1f, 0.1f},
									.mask = mask};
	for (double seconds = 0.0; seconds <= 1.0; seconds += 0.03)
	{
		Posture found, expected, masked;
		evaluatePose(scene, seconds, &expected);
		place(span->placement, &expected);
		rpSpan_Sample(span, seconds, getPose(&found));
		// At even pace.
		rpMotion_Sample(scene->motions[2], 0.2 + seconds, getPose(&masked));
		expected.rotations[4] = masked.rotations[4];
		expected.rotations[5] = masked.rotations[5];
		checkPose(&found, &expected);
		assert_true(rpDistance(rpSpan_GetRoot(span, seconds), expected.pose.rootPosition) < 1e-5f);
	}
	freeScene(scene);
}

// A span is carried along its path, from its placement.
static void testGroundPath(void** state)
{
	(void)state;
	Scene* scene = makeScene();
	rpSpan* span = &scene->span;
	addKeys(scene);
	// A metre per second ahead, and half a radian per second round: lines, which cubics are as well.
	span->path = (rpGroundPath){.stepCount = 4, .step = 0.25f};
	for (int i = 0; i <= 4; ++i)
	{
		span->path.places[i] = (rpGroundRate){0.0f, 0.25f * (float)i, 0.125f * (float)i};
		span->path.rates[i] = (rpGroundRate){0.0f, 1.0f, 0.5f};
	}
	for (double seconds = 0.0; seconds <= 1.0; seconds += 0.03)
	{
		float s = (float)seconds;
		rpGroundTransform along = {0.5f * s, {0.0f, 0.0f, s}}, ground = rpSpan_GetGround(span, seconds);
		rpGroundTransform expectedGround = rpGroundTransform_Compose(span->placement, along);
		assert_true(rpDistance(ground.shift, expectedGround.shift) < 1e-5f);
		assert_true(fabsf(ground.turn - expectedGround.turn) < 1e-5f);
		Posture found, expected;
		evaluatePose(scene, seconds, &expected);
		place(expectedGround, &expected);
		rpSpan_Sample(span, seconds, getPose(&found));
		checkPose(&found, &expected);
		// Or put elsewhere.
		evaluatePose(scene, seconds, &expected);
		place(along, &expected);
		rpSpan_SampleAt(span, seconds, along, getPose(&found));
		checkPose(&found, &expected);
	}
	freeScene(scene);
}

// ---- contacts

static void addContact(rpMotion* motion, rpEffector effector, int first, int end, float height)
{
	rpInterval contact = {.track = rp_trackContact,
						  .effector = effector,
						  .start = first / 30.0,
						  .end = end / 30.0,
						  .supportHeight = height};
	assert_true(rpAnnotations_AddInterval(&motion->annotations, &contact, NULL));
}

/// Contacts of a clip, in frames: long ones that go on beneath short ones, and one that follows at once.
typedef struct Contact
{
	rpEffector effector;
	int first, end;
	float height;
} Contact;

static const Contact s_contacts[] = {
	{rp_leftHeel, 0, 13, 0.25f},  {rp_leftBall, 2, 60, 0.25f},   {rp_rightHeel, 13, 14, 0.25f},
	{rp_rightToe, 20, 29, 0.25f}, {rp_rightHeel, 29, 61, 0.25f}, {rp_leftHeel, 70, 80, 0.75f},
};

enum
{
	contactCount = sizeof(s_contacts) / sizeof(s_contacts[0]),
};

static unsigned evaluateContacts(int frame, float rise, float* heights)
{
	unsigned bits = 0;
	for (int i = 0; i < contactCount; ++i)
	{
		if (frame >= s_contacts[i].first && frame < s_contacts[i].end)
		{
			bits |= 1u << s_contacts[i].effector;
			heights[s_contacts[i].effector] = s_contacts[i].height + rise;
		}
	}
	return bits;
}

// Frame by frame, from some frame of the clip on.
static void checkContacts(const rpSpan* span, int firstFrame, float rise)
{
	int over = 0;
	for (int frame = firstFrame; frame < 90; ++frame)
	{
		float expected[rp_effectorCount] = {0}, found[rp_effectorCount] = {0}, again[rp_effectorCount] = {0};
		double seconds = (frame - firstFrame) / 30.0;
		unsigned bits = evaluateContacts(frame, rise, expected);
		assert_int_equal(rpSpan_GetContacts(span, seconds, NULL, found), bits);
		assert_int_equal(rpSpan_GetContacts(span, seconds, &over, again), bits);
		for (int i = 0; i < rp_effectorCount; ++i)
		{
			assert_true(fabsf(found[i] - expected[i]) < 1e-6f && found[i] == again[i]);
		}
	}
	// The last has been dropped from the front of the list with all others.
	assert_int_equal(over, contactCount);
}

// What rests in a frame of the clip rests in the span at its time; a walker along the list sees the same.
static void testContacts(void** state)
{
	(void)state;
	Scene* scene = makeScene();
	rpSpan* span = &scene->span;
	for (int i = 0; i < contactCount; ++i)
	{
		const Contact* contact = &s_contacts[i];
		addContact(scene->motions[0], contact->effector, contact->first, contact->end, contact->height);
	}
	rpDestroyClip(scene->clips[0]);
	scene->clips[0] = rpCreateElasticClip(scene->motions[0], NULL);
	rpGroundTransform placement = {0.3f, {1.0f, 0.5f, 2.0f}};
	rpSpan_PlayClipAsIs(span, scene->clips[0], 0, 4.0, 10.0 / 30.0, placement);
	checkContacts(span, 10, 0.5f);

	// With its floor at the placement's height: that of most of the time.
	Posture high, low;
	rpSpan_Sample(span, 0.5, getPose(&high));
	rpSpan_PlayClip(span, scene->clips[0], 0, 4.0, 10.0 / 30.0, placement);
	checkContacts(span, 10, 0.25f);
	rpSpan_Sample(span, 0.5, getPose(&low));
	assert_true(fabsf(high.pose.rootPosition.y - low.pose.rootPosition.y - 0.25f) < 1e-6f);

	// Of its own.
	memcpy(span->ownContacts, scene->clips[0]->contacts, contactCount * sizeof(rpClipContact));
	span->contacts = NULL;
	checkContacts(span, 10, 0.25f);
	freeScene(scene);
}

int main(void)
{
	testUseCountingAllocator();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testKeys),     cmocka_unit_test(testSingleKey), cmocka_unit_test(testPoses),
		cmocka_unit_test(testTracks),   cmocka_unit_test(testMasks),     cmocka_unit_test(testGroundPath),
		cmocka_unit_test(testContacts),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	return failed != 0 ? failed : testCountLiveBlocks();
}
