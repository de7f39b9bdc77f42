/// Movements found in performances against the performer's truth; the same at other rates, mirrored, in several takes;
/// and what is said where there are none.
#include "performance.h"
#include "support.h"

#include <math.h>
#include <string.h>

// A frame at 60 Hz.
#define FRAME (1.0 / 60.0)

static rpMotion* perform(const char* script, uint64_t seed, double fps, double seconds)
{
	rpPerformDef def = rpDefaultPerformDef(rp_actTake);
	def.script = script;
	def.seed = seed;
	def.fps = fps;
	def.seconds = seconds;
	return testPerform(&def);
}

// The frames alone, as a capture has them.
static rpMotion* bare(rpMotion* motion)
{
	rpMotion* copy = rpCopyMotion(motion, NULL);
	assert_non_null(copy);
	rpAnnotations_Free(&copy->annotations);
	return copy;
}

static rpMovements* find(const rpMotion* motion)
{
	rpError error = {0};
	rpMovements* movements = rpFindMovements(&motion, 1, NULL, &error);
	if (movements == NULL)
	{
		fail_msg("%s", error.message);
	}
	return movements;
}

static const char s_gaits[] = "stand 2; walk 3 1.3; run 3 3; walk 3 1.5; stand 2; run 3 2.6; stand 2; walk 4 1.6 20";

static const rpMovement* findAt(const rpMovements* movements, double time)
{
	for (int i = 0; i < movements->count; ++i)
	{
		if (movements->items[i].start <= time && time < movements->items[i].end)
		{
			return movements->items + i;
		}
	}
	return NULL;
}

static double findNextBoundary(const rpAnnotations* truth, double after)
{
	for (int i = 0; i < truth->eventCount; ++i)
	{
		const rpEvent* event = truth->events + i;
		bool isBoundary = strcmp(event->name, "half_cycle") == 0 || strcmp(event->name, "stand") == 0;
		if (isBoundary && event->time > after + 1e-6)
		{
			return event->time;
		}
	}
	return INFINITY;
}

// All strings that the truth has, but for those that the ends of the take may cut; returns how many.
static int checkStrings(const rpMotion* performance, const rpMovements* movements)
{
	const rpAnnotations* truth = &performance->annotations;
	int count = 0;
	for (int i = 0; i < truth->eventCount; ++i)
	{
		const rpEvent* event = truth->events + i;
		double end = findNextBoundary(truth, event->time);
		if (strncmp(event->name, "string:", 7) != 0 || event->time < 0.25 ||
			end > rpMotion_GetDuration(performance) - 0.25)
		{
			continue;
		}
		const rpMovement* movement = findAt(movements, 0.5 * (event->time + end));
		assert_non_null(movement);
		assert_string_equal(rpMovementKind_GetString(movement->kind), event->name + 7);
		bool startsAtPeak = event->name[7] != 'S', endsAtPeak = event->name[strlen(event->name) - 1] != 'S';
		assert_true(!startsAtPeak || fabs(movement->start - event->time) < FRAME);
		assert_true(!endsAtPeak || fabs(movement->end - end) < FRAME);
		++count;
	}
	return count;
}

static void findsStrings(void** state)
{
	(void)state;
	for (int i = 0; i < 4; ++i)
	{
		rpMotion* known = perform(s_gaits, (uint64_t)(40 + i), i % 2 == 0 ? 60.0 : 120.0, 0.0);
		rpMotion* take = bare(known);
		rpMovements* movements = find(take);
		assert_true(checkStrings(known, movements) > 30);
		assert_int_equal(movements->droppedCount, 0);
		assert_true(movements->validSeconds == movements->locomotionSeconds);
		assert_true(movements->validSeconds > 0.9 * movements->seconds);
		rpDestroyMovements(movements);
		rpDestroyMotion(take);
		rpDestroyMotion(known);
	}
}

