/// Transactions, queries and checked values of a library's SQLite file.
#include "library/store.h"

#include "base/assert.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/utf8.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static bool failBusy(const rpLibrary* library, rpError* error)
{
	char holder[160];
	const char* path = sqlite3_db_filename(library->db, "main");
	rpDescribeLockHolder(path != NULL ? path : library->path, holder, sizeof(holder));
	rpFail(error, rp_errorBusy, "the library is being used%s", holder);
	rpError_SetHint(error, "wait until the other program is done, then try again");
	return false;
}

bool rpStore_FailDamaged(const rpLibrary* library, rpError* error, const char* format, ...)
{
	char what[400];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(what, sizeof(what), format, arguments);
	va_end(arguments);
	rpFail(error, rp_errorFormat, "the library is damaged: %s", what);
	rpError_SetHint(error,
					"\"reprise library check\" lists all damage; what is whole can be exported to a new library");
	rpError_SetFile(error, library->path);
	return false;
}

static bool failFile(const rpLibrary* library, int result, rpError* error)
{
	int reason = sqlite3_system_errno(library->db);
	char text[160] = "";
	const char* why = reason != 0 ? strerror_r(reason, text, sizeof(text)) : sqlite3_errstr(result);
	switch (result & 0xff)
	{
	case SQLITE_FULL:
		rpFail(error, rp_errorFile, "the disk is full; the change that it could not hold was undone");
		rpError_SetHint(error, "make room, then try again");
		return false;
	case SQLITE_READONLY:
		return rpFail(error, rp_errorFile, "the library cannot be written (%s)", sqlite3_errstr(result));
	default:
		return rpFail(error, rp_errorFile, "the library cannot be read or written: %s", why);
	}
}

bool rpStore_Fail(const rpLibrary* library, int result, rpError* error)
{
	switch (result)
	{
	case SQLITE_IOERR_NOMEM:
		return rpFail(error, rp_errorMemory, "out of memory");
	case SQLITE_IOERR_SHORT_READ:
	case SQLITE_IOERR_CORRUPTFS:
		return rpStore_FailDamaged(library, error, "%s", sqlite3_errstr(result));
	default:
		break;
	}
	switch (result & 0xff)
	{
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return failBusy(library, error);
	case SQLITE_NOMEM:
		return rpFail(error, rp_errorMemory, "out of memory");
	case SQLITE_TOOBIG:
		return rpFail(error, rp_errorLimit, "more than %d bytes in one row", RP_LIBRARY_MAX_ROW);
	case SQLITE_NOTADB:
	case SQLITE_CORRUPT:
	case SQLITE_CONSTRAINT:
	case SQLITE_ERROR:
	case SQLITE_SCHEMA:
	case SQLITE_AUTH:
	case SQLITE_MISMATCH:
		return rpStore_FailDamaged(library, error, "%s", sqlite3_errmsg(library->db));
	default:
		return failFile(library, result, error);
	}
}

static bool begin(const rpLibrary* library, const char* sql, rpError* error)
{
	RP_ASSERT(sqlite3_get_autocommit(library->db));
	if (rpStore_Run(library, error, sql, ""))
	{
		return true;
	}
	rpError_SetFile(error, library->path);
	return false;
}

bool rpStore_BeginRead(const rpLibrary* library, rpError* error)
{
	return begin(library, "BEGIN", error);
}

bool rpStore_BeginWrite(const rpLibrary* library, rpError* error)
{
	return begin(library, "BEGIN IMMEDIATE", error);
}

bool rpStore_End(const rpLibrary* library, bool done, rpError* error)
{
	bool open = !sqlite3_get_autocommit(library->db);
	if (open && done)
	{
		done = rpStore_Run(library, error, "COMMIT", "");
	}
	// A failure may have ended the transaction already.
	if (!sqlite3_get_autocommit(library->db))
	{
		sqlite3_exec(library->db, "ROLLBACK", NULL, NULL, NULL);
	}
	if (!done)
	{
		rpError_SetFile(error, library->path);
	}
	return done;
}

static int bindOne(sqlite3_stmt* query, int place, char type, va_list* arguments)
{
	if (type == 'i')
	{
		return sqlite3_bind_int64(query, place, va_arg(*arguments, int64_t));
	}
	if (type == 'd')
	{
		return sqlite3_bind_double(query, place, va_arg(*arguments, double));
	}
	if (type == 's')
	{
		return sqlite3_bind_text(query, place, va_arg(*arguments, const char*), -1, SQLITE_STATIC);
	}
	if (type == 'b')
	{
		const void* data = va_arg(*arguments, const void*);
		size_t size = va_arg(*arguments, size_t);
		return sqlite3_bind_blob64(query, place, data != NULL ? data : "", size, SQLITE_STATIC);
	}
	return sqlite3_bind_null(query, place);
}

static sqlite3_stmt* prepare(const rpLibrary* library, rpError* error, const char* sql, const char* types,
							 va_list* arguments)
{
	sqlite3_stmt* query = NULL;
	int result = sqlite3_prepare_v2(library->db, sql, -1, &query, NULL);
	for (int i = 0; result == SQLITE_OK && types[i] != 0; ++i)
	{
		result = bindOne(query, i + 1, types[i], arguments);
	}
	if (result != SQLITE_OK)
	{
		rpStore_Fail(library, result, error);
		sqlite3_finalize(query);
		return NULL;
	}
	return query;
}

