/// Feet of players: what rests does not move, whatever the gait, the path and the ticks.
#include "feet/foot_hold.h"
#include "locomotion_scene.h"
#include "math/order.h"
#include "motion/kinematics.h"

#include <math.h>
#include <stdlib.h>

static TestLocomotion s_takes;
static rpLocomotion* s_model;

static int setUp(void** state)
{
	(void)state;
	s_takes = testPerformAllGaits(60.0, 21);
	s_model = testBuildLocomotion(&s_takes, true);
	return 0;
}

static int tearDown(void** state)
{
	(void)state;
	rpDestroyLocomotion(s_model);
	testFreeLocomotion(&s_takes);
	return 0;
}

enum
{
	directionCount = 8,
};

// Edges of contacts are soft, seconds: what is held is what lies between.
#define EDGE 0.055

enum
{
	// At 240 Hz.
	edgeFrames = 16,
};

/// What is known of a contact that is on: since when, the last places, and the extent of those before on the floor.
typedef struct Contact
{
	bool isOn;
	double start;
	rpVec3 places[edgeFrames];
	double times[edgeFrames];
	int count;
	bool hasExtent;
	float low[directionCount], high[directionCount];
} Contact;

/// Slides of contacts, metres.
typedef struct Slides
{
	Contact contacts[rp_effectorCount];
	double sum, max;
	int count;
} Slides;

static void growExtent(Contact* contact, rpVec3 place)
{
	for (int i = 0; i < directionCount; ++i)
	{
		double angle = RP_PI * i / directionCount;
		float along = (float)(cos(angle) * (double)place.x + sin(angle) * (double)place.z);
		contact->low[i] = contact->hasExtent ? fminf(contact->low[i], along) : along;
		contact->high[i] = contact->hasExtent ? fmaxf(contact->high[i], along) : along;
	}
	contact->hasExtent = true;
}

// A place counts once the contact has gone on for an edge after it.
static void growContact(Contact* contact, rpVec3 place, double time)
{
	if (!contact->isOn)
	{
		*contact = (Contact){.isOn = true, .start = time};
	}
	contact->places[contact->count % edgeFrames] = place;
	contact->times[contact->count++ % edgeFrames] = time;
	for (int i = 0; i < edgeFrames && i < contact->count; ++i)
	{
		double at = contact->times[i];
		if (at >= contact->start + EDGE && at <= time - EDGE)
		{
			growExtent(contact, contact->places[i]);
		}
	}
}

static void endContact(Slides* slides, Contact* contact)
{
	float slide = 0.0f;
	for (int i = 0; i < directionCount; ++i)
	{
		slide = fmaxf(slide, contact->high[i] - contact->low[i]);
	}
	bool counts = contact->isOn && contact->hasExtent;
	slides->sum += counts ? (double)slide : 0.0;
	slides->count += counts;
	slides->max = counts ? fmax(slides->max, (double)slide) : slides->max;
	contact->isOn = false;
}

static void addPose(Slides* slides, const rpSkeleton* skeleton, const rpPose* pose, const rpPlayerReport* report)
{
	static const rpEffector soles[] = {rp_leftHeel, rp_leftBall, rp_rightHeel, rp_rightBall};
	rpTransform world[RP_MAX_JOINTS];
	rpSkeleton_Forward(skeleton, pose->rootPosition, pose->rotations, NULL, world);
	for (int i = 0; i < 4; ++i)
	{
		const rpAttachment* point = &skeleton->effectors[soles[i]];
		Contact* contact = &slides->contacts[soles[i]];
		if ((report->contacts >> soles[i] & 1) != 0)
		{
			growContact(contact, rpTransformPoint(world[point->joint], point->offset), report->time);
		}
		else
		{
			endContact(slides, contact);
		}
	}
}

enum
{
	maxFrames = 240 * 60,
};

/// How joints are accelerated: the last places of them, and the most in each frame, m/s².
typedef struct Jolts
{
	rpVec3 places[3][RP_MAX_JOINTS];
	float sizes[maxFrames];
	int count;
} Jolts;

