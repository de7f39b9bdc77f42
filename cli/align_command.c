#include "clip.h"
#include "command_options.h"
#include "footing.h"
#include "metric_option.h"
#include "progress_bar.h"
#include "saving.h"
#include "skeleton_check.h"

#include <math.h>
#include <stdlib.h>

enum
{
	// Points of the path in a picture.
	cli_pathCount = 1001,
};

/// What is aligned, and what came of it. The registration's motion 0 is b, whose time and place are kept.
typedef struct Work
{
	cliClip a, b;
	rpRegistrationDef def;
	cliMetric cost;
	rpMetric* metric;
	const char* picture;
	rpRegistration* registration;
	rpMotion* result;
} Work;

static bool getOptions(cliRun* run, Work* work)
{
	work->def = rpDefaultRegistrationDef();
	double slope = work->def.slopeLimit;
	work->picture = cliGet(run, "picture");
	work->def.freeEnds = cliHas(run, "free-ends");
	if (!cliGetNumber(run, "slope", 1.0, 100.0, &slope))
		return false;
	if (slope != floor(slope))
		return cliFailUsage(run, NULL, "--slope needs a whole number of frames, not %g", slope);
	work->def.slopeLimit = (int)slope;
	if (work->picture != NULL && !cliHasEnding(work->picture, ".png .svg"))
		return cliFailUsage(run, NULL, "--picture needs a name that ends in .png or .svg, not \"%s\"", work->picture);
	return true;
}

static bool load(cliRun* run, Work* work)
{
	if (!cliLoadClip(run, run->arguments[0], &work->a) || !cliLoadClip(run, run->arguments[1], &work->b))
		return false;
	cliSumFindings(run, work->a.name, &work->a.findings);
	cliSumFindings(run, work->b.name, &work->b.findings);
	return (work->picture == NULL || cliCheckOutput(run, work->picture)) && cliCheckSkeletons(run, &work->a, &work->b);
}

static bool findMetric(cliRun* run, Work* work)
{
	rpError error = {0};
	if (!cliFindMetric(run, cliGet(run, "metric"), work->b.motion->skeleton, &work->cost))
		return false;
	work->metric = rpCreateMetric(work->b.motion->skeleton, &work->cost.def, &error);
	work->def.metric = work->metric;
	return work->metric != NULL || cliFailWork(run, &error);
}

static bool align(cliRun* run, Work* work)
{
	const rpMotion* motions[] = {work->b.motion, work->a.motion};
	rpError error = {0};
	cliEnsureContacts(run, work->a.name, work->a.motion);
	cliEnsureContacts(run, work->b.name, work->b.motion);
	work->registration = rpCreateRegistration(motions, 2, &work->def, &error);
	if (work->registration != NULL)
		work->result = rpRegistration_Retime(work->registration, 1, &error);
	return work->result != NULL || cliFailWork(run, &error);
}

// ---- the picture

static bool fillMap(cliRun* run, const Work* work, rpHeatMap** map)
{
	rpGridDef gridDef = rpDefaultGridDef();
	rpError error = {0};
	const rpMetric* metric = work->metric;
	rpProfile* a = rpCreateProfile(metric, work->a.motion, &error);
	rpProfile* b = a != NULL ? rpCreateProfile(metric, work->b.motion, &error) : NULL;
	*map = b != NULL ? rpCreateHeatMap(rpProfile_GetFrameCount(a), rpProfile_GetFrameCount(b), rpMetric_GetRate(metric),
									   &error)
					 : NULL;
	gridDef.visit = rpHeatMap_AddTile;
	gridDef.visitContext = *map;
	gridDef.progress = cliStepBar;
	cliStartBar(run->quiet);
	bool done = *map != NULL && rpMetric_VisitGrid(metric, a, b, &gridDef, &error);
	cliEndBar();
	rpDestroyProfile(a);
	rpDestroyProfile(b);
	return done || cliFailWork(run, &error);
}

