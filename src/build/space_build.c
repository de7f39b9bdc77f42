/// Building a space: examples cut and registered, thinned, sampled, and looked at whether neighbours are alike.
#include "build/space_build.h"

#include "base/error.h"
#include "base/findings.h"
#include "base/memory.h"
#include "math/order.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Examples are the same if their parameters are nearer than this share of the tolerances, and their motions nearer than
// this, metres: strides of one walk at one speed are 0.02 to 0.05 apart.
#define SAME_PARAMETERS 0.5f
#define SAME_MOTION 0.03

// A space whose neighbours are farther apart than this share of what all examples are is not smooth: by turn and speed
// strides of subject 16 have 0.71 (left first) and 0.52, by turn alone 0.82.
#define ROUGH 0.75f

// An example at fault is this many times as far from its neighbours as usual.
#define FAULT 2.5

rpSpaceDef rpDefaultSpaceDef(void)
{
	rpSpaceDef def = {
		.margin = 0.4, .registration = rpDefaultRegistrationDef(), .maxSamples = 1500, .thin = true, .seed = 1};
	def.tolerances[rp_unitMetre] = 0.01f;
	def.tolerances[rp_unitSecond] = 0.02f;
	def.tolerances[rp_unitRadian] = (float)RP_DEGREE;
	def.tolerances[rp_unitMetrePerSecond] = 0.03f;
	return def;
}

static bool checkDef(const rpSpaceDef* def, int motionCount, int matchCount, rpError* error)
{
	bool areSound = true;
	for (int i = 0; i < rp_featureUnitCount; ++i)
	{
		areSound = areSound && def->tolerances[i] > 0.0f && def->tolerances[i] < INFINITY;
	}
	if (def->features == NULL || def->features[0] == 0)
	{
		rpFail(error, rp_errorArgument, "a space without parameters");
		rpError_SetHint(error, "say what tells its motions apart: turn, or right_wrist@hit");
		return false;
	}
	if (strlen(def->features) >= RP_MAX_SPACE_TEXT)
	{
		return rpFail(error, rp_errorArgument, "features of more than %d letters", RP_MAX_SPACE_TEXT - 1);
	}
	if (motionCount < 1 || matchCount < 1)
	{
		return rpFail(error, rp_errorArgument, "a space needs examples");
	}
	if (matchCount > RP_MAX_SPACE_EXAMPLES)
	{
		return rpFail(error, rp_errorLimit, "%d examples; at most %d are allowed", matchCount, RP_MAX_SPACE_EXAMPLES);
	}
	return (areSound && def->margin >= 0.0 && def->margin <= 10.0 && def->maxSamples >= 0 &&
			def->maxSamples <= RP_MAX_SPACE_SAMPLES) ||
		   rpFail(error, rp_errorArgument, "margins must be 0 to 10 s, tolerances positive, samples 0 to %d",
				  RP_MAX_SPACE_SAMPLES);
}

// ---- thinning

static float getMiss(const rpExampleSet* set, const rpFeatureList* features, int a, int b)
{
	float miss = 0.0f;
	for (int k = 0; k < rpFeatureList_GetCount(features); ++k)
	{
		float tolerance = set->def->tolerances[rpFeatureList_GetInfo(features, k)->unit];
		miss = fmaxf(miss, fabsf(set->values[a][k] - set->values[b][k]) / tolerance);
	}
	return miss;
}

// Of examples that are the same the first stays.
static void thin(rpExampleSet* set, const rpFeatureList* features, rpFindings* findings)
{
	for (int i = 1; i < set->count; ++i)
	{
		for (int k = 0; k < i; ++k)
		{
			if (getMiss(set, features, i, k) > SAME_PARAMETERS || rpExampleSet_GetDistance(set, i, k) > SAME_MOTION)
			{
				continue;
			}
			char own[200], other[200];
			rpExampleSet_Name(set, i, own, sizeof(own));
			rpExampleSet_Name(set, k, other, sizeof(other));
			rpFinding* finding = rpFindings_Add(findings, "redundant", "%s does what %s does", own, other);
			rpFinding_SetAction(finding, true, "it is left out");
			rpExampleSet_Remove(set, i);
			--i;
			break;
		}
	}
}

