/// The demonstration: the main job of the program, on data that it makes itself.
#include "clip_search.h"
#include "command_options.h"
#include "demo_bundles.h"
#include "demo_feet.h"
#include "demo_models.h"
#include "demo_spaces.h"
#include "new_library.h"
#include "progress_bar.h"
#include "saving.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Of its page, and what tells that a page is one.
#define TITLE "Reprise: a demonstration"

/// What the performer is asked for. Zero speed: the act's own. rp_actCount: what a model makes.
typedef struct Scene
{
	const char* name;
	rpAct act;
	float speed, turnDegrees;
	double seconds;
	const char* says;
	rpMotion* (*make)(cliRun* run);
} Scene;

static const Scene scenes[] = {
	{"walk", rp_actWalk, 1.4f, 0.0f, 6.0, "A walk straight ahead at 1.4 m/s.", NULL},
	{"walk-left", rp_actWalk, 1.2f, 30.0f, 8.0, "A walk along a curve, 30 degrees per second to the left.", NULL},
	{"run", rp_actRun, 3.0f, -15.0f, 5.0, "A run at 3 m/s, bearing to the right.", NULL},
	{"walk-to-run", rp_actWalkRun, 3.0f, 0.0f, 0.0, "A walk that becomes a run.", NULL},
	{"turn", rp_actTurnInStride, 1.3f, 0.0f, 0.0, "A walk with a turn to the left.", NULL},
	{"sneak", rp_actSneak, 0.7f, 0.0f, 0.0, "Sneaking.", NULL},
	{"march", rp_actMarch, 1.3f, 0.0f, 0.0, "Marching.", NULL},
	{"take", rp_actTake, 0.0f, 0.0f, 20.0, "A take of someone who moves at will.", NULL},
	{"punch", rp_actPunch, 0.0f, 0.0f, 0.0, "A punch at a target.", NULL},
	{"kick", rp_actKick, 0.0f, 0.0f, 0.0, "A kick at a target.", NULL},
	{"pick-up", rp_actPickUp, 0.0f, 0.0f, 0.0, "Picking something up.", NULL},
	{"sit-down", rp_actSitDown, 0.0f, 0.0f, 0.0, "Sitting down.", NULL},
	{"jump", rp_actJump, 0.0f, 0.0f, 0.0, "A jump on the spot.", NULL},
	{"wave", rp_actWave, 0.0f, 0.0f, 0.0, "A wave of the hand.", NULL},
	{"along-a-path", rp_actCount, 0.0f, 0.0f, 0.0, "New motion: a motion graph of walks, led along a figure of eight.",
	 cliWalkAlongEight},
	{"bent", rp_actCount, 0.0f, 0.0f, 0.0, "New motion: straight walks alone, bent into a circle of 3 m.",
	 cliWalkInCircle},
	{"under-a-stick", rp_actCount, 0.0f, 0.0f, 0.0,
	 "New motion: a model of locomotion stands, walks, turns and runs as asked.", cliPlayUnderStick},
	{"winding", rp_actCount, 0.0f, 0.0f, 0.0,
	 "New motion: strides of a parametric space, each with a turn and a speed.", cliWindStrides},
	{"punches", rp_actCount, 0.0f, 0.0f, 0.0,
	 "New motion: punches of a parametric space, at places between those of its examples.", cliPunchAround},
	{"sliding", rp_actCount, 0.0f, 0.0f, 0.0, "A walk as a bad capture has it: the whole body drifts.", cliSlideFeet},
	{"cleaned", rp_actCount, 0.0f, 0.0f, 0.0, "The same, its feet found and locked.", cliCleanFeet},
};

enum
{
	sceneCount = sizeof(scenes) / sizeof(scenes[0]),
};

/// The demonstration while it is made.
typedef struct Show
{
	cliRun* run;
	const char* folder;
	rpMotion* motions[sceneCount];
	cliDemoBundle bundles[cli_demoBundleCount];
	json_t* files;
} Show;

static char* getPath(const Show* show, const char* name, const char* ending)
{
	size_t size = strlen(show->folder);
	return cliFormat("%s%s%s%s", show->folder, show->folder[size - 1] == '/' ? "" : "/", name, ending);
}

