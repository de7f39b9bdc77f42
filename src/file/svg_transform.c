#include "file/svg_transform.h"

#include "base/error.h"
#include "file/number.h"
#include "reprise/play/math.h"

#include <math.h>
#include <string.h>

// As for the numbers of path data.
#define LARGEST_NUMBER 1e9

// A map whose lesser stretch is this small beside its greater one leaves a line of the plane.
#define FLATTEST 1e-12

#define MAX_NUMBERS 6

typedef struct Parser
{
	const char* text;
	const char* at;
	const char* end;
	rpError* error;
} Parser;

// The functions, and which counts of numbers they take: bit n for n numbers.
static const struct
{
	const char* name;
	unsigned counts;
	const char* expected;
} s_functions[] = {
	{"matrix", 1u << 6, "matrix takes 6 numbers"},
	{"translate", 1u << 1 | 1u << 2, "translate takes 1 or 2 numbers"},
	{"scale", 1u << 1 | 1u << 2, "scale takes 1 or 2 numbers"},
	{"rotate", 1u << 1 | 1u << 3, "rotate takes 1 or 3 numbers"},
	{"skewX", 1u << 1, "skewX takes 1 number"},
	{"skewY", 1u << 1, "skewY takes 1 number"},
};

#define FUNCTION_COUNT ((int)(sizeof(s_functions) / sizeof(s_functions[0])))

rpAffine rpAffine_Multiply(rpAffine o, rpAffine i)
{
	return (rpAffine){
		o.a * i.a + o.c * i.b, o.b * i.a + o.d * i.b,       o.a * i.c + o.c * i.d,
		o.b * i.c + o.d * i.d, o.a * i.e + o.c * i.f + o.e, o.b * i.e + o.d * i.f + o.f,
	};
}

double rpAffine_GetStretch(rpAffine map)
{
	return 0.5 * (hypot(map.a + map.d, map.b - map.c) + hypot(map.a - map.d, map.b + map.c));
}

static bool fail(const Parser* parser, const char* at, const char* what)
{
	return rpFailAt(parser->error, rp_errorFormat, 1, (int)(at - parser->text) + 1, "%s", what);
}

static void skipBlanks(Parser* parser)
{
	parser->at = rpSkipBlanks(parser->at, parser->end);
}

static bool readNumber(Parser* parser, double* out)
{
	const char* after = rpParseDouble(parser->at, parser->end, '.', out);
	if (after == NULL)
	{
		return fail(parser, parser->at, "expected a number");
	}
	if (!(fabs(*out) <= LARGEST_NUMBER))
	{
		return fail(parser, parser->at, "this number is too large");
	}
	parser->at = after;
	return true;
}

// Numbers in brackets. Between two of them stands a comma, blanks, or nothing where a sign or point begins the next.
static bool readNumbers(Parser* parser, double* numbers, int* count)
{
	skipBlanks(parser);
	if (*parser->at != '(')
	{
		return fail(parser, parser->at, "expected (");
	}
	++parser->at;
	skipBlanks(parser);
	for (*count = 0; *count < MAX_NUMBERS; skipBlanks(parser))
	{
		if (!readNumber(parser, &numbers[(*count)++]))
		{
			return false;
		}
		skipBlanks(parser);
		if (*parser->at == ')')
		{
			++parser->at;
			return true;
		}
		if (*parser->at == ',')
		{
			++parser->at;
		}
		else if (!rpIsBlank(parser->at[-1]) && (*parser->at == 0 || strchr("+-.", *parser->at) == NULL))
		{
			return fail(parser, parser->at, "expected a comma, a blank or )");
		}
	}
	return fail(parser, parser->at, "expected )");
}

static rpAffine getRotation(double degrees, double x, double y)
{
	double c = cos(degrees * RP_DEGREE), s = sin(degrees * RP_DEGREE);
	return (rpAffine){c, s, -s, c, x - c * x + s * y, y - s * x - c * y};
}

// The map of a function by its letters, with the numbers that are not given: scale's second is its first.
static rpAffine getMap(const char* name, const double* n, int count)
{
	switch (name[0])
	{
	case 'm':
		return (rpAffine){n[0], n[1], n[2], n[3], n[4], n[5]};
	case 't':
		return (rpAffine){1.0, 0.0, 0.0, 1.0, n[0], n[1]};
	case 'r':
		return getRotation(n[0], n[1], n[2]);
	default:
		break;
	}
	if (strcmp(name, "scale") == 0)
	{
		return (rpAffine){n[0], 0.0, 0.0, count == 2 ? n[1] : n[0], 0.0, 0.0};
	}
	double slope = tan(n[0] * RP_DEGREE);
	return name[4] == 'X' ? (rpAffine){1.0, 0.0, slope, 1.0, 0.0, 0.0} : (rpAffine){1.0, slope, 0.0, 1.0, 0.0, 0.0};
}

static bool checkMap(const Parser* parser, const char* at, rpAffine map)
{
	double stretch = rpAffine_GetStretch(map), area = fabs(map.a * map.d - map.b * map.c);
	if (!isfinite(stretch) || !isfinite(area) || !isfinite(map.e) || !isfinite(map.f))
	{
		return fail(parser, at, "from here on the transform is not finite: expected smaller numbers");
	}
	return (area > 0.0 && area > FLATTEST * stretch * stretch) ||
		   fail(parser, at, "from here on the transform is singular: expected one that leaves an area");
}

static bool readFunction(Parser* parser, rpAffine* map)
{
	const char* start = parser->at;
	size_t length = strspn(start, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
	int which = 0;
	while (which < FUNCTION_COUNT &&
		   (strlen(s_functions[which].name) != length || strncmp(start, s_functions[which].name, length) != 0))
	{
		++which;
	}
	if (which == FUNCTION_COUNT)
	{
		return fail(parser, start, "expected matrix, translate, scale, rotate, skewX or skewY");
	}
	double numbers[MAX_NUMBERS] = {0};
	int count = 0;
	parser->at += length;
	if (!readNumbers(parser, numbers, &count))
	{
		return false;
	}
	if ((s_functions[which].counts >> count & 1u) == 0)
	{
		return fail(parser, start, s_functions[which].expected);
	}
	*map = rpAffine_Multiply(*map, getMap(s_functions[which].name, numbers, count));
	return checkMap(parser, start, *map);
}

bool rpParseTransform(const char* text, rpAffine* map, rpError* error)
{
	Parser parser = {.text = text, .at = text, .end = text + strlen(text), .error = error};
	skipBlanks(&parser);
	if (parser.end - parser.at >= 4 && memcmp(parser.at, "none", 4) == 0 &&
		rpSkipBlanks(parser.at + 4, parser.end) == parser.end)
	{
		return true;
	}
	while (parser.at < parser.end)
	{
		if (!readFunction(&parser, map))
		{
			return false;
		}
		// Between functions SVG 1.1 lets any number of commas stand.
		parser.at += strspn(parser.at, " \t\r\n\f,");
	}
	return true;
}
