/// Contacts and foot lock, for commands that make new motion.
#pragma once

#include "run.h"

/// Give a motion that has no contacts of heels or balls those that can be found. False where that cannot be done, which
/// is reported as a warning with the clip's name.
bool cliEnsureContacts(cliRun* run, const char* name, rpMotion* motion);

/// How far balls get on the floor in a stance of the stretch that is locked, millimetres on average, before and after:
/// what evaluate calls slide_mm_mean. NaN where the frames show no stance.
typedef struct cliSlide
{
	double before, after;
} cliSlide;

double cliMeasureSlide(const rpMotion* motion);

/// "feet locked: they slid by 20.1 mm a stance, now by 0.6 mm", after the clip's name and a colon if that is not NULL.
void cliPrintSlide(cliRun* run, const char* name, const cliSlide* slide);

/// slide_mm_before and slide_mm_after into a report.
void cliAddSlide(json_t* result, const cliSlide* slide);

/// Lock the feet from start to end, seconds, and ease off on both sides: half a second further away everything stays as
/// it is. All contacts are kept. *motion may be replaced. False where it failed, which is reported as a warning;
/// *motion is as it was then. The report is about the contacts that were locked; it may be NULL.
bool cliLockFeet(cliRun* run, rpMotion** motion, double start, double end, rpFootLockReport* report, cliSlide* slide);
