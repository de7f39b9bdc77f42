// An outside program: makes a motion, saves, loads, compares. It needs no performer.
#include <reprise/reprise.h>

#include <stdio.h>

static rpMotion* makeMotion(rpError* error)
{
	rpJoint joints[2] = {rpDefaultJoint(), rpDefaultJoint()};
	joints[0].name = "Hips";
	joints[1].name = "Spine";
	joints[1].parent = 0;
	joints[1].offset = (rpVec3){0.0f, 0.5f, 0.0f};
	rpSkeletonDef def = rpDefaultSkeletonDef();
	def.joints = joints;
	def.jointCount = 2;
	rpSkeleton* skeleton = rpCreateSkeleton(&def, error);
	rpMotion* motion = skeleton != NULL ? rpCreateMotion(skeleton, "still", 30.0, 31, error) : NULL;
	rpReleaseSkeleton(skeleton);
	return motion;
}

int main(int argumentCount, char** arguments)
{
	const char* path = argumentCount > 1 ? arguments[1] : "out.bvh";
	rpError error = {0};
	rpReadDef def = rpDefaultReadDef();
	rpMotion* motion = makeMotion(&error);
	rpMotion* back = NULL;
	if (motion == NULL || !rpSaveMotion(motion, path, NULL, &error) ||
		(back = rpLoadMotion(path, &def, NULL, &error)) == NULL)
	{
		fprintf(stderr, "%s: %s\n", error.file, error.message);
		rpDestroyMotion(motion);
		return 1;
	}
	bool same = rpMotion_Agrees(motion, back, 1e-5f);
	printf("Reprise %s: %d frames, %s\n", rpVersion(), back->frameCount, same ? "the same" : "different");
	rpDestroyMotion(motion);
	rpDestroyMotion(back);
	return same ? 0 : 1;
}
