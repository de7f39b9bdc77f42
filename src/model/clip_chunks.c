/// SKEL is the skeleton as motion/skeleton_blob.h has it. ROWS holds the rotations in the layout of blend/clip.h, all
/// clips one after the other, ROOT the roots' places, CONT the contacts; CLIP says which of them belong to a clip. CFLO
/// holds the height of each clip's floor; the first bundles have none. Packed bundles have PSTP, PBLK and PROW instead
/// of ROWS and ROOT: steps, blocks and rows as blend/packed_rows.h has them.
#include "model/clip_chunks.h"

#include "base/error.h"
#include "base/memory.h"
#include "blend/clip_packer.h"
#include "model/shown_frames.h"
#include "motion/plausible.h"
#include "motion/skeleton_blob.h"

#include <math.h>
#include <string.h>

/// CLIP, one for each clip. Rows are counted in numbers; where they are packed, in bytes, and blocks instead of roots.
typedef struct ClipRecord
{
	double fps;
	int64_t firstNumber;
	int32_t frameCount, firstRoot, firstContact, contactCount;
} ClipRecord;

_Static_assert(sizeof(ClipRecord) == 32 && sizeof(rpClipContact) == 16, "the layout of the file");

// Rotations that are farther from unit length than this are damage.
#define UNIT_TOLERANCE 1e-3f

// Contacts' times are floats, seconds.
#define TIME_TOLERANCE 0.01f

// ---- writing

/// What is collected from the motions.
typedef struct Gathered
{
	ClipRecord* records;
	float* floors;
	rpText rows, roots, contacts;
} Gathered;

// As far as they are inside of the clip.
static void gatherContacts(Gathered* out, const rpClip* clip, ClipRecord* record)
{
	float last = (float)(clip->frameCount / clip->fps);
	for (int i = 0; i < clip->contactCount; ++i)
	{
		rpClipContact contact = clip->contacts[i];
		if (contact.start <= last && contact.end >= 0.0f)
		{
			contact.start = fmaxf(contact.start, 0.0f);
			contact.end = fminf(contact.end, last);
			rpText_Append(&out->contacts, &contact, sizeof(contact));
			++record->contactCount;
		}
	}
}

static bool gatherMotion(Gathered* out, const rpMotion* motion, int index, rpCreateClipFn* create, rpError* error)
{
	ClipRecord* record = &out->records[index];
	rpClip* clip = create(motion, error);
	if (clip == NULL)
	{
		return false;
	}
	*record = (ClipRecord){
		.fps = clip->fps,
		.firstNumber = (int64_t)(out->rows.size / sizeof(float)),
		.frameCount = clip->frameCount,
		.firstRoot = (int32_t)(out->roots.size / sizeof(rpVec3)),
		.firstContact = (int32_t)(out->contacts.size / sizeof(rpClipContact)),
	};
	size_t frameCount = (size_t)clip->frameCount;
	rpText_Append(&out->rows, clip->rows, frameCount * (size_t)clip->stride * sizeof(float));
	rpText_Append(&out->roots, clip->roots, frameCount * sizeof(rpVec3));
	gatherContacts(out, clip, record);
	out->floors[index] = clip->floor;
	rpDestroyClip(clip);
	return true;
}

static bool addText(rpBundleWriter* writer, const char* type, const rpText* text, size_t recordSize, rpError* error)
{
	size_t count = text->size / recordSize;
	if (text->failed)
	{
		return rpFail(error, rp_errorMemory, "out of memory");
	}
	if (count > INT32_MAX)
	{
		return rpFail(error, rp_errorLimit, "%zu records in one chunk; at most %d are allowed", count, INT32_MAX);
	}
	return rpBundleWriter_Add(writer, type, text->data, (int)count, recordSize, error);
}

