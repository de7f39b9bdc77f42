/// Contacts on captured takes: walking has no contact and no gap under 60 ms, and steps on both sides, and never flies;
/// running has no double support; nobody's feet are far from what they rest on; jumps fly with g.
#include "contact_score.h"
#include "math/order.h"
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const rpEffector s_points[] = {rp_leftHeel, rp_leftBall, rp_rightHeel, rp_rightBall};

static rpMotion* load(const char* path)
{
	rpError error = {0};
	rpMotion* motion = rpLoadMotion(path, NULL, NULL, &error);
	assert_non_null(motion);
	assert_true(rpDetectContacts(motion, NULL, NULL, &error));
	return motion;
}

// Whether the manifest's line of a take begins its description with a word.
static bool isCalled(const char* manifest, const char* path, const char* word)
{
	const char* line = strstr(manifest, strrchr(path, '/') + 1);
	for (int comma = 0; line != NULL && comma < 6; ++comma)
	{
		line = strchr(line, ',');
		line = line != NULL ? line + 1 : NULL;
	}
	return line != NULL && strncmp(line + (*line == '"'), word, strlen(word)) == 0;
}

static char* readManifest(void)
{
	char path[1024];
	snprintf(path, sizeof(path), "%s/manifest.csv", testMocap());
	char* text = testReadFile(path, NULL);
	assert_non_null(text);
	return text;
}

// Contacts of a point that are too short, and gaps; *count grows by its contacts.
static int countShort(const rpMotion* motion, rpEffector effector, int* count)
{
	double last = -1.0, duration = rpMotion_GetDuration(motion);
	int shortCount = 0;
	for (int i = 0; i < motion->annotations.intervalCount; ++i)
	{
		const rpInterval* interval = motion->annotations.intervals + i;
		if (interval->track != rp_trackContact || interval->effector != effector)
		{
			continue;
		}
		bool cut = interval->start <= 0.0 || interval->end >= duration;
		shortCount += !cut && interval->end - interval->start < 0.06;
		shortCount += last >= 0.0 && interval->start - last < 0.06;
		last = interval->end;
		*count += 1;
	}
	return shortCount;
}

static void walkingIsSteady(void** state)
{
	(void)state;
	char* manifest = readManifest();
	const char* const* paths;
	int count = testListCapture(&paths), takes = 0, contacts = 0, lame = 0;
	for (int i = 0; i < count; ++i)
	{
		if (!isCalled(manifest, paths[i], "walk") && !isCalled(manifest, paths[i], "Walk"))
		{
			continue;
		}
		rpMotion* motion = load(paths[i]);
		int balls[2] = {0}, shortCount = 0, heels = 0;
		shortCount += countShort(motion, rp_leftHeel, &heels) + countShort(motion, rp_rightHeel, &heels);
		shortCount += countShort(motion, rp_leftBall, balls) + countShort(motion, rp_rightBall, balls + 1);
		if (shortCount > 0)
		{
			print_message("%s: %d contacts or gaps under 60 ms\n", paths[i], shortCount);
		}
		assert_int_equal(shortCount, 0);
		lame += abs(balls[0] - balls[1]) > 2;
		takes += 1;
		contacts += balls[0] + balls[1] + heels;
		rpDestroyMotion(motion);
	}
	free(manifest);
	print_message("%d walking takes, %d contacts; %d with more steps of one foot than of the other\n", takes, contacts,
				  lame);
	assert_true(takes >= 50 && contacts > 10 * takes);
	assert_true(lame <= takes / 20);
}

// How often a word is in a text.
static int countWords(const char* text, const char* word)
{
	int count = 0;
	for (const char* at = strstr(text, word); at != NULL; at = strstr(at + 1, word))
	{
		++count;
	}
	return count;
}

/// Steps of many takes.
typedef struct Gait
{
	int takes, flights, doubles, turns;
} Gait;

