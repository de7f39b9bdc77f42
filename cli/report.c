#include "clip.h"
#include "progress_bar.h"
#include "run.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

json_t* cliMakeText(const char* text)
{
	char* valid = cliMakeUtf8(text);
	json_t* result = json_string(valid);
	free(valid);
	return result;
}

json_t* cliMakeReal(double value)
{
	return isfinite(value) ? json_real(round(value * 1e6) / 1e6) : json_null();
}

json_t* cliMakeFindings(const rpFindings* findings)
{
	json_t* list = json_array();
	for (int i = 0; i < findings->count; ++i)
	{
		const rpFinding* finding = &findings->items[i];
		json_t* item = json_object();
		json_object_set_new(item, "code", cliMakeText(finding->code));
		json_object_set_new(item, "message", cliMakeText(finding->message));
		json_object_set_new(item, "action", cliMakeText(finding->action));
		json_object_set_new(item, "repaired", json_boolean(finding->repaired));
		if (finding->firstRow >= 0)
		{
			json_object_set_new(item, "first_row", json_integer(finding->firstRow));
			json_object_set_new(item, "row_count", json_integer(finding->rowCount));
		}
		json_array_append_new(list, item);
	}
	return list;
}

// ---- failures

static json_t* makeError(int exit, const rpError* error)
{
	json_t* result = json_object();
	json_object_set_new(result, "code", cliMakeText(rpErrorCode_GetName(error->code)));
	json_object_set_new(result, "exit", json_integer(exit));
	json_object_set_new(result, "file", error->file[0] != 0 ? cliMakeText(error->file) : json_null());
	json_object_set_new(result, "line", error->line > 0 ? json_integer(error->line) : json_null());
	json_object_set_new(result, "column", error->column > 0 ? json_integer(error->column) : json_null());
	json_object_set_new(result, "message", cliMakeText(error->message));
	json_object_set_new(result, "hint", error->hint[0] != 0 ? cliMakeText(error->hint) : json_null());
	return result;
}

static void printError(const rpError* error)
{
	bool colour = cliHasColour(stderr);
	cliClearBar();
	fputs(colour ? "\x1b[1;31mreprise:\x1b[0m " : "reprise: ", stderr);
	if (error->file[0] != 0 && error->line > 0)
		cliPut(stderr, "%s:%d:%d: ", error->file, error->line, error->column > 0 ? error->column : 1);
	else if (error->file[0] != 0)
		cliPut(stderr, "%s: ", error->file);
	cliLine(stderr, "%s", error->message);
	if (error->hint[0] != 0)
		cliLine(stderr, "  hint: %s", error->hint);
}

bool cliFail(cliRun* run, int exit, const rpError* error)
{
	rpError interrupted = {.code = rp_errorCancelled, .message = "interrupted"};
	if (cliGetInterruption() != 0)
	{
		exit = 128 + cliGetInterruption();
		error = &interrupted;
	}
	if (run->exit == 0)
		run->exit = exit;
	json_decref(run->lastError);
	run->lastError = makeError(exit, error);
	if (run->error == NULL)
		run->error = json_incref(run->lastError);
	if (!run->json)
		printError(error);
	return false;
}

static int getCommonExit(rpErrorCode code)
{
	switch (code)
	{
	case rp_errorArgument:
		return cli_exitUsage;
	case rp_errorFormat:
	case rp_errorVersion:
	case rp_errorMissing:
		return cli_exitInput;
	case rp_errorNoSolution:
		return cli_exitNoSolution;
	case rp_errorLimit:
		return cli_exitLimit;
	case rp_errorCancelled:
		return cli_exitInterrupted;
	default:
		return cli_exitFailed;
	}
}

bool cliFailInput(cliRun* run, const rpError* error)
{
	// A file that cannot be opened, or is beyond what we can hold, is bad input like one that is malformed.
	bool isBadInput = error->code == rp_errorFile || error->code == rp_errorLimit;
	return cliFail(run, isBadInput ? cli_exitInput : getCommonExit(error->code), error);
}

bool cliFailWork(cliRun* run, const rpError* error)
{
	return cliFail(run, getCommonExit(error->code), error);
}

bool cliFailUsage(cliRun* run, const char* hint, const char* format, ...)
{
	rpError error = {.code = rp_errorArgument};
	va_list list;
	va_start(list, format);
	vsnprintf(error.message, sizeof error.message, format, list);
	va_end(list);
	if (hint != NULL)
		snprintf(error.hint, sizeof error.hint, "%s", hint);
	else if (run->command != NULL)
		snprintf(error.hint, sizeof error.hint, "reprise help %s shows how it is used", run->command->name);
	return cliFail(run, cli_exitUsage, &error);
}

