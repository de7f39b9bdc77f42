/// The import doctor: sends a clip through its examinations and cuts off the rows that failed.
#include "doctor/doctor.h"

#include "base/memory.h"
#include "doctor/patient.h"
#include "reprise/edit.h"

#include <string.h>

// The body comes first, since rows are judged by its size; then the rows, the surest defects before the others. The
// rate comes before what is judged by speeds, and doubts of it when rows that are bad are known. The
// floor is under all that is left.
static bool examine(rpPatient* patient)
{
	return rpExamineReferenceRoot(patient) && rpExamineRestRow(patient) && rpExamineAxes(patient) &&
		   rpExamineUnits(patient) && rpExamineBoneLengths(patient) && rpExamineLostBones(patient) &&
		   rpExamineRootAtOrigin(patient) && rpExamineFrozenRows(patient) && rpExamineRate(patient) &&
		   rpExamineSpikes(patient) && rpExamineJumps(patient) && rpExamineFalls(patient) && rpExamineFloor(patient);
}

// Rest rows that are to be kept move up to the first good row.
static int keepRestRows(rpPatient* patient)
{
	rpMotion* motion = patient->motion;
	size_t jointCount = (size_t)motion->skeleton->jointCount, count = (size_t)patient->restRowCount;
	int first = patient->first - patient->restRowCount;
	memmove(motion->rootPositions + first, motion->rootPositions, count * sizeof(rpVec3));
	memmove(motion->rotations + (size_t)first * jointCount, motion->rotations, count * jointCount * sizeof(rpQuat));
	if (motion->translations != NULL)
	{
		memmove(motion->translations + (size_t)first * jointCount, motion->translations,
				count * jointCount * sizeof(rpVec3));
	}
	return first;
}

static bool cutRows(rpPatient* patient)
{
	if (!patient->def->repair)
	{
		return true;
	}
	int first = patient->def->keepRestRow ? keepRestRows(patient) : patient->first;
	int count = patient->last - first + 1;
	if (count == patient->motion->frameCount)
	{
		return true;
	}
	return rpPatient_Replace(patient, rpCropFrames(patient->motion, first, count, patient->error));
}

rpMotion* rpTreatMotion(rpReading reading, const rpReadDef* def, rpFindings* findings, rpError* error)
{
	return rpTreatTake(reading, def, NULL, findings, error);
}

rpMotion* rpTreatTake(rpReading reading, const rpReadDef* def, rpTake* take, rpFindings* findings, rpError* error)
{
	rpPatient patient = {
		.motion = reading.motion,
		.metresPerUnit = reading.metresPerUnit,
		.def = def,
		.findings = findings,
		.error = error,
		.take = take,
		.last = reading.motion->frameCount - 1,
	};
	patient.said = rpAllocateZero((size_t)reading.motion->frameCount, sizeof(bool), error);
	bool done = patient.said != NULL && examine(&patient) && cutRows(&patient);
	rpFree(patient.said);
	if (!done)
	{
		rpDestroyMotion(patient.motion);
		return NULL;
	}
	if (patient.touched)
	{
		rpMotion_FixHemispheres(patient.motion);
	}
	return patient.motion;
}
