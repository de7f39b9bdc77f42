/// The path of a blend: where each motion's world lies in the result's, from frame to frame.
///
/// After Kovar & Gleicher (2003), section 4.3: each motion says how the aligned frames would have to move on for it
/// alone to stay in one place, and the weighted mean of these small transforms is what happens. With all weight on one
/// motion its world never moves. In flight no world moves, or the centre of mass would leave its parabola.
#include "base/memory.h"
#include "blend/registered_blend.h"
#include "math/elementary.h"

#include <string.h>

// Times this near to a frame are at it, in frames.
#define AT_FRAME 1e-6

// Points of the polynomial that centres of mass are read by: exact for a parabola.
#define POINT_COUNT 4

void rpPlacement_Put(const rpPlacement* placement, rpVec3 point, double out[3])
{
	double c = rpCosDouble(placement->turn), s = rpSinDouble(placement->turn);
	double x = (double)point.x, z = (double)point.z;
	out[0] = c * x + s * z + placement->x;
	out[1] = (double)point.y + placement->y;
	out[2] = c * z - s * x + placement->z;
}

rpVec3 rpPlacement_Apply(const rpPlacement* placement, rpVec3 point)
{
	double out[3];
	rpPlacement_Put(placement, point, out);
	return (rpVec3){(float)out[0], (float)out[1], (float)out[2]};
}

// The frames that a moment may be read from: those of the flight alone, if it has enough, or all.
static void getFrames(const rpBlendWork* work, int motion, int phase, int* first, int* last)
{
	const rpMotion* m = work->registration->motions[motion];
	*first = 0;
	*last = m->frameCount - 1;
	if (phase >= 0 && work->phases[phase].isFlight)
	{
		double start = rpBlendWork_GetTime(work, motion, work->phases[phase].start) * m->fps;
		double end = rpBlendWork_GetTime(work, motion, work->phases[phase].end) * m->fps;
		int from = (int)fmax(ceil(start - AT_FRAME), 0.0), to = (int)fmin(floor(end + AT_FRAME), *last);
		if (to - from + 1 >= POINT_COUNT - 1)
		{
			*first = from;
			*last = to;
		}
	}
}

rpVec3 rpBlendWork_GetCenter(const rpBlendWork* work, int motion, double seconds, int phase)
{
	const rpMotion* m = work->registration->motions[motion];
	const rpVec3* centers = work->tracks[motion].centers;
	double place = fmin(fmax(seconds * m->fps, 0.0), m->frameCount - 1);
	int nearest = (int)(place + 0.5), first, last;
	if (fabs(place - nearest) < AT_FRAME)
	{
		return centers[nearest];
	}
	getFrames(work, motion, phase, &first, &last);
	int count = last - first + 1 < POINT_COUNT ? last - first + 1 : POINT_COUNT;
	int start = (int)place - (count - 1) / 2;
	start = start < first ? first : start > last - count + 1 ? last - count + 1 : start;
	// Lagrange's polynomial through the points.
	rpVec3 sum = rpVec3_zero;
	for (int i = 0; i < count; ++i)
	{
		double share = 1.0;
		for (int k = 0; k < count; ++k)
		{
			share *= k == i ? 1.0 : (place - start - k) / (i - k);
		}
		sum = rpMulAdd(sum, (float)share, rpSub(centers[start + i], centers[nearest]));
	}
	return rpAdd(sum, centers[nearest]);
}

rpVec3 rpBlendWork_GetMeanCenter(const rpBlendWork* work, int frame, int phase)
{
	size_t first = (size_t)frame * (size_t)work->motionCount;
	double sum[3] = {0};
	for (size_t i = first; i < first + (size_t)work->motionCount; ++i)
	{
		double placed[3];
		rpVec3 center = rpBlendWork_GetCenter(work, (int)(i - first), work->frameTimes[i], phase);
		rpPlacement_Put(work->placements + i, center, placed);
		for (int k = 0; k < 3; ++k)
		{
			sum[k] += work->frameWeights[i] * placed[k];
		}
	}
	return (rpVec3){(float)sum[0], (float)sum[1], (float)sum[2]};
}

// What the path carries along: the centre of mass, or the root.
static rpVec3 getCarried(const rpBlendWork* work, int motion, double seconds, int phase)
{
	if (work->isPhysical)
	{
		return rpBlendWork_GetCenter(work, motion, seconds, phase);
	}
	const rpMotion* m = work->registration->motions[motion];
	double place = fmin(fmax(seconds * m->fps, 0.0), m->frameCount - 1);
	int frame = (int)place, next = frame + 1 < m->frameCount ? frame + 1 : frame;
	return rpLerp(m->rootPositions[frame], m->rootPositions[next], (float)(place - frame));
}

/// A moment on the path.
typedef struct Moment
{
	double seconds;
	int phase;
	const double* times;
	const double* weights;
} Moment;

// Where the registration puts a motion's world: onto the first motion.
static rpPlacement getAligned(const rpBlendWork* work, int motion, const Moment* moment)
{
	rpGroundTransform g = rpRegistration_GetGround(work->registration, motion, moment->times[0]);
	return (rpPlacement){(double)g.turn, (double)g.shift.x, (double)g.shift.y, (double)g.shift.z, (double)g.turn};
}

// The turn of the aligned frames against the result.
static double getMeanTurn(const rpBlendWork* work, const Moment* moment, const rpPlacement* placements)
{
	double turn = 0.0;
	for (int i = 0; i < work->motionCount; ++i)
	{
		turn += moment->weights[i] * (placements[i].turn - getAligned(work, i, moment).turn);
	}
	return turn;
}

