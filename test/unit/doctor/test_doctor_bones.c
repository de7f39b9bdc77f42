/// The doctor on damaged bones: lengths that change, bones that were lost, a root that only stands by.
#include "support.h"

#include "base/memory.h"
#include "doctor/doctor.h"
#include "walker.h"

#include <string.h>

static rpFindings s_findings;

static rpMotion* treatUnder(rpMotion* motion, bool repair)
{
	rpFindings_Free(&s_findings);
	rpReadDef def = rpDefaultReadDef();
	def.repair = repair;
	rpMotion* treated = rpTreatMotion((rpReading){motion, 0.0}, &def, &s_findings, NULL);
	assert_non_null(treated);
	return treated;
}

static void assertOnly(const char* code, bool repaired)
{
	for (int i = 0; i < s_findings.count && s_findings.count != 1; ++i)
	{
		print_message("%s: %s: %s\n", s_findings.items[i].code, s_findings.items[i].message,
					  s_findings.items[i].action);
	}
	assert_int_equal(s_findings.count, 1);
	assert_string_equal(s_findings.items[0].code, code);
	assert_int_equal(s_findings.items[0].repaired, repaired);
	assert_int_equal(strncmp(s_findings.items[0].action, "nothing", 7) == 0, !repaired);
}

static rpMotion* makeWalker(void)
{
	return testMakeWalker(120.0, 120);
}

// ---- bone lengths ----

static rpMotion* addTranslations(rpMotion* motion)
{
	size_t jointCount = (size_t)motion->skeleton->jointCount, count = (size_t)motion->frameCount * jointCount;
	motion->translations = rpAllocate(count, sizeof(rpVec3), NULL);
	assert_non_null(motion->translations);
	for (size_t i = 0; i < count; ++i)
	{
		motion->translations[i] = motion->skeleton->offsets[i % jointCount];
	}
	return motion;
}

static rpVec3* getTranslation(rpMotion* motion, int frame, int joint)
{
	return motion->translations + (size_t)frame * (size_t)motion->skeleton->jointCount + joint;
}

static void makesBonesRigid(void** state)
{
	(void)state;
	rpMotion* clean = makeWalker();
	for (int repair = 0; repair < 2; ++repair)
	{
		rpMotion* damaged = addTranslations(rpCopyMotion(clean, NULL));
		int shank = testFindJoint(damaged, "LeftFoot");
		for (int frame = 40; frame < 80; ++frame)
		{
			getTranslation(damaged, frame, shank)->y *= 1.25f;
		}
		rpMotion* treated = treatUnder(damaged, repair);
		assertOnly("bone_length", repair);
		assert_non_null(strstr(s_findings.items[0].message, "LeftFoot"));
		assert_non_null(strstr(s_findings.items[0].message, "0.420 to 0.525 m"));
		assert_int_equal(treated->translations == NULL, repair);
		assert_int_equal(rpMotion_Agrees(clean, treated, 1e-6f), repair);
		rpDestroyMotion(treated);
	}
	rpDestroyMotion(clean);
}

// Translations that never change are offsets.
static void takesSteadyTranslations(void** state)
{
	(void)state;
	rpMotion* clean = makeWalker();
	rpMotion* damaged = addTranslations(rpCopyMotion(clean, NULL));
	rpJoint joints[RP_MAX_JOINTS];
	memcpy(joints, clean->skeleton->joints, (size_t)clean->skeleton->jointCount * sizeof(rpJoint));
	joints[testFindJoint(clean, "Spine1")].offset = (rpVec3){0.0f, 0.05f, 0.0f};
	testSetJoints(damaged, joints);
	rpMotion* treated = treatUnder(damaged, true);
	assert_int_equal(s_findings.count, 0);
	assert_null(treated->translations);
	assert_true(rpMotion_Agrees(clean, treated, 1e-6f));
	rpDestroyMotion(treated);
	rpDestroyMotion(clean);
}

// ---- lost bones ----

