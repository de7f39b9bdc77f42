#include "pgraph_report.h"

#include "space_model.h"

#include <math.h>
#include <stdlib.h>

// Beyond this, in ranges, a motion is said to be another than was asked for.
#define MISSED 0.01f

/// All motions together.
typedef struct Sums
{
	int motions, repaired, forced, missed, lacked, answers;
	double response, responseMax, distance, distanceMax;
} Sums;

rpSpace cliGetNodeParameters(const rpPlayer* player, int node)
{
	rpSpace space = {0};
	const rpSpaceParameter* parameter;
	while ((parameter = rpPlayer_GetParameter(player, node + 1, space.parameterCount)) != NULL)
		space.parameters[space.parameterCount++] = *parameter;
	return space;
}

// The run with which a motion begins is followed by others in which another node was requested.
static bool begins(const rpRecording* recording, int run)
{
	return run == 0 || recording->runs[run].parametric.number != recording->runs[run - 1].parametric.number;
}

static double getEnd(const rpRecording* recording, int run)
{
	int next = run + 1;
	while (next < recording->runCount && !begins(recording, next))
		++next;
	int frame = next < recording->runCount ? recording->runs[next].first : recording->motion->frameCount;
	return frame / recording->motion->fps;
}

static bool isOther(const rpSpace* space, const float* a, const float* b)
{
	bool is = false;
	for (int k = 0; k < space->parameterCount; ++k)
		is = is || fabsf(a[k] - b[k]) > MISSED * (space->parameters[k].high - space->parameters[k].low) + 1e-6f;
	return is;
}

static Sums sumUp(const cliPlay* play)
{
	Sums sums = {0};
	for (int i = 0; i < play->recording.runCount; ++i)
	{
		const rpParametricReport* report = &play->recording.runs[i].parametric;
		if (!begins(&play->recording, i))
			continue;
		rpSpace space = cliGetNodeParameters(play->player, report->node);
		++sums.motions;
		sums.repaired += report->repairs > 0;
		sums.forced += report->isForced;
		sums.missed += isOther(&space, report->requested, report->granted);
		sums.lacked += isOther(&space, report->granted, report->achieved);
		sums.distance += (double)report->distance;
		sums.distanceMax = fmax(sums.distanceMax, (double)report->distance);
		sums.answers += report->isAnswer;
		sums.response += report->isAnswer ? (double)report->response : 0.0;
		sums.responseMax = report->isAnswer ? fmax(sums.responseMax, (double)report->response) : sums.responseMax;
	}
	// The first comes from nowhere.
	sums.distance /= sums.motions > 1 ? sums.motions - 1 : 1;
	sums.response /= sums.answers > 0 ? sums.answers : 1;
	return sums;
}

static json_t* makeBox(const rpSpace* space, const rpParametricReport* report)
{
	json_t* box = json_object();
	for (int i = 0; i < space->parameterCount; ++i)
	{
		const rpSpaceParameter* parameter = &space->parameters[i];
		char* key = cliGetValueKey(parameter);
		json_object_set_new(box, key,
							json_pack("[o,o]", cliMakeReal(cliShowValue(parameter, report->low[i])),
									  cliMakeReal(cliShowValue(parameter, report->high[i]))));
		free(key);
	}
	return box;
}

static json_t* makeMotion(const cliPlay* play, int index)
{
	const rpRecording* recording = &play->recording;
	const rpParametricReport* report = &recording->runs[index].parametric;
	rpSpace space = cliGetNodeParameters(play->player, report->node);
	const char* asked =
		report->requestedNode >= 0 ? rpPlayer_GetRequest(play->player, report->requestedNode + 1) : NULL;
	bool isFirst = report->number == 0;
	json_t* item = json_pack(
		"{s:o,s:o,s:o,s:o,s:[o,o]}", "node", cliMakeText(rpPlayer_GetRequest(play->player, report->node + 1)),
		"requested_node", asked != NULL ? cliMakeText(asked) : json_null(), "start_s",
		cliMakeReal(recording->runs[index].first / recording->motion->fps), "end_s",
		cliMakeReal(getEnd(recording, index)), "core_s", cliMakeReal(report->start), cliMakeReal(report->end));
	json_t* more = json_pack(
		"{s:o,s:o,s:o,s:o,s:o,s:o,s:i,s:b,s:o}", "requested", cliMakeValues(&space, report->requested), "box",
		makeBox(&space, report), "granted", cliMakeValues(&space, report->granted), "achieved",
		cliMakeValues(&space, report->achieved), "distance_m",
		isFirst ? json_null() : cliMakeReal((double)report->distance), "bad_m",
		isFirst ? json_null() : cliMakeReal((double)report->bad), "repairs", report->repairs, "forced",
		report->isForced, "response_s", report->isAnswer ? cliMakeReal((double)report->response) : json_null());
	json_object_update_new(item, more);
	return item;
}

