#include "capture_takes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The next cell of a line of CSV, quotes taken off; cells are cut to the room there is. Returns what follows it.
static const char* readCell(const char* at, char* out, size_t room)
{
	bool quoted = *at == '"';
	size_t count = 0;
	at += quoted;
	while (*at != 0 && *at != '\n' && *at != '\r' && (quoted ? *at != '"' : *at != ','))
	{
		if (count + 1 < room)
		{
			out[count++] = *at;
		}
		++at;
	}
	out[count] = 0;
	at += quoted && *at == '"';
	return *at == ',' ? at + 1 : at;
}

// file,subject,trial,frames,fps,seconds,description,experiments,labels,…
static bool readTake(const char* line, CaptureTake* out)
{
	char cells[9][96];
	for (int i = 0; i < 9; ++i)
	{
		line = readCell(line, cells[i], sizeof(cells[i]));
	}
	memcpy(out->file, cells[0], sizeof(out->file));
	memcpy(out->labels, cells[8], sizeof(out->labels));
	out->defect = benchHasWord(cells[7], "defects");
	out->subject = atoi(cells[1]);
	out->fps = atof(cells[4]);
	return out->subject > 0 && out->fps > 0.0;
}

int benchListTakes(const char* folder, CaptureTake* out, int capacity)
{
	char path[2048], line[1024];
	snprintf(path, sizeof(path), "%.1900s/manifest.csv", folder);
	FILE* file = fopen(path, "r");
	int count = 0;
	while (file != NULL && count < capacity && fgets(line, sizeof(line), file) != NULL)
	{
		count += readTake(line, out + count) ? 1 : 0;
	}
	if (file != NULL)
	{
		fclose(file);
	}
	return count;
}

rpMotion* benchLoadTake(const char* folder, const CaptureTake* take)
{
	char path[2048];
	snprintf(path, sizeof(path), "%.1900s/%s", folder, take->file);
	rpReadDef def = rpDefaultReadDef();
	def.fps = take->fps;
	return rpLoadMotion(path, &def, NULL, NULL);
}

bool benchHasWord(const char* list, const char* word)
{
	size_t length = strlen(word);
	for (const char* at = list; (at = strstr(at, word)) != NULL; at += length)
	{
		if ((at == list || at[-1] == ';') && (at[length] == 0 || at[length] == ';'))
		{
			return true;
		}
	}
	return false;
}
