/// Reading a registration: times and ground transforms between its keys.
#include "base/assert.h"
#include "base/memory.h"
#include "reprise/play/registered_blend.h"

void rpDestroyRegistration(rpRegistration* registration)
{
	if (registration == NULL)
	{
		return;
	}
	rpFree(registration->motions);
	rpFree(registration->times);
	rpFree(registration->grounds);
	rpFree(registration->costs);
	rpFree(registration->links);
	rpFree(registration->stages);
	rpFree(registration);
}

double rpRegistration_GetTime(const rpRegistration* registration, int motion, double seconds)
{
	RP_ASSERT(motion >= 0 && motion < registration->motionCount);
	if (motion == 0)
	{
		return seconds;
	}
	rpWarp warp = {
		.newTimes = registration->times,
		.oldTimes = registration->times + (ptrdiff_t)motion * registration->keyCount,
		.count = registration->keyCount,
		.smooth = true,
	};
	return rpWarp_Apply(&warp, seconds);
}

// The last key that is not after a time, so that another follows.
static int findKey(const double* times, int count, double seconds)
{
	int low = 0, high = count - 1;
	while (high - low > 1)
	{
		int middle = low + (high - low) / 2;
		*(times[middle] <= seconds ? &low : &high) = middle;
	}
	return low;
}

// Shares of the four keys around a piece in a cubic Hermite curve whose slope at a key is that of the chord between its
// neighbours; at the ends that of the piece itself.
static void getShares(const double* times, int count, int key, double seconds, int keys[4], double shares[4])
{
	for (int i = 0; i < 4; ++i)
	{
		int index = key - 1 + i;
		keys[i] = index < 0 ? 0 : index > count - 1 ? count - 1 : index;
	}
	double width = times[keys[2]] - times[keys[1]];
	double s = fmin(fmax((seconds - times[keys[1]]) / width, 0.0), 1.0);
	double startSlope = s * (1.0 - s) * (1.0 - s) * width / (times[keys[2]] - times[keys[0]]);
	double endSlope = -s * s * (1.0 - s) * width / (times[keys[3]] - times[keys[1]]);
	double rise = rpSmoothstep(s);
	shares[0] = -startSlope;
	shares[1] = 1.0 - rise - endSlope;
	shares[2] = rise + startSlope;
	shares[3] = endSlope;
}

// Transforms are mixed by what they do with the root, not by their shifts: those depend on where the origin is, and
// cut corners when a turn far from it changes.
rpGroundTransform rpRegistration_GetGround(const rpRegistration* registration, int motion, double seconds)
{
	RP_ASSERT(motion >= 0 && motion < registration->motionCount);
	if (motion == 0)
	{
		return rpGroundTransform_identity;
	}
	const rpGroundTransform* grounds = registration->grounds + (ptrdiff_t)motion * registration->keyCount;
	rpVec3 root =
		rpMotion_GetPlace(registration->motions[motion], rpRegistration_GetTime(registration, motion, seconds));
	int keys[4];
	double shares[4];
	int key = findKey(registration->times, registration->keyCount, seconds);
	getShares(registration->times, registration->keyCount, key, seconds, keys, shares);
	double turn = 0.0;
	rpVec3 place = rpVec3_zero;
	for (int i = 0; i < 4; ++i)
	{
		turn += shares[i] * grounds[keys[i]].turn;
		place = rpMulAdd(place, (float)shares[i], rpGroundTransform_Apply(grounds[keys[i]], root));
	}
	rpGroundTransform result = {(float)turn, rpVec3_zero};
	result.shift = rpSub(place, rpGroundTransform_Apply(result, root));
	return result;
}
