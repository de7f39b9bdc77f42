#include "live/stand_choice.h"

#include <math.h>

// Whether a stand goes on from one of the movements that are blended, in its take.
static bool isFollower(const rpGaitModel* model, const rpMovementPlan* last, const rpMovement* stand)
{
	bool follows = false;
	for (int i = 0; last != NULL && i < last->span.shareCount; ++i)
	{
		const rpMovement* movement = &model->graph->movements[last->movements[i]];
		follows = follows || (movement->take == stand->take && movement->end == stand->start);
	}
	return follows;
}

// Joints at the end of a movement, in the model's scratch.
static const rpVec3* getLastJoints(const rpGaitModel* model, const rpMovementPlan* last)
{
	rpPose pose = {.rotations = model->scratch.rotations};
	rpSpan_SampleAt(&last->span, rpMovementPlan_GetDuration(last), rpMovementPlan_GetEnd(last), &pose);
	rpPlaceJoints(model->clips.skeleton, &pose, model->scratch.world, model->scratch.joints);
	return model->scratch.joints;
}

// A stand costs what it is by itself, and how far it is from the pose that comes before it.
rpStandStart rpChooseStand(const rpGaitModel* model, const rpMovementPlan* last)
{
	const rpLocomotionNode* node = &model->graph->nodes[rp_movementS];
	const rpVec3* before = last != NULL ? getLastJoints(model, last) : NULL;
	size_t jointCount = (size_t)model->clips.skeleton->jointCount;
	rpStandStart best = {node->firstMovement, 0.0};
	float min = INFINITY;
	for (int i = 0; i < node->movementCount; ++i)
	{
		const rpMovement* stand = &model->graph->movements[node->firstMovement + i];
		// What follows in a take is gone on with; others are begun where they are quiet.
		bool follows = isFollower(model, last, stand);
		const rpVec3* joints = model->standJoints + (2 * (size_t)i + (follows ? 0 : 1)) * jointCount;
		float distance = before != NULL ? rpGetJointDistance(before, joints, (int)jointCount) : 0.0f;
		float cost = model->stands[i].cost + distance;
		if (cost < min)
		{
			min = cost;
			best = (rpStandStart){node->firstMovement + i, follows ? stand->start : model->stands[i].from};
		}
	}
	return best;
}
