/// Movements in captured walks, runs and transitions: how much of the time is in valid ones, and whether those that the
/// takes' descriptions name are found.
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Takes with other things in them: somebody opens windows, jumps, kicks, picks something up, turns on the spot.
static const char* const s_others[] = {"56_08",  "86_01",  "86_09",  "69_68",  "69_16",  "69_18",
									   "127_21", "127_22", "127_25", "127_26", "127_27", "127_28"};

static rpMotion* load(const char* name)
{
	char path[1024];
	rpFindings findings = {0};
	rpError error = {0};
	snprintf(path, sizeof(path), "%s/%s", testMocap(), name);
	rpMotion* motion = rpLoadMotion(path, NULL, &findings, &error);
	if (motion == NULL)
	{
		fail_msg("%s: %s", name, error.message);
	}
	rpFindings_Free(&findings);
	return motion;
}

static bool isOther(const char* line)
{
	for (size_t i = 0; i < sizeof(s_others) / sizeof(s_others[0]); ++i)
	{
		char file[32];
		snprintf(file, sizeof(file), "/%s.bvh,", s_others[i]);
		if (strstr(line, file) != NULL)
		{
			return true;
		}
	}
	return false;
}

static bool isLocomotion(const char* line)
{
	return strstr(line, "walk_curves") != NULL || strstr(line, "run_curves") != NULL ||
		   strstr(line, "transitions") != NULL;
}

// What is done to a take before it is cut.
typedef rpMotion* ChangeTake(const rpMotion* motion);

static rpMotion* slowDown(const rpMotion* motion)
{
	return rpResampleMotion(motion, 30.0, NULL);
}

static rpMotion* halve(const rpMotion* motion)
{
	return rpResampleMotion(motion, 60.0, NULL);
}

static rpMotion* mirror(const rpMotion* motion)
{
	return rpMirrorMotion(motion, NULL);
}

static void addTake(rpMovements* sum, const char* name, ChangeTake* change)
{
	rpMotion* motion = load(name);
	if (change != NULL)
	{
		rpMotion* changed = change(motion);
		assert_non_null(changed);
		rpDestroyMotion(motion);
		motion = changed;
	}
	const rpMotion* one = motion;
	rpError error = {0};
	rpMovements* movements = rpFindMovements(&one, 1, NULL, &error);
	if (movements == NULL)
	{
		print_message("%s: %s\n", name, error.message);
		assert_int_equal(error.code, rp_errorNoSolution);
		// All of it counts as missed.
		sum->locomotionSeconds += rpMotion_GetDuration(motion);
	}
	else
	{
		sum->locomotionSeconds += movements->locomotionSeconds;
		sum->validSeconds += movements->validSeconds;
		sum->count += movements->count;
		sum->countBefore += movements->countBefore;
		sum->droppedCount += movements->droppedCount;
		for (int i = 0; i < rp_movementKindCount; ++i)
		{
			sum->counts[i] += movements->counts[i];
		}
	}
	rpDestroyMovements(movements);
	rpDestroyMotion(motion);
}

// All takes of gaits; returns how many.
static int addTakes(rpMovements* sum, ChangeTake* change)
{
	char path[1024];
	snprintf(path, sizeof(path), "%s/manifest.csv", testMocap());
	char* text = testReadFile(path, NULL);
	assert_non_null(text);
	int takes = 0;
	for (char* line = strtok(text, "\r\n"); line != NULL; line = strtok(NULL, "\r\n"))
	{
		if (isLocomotion(line) && !isOther(line))
		{
			line[strcspn(line, ",")] = 0;
			addTake(sum, line, change);
			++takes;
		}
	}
	free(text);
	return takes;
}

static void coversLocomotion(void** state)
{
	(void)state;
	rpMovements sum = {0};
	int takes = addTakes(&sum, NULL);
	double share = sum.validSeconds / sum.locomotionSeconds;
	print_message("%d takes, %.1f s: %d segments, %d movements, %d dropped, %.4f of the time valid\n", takes,
				  sum.locomotionSeconds, sum.countBefore, sum.count, sum.droppedCount, share);
	for (int i = 0; i < rp_movementKindCount; ++i)
	{
		print_message("%s %d  ", rpMovementKind_GetString((rpMovementKind)i), sum.counts[i]);
	}
	print_message("\n");
	assert_true(takes > 100);
	// Of the rest, half are quick stops of 127 and first steps of runs of 16, whose peaks are where both feet are down.
	assert_true(share >= 0.96);
}

// The same people at other rates, and mirrored.
static void coversChangedTakes(void** state)
{
	(void)state;
	ChangeTake* const changes[] = {slowDown, halve, mirror};
	for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); ++i)
	{
		rpMovements sum = {0};
		addTakes(&sum, changes[i]);
		double share = sum.validSeconds / sum.locomotionSeconds;
		print_message("%.1f s, %.4f of the time valid\n", sum.locomotionSeconds, share);
		assert_true(sum.locomotionSeconds > 250.0);
		assert_true(share >= 0.95);
	}
}

