#include "math/ground_path.h"

static float mixPlace(float a, float slopeA, float b, float slopeB, const float* factors)
{
	return factors[0] * a + factors[1] * slopeA + factors[2] * b + factors[3] * slopeB;
}

rpGroundTransform rpGroundPath_Get(const rpGroundPath* path, double seconds)
{
	if (path->stepCount == 0)
	{
		return rpGroundTransform_identity;
	}
	float step = path->step, place = fmaxf((float)seconds / step, 0.0f);
	int n = place < (float)path->stepCount ? (int)place : path->stepCount - 1;
	float t = fminf(place - (float)n, 1.0f), rest = 1.0f - t;
	float factors[4] = {rest * rest * (1.0f + 2.0f * t), rest * rest * t * step, t * t * (3.0f - 2.0f * t),
						-t * t * rest * step};
	const rpGroundRate *a = &path->places[n], *b = &path->places[n + 1], *u = &path->rates[n], *v = &path->rates[n + 1];
	return (rpGroundTransform){
		mixPlace(a->turn, u->turn, b->turn, v->turn, factors),
		{mixPlace(a->x, u->x, b->x, v->x, factors), 0.0f, mixPlace(a->z, u->z, b->z, v->z, factors)}};
}
