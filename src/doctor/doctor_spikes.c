/// Spikes: a joint that jumps out and back, or that is out of place in the first or last rows.
///
/// A joint is judged by its own rotation, so that the culprit is found and not what hangs on it; the root also by its
/// place. A step is impossible if it is faster than people are, or too wide for a single row, and far over the joint's
/// own median step. Fast steps beside it belong to the same stretch. If the joint is back where it was behind the
/// stretch, its rows are bridged; if not, the limb was lost before or behind it.
#include "base/findings.h"
#include "base/memory.h"
#include "doctor/patient.h"

#include <stdio.h>

// The fastest joint is a pitcher's shoulder, about 7,500 degrees a second (Fleisig et al. 1999), the fastest root a
// sprinter's, 12.5 m/s. Half as much again, or twice as much for files that play at double speed, is beyond doubt.
#define FASTEST_TURN (9000.0 * RP_DEGREE)
#define FASTEST_ROOT 25.0

// At low rates even that spans half a circle, or half a body: no row may jump so far from an otherwise slow joint.
#define WIDEST_TURN (80.0 * RP_DEGREE)
#define WIDEST_ROOT 0.25 // of the body's height

// A step is far over the joint's own if it is so many median steps.
#define FAR_OVER 10.0f

// Steps beside an impossible one belong to it from this share of the limit on, if far over the median too.
#define BESIDE_PART 0.25f
#define BESIDE_OVER 4.0f

// It is back if what is left is at most this share of how far it was out.
#define BACK_PART 0.5f

// A spike is at most so long, seconds, and rows before or behind a jump are cut off if they are at most so long.
#define LONGEST_SPIKE 0.1
#define LONGEST_CUT 0.2

// A jump that is neither is mentioned if the limb's end moves by at least this share of the body's height.
#define VISIBLE_PART 0.1f

enum
{
	rootPlace = -1, // stands for a joint
	maxEvents = 64, // more than this in one take is another problem
};

typedef enum Kind
{
	kindSpike,
	kindStart,
	kindEnd,
	kindJump,
} Kind;

// Rows of one joint that are wrong; for a jump, the row it leads to.
typedef struct Event
{
	Kind kind;
	int joint;
	int first, count;
	float size; // largest step, radians or metres
} Event;

typedef struct Search
{
	rpPatient* patient;
	float* steps;  // [frameCount], from the row before
	float* sorted; // [frameCount]
	Event events[maxEvents];
	int eventCount;
} Search;

// How far a joint is apart in two rows.
static float measure(const rpMotion* motion, int joint, int a, int b)
{
	if (joint == rootPlace)
	{
		return rpDistance(motion->rootPositions[a], motion->rootPositions[b]);
	}
	return rpGetStepAngle(rpMotion_GetRotations(motion, a)[joint], rpMotion_GetRotations(motion, b)[joint]);
}

static float getLimit(const rpMotion* motion, int joint)
{
	double limit = joint == rootPlace ? fmin(FASTEST_ROOT / motion->fps, WIDEST_ROOT * motion->skeleton->height)
									  : fmin(FASTEST_TURN / motion->fps, WIDEST_TURN);
	return (float)limit;
}

static float getFarthest(const rpMotion* motion, int joint, int from, int to)
{
	float farthest = 0.0f;
	for (int row = from + 1; row < to; ++row)
	{
		farthest = fmaxf(farthest, fminf(measure(motion, joint, from, row), measure(motion, joint, row, to)));
	}
	return farthest;
}

// The reach of what hangs on a joint, bone after bone.
static float getReach(const rpSkeleton* skeleton, int joint)
{
	float reach[RP_MAX_JOINTS] = {0.0f}, most = 0.0f;
	bool below[RP_MAX_JOINTS] = {false};
	below[joint] = true;
	for (int i = joint + 1; i < skeleton->jointCount; ++i)
	{
		int parent = skeleton->parents[i];
		below[i] = below[parent];
		reach[i] = below[i] ? reach[parent] + rpLength(skeleton->offsets[i]) : 0.0f;
		most = fmaxf(most, reach[i]);
	}
	return most;
}

