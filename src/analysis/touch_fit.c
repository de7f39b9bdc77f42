/// Times the beginning and the end of a contact to a part of a frame, below the noise of single frames.
///
/// A limb comes to rest without a jump in its acceleration, by a cubic in the time that is left, and earlier at an even
/// speed: s³ / (s² + a²) has that shape, whether a heel strikes (a is small) or a dancer puts down a toe. Where the
/// point rests, from where it came, a, and the time of touching are fitted to the frames by least squares, over grids
/// of the last two. How far out the shape holds is told by the noise: the window grows while the fit misses no more
/// than that. Leaving is the same backwards. A contact so short that its ends share frames has both fitted at once.
///
/// A foot that rolls from heel to ball, or from ball to heel, starts to do so from rest when the first of them touches:
/// the way of least jerk (T. Flash & N. Hogan, "The coordination of arm movements", Journal of Neuroscience 5, 1985).
#include "analysis/touch_fit.h"

// How far the fit looks into the contact, and beyond its edge at most, seconds.
#define INSIDE 0.3
#define OUTSIDE 0.4
// And how many frames at least.
#define FEWEST 4
// A movement has passed its peak when it is slower than this part of it.
#define PAST_PEAK 0.5f
// Contacts shorter than this are fitted as a whole, seconds.
#define SHORT 0.2
// The grid of times around an end, seconds, and steps to both sides.
#define TIME_STEP 0.004
#define TIME_STEPS 30
#define MOST_ROUNDS 3
// Hard arrivals are likelier than soft ones, by this power of their softness.
#define SOFT_COST 0.5
// No roll is shorter than this, seconds.
#define LEAST_ROLL 0.02
// A foot rolls from heel to ball, or from ball to heel, within this time, seconds.
#define ROLL 0.35
// What a fit may miss besides the noise, metres.
#define SHAPE_ERROR 0.0007

// How far the point is from its rest where the window ends, metres; and how soft its arrival, seconds.
static const float s_windows[] = {0.012f, 0.02f, 0.03f, 0.045f, 0.07f, 0.1f};
static const double s_softnesses[] = {0.01, 0.02, 0.04, 0.08, 0.16, 0.32};
enum
{
	windowCount = sizeof(s_windows) / sizeof(s_windows[0]),
	softnessCount = sizeof(s_softnesses) / sizeof(s_softnesses[0]),
	maxBases = 3,
};

/// Coordinates that are fitted apart, but with the same times: a heel may hover over its place before it strikes.
typedef enum Group
{
	groupUp,
	groupAlong,
	groupCount,
} Group;

/// Frames first … last, and what is known about both ends.
typedef struct TouchFit
{
	const rpVec3* places;
	rpVec3 origin;
	double fps;
	int first, last;
	bool hasStart, hasEnd;

	/// How long before the touch the point slows down, and how long after leaving it gathers speed, seconds: up and
	/// down, and along the floor.
	double startSoftness[groupCount], endSoftness[groupCount];

	/// Whether the foot rolls, since when, seconds, and whether the heights then follow the way of least jerk. Along
	/// the floor nothing is asked of a foot that rolls: where it was before is no matter.
	bool rolls;
	double rollStart;
	bool leastJerk;
} TouchFit;

/// When the contact begins and ends, seconds.
typedef struct Touches
{
	double start, end;
} Touches;

/// Normal equations of a group; after solving, the weights of the bases by coordinate.
typedef struct Normals
{
	double a[maxBases][maxBases];
	double b[2][maxBases];
	int count;
} Normals;

// How far a point still is from its rest, a time before it touches.
static double getArrival(double time, double softness)
{
	double s = fmax(time, 0.0);
	return s * s * s / (s * s + softness * softness);
}

// The same for a foot that began to roll `length` before it touches.
static double getRoll(double time, double length)
{
	double s = fmin(fmax(time / fmax(length, LEAST_ROLL), 0.0), 1.0);
	return s * s * s * (10.0 + s * (6.0 * s - 15.0));
}

static int fillBases(const TouchFit* fit, Group group, double time, const Touches* at, double* out)
{
	int count = 0;
	out[count++] = 1.0;
	if (fit->hasStart)
	{
		double left = at->start - time;
		out[count++] = fit->leastJerk && group == groupUp ? getRoll(left, at->start - fit->rollStart)
														  : getArrival(left, fit->startSoftness[group]);
	}
	if (fit->hasEnd)
	{
		out[count++] = getArrival(time - at->end, fit->endSoftness[group]);
	}
	return count;
}

