/// The centre of pressure, without forces measured: a body that is borne by its feet alone pushes against the ground
/// along a line from it through the centre of mass, but for what turns the limbs (M. Vukobratović & J. Stepanenko, "On
/// the stability of anthropomorphic systems", Mathematical Biosciences 15, 1972: the zero moment point).
#include "body/support_load.h"

#include "math/elementary.h"
#include "reprise/play/body.h"

// A body that falls with almost gravity presses on nothing; this part is left to divide by.
#define MIN_WEIGHT 0.1

enum
{
	/// Points between the one below the centre and the one that the body presses on, both included.
	betweenCount = 5,
};

rpVec3 rpSupportLoad_GetAcceleration(const rpSupportLoad* load, int frame, double halfWindow)
{
	int frames = (int)lround(halfWindow * load->fps), count = load->frameCount;
	frames = frames > 2 ? frames : 2;
	frames = 2 * frames < count ? frames : (count - 1) / 2;
	if (frames < 2)
	{
		return rpVec3_zero;
	}
	int middle = frame < frames ? frames : frame >= count - frames ? count - 1 - frames : frame;
	double n = 2.0 * frames + 1.0, s2 = 0.0, s4 = 0.0;
	rpVec3 sum = rpVec3_zero, bend = rpVec3_zero;
	for (int k = -frames; k <= frames; ++k)
	{
		double square = (double)k * k;
		rpVec3 away = rpSub(load->centers[middle + k], load->centers[middle]);
		s2 += square;
		s4 += square * square;
		sum = rpAdd(sum, away);
		bend = rpMulAdd(bend, (float)square, away);
	}
	double scale = 2.0 * load->fps * load->fps / (n * s4 - s2 * s2);
	return rpSub(rpScale((float)(scale * n), bend), rpScale((float)(scale * s2), sum));
}

rpVec2 rpSupportLoad_GetPressure(const rpSupportLoad* load, int frame, float ground, double halfWindow)
{
	rpVec3 center = load->centers[frame], acceleration = rpSupportLoad_GetAcceleration(load, frame, halfWindow);
	double weight = fmax(RP_GRAVITY + (double)acceleration.y, MIN_WEIGHT * RP_GRAVITY);
	float lever = (float)((double)(center.y - ground) / weight);
	return (rpVec2){center.x - lever * acceleration.x, center.z - lever * acceleration.z};
}

static double cross(rpVec2 o, rpVec2 a, rpVec2 b)
{
	return ((double)a.x - o.x) * ((double)b.y - o.y) - ((double)a.y - o.y) * ((double)b.x - o.x);
}

static double getSegmentDistance(rpVec2 p, rpVec2 a, rpVec2 b)
{
	double dx = (double)b.x - a.x, dy = (double)b.y - a.y, square = dx * dx + dy * dy;
	double t = square > 0.0 ? (((double)p.x - a.x) * dx + ((double)p.y - a.y) * dy) / square : 0.0;
	t = fmin(fmax(t, 0.0), 1.0);
	return rpHypotDouble(p.x - a.x - t * dx, p.y - a.y - t * dy);
}

// Inside the convex hull of so few points is inside one of their triangles; outside, the nearest of their segments
// gives the distance.
double rpGetHullDistance(const rpVec2* points, int count, rpVec2 p)
{
	double distance = INFINITY;
	for (int i = 0; i < count; ++i)
	{
		for (int j = i; j < count; ++j)
		{
			rpVec2 a = points[i], b = points[j];
			distance = fmin(distance, getSegmentDistance(p, a, b));
			for (int k = j + 1; k < count; ++k)
			{
				rpVec2 c = points[k];
				double ab = cross(a, b, p), bc = cross(b, c, p), ca = cross(c, a, p);
				// Of points that are the same, or on one line, the segments tell.
				if (cross(a, b, c) == 0.0)
				{
					continue;
				}
				if ((ab >= 0.0 && bc >= 0.0 && ca >= 0.0) || (ab <= 0.0 && bc <= 0.0 && ca <= 0.0))
				{
					return 0.0;
				}
			}
		}
	}
	return distance;
}

double rpSupportLoad_GetOutside(const rpSupportLoad* load, int frame, const rpVec2* points, int count, float ground,
								double halfWindow)
{
	rpVec2 pressure = rpSupportLoad_GetPressure(load, frame, ground, halfWindow);
	rpVec2 below = {load->centers[frame].x, load->centers[frame].z};
	double min = INFINITY;
	for (int i = 0; i < betweenCount && min > 0.0; ++i)
	{
		float t = (float)i / (betweenCount - 1);
		rpVec2 p = {below.x + t * (pressure.x - below.x), below.y + t * (pressure.y - below.y)};
		min = fmin(min, rpGetHullDistance(points, count, p));
	}
	return min;
}
