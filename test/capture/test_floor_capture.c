/// Captured people on their floors: resting feet are at the height of a sole above y = 0, and so is the body of a GLB.
#include "floor_scene.h"
#include "support.h"

#include "file/glb_body.h"
#include "math/order.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
	maxSubject = 200,
	maxValues = 200000,
};

static int getSubject(const char* path)
{
	return atoi(strrchr(path, '/') + 1);
}

static float getPercentile(float* values, int count, int percent)
{
	qsort(values, (size_t)count, sizeof(float), rpCompareFloats);
	return values[(count - 1) * percent / 100];
}

static rpMotion* load(const char* path, bool keepFloor)
{
	rpReadDef def = rpDefaultReadDef();
	def.keepFloor = keepFloor;
	rpMotion* motion = rpLoadMotion(path, &def, NULL, NULL);
	assert_non_null(motion);
	assert_true(rpDetectContacts(motion, NULL, NULL, NULL));
	return motion;
}

// The median height of what heels and balls rest on, as contacts have it, which know nothing of the doctor's floor.
static bool getSupportHeight(const rpMotion* motion, float* out)
{
	float heights[4096];
	int count = 0;
	for (int i = 0; i < motion->annotations.intervalCount && count < 4096; ++i)
	{
		const rpInterval* interval = motion->annotations.intervals + i;
		bool isSole = interval->effector == rp_leftHeel || interval->effector == rp_leftBall ||
					  interval->effector == rp_rightHeel || interval->effector == rp_rightBall;
		if (interval->track == rp_trackContact && isSole)
		{
			heights[count++] = interval->supportHeight;
		}
	}
	*out = count > 0 ? getPercentile(heights, count, 50) : 0.0f;
	return count > 0;
}

// Between takes, floors differ by centimetres before, and by millimetres after.
static void takesStandAtZero(void** state)
{
	(void)state;
	const char* const* paths = NULL;
	int count = testListCapture(&paths), counts[2] = {0, 0};
	static float heights[2][1000];
	for (int i = 0; i < count; ++i)
	{
		for (int mended = 0; mended < 2; ++mended)
		{
			rpMotion* motion = load(paths[i], mended == 0);
			counts[mended] += getSupportHeight(motion, &heights[mended][counts[mended]]);
			rpDestroyMotion(motion);
		}
	}
	float low[2], middle[2], high[2];
	for (int i = 0; i < 2; ++i)
	{
		low[i] = getPercentile(heights[i], counts[i], 5);
		middle[i] = getPercentile(heights[i], counts[i], 50);
		high[i] = getPercentile(heights[i], counts[i], 95);
	}
	print_message("stances before %.1f … %.1f … %.1f cm, after %.1f … %.1f … %.1f cm\n", (double)low[0] * 100.0,
				  (double)middle[0] * 100.0, (double)high[0] * 100.0, (double)low[1] * 100.0, (double)middle[1] * 100.0,
				  (double)high[1] * 100.0);
	// Of heel and ball the higher one rests too: the median is a little above the lower ones'.
	assert_true(fabsf(middle[1]) < 0.006f);
	assert_true(high[1] - low[1] < 0.5f * (high[0] - low[0]));
}

// ---- sessions ----

/// Where heels and balls rest, less the median height of the take.
typedef struct Rests
{
	rpVec3 places[20000];
	int count;
	/// Of each take.
	float heights[300];
	int takeCount;
} Rests;

// Farther than this from the take's median is another level.
#define SAME_LEVEL 0.05f

static void addRests(const rpMotion* motion, Rests* out)
{
	float middle;
	if (!getSupportHeight(motion, &middle))
	{
		return;
	}
	out->heights[out->takeCount++] = middle;
	rpVec3 sum = rpVec3_zero;
	int first = out->count;
	for (int i = 0; i < motion->annotations.intervalCount && out->count < 20000; ++i)
	{
		const rpInterval* interval = motion->annotations.intervals + i;
		rpVec3 place;
		if (rpInterval_IsFootContact(interval) && fabsf(interval->supportHeight - middle) < SAME_LEVEL &&
			rpMotion_GetEffector(motion, rpMotion_GetFrame(motion, 0.5 * (interval->start + interval->end)),
								 interval->effector, &place))
		{
			place.y = interval->supportHeight - middle;
			out->places[out->count++] = place;
			sum = rpAdd(sum, place);
		}
	}
	// Tilts are measured within takes: each about its own middle.
	for (int i = first; i < out->count; ++i)
	{
		out->places[i] = rpSub(out->places[i], rpScale(1.0f / (float)(out->count - first), sum));
	}
}

// By plain least squares, cm/m, along the direction in which the places spread most; spread in metres, and the tilt's
// standard error.
static double getTilt(const Rests* rests, double* spread, double* sure)
{
	double xx = 0.0, xz = 0.0, zz = 0.0, xy = 0.0, zy = 0.0;
	for (int i = 0; i < rests->count; ++i)
	{
		rpVec3 p = rests->places[i];
		xx += (double)(p.x * p.x);
		xz += (double)(p.x * p.z);
		zz += (double)(p.z * p.z);
		xy += (double)(p.x * p.y);
		zy += (double)(p.z * p.y);
	}
	double angle = 0.5 * atan2(2.0 * xz, xx - zz), c = cos(angle), s = sin(angle);
	double max = c * c * xx + 2.0 * c * s * xz + s * s * zz;
	*spread = sqrt(max / rests->count);
	double slope = (c * xy + s * zy) / max, sum = 0.0;
	for (int i = 0; i < rests->count; ++i)
	{
		rpVec3 p = rests->places[i];
		double off = (double)p.y - slope * (c * (double)p.x + s * (double)p.z);
		sum += off * off;
	}
	*sure = 100.0 * sqrt(sum / rests->count / max);
	return 100.0 * fabs(slope);
}

