/// Models are input too: whatever stands in one that makes no sense is found when it is loaded, from a library or a
/// bundle, and by the check of a library; and none takes more memory than its file's size times a factor.
#include "base/memory.h"
#include "model/clip_chunks.h"
#include "support.h"
#include "tiny_motion.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// The most memory that loading a model takes, in sizes of the file it is in (docs/library-guide.md).
#define MEMORY_FACTOR 32

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

/// One number of a chunk replaced.
typedef struct Change
{
	const char* type;
	size_t recordSize;
	int record;
	size_t offset;

	/// 'f' a float, 'd' a double, 'i' an int32_t, 'b' a byte, 'h' a uint16_t.
	char kind;
	double value;
} Change;

static size_t putNumber(char* at, char kind, double value)
{
	switch (kind)
	{
	case 'f':
		memcpy(at, &(float){(float)value}, 4);
		return 4;
	case 'd':
		memcpy(at, &value, 8);
		return 8;
	case 'i':
		memcpy(at, &(int32_t){(int32_t)value}, 4);
		return 4;
	case 'h':
		memcpy(at, &(uint16_t){(uint16_t)value}, 2);
		return 2;
	default:
		*at = (char)(int)value;
		return 1;
	}
}

// The bundle with another chunk in place of one of its own.
static void* replaceChunk(const void* bytes, size_t size, const char* type, const void* records, int count,
						  size_t recordSize, size_t* newSize)
{
	rpBundle* bundle = rpCreateBundle(bytes, size, NULL);
	rpBundleWriter writer = {0};
	assert_non_null(bundle);
	assert_true(rpBundleWriter_AddAllBut(&writer, bundle, type, NULL) &&
				rpBundleWriter_Add(&writer, type, records, count, recordSize, NULL));
	void* out = rpBundleWriter_Finish(&writer, newSize, NULL);
	assert_non_null(out);
	rpBundleWriter_Free(&writer);
	rpDestroyBundle(bundle);
	return out;
}

static void* change(const void* bytes, size_t size, const Change* change, size_t* newSize)
{
	rpBundle* bundle = rpCreateBundle(bytes, size, NULL);
	int count;
	const char* records = rpBundle_GetChunk(bundle, change->type, change->recordSize, &count, NULL);
	assert_true(records != NULL && change->record < count);
	char* copy = malloc((size_t)count * change->recordSize);
	memcpy(copy, records, (size_t)count * change->recordSize);
	putNumber(copy + (size_t)change->record * change->recordSize + change->offset, change->kind, change->value);
	void* out = replaceChunk(bytes, size, change->type, copy, count, change->recordSize, newSize);
	free(copy);
	rpDestroyBundle(bundle);
	return out;
}

static const Change s_graphChanges[] = {
	// Header: rate, reach, labels, clips.
	{"GHDR", 24, 0, 0, 'd', NAN},
	{"GHDR", 24, 0, 0, 'd', 1e-30},
	{"GHDR", 24, 0, 0, 'd', 1e9},
	{"GHDR", 24, 0, 8, 'i', -1},
	{"GHDR", 24, 0, 12, 'i', 65},
	{"GHDR", 24, 0, 16, 'i', 0},
	// Names: not UTF-8.
	{"GTXT", 1, 0, 0, 'b', 0xff},
	// Clips: frames, first state, mirrored though its name is none of a mirror image, neither mirrored nor not.
	{"GCLP", 16, 0, 0, 'i', 0},
	{"GCLP", 16, 0, 4, 'i', 1},
	{"GCLP", 16, 0, 8, 'i', 1},
	{"GCLP", 16, 0, 8, 'i', 2},
	// States of effectors that there are none of.
	{"GCON", 2, 3, 0, 'h', 0x8000},
	// Nodes: out of order.
	{"GNOD", 16, 1, 4, 'i', 0},
	{"GNOD", 16, 0, 0, 'i', -1},
	// Edges: labels, alignment, distance, middles, where their path is.
	{"GEDG", 56, 0, 20, 'i', 0x40000000},
	{"GEDG", 56, 0, 8, 'i', 0},
	{"GEDG", 56, 0, 40, 'f', -2.0},
	{"GEDG", 56, 0, 40, 'f', NAN},
	{"GEDG", 56, 0, 52, 'i', 1},
	// Paths: a root that is nowhere, another place than lengths tell of; lengths below 0, and that shrink.
	{"GPTH", 8, 2, 0, 'f', 1e24},
	{"GPTH", 8, 2, 4, 'f', NAN},
	{"GPTH", 8, 2, 4, 'f', 50.0},
	{"GLEN", 4, 0, 0, 'f', -1.0},
	{"GLEN", 4, 1, 0, 'f', -0.5},
	{"GLEN", 4, 2, 0, 'f', 1e30},
};

