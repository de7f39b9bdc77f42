#include "command.h"

#include <string.h>

// "library-add" is another spelling of "library add".
static bool isCalled(const cliCommand* command, const char* name)
{
	const char* own = command->name;
	while (*own != 0 && (*own == *name || (*own == ' ' && *name == '-')))
	{
		++own;
		++name;
	}
	return *own == 0 && *name == 0;
}

const cliCommand* cliFindCommand(const char* name)
{
	for (const cliCommand* const* at = cliCommands; *at != NULL; ++at)
	{
		const cliCommand* command = *at;
		if (isCalled(command, name))
			return command;
	}
	return NULL;
}

const cliTopic* cliFindTopic(const char* name)
{
	for (const cliTopic* topic = cliTopics; topic->name != NULL; ++topic)
	{
		if (strcmp(topic->name, name) == 0)
			return topic;
	}
	return NULL;
}

const char* cliCommand_GetWord(const cliCommand* command, const char* group)
{
	if (group == NULL)
		return strchr(command->name, ' ') == NULL ? command->name : NULL;
	size_t size = strlen(group);
	return strncmp(command->name, group, size) == 0 && command->name[size] == ' ' ? command->name + size + 1 : NULL;
}

const cliOption* cliCommand_GetOption(const cliCommand* command, int index)
{
	for (int i = 0; i <= cli_optionListCount; ++i)
	{
		const cliOption* option = i < cli_optionListCount ? command->options[i] : cliCommonOptions;
		for (; option != NULL && option->name != NULL; ++option)
		{
			if (index-- == 0)
				return option;
		}
	}
	return NULL;
}

const cliOption* cliCommand_FindOption(const cliCommand* command, const char* name, char letter)
{
	const cliOption* option;
	for (int i = 0; (option = cliCommand_GetOption(command, i)) != NULL; ++i)
	{
		if (name != NULL ? strcmp(option->name, name) == 0 : option->letter == letter)
			return option;
	}
	return NULL;
}

bool cliIsReadingOption(const cliCommand* command, const cliOption* option)
{
	for (int i = 0; i < cli_optionListCount && command->options[i] != NULL; ++i)
	{
		// The list of reading options begins with --no-repair, wherever it stands.
		const cliOption* at = command->options[i];
		for (bool isReading = strcmp(at->name, "no-repair") == 0; isReading && at->name != NULL; ++at)
		{
			if (at == option)
				return true;
		}
	}
	return false;
}