sqlite3_stmt* rpStore_Query(const rpLibrary* library, rpError* error, const char* sql, const char* types, ...)
{
	va_list arguments;
	va_start(arguments, types);
	sqlite3_stmt* query = prepare(library, error, sql, types, &arguments);
	va_end(arguments);
	return query;
}

bool rpStore_Step(const rpLibrary* library, sqlite3_stmt* query, bool* failed, rpError* error)
{
	int result = sqlite3_step(query);
	*failed = result != SQLITE_ROW && result != SQLITE_DONE;
	if (*failed)
	{
		rpStore_Fail(library, result, error);
	}
	return result == SQLITE_ROW;
}

bool rpStore_Run(const rpLibrary* library, rpError* error, const char* sql, const char* types, ...)
{
	va_list arguments;
	va_start(arguments, types);
	sqlite3_stmt* query = prepare(library, error, sql, types, &arguments);
	va_end(arguments);
	bool failed = query == NULL;
	while (!failed && rpStore_Step(library, query, &failed, error))
	{
	}
	sqlite3_finalize(query);
	return !failed;
}

bool rpStore_GetNumber(const rpLibrary* library, int64_t* out, bool* found, rpError* error, const char* sql,
					   const char* types, ...)
{
	va_list arguments;
	va_start(arguments, types);
	sqlite3_stmt* query = prepare(library, error, sql, types, &arguments);
	va_end(arguments);
	bool failed = query == NULL;
	bool row = !failed && rpStore_Step(library, query, &failed, error);
	if (row)
	{
		failed = !rpStore_ReadInteger(library, query, 0, INT64_MIN, INT64_MAX, out, error);
	}
	sqlite3_finalize(query);
	if (found != NULL)
	{
		*found = row;
	}
	return !failed;
}

static bool failValue(const rpLibrary* library, sqlite3_stmt* query, int column, const char* expected, rpError* error)
{
	const char* name = sqlite3_column_name(query, column);
	return rpStore_FailDamaged(library, error, "%s is not %s", name != NULL ? name : "a value", expected);
}

bool rpStore_ReadInteger(const rpLibrary* library, sqlite3_stmt* query, int column, int64_t low, int64_t high,
						 int64_t* out, rpError* error)
{
	*out = sqlite3_column_int64(query, column);
	if (sqlite3_column_type(query, column) == SQLITE_INTEGER && *out >= low && *out <= high)
	{
		return true;
	}
	char expected[80];
	snprintf(expected, sizeof(expected), "a whole number from %lld to %lld", (long long)low, (long long)high);
	return failValue(library, query, column, expected, error);
}

bool rpStore_ReadReal(const rpLibrary* library, sqlite3_stmt* query, int column, double* out, rpError* error)
{
	*out = sqlite3_column_double(query, column);
	bool good = sqlite3_column_type(query, column) == SQLITE_FLOAT && isfinite(*out);
	return good || failValue(library, query, column, "a finite number", error);
}

bool rpStore_ReadText(const rpLibrary* library, sqlite3_stmt* query, int column, size_t maxSize, char** out,
					  rpError* error)
{
	if (sqlite3_column_type(query, column) != SQLITE_TEXT)
	{
		return failValue(library, query, column, "a text", error);
	}
	const char* text = (const char*)sqlite3_column_text(query, column);
	if (text == NULL)
	{
		return rpFail(error, rp_errorMemory, "out of memory");
	}
	size_t size = (size_t)sqlite3_column_bytes(query, column);
	if (size > maxSize || !rpIsUtf8(text, size))
	{
		return failValue(library, query, column, size > maxSize ? "a short text" : "UTF-8", error);
	}
	*out = rpCopyString(text, error);
	return *out != NULL;
}

bool rpStore_ReadHash(const rpLibrary* library, sqlite3_stmt* query, int column, char out[33], rpError* error)
{
	char* text = NULL;
	if (!rpStore_ReadText(library, query, column, RP_LIBRARY_MAX_NAME, &text, error) || text == NULL)
	{
		return false;
	}
	bool good = strlen(text) == 32 && strspn(text, "0123456789abcdef") == 32;
	snprintf(out, 33, "%s", good ? text : "");
	rpFree(text);
	return good || failValue(library, query, column, "a hash", error);
}

bool rpStore_ReadBlob(const rpLibrary* library, sqlite3_stmt* query, int column, const void** data, size_t* size,
					  rpError* error)
{
	if (sqlite3_column_type(query, column) != SQLITE_BLOB)
	{
		return failValue(library, query, column, "a blob", error);
	}
	*data = sqlite3_column_blob(query, column);
	*size = (size_t)sqlite3_column_bytes(query, column);
	return *data != NULL || *size == 0 || rpFail(error, rp_errorMemory, "out of memory");
}

bool rpStore_GetFileSize(const rpLibrary* library, int64_t* out, rpError* error)
{
	sqlite3_file* file = NULL;
	int result = sqlite3_file_control(library->db, "main", SQLITE_FCNTL_FILE_POINTER, &file);
	sqlite3_int64 size = 0;
	if (result == SQLITE_OK && file != NULL && file->pMethods != NULL)
	{
		result = file->pMethods->xFileSize(file, &size);
	}
	*out = size;
	return result == SQLITE_OK || rpStore_Fail(library, result, error);
}