// Numbers of transitions alone, of the first there is.
static const Change s_transitionChanges[] = {
	{"GEDG", 56, -1, 24, 'f', 1e5},  {"GEDG", 56, -1, 28, 'f', 1e24}, {"GEDG", 56, -1, 40, 'f', INFINITY},
	{"GEDG", 56, -1, 40, 'f', 1e20}, {"GEDG", 56, -1, 44, 'i', 0},    {"GEDG", 56, -1, 48, 'i', 1},
};

static const Change s_locomotionChanges[] = {
	{"LHDR", 80, 0, 0, 'i', 0},         {"LHDR", 80, 0, 0, 'i', 3},    {"LHDR", 80, 0, 4, 'i', -1},
	{"LHDR", 80, 0, 16, 'f', 1e24},     {"LHDR", 80, 0, 32, 'f', 7.0}, {"LHDR", 80, 0, 28, 'i', -1},
	{"LTAK", 16, 0, 0, 'd', 1e-9},      {"LTAK", 16, 0, 8, 'i', 1},    {"LTAK", 16, 0, 12, 'i', 1},
	{"LTXT", 1, 0, 0, 'b', 0},          {"LTXT", 1, 0, 0, 'b', 0xff},  {"LMOV", 72, 0, 0, 'd', -1.0},
	{"LMOV", 72, 0, 0, 'd', NAN},       {"LMOV", 72, 0, 8, 'd', 1e9},  {"LMOV", 72, 0, 48, 'f', 1e24},
	{"LMOV", 72, 0, 52, 'f', INFINITY}, {"LMOV", 72, 0, 60, 'i', 99},  {"LMOV", 72, 0, 64, 'i', -1},
	{"LMOV", 72, 0, 68, 'i', 2},        {"LNOD", 4, 0, 0, 'i', -1},
};

// What only bundles hold.
static const Change s_clipChanges[] = {
	{"CLIP", 32, 0, 0, 'd', 1e-9}, {"CLIP", 32, 0, 0, 'd', NAN},  {"CLIP", 32, 0, 16, 'i', 0},
	{"CLIP", 32, 0, 16, 'i', 1},   {"CLIP", 32, 0, 24, 'i', 1},   {"CLIP", 32, 0, 28, 'i', -1},
	{"ROWS", 4, 0, 0, 'f', 1e24},  {"ROOT", 12, 5, 0, 'f', 1e24}, {"ROOT", 12, 5, 4, 'f', NAN},
	{"CONT", 16, 0, 0, 'f', -7.0}, {"CONT", 16, 0, 4, 'f', 1e24}, {"CONT", 16, 0, 8, 'f', 1e24},
	{"CONT", 16, 0, 12, 'i', 99},
};

static int findTransition(const void* bytes, size_t size)
{
	rpBundle* bundle = rpCreateBundle(bytes, size, NULL);
	int count, found = -1;
	const rpGraphEdge* edges = rpBundle_GetChunk(bundle, "GEDG", sizeof(rpGraphEdge), &count, NULL);
	for (int i = 0; i < count && found < 0; ++i)
	{
		found = rpGraphEdge_IsTransition(&edges[i]) ? i : -1;
	}
	rpDestroyBundle(bundle);
	assert_true(found >= 0);
	return found;
}

/// A library with a model to be changed.
typedef struct Bench
{
	char path[1024];
	const char* kind;
	const char* name;
	char* bytes;
	size_t size;
} Bench;

static void openBench(Bench* bench, const char* file, const char* kind, const char* name)
{
	size_t size;
	char* library = readKept("library/models-1", &size);
	snprintf(bench->path, sizeof(bench->path), "%s", testWriteFile(file, library, size));
	free(library);
	bench->kind = kind;
	bench->name = name;
	rpLibrary* opened = rpOpenLibrary(bench->path, rp_openRead, NULL);
	bench->bytes = rpLibrary_LoadModel(opened, name, kind, NULL, &bench->size, NULL);
	rpCloseLibrary(opened);
	assert_non_null(bench->bytes);
}