// The twelve transitions, on either foot.
static void findsTransitions(void** state)
{
	(void)state;
	static const rpAct acts[] = {rp_actStandWalk, rp_actWalkStand, rp_actStandRun,
								 rp_actRunStand,  rp_actWalkRun,   rp_actRunWalk};
	int counts[rp_movementKindCount] = {0};
	for (int i = 0; i < 12; ++i)
	{
		rpPerformDef def = rpDefaultPerformDef(acts[i / 2]);
		def.parameters[rp_paramFoot] = (float)(i % 2);
		def.seed = (uint64_t)(7 + i);
		def.seconds = 6.0;
		rpMotion* known = testPerform(&def);
		rpMotion* take = bare(known);
		rpMovements* movements = find(take);
		checkStrings(known, movements);
		for (int k = 0; k < rp_movementKindCount; ++k)
		{
			counts[k] += movements->counts[k];
		}
		rpDestroyMovements(movements);
		rpDestroyMotion(take);
		rpDestroyMotion(known);
	}
	for (int k = 0; k < rp_movementKindCount; ++k)
	{
		assert_true(counts[k] > 0);
	}
}

// What is no locomotion gives no movement but stands.
static void inventsNothing(void** state)
{
	(void)state;
	rpMotion* known =
		perform("walk 4 1.3; stand 2; jump 0.8; punch; kick; hop; step-up; sit-down; duck; dance 6; stand 2; "
				"walk 4 1.3",
				3, 60.0, 0.0);
	rpMotion* take = bare(known);
	rpMovements* movements = find(take);
	double first = INFINITY, last = 0.0;
	for (int i = 0; i < known->annotations.intervalCount; ++i)
	{
		const rpInterval* label = known->annotations.intervals + i;
		bool isOther = label->track == rp_trackLabel && strcmp(label->name, "take") != 0 &&
					   strcmp(label->name, "stand") != 0 && strcmp(label->name, "walk") != 0;
		first = isOther ? fmin(first, label->start) : first;
		last = isOther ? fmax(last, label->end) : last;
	}
	assert_true(last > first + 15.0);
	for (int i = 0; i < movements->count; ++i)
	{
		const rpMovement* movement = movements->items + i;
		bool isInside = movement->start > first && movement->end < last;
		assert_true(!isInside || movement->kind == rp_movementS);
	}
	assert_true(movements->droppedCount > 5);
	assert_true(movements->validSeconds < movements->locomotionSeconds);
	rpDestroyMovements(movements);
	rpDestroyMotion(take);
	rpDestroyMotion(known);
}

// A boxer who dances from foot to foot hops, but does not set out for a run, nor end one.
static void tellsDancesFromStarts(void** state)
{
	(void)state;
	rpMotion* known = perform("walk 4 1.3; stand 2; box-dance 8; stand 2; run 4 3; stand 2", 8, 60.0, 0.0);
	rpMotion* take = bare(known);
	rpMovements* movements = find(take);
	int starts = movements->counts[rp_movementSLDRF] + movements->counts[rp_movementSRDLF];
	int stops = movements->counts[rp_movementFLDRS] + movements->counts[rp_movementFRDLS];
	assert_int_equal(starts, 1);
	assert_int_equal(stops, 1);
	rpDestroyMovements(movements);
	rpDestroyMotion(take);
	rpDestroyMotion(known);
}

// Stands come before footsteps: someone who shifts a foot while the centre of mass rests still stands.
static void standsOnOneFoot(void** state)
{
	(void)state;
	rpMotion* known = perform("stand 3; walk 4 1.3", 8, 60.0, 0.0);
	rpMovements* movements = find(known);
	int count = movements->count;
	assert_int_equal(movements->items[0].kind, rp_movementS);
	assert_true(movements->items[0].end > 2.0);
	rpDestroyMovements(movements);
	// All contacts of the right foot are lost for a moment.
	rpAnnotations* notes = &known->annotations;
	for (int i = 0, last = notes->intervalCount; i < last; ++i)
	{
		rpInterval* contact = notes->intervals + i;
		bool isRight =
			contact->track == rp_trackContact && contact->effector >= rp_rightHeel && contact->effector <= rp_rightToe;
		if (isRight && contact->start < 0.8 && contact->end > 1.1)
		{
			rpInterval rest = *contact;
			contact->end = 0.8;
			rest.start = 1.1;
			assert_true(rpAnnotations_AddInterval(notes, &rest, NULL));
		}
	}
	movements = find(known);
	assert_int_equal(movements->count, count);
	assert_int_equal(movements->items[0].kind, rp_movementS);
	assert_true(movements->items[0].end > 2.0);
	rpDestroyMovements(movements);
	rpDestroyMotion(known);
}

