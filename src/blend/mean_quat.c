#include "reprise/play/blend.h"

#include "base/assert.h"

rpQuat rpMeanQuat(const rpQuat* rotations, const float* weights, int count)
{
	RP_ASSERT(count > 0);
	int heaviest = 0;
	for (int i = 1; i < count; ++i)
	{
		heaviest = weights[i] > weights[heaviest] ? i : heaviest;
	}
	rpQuat sum = {0.0f, 0.0f, 0.0f, 0.0f};
	for (int i = 0; i < count; ++i)
	{
		float weight = rpDotQuat(rotations[i], rotations[heaviest]) < 0.0f ? -weights[i] : weights[i];
		sum.w += weight * rotations[i].w;
		sum.x += weight * rotations[i].x;
		sum.y += weight * rotations[i].y;
		sum.z += weight * rotations[i].z;
	}
	return rpNormalizeQuat(sum);
}
