/// Man pages and Markdown from the table of commands.
#include "help.h"
#include "reprise/play/base.h"
#include "terminal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

char* cliFormatOption(const cliOption* option)
{
	const char* gap = option->argument != NULL ? " " : "";
	const char* argument = option->argument != NULL ? option->argument : "";
	return option->letter != 0 ? cliFormat("-%c, --%s%s%s", option->letter, option->name, gap, argument)
							   : cliFormat("--%s%s%s", option->name, gap, argument);
}

const char* cliGetListTitle(const cliCommand* command, int list)
{
	const cliOption* first = command->options[list];
	return first != NULL && cliIsReadingOption(command, first) ? "How to read the clip" : "Options";
}

// ---- roff

// Text in which roff finds nothing to obey: backslashes and dashes escaped, no line that begins with a dot or quote.
static void putRoff(FILE* stream, const char* text)
{
	bool atStart = true;
	for (; *text != 0; ++text)
	{
		if (atStart && (*text == '.' || *text == '\''))
			fputs("\\&", stream);
		if (*text == '\\')
			fputs("\\e", stream);
		else if (*text == '-')
			fputs("\\-", stream);
		else if (*text == '"')
			fputs("\\(dq", stream);
		else
			fputc(*text, stream);
		atStart = *text == '\n';
	}
}

static void putRoffLine(FILE* stream, const char* request, const char* text)
{
	fputs(request, stream);
	putRoff(stream, text);
	fputc('\n', stream);
}

// Paragraphs; lines that begin with a space stand as they are.
static void putRoffText(FILE* stream, const char* text)
{
	bool isFixed = false;
	while (*text != 0)
	{
		size_t size = strcspn(text, "\n");
		char* line = cliFormat("%.*s", (int)size, text);
		bool wantsFixed = line[0] == ' ';
		if (wantsFixed != isFixed)
			fputs(wantsFixed ? ".nf\n" : ".fi\n", stream);
		isFixed = wantsFixed;
		size == 0 ? (void)fputs(".PP\n", stream) : putRoffLine(stream, "", line);
		free(line);
		text += size + (text[size] == '\n' ? 1 : 0);
	}
	if (isFixed)
		fputs(".fi\n", stream);
}

static void putRoffHead(FILE* stream, const char* name, const char* summary)
{
	char* dashed = cliFormat("reprise%s%s", name[0] != 0 ? "-" : "", name);
	for (char* c = dashed; *c != 0; ++c)
		*c = *c == ' ' ? '-' : *c;
	char* title = cliCopyText(dashed);
	for (char* c = title; *c != 0; ++c)
		*c = (char)toupper((unsigned char)*c);
	fprintf(stream, ".TH \"%s\" 1 \"\" \"Reprise %s\" \"Reprise\"\n.SH NAME\n", title, rpVersion());
	putRoff(stream, dashed);
	fputs(" \\- ", stream);
	putRoffLine(stream, "", summary);
	free(title);
	free(dashed);
}

static void putRoffHeading(FILE* stream, const char* title)
{
	fputs(".SH \"", stream);
	for (; *title != 0; ++title)
		fputc(toupper((unsigned char)*title), stream);
	fputs("\"\n", stream);
}

static void putRoffOptions(FILE* stream, const char* title, const cliOption* option)
{
	putRoffHeading(stream, title);
	for (; option->name != NULL; ++option)
	{
		char* head = cliFormatOption(option);
		fputs(".TP\n", stream);
		putRoffLine(stream, ".B ", head);
		putRoffLine(stream, "", option->help);
		free(head);
	}
}

static void putRoffExamples(FILE* stream, const cliCommand* command)
{
	fputs(".SH EXAMPLES\n", stream);
	for (int i = 0; i < cli_exampleCount; ++i)
	{
		fputs(".TP\n", stream);
		putRoffLine(stream, ".B ", command->examples[i].line);
		putRoffLine(stream, "", command->examples[i].meaning);
	}
}

static void putRoffCommands(FILE* stream, const char* group)
{
	fputs(".SH COMMANDS\n", stream);
	for (const cliCommand* const* at = cliCommands; *at != NULL; ++at)
	{
		const cliCommand* command = *at;
		if (group != NULL && cliCommand_GetWord(command, group) == NULL)
			continue;
		fputs(".TP\n", stream);
		putRoffLine(stream, ".B reprise ", command->name);
		putRoffLine(stream, "", command->summary);
	}
}

