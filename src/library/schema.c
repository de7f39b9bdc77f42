/// The tables of a library, version 1, and the one that version 2 has beside them. A file is a library only if
/// sqlite_schema holds exactly this text: no trigger, no view, no virtual table, no index beyond ours.
///
/// A clip's row carries a seal: a hash over the row and all that belongs to it, so that no lost, exchanged or
/// altered row can pass for a good one (see clip_record.c).
#include "base/error.h"
#include "base/memory.h"
#include "library/store.h"

#include <string.h>

typedef struct Object
{
	const char* type;
	const char* name;
	const char* table;
	/// NULL for what SQLite makes by itself.
	const char* sql;
} Object;

#define ID_NEVER_REUSED "id INTEGER PRIMARY KEY AUTOINCREMENT, "
#define CLIP_REFERENCE "clip INTEGER NOT NULL REFERENCES clips(id), "

// What a take reports to its session, and what was decided about it (take_blob.c).
#define TAKES_SQL "CREATE TABLE takes(clip INTEGER PRIMARY KEY REFERENCES clips(id), data BLOB NOT NULL) STRICT"

// In the order in which they are made; "VACUUM" puts them in another.
static const Object s_objects[] = {
	{"table", "meta", "meta",
	 "CREATE TABLE meta(key TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID"},

	// family: skeletons of one family can be blended; it is the number of its first member.
	{"table", "skeletons", "skeletons",
	 "CREATE TABLE skeletons(" ID_NEVER_REUSED
	 "family INTEGER NOT NULL, hash TEXT NOT NULL UNIQUE, data BLOB NOT NULL) STRICT"},
	{"index", "sqlite_autoindex_skeletons_1", "skeletons", NULL},
	{"table", "sqlite_sequence", "sqlite_sequence", "CREATE TABLE sqlite_sequence(name,seq)"},

	// content: hash of what was added; frames_hash: of the frames alone; annotations: JSON, all but the labels.
	{"table", "clips", "clips",
	 "CREATE TABLE clips(" ID_NEVER_REUSED
	 "name TEXT NOT NULL UNIQUE, source TEXT NOT NULL, skeleton INTEGER NOT NULL REFERENCES skeletons(id), fps REAL "
	 "NOT NULL, frame_count INTEGER NOT NULL, frames_hash TEXT NOT NULL, content TEXT NOT NULL UNIQUE, annotations "
	 "TEXT NOT NULL, seal TEXT NOT NULL) STRICT"},
	{"index", "sqlite_autoindex_clips_1", "clips", NULL},
	{"index", "sqlite_autoindex_clips_2", "clips", NULL},
	{"index", "clips_skeleton", "clips", "CREATE INDEX clips_skeleton ON clips(skeleton)"},

	// Little-endian floats; a part holds as many frames as its blobs have room for. translations may be NULL.
	{"table", "frames", "frames",
	 "CREATE TABLE frames(id INTEGER PRIMARY KEY, " CLIP_REFERENCE
	 "part INTEGER NOT NULL, positions BLOB NOT NULL, rotations BLOB NOT NULL, translations BLOB, UNIQUE(clip, part)) "
	 "STRICT"},
	{"index", "sqlite_autoindex_frames_1", "frames", NULL},

	{"table", "labels", "labels",
	 "CREATE TABLE labels(id INTEGER PRIMARY KEY, " CLIP_REFERENCE
	 "label TEXT NOT NULL, start_s REAL NOT NULL, end_s REAL NOT NULL) STRICT"},
	{"index", "labels_clip", "labels", "CREATE INDEX labels_clip ON labels(clip)"},

	{"table", "inputs", "inputs",
	 "CREATE TABLE inputs(id INTEGER PRIMARY KEY, " CLIP_REFERENCE "name TEXT NOT NULL, hash TEXT NOT NULL) STRICT"},
	{"index", "inputs_clip", "inputs", "CREATE INDEX inputs_clip ON inputs(clip)"},

	// For what is learnt from the clips.
	{"table", "models", "models",
	 "CREATE TABLE models(" ID_NEVER_REUSED
	 "name TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, version INTEGER NOT NULL, hash TEXT NOT NULL, data BLOB NOT "
	 "NULL) STRICT"},
	{"index", "sqlite_autoindex_models_1", "models", NULL},

	// Only version 2 has it.
	{"table", "takes", "takes", TAKES_SQL},
};

// The last.
#define TAKES_INDEX (OBJECT_COUNT - 1)
#define OBJECT_COUNT ((int)(sizeof(s_objects) / sizeof(s_objects[0])))
#define TEXT_OF(number) #number
#define NUMBER_TEXT(number) TEXT_OF(number)
#define PRAGMA_NUMBER(name, number) "PRAGMA " #name "=" NUMBER_TEXT(number)