static bool writeSkeleton(rpBundleWriter* writer, const rpSkeleton* skeleton, rpError* error)
{
	rpText blob = {0};
	bool done = rpEncodeSkeleton(skeleton, &blob, error) && addText(writer, "SKEL", &blob, 1, error);
	rpText_Free(&blob);
	return done;
}

bool rpWriteClipChunks(rpBundleWriter* writer, const rpMotion* const* motions, int count, rpCreateClipFn* create,
					   rpError* error)
{
	Gathered all = {.records = rpAllocateZero((size_t)count, sizeof(ClipRecord), error),
					.floors = rpAllocate((size_t)count, sizeof(float), error)};
	bool done = all.records != NULL && all.floors != NULL && writeSkeleton(writer, motions[0]->skeleton, error);
	for (int i = 0; i < count && done; ++i)
	{
		done = gatherMotion(&all, motions[i], i, create, error);
	}
	done = done && rpBundleWriter_Add(writer, "CLIP", all.records, count, sizeof(ClipRecord), error) &&
		   addText(writer, "ROWS", &all.rows, sizeof(float), error) &&
		   addText(writer, "ROOT", &all.roots, sizeof(rpVec3), error) &&
		   addText(writer, "CONT", &all.contacts, sizeof(rpClipContact), error) &&
		   rpBundleWriter_Add(writer, "CFLO", all.floors, count, sizeof(float), error);
	rpFree(all.records);
	rpFree(all.floors);
	rpText_Free(&all.rows);
	rpText_Free(&all.roots);
	rpText_Free(&all.contacts);
	return done;
}

// ---- packing

/// What is collected from the clips.
typedef struct Packed
{
	ClipRecord* records;
	rpText steps, blocks, rows;
	int blockCount;
} Packed;

// A row that is not shown becomes that before it in its block, or the next that is shown: it stays valid, and costs
// nothing where the bundle is compressed.
static void holdRows(uint8_t* rows, size_t rowSize, const uint8_t* shown, int count)
{
	int last = 0;
	while (last < count - 1 && shown[last] == 0)
	{
		++last;
	}
	for (int i = 0; i < count; ++i)
	{
		last = shown[i] != 0 ? i : last;
		if (i != last)
		{
			memcpy(rows + (size_t)i * rowSize, rows + (size_t)last * rowSize, rowSize);
		}
	}
}

static bool holdFrames(rpPackedClip* packed, const rpClip* clip, const uint8_t* shown, rpError* error)
{
	rpPackedRows* rows = shown != NULL ? rpPackedClip_Unpack(packed, clip, error) : NULL;
	for (int i = 0; rows != NULL && i < rows->blockCount; ++i)
	{
		const rpPackedBlock* block = &rows->blocks[i];
		int end = i + 1 < rows->blockCount ? block[1].firstFrame : clip->frameCount;
		holdRows((uint8_t*)packed->rows.data + (block->rows - (const uint8_t*)packed->rows.data), block->rowSize,
				 shown + block->firstFrame, end - block->firstFrame);
	}
	bool done = shown == NULL || rows != NULL;
	rpDestroyPackedRows(rows);
	return done;
}

static bool packClip(Packed* all, const rpClip* clip, const uint8_t* shown, ClipRecord* record, rpPacking* packing,
					 rpError* error)
{
	rpPackedClip packed;
	size_t jointCount = (size_t)clip->skeleton->jointCount;
	bool done = rpPackClip(clip, &packed, error) && holdFrames(&packed, clip, shown, error);
	if (done)
	{
		record->firstNumber = (int64_t)all->rows.size;
		record->firstRoot = all->blockCount;
		rpText_Append(&all->steps, packed.steps, (1 + jointCount) * sizeof(float));
		rpText_Append(&all->blocks, packed.blocks.data, packed.blocks.size);
		rpText_Append(&all->rows, packed.rows.data, packed.rows.size);
		all->blockCount += packed.blockCount;
		packing->maxTravel = fmaxf(packing->maxTravel, packed.travel);
		packing->maxTurn = fmaxf(packing->maxTurn, packed.turn);
	}
	rpPackedClip_Free(&packed);
	return done;
}

