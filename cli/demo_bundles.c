#include "demo_bundles.h"

#include "progress_bar.h"

#include <stdlib.h>

// The seed of reprise perform repertoire.
#define SEED 1

/// The repertoire while models are made of it.
typedef struct Repertoire
{
	rpMotion** motions;
	int count;
} Repertoire;

static void freeRepertoire(Repertoire* all)
{
	for (int i = 0; i < all->count; ++i)
		rpDestroyMotion(all->motions[i]);
	free(all->motions);
}

static bool perform(Repertoire* all, rpError* error)
{
	rpRepertoireEntry entry;
	bool done = true;
	for (; done && cliGetInterruption() == 0 && rpGetRepertoire(SEED, all->count, &entry); ++all->count)
	{
		all->motions = cliReallocate(all->motions, (size_t)(all->count + 1) * sizeof(rpMotion*));
		rpMotion* motion = rpPerform(&entry.def, error);
		all->motions[all->count] = motion;
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

static void* makeLocomotion(const Repertoire* all, size_t* size, rpError* error)
{
	rpLocomotionDef def = rpDefaultLocomotionDef();
	rpLocomotion* model = rpBuildLocomotionOf((const rpMotion* const*)all->motions, all->count, &def, NULL, error);
	void* bytes = model != NULL ? rpWriteLocomotionBundle(model, size, error) : NULL;
	rpDestroyLocomotion(model);
	return bytes;
}

typedef void* MakeFn(const Repertoire* all, size_t* size, rpError* error);

static bool makeBundle(const Repertoire* all, MakeFn* make, cliDemoBundle* out, rpError* error)
{
	size_t size = 0;
	void* bytes = make(all, &size, error);
	rpBundle* exact = bytes != NULL ? rpCreateBundle(bytes, size, error) : NULL;
	out->bytes = exact != NULL ? rpPackBundle(exact, NULL, &out->size, error) : NULL;
	rpDestroyBundle(exact);
	rpFreeBytes(bytes);
	return out->bytes != NULL;
}

bool cliMakeDemoBundles(cliRun* run, cliDemoBundle out[cli_demoBundleCount])
{
	Repertoire all = {0};
	rpError error = {0};
	out[0] = (cliDemoBundle){.name = "moves-locomotion"};
	out[1] = (cliDemoBundle){.name = "moves-graph"};
	bool done = perform(&all, &error) && makeBundle(&all, makeLocomotion, &out[0], &error) &&
				makeBundle(&all, makeGraph, &out[1], &error) && cliGetInterruption() == 0;
	freeRepertoire(&all);
	return done || (cliGetInterruption() != 0 ? cliFail(run, cli_exitInterrupted, &error) : cliFailWork(run, &error));
}

void cliFreeDemoBundles(cliDemoBundle bundles[cli_demoBundleCount])
{
	for (int i = 0; i < cli_demoBundleCount; ++i)
		rpFreeBytes(bundles[i].bytes);
}
