/// Follows heels and balls. The noise is white and the foot is at rest for much of the time, so the smaller half of the
/// third differences is noise; it decides how far the smoothing reaches. Velocities are the slopes of straight lines
/// fitted to a window to both sides (Savitzky & Golay 1964), so nothing is delayed.
#include "analysis/foot_track.h"

#include "base/error.h"
#include "base/memory.h"

// How far smoothing reaches to both sides, seconds: at least, and at most, where the noise asks for it.
#define MIN_HALF_WINDOW 0.017
#define MAX_HALF_WINDOW 0.05
// The noise of a speed that is good enough, m/s.
#define SPEED_NOISE 0.035
// Around a moment, this far to both sides the fastest movement is looked for, seconds.
#define PEAK_TIME 0.5
// Around a moment, this far to both sides, seconds, the foot is down that is not higher above the lowest than this,
// metres; its usual speed is this quantile.
#define SLIDE_TIME 1.0
#define DOWN_QUANTILE 0.1
#define DOWN_HEIGHT 0.03f
#define SLIDE_QUANTILE 0.4
// Of the sorted third differences, the part that is taken for noise, and the deviation of a normal variable there.
#define NOISE_QUANTILE 0.3
#define NOISE_DEVIATION 0.385
// The third difference of white noise has this many times its deviation: √(1 + 9 + 9 + 1).
#define THIRD_GAIN 4.472

const rpEffector rp_footPoints[rp_footTrackCount] = {rp_leftHeel,  rp_leftBall, rp_rightHeel,
													 rp_rightBall, rp_leftToe,  rp_rightToe};

static bool allocate(rpFeet* feet, rpError* error)
{
	size_t count = (size_t)feet->frameCount, perTrack = count * (2 * sizeof(rpVec3) + 2 * sizeof(float));
	char* memory = rpAllocateZero(1, rp_footTrackCount * perTrack + 4 * count * sizeof(float), error);
	feet->memory = memory;
	feet->scratch = memory != NULL ? (float*)(void*)(memory + rp_footTrackCount * perTrack) : NULL;
	feet->slides = memory != NULL ? feet->scratch + 3 * count : NULL;
	for (int i = 0; memory != NULL && i < rp_footTrackCount; ++i)
	{
		rpFootTrack* track = feet->tracks + i;
		track->effector = rp_footPoints[i];
		track->places = (rpVec3*)(void*)(memory + (size_t)i * perTrack);
		track->smooth = track->places + count;
		track->speeds = (float*)(void*)(track->smooth + count);
		track->peaks = track->speeds + count;
	}
	return memory != NULL;
}

static void placePoints(rpFeet* feet, const rpMotion* motion)
{
	rpTransform pose[RP_MAX_JOINTS];
	for (int frame = 0; frame < motion->frameCount; ++frame)
	{
		rpMotion_Forward(motion, frame, pose);
		for (int i = 0; i < rp_footTrackCount; ++i)
		{
			rpAttachment at = motion->skeleton->effectors[rp_footPoints[i]];
			feet->tracks[i].places[frame] = rpTransformPoint(pose[at.joint], at.offset);
		}
	}
}

// The shape of the feet in the rest pose.
static void measureOffsets(rpFeet* feet, const rpSkeleton* skeleton)
{
	rpTransform rest[RP_MAX_JOINTS];
	rpSkeleton_GetRest(skeleton, rest);
	for (int i = 0; i < rp_footTrackCount; ++i)
	{
		int side = rpGetFootSide(i);
		rpAttachment at = skeleton->effectors[rp_footPoints[i]];
		rpAttachment ball = skeleton->effectors[rp_footPoints[rpGetFootTrack(side, rp_footBall)]];
		feet->offsets[side][rpGetFootPart(i)] =
			rpTransformPoint(rest[at.joint], at.offset).y - rpTransformPoint(rest[ball.joint], ball.offset).y;
	}
}

// The first frame with a place that is no place, -1 if there is none.
static int findBadFrame(const rpFeet* feet)
{
	for (int frame = 0; frame < feet->frameCount; ++frame)
	{
		for (int i = 0; i < rp_footTrackCount; ++i)
		{
			rpVec3 p = feet->tracks[i].places[frame];
			if (!isfinite(p.x) || !isfinite(p.y) || !isfinite(p.z))
			{
				return frame;
			}
		}
	}
	return -1;
}

