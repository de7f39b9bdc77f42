/// Edits of every captured take.
#include "edit_scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What the takes showed, largest and summed.
typedef struct Tally
{
	int takes;
	double resampleMean, resampleLargest;
	long long places, placesOff;
	double mirrorHeight, mirrorPlace;
} Tally;

static void compare(const rpMotion* a, const rpMotion* b, Tally* tally)
{
	size_t count = (size_t)a->frameCount * (size_t)a->skeleton->jointCount;
	rpVec3 *placesA = malloc(count * sizeof(rpVec3)), *placesB = malloc(count * sizeof(rpVec3));
	rpMotion_ForwardAll(a, 0, a->frameCount, placesA, NULL);
	rpMotion_ForwardAll(b, 0, a->frameCount, placesB, NULL);
	double sum = 0.0;
	for (size_t i = 0; i < count; ++i)
	{
		double distance = rpDistance(placesA[i], placesB[i]);
		sum += distance;
		tally->resampleLargest = fmax(tally->resampleLargest, distance);
		tally->placesOff += distance > 0.02;
	}
	tally->places += (long long)count;
	tally->resampleMean += sum / (double)count;
	free(placesA);
	free(placesB);
}

// 120 Hz to 30 and back: what is between the frames is nearly a straight line, but where the capture itself jumps
// (subject 104's feet).
static void checkResample(const rpMotion* motion, Tally* tally)
{
	rpMotion* coarse = rpResampleMotion(motion, 30.0, NULL);
	rpMotion* back = rpResampleMotion(coarse, motion->fps, NULL);
	assert_non_null(back);
	testCheckMotion(coarse);
	testCheckMotion(back);
	assert_true(back->frameCount <= motion->frameCount && back->frameCount > motion->frameCount - 5);
	rpMotion* same = rpCropFrames(motion, 0, back->frameCount, NULL);
	compare(same, back, tally);
	rpMotion* odd = rpResampleMotion(motion, 59.94, NULL);
	assert_int_equal(odd->frameCount, (int)floor(rpMotion_GetDuration(motion) * 59.94 + 1e-3) + 1);
	testCheckMotion(odd);
	rpDestroyMotion(coarse);
	rpDestroyMotion(back);
	rpDestroyMotion(same);
	rpDestroyMotion(odd);
}

static double measureBone(const rpTransform* pose, const rpSkeleton* skeleton, int joint)
{
	return rpDistance(pose[joint].p, pose[skeleton->parents[joint]].p);
}

// Bones keep their lengths, and a joint is off the reflection of its counterpart by no more than the bones above it
// are uneven.
static void checkMirrored(const rpMotion* motion, const rpMotion* mirrored, int frame, Tally* tally)
{
	const rpSkeleton* skeleton = motion->skeleton;
	rpTransform before[RP_MAX_JOINTS], after[RP_MAX_JOINTS];
	float uneven[RP_MAX_JOINTS] = {0.0f};
	rpMotion_Forward(motion, frame, before);
	rpMotion_Forward(mirrored, frame, after);
	for (int i = 1; i < skeleton->jointCount; ++i)
	{
		int other = skeleton->joints[i].mirror;
		rpVec3 offset = skeleton->offsets[i], place = before[i].p;
		uneven[i] = uneven[skeleton->parents[i]] +
					rpDistance((rpVec3){-offset.x, offset.y, offset.z}, skeleton->offsets[other]);
		float distance = rpDistance((rpVec3){-place.x, place.y, place.z}, after[other].p);
		assert_true(fabs(measureBone(before, skeleton, i) - measureBone(after, skeleton, i)) < 1e-5);
		assert_true(distance <= uneven[i] + 1e-5f);
		tally->mirrorPlace = fmax(tally->mirrorPlace, distance);
	}
	int left = skeleton->roles[rp_roleLeftAnkle], right = skeleton->roles[rp_roleRightAnkle];
	tally->mirrorHeight = fmax(tally->mirrorHeight, fabsf(before[left].p.y - after[right].p.y));
}

static void checkMirror(const rpMotion* motion, Tally* tally)
{
	const rpSkeleton* skeleton = motion->skeleton;
	rpMotion* mirrored = rpMirrorMotion(motion, NULL);
	assert_non_null(mirrored);
	testCheckMotion(mirrored);
	assert_int_equal(skeleton->joints[skeleton->roles[rp_roleLeftAnkle]].mirror, skeleton->roles[rp_roleRightAnkle]);
	for (int frame = 0; frame < motion->frameCount; frame += 10)
	{
		checkMirrored(motion, mirrored, frame, tally);
	}
	rpMotion* back = rpMirrorMotion(mirrored, NULL);
	assert_true(rpMotion_Agrees(motion, back, 1e-5f));
	assert_true(testAnnotationsAgree(&motion->annotations, &back->annotations, 1e-6));
	rpDestroyMotion(mirrored);
	rpDestroyMotion(back);
}