bool rpPackClipChunks(rpBundleWriter* writer, const rpBundle* bundle, const rpClipSet* set, const rpShownFrames* shown,
					  rpPacking* packing, rpError* error)
{
	static const uint8_t slack[rp_packedSlack] = {0};
	Packed all = {0};
	int count;
	const ClipRecord* records = rpBundle_GetChunk(bundle, "CLIP", sizeof(ClipRecord), &count, error);
	all.records = records != NULL ? rpAllocate((size_t)count, sizeof(ClipRecord), error) : NULL;
	bool done = all.records != NULL;
	for (int i = 0; i < count && done; ++i)
	{
		all.records[i] = records[i];
		done = packClip(&all, set->clips[i], rpShownFrames_Get(shown, i), &all.records[i], packing, error);
	}
	rpText_Append(&all.rows, slack, sizeof(slack));
	done = done && rpBundleWriter_Add(writer, "CLIP", all.records, count, sizeof(ClipRecord), error) &&
		   addText(writer, "PSTP", &all.steps, sizeof(float), error) &&
		   addText(writer, "PBLK", &all.blocks, rpGetPackedBlockSize(set->skeleton->jointCount), error) &&
		   addText(writer, "PROW", &all.rows, 1, error);
	rpFree(all.records);
	rpText_Free(&all.steps);
	rpText_Free(&all.blocks);
	rpText_Free(&all.rows);
	return done;
}

// ---- reading

/// The chunks as they lie there.
typedef struct Chunks
{
	const ClipRecord* records;
	const rpClipContact* contacts;
	/// NULL where the bundle has none.
	const float* floors;
	int clipCount, contactCount, floorCount;

	/// Frames as floats; NULL where they are packed.
	const float* rows;
	const rpVec3* roots;
	/// Numbers of rows, or bytes; roots, or blocks.
	int numberCount, rootCount;

	/// Frames packed.
	const float* steps;
	const void* blocks;
	const uint8_t* bytes;
	int stepCount;
} Chunks;

static bool failClips(rpError* error, const char* what)
{
	return rpFail(error, rp_errorFormat, "the clips in the bundle are damaged: %s", what);
}

static bool findFloats(const rpBundle* bundle, Chunks* out, rpError* error)
{
	out->rows = rpBundle_GetChunk(bundle, "ROWS", sizeof(float), &out->numberCount, error);
	out->roots = out->rows != NULL ? rpBundle_GetChunk(bundle, "ROOT", sizeof(rpVec3), &out->rootCount, error) : NULL;
	return out->roots != NULL;
}

// Behind the rows there is some slack, so that they can be read sixteen bytes at once.
static bool findPacked(const rpBundle* bundle, Chunks* out, int jointCount, rpError* error)
{
	out->steps = rpBundle_GetChunk(bundle, "PSTP", sizeof(float), &out->stepCount, error);
	out->blocks = rpBundle_GetChunk(bundle, "PBLK", rpGetPackedBlockSize(jointCount), &out->rootCount, error);
	out->bytes = rpBundle_GetChunk(bundle, "PROW", 1, &out->numberCount, error);
	if (out->steps == NULL || out->blocks == NULL || out->bytes == NULL)
	{
		return false;
	}
	out->numberCount -= rp_packedSlack;
	return (out->stepCount == (int64_t)out->clipCount * (1 + jointCount) && out->numberCount >= 0) ||
		   failClips(error, "their steps");
}

