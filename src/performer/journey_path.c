/// The path of a journey over the ground.
#include "performer/journey.h"
#include "reprise/play/extend.h"

// The path is integrated in steps of this, seconds, and known this long beyond the last strike.
#define PATH_STEP 0.01
#define PATH_BEYOND 3.0
// A step from standing and the closing one bring this part of their neighbour's speed.
#define START_PART 0.55f

static bool addKnot(rpKnot** knots, int* count, int* capacity, rpKnot knot, rpError* error)
{
	if (*count > 0 && knot.t <= (*knots)[*count - 1].t + 1e-3)
	{
		return true;
	}
	if (!rpGrow(knots, capacity, *count, sizeof(rpKnot), error))
	{
		return false;
	}
	(*knots)[(*count)++] = knot;
	return true;
}

static bool addTempo(rpJourney* journey, double t, float speed, float turn, float run, rpError* error)
{
	rpKnot knot = {.t = t, .p = {(double)speed, (double)turn, (double)run}};
	return addKnot(&journey->tempo, &journey->tempoCount, &journey->tempoCapacity, knot, error);
}

// Speed, turn and gait in the middle of each link, standing where the journey stands.
static bool layTempo(rpJourney* journey, rpError* error)
{
	const rpStep* steps = journey->steps;
	bool ok = true;
	for (int i = 0; ok && i < journey->stepCount; ++i)
	{
		const rpStep *step = steps + i, *next = i + 1 < journey->stepCount ? step + 1 : NULL;
		if (step->standing && next != NULL && next->standing)
		{
			// The closing link; the first stand has none.
			float before = i > 0 ? START_PART * steps[i - 1].speed : 0.0f;
			ok = isinf(step->strike) ||
				 addTempo(journey, 0.5 * (step->strike + next->strike), before, 0.0f, 0.0f, error);
			continue;
		}
		if (step->standing)
		{
			float part = next != NULL && next->gait == rp_gaitRun ? 0.8f * START_PART : START_PART;
			double lifts = next != NULL ? steps[i - 1].off : INFINITY;
			ok = isinf(step->strike) || addTempo(journey, step->strike + JOURNEY_SETTLE_TIME, 0.0f, 0.0f, 0.0f, error);
			ok = ok && (next == NULL || addTempo(journey, lifts - JOURNEY_READY_TIME, 0.0f, 0.0f, 0.0f, error)) &&
				 (next == NULL ||
				  addTempo(journey, 0.5 * (lifts + next->strike), part * next->speed, part * next->turn, 0.0f, error));
			continue;
		}
		double end = next != NULL ? next->strike : step->strike + 0.4;
		ok = addTempo(journey, 0.5 * (step->strike + end), step->speed, step->turn, step->gait == rp_gaitRun, error);
	}
	return ok;
}

static void sampleTempo(const rpJourney* journey, double t, rpJourneyPoint* point)
{
	double h = 1e-3;
	rpVec3 now = rpSampleKnots(journey->tempo, journey->tempoCount, t);
	rpVec3 before = rpSampleKnots(journey->tempo, journey->tempoCount, t - h);
	rpVec3 after = rpSampleKnots(journey->tempo, journey->tempoCount, t + h);
	point->speed = now.x;
	point->turn = now.y;
	point->run = now.z;
	point->speedRate = (after.x - before.x) / (2.0 * h);
	point->turnRate = (after.y - before.y) / (2.0 * h);
}

