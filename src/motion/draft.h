/// What edits and blends share: a motion with room for the result, and moving frames from one motion into another.
#pragma once

#include "reprise/play/motion.h"

/// Times nearer to each other than this are the same moment, seconds.
#define RP_SAME_MOMENT 1e-9

/// How far, in frames, a time may lie beyond the last frame of a motion and still be inside it.
#define RP_FRAME_SLACK 1e-3

/// A motion on `from`'s skeleton with its name and inputs, and with room for translations where it has them.
/// Annotations are empty. A frame count that is too large for an int may be passed; it is an error then.
RP_NODISCARD rpMotion* rpDraftMotion(const rpMotion* from, double fps, double frameCount, rpError* error);

/// Give a motion room for translations, unless it has it, and fill it with the skeleton's offsets.
RP_NODISCARD bool rpAddTranslations(rpMotion* motion, rpError* error);

/// Copy frames as they are. Both have the same joints; translations are copied where both have them.
void rpCopyFrames(const rpMotion* from, int first, int count, rpMotion* to, int toFirst);

/// The posture of `from` at a place in frames (clamped; 2.25 is between frames 2 and 3) becomes a frame of `to`.
void rpCopyBetween(const rpMotion* from, double place, rpMotion* to, int toFrame);

/// An rpFrameFn that keeps frames: context is the motion itself, which has room for them.
bool rpStoreFrame(void* context, const rpMotion* motion, int frame, const rpPose* pose, rpError* error);

/// Normalise the rotations of a frame and bring each into the hemisphere of the frame before; of the first frame,
/// before is NULL.
void rpFixRotations(const rpQuat* before, int count, rpQuat* rotations);

/// Whether motions can be made at a rate: above 0 and at most RP_MAX_FPS, or own, the rate of what they are made from.
RP_NODISCARD bool rpCheckRate(double fps, double own, rpError* error);

/// Negate rotations where needed, so that consecutive frames lie in one hemisphere. Nothing else changes.
void rpAlignHemispheres(rpMotion* motion);
