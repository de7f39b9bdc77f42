/// Characters to drive for the demonstration: models of all that the performer can do, as bundles.
#pragma once

#include "run.h"

enum
{
	cli_demoBundleCount = 6,
};

/// What players run from.
typedef struct cliDemoBundle
{
	/// Its file's name without ending; static.
	const char* name;
	void* bytes;
	size_t size;
} cliDemoBundle;

/// Perform the repertoire, as reprise perform repertoire does, and make a motion graph and a model of locomotion of it,
/// two parametric spaces and two parametric graphs (cli/demo_spaces.h), packed. Free with cliFreeDemoBundles, after
/// failure too. False: reported.
bool cliMakeDemoBundles(cliRun* run, cliDemoBundle out[cli_demoBundleCount]);
void cliFreeDemoBundles(cliDemoBundle bundles[cli_demoBundleCount]);
