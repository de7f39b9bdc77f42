/// The runtime in a browser: how large it is, a step beside the same step natively, and what the page costs. Node and a
/// headless Chromium measure (test/web/bench.mjs); models, pages and native steps are made here.
#include "bench.h"
#include "reprise/reprise.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum
{
	modelCount = 2,
	walkCount = 5,
	roundCount = 3,
	ticksPerRound = 24000,
	changeTicks = 120,
	pathSize = 1200,
};

#define TICK (1.0 / 60.0)

/// A model as a packed bundle, and what one tick of it takes.
typedef struct Model
{
	const char* name;
	void* bytes;
	size_t size;
	double native, web;
} Model;

typedef struct Scene
{
	Model models[modelCount];
	char folder[32];
} Scene;

// ---- models

static rpMotion* perform(const char* script, float turnDegrees, uint64_t seed, rpError* error)
{
	rpPerformDef def = rpDefaultPerformDef(script != NULL ? rp_actTake : rp_actWalk);
	def.script = script;
	def.seconds = script != NULL ? 0.0 : 8.0;
	def.seed = seed;
	if (script == NULL)
	{
		def.parameters[rp_paramTurn] = turnDegrees * (float)(M_PI / 180.0);
	}
	return rpPerform(&def, error);
}

static void* makeGait(size_t* size, rpError* error)
{
	rpMotion* take =
		perform("stand 2; walk 5 1.2 0; walk 5 1.4 30; walk 5 1.1 -30; stand 2; walk 4 1.6 10; run 5 2.5 0; run "
				"5 3 25; run 5 3.2 -25; walk 4 1.3 -10; stand 2; run 5 2.8 0; stand 2",
				0.0f, 3, error);
	rpLocomotionDef def = rpDefaultLocomotionDef();
	def.mirror = true;
	const rpMotion* takes[] = {take};
	rpLocomotion* model = take != NULL ? rpBuildLocomotionOf(takes, 1, &def, NULL, error) : NULL;
	void* bytes = model != NULL ? rpWriteLocomotionBundle(model, size, error) : NULL;
	rpDestroyLocomotion(model);
	rpDestroyMotion(take);
	return bytes;
}

static void* makeGraph(size_t* size, rpError* error)
{
	static const float turns[walkCount] = {0.0f, 15.0f, 30.0f, 50.0f, 75.0f};
	rpMotion* walks[walkCount] = {0};
	bool done = true;
	for (int i = 0; i < walkCount && done; ++i)
	{
		walks[i] = perform(NULL, turns[i], (uint64_t)i + 1, error);
		done = walks[i] != NULL;
	}
	rpGraphDef def = rpDefaultGraphDef();
	def.mirror = true;
	rpGraph* graph = done ? rpBuildGraphOf((const rpMotion* const*)walks, walkCount, &def, NULL, error) : NULL;
	void* bytes = graph != NULL ? rpWriteGraphBundle(graph, size, error) : NULL;
	rpDestroyGraph(graph);
	for (int i = 0; i < walkCount; ++i)
	{
		rpDestroyMotion(walks[i]);
	}
	return bytes;
}

// Players of pages have packed bundles.
static bool pack(Model* model, const char* name, void* exact, size_t size, rpError* error)
{
	rpBundle* bundle = exact != NULL ? rpCreateBundle(exact, size, error) : NULL;
	model->name = name;
	model->bytes = bundle != NULL ? rpPackBundle(bundle, NULL, &model->size, error) : NULL;
	rpDestroyBundle(bundle);
	rpFreeBytes(exact);
	return model->bytes != NULL;
}

static bool makeModels(Scene* scene, rpError* error)
{
	size_t size = 0;
	void* gait = makeGait(&size, error);
	if (!pack(&scene->models[0], "locomotion", gait, size, error))
	{
		return false;
	}
	void* graph = makeGraph(&size, error);
	return pack(&scene->models[1], "graph", graph, size, error);
}

// ---- native steps

// The same as test/web/bench.mjs asks for.
static rpPlayerInput getInput(int tick)
{
	double angle = 0.7 * floor((double)tick / changeTicks);
	return (rpPlayerInput){.stick = {(float)sin(angle), (float)cos(angle)},
						   .request = tick / changeTicks % 3 == 2 ? 2 : 1};
}

static bool timeNatively(Model* model, rpError* error)
{
	rpBundle* bundle = rpCreateBundle(model->bytes, model->size, error);
	rpPlayer* player = bundle != NULL ? rpCreatePlayer(bundle, NULL, error) : NULL;
	rpQuat* rotations =
		player != NULL ? calloc((size_t)rpPlayer_GetSkeleton(player)->jointCount, sizeof(rpQuat)) : NULL;
	if (rotations != NULL)
	{
		rpPose pose = {.rotations = rotations};
		rpPlayerReport report;
		double start = benchNow();
		for (int i = 0; i < ticksPerRound; ++i)
		{
			rpPlayerInput input = getInput(i);
			rpPlayer_Step(player, TICK, &input, &pose, &report);
		}
		double us = 1e6 * (benchNow() - start) / ticksPerRound;
		model->native = model->native > 0.0 ? fmin(model->native, us) : us;
	}
	free(rotations);
	rpDestroyPlayer(player);
	rpDestroyBundle(bundle);
	return player != NULL;
}

// ---- what Node says

static bool writeFile(const Scene* scene, const Model* model)
{
	char path[pathSize];
	snprintf(path, sizeof(path), "%s/%s.rpb", scene->folder, model->name);
	FILE* file = fopen(path, "wb");
	bool done = file != NULL && fwrite(model->bytes, 1, model->size, file) == model->size;
	return file != NULL && fclose(file) == 0 && done;
}

