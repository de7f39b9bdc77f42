/// Whole motions of timelines.
#pragma once

#include "timeline/renderer.h"

/// Append spans until the timeline reaches a time, which never decreases.
typedef void rpProduceFn(void* context, double time, rpTimeline* timeline);

/// Fill all frames of a motion from what a maker produces, and add its contacts: what rested when feet were settled.
/// False when memory ran out.
RP_NODISCARD bool rpRenderMotion(rpMotion* motion, bool lockFeet, rpProduceFn* produce, void* context, rpError* error);

/// The same without feet being settled, and only of frames from `first` on and before `end`: the others are there, and
/// what rests in them is found.
RP_NODISCARD bool rpRenderFrames(rpMotion* motion, int first, int end, rpProduceFn* produce, void* context,
								 rpError* error);