static void noteFile(Show* show, const char* path)
{
	json_array_append_new(show->files, cliMakeText(path));
}

static bool perform(Show* show, int index)
{
	const Scene* scene = &scenes[index];
	rpPerformDef def = rpDefaultPerformDef(scene->act);
	rpError error = {0};
	float* asked = def.parameters;
	asked[rp_paramSpeed] = scene->speed > 0.0f ? scene->speed : asked[rp_paramSpeed];
	asked[rp_paramTurn] = scene->turnDegrees * (float)(M_PI / 180.0);
	def.seconds = scene->seconds > 0.0 ? scene->seconds : def.seconds;
	show->motions[index] = rpPerform(&def, &error);
	if (show->motions[index] == NULL || !rpMotion_SetName(show->motions[index], scene->name, &error))
		return cliFailWork(show->run, &error);
	return true;
}

// ---- what models make

static bool synthesise(Show* show, int index)
{
	rpError error = {0};
	show->motions[index] = scenes[index].make(show->run);
	return show->motions[index] != NULL &&
		   (rpMotion_SetName(show->motions[index], scenes[index].name, &error) || cliFailWork(show->run, &error));
}

// ---- what is written

static bool saveAs(Show* show, int index, const char* ending, bool sidecar)
{
	char* path = getPath(show, scenes[index].name, ending);
	const rpMotion* motion = show->motions[index];
	rpSaveDef def = rpDefaultSaveDef();
	def.sidecar = sidecar;
	bool done = cliSave(show->run, &motion, 1, path, &def);
	noteFile(show, path);
	free(path);
	return done;
}

static bool draw(Show* show, int index)
{
	char* path = getPath(show, scenes[index].name, ".png");
	rpStripDef def = rpDefaultStripDef();
	rpError error = {0};
	bool done = rpDrawStrip(show->motions[index], path, &def, &error) || cliFailWork(show->run, &error);
	noteFile(show, path);
	free(path);
	return done;
}

static bool hasPath(const Show* show, int index)
{
	return rpAnnotations_FindCurve(&show->motions[index]->annotations, RP_WANTED_PATH) != NULL;
}

// Where there was a path to follow: both from above.
static bool drawPath(Show* show, int index)
{
	if (!hasPath(show, index))
		return true;
	char* path = getPath(show, scenes[index].name, "-path.png");
	rpError error = {0};
	bool done = rpDrawPathMap(show->motions[index], path, NULL, &error) || cliFailWork(show->run, &error);
	noteFile(show, path);
	free(path);
	return done;
}

static bool makeScene(Show* show, int index)
{
	// The GLB file shares the JSON file of the BVH file.
	bool isMade = scenes[index].make != NULL ? synthesise(show, index) : perform(show, index);
	if (!isMade || !saveAs(show, index, ".bvh", true) || !saveAs(show, index, ".glb", false) || !draw(show, index) ||
		!drawPath(show, index))
		return false;
	const rpMotion* motion = show->motions[index];
	cliPrint(show->run, "  %-13s %5.2f s, %4d frames, %2d contacts", scenes[index].name, rpMotion_GetDuration(motion),
			 motion->frameCount, rpMotion_GetIntervals(motion, rp_trackContact, NULL, 0));
	return true;
}

static bool fillLibrary(rpLibrary* library, void* context, rpError* error)
{
	const Show* show = context;
	bool done = true;
	for (int i = 0; i < sceneCount && done; ++i)
	{
		rpAddDef def = rpDefaultAddDef();
		done = rpLibrary_AddClip(library, show->motions[i], &def, NULL, error) != 0;
	}
	return done;
}

static bool makeLibrary(Show* show)
{
	char* path = getPath(show, "moves", ".reprise");
	// Made anew each time, so that a second run gives the same.
	bool done = cliMakeLibrary(show->run, path, fillLibrary, show);
	noteFile(show, path);
	free(path);
	return done;
}

