#include "clip.h"
#include "command_options.h"

#include <stdio.h>
#include <string.h>

static bool getSize(cliRun* run, rpStripDef* def)
{
	const char* text = cliGet(run, "size");
	int width = 0, height = 0, used = 0;
	if (text == NULL)
		return true;
	bool isSize = sscanf(text, "%5dx%5d%n", &width, &height, &used) == 2 && text[used] == 0;
	if (!isSize || width < 64 || height < 64 || width > 16384 || height > 16384)
		return cliFailUsage(run, "for example --size 1600x500",
							"--size needs WIDTHxHEIGHT from 64x64 to 16384x16384, not \"%s\"", text);
	def->width = width;
	def->height = height;
	return true;
}

static bool getDef(cliRun* run, rpStripDef* def)
{
	double figures = 0.0;
	*def = rpDefaultStripDef();
	if (!getSize(run, def) || !cliGetNumber(run, "figures", 1.0, 1000.0, &figures))
		return false;
	def->figureCount = (int)figures;
	def->title = cliGet(run, "title");
	return true;
}

static bool runPicture(cliRun* run)
{
	rpStripDef def;
	const char* output = cliGetOutput(run, ".png .svg");
	if (output == NULL || !getDef(run, &def))
		return false;
	cliClip clip;
	if (!cliLoadClip(run, run->arguments[0], &clip))
		return false;
	cliSumFindings(run, clip.name, &clip.findings);
	cliFindContacts(&clip);
	def.start = clip.start;
	rpError error = {0};
	bool done =
		cliCheckOutput(run, output) && (rpDrawStrip(clip.motion, output, &def, &error) || cliFailWork(run, &error));
	cliFreeClip(&clip);
	if (!done)
		return false;
	if (run->json)
		return cliReport(run, json_pack("{s:o}", "output", cliMakeText(output)));
	cliPrint(run, "%s", output);
	return true;
}

static const cliOption pictureOptions[] = {
	CLI_OUTPUT("The picture to write, .png or .svg."),
	{"figures", 0, "N", "How many figures to draw, instead of as many as can be distinguished."},
	{"size", 0, "WxH", "Size in pixels, for example 1600x500."},
	{"title", 0, "TEXT", "The line above the picture; empty for none."},
	CLI_FORCE,
	{0},
};

const cliCommand cliPictureCommand = {
	.name = "picture",
	.summary = "Draw a film strip of a clip",
	.usage = "CLIP -o FILE [OPTIONS]",
	.about = "Draws figures along the path of the root over the floor grid, with the contacts marked, so that one sees "
			 "at a glance what the motion is. A clip without contacts has those of its feet found first.",
	.options = {pictureOptions, cliReadingOptions},
	.examples = {{"reprise picture walk.bvh -o walk.png", "A strip of the whole clip."},
				 {"reprise picture 'moves.reprise#jump@0.5..2' -o jump.svg --figures 9", "Nine figures of a jump."},
				 {"reprise picture walk.bvh -o walk.png --size 1600x500 --title ''", "Wide, without a title."}},
	.minimum = 1,
	.maximum = 1,
	.run = runPicture,
};
