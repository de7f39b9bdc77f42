/// Fuzzes the sidecar reader. What it accepts must be written to a text that it accepts again, with the same
/// annotations.
#include "file/sidecar.h"

#include <stdlib.h>
#include <string.h>

#define HASH "0123456789abcdef0123456789abcdef"

static rpMotion* makeMotion(void)
{
	rpJoint joints[3] = {rpDefaultJoint(), rpDefaultJoint(), rpDefaultJoint()};
	joints[0].name = "Hips";
	joints[1].name = "Spine";
	joints[2].name = "Head";
	joints[1].parent = 0;
	joints[2].parent = 1;
	joints[1].offset = joints[2].offset = (rpVec3){0.0f, 0.5f, 0.0f};
	rpSkeletonDef def = rpDefaultSkeletonDef();
	def.joints = joints;
	def.jointCount = 3;
	rpSkeleton* skeleton = rpCreateSkeleton(&def, NULL);
	rpMotion* motion = skeleton != NULL ? rpCreateMotion(skeleton, "fuzz", 30.0, 31, NULL) : NULL;
	rpReleaseSkeleton(skeleton);
	return motion;
}

static rpText write(const rpMotion* motion)
{
	rpText text = {0};
	rpSaveDef def = rpDefaultSaveDef();
	if (!rpWriteSidecar(&motion, 1, &def, "fuzz.bvh", HASH, &text, NULL))
	{
		abort();
	}
	return text;
}

static rpText writeAnnotations(const rpMotion* motion)
{
	rpText text = {0};
	if (!rpWriteAnnotations(&motion->annotations, &text, NULL))
	{
		abort();
	}
	return text;
}

static void readAgain(const rpMotion* motion)
{
	rpText text = write(motion);
	rpMotion* again = makeMotion();
	rpSidecar sidecar;
	if (again == NULL || !rpReadSidecar(text.data, text.size, HASH, again, &sidecar, NULL))
	{
		abort();
	}
	// Rotations are made unit once more, which may change their last digit; all else is exact.
	rpText first = writeAnnotations(motion), second = writeAnnotations(again);
	if (strcmp(first.data, second.data) != 0 || motion->fps != again->fps)
	{
		abort();
	}
	rpText_Free(&text);
	rpText_Free(&first);
	rpText_Free(&second);
	rpDestroyMotion(again);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
	rpMotion* motion = makeMotion();
	rpSidecar sidecar;
	rpError error = {0};
	if (motion != NULL && rpReadSidecar((const char*)data, size, HASH, motion, &sidecar, &error) &&
		strcmp(sidecar.hash, HASH) == 0)
	{
		readAgain(motion);
	}
	rpDestroyMotion(motion);
	rpAnnotations annotations;
	if (rpReadAnnotations((const char*)data, size, &annotations, &error))
	{
		rpAnnotations_Free(&annotations);
	}
	return 0;
}
