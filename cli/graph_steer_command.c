#include "clip.h"
#include "clock.h"
#include "command_options.h"
#include "graph_model.h"

// The graph's motion as it lies in a bundle, bytes.
static double countBytes(const rpGraph* graph)
{
	double bytes = 0.0;
	for (int i = 0; i < graph->clipCount; ++i)
	{
		const rpMotion* motion = graph->clips[i].motion;
		bytes += motion->frameCount * (motion->skeleton->jointCount * sizeof(rpQuat) + sizeof(rpVec3));
	}
	return bytes;
}

static bool reportSteering(cliRun* run, const rpGraph* graph, const rpSteeringReport* report, double seconds)
{
	double bytes = (double)report->entryCount * sizeof(int);
	if (run->json)
		return cliReport(
			run, json_pack("{s:o,s:i,s:i,s:i,s:o,s:o,s:o,s:o,s:o}", "name", cliMakeText(cliGetGraphName(run)),
						   "directions", rp_steerDirections, "entries", report->entryCount, "bytes", (int)bytes,
						   "share_of_motion", cliMakeReal(bytes / countBytes(graph)), "speed_mps",
						   cliMakeReal(report->speed), "progress_mps", cliMakeReal(report->progress), "deviation_deg",
						   cliMakeReal(report->deviation / RP_DEGREE), "steer_seconds", cliMakeReal(seconds)));
	cliPrint(run, "%s: %d entries, %.1f %% of the motion's size, %.2f s", cliGetGraphName(run), report->entryCount,
			 100.0 * bytes / countBytes(graph), seconds);
	cliPrint(run, "within %.1f s from anywhere to any direction: %.2f m/s of %.2f m/s, %.0f degrees off",
			 report->seconds, report->progress, report->speed, report->deviation / RP_DEGREE);
	return true;
}

static bool runGraphSteer(cliRun* run)
{
	rpSteeringDef def = rpDefaultSteeringDef();
	rpSteeringReport report;
	rpError error = {0};
	if (!cliGetNumber(run, "seconds", 0.1, 60.0, &def.seconds) || !cliGetNumber(run, "speed", 0.01, 20.0, &def.speed))
		return false;
	rpLibrary* library = cliOpenLibrary(run, run->arguments[0], rp_openWrite);
	rpGraph* graph = library != NULL ? cliLoadGraph(run) : NULL;
	if (graph == NULL)
		return false;
	double start = cliGetSeconds();
	bool done = rpGraph_MakeSteering(graph, &def, &report, &error);
	double seconds = cliGetSeconds() - start;
	done = (done && rpLibrary_PutGraph(library, cliGetGraphName(run), graph, &error)) || cliFailWork(run, &error);
	done = done && reportSteering(run, graph, &report, seconds);
	rpDestroyGraph(graph);
	return done;
}

static const cliOption graphSteerOptions[] = {
	CLI_GRAPH_NAME,
	{"seconds", 0, "S", "How far ahead to look, 3 if not given."},
	{"speed", 0, "M/S", "The speed to travel with; that of the graph's faster motion if not given."},
	{0},
};

const cliCommand cliGraphSteerCommand = {
	.name = "graph steer",
	.summary = "Work out how to steer a motion graph live",
	.usage = "LIB.reprise [OPTIONS]",
	.about = "For every place in the graph and each of 16 directions: the edge to go on with, the first of the walk "
			 "that keeps nearest to the wanted velocity. The table is kept with the graph, for bundles.",
	.options = {graphSteerOptions},
	.examples = {{"reprise graph steer moves.reprise", "With the defaults, as bundle does by itself."},
				 {"reprise graph steer moves.reprise --seconds 5 --speed 1.2", "Look farther, go more slowly."},
				 {"reprise graph steer moves.reprise --name small --json", "For a program."}},
	.minimum = 1,
	.maximum = 1,
	.run = runGraphSteer,
};
