/// Graphs and libraries: built from a library's clips, kept in it, loaded from it.
#include "base/error.h"
#include "base/memory.h"
#include "build/graph_bundle.h"
#include "build/minima_cache.h"
#include "build/model_kind.h"
#include "file/bytes.h"
#include "model/graph_chunks.h"
#include "reprise/analysis.h"
#include "reprise/edit.h"

#include <stdio.h>
#include <string.h>

/// Clips of a library that a graph is made from.
typedef struct Source
{
	rpMotion** motions;
	int count;
	/// [2 * count], those of the mirror images after the others.
	char (*hashes)[34];
} Source;

static void freeSource(Source* source)
{
	for (int i = 0; i < source->count; ++i)
	{
		rpDestroyMotion(source->motions[i]);
	}
	rpFree(source->motions);
	rpFree(source->hashes);
}

static bool loadClip(const rpLibrary* library, const rpClipInfo* info, Source* source, rpError* error)
{
	rpMotion* motion = rpLibrary_LoadClip(library, info->id, error);
	if (motion == NULL)
	{
		return false;
	}
	memcpy(source->hashes[source->count], info->hash, sizeof(info->hash));
	source->motions[source->count++] = motion;
	return rpMotion_SetName(motion, info->name, error);
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
	bool done = source->motions != NULL && source->hashes != NULL && checkNames(def, infos, count, error);
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
		graph = rpBuildGraphWith((const rpMotion* const*)source.motions, source.count, def, &store, &own, error);
		own.unkeptCount = cache.unkeptCount;
		if (graph != NULL && !rpMinimaCache_Save(&cache, library, name, error))
		{
			rpDestroyGraph(graph);
			graph = NULL;
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

static bool failClip(const rpGraphClip* clip, rpError* error)
{
	rpFail(error, rp_errorMissing, "the clip \"%.150s\" of the graph is no longer in the library as it was",
		   clip->name);
	rpError_SetHint(error, "build the graph anew: reprise graph build LIB");
	return false;
}

// The clip's motion as it was when the graph was built: contacts found where there are none, mirrored if need be.
static bool loadMotion(const rpLibrary* library, const rpGraph* graph, rpGraphClip* clip, rpError* error)
{
	size_t size = strlen(clip->name) - (clip->isMirrored ? 1 : 0);
	char* name = rpCopyString(clip->name, error);
	if (name == NULL)
	{
		return false;
	}
	name[size] = 0;
	rpClipId id = rpLibrary_FindClip(library, name, NULL);
	rpMotion* motion = id > 0 ? rpLibrary_LoadClip(library, id, error) : NULL;
	bool done = id > 0 ? motion != NULL && rpMotion_SetName(motion, name, error) : failClip(clip, error);
	rpFree(name);
	if (done && rpMotion_GetIntervals(motion, rp_trackContact, NULL, 0) == 0)
	{
		done = rpDetectContacts(motion, NULL, NULL, error);
	}
	if (done && clip->isMirrored)
	{
		clip->motion = rpMirrorMotion(motion, error);
		rpDestroyMotion(motion);
		motion = NULL;
		done = clip->motion != NULL;
	}
	clip->motion = motion != NULL ? motion : clip->motion;
	return done &&
		   (rpMotion_GetDuration(clip->motion) * graph->fps >= clip->frameCount - 1 - 1e-2 || failClip(clip, error));
}

// ---- its row in the table of kinds

static void* build(rpLibrary* library, rpError* error)
{
	return rpBuildGraph(library, NULL, NULL, error);
}

static bool store(const void* model, rpBundleWriter* writer, rpError* error)
{
	return rpWriteGraphChunks(writer, model, error);
}

static void* load(const rpLibrary* library, const rpBundle* bundle, const char* name, rpError* error)
{
	(void)name;
	rpGraph* graph = rpReadGraphChunks(bundle, error);
	bool done = graph != NULL;
	for (int i = 0; done && i < graph->clipCount; ++i)
	{
		done = loadMotion(library, graph, &graph->clips[i], error) &&
			   (rpSkeleton_Matches(graph->clips[0].motion->skeleton, graph->clips[i].motion->skeleton) ||
				failClip(&graph->clips[i], error));
	}
	if (!done)
	{
		rpDestroyGraph(graph);
		graph = NULL;
	}
	return graph;
}

static void destroy(void* model)
{
	rpDestroyGraph(model);
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
};

bool rpLibrary_PutGraph(rpLibrary* library, const char* name, const rpGraph* graph, rpError* error)
{
	return rpModelKind_Put(&rpGraphModelKind, library, name, graph, error);
}

rpGraph* rpLibrary_LoadGraph(rpLibrary* library, const char* name, rpError* error)
{
	return rpModelKind_Load(&rpGraphModelKind, library, name, error);
}
