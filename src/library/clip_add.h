/// Adding clips in two steps: all that needs no library, which may run on any thread, then the transaction.
#pragma once

#include "base/memory.h"
#include "doctor/take.h"
#include "library/clip_record.h"

/// A motion made ready. Zero-initialised is empty; free with rpReadyClip_Free.
typedef struct rpReadyClip
{
	/// Borrowed.
	const rpMotion* motion;

	rpText skeleton;
	char skeletonHash[33];

	/// As JSON, without the labels.
	rpText annotations;

	char framesHash[33];
	char content[33];

	/// The take that it is (take_blob.h), or empty.
	rpText take;
} rpReadyClip;

/// Check a motion, encode and hash it. take may be NULL, or what the motion reports to its session. False when it
/// cannot be kept, or memory ran out.
RP_NODISCARD bool rpReadyClip_Make(const rpMotion* motion, const rpTake* take, rpReadyClip* out, rpError* error);
void rpReadyClip_Free(rpReadyClip* ready);

/// Add a clip that is ready, as one transaction. source is a file name, or empty.
RP_NODISCARD rpClipId rpAddReadyClip(rpLibrary* library, const rpReadyClip* ready, const char* name, const char* source,
									 const rpAddDef* def, bool* isNew, rpError* error);

/// Whether the name and labels of a definition can be used.
RP_NODISCARD bool rpCheckAddDef(const rpAddDef* def, rpError* error);

/// Whether a label can be put on a clip: not empty, UTF-8, without commas.
RP_NODISCARD bool rpCheckLabel(const char* label, rpError* error);

/// Put a label on a stretch of a list of labels; what it touches of the same label becomes one with it.
RP_NODISCARD bool rpCoverLabel(rpAnnotations* labels, const char* label, double start, double end, rpError* error);

/// Take a label away from a stretch. *found says whether there was any of it.
RP_NODISCARD bool rpUncoverLabel(rpAnnotations* labels, const char* label, double start, double end, bool* found,
								 rpError* error);
