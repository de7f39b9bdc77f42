/// The HIERARCHY section of a BVH file: joints, channels, end sites. No recursion, whatever the nesting.
#include "base/error.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "file/bvh_text.h"
#include "file/number.h"

#include <stdio.h>
#include <string.h>

// A longer name is damage. It counts as the UTF-8 that it becomes, so that what was read can be written and read.
#define LONGEST_NAME 1000

#define COMMENT_HINT "BVH files have no comments: remove it"

// Where the reader is in the section.
typedef struct Section
{
	BvhText* text;
	BvhHierarchy* out;

	// The open joint, -1 outside all; whether its end site is open, and whether that has its offset.
	int joint;
	bool inEnd, endHasOffset;
} Section;

void bvhFreeHierarchy(BvhHierarchy* hierarchy)
{
	rpFree(hierarchy->joints);
	rpFree(hierarchy->ends);
	*hierarchy = (BvhHierarchy){0};
}

// Bytes of a name once it is UTF-8: Latin-1 takes two for each of its upper half.
static size_t getNameSize(const char* name, size_t size)
{
	size_t upper = 0;
	for (size_t i = 0; i < size; ++i)
	{
		upper += (unsigned char)name[i] >= 0x80;
	}
	return rpIsUtf8(name, size) ? size : size + upper;
}

// The rest of the line, up to a brace, trimmed.
static bool readName(Section* section, const char** name, int* size)
{
	BvhText* text = section->text;
	const char* p = text->at;
	while (p < text->end && !rpIsLineEnd(*p) && *p != '{')
	{
		++p;
	}
	const char *start = text->at, *end = p;
	while (start < end && rpIsBlank(*start))
	{
		++start;
	}
	while (end > start && rpIsBlank(end[-1]))
	{
		--end;
	}
	text->at = p;
	*name = start;
	*size = (int)(end - start);
	size_t length = getNameSize(start, (size_t)(end - start));
	if (length > LONGEST_NAME)
	{
		return bvhFail(text, rp_errorLimit, start, "a name of %zu bytes; at most %d are allowed", length, LONGEST_NAME);
	}
	const char* zero = memchr(start, 0, (size_t)(end - start));
	return zero == NULL || bvhFail(text, rp_errorFormat, zero, "a zero byte in a name");
}

static bool openBrace(Section* section, const char* what, const char* name, int nameSize)
{
	const char* word;
	int size = bvhReadWord(section->text, &word);
	char quoted[48];
	return (size == 1 && *word == '{') ||
		   bvhFail(section->text, rp_errorFormat, word, "found %s after %s %.*s, expected {",
				   bvhQuote(section->text, word, quoted), what, nameSize > 100 ? 100 : nameSize, name);
}

static bool addJoint(Section* section, const char* place, bool isRoot)
{
	BvhHierarchy* out = section->out;
	if (out->jointCount == RP_MAX_JOINTS)
	{
		return bvhFail(section->text, rp_errorLimit, place, "more than %d joints", RP_MAX_JOINTS);
	}
	if (!rpGrow(&out->joints, &out->jointCapacity, out->jointCount, sizeof(BvhJoint), section->text->error))
	{
		return false;
	}
	BvhJoint* joint = out->joints + out->jointCount;
	*joint = (BvhJoint){.parent = section->joint, .columns = {-1, -1, -1, -1, -1, -1}};
	if (!readName(section, &joint->name, &joint->nameSize) ||
		!openBrace(section, isRoot ? "ROOT" : "JOINT", joint->name, joint->nameSize))
	{
		return false;
	}
	section->joint = out->jointCount++;
	return true;
}

