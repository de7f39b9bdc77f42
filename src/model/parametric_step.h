/// From one motion of a parametric graph to the next: planned, compared with the one before it where they are to meet,
/// and laid there. Players do it bit by bit, searches all at once.
#pragma once

#include "model/parametric_model.h"

/// A motion that is in play: its span, laid in time and on the ground, and what it is of.
typedef struct rpParametricMotion
{
	rpSpan span;
	rpParametricClip clip;
} rpParametricMotion;

/// The next motion in the making.
typedef struct rpParametricStep
{
	int edge;
	rpParametricBox box;

	/// Until it is laid, its span begins at 0, at the origin.
	rpParametricMotion next;

	/// When they meet: seconds of the motion in play, and of this one; how far they are apart there, metres, and what
	/// takes this one onto the other.
	double from, to;
	float distance;
	rpGroundTransform placement;

	/// How many other ways were tried because it was too far; whether what is played is what was found to follow when
	/// the graph was built.
	int repairs;
	bool isForced;
} rpParametricStep;

/// Begin: look the edge up.
void rpParametricStep_Begin(const rpParametricModel* model, const rpParametricMotion* now, int edge,
							rpParametricStep* step);

/// Plan the next motion for values, [parameterCount]; `to` is when they meet, a part of its core.
void rpParametricStep_Plan(const rpParametricModel* model, const float* asked, float to, rpParametricStep* step);

/// The same bit by bit; begin with rpParametricPlanning_Begin. True once it is done.
bool rpParametricStep_GoOnPlanning(const rpParametricModel* model, rpParametricPlanning* planning, float to,
								   int samples, int pieces, rpParametricStep* step);

/// The moments that meet.
rpSpanMoment rpParametricStep_GetFrom(const rpParametricStep* step, const rpParametricMotion* now);
rpSpanMoment rpParametricStep_GetTo(const rpParametricStep* step);

/// What takes the next motion onto the one in play, from what best takes their clouds onto each other: shifted so that
/// feet that rest in both stay where they are. Held feet would else take the body along, away from what it was to do.
rpGroundTransform rpParametricStep_Place(const rpParametricModel* model, const rpParametricMotion* now,
										 rpGroundTransform alignment, rpParametricStep* step);

/// Compare there, with a window of poses: distance and placement.
void rpParametricStep_Compare(const rpParametricModel* model, const rpParametricMotion* now, rpParametricStep* step);

/// Where it is farther than the edge allows: try up to three frames earlier and later, then the middle of the box, then
/// what was found to follow the nearest sample. (Boxes between those of samples promise nothing: Heck 6.1.2 takes what
/// comes.)
void rpParametricStep_Repair(const rpParametricModel* model, const rpParametricMotion* now, rpParametricStep* step);

/// Lay the next motion: in time and on the ground.
void rpParametricStep_Lay(const rpParametricModel* model, const rpParametricMotion* now, rpParametricStep* step);

/// All of it at once.
void rpParametricStep_Make(const rpParametricModel* model, const rpParametricMotion* now, int edge, const float* asked,
						   rpParametricStep* step);

/// A first motion whose core begins at time 0 with the root at start.
void rpParametricMotion_Begin(const rpParametricModel* model, int node, const float* asked, rpGroundTransform start,
							  rpParametricMotion* out);

/// Where a motion begins: the root's place and facing, the height of what bears it, and which way it travels, radians.
typedef struct rpParametricBeginning
{
	rpGroundTransform root;
	float travel;
} rpParametricBeginning;

/// The same of a moment of a motion; bearing as rpSpan_GetMoment has it.
rpParametricBeginning rpParametricModel_GetBeginning(const rpParametricModel* model, const rpSpan* span, double seconds,
													 double bearing);
