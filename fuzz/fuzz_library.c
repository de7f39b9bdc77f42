/// The library file: opened, checked, listed, every clip loaded; then changed. Then once more with all hashes and seals
/// made to fit, as an attacker would, so that what comes after them is reached too.
#include "file/bytes.h"
#include "library/clip_record.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char s_path[100];

static void removeFiles(void)
{
	char journal[120];
	snprintf(journal, sizeof(journal), "%s-journal", s_path);
	unlink(s_path);
	unlink(journal);
}

int LLVMFuzzerInitialize(int* argumentCount, char*** arguments)
{
	(void)argumentCount, (void)arguments;
	const char* folder = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
	snprintf(s_path, sizeof(s_path), "%s/reprise-fuzz-%d.reprise", folder, (int)getpid());
	atexit(removeFiles);
	return 0;
}

static bool writeFile(const uint8_t* data, size_t size)
{
	int file = open(s_path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	bool done = file >= 0 && write(file, data, size) == (ssize_t)size;
	if (file >= 0)
	{
		close(file);
	}
	return done;
}

// A motion that was loaded is one that can be walked over.
static void walk(const rpMotion* motion)
{
	volatile float sum = 0.0f;
	rpTransform* joints = malloc((size_t)motion->skeleton->jointCount * sizeof(rpTransform));
	for (int frame = 0; joints != NULL && frame < motion->frameCount; ++frame)
	{
		rpMotion_Forward(motion, frame, joints);
		sum = sum + joints[motion->skeleton->jointCount - 1].p.y;
	}
	free(joints);
}

static void readAll(void)
{
	rpFindings findings = {0};
	rpError error = {0};
	(void)!rpCheckLibrary(s_path, &findings, &error);
	rpFindings_Free(&findings);
	rpLibrary* library = rpOpenLibrary(s_path, rp_openRead, &error);
	rpClipInfo* infos = NULL;
	int count = library != NULL ? rpLibrary_ListClips(library, &infos, &error) : 0;
	for (int i = 0; i < count; ++i)
	{
		rpMotion* motion = rpLibrary_LoadClip(library, infos[i].id, &error);
		if (motion != NULL)
		{
			walk(motion);
		}
		rpDestroyMotion(motion);
	}
	if (library != NULL)
	{
		(void)!rpLibrary_FindClip(library, "wlak", &error);
	}
	rpFreeClipInfos(infos, count > 0 ? count : 0);
	rpCloseLibrary(library);
}

static void change(void)
{
	rpError error = {0};
	rpLibrary* library = rpOpenLibrary(s_path, rp_openWrite, &error);
	if (library == NULL)
	{
		return;
	}
	rpMotion* motion = rpLibrary_LoadClip(library, 2, &error);
	if (motion != NULL)
	{
		motion->fps = 12.0;
		(void)!rpLibrary_AddClip(library, motion, NULL, NULL, &error);
	}
	rpDestroyMotion(motion);
	(void)!rpLibrary_AddLabel(library, 1, "walk", 0.01, 0.02, &error);
	(void)!rpLibrary_RemoveLabel(library, 1, "walk", 0.0, 0.015, &error);
	(void)!rpLibrary_RenameClip(library, 1, "other", &error);
	(void)!rpLibrary_RemoveClip(library, 1, &error);
	rpCloseLibrary(library);
}

static void hashColumn(sqlite3_context* context, int count, sqlite3_value** values)
{
	char hashes[3][33] = {"", "", ""}, hash[33];
	for (int i = 0; i < count && i < 3; ++i)
	{
		const void* data = sqlite3_value_blob(values[i]);
		if (sqlite3_value_type(values[i]) != SQLITE_NULL)
		{
			rpHashBytes(data != NULL ? data : "", (size_t)sqlite3_value_bytes(values[i]), hashes[i]);
		}
	}
	if (count == 1)
	{
		memcpy(hash, hashes[0], sizeof(hash));
	}
	else
	{
		rpHashBytes(hashes, sizeof(hashes), hash);
	}
	sqlite3_result_text(context, hash, 32, SQLITE_TRANSIENT);
}

// Write the hashes that fit what is there.
static bool fixHashes(void)
{
	sqlite3* db = NULL;
	bool done = sqlite3_open(s_path, &db) == SQLITE_OK &&
				sqlite3_create_function(db, "hash_of", -1, SQLITE_UTF8, NULL, hashColumn, NULL, NULL) == SQLITE_OK;
	if (done)
	{
		sqlite3_limit(db, SQLITE_LIMIT_LENGTH, RP_LIBRARY_MAX_ROW);
		sqlite3_exec(db, "UPDATE OR IGNORE skeletons SET hash = hash_of(data)", NULL, NULL, NULL);
		done = sqlite3_exec(db,
							"UPDATE clips SET frames_hash = ifnull((SELECT hash_of(positions, rotations, translations) "
							"FROM frames WHERE clip = clips.id AND part = 0), frames_hash)",
							NULL, NULL, NULL) == SQLITE_OK;
	}
	sqlite3_close(db);
	return done;
}

static void fixSeals(void)
{
	rpLibrary* library = rpOpenLibrary(s_path, rp_openWrite, NULL);
	for (rpClipId clip = 1; library != NULL && clip <= 3; ++clip)
	{
		rpClipRecord record = {0};
		rpError error = {0};
		bool done = rpStore_BeginWrite(library, &error);
		(void)!(done && rpReadClipRecord(library, clip, &record, &error));
		done = done && strstr(error.message, "seal") != NULL && rpUpdateClipRecord(library, &record, &error);
		(void)!rpStore_End(library, done, &error);
		rpClipRecord_Free(&record);
	}
	rpCloseLibrary(library);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
	removeFiles();
	if (!writeFile(data, size))
	{
		return 0;
	}
	rpLibrary* library = rpOpenLibrary(s_path, rp_openRead, NULL);
	bool opens = library != NULL;
	rpCloseLibrary(library);
	readAll();
	if (opens && fixHashes())
	{
		fixSeals();
		readAll();
	}
	if (opens)
	{
		change();
		readAll();
	}
	return 0;
}
