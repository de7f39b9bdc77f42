/// Completion scripts for the shells, made from the table of commands. Where a value or argument is a file, the shell
/// completes it by itself.
#include "help.h"
#include "terminal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

// Names of the commands of a group, or of the first words (group NULL), separated by spaces.
static void putNames(FILE* stream, const char* group)
{
	for (const cliCommand* const* at = cliCommands; *at != NULL; ++at)
	{
		const char* word = cliCommand_GetWord(*at, group);
		if (word != NULL)
			fprintf(stream, "%s ", word);
	}
}

static bool isWordList(const cliOption* option)
{
	return option->argument != NULL && islower((unsigned char)option->argument[0]);
}

// "a|b|c" with another separator.
static void putWords(FILE* stream, const char* argument)
{
	for (; *argument != 0; ++argument)
		fputc(*argument == '|' ? ' ' : *argument, stream);
}

// ---- bash

static void putBashOptions(FILE* stream, const cliCommand* command)
{
	fprintf(stream, "\t\"%s\") options=\"", command->name);
	const cliOption* option;
	for (int i = 0; (option = cliCommand_GetOption(command, i)) != NULL; ++i)
		fprintf(stream, "--%s%s", option->name, cliCommand_GetOption(command, i + 1) != NULL ? " " : "");
	fputs("\" ;;\n", stream);
}

// Values that an option lists; an option of two commands with different lists gets what the first has.
static void putBashValues(FILE* stream)
{
	char* seen = cliCopyText(" ");
	for (const cliCommand* const* at = cliCommands; *at != NULL; ++at)
	{
		const cliCommand* command = *at;
		const cliOption* option;
		for (int i = 0; (option = cliCommand_GetOption(command, i)) != NULL; ++i)
		{
			char* key = cliFormat(" %s ", option->name);
			if (isWordList(option) && strstr(seen, key) == NULL)
			{
				fprintf(stream, "\t--%s) COMPREPLY=($(compgen -W \"", option->name);
				putWords(stream, option->argument);
				fputs("\" -- \"$word\")); return ;;\n", stream);
				char* more = cliFormat("%s%s ", seen, option->name);
				free(seen);
				seen = more;
			}
			free(key);
		}
	}
	free(seen);
}

static void printBash(FILE* stream)
{
	fputs("# bash completion of reprise, made by: reprise help --completion bash\n"
		  "_reprise()\n{\n"
		  "\tlocal word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]} "
		  "options=\n"
		  "\tif [ \"$COMP_CWORD\" -eq 1 ]; then\n\t\tCOMPREPLY=($(compgen -W \"",
		  stream);
	putNames(stream, NULL);
	fputs("\" -- \"$word\")); return\n\tfi\n", stream);
	for (const cliCommand* const* at = cliCommands; *at != NULL; ++at)
	{
		const cliCommand* group = *at;
		if (group->run != NULL)
			continue;
		fprintf(stream, "\tif [ \"$command\" = %s ]; then\n\t\tif [ \"$COMP_CWORD\" -eq 2 ]; then\n", group->name);
		fputs("\t\t\tCOMPREPLY=($(compgen -W \"", stream);
		putNames(stream, group->name);
		fputs("\" -- \"$word\")); return\n\t\tfi\n\t\tcommand=\"$command ${COMP_WORDS[2]}\"\n\tfi\n", stream);
	}
	fputs("\tcase $previous in\n", stream);
	putBashValues(stream);
	fputs("\tesac\n\tcase $command in\n", stream);
	fputs("\thelp) COMPREPLY=($(compgen -W \"", stream);
	putNames(stream, NULL);
	for (const cliTopic* topic = cliTopics; topic->name != NULL; ++topic)
		fprintf(stream, "%s ", topic->name);
	fputs("--man --completion --commands --markdown\" -- \"$word\")); return ;;\n", stream);
	for (const cliCommand* const* at = cliCommands; *at != NULL; ++at)
	{
		const cliCommand* command = *at;
		if (command->run != NULL && strcmp(command->name, "help") != 0)
			putBashOptions(stream, command);
	}
	fputs("\tesac\n"
		  "\tcase $word in\n"
		  "\t-*) COMPREPLY=($(compgen -W \"$options\" -- \"$word\")) ;;\n"
		  "\t*) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- \"$word\")) ;;\n"
		  "\tesac\n}\ncomplete -F _reprise reprise\n",
		  stream);
}

// ---- zsh

// Text inside '…[…]': quotes, brackets and colons would end it.
static void putZshText(FILE* stream, const char* text)
{
	for (; *text != 0; ++text)
	{
		if (*text == '\'')
			fputs("'\\''", stream);
		else if (strchr("[]:\\", *text) != NULL)
			fprintf(stream, "\\%c", *text);
		else
			fputc(*text, stream);
	}
}

static void putZshOption(FILE* stream, const cliOption* option)
{
	fputs("\t\t\t", stream);
	if (option->letter != 0)
		fprintf(stream, "'(-%c --%s)'{-%c,--%s}'", option->letter, option->name, option->letter, option->name);
	else
		fprintf(stream, "'*--%s", option->name);
	fputs(option->argument != NULL && option->letter == 0 ? "=[" : "[", stream);
	putZshText(stream, option->help);
	fputc(']', stream);
	if (isWordList(option))
	{
		fputs(":value:(", stream);
		putWords(stream, option->argument);
		fputc(')', stream);
	}
	else if (option->argument != NULL)
	{
		fputc(':', stream);
		putZshText(stream, option->argument);
		fputs(strstr(option->argument, "F") == option->argument && option->argument[1] != 0 ? ":_files" : ":", stream);
	}
	fputs("' \\\n", stream);
}

