/// reprise: the program. Finds the command in the table and runs it.
#include "progress_bar.h"
#include "run.h"

int main(int argc, char** argv)
{
	cliRun run = {.program = argc > 0 ? argv[0] : "reprise", .warnings = json_array(), .inputs = json_array()};
	cliCatchSignals();
	if (cliParse(&run, argc, argv))
		run.command->run(&run);
	cliEndBar();
	cliEndRun(&run);
	return run.exit;
}
