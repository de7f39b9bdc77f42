#include "command.h"
#include "help.h"
#include "run.h"
#include "suggestion.h"

#include <stdlib.h>
#include <string.h>

static void printOption(FILE* stream, const cliOption* option)
{
	char* head = cliFormatOption(option);
	fprintf(stream, "  %s\n", head);
	cliWrap(stream, 6, option->help);
	free(head);
}

static void printOptions(FILE* stream, const char* title, const cliOption* option)
{
	if (option == NULL)
		return;
	fprintf(stream, "\n%s\n", title);
	for (; option->name != NULL; ++option)
		printOption(stream, option);
}

static void printExamples(FILE* stream, const cliCommand* command)
{
	fprintf(stream, "\nExamples\n");
	for (int i = 0; i < cli_exampleCount; ++i)
		fprintf(stream, "  %s\n      %s\n", command->examples[i].line, command->examples[i].meaning);
}

static void printCommandList(FILE* stream, const char* group)
{
	cliTable table = {.columnCount = 2};
	for (const cliCommand* const* at = cliCommands; *at != NULL; ++at)
	{
		const cliCommand* command = *at;
		if (cliCommand_GetWord(command, group) == NULL)
			continue;
		cliTable_Add(&table, "%s", command->name);
		cliTable_Add(&table, "%s", command->summary);
	}
	cliTable_Print(&table, stream, 2);
}

static void printCommand(FILE* stream, const cliCommand* command)
{
	fprintf(stream, "reprise %s: %s\n\nUsage\n", command->name, command->summary);
	fprintf(stream, "  reprise %s%s%s\n\n", command->name, command->usage[0] != 0 ? " " : "", command->usage);
	cliWrap(stream, 0, command->about);
	if (command->run == NULL)
	{
		fprintf(stream, "\nCommands\n");
		printCommandList(stream, command->name);
	}
	for (int i = 0; i < cli_optionListCount; ++i)
		printOptions(stream, cliGetListTitle(command, i), command->options[i]);
	printOptions(stream, "Common options", cliCommonOptions);
	printExamples(stream, command);
}

static void printOverview(FILE* stream)
{
	fprintf(stream, "reprise: takes captured human motion and performs it anew\n\n"
					"Usage\n  reprise COMMAND ... [OPTIONS]\n\nCommands\n");
	printCommandList(stream, NULL);
	fprintf(stream, "\nMore\n");
	cliTable table = {.columnCount = 2};
	for (const cliTopic* topic = cliTopics; topic->name != NULL; ++topic)
	{
		cliTable_Add(&table, "help %s", topic->name);
		cliTable_Add(&table, "%s", topic->summary);
	}
	cliTable_Add(&table, "help COMMAND");
	cliTable_Add(&table, "How a command is used, with examples");
	cliTable_Print(&table, stream, 2);
	fprintf(stream, "\nTry\n  reprise demo\n  reprise perform walk -o walk.bvh && reprise info walk.bvh\n");
}

static bool failUnknown(cliRun* run, const char* name)
{
	const char* best = NULL;
	int distance = -1;
	for (const cliCommand* const* at = cliCommands; *at != NULL; ++at)
		cliSuggest(name, (*at)->name, &best, &distance);
	for (const cliTopic* topic = cliTopics; topic->name != NULL; ++topic)
		cliSuggest(name, topic->name, &best, &distance);
	char* hint = best != NULL ? cliFormat("did you mean reprise help %s?", best) : NULL;
	cliFailUsage(run, hint, "there is no command or topic \"%s\"", name);
	free(hint);
	return false;
}

static json_t* makeCommand(const cliCommand* command)
{
	json_t* result = json_object();
	json_object_set_new(result, "name", cliMakeText(command->name));
	json_object_set_new(result, "summary", cliMakeText(command->summary));
	json_object_set_new(result, "usage", cliMakeText(command->usage));
	json_t* options = json_array();
	const cliOption* option;
	for (int i = 0; (option = cliCommand_GetOption(command, i)) != NULL; ++i)
	{
		json_t* item = json_object();
		json_object_set_new(item, "name", cliMakeText(option->name));
		json_object_set_new(item, "argument", option->argument != NULL ? cliMakeText(option->argument) : json_null());
		json_object_set_new(item, "help", cliMakeText(option->help));
		json_array_append_new(options, item);
	}
	json_object_set_new(result, "options", options);
	return result;
}

