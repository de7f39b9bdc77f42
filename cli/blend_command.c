#include "clip.h"
#include "command_options.h"
#include "footing.h"
#include "saving.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A stretch of clips is taken in place of the whole where its distance is less than this part of theirs.
#define MUCH_BETTER 0.8

/// What was asked, and what came of it.
typedef struct Work
{
	cliClip* clips;
	const rpMotion** motions;
	float* weights;
	int count;

	rpRegistration* registration;
	bool isFree;
	rpBlendDef def;
	rpBlendReport report;
	rpMotion* result;

	bool isLocked;
	cliSlide slide;
} Work;

static const char* getSchemeName(rpBlendScheme scheme)
{
	return scheme == rp_blendPlain ? "plain" : scheme == rp_blendPhysical ? "physical" : "auto";
}

// ---- what is asked

static bool failWeights(cliRun* run, const Work* work, const char* text)
{
	return cliFailUsage(run, "for example --weights 0.3,0.7",
						"--weights needs %d numbers from 0 on, one for each clip and not all 0; not \"%s\"",
						work->count, text);
}

// One number for each clip, separated by commas; equal ones if nothing is said.
static bool getWeights(cliRun* run, Work* work)
{
	const char *text = cliGet(run, "weights"), *rest = text;
	double sum = 0.0;
	for (int i = 0; i < work->count; ++i)
	{
		double weight = 1.0;
		if (text != NULL)
		{
			const char* comma = strchr(rest, ',');
			bool isLast = i + 1 == work->count;
			char* part = cliFormat("%.*s", comma != NULL ? (int)(comma - rest) : (int)strlen(rest), rest);
			bool isNumber =
				cliParseNumber(part, &weight) && weight >= 0.0 && weight <= 1e6 && (comma == NULL) == isLast;
			free(part);
			if (!isNumber)
				return failWeights(run, work, text);
			rest = comma != NULL ? comma + 1 : rest;
		}
		work->weights[i] = (float)weight;
		sum += weight;
	}
	return sum > 0.0 || failWeights(run, work, text);
}

static bool getDef(cliRun* run, Work* work)
{
	const char* scheme = cliGet(run, "scheme");
	work->def = rpDefaultBlendDef();
	work->def.weights = work->weights;
	for (int i = 0; scheme != NULL && i < rp_blendSchemeCount; ++i)
	{
		if (strcmp(scheme, getSchemeName((rpBlendScheme)i)) == 0)
			work->def.scheme = (rpBlendScheme)i;
	}
	return cliGetRate(run, &work->def.fps) && getWeights(run, work);
}

// ---- doing it

static bool load(cliRun* run, Work* work)
{
	for (int i = 0; i < work->count; ++i)
	{
		cliClip* clip = work->clips + i;
		if (!cliLoadClip(run, run->arguments[i], clip))
			return false;
		cliSumFindings(run, clip->name, &clip->findings);
		cliEnsureContacts(run, clip->name, clip->motion);
		work->motions[i] = clip->motion;
	}
	return true;
}

static rpRegistration* registerClips(const Work* work, bool freeEnds, rpError* error)
{
	rpRegistrationDef def = rpDefaultRegistrationDef();
	def.freeEnds = freeEnds;
	return rpCreateRegistration(work->motions, work->count, &def, error);
}

static double getCost(const rpRegistration* registration)
{
	double cost = 0.0;
	for (int i = 0; i < registration->motionCount; ++i)
		cost = fmax(cost, (double)registration->costs[i]);
	return cost;
}

// Whether a stretch is worth leaving out the rest of the clips: it has phases, or it fits much better.
static bool isWorthIt(const rpRegistration* stretch, const rpRegistration* whole)
{
	return whole == NULL || (stretch->stageCount > 0 && whole->stageCount == 0) ||
		   ((stretch->stageCount > 0) == (whole->stageCount > 0) && getCost(stretch) < MUCH_BETTER * getCost(whole));
}

// Whole clips; or, if it is not said otherwise and these have no common phases, the best stretch.
static bool registerAll(cliRun* run, Work* work)
{
	const char* ends = cliGet(run, "ends");
	bool isAuto = ends == NULL || strcmp(ends, "auto") == 0;
	rpError error = {0}, ignored = {0};
	work->isFree = !isAuto && strcmp(ends, "free") == 0;
	work->registration = registerClips(work, work->isFree, &error);
	if (isAuto && (work->registration == NULL || work->registration->stageCount == 0))
	{
		rpRegistration* other = registerClips(work, true, &ignored);
		if (other != NULL && isWorthIt(other, work->registration))
		{
			rpRegistration* whole = work->registration;
			work->registration = other;
			other = whole;
			work->isFree = true;
		}
		rpDestroyRegistration(other);
	}
	return work->registration != NULL || cliFailWork(run, &error);
}

static bool blend(cliRun* run, Work* work)
{
	rpError error = {0};
	work->result = rpRegistration_Blend(work->registration, &work->def, &work->report, &error);
	if (work->result == NULL)
		return cliFailWork(run, &error);
	if (work->def.scheme != rp_blendPlain && work->report.reason[0] != '\0')
		cliWarn(run, "blended by the plain scheme: %s", work->report.reason);
	if (!cliHas(run, "no-lock"))
		work->isLocked = cliLockFeet(run, &work->result, 0.0, rpMotion_GetDuration(work->result), NULL, &work->slide);
	return true;
}

// ---- what is reported

