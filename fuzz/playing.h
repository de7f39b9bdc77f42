/// A bundle played for a moment, whoever made it: whatever a player is made of, it shows numbers.
#pragma once

#include "reprise/reprise.h"

#include <math.h>
#include <stdlib.h>

static void expectPose(const rpPose* pose, int jointCount)
{
	bool isFinite = isfinite(pose->rootPosition.x) && isfinite(pose->rootPosition.y) && isfinite(pose->rootPosition.z);
	for (int i = 0; i < jointCount && isFinite; ++i)
	{
		isFinite = fabsf(rpDotQuat(pose->rotations[i], pose->rotations[i]) - 1.0f) < 0.01f;
	}
	if (!isFinite)
	{
		abort();
	}
}

static void playBundle(const void* bytes, size_t size, bool lockFeet)
{
	rpError error = {0};
	rpBundle* bundle = rpCreateBundle(bytes, size, &error);
	rpPlayerDef def = rpDefaultPlayerDef();
	def.lockFeet = lockFeet;
	rpPlayer* player = bundle != NULL ? rpCreatePlayer(bundle, &def, &error) : NULL;
	if (player != NULL)
	{
		static rpQuat rotations[RP_MAX_JOINTS];
		rpPose pose = {.rotations = rotations};
		rpPlayerReport report;
		int jointCount = rpPlayer_GetSkeleton(player)->jointCount;
		for (int i = 0; i < 40; ++i)
		{
			rpPlayerInput input = {.stick = {(float)(i % 3 - 1), (float)(i % 5 - 2)},
								   .request = (rpGait)(i / 8 % 3),
								   .locomotion.speed = (float)(i % 7),
								   .space = {i % 3 > 0, {(float)(i / 10 - 2), 1e30f, i % 4 == 0 ? NAN : 0.5f}},
								   .parametric = {.hasTarget = i % 4 == 1,
												  .target = {(float)i, 1.3f, i % 8 == 1 ? NAN : 1.0f},
												  .isRandom = i % 9 == 5}};
			rpPlayer_Step(player, 0.03, &input, &pose, &report);
			(void)rpPlayer_GetClipName(player, report.sources[0].clip);
			expectPose(&pose, jointCount);
		}
		rpPlayer_Peek(player, 0.7, &pose, &report);
		expectPose(&pose, jointCount);
	}
	rpDestroyPlayer(player);
	rpDestroyBundle(bundle);
}
