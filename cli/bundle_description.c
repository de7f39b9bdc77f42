#include "bundle_description.h"

#include "clip.h"
#include "space_model.h"
#include "terminal.h"

#include <stdlib.h>
#include <string.h>

bool cliOpenBundle(cliRun* run, const char* path, const rpPlayerDef* def, cliBundle* out)
{
	rpError error = {0};
	*out = (cliBundle){.path = path, .bundle = rpOpenBundle(path, &error)};
	cliNotePath(run, path);
	out->player = out->bundle != NULL ? rpCreatePlayer(out->bundle, def, &error) : NULL;
	if (out->player == NULL && error.file[0] == 0)
		snprintf(error.file, sizeof error.file, "%s", path);
	return out->player != NULL || cliFailInput(run, &error);
}

void cliFreeBundle(cliBundle* bundle)
{
	rpDestroyPlayer(bundle->player);
	rpDestroyBundle(bundle->bundle);
}

static const char* getAbout(const cliBundle* bundle)
{
	const rpModelKindInfo* kind = rpFindModelKind(rpPlayer_GetModel(bundle->player));
	return kind != NULL ? kind->about : rpPlayer_GetModel(bundle->player);
}

static bool isGraphOfSpaces(const rpPlayer* player)
{
	return strcmp(rpPlayer_GetModel(player), "pgraph") == 0;
}

static bool isPacked(const cliBundle* bundle)
{
	return rpBundle_HasChunk(bundle->bundle, "PROW");
}

static size_t getSize(const cliBundle* bundle)
{
	size_t size;
	rpBundle_GetBytes(bundle->bundle, &size);
	return size;
}

static int countClips(const rpPlayer* player)
{
	int count = 0;
	while (rpPlayer_GetClipName(player, count) != NULL)
		++count;
	return count;
}

static json_t* makeParameters(const rpPlayer* player, int request)
{
	json_t* list = json_array();
	const rpSpaceParameter* parameter;
	for (int i = 0; (parameter = rpPlayer_GetParameter(player, request, i)) != NULL; ++i)
		json_array_append_new(list, json_pack("{s:o,s:o,s:s,s:[o,o]}", "name", cliMakeText(parameter->name), "key",
											  cliMakeText(parameter->key), "unit", cliGetValueUnit(parameter), "range",
											  cliMakeReal(cliShowValue(parameter, parameter->low)),
											  cliMakeReal(cliShowValue(parameter, parameter->high))));
	return list;
}

// Of a parametric graph.
static json_t* makeNodes(const rpPlayer* player)
{
	json_t* list = json_array();
	for (int i = 1; isGraphOfSpaces(player) && rpPlayer_GetRequest(player, i) != NULL; ++i)
		json_array_append_new(list, json_pack("{s:o,s:o}", "name", cliMakeText(rpPlayer_GetRequest(player, i)),
											  "parameters", makeParameters(player, i)));
	return list;
}

static json_t* makeNames(const rpPlayer* player, const char* (*get)(const rpPlayer*, int))
{
	json_t* list = json_array();
	const char* name;
	for (int i = 0; (name = get(player, i)) != NULL; ++i)
		json_array_append_new(list, cliMakeText(name));
	return list;
}

json_t* cliMakeBundleDescription(const cliBundle* bundle)
{
	const rpPlayer* player = bundle->player;
	const rpSkeleton* skeleton = rpPlayer_GetSkeleton(player);
	return json_pack("{s:o,s:s,s:b,s:I,s:i,s:o,s:o,s:o,s:o,s:o,s:o,s:b}", "file",
					 cliMakeText(cliGetBaseName(bundle->path)), "kind", rpPlayer_GetModel(player), "packed",
					 isPacked(bundle), "bytes", (json_int_t)getSize(bundle), "joints", skeleton->jointCount, "height_m",
					 cliMakeReal((double)skeleton->height), "clips", makeNames(player, rpPlayer_GetClipName),
					 "requests", makeNames(player, rpPlayer_GetRequest), "labels", makeNames(player, rpPlayer_GetLabel),
					 "parameters", makeParameters(player, 0), "nodes", makeNodes(player), "leans",
					 rpPlayer_FindLayer(player, "lean") >= 0);
}

static void addParameters(cliTable* table, const rpPlayer* player, int request)
{
	const rpSpaceParameter* parameter;
	for (int i = 0; (parameter = rpPlayer_GetParameter(player, request, i)) != NULL; ++i)
	{
		cliTable_Add(table, request > 0 ? "  %s" : "%s", parameter->name);
		cliTable_Add(table, "%.*f to %.*f %s", parameter->isAngle ? 1 : 3, cliShowValue(parameter, parameter->low),
					 parameter->isAngle ? 1 : 3, cliShowValue(parameter, parameter->high), cliGetValueUnit(parameter));
	}
}

// What can be asked for: parameters, nodes with theirs, or gaits.
static void addAsked(cliTable* table, const rpPlayer* player)
{
	addParameters(table, player, 0);
	for (int i = 1; isGraphOfSpaces(player) && rpPlayer_GetRequest(player, i) != NULL; ++i)
	{
		cliTable_Add(table, "node");
		cliTable_Add(table, "%s", rpPlayer_GetRequest(player, i));
		addParameters(table, player, i);
	}
	for (int gait = rp_gaitStand + 1; gait < rp_gaitCount; ++gait)
	{
		rpGaitLimits limits;
		if (!rpPlayer_GetGaitLimits(player, (rpGait)gait, &limits))
			continue;
		cliTable_Add(table, "%s", rpGait_GetName((rpGait)gait));
		cliTable_Add(table, "%.2f to %.2f m/s, turns of %.0f deg/s to the left and %.0f to the right",
					 (double)limits.slowest, (double)limits.fastest, (double)limits.maxTurnLeft / RP_DEGREE,
					 (double)limits.maxTurnRight / RP_DEGREE);
	}
}

void cliPrintBundleDescription(const cliBundle* bundle)
{
	const rpSkeleton* skeleton = rpPlayer_GetSkeleton(bundle->player);
	cliTable table = {.columnCount = 2};
	cliTable_Add(&table, "model");
	cliTable_Add(&table, "%s, %s, %.1f MB", getAbout(bundle), isPacked(bundle) ? "packed" : "exact",
				 1e-6 * (double)getSize(bundle));
	cliTable_Add(&table, "body");
	cliTable_Add(&table, "%d joints, %.2f m tall", skeleton->jointCount, (double)skeleton->height);
	cliTable_Add(&table, "clips");
	cliTable_Add(&table, "%d", countClips(bundle->player));
	addAsked(&table, bundle->player);
	if (rpPlayer_FindLayer(bundle->player, "lean") >= 0)
	{
		cliTable_Add(&table, "layers");
		cliTable_Add(&table, "lean");
	}
	cliLine(stdout, "%s", cliGetBaseName(bundle->path));
	cliTable_Print(&table, stdout, 2);
}
