/// What is told of spaces, performed and captured, and tables for the documents.
#pragma once

#include "bench.h"
#include "reprise/reprise.h"

/// Examples, samples, smoothness, time to build, physical blends.
void benchPutSpace(const char* name, const rpSpace* space, const rpSpaceBuildReport* built, double seconds,
				   BenchReport* report);

/// To standard error.
void benchPrintFindings(const char* name, const rpFindings* findings);

/// Tables of all that was put, as docs/spaces.md has them.
void benchPrintSpaces(const BenchReport* report);
