/// Physics: does the body fall as bodies fall, does it stand over its feet, and do these sink into the floor?
#include "base/memory.h"
#include "body/support_load.h"
#include "judge/footfalls.h"
#include "judge/series.h"

#define GRAVITY 9.81

// A body flies while ankle, ball and toe of both feet are higher than this above their running floors, metres, and both
// balls move at this speed over 0.1 s, m/s (else a foot that rolls off would count as in the air). As in
// ../shared/judge/README.md.
#define FLIGHT_HEIGHT 0.03f
#define FLIGHT_SPEED 0.4f

// Flights shorter than this show too little of the fall, seconds. The centre of mass of a body that jumps moves faster
// than this on average, m/s: someone who lifts the feet from a chair or a bar does not. A hand lower than this share of
// a leg above the floor may bear the body, as in a cartwheel. And both feet get this clear of the floor, metres: a
// dancer on her toes, whose toes' ends are not captured, does not.
#define SHORTEST_FLIGHT 0.15
#define MIN_TRAVEL 0.25
#define LOW_HAND 0.3f
#define CLEAR_HEIGHT 0.06f

// Balance is asked for while the centre of mass is slower than this, m/s, over SLOW_SPAN seconds.
#define SLOW_SPEED 0.15
#define SLOW_SPAN 0.2

// It is reported if it lasts this long in all, seconds: a share of a few frames says nothing.
#define MIN_SLOW 0.5

// A body stands on its feet alone while a hip is higher above its ankle than this share of a leg (a knee bent by 60
// degrees): someone who sits, squats or lies may be held by more.
#define STANDING_SHARE 0.87f

// Half the breadth of a foot, and what the outlines of shoes add: the pressure may be so far outside its contact
// points.
#define FOOT_MARGIN 0.06

// A point of a foot bears that is no higher than this above its running floor, metres, or slower than this over 0.1 s,
// m/s: someone who climbs stands above the floor of the moment before.
#define LOW_POINT 0.03f
#define STILL_SPEED 0.1f

enum
{
	/// Points of both feet: ankle, ball, toe, heel of the left one, then of the right one.
	pointsOfFoot = 4,
	pointsOfFeet = 2 * pointsOfFoot,
};

/// The feet over time: where their points are, and how high above their running floors, [frameCount] each.
typedef struct Feet
{
	const rpVec3* points[pointsOfFeet];
	float* heights[pointsOfFeet];

	/// Speeds of the balls in space, averaged over 0.1 s.
	float* speeds[2];
	float* memory;
} Feet;

static bool openFeet(Feet* feet, const rpFilm* film, rpError* error)
{
	size_t count = (size_t)film->frameCount;
	*feet = (Feet){.memory = rpAllocate(count * (pointsOfFeet + 3), sizeof(float), error)};
	if (feet->memory == NULL)
	{
		return false;
	}
	float* scratch = feet->memory + count * (pointsOfFeet + 2);
	for (int side = 0; side < 2; ++side)
	{
		rpFilmLeg leg = rpFilm_GetLeg(film, side);
		const rpVec3* points[pointsOfFoot] = {leg.ankle, leg.ball, leg.toe, leg.heel};
		for (int i = 0; i < pointsOfFoot; ++i)
		{
			int index = side * pointsOfFoot + i;
			feet->points[index] = points[i];
			feet->heights[index] = feet->memory + count * (size_t)index;
			if (!rpFindRunningFloor(points[i], film->frameCount, scratch, error))
			{
				return false;
			}
			for (int f = 0; f < film->frameCount; ++f)
			{
				feet->heights[index][f] = points[i][f].y - scratch[f];
			}
		}
		feet->speeds[side] = feet->memory + count * (size_t)(pointsOfFeet + side);
		rpGetSpeeds(leg.ball, film->frameCount, true, scratch);
		rpAverage(scratch, film->frameCount, feet->speeds[side]);
	}
	return true;
}

// ---- flights

// How high the lowest point of both feet is above its running floor, heels left out.
static float getClearance(const Feet* feet, int frame)
{
	float low = INFINITY;
	for (int i = 0; i < pointsOfFeet; ++i)
	{
		bool isHeel = i % pointsOfFoot == pointsOfFoot - 1;
		low = isHeel ? low : fminf(low, feet->heights[i][frame]);
	}
	return low;
}

static bool doesFly(const Feet* feet, int frame)
{
	float speed = fminf(feet->speeds[0][frame], feet->speeds[1][frame]);
	return speed >= FLIGHT_SPEED && getClearance(feet, frame) > FLIGHT_HEIGHT;
}

// Downward acceleration of the parabola that fits the heights best: with times about their middle, the square's share
// is free of the line's.
static double fitFall(const rpVec3* centers, int first, int end)
{
	double n = end - first, s2 = 0.0, s4 = 0.0, y0 = 0.0, y2 = 0.0;
	for (int f = first; f < end; ++f)
	{
		double t = (f - 0.5 * (first + end - 1)) / RP_FILM_RATE, y = (double)centers[f].y;
		s2 += t * t;
		s4 += t * t * t * t;
		y0 += y;
		y2 += y * t * t;
	}
	return -2.0 * (n * y2 - s2 * y0) / (n * s4 - s2 * s2);
}

