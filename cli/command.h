/// The table of commands. Help, man pages, shell completion and docs/commands.md are all made from it.
#pragma once

#include <stdbool.h>

typedef struct cliRun cliRun;

/// One option of a command. A list of them ends with one whose name is NULL.
typedef struct cliOption
{
	/// Long name, without dashes.
	const char* name;

	/// Short name, or 0.
	char letter;

	/// Name of its value in help ("FILE", "FOLDER", "F"); "a|b|c" lists the only values. NULL: a switch.
	const char* argument;

	/// One sentence.
	const char* help;
} cliOption;

typedef struct cliExample
{
	const char* line;
	const char* meaning;
} cliExample;

enum
{
	cli_optionListCount = 4,
	cli_exampleCount = 3,
};

typedef struct cliCommand
{
	/// One word, or two for the commands of a group: "library add".
	const char* name;

	/// One line, without full stop.
	const char* summary;

	/// What follows the name.
	const char* usage;

	/// Paragraphs, separated by an empty line.
	const char* about;

	/// Lists of its options, NULL where there are no more. Those of every command (commonOptions) are not among them.
	const cliOption* options[cli_optionListCount];

	cliExample examples[cli_exampleCount];

	/// How many arguments it takes; maximum -1: any number.
	int minimum, maximum;

	/// Do it. False when it failed: it was reported then. NULL for a group.
	bool (*run)(cliRun* run);
} cliCommand;

/// A page of help that is about no command.
typedef struct cliTopic
{
	const char* name;
	const char* summary;
	const char* text;
} cliTopic;

/// All commands in the order of help.
#define CLI_COMMANDS(X) \
	X(Info)             \
	X(Convert)          \
	X(Compare)          \
	X(Align)            \
	X(Transition)       \
	X(Blend)            \
	X(Clean)            \
	X(Picture)          \
	X(Show)             \
	X(Library)          \
	X(LibraryAdd)       \
	X(LibraryList)      \
	X(LibraryShow)      \
	X(LibraryLabel)     \
	X(LibraryRemove)    \
	X(LibraryRename)    \
	X(LibraryExport)    \
	X(LibraryCheck)     \
	X(Perform)          \
	X(Metric)           \
	X(MetricExamples)   \
	X(MetricFit)        \
	X(MetricInfo)       \
	X(MetricCheck)      \
	X(Graph)            \
	X(GraphBuild)       \
	X(GraphList)        \
	X(GraphInfo)        \
	X(GraphPicture)     \
	X(GraphExport)      \
	X(GraphWalk)        \
	X(GraphPath)        \
	X(GraphGo)          \
	X(GraphSteer)       \
	X(GraphReach)       \
	X(GraphRemove)      \
	X(Locomotion)       \
	X(LocomotionCut)    \
	X(LocomotionBuild)  \
	X(LocomotionInfo)   \
	X(LocomotionPlay)   \
	X(Space)            \
	X(SpaceFind)        \
	X(SpaceBuild)       \
	X(SpaceInfo)        \
	X(SpaceMake)        \
	X(SpacePicture)     \
	X(SpaceList)        \
	X(SpaceRemove)      \
	X(Pgraph)           \
	X(PgraphBuild)      \
	X(PgraphInfo)       \
	X(PgraphPicture)    \
	X(PgraphWalk)       \
	X(PgraphPlay)       \
	X(PgraphGoto)       \
	X(PgraphReach)      \
	X(PgraphExport)     \
	X(PgraphList)       \
	X(PgraphRemove)     \
	X(Bundle)           \
	X(Play)             \
	X(Evaluate)         \
	X(Demo)             \
	X(Help)             \
	X(Version)

#define X(command) extern const cliCommand cli##command##Command;
CLI_COMMANDS(X)
#undef X

/// The same as a list that ends with NULL; topics and options end with one without a name.
extern const cliCommand* const cliCommands[];
extern const cliTopic cliTopics[];
extern const cliOption cliCommonOptions[];

/// By full name ("library add" or "library-add"), NULL if there is none.
const cliCommand* cliFindCommand(const char* name);
const cliTopic* cliFindTopic(const char* name);

/// What a command is called within its group ("add" of "library add" in "library"), or NULL if it is none of it; group
/// NULL: among the first words.
const char* cliCommand_GetWord(const cliCommand* command, const char* group);

/// The option of that name, or of that letter (name NULL); NULL if the command has none.
const cliOption* cliCommand_FindOption(const cliCommand* command, const char* name, char letter);

/// Whether an option of a command says how to read a file.
bool cliIsReadingOption(const cliCommand* command, const cliOption* option);

/// The i-th option of a command, its own first, then the common ones; NULL past the last.
const cliOption* cliCommand_GetOption(const cliCommand* command, int index);
