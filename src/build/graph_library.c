/// Graphs and libraries: built from a library's clips, kept in it, loaded from it.
#include "base/error.h"
#include "base/memory.h"
#include "build/graph_bundle.h"
#include "build/minima_cache.h"
#include "build/model_clips.h"
#include "file/bytes.h"
#include "model/graph_chunks.h"
#include "reprise/edit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/// Clips of a library that a graph is made from.
typedef struct Source
{
	/// Until a graph takes them.
	rpMotion** motions;
	int count;
	/// [2 * count], those of the mirror images after the others. By all that was added; comparisons are kept under
	/// them.
	char (*hashes)[34];

	/// [count] by what the graph takes from them.
	char (*contents)[33];
} Source;

static void freeSource(Source* source)
{
	for (int i = 0; i < source->count; ++i)
	{
		rpDestroyMotion(source->motions[i]);
	}
	rpFree(source->motions);
	rpFree(source->hashes);
	rpFree(source->contents);
}

static bool loadClip(const rpLibrary* library, const rpClipInfo* info, Source* source, rpError* error)
{
	rpMotion* motion = rpLibrary_LoadClip(library, info->id, error);
	if (motion == NULL)
	{
		return false;
	}
	int index = source->count++;
	memcpy(source->hashes[index], info->hash, sizeof(info->hash));
	source->motions[index] = motion;
	return rpHashClip(library, info->id, source->contents[index], error) && rpMotion_SetName(motion, info->name, error);
}

static const rpClipInfo* findInfo(const rpClipInfo* infos, int count, const char* name)
{
	for (int i = 0; i < count; ++i)
	{
		if (strcmp(infos[i].name, name) == 0)
		{
			return &infos[i];
		}
	}
	return NULL;
}

// All clips of the library, or those that are named, in the library's order: a graph does not depend on that of the
// names.
static bool isWanted(const rpGraphDef* def, const char* name)
{
	bool isNamed = def->clipCount == 0;
	for (int i = 0; i < def->clipCount && !isNamed; ++i)
	{
		isNamed = strcmp(def->clips[i], name) == 0;
	}
	return isNamed;
}

static bool checkNames(const rpGraphDef* def, const rpClipInfo* infos, int count, rpError* error)
{
	for (int i = 0; i < def->clipCount; ++i)
	{
		if (findInfo(infos, count, def->clips[i]) == NULL)
		{
			return rpFail(error, rp_errorMissing, "the library has no clip \"%.150s\"", def->clips[i]);
		}
	}
	return count > 0 || rpFail(error, rp_errorMissing, "the library has no clips");
}

static bool loadSource(const rpLibrary* library, const rpGraphDef* def, Source* source, rpError* error)
{
	rpClipInfo* infos;
	int count = rpLibrary_ListClips(library, &infos, error);
	if (count < 0)
	{
		return false;
	}
	source->motions = rpAllocateZero((size_t)count, sizeof(rpMotion*), error);
	source->hashes = rpAllocateZero(2 * (size_t)count, sizeof(*source->hashes), error);
	source->contents = rpAllocateZero((size_t)count, sizeof(*source->contents), error);
	bool done = source->motions != NULL && source->hashes != NULL && source->contents != NULL &&
				checkNames(def, infos, count, error);
	for (int i = 0; i < count && done; ++i)
	{
		done = !isWanted(def, infos[i].name) || loadClip(library, &infos[i], source, error);
	}
	rpFreeClipInfos(infos, count);
	for (int i = 0; i < source->count && done; ++i)
	{
		memcpy(source->hashes[source->count + i], source->hashes[i], 32);
		source->hashes[source->count + i][32] = '~';
	}
	return done;
}

// Clips are those of the source, their mirror images behind them.
static void nameContents(const Source* source, rpGraph* graph)
{
	for (int i = 0; i < graph->clipCount; ++i)
	{
		memcpy(graph->clips[i].hash, source->contents[i % source->count], sizeof(graph->clips[i].hash));
	}
}

// What minima of a metric are kept under.
static void nameMinima(const rpMetricDef* given, const Source* source, char out[64])
{
	rpMetricDef def = given != NULL ? *given : rpDefaultMetricDef();
	rpText text = {0};
	char hash[33];
	rpText_Print(&text, "2 %d %.17g %.17g %d %d %d %.9g %.9g %.9g %.9g %.9g", def.kind, def.fps, def.window, def.shape,
				 def.placed, def.weights, (double)def.velocityWeight, (double)def.heightWeight, (double)def.tiltWeight,
				 (double)def.travelWeight, (double)(def.kind == rp_metricCloud ? RP_CANDIDATE_LIMIT : RP_ANGLE_LIMIT));
	for (int i = 0; i < def.markerCount && def.markers != NULL; ++i)
	{
		rpText_Append(&text, &def.markers[i], sizeof(rpMarker));
	}
	if (def.kind == rp_metricAngle && def.jointWeights != NULL && source->count > 0)
	{
		rpText_Append(&text, def.jointWeights, (size_t)source->motions[0]->skeleton->jointCount * sizeof(float));
	}
	rpHashBytes(text.data != NULL ? text.data : "", text.size, hash);
	rpText_Free(&text);
	snprintf(out, 64, "minima-%.16s", hash);
}

