#include "judge/film.h"

#include "base/memory.h"

// Rates this near a multiple of the film's are taken for it: 119.88 for 120.
#define SAME_RATE 0.01

/// How frames of a motion become frames of a film.
typedef struct Cutting
{
	int sourceCount, filmCount;

	/// Every stride-th frame is taken; 0: places between frames are needed.
	int stride;

	/// Frames of the motion in one of the film.
	double ratio;

	/// [sourceCount], for splines: second derivatives, and the factors of elimination.
	double *bends, *factors;
} Cutting;

static bool planCutting(const rpMotion* motion, Cutting* out, rpError* error)
{
	double ratio = motion->fps / RP_FILM_RATE, whole = round(ratio);
	bool isMultiple = whole >= 1.0 && fabs(ratio - whole) < SAME_RATE * whole;
	double last = motion->frameCount - 1;
	*out = (Cutting){.sourceCount = motion->frameCount, .ratio = isMultiple ? whole : ratio};
	out->stride = isMultiple ? (int)whole : 0;
	double count = floor(last / out->ratio + 1e-6) + 1.0;
	// A film of a motion at one frame per second is no longer than what a motion may be.
	out->filmCount = count < RP_MAX_FRAMES ? (int)count : RP_MAX_FRAMES;
	if (out->stride == 0)
	{
		out->bends = rpAllocate((size_t)out->sourceCount * 2, sizeof(double), error);
		out->factors = out->bends != NULL ? out->bends + out->sourceCount : NULL;
	}
	return out->stride > 0 || out->bends != NULL;
}

static float* getComponent(rpVec3* point, int axis)
{
	return axis == 0 ? &point->x : axis == 1 ? &point->y : &point->z;
}

// Second derivatives of the natural cubic spline through one coordinate, by elimination and back substitution.
static void fitSpline(const Cutting* cutting, rpVec3* source, int axis)
{
	double *bends = cutting->bends, *factors = cutting->factors;
	int last = cutting->sourceCount - 1;
	bends[0] = factors[0] = bends[last] = 0.0;
	for (int i = 1; i < last; ++i)
	{
		double turn = (double)*getComponent(&source[i + 1], axis) - 2.0 * (double)*getComponent(&source[i], axis) +
					  (double)*getComponent(&source[i - 1], axis);
		double pivot = 4.0 - factors[i - 1];
		factors[i] = 1.0 / pivot;
		bends[i] = (6.0 * turn - bends[i - 1]) / pivot;
	}
	for (int i = last - 1; i > 0; --i)
	{
		bends[i] -= factors[i] * bends[i + 1];
	}
}

static float sampleSpline(const Cutting* cutting, rpVec3* source, int axis, double at)
{
	int i = (int)fmin(fmax(floor(at), 0.0), cutting->sourceCount - 2);
	double b = at - i, a = 1.0 - b;
	return (float)(a * (double)*getComponent(&source[i], axis) + b * (double)*getComponent(&source[i + 1], axis) +
				   ((a * a * a - a) * cutting->bends[i] + (b * b * b - b) * cutting->bends[i + 1]) / 6.0);
}

static void cutPoint(const Cutting* cutting, rpVec3* source, rpVec3* out)
{
	for (int f = 0; cutting->stride > 0 && f < cutting->filmCount; ++f)
	{
		out[f] = source[f * cutting->stride];
	}
	for (int axis = 0; cutting->stride == 0 && axis < 3; ++axis)
	{
		if (cutting->sourceCount < 2)
		{
			out[0] = source[0];
			continue;
		}
		fitSpline(cutting, source, axis);
		for (int f = 0; f < cutting->filmCount; ++f)
		{
			*getComponent(&out[f], axis) = sampleSpline(cutting, source, axis, f * cutting->ratio);
		}
	}
}

