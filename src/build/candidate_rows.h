/// The best candidates of each half second: memory follows the frames of the examples, not the pairs of their clips.
#pragma once

#include "build/graph_draft.h"

/// Sides of the cells that hold but a few minima, and lengths of the rows that hold the best ones, seconds.
#define RP_CELL_SECONDS 0.5

/// Zero-initialised is empty.
typedef struct rpCandidateRows
{
	const rpExamples* examples;

	/// Frames in a row, and where the rows of each clip start, [clipCount + 1].
	int rowFrames;
	int* firstRows;

	/// [row count * labels]: what is best between a row and frames of a label.
	struct rpCandidateRow* rows;
	int labelCount;
} rpCandidateRows;

/// Borrows the examples. Free with rpCandidateRows_Free, after failure too.
bool rpCandidateRows_Make(rpCandidateRows* rows, const rpExamples* examples, rpError* error);
void rpCandidateRows_Free(rpCandidateRows* rows);

/// Offer a candidate to the half seconds at both its ends; it stays while one of them has none better. What stays does
/// not depend on the order of the offers.
bool rpCandidateRows_Offer(rpCandidateRows* rows, const rpCandidate* candidate, rpError* error);

/// What has stayed, each once, ordered by clips, then frames.
bool rpCandidateRows_Collect(const rpCandidateRows* rows, rpCandidates* out, rpError* error);