static bool findChunks(const rpBundle* bundle, Chunks* out, int jointCount, rpError* error)
{
	*out = (Chunks){0};
	out->records = rpBundle_GetChunk(bundle, "CLIP", sizeof(ClipRecord), &out->clipCount, error);
	out->contacts = rpBundle_GetChunk(bundle, "CONT", sizeof(rpClipContact), &out->contactCount, error);
	bool isPacked = rpBundle_HasChunk(bundle, "PROW");
	if (out->records == NULL || out->contacts == NULL ||
		!(isPacked ? findPacked(bundle, out, jointCount, error) : findFloats(bundle, out, error)))
	{
		return false;
	}
	if (rpBundle_HasChunk(bundle, "CFLO"))
	{
		out->floors = rpBundle_GetChunk(bundle, "CFLO", sizeof(float), &out->floorCount, error);
		return out->floors != NULL && (out->floorCount == out->clipCount || failClips(error, "their floors"));
	}
	return true;
}

static bool areUnit(const float* group)
{
	for (int lane = 0; lane < rp_clipLanes; ++lane)
	{
		float square = 0.0f;
		for (int i = lane; i < rp_clipGroup; i += rp_clipLanes)
		{
			square += group[i] * group[i];
		}
		// Not a number is not within it either.
		if (!(fabsf(square - 1.0f) <= UNIT_TOLERANCE))
		{
			return false;
		}
	}
	return true;
}

// Packed ones are checked as they are unpacked.
static bool checkFloats(const Chunks* chunks, rpError* error)
{
	for (int i = 0; i + rp_clipGroup <= chunks->numberCount; i += rp_clipGroup)
	{
		if (!areUnit(chunks->rows + i))
		{
			return failClips(error, "a rotation is none");
		}
	}
	for (int i = 0; i < chunks->rootCount; ++i)
	{
		if (!rpIsPlace(chunks->roots[i]))
		{
			return failClips(error, "a root is nowhere near");
		}
	}
	return true;
}

static bool checkNumbers(const Chunks* chunks, rpError* error)
{
	if (chunks->rows != NULL && !checkFloats(chunks, error))
	{
		return false;
	}
	for (int i = 0; i < chunks->clipCount && chunks->floors != NULL; ++i)
	{
		if (!rpIsWithin(chunks->floors[i], RP_FARTHEST))
		{
			return failClips(error, "a floor is nowhere near");
		}
	}
	return true;
}

/// Where the next clip begins in each chunk.
typedef struct Place
{
	int64_t number;
	int root, contact;
} Place;

// Clips lie one behind the other, inside of what there is. No two share anything: whatever is made of them follows the
// file's size.
static bool isSoundRecord(const Chunks* chunks, const ClipRecord* record, const Place* next)
{
	return rpIsRate(record->fps) && record->frameCount >= 1 && record->firstNumber == next->number &&
		   record->firstRoot == next->root && record->firstContact == next->contact && record->contactCount >= 0 &&
		   record->contactCount <= chunks->contactCount - next->contact;
}

// A contact may last a little longer than its clip: it ends between two frames.
static bool areSoundContacts(const rpClipContact* contacts, const ClipRecord* record)
{
	float last = (float)(record->frameCount / record->fps);
	bool isSound = true;
	for (int i = 0; i < record->contactCount && isSound; ++i)
	{
		const rpClipContact* contact = &contacts[i];
		isSound = contact->start >= 0.0f && contact->start <= contact->end && contact->end <= last + TIME_TOLERANCE &&
				  rpIsWithin(contact->support, RP_FARTHEST) && contact->effector >= 0 &&
				  contact->effector < rp_effectorCount;
	}
	return isSound;
}

// Frames as floats: a view of them. NULL where they reach beyond what there is.
static rpClip* viewFrames(const Chunks* chunks, const ClipRecord* record, const rpSkeleton* skeleton, Place* next,
						  rpError* error)
{
	int stride = rpGetClipStride(skeleton);
	if (record->frameCount > (chunks->numberCount - next->number) / stride ||
		record->frameCount > chunks->rootCount - next->root)
	{
		failClips(error, "a clip is not where it should be");
		return NULL;
	}
	rpClip* clip = rpCreateClipView(skeleton, record->fps, record->frameCount, chunks->rows + next->number,
									chunks->roots + next->root, error);
	next->number += (int64_t)record->frameCount * stride;
	next->root += record->frameCount;
	return clip;
}

