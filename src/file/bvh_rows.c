/// The rows of a BVH file, straight from bytes to rotations: one row of numbers is all the scratch there is.
#include "base/error.h"
#include "base/memory.h"
#include "file/bvh_text.h"
#include "file/number.h"

#include <math.h>
#include <string.h>

// A joint without channels takes memory in every row and no bytes in the file. A file may become this many bytes, and
// this many more for each of its own: no real one comes near, and a small one cannot fill the machine.
#define FREE_BYTES 268435456.0
#define BYTES_PER_BYTE 100.0

// What reading the rows needs besides their results.
typedef struct RowReader
{
	BvhText* text;
	const BvhHierarchy* hierarchy;
	BvhRows* out;
	bool addOffsets;
	const char* firstRow;

	// What the file claims, or 0.
	double expectedCount;

	BvhTurner turner;
	// [columnCount + 1], the last always 0.
	float* row;
} RowReader;

void bvhFreeRows(BvhRows* rows)
{
	rpFree(rows->rootPositions);
	rpFree(rows->rotations);
	rpFree(rows->translations);
	rpFree(rows->lowest);
	rpFree(rows->highest);
	*rows = (BvhRows){0};
}

static bool hasTranslations(const BvhHierarchy* hierarchy)
{
	for (int i = 1; i < hierarchy->jointCount; ++i)
	{
		if (hierarchy->joints[i].positionCount > 0)
		{
			return true;
		}
	}
	return false;
}

static bool prepare(RowReader* reader)
{
	const BvhHierarchy* hierarchy = reader->hierarchy;
	rpError* error = reader->text->error;
	size_t jointCount = (size_t)hierarchy->jointCount;
	reader->row = rpAllocateZero((size_t)hierarchy->columnCount + 1, sizeof(float), error);
	if (reader->row == NULL || !bvhCreateTurner(hierarchy, &reader->turner, error))
	{
		return false;
	}
	if (hasTranslations(hierarchy))
	{
		reader->out->lowest = rpAllocate(jointCount, sizeof(rpVec3), error);
		reader->out->highest = rpAllocate(jointCount, sizeof(rpVec3), error);
		return reader->out->lowest != NULL && reader->out->highest != NULL;
	}
	return true;
}

static bool resize(RowReader* reader, int capacity)
{
	BvhRows* out = reader->out;
	rpError* error = reader->text->error;
	size_t frames = (size_t)capacity, rotations = frames * (size_t)reader->hierarchy->jointCount;
	rpVec3* positions = rpReallocate(out->rootPositions, frames, sizeof(rpVec3), error);
	out->rootPositions = positions != NULL ? positions : out->rootPositions;
	rpQuat* quats = positions != NULL ? rpReallocate(out->rotations, rotations, sizeof(rpQuat), error) : NULL;
	out->rotations = quats != NULL ? quats : out->rotations;
	if (quats == NULL)
	{
		return false;
	}
	if (out->lowest != NULL)
	{
		rpVec3* translations = rpReallocate(out->translations, rotations, sizeof(rpVec3), error);
		out->translations = translations != NULL ? translations : out->translations;
		if (translations == NULL)
		{
			return false;
		}
	}
	out->capacity = capacity;
	return true;
}

static int getMaxFrames(const RowReader* reader)
{
	int jointCount = reader->hierarchy->jointCount;
	double bytes = FREE_BYTES + BYTES_PER_BYTE * (double)(reader->text->end - reader->text->start);
	double max = fmin((double)RP_MAX_ROTATIONS / jointCount, bytes / sizeof(rpQuat) / jointCount);
	return max < RP_MAX_FRAMES ? (int)max : RP_MAX_FRAMES;
}

// Reserve what the file promises, if its bytes can hold that: a number and what parts it from the next take two.
static bool reserve(RowReader* reader)
{
	ptrdiff_t bytes = reader->text->end - reader->text->at;
	double possible = floor(((double)bytes + 1.0) / 2.0 / reader->hierarchy->columnCount);
	double expected = reader->expectedCount;
	double count = expected >= 1.0 && expected <= possible ? expected : fmin(possible, 16.0);
	count = fmin(count, getMaxFrames(reader));
	return resize(reader, count < 1.0 ? 1 : (int)count);
}

// There are more rows than expected: as many as the rows so far let expect, and a little more.
static bool grow(RowReader* reader)
{
	const BvhText* text = reader->text;
	int frameCount = reader->out->frameCount;
	int max = getMaxFrames(reader);
	if (frameCount >= max)
	{
		return bvhFail(text, rp_errorLimit, text->at, "more than %d rows of %d joints", max,
					   reader->hierarchy->jointCount);
	}
	double bytesPerRow = (double)(text->at - reader->firstRow) / frameCount;
	double guess = frameCount + 1.02 * (double)(text->end - text->at) / bytesPerRow + 1.0;
	guess = fmax(guess, 1.25 * frameCount + 8.0);
	return resize(reader, guess < max ? (int)guess : max);
}

