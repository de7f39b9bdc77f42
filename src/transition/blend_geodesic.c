/// The geodesic rule: Wang's thesis, section V.1.1, and its form for blends that are anchored at their centre.
///
/// Anchored at its ends, a blend of L steps compares a's moment + n with b's moment - (L - n), n = 0 … L: other pairs
/// for every length. Anchored at its centre it compares moments that are equally far from both, in half steps, so that
/// odd lengths have their ends on samples too.
#include "base/memory.h"
#include "transition/blend_rules.h"

// The mean of sums of a length, as part of the curve.
static void putMeans(const rpLengthTask* task, int steps, const double* sums, rpBlendLength* out)
{
	int index = steps - task->shortest;
	if (index < 0)
	{
		return;
	}
	out->lengths[index] = steps / task->def->fps;
	out->costs[index] = 0.0;
	for (int k = 0; k < out->jointCount; ++k)
	{
		double mean = sums[k] / (steps + 1);
		out->jointCosts[(size_t)k * (size_t)out->lengthCount + (size_t)index] = mean;
		out->costs[index] += mean;
	}
}

static void clear(double* sums, int count)
{
	for (int k = 0; k < count; ++k)
	{
		sums[k] = 0.0;
	}
}

static void measureEnds(const rpLengthTask* task, int longest, rpBlendLength* out)
{
	double sums[RP_MAX_JOINTS];
	for (int steps = task->shortest; steps <= longest; ++steps)
	{
		clear(sums, out->jointCount);
		for (int n = 0; n <= steps; ++n)
		{
			rpBlendWindow_Add(&task->window, n, steps - n, sums);
		}
		putMeans(task, steps, sums, out);
	}
}

// A length has the pairs of the one that is two steps shorter, and one more at each end.
static void measureCentre(const rpLengthTask* task, int longest, rpBlendLength* out)
{
	double sums[RP_MAX_JOINTS];
	int middle = task->window.fromCount / 2;
	for (int first = 0; first < 2; ++first)
	{
		clear(sums, out->jointCount);
		for (int steps = first; steps <= longest; steps += 2)
		{
			rpBlendWindow_Add(&task->window, middle + steps, middle + steps, sums);
			if (steps > 0)
			{
				rpBlendWindow_Add(&task->window, middle - steps, middle - steps, sums);
			}
			putMeans(task, steps, sums, out);
		}
	}
}

static bool sampleWindow(rpLengthTask* task, int steps, rpError* error)
{
	double step = 1.0 / task->def->fps, half = 0.5 * step * steps;
	bool atEnds = task->def->anchor == rp_anchorEnds;
	int fromCount = (task->fromSteps > 0 ? task->fromSteps : 0) + 1;
	int toCount = (task->toSteps > 0 ? task->toSteps : 0) + 1;
	return atEnds ? rpBlendWindow_Sample(&task->window, task->a, task->ta, step, fromCount, task->b, task->tb, -step,
										 toCount, error)
				  : rpBlendWindow_Sample(&task->window, task->a, task->ta - half, 0.5 * step, 2 * steps + 1, task->b,
										 task->tb - half, 0.5 * step, 2 * steps + 1, error);
}

static bool allocateCurve(const rpBlendWindow* window, int count, rpBlendLength* out, rpError* error)
{
	out->lengthCount = count;
	out->jointCount = window->jointCount;
	out->lengths = rpAllocate((size_t)count, sizeof(double), error);
	out->costs = rpAllocate((size_t)count, sizeof(double), error);
	out->joints = rpAllocate((size_t)window->jointCount, sizeof(int), error);
	out->jointCosts = rpAllocate((size_t)count * (size_t)window->jointCount, sizeof(double), error);
	return out->lengths != NULL && out->costs != NULL && out->joints != NULL && out->jointCosts != NULL;
}

bool rpLengthTask_MakeCurve(rpLengthTask* task, rpBlendLength* out, rpError* error)
{
	int steps = task->fromSteps < task->toSteps ? task->fromSteps : task->toSteps;
	steps = steps > 0 ? steps : 0;
	int count = steps - task->shortest + 1 > 0 ? steps - task->shortest + 1 : 0;
	if (!sampleWindow(task, steps, error) || !allocateCurve(&task->window, count, out, error))
	{
		return false;
	}
	for (int k = 0; k < out->jointCount; ++k)
	{
		out->joints[k] = task->window.joints[k];
	}
	task->def->anchor == rp_anchorEnds ? measureEnds(task, steps, out) : measureCentre(task, steps, out);
	return true;
}

static int findMin(const rpBlendLength* length)
{
	int min = 0;
	for (int i = 1; i < length->lengthCount; ++i)
	{
		min = length->costs[i] < length->costs[min] ? i : min;
	}
	return min;
}

// The last length before the mean cost first goes above its bar, and up to one in seconds.
static int findLongest(const rpBlendLength* length, double bar, double seconds)
{
	int last = 0;
	while (last + 1 < length->lengthCount && length->costs[last + 1] <= bar &&
		   length->lengths[last + 1] <= seconds + 1e-9)
	{
		++last;
	}
	return last;
}

void rpLengthTask_FindGeodesic(const rpLengthTask* task, rpBlendLength* out)
{
	int chosen;
	if (task->def->anchor == rp_anchorEnds)
	{
		chosen = findMin(out);
	}
	else
	{
		int middle = task->window.fromCount / 2;
		double centre = fmax(rpBlendWindow_Compare(&task->window, middle, middle), task->def->centreFloor);
		chosen = findLongest(out, task->def->centreRatio * centre, task->def->centreLongest);
	}
	out->seconds = out->lengths[chosen];
	out->fromSeconds = out->toSeconds = out->seconds;
}

int rpFindCentredSteps(const rpBlendWindow* a, int i, const rpBlendWindow* b, int j, const rpBlendLengthDef* def,
					   int shortest, int longest)
{
	int count = a->jointCount, chosen = shortest;
	ptrdiff_t size = 4 * (ptrdiff_t)count;
	const double *p = a->from + i * size, *q = b->from + j * size;
	double centre = rpCompareSamples(p, q, a->weights, count);
	// Lengths of even and of odd numbers of steps have pairs of their own.
	double sums[2] = {centre, 0.0}, bar = def->centreRatio * fmax(centre, def->centreFloor);
	for (int steps = 1; steps <= longest; ++steps)
	{
		double* sum = &sums[steps & 1];
		*sum += rpCompareSamples(p + steps * size, q + steps * size, a->weights, count) +
				rpCompareSamples(p - steps * size, q - steps * size, a->weights, count);
		if (steps > shortest && *sum > bar * (steps + 1))
		{
			break;
		}
		chosen = steps > shortest ? steps : chosen;
	}
	return chosen;
}
