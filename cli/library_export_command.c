#include "clip.h"
#include "clip_search.h"
#include "command_options.h"
#include "progress_bar.h"
#include "saving.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum
{
	/// File systems take 255 bytes; an ending and a number must fit after it.
	longestName = 200,
};

// A clip's name as a file's: no folders, nothing hidden, nothing dangerous on a terminal. free() it.
static char* makeFileName(const char* clipName)
{
	char* name = cliAllocate(strlen(clipName) + 8);
	char* out = name;
	for (const char* in = clipName; *in != 0;)
	{
		uint32_t code = 0;
		int length = cliDecode(in, &code);
		if (out - name + (length > 0 ? length : 1) > longestName)
			break;
		if (length == 0 || cliIsDangerous(code) || code == '/' || code == '\\')
			*out++ = '_';
		else
			out = (char*)memcpy(out, in, (size_t)length) + length;
		in += length > 0 ? length : 1;
	}
	*out = 0;
	if (name[0] == 0)
		memcpy(name, "clip", sizeof "clip");
	if (name[0] == '.' || name[0] == '-')
		name[0] = '_';
	return name;
}

static bool isTaken(const cliSearch* written, const char* path)
{
	for (int i = 0; i < written->count; ++i)
	{
		if (strcmp(written->texts[i], path) == 0)
			return true;
	}
	return false;
}

// Two clips whose names become the same as file names get numbers.
static char* choosePath(const cliSearch* written, const char* folder, const char* clipName, const char* format)
{
	char* name = makeFileName(clipName);
	const char* slash = folder[strlen(folder) - 1] == '/' ? "" : "/";
	char* path = cliFormat("%s%s%s.%s", folder, slash, name, format);
	for (int number = 2; isTaken(written, path); ++number)
	{
		free(path);
		path = cliFormat("%s%s%s-%d.%s", folder, slash, name, number, format);
	}
	free(name);
	return path;
}

static bool exportClip(cliRun* run, rpLibrary* library, rpClipId id, const char* path, json_t* list)
{
	rpError error = {0};
	rpSaveDef def;
	rpMotion* motion = rpLibrary_LoadClip(library, id, &error);
	if (motion == NULL)
		return cliFailInput(run, &error);
	const rpMotion* one = motion;
	bool done = cliGetSaving(run, path, &def) && cliSave(run, &one, 1, path, &def);
	if (done)
	{
		cliNoteInputs(run, motion);
		json_array_append_new(list, cliMakeOutput(path, motion));
		cliClearBar();
		cliPrintOutput(run, path, motion);
	}
	rpDestroyMotion(motion);
	return done;
}

static bool exportToFolder(cliRun* run, rpLibrary* library, const rpClipInfo* infos, int count, json_t* list)
{
	const char* folder = cliGet(run, "output");
	const char* format = cliHas(run, "format") ? cliGet(run, "format") : "bvh";
	cliSearch written = {0};
	bool done = cliMakeFolder(run, folder);
	cliStartBar(run->quiet);
	for (int i = 0; i < count && done; ++i)
	{
		char* path = choosePath(&written, folder, infos[i].name, format);
		cliStepBar((double)i / count, infos[i].name, NULL);
		done = exportClip(run, library, infos[i].id, path, list);
		cliSearch_Append(&written, path);
		free(path);
	}
	cliEndBar();
	cliFreeSearch(&written);
	return done;
}

// All of them as animations of one file.
static bool exportToGlb(cliRun* run, rpLibrary* library, const rpClipInfo* infos, int count, json_t* list)
{
	const char* output = cliGet(run, "output");
	rpSaveDef def;
	rpError error = {0};
	rpMotion** motions = cliAllocate((size_t)count * sizeof(rpMotion*));
	int loaded = 0;
	bool done = cliGetSaving(run, output, &def);
	while (done && loaded < count)
	{
		motions[loaded] = rpLibrary_LoadClip(library, infos[loaded].id, &error);
		done = motions[loaded] != NULL || cliFailInput(run, &error);
		loaded += done;
	}
	done = done && cliSave(run, (const rpMotion* const*)motions, count, output, &def);
	for (int i = 0; i < loaded; ++i)
	{
		if (done)
		{
			json_array_append_new(list, cliMakeOutput(output, motions[i]));
			cliPrint(run, "%s: %s, %.2f s", output, motions[i]->name, rpMotion_GetDuration(motions[i]));
		}
		rpDestroyMotion(motions[i]);
	}
	free(motions);
	return done;
}

