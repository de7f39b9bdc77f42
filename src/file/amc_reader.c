/// Acclaim motions (.amc): per frame, a line of numbers for each bone. The frame C of a bone is its `axis`, and its
/// local rotation C M C^-1, where M turns by the bone's freedoms in the order of its axis; the rest pose has no
/// rotations, for directions stand in the world.
#include "base/error.h"
#include "base/findings.h"
#include "base/memory.h"
#include "file/asf_reader.h"
#include "file/reader.h"

#include <stdio.h>
#include <string.h>

// What nearly every AMC was captured at.
#define USUAL_RATE 120.0

// CMU's `length` says how many inches a unit is the reciprocal of: 0.45 means 1/0.45 inch.
#define INCH 0.0254

// Frames that leave out most bones could ask for far more memory than the file has bytes; no true file does.
#define ROTATIONS_PER_BYTE 32
#define ROTATIONS_AT_LEAST 65536

/// A file being read.
typedef struct Reader
{
	rpScanner scanner;
	rpAcclaim acclaim;
	const rpReadDef* def;
	rpFindings* findings;
	rpError* error;

	rpMotion* motion;
	double toRadians;
	double samplesPerSecond;

	// Per bone, the last frame that has it, -1 for none.
	int* lastFrames;

	// What was remarkable.
	int missingCount, firstMissing;
	char missingName[64];
	int skipCount, firstSkip;
	long long lastNumber;
} Reader;

static bool isFrameNumber(rpWord word)
{
	for (int i = 0; i < word.length; ++i)
	{
		if (word.start[i] < '0' || word.start[i] > '9')
		{
			return false;
		}
	}
	return word.length > 0 && word.length < 16;
}

// A line with ':' says how the file is written.
static bool readFlag(Reader* reader, rpWord word)
{
	if (rpWord_Is(word, ":DEGREES") || rpWord_Is(word, ":DEG"))
	{
		reader->toRadians = RP_DEGREE;
	}
	else if (rpWord_Is(word, ":RADIANS") || rpWord_Is(word, ":RAD"))
	{
		reader->toRadians = 1.0;
	}
	else if (rpWord_Is(word, ":SAMPLES-PER-SECOND"))
	{
		rpWord number;
		rpScanner_NextOnLine(&reader->scanner, &number);
		if (!rpWord_GetNumber(number, &reader->samplesPerSecond) || !(reader->samplesPerSecond > 0.0))
		{
			return rpFailWord(reader->error, number, "a positive number of samples");
		}
	}
	rpScanner_SkipLine(&reader->scanner);
	return true;
}

// Everything before the first frame's number.
static bool readHeader(Reader* reader, rpWord* first)
{
	while (rpScanner_Next(&reader->scanner, first))
	{
		if (isFrameNumber(*first))
		{
			return true;
		}
		if (first->start[0] != ':')
		{
			return rpFailWord(reader->error, *first, "a ':' keyword or the number of a frame");
		}
		if (!readFlag(reader, *first))
		{
			return false;
		}
	}
	return rpFailAt(reader->error, rp_errorFormat, reader->scanner.line, 1, "the file holds no frames");
}

// Frames after the first one's number. A line of one number begins a frame.
static long long countFrames(const Reader* reader)
{
	rpScanner scanner = reader->scanner;
	rpWord word;
	long long count = 1;
	while (rpScanner_Next(&scanner, &word))
	{
		count += isFrameNumber(word);
		rpScanner_SkipLine(&scanner);
	}
	return count;
}

static bool createMotion(Reader* reader, size_t size)
{
	const rpSkeleton* skeleton = reader->acclaim.skeleton;
	long long frameCount = countFrames(reader);
	long long allowed = ROTATIONS_AT_LEAST + ROTATIONS_PER_BYTE * (long long)size;
	if (frameCount > RP_MAX_FRAMES || frameCount * skeleton->jointCount > allowed)
	{
		return rpFail(reader->error, rp_errorLimit, "%lld frames of %d bones in %zu bytes", frameCount,
					  skeleton->jointCount, size);
	}
	double fps = reader->samplesPerSecond > 0.0 ? reader->samplesPerSecond : USUAL_RATE;
	fps = reader->def->fps > 0.0 ? reader->def->fps : fps;
	reader->motion = rpCreateMotion(skeleton, NULL, fps, (int)frameCount, reader->error);
	reader->lastFrames = rpAllocate((size_t)reader->acclaim.boneCount, sizeof(int), reader->error);
	if (reader->motion == NULL || reader->lastFrames == NULL)
	{
		return false;
	}
	for (int i = 0; i < reader->acclaim.boneCount; ++i)
	{
		reader->lastFrames[i] = -1;
	}
	return true;
}

