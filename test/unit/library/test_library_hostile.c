/// Files that are no library, are newer, are damaged, or were made to do harm: a clear error, and they are not touched.
#include "library_scene.h"

#include "file/bytes.h"
#include "library/clip_record.h"
#include "motion/skeleton_blob.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Run SQL on a library without any of its safeguards.
static void alter(const char* path, const char* sql)
{
	sqlite3* db = NULL;
	char* message = NULL;
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	if (sqlite3_exec(db, sql, NULL, NULL, &message) != SQLITE_OK)
	{
		fail_msg("%s: %s", sql, message);
	}
	assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

// The same with tables that take values of any type.
static void alterLoosely(const char* path, const char* sql)
{
	alter(path,
		  "PRAGMA writable_schema=ON; UPDATE sqlite_schema SET sql = replace(replace(replace(sql, ' STRICT', ''), "
		  "' NOT NULL', '/**/'), ') WITHOUT', ') WITHOUT')");
	alter(path, sql);
	alter(path, "PRAGMA writable_schema=ON; UPDATE sqlite_schema SET sql = replace(sql, '/**/', ' NOT NULL'); UPDATE "
				"sqlite_schema SET sql = sql || ' STRICT' WHERE type = 'table' AND name NOT IN ('meta', "
				"'sqlite_sequence'); UPDATE sqlite_schema SET sql = replace(sql, '), WITHOUT', ') STRICT, WITHOUT')");
}

// Seal a clip anew, as an attacker would.
static void seal(const char* path, rpClipId clip)
{
	rpError error = {0};
	rpLibrary* library = rpOpenLibrary(path, rp_openWrite, &error);
	assert_string_equal(error.message, "");
	rpClipRecord record;
	assert_true(rpStore_BeginWrite(library, &error));
	(void)!rpReadClipRecord(library, clip, &record, &error);
	assert_true(rpUpdateClipRecord(library, &record, &error));
	assert_true(rpStore_End(library, true, &error));
	rpClipRecord_Free(&record);
	rpCloseLibrary(library);
}

// Every attempt to open it fails with that code, and leaves it as it is.
static void expectUntouched(const char* path, rpErrorCode code, const char* text)
{
	char before[80], after[80];
	testStampFile(path, before);
	for (int mode = rp_openRead; mode <= rp_openCreate; ++mode)
	{
		rpError error = {0};
		rpLibrary* library = rpOpenLibrary(path, (rpOpenMode)mode, &error);
		if (library != NULL || error.code != code || strstr(error.message, text) == NULL)
		{
			fail_msg("mode %d: code %d, \"%s\" instead of %d with \"%s\"", mode, error.code, error.message, code, text);
		}
		assert_string_equal(error.file, path);
	}
	rpFindings findings = {0};
	rpError error = {0};
	assert_true(!rpCheckLibrary(path, &findings, &error) || findings.count > 0);
	rpFindings_Free(&findings);
	testStampFile(path, after);
	assert_string_equal(before, after);
	char beside[600];
	snprintf(beside, sizeof(beside), "%s-journal", path);
	assert_int_equal(access(beside, F_OK), -1);
	snprintf(beside, sizeof(beside), "%s-shm", path);
	assert_int_equal(access(beside, F_OK), -1);
}

static void testForeignFiles(void** state)
{
	(void)state;
	char zeros[5000] = {0};
	expectUntouched(testWriteFile("a.reprise", "hello\n", 6), rp_errorFormat, "not a Reprise library");
	expectUntouched(testWriteFile("b.reprise", "SQLite format 3", 16), rp_errorFormat, "not a Reprise library");
	expectUntouched(testWriteFile("c.reprise", zeros, sizeof(zeros)), rp_errorFormat, "not a Reprise library");
	const char* path = testPath("d.reprise");
	alter(path, "CREATE TABLE places(url TEXT); INSERT INTO places VALUES('x')");
	expectUntouched(path, rp_errorFormat, "not a Reprise library");
	alter(path, "PRAGMA application_id=0x52505253; PRAGMA user_version=1");
	expectUntouched(path, rp_errorFormat, "damaged");
}

static void testEmptyFile(void** state)
{
	(void)state;
	const char* path = testWriteFile("empty.reprise", "", 0);
	rpError error = {0};
	assert_null(rpOpenLibrary(path, rp_openRead, &error));
	assert_int_equal(error.code, rp_errorFormat);
	assert_null(rpOpenLibrary(path, rp_openWrite, &error));
	assert_int_equal(error.code, rp_errorFormat);
	rpLibrary* library = rpOpenLibrary(path, rp_openCreate, &error);
	assert_non_null(library);
	rpCloseLibrary(library);
	testExpectLibrary(path, 0);
}

static void testAlteredSchemas(void** state)
{
	(void)state;
	static const char* const changes[] = {
		"CREATE TRIGGER t AFTER INSERT ON clips BEGIN DELETE FROM frames; END",
		"CREATE VIEW v AS SELECT * FROM clips",
		"CREATE TABLE more(x)",
		"CREATE INDEX i ON labels(label)",
		"CREATE VIRTUAL TABLE f USING fts5(text)",
		"DROP TABLE models",
		"DROP INDEX inputs_clip",
		"ANALYZE",
		"ALTER TABLE clips ADD COLUMN extra TEXT",
		("PRAGMA writable_schema=ON; UPDATE sqlite_schema SET sql = 'CREATE VIEW labels AS SELECT 1 AS clip', type = "
		 "'view', rootpage = 0 WHERE name = 'labels'"),
		"PRAGMA writable_schema=ON; UPDATE sqlite_schema SET sql = replace(sql, 'fps REAL', 'fps  REAL')",
		"PRAGMA writable_schema=ON; UPDATE sqlite_schema SET rootpage = 90000 WHERE name = 'labels'",
		"PRAGMA writable_schema=ON; UPDATE sqlite_schema SET sql = 'nonsense' WHERE name = 'labels'",
		"PRAGMA writable_schema=ON; DELETE FROM sqlite_schema",
		"UPDATE meta SET value = '2'",
		"INSERT INTO meta VALUES('x', 'y')",
		"PRAGMA user_version=0",
		"PRAGMA user_version=-1",
	};
	for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); ++i)
	{
		const char* path = testPath("schema.reprise");
		testMakeLibrary(path, 2);
		alter(path, changes[i]);
		expectUntouched(path, rp_errorFormat, "damaged");
	}
}