static void putZshList(FILE* stream, const char* group)
{
	for (const cliCommand* const* at = cliCommands; *at != NULL; ++at)
	{
		const char* word = cliCommand_GetWord(*at, group);
		if (word == NULL)
			continue;
		fprintf(stream, " '%s:", word);
		putZshText(stream, (*at)->summary);
		fputc('\'', stream);
	}
}

static void printZsh(FILE* stream)
{
	fputs("#compdef reprise\n# zsh completion of reprise, made by: reprise help --completion zsh\n_reprise() {\n"
		  "\tlocal -a names\n\tlocal command=$words[2]\n\tif (( CURRENT == 2 )); then\n\t\tnames=(",
		  stream);
	putZshList(stream, NULL);
	fputs(")\n\t\t_describe command names\n\t\treturn\n\tfi\n", stream);
	for (const cliCommand* const* at = cliCommands; *at != NULL; ++at)
	{
		const cliCommand* group = *at;
		if (group->run != NULL)
			continue;
		fprintf(stream, "\tif [[ $command == %s ]]; then\n\t\tif (( CURRENT == 3 )); then\n\t\t\tnames=(", group->name);
		putZshList(stream, group->name);
		fputs(")\n\t\t\t_describe command names\n\t\t\treturn\n\t\tfi\n"
			  "\t\tcommand=\"$command $words[3]\"\n\t\tshift words\n\t\t(( CURRENT-- ))\n\tfi\n",
			  stream);
	}
	fputs("\tshift words\n\t(( CURRENT-- ))\n\tcase $command in\n", stream);
	for (const cliCommand* const* at = cliCommands; *at != NULL; ++at)
	{
		const cliCommand* command = *at;
		if (command->run == NULL)
			continue;
		fprintf(stream, "\t\t'%s') _arguments \\\n", command->name);
		const cliOption* option;
		for (int i = 0; (option = cliCommand_GetOption(command, i)) != NULL; ++i)
			putZshOption(stream, option);
		fputs("\t\t\t'*:file:_files' ;;\n", stream);
	}
	fputs("\tesac\n}\nif [[ $funcstack[1] == _reprise ]]; then\n\t_reprise \"$@\"\nelse\n\tcompdef _reprise "
		  "reprise\nfi\n",
		  stream);
}

// ---- fish

static void putFishText(FILE* stream, const char* text)
{
	fputc('\'', stream);
	for (; *text != 0; ++text)
		fprintf(stream, *text == '\'' || *text == '\\' ? "\\%c" : "%c", *text);
	fputc('\'', stream);
}

// When a command is the one being typed.
static void putFishCondition(FILE* stream, const cliCommand* command)
{
	const char* space = strchr(command->name, ' ');
	if (space == NULL)
		fprintf(stream, "-n '__fish_seen_subcommand_from %s' ", command->name);
	else
		fprintf(stream, "-n '__fish_seen_subcommand_from %.*s; and __fish_seen_subcommand_from %s' ",
				(int)(space - command->name), command->name, space + 1);
}

static void putFishOption(FILE* stream, const cliCommand* command, const cliOption* option)
{
	fputs("complete -c reprise ", stream);
	putFishCondition(stream, command);
	fprintf(stream, "-l %s ", option->name);
	if (option->letter != 0)
		fprintf(stream, "-s %c ", option->letter);
	if (isWordList(option))
	{
		fputs("-x -a '", stream);
		putWords(stream, option->argument);
		fputs("' ", stream);
	}
	else if (option->argument != NULL)
		fputs("-r ", stream);
	fputs("-d ", stream);
	putFishText(stream, option->help);
	fputc('\n', stream);
}

static void putFishName(FILE* stream, const cliCommand* command)
{
	const char* space = strchr(command->name, ' ');
	if (space == NULL)
		fprintf(stream, "complete -c reprise -n __fish_use_subcommand -f -a %s -d ", command->name);
	else
		fprintf(stream, "complete -c reprise -n '__fish_seen_subcommand_from %.*s' -a %s -d ",
				(int)(space - command->name), command->name, space + 1);
	putFishText(stream, command->summary);
	fputc('\n', stream);
}

static void printFish(FILE* stream)
{
	fputs("# fish completion of reprise, made by: reprise help --completion fish\n", stream);
	for (const cliCommand* const* at = cliCommands; *at != NULL; ++at)
	{
		const cliCommand* command = *at;
		putFishName(stream, command);
		const cliOption* option;
		for (int i = 0; command->run != NULL && (option = cliCommand_GetOption(command, i)) != NULL; ++i)
			putFishOption(stream, command, option);
	}
}

bool cliPrintCompletion(FILE* stream, const char* shell)
{
	if (strcmp(shell, "bash") == 0)
		printBash(stream);
	else if (strcmp(shell, "zsh") == 0)
		printZsh(stream);
	else
		printFish(stream);
	return true;
}
