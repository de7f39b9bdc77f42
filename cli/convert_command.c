#include "clip.h"
#include "command_options.h"
#include "footing.h"
#include "pair_file.h"
#include "saving.h"
#include "skeleton_check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// The edits asked for.
typedef struct Plan
{
	const char* output;
	rpSaveDef saving;
	bool hasCrop, hasMove, hasFactor, hasWarp;
	cliStretch crop;
	/// Rate of the result; 0: as it is.
	double fps;
	double factor;
	cliPairs knots;
	rpWarp warp;
	rpGroundTransform ground;
	bool each;
} Plan;

// ---- what is asked

static bool getCrop(cliRun* run, Plan* plan)
{
	const char* text = cliGet(run, "crop");
	plan->hasCrop = text != NULL;
	if (text == NULL || (cliParseStretch(text, &plan->crop) && !plan->crop.isMoment))
		return true;
	return cliFailUsage(run, "for example --crop 1.5..3, --crop 2.. or --crop 30f..90f",
						"--crop needs a stretch A..B, not \"%s\"", text);
}

static bool getRetime(cliRun* run, Plan* plan)
{
	const char* text = cliGet(run, "retime");
	if (text == NULL)
		return true;
	plan->hasFactor = cliParseNumber(text, &plan->factor);
	plan->hasWarp = !plan->hasFactor;
	if (plan->hasFactor)
		return cliGetNumber(run, "retime", 0.01, 100.0, &plan->factor);
	cliPairRules rules = {.hint =
							  "--retime takes a factor, or a CSV file whose lines hold two numbers, \"new,old\", in "
							  "seconds, both increasing",
						  .increases = true};
	if (!cliReadPairs(run, text, &rules, &plan->knots))
		return false;
	plan->warp = (rpWarp){plan->knots.first, plan->knots.second, plan->knots.count, cliHas(run, "smooth")};
	return true;
}

static bool getMove(cliRun* run, Plan* plan)
{
	double turn = 0.0, place[2] = {0};
	const char* shift = cliGet(run, "shift");
	if (!cliGetNumber(run, "turn", -36000.0, 36000.0, &turn))
		return false;
	if (shift != NULL)
	{
		const char* comma = strchr(shift, ',');
		char* first = cliFormat("%.*s", comma != NULL ? (int)(comma - shift) : 0, shift);
		bool isPair = comma != NULL && cliParseNumber(first, &place[0]) && cliParseNumber(comma + 1, &place[1]);
		free(first);
		if (!isPair)
			return cliFailUsage(run, "for example --shift 1.5,-2", "--shift needs X,Z in metres, not \"%s\"", shift);
		if (!cliCheckPlace(run, "shift", place, 2))
			return false;
	}
	plan->hasMove = shift != NULL || cliHas(run, "turn");
	plan->ground =
		(rpGroundTransform){.turn = (float)(turn * M_PI / 180.0), .shift = {(float)place[0], 0.0f, (float)place[1]}};
	return true;
}

static bool getPlan(cliRun* run, Plan* plan)
{
	*plan = (Plan){.output = cliGetOutput(run, ".bvh .glb .csv"), .each = cliHas(run, "each")};
	if (plan->output == NULL || !cliGetSaving(run, plan->output, &plan->saving))
		return false;
	if (plan->each && plan->saving.format != rp_formatGlb)
		return cliFailUsage(run, NULL, "--each is for GLB files only: %s holds one motion", plan->output);
	return cliGetRate(run, &plan->fps) && getCrop(run, plan) && getMove(run, plan) && getRetime(run, plan);
}

// ---- doing it

// Put an edited motion in the place of the old one.
static bool replace(cliRun* run, rpMotion** motion, rpMotion* edited, const rpError* error)
{
	if (edited == NULL)
		return cliFailWork(run, error);
	rpDestroyMotion(*motion);
	*motion = edited;
	return true;
}

static bool retime(cliRun* run, rpMotion** motion, const Plan* plan)
{
	double duration = rpMotion_GetDuration(*motion);
	// A single frame has no duration to stretch; any line of the right slope will do.
	double oldEnd = duration > 0.0 ? duration : 1.0;
	double newTimes[] = {0.0, plan->hasFactor ? oldEnd / plan->factor : 0.0}, oldTimes[] = {0.0, oldEnd};
	rpWarp line = {.newTimes = newTimes, .oldTimes = oldTimes, .count = 2};
	rpError error = {0};
	return replace(run, motion, rpRetimeMotion(*motion, plan->hasFactor ? &line : &plan->warp, &error), &error);
}