// Heading, then place, by Simpson's rule; both are zero at the moment that the motion begins.
static void integratePath(rpJourney* journey, int origin)
{
	rpJourneyPoint* path = journey->path;
	for (int i = 0; i < journey->pathCount; ++i)
	{
		sampleTempo(journey, journey->pathStart + PATH_STEP * i, path + i);
		double middle =
			rpSampleKnots(journey->tempo, journey->tempoCount, journey->pathStart + PATH_STEP * (i - 0.5)).y;
		path[i].heading =
			i == 0 ? 0.0 : path[i - 1].heading + PATH_STEP * (path[i - 1].turn + 4.0 * middle + path[i].turn) / 6.0;
	}
	double turned = path[origin].heading;
	path[0].heading -= turned;
	for (int i = 1; i < journey->pathCount; ++i)
	{
		path[i].heading -= turned;
		double speed = rpSampleKnots(journey->tempo, journey->tempoCount, journey->pathStart + PATH_STEP * (i - 0.5)).x;
		double heading = 0.5 * (path[i - 1].heading + path[i].heading);
		path[i].x = path[i - 1].x + PATH_STEP *
										(path[i - 1].speed * sin(path[i - 1].heading) + 4.0 * speed * sin(heading) +
										 path[i].speed * sin(path[i].heading)) /
										6.0;
		path[i].z = path[i - 1].z + PATH_STEP *
										(path[i - 1].speed * cos(path[i - 1].heading) + 4.0 * speed * cos(heading) +
										 path[i].speed * cos(path[i].heading)) /
										6.0;
	}
	double x = path[origin].x, z = path[origin].z;
	for (int i = 0; i < journey->pathCount; ++i)
	{
		path[i].x -= x;
		path[i].z -= z;
	}
}

// Scale all turns so that they come to an angle. A knot counts for half the time to its neighbours.
static void scaleTurns(rpJourney* journey, float angle)
{
	rpKnot* knots = journey->tempo;
	double sum = 0.0;
	for (int i = 1; i + 1 < journey->tempoCount; ++i)
	{
		sum += 0.5 * knots[i].p[1] * (knots[i + 1].t - knots[i - 1].t);
	}
	for (int i = 0; sum != 0.0 && i < journey->tempoCount; ++i)
	{
		knots[i].p[1] *= (double)angle / sum;
	}
}

bool rpJourney_LayPath(rpJourney* journey, double end, float angle, rpError* error)
{
	if (!layTempo(journey, error))
	{
		return false;
	}
	if (journey->tempoCount == 0 && !addTempo(journey, 0.0, 0.0f, 0.0f, 0.0f, error))
	{
		return false;
	}
	if (angle != 0.0f)
	{
		scaleTurns(journey, angle);
	}
	double last = end;
	for (int i = 0; i < journey->stepCount; ++i)
	{
		last = fmax(last, isinf(journey->steps[i].strike) ? 0.0 : journey->steps[i].strike);
	}
	// Whole steps before 0, so that 0 is a point of the table.
	int before = 500;
	journey->pathStart = -PATH_STEP * before;
	journey->pathCount = before + 2 + (int)((last + PATH_BEYOND) / PATH_STEP);
	journey->path = rpAllocateZero((size_t)journey->pathCount, sizeof(rpJourneyPoint), error);
	if (journey->path == NULL)
	{
		return false;
	}
	int origin = isnan(journey->mirrorTime) ? before : before + (int)floor(journey->mirrorTime / PATH_STEP + 0.5);
	integratePath(journey, origin);
	return true;
}

// A point of the table as a knot of x, z and heading.
static rpKnot makeKnot(const rpJourneyPoint* point, double t)
{
	double east = sin(point->heading), north = cos(point->heading);
	double along = point->speedRate, across = point->speed * point->turn;
	return (rpKnot){
		.t = t,
		.p = {point->x, point->z, point->heading},
		.v = {point->speed * east, point->speed * north, point->turn},
		.a = {along * east + across * north, along * north - across * east, point->turnRate},
	};
}

rpJourneyPoint rpJourney_GetPath(const rpJourney* journey, double t)
{
	double place = (t - journey->pathStart) / PATH_STEP;
	int i = (int)fmin(fmax(floor(place), 0.0), journey->pathCount - 2);
	rpKnot ends[2] = {makeKnot(journey->path + i, 0.0), makeKnot(journey->path + i + 1, PATH_STEP)};
	rpVec3 now = rpSampleKnots(ends, 2, t - journey->pathStart - PATH_STEP * i);
	rpJourneyPoint point = {.x = now.x, .z = now.y, .heading = now.z};
	sampleTempo(journey, t, &point);
	return point;
}
