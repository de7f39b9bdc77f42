/// Acclaim skeletons (.asf): sections of keys, bones in any order, a hierarchy of their names. The format has no
/// standard; this follows J. Lander, "Working with Motion Capture File Formats" (1998), and what CMU's files do.
#include "file/asf_reader.h"

#include "base/error.h"
#include "base/findings.h"
#include "base/memory.h"

#include <float.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

// Half a limit is known where the other side is infinite, radians.
#define NO_LIMIT 1e4

// Directions are written with six digits; one that is further from unit length was not meant to be a unit vector.
#define UNIT_TOLERANCE 1e-3

// Numbers beyond this are no measures of a body, in whatever unit.
#define LARGEST_NUMBER 1e9

/// A file being read.
typedef struct Reader
{
	rpScanner scanner;
	rpAcclaim* acclaim;
	rpFindings* findings;
	rpError* error;
} Reader;

static bool readNumber(Reader* reader, const char* what, double* out)
{
	rpWord word;
	if (!rpScanner_NextOnLine(&reader->scanner, &word) || !rpWord_GetNumber(word, out) ||
		!(fabs(*out) <= LARGEST_NUMBER))
	{
		return rpFailWord(reader->error, word, what);
	}
	return true;
}

static bool readNumbers(Reader* reader, const char* what, double out[3])
{
	return readNumber(reader, what, out) && readNumber(reader, what, out + 1) && readNumber(reader, what, out + 2);
}

// Look at the next word, on any line, without taking it.
static bool peek(const Reader* reader, rpWord* out)
{
	rpScanner copy = reader->scanner;
	return rpScanner_Next(&copy, out);
}

// The letters of an order, as axes 0 to 2.
static bool parseOrder(rpWord word, int axes[3])
{
	int seen = 0;
	for (int i = 0; i < 3 && word.length == 3; ++i)
	{
		axes[i] = (word.start[i] | 32) - 'x';
		seen |= axes[i] >= 0 && axes[i] < 3 ? 1 << axes[i] : 0;
	}
	return seen == 7;
}

// "XYZ" turns about x first, so x is the last factor.
static rpEulerOrder orderFromAxes(const int axes[3])
{
	for (int order = 0; order < rp_eulerOrderCount; ++order)
	{
		int factors[3];
		rpEulerOrder_GetAxes((rpEulerOrder)order, factors);
		if (factors[0] == axes[2] && factors[1] == axes[1] && factors[2] == axes[0])
		{
			return (rpEulerOrder)order;
		}
	}
	return rp_orderZYX;
}

static bool readOrder(Reader* reader, int axes[3])
{
	rpWord word;
	if (!rpScanner_NextOnLine(&reader->scanner, &word) || !parseOrder(word, axes))
	{
		return rpFailWord(reader->error, word, "an order of rotations such as XYZ");
	}
	return true;
}

static bool parseDof(rpWord word, rpAcclaimDof* out)
{
	static const char* const names[rp_dofCount] = {"TX", "TY", "TZ", "RX", "RY", "RZ", "L"};
	for (int i = 0; i < rp_dofCount; ++i)
	{
		if (rpWord_Is(word, names[i]))
		{
			*out = (rpAcclaimDof)i;
			return true;
		}
	}
	return false;
}

// A bone's keys, where a whole bone stands on one line.
static bool isBoneKey(rpWord word)
{
	static const char* const keys[] = {"id", "name", "direction", "length", "axis", "dof", "limits", "end"};
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); ++i)
	{
		if (rpWord_Is(word, keys[i]))
		{
			return true;
		}
	}
	return false;
}

// The freedoms on the rest of the line.
static bool readDofs(Reader* reader, rpAcclaimBone* bone)
{
	rpWord word;
	int seen = 0;
	bone->dofCount = 0;
	for (rpScanner before = reader->scanner; rpScanner_NextOnLine(&reader->scanner, &word); before = reader->scanner)
	{
		rpAcclaimDof dof;
		if (isBoneKey(word))
		{
			reader->scanner = before;
			break;
		}
		if (!parseDof(word, &dof) || (seen & 1 << dof) != 0)
		{
			return rpFailWord(reader->error, word, "each freedom once: tx ty tz rx ry rz l");
		}
		seen |= 1 << dof;
		bone->dofs[bone->dofCount++] = dof;
	}
	return true;
}