// The model is refused as damaged, and the check of the library says so.
static void expectRefused(const Bench* bench, const void* bytes, size_t size, const char* what)
{
	rpError error = {0};
	rpFindings findings = {0};
	rpLibrary* library = rpOpenLibrary(bench->path, rp_openWrite, NULL);
	assert_true(rpLibrary_PutModel(library, bench->name, bench->kind, 1, bytes, size, NULL));
	rpModel* model = rpLibrary_OpenModel(library, bench->name, &error);
	rpCloseLibrary(library);
	if (model != NULL || error.code != rp_errorFormat || error.hint[0] == 0)
	{
		fail_msg("%s: code %d \"%s\"", what, error.code, error.message);
	}
	assert_non_null(strstr(error.message, bench->name));
	assert_true(rpCheckModels(bench->path, &findings, &error));
	assert_non_null(rpFindings_Find(&findings, "model"));
	rpFindings_Free(&findings);
}

static void expectAllRefused(const Bench* bench, const Change* changes, size_t count)
{
	for (size_t i = 0; i < count; ++i)
	{
		Change each = changes[i];
		char what[100];
		size_t size;
		each.record = each.record < 0 ? findTransition(bench->bytes, bench->size) : each.record;
		void* bytes = change(bench->bytes, bench->size, &each, &size);
		snprintf(what, sizeof(what), "change %zu: %s record %d at %zu = %g", i, each.type, each.record, each.offset,
				 each.value);
		expectRefused(bench, bytes, size, what);
		rpFreeBytes(bytes);
	}
}

#define COUNT(list) (sizeof(list) / sizeof(list[0]))

static void testGraphs(void** state)
{
	(void)state;
	Bench bench;
	openBench(&bench, "graphs.reprise", "graph", "graph");
	expectAllRefused(&bench, s_graphChanges, COUNT(s_graphChanges));
	expectAllRefused(&bench, s_transitionChanges, COUNT(s_transitionChanges));
	rpFreeBytes(bench.bytes);
}

static void testLocomotion(void** state)
{
	(void)state;
	Bench bench;
	openBench(&bench, "gaits.reprise", "locomotion", "locomotion");
	expectAllRefused(&bench, s_locomotionChanges, COUNT(s_locomotionChanges));
	rpFreeBytes(bench.bytes);
}

// An empty name, that of a mirror image: this wrote before its buffer.
static void testEmptyName(void** state)
{
	(void)state;
	Bench bench;
	openBench(&bench, "empty.reprise", "graph", "graph");
	rpBundle* bundle = rpCreateBundle(bench.bytes, bench.size, NULL);
	int labelSize = 0, size, count;
	const char* names = rpBundle_GetChunk(bundle, "GTXT", 1, &size, NULL);
	const int* clips = rpBundle_GetChunk(bundle, "GCLP", 16, &count, NULL);
	const int* header = rpBundle_GetChunk(bundle, "GHDR", 24, &(int){0}, NULL);
	for (int i = 0; i < header[3]; ++i)
	{
		labelSize += (int)strlen(names + labelSize) + 1;
	}
	char texts[1000];
	int mirrored[4] = {clips[0], clips[1], 1, 0};
	assert_true(labelSize < 900 && count == 1);
	memcpy(texts, names, (size_t)labelSize);
	texts[labelSize] = 0;
	size_t middleSize, newSize;
	void* middle = replaceChunk(bench.bytes, bench.size, "GTXT", texts, labelSize + 1, 1, &middleSize);
	void* bytes = replaceChunk(middle, middleSize, "GCLP", mirrored, 1, 16, &newSize);
	expectRefused(&bench, bytes, newSize, "an empty name");
	rpFreeBytes(bytes);
	rpFreeBytes(middle);
	rpDestroyBundle(bundle);
	rpFreeBytes(bench.bytes);
}

// ---- bundles

static void expectNoPlayer(const void* bytes, size_t size, const char* what)
{
	rpError error = {0};
	rpBundle* bundle = rpCreateBundle(bytes, size, &error);
	rpPlayer* player = bundle != NULL ? rpCreatePlayer(bundle, NULL, &error) : NULL;
	if (player != NULL || error.code != rp_errorFormat)
	{
		fail_msg("%s: code %d \"%s\"", what, error.code, error.message);
	}
	rpDestroyBundle(bundle);
}

