/// Offsets that decay: value and velocity at both ends, no overshoot, poses that meet.
#include "support.h"

#include "blend/displacement.h"

enum
{
	jointCount = 5,
};

static rpVec3 drawVector(rpRandom* random, float size)
{
	return (rpVec3){rpRandom_Range(random, -size, size), rpRandom_Range(random, -size, size),
					rpRandom_Range(random, -size, size)};
}

static rpOffset drawOffset(rpRandom* random)
{
	return (rpOffset){drawVector(random, 0.5f), drawVector(random, 2.0f)};
}

static void assertNear(rpVec3 a, rpVec3 b, float tolerance)
{
	if (!(rpDistance(a, b) <= tolerance))
	{
		fail_msg("(%g, %g, %g) is not (%g, %g, %g)", (double)a.x, (double)a.y, (double)a.z, (double)b.x, (double)b.y,
				 (double)b.z);
	}
}

// Value and slope at the start as given, nothing left at the end, and nothing beyond it.
static void testEnds(void** state)
{
	(void)state;
	rpRandom random = rpSeedRandom(1);
	for (int n = 0; n < 200; ++n)
	{
		rpOffset offset = drawOffset(&random);
		float length = rpRandom_Range(&random, 0.12f, 1.0f), h = 1e-3f;
		for (int decay = rp_decayCubic; decay <= rp_decayQuintic; ++decay)
		{
			rpVec3 atStart = rpDecayOffset(&offset, (rpDecay)decay, 0.0f, length);
			rpVec3 next = rpDecayOffset(&offset, (rpDecay)decay, h, length);
			rpVec3 third = rpDecayOffset(&offset, (rpDecay)decay, 2.0f * h, length);
			rpVec3 slope =
				rpScale(0.5f / h, rpSub(rpSub(rpScale(4.0f, next), rpScale(3.0f, atStart)), third)); // second order
			assertNear(atStart, offset.value, 1e-6f);
			assertNear(slope, offset.rate, 0.01f * rpLength(offset.rate) + 0.05f);
			assertNear(rpDecayOffset(&offset, (rpDecay)decay, length, length), rpVec3_zero, 0.0f);
			assertNear(rpDecayOffset(&offset, (rpDecay)decay, 1.5f * length, length), rpVec3_zero, 0.0f);
			// The last hundredth: no slope is left.
			rpVec3 late = rpDecayOffset(&offset, (rpDecay)decay, 0.99f * length, length);
			assert_true(rpLength(late) < 1e-3f);
		}
	}
}

// Without velocity the cubic is the thesis' 2t³-3t²+1.
static void testThesisFunction(void** state)
{
	(void)state;
	rpOffset offset = {{1.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}};
	for (int i = 0; i <= 20; ++i)
	{
		float t = (float)i / 20.0f;
		float value = rpDecayOffset(&offset, rp_decayCubic, t * 0.4f, 0.4f).x;
		assert_true(fabsf(value - (2.0f * t * t * t - 3.0f * t * t + 1.0f)) < 1e-6f);
	}
}

// An offset on its way to zero: the quintic arrives and stays; it grows no larger than it was. One that has nearly
// arrived overshoots by less than a tenth of what its speed makes in a tenth of a second.
static void testNoOvershoot(void** state)
{
	(void)state;
	for (float speed = 0.0f; speed <= 8.0f; speed += 0.25f)
	{
		rpOffset offset = {{0.0f, 0.2f, 0.0f}, {0.0f, -speed, 0.0f}};
		float before = 0.2f;
		for (int i = 0; i <= 100; ++i)
		{
			float value = rpDecayOffset(&offset, rp_decayQuintic, 0.005f * (float)i, 0.5f).y;
			assert_true(value >= 0.0f && value <= before + 1e-6f);
			before = value;
		}
	}
	rpOffset offset = {{0.0f, 1e-4f, 0.0f}, {0.0f, -4.0f, 0.0f}};
	float least = 0.0f;
	for (int i = 0; i <= 100; ++i)
	{
		least = fminf(least, rpDecayOffset(&offset, rp_decayQuintic, 0.005f * (float)i, 0.5f).y);
	}
	assert_true(least < 0.0f && least > -0.1f * 4.0f * 0.1f);
}

