/// How alike two frames are, with the motion around them: metrics, and the grid of all pairs of two clips.
///
/// A metric is made for a skeleton; a profile is a motion as a metric sees it (resampled, markers or angles ready),
/// made once and compared with any number of others. Frame i of a profile is at i / metric->fps seconds. Beyond its
/// ends a motion is taken to stand still, so that windows are whole everywhere.
#pragma once

#include "reprise/play/motion.h"

#ifdef __cplusplus
extern "C"
{
#endif

typedef enum rpMetricKind
{
	/// Distance of point clouds, one of them moved on the floor to fit best: Kovar, Gleicher & Pighin 2002, eq. 4.1-4.4
	/// of Kovar's thesis.
	rp_metricCloud,
	/// Weighted angles and angular velocities of the joints: Lee et al. 2002, eq. IV.1-IV.4 of Wang's thesis.
	rp_metricAngle,
	rp_metricKindCount,
} rpMetricKind;

typedef enum rpWindowShape
{
	rp_windowTriangle,
	rp_windowBox,
	rp_windowGauss,
	rp_windowShapeCount,
} rpWindowShape;

/// A point rigidly attached to a joint.
typedef struct rpMarker
{
	int joint;
	rpVec3 offset;
	float weight;
} rpMarker;

/// Joint weights by name: Lee's subset, and those that Wang & Bodenheimer found best.
typedef enum rpAngleWeights
{
	/// Hips, knees, shoulders, elbows, pelvis and spine, all 1 (Lee et al. 2002).
	rp_weightsLee,
	/// Hips 1, knees 0.0901, shoulders 0.7884, elbows 0.0247, all else 0 (Wang & Bodenheimer 2003).
	rp_weightsWang,
	/// Every joint 1.
	rp_weightsEven,
	rp_angleWeightsCount,
} rpAngleWeights;

/// What a metric is made of. Must come from rpDefaultMetricDef(). All pointers are borrowed for the call.
typedef struct rpMetricDef
{
	rpMetricKind kind;

	/// Frames per second that clips are compared at, 30.
	double fps;

	/// Length of the window in seconds, 0.5: at 30 Hz 15 frames, L = 7 on either side. 0: a single frame. Angles have
	/// no window; there it only keeps minima off the ends of the clips and off the diagonal.
	double window;

	/// Clouds: weights of the window's frames, the triangle's L + 1 in the middle down to 1 at both ends.
	rpWindowShape shape;

	/// Clouds: markers, at most 3 per joint; NULL: one at every joint, equal weights. Weights are made to sum to 1.
	const rpMarker* markers;
	int markerCount;

	/// Clouds: compare where the motions are, without alignment, for motions tied to a place.
	bool placed;

	/// Angles: weights by name, or one for each joint ([jointCount], not negative) which overrules the name. The root's
	/// is not read: tiltWeight is its own.
	rpAngleWeights weights;
	const float* jointWeights;

	/// Angles: nu, weight of squared angular velocity against squared angle, s²; 1/900, which is 1 for velocities in
	/// radians per frame at 30 Hz, as Wang has it. And weights of the root's height (1/m², 1), of its tilt, which is
	/// its orientation without heading (1/rad², 1), and of its velocity in the facing frame (s²/m², 0.1). Its place and
	/// heading do not count.
	float velocityWeight;
	float heightWeight, tiltWeight, travelWeight;
} rpMetricDef;

typedef struct rpMetric rpMetric;
typedef struct rpProfile rpProfile;

RP_API rpMetricDef rpDefaultMetricDef(void);

/// error may be NULL. NULL when the definition is wrong or memory ran out; free with rpDestroyMetric.
RP_API RP_NODISCARD rpMetric* rpCreateMetric(const rpSkeleton* skeleton, const rpMetricDef* def, rpError* error);
RP_API void rpDestroyMetric(rpMetric* metric);

/// Frames per second; frames on either side of the middle of the window, L.
RP_API double rpMetric_GetRate(const rpMetric* metric);
RP_API int rpMetric_GetHalfWindow(const rpMetric* metric);

/// See a motion with a metric. NULL for another skeleton (rpSkeleton_Matches), for a motion with numbers that are not
/// finite, or when memory ran out; free with rpDestroyProfile. Neither metric nor motion need outlive it.
RP_API RP_NODISCARD rpProfile* rpCreateProfile(const rpMetric* metric, const rpMotion* motion, rpError* error);
RP_API void rpDestroyProfile(rpProfile* profile);
RP_API int rpProfile_GetFrameCount(const rpProfile* profile);

/// The distance of frame i of a from frame j of b: metres (the root of D) for clouds, the root of the weighted sum for
/// angles. alignment, which may be NULL, takes b's frame to a's: the best for clouds, that of the roots for angles.
/// The direct formula in double precision.
RP_API double rpMetric_Distance(const rpMetric* metric, const rpProfile* a, int i, const rpProfile* b, int j,
								rpGroundTransform* alignment);

/// A part of a grid: distances of frames row … row+rowCount-1 of a and column … of b.
typedef struct rpTile
{
	int row, column, rowCount, columnCount;

	/// Distance of (row + r, column + c) is values[r * stride + c].
	const float* values;
	int stride;
} rpTile;

/// Called with each tile, one at a time and from the caller's thread, tiles of one band of rows after another, left to
/// right. Return false to stop.
typedef bool rpTileFn(const rpTile* tile, void* context);

/// How to visit a grid. Must come from rpDefaultGridDef().
typedef struct rpGridDef
{
	/// Distances, or NULL.
	rpTileFn* visit;
	void* visitContext;

	/// Called now and then; may be NULL.
	rpProgressFn* progress;
	void* progressContext;

	/// 0: all cores.
	int threads;
} rpGridDef;

RP_API rpGridDef rpDefaultGridDef(void);

/// All distances of two profiles, tile by tile; memory does not grow with the clips. The same bytes for any number of
/// threads. error may be NULL. False when stopped or out of memory.
RP_API RP_NODISCARD bool rpMetric_VisitGrid(const rpMetric* metric, const rpProfile* a, const rpProfile* b,
											const rpGridDef* def, rpError* error);

/// All distances of two profiles into out, [frames of a * frames of b], row by row.
RP_API RP_NODISCARD bool rpMetric_FillGrid(const rpMetric* metric, const rpProfile* a, const rpProfile* b, float* out,
										   rpError* error);

/// A local minimum of a grid: not above any of its eight neighbours (of equal ones the first, by i, then j).
typedef struct rpMinimum
{
	int i, j;
	float distance;

	/// Takes frame j of b onto frame i of a.
	rpGroundTransform alignment;
} rpMinimum;

/// Owned by the caller; zero-initialised is empty.
typedef struct rpMinima
{
	rpMinimum* items;
	int count, capacity;
} rpMinima;

RP_API void rpMinima_Free(rpMinima* minima);

/// Add the local minima under a threshold, ordered by i, then j. Frames nearer than L to an end are left out; where
/// a and b are one profile, only i < j is looked at, and the band within one window of the diagonal is left out.
/// def may be NULL; its visit is called as well, if there is one, and then with all of the grid.
RP_API RP_NODISCARD bool rpMetric_FindMinima(const rpMetric* metric, const rpProfile* a, const rpProfile* b,
											 float threshold, const rpGridDef* def, rpMinima* out, rpError* error);

#ifdef __cplusplus
}
#endif
