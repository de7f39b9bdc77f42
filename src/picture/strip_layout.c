/// Laying out a film strip. A motion that travels is shown along its path, from the side on which its figures hide one
/// another least; one that stays, turns back on itself or goes very far is shown side by side.
#include "picture/strip_layout.h"

#include "base/error.h"
#include "base/memory.h"

// Distance between figures along a path, as part of the stature: not near half a stride, where all would look alike.
#define PATH_SPACING 0.6f
// Extents of the path, in statures, between which figures stand where they are.
#define SHORTEST_PATH 0.9f
#define LONGEST_PATH 8.0f
// Seconds between figures along a path beyond which too much happens between them.
#define SLOWEST_SPACING 1.6
#define MAX_FIGURES 200
#define SAMPLES 512
// Overlap per figure at which figures can still be distinguished.
#define MAX_OVERLAP 0.12f
// Part of a figure's box that another's may cover.
#define MAX_CROWDING 0.3f
// How far a figure side by side may leave its even place in time, as part of the distance between two.
#define MAX_MOMENT_SHIFT 0.32f
// Fewer figures than this along a path show less than a row side by side.
#define FEWEST_FIGURES 5

rpVec2 rpView_Project(rpView view, rpVec3 p)
{
	float s = sinf(view.azimuth), c = cosf(view.azimuth);
	float near = p.x * s + p.z * c;
	return (rpVec2){p.x * c - p.z * s, near * sinf(view.elevation) - p.y * cosf(view.elevation)};
}

float rpView_GetDepth(rpView view, rpVec3 p)
{
	float near = p.x * sinf(view.azimuth) + p.z * cosf(view.azimuth);
	return near * cosf(view.elevation) + p.y * sinf(view.elevation);
}

/// What a motion does over its frames, sampled.
typedef struct Track
{
	int count;
	int frames[SAMPLES];
	rpVec3 roots[SAMPLES];
	/// Distance travelled by the root so far, and by the joints relative to it, metres.
	float travelled[SAMPLES], moved[SAMPLES];
	/// How far the posture is from the motion's mean one, metres.
	float strange[SAMPLES];
	float extent;
} Track;

static float measureExtent(const Track* track)
{
	rpVec3 low = track->roots[0], high = track->roots[0];
	for (int i = 1; i < track->count; ++i)
	{
		low.x = fminf(low.x, track->roots[i].x);
		low.z = fminf(low.z, track->roots[i].z);
		high.x = fmaxf(high.x, track->roots[i].x);
		high.z = fmaxf(high.z, track->roots[i].z);
	}
	return hypotf(high.x - low.x, high.z - low.z);
}

// A posture seen from its own place and heading.
static void normalizePosture(const rpMotion* motion, int frame, const rpFigure* figure, rpVec3* points)
{
	rpQuat back = rpYaw(-rpMotion_GetGround(motion, frame).turn);
	rpVec3 root = {points[0].x, 0.0f, points[0].z};
	for (int k = 0; k < figure->pointCount; ++k)
	{
		points[k] = rpRotate(back, rpSub(points[k], root));
	}
}

// The moments that characterize a motion are those at which the body is least as usual: the kick, the top of the jump.
static void findStrangeness(const rpMotion* motion, const rpFigure* figure, rpTransform* world, rpVec3* points,
							rpVec3* mean, Track* track)
{
	for (int k = 0; k < figure->pointCount; ++k)
	{
		mean[k] = rpVec3_zero;
	}
	for (int pass = 0; pass < 2; ++pass)
	{
		for (int i = 0; i < track->count; ++i)
		{
			rpFigure_Place(figure, motion, track->frames[i], world, points);
			normalizePosture(motion, track->frames[i], figure, points);
			for (int k = 0; k < figure->pointCount; ++k)
			{
				if (pass == 0)
				{
					mean[k] = rpMulAdd(mean[k], 1.0f / (float)track->count, points[k]);
				}
				else
				{
					track->strange[i] += rpDistance(points[k], mean[k]) / (float)figure->pointCount;
				}
			}
		}
	}
}

static void followTrack(const rpMotion* motion, const rpFigure* figure, rpTransform* world, rpVec3* points,
						rpVec3* last, Track* track)
{
	track->count = motion->frameCount < SAMPLES ? motion->frameCount : SAMPLES;
	for (int i = 0; i < track->count; ++i)
	{
		int frame = track->count == 1 ? 0 : (int)((long long)i * (motion->frameCount - 1) / (track->count - 1));
		rpFigure_Place(figure, motion, frame, world, points);
		float moved = 0.0f;
		for (int k = 0; i > 0 && k < figure->pointCount; ++k)
		{
			rpVec3 now = rpSub(points[k], points[0]), before = rpSub(last[k], last[0]);
			moved += rpDistance(now, before) / (float)figure->pointCount;
		}
		float step = i > 0 ? hypotf(points[0].x - last[0].x, points[0].z - last[0].z) : 0.0f;
		track->frames[i] = frame;
		track->roots[i] = points[0];
		track->travelled[i] = i > 0 ? track->travelled[i - 1] + step : 0.0f;
		track->moved[i] = i > 0 ? track->moved[i - 1] + moved : 0.0f;
		for (int k = 0; k < figure->pointCount; ++k)
		{
			last[k] = points[k];
		}
	}
	track->extent = measureExtent(track);
}

