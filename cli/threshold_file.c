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
						 "each line holds \"from,to,metres\", with never or auto in place of metres: walk,sneak,0.12"};
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

static void addLabel(cliThresholds* out, const char* name, int line, int column)
{
	out->labels = cliReallocate(out->labels, (size_t)(out->labelCount + 1) * sizeof(cliNamedLabel));
	out->labels[out->labelCount++] = (cliNamedLabel){name, line, column};
}

static bool addLine(cliRun* run, const char* path, int number, char* line, cliThresholds* out)
{
	char* first = strchr(line, ',');
	char* second = first != NULL ? strchr(first + 1, ',') : NULL;
	if (second == NULL)
		return failAt(run, path, number, 1, "two commas are needed");
	*first = *second = 0;
	const char* limit = trim(second + 1);
	rpThreshold threshold = {trim(line), trim(first + 1), 0.0f};
	double metres = 0.0;
	if (number == 1 && strcmp(limit, "metres") == 0)
		return true;
	addLabel(out, threshold.from, number, (int)(threshold.from - line) + 1);
	addLabel(out, threshold.to, number, (int)(threshold.to - line) + 1);
	if (strcmp(limit, "auto") == 0)
		return true;
	if (strcmp(limit, "never") != 0 && (!cliParseNumber(limit, &metres) || metres < 0.0 || metres > 10.0))
		return failAt(run, path, number, (int)(second - line) + 2, "this is no threshold from 0 to 10 m");
	threshold.distance = (float)metres;
	out->items = cliReallocate(out->items, (size_t)(out->count + 1) * sizeof(rpThreshold));
	out->items[out->count++] = threshold;
	return true;
}

bool cliReadThresholds(cliRun* run, const char* path, cliThresholds* out)
{
	*out = (cliThresholds){.text = readText(run, path)};
	if (out->text == NULL)
		return false;
	cliNotePath(run, path);
	int number = 0;
	bool done = true;
	for (char* line = out->text; line != NULL && done;)
	{
		char* end = strchr(line, '\n');
		if (end != NULL)
			*end = 0;
		const char* start = trim(line);
		++number;
		done = *start == 0 || *start == '#' || addLine(run, path, number, line, out);
		line = end != NULL ? end + 1 : NULL;
	}
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
