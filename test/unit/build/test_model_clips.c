/// Models know their clips by what is in them: they follow them to other names, and take no other for them.
#include "base/memory.h"
#include "build/model_clips.h"
#include "play_scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
	clipCount = 3,
};

static const char* const s_names[clipCount] = {"straight", "left", "right"};

// Walks of one length, so that nothing but what is in them tells them apart.
static rpMotion* makeWalk(int index)
{
	static const float turns[] = {0.0f, 30.0f, -30.0f, 15.0f};
	rpMotion* motion = testPerformTurning(rp_actWalk, 5.0, turns[index], index + 1, s_names[index % clipCount]);
	assert_non_null(motion);
	rpMotion* cut = rpCropMotion(motion, 0.0, 4.5, NULL);
	assert_non_null(cut);
	rpDestroyMotion(motion);
	return cut;
}

// The library that all tests begin with.
static void makeBase(void)
{
	rpError error = {0};
	rpLibrary* library = rpOpenLibrary(testPath("base.reprise"), rp_openCreate, &error);
	for (int i = 0; i < clipCount; ++i)
	{
		rpMotion* motion = makeWalk(i);
		assert_int_equal(rpLibrary_AddClip(library, motion, NULL, NULL, &error), i + 1);
		rpDestroyMotion(motion);
	}
	rpGraphDef def = rpDefaultGraphDef();
	def.mirror = true;
	rpGraph* graph = rpBuildGraph(library, &def, NULL, &error);
	if (graph == NULL)
	{
		fail_msg("%s", error.message);
	}
	assert_int_equal(strlen(graph->clips[0].hash), 32);
	assert_string_equal(graph->clips[0].hash, graph->clips[clipCount].hash);
	assert_true(rpLibrary_PutGraph(library, "walks", graph, &error));
	rpDestroyGraph(graph);
	rpCloseLibrary(library);
}

// A copy of it, made once.
static rpLibrary* makeLibrary(const char* file)
{
	static char* bytes;
	static size_t size;
	if (bytes == NULL)
	{
		makeBase();
		bytes = testReadFile(testPath("base.reprise"), &size);
	}
	rpLibrary* library = rpOpenLibrary(testWriteFile(file, bytes, size), rp_openWrite, NULL);
	assert_non_null(library);
	return library;
}

static rpGraph* load(rpLibrary* library)
{
	rpError error = {0};
	rpGraph* graph = rpLibrary_LoadGraph(library, "walks", &error);
	if (graph == NULL)
	{
		fail_msg("%s", error.message);
	}
	return graph;
}

static rpMotion* walk(const rpGraph* graph)
{
	rpWalk* found = rpGraph_WalkAtRandom(graph, 6.0, 0, 3, NULL);
	rpMotion* motion = found != NULL ? rpWalk_MakeMotion(found, graph, 30.0, true, NULL) : NULL;
	assert_non_null(motion);
	rpDestroyWalk(found);
	return motion;
}

static void expectSameFrames(const rpMotion* a, const rpMotion* b)
{
	size_t count = (size_t)a->frameCount;
	assert_int_equal(a->frameCount, b->frameCount);
	assert_memory_equal(a->rootPositions, b->rootPositions, count * sizeof(rpVec3));
	assert_memory_equal(a->rotations, b->rotations, count * (size_t)a->skeleton->jointCount * sizeof(rpQuat));
}

static void expectFailure(rpLibrary* library, const char* model, const char* clip, const char* what)
{
	rpError error = {0};
	rpModel* opened = rpLibrary_OpenModel(library, model, &error);
	assert_null(opened);
	assert_int_equal(error.code, rp_errorMissing);
	if (strstr(error.message, clip) == NULL || strstr(error.message, what) == NULL ||
		strstr(error.hint, " build ") == NULL)
	{
		fail_msg("\"%s\" (%s) tells nothing of %s that %s", error.message, error.hint, clip, what);
	}
}

static void rename2(rpLibrary* library, const char* from, const char* to)
{
	rpClipId id = rpLibrary_FindClip(library, from, NULL);
	assert_true(id > 0 && rpLibrary_RenameClip(library, id, to, NULL));
}