rpGraph* rpBuildGraph(rpLibrary* library, const rpGraphDef* def, rpGraphReport* report, rpError* error)
{
	rpGraphDef plain = rpDefaultGraphDef();
	Source source = {0};
	rpMinimaCache cache = {0};
	rpGraphReport own = {0};
	rpGraph* graph = NULL;
	char name[64];
	def = def != NULL ? def : &plain;
	bool isLoaded = loadSource(library, def, &source, error);
	if (isLoaded)
	{
		nameMinima(def->metric, &source, name);
	}
	if (isLoaded && rpMinimaCache_Load(&cache, library, name, error))
	{
		cache.hashes = (const char(*)[34])source.hashes;
		rpMinimaStore store = rpMinimaCache_GetStore(&cache);
		graph = rpBuildGraphWith(source.motions, source.count, def, &store, &own, error);
		own.unkeptCount = cache.unkeptCount;
		if (graph != NULL && !rpMinimaCache_Save(&cache, library, name, error))
		{
			rpDestroyGraph(graph);
			graph = NULL;
		}
		if (graph != NULL)
		{
			nameContents(&source, graph);
		}
	}
	rpMinimaCache_Free(&cache);
	freeSource(&source);
	if (report != NULL && graph != NULL)
	{
		*report = own;
	}
	else
	{
		rpGraphReport_Free(&own);
	}
	return graph;
}

// ---- loading

// How far a path may be from the roots of its clip, metres: they are computed from the same frames.
#define PATH_TOLERANCE 0.01f

// Names, borrowed from the graph, and what is known of their content, if anything is. NULL when memory ran out or they
// are damaged.
static rpModelClip* readClips(const rpBundle* bundle, rpGraph* graph, rpError* error)
{
	rpModelClip* clips = rpAllocateZero((size_t)graph->clipCount, sizeof(rpModelClip), error);
	for (int i = 0; clips != NULL && i < graph->clipCount; ++i)
	{
		clips[i] = (rpModelClip){.name = graph->clips[i].name, .isMirrored = graph->clips[i].isMirrored};
	}
	if (clips != NULL && !rpReadClipHashes(bundle, clips, graph->clipCount, &graph->isByName, error))
	{
		rpFree(clips);
		clips = NULL;
	}
	return clips;
}

// The name that the clip has now.
static bool followName(rpGraphClip* clip, const char* name, rpError* error)
{
	rpText text = {0};
	rpText_Print(&text, "%s%s", name, clip->isMirrored ? "~" : "");
	bool done = !text.failed || rpFail(error, rp_errorMemory, "out of memory");
	if (done)
	{
		rpFree(clip->name);
		clip->name = text.data;
	}
	return done;
}

// The length that the clip has at the graph's rate must be the one that it had; as in graph_examples.c.
static bool fits(const rpGraph* graph, const rpGraphClip* clip)
{
	double frames = rpMotion_GetDuration(clip->motion) * graph->fps - (clip->frameCount - 1);
	return frames >= -1e-2 && frames < 1.0 + 1e-2 &&
		   rpSkeleton_Matches(graph->clips[0].motion->skeleton, clip->motion->skeleton);
}

// The clip's motion as it was when the graph was built, mirrored if need be.
static bool loadMotion(rpModelLoader* loader, const rpGraph* graph, int index, const rpModelClip* known, rpError* error)
{
	rpGraphClip* clip = &graph->clips[index];
	rpMotion* motion = rpModelLoader_Load(loader, known, error);
	if (motion == NULL)
	{
		return false;
	}
	clip->motion = motion;
	memcpy(clip->hash, known->hash, sizeof(clip->hash));
	if (clip->isMirrored)
	{
		clip->motion = rpMirrorMotion(motion, error);
		rpDestroyMotion(motion);
	}
	return clip->motion != NULL && (fits(graph, clip) || rpModelLoader_FailChanged(loader, known, error));
}

