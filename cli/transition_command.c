#include "clip.h"
#include "command_options.h"
#include "footing.h"
#include "metric_option.h"
#include "saving.h"
#include "skeleton_check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Feet are locked this long before and after the blend too, seconds: a lock moves the body a little around it.
#define LOCK_MARGIN 0.25

// Moments that are chosen stay this far from the ends of the clips, seconds, and this part of the shorter clip.
#define CHOICE_MARGIN 0.5
#define CHOICE_SHARE 0.25

/// What was asked, and what came of it.
typedef struct Work
{
	cliClip a, b;
	double from, to;
	rpTransitionDef def;
	rpBlendLengthDef lengthDef;
	rpMetric* metric;
	const char* picture;

	rpBlendLength length;
	rpTransitionReport report;
	rpJoinReport join;
	rpMotion* result;

	bool isLocked;
	rpFootLockReport lock;
	cliSlide slide;
} Work;

// ---- what is asked

static bool getLength(cliRun* run, Work* work)
{
	const char* blend = cliGet(run, "blend");
	rpLengthRule rule = blend != NULL ? rpLengthRule_Find(blend) : rp_lengthAuto;
	if (rule < rp_lengthFixed)
	{
		work->lengthDef.rule = rule;
		return true;
	}
	double seconds = -1.0;
	if (!cliParseNumber(blend, &seconds) || seconds < 0.0 || seconds > 60.0)
		return cliFailUsage(
			run, NULL, "--blend needs auto, geodesic, velocity, warp, dynamic or a number from 0 to 60, not \"%s\"",
			blend);
	work->lengthDef.rule = rp_lengthFixed;
	work->lengthDef.seconds = seconds;
	return true;
}

static bool getOptions(cliRun* run, Work* work)
{
	const char *kind = cliGet(run, "kind"), *align = cliGet(run, "align");
	work->def = rpDefaultTransitionDef();
	work->lengthDef = rpDefaultBlendLengthDef();
	work->picture = cliGet(run, "picture");
	if (kind != NULL)
		work->def.kind = rpTransitionKind_Find(kind);
	if (work->picture != NULL && !cliHasEnding(work->picture, ".png .svg"))
		return cliFailUsage(run, NULL, "--picture needs a name that ends in .png or .svg, not \"%s\"", work->picture);
	if (!getLength(run, work))
		return false;
	rpLengthRule rule = work->lengthDef.rule;
	bool isWarped = rule == rp_lengthWarp || rule == rp_lengthDynamic;
	if (isWarped && align != NULL && strcmp(align, "ends") != 0)
		return cliFailUsage(run, "leave --align out", "--blend %s is given by the ends of the blend, not by its centre",
							rpLengthRule_GetName(rule));
	bool atEnds = isWarped || (align != NULL && strcmp(align, "ends") == 0);
	work->lengthDef.anchor = atEnds ? rp_anchorEnds : rp_anchorCentre;
	return true;
}

static bool load(cliRun* run, Work* work)
{
	if (!cliLoadMoment(run, run->arguments[0], &work->a, &work->from) ||
		!cliLoadMoment(run, run->arguments[1], &work->b, &work->to))
		return false;
	cliSumFindings(run, work->a.name, &work->a.findings);
	cliSumFindings(run, work->b.name, &work->b.findings);
	return work->picture == NULL || cliCheckOutput(run, work->picture);
}

// ---- the work

// The metric that moments are chosen by, and whose weights the length is found with if it has some.
static bool makeMetric(cliRun* run, Work* work)
{
	cliMetric cost;
	rpError error = {0};
	if (!cliFindMetric(run, cliGet(run, "metric"), work->a.motion->skeleton, &cost))
		return false;
	work->metric = rpCreateMetric(work->a.motion->skeleton, &cost.def, &error);
	cliFreeMetric(&cost);
	work->lengthDef.metric = work->metric;
	return work->metric != NULL || cliFailWork(run, &error);
}