static bool reportCommands(cliRun* run)
{
	json_t* list = json_array();
	for (const cliCommand* const* at = cliCommands; *at != NULL; ++at)
		json_array_append_new(list, makeCommand(*at));
	return cliReport(run, json_pack("{s:o}", "commands", list));
}

static bool printHelp(cliRun* run, const char* name)
{
	const cliCommand* command = name != NULL ? cliFindCommand(name) : NULL;
	const cliTopic* topic = name != NULL ? cliFindTopic(name) : NULL;
	if (name != NULL && command == NULL && topic == NULL)
		return failUnknown(run, name);
	if (run->json)
		return reportCommands(run);
	if (name == NULL)
		cliHas(run, "man") ? cliPrintManual(stdout) : printOverview(stdout);
	else if (command != NULL)
		cliHas(run, "man") ? cliPrintManualPage(stdout, command) : printCommand(stdout, command);
	else
	{
		printf("%s\n\n", topic->summary);
		cliWrap(stdout, 0, topic->text);
	}
	return true;
}

static bool helpOnArguments(cliRun* run)
{
	// The commands of a group come as two words, or as one through --help.
	char* name = run->argumentCount == 2   ? cliFormat("%s %s", run->arguments[0], run->arguments[1])
				 : run->argumentCount == 1 ? cliCopyText(run->arguments[0])
										   : NULL;
	bool done = printHelp(run, name);
	free(name);
	return done;
}

static bool printNames(void)
{
	for (const cliCommand* const* at = cliCommands; *at != NULL; ++at)
	{
		const cliCommand* command = *at;
		for (const char* c = command->name; *c != 0; ++c)
			putchar(*c == ' ' ? '-' : *c);
		putchar('\n');
	}
	return true;
}

static bool runHelp(cliRun* run)
{
	const char* shell = cliGet(run, "completion");
	if (shell != NULL)
		return cliPrintCompletion(stdout, shell);
	if (cliHas(run, "commands") && !run->json)
		return printNames();
	if (cliHas(run, "markdown"))
		return cliPrintMarkdown(stdout);
	return helpOnArguments(run);
}

static const cliOption helpOptions[] = {
	{"man", 0, NULL, "Write the man page of the command, or reprise.1, as roff."},
	{"completion", 0, "bash|zsh|fish", "Write the completion script of a shell."},
	{"commands", 0, NULL, "List the names of all commands, one per line, with a dash inside: library-add."},
	{"markdown", 0, NULL, "Write the help of all commands as Markdown."},
	{0},
};

const cliCommand cliHelpCommand = {
	.name = "help",
	.summary = "Show how a command is used",
	.usage = "[COMMAND|TOPIC] [OPTIONS]",
	.about = "Without a command: what there is.",
	.options = {helpOptions},
	.examples = {{"reprise help convert", "All about convert."},
				 {"reprise help library add", "All about one of the library's commands."},
				 {"reprise help --completion bash > ~/.local/share/bash-completion/completions/reprise",
				  "Completion for bash."}},
	.minimum = 0,
	.maximum = 2,
	.run = runHelp,
};

static bool runVersion(cliRun* run)
{
	if (run->json)
		return cliReport(run, json_pack("{s:s}", "version", rpVersion()));
	printf("reprise %s\n", rpVersion());
	return true;
}

const cliCommand cliVersionCommand = {
	.name = "version",
	.summary = "Show the version of Reprise",
	.usage = "",
	.about = "One line: the name of the program and its version.",
	.examples = {{"reprise version", "For people."},
				 {"reprise --version", "The same."},
				 {"reprise version --json", "For programs."}},
	.minimum = 0,
	.maximum = 0,
	.run = runVersion,
};
