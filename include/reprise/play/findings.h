/// What a reader or the doctor noticed in a clip, and what was done about it.
#pragma once

#include "reprise/play/base.h"

#ifdef __cplusplus
extern "C"
{
#endif

/// One plain remark.
typedef struct rpFinding
{
	/// Stable and short, for programs: "units", "frozen_rows".
	char code[32];

	/// What was found, one line for people, with the figures.
	char message[240];

	/// What was done about it: "scaled by 0.01", "dropped"; or "nothing", with what to do.
	char action[160];

	/// First row (counted from 0 in the file) and how many, or -1 and 0 where it is about the whole clip.
	int firstRow;
	int rowCount;

	/// Whether the motion was changed.
	bool repaired;
} rpFinding;

/// A list of them. Zero-initialised is empty; free with rpFindings_Free.
typedef struct rpFindings
{
	rpFinding* items;
	int count;
	int capacity;
} rpFindings;

RP_API void rpFindings_Free(rpFindings* findings);

/// The first with that code, or NULL.
RP_API const rpFinding* rpFindings_Find(const rpFindings* findings, const char* code);

#ifdef __cplusplus
}
#endif