static bool chooseMoments(cliRun* run, Work* work)
{
	rpError error = {0};
	if (isfinite(work->from) && isfinite(work->to))
		return true;
	if (!cliCheckSkeletons(run, &work->a, &work->b))
		return false;
	double shorter = fmin(rpMotion_GetDuration(work->a.motion), rpMotion_GetDuration(work->b.motion));
	double margin = fmin(CHOICE_MARGIN, CHOICE_SHARE * shorter);
	if (work->lengthDef.rule == rp_lengthFixed)
		margin = fmax(margin, 0.5 * work->lengthDef.seconds);
	return rpFindJoin(work->a.motion, work->b.motion, work->metric, work->lengthDef.anchor, margin, &work->from,
					  &work->to, NULL, &error) ||
		   cliFailWork(run, &error);
}

static void warnOfFaults(cliRun* run, Work* work)
{
	rpError error = {0};
	if (!rpTransitionKind_IsFade(work->def.kind) || !(work->length.seconds > 0.0) ||
		!rpCheckJoin(work->a.motion, work->from, work->b.motion, work->to, &work->length, &work->join, &error))
		return;
	for (int fault = 0; fault < rp_joinFaultCount; ++fault)
	{
		if (work->join.faults >> fault & 1)
			cliWarn(run, "%s: %s", rpJoinFault_GetName((rpJoinFault)fault), work->join.texts[fault]);
	}
	if (work->join.hasBetter)
		cliWarn(run, "a better place is near by: @%.3f and @%.3f", work->join.from, work->join.to);
}

// No blend hides that one stands and the other runs.
static void warnOfDistance(cliRun* run, const Work* work)
{
	double distance = (double)work->report.distance;
	if (distance > CLI_FAR_APART)
		cliWarn(
			run,
			"the clips are %.0f mm apart where they are joined, good joins at most %.0f: join them elsewhere, or put "
			"a clip between them that leads from the one to the other",
			1e3 * distance, 1e3 * CLI_FAR_APART);
}

static bool join(cliRun* run, Work* work)
{
	rpError error = {0};
	bool hasFeet =
		cliEnsureContacts(run, work->a.name, work->a.motion) && cliEnsureContacts(run, work->b.name, work->b.motion);
	if (!makeMetric(run, work) || !chooseMoments(run, work))
		return false;
	if (!rpFindBlendLength(work->a.motion, work->from, work->b.motion, work->to, &work->lengthDef, &work->length,
						   &error))
		return cliFailWork(run, &error);
	work->result = rpMakeBlend(work->a.motion, work->from, work->b.motion, work->to, &work->length, &work->def,
							   &work->report, &error);
	if (work->result == NULL)
		return cliFailWork(run, &error);
	warnOfDistance(run, work);
	warnOfFaults(run, work);
	if (!cliHas(run, "no-lock") && hasFeet)
		work->isLocked = cliLockFeet(run, &work->result, work->report.start - LOCK_MARGIN,
									 work->report.end + LOCK_MARGIN, &work->lock, &work->slide);
	return true;
}

static bool draw(cliRun* run, const Work* work)
{
	rpError error = {0};
	if (work->picture == NULL)
		return true;
	char* title =
		cliFormat("%s at %.3f s to %s at %.3f s", work->a.name, work->report.from, work->b.name, work->report.to);
	bool done = rpDrawBlendLength(&work->length, work->a.motion->skeleton, title, work->picture, &error);
	free(title);
	return done || cliFailWork(run, &error);
}

// ---- the report

static json_t* makeNumbers(const double* values, int count)
{
	json_t* numbers = json_array();
	for (int i = 0; i < count; ++i)
		json_array_append_new(numbers, cliMakeReal(values[i]));
	return numbers;
}

static json_t* makeCurve(const Work* work)
{
	const rpBlendLength* length = &work->length;
	json_t* joints = json_object();
	for (int k = 0; k < length->jointCount; ++k)
		json_object_set_new(
			joints, work->a.motion->skeleton->joints[length->joints[k]].name,
			makeNumbers(length->jointCosts + (size_t)k * (size_t)length->lengthCount, length->lengthCount));
	return json_pack("{s:o,s:o,s:o}", "length_s", makeNumbers(length->lengths, length->lengthCount), "cost",
					 makeNumbers(length->costs, length->lengthCount), "joints", joints);
}

