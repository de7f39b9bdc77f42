/// Whole files in, and the hashes of bytes.
#pragma once

#include "reprise/play/base.h"

/// A file's bytes, without a zero at their end. Zero-initialised is empty.
typedef struct rpBytes
{
	const char* data;
	size_t size;
} rpBytes;

/// Read a whole file or pipe. error names the file. A folder, a pipe that fails, a missing file: rp_errorFile with the
/// system's reason.
RP_NODISCARD bool rpOpenBytes(const char* path, rpBytes* out, rpError* error);

/// Whether a file is worth reading to its end, by its first bytes (RP_HEAD_SIZE, or all there are).
typedef bool rpAcceptFn(const char* head, size_t size, const void* context);
#define RP_HEAD_SIZE ((size_t)1 << 16)

/// The same, but only the head is read where accept says no: a large file of another kind costs nothing. accept may be
/// NULL.
RP_NODISCARD bool rpOpenAccepted(const char* path, rpAcceptFn* accept, const void* context, rpBytes* out,
								 rpError* error);
void rpCloseBytes(rpBytes* bytes);

/// XXH3-128 as 32 hexadecimal digits and a zero.
void rpHashBytes(const void* bytes, size_t size, char out[33]);

/// The same of bytes that come one after the other. NULL when memory ran out; free with rpFree.
typedef struct rpHash rpHash;
RP_NODISCARD rpHash* rpCreateHash(rpError* error);
void rpHash_Add(rpHash* hash, const void* bytes, size_t size);
void rpHash_Get(const rpHash* hash, char out[33]);

/// Say what could not be done with a file, and the system's reason (errno). Always false.
bool rpFailFile(rpError* error, const char* path, const char* what, int reason);

/// The part of a path after its last '/'.
const char* rpGetFileName(const char* path);