// One or two coordinates.
static int getPlace(const TouchFit* fit, Group group, int frame, double out[2])
{
	rpVec3 p = rpSub(fit->places[frame], fit->origin);
	out[0] = group == groupUp ? (double)p.y : (double)p.x;
	out[1] = group == groupUp ? 0.0 : (double)p.z;
	return group == groupUp ? 1 : 2;
}

static Normals makeNormals(const TouchFit* fit, Group group, const Touches* at)
{
	Normals normals = {0};
	double bases[maxBases], place[2];
	for (int i = fit->first; i <= fit->last; ++i)
	{
		normals.count = fillBases(fit, group, i / fit->fps, at, bases);
		getPlace(fit, group, i, place);
		for (int j = 0; j < normals.count; ++j)
		{
			for (int k = 0; k <= j; ++k)
			{
				normals.a[j][k] += bases[j] * bases[k];
			}
			normals.b[0][j] += place[0] * bases[j];
			normals.b[1][j] += place[1] * bases[j];
		}
	}
	return normals;
}

// The first half of Cholesky's way; a basis that no frame feels is left out. Returns how much the fit explains.
static double reduce(Normals* n)
{
	double explained = 0.0;
	for (int i = 0; i < n->count; ++i)
	{
		double own = n->a[i][i];
		for (int k = 0; k < i; ++k)
		{
			own -= n->a[i][k] * n->a[i][k];
		}
		double root = own > 1e-9 * n->a[i][i] + 1e-18 ? sqrt(own) : INFINITY;
		n->a[i][i] = root;
		for (int j = i + 1; j < n->count; ++j)
		{
			for (int k = 0; k < i; ++k)
			{
				n->a[j][i] -= n->a[j][k] * n->a[i][k];
			}
			n->a[j][i] /= root;
		}
		for (int c = 0; c < 2; ++c)
		{
			for (int k = 0; k < i; ++k)
			{
				n->b[c][i] -= n->a[i][k] * n->b[c][k];
			}
			n->b[c][i] /= root;
			explained += n->b[c][i] * n->b[c][i];
		}
	}
	return explained;
}

// The second half: weights in place of the right sides.
static void substitute(Normals* n)
{
	for (int c = 0; c < 2; ++c)
	{
		for (int i = n->count - 1; i >= 0; --i)
		{
			for (int k = i + 1; k < n->count; ++k)
			{
				n->b[c][i] -= n->a[k][i] * n->b[c][k];
			}
			n->b[c][i] /= n->a[i][i];
		}
	}
}

static double judge(const TouchFit* fit, Group group, const Touches* at)
{
	Normals normals = makeNormals(fit, group, at);
	return reduce(&normals);
}

// The squares that a fit leaves of the frames outside the contact; *count grows by the numbers looked at.
static double measureMiss(const TouchFit* fit, Group group, const Touches* at, int* count)
{
	Normals normals = makeNormals(fit, group, at);
	reduce(&normals);
	substitute(&normals);
	double sum = 0.0, bases[maxBases], place[2];
	for (int i = fit->first; i <= fit->last; ++i)
	{
		double time = i / fit->fps;
		if (time >= at->start && time <= at->end)
		{
			continue;
		}
		fillBases(fit, group, time, at, bases);
		*count += getPlace(fit, group, i, place);
		for (int c = 0; c < 2; ++c)
		{
			for (int k = 0; k < normals.count; ++k)
			{
				place[c] -= normals.b[c][k] * bases[k];
			}
			sum += place[c] * place[c];
		}
	}
	return sum;
}

// Whether a fit misses the frames by no more than the noise lets it.
static bool isTrue(const TouchFit* fit, const Touches* at, double noise)
{
	int count = 0;
	double sum = measureMiss(fit, groupUp, at, &count), expected = noise * noise + SHAPE_ERROR * SHAPE_ERROR;
	sum += fit->rolls ? 0.0 : measureMiss(fit, groupAlong, at, &count);
	return sum <= expected * (count + 2.0 * sqrt(2.0 * count));
}

/// What is believed of the times around an end: logarithms of likelihoods.
typedef struct Belief
{
	double times[2 * TIME_STEPS + 1];
	double up[2 * TIME_STEPS + 1];
	double along[2 * TIME_STEPS + 1];

	/// The likeliest softness of each group.
	double softness[groupCount], best[groupCount];
	bool leastJerk;

	/// Twice the variance of the noise.
	double scale;
} Belief;

// log(exp(a) + exp(b))
static double addLogs(double a, double b)
{
	double high = fmax(a, b), low = fmin(a, b);
	return high == -INFINITY ? high : high + log1p(exp(low - high));
}

