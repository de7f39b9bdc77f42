// An outside program that needs the runtime alone: a pose by forward kinematics.
#include <reprise/play/play.h>

#include <stdio.h>

int main(void)
{
	rpJoint joints[2] = {rpDefaultJoint(), rpDefaultJoint()};
	joints[0].name = "Hips";
	joints[1].name = "Spine";
	joints[1].parent = 0;
	joints[1].offset = (rpVec3){0.0f, 0.5f, 0.0f};
	rpSkeletonDef def = rpDefaultSkeletonDef();
	def.joints = joints;
	def.jointCount = 2;
	rpError error = {0};
	rpSkeleton* skeleton = rpCreateSkeleton(&def, &error);
	if (skeleton == NULL)
	{
		fprintf(stderr, "%s\n", error.message);
		return 1;
	}
	rpTransform pose[2];
	rpSkeleton_GetRest(skeleton, pose);
	printf("Spine at %.2f m\n", pose[1].p.y);
	rpReleaseSkeleton(skeleton);
	return pose[1].p.y == 0.5f ? 0 : 1;
}