// ---- remarks

static void warnText(cliRun* run, const char* text)
{
	json_array_append_new(run->warnings, cliMakeText(text));
	if (!run->quiet && !run->json)
		cliLine(stderr, "%s", text);
}

void cliWarn(cliRun* run, const char* format, ...)
{
	char* text = NULL;
	va_list list;
	va_start(list, format);
	int size = vasprintf(&text, format, list);
	va_end(list);
	if (size < 0)
		return;
	warnText(run, text);
	free(text);
}

char* cliFormatFinding(const rpFinding* finding)
{
	return finding->action[0] != 0 ? cliFormat("%s: %s: %s", finding->code, finding->message, finding->action)
								   : cliFormat("%s: %s", finding->code, finding->message);
}

void cliPrintFindings(cliRun* run, const char* name, const rpFindings* findings)
{
	for (int i = 0; i < findings->count; ++i)
	{
		char* text = cliFormatFinding(&findings->items[i]);
		cliWarn(run, "%s: %s", name, text);
		free(text);
	}
}

// The codes of what was mended, each once and with its number: "units, lost_bones, jump (3)"; free() it.
static char* listMended(const rpFindings* findings)
{
	char* codes = cliCopyText("");
	for (int i = 0; i < findings->count; ++i)
	{
		const char* code = findings->items[i].code;
		int first = -1, count = 0;
		for (int j = 0; j < findings->count; ++j)
		{
			if (!findings->items[j].repaired || strcmp(findings->items[j].code, code) != 0)
				continue;
			first = first < 0 ? j : first;
			++count;
		}
		if (first != i)
			continue;
		char* number = count > 1 ? cliFormat(" (%d)", count) : cliCopyText("");
		char* more = cliFormat("%s%s%s%s", codes, codes[0] != 0 ? ", " : "", code, number);
		free(number);
		free(codes);
		codes = more;
	}
	return codes;
}

void cliSumFindings(cliRun* run, const char* name, const rpFindings* findings)
{
	char* codes = listMended(findings);
	if (codes[0] != 0)
		cliWarn(run, "%s: mended on reading: %s; reprise info says more", name, codes);
	free(codes);
	for (int i = 0; i < findings->count; ++i)
	{
		if (findings->items[i].repaired)
			continue;
		char* text = cliFormatFinding(&findings->items[i]);
		cliWarn(run, "%s: %s", name, text);
		free(text);
	}
}

static void printLine(const char* format, va_list list)
{
	char* text = NULL;
	if (vasprintf(&text, format, list) < 0)
		return;
	cliLine(stdout, "%s", text);
	free(text);
}

const char* cliPlural(int count)
{
	return count == 1 ? "" : "s";
}

void cliPrint(cliRun* run, const char* format, ...)
{
	if (run->json || run->quiet)
		return;
	va_list list;
	va_start(list, format);
	printLine(format, list);
	va_end(list);
}

void cliAnswer(cliRun* run, const char* format, ...)
{
	if (run->json)
		return;
	va_list list;
	va_start(list, format);
	printLine(format, list);
	va_end(list);
}

// ---- the report in JSON

void cliNoteInputs(cliRun* run, const rpMotion* motion)
{
	for (int i = 0; i < motion->inputCount; ++i)
	{
		json_t* input = json_object();
		json_object_set_new(input, "name", cliMakeText(motion->inputs[i].name));
		json_object_set_new(input, "hash", cliMakeText(motion->inputs[i].hash));
		size_t at = 0;
		while (at < json_array_size(run->inputs) && !json_equal(json_array_get(run->inputs, at), input))
			++at;
		if (at == json_array_size(run->inputs))
			json_array_append(run->inputs, input);
		json_decref(input);
	}
}

// What does not change what is made, or would reveal where on this machine it was made.
static bool isPrivate(const char* option)
{
	static const char* const names[] = {"output", "json", "quiet", "force", "help", "version"};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); ++i)
	{
		if (strcmp(names[i], option) == 0)
			return true;
	}
	return false;
}

static json_t* makeValue(const cliGiven* given)
{
	double number = 0.0;
	if (given->value == NULL)
		return json_true();
	if (cliParseNumber(given->value, &number))
		return json_real(number);
	bool isPath = strstr(given->option->argument, "FILE") != NULL;
	return cliMakeText(isPath ? cliGetBaseName(given->value) : given->value);
}

