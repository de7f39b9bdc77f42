/// Spikes: a joint that jumps out and back, or that is out of place in the first or last rows.
///
/// A joint is judged by its own rotation, so that the culprit is found and not what hangs on it; the root also by its
/// place. A step is impossible if it is faster than people are, or too wide for a single row, and far over the joint's
/// own median step. Fast steps beside it belong to the same stretch. If the joint is back where it was after the
/// stretch, its rows are bridged; if not, the limb was lost before or after it.
///
/// A solver that loses the pelvis for one row turns it, and the thighs and the back in the other direction: no step is
/// too fast, but nobody turns out and back that quickly. Such a row is bridged whole.
#include "base/findings.h"
#include "base/memory.h"
#include "doctor/patient.h"

#include <stdio.h>

// The fastest joint is a pitcher's shoulder, about 7,500 degrees a second (Fleisig et al. 1999), the fastest root a
// sprinter's, 12.5 m/s, and hands and feet reach 20 to 25 m/s in throws and kicks. More than this is beyond doubt, even
// in files that play too fast.
#define FASTEST_TURN (9000.0 * RP_DEGREE)
#define FASTEST_ROOT 25.0
#define FASTEST_LIMB 30.0

// At low rates even that spans half a circle, or half a body: no row may jump so far from an otherwise slow joint.
#define WIDEST_TURN (80.0 * RP_DEGREE)
#define WIDEST_ROOT 0.25 // of the body's height

// A step is far over the joint's own if it is so many median steps.
#define FAR_OVER 10.0f

// Steps beside an impossible one belong to it from this share of the limit on, if far over the median too.
#define BESIDE_PART 0.25f
#define BESIDE_OVER 4.0f

// Nobody's pelvis speeds up like this, degrees per second squared; kicks and jumps stay below a tenth of it.
#define QUICKEST_PELVIS (200000.0 * RP_DEGREE)

// A row of a lost pelvis stands alone: the steps beside it are at most this share of it.
#define ALONE_PART 0.34f

// It is back if what is left is at most this share of how far it was out.
#define BACK_PART 0.5f

// A spike is at most so long, seconds. Rows before or after a jump are cut off if they are at most so long: more of a
// take is not thrown away unasked.
#define LONGEST_SPIKE 0.25
#define LONGEST_CUT 0.1

// Rows at the ends are worth cutting off for a limb that is swung by at least this share of the body's height; a foot
// that points backwards is not worth it.
#define LIMB_PART 0.25f

// A jump that cannot be mended is worth a word from this share on. Necks and toes share their turns with the next
// joint.
#define VISIBLE_PART 0.1f

enum
{
	rootPlace = -1, // stands for a joint
	maxEvents = 64, // more than this in one take is another problem
};

