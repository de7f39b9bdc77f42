/// Footsteps as strings of L, R, D, F, S, and the refinement of section 4.3 of Kwon & Shin 2005 as rules on strings.
#pragma once

#include "reprise/movements.h"

/// The footsteps of two segments that follow each other, f(a || b): a phase that the boundary cuts is one phase. False
/// if the result is too long.
bool rpJoinFootsteps(const char* a, const char* b, char out[RP_FOOTSTEP_SIZE]);

/// Whether a string is one of Table 1.
bool rpIsMovement(const char* string);

/// Whether a string is one of Table 1 that leads to a slower gait: a run-to-walk, run-to-stand or walk-to-stand
/// transition.
bool rpIsSlowing(const char* string);

/// What to do with an invalid string between its neighbours (empty where there is none): -1 to merge it with the one
/// before, 1 with the one after, whichever gives a transition to a slower gait; 0 if neither does.
int rpChooseMerge(const char* before, const char* string, const char* after);

/// The same for transitions of any kind, which is more than the paper asks for: captured people rise on the first foot
/// when they set out, which is a peak too.
int rpChooseTransition(const char* before, const char* string, const char* after);

/// Where an invalid string falls into two valid ones if a peak was missed in one of its single supports or flights: the
/// index of that phase, which belongs to both; -1 if nowhere.
int rpChooseSplit(const char* string);

/// The same where several peaks may have been missed, which is more than the paper asks for: the first part is valid,
/// the second one is valid or falls into valid ones in its turn. People who turn sharply hardly rise in their steps.
int rpChooseFirstSplit(const char* string);

/// Whether two strings that a peak in a flight parts, or at an end of it, are a transition if that flight was a double
/// support whose contacts were missed: SLF and FRF, or SLF and RF, are SLDRF.
bool rpIsMissedDouble(const char* a, const char* b);