static void addJolt(Jolts* jolts, const rpSkeleton* skeleton, const rpPose* pose, double fps)
{
	rpTransform world[RP_MAX_JOINTS];
	float max = 0.0f;
	rpSkeleton_Forward(skeleton, pose->rootPosition, pose->rotations, NULL, world);
	for (int i = 0; i < skeleton->jointCount; ++i)
	{
		jolts->places[0][i] = jolts->places[1][i];
		jolts->places[1][i] = jolts->places[2][i];
		jolts->places[2][i] = world[i].p;
		rpVec3 change = rpSub(rpAdd(jolts->places[2][i], jolts->places[0][i]), rpScale(2.0f, jolts->places[1][i]));
		max = fmaxf(max, rpLength(change) * (float)(fps * fps));
	}
	assert_true(jolts->count < maxFrames);
	jolts->sizes[jolts->count] = jolts->count >= 2 ? max : 0.0f;
	++jolts->count;
}

// What but one frame in so many is below.
static double getJolt(Jolts* jolts, int share)
{
	qsort(jolts->sizes, (size_t)jolts->count, sizeof(float), rpCompareFloats);
	return (double)jolts->sizes[jolts->count - 1 - jolts->count / share];
}

// Whims of half a second to four; jolts may be NULL.
static Slides playWhims(double fps, const rpPlayerDef* def, uint64_t seed, double seconds, Jolts* jolts)
{
	TestPlay play = testStartPlay(s_model, def, 1.0);
	rpRandom random = rpSeedRandom(seed);
	rpQuat rotations[RP_MAX_JOINTS];
	rpPose pose = {.rotations = rotations};
	rpPlayerReport report;
	rpPlayerInput input = {0};
	Slides slides = {0};
	double until = 0.0;
	for (int i = 0; i < (int)(seconds * fps); ++i)
	{
		if (i / fps >= until)
		{
			input = (rpPlayerInput){.request = (rpGait)rpRandom_Index(&random, rp_gaitCount),
									.locomotion.turn = rpRandom_Range(&random, -0.7f, 0.7f)};
			input.locomotion.speed =
				input.request == rp_gaitRun ? rpRandom_Range(&random, 2.4f, 3.6f) : rpRandom_Range(&random, 0.8f, 1.8f);
			until = i / fps + (double)rpRandom_Range(&random, 0.5f, 4.0f);
		}
		rpPlayer_Step(play.player, i > 0 ? 1.0 / fps : 0.0, &input, &pose, &report);
		addPose(&slides, rpPlayer_GetSkeleton(play.player), &pose, &report);
		if (jolts != NULL)
		{
			addJolt(jolts, rpPlayer_GetSkeleton(play.player), &pose, fps);
		}
	}
	testEndPlay(&play);
	return slides;
}

// Locks are not seen: joints are jolted hardly more than without them. (But for one frame in 5000 by 1.4 if feet did
// not draw the body along.)
static void locksSoftly(void** state)
{
	(void)state;
	static Jolts locked, unlocked;
	rpPlayerDef def = rpDefaultPlayerDef();
	playWhims(60.0, &def, 51, 240.0, &locked);
	def.lockFeet = false;
	playWhims(60.0, &def, 51, 240.0, &unlocked);
	double max = getJolt(&locked, maxFrames + 1), many = getJolt(&locked, 5000);
	double maxFree = getJolt(&unlocked, maxFrames + 1), manyFree = getJolt(&unlocked, 5000);
	print_message("joints: at most %.1f m/s², but for one frame in 5000 %.1f; without locks %.1f and %.1f\n", max, many,
				  maxFree, manyFree);
	assert_true(many < 1.2 * manyFree);
	assert_true(max < 1.5 * maxFree);
}

// At any rate of ticks, locked as they come down and ahead.
static void staysAtAnyRate(void** state)
{
	(void)state;
	static const double rates[] = {24.0, 30.0, 60.0, 90.0, 144.0, 240.0};
	for (int i = 0; i < 12; ++i)
	{
		double lookAhead = i < 6 ? 0.0 : 0.7;
		rpPlayerDef def = rpDefaultPlayerDef();
		def.lookAhead = lookAhead;
		Slides slides = playWhims(rates[i % 6], &def, 31 + (uint64_t)i, 60.0, NULL);
		print_message("%3.0f Hz, %.1f s ahead: %d contacts slide %.4f mm on the average, %.3f at most\n", rates[i % 6],
					  lookAhead, slides.count, 1e3 * slides.sum / slides.count, 1e3 * slides.max);
		assert_true(slides.count > 50);
		assert_true(slides.sum / slides.count < 2e-4);
		assert_true(slides.max < 2e-3);
	}
}

