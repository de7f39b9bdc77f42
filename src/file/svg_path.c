/// Path data as the SVG 2 specification has it (chapter 9), flattened.
#include "file/svg_path.h"

#include "base/error.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// More points than any drawing needs, and chords of one curve.
#define MAX_POINTS 1000000
#define MAX_CHORDS 512

// Points farther away than this, after the map, are no drawing.
#define FARTHEST 1e9

typedef struct Point
{
	double x, y;
} Point;

typedef struct Parser
{
	const char* data;
	const char* at;
	rpAffine map;
	/// In front of the map.
	double tolerance;
	rpPathPoints* out;
	rpError* error;
	Point start, here;
	/// The last control point of a cubic or quadratic curve, for S and T.
	Point cubic, quadratic;
	bool isOver;
} Parser;

static bool fail(Parser* parser, const char* what)
{
	return rpFailAt(parser->error, rp_errorFormat, 1, (int)(parser->at - parser->data) + 1, "%s", what);
}

static void skip(Parser* parser)
{
	parser->at += strspn(parser->at, " \t\r\n\f,");
}

// A number without exponents of exponents, hexadecimal, inf or nan; independent of the locale.
static bool readNumber(Parser* parser, double* out)
{
	skip(parser);
	const char* p = parser->at;
	double sign = *p == '-' ? -1.0 : 1.0, value = 0.0, place = 1.0;
	p += *p == '-' || *p == '+';
	int digits = 0;
	for (; *p >= '0' && *p <= '9'; ++p, ++digits)
	{
		value = 10.0 * value + (*p - '0');
	}
	if (*p == '.')
	{
		for (++p; *p >= '0' && *p <= '9'; ++p, ++digits)
		{
			place *= 0.1;
			value += place * (*p - '0');
		}
	}
	if (digits == 0)
	{
		return fail(parser, "a number is missing here");
	}
	if ((*p == 'e' || *p == 'E') &&
		(strchr("+-", p[1]) != NULL ? p[1] != 0 && p[2] >= '0' && p[2] <= '9' : p[1] >= '0' && p[1] <= '9'))
	{
		long exponent = strtol(p + 1, (char**)&p, 10);
		value *= pow(10.0, fmin(fmax((double)exponent, -400.0), 400.0));
	}
	if (!isfinite(value) || fabs(value) > 1e9)
	{
		return fail(parser, "this number is too large");
	}
	parser->at = p;
	*out = sign * value;
	return true;
}

static bool readFlag(Parser* parser, bool* out)
{
	skip(parser);
	if (*parser->at != '0' && *parser->at != '1')
	{
		return fail(parser, "0 or 1 is missing here");
	}
	*out = *parser->at++ == '1';
	return true;
}

static bool readPoint(Parser* parser, bool isRelative, Point* out)
{
	*out = isRelative ? parser->here : (Point){0};
	double x = 0.0, y = 0.0;
	if (!readNumber(parser, &x) || !readNumber(parser, &y))
	{
		return false;
	}
	out->x += x;
	out->y += y;
	return true;
}

static bool addPoint(Parser* parser, Point p)
{
	rpPathPoints* out = parser->out;
	if (out->count >= MAX_POINTS)
	{
		return rpFail(parser->error, rp_errorLimit, "more than %d points in the path", MAX_POINTS);
	}
	const rpAffine* map = &parser->map;
	double x = map->a * p.x + map->c * p.y + map->e, y = map->b * p.x + map->d * p.y + map->f;
	if (!(fabs(x) <= FARTHEST && fabs(y) <= FARTHEST))
	{
		return fail(parser, "the path leads too far away");
	}
	if (!rpGrow(&out->points, &out->capacity, out->count, sizeof(rpVec2), parser->error))
	{
		return false;
	}
	out->points[out->count++] = (rpVec2){(float)x, (float)y};
	parser->here = p;
	return true;
}

