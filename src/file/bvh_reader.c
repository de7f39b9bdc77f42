/// BVH in: hierarchy and rows as they stand in the file, made into a motion in its units and axes.
///
/// The format has no standard; what is read is what programs write. Positions below the root replace the joint's
/// OFFSET, as Blender reads them. See bvh_hierarchy.c, bvh_rows.c and bvh_turns.c for the parts.
#include "base/error.h"
#include "base/findings.h"
#include "base/memory.h"
#include "file/bvh_text.h"
#include "file/number.h"
#include "file/reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Positions of a joint that change by less than this part of the skeleton's size do not change.
#define RIGID_PART 1e-4f

// Frames per second below which the frame time is hardly meant so.
#define SLOWEST_RATE 1.0

// What the lines below MOTION say; digits 0 where they say nothing.
typedef struct Settings
{
	long double frameCount, frameTime;
	int frameDigits, timeDigits;
	const char* framesAt;
	const char* timeAt;
} Settings;

// Whether "Frames:" or "Frame Time:" comes next, in all their spellings; moves past it if so.
static bool readSettingName(BvhText* text, const char** word, bool* isTime)
{
	BvhText ahead = *text;
	int size = bvhReadWord(&ahead, word);
	const char* second = *word;
	bool isFrames = bvhIsWord(*word, size, "frames") || bvhIsWord(*word, size, "frames:");
	*isTime = bvhIsWord(*word, size, "frametime") || bvhIsWord(*word, size, "frametime:");
	if (bvhIsWord(*word, size, "frame"))
	{
		size = bvhReadWord(&ahead, &second);
		*isTime = bvhIsWord(second, size, "time") || bvhIsWord(second, size, "time:");
	}
	if (!isFrames && !*isTime)
	{
		return false;
	}
	text->at = ahead.at;
	if (bvhReadWord(&ahead, &second) == 1 && *second == ':')
	{
		text->at = ahead.at;
	}
	return true;
}

static void skipLine(BvhText* text)
{
	while (text->at < text->end && !rpIsLineEnd(*text->at))
	{
		++text->at;
	}
}

static bool readSettings(BvhText* text, const rpReadDef* def, Settings* out)
{
	*out = (Settings){.framesAt = text->at, .timeAt = text->at};
	const char* word;
	bool isTime;
	while (readSettingName(text, &word, &isTime))
	{
		if (isTime && def->fps > 0.0)
		{
			skipLine(text);
			continue;
		}
		const char** place = isTime ? &out->timeAt : &out->framesAt;
		*place = word;
		if (!(isTime ? bvhReadSetting(text, &out->frameTime, &out->timeDigits, "the frame time")
					 : bvhReadSetting(text, &out->frameCount, &out->frameDigits, "the number of frames")))
		{
			if (isTime)
			{
				rpError_SetHint(text->error, "give the rate with --fps");
			}
			return false;
		}
	}
	return true;
}

static bool checkFrameCount(const BvhText* text, const Settings* settings)
{
	return settings->frameCount <= RP_MAX_FRAMES ||
		   bvhFail(text, rp_errorLimit, settings->framesAt, "the file claims %.0Lf frames; at most %d are allowed",
				   settings->frameCount, RP_MAX_FRAMES);
}

static bool findRate(const BvhText* text, const Settings* settings, const rpReadDef* def, double* fps)
{
	*fps = def->fps > 0.0 ? def->fps : bvhGetRate(settings->frameTime, settings->timeDigits);
	if (*fps > 0.0 && isfinite(*fps))
	{
		return true;
	}
	if (settings->timeDigits == 0)
	{
		bvhFail(text, rp_errorFormat, settings->timeAt, "no frame time, expected \"Frame Time:\" and seconds");
	}
	else
	{
		bvhFail(text, rp_errorFormat, settings->timeAt, "a frame time of %Lg, expected seconds above 0",
				settings->frameTime);
	}
	rpError_SetHint(text->error, "give the rate with --fps");
	return false;
}

