#include "timeline/timeline.h"

// The cubic between two values, with slopes that are the mean changes around them (Catmull & Rom 1974).
static float mix(float before, float a, float b, float after, float t)
{
	float u = 0.5f * (b - before), v = 0.5f * (after - a);
	return a + t * (u + t * (3.0f * (b - a) - 2.0f * u - v + t * (u + v - 2.0f * (b - a))));
}

static rpGroundTransform getKnot(const rpBend* bend, int index)
{
	return bend->knots[index < 0 ? 0 : index < bend->count ? index : bend->count - 1];
}

rpGroundTransform rpBend_Get(const rpBend* bend, double time)
{
	double place = fmin(fmax(time * bend->fps, 0.0), bend->count - 1);
	int k = (int)place;
	float t = (float)(place - k);
	rpGroundTransform before = getKnot(bend, k - 1), a = getKnot(bend, k), b = getKnot(bend, k + 1),
					  after = getKnot(bend, k + 2);
	return (rpGroundTransform){mix(before.turn, a.turn, b.turn, after.turn, t),
							   {mix(before.shift.x, a.shift.x, b.shift.x, after.shift.x, t), a.shift.y,
								mix(before.shift.z, a.shift.z, b.shift.z, after.shift.z, t)}};
}
