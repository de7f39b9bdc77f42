/// Match webs kept in a library: what makes searches of it quick, grown with its clips.
#pragma once

#include "reprise/library.h"
#include "reprise/match.h"

#ifdef __cplusplus
extern "C"
{
#endif

/// How to weave. Must come from rpDefaultMatchWebDef(). All pointers are borrowed for the call.
typedef struct rpMatchWebDef
{
	/// NULL: the default cloud metric. Webs of several metrics may be kept in one library.
	const rpMetricDef* metric;

	/// Of the clips' mirror images too.
	bool mirror;

	/// Called now and then; may be NULL. Return false to stop.
	rpProgressFn* progress;
	void* progressContext;

	/// 0: all cores.
	int threads;
} rpMatchWebDef;

RP_API rpMatchWebDef rpDefaultMatchWebDef(void);

/// What weaving did.
typedef struct rpMatchWebReport
{
	/// Pairs of clips, mirror images apart, that the web has, and those that were compared for it.
	int pairCount, newPairCount;

	/// Bytes that it takes in the library.
	size_t size;
} rpMatchWebReport;

/// Weave the web of clips of a library, which are of one skeleton; only what the library does not know is compared. It
/// is kept in the library: the same bytes, whether clips came one by one or at once. report and error may be NULL.
/// False with rp_errorLimit where it is larger than a library can keep.
RP_API RP_NODISCARD bool rpLibrary_WeaveMatchWeb(rpLibrary* library, const rpClipId* clips, int count,
												 const rpMatchWebDef* def, rpMatchWebReport* report, rpError* error);

/// The web of clips, in their order, for rpMatchDef.web of a search of just these. NULL with rp_errorMissing where the
/// library knows none that holds all of them as they are now; free with rpDestroyMatchWeb.
RP_API RP_NODISCARD rpMatchWeb* rpLibrary_OpenMatchWeb(const rpLibrary* library, const rpClipId* clips, int count,
													   const rpMatchWebDef* def, rpError* error);
RP_API void rpDestroyMatchWeb(rpMatchWeb* web);

#ifdef __cplusplus
}
#endif
