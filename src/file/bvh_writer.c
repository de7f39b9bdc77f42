/// BVH out: joints depth first, each in its own order of rotations, angles that go on from frame to frame.
#include "base/memory.h"
#include "file/bvh_angles.h"
#include "file/bvh_text.h"
#include "file/number.h"
#include "file/writer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Decimals of angles in degrees, and of lengths in metres: 1e-8 rad and 5e-8 m are well below what a float of the
// usual size holds.
#define ANGLE_DECIMALS 6
#define LENGTH_DECIMALS 7

// Room for a number and a space.
#define NUMBER_SIZE 40

// Scaled numbers up to here are exact as doubles.
#define LARGEST_FIXED 9e15

typedef struct Writer
{
	rpFrameWriter base;
	double unitsPerMetre;
	int lengthDecimals;

	/// Rows wait here while nobody knows how many there will be, which stands before them.
	bool waits;
	rpSpool rows;

	// [jointCount] each: joints depth first, how deep each is (both in that order), whether its translations are more
	// than its offset, its axes, its last angles.
	int *order, *depths;
	bool* moves;
	int (*axes)[3];
	BvhAngles* angles;
} Writer;

static const double s_powers[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12};

// Replaces whatever the locale's decimal point is.
static void fixPoint(char* text)
{
	char* p = text + (*text == '-');
	p += strspn(p, "0123456789");
	size_t size = strcspn(p, "0123456789e");
	if (size > 0)
	{
		*p = '.';
		memmove(p + 1, p + size, strlen(p + size) + 1);
	}
}

// The number with so many decimals, and a space; returns the place after it.
static char* printFixed(char* out, double value, int decimals)
{
	double scaled = fabs(value) * s_powers[decimals];
	if (!(scaled < LARGEST_FIXED))
	{
		snprintf(out, NUMBER_SIZE, "%.10e", value);
		fixPoint(out);
		out += strlen(out);
		*out++ = ' ';
		return out;
	}
	uint64_t digits = (uint64_t)llrint(scaled);
	char reversed[NUMBER_SIZE];
	int count = 0;
	for (uint64_t rest = digits; rest > 0 || count <= decimals; rest /= 10)
	{
		reversed[count++] = (char)('0' + rest % 10);
	}
	if (value < 0.0 && digits > 0)
	{
		*out++ = '-';
	}
	while (count > 0)
	{
		*out++ = reversed[--count];
		if (count == decimals && decimals > 0)
		{
			*out++ = '.';
		}
	}
	*out++ = ' ';
	return out;
}

static char* printLengths(const Writer* writer, char* out, rpVec3 v, int decimals)
{
	out = printFixed(out, writer->unitsPerMetre * v.x, decimals);
	out = printFixed(out, writer->unitsPerMetre * v.y, decimals);
	return printFixed(out, writer->unitsPerMetre * v.z, decimals);
}

// Children of each joint together, parents before them, without recursion: the last child pushed is visited first, so
// they are pushed from the last to the first.
static bool orderJoints(Writer* writer, rpError* error)
{
	const rpSkeleton* skeleton = writer->base.motion->skeleton;
	int jointCount = skeleton->jointCount;
	int* links = rpAllocate(2 * (size_t)jointCount, sizeof(int), error);
	if (links == NULL)
	{
		return false;
	}
	int *firstChild = links, *nextSibling = links + jointCount;
	memset(firstChild, -1, (size_t)jointCount * sizeof(int));
	for (int i = jointCount - 1; i > 0; --i)
	{
		nextSibling[i] = firstChild[skeleton->parents[i]];
		firstChild[skeleton->parents[i]] = i;
	}
	nextSibling[0] = -1;
	int joint = 0, depth = 0;
	for (int i = 0; i < jointCount; ++i)
	{
		writer->order[i] = joint;
		writer->depths[i] = depth;
		int next = firstChild[joint];
		depth += next >= 0;
		for (; next < 0 && joint >= 0; --depth)
		{
			next = nextSibling[joint];
			if (next >= 0)
			{
				break;
			}
			joint = skeleton->parents[joint];
		}
		joint = next;
	}
	rpFree(links);
	return true;
}

