/// A space of punches from nine that are performed, and punches to nine places across it: how far each hits from what
/// was asked for.
#include "reprise/reprise.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum
{
	side = 3,
	count = side * side,
};

// An example of the action, from before the fist goes out until it is back.
static rpMotion* perform(int index, rpMatch* match, rpError* error)
{
	rpPerformDef def = rpDefaultPerformDef(rp_actPunch);
	def.parameters[rp_paramSide] = 0.1f * (float)(index % side - 1);
	def.parameters[rp_paramHeight] = 1.2f + 0.15f * (float)(index / side);
	def.parameters[rp_paramReach] = 0.75f;
	*match = (rpMatch){.stretch = {.clip = index, .start = 0.9, .end = 2.2}, .parent = -1};
	return rpPerform(&def, error);
}

static rpSpace* build(rpError* error)
{
	rpMotion* takes[count] = {NULL};
	rpMatch matches[count];
	bool done = true;
	for (int i = 0; i < count && done; ++i)
	{
		takes[i] = perform(i, &matches[i], error);
		done = takes[i] != NULL;
	}
	rpSpaceDef def = rpDefaultSpaceDef();
	def.features = "right_wrist.x@hit,right_wrist.y@hit";
	rpSpaceBuildReport report;
	rpSpace* space =
		done ? rpBuildSpace((const rpMotion* const*)takes, count, matches, count, &def, NULL, &report, error) : NULL;
	for (int i = 0; i < count; ++i)
	{
		rpDestroyMotion(takes[i]);
	}
	if (space != NULL)
	{
		printf("%d examples, %d samples, %d registrations\n", space->exampleCount, space->sampleCount,
			   report.registrationCount);
	}
	return space;
}

// Make a punch to a place, and measure on its frames where it hits. Returns how far off, metres; below 0: it failed.
static double punch(const rpSpace* space, const rpSpaceMaker* maker, const float* asked, rpError* error)
{
	rpSpaceMotion made;
	float hit[2];
	rpMotion* motion = rpSpaceMaker_Make(maker, asked, NULL, 60.0, &made, error);
	rpFeatureList* where = motion != NULL ? rpCreateFeatureList(space->features, motion->skeleton, NULL, error) : NULL;
	rpFeatureStretch stretch = {motion, 0.0, motion != NULL ? rpMotion_GetDuration(motion) : 0.0};
	bool done = where != NULL && rpFeatureList_Measure(where, &stretch, hit, error);
	double off = done ? hypot((double)(hit[0] - asked[0]), (double)(hit[1] - asked[1])) : -1.0;
	if (done)
	{
		printf("asked for (%.3f, %.3f) m, hits at (%.3f, %.3f): %.1f mm off; %d examples\n", (double)asked[0],
			   (double)asked[1], (double)hit[0], (double)hit[1], 1e3 * off, made.answer.weightCount);
	}
	rpDestroyFeatureList(where);
	rpDestroyMotion(motion);
	return off;
}

int main(void)
{
	rpError error = {0};
	rpSpace* space = build(&error);
	rpSpaceMaker* maker = space != NULL ? rpCreateSpaceMaker(space, &error) : NULL;
	double worst = 0.0;
	bool done = maker != NULL;
	for (int i = 0; i < count && done; ++i)
	{
		// Across what examples span, but not along its rim.
		const float shares[2] = {0.3f + 0.2f * (float)(i % side), 0.3f + 0.2f * (float)(i / side)};
		float asked[2];
		for (int k = 0; k < 2; ++k)
		{
			asked[k] = space->parameters[k].low + shares[k] * (space->parameters[k].high - space->parameters[k].low);
		}
		double off = punch(space, maker, asked, &error);
		done = off >= 0.0;
		worst = fmax(worst, off);
	}
	rpDestroySpaceMaker(maker);
	rpDestroySpace(space);
	if (!done)
	{
		fprintf(stderr, "%s\n", error.message);
	}
	return done && worst < 0.02 ? EXIT_SUCCESS : EXIT_FAILURE;
}