void cliPrintManualPage(FILE* stream, const cliCommand* command)
{
	putRoffHead(stream, command->name, command->summary);
	char* usage = cliFormat("reprise %s\n", command->name);
	fputs(".SH SYNOPSIS\n.B ", stream);
	putRoff(stream, usage);
	putRoffLine(stream, "", command->usage[0] != 0 ? command->usage : "[OPTIONS]");
	free(usage);
	fputs(".SH DESCRIPTION\n", stream);
	putRoffText(stream, command->about);
	if (command->run == NULL)
		putRoffCommands(stream, command->name);
	for (int i = 0; i < cli_optionListCount && command->options[i] != NULL; ++i)
		putRoffOptions(stream, cliGetListTitle(command, i), command->options[i]);
	putRoffOptions(stream, "Common options", cliCommonOptions);
	putRoffExamples(stream, command);
	fputs(".SH SEE ALSO\n.BR reprise (1)\n", stream);
}

void cliPrintManual(FILE* stream)
{
	putRoffHead(stream, "", "takes captured human motion and performs it anew");
	fputs(".SH SYNOPSIS\n.B reprise\nCOMMAND ... [OPTIONS]\n.SH DESCRIPTION\n", stream);
	putRoffLine(stream, "", "Reads, mends, edits, keeps, draws and shows captured human motion.");
	putRoffLine(stream, "", "reprise help COMMAND and the page reprise-COMMAND(1) describe a command in full.");
	putRoffCommands(stream, NULL);
	putRoffOptions(stream, "Common options", cliCommonOptions);
	for (const cliTopic* topic = cliTopics; topic->name != NULL; ++topic)
	{
		putRoffHeading(stream, strcmp(topic->name, "codes") == 0 ? "exit status" : topic->name);
		putRoffText(stream, topic->text);
	}
	fputs(".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nIf set and not empty: no colours on the terminal.\n", stream);
}

// ---- Markdown

static void putMarkdownText(FILE* stream, const char* text)
{
	bool isFixed = false;
	while (*text != 0)
	{
		size_t size = strcspn(text, "\n");
		bool wantsFixed = text[0] == ' ';
		if (wantsFixed != isFixed)
			fputs("```\n", stream);
		isFixed = wantsFixed;
		int skip = wantsFixed ? 2 : 0;
		fprintf(stream, "%.*s\n", (int)size - skip, text + skip);
		text += size + (text[size] == '\n' ? 1 : 0);
	}
	fputs(isFixed ? "```\n\n" : "\n", stream);
}

static void putMarkdownOptions(FILE* stream, const cliOption* option)
{
	for (; option != NULL && option->name != NULL; ++option)
	{
		char* head = cliFormatOption(option);
		fprintf(stream, "- `%s`: %s\n", head, option->help);
		free(head);
	}
}

static void putMarkdownCommand(FILE* stream, const cliCommand* command)
{
	fprintf(stream, "## reprise %s\n\n%s.\n\n```\nreprise %s %s\n```\n\n", command->name, command->summary,
			command->name, command->usage);
	putMarkdownText(stream, command->about);
	for (int i = 0; i < cli_optionListCount && command->options[i] != NULL; ++i)
	{
		const char* title = cliGetListTitle(command, i);
		fprintf(stream, "%s**%s**\n\n", i > 0 ? "\n" : "", title);
		putMarkdownOptions(stream, command->options[i]);
	}
	fputs(command->options[0] != NULL ? "\n**Examples**\n\n```sh\n" : "**Examples**\n\n```sh\n", stream);
	for (int i = 0; i < cli_exampleCount; ++i)
		fprintf(stream, "# %s\n%s\n", command->examples[i].meaning, command->examples[i].line);
	fputs("```\n\n", stream);
}

bool cliPrintMarkdown(FILE* stream)
{
	fputs("# The commands of reprise\n\nMade from the program's own table by `reprise help --markdown`.\n\n"
		  "Every command takes these:\n\n",
		  stream);
	putMarkdownOptions(stream, cliCommonOptions);
	fputs("\n", stream);
	for (const cliTopic* topic = cliTopics; topic->name != NULL; ++topic)
	{
		fprintf(stream, "## %s\n\n", topic->summary);
		putMarkdownText(stream, topic->text);
	}
	for (const cliCommand* const* at = cliCommands; *at != NULL; ++at)
		putMarkdownCommand(stream, *at);
	return true;
}
