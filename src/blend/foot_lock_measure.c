#include "blend/foot_lock_measure.h"

#include "blend/foot_lock_plan.h"

static void sampleFoot(const rpMotion* motion, const rpFootRig* rig, int frame, int side, rpTransform* world,
					   rpFootSample* out)
{
	const rpVec3* translations = motion->translations != NULL
									 ? motion->translations + (size_t)frame * (size_t)motion->skeleton->jointCount
									 : NULL;
	rpFootRig_Forward(rig, motion->rootPositions[frame], rpMotion_GetRotations(motion, frame), translations, world);
	rpLeg_Sample(rig->legs + side, world, out);
}

// The way over the floor that a point makes from frame `first` to before frame `end`.
static float measureSlide(const rpMotion* motion, const rpFootRig* rig, int side, int point, int first, int end)
{
	rpTransform world[RP_MAX_JOINTS];
	rpFootSample sample;
	rpVec3 old = rpVec3_zero;
	double way = 0.0;
	for (int frame = first; frame < end; ++frame)
	{
		sampleFoot(motion, rig, frame, side, world, &sample);
		rpVec3 new = sample.sole[point];
		if (frame > first)
		{
			way += hypotf(new.x - old.x, new.z - old.z);
		}
		old = new;
	}
	return (float)way;
}

static void addSlide(rpSlide* slide, float way)
{
	slide->mean = (slide->mean * (float)slide->contactCount + way) / (float)(slide->contactCount + 1);
	slide->max = fmaxf(slide->max, way);
	++slide->contactCount;
}

void rpMeasureSlides(const rpMotion* motion, const rpFootRig* rig, rpSlide* all, rpSlide* heels, rpSlide* balls)
{
	*all = *heels = *balls = (rpSlide){0};
	for (int i = 0; i < motion->annotations.intervalCount; ++i)
	{
		const rpInterval* contact = motion->annotations.intervals + i;
		if (!rpIsSoleContact(contact))
		{
			continue;
		}
		int side = contact->effector == rp_leftHeel || contact->effector == rp_leftBall ? 0 : 1;
		int point = contact->effector == rp_leftHeel || contact->effector == rp_rightHeel ? 0 : 1;
		int first = rpGetFirstFrame(motion, contact->start), end = rpGetEndFrame(motion, contact->end);
		if (rig->legs[side].isThere && first < end)
		{
			float way = measureSlide(motion, rig, side, point, first, end);
			addSlide(all, way);
			addSlide(point == 0 ? heels : balls, way);
		}
	}
}

// Angle between thigh and shank.
static float getBend(const rpLeg* leg, const rpTransform* world)
{
	rpVec3 thigh = rpSub(world[leg->knee].p, world[leg->hip].p);
	rpVec3 shank = rpSub(world[leg->ankle].p, world[leg->knee].p);
	return atan2f(rpLength(rpCross(thigh, shank)), rpDot(thigh, shank));
}

float rpMeasureKneeSpeed(const rpMotion* motion, const rpFootRig* rig)
{
	rpTransform world[RP_MAX_JOINTS];
	float old[rp_legCount] = {0}, fastest = 0.0f;
	for (int frame = 0; frame < motion->frameCount; ++frame)
	{
		const rpVec3* translations = motion->translations != NULL
										 ? motion->translations + (size_t)frame * (size_t)motion->skeleton->jointCount
										 : NULL;
		rpFootRig_Forward(rig, motion->rootPositions[frame], rpMotion_GetRotations(motion, frame), translations, world);
		for (int side = 0; side < rp_legCount; ++side)
		{
			if (rig->legs[side].isThere)
			{
				float bend = getBend(rig->legs + side, world);
				fastest = frame > 0 ? fmaxf(fastest, fabsf(bend - old[side])) : fastest;
				old[side] = bend;
			}
		}
	}
	return fastest * (float)motion->fps;
}