// A player that leaves feet as the blends have them shows that they would slide: the measure can fail.
static void slidesUnlocked(void** state)
{
	(void)state;
	rpPlayerDef def = rpDefaultPlayerDef();
	def.lockFeet = false;
	TestPlay play = testStartPlay(s_model, &def, 20.0);
	rpPlayerInput input = {.request = rp_gaitRun, .locomotion.speed = 3.1f, .locomotion.turn = 0.3f};
	Slides slides = {0};
	testPlayOn(&play, &input, 20.0);
	testFinishPlay(&play);
	for (int i = 0; i < play.frameCount; ++i)
	{
		rpPose pose = {.rootPosition = play.motion->rootPositions[i],
					   .rotations = play.motion->rotations + (size_t)i * (size_t)play.motion->skeleton->jointCount};
		addPose(&slides, play.motion->skeleton, &pose, &play.reports[i]);
	}
	assert_true(slides.max > 2e-3);
	testEndPlay(&play);
}

/// A foot rig on a frame of a take.
typedef struct Stance
{
	rpFootRig rig;
	rpQuat rotations[RP_MAX_JOINTS];
	rpPose pose;
} Stance;

static Stance* takeStance(int frame)
{
	const rpMotion* take = s_takes.takes[0];
	Stance* stance = calloc(1, sizeof(Stance));
	assert_true(rpFootRig_Init(&stance->rig, take->skeleton));
	stance->pose = (rpPose){.rootPosition = take->rootPositions[frame], .rotations = stance->rotations};
	for (int i = 0; i < take->skeleton->jointCount; ++i)
	{
		stance->rotations[i] = rpMotion_GetRotations(take, frame)[i];
	}
	return stance;
}

static rpVec3 getSole(const Stance* stance, int side, int point)
{
	rpTransform world[RP_MAX_JOINTS];
	rpFootSample sample;
	rpFootRig_Forward(&stance->rig, stance->pose.rootPosition, stance->rotations, NULL, world);
	rpLeg_Sample(&stance->rig.legs[side], world, &sample);
	return sample.sole[point];
}

// Between two poses: at their own times they are as they were, in between what rests moves straight from the one to the
// other.
static void holdsBetweenFrames(void** state)
{
	(void)state;
	static rpTransform world[3 * RP_MAX_JOINTS];
	int jointCount = s_takes.takes[0]->skeleton->jointCount;
	for (int i = 0; i <= 4; ++i)
	{
		Stance *a = takeStance(200), *b = takeStance(203), *between = takeStance(200);
		float t = 0.25f * (float)i;
		rpSlerpMany(a->rotations, b->rotations, t, jointCount, between->rotations);
		between->pose.rootPosition = rpLerp(a->pose.rootPosition, b->pose.rootPosition, t);
		rpHoldFeet(&a->rig, &a->pose, &b->pose, t, 1u << rp_leftHeel | 1u << rp_rightBall, world, &between->pose);
		rpVec3 heel = rpLerp(getSole(a, 0, 0), getSole(b, 0, 0), t);
		rpVec3 ball = rpLerp(getSole(a, 1, 1), getSole(b, 1, 1), t);
		assert_true(rpDistance(heel, getSole(between, 0, 0)) < 2e-5f);
		assert_true(rpDistance(ball, getSole(between, 1, 1)) < 2e-5f);
		for (int j = 0; j < jointCount && i % 4 == 0; ++j)
		{
			assert_true(rpAngleBetween((i == 0 ? a : b)->rotations[j], between->rotations[j]) < 2e-3f);
		}
		free(a);
		free(b);
		free(between);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(staysAtAnyRate),
		cmocka_unit_test(slidesUnlocked),
		cmocka_unit_test(locksSoftly),
		cmocka_unit_test(holdsBetweenFrames),
	};
	return cmocka_run_group_tests(tests, setUp, tearDown);
}
