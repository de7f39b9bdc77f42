/// Models of any kind by one table; and what was written before there was one: bundles and a library of version 0.1
/// (commit ebb8163), without floors and stands, load, play and walk.
#include "model/gait_model.h"
#include "model/graph_model.h"
#include "space_scene.h"
#include "tiny_space.h"

#include "../../../fuzz/bundle_mutator.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char* readKept(const char* name, size_t* size)
{
	const char* source = getenv("REPRISE_SOURCE");
	char path[1024];
	if (source == NULL)
	{
		skip();
	}
	snprintf(path, sizeof(path), "%s/test/keep/%s", source, name);
	char* bytes = testReadFile(path, size);
	assert_non_null(bytes);
	return bytes;
}

// A copy of the kept library, to do with as a test likes.
static const char* copyLibrary(const char* name)
{
	size_t size;
	char* bytes = readKept("library/models-1", &size);
	const char* path = testWriteFile(name, bytes, size);
	free(bytes);
	return path;
}

/// What a player does under a stick.
typedef struct Played
{
	/// Metres, and a sum over all frames that distinguishes one motion from another.
	float travelled;
	double sum;
} Played;

static Played play(const void* bytes, size_t size)
{
	rpError error = {0};
	rpBundle* bundle = rpCreateBundle(bytes, size, &error);
	rpPlayer* player = bundle != NULL ? rpCreatePlayer(bundle, NULL, &error) : NULL;
	if (player == NULL)
	{
		fail_msg("%s", error.message);
	}
	rpQuat rotations[RP_MAX_JOINTS];
	rpPose pose = {.rotations = rotations};
	rpVec3 last = rpVec3_zero;
	Played played = {0};
	int jointCount = rpPlayer_GetSkeleton(player)->jointCount;
	for (int i = 0; i < 900; ++i)
	{
		// Walk, stand, and walk again.
		rpPlayerInput input = {.stick = {0.0f, i / 300 == 1 ? 0.0f : 0.5f}};
		rpPlayer_Step(player, 1.0 / 60.0, &input, &pose, NULL);
		played.travelled += i > 0 ? rpDistance(last, pose.rootPosition) : 0.0f;
		last = pose.rootPosition;
		for (int k = 0; k < jointCount; ++k)
		{
			assert_true(fabsf(rpDotQuat(rotations[k], rotations[k]) - 1.0f) < 1e-3f);
			played.sum += (k + 1) * (double)(rotations[k].x + 2.0f * rotations[k].y + 3.0f * rotations[k].z);
		}
	}
	rpDestroyPlayer(player);
	rpDestroyBundle(bundle);
	return played;
}

static void testKeptBundles(void** state)
{
	(void)state;
	static const char* const names[] = {"bundle/graph-1", "bundle/locomotion-1"};
	static const char* const missing[] = {"CFLO", "LSTD", "LSTJ"};
	for (int i = 0; i < 2; ++i)
	{
		size_t size;
		char* bytes = readKept(names[i], &size);
		rpBundle* bundle = rpCreateBundle(bytes, size, NULL);
		for (int k = 0; k < 3; ++k)
		{
			assert_false(rpBundle_HasChunk(bundle, missing[k]));
		}
		rpDestroyBundle(bundle);
		Played played = play(bytes, size);
		print_message("%s: %.1f m in 15 s\n", names[i], (double)played.travelled);
		assert_true(played.travelled > 1.0f);
		free(bytes);
	}
}

// The first that were packed: blocks, rows and steps.
static void testKeptPacked(void** state)
{
	(void)state;
	static const char* const names[] = {"bundle/graph-2", "bundle/locomotion-2"};
	for (int i = 0; i < 2; ++i)
	{
		size_t size;
		char* bytes = readKept(names[i], &size);
		rpBundle* bundle = rpCreateBundle(bytes, size, NULL);
		assert_true(bundle != NULL && rpBundle_HasChunk(bundle, "PROW") && !rpBundle_HasChunk(bundle, "ROWS"));
		rpDestroyBundle(bundle);
		assert_true(play(bytes, size).travelled > 1.0f);
		free(bytes);
	}
}

