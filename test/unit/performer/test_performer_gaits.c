/// Journeys over many parameters and seeds: feet planted, flight free, everything continuous, and the truth true.
#include "performance.h"
#include "support.h"

#include "performer/body_plan.h"
#include "reprise/play/body.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GRAVITY 9.81
#define CASE_COUNT 60

// Every travelling act in turn, parameters anywhere in their ranges, another seed each.
static rpPerformDef makeCase(int index)
{
	static const rpAct acts[] = {
		rp_actWalk,         rp_actJog,       rp_actRun,       rp_actBackwards, rp_actTurn,
		rp_actTurnInStride, rp_actStandWalk, rp_actWalkStand, rp_actStandRun,  rp_actRunStand,
		rp_actWalkRun,      rp_actRunWalk,   rp_actSneak,     rp_actTiptoe,    rp_actMarch,
	};
	rpAct act = acts[index % (int)(sizeof(acts) / sizeof(acts[0]))];
	rpPerformDef def = rpDefaultPerformDef(act);
	rpRandom random = rpSeedRandom((uint64_t)index + 77);
	def.seed = (uint64_t)index;
	for (int i = 0; i < rp_parameterCount; ++i)
	{
		rpParameterRange range;
		if (rpAct_GetRange(act, (rpParameter)i, &range))
		{
			def.parameters[i] = rpRandom_Range(&random, range.low, range.high);
		}
	}
	return def;
}

static rpMotion* perform(const rpPerformDef* def)
{
	rpError error = {0};
	rpMotion* motion = rpPerform(def, &error);
	assert_string_equal(error.message, "");
	assert_non_null(motion);
	return motion;
}

static rpInterval* listIntervals(const rpMotion* motion, rpTrack track, int* count)
{
	*count = rpMotion_GetIntervals(motion, track, NULL, 0);
	rpInterval* intervals = calloc((size_t)*count + 1, sizeof(rpInterval));
	rpMotion_GetIntervals(motion, track, intervals, *count);
	return intervals;
}

static rpVec3 getEffector(const rpMotion* motion, int frame, rpEffector effector)
{
	rpVec3 place;
	assert_true(rpMotion_GetEffector(motion, frame, effector, &place));
	return place;
}

static void sayCase(int index, const rpPerformDef* def, const char* what, int frame, double value)
{
	printf("case %d, %s (speed %g turn %g angle %g foot %g seed %d), frame %d: %s %g\n", index, rpAct_GetName(def->act),
		   (double)def->parameters[rp_paramSpeed], (double)def->parameters[rp_paramTurn],
		   (double)def->parameters[rp_paramAngle], (double)def->parameters[rp_paramFoot], (int)def->seed, frame, what,
		   value);
}

static void testFeet(void** state)
{
	(void)state;
	static const double rates[] = {30, 59.94, 120, 240};
	int bad = 0;
	for (int i = 0; i < CASE_COUNT; ++i)
	{
		rpPerformDef def = makeCase(i);
		def.fps = rates[i % 4];
		rpMotion* motion = perform(&def);
		int count;
		rpInterval* contacts = listIntervals(motion, rp_trackContact, &count);
		double slide = 0.0, sink = 0.0;
		for (int k = 0; k < count; ++k)
		{
			rpVec3 first = rpVec3_zero;
			bool started = false;
			for (int f = (int)ceil(contacts[k].start * def.fps);
				 f < motion->frameCount && f < contacts[k].end * def.fps; ++f)
			{
				rpVec3 place = getEffector(motion, f, contacts[k].effector);
				first = started ? first : place;
				started = true;
				slide = fmax(slide, (double)rpDistance(first, place));
				bool isToe = contacts[k].effector == rp_leftToe || contacts[k].effector == rp_rightToe;
				assert_true(fabsf(place.y - (isToe ? 0.0f : BALL_HEIGHT)) < 1e-3f);
			}
		}
		for (int f = 0; f < motion->frameCount; ++f)
		{
			for (int e = rp_leftHeel; e <= rp_rightToe; ++e)
			{
				sink = fmin(sink, (double)getEffector(motion, f, (rpEffector)e).y);
			}
		}
		if (slide >= 1e-3 || sink < -2e-3)
		{
			sayCase(i, &def, slide >= 1e-3 ? "a planted foot moves" : "a foot sinks", 0, slide >= 1e-3 ? slide : sink);
			++bad;
		}
		free(contacts);
		rpDestroyMotion(motion);
	}
	assert_int_equal(bad, 0);
}