static void addLength(const Work* work, json_t* result)
{
	const rpBlendLength* length = &work->length;
	json_object_update_new(result,
						   json_pack("{s:s,s:o,s:o,s:o,s:o}", "method", rpLengthRule_GetName(length->rule), "cost",
									 cliMakeReal(length->cost), "from_blend_s", cliMakeReal(length->fromSeconds),
									 "to_blend_s", cliMakeReal(length->toSeconds), "curve", makeCurve(work)));
	if (length->rule == rp_lengthVelocity)
		json_object_update_new(result, json_pack("{s:o,s:o,s:o}", "joint",
												 cliMakeText(work->a.motion->skeleton->joints[length->joint].name),
												 "difference_deg", cliMakeReal(length->difference / RP_DEGREE),
												 "speed_deg_per_s", cliMakeReal(length->speed / RP_DEGREE)));
	json_t* faults = json_array();
	for (int fault = 0; fault < rp_joinFaultCount; ++fault)
	{
		if (work->join.faults >> fault & 1)
			json_array_append_new(faults, cliMakeText(rpJoinFault_GetName((rpJoinFault)fault)));
	}
	json_object_set_new(result, "faults", faults);
	if (work->join.hasBetter)
		json_object_set_new(result, "better",
							json_pack("{s:o,s:o,s:o}", "from_s", cliMakeReal(work->join.from), "to_s",
									  cliMakeReal(work->join.to), "distance_m",
									  cliMakeReal((double)work->join.distance)));
}

static json_t* makeResult(const Work* work, const char* output)
{
	const rpTransitionReport* report = &work->report;
	double turn = (double)report->alignment.turn * 180.0 / M_PI;
	json_t* result = json_pack(
		"{s:o,s:o,s:o,s:s,s:s,s:o,s:o,s:o,s:o}", "from_s", cliMakeReal(report->from), "to_s", cliMakeReal(report->to),
		"blend_s", cliMakeReal(report->end - report->start), "kind", rpTransitionKind_GetName(work->def.kind), "align",
		work->lengthDef.anchor == rp_anchorEnds ? "ends" : "centre", "distance_m",
		cliMakeReal((double)report->distance), "turn_deg", cliMakeReal(turn), "x_m",
		cliMakeReal((double)report->alignment.shift.x), "z_m", cliMakeReal((double)report->alignment.shift.z));
	json_object_update_new(result, json_pack("{s:o,s:o,s:o,s:b}", "start_s", cliMakeReal(report->start), "seam_s",
											 cliMakeReal(report->seam), "end_s", cliMakeReal(report->end), "locked",
											 work->isLocked));
	addLength(work, result);
	if (work->isLocked)
	{
		cliAddSlide(result, &work->slide);
		json_object_set_new(result, "missed_mm", cliMakeReal(1e3 * (double)work->lock.missed));
	}
	json_object_set_new(result, "output", cliMakeOutput(output, work->result));
	return result;
}

static bool reportResult(cliRun* run, const Work* work, const char* output)
{
	const rpTransitionReport* report = &work->report;
	if (run->json)
		return cliReport(run, makeResult(work, output));
	cliPrintOutput(run, output, work->result);
	cliPrint(run, "%s at %.3f s to %s at %.3f s: %s of %.3f s from %.3f s on, %.0f mm apart", work->a.name,
			 report->from, work->b.name, report->to, rpTransitionKind_GetName(work->def.kind),
			 report->end - report->start, report->start, 1e3 * (double)report->distance);
	if (work->length.rule == rp_lengthVelocity)
		cliPrint(run, "its length by the velocity rule: %s has %.0f degrees to go at %.0f degrees per second",
				 work->a.motion->skeleton->joints[work->length.joint].name, work->length.difference / RP_DEGREE,
				 work->length.speed / RP_DEGREE);
	else if (work->length.rule != rp_lengthFixed)
		cliPrint(run, "its length by the %s rule, mean cost %.3g rad²", rpLengthRule_GetName(work->length.rule),
				 work->length.cost);
	if (work->isLocked)
		cliPrintSlide(run, NULL, &work->slide);
	return true;
}

