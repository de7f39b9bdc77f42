#include "bench.h"
#include "math/order.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const struct
{
	const char* name;
	bool (*run)(const BenchOptions* options, BenchReport* report);
	const char* what;
} s_commands[] = {
	{"files", benchFiles, "reading BVH against strtod and memcpy"},
	{"kinematics", benchKinematics, "forward kinematics against 4x4 matrices, and sampling"},
	{"accelerations", benchAccelerations, "how fast captured people move: the bars of the performer's tests"},
	{"performer", benchPerformer, "the performer's speed, and its gait beside captured people's"},
	{"engine", benchEngine, "distance grid, alignment, blending, foot lock"},
	{"graph", benchGraph, "building motion graphs, following paths on them, steering"},
	{"transitions", benchTransitions, "lengths of transitions: speed, and joins of fixed and computed lengths"},
	{"graph-stability", benchGraphStability, "how far minima move when the metric changes: two tables"},
	{"locomotion", benchLocomotion, "movements found in performed takes, models of them"},
	{"realism", benchRealism, "what is made against its takes, by both judges; of PERSON... or six; --quick"},
	{"web", benchWeb, "players in Node and on a page in Chromium, beside native ones"},
};

#define COMMAND_COUNT (int)(sizeof(s_commands) / sizeof(s_commands[0]))

void benchPut(BenchReport* report, const char* key, double value, const char* what)
{
	if (report->count == (int)(sizeof(report->figures) / sizeof(report->figures[0])))
	{
		fprintf(stderr, "reprise-bench: no room for %s\n", key);
		exit(1);
	}
	report->figures[report->count].key = key;
	report->figures[report->count].value = value;
	report->figures[report->count].what = what;
	++report->count;
}

double benchNow(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double benchCpuTime(void)
{
	struct timespec now;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double benchMedian(double* values, int count)
{
	qsort(values, (size_t)count, sizeof(double), rpCompareDoubles);
	return count % 2 == 1 ? values[count / 2] : 0.5 * (values[count / 2 - 1] + values[count / 2]);
}

static int showUsage(FILE* stream)
{
	fprintf(stream, "usage: reprise-bench COMMAND [PERSON...] [--json|--markdown] [--quick] [--file F]\n\n");
	for (int i = 0; i < COMMAND_COUNT; ++i)
	{
		fprintf(stream, "  %-16s %s\n", s_commands[i].name, s_commands[i].what);
	}
	return stream == stdout ? 0 : 2;
}

static void printReport(const char* command, const BenchReport* report, bool json)
{
	if (json)
	{
		printf("{\n  \"schema\": \"reprise-bench 1\",\n  \"command\": \"%s\"", command);
	}
	for (int i = 0; i < report->count; ++i)
	{
		double value = report->figures[i].value;
		if (json && isfinite(value))
		{
			printf(",\n  \"%s\": %.6g", report->figures[i].key, value);
		}
		else if (!json)
		{
			printf("%-34s %12.4g  %s\n", report->figures[i].key, value, report->figures[i].what);
		}
	}
	printf(json ? "\n}\n" : "");
}

int main(int argc, char** argv)
{
	BenchOptions options = {0};
	int command = -1;
	for (int i = 1; i < argc; ++i)
	{
		if (strcmp(argv[i], "--json") == 0)
		{
			options.json = true;
		}
		else if (strcmp(argv[i], "--file") == 0 && i + 1 < argc)
		{
			options.file = argv[++i];
		}
		else if (strcmp(argv[i], "--markdown") == 0)
		{
			options.markdown = true;
		}
		else if (strcmp(argv[i], "--quick") == 0)
		{
			options.quick = true;
		}
		else if (command >= 0 && argv[i][0] != '-' && options.wordCount < 16)
		{
			options.words[options.wordCount++] = argv[i];
		}
		else if (strcmp(argv[i], "--help") == 0)
		{
			return showUsage(stdout);
		}
		else
		{
			int found = -1;
			for (int k = 0; k < COMMAND_COUNT; ++k)
			{
				found = strcmp(argv[i], s_commands[k].name) == 0 ? k : found;
			}
			if (found < 0 || command >= 0)
			{
				return showUsage(stderr);
			}
			command = found;
		}
	}
	if (command < 0)
	{
		return showUsage(stderr);
	}
	BenchReport report = {0};
	if (!s_commands[command].run(&options, &report))
	{
		return 1;
	}
	if (!options.markdown)
	{
		printReport(s_commands[command].name, &report, options.json);
	}
	return 0;
}
