/// Times the beginning and the end of a contact to a part of a frame, below the noise of single frames.
///
/// A shape (touch_shape.c) is fitted to the frames by least squares: where the point rests, from where it came, how
/// soft its arrival is and when it touches, over grids of the last two. How far out the shape holds is decided by the
/// noise: the window grows while the fit misses no more than that. Leaving is the same backwards. A contact so short
/// that its ends share frames has both fitted at once.
#include "analysis/touch_fit.h"

#include "analysis/touch_shape.h"

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
enum
{
	timeSteps = (rp_touchTimeCount - 1) / 2
};
#define MAX_ROUNDS 3
// Logarithms of likelihoods this far below the best are no matter.
#define NEGLIGIBLE 40.0
// Hard arrivals are likelier than soft ones, by this power of their softness.
#define SOFT_COST 0.5
// A foot rolls from heel to ball, or from ball to heel, within this time, seconds.
#define ROLL 0.35
// In the first frames a contact begins by this after the point is slow at the latest, seconds, if it begins there.
#define LATEST_FIRST 0.02
// What a fit may miss besides the noise, metres.
#define SHAPE_ERROR 0.0007

// How far the point is from its rest where the window ends, metres; and how soft its arrival, seconds.
static const float s_windows[] = {0.012f, 0.02f, 0.03f, 0.045f, 0.07f, 0.1f};
static const double s_softnesses[] = {0.01, 0.02, 0.04, 0.08, 0.16, 0.32};
enum
{
	windowCount = sizeof(s_windows) / sizeof(s_windows[0]),
	softnessCount = sizeof(s_softnesses) / sizeof(s_softnesses[0]),
};

// Whether a fit misses the frames by no more than the noise lets it.
static bool isTrue(const rpTouchFit* fit, const rpTouches* at, double noise)
{
	int count = 0;
	double sum = rpTouchFit_Miss(fit, rp_touchUp, at, &count), expected = noise * noise + SHAPE_ERROR * SHAPE_ERROR;
	sum += fit->rolls ? 0.0 : rpTouchFit_Miss(fit, rp_touchAlong, at, &count);
	return sum <= expected * (count + 2.0 * sqrt(2.0 * count));
}

/// What is believed of the times around an end.
typedef struct Belief
{
	rpTouchTimes times;

	/// By group and time: the logarithm of the likeliest shape's likelihood, and the sum of those of all shapes
	/// divided by that.
	double highest[rp_touchGroupCount][rp_touchTimeCount];
	double sums[rp_touchGroupCount][rp_touchTimeCount];

	/// What is known without this end.
	rpTouchOthers others[rp_touchGroupCount];

	/// The likeliest softness of each group.
	double softness[rp_touchGroupCount], best[rp_touchGroupCount];
	bool minJerk;

	/// Twice the variance of the noise.
	double scale;
} Belief;

static double getLikelihood(double logarithm)
{
	return logarithm > -NEGLIGIBLE ? exp(logarithm) : 0.0;
}

// Add what a shape explains of one group at all times.
static void addGroup(Belief* belief, rpTouchGroup group, const double* explained, double softness, bool minJerk)
{
	double prior = -SOFT_COST * log(softness / s_softnesses[0]);
	double *highest = belief->highest[group], *sums = belief->sums[group];
	for (int i = belief->times.from; i < belief->times.to; ++i)
	{
		double value = explained[i] / belief->scale + prior;
		bool higher = value > highest[i];
		double other = getLikelihood(higher ? highest[i] - value : value - highest[i]);
		sums[i] = higher ? sums[i] * other + 1.0 : sums[i] + other;
		highest[i] = higher ? value : highest[i];
		if (value > belief->best[group])
		{
			belief->best[group] = value;
			belief->softness[group] = softness;
			belief->minJerk = group == rp_touchUp ? minJerk : belief->minJerk;
		}
	}
}