static void expectNone(const char* file, const Change* changes, size_t count)
{
	size_t size, newSize;
	char* bytes = readKept(file, &size);
	for (size_t i = 0; i < count; ++i)
	{
		Change each = changes[i];
		char what[100];
		each.record = each.record < 0 ? findTransition(bytes, size) : each.record;
		void* changed = change(bytes, size, &each, &newSize);
		snprintf(what, sizeof(what), "%s, change %zu: %s at %zu = %g", file, i, each.type, each.offset, each.value);
		expectNoPlayer(changed, newSize, what);
		rpFreeBytes(changed);
	}
	free(bytes);
}

static void testBundles(void** state)
{
	(void)state;
	expectNone("bundle/graph-1", s_graphChanges, COUNT(s_graphChanges));
	expectNone("bundle/graph-1", s_transitionChanges, COUNT(s_transitionChanges));
	expectNone("bundle/graph-1", s_clipChanges, COUNT(s_clipChanges));
	expectNone("bundle/locomotion-1", s_locomotionChanges, COUNT(s_locomotionChanges));
	expectNone("bundle/locomotion-1", s_clipChanges, COUNT(s_clipChanges));
	// How the ground frame moves, and what rests.
	static const Change gaits[] = {{"LPTH", 12, 3, 0, 'f', 1e24},
								   {"LPTH", 12, 3, 8, 'f', NAN},
								   {"LCON", 2, 3, 0, 'h', 0x8000},
								   {"ROOT", 12, 3, 0, 'f', 101.0}};
	expectNone("bundle/locomotion-1", gaits, COUNT(gaits));
}

// A kept bundle packed.
static void* packKept(const char* name, size_t* size)
{
	size_t exactSize;
	char* exact = readKept(name, &exactSize);
	rpBundle* bundle = rpCreateBundle(exact, exactSize, NULL);
	void* bytes = rpPackBundle(bundle, NULL, size, NULL);
	assert_non_null(bytes);
	rpDestroyBundle(bundle);
	free(exact);
	return bytes;
}

// Of the first block's head and its first joint, its steps, and where clips are.
static void testPackedBundles(void** state)
{
	(void)state;
	static const Change changes[] = {
		{"PBLK", 0, 0, 0, 'i', 0},     {"PBLK", 0, 0, 0, 'i', 1e9},  {"PBLK", 0, 0, 4, 'f', NAN},
		{"PBLK", 0, 0, 8, 'f', 1e6},   {"PBLK", 0, 0, 16, 'b', 25},  {"PBLK", 0, 0, 19, 'b', 1},
		{"PBLK", 0, 0, 20, 'i', -1e7}, {"PBLK", 0, 0, 24, 'i', 8e6}, {"PBLK", 0, 0, 32, 'b', 30},
		{"PBLK", 0, 0, 35, 'b', 8},    {"PSTP", 4, 0, 0, 'f', NAN},  {"PSTP", 4, 0, 0, 'f', 0.0},
		{"PSTP", 4, 1, 0, 'f', -1e-5}, {"PSTP", 4, 1, 0, 'f', 0.5},  {"CLIP", 32, 0, 8, 'i', 1},
		{"CLIP", 32, 0, 16, 'i', 1e9}, {"CLIP", 32, 0, 16, 'i', 1},  {"CLIP", 32, 0, 20, 'i', 1},
	};
	static const char* const files[] = {"bundle/graph-1", "bundle/locomotion-1"};
	for (int k = 0; k < 2; ++k)
	{
		size_t size, newSize;
		void* bytes = packKept(files[k], &size);
		rpBundle* bundle = rpCreateBundle(bytes, size, NULL);
		rpPlayer* player = rpCreatePlayer(bundle, NULL, NULL);
		assert_non_null(player);
		size_t blockSize = rpGetPackedBlockSize(rpPlayer_GetSkeleton(player)->jointCount);
		rpDestroyPlayer(player);
		rpDestroyBundle(bundle);
		for (size_t i = 0; i < COUNT(changes); ++i)
		{
			Change each = changes[i];
			char what[100];
			each.recordSize = each.recordSize > 0 ? each.recordSize : blockSize;
			void* changed = change(bytes, size, &each, &newSize);
			snprintf(what, sizeof(what), "%s, packed, change %zu: %s", files[k], i, each.type);
			expectNoPlayer(changed, newSize, what);
			rpFreeBytes(changed);
		}
		rpFreeBytes(bytes);
	}
}

