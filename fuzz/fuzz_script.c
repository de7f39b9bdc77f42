/// Tables that people write by hand: the first byte tells whether the rest is one of thresholds, of gaits or of
/// directions. What is read is looked at as the commands do.
#include "gait_script.h"
#include "run.h"
#include "threshold_file.h"

#include <stdio.h>
#include <stdlib.h>
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
	snprintf(s_path, sizeof(s_path), "%s/reprise-fuzz-%d.csv", folder, (int)getpid());
	atexit(removeFile);
	return freopen("/dev/null", "w", stdout) == NULL;
}

static void useScript(cliScript* script)
{
	double last = -1.0;
	for (int i = 0; i < script->count; ++i)
	{
		rpPlayerInput input = cliScript_Get(script, script->items[i].time);
		if (!(script->items[i].time >= last) || !(input.stick.x * input.stick.x >= 0.0f))
		{
			abort();
		}
		last = script->items[i].time;
	}
	cliFreeScript(script);
}

static void useThresholds(cliThresholds* thresholds)
{
	for (int i = 0; i < thresholds->count; ++i)
	{
		if (!(thresholds->items[i].distance >= 0.0f))
		{
			abort();
		}
	}
	cliFreeThresholds(thresholds);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
	FILE* file = size > 0 ? fopen(s_path, "wb") : NULL;
	if (file == NULL)
	{
		return 0;
	}
	bool done = fwrite(data + 1, 1, size - 1, file) == size - 1;
	done = fclose(file) == 0 && done;
	cliRun run = {.program = "reprise", .json = true, .warnings = json_array(), .inputs = json_array()};
	cliThresholds thresholds;
	cliScript script;
	if (done && data[0] % 3 == 0 && cliReadThresholds(&run, s_path, &thresholds))
	{
		useThresholds(&thresholds);
	}
	else if (done && data[0] % 3 == 1 && cliReadGaitScript(&run, s_path, &script))
	{
		useScript(&script);
	}
	else if (done && data[0] % 3 == 2 && cliReadScript(&run, s_path, &script))
	{
		useScript(&script);
	}
	cliEndRun(&run);
	return 0;
}