static float getLargest(rpVec3 v)
{
	return fmaxf(fabsf(v.x), fmaxf(fabsf(v.y), fabsf(v.z)));
}

// Diagonal of the box around the joints and end sites of the first row, all rotations at 0.
static bool measureSize(const BvhHierarchy* hierarchy, const rpVec3* translations, float* out, rpError* error)
{
	rpVec3* places = rpAllocate((size_t)hierarchy->jointCount, sizeof(rpVec3), error);
	if (places == NULL)
	{
		return false;
	}
	rpVec3 low = rpVec3_zero, high = rpVec3_zero;
	places[0] = rpVec3_zero;
	for (int i = 1; i < hierarchy->jointCount + hierarchy->endCount; ++i)
	{
		const BvhEnd* end = i < hierarchy->jointCount ? NULL : hierarchy->ends + i - hierarchy->jointCount;
		rpVec3 p = end != NULL ? rpAdd(places[end->joint], end->offset)
							   : rpAdd(places[hierarchy->joints[i].parent], translations[i]);
		low = (rpVec3){fminf(low.x, p.x), fminf(low.y, p.y), fminf(low.z, p.z)};
		high = (rpVec3){fmaxf(high.x, p.x), fmaxf(high.y, p.y), fmaxf(high.z, p.z)};
		if (end == NULL)
		{
			places[i] = p;
		}
	}
	*out = rpDistance(low, high);
	rpFree(places);
	return true;
}

// Where the other reading of position channels would show something else.
static void reportPositions(const BvhHierarchy* hierarchy, const BvhRows* rows, float tolerance, bool addOffsets,
							rpFindings* findings)
{
	int count = 0;
	const BvhJoint* first = NULL;
	for (int i = 1; i < hierarchy->jointCount; ++i)
	{
		const BvhJoint* joint = hierarchy->joints + i;
		float change = fmaxf(getLargest(rpSub(rows->lowest[i], joint->offset)),
							 getLargest(rpSub(rows->highest[i], joint->offset)));
		if (joint->positionCount > 0 && getLargest(joint->offset) > 0.0f && change > tolerance)
		{
			first = first != NULL ? first : joint;
			++count;
		}
	}
	if (count == 0)
	{
		return;
	}
	rpFinding* finding = rpFindings_Add(
		findings, "joint_positions", "%d joint%s below the root (first \"%.*s\") ha%s positions other than the OFFSET",
		count, count == 1 ? "" : "s", first->nameSize > 80 ? 80 : first->nameSize, first->name,
		count == 1 ? "s" : "ve");
	rpFinding_SetAction(finding, false, "%s",
						addOffsets ? "added to the OFFSET, as asked for"
								   : "taken instead of the OFFSET; --add-offsets adds them to it");
}

// Positions that never change are the skeleton's business, not the motion's.
static bool settlePositions(BvhHierarchy* hierarchy, BvhRows* rows, bool addOffsets, rpFindings* findings,
							rpError* error)
{
	float size, largest = 0.0f;
	if (rows->translations == NULL)
	{
		return true;
	}
	if (!measureSize(hierarchy, rows->translations, &size, error))
	{
		return false;
	}
	reportPositions(hierarchy, rows, RIGID_PART * size, addOffsets, findings);
	for (int i = 1; i < hierarchy->jointCount; ++i)
	{
		BvhJoint* joint = hierarchy->joints + i;
		float range = getLargest(rpSub(rows->highest[i], rows->lowest[i]));
		largest = fmaxf(largest, range);
		if (range <= RIGID_PART * size)
		{
			joint->offset = rpLerp(rows->lowest[i], rows->highest[i], 0.5f);
		}
		else if (getLargest(joint->offset) == 0.0f)
		{
			joint->offset = rows->translations[i];
		}
	}
	if (largest <= RIGID_PART * size)
	{
		rpFree(rows->translations);
		rows->translations = NULL;
	}
	return true;
}