static void testNewerVersion(void** state)
{
	(void)state;
	const char* path = testPath("newer.reprise");
	testMakeLibrary(path, 1);
	alter(path, "PRAGMA user_version=3");
	expectUntouched(path, rp_errorVersion, "version 3");
	// The second version has a table more.
	alter(path, "PRAGMA user_version=2");
	expectUntouched(path, rp_errorFormat, "takes");
}

static void testWriteAheadLogIsRefused(void** state)
{
	(void)state;
	const char* path = testPath("wal.reprise");
	testMakeLibrary(path, 1);
	alter(path, "PRAGMA journal_mode=WAL; UPDATE clips SET name = 'x'");
	expectUntouched(path, rp_errorFormat, "damaged");
	path = testPath("beside.reprise");
	testMakeLibrary(path, 1);
	testWriteFile("beside.reprise-wal", "x", 1);
	expectUntouched(path, rp_errorFormat, "write-ahead log");
}

// A journal that names a file to delete.
static void testJournalThatNamesAFile(void** state)
{
	(void)state;
	static const unsigned char magic[8] = {0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7};
	const char* path = testPath("super.reprise");
	testMakeLibrary(path, 1);
	const char* victim = testWriteFile("victim", "precious", 8);
	char journal[2000] = {0};
	size_t length = strlen(victim);
	unsigned sum = 0;
	for (size_t i = 0; i < length; ++i)
	{
		sum += (unsigned char)victim[i];
	}
	memcpy(journal, magic, 8);
	size_t place = 512;
	place += 4; // page number of the name
	memcpy(journal + place, victim, length);
	place += length;
	unsigned char tail[8] = {0, 0, (unsigned char)(length >> 8), (unsigned char)length,
							 0, 0, (unsigned char)(sum >> 8),    (unsigned char)sum};
	memcpy(journal + place, tail, 8);
	memcpy(journal + place + 8, magic, 8);
	testWriteFile("super.reprise-journal", journal, place + 16);
	rpError error = {0};
	assert_null(rpOpenLibrary(path, rp_openWrite, &error));
	assert_non_null(strstr(error.message, "journal"));
	assert_int_equal(access(victim, F_OK), 0);
}