static void testSwapped(void** state)
{
	(void)state;
	rpLibrary* library = makeLibrary("swapped.reprise");
	rpGraph* graph = load(library);
	rpMotion* before = walk(graph);
	rpDestroyGraph(graph);
	rename2(library, "left", "x");
	rename2(library, "straight", "left");
	rename2(library, "x", "straight");
	graph = load(library);
	assert_false(graph->isByName);
	assert_string_equal(graph->clips[0].name, "left");
	assert_string_equal(graph->clips[1].name, "straight");
	assert_string_equal(graph->clips[2].name, "right");
	assert_string_equal(graph->clips[clipCount].name, "left~");
	rpMotion* after = walk(graph);
	expectSameFrames(before, after);
	rpDestroyMotion(before);
	rpDestroyMotion(after);
	// Kept again it is as it was.
	assert_true(rpLibrary_PutGraph(library, "walks", graph, NULL));
	rpDestroyGraph(graph);
	rpDestroyGraph(load(library));
	rpCloseLibrary(library);
}

// Labels, and what else is no frame, skeleton or contact, are none of a model's business.
static void testLabelled(void** state)
{
	(void)state;
	rpLibrary* library = makeLibrary("labelled.reprise");
	assert_true(rpLibrary_AddLabel(library, 1, "tired", 0.0, -1.0, NULL));
	rename2(library, "right", "an other name");
	rpGraph* graph = load(library);
	assert_string_equal(graph->clips[2].name, "an other name");
	rpDestroyGraph(graph);
	rpCloseLibrary(library);
}

static void testChanged(void** state)
{
	(void)state;
	rpLibrary* library = makeLibrary("changed.reprise");
	assert_true(rpLibrary_RemoveClip(library, 2, NULL));
	expectFailure(library, "walks", "\"left\"", "no longer in the library");
	rpMotion *other = makeWalk(3), *own = makeWalk(1);
	rpAddDef def = rpDefaultAddDef();
	def.name = "left";
	assert_true(rpLibrary_AddClip(library, other, &def, NULL, NULL) > 0);
	expectFailure(library, "walks", "\"left\"", "has changed");
	rpFindings findings = {0};
	assert_true(rpCheckModels(testPath("changed.reprise"), &findings, NULL));
	assert_non_null(
		strstr(rpFindings_Find(&findings, "model")->message, "\"left\" of the graph \"walks\" has changed"));
	rpFindings_Free(&findings);
	// The same take under another name is the same clip.
	def.name = "back again";
	assert_true(rpLibrary_AddClip(library, own, &def, NULL, NULL) > 0);
	rpGraph* graph = load(library);
	assert_string_equal(graph->clips[1].name, "back again");
	rpDestroyGraph(graph);
	rpDestroyMotion(other);
	rpDestroyMotion(own);
	rpCloseLibrary(library);
}

// Contacts are part of what a model takes from a clip.
static void testContacts(void** state)
{
	(void)state;
	rpLibrary* library = makeLibrary("contacts.reprise");
	rpMotion* motion = rpLibrary_LoadClip(library, 3, NULL);
	rpInterval contact = {.track = rp_trackContact, .effector = rp_leftHand, .start = 1.0, .end = 2.0};
	assert_true(rpAnnotations_AddInterval(&motion->annotations, &contact, NULL));
	rpAddDef def = rpDefaultAddDef();
	def.name = "right";
	assert_true(rpLibrary_RemoveClip(library, 3, NULL) && rpLibrary_AddClip(library, motion, &def, NULL, NULL) == 4);
	expectFailure(library, "walks", "\"right\"", "has changed");
	rpDestroyMotion(motion);
	rpCloseLibrary(library);
}

// Two clips that differ by a label alone: each is found, under whatever name.
static void testTwins(void** state)
{
	(void)state;
	rpLibrary* library = rpOpenLibrary(testPath("twins.reprise"), rp_openCreate, NULL);
	rpMotion* motion = makeWalk(0);
	assert_int_equal(rpLibrary_AddClip(library, motion, NULL, NULL, NULL), 1);
	rpInterval label = {.track = rp_trackLabel, .name = "twin", .end = 1.0};
	assert_true(rpAnnotations_AddInterval(&motion->annotations, &label, NULL) &&
				rpMotion_SetName(motion, "twin", NULL));
	assert_int_equal(rpLibrary_AddClip(library, motion, NULL, NULL, NULL), 2);
	rpDestroyMotion(motion);
	rpGraph* graph = rpBuildGraph(library, NULL, NULL, NULL);
	assert_true(graph != NULL && rpLibrary_PutGraph(library, "walks", graph, NULL));
	assert_string_equal(graph->clips[0].hash, graph->clips[1].hash);
	rpDestroyGraph(graph);
	rename2(library, "straight", "a");
	graph = load(library);
	assert_string_equal(graph->clips[0].name, "a");
	assert_string_equal(graph->clips[1].name, "twin");
	rpDestroyGraph(graph);
	rename2(library, "twin", "b");
	graph = load(library);
	assert_true(strcmp(graph->clips[0].name, graph->clips[1].name) != 0);
	rpDestroyGraph(graph);
	assert_true(rpLibrary_RemoveClip(library, 2, NULL));
	rpError error = {0};
	assert_null(rpLibrary_LoadGraph(library, "walks", &error));
	rpCloseLibrary(library);
}

