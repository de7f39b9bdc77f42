#include "parametric_hubs.h"

#include "model/parametric_step.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FPS 60.0

// A stream comes to a hub and leaves it within this time on either side, seconds: that of the seams of graphs.
#define HUB_TIME 0.3

// So many motions are seen, after those in which it begins to turn.
#define FIRST_MOTION 4
#define LAST_MOTION 24

enum
{
	/// Motions whose beginnings a hub is the mean of, over the whole range.
	hubMotions = 60,
};

/// A pose without place and heading.
typedef struct Hub
{
	rpQuat rotations[RP_MAX_JOINTS];
} Hub;

static rpQuat takeHeading(rpQuat root)
{
	return rpMulQuat(rpYaw(-rpHeading(root)), root);
}

// The mean of the poses in which motions begin whose turn is in a band of the range.
static void makeHub(const rpParametricModel* model, float low, float high, Hub* out)
{
	static rpParametricMotion motion;
	int jointCount = model->cloud.skeleton->jointCount, count = 0;
	rpQuat rotations[RP_MAX_JOINTS];
	rpPose pose = {.rotations = rotations};
	for (int i = 0; i < hubMotions; ++i)
	{
		float values[RP_MAX_SPACE_PARAMETERS];
		for (int k = 0; k < RP_MAX_SPACE_PARAMETERS; ++k)
		{
			values[k] = NAN;
		}
		values[0] = low + (high - low) * ((float)i + 0.5f) / hubMotions;
		rpParametricMotion_Begin(model, 0, values, rpGroundTransform_identity, &motion);
		rpSpan_Sample(&motion.span, motion.clip.start, &pose);
		rotations[0] = takeHeading(rotations[0]);
		++count;
		for (int j = 0; j < jointCount; ++j)
		{
			// The mean so far, and one more.
			out->rotations[j] =
				count == 1 ? rotations[j] : rpSlerp(out->rotations[j], rotations[j], 1.0f / (float)count);
		}
	}
}

// To the left of where the body faces, degrees.
static double getLean(const rpSkeleton* skeleton, const rpPose* pose)
{
	rpTransform world[RP_MAX_JOINTS];
	int pelvis = rpSkeleton_FindRole(skeleton, rp_rolePelvis), neck = rpSkeleton_FindRole(skeleton, rp_roleNeck);
	rpSkeleton_Forward(skeleton, pose->rootPosition, pose->rotations, NULL, world);
	rpVec3 trunk = rpSub(world[neck].p, world[pelvis].p);
	trunk = rpRotate(rpYaw(-rpHeading(pose->rotations[0])), trunk);
	return atan2((double)trunk.x, (double)trunk.y) / RP_DEGREE;
}

// Led towards the hub by that share.
static void lead(const Hub* hub, int jointCount, float share, rpPose* pose)
{
	rpQuat heading = rpYaw(rpHeading(pose->rotations[0]));
	pose->rotations[0] = rpSlerp(pose->rotations[0], rpMulQuat(heading, hub->rotations[0]), share);
	for (int j = 1; j < jointCount; ++j)
	{
		pose->rotations[j] = rpSlerp(pose->rotations[j], hub->rotations[j], share);
	}
}

bool hubsMeasure(const ParametricGraph* made, const rpBundle* bundle, int hubCount, HubLean* out)
{
	rpParametricModel model;
	rpPlayer* player = rpCreatePlayer(bundle, NULL, NULL);
	const rpSpaceParameter* turn = &made->spaces[0]->parameters[0];
	Hub hub;
	bool done = player != NULL && rpParametricModel_Read(&model, bundle, NULL);
	if (!done)
	{
		rpDestroyPlayer(player);
		return false;
	}
	if (hubCount > 0)
	{
		// The band of the sharpest turns to the left.
		makeHub(&model, turn->high - (turn->high - turn->low) / (float)hubCount, turn->high, &hub);
	}
	int jointCount = model.cloud.skeleton->jointCount;
	rpQuat rotations[RP_MAX_JOINTS];
	rpPose pose = {.rotations = rotations};
	rpPlayerReport report = {0};
	rpPlayerInput input = {.request = 1, .space = {.isGiven = true}};
	for (int k = 0; k < RP_MAX_SPACE_PARAMETERS; ++k)
	{
		input.space.values[k] = k == 0 ? turn->high : NAN;
	}
	double sums[2] = {0.0, 0.0};
	int counts[2] = {0, 0};
	while (report.parametric.number < LAST_MOTION)
	{
		rpPlayer_Step(player, 1.0 / FPS, &input, &pose, &report);
		const rpParametricReport* own = &report.parametric;
		// Motions meet where the one's core ends and the other's begins.
		double gap = fmin(fabs(report.time - own->start), fabs(own->end - report.time)), length = own->end - own->start;
		if (hubCount > 0)
		{
			lead(&hub, jointCount, (float)(1.0 - rpSmoothstep(gap / HUB_TIME)), &pose);
		}
		bool isSeam = gap < 0.5 / FPS, isBetween = fabs(report.time - own->start - 0.5 * length) < 0.5 / FPS;
		if (own->number >= FIRST_MOTION && (isSeam || isBetween))
		{
			sums[isBetween] += getLean(model.cloud.skeleton, &pose);
			++counts[isBetween];
		}
	}
	*out = (HubLean){sums[0] / fmax(counts[0], 1.0), sums[1] / fmax(counts[1], 1.0)};
	rpParametricModel_Free(&model);
	rpDestroyPlayer(player);
	return counts[0] > 0;
}