static bool draw(cliRun* run, const Work* work)
{
	rpHeatMap* map = NULL;
	if (work->picture == NULL)
		return true;
	bool done = fillMap(run, work, &map);
	if (done)
	{
		const rpRegistration* registration = work->registration;
		double start = registration->times[0], end = registration->times[registration->keyCount - 1];
		double rows[cli_pathCount], columns[cli_pathCount];
		for (int i = 0; i < cli_pathCount; ++i)
		{
			columns[i] = start + (end - start) * i / (cli_pathCount - 1);
			rows[i] = rpRegistration_GetTime(registration, 1, columns[i]);
		}
		rpHeatMapDef def = rpDefaultHeatMapDef();
		rpError error = {0};
		def.rowName = work->a.name;
		def.columnName = work->b.name;
		def.unit = work->cost.def.kind == rp_metricCloud ? def.unit : NULL;
		def.pathRows = rows;
		def.pathColumns = columns;
		def.pathCount = cli_pathCount;
		done = rpHeatMap_Draw(map, work->picture, &def, &error) || cliFailWork(run, &error);
	}
	rpDestroyHeatMap(map);
	return done;
}

// ---- what is reported

/// How fast the first clip is played.
typedef struct Speeds
{
	double min, max;
} Speeds;

static Speeds getSpeeds(const rpRegistration* registration)
{
	Speeds speeds = {(double)INFINITY, 0.0};
	const double *b = registration->times, *a = registration->times + registration->keyCount;
	for (int k = 1; k < registration->keyCount; ++k)
	{
		double speed = (a[k] - a[k - 1]) / (b[k] - b[k - 1]);
		speeds.min = fmin(speeds.min, speed);
		speeds.max = fmax(speeds.max, speed);
	}
	return speeds;
}

static double getDistance(const rpRegistration* registration)
{
	// One of the two was compared with the other.
	return (double)fmaxf(registration->costs[0], registration->costs[1]);
}

static json_t* makeKeys(const rpRegistration* registration)
{
	json_t* keys = json_array();
	for (int k = 0; k < registration->keyCount; ++k)
	{
		const rpGroundTransform* ground = &registration->grounds[registration->keyCount + k];
		json_array_append_new(keys, json_pack("{s:o,s:o,s:o,s:o,s:o}", "a_s",
											  cliMakeReal(registration->times[registration->keyCount + k]), "b_s",
											  cliMakeReal(registration->times[k]), "turn_deg",
											  cliMakeReal((double)ground->turn * 180.0 / M_PI), "x_m",
											  cliMakeReal((double)ground->shift.x), "z_m",
											  cliMakeReal((double)ground->shift.z)));
	}
	return keys;
}

static json_t* makeStages(const rpRegistration* registration)
{
	json_t* stages = json_array();
	for (int s = 0; s < registration->stageCount; ++s)
	{
		const rpStage* stage = &registration->stages[s];
		json_t* contacts = json_array();
		for (int e = 0; e < rp_effectorCount; ++e)
		{
			if (stage->contacts >> e & 1u)
				json_array_append_new(contacts, json_string(rpEffector_GetName((rpEffector)e)));
		}
		const double *b = registration->times, *a = registration->times + registration->keyCount;
		json_array_append_new(stages, json_pack("{s:o,s:o,s:o,s:o,s:o}", "a_start_s", cliMakeReal(a[stage->firstKey]),
												"a_end_s", cliMakeReal(a[stage->lastKey]), "b_start_s",
												cliMakeReal(b[stage->firstKey]), "b_end_s",
												cliMakeReal(b[stage->lastKey]), "contacts", contacts));
	}
	return stages;
}

static json_t* makeResult(const Work* work, const char* output)
{
	const rpRegistration* registration = work->registration;
	const double *b = registration->times, *a = registration->times + registration->keyCount;
	int last = registration->keyCount - 1;
	Speeds speeds = getSpeeds(registration);
	json_t* result =
		json_pack("{s:o,s:o,s:o,s:o,s:o,s:o,s:o}", work->cost.def.kind == rp_metricCloud ? "distance_m" : "distance",
				  cliMakeReal(getDistance(registration)), "a_start_s", cliMakeReal(a[0]), "a_end_s",
				  cliMakeReal(a[last]), "b_start_s", cliMakeReal(b[0]), "b_end_s", cliMakeReal(b[last]), "speed_min",
				  cliMakeReal(speeds.min), "speed_max", cliMakeReal(speeds.max));
	json_object_set_new(result, "metric", cliMakeText(work->cost.name));
	json_object_set_new(result, "keys", makeKeys(registration));
	json_object_set_new(result, "stages", makeStages(registration));
	json_object_set_new(result, "output", cliMakeOutput(output, work->result));
	if (work->picture != NULL)
		json_object_set_new(result, "picture", cliMakeText(work->picture));
	return result;
}

