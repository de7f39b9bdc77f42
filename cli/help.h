/// What is made from the table of commands beside help itself.
#pragma once

#include "command.h"

#include <stdio.h>

/// "-o, --output FILE"; free() it.
char* cliFormatOption(const cliOption* option);

/// Heading of the i-th list of a command's options.
const char* cliGetListTitle(const cliCommand* command, int list);

/// The page reprise(1), and the page of one command, as roff.
void cliPrintManual(FILE* stream);
void cliPrintManualPage(FILE* stream, const cliCommand* command);

/// The completion script of "bash", "zsh" or "fish". Always true.
bool cliPrintCompletion(FILE* stream, const char* shell);

/// All of it as one page of Markdown. Always true.
bool cliPrintMarkdown(FILE* stream);