typedef enum Kind
{
	kindSpike,
	kindLostRow,
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

// The longest path from a joint down its bones.
static float getReach(const rpSkeleton* skeleton, int joint)
{
	float reach[RP_MAX_JOINTS] = {0.0f}, max = 0.0f;
	bool below[RP_MAX_JOINTS] = {false};
	below[joint] = true;
	for (int i = joint + 1; i < skeleton->jointCount; ++i)
	{
		int parent = skeleton->parents[i];
		below[i] = below[parent];
		reach[i] = below[i] ? reach[parent] + rpLength(skeleton->offsets[i]) : 0.0f;
		max = fmaxf(max, reach[i]);
	}
	return max;
}

// How far a turn may swing what hangs on a joint, the limb stretched out.
static float getSwing(const rpSkeleton* skeleton, int joint, float step)
{
	return joint == rootPlace ? step : 2.0f * sinf(0.5f * step) * getReach(skeleton, joint);
}

// How far the joint's own turn from the row before swings what hangs on it, as the limb is bent in this row.
static float measureSwing(const rpMotion* motion, int joint, int row)
{
	const rpSkeleton* skeleton = motion->skeleton;
	const rpQuat* rotations = rpMotion_GetRotations(motion, row);
	rpQuat before = rpMotion_GetRotations(motion, row - 1)[joint];
	rpTransform local[RP_MAX_JOINTS];
	bool below[RP_MAX_JOINTS] = {false};
	float max = 0.0f;
	below[joint] = true;
	local[joint] = (rpTransform){rpVec3_zero, rpQuat_identity};
	for (int i = joint + 1; i < skeleton->jointCount; ++i)
	{
		int parent = skeleton->parents[i];
		below[i] = below[parent];
		if (below[i])
		{
			local[i] = rpMulTransform(local[parent], (rpTransform){skeleton->offsets[i], rotations[i]});
			max = fmaxf(max, rpDistance(rpRotate(before, local[i].p), rpRotate(rotations[joint], local[i].p)));
		}
	}
	return max;
}

// How far anything that hangs on a joint moves in the world from the row before: little, if its neighbours turn in the
// other direction.
static float measureTravel(const rpMotion* motion, int joint, int row)
{
	const rpSkeleton* skeleton = motion->skeleton;
	rpTransform before[RP_MAX_JOINTS], now[RP_MAX_JOINTS];
	bool below[RP_MAX_JOINTS] = {false};
	float max = 0.0f;
	rpMotion_Forward(motion, row - 1, before);
	rpMotion_Forward(motion, row, now);
	for (int i = joint; i < skeleton->jointCount; ++i)
	{
		below[i] = i == joint || (i > 0 && below[skeleton->parents[i]]);
		max = below[i] ? fmaxf(max, rpDistance(before[i].p, now[i].p)) : max;
	}
	return max;
}

// Whether a joint is, or carries, a part of the body with a role. Fingers, thumbs and eyes are not.
static bool isMajor(const rpSkeleton* skeleton, int joint)
{
	for (int role = rp_roleNone + 1; role < rp_roleCount; ++role)
	{
		int i = skeleton->roles[role];
		while (i > joint)
		{
			i = skeleton->parents[i];
		}
		if (i >= 0 && i == joint)
		{
			return true;
		}
	}
	return joint == rootPlace;
}

// Steps first … last, each from the row before: a stretch that no joint can make.
typedef struct Stretch
{
	int first, last;
	float size; // largest step
} Stretch;

// At least one; rates in files can be anything.
static int countRows(const rpMotion* motion, double seconds)
{
	return 1 + (int)fmin(seconds * motion->fps, motion->frameCount);
}

static bool comesBack(const rpMotion* motion, int joint, int first, int last)
{
	return last > first && last - first <= countRows(motion, LONGEST_SPIKE) &&
		   measure(motion, joint, first - 1, last) < BACK_PART * getFarthest(motion, joint, first - 1, last);
}

static Event judge(const rpPatient* patient, int joint, Stretch stretch)
{
	const rpMotion* motion = patient->motion;
	int rowsBefore = stretch.last - patient->first, rowsAfter = patient->last - stretch.first + 1;
	int longest = countRows(motion, LONGEST_CUT), half = (patient->last - patient->first) / 2;
	longest = longest < half ? longest : half;
	Event event = {.kind = kindJump, .joint = joint, .first = stretch.last, .count = 1, .size = stretch.size};
	bool wide = getSwing(motion->skeleton, joint, stretch.size) > LIMB_PART * motion->skeleton->height;
	if (comesBack(motion, joint, stretch.first, stretch.last))
	{
		event.kind = kindSpike;
		event.first = stretch.first;
		event.count = stretch.last - stretch.first;
	}
	else if (wide && rowsBefore <= longest)
	{
		event.kind = kindStart;
		event.first = patient->first;
		event.count = rowsBefore;
	}
	else if (wide && rowsAfter <= longest)
	{
		event.kind = kindEnd;
		event.first = stretch.first;
		event.count = rowsAfter;
	}
	return event;
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

// What a joint's steps are judged by, radians or metres.
typedef struct Limits
{
	float impossible; // beyond doubt
	float suspect;    // impossible if the limb is swung too fast by it
	float farOver;    // smaller steps are the joint's own motion
	float beside;
} Limits;

static float getFastestSwing(const rpMotion* motion)
{
	return (float)(FASTEST_LIMB / motion->fps);
}

static Limits getLimits(const rpMotion* motion, int joint)
{
	float limit = getLimit(motion, joint), suspect = limit;
	if (joint != rootPlace)
	{
		// The stretched limb is swung farthest.
		float chord = getFastestSwing(motion) / (2.0f * getReach(motion->skeleton, joint) + 1e-6f);
		suspect = fminf(limit, 2.0f * asinf(fminf(chord, 1.0f)));
	}
	return (Limits){.impossible = limit, .suspect = suspect, .beside = BESIDE_PART * limit};
}

// A throw gathers speed over some rows; a lost limb is off at once.
static bool isSudden(const Search* search, int row)
{
	const rpPatient* patient = search->patient;
	float before = row > patient->first + 1 ? search->steps[row - 1] : 0.0f;
	float after = row < patient->last ? search->steps[row + 1] : 0.0f;
	return fminf(before, after) < BESIDE_PART * search->steps[row];
}

static bool isImpossible(const Search* search, int joint, int row, const Limits* limits)
{
	float step = search->steps[row];
	const rpMotion* motion = search->patient->motion;
	if (step <= limits->farOver || step <= limits->suspect)
	{
		return false;
	}
	float fastest = getFastestSwing(motion);
	return step > limits->impossible || (isSudden(search, row) && measureSwing(motion, joint, row) > fastest &&
										 measureTravel(motion, joint, row) > fastest);
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

// The stretch around the first impossible step from a row on; last is 0 if there is none.
static Stretch findStretch(const Search* search, int joint, int from, const Limits* limits)
{
	const rpPatient* patient = search->patient;
	int row = from;
	while (row <= patient->last && !isImpossible(search, joint, row, limits))
	{
		++row;
	}
	if (row > patient->last)
	{
		return (Stretch){0};
	}
	Stretch stretch = {row, row, search->steps[row]};
	while (stretch.first > from && search->steps[stretch.first - 1] > limits->beside)
	{
		--stretch.first;
	}
	while (stretch.last < patient->last && search->steps[stretch.last + 1] > limits->beside)
	{
		stretch.size = fmaxf(stretch.size, search->steps[++stretch.last]);
	}
	return stretch;
}

static void searchJoint(Search* search, int joint)
{
	const rpPatient* patient = search->patient;
	const rpMotion* motion = patient->motion;
	Limits limits = getLimits(motion, joint);
	float median = 0.0f;
	if (!isMajor(motion->skeleton, joint) || !isSuspect(patient, joint, limits.suspect))
	{
		return;
	}
	measureSteps(search, joint, &median);
	limits.farOver = FAR_OVER * median;
	limits.beside = fmaxf(limits.beside, BESIDE_OVER * median);
	Stretch stretch = findStretch(search, joint, patient->first + 1, &limits);
	while (stretch.last > 0 && search->eventCount < maxEvents)
	{
		// It may stay out for some rows: the return is a stretch of its own then.
		Stretch next = findStretch(search, joint, stretch.last + 1, &limits);
		if (next.last > 0 && !comesBack(motion, joint, stretch.first, stretch.last) &&
			comesBack(motion, joint, stretch.first, next.last))
		{
			stretch = (Stretch){stretch.first, next.last, fmaxf(stretch.size, next.size)};
			next = findStretch(search, joint, stretch.last + 1, &limits);
		}
		Event event = judge(patient, joint, stretch);
		bool worthAWord = event.kind != kindJump ||
						  getSwing(motion->skeleton, joint, event.size) > VISIBLE_PART * motion->skeleton->height;
		// Rows that are known to be bad jump, of course.
		if (worthAWord && !rpPatient_WasSaid(patient, stretch.first - 1, stretch.last))
		{
			search->events[search->eventCount++] = event;
		}
		stretch = next;
	}
}

// Whether the root turns out to a row and back from it, quicker than anybody can.
static bool isLostRow(const Search* search, int row, float median)
{
	const rpPatient* patient = search->patient;
	const rpMotion* motion = patient->motion;
	float out = search->steps[row], back = search->steps[row + 1], min = fminf(out, back);
	float left = measure(motion, 0, row - 1, row + 1);
	float before = row - 1 > patient->first ? search->steps[row - 1] : 0.0f;
	float after = row + 2 <= patient->last ? search->steps[row + 2] : 0.0f;
	return (double)(out + back - left) * motion->fps * motion->fps > QUICKEST_PELVIS && left < BACK_PART * min &&
		   min > FAR_OVER * median && fmaxf(before, after) < ALONE_PART * min;
}

static bool isKnown(const Search* search, int row)
{
	bool known = rpPatient_WasSaid(search->patient, row - 1, row + 1);
	for (int i = 0; i < search->eventCount && !known; ++i)
	{
		const Event* event = search->events + i;
		known = event->joint <= 0 && row >= event->first && row < event->first + event->count;
	}
	return known;
}

static void searchLostRows(Search* search)
{
	const rpPatient* patient = search->patient;
	float median = 0.0f;
	measureSteps(search, 0, &median);
	for (int row = patient->first + 1; row < patient->last && search->eventCount < maxEvents; ++row)
	{
		if (isLostRow(search, row, median) && !isKnown(search, row))
		{
			search->events[search->eventCount++] =
				(Event){.kind = kindLostRow, .joint = 0, .first = row, .count = 1, .size = search->steps[row]};
		}
	}
}

// ---- repair ----

// Whether two events make one finding: they happen together, or are jumps of one joint.
static bool belongTogether(const Event* a, const Event* b)
{
	bool together = a->first <= b->first + b->count && b->first <= a->first + a->count;
	return a->kind == b->kind && (a->kind == kindJump ? a->joint == b->joint : together);
}

static void bridge(rpPatient* patient, const Event* event)
{
	const rpSkeleton* skeleton = patient->motion->skeleton;
	bool marked[RP_MAX_JOINTS] = {false};
	int top = event->joint;
	for (int i = 0; top != rootPlace && i < skeleton->jointCount; ++i)
	{
		// What hangs on the root is its own; what hangs on a limb was lost with it.
		marked[i] = i == top || event->kind == kindLostRow || (top > 0 && i > top && marked[skeleton->parents[i]]);
	}
	rpPatient_Interpolate(patient, event->first, event->count, marked, top == rootPlace || event->kind == kindLostRow);
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
		return "nothing; it does not come back at once: cut the clip there";
	}
	if (!patient->def->repair)
	{
		return "nothing; crop the rows or allow repairs";
	}
	return kind == kindStart || kind == kindEnd ? "dropped" : "interpolated between the rows beside";
}

// One finding for all that belongs together, by the worst of it. Rows first … end-1.
static void reportEvents(rpPatient* patient, const Event* worst, int first, int end, int count)
{
	char what[160], more[60] = "";
	describe(patient, worst, what, sizeof(what));
	if (count > 1)
	{
		snprintf(more, sizeof(more), worst->kind == kindJump ? ", %d times in all" : ", with %d joints in all", count);
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
			if (said[j] || !belongTogether(search->events + i, other))
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
		if ((event->kind == kindSpike || event->kind == kindLostRow) && patient->def->repair)
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
	searchLostRows(&search);
	reportAll(&search);
	treat(&search);
	rpFree(search.steps);
	return true;
}
