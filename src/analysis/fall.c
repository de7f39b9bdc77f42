#include "analysis/fall.h"
#include "reprise/play/body.h"

// Flights shorter than this show too little of the fall, seconds.
#define SHORTEST_FALL 0.15
// A body that flies for long falls with this much, m/s²: captured flights of 0.15 s and more fall with 0.8 of gravity
// and more, what feet bear with less than 0.4.
#define FREE_FALL (0.6 * RP_GRAVITY)

double rpFitFall(const rpVec3* places, int count, double fps, double* deviation, double* residual)
{
	// y = a + b t + c t² by least squares, times centred.
	double s2 = 0.0, s4 = 0.0, y0 = 0.0, y1 = 0.0, y2 = 0.0, middle = 0.5 * (count - 1), base = places[0].y, sum = 0.0;
	for (int i = 0; i < count; ++i)
	{
		double t = (i - middle) / fps, y = places[i].y - base;
		s2 += t * t;
		s4 += t * t * t * t;
		y0 += y;
		y1 += y * t;
		y2 += y * t * t;
	}
	double determinant = count * s4 - s2 * s2, c = (count * y2 - s2 * y0) / determinant, b = y1 / s2;
	double a = (y0 - c * s2) / count;
	for (int i = 0; i < count; ++i)
	{
		double t = (i - middle) / fps, off = places[i].y - base - a - t * (b + t * c);
		sum += off * off;
	}
	if (deviation != NULL)
	{
		*deviation = count > 3 ? 2.0 * sqrt(sum / (count - 3) * count / determinant) : 0.0;
	}
	if (residual != NULL)
	{
		*residual = sqrt(sum / count);
	}
	return -2.0 * c;
}

bool rpMayFly(const rpSupportLoad* load, double start, double end)
{
	int first = (int)ceil(start * load->fps), count = (int)floor(end * load->fps) - first + 1;
	return end - start < SHORTEST_FALL || count < 5 ||
		   rpFitFall(load->centers + first, count, load->fps, NULL, NULL) > FREE_FALL;
}
