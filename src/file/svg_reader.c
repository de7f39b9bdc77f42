/// A path to follow from an SVG file: the first <path>, <polyline> or <polygon> that is drawn, or the first basic shape
/// where there is none of these (a <rect> before them is mostly the background). Transforms of the shape and of all
/// around it are applied. XML is read by expat; entities are refused, depth and size are limited.
#include "base/error.h"
#include "base/memory.h"
#include "file/bytes.h"
#include "file/svg_path.h"
#include "file/svg_shape.h"
#include "reprise/file.h"

#include <expat.h>
#include <math.h>
#include <string.h>

#define LARGEST_FILE ((size_t)16 << 20)
#define DEEPEST 256

// Curves become chords no farther from them than this, metres.
#define TOLERANCE 0.005

// An element around the present one, or that one itself: from its units to metres on the floor.
typedef struct Frame
{
	rpAffine map;
	bool isHidden;
	/// Its transform, or that of one around it, cannot be read; the reader's trouble says why.
	bool isBad;
} Frame;

// What is taken of the file.
typedef struct Found
{
	/// Path data after `prefix` characters that the file does not have.
	rpText data;
	int prefix;
	rpAffine map;
	int line, column;
	/// It is neither path nor polyline nor polygon, and gives way to the first of these.
	bool isBasic, isFound;
	/// Why it cannot be read, if so.
	rpError trouble;
} Found;

typedef struct Reader
{
	XML_Parser parser;
	int depth;
	Frame frames[DEEPEST + 1];
	bool isRefused;
	Found found;
	/// How many there are in all: strokes of paths, polylines and polygons, and basic shapes.
	int strokeCount, basicCount;
	rpError trouble;
	rpError* error;
	bool failed;
} Reader;

// The part of an element's name after its namespace.
static const char* getLocalName(const char* name)
{
	const char* colon = strrchr(name, ':');
	return colon != NULL ? colon + 1 : name;
}

static void stop(Reader* reader)
{
	XML_StopParser(reader->parser, XML_FALSE);
}

// A stroke begins where the pen is moved.
static int countStrokes(const char* data)
{
	int count = 0;
	for (; *data != 0; ++data)
	{
		count += *data == 'M' || *data == 'm';
	}
	return count;
}

// The value of a property in a style attribute ("fill:none; display:inline"), of *length characters; NULL where it is
// not given.
static const char* findStyle(const char* const* attributes, const char* name, size_t* length)
{
	static const char blanks[] = " \t\r\n\f";
	size_t nameLength = strlen(name);
	const char* at = rpFindSvgAttribute(attributes, "style");
	while (at != NULL)
	{
		at += strspn(at, blanks);
		if (strncmp(at, name, nameLength) == 0)
		{
			const char* colon = at + nameLength + strspn(at + nameLength, blanks);
			if (*colon == ':')
			{
				const char* value = colon + 1 + strspn(colon + 1, blanks);
				*length = strcspn(value, "; \t\r\n\f!");
				return value;
			}
		}
		at = strchr(at, ';');
		at = at != NULL ? at + 1 : NULL;
	}
	return NULL;
}

// Is the element, with all inside it, not drawn where it stands?
static bool isNotDrawn(const char* local, const char* const* attributes)
{
	static const char* const kept[] = {"defs", "clipPath", "symbol", "marker", "mask", "pattern"};
	for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); ++i)
	{
		if (strcmp(local, kept[i]) == 0)
		{
			return true;
		}
	}
	// The style goes before the attribute.
	size_t length = 0;
	const char* display = findStyle(attributes, "display", &length);
	if (display == NULL)
	{
		display = rpFindSvgAttribute(attributes, "display");
		length = display != NULL ? strlen(display) : 0;
	}
	return length == 4 && strncmp(display, "none", 4) == 0;
}

// Say where in which attribute: the place is the element's, error's column that in the attribute.
static void reportPlace(rpError* error, int line, int column, const char* attribute, int prefix)
{
	rpError why = *error;
	rpFailAt(error, rp_errorFormat, line, column, "character %d of the %s: %.300s", why.column - prefix, attribute,
			 why.message);
}