static bool isName(const char* name, size_t size, const char* other, size_t otherSize)
{
	return size == otherSize && memcmp(name, other, size) == 0;
}

// Whether a name is an original of any joint, or was given to one before this.
static bool isTaken(const BvhHierarchy* hierarchy, char* const* names, int index, const char* name)
{
	size_t size = strlen(name);
	for (int i = 0; i < hierarchy->jointCount; ++i)
	{
		const BvhJoint* joint = hierarchy->joints + i;
		if (isName(name, size, joint->name, (size_t)joint->nameSize) || (i < index && strcmp(name, names[i]) == 0))
		{
			return true;
		}
	}
	return false;
}

static int countEarlier(const BvhHierarchy* hierarchy, int index)
{
	const BvhJoint* joint = hierarchy->joints + index;
	int count = 0;
	for (int i = 0; i < index; ++i)
	{
		const BvhJoint* other = hierarchy->joints + i;
		count += isName(joint->name, (size_t)joint->nameSize, other->name, (size_t)other->nameSize);
	}
	return count;
}

// Max bytes that make a name unique: '_', a number, a zero.
#define SUFFIX_SIZE 24

// A name that is numbered is cut to this, so that it can be read back, even if each byte is Latin-1 and becomes two.
#define NUMBERED_SIZE 480

// The first bytes of a name, no character cut in two.
static int cutName(const BvhJoint* joint)
{
	int size = joint->nameSize;
	if (size > NUMBERED_SIZE)
	{
		for (size = NUMBERED_SIZE; size > 0 && ((unsigned char)joint->name[size] & 0xC0) == 0x80;)
		{
			--size;
		}
	}
	return size;
}

// A joint's name, terminated, numbered where it has none or one that came before. Returns whether it is another one.
static bool nameJoint(const BvhHierarchy* hierarchy, char* const* names, int index, char* out)
{
	const BvhJoint* joint = hierarchy->joints + index;
	bool isNamed = joint->nameSize > 0;
	int size = isNamed ? joint->nameSize : 5;
	int number = 1 + (isNamed ? countEarlier(hierarchy, index) : index);
	memcpy(out, isNamed ? joint->name : "joint", (size_t)size);
	out[size] = 0;
	if (isNamed && number == 1)
	{
		return false;
	}
	size = isNamed ? cutName(joint) : size;
	do
	{
		snprintf(out + size, SUFFIX_SIZE - 6, "_%d", number++);
	} while (isTaken(hierarchy, names, index, out));
	return true;
}

// All names, one after the other in pool, which is freed by the caller.
static bool nameJoints(const BvhHierarchy* hierarchy, char** names, char** pool, rpFindings* findings, rpError* error)
{
	size_t size = 0;
	for (int i = 0; i < hierarchy->jointCount; ++i)
	{
		size += (size_t)hierarchy->joints[i].nameSize + SUFFIX_SIZE;
	}
	char* place = *pool = rpAllocate(size, 1, error);
	int renamedCount = 0, firstRenamed = -1;
	for (int i = 0; place != NULL && i < hierarchy->jointCount; ++i)
	{
		names[i] = place;
		if (nameJoint(hierarchy, names, i, place))
		{
			firstRenamed = renamedCount++ == 0 ? i : firstRenamed;
		}
		place += strlen(place) + 1;
	}
	if (renamedCount > 0)
	{
		const BvhJoint* joint = hierarchy->joints + firstRenamed;
		rpFinding* finding =
			rpFindings_Add(findings, "duplicate_name", "%d joint names are empty or not unique, the first \"%.*s\"",
						   renamedCount, joint->nameSize > 100 ? 100 : joint->nameSize, joint->name);
		rpFinding_SetAction(finding, true, "numbered: \"%.100s\"", names[firstRenamed]);
	}
	return place != NULL;
}