static bool parseLimit(rpWord word, double* out)
{
	if (rpWord_Is(word, "inf") || rpWord_Is(word, "+inf"))
	{
		*out = DBL_MAX;
		return true;
	}
	if (rpWord_Is(word, "-inf"))
	{
		*out = -DBL_MAX;
		return true;
	}
	return rpWord_GetNumber(word, out);
}

// Pairs of numbers in brackets, over any number of lines.
static bool readLimits(Reader* reader, rpAcclaimBone* bone)
{
	rpWord word;
	double pair[2];
	bone->limitCount = 0;
	while (peek(reader, &word) && parseLimit(word, pair))
	{
		rpScanner_Next(&reader->scanner, &word);
		if (bone->limitCount == rp_dofCount)
		{
			return rpFailWord(reader->error, word, "no more limits than freedoms");
		}
		if (!rpScanner_Next(&reader->scanner, &word) || !parseLimit(word, pair + 1))
		{
			return rpFailWord(reader->error, word, "the upper one of two limits");
		}
		memcpy(bone->limits[bone->limitCount++], pair, sizeof(pair));
	}
	return true;
}

static bool readAxis(Reader* reader, rpAcclaimBone* bone)
{
	double angles[3];
	int axes[3] = {0, 1, 2};
	if (!readNumbers(reader, "three angles and an order such as XYZ", angles) || !readOrder(reader, axes))
	{
		return false;
	}
	for (int i = 0; i < 3; ++i)
	{
		bone->axis[axes[i]] = angles[i];
	}
	bone->order = orderFromAxes(axes);
	return true;
}

static bool copyName(Reader* reader, rpWord word, rpAcclaimBone* bone)
{
	if (word.length == 0 || word.length >= (int)sizeof(bone->name))
	{
		return rpFailWord(reader->error, word, "a name of less than 128 letters");
	}
	memcpy(bone->name, word.start, (size_t)word.length);
	bone->name[word.length] = 0;
	return true;
}

static bool readName(Reader* reader, rpAcclaimBone* bone)
{
	rpWord word;
	rpScanner_NextOnLine(&reader->scanner, &word);
	if (rpAcclaim_FindBone(reader->acclaim, word, 0) >= 0)
	{
		return rpFailWord(reader->error, word, "a name that no other bone has");
	}
	return copyName(reader, word, bone);
}

static bool readBoneKey(Reader* reader, rpWord key, rpAcclaimBone* bone)
{
	if (rpWord_Is(key, "name"))
	{
		return readName(reader, bone);
	}
	if (rpWord_Is(key, "direction"))
	{
		return readNumbers(reader, "three numbers", bone->direction);
	}
	if (rpWord_Is(key, "length"))
	{
		return readNumber(reader, "a length", &bone->length);
	}
	if (rpWord_Is(key, "axis"))
	{
		return readAxis(reader, bone);
	}
	if (rpWord_Is(key, "dof"))
	{
		return readDofs(reader, bone);
	}
	if (rpWord_Is(key, "limits"))
	{
		return readLimits(reader, bone);
	}
	// Its number, masses and whatever else a program noted.
	rpWord word;
	for (rpScanner before = reader->scanner; rpScanner_NextOnLine(&reader->scanner, &word); before = reader->scanner)
	{
		if (isBoneKey(word))
		{
			reader->scanner = before;
			break;
		}
	}
	return true;
}

static rpAcclaimBone defaultBone(void)
{
	return (rpAcclaimBone){.order = rp_orderZYX, .parent = -1, .joint = -1, .frame = rpQuat_identity};
}

static bool addBone(Reader* reader, const rpAcclaimBone* bone, rpWord place)
{
	rpAcclaim* acclaim = reader->acclaim;
	if (acclaim->boneCount >= RP_MAX_JOINTS)
	{
		return rpFailAt(reader->error, rp_errorLimit, place.line, place.column, "more than %d bones", RP_MAX_JOINTS);
	}
	if (!rpGrow(&acclaim->bones, &acclaim->boneCapacity, acclaim->boneCount, sizeof(rpAcclaimBone), reader->error))
	{
		return false;
	}
	acclaim->bones[acclaim->boneCount++] = *bone;
	return true;
}

