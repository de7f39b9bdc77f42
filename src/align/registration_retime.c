/// One of several registered motions, in the time and at the place of the first.
#include "base/assert.h"
#include "base/memory.h"
#include "reprise/edit.h"
#include "reprise/registration.h"

// The second motion takes the first one's place in the variable.
static rpMotion* replace(rpMotion* old, rpMotion* new)
{
	rpDestroyMotion(old);
	return new;
}

static rpMotion* retime(const rpRegistration* registration, int motion, rpError* error)
{
	int count = registration->keyCount;
	double* newTimes = rpAllocate((size_t)count, sizeof(double), error);
	if (newTimes == NULL)
	{
		return NULL;
	}
	for (int k = 0; k < count; ++k)
	{
		newTimes[k] = registration->times[k] - registration->times[0];
	}
	rpWarp warp = {newTimes, registration->times + (ptrdiff_t)motion * count, count, true};
	rpMotion* result = rpRetimeMotion(registration->motions[motion], &warp, error);
	rpFree(newTimes);
	return result;
}

rpMotion* rpRegistration_Retime(const rpRegistration* registration, int motion, rpError* error)
{
	RP_ASSERT(motion >= 0 && motion < registration->motionCount);
	double start = registration->times[0], end = registration->times[registration->keyCount - 1];
	double fps = registration->motions[0]->fps;
	rpMotion* result = retime(registration, motion, error);
	if (result != NULL && result->fps != fps)
	{
		result = replace(result, rpResampleMotion(result, fps, error));
	}
	// What comes after the registered stretch.
	if (result != NULL && rpMotion_GetDuration(result) > end - start + 0.5 / fps)
	{
		result = replace(result, rpCropMotion(result, 0.0, end - start, error));
	}
	rpGroundTransform ground = rpRegistration_GetGround(registration, motion, start);
	ground.turn = rpWrapAngle(ground.turn);
	return result != NULL && motion > 0 ? replace(result, rpMoveMotion(result, ground, error)) : result;
}