// Someone who does knee bends after a stand, and walks off, does not set out from the stand.
static void leavesOutKneeBends(void** state)
{
	(void)state;
	rpMotion* known = perform("stand 6; walk 4 1.3", 8, 60.0, 0.0);
	rpMovements* movements = find(known);
	assert_int_equal(movements->counts[rp_movementSLDR] + movements->counts[rp_movementSRDL], 1);
	const rpMovement* start = movements->items + 1;
	assert_int_equal(rpMovementKind_GetBefore(start->kind), rp_gaitStand);
	double lift = start->keytimes[1];
	rpDestroyMovements(movements);
	for (int i = (int)ceil((lift - 3.0) * 60.0); i < (int)(lift * 60.0); ++i)
	{
		known->rootPositions[i].y -= 0.1f * (1.0f - cosf(6.2831853f * (float)(i / 60.0 - lift)));
	}
	movements = find(known);
	assert_int_equal(movements->counts[rp_movementSLDR] + movements->counts[rp_movementSRDL], 0);
	assert_true(movements->counts[rp_movementS] > 0);
	assert_true(movements->counts[rp_movementLDR] + movements->counts[rp_movementRDL] > 3);
	rpDestroyMovements(movements);
	rpDestroyMotion(known);
}

static void checkKeytimes(const rpMovement* movement)
{
	int letters = (int)strlen(rpMovementKind_GetString(movement->kind));
	assert_int_equal(movement->keytimeCount, letters + 1);
	assert_true(movement->keytimes[0] == movement->start && movement->keytimes[letters] == movement->end);
	for (int i = 0; i < letters; ++i)
	{
		assert_true(movement->keytimes[i] < movement->keytimes[i + 1]);
	}
}

// A take at 60 Hz and at 120 Hz: the same movements, times, parameters.
static void agreesAcrossRates(void** state)
{
	(void)state;
	rpMotion *known = perform(s_gaits, 11, 120.0, 0.0), *fast = bare(known);
	rpMotion* slow = rpResampleMotion(fast, 60.0, NULL);
	assert_non_null(slow);
	rpMovements *a = find(fast), *b = find(slow);
	assert_int_equal(a->count, b->count);
	for (int i = 0; i < a->count; ++i)
	{
		const rpMovement *x = a->items + i, *y = b->items + i;
		assert_int_equal(x->kind, y->kind);
		checkKeytimes(x);
		checkKeytimes(y);
		// Ends of stands are known to a frame; boundaries of gaits hang on the middle of supports, whose ends are known
		// to a part of one.
		bool isGait =
			rpMovementKind_GetBefore(x->kind) != rp_gaitStand && rpMovementKind_GetAfter(x->kind) != rp_gaitStand;
		assert_true(fabs(x->start - y->start) < (isGait ? 0.25 * FRAME : 0.02));
		assert_true(fabs(x->end - y->end) < (isGait ? 0.25 * FRAME : 0.02));
		assert_true(fabsf(x->speed - y->speed) < (isGait ? 0.005f : 0.03f));
		assert_true(!isGait || fabsf(x->turn - y->turn) < 0.01f);
		assert_true(fabsf(x->acceleration - y->acceleration) < (isGait ? 0.03f : 0.1f));
	}
	rpDestroyMovements(a);
	rpDestroyMovements(b);
	rpDestroyMotion(slow);
	rpDestroyMotion(fast);
	rpDestroyMotion(known);
}

