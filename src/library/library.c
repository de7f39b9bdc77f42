/// Opening a library. The first bytes are looked at before SQLite may do anything with the file, so that a file that is
/// no library, or a newer one, is left alone.
///
/// A rollback journal, not a write-ahead log: what users copy is one file, and reading writes nothing. Each
/// commit is synced with the folder too (synchronous=EXTRA), so that what was reported as done survives a power cut.
#include "base/error.h"
#include "base/memory.h"
#include "file/output.h"
#include "library/skeleton_cache.h"
#include "library/store.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define HEADER_SIZE 100

// At the start of a rollback journal, and at the end of one that belongs to several files.
static const unsigned char s_journalMagic[8] = {0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7};

static uint32_t readBigEndian(const unsigned char* bytes)
{
	return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static bool isZero(const unsigned char* bytes, size_t size)
{
	for (size_t i = 0; i < size; ++i)
	{
		if (bytes[i] != 0)
		{
			return false;
		}
	}
	return true;
}

static bool failForeign(rpError* error)
{
	rpFail(error, rp_errorFormat, "the file is not a Reprise library");
	rpError_SetHint(error, "a library is made by \"reprise library add NAME.reprise FILE...\"");
	return false;
}

// What SQLite's header says: see sqlite.org/fileformat2.html#the_database_header.
static bool checkHeader(const rpLibrary* library, const unsigned char* header, rpError* error)
{
	if (memcmp(header, "SQLite format 3", 16) != 0 || readBigEndian(header + 68) != RP_LIBRARY_APPLICATION)
	{
		return failForeign(error);
	}
	uint32_t version = readBigEndian(header + 60);
	if (version > RP_LIBRARY_VERSION && version < 10000)
	{
		rpFail(error, rp_errorVersion, "the library is of version %u; this program knows versions up to %d", version,
			   RP_LIBRARY_VERSION);
		rpError_SetHint(error, "use a newer Reprise");
		return false;
	}
	// Read and write version 1 is the rollback journal; 2, the write-ahead log, is never ours.
	bool plain = header[18] == 1 && header[19] == 1 && header[20] == 0;
	bool ours = version >= RP_LIBRARY_FIRST_VERSION && version <= RP_LIBRARY_VERSION &&
				readBigEndian(header + 44) == 4 && readBigEndian(header + 56) == 1 && readBigEndian(header + 52) != 0 &&
				readBigEndian(header + 64) == 0 && isZero(header + 72, 20);
	return (plain && ours) || rpStore_FailDamaged(library, error, "its first bytes are not those of a library");
}

// Through SQLite's own handle: to open and close the file beside it would drop this program's locks on it.
static bool readHeader(const rpLibrary* library, unsigned char header[HEADER_SIZE], int64_t* fileSize, rpError* error)
{
	memset(header, 0, HEADER_SIZE);
	sqlite3_file* file = NULL;
	int result = sqlite3_file_control(library->db, "main", SQLITE_FCNTL_FILE_POINTER, &file);
	if (result != SQLITE_OK || file == NULL || file->pMethods == NULL)
	{
		return rpStore_Fail(library, result != SQLITE_OK ? result : SQLITE_CANTOPEN, error);
	}
	result = file->pMethods->xRead(file, header, HEADER_SIZE, 0);
	bool good = result == SQLITE_OK || result == SQLITE_IOERR_SHORT_READ;
	return good ? rpStore_GetFileSize(library, fileSize, error) : rpStore_Fail(library, result, error);
}

static bool exists(const char* path)
{
	struct stat status;
	return path != NULL && path[0] != 0 && stat(path, &status) == 0;
}

// A journal can name a further file that SQLite would delete after the recovery. Ours never do.
static bool checkJournal(const rpLibrary* library, const char* journal, rpError* error)
{
	FILE* file = fopen(journal, "rbe");
	unsigned char end[8] = {0};
	bool hostile = file != NULL && fseek(file, -8, SEEK_END) == 0 && fread(end, 1, 8, file) == 8 &&
				   memcmp(end, s_journalMagic, 8) == 0;
	if (file != NULL)
	{
		fclose(file);
	}
	return !hostile || rpStore_FailDamaged(library, error, "the journal beside it belongs to several files");
}

// Before SQLite reads anything. A program that was killed while it made the library leaves zeros and a journal.
static bool checkBefore(const rpLibrary* library, bool create, rpError* error)
{
	unsigned char header[HEADER_SIZE];
	int64_t size = 0;
	if (!readHeader(library, header, &size, error))
	{
		return false;
	}
	const char* name = sqlite3_db_filename(library->db, "main");
	if (exists(sqlite3_filename_wal(name)))
	{
		return rpStore_FailDamaged(library, error, "there is a write-ahead log beside it, which no library has");
	}
	bool journal = exists(sqlite3_filename_journal(name));
	if (journal && !checkJournal(library, sqlite3_filename_journal(name), error))
	{
		return false;
	}
	if ((size == 0 && create) || (journal && isZero(header, HEADER_SIZE)))
	{
		return true;
	}
	if (size == 0)
	{
		return rpFail(error, rp_errorFormat, "the file is empty, not a Reprise library");
	}
	return checkHeader(library, header, error);
}

static void limit(sqlite3* db)
{
	static const struct
	{
		int what, max;
	} limits[] = {
		{SQLITE_LIMIT_LENGTH, RP_LIBRARY_MAX_ROW},
		{SQLITE_LIMIT_SQL_LENGTH, 100000},
		{SQLITE_LIMIT_COLUMN, 100},
		{SQLITE_LIMIT_EXPR_DEPTH, 20},
		{SQLITE_LIMIT_COMPOUND_SELECT, 3},
		{SQLITE_LIMIT_VDBE_OP, 25000},
		{SQLITE_LIMIT_FUNCTION_ARG, 8},
		{SQLITE_LIMIT_ATTACHED, 0},
		{SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 50},
		{SQLITE_LIMIT_VARIABLE_NUMBER, 20},
		{SQLITE_LIMIT_TRIGGER_DEPTH, 10},
		{SQLITE_LIMIT_WORKER_THREADS, 0},
	};
	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); ++i)
	{
		sqlite3_limit(db, limits[i].what, limits[i].max);
	}
}