/// A take whose description names a change of gait.
typedef struct NamedChange
{
	const char *file, *description;
	rpGait from, to;
} NamedChange;

static const NamedChange s_changes[] = {
	{"cmu/127/127_04.bvh", "Walk to Run", rp_gaitWalk, rp_gaitRun},
	{"cmu/127/127_05.bvh", "Run to Quick Stop", rp_gaitRun, rp_gaitWalk},
	{"cmu/127/127_17.bvh", "Run Stop Run", rp_gaitRun, rp_gaitStand},
	{"cmu/127/127_17.bvh", "Run Stop Run", rp_gaitStand, rp_gaitRun},
	{"cmu/104/104_06.bvh", "StartJog", rp_gaitStand, rp_gaitRun},
	{"cmu/104/104_08.bvh", "StartJog", rp_gaitStand, rp_gaitRun},
	{"cmu/104/104_09.bvh", "JogStop", rp_gaitRun, rp_gaitStand},
	{"cmu/104/104_10.bvh", "JogStop", rp_gaitRun, rp_gaitStand},
	{"cmu/104/104_53.bvh", "StartRun", rp_gaitStand, rp_gaitRun},
	{"cmu/104/104_54.bvh", "StartRun", rp_gaitStand, rp_gaitRun},
	{"cmu/104/104_56.bvh", "RunStop", rp_gaitRun, rp_gaitStand},
	{"cmu/104/104_57.bvh", "RunStop", rp_gaitRun, rp_gaitStand},
	{"cmu/016/16_57.bvh", "run/jog, sudden stop", rp_gaitRun, rp_gaitStand},
	{"cmu/016/16_33.bvh", "slow walk, stop", rp_gaitWalk, rp_gaitStand},
	{"cmu/016/16_34.bvh", "slow walk, stop", rp_gaitWalk, rp_gaitStand},
};

// Whether a gait leads to another within three movements that follow each other: a stop out of a run may take a walking
// step.
static bool leads(const rpMovements* movements, int first, rpGait from, rpGait to)
{
	const rpMovement* item = movements->items + first;
	if (rpMovementKind_GetBefore(item->kind) != from || rpMovementKind_GetAfter(item->kind) == from)
	{
		return false;
	}
	for (int i = 0; i < 3 && first + i < movements->count && (i == 0 || item[i].isSuccessor); ++i)
	{
		if (rpMovementKind_GetAfter(item[i].kind) == to)
		{
			return true;
		}
	}
	return false;
}

static void findsNamedChanges(void** state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(s_changes) / sizeof(s_changes[0]); ++i)
	{
		const NamedChange* change = s_changes + i;
		rpMotion* motion = load(change->file);
		const rpMotion* one = motion;
		rpMovements* movements = rpFindMovements(&one, 1, NULL, NULL);
		assert_non_null(movements);
		bool isFound = false;
		for (int k = 0; k < movements->count; ++k)
		{
			isFound = isFound || leads(movements, k, change->from, change->to);
		}
		if (!isFound)
		{
			fail_msg("%s (%s): no change from %s to %s", change->file, change->description,
					 rpGait_GetName(change->from), rpGait_GetName(change->to));
		}
		rpDestroyMovements(movements);
		rpDestroyMotion(motion);
	}
}

// Long takes with other things in them: what lies in the stretches that hand labels of others call a jump, a kick or a
// punch is no gait (rows of 120 Hz, see the folder's README).
static void leavesOutOtherThings(void** state)
{
	(void)state;
	static const double stretches[][2] = {{600.0, 1100.0}, {2030.0, 2450.0}, {3250.0, 4000.0}, {4120.0, 4540.0}};
	rpMotion* motion = load("cmu/086/86_01.bvh");
	const rpMotion* one = motion;
	rpMovements* movements = rpFindMovements(&one, 1, NULL, NULL);
	assert_non_null(movements);
	double inside = 0.0, all = 0.0;
	for (size_t i = 0; i < sizeof(stretches) / sizeof(stretches[0]); ++i)
	{
		double start = stretches[i][0] / 120.0, end = stretches[i][1] / 120.0;
		all += end - start;
		for (int k = 0; k < movements->count; ++k)
		{
			const rpMovement* movement = movements->items + k;
			double common =
				(movement->end < end ? movement->end : end) - (movement->start > start ? movement->start : start);
			inside += common > 0.0 && movement->kind != rp_movementS ? common : 0.0;
		}
	}
	print_message("86_01: %.2f s of %.2f s of other things taken for gaits\n", inside, all);
	assert_true(inside < 0.1 * all);
	rpDestroyMovements(movements);
	rpDestroyMotion(motion);
}

int main(void)
{
	testSkipWithoutMocap();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(coversLocomotion),
		cmocka_unit_test(coversChangedTakes),
		cmocka_unit_test(findsNamedChanges),
		cmocka_unit_test(leavesOutOtherThings),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