// The characters to drive.
static bool makeBundles(Show* show)
{
	bool done = cliMakeDemoBundles(show->run, show->bundles);
	for (int i = 0; i < cli_demoBundleCount && done; ++i)
	{
		const cliDemoBundle* bundle = &show->bundles[i];
		char* path = getPath(show, bundle->name, ".rpb");
		rpError error = {0};
		done = rpSaveBytes(path, bundle->bytes, bundle->size, &error) || cliFailWork(show->run, &error);
		noteFile(show, path);
		free(path);
	}
	return done;
}

// What stands above the viewer: each clip's strip and files, small, so that the viewer is seen at once. All names are
// our own.
static char* writeIntroduction(const Show* show)
{
	char* text = cliCopyText(
		"<style>\n.introduction { max-width: none; }\n"
		".strips { display: grid; grid-template-columns: repeat(auto-fit, minmax(210px, 1fr)); gap: 12px; }\n"
		".strips figure { margin: 0; }\n.strips figcaption { font-size: 0.85em; }\n</style>\n"
		"<p>Drive a character, live: arrow keys or WASD go, Shift runs, Space stands; click the floor to go there. Its "
		"players run in this page, as in a game, from <a href=\"moves-locomotion.rpb\">moves-locomotion.rpb</a> (it "
		"stands, walks, runs and turns as asked), <a href=\"moves-graph.rpb\">moves-graph.rpb</a> (a motion graph "
		"of 141 clips that is steered), and parametric spaces, which have a slider for each parameter: <a "
		"href=\"moves-strides.rpb\">moves-strides.rpb</a> (strides by turn and speed) and <a "
		"href=\"moves-punches.rpb\">moves-punches.rpb</a> (punches by where the fist hits). Parametric graphs join "
		"such "
		"spaces: <a href=\"moves-boxer.rpb\">moves-boxer.rpb</a> punches where you click, ducks and turns, and <a "
		"href=\"moves-strider.rpb\">moves-strider.rpb</a> walks and runs.</p>\n"
		"<p>Reprise made these motions with no captured data: by formula, and some from models of these. Of each the "
		"judge says what its feet do, from its frames alone. They play below; the files are beside this page, and <a "
		"href=\"moves.reprise\">moves.reprise</a> is a library that keeps them all.</p>\n"
		"<div class=\"strips\">\n");
	for (int i = 0; i < sceneCount; ++i)
	{
		const char* name = scenes[i].name;
		char* feet = cliJudgeFeet(show->motions[i]);
		char* above = hasPath(show, i) ? cliFormat("<a href=\"%s-path.png\">from above</a> ", name) : cliCopyText("");
		char* more = cliFormat("%s<figure><a href=\"%s.png\"><img src=\"%s.png\" alt=\"Film strip: %s\"></a>\n"
							   "<figcaption>%s %s %s<a href=\"%s.bvh\">BVH</a> <a href=\"%s.glb\">GLB</a> "
							   "<a href=\"%s.json\">annotations</a></figcaption></figure>\n",
							   text, name, name, name, scenes[i].says, feet, above, name, name, name);
		free(feet);
		free(above);
		free(text);
		text = more;
	}
	char* whole = cliFormat("%s</div>\n", text);
	free(text);
	return whole;
}

static bool writePage(Show* show)
{
	char* path = getPath(show, "index", ".html");
	char* introduction = writeIntroduction(show);
	rpPageDef def = rpDefaultPageDef();
	rpError error = {0};
	def.title = TITLE;
	def.introduction = introduction;
	rpPageModel models[cli_demoBundleCount];
	// Who stands, walks and runs comes first.
	for (int i = 0; i < cli_demoBundleCount; ++i)
		models[i] = (rpPageModel){show->bundles[i].name, show->bundles[i].bytes, show->bundles[i].size};
	def.models = models;
	def.modelCount = cli_demoBundleCount;
	bool done = rpWritePage((const rpMotion* const*)show->motions, sceneCount, path, &def, &error);
	if (!done)
		cliFailWork(show->run, &error);
	noteFile(show, path);
	free(introduction);
	free(path);
	return done;
}

static void listBundles(const Show* show)
{
	char* list = cliCopyText("");
	for (int i = 0; i < cli_demoBundleCount; ++i)
	{
		char* more = cliFormat("%s%s%s.rpb", list, i > 0 ? ", " : "", show->bundles[i].name);
		free(list);
		list = more;
	}
	cliPrint(show->run, "Characters to drive: %s", list);
	free(list);
}

