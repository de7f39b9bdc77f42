#include "motion/roles.h"

void rpPlaceEffectors(rpSkeleton* skeleton, const rpTransform* rest)
{
	(void)rest;
	for (int i = 0; i < rp_effectorCount; ++i)
	{
		skeleton->effectors[i] = (rpAttachment){.joint = -1};
	}
}
