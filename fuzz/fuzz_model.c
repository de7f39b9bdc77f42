/// Models inside a library, their hashes made to fit: the first byte tells the kind, and whether lengths are made to
/// fit paths, the others are the bundle that the library keeps. Whatever is loaded is exported, walked, led along a
/// path and to a goal, bundled and played.
#include "bundle_mutator.h"
#include "kept_library.h"
#include "playing.h"

static rpLibrary* s_library;

int LLVMFuzzerInitialize(int* argumentCount, char*** arguments)
{
	(void)argumentCount, (void)arguments;
	s_library = openKept();
	return s_library == NULL;
}

static void expectMotion(const rpMotion* motion)
{
	for (int i = 0; motion != NULL && i < motion->frameCount; ++i)
	{
		rpPose pose = {.rootPosition = motion->rootPositions[i],
					   .rotations = motion->rotations + (size_t)i * (size_t)motion->skeleton->jointCount};
		expectPose(&pose, motion->skeleton->jointCount);
	}
}

static void showWalk(rpWalk* walk, const rpGraph* graph)
{
	rpMotion* motion = walk != NULL && rpWalk_GetDuration(walk, graph) < 20.0
						   ? rpWalk_MakeMotion(walk, graph, 30.0, true, NULL)
						   : NULL;
	expectMotion(motion);
	rpDestroyMotion(motion);
	rpDestroyWalk(walk);
}

static void searchGraph(const rpGraph* graph)
{
	static const rpVec2 points[] = {{0.0f, 0.0f}, {0.3f, 0.8f}, {0.0f, 1.5f}};
	rpError error = {0};
	rpPathDef path = rpDefaultPathDef();
	rpWalkToPlaceDef go = rpDefaultWalkToPlaceDef();
	path.points = points;
	path.pointCount = 3;
	path.search.beam = go.search.beam = 10;
	path.search.effort = go.search.effort = 200;
	path.search.longest = go.search.longest = 6.0;
	go.goal.shift.z = 1.5f;
	go.attempts = 1;
	showWalk(rpGraph_WalkAtRandom(graph, 2.0, 0, 1, &error), graph);
	showWalk(rpGraph_FollowPath(graph, &path, NULL, &error), graph);
	showWalk(rpGraph_WalkToPlace(graph, &go, NULL, &error), graph);
}

static void useGraph(void)
{
	rpGraph* graph = rpLibrary_LoadGraph(s_library, "graph", NULL);
	if (graph == NULL)
	{
		return;
	}
	size_t size;
	rpFreeText(rpGraph_Export(graph, NULL));
	searchGraph(graph);
	void* bundle = rpWriteGraphBundle(graph, &size, NULL);
	if (bundle != NULL)
	{
		playBundle(bundle, size, true);
	}
	rpFreeBytes(bundle);
	rpDestroyGraph(graph);
}

static void useLocomotion(void)
{
	size_t size;
	rpLocomotion* model = rpLibrary_LoadLocomotion(s_library, "locomotion", NULL);
	void* bundle = model != NULL ? rpWriteLocomotionBundle(model, &size, NULL) : NULL;
	if (bundle != NULL)
	{
		playBundle(bundle, size, true);
	}
	rpFreeBytes(bundle);
	rpDestroyLocomotion(model);
}

static void useSpace(void)
{
	size_t size;
	rpSpace* space = rpLibrary_LoadSpace(s_library, "space", NULL);
	rpSpaceMaker* maker = space != NULL ? rpCreateSpaceMaker(space, NULL) : NULL;
	float asked[RP_MAX_SPACE_PARAMETERS] = {1.2f};
	rpMotion* motion = maker != NULL ? rpSpaceMaker_Make(maker, asked, NULL, 30.0, NULL, NULL) : NULL;
	expectMotion(motion);
	void* bundle = space != NULL ? rpWriteSpaceBundle(space, &size, NULL) : NULL;
	if (bundle != NULL)
	{
		playBundle(bundle, size, true);
	}
	rpFreeBytes(bundle);
	rpDestroyMotion(motion);
	rpDestroySpaceMaker(maker);
	rpDestroySpace(space);
}