bool rpCreateSchema(const rpLibrary* library, rpError* error)
{
	bool done = rpStore_Run(library, error, PRAGMA_NUMBER(application_id, RP_LIBRARY_APPLICATION), "") &&
				rpStore_Run(library, error, PRAGMA_NUMBER(user_version, RP_LIBRARY_FIRST_VERSION), "");
	for (int i = 0; done && i < OBJECT_COUNT; ++i)
	{
		bool ours = s_objects[i].sql != NULL && i != TAKES_INDEX && strncmp(s_objects[i].name, "sqlite_", 7) != 0;
		done = !ours || rpStore_Run(library, error, s_objects[i].sql, "");
	}
	return done && rpStore_Run(library, error, "INSERT INTO meta VALUES('schema', ?)", "s",
							   NUMBER_TEXT(RP_LIBRARY_FIRST_VERSION));
}

bool rpStore_HasTakes(const rpLibrary* library, bool* out, rpError* error)
{
	int64_t version = 0;
	bool done = rpStore_GetNumber(library, &version, NULL, error, "PRAGMA user_version", "");
	*out = version == RP_LIBRARY_VERSION;
	return done;
}

bool rpStore_MakeTakes(const rpLibrary* library, rpError* error)
{
	bool has = false;
	if (!rpStore_HasTakes(library, &has, error) || has)
	{
		return has;
	}
	return rpStore_Run(library, error, TAKES_SQL, "") &&
		   rpStore_Run(library, error, PRAGMA_NUMBER(user_version, RP_LIBRARY_VERSION), "") &&
		   rpStore_Run(library, error, "UPDATE meta SET value = ? WHERE key = 'schema'", "s",
					   NUMBER_TEXT(RP_LIBRARY_VERSION));
}

// Whether a column holds a text, or nothing where NULL is expected.
static bool isColumn(sqlite3_stmt* query, int column, const char* expected)
{
	if (expected == NULL)
	{
		return sqlite3_column_type(query, column) == SQLITE_NULL;
	}
	const char* text =
		sqlite3_column_type(query, column) == SQLITE_TEXT ? (const char*)sqlite3_column_text(query, column) : NULL;
	return text != NULL && strcmp(text, expected) == 0 &&
		   strlen(expected) == (size_t)sqlite3_column_bytes(query, column);
}

// The index of the object that the query stands on, -1 if it is none of ours.
static int findObject(sqlite3_stmt* query)
{
	for (int i = 0; i < OBJECT_COUNT; ++i)
	{
		const Object* object = s_objects + i;
		if (isColumn(query, 1, object->name))
		{
			bool same = isColumn(query, 0, object->type) && isColumn(query, 2, object->table) &&
						isColumn(query, 3, object->sql);
			return same ? i : -1;
		}
	}
	return -1;
}

static bool failObject(const rpLibrary* library, sqlite3_stmt* query, rpError* error)
{
	const char* name = (const char*)sqlite3_column_text(query, 1);
	char* safe = rpCopyAsText(name, error);
	if (safe == NULL)
	{
		return false;
	}
	rpStore_FailDamaged(library, error, "its table, index, view or trigger \"%.100s\" is not that of a library", safe);
	rpFree(safe);
	return false;
}

static bool checkObjects(const rpLibrary* library, sqlite3_stmt* query, bool hasTakes, rpError* error)
{
	bool seen[OBJECT_COUNT] = {false};
	bool failed = false;
	while (rpStore_Step(library, query, &failed, error))
	{
		int index = findObject(query);
		if (index < 0 || seen[index] || (index == TAKES_INDEX && !hasTakes))
		{
			return failObject(library, query, error);
		}
		seen[index] = true;
	}
	for (int i = 0; !failed && i < OBJECT_COUNT; ++i)
	{
		failed = !seen[i] && (hasTakes || i != TAKES_INDEX) &&
				 !rpStore_FailDamaged(library, error, "the %s \"%s\" is missing", s_objects[i].type, s_objects[i].name);
	}
	return !failed;
}

static bool checkMeta(const rpLibrary* library, bool hasTakes, rpError* error)
{
	sqlite3_stmt* query = rpStore_Query(library, error, "SELECT key, value FROM meta ORDER BY key", "");
	bool failed = query == NULL;
	bool good = !failed && rpStore_Step(library, query, &failed, error) && isColumn(query, 0, "schema") &&
				isColumn(query, 1, hasTakes ? NUMBER_TEXT(RP_LIBRARY_VERSION) : NUMBER_TEXT(RP_LIBRARY_FIRST_VERSION));
	good = good && !rpStore_Step(library, query, &failed, error);
	sqlite3_finalize(query);
	return !failed && (good || rpStore_FailDamaged(library, error, "the table \"meta\" is not that of version %d",
												   hasTakes ? RP_LIBRARY_VERSION : RP_LIBRARY_FIRST_VERSION));
}

bool rpCheckSchema(const rpLibrary* library, rpError* error)
{
	bool hasTakes = false;
	if (!rpStore_HasTakes(library, &hasTakes, error))
	{
		return false;
	}
	sqlite3_stmt* query = rpStore_Query(library, error, "SELECT type, name, tbl_name, sql FROM sqlite_schema", "");
	bool good = query != NULL && checkObjects(library, query, hasTakes, error);
	sqlite3_finalize(query);
	return good && checkMeta(library, hasTakes, error);
}
