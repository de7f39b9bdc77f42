/// A skeleton as bytes, version 1, all numbers little-endian:
///   u32 version, joint count, end count
///   each joint: i32 parent, f32[3] offset, f32[4] rest (w x y z), u8[3] axes of the rotation order, u8 freedoms,
///               f32[4] frame of the freedoms, f32[3] lower, f32[3] upper, text role, text name
///   each end:   i32 joint, f32[3] offset, text name
/// with text as u32 size and bytes. Roles are kept by name, since their numbers may change between versions.
#include "motion/skeleton_blob.h"

#include "base/error.h"
#include "base/utf8.h"
#include "motion/plausible.h"

#include <string.h>

#define BLOB_VERSION 1

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "numbers are copied as they stand in memory");

// A rest pose that is farther from a rotation than this is damage.
#define UNIT_TOLERANCE 1e-3f

static void putNumber(rpText* out, uint32_t number)
{
	rpText_Append(out, &number, sizeof(number));
}

static void putText(rpText* out, const char* text)
{
	putNumber(out, (uint32_t)strlen(text));
	rpText_AppendString(out, text);
}

static void putJoint(rpText* out, const rpJoint* joint)
{
	int axes[3];
	rpEulerOrder_GetAxes(joint->order, axes);
	unsigned char small[4] = {(unsigned char)axes[0], (unsigned char)axes[1], (unsigned char)axes[2],
							  (unsigned char)joint->freedoms};
	putNumber(out, (uint32_t)joint->parent);
	rpText_Append(out, &joint->offset, sizeof(joint->offset));
	rpText_Append(out, &joint->rest, sizeof(joint->rest));
	rpText_Append(out, small, sizeof(small));
	rpText_Append(out, &joint->axes, sizeof(joint->axes));
	rpText_Append(out, &joint->lower, sizeof(joint->lower));
	rpText_Append(out, &joint->upper, sizeof(joint->upper));
	putText(out, rpRole_GetName(joint->role));
	putText(out, joint->name);
}

static bool checkName(const char* name, int index, rpError* error)
{
	size_t size = strlen(name);
	if (size > RP_SKELETON_MAX_NAME)
	{
		return rpFail(error, rp_errorLimit, "a joint's name has %zu bytes; at most %d are allowed", size,
					  RP_SKELETON_MAX_NAME);
	}
	if (!rpIsUtf8(name, size))
	{
		rpFail(error, rp_errorFormat, "the name of joint %d is not UTF-8", index);
		rpError_SetHint(error, "save the file as UTF-8, for example with iconv -f LATIN1 -t UTF-8");
		return false;
	}
	return true;
}

bool rpEncodeSkeleton(const rpSkeleton* skeleton, rpText* out, rpError* error)
{
	putNumber(out, BLOB_VERSION);
	putNumber(out, (uint32_t)skeleton->jointCount);
	putNumber(out, (uint32_t)skeleton->endCount);
	for (int i = 0; i < skeleton->jointCount; ++i)
	{
		if (!checkName(skeleton->joints[i].name, i, error))
		{
			return false;
		}
		putJoint(out, skeleton->joints + i);
	}
	for (int i = 0; i < skeleton->endCount; ++i)
	{
		const rpEndSite* end = skeleton->ends + i;
		if (!checkName(end->name, end->joint, error))
		{
			return false;
		}
		putNumber(out, (uint32_t)end->joint);
		rpText_Append(out, &end->offset, sizeof(end->offset));
		putText(out, end->name);
	}
	return !out->failed || rpFail(error, rp_errorMemory, "out of memory");
}

/// Bytes being read. Once one read went beyond the end, all further ones give zeros.
typedef struct Reader
{
	const char* bytes;
	size_t size, place;
	bool failed;
} Reader;

static void get(Reader* reader, void* out, size_t size)
{
	if (reader->failed || size > reader->size - reader->place)
	{
		reader->failed = true;
		memset(out, 0, size);
		return;
	}
	memcpy(out, reader->bytes + reader->place, size);
	reader->place += size;
}

static uint32_t getNumber(Reader* reader)
{
	uint32_t number;
	get(reader, &number, sizeof(number));
	return number;
}

static bool isRotation(rpQuat q)
{
	float square = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
	return fabsf(square - 1.0f) <= UNIT_TOLERANCE;
}

// Limits may be infinite, but must be numbers.
static bool isLimit(rpVec3 v)
{
	return !isnan(v.x) && !isnan(v.y) && !isnan(v.z);
}

// A text is copied to *names, which has room for as many bytes as the blob.
static const char* getText(Reader* reader, char** names)
{
	uint32_t size = getNumber(reader);
	if (reader->failed || size > RP_SKELETON_MAX_NAME || size > reader->size - reader->place ||
		!rpIsUtf8(reader->bytes + reader->place, size))
	{
		reader->failed = true;
		return "";
	}
	char* text = *names;
	get(reader, text, size);
	text[size] = 0;
	*names += size + 1;
	return text;
}