static bool makeAll(Show* show)
{
	cliPrint(show->run, "The performer performs:");
	cliStartBar(show->run->quiet || show->run->json);
	for (int i = 0; i < sceneCount; ++i)
	{
		if (!cliStepBar((double)i / (sceneCount + 4), scenes[i].name, NULL))
			return cliFail(show->run, cli_exitInterrupted, &(rpError){0});
		cliClearBar();
		if (!makeScene(show, i))
			return false;
	}
	cliStepBar((double)sceneCount / (sceneCount + 4), "characters to drive", NULL);
	bool done = makeBundles(show);
	cliEndBar();
	if (done)
		listBundles(show);
	return done && makeLibrary(show) && writePage(show);
}

static bool report(Show* show)
{
	cliRun* run = show->run;
	if (run->json)
		return cliReport(run, json_pack("{s:o,s:O}", "folder", cliMakeText(show->folder), "files", show->files));
	const char* folder = show->folder;
	const char* slash = folder[strlen(folder) - 1] == '/' ? "" : "/";
	cliPrint(run, "Each is in %s%s as .bvh, .glb, .png (a film strip) and .json (labels and contacts);", folder, slash);
	cliPrint(run, "all of them are in the library %s%smoves.reprise.", folder, slash);
	cliPrint(run,
			 "Open %s%sindex.html in a browser to drive a character (arrow keys or WASD, Shift runs, Space stands),",
			 folder, slash);
	cliPrint(run, "and to see them play. Then try:");
	cliPrint(run, "  %s info %s%swalk.bvh", run->program, folder, slash);
	cliPrint(run, "  %s library list %s%smoves.reprise", run->program, folder, slash);
	cliPrint(run, "  %s space make performer:punch --at 1.3,0.7,0.1 -o mine.bvh", run->program);
	return true;
}

// Whether the folder's page is that of a demonstration: all that is there may be made anew then.
static bool isDemo(const char* path)
{
	char head[2048] = "";
	FILE* file = fopen(path, "rb");
	if (file == NULL)
		return false;
	head[fread(head, 1, sizeof head - 1, file)] = 0;
	fclose(file);
	return strstr(head, "<title>" TITLE) != NULL;
}

// A library or a page of the user's own is left alone.
static bool checkPlace(const Show* show)
{
	char *page = getPath(show, "index", ".html"), *library = getPath(show, "moves", ".reprise");
	bool done = isDemo(page) || (cliCheckNew(show->run, library) && cliCheckNew(show->run, page));
	free(page);
	free(library);
	return done;
}

static bool runDemo(cliRun* run)
{
	const char* folder = cliHas(run, "output") ? cliGet(run, "output") : "demo-out";
	Show show = {.run = run, .folder = folder, .files = json_array()};
	bool done = cliMakeFolder(run, folder) && checkPlace(&show) && makeAll(&show) && report(&show);
	for (int i = 0; i < sceneCount; ++i)
		rpDestroyMotion(show.motions[i]);
	cliFreeDemoBundles(show.bundles);
	json_decref(show.files);
	return done;
}

static const cliOption demoOptions[] = {
	{"output", 'o', "FOLDER", "Where to put it all; demo-out if not given."},
	{"force", 0, NULL, "Replace moves.reprise and index.html there, whatever they are."},
	{0},
};

const cliCommand cliDemoCommand = {
	.name = "demo",
	.summary = "Show at work what Reprise does, without any data",
	.usage = "[-o FOLDER]",
	.about =
		"Performs a few clips and writes them to a folder as BVH and GLB, with film strips, a library, bundles of "
		"models "
		"made of all that the performer can do, and a page index.html in which a character is driven and the clips are "
		"shown and played.",
	.options = {demoOptions},
	.examples = {{"reprise demo", "Everything goes to demo-out/; open demo-out/index.html."},
				 {"reprise demo -o /tmp/try", "Somewhere else."},
				 {"reprise demo --json", "What was made, for a program."}},
	.minimum = 0,
	.maximum = 0,
	.run = runDemo,
};