static Point mix(Point a, Point b, double t)
{
	return (Point){a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
}

static double getGap(Point a, Point b)
{
	return hypot(a.x - b.x, a.y - b.y);
}

// A cubic as chords: their number follows from the second differences of its control points (the error of a chord falls
// with its square).
static bool addCubic(Parser* parser, Point b, Point c, Point d)
{
	Point a = parser->here;
	double bend =
		fmax(hypot(a.x - 2.0 * b.x + c.x, a.y - 2.0 * b.y + c.y), hypot(b.x - 2.0 * c.x + d.x, b.y - 2.0 * c.y + d.y));
	int count = (int)fmin(ceil(sqrt(0.75 * bend / parser->tolerance)) + 1.0, MAX_CHORDS);
	for (int i = 1; i <= count; ++i)
	{
		double t = (double)i / count;
		Point ab = mix(a, b, t), bc = mix(b, c, t), cd = mix(c, d, t);
		if (!addPoint(parser, i == count ? d : mix(mix(ab, bc, t), mix(bc, cd, t), t)))
		{
			return false;
		}
	}
	parser->cubic = c;
	return true;
}

static bool addQuadratic(Parser* parser, Point control, Point end)
{
	Point start = parser->here;
	bool done = addCubic(parser, mix(start, control, 2.0 / 3.0), mix(end, control, 2.0 / 3.0), end);
	parser->quadratic = control;
	return done;
}

// An arc of an ellipse by its centre (appendix B.2.4 of the specification), as chords.
static bool addArc(Parser* parser, double rx, double ry, double turn, bool isLarge, bool isPositive, Point end)
{
	Point start = parser->here;
	double c = cos(turn), s = sin(turn), hx = 0.5 * (start.x - end.x), hy = 0.5 * (start.y - end.y);
	double x = c * hx + s * hy, y = c * hy - s * hx;
	rx = fabs(rx);
	ry = fabs(ry);
	if (rx < 1e-12 || ry < 1e-12 || getGap(start, end) < 1e-12)
	{
		return addPoint(parser, end);
	}
	double excess = x * x / (rx * rx) + y * y / (ry * ry), grow = excess > 1.0 ? sqrt(excess) : 1.0;
	rx *= grow;
	ry *= grow;
	double below = rx * rx * y * y + ry * ry * x * x;
	double k = sqrt(fmax(0.0, rx * rx * ry * ry / below - 1.0)) * (isLarge == isPositive ? -1.0 : 1.0);
	double mx = k * rx * y / ry, my = -k * ry * x / rx;
	double from = atan2((y - my) / ry, (x - mx) / rx), to = atan2((-y - my) / ry, (-x - mx) / rx), sweep = to - from;
	sweep += isPositive && sweep < 0.0 ? 2.0 * RP_PI : !isPositive && sweep > 0.0 ? -2.0 * RP_PI : 0.0;
	double step = 2.0 * acos(fmax(0.0, 1.0 - parser->tolerance / fmax(rx, ry)));
	int count = (int)fmin(ceil(fabs(sweep) / fmax(step, 1e-3)), MAX_CHORDS);
	count = count > 1 ? count : 1;
	double ox = 0.5 * (start.x + end.x), oy = 0.5 * (start.y + end.y);
	for (int i = 1; i <= count; ++i)
	{
		double angle = from + sweep * i / count, px = rx * cos(angle) + mx, py = ry * sin(angle) + my;
		Point p = {ox + c * px - s * py, oy + s * px + c * py};
		if (!addPoint(parser, i == count ? end : p))
		{
			return false;
		}
	}
	return true;
}

static bool readArc(Parser* parser, bool isRelative)
{
	double rx = 0.0, ry = 0.0, turn = 0.0;
	bool isLarge = false, isPositive = false;
	Point end = {0};
	return readNumber(parser, &rx) && readNumber(parser, &ry) && readNumber(parser, &turn) &&
		   readFlag(parser, &isLarge) && readFlag(parser, &isPositive) && readPoint(parser, isRelative, &end) &&
		   addArc(parser, rx, ry, turn * RP_DEGREE, isLarge, isPositive, end);
}

// The mirror image of the last control point, or the place itself where the last command was no curve.
static Point getSmooth(const Parser* parser, Point control)
{
	return (Point){2.0 * parser->here.x - control.x, 2.0 * parser->here.y - control.y};
}

static bool readCurve(Parser* parser, char command, bool isRelative)
{
	Point a, b, c;
	switch (command)
	{
	case 'C':
		return readPoint(parser, isRelative, &a) && readPoint(parser, isRelative, &b) &&
			   readPoint(parser, isRelative, &c) && addCubic(parser, a, b, c);
	case 'S':
		a = getSmooth(parser, parser->cubic);
		return readPoint(parser, isRelative, &b) && readPoint(parser, isRelative, &c) && addCubic(parser, a, b, c);
	case 'Q':
		return readPoint(parser, isRelative, &a) && readPoint(parser, isRelative, &b) && addQuadratic(parser, a, b);
	default:
		a = getSmooth(parser, parser->quadratic);
		return readPoint(parser, isRelative, &b) && addQuadratic(parser, a, b);
	}
}

static bool readLine(Parser* parser, char command, bool isRelative)
{
	Point p = parser->here;
	double value = 0.0;
	if (command == 'L')
	{
		return readPoint(parser, isRelative, &p) && addPoint(parser, p);
	}
	if (!readNumber(parser, &value))
	{
		return false;
	}
	if (command == 'H')
	{
		p.x = isRelative ? p.x + value : value;
	}
	else
	{
		p.y = isRelative ? p.y + value : value;
	}
	return addPoint(parser, p);
}

// One set of a command's numbers.
static bool readSet(Parser* parser, char command, bool isRelative)
{
	bool isCubic = command == 'C' || command == 'S', isQuadratic = command == 'Q' || command == 'T';
	bool done = isCubic || isQuadratic ? readCurve(parser, command, isRelative)
				: command == 'A'       ? readArc(parser, isRelative)
									   : readLine(parser, command, isRelative);
	parser->cubic = isCubic ? parser->cubic : parser->here;
	parser->quadratic = isQuadratic ? parser->quadratic : parser->here;
	return done;
}

static bool isNumberAhead(Parser* parser)
{
	skip(parser);
	return *parser->at != 0 && strchr("+-.0123456789", *parser->at) != NULL;
}

static bool readMove(Parser* parser, bool isRelative)
{
	// A second subpath is another drawing.
	if (parser->out->count > 0)
	{
		parser->isOver = true;
		return true;
	}
	Point p;
	if (!readPoint(parser, isRelative, &p) || !addPoint(parser, p))
	{
		return false;
	}
	parser->start = parser->cubic = parser->quadratic = p;
	while (isNumberAhead(parser))
	{
		if (!readSet(parser, 'L', isRelative))
		{
			return false;
		}
	}
	return true;
}

static bool readCommand(Parser* parser)
{
	char letter = *parser->at, command = letter >= 'a' && letter <= 'z' ? (char)(letter - 'a' + 'A') : letter;
	bool isRelative = letter != command;
	if (letter == 0 || strchr("MLHVCSQTAZ", command) == NULL)
	{
		return fail(parser, "expected one of the letters M L H V C S Q T A Z");
	}
	if (parser->out->count == 0 && command != 'M')
	{
		return fail(parser, "a path begins with M");
	}
	++parser->at;
	if (command == 'M')
	{
		return readMove(parser, isRelative);
	}
	if (command == 'Z')
	{
		parser->isOver = true;
		return getGap(parser->here, parser->start) < 1e-9 || addPoint(parser, parser->start);
	}
	bool done;
	do
	{
		done = readSet(parser, command, isRelative);
	} while (done && isNumberAhead(parser));
	return done;
}

bool rpParsePathData(const char* data, rpAffine map, double tolerance, rpPathPoints* out, rpError* error)
{
	Parser parser = {.data = data, .at = data, .map = map, .out = out, .error = error};
	parser.tolerance = tolerance / rpAffine_GetStretch(map);
	skip(&parser);
	while (*parser.at != 0 && !parser.isOver)
	{
		if (!readCommand(&parser))
		{
			return false;
		}
		skip(&parser);
	}
	return out->count >= 2 || fail(&parser, "the path has less than two points");
}