// From "begin" to "end".
static bool readBone(Reader* reader, rpWord place)
{
	rpAcclaimBone bone = defaultBone();
	rpWord word;
	while (rpScanner_Next(&reader->scanner, &word))
	{
		if (rpWord_Is(word, "end"))
		{
			return bone.name[0] != 0
					   ? addBone(reader, &bone, place)
					   : rpFailAt(reader->error, rp_errorFormat, place.line, place.column, "this bone has no name");
		}
		if (word.start[0] == ':')
		{
			break;
		}
		if (!readBoneKey(reader, word, &bone))
		{
			return false;
		}
	}
	return rpFailAt(reader->error, rp_errorFormat, place.line, place.column, "this bone has no end");
}

// A section ends where a word begins with ':'. That word is not taken.
static bool nextInSection(Reader* reader, rpWord* out)
{
	if (!peek(reader, out) || out->start[0] == ':')
	{
		return false;
	}
	return rpScanner_Next(&reader->scanner, out);
}

static bool readUnits(Reader* reader)
{
	rpWord word;
	while (nextInSection(reader, &word))
	{
		if (rpWord_Is(word, "length"))
		{
			rpWord number;
			rpScanner_NextOnLine(&reader->scanner, &number);
			if (!rpWord_GetNumber(number, &reader->acclaim->unitLength) || !(reader->acclaim->unitLength > 0.0))
			{
				return rpFailWord(reader->error, number, "a positive length");
			}
		}
		else if (rpWord_Is(word, "angle"))
		{
			rpWord unit;
			rpScanner_NextOnLine(&reader->scanner, &unit);
			bool degrees = unit.length >= 3 && strncasecmp(unit.start, "deg", 3) == 0;
			if (!degrees && !(unit.length >= 3 && strncasecmp(unit.start, "rad", 3) == 0))
			{
				return rpFailWord(reader->error, unit, "deg or rad");
			}
			reader->acclaim->degrees = degrees;
		}
		else
		{
			rpScanner_SkipLine(&reader->scanner);
		}
	}
	return true;
}

static bool readRoot(Reader* reader)
{
	rpAcclaimBone* root = reader->acclaim->bones;
	rpWord word;
	while (nextInSection(reader, &word))
	{
		int axes[3] = {0, 1, 2};
		bool done = true;
		if (rpWord_Is(word, "order"))
		{
			done = readDofs(reader, root);
		}
		else if (rpWord_Is(word, "axis"))
		{
			done = readOrder(reader, axes);
			root->order = done ? orderFromAxes(axes) : root->order;
		}
		else if (rpWord_Is(word, "position"))
		{
			done = readNumbers(reader, "three numbers", root->position);
		}
		else if (rpWord_Is(word, "orientation"))
		{
			done = readNumbers(reader, "three angles", root->axis);
		}
		else
		{
			rpScanner_SkipLine(&reader->scanner);
		}
		if (!done)
		{
			return false;
		}
	}
	return true;
}

static bool readBones(Reader* reader)
{
	rpWord word;
	while (nextInSection(reader, &word))
	{
		if (!rpWord_Is(word, "begin"))
		{
			return rpFailWord(reader->error, word, "\"begin\" of a bone");
		}
		if (!readBone(reader, word))
		{
			return false;
		}
	}
	return true;
}

static bool findKnownBone(Reader* reader, rpWord word, int* out)
{
	*out = rpAcclaim_FindBone(reader->acclaim, word, 0);
	return *out >= 0 || rpFailWord(reader->error, word, "the name of a bone");
}

// Each line names a bone and those that hang on it.
static bool readHierarchy(Reader* reader)
{
	rpWord word;
	while (nextInSection(reader, &word))
	{
		if (rpWord_Is(word, "begin") || rpWord_Is(word, "end"))
		{
			continue;
		}
		int parent, child;
		if (!findKnownBone(reader, word, &parent))
		{
			return false;
		}
		while (rpScanner_NextOnLine(&reader->scanner, &word))
		{
			if (!findKnownBone(reader, word, &child))
			{
				return false;
			}
			if (child == 0 || reader->acclaim->bones[child].parent >= 0)
			{
				return rpFailWord(reader->error, word, "a bone that hangs on nothing yet");
			}
			reader->acclaim->bones[child].parent = parent;
		}
	}
	return true;
}

