/// How far a motion graph reaches: where a character can be, and facing where, within some time; how long it takes to
/// change what it does; how long it goes without a choice. After P. Reitsma & N. Pollard, "Evaluating motion graphs for
/// character animation" (ACM TOG 2007).
#pragma once

#include "reprise/play/graph.h"

#ifdef __cplusplus
extern "C"
{
#endif

enum
{
	/// Headings that are distinguished.
	rp_reachHeadings = 16,
};

/// What to look at. Must come from rpDefaultReachDef().
typedef struct rpReachDef
{
	/// Seconds, 5; at most 60.
	double seconds;

	/// Size of a cell of the floor, metres, 0.25.
	float cell;

	/// The node to start from; -1: the first.
	int start;

	/// Places in the graph, on the floor and in heading that are looked at, at most: 2,000,000.
	int effort;
} rpReachDef;

/// What was found. Fields are there to be read.
typedef struct rpReach
{
	double seconds;
	float cell;
	int start;

	/// Cells of the floor, [width * width]: the character starts in the middle of the middle one and faces +z. Row by
	/// row from -z to +z, each from -x to +x.
	int width;

	/// Seconds until a cell is reached first, infinite where it is not; and bits (1u << k) of the headings with which
	/// it is reached: k * 360/16 degrees to the left of +z.
	float* times;
	uint16_t* headings;

	/// Floor that is reached, m²; mean share of the headings in the cells that are reached.
	double area;
	double headingShare;

	/// Whether all of it was looked at; false when the effort came to an end.
	bool isWhole;
	int placeCount;

	/// [labelCount * labelCount] mean seconds from a place with one label (row) but not the other to the nearest with
	/// the other (column); infinite where there is no path, 0 where there is no such place. Share of the places that
	/// have a path.
	int labelCount;
	double* switchTimes;
	double* switchShares;

	/// Longest and mean time from one choice to the next, seconds; infinite if one can go round without any.
	double longestWithoutChoice, meanWithoutChoice;
} rpReach;

RP_API rpReachDef rpDefaultReachDef(void);

/// def and error may be NULL. NULL when def is out of range or memory ran out; free with rpDestroyReach.
RP_API RP_NODISCARD rpReach* rpGraph_FindReach(const rpGraph* graph, const rpReachDef* def, rpError* error);
RP_API void rpDestroyReach(rpReach* reach);

#ifdef __cplusplus
}
#endif
