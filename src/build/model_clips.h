/// The clips of models in a library: models keep hashes of what is in them (chunk CHSH), so that they find them under
/// another name and do not take another for them.
#pragma once

#include "build/model_kind.h"
#include "library/clip_finder.h"

/// What a model knows of a clip.
typedef struct rpModelClip
{
	/// Its name, that of a mirror image with "~" behind; borrowed.
	const char* name;
	bool isMirrored;

	/// As rpHashClip tells it; empty: it is known by its name alone.
	char hash[33];
} rpModelClip;

/// Add the hashes of all clips. Those that are not known are looked up under the clips' names; where there is no such
/// clip none are added, and the model goes by names.
RP_NODISCARD bool rpWriteClipHashes(rpBundleWriter* writer, const rpLibrary* library, const rpModelClip* clips,
									int count, rpError* error);

/// Read them, [count]; *isByName tells that there are none. False where they are damaged.
RP_NODISCARD bool rpReadClipHashes(const rpBundle* bundle, rpModelClip* clips, int count, bool* isByName,
								   rpError* error);

/// Loads clips for a model. Free with rpModelLoader_Free.
typedef struct rpModelLoader
{
	/// For messages: what is loaded.
	const rpModelKind* kind;
	const char* name;

	rpClipFinder finder;

	/// Bytes of frames so far, and the most that the file can hold: every clip, and its mirror image.
	size_t size, maxSize;
} rpModelLoader;

RP_NODISCARD bool rpModelLoader_Open(rpModelLoader* loader, const rpLibrary* library, const rpModelKind* kind,
									 const char* name, rpError* error);
void rpModelLoader_Free(rpModelLoader* loader);

/// The clip as it was when the model was built, contacts found where it has none, under the name that it has now;
/// for a mirror image its original. NULL with rp_errorMissing, naming it and the command that builds the model anew,
/// where it is gone or another; free with rpDestroyMotion.
RP_NODISCARD rpMotion* rpModelLoader_Load(rpModelLoader* loader, const rpModelClip* clip, rpError* error);

/// Say that a clip is not as the model knows it; returns false.
bool rpModelLoader_FailChanged(const rpModelLoader* loader, const rpModelClip* clip, rpError* error);
