/// A path to follow from an SVG file: the first <path>, <polyline> or <polygon> in it. Transforms are not applied. XML
/// is read by expat; entities are refused, depth and size are limited.
#include "base/error.h"
#include "base/memory.h"
#include "file/bytes.h"
#include "file/svg_path.h"
#include "reprise/file.h"

#include <expat.h>
#include <math.h>
#include <string.h>

#define LARGEST_FILE ((size_t)16 << 20)
#define DEEPEST 256

// Curves become chords no farther from them than this, metres.
#define TOLERANCE 0.005

typedef struct Reader
{
	XML_Parser parser;
	int depth;
	bool isRefused;
	/// The first path's data, once found; and how many strokes there are in all.
	char* data;
	int strokeCount;
	bool isPolyline;
	int line, column;
	rpError* error;
	bool failed;
} Reader;

static const char* findAttribute(const char** attributes, const char* name)
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

// The part of an element's name behind its namespace.
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

static void onStart(void* context, const char* name, const char** attributes)
{
	Reader* reader = context;
	const char* local = getLocalName(name);
	bool isPath = strcmp(local, "path") == 0;
	bool isPolyline = strcmp(local, "polyline") == 0 || strcmp(local, "polygon") == 0;
	const char* data = isPath       ? findAttribute(attributes, "d")
					   : isPolyline ? findAttribute(attributes, "points")
									: NULL;
	if (++reader->depth > DEEPEST)
	{
		reader->isRefused = true;
		stop(reader);
	}
	else if (data != NULL)
	{
		reader->strokeCount += isPolyline ? 1 : countStrokes(data);
	}
	if (data != NULL && reader->data == NULL && !reader->isRefused)
	{
		reader->data = rpCopyString(data, reader->error);
		reader->failed = reader->data == NULL;
		reader->isPolyline = isPolyline;
		reader->line = (int)XML_GetCurrentLineNumber(reader->parser);
		reader->column = (int)XML_GetCurrentColumnNumber(reader->parser) + 1;
	}
	if (reader->failed)
	{
		stop(reader);
	}
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
	if (reader->failed || reader->data != NULL)
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
	rpFailAt(reader->error, rp_errorFormat, line, column, "there is no <path> and no <polyline> in it");
	rpError_SetHint(reader->error, "draw the path as one curve, and save it as plain SVG");
	return false;
}

// Points of a polyline are path data without letters.
static bool parseData(Reader* reader, double tolerance, rpPathPoints* out)
{
	rpText text = {0};
	if (reader->isPolyline)
	{
		rpText_AppendString(&text, "M ");
	}
	rpText_AppendString(&text, reader->data);
	bool done = text.failed ? rpFail(reader->error, rp_errorMemory, "out of memory")
							: rpParsePathData(text.data, tolerance, out, reader->error);
	if (!done && reader->error != NULL && reader->error->column > 0)
	{
		// The column in the data, told as such; the place is the element's.
		int column = reader->error->column - (reader->isPolyline ? 2 : 0);
		char message[200];
		memcpy(message, reader->error->message, sizeof(message) - 1);
		message[sizeof(message) - 1] = 0;
		rpFailAt(reader->error, rp_errorFormat, reader->line, reader->column, "character %d of the path's data: %s",
				 column, message);
	}
	rpText_Free(&text);
	return done;
}

bool rpReadSvgPath(const void* bytes, size_t size, double metresPerUnit, rpVec2** points, int* count, int* strokeCount,
				   rpError* error)
{
	Reader reader = {.error = error};
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
	bool done = parse(&reader, &view) && parseData(&reader, TOLERANCE / metresPerUnit, &out);
	XML_ParserFree(reader.parser);
	rpFree(reader.data);
	if (!done)
	{
		rpFree(out.points);
		return false;
	}
	// Seen from above with +Z up the page, the character's left (+X) is on the left: x and y change their signs.
	for (int i = 0; i < out.count; ++i)
	{
		out.points[i] = (rpVec2){(float)(-metresPerUnit * out.points[i].x), (float)(-metresPerUnit * out.points[i].y)};
	}
	*points = out.points;
	*count = out.count;
	if (strokeCount != NULL)
	{
		*strokeCount = reader.strokeCount;
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
