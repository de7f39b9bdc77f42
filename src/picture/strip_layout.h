/// Which frames of a motion a film strip shows, from where, and how they are arranged.
#pragma once

#include "picture/figure.h"

/// A view from afar (parallel projection): the azimuth is the yaw of the viewer seen from the scene, the elevation his
/// height over it, radians.
typedef struct rpView
{
	float azimuth, elevation;
} rpView;

/// Metres on the picture's plane, x to the right and y downwards.
rpVec2 rpView_Project(rpView view, rpVec3 point);

/// How near to the viewer, metres.
float rpView_GetDepth(rpView view, rpVec3 point);

/// A box on the picture's plane.
typedef struct rpBox
{
	float left, top, right, bottom;
} rpBox;

typedef struct rpStripLayout
{
	rpView view;

	/// False: figures stand where they are, along the root path. True: side by side, each in a cell of its own, since
	/// they would hide one another in place.
	bool sideBySide;

	int figureCount;

	/// [figureCount], increasing frames.
	int* frames;

	/// [figureCount], where each figure is moved to, metres in the world; zero along the path.
	rpVec3* shifts;

	/// [figureCount], the middles of the figures' cells side by side, metres on the picture's plane.
	float* centres;

	/// [figureCount * pointCount], points of the figures, moved.
	rpVec3* points;

	/// All figures together, metres on the picture's plane.
	rpBox box;

	/// Height of the floor, metres.
	float floor;

	/// Greatest extent of the root's path on the floor, metres.
	float extent;
} rpStripLayout;

/// Lay a motion out for an area of that aspect (width / height). figureCount 0: as many as can be distinguished. Free
/// with rpStripLayout_Free.
RP_NODISCARD bool rpMakeStripLayout(const rpMotion* motion, const rpFigure* figure, int figureCount, double aspect,
									rpStripLayout* out, rpError* error);
void rpStripLayout_Free(rpStripLayout* layout);
