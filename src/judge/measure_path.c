/// Path: how far is the root from where it was asked to go?
///
/// Two answers: at the nearest point of the path that is not behind the last one (Kovar's forced progress), and at the
/// point of the path that is as far along it as the root has come (eq. 4.14-4.15 of his thesis).
#include "judge/exhibit.h"

static double getGap(rpVec2 a, rpVec2 b)
{
	return hypot((double)a.x - b.x, (double)a.y - b.y);
}

static rpVec2 mix(rpVec2 a, rpVec2 b, double t)
{
	return (rpVec2){(float)(a.x + t * (b.x - a.x)), (float)(a.y + t * (b.y - a.y))};
}

/// A place on the path: how far along a leg of it.
typedef struct Place
{
	int leg;
	double t;
} Place;

static double getNearest(rpVec2 p, rpVec2 a, rpVec2 b, double from, double* t)
{
	double dx = (double)b.x - a.x, dy = (double)b.y - a.y, square = dx * dx + dy * dy;
	double along = square > 0.0 ? (((double)p.x - a.x) * dx + ((double)p.y - a.y) * dy) / square : 0.0;
	*t = fmin(fmax(along, from), 1.0);
	return getGap(p, mix(a, b, *t));
}

// How far ahead of the last place the nearest one is looked for, metres: a path that crosses itself must not be cut
// short.
#define LOOK_AHEAD 1.0

// The nearest place that is not behind `place`, which moves there; returns the distance.
static double advance(const rpEvaluateDef* def, rpVec2 p, Place* place)
{
	double best = INFINITY, ahead = 0.0;
	Place from = *place;
	for (int leg = from.leg; leg + 1 < def->pathCount && ahead <= LOOK_AHEAD; ++leg)
	{
		rpVec2 a = def->path[leg], b = def->path[leg + 1];
		double t, begin = leg == from.leg ? from.t : 0.0, gap = getNearest(p, a, b, begin, &t);
		if (gap < best)
		{
			best = gap;
			*place = (Place){leg, t};
		}
		ahead += (1.0 - begin) * getGap(a, b);
	}
	return best;
}

// The point of the path so far along it; its end beyond that.
static rpVec2 getPointAt(const rpEvaluateDef* def, double length)
{
	for (int leg = 0; leg + 1 < def->pathCount; ++leg)
	{
		double gap = getGap(def->path[leg], def->path[leg + 1]);
		if (length <= gap && gap > 0.0)
		{
			return mix(def->path[leg], def->path[leg + 1], length / gap);
		}
		length -= gap;
	}
	return def->path[def->pathCount - 1];
}

/// Mean, greatest and root mean square of distances.
typedef struct Errors
{
	double sum, squares, worst, when;
	int count;
} Errors;

static void note(Errors* errors, double distance, double seconds)
{
	errors->sum += distance;
	errors->squares += distance * distance;
	++errors->count;
	if (distance >= errors->worst)
	{
		errors->worst = distance;
		errors->when = seconds;
	}
}

static void put(const Errors* errors, rpMeasure mean, rpMeasure worst, rpMeasure rms, rpMeasures* out)
{
	out->values[mean] = errors->sum / errors->count;
	out->values[worst] = errors->worst;
	out->times[worst] = errors->when;
	out->values[rms] = sqrt(errors->squares / errors->count);
}

void rpMeasurePath(const rpExhibit* exhibit, const rpEvaluateDef* def, rpMeasures* out)
{
	const rpMotion* motion = exhibit->motion;
	if (def->pathCount < 2)
	{
		return;
	}
	Errors nearest = {0}, equal = {0};
	Place place = {0};
	double length = 0.0;
	for (int f = 0; f < motion->frameCount; ++f)
	{
		rpVec2 root = {motion->rootPositions[f].x, motion->rootPositions[f].z};
		rpVec3 before = motion->rootPositions[f > 0 ? f - 1 : 0];
		length += getGap(root, (rpVec2){before.x, before.z});
		note(&nearest, advance(def, root, &place), f / motion->fps);
		note(&equal, getGap(root, getPointAt(def, length)), f / motion->fps);
	}
	put(&nearest, rp_measurePathMean, rp_measurePathMax, rp_measurePathRms, out);
	put(&equal, rp_measureArcMean, rp_measureArcMax, rp_measureArcRms, out);
}
