/// Jumps: a joint that is off for a few rows and back, by less than what is impossible for one row (doctor_spikes.c): a
/// marker that was mistaken for another. Within a twentieth of a second no muscle turns a joint out and back, with calm
/// on both sides.
///
/// A joint may also be held, exactly, while the body moves on, and then jump to where it should be: its markers were
/// lost, and the last angle was written until they were found again.
#include "base/findings.h"
#include "base/memory.h"
#include "doctor/patient.h"

#include <stdio.h>

// A jump lasts this long at most, seconds; a hold this long (as frozen rows that are bridged), and so many rows at
// least.
#define LONGEST_JUMP 0.05
#define LONGEST_HOLD 0.25
#define MIN_HELD 3

// The steps out and back, each, beyond the joint's own motion in these rows: in degrees and in metres per second
// squared. With these, 0.8 % of the rows of 222 captures are found, most of them of hands and toes, and nothing in the
// performer's acts at 30 to 240 Hz.
#define QUICKEST_TURN (40000.0 * RP_DEGREE)
#define QUICKEST_ROOT 60.0

// Smaller steps are noise, at whatever rate, radians and metres.
#define MIN_TURN (2.5 * RP_DEGREE)
#define MIN_DISTANCE 0.004

// Steps within so many rows beside it deviate from that motion by at most this share of it; and it is so many of the
// joint's median changes of step.
#define ROWS_BESIDE 2
#define ALONE_PART 0.34f
#define FAR_OVER 8.0f

// No step of a joint whose markers are seen is smaller, radians.
#define HELD 1e-6f

enum
{
	rootPlace = -1, // stands for a joint
	maxJumps = 512, // more than this in one take is another problem
	sampleCount = 256,
	maxRounds = 10, // 222 captures have nothing left then
};

/// Rows of one joint that are off.
typedef struct Jump
{
	int joint;
	int first, count;
	float size; // smaller one of the steps out and back, radians or metres
	bool isHeld;
} Jump;

typedef struct Search
{
	rpPatient* patient;
	float* changes; // [frameCount], how much the step after a row differs from the one before it
	float min;      // smallest step that may be a jump
	Jump jumps[maxJumps];
	int jumpCount;
} Search;

// From a joint's place or angle in one row to that in another, as a vector.
static rpVec3 getDisplacement(const rpMotion* motion, int joint, int from, int to)
{
	if (joint == rootPlace)
	{
		return rpSub(motion->rootPositions[to], motion->rootPositions[from]);
	}
	rpQuat p = rpMotion_GetRotations(motion, from)[joint], q = rpMotion_GetRotations(motion, to)[joint];
	return rpLogQuat(rpMulQuat(rpConjugate(p), q));
}

static float getStep(const rpMotion* motion, int joint, int row)
{
	return rpLength(getDisplacement(motion, joint, row - 1, row));
}

static float getMinStep(const rpMotion* motion, int joint)
{
	double squared = motion->fps * motion->fps;
	return (float)(joint == rootPlace ? fmax(QUICKEST_ROOT / squared, MIN_DISTANCE)
									  : fmax(QUICKEST_TURN / squared, MIN_TURN));
}

static rpQuat align(rpQuat q, rpQuat with)
{
	return rpDotQuat(q, with) < 0.0f ? rpNegateQuat(q) : q;
}

// The change of a joint's step at a row. Chords stand for angles here, to be fast.
static float getChange(const rpMotion* motion, int joint, int row)
{
	if (joint == rootPlace)
	{
		const rpVec3* p = motion->rootPositions + row;
		return rpLength(rpAdd(rpMulAdd(p[-1], -2.0f, p[0]), p[1]));
	}
	rpQuat q = rpMotion_GetRotations(motion, row)[joint];
	rpQuat a = align(rpMotion_GetRotations(motion, row - 1)[joint], q);
	rpQuat b = align(rpMotion_GetRotations(motion, row + 1)[joint], q);
	rpQuat d = {a.w - 2.0f * q.w + b.w, a.x - 2.0f * q.x + b.x, a.y - 2.0f * q.y + b.y, a.z - 2.0f * q.z + b.z};
	return 2.0f * sqrtf(rpDotQuat(d, d));
}

// Whether a joint is calm at a step beside a jump: it goes on along the jump's path.
static bool isCalm(const rpPatient* patient, int joint, int row, rpVec3 step, float max)
{
	return row > patient->first && row <= patient->last &&
		   rpDistance(getDisplacement(patient->motion, joint, row - 1, row), step) < max;
}