// ---- models from before

// The model without what it knows of its clips.
static void forgetHashes(rpLibrary* library, const char* name, const char* kind)
{
	size_t size;
	void* bytes = rpLibrary_LoadModel(library, name, kind, NULL, &size, NULL);
	rpBundle* bundle = rpCreateBundle(bytes, size, NULL);
	rpBundleWriter writer = {0};
	assert_true(rpBundle_HasChunk(bundle, "CHSH") && rpBundleWriter_AddAllBut(&writer, bundle, "CHSH", NULL));
	void* out = rpBundleWriter_Finish(&writer, &size, NULL);
	assert_true(rpLibrary_PutModel(library, name, kind, 1, out, size, NULL));
	rpFreeBytes(out);
	rpBundleWriter_Free(&writer);
	rpDestroyBundle(bundle);
	rpFreeBytes(bytes);
}

static void testByName(void** state)
{
	(void)state;
	rpLibrary* library = makeLibrary("before.reprise");
	forgetHashes(library, "walks", "graph");
	rpGraph* graph = load(library);
	assert_true(graph->isByName && graph->clips[0].hash[0] == 0);
	rpModel* model = rpLibrary_OpenModel(library, "walks", NULL);
	assert_true(rpModel_IsByName(model));
	rpDestroyModel(model);
	// Kept again it knows no more than before: nobody has seen what it was built from.
	assert_true(rpLibrary_PutGraph(library, "walks", graph, NULL));
	rpDestroyGraph(graph);
	graph = load(library);
	assert_true(graph->isByName);
	rpDestroyGraph(graph);
	// Places tell clips of one length apart.
	rename2(library, "left", "x");
	rename2(library, "right", "left");
	rename2(library, "x", "right");
	expectFailure(library, "walks", "\"left\"", "has changed");
	rename2(library, "left", "gone");
	expectFailure(library, "walks", "\"left\"", "no longer in the library");
	rpCloseLibrary(library);
}

// A clip that is called by a number is not the one that has it.
static void testNumber(void** state)
{
	(void)state;
	rpLibrary* library = makeLibrary("number.reprise");
	rename2(library, "straight", "3");
	assert_true(rpLibrary_BuildModel(library, "graph", "numbered", NULL));
	forgetHashes(library, "numbered", "graph");
	rename2(library, "3", "straight");
	expectFailure(library, "numbered", "\"3\"", "no longer in the library");
	rpCloseLibrary(library);
}

// A graph of motions from elsewhere is bound to the clips of their names when it is put.
static void testBound(void** state)
{
	(void)state;
	rpLibrary* library = makeLibrary("bound.reprise");
	rpMotion* motions[clipCount];
	for (int i = 0; i < clipCount; ++i)
	{
		motions[i] = makeWalk(i);
	}
	rpGraph* graph = rpBuildGraphOf((const rpMotion* const*)motions, clipCount, NULL, NULL, NULL);
	assert_true(graph != NULL && graph->clips[0].hash[0] == 0 && rpLibrary_PutGraph(library, "walks", graph, NULL));
	rpDestroyGraph(graph);
	rename2(library, "left", "elsewhere");
	graph = load(library);
	assert_string_equal(graph->clips[1].name, "elsewhere");
	rpDestroyGraph(graph);
	for (int i = 0; i < clipCount; ++i)
	{
		rpDestroyMotion(motions[i]);
	}
	rpCloseLibrary(library);
}

