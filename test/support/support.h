/// What the tests share: cmocka, scratch folders, captured data, failing allocations.
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reprise/reprise.h"

/// A fresh empty folder under the system's temporary one, removed with all it holds at exit.
const char* testFolder(void);

/// A path in testFolder(); the last 16 results stay valid.
const char* testPath(const char* name);

/// Write bytes to testPath(name) and return that path.
const char* testWriteFile(const char* name, const void* bytes, size_t size);

/// A whole file, zero-terminated; free() it. NULL if it cannot be read. size may be NULL.
char* testReadFile(const char* path, size_t* size);

/// The folder of captured data, or NULL where it is absent; then the test says so and exits with 77 (skipped).
const char* testMocap(void);
void testSkipWithoutMocap(void);

/// Every *.bvh below the captured data's cmu/ folder, sorted; returns the count.
int testListCapture(const char* const** paths);

/// Load a captured take by its name, such as "16_15", or a part of it, seconds. The test fails where it is missing.
rpMotion* testLoadTake(const char* name);
rpMotion* testLoadTakePart(const char* name, double start, double end);

/// Let the n-th allocation from now on (counted from 0) and all after it fail; -1: none does. Also counts.
void testFailAllocation(int n);
int testCountAllocations(void);

/// Blocks allocated through the library's hooks and not yet freed.
int testCountLiveBlocks(void);

/// Begin to look for the most bytes that are allocated at a time beyond those that are now; and how many it were.
void testStartPeak(void);
size_t testGetPeak(void);

/// A call that allocates; true when it succeeded. It frees what it made.
typedef bool testAttemptFn(void* context, rpError* error);

/// Let each allocation of a call fail in turn, until it succeeds: always an error of memory, and never a block lost. At
/// least so many must have failed.
void testFailEach(testAttemptFn* attempt, void* context, int min);

/// Use the counting allocator from now on.
void testUseCountingAllocator(void);

/// Perform with each allocation failing in turn: it must say so and leave no memory behind.
void testFailPerforming(const rpPerformDef* def);

/// Use a locale with a decimal comma until testUsePlainLocale, made by localedef if none is installed. False, having
/// said so, where it cannot be had.
bool testUseCommaLocale(void);
void testUsePlainLocale(void);