static json_t* makeParameters(const cliRun* run)
{
	json_t* result = json_object();
	json_t* arguments = json_array();
	for (int i = 0; i < run->argumentCount; ++i)
		json_array_append_new(arguments, cliMakeText(cliHideFolders(run->arguments[i])));
	json_object_set_new(result, "arguments", arguments);
	for (int i = 0; i < run->givenCount; ++i)
	{
		const cliGiven* given = &run->given[i];
		if (isPrivate(given->option->name))
			continue;
		json_t* value = makeValue(given);
		json_t* old = json_object_get(result, given->option->name);
		if (json_is_array(old))
			json_array_append_new(old, value);
		else if (old != NULL)
			json_object_set_new(result, given->option->name, json_pack("[O,o]", old, value));
		else
			json_object_set_new(result, given->option->name, value);
	}
	return result;
}

char* cliFormatParameters(const cliRun* run)
{
	json_t* root = json_object();
	json_object_set_new(root, "command", cliMakeText(run->command->name));
	json_object_set_new(root, "parameters", makeParameters(run));
	char* text = json_dumps(root, JSON_COMPACT | JSON_REAL_PRECISION(10));
	json_decref(root);
	return text;
}

// Print JSON text, which is ASCII outside its strings, with every dangerous character as \uXXXX.
static void putJson(const char* text)
{
	while (*text != 0)
	{
		uint32_t code = 0;
		int length = cliDecode(text, &code);
		if (code >= 0x7f && code < 0x10000 && cliIsDangerous(code))
			printf("\\u%04x", (unsigned)code);
		else if (code >= 0x10000 && cliIsDangerous(code))
			printf("\\u%04x\\u%04x", 0xd800u + ((unsigned)(code - 0x10000) >> 10), 0xdc00u + (code & 0x3ffu));
		else
			fwrite(text, 1, (size_t)length, stdout);
		text += length;
	}
	putchar('\n');
}

static bool printJson(cliRun* run, json_t* root)
{
	char* text = json_dumps(root, JSON_INDENT(2) | JSON_REAL_PRECISION(10));
	run->isReported = true;
	if (text == NULL)
	{
		run->json = false;
		rpError error = {.code = rp_errorMemory, .message = "out of memory"};
		return cliFail(run, cli_exitFailed, &error);
	}
	putJson(text);
	free(text);
	return true;
}

static json_t* makeProvenance(const cliRun* run)
{
	json_t* result = json_object();
	json_object_set_new(result, "version", cliMakeText(rpVersion()));
	json_object_set_new(result, "command", cliMakeText(run->command->name));
	json_object_set_new(result, "parameters", makeParameters(run));
	json_object_set(result, "inputs", run->inputs);
	return result;
}

bool cliReport(cliRun* run, json_t* result)
{
	rpError error = {.code = rp_errorMemory, .message = "out of memory"};
	if (result == NULL)
		return cliFail(run, cli_exitFailed, &error);
	json_t* root = json_object();
	char* schema = cliFormat("reprise-%s-1", run->command->name);
	for (char* space = strchr(schema, ' '); space != NULL; space = strchr(space, ' '))
		*space = '-';
	json_object_set_new(root, "schema", cliMakeText(schema));
	free(schema);
	json_object_update(root, result);
	json_decref(result);
	json_object_set(root, "warnings", run->warnings);
	json_object_set_new(root, "provenance", makeProvenance(run));
	if (run->error != NULL)
		json_object_set(root, "error", run->error);
	bool done = printJson(run, root);
	json_decref(root);
	return done;
}

static void reportError(cliRun* run)
{
	json_t* root = json_pack("{s:O}", "error", run->error);
	printJson(run, root);
	json_decref(root);
}

// What was printed must have arrived: a full disk behind stdout is a failure like any other.
static void closeOutput(cliRun* run)
{
	bool wasBad = ferror(stdout) != 0;
	if (fflush(stdout) == 0 && !wasBad)
		return;
	int reason = errno;
	bool wasDone = run->exit == 0;
	run->exit = wasDone ? cli_exitFailed : run->exit;
	// A reader that has seen enough (head) needs no message.
	if (wasDone && reason != EPIPE)
		cliLine(stderr, "reprise: cannot write to standard output: %s", strerror(reason));
}

void cliEndRun(cliRun* run)
{
	if (run->json && run->error != NULL && !run->isReported)
		reportError(run);
	closeOutput(run);
	json_decref(run->error);
	json_decref(run->lastError);
	json_decref(run->warnings);
	json_decref(run->inputs);
	rpCloseLibrary(run->library);
	free(run->libraryPath);
	for (int i = 0; i < run->inputPathCount; ++i)
		free(run->inputPaths[i]);
	free(run->inputPaths);
	free(run->arguments);
	free(run->given);
}
