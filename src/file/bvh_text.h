/// The parts of a BVH file between its bytes and its motion; for the BVH reader alone.
#pragma once

#include "reprise/file.h"

#include <stdarg.h>

/// Numbers beyond this are damage: lengths and their squares would not fit in a float.
#define BVH_LARGEST 1e12f

/// A place in the text.
typedef struct BvhText
{
	const char* start;
	const char* at;
	const char* end;

	/// '.', or ',' once a number has had one and none a point.
	char decimal;

	/// Whether a decimal point has been seen in a number.
	bool sawPoint;

	/// May be NULL.
	rpError* error;
} BvhText;

/// Fill the error with line and column of a place. Returns false.
bool bvhFail(const BvhText* text, rpErrorCode code, const char* place, const char* format, ...) RP_PRINTF(4, 5);

/// What stands at a place, in quotes and shortened, for messages; out holds 48 bytes.
const char* bvhQuote(const BvhText* text, const char* place, char out[48]);

/// Move over blanks and read a word: up to a blank, a brace or a colon, which is part of it; a brace is a word of its
/// own. Returns its size, 0 at the end of the text; *word is its first byte.
int bvhReadWord(BvhText* text, const char** word);

/// Whether a word is this keyword (lower case), whatever its case.
bool bvhIsWord(const char* word, int size, const char* keyword);

/// Read count numbers; fills the error if there are fewer or one is not finite. what names them in messages.
RP_NODISCARD bool bvhReadNumbers(BvhText* text, float* out, int count, const char* what);

/// A number after a keyword of the MOTION section, on the same line, with a point or a comma. *digits is how many it is
/// written with, 0 where the line ends without one. False, with the error filled, when something else is there.
RP_NODISCARD bool bvhReadSetting(BvhText* text, long double* out, int* digits, const char* what);

/// Look at the comma a number stopped at: if it is a decimal comma and no number had a point, numbers are read with
/// commas from now on, and the caller tries again.
bool bvhAcceptComma(BvhText* text);

enum
{
	bvh_positionX,
	bvh_positionY,
	bvh_positionZ,
	bvh_rotationX,
	bvh_rotationY,
	bvh_rotationZ,
	bvh_channelKinds,
};

/// A joint as the file has it.
typedef struct BvhJoint
{
	/// In the text, trimmed, not terminated.
	const char* name;
	int nameSize;

	int parent;
	rpVec3 offset;
	bool hasOffset, hasChannels;

	/// Column in the rows of each kind of channel, -1 if it has none.
	int columns[bvh_channelKinds];

	/// Axes of its rotations in the order of the channels, then those without a channel.
	int axes[3];
	int rotationCount, positionCount;
} BvhJoint;

typedef struct BvhEnd
{
	const char* name;
	int nameSize;
	int joint;
	rpVec3 offset;
} BvhEnd;

/// The HIERARCHY section. Zero-initialised is empty.
typedef struct BvhHierarchy
{
	BvhJoint* joints;
	BvhEnd* ends;
	int jointCount, jointCapacity;
	int endCount, endCapacity;

	/// Numbers in a row.
	int columnCount;
} BvhHierarchy;

/// Read everything up to and with the word MOTION.
RP_NODISCARD bool bvhReadHierarchy(BvhText* text, BvhHierarchy* out);
void bvhFreeHierarchy(BvhHierarchy* hierarchy);

/// The rows of the MOTION section. Zero-initialised is empty.
typedef struct BvhRows
{
	int frameCount, capacity;

	/// [frameCount], [frameCount * jointCount], and, only where joints below the root have positions, as many
	/// translations.
	rpVec3* rootPositions;
	rpQuat* rotations;
	rpVec3* translations;

	/// [jointCount] where there are translations: min and max.
	rpVec3 *lowest, *highest;

	/// The first row that ends within a line although the first row ended with one, or -1.
	int raggedRow;
} BvhRows;

/// Read all rows to the end of the text. expectedCount is what the file claims, or 0; it only serves to reserve memory,
/// and only as far as the bytes that are there can keep the promise.
RP_NODISCARD bool bvhReadRows(BvhText* text, const BvhHierarchy* hierarchy, bool addOffsets, double expectedCount,
							  BvhRows* out);
void bvhFreeRows(BvhRows* rows);

/// Turns rows of angles into rotations, all joints of a row at once. Zero-initialised is empty.
typedef struct BvhTurner
{
	int jointCount;

	/// The joints, filled up to whole vectors.
	int stride;

	/// [3 * stride] each: column of each joint's first, second and third angle, and its axis. Where a joint has no such
	/// angle the column is the one after the last, which must hold 0.
	int *columns, *axes;

	/// [3 * stride] each, of the row at hand; sign is [stride]: 1 where the axes are in cyclic order, else -1.
	float *degrees, *sines, *cosines, *sign;

	/// [4 * stride]: the last row's rotations, cosine part first, then along the first, second and third axis.
	float* last;
} BvhTurner;

RP_NODISCARD bool bvhCreateTurner(const BvhHierarchy* hierarchy, BvhTurner* out, rpError* error);
void bvhFreeTurner(BvhTurner* turner);

/// Rotations of the next row; each is in the hemisphere of the row before. row is [columnCount + 1], the last one 0;
/// out is [jointCount].
void bvhTurnJoints(BvhTurner* turner, const float* row, rpQuat* out);

/// Frames per second of a frame time: a whole number or one of television's rates when it is near one; how near
/// depends on how many digits it is written with. 0 when it is none.
double bvhGetRate(long double frameTime, int digits);
