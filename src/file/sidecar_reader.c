/// Reading a sidecar: everything is read and checked first, then put on the motion, so that a bad file changes nothing.
#include "base/error.h"
#include "file/annotation_json.h"
#include "file/json_text.h"
#include "file/sidecar.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Units of a motion file per metre: from kilometres to micrometres. Anything else is damage.
#define MIN_UNITS 1e-3
#define MAX_UNITS 1e6

#define SCHEMA_NAME "reprise-motion-"
#define SCHEMA_VERSION 1

// The rate in a motion file is rounded; a sidecar's exact one may differ by this part of it.
#define RATE_TOLERANCE 1e-3

// Few enough that looking for doubles takes no time.
#define MAX_INPUTS 10000

/// What a sidecar gives to a motion.
typedef struct Contents
{
	rpAnnotations annotations;
	rpSkeleton* skeleton;
	const char* name; // borrowed from the JSON
	double fps;
} Contents;

static bool checkSchema(const json_t* root, rpError* error)
{
	const char* schema;
	if (!rpGetJsonString(root, "schema", "", &schema, error))
	{
		return false;
	}
	if (strncmp(schema, SCHEMA_NAME, strlen(SCHEMA_NAME)) != 0)
	{
		return rpFail(error, rp_errorFormat, "\"schema\": expected \"%s%d\"", SCHEMA_NAME, SCHEMA_VERSION);
	}
	char* end;
	long version = strtol(schema + strlen(SCHEMA_NAME), &end, 10);
	if (version < 1 || *end != 0)
	{
		return rpFail(error, rp_errorFormat, "\"schema\": expected \"%s%d\"", SCHEMA_NAME, SCHEMA_VERSION);
	}
	return version <= SCHEMA_VERSION ||
		   rpFail(error, rp_errorVersion, "the sidecar is of version %ld; this library reads up to %d", version,
				  SCHEMA_VERSION);
}

static bool readHash(const json_t* object, const char* place, bool mayBeEmpty, char out[33], rpError* error)
{
	const char* hash;
	if (!rpGetJsonString(object, "hash", place, &hash, error))
	{
		return false;
	}
	size_t length = strlen(hash);
	if (strspn(hash, "0123456789abcdef") != length || (length != 32 && !(mayBeEmpty && length == 0)))
	{
		return rpFail(error, rp_errorFormat, "\"hash\" %s: expected 32 hexadecimal digits", place);
	}
	memcpy(out, hash, length + 1);
	return true;
}

// A name that is not UTF-8 was written with U+FFFD in the place of what is not, so names are compared as written.
static int findJoint(const rpSkeleton* skeleton, const char* name)
{
	int joint = rpSkeleton_FindJoint(skeleton, name);
	rpText wanted = {0}, written = {0};
	rpText_AppendJsonString(&wanted, name);
	for (int i = 0; joint < 0 && i < skeleton->jointCount && strstr(name, "\xef\xbf\xbd") != NULL; ++i)
	{
		written.size = 0;
		rpText_AppendJsonString(&written, skeleton->joints[i].name);
		bool same = !wanted.failed && !written.failed && strcmp(wanted.data, written.data) == 0;
		joint = same ? i : -1;
	}
	rpText_Free(&wanted);
	rpText_Free(&written);
	return joint;
}

static bool readRoles(const json_t* root, const rpSkeleton* skeleton, rpJoint* joints, rpError* error)
{
	json_t* roles = json_object_get(root, "roles");
	if (roles == NULL)
	{
		return true;
	}
	if (!json_is_object(roles))
	{
		return rpFail(error, rp_errorFormat, "\"roles\": expected an object");
	}
	for (int i = 0; i < skeleton->jointCount; ++i)
	{
		joints[i].role = rp_roleNone;
	}
	const char* key;
	json_t* value;
	json_object_foreach(roles, key, value)
	{
		rpRole role = rpRole_Find(key);
		int joint = json_is_string(value) ? findJoint(skeleton, json_string_value(value)) : -1;
		if (role == rp_roleNone || joint < 0)
		{
			return rpFail(error, rp_errorFormat, "\"roles\": \"%.60s\" is no role, or its joint is not in the file",
						  key);
		}
		joints[joint].role = role;
	}
	return true;
}

static bool readQuat(const json_t* list, const char* place, rpQuat* out, rpError* error)
{
	float values[4];
	if (list == NULL)
	{
		return true;
	}
	if (!rpGetJsonFloats(list, place, values, 4, error))
	{
		return false;
	}
	rpQuat q = {values[0], values[1], values[2], values[3]};
	float length = rpDotQuat(q, q);
	if (!(length > 0.9f && length < 1.1f))
	{
		return rpFail(error, rp_errorFormat, "%s: expected a unit quaternion", place);
	}
	*out = q;
	return true;
}

