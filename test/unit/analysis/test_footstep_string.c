/// Footstep strings: Table 1, and each rule of the refinement of section 4.3 of Kwon & Shin 2005.
#include "analysis/footstep_string.h"
#include "support.h"

#include <string.h>

static void findsKinds(void** state)
{
	(void)state;
	for (int i = 0; i < rp_movementKindCount; ++i)
	{
		const char* string = rpMovementKind_GetString((rpMovementKind)i);
		assert_int_equal(rpMovementKind_Find(string), i);
		assert_true(rpIsMovement(string));
	}
	static const char* const others[] = {"", "L", "D", "F", "LDL", "RDR", "LD", "SS", "SLDRS", "LDRDL", "FDF", "ldr"};
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); ++i)
	{
		assert_int_equal(rpMovementKind_Find(others[i]), rp_movementKindCount);
		assert_false(rpIsMovement(others[i]));
	}
	assert_string_equal(rpGait_GetName(rp_gaitStand), "stand");
	assert_string_equal(rpGait_GetName(rp_gaitWalk), "walk");
	assert_string_equal(rpGait_GetName(rp_gaitRun), "run");
}

// Gaits before and after follow from the letters: an end L or R is a walk's, F a run's, S a stand's.
static rpGait getGait(char letter)
{
	return letter == 'S' ? rp_gaitStand : letter == 'F' ? rp_gaitRun : rp_gaitWalk;
}

static void distinguishesGaits(void** state)
{
	(void)state;
	for (int i = 0; i < rp_movementKindCount; ++i)
	{
		rpMovementKind kind = (rpMovementKind)i;
		const char* string = rpMovementKind_GetString(kind);
		assert_int_equal(rpMovementKind_GetBefore(kind), getGait(string[0]));
		assert_int_equal(rpMovementKind_GetAfter(kind), getGait(string[strlen(string) - 1]));
	}
}

// The foot of what may follow a movement, as section 5.1 has it: half cycles alternate, a transition has the foot of
// the half cycle after it.
static void distinguishesFeet(void** state)
{
	(void)state;
	for (int i = 0; i < rp_movementKindCount; ++i)
	{
		rpMovementKind kind = (rpMovementKind)i;
		const char* string = rpMovementKind_GetString(kind);
		size_t length = strlen(string);
		rpGait before = rpMovementKind_GetBefore(kind), after = rpMovementKind_GetAfter(kind);
		char foot = rpMovementKind_GetFoot(kind);
		if (before == after || after == rp_gaitStand)
		{
			continue;
		}
		char last = after == rp_gaitWalk ? string[length - 1] : string[length - 2] == 'L' ? 'R' : 'L';
		assert_int_equal(foot, last);
	}
	assert_int_equal(rpMovementKind_GetFoot(rp_movementLDR), 'L');
	assert_int_equal(rpMovementKind_GetFoot(rp_movementFRF), 'R');
	assert_int_equal(rpMovementKind_GetFoot(rp_movementS), 'S');
	assert_int_equal(rpMovementKind_GetFoot(rp_movementLDRS), 'L');
	assert_int_equal(rpMovementKind_GetFoot(rp_movementFRDLS), 'L');
}

static void joins(void** state)
{
	(void)state;
	char out[RP_FOOTSTEP_SIZE];
	assert_true(rpJoinFootsteps("FRD", "DL", out));
	assert_string_equal(out, "FRDL");
	assert_true(rpJoinFootsteps("FR", "DLS", out));
	assert_string_equal(out, "FRDLS");
	assert_true(rpJoinFootsteps("", "L", out));
	assert_string_equal(out, "L");
	assert_true(rpJoinFootsteps("LDRDLDRD", "DLDRDLDR", out));
	assert_string_equal(out, "LDRDLDRDLDRDLDR");
	assert_false(rpJoinFootsteps("LDRDLDRD", "RDLDRDLD", out));
}

typedef struct MergeCase
{
	const char *before, *string, *after;
	int side;
} MergeCase;

static void merges(void** state)
{
	(void)state;
	static const MergeCase cases[] = {
		// A small peak in a run-to-walk transition, in each of its phases.
		{"FLF", "FR", "RDL", 1},
		{"FLF", "FRD", "DL", 1},
		{"FRD", "DL", "LDR", -1},
		{"FLF", "FL", "LDR", 1},
		{"FLD", "DR", "RDL", -1},
		// Run to stand: the second half may be valid by itself, and is taken along.
		{"FLF", "FRD", "DLS", 1},
		{"FLF", "FR", "RDLS", 1},
		{"FLF", "FL", "LDRS", 1},
		{"FRDL", "LS", "S", -1},
		// Walk to stand.
		{"RDL", "LD", "DRS", 1},
		{"LDR", "RS", "S", -1},
		{"RDL", "LS", "S", -1},
		{"RD", "DLS", "S", -1},
		// Nothing precedes or follows.
		{"", "FR", "RDL", 1},
		{"FRD", "DL", "", -1},
		{"", "FR", "", 0},
		// A cut half cycle is no transition, nor is one to a faster gait.
		{"RDL", "LD", "DR", 0},
		{"FRF", "FL", "LF", 0},
		{"LD", "DRF", "FLF", 0},
		{"S", "SL", "LDR", 0},
		{"SLD", "DRF", "FLF", 0},
		// Both would do: the one before comes first.
		{"FRD", "DL", "LS", -1},
		// Other things.
		{"S", "SDS", "S", 0},
		{"SF", "FDS", "S", 0},
		{"SR", "RS", "S", 0},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i)
	{
		int side = rpChooseMerge(cases[i].before, cases[i].string, cases[i].after);
		if (side != cases[i].side)
		{
			print_message("%s %s %s\n", cases[i].before, cases[i].string, cases[i].after);
		}
		assert_int_equal(side, cases[i].side);
	}
}

