/// The table of kinds of model: one row each for what is done with them in a library. Players have theirs in
/// live/player_kind.h; the chunk joins the two.
#pragma once

#include "reprise/model.h"
#include "reprise/play/bundle.h"

typedef struct rpModelKind
{
	rpModelKindInfo info;

	/// The chunk that identifies this kind, which its player has too, and the version that is written.
	const char* chunk;
	int version;

	/// A model of all clips, with defaults; NULL where clips alone make none.
	void* (*build)(rpLibrary* library, rpError* error);

	/// Add the chunks that the library keeps; and the model from these, its name being for messages.
	bool (*store)(const rpLibrary* library, const void* model, rpBundleWriter* writer, rpError* error);
	void* (*load)(const rpLibrary* library, const rpBundle* bundle, const char* name, rpError* error);
	void (*destroy)(void* model);

	/// Add all chunks that a player needs; NULL: it is not played.
	bool (*bundle)(const void* model, rpBundleWriter* writer, rpError* error);

	/// As rpModel_GetCounts.
	int (*count)(const void* model, rpModelCount* out);

	/// As rpModel_IsByName; NULL: it knows no clips.
	bool (*isByName)(const void* model);
} rpModelKind;

/// The rows, in their order. X(name of the row)
#define RP_MODEL_KINDS(X)    \
	X(rpGraphModelKind)      \
	X(rpLocomotionModelKind) \
	X(rpSpaceModelKind)      \
	X(rpParametricModelKind) \
	X(rpMetricModelKind)     \
	X(rpMinimaModelKind)     \
	X(rpMatchWebModelKind)

#define X(row) extern const rpModelKind row;
RP_MODEL_KINDS(X)
#undef X

/// Keep a model, load one. NULL with rp_errorMissing if there is none of that name and kind.
RP_NODISCARD bool rpModelKind_Put(const rpModelKind* kind, rpLibrary* library, const char* name, const void* model,
								  rpError* error);
RP_NODISCARD void* rpModelKind_Load(const rpModelKind* kind, const rpLibrary* library, const char* name,
									rpError* error);

/// Say in a hint which command builds a model anew.
void rpModelKind_Hint(const rpModelKind* kind, const rpLibrary* library, const char* name, rpError* error);

/// A model as a bundle, *size bytes to be freed with rpFreeBytes; and as a file.
RP_NODISCARD void* rpModelKind_WriteBundle(const rpModelKind* kind, const void* model, size_t* size, rpError* error);
RP_NODISCARD bool rpModelKind_SaveBundle(const rpModelKind* kind, const void* model, const char* path, rpError* error);
