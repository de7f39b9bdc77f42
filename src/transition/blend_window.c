#include "transition/blend_window.h"

#include "base/error.h"
#include "base/memory.h"
#include "distance/metric.h"
#include "distance/square_angle.h"

void rpBlendWindow_Free(rpBlendWindow* window)
{
	rpFree(window->joints);
	rpFree(window->weights);
	rpFree(window->from);
	rpFree(window->to);
	*window = (rpBlendWindow){0};
}

/// A role's weight, by Wang.
typedef struct RoleWeight
{
	rpRole role;
	float weight;
} RoleWeight;

static const RoleWeight s_roles[] = {
	{rp_roleLeftHip, 1.0f},      {rp_roleRightHip, 1.0f},        {rp_roleLeftKnee, 0.0901f},
	{rp_roleRightKnee, 0.0901f}, {rp_roleLeftShoulder, 0.7884f}, {rp_roleRightShoulder, 0.7884f},
	{rp_roleLeftElbow, 0.0247f}, {rp_roleRightElbow, 0.0247f},
};

enum
{
	roleCount = sizeof(s_roles) / sizeof(s_roles[0]),
};

static void addJoint(rpBlendWindow* window, int joint, double weight)
{
	window->joints[window->jointCount] = joint;
	window->weights[window->jointCount++] = weight;
}

static void addByRole(rpBlendWindow* window, const rpSkeleton* skeleton)
{
	for (int i = 0; i < roleCount; ++i)
	{
		int joint = skeleton->roles[s_roles[i].role];
		if (joint > 0)
		{
			addJoint(window, joint, (double)s_roles[i].weight);
		}
	}
	for (int joint = 1; window->jointCount == 0 && joint < skeleton->jointCount; ++joint)
	{
		addJoint(window, joint, 1.0);
	}
}

static bool addByWeight(rpBlendWindow* window, const rpSkeleton* skeleton, const float* weights, rpError* error)
{
	for (int joint = 1; joint < skeleton->jointCount; ++joint)
	{
		if (!(isfinite(weights[joint]) && weights[joint] >= 0.0f))
		{
			return rpFail(error, rp_errorArgument, "the weight of joint \"%s\" is %g; it must not be negative",
						  skeleton->joints[joint].name, (double)weights[joint]);
		}
		if (weights[joint] > 0.0f)
		{
			addJoint(window, joint, (double)weights[joint]);
		}
	}
	return true;
}

// The root comes first in a metric, and does not count in a blend.
static void addByMetric(rpBlendWindow* window, const rpMetric* metric)
{
	for (int k = 1; k < metric->turnCount; ++k)
	{
		addJoint(window, metric->turnJoints[k], (double)metric->turnWeights[k]);
	}
}

bool rpBlendWindow_Choose(rpBlendWindow* window, const rpSkeleton* skeleton, const float* weights,
						  const rpMetric* metric, rpError* error)
{
	window->joints = rpAllocate((size_t)skeleton->jointCount + roleCount, sizeof(int), error);
	window->weights = rpAllocate((size_t)skeleton->jointCount + roleCount, sizeof(double), error);
	if (window->joints == NULL || window->weights == NULL)
	{
		return false;
	}
	bool hasMetric = metric != NULL && metric->kind == rp_metricAngle;
	if (weights == NULL)
	{
		hasMetric ? addByMetric(window, metric) : addByRole(window, skeleton);
	}
	else if (!addByWeight(window, skeleton, weights, error))
	{
		return false;
	}
	return window->jointCount > 0 ||
		   rpFail(error, rp_errorArgument, "no joint of the skeleton has a weight: blends cannot be compared");
}

rpQuat rpSampleJoint(const rpMotion* motion, double seconds, int joint)
{
	double place = fmin(fmax(seconds * motion->fps, 0.0), motion->frameCount - 1);
	int before = (int)place;
	int after = before + 1 < motion->frameCount ? before + 1 : before;
	rpQuat p = rpMotion_GetRotations(motion, before)[joint], q = rpMotion_GetRotations(motion, after)[joint];
	double share = place - before;
	return share > 1e-6 ? rpSlerp(p, q, (float)share) : p;
}

// Put a rotation into a sample, in the hemisphere of the one before, normalised in double precision.
static void putRotation(double* sample, const double* before, int stride, rpQuat q)
{
	double components[4] = {q.w, q.x, q.y, q.z}, square = 0.0, dot = 0.0;
	for (int c = 0; c < 4; ++c)
	{
		square += components[c] * components[c];
		dot += before != NULL ? components[c] * before[c * stride] : 1.0;
	}
	double scale = (dot < 0.0 ? -1.0 : 1.0) / sqrt(square);
	for (int c = 0; c < 4; ++c)
	{
		sample[c * stride] = scale * components[c];
	}
}

static void sampleSide(const rpBlendWindow* window, const rpMotion* motion, double start, double step, int count,
					   double* out)
{
	int stride = window->jointCount;
	for (int n = 0; n < count; ++n)
	{
		double* sample = out + (size_t)n * 4 * (size_t)stride;
		for (int k = 0; k < stride; ++k)
		{
			const double* before = n > 0 ? sample - 4 * stride + k : NULL;
			putRotation(sample + k, before, stride, rpSampleJoint(motion, start + n * step, window->joints[k]));
		}
	}
}

bool rpBlendWindow_Sample(rpBlendWindow* window, const rpMotion* a, double ta, double fromStep, int fromCount,
						  const rpMotion* b, double tb, double toStep, int toCount, rpError* error)
{
	size_t size = 4 * (size_t)window->jointCount;
	window->fromCount = fromCount;
	window->toCount = toCount;
	window->from = rpAllocate((size_t)fromCount * size, sizeof(double), error);
	window->to = rpAllocate((size_t)toCount * size, sizeof(double), error);
	if (window->from == NULL || window->to == NULL)
	{
		return false;
	}
	sampleSide(window, a, ta, fromStep, fromCount, window->from);
	sampleSide(window, b, tb, toStep, toCount, window->to);
	return true;
}

void rpBlendWindow_Add(const rpBlendWindow* window, int n, int m, double* sums)
{
	int count = window->jointCount;
	const double* p = window->from + (size_t)n * 4 * (size_t)count;
	const double* q = window->to + (size_t)m * 4 * (size_t)count;
	for (int k = 0; k < count; ++k)
	{
		double dot = 0.0;
		for (int c = 0; c < 4; ++c)
		{
			dot += p[c * count + k] * q[c * count + k];
		}
		double side = dot < 0.0 ? -1.0 : 1.0, square = 0.0;
		for (int c = 0; c < 4; ++c)
		{
			double difference = p[c * count + k] - side * q[c * count + k];
			square += difference * difference;
		}
		sums[k] += window->weights[k] * rpSquareAngle(0.5 * square);
	}
}

double rpCompareSamples(const double* p, const double* q, const double* weights, int count)
{
	double sum = 0.0;
	for (int k = 0; k < count; ++k)
	{
		double near = 0.0, far = 0.0;
		for (int c = 0; c < 4; ++c)
		{
			double difference = p[c * count + k] - q[c * count + k], other = p[c * count + k] + q[c * count + k];
			near += difference * difference;
			far += other * other;
		}
		sum += weights[k] * rpSquareAngle(0.5 * (near < far ? near : far));
	}
	return sum;
}

double rpBlendWindow_Compare(const rpBlendWindow* window, int n, int m)
{
	size_t size = 4 * (size_t)window->jointCount;
	return rpCompareSamples(window->from + (size_t)n * size, window->to + (size_t)m * size, window->weights,
							window->jointCount);
}
