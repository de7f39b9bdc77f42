/// Models of any kind that a library keeps: loaded, counted, checked and bundled by one table of kinds. What only one
/// kind can do is in its own header: reprise/play/graph.h, reprise/play/locomotion_model.h, reprise/metric_fit.h.
#pragma once

#include "reprise/library.h"

#ifdef __cplusplus
extern "C"
{
#endif

/// What is reported about a kind of model.
typedef struct rpModelKindInfo
{
	/// As in rpModelInfo.kind: "graph".
	const char* name;

	/// What one is: "a motion graph".
	const char* about;

	/// The command that makes one, "graph build"; NULL for what is kept incidentally, without a name.
	const char* command;

	/// Whether a bundle can be made of one, for players.
	bool isPlayed;
} rpModelKindInfo;

/// A kind by its name; NULL if this library knows none of that name.
RP_API const rpModelKindInfo* rpFindModelKind(const char* name);

/// The kinds in their order; NULL beyond the last.
RP_API const rpModelKindInfo* rpGetModelKind(int index);

/// A model of any kind.
typedef struct rpModel rpModel;

/// Build a model of a kind from all clips of a library, with the kind's defaults, and keep it under a name. error may
/// be NULL. False with rp_errorArgument where the kind is unknown or needs more than clips.
RP_API RP_NODISCARD bool rpLibrary_BuildModel(rpLibrary* library, const char* kind, const char* name, rpError* error);

/// The model of a name, whatever its kind, with all that it needs of the library. Clips are known by what is in them
/// (skeleton, frames, contacts) and followed when they are renamed. error may be NULL. NULL with rp_errorMissing if
/// there is none, or if a clip that it was made from is gone or has changed; free with rpDestroyModel.
RP_API RP_NODISCARD rpModel* rpLibrary_OpenModel(const rpLibrary* library, const char* name, rpError* error);
RP_API void rpDestroyModel(rpModel* model);
RP_API const rpModelKindInfo* rpModel_GetKind(const rpModel* model);

/// Whether its clips were found by their names alone: it was kept before models knew them by what is in them, and only
/// their lengths, places and skeletons were compared. Build it anew to be sure.
RP_API bool rpModel_IsByName(const rpModel* model);

/// What there are how many of in a model.
typedef struct rpModelCount
{
	/// For programs ("clips"), and for people ("takes").
	const char* key;
	const char* noun;
	int count;
} rpModelCount;

/// The largest number of them.
#define RP_MAX_MODEL_COUNTS 4

/// Count; out holds RP_MAX_MODEL_COUNTS. Returns how many are listed.
RP_API int rpModel_GetCounts(const rpModel* model, rpModelCount* out);

/// The model as a bundle for players, its frames as they are, *size bytes to be freed with rpFreeBytes; and as a file.
/// NULL or false with rp_errorArgument where its kind is not played. rpPackBundle makes it smaller.
RP_API RP_NODISCARD void* rpModel_WriteBundle(const rpModel* model, size_t* size, rpError* error);
RP_API RP_NODISCARD bool rpModel_SaveBundle(const rpModel* model, const char* path, rpError* error);

/// Load every model of a library, in addition to what rpCheckLibrary looks at. Each that cannot be used is a finding
/// (code "model"), and each whose clips are known by their names alone another ("old_model"); kinds that this library
/// does not know are passed over. False only when the check itself could not be
/// made. error may be NULL.
RP_API RP_NODISCARD bool rpCheckModels(const char* path, rpFindings* findings, rpError* error);

#ifdef __cplusplus
}
#endif
