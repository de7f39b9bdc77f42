/// Thumbnails: a stretch of a motion as a few poses side by side, the last one the clearest.
#pragma once

#include "picture/canvas.h"
#include "picture/figure.h"

/// What draws thumbnails of one skeleton.
typedef struct rpThumbnail
{
	rpFigure figure;

	/// Scratch, [jointCount] and [pointCount]; limbs in their order, [limbCount].
	rpTransform* world;
	rpVec3* points;
	struct rpThumbnailLimb
	{
		float depth;
		int index;
	} * limbs;
} rpThumbnail;

/// A stretch to draw: of the motion, or of its mirror image, seconds; as so many poses.
typedef struct rpThumbnailDef
{
	const rpMotion* motion;
	double start, end;
	bool isMirror;
	int poseCount;

	/// If within the stretch, one of the poses is of this moment, seconds.
	double moment;
} rpThumbnailDef;

/// Free with rpThumbnail_Free, in any case.
RP_NODISCARD bool rpThumbnail_Make(rpThumbnail* thumbnail, const rpSkeleton* skeleton, rpError* error);
void rpThumbnail_Free(rpThumbnail* thumbnail);

/// Draw into a box whose upper left corner is there. All poses stand at the height of the floor at 0.
void rpThumbnail_Draw(rpThumbnail* thumbnail, rpCanvas* canvas, rpVec2 corner, double width, double height,
					  const rpThumbnailDef* def);
