/// A model of locomotion as chunks of a bundle, and back.
#pragma once

#include "math/ground_path.h"
#include "reprise/play/bundle.h"
#include "reprise/play/locomotion_model.h"

/// What LTAK says about a take.
typedef struct rpTakeRecord
{
	double fps;
	int32_t frameCount, isMirrored;
} rpTakeRecord;

/// Max takes of a model.
#define RP_MAX_TAKES 100000

/// Numbers beyond this are no person's, but damage: speeds, turns and accelerations (m/s, rad/s, m/s²), and how far
/// joints are from their ground frame, metres.
#define RP_DAMAGE_LIMIT 100.0f

/// Shortest movement and longest, seconds.
#define RP_SHORTEST_MOVEMENT 0.02
#define RP_LONGEST_MOVEMENT 3600.0

// Chunk LPTH: how the ground frame of each take moves (rpGroundRate), frame by frame: the root's path and heading,
// smoothed. In bundles of locomotion the roots of clips are relative to that frame, so that clips can be blended
// without laying them on one another first, and their paths apart from them.

/// Add the chunks LHDR, LTAK, LTXT, LMOV and LNOD: all but the takes' frames.
RP_NODISCARD bool rpWriteLocomotionChunks(rpBundleWriter* writer, const rpLocomotion* model, rpError* error);

/// A model from a bundle, every index and number checked. Its takes are NULL; *records describes them, [takeCount],
/// borrowed from the bundle, and *names holds their names, one after the other, each with a zero. NULL when it is
/// damaged or memory ran out; free with rpDestroyLocomotion.
RP_NODISCARD rpLocomotion* rpReadLocomotionChunks(const rpBundle* bundle, const rpTakeRecord** records,
												  const char** names, rpError* error);

/// What follows from movements and successors: where each kind begins, means, deviations, ranges and coarse edges.
/// Movements are sorted by kind; successors are given.
void rpLocomotion_Derive(rpLocomotion* model);

/// Bits of the kinds from which movement can go on for ever and all gaits among them can be reached again: the greatest
/// part of the fine graph that is connected in both directions, by its number of movements. A stand goes on by itself.
uint32_t rpLocomotion_FindCore(const rpLocomotion* model);
