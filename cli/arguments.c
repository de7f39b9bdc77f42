#include "run.h"
#include "suggestion.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

const char* cliGetNth(const cliRun* run, const char* name, int index)
{
	for (int i = 0; i < run->givenCount; ++i)
	{
		if (strcmp(run->given[i].option->name, name) == 0 && index-- == 0)
			return run->given[i].value != NULL ? run->given[i].value : "";
	}
	return NULL;
}

const char* cliGet(const cliRun* run, const char* name)
{
	const char* last = NULL;
	for (int i = 0; i < run->givenCount; ++i)
	{
		if (strcmp(run->given[i].option->name, name) == 0)
			last = run->given[i].value != NULL ? run->given[i].value : "";
	}
	return last;
}

bool cliHas(const cliRun* run, const char* name)
{
	return cliGet(run, name) != NULL;
}

bool cliParseNumber(const char* text, double* out)
{
	// Letters but those of an exponent would let strtod read "inf", "nan" or "0x10".
	if (text[0] == 0 || strspn(text, "+-.0123456789eE") != strlen(text))
		return false;
	char* end = NULL;
	double value = strtod(text, &end);
	if (*end != 0 || !isfinite(value))
		return false;
	*out = value;
	return true;
}

bool cliCheckPlace(cliRun* run, const char* option, const double* numbers, int count)
{
	for (int i = 0; i < count; ++i)
		if (fabs(numbers[i]) > CLI_FARTHEST)
			return cliFailUsage(run, NULL, "--%s needs numbers from %.0f to %.0f, not %g", option, -CLI_FARTHEST,
								CLI_FARTHEST, numbers[i]);
	return true;
}

bool cliGetNumber(cliRun* run, const char* name, double low, double high, double* out)
{
	return cliGetNumberIn(run, name, low, high, NULL, out);
}

bool cliGetNumberIn(cliRun* run, const char* name, double low, double high, const char* hint, double* out)
{
	const char* text = cliGet(run, name);
	if (text == NULL)
		return true;
	const char* point = strchr(text, ',') != NULL ? "write a decimal point instead of the comma" : NULL;
	if (!cliParseNumber(text, out))
		return cliFailUsage(run, point, "--%s needs a number, not \"%s\"", name, text);
	if (*out < low || *out > high)
		return cliFailUsage(run, hint, "--%s needs a number from %g to %g, not %s", name, low, high, text);
	return true;
}

const char* cliGetBaseName(const char* path)
{
	const char* slash = strrchr(path, '/');
	return slash != NULL ? slash + 1 : path;
}

bool cliHasEnding(const char* path, const char* endings)
{
	const char* dot = strrchr(cliGetBaseName(path), '.');
	while (dot != NULL && *endings != 0)
	{
		size_t size = strcspn(endings, " ");
		if (strlen(dot) == size && strncasecmp(dot, endings, size) == 0)
			return true;
		endings += size + (endings[size] == ' ' ? 1 : 0);
	}
	return false;
}

static bool checkFolder(cliRun* run, const char* path)
{
	const char* name = cliGetBaseName(path);
	if (name == path)
		return true;
	char* folder = cliFormat("%.*s", (int)(name - path), path);
	struct stat status;
	bool exists = stat(folder, &status) == 0 && S_ISDIR(status.st_mode);
	if (!exists)
	{
		rpError error = {.code = rp_errorFile, .message = "cannot write there: the folder does not exist"};
		snprintf(error.file, sizeof error.file, "%s", path);
		snprintf(error.hint, sizeof error.hint, "make it first: mkdir -p %s", folder);
		cliFail(run, cli_exitFailed, &error);
	}
	free(folder);
	return exists;
}

static bool failInput(cliRun* run, const char* path)
{
	const char* name = "output";
	for (int i = 0; i < run->givenCount; ++i)
		name = run->given[i].value == path ? run->given[i].option->name : name;
	bool isOutput = strcmp(name, "output") == 0;
	bool hasForce = cliCommand_FindOption(run->command, "force", 0) != NULL;
	char hint[200];
	snprintf(hint, sizeof hint, "give another name after %s%s%s", isOutput ? "-o" : "--", isOutput ? "" : name,
			 hasForce ? ", or --force to overwrite it" : "");
	return cliFailUsage(run, hint, "%s is one of the inputs, and would be overwritten", path);
}

bool cliCheckOutput(cliRun* run, const char* path)
{
	if (!checkFolder(run, path))
		return false;
	struct stat output;
	if (stat(path, &output) != 0)
		return true;
	if (S_ISDIR(output.st_mode))
		return cliFailUsage(run, "name a file in it", "%s is a folder", path);
	// Pipes, terminals and the like are written through: nothing in them can be lost.
	if (S_ISBLK(output.st_mode))
		return cliFailUsage(run, "name an ordinary file", "%s is a disk, and would be overwritten", path);
	for (int i = 0; i < run->inputPathCount && !cliHas(run, "force"); ++i)
	{
		struct stat input;
		if (stat(run->inputPaths[i], &input) == 0 && input.st_dev == output.st_dev && input.st_ino == output.st_ino)
			return failInput(run, path);
	}
	return true;
}

