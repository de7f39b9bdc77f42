/// A small body and smooth motions with annotations of every kind, for the tests of edits.
#pragma once

#include "support.h"

/// Ten joints with left-right pairs. Twisted: the frames of the right side are turned against the left's, as in files
/// whose joint axes follow the bones; at rest both bodies have their joints in the same places.
rpSkeleton* testMakePuppet(bool twisted);

/// Smooth motion from sines; the same seed gives the same joint positions over time at any rate.
rpMotion* testMakeMotion(const rpSkeleton* skeleton, const char* name, double fps, int frameCount, uint64_t seed);

/// Add intervals on every track, events and a curve of every kind, and an input.
void testAnnotate(rpMotion* motion);

/// Give a motion bones that change their lengths.
void testAddTranslations(rpMotion* motion);

/// Every rotation is unit, consecutive frames are in one hemisphere.
void testCheckMotion(const rpMotion* motion);

/// Annotations are sorted, none is empty or outside the motion.
void testCheckAnnotations(const rpMotion* motion);

/// The largest distance between equal joints of two motions over all frames.
float testMeasureDistance(const rpMotion* a, const rpMotion* b);

/// The source clip's name and time at a moment by the source track; NULL if there is none.
const char* testFindSource(const rpMotion* motion, double seconds, double* sourceSeconds);

/// Whether two lists of annotations are equal, times and values within a tolerance.
bool testAnnotationsAgree(const rpAnnotations* a, const rpAnnotations* b, double tolerance);