// It makes no difference in which axes an offset is written.
static void testAxes(void** state)
{
	(void)state;
	rpRandom random = rpSeedRandom(2);
	for (int n = 0; n < 100; ++n)
	{
		rpOffset offset = drawOffset(&random);
		rpQuat turn = rpExpQuat(drawVector(&random, 2.0f));
		rpOffset turned = {rpRotate(turn, offset.value), rpRotate(turn, offset.rate)};
		float time = rpRandom_Range(&random, 0.0f, 0.4f);
		for (int decay = rp_decayCubic; decay <= rp_decayQuintic; ++decay)
		{
			rpVec3 rest = rpDecayOffset(&offset, (rpDecay)decay, time, 0.4f);
			assertNear(rpDecayOffset(&turned, (rpDecay)decay, time, 0.4f), rpRotate(turn, rest), 1e-5f);
		}
	}
}

/// A motion by formula: every joint turns about a fixed axis at a fixed speed, bones and root move on lines.
typedef struct Mover
{
	rpVec3 place, speed;
	rpQuat turns[jointCount];
	rpVec3 spins[jointCount];
	rpVec3 bones[jointCount], growths[jointCount];
} Mover;

static Mover drawMover(rpRandom* random, float turn)
{
	Mover mover = {.place = drawVector(random, 1.0f), .speed = drawVector(random, 2.0f)};
	for (int i = 0; i < jointCount; ++i)
	{
		mover.turns[i] = rpExpQuat(drawVector(random, turn));
		mover.spins[i] = drawVector(random, 3.0f);
		mover.bones[i] = drawVector(random, 0.3f);
		mover.growths[i] = drawVector(random, 0.1f);
	}
	return mover;
}

static void sampleMover(const Mover* mover, float time, rpPose* out)
{
	out->rootPosition = rpMulAdd(mover->place, time, mover->speed);
	for (int i = 0; i < jointCount; ++i)
	{
		out->rotations[i] = rpMulQuat(mover->turns[i], rpExpQuat(rpScale(time, mover->spins[i])));
		out->translations[i] = rpMulAdd(mover->bones[i], time, mover->growths[i]);
	}
}

typedef struct Posture
{
	rpPose pose;
	rpQuat rotations[jointCount];
	rpVec3 translations[jointCount];
} Posture;

static rpPose* getPose(Posture* posture)
{
	posture->pose.rotations = posture->rotations;
	posture->pose.translations = posture->translations;
	return &posture->pose;
}

static void measure(const Mover* from, const Mover* to, float h, rpDisplacement* displacement)
{
	Posture poses[4];
	sampleMover(from, 0.0f, getPose(poses));
	sampleMover(to, 0.0f, getPose(poses + 1));
	rpDisplacement_Measure(displacement, &poses[0].pose, &poses[1].pose);
	sampleMover(from, -h, getPose(poses));
	sampleMover(to, -h, getPose(poses + 1));
	sampleMover(from, h, getPose(poses + 2));
	sampleMover(to, h, getPose(poses + 3));
	rpDisplacement_MeasureRates(displacement, &poses[0].pose, &poses[1].pose, &poses[2].pose, &poses[3].pose, 2.0f * h);
}

// The pose of the joined motion: `from` before 0, `to` after it.
static void sampleJoined(const Mover* from, const Mover* to, const rpDisplacement* displacement, rpDecay decay,
						 float share, float time, Posture* out)
{
	bool isBefore = time < 0.0f;
	sampleMover(isBefore ? from : to, time, getPose(out));
	rpDisplacement_Add(displacement, decay, isBefore ? share - 1.0f : share, time, 0.4f, &out->pose);
}

