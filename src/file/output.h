/// Files in the making: bytes go out as they come, and the file has its name once it is whole.
#pragma once

#include "base/memory.h"
#include "file/bytes.h"

#include <limits.h>

/// A file that is written beside its name and then put in its place: the path holds the old file or the whole new one,
/// whatever happens. The new file keeps the old one's mode; a link is followed; a pipe or device gets its bytes as they
/// come. Keeps little of them in memory.
typedef struct rpOutput
{
	/// What is appended here goes into the file.
	rpText text;

	/// Where it belongs, links followed; and its name until then, empty while it has none.
	char path[PATH_MAX], temporary[PATH_MAX];

	/// -1: closed. A pipe or device is written through. A new file gives way to one that has come to its place
	/// meanwhile.
	int file;
	bool isThrough, isNew;

	/// The mode of the file that is replaced, -1: there is none.
	int mode;

	/// Of what was written so far; and why writing failed (errno), 0 if it did not.
	rpHash* hash;
	int reason;
} rpOutput;

/// Begin. False if nothing can be written there or memory ran out: there is nothing to discard then. It must stay where
/// it is in memory.
RP_NODISCARD bool rpOutput_Open(rpOutput* output, const char* path, rpError* error);

/// All bytes are there: write the last of them and give their hash, XXH3-128. False, with the reason, if that or
/// anything before failed.
RP_NODISCARD bool rpOutput_Complete(rpOutput* output, char hash[33], rpError* error);

/// Put a complete file in its place. To be discarded in any case.
RP_NODISCARD bool rpOutput_Commit(rpOutput* output, rpError* error);

/// Free what it takes; a file that was not committed is as if it had never been.
void rpOutput_Discard(rpOutput* output);

/// Say why it failed: the system's reason, or memory. Always false.
bool rpOutput_Fail(const rpOutput* output, rpError* error);

/// All of it at once.
RP_NODISCARD bool rpReplaceFile(const char* path, const void* bytes, size_t size, rpError* error);

/// The same where there is no file yet: if another program makes one meanwhile, that one stays, and this is done too.
RP_NODISCARD bool rpCreateFile(const char* path, const void* bytes, size_t size, rpError* error);

/// Write all bytes to a descriptor; 0 or the system's reason (errno).
int rpWriteAll(int file, const void* bytes, size_t size);

/// A file for reading and writing that never gets a name, in the folder of `path` or, where that is no folder of files,
/// in that for temporary ones. A descriptor, or -1 with errno.
int rpCreateScratch(const char* path, bool isThrough);