static bool isAt(const rpMotion* motion, double time, rpVec2 place)
{
	double at = fmin(fmax(time * motion->fps, 0.0), motion->frameCount - 1.0);
	int frame = (int)at, next = frame + 1 < motion->frameCount ? frame + 1 : frame;
	rpVec3 root = rpLerp(motion->rootPositions[frame], motion->rootPositions[next], (float)(at - frame));
	return hypotf(root.x - place.x, root.z - place.y) <= PATH_TOLERANCE * (1.0f + 1e-3f * rpLength(root));
}

// Where a stretch begins and ends its path must be where its clip is: another clip of the same length would not be.
static bool checkPaths(const rpModelLoader* loader, const rpGraph* graph, const rpModelClip* known, rpError* error)
{
	bool done = true;
	for (int e = 0; e < graph->edgeCount && done; ++e)
	{
		const rpGraphEdge* edge = &graph->edges[e];
		const rpGraphNode *from = &graph->nodes[edge->from], *to = &graph->nodes[edge->to];
		const rpMotion* motion = graph->clips[from->clip].motion;
		const rpVec2* path = graph->path + edge->firstPoint;
		done = rpGraphEdge_IsTransition(edge) ||
			   (isAt(motion, from->frame / graph->fps, path[0]) &&
				isAt(motion, to->frame / graph->fps, path[edge->frameCount])) ||
			   rpModelLoader_FailChanged(loader, &known[from->clip], error);
	}
	return done;
}

static bool loadMotions(const rpLibrary* library, rpGraph* graph, const char* name, const rpModelClip* known,
						rpError* error)
{
	rpModelLoader loader = {0};
	bool done = rpModelLoader_Open(&loader, library, &rpGraphModelKind, name, error);
	for (int i = 0; done && i < graph->clipCount; ++i)
	{
		done = loadMotion(&loader, graph, i, &known[i], error);
	}
	done = done && checkPaths(&loader, graph, known, error);
	rpModelLoader_Free(&loader);
	for (int i = 0; done && i < graph->clipCount; ++i)
	{
		done = followName(&graph->clips[i], graph->clips[i].motion->name, error);
	}
	return done;
}

// ---- its row in the table of kinds

static void* build(rpLibrary* library, rpError* error)
{
	return rpBuildGraph(library, NULL, NULL, error);
}

static bool store(const rpLibrary* library, const void* model, rpBundleWriter* writer, rpError* error)
{
	const rpGraph* graph = model;
	rpModelClip* clips = rpAllocateZero((size_t)graph->clipCount, sizeof(rpModelClip), error);
	for (int i = 0; clips != NULL && i < graph->clipCount; ++i)
	{
		clips[i] = (rpModelClip){.name = graph->clips[i].name, .isMirrored = graph->clips[i].isMirrored};
		memcpy(clips[i].hash, graph->clips[i].hash, sizeof(clips[i].hash));
	}
	bool done = clips != NULL && rpWriteGraphChunks(writer, graph, error) &&
				(graph->isByName || rpWriteClipHashes(writer, library, clips, graph->clipCount, error));
	rpFree(clips);
	return done;
}

static void* load(const rpLibrary* library, const rpBundle* bundle, const char* name, rpError* error)
{
	rpGraph* graph = rpReadGraphChunks(bundle, error);
	rpModelClip* known = graph != NULL ? readClips(bundle, graph, error) : NULL;
	if (known == NULL || !loadMotions(library, graph, name, known, error))
	{
		rpDestroyGraph(graph);
		graph = NULL;
	}
	rpFree(known);
	return graph;
}

static void destroy(void* model)
{
	rpDestroyGraph(model);
}

static bool isByName(const void* model)
{
	return ((const rpGraph*)model)->isByName;
}

static int count(const void* model, rpModelCount* out)
{
	const rpGraph* graph = model;
	out[0] = (rpModelCount){"clips", "clips", graph->clipCount};
	out[1] = (rpModelCount){"nodes", "nodes", graph->nodeCount};
	out[2] = (rpModelCount){"edges", "edges", graph->edgeCount};
	return 3;
}

const rpModelKind rpGraphModelKind = {
	.info = {"graph", "a motion graph", "graph build", true},
	.chunk = "GHDR",
	.version = 1,
	.build = build,
	.store = store,
	.load = load,
	.destroy = destroy,
	.bundle = rpAddGraphBundle,
	.count = count,
	.isByName = isByName,
};

bool rpLibrary_PutGraph(rpLibrary* library, const char* name, const rpGraph* graph, rpError* error)
{
	return rpModelKind_Put(&rpGraphModelKind, library, name, graph, error);
}

rpGraph* rpLibrary_LoadGraph(rpLibrary* library, const char* name, rpError* error)
{
	return rpModelKind_Load(&rpGraphModelKind, library, name, error);
}