// In flight the centre of mass is a parabola to a millimetre, and it is where the truth says.
static void testFlight(void** state)
{
	(void)state;
	int flights = 0, bad = 0;
	for (int i = 0; i < CASE_COUNT; ++i)
	{
		rpPerformDef def = makeCase(i);
		def.fps = 240;
		rpMotion* motion = perform(&def);
		rpBody body;
		assert_true(rpWeighSkeleton(motion->skeleton, NULL, &body, NULL));
		rpVec3* centers = calloc((size_t)motion->frameCount, sizeof(rpVec3));
		rpBody_GetCenters(&body, motion, centers);
		const rpCurve* com = rpAnnotations_FindCurve(&motion->annotations, "com");
		for (int f = 0; f < motion->frameCount; ++f)
		{
			rpVec3 said;
			rpCurve_Sample(com, f / def.fps, &said.x);
			assert_true(rpDistance(said, centers[f]) < 1e-4f);
		}
		int count;
		rpInterval* phases = listIntervals(motion, rp_trackPhase, &count);
		for (int k = 0; k < count; ++k)
		{
			int first = (int)ceil(phases[k].start * 240 + 1e-6), last = (int)floor(phases[k].end * 240 - 1e-6);
			if (strcmp(phases[k].name, "F") != 0 || last - first < 4 || phases[k].start <= 0 ||
				last + 1 >= motion->frameCount)
			{
				continue;
			}
			++flights;
			double time = (last - first) / 240.0;
			rpVec3 a = centers[first], b = centers[last];
			for (int f = first; f <= last; ++f)
			{
				double t = (f - first) / 240.0, part = t / time;
				rpVec3 at = rpLerp(a, b, (float)part);
				at.y += (float)(0.5 * GRAVITY * t * (time - t));
				double miss = (double)rpDistance(at, centers[f]);
				if (miss > 1e-3)
				{
					sayCase(i, &def, "flight misses its parabola by", f, miss);
					++bad;
					break;
				}
			}
		}
		free(phases);
		free(centers);
		rpDestroyMotion(motion);
	}
	assert_true(flights > 80);
	assert_int_equal(bad, 0);
}

// No joint turns faster than this, rad/s: a knee that pops does.
#define FASTEST_TURN 60.0

// Nothing moves more abruptly than captured people do.
static void testAccelerations(void** state)
{
	(void)state;
	for (int i = 0; i < CASE_COUNT; ++i)
	{
		rpPerformDef def = makeCase(i);
		testHoldToAccelerations(&def);
	}
}

// The acceleration is continuous: it does not jump between frames, however close they are. Between 240 and 960 Hz the
// largest change from frame to frame must shrink, where a jump would stay.
static void testContinuity(void** state)
{
	(void)state;
	int bad = 0;
	for (int i = 0; i < 15; ++i)
	{
		double changes[2] = {0.0, 0.0};
		for (int k = 0; k < 2; ++k)
		{
			rpPerformDef def = makeCase(i);
			def.fps = k == 0 ? 240 : 960;
			rpMotion* motion = perform(&def);
			int n = motion->frameCount;
			const rpCurve* com = rpAnnotations_FindCurve(&motion->annotations, "com");
			const rpVec3* p = (const rpVec3*)com->values;
			// Differences over several frames, as places are floats; the centre of mass is what forces move.
			int step = k == 0 ? 2 : 4;
			double h = step / def.fps;
			for (int f = 2 * step; f + 2 * step < n; ++f)
			{
				rpVec3 third =
					rpSub(rpSub(p[f + 2 * step], p[f - 2 * step]), rpScale(2.0f, rpSub(p[f + step], p[f - step])));
				changes[k] = fmax(changes[k], 0.5 * (double)rpLength(third) / (h * h));
			}
			const rpQuat* rotations = motion->rotations;
			for (int f = 1; f < n && k == 0; ++f)
			{
				for (int j = 0; j < motion->skeleton->jointCount; ++j)
				{
					const rpQuat *a = rotations + (size_t)((f - 1) * motion->skeleton->jointCount + j),
								 *b = a + motion->skeleton->jointCount;
					assert_true(rpDotQuat(*a, *b) > 0.0f);
					assert_true((double)rpAngleBetween(*a, *b) * def.fps < FASTEST_TURN);
				}
			}
			rpDestroyMotion(motion);
		}
		if (changes[1] > 0.7 * changes[0] + 0.6)
		{
			rpPerformDef def = makeCase(i);
			sayCase(i, &def, "the acceleration jumps by", 0, changes[1]);
			printf("  at 240 Hz %g\n", changes[0]);
			++bad;
		}
	}
	assert_int_equal(bad, 0);
}

