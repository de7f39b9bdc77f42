#include "clip.h"
#include "command_options.h"

#include <stdlib.h>

static int countTexts(char** texts)
{
	int count = 0;
	while (texts[count] != NULL)
		++count;
	return count;
}

static bool loadAll(cliRun* run, char** texts, cliClip* clips, int count)
{
	for (int i = 0; i < count; ++i)
	{
		if (!cliLoadClip(run, texts[i], &clips[i]))
			return false;
		cliSumFindings(run, clips[i].name, &clips[i].findings);
		cliFindContacts(&clips[i]);
	}
	return true;
}

static bool writePage(cliRun* run, const cliClip* clips, int count, const char* output)
{
	const rpMotion** motions = cliAllocate((size_t)count * sizeof(rpMotion*));
	for (int i = 0; i < count; ++i)
		motions[i] = clips[i].motion;
	rpPageDef def = rpDefaultPageDef();
	rpError error = {0};
	def.title = cliHas(run, "title") ? cliGet(run, "title") : def.title;
	bool done = rpWritePage(motions, count, output, &def, &error) || cliFailWork(run, &error);
	free(motions);
	return done;
}

static bool show(cliRun* run, char** texts, const char* output)
{
	int count = countTexts(texts);
	if (count == 0)
		return cliFailUsage(run, NULL, "there is no clip to show");
	cliClip* clips = cliAllocate((size_t)count * sizeof(cliClip));
	for (int i = 0; i < count; ++i)
		clips[i] = (cliClip){0};
	bool done =
		loadAll(run, texts, clips, count) && cliCheckOutput(run, output) && writePage(run, clips, count, output);
	for (int i = 0; i < count; ++i)
		cliFreeClip(&clips[i]);
	free(clips);
	if (!done)
		return false;
	if (run->json)
		return cliReport(run, json_pack("{s:o,s:i}", "output", cliMakeText(output), "clips", count));
	cliPrint(run, "%s: %d clip%s; open it in a browser", output, count, cliPlural(count));
	return true;
}

static bool runShow(cliRun* run)
{
	const char* output = cliGetOutput(run, ".html .htm");
	char** texts = output != NULL ? cliExpandClips(run, run->arguments, run->argumentCount) : NULL;
	bool done = texts != NULL && show(run, texts, output);
	cliFreeTexts(texts);
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
	.summary = "Make a page that plays clips in a browser",
	.usage = "CLIP... -o FILE.html [OPTIONS]",
	.about = "Writes one HTML file that shows and plays the clips: orbit, scrub, speed, floor, root path, contacts "
			 "(those of the feet are found if none are known). It needs nothing else and works without a server.\n\n"
			 "A library without #CLIP stands for all its clips.",
	.options = {showOptions, cliReadingOptions},
	.examples = {{"reprise show walk.bvh -o walk.html", "Then open walk.html."},
				 {"reprise show walk.bvh run.bvh -o gaits.html --title Gaits", "Several clips on one page."},
				 {"reprise show moves.reprise -o moves.html", "A whole library."}},
	.minimum = 1,
	.maximum = -1,
	.run = runShow,
};
