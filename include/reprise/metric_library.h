/// Fitted metrics kept in a library.
#pragma once

#include "reprise/library.h"
#include "reprise/metric_fit.h"

#ifdef __cplusplus
extern "C"
{
#endif

/// Keep a metric in the library under a name, in place of one of that name; load it again. error may be NULL.
RP_API RP_NODISCARD bool rpLibrary_PutMetric(rpLibrary* library, const char* name, const rpMetricFit* fit,
											 rpError* error);
RP_API RP_NODISCARD bool rpLibrary_LoadMetric(const rpLibrary* library, const char* name, rpMetricFit* out,
											  rpError* error);

#ifdef __cplusplus
}
#endif
