/// Transforms of SVG against points computed directly; what of a file is drawn; basic shapes.
#include "file/svg_path.h"
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Path
{
	rpVec2* points;
	int count, strokeCount;
} Path;

// A centimetre is a unit, as the program has it.
static Path readPath(const char* text)
{
	Path path = {0};
	rpError error = {0};
	if (!rpReadSvgPath(text, strlen(text), 0.01, &path.points, &path.count, &path.strokeCount, &error))
	{
		fail_msg("%s: %s", text, error.message);
	}
	return path;
}

// The points of a file lie here, in units of the page.
static void checkFile(const char* text, const double* expected, int count)
{
	Path path = readPath(text);
	if (path.count != count)
	{
		fail_msg("%s: %d points, not %d", text, path.count, count);
	}
	for (int i = 0; i < count; ++i)
	{
		double x = -0.01 * expected[2 * i], y = -0.01 * expected[2 * i + 1];
		double off = hypot((double)path.points[i].x - x, (double)path.points[i].y - y);
		if (!(off <= 1e-5 + 1e-6 * hypot(x, y)))
		{
			fail_msg("%s: point %d at %g %g, not %g %g", text, i, (double)path.points[i].x, (double)path.points[i].y, x,
					 y);
		}
	}
	rpFreeBytes(path.points);
}

static void checkRefused(const char* text, int line, int column, const char* what)
{
	rpVec2* points = NULL;
	int count;
	rpError error = {0};
	if (rpReadSvgPath(text, strlen(text), 0.01, &points, &count, NULL, &error))
	{
		fail_msg("%s: was read", text);
	}
	assert_int_equal(error.code, rp_errorFormat);
	if (error.line != line || error.column != column || strstr(error.message, what) == NULL)
	{
		fail_msg("%s: %d:%d: %s", text, error.line, error.column, error.message);
	}
}

// ---- each function, written out

typedef struct Spot
{
	double x, y;
} Spot;

static Spot turn(Spot p, double degrees, double cx, double cy)
{
	double length = hypot(p.x - cx, p.y - cy), angle = atan2(p.y - cy, p.x - cx) + degrees * acos(-1.0) / 180.0;
	return (Spot){cx + length * cos(angle), cy + length * sin(angle)};
}

static Spot doMatrix(Spot p)
{
	return (Spot){2.0 * p.x - 0.5 * p.y + 10.0, 0.25 * p.x + 3.0 * p.y - 20.0};
}

static Spot doTranslate(Spot p)
{
	return (Spot){p.x + 10.0, p.y - 20.0};
}

static Spot doTranslateX(Spot p)
{
	return (Spot){p.x + 10.0, p.y};
}

static Spot doScale(Spot p)
{
	return (Spot){2.0 * p.x, -0.5 * p.y};
}

static Spot doScaleBoth(Spot p)
{
	return (Spot){1.5 * p.x, 1.5 * p.y};
}

static Spot doRotate(Spot p)
{
	return turn(p, 30.0, 0.0, 0.0);
}

static Spot doRotateAt(Spot p)
{
	return turn(p, -75.0, 40.0, 60.0);
}

static Spot doSkewX(Spot p)
{
	return (Spot){p.x + tan(acos(-1.0) / 6.0) * p.y, p.y};
}

static Spot doSkewY(Spot p)
{
	return (Spot){p.x, p.y + tan(acos(-1.0) / 6.0) * p.x};
}

// The first function of a list is the outermost.
static Spot doList(Spot p)
{
	return doTranslate(doRotate(doScale(doSkewX(p))));
}

static Spot doNothing(Spot p)
{
	return p;
}