static void addSession(const char* library, const char* const* paths, int count)
{
	rpLibrary* opened = rpOpenLibrary(library, rp_openCreate, NULL);
	assert_non_null(opened);
	assert_int_equal(rpLibrary_AddFiles(opened, paths, count, NULL, NULL), count);
	rpCloseLibrary(opened);
}

static void measureSession(const char* library, Rests* out)
{
	rpLibrary* opened = rpOpenLibrary(library, rp_openRead, NULL);
	rpClipInfo* infos;
	int count = rpLibrary_ListClips(opened, &infos, NULL);
	for (int i = 0; i < count; ++i)
	{
		rpMotion* motion = rpLibrary_LoadClip(opened, infos[i].id, NULL);
		assert_true(rpDetectContacts(motion, NULL, NULL, NULL));
		addRests(motion, out);
		rpDestroyMotion(motion);
	}
	rpFreeClipInfos(infos, count);
	rpCloseLibrary(opened);
}

static void sessionsAreLevel(void** state)
{
	(void)state;
	static Rests before, after;
	const char* const* paths = NULL;
	int count = testListCapture(&paths), measured = 0, level = 0;
	for (int i = 0; i < count;)
	{
		int first = i, subject = getSubject(paths[i]);
		before.count = before.takeCount = after.count = after.takeCount = 0;
		for (; i < count && getSubject(paths[i]) == subject; ++i)
		{
			rpMotion* motion = load(paths[i], true);
			addRests(motion, &before);
			rpDestroyMotion(motion);
		}
		char name[40], library[600];
		snprintf(name, sizeof(name), "%d.reprise", subject);
		snprintf(library, sizeof(library), "%s", testPath(name));
		addSession(library, paths + first, i - first);
		measureSession(library, &after);
		double spread, sure, old = getTilt(&before, &spread, &sure), new = getTilt(&after, &spread, &sure);
		print_message("%4d: %2d takes, tilt %.2f -> %.2f cm/m (error %.2f, spread %.1f m), heights %.1f ... %.1f -> "
					  "%.1f ... %.1f cm\n",
					  subject, after.takeCount, old, new, sure, spread,
					  100.0 * (double)getPercentile(before.heights, before.takeCount, 5),
					  100.0 * (double)getPercentile(before.heights, before.takeCount, 95),
					  100.0 * (double)getPercentile(after.heights, after.takeCount, 5),
					  100.0 * (double)getPercentile(after.heights, after.takeCount, 95));
		measured += spread > 0.5;
		level += spread > 0.5 && new < 0.3;
	}
	print_message("%d of %d sessions level within 0.3 cm/m\n", level, measured);
	// Someone who dances, or climbs, shows less.
	assert_true(level >= measured - 3);
}

// ---- the body of a GLB ----

/// The lowest corners of a person's body while a sole rests, one for each frame.
typedef struct Lowest
{
	float values[maxValues];
	int count;
} Lowest;

static void addStances(const rpMotion* motion, Lowest* out)
{
	static rpTransform rest[RP_MAX_JOINTS], pose[RP_MAX_JOINTS];
	rpBodyMesh body;
	rpSkeleton_GetRest(motion->skeleton, rest);
	assert_true(rpMakeBodyMesh(motion->skeleton, rest, &body, NULL));
	for (int frame = 0; frame < motion->frameCount && out->count < maxValues; frame += 4)
	{
		double time = frame / motion->fps;
		if (rpMotion_IsInContact(motion, rp_leftBall, time) || rpMotion_IsInContact(motion, rp_rightBall, time))
		{
			rpMotion_Forward(motion, frame, pose);
			out->values[out->count++] = testGetLowestCorner(&body, rest, pose);
		}
	}
	rpFreeBodyMesh(&body);
}

static void bodiesStandAtZero(void** state)
{
	(void)state;
	static Lowest lowest;
	const char* const* paths = NULL;
	int count = testListCapture(&paths), people = 0, near = 0;
	for (int i = 0; i < count;)
	{
		int subject = getSubject(paths[i]);
		lowest.count = 0;
		for (; i < count && getSubject(paths[i]) == subject; ++i)
		{
			rpMotion* motion = load(paths[i], false);
			addStances(motion, &lowest);
			rpDestroyMotion(motion);
		}
		float middle = getPercentile(lowest.values, lowest.count, 50);
		print_message("%d: lowest corner in stance %.1f mm (5 %%: %.1f, 95 %%: %.1f)\n", subject, (double)middle * 1e3,
					  (double)getPercentile(lowest.values, lowest.count, 5) * 1e3,
					  (double)getPercentile(lowest.values, lowest.count, 95) * 1e3);
		near += fabsf(middle) < 0.005f;
		++people;
		assert_true(fabsf(middle) < 0.015f);
	}
	// Someone who stands on the edges of the feet, or on one that was captured lower than the other, is a little lower.
	print_message("%d of %d people within 5 mm\n", near, people);
	assert_true(3 * near >= 2 * people);
}

int main(void)
{
	testSkipWithoutMocap();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(takesStandAtZero),
		cmocka_unit_test(sessionsAreLevel),
		cmocka_unit_test(bodiesStandAtZero),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
