/// The motion library: one SQLite file that keeps skeletons, clips, annotations and, later, models.
///
/// Every change is one transaction. A library is for one thread at a time.
#pragma once

#include "reprise/file.h"

#ifdef __cplusplus
extern "C"
{
#endif

typedef struct rpLibrary rpLibrary;

/// A clip's number in its library, positive; 0 is none. Numbers are never used twice.
typedef int64_t rpClipId;

typedef enum rpOpenMode
{
	/// Must exist; nothing is written, unless a program that was killed left a change half done: that is undone.
	rp_openRead,
	/// Must exist.
	rp_openWrite,
	/// Made if it does not exist.
	rp_openCreate,
} rpOpenMode;

/// Open a library. Waits up to 10 s for another program that is writing; then rp_errorBusy, naming the program that
/// holds it where that can be known. A file that is no library, newer, or damaged is an error, and is not touched.
RP_API RP_NODISCARD rpLibrary* rpOpenLibrary(const char* path, rpOpenMode mode, rpError* error);

/// NULL does nothing.
RP_API void rpCloseLibrary(rpLibrary* library);

/// What the library knows of a clip without its frames. Strings are freed with rpFreeClipInfos.
typedef struct rpClipInfo
{
	rpClipId id;
	/// Unique in the library.
	char* name;
	/// File it came from (without folders), or empty.
	char* source;
	/// Its labels, each once, sorted, separated by commas; empty if it has none.
	char* labels;
	/// Number of its skeleton; clips with equal numbers can be blended.
	int64_t skeletonId;
	int jointCount;
	int frameCount;
	double fps;
	/// Hash of skeleton, frames and annotations (but sources) at the time of adding, 32 hexadecimal digits.
	char hash[33];
} rpClipInfo;

/// What the takes of one body decided together, once files were added: clips that came from files as they were captured
/// are a session, with those that were there before. They share the tilt of their floor, and a frame rate that some of
/// them give away. All clips that this changes are changed, and the same clips end the same, however they were added.
typedef struct rpSession
{
	/// Number of its skeleton, and how many takes it has now.
	int64_t skeletonId;
	int takeCount;

	/// What is to be said of all of them: "floor", "frame_rate". Borrowed.
	const rpFindings* findings;

	/// [changedCount], names of the clips that were in the library before and are others now. Borrowed. Models that
	/// were made from them are out of date.
	char* const* changed;
	int changedCount;
} rpSession;

/// How to add clips. Must come from rpDefaultAddDef(). Pointers are borrowed for the call.
typedef struct rpAddDef
{
	/// Name of the clip; NULL: the file's without its ending, or the motion's. A name that is taken gets "-2", "-3" ….
	/// Ignored for many files.
	const char* name;

	/// [labelCount], each put on the whole clip; on one that was there already, too.
	const char* const* labels;
	int labelCount;

	/// Files only: put the name of the folder that a file is in on its clip, as a label.
	bool labelByFolder;

	/// Files only: how to read them; NULL for the defaults.
	const rpReadDef* read;

	/// May be NULL.
	rpProgressFn* progress;
	void* progressContext;

	/// Called with each file once it is in the library for good, or has failed (then error is not NULL); may be
	/// NULL. Clip is 0 for a file that failed. Findings are those of loading it. Return false to stop after this
	/// file.
	bool (*fileDone)(const char* path, rpClipId clip, bool isNew, const rpFindings* findings, const rpError* error,
					 void* context);
	void* fileContext;

	/// Called after the last file, once for each body that got new takes; may be NULL. With fileContext.
	void (*sessionDone)(const rpSession* session, void* context);
} rpAddDef;

RP_API rpAddDef rpDefaultAddDef(void);

/// Add a motion. A clip with the same content is found instead and gets the labels that it lacks (isNew, which may be
/// NULL, becomes false). Returns the clip's number, 0 on failure.
RP_API RP_NODISCARD rpClipId rpLibrary_AddClip(rpLibrary* library, const rpMotion* motion, const rpAddDef* def,
											   bool* isNew, rpError* error);

/// Load and add files; several are loaded at once, in order. Each file is a transaction of its own, so what was
/// reported stays. A file that cannot be read is reported through fileDone and does not stop the others. Returns how
/// many are in the library now, new or not, or -1 when the library itself failed or the progress function stopped it
/// (rp_errorCancelled). Files that are takes as captured decide about floor and rate together with the takes of their
/// body that are there (rpSession); the findings of a file are what it shows on its own.
RP_API int rpLibrary_AddFiles(rpLibrary* library, const char* const* paths, int count, const rpAddDef* def,
							  rpError* error);

/// All clips in the order of their numbers. *infos is freed with rpFreeClipInfos. Returns their number, -1 on
/// failure.
RP_API int rpLibrary_ListClips(const rpLibrary* library, rpClipInfo** infos, rpError* error);
RP_API void rpFreeClipInfos(rpClipInfo* infos, int count);

/// By name, or by number in decimal; 0 with rp_errorMissing (and the nearest name as a hint) if there is none.
RP_API RP_NODISCARD rpClipId rpLibrary_FindClip(const rpLibrary* library, const char* name, rpError* error);

/// A clip with its annotations. Clips of one skeleton share one rpSkeleton while the library is open.
RP_API RP_NODISCARD rpMotion* rpLibrary_LoadClip(const rpLibrary* library, rpClipId clip, rpError* error);

/// Put a label on a stretch of a clip (end < 0: to its end), or take it away (a stretch of it: what lies outside
/// stays).
RP_API RP_NODISCARD bool rpLibrary_AddLabel(rpLibrary* library, rpClipId clip, const char* label, double start,
											double end, rpError* error);
RP_API RP_NODISCARD bool rpLibrary_RemoveLabel(rpLibrary* library, rpClipId clip, const char* label, double start,
											   double end, rpError* error);

RP_API RP_NODISCARD bool rpLibrary_RenameClip(rpLibrary* library, rpClipId clip, const char* name, rpError* error);

/// Its skeleton goes with the last clip that uses it.
RP_API RP_NODISCARD bool rpLibrary_RemoveClip(rpLibrary* library, rpClipId clip, rpError* error);

/// A model that was made from the clips, as bytes that its maker understands.
typedef struct rpModelInfo
{
	/// Unique in the library; its kind ("graph").
	char* name;
	char* kind;
	int version;
	size_t size;
} rpModelInfo;

/// Largest model that a library keeps, bytes.
#define RP_MAX_MODEL_SIZE ((size_t)60 << 20)

/// Keep a model under a name, in place of one of that name and kind. A name that belongs to another kind of model is an
/// error. At most 60 MB.
RP_API RP_NODISCARD bool rpLibrary_PutModel(rpLibrary* library, const char* name, const char* kind, int version,
											const void* bytes, size_t size, rpError* error);

/// A model's bytes, checked against the hash that is kept with them; free with rpFreeBytes. version may be NULL. NULL
/// with rp_errorMissing if there is none of that name and kind.
RP_API RP_NODISCARD void* rpLibrary_LoadModel(const rpLibrary* library, const char* name, const char* kind,
											  int* version, size_t* size, rpError* error);

/// All models, by name. *infos is freed with rpFreeModelInfos. Returns their number, -1 on failure.
RP_API int rpLibrary_ListModels(const rpLibrary* library, rpModelInfo** infos, rpError* error);
RP_API void rpFreeModelInfos(rpModelInfo* infos, int count);

/// Remove a model, or several models in one transaction: all of them or, with rp_errorMissing if there is none of one
/// of the names, none. The file shrinks by their size.
RP_API RP_NODISCARD bool rpLibrary_RemoveModel(rpLibrary* library, const char* name, rpError* error);
RP_API RP_NODISCARD bool rpLibrary_RemoveModels(rpLibrary* library, const char* const* names, int count,
												rpError* error);

/// Look for damage: SQLite's own integrity, every blob's size and hash, every reference, every frame finite and
/// unit. Each damage is a finding. Returns false only when the check itself could not be made. It opens the file
/// itself, so that damaged ones can be checked too.
RP_API RP_NODISCARD bool rpCheckLibrary(const char* path, rpFindings* findings, rpError* error);

#ifdef __cplusplus
}
#endif
