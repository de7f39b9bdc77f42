/// Small clips, and a library of them, for the tests of the library.
#pragma once

#include "edit_scene.h"

/// A clip of few frames; the same number gives the same clip. Even ones have annotations of every kind and an input,
/// every third has translations. Its name is "clip-NUMBER".
rpMotion* testMakeClip(const rpSkeleton* skeleton, int number);

/// Whether two motions are equal bit for bit: skeleton, rate, frames, annotations, inputs, and name if asked for.
bool testSameMotion(const rpMotion* a, const rpMotion* b, bool names);

/// Make a library with `count` such clips at a path; what was there is removed first.
void testMakeLibrary(const char* path, int count);

/// Fail unless the library opens, its check finds nothing, and its clips are testMakeClip(0 … count - 1).
void testExpectLibrary(const char* path, int count);

/// Hash of a file's bytes, its size and its time of change: whether it was touched.
void testStampFile(const char* path, char out[80]);