// Keep the clips that were named, in the order of naming. *chosen borrows the strings of infos.
static int chooseClips(cliRun* run, const rpLibrary* library, const rpClipInfo* infos, int count, rpClipInfo** chosen)
{
	int wanted = cliHas(run, "all") ? count : run->argumentCount - 1;
	*chosen = cliAllocate((size_t)wanted * sizeof(rpClipInfo));
	for (int i = 0; i < wanted; ++i)
	{
		if (cliHas(run, "all"))
		{
			(*chosen)[i] = infos[i];
			continue;
		}
		rpError error = {0};
		rpClipId id = rpLibrary_FindClip(library, run->arguments[i + 1], &error);
		if (id == 0)
			return cliFailInput(run, &error), -1;
		for (int k = 0; k < count; ++k)
		{
			if (infos[k].id == id)
				(*chosen)[i] = infos[k];
		}
	}
	return wanted;
}

static bool exportClips(cliRun* run, rpLibrary* library, const rpClipInfo* infos, int count, json_t* list)
{
	const char* output = cliGet(run, "output");
	bool isFolder = cliHas(run, "all") || cliIsFolder(output) || output[strlen(output) - 1] == '/' || count > 1;
	if (isFolder && cliHasEnding(output, ".glb") && !cliIsFolder(output))
		return exportToGlb(run, library, infos, count, list);
	if (isFolder && cliHasEnding(output, ".bvh .csv") && !cliIsFolder(output))
		return cliFailUsage(run, "name a folder: -o out/, or a GLB file, which holds several: -o out.glb",
							"%d clips do not go into one file, %s", count, output);
	if (isFolder)
		return exportToFolder(run, library, infos, count, list);
	return cliGetOutput(run, ".bvh .glb .csv") != NULL && exportClip(run, library, infos[0].id, output, list);
}

static bool checkUsage(cliRun* run)
{
	const char* output = cliGet(run, "output");
	if (output == NULL || output[0] == 0)
		return cliFailUsage(run, NULL, "where to? library export needs -o and a file, or a folder for several clips");
	if (cliHas(run, "all") && run->argumentCount > 1)
		return cliFailUsage(run, NULL, "either --all or clips by name, not both");
	if (!cliHas(run, "all") && run->argumentCount < 2)
		return cliFailUsage(run, "name clips, or give --all", "export what?");
	return true;
}

static bool runLibraryExport(cliRun* run)
{
	rpLibrary* library = checkUsage(run) ? cliOpenLibrary(run, run->arguments[0], rp_openRead) : NULL;
	if (library == NULL)
		return false;
	rpClipInfo *infos = NULL, *chosen = NULL;
	rpError error = {0};
	json_t* list = json_array();
	int count = rpLibrary_ListClips(library, &infos, &error);
	int chosenCount = count >= 0 ? chooseClips(run, library, infos, count, &chosen) : -1;
	bool done = count < 0 ? cliFailInput(run, &error)
						  : chosenCount >= 0 && exportClips(run, library, chosen, chosenCount, list);
	if (done && run->json)
		done = cliReport(run, json_pack("{s:O}", "outputs", list));
	json_decref(list);
	free(chosen);
	if (count >= 0)
		rpFreeClipInfos(infos, count);
	return done;
}

static const cliOption exportOptions[] = {
	{"output", 'o', "FILE|FOLDER", "A file for one clip; for several a folder, made if need be, or a GLB file."},
	{"all", 0, NULL, "Export every clip."},
	{"format", 0, "bvh|glb|csv", "Format of the files in a folder; BVH if not given."},
	CLI_SAVING_OPTIONS,
	{0},
};

const cliCommand cliLibraryExportCommand = {
	.name = "library export",
	.summary = "Write clips of a library to files",
	.usage = "LIB.reprise CLIP... | --all -o FILE|FOLDER [OPTIONS]",
	.about =
		"One clip goes to the file named, several into a folder, each under its own name, or into one GLB file, each "
		"an animation under its own name; they then need the same skeleton. What was there under the same names "
		"is overwritten.",
	.options = {exportOptions},
	.examples = {{"reprise library export moves.reprise walk -o walk.bvh", "One clip."},
				 {"reprise library export moves.reprise --all -o out/ --format glb", "All of them, as GLB."},
				 {"reprise library export moves.reprise walk run -o moves.glb", "Two animations of one file."}},
	.minimum = 1,
	.maximum = -1,
	.run = runLibraryExport,
};