// Joints stay within what people can do, and knees are hinges.
static void testJointLimits(void** state)
{
	(void)state;
	int bad = 0;
	for (int i = 0; i < CASE_COUNT; ++i)
	{
		rpPerformDef def = makeCase(i);
		rpMotion* motion = perform(&def);
		PerformanceFaults faults = {0};
		testMeasureJoints(motion, &faults);
		if (faults.joint > 0.0f)
		{
			sayCase(i, &def, faults.jointName, (int)(faults.jointTime * def.fps), (double)faults.joint);
			++bad;
		}
		for (int f = 0; f < motion->frameCount; ++f)
		{
			const rpQuat* q = rpMotion_GetRotations(motion, f);
			for (int side = 0; side < 2; ++side)
			{
				rpQuat knee = q[side == 0 ? rp_leftLeg : rp_rightLeg];
				assert_true(knee.x > 0.01f && fabsf(knee.y) < 0.02f && fabsf(knee.z) < 0.02f);
			}
		}
		rpDestroyMotion(motion);
	}
	assert_int_equal(bad, 0);
}

// Someone who starts, stops or turns on the spot keeps the weight over the feet while slow; and the other bars that
// acts on the spot are held to.
static void testBalance(void** state)
{
	(void)state;
	static const rpAct acts[] = {rp_actTurn,      rp_actTurn,     rp_actStandWalk,
								 rp_actWalkStand, rp_actStandRun, rp_actRunStand};
	for (int i = 0; i < 18; ++i)
	{
		rpPerformDef def = testDrawPerformance(acts[i % 6], (uint64_t)i);
		testHoldToBars(&def);
	}
}

static bool hasEvent(const rpMotion* motion, const char* name)
{
	for (int i = 0; i < motion->annotations.eventCount; ++i)
	{
		if (strcmp(motion->annotations.events[i].name, name) == 0)
		{
			return true;
		}
	}
	return false;
}

// The twelve transition strings of Table 1, each where it belongs, for many seeds; and nothing but the seventeen.
static void testStrings(void** state)
{
	(void)state;
	static const struct
	{
		rpAct act;
		const char* strings[2];
	} expected[] = {
		{rp_actStandWalk, {"string:SLDR", "string:SRDL"}},  {rp_actWalkStand, {"string:LDRS", "string:RDLS"}},
		{rp_actStandRun, {"string:SLDRF", "string:SRDLF"}}, {rp_actRunStand, {"string:FLDRS", "string:FRDLS"}},
		{rp_actWalkRun, {"string:LDRF", "string:RDLF"}},    {rp_actRunWalk, {"string:FLDR", "string:FRDL"}},
	};
	static const char* const known[] = {"LDR",  "RDL",  "FLF",  "FRF",  "S",     "LDRF",  "RDLF",  "FRDL", "FLDR",
										"LDRS", "RDLS", "SRDL", "SLDR", "SLDRF", "SRDLF", "FRDLS", "FLDRS"};
	for (int i = 0; i < 6 * 2 * 6; ++i)
	{
		rpPerformDef def = rpDefaultPerformDef(expected[i % 6].act);
		int foot = i / 6 % 2;
		def.seed = (uint64_t)(i / 12);
		def.parameters[rp_paramFoot] = (float)foot;
		rpMotion* motion = perform(&def);
		if (!hasEvent(motion, expected[i % 6].strings[foot]))
		{
			sayCase(i, &def, expected[i % 6].strings[foot], 0, 0);
		}
		assert_true(hasEvent(motion, expected[i % 6].strings[foot]));
		assert_false(hasEvent(motion, expected[i % 6].strings[1 - foot]));
		for (int k = 0; k < motion->annotations.eventCount; ++k)
		{
			const char* name = motion->annotations.events[k].name;
			bool found = strncmp(name, "string:", 7) != 0;
			for (int s = 0; s < 17; ++s)
			{
				found = found || strcmp(name + 7, known[s]) == 0;
			}
			if (!found)
			{
				sayCase(i, &def, name, 0, motion->annotations.events[k].time);
			}
			assert_true(found);
		}
		rpDestroyMotion(motion);
	}
}

