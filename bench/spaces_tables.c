/// The tables of docs/spaces.md, of what a run has put.
#include "spaces_tables.h"

#include "captured_spaces.h"
#include "performed_spaces.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void printNumber(const BenchReport* report, const char* object, const char* name, const char* format)
{
	double value = benchGet(report, object, name);
	printf(" ");
	if (isfinite(value))
	{
		printf(format, value);
	}
	printf(" |");
}

// The head of a table comes with its first row.
static void printHead(const char* head, int columns, bool* isPrinted)
{
	if (*isPrinted)
	{
		return;
	}
	*isPrinted = true;
	printf("\n%s\n|", head);
	for (int i = 0; i < columns; ++i)
	{
		printf("---|");
	}
	printf("\n");
}

static bool isThere(const BenchReport* report, const char* object)
{
	return isfinite(benchGet(report, object, "samples"));
}

// A row for the kind of the first parameter, and one for speed where that is another.
static void printErrors(const BenchReport* report, const char* object, bool isSpeed)
{
	const char* unit = isSpeed ? "%" : benchGetText(report, object, "accuracy_unit");
	printf(" %s |", unit);
	printNumber(report, object, isSpeed ? "accuracy_speed_mean" : "accuracy_mean", "%.3f");
	printNumber(report, object, isSpeed ? "accuracy_speed_p95" : "accuracy_p95", "%.3f");
	printNumber(report, object, isSpeed ? "accuracy_knn_speed_mean" : "accuracy_knn_mean", "%.2f");
	printNumber(report, object, isSpeed ? "examples_only_speed_mean" : "examples_only_mean", "%.3f");
}

static bool hasSpeed(const BenchReport* report, const char* object)
{
	return isfinite(benchGet(report, object, "accuracy_speed_mean"));
}

static void printPerformed(const BenchReport* report)
{
	bool isPrinted = false;
	for (int i = 0; i < performedSpaceCount; ++i)
	{
		const char* name = performedSpaces[i].name;
		if (!isThere(report, name))
		{
			continue;
		}
		printHead("| space | examples | samples | unit | mean | 95 % | eq. 6.1-6.2 alone | examples alone |"
				  " from the truth, cm | smoothness | built, s |",
				  11, &isPrinted);
		printf("| %s |", name);
		printNumber(report, name, "examples", "%.0f");
		printNumber(report, name, "samples", "%.0f");
		printErrors(report, name, false);
		printNumber(report, name, "truth_placed_cm", "%.2f");
		printNumber(report, name, "smoothness", "%.2f");
		printNumber(report, name, "build_s", "%.2f");
		printf("\n");
		if (hasSpeed(report, name))
		{
			printf("| | | |");
			printErrors(report, name, true);
			printf(" | | |\n");
		}
	}
}

static void printCaptured(const BenchReport* report)
{
	bool isPrinted = false;
	for (int i = 0; i < capturedSpaceCount; ++i)
	{
		const char* name = capturedSpaces[i].name;
		if (!isThere(report, name))
		{
			continue;
		}
		printHead("| space | found | examples | left out: inside, outside | unit | mean | 95 % | eq. 6.1-6.2 alone |"
				  " examples alone | from the example, cm | the nearest other, cm | physical | smoothness |",
				  13, &isPrinted);
		printf("| %s |", name);
		printNumber(report, name, "found", "%.0f");
		printNumber(report, name, "examples", "%.0f");
		printf(" %.0f, %.0f |", benchGet(report, name, "left_out"), benchGet(report, name, "left_out_outside"));
		printErrors(report, name, false);
		printNumber(report, name, "example_cm", "%.1f");
		printNumber(report, name, "nearest_example_cm", "%.1f");
		printNumber(report, name, "left_out_physical", "%.2f");
		printNumber(report, name, "smoothness", "%.2f");
		printf("\n");
		if (hasSpeed(report, name))
		{
			printf("| | | | |");
			printErrors(report, name, true);
			printf(" | | | |\n");
		}
	}
}

// ---- searches

static bool startsWith(const char* text, const char* start)
{
	return strncmp(text, start, strlen(start)) == 0;
}

// The objects whose names start so, one after another: those of a key that ends in ".matches".
static const char* findObject(const BenchReport* report, int* at, const char* start, char* out, size_t size)
{
	for (; *at < report->count; ++*at)
	{
		const char *key = report->figures[*at].key, *dot = strchr(key, '.');
		if (dot != NULL && strcmp(dot, ".matches") == 0 && startsWith(key, start))
		{
			snprintf(out, size, "%.*s", (int)(dot - key), key);
			++*at;
			return out;
		}
	}
	return NULL;
}

static void printSearches(const BenchReport* report)
{
	char name[64];
	bool areActs = false, areCuts = false;
	for (int at = 0; findObject(report, &at, "search_", name, sizeof(name)) != NULL;)
	{
		printHead("| act | known | found | matches | of the act | recall | precision | recall of one search |"
				  " threshold, m |",
				  9, &areActs);
		printf("| %s |", name + strlen("search_"));
		printNumber(report, name, "known", "%.0f");
		printNumber(report, name, "found", "%.0f");
		printNumber(report, name, "matches", "%.0f");
		printNumber(report, name, "right", "%.0f");
		printNumber(report, name, "recall", "%.3f");
		printNumber(report, name, "precision", "%.3f");
		printNumber(report, name, "recall_one_search", "%.3f");
		printNumber(report, name, "threshold", "%.3f");
		printf("\n");
	}
	for (int at = 0; findObject(report, &at, "86_", name, sizeof(name)) != NULL;)
	{
		printHead("| take, action | matches | of the action | share of the action covered | threshold, m |", 5,
				  &areCuts);
		printf("| %s |", name);
		printNumber(report, name, "matches", "%.0f");
		printNumber(report, name, "right", "%.0f");
		printNumber(report, name, "covered_share", "%.2f");
		printNumber(report, name, "threshold", "%.3f");
		printf("\n");
	}
}

static void printSpeed(const BenchReport* report)
{
	static const struct
	{
		const char *key, *what, *format, *target;
	} rows[] = {
		{"query_vs_grid", "first search of a 1 s query over 200,000 frames, against its rows of the grid", "%.2f", "3"},
		{"query_plain_ms", "the same, ms", "%.1f", ""},
		{"query_ms", "from the web, ms", "%.1f", "100"},
		{"web_build_s", "weaving the web, s", "%.1f", ""},
		{"web_mb", "its size, MB", "%.1f", "60"},
		{"frames_per_s", "frames sampled per second, of the slowest space", "%.0f", "200,000 at least"},
	};
	bool isPrinted = false;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); ++i)
	{
		if (isfinite(benchGet(report, "", rows[i].key)))
		{
			printHead("| what | | target |", 3, &isPrinted);
			printf("| %s |", rows[i].what);
			printNumber(report, "", rows[i].key, rows[i].format);
			printf(" %s |\n", rows[i].target);
		}
	}
}

void benchPrintSpaces(const BenchReport* report)
{
	printPerformed(report);
	printCaptured(report);
	printSearches(report);
	printSpeed(report);
}