static bool readFreedoms(const json_t* value, const char* place, int* out, rpError* error)
{
	if (value == NULL)
	{
		return true;
	}
	const char* text = json_string_value(value);
	if (text == NULL || strspn(text, "xyz") != strlen(text))
	{
		return rpFail(error, rp_errorFormat, "%s: expected letters of x, y and z", place);
	}
	*out = (strchr(text, 'x') != NULL ? rp_freeX : 0) | (strchr(text, 'y') != NULL ? rp_freeY : 0) |
		   (strchr(text, 'z') != NULL ? rp_freeZ : 0);
	return true;
}

static bool readLimits(const json_t* list, const char* place, rpJoint* joint, rpError* error)
{
	float* lower[3] = {&joint->lower.x, &joint->lower.y, &joint->lower.z};
	float* upper[3] = {&joint->upper.x, &joint->upper.y, &joint->upper.z};
	if (list == NULL)
	{
		return true;
	}
	if (!json_is_array(list) || json_array_size(list) != 3)
	{
		return rpFail(error, rp_errorFormat, "%s: expected three pairs of degrees", place);
	}
	for (size_t axis = 0; axis < 3; ++axis)
	{
		const json_t* pair = json_array_get(list, axis);
		if (json_is_null(pair))
		{
			*lower[axis] = 1.0f;
			*upper[axis] = -1.0f;
			continue;
		}
		const json_t *low = json_array_get(pair, 0), *high = json_array_get(pair, 1);
		*lower[axis] = (float)(json_number_value(low) * RP_DEGREE);
		*upper[axis] = (float)(json_number_value(high) * RP_DEGREE);
		if (json_array_size(pair) != 2 || !json_is_number(low) || !json_is_number(high) || !isfinite(*lower[axis]) ||
			!isfinite(*upper[axis]) || *lower[axis] > *upper[axis])
		{
			return rpFail(error, rp_errorFormat, "%s: expected a pair of degrees, the lower first, or null", place);
		}
	}
	return true;
}

static bool readJoint(const json_t* entry, const char* name, rpJoint* joint, rpError* error)
{
	char place[160];
	snprintf(place, sizeof(place), "the skeleton's \"%.100s\"", name);
	return (json_is_object(entry) || rpFail(error, rp_errorFormat, "%s: expected an object", place)) &&
		   readQuat(json_object_get(entry, "rest_wxyz"), place, &joint->rest, error) &&
		   readQuat(json_object_get(entry, "axes_wxyz"), place, &joint->axes, error) &&
		   readFreedoms(json_object_get(entry, "freedoms"), place, &joint->freedoms, error) &&
		   readLimits(json_object_get(entry, "limits_deg"), place, joint, error);
}

static bool readJoints(const json_t* root, const rpSkeleton* skeleton, rpJoint* joints, rpError* error)
{
	json_t* entries = json_object_get(root, "skeleton");
	if (entries == NULL)
	{
		return true;
	}
	if (!json_is_object(entries))
	{
		return rpFail(error, rp_errorFormat, "\"skeleton\": expected an object");
	}
	const char* key;
	json_t* value;
	json_object_foreach(entries, key, value)
	{
		int joint = findJoint(skeleton, key);
		if (joint < 0)
		{
			return rpFail(error, rp_errorFormat, "\"skeleton\": no joint in the file is named \"%.100s\"", key);
		}
		if (!readJoint(value, key, joints + joint, error))
		{
			return false;
		}
	}
	return true;
}

// The file's skeleton with what the sidecar adds to it.
static rpSkeleton* readSkeleton(const json_t* root, const rpSkeleton* old, rpError* error)
{
	rpJoint* joints = rpAllocate((size_t)old->jointCount, sizeof(rpJoint), error);
	if (joints == NULL)
	{
		return NULL;
	}
	memcpy(joints, old->joints, (size_t)old->jointCount * sizeof(rpJoint));
	rpSkeletonDef def = rpSkeleton_GetDef(old);
	def.joints = joints;
	rpSkeleton* skeleton = NULL;
	if (readRoles(root, old, joints, error) && readJoints(root, old, joints, error))
	{
		skeleton = rpCreateSkeleton(&def, error);
	}
	rpFree(joints);
	return skeleton;
}

