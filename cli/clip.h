/// Clips as the command line names them: FILE or LIB.reprise#CLIP, followed by @MOMENT or @START..END.
#pragma once

#include "run.h"

/// A time as typed: seconds, or a frame ("90f").
typedef struct cliTime
{
	bool isGiven, isFrame;
	double value;
} cliTime;

/// "1.5", "1.5..3", "1.5..", "..3", "30f..90f". Zero-initialised is the whole clip.
typedef struct cliStretch
{
	bool isMoment;
	cliTime start, end;
} cliStretch;

/// Whole text as a stretch (without '@'). False if it is none.
bool cliParseStretch(const char* text, cliStretch* out);

/// A clip that was loaded.
typedef struct cliClip
{
	/// As it is shown: file name without folders, or LIB#CLIP.
	char* name;

	/// As it was typed, for hints that can be pasted.
	char* text;
	rpMotion* motion;
	rpFindings findings;

	/// Seconds in the whole clip at which its motion starts, if it is a stretch.
	double start;

	/// Number in its library, 0 for a file.
	rpClipId id;
} cliClip;

/// Load one; its path is noted as an input. The findings are kept, not printed. False: reported.
bool cliLoadClip(cliRun* run, const char* text, cliClip* out);

/// Load a whole clip and a moment in it, CLIP@MOMENT; seconds from its start, NaN where none is typed. False: reported.
bool cliLoadMoment(cliRun* run, const char* text, cliClip* out, double* seconds);

/// Find the contacts of a clip that has none stored, to be shown. A body without feet has none.
void cliFindContacts(cliClip* clip);

/// Free what it owns; it is empty afterwards.
void cliFreeClip(cliClip* clip);

/// Replace a clip's motion by that stretch of it. False: reported.
bool cliCropClip(cliRun* run, cliClip* clip, const cliStretch* stretch, const char* text);

/// Clips as they were typed, each library without '#' replaced by all its clips. The list ends with NULL; cliFreeTexts
/// frees it. NULL: reported.
char** cliExpandClips(cliRun* run, const char* const* typed, int count);
void cliFreeTexts(char** texts);

/// Whether labels as a library lists them, "a,b,c", hold one.
bool cliHoldsLabel(const char* labels, const char* label);

/// Open the library at path, or take the one that is open already. NULL: reported.
rpLibrary* cliOpenLibrary(cliRun* run, const char* path, rpOpenMode mode);

enum
{
	cli_roleFixCount = rp_roleCount,
};

/// How to read, from the options. def points into the struct: do not copy it.
typedef struct cliReading
{
	rpReadDef def;
	rpRoleFix fixes[cli_roleFixCount];
	char* jointNames[cli_roleFixCount];
} cliReading;

/// False: reported, and nothing to free.
bool cliGetReading(cliRun* run, cliReading* out);
void cliFreeReading(cliReading* reading);

/// Note that a file is read, so that no output overwrites it.
void cliNotePath(cliRun* run, const char* path);

/// The path of the library of LIB.reprise#CLIP; NULL where the text is none. free() it.
char* cliGetLibraryPath(const char* text);

/// A clip's text without the folders before its file's name; part of text.
const char* cliHideFolders(const char* text);