// Cut and joined again: the same frames to the bit, each with its own source.
static void checkCutAndJoin(const rpMotion* motion)
{
	int half = motion->frameCount / 2;
	rpMotion* parts[2] = {rpCropFrames(motion, 0, half, NULL),
						  rpCropFrames(motion, half, motion->frameCount - half, NULL)};
	rpMotion* joined = rpJoinMotions((const rpMotion* const*)parts, 2, NULL);
	assert_non_null(joined);
	testCheckMotion(joined);
	testCheckAnnotations(joined);
	size_t count = (size_t)motion->frameCount * (size_t)motion->skeleton->jointCount;
	assert_memory_equal(joined->rotations, motion->rotations, count * sizeof(rpQuat));
	assert_memory_equal(joined->rootPositions, motion->rootPositions, (size_t)motion->frameCount * sizeof(rpVec3));
	double first = 0.0, seconds = 0.0;
	assert_non_null(testFindSource(joined, 0.0, &first));
	for (int frame = 0; frame < joined->frameCount; ++frame)
	{
		assert_non_null(testFindSource(joined, frame / joined->fps, &seconds));
		assert_true(fabs(seconds - first - frame / joined->fps) < 1e-6);
	}
	rpDestroyMotion(parts[0]);
	rpDestroyMotion(parts[1]);
	rpDestroyMotion(joined);
}

// Slower at first and faster at the end; then along the inverse warp.
static void checkRetime(const rpMotion* motion)
{
	double end = rpMotion_GetDuration(motion);
	const double newTimes[] = {0.0, 0.8 * end, 1.2 * end}, oldTimes[] = {0.0, 0.5 * end, end};
	rpWarp warp = {newTimes, oldTimes, 3, true};
	rpMotion* warped = rpRetimeMotion(motion, &warp, NULL);
	assert_non_null(warped);
	testCheckMotion(warped);
	testCheckAnnotations(warped);
	rpTransform before[RP_MAX_JOINTS], after[RP_MAX_JOINTS];
	for (int frame = 0; frame < motion->frameCount; frame += 16)
	{
		double seconds = 0.0, t = rpWarp_Invert(&warp, frame / motion->fps);
		int place = rpMotion_GetFrame(warped, t);
		rpMotion_Forward(motion, frame, before);
		rpMotion_Forward(warped, place, after);
		// Half a frame away at most, and nothing in the captures is faster than 25 m/s.
		for (int i = 0; i < motion->skeleton->jointCount; ++i)
		{
			assert_true(rpDistance(before[i].p, after[i].p) < 25.0 * 1.5 * 0.5 / motion->fps + 1e-4);
		}
		assert_non_null(testFindSource(warped, place / warped->fps, &seconds));
	}
	rpDestroyMotion(warped);
}

static void testEveryTake(void** state)
{
	(void)state;
	const char* const* paths;
	int count = testListCapture(&paths);
	Tally tally = {0};
	assert_true(count > 0);
	for (int i = 0; i < count; ++i)
	{
		rpError error = {0};
		rpMotion* motion = rpLoadMotion(paths[i], NULL, NULL, &error);
		if (motion == NULL)
		{
			fail_msg("%s: %s", paths[i], error.message);
		}
		checkResample(motion, &tally);
		checkMirror(motion, &tally);
		checkCutAndJoin(motion);
		checkRetime(motion);
		rpDestroyMotion(motion);
		++tally.takes;
	}
	double share = (double)tally.placesOff / (double)tally.places;
	printf("%d takes; 120 -> 30 -> 120 Hz: mean %.2f mm, %.3f %% over 20 mm, largest %.0f mm; mirrored: ankles within "
		   "%.0f mm of height, joints within %.0f mm\n",
		   tally.takes, 1e3 * tally.resampleMean / tally.takes, 100.0 * share, 1e3 * tally.resampleLargest,
		   1e3 * tally.mirrorHeight, 1e3 * tally.mirrorPlace);
	assert_true(tally.resampleMean / tally.takes < 0.0015 && share < 0.001);
}

int main(void)
{
	testSkipWithoutMocap();
	const struct CMUnitTest tests[] = {cmocka_unit_test(testEveryTake)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
