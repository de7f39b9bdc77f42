/// Bundles folded: the same bytes in an order that compresses better, for pages and downloads. See docs/bundle.md.
#pragma once

#include "reprise/play/bundle.h"

/// At the start of a bundle. The checksum is that of all bytes after the header.
typedef struct rpBundleHeader
{
	char magic[4];
	uint32_t version;
	uint32_t chunkCount;
	uint32_t reserved;
	uint64_t size;
	uint64_t checksum;
} rpBundleHeader;

/// A line of the table, which follows the header.
typedef struct rpBundleEntry
{
	char type[4];
	uint32_t recordSize;
	uint64_t offset;
	uint64_t count;
} rpBundleEntry;

/// More chunks than any model has.
#define RP_MAX_BUNDLE_CHUNKS 1024

/// What a folded bundle begins with instead.
#define RP_FOLDED_MAGIC "RPF\x1a"

/// Whether bytes are a folded bundle, by how they begin.
bool rpIsFolded(const void* bytes, size_t size);

/// The bundle that was folded, not checked yet, *size bytes; free with rpFree. NULL when it is damaged or memory ran
/// out.
RP_NODISCARD void* rpUnfoldBundle(const void* bytes, size_t folded, size_t* size, rpError* error);
