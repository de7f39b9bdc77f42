#include "clip.h"
#include "command_options.h"
#include "footing.h"
#include "saving.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Feet are locked this long before and after the blend too, seconds: a lock moves the body a little around it.
#define LOCK_MARGIN 0.25

/// What was asked, and what came of it.
typedef struct Work
{
	cliClip a, b;
	double from, to;
	rpTransitionDef def;
	rpTransitionReport report;
	rpMotion* result;

	bool isLocked;
	rpFootLockReport lock;
} Work;

static bool getDef(cliRun* run, rpTransitionDef* def)
{
	const char *kind = cliGet(run, "kind"), *align = cliGet(run, "align");
	*def = rpDefaultTransitionDef();
	if (kind != NULL)
		def->kind = rpTransitionKind_Find(kind);
	if (align != NULL && strcmp(align, "ends") == 0)
		def->anchor = rp_anchorEnds;
	return cliGetNumber(run, "blend", 0.0, 60.0, &def->seconds);
}

static bool load(cliRun* run, Work* work)
{
	if (!cliLoadMoment(run, run->arguments[0], &work->a, &work->from) ||
		!cliLoadMoment(run, run->arguments[1], &work->b, &work->to))
		return false;
	cliTellFindings(run, work->a.name, &work->a.findings);
	cliTellFindings(run, work->b.name, &work->b.findings);
	return true;
}

static bool join(cliRun* run, Work* work)
{
	rpError error = {0};
	bool hasFeet =
		cliEnsureContacts(run, work->a.name, work->a.motion) && cliEnsureContacts(run, work->b.name, work->b.motion);
	work->result =
		rpMakeTransition(work->a.motion, work->from, work->b.motion, work->to, &work->def, &work->report, &error);
	if (work->result == NULL)
		return cliFailWork(run, &error);
	if (!cliHas(run, "no-lock") && hasFeet)
		work->isLocked = cliLockFeet(run, &work->result, work->report.start - LOCK_MARGIN,
									 work->report.end + LOCK_MARGIN, &work->lock);
	return true;
}

static json_t* makeResult(const Work* work, const char* output)
{
	const rpTransitionReport* report = &work->report;
	double turn = (double)report->alignment.turn * 180.0 / M_PI;
	json_t* result = json_pack(
		"{s:o,s:o,s:o,s:s,s:s,s:o,s:o,s:o,s:o}", "from_s", cliMakeReal(report->from), "to_s", cliMakeReal(report->to),
		"blend_s", cliMakeReal(report->end - report->start), "kind", rpTransitionKind_GetName(work->def.kind), "align",
		work->def.anchor == rp_anchorEnds ? "ends" : "centre", "distance_m", cliMakeReal((double)report->distance),
		"turn_deg", cliMakeReal(turn), "x_m", cliMakeReal((double)report->alignment.shift.x), "z_m",
		cliMakeReal((double)report->alignment.shift.z));
	json_object_update_new(result, json_pack("{s:o,s:o,s:o,s:b}", "start_s", cliMakeReal(report->start), "seam_s",
											 cliMakeReal(report->seam), "end_s", cliMakeReal(report->end), "locked",
											 work->isLocked));
	if (work->isLocked)
		json_object_update_new(result, json_pack("{s:o,s:o,s:o}", "slide_mm_before",
												 cliMakeReal(1e3 * (double)work->lock.before.mean), "slide_mm_after",
												 cliMakeReal(1e3 * (double)work->lock.after.mean), "stretch_percent",
												 cliMakeReal(1e2 * (double)work->lock.stretch)));
	json_object_set_new(result, "output", cliMakeOutput(output, work->result));
	return result;
}

static bool tell(cliRun* run, const Work* work, const char* output)
{
	const rpTransitionReport* report = &work->report;
	if (run->json)
		return cliReport(run, makeResult(work, output));
	cliTellOutput(run, output, work->result);
	cliTell(run, "%s at %.3f s to %s at %.3f s: %s of %.3f s from %.3f s on, %.0f mm apart", work->a.name, report->from,
			work->b.name, report->to, rpTransitionKind_GetName(work->def.kind), report->end - report->start,
			report->start, 1e3 * (double)report->distance);
	if (work->isLocked)
		cliTell(run, "feet locked: they slid by %.1f mm, now by %.1f mm", 1e3 * (double)work->lock.before.mean,
				1e3 * (double)work->lock.after.mean);
	return true;
}

static bool runTransition(cliRun* run)
{
	Work work = {0};
	rpSaveDef saving;
	const char* output = cliGetOutput(run, ".bvh .glb .csv");
	bool done = output != NULL && cliGetSaving(run, output, &saving) && getDef(run, &work.def) && load(run, &work) &&
				join(run, &work) && cliCheckOutput(run, output);
	const rpMotion* motion = work.result;
	done = done && cliSave(run, &motion, 1, output, &saving) && tell(run, &work, output);
	rpDestroyMotion(work.result);
	cliFreeClip(&work.a);
	cliFreeClip(&work.b);
	return done;
}

static const cliOption transitionOptions[] = {
	CLI_OUTPUT("The file to write, .bvh, .glb or .csv."),
	{"blend", 0, "S", "Length of the transition in seconds; 0.5 if not given, 0 is a jump cut."},
	{"kind", 0, "fade|linear|displace|inertial",
	 "Cross-fade smoothly (the default) or by a straight line; or cut and lead the differences in pose and velocity to "
	 "nothing, on both sides of the cut or after it alone."},
	{"align", 0, "centre|ends",
	 "The two moments coincide (the default), or the transition starts at the first and ends at the second."},
	{"no-lock", 0, NULL, "Leave feet that slide in the transition as they are."},
	{"unit", 0, "m|cm|mm|in", "Unit of length of a BVH or CSV file; metres if not given."},
	{"no-mesh", 0, NULL, "GLB only: the skeleton alone, without a body."},
	{"no-sidecar", 0, NULL, "Do not write the JSON file with labels, contacts and provenance beside the output."},
	CLI_FORCE,
	{0},
};

const cliCommand cliTransitionCommand = {
	.name = "transition",
	.summary = "Go from one clip over to another",
	.usage = "CLIP@MOMENT CLIP@MOMENT -o FILE [OPTIONS]",
	.about = "Plays the first clip up to its moment, then the second from its own, and makes the way from one to the "
			 "other smooth. The second clip is turned and moved over the floor to where it fits best; how well it fits "
			 "is told as a distance.\n\n"
			 "The clips need the same skeleton (convert --onto gives them one); the result has the rate of the first. "
			 "Contacts are the first clip's before the seam and the second's after it; where a clip has none, they are "
			 "found. Feet that rest in or near the transition are locked. A cross-fade needs both clips over the whole "
			 "of it, a displaced cut does not.",
	.options = {transitionOptions, cliReadingOptions},
	.examples = {{"reprise transition walk.bvh@2 run.bvh@1.4 -o faster.bvh", "Walk, then run."},
				 {"reprise transition a.bvh@90f b.bvh@40f -o ab.bvh --kind displace --blend 0.4",
				  "Cut at frames, and displace both sides."},
				 {"reprise transition 'moves.reprise#stand@1' 'moves.reprise#punch@0.5' -o p.glb --json",
				  "From a library, for a program."}},
	.minimum = 2,
	.maximum = 2,
	.run = runTransition,
};