static bool readSections(Reader* reader)
{
	rpWord word;
	bool hierarchy = false;
	while (rpScanner_Next(&reader->scanner, &word))
	{
		bool done = true;
		if (rpWord_Is(word, ":units"))
		{
			done = readUnits(reader);
		}
		else if (rpWord_Is(word, ":root"))
		{
			done = readRoot(reader);
		}
		else if (rpWord_Is(word, ":bonedata"))
		{
			done = readBones(reader);
		}
		else if (rpWord_Is(word, ":hierarchy"))
		{
			hierarchy = true;
			done = readHierarchy(reader);
		}
		else if (word.start[0] != ':' && word.line == 1)
		{
			done = rpFailWord(reader->error, word, "an Acclaim skeleton, whose sections begin with ':'");
		}
		else
		{
			// :version, :name, and free text such as :documentation, skipped line by line.
			rpScanner_SkipLine(&reader->scanner);
		}
		if (!done)
		{
			return false;
		}
	}
	return hierarchy || rpFailAt(reader->error, rp_errorFormat, reader->scanner.line, 1,
								 "the skeleton has no :hierarchy of its bones");
}

int rpAcclaim_FindBone(const rpAcclaim* acclaim, rpWord name, int hint)
{
	for (int i = 0; i < acclaim->boneCount; ++i)
	{
		int place = (hint + i) % acclaim->boneCount;
		const char* bone = acclaim->bones[place].name;
		if (strncmp(bone, name.start, (size_t)name.length) == 0 && bone[name.length] == 0)
		{
			return place;
		}
	}
	return -1;
}

// The end of a bone as seen from its start; the root's is where it starts itself.
static rpVec3 getReach(const rpAcclaimBone* bone)
{
	const double* d = bone->direction;
	double size = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
	double scale = fabs(size - 1.0) > UNIT_TOLERANCE && size > 0.0 ? bone->length / size : bone->length;
	return (rpVec3){(float)(scale * d[0]), (float)(scale * d[1]), (float)(scale * d[2])};
}

static void setLimit(rpJoint* joint, int axis, const double limit[2], double toRadians)
{
	float* lower[3] = {&joint->lower.x, &joint->lower.y, &joint->lower.z};
	float* upper[3] = {&joint->upper.x, &joint->upper.y, &joint->upper.z};
	bool noLower = limit[0] == -DBL_MAX, noUpper = limit[1] == DBL_MAX;
	if ((noLower && noUpper) || limit[0] > limit[1])
	{
		return;
	}
	*lower[axis] = (float)(noLower ? -NO_LIMIT : fmax(-NO_LIMIT, limit[0] * toRadians));
	*upper[axis] = (float)(noUpper ? NO_LIMIT : fmin(NO_LIMIT, limit[1] * toRadians));
}

static rpJoint makeJoint(const rpAcclaim* acclaim, rpAcclaimBone* bone)
{
	double toRadians = acclaim->degrees ? RP_DEGREE : 1.0;
	rpVec3 angles = {(float)(bone->axis[0] * toRadians), (float)(bone->axis[1] * toRadians),
					 (float)(bone->axis[2] * toRadians)};
	bone->frame = rpFromEuler(angles, bone->order);
	rpJoint joint = rpDefaultJoint();
	joint.name = bone->name;
	joint.order = bone->order;
	joint.axes = bone->frame;
	joint.freedoms = 0;
	for (int i = 0; i < bone->dofCount; ++i)
	{
		int axis = (int)bone->dofs[i] - rp_dofRX;
		if (axis < 0 || axis > 2)
		{
			continue;
		}
		joint.freedoms |= rp_freeX << axis;
		if (i < bone->limitCount)
		{
			setLimit(&joint, axis, bone->limits[i], toRadians);
		}
	}
	if (bone->parent >= 0)
	{
		const rpAcclaimBone* parent = acclaim->bones + bone->parent;
		joint.parent = parent->joint;
		joint.offset = bone->parent == 0 ? rpVec3_zero : getReach(parent);
	}
	return joint;
}

// Bones in the order of a walk down the tree, children as they were listed; without recursion, for hierarchies may be
// deep. children and next are lists of siblings by index.
static int orderBones(const rpAcclaim* acclaim, int* firstChild, int* next, int* out)
{
	for (int i = 0; i < acclaim->boneCount; ++i)
	{
		firstChild[i] = next[i] = -1;
	}
	for (int i = acclaim->boneCount - 1; i > 0; --i)
	{
		int parent = acclaim->bones[i].parent;
		if (parent >= 0)
		{
			next[i] = firstChild[parent];
			firstChild[parent] = i;
		}
	}
	int count = 0;
	for (int bone = 0; bone >= 0;)
	{
		out[count++] = bone;
		if (firstChild[bone] >= 0)
		{
			bone = firstChild[bone];
			continue;
		}
		while (bone > 0 && next[bone] < 0)
		{
			bone = acclaim->bones[bone].parent;
		}
		bone = bone > 0 ? next[bone] : -1;
	}
	return count;
}

