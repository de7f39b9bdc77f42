/// A motion as clouds of markers: a smooth track on the floor, the markers about it, and what the closed form needs to
/// know of every window.
#include "base/memory.h"
#include "distance/metric.h"

#include <math.h>

// The track's smoothing, as a part of the window: the smoother, the fewer degrees of the mean's terms count, the
// farther the markers are from it.
#define TRACK_SMOOTHING 2.5
#define MIN_SMOOTHING 0.2

// Metres from the track, squared, times the precision of a float is what distances lose: this keeps it below 1e-6 m².
#define FARTHEST_TRACK 2.0

static bool allocate(const rpMetric* metric, rpProfile* profile, rpError* error)
{
	size_t frames = (size_t)profile->spanCount, count = rpCountRowFloats(profile->markerCount, profile->stride);
	size_t forms = rpCountRowFloats(1, profile->formStride), terms = (size_t)rpCloud_CountTerms(metric);
	size_t termForms = rpCountRowFloats((int)terms, profile->formStride), means = metric->placed ? forms : 1;
	profile->trackX = rpAllocate(frames, sizeof(double), error);
	profile->trackZ = rpAllocate(frames, sizeof(double), error);
	profile->x = rpAllocateZero(count, sizeof(float), error);
	profile->y = rpAllocateZero(count, sizeof(float), error);
	profile->z = rpAllocateZero(count, sizeof(float), error);
	profile->bases = rpAllocateZero(forms, sizeof(float), error);
	profile->meanTermsX = rpAllocateZero(termForms, sizeof(float), error);
	profile->meanTermsZ = rpAllocateZero(termForms, sizeof(float), error);
	profile->meanPeaks = rpAllocateZero(terms, sizeof(double), error);
	profile->trackPeaks = rpAllocateZero(terms, sizeof(double), error);
	profile->meansX = rpAllocateZero(means, sizeof(float), error);
	profile->meansZ = rpAllocateZero(means, sizeof(float), error);
	return profile->trackX != NULL && profile->trackZ != NULL && profile->x != NULL && profile->y != NULL &&
		   profile->z != NULL && profile->bases != NULL && profile->meanTermsX != NULL && profile->meanTermsZ != NULL &&
		   profile->meanPeaks != NULL && profile->trackPeaks != NULL && profile->meansX != NULL &&
		   profile->meansZ != NULL;
}

/// What is needed while a profile is made, [spanCount] each: where the markers' mean is; and their sum of squares.
typedef struct Means
{
	double *x, *z, *squares;
} Means;

static bool allocateMeans(const rpProfile* profile, Means* means, rpError* error)
{
	means->x = rpAllocate((size_t)profile->spanCount, sizeof(double), error);
	means->z = rpAllocate((size_t)profile->spanCount, sizeof(double), error);
	means->squares = rpAllocate((size_t)profile->spanCount, sizeof(double), error);
	return means->x != NULL && means->z != NULL && means->squares != NULL;
}

static void freeMeans(Means* means)
{
	rpFree(means->x);
	rpFree(means->z);
	rpFree(means->squares);
}

// The markers of one frame from its root's place on the floor, and where their mean is.
static void placeMarkers(const rpMetric* metric, rpProfile* profile, int frame, const rpTransform* joints, rpVec3 root,
						 Means* means)
{
	size_t at = (size_t)profile->margin + (size_t)frame;
	means->x[at] = root.x;
	means->z[at] = root.z;
	for (int m = 0; m < metric->markerCount; ++m)
	{
		const rpMarker* marker = metric->markers + m;
		size_t k = (size_t)m * (size_t)profile->stride + at;
		rpVec3 place = rpTransformPoint(joints[marker->joint], marker->offset);
		means->x[at] += metric->shares[m] * place.x;
		means->z[at] += metric->shares[m] * place.z;
		profile->x[k] = place.x;
		profile->y[k] = place.y - metric->heights[m];
		profile->z[k] = place.z;
	}
}

static bool placeAll(const rpMetric* metric, rpProfile* profile, rpMotion* motion, Means* means, rpError* error)
{
	rpTransform* joints = rpAllocate((size_t)metric->skeleton->jointCount, sizeof(rpTransform), error);
	for (int frame = 0; joints != NULL && frame < motion->frameCount; ++frame)
	{
		// From a root at the origin, so that nothing is lost to large coordinates.
		rpVec3 root = motion->rootPositions[frame];
		motion->rootPositions[frame] = (rpVec3){0.0f, root.y, 0.0f};
		rpMotion_Forward(motion, frame, joints);
		placeMarkers(metric, profile, frame, joints, root, means);
		motion->rootPositions[frame] = root;
	}
	rpFree(joints);
	return joints != NULL;
}