// Clips that share their frames, or what rests in them.
static void testSharedFrames(void** state)
{
	(void)state;
	static const size_t offsets[] = {8, 20, 24};
	size_t size, newSize;
	rpMotion* motion = tinyMakeMotion("tiny", 10, 0.2, (TinyPace){.step = 0.1f});
	const rpMotion* motions[] = {motion, motion};
	rpBundleWriter writer = {0};
	assert_true(rpWriteClipChunks(&writer, motions, 2, rpCreateClip, NULL));
	void* bytes = rpBundleWriter_Finish(&writer, &size, NULL);
	for (int i = -1; i < 3; ++i)
	{
		rpClipSet set;
		Change shared = {"CLIP", 32, 1, i >= 0 ? offsets[i] : 28, 'i', i >= 0 ? 0 : 1};
		void* changed = change(bytes, size, &shared, &newSize);
		rpBundle* bundle = rpCreateBundle(changed, newSize, NULL);
		assert_true(rpClipSet_Read(&set, bundle, NULL) == (i < 0));
		rpClipSet_Free(&set);
		rpDestroyBundle(bundle);
		rpFreeBytes(changed);
	}
	rpFreeBytes(bytes);
	rpBundleWriter_Free(&writer);
	rpDestroyMotion(motion);
}

// A graph that is longer than the clips beside it.
static void testLongGraph(void** state)
{
	(void)state;
	size_t size, newSize;
	char* bytes = readKept("bundle/graph-1", &size);
	static const Change slow = {"CLIP", 32, 0, 0, 'd', 500.0};
	void* changed = change(bytes, size, &slow, &newSize);
	expectNoPlayer(changed, newSize, "clips that are over before the graph is");
	rpFreeBytes(changed);
	free(bytes);
}

// ---- other kinds

static void testMetrics(void** state)
{
	(void)state;
	static const Change changes[] = {
		{"FITM", 56, 0, 0, 'd', 0.0},         {"FITM", 56, 0, 0, 'd', NAN},     {"FITM", 56, 0, 8, 'd', -1.0},
		{"FITM", 56, 0, 8, 'd', 1e30},        {"FITM", 56, 0, 16, 'd', NAN},    {"FITM", 56, 0, 24, 'd', INFINITY},
		{"FITM", 56, 0, 40, 'i', -1},         {"FITM", 56, 0, 48, 'i', 100},    {"FITT", 212, 0, 0, 'b', 0},
		{"FITT", 212, 0, 192, 'i', 77},       {"FITT", 212, 0, 196, 'i', 9999}, {"FITT", 212, 0, 204, 'i', 8},
		{"FITT", 212, 0, 208, 'f', INFINITY}, {"FITT", 212, 0, 208, 'f', 1e30}, {"FITT", 212, 0, 208, 'f', -1.0},
	};
	Bench bench;
	openBench(&bench, "metrics.reprise", "graph", "graph");
	rpFreeBytes(bench.bytes);
	bench.kind = bench.name = "metric";
	rpMetricTerm term = {.name = "knees", .kind = rp_fittedJoint, .weight = 2.0f};
	rpMetricFit fit = {.terms = &term, .termCount = 1, .fps = 30.0, .goodCount = 3, .badCount = 4};
	rpLibrary* library = rpOpenLibrary(bench.path, rp_openWrite, NULL);
	assert_true(rpLibrary_PutMetric(library, "metric", &fit, NULL));
	bench.bytes = rpLibrary_LoadModel(library, "metric", "metric", NULL, &bench.size, NULL);
	rpCloseLibrary(library);
	expectAllRefused(&bench, changes, COUNT(changes));
	rpFreeBytes(bench.bytes);
}

static void findMinima(Bench* bench, char name[100])
{
	openBench(bench, "minima.reprise", "graph", "graph");
	rpFreeBytes(bench->bytes);
	rpLibrary* library = rpOpenLibrary(bench->path, rp_openWrite, NULL);
	assert_true(rpLibrary_BuildModel(library, "graph", "other", NULL));
	rpModelInfo* infos;
	int count = rpLibrary_ListModels(library, &infos, NULL);
	for (int i = 0; i < count; ++i)
	{
		if (strcmp(infos[i].kind, "minima") == 0)
		{
			snprintf(name, 100, "%s", infos[i].name);
		}
	}
	rpFreeModelInfos(infos, count);
	bench->kind = "minima";
	bench->name = name;
	bench->bytes = rpLibrary_LoadModel(library, name, "minima", NULL, &bench->size, NULL);
	assert_non_null(bench->bytes);
	rpCloseLibrary(library);
}