// What happens between two steps of takes of a description: a flight, both feet down, or something else.
static Gait observe(const char* manifest, const char* const* words, int wordCount)
{
	Gait gait = {0};
	const char* const* paths;
	int count = testListCapture(&paths);
	for (int i = 0; i < count; ++i)
	{
		bool isCounted = false;
		for (int k = 0; k < wordCount; ++k)
		{
			isCounted = isCounted || isCalled(manifest, paths[i], words[k]);
		}
		if (!isCounted)
		{
			continue;
		}
		rpMotion* motion = load(paths[i]);
		static char steps[4096];
		testGetSteps(motion, 0.0, rpMotion_GetDuration(motion), 0.0, steps, sizeof(steps));
		gait.takes += 1;
		gait.flights += countWords(steps, "LFR") + countWords(steps, "RFL");
		gait.doubles += countWords(steps, "LDR") + countWords(steps, "RDL");
		gait.turns +=
			countWords(steps, "LFL") + countWords(steps, "RFR") + countWords(steps, "LR") + countWords(steps, "RL");
		rpDestroyMotion(motion);
	}
	print_message("%s: %d takes, %d flights, %d double supports, %d other steps\n", words[0], gait.takes, gait.flights,
				  gait.doubles, gait.turns);
	return gait;
}

static void walkersNeverFly(void** state)
{
	(void)state;
	static const char* const walks[] = {"walk", "Walk", "Normal Walk", "slow walk"};
	static const char* const runs[] = {"run", "Run", "JogThrough", "RunThrough"};
	char* manifest = readManifest();
	Gait walk = observe(manifest, walks, 4), run = observe(manifest, runs, 4);
	free(manifest);
	// Run takes that stop have double supports.
	assert_true(walk.takes >= 50 && walk.doubles > 380);
	assert_true(walk.flights + walk.turns <= walk.doubles / 50);
	assert_true(run.takes >= 70 && run.flights > 200);
	assert_true(run.doubles <= run.flights / 6 && run.turns <= run.flights / 30);
}

// How far points move while they rest, metres, as a median over contacts.
static float measureRest(const rpMotion* motion, float* worst)
{
	static float distances[4096];
	int count = 0;
	for (int i = 0; i < motion->annotations.intervalCount && count < 4096; ++i)
	{
		const rpInterval* interval = motion->annotations.intervals + i;
		if (interval->track != rp_trackContact)
		{
			continue;
		}
		rpVec3 first, last;
		rpMotion_GetEffector(motion, (int)ceil(interval->start * motion->fps), interval->effector, &first);
		rpMotion_GetEffector(motion, (int)floor(interval->end * motion->fps), interval->effector, &last);
		distances[count++] = rpDistance(first, last);
		*worst = fmaxf(*worst, fabsf(first.y - last.y));
	}
	float sum = 0.0f;
	for (int i = 0; i < count; ++i)
	{
		sum += distances[i] / (float)count;
	}
	return sum;
}

/// A stance: the union of the contacts of a foot that overlap, and when its heel, ball and toe leave for the last time;
/// NAN if they have no contact.
typedef struct Stance
{
	double start, end;
	double offs[3];
} Stance;

static bool findStance(const rpMotion* motion, int side, double after, Stance* out)
{
	static const rpEffector parts[2][3] = {{rp_leftHeel, rp_leftBall, rp_leftToe},
										   {rp_rightHeel, rp_rightBall, rp_rightToe}};
	*out = (Stance){INFINITY, -INFINITY, {(double)NAN, (double)NAN, (double)NAN}};
	for (int i = 0; i < motion->annotations.intervalCount; ++i)
	{
		const rpInterval* contact = motion->annotations.intervals + i;
		for (int part = 0; part < 3; ++part)
		{
			bool isOwn = contact->track == rp_trackContact && contact->effector == parts[side][part];
			if (isOwn && contact->start > after && (out->end < out->start || contact->start <= out->end))
			{
				out->start = fmin(out->start, contact->start);
				out->end = fmax(out->end, contact->end);
				out->offs[part] = fmax(contact->end, isnan(out->offs[part]) ? 0.0 : out->offs[part]);
			}
		}
	}
	return out->start <= out->end;
}

