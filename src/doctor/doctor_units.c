/// Units: how many metres one unit of the file is, from the size of the body.
///
/// Stature is estimated from the legs (hip to ankle is 0.491 of it: Drillis & Contini 1966, as given by Winter 2009)
/// and from the height of the rest pose, arms left out. The unit is the one among those in use that makes the likeliest
/// human of it.
#include "base/findings.h"
#include "base/memory.h"
#include "doctor/patient.h"
#include "reprise/edit.h"

// Parts of stature.
#define LEG_PART 0.491
#define ARM_PART 0.332 // shoulder to wrist

// Captures end at the middle of the head or the top of it, and at the ankle or the sole.
#define REST_PART 0.93

// Statures that are people, metres, the likeliest, and the deviation of their logarithm: captures of children are
// more common than of giants.
#define MIN_STATURE 0.9
#define MAX_STATURE 2.3
#define LIKELY_STATURE 1.7
#define DEVIATION_BELOW 0.30
#define DEVIATION_ABOVE 0.15

// A stated unit may be this near 1 to need no scaling.
#define NEAR_ONE 1e-6

typedef struct Unit
{
	const char* name;
	double metres;
	double rarity; // added to the surprise at a stature
} Unit;

static const Unit s_units[] = {
	{"metres", 1.0, 0.0},
	{"centimetres", 0.01, 0.0},
	{"millimetres", 0.001, 0.5},
	{"inches", 0.0254, 0.5},
	{"CMU units (1/0.45 inch)", 0.0254 / 0.45, 0.5},
	{"decimetres", 0.1, 1.5},
	{"feet", 0.3048, 1.5},
};
enum
{
	unitCount = sizeof(s_units) / sizeof(s_units[0])
};

static double measureChain(const rpSkeleton* skeleton, rpRole upper, rpRole lower)
{
	double length = 0.0;
	int top = skeleton->roles[upper], i = skeleton->roles[lower];
	for (; i >= 0 && i != top; i = skeleton->parents[i])
	{
		length += rpLength(skeleton->offsets[i]);
	}
	return top >= 0 && i == top ? length : 0.0;
}

static bool isBelow(const rpSkeleton* skeleton, int joint, int ancestor)
{
	while (joint > ancestor)
	{
		joint = skeleton->parents[joint];
	}
	return joint == ancestor;
}

// From the lowest point to the highest of the head.
static double measureRest(const rpPatient* patient)
{
	const rpSkeleton* skeleton = patient->motion->skeleton;
	int head = skeleton->roles[rp_roleHead] >= 0 ? skeleton->roles[rp_roleHead] : skeleton->roles[rp_roleNeck];
	if (!patient->stands || head < 0)
	{
		return 0.0;
	}
	rpTransform rest[RP_MAX_JOINTS];
	rpPatient_GetRest(patient, rest);
	float low = rest[head].p.y, high = rest[head].p.y;
	for (int i = 0; i < skeleton->jointCount; ++i)
	{
		low = fminf(low, rest[i].p.y);
		high = isBelow(skeleton, i, head) ? fmaxf(high, rest[i].p.y) : high;
	}
	for (int i = 0; i < skeleton->endCount; ++i)
	{
		rpVec3 end = rpTransformPoint(rest[skeleton->ends[i].joint], skeleton->ends[i].offset);
		low = fminf(low, end.y);
		high = isBelow(skeleton, skeleton->ends[i].joint, head) ? fmaxf(high, end.y) : high;
	}
	return (double)(high - low);
}

// In the file's units, 0 if this is no body.
static double estimateStature(const rpPatient* patient)
{
	const rpSkeleton* skeleton = patient->motion->skeleton;
	double leg = skeleton->legLength / LEG_PART;
	double arm = fmax(measureChain(skeleton, rp_roleLeftShoulder, rp_roleLeftWrist),
					  measureChain(skeleton, rp_roleRightShoulder, rp_roleRightWrist)) /
				 ARM_PART;
	double rest = measureRest(patient) / REST_PART;
	double limb = leg > 0.0 ? leg : arm;
	return leg > 0.0 && rest > 0.0 ? sqrt(leg * rest) : limb;
}

static bool isHuman(double stature)
{
	return stature >= MIN_STATURE && stature <= MAX_STATURE;
}

static double getSurprise(const Unit* unit, double stature)
{
	double ratio = log(stature * unit->metres / LIKELY_STATURE);
	double deviations = ratio / (ratio < 0.0 ? DEVIATION_BELOW : DEVIATION_ABOVE);
	return 0.5 * deviations * deviations + unit->rarity;
}

// The likeliest unit that makes a human, but not this one; NULL if there is none.
static const Unit* findUnit(double stature, const Unit* except)
{
	const Unit* best = NULL;
	for (int i = 0; i < unitCount; ++i)
	{
		const Unit* unit = s_units + i;
		bool better = best == NULL || getSurprise(unit, stature) < getSurprise(best, stature);
		if (unit != except && isHuman(stature * unit->metres) && better)
		{
			best = unit;
		}
	}
	return best;
}

static bool scaleBy(rpPatient* patient, double factor)
{
	if (fabs(factor - 1.0) < NEAR_ONE)
	{
		return true;
	}
	return rpPatient_Replace(patient, rpScaleMotion(patient->motion, (float)factor, patient->error));
}

static void reportUnit(rpPatient* patient, const Unit* unit, double stature)
{
	const Unit* other = findUnit(stature, unit);
	rpFinding* finding = NULL;
	if (other == NULL)
	{
		finding = rpFindings_Add(patient->findings, "units", "lengths are in %s, by the body's size", unit->name);
	}
	else
	{
		finding = rpFindings_Add(patient->findings, "units",
								 "lengths seem to be in %s, by the body's size; %s would make it %.2f times as tall",
								 unit->name, other->name, other->metres / unit->metres);
	}
	rpFinding_SetAction(finding, true, "scaled by %.7g; --scale sets another", unit->metres);
}

bool rpExamineUnits(rpPatient* patient)
{
	if (patient->def->scale > 0.0)
	{
		return scaleBy(patient, patient->def->scale);
	}
	double stature = estimateStature(patient), stated = patient->metresPerUnit;
	const Unit* unit = stature > 0.0 ? findUnit(stature, NULL) : NULL;
	if (stated > 0.0 && (unit == NULL || isHuman(stature * stated)))
	{
		return scaleBy(patient, stated);
	}
	if (unit == NULL)
	{
		rpFinding* finding = stature > 0.0
								 ? rpFindings_Add(patient->findings, "units",
												  "the body is about %.3g units tall: no human in any unit", stature)
								 : rpFindings_Add(patient->findings, "units", "no body to find the units by");
		rpFinding_SetAction(finding, false, "nothing, taken as metres; --scale sets the metres per unit");
		return true;
	}
	if (unit->metres != 1.0)
	{
		reportUnit(patient, unit, stature);
	}
	return scaleBy(patient, unit->metres);
}