static void testMinima(void** state)
{
	(void)state;
	static const Change changes[] = {
		{"MPAI", 76, 0, 3, 'b', 'x'},   {"MPAI", 76, 0, 33, 'b', 'a'},  {"MPAI", 76, 0, 68, 'i', 1},
		{"MPAI", 76, 0, 72, 'i', -1},   {"MPAI", 76, 0, 72, 'i', 1},    {"MMIN", 28, 0, 0, 'i', -1},
		{"MMIN", 28, 0, 4, 'i', 2e9},   {"MMIN", 28, 0, 8, 'f', NAN},   {"MMIN", 28, 0, 8, 'f', -1.0},
		{"MMIN", 28, 0, 16, 'f', 1e24}, {"MMIN", 28, 0, 12, 'f', 1e24},
	};
	Bench bench;
	char name[100];
	findMinima(&bench, name);
	expectAllRefused(&bench, changes, COUNT(changes));
	rpFreeBytes(bench.bytes);
}

// ---- clips

// A contact and a label that are nowhere near their clip are nobody's.
static void testFarContacts(void** state)
{
	(void)state;
	Bench bench;
	openBench(&bench, "far.reprise", "graph", "graph");
	rpFreeBytes(bench.bytes);
	rpLibrary* library = rpOpenLibrary(bench.path, rp_openWrite, NULL);
	rpMotion* motion = rpLibrary_LoadClip(library, 1, NULL);
	rpInterval contact = {.track = rp_trackContact, .effector = rp_leftHeel, .start = 1e300, .end = 1e301};
	rpInterval label = {.track = rp_trackLabel, .name = "never", .start = 1e300, .end = 1e301};
	rpInterval before = {.track = rp_trackContact, .effector = rp_leftHeel, .start = -1e301, .end = -1e300};
	assert_true(rpAnnotations_AddInterval(&motion->annotations, &contact, NULL) &&
				rpAnnotations_AddInterval(&motion->annotations, &label, NULL) &&
				rpAnnotations_AddInterval(&motion->annotations, &before, NULL));
	assert_true(rpLibrary_RemoveClip(library, 1, NULL) && rpLibrary_AddClip(library, motion, NULL, NULL, NULL) > 0);
	static const char* const kinds[] = {"graph", "locomotion"};
	for (int i = 0; i < 2; ++i)
	{
		rpError error = {0};
		size_t size;
		const char* path = testPath("far.rpb");
		assert_true(rpLibrary_BuildModel(library, kinds[i], kinds[i], &error));
		rpModel* model = rpLibrary_OpenModel(library, kinds[i], &error);
		assert_true(model != NULL && rpModel_SaveBundle(model, path, &error));
		rpDestroyModel(model);
		char* bytes = testReadFile(path, &size);
		rpBundle* bundle = rpCreateBundle(bytes, size, &error);
		rpPlayer* player = rpCreatePlayer(bundle, NULL, &error);
		assert_non_null(player);
		rpDestroyPlayer(player);
		rpDestroyBundle(bundle);
		free(bytes);
	}
	rpDestroyMotion(motion);
	rpCloseLibrary(library);
}

// A root that is nowhere near is refused when it is added.
static void testFarRoot(void** state)
{
	(void)state;
	Bench bench;
	openBench(&bench, "root.reprise", "graph", "graph");
	rpFreeBytes(bench.bytes);
	rpLibrary* library = rpOpenLibrary(bench.path, rp_openWrite, NULL);
	rpMotion* motion = rpLibrary_LoadClip(library, 1, NULL);
	rpError error = {0};
	motion->rootPositions[4].z = 1e24f;
	assert_true(rpLibrary_AddClip(library, motion, NULL, NULL, &error) == 0);
	assert_true(error.code == rp_errorFormat && strstr(error.message, "frame 4: the root is at") != NULL);
	motion->rootPositions[4].z = 9e4f;
	assert_true(rpLibrary_AddClip(library, motion, NULL, NULL, &error) > 0);
	rpDestroyMotion(motion);
	rpCloseLibrary(library);
}

// ---- bombs