static rpEulerOrder findOrder(const int axes[3])
{
	int found[3];
	for (int order = 0; order < rp_eulerOrderCount; ++order)
	{
		rpEulerOrder_GetAxes((rpEulerOrder)order, found);
		if (found[0] == axes[0] && found[1] == axes[1])
		{
			return (rpEulerOrder)order;
		}
	}
	return rp_orderZYX;
}

static rpJoint describeJoint(const BvhJoint* from, const char* name)
{
	rpJoint joint = rpDefaultJoint();
	joint.name = name;
	joint.parent = from->parent;
	joint.offset = from->offset;
	joint.order = findOrder(from->axes);
	joint.freedoms = 0;
	for (int i = 0; i < from->rotationCount; ++i)
	{
		joint.freedoms |= 1 << from->axes[i];
	}
	return joint;
}

// End sites need terminated names too; most have none.
static bool describeEnds(const BvhHierarchy* hierarchy, rpEndSite* ends, char** pool, rpError* error)
{
	size_t size = 0;
	for (int i = 0; i < hierarchy->endCount; ++i)
	{
		size += (size_t)hierarchy->ends[i].nameSize + 1;
	}
	char* place = *pool = rpAllocate(size, 1, error);
	for (int i = 0; place != NULL && i < hierarchy->endCount; ++i)
	{
		const BvhEnd* end = hierarchy->ends + i;
		memcpy(place, end->name, (size_t)end->nameSize);
		place[end->nameSize] = 0;
		ends[i] = (rpEndSite){.name = place, .joint = end->joint, .offset = end->offset};
		place += end->nameSize + 1;
	}
	return place != NULL;
}

static rpSkeleton* makeSkeleton(const BvhHierarchy* hierarchy, rpFindings* findings, rpError* error)
{
	size_t jointCount = (size_t)hierarchy->jointCount;
	rpJoint* joints = rpAllocate(jointCount, sizeof(rpJoint), error);
	rpEndSite* ends = rpAllocate((size_t)hierarchy->endCount, sizeof(rpEndSite), error);
	char** names = rpAllocate(jointCount, sizeof(char*), error);
	char *jointPool = NULL, *endPool = NULL;
	rpSkeleton* skeleton = NULL;
	if (joints != NULL && ends != NULL && names != NULL && nameJoints(hierarchy, names, &jointPool, findings, error) &&
		describeEnds(hierarchy, ends, &endPool, error))
	{
		for (size_t i = 0; i < jointCount; ++i)
		{
			joints[i] = describeJoint(hierarchy->joints + i, names[i]);
		}
		rpSkeletonDef def = rpDefaultSkeletonDef();
		def.joints = joints;
		def.jointCount = hierarchy->jointCount;
		def.ends = ends;
		def.endCount = hierarchy->endCount;
		skeleton = rpCreateSkeleton(&def, error);
	}
	rpFree(joints);
	rpFree(ends);
	rpFree(names);
	rpFree(jointPool);
	rpFree(endPool);
	return skeleton;
}

// The rows' arrays become the motion's.
static rpMotion* makeMotion(const rpSkeleton* skeleton, double fps, BvhRows* rows, rpError* error)
{
	rpMotion* motion = rpCreateMotion(skeleton, NULL, fps, 1, error);
	if (motion == NULL)
	{
		return NULL;
	}
	rpFree(motion->rootPositions);
	rpFree(motion->rotations);
	motion->frameCount = rows->frameCount;
	motion->rootPositions = rows->rootPositions;
	motion->rotations = rows->rotations;
	motion->translations = rows->translations;
	rows->rootPositions = NULL;
	rows->rotations = NULL;
	rows->translations = NULL;
	return motion;
}

