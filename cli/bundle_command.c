/// bundle: a model of any kind as what a player runs from.
#include "clip.h"
#include "command_options.h"
#include "layer_option.h"
#include "model_list.h"
#include "progress_bar.h"
#include "saving.h"

#include <string.h>

// What to do about a model that is not there.
static bool failModel(cliRun* run, const rpLibrary* library, rpError* error)
{
	char otherwise[200];
	snprintf(otherwise, sizeof otherwise, "build one: reprise graph build %.150s", run->arguments[0]);
	if (error->code == rp_errorMissing && error->hint[0] == 0)
		cliHintAtModels(library, NULL, otherwise, error);
	if (error->file[0] == 0)
		snprintf(error->file, sizeof error->file, "%s", run->arguments[0]);
	return cliFailInput(run, error);
}

/// A bundle on its way to a file.
typedef struct Bundle
{
	void* bytes;
	size_t size;

	/// How large it would be with its frames as they are; what packing did to them, nothing where they are.
	size_t exactSize;
	rpPacking packing;
} Bundle;

static bool reportBundle(cliRun* run, const rpModel* model, const Bundle* bundle, const char* output)
{
	rpModelCount counts[RP_MAX_MODEL_COUNTS];
	int count = rpModel_GetCounts(model, counts);
	double millimetres = 1e3 * (double)bundle->packing.maxTravel, degrees = (double)bundle->packing.maxTurn / RP_DEGREE;
	json_t* result =
		json_pack("{s:o,s:s}", "output", cliMakeText(cliGetBaseName(output)), "kind", rpModel_GetKind(model)->name);
	char text[200] = "";
	for (int i = 0; i < count; ++i)
	{
		size_t size = strlen(text);
		json_object_set_new(result, counts[i].key, json_integer(counts[i].count));
		// The nouns of models that are played end in their plural's s.
		int length = (int)strlen(counts[i].noun) - (counts[i].count == 1);
		snprintf(text + size, sizeof text - size, "%d %.*s, ", counts[i].count, length, counts[i].noun);
	}
	json_object_set_new(result, "bytes", json_integer((json_int_t)bundle->size));
	json_object_set_new(result, "bytes_exact", json_integer((json_int_t)bundle->exactSize));
	json_object_set_new(result, "max_error_mm", json_real(millimetres));
	json_object_set_new(result, "max_error_deg", json_real(degrees));
	if (run->json)
		return cliReport(run, result);
	json_decref(result);
	char packed[100] = "exact";
	if (bundle->size < bundle->exactSize)
		snprintf(packed, sizeof packed, "%.0f%% of what it was, joints off by at most %.3f mm and %.3f deg",
				 100.0 * (double)bundle->size / (double)bundle->exactSize, millimetres, degrees);
	cliPrint(run, "%s: %s%.1f MB, %s", output, text, 1e-6 * (double)bundle->size, packed);
	return true;
}

// Other bytes take the place of the bundle's. False, and reported, if there are none.
static bool replaceBytes(cliRun* run, Bundle* bundle, void* bytes, size_t size, const rpError* error)
{
	if (bytes == NULL)
		return cliFailWork(run, error);
	rpFreeBytes(bundle->bytes);
	bundle->bytes = bytes;
	bundle->size = size;
	return true;
}

static bool addLayer(cliRun* run, const char* text, Bundle* bundle)
{
	rpError error = {0};
	rpLeanDef def;
	size_t size = 0;
	const rpLayerKind* kind = cliGetLayer(run, text, &def);
	if (kind == NULL)
		return false;
	rpBundle* plain = rpCreateBundle(bundle->bytes, bundle->size, &error);
	void* bytes = plain != NULL ? rpBundle_WithLayer(plain, kind, &def, &size, &error) : NULL;
	rpDestroyBundle(plain);
	return replaceBytes(run, bundle, bytes, size, &error);
}

static bool addLayers(cliRun* run, Bundle* bundle)
{
	const char* text;
	bool done = true;
	for (int i = 0; done && (text = cliGetNth(run, "layer", i)) != NULL; ++i)
		done = addLayer(run, text, bundle);
	return done;
}

static bool pack(cliRun* run, Bundle* bundle)
{
	rpError error = {0};
	size_t size = 0;
	rpBundle* exact = rpCreateBundle(bundle->bytes, bundle->size, &error);
	void* bytes = exact != NULL ? rpPackBundle(exact, &bundle->packing, &size, &error) : NULL;
	rpDestroyBundle(exact);
	if (error.code == rp_errorLimit)
		rpError_SetHint(&error, "keep its frames as they are: --exact");
	return replaceBytes(run, bundle, bytes, size, &error);
}

static bool makeBundle(cliRun* run, const rpModel* model, Bundle* bundle)
{
	rpError error = {0};
	bundle->bytes = rpModel_WriteBundle(model, &bundle->size, &error);
	if (bundle->bytes == NULL)
		return cliFailWork(run, &error);
	if (!addLayers(run, bundle))
		return false;
	bundle->exactSize = bundle->size;
	return cliHas(run, "exact") || pack(run, bundle);
}

static bool runBundle(cliRun* run)
{
	rpError error = {0};
	const char* output = cliGetOutput(run, ".rpb");
	rpLibrary* library = output != NULL ? cliOpenLibrary(run, run->arguments[0], rp_openRead) : NULL;
	const char* name = cliHas(run, "model") ? cliGet(run, "model") : "graph";
	if (library == NULL || !cliCheckOutput(run, output))
		return false;
	rpModel* model = rpLibrary_OpenModel(library, name, &error);
	if (model == NULL)
		return failModel(run, library, &error);
	if (rpModel_IsByName(model))
		cliWarnByName(run, rpModel_GetKind(model)->name, name);
	Bundle bundle = {0};
	bool done = makeBundle(run, model, &bundle) &&
				(cliGetInterruption() == 0 || cliFail(run, cli_exitInterrupted, &error)) &&
				(rpSaveBytes(output, bundle.bytes, bundle.size, &error) || cliFailWork(run, &error)) &&
				reportBundle(run, model, &bundle, output);
	rpFreeBytes(bundle.bytes);
	rpDestroyModel(model);
	return done;
}

static const cliOption bundleOptions[] = {
	CLI_OUTPUT("The bundle to write, .rpb."),
	{"model", 0, "NAME", "The model of the library; \"graph\" if not given."},
	{"layer", 0, "LAYER", "What players of it lay on their frames: " CLI_LAYER_ABOUT},
	{"exact", 0, NULL,
	 "Keep frames as they are, in floats. Otherwise they are packed: a sixth to a quarter of the bytes, with each "
	 "joint "
	 "in each frame within 0.1 mm and 0.05 degrees of where it was."},
	CLI_FORCE,
	{0},
};

const cliCommand cliBundleCommand = {
	.name = "bundle",
	.summary = "Write a model of a library as a bundle, for players",
	.usage = "LIB.reprise -o FILE.rpb [OPTIONS]",
	.about = "A bundle holds all that a game or a browser needs to play a model live, and nothing else: the body, the "
			 "clips in the runtime's layout, the graph and its steering table (made if it has none), the movements "
			 "of a model of locomotion, or the examples and samples of a parametric space.",
	.options = {bundleOptions},
	.examples = {{"reprise bundle moves.reprise -o moves.rpb", "The graph called graph."},
				 {"reprise bundle moves.reprise --model locomotion -o gaits.rpb", "Another one, of locomotion."},
				 {"reprise bundle moves.reprise -o moves.rpb --json", "For a program."}},
	.minimum = 1,
	.maximum = 1,
	.run = runBundle,
};