static void swapFloats(float* a, float* b)
{
	float c = *a;
	*a = *b;
	*b = c;
}

// Hoare's selection: what belongs at `index` gets there.
static float selectFloat(float* values, int count, int index)
{
	int first = 0, last = count - 1;
	while (first < last)
	{
		float pivot = values[first + (last - first) / 2];
		int i = first, k = last;
		while (i <= k)
		{
			while (values[i] < pivot)
			{
				++i;
			}
			while (values[k] > pivot)
			{
				--k;
			}
			if (i <= k)
			{
				swapFloats(values + i++, values + k--);
			}
		}
		last = index <= k ? k : last;
		first = index >= i ? i : first;
		if (index > k && index < i)
		{
			break;
		}
	}
	return values[index];
}

float rpTakeQuantile(float* values, int count, double part)
{
	return count > 0 ? selectFloat(values, count, (int)(part * (count - 1))) : 0.0f;
}

static rpVec3 getThirdDifference(const rpVec3* p)
{
	return rpAdd(rpSub(p[3], p[0]), rpScale(3.0f, rpSub(p[1], p[2])));
}

// The noise of a track's coordinates; scratch is [3 * frameCount].
static float measureNoise(const rpFootTrack* track, int frameCount, float* scratch)
{
	int count = 0;
	for (int i = 0; i + 3 < frameCount; ++i)
	{
		rpVec3 d = getThirdDifference(track->places + i);
		scratch[count++] = fabsf(d.x);
		scratch[count++] = fabsf(d.y);
		scratch[count++] = fabsf(d.z);
	}
	return rpTakeQuantile(scratch, count, NOISE_QUANTILE) / (float)(NOISE_DEVIATION * THIRD_GAIN);
}

// The deviation of a slope fitted to 2 halfWindow + 1 places.
static double getSlopeNoise(const rpFeet* feet, int halfWindow)
{
	double sum = 0.0;
	for (int k = 1; k <= halfWindow; ++k)
	{
		sum += 2.0 * k * k;
	}
	return (double)feet->noise * feet->fps / sqrt(sum);
}

float rpFeet_GetSpeedNoise(const rpFeet* feet)
{
	return (float)getSlopeNoise(feet, feet->halfWindow);
}

static int chooseHalfWindow(const rpFeet* feet)
{
	int halfWindow = (int)fmax(round(MIN_HALF_WINDOW * feet->fps), 1.0),
		max = (int)fmax(round(MAX_HALF_WINDOW * feet->fps), 1.0);
	while (halfWindow < max && getSlopeNoise(feet, halfWindow) > SPEED_NOISE)
	{
		++halfWindow;
	}
	return halfWindow;
}

// A straight line fitted to a window: its middle and its slope.
static void smoothTrack(const rpFeet* feet, rpFootTrack* track)
{
	for (int i = 0; i < feet->frameCount; ++i)
	{
		int first = i - feet->halfWindow < 0 ? 0 : i - feet->halfWindow;
		int last = i + feet->halfWindow >= feet->frameCount ? feet->frameCount - 1 : i + feet->halfWindow;
		float n = (float)(last - first + 1), middle = 0.5f * (float)(first + last), square = 0.0f;
		rpVec3 sum = rpVec3_zero, slope = rpVec3_zero;
		for (int k = first; k <= last; ++k)
		{
			float x = (float)k - middle;
			rpVec3 p = rpSub(track->places[k], track->places[i]);
			sum = rpAdd(sum, p);
			slope = rpMulAdd(slope, x, p);
			square += x * x;
		}
		slope = square > 0.0f ? rpScale(1.0f / square, slope) : rpVec3_zero;
		track->smooth[i] = rpAdd(track->places[i], rpMulAdd(rpScale(1.0f / n, sum), (float)i - middle, slope));
		track->speeds[i] = rpLength(slope) * (float)feet->fps;
	}
}