static const struct
{
	const char* text;
	Spot (*apply)(Spot p);
} s_transforms[] = {
	{"matrix(2 .25 -.5 3 10 -20)", doMatrix},
	{"matrix(2,.25,-.5,3,10,-20)", doMatrix},
	{"matrix(2.25-.5,3,10-20)", NULL},
	{"matrix(2+.25-.5+3+10-20)", doMatrix},
	{"matrix(2e0.25-5e-1 3.0E+0 1e1-2e+1)", doMatrix},
	{"translate(10,-20)", doTranslate},
	{" translate \t(\n10 ,\r\n -20 ) ", doTranslate},
	{"translate(10-20)", doTranslate},
	{"translate(10)", doTranslateX},
	{"scale(2 -.5)", doScale},
	{"scale(2,-0.5)", doScale},
	{"scale(1.5)", doScaleBoth},
	{"rotate(30)", doRotate},
	{"rotate(-75 40 60)", doRotateAt},
	{"rotate(-75,40,60)", doRotateAt},
	{"rotate(285, 40, 60)", doRotateAt},
	{"skewX(30)", doSkewX},
	{"skewY(30)", doSkewY},
	{"translate(10,-20) rotate(30) scale(2,-.5) skewX(30)", doList},
	{"translate(10,-20)rotate(30)scale(2,-.5)skewX(30)", doList},
	{"translate(10,-20),rotate(30) , scale(2,-.5),, skewX(30),", doList},
	{"", doNothing},
	{"  ", doNothing},
	{"none", doNothing},
};

static void testFunctions(void** state)
{
	(void)state;
	static const Spot spots[] = {{0.0, 0.0}, {500.0, 0.0}, {30.0, 70.0}, {-125.5, 12.25}};
	for (size_t i = 0; i < sizeof(s_transforms) / sizeof(s_transforms[0]); ++i)
	{
		char text[400];
		double expected[8];
		snprintf(text, sizeof(text), "<svg><path transform='%s' d='M0 0L500 0 30 70-125.5 12.25'/></svg>",
				 s_transforms[i].text);
		if (s_transforms[i].apply == NULL)
		{
			// 2.25 is one number.
			checkRefused(text, 1, 6, "character 1 of the transform: matrix takes 6 numbers");
			continue;
		}
		for (int k = 0; k < 4; ++k)
		{
			Spot p = s_transforms[i].apply(spots[k]);
			expected[2 * k] = p.x;
			expected[2 * k + 1] = p.y;
		}
		checkFile(text, expected, 4);
	}
}

static void testNesting(void** state)
{
	(void)state;
	const double there[] = {100, 100, 100, 1100};
	checkFile("<svg><g transform='translate(100,100) rotate(90) scale(2)'><path d='M0,0 L500,0'/></g></svg>", there, 2);
	checkFile("<svg transform='translate(100,100)'><a transform='rotate(90)'><svg><g transform='scale(2)'>"
			  "<path d='M0,0 L500,0'/></g></svg></a></svg>",
			  there, 2);
	checkFile("<svg><g transform='translate(100,100)'><g><polyline transform='rotate(90) scale(2)' "
			  "points='0,0 500,0'/></g></g></svg>",
			  there, 2);
	// What is closed, or not read, does not count.
	checkFile("<svg><g transform='scale(7)'><g transform='rotate(5)'/><text transform='scale(x)'>a</text></g>"
			  "<defs transform='oops'/><g transform='translate(100 100)rotate(90)'><image transform='skewX(9)'/>"
			  "<path d='M0,0 L500,0' transform='scale(2)'/></g><g transform='oops'><path d='M0 0'/></g></svg>",
			  there, 2);
	// Places are computed before they are rounded: a drawing far away from the page's corner loses nothing.
	const double far[] = {0.125, 0, 1.25, 0};
	checkFile("<svg><g transform='translate(-90000000)'><path d='M90000000.125 0H90000001.25'/></g></svg>", far, 2);
}

