#include "threshold_file.h"

#include "clip.h"
#include "suggestion.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool failAt(cliRun* run, const char* path, int line, int column, const char* message)
{
	rpError error = {.code = rp_errorFormat,
					 .line = line,
					 .column = column,
					 .hint =
						 "each line holds \"from,to,distance\", with never or auto in place of it: walk,sneak,0.12"};
	snprintf(error.file, sizeof error.file, "%s", path);
	snprintf(error.message, sizeof error.message, "%s", message);
	return cliFail(run, cli_exitInput, &error);
}

// Whole file as text; NULL: reported.
static char* readText(cliRun* run, const char* path)
{
	FILE* file = fopen(path, "r");
	char* text = NULL;
	size_t capacity = 0;
	ssize_t size = file != NULL ? getdelim(&text, &capacity, 0, file) : -1;
	if (file == NULL || (size < 0 && ferror(file)))
	{
		rpError error = {.code = rp_errorFile};
		snprintf(error.file, sizeof error.file, "%s", path);
		snprintf(error.message, sizeof error.message, "cannot read it: %s", strerror(errno));
		snprintf(error.hint, sizeof error.hint, "--threshold takes metres, auto, or a CSV file of thresholds");
		cliFail(run, cli_exitInput, &error);
		free(text);
		text = NULL;
	}
	else if (size < 0)
	{
		free(text);
		text = cliFormat("%s", "");
	}
	if (file != NULL)
		fclose(file);
	return text;
}

static char* trim(char* text)
{
	text += strspn(text, " \t\r");
	for (char* end = text + strlen(text); end > text && strchr(" \t\r", end[-1]) != NULL;)
		*--end = 0;
	return text;
}

/// A table while it is read.
typedef struct Table
{
	cliRun* run;
	const char* path;

	/// Columns of a line, which one says whether it counts (-1: all do), and whether there was a line already.
	int columnCount, chosenColumn;
	bool hasBegun;
	cliThresholds* out;
} Table;

enum
{
	// The table that graph build writes has six.
	MAX_COLUMNS = 8,
};

static bool failLine(const Table* table, int line, int column, const char* message)
{
	return failAt(table->run, table->path, line, column, message);
}

// Cuts a line at its commas; how many pieces there are, at most one more than are asked for.
static int split(char* line, char* fields[MAX_COLUMNS + 1])
{
	int count = 0;
	for (char* next = line; next != NULL && count <= MAX_COLUMNS; ++count)
	{
		char* comma = strchr(next, ',');
		if (comma != NULL)
			*comma = 0;
		fields[count] = trim(next);
		next = comma != NULL ? comma + 1 : NULL;
	}
	return count;
}

// "from,to,distance", "from,to,metres", or the first line of what graph build --csv writes.
static bool readHeading(Table* table, char** fields, int count)
{
	static const char* const names[] = {"distance", "metres", "threshold", "threshold_m"};
	bool isHeading = false;
	if (count < 3 || count > MAX_COLUMNS || strcmp(fields[0], "from") != 0 || strcmp(fields[1], "to") != 0)
		return false;
	for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
		isHeading = isHeading || strcmp(fields[2], names[i]) == 0;
	for (int i = 3; i < count && isHeading; ++i)
		table->chosenColumn = strcmp(fields[i], "chosen") == 0 ? i : table->chosenColumn;
	table->columnCount = isHeading ? count : table->columnCount;
	return isHeading;
}

static void addLabel(cliThresholds* out, const char* name, int line, int column)
{
	out->labels = cliReallocate(out->labels, (size_t)(out->labelCount + 1) * sizeof(cliNamedLabel));
	out->labels[out->labelCount++] = (cliNamedLabel){name, line, column};
}

static bool addPair(Table* table, int number, const char* line, char** fields)
{
	cliThresholds* out = table->out;
	rpThreshold threshold = {fields[0], fields[1], 0.0f};
	double metres = 0.0;
	addLabel(out, threshold.from, number, (int)(threshold.from - line) + 1);
	addLabel(out, threshold.to, number, (int)(threshold.to - line) + 1);
	if (strcmp(fields[2], "auto") == 0)
		return true;
	if (strcmp(fields[2], "never") != 0 && (!cliParseNumber(fields[2], &metres) || metres < 0.0 || metres > 10.0))
		return failLine(table, number, (int)(fields[2] - line) + 1, "this is no threshold from 0 to 10 m");
	threshold.distance = (float)metres;
	out->items = cliReallocate(out->items, (size_t)(out->count + 1) * sizeof(rpThreshold));
	out->items[out->count++] = threshold;
	return true;
}

static bool addLine(Table* table, int number, char* line)
{
	char* fields[MAX_COLUMNS + 1];
	int count = split(line, fields);
	bool isHeading = !table->hasBegun && readHeading(table, fields, count);
	table->hasBegun = true;
	if (isHeading)
		return true;
	if (count < 3)
		return failLine(table, number, 1, "two commas are needed");
	if (count != table->columnCount)
		return failLine(table, number, (int)(fields[count > table->columnCount ? table->columnCount : 0] - line) + 1,
						count > table->columnCount ? "here is a column too much" : "columns are missing");
	bool counts = table->chosenColumn < 0 || strcmp(fields[table->chosenColumn], "1") == 0;
	return !counts || addPair(table, number, line, fields);
}

// By pair, then by line.
static int comparePairs(const void* a, const void* b)
{
	const cliNamedLabel* x = *(const cliNamedLabel* const*)a;
	const cliNamedLabel* y = *(const cliNamedLabel* const*)b;
	int from = strcmp(x[0].name, y[0].name), to = strcmp(x[1].name, y[1].name);
	return from != 0 ? from : to != 0 ? to : x->line - y->line;
}

