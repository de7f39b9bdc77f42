/// Timelines: spans one after the other, each joined with the one before it by a seam. Makers of motion append spans;
/// the renderer makes frames of them. Only the last few are kept, so a timeline may go on for ever.
#pragma once

#include "timeline/seam.h"

enum
{
	/// How many spans are kept. Seams do not overlap, so two are in use at a moment; one may be appended ahead, and one
	/// is in the making.
	rp_timelineSpans = 4,
};

/// How a whole timeline is bent over the floor (path editing, after M. Gleicher, "Motion path editing", 2001): ground
/// transforms at a fixed rate, smooth between them, that are applied to whatever spans and seams give. Feet settle
/// afterwards, so what a bend takes a resting foot along by is made up for in its swing.
typedef struct rpBend
{
	/// [count], turns without jumps; borrowed. NULL: nothing is bent.
	const rpGroundTransform* knots;
	int count;
	double fps;
} rpBend;

/// The transform at a time; at either end it stays as it is.
rpGroundTransform rpBend_Get(const rpBend* bend, double time);

/// Zero-initialised is empty. Spans are counted from 0; they are copied as bytes.
typedef struct rpTimeline
{
	rpSpan spans[rp_timelineSpans];

	/// Into the span of the same place; of the first one it says nothing.
	rpSeamDef seams[rp_timelineSpans];

	/// How many were appended.
	int64_t count;

	rpBend bend;
} rpTimeline;

/// Room for the next span; fill all of it, then append it. What was there before is left in it.
rpSpan* rpTimeline_GetNext(rpTimeline* timeline);

/// Append it. The seam begins no earlier than the one before it ended, and no earlier than any time that was asked for
/// so far. seam may be NULL for the first.
void rpTimeline_Append(rpTimeline* timeline, const rpSeamDef* seam);

/// The labels of the last span from now on: a clip that plays on may come to others.
void rpTimeline_SetLabels(rpTimeline* timeline, uint64_t labels);

/// The span of a number, which must be one of the last.
const rpSpan* rpTimeline_Get(const rpTimeline* timeline, int64_t number);
const rpSeamDef* rpTimeline_GetSeam(const rpTimeline* timeline, int64_t number);

/// The span that is in play at a time: of those kept, the last whose seam is over.
int64_t rpTimeline_Find(const rpTimeline* timeline, double time);
