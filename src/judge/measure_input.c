#include "judge/measure_input.h"

#include "base/memory.h"

static bool isFoot(const rpInterval* contact)
{
	return contact->effector <= rp_rightToe;
}

static bool openContacts(rpMeasureInput* input, rpError* error)
{
	int count = rpMotion_GetIntervals(input->motion, rp_trackContact, NULL, 0);
	input->contacts = rpAllocate((size_t)count, sizeof(rpInterval), error);
	if (input->contacts == NULL)
	{
		return false;
	}
	rpMotion_GetIntervals(input->motion, rp_trackContact, input->contacts, count);
	for (int i = 0; i < count; ++i)
	{
		const rpInterval* contact = &input->contacts[i];
		if (isFoot(contact) && input->motion->skeleton->effectors[contact->effector].joint >= 0)
		{
			input->contacts[input->contactCount++] = *contact;
		}
	}
	return true;
}

bool rpMeasureInput_Open(rpMeasureInput* input, const rpMotion* motion, rpError* error)
{
	*input = (rpMeasureInput){
		.motion = motion,
		.frameCount = motion->frameCount,
		.jointCount = motion->skeleton->jointCount,
	};
	size_t count = (size_t)input->frameCount * (size_t)input->jointCount;
	input->places = rpAllocate(count, sizeof(rpVec3), error);
	input->turns = rpAllocate(count, sizeof(rpQuat), error);
	input->centers = rpAllocate((size_t)input->frameCount, sizeof(rpVec3), error);
	if (input->places == NULL || input->turns == NULL || input->centers == NULL || !openContacts(input, error))
	{
		return false;
	}
	rpMotion_ForwardAll(motion, 0, motion->frameCount, input->places, input->turns);
	rpBody body;
	input->isWeighed = rpWeighSkeleton(motion->skeleton, NULL, &body, NULL);
	if (input->isWeighed)
	{
		rpBody_GetCenters(&body, motion, input->centers);
	}
	return true;
}

void rpMeasureInput_Free(rpMeasureInput* input)
{
	rpFree(input->places);
	rpFree(input->turns);
	rpFree(input->centers);
	rpFree(input->contacts);
	*input = (rpMeasureInput){0};
}

void rpMeasures_KeepWorst(rpMeasures* measures, rpMeasure measure, double value, double seconds)
{
	if (!(measures->values[measure] >= value))
	{
		measures->values[measure] = value;
		measures->times[measure] = seconds;
	}
}