static bool reportResult(cliRun* run, const Work* work, const char* output)
{
	if (run->json)
		return cliReport(run, makeResult(work, output));
	const rpRegistration* registration = work->registration;
	const double *b = registration->times, *a = registration->times + registration->keyCount;
	int last = registration->keyCount - 1;
	Speeds speeds = getSpeeds(registration);
	cliPrintOutput(run, output, work->result);
	cliPrint(run, "%s from %.2f to %.2f s onto %s from %.2f to %.2f s, played %.2f to %.2f times as fast: %.3f%s apart",
			 work->a.name, a[0], a[last], work->b.name, b[0], b[last], speeds.min, speeds.max,
			 getDistance(registration), work->cost.def.kind == rp_metricCloud ? " m" : "");
	if (registration->stageCount > 0)
		cliPrint(run, "contacts matched: %d stages", registration->stageCount);
	else
		cliPrint(run, "contacts are not the same in both: none matched");
	if (work->picture != NULL)
		cliPrint(run, "%s", work->picture);
	return true;
}

static bool runAlign(cliRun* run)
{
	Work work = {0};
	rpSaveDef saving;
	const char* output = cliGetOutput(run, ".bvh .glb .csv");
	bool done = output != NULL && cliGetSaving(run, output, &saving) && getOptions(run, &work) && load(run, &work) &&
				findMetric(run, &work) && align(run, &work) && draw(run, &work);
	const rpMotion* motion = work.result;
	done = done && cliSave(run, &motion, 1, output, &saving) && reportResult(run, &work, output);
	rpDestroyMotion(work.result);
	rpDestroyRegistration(work.registration);
	rpDestroyMetric(work.metric);
	cliFreeMetric(&work.cost);
	cliFreeClip(&work.a);
	cliFreeClip(&work.b);
	return done;
}

static const cliOption alignOptions[] = {
	CLI_OUTPUT("The file to write, .bvh, .glb or .csv."),
	{"picture", 0, "FILE", "Draw the distances of all moments and the path through them, .png or .svg."},
	CLI_METRIC,
	{"free-ends", 0, NULL, "Align the stretch that fits best; what hangs over at the ends is left out."},
	{"slope", 0, "N",
	 "At most this many frames (of 30 a second) of one clip in a row for one of the other; 3 if not given."},
	CLI_SAVING_OPTIONS,
	CLI_FORCE,
	{0},
};

const cliCommand cliAlignCommand = {
	.name = "align",
	.summary = "Bring one clip into the time and place of another",
	.usage = "CLIP CLIP -o FILE [OPTIONS]",
	.about = "Finds which moment of the first clip belongs to which moment of the second, so that both do the same at "
			 "the same time, then plays the first along it, moved over the floor to where the second starts. The first "
			 "frames belong together, and the last, unless the ends are free.\n\n"
			 "Where both clips have the same sequence of contacts of heels and balls, these fall on the same moments "
			 "exactly; contacts that nobody stored are found. The clips need the same skeleton (convert --onto gives "
			 "them "
			 "one).",
	.options = {alignOptions, cliReadingOptions},
	.examples = {{"reprise align slow.bvh fast.bvh -o slow_as_fast.bvh", "A slow walk at the pace of a fast one."},
				 {"reprise align a.bvh b.bvh -o a_onto_b.bvh --free-ends --picture map.png",
				  "The stretch that both have in common, and a map of it."},
				 {"reprise align 'moves.reprise#jab@1..3' 'moves.reprise#hook' -o jab.bvh --json",
				  "From a library, for a program."}},
	.minimum = 2,
	.maximum = 2,
	.run = runAlign,
};