// Half cycles are peaks of the centre of mass, as a detector finds them in the frames.
static void testPeaks(void** state)
{
	(void)state;
	int bad = 0, seen = 0;
	for (int i = 0; i < CASE_COUNT; ++i)
	{
		rpPerformDef def = makeCase(i);
		def.fps = 120;
		rpMotion* motion = perform(&def);
		const rpVec3* centers = (const rpVec3*)rpAnnotations_FindCurve(&motion->annotations, "com")->values;
		for (int k = 0; k < motion->annotations.eventCount; ++k)
		{
			const rpEvent* event = motion->annotations.events + k;
			int f = (int)floor(event->time * 120 + 0.5), best = f;
			if (strcmp(event->name, "half_cycle") != 0 || f < 8 || f + 8 >= motion->frameCount)
			{
				continue;
			}
			++seen;
			for (int g = f - 6; g <= f + 6; ++g)
			{
				best = centers[g].y > centers[best].y ? g : best;
			}
			if (abs(best - f) > 3)
			{
				sayCase(i, &def, "the peak is off by frames", f, best - f);
				++bad;
			}
		}
		rpDestroyMotion(motion);
	}
	assert_true(seen > 200);
	assert_int_equal(bad, 0);
}

// The same at any rate, the same bytes for the same seed, other bodies by dynamic similarity.
static void testAgreement(void** state)
{
	(void)state;
	for (int i = 0; i < 15; ++i)
	{
		rpPerformDef def = makeCase(i);
		def.fps = 240;
		rpMotion *fine = perform(&def), *again = perform(&def);
		assert_memory_equal(fine->rotations, again->rotations,
							sizeof(rpQuat) * (size_t)(fine->frameCount * fine->skeleton->jointCount));
		assert_memory_equal(fine->rootPositions, again->rootPositions, sizeof(rpVec3) * (size_t)fine->frameCount);
		def.fps = 30;
		rpMotion* coarse = perform(&def);
		for (int f = 0; f < coarse->frameCount; ++f)
		{
			assert_true(rpDistance(coarse->rootPositions[f], fine->rootPositions[8 * f]) < 1e-5f);
		}
		assert_int_equal(coarse->annotations.eventCount, fine->annotations.eventCount);

		float k = 1.2f / 1.75f;
		rpPerformDef child = def;
		child.stature = 1.2f;
		child.fps = 30.0 / sqrt((double)k);
		child.seconds = def.seconds * sqrt((double)k);
		child.parameters[rp_paramSpeed] *= sqrtf(k);
		child.parameters[rp_paramTurn] /= sqrtf(k);
		rpMotion* small = perform(&child);
		assert_true(fabsf(small->skeleton->height - 1.2f) < 1e-3f);
		for (int f = 0; f < coarse->frameCount && f < small->frameCount; ++f)
		{
			assert_true(rpDistance(rpScale(k, coarse->rootPositions[f]), small->rootPositions[f]) < 2e-3f);
		}
		rpDestroyMotion(fine);
		rpDestroyMotion(again);
		rpDestroyMotion(coarse);
		rpDestroyMotion(small);
	}
}

static void testTurnsAsFarAsAsked(void** state)
{
	(void)state;
	for (int i = 0; i < 12; ++i)
	{
		rpPerformDef def = rpDefaultPerformDef(i % 2 == 0 ? rp_actTurn : rp_actTurnInStride);
		float angle = (float)((30.0 * (i / 2 + 1)) * RP_DEGREE) * (i % 4 < 2 ? 1.0f : -1.0f);
		def.parameters[rp_paramAngle] = angle;
		def.seconds = 9.0;
		rpMotion* motion = perform(&def);
		float turned = 0.0f;
		for (int f = 1; f < motion->frameCount; ++f)
		{
			turned += rpWrapAngle(rpMotion_GetGround(motion, f).turn - rpMotion_GetGround(motion, f - 1).turn);
		}
		assert_true(fabsf(turned - angle) < 0.25f);
		rpDestroyMotion(motion);
	}
}