static size_t getFileSize(const char* path)
{
	size_t size;
	free(testReadFile(path, &size));
	return size;
}

// Refused, and no more taken on the way than the file allows.
static void expectDefused(const Bench* bench, const void* bytes, size_t size, const char* what)
{
	rpError error = {0};
	rpLibrary* library = rpOpenLibrary(bench->path, rp_openWrite, NULL);
	assert_true(rpLibrary_PutModel(library, bench->name, bench->kind, 1, bytes, size, NULL));
	testStartPeak();
	rpModel* model = rpLibrary_OpenModel(library, bench->name, &error);
	size_t peak = testGetPeak(), fileSize = getFileSize(bench->path);
	rpCloseLibrary(library);
	print_message("%s: %.2f MB take %.2f MB\n", what, 1e-6 * (double)fileSize, 1e-6 * (double)peak);
	assert_true(model == NULL && error.code == rp_errorFormat);
	assert_true(peak <= MEMORY_FACTOR * fileSize);
}

// Pairs that all point at the same minima.
static void testSharedMinima(void** state)
{
	(void)state;
	enum
	{
		pairCount = 3000,
		minimumCount = 3000,
	};
	Bench bench;
	char name[100];
	findMinima(&bench, name);
	char* pairs = calloc(pairCount, 76);
	rpMinimum* minima = calloc(minimumCount, sizeof(rpMinimum));
	for (int i = 0; i < pairCount; ++i)
	{
		char* at = pairs + (size_t)i * 76;
		snprintf(at, 34, "%032x", i);
		snprintf(at + 34, 34, "%032x", i);
		putNumber(at + 72, 'i', minimumCount);
	}
	rpBundleWriter writer = {0};
	assert_true(rpBundleWriter_Add(&writer, "MPAI", pairs, pairCount, 76, NULL) &&
				rpBundleWriter_Add(&writer, "MMIN", minima, minimumCount, sizeof(rpMinimum), NULL));
	size_t size;
	void* bytes = rpBundleWriter_Finish(&writer, &size, NULL);
	expectDefused(&bench, bytes, size, "pairs that share minima");
	rpBundleWriter_Free(&writer);
	rpFreeBytes(bytes);
	free(pairs);
	free(minima);
	rpFreeBytes(bench.bytes);
}

static void addCopies(rpText* out, const void* bytes, size_t size, int count)
{
	for (int i = 0; i < count; ++i)
	{
		rpText_Append(out, bytes, size);
	}
}

// A graph that has one clip a thousand times.
static void testManyClips(void** state)
{
	(void)state;
	enum
	{
		clipCount = 1000,
	};
	Bench bench;
	openBench(&bench, "many.reprise", "graph", "graph");
	rpBundle* bundle = rpCreateBundle(bench.bytes, bench.size, NULL);
	int textSize, labelSize = 0, contactCount, count;
	const char* texts = rpBundle_GetChunk(bundle, "GTXT", 1, &textSize, NULL);
	const int* clip = rpBundle_GetChunk(bundle, "GCLP", 16, &count, NULL);
	const uint16_t* contacts = rpBundle_GetChunk(bundle, "GCON", 2, &contactCount, NULL);
	char header[24];
	memcpy(header, rpBundle_GetChunk(bundle, "GHDR", 24, &count, NULL), sizeof(header));
	for (int i = 0; i < ((const int*)(const void*)header)[3]; ++i)
	{
		labelSize += (int)strlen(texts + labelSize) + 1;
	}
	rpText names = {0}, states = {0}, clips = {0};
	rpText_Append(&names, texts, (size_t)labelSize);
	addCopies(&names, texts + labelSize, (size_t)(textSize - labelSize), clipCount);
	addCopies(&states, contacts, (size_t)contactCount * 2, clipCount);
	for (int i = 0; i < clipCount; ++i)
	{
		int record[4] = {clip[0], i * clip[0], 0, 0};
		rpText_Append(&clips, record, sizeof(record));
	}
	putNumber(header + 16, 'i', clipCount);
	size_t sizes[4];
	void* a = replaceChunk(bench.bytes, bench.size, "GHDR", header, 1, 24, &sizes[0]);
	void* b = replaceChunk(a, sizes[0], "GTXT", names.data, (int)names.size, 1, &sizes[1]);
	void* c = replaceChunk(b, sizes[1], "GCON", states.data, clipCount * contactCount, 2, &sizes[2]);
	void* d = replaceChunk(c, sizes[2], "GCLP", clips.data, clipCount, 16, &sizes[3]);
	expectDefused(&bench, d, sizes[3], "a clip a thousand times");
	rpFreeBytes(a);
	rpFreeBytes(b);
	rpFreeBytes(c);
	rpFreeBytes(d);
	rpText_Free(&names);
	rpText_Free(&states);
	rpText_Free(&clips);
	rpDestroyBundle(bundle);
	rpFreeBytes(bench.bytes);
}