static bool edit(cliRun* run, cliClip* clip, const Plan* plan)
{
	rpError error = {0};
	rpMotion** motion = &clip->motion;
	if (plan->hasCrop && !cliCropClip(run, clip, &plan->crop, cliGet(run, "crop")))
		return false;
	if ((plan->hasFactor || plan->hasWarp) && !retime(run, motion, plan))
		return false;
	if (cliHas(run, "mirror") && !replace(run, motion, rpMirrorMotion(*motion, &error), &error))
		return false;
	if (plan->hasMove && !replace(run, motion, rpMoveMotion(*motion, plan->ground, &error), &error))
		return false;
	return plan->fps <= 0.0 || replace(run, motion, rpResampleMotion(*motion, plan->fps, &error), &error);
}

static json_t* reportOnto(cliRun* run, const cliClip* clip, const rpRetargetReport* report, const cliSlide* slide)
{
	bool isLocked = report->lock.contactCount > 0;
	cliPrint(run, "%s: %.3f times as large", clip->name, (double)report->factor);
	if (isLocked)
		cliPrintSlide(run, clip->name, slide);
	json_t* result = json_pack("{s:o,s:o,s:o,s:b,s:o}", "clip", cliMakeText(clip->name), "factor",
							   cliMakeReal((double)report->factor), "rise_m", cliMakeReal((double)report->rise),
							   "locked", isLocked, "root_shift_mm", cliMakeReal(1e3 * (double)report->lock.rootShift));
	cliAddSlide(result, slide);
	return result;
}

// Every clip as the body of another would do it.
static bool retarget(cliRun* run, cliClip* clips, int count, json_t* reports)
{
	const char* text = cliGet(run, "onto");
	cliClip other = {0};
	bool done = text == NULL || cliLoadClip(run, text, &other);
	for (int i = 0; i < count && done && text != NULL; ++i)
	{
		rpError error = {0};
		rpRetargetDef def = rpDefaultRetargetDef();
		rpRetargetReport report;
		def.lockFeet = !cliHas(run, "no-lock") && cliEnsureContacts(run, clips[i].name, clips[i].motion);
		cliSlide slide = {.before = cliMeasureSlide(clips[i].motion)};
		rpMotion* edited = rpRetargetMotion(clips[i].motion, other.motion->skeleton, &def, &report, &error);
		done = replace(run, &clips[i].motion, edited, &error);
		if (done)
			slide.after = cliMeasureSlide(clips[i].motion);
		if (done)
			json_array_append_new(reports, reportOnto(run, &clips[i], &report, &slide));
	}
	cliFreeClip(&other);
	return done;
}

static void keepFirst(cliClip* clips, int* count)
{
	for (int i = 1; i < *count; ++i)
		cliFreeClip(&clips[i]);
	*count = 1;
}

// ---- seams that show

// Frames around a seam in which its step is looked for, and seconds around it that show how fast the clips move.
#define SEAM_FRAMES 2
#define SEAM_AROUND 0.5

// A step at a seam shows if it is more than twice as large as any around it, and more than that: metres, degrees.
#define STEP_FACTOR 2.0
#define STEP_LENGTH 0.01
#define STEP_ANGLE 5.0

/// How far a joint gets from one frame to the next at most: metres, degrees.
typedef struct Step
{
	double length, angle;
} Step;

static Step measureStep(const rpMotion* motion, int frame)
{
	rpTransform before[RP_MAX_JOINTS], after[RP_MAX_JOINTS];
	Step step = {0};
	rpMotion_Forward(motion, frame, before);
	rpMotion_Forward(motion, frame + 1, after);
	for (int k = 0; k < motion->skeleton->jointCount; ++k)
	{
		step.length = fmax(step.length, (double)rpDistance(before[k].p, after[k].p));
		step.angle = fmax(step.angle, (double)rpAngleBetween(before[k].q, after[k].q) / RP_DEGREE);
	}
	return step;
}

