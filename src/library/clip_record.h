/// What is kept of a clip beside its frames: its row, labels and inputs, under one seal.
#pragma once

#include "base/memory.h"
#include "library/skeleton_cache.h"

/// Zero-initialised is empty; free with rpClipRecord_Free.
typedef struct rpClipRecord
{
	rpClipId id;
	char* name;
	char* source;
	rpKnownSkeleton skeleton;
	double fps;
	int frameCount;

	/// Of the frames (rpHashFrames), and of all that was added.
	char framesHash[33];
	char content[33];

	/// JSON: all annotations but the labels.
	char* annotations;

	/// Intervals on rp_trackLabel alone.
	rpAnnotations labels;

	/// [inputCount]
	rpInput* inputs;
	int inputCount, inputCapacity;

	/// The take that it is, for the session to decide about (take_blob.h); empty where there is nothing to decide.
	rpText take;
} rpClipRecord;

/// Max bytes of a clip's annotations as JSON.
#define RP_LIBRARY_MAX_ANNOTATIONS (RP_LIBRARY_MAX_ROW - (1 << 20))

void rpClipRecord_Free(rpClipRecord* record);

/// Note an input in the record.
RP_NODISCARD bool rpClipRecord_AddInput(rpClipRecord* record, const char* name, const char* hash, rpError* error);

/// Read a clip's record inside a transaction, and check its seal. rp_errorMissing if there is none of that number.
/// out is to be freed also on failure.
RP_NODISCARD bool rpReadClipRecord(const rpLibrary* library, rpClipId clip, rpClipRecord* out, rpError* error);

/// Insert the record as a new clip, which sets its id.
RP_NODISCARD bool rpInsertClipRecord(const rpLibrary* library, rpClipRecord* record, rpError* error);

/// Write a record's labels, name, rate, annotations and take anew, and seal it.
RP_NODISCARD bool rpUpdateClipRecord(const rpLibrary* library, const rpClipRecord* record, rpError* error);