// In flight worlds stay, but bodies turn by the weighted mean of all turns.
static void turnInFlight(const rpBlendWork* work, const Moment* moment, rpPlacement* placements)
{
	double turn = getMeanTurn(work, moment, placements);
	for (int i = 0; i < work->motionCount; ++i)
	{
		placements[i].heading = turn + getAligned(work, i, moment).turn;
	}
}

// The aligned frames' world in the result's: turned, and shifted so that the mean of the carried points is where the
// placements so far have it.
static rpPlacement meanPlacement(const rpBlendWork* work, const Moment* moment, const rpPlacement* placements)
{
	rpPlacement mean = {.turn = getMeanTurn(work, moment, placements)};
	double c = rpCosDouble(mean.turn), s = rpSinDouble(mean.turn);
	for (int i = 0; i < work->motionCount; ++i)
	{
		rpPlacement aligned = getAligned(work, i, moment);
		rpVec3 point = getCarried(work, i, moment->times[i], moment->phase);
		double old[3], new[3];
		rpPlacement_Put(placements + i, point, old);
		rpPlacement_Put(&aligned, point, new);
		mean.x += moment->weights[i] * (old[0] - (c * new[0] + s* new[2]));
		mean.z += moment->weights[i] * (old[2] - (c * new[2] - s* new[0]));
	}
	return mean;
}

static void moveOn(const rpBlendWork* work, const Moment* moment, rpPlacement* placements)
{
	rpPlacement mean = meanPlacement(work, moment, placements);
	double c = rpCosDouble(mean.turn), s = rpSinDouble(mean.turn);
	for (int i = 0; i < work->motionCount; ++i)
	{
		rpPlacement aligned = getAligned(work, i, moment);
		placements[i].turn = placements[i].heading = mean.turn + aligned.turn;
		placements[i].x = c * aligned.x + s * aligned.z + mean.x;
		placements[i].z = c * aligned.z - s * aligned.x + mean.z;
	}
}

// The velocity of the centre of mass at a knot, as one of its sides has it.
static void getVelocity(const rpBlendWork* work, const Moment* moment, int knot, bool before,
						const rpPlacement* placements, double out[3])
{
	memset(out, 0, 3 * sizeof(double));
	for (int i = 0; i < work->motionCount; ++i)
	{
		const rpMotion* m = work->registration->motions[i];
		double step = 1.0 / m->fps, time = moment->times[i];
		rpVec3 from = rpBlendWork_GetCenter(work, i, time - step, -1),
			   to = rpBlendWork_GetCenter(work, i, time + step, -1);
		double scale = moment->weights[i] * rpBlendWork_GetSlope(work, i, knot, before) * 0.5 * m->fps;
		double vx = (double)(to.x - from.x), vz = (double)(to.z - from.z);
		double c = rpCosDouble(placements[i].turn), s = rpSinDouble(placements[i].turn);
		out[0] += scale * (c * vx + s * vz);
		out[1] += scale * (double)(to.y - from.y);
		out[2] += scale * (c * vz - s * vx);
	}
}

// From one phase into the next: where worlds move after a flight.
static void changePhase(rpBlendWork* work, int phase, rpPlacement* placements)
{
	double seconds = work->phases[phase].start;
	double* times = work->scratch + work->motionCount;
	double* weights = times + work->motionCount;
	int knot = 0;
	while (knot + 1 < work->knotCount - 1 && work->knots[knot] < seconds)
	{
		++knot;
	}
	for (int i = 0; i < work->motionCount; ++i)
	{
		times[i] = work->times[(ptrdiff_t)i * work->knotCount + knot];
	}
	rpBlendWork_GetWeights(work, seconds, weights);
	Moment moment = {seconds, phase - 1, times, weights};
	double before[3], after[3];
	getVelocity(work, &moment, knot, true, placements, before);
	if (!work->phases[phase - 1].isFlight || !work->phases[phase].isFlight)
	{
		moveOn(work, &moment, placements);
	}
	getVelocity(work, &moment, knot, false, placements, after);
	double x = after[0] - before[0], y = after[1] - before[1], z = after[2] - before[2];
	work->velocityJump = fmax(work->velocityJump, sqrt(x * x + y * y + z * z));
}

bool rpBlendWork_SetPath(rpBlendWork* work, rpError* error)
{
	int count = work->motionCount, phase = work->phaseCount > 0 ? 0 : -1;
	work->placements = rpAllocateZero((size_t)work->frameCount * (size_t)count, sizeof(rpPlacement), error);
	rpPlacement* now = rpAllocateZero((size_t)count, sizeof(rpPlacement), error);
	bool done = work->placements != NULL && now != NULL;
	for (int i = 0; done && i < count; ++i)
	{
		now[i] = getAligned(work, i, &(Moment){.times = work->frameTimes});
	}
	for (int frame = 0; done && frame < work->frameCount; ++frame)
	{
		size_t first = (size_t)frame * (size_t)count;
		double seconds = frame / work->fps;
		while (phase >= 0 && phase + 1 < work->phaseCount && work->phases[phase + 1].start <= seconds)
		{
			changePhase(work, ++phase, now);
		}
		Moment moment = {seconds, phase, work->frameTimes + first, work->frameWeights + first};
		(phase >= 0 && work->phases[phase].isFlight ? turnInFlight : moveOn)(work, &moment, now);
		memcpy(work->placements + first, now, (size_t)count * sizeof(rpPlacement));
	}
	rpFree(now);
	return done;
}
