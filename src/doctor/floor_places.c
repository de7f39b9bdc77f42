/// Where feet rest, found without knowing where the floor is: the lower of heel and ball hardly moves, and nothing of
/// the body is much lower.
#include "base/memory.h"
#include "doctor/floor.h"
#include "math/order.h"

#include <stdlib.h>

// A foot rests below this speed, m/s, plus this part of the speed of the body: captured feet slide at 0.0 to 0.1 m/s in
// standing and walking, at 0.1 to 0.3 m/s in fast runs (toe slide in the README of the captures).
#define REST_SPEED 0.15f
#define SLIDE_PART 0.15f

// Speeds are taken over this, seconds: marker noise of a millimetre is 0.12 m/s from one row to the next at 120 Hz.
#define SPEED_SPAN 0.05

// The shortest rest, seconds, as for contacts (rpContactDef). A foot at the top of a jump is slow for 0.03 s.
#define SHORTEST_REST 0.06

// A foot that bears weight is at most this much above the lowest point of the body, in parts of the leg's length: the
// other one, on a lower step, has left it by then or soon will.
#define LOWEST_PART 0.06f

/// One foot in one row.
typedef struct Sole
{
	rpVec3 place;
	bool isLow;
} Sole;

static rpVec3 getPoint(const rpSkeleton* skeleton, const rpTransform* pose, int effector)
{
	rpAttachment at = skeleton->effectors[effector];
	return rpTransformPoint(pose[at.joint], at.offset);
}

static rpVec3 getLower(rpVec3 a, rpVec3 b)
{
	return a.y < b.y ? a : b;
}

// Both feet of a row, left then right.
static void measureRow(const rpMotion* motion, int row, Sole out[2])
{
	const rpSkeleton* skeleton = motion->skeleton;
	rpTransform pose[RP_MAX_JOINTS];
	rpMotion_Forward(motion, row, pose);
	float lowest = INFINITY;
	for (int i = 0; i < skeleton->jointCount; ++i)
	{
		lowest = fminf(lowest, pose[i].p.y);
	}
	for (int side = 0; side < 2; ++side)
	{
		int heel = side == 0 ? rp_leftHeel : rp_rightHeel;
		out[side].place = getLower(getPoint(skeleton, pose, heel), getPoint(skeleton, pose, heel + 1));
	}
	lowest = fminf(lowest, getLower(out[0].place, out[1].place).y);
	for (int side = 0; side < 2; ++side)
	{
		out[side].isLow = out[side].place.y < lowest + LOWEST_PART * skeleton->legLength;
		out[side].place.y -= skeleton->soleHeight;
	}
}

/// The rows of a take, and what rests in them.
typedef struct Survey
{
	const rpMotion* motion;
	int first, count;
	/// [2 * count], left and right of each row.
	Sole* soles;
	/// [count]
	float* sorted;
	/// Rows to both sides that a speed is taken over.
	int halfWindow;
} Survey;

static bool isResting(const Survey* survey, int row, int side)
{
	const Sole* sole = survey->soles + 2 * row + side;
	int before = row > survey->halfWindow ? row - survey->halfWindow : 0;
	int after = row + survey->halfWindow < survey->count ? row + survey->halfWindow : survey->count - 1;
	if (!sole->isLow || after <= before)
	{
		return false;
	}
	const rpVec3* roots = survey->motion->rootPositions + survey->first;
	float perSecond = (float)(survey->motion->fps / (after - before));
	rpVec3 displacement = rpSub(roots[after], roots[before]);
	float body = hypotf(displacement.x, displacement.z) * perSecond;
	float foot = rpDistance(survey->soles[2 * after + side].place, survey->soles[2 * before + side].place) * perSecond;
	return foot < REST_SPEED + SLIDE_PART * body;
}

static bool addPlace(const Survey* survey, int first, int end, int side, rpFloorPlaces* out, rpError* error)
{
	if (end - first < SHORTEST_REST * survey->motion->fps)
	{
		return true;
	}
	if (!rpGrow(&out->items, &out->capacity, out->count, sizeof(rpVec3), error))
	{
		return false;
	}
	rpVec3 sum = rpVec3_zero;
	int count = end - first;
	for (int row = first; row < end; ++row)
	{
		rpVec3 place = survey->soles[2 * row + side].place;
		sum = rpAdd(sum, place);
		survey->sorted[row - first] = place.y;
	}
	// Feet roll on and off: they bear where they are low.
	qsort(survey->sorted, (size_t)count, sizeof(float), rpCompareFloats);
	float height = survey->sorted[count / 4];
	out->items[out->count++] = (rpVec3){sum.x / (float)count, height, sum.z / (float)count};
	return true;
}

static bool findRests(const Survey* survey, int side, rpFloorPlaces* out, rpError* error)
{
	int first = -1;
	bool done = true;
	for (int row = 0; row <= survey->count && done; ++row)
	{
		bool rests = row < survey->count && isResting(survey, row, side);
		if (first >= 0 && !rests)
		{
			done = addPlace(survey, first, row, side, out, error);
			first = -1;
		}
		first = rests && first < 0 ? row : first;
	}
	return done;
}

bool rpFindFloorPlaces(const rpMotion* motion, int first, int last, rpFloorPlaces* out, rpError* error)
{
	const rpSkeleton* skeleton = motion->skeleton;
	*out = (rpFloorPlaces){0};
	bool hasFeet = skeleton->effectors[rp_leftBall].joint >= 0 && skeleton->effectors[rp_rightBall].joint >= 0;
	if (!hasFeet || last <= first)
	{
		return true;
	}
	Survey survey = {.motion = motion, .first = first, .count = last - first + 1};
	survey.halfWindow = (int)fmax(1.0, round(0.5 * SPEED_SPAN * motion->fps));
	survey.soles = rpAllocate(2 * (size_t)survey.count, sizeof(Sole), error);
	survey.sorted = survey.soles != NULL ? rpAllocate((size_t)survey.count, sizeof(float), error) : NULL;
	if (survey.sorted == NULL)
	{
		rpFree(survey.soles);
		return false;
	}
	for (int row = 0; row < survey.count; ++row)
	{
		measureRow(motion, first + row, survey.soles + 2 * row);
	}
	bool done = findRests(&survey, 0, out, error) && findRests(&survey, 1, out, error);
	rpFree(survey.soles);
	rpFree(survey.sorted);
	return done;
}

void rpFloorPlaces_Free(rpFloorPlaces* places)
{
	rpFree(places->items);
	*places = (rpFloorPlaces){0};
}