// Labels stand in the list two by two, from and to.
static bool checkTwice(const Table* table)
{
	int count = table->out->labelCount / 2;
	const cliNamedLabel** pairs = cliAllocate((size_t)(count + 1) * sizeof(cliNamedLabel*));
	const cliNamedLabel *second = NULL, *first = NULL;
	for (int i = 0; i < count; ++i)
		pairs[i] = &table->out->labels[2 * i];
	qsort(pairs, (size_t)count, sizeof(cliNamedLabel*), comparePairs);
	for (int i = 1; i < count; ++i)
	{
		bool isSame =
			strcmp(pairs[i - 1][0].name, pairs[i][0].name) == 0 && strcmp(pairs[i - 1][1].name, pairs[i][1].name) == 0;
		if (isSame && (second == NULL || pairs[i]->line < second->line))
		{
			first = pairs[i - 1];
			second = pairs[i];
		}
	}
	free(pairs);
	if (second == NULL)
		return true;
	char message[300];
	snprintf(message, sizeof message, "from \"%.100s\" to \"%.100s\" has a threshold in line %d already",
			 second[0].name, second[1].name, first->line);
	return failLine(table, second->line, second->column, message);
}

static bool readLines(Table* table)
{
	int number = 0;
	bool done = true;
	for (char* line = table->out->text; line != NULL && done;)
	{
		char* end = strchr(line, '\n');
		if (end != NULL)
			*end = 0;
		const char* start = trim(line);
		++number;
		done = *start == 0 || *start == '#' || addLine(table, number, line);
		line = end != NULL ? end + 1 : NULL;
	}
	return done && (table->out->labelCount > 0 || failLine(table, number, 1, "there is no threshold in it")) &&
		   checkTwice(table);
}

bool cliReadThresholds(cliRun* run, const char* path, cliThresholds* out)
{
	*out = (cliThresholds){.text = readText(run, path)};
	if (out->text == NULL)
		return false;
	cliNotePath(run, path);
	Table table = {.run = run, .path = path, .columnCount = 3, .chosenColumn = -1, .out = out};
	bool done = readLines(&table);
	if (!done)
		cliFreeThresholds(out);
	return done;
}

// ---- the labels that there are

// Those of all clips, each once; both the list and its texts are freed by freeLabels.
static char** listLabels(const rpClipInfo* infos, int count, int* labelCount)
{
	char** labels = NULL;
	*labelCount = 0;
	for (int i = 0; i < count; ++i)
	{
		char* copy = cliCopyText(infos[i].labels[0] != 0 ? infos[i].labels : "unlabelled");
		char* rest = NULL;
		for (char* label = strtok_r(copy, ",", &rest); label != NULL; label = strtok_r(NULL, ",", &rest))
		{
			int k = 0;
			label = trim(label);
			while (k < *labelCount && strcmp(labels[k], label) != 0)
				++k;
			if (k < *labelCount)
				continue;
			labels = cliReallocate(labels, (size_t)(k + 1) * sizeof(char*));
			labels[(*labelCount)++] = cliCopyText(label);
		}
		free(copy);
	}
	return labels;
}

static void freeLabels(char** labels, int count)
{
	for (int i = 0; i < count; ++i)
		free(labels[i]);
	free(labels);
}

static bool checkLabel(cliRun* run, const char* path, const cliNamedLabel* named, char** labels, int count)
{
	const char* best = NULL;
	int distance = -1;
	rpError error = {.code = rp_errorMissing, .line = named->line, .column = named->column};
	size_t size = (size_t)snprintf(error.hint, sizeof error.hint, "there are: ");
	for (int i = 0; i < count; ++i)
	{
		if (strcmp(labels[i], named->name) == 0)
			return true;
		cliSuggest(named->name, labels[i], &best, &distance);
		if (size + 40 < sizeof error.hint)
			size +=
				(size_t)snprintf(error.hint + size, sizeof error.hint - size, "%s%.30s", i > 0 ? ", " : "", labels[i]);
		else if (error.hint[size] == 0)
			snprintf(error.hint + size, sizeof error.hint - size, ", …");
	}
	if (best != NULL)
		snprintf(error.hint, sizeof error.hint, "did you mean \"%.100s\"?", best);
	snprintf(error.file, sizeof error.file, "%s", path);
	snprintf(error.message, sizeof error.message, "no clip has the label \"%.100s\"", named->name);
	return cliFail(run, cli_exitInput, &error);
}

bool cliCheckThresholds(cliRun* run, const char* path, const cliThresholds* thresholds, const rpLibrary* library)
{
	rpClipInfo* infos;
	rpError error = {0};
	if (thresholds->labelCount == 0)
		return true;
	int labelCount, count = rpLibrary_ListClips(library, &infos, &error);
	if (count < 0)
		return cliFailInput(run, &error);
	char** labels = listLabels(infos, count, &labelCount);
	bool done = true;
	for (int i = 0; i < thresholds->labelCount && done; ++i)
		done = checkLabel(run, path, &thresholds->labels[i], labels, labelCount);
	freeLabels(labels, labelCount);
	rpFreeClipInfos(infos, count);
	return done;
}

void cliFreeThresholds(cliThresholds* thresholds)
{
	free(thresholds->labels);
	free(thresholds->items);
	free(thresholds->text);
	*thresholds = (cliThresholds){0};
}