static bool isVisible(const rpSkeleton* skeleton, int joint, float step)
{
	float way = joint == rootPlace ? step : 2.0f * sinf(0.5f * step) * getReach(skeleton, joint);
	return way > VISIBLE_PART * skeleton->height;
}

// The stretch of steps first … last (each from the row before) became impossible: what is it?
static void judge(Search* search, int joint, int first, int last, float size)
{
	const rpPatient* patient = search->patient;
	const rpMotion* motion = patient->motion;
	int longestSpike = 1 + (int)(LONGEST_SPIKE * motion->fps), longestCut = 1 + (int)(LONGEST_CUT * motion->fps);
	Event event = {.joint = joint, .size = size};
	float left = measure(motion, joint, first - 1, last);
	if (last > first && last - first <= longestSpike && left < BACK_PART * getFarthest(motion, joint, first - 1, last))
	{
		event.kind = kindSpike;
		event.first = first;
		event.count = last - first;
	}
	else if (last - patient->first <= longestCut && 2 * (last - patient->first) < patient->last - patient->first)
	{
		event.kind = kindStart;
		event.first = patient->first;
		event.count = last - patient->first;
	}
	else if (patient->last - first + 1 <= longestCut && 2 * (patient->last - first) < patient->last - patient->first)
	{
		event.kind = kindEnd;
		event.first = first;
		event.count = patient->last - first + 1;
	}
	else
	{
		event.kind = kindJump;
		event.first = last;
		event.count = 1;
	}
	// Rows that are known to be bad jump, of course.
	if (!rpPatient_WasSaid(patient, first - 1, last) && search->eventCount < maxEvents &&
		(event.kind != kindJump || isVisible(motion->skeleton, joint, size)))
	{
		search->events[search->eventCount++] = event;
	}
}

static void measureSteps(Search* search, int joint, float* median)
{
	const rpPatient* patient = search->patient;
	int count = 0;
	for (int row = patient->first + 1; row <= patient->last; ++row)
	{
		search->steps[row] = measure(patient->motion, joint, row - 1, row);
		search->sorted[count++] = search->steps[row];
	}
	*median = rpTakeMedian(search->sorted, count);
}

// Whether any step of a joint is wide enough, without sorting them.
static bool isSuspect(const rpPatient* patient, int joint, float limit)
{
	for (int row = patient->first + 1; row <= patient->last; ++row)
	{
		if (measure(patient->motion, joint, row - 1, row) > limit)
		{
			return true;
		}
	}
	return false;
}

static void searchJoint(Search* search, int joint)
{
	const rpPatient* patient = search->patient;
	float limit = getLimit(patient->motion, joint), median = 0.0f;
	if (!isSuspect(patient, joint, limit))
	{
		return;
	}
	measureSteps(search, joint, &median);
	float impossible = fmaxf(limit, FAR_OVER * median), beside = fmaxf(BESIDE_PART * limit, BESIDE_OVER * median);
	for (int row = patient->first + 1; row <= patient->last; ++row)
	{
		if (search->steps[row] <= impossible)
		{
			continue;
		}
		int first = row, last = row;
		float size = search->steps[row];
		while (first > patient->first + 1 && search->steps[first - 1] > beside)
		{
			--first;
		}
		while (last < patient->last && search->steps[last + 1] > beside)
		{
			size = fmaxf(size, search->steps[++last]);
		}
		// The way back may wait a few rows.
		int wait = (int)(LONGEST_SPIKE * patient->motion->fps);
		for (int back = last + 1; back <= patient->last && back <= last + wait; ++back)
		{
			if (search->steps[back] > impossible && measure(patient->motion, joint, first - 1, back) < BACK_PART * size)
			{
				last = back;
				break;
			}
		}
		judge(search, joint, first, last, size);
		row = last;
	}
}

// ---- repair ----

static bool overlap(const Event* a, const Event* b)
{
	return a->kind == b->kind && a->first <= b->first + b->count && b->first <= a->first + a->count;
}