// Progress through the motion, 0 … 1: of the length of the path, or of time and movement half each.
static float getProgress(const Track* track, int i, bool alongPath)
{
	int last = track->count - 1;
	float time = last > 0 ? (float)i / (float)last : 0.0f;
	float total = alongPath ? track->travelled[last] : track->moved[last];
	float part = total > 1e-6f ? (alongPath ? track->travelled[i] : track->moved[i]) / total : time;
	return alongPath ? 0.9f * part + 0.1f * time : 0.5f * part + 0.5f * time;
}

// Frames at even steps of progress, all different.
static void chooseFrames(const Track* track, bool alongPath, rpStripLayout* layout)
{
	int at = 0;
	for (int k = 0; k < layout->figureCount; ++k)
	{
		float wanted = layout->figureCount > 1 ? (float)k / (float)(layout->figureCount - 1) : 0.5f;
		int latest = track->count - (layout->figureCount - k);
		while (at < latest && getProgress(track, at, alongPath) < wanted - 1e-6f)
		{
			++at;
		}
		layout->frames[k] = at++;
	}
}

// Move each frame but the first and last to the strangest moment near it.
static void seekMoments(const Track* track, rpStripLayout* layout)
{
	float shift = MAX_MOMENT_SHIFT / (float)(layout->figureCount - 1);
	for (int k = 1; k < layout->figureCount - 1; ++k)
	{
		int chosen = layout->frames[k], earliest = layout->frames[k - 1] + 1;
		float wanted = (float)k / (float)(layout->figureCount - 1);
		for (int i = earliest; i < layout->frames[k + 1]; ++i)
		{
			bool near = fabsf(getProgress(track, i, false) - wanted) <= shift;
			chosen = near && track->strange[i] > track->strange[chosen] ? i : chosen;
		}
		layout->frames[k] = chosen;
	}
}

static float measureOverlap(const Track* track, const rpStripLayout* layout, rpView view, float stature, rpBox* box)
{
	float overlap = 0.0f;
	*box = (rpBox){INFINITY, INFINITY, -INFINITY, -INFINITY};
	for (int i = 0; i < layout->figureCount; ++i)
	{
		rpVec2 a = rpView_Project(view, track->roots[layout->frames[i]]);
		*box = (rpBox){fminf(box->left, a.x), fminf(box->top, a.y), fmaxf(box->right, a.x), fmaxf(box->bottom, a.y)};
		for (int j = i + 1; j < layout->figureCount; ++j)
		{
			rpVec2 b = rpView_Project(view, track->roots[layout->frames[j]]);
			float distance = hypotf((a.x - b.x) / (0.45f * stature), (a.y - b.y) / (1.0f * stature));
			overlap += fmaxf(1.0f - distance, 0.0f);
		}
	}
	return overlap;
}

// The view in which the figures are largest, hide one another least, and time runs to the right. Returns the overlap.
static float chooseView(const Track* track, rpStripLayout* layout, float stature, double aspect)
{
	static const float elevations[] = {0.22f, 0.4f, 0.62f};
	float best = -INFINITY, bestOverlap = 0.0f;
	rpVec3 displacement = rpSub(track->roots[layout->frames[layout->figureCount - 1]], track->roots[layout->frames[0]]);
	float length = hypotf(displacement.x, displacement.z);
	float heading = length > 0.3f * stature ? atan2f(displacement.x, displacement.z) : 0.0f;
	for (int i = 0; i < 24 * 3; ++i)
	{
		// Steps from the pure side view, so that straight paths are always seen alike: three quarters from the front.
		int step = i / 3;
		float turn = (float)step * (float)(2.0 * RP_PI / 24.0);
		rpView view = {heading - (float)(RP_PI * 70.0 / 180.0) + turn, elevations[i % 3]};
		rpBox box;
		float overlap = measureOverlap(track, layout, view, stature, &box);
		float wide = box.right - box.left + 0.8f * stature, high = box.bottom - box.top + 1.3f * stature;
		float fill = fminf((float)aspect / wide, 1.0f / high) * stature * 1.3f;
		float towards = length > 0.0f ? rpView_GetDepth((rpView){view.azimuth, 0.0f}, displacement) / length : 0.0f;
		float rightwards = length > 0.0f ? (rpView_Project(view, displacement).x) / length : 0.0f;
		float score = fill - 0.8f * overlap + 0.3f * rightwards + 0.3f * fminf(towards, 0.3f) - 0.25f * view.elevation -
					  0.01f * fminf(turn, 6.28f - turn);
		if (score > best)
		{
			best = score;
			bestOverlap = overlap;
			layout->view = view;
		}
	}
	return bestOverlap;
}

