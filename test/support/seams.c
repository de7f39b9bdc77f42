#include "seams.h"

double testMeasureVelocityJump(const rpMotion* motion, double start, double end, const char** which, double* when)
{
	rpTransform before[RP_MAX_JOINTS], now[RP_MAX_JOINTS], after[RP_MAX_JOINTS];
	int first = rpMotion_GetFrame(motion, start), last = rpMotion_GetFrame(motion, end);
	double largest = 0.0;
	for (int frame = first > 1 ? first : 1; frame <= last && frame < motion->frameCount - 1; ++frame)
	{
		rpMotion_Forward(motion, frame - 1, before);
		rpMotion_Forward(motion, frame, now);
		rpMotion_Forward(motion, frame + 1, after);
		for (int i = 0; i < motion->skeleton->jointCount; ++i)
		{
			rpVec3 change = rpSub(rpAdd(before[i].p, after[i].p), rpScale(2.0f, now[i].p));
			double jump = (double)rpLength(change) * motion->fps;
			if (jump > largest && which != NULL)
			{
				*which = motion->skeleton->joints[i].name;
			}
			if (jump > largest && when != NULL)
			{
				*when = frame / motion->fps;
			}
			largest = jump > largest ? jump : largest;
		}
	}
	return largest;
}

double testMeasurePoseJump(const rpMotion* motion, double start, double end)
{
	rpTransform now[RP_MAX_JOINTS], after[RP_MAX_JOINTS];
	int first = rpMotion_GetFrame(motion, start), last = rpMotion_GetFrame(motion, end);
	double largest = 0.0;
	for (int frame = first; frame < last; ++frame)
	{
		rpMotion_Forward(motion, frame, now);
		rpMotion_Forward(motion, frame + 1, after);
		for (int i = 0; i < motion->skeleton->jointCount; ++i)
		{
			largest = fmax(largest, rpDistance(now[i].p, after[i].p));
		}
	}
	return largest;
}

double testFindMoment(const rpMotion* a, double ta, const rpMotion* b, double margin, float* distance)
{
	rpTransitionDef def = rpDefaultTransitionDef();
	double best = -1.0, last = rpMotion_GetDuration(b) - margin;
	float min = 1e9f;
	for (double tb = margin; tb <= last; tb += 1.0 / 30.0)
	{
		rpTransitionReport report;
		rpError error = {0};
		rpMotion* motion = rpMakeTransition(a, ta, b, tb, &def, &report, &error);
		if (motion == NULL)
		{
			fail_msg("%s", error.message);
		}
		best = report.distance < min ? tb : best;
		min = fminf(min, report.distance);
		rpDestroyMotion(motion);
	}
	if (distance != NULL)
	{
		*distance = min;
	}
	return best;
}
