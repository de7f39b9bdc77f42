/// Takes of one body in a library decide together about their floor and their frame rate, however they were added.
#include "floor_scene.h"
#include "performance.h"
#include "support.h"

#include "doctor/take.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
	takeCount = 5,
};

static char s_paths[takeCount][600];
static rpMotion* s_clean[takeCount];

// Walks along lines, and one jump. All are of 60 Hz under headers of 120: only the jump gives it away.
static void writeTakes(void)
{
	static const char* const scripts[takeCount] = {
		"walk 5 1.3 0",           "turn 90; walk 5 1.3 0", "turn 45; walk 4 1.2 0", "stand 0.5; jump 1.0; stand 0.5",
		"turn 180; walk 5 1.4 5",
	};
	static const float heights[takeCount] = {0.0f, 0.05f, -0.03f, 0.02f, 0.0f};
	for (int i = 0; i < takeCount; ++i)
	{
		rpPerformDef def = rpDefaultPerformDef(rp_actTake);
		def.script = scripts[i];
		def.fps = 60.0;
		s_clean[i] = testPerform(&def);
		rpMotion* take = rpCopyMotion(s_clean[i], NULL);
		testTilt(take, 0.012f, -0.016f, heights[i]);
		take->fps = 120.0;
		snprintf(s_paths[i], sizeof(s_paths[i]), "%s/take-%d.bvh", testFolder(), i);
		rpSaveDef save = rpDefaultSaveDef();
		save.sidecar = false;
		assert_true(rpSaveMotion(take, s_paths[i], &save, NULL));
		rpDestroyMotion(take);
	}
}

/// What was reported of sessions.
typedef struct Reported
{
	int sessionCount, takeCount, changedCount;
	char changed[400];
	bool hasFloor, hasRate;
} Reported;

static void noteSession(const rpSession* session, void* context)
{
	Reported* reported = context;
	++reported->sessionCount;
	reported->takeCount = session->takeCount;
	reported->changedCount = session->changedCount;
	reported->changed[0] = 0;
	for (int i = 0; i < session->changedCount; ++i)
	{
		strncat(reported->changed, session->changed[i], sizeof(reported->changed) - strlen(reported->changed) - 2);
		strcat(reported->changed, " ");
	}
	reported->hasFloor = rpFindings_Find(session->findings, "floor") != NULL;
	reported->hasRate = rpFindings_Find(session->findings, "frame_rate") != NULL;
}

static Reported addTakes(const char* path, const int* indices, int count, const rpReadDef* read)
{
	const char* paths[takeCount];
	for (int i = 0; i < count; ++i)
	{
		paths[i] = s_paths[indices[i]];
	}
	Reported reported = {0};
	rpError error = {0};
	rpAddDef def = rpDefaultAddDef();
	def.read = read;
	def.sessionDone = noteSession;
	def.fileContext = &reported;
	rpLibrary* library = rpOpenLibrary(path, rp_openCreate, &error);
	assert_string_equal(error.message, "");
	assert_int_equal(rpLibrary_AddFiles(library, paths, count, &def, &error), count);
	rpCloseLibrary(library);
	rpFindings findings = {0};
	assert_true(rpCheckLibrary(path, &findings, &error));
	assert_int_equal(findings.count, 0);
	return reported;
}

static rpMotion* loadTake(const char* path, int index, char hash[33])
{
	char name[40];
	rpError error = {0};
	snprintf(name, sizeof(name), "take-%d", index);
	rpLibrary* library = rpOpenLibrary(path, rp_openRead, &error);
	rpClipId id = rpLibrary_FindClip(library, name, &error);
	rpMotion* motion = rpLibrary_LoadClip(library, id, &error);
	assert_string_equal(error.message, "");
	rpClipInfo* infos;
	int count = rpLibrary_ListClips(library, &infos, NULL);
	for (int i = 0; i < count && hash != NULL; ++i)
	{
		if (infos[i].id == id)
		{
			memcpy(hash, infos[i].hash, 33);
		}
	}
	rpFreeClipInfos(infos, count);
	rpCloseLibrary(library);
	return motion;
}

static void expectSame(const char* a, const char* b)
{
	for (int i = 0; i < takeCount; ++i)
	{
		char hashes[2][33];
		rpMotion* first = loadTake(a, i, hashes[0]);
		rpMotion* second = loadTake(b, i, hashes[1]);
		assert_string_equal(hashes[0], hashes[1]);
		assert_true(first->fps == second->fps && first->frameCount == second->frameCount);
		size_t rotations = (size_t)first->frameCount * (size_t)first->skeleton->jointCount;
		assert_memory_equal(first->rootPositions, second->rootPositions, (size_t)first->frameCount * sizeof(rpVec3));
		assert_memory_equal(first->rotations, second->rotations, rotations * sizeof(rpQuat));
		assert_true(first->annotations.intervals[0].end == second->annotations.intervals[0].end);
		rpDestroyMotion(first);
		rpDestroyMotion(second);
	}
}