// The heel leaves before the ball, the ball before the toe; only a few, of steps backwards, leave with the heel.
static void stagesAreInOrder(void** state)
{
	(void)state;
	const char* const* paths;
	int count = testListCapture(&paths), stances = 0, heelLast = 0;
	for (int i = 0; i < count; ++i)
	{
		rpMotion* motion = load(paths[i]);
		for (int side = 0; side < 2; ++side)
		{
			Stance stance;
			for (double after = -1.0; findStance(motion, side, after, &stance); after = stance.end)
			{
				stances += 1;
				heelLast += stance.offs[0] > stance.offs[1] + 1e-6;
				assert_false(stance.offs[1] > stance.offs[2] + 1e-6);
			}
		}
		rpDestroyMotion(motion);
	}
	print_message("%d stances, %d of them leave with the heel\n", stances, heelLast);
	assert_true(stances > 1800 && heelLast <= stances / 300);
}

// When, after a contact's middle, a ball is higher than 2.5 cm above its place there: by the frames alone.
static double findBallRise(const rpMotion* motion, const rpInterval* contact)
{
	rpVec3 rest, place;
	int middle = (int)(0.5 * (contact->start + contact->end) * motion->fps);
	if (!rpMotion_GetEffector(motion, middle, contact->effector, &rest))
	{
		return INFINITY;
	}
	for (int f = middle; f < motion->frameCount; ++f)
	{
		if (rpMotion_GetEffector(motion, f, contact->effector, &place) && place.y > rest.y + 0.025f)
		{
			return f / motion->fps;
		}
	}
	return INFINITY;
}

// A ball bears until shortly before it leaves. Contacts of balls that rest, not bear, end 0.2 s before (median).
static void ballsBearUntilTheyLeave(void** state)
{
	(void)state;
	static float early[8192];
	char* manifest = readManifest();
	const char* const* paths;
	int count = testListCapture(&paths), earlyCount = 0;
	for (int i = 0; i < count; ++i)
	{
		if (!isCalled(manifest, paths[i], "walk") && !isCalled(manifest, paths[i], "Walk"))
		{
			continue;
		}
		rpMotion* motion = load(paths[i]);
		for (int k = 0; k < motion->annotations.intervalCount && earlyCount < 8192; ++k)
		{
			const rpInterval* contact = motion->annotations.intervals + k;
			bool isBall = contact->effector == rp_leftBall || contact->effector == rp_rightBall;
			double rise = contact->track == rp_trackContact && isBall ? findBallRise(motion, contact) : INFINITY;
			if (isfinite(rise))
			{
				early[earlyCount++] = (float)(rise - contact->end);
			}
		}
		rpDestroyMotion(motion);
	}
	free(manifest);
	assert_true(earlyCount > 300);
	qsort(early, (size_t)earlyCount, sizeof(float), rpCompareFloats);
	print_message("%d balls of walkers end %.0f ms before they rise by 2.5 cm (median), 9 of 10 less than %.0f ms\n",
				  earlyCount, 1e3 * (double)early[earlyCount / 2], 1e3 * (double)early[9 * earlyCount / 10]);
	assert_true(early[earlyCount / 2] < 0.06f && early[9 * earlyCount / 10] < 0.12f);
}

static void allTakesAreRead(void** state)
{
	(void)state;
	const char* const* paths;
	int count = testListCapture(&paths), without = 0;
	float sum = 0.0f, worst = 0.0f;
	for (int i = 0; i < count; ++i)
	{
		rpMotion* motion = load(paths[i]);
		int contacts = 0;
		for (int k = 0; k < 4; ++k)
		{
			countShort(motion, s_points[k], &contacts);
		}
		without += contacts == 0;
		sum += measureRest(motion, &worst) / (float)count;
		rpDestroyMotion(motion);
	}
	print_message("%d takes, %d without contacts; points move by %.1f mm from begin to end of a contact (mean)\n",
				  count, without, 1e3 * (double)sum);
	// In 104_48, a run of a second, the feet slide at more than 1 m/s.
	assert_true(without <= 1);
	assert_true(sum < 0.03f);
}