static bool failCount(Reader* reader, rpWord place, const rpAcclaimBone* bone, int found)
{
	return rpFailAt(reader->error, rp_errorFormat, place.line, place.column,
					"bone \"%.60s\" has %s%d numbers, expected %d as its freedoms in the skeleton", bone->name,
					found > bone->dofCount ? "more than " : "", found > bone->dofCount ? bone->dofCount : found,
					bone->dofCount);
}

// The numbers of a bone's line by what they mean; zero where a freedom is not given.
static bool readValues(Reader* reader, const rpAcclaimBone* bone, double values[rp_dofCount])
{
	rpWord word;
	int count = 0;
	memset(values, 0, rp_dofCount * sizeof(double));
	while (rpScanner_NextOnLine(&reader->scanner, &word))
	{
		double value;
		if (!rpWord_GetNumber(word, &value) || !isfinite((float)value))
		{
			return rpFailWord(reader->error, word, "a number");
		}
		if (count == bone->dofCount)
		{
			return failCount(reader, word, bone, count + 1);
		}
		values[bone->dofs[count++]] = value;
	}
	return count == bone->dofCount || failCount(reader, word, bone, count);
}

static void setPose(Reader* reader, const rpAcclaimBone* bone, const double values[rp_dofCount], int frame)
{
	rpVec3 angles = {(float)(values[rp_dofRX] * reader->toRadians), (float)(values[rp_dofRY] * reader->toRadians),
					 (float)(values[rp_dofRZ] * reader->toRadians)};
	rpQuat turn = rpFromEuler(angles, bone->order);
	rpQuat local = rpMulQuat(rpMulQuat(bone->frame, turn), rpConjugate(bone->frame));
	size_t place = (size_t)frame * (size_t)reader->motion->skeleton->jointCount;
	reader->motion->rotations[place + (size_t)bone->joint] = rpNormalizeQuat(local);
	if (bone->joint == 0)
	{
		reader->motion->rootPositions[frame] =
			(rpVec3){(float)(values[rp_dofTX] + bone->position[0]), (float)(values[rp_dofTY] + bone->position[1]),
					 (float)(values[rp_dofTZ] + bone->position[2])};
	}
}

static bool readBone(Reader* reader, rpWord name, int frame, int* index)
{
	*index = rpAcclaim_FindBone(&reader->acclaim, name, *index);
	if (*index < 0)
	{
		return rpFailWord(reader->error, name, "the name of a bone of the skeleton, or the number of a frame");
	}
	const rpAcclaimBone* bone = reader->acclaim.bones + *index;
	if (reader->lastFrames[*index] == frame)
	{
		return rpFailWord(reader->error, name, "each bone once in a frame");
	}
	reader->lastFrames[*index] = frame;
	double values[rp_dofCount];
	if (!readValues(reader, bone, values))
	{
		return false;
	}
	if (bone->joint >= 0)
	{
		setPose(reader, bone, values, frame);
	}
	return true;
}

// A bone that a frame leaves out stays as it was.
static void keepMissing(Reader* reader, int frame)
{
	rpMotion* motion = reader->motion;
	size_t jointCount = (size_t)motion->skeleton->jointCount;
	for (int i = 0; i < reader->acclaim.boneCount; ++i)
	{
		const rpAcclaimBone* bone = reader->acclaim.bones + i;
		if (bone->joint < 0 || bone->dofCount == 0 || reader->lastFrames[i] == frame)
		{
			continue;
		}
		if (reader->missingCount++ == 0)
		{
			reader->firstMissing = frame;
			snprintf(reader->missingName, sizeof(reader->missingName), "%.60s", bone->name);
		}
		if (frame > 0)
		{
			rpQuat* now = motion->rotations + (size_t)frame * jointCount + bone->joint;
			*now = *(now - jointCount);
		}
		if (bone->joint == 0)
		{
			motion->rootPositions[frame] =
				frame > 0 ? motion->rootPositions[frame - 1]
						  : (rpVec3){(float)bone->position[0], (float)bone->position[1], (float)bone->position[2]};
		}
	}
}