// The greatest steps near a seam, and around that.
static void warnOfSeam(cliRun* run, const rpMotion* motion, double seam)
{
	Step near = {0}, around = {0};
	int middle = rpMotion_GetFrame(motion, seam), reach = (int)(SEAM_AROUND * motion->fps);
	for (int f = middle - reach; f < middle + reach; ++f)
	{
		if (f < 0 || f + 1 >= motion->frameCount)
			continue;
		Step step = measureStep(motion, f);
		Step* greatest = f >= middle - SEAM_FRAMES && f < middle + SEAM_FRAMES ? &near : &around;
		greatest->length = fmax(greatest->length, step.length);
		greatest->angle = fmax(greatest->angle, step.angle);
	}
	if (near.length > STEP_FACTOR * around.length + STEP_LENGTH || near.angle > STEP_FACTOR * around.angle + STEP_ANGLE)
		cliWarn(
			run,
			"where clips are joined at %.2f s the body jumps by %.0f cm and %.0f degrees: --join smooth, or reprise "
			"transition, which looks for moments that fit",
			seam, 100.0 * near.length, near.angle);
}

static void warnOfSeams(cliRun* run, const rpMotion* motion)
{
	for (int i = 0; i < motion->annotations.eventCount; ++i)
		if (strcmp(motion->annotations.events[i].name, "seam") == 0)
			warnOfSeam(run, motion, motion->annotations.events[i].time);
}

// Each clip where the one before ends, cut or led over; the last frame of one is the first of the next.
static bool joinAligned(cliRun* run, cliClip* clips, int* count, bool isSmooth)
{
	rpTransitionDef def = rpDefaultTransitionDef();
	def.kind = rp_transitionDisplace;
	def.seconds = isSmooth ? def.seconds : 0.0;
	for (int i = 1; i < *count; ++i)
	{
		rpError error = {0};
		const rpMotion* before = clips[0].motion;
		rpTransitionReport report = {0};
		rpMotion* joined =
			rpMakeTransition(before, rpMotion_GetDuration(before), clips[i].motion, 0.0, &def, &report, &error);
		if (!replace(run, &clips[0].motion, joined, &error))
			return false;
		if (isSmooth && (double)report.distance > CLI_FAR_APART)
			cliWarn(run,
					"%s begins %.0f mm from where the clip before it ends, good joins at most %.0f: reprise transition "
					"looks "
					"for moments that fit",
					clips[i].name, 1e3 * (double)report.distance, 1e3 * CLI_FAR_APART);
	}
	warnOfSeams(run, clips[0].motion);
	keepFirst(clips, count);
	return true;
}

static bool join(cliRun* run, cliClip* clips, int* count, const Plan* plan)
{
	const char* manner = cliGet(run, "join");
	if (*count == 1 || plan->each)
		return true;
	if (manner != NULL && strcmp(manner, "as-is") != 0)
		return joinAligned(run, clips, count, strcmp(manner, "smooth") == 0);
	const rpMotion** motions = cliAllocate((size_t)*count * sizeof(rpMotion*));
	rpError error = {0};
	bool done = true;
	for (int i = 0; i < *count && done; ++i)
	{
		// Only clips of one rate can be joined.
		if (plan->fps > 0.0)
			done = replace(run, &clips[i].motion, rpResampleMotion(clips[i].motion, plan->fps, &error), &error);
		motions[i] = clips[i].motion;
		if (done && fabs(motions[i]->fps - motions[0]->fps) > 1e-6 * motions[0]->fps)
			done = cliFailUsage(run, "--fps brings them to one rate", "%s has %g fps, %s has %g: they cannot be joined",
								clips[0].name, motions[0]->fps, clips[i].name, motions[i]->fps);
	}
	rpMotion* joined = done ? rpJoinMotions(motions, *count, &error) : NULL;
	done = done && replace(run, &clips[0].motion, joined, &error);
	if (done)
	{
		warnOfSeams(run, clips[0].motion);
		keepFirst(clips, count);
	}
	free(motions);
	return done;
}

static bool save(cliRun* run, const cliClip* clips, int count, const Plan* plan)
{
	const rpMotion** motions = cliAllocate((size_t)count * sizeof(rpMotion*));
	for (int i = 0; i < count; ++i)
		motions[i] = clips[i].motion;
	bool done = cliSave(run, motions, count, plan->output, &plan->saving);
	free(motions);
	return done;
}