static void testTruncatedFiles(void** state)
{
	(void)state;
	const char* path = testPath("whole.reprise");
	testMakeLibrary(path, 3);
	size_t size;
	char* bytes = testReadFile(path, &size);
	for (size_t cut = 1; cut < size; cut += cut < 200 ? 7 : 1531)
	{
		path = testWriteFile("cut.reprise", bytes, cut);
		char before[80], after[80];
		testStampFile(path, before);
		rpFindings findings = {0};
		rpError error = {0};
		bool checked = rpCheckLibrary(path, &findings, &error);
		if (checked ? findings.count == 0 : error.code != rp_errorFormat)
		{
			fail_msg("%zu of %zu bytes: code %d \"%s\"", cut, size, error.code, error.message);
		}
		rpFindings_Free(&findings);
		testStampFile(path, after);
		assert_string_equal(before, after);
	}
	free(bytes);
}

// Clip 1 does not load, the check names damage, clip 2 loads as if nothing were.
static void expectDamagedClip(const char* path, const char* what)
{
	rpError error = {0};
	rpFindings findings = {0};
	rpLibrary* library = rpOpenLibrary(path, rp_openRead, &error);
	assert_string_equal(error.message, "");
	rpMotion* motion = rpLibrary_LoadClip(library, 1, &error);
	if (motion != NULL || error.code != rp_errorFormat)
	{
		fail_msg("%s: code %d \"%s\"", what, error.code, error.message);
	}
	motion = rpLibrary_LoadClip(library, 2, &error);
	assert_non_null(motion);
	rpDestroyMotion(motion);
	rpClipInfo* infos;
	int count = rpLibrary_ListClips(library, &infos, &error);
	rpFreeClipInfos(infos, count > 0 ? count : 0);
	rpCloseLibrary(library);
	assert_true(rpCheckLibrary(path, &findings, &error));
	assert_true(findings.count > 0);
	rpFindings_Free(&findings);
}

// Two clips, each with a skeleton of its own.
static void makePair(const char* path)
{
	unlink(path);
	rpLibrary* library = rpOpenLibrary(path, rp_openCreate, NULL);
	for (int i = 0; i < 2; ++i)
	{
		rpSkeleton* body = testMakePuppet(i == 1);
		rpMotion* motion = testMakeClip(body, 6 * i);
		assert_int_equal(rpLibrary_AddClip(library, motion, NULL, NULL, NULL), i + 1);
		rpDestroyMotion(motion);
		rpReleaseSkeleton(body);
	}
	rpCloseLibrary(library);
}

static void testAlteredValues(void** state)
{
	(void)state;
	static const char* const changes[] = {
		"UPDATE clips SET frame_count = 1000000000 WHERE id = 1",
		"UPDATE clips SET frame_count = 100000000 WHERE id = 1",
		"UPDATE clips SET frame_count = 0 WHERE id = 1",
		"UPDATE clips SET frame_count = -1 WHERE id = 1",
		"UPDATE clips SET frame_count = frame_count + 1 WHERE id = 1",
		"UPDATE clips SET frame_count = frame_count - 1 WHERE id = 1",
		"UPDATE clips SET fps = 0.0 WHERE id = 1",
		"UPDATE clips SET fps = -30.0 WHERE id = 1",
		"UPDATE clips SET fps = 9e999 WHERE id = 1",
		"UPDATE clips SET name = '' WHERE id = 1",
		"UPDATE clips SET name = CAST(x'ff41' AS TEXT) WHERE id = 1",
		"UPDATE clips SET name = CAST(x'410042' AS TEXT) WHERE id = 1",
		"UPDATE clips SET name = CAST(zeroblob(9000) AS TEXT) WHERE id = 1",
		"UPDATE clips SET source = CAST(x'c0af' AS TEXT) WHERE id = 1",
		"UPDATE clips SET annotations = '' WHERE id = 1",
		"UPDATE clips SET annotations = '[1, 2' WHERE id = 1",
		"UPDATE clips SET annotations = '{\"intervals\": [{\"track\": \"contact\"}]}' WHERE id = 1",
		"UPDATE clips SET frames_hash = 'x' WHERE id = 1",
		"UPDATE clips SET content = '00000000000000000000000000000000x' WHERE id = 1",
		"UPDATE clips SET skeleton = 2 WHERE id = 1",
		"UPDATE clips SET skeleton = 77 WHERE id = 1",
		"UPDATE frames SET positions = zeroblob(0) WHERE clip = 1",
		"UPDATE frames SET positions = zeroblob(13) WHERE clip = 1",
		"UPDATE frames SET positions = zeroblob(1200000) WHERE clip = 1",
		"UPDATE frames SET rotations = zeroblob(length(rotations)) WHERE clip = 1",
		"UPDATE frames SET rotations = zeroblob(length(rotations) - 16) WHERE clip = 1",
		"UPDATE frames SET translations = NULL WHERE clip = 1",
		"UPDATE frames SET part = 1 WHERE clip = 1",
		"UPDATE frames SET clip = 77 WHERE clip = 1",
		"DELETE FROM frames WHERE clip = 1",
		"DELETE FROM labels WHERE clip = 1",
		"DELETE FROM inputs WHERE clip = 1",
		"UPDATE labels SET start_s = -9e999 WHERE clip = 1",
		"UPDATE labels SET start_s = end_s + 1.0 WHERE clip = 1",
		"UPDATE labels SET label = CAST(x'80' AS TEXT) WHERE clip = 1",
		"UPDATE inputs SET hash = 'longer than thirty-two characters' WHERE clip = 1",
		"UPDATE skeletons SET data = zeroblob(length(data)) WHERE id = 1",
		"UPDATE skeletons SET data = zeroblob(0) WHERE id = 1",
		"UPDATE skeletons SET hash = 'short' WHERE id = 1",
		"UPDATE skeletons SET family = -1 WHERE id = 1",
		"DELETE FROM skeletons WHERE id = 1",
	};
	for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); ++i)
	{
		const char* path = testPath("values.reprise");
		makePair(path);
		alter(path, changes[i]);
		expectDamagedClip(path, changes[i]);
	}
}