static float pick(const float* row, int column, float otherwise)
{
	return column >= 0 ? row[column] : otherwise;
}

// A joint's position channels, where it has them, else its OFFSET.
static rpVec3 getPosition(const BvhJoint* joint, const float* row, bool add)
{
	rpVec3 p = {pick(row, joint->columns[bvh_positionX], add ? 0.0f : joint->offset.x),
				pick(row, joint->columns[bvh_positionY], add ? 0.0f : joint->offset.y),
				pick(row, joint->columns[bvh_positionZ], add ? 0.0f : joint->offset.z)};
	return add ? rpAdd(p, joint->offset) : p;
}

static void placeJoints(RowReader* reader, int frame)
{
	const BvhHierarchy* hierarchy = reader->hierarchy;
	BvhRows* out = reader->out;
	out->rootPositions[frame] = getPosition(hierarchy->joints, reader->row, false);
	if (out->translations == NULL)
	{
		return;
	}
	rpVec3* translations = out->translations + (size_t)frame * (size_t)hierarchy->jointCount;
	translations[0] = hierarchy->joints[0].offset;
	for (int i = 1; i < hierarchy->jointCount; ++i)
	{
		rpVec3 p = getPosition(hierarchy->joints + i, reader->row, reader->addOffsets);
		rpVec3 low = frame == 0 ? p : out->lowest[i], high = frame == 0 ? p : out->highest[i];
		out->lowest[i] = (rpVec3){fminf(low.x, p.x), fminf(low.y, p.y), fminf(low.z, p.z)};
		out->highest[i] = (rpVec3){fmaxf(high.x, p.x), fmaxf(high.y, p.y), fmaxf(high.z, p.z)};
		translations[i] = p;
	}
}

static bool addRow(RowReader* reader)
{
	BvhRows* out = reader->out;
	if (out->frameCount == out->capacity && !grow(reader))
	{
		return false;
	}
	int frame = out->frameCount++;
	placeJoints(reader, frame);
	bvhTurnJoints(&reader->turner, reader->row, out->rotations + (size_t)frame * (size_t)reader->hierarchy->jointCount);
	return true;
}

static bool isInRange(const float* row, int count)
{
	int outside = 0;
	for (int i = 0; i < count; ++i)
	{
		outside += fabsf(row[i]) > BVH_LARGEST;
	}
	return outside == 0;
}

// How many numbers stand on the line at *p, which moves on past its end.
static int countLine(const BvhText* text, const char** p)
{
	int count = 0, read = 1;
	const char* end = *p;
	while (end < text->end && !rpIsLineEnd(*end))
	{
		++end;
	}
	for (const char* at = *p; read == 1; count += read)
	{
		float value;
		at = rpParseFloats(at, end, text->decimal, &value, 1, &read);
	}
	*p = end < text->end ? end + 1 : end;
	return count;
}

static bool failShortRow(const RowReader* reader, const char* place, int found, const char* which)
{
	bvhFail(reader->text, rp_errorFormat, place, "%d numbers %s, expected %d, one for each channel", found, which,
			reader->hierarchy->columnCount);
	rpError_SetHint(reader->text->error, "the file may be cut off or damaged here; remove the row or complete it");
	return false;
}

// The numbers are no multiple of the channels: the first line at fault is the first that has not its share, where a
// line is a row; else the first on which a row ends within the line; else the last one.
static bool locateShortRow(const RowReader* reader)
{
	const BvhText* text = reader->text;
	int columnCount = reader->hierarchy->columnCount, lines = 0, fullLines = 0;
	for (const char* p = reader->firstRow; p < text->end;)
	{
		int count = countLine(text, &p);
		lines += count > 0;
		fullLines += count == columnCount;
	}
	int sum = 0;
	const char* last = reader->firstRow;
	for (const char* p = reader->firstRow; p < text->end;)
	{
		const char* line = rpSkipBlanks(p, text->end);
		int count = countLine(text, &p);
		if (count == 0)
		{
			continue;
		}
		if (2 * fullLines >= lines && count != columnCount)
		{
			return failShortRow(reader, line, count, "on this line");
		}
		if (sum + count > columnCount && sum > 0)
		{
			return failShortRow(reader, line, sum + count, "in the row that ends here");
		}
		sum = (sum + count) % columnCount;
		last = line;
	}
	return failShortRow(reader, last, sum, "in the last row");
}

// Lines that are not blank.
static int countLines(const char* p, const char* end)
{
	int count = 0;
	for (p = rpSkipBlanks(p, end); p < end; p = rpSkipBlanks(p, end))
	{
		++count;
		while (p < end && !rpIsLineEnd(*p))
		{
			++p;
		}
	}
	return count;
}