// ---- from examples to a space

static bool fillParameters(rpSpace* space, const rpExampleSet* set, const rpFeatureList* features, rpError* error)
{
	space->parameterCount = rpFeatureList_GetCount(features);
	if (space->parameterCount > RP_MAX_SPACE_PARAMETERS)
	{
		return rpFail(error, rp_errorLimit, "%d parameters; at most %d are allowed", space->parameterCount,
					  RP_MAX_SPACE_PARAMETERS);
	}
	for (int k = 0; k < space->parameterCount; ++k)
	{
		const rpFeatureInfo* info = rpFeatureList_GetInfo(features, k);
		rpSpaceParameter* parameter = &space->parameters[k];
		snprintf(parameter->name, sizeof(parameter->name), "%s", info->name);
		snprintf(parameter->key, sizeof(parameter->key), "%s", info->key);
		parameter->isAngle = info->unit == rp_unitRadian;
		parameter->low = INFINITY;
		parameter->high = -INFINITY;
		for (int i = 0; i < set->count; ++i)
		{
			parameter->low = fminf(parameter->low, set->values[i][k]);
			parameter->high = fmaxf(parameter->high, set->values[i][k]);
		}
	}
	snprintf(space->features, sizeof(space->features), "%s", set->def->features);
	return true;
}

// The examples as samples of themselves.
static bool fillSamples(rpSpace* space, const rpExampleSet* set, rpError* error)
{
	size_t d = (size_t)space->parameterCount, count = (size_t)set->count;
	space->values = rpAllocate(count * d, sizeof(float), error);
	space->weights = rpAllocateZero(count * (d + 1), sizeof(rpSpaceWeight), error);
	space->sampleCount = set->count;
	bool done = space->values != NULL && space->weights != NULL;
	for (size_t i = 0; i < count && done; ++i)
	{
		memcpy(space->values + i * d, set->values[i], d * sizeof(float));
		space->weights[i * (d + 1)] = (rpSpaceWeight){(int)i, 1.0f};
	}
	return done;
}

static bool fillExamples(rpSpace* space, rpExampleSet* set, rpError* error)
{
	size_t count = (size_t)set->count, keys = count * (size_t)set->keyCount;
	space->examples = rpAllocate(count, sizeof(rpSpaceExample), error);
	space->keytimes = rpAllocate(keys, sizeof(double), error);
	space->motions = rpAllocateZero(count, sizeof(rpMotion*), error);
	if (space->examples == NULL || space->keytimes == NULL || space->motions == NULL)
	{
		return false;
	}
	memcpy(space->examples, set->examples, count * sizeof(rpSpaceExample));
	memcpy(space->keytimes, set->keytimes, keys * sizeof(double));
	memcpy(space->motions, set->motions, count * sizeof(rpMotion*));
	memset(set->motions, 0, count * sizeof(rpMotion*));
	space->exampleCount = set->count;
	space->keyCount = set->keyCount;
	return true;
}

// Clips in the order of the takes, those that are used.
static bool fillClips(rpSpace* space, const rpExampleSet* set, rpError* error)
{
	int* numbers = rpAllocate((size_t)set->takeCount, sizeof(int), error);
	rpText names = {0};
	for (int i = 0; numbers != NULL && i < set->takeCount; ++i)
	{
		bool isUsed = false;
		for (int k = 0; k < set->count && !isUsed; ++k)
		{
			isUsed = set->examples[k].clip == i;
		}
		numbers[i] = isUsed ? space->clipCount++ : -1;
		const char* name = set->takes[i]->name;
		rpText_Append(&names, name, isUsed ? strlen(name) + 1 : 0);
	}
	for (int k = 0; numbers != NULL && k < set->count; ++k)
	{
		space->examples[k].clip = numbers[set->examples[k].clip];
	}
	rpFree(numbers);
	space->clipNames = names.data;
	space->clipNameSize = (int)names.size;
	return numbers != NULL && (!names.failed || rpFail(error, rp_errorMemory, "out of memory"));
}