static void testHashDamage(void** state)
{
	(void)state;
	rpLibrary* library = makeLibrary("hashes.reprise");
	size_t size;
	void* bytes = rpLibrary_LoadModel(library, "walks", "graph", NULL, &size, NULL);
	rpBundle* bundle = rpCreateBundle(bytes, size, NULL);
	char hashes[2 * clipCount][32];
	memset(hashes, 'X', sizeof(hashes));
	for (int count = 2 * clipCount - 1; count <= 2 * clipCount; ++count)
	{
		rpBundleWriter writer = {0};
		rpError error = {0};
		assert_true(rpBundleWriter_AddAllBut(&writer, bundle, "CHSH", NULL) &&
					rpBundleWriter_Add(&writer, "CHSH", hashes, count, 32, NULL));
		void* out = rpBundleWriter_Finish(&writer, &size, NULL);
		assert_true(rpLibrary_PutModel(library, "walks", "graph", 1, out, size, NULL));
		assert_null(rpLibrary_LoadGraph(library, "walks", &error));
		assert_int_equal(error.code, rp_errorFormat);
		rpFreeBytes(out);
		rpBundleWriter_Free(&writer);
	}
	rpDestroyBundle(bundle);
	rpFreeBytes(bytes);
	rpCloseLibrary(library);
}

// ---- locomotion

static void testLocomotion(void** state)
{
	(void)state;
	const char* source = getenv("REPRISE_SOURCE");
	char path[1024];
	size_t size;
	if (source == NULL)
	{
		skip();
	}
	snprintf(path, sizeof(path), "%s/test/keep/library/models-1", source);
	char* bytes = testReadFile(path, &size);
	rpLibrary* library = rpOpenLibrary(testWriteFile("gaits.reprise", bytes, size), rp_openWrite, NULL);
	free(bytes);
	rpLocomotionDef def = rpDefaultLocomotionDef();
	def.mirror = true;
	rpLocomotion* model = rpBuildLocomotion(library, &def, NULL, NULL);
	assert_true(model != NULL && rpLibrary_PutLocomotion(library, "new", model, NULL));
	rpDestroyLocomotion(model);
	assert_true(rpLibrary_RenameClip(library, 1, "other", NULL));
	model = rpLibrary_LoadLocomotion(library, "new", NULL);
	assert_true(model != NULL && !model->isByName && model->takeCount == 2);
	assert_string_equal(model->takes[0]->name, "other");
	assert_string_equal(model->takes[1]->name, "other~");
	rpDestroyLocomotion(model);
	// The one from before goes by the name.
	expectFailure(library, "locomotion", "\"take\"", "no longer in the library");
	assert_true(rpLibrary_RenameClip(library, 1, "take", NULL));
	model = rpLibrary_LoadLocomotion(library, "locomotion", NULL);
	assert_true(model != NULL && model->isByName && model->hashes == NULL);
	rpDestroyLocomotion(model);
	rpMotion* take = rpLibrary_LoadClip(library, 1, NULL);
	take->rootPositions[7].x += 0.5f;
	assert_true(rpLibrary_RemoveClip(library, 1, NULL) && rpLibrary_AddClip(library, take, NULL, NULL, NULL) > 0);
	expectFailure(library, "new", "\"take\"", "has changed");
	rpDestroyMotion(take);
	rpCloseLibrary(library);
}

// ---- memory

static bool openRenamed(void* context, rpError* error)
{
	rpLibrary* library = rpOpenLibrary(context, rp_openWrite, error);
	rpGraph* graph = library != NULL ? rpLibrary_LoadGraph(library, "walks", error) : NULL;
	bool done = graph != NULL && rpLibrary_PutGraph(library, "walks", graph, error);
	rpDestroyGraph(graph);
	rpCloseLibrary(library);
	return done;
}

static void testMemory(void** state)
{
	(void)state;
	rpLibrary* library = makeLibrary("memory.reprise");
	rename2(library, "left", "elsewhere");
	rpCloseLibrary(library);
	char path[1024];
	snprintf(path, sizeof(path), "%s", testPath("memory.reprise"));
	testFailEach(openRenamed, path, 50);
}

int main(void)
{
	testUseCountingAllocator();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testSwapped),    cmocka_unit_test(testLabelled), cmocka_unit_test(testChanged),
		cmocka_unit_test(testContacts),   cmocka_unit_test(testTwins),    cmocka_unit_test(testByName),
		cmocka_unit_test(testNumber),     cmocka_unit_test(testBound),    cmocka_unit_test(testHashDamage),
		cmocka_unit_test(testLocomotion), cmocka_unit_test(testMemory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
