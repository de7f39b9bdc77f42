/// A walk that keeps to a path as long as it can stops in front of the obstacle. One that looks ahead goes around it.
#include "solve/detour.h"

#include "base/memory.h"

#include <math.h>

// Metres between the points of the path: circles that it crosses for less are not looked at.
#define STEP 0.1

typedef struct Line
{
	rpVec2* points;
	int count, capacity;
} Line;

typedef struct Circle
{
	double x, y, radius;
} Circle;

static double getGap(rpVec2 a, rpVec2 b)
{
	return hypot((double)a.x - b.x, (double)a.y - b.y);
}

static bool isInside(const Circle* circle, rpVec2 p)
{
	return hypot(p.x - circle->x, p.y - circle->y) < circle->radius;
}

static bool addPoint(Line* line, rpVec2 point, rpError* error)
{
	if (!rpGrow(&line->points, &line->capacity, line->count, sizeof(rpVec2), error))
	{
		return false;
	}
	line->points[line->count++] = point;
	return true;
}

// The path with points in between, so that circles are not stepped over.
static bool divide(const rpPathDef* def, Line* out, rpError* error)
{
	bool done = addPoint(out, def->points[0], error);
	for (int i = 1; i < def->pointCount && done; ++i)
	{
		rpVec2 a = def->points[i - 1], b = def->points[i];
		int parts = (int)ceil(getGap(a, b) / STEP);
		for (int k = 1; k < parts && done; ++k)
		{
			float t = (float)k / (float)parts;
			done = addPoint(out, (rpVec2){a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)}, error);
		}
		done = done && addPoint(out, b, error);
	}
	return done;
}

/// The part of a circle that a detour follows, radians: from an angle on, to the left (1) or right (-1).
typedef struct Arc
{
	double first, span, side, length;
} Arc;

static Arc findArc(const Circle* circle, rpVec2 a, rpVec2 b, double side)
{
	double ax = a.x - circle->x, ay = a.y - circle->y, bx = b.x - circle->x, by = b.y - circle->y, r = circle->radius;
	double toA = fmax(hypot(ax, ay), r), toB = fmax(hypot(bx, by), r);
	Arc arc = {.first = atan2(ay, ax) + side * acos(r / toA), .side = side};
	double span = side * (atan2(by, bx) - side * acos(r / toB) - arc.first);
	span -= 2.0 * RP_PI * floor(span / (2.0 * RP_PI));
	// The straight path is free on this side.
	arc.span = span > 1.5 * RP_PI ? 0.0 : span;
	arc.length = sqrt(toA * toA - r * r) + r * arc.span + sqrt(toB * toB - r * r);
	return arc;
}

static bool addArc(Line* line, const Circle* circle, rpVec2 to, rpError* error)
{
	rpVec2 from = line->points[line->count - 1];
	Arc left = findArc(circle, from, to, 1.0), right = findArc(circle, from, to, -1.0);
	Arc arc = left.length <= right.length ? left : right;
	// Steps of three degrees: a polygon that stays within a thousandth of the radius of its circle.
	int parts = (int)ceil(arc.span * (60.0 / RP_PI));
	bool done = true;
	for (int k = 0; k <= parts && parts > 0 && done; ++k)
	{
		double angle = arc.first + arc.side * arc.span * k / parts;
		rpVec2 point = {(float)(circle->x + circle->radius * cos(angle)),
						(float)(circle->y + circle->radius * sin(angle))};
		done = addPoint(line, point, error);
	}
	return done;
}

// Take points back, down to the one that is `lead` before the last and not before `fence`.
static void goBack(Line* line, double lead, int fence)
{
	double travelled = 0.0;
	while (line->count - 1 > fence && travelled < lead)
	{
		travelled += getGap(line->points[line->count - 1], line->points[line->count - 2]);
		--line->count;
	}
}

// The first point that is `lead` after one, or the last before the path comes to the circle again.
static int goAhead(const Line* line, const Circle* circle, double lead, int from)
{
	double travelled = 0.0;
	while (from + 1 < line->count && travelled < lead && !isInside(circle, line->points[from + 1]))
	{
		travelled += getGap(line->points[from], line->points[from + 1]);
		++from;
	}
	return from;
}

static bool bend(const Line* line, const Circle* circle, double lead, Line* out, rpError* error)
{
	bool done = true;
	int fence = 0;
	for (int i = 0; i < line->count && done;)
	{
		int end = i;
		while (end < line->count && isInside(circle, line->points[end]))
		{
			++end;
		}
		if (end == i || i == 0 || end == line->count)
		{
			// Outside, or an end of the path lies inside.
			end = end > i ? end : i + 1;
			for (; i < end && done; ++i)
			{
				done = addPoint(out, line->points[i], error);
			}
			continue;
		}
		goBack(out, lead, fence);
		i = goAhead(line, circle, lead, end);
		done = addArc(out, circle, line->points[i], error);
		fence = out->count - 1;
	}
	return done;
}

rpVec2* rpBendAround(const rpPathDef* def, double clearance, int* count, rpError* error)
{
	Line line = {0};
	bool done = divide(def, &line, error);
	for (int i = 0; i < def->forbiddenCount && done; ++i)
	{
		const rpForbidden* area = &def->forbidden[i];
		// Hips sway by a little more than blends move them.
		Circle circle = {area->center.x, area->center.y, (double)area->radius + clearance + 1.5 * def->clearance};
		Line bent = {0};
		done = bend(&line, &circle, def->detour, &bent, error);
		rpFree(line.points);
		line = bent;
	}
	if (!done)
	{
		rpFree(line.points);
		return NULL;
	}
	*count = line.count;
	return line.points;
}
