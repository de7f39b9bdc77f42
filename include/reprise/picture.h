/// Pictures and pages of motions.
#pragma once

#include "reprise/motion.h"

#ifdef __cplusplus
extern "C"
{
#endif

/// How to draw a film strip. Must come from rpDefaultStripDef().
typedef struct rpStripDef
{
	/// Size of the picture in pixels (points for SVG).
	int width, height;

	/// Figures to draw; 0: as many as can be told apart.
	int figureCount;

	/// Line above the picture; NULL: name, length and rate of the motion. Empty: none.
	const char* title;
} rpStripDef;

RP_API rpStripDef rpDefaultStripDef(void);

/// Draw a film strip: figures along the root path over the floor grid, contacts marked where they are known.
/// The path's ending, .png or .svg, tells the format. Written beside and renamed.
RP_API RP_NODISCARD bool rpDrawStrip(const rpMotion* motion, const char* path, const rpStripDef* def, rpError* error);

/// How to make a page. Must come from rpDefaultPageDef().
typedef struct rpPageDef
{
	/// NULL: "Reprise".
	const char* title;

	/// An HTML fragment put above the viewer, trusted; <figure> elements at its top level go below it, as a
	/// gallery. May be NULL.
	const char* introduction;
} rpPageDef;

RP_API rpPageDef rpDefaultPageDef(void);

/// Write one HTML file that shows and plays the motions: orbit, scrub, speed, floor, root path, contacts. It needs
/// nothing else and works from file://.
RP_API RP_NODISCARD bool rpWritePage(const rpMotion* const* motions, int count, const char* path, const rpPageDef* def,
									 rpError* error);

#ifdef __cplusplus
}
#endif
