/// A list of features as it is read: what to measure, and which sums of that make its numbers.
#pragma once

#include "reprise/feature.h"

enum
{
	/// Features that one number adds up.
	rp_maxFeatureTerms = 8,
	rp_maxFeatures = RP_MAX_PARAMETERS * rp_maxFeatureTerms,
};

/// What is measured once, whatever of it counts.
typedef struct rpFeature
{
	const rpFeatureKind* kind;
	int joint;
	rpRole role;

	/// Empty where the kind needs none.
	char moment[48];
} rpFeature;

/// A value of a feature, added (1) or subtracted (-1).
typedef struct rpFeatureTerm
{
	int feature, value;
	float sign;
} rpFeatureTerm;

typedef struct rpFeatureNumber
{
	rpFeatureTerm terms[rp_maxFeatureTerms];
	int termCount;
	rpFeatureInfo info;
} rpFeatureNumber;

struct rpFeatureList
{
	rpFeature features[rp_maxFeatures];
	rpFeatureNumber numbers[RP_MAX_PARAMETERS];
	int featureCount, numberCount;
};

/// Read a text into an empty list (feature_text.c). The list is unusable if it fails.
bool rpReadFeatures(const char* text, const rpSkeleton* skeleton, const rpFeatureDef* def, rpFeatureList* list,
					rpError* error);
