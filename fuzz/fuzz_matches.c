/// MATCHES.json, which space find writes and people edit. What is read is looked at as space build does.
#include "match_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char s_path[100];

static void removeFile(void)
{
	unlink(s_path);
}

int LLVMFuzzerInitialize(int* argumentCount, char*** arguments)
{
	(void)argumentCount, (void)arguments;
	const char* folder = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
	snprintf(s_path, sizeof(s_path), "%s/reprise-fuzz-%d.json", folder, (int)getpid());
	atexit(removeFile);
	return freopen("/dev/null", "w", stdout) == NULL;
}

static void checkMatch(const cliMatchFile* file, int index)
{
	const cliMatch* match = &file->items[index];
	bool isSound = match->name[0] != 0 && strlen(match->hash) == 32 && match->end > match->start &&
				   match->start >= 0.0 && match->distance >= 0.0 && match->farthest >= 0.0 && match->timeCount >= 2 &&
				   match->parent < index && (match->parent >= 0) == (index > 0) && match->line >= 1 && match->clip == 0;
	for (int k = 1; k < match->timeCount && isSound; ++k)
	{
		const rpMatchedTime *time = &match->times[k], *last = time - 1;
		isSound = time->own > last->own && time->parent > last->parent;
	}
	if (!isSound)
	{
		abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
	FILE* file = fopen(s_path, "wb");
	if (file == NULL)
	{
		return 0;
	}
	bool done = fwrite(data, 1, size, file) == size;
	done = fclose(file) == 0 && done;
	cliRun run = {.program = "reprise", .json = true, .warnings = json_array(), .inputs = json_array()};
	cliMatchFile matches;
	if (done && cliReadMatches(&run, s_path, &matches))
	{
		if (matches.count < 1 || matches.library == NULL || !(matches.threshold >= 0.0))
		{
			abort();
		}
		for (int i = 0; i < matches.count; ++i)
		{
			checkMatch(&matches, i);
			json_decref(cliMakeMatch(&matches, i, true));
		}
		json_decref(cliMakeMatchSummary(&matches));
		cliFreeMatches(&matches);
	}
	cliEndRun(&run);
	return 0;
}