static void noteNumber(Reader* reader, rpWord word, int frame)
{
	long long number = 0;
	for (int i = 0; i < word.length; ++i)
	{
		number = 10 * number + (word.start[i] - '0');
	}
	if (frame > 0 && number != reader->lastNumber + 1 && reader->skipCount++ == 0)
	{
		reader->firstSkip = frame;
	}
	reader->lastNumber = number;
}

static bool readFrames(Reader* reader, rpWord word)
{
	int frame = 0, bone = 0, boneCount = 0;
	rpWord number = word;
	noteNumber(reader, word, 0);
	rpScanner_SkipLine(&reader->scanner);
	while (rpScanner_Next(&reader->scanner, &word))
	{
		if (!isFrameNumber(word))
		{
			if (!readBone(reader, word, frame, &bone))
			{
				return false;
			}
			++boneCount;
			continue;
		}
		if (boneCount == 0)
		{
			return rpFailWord(reader->error, number, "bones after the number of a frame");
		}
		keepMissing(reader, frame++);
		noteNumber(reader, word, frame);
		number = word;
		boneCount = 0;
		rpScanner_SkipLine(&reader->scanner);
	}
	keepMissing(reader, frame);
	return boneCount > 0 || rpFailWord(reader->error, number, "bones after the number of a frame");
}

static void report(const Reader* reader)
{
	if (reader->def->fps <= 0.0 && reader->samplesPerSecond <= 0.0)
	{
		rpFinding* finding = rpFindings_Add(reader->findings, "frame_rate", "an AMC file does not say its frame rate");
		rpFinding_SetAction(finding, false, "taken as %g frames per second; --read-fps overrules it", USUAL_RATE);
	}
	if (reader->skipCount > 0)
	{
		rpFinding* finding = rpFindings_Add(reader->findings, "frame_numbers",
											"the frames' numbers do not count up at %d places", reader->skipCount);
		if (finding != NULL)
		{
			finding->firstRow = reader->firstSkip;
			finding->rowCount = 1;
		}
		rpFinding_SetAction(finding, false, "nothing: frames are taken one after the other");
	}
	if (reader->missingCount > 0)
	{
		rpFinding* finding = rpFindings_Add(reader->findings, "missing_bones",
											"frames leave out bones %d times, first \"%s\" in frame %d",
											reader->missingCount, reader->missingName, reader->firstMissing);
		if (finding != NULL)
		{
			finding->firstRow = reader->firstMissing;
			finding->rowCount = 1;
		}
		rpFinding_SetAction(finding, true, "kept as in the frame before, or at rest");
	}
}

static bool readMotion(Reader* reader, size_t size)
{
	rpWord first;
	reader->toRadians = reader->acclaim.degrees ? RP_DEGREE : 1.0;
	return readHeader(reader, &first) && createMotion(reader, size) && readFrames(reader, first);
}

bool rpReadAmc(const char* amc, size_t amcSize, const char* asf, size_t asfSize, const char* asfName,
			   const rpReadDef* def, rpReading* out, rpFindings* findings, rpError* error)
{
	*out = (rpReading){0};
	Reader reader = {.scanner = rpStartScanner(amc, amcSize), .def = def, .findings = findings, .error = error};
	if (!rpReadAsf(asf, asfSize, &reader.acclaim, findings, error))
	{
		rpError_SetFile(error, asfName);
		return false;
	}
	bool done = readMotion(&reader, amcSize);
	if (done)
	{
		rpMotion_FixHemispheres(reader.motion);
		report(&reader);
		out->motion = reader.motion;
		double length = reader.acclaim.unitLength;
		out->metresPerUnit = length != 1.0 ? INCH / length : 0.0;
	}
	else
	{
		rpDestroyMotion(reader.motion);
	}
	rpFree(reader.lastFrames);
	rpFreeAcclaim(&reader.acclaim);
	return done;
}