// The time of the half cycle's truth that follows a time.
static double findHalfCycle(const rpMotion* known, double after)
{
	const rpAnnotations* truth = &known->annotations;
	for (int i = 0; i < truth->eventCount; ++i)
	{
		if (strcmp(truth->events[i].name, "half_cycle") == 0 && truth->events[i].time > after + 1e-6)
		{
			return truth->events[i].time;
		}
	}
	return INFINITY;
}

// Someone who limps is highest late over the one foot and early over the other, as captured people are; half cycles are
// cut near the middle of their supports all the same.
static void cutsLimpsEvenly(void** state)
{
	(void)state;
	rpMotion *known = perform("walk 9 1.2", 3, 120.0, 0.0), *take = bare(known);
	double first = findHalfCycle(known, 0.0), stride = findHalfCycle(known, findHalfCycle(known, first)) - first;
	for (int i = 0; i < take->frameCount; ++i)
	{
		take->rootPositions[i].y += 0.02f * (float)sin(2.0 * M_PI * (i / take->fps - first) / stride);
	}
	rpMovements *even = find(known), *limping = find(take);
	assert_true(limping->count >= even->count - 1 && limping->count > 10);
	assert_true(even->irregularity < 0.05f);
	assert_true(limping->irregularity > even->irregularity && limping->irregularity < 0.3f);
	rpDestroyMovements(even);
	rpDestroyMovements(limping);
	rpDestroyMotion(take);
	rpDestroyMotion(known);
}

// A half cycle that is cut at another phase than the others is dropped, and reported.
static void dropsOutOfPhase(void** state)
{
	(void)state;
	rpMotion* known = perform("walk 9 1.2", 3, 120.0, 0.0);
	rpMovements* all = find(known);
	assert_int_equal(all->outOfPhaseCount, 0);
	// The left foot comes down early in one step and leaves it late: its support reaches over most of the half cycle.
	const rpMovement* odd = all->items + 6;
	double early = odd->keytimes[1] - odd->start - 0.05, late = odd->keytimes[2];
	for (int i = 0; i < known->annotations.intervalCount; ++i)
	{
		rpInterval* contact = known->annotations.intervals + i;
		bool begins = contact->track == rp_trackContact && fabs(contact->start - odd->keytimes[1]) < 0.15;
		bool ends = contact->track == rp_trackContact && fabs(contact->end - late) < 0.15;
		contact->start -= begins ? early : 0.0;
		contact->end -= ends ? 0.8 * early : 0.0;
	}
	rpMovements* fewer = find(known);
	assert_true(fewer->outOfPhaseCount >= 1);
	assert_true(fewer->droppedCount >= fewer->outOfPhaseCount);
	assert_true(fewer->validSeconds < all->validSeconds);
	rpDestroyMovements(all);
	rpDestroyMovements(fewer);
	rpDestroyMotion(known);
}

// Parameters are what the performer was asked for: two half cycles together, as each foot has its own manner.
static void measuresParameters(void** state)
{
	(void)state;
	static const struct
	{
		rpAct act;
		float speed, turn;
	} cases[] = {
		{rp_actWalk, 1.0f, 0.0f}, {rp_actWalk, 1.6f, 30.0f}, {rp_actRun, 3.0f, 0.0f}, {rp_actRun, 2.5f, -25.0f}};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i)
	{
		rpPerformDef def = rpDefaultPerformDef(cases[i].act);
		def.parameters[rp_paramSpeed] = cases[i].speed;
		def.parameters[rp_paramTurn] = cases[i].turn * 0.0174533f;
		def.seconds = 8.0;
		rpMotion *known = testPerform(&def), *take = bare(known);
		rpMovements* movements = find(take);
		double speed = 0.0, turn = 0.0, gain = 0.0, seconds = 0.0;
		for (int k = 0; k + 1 < movements->count - movements->count % 2; ++k)
		{
			const rpMovement* movement = movements->items + k;
			double length = movement->end - movement->start;
			speed += length * (double)movement->speed;
			turn += length * (double)movement->turn;
			gain += length * (double)movement->acceleration;
			seconds += length;
		}
		assert_true(fabs(speed / seconds - (double)cases[i].speed) < 0.04 * (double)cases[i].speed);
		assert_true(fabs(turn / seconds - (double)cases[i].turn * 0.0174533) < 0.05);
		assert_true(fabs(gain / seconds) < 0.1);
		rpDestroyMovements(movements);
		rpDestroyMotion(take);
		rpDestroyMotion(known);
	}
}

