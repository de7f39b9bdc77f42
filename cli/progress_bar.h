/// Long work: a bar with the time left on a terminal, and a means to stop it.
#pragma once

#include "reprise/play/base.h"

/// Begin; silent (--quiet) draws nothing.
void cliStartBar(bool silent);

/// An rpProgressFn; context is not used. False once the program was interrupted.
bool cliStepBar(double fraction, const char* what, void* context);

/// Take the bar off the screen, until the next step draws it again.
void cliClearBar(void);

/// Done: no bar any more.
void cliEndBar(void);

/// Catch SIGINT, SIGTERM and SIGHUP: the first asks the work to stop and ends the program a second later if it did not,
/// the second ends it at once.
void cliCatchSignals(void);

/// The signal that asked to stop, 0 if none did.
int cliGetInterruption(void);
