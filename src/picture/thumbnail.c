#include "picture/thumbnail.h"

#include "base/memory.h"
#include "picture/strip_layout.h"

#include <math.h>
#include <stdlib.h>

static const unsigned s_sideColors[rp_sideCount] = {0x98a1b3, 0x2478d6, 0xe8772e};

/// One pose on the picture's plane.
typedef struct Pose
{
	rpView view;
	double x, y, scale;
	bool isMirror;
	rpVec3 origin;
} Pose;

bool rpThumbnail_Make(rpThumbnail* thumbnail, const rpSkeleton* skeleton, rpError* error)
{
	*thumbnail = (rpThumbnail){.world = NULL};
	if (!rpMakeFigure(skeleton, &thumbnail->figure, error))
	{
		return false;
	}
	thumbnail->world = rpAllocate((size_t)skeleton->jointCount, sizeof(rpTransform), error);
	thumbnail->points = rpAllocate((size_t)thumbnail->figure.pointCount, sizeof(rpVec3), error);
	thumbnail->limbs = rpAllocate((size_t)thumbnail->figure.limbCount + 1, sizeof(*thumbnail->limbs), error);
	if (thumbnail->world == NULL || thumbnail->points == NULL || thumbnail->limbs == NULL)
	{
		rpThumbnail_Free(thumbnail);
		return false;
	}
	return true;
}

void rpThumbnail_Free(rpThumbnail* thumbnail)
{
	rpFree(thumbnail->world);
	rpFree(thumbnail->points);
	rpFree(thumbnail->limbs);
	rpFigure_Free(&thumbnail->figure);
	*thumbnail = (rpThumbnail){.world = NULL};
}

static rpVec2 place(const Pose* pose, rpVec3 point)
{
	rpVec3 p = rpSub(point, pose->origin);
	rpVec2 at = rpView_Project(pose->view, p);
	double x = pose->isMirror ? -(double)at.x : (double)at.x;
	return (rpVec2){(float)(pose->x + pose->scale * x), (float)(pose->y + pose->scale * (double)at.y)};
}

static int compareLimbs(const void* a, const void* b)
{
	const struct rpThumbnailLimb *x = a, *y = b;
	return x->depth < y->depth ? -1 : x->depth > y->depth ? 1 : x->index - y->index;
}

static rpColor getColor(rpSide side, bool isMirror, double pale)
{
	rpSide shown = !isMirror || side == rp_sideMiddle ? side : side == rp_sideLeft ? rp_sideRight : rp_sideLeft;
	return rpColor_Mix(rpColor_FromHex(s_sideColors[shown]), (rpColor){1.0, 1.0, 1.0}, pale);
}

static void drawLimb(const rpThumbnail* thumbnail, rpCanvas* canvas, const Pose* pose, int index, double pale)
{
	const rpFigureLimb* limb = &thumbnail->figure.limbs[index];
	const rpVec3* points = thumbnail->points;
	rpCanvas_DrawCapsule(canvas, place(pose, points[limb->from]), (double)limb->fromRadius * pose->scale,
						 place(pose, points[limb->to]), (double)limb->toRadius * pose->scale,
						 getColor(limb->side, pose->isMirror, pale));
}

static void drawHead(const rpThumbnail* thumbnail, rpCanvas* canvas, const Pose* pose, double pale)
{
	const rpFigure* figure = &thumbnail->figure;
	if (figure->headFrom < 0)
	{
		return;
	}
	rpVec3 middle = rpLerp(thumbnail->points[figure->headFrom], thumbnail->points[figure->headTo], 0.5f);
	rpVec2 at = place(pose, middle);
	rpCanvas_DrawCapsule(canvas, at, (double)figure->headRadius * pose->scale, at, 0.0,
						 getColor(rp_sideMiddle, pose->isMirror, pale));
}

static void drawPose(rpThumbnail* thumbnail, rpCanvas* canvas, const rpMotion* motion, int frame, const Pose* pose,
					 double pale)
{
	const rpFigure* figure = &thumbnail->figure;
	rpFigure_Place(figure, motion, frame, thumbnail->world, thumbnail->points);
	for (int i = 0; i < figure->limbCount; ++i)
	{
		const rpFigureLimb* limb = &figure->limbs[i];
		rpVec3 middle = rpLerp(thumbnail->points[limb->from], thumbnail->points[limb->to], 0.5f);
		thumbnail->limbs[i] = (struct rpThumbnailLimb){rpView_GetDepth(pose->view, middle), i};
	}
	qsort(thumbnail->limbs, (size_t)figure->limbCount, sizeof(*thumbnail->limbs), compareLimbs);
	for (int i = 0; i < figure->limbCount; ++i)
	{
		drawLimb(thumbnail, canvas, pose, thumbnail->limbs[i].index, pale);
	}
	drawHead(thumbnail, canvas, pose, pale);
}

// Seen from the front and a little to the side, as the body faces in the middle of the stretch.
#define VIEW_SIDE 0.9f
#define VIEW_HEIGHT 0.15f

// How much the first pose fades; each after it less, the last one not at all.
#define PALE 0.45

// Evenly from start to end; the one that is nearest to the moment is of the moment.
static double getTime(const rpThumbnailDef* def, int pose)
{
	double step = (def->end - def->start) / fmax(def->poseCount - 1, 1.0), place = (def->moment - def->start) / step;
	bool isInside = def->moment > def->start && def->moment < def->end;
	return isInside && (int)round(place) == pose ? def->moment : def->start + step * pose;
}

void rpThumbnail_Draw(rpThumbnail* thumbnail, rpCanvas* canvas, rpVec2 corner, double width, double height,
					  const rpThumbnailDef* def)
{
	const rpMotion* motion = def->motion;
	int middle = rpMotion_GetFrame(motion, 0.5 * (def->start + def->end)), last = def->poseCount - 1;
	float heading = rpMotion_GetGround(motion, middle).turn;
	// A mirror image is drawn as the reflection of what is seen from the other side.
	rpView view = {heading + (def->isMirror ? -VIEW_SIDE : VIEW_SIDE), VIEW_HEIGHT};
	double scale = 0.74 * height / (double)thumbnail->figure.stature, step = width / (double)(def->poseCount + 1);
	for (int k = 0; k <= last; ++k)
	{
		int frame = rpMotion_GetFrame(motion, getTime(def, k));
		rpVec3 root = motion->rootPositions[frame];
		Pose pose = {view,
					 (double)corner.x + step * (k + 1),
					 (double)corner.y + 0.93 * height,
					 scale,
					 def->isMirror,
					 {root.x, 0.0f, root.z}};
		drawPose(thumbnail, canvas, motion, frame, &pose, last > 0 ? PALE * (last - k) / last : 0.0);
	}
}