static void reportLooseBones(const rpAcclaim* acclaim, int count, rpFindings* findings)
{
	for (int i = 0; i < acclaim->boneCount && count < acclaim->boneCount; ++i)
	{
		if (acclaim->bones[i].joint < 0)
		{
			rpFinding* finding =
				rpFindings_Add(findings, "loose_bones", "%d bones do not hang on the root, the first is \"%.60s\"",
							   acclaim->boneCount - count, acclaim->bones[i].name);
			rpFinding_SetAction(finding, true, "left out");
			return;
		}
	}
}

static rpSkeleton* makeSkeleton(Reader* reader, const int* order, int count, rpJoint* joints, rpEndSite* ends)
{
	rpAcclaim* acclaim = reader->acclaim;
	rpSkeletonDef def = rpDefaultSkeletonDef();
	for (int i = 0; i < count; ++i)
	{
		acclaim->bones[order[i]].joint = i;
		joints[i] = makeJoint(acclaim, acclaim->bones + order[i]);
		// A bone after which the walk does not go down is a leaf.
		bool leaf = i + 1 == count || acclaim->bones[order[i + 1]].parent != order[i];
		if (leaf && order[i] != 0)
		{
			ends[def.endCount++] = (rpEndSite){NULL, i, getReach(acclaim->bones + order[i])};
		}
	}
	reportLooseBones(acclaim, count, reader->findings);
	def.joints = joints;
	def.jointCount = count;
	def.ends = ends;
	return rpCreateSkeleton(&def, reader->error);
}

static bool finish(Reader* reader)
{
	size_t count = (size_t)reader->acclaim->boneCount;
	int* order = rpAllocate(3 * count, sizeof(int), reader->error);
	rpJoint* joints = rpAllocate(count, sizeof(rpJoint), reader->error);
	rpEndSite* ends = rpAllocate(count, sizeof(rpEndSite), reader->error);
	if (order != NULL && joints != NULL && ends != NULL)
	{
		int connected = orderBones(reader->acclaim, order + count, order + 2 * count, order);
		reader->acclaim->skeleton = makeSkeleton(reader, order, connected, joints, ends);
	}
	rpFree(order);
	rpFree(joints);
	rpFree(ends);
	return reader->acclaim->skeleton != NULL;
}

static void reportLengthDofs(const rpAcclaim* acclaim, rpFindings* findings)
{
	for (int i = 1; i < acclaim->boneCount; ++i)
	{
		for (int k = 0; k < acclaim->bones[i].dofCount; ++k)
		{
			rpAcclaimDof dof = acclaim->bones[i].dofs[k];
			if (dof < rp_dofRX || dof > rp_dofRZ)
			{
				rpFinding* finding = rpFindings_Add(
					findings, "bone_translation", "bone \"%.60s\" changes its length or place", acclaim->bones[i].name);
				rpFinding_SetAction(finding, true, "kept rigid: only rotations are read");
				return;
			}
		}
	}
}

bool rpReadAsf(const char* text, size_t size, rpAcclaim* out, rpFindings* findings, rpError* error)
{
	*out = (rpAcclaim){.unitLength = 1.0, .degrees = true};
	Reader reader = {rpStartScanner(text, size), out, findings, error};
	rpAcclaimBone root = defaultBone();
	strcpy(root.name, "root");
	for (int i = 0; i < 6; ++i)
	{
		root.dofs[root.dofCount++] = (rpAcclaimDof)i;
	}
	if (!addBone(&reader, &root, (rpWord){0}) || !readSections(&reader) || !finish(&reader))
	{
		rpFreeAcclaim(out);
		return false;
	}
	reportLengthDofs(out, findings);
	return true;
}

void rpFreeAcclaim(rpAcclaim* acclaim)
{
	rpFree(acclaim->bones);
	rpReleaseSkeleton(acclaim->skeleton);
	*acclaim = (rpAcclaim){0};
}