// All of this concerns the connection alone; nothing is read or written yet.
static bool configure(const rpLibrary* library, int wait, rpError* error)
{
	static const struct
	{
		int what, on;
	} switches[] = {{SQLITE_DBCONFIG_DEFENSIVE, 1},      {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
					{SQLITE_DBCONFIG_ENABLE_TRIGGER, 0}, {SQLITE_DBCONFIG_ENABLE_VIEW, 0},
					{SQLITE_DBCONFIG_ENABLE_FKEY, 1},    {SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0},
					{SQLITE_DBCONFIG_DQS_DML, 0},        {SQLITE_DBCONFIG_DQS_DDL, 0},
					{SQLITE_DBCONFIG_WRITABLE_SCHEMA, 0}};
	int result = SQLITE_OK;
	for (size_t i = 0; result == SQLITE_OK && i < sizeof(switches) / sizeof(switches[0]); ++i)
	{
		result = sqlite3_db_config(library->db, switches[i].what, switches[i].on, NULL);
	}
	if (result == SQLITE_OK)
	{
		limit(library->db);
		result = sqlite3_busy_timeout(library->db, wait);
	}
	if (result == SQLITE_OK)
	{
		result = sqlite3_exec(library->db,
							  "PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON; PRAGMA mmap_size=0;"
							  "PRAGMA temp_store=MEMORY",
							  NULL, NULL, NULL);
	}
	return result == SQLITE_OK || rpStore_Fail(library, result, error);
}

static void disconnect(rpLibrary* library)
{
	sqlite3_close(library->db);
	library->db = NULL;
}

// SQLite reads "file:…", ":memory:" and "" as something else than a path.
static char* getPlainPath(const char* path, rpError* error)
{
	rpText text = {0};
	rpText_AppendString(&text, path[0] == '/' ? "" : "./");
	rpText_AppendString(&text, path);
	if (text.failed)
	{
		rpFail(error, rp_errorMemory, "out of memory");
		rpText_Free(&text);
	}
	return text.data;
}

static bool connect(rpLibrary* library, int flags, int wait, rpError* error)
{
	char* path = getPlainPath(library->path, error);
	if (path == NULL)
	{
		return false;
	}
	int result = sqlite3_open_v2(path, &library->db, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, NULL);
	rpFree(path);
	if (library->db == NULL)
	{
		return rpFail(error, rp_errorMemory, "out of memory");
	}
	bool create = (flags & SQLITE_OPEN_CREATE) != 0;
	bool done = result == SQLITE_OK || rpStore_Fail(library, result, error);
	if (done && (flags & SQLITE_OPEN_READWRITE) != 0 && sqlite3_db_readonly(library->db, "main") == 1)
	{
		done = rpFail(error, rp_errorFile, "the library cannot be written; it or its folder is protected");
	}
	done = done && checkBefore(library, create, error) && configure(library, wait, error);
	if (!done)
	{
		disconnect(library);
	}
	return done;
}

// The text of sqlite_schema is read here for the first time, which also takes the lock, and rolls back what a killed
// program left. Fails with *recover set where that needs a connection that may write.
static bool checkInside(const rpLibrary* library, bool* empty, bool* recover, rpError* error)
{
	unsigned char header[HEADER_SIZE];
	int64_t size = 0, count;
	if (!rpStore_GetNumber(library, &count, NULL, error, "SELECT count(*) FROM sqlite_schema", ""))
	{
		int result = sqlite3_extended_errcode(library->db);
		*recover = result == SQLITE_READONLY_ROLLBACK || result == SQLITE_READONLY_RECOVERY;
		return false;
	}
	if (!readHeader(library, header, &size, error))
	{
		return false;
	}
	*empty = size == 0;
	return *empty || (checkHeader(library, header, error) && rpCheckSchema(library, error));
}

static bool checkOpened(const rpLibrary* library, bool* empty, bool* recover, rpError* error)
{
	return rpStore_BeginRead(library, error) &&
		   rpStore_End(library, checkInside(library, empty, recover, error), error);
}

static bool fillEmpty(const rpLibrary* library, rpError* error)
{
	// "PRAGMA auto_vacuum" writes by itself, so it is what makes this a transaction that writes. Another program may
	// have made the library meanwhile: then this one finds it made.
	bool empty = false, recover = false;
	bool done = rpStore_Run(library, error, "PRAGMA page_size=4096", "") &&
				rpStore_Run(library, error, "PRAGMA encoding='UTF-8'", "") && rpStore_BeginRead(library, error) &&
				rpStore_Run(library, error, "PRAGMA auto_vacuum=FULL", "") &&
				checkInside(library, &empty, &recover, error) && (!empty || rpCreateSchema(library, error));
	return rpStore_End(library, done, error);
}

// A program was killed in the middle of a change: undo it, which a connection that only reads cannot.
static bool recoverFile(rpLibrary* library, int wait, rpError* error)
{
	disconnect(library);
	if (!connect(library, SQLITE_OPEN_READWRITE, wait, error))
	{
		rpError_SetHint(error, "a change of the library was interrupted; open it once where it can be written");
		return false;
	}
	bool empty = false, recover = false;
	bool done = checkOpened(library, &empty, &recover, error);
	disconnect(library);
	return done && connect(library, SQLITE_OPEN_READONLY, wait, error);
}

// A library without clips, in memory.
static bool fillNew(const rpLibrary* library, rpError* error)
{
	bool done = rpStore_Run(library, error, "PRAGMA page_size=4096", "") &&
				rpStore_Run(library, error, "PRAGMA encoding='UTF-8'", "") &&
				rpStore_Run(library, error, "PRAGMA auto_vacuum=FULL", "") && rpStore_BeginWrite(library, error);
	return done && rpStore_End(library, rpCreateSchema(library, error), error);
}

// The file has its name once it is a library: a program that is killed meanwhile leaves nothing.
static bool createFile(const rpLibrary* library, rpError* error)
{
	rpLibrary draft = {.path = library->path};
	int result = sqlite3_open_v2(":memory:", &draft.db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);
	bool done = draft.db != NULL && result == SQLITE_OK;
	done = done ? fillNew(&draft, error) : rpFail(error, rp_errorMemory, "out of memory");
	sqlite3_int64 size = 0;
	unsigned char* bytes = done ? sqlite3_serialize(draft.db, "main", &size, 0) : NULL;
	done = done && (bytes != NULL || rpFail(error, rp_errorMemory, "out of memory")) &&
		   rpCreateFile(library->path, bytes, (size_t)size, error);
	sqlite3_free(bytes);
	sqlite3_close(draft.db);
	return done;
}

static bool openFile(rpLibrary* library, rpOpenMode mode, int wait, rpError* error)
{
	static const int flags[] = {
		[rp_openRead] = SQLITE_OPEN_READONLY,
		[rp_openWrite] = SQLITE_OPEN_READWRITE,
		[rp_openCreate] = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
	};
	struct stat status;
	bool empty = false, recover = false, isNew = mode == rp_openCreate && lstat(library->path, &status) != 0;
	if ((isNew && !createFile(library, error)) || !connect(library, flags[mode], wait, error))
	{
		return false;
	}
	rpError inner = {0};
	bool done = checkOpened(library, &empty, &recover, &inner);
	if (!done && recover)
	{
		done = recoverFile(library, wait, error) && checkOpened(library, &empty, &recover, error);
	}
	else if (!done && error != NULL)
	{
		*error = inner;
	}
	if (done && empty)
	{
		done = mode == rp_openCreate ? fillEmpty(library, error)
									 : rpFail(error, rp_errorFormat, "the file is empty, not a Reprise library");
	}
	return done && rpStore_Run(library, error, "PRAGMA synchronous=EXTRA", "");
}

// SQLite tries a new file again as one to be read, and then only knows that it is not there.
static bool checkNewPath(const char* path, rpError* error)
{
	const char* slash = strrchr(path, '/');
	char folder[PATH_MAX], text[160];
	int size = slash == NULL ? 0 : slash == path ? 1 : (int)(slash - path);
	if (size >= PATH_MAX)
	{
		return rpFail(error, rp_errorFile, "the library's path is too long");
	}
	snprintf(folder, sizeof(folder), "%.*s", size > 0 ? size : 1, size > 0 ? path : ".");
	return access(folder, W_OK | X_OK) == 0 ||
		   rpFail(error, rp_errorFile, "cannot make the library: %s", strerror_r(errno, text, sizeof(text)));
}

static bool checkPath(const char* path, rpOpenMode mode, rpError* error)
{
	struct stat status;
	if (path[0] == 0)
	{
		return rpFail(error, rp_errorArgument, "the library's path is empty");
	}
	if (stat(path, &status) != 0 && mode == rp_openCreate && errno == ENOENT)
	{
		return checkNewPath(path, error);
	}
	if (stat(path, &status) != 0)
	{
		char text[160];
		return rpFail(error, rp_errorFile, "cannot open the library: %s", strerror_r(errno, text, sizeof(text)));
	}
	// A pipe would block, a folder has no bytes.
	return S_ISREG(status.st_mode) || rpFail(error, rp_errorFile, "not a file, so not a library");
}

rpLibrary* rpOpenLibraryWaiting(const char* path, rpOpenMode mode, int milliseconds, rpError* error)
{
	if (!checkPath(path, mode, error))
	{
		rpError_SetFile(error, path);
		return NULL;
	}
	rpLibrary* library = rpAllocateZero(1, sizeof(rpLibrary), error);
	if (library == NULL)
	{
		return NULL;
	}
	library->path = rpCopyString(path, error);
	library->skeletons = rpCreateSkeletonCache(error);
	if (library->path == NULL || library->skeletons == NULL || !openFile(library, mode, milliseconds, error))
	{
		rpError_SetFile(error, path);
		rpCloseLibrary(library);
		return NULL;
	}
	return library;
}

rpLibrary* rpOpenLibrary(const char* path, rpOpenMode mode, rpError* error)
{
	return rpOpenLibraryWaiting(path, mode, RP_LIBRARY_WAIT, error);
}

void rpCloseLibrary(rpLibrary* library)
{
	if (library == NULL)
	{
		return;
	}
	disconnect(library);
	rpDestroySkeletonCache(library->skeletons);
	rpFree(library->path);
	rpFree(library);
}
