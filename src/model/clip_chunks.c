/// SKEL is the skeleton as motion/skeleton_blob.h has it. ROWS holds the rotations in the layout of blend/clip.h, all
/// clips one after the other, ROOT the roots' places, CONT the contacts; CLIP says which of them belong to a clip. CFLO
/// holds the height of each clip's floor; the first bundles have none.
#include "model/clip_chunks.h"

#include "base/error.h"
#include "base/memory.h"
#include "motion/plausible.h"
#include "motion/skeleton_blob.h"

#include <math.h>
#include <string.h>

/// CLIP, one for each clip. Rows are counted in numbers.
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

// ---- reading

/// The chunks as they lie there.
typedef struct Chunks
{
	const ClipRecord* records;
	const float* rows;
	const rpVec3* roots;
	const rpClipContact* contacts;
	/// NULL where the bundle has none.
	const float* floors;
	int clipCount, numberCount, rootCount, contactCount, floorCount;
} Chunks;

static bool failClips(rpError* error, const char* what)
{
	return rpFail(error, rp_errorFormat, "the clips in the bundle are damaged: %s", what);
}

static bool findChunks(const rpBundle* bundle, Chunks* out, rpError* error)
{
	out->records = rpBundle_GetChunk(bundle, "CLIP", sizeof(ClipRecord), &out->clipCount, error);
	out->rows = rpBundle_GetChunk(bundle, "ROWS", sizeof(float), &out->numberCount, error);
	out->roots = rpBundle_GetChunk(bundle, "ROOT", sizeof(rpVec3), &out->rootCount, error);
	out->contacts = rpBundle_GetChunk(bundle, "CONT", sizeof(rpClipContact), &out->contactCount, error);
	if (out->records == NULL || out->rows == NULL || out->roots == NULL || out->contacts == NULL)
	{
		return false;
	}
	out->floors = NULL;
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

static bool checkNumbers(const Chunks* chunks, rpError* error)
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
static bool isSoundRecord(const Chunks* chunks, const ClipRecord* record, int stride, Place next)
{
	return rpIsRate(record->fps) && record->frameCount >= 1 && record->firstNumber == next.number &&
		   record->frameCount <= (chunks->numberCount - next.number) / stride && record->firstRoot == next.root &&
		   record->frameCount <= chunks->rootCount - next.root && record->firstContact == next.contact &&
		   record->contactCount >= 0 && record->contactCount <= chunks->contactCount - next.contact;
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

// Records before it are sound.
static Place findPlace(const Chunks* chunks, int index, int stride)
{
	const ClipRecord* last = index > 0 ? &chunks->records[index - 1] : NULL;
	return last != NULL ? (Place){last->firstNumber + (int64_t)last->frameCount * stride,
								  last->firstRoot + last->frameCount, last->firstContact + last->contactCount}
						: (Place){0};
}

static rpClip* readClip(const Chunks* chunks, int index, const rpSkeleton* skeleton, rpError* error)
{
	const ClipRecord* record = &chunks->records[index];
	int stride = rpGetClipStride(skeleton);
	if (!isSoundRecord(chunks, record, stride, findPlace(chunks, index, stride)))
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
	rpClip* clip = rpCreateClipView(skeleton, record->fps, record->frameCount, chunks->rows + record->firstNumber,
									chunks->roots + record->firstRoot, contacts, record->contactCount, error);
	if (clip != NULL)
	{
		clip->floor =
			chunks->floors != NULL ? chunks->floors[index] : rpFindFloorHeight(contacts, record->contactCount);
	}
	return clip;
}

bool rpClipSet_Read(rpClipSet* set, const rpBundle* bundle, rpError* error)
{
	Chunks chunks;
	int size;
	const void* blob = rpBundle_GetChunk(bundle, "SKEL", 1, &size, error);
	*set = (rpClipSet){0};
	if (blob == NULL || !findChunks(bundle, &chunks, error) || !checkNumbers(&chunks, error))
	{
		return false;
	}
	set->skeleton = rpDecodeSkeleton(blob, (size_t)size, error);
	set->clips = set->skeleton != NULL ? rpAllocateZero((size_t)chunks.clipCount, sizeof(rpClip*), error) : NULL;
	bool done = set->clips != NULL;
	for (int i = 0; i < chunks.clipCount && done; ++i)
	{
		set->clipCount = i + 1;
		set->clips[i] = readClip(&chunks, i, set->skeleton, error);
		done = set->clips[i] != NULL;
	}
	return done;
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
