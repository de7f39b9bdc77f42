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
	// Work that was done before it could stop is there, but a script that was told to stop must not go on.
	if (run.exit == 0 && cliGetInterruption() != 0)
		return 128 + cliGetInterruption();
	return run.exit;
}