static void useParametric(void)
{
	size_t size;
	rpParametricGraph* graph = rpLibrary_LoadParametricGraph(s_library, "pgraph", NULL);
	if (graph == NULL)
	{
		return;
	}
	rpFreeText(rpParametricGraph_Export(graph, NULL));
	for (int e = 0; e < graph->edgeCount; ++e)
	{
		float values[RP_MAX_SPACE_PARAMETERS] = {1.1f};
		(void)rpParametricGraph_LookUp(graph, e, values);
	}
	void* bundle = rpWriteParametricBundle(graph, &size, NULL);
	if (bundle != NULL)
	{
		playBundle(bundle, size, true);
	}
	rpFreeBytes(bundle);
	rpDestroyParametricGraph(graph);
}

// The metric in use; what is remembered in use, now and then: building a graph takes a hundred times as long as the
// rest.
static void useOther(int kind, bool isRare)
{
	rpMetricFit fit;
	if (kind == 2 && rpLibrary_LoadMetric(s_library, "metric", &fit, NULL))
	{
		static float weights[RP_MAX_JOINTS];
		rpMetricDef def;
		rpMotion* motion = rpLibrary_LoadClip(s_library, 1, NULL);
		rpMetricFit_GetDef(&fit, motion->skeleton, weights, &def);
		rpDestroyMetric(rpCreateMetric(motion->skeleton, &def, NULL));
		rpDestroyMotion(motion);
		rpMetricFit_Free(&fit);
	}
	if (kind == 3 && isRare)
	{
		rpDestroyGraph(rpBuildGraph(s_library, NULL, NULL, NULL));
	}
}

// Paths go anywhere only with lengths that tell the same.
static void fitLengths(uint8_t* bytes, size_t size)
{
	int edgeCount = 0, pointCount = 0, lengthCount = 0;
	rpBundle* bundle = rpCreateBundle(bytes, size, NULL);
	const rpGraphEdge* edges =
		bundle != NULL ? rpBundle_GetChunk(bundle, "GEDG", sizeof(rpGraphEdge), &edgeCount, NULL) : NULL;
	const rpVec2* path = edges != NULL ? rpBundle_GetChunk(bundle, "GPTH", sizeof(rpVec2), &pointCount, NULL) : NULL;
	float* lengths =
		path != NULL ? (float*)(uintptr_t)rpBundle_GetChunk(bundle, "GLEN", sizeof(float), &lengthCount, NULL) : NULL;
	for (int e = 0; lengths != NULL && e < edgeCount; ++e)
	{
		const rpGraphEdge* edge = &edges[e];
		bool isInside = edge->firstPoint >= 0 && edge->frameCount >= 0 && edge->frameCount < pointCount &&
						edge->firstPoint < pointCount - edge->frameCount && pointCount == lengthCount;
		for (int f = 0; isInside && f <= edge->frameCount; ++f)
		{
			int i = edge->firstPoint + f;
			lengths[i] = f == 0 ? 0.0f : lengths[i - 1] + hypotf(path[i].x - path[i - 1].x, path[i].y - path[i - 1].y);
		}
	}
	rpDestroyBundle(bundle);
	fitBundle(bytes, size);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
	if (size < 1)
	{
		return 0;
	}
	int kind = data[0] % keptFlag % keptKindCount;
	const char* name = getKeptName(kind);
	uint8_t* bytes = malloc(size);
	memcpy(bytes, data + 1, size - 1);
	fitBundle(bytes, size - 1);
	if ((data[0] & keptFlag) != 0)
	{
		fitLengths(bytes, size - 1);
	}
	bool done = rpLibrary_PutModel(s_library, name, s_keptKinds[kind], 1, bytes, size - 1, NULL);
	free(bytes);
	if (done)
	{
		rpModel* model = rpLibrary_OpenModel(s_library, name, NULL);
		rpDestroyModel(model);
		if (model != NULL && kind == 0)
		{
			useGraph();
		}
		else if (model != NULL && kind == 1)
		{
			useLocomotion();
		}
		else if (model != NULL && kind == keptSpace)
		{
			useSpace();
		}
		else if (model != NULL && kind == keptParametric)
		{
			useParametric();
		}
		else if (model != NULL)
		{
			useOther(kind, XXH3_64bits(data, size) % 32 == 0);
		}
	}
	return 0;
}

#ifdef RP_FUZZING
size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t maxSize, unsigned seed)
{
	return mutateBundle(data, size, maxSize, seed, 1);
}
#endif