static void testTakes(void** state)
{
	(void)state;
	rpPerformDef def = rpDefaultPerformDef(rp_actTake);
	def.seconds = 60;
	def.fps = 30;
	for (uint64_t seed = 1; seed <= 4; ++seed)
	{
		def.seed = seed;
		rpMotion* motion = perform(&def);
		assert_int_equal(motion->frameCount, 1801);
		int labels = rpMotion_GetIntervals(motion, rp_trackLabel, NULL, 0);
		assert_true(labels > 8);
		for (int f = 0; f < motion->frameCount; ++f)
		{
			assert_true(hypotf(motion->rootPositions[f].x, motion->rootPositions[f].z) < 30.0f);
		}
		rpDestroyMotion(motion);
	}
	def.labels = false;
	def.script = "stand 1; walk 4 1.3 20\nrun 3 3; stand 2";
	rpMotion* motion = perform(&def);
	assert_int_equal(rpMotion_GetIntervals(motion, rp_trackLabel, NULL, 0), 0);
	assert_true(hasEvent(motion, "string:SLDR") || hasEvent(motion, "string:SRDL"));
	rpDestroyMotion(motion);
	static const char* const wrong[] = {"fly 3", "walk x", "walk 3 9", "run 2 0.5", "walk 1 1 1 1", "", " ; "};
	for (int i = 0; i < 7; ++i)
	{
		rpError error = {0};
		def.script = wrong[i];
		assert_null(rpPerform(&def, &error));
		assert_int_equal(error.code, rp_errorArgument);
	}
}

static void testRepertoire(void** state)
{
	(void)state;
	rpRepertoireEntry entry;
	int count = 0;
	double seconds = 0.0;
	bool acts[rp_actCount] = {false};
	while (rpGetRepertoire(3, count, &entry))
	{
		++count;
		acts[entry.def.act] = true;
		seconds += entry.def.seconds;
		entry.def.fps = 30;
		entry.def.seconds = fmin(entry.def.seconds, 2.0);
		rpDestroyMotion(perform(&entry.def));
	}
	assert_true(count > rp_actCount && seconds > 180.0);
	for (int act = 0; act < rp_actCount; ++act)
	{
		assert_true(acts[act] || rpAct_GetKind((rpAct)act) == rp_kindChain);
	}
	assert_false(rpGetRepertoire(3, -1, &entry));
}

// A minute and ten of them: someone whose steps are a little shorter than the average still walks at the end. Seed 4
// runs out of steps after 59 s otherwise.
static void testLongJourneys(void** state)
{
	(void)state;
	static const rpAct acts[] = {rp_actRun, rp_actWalk, rp_actBackwards, rp_actSneak};
	for (int i = 0; i < 8; ++i)
	{
		rpPerformDef def = rpDefaultPerformDef(acts[i % 4]);
		def.seconds = i < 4 ? 60.0 : 600.0;
		def.fps = 30;
		def.seed = 4;
		rpMotion* motion = perform(&def);
		int count;
		rpInterval* contacts = listIntervals(motion, rp_trackContact, &count);
		double last = 0.0;
		for (int k = 0; k < count; ++k)
		{
			last = fmax(last, contacts[k].start);
		}
		assert_true(rpMotion_CheckFinite(motion, NULL));
		assert_true(last > def.seconds - 1.0);
		free(contacts);
		rpDestroyMotion(motion);
	}
}

static void failEveryAllocation(rpAct act)
{
	rpPerformDef def = rpDefaultPerformDef(act);
	def.seconds = act == rp_actTake ? 4.0 : 0.0;
	def.fps = 30;
	testFailPerforming(&def);
}

static void testMemoryRunsOut(void** state)
{
	(void)state;
	for (int act = 0; act < rp_actCount; ++act)
	{
		failEveryAllocation((rpAct)act);
	}
}

int main(void)
{
	testUseCountingAllocator();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testFeet),         cmocka_unit_test(testFlight),
		cmocka_unit_test(testContinuity),   cmocka_unit_test(testAccelerations),
		cmocka_unit_test(testJointLimits),  cmocka_unit_test(testBalance),
		cmocka_unit_test(testStrings),      cmocka_unit_test(testPeaks),
		cmocka_unit_test(testAgreement),    cmocka_unit_test(testTurnsAsFarAsAsked),
		cmocka_unit_test(testTakes),        cmocka_unit_test(testRepertoire),
		cmocka_unit_test(testLongJourneys), cmocka_unit_test(testMemoryRunsOut),
	};
	return cmocka_run_group_tests_name("performer's gaits", tests, NULL, NULL);
}
