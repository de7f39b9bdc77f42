/// What a skeleton looks like: limbs of some thickness between its points. Strip and page draw the same figure.
#pragma once

#include "reprise/play/motion.h"

typedef enum rpSide
{
	rp_sideMiddle,
	rp_sideLeft,
	rp_sideRight,
	rp_sideCount,
} rpSide;

/// A limb: a round bone between two points, its radii in metres.
typedef struct rpFigureLimb
{
	int from, to;
	float fromRadius, toRadius;
	rpSide side;

	/// A neck: whatever the view, the head covers it.
	bool neck;
} rpFigureLimb;

/// Max points that a figure adds to those of its skeleton.
#define RP_FIGURE_EXTRAS 2

/// Points are the joints, then the end sites, then the heels where they are known.
typedef struct rpFigure
{
	int pointCount;
	int extraCount;
	rpAttachment extras[RP_FIGURE_EXTRAS];
	int limbCount;
	rpFigureLimb* limbs;

	/// Head: an egg around the middle of two points; -1 where none is known.
	int headFrom, headTo;
	float headRadius;

	/// Size of the body, metres, positive: the skeleton's height, or what there is of it.
	float stature;
} rpFigure;

/// Free with rpFigure_Free; error may be NULL.
RP_NODISCARD bool rpMakeFigure(const rpSkeleton* skeleton, rpFigure* out, rpError* error);
void rpFigure_Free(rpFigure* figure);

/// Points of one frame in the world, [pointCount]; world is scratch of [jointCount].
void rpFigure_Place(const rpFigure* figure, const rpMotion* motion, int frame, rpTransform* world, rpVec3* points);

/// The height of the floor under a motion: 0, or where its lowest point is when that is far from 0.
RP_NODISCARD bool rpFindFloor(const rpFigure* figure, const rpMotion* motion, float* out, rpError* error);