// Someone who sets out gains speed, someone who stops loses it.
static void measuresAcceleration(void** state)
{
	(void)state;
	rpMotion *known = perform("stand 1.5; run 4 3; stand 2", 5, 60.0, 0.0), *take = bare(known);
	rpMovements* movements = find(take);
	int starts = 0, stops = 0;
	for (int i = 0; i < movements->count; ++i)
	{
		const rpMovement* movement = movements->items + i;
		rpGait before = rpMovementKind_GetBefore(movement->kind), after = rpMovementKind_GetAfter(movement->kind);
		bool isStart = before == rp_gaitStand && after != rp_gaitStand;
		bool isStop = before != rp_gaitStand && after == rp_gaitStand;
		assert_true(!isStart || movement->acceleration > 0.5f);
		assert_true(!isStop || movement->acceleration < -0.5f);
		starts += isStart;
		stops += isStop;
	}
	assert_true(starts == 1 && stops == 1);
	rpDestroyMovements(movements);
	rpDestroyMotion(take);
	rpDestroyMotion(known);
}

static rpMovementKind mirror(rpMovementKind kind)
{
	char string[RP_FOOTSTEP_SIZE];
	strcpy(string, rpMovementKind_GetString(kind));
	for (char* c = string; *c != 0; ++c)
	{
		*c = (char)(*c == 'L' ? 'R' : *c == 'R' ? 'L' : *c);
	}
	return rpMovementKind_Find(string);
}

static void mirrors(void** state)
{
	(void)state;
	rpMotion *known = perform(s_gaits, 21, 60.0, 0.0), *take = bare(known);
	rpMotion* other = rpMirrorMotion(take, NULL);
	assert_non_null(other);
	rpMovements *a = find(take), *b = find(other);
	assert_int_equal(a->count, b->count);
	for (int i = 0; i < a->count; ++i)
	{
		assert_int_equal(b->items[i].kind, mirror(a->items[i].kind));
		assert_true(fabs(a->items[i].start - b->items[i].start) < 0.01);
		assert_true(a->items[i].kind == rp_movementS || fabsf(a->items[i].turn + b->items[i].turn) < 0.03f);
	}
	rpDestroyMovements(a);
	rpDestroyMovements(b);
	rpDestroyMotion(other);
	rpDestroyMotion(take);
	rpDestroyMotion(known);
}

// What ends one take is not followed by what begins the next; within a take all goes on but where something was
// dropped.
static void keepsTakesApart(void** state)
{
	(void)state;
	rpMotion *known = perform("walk 4 1.3", 2, 60.0, 6.0), *take = bare(known);
	const rpMotion* takes[] = {take, take, take};
	rpError error = {0};
	rpMovements* movements = rpFindMovements(takes, 3, NULL, &error);
	assert_non_null(movements);
	assert_int_equal(movements->count % 3, 0);
	int each = movements->count / 3;
	for (int i = 0; i < movements->count; ++i)
	{
		assert_int_equal(movements->items[i].take, i / each);
		assert_int_equal(movements->items[i].isSuccessor, i % each != 0);
	}
	rpDestroyMovements(movements);
	rpDestroyMotion(take);
	rpDestroyMotion(known);
}

// ---- where there are none

static void checkRefusal(const rpMotion* motion, rpErrorCode code, const char* part)
{
	rpError error = {0};
	rpMovements* movements = rpFindMovements(&motion, 1, NULL, &error);
	if (movements != NULL)
	{
		fail_msg("%d movements, the first %s", movements->count, rpMovementKind_GetString(movements->items[0].kind));
	}
	assert_int_equal(error.code, code);
	if (strstr(error.message, part) == NULL)
	{
		fail_msg("\"%s\" does not say \"%s\"", error.message, part);
	}
	assert_true(error.hint[0] != 0);
}