// Add a shape to what is believed.
static void addShape(Belief* belief, const rpTouchFit* fit, bool isStart, double softness)
{
	double up[rp_touchTimeCount], along[rp_touchTimeCount];
	rpTouchFit_JudgeTimes(fit, belief->others, isStart, &belief->times, up, along);
	addGroup(belief, rp_touchUp, up, softness, fit->minJerk);
	if (!fit->rolls)
	{
		addGroup(belief, rp_touchAlong, along, softness, false);
	}
}

static Belief startBelief(const rpTouchFit* fit, const rpTouches* at, bool isStart, double noise)
{
	Belief belief = {.best = {-INFINITY, -INFINITY}, .softness = {0.04, 0.04}};
	belief.others[rp_touchUp] = rpTouchFit_LookAtOthers(fit, rp_touchUp, at, isStart);
	belief.others[rp_touchAlong] = rpTouchFit_LookAtOthers(fit, rp_touchAlong, at, isStart);
	rpTouchTimes* times = &belief.times;
	double low = isStart ? fit->first / fit->fps : at->start, high = isStart ? at->end : fit->last / fit->fps;
	belief.scale = 2.0 * (noise * noise + SHAPE_ERROR * SHAPE_ERROR);
	for (int i = 0; i < rp_touchTimeCount; ++i)
	{
		double time = (isStart ? at->start : at->end) + (i - timeSteps) * TIME_STEP;
		times->times[i] = time;
		times->from += time < low;
		times->to += time <= high;
		belief.highest[rp_touchUp][i] = belief.highest[rp_touchAlong][i] = -INFINITY;
	}
	return belief;
}

static double getHighest(const Belief* belief, bool upOnly, int i)
{
	return belief->highest[rp_touchUp][i] + (upOnly ? 0.0 : belief->highest[rp_touchAlong][i]);
}

static double getMeanTime(const Belief* belief, bool upOnly, double otherwise)
{
	double best = -INFINITY, weight = 0.0, time = 0.0;
	for (int i = belief->times.from; i < belief->times.to; ++i)
	{
		best = fmax(best, getHighest(belief, upOnly, i));
	}
	for (int i = belief->times.from; i < belief->times.to && best > -INFINITY; ++i)
	{
		double sums = belief->sums[rp_touchUp][i] * (upOnly ? 1.0 : belief->sums[rp_touchAlong][i]);
		double w = sums * getLikelihood(getHighest(belief, upOnly, i) - best);
		weight += w;
		time += w * belief->times.times[i];
	}
	return weight > 0.0 ? time / weight : otherwise;
}

// When an end is, with all softnesses in mind.
static void searchEnd(rpTouchFit* fit, rpTouches* at, bool isStart, double noise)
{
	double* softness = isStart ? fit->startSoftness : fit->endSoftness;
	double* time = isStart ? &at->start : &at->end;
	Belief belief = startBelief(fit, at, isStart, noise);
	if (isStart && fit->rolls)
	{
		fit->minJerk = true;
		addShape(&belief, fit, true, s_softnesses[0]);
		fit->minJerk = false;
	}
	for (int i = 0; i < softnessCount; ++i)
	{
		softness[rp_touchUp] = softness[rp_touchAlong] = s_softnesses[i];
		addShape(&belief, fit, isStart, s_softnesses[i]);
	}
	softness[rp_touchUp] = belief.softness[rp_touchUp];
	softness[rp_touchAlong] = belief.softness[rp_touchAlong];
	fit->minJerk = isStart ? belief.minJerk : fit->minJerk;
	*time = getMeanTime(&belief, fit->rolls, *time);
}

