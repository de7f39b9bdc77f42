/// The sidecar's text: what the motion file itself cannot say.
#include "base/error.h"
#include "file/annotation_json.h"
#include "file/bytes.h"
#include "file/json_text.h"
#include "file/number.h"
#include "file/sidecar.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#define SCHEMA_START "\"reprise-motion-"

bool rpGetSidecarPath(const char* path, char* out, size_t capacity)
{
	const char* name = rpGetFileName(path);
	const char* dot = strrchr(name, '.');
	bool replaced = dot != NULL && dot != name && (strcasecmp(dot, ".bvh") == 0 || strcasecmp(dot, ".amc") == 0);
	size_t length = replaced ? (size_t)(dot - path) : strlen(path);
	return length + sizeof(".json") <= capacity && snprintf(out, capacity, "%.*s.json", (int)length, path) > 0;
}

// The end of the string that starts at p, or end.
static const char* skipString(const char* p, const char* end)
{
	for (++p; p < end && *p != '"'; ++p)
	{
		p += *p == '\\' && p + 1 < end;
	}
	return p < end ? p + 1 : end;
}

static bool startsWith(const char* p, const char* end, const char* word)
{
	return (size_t)(end - p) >= strlen(word) && memcmp(p, word, strlen(word)) == 0;
}

// Whatever program has laid it out anew: the outermost object has the member "schema", and its value is ours.
bool rpIsSidecar(const char* text, size_t size)
{
	const char *end = text + size, *p = rpSkipBlanks(text, end);
	int depth = 0;
	if (p == end || *p != '{')
	{
		return false;
	}
	while (p < end)
	{
		depth += (*p == '{' || *p == '[') - (*p == '}' || *p == ']');
		if (*p != '"')
		{
			++p;
			continue;
		}
		const char* next = rpSkipBlanks(skipString(p, end), end);
		if (depth == 1 && startsWith(p, end, "\"schema\"") && next < end && *next == ':')
		{
			return startsWith(rpSkipBlanks(next + 1, end), end, SCHEMA_START);
		}
		p = next;
	}
	return false;
}

static void appendMember(rpText* out, const char* indent, const char* key, const char* value)
{
	rpText_Print(out, "%s\"%s\": ", indent, key);
	rpText_AppendJsonString(out, value);
	rpText_AppendString(out, ",\n");
}

static void appendNumberMember(rpText* out, const char* indent, const char* key, double value)
{
	rpText_Print(out, "%s\"%s\": ", indent, key);
	rpText_AppendNumber(out, value);
	rpText_AppendString(out, ",\n");
}

static void appendRoles(rpText* out, const rpSkeleton* skeleton)
{
	int count = 0;
	rpText_AppendString(out, "  \"roles\": {");
	for (int role = rp_roleNone + 1; role < rp_roleCount; ++role)
	{
		if (skeleton->roles[role] >= 0)
		{
			rpText_Print(out, "%s\n    \"%s\": ", count++ > 0 ? "," : "", rpRole_GetName((rpRole)role));
			rpText_AppendJsonString(out, skeleton->joints[skeleton->roles[role]].name);
		}
	}
	rpText_AppendString(out, count > 0 ? "\n  },\n" : "},\n");
}

static bool isIdentity(rpQuat q)
{
	return q.w == 1.0f && q.x == 0.0f && q.y == 0.0f && q.z == 0.0f;
}

static bool isLimited(float lower, float upper)
{
	return lower <= upper;
}

static bool hasLimits(const rpJoint* joint)
{
	return isLimited(joint->lower.x, joint->upper.x) || isLimited(joint->lower.y, joint->upper.y) ||
		   isLimited(joint->lower.z, joint->upper.z);
}

static void appendQuat(rpText* out, const char* key, rpQuat q, int* count)
{
	const float values[4] = {q.w, q.x, q.y, q.z};
	rpText_Print(out, "%s\"%s\": [", (*count)++ > 0 ? ", " : "", key);
	for (int i = 0; i < 4; ++i)
	{
		rpText_AppendString(out, i > 0 ? ", " : "");
		rpText_AppendFloat(out, values[i]);
	}
	rpText_AppendString(out, "]");
}

static void appendLimit(rpText* out, float lower, float upper)
{
	if (!isLimited(lower, upper))
	{
		rpText_AppendString(out, "null");
		return;
	}
	rpText_AppendString(out, "[");
	rpText_AppendDegrees(out, lower);
	rpText_AppendString(out, ", ");
	rpText_AppendDegrees(out, upper);
	rpText_AppendString(out, "]");
}

static void appendLimits(rpText* out, const rpJoint* joint, int* count)
{
	rpText_Print(out, "%s\"limits_deg\": [", (*count)++ > 0 ? ", " : "");
	appendLimit(out, joint->lower.x, joint->upper.x);
	rpText_AppendString(out, ", ");
	appendLimit(out, joint->lower.y, joint->upper.y);
	rpText_AppendString(out, ", ");
	appendLimit(out, joint->lower.z, joint->upper.z);
	rpText_AppendString(out, "]");
}

