/// Assertions for a caller's bugs: on in debug and test builds (RP_ASSERTIONS), nothing otherwise.
#pragma once

#include "reprise/play/base.h"

#ifdef RP_ASSERTIONS
void rpAssertFailed(const char* condition, const char* file, int line);
#define RP_ASSERT(condition) ((condition) ? (void)0 : rpAssertFailed(#condition, __FILE__, __LINE__))
#else
#define RP_ASSERT(condition) ((void)sizeof(condition))
#endif