static rpTouches search(rpTouchFit* fit, rpTouches at, double noise)
{
	for (int group = 0; group < rp_touchGroupCount; ++group)
	{
		fit->startSoftness[group] = fit->endSoftness[group] = 0.04;
	}
	// Both ends depend on each other; and one that moves far may have farther to go.
	bool again = true;
	for (int round = 0; round < MAX_ROUNDS && again; ++round)
	{
		rpTouches before = at;
		if (fit->hasStart)
		{
			searchEnd(fit, &at, true, noise);
		}
		if (fit->hasEnd)
		{
			searchEnd(fit, &at, false, noise);
		}
		double moved = fmax(fabs(at.start - before.start), fabs(at.end - before.end));
		again = moved > 0.5 * timeSteps * TIME_STEP || (round == 0 && fit->hasStart && fit->hasEnd);
	}
	return at;
}

// Outwards from an edge while the point gathers speed, and not too far, but for some frames at least.
static int findOuter(const rpFeet* feet, int point, int edge, int direction, rpVec3 origin, float away)
{
	const rpFootTrack* track = feet->tracks + point;
	int max = (int)ceil(OUTSIDE * feet->fps), outer = edge, peak = edge;
	for (int n = 0, i = edge; n < max && i >= 0 && i < feet->frameCount; ++n, i += direction)
	{
		peak = track->speeds[i] > track->speeds[peak] ? i : peak;
		bool passed = track->speeds[i] < PAST_PEAK * track->speeds[peak] && track->speeds[peak] > 0.2f;
		if (passed || (n > FEWEST && rpDistance(track->smooth[i], origin) > away))
		{
			break;
		}
		outer = i;
	}
	return (outer - peak) * direction > 0 ? peak : outer;
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

static rpTouchFit makeFit(const rpFeet* feet, const rpRestStretch* rest, bool hasStart, bool hasEnd, float away)
{
	const rpVec3* places = feet->tracks[rest->point].places;
	rpTouchFit fit = {.places = places, .fps = feet->fps, .hasStart = hasStart, .hasEnd = hasEnd};
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
static void fitEdges(const rpFeet* feet, const rpRestStretch* rest, bool hasStart, bool hasEnd, rpTouches* at)
{
	rpTouchFit last = {0};
	double noise = hypot((double)feet->noise, (double)rest->wobble);
	for (int i = 0; i < windowCount; ++i)
	{
		rpTouchFit fit = makeFit(feet, rest, hasStart, hasEnd, s_windows[i]);
		if (i > 0 && fit.first == last.first && fit.last == last.last)
		{
			continue;
		}
		last = fit;
		rpTouches next = search(&fit, *at, noise);
		if (i > 0 && !isTrue(&fit, &next, noise))
		{
			break;
		}
		*at = next;
	}
}

static void fitTouches(const rpFeet* feet, rpRestStretch* rest)
{
	bool hasStart = rest->coreFirst > 0, hasEnd = rest->last < feet->frameCount - 1;
	rpTouches at = {rest->coreFirst / feet->fps, rest->coreLast / feet->fps};
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
	// At the motion's beginning a foot that was down already may move a little.
	bool isLate = rest->first == 0 && at.start > rest->coreFirst / feet->fps + LATEST_FIRST;
	rest->start = hasStart && !isLate ? at.start : 0.0;
	rest->end = hasEnd ? at.end : (feet->frameCount - 1) / feet->fps;
}

// The other of heel and ball that touched first in the stance, and about which the foot rolls when this one comes down;
// NULL if there is none.
static const rpRestStretch* findPivot(const rpRestStretches* rests, int index, double fps)
{
	const rpRestStretch *rest = rests->items + index, *other = rest;
	while (other > rests->items && other[-1].stance == rest->stance)
	{
		--other;
	}
	for (; other < rests->items + rests->count && other->stance == rest->stance; ++other)
	{
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
		bool mayRoll = rest->first > 0 && rest->point < rp_footPointCount;
		const rpRestStretch* pivot = mayRoll ? findPivot(rests, i, feet->fps) : NULL;
		if (pivot != NULL && pivot->first > 0)
		{
			rest->rolls = true;
			rest->rollStart = pivot->start;
			fitTouches(feet, rest);
		}
	}
}