// All chunks of a bundle but those that came later.
static void* strip(const rpBundle* bundle, size_t* size)
{
	static const struct
	{
		const char* type;
		size_t recordSize;
	} chunks[] = {{"SKEL", 1},  {"CLIP", 32}, {"ROWS", 4},  {"ROOT", 12}, {"CONT", 16}, {"GHDR", 24},
				  {"GTXT", 1},  {"GCLP", 16}, {"GNOD", 16}, {"GEDG", 56}, {"GSID", 16}, {"GPTH", 8},
				  {"GLEN", 4},  {"GCON", 2},  {"GSTR", 68}, {"LHDR", 80}, {"LTAK", 16}, {"LTXT", 1},
				  {"LMOV", 72}, {"LNOD", 4},  {"LPTH", 12}, {"LCON", 2}};
	rpBundleWriter writer = {0};
	for (size_t i = 0; i < sizeof(chunks) / sizeof(chunks[0]); ++i)
	{
		int count;
		const void* records = rpBundle_HasChunk(bundle, chunks[i].type)
								  ? rpBundle_GetChunk(bundle, chunks[i].type, chunks[i].recordSize, &count, NULL)
								  : NULL;
		assert_true(records == NULL ||
					rpBundleWriter_Add(&writer, chunks[i].type, records, count, chunks[i].recordSize, NULL));
	}
	void* bytes = rpBundleWriter_Finish(&writer, size, NULL);
	rpBundleWriter_Free(&writer);
	return bytes;
}

// What a bundle holds is what would be found without: players do the same.
static void testStripped(void** state)
{
	(void)state;
	rpLibrary* library = rpOpenLibrary(copyLibrary("stripped.reprise"), rp_openRead, NULL);
	static const char* const names[] = {"graph", "locomotion"};
	for (int i = 0; i < 2; ++i)
	{
		rpModel* model = rpLibrary_OpenModel(library, names[i], NULL);
		assert_non_null(model);
		const char* path = testPath("whole.rpb");
		assert_true(rpModel_SaveBundle(model, path, NULL));
		size_t size, strippedSize;
		char* whole = testReadFile(path, &size);
		rpBundle* bundle = rpCreateBundle(whole, size, NULL);
		void* stripped = strip(bundle, &strippedSize);
		Played a = play(whole, size), b = play(stripped, strippedSize);
		assert_true(rpBundle_HasChunk(bundle, "CFLO") && strippedSize < size);
		assert_true(rpBundle_HasChunk(bundle, "LSTD") == (i == 1));
		assert_true(a.sum == b.sum && a.travelled == b.travelled && a.travelled > 1.0f);
		rpFreeBytes(stripped);
		rpDestroyBundle(bundle);
		free(whole);
		rpDestroyModel(model);
	}
	rpCloseLibrary(library);
}

static void testKeptLibrary(void** state)
{
	(void)state;
	const char* path = copyLibrary("kept.reprise");
	rpFindings findings = {0};
	rpError error = {0};
	assert_true(rpCheckLibrary(path, &findings, &error) && rpCheckModels(path, &findings, &error));
	// Both models are from before hashes: that is all there is to say.
	assert_int_equal(findings.count, 2);
	assert_string_equal(findings.items[0].code, "old_model");
	assert_string_equal(findings.items[1].code, "old_model");
	rpFindings_Free(&findings);
	rpLibrary* library = rpOpenLibrary(path, rp_openWrite, NULL);
	rpGraph* graph = rpLibrary_LoadGraph(library, "graph", &error);
	assert_non_null(graph);
	rpWalk* walk = rpGraph_WalkAtRandom(graph, 5.0, 0, 1, &error);
	assert_non_null(walk);
	rpMotion* motion = rpWalk_MakeMotion(walk, graph, 30.0, true, &error);
	assert_true(motion != NULL && rpMotion_GetDuration(motion) > 4.9);
	rpDestroyMotion(motion);
	rpDestroyWalk(walk);
	rpDestroyGraph(graph);
	rpLocomotion* locomotion = rpLibrary_LoadLocomotion(library, "locomotion", &error);
	assert_true(locomotion != NULL && locomotion->movementCount == 14);
	rpDestroyLocomotion(locomotion);
	rpCloseLibrary(library);
}

// Every kind that is built of clips and played: from clips to a player by the table alone.
static void testTable(void** state)
{
	(void)state;
	rpLibrary* library = rpOpenLibrary(copyLibrary("table.reprise"), rp_openWrite, NULL);
	const rpModelKindInfo* kind;
	int played = 0;
	for (int i = 0; (kind = rpGetModelKind(i)) != NULL; ++i)
	{
		rpError error = {0};
		assert_ptr_equal(rpFindModelKind(kind->name), kind);
		// Spaces and graphs of them are played, but clips alone make none: it takes examples.
		bool takesClips = kind->isPlayed && strcmp(kind->name, "space") != 0 && strcmp(kind->name, "pgraph") != 0;
		assert_true(rpLibrary_BuildModel(library, kind->name, kind->about, &error) == takesClips);
		if (!takesClips)
		{
			assert_int_equal(error.code, rp_errorArgument);
			continue;
		}
		rpModel* model = rpLibrary_OpenModel(library, kind->about, &error);
		assert_true(model != NULL && rpModel_GetKind(model) == kind);
		rpModelCount counts[RP_MAX_MODEL_COUNTS];
		int count = rpModel_GetCounts(model, counts);
		assert_true(count > 0 && count <= RP_MAX_MODEL_COUNTS && strcmp(counts[0].key, "clips") == 0);
		assert_int_equal(counts[0].count, 1);
		const char* path = testPath("table.rpb");
		assert_true(rpModel_SaveBundle(model, path, &error));
		size_t size;
		char* bytes = testReadFile(path, &size);
		assert_true(play(bytes, size).travelled > 1.0f);
		free(bytes);
		rpDestroyModel(model);
		++played;
	}
	assert_true(played >= 2 && rpGetModelKind(-1) == NULL && rpFindModelKind("nonsense") == NULL);
	rpCloseLibrary(library);
}

