/// Parameters of movements (Kwon & Shin 2005, section 4.4, equations 6 to 8): means of speed, signed turning and
/// tangential acceleration of the centre of mass over the floor. The paper sums over frames; here the path is sampled
/// at moments of its own between start and end, and divided by seconds, so that the capture's rate does not matter.
#include "analysis/movement_parameters.h"

// Between two samples, seconds, about.
#define SAMPLE_TIME (1.0 / 60.0)
// Slower than this the centre of mass has no direction, m/s.
#define MIN_SPEED 0.2f

static rpVec2 getPlace(const rpCenterTrack* track, double seconds)
{
	rpVec3 place = rpCenterTrack_GetPlace(track, seconds);
	return (rpVec2){place.x, place.z};
}

static rpVec2 getStep(const rpCenterTrack* track, double from, double to)
{
	rpVec2 a = getPlace(track, from), b = getPlace(track, to);
	return (rpVec2){b.x - a.x, b.y - a.y};
}

// To the left when seen from above, where x is left of z.
static float getAngle(rpVec2 a, rpVec2 b)
{
	return atan2f(b.x * a.y - b.y * a.x, a.x * b.x + a.y * b.y);
}

void rpMeasureMovement(const rpCenterTrack* track, rpMovement* movement)
{
	double seconds = movement->end - movement->start;
	int count = (int)ceil(seconds / SAMPLE_TIME);
	count = count > 2 ? count : 2;
	double step = seconds / count;
	float travelled = 0.0f, turned = 0.0f, gained = 0.0f;
	rpVec2 direction = {0.0f, 0.0f}, last = getStep(track, movement->start - 0.5 * step, movement->start + 0.5 * step);
	for (int i = 0; i < count; ++i)
	{
		double from = movement->start + i * step;
		rpVec2 d = getStep(track, from, from + step), next = getStep(track, from + 0.5 * step, from + 1.5 * step);
		float length = hypotf(d.x, d.y);
		travelled += length;
		if (length > MIN_SPEED * (float)step)
		{
			gained += ((next.x - last.x) * d.x + (next.y - last.y) * d.y) / length;
			turned += direction.x != 0.0f || direction.y != 0.0f ? getAngle(direction, d) : 0.0f;
			direction = d;
		}
		last = next;
	}
	movement->speed = travelled / (float)seconds;
	movement->turn = turned / (float)seconds;
	movement->acceleration = gained / (float)(step * seconds);
}
