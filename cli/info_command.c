#include "command_options.h"
#include "description.h"
#include "progress_bar.h"

// One clip as JSON: what it holds, or why it could not be read.
static json_t* describe(cliRun* run, const char* text)
{
	cliClip clip;
	if (!cliLoadClip(run, text, &clip))
		return json_pack("{s:o,s:O}", "file", cliMakeText(cliHideFolders(text)), "error", run->lastError);
	json_t* result = cliMakeDescription(&clip, cliHas(run, "joints"));
	cliFreeClip(&clip);
	return result;
}

// One shape for one clip and for many.
static bool report(cliRun* run, char** texts)
{
	json_t* list = json_array();
	for (int i = 0; texts[i] != NULL && cliGetInterruption() == 0; ++i)
		json_array_append_new(list, describe(run, texts[i]));
	cliReport(run, json_pack("{s:o}", "clips", list));
	return run->exit == 0;
}

static bool print(cliRun* run, char** texts)
{
	// One that cannot be read does not keep us from the others.
	for (int i = 0; texts[i] != NULL && cliGetInterruption() == 0; ++i)
	{
		cliClip clip;
		if (!cliLoadClip(run, texts[i], &clip))
			continue;
		cliPrintDescription(&clip, cliHas(run, "joints"));
		cliFreeClip(&clip);
	}
	return run->exit == 0;
}

static bool runInfo(cliRun* run)
{
	char** texts = cliExpandClips(run, run->arguments, run->argumentCount);
	if (texts == NULL)
		return false;
	bool done = run->json ? report(run, texts) : print(run, texts);
	cliFreeTexts(texts);
	return done;
}

static const cliOption infoOptions[] = {
	{"joints", 0, NULL, "Show the skeleton as a tree as well."},
	{0},
};

const cliCommand cliInfoCommand = {
	.name = "info",
	.summary = "Show what a clip holds and what is wrong with it",
	.usage = "CLIP... [OPTIONS]",
	.about = "Shows the length of a clip, its body, how far it travels, which joint plays which role in the body, "
			 "its labels and contacts, and what the import doctor found and did about it.\n\n"
			 "A library without #CLIP stands for all its clips.",
	.options = {infoOptions, cliReadingOptions},
	.examples = {{"reprise info walk.bvh", "What is in this file?"},
				 {"reprise info walk.bvh --joints --no-repair", "Its skeleton as it stands in the file."},
				 {"reprise info *.bvh --json | jq -r '.clips[] | [.file, .seconds] | @tsv'", "A table of lengths."}},
	.minimum = 1,
	.maximum = -1,
	.run = runInfo,
};
