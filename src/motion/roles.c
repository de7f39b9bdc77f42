#include "motion/roles.h"

void rpGuessRoles(rpJoint* joints, int jointCount, const rpEndSite* ends, int endCount, const rpTransform* rest)
{
	(void)joints, (void)jointCount, (void)ends, (void)endCount, (void)rest;
}

void rpPairJoints(rpJoint* joints, int jointCount, const rpTransform* rest)
{
	(void)rest;
	for (int i = 0; i < jointCount; ++i)
	{
		joints[i].mirror = i;
	}
}
