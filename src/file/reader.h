/// The readers, one per format. They turn bytes into frames as they stand in the file; the doctor (room doctor/)
/// then brings them to metres, Y up, and mends them.
#pragma once

#include "reprise/file.h"

/// What a reader found.
typedef struct rpReading
{
	/// In the file's own units and axes, a rest-pose row included; owned by the caller.
	rpMotion* motion;

	/// What the file says of its units, or 0 where the format does not say.
	double metresPerUnit;
} rpReading;

/// All readers: bytes need no zero at their end; def is never NULL; findings and error may be NULL. False on failure,
/// with line and column where they apply, and nothing to free.
RP_NODISCARD bool rpReadBvh(const char* text, size_t size, const rpReadDef* def, rpReading* out, rpFindings* findings,
							rpError* error);

/// asf is the skeleton's text. An error in it names it as the file: asfName.
RP_NODISCARD bool rpReadAmc(const char* amc, size_t amcSize, const char* asf, size_t asfSize, const char* asfName,
							const rpReadDef* def, rpReading* out, rpFindings* findings, rpError* error);
