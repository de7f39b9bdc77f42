#include "demo_feet.h"

#include <math.h>
#include <stdlib.h>

rpMotion* cliSlideFeet(cliRun* run)
{
	rpPerformDef def = rpDefaultPerformDef(rp_actWalk);
	rpError error = {0};
	def.seconds = 6.0;
	rpMotion* motion = rpPerform(&def, &error);
	if (motion == NULL)
	{
		cliFailWork(run, &error);
		return NULL;
	}
	rpAnnotations_Clear(&motion->annotations, rp_trackContact, NULL);
	for (int f = 0; f < motion->frameCount; ++f)
	{
		double t = f / motion->fps;
		motion->rootPositions[f].x += (float)(0.024 * sin(2.0 * M_PI * 1.1 * t));
		motion->rootPositions[f].z += (float)(0.012 * sin(2.0 * M_PI * 0.7 * t));
	}
	return motion;
}

rpMotion* cliCleanFeet(cliRun* run)
{
	rpMotion* motion = cliSlideFeet(run);
	rpFootLockDef def = rpDefaultFootLockDef();
	rpFootLockReport report;
	rpError error = {0};
	if (motion == NULL || (rpDetectContacts(motion, NULL, NULL, &error) && rpLockFeet(motion, &def, &report, &error)))
		return motion;
	cliFailWork(run, &error);
	rpDestroyMotion(motion);
	return NULL;
}

char* cliJudgeFeet(const rpMotion* motion)
{
	rpMeasures measures;
	if (!rpEvaluate(motion, NULL, &measures, NULL) || measures.stanceCount == 0)
		return cliFormat("%s", "");
	return cliFormat("Feet slide by %.1f mm in a stance, %.0f %% of the time faster than 15 cm/s.",
					 measures.values[rp_measureSlideMean], 100.0 * measures.values[rp_measureSkateRatio]);
}