// What of a joint differs from a plain one, and so would be lost.
static void appendJoint(rpText* out, const rpJoint* joint)
{
	int count = 0;
	if (!isIdentity(joint->rest))
	{
		appendQuat(out, "rest_wxyz", joint->rest, &count);
	}
	if (!isIdentity(joint->axes))
	{
		appendQuat(out, "axes_wxyz", joint->axes, &count);
	}
	if (joint->freedoms != rp_freeAll)
	{
		rpText_Print(out, "%s\"freedoms\": \"%s%s%s\"", count++ > 0 ? ", " : "", joint->freedoms & rp_freeX ? "x" : "",
					 joint->freedoms & rp_freeY ? "y" : "", joint->freedoms & rp_freeZ ? "z" : "");
	}
	if (hasLimits(joint))
	{
		appendLimits(out, joint, &count);
	}
}

static void appendSkeleton(rpText* out, const rpSkeleton* skeleton)
{
	int count = 0;
	rpText_AppendString(out, "  \"skeleton\": {");
	for (int i = 0; i < skeleton->jointCount; ++i)
	{
		const rpJoint* joint = skeleton->joints + i;
		if (isIdentity(joint->rest) && isIdentity(joint->axes) && joint->freedoms == rp_freeAll && !hasLimits(joint))
		{
			continue;
		}
		rpText_AppendString(out, count++ > 0 ? ",\n    " : "\n    ");
		rpText_AppendJsonString(out, joint->name);
		rpText_AppendString(out, ": {");
		appendJoint(out, joint);
		rpText_AppendString(out, "}");
	}
	rpText_AppendString(out, count > 0 ? "\n  },\n" : "},\n");
}

static void appendInputs(rpText* out, const rpMotion* motion, const char* indent)
{
	rpText_Print(out, "%s\"inputs\": [", indent);
	for (int i = 0; i < motion->inputCount; ++i)
	{
		// A folder in a name would say whose machine this was.
		rpText_Print(out, "%s\n%s  {\"name\": ", i > 0 ? "," : "", indent);
		rpText_AppendJsonString(out, rpGetFileName(motion->inputs[i].name));
		rpText_Print(out, ", \"hash\": \"%s\"}", motion->inputs[i].hash);
	}
	rpText_Print(out, "%s%s],\n", motion->inputCount > 0 ? "\n" : "", motion->inputCount > 0 ? indent : "");
}

static void appendProvenance(rpText* out, const rpMotion* motion, const char* parameters, const char* indent)
{
	char inner[16];
	snprintf(inner, sizeof(inner), "%s  ", indent);
	rpText_Print(out, "%s\"provenance\": {\n", indent);
	appendInputs(out, motion, inner);
	appendMember(out, inner, "program", "reprise");
	appendMember(out, inner, "version", rpVersion());
	rpText_Print(out, "%s\"parameters\": %s\n%s}", inner, parameters, indent);
}

static void appendMotion(rpText* out, const rpMotion* motion, const char* parameters, const char* indent)
{
	appendMember(out, indent, "name", motion->name);
	appendNumberMember(out, indent, "fps", motion->fps);
	appendNumberMember(out, indent, "frames", motion->frameCount);
	appendNumberMember(out, indent, "seconds", rpMotion_GetDuration(motion));
	rpWriteAnnotationMembers(&motion->annotations, indent, out);
	rpText_AppendString(out, ",\n");
	appendProvenance(out, motion, parameters, indent);
}

static void appendClips(rpText* out, const rpMotion* const* motions, int count, const char* parameters)
{
	rpText_AppendString(out, "  \"clips\": [");
	for (int i = 0; i < count; ++i)
	{
		rpText_AppendString(out, i > 0 ? ",\n    {\n" : "\n    {\n");
		appendMotion(out, motions[i], parameters, "      ");
		rpText_AppendString(out, "\n    }");
	}
	rpText_AppendString(out, "\n  ]");
}

// The parameters go into the text as they are; they must not be able to break it.
bool rpCheckParameters(const char* parameters, rpError* error)
{
	rpError reason = {0};
	parameters = parameters != NULL ? parameters : "{}";
	json_t* object = rpParseJson(parameters, strlen(parameters), &reason);
	json_decref(object);
	return object != NULL || rpFail(error, reason.code == rp_errorMemory ? rp_errorMemory : rp_errorArgument,
									"the parameters are no JSON object: %.200s", reason.message);
}

bool rpWriteSidecar(const rpMotion* const* motions, int count, const rpSaveDef* def, const char* fileName,
					const char* hash, rpText* out, rpError* error)
{
	const char* parameters = def->parameters != NULL ? def->parameters : "{}";
	if (!rpCheckParameters(parameters, error))
	{
		return false;
	}
	const rpSkeleton* skeleton = motions[0]->skeleton;
	rpText_AppendString(out, "{\n  \"schema\": " SCHEMA_START "1\",\n");
	appendMember(out, "  ", "file", rpGetFileName(fileName));
	appendMember(out, "  ", "hash", hash);
	appendNumberMember(out, "  ", "units_per_metre", def->format == rp_formatGlb ? 1.0 : def->unitsPerMetre);
	appendNumberMember(out, "  ", "joints", skeleton->jointCount);
	appendRoles(out, skeleton);
	appendSkeleton(out, skeleton);
	if (count == 1)
	{
		appendMotion(out, motions[0], parameters, "  ");
	}
	else
	{
		appendClips(out, motions, count, parameters);
	}
	rpText_AppendString(out, "\n}\n");
	return !out->failed || rpFail(error, rp_errorMemory, "out of memory while writing the sidecar");
}