static int getLine(const Reader* reader)
{
	return (int)XML_GetCurrentLineNumber(reader->parser);
}

static int getColumn(const Reader* reader)
{
	return (int)XML_GetCurrentColumnNumber(reader->parser) + 1;
}

static bool readTransform(const Reader* reader, const char* const* attributes, rpAffine* map, rpError* error)
{
	const char* text = rpFindSvgAttribute(attributes, "transform");
	int line = getLine(reader), column = getColumn(reader);
	size_t length;
	if (findStyle(attributes, "transform", &length) != NULL)
	{
		return rpFailAt(error, rp_errorFormat, line, column,
						"a transform in a style is not read: expected a transform attribute");
	}
	if (text == NULL)
	{
		return true;
	}
	if (rpFindSvgAttribute(attributes, "transform-origin") != NULL ||
		findStyle(attributes, "transform-origin", &length) != NULL)
	{
		return rpFailAt(error, rp_errorFormat, line, column,
						"a transform-origin is not read: expected a transform without it");
	}
	if (!rpParseTransform(text, map, error))
	{
		reportPlace(error, line, column, "transform", 0);
		return false;
	}
	return true;
}

// Take a shape's data, with its trouble if it has any.
static void take(Reader* reader, const char* before, const char* data, const char* after, Found found)
{
	rpText_Free(&reader->found.data);
	found.isFound = true;
	found.prefix = (int)strlen(before);
	found.line = getLine(reader);
	found.column = getColumn(reader);
	rpText_AppendString(&found.data, before);
	rpText_AppendString(&found.data, data);
	rpText_AppendString(&found.data, after);
	reader->found = found;
	if (found.data.failed)
	{
		reader->failed = true;
		rpFail(reader->error, rp_errorMemory, "out of memory");
		stop(reader);
	}
}

static void takeBasic(Reader* reader, const char* local, const char* const* attributes, Found found)
{
	const char* data;
	rpError why = {0};
	found.isBasic = true;
	bool done = rpGetSvgShape(local, attributes, &data, &found.map, &why);
	if (done && data == NULL)
	{
		return;
	}
	if (!done && found.trouble.code == rp_errorNone)
	{
		rpFailAt(&found.trouble, rp_errorFormat, getLine(reader), getColumn(reader), "%s", why.message);
	}
	++reader->basicCount;
	if (!reader->found.isFound)
	{
		take(reader, "", done ? data : "", "", found);
	}
}

// Points of a polyline are path data without letters; a polygon is closed.
static void takeShape(Reader* reader, const char* local, const char* const* attributes, Found found)
{
	bool isPath = strcmp(local, "path") == 0, isPolygon = strcmp(local, "polygon") == 0;
	bool isPolyline = isPolygon || strcmp(local, "polyline") == 0;
	if (!isPath && !isPolyline)
	{
		takeBasic(reader, local, attributes, found);
		return;
	}
	const char* data = rpFindSvgAttribute(attributes, isPath ? "d" : "points");
	if (data == NULL)
	{
		return;
	}
	reader->strokeCount += isPath ? countStrokes(data) : 1;
	if (!reader->found.isFound || reader->found.isBasic)
	{
		take(reader, isPath ? "" : "M ", data, isPolygon ? "Z" : "", found);
	}
}

static void onStart(void* context, const char* name, const char** attributes)
{
	Reader* reader = context;
	const char* const* list = (const char* const*)attributes;
	const char* local = getLocalName(name);
	if (reader->isRefused || reader->failed)
	{
		return;
	}
	if (++reader->depth > DEEPEST)
	{
		reader->isRefused = true;
		stop(reader);
		return;
	}
	Frame* frame = &reader->frames[reader->depth];
	*frame = frame[-1];
	frame->isHidden = frame->isHidden || isNotDrawn(local, list);
	if (frame->isHidden)
	{
		return;
	}
	if (!frame->isBad)
	{
		frame->isBad = !readTransform(reader, list, &frame->map, &reader->trouble);
	}
	// A transform that cannot be read matters only to what is taken.
	takeShape(reader, local, list,
			  (Found){.map = frame->map, .trouble = frame->isBad ? reader->trouble : (rpError){0}});
}

