#include "demo_bundles.h"

#include "demo_spaces.h"
#include "progress_bar.h"

#include <stdlib.h>

// The seed of reprise perform repertoire.
#define SEED 1

/// The repertoire while models are made of it.
typedef struct Repertoire
{
	rpMotion** motions;
	rpAct* acts;
	int count;
} Repertoire;

static void freeRepertoire(Repertoire* all)
{
	for (int i = 0; i < all->count; ++i)
		rpDestroyMotion(all->motions[i]);
	free(all->motions);
	free(all->acts);
}

static bool perform(Repertoire* all, rpError* error)
{
	rpRepertoireEntry entry;
	bool done = true;
	for (; done && cliGetInterruption() == 0 && rpGetRepertoire(SEED, all->count, &entry); ++all->count)
	{
		all->motions = cliReallocate(all->motions, (size_t)(all->count + 1) * sizeof(rpMotion*));
		all->acts = cliReallocate(all->acts, (size_t)(all->count + 1) * sizeof(rpAct));
		rpMotion* motion = rpPerform(&entry.def, error);
		all->motions[all->count] = motion;
		all->acts[all->count] = entry.def.act;
		done = motion != NULL && rpMotion_SetName(motion, entry.name, error);
	}
	return done && cliGetInterruption() == 0;
}

static void* makeGraph(const Repertoire* all, size_t* size, rpError* error)
{
	rpGraphDef def = rpDefaultGraphDef();
	rpGraph* graph = rpBuildGraphOf((const rpMotion* const*)all->motions, all->count, &def, NULL, error);
	void* bytes = graph != NULL ? rpWriteGraphBundle(graph, size, error) : NULL;
	rpDestroyGraph(graph);
	return bytes;
}

// Plain gaits. Who is to walk and also knows how to sneak, march and go backwards does some of each: asked to go
// straight ahead from a stand, a model of all acts was 60 degrees off in its fifth second, one of these 0 after a
// second and a half.
static bool isPlainGait(rpAct act)
{
	return act == rp_actStand || act == rp_actWalk || act == rp_actRun || act == rp_actTurnInStride ||
		   (act >= rp_actStandWalk && act <= rp_actRunWalk);
}

static void* makeLocomotion(const Repertoire* all, size_t* size, rpError* error)
{
	const rpMotion** takes = cliAllocate((size_t)all->count * sizeof(rpMotion*));
	int count = 0;
	for (int i = 0; i < all->count; ++i)
		if (isPlainGait(all->acts[i]))
			takes[count++] = all->motions[i];
	rpLocomotionDef def = rpDefaultLocomotionDef();
	def.mirror = true;
	rpLocomotion* model = rpBuildLocomotionOf(takes, count, &def, NULL, error);
	void* bytes = model != NULL ? rpWriteLocomotionBundle(model, size, error) : NULL;
	rpDestroyLocomotion(model);
	free(takes);
	return bytes;
}

static void* bundleSpace(rpSpace* space, size_t* size, rpError* error)
{
	void* bytes = space != NULL ? rpWriteSpaceBundle(space, size, error) : NULL;
	rpDestroySpace(space);
	return bytes;
}

static void* makeStrides(const Repertoire* all, size_t* size, rpError* error)
{
	(void)all;
	return bundleSpace(cliMakeStrides(error), size, error);
}

static void* makePunches(const Repertoire* all, size_t* size, rpError* error)
{
	(void)all;
	return bundleSpace(cliMakePunches(error), size, error);
}

static void* bundleGraph(rpParametricGraph* graph, size_t* size, rpError* error)
{
	void* bytes = graph != NULL ? rpWriteParametricBundle(graph, size, error) : NULL;
	rpDestroyParametricGraph(graph);
	return bytes;
}

static void* makeBoxer(const Repertoire* all, size_t* size, rpError* error)
{
	(void)all;
	return bundleGraph(cliMakeBoxer(error), size, error);
}

static void* makeStrider(const Repertoire* all, size_t* size, rpError* error)
{
	(void)all;
	return bundleGraph(cliMakeStrider(error), size, error);
}

typedef void* MakeFn(const Repertoire* all, size_t* size, rpError* error);

// A layer to switch on and off.
static void* addLean(const void* bytes, size_t* size, rpError* error)
{
	rpLeanDef lean = rpDefaultLeanDef();
	rpBundle* bundle = bytes != NULL ? rpCreateBundle(bytes, *size, error) : NULL;
	void* leaning = bundle != NULL ? rpBundle_WithLayer(bundle, rpFindLayerKind("lean"), &lean, size, error) : NULL;
	rpDestroyBundle(bundle);
	return leaning;
}

static bool makeBundle(const Repertoire* all, MakeFn* make, bool leans, cliDemoBundle* out, rpError* error)
{
	size_t size = 0;
	void* bytes = make(all, &size, error);
	rpBundle* exact = bytes != NULL ? rpCreateBundle(bytes, size, error) : NULL;
	void* packed = exact != NULL ? rpPackBundle(exact, NULL, &out->size, error) : NULL;
	out->bytes = leans ? addLean(packed, &out->size, error) : packed;
	rpDestroyBundle(exact);
	rpFreeBytes(leans ? packed : NULL);
	rpFreeBytes(bytes);
	return out->bytes != NULL;
}

bool cliMakeDemoBundles(cliRun* run, cliDemoBundle out[cli_demoBundleCount])
{
	static const struct
	{
		const char* name;
		MakeFn* make;
		bool leans;
	} kinds[cli_demoBundleCount] = {{"moves-locomotion", makeLocomotion, true}, {"moves-graph", makeGraph, true},
									{"moves-strides", makeStrides, true},       {"moves-punches", makePunches, false},
									{"moves-boxer", makeBoxer, false},          {"moves-strider", makeStrider, true}};
	Repertoire all = {0};
	rpError error = {0};
	bool done = perform(&all, &error);
	for (int i = 0; i < cli_demoBundleCount; ++i)
	{
		out[i] = (cliDemoBundle){.name = kinds[i].name};
		done = done && makeBundle(&all, kinds[i].make, kinds[i].leans, &out[i], &error) && cliGetInterruption() == 0;
	}
	freeRepertoire(&all);
	return done || (cliGetInterruption() != 0 ? cliFail(run, cli_exitInterrupted, &error) : cliFailWork(run, &error));
}

void cliFreeDemoBundles(cliDemoBundle bundles[cli_demoBundleCount])
{
	for (int i = 0; i < cli_demoBundleCount; ++i)
		rpFreeBytes(bundles[i].bytes);
}
