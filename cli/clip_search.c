#include "clip_search.h"

#include <dirent.h>
#include <errno.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum
{
	/// Folders within folders; deeper is surely a mistake.
	deepest = 64,
};

static const char motionEndings[] = ".bvh .amc";

static void append(cliSearch* search, char* text)
{
	if (search->count == search->capacity)
	{
		search->capacity = search->capacity * 2 + 32;
		search->texts = cliReallocate(search->texts, (size_t)search->capacity * sizeof(char*));
	}
	search->texts[search->count++] = text;
}

static int compareTexts(const void* a, const void* b)
{
	return strcmp(*(char* const*)a, *(char* const*)b);
}

void cliSearch_Append(cliSearch* search, const char* text)
{
	append(search, cliCopyText(text));
}

bool cliIsFolder(const char* path)
{
	struct stat status;
	return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

// Hidden files are left out, and folders behind links, which could lead in a circle.
static void searchFolder(cliSearch* search, const char* folder, int depth)
{
	DIR* entries = depth < deepest ? opendir(folder) : NULL;
	if (entries == NULL)
		return;
	size_t size = strlen(folder);
	const char* slash = size > 0 && folder[size - 1] == '/' ? "" : "/";
	for (struct dirent* entry = readdir(entries); entry != NULL; entry = readdir(entries))
	{
		if (entry->d_name[0] == '.')
			continue;
		char* path = cliFormat("%s%s%s", folder, slash, entry->d_name);
		struct stat status;
		bool isFolder = lstat(path, &status) == 0 && S_ISDIR(status.st_mode);
		if (isFolder)
			searchFolder(search, path, depth + 1);
		if (!isFolder && cliHasEnding(path, motionEndings))
			append(search, path);
		else
			free(path);
	}
	closedir(entries);
}

static bool addFolder(cliRun* run, cliSearch* search, const char* folder)
{
	int before = search->count;
	searchFolder(search, folder, 0);
	if (search->count == before)
	{
		rpError error = {.code = rp_errorMissing, .message = "no .bvh or .amc file in this folder"};
		snprintf(error.file, sizeof error.file, "%s", folder);
		return cliFail(run, cli_exitInput, &error);
	}
	qsort(search->texts + before, (size_t)(search->count - before), sizeof(char*), compareTexts);
	return true;
}

bool cliSearch_Add(cliRun* run, cliSearch* search, const char* text)
{
	struct stat status;
	if (cliIsFolder(text))
		return addFolder(run, search, text);
	glob_t found = {0};
	bool isPattern = stat(text, &status) != 0 && strpbrk(text, "*?[") != NULL && glob(text, 0, NULL, &found) == 0;
	bool done = true;
	for (size_t i = 0; isPattern && i < found.gl_pathc && done; ++i)
	{
		if (cliIsFolder(found.gl_pathv[i]))
			done = addFolder(run, search, found.gl_pathv[i]);
		else
			cliSearch_Append(search, found.gl_pathv[i]);
	}
	globfree(&found);
	if (!isPattern)
		cliSearch_Append(search, text);
	return done;
}

void cliFreeSearch(cliSearch* search)
{
	for (int i = 0; i < search->count; ++i)
		free(search->texts[i]);
	free(search->texts);
	*search = (cliSearch){0};
}

bool cliMakeFolder(cliRun* run, const char* path)
{
	if (cliIsFolder(path) || mkdir(path, 0777) == 0)
		return true;
	rpError error = {.code = rp_errorFile};
	snprintf(error.file, sizeof error.file, "%s", path);
	snprintf(error.message, sizeof error.message, "cannot make this folder: %s", strerror(errno));
	return cliFail(run, cli_exitFailed, &error);
}