static void testModels(void** state)
{
	(void)state;
	const char* path = testPath("models.reprise");
	char hash[33], sql[300];
	rpFindings findings = {0};
	testMakeLibrary(path, 1);
	rpHashBytes("model", 5, hash);
	snprintf(sql, sizeof(sql),
			 "INSERT INTO models(name, kind, version, hash, data) VALUES('m', 'graph', 1, '%s', "
			 "CAST('model' AS BLOB))",
			 hash);
	alter(path, sql);
	testExpectLibrary(path, 1);
	alter(path, "UPDATE models SET data = CAST('modem' AS BLOB)");
	assert_true(rpCheckLibrary(path, &findings, NULL));
	assert_non_null(rpFindings_Find(&findings, "model"));
	rpFindings_Free(&findings);
}

static void testAlteredTypes(void** state)
{
	(void)state;
	static const char* const changes[] = {
		"UPDATE clips SET frame_count = 'many' WHERE id = 1",  "UPDATE clips SET fps = x'00' WHERE id = 1",
		"UPDATE clips SET name = x'414243' WHERE id = 1",      "UPDATE clips SET name = NULL WHERE id = 1",
		"UPDATE clips SET annotations = x'7b7d' WHERE id = 1", "UPDATE clips SET seal = NULL WHERE id = 1",
		"UPDATE frames SET positions = 'text' WHERE clip = 1", "UPDATE frames SET positions = 12 WHERE clip = 1",
		"UPDATE frames SET rotations = NULL WHERE clip = 1",   "UPDATE frames SET part = 0.5 WHERE clip = 1",
		"UPDATE labels SET start_s = 'x' WHERE clip = 1",      "UPDATE labels SET label = 7 WHERE clip = 1",
		"UPDATE skeletons SET data = 'text' WHERE id = 1",     "UPDATE skeletons SET hash = 5 WHERE id = 1",
	};
	for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); ++i)
	{
		const char* path = testPath("types.reprise");
		makePair(path);
		alterLoosely(path, changes[i]);
		expectDamagedClip(path, changes[i]);
	}
}

// Changes whose maker also computed the seal: what remains are the checks of the values themselves.
static void testSealedLies(void** state)
{
	(void)state;
	static const char* const changes[] = {
		"UPDATE clips SET frame_count = 99999999 WHERE id = 1",
		"UPDATE clips SET frame_count = frame_count + 1 WHERE id = 1",
		"UPDATE clips SET annotations = '[1, 2' WHERE id = 1",
		"UPDATE frames SET positions = zeroblob(length(positions) + 12) WHERE clip = 1",
		"UPDATE frames SET rotations = zeroblob(length(rotations)) WHERE clip = 1",
		"INSERT INTO frames(clip, part, positions, rotations) VALUES(1, 1, zeroblob(12), zeroblob(16))",
	};
	for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); ++i)
	{
		const char* path = testPath("sealed.reprise");
		makePair(path);
		alter(path, changes[i]);
		seal(path, 1);
		expectDamagedClip(path, changes[i]);
	}
	const char* path = testPath("sealed.reprise");
	makePair(path);
	alter(path, "UPDATE clips SET fps = 31.0 WHERE id = 1");
	expectDamagedClip(path, "the seal itself");
	seal(path, 1);
	rpLibrary* library = rpOpenLibrary(path, rp_openRead, NULL);
	rpMotion* motion = rpLibrary_LoadClip(library, 1, NULL);
	assert_non_null(motion);
	assert_true(motion->fps == 31.0);
	rpDestroyMotion(motion);
	rpCloseLibrary(library);
}