static bool findOrder(const unsigned char small[3], rpEulerOrder* out)
{
	for (int order = 0; order < rp_eulerOrderCount; ++order)
	{
		int axes[3];
		rpEulerOrder_GetAxes((rpEulerOrder)order, axes);
		if (axes[0] == small[0] && axes[1] == small[1] && axes[2] == small[2])
		{
			*out = (rpEulerOrder)order;
			return true;
		}
	}
	return false;
}

static void getJoint(Reader* reader, rpJoint* joint, char** names)
{
	unsigned char small[4];
	*joint = rpDefaultJoint();
	joint->parent = (int)getNumber(reader);
	get(reader, &joint->offset, sizeof(joint->offset));
	get(reader, &joint->rest, sizeof(joint->rest));
	get(reader, small, sizeof(small));
	get(reader, &joint->axes, sizeof(joint->axes));
	get(reader, &joint->lower, sizeof(joint->lower));
	get(reader, &joint->upper, sizeof(joint->upper));
	const char* role = getText(reader, names);
	joint->role = rpRole_Find(role);
	joint->freedoms = small[3];
	joint->name = getText(reader, names);
	bool good = findOrder(small, &joint->order) && small[3] <= rp_freeAll && rpIsPlace(joint->offset) &&
				isRotation(joint->rest) && isRotation(joint->axes) && isLimit(joint->lower) && isLimit(joint->upper) &&
				strcmp(rpRole_GetName(joint->role), role) == 0;
	reader->failed = reader->failed || !good;
}

static void getEnd(Reader* reader, rpEndSite* end, char** names)
{
	end->joint = (int)getNumber(reader);
	get(reader, &end->offset, sizeof(end->offset));
	end->name = getText(reader, names);
	reader->failed = reader->failed || !rpIsPlace(end->offset);
}

/// The parts of a definition, in memory of their own.
typedef struct Parts
{
	rpJoint* joints;
	rpEndSite* ends;
	char* names;
} Parts;

static void freeParts(Parts* parts)
{
	rpFree(parts->joints);
	rpFree(parts->ends);
	rpFree(parts->names);
}

// Every text of n bytes takes n + 4 in the blob, so its zero fits.
static bool allocateParts(Parts* parts, uint32_t jointCount, uint32_t endCount, size_t size, rpError* error)
{
	parts->joints = rpAllocate(jointCount, sizeof(rpJoint), error);
	parts->ends = parts->joints != NULL ? rpAllocate(endCount, sizeof(rpEndSite), error) : NULL;
	parts->names = parts->ends != NULL ? rpAllocate(size, 1, error) : NULL;
	return parts->names != NULL;
}

// rpCreateSkeleton normalises the rest pose, which may move a last bit; what was kept was normal already.
static void restoreRest(rpSkeleton* skeleton, const rpJoint* joints)
{
	rpJoint* own = (rpJoint*)(uintptr_t)skeleton->joints;
	for (int i = 0; i < skeleton->jointCount; ++i)
	{
		own[i].rest = joints[i].rest;
	}
}

static rpSkeleton* makeSkeleton(const Parts* parts, uint32_t jointCount, uint32_t endCount, rpError* error)
{
	rpSkeletonDef def = rpDefaultSkeletonDef();
	def.joints = parts->joints;
	def.jointCount = (int)jointCount;
	def.ends = parts->ends;
	def.endCount = (int)endCount;
	def.guessRoles = false;
	rpSkeleton* skeleton = rpCreateSkeleton(&def, error);
	if (skeleton != NULL)
	{
		restoreRest(skeleton, parts->joints);
	}
	return skeleton;
}

rpSkeleton* rpDecodeSkeleton(const void* bytes, size_t size, rpError* error)
{
	Reader reader = {bytes, size, 0, false};
	uint32_t version = getNumber(&reader);
	uint32_t jointCount = getNumber(&reader);
	uint32_t endCount = getNumber(&reader);
	if (version != BLOB_VERSION || jointCount < 1 || jointCount > RP_MAX_JOINTS || endCount > 4 * RP_MAX_JOINTS)
	{
		rpFail(error, rp_errorFormat, "a skeleton of version %u with %u joints and %u ends", version, jointCount,
			   endCount);
		return NULL;
	}
	Parts parts = {0};
	rpSkeleton* skeleton = NULL;
	if (allocateParts(&parts, jointCount, endCount, size, error))
	{
		char* names = parts.names;
		for (uint32_t i = 0; i < jointCount && !reader.failed; ++i)
		{
			getJoint(&reader, parts.joints + i, &names);
		}
		for (uint32_t i = 0; i < endCount && !reader.failed; ++i)
		{
			getEnd(&reader, parts.ends + i, &names);
		}
		bool whole = !reader.failed && reader.place == size;
		skeleton = whole ? makeSkeleton(&parts, jointCount, endCount, error) : NULL;
		if (!whole)
		{
			rpFail(error, rp_errorFormat, "a skeleton that ends early or holds values out of range");
		}
	}
	freeParts(&parts);
	return skeleton;
}