static void refusesStandingAbout(void** state)
{
	(void)state;
	static const char* const scripts[] = {"stand 5", "gesture 6", "punch; kick; punch", "sit-down"};
	for (size_t i = 0; i < sizeof(scripts) / sizeof(scripts[0]); ++i)
	{
		rpMotion *known = perform(scripts[i], 4, 60.0, 0.0), *take = bare(known);
		checkRefusal(take, rp_errorNoSolution, "nobody walks or runs");
		rpDestroyMotion(take);
		rpDestroyMotion(known);
	}
}

// One step, and one frame.
static void refusesOneStep(void** state)
{
	(void)state;
	rpMotion *known = perform("stand 1; walk 4 1.3", 4, 60.0, 0.0), *take = bare(known);
	double strike = fmin(testFindEvent(known, "heel_strike_left"), testFindEvent(known, "heel_strike_right"));
	rpMotion* step = rpCropMotion(take, 0.0, strike + 0.15, NULL);
	assert_non_null(step);
	checkRefusal(step, rp_errorNoSolution, "nobody walks or runs");
	rpMotion* frame = rpCropFrames(take, 0, 1, NULL);
	assert_non_null(frame);
	checkRefusal(frame, rp_errorNoSolution, "nobody walks or runs");
	rpDestroyMotion(frame);
	rpDestroyMotion(step);
	rpDestroyMotion(take);
	rpDestroyMotion(known);
}

// A walk lying on the back: the feet tread the air, or rest beside the body.
static void refusesLying(void** state)
{
	(void)state;
	rpMotion *known = perform("stand 3", 4, 60.0, 0.0), *take = bare(known);
	rpQuat over = rpAxisAngle((rpVec3){1.0f, 0.0f, 0.0f}, -1.5707963f);
	for (int i = 0; i < take->frameCount; ++i)
	{
		rpQuat* root = take->rotations + (ptrdiff_t)i * take->skeleton->jointCount;
		*root = rpMulQuat(over, *root);
		take->rootPositions[i] = (rpVec3){0.0f, 0.12f, 0.0f};
	}
	checkRefusal(take, rp_errorNoSolution, "nobody walks or runs");
	rpDestroyMotion(take);
	rpDestroyMotion(known);
}

static void refusesSlowRates(void** state)
{
	(void)state;
	rpMotion *known = perform(s_gaits, 4, 60.0, 0.0), *take = bare(known);
	rpMotion* slow = rpResampleMotion(take, 10.0, NULL);
	assert_non_null(slow);
	checkRefusal(slow, rp_errorNoSolution, "10 frames per second");
	rpMotion* enough = rpResampleMotion(take, 30.0, NULL);
	rpMovements* movements = find(enough);
	assert_true(checkStrings(known, movements) > 30);
	rpDestroyMovements(movements);
	rpDestroyMotion(enough);
	rpDestroyMotion(slow);
	rpDestroyMotion(take);
	rpDestroyMotion(known);
}

// ---- other bodies

// The same motion on a body whose feet end at the ankles: joints of the balls and their ends are left out.
static rpMotion* dropToes(const rpMotion* motion)
{
	const rpSkeleton* old = motion->skeleton;
	rpJoint joints[64];
	int kept[64], count = 0, fresh[64];
	for (int i = 0; i < old->jointCount; ++i)
	{
		bool isToe = old->joints[i].role == rp_roleLeftBall || old->joints[i].role == rp_roleRightBall;
		fresh[i] = isToe ? -1 : count;
		if (!isToe)
		{
			joints[count] = old->joints[i];
			joints[count].parent = i > 0 ? fresh[old->joints[i].parent] : -1;
			kept[count++] = i;
		}
	}
	rpSkeletonDef def = rpDefaultSkeletonDef();
	def.joints = joints;
	def.jointCount = count;
	rpSkeleton* skeleton = rpCreateSkeleton(&def, NULL);
	assert_non_null(skeleton);
	rpMotion* copy = rpCreateMotion(skeleton, "no toes", motion->fps, motion->frameCount, NULL);
	assert_non_null(copy);
	for (int f = 0; f < motion->frameCount; ++f)
	{
		copy->rootPositions[f] = motion->rootPositions[f];
		for (int i = 0; i < count; ++i)
		{
			copy->rotations[(ptrdiff_t)f * count + i] = motion->rotations[(ptrdiff_t)f * old->jointCount + kept[i]];
		}
	}
	rpReleaseSkeleton(skeleton);
	return copy;
}

