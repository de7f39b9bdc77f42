#include "graph_shapes.h"

#include <math.h>

// Points of a curve, metres apart about.
#define STEP 0.05

/// What is drawn so far.
typedef struct Pen
{
	rpVec2* points;
	int count;
} Pen;

static void draw(Pen* pen, double x, double y)
{
	if (pen->count < graphShapePoints)
	{
		pen->points[pen->count++] = (rpVec2){(float)x, (float)y};
	}
}

// An arc around a centre, from one angle to another; the radius may change along it.
static void drawArc(Pen* pen, double x, double y, double radius, double endRadius, double from, double to)
{
	int steps = (int)ceil(fabs(to - from) * fmax(radius, endRadius) / STEP);
	for (int i = 0; i <= steps; ++i)
	{
		double t = (double)i / steps, angle = from + t * (to - from), r = radius + t * (endRadius - radius);
		draw(pen, x + r * cos(angle), y + r * sin(angle));
	}
}

static void drawSquare(Pen* pen, double side)
{
	static const double corners[][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0, 0}};
	for (int i = 0; i < 5; ++i)
	{
		draw(pen, side * corners[i][0], side * corners[i][1]);
	}
}

// The word as it is written by hand in one stroke: knots of a curve of Catmull and Rom.
static void drawHello(Pen* pen)
{
	static const double knots[][2] = {
		{0.0, 4.0},  {0.0, 2.2},  {-0.1, 0.8}, {-0.9, 0.1}, {-1.7, 0.8}, {-1.0, 1.7}, {0.6, 2.0},
		{2.4, 2.3},  {3.4, 3.2},  {3.2, 4.0},  {2.6, 3.5},  {2.5, 2.0},  {2.6, 0.8},  {3.3, 0.1},
		{4.3, 0.5},  {5.8, 1.1},  {6.3, 1.9},  {5.5, 2.4},  {4.7, 1.6},  {4.9, 0.6},  {5.8, 0.0},
		{7.0, 0.5},  {8.2, 1.9},  {8.7, 3.3},  {8.1, 4.0},  {7.5, 3.3},  {7.5, 1.6},  {7.8, 0.5},
		{8.6, 0.0},  {9.7, 0.5},  {10.9, 1.9}, {11.4, 3.3}, {10.8, 4.0}, {10.2, 3.3}, {10.2, 1.6},
		{10.5, 0.5}, {11.3, 0.0}, {12.5, 0.6}, {13.6, 1.6}, {13.7, 2.4}, {12.9, 2.5}, {12.4, 1.6},
		{12.8, 0.5}, {13.8, 0.0}, {14.8, 0.6}, {14.9, 1.6}, {14.2, 2.4}, {14.9, 2.9}, {16.4, 2.6},
	};
	int count = (int)(sizeof(knots) / sizeof(knots[0]));
	for (int i = 0; i + 1 < count; ++i)
	{
		const double *a = knots[i > 0 ? i - 1 : 0], *b = knots[i], *c = knots[i + 1];
		const double* d = knots[i + 2 < count ? i + 2 : count - 1];
		int steps = (int)ceil(hypot(c[0] - b[0], c[1] - b[1]) / STEP);
		for (int k = i == 0 ? 0 : 1; k <= steps; ++k)
		{
			double t = (double)k / steps, place[2];
			for (int axis = 0; axis < 2; ++axis)
			{
				double p = -a[axis] + 3.0 * b[axis] - 3.0 * c[axis] + d[axis];
				double q = 2.0 * a[axis] - 5.0 * b[axis] + 4.0 * c[axis] - d[axis];
				place[axis] = b[axis] + 0.5 * t * (c[axis] - a[axis] + t * (q + t * p));
			}
			draw(pen, place[0], place[1]);
		}
	}
}

int benchDrawShape(GraphShape shape, rpVec2* out)
{
	Pen pen = {.points = out};
	switch (shape)
	{
	case shapeCircle:
		drawArc(&pen, 0.0, 0.0, 2.5, 2.5, 0.0, 2.0 * RP_PI);
		break;
	case shapeSpiral:
		drawArc(&pen, 0.0, 0.0, 4.0, 1.0, 0.0, 5.0 * RP_PI);
		break;
	case shapeS:
		drawArc(&pen, 0.0, 0.0, 2.0, 2.0, 0.0, 1.5 * RP_PI);
		drawArc(&pen, 0.0, -4.0, 2.0, 2.0, 0.5 * RP_PI, -RP_PI);
		break;
	case shapeSquare:
		drawSquare(&pen, 5.0);
		break;
	case shapeHello:
		drawHello(&pen);
		break;
	case shapeLong:
		for (int i = 0; i < 3; ++i)
		{
			drawArc(&pen, 0.0, 0.0, 2.5, 2.5, 0.0, 2.0 * RP_PI);
			drawArc(&pen, 5.0, 0.0, 2.5, 2.5, RP_PI, -RP_PI);
		}
		break;
	}
	return pen.count;
}