// Whether nothing bears the body from `first` to `end` but, perhaps, the air.
static bool isFree(const Feet* feet, const rpFilm* film, float legLength, int first, int end)
{
	const rpVec3* centers = film->points[rp_filmCenter];
	double travelled = 0.0;
	float clearance = 0.0f;
	bool isFree = true;
	for (int f = first; f < end; ++f)
	{
		clearance = fmaxf(clearance, getClearance(feet, f));
		travelled += f > first ? (double)rpDistance(centers[f], centers[f - 1]) : 0.0;
		float floor = fminf(feet->points[1][f].y - feet->heights[1][f],
							feet->points[1 + pointsOfFoot][f].y - feet->heights[1 + pointsOfFoot][f]);
		for (int side = 0; side < 2; ++side)
		{
			const rpVec3* wrist = film->points[side == 0 ? rp_roleLeftWrist : rp_roleRightWrist];
			isFree &= wrist == NULL || wrist[f].y - floor > LOW_HAND * legLength;
		}
	}
	return isFree && clearance > CLEAR_HEIGHT && travelled * RP_FILM_RATE > MIN_TRAVEL * (end - first);
}

static void measureFlights(const Feet* feet, const rpFilm* film, float legLength, rpMeasures* out)
{
	double sum = 0.0, weight = 0.0, worst = -1.0;
	int first = -1;
	for (int f = 0; f <= film->frameCount; ++f)
	{
		bool flies = f < film->frameCount && doesFly(feet, f);
		if (!flies && first >= 0 && f - first >= SHORTEST_FLIGHT * RP_FILM_RATE &&
			isFree(feet, film, legLength, first, f))
		{
			double error = fabs(fitFall(film->points[rp_filmCenter], first, f) / GRAVITY - 1.0);
			sum += error * (f - first);
			weight += f - first;
			++out->flightCount;
			out->times[rp_measureGravity] = error > worst ? first / RP_FILM_RATE : out->times[rp_measureGravity];
			worst = fmax(worst, error);
		}
		first = !flies ? -1 : first < 0 ? f : first;
	}
	out->values[rp_measureGravity] = weight > 0.0 ? sum / weight : (double)NAN;
}

// ---- balance

// Whether the centre gets no farther from where it is, half the span before and after: someone who bounces on the spot
// is not slow at the turning points.
static bool isSlow(const rpFilm* film, int frame)
{
	const rpVec3* centers = film->points[rp_filmCenter];
	int half = (int)lround(0.5 * SLOW_SPAN * RP_FILM_RATE);
	bool slow = frame >= half && frame + half < film->frameCount;
	for (int k = -half; slow && k <= half; ++k)
	{
		slow = (double)rpDistance(centers[frame + k], centers[frame]) < 0.5 * SLOW_SPAN * SLOW_SPEED;
	}
	return slow;
}

/// The points that a frame stands on, and how high the lowest is, metres.
typedef struct Support
{
	rpVec2 points[pointsOfFeet];
	int count;
	float ground;
} Support;

static Support getSupport(const Feet* feet, int frame)
{
	Support support = {.ground = INFINITY};
	for (int i = 0; i < pointsOfFeet; ++i)
	{
		bool isAnkle = i % pointsOfFoot == 0;
		bool isStill = feet->speeds[i / pointsOfFoot][frame] < STILL_SPEED;
		if (!isAnkle && (isStill || feet->heights[i][frame] < LOW_POINT))
		{
			rpVec3 place = feet->points[i][frame];
			support.points[support.count++] = (rpVec2){place.x, place.z};
			support.ground = fminf(support.ground, place.y);
		}
	}
	return support;
}

static bool doesStand(const rpFilm* film, int frame, float legLength)
{
	rpFilmLeg left = rpFilm_GetLeg(film, 0), right = rpFilm_GetLeg(film, 1);
	float height = fmaxf(left.hip[frame].y - left.ankle[frame].y, right.hip[frame].y - right.ankle[frame].y);
	return height > STANDING_SHARE * legLength;
}

static void measureBalance(const Feet* feet, const rpFilm* film, float legLength, rpMeasures* out)
{
	rpSupportLoad load = {film->points[rp_filmCenter], film->frameCount, RP_FILM_RATE};
	int slow = 0, outside = 0;
	double farthest = 0.0, worst = 0.0;
	for (int f = 0; f < film->frameCount; ++f)
	{
		Support support = getSupport(feet, f);
		if (support.count == 0 || !doesStand(film, f, legLength) || !isSlow(film, f))
		{
			continue;
		}
		// Someone who does not move is over the feet; someone who sways from one to the other presses on one of them.
		double distance =
			rpSupportLoad_GetOutside(&load, f, support.points, support.count, support.ground, 0.5 * SLOW_SPAN);
		++slow;
		outside += distance > FOOT_MARGIN;
		worst = distance > farthest ? f / RP_FILM_RATE : worst;
		farthest = fmax(farthest, distance);
	}
	if (slow > MIN_SLOW * RP_FILM_RATE)
	{
		out->values[rp_measureBalance] = (double)outside / slow;
		out->times[rp_measureBalance] = worst;
	}
}

// ---- the floor

// How far a foot goes below where it rests at other times around.
static void measureSinking(const Feet* feet, const rpFilm* film, rpMeasures* out)
{
	for (int i = 0; i < pointsOfFeet; ++i)
	{
		for (int f = 0; f < film->frameCount; ++f)
		{
			double under = -(double)feet->heights[i][f];
			rpMeasures_KeepWorst(out, rp_measurePenetration, 1e3 * fmax(under, 0.0), f / RP_FILM_RATE);
		}
	}
}

bool rpMeasurePhysics(const rpMeasureInput* input, const rpFilm* film, rpMeasures* out, rpError* error)
{
	if (!rpFilm_HasLegs(film))
	{
		return true;
	}
	Feet feet;
	bool done = openFeet(&feet, film, error);
	if (done)
	{
		measureSinking(&feet, film, out);
	}
	if (done && input->isWeighed)
	{
		float legLength = input->motion->skeleton->legLength;
		measureFlights(&feet, film, legLength, out);
		measureBalance(&feet, film, legLength, out);
	}
	rpFree(feet.memory);
	return done;
}
