/// Takes in two parts: the path over the floor, and what the body does along it. Kovar & Gleicher 2003 lay motions on
/// one another by an alignment curve before they blend them; with the path taken out, motions lie on one another.
#include "base/error.h"
#include "base/memory.h"
#include "build/locomotion_build.h"
#include "model/clip_chunks.h"
#include "reprise/play/feet.h"

#include <math.h>
#include <string.h>

// Deviation of the smoothing, seconds: about half of a half cycle, so that sway and the turning of the pelvis stay with
// the body, and the path is smooth.
#define SMOOTHING 0.25

// How far the smoothing reaches, in deviations.
#define REACH 3.0

// Beyond the ends values go on as their point reflection in the end, which keeps velocity.
static double getBeyond(const double* values, int count, int i)
{
	int last = count - 1;
	if (i < 0)
	{
		return 2.0 * values[0] - values[-i < last ? -i : last];
	}
	if (i > last)
	{
		int mirrored = 2 * last - i;
		return 2.0 * values[last] - values[mirrored > 0 ? mirrored : 0];
	}
	return values[i];
}

static double smoothAt(const double* values, int count, int frame, const double* kernel, int reach)
{
	double sum = kernel[0] * values[frame];
	for (int k = 1; k <= reach; ++k)
	{
		sum += kernel[k] * (getBeyond(values, count, frame - k) + getBeyond(values, count, frame + k));
	}
	return sum;
}

static double* makeKernel(double fps, int* reach, rpError* error)
{
	*reach = (int)ceil(REACH * SMOOTHING * fps);
	double* kernel = rpAllocate((size_t)*reach + 1, sizeof(double), error);
	if (kernel == NULL)
	{
		return NULL;
	}
	double sum = 0.0;
	for (int k = 0; k <= *reach; ++k)
	{
		double t = k / (SMOOTHING * fps);
		kernel[k] = exp(-0.5 * t * t);
		sum += k == 0 ? kernel[k] : 2.0 * kernel[k];
	}
	for (int k = 0; k <= *reach; ++k)
	{
		kernel[k] /= sum;
	}
	return kernel;
}

/// x, z and heading of the root, frame by frame.
typedef struct RootPath
{
	double* values[3];
} RootPath;

static bool readPath(const rpMotion* take, RootPath* path, rpError* error)
{
	size_t frameCount = (size_t)take->frameCount;
	path->values[0] = rpAllocate(3 * frameCount, sizeof(double), error);
	if (path->values[0] == NULL)
	{
		return false;
	}
	path->values[1] = path->values[0] + frameCount;
	path->values[2] = path->values[1] + frameCount;
	for (int i = 0; i < take->frameCount; ++i)
	{
		double heading = (double)rpHeading(rpMotion_GetRotations(take, i)[0]);
		double before = i > 0 ? path->values[2][i - 1] : heading;
		path->values[0][i] = (double)take->rootPositions[i].x;
		path->values[1][i] = (double)take->rootPositions[i].z;
		path->values[2][i] = before + (double)rpWrapAngle((float)(heading - before));
	}
	return true;
}

// All three smoothed, in place of what they were.
static bool smoothPath(const rpMotion* take, RootPath* path, rpError* error)
{
	int reach, count = take->frameCount;
	double* kernel = makeKernel(take->fps, &reach, error);
	double* smooth = kernel != NULL ? rpAllocate((size_t)count, sizeof(double), error) : NULL;
	for (int k = 0; k < 3 && smooth != NULL; ++k)
	{
		for (int i = 0; i < count; ++i)
		{
			smooth[i] = smoothAt(path->values[k], count, i, kernel, reach);
		}
		memcpy(path->values[k], smooth, (size_t)count * sizeof(double));
	}
	bool done = smooth != NULL;
	rpFree(smooth);
	rpFree(kernel);
	return done;
}

// Central differences, one-sided at the ends, in the frame's own axes.
static rpGroundRate getRate(const rpMotion* take, const RootPath* path, int frame)
{
	int before = frame > 0 ? frame - 1 : frame, after = frame + 1 < take->frameCount ? frame + 1 : frame;
	double scale = after > before ? take->fps / (after - before) : 0.0;
	double x = scale * (path->values[0][after] - path->values[0][before]);
	double z = scale * (path->values[1][after] - path->values[1][before]);
	double c = cos(path->values[2][frame]), s = sin(path->values[2][frame]);
	return (rpGroundRate){(float)(c * x - s * z), (float)(s * x + c * z),
						  (float)(scale * (path->values[2][after] - path->values[2][before]))};
}

// The height of a take's floor as its player will find it: by the contacts as they are in the bundle.
static bool findFloor(const rpMotion* take, float* out, rpError* error)
{
	rpClipContact* contacts = rpAllocate((size_t)take->annotations.intervalCount, sizeof(rpClipContact), error);
	int count = 0;
	for (int i = 0; contacts != NULL && i < take->annotations.intervalCount; ++i)
	{
		const rpInterval* interval = &take->annotations.intervals[i];
		if (interval->track == rp_trackContact)
		{
			contacts[count++] = (rpClipContact){(float)interval->start, (float)interval->end, interval->supportHeight,
												(int32_t)interval->effector};
		}
	}
	*out = contacts != NULL ? rpFindFloorHeight(contacts, count) : 0.0f;
	rpFree(contacts);
	return contacts != NULL;
}

static void makeLocal(rpMotion* local, const RootPath* path, float floor)
{
	int jointCount = local->skeleton->jointCount;
	for (int i = 0; i < local->frameCount; ++i)
	{
		float heading = (float)remainder(path->values[2][i], 2.0 * RP_PI);
		rpGroundTransform ground = {heading, {(float)path->values[0][i], floor, (float)path->values[1][i]}};
		rpQuat* root = local->rotations + (size_t)i * (size_t)jointCount;
		local->rootPositions[i] = rpGroundTransform_Apply(rpGroundTransform_Invert(ground), local->rootPositions[i]);
		*root = rpNormalizeQuat(rpMulQuat(rpYaw(-heading), *root));
	}
	rpMotion_FixHemispheres(local);
}

// A copy whose feet stand still on their supports: what is blended from takes whose feet slide, slides, and a mirror
// image has the lengths of the other leg.
static rpMotion* settleFeet(const rpMotion* take, rpError* error)
{
	rpMotion* local = rpCopyMotion(take, error);
	rpError why = {0};
	if (local == NULL)
	{
		return NULL;
	}
	// A body without legs has nothing to settle.
	if (!rpLockFeet(local, NULL, NULL, &why) && why.code == rp_errorMemory)
	{
		rpFail(error, rp_errorMemory, "no memory to lock the feet of \"%.80s\"", take->name);
		rpDestroyMotion(local);
		return NULL;
	}
	return local;
}

rpMotion* rpSplitTake(const rpMotion* take, rpGroundRate* rates, rpError* error)
{
	RootPath path = {0};
	rpMotion* local = settleFeet(take, error);
	float floor = 0.0f;
	if (local != NULL && findFloor(local, &floor, error) && readPath(local, &path, error) &&
		smoothPath(local, &path, error))
	{
		for (int i = 0; i < take->frameCount; ++i)
		{
			rates[i] = getRate(local, &path, i);
		}
		makeLocal(local, &path, floor);
	}
	else
	{
		rpDestroyMotion(local);
		local = NULL;
	}
	rpFree(path.values[0]);
	return local;
}
