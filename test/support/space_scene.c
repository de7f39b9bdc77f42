#include "space_scene.h"

#include <stdio.h>
#include <string.h>

double testFindEventAfter(const rpMotion* motion, const char* name, double after)
{
	for (int i = 0; i < motion->annotations.eventCount; ++i)
	{
		const rpEvent* event = &motion->annotations.events[i];
		if (strcmp(event->name, name) == 0 && event->time > after)
		{
			return event->time;
		}
	}
	fail_msg("no %s after %g s", name, after);
	return 0.0;
}

void testMakeWalks(rpMotion* walks[testWalkCount], rpMatch matches[testWalkCount])
{
	for (int i = 0; i < testWalkCount; ++i)
	{
		char name[24];
		rpPerformDef def = rpDefaultPerformDef(rp_actWalk);
		def.fps = 60.0;
		def.seconds = 5.0;
		def.parameters[rp_paramTurn] = (float)((20 * i - 40) * RP_DEGREE);
		walks[i] = rpPerform(&def, NULL);
		assert_non_null(walks[i]);
		snprintf(name, sizeof(name), "walk-%d", i);
		assert_true(rpMotion_SetName(walks[i], name, NULL));
		double start = testFindEventAfter(walks[i], "heel_strike_left", 1.0);
		double end = testFindEventAfter(walks[i], "heel_strike_left", start + 0.1);
		matches[i] = (rpMatch){.stretch = {i, false, start, end}, .parent = i - 1};
	}
}

void testDestroyWalks(rpMotion* walks[testWalkCount])
{
	for (int i = 0; i < testWalkCount; ++i)
	{
		rpDestroyMotion(walks[i]);
	}
}

rpSpace* testMakeWalkSpace(void)
{
	rpMotion* walks[testWalkCount];
	rpMatch matches[testWalkCount];
	rpSpaceDef def = rpDefaultSpaceDef();
	rpError error = {0};
	def.features = "turn";
	testMakeWalks(walks, matches);
	rpSpace* space =
		rpBuildSpace((const rpMotion* const*)walks, testWalkCount, matches, testWalkCount, &def, NULL, NULL, &error);
	testDestroyWalks(walks);
	if (space == NULL)
	{
		fail_msg("%s", error.message);
	}
	return space;
}

enum
{
	punchCount = 8,
};

// At the corners of a box.
static rpMotion* makePunch(int index)
{
	static const rpParameter axes[] = {rp_paramHeight, rp_paramReach, rp_paramSide};
	char name[24];
	rpPerformDef def = rpDefaultPerformDef(rp_actPunch);
	def.fps = 60.0;
	for (int i = 0; i < 3; ++i)
	{
		rpParameterRange range;
		assert_true(rpAct_GetRange(rp_actPunch, axes[i], &range));
		def.parameters[axes[i]] = (index >> i & 1) != 0 ? range.high : range.low;
	}
	rpMotion* punch = rpPerform(&def, NULL);
	assert_non_null(punch);
	snprintf(name, sizeof(name), "punch-%d", index);
	assert_true(rpMotion_SetName(punch, name, NULL));
	return punch;
}

rpSpace* testMakePunchSpace(void)
{
	rpMotion* punches[punchCount];
	rpMatch matches[punchCount];
	rpSpaceDef def = rpDefaultSpaceDef();
	rpError error = {0};
	def.features = "right_wrist@hit";
	def.maxSamples = 60;
	for (int i = 0; i < punchCount; ++i)
	{
		punches[i] = makePunch(i);
		matches[i] = (rpMatch){.stretch = {i, false, 0.0, rpMotion_GetDuration(punches[i])}, .parent = -1};
	}
	rpSpace* space =
		rpBuildSpace((const rpMotion* const*)punches, punchCount, matches, punchCount, &def, NULL, NULL, &error);
	for (int i = 0; i < punchCount; ++i)
	{
		rpDestroyMotion(punches[i]);
	}
	if (space == NULL)
	{
		fail_msg("%s", error.message);
	}
	return space;
}