static rpMotion* loseBones(rpMotion* motion, const char* const* names, int count)
{
	rpJoint joints[RP_MAX_JOINTS];
	memcpy(joints, motion->skeleton->joints, (size_t)motion->skeleton->jointCount * sizeof(rpJoint));
	for (int i = 0; i < count; ++i)
	{
		joints[testFindJoint(motion, names[i])].offset = rpVec3_zero;
	}
	testSetJoints(motion, joints);
	return motion;
}

static void putsLostBonesBack(void** state)
{
	(void)state;
	static const char* const names[] = {"Neck",   "LeftShoulder",    "RightShoulder", "LeftFingerBase",
										"LThumb", "RightFingerBase", "RThumb"};
	rpMotion* clean = makeWalker();
	for (int repair = 0; repair < 2; ++repair)
	{
		rpMotion* treated = treatUnder(loseBones(rpCopyMotion(clean, NULL), names, 7), repair);
		assertOnly("lost_bones", repair);
		assert_int_equal(rpMotion_Agrees(clean, treated, 1e-6f), repair);
		float lost = clean->skeleton->height - treated->skeleton->height;
		assert_true(fabsf(lost - (repair ? 0.0f : 0.12f)) < 1e-5f);
		rpDestroyMotion(treated);
	}
	rpMotion* treated = treatUnder(loseBones(rpCopyMotion(clean, NULL), names + 3, 4), true);
	assertOnly("lost_bones", true);
	assert_true(rpMotion_Agrees(clean, treated, 1e-6f));
	rpDestroyMotion(treated);
	rpDestroyMotion(clean);
}

// A chest joint that sits at the base of the neck, with all that hangs on it: nothing is lost.
static void leavesAFullTrunkAlone(void** state)
{
	(void)state;
	static const char* const names[] = {"Neck", "LeftShoulder", "RightShoulder"};
	rpMotion* motion = loseBones(makeWalker(), names, 3);
	rpJoint joints[RP_MAX_JOINTS];
	memcpy(joints, motion->skeleton->joints, (size_t)motion->skeleton->jointCount * sizeof(rpJoint));
	joints[testFindJoint(motion, "Spine1")].offset = (rpVec3){0.0f, 0.26f, -0.02f};
	testSetJoints(motion, joints);
	rpMotion* treated = treatUnder(motion, true);
	assert_int_equal(s_findings.count, 0);
	rpDestroyMotion(treated);
}

// ---- reference root ----

// A root at the origin, under which the hips move by position channels. Split: the root goes over the floor, and the
// hips only up and down. A prop is another child of the root.
static rpMotion* addReference(const rpMotion* clean, bool split, bool prop)
{
	int cleanCount = clean->skeleton->jointCount, jointCount = cleanCount + (prop ? 2 : 1);
	rpJoint joints[RP_MAX_JOINTS];
	rpEndSite ends[32];
	rpSkeletonDef def = rpSkeleton_GetDef(clean->skeleton);
	joints[0] = rpDefaultJoint();
	joints[0].name = "reference";
	joints[cleanCount + 1] = joints[0];
	joints[cleanCount + 1].name = "prop";
	joints[cleanCount + 1].parent = 0;
	for (int i = 1; i <= cleanCount; ++i)
	{
		joints[i] = def.joints[i - 1];
		joints[i].parent += 1;
		joints[i].role = rp_roleNone;
	}
	for (int i = 0; i < def.endCount; ++i)
	{
		ends[i] = def.ends[i];
		ends[i].joint += 1;
	}
	def.joints = joints;
	def.ends = ends;
	def.jointCount = jointCount;
	def.guessRoles = true;
	rpSkeleton* skeleton = rpCreateSkeleton(&def, NULL);
	rpMotion* motion = rpCreateMotion(skeleton, "reference", clean->fps, clean->frameCount, NULL);
	rpReleaseSkeleton(skeleton);
	addTranslations(motion);
	for (int frame = 0; frame < clean->frameCount; ++frame)
	{
		memcpy(testRotation(motion, frame, 1), rpMotion_GetRotations(clean, frame),
			   (size_t)cleanCount * sizeof(rpQuat));
		rpVec3 place = clean->rootPositions[frame];
		motion->rootPositions[frame] = split ? (rpVec3){place.x, 0.0f, place.z} : rpVec3_zero;
		*getTranslation(motion, frame, 1) = rpSub(place, motion->rootPositions[frame]);
	}
	return motion;
}

