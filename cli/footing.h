/// Contacts and foot lock, for commands that make new motion.
#pragma once

#include "run.h"

/// Give a motion that has no contacts of heels or balls those that can be found. False where that cannot be done, which
/// is reported as a warning with the clip's name.
bool cliEnsureContacts(cliRun* run, const char* name, rpMotion* motion);

/// Lock the feet from start to end, seconds, and ease off on both sides: half a second further away everything stays as
/// it is. All contacts are kept. *motion may be replaced. False where it failed, which is reported as a warning;
/// *motion is as it was then. The report is about the contacts that were locked; it may be NULL.
bool cliLockFeet(cliRun* run, rpMotion** motion, double start, double end, rpFootLockReport* report);
