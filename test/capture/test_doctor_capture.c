/// The doctor on every captured take: heights, the takes that are known to be bad, silence on the others, and damage
/// done to good ones.
#include "support.h"

#include "doctor/doctor.h"
#include "reprise/edit.h"
#include "walker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- the folder's README ----

enum
{
	maxSubject = 200
};

// Of each subject, metres; 0 where there is none.
typedef struct Heights
{
	float height[maxSubject];
	float thorax[maxSubject];
	float leg[maxSubject];
} Heights;

static Heights readHeights(void)
{
	char path[1024];
	snprintf(path, sizeof(path), "%s/README.md", testMocap());
	char* text = testReadFile(path, NULL);
	assert_non_null(text);
	Heights heights = {0};
	int count = 0;
	for (char* line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n"))
	{
		int subject = 0, takes = 0;
		float seconds = 0.0f, height = 0.0f, thorax = 0.0f, leg = 0.0f;
		if (sscanf(line, "| %d | %d | %f | %f | %f | %f", &subject, &takes, &seconds, &height, &thorax, &leg) == 6)
		{
			assert_true(subject > 0 && subject < maxSubject);
			heights.height[subject] = height;
			heights.thorax[subject] = thorax;
			heights.leg[subject] = leg;
			++count;
		}
	}
	assert_true(count > 10);
	free(text);
	return heights;
}

static const char* getName(const char* path)
{
	return strrchr(path, '/') + 1;
}

static rpMotion* load(const char* path, const rpReadDef* def, rpFindings* findings)
{
	rpError error = {0};
	rpMotion* motion = rpLoadMotion(path, def, findings, &error);
	if (motion == NULL)
	{
		print_message("%s: %s\n", path, error.message);
	}
	assert_non_null(motion);
	return motion;
}

static void measuresHeights(void** state)
{
	(void)state;
	Heights heights = readHeights();
	const char* const* paths = NULL;
	int count = testListCapture(&paths);
	assert_true(count > 200);
	rpReadDef unrepaired = rpDefaultReadDef();
	unrepaired.repair = false;
	for (int i = 0; i < count; ++i)
	{
		int subject = atoi(getName(paths[i]));
		rpMotion* raw = load(paths[i], &unrepaired, NULL);
		rpMotion* mended = load(paths[i], NULL, NULL);
		float thorax = rpLength(raw->skeleton->offsets[testFindJoint(raw, "Spine1")]);
		assert_true(fabsf(thorax - heights.thorax[subject]) < 0.01f);
		assert_true(fabsf(raw->skeleton->height - heights.height[subject]) < 0.01f);
		assert_true(fabsf(mended->skeleton->height - heights.height[subject] - heights.thorax[subject]) < 0.01f);
		assert_true(fabsf(mended->skeleton->height - raw->skeleton->height - thorax) < 0.01f);
		assert_true(fabsf(mended->skeleton->legLength - heights.leg[subject]) < 0.02f);
		rpDestroyMotion(raw);
		rpDestroyMotion(mended);
	}
}

// ---- what is found ----

typedef struct Defect
{
	const char* file;
	const char* code;
	int firstRow, rowCount;
} Defect;

// As the manifest describes them.
static const Defect s_defects[] = {
	{"09_10.bvh", "root_at_origin", 1, 4},
	{"104_01.bvh", "root_at_origin", 1, 55},
	{"104_01.bvh", "frozen_rows", 278, 108},
	{"35_22.bvh", "frozen_rows", 156, 12},
	{"49_04.bvh", "frozen_rows", 245, 7},
	{"16_15.bvh", "spike", 1, 2},
	{"16_23.bvh", "spike", 1, 3},
	{"16_28.bvh", "spike", 1, 6},
	// The pelvis is lost for a row, and thighs and back make up for it.
	{"16_11.bvh", "spike", 399, 1},
	{"16_17.bvh", "spike", 475, 1},
	{"16_27.bvh", "spike", 162, 1},
};
enum
{
	defectCount = sizeof(s_defects) / sizeof(s_defects[0])
};

// What is left of each: rows 5 …, 56 … 278, 1 … 156, 1 … 245, 3 …, 4 …, 7 ….
static const struct
{
	const char* file;
	int frameCount;
} s_kept[] = {{"09_10.bvh", 128}, {"104_01.bvh", 223}, {"35_22.bvh", 156}, {"49_04.bvh", 245},
			  {"16_15.bvh", 469}, {"16_23.bvh", 296},  {"16_28.bvh", 265}};

// Takes that turned out to be bad: in 05_15 the right thigh is rolled by 180 degrees in rows 396 to 399 and the left
// foot turned by 100 in rows 389 to 392; the feet of subject 104 point backwards now and then, and in 104_01 whole legs
// stay in the rest pose, the left one up to row 72, the right one up to row 85.
static bool isKnownToSpike(const char* name)
{
	return strcmp(name, "05_15.bvh") == 0 || strncmp(name, "104_", 4) == 0;
}

static bool isExpected(const char* name, const rpFinding* finding)
{
	for (int i = 0; i < defectCount; ++i)
	{
		const Defect* defect = s_defects + i;
		if (strcmp(name, defect->file) == 0 && strcmp(finding->code, defect->code) == 0 &&
			finding->firstRow == defect->firstRow && finding->rowCount == defect->rowCount)
		{
			return true;
		}
	}
	return strcmp(finding->code, "spike") == 0 && isKnownToSpike(name);
}

static void findsWhatIsThereAndNoMore(void** state)
{
	(void)state;
	const char* const* paths = NULL;
	int count = testListCapture(&paths), found = 0, unexpected = 0, jumpRows = 0, rowCount = 0;
	for (int i = 0; i < count; ++i)
	{
		rpFindings findings = {0};
		rpMotion* motion = load(paths[i], NULL, &findings);
		const char* name = getName(paths[i]);
		assert_non_null(rpFindings_Find(&findings, "rest_row"));
		assert_non_null(rpFindings_Find(&findings, "units"));
		assert_non_null(rpFindings_Find(&findings, "lost_bones"));
		for (int j = 0; j < findings.count; ++j)
		{
			const rpFinding* finding = findings.items + j;
			bool usual = strcmp(finding->code, "rest_row") == 0 || strcmp(finding->code, "units") == 0 ||
						 strcmp(finding->code, "lost_bones") == 0 || strcmp(finding->code, "floor") == 0 ||
						 strcmp(finding->code, "jump") == 0;
			bool expected = usual || isExpected(name, finding);
			found += expected && !usual && !isKnownToSpike(name);
			found += strcmp(name, "104_01.bvh") == 0 && expected && strcmp(finding->code, "spike") != 0 && !usual;
			if (!expected)
			{
				print_message("%s: %s: %s: %s\n", name, finding->code, finding->message, finding->action);
				++unexpected;
			}
		}
		for (int j = 0; j < findings.count; ++j)
		{
			jumpRows += strcmp(findings.items[j].code, "jump") == 0 ? findings.items[j].rowCount : 0;
		}
		rowCount += motion->frameCount;
		for (size_t j = 0; j < sizeof(s_kept) / sizeof(s_kept[0]); ++j)
		{
			if (strcmp(name, s_kept[j].file) == 0)
			{
				assert_int_equal(motion->frameCount, s_kept[j].frameCount);
			}
		}
		rpDestroyMotion(motion);
		rpFindings_Free(&findings);
	}
	// Markers are mistaken in a few rows of many takes, most of them of hands and toes.
	print_message("jumps in %d of %d rows\n", jumpRows, rowCount);
	assert_true(jumpRows > 0 && 100 * jumpRows < rowCount);
	assert_int_equal(unexpected, 0);
	assert_int_equal(found, defectCount);
}

// A held arm, hands and thumbs that flip, thoraxes that jump by 10 cm and more, as seen in plots; rows of the file.
static const struct
{
	const char* file;
	int row;
} s_jumps[] = {{"16_01.bvh", 195}, {"16_29.bvh", 230}, {"120_12.bvh", 55}, {"16_08.bvh", 84},
			   {"16_47.bvh", 17},  {"35_23.bvh", 20},  {"70_10.bvh", 426}};

static void knownJumpsAreMended(void** state)
{
	(void)state;
	const char* const* paths = NULL;
	int count = testListCapture(&paths);
	for (int i = 0; i < count; ++i)
	{
		for (size_t k = 0; k < sizeof(s_jumps) / sizeof(s_jumps[0]); ++k)
		{
			if (strcmp(getName(paths[i]), s_jumps[k].file) != 0)
			{
				continue;
			}
			rpFindings findings = {0};
			rpDestroyMotion(load(paths[i], NULL, &findings));
			bool found = false;
			for (int j = 0; j < findings.count; ++j)
			{
				const rpFinding* finding = findings.items + j;
				int off = s_jumps[k].row - finding->firstRow;
				found = found || (strcmp(finding->code, "jump") == 0 && off >= 0 && off < finding->rowCount);
			}
			if (!found)
			{
				print_message("%s row %d\n", s_jumps[k].file, s_jumps[k].row);
			}
			assert_true(found);
			rpFindings_Free(&findings);
		}
	}
}

// Whatever was mended, nothing is left to find, and a second visit changes nothing.
static void isDoneAfterOneVisit(void** state)
{
	(void)state;
	const char* const* paths = NULL;
	int count = testListCapture(&paths);
	for (int i = 0; i < count; ++i)
	{
		if (isKnownToSpike(getName(paths[i])))
		{
			continue;
		}
		rpReadDef def = rpDefaultReadDef();
		rpFindings findings = {0};
		rpMotion* once = load(paths[i], NULL, NULL);
		rpMotion* twice = rpTreatMotion((rpReading){rpCopyMotion(once, NULL), 0.0}, &def, &findings, NULL);
		assert_non_null(twice);
		if (findings.count > 0)
		{
			print_message("%s: %s: %s\n", paths[i], findings.items[0].code, findings.items[0].message);
		}
		assert_int_equal(findings.count, 0);
		assert_true(rpMotion_Agrees(once, twice, 0.0f));
		rpDestroyMotion(once);
		rpDestroyMotion(twice);
		rpFindings_Free(&findings);
	}
}

// ---- damage ----

// Damage changes what is usual for a joint, and so what stands out from it.
static int countOthers(const rpFindings* findings)
{
	int count = 0;
	for (int i = 0; i < findings->count; ++i)
	{
		count += strcmp(findings->items[i].code, "jump") != 0;
	}
	return count;
}

// Treat a damaged copy: exactly one finding, of this code; the clean take must come out, or its frames first ….
static void assertMends(const rpMotion* clean, rpMotion* damaged, const char* code, int first, int count, float metres)
{
	rpReadDef def = rpDefaultReadDef();
	// Damaged rows rest their feet where there is no floor.
	def.keepFloor = true;
	rpFindings findings = {0};
	rpMotion* treated = rpTreatMotion((rpReading){damaged, 0.0}, &def, &findings, NULL);
	assert_non_null(treated);
	bool good =
		countOthers(&findings) == 1 && strcmp(findings.items[0].code, code) == 0 && treated->frameCount == count;
	// A jump more is a hand or a toe that is bridged for a few rows.
	metres = countOthers(&findings) < findings.count ? fmaxf(metres, 0.05f) : metres;
	rpMotion* expected = rpCropFrames(clean, first, count, NULL);
	good = good && rpMotion_Agrees(expected, treated, metres);
	if (!good)
	{
		print_message("%s: %s expected, %d frames of %d\n", clean->name, code, treated->frameCount, count);
		for (int i = 0; i < findings.count; ++i)
		{
			print_message("  %s: %s: %s\n", findings.items[i].code, findings.items[i].message,
						  findings.items[i].action);
		}
	}
	assert_true(good);
	rpDestroyMotion(expected);
	rpDestroyMotion(treated);
	rpFindings_Free(&findings);
}

// The frames alone, under a rest pose that stays upright: what an exporter to a Z-up world may do.
static rpMotion* turnWorld(const rpMotion* clean, rpQuat turn)
{
	rpMotion* damaged = rpCopyMotion(clean, NULL);
	for (int frame = 0; frame < damaged->frameCount; ++frame)
	{
		rpQuat* root = testRotation(damaged, frame, 0);
		*root = rpMulQuat(turn, *root);
		damaged->rootPositions[frame] = rpRotate(turn, damaged->rootPositions[frame]);
	}
	return damaged;
}

static void damageBody(const rpMotion* clean)
{
	static const double units[] = {0.01, 0.001, 0.0254, 0.0254 / 0.45};
	static const float half = 0.70710678f;
	const rpQuat turns[] = {{half, half, 0.0f, 0.0f}, {half, 0.0f, 0.0f, -half}};
	int count = clean->frameCount;
	for (int i = 0; i < 4; ++i)
	{
		assertMends(clean, rpScaleMotion(clean, (float)(1.0 / units[i]), NULL), "units", 0, count, 1e-5f);
	}
	for (int i = 0; i < 2; ++i)
	{
		assertMends(clean, rpChangeAxes(clean, turns[i], NULL), "up_axis", 0, count, 2e-5f);
		assertMends(clean, turnWorld(clean, turns[i]), "up_axis", 0, count, 2e-5f);
	}
	rpMotion* sideways = rpChangeAxes(clean, rpYaw(0.5f * (float)RP_PI), NULL);
	for (int frame = 0; frame < count; ++frame)
	{
		rpQuat* root = testRotation(sideways, frame, 0);
		*root = rpMulQuat(rpYaw(-0.5f * (float)RP_PI), *root);
		sideways->rootPositions[frame] = clean->rootPositions[frame];
	}
	assertMends(clean, sideways, "facing", 0, count, 2e-5f);
	rpMotion* extended = testAddRestRow(rpCopyMotion(clean, NULL));
	assertMends(clean, extended, "rest_row", 0, count, 0.0f);
}

static rpMotion* freeze(const rpMotion* clean, int first, int count)
{
	rpMotion* damaged = rpCopyMotion(clean, NULL);
	for (int row = first + 1; row < first + count; ++row)
	{
		damaged->rootPositions[row] = damaged->rootPositions[first];
		memcpy(testRotation(damaged, row, 0), testRotation(damaged, first, 0),
			   (size_t)clean->skeleton->jointCount * sizeof(rpQuat));
	}
	return damaged;
}

static rpMotion* zeroRoot(const rpMotion* clean, int first, int count)
{
	rpMotion* damaged = rpCopyMotion(clean, NULL);
	memset(damaged->rootPositions + first, 0, (size_t)count * sizeof(rpVec3));
	return damaged;
}

static rpMotion* twist(const rpMotion* clean, const char* joint, int first, int count)
{
	rpMotion* damaged = rpCopyMotion(clean, NULL);
	for (int row = first; row < first + count; ++row)
	{
		rpQuat* q = testRotation(damaged, row, testFindJoint(damaged, joint));
		*q = rpMulQuat(*q, rpAxisAngle((rpVec3){0.6f, 0.0f, 0.8f}, 2.0f));
	}
	return damaged;
}

// Bridged rows cannot be what they were, but must be near: a hand at 5 m/s turns back within these rows.
static void damageRows(const rpMotion* clean)
{
	int count = clean->frameCount, middle = count / 2;
	assertMends(clean, zeroRoot(clean, 0, 7), "root_at_origin", 7, count - 7, 0.0f);
	assertMends(clean, zeroRoot(clean, middle, 5), "root_at_origin", 0, count, 0.02f);
	assertMends(clean, freeze(clean, count - 9, 9), "frozen_rows", 0, count - 8, 0.0f);
	assertMends(clean, freeze(clean, middle, 5), "frozen_rows", 0, count, 0.10f);
	assertMends(clean, twist(clean, "RightArm", middle, 2), "spike", 0, count, 0.10f);
	assertMends(clean, twist(clean, "LeftUpLeg", 0, 4), "spike", 4, count - 4, 0.0f);
}

static void damageBones(const rpMotion* clean)
{
	static const char* const names[] = {"Neck",   "LeftShoulder",    "RightShoulder", "LeftFingerBase",
										"LThumb", "RightFingerBase", "RThumb"};
	rpMotion* damaged = rpCopyMotion(clean, NULL);
	rpJoint joints[RP_MAX_JOINTS];
	memcpy(joints, clean->skeleton->joints, (size_t)clean->skeleton->jointCount * sizeof(rpJoint));
	for (int i = 0; i < 7; ++i)
	{
		joints[testFindJoint(clean, names[i])].offset = rpVec3_zero;
	}
	testSetJoints(damaged, joints);
	assertMends(clean, damaged, "lost_bones", 0, clean->frameCount, 1e-6f);
}

static void mendsDamagedTakes(void** state)
{
	(void)state;
	const char* const* paths = NULL;
	int count = testListCapture(&paths);
	for (int i = 0; i < count; i += 3)
	{
		if (isKnownToSpike(getName(paths[i])))
		{
			continue;
		}
		rpMotion* clean = load(paths[i], NULL, NULL);
		damageBody(clean);
		damageRows(clean);
		damageBones(clean);
		rpDestroyMotion(clean);
	}
}

int main(void)
{
	testSkipWithoutMocap();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(measuresHeights),     cmocka_unit_test(findsWhatIsThereAndNoMore),
		cmocka_unit_test(knownJumpsAreMended), cmocka_unit_test(isDoneAfterOneVisit),
		cmocka_unit_test(mendsDamagedTakes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
