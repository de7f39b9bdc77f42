/// The velocity rule: Wang's thesis, section V.1.2. No joint shall change its speed much, so a blend takes as long as
/// the major joint that is furthest from its goal needs at the speed that it has.
#include "base/memory.h"
#include "transition/blend_rules.h"

// Shoulders, elbows, hips, knees.
static const rpRole s_major[] = {
	rp_roleLeftShoulder, rp_roleRightShoulder, rp_roleLeftElbow, rp_roleRightElbow,
	rp_roleLeftHip,      rp_roleRightHip,      rp_roleLeftKnee,  rp_roleRightKnee,
};

enum
{
	majorCount = sizeof(s_major) / sizeof(s_major[0]),
};

// The angular speed of a joint, rad/s, over a step to both sides; at an end of the motion over one.
static double getSpeed(const rpMotion* motion, double moment, int joint, double step)
{
	double first = fmax(moment - step, 0.0), last = fmin(moment + step, rpMotion_GetDuration(motion));
	if (!(last > first))
	{
		return 0.0;
	}
	rpQuat before = rpSampleJoint(motion, first, joint), after = rpSampleJoint(motion, last, joint);
	return (double)rpAngleBetween(before, after) / (last - first);
}

static void tryJoint(const rpLengthTask* task, int joint, rpBlendLength* out)
{
	double step = 1.0 / task->def->fps;
	double difference =
		(double)rpAngleBetween(rpSampleJoint(task->a, task->ta, joint), rpSampleJoint(task->b, task->tb, joint));
	if (out->joint < 0 || difference > out->difference)
	{
		out->joint = joint;
		out->difference = difference;
		out->speed = 0.5 * (getSpeed(task->a, task->ta, joint, step) + getSpeed(task->b, task->tb, joint, step));
	}
}

void rpLengthTask_FindVelocity(const rpLengthTask* task, rpBlendLength* out)
{
	const rpSkeleton* skeleton = task->a->skeleton;
	out->joint = -1;
	for (int i = 0; i < majorCount; ++i)
	{
		int joint = skeleton->roles[s_major[i]];
		if (joint >= 0)
		{
			tryJoint(task, joint, out);
		}
	}
	// A body without any of these: the joints that count.
	bool isStrange = out->joint < 0;
	for (int k = 0; isStrange && k < task->window.jointCount; ++k)
	{
		tryJoint(task, task->window.joints[k], out);
	}
	int steps = task->fromSteps < task->toSteps ? task->fromSteps : task->toSteps;
	double seconds = out->difference / fmax(out->speed, task->def->slowest);
	out->seconds = fmin(fmax(seconds, task->shortest / task->def->fps), steps / task->def->fps);
	out->fromSeconds = out->toSeconds = out->seconds;
}