static void reportRows(const BvhText* text, const Settings* settings, const BvhRows* rows, rpFindings* findings)
{
	if (settings->frameDigits == 0)
	{
		rpFinding_SetAction(rpFindings_Add(findings, "frame_count", "the file does not say how many frames it has"),
							false, "kept the %d rows there are", rows->frameCount);
	}
	else if (settings->frameCount != rows->frameCount)
	{
		rpFinding_SetAction(rpFindings_Add(findings, "frame_count", "the file claims %.0Lf frames but has %d rows",
										   settings->frameCount, rows->frameCount),
							false, "kept the %d rows there are", rows->frameCount);
	}
	if (rows->raggedRow >= 0)
	{
		rpFinding* finding = rpFindings_Add(
			findings, "ragged_rows", "row %d does not end with its line: a row of another length may come before it",
			rows->raggedRow);
		rpFinding_SetAction(finding, false, "nothing; rows were counted by their numbers");
		if (finding != NULL)
		{
			finding->firstRow = rows->raggedRow;
			finding->rowCount = 1;
		}
	}
	if (text->decimal == ',')
	{
		rpFinding_SetAction(rpFindings_Add(findings, "decimal_comma", "numbers have decimal commas"), false,
							"read as decimal points");
	}
}

// Some programs write the rate, or milliseconds, where the seconds of a frame belong.
static void reportRate(double fps, const rpReadDef* def, rpFindings* findings)
{
	if (fps < SLOWEST_RATE && def->fps <= 0.0)
	{
		rpFinding_SetAction(
			rpFindings_Add(findings, "frame_rate", "a frame lasts %.4g s by the file's frame time", 1.0 / fps), false,
			"nothing; --read-fps sets the rate, if that is none of a motion");
	}
}

// The text without a byte order mark, and without the zeros and end-of-file marks that old programs leave after it.
static bool openText(const char* bytes, size_t size, BvhText* text, rpError* error)
{
	*text = (BvhText){.start = bytes, .at = bytes, .end = bytes + size, .decimal = '.', .error = error};
	if (size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0)
	{
		text->start = text->at = bytes + 3;
	}
	if (size >= 2 && (memcmp(bytes, "\xff\xfe", 2) == 0 || memcmp(bytes, "\xfe\xff", 2) == 0))
	{
		bvhFail(text, rp_errorFormat, bytes, "the text is UTF-16, expected plain or UTF-8 text");
		rpError_SetHint(error, "save it as UTF-8, for example with iconv -f UTF-16 -t UTF-8");
		return false;
	}
	while (text->end > text->start && (rpIsBlank(text->end[-1]) || text->end[-1] == 0 || text->end[-1] == 0x1a))
	{
		--text->end;
	}
	return true;
}

static rpMotion* readMotion(BvhText* text, const rpReadDef* def, BvhHierarchy* hierarchy, BvhRows* rows,
							rpFindings* findings)
{
	Settings settings;
	double fps;
	if (!bvhReadHierarchy(text, hierarchy) || !readSettings(text, def, &settings) ||
		!checkFrameCount(text, &settings) || !findRate(text, &settings, def, &fps) ||
		!bvhReadRows(text, hierarchy, def->addOffsets, (double)settings.frameCount, rows))
	{
		return NULL;
	}
	reportRows(text, &settings, rows, findings);
	reportRate(fps, def, findings);
	if (!settlePositions(hierarchy, rows, def->addOffsets, findings, text->error))
	{
		return NULL;
	}
	rpSkeleton* skeleton = makeSkeleton(hierarchy, findings, text->error);
	rpMotion* motion = skeleton != NULL ? makeMotion(skeleton, fps, rows, text->error) : NULL;
	rpReleaseSkeleton(skeleton);
	return motion;
}

bool rpReadBvh(const char* bytes, size_t size, const rpReadDef* def, rpReading* out, rpFindings* findings,
			   rpError* error)
{
	BvhText text;
	BvhHierarchy hierarchy = {0};
	BvhRows rows = {0};
	*out = (rpReading){0};
	if (openText(bytes, size, &text, error))
	{
		out->motion = readMotion(&text, def, &hierarchy, &rows, findings);
	}
	bvhFreeHierarchy(&hierarchy);
	bvhFreeRows(&rows);
	return out->motion != NULL;
}
