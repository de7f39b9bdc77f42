/// Taking annotations through edits.
///
/// A frame stands for the time from its own moment to the next frame's: intervals of a motion lie in
/// [0, frameCount / fps), so that one which ends where the next frame would be still covers the last frame, and
/// cropping and joining again gives the same intervals. Curves are values at frames: they reach from the first frame to
/// the last.
///
/// A motion without source intervals, but with a name, is its own source: edits that change which frame is where note
/// so in their result.
#pragma once

#include "motion/annotation_parts.h"

/// What lies in frames first … first+count-1, the first of which becomes time 0.
RP_NODISCARD bool rpCropAnnotations(const rpMotion* motion, int first, int count, rpAnnotations* out, rpError* error);

/// All of them, one motion after the other, with a "seam" event where each but the first begins. Curves of one name are
/// put together; a curve of only some of the motions keeps its last value where it is missing. Curves of one name and
/// different kinds are an error.
RP_NODISCARD bool rpJoinAnnotations(const rpMotion* const* motions, int count, rpAnnotations* out, rpError* error);

/// As a result of frameCount frames has them, which shows `motion` along a warp. Source intervals and curves are cut
/// where the warp bends, so that they stay linear in between.
RP_NODISCARD bool rpRetimeAnnotations(const rpMotion* motion, const rpWarp* warp, int frameCount, rpAnnotations* out,
									  rpError* error);

/// Left and right exchanged: effectors, phases, the words left and right in names, curves.
RP_NODISCARD bool rpMirrorAnnotations(const rpAnnotations* from, rpAnnotations* out, rpError* error);