const char* cliGetOutput(cliRun* run, const char* endings)
{
	const char* path = cliGet(run, "output");
	if (path == NULL || path[0] == 0)
	{
		cliFailUsage(run, NULL, "where to? %s needs -o and a file name", run->command->name);
		return NULL;
	}
	if (endings != NULL && !cliHasEnding(path, endings))
	{
		cliFailUsage(run, "the ending selects the format", "%s cannot be written: its name should end in %s%s", path,
					 strchr(endings, ' ') != NULL ? "one of " : "", endings);
		return NULL;
	}
	return cliCheckOutput(run, path) ? path : NULL;
}

// ---- reading the command line

// Whether a text that begins with '-' is still no option: "-" alone and negative numbers, also in lists.
static bool isPlain(const char* text)
{
	return text[0] != '-' || text[1] == 0 || isdigit((unsigned char)text[1]) ||
		   (text[1] == '.' && isdigit((unsigned char)text[2]));
}

static const char* suggestOption(const cliCommand* command, const char* name)
{
	const char* best = NULL;
	int distance = -1;
	const cliOption* option;
	for (int i = 0; (option = cliCommand_GetOption(command, i)) != NULL; ++i)
		cliSuggest(name, option->name, &best, &distance);
	return best;
}

static bool failUnknownOption(cliRun* run, const char* text)
{
	char* name = cliFormat("%.*s", (int)strcspn(text, "="), text);
	const char* best = strncmp(name, "--", 2) == 0 ? suggestOption(run->command, name + 2) : NULL;
	char* hint = best != NULL ? cliFormat("did you mean --%s?", best)
							  : cliFormat("reprise help %s lists its options", run->command->name);
	cliFailUsage(run, hint, "%s has no option %s", run->command->name, name);
	free(hint);
	free(name);
	return false;
}

// Whether "a|b|c" lists the value. Names in capitals stand for any value.
static bool isAllowed(const char* argument, const char* value)
{
	if (!islower((unsigned char)argument[0]))
		return true;
	while (*argument != 0)
	{
		size_t size = strcspn(argument, "|");
		if (strlen(value) == size && strncmp(argument, value, size) == 0)
			return true;
		argument += size + (argument[size] == '|' ? 1 : 0);
	}
	return false;
}

static bool addGiven(cliRun* run, const cliOption* option, const char* value)
{
	if (value != NULL && !isAllowed(option->argument, value))
		return cliFailUsage(run, NULL, "--%s is one of %s, not \"%s\"", option->name, option->argument, value);
	run->given[run->givenCount++] = (cliGiven){option, value};
	run->quiet = run->quiet || strcmp(option->name, "quiet") == 0;
	return true;
}

// One option with its value, which may be the next word. Returns how many words it took, 0 when it is wrong.
static int readOption(cliRun* run, char** words, int count)
{
	const char* text = words[0];
	bool isLong = text[1] == '-';
	const char* value = isLong ? strchr(text, '=') : text[2] != 0 ? text + 2 : NULL;
	char name[64];
	snprintf(name, sizeof name, "%.*s", isLong ? (int)strcspn(text + 2, "=") : 0, text + 2);
	const cliOption* option = cliCommand_FindOption(run->command, isLong ? name : NULL, text[1]);
	if (option == NULL)
		return failUnknownOption(run, text), 0;
	if (isLong && value != NULL)
		++value;
	if (option->argument == NULL && value != NULL)
		return cliFailUsage(run, NULL, "--%s takes no value", option->name), 0;
	if (option->argument == NULL || value != NULL)
		return addGiven(run, option, value) ? 1 : 0;
	if (count < 2 || !isPlain(words[1]))
	{
		char* hint =
			count < 2 ? NULL : cliFormat("if it is really %s, write --%s=%s", words[1], option->name, words[1]);
		cliFailUsage(run, hint, "--%s needs a value: %s", option->name, option->argument);
		free(hint);
		return 0;
	}
	return addGiven(run, option, words[1]) ? 2 : 0;
}

static bool readWords(cliRun* run, int count, char** words)
{
	run->arguments = cliAllocate((size_t)(count + 1) * sizeof(char*));
	run->given = cliAllocate((size_t)(count + 1) * sizeof(cliGiven));
	bool onlyArguments = false;
	for (int i = 0; i < count;)
	{
		if (!onlyArguments && strcmp(words[i], "--") == 0)
		{
			onlyArguments = true;
			++i;
		}
		else if (onlyArguments || isPlain(words[i]))
			run->arguments[run->argumentCount++] = words[i++];
		else
		{
			int used = readOption(run, words + i, count - i);
			if (used == 0)
				return false;
			i += used;
		}
	}
	return true;
}