// Add a shape of one group to what is believed.
static void addShape(Belief* belief, const TouchFit* fit, Group group, const Touches* at, bool isStart, double softness)
{
	double low = isStart ? fit->first / fit->fps : at->start, high = isStart ? at->end : fit->last / fit->fps;
	double prior = -SOFT_COST * log(softness / s_softnesses[0]);
	double* logs = group == groupUp ? belief->up : belief->along;
	for (int i = 0; i <= 2 * TIME_STEPS; ++i)
	{
		Touches next = *at;
		*(isStart ? &next.start : &next.end) = belief->times[i];
		if (belief->times[i] < low || belief->times[i] > high)
		{
			continue;
		}
		double value = judge(fit, group, &next) / belief->scale + prior;
		logs[i] = addLogs(logs[i], value);
		if (value > belief->best[group])
		{
			belief->best[group] = value;
			belief->softness[group] = softness;
			belief->leastJerk = group == groupUp ? fit->leastJerk : belief->leastJerk;
		}
	}
}

static Belief startBelief(double time, double noise)
{
	Belief belief = {.best = {-INFINITY, -INFINITY}, .softness = {0.04, 0.04}};
	belief.scale = 2.0 * (noise * noise + SHAPE_ERROR * SHAPE_ERROR);
	for (int i = 0; i <= 2 * TIME_STEPS; ++i)
	{
		belief.times[i] = time + (i - TIME_STEPS) * TIME_STEP;
		belief.up[i] = belief.along[i] = -INFINITY;
	}
	return belief;
}

static double getMeanTime(const Belief* belief, bool upOnly, double otherwise)
{
	double best = -INFINITY, weight = 0.0, time = 0.0;
	for (int i = 0; i <= 2 * TIME_STEPS; ++i)
	{
		best = fmax(best, belief->up[i] + (upOnly ? 0.0 : belief->along[i]));
	}
	for (int i = 0; i <= 2 * TIME_STEPS && best > -INFINITY; ++i)
	{
		double w = exp(belief->up[i] + (upOnly ? 0.0 : belief->along[i]) - best);
		weight += w;
		time += w * belief->times[i];
	}
	return weight > 0.0 ? time / weight : otherwise;
}

// When an end is, with all softnesses in mind.
static void searchEnd(TouchFit* fit, Touches* at, bool isStart, double noise)
{
	double* softness = isStart ? fit->startSoftness : fit->endSoftness;
	double* time = isStart ? &at->start : &at->end;
	Belief belief = startBelief(*time, noise);
	if (isStart && fit->rolls)
	{
		fit->leastJerk = true;
		addShape(&belief, fit, groupUp, at, true, s_softnesses[0]);
		fit->leastJerk = false;
	}
	for (int i = 0; i < softnessCount; ++i)
	{
		softness[groupUp] = softness[groupAlong] = s_softnesses[i];
		addShape(&belief, fit, groupUp, at, isStart, s_softnesses[i]);
		if (!fit->rolls)
		{
			addShape(&belief, fit, groupAlong, at, isStart, s_softnesses[i]);
		}
	}
	softness[groupUp] = belief.softness[groupUp];
	softness[groupAlong] = belief.softness[groupAlong];
	fit->leastJerk = isStart ? belief.leastJerk : fit->leastJerk;
	*time = getMeanTime(&belief, fit->rolls, *time);
}

static Touches search(TouchFit* fit, Touches at, double noise)
{
	for (int group = 0; group < groupCount; ++group)
	{
		fit->startSoftness[group] = fit->endSoftness[group] = 0.04;
	}
	// Both ends depend on each other; and one that moves far may have farther to go.
	bool again = true;
	for (int round = 0; round < MOST_ROUNDS && again; ++round)
	{
		Touches before = at;
		if (fit->hasStart)
		{
			searchEnd(fit, &at, true, noise);
		}
		if (fit->hasEnd)
		{
			searchEnd(fit, &at, false, noise);
		}
		double moved = fmax(fabs(at.start - before.start), fabs(at.end - before.end));
		again = moved > 0.5 * TIME_STEPS * TIME_STEP || (round == 0 && fit->hasStart && fit->hasEnd);
	}
	return at;
}

// Outwards from an edge while the point gathers speed, and not too far, but for some frames at least.
static int findOuter(const rpFeet* feet, int point, int edge, int way, rpVec3 origin, float away)
{
	const rpFootTrack* track = feet->tracks + point;
	int most = (int)ceil(OUTSIDE * feet->fps), outer = edge, peak = edge;
	for (int n = 0, i = edge; n < most && i >= 0 && i < feet->frameCount; ++n, i += way)
	{
		peak = track->speeds[i] > track->speeds[peak] ? i : peak;
		bool passed = track->speeds[i] < PAST_PEAK * track->speeds[peak] && track->speeds[peak] > 0.2f;
		if (passed || (n > FEWEST && rpDistance(track->smooth[i], origin) > away))
		{
			break;
		}
		outer = i;
	}
	return (outer - peak) * way > 0 ? peak : outer;
}