static void jumpsFall(void** state)
{
	(void)state;
	const char* const* paths;
	int count = testListCapture(&paths), fallCount = 0;
	float falls[64];
	for (int i = 0; i < count; ++i)
	{
		if (strstr(paths[i], "/118/") == NULL)
		{
			continue;
		}
		rpMotion* motion = load(paths[i]);
		rpFlight flights[8];
		int flightCount = rpFindFlights(motion, flights, 8, NULL);
		for (int k = 0; k < flightCount && k < 8 && fallCount < 64; ++k)
		{
			if (flights[k].end - flights[k].start > 0.25)
			{
				falls[fallCount++] = flights[k].gravity;
			}
		}
		rpDestroyMotion(motion);
	}
	assert_true(fallCount >= 8);
	qsort(falls, (size_t)fallCount, sizeof(float), rpCompareFloats);
	print_message("%d flights of subject 118 fall with %.2f m/s² (median)\n", fallCount, (double)falls[fallCount / 2]);
	assert_true(falls[fallCount / 2] > 9.0f && falls[fallCount / 2] < 11.0f);
}

static bool holds(const rpMotion* motion, rpEffector effector, double seconds)
{
	return rpMotion_IsInContact(motion, effector, seconds);
}

static rpMotion* loadTake(const char* name)
{
	const char* const* paths;
	int count = testListCapture(&paths);
	for (int i = 0; i < count; ++i)
	{
		if (strstr(paths[i], name) != NULL)
		{
			return load(paths[i]);
		}
	}
	fail_msg("no take %s", name);
	return NULL;
}

// A stool, and the hands of a cartwheel, which bear the body where the feet do not.
static void holdsAreFound(void** state)
{
	(void)state;
	rpMotion* stool = loadTake("13_06.bvh");
	assert_true(holds(stool, rp_seat, 8.0) && holds(stool, rp_seat, 20.0) && holds(stool, rp_seat, 32.0));
	assert_false(holds(stool, rp_seat, 1.0) || holds(stool, rp_seat, 13.5) || holds(stool, rp_seat, 27.0));
	rpDestroyMotion(stool);
	rpMotion* wheel = loadTake("49_06.bvh");
	rpFlight flight;
	assert_true(holds(wheel, rp_leftHand, 2.2) && holds(wheel, rp_rightHand, 2.0));
	assert_false(holds(wheel, rp_leftHand, 1.0) || holds(wheel, rp_leftHand, 3.5));
	assert_int_equal(rpFindFlights(wheel, &flight, 1, NULL), 0);
	rpDestroyMotion(wheel);
}

// Real people stand over their feet and fall with gravity.
static void physicsHold(void** state)
{
	(void)state;
	const char* const* paths;
	int count = testListCapture(&paths), unbalanced = 0, floating = 0;
	for (int i = 0; i < count; ++i)
	{
		rpMotion* motion = load(paths[i]);
		rpMeasures measures;
		assert_true(rpEvaluate(motion, NULL, &measures, NULL));
		unbalanced += measures.values[rp_measureBalance] > 0.2;
		floating += measures.values[rp_measureGravity] > 0.3;
		rpDestroyMotion(motion);
	}
	print_message("of %d takes %d seem out of balance, %d seem to fall falsely\n", count, unbalanced, floating);
	assert_int_equal(unbalanced, 0);
	// A dancer on her toes, and two short runs with feet that slide.
	assert_true(floating <= 3);
}

int main(void)
{
	testSkipWithoutMocap();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(walkingIsSteady),         cmocka_unit_test(walkersNeverFly),
		cmocka_unit_test(allTakesAreRead),         cmocka_unit_test(stagesAreInOrder),
		cmocka_unit_test(ballsBearUntilTheyLeave), cmocka_unit_test(jumpsFall),
		cmocka_unit_test(holdsAreFound),           cmocka_unit_test(physicsHold),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
