/// Making models of locomotion: from takes or from clips of a library; models kept in a library, and as bundles.
#pragma once

#include "reprise/library.h"
#include "reprise/movements.h"
#include "reprise/play/findings.h"
#include "reprise/play/locomotion_model.h"

#ifdef __cplusplus
extern "C"
{
#endif

/// How to build a model. Must come from rpDefaultLocomotionDef().
typedef struct rpLocomotionDef
{
	/// rpBuildLocomotion only: clips of the library by name; count 0 for all of them, which must be of one skeleton
	/// then. Borrowed for the call.
	const char* const* clips;
	int clipCount;

	/// How movements are found.
	rpMovementDef movements;

	/// Add mirror images of all takes: they fill kinds of movement that one foot lacks. False by default.
	bool mirror;
} rpLocomotionDef;

RP_API rpLocomotionDef rpDefaultLocomotionDef(void);

/// Build a model from movements that were found in takes of one skeleton, which are copied. missing, which may be NULL,
/// gets a line for each kind of movement that the takes lack (code "missing_movement") and for each gait that has no
/// path to the others and back (code "unreachable_gait"). def and error may be NULL. NULL with rp_errorNoSolution where
/// no gait can go on, with rp_errorArgument where the skeletons differ, or when memory ran out; free with
/// rpDestroyLocomotion.
RP_API RP_NODISCARD rpLocomotion* rpBuildLocomotionFrom(const rpMotion* const* takes, int count,
														const rpMovements* movements, const rpLocomotionDef* def,
														rpFindings* missing, rpError* error);

/// The same with movements that are found first (rpFindMovements).
RP_API RP_NODISCARD rpLocomotion* rpBuildLocomotionOf(const rpMotion* const* takes, int count,
													  const rpLocomotionDef* def, rpFindings* missing, rpError* error);

/// The same from clips of a library, which are named in the model.
RP_API RP_NODISCARD rpLocomotion* rpBuildLocomotion(rpLibrary* library, const rpLocomotionDef* def, rpFindings* missing,
													rpError* error);
/// Keep a model in the library under a name, in place of one of that name; its takes must be clips of the library.
RP_API RP_NODISCARD bool rpLibrary_PutLocomotion(rpLibrary* library, const char* name, const rpLocomotion* model,
												 rpError* error);

/// A model that was kept, with its takes. NULL with rp_errorMissing if there is none of that name, or if a clip is gone
/// or changed; free with rpDestroyLocomotion.
RP_API RP_NODISCARD rpLocomotion* rpLibrary_LoadLocomotion(rpLibrary* library, const char* name, rpError* error);

/// The model as a bundle for players; *size bytes, free with rpFreeBytes. error may be NULL.
RP_API RP_NODISCARD void* rpWriteLocomotionBundle(const rpLocomotion* model, size_t* size, rpError* error);

/// The same as a file.
RP_API RP_NODISCARD bool rpSaveLocomotionBundle(const rpLocomotion* model, const char* path, rpError* error);

#ifdef __cplusplus
}
#endif