static void testErrors(void** state)
{
	(void)state;
	static const struct
	{
		const char* transform;
		int character;
		const char* what;
	} cases[] = {
		{"turn(3)", 1, "expected matrix, translate, scale, rotate, skewX or skewY"},
		{"scale(2) Rotate(3)", 10, "expected matrix"},
		{"skewx(3)", 1, "expected matrix"},
		{"scale(2) none", 10, "expected matrix"},
		{"translate", 10, "expected ("},
		{"translate 3", 11, "expected ("},
		{"translate()", 11, "expected a number"},
		{"translate(", 11, "expected a number"},
		{"translate(,1)", 11, "expected a number"},
		{"translate(1,,2)", 13, "expected a number"},
		{"translate(1,)", 13, "expected a number"},
		{"translate(1 x)", 13, "expected a number"},
		{"translate(1", 12, "expected a comma, a blank or )"},
		{"rotate(90deg)", 10, "expected a comma, a blank or )"},
		{"translate(nan)", 11, "expected a number"},
		{"translate(inf 0)", 11, "expected a number"},
		{"translate(0x10)", 12, "expected a comma"},
		{"translate(1 1e10)", 13, "too large"},
		{"translate(1e999)", 11, "too large"},
		{"translate(1 2 3)", 1, "translate takes 1 or 2 numbers"},
		{"scale(1) scale(1 2 3)", 10, "scale takes 1 or 2 numbers"},
		{"rotate(1 2)", 1, "rotate takes 1 or 3 numbers"},
		{"skewX(1 2)", 1, "skewX takes 1 number"},
		{"skewY(1 2)", 1, "skewY takes 1 number"},
		{"matrix(1 0 0 1 0)", 1, "matrix takes 6 numbers"},
		{"matrix(1 0 0 1 0 0 7)", 20, "expected )"},
		{"scale(0)", 1, "singular"},
		{"rotate(9) scale(1 0)", 11, "singular"},
		{"matrix(1 2 2 4 0 0)", 1, "singular"},
		{"skewX(90)", 1, "singular"},
		{"scale(1e-200)", 1, "singular"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i)
	{
		char text[300], what[200];
		snprintf(what, sizeof(what), "character %d of the transform: ", cases[i].character);
		snprintf(text, sizeof(text), "<svg>\n  <g transform='%s'><g><path d='M0 0L1 1'/></g></g></svg>",
				 cases[i].transform);
		checkRefused(text, 2, 3, what);
		checkRefused(text, 2, 3, cases[i].what);
		snprintf(text, sizeof(text), "<svg>\n\n <path d='M0 0L1 1' transform='%s'/></svg>", cases[i].transform);
		checkRefused(text, 3, 2, what);
	}
	// All around together: no single one of them is at fault.
	char text[2000] = "<svg>";
	for (int i = 0; i < 40; ++i)
	{
		strcat(text, "<g transform='scale(1e9)'>");
	}
	strcat(text, "<path d='M0 0L1 1'/>");
	checkRefused(text, 1, 5 + 17 * 26 + 1, "not finite");
	checkRefused("<svg><g transform='scale(1e9)'><path d='M0 0L1e9 1'/></g></svg>", 1, 32, "too far away");
	checkRefused("<svg><path style='fill:none;transform:rotate(3deg)' d='M0 0L1 1'/></svg>", 1, 6, "in a style");
	checkRefused("<svg><g transform='scale(2)' transform-origin='1 1'><path d='M0 0L1 1'/></g></svg>", 1, 6,
				 "transform-origin");
}

// ---- curves

static double getGap(Spot p, Spot a, Spot b)
{
	double dx = b.x - a.x, dy = b.y - a.y, square = dx * dx + dy * dy;
	double t = square > 0.0 ? fmin(fmax(((p.x - a.x) * dx + (p.y - a.y) * dy) / square, 0.0), 1.0) : 0.0;
	return hypot(p.x - a.x - t * dx, p.y - a.y - t * dy);
}

// How far places of a curve lie from the chords, metres.
static double getError(const Path* path, Spot (*curve)(double t))
{
	double max = 0.0;
	for (int k = 0; k <= 3000; ++k)
	{
		Spot p = curve(k / 3000.0);
		double best = 1e9;
		for (int i = 1; i < path->count; ++i)
		{
			const rpVec2* at = &path->points[i];
			best = fmin(best, getGap(p, (Spot){at[-1].x, at[-1].y}, (Spot){at->x, at->y}));
		}
		max = fmax(max, best);
	}
	return max;
}

// scale(300 900) skewX(40) of a unit circle, in metres on the floor.
static Spot getEllipse(double t)
{
	double angle = 2.0 * acos(-1.0) * t, x = cos(angle), y = sin(angle), slope = tan(acos(-1.0) * 40.0 / 180.0);
	return (Spot){-3.0 * (x + slope * y), -9.0 * y};
}

static Spot getCubic(double t)
{
	double u = 1.0 - t, b = 3.0 * u * u * t, c = 3.0 * u * t * t, d = t * t * t;
	return (Spot){-20.0 * (c + d), -5.0 * (b + c)};
}

static void testTolerance(void** state)
{
	(void)state;
	static const struct
	{
		const char* text;
		Spot (*curve)(double t);
	} cases[] = {
		{"<svg><g transform='scale(300 900)'><path transform='skewX(40)' d='M1 0A1 1 0 0 1-1 0 1 1 0 0 1 1 "
		 "0'/></g></svg>",
		 getEllipse},
		{"<svg><g transform='scale(300 900) skewX(40)'><circle r='1'/></g></svg>", getEllipse},
		{"<svg><g transform='scale(300 900) skewX(40) scale(.001)'><circle r='1000'/></g></svg>", getEllipse},
		{"<svg><g transform='scale(2000 500)'><path d='M0 0C0 1 1 1 1 0'/></g></svg>", getCubic},
		{"<svg><g transform='scale(.02 .005)'><path d='M0 0C0 1e5 1e5 1e5 1e5 0'/></g></svg>", getCubic},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i)
	{
		Path path = readPath(cases[i].text);
		double error = getError(&path, cases[i].curve);
		if (!(error > 1e-5 && error < 0.005 + 1e-5) || path.count > 300)
		{
			fail_msg("%s: %g m off, %d points", cases[i].text, error, path.count);
		}
		rpFreeBytes(path.points);
	}
}

// ---- what is drawn

static void testDrawn(void** state)
{
	(void)state;
	static const char* const hidden[] = {
		"<defs>%s</defs>",
		"<clipPath>%s</clipPath>",
		"<symbol>%s</symbol>",
		"<marker>%s</marker>",
		"<mask>%s</mask>",
		"<pattern>%s</pattern>",
		"<g display='none'>%s</g>",
		"<g style='display:none'>%s</g>",
		"<g style='fill:none; display : none ;stroke:red'>%s</g>",
		"<g display='inline' style='display:none!important'>%s</g>",
		"<g display='none'><g display='inline'><a>%s</a></g></g>",
		"<svg:defs><g>%s</g></svg:defs>",
	};
	static const char* const shown[] = {
		"<g>%s</g>",
		"<g display='inline' style='fill:none;stroke:none'>%s</g>",
		"<g display='none' style='display:inline'>%s</g>",
		"<g style='-x-display:none'>%s</g>",
		"<defs/><g style='display'>%s</g>",
	};
	const char* inner = "<path d='M7 7L8 8'/><rect width='3' height='3'/>";
	const double first[] = {7, 7, 8, 8}, second[] = {1, 2, 3, 4};
	for (size_t i = 0; i < sizeof(hidden) / sizeof(hidden[0]); ++i)
	{
		char part[300], text[400];
		snprintf(part, sizeof(part), hidden[i], inner);
		snprintf(text, sizeof(text), "<svg>%s<path d='M1 2L3 4'/></svg>", part);
		checkFile(text, second, 2);
		Path path = readPath(text);
		assert_int_equal(path.strokeCount, 1);
		rpFreeBytes(path.points);
		snprintf(text, sizeof(text), "<svg>%s</svg>", part);
		checkRefused(text, 1, (int)strlen(text) + 1, "that is drawn");
	}
	for (size_t i = 0; i < sizeof(shown) / sizeof(shown[0]); ++i)
	{
		char part[300], text[400];
		snprintf(part, sizeof(part), shown[i], inner);
		snprintf(text, sizeof(text), "<svg>%s<path d='M1 2L3 4'/></svg>", part);
		checkFile(text, first, 2);
	}
	checkFile("<svg><path display='none' d='M7 7L8 8'/><path d='M1 2L3 4'/></svg>", second, 2);
}

static void testShapes(void** state)
{
	(void)state;
	const double line[] = {10, 20, 30, -40}, box[] = {5, 6, 15, 6, 15, 26, 5, 26, 5, 6};
	const double triangle[] = {0, 0, 10, 0, 10, 10, 0, 0};
	checkFile("<svg><line x1='10' y1='20px' x2=' 30 ' y2='-4e1'/></svg>", line, 2);
	checkFile("<svg><rect x='5' y='6' width='10' height='20' rx='0'/></svg>", box, 5);
	checkFile("<svg><polygon points='0,0 10,0 10,10'/></svg>", triangle, 4);
	checkFile("<svg><g transform='translate(5,6)'><rect width='1' height='2' transform='scale(10)'/></g></svg>", box,
			  5);
	Path path = readPath("<svg><ellipse cx='100' cy='-200' rx='300' ry='50'/></svg>");
	for (int i = 0; i < path.count; ++i)
	{
		double x = (double)path.points[i].x + 1.0, y = (double)path.points[i].y - 2.0;
		assert_float_equal(hypot(x / 3.0, y / 0.5), 1.0, 1e-5);
	}
	// From the page's right on, clockwise on the page as SVG has it, and closed.
	assert_float_equal(path.points[0].x, -4.0, 1e-5);
	assert_true(path.points[1].y < path.points[0].y);
	assert_memory_equal(&path.points[0], &path.points[path.count - 1], sizeof(rpVec2));
	rpFreeBytes(path.points);

	// A background does not hide the path, whatever its lengths; nor does what has no size.
	checkFile("<svg><rect width='100%' height='100%'/><path d='M10 20L30-40'/></svg>", line, 2);
	checkFile(
		"<svg><circle r='0'/><line x1='3' x2='3'/><rect width='5'/><line x1='10' y1='20' x2='30' y2='-40'/></svg>",
		line, 2);
	path = readPath("<svg><circle r='3'/><rect width='1' height='1'/></svg>");
	assert_int_equal(path.strokeCount, 2);
	rpFreeBytes(path.points);
	checkRefused("<svg>\n<circle r='5%'/></svg>", 2, 1, "r is \"5%\": expected a number");
	checkRefused("<svg><rect width='5' height='1e10'/></svg>", 1, 6, "height is \"1e10\"");
	checkRefused("<svg><rect width='5' height='4' rx='1'/></svg>", 1, 6, "round corners");
	checkRefused("<svg><g transform='x'><circle r='5'/></g></svg>", 1, 6, "character 1 of the transform");
}

static bool attempt(void* context, rpError* error)
{
	const char* text = context;
	rpVec2* points;
	int count;
	if (!rpReadSvgPath(text, strlen(text), 0.01, &points, &count, NULL, error))
	{
		return false;
	}
	rpFreeBytes(points);
	return true;
}

static void testMemory(void** state)
{
	(void)state;
	static char text[] = "<svg><g transform='rotate(3)'><circle r='9'/><polygon points='0,0 5,5 5,0'/></g></svg>";
	testUseCountingAllocator();
	testFailEach(attempt, text, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testFunctions), cmocka_unit_test(testNesting), cmocka_unit_test(testErrors),
		cmocka_unit_test(testTolerance), cmocka_unit_test(testDrawn),   cmocka_unit_test(testShapes),
		cmocka_unit_test(testMemory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