static void bridge(rpPatient* patient, const Event* event)
{
	const rpSkeleton* skeleton = patient->motion->skeleton;
	bool marked[RP_MAX_JOINTS] = {false};
	int top = event->joint;
	for (int i = 0; top != rootPlace && i < skeleton->jointCount; ++i)
	{
		// What hangs on the root is its own; what hangs on a limb was lost with it.
		marked[i] = i == top || (top > 0 && i > top && marked[skeleton->parents[i]]);
	}
	rpPatient_Interpolate(patient, event->first, event->count, marked, top == rootPlace);
}

static void describe(const rpPatient* patient, const Event* event, char* out, size_t capacity)
{
	const rpSkeleton* skeleton = patient->motion->skeleton;
	int joint = event->joint == rootPlace ? 0 : event->joint;
	if (event->joint == rootPlace)
	{
		snprintf(out, capacity, "\"%.60s\" jumps by %.2f m in a row", skeleton->joints[joint].name,
				 (double)event->size);
	}
	else
	{
		snprintf(out, capacity, "\"%.60s\" turns by %.0f degrees in a row", skeleton->joints[joint].name,
				 (double)event->size / RP_DEGREE);
	}
}

static const char* getAction(const rpPatient* patient, Kind kind)
{
	if (kind == kindJump)
	{
		return "nothing; it does not come back: cut the clip there";
	}
	if (!patient->def->repair)
	{
		return "nothing; crop the rows or allow repairs";
	}
	return kind == kindSpike ? "interpolated between the rows beside" : "dropped";
}

// One finding for all joints that went wrong together, by the worst of them.
static void reportEvents(rpPatient* patient, const Event* worst, int first, int end, int jointCount)
{
	char what[160], more[40] = "";
	describe(patient, worst, what, sizeof(what));
	if (jointCount > 1)
	{
		snprintf(more, sizeof(more), ", and %d more", jointCount - 1);
	}
	rpFinding* finding = rpPatient_AddRows(patient, "spike", first, end - first, "%s: %s%s",
										   rpNameRows(first, end - first).text, what, more);
	bool repaired = patient->def->repair && worst->kind != kindJump;
	rpFinding_SetAction(finding, repaired, "%s", getAction(patient, worst->kind));
}

static void reportAll(Search* search)
{
	bool said[maxEvents] = {false};
	for (int i = 0; i < search->eventCount; ++i)
	{
		const Event* worst = search->events + i;
		int first = worst->first, end = worst->first + worst->count, count = 1;
		for (int j = i + 1; j < search->eventCount && !said[i]; ++j)
		{
			const Event* other = search->events + j;
			if (said[j] || !overlap(search->events + i, other))
			{
				continue;
			}
			said[j] = true;
			count += 1;
			first = other->first < first ? other->first : first;
			end = other->first + other->count > end ? other->first + other->count : end;
			worst = other->joint != rootPlace && other->size > worst->size ? other : worst;
		}
		if (!said[i])
		{
			reportEvents(search->patient, worst, first, end, count);
		}
	}
}

static void treat(Search* search)
{
	rpPatient* patient = search->patient;
	for (int i = 0; i < search->eventCount; ++i)
	{
		const Event* event = search->events + i;
		if (event->kind == kindSpike && patient->def->repair)
		{
			bridge(patient, event);
		}
	}
	for (int i = 0; i < search->eventCount; ++i)
	{
		const Event* event = search->events + i;
		int end = event->first + event->count;
		patient->first = event->kind == kindStart && end > patient->first ? end : patient->first;
		patient->last = event->kind == kindEnd && event->first - 1 < patient->last ? event->first - 1 : patient->last;
	}
}

bool rpExamineSpikes(rpPatient* patient)
{
	size_t rowCount = (size_t)patient->motion->frameCount;
	Search search = {.patient = patient};
	search.steps = rpAllocate(2 * rowCount, sizeof(float), patient->error);
	if (search.steps == NULL)
	{
		return false;
	}
	search.sorted = search.steps + rowCount;
	for (int joint = rootPlace; joint < patient->motion->skeleton->jointCount; ++joint)
	{
		searchJoint(&search, joint);
	}
	reportAll(&search);
	treat(&search);
	rpFree(search.steps);
	return true;
}
