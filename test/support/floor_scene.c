#include "floor_scene.h"

#include <math.h>

void testTilt(rpMotion* motion, float slopeX, float slopeZ, float height)
{
	rpVec3 normal = rpNormalize((rpVec3){-slopeX, 1.0f, -slopeZ});
	rpQuat turn = rpNormalizeQuat((rpQuat){1.0f + normal.y, normal.z, 0.0f, -normal.x});
	for (int frame = 0; frame < motion->frameCount; ++frame)
	{
		rpQuat* root = motion->rotations + (size_t)frame * (size_t)motion->skeleton->jointCount;
		*root = rpMulQuat(turn, *root);
		motion->rootPositions[frame] = rpRotate(turn, motion->rootPositions[frame]);
		motion->rootPositions[frame].y += height;
	}
}

float testGetLowestCorner(const rpBodyMesh* body, const rpTransform* rest, const rpTransform* pose)
{
	float lowest = INFINITY;
	for (int i = 0; i < body->vertexCount; ++i)
	{
		const rpBodyVertex* vertex = body->vertices + i;
		float y = 0.0f;
		for (int k = 0; k < 2; ++k)
		{
			int joint = vertex->joints[k];
			rpVec3 local = rpRotate(rpConjugate(rest[joint].q), rpSub(vertex->position, rest[joint].p));
			y += (k == 0 ? vertex->weight : 1.0f - vertex->weight) * rpTransformPoint(pose[joint], local).y;
		}
		lowest = fminf(lowest, y);
	}
	return lowest;
}
