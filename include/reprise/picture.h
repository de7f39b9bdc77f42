/// Pictures and pages of motions.
#pragma once

#include "reprise/blend_length.h"
#include "reprise/graph_build.h"
#include "reprise/match.h"
#include "reprise/movements.h"
#include "reprise/parametric_build.h"
#include "reprise/play/space.h"
#include "reprise/reach.h"
#include "reprise/walk.h"

#ifdef __cplusplus
extern "C"
{
#endif

/// How to draw a film strip. Must come from rpDefaultStripDef().
typedef struct rpStripDef
{
	/// Size of the picture in pixels (points for SVG).
	int width, height;

	/// Figures to draw; 0: as many as can be distinguished.
	int figureCount;

	/// Line above the picture; NULL: name, length and rate of the motion. Empty: none.
	const char* title;

	/// The time that the first frame is labelled with, seconds, for a stretch of something longer; 0.
	double start;
} rpStripDef;

RP_API rpStripDef rpDefaultStripDef(void);

/// Draw a film strip: figures along the root path over the floor grid, contacts marked where they are known. The path's
/// ending, .png or .svg, selects the format. Written beside and renamed.
RP_API RP_NODISCARD bool rpDrawStrip(const rpMotion* motion, const char* path, const rpStripDef* def, rpError* error);

/// A picture of a grid of distances in the making: cells are pooled as they come, so that it stays small for any grid.
typedef struct rpHeatMap rpHeatMap;

/// For a grid of rows (frames of a) by columns (frames of b) at so many frames per second. A map has at most 2000
/// pixels a side; where cells are smaller, a pixel shows the smallest of them. error may be NULL. Free with
/// rpDestroyHeatMap.
RP_API RP_NODISCARD rpHeatMap* rpCreateHeatMap(int rows, int columns, double fps, rpError* error);
RP_API void rpDestroyHeatMap(rpHeatMap* map);

/// Take the distances of a tile; an rpTileFn whose context is the map. Always true.
RP_API bool rpHeatMap_AddTile(const rpTile* tile, void* map);

/// How to draw a heat map. Must come from rpDefaultHeatMapDef(). All pointers are borrowed for the call.
typedef struct rpHeatMapDef
{
	/// Longer side of the map itself in pixels, 900; the scales come to it. 100 to 4000.
	int size;

	/// Line above the picture; NULL or empty: none.
	const char* title;

	/// Names of the clips, along the vertical axis (a) and the horizontal one (b); may be NULL.
	const char* rowName;
	const char* columnName;

	/// Unit of the distances, "m"; empty or NULL: none.
	const char* unit;

	/// Cells to mark, [minimumCount].
	const rpMinimum* minima;
	int minimumCount;

	/// A path to draw, seconds in a and in b, [pathCount] each.
	const double* pathRows;
	const double* pathColumns;
	int pathCount;

	/// Distance at the upper end of the colours; 0: the greatest there is.
	float largest;
} rpHeatMapDef;

RP_API rpHeatMapDef rpDefaultHeatMapDef(void);

/// Draw it: dark where the motions are alike, times of a upwards and of b to the right, minima as rings, the path as a
/// line, a scale of the colours. The path's ending, .png or .svg, selects the format. Written beside and renamed.
RP_API RP_NODISCARD bool rpHeatMap_Draw(const rpHeatMap* map, const char* path, const rpHeatMapDef* def,
										rpError* error);

/// A model whose character the reader of a page drives.
typedef struct rpPageModel
{
	/// What the page calls it; NULL: "model".
	const char* name;

	/// A bundle, as rpCreateBundle takes it: aligned to 8 bytes. Borrowed during the call.
	const void* bytes;
	size_t size;
} rpPageModel;

/// How to make a page. Must come from rpDefaultPageDef().
typedef struct rpPageDef
{
	/// NULL: "Reprise".
	const char* title;

	/// An HTML fragment put above the viewer, trusted; <figure> elements at its top level go below it, as a
	/// gallery. May be NULL.
	const char* introduction;

	/// Models to drive, with the runtime that plays them; [modelCount], may be NULL if there are none.
	const rpPageModel* models;
	int modelCount;
} rpPageDef;

RP_API rpPageDef rpDefaultPageDef(void);

/// Write one HTML file that shows and plays the motions (orbit, scrub, speed, floor, root path, contacts), and in which
/// the characters of the definition's models are driven. There must be at least one of either; motions may be NULL if
/// count is 0. It needs nothing else and works from file://. False, and the player's error, if a model cannot be
/// played.
RP_API RP_NODISCARD bool rpWritePage(const rpMotion* const* motions, int count, const char* path, const rpPageDef* def,
									 rpError* error);

/// Draw a motion graph: its clips as bars in the colours of their labels, transitions as arcs between them. .png or
/// .svg.
RP_API RP_NODISCARD bool rpDrawGraph(const rpGraph* graph, const char* path, rpError* error);

/// Draw takes cut into movements, as Fig. 1 of Kwon & Shin 2005: the height of the centre of mass over time, phases of
/// support as coloured bands, boundaries as lines, strings below; what was dropped is red. takes are those that
/// movements were found in, with def (may be NULL) as it was then. .png or .svg.
RP_API RP_NODISCARD bool rpDrawMovements(const rpMotion* const* takes, int count, const rpMovements* movements,
										 const rpMovementDef* def, const char* path, rpError* error);

/// Draw how connectivity grows with the threshold, for each pair of labels, and what was chosen. labels are the
/// graph's.
RP_API RP_NODISCARD bool rpDrawConnectivity(const rpGraphReport* report, char* const* labels, const char* path,
											rpError* error);

/// Draw what a blend costs at every length, and what was chosen: above all of it (Fig. V.2 of Wang's thesis), below
/// each joint's part (Fig. V.6). The skeleton names the joints; title may be NULL. .png or .svg.
RP_API RP_NODISCARD bool rpDrawBlendLength(const rpBlendLength* length, const rpSkeleton* skeleton, const char* title,
										   const char* path, rpError* error);

/// Draw it from above, ahead is up: cells in the colours of their times, in each the headings as a star. The path's
/// ending, .png or .svg, selects the format. Written beside and renamed.
RP_API RP_NODISCARD bool rpDrawReach(const rpReach* reach, const char* path, rpError* error);

/// The same with colours for how many headings can be had (Heck's thesis, Fig. 6.11, has heights).
RP_API RP_NODISCARD bool rpDrawReachHeadings(const rpReach* reach, const char* path, rpError* error);

/// Draw what was found in motions: a thumbnail of each match, at most 120, nearest first, and a line to it from the
/// match that led to it. .png or .svg.
RP_API RP_NODISCARD bool rpDrawMatches(const rpMotion* const* motions, const rpMatches* matches, const char* path,
									   rpError* error);

/// A motion of a space for its picture: what was asked for, what it is, and a moment of it that shall be seen, seconds,
/// or NAN.
typedef struct rpSpaceSight
{
	float values[RP_MAX_SPACE_PARAMETERS];
	const rpMotion* motion;
	double moment;
} rpSpaceSight;

/// Draw a space: for every two parameters, at most four, a map of its examples, of the samples between them and of what
/// it covers, the darker the more of what the other parameters may be; and below it motions of the space, [count], as
/// thumbnails, their places on the maps numbered. sights may be NULL. .png or .svg.
RP_API RP_NODISCARD bool rpDrawSpace(const rpSpace* space, const rpSpaceSight* sights, int count, const char* title,
									 const char* path, rpError* error);

/// How to draw a parametric graph. Must come from rpDefaultParametricPictureDef(). Pointers are borrowed for the call.
typedef struct rpParametricPictureDef
{
	/// Line above the picture; NULL: none.
	const char* title;

	/// An edge whose boxes are drawn below the graph, -1: none.
	int edge;

	/// Of an edge whose nodes have more than one parameter each the two parameters of the target that boxes are drawn
	/// over, {0, 1}; over one of the source where the target has one alone.
	int axes[2];

	/// How range and accuracy of that edge hang on its threshold, from small to large; drawn where there are any.
	const rpParametricTrade* trades;
	int tradeCount;
} rpParametricPictureDef;

RP_API rpParametricPictureDef rpDefaultParametricPictureDef(void);

/// Draw a parametric graph: nodes, and edges with what counts as a good transition. Of one edge the boxes: over the
/// only parameter of its source as a band, else those of a few of its motions. def may be NULL. .png or .svg.
RP_API RP_NODISCARD bool rpDrawParametricGraph(const rpParametricGraph* graph, const rpParametricPictureDef* def,
											   const char* path, rpError* error);

/// How to draw a walk from above. Must come from rpDefaultPathMapDef(). Pointers are borrowed for the call.
typedef struct rpPathMapDef
{
	/// Line above the picture; NULL: the motion's name.
	const char* title;

	/// Areas that the walk was to stay out of.
	const rpForbidden* forbidden;
	int forbiddenCount;

	/// Where it was to end, and where to look; NULL: nothing of the kind was asked for.
	const rpGroundTransform* goal;

	/// Where the root is in each frame of a bare motion, [frameCount]; NULL: the motion's own frames are seen.
	const rpGroundTransform* trail;

	/// How far it is from the path, metres, on average and at most; NaN (the default): measured here, by the nearest
	/// point of the path going forward only.
	double errorMean, errorMax;
} rpPathMapDef;

RP_API rpPathMapDef rpDefaultPathMapDef(void);

/// Draw a walk seen from above, ahead (+Z) is up and the left (+X) to the left: the path that was wanted
/// (RP_WANTED_PATH, where the motion has it), the one the root took in the colours of its labels, its seams, start and
/// end over a grid of metres. .png or .svg.
RP_API RP_NODISCARD bool rpDrawPathMap(const rpMotion* motion, const char* path, const rpPathMapDef* def,
									   rpError* error);

#ifdef __cplusplus
}
#endif
