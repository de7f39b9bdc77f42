#include "realism_second.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Debian's own, where its packages of numpy and scipy are.
static const char s_python[] = "/usr/bin/python3";

const char* realismFindSecond(const char* mocap)
{
	static char script[1024];
	char probe[1200];
	snprintf(script, sizeof(script), "%.900s/../judge/realism.py", mocap != NULL ? mocap : "../shared/mocap");
	if (access(script, R_OK) != 0)
	{
		fprintf(stderr, "no second opinion: %s is not there\n", script);
		return NULL;
	}
	snprintf(probe, sizeof(probe), "%s -c 'import numpy, scipy, sklearn' 2>/dev/null", s_python);
	if (system(probe) != 0)
	{
		fprintf(stderr, "no second opinion: %s lacks numpy, scipy or sklearn (tools/setup bench)\n", s_python);
		return NULL;
	}
	return script;
}

static double getNumber(json_t* object, const char* key)
{
	json_t* value = json_object_get(object, key);
	return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

static size_t append(char* command, size_t size, size_t room, const char* text)
{
	int count = snprintf(command + size, room - size, "%s", text);
	return size + (size_t)count < room ? size + (size_t)count : room - 1;
}

static size_t appendFiles(char* command, size_t size, size_t room, const RealismFiles* files)
{
	for (int i = 0; i < files->count; ++i)
	{
		size = append(command, size, room, " '");
		size = append(command, size, room, files->paths[i]);
		size = append(command, size, room, "'");
	}
	return size;
}

bool realismAskSecond(const char* script, const RealismFiles* sources, const RealismFiles* made, bool classifies,
					  SecondOpinion* out)
{
	size_t room = 2 * (size_t)realismMaxFiles * (realismPathSize + 4) + 2048, size = 0;
	char* command = malloc(room);
	out->count = 0;
	if (command == NULL)
	{
		return false;
	}
	size = append(command, size, room, s_python);
	size = append(command, size, room, " '");
	size = append(command, size, room, script);
	size = append(command, size, room, classifies ? "' --json --classify --source" : "' --json --source");
	size = appendFiles(command, size, room, sources);
	size = append(command, size, room, " --made");
	size = appendFiles(command, size, room, made);
	append(command, size, room, " 2>/dev/null");
	FILE* pipe = popen(command, "r");
	json_t* root = pipe != NULL ? json_loadf(pipe, 0, NULL) : NULL;
	int code = pipe != NULL ? pclose(pipe) : -1;
	free(command);
	const char* key;
	json_t* row;
	json_object_foreach(root, key, row)
	{
		if (out->count < 64)
		{
			SecondRow* to = &out->rows[out->count++];
			snprintf(to->name, sizeof(to->name), "%s", key);
			to->source = getNumber(row, "source");
			to->made = getNumber(row, "made");
		}
	}
	json_decref(root);
	return code == 0 && out->count > 0;
}

const SecondRow* realismFindRow(const SecondOpinion* opinion, const char* name)
{
	size_t size = strlen(name);
	for (int i = 0; i < opinion->count; ++i)
	{
		const char* other = opinion->rows[i].name;
		if (strncmp(other, name, size) == 0 && (other[size] == 0 || other[size] == ' '))
		{
			return &opinion->rows[i];
		}
	}
	return NULL;
}
