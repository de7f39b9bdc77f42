/// All costs are metres, root mean square of the joints: how far a stand is from the usual pose, and how far joints go
/// in it in half a second. The usual pose is the median of those in which movements leave stands and end in them: hands
/// that somebody holds up for a while do not count for it.
#include "model/stand.h"

#include "base/memory.h"
#include "blend/clip.h"
#include "math/order.h"
#include "model/gait_model.h"

#include <math.h>
#include <stdlib.h>

// Stands are looked at ten times in a sway, seconds.
#define SAMPLE_TIME (RP_SWAY_SECONDS / 10.0)

// What joints go in half of one, seconds, to one side, counts like distance.
#define SPEED_TIME (RP_SWAY_SECONDS / 2.0)

/// What poses are taken from and compared with; [jointCount] each.
typedef struct Viewer
{
	const rpGaitModel* model;
	int jointCount;
	rpTransform* world;
	rpQuat* rotations;
	rpVec3* joints;

	/// The usual pose.
	rpVec3* usual;
} Viewer;

// ---- poses

void rpPlaceJoints(const rpSkeleton* skeleton, const rpPose* pose, rpTransform* world, rpVec3* out)
{
	rpGroundTransform root = {rpHeading(pose->rotations[0]), {pose->rootPosition.x, 0.0f, pose->rootPosition.z}};
	rpGroundTransform back = rpGroundTransform_Invert(root);
	rpSkeleton_Forward(skeleton, pose->rootPosition, pose->rotations, NULL, world);
	for (int i = 0; i < skeleton->jointCount; ++i)
	{
		out[i] = rpGroundTransform_Apply(back, world[i].p);
	}
}

float rpGetJointDistance(const rpVec3* a, const rpVec3* b, int count)
{
	float sum = 0.0f;
	for (int i = 0; i < count; ++i)
	{
		rpVec3 d = rpSub(a[i], b[i]);
		sum += rpDot(d, d);
	}
	return sqrtf(sum / (float)count);
}

static void lookAt(const Viewer* viewer, int take, double time, rpVec3* out)
{
	rpShare share = {viewer->model->clips.clips[take], time, 1.0f, rpGroundTransform_identity};
	rpPose pose = {.rotations = viewer->rotations};
	rpBlendClips(&share, 1, &pose);
	rpPlaceJoints(viewer->model->clips.skeleton, &pose, viewer->world, out);
}

// How far joints go over the floor in some time, with the root: as the ground frame does, and beside it.
static float getTravel(const Viewer* viewer, int take, double time, double seconds)
{
	const rpGaitModel* model = viewer->model;
	const rpClip* clip = model->clips.clips[take];
	int frame = (int)fmin(fmax(time * clip->fps, 0.0), clip->frameCount - 1.0);
	const rpGroundRate* rate = &model->rates[model->firstFrames[take] + frame];
	float sum = 0.0f;
	for (int k = 0; k < 2; ++k)
	{
		rpShare share = {clip, time + k * seconds, 1.0f, rpGroundTransform_identity};
		rpPose pose = {.rotations = viewer->rotations};
		rpBlendClipsForward(&share, 1, &pose, viewer->world);
		for (int i = 0; i < viewer->jointCount; ++i)
		{
			rpVec3 displacement = rpSub(viewer->world[i].p, viewer->joints[i]);
			sum += k == 1 ? rpDot(displacement, displacement) : 0.0f;
			viewer->joints[i] = viewer->world[i].p;
		}
	}
	return sqrtf(sum / (float)viewer->jointCount) + (float)seconds * sqrtf(rate->x * rate->x + rate->z * rate->z);
}

// ---- the usual pose

static bool isBoundary(const rpMovement* movement)
{
	return movement->kind != rp_movementS && (rpMovementKind_GetBefore(movement->kind) == rp_gaitStand ||
											  rpMovementKind_GetAfter(movement->kind) == rp_gaitStand);
}

// Poses at the ends of movements that are stood in; where there are none, of stands themselves.
static int collectPoses(const Viewer* viewer, bool ofStands, rpVec3* out)
{
	const rpLocomotion* graph = viewer->model->graph;
	int count = 0;
	for (int i = 0; i < graph->movementCount; ++i)
	{
		const rpMovement* movement = &graph->movements[i];
		if (ofStands ? movement->kind == rp_movementS : isBoundary(movement))
		{
			bool isStart = rpMovementKind_GetBefore(movement->kind) == rp_gaitStand;
			lookAt(viewer, movement->take, isStart ? movement->start : movement->end,
				   out + (size_t)count++ * (size_t)viewer->jointCount);
		}
	}
	return count;
}

// Of each coordinate; values is scratch, [count].
static void takeMedian(const Viewer* viewer, const rpVec3* poses, int count, float* values)
{
	for (int i = 0; i < 3 * viewer->jointCount; ++i)
	{
		for (int k = 0; k < count; ++k)
		{
			values[k] = (&poses[(size_t)k * (size_t)viewer->jointCount].x)[i];
		}
		qsort(values, (size_t)count, sizeof(float), rpCompareFloats);
		(&viewer->usual->x)[i] = values[count / 2];
	}
}

