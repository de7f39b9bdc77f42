/// The table of features, and lists of them.
#include "analysis/feature_kinds.h"
#include "analysis/feature_list.h"
#include "base/error.h"
#include "base/memory.h"

#include <math.h>

static const rpFeatureKind s_kinds[] = {
	{"place", "where a joint is, from where the root is when the stretch begins: x left, y height, z ahead",
	 rp_unitMetre, rpMeasurePlace, 3, rp_featureNeedsJoint | rp_featureNeedsMoment},
	{"reach", "how far from the root a joint is, over the floor", rp_unitMetre, rpMeasureReach, 1,
	 rp_featureNeedsJoint | rp_featureNeedsMoment},
	{"speed", "how fast a joint is", rp_unitMetrePerSecond, rpMeasureJointSpeed, 1,
	 rp_featureNeedsJoint | rp_featureNeedsMoment},
	{"turn", "turn of the direction of travel to the left", rp_unitRadian, rpMeasureTurn, 1, 0},
	{"facing", "turn of the body to the left", rp_unitRadian, rpMeasureFacing, 1, 0},
	{"speed", "mean speed over the floor", rp_unitMetrePerSecond, rpMeasureSpeed, 1, 0},
	{"travel", "length of the way over the floor", rp_unitMetre, rpMeasureTravel, 1, 0},
	{"support_height", "how much higher than at the start a foot comes to rest, where that differs most", rp_unitMetre,
	 rpMeasureSupportHeight, 1, 0},
	{"support_length", "how far over the floor that foot comes", rp_unitMetre, rpMeasureSupportLength, 1, 0},
	{"seat_height", "height of what is sat on", rp_unitMetre, rpMeasureSeatHeight, 1, 0},
	{"jump_length", "from where feet leave for the longest flight to where they land", rp_unitMetre,
	 rpMeasureJumpLength, 1, 0},
	{"jump_turn", "how much feet turn from leaving to landing, to the left", rp_unitRadian, rpMeasureJumpTurn, 1, 0},
	{"flight", "duration of the longest flight", rp_unitSecond, rpMeasureFlight, 1, 0},
	{"duration", "duration of the stretch", rp_unitSecond, rpMeasureDuration, 1, 0},
};

const rpFeatureKind* rpGetFeatureKind(int index)
{
	return index >= 0 && (size_t)index < sizeof(s_kinds) / sizeof(s_kinds[0]) ? &s_kinds[index] : NULL;
}

bool rpMeasureDuration(const rpFeatureStretch* stretch, int joint, const char* moment, float* out, rpError* error)
{
	(void)joint;
	(void)moment;
	(void)error;
	*out = (float)(stretch->end - stretch->start);
	return true;
}

const char* rpFeatureUnit_GetName(rpFeatureUnit unit)
{
	static const char* const names[rp_featureUnitCount] = {
		[rp_unitMetre] = "m", [rp_unitSecond] = "s", [rp_unitRadian] = "deg", [rp_unitMetrePerSecond] = "m/s"};
	return (unsigned)unit < rp_featureUnitCount ? names[unit] : "";
}

float rpFeatureUnit_GetScale(rpFeatureUnit unit)
{
	return unit == rp_unitRadian ? (float)(1.0 / RP_DEGREE) : 1.0f;
}

// ---- lists

rpFeatureDef rpDefaultFeatureDef(void)
{
	return (rpFeatureDef){0};
}

rpFeatureList* rpCreateFeatureList(const char* text, const rpSkeleton* skeleton, const rpFeatureDef* def,
								   rpError* error)
{
	rpFeatureDef usual = rpDefaultFeatureDef();
	rpFeatureList* list = rpAllocateZero(1, sizeof(rpFeatureList), error);
	if (list != NULL && !rpReadFeatures(text, skeleton, def != NULL ? def : &usual, list, error))
	{
		rpDestroyFeatureList(list);
		return NULL;
	}
	return list;
}

void rpDestroyFeatureList(rpFeatureList* list)
{
	rpFree(list);
}

int rpFeatureList_GetCount(const rpFeatureList* list)
{
	return list->numberCount;
}

const rpFeatureInfo* rpFeatureList_GetInfo(const rpFeatureList* list, int index)
{
	return &list->numbers[index].info;
}

static bool measure(const rpFeature* feature, const rpFeatureStretch* stretch, float* out, rpError* error)
{
	const char* moment = feature->moment[0] != 0 ? feature->moment : NULL;
	bool done = feature->kind->measure(stretch, feature->joint, moment, out, error);
	for (int i = 0; i < feature->kind->valueCount && done; ++i)
	{
		done = isfinite(out[i]) || rpFail(error, rp_errorArgument, "\"%s\" of \"%.80s\" is no number",
										  feature->kind->name, stretch->motion->name);
	}
	return done;
}

bool rpFeatureList_Measure(const rpFeatureList* list, const rpFeatureStretch* stretch, float* out, rpError* error)
{
	float values[rp_maxFeatures][RP_MAX_FEATURE_VALUES];
	if (!(stretch->end > stretch->start))
	{
		return rpFail(error, rp_errorArgument, "the stretch of \"%.80s\" ends at %.3f s, but begins at %.3f s",
					  stretch->motion->name, stretch->end, stretch->start);
	}
	for (int i = 0; i < list->featureCount; ++i)
	{
		if (!measure(&list->features[i], stretch, values[i], error))
		{
			return false;
		}
	}
	for (int i = 0; i < list->numberCount; ++i)
	{
		const rpFeatureNumber* number = &list->numbers[i];
		out[i] = 0.0f;
		for (int k = 0; k < number->termCount; ++k)
		{
			out[i] += number->terms[k].sign * values[number->terms[k].feature][number->terms[k].value];
		}
	}
	return true;
}

bool rpFeatureList_FindMoment(const rpFeatureList* list, const rpFeatureStretch* stretch, double* out)
{
	for (int i = 0; i < list->featureCount; ++i)
	{
		const rpFeature* feature = &list->features[i];
		if (feature->moment[0] != 0)
		{
			return rpFindFeatureMoment(stretch, feature->joint, feature->moment, out, NULL);
		}
	}
	return false;
}
