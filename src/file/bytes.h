/// Whole files in and out, and their hashes.
#pragma once

#include "reprise/base.h"

/// A file's bytes, without a zero at their end. Zero-initialised is empty.
typedef struct rpBytes
{
	const char* data;
	size_t size;
} rpBytes;

/// Read a whole file or pipe. error names the file. A folder, a pipe that fails, a missing file: rp_errorFile with the
/// system's reason.
RP_NODISCARD bool rpOpenBytes(const char* path, rpBytes* out, rpError* error);
void rpCloseBytes(rpBytes* bytes);

/// Write beside and rename: the path holds the old file or the whole new one, whatever happens. The new file keeps the
/// old one's mode; a link is followed; a pipe or device is written as it is.
RP_NODISCARD bool rpReplaceFile(const char* path, const void* bytes, size_t size, rpError* error);

/// XXH3-128 as 32 hexadecimal digits and a zero.
void rpHashBytes(const void* bytes, size_t size, char out[33]);

/// The part of a path behind its last '/'.
const char* rpGetFileName(const char* path);
