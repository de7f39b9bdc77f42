#include "judge/extent.h"

enum
{
	directionCount = sizeof(((rpExtent*)0)->low) / sizeof(float),
};

void rpExtent_Grow(rpExtent* extent, rpVec3 place)
{
	for (int i = 0; i < directionCount; ++i)
	{
		double angle = RP_PI / directionCount * i;
		float along = (float)(cos(angle) * (double)place.x + sin(angle) * (double)place.z);
		extent->low[i] = extent->count == 0 ? along : fminf(extent->low[i], along);
		extent->high[i] = extent->count == 0 ? along : fmaxf(extent->high[i], along);
	}
	++extent->count;
}

double rpExtent_GetDiameter(const rpExtent* extent)
{
	float diameter = 0.0f;
	for (int i = 0; i < directionCount; ++i)
	{
		diameter = fmaxf(diameter, extent->high[i] - extent->low[i]);
	}
	return (double)diameter;
}