typedef struct SplitCase
{
	const char* string;
	int index;
} SplitCase;

static void splits(void** state)
{
	(void)state;
	static const SplitCase cases[] = {
		// A peak missed in the flight after a transition to a run.
		{"LDRFLF", 3},
		{"RDLFRF", 3},
		{"SLDRFLF", 4},
		{"SRDLFRF", 4},
		// Or in a single support before or after one.
		{"SLDRDL", 3},
		{"SRDLDR", 3},
		{"LDRDLF", 2},
		{"RDLDRF", 2},
		{"SLDRDLF", 3},
		{"LDRDL", 2},
		{"FLFRF", 2},
		// Nothing makes these whole.
		{"", -1},
		{"L", -1},
		{"LD", -1},
		{"LDL", -1},
		{"SDS", -1},
		{"SLS", -1},
		{"SFDS", -1},
		{"SLDRS", -1},
		{"LDRDLDR", -1},
		{"SDRDL", -1},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i)
	{
		int index = rpChooseSplit(cases[i].string);
		if (index != cases[i].index)
		{
			print_message("%s\n", cases[i].string);
		}
		assert_int_equal(index, cases[i].index);
	}
}

// Every two movements that can follow each other, but for those that run on into a stand, are found again when the
// peak between them is missed.
static void splitsAllPairs(void** state)
{
	(void)state;
	int pairs = 0;
	for (int i = 0; i < rp_movementKindCount; ++i)
	{
		for (int k = 0; k < rp_movementKindCount; ++k)
		{
			const char* first = rpMovementKind_GetString((rpMovementKind)i);
			const char* second = rpMovementKind_GetString((rpMovementKind)k);
			size_t length = strlen(first);
			char joined[RP_FOOTSTEP_SIZE];
			if (first[length - 1] != second[0] || second[0] == 'S' || !rpJoinFootsteps(first, second, joined) ||
				rpIsMovement(joined))
			{
				continue;
			}
			int index = rpChooseSplit(joined);
			assert_true(index > 0);
			char part[RP_FOOTSTEP_SIZE] = {0};
			memcpy(part, joined, (size_t)index + 1);
			assert_true(rpIsMovement(part) && rpIsMovement(joined + index));
			++pairs;
		}
	}
	assert_true(pairs > 20);
}

// Several peaks missed: every part is valid, the first one first.
static void splitsOften(void** state)
{
	(void)state;
	static const SplitCase cases[] = {
		{"LDRDL", 2},  {"LDRDLDR", 2},  {"RDLDRDLDR", 2}, {"SLDRDLDR", 3},  {"FLFRFLF", 2},
		{"FRDLDR", 3}, {"LDRDLDRF", 2}, {"LDRDLDRS", 2},  {"LDRFLFRDL", 3}, {"LDRDLD", -1},
		{"LDL", -1},   {"SLDRS", -1},   {"FRDLF", -1},    {"SDLDRDL", -1},  {"", -1},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i)
	{
		int index = rpChooseFirstSplit(cases[i].string);
		if (index != cases[i].index)
		{
			print_message("%s\n", cases[i].string);
		}
		assert_int_equal(index, cases[i].index);
	}
}

// A flight that may have been a double support.
static void bridges(void** state)
{
	(void)state;
	assert_true(rpIsMissedDouble("SLF", "FRF"));
	assert_true(rpIsMissedDouble("RF", "FLF"));
	assert_true(rpIsMissedDouble("LF", "FRS"));
	assert_true(rpIsMissedDouble("FLF", "FRS"));
	assert_true(rpIsMissedDouble("SRF", "FLF"));
	// The peak is at an end of the flight.
	assert_true(rpIsMissedDouble("SLF", "RF"));
	assert_true(rpIsMissedDouble("SL", "FRF"));
	// Half cycles, the same foot twice, and what no flight parts.
	assert_false(rpIsMissedDouble("LF", "FR"));
	assert_false(rpIsMissedDouble("FLF", "FRF"));
	assert_false(rpIsMissedDouble("SLF", "FLF"));
	assert_false(rpIsMissedDouble("SL", "LDR"));
	assert_false(rpIsMissedDouble("F", "FRF"));
	assert_false(rpIsMissedDouble("SLDR", "RF"));
	assert_false(rpIsMissedDouble("", ""));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(findsKinds),
		cmocka_unit_test(distinguishesGaits),
		cmocka_unit_test(distinguishesFeet),
		cmocka_unit_test(joins),
		cmocka_unit_test(merges),
		cmocka_unit_test(splits),
		cmocka_unit_test(splitsAllPairs),
		cmocka_unit_test(splitsOften),
		cmocka_unit_test(bridges),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