// Where the file claims a frame for each line, but the numbers make another count of rows, rows and channels are not of
// one piece, and what is read from them is nonsense.
static bool checkLines(const RowReader* reader)
{
	const BvhText* text = reader->text;
	int columnCount = reader->hierarchy->columnCount, lines = countLines(reader->firstRow, text->end);
	if (lines < 2 || lines != reader->expectedCount)
	{
		return true;
	}
	const char *line = reader->firstRow, *p = line;
	int count = countLine(text, &p);
	bool isFirst = count != columnCount;
	while (count == columnCount)
	{
		line = p = rpSkipBlanks(p, text->end);
		count = countLine(text, &p);
	}
	failShortRow(reader, line, count, "on this line");
	if (isFirst)
	{
		rpError_SetHint(text->error, "the CHANNELS of the hierarchy do not fit the rows: one of them was changed");
	}
	return false;
}

static bool failNumber(const RowReader* reader, const char* place)
{
	const BvhText* text = reader->text;
	char quoted[48];
	place = rpSkipBlanks(place, text->end);
	bvhFail(text, rp_errorFormat, place, "found %s in row %d, expected a number within ±1e12",
			bvhQuote(text, place, quoted), reader->out->frameCount);
	ptrdiff_t left = text->end - place;
	if (left > 0 && (text->decimal == ',' || memchr(place, ',', left < 20 ? (size_t)left : 20) != NULL))
	{
		rpError_SetHint(text->error, "use either decimal points or decimal commas in the whole file");
	}
	return false;
}

static bool failLargeNumber(const RowReader* reader, const char* start)
{
	float value = 0.0f;
	const char* place = start;
	for (int read = 1; read == 1 && fabsf(value) <= BVH_LARGEST;)
	{
		place = start;
		start = rpParseFloats(start, reader->text->end, reader->text->decimal, &value, 1, &read);
	}
	return failNumber(reader, place);
}

// The row ends with its line, or at the end of the text.
static bool endsLine(const BvhText* text)
{
	const char* p = text->at;
	while (p < text->end && rpIsBlank(*p) && !rpIsLineEnd(*p))
	{
		++p;
	}
	return p == text->end || rpIsLineEnd(*p);
}

// Numbers of one row; *read is how many were there.
static void readRow(RowReader* reader, int* read)
{
	BvhText* text = reader->text;
	int count = reader->hierarchy->columnCount;
	text->at = rpParseFloats(text->at, text->end, text->decimal, reader->row, count, read);
	if (*read < count && rpSkipBlanks(text->at, text->end) < text->end)
	{
		size_t size = (size_t)(text->at - reader->firstRow);
		text->sawPoint = text->sawPoint || (text->decimal == '.' && memchr(reader->firstRow, '.', size) != NULL);
		if (bvhAcceptComma(text))
		{
			int more;
			text->at = rpParseFloats(text->at, text->end, ',', reader->row + *read, count - *read, &more);
			*read += more;
		}
	}
}

static bool readAll(RowReader* reader)
{
	BvhText* text = reader->text;
	BvhRows* out = reader->out;
	int count = reader->hierarchy->columnCount;
	bool firstEndsLine = true;
	out->raggedRow = -1;
	for (;;)
	{
		int read;
		const char* start = text->at;
		readRow(reader, &read);
		if (read < count)
		{
			bool atEnd = rpSkipBlanks(text->at, text->end) == text->end;
			return atEnd ? read == 0 || (checkLines(reader) && locateShortRow(reader)) : failNumber(reader, text->at);
		}
		if (!isInRange(reader->row, count))
		{
			return failLargeNumber(reader, start);
		}
		if (!addRow(reader))
		{
			return false;
		}
		bool ends = endsLine(text);
		firstEndsLine = out->frameCount == 1 ? ends : firstEndsLine;
		out->raggedRow = out->raggedRow < 0 && firstEndsLine && !ends ? out->frameCount - 1 : out->raggedRow;
	}
}

bool bvhReadRows(BvhText* text, const BvhHierarchy* hierarchy, bool addOffsets, double expectedCount, BvhRows* out)
{
	RowReader reader = {
		.text = text, .hierarchy = hierarchy, .out = out, .addOffsets = addOffsets, .expectedCount = expectedCount};
	reader.firstRow = text->at = rpSkipBlanks(text->at, text->end);
	bool done = prepare(&reader) && reserve(&reader) && readAll(&reader) &&
				(out->frameCount == expectedCount || checkLines(&reader));
	if (done && out->frameCount == 0)
	{
		done = bvhFail(text, rp_errorFormat, text->end, "no rows, expected at least one row of %d numbers",
					   hierarchy->columnCount);
	}
	if (done && out->capacity > out->frameCount)
	{
		done = resize(&reader, out->frameCount);
	}
	bvhFreeTurner(&reader.turner);
	rpFree(reader.row);
	return done;
}