// A space, which takes examples: kept, opened by the table, and its bundle played as it is, packed and folded.
static void testSpace(void** state)
{
	(void)state;
	rpMotion* walks[testWalkCount];
	rpMatch matches[testWalkCount];
	rpError error = {0};
	rpLibrary* library = rpOpenLibrary(testPath("space.reprise"), rp_openCreate, NULL);
	testMakeWalks(walks, matches);
	for (int i = 0; i < testWalkCount; ++i)
	{
		rpMotion* walk = walks[i];
		assert_true(rpLibrary_AddClip(library, walk, NULL, NULL, NULL) != 0);
		// As the library has it.
		walks[i] = rpLibrary_LoadClip(library, rpLibrary_FindClip(library, walk->name, NULL), NULL);
		rpDestroyMotion(walk);
	}
	rpSpaceDef def = rpDefaultSpaceDef();
	def.features = "turn";
	rpSpace* space =
		rpBuildSpace((const rpMotion* const*)walks, testWalkCount, matches, testWalkCount, &def, NULL, NULL, &error);
	assert_true(space != NULL && rpLibrary_PutSpace(library, "strides", space, &error));
	testDestroyWalks(walks);
	rpModel* model = rpLibrary_OpenModel(library, "strides", &error);
	assert_true(model != NULL && strcmp(rpModel_GetKind(model)->name, "space") == 0);
	rpModelCount counts[RP_MAX_MODEL_COUNTS];
	assert_true(rpModel_GetCounts(model, counts) >= 2);
	assert_int_equal(counts[0].count, space->clipCount);
	assert_int_equal(counts[1].count, space->exampleCount);
	size_t size, packedSize, foldedSize;
	void *bytes = rpModel_WriteBundle(model, &size, &error), *own = rpWriteSpaceBundle(space, &foldedSize, &error);
	assert_true(size == foldedSize && memcmp(bytes, own, size) == 0);
	rpFreeBytes(own);
	rpBundle* bundle = rpCreateBundle(bytes, size, &error);
	void* packed = rpPackBundle(bundle, NULL, &packedSize, &error);
	assert_true(packed != NULL && 3 * packedSize < size);
	rpDestroyBundle(bundle);
	bundle = rpCreateBundle(packed, packedSize, &error);
	void* folded = rpFoldBundle(bundle, &foldedSize, &error);
	Played exact = play(bytes, size), small = play(packed, packedSize), again = play(folded, foldedSize);
	assert_true(exact.travelled > 10.0f && fabsf(exact.travelled - small.travelled) < 0.1f);
	assert_true(small.sum == again.sum && small.travelled == again.travelled);
	rpDestroyBundle(bundle);
	rpFreeBytes(folded);
	rpFreeBytes(packed);
	rpFreeBytes(bytes);
	rpDestroyModel(model);
	rpDestroySpace(space);
	rpCloseLibrary(library);
}

// Each byte of a small one changed, its checksum made to fit: it is refused, or numbers are shown.
static void testSpoiltSpace(void** state)
{
	(void)state;
	size_t size;
	rpSpace* space = tinyMakeSpace();
	assert_non_null(space);
	uint8_t* bytes = rpWriteSpaceBundle(space, &size, NULL);
	int played = 0, refused = 0;
	for (size_t i = 0; i < size; ++i)
	{
		rpError error = {0};
		// Frames are many and alike.
		i += i > 8000 ? 37 : 0;
		uint8_t* at = bytes + (i < size ? i : size - 1);
		*at ^= 0x41;
		fitBundle(bytes, size);
		rpBundle* bundle = rpCreateBundle(bytes, size, &error);
		rpPlayer* player = bundle != NULL ? rpCreatePlayer(bundle, NULL, &error) : NULL;
		rpQuat rotations[RP_MAX_JOINTS];
		rpPose pose = {.rotations = rotations};
		rpPlayerInput input = {.space = {true, {3e38f}}};
		for (int k = 0; k < 30 && player != NULL; ++k)
		{
			rpPlayer_Step(player, 0.1, &input, &pose, NULL);
			assert_true(isfinite(pose.rootPosition.x) && isfinite(rotations[0].w));
		}
		*(player != NULL ? &played : &refused) += 1;
		assert_true(player != NULL || error.message[0] != 0);
		rpDestroyPlayer(player);
		rpDestroyBundle(bundle);
		*at ^= 0x41;
	}
	print_message("%d played, %d refused\n", played, refused);
	assert_true(played > 100 && refused > 100);
	rpFreeBytes(bytes);
	rpDestroySpace(space);
}

