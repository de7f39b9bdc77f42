/// Bundles (.rpb): what a runtime loads. Flat chunks at offsets, little-endian, to be used where they lie.
///
/// A bundle is a header, a table of chunks and the chunks, each aligned to 64 bytes. A chunk is an array of records of
/// one size. Nothing in a file is trusted: sizes, offsets and the checksum are checked when it is opened, and every
/// index inside a chunk when a model is made of it.
#pragma once

#include "reprise/play/base.h"

#ifdef __cplusplus
extern "C"
{
#endif

/// The newest version, that of packed bundles; others are written as version 1. Older ones stay readable.
#define RP_BUNDLE_VERSION 2

typedef struct rpBundle rpBundle;

/// Open a bundle in memory, folded ones too. bytes are borrowed and must outlive it; they must be aligned to 8 bytes.
/// error may be NULL. NULL when it is damaged or of a newer version, or when memory ran out; free with rpDestroyBundle.
RP_API RP_NODISCARD rpBundle* rpCreateBundle(const void* bytes, size_t size, rpError* error);

/// Read a file into memory and open it.
RP_API RP_NODISCARD rpBundle* rpOpenBundle(const char* path, rpError* error);
RP_API void rpDestroyBundle(rpBundle* bundle);

/// A chunk by its four letters, if its records have this size (bytes); *count of them. NULL, and an error that names
/// the chunk, if there is none or it is of another size.
RP_API const void* rpBundle_GetChunk(const rpBundle* bundle, const char* type, size_t recordSize, int* count,
									 rpError* error);

/// All of its bytes, *size of them; owned by the bundle or by whom it borrows them from.
RP_API const void* rpBundle_GetBytes(const rpBundle* bundle, size_t* size);

/// Whether there is a chunk of that type.
RP_API bool rpBundle_HasChunk(const rpBundle* bundle, const char* type);

/// What packing did to a bundle's frames.
typedef struct rpPacking
{
	/// The largest that any joint in any frame is off by, forward kinematics included: metres and radians.
	float maxTravel, maxTurn;
} rpPacking;

/// The bytes of a bundle with its clips packed, *size of them; free with rpFreeBytes. Numbers take as many bits as it
/// takes for each joint to stay within 0.1 mm and 0.05 degrees of where it was in each frame; what no player needs is
/// left out. packing is filled if it is not NULL; error may be NULL. NULL with rp_errorArgument where a bundle is
/// packed already, with rp_errorLimit where packing cannot be that exact (on bodies that are hundreds of metres large),
/// when the bundle is damaged or memory ran out.
RP_API RP_NODISCARD void* rpPackBundle(const rpBundle* bundle, rpPacking* packing, size_t* size, rpError* error);

/// The same bundle folded: its bytes in an order that compresses better, for pages and downloads: with zlib a packed
/// one takes about half as many then. *size bytes; free with rpFreeBytes. Wherever a bundle is opened a folded one can
/// be, and is the same to the byte. error may be NULL. NULL when memory ran out.
RP_API RP_NODISCARD void* rpFoldBundle(const rpBundle* bundle, size_t* size, rpError* error);

/// A bundle in the making. Zero-initialised is empty.
typedef struct rpBundleWriter
{
	struct rpBundlePart* parts;
	int count, capacity;

	/// The version that its chunks need; 0 is 1.
	uint32_t version;
} rpBundleWriter;

/// Add a copy of an array as a chunk. False when memory ran out.
RP_API RP_NODISCARD bool rpBundleWriter_Add(rpBundleWriter* writer, const char* type, const void* records, int count,
											size_t recordSize, rpError* error);

/// Add a chunk that the caller fills with its records before the writer is finished; what it holds until then is not
/// known. NULL when memory ran out.
RP_API RP_NODISCARD void* rpBundleWriter_Reserve(rpBundleWriter* writer, const char* type, int count, size_t recordSize,
												 rpError* error);

/// Add copies of all chunks of a bundle but those of some types, four letters each, one after the other. False when
/// memory ran out.
RP_API RP_NODISCARD bool rpBundleWriter_AddAllBut(rpBundleWriter* writer, const rpBundle* bundle, const char* types,
												  rpError* error);

/// All of it as bytes, the same for the same chunks; free with rpFreeBytes.
RP_API RP_NODISCARD void* rpBundleWriter_Finish(const rpBundleWriter* writer, size_t* size, rpError* error);
RP_API void rpBundleWriter_Free(rpBundleWriter* writer);

#ifdef __cplusplus
}
#endif