static void oneByOneEndsAsAtOnce(void** state)
{
	(void)state;
	static const int orders[3][takeCount] = {{0, 1, 2, 3, 4}, {4, 3, 2, 1, 0}, {2, 3, 0, 4, 1}};
	char once[600], single[600];
	snprintf(once, sizeof(once), "%s", testPath("once.reprise"));
	Reported reported = addTakes(once, orders[0], takeCount, NULL);
	assert_int_equal(reported.sessionCount, 1);
	assert_int_equal(reported.takeCount, takeCount);
	assert_int_equal(reported.changedCount, 0);
	assert_true(reported.hasFloor && reported.hasRate);
	for (int order = 0; order < 3; ++order)
	{
		char name[40];
		snprintf(name, sizeof(name), "single-%d.reprise", order);
		snprintf(single, sizeof(single), "%s", testPath(name));
		for (int i = 0; i < takeCount; ++i)
		{
			(void)addTakes(single, orders[order] + i, 1, NULL);
		}
		expectSame(once, single);
	}
}

// Level, at 0, and at the rate of the jump.
static void sessionsAreMended(void** state)
{
	(void)state;
	const char* path = testPath("once.reprise");
	for (int i = 0; i < takeCount; ++i)
	{
		rpMotion* motion = loadTake(path, i, NULL);
		assert_true(motion->fps == 60.0);
		assert_true(fabs(motion->annotations.intervals[0].end - motion->frameCount / 60.0) < 1e-9);
		float farthest = 0.0f;
		rpTransform a[RP_MAX_JOINTS], b[RP_MAX_JOINTS];
		for (int frame = 0; frame < motion->frameCount; ++frame)
		{
			rpMotion_Forward(motion, frame, a);
			rpMotion_Forward(s_clean[i], frame, b);
			for (int k = 0; k < motion->skeleton->jointCount; ++k)
			{
				farthest = fmaxf(farthest, fabsf(a[k].p.y - b[k].p.y));
			}
		}
		assert_true(farthest < 0.015f);
		// Alone, the walks keep their rate.
		rpMotion* alone = rpLoadMotion(s_paths[i], NULL, NULL, NULL);
		assert_true(alone->fps == (i == 3 ? 60.0 : 120.0));
		rpDestroyMotion(alone);
		rpDestroyMotion(motion);
	}
}

static void changedClipsAreNamed(void** state)
{
	(void)state;
	static const int walks[] = {0, 1, 2, 4};
	int jump = 3;
	char path[600];
	snprintf(path, sizeof(path), "%s", testPath("changed.reprise"));
	Reported reported = addTakes(path, walks, 4, NULL);
	assert_true(reported.changedCount == 0 && !reported.hasRate);
	rpLibrary* library = rpOpenLibrary(path, rp_openWrite, NULL);
	rpMotion* before = loadTake(path, 1, NULL);
	assert_true(before->fps == 120.0);
	assert_true(rpLibrary_AddLabel(library, rpLibrary_FindClip(library, "take-1", NULL), "step", 0.5, 1.0, NULL));
	rpCloseLibrary(library);
	reported = addTakes(path, &jump, 1, NULL);
	assert_int_equal(reported.changedCount, 4);
	assert_string_equal(reported.changed, "take-0 take-1 take-2 take-4 ");
	assert_true(reported.hasRate);
	// Labels stay on their frames.
	rpMotion* after = loadTake(path, 1, NULL);
	rpInterval label;
	assert_int_equal(rpMotion_GetIntervals(after, rp_trackLabel, &label, 1), 1);
	assert_true(label.start == 1.0 && label.end == 2.0 && after->fps == 60.0);
	rpDestroyMotion(before);
	rpDestroyMotion(after);
	// Nothing new, nothing changes.
	reported = addTakes(path, &jump, 1, NULL);
	assert_int_equal(reported.sessionCount, 0);
}

static void whatIsToBeKeptIsKept(void** state)
{
	(void)state;
	static const int all[] = {0, 1, 2, 3, 4};
	char path[600];
	snprintf(path, sizeof(path), "%s", testPath("kept.reprise"));
	rpReadDef read = rpDefaultReadDef();
	read.keepFloor = true;
	read.fps = 120.0;
	Reported reported = addTakes(path, all, takeCount, &read);
	assert_int_equal(reported.sessionCount, 0);
	for (int i = 0; i < takeCount; ++i)
	{
		rpMotion* kept = loadTake(path, i, NULL);
		rpMotion* file = rpLoadMotion(s_paths[i], &read, NULL, NULL);
		assert_true(rpMotion_Agrees(kept, file, 0.0f));
		rpDestroyMotion(kept);
		rpDestroyMotion(file);
	}
}