// Where a point of the film is in the body: a joint, an effector, or nowhere.
static rpAttachment findPoint(const rpSkeleton* skeleton, int point)
{
	rpAttachment nowhere = {.joint = -1};
	switch (point)
	{
	case rp_roleNone:
	case rp_filmCenter:
		return nowhere;
	case rp_roleLeftBall:
		return skeleton->effectors[rp_leftBall];
	case rp_roleRightBall:
		return skeleton->effectors[rp_rightBall];
	case rp_filmHeels:
		return skeleton->effectors[rp_leftHeel];
	case rp_filmHeels + 1:
		return skeleton->effectors[rp_rightHeel];
	case rp_filmToes:
		return skeleton->effectors[rp_leftToe];
	case rp_filmToes + 1:
		return skeleton->effectors[rp_rightToe];
	default:
		return (rpAttachment){.joint = skeleton->roles[point]};
	}
}

static void followPoint(const rpMeasureInput* input, rpAttachment point, rpVec3* out)
{
	for (int f = 0; f < input->frameCount; ++f)
	{
		size_t index = (size_t)f * (size_t)input->jointCount + (size_t)point.joint;
		out[f] = rpAdd(input->places[index], rpRotate(input->turns[index], point.offset));
	}
}

static void shootPoints(rpFilm* film, const rpMeasureInput* input, const Cutting* cutting, rpVec3* path)
{
	for (int i = 0; i < rp_filmPointCount; ++i)
	{
		rpAttachment point = findPoint(input->motion->skeleton, i);
		bool isThere = i == rp_filmCenter ? input->isWeighed : point.joint >= 0;
		if (!isThere)
		{
			continue;
		}
		if (i != rp_filmCenter)
		{
			followPoint(input, point, path);
		}
		film->points[i] = film->memory + (size_t)i * (size_t)film->frameCount;
		cutPoint(cutting, i == rp_filmCenter ? input->centers : path, film->points[i]);
	}
}

bool rpFilm_Shoot(rpFilm* film, const rpMeasureInput* input, rpError* error)
{
	*film = (rpFilm){0};
	Cutting cutting;
	if (!planCutting(input->motion, &cutting, error))
	{
		return false;
	}
	film->frameCount = cutting.filmCount;
	film->memory = rpAllocate((size_t)film->frameCount * rp_filmPointCount, sizeof(rpVec3), error);
	rpVec3* path = rpAllocate((size_t)input->frameCount, sizeof(rpVec3), error);
	bool done = film->memory != NULL && path != NULL;
	if (done)
	{
		shootPoints(film, input, &cutting, path);
	}
	rpFree(path);
	rpFree(cutting.bends);
	return done;
}

void rpFilm_Free(rpFilm* film)
{
	rpFree(film->memory);
	*film = (rpFilm){0};
}

rpFilmLeg rpFilm_GetLeg(const rpFilm* film, int side)
{
	// Roles of the right side come after those of the left, in the same order.
	int shift = side == 0 ? 0 : rp_roleRightHip - rp_roleLeftHip;
	return (rpFilmLeg){
		.hip = film->points[rp_roleLeftHip + shift],
		.knee = film->points[rp_roleLeftKnee + shift],
		.ankle = film->points[rp_roleLeftAnkle + shift],
		.ball = film->points[rp_roleLeftBall + shift],
		.heel = film->points[rp_filmHeels + side],
		.toe = film->points[rp_filmToes + side],
	};
}

bool rpFilm_HasLegs(const rpFilm* film)
{
	bool has = film->points[rp_rolePelvis] != NULL;
	for (int side = 0; side < 2; ++side)
	{
		rpFilmLeg leg = rpFilm_GetLeg(film, side);
		has &= leg.hip != NULL && leg.knee != NULL && leg.ankle != NULL && leg.ball != NULL && leg.toe != NULL;
	}
	return has;
}

bool rpFilm_Counts(rpRole role)
{
	return role != rp_roleNone && role != rp_roleLeftClavicle && role != rp_roleRightClavicle;
}