// The names of this and all later roots, for the message.
static bool failRoots(Section* section, const char* place)
{
	BvhText* text = section->text;
	const BvhJoint* first = section->out->joints;
	char names[300];
	int count = 1;
	int size = snprintf(names, sizeof(names), "\"%.*s\"", first->nameSize > 60 ? 60 : first->nameSize, first->name);
	BvhText ahead = *text;
	ahead.at = place;
	const char* word;
	for (int length; (length = bvhReadWord(&ahead, &word)) > 0 && !bvhIsWord(word, length, "motion");)
	{
		if (!bvhIsWord(word, length, "root"))
		{
			continue;
		}
		Section other = {.text = &ahead};
		const char* name;
		int nameSize;
		if (!readName(&other, &name, &nameSize))
		{
			return false;
		}
		++count;
		if (size < 200)
		{
			size +=
				snprintf(names + size, sizeof(names) - (size_t)size, ", \"%.*s\"", nameSize > 60 ? 60 : nameSize, name);
		}
	}
	bvhFail(text, rp_errorFormat, place, "%d roots (%s), expected one", count, names);
	rpError_SetHint(text->error, "keep one hierarchy, with its columns of the rows, in a file");
	return false;
}

static bool openRoot(Section* section, const char* place)
{
	if (section->joint >= 0)
	{
		const BvhJoint* joint = section->out->joints + section->joint;
		return bvhFail(section->text, rp_errorFormat, place, "ROOT inside joint %.*s, expected JOINT or }",
					   joint->nameSize > 100 ? 100 : joint->nameSize, joint->name);
	}
	return section->out->jointCount > 0 ? failRoots(section, place) : addJoint(section, place, true);
}

static bool openJoint(Section* section, const char* place)
{
	if (section->joint < 0 || section->inEnd)
	{
		return bvhFail(section->text, rp_errorFormat, place, "JOINT %s, expected it inside a ROOT or JOINT",
					   section->inEnd ? "inside an End Site" : "outside the root");
	}
	return addJoint(section, place, false);
}

static bool openEnd(Section* section, const char* place, bool siteFollows)
{
	BvhText* text = section->text;
	BvhHierarchy* out = section->out;
	if (section->joint < 0 || section->inEnd)
	{
		return bvhFail(text, rp_errorFormat, place, "End Site %s, expected it inside a ROOT or JOINT",
					   section->inEnd ? "inside an End Site" : "outside the root");
	}
	if (out->endCount == 4 * RP_MAX_JOINTS)
	{
		return bvhFail(text, rp_errorLimit, place, "more than %d end sites", 4 * RP_MAX_JOINTS);
	}
	if (!rpGrow(&out->ends, &out->endCapacity, out->endCount, sizeof(BvhEnd), text->error))
	{
		return false;
	}
	if (siteFollows)
	{
		const char* word;
		BvhText ahead = *text;
		int size = bvhReadWord(&ahead, &word);
		text->at = bvhIsWord(word, size, "site") ? ahead.at : text->at;
	}
	BvhEnd* end = out->ends + out->endCount;
	*end = (BvhEnd){.joint = section->joint};
	if (!readName(section, &end->name, &end->nameSize) || !openBrace(section, "End Site", end->name, end->nameSize))
	{
		return false;
	}
	++out->endCount;
	section->inEnd = true;
	section->endHasOffset = false;
	return true;
}

static bool readOffset(Section* section, const char* place)
{
	if (section->joint < 0)
	{
		return bvhFail(section->text, rp_errorFormat, place, "OFFSET outside a joint");
	}
	BvhJoint* joint = section->out->joints + section->joint;
	bool* has = section->inEnd ? &section->endHasOffset : &joint->hasOffset;
	if (*has)
	{
		return bvhFail(section->text, rp_errorFormat, place, "a second OFFSET in %.*s",
					   joint->nameSize > 100 ? 100 : joint->nameSize, joint->name);
	}
	float v[3];
	if (!bvhReadNumbers(section->text, v, 3, "an OFFSET"))
	{
		return false;
	}
	*has = true;
	rpVec3* offset = section->inEnd ? &section->out->ends[section->out->endCount - 1].offset : &joint->offset;
	*offset = (rpVec3){v[0], v[1], v[2]};
	return true;
}

