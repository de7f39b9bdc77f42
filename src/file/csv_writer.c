/// Joints as a table: a row per frame, time first, then x, y, z of each joint and each end site, and if wanted the
/// local rotation of each joint as a quaternion.
#include "base/error.h"
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

// pose is scratch of [jointCount].
static void appendFrame(rpText* out, const rpMotion* motion, int frame, const rpSaveDef* def, rpTransform* pose)
{
	const rpSkeleton* skeleton = motion->skeleton;
	rpMotion_Forward(motion, frame, pose);
	rpText_AppendNumber(out, frame / motion->fps);
	for (int i = 0; i < skeleton->jointCount; ++i)
	{
		appendPoint(out, pose[i].p, def->unitsPerMetre);
	}
	for (int i = 0; i < skeleton->endCount; ++i)
	{
		const rpEndSite* end = skeleton->ends + i;
		appendPoint(out, rpTransformPoint(pose[end->joint], end->offset), def->unitsPerMetre);
	}
	for (int i = 0; i < skeleton->jointCount && def->rotations; ++i)
	{
		appendTurn(out, rpMotion_GetRotations(motion, frame)[i]);
	}
	rpText_AppendString(out, "\n");
}

bool rpWriteCsv(const rpMotion* motion, const rpSaveDef* def, rpText* out, rpError* error)
{
	const rpSkeleton* skeleton = motion->skeleton;
	rpTransform* pose = rpAllocate((size_t)skeleton->jointCount, sizeof(rpTransform), error);
	if (pose == NULL)
	{
		return false;
	}
	appendHeader(out, skeleton, def->rotations);
	for (int frame = 0; frame < motion->frameCount && !out->failed; ++frame)
	{
		appendFrame(out, motion, frame, def, pose);
	}
	rpFree(pose);
	return !out->failed || rpFail(error, rp_errorMemory, "out of memory while writing %d frames", motion->frameCount);
}
