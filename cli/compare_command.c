#include "clip.h"
#include "clock.h"
#include "command_options.h"
#include "grid_csv.h"
#include "metric_option.h"
#include "progress_bar.h"
#include "skeleton_check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// What is compared, and what came of it.
typedef struct Work
{
	cliClip a, b;
	cliMetric cost;
	double window;
	float threshold;
	const char* picture;
	const char* csvPath;

	rpMetric* metric;
	rpProfile *aProfile, *bProfile;
	int rows, columns;
	rpHeatMap* map;
	cliGridCsv* csv;
	rpMinima minima;

	/// The same clip twice: then only pairs of different moments are of interest.
	bool isSelf;
	double seconds;
} Work;

// ---- what is asked

static bool getOptions(cliRun* run, Work* work)
{
	double threshold = (double)INFINITY;
	work->picture = cliGet(run, "picture");
	work->csvPath = cliGet(run, "csv");
	work->window = rpDefaultMetricDef().window;
	if (!cliGetNumber(run, "window", 0.0, 10.0, &work->window) || !cliGetNumber(run, "threshold", 0.0, 1e6, &threshold))
		return false;
	work->threshold = (float)threshold;
	if (work->picture != NULL && !cliHasEnding(work->picture, ".png .svg"))
		return cliFailUsage(run, NULL, "--picture needs a name that ends in .png or .svg, not \"%s\"", work->picture);
	return true;
}

static bool load(cliRun* run, Work* work)
{
	work->isSelf = strcmp(run->arguments[0], run->arguments[1]) == 0;
	if (!cliLoadClip(run, run->arguments[0], &work->a) || !cliLoadClip(run, run->arguments[1], &work->b))
		return false;
	cliSumFindings(run, work->a.name, &work->a.findings);
	if (!work->isSelf)
		cliSumFindings(run, work->b.name, &work->b.findings);
	return (work->picture == NULL || cliCheckOutput(run, work->picture)) &&
		   (work->csvPath == NULL || cliCheckOutput(run, work->csvPath)) && cliCheckSkeletons(run, &work->a, &work->b);
}

// ---- the work

static bool findMetric(cliRun* run, Work* work)
{
	if (!cliFindMetric(run, cliGet(run, "metric"), work->a.motion->skeleton, &work->cost))
		return false;
	if (work->cost.def.kind == rp_metricCloud)
		work->cost.def.window = work->window;
	else if (cliHas(run, "window"))
		return cliFailUsage(run, NULL, "--window is for --metric cloud; angles are compared frame by frame");
	return true;
}

static bool prepare(cliRun* run, Work* work)
{
	rpError error = {0};
	work->metric = rpCreateMetric(work->a.motion->skeleton, &work->cost.def, &error);
	work->aProfile = work->metric != NULL ? rpCreateProfile(work->metric, work->a.motion, &error) : NULL;
	work->bProfile = work->aProfile != NULL ? rpCreateProfile(work->metric, work->b.motion, &error) : NULL;
	if (work->bProfile == NULL)
		return cliFailWork(run, &error);
	work->rows = rpProfile_GetFrameCount(work->aProfile);
	work->columns = rpProfile_GetFrameCount(work->bProfile);
	if (work->picture != NULL)
	{
		work->map = rpCreateHeatMap(work->rows, work->columns, rpMetric_GetRate(work->metric), &error);
		if (work->map == NULL)
			return cliFailWork(run, &error);
	}
	if (work->csvPath != NULL)
		work->csv = cliOpenGridCsv(run, work->csvPath, work->columns);
	return work->csvPath == NULL || work->csv != NULL;
}

static bool takeTile(const rpTile* tile, void* context)
{
	const Work* work = context;
	return (work->map == NULL || rpHeatMap_AddTile(tile, work->map)) &&
		   (work->csv == NULL || cliGridCsv_AddTile(tile, work->csv));
}

// One pass through the grid for everything; with itself, minima are of one half and the picture of both.
static bool compare(cliRun* run, Work* work)
{
	rpGridDef def = rpDefaultGridDef();
	rpError error = {0};
	bool isVisited = work->map != NULL || work->csv != NULL;
	double start = cliGetSeconds();
	def.progress = cliStepBar;
	if (isVisited)
	{
		def.visit = takeTile;
		def.visitContext = work;
	}
	cliStartBar(run->quiet);
	bool done = true;
	if (work->isSelf && isVisited)
	{
		done = rpMetric_VisitGrid(work->metric, work->aProfile, work->bProfile, &def, &error);
		def.visit = NULL;
	}
	done = done && rpMetric_FindMinima(work->metric, work->aProfile, work->isSelf ? work->aProfile : work->bProfile,
									   work->threshold, &def, &work->minima, &error);
	cliEndBar();
	work->seconds = cliGetSeconds() - start;
	bool isSaved = cliCloseGridCsv(run, work->csv, done);
	work->csv = NULL;
	// A table that cannot be written stops the work, and has said so.
	return isSaved && (done || cliFailWork(run, &error));
}

static bool draw(cliRun* run, Work* work)
{
	rpHeatMapDef def = rpDefaultHeatMapDef();
	rpError error = {0};
	if (work->map == NULL)
		return true;
	def.rowName = work->a.name;
	def.columnName = work->b.name;
	def.minima = work->minima.items;
	def.minimumCount = work->minima.count;
	def.unit = work->cost.def.kind == rp_metricCloud ? "m" : NULL;
	return rpHeatMap_Draw(work->map, work->picture, &def, &error) || cliFailWork(run, &error);
}