// What is sound stays within the factor too, from a library and as a bundle.
static void testSoundMemory(void** state)
{
	(void)state;
	static const char* const names[] = {"graph", "locomotion"};
	static const char* const files[] = {"bundle/graph-1", "bundle/locomotion-1"};
	Bench bench;
	openBench(&bench, "sound.reprise", "graph", "graph");
	rpFreeBytes(bench.bytes);
	for (int i = 0; i < 2; ++i)
	{
		rpLibrary* library = rpOpenLibrary(bench.path, rp_openRead, NULL);
		testStartPeak();
		rpModel* model = rpLibrary_OpenModel(library, names[i], NULL);
		size_t peak = testGetPeak(), size;
		assert_true(model != NULL && peak <= MEMORY_FACTOR * getFileSize(bench.path));
		rpDestroyModel(model);
		rpCloseLibrary(library);
		char* bytes = readKept(files[i], &size);
		rpBundle* bundle = rpCreateBundle(bytes, size, NULL);
		testStartPeak();
		rpPlayer* player = rpCreatePlayer(bundle, NULL, NULL);
		print_message("%s: %zu bytes take %zu, as a bundle %zu take %zu\n", names[i], getFileSize(bench.path), peak,
					  size, testGetPeak());
		assert_non_null(player);
		rpDestroyPlayer(player);
		rpDestroyBundle(bundle);
		free(bytes);
	}
}

static void expectLittleMemory(const void* bytes, size_t size, const char* what)
{
	rpBundle* bundle = rpCreateBundle(bytes, size, NULL);
	rpClipSet set;
	testStartPeak();
	bool done = rpClipSet_Read(&set, bundle, NULL);
	size_t peak = testGetPeak();
	print_message("%s: %zu bytes take %zu\n", what, size, peak);
	assert_true(done && peak <= MEMORY_FACTOR * size);
	rpClipSet_Free(&set);
	rpDestroyBundle(bundle);
}

// Packed clips have tables beside them: the more blocks, the more; most of all where each frame is one.
static void testPackedMemory(void** state)
{
	(void)state;
	size_t size, packedSize;
	void* bytes = packKept("bundle/graph-1", &size);
	expectLittleMemory(bytes, size, "graph");
	rpFreeBytes(bytes);
	rpMotion* motion = tinyMakeMotion("leaps", 1000, 0.2, (TinyPace){.step = 60.0f, .rootTurn = 3.0f});
	const rpMotion* motions[] = {motion};
	rpBundleWriter writer = {0};
	assert_true(rpWriteClipChunks(&writer, motions, 1, rpCreateClip, NULL));
	bytes = rpBundleWriter_Finish(&writer, &size, NULL);
	rpBundle* bundle = rpCreateBundle(bytes, size, NULL);
	void* packed = rpPackBundle(bundle, NULL, &packedSize, NULL);
	assert_non_null(packed);
	expectLittleMemory(packed, packedSize, "leaps");
	rpDestroyBundle(bundle);
	rpFreeBytes(packed);
	rpFreeBytes(bytes);
	rpBundleWriter_Free(&writer);
	rpDestroyMotion(motion);
}

int main(void)
{
	testUseCountingAllocator();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testGraphs),       cmocka_unit_test(testLocomotion),   cmocka_unit_test(testEmptyName),
		cmocka_unit_test(testBundles),      cmocka_unit_test(testLongGraph),    cmocka_unit_test(testPackedBundles),
		cmocka_unit_test(testPackedMemory), cmocka_unit_test(testSharedFrames), cmocka_unit_test(testMetrics),
		cmocka_unit_test(testMinima),       cmocka_unit_test(testSharedMinima), cmocka_unit_test(testManyClips),
		cmocka_unit_test(testSoundMemory),  cmocka_unit_test(testFarContacts),  cmocka_unit_test(testFarRoot),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