static rpBox measureFigure(rpView view, const rpVec3* points, const rpFigure* figure)
{
	rpBox box = {INFINITY, INFINITY, -INFINITY, -INFINITY};
	float margin = 0.04f * figure->stature;
	for (int i = 0; i < figure->pointCount; ++i)
	{
		rpVec2 p = rpView_Project(view, points[i]);
		box.left = fminf(box.left, p.x - margin);
		box.right = fmaxf(box.right, p.x + margin);
		box.top = fminf(box.top, p.y - margin);
		box.bottom = fmaxf(box.bottom, p.y + margin);
	}
	return box;
}

static void placeFigures(const rpMotion* motion, const rpFigure* figure, const Track* track, rpTransform* world,
						 rpStripLayout* layout)
{
	for (int i = 0; i < layout->figureCount; ++i)
	{
		rpVec3* points = layout->points + (size_t)i * (size_t)figure->pointCount;
		rpFigure_Place(figure, motion, track->frames[layout->frames[i]], world, points);
		layout->shifts[i] = rpVec3_zero;
		layout->centres[i] = 0.0f;
	}
}

// The part of a figure's box that another's covers, the worst of all pairs.
static float measureCrowding(const rpFigure* figure, const rpStripLayout* layout)
{
	float worst = 0.0f;
	for (int i = 0; i < layout->figureCount; ++i)
	{
		rpBox a = measureFigure(layout->view, layout->points + (size_t)i * (size_t)figure->pointCount, figure);
		for (int j = i + 1; j < layout->figureCount; ++j)
		{
			rpBox b = measureFigure(layout->view, layout->points + (size_t)j * (size_t)figure->pointCount, figure);
			float wide = fminf(a.right, b.right) - fmaxf(a.left, b.left);
			float high = fminf(a.bottom, b.bottom) - fmaxf(a.top, b.top);
			float size = fminf((a.right - a.left) * (a.bottom - a.top), (b.right - b.left) * (b.bottom - b.top));
			worst = wide > 0.0f && high > 0.0f ? fmaxf(worst, wide * high / size) : worst;
		}
	}
	return worst;
}

// Try to stand the figures along the path, fewer and fewer; too few to show the motion are none. A number that was
// asked for is not changed.
static bool layAlongPath(const rpMotion* motion, const rpFigure* figure, const Track* track, rpTransform* world,
						 int wanted, double aspect, rpStripLayout* layout)
{
	float stature = figure->stature;
	int max = (int)(track->travelled[track->count - 1] / (PATH_SPACING * stature)) + 1;
	max = wanted > 0 ? wanted : max > 24 ? 24 : max;
	int fewest = wanted > 0 ? wanted : max / 2 > FEWEST_FIGURES ? max / 2 : FEWEST_FIGURES;
	bool slow = wanted == 0 && rpMotion_GetDuration(motion) > SLOWEST_SPACING * max;
	if (slow || track->extent < SHORTEST_PATH * stature || track->extent > LONGEST_PATH * stature)
	{
		return false;
	}
	for (int count = max; count >= fewest; --count)
	{
		layout->figureCount = count < track->count ? count : track->count;
		chooseFrames(track, true, layout);
		float overlap = chooseView(track, layout, stature, aspect);
		placeFigures(motion, figure, track, world, layout);
		if (overlap <= MAX_OVERLAP * (float)layout->figureCount &&
			(wanted > 0 || measureCrowding(figure, layout) <= MAX_CROWDING))
		{
			return true;
		}
	}
	return false;
}

// One beside the other in order of time, each as wide as it is.
static void spreadFigures(const rpFigure* figure, rpStripLayout* layout)
{
	rpVec3 right = {cosf(layout->view.azimuth), 0.0f, -sinf(layout->view.azimuth)};
	float gap = 0.13f * figure->stature, x = 0.0f;
	for (int i = 0; i < layout->figureCount; ++i)
	{
		rpVec3* points = layout->points + (size_t)i * (size_t)figure->pointCount;
		rpVec3 home = {-points[0].x, 0.0f, -points[0].z};
		for (int k = 0; k < figure->pointCount; ++k)
		{
			points[k] = rpAdd(points[k], home);
		}
		rpBox box = measureFigure(layout->view, points, figure);
		float width = fmaxf(box.right - box.left, 0.35f * figure->stature);
		float centre = 0.5f * (box.left + box.right);
		rpVec3 shift = rpScale(x + 0.5f * width - centre, right);
		for (int k = 0; k < figure->pointCount; ++k)
		{
			points[k] = rpAdd(points[k], shift);
		}
		layout->shifts[i] = rpAdd(home, shift);
		layout->centres[i] = x + 0.5f * width;
		x += width + gap;
	}
}