static void findMovers(Writer* writer)
{
	const rpMotion* motion = writer->base.motion;
	size_t jointCount = (size_t)motion->skeleton->jointCount;
	memset(writer->moves, 0, jointCount * sizeof(bool));
	for (size_t i = 0; motion->translations != NULL && i < jointCount * (size_t)motion->frameCount; ++i)
	{
		size_t joint = i % jointCount;
		rpVec3 change = rpSub(motion->translations[i], motion->skeleton->offsets[joint]);
		writer->moves[joint] = writer->moves[joint] || (joint > 0 && rpDot(change, change) > 0.0f);
	}
}

static bool prepare(Writer* writer, rpError* error)
{
	const rpSkeleton* skeleton = writer->base.motion->skeleton;
	size_t jointCount = (size_t)skeleton->jointCount;
	writer->order = rpAllocate(jointCount, sizeof(int), error);
	writer->depths = rpAllocate(jointCount, sizeof(int), error);
	writer->moves = rpAllocate(jointCount, sizeof(bool), error);
	writer->axes = rpAllocate(jointCount, sizeof(int[3]), error);
	writer->angles = rpAllocate(jointCount, sizeof(BvhAngles), error);
	if (writer->order == NULL || writer->depths == NULL || writer->moves == NULL || writer->axes == NULL ||
		writer->angles == NULL || !orderJoints(writer, error))
	{
		return false;
	}
	for (size_t i = 0; i < jointCount; ++i)
	{
		rpEulerOrder_GetAxes(skeleton->joints[i].order, writer->axes[i]);
	}
	findMovers(writer);
	return true;
}

static void indent(rpText* out, int depth)
{
	for (int i = 0; i < depth; ++i)
	{
		rpText_Append(out, "\t", 1);
	}
}

// What would end the name in the file becomes '_'.
static void writeName(rpText* out, const char* name)
{
	for (const char* p = name; *p != 0; ++p)
	{
		rpText_Append(out, rpIsLineEnd(*p) || *p == '{' || *p == '}' ? "_" : p, 1);
	}
}

static void writeOffset(const Writer* writer, int depth, rpVec3 offset)
{
	char numbers[3 * NUMBER_SIZE];
	char* end = printLengths(writer, numbers, offset, writer->lengthDecimals + 2);
	indent(writer->base.out, depth);
	rpText_AppendString(writer->base.out, "OFFSET ");
	rpText_Append(writer->base.out, numbers, (size_t)(end - numbers) - 1);
	rpText_AppendString(writer->base.out, "\n");
}

static void writeChannels(const Writer* writer, int depth, int joint)
{
	bool hasPosition = joint == 0 || writer->moves[joint];
	const int* axes = writer->axes[joint];
	indent(writer->base.out, depth);
	rpText_Print(writer->base.out, "CHANNELS %d%s %crotation %crotation %crotation\n", hasPosition ? 6 : 3,
				 hasPosition ? " Xposition Yposition Zposition" : "", "XYZ"[axes[0]], "XYZ"[axes[1]], "XYZ"[axes[2]]);
}

static void writeEnds(const Writer* writer, int depth, int joint)
{
	const rpSkeleton* skeleton = writer->base.motion->skeleton;
	for (int i = 0; i < skeleton->endCount; ++i)
	{
		const rpEndSite* end = skeleton->ends + i;
		if (end->joint != joint)
		{
			continue;
		}
		bool isNamed = end->name != NULL && end->name[0] != 0;
		indent(writer->base.out, depth);
		rpText_AppendString(writer->base.out, isNamed ? "End Site " : "End Site");
		writeName(writer->base.out, isNamed ? end->name : "");
		rpText_AppendString(writer->base.out, "\n");
		indent(writer->base.out, depth);
		rpText_AppendString(writer->base.out, "{\n");
		writeOffset(writer, depth + 1, end->offset);
		indent(writer->base.out, depth);
		rpText_AppendString(writer->base.out, "}\n");
	}
}

static void writeHierarchy(const Writer* writer)
{
	const rpSkeleton* skeleton = writer->base.motion->skeleton;
	rpText* out = writer->base.out;
	rpText_AppendString(out, "HIERARCHY\n");
	for (int i = 0; i < skeleton->jointCount; ++i)
	{
		int joint = writer->order[i], depth = writer->depths[i];
		indent(out, depth);
		rpText_AppendString(out, joint == 0 ? "ROOT " : "JOINT ");
		writeName(out, skeleton->joints[joint].name);
		rpText_AppendString(out, "\n");
		indent(out, depth);
		rpText_AppendString(out, "{\n");
		writeOffset(writer, depth + 1, skeleton->offsets[joint]);
		writeChannels(writer, depth + 1, joint);
		writeEnds(writer, depth + 1, joint);
		int nextDepth = i + 1 < skeleton->jointCount ? writer->depths[i + 1] : 0;
		for (int open = depth; open >= nextDepth; --open)
		{
			indent(out, open);
			rpText_AppendString(out, "}\n");
		}
	}
}

