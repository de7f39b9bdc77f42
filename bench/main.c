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
	{"spaces", benchSpaces, "parametric spaces and searches for examples; of SPACE... or all; --quick"},
	{"pgraph", benchParametric,
	 "parametric graphs: built, played, measured in the stream; of GRAPH... or all; --quick"},
	{"pgraph-go", benchParametricGo,
	 "going to places on parametric graphs: planned, greedily, by all ways; some minutes"},
	{"web", benchWeb, "players in Node and on a page in Chromium, beside native ones"},
	{"search", benchSearch, "finding what does the same in long performed takes: what is found, how fast; --quick"},
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

void benchPutText(BenchReport* report, const char* key, const char* text, const char* what)
{
	benchPut(report, key, 0.0, what);
	report->figures[report->count - 1].text = text;
}

static int findFigure(const BenchReport* report, const char* object, const char* name)
{
	size_t size = strlen(object);
	for (int i = 0; i < report->count; ++i)
	{
		const char* key = report->figures[i].key;
		bool isOf = size == 0 || (strncmp(key, object, size) == 0 && key[size] == '.');
		if (isOf && strcmp(key + (size > 0 ? size + 1 : 0), name) == 0)
		{
			return i;
		}
	}
	return -1;
}

double benchGet(const BenchReport* report, const char* object, const char* name)
{
	int found = findFigure(report, object, name);
	return found >= 0 ? report->figures[found].value : (double)NAN;
}

const char* benchGetText(const BenchReport* report, const char* object, const char* name)
{
	int found = findFigure(report, object, name);
	return found >= 0 && report->figures[found].text != NULL ? report->figures[found].text : "";
}

const char* benchMakeKey(const char* object, const char* name)
{
	static char keys[65536];
	static size_t used;
	size_t size = strlen(object) + strlen(name) + 2;
	if (size > sizeof(keys) - used)
	{
		fprintf(stderr, "reprise-bench: no room for %s.%s\n", object, name);
		exit(1);
	}
	char* key = keys + used;
	snprintf(key, size, "%s.%s", object, name);
	used += size;
	return key;
}

bool benchIsWanted(const BenchOptions* options, const char* name)
{
	bool found = options->wordCount == 0;
	for (int i = 0; i < options->wordCount && !found; ++i)
	{
		found = strcmp(options->words[i], name) == 0;
	}
	return found;
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
	const char* object = "";
	int size = 0;
	for (int i = 0; i < report->count; ++i)
	{
		const char* key = report->figures[i].key;
		double value = report->figures[i].value;
		const char* text = report->figures[i].text;
		if (json && isfinite(value))
		{
			// "punch.samples" is "samples" in an object "punch"; those of one object follow each other.
			const char* dot = strchr(key, '.');
			int own = dot != NULL ? (int)(dot - key) : 0;
			bool isSame = own == size && strncmp(key, object, (size_t)own) == 0;
			printf("%s%s", !isSame && size > 0 ? "}" : "", ",\n  ");
			if (!isSame && own > 0)
			{
				printf("\"%.*s\": {", own, key);
			}
			printf("\"%s\": ", dot != NULL ? dot + 1 : key);
			if (text != NULL)
			{
				printf("\"%s\"", text);
			}
			else
			{
				printf("%.6g", value);
			}
			object = key;
			size = own;
		}
		else if (!json && text != NULL)
		{
			printf("%-34s %12s  %s\n", key, text, report->figures[i].what);
		}
		else if (!json)
		{
			printf("%-34s %12.4g  %s\n", key, value, report->figures[i].what);
		}
	}
	printf(json && size > 0 ? "}" : "");
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