static void runSql(const char* path, const char* sql)
{
	sqlite3* db;
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

static int getVersion(const char* path)
{
	size_t size;
	char* bytes = testReadFile(path, &size);
	int version = bytes[63];
	free(bytes);
	return version;
}

// A library of clips alone is of version 1; the first take makes it one of version 2, and clips stay what they are.
static void oldLibrariesGrow(void** state)
{
	(void)state;
	char path[600];
	snprintf(path, sizeof(path), "%s", testPath("grows.reprise"));
	rpLibrary* library = rpOpenLibrary(path, rp_openCreate, NULL);
	rpAddDef def = rpDefaultAddDef();
	def.name = "take-9";
	assert_true(rpLibrary_AddClip(library, s_clean[0], &def, NULL, NULL) != 0);
	rpCloseLibrary(library);
	assert_int_equal(getVersion(path), 1);
	char before[33], after[33];
	rpMotion* old = loadTake(path, 9, before);
	(void)addTakes(path, (const int[]){1, 2}, 2, NULL);
	assert_int_equal(getVersion(path), 2);
	rpMotion* same = loadTake(path, 9, after);
	assert_string_equal(before, after);
	assert_true(rpMotion_Agrees(old, same, 0.0f));
	rpDestroyMotion(old);
	rpDestroyMotion(same);
	// Whose clip is gone, that take is gone.
	library = rpOpenLibrary(path, rp_openWrite, NULL);
	assert_true(rpLibrary_RemoveClip(library, rpLibrary_FindClip(library, "take-1", NULL), NULL));
	rpCloseLibrary(library);
	rpFindings findings = {0};
	assert_true(rpCheckLibrary(path, &findings, NULL));
	assert_int_equal(findings.count, 0);
}

static void alteredTakesAreNoticed(void** state)
{
	(void)state;
	static const char* const changes[] = {
		"UPDATE takes SET data = zeroblob(56)",        "UPDATE takes SET data = x''",
		"UPDATE takes SET data = substr(data, 1, 60)", "DELETE FROM takes",
		"INSERT INTO takes VALUES(77, zeroblob(56))",
	};
	for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); ++i)
	{
		char path[600], name[40];
		snprintf(name, sizeof(name), "altered-%d.reprise", (int)i);
		snprintf(path, sizeof(path), "%s", testPath(name));
		(void)addTakes(path, (const int[]){0}, 1, NULL);
		runSql(path, changes[i]);
		rpFindings findings = {0};
		assert_true(rpCheckLibrary(path, &findings, NULL));
		assert_true(findings.count > 0);
		rpFindings_Free(&findings);
	}
}

// ---- votes ----

static rpTake makeTake(double own, double gravity)
{
	return (rpTake){.isRateOpen = true, .fileFps = 120.0, .ownFps = own, .gravity = gravity};
}

static void takesThatSpeakAgainstARateKeepTheirs(void** state)
{
	(void)state;
	rpTreatment out[4];
	const rpTake some[4] = {makeTake(60.0, 39.0), makeTake(120.0, 0.0), makeTake(60.0, 38.0), makeTake(120.0, 10.0)};
	assert_true(rpDecideSession(some, 4, out, NULL));
	assert_true(out[0].fps == 60.0 && out[1].fps == 60.0 && out[2].fps == 60.0 && out[3].fps == 120.0);
	// As many for as against: what does not show it is left.
	const rpTake doubt[3] = {makeTake(60.0, 39.0), makeTake(120.0, 0.0), makeTake(120.0, 10.0)};
	assert_true(rpDecideSession(doubt, 3, out, NULL));
	assert_true(out[0].fps == 60.0 && out[1].fps == 120.0 && out[2].fps == 120.0);
}

// Tens of thousands of takes vote at once: with the votes counted anew for each of them this takes days.
static void manyTakesVoteAtOnce(void** state)
{
	(void)state;
	enum
	{
		voterCount = 30000
	};
	rpTake* takes = calloc(voterCount, sizeof(rpTake));
	rpTreatment* out = calloc(voterCount, sizeof(rpTreatment));
	assert_true(takes != NULL && out != NULL);
	for (int i = 0; i < voterCount; ++i)
	{
		// Of four that show nothing one says 60, and now and then one 40.
		takes[i] = i % 4 == 0 ? makeTake(i % 12 == 0 ? 40.0 : 60.0, 39.0) : makeTake(120.0, 0.0);
		takes[i].fileFps = 120.0 + i % 2;
		takes[i].ownFps = i % 4 == 0 ? takes[i].ownFps : takes[i].fileFps;
	}
	assert_true(rpDecideSession(takes, voterCount, out, NULL));
	assert_true(out[0].fps == 40.0 && out[4].fps == 60.0);
	assert_true(out[2].fps == 60.0 && out[29998].fps == 60.0);
	// Nobody speaks for another rate of the odd ones.
	assert_true(out[1].fps == 121.0 && out[29999].fps == 121.0);
	free(takes);
	free(out);
}

int main(void)
{
	writeTakes();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(oneByOneEndsAsAtOnce),
		cmocka_unit_test(sessionsAreMended),
		cmocka_unit_test(changedClipsAreNamed),
		cmocka_unit_test(whatIsToBeKeptIsKept),
		cmocka_unit_test(oldLibrariesGrow),
		cmocka_unit_test(alteredTakesAreNoticed),
		cmocka_unit_test(takesThatSpeakAgainstARateKeepTheirs),
		cmocka_unit_test(manyTakesVoteAtOnce),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	for (int i = 0; i < takeCount; ++i)
	{
		rpDestroyMotion(s_clean[i]);
	}
	return failed;
}