static rpClip* unpackFrames(const Chunks* chunks, int index, const rpSkeleton* skeleton, Place* next, rpError* error)
{
	const ClipRecord* record = &chunks->records[index];
	size_t jointCount = (size_t)skeleton->jointCount;
	rpPackedSource source = {
		.jointCount = skeleton->jointCount,
		.frameCount = record->frameCount,
		.steps = chunks->steps + (size_t)index * (1 + jointCount),
		.blocks = (const char*)chunks->blocks + (size_t)next->root * rpGetPackedBlockSize(skeleton->jointCount),
		.bytes = chunks->bytes + next->number,
		.blockCount = chunks->rootCount - next->root,
		.byteCount = chunks->numberCount - next->number,
	};
	int blockCount;
	int64_t byteCount;
	rpPackedRows* rows = rpCreatePackedRows(&source, &blockCount, &byteCount, error);
	rpClip* clip = rows != NULL ? rpCreateClipView(skeleton, record->fps, record->frameCount, NULL, NULL, error) : NULL;
	if (clip == NULL)
	{
		rpDestroyPackedRows(rows);
		return NULL;
	}
	clip->packed = rows;
	next->number += byteCount;
	next->root += blockCount;
	return clip;
}

static rpClip* readClip(const Chunks* chunks, int index, const rpSkeleton* skeleton, Place* next, rpError* error)
{
	const ClipRecord* record = &chunks->records[index];
	if (!isSoundRecord(chunks, record, next))
	{
		failClips(error, "a clip is not where it should be");
		return NULL;
	}
	const rpClipContact* contacts = chunks->contacts + record->firstContact;
	if (!areSoundContacts(contacts, record))
	{
		failClips(error, "a contact");
		return NULL;
	}
	rpClip* clip = chunks->rows != NULL ? viewFrames(chunks, record, skeleton, next, error)
										: unpackFrames(chunks, index, skeleton, next, error);
	if (clip != NULL)
	{
		clip->contacts = contacts;
		clip->contactCount = record->contactCount;
		next->contact += record->contactCount;
		clip->floor =
			chunks->floors != NULL ? chunks->floors[index] : rpFindFloorHeight(contacts, record->contactCount);
	}
	return clip;
}

static bool readClips(rpClipSet* set, const Chunks* chunks, rpError* error)
{
	Place next = {0};
	for (int i = 0; i < chunks->clipCount; ++i)
	{
		set->clipCount = i + 1;
		set->clips[i] = readClip(chunks, i, set->skeleton, &next, error);
		if (set->clips[i] == NULL)
		{
			return false;
		}
	}
	return (next.number == chunks->numberCount && next.root == chunks->rootCount &&
			next.contact == chunks->contactCount) ||
		   failClips(error, "there is more than they hold");
}

bool rpClipSet_Read(rpClipSet* set, const rpBundle* bundle, rpError* error)
{
	Chunks chunks;
	int size;
	const void* blob = rpBundle_GetChunk(bundle, "SKEL", 1, &size, error);
	*set = (rpClipSet){0};
	set->skeleton = blob != NULL ? rpDecodeSkeleton(blob, (size_t)size, error) : NULL;
	if (set->skeleton == NULL || !findChunks(bundle, &chunks, set->skeleton->jointCount, error) ||
		!checkNumbers(&chunks, error))
	{
		return false;
	}
	set->clips = rpAllocateZero((size_t)chunks.clipCount, sizeof(rpClip*), error);
	return set->clips != NULL && readClips(set, &chunks, error);
}

void rpClipSet_Free(rpClipSet* set)
{
	for (int i = 0; i < set->clipCount; ++i)
	{
		rpDestroyClip(set->clips[i]);
	}
	rpFree(set->clips);
	rpReleaseSkeleton(set->skeleton);
	*set = (rpClipSet){0};
}
