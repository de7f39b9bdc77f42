/// A parametric graph as it is played: its spaces' frames beside it, and motions of its nodes as spans with margins.
#pragma once

#include "model/parametric_chunks.h"
#include "model/space_model.h"
#include "model/space_weighing.h"
#include "model/span_cloud.h"
#include "timeline/span_join.h"

/// Const once made, but for the scratch memory of cloud and joiner: it belongs to one player.
typedef struct rpParametricModel
{
	/// Its nodes' spaces are those of `spaces`, [nodeCount].
	rpParametricGraph* graph;
	rpSpaceModel* spaces;
	rpSpaceFrames frames;
	rpSpanCloud cloud;
	rpSpanJoiner joiner;

	/// Of spans, seconds.
	double margin;
} rpParametricModel;

/// Read one from a bundle, which must outlive it, every number checked. Free with rpParametricModel_Free, after failure
/// too.
RP_NODISCARD bool rpParametricModel_Read(rpParametricModel* model, const rpBundle* bundle, rpError* error);
void rpParametricModel_Free(rpParametricModel* model);

/// What a cloud looks at by, for a body. Free with rpSpanCloud_Free, after failure too.
RP_NODISCARD bool rpSpanCloud_Create(rpSpanCloud* cloud, const rpParametricGraph* graph, const rpSkeleton* skeleton,
									 rpError* error);
void rpSpanCloud_Free(rpSpanCloud* cloud);

/// A motion of a node.
typedef struct rpParametricClip
{
	int node;

	/// What was asked for, and the nearest that the space has.
	float asked[RP_MAX_SPACE_PARAMETERS], values[RP_MAX_SPACE_PARAMETERS];

	/// The core, in seconds from the span's start; all before and after it are margins.
	double start, end;
} rpParametricClip;

/// Seconds from the span's start of a part of the core, as rpParametricSample has them, and back.
static inline double rpParametricClip_GetTime(const rpParametricClip* clip, float part)
{
	return clip->start + (double)part * (clip->end - clip->start);
}

static inline float rpParametricClip_GetPart(const rpParametricClip* clip, double seconds)
{
	return (float)((seconds - clip->start) / (clip->end - clip->start));
}

/// How long margins of spans must be: transitions lie up to graph->margin from the ends of cores, and are looked at as
/// far as the window goes and shown as far as the longest seam does.
double rpParametricGraph_GetMargin(const rpParametricGraph* graph);

/// Plan a motion: span is filled but for where it begins and lies. Values that are no numbers count as the middle of
/// their range. Allocates nothing.
void rpPlanParametricClip(const rpSpaceModel* space, int node, const float* asked, double margin, rpSpan* span,
						  rpParametricClip* out);

/// The same bit by bit: its samples are weighed, then the span is blended.
typedef struct rpParametricPlanning
{
	rpSpaceWeighing weighing;
	rpSpacePlanning planning;
	bool isWeighed;
} rpParametricPlanning;

void rpParametricPlanning_Begin(rpParametricPlanning* planning, const rpSpaceModel* space, int node, const float* asked,
								rpParametricClip* out);

/// So many samples, or so many pieces of the span. True once it is done.
bool rpParametricPlanning_GoOn(rpParametricPlanning* planning, const rpSpaceModel* space, double margin, int samples,
							   int pieces, rpSpan* span, rpParametricClip* out);