static rpVec3 getMean(const rpVec3* places, int first, int last)
{
	rpVec3 sum = rpVec3_zero;
	for (int i = first; i <= last; ++i)
	{
		sum = rpAdd(sum, rpSub(places[i], places[first]));
	}
	return rpMulAdd(places[first], 1.0f / (float)(last - first + 1), sum);
}

static TouchFit makeFit(const rpFeet* feet, const rpRestStretch* rest, bool hasStart, bool hasEnd, float away)
{
	const rpVec3* places = feet->tracks[rest->point].places;
	TouchFit fit = {.places = places, .fps = feet->fps, .hasStart = hasStart, .hasEnd = hasEnd};
	int inside = (int)ceil(INSIDE * feet->fps);
	fit.last = rest->coreFirst + inside < rest->coreLast ? rest->coreFirst + inside : rest->coreLast;
	fit.first = rest->coreLast - inside > rest->coreFirst ? rest->coreLast - inside : rest->coreFirst;
	rpVec3 early = getMean(places, rest->coreFirst, fit.last), late = getMean(places, fit.first, rest->coreLast);
	fit.origin = hasStart ? early : late;
	if (hasStart)
	{
		fit.first = findOuter(feet, rest->point, rest->coreFirst, -1, early, away);
	}
	if (hasEnd)
	{
		fit.last = findOuter(feet, rest->point, rest->coreLast, 1, late, away);
	}
	if (hasStart && rest->rolls)
	{
		int start = (int)ceil(rest->rollStart * feet->fps);
		fit.first = fit.first > start ? fit.first : start;
		fit.rollStart = rest->rollStart;
		fit.rolls = true;
	}
	return fit;
}

// Fit with ever larger windows while they can be explained.
static void fitEdges(const rpFeet* feet, const rpRestStretch* rest, bool hasStart, bool hasEnd, Touches* at)
{
	TouchFit last = {0};
	double noise = hypot((double)feet->noise, (double)rest->wobble);
	for (int i = 0; i < windowCount; ++i)
	{
		TouchFit fit = makeFit(feet, rest, hasStart, hasEnd, s_windows[i]);
		if (i > 0 && fit.first == last.first && fit.last == last.last)
		{
			continue;
		}
		last = fit;
		Touches next = search(&fit, *at, noise);
		if (i > 0 && !isTrue(&fit, &next, noise))
		{
			break;
		}
		*at = next;
	}
}

static void fitTouches(const rpFeet* feet, rpRestStretch* rest)
{
	bool hasStart = rest->first > 0, hasEnd = rest->last < feet->frameCount - 1;
	Touches at = {rest->coreFirst / feet->fps, rest->coreLast / feet->fps};
	if (hasStart && hasEnd && at.end - at.start < SHORT)
	{
		fitEdges(feet, rest, true, true, &at);
	}
	else
	{
		if (hasStart)
		{
			fitEdges(feet, rest, true, false, &at);
		}
		if (hasEnd)
		{
			fitEdges(feet, rest, false, true, &at);
		}
	}
	rest->start = hasStart ? at.start : 0.0;
	rest->end = hasEnd ? at.end : (feet->frameCount - 1) / feet->fps;
}

// The other point of the foot that touched first, and about which the foot rolls when this one comes down; NULL if
// there is none.
static const rpRestStretch* findPivot(const rpRestStretches* rests, const rpRestStretch* rest, double fps)
{
	for (int i = 0; i < rests->count; ++i)
	{
		const rpRestStretch* other = rests->items + i;
		if (other->point == rpGetFootPartner(rest->point) && other->start < rest->start &&
			rest->start - other->start < ROLL && other->end > rest->first / fps)
		{
			return other;
		}
	}
	return NULL;
}

void rpFitAllTouches(const rpFeet* feet, rpRestStretches* rests)
{
	for (int i = 0; i < rests->count; ++i)
	{
		fitTouches(feet, rests->items + i);
	}
	for (int i = 0; i < rests->count; ++i)
	{
		rpRestStretch* rest = rests->items + i;
		const rpRestStretch* pivot = rest->first > 0 ? findPivot(rests, rest, feet->fps) : NULL;
		if (pivot != NULL && pivot->first > 0)
		{
			rest->rolls = true;
			rest->rollStart = pivot->start;
			fitTouches(feet, rest);
		}
	}
}
