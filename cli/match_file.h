/// MATCHES.json: what space find found, for a person to look through ("keep") and for space build to take.
#pragma once

#include "run.h"

/// A match in a clip of a library.
typedef struct cliMatch
{
	/// The clip's name; its hash as rpClipInfo has it. And its number, 0 before cliFindMatchClips.
	char* name;
	char hash[33];
	rpClipId clip;

	/// As in rpMatch.
	bool isMirror;
	double start, end, distance, farthest;
	int parent;
	rpMatchedTime* times;
	int timeCount;

	/// Whether a person keeps it; dropped ones may still be on the way to others.
	bool keep;

	/// Line of the file that it begins in.
	int line;
} cliMatch;

/// A file of them. Zero-initialised is empty; cliFreeMatches frees it.
typedef struct cliMatchFile
{
	/// File name of the library, without folders.
	char* library;

	/// Distances are by the angles of the joints, without a unit; otherwise metres.
	bool isAngle;
	double threshold;
	bool isFromGap;
	double gapLow, gapHigh;

	/// The list ends where another phase of what is repeated comes in (rpMatches.isToPhase).
	bool isToPhase;

	/// Clips that were searched, those of other skeletons, and how often it was searched.
	int clipCount, leftOutCount, searchCount;

	/// The query first.
	cliMatch* items;
	int count;
} cliMatchFile;

void cliFreeMatches(cliMatchFile* file);

/// A match as JSON, with its alignment or without.
json_t* cliMakeMatch(const cliMatchFile* file, int index, bool withTimes);

/// What stands before the matches, as JSON.
json_t* cliMakeMatchSummary(const cliMatchFile* file);

/// Write it, a match a line. False: reported.
bool cliWriteMatches(cliRun* run, const char* path, const cliMatchFile* file);

/// Read one; nothing in it is trusted. The file is noted as an input. False: reported, and nothing to free.
bool cliReadMatches(cliRun* run, const char* path, cliMatchFile* out);

/// Find the clips of the matches that are kept in a library: by what is in them, so that they may have been renamed.
/// False: reported.
bool cliFindMatchClips(cliRun* run, const char* path, const rpLibrary* library, cliMatchFile* file);