static json_t* makeInputs(const Work* work)
{
	const rpRegistration* r = work->registration;
	json_t* inputs = json_array();
	double sum = 0.0;
	for (int i = 0; i < work->count; ++i)
		sum += (double)work->weights[i];
	for (int i = 0; i < work->count; ++i)
	{
		const double* times = r->times + (ptrdiff_t)i * r->keyCount;
		json_array_append_new(inputs, json_pack("{s:o,s:o,s:o,s:o,s:o}", "clip", cliMakeText(work->clips[i].name),
												"weight", cliMakeReal((double)work->weights[i] / sum), "start_s",
												cliMakeReal(times[0]), "end_s", cliMakeReal(times[r->keyCount - 1]),
												"distance_m", cliMakeReal((double)r->costs[i])));
	}
	return inputs;
}

static json_t* makeResult(const Work* work, const char* output)
{
	const rpBlendReport* report = &work->report;
	json_t* result = json_pack("{s:s,s:s,s:s,s:o,s:i,s:i}", "scheme", getSchemeName(report->scheme), "reason",
							   report->reason, "ends", work->isFree ? "free" : "whole", "clips", makeInputs(work),
							   "phases", report->phaseCount, "flights", report->flightCount);
	json_object_set_new(result, "velocity_jump_m_per_s", cliMakeReal((double)report->velocityJump));
	json_object_set_new(result, "foot_miss_mm", cliMakeReal(1e3 * (double)report->footMiss));
	json_object_set_new(result, "locked", json_boolean(work->isLocked));
	if (work->isLocked)
		cliAddSlide(result, &work->slide);
	json_object_set_new(result, "output", cliMakeOutput(output, work->result));
	return result;
}

static bool reportResult(cliRun* run, const Work* work, const char* output)
{
	const rpBlendReport* report = &work->report;
	if (run->json)
		return cliReport(run, makeResult(work, output));
	cliPrintOutput(run, output, work->result);
	if (report->scheme == rp_blendPhysical)
		cliPrint(run, "physical scheme: %d phases, %d of them in flight; the velocity jumps by %.3f m/s at most",
				 report->phaseCount, report->flightCount, (double)report->velocityJump);
	else
		cliPrint(run, "plain scheme");
	if (work->isLocked)
		cliPrintSlide(run, NULL, &work->slide);
	return true;
}

static void freeWork(Work* work)
{
	rpDestroyMotion(work->result);
	rpDestroyRegistration(work->registration);
	for (int i = 0; i < work->count; ++i)
		cliFreeClip(work->clips + i);
	free(work->clips);
	free(work->motions);
	free(work->weights);
}

static bool runBlend(cliRun* run)
{
	size_t count = (size_t)run->argumentCount;
	Work work = {.count = run->argumentCount};
	work.clips = cliAllocate(count * sizeof(cliClip));
	work.motions = cliAllocate(count * sizeof(rpMotion*));
	work.weights = cliAllocate(count * sizeof(float));
	memset(work.clips, 0, count * sizeof(cliClip));
	rpSaveDef saving;
	const char* output = cliGetOutput(run, ".bvh .glb .csv");
	bool done = output != NULL && cliGetSaving(run, output, &saving) && getDef(run, &work) && load(run, &work) &&
				registerAll(run, &work) && blend(run, &work);
	const rpMotion* motion = work.result;
	done = done && cliSave(run, &motion, 1, output, &saving) && reportResult(run, &work, output);
	freeWork(&work);
	return done;
}

static const cliOption blendOptions[] = {
	CLI_OUTPUT("The file to write, .bvh, .glb or .csv."),
	{"weights", 0, "W,W,...", "How much of each clip, relative to their sum; the same of each if not given."},
	{"scheme", 0, "auto|plain|physical",
	 "Physically correct wherever the phases of the clips are known (auto and physical), or plain means."},
	{"ends", 0, "auto|whole|free",
	 "Register whole clips; or the best stretch, ends may hang over; or (auto, if not given) the whole where it has "
	 "common phases, else whatever fits better."},
	{"fps", 0, "F", "Rate of the result; that of the first clip if not given."},
	{"no-lock", 0, NULL, "Leave feet as the blend has them."},
	{"lock", 0, NULL, "Hold feet that bear; done anyway, accepted for old scripts."},
	CLI_SAVING_OPTIONS,
	CLI_FORCE,
	{0},
};

const cliCommand cliBlendCommand = {
	.name = "blend",
	.summary = "Mix clips of one action into one between them",
	.usage = "CLIP CLIP... -o FILE [OPTIONS]",
	.about =
		"Brings clips of one action (two walks, three jumps) into one time and one place, and mixes them: with "
		"weights 0.5,0.5 of a slow walk and a fast one comes a walk of the speed between.\n\n"
		"Where all clips have the same sequence of contacts, the mix is physically correct if they are: phases "
		"last "
		"as gravity wants it, the centre of mass falls in flight, feet that rest do not slide. Otherwise joints "
		"and "
		"roots are averaged, and a warning says why. Contacts are found where a clip has none.\n\n"
		"The clips need the same skeleton (convert --onto gives them one). The registration is reported as the stretch "
		"of each clip that was used and its mean distance from its neighbour.",
	.options = {blendOptions, cliSourceOptions},
	.examples = {{"reprise blend slow.bvh fast.bvh -o walk.bvh", "Half of each."},
				 {"reprise blend left.bvh ahead.bvh right.bvh --weights 1,2,0.5 -o turn.bvh --json",
				  "Three of them, for a program."},
				 {"reprise blend 'moves.reprise#jump-1@1..3' 'moves.reprise#jump-2' -o jump.glb --no-lock",
				  "Stretches from a library, feet as the blend has them."}},
	.minimum = 2,
	.maximum = -1,
	.run = runBlend,
};