// The shortest frame time, of at least eight digits, that a reader turns back into exactly this rate.
static void printFrameTime(double fps, char out[64])
{
	long double frameTime = 1.0L / fps;
	int lead = (int)floorl(log10l(frameTime));
	for (int digits = 8; digits <= 21; ++digits)
	{
		long double read;
		int readDigits;
		int decimals = digits - 1 - lead;
		bool plain = decimals > 0 && decimals < 40;
		snprintf(out, 64, plain ? "%.*Lf" : "%.*Le", plain ? decimals : digits - 1, frameTime);
		fixPoint(out);
		const char* end = rpParseLongDouble(out, out + strlen(out), '.', &read, &readDigits);
		if (end != NULL && bvhGetRate(read, readDigits) == fps)
		{
			return;
		}
	}
}

static void writeMotionHead(const Writer* writer)
{
	char frameTime[64];
	printFrameTime(writer->base.motion->fps, frameTime);
	rpText_Print(writer->base.out, "MOTION\nFrames: %d\nFrame Time: %s\n", writer->base.motion->frameCount, frameTime);
}

static int getLengthDecimals(double unitsPerMetre)
{
	int decimals = LENGTH_DECIMALS - (int)lrint(fmax(-20.0, fmin(20.0, log10(unitsPerMetre))));
	return decimals < 1 ? 1 : decimals > 10 ? 10 : decimals;
}

static bool begin(rpFrameWriter* base, rpError* error)
{
	Writer* writer = (Writer*)base;
	writer->unitsPerMetre = base->def.unitsPerMetre;
	writer->lengthDecimals = getLengthDecimals(writer->unitsPerMetre);
	writer->waits = base->motion->frameCount == 0;
	rpSpool_Start(&writer->rows, base->output, RP_SPOOL_ROOM);
	if (!prepare(writer, error))
	{
		return false;
	}
	writeHierarchy(writer);
	if (!writer->waits)
	{
		writeMotionHead(writer);
	}
	return true;
}

static char* printJoint(const Writer* writer, int joint, const rpPose* pose, char* out)
{
	if (joint == 0 || writer->moves[joint])
	{
		rpVec3 p = joint == 0 ? pose->rootPosition : pose->translations[joint];
		out = printLengths(writer, out, p, writer->lengthDecimals);
	}
	BvhAngles* angles = writer->angles + joint;
	*angles = bvhGetAngles(pose->rotations[joint], writer->axes[joint], writer->base.frameCount > 0 ? angles : NULL);
	for (int k = 0; k < 3; ++k)
	{
		out = printFixed(out, angles->values[k], ANGLE_DECIMALS);
	}
	return out;
}

static bool add(rpFrameWriter* base, const rpPose* pose, rpError* error)
{
	Writer* writer = (Writer*)base;
	rpText* out = writer->waits ? &writer->rows.text : base->out;
	int jointCount = base->motion->skeleton->jointCount;
	char* start = rpText_Reserve(out, (size_t)jointCount * 6 * NUMBER_SIZE);
	if (start == NULL)
	{
		return !writer->waits || rpSpool_Fail(&writer->rows, error);
	}
	char* end = start;
	for (int i = 0; i < jointCount; ++i)
	{
		end = printJoint(writer, writer->order[i], pose, end);
	}
	end[-1] = '\n';
	*end = 0;
	out->size += (size_t)(end - start);
	return true;
}

static bool end(rpFrameWriter* base, rpError* error)
{
	Writer* writer = (Writer*)base;
	if (!writer->waits)
	{
		return true;
	}
	writeMotionHead(writer);
	return rpSpool_Copy(&writer->rows, 0, rpSpool_GetSize(&writer->rows), base->out, error);
}

static void release(rpFrameWriter* base)
{
	Writer* writer = (Writer*)base;
	rpSpool_Free(&writer->rows);
	rpFree(writer->order);
	rpFree(writer->depths);
	rpFree(writer->moves);
	rpFree(writer->axes);
	rpFree(writer->angles);
}

const rpWriterKind rpBvhWriterKind = {
	.size = sizeof(Writer), .begin = begin, .add = add, .end = end, .release = release};
