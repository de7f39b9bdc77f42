#include "bundle_description.h"
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

static bool isBundle(const char* text)
{
	return cliHasEnding(text, ".rpb");
}

static json_t* describeBundle(cliRun* run, const char* text)
{
	cliBundle bundle;
	json_t* result = cliOpenBundle(run, text, NULL, &bundle)
						 ? cliMakeBundleDescription(&bundle)
						 : json_pack("{s:o,s:O}", "file", cliMakeText(cliHideFolders(text)), "error", run->lastError);
	cliFreeBundle(&bundle);
	return result;
}

// One shape for one clip and for many.
static bool report(cliRun* run, char** texts)
{
	json_t *clips = json_array(), *bundles = json_array();
	for (int i = 0; texts[i] != NULL && cliGetInterruption() == 0; ++i)
		if (isBundle(texts[i]))
			json_array_append_new(bundles, describeBundle(run, texts[i]));
		else
			json_array_append_new(clips, describe(run, texts[i]));
	cliReport(run, json_pack("{s:o,s:o}", "clips", clips, "bundles", bundles));
	return run->exit == 0;
}

static void printBundle(cliRun* run, const char* text)
{
	cliBundle bundle;
	if (cliOpenBundle(run, text, NULL, &bundle))
		cliPrintBundleDescription(&bundle);
	cliFreeBundle(&bundle);
}

static bool print(cliRun* run, char** texts)
{
	// One that cannot be read does not keep us from the others.
	for (int i = 0; texts[i] != NULL && cliGetInterruption() == 0; ++i)
	{
		cliClip clip;
		if (isBundle(texts[i]))
			printBundle(run, texts[i]);
		if (isBundle(texts[i]) || !cliLoadClip(run, texts[i], &clip))
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
	.summary = "Show what a clip holds and what is wrong with it, or what a bundle plays",
	.usage = "CLIP|FILE.rpb... [OPTIONS]",
	.about = "Shows the length of a clip, its body, how far it travels, which joint plays which role in the body, "
			 "its labels and contacts, and what the import doctor found and did about it.\n\n"
			 "Of a bundle (.rpb) it shows the kind of model, and what its players can be asked for.\n\n"
			 "A library without #CLIP stands for all its clips.",
	.options = {infoOptions, cliReadingOptions},
	.examples = {{"reprise info walk.bvh", "What is in this file?"},
				 {"reprise info walk.bvh --joints --no-repair", "Its skeleton as it stands in the file."},
				 {"reprise info *.bvh --json | jq -r '.clips[] | [.file, .seconds] | @tsv'", "A table of lengths."}},
	.minimum = 1,
	.maximum = -1,
	.run = runInfo,
};