static void testNotUnitFramesWithRightHash(void** state)
{
	(void)state;
	const char* path = testPath("unit.reprise");
	makePair(path);
	// What rpHashFrames gives for these frames, computed apart.
	rpLibrary* library = rpOpenLibrary(path, rp_openRead, NULL);
	rpMotion* motion = rpLibrary_LoadClip(library, 1, NULL);
	rpCloseLibrary(library);
	size_t rotations = (size_t)(motion->frameCount * motion->skeleton->jointCount);
	memset(motion->rotations, 0, rotations * sizeof(rpQuat));
	char hashes[3][33], hash[33], sql[300];
	rpHashBytes(motion->rootPositions, (size_t)motion->frameCount * sizeof(rpVec3), hashes[0]);
	rpHashBytes(motion->rotations, rotations * sizeof(rpQuat), hashes[1]);
	rpHashBytes(motion->translations, rotations * sizeof(rpVec3), hashes[2]);
	rpHashBytes(hashes, sizeof(hashes), hash);
	rpDestroyMotion(motion);
	snprintf(sql, sizeof(sql),
			 "UPDATE frames SET rotations = zeroblob(length(rotations)) WHERE clip = 1; UPDATE clips SET frames_hash = "
			 "'%s' WHERE id = 1",
			 hash);
	alter(path, sql);
	seal(path, 1);
	expectDamagedClip(path, "zero rotations");
	library = rpOpenLibrary(path, rp_openRead, NULL);
	rpError error = {0};
	assert_null(rpLibrary_LoadClip(library, 1, &error));
	assert_non_null(strstr(error.message, "not unit"));
	rpCloseLibrary(library);
}

// Every value of a skeleton's bytes replaced, every length cut: a skeleton or an error, never a crash.
static void testSkeletonBytes(void** state)
{
	(void)state;
	rpSkeleton* body = testMakePuppet(true);
	rpText text = {0};
	assert_true(rpEncodeSkeleton(body, &text, NULL));
	rpSkeleton* again = rpDecodeSkeleton(text.data, text.size, NULL);
	assert_non_null(again);
	assert_true(rpSkeleton_Matches(body, again));
	rpReleaseSkeleton(again);
	static const uint32_t values[] = {0, 1, 0x7fc00000, 0x7f800000, 0x7fffffff, 0xffffffff, 0x80000000, 1000};
	rpRandom random = rpSeedRandom(9);
	for (size_t place = 0; place < text.size; ++place)
	{
		// An exact copy, so that a sanitizer sees a step beyond it.
		char* copy = malloc(text.size);
		memcpy(copy, text.data, text.size);
		assert_null(rpDecodeSkeleton(copy, place, NULL));
		uint32_t value = values[rpRandom_Index(&random, 8)];
		memcpy(copy + place, &value, text.size - place < 4 ? text.size - place : 4);
		rpReleaseSkeleton(rpDecodeSkeleton(copy, text.size, NULL));
		free(copy);
	}
	// A parent that comes later.
	rpText altered = {0};
	rpText_Append(&altered, text.data, text.size);
	uint32_t parent = 5;
	memcpy(altered.data + 12, &parent, 4);
	rpError error = {0};
	assert_null(rpDecodeSkeleton(altered.data, altered.size, &error));
	assert_int_equal(error.code, rp_errorFormat);
	rpText_Free(&altered);
	rpText_Free(&text);
	rpReleaseSkeleton(body);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testForeignFiles),
		cmocka_unit_test(testEmptyFile),
		cmocka_unit_test(testAlteredSchemas),
		cmocka_unit_test(testNewerVersion),
		cmocka_unit_test(testWriteAheadLogIsRefused),
		cmocka_unit_test(testJournalThatNamesAFile),
		cmocka_unit_test(testTruncatedFiles),
		cmocka_unit_test(testAlteredValues),
		cmocka_unit_test(testModels),
		cmocka_unit_test(testAlteredTypes),
		cmocka_unit_test(testSealedLies),
		cmocka_unit_test(testNotUnitFramesWithRightHash),
		cmocka_unit_test(testSkeletonBytes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
