#include "clip.h"
#include "command_options.h"
#include "footing.h"
#include "saving.h"

#include <stdlib.h>
#include <string.h>

/// What was asked, and what came of it.
typedef struct Work
{
	cliClip clip;
	rpFootLockDef def;
	bool isDetected;
	rpFootLockReport report;
	cliSlide slide;
} Work;

static bool getDef(cliRun* run, Work* work)
{
	const char* contacts = cliGet(run, "contacts");
	work->def = rpDefaultFootLockDef();
	work->isDetected = contacts == NULL || strcmp(contacts, "auto") == 0;
	double stretch = 0.0; // accepted as it ever was; bones keep their lengths now
	bool done =
		cliGetNumber(run, "stretch", 0.0, 20.0, &stretch) && cliGetNumber(run, "ease", 0.0, 2.0, &work->def.ease);
	work->def.ground = !cliHas(run, "no-ground");
	return done;
}

static bool clean(cliRun* run, Work* work)
{
	rpError error = {0};
	rpMotion* motion = work->clip.motion;
	if (work->isDetected && !rpDetectContacts(motion, NULL, NULL, &error))
		return cliFailWork(run, &error);
	work->slide.before = cliMeasureSlide(motion);
	if (!rpLockFeet(motion, &work->def, &work->report, &error))
		return cliFailWork(run, &error);
	work->slide.after = cliMeasureSlide(motion);
	if (work->report.contactCount == 0)
		cliWarn(run, "%s: no_contacts: %s: nothing, the motion is as it was", work->clip.name,
				work->isDetected ? "no heel and no ball was found to rest"
								 : "no contacts of heels or balls are stored");
	return true;
}

// Of contacts, not of stances: the path that a point makes while it has one.
static void addPath(json_t* result, const char* which, const char* when, rpSlide slide)
{
	char* mean = cliFormat("%s_path_mm_mean_%s", which, when);
	char* max = cliFormat("%s_path_mm_max_%s", which, when);
	json_object_set_new(result, mean, cliMakeReal(1e3 * (double)slide.mean));
	json_object_set_new(result, max, cliMakeReal(1e3 * (double)slide.max));
	free(mean);
	free(max);
}

// As info counts them: those of toes too.
static int countContacts(const Work* work)
{
	return rpMotion_GetIntervals(work->clip.motion, rp_trackContact, NULL, 0);
}

static json_t* makeResult(const Work* work, const char* output)
{
	const rpFootLockReport* report = &work->report;
	json_t* result = json_pack("{s:i,s:i,s:i,s:s}", "contacts", countContacts(work), "heel_contacts",
							   report->heelBefore.contactCount, "ball_contacts", report->ballBefore.contactCount,
							   "contact_source", work->isDetected ? "auto" : "stored");
	cliAddSlide(result, &work->slide);
	addPath(result, "heel", "before", report->heelBefore);
	addPath(result, "heel", "after", report->heelAfter);
	addPath(result, "ball", "before", report->ballBefore);
	addPath(result, "ball", "after", report->ballAfter);
	double degrees = 180.0 / RP_PI;
	json_object_update_new(
		result, json_pack("{s:o,s:o,s:o,s:o,s:i,s:i}", "knee_deg_per_s_before",
						  cliMakeReal(degrees * (double)report->kneeSpeedBefore), "knee_deg_per_s_after",
						  cliMakeReal(degrees * (double)report->kneeSpeedAfter), "root_shift_mm",
						  cliMakeReal(1e3 * (double)report->rootShift), "missed_mm",
						  cliMakeReal(1e3 * (double)report->missed), "stretch_percent", 0, "stretched_frames", 0));
	json_object_set_new(result, "output", cliMakeOutput(output, work->clip.motion));
	return result;
}

static bool reportResult(cliRun* run, const Work* work, const char* output)
{
	const rpFootLockReport* report = &work->report;
	if (run->json)
		return cliReport(run, makeResult(work, output));
	cliPrintOutput(run, output, work->clip.motion);
	if (report->contactCount == 0)
		return true;
	cliPrint(run, "%d contacts %s", countContacts(work), work->isDetected ? "found" : "stored");
	cliPrintSlide(run, NULL, &work->slide);
	cliPrint(run,
			 "root shifted by up to %.1f mm, feet out of reach by up to %.1f mm, fastest knee %.0f deg/s (was %.0f)",
			 1e3 * (double)report->rootShift, 1e3 * (double)report->missed,
			 180.0 / RP_PI * (double)report->kneeSpeedAfter, 180.0 / RP_PI * (double)report->kneeSpeedBefore);
	return true;
}

static bool runClean(cliRun* run)
{
	Work work = {0};
	rpSaveDef saving;
	const char* output = cliGetOutput(run, ".bvh .glb .csv");
	bool done = output != NULL && cliGetSaving(run, output, &saving) && getDef(run, &work) &&
				cliLoadClip(run, run->arguments[0], &work.clip);
	if (done)
	{
		cliSumFindings(run, work.clip.name, &work.clip.findings);
		done = clean(run, &work);
	}
	const rpMotion* motion = work.clip.motion;
	done = done && cliSave(run, &motion, 1, output, &saving) && reportResult(run, &work, output);
	cliFreeClip(&work.clip);
	return done;
}

static const cliOption cleanOptions[] = {
	CLI_OUTPUT("The file to write, .bvh, .glb or .csv."),
	{"contacts", 0, "auto|stored", "Find the contacts in the clip (the default), or take those that came with it."},
	{"stretch", 0, "PERCENT", "Without effect since legs keep their lengths; accepted for old scripts."},
	{"ease", 0, "S",
	 "Seconds in which a foot whose next landing is far goes back to where it would be; 0.2 if not given."},
	{"no-ground", 0, NULL, "Leave resting feet at the heights they have."},
	CLI_SAVING_OPTIONS,
	CLI_FORCE,
	{0},
};

const cliCommand cliCleanCommand = {
	.name = "clean",
	.summary = "Keep resting feet from sliding",
	.usage = "CLIP -o FILE [OPTIONS]",
	.about =
		"Holds feet where they bear: from landing to toe-off the foot rolls over heel, ball and toe as it did, and "
		"what bears stays at its place. The body follows its feet, legs are bent anew so that knees change as "
		"little as can be, and corrections go over from foothold to foothold while the foot swings.\n\n"
		"The report says how far feet got on the floor in a stance before and after, on average: slide_mm_mean of "
		"evaluate. A clip without contacts is left as it is, with a warning.",
	.options = {cleanOptions, cliReadingOptions},
	.examples = {{"reprise clean walk.bvh -o clean.bvh", "Feet that rest do not slide."},
				 {"reprise clean blend.bvh -o clean.glb --contacts stored", "Use the contacts stored beside it."},
				 {"reprise clean take.bvh@2..8 -o clean.bvh --json", "A stretch of it, figures for a program."}},
	.minimum = 1,
	.maximum = 1,
	.run = runClean,
};
