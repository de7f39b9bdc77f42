/// Whole motions of timelines.
#pragma once

#include "timeline/renderer.h"

/// Append spans until the timeline reaches a time, which never decreases.
typedef void rpProduceFn(void* context, double time, rpTimeline* timeline);

/// How to render: what is shown, and where its frames go.
typedef struct rpRenderDef
{
	bool lockFeet;
	rpProduceFn* produce;
	void* context;

	/// NULL: to the motion itself.
	rpFrameFn* addFrame;
	void* frameContext;

	/// Called now and then; may be NULL. Return false to stop.
	rpProgressFn* progress;
	void* progressContext;
} rpRenderDef;

/// Make all frames of a motion, which is bare where they go elsewhere, and add its contacts: what rested when feet were
/// settled. Takes as much memory as feet look ahead. False when it was stopped or memory ran out.
RP_NODISCARD bool rpRenderMotion(rpMotion* motion, const rpRenderDef* def, rpError* error);

/// The same without feet being settled, and only of frames from `first` on and before `end`: the others are there, and
/// what rests in them is found.
RP_NODISCARD bool rpRenderFrames(rpMotion* motion, int first, int end, rpProduceFn* produce, void* context,
								 rpError* error);
