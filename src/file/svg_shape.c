#include "file/svg_shape.h"

#include "base/error.h"
#include "file/number.h"

#include <math.h>
#include <string.h>

// As for the numbers of path data.
#define LARGEST_NUMBER 1e9

#define CIRCLE "M1 0A1 1 0 0 1 0 1A1 1 0 0 1-1 0A1 1 0 0 1 0-1A1 1 0 0 1 1 0Z"

// Each begins where SVG 2 (chapter 10) begins it, and goes round in the same direction.
static const struct
{
	const char* element;
	const char* lengths[4];
	const char* data;
} s_shapes[] = {
	{"line", {"x1", "y1", "x2", "y2"}, "M0 0H1"},
	{"rect", {"x", "y", "width", "height"}, "M0 0H1V1H0Z"},
	{"circle", {"cx", "cy", "r", "r"}, CIRCLE},
	{"ellipse", {"cx", "cy", "rx", "ry"}, CIRCLE},
};

#define SHAPE_COUNT ((int)(sizeof(s_shapes) / sizeof(s_shapes[0])))

const char* rpFindSvgAttribute(const char* const* attributes, const char* name)
{
	for (int i = 0; attributes[i] != NULL; i += 2)
	{
		if (strcmp(attributes[i], name) == 0)
		{
			return attributes[i + 1];
		}
	}
	return NULL;
}

// A length in user units, 0 where it is not given.
static bool readLength(const char* const* attributes, const char* name, double* out, rpError* error)
{
	const char* text = rpFindSvgAttribute(attributes, name);
	*out = 0.0;
	if (text == NULL)
	{
		return true;
	}
	const char* end = text + strlen(text);
	const char* after = rpParseDouble(rpSkipBlanks(text, end), end, '.', out);
	after = after != NULL && strncmp(after, "px", 2) == 0 ? after + 2 : after;
	if (after == NULL || rpSkipBlanks(after, end) != end || !(fabs(*out) <= LARGEST_NUMBER))
	{
		return rpFail(error, rp_errorFormat, "%s is \"%.40s\": expected a number up to 1e9 without a unit", name, text);
	}
	return true;
}

static bool checkCorners(const char* const* attributes, rpError* error)
{
	double rx, ry;
	if (!readLength(attributes, "rx", &rx, error) || !readLength(attributes, "ry", &ry, error))
	{
		return false;
	}
	return (rx == 0.0 && ry == 0.0) ||
		   rpFail(error, rp_errorFormat, "round corners of a <rect> are not read: expected a <path>");
}

bool rpGetSvgShape(const char* element, const char* const* attributes, const char** data, rpAffine* map, rpError* error)
{
	int which = 0;
	while (which < SHAPE_COUNT && strcmp(element, s_shapes[which].element) != 0)
	{
		++which;
	}
	*data = NULL;
	if (which == SHAPE_COUNT)
	{
		return true;
	}
	double v[4];
	for (int i = 0; i < 4; ++i)
	{
		if (!readLength(attributes, s_shapes[which].lengths[i], &v[i], error))
		{
			return false;
		}
	}
	double dx = v[2] - v[0], dy = v[3] - v[1];
	bool isLine = strcmp(element, "line") == 0;
	if (strcmp(element, "rect") == 0 && !checkCorners(attributes, error))
	{
		return false;
	}
	if (isLine ? dx != 0.0 || dy != 0.0 : v[2] > 0.0 && v[3] > 0.0)
	{
		rpAffine size = isLine ? (rpAffine){dx, dy, -dy, dx, v[0], v[1]} : (rpAffine){v[2], 0.0, 0.0, v[3], v[0], v[1]};
		*data = s_shapes[which].data;
		*map = rpAffine_Multiply(*map, size);
	}
	return true;
}