static int findChannel(const char* word, int size)
{
	static const char* const names[bvh_channelKinds] = {"xposition", "yposition", "zposition",
														"xrotation", "yrotation", "zrotation"};
	for (int i = 0; i < bvh_channelKinds; ++i)
	{
		if (bvhIsWord(word, size, names[i]))
		{
			return i;
		}
	}
	return -1;
}

static bool readChannel(Section* section, BvhJoint* joint, int index, int count)
{
	BvhText* text = section->text;
	const char* word;
	int size = bvhReadWord(text, &word);
	int kind = findChannel(word, size);
	char quoted[48];
	if (kind < 0)
	{
		return bvhFail(text, rp_errorFormat, word, "found %s, expected channel %d of %d (Xposition … Zrotation)",
					   bvhQuote(text, word, quoted), index + 1, count);
	}
	int column = section->out->columnCount++;
	if (section->inEnd)
	{
		// An end site's numbers stand in the rows, and mean nothing.
		return true;
	}
	if (joint->columns[kind] >= 0)
	{
		return bvhFail(text, rp_errorFormat, word, "channel %s twice in joint %.*s", bvhQuote(text, word, quoted),
					   joint->nameSize > 100 ? 100 : joint->nameSize, joint->name);
	}
	joint->columns[kind] = column;
	if (kind < bvh_rotationX)
	{
		++joint->positionCount;
	}
	else
	{
		joint->axes[joint->rotationCount++] = kind - bvh_rotationX;
	}
	return true;
}

static bool readChannels(Section* section, const char* place)
{
	BvhText* text = section->text;
	BvhJoint* joint = section->joint >= 0 ? section->out->joints + section->joint : NULL;
	if (joint == NULL || (joint->hasChannels && !section->inEnd))
	{
		return bvhFail(text, rp_errorFormat, place, joint == NULL ? "CHANNELS outside a joint" : "CHANNELS twice");
	}
	const char* word;
	int size = bvhReadWord(text, &word);
	if (size != 1 || *word < '0' || *word > '0' + bvh_channelKinds)
	{
		char quoted[48];
		return bvhFail(text, rp_errorFormat, word, "found %s, expected the number of channels, 0 to %d",
					   bvhQuote(text, word, quoted), bvh_channelKinds);
	}
	int count = *word - '0';
	joint->hasChannels = joint->hasChannels || !section->inEnd;
	for (int i = 0; i < count; ++i)
	{
		if (!readChannel(section, joint, i, count))
		{
			return false;
		}
	}
	return true;
}

static bool closeBrace(Section* section, const char* place)
{
	if (section->joint < 0)
	{
		return bvhFail(section->text, rp_errorFormat, place, "} without a joint to close, expected MOTION");
	}
	if (section->inEnd)
	{
		section->inEnd = false;
		return true;
	}
	const BvhJoint* joint = section->out->joints + section->joint;
	section->joint = joint->parent;
	return joint->hasOffset || bvhFail(section->text, rp_errorFormat, place, "joint %.*s ends without an OFFSET",
									   joint->nameSize > 100 ? 100 : joint->nameSize, joint->name);
}

static bool closeSection(Section* section, const char* place)
{
	BvhText* text = section->text;
	if (section->out->jointCount == 0)
	{
		return bvhFail(text, rp_errorFormat, place, "MOTION before any ROOT");
	}
	if (section->joint >= 0)
	{
		const BvhJoint* joint = section->out->joints + section->joint;
		return bvhFail(text, rp_errorFormat, place, "MOTION inside joint %.*s, expected }",
					   joint->nameSize > 100 ? 100 : joint->nameSize, joint->name);
	}
	return section->out->columnCount > 0 ||
		   bvhFail(text, rp_errorFormat, place, "no joint has channels, expected CHANNELS in at least one");
}