// The slope at the first of three values, of second order.
static rpVec3 getSlope(rpVec3 first, rpVec3 second, rpVec3 third, float h)
{
	return rpScale(0.5f / h, rpSub(rpSub(rpScale(4.0f, second), rpScale(3.0f, first)), third));
}

static rpVec3 getSpin(const Posture* poses, int joint, float h)
{
	rpQuat back = rpConjugate(poses[0].rotations[joint]);
	return getSlope(rpVec3_zero, rpLogQuat(rpMulQuat(poses[1].rotations[joint], back)),
					rpLogQuat(rpMulQuat(poses[2].rotations[joint], back)), h);
}

static rpVec3 getGrowth(const Posture* poses, int joint, float h)
{
	return getSlope(poses[0].translations[joint], poses[1].translations[joint], poses[2].translations[joint], h);
}

static void checkMeeting(const Posture* past, const Posture* next, float h)
{
	assertNear(past[0].pose.rootPosition, next[0].pose.rootPosition, 2e-5f);
	assertNear(getSlope(past[0].pose.rootPosition, past[1].pose.rootPosition, past[2].pose.rootPosition, -h),
			   getSlope(next[0].pose.rootPosition, next[1].pose.rootPosition, next[2].pose.rootPosition, h), 0.02f);
	for (int i = 0; i < jointCount; ++i)
	{
		assert_true(rpAngleBetween(past[0].rotations[i], next[0].rotations[i]) < 1e-3f);
		assertNear(getSpin(past, i, -h), getSpin(next, i, h), 0.05f);
		assertNear(past[0].translations[i], next[0].translations[i], 2e-5f);
		assertNear(getGrowth(past, i, -h), getGrowth(next, i, h), 0.02f);
	}
}

// The two sides meet in place and velocity in every degree of freedom, whatever the shares: C1.
static void testMeeting(void** state)
{
	(void)state;
	rpRandom random = rpSeedRandom(3);
	rpOffset offsets[1 + 2 * jointCount];
	rpDisplacement displacement = {jointCount, true, offsets};
	assert_int_equal(rpCountOffsets(jointCount, true), 1 + 2 * jointCount);
	const float h = 2e-3f, tiny = 1e-6f, shares[] = {0.5f, 1.0f, 0.25f};
	for (int n = 0; n < 60; ++n)
	{
		// Later draws are up to half a turn apart, where logarithms change their branch.
		Mover from = drawMover(&random, n < 30 ? 0.4f : 1.8f), to = drawMover(&random, n < 30 ? 0.4f : 1.8f);
		float share = shares[n % 3];
		rpDecay decay = n % 2 == 0 ? rp_decayCubic : rp_decayQuintic;
		measure(&from, &to, h, &displacement);
		Posture past[3], next[3];
		for (int k = 0; k < 3; ++k)
		{
			sampleJoined(&from, &to, &displacement, decay, share, -tiny - h * (float)k, past + k);
			sampleJoined(&from, &to, &displacement, decay, share, tiny + h * (float)k, next + k);
		}
		checkMeeting(past, next, h);
	}
}

// Far from the moment nothing is changed.
static void testBeyond(void** state)
{
	(void)state;
	rpRandom random = rpSeedRandom(4);
	rpOffset offsets[1 + 2 * jointCount];
	rpDisplacement displacement = {jointCount, true, offsets};
	Mover from = drawMover(&random, 0.4f), to = drawMover(&random, 0.4f);
	measure(&from, &to, 1e-2f, &displacement);
	Posture plain, joined;
	sampleMover(&to, 0.4f, getPose(&plain));
	sampleJoined(&from, &to, &displacement, rp_decayCubic, 0.5f, 0.4f, &joined);
	assert_memory_equal(plain.rotations, joined.rotations, sizeof(plain.rotations));
	assert_memory_equal(&plain.pose.rootPosition, &joined.pose.rootPosition, sizeof(rpVec3));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testEnds), cmocka_unit_test(testThesisFunction), cmocka_unit_test(testNoOvershoot),
		cmocka_unit_test(testAxes), cmocka_unit_test(testMeeting),        cmocka_unit_test(testBeyond),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