static void worksWithoutToes(void** state)
{
	(void)state;
	rpMotion *known = perform(s_gaits, 4, 60.0, 0.0), *take = dropToes(known);
	rpError error = {0};
	const rpMotion* one = take;
	rpMovements* movements = rpFindMovements(&one, 1, NULL, &error);
	// Either it is said what is missing, or the movements are there.
	if (movements == NULL)
	{
		print_message("without toes: %s\n", error.message);
		assert_true(error.code == rp_errorArgument || error.code == rp_errorNoSolution);
		assert_true(error.message[0] != 0);
	}
	else
	{
		assert_true(movements->counts[rp_movementLDR] + movements->counts[rp_movementRDL] > 5);
		assert_true(movements->validSeconds > 0.5 * movements->locomotionSeconds);
	}
	rpDestroyMovements(movements);
	rpDestroyMotion(take);
	rpDestroyMotion(known);
}

// Contacts that a take has are used as they are.
static void usesContacts(void** state)
{
	(void)state;
	rpMotion *known = perform(s_gaits, 8, 60.0, 0.0), *take = bare(known);
	rpMovements *a = find(known), *b = find(take);
	assert_true(checkStrings(known, a) > 30);
	assert_int_equal(a->count, b->count);
	rpDestroyMovements(a);
	rpDestroyMovements(b);
	rpDestroyMotion(take);
	rpDestroyMotion(known);
}

static void survivesLackOfMemory(void** state)
{
	(void)state;
	rpMotion *known = perform("stand 1; walk 2 1.3; stand 1", 4, 30.0, 0.0), *take = bare(known);
	const rpMotion* one = take;
	int before = testCountLiveBlocks();
	rpMovements* movements = NULL;
	for (int n = 0; movements == NULL; ++n)
	{
		rpError error = {0};
		testFailAllocation(n);
		movements = rpFindMovements(&one, 1, NULL, &error);
		testFailAllocation(-1);
		assert_true(movements != NULL || error.code == rp_errorMemory);
		assert_true(movements != NULL || testCountLiveBlocks() == before);
		assert_true(n < 20000);
	}
	assert_true(movements->count > 3);
	rpDestroyMovements(movements);
	assert_int_equal(testCountLiveBlocks(), before);
	rpDestroyMotion(take);
	rpDestroyMotion(known);
}

int main(void)
{
	testUseCountingAllocator();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(findsStrings),         cmocka_unit_test(findsTransitions),
		cmocka_unit_test(inventsNothing),       cmocka_unit_test(tellsDancesFromStarts),
		cmocka_unit_test(standsOnOneFoot),      cmocka_unit_test(leavesOutKneeBends),
		cmocka_unit_test(agreesAcrossRates),    cmocka_unit_test(measuresParameters),
		cmocka_unit_test(cutsLimpsEvenly),      cmocka_unit_test(dropsOutOfPhase),
		cmocka_unit_test(measuresAcceleration), cmocka_unit_test(mirrors),
		cmocka_unit_test(keepsTakesApart),      cmocka_unit_test(refusesStandingAbout),
		cmocka_unit_test(refusesOneStep),       cmocka_unit_test(refusesLying),
		cmocka_unit_test(refusesSlowRates),     cmocka_unit_test(worksWithoutToes),
		cmocka_unit_test(usesContacts),         cmocka_unit_test(survivesLackOfMemory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