// ---- events

static int findEvent(const rpSpace* space, const char* name)
{
	const char* at = space->events;
	for (int i = 0; i < space->eventCount; ++i, at += strlen(at) + 1)
	{
		if (strcmp(at, name) == 0)
		{
			return i;
		}
	}
	return -1;
}

// The time of the first event of a name in an example's core, NAN if there is none; *isAlone if no other follows.
static double findTime(const rpMotion* motion, const rpSpaceExample* example, const char* name, bool* isAlone)
{
	double time = (double)NAN;
	int count = 0;
	for (int i = 0; i < motion->annotations.eventCount; ++i)
	{
		const rpEvent* event = &motion->annotations.events[i];
		if (strcmp(event->name, name) == 0 && event->time >= example->start && event->time <= example->end)
		{
			time = count++ == 0 ? event->time : time;
		}
	}
	*isAlone = count == 1;
	return time;
}

// What happens once in all examples is an event of the space; footsteps and the like, which come again and again, are
// found by the contacts.
static bool isCommon(const rpSpace* space, const char* name)
{
	bool isEverywhere = strlen(name) < RP_MAX_SPACE_TEXT && name[0] != 0;
	for (int i = 0; i < space->exampleCount && isEverywhere; ++i)
	{
		findTime(space->motions[i], &space->examples[i], name, &isEverywhere);
	}
	return isEverywhere;
}

static bool listEvents(rpSpace* space, rpError* error)
{
	const rpAnnotations* annotations = &space->motions[0]->annotations;
	rpText names = {0};
	for (int i = 0; i < annotations->eventCount && space->eventCount < RP_MAX_SPACE_EVENTS && !names.failed; ++i)
	{
		const char* name = annotations->events[i].name;
		if (findEvent(space, name) < 0 && isCommon(space, name))
		{
			rpText_Append(&names, name, strlen(name) + 1);
			space->events = names.data;
			space->eventSize = (int)names.size;
			space->eventCount += !names.failed;
		}
	}
	return !names.failed || rpFail(error, rp_errorMemory, "out of memory");
}

static bool fillEvents(rpSpace* space, rpError* error)
{
	bool isAlone, done = listEvents(space, error);
	size_t count = (size_t)space->eventCount;
	space->eventTimes = done ? rpAllocate((size_t)space->exampleCount * count + 1, sizeof(double), error) : NULL;
	const char* name = space->events;
	for (size_t k = 0; space->eventTimes != NULL && k < count; ++k, name += strlen(name) + 1)
	{
		for (int i = 0; i < space->exampleCount; ++i)
		{
			space->eventTimes[(size_t)i * count + k] = findTime(space->motions[i], &space->examples[i], name, &isAlone);
		}
	}
	return space->eventTimes != NULL;
}

// ---- smoothness

static void nameFaults(const rpExampleSet* set, const float* own, float median, rpFindings* findings)
{
	for (int i = 0; i < set->count; ++i)
	{
		if ((double)own[i] > FAULT * (double)median)
		{
			char name[200];
			rpExampleSet_Name(set, i, name, sizeof(name));
			rpFinding* finding = rpFindings_Add(findings, "not_smooth",
												"%s is %.2f m from those next to it in parameters, others are %.2f m",
												name, (double)own[i], (double)median);
			rpFinding_SetAction(finding, false, "nothing; drop it, or add a parameter that tells it apart");
		}
	}
}