// The largest speed around each frame. Windows of a second are few frames; a plain scan would be slow at 240 Hz, so
// the largest of blocks are taken first.
static void findPeaks(const rpFeet* feet, rpFootTrack* track)
{
	int halfWindow = (int)ceil(PEAK_TIME * feet->fps), step = (int)fmax(PEAK_TIME * feet->fps / 16.0, 1.0);
	for (int i = 0; i < feet->frameCount; i += step)
	{
		float peak = 0.0f;
		int last = i + halfWindow < feet->frameCount ? i + halfWindow : feet->frameCount - 1;
		for (int k = i > halfWindow ? i - halfWindow : 0; k <= last; ++k)
		{
			peak = fmaxf(peak, track->speeds[k]);
		}
		for (int k = i; k < i + step && k < feet->frameCount; ++k)
		{
			track->peaks[k] = peak;
		}
	}
}

static int findLowest(const rpFeet* feet, int frame)
{
	int lowest = 0;
	for (int i = 1; i < rp_footPointCount; ++i)
	{
		lowest = feet->tracks[i].smooth[frame].y < feet->tracks[lowest].smooth[frame].y ? i : lowest;
	}
	return lowest;
}

// The speed that is usual for the lowest point in frames first … last while it is down.
static float measureSlide(const rpFeet* feet, int first, int last)
{
	float* values = feet->scratch;
	int count = 0, downCount = 0;
	for (int i = first; i <= last; ++i)
	{
		values[count++] = feet->tracks[findLowest(feet, i)].smooth[i].y;
	}
	float down = rpTakeQuantile(values, count, DOWN_QUANTILE) + DOWN_HEIGHT;
	for (int i = first; i <= last; ++i)
	{
		const rpFootTrack* track = feet->tracks + findLowest(feet, i);
		if (track->smooth[i].y < down)
		{
			values[downCount++] = track->speeds[i];
		}
	}
	return rpTakeQuantile(values, downCount, SLIDE_QUANTILE);
}

static void measureSlides(rpFeet* feet)
{
	int halfWindow = (int)ceil(SLIDE_TIME * feet->fps), step = (int)fmax(0.25 * SLIDE_TIME * feet->fps, 1.0);
	for (int i = 0; i < feet->frameCount; i += step)
	{
		int first = i > halfWindow ? i - halfWindow : 0,
			last = i + halfWindow < feet->frameCount ? i + halfWindow : feet->frameCount - 1;
		float slide = measureSlide(feet, first, last);
		for (int k = i; k < i + step && k < feet->frameCount; ++k)
		{
			feet->slides[k] = slide;
		}
	}
}

bool rpFeet_Follow(rpFeet* feet, const rpMotion* motion, rpError* error)
{
	*feet = (rpFeet){.fps = motion->fps, .frameCount = motion->frameCount};
	for (int i = 0; i < rp_footTrackCount; ++i)
	{
		if (motion->skeleton->effectors[rp_footPoints[i]].joint < 0)
		{
			rpFail(error, rp_errorArgument, "\"%.60s\" has no feet: the joints of both ankles are not known",
				   motion->name);
			rpError_SetHint(error, "give the joints their roles: left_ankle, right_ankle");
			return false;
		}
	}
	if (!allocate(feet, error))
	{
		return false;
	}
	placePoints(feet, motion);
	int bad = findBadFrame(feet);
	if (bad >= 0)
	{
		rpFeet_Free(feet);
		return rpFail(error, rp_errorArgument, "frame %d of \"%.60s\" holds numbers that are not finite", bad,
					  motion->name);
	}
	for (int i = 0; i < rp_footPointCount; ++i)
	{
		feet->noise += measureNoise(feet->tracks + i, feet->frameCount, feet->scratch) / rp_footPointCount;
	}
	feet->halfWindow = chooseHalfWindow(feet);
	feet->sole = motion->skeleton->soleHeight;
	measureOffsets(feet, motion->skeleton);
	for (int i = 0; i < rp_footTrackCount; ++i)
	{
		smoothTrack(feet, feet->tracks + i);
		findPeaks(feet, feet->tracks + i);
	}
	measureSlides(feet);
	return true;
}

void rpFeet_Free(rpFeet* feet)
{
	rpFree(feet->memory);
	feet->memory = NULL;
}
