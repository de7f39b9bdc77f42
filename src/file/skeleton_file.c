/// Which .asf file belongs to an .amc file: many takes share a skeleton, and only their names show it.
#include "file/amc_reader.h"
#include "file/bytes.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static bool isSkeletonName(const char* name, size_t length)
{
	size_t size = strlen(name);
	return size > 4 && strcasecmp(name + size - 4, ".asf") == 0 && (length == 0 || size - 4 == length);
}

// Find the one skeleton in a folder whose name without ending is `stem` (length 0: any). A second one of any name makes
// the choice a guess, and none is found. Among equals (a.asf, a.ASF) the one that sorts first wins.
static bool findInFolder(const char* folder, const char* stem, size_t length, char* name, size_t capacity)
{
	DIR* directory = opendir(folder);
	int count = 0;
	for (struct dirent* entry; directory != NULL && (entry = readdir(directory)) != NULL;)
	{
		if (!isSkeletonName(entry->d_name, length) || (length > 0 && strncmp(entry->d_name, stem, length) != 0))
		{
			continue;
		}
		if (count++ == 0 || strcmp(entry->d_name, name) < 0)
		{
			snprintf(name, capacity, "%s", entry->d_name);
		}
	}
	if (directory != NULL)
	{
		closedir(directory);
	}
	return length > 0 ? count > 0 : count == 1;
}

bool rpFindSkeletonFile(const char* amcPath, char* out, size_t capacity)
{
	const char* file = rpGetFileName(amcPath);
	size_t folderLength = (size_t)(file - amcPath);
	char folder[PATH_MAX], name[NAME_MAX + 1];
	if (folderLength >= sizeof(folder) - 2)
	{
		return false;
	}
	snprintf(folder, sizeof(folder), "%.*s.", (int)folderLength, amcPath);
	const char* dot = strrchr(file, '.');
	size_t stem = dot != NULL ? (size_t)(dot - file) : strlen(file);
	const char* underscore = memchr(file, '_', stem);
	size_t part = underscore != NULL ? (size_t)(underscore - file) : 0;
	if ((stem == 0 || !findInFolder(folder, file, stem, name, sizeof(name))) &&
		(part == 0 || !findInFolder(folder, file, part, name, sizeof(name))) &&
		!findInFolder(folder, "", 0, name, sizeof(name)))
	{
		return false;
	}
	return snprintf(out, capacity, "%.*s%s", (int)folderLength, amcPath, name) < (int)capacity;
}