// Models whose clips are gone are found; kinds that nobody knows are passed over.
static void testCheck(void** state)
{
	(void)state;
	const char* path = copyLibrary("check.reprise");
	rpFindings findings = {0};
	rpError error = {0};
	rpLibrary* library = rpOpenLibrary(path, rp_openWrite, NULL);
	assert_true(rpLibrary_PutModel(library, "later", "unheard-of", 1, "bytes", 5, &error));
	assert_null(rpLibrary_OpenModel(library, "later", &error));
	assert_int_equal(error.code, rp_errorVersion);
	assert_null(rpLibrary_OpenModel(library, "none", &error));
	assert_int_equal(error.code, rp_errorMissing);
	rpModelInfo* infos;
	int count = rpLibrary_ListModels(library, &infos, NULL);
	for (int i = 0; i < count; ++i)
	{
		if (strcmp(infos[i].kind, "minima") == 0)
		{
			rpModel* minima = rpLibrary_OpenModel(library, infos[i].name, NULL);
			assert_false(rpModel_SaveBundle(minima, testPath("minima.rpb"), &error));
			assert_int_equal(error.code, rp_errorArgument);
			rpDestroyModel(minima);
		}
	}
	rpFreeModelInfos(infos, count);
	assert_true(rpLibrary_PutModel(library, "broken", "metric", 1, "bytes", 5, &error));
	rpCloseLibrary(library);
	assert_true(rpCheckModels(path, &findings, &error));
	assert_int_equal(findings.count, 3);
	assert_non_null(strstr(rpFindings_Find(&findings, "model")->message, "\"broken\""));
	rpFindings_Free(&findings);

	library = rpOpenLibrary(path, rp_openWrite, NULL);
	assert_true(rpLibrary_RemoveClip(library, 1, &error));
	rpCloseLibrary(library);
	assert_true(rpCheckModels(path, &findings, &error));
	assert_int_equal(findings.count, 3);
	assert_null(rpFindings_Find(&findings, "old_model"));
	rpFindings_Free(&findings);
	assert_false(rpCheckModels(testPath("nowhere.reprise"), &findings, &error));
}

// ---- memory

static bool readModels(void* context, rpError* error)
{
	const rpBundle* const* bundles = context;
	rpGraphModel graph;
	rpGaitModel gaits = {0};
	bool done = rpGraphModel_Read(&graph, bundles[0], error) && rpGaitModel_Read(&gaits, bundles[1], error);
	rpGraphModel_Free(&graph);
	rpGaitModel_Free(&gaits);
	return done;
}

static bool saveModel(void* context, rpError* error)
{
	// A library keeps skeletons that were loaded until it is closed.
	rpLibrary* library = rpOpenLibrary(context, rp_openRead, error);
	rpModel* model = library != NULL ? rpLibrary_OpenModel(library, "locomotion", error) : NULL;
	bool done = model != NULL && rpModel_SaveBundle(model, testPath("memory.rpb"), error);
	rpDestroyModel(model);
	rpCloseLibrary(library);
	return done;
}

static void testMemory(void** state)
{
	(void)state;
	size_t graphSize, gaitSize;
	char *graph = readKept("bundle/graph-1", &graphSize), *gaits = readKept("bundle/locomotion-1", &gaitSize);
	rpBundle* bundles[] = {rpCreateBundle(graph, graphSize, NULL), rpCreateBundle(gaits, gaitSize, NULL)};
	testFailEach(readModels, bundles, 10);
	rpDestroyBundle(bundles[0]);
	rpDestroyBundle(bundles[1]);
	free(graph);
	free(gaits);
	char path[1024];
	snprintf(path, sizeof(path), "%s", copyLibrary("memory.reprise"));
	testFailEach(saveModel, path, 10);
}

int main(void)
{
	testUseCountingAllocator();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testKeptBundles), cmocka_unit_test(testKeptPacked), cmocka_unit_test(testStripped),
		cmocka_unit_test(testKeptLibrary), cmocka_unit_test(testTable),      cmocka_unit_test(testSpace),
		cmocka_unit_test(testSpoiltSpace), cmocka_unit_test(testCheck),      cmocka_unit_test(testMemory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