// Whether rows first … first+count-1 are off: steps beside them go on along the path from the row before to the row
// after, and only those that lead there and back do not.
static bool isOff(const rpPatient* patient, int joint, int first, int count, float min, float* size)
{
	const rpMotion* motion = patient->motion;
	int end = first + count;
	rpVec3 step = rpScale(1.0f / (float)(count + 1), getDisplacement(motion, joint, first - 1, end));
	*size = fminf(rpDistance(getDisplacement(motion, joint, first - 1, first), step),
				  rpDistance(getDisplacement(motion, joint, end - 1, end), step));
	bool isCalmBeside = *size > min;
	for (int i = 1; i <= ROWS_BESIDE && isCalmBeside; ++i)
	{
		isCalmBeside = isCalm(patient, joint, first - i, step, ALONE_PART * *size) &&
					   isCalm(patient, joint, end + i, step, ALONE_PART * *size);
	}
	return isCalmBeside;
}

static int countHeld(const Search* search, int joint, int end)
{
	int count = 0;
	while (end - 1 - count > search->patient->first && getStep(search->patient->motion, joint, end - 1 - count) < HELD)
	{
		++count;
	}
	return count;
}

// Rows before `row` that were held, if it jumps away from them.
static bool isHold(const Search* search, int joint, int row, Jump* out)
{
	const rpPatient* patient = search->patient;
	int count = joint == rootPlace ? 0 : countHeld(search, joint, row);
	const rpVec3* roots = patient->motion->rootPositions;
	// A whole pose that is held is drawn so.
	if (count < MIN_HELD || count > LONGEST_HOLD * patient->motion->fps || row - count <= patient->first ||
		!(rpDistance(roots[row - count], roots[row - 1]) > 0.0f))
	{
		return false;
	}
	float step = getStep(patient->motion, joint, row);
	float after = row < patient->last ? getStep(patient->motion, joint, row + 1) : 0.0f;
	*out = (Jump){.joint = joint, .first = row - count, .count = count, .size = step, .isHeld = true};
	return step > search->min && after < ALONE_PART * step;
}

// Whether a jump begins, or a hold ends, at a row.
static bool findJump(const Search* search, int joint, int row, Jump* out)
{
	const rpPatient* patient = search->patient;
	int longest = (int)fmax(1.0, round(LONGEST_JUMP * patient->motion->fps));
	for (int count = 1; count <= longest && row + count <= patient->last; ++count)
	{
		float size;
		if (isOff(patient, joint, row, count, search->min, &size))
		{
			*out = (Jump){.joint = joint, .first = row, .count = count, .size = size};
			return true;
		}
	}
	return isHold(search, joint, row, out);
}

// Changes of a joint's steps, and whether any is wide enough.
static bool measureChanges(Search* search, int joint)
{
	const rpPatient* patient = search->patient;
	bool found = false;
	search->min = getMinStep(patient->motion, joint);
	for (int row = patient->first + 1; row < patient->last; ++row)
	{
		search->changes[row] = getChange(patient->motion, joint, row);
		found = found || search->changes[row] > search->min;
	}
	return found;
}

// Of rows here and there: what is usual for a joint needs no more.
static float getMedianChange(const Search* search)
{
	const rpPatient* patient = search->patient;
	float samples[sampleCount];
	int count = 0, step = (patient->last - patient->first) / sampleCount + 1;
	for (int row = patient->first + 1; row < patient->last; row += step)
	{
		samples[count++] = search->changes[row];
	}
	return rpTakeMedian(samples, count);
}

static void searchJoint(Search* search, int joint)
{
	const rpPatient* patient = search->patient;
	if (patient->last - patient->first < 3 || !measureChanges(search, joint))
	{
		return;
	}
	search->min = fmaxf(search->min, FAR_OVER * getMedianChange(search));
	// Calm before a jump means that most of it is a change.
	float suspect = (1.0f - ALONE_PART) * search->min;
	for (int row = patient->first + 2; row <= patient->last && search->jumpCount < maxJumps; ++row)
	{
		Jump jump;
		if (search->changes[row - 1] > suspect && findJump(search, joint, row, &jump) &&
			!rpPatient_WasSaid(patient, jump.first - 1, jump.first + jump.count))
		{
			search->jumps[search->jumpCount++] = jump;
			row += jump.isHeld ? 0 : jump.count;
		}
	}
}

// ---- repair ----

