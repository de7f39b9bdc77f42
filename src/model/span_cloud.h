/// How alike two spans are around a moment of each, as a metric of clouds sees them (Kovar's thesis, eq. 4.1-4.4;
/// Heck's, 3.2-3.5): what the grid computes for whole motions, frame by frame for spans that are played.
#pragma once

#include "reprise/play/parametric_graph.h"
#include "timeline/span.h"

/// What is seen. What is pointed to is borrowed.
typedef struct rpSpanCloud
{
	const rpSkeleton* skeleton;
	const rpParametricMarker* markers;
	int markerCount;

	/// [2 * halfWindow + 1], frames of `step` seconds.
	const float* window;
	int halfWindow;
	double step;

	/// Scratch: [jointCount], [2 * jointCount].
	rpQuat* rotations;
	rpTransform* world;
} rpSpanCloud;

/// A moment of a span, seconds from its start; where the root is there on the floor, at the height of what bears the
/// body.
typedef struct rpSpanMoment
{
	const rpSpan* span;
	double seconds;
	rpVec3 origin;
} rpSpanMoment;

/// bearing is the moment at which what bears it is looked for: all moments around one end of a motion have the same.
rpSpanMoment rpSpan_GetMoment(const rpSpan* span, double seconds, double bearing);

/// Weighted sums over the frames that were added, of places from the moments' origins: of the places
/// themselves, xx' + zz', xz' - zx', x² + z² + x'² + z'² and (y - y')².
typedef struct rpCloudSums
{
	double x, z, x2, z2;
	double along, across, floor, height;
} rpCloudSums;

/// Add a frame of the window, 0 to 2 * halfWindow, of two moments.
void rpSpanCloud_Add(const rpSpanCloud* cloud, const rpSpanMoment* a, const rpSpanMoment* b, int frame,
					 rpCloudSums* sums);

/// The distance, metres, once all frames were added; and what takes b onto a, heights included. alignment may be NULL.
float rpSpanCloud_Finish(const rpSpanMoment* a, const rpSpanMoment* b, const rpCloudSums* sums,
						 rpGroundTransform* alignment);

/// Both at once.
float rpSpanCloud_Compare(const rpSpanCloud* cloud, const rpSpanMoment* a, const rpSpanMoment* b,
						  rpGroundTransform* alignment);

/// The height of what feet rest on at a moment of a span or, where none does, at the nearest moment before or after it
/// at which one does; that of the span's placement where none ever does, and where they differ by less than a step:
/// heights at which captured feet rest differ by a centimetre or two from each other, which would add up from motion to
/// motion.
float rpSpan_FindSupport(const rpSpan* span, double seconds);