// Small changes of what is asked for shall be small changes of the motion (line 1112 of the thesis).
static bool checkSmoothness(rpSpace* space, const rpExampleSet* set, rpFindings* findings, rpError* error)
{
	size_t count = (size_t)set->count;
	float* own = rpAllocate(2 * count, sizeof(float), error);
	if (own != NULL)
	{
		space->roughness = rpFindRoughness(set, rpExampleSet_GetMeanDistance(set), set->values[0],
										   RP_MAX_SPACE_PARAMETERS, space->parameterCount, own);
		memcpy(own + count, own, count * sizeof(float));
		qsort(own + count, count, sizeof(float), rpCompareFloats);
		nameFaults(set, own, own[count + count / 2], findings);
		if (space->roughness > ROUGH && set->count > 3 * space->parameterCount)
		{
			rpFinding* finding = rpFindings_Add(
				findings, "rough", "examples next to each other in parameters are %.2f times as far apart as any two",
				(double)space->roughness);
			rpFinding_SetAction(finding, false,
								"nothing; other parameters may tell the examples apart: reprise space info");
		}
	}
	rpFree(own);
	return own != NULL;
}

// A parameter in which motions hardly differ cannot be asked for; what is outside of it counts as far off.
static void nameFlat(const rpSpace* space, const rpFeatureList* features, const rpSpaceDef* def, rpFindings* findings)
{
	for (int k = 0; k < space->parameterCount; ++k)
	{
		const rpSpaceParameter* parameter = &space->parameters[k];
		rpFeatureUnit unit = rpFeatureList_GetInfo(features, k)->unit;
		double scale = (double)rpFeatureUnit_GetScale(unit);
		if (parameter->high - parameter->low < def->tolerances[unit])
		{
			rpFinding* finding = rpFindings_Add(findings, "flat", "%s is %.3f to %.3f %s in all of the space",
												parameter->name, scale * (double)parameter->low,
												scale * (double)parameter->high, rpFeatureUnit_GetName(unit));
			rpFinding_SetAction(finding, false, "nothing; leave it out, or add examples that differ in it");
		}
	}
}

// ---- the driver

static bool makeSpace(rpSpace* space, rpExampleSet* set, const rpFeatureList* features, rpFindings* findings,
					  rpSpaceBuildReport* report, rpError* error)
{
	if (set->count < 2)
	{
		return rpFail(error, rp_errorNoSolution, "of the examples %d %s left; a space needs two or more", set->count,
					  set->count == 1 ? "is" : "are");
	}
	bool done = fillParameters(space, set, features, error) && fillSamples(space, set, error) &&
				checkSmoothness(space, set, findings, error) && fillExamples(space, set, error) &&
				fillClips(space, set, error) && fillEvents(space, error) &&
				rpSampleSpace(space, features, set->def, report, error);
	if (done)
	{
		nameFlat(space, features, set->def, findings);
	}
	return done;
}

rpSpace* rpBuildSpace(const rpMotion* const* motions, int motionCount, const rpMatch* matches, int matchCount,
					  const rpSpaceDef* def, rpFindings* findings, rpSpaceBuildReport* report, rpError* error)
{
	rpSpaceDef defaults = rpDefaultSpaceDef();
	rpSpaceBuildReport ignored;
	rpExampleSet set = {0};
	def = def != NULL ? def : &defaults;
	report = report != NULL ? report : &ignored;
	*report = (rpSpaceBuildReport){0};
	if (!checkDef(def, motionCount, matchCount, error))
	{
		return NULL;
	}
	rpFeatureList* features = rpCreateFeatureList(def->features, motions[0]->skeleton, def->featureDef, error);
	rpSpace* space = features != NULL ? rpAllocateZero(1, sizeof(rpSpace), error) : NULL;
	bool done = space != NULL &&
				rpExampleSet_Make(&set, motions, motionCount, matches, matchCount, features, def, findings, error);
	if (done && def->thin)
	{
		thin(&set, features, findings);
	}
	report->registrationCount = set.registrationCount;
	done = done && makeSpace(space, &set, features, findings, report, error);
	rpExampleSet_Free(&set);
	rpDestroyFeatureList(features);
	if (!done)
	{
		rpDestroySpace(space);
		return NULL;
	}
	return space;
}
