/// The floor: level, and at y = 0.
#include "base/findings.h"
#include "doctor/floor.h"
#include "doctor/patient.h"

static void treat(rpPatient* patient, const rpFloor* floor)
{
	rpFinding* finding = rpFloor_Report(floor, patient->findings);
	bool mends = patient->def->repair && !floor->isSteep;
	if (mends)
	{
		if (patient->take == NULL)
		{
			rpLevelRows(patient->motion, patient->restRowCount, patient->motion->frameCount - 1, floor);
			patient->touched = true;
		}
		rpFinding_SetAction(finding, true, "levelled and put at y = 0; --keep-floor leaves it");
	}
	else if (floor->isSteep)
	{
		rpFinding_SetAction(finding, false, "nothing; it is a ramp, or the take lies askew");
	}
	else
	{
		rpFinding_SetAction(finding, false, "nothing; allow repairs to level it and put it at y = 0");
	}
}

bool rpExamineFloor(rpPatient* patient)
{
	if (patient->def->keepFloor)
	{
		return true;
	}
	rpFloorPlaces places;
	rpFloor floor;
	bool done = rpFindFloorPlaces(patient->motion, patient->first, patient->last, &places, patient->error) &&
				rpFitFloors(&places, 1, &floor, patient->error);
	if (done && rpFloor_IsUneven(&floor))
	{
		treat(patient, &floor);
	}
	if (done && patient->take != NULL)
	{
		patient->take->isFloorOpen = patient->def->repair;
		patient->take->places = places;
		return true;
	}
	rpFloorPlaces_Free(&places);
	return done;
}
