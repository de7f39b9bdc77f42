/// Bytes that wait for what comes before them in a file: in memory while they are few, then in a file without a name.
#pragma once

#include "file/output.h"

typedef struct rpSpool
{
	/// What is appended here waits.
	rpText text;

	/// Beside which file it waits, NULL: in memory alone. -1: there is no file yet.
	const rpOutput* output;
	int file;

	/// Bytes in the file; and why it could not be written or read (errno), 0 if it could.
	uint64_t fileSize;
	int reason;
} rpSpool;

/// Usual bytes that wait in memory: motions of usual length, a minute or two, need no file.
#define RP_SPOOL_ROOM ((size_t)1 << 22)

/// Begin; output may be NULL, and must outlive the spool. More than `room` bytes do not stay in memory. The spool must
/// stay where it is in memory. Free with rpSpool_Free.
void rpSpool_Start(rpSpool* spool, const rpOutput* output, size_t room);

/// How many bytes wait.
uint64_t rpSpool_GetSize(const rpSpool* spool);

/// Append some of the bytes to a text. False if they could not be read, or were never kept.
RP_NODISCARD bool rpSpool_Copy(rpSpool* spool, uint64_t offset, uint64_t size, rpText* out, rpError* error);

/// Say why bytes could not wait: the system's reason, or memory. Always false.
bool rpSpool_Fail(const rpSpool* spool, rpError* error);
void rpSpool_Free(rpSpool* spool);
