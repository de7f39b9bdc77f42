#include "judge/exhibit.h"

#include "base/memory.h"

static bool isFoot(const rpInterval* contact)
{
	return contact->effector <= rp_rightToe;
}

static bool openContacts(rpExhibit* exhibit, rpError* error)
{
	int count = rpMotion_GetIntervals(exhibit->motion, rp_trackContact, NULL, 0);
	exhibit->contacts = rpAllocate((size_t)count, sizeof(rpInterval), error);
	if (exhibit->contacts == NULL)
	{
		return false;
	}
	rpMotion_GetIntervals(exhibit->motion, rp_trackContact, exhibit->contacts, count);
	for (int i = 0; i < count; ++i)
	{
		const rpInterval* contact = &exhibit->contacts[i];
		if (isFoot(contact) && exhibit->motion->skeleton->effectors[contact->effector].joint >= 0)
		{
			exhibit->contacts[exhibit->contactCount++] = *contact;
		}
	}
	return true;
}

bool rpExhibit_Open(rpExhibit* exhibit, const rpMotion* motion, rpError* error)
{
	*exhibit = (rpExhibit){
		.motion = motion,
		.frameCount = motion->frameCount,
		.jointCount = motion->skeleton->jointCount,
	};
	size_t count = (size_t)exhibit->frameCount * (size_t)exhibit->jointCount;
	exhibit->places = rpAllocate(count, sizeof(rpVec3), error);
	exhibit->turns = rpAllocate(count, sizeof(rpQuat), error);
	exhibit->centers = rpAllocate((size_t)exhibit->frameCount, sizeof(rpVec3), error);
	if (exhibit->places == NULL || exhibit->turns == NULL || exhibit->centers == NULL || !openContacts(exhibit, error))
	{
		return false;
	}
	rpMotion_ForwardAll(motion, 0, motion->frameCount, exhibit->places, exhibit->turns);
	rpBody body;
	exhibit->isWeighed = rpWeighSkeleton(motion->skeleton, NULL, &body, NULL);
	if (exhibit->isWeighed)
	{
		rpBody_GetCenters(&body, motion, exhibit->centers);
	}
	return true;
}

void rpExhibit_Free(rpExhibit* exhibit)
{
	rpFree(exhibit->places);
	rpFree(exhibit->turns);
	rpFree(exhibit->centers);
	rpFree(exhibit->contacts);
	*exhibit = (rpExhibit){0};
}

void rpMeasures_Worsen(rpMeasures* measures, rpMeasure measure, double value, double seconds)
{
	if (!(measures->values[measure] >= value))
	{
		measures->values[measure] = value;
		measures->times[measure] = seconds;
	}
}
