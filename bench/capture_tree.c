#include "capture_tree.h"

#include <stdio.h>

const int bench_parents[BENCH_JOINT_COUNT] = {-1, 0,  1,  2,  3,  4,  0,  6,  7,  8,  9,  0,  11, 12, 13, 14,
											  15, 13, 17, 18, 19, 20, 21, 20, 13, 24, 25, 26, 27, 28, 27};

rpSkeleton* benchMakeTree(void)
{
	static char names[BENCH_JOINT_COUNT][16];
	rpJoint joints[BENCH_JOINT_COUNT];
	for (int i = 0; i < BENCH_JOINT_COUNT; ++i)
	{
		snprintf(names[i], sizeof(names[i]), "j%d", i);
		joints[i] = rpDefaultJoint();
		joints[i].name = names[i];
		joints[i].parent = bench_parents[i];
		joints[i].offset = (rpVec3){0.01f * (float)(i % 7 - 3), 0.1f, 0.02f * (float)(i % 5 - 2)};
	}
	rpSkeletonDef def = rpDefaultSkeletonDef();
	def.joints = joints;
	def.jointCount = BENCH_JOINT_COUNT;
	def.guessRoles = false;
	return rpCreateSkeleton(&def, NULL);
}