static bool runTransition(cliRun* run)
{
	Work work = {0};
	rpSaveDef saving;
	const char* output = cliGetOutput(run, ".bvh .glb .csv");
	bool done = output != NULL && cliGetSaving(run, output, &saving) && getOptions(run, &work) && load(run, &work) &&
				join(run, &work);
	const rpMotion* motion = work.result;
	done = done && cliSave(run, &motion, 1, output, &saving) && draw(run, &work) && reportResult(run, &work, output);
	rpDestroyMotion(work.result);
	rpBlendLength_Free(&work.length);
	rpDestroyMetric(work.metric);
	cliFreeClip(&work.a);
	cliFreeClip(&work.b);
	return done;
}

static const cliOption transitionOptions[] = {
	CLI_OUTPUT("The file to write, .bvh, .glb or .csv."),
	{"blend", 0, "LENGTH",
	 "How long: by a rule, geodesic, velocity, warp or dynamic (auto, the default, takes one of the first two), or in "
	 "seconds; 0 is a jump cut."},
	{"kind", 0, "fade|linear|displace|inertial|velocity",
	 "Cross-fade smoothly (the default) or by a straight line; or cut and lead the differences in pose and velocity to "
	 "nothing, on both sides of the cut or after it alone; or fade velocities, as graph walks do."},
	{"align", 0, "centre|ends",
	 "The two moments coincide (the default, but for warp and dynamic), or the transition starts at the first and ends "
	 "at the second."},
	CLI_METRIC,
	{"picture", 0, "FILE", "Draw what every length costs, .png or .svg: all of it, and each joint's part."},
	{"no-lock", 0, NULL, "Leave feet that slide in the transition as they are."},
	CLI_SAVING_OPTIONS,
	CLI_FORCE,
	{0},
};

const cliCommand cliTransitionCommand = {
	.name = "transition",
	.summary = "Go from one clip over to another",
	.usage = "CLIP[@MOMENT] CLIP[@MOMENT] -o FILE [OPTIONS]",
	.about =
		"Plays the first clip up to its moment, then the second from its own, and makes the transition from one to the "
		"other smooth. The second clip is turned and moved over the floor to where it fits best; how well it fits "
		"is reported as a distance. Moments that are not given are chosen where the clips are most alike.\n\n"
		"How long it takes is computed, too (Wang's thesis, chapter V): where either side steps, by the distance "
		"of the joints over the blend (geodesic); elsewhere by the joint that has the furthest to go, at the speed "
		"it has (velocity). warp and dynamic also stretch the time of one clip to fit the other. What no blend "
		"does well is warned of: limbs that pass through the body, feet or steps that do not match; and where a "
		"better place is near by.\n\n"
		"The clips need the same skeleton (convert --onto gives them one); the result has the rate of the first. "
		"Contacts are the first clip's before the seam and the second's after it; where a clip has none, they are "
		"found. Feet that rest in or near the transition are locked. A cross-fade needs both clips over the whole "
		"of it, a displaced cut does not.",
	.options = {transitionOptions, cliReadingOptions},
	.examples = {{"reprise transition walk.bvh run.bvh -o faster.bvh --picture length.png",
				  "Walk, then run, where and as long as is best; see why."},
				 {"reprise transition a.bvh@90f b.bvh@40f -o ab.bvh --kind displace --blend 0.4",
				  "Cut at frames, and displace both sides."},
				 {"reprise transition 'moves.reprise#stand@1' 'moves.reprise#punch@0.5' -o p.glb --json",
				  "From a library, for a program."}},
	.minimum = 2,
	.maximum = 2,
	.run = runTransition,
};