static json_t* makeResult(const cliPlay* play, const Sums* sums, const char* output)
{
	const rpRecording* recording = &play->recording;
	json_t* motions = json_array();
	for (int i = 0; i < recording->runCount; ++i)
		if (begins(recording, i))
			json_array_append_new(motions, makeMotion(play, i));
	json_t* together =
		json_pack("{s:i,s:i,s:i,s:i,s:i,s:o,s:o,s:i,s:o,s:o}", "motions", sums->motions, "repaired", sums->repaired,
				  "forced", sums->forced, "missed", sums->missed, "lacked", sums->lacked, "distance_mean_m",
				  cliMakeReal(sums->distance), "distance_max_m", cliMakeReal(sums->distanceMax), "answers",
				  sums->answers, "response_mean_s", sums->answers > 0 ? cliMakeReal(sums->response) : json_null(),
				  "response_max_s", sums->answers > 0 ? cliMakeReal(sums->responseMax) : json_null());
	return json_pack("{s:o,s:o,s:i,s:b,s:o}", "motions", motions, "sums", together, "transitions", recording->seamCount,
					 "locked", play->def.lockFeet, "output", cliMakeOutput(output, recording->motion));
}

static int countOf(const rpRecording* recording, int node)
{
	int count = 0;
	for (int i = 0; i < recording->runCount; ++i)
		count += begins(recording, i) && recording->runs[i].parametric.node == node;
	return count;
}

// "9 of walk, 4 of run".
static void printNodes(cliRun* run, const cliPlay* play, const Sums* sums)
{
	char text[RP_MAX_PARAMETRIC_NODES * (RP_PARAMETRIC_NAME + 16)] = "";
	size_t size = 0;
	const char* name;
	for (int i = 0; (name = rpPlayer_GetRequest(play->player, i + 1)) != NULL && size < sizeof text; ++i)
	{
		int count = countOf(&play->recording, i);
		if (count > 0)
			size += (size_t)snprintf(text + size, sizeof text - size, "%s%d of %s", size > 0 ? ", " : "", count, name);
	}
	cliPrint(run, "%d motion%s: %s", sums->motions, cliPlural(sums->motions), text);
}

static void printSums(cliRun* run, const cliPlay* play, const Sums* sums, bool isAsked)
{
	printNodes(run, play, sums);
	if (sums->motions > 1)
		cliPrint(run, "from one to the next %.3f m on the average, %.3f m at most; %d repaired", sums->distance,
				 sums->distanceMax, sums->repaired);
	if (isAsked && sums->missed + sums->lacked > 0)
		cliPrint(
			run,
			"%d got the nearest to what they were asked for that can follow there, %d the nearest that is in their "
			"space",
			sums->missed, sums->lacked);
	if (isAsked && sums->answers > 0)
		cliPrint(run, "%d answer%s a change of what is asked for, %.2f s after it on the average, %.2f s at most",
				 sums->answers, sums->answers == 1 ? "s" : "", sums->response, sums->responseMax);
}

bool cliReportPgraph(cliRun* run, const cliPlay* play, bool isAsked, const char* output)
{
	Sums sums = sumUp(play);
	if (sums.forced > 0)
		cliWarn(run,
				"%d of %d motions follow though none was found that is good enough: the edges have too few samples, or "
				"their thresholds are too small (reprise pgraph build --samples, --share)",
				sums.forced, sums.motions);
	if (run->json)
		return cliReport(run, makeResult(play, &sums, output));
	cliPrintOutput(run, output, play->recording.motion);
	printSums(run, play, &sums, isAsked);
	return true;
}