static bool failUnknownCommand(cliRun* run, const char* group, const char* name)
{
	const char* best = NULL;
	int distance = -1;
	for (const cliCommand* const* at = cliCommands; *at != NULL; ++at)
	{
		const char* word = cliCommand_GetWord(*at, group);
		if (word != NULL)
			cliSuggest(name, word, &best, &distance);
	}
	// A verb of a group, given without it: "reprise add".
	for (const cliCommand* const* at = cliCommands; best == NULL && group == NULL && *at != NULL; ++at)
	{
		const cliCommand* command = *at;
		const char* space = strchr(command->name, ' ');
		best = space != NULL && strcmp(space + 1, name) == 0 ? command->name : NULL;
	}
	const char* gap = group != NULL ? " " : "";
	group = group != NULL ? group : "";
	char* hint = best != NULL ? cliFormat("did you mean reprise %s%s%s?", group, gap, best)
							  : cliFormat("reprise help%s%s lists the commands", gap, group);
	cliFailUsage(run, hint, "there is no command \"%s%s%s\"", group, gap, name);
	free(hint);
	return false;
}

// Take the words of the command's name out of the line; the others move up. *count becomes what is left.
static const char* takeWord(int* count, char** words)
{
	for (int i = 0; i < *count && strcmp(words[i], "--") != 0; ++i)
	{
		if (words[i][0] == '-')
			continue;
		const char* word = words[i];
		memmove(words + i, words + i + 1, (size_t)(*count - i - 1) * sizeof(char*));
		--*count;
		return word;
	}
	return NULL;
}

static bool findCommand(cliRun* run, int* count, char** words, bool wantsHelp)
{
	const char* name = takeWord(count, words);
	if (name == NULL)
		return true;
	run->command = strchr(name, ' ') == NULL ? cliFindCommand(name) : NULL;
	if (run->command == NULL)
		return failUnknownCommand(run, NULL, name);
	if (run->command->run != NULL)
		return true;
	const char* verb = takeWord(count, words);
	if (verb == NULL && wantsHelp)
		return true;
	if (verb == NULL)
		return cliFailUsage(run, NULL, "%s needs a command: reprise %s %s", name, name, run->command->usage);
	char* whole = cliFormat("%s %s", name, verb);
	run->command = cliFindCommand(whole);
	free(whole);
	return run->command != NULL || failUnknownCommand(run, name, verb);
}

static bool checkCount(cliRun* run)
{
	const cliCommand* command = run->command;
	char* hint = cliFormat("usage: reprise %s %s", command->name, command->usage);
	bool isRight = false;
	if (run->argumentCount < command->minimum)
		cliFailUsage(run, hint, "%s needs %s", command->name,
					 run->argumentCount > 0 || command->minimum > 1 ? "more arguments" : "an argument");
	else if (command->maximum >= 0 && run->argumentCount > command->maximum)
		cliFailUsage(run, hint, "\"%s\" is one argument too many for %s", run->arguments[command->maximum],
					 command->name);
	else
		isRight = true;
	free(hint);
	return isRight;
}

static bool hasWord(int count, char** words, const char* word, const char* other)
{
	for (int i = 0; i < count && strcmp(words[i], "--") != 0; ++i)
	{
		if (strcmp(words[i], word) == 0 || (other != NULL && strcmp(words[i], other) == 0))
			return true;
	}
	return false;
}

// "reprise info --help" is "reprise help info".
static void turnToHelp(cliRun* run, bool isNamed)
{
	const cliCommand* help = cliFindCommand("help");
	// "reprise help info --help" asks for the same as "reprise help info".
	if (run->command == help && run->argumentCount > 0)
		return;
	run->argumentCount = 0;
	if (isNamed)
		run->arguments[run->argumentCount++] = run->command->name;
	run->command = help;
}

bool cliParse(cliRun* run, int argc, char** argv)
{
	int count = argc - 1;
	char** words = argv + 1;
	run->json = hasWord(count, words, "--json", NULL);
	bool wantsHelp = hasWord(count, words, "--help", "-h");
	bool wantsVersion = hasWord(count, words, "--version", NULL);
	if (!findCommand(run, &count, words, wantsHelp))
		return false;
	bool isNamed = run->command != NULL;
	if (!isNamed)
		run->command = cliFindCommand(wantsVersion && !wantsHelp ? "version" : "help");
	if (!readWords(run, count, words))
		return false;
	if (wantsHelp)
		turnToHelp(run, isNamed);
	else if (wantsVersion)
		run->command = cliFindCommand("version");
	else if (!isNamed)
		return cliFailUsage(run, "reprise help shows what it can do; reprise demo shows it at work",
							"what shall I do? Name a command");
	else
		return checkCount(run);
	return true;
}
