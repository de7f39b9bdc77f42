/// Rows that hold no captured pose: the root at the origin, or the same pose over and over.
#include "base/findings.h"
#include "base/memory.h"
#include "doctor/patient.h"

#include <string.h>

// A row at the origin is lost if the root jumps to it by at least this share of the body's height, and by so many
// times its median step.
#define ORIGIN_JUMP_PART 0.1f
#define ORIGIN_JUMP_STEPS 10.0f

// A joint turned by less than this, radians, is not turned.
#define NO_ROTATION 1e-5f

// So many equal rows are a frozen stretch. Two may come from rounding.
#define MIN_FROZEN 3

// The take stops dead: the step beside the frozen rows is at least this share of the median of the steps beside it. A
// pose held on purpose, in a clip made by hand, is eased into: the last steps grow ever smaller.
#define DEAD_STOP 0.5f
#define STEPS_BESIDE 5

// A frozen stretch inside the take up to this long, seconds, is bridged; nobody knows what happened in a longer one.
#define LONGEST_BRIDGE 0.25

// More frozen stretches than this, and one more for so many seconds, are a drawing style, not a defect.
#define FEW_STRETCHES 3
#define STRETCH_SECONDS 10.0

typedef struct Run
{
	int first, count;
} Run;

static int getRunEnd(Run run)
{
	return run.first + run.count;
}

static bool reachesStart(const rpPatient* patient, Run run)
{
	return run.first <= patient->first;
}

static bool reachesEnd(const rpPatient* patient, Run run)
{
	return getRunEnd(run) > patient->last;
}

// ---- root at the origin ----

static bool isAtOrigin(const rpMotion* motion, int row)
{
	rpVec3 p = motion->rootPositions[row];
	return p.x == 0.0f && p.y == 0.0f && p.z == 0.0f;
}

static Run findOriginRun(const rpPatient* patient, int from)
{
	Run run = {from, 0};
	while (run.first <= patient->last && !isAtOrigin(patient->motion, run.first))
	{
		++run.first;
	}
	while (getRunEnd(run) <= patient->last && isAtOrigin(patient->motion, getRunEnd(run)))
	{
		++run.count;
	}
	return run;
}

static bool measureRootSteps(const rpPatient* patient, float* median)
{
	const rpMotion* motion = patient->motion;
	int rowCount = patient->last - patient->first + 1;
	float* steps = rpAllocate((size_t)rowCount, sizeof(float), patient->error);
	if (steps == NULL)
	{
		return false;
	}
	int count = 0;
	for (int row = patient->first + 1; row <= patient->last; ++row)
	{
		if (!isAtOrigin(motion, row) && !isAtOrigin(motion, row - 1))
		{
			steps[count++] = rpDistance(motion->rootPositions[row], motion->rootPositions[row - 1]);
		}
	}
	*median = rpTakeMedian(steps, count);
	rpFree(steps);
	return true;
}

// Whether the root is far away on every side that the run has.
static bool isLost(const rpPatient* patient, Run run, float farAway)
{
	const rpVec3* positions = patient->motion->rootPositions;
	bool before = !reachesStart(patient, run), after = !reachesEnd(patient, run);
	return (before || after) && (!before || rpLength(positions[run.first - 1]) > farAway) &&
		   (!after || rpLength(positions[getRunEnd(run)]) > farAway);
}

// Where the pose went as well, it is one and the same in all rows, and no step away from an ideal one.
static bool isPoseLost(const rpMotion* motion, Run run)
{
	size_t size = (size_t)motion->skeleton->jointCount * sizeof(rpQuat);
	for (int row = run.first + 1; row < getRunEnd(run); ++row)
	{
		if (memcmp(rpMotion_GetRotations(motion, row), rpMotion_GetRotations(motion, run.first), size) != 0)
		{
			return false;
		}
	}
	int plain = 0;
	for (int i = 0; i < motion->skeleton->jointCount; ++i)
	{
		plain += rpGetStepAngle(rpMotion_GetRotations(motion, run.first)[i], rpQuat_identity) < NO_ROTATION;
	}
	return run.count > 1 || 2 * plain > motion->skeleton->jointCount;
}

static void treatOriginRun(rpPatient* patient, Run run)
{
	rpFinding* finding = rpPatient_AddRows(patient, "root_at_origin", run.first, run.count,
										   "%s: the root is exactly at the origin, far from the rest of the take",
										   rpNameRows(run.first, run.count).text);
	bool atEnd = reachesStart(patient, run) || reachesEnd(patient, run);
	bool wholePose = isPoseLost(patient->motion, run);
	if (!patient->def->repair)
	{
		rpFinding_SetAction(finding, false, "nothing; crop them or allow repairs");
	}
	else if (atEnd)
	{
		rpFinding_SetAction(finding, true, "dropped");
	}
	else
	{
		rpFinding_SetAction(finding, true, "%s interpolated between the rows beside",
							wholePose ? "pose" : "root's place");
		bool none[RP_MAX_JOINTS] = {false};
		rpPatient_Interpolate(patient, run.first, run.count, wholePose ? NULL : none, true);
	}
	if (reachesStart(patient, run))
	{
		patient->first = getRunEnd(run);
	}
	else if (reachesEnd(patient, run))
	{
		patient->last = run.first - 1;
	}
}