// ---- what is reported

static json_t* makeMinimum(const Work* work, const rpMinimum* minimum)
{
	double fps = rpMetric_GetRate(work->metric);
	return json_pack(
		"{s:i,s:i,s:o,s:o,s:o,s:o,s:o,s:o}", "i", minimum->i, "j", minimum->j, "a_s", cliMakeReal(minimum->i / fps),
		"b_s", cliMakeReal(minimum->j / fps), work->cost.def.kind == rp_metricCloud ? "distance_m" : "distance",
		cliMakeReal((double)minimum->distance), "turn_deg", cliMakeReal((double)minimum->alignment.turn * 180.0 / M_PI),
		"x_m", cliMakeReal((double)minimum->alignment.shift.x), "z_m", cliMakeReal((double)minimum->alignment.shift.z));
}

static json_t* makeResult(const Work* work)
{
	json_t* minima = json_array();
	for (int i = 0; i < work->minima.count; ++i)
		json_array_append_new(minima, makeMinimum(work, &work->minima.items[i]));
	json_t* result = json_pack("{s:s,s:i,s:i,s:o,s:o,s:o}", "metric", work->cost.name, "rows", work->rows, "columns",
							   work->columns, "fps", cliMakeReal(rpMetric_GetRate(work->metric)), "time_s",
							   cliMakeReal(work->seconds), "minima", minima);
	if (work->cost.def.kind == rp_metricCloud)
		json_object_set_new(result, "window_s", cliMakeReal(work->cost.def.window));
	if (work->picture != NULL)
		json_object_set_new(result, "picture", cliMakeText(work->picture));
	if (work->csvPath != NULL)
		json_object_set_new(result, "csv", cliMakeText(work->csvPath));
	return result;
}

static bool reportResult(cliRun* run, const Work* work)
{
	if (run->json)
		return cliReport(run, makeResult(work));
	double fps = rpMetric_GetRate(work->metric);
	const rpMinimum* best = NULL;
	for (int i = 0; i < work->minima.count; ++i)
	{
		const rpMinimum* minimum = &work->minima.items[i];
		best = best == NULL || minimum->distance < best->distance ? minimum : best;
	}
	cliAnswer(run, "%d by %d frames at %g Hz in %.2f s: %d minim%s", work->rows, work->columns, fps, work->seconds,
			  work->minima.count, work->minima.count == 1 ? "um" : "a");
	if (best != NULL)
		cliAnswer(run, "nearest: %s at %.3f s and %s at %.3f s, %.3f%s apart", work->a.name, best->i / fps,
				  work->b.name, best->j / fps, (double)best->distance,
				  work->cost.def.kind == rp_metricCloud ? " m" : "");
	if (work->picture != NULL)
		cliPrint(run, "%s", work->picture);
	if (work->csvPath != NULL)
		cliPrint(run, "%s", work->csvPath);
	return true;
}

static bool runCompare(cliRun* run)
{
	Work work = {0};
	bool done = getOptions(run, &work) && load(run, &work) && findMetric(run, &work) && prepare(run, &work) &&
				compare(run, &work) && draw(run, &work) && reportResult(run, &work);
	cliCloseGridCsv(run, work.csv, false);
	rpMinima_Free(&work.minima);
	rpDestroyHeatMap(work.map);
	rpDestroyProfile(work.aProfile);
	rpDestroyProfile(work.bProfile);
	rpDestroyMetric(work.metric);
	cliFreeMetric(&work.cost);
	cliFreeClip(&work.a);
	cliFreeClip(&work.b);
	return done;
}

static const cliOption compareOptions[] = {
	{"picture", 0, "FILE", "Draw the distances as a heat map with the minima marked, .png or .svg."},
	{"csv", 0, "FILE", "Write the distances as a table, one row for each frame of the first clip."},
	CLI_METRIC,
	{"window", 0, "S", "Seconds of motion around each frame that are compared with it, 0.5 if not given."},
	{"threshold", 0, "M", "Report only minima under this distance."},
	CLI_FORCE,
	{0},
};

const cliCommand cliCompareCommand = {
	.name = "compare",
	.summary = "Find out where two clips are alike",
	.usage = "CLIP CLIP [OPTIONS]",
	.about =
		"Compares every moment of one clip with every moment of another, at 30 frames a second, and reports the "
		"local minima of the distance: the moments at which one could go over to the other, how far apart the body "
		"is there, and the turn and shift over the floor that take the second clip onto the first.\n\n"
		"Compared with itself, a clip is searched for moments at least a window apart that are alike. The clips "
		"need "
		"the same skeleton (convert --onto gives them one).",
	.options = {compareOptions, cliReadingOptions},
	.examples = {{"reprise compare walk.bvh run.bvh --picture grid.png", "Draw where they are alike."},
				 {"reprise compare walk.bvh walk.bvh --threshold 0.05 --json",
				  "Where a walk repeats itself, within 5 cm, for a program."},
				 {"reprise compare a.bvh b.bvh --metric angle --csv grid.csv", "All distances by joint angles."}},
	.minimum = 2,
	.maximum = 2,
	.run = runCompare,
};