static bool failWord(Section* section, const char* word, int size)
{
	BvhText* text = section->text;
	char quoted[48];
	if (findChannel(word, size) >= 0)
	{
		return bvhFail(text, rp_errorFormat, word, "more channel names than CHANNELS says: %s",
					   bvhQuote(text, word, quoted));
	}
	bvhFail(text, rp_errorFormat, word, "found %s, expected %s", bvhQuote(text, word, quoted),
			section->inEnd                 ? "OFFSET or }"
			: section->joint >= 0          ? "OFFSET, CHANNELS, JOINT, End Site or }"
			: section->out->jointCount > 0 ? "MOTION"
										   : "ROOT");
	bool isComment = size > 0 && (*word == '#' || (size > 1 && memcmp(word, "//", 2) == 0));
	if (word + size == text->end || isComment)
	{
		rpError_SetHint(text->error, isComment ? COMMENT_HINT : "the file seems to be cut off");
	}
	return false;
}

static bool readStatement(Section* section, const char* word, int size)
{
	bool isEndSite = bvhIsWord(word, size, "endsite");
	return bvhIsWord(word, size, "joint")              ? openJoint(section, word)
		   : bvhIsWord(word, size, "offset")           ? readOffset(section, word)
		   : bvhIsWord(word, size, "channels")         ? readChannels(section, word)
		   : size == 1 && *word == '}'                 ? closeBrace(section, word)
		   : isEndSite || bvhIsWord(word, size, "end") ? openEnd(section, word, !isEndSite)
		   : bvhIsWord(word, size, "root")             ? openRoot(section, word)
													   : failWord(section, word, size);
}

// Axes without a channel come last and stay at 0: x is completed to xyz, z to zyx.
static void completeAxes(BvhJoint* joint)
{
	bool ascending = joint->rotationCount > 0 && joint->axes[0] == 0;
	int count = joint->rotationCount;
	for (int i = 0; i < 3; ++i)
	{
		int axis = ascending ? i : 2 - i;
		if (joint->columns[bvh_rotationX + axis] < 0)
		{
			joint->axes[count++] = axis;
		}
	}
}

// What a file that does not begin as a BVH file may be.
static const char* guessKind(const BvhText* text)
{
	static const struct
	{
		const char* bytes;
		size_t size;
		const char* hint;
	} kinds[] = {
		{"\x1f\x8b", 2, "it is compressed: unpack it with gunzip first"},
		{"PK\3\4", 4, "it is a zip archive: unpack it first"},
		{"H\0I\0", 4, "it is UTF-16: save it as UTF-8, for example with iconv -f UTF-16LE -t UTF-8"},
		{"\0H\0I", 4, "it is UTF-16: save it as UTF-8, for example with iconv -f UTF-16BE -t UTF-8"},
		{"version https://git-lfs", 23, "it only stands for a file in Git LFS: fetch that with git lfs pull"},
		{"#", 1, COMMENT_HINT},
		{"//", 2, COMMENT_HINT},
	};
	const char* start = rpSkipBlanks(text->start, text->end);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); ++i)
	{
		if ((size_t)(text->end - start) >= kinds[i].size && memcmp(start, kinds[i].bytes, kinds[i].size) == 0)
		{
			return kinds[i].hint;
		}
	}
	return start == text->end ? "the file holds no text" : "is this a BVH file?";
}

bool bvhReadHierarchy(BvhText* text, BvhHierarchy* out)
{
	Section section = {.text = text, .out = out, .joint = -1};
	const char* word;
	int size = bvhReadWord(text, &word);
	if (!bvhIsWord(word, size, "hierarchy"))
	{
		char quoted[48];
		bvhFail(text, rp_errorFormat, word, "found %s, expected HIERARCHY", bvhQuote(text, word, quoted));
		rpError_SetHint(text->error, "%s", guessKind(text));
		return false;
	}
	for (;;)
	{
		size = bvhReadWord(text, &word);
		if (bvhIsWord(word, size, "motion"))
		{
			break;
		}
		if (!readStatement(&section, word, size))
		{
			return false;
		}
	}
	for (int i = 0; i < out->jointCount; ++i)
	{
		completeAxes(out->joints + i);
	}
	return closeSection(&section, word);
}