static void mergesAReferenceRoot(void** state)
{
	(void)state;
	rpMotion* clean = makeWalker();
	for (int split = 0; split < 2; ++split)
	{
		rpMotion* treated = treatUnder(addReference(clean, split == 1, false), true);
		assertOnly("reference_root", true);
		assert_string_equal(treated->skeleton->joints[0].name, "Hips");
		assert_null(treated->translations);
		assert_true(rpMotion_Agrees(clean, treated, 1e-6f));
		rpDestroyMotion(treated);
		treated = treatUnder(addReference(clean, split == 1, false), false);
		const rpFinding* finding = rpFindings_Find(&s_findings, "reference_root");
		assert_true(finding != NULL && !finding->repaired);
		assert_int_equal(treated->skeleton->jointCount, clean->skeleton->jointCount + 1);
		rpDestroyMotion(treated);
	}
	rpDestroyMotion(clean);
}

// Where the root has other children it stays, and the pelvis goes on moving below it: only bones are made rigid.
static void keepsThePelvisMoving(void** state)
{
	(void)state;
	rpMotion* clean = makeWalker();
	for (int split = 0; split < 2; ++split)
	{
		rpMotion* damaged = addReference(clean, split == 1, true);
		int knee = testFindJoint(damaged, "LeftLeg");
		for (int frame = 20; frame < 25; ++frame)
		{
			getTranslation(damaged, frame, knee)->y *= 1.1f;
		}
		rpMotion* treated = treatUnder(damaged, true);
		const rpFinding* finding = rpFindings_Find(&s_findings, "bone_length");
		assert_true(finding != NULL && finding->repaired && strstr(finding->message, "LeftLeg") != NULL);
		assert_int_equal(treated->frameCount, clean->frameCount);
		rpTransform from[RP_MAX_JOINTS], to[RP_MAX_JOINTS];
		for (int frame = 0; frame < clean->frameCount; ++frame)
		{
			rpMotion_Forward(clean, frame, from);
			rpMotion_Forward(treated, frame, to);
			for (int i = 0; i < clean->skeleton->jointCount; ++i)
			{
				assert_true(rpDistance(from[i].p, to[i + 1].p) < 1e-5f);
			}
		}
		rpDestroyMotion(treated);
	}
	rpDestroyMotion(clean);
}

// ---- no memory ----

static void survivesEveryFailingAllocation(void** state)
{
	(void)state;
	static const char* const names[] = {"Neck", "LeftShoulder", "RightShoulder"};
	rpFindings_Free(&s_findings);
	testUseCountingAllocator();
	bool done = false;
	for (int n = 0; !done && n < 10000; ++n)
	{
		int before = testCountLiveBlocks();
		rpMotion* clean = testMakeWalker(120.0, 20);
		rpMotion* damaged = testAddRestRow(loseBones(clean, names, 3));
		damaged->rootPositions[1] = rpVec3_zero;
		rpReadDef def = rpDefaultReadDef();
		rpError error = {0};
		testFailAllocation(n);
		rpMotion* treated = rpTreatMotion((rpReading){damaged, 0.0}, &def, &s_findings, &error);
		testFailAllocation(-1);
		done = treated != NULL;
		assert_true(done || error.code == rp_errorMemory);
		rpDestroyMotion(treated);
		rpFindings_Free(&s_findings);
		assert_int_equal(testCountLiveBlocks(), before);
	}
	assert_true(done);
	rpSetAllocator(NULL);
}

static int tearDown(void** state)
{
	(void)state;
	rpFindings_Free(&s_findings);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(makesBonesRigid),
		cmocka_unit_test(takesSteadyTranslations),
		cmocka_unit_test(putsLostBonesBack),
		cmocka_unit_test(leavesAFullTrunkAlone),
		cmocka_unit_test(mergesAReferenceRoot),
		cmocka_unit_test(keepsThePelvisMoving),
		cmocka_unit_test(survivesEveryFailingAllocation),
	};
	return cmocka_run_group_tests(tests, NULL, tearDown);
}