static void onEnd(void* context, const char* name)
{
	Reader* reader = context;
	(void)name;
	--reader->depth;
}

static void onEntity(void* context, const char* name, int isParameter, const char* value, int size, const char* base,
					 const char* systemId, const char* publicId, const char* notation)
{
	Reader* reader = context;
	(void)name, (void)isParameter, (void)value, (void)size, (void)base, (void)systemId, (void)publicId, (void)notation;
	reader->isRefused = true;
	stop(reader);
}

static bool parse(Reader* reader, const rpBytes* bytes)
{
	XML_SetUserData(reader->parser, reader);
	XML_SetElementHandler(reader->parser, onStart, onEnd);
	XML_SetEntityDeclHandler(reader->parser, onEntity);
	enum XML_Status status = XML_Parse(reader->parser, bytes->data, (int)bytes->size, XML_TRUE);
	int line = (int)XML_GetCurrentLineNumber(reader->parser),
		column = (int)XML_GetCurrentColumnNumber(reader->parser) + 1;
	if (reader->failed || reader->found.isFound)
	{
		return !reader->failed;
	}
	if (reader->isRefused)
	{
		return rpFailAt(reader->error, rp_errorFormat, line, column,
						"entities and elements deeper than %d are not read", DEEPEST);
	}
	if (status == XML_STATUS_ERROR)
	{
		return rpFailAt(reader->error, rp_errorFormat, line, column, "this is no SVG: %s",
						XML_ErrorString(XML_GetErrorCode(reader->parser)));
	}
	rpFailAt(reader->error, rp_errorFormat, line, column, "there is no <path> and no <polyline> in it that is drawn");
	rpError_SetHint(reader->error, "draw the path as one curve, and save it as plain SVG");
	return false;
}

static bool parseFound(const Found* found, rpPathPoints* out, rpError* error)
{
	rpError why = found->trouble;
	if (why.code == rp_errorNone && rpParsePathData(found->data.data, found->map, TOLERANCE, out, &why))
	{
		return true;
	}
	if (found->trouble.code == rp_errorNone && why.column > 0)
	{
		reportPlace(&why, found->line, found->column, "path's data", found->prefix);
	}
	if (error != NULL)
	{
		*error = why;
	}
	return false;
}

bool rpReadSvgPath(const void* bytes, size_t size, double metresPerUnit, rpVec2** points, int* count, int* strokeCount,
				   rpError* error)
{
	// Seen from above with +Z up the page, the character's left (+X) is on the left: x and y change their signs.
	Reader reader = {.error = error, .frames = {{.map = {.a = -metresPerUnit, .d = -metresPerUnit}}}};
	rpBytes view = {bytes, size};
	rpPathPoints out = {0};
	if (size > LARGEST_FILE)
	{
		return rpFail(error, rp_errorLimit, "an SVG file of %zu bytes; at most %zu are read", size, LARGEST_FILE);
	}
	reader.parser = XML_ParserCreate(NULL);
	if (reader.parser == NULL)
	{
		return rpFail(error, rp_errorMemory, "out of memory");
	}
	bool done = parse(&reader, &view) && parseFound(&reader.found, &out, error);
	XML_ParserFree(reader.parser);
	rpText_Free(&reader.found.data);
	if (!done)
	{
		rpFree(out.points);
		return false;
	}
	*points = out.points;
	*count = out.count;
	if (strokeCount != NULL)
	{
		*strokeCount = reader.found.isBasic ? reader.basicCount : reader.strokeCount;
	}
	return true;
}

bool rpLoadSvgPath(const char* path, double metresPerUnit, rpVec2** points, int* count, int* strokeCount,
				   rpError* error)
{
	rpBytes bytes;
	if (!rpOpenBytes(path, &bytes, error))
	{
		return false;
	}
	bool done = rpReadSvgPath(bytes.data, bytes.size, metresPerUnit, points, count, strokeCount, error);
	rpCloseBytes(&bytes);
	if (!done)
	{
		rpError_SetFile(error, path);
	}
	return done;
}
