#include "walk_output.h"

#include "graph_model.h"
#include "progress_bar.h"

#include <stdlib.h>
#include <string.h>

bool cliBeginWalk(cliRun* run, cliWalkOutput* work)
{
	*work = (cliWalkOutput){
		.output = cliGetOutput(run, ".bvh .glb .csv"), .facts = json_object(), .asked = cliNothingAsked()};
	if (work->output == NULL || !cliCheckWalkPicture(run) || !cliGetSaving(run, work->output, &work->saving) ||
		!cliGetRate(run, &work->fps))
		return false;
	work->graph = cliLoadGraph(run);
	return work->graph != NULL;
}

void cliEndWalk(cliWalkOutput* work)
{
	rpDestroyMotion(work->motion);
	rpDestroyWalk(work->walk);
	rpDestroyGraph(work->graph);
	json_decref(work->facts);
	free(work->title);
	cliFreeStream(&work->stream);
	cliFreeAsked(&work->asked);
}

static int countTransitions(const cliWalkOutput* work)
{
	int count = 0;
	for (int i = 0; i < work->walk->edgeCount; ++i)
		count += rpGraphEdge_IsTransition(&work->graph->edges[work->walk->edges[i]]);
	return count;
}

static bool reportResult(cliRun* run, const cliWalkOutput* work)
{
	double length = rpWalk_GetLength(work->walk, work->graph);
	if (run->json)
	{
		json_t* result = json_pack("{s:o,s:o,s:i,s:o}", "seconds", cliMakeReal(rpMotion_GetDuration(work->motion)),
								   "length_m", cliMakeReal(length), "transitions", countTransitions(work), "output",
								   cliMakeOutput(work->output, work->motion));
		json_object_update(result, work->facts);
		return cliReport(run, result);
	}
	cliPrintOutput(run, work->output, work->motion);
	int transitions = countTransitions(work);
	cliPrint(run, "%.1f m, %d transition%s", length, transitions, cliPlural(transitions));
	return true;
}

static bool addFrame(void* context, const rpMotion* motion, int frame, const rpPose* pose, rpError* error)
{
	cliWalkOutput* work = context;
	cliKeepTrail(&work->asked, pose);
	return cliAddFrame(&work->stream, motion, frame, pose, error);
}

static bool writeWalk(cliRun* run, cliWalkOutput* work)
{
	rpError error = {0};
	work->asked.keepsTrail = work->asked.points != NULL || cliHas(run, "picture");
	rpWalkRenderDef def = rpDefaultWalkRenderDef();
	def.fps = work->fps;
	def.lockFeet = !cliHas(run, "no-lock");
	def.addFrame = addFrame;
	def.frameContext = work;
	def.progress = cliStepBar;
	cliStartBar(run->quiet || run->json);
	work->motion = rpWalk_Render(work->walk, work->graph, &def, &error);
	cliEndBar();
	if (work->motion == NULL || !rpMotion_SetName(work->motion, work->title, &error))
		return cliFailWork(run, &error);
	return cliNoteAsked(run, &work->asked, work->motion) && cliFinishStream(run, &work->stream, work->motion);
}

bool cliFinishWalk(cliRun* run, cliWalkOutput* work)
{
	return cliStartStream(run, work->output, &work->saving, &work->stream) && writeWalk(run, work) &&
		   cliDrawWalk(run, &work->asked, work->motion, work->facts) && reportResult(run, work);
}

// ---- options

bool cliGetSeed(cliRun* run, uint64_t* seed)
{
	double number = 0.0;
	bool done = cliGetNumber(run, "seed", 0.0, 9007199254740992.0, &number);
	*seed = (uint64_t)number;
	return done;
}

bool cliGetSearch(cliRun* run, rpSearchDef* search)
{
	double effort = 20000.0, choices = 1.0;
	if (!cliGetNumber(run, "effort", 100.0, 1e9, &effort) || !cliGetNumber(run, "choices", 1.0, 16.0, &choices) ||
		!cliGetSeed(run, &search->seed))
		return false;
	search->effort = (int64_t)effort;
	search->choices = (int)choices;
	search->progress = cliStepBar;
	return true;
}

bool cliParseTriple(const char* text, double out[3])
{
	char* copy = cliFormat("%s", text);
	char* rest = NULL;
	int count = 0;
	bool done = true;
	for (char* part = strtok_r(copy, ",", &rest); part != NULL && done; part = strtok_r(NULL, ",", &rest))
	{
		done = count < 3 && cliParseNumber(part, &out[count]);
		++count;
	}
	free(copy);
	return done && count == 3;
}

bool cliGetPlace(cliRun* run, const char* option, bool isNeeded, rpGroundTransform* out)
{
	const char* text = cliGet(run, option);
	double numbers[3] = {0};
	char hint[60];
	snprintf(hint, sizeof hint, "for example --%s 3,4,90", option);
	if (text == NULL && !isNeeded)
		return true;
	if (text == NULL || !cliParseTriple(text, numbers))
		return cliFailUsage(run, hint, "--%s needs X,Z,DEGREES", option);
	if (!cliCheckPlace(run, option, numbers, 3))
		return false;
	*out = (rpGroundTransform){(float)(numbers[2] * RP_DEGREE), {(float)numbers[0], 0.0f, (float)numbers[1]}};
	return true;
}