static bool writeInputs(const Scene* scene, rpError* error)
{
	rpPageModel models[modelCount];
	for (int i = 0; i < modelCount; ++i)
	{
		const Model* model = &scene->models[i];
		models[i] = (rpPageModel){.name = model->name, .bytes = model->bytes, .size = model->size};
		if (!writeFile(scene, model))
		{
			fprintf(stderr, "reprise-bench web: cannot write to %s\n", scene->folder);
			return false;
		}
	}
	char path[pathSize];
	snprintf(path, sizeof(path), "%s/page.html", scene->folder);
	rpPageDef def = rpDefaultPageDef();
	def.models = models;
	def.modelCount = modelCount;
	return rpWritePage(NULL, 0, path, &def, error);
}

// What the script prints: figures by name. NULL: reported.
static json_t* ask(const Scene* scene, const char* what)
{
	const char* source = getenv("REPRISE_SOURCE");
	char command[pathSize];
	snprintf(command, sizeof(command), "node --expose-gc '%.500s/test/web/bench.mjs' '%s' %s",
			 source != NULL ? source : ".", scene->folder, what);
	FILE* pipe = popen(command, "r");
	json_error_t where;
	json_t* said = pipe != NULL ? json_loadf(pipe, 0, &where) : NULL;
	int code = pipe != NULL ? pclose(pipe) : -1;
	if (said == NULL || code != 0)
	{
		fprintf(stderr,
				"reprise-bench web: %s failed (run it in the source tree, or set REPRISE_SOURCE; it needs what "
				"`tools/setup test` and test/web/install.sh bring)\n",
				command);
		json_decref(said);
		return NULL;
	}
	return said;
}

static double getNumber(const json_t* said, const char* key)
{
	const json_t* value = json_object_get(said, key);
	return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

// In turn, so that a busy machine slows both alike; the fastest of each.
static bool timeSteps(Scene* scene, rpError* error)
{
	for (int round = 0; round < roundCount; ++round)
	{
		json_t* said = ask(scene, "steps");
		for (int i = 0; i < modelCount && said != NULL; ++i)
		{
			Model* model = &scene->models[i];
			double us = getNumber(said, model->name);
			model->web = round > 0 ? fmin(model->web, us) : us;
			if (!timeNatively(model, error))
			{
				json_decref(said);
				return false;
			}
		}
		if (said == NULL)
		{
			return false;
		}
		json_decref(said);
	}
	return true;
}

static void putSteps(const Scene* scene, BenchReport* report)
{
	const Model *gait = &scene->models[0], *graph = &scene->models[1];
	benchPut(report, "step_us", gait->web, "a tick of a locomotion player in Node, microseconds");
	benchPut(report, "native_step_us", gait->native, "the same natively");
	benchPut(report, "step_ratio", gait->web / gait->native, "times as long as natively (at most 4)");
	benchPut(report, "graph_step_us", graph->web, "a tick of a graph player in Node, microseconds");
	benchPut(report, "graph_native_step_us", graph->native, "the same natively");
	benchPut(report, "graph_step_ratio", graph->web / graph->native, "times as long as natively (at most 4)");
}

static bool measurePage(const Scene* scene, BenchReport* report)
{
	static const struct
	{
		const char *key, *what;
	} figures[] = {
		{"wasm_kb", "reprise-play.wasm, kB"},
		{"wasm_packed_kb", "the same as zlib packs it, kB"},
		{"page_script_kb", "the page's script, minified, kB"},
		{"module_garbage_kb_per_s", "garbage of a player in Node, kB for each second of motion (0)"},
		{"script_ms_per_frame_p95", "script of a frame with 20 characters, 95th percentile, ms (at most 4)"},
		{"script_ms_per_frame", "the same, median"},
		{"load_ms", "from opening the page until somebody can be driven, ms"},
		{"garbage_kb_per_s", "garbage of the page while one is driven, kB/s (0)"},
	};
	json_t* said = ask(scene, "page");
	for (size_t i = 0; said != NULL && i < sizeof(figures) / sizeof(figures[0]); ++i)
	{
		benchPut(report, figures[i].key, getNumber(said, figures[i].key), figures[i].what);
	}
	json_decref(said);
	return said != NULL;
}

static void removeFolder(const Scene* scene)
{
	static const char* const names[] = {"locomotion.rpb", "graph.rpb", "page.html"};
	char path[pathSize];
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); ++i)
	{
		snprintf(path, sizeof(path), "%s/%s", scene->folder, names[i]);
		remove(path);
	}
	rmdir(scene->folder);
}

bool benchWeb(const BenchOptions* options, BenchReport* report)
{
	(void)options;
	Scene scene = {.folder = "/tmp/reprise-bench.XXXXXX"};
	rpError error = {0};
	if (mkdtemp(scene.folder) == NULL)
	{
		fprintf(stderr, "reprise-bench web: no folder in /tmp\n");
		return false;
	}
	bool done = makeModels(&scene, &error) && writeInputs(&scene, &error) && timeSteps(&scene, &error);
	if (done)
	{
		putSteps(&scene, report);
		done = measurePage(&scene, report);
	}
	if (error.message[0] != 0)
	{
		fprintf(stderr, "reprise-bench web: %s\n", error.message);
	}
	for (int i = 0; i < modelCount; ++i)
	{
		rpFreeBytes(scene.models[i].bytes);
	}
	removeFolder(&scene);
	return done;
}
