/// Any bytes through reading and the doctor; the first byte chooses the options.
#include "reprise/reprise.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const char s_asf[] =
	":version 1.10\n:name x\n:units\nmass 1.0\nlength 0.45\nangle deg\n:root\norder TX TY TZ RX RY "
	"RZ\naxis XYZ\nposition 0 0 0\norientation 0 0 0\n:bonedata\nbegin\nid 1\nname a\ndirection 0 "
	"1 0\nlength 2\naxis 0 0 20 XYZ\ndof rx ry rz\nlimits (-160.0 20.0)\n(-70.0 70.0)\n(-60.0 "
	"70.0)\nend\n:hierarchy\nbegin\nroot a\nend\n";

// What the doctor hands out must be fit for use, whatever came in.
static void check(const rpMotion* motion)
{
	if (motion->frameCount < 1 || !(motion->fps > 0.0) || motion->skeleton == NULL || motion->inputCount != 1)
	{
		abort();
	}
	rpTransform pose[RP_MAX_JOINTS];
	rpMotion_Forward(motion, motion->frameCount - 1, pose);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
	if (size < 1)
	{
		return 0;
	}
	rpReadDef def = rpDefaultReadDef();
	def.repair = (data[0] & 1) == 0;
	def.keepRestRow = (data[0] & 2) != 0;
	def.addOffsets = (data[0] & 4) != 0;
	def.up = (rpUpAxis)(data[0] >> 3 & 3);
	def.scale = (data[0] & 32) != 0 ? 0.01 : 0.0;
	def.skeletonBytes = s_asf;
	def.skeletonSize = sizeof(s_asf) - 1;
	rpFindings findings = {0};
	rpError error = {0};
	rpMotion* motion = rpReadMotion(data + 1, size - 1, (data[0] & 64) != 0 ? "a.amc" : "a", &def, &findings, &error);
	if (motion != NULL)
	{
		check(motion);
	}
	else if (error.code == rp_errorNone || error.message[0] == 0)
	{
		abort();
	}
	rpDestroyMotion(motion);
	rpFindings_Free(&findings);
	return 0;
}
