/// Physics: does the body fall as bodies fall, and does it stand over its feet?
#include "base/memory.h"
#include "body/bearing.h"
#include "judge/exhibit.h"
#include "reprise/analysis.h"

#define GRAVITY 9.81

// Flights shorter than this tell too little of the fall.
#define SHORTEST_FLIGHT 0.15

// Balance is asked for while the centre of mass is slower than this, m/s, over SLOW_SPAN seconds.
#define SLOW_SPEED 0.15
#define SLOW_SPAN 0.2

// And told if it lasts this long in all, seconds: a share of a few frames says nothing.
#define LEAST_SLOW 0.5

// Half the breadth of a foot, and what the outlines of shoes add: the pressure may be so far outside its contact
// points.
#define FOOT_MARGIN 0.06

// A foot that is down stands on all its points that are no higher than this above its support, metres.
#define LOW_POINT 0.03f

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

// Whether the centre gets no farther from where it is, half the span before and after: who bounces on the spot is not
// slow where he turns.
static bool isSlow(const rpExhibit* exhibit, int frame)
{
	int half = (int)lround(0.5 * SLOW_SPAN * exhibit->motion->fps);
	bool slow = half >= 1 && frame >= half && frame + half < exhibit->frameCount;
	for (int k = -half; slow && k <= half; ++k)
	{
		slow = (double)rpDistance(exhibit->centers[frame + k], exhibit->centers[frame]) < 0.5 * SLOW_SPAN * SLOW_SPEED;
	}
	return slow;
}

/// The points that a frame stands on, and how high the lowest is, metres.
typedef struct Support
{
	rpVec2 points[rp_effectorCount];
	int count;
	float ground;
} Support;

// Of the foot of a contact in a frame, as bits, the points that bear: the one that rests, and what is as low. A ball
// that rests carries the toes before it.
static unsigned findBearing(const rpExhibit* exhibit, const rpInterval* contact, int frame)
{
	const rpSkeleton* skeleton = exhibit->motion->skeleton;
	bool isLeft = contact->effector < rp_rightHeel;
	rpEffector heel = isLeft ? rp_leftHeel : rp_rightHeel, ball = heel + 1, toe = heel + 2;
	unsigned found = 1u << contact->effector | (contact->effector == ball ? 1u << toe : 0u);
	for (rpEffector e = heel; e <= toe; ++e)
	{
		bool isThere = skeleton->effectors[e].joint >= 0;
		float above = isThere ? rpExhibit_GetEffector(exhibit, e, frame).y - skeleton->soleHeight : INFINITY;
		found |= above < contact->supportHeight + LOW_POINT ? 1u << e : 0u;
		found &= isThere ? ~0u : ~(1u << e);
	}
	return found;
}

static Support getSupport(const rpExhibit* exhibit, int frame)
{
	Support support = {.ground = INFINITY};
	unsigned bearing = 0;
	for (int i = 0; i < exhibit->contactCount; ++i)
	{
		int first, end;
		rpExhibit_GetFrames(exhibit, &exhibit->contacts[i], &first, &end);
		if (frame >= first && frame < end)
		{
			bearing |= findBearing(exhibit, &exhibit->contacts[i], frame);
		}
	}
	for (rpEffector e = rp_leftHeel; e <= rp_rightToe; ++e)
	{
		if ((bearing & 1u << e) != 0)
		{
			rpVec3 place = rpExhibit_GetEffector(exhibit, e, frame);
			support.points[support.count++] = (rpVec2){place.x, place.z};
			support.ground = fminf(support.ground, place.y);
		}
	}
	return support;
}

static bool isSeated(const rpMotion* motion, double seconds)
{
	return rpMotion_IsInContact(motion, rp_seat, seconds) || rpMotion_IsInContact(motion, rp_leftHand, seconds) ||
		   rpMotion_IsInContact(motion, rp_rightHand, seconds);
}

static void measureBalance(const rpExhibit* exhibit, rpMeasures* out)
{
	rpBearing bearing = {exhibit->centers, exhibit->frameCount, exhibit->motion->fps};
	int slow = 0, outside = 0;
	double farthest = 0.0, worst = 0.0;
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
		// Who does not move is over his feet; who sways from one to the other presses on one of them.
		double distance =
			rpBearing_GetOutside(&bearing, f, support.points, support.count, support.ground, 0.5 * SLOW_SPAN);
		++slow;
		outside += distance > FOOT_MARGIN;
		if (distance > farthest)
		{
			farthest = distance;
			worst = seconds;
		}
	}
	if (slow > LEAST_SLOW * exhibit->motion->fps)
	{
		out->values[rp_measureBalance] = (double)outside / slow;
		out->times[rp_measureBalance] = worst;
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