static bool findUsual(const Viewer* viewer, rpError* error)
{
	size_t max = (size_t)viewer->model->graph->movementCount;
	rpVec3* poses = rpAllocate(max * (size_t)viewer->jointCount, sizeof(rpVec3), error);
	float* values = rpAllocate(max, sizeof(float), error);
	bool done = poses != NULL && values != NULL;
	if (done)
	{
		int count = collectPoses(viewer, false, poses);
		count = count > 0 ? count : collectPoses(viewer, true, poses);
		takeMedian(viewer, poses, count, values);
	}
	rpFree(poses);
	rpFree(values);
	return done;
}

// ---- stands

// What a moment of a stand costs.
static float getCost(const Viewer* viewer, const rpMovement* stand, double time)
{
	double step = fmin(SAMPLE_TIME, 0.5 * (stand->end - stand->start)), start = fmin(time, stand->end - step);
	float travelled = getTravel(viewer, stand->take, start, step);
	lookAt(viewer, stand->take, start, viewer->joints);
	return rpGetJointDistance(viewer->joints, viewer->usual, viewer->jointCount) +
		   (float)(SPEED_TIME / step) * travelled;
}

static float getMean(const float* costs, int first, int count)
{
	float sum = 0.0f;
	for (int i = first; i < first + count; ++i)
	{
		sum += costs[i];
	}
	return sum / (float)count;
}

// The quietest stretch, and with it what around it is no worse than its worst. costs is of moments SAMPLE_TIME apart.
static rpStand findQuiet(const rpMovement* stand, const float* costs, int count)
{
	int max = (int)(RP_SWAY_SECONDS / SAMPLE_TIME), length = max < count ? max : count, first = 0;
	for (int i = 1; i + length <= count; ++i)
	{
		first = getMean(costs, i, length) < getMean(costs, first, length) ? i : first;
	}
	rpStand quiet = {.cost = getMean(costs, first, length)};
	int last = first + length - 1;
	float worst = 0.0f;
	for (int i = first; i <= last; ++i)
	{
		worst = fmaxf(worst, costs[i]);
	}
	while (first > 0 && costs[first - 1] <= worst)
	{
		--first;
	}
	while (last + 1 < count && costs[last + 1] <= worst)
	{
		++last;
	}
	quiet.from = stand->start + SAMPLE_TIME * first;
	quiet.to = last + 1 == count ? stand->end : stand->start + SAMPLE_TIME * (last + 1);
	return quiet;
}

static bool findStand(const Viewer* viewer, const rpMovement* stand, rpStand* out, rpError* error)
{
	int count = (int)fmax(ceil((stand->end - stand->start) / SAMPLE_TIME), 1.0);
	float* costs = rpAllocate((size_t)count, sizeof(float), error);
	for (int i = 0; costs != NULL && i < count; ++i)
	{
		costs[i] = getCost(viewer, stand, stand->start + SAMPLE_TIME * i);
	}
	if (costs != NULL)
	{
		*out = findQuiet(stand, costs, count);
	}
	rpFree(costs);
	return costs != NULL;
}

static bool findAll(const Viewer* viewer, rpStand* stands, rpVec3* joints, rpError* error)
{
	const rpLocomotion* graph = viewer->model->graph;
	const rpLocomotionNode* node = &graph->nodes[rp_movementS];
	bool done = true;
	for (int i = 0; i < node->movementCount && done; ++i)
	{
		const rpMovement* stand = &graph->movements[node->firstMovement + i];
		done = findStand(viewer, stand, &stands[i], error);
		lookAt(viewer, stand->take, stand->start, joints);
		lookAt(viewer, stand->take, stands[i].from, joints + viewer->jointCount);
		joints += 2 * (size_t)viewer->jointCount;
	}
	return done;
}

bool rpFindStands(const rpGaitModel* model, rpStand* stands, rpVec3* joints, rpError* error)
{
	size_t jointCount = (size_t)model->clips.skeleton->jointCount;
	Viewer viewer = {model,
					 (int)jointCount,
					 rpAllocate(jointCount, sizeof(rpTransform), error),
					 rpAllocate(jointCount, sizeof(rpQuat), error),
					 rpAllocateZero(jointCount, sizeof(rpVec3), error),
					 rpAllocate(jointCount, sizeof(rpVec3), error)};
	bool done = viewer.world != NULL && viewer.rotations != NULL && viewer.joints != NULL && viewer.usual != NULL &&
				findUsual(&viewer, error) && findAll(&viewer, stands, joints, error);
	rpFree(viewer.world);
	rpFree(viewer.rotations);
	rpFree(viewer.joints);
	rpFree(viewer.usual);
	return done;
}
