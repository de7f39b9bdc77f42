#include "clip.h"
#include "command_options.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/// What a page is made of.
typedef struct Show
{
	cliClip* clips;
	int clipCount;
	rpBundle** bundles;
	rpPageModel* models;
	int modelCount;
	long long size;
} Show;

static void* allocateZero(size_t count, size_t size)
{
	void* memory = cliAllocate(count * size);
	return memset(memory, 0, count * size);
}

static bool isModel(const char* text)
{
	return cliHasEnding(text, ".rpb");
}

// Opened and played once, so that a damaged one is named before anything else is done. A page calls it by its file's
// name without ending.
static bool loadModel(cliRun* run, Show* show, const char* path)
{
	rpError error = {0};
	rpBundle* bundle = rpOpenBundle(path, &error);
	cliNotePath(run, path);
	rpPlayer* player = bundle != NULL ? rpCreatePlayer(bundle, NULL, &error) : NULL;
	bool done = player != NULL;
	rpDestroyPlayer(player);
	show->bundles[show->modelCount] = bundle;
	rpPageModel* model = &show->models[show->modelCount++];
	if (!done)
	{
		if (error.file[0] == 0)
			snprintf(error.file, sizeof error.file, "%s", path);
		return cliFailInput(run, &error);
	}
	char* name = cliCopyText(cliGetBaseName(path));
	name[strlen(name) - strlen(".rpb")] = 0;
	model->name = name;
	model->bytes = rpBundle_GetBytes(bundle, &model->size);
	return true;
}

static bool loadModels(cliRun* run, Show* show)
{
	for (int i = 0; i < run->argumentCount; ++i)
		if (isModel(run->arguments[i]) && !loadModel(run, show, run->arguments[i]))
			return false;
	return true;
}

static bool loadClips(cliRun* run, Show* show, char** texts)
{
	for (int i = 0; texts[i] != NULL; ++i)
	{
		cliClip* clip = &show->clips[show->clipCount++];
		if (!cliLoadClip(run, texts[i], clip))
			return false;
		cliSumFindings(run, clip->name, &clip->findings);
		cliFindContacts(clip);
	}
	return true;
}

// What is typed is a model or clips.
static bool load(cliRun* run, Show* show)
{
	size_t count = (size_t)run->argumentCount, clipCount = 0, textCount = 0;
	const char** typed = cliAllocate(count * sizeof(char*));
	for (int i = 0; i < run->argumentCount; ++i)
		if (!isModel(run->arguments[i]))
			typed[clipCount++] = run->arguments[i];
	char** texts = cliExpandClips(run, typed, (int)clipCount);
	while (texts != NULL && texts[textCount] != NULL)
		++textCount;
	show->clips = allocateZero(textCount + 1, sizeof(cliClip));
	show->bundles = allocateZero(count, sizeof(rpBundle*));
	show->models = allocateZero(count, sizeof(rpPageModel));
	bool done = texts != NULL && loadModels(run, show) && loadClips(run, show, texts);
	cliFreeTexts(texts);
	free(typed);
	return done && (show->clipCount + show->modelCount > 0 || cliFailUsage(run, NULL, "there is no clip to show"));
}

static void freeShow(Show* show)
{
	for (int i = 0; i < show->clipCount; ++i)
		cliFreeClip(&show->clips[i]);
	for (int i = 0; i < show->modelCount; ++i)
	{
		rpDestroyBundle(show->bundles[i]);
		free((char*)show->models[i].name);
	}
	free(show->clips);
	free(show->bundles);
	free(show->models);
}

static bool writePage(cliRun* run, Show* show, const char* output)
{
	const rpMotion** motions = cliAllocate(((size_t)show->clipCount + 1) * sizeof(rpMotion*));
	for (int i = 0; i < show->clipCount; ++i)
		motions[i] = show->clips[i].motion;
	rpPageDef def = rpDefaultPageDef();
	rpError error = {0};
	struct stat status = {0};
	def.title = cliHas(run, "title") ? cliGet(run, "title") : def.title;
	def.models = show->models;
	def.modelCount = show->modelCount;
	bool done = rpWritePage(motions, show->clipCount, output, &def, &error) || cliFailWork(run, &error);
	show->size = done && stat(output, &status) == 0 ? (long long)status.st_size : 0;
	free(motions);
	return done;
}

static bool report(cliRun* run, const Show* show, const char* output)
{
	int clips = show->clipCount, models = show->modelCount;
	if (run->json)
		return cliReport(run, json_pack("{s:o,s:i,s:i,s:I}", "output", cliMakeText(output), "clips", clips, "models",
										models, "bytes", (json_int_t)show->size));
	char clipText[40] = "", modelText[40] = "";
	if (clips > 0)
		snprintf(clipText, sizeof clipText, "%d clip%s", clips, cliPlural(clips));
	if (models > 0)
		snprintf(modelText, sizeof modelText, "%s%d model%s to drive", clips > 0 ? ", " : "", models,
				 cliPlural(models));
	cliPrint(run, "%s: %s%s, %.1f MB; open it in a browser", output, clipText, modelText, 1e-6 * (double)show->size);
	return true;
}

static bool runShow(cliRun* run)
{
	Show show = {0};
	const char* output = cliGetOutput(run, ".html .htm");
	bool done = output != NULL && load(run, &show) && cliCheckOutput(run, output) && writePage(run, &show, output) &&
				report(run, &show, output);
	freeShow(&show);
	return done;
}

static const cliOption showOptions[] = {
	CLI_OUTPUT("The page to write, .html."),
	{"title", 0, "TEXT", "Title of the page."},
	CLI_FORCE,
	{0},
};

const cliCommand cliShowCommand = {
	.name = "show",
	.summary = "Make a page that plays clips, and in which characters are driven",
	.usage = "CLIP|FILE.rpb... -o FILE.html [OPTIONS]",
	.about =
		"Writes one HTML file that shows and plays the clips: orbit, scrub, speed, floor, root path, contacts "
		"(those of the feet are found if none are known). It needs nothing else and works without a server.\n\n"
		"The characters of bundles (.rpb, made by reprise bundle) are driven in it, with keys, a stick or a mouse.\n\n"
		"A library without #CLIP stands for all its clips.",
	.options = {showOptions, cliReadingOptions},
	.examples = {{"reprise show walk.bvh -o walk.html", "Then open walk.html."},
				 {"reprise show walk.bvh run.bvh -o gaits.html --title Gaits", "Several clips on one page."},
				 {"reprise show moves.rpb moves.reprise -o moves.html", "A character to drive, and a whole library."}},
	.minimum = 1,
	.maximum = -1,
	.run = runShow,
};