// Whether a joint belongs to a hand, to the toes or to the head: nothing else makes up for what it does.
static bool isAtEnd(const rpSkeleton* skeleton, int joint)
{
	static const rpRole ends[] = {rp_roleLeftWrist, rp_roleRightWrist, rp_roleLeftBall, rp_roleRightBall, rp_roleHead};
	bool found = false;
	for (int i = joint; i > 0 && !found; i = skeleton->parents[i])
	{
		for (int k = 0; k < 5; ++k)
		{
			found = found || skeleton->roles[ends[k]] == i;
		}
	}
	return found;
}

// A solver that mistakes a marker turns several joints against each other: they go back together, or what was still in
// place would be thrown off. So the row is bridged whole, but for hands, toes, heads, and joints that were held.
static void bridge(rpPatient* patient, const Jump* jump)
{
	const rpSkeleton* skeleton = patient->motion->skeleton;
	bool marked[RP_MAX_JOINTS] = {false};
	bool isPart = jump->isHeld || isAtEnd(skeleton, jump->joint);
	for (int i = 0; i < skeleton->jointCount && isPart; ++i)
	{
		marked[i] = i == jump->joint || (!jump->isHeld && i > jump->joint && marked[skeleton->parents[i]]);
	}
	rpPatient_Interpolate(patient, jump->first, jump->count, isPart ? marked : NULL, !isPart);
}

static bool belongTogether(const Jump* a, const Jump* b)
{
	return a->isHeld == b->isHeld && a->first <= b->first + b->count && b->first <= a->first + a->count;
}

static void describe(const rpPatient* patient, const Jump* jump, char* out, size_t capacity)
{
	const char* name = patient->motion->skeleton->joints[jump->joint == rootPlace ? 0 : jump->joint].name;
	if (jump->joint == rootPlace)
	{
		snprintf(out, capacity, "\"%.60s\" jumps by %.3f m and back", name, (double)jump->size);
		return;
	}
	snprintf(out, capacity,
			 jump->isHeld ? "\"%.60s\" is held, then jumps by %.0f degrees"
						  : "\"%.60s\" jumps by %.0f degrees and back",
			 name, (double)jump->size / RP_DEGREE);
}

// One finding for all that happens together, by the widest turn.
static void report(Search* search, bool* isReported, int index)
{
	rpPatient* patient = search->patient;
	const Jump* worst = search->jumps + index;
	int first = worst->first, end = worst->first + worst->count, count = 0;
	for (int i = index; i < search->jumpCount; ++i)
	{
		const Jump* jump = search->jumps + i;
		if (isReported[i] || !belongTogether(search->jumps + index, jump))
		{
			continue;
		}
		isReported[i] = true;
		++count;
		first = jump->first < first ? jump->first : first;
		end = jump->first + jump->count > end ? jump->first + jump->count : end;
		worst = jump->joint != rootPlace && jump->size > worst->size ? jump : worst;
	}
	char what[160], more[40] = "";
	describe(patient, worst, what, sizeof(what));
	if (count > 1)
	{
		snprintf(more, sizeof(more), ", with %d joints in all", count);
	}
	rpFinding* finding = rpPatient_AddRows(patient, "jump", first, end - first, "%s: %s%s",
										   rpNameRows(first, end - first).text, what, more);
	rpFinding_SetAction(finding, patient->def->repair, "%s",
						patient->def->repair ? "interpolated between the rows beside" : "nothing; allow repairs");
}

// Search all joints once, and bridge what is found. Returns how much that was.
static int searchAndBridge(Search* search)
{
	int before = search->jumpCount;
	for (int joint = rootPlace; joint < search->patient->motion->skeleton->jointCount; ++joint)
	{
		searchJoint(search, joint);
	}
	for (int i = before; i < search->jumpCount && search->patient->def->repair; ++i)
	{
		bridge(search->patient, search->jumps + i);
	}
	return search->jumpCount - before;
}

static void reportAll(Search* search)
{
	bool isReported[maxJumps] = {false};
	for (int i = 0; i < search->jumpCount; ++i)
	{
		if (!isReported[i])
		{
			report(search, isReported, i);
		}
	}
}

bool rpExamineJumps(rpPatient* patient)
{
	size_t rowCount = (size_t)patient->motion->frameCount;
	Search search = {.patient = patient};
	search.changes = rpAllocate(rowCount, sizeof(float), patient->error);
	if (search.changes == NULL)
	{
		return false;
	}
	// What is calm now may show what was hidden beside it.
	int rounds = patient->def->repair ? maxRounds : 1;
	while (rounds > 0 && searchAndBridge(&search) > 0)
	{
		--rounds;
	}
	reportAll(&search);
	rpFree(search.changes);
	return true;
}