static void boundFigures(const rpFigure* figure, rpStripLayout* layout)
{
	layout->box = (rpBox){INFINITY, INFINITY, -INFINITY, -INFINITY};
	for (int i = 0; i < layout->figureCount; ++i)
	{
		rpBox box = measureFigure(layout->view, layout->points + (size_t)i * (size_t)figure->pointCount, figure);
		layout->box.left = fminf(layout->box.left, box.left);
		layout->box.right = fmaxf(layout->box.right, box.right);
		layout->box.top = fminf(layout->box.top, box.top);
		layout->box.bottom = fmaxf(layout->box.bottom, box.bottom);
	}
}

// As many figures side by side as fill the area's width at the size that its height allows.
static void laySideBySide(const rpMotion* motion, const rpFigure* figure, const Track* track, rpTransform* world,
						  int wanted, double aspect, rpStripLayout* layout)
{
	float heading = rpMotion_GetGround(motion, motion->frameCount / 2).turn;
	layout->sideBySide = true;
	layout->view = (rpView){heading - (float)(RP_PI * 42.0 / 180.0), 0.16f};
	int max = wanted > 0 ? wanted : 18;
	// A long motion needs more figures, and they may be smaller.
	double length = rpMotion_GetDuration(motion);
	double fill = 1.15 + 0.55 * fmin(fmax((length - 4.0) / 12.0, 0.0), 1.0);
	for (int count = max; count >= 1; --count)
	{
		layout->figureCount = count < track->count ? count : track->count;
		chooseFrames(track, false, layout);
		seekMoments(track, layout);
		placeFigures(motion, figure, track, world, layout);
		spreadFigures(figure, layout);
		boundFigures(figure, layout);
		double wide = layout->box.right - layout->box.left, high = layout->box.bottom - layout->box.top;
		if (wanted > 0 || wide <= fill * aspect * high || layout->figureCount <= 4)
		{
			return;
		}
	}
}

static void layOut(const rpMotion* motion, const rpFigure* figure, Track* track, rpTransform* world, int wanted,
				   double aspect, rpStripLayout* layout)
{
	layout->extent = track->extent;
	if (layAlongPath(motion, figure, track, world, wanted, aspect, layout))
	{
		boundFigures(figure, layout);
	}
	else
	{
		laySideBySide(motion, figure, track, world, wanted, aspect, layout);
	}
	for (int i = 0; i < layout->figureCount; ++i)
	{
		layout->frames[i] = track->frames[layout->frames[i]];
	}
}

bool rpMakeStripLayout(const rpMotion* motion, const rpFigure* figure, int figureCount, double aspect,
					   rpStripLayout* out, rpError* error)
{
	*out = (rpStripLayout){0};
	if (figureCount < 0 || figureCount > MAX_FIGURES)
	{
		return rpFail(error, rp_errorArgument, "%d figures; 1 to %d are possible", figureCount, MAX_FIGURES);
	}
	size_t pointCount = (size_t)figure->pointCount;
	Track* track = rpAllocateZero(1, sizeof(Track), error);
	rpTransform* world = rpAllocate((size_t)motion->skeleton->jointCount, sizeof(rpTransform), error);
	rpVec3* points = rpAllocate(2 * pointCount, sizeof(rpVec3), error);
	out->frames = rpAllocate(MAX_FIGURES, sizeof(int), error);
	out->shifts = rpAllocate(MAX_FIGURES, sizeof(rpVec3), error);
	out->centres = rpAllocate(MAX_FIGURES, sizeof(float), error);
	out->points = rpAllocate(MAX_FIGURES * pointCount, sizeof(rpVec3), error);
	bool ok = track != NULL && world != NULL && points != NULL && out->frames != NULL && out->shifts != NULL &&
			  out->centres != NULL && out->points != NULL && rpFindFloor(figure, motion, &out->floor, error);
	if (ok)
	{
		followTrack(motion, figure, world, points, points + pointCount, track);
		findStrangeness(motion, figure, world, points, points + pointCount, track);
		layOut(motion, figure, track, world, figureCount, aspect, out);
	}
	rpFree(track);
	rpFree(world);
	rpFree(points);
	if (!ok)
	{
		rpStripLayout_Free(out);
	}
	return ok;
}

void rpStripLayout_Free(rpStripLayout* layout)
{
	rpFree(layout->frames);
	rpFree(layout->shifts);
	rpFree(layout->centres);
	rpFree(layout->points);
	*layout = (rpStripLayout){0};
}
