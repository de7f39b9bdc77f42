#include "threshold_file.h"

#include "clip.h"

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
	if (strcmp(limit, "auto") == 0 || (number == 1 && strcmp(limit, "metres") == 0))
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
		char* start = trim(line);
		++number;
		done = *start == 0 || *start == '#' || addLine(run, path, number, start, out);
		line = end != NULL ? end + 1 : NULL;
	}
	if (!done)
		cliFreeThresholds(out);
	return done;
}

void cliFreeThresholds(cliThresholds* thresholds)
{
	free(thresholds->items);
	free(thresholds->text);
	*thresholds = (cliThresholds){0};
}