bool rpExamineRootAtOrigin(rpPatient* patient)
{
	Run run = findOriginRun(patient, patient->first);
	if (run.count == 0 || run.count == patient->last - patient->first + 1)
	{
		return true;
	}
	float median = 0.0f;
	if (!measureRootSteps(patient, &median))
	{
		return false;
	}
	float farAway = fmaxf(ORIGIN_JUMP_PART * patient->motion->skeleton->height, ORIGIN_JUMP_STEPS * median);
	while (run.count > 0)
	{
		int next = getRunEnd(run);
		if (isLost(patient, run, farAway))
		{
			treatOriginRun(patient, run);
		}
		run = findOriginRun(patient, next);
	}
	return true;
}

// ---- frozen rows ----

// From a row to the next: mean angle of the joints, plus the root's displacement in body heights.
static float measureStep(const rpMotion* motion, int row)
{
	const rpQuat* from = rpMotion_GetRotations(motion, row);
	const rpQuat* to = rpMotion_GetRotations(motion, row + 1);
	int jointCount = motion->skeleton->jointCount;
	float height = motion->skeleton->height > 0.0f ? motion->skeleton->height : 1.0f;
	float step = rpDistance(motion->rootPositions[row], motion->rootPositions[row + 1]) / height;
	for (int i = 0; i < jointCount; ++i)
	{
		step += rpGetStepAngle(from[i], to[i]) / (float)jointCount;
	}
	return step;
}

static Run findFrozenRun(const rpPatient* patient, const float* steps, int from)
{
	Run run = {from, 0};
	while (run.first < patient->last && steps[run.first] != 0.0f)
	{
		++run.first;
	}
	while (run.first + run.count < patient->last && steps[run.first + run.count] == 0.0f)
	{
		++run.count;
	}
	run.count += run.count > 0;
	return run;
}

// Whether the step from a row is no smaller than those after it, going on in a direction (1 or -1).
static bool isAbrupt(const rpPatient* patient, const float* steps, int row, int direction)
{
	float beside[STEPS_BESIDE];
	int count = 0;
	for (int i = row; count < STEPS_BESIDE && i >= patient->first && i < patient->last; i += direction)
	{
		beside[count++] = steps[i];
	}
	return steps[row] > 0.0f && steps[row] >= DEAD_STOP * rpTakeMedian(beside, count);
}

static bool stopsDead(const rpPatient* patient, const float* steps, Run run)
{
	return (reachesStart(patient, run) || isAbrupt(patient, steps, run.first - 1, -1)) &&
		   (reachesEnd(patient, run) || isAbrupt(patient, steps, getRunEnd(run) - 1, 1));
}

// Held on purpose: a stretch that is eased into, or too many of them.
static bool isDrawn(const rpPatient* patient, const float* steps)
{
	int count = 0;
	double max = FEW_STRETCHES + rpMotion_GetDuration(patient->motion) / STRETCH_SECONDS;
	for (Run run = findFrozenRun(patient, steps, patient->first); run.count > 0;
		 run = findFrozenRun(patient, steps, getRunEnd(run)))
	{
		if (rpPatient_WasSaid(patient, run.first, getRunEnd(run) - 1))
		{
			continue;
		}
		if (run.count >= MIN_FROZEN && !stopsDead(patient, steps, run))
		{
			return true;
		}
		count += run.count >= MIN_FROZEN;
	}
	return count > max;
}

// One row of the stretch was captured: the first, or the last where the take begins frozen.
static void treatFrozenRun(rpPatient* patient, Run run)
{
	rpFinding* finding =
		rpPatient_AddRows(patient, "frozen_rows", run.first, run.count, "%s are one and the same pose, %.2f s long",
						  rpNameRows(run.first, run.count).text, run.count / patient->motion->fps);
	bool starts = reachesStart(patient, run), ends = reachesEnd(patient, run);
	if (!patient->def->repair)
	{
		rpFinding_SetAction(finding, false, "nothing; crop them or allow repairs");
	}
	else if (starts || ends)
	{
		int first = starts ? run.first : run.first + 1;
		rpFinding_SetAction(finding, true, "dropped %s", rpNameRows(first, run.count - 1).text);
	}
	else if (run.count - 1 <= LONGEST_BRIDGE * patient->motion->fps)
	{
		rpFinding_SetAction(finding, true, "%s interpolated between the rows beside",
							rpNameRows(run.first + 1, run.count - 1).text);
		rpPatient_Interpolate(patient, run.first + 1, run.count - 1, NULL, true);
	}
	else
	{
		rpFinding_SetAction(finding, false, "nothing; too long to bridge: cut the clip there");
	}
	if (starts)
	{
		patient->first = getRunEnd(run) - 1;
	}
	else if (ends)
	{
		patient->last = run.first;
	}
}

bool rpExamineFrozenRows(rpPatient* patient)
{
	rpMotion* motion = patient->motion;
	float* steps = rpAllocateZero((size_t)motion->frameCount, sizeof(float), patient->error);
	if (steps == NULL)
	{
		return false;
	}
	bool moves = false;
	for (int row = patient->first; row < patient->last; ++row)
	{
		steps[row] = measureStep(motion, row);
		moves = moves || steps[row] != 0.0f;
	}
	if (moves && !isDrawn(patient, steps))
	{
		int last = patient->last;
		for (Run run = findFrozenRun(patient, steps, patient->first); run.count > 0 && getRunEnd(run) <= last + 1;
			 run = findFrozenRun(patient, steps, getRunEnd(run)))
		{
			if (run.count >= MIN_FROZEN && !rpPatient_WasSaid(patient, run.first, getRunEnd(run) - 1))
			{
				treatFrozenRun(patient, run);
			}
		}
	}
	rpFree(steps);
	return true;
}
