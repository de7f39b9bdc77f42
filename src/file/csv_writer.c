/// Joints as a table: a row per frame, time first, then x, y, z of each joint and each end site, and if wanted the
/// local rotation of each joint as a quaternion.
#include "file/json_text.h"
#include "file/writer.h"

#include <stdio.h>
#include <string.h>

// A field as RFC 4180 wants it: in quotes if it holds a comma, a quote or a line break, quotes doubled.
static void appendField(rpText* out, const char* name, const char* suffix)
{
	bool quoted = strpbrk(name, ",\"\r\n") != NULL || name[0] == ' ' || (name[0] != 0 && name[strlen(name) - 1] == ' ');
	rpText_AppendString(out, quoted ? "\"" : "");
	for (const char* c = name; *c != 0; ++c)
	{
		rpText_Append(out, "\"\"", quoted && *c == '"' ? 1 : 0);
		rpText_Append(out, c, 1);
	}
	rpText_AppendString(out, suffix);
	rpText_AppendString(out, quoted ? "\"" : "");
}

static void appendColumns(rpText* out, const char* name, const char* middle)
{
	for (int axis = 0; axis < 3; ++axis)
	{
		char ending[48];
		snprintf(ending, sizeof(ending), "%s.%c", middle, 'x' + axis);
		rpText_Append(out, ",", 1);
		appendField(out, name, ending);
	}
}

static void appendTurnColumns(rpText* out, const char* name)
{
	static const char* const endings[4] = {".qw", ".qx", ".qy", ".qz"};
	for (int i = 0; i < 4; ++i)
	{
		rpText_Append(out, ",", 1);
		appendField(out, name, endings[i]);
	}
}

// "Head.end", and where a joint has several, "Head.end2" and so on.
static void appendHeader(rpText* out, const rpSkeleton* skeleton, bool rotations)
{
	rpText_AppendString(out, "time");
	for (int i = 0; i < skeleton->jointCount; ++i)
	{
		appendColumns(out, skeleton->joints[i].name, "");
	}
	int seen[RP_MAX_JOINTS] = {0};
	for (int i = 0; i < skeleton->endCount; ++i)
	{
		int joint = skeleton->ends[i].joint;
		char middle[32] = ".end";
		if (++seen[joint] > 1)
		{
			snprintf(middle, sizeof(middle), ".end%d", seen[joint]);
		}
		appendColumns(out, skeleton->joints[joint].name, middle);
	}
	for (int i = 0; i < skeleton->jointCount && rotations; ++i)
	{
		appendTurnColumns(out, skeleton->joints[i].name);
	}
	rpText_AppendString(out, "\n");
}

static void appendPoint(rpText* out, rpVec3 p, double scale)
{
	const float values[3] = {p.x, p.y, p.z};
	for (int axis = 0; axis < 3; ++axis)
	{
		rpText_Append(out, ",", 1);
		rpText_AppendFixed(out, scale * (double)values[axis]);
	}
}

static void appendTurn(rpText* out, rpQuat q)
{
	const float values[4] = {q.w, q.x, q.y, q.z};
	for (int i = 0; i < 4; ++i)
	{
		rpText_Append(out, ",", 1);
		rpText_AppendFixed(out, (double)values[i]);
	}
}

typedef struct CsvWriter
{
	rpFrameWriter base;

	/// Joints in the world, [jointCount].
	rpTransform* world;
} CsvWriter;

static bool begin(rpFrameWriter* base, rpError* error)
{
	CsvWriter* writer = (CsvWriter*)base;
	const rpSkeleton* skeleton = base->motion->skeleton;
	writer->world = rpAllocate((size_t)skeleton->jointCount, sizeof(rpTransform), error);
	appendHeader(base->out, skeleton, base->def.rotations);
	return writer->world != NULL;
}

static bool add(rpFrameWriter* base, const rpPose* pose, rpError* error)
{
	(void)error;
	const rpSkeleton* skeleton = base->motion->skeleton;
	rpTransform* world = ((CsvWriter*)base)->world;
	rpText* out = base->out;
	rpSkeleton_Forward(skeleton, pose->rootPosition, pose->rotations, pose->translations, world);
	rpText_AppendNumber(out, base->frameCount / base->motion->fps);
	for (int i = 0; i < skeleton->jointCount; ++i)
	{
		appendPoint(out, world[i].p, base->def.unitsPerMetre);
	}
	for (int i = 0; i < skeleton->endCount; ++i)
	{
		const rpEndSite* end = skeleton->ends + i;
		appendPoint(out, rpTransformPoint(world[end->joint], end->offset), base->def.unitsPerMetre);
	}
	for (int i = 0; i < skeleton->jointCount && base->def.rotations; ++i)
	{
		appendTurn(out, pose->rotations[i]);
	}
	rpText_AppendString(out, "\n");
	return true;
}

static bool end(rpFrameWriter* base, rpError* error)
{
	(void)base;
	(void)error;
	return true;
}

static void release(rpFrameWriter* base)
{
	rpFree(((CsvWriter*)base)->world);
}

const rpWriterKind rpCsvWriterKind = {
	.size = sizeof(CsvWriter), .begin = begin, .add = add, .end = end, .release = release};
