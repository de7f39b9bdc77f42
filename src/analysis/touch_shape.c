/// A limb comes to rest without a jump in its acceleration, by a cubic in the time that is left, and earlier at an even
/// speed: s³ / (s² + a²) has that shape, whether a heel strikes (a is small) or a dancer puts down a toe.
///
/// A foot that rolls from heel to ball, or from ball to heel, starts to do so from rest when the first of them touches:
/// the minimum-jerk path (T. Flash & N. Hogan, "The coordination of arm movements", Journal of Neuroscience 5, 1985).
#include "analysis/touch_shape.h"

// No roll is shorter than this, seconds.
#define MIN_ROLL 0.02
// A shape that is less than this beside the others, as a part of its square, is no matter.
#define MIN_OWN 1e-9

enum
{
	maxBases = 3,
};

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
	double s = fmin(fmax(time / fmax(length, MIN_ROLL), 0.0), 1.0);
	return s * s * s * (10.0 + s * (6.0 * s - 15.0));
}

static int fillBases(const rpTouchFit* fit, rpTouchGroup group, double time, const rpTouches* at, double* out)
{
	int count = 0;
	out[count++] = 1.0;
	if (fit->hasStart)
	{
		double left = at->start - time;
		out[count++] = fit->minJerk && group == rp_touchUp ? getRoll(left, at->start - fit->rollStart)
														   : getArrival(left, fit->startSoftness[group]);
	}
	if (fit->hasEnd)
	{
		out[count++] = getArrival(time - at->end, fit->endSoftness[group]);
	}
	return count;
}

// One or two coordinates.
static int getPlace(const rpTouchFit* fit, rpTouchGroup group, int frame, double out[2])
{
	rpVec3 p = rpSub(fit->places[frame], fit->origin);
	out[0] = group == rp_touchUp ? (double)p.y : (double)p.x;
	out[1] = group == rp_touchUp ? 0.0 : (double)p.z;
	return group == rp_touchUp ? 1 : 2;
}

static Normals makeNormals(const rpTouchFit* fit, rpTouchGroup group, const rpTouches* at)
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

// The first half of Cholesky's method; a basis that no frame feels is left out. Returns how much the fit explains.
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
		double root = own > MIN_OWN * n->a[i][i] + 1e-18 ? sqrt(own) : INFINITY;
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

double rpTouchFit_Judge(const rpTouchFit* fit, rpTouchGroup group, const rpTouches* at)
{
	Normals normals = makeNormals(fit, group, at);
	return reduce(&normals);
}

/// Sums over the frames of a basis for many times of one end: of itself, its square, and its products with the
/// coordinates.
typedef struct Sums
{
	double own[rp_touchTimeCount], square[rp_touchTimeCount];
	double up[rp_touchTimeCount], x[rp_touchTimeCount], z[rp_touchTimeCount];
} Sums;

rpTouchOthers rpTouchFit_LookAtOthers(const rpTouchFit* fit, rpTouchGroup group, const rpTouches* at, bool isStart)
{
	rpTouchOthers others = {.count = fit->last - fit->first + 1};
	bool has = isStart ? fit->hasEnd : fit->hasStart;
	rpTouchFit rest = *fit;
	rest.hasStart = fit->hasStart && !isStart;
	rest.hasEnd = fit->hasEnd && isStart;
	Normals n = makeNormals(&rest, group, at);
	others.mean = has ? n.a[1][0] / others.count : 0.0;
	double own = has ? n.a[1][1] - n.a[1][0] * others.mean : 0.0;
	others.length = has && own > MIN_OWN * n.a[1][1] + 1e-18 ? sqrt(own) : 0.0;
	for (int c = 0; c < 2; ++c)
	{
		others.place[c] = n.b[c][0] / others.count;
		others.common[c] = others.length > 0.0 ? (n.b[c][1] - others.mean * n.b[c][0]) / others.length : 0.0;
		others.explained += n.b[c][0] * others.place[c] + others.common[c] * others.common[c];
	}
	return others;
}

// The shape of an end at one moment, for all times of it; only those where it is not at rest are asked for.
static void fillShapes(const rpTouchFit* fit, bool isStart, double moment, const double* times, int count, double* out)
{
	double softness = isStart ? fit->startSoftness[rp_touchUp] : fit->endSoftness[rp_touchUp];
	double square = softness * softness, sign = isStart ? 1.0 : -1.0;
	if (isStart && fit->minJerk)
	{
		for (int k = 0; k < count; ++k)
		{
			out[k] = getRoll(times[k] - moment, times[k] - fit->rollStart);
		}
		return;
	}
	for (int k = 0; k < count; ++k)
	{
		double s = sign * (times[k] - moment), s2 = s * s;
		out[k] = s * s2 / (s2 + square);
	}
}

// Times are the inner loop: they lie side by side. Where the point rests the shape is 0, and adds nothing.
static void addSums(const rpTouchFit* fit, bool isStart, const rpTouchTimes* times, Sums* sums)
{
	int from = times->from, to = isStart ? times->to : times->from;
	double shapes[rp_touchTimeCount] = {0};
	for (int i = fit->first; i <= fit->last; ++i)
	{
		double moment = i / fit->fps;
		while (isStart && from < to && times->times[from] <= moment)
		{
			++from;
		}
		while (!isStart && to < times->to && times->times[to] < moment)
		{
			++to;
		}
		fillShapes(fit, isStart, moment, times->times + from, to - from, shapes);
		rpVec3 p = rpSub(fit->places[i], fit->origin);
		double x = (double)p.x, y = (double)p.y, z = (double)p.z;
		for (int k = from; k < to; ++k)
		{
			double shape = shapes[k - from];
			sums->own[k] += shape;
			sums->square[k] += shape * shape;
			sums->up[k] += shape * y;
			sums->x[k] += shape * x;
			sums->z[k] += shape * z;
		}
	}
}

// What the shape of a time explains beside the others. The shapes of both ends have no frame in common.
static double explain(const rpTouchOthers* others, double own, double square, double product0, double product1)
{
	double across = others->length > 0.0 ? -own * others->mean / others->length : 0.0;
	double left = square - own * own / others->count - across * across;
	if (!(left > MIN_OWN * square + 1e-18))
	{
		return others->explained;
	}
	double b0 = product0 - own * others->place[0] - across * others->common[0];
	double b1 = product1 - own * others->place[1] - across * others->common[1];
	return others->explained + (b0 * b0 + b1 * b1) / left;
}

void rpTouchFit_JudgeTimes(const rpTouchFit* fit, const rpTouchOthers* others, bool isStart, const rpTouchTimes* times,
						   double* up, double* along)
{
	Sums sums = {0};
	addSums(fit, isStart, times, &sums);
	for (int k = times->from; k < times->to; ++k)
	{
		up[k] = explain(others + rp_touchUp, sums.own[k], sums.square[k], sums.up[k], 0.0);
		along[k] = explain(others + rp_touchAlong, sums.own[k], sums.square[k], sums.x[k], sums.z[k]);
	}
}

double rpTouchFit_Miss(const rpTouchFit* fit, rpTouchGroup group, const rpTouches* at, int* count)
{
	Normals normals = makeNormals(fit, group, at);
	reduce(&normals);
	substitute(&normals);
	double sum = 0.0, bases[maxBases] = {0}, place[2] = {0};
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
