/// Physics: does the body fall as bodies fall, and does it stand over its feet?
#include "base/memory.h"
#include "judge/exhibit.h"
#include "reprise/analysis.h"

#define GRAVITY 9.81

// Flights shorter than this tell too little of the fall.
#define SHORTEST_FLIGHT 0.15

// Balance is asked for while the centre of mass is slower than this, m/s, over SLOW_SPAN seconds.
#define SLOW_SPEED 0.15
#define SLOW_SPAN 0.2

// Half the breadth of a foot, and what the outlines of shoes add: the centre may be so far outside its contact points.
#define FOOT_MARGIN 0.06

static void scoreFlights(const rpFlight* flights, int count, rpMeasures* out)
{
	double sum = 0.0, weight = 0.0, worst = -1.0;
	for (int i = 0; i < count; ++i)
	{
		double seconds = flights[i].end - flights[i].start, error = fabs(flights[i].gravity / GRAVITY - 1.0);
		if (seconds < SHORTEST_FLIGHT || flights[i].gravity == 0.0f)
		{
			continue;
		}
		sum += seconds * error;
		weight += seconds;
		++out->flightCount;
		if (error > worst)
		{
			worst = error;
			out->times[rp_measureGravity] = flights[i].start;
		}
	}
	if (weight > 0.0)
	{
		out->values[rp_measureGravity] = sum / weight;
	}
}

static bool measureFlights(const rpExhibit* exhibit, rpMeasures* out, rpError* error)
{
	int count = rpFindFlights(exhibit->motion, NULL, 0, error);
	if (count <= 0)
	{
		return count == 0;
	}
	rpFlight* flights = rpAllocate((size_t)count, sizeof(rpFlight), error);
	bool done = flights != NULL && rpFindFlights(exhibit->motion, flights, count, error) >= 0;
	if (done)
	{
		scoreFlights(flights, count, out);
	}
	rpFree(flights);
	return done;
}

static bool isSlow(const rpExhibit* exhibit, int frame)
{
	int half = (int)lround(0.5 * SLOW_SPAN * exhibit->motion->fps);
	int before = frame - half, after = frame + half;
	if (half < 1 || before < 0 || after >= exhibit->frameCount)
	{
		return false;
	}
	double way = rpDistance(exhibit->centers[after], exhibit->centers[before]);
	return way * exhibit->motion->fps / (after - before) < SLOW_SPEED;
}

/// The points that a frame stands on.
typedef struct Support
{
	rpVec2 points[rp_effectorCount + 4];
	int count;
} Support;

static void addPoint(const rpExhibit* exhibit, rpEffector effector, int frame, Support* support)
{
	if (exhibit->motion->skeleton->effectors[effector].joint >= 0)
	{
		rpVec3 place = rpExhibit_GetEffector(exhibit, effector, frame);
		support->points[support->count++] = (rpVec2){place.x, place.z};
	}
}

// A ball that rests carries the toes before it.
static Support getSupport(const rpExhibit* exhibit, int frame)
{
	Support support = {0};
	bool isResting[rp_effectorCount] = {false};
	for (int i = 0; i < exhibit->contactCount; ++i)
	{
		int first, end;
		rpExhibit_GetFrames(exhibit, &exhibit->contacts[i], &first, &end);
		if (frame >= first && frame < end)
		{
			isResting[exhibit->contacts[i].effector] = true;
		}
	}
	isResting[rp_leftToe] |= isResting[rp_leftBall];
	isResting[rp_rightToe] |= isResting[rp_rightBall];
	for (rpEffector e = rp_leftHeel; e <= rp_rightToe; ++e)
	{
		if (isResting[e])
		{
			addPoint(exhibit, e, frame, &support);
		}
	}
	return support;
}

static double cross(rpVec2 o, rpVec2 a, rpVec2 b)
{
	return ((double)a.x - o.x) * ((double)b.y - o.y) - ((double)a.y - o.y) * ((double)b.x - o.x);
}

static double getSegmentDistance(rpVec2 p, rpVec2 a, rpVec2 b)
{
	double dx = (double)b.x - a.x, dy = (double)b.y - a.y, square = dx * dx + dy * dy;
	double t = square > 0.0 ? (((double)p.x - a.x) * dx + ((double)p.y - a.y) * dy) / square : 0.0;
	t = fmin(fmax(t, 0.0), 1.0);
	return hypot(p.x - a.x - t * dx, p.y - a.y - t * dy);
}

// Inside the convex hull of so few points is inside one of their triangles; outside, the nearest of their segments
// tells how far.
static double getDistance(const Support* support, rpVec2 p)
{
	double distance = INFINITY;
	for (int i = 0; i < support->count; ++i)
	{
		for (int j = i; j < support->count; ++j)
		{
			rpVec2 a = support->points[i], b = support->points[j];
			distance = fmin(distance, getSegmentDistance(p, a, b));
			for (int k = j + 1; k < support->count; ++k)
			{
				rpVec2 c = support->points[k];
				double ab = cross(a, b, p), bc = cross(b, c, p), ca = cross(c, a, p);
				if ((ab >= 0.0 && bc >= 0.0 && ca >= 0.0) || (ab <= 0.0 && bc <= 0.0 && ca <= 0.0))
				{
					return 0.0;
				}
			}
		}
	}
	return distance;
}

static bool isSeated(const rpMotion* motion, double seconds)
{
	return rpMotion_IsInContact(motion, rp_seat, seconds) || rpMotion_IsInContact(motion, rp_leftHand, seconds) ||
		   rpMotion_IsInContact(motion, rp_rightHand, seconds);
}

static void measureBalance(const rpExhibit* exhibit, rpMeasures* out)
{
	int slow = 0, outside = 0;
	double farthest = 0.0;
	for (int f = 0; f < exhibit->frameCount; ++f)
	{
		// Who sits or leans is held by more than the feet.
		double seconds = f / exhibit->motion->fps;
		if (!isSlow(exhibit, f) || isSeated(exhibit->motion, seconds))
		{
			continue;
		}
		Support support = getSupport(exhibit, f);
		if (support.count == 0)
		{
			continue;
		}
		double distance = getDistance(&support, (rpVec2){exhibit->centers[f].x, exhibit->centers[f].z});
		++slow;
		outside += distance > FOOT_MARGIN;
		if (distance > farthest)
		{
			farthest = distance;
			out->times[rp_measureBalance] = seconds;
		}
	}
	if (slow > 0)
	{
		out->values[rp_measureBalance] = (double)outside / slow;
	}
}

bool rpMeasurePhysics(const rpExhibit* exhibit, rpMeasures* out, rpError* error)
{
	if (!exhibit->isWeighed || exhibit->contactCount == 0)
	{
		return true;
	}
	measureBalance(exhibit, out);
	return measureFlights(exhibit, out, error);
}