static bool report(cliRun* run, const cliClip* clips, int count, const Plan* plan, json_t* onto)
{
	json_t* list = json_array();
	for (int i = 0; i < count; ++i)
	{
		json_array_append_new(list, cliMakeOutput(plan->output, clips[i].motion));
		cliPrintOutput(run, plan->output, clips[i].motion);
	}
	json_t* result =
		plan->each ? json_pack("{s:O}", "outputs", list) : json_pack("{s:O}", "output", json_array_get(list, 0));
	json_decref(list);
	if (json_array_size(onto) > 0)
		json_object_set(result, "onto", onto);
	if (run->json)
		return cliReport(run, result);
	json_decref(result);
	return true;
}

static bool convert(cliRun* run, cliClip* clips, int count, const Plan* plan, json_t* onto)
{
	for (int i = 0; i < count; ++i)
	{
		if (!cliLoadClip(run, run->arguments[i], &clips[i]))
			return false;
		cliSumFindings(run, clips[i].name, &clips[i].findings);
	}
	if (!retarget(run, clips, count, onto) || !join(run, clips, &count, plan))
		return false;
	for (int i = 0; i < count; ++i)
	{
		if (!edit(run, &clips[i], plan))
			return false;
	}
	return save(run, clips, count, plan) && report(run, clips, count, plan, onto);
}

static bool runConvert(cliRun* run)
{
	Plan plan;
	int count = run->argumentCount;
	cliClip* clips = cliAllocate((size_t)count * sizeof(cliClip));
	memset(clips, 0, (size_t)count * sizeof(cliClip));
	json_t* onto = json_array();
	bool done = getPlan(run, &plan) && convert(run, clips, count, &plan, onto);
	json_decref(onto);
	for (int i = 0; i < count; ++i)
		cliFreeClip(&clips[i]);
	free(clips);
	cliFreePairs(&plan.knots);
	return done;
}

static const cliOption convertOptions[] = {
	CLI_OUTPUT("The file to write; its ending, .bvh, .glb or .csv, selects the format."),
	{"fps", 0, "F", "Resample to this rate."},
	{"crop", 0, "A..B", "Keep only this stretch, in seconds or frames: 1.5..3, 30f..90f, 2.."},
	{"retime", 0, "FACTOR|FILE",
	 "Play it this many times as fast, or along the lines \"new,old\" (seconds) of a CSV file."},
	{"smooth", 0, NULL, "With a CSV file for --retime: change the speed smoothly between its lines."},
	{"mirror", 0, NULL, "Exchange left and right."},
	{"turn", 0, "DEGREES", "Turn it about the vertical axis, to the left."},
	{"shift", 0, "X,Z", "Move it over the floor by this many metres, after turning."},
	{"join", 0, "as-is|aligned|smooth",
	 "How several clips are joined: each where it is (the default); turned and moved over the floor to where the one "
	 "before ends; or that, and the step in pose and velocity led to nothing on both sides."},
	{"onto", 0, "CLIP",
	 "Put it onto the skeleton of this clip, whose joints have the same names and parents: rotations are kept, the "
	 "path "
	 "grows with the legs, feet are locked."},
	{"no-lock", 0, NULL, "With --onto: leave the feet where the new legs take them."},
	{"each", 0, NULL, "GLB only: make each clip an animation of its own instead of joining them."},
	CLI_SAVING_OPTIONS,
	CLI_FORCE,
	{0},
};

const cliCommand cliConvertCommand = {
	.name = "convert",
	.summary = "Change a clip's format, rate, length, side, timing or place",
	.usage = "CLIP... -o FILE [OPTIONS]",
	.about = "Reads a clip, mends it, edits it and writes it. The edits are made in this order: onto, crop, retime, "
			 "mirror, turn, shift, resample. Labels and contacts go through every edit into the JSON file beside the "
			 "output.\n\n"
			 "Several clips are joined one after the other, each where it is on the floor or, with --join, where the "
			 "one "
			 "before ends; they need the same skeleton, which --onto gives them. reprise transition joins two clips at "
			 "moments of your choice.\n\n"
			 "--fps is the rate of the result. To overrule the rate that the file gives for itself, use --read-fps; a "
			 "file that gives none takes --fps for it.",
	.options = {convertOptions, cliSourceOptions},
	.examples = {{"reprise convert walk.bvh run.bvh -o moves.glb --each", "For a game engine: two animations."},
				 {"reprise convert 'walk.bvh@1.5..3' -o step.bvh --mirror", "One stretch, left and right exchanged."},
				 {"reprise convert take.amc --asf body.asf -o take.bvh --unit cm", "From ASF/AMC, in centimetres."}},
	.minimum = 1,
	.maximum = -1,
	.run = runConvert,
};