static bool readFrames(const json_t* root, const rpMotion* motion, double* fps, rpError* error)
{
	double frames, joints;
	if (!rpGetJsonNumber(root, "fps", "", fps, error) || !rpGetJsonNumber(root, "frames", "", &frames, error) ||
		!rpGetJsonNumber(root, "joints", "", &joints, error))
	{
		return false;
	}
	if (joints != motion->skeleton->jointCount)
	{
		return rpFail(error, rp_errorFormat, "the sidecar is about %g joints, the motion has %d", joints,
					  motion->skeleton->jointCount);
	}
	if (frames != motion->frameCount || !(fabs(*fps - motion->fps) <= RATE_TOLERANCE * motion->fps))
	{
		return rpFail(error, rp_errorFormat, "the sidecar is about %g frames at %g per second, the motion has %d at %g",
					  frames, *fps, motion->frameCount, motion->fps);
	}
	return true;
}

static bool addInputs(const json_t* root, rpMotion* motion, rpError* error)
{
	const json_t* list = json_object_get(json_object_get(root, "provenance"), "inputs");
	size_t count = json_array_size(list);
	if (count > MAX_INPUTS || (list != NULL && !json_is_array(list)))
	{
		return rpFail(error, rp_errorFormat, "\"inputs\": expected a list of at most %d entries", MAX_INPUTS);
	}
	for (size_t i = 0; i < count; ++i)
	{
		const json_t* entry = json_array_get(list, i);
		const char* name;
		char hash[33];
		if (!rpGetJsonString(entry, "name", "inputs", &name, error) ||
			!readHash(entry, "of inputs", true, hash, error) || !rpMotion_AddInput(motion, name, hash, error))
		{
			return false;
		}
	}
	return true;
}

// No motion lasts longer than all frames that one may have, at one a second; a little before and after it is usual.
static bool checkTimes(const rpAnnotations* annotations, rpError* error)
{
	for (int i = 0; i < annotations->intervalCount; ++i)
	{
		const rpInterval* interval = &annotations->intervals[i];
		if (fabs(interval->start) > RP_MAX_FRAMES || fabs(interval->end) > RP_MAX_FRAMES)
		{
			return rpFail(error, rp_errorFormat, "an interval from %g to %g s; no motion lasts that long",
						  interval->start, interval->end);
		}
	}
	return true;
}

static bool readContents(const json_t* root, const rpMotion* motion, Contents* out, rpError* error)
{
	if (json_object_get(root, "clips") != NULL)
	{
		return rpFail(error, rp_errorFormat, "the sidecar is about several clips, the motion file holds one");
	}
	if (!rpGetJsonString(root, "name", "", &out->name, error) || !readFrames(root, motion, &out->fps, error) ||
		!rpReadAnnotationMembers(root, &out->annotations, error) || !checkTimes(&out->annotations, error))
	{
		return false;
	}
	out->skeleton = readSkeleton(root, motion->skeleton, error);
	return out->skeleton != NULL;
}

// Nothing can fail after the inputs are there. The motion keeps its name: a clip is called after its file, which its
// owner may have renamed; what the sidecar says is what it was called when it was made.
static bool putContents(const json_t* root, Contents* contents, rpMotion* motion, rpError* error)
{
	if (!addInputs(root, motion, error))
	{
		return false;
	}
	rpAnnotations_Free(&motion->annotations);
	motion->annotations = contents->annotations;
	contents->annotations = (rpAnnotations){0};
	rpReleaseSkeleton(motion->skeleton);
	motion->skeleton = contents->skeleton;
	contents->skeleton = NULL;
	motion->fps = contents->fps;
	return true;
}

static bool readRoot(const json_t* root, const char* hash, rpMotion* motion, rpSidecar* out, rpError* error)
{
	if (!checkSchema(root, error) || !readHash(root, "of the motion file", false, out->hash, error) ||
		!rpGetJsonNumber(root, "units_per_metre", "", &out->unitsPerMetre, error))
	{
		return false;
	}
	if (!(out->unitsPerMetre >= MIN_UNITS && out->unitsPerMetre <= MAX_UNITS))
	{
		return rpFail(error, rp_errorFormat, "\"units_per_metre\" is %g, expected %g to %g", out->unitsPerMetre,
					  MIN_UNITS, MAX_UNITS);
	}
	if (strcmp(out->hash, hash) != 0)
	{
		return true;
	}
	Contents contents = {0};
	bool done = readContents(root, motion, &contents, error) && putContents(root, &contents, motion, error);
	rpAnnotations_Free(&contents.annotations);
	rpReleaseSkeleton(contents.skeleton);
	return done;
}

bool rpReadSidecar(const char* text, size_t size, const char* hash, rpMotion* motion, rpSidecar* out, rpError* error)
{
	*out = (rpSidecar){0};
	json_t* root = rpParseJson(text, size, error);
	bool done = root != NULL && readRoot(root, hash, motion, out, error);
	json_decref(root);
	return done;
}