// From places about the root to such about the track. Beyond its ends a motion stands still; its track goes on.
static void moveFrame(rpProfile* profile, const rpMotion* motion, int at)
{
	int last = profile->frameCount - 1, frame = at - profile->margin;
	frame = frame < 0 ? 0 : frame > last ? last : frame;
	double dx = motion->rootPositions[frame].x - profile->trackX[at];
	double dz = motion->rootPositions[frame].z - profile->trackZ[at];
	for (int m = 0; m < profile->markerCount; ++m)
	{
		size_t row = (size_t)m * (size_t)profile->stride;
		size_t from = row + (size_t)(profile->margin + frame), to = row + (size_t)at;
		profile->x[to] = (float)(profile->x[from] + dx);
		profile->y[to] = profile->y[from];
		profile->z[to] = (float)(profile->z[from] + dz);
	}
}

static void moveMarkers(rpProfile* profile, const rpMotion* motion)
{
	// The frames beyond the ends first: they need the ends as they are.
	int end = profile->margin + profile->frameCount;
	for (int i = 0; i < profile->margin; ++i)
	{
		moveFrame(profile, motion, i);
		moveFrame(profile, motion, end + i);
	}
	for (int at = profile->margin; at < end; ++at)
	{
		moveFrame(profile, motion, at);
	}
}

// The markers' mean and their sum of squares about it, of the very floats that the grid multiplies.
static void weighFrame(const rpMetric* metric, const rpProfile* profile, int at, Means* means)
{
	double x = 0.0, z = 0.0, squares = 0.0;
	for (int m = 0; m < metric->markerCount; ++m)
	{
		size_t k = (size_t)m * (size_t)profile->stride + (size_t)at;
		x += metric->shares[m] * profile->x[k];
		z += metric->shares[m] * profile->z[k];
	}
	for (int m = 0; m < metric->markerCount; ++m)
	{
		size_t k = (size_t)m * (size_t)profile->stride + (size_t)at;
		double dx = profile->x[k] - x, y = profile->y[k], dz = profile->z[k] - z;
		squares += metric->shares[m] * (dx * dx + y * y + dz * dz);
	}
	means->x[at] = profile->trackX[at] + x;
	means->z[at] = profile->trackZ[at] + z;
	means->squares[at] = squares;
}

// What the closed form needs to know of a window.
static void formWindow(const rpMetric* metric, rpProfile* profile, int frame, const Means* means)
{
	double meanX = 0.0, meanZ = 0.0, base = 0.0;
	for (int r = 0; r <= 2 * metric->halfWindow; ++r)
	{
		meanX += metric->window[r] * means->x[frame + r];
		meanZ += metric->window[r] * means->z[frame + r];
		base += metric->window[r] * means->squares[frame + r];
	}
	for (int r = 0; r <= 2 * metric->halfWindow; ++r)
	{
		double x = means->x[frame + r] - meanX, z = means->z[frame + r] - meanZ;
		base += metric->window[r] * (x * x + z * z);
	}
	profile->bases[frame] = (float)(metric->gridScale * base);
	if (metric->placed)
	{
		profile->meansX[frame] = (float)meanX;
		profile->meansZ[frame] = (float)meanZ;
	}
	rpCloud_FollowMean(metric, profile, frame, means->x, means->z);
}

// How far the mean is from the track at most.
static double measureTrack(const rpProfile* profile, const Means* means)
{
	double farthest = 0.0;
	for (int at = profile->margin; at < profile->margin + profile->frameCount; ++at)
	{
		farthest = fmax(farthest, hypot(means->x[at] - profile->trackX[at], means->z[at] - profile->trackZ[at]));
	}
	return farthest;
}

static bool layTrack(const rpMetric* metric, rpProfile* profile, const Means* means, rpError* error)
{
	int window = 2 * metric->halfWindow + 1, count = profile->frameCount, margin = profile->margin;
	double deviation = TRACK_SMOOTHING * window;
	bool done = true, near = false;
	while (done && !near)
	{
		done = rpSmoothTrack(means->x + margin, count, deviation, margin, profile->trackX, error) &&
			   rpSmoothTrack(means->z + margin, count, deviation, margin, profile->trackZ, error);
		near = done && (measureTrack(profile, means) < FARTHEST_TRACK || deviation < MIN_SMOOTHING * window);
		deviation *= 0.5;
	}
	return done;
}

bool rpCloud_See(const rpMetric* metric, rpProfile* profile, rpMotion* motion, rpError* error)
{
	profile->frameCount = motion->frameCount;
	profile->margin = metric->halfWindow;
	profile->spanCount = profile->frameCount + 2 * profile->margin;
	profile->stride = profile->spanCount;
	profile->formStride = profile->frameCount;
	profile->markerCount = metric->markerCount;
	Means means = {0};
	bool done = allocate(metric, profile, error) && allocateMeans(profile, &means, error) &&
				placeAll(metric, profile, motion, &means, error) && layTrack(metric, profile, &means, error);
	if (done)
	{
		moveMarkers(profile, motion);
		for (int at = 0; at < profile->spanCount; ++at)
		{
			weighFrame(metric, profile, at, &means);
		}
		for (int frame = 0; frame < profile->frameCount; ++frame)
		{
			formWindow(metric, profile, frame, &means);
		}
	}
	freeMeans(&means);
	return done;
}
