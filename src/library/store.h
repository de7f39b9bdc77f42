/// The SQLite file under a library: its connection, transactions, queries, and the checked reading of values.
///
/// Everything that comes out of the file is taken to be hostile: a value is used only after its type, size and range
/// were looked at.
#pragma once

#include "reprise/library.h"

#include <sqlite3.h>

/// "RPRS", at byte 68 of the file.
#define RP_LIBRARY_APPLICATION 0x52505253

/// Version of the schema, at byte 60 of the file: 1, or the second once it holds takes that may be decided about.
#define RP_LIBRARY_FIRST_VERSION 1
#define RP_LIBRARY_VERSION 2

/// How long another program is waited for, milliseconds.
#define RP_LIBRARY_WAIT 10000

/// The longest name, label or source, bytes.
#define RP_LIBRARY_MAX_NAME 4000

/// The longest that rpCopyAsText gives, bytes.
#define RP_LIBRARY_MAX_COPY (RP_LIBRARY_MAX_NAME - 20)

/// Max bytes in one row. Frames are cut into parts well below it.
#define RP_LIBRARY_MAX_ROW (64 << 20)

/// Skeletons that were read already.
typedef struct rpSkeletonCache rpSkeletonCache;

struct rpLibrary
{
	sqlite3* db;

	/// As given, for messages.
	char* path;

	rpSkeletonCache* skeletons;
};

/// rpOpenLibrary with another time to wait.
RP_NODISCARD rpLibrary* rpOpenLibraryWaiting(const char* path, rpOpenMode mode, int milliseconds, rpError* error);

/// Fill error from a result of SQLite; returns false.
bool rpStore_Fail(const rpLibrary* library, int result, rpError* error);

/// Say that something in the file is damaged; returns false. The message is given as a format.
bool rpStore_FailDamaged(const rpLibrary* library, rpError* error, const char* format, ...) RP_PRINTF(3, 4);

/// Begin a transaction: a consistent view for reading, or the one that may write.
RP_NODISCARD bool rpStore_BeginRead(const rpLibrary* library, rpError* error);
RP_NODISCARD bool rpStore_BeginWrite(const rpLibrary* library, rpError* error);

/// End the transaction, if there is one: commit when done is true, else roll back. False if done is, or the commit
/// failed; error then names the file.
RP_NODISCARD bool rpStore_End(const rpLibrary* library, bool done, rpError* error);

/// Prepare a query and bind its values, one letter of `types` each: i (int64_t), d (double), s (const char*),
/// b (const void*, size_t), n (nothing: NULL). Texts and blobs are borrowed until it is finalized.
/// NULL on failure.
RP_NODISCARD sqlite3_stmt* rpStore_Query(const rpLibrary* library, rpError* error, const char* sql, const char* types,
										 ...);

/// The next row. False at the end and on failure: *failed says which.
RP_NODISCARD bool rpStore_Step(const rpLibrary* library, sqlite3_stmt* query, bool* failed, rpError* error);

/// Run a query that gives no rows.
RP_NODISCARD bool rpStore_Run(const rpLibrary* library, rpError* error, const char* sql, const char* types, ...);

/// Run a query whose one row holds one whole number; *found (may be NULL) says whether there was a row.
RP_NODISCARD bool rpStore_GetNumber(const rpLibrary* library, int64_t* out, bool* found, rpError* error,
									const char* sql, const char* types, ...);

/// Values of the row a query stands on. False when the type is another or the value out of range: then error says
/// that the file is damaged, and where.
RP_NODISCARD bool rpStore_ReadInteger(const rpLibrary* library, sqlite3_stmt* query, int column, int64_t low,
									  int64_t high, int64_t* out, rpError* error);
RP_NODISCARD bool rpStore_ReadReal(const rpLibrary* library, sqlite3_stmt* query, int column, double* out,
								   rpError* error);

/// UTF-8 without zeros, at most maxSize bytes. A copy, freed with rpFree.
RP_NODISCARD bool rpStore_ReadText(const rpLibrary* library, sqlite3_stmt* query, int column, size_t maxSize,
								   char** out, rpError* error);

/// 32 hexadecimal digits.
RP_NODISCARD bool rpStore_ReadHash(const rpLibrary* library, sqlite3_stmt* query, int column, char out[33],
								   rpError* error);

/// Borrowed until the query moves on. *data is NULL only where size is 0.
RP_NODISCARD bool rpStore_ReadBlob(const rpLibrary* library, sqlite3_stmt* query, int column, const void** data,
								   size_t* size, rpError* error);

/// Bytes in the file now.
RP_NODISCARD bool rpStore_GetFileSize(const rpLibrary* library, int64_t* out, rpError* error);

/// Make the tables in an empty file, inside a transaction.
RP_NODISCARD bool rpCreateSchema(const rpLibrary* library, rpError* error);

/// Whether the file holds our tables and nothing else.
RP_NODISCARD bool rpCheckSchema(const rpLibrary* library, rpError* error);

/// Whether there is a table of takes, inside a transaction; and make one where there is none, inside one that writes.
RP_NODISCARD bool rpStore_HasTakes(const rpLibrary* library, bool* out, rpError* error);
RP_NODISCARD bool rpStore_MakeTakes(const rpLibrary* library, rpError* error);

/// The process that holds a lock on the file, as " by NAME (process N)"; empty where that cannot be known.
void rpDescribeLockHolder(const char* path, char* out, size_t capacity);

/// A copy in which each byte that is no UTF-8 has become '?', cut to what a name may have (a few bytes less, so that a
/// number fits after it). NULL becomes "".
RP_NODISCARD char* rpCopyAsText(const char* bytes, rpError* error);
