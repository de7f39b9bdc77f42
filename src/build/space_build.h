/// The steps of building a space.
#pragma once

#include "align/time_curve.h"
#include "model/space_model.h"
#include "reprise/space_build.h"

// ---- examples (space_examples.c)

/// Examples while a space is built: cut out and registered. All arrays are [count].
typedef struct rpExampleSet
{
	const rpSpaceDef* def;

	/// Of which takes, with their contacts; those that had none have copies with contacts found.
	const rpMotion* const* takes;
	rpMotion** ownTakes;
	int takeCount;

	rpMetric* ownMetric;
	const rpMetric* metric;

	rpSpaceExample* examples;

	/// With margins; the stretches alone as the metric sees them; what the features say.
	rpMotion** motions;
	rpProfile** profiles;
	float (*values)[RP_MAX_SPACE_PARAMETERS];

	/// [count * keyCount]
	double* keytimes;
	int keyCount;

	/// What it was in the list of matches.
	int* matches;
	int count;
	int registrationCount;
} rpExampleSet;

/// Cut, measure and register; what is left out is told in findings. Free with rpExampleSet_Free in any case.
RP_NODISCARD bool rpExampleSet_Make(rpExampleSet* set, const rpMotion* const* motions, int motionCount,
									const rpMatch* matches, int matchCount, const rpFeatureList* features,
									const rpSpaceDef* def, rpFindings* findings, rpError* error);
void rpExampleSet_Free(rpExampleSet* set);

/// The examples of a space, to measure distances of; borrowed. Free with rpExampleSet_FreeView in any case.
RP_NODISCARD bool rpExampleSet_View(rpExampleSet* set, const rpSpace* space, rpError* error);
void rpExampleSet_FreeView(rpExampleSet* set);

/// The mean distance of two examples where all do the same, metres.
double rpExampleSet_GetDistance(const rpExampleSet* set, int a, int b);

/// The mean of that over all pairs; of many examples over pairs at random.
double rpExampleSet_GetMeanDistance(const rpExampleSet* set);

/// How far examples are apart that are next to each other in some values, over how far any two are, which is `mean`
/// (space_rank.c). Values of example i are values[i * stride …], dimension of them. own, which may be NULL, gets the
/// distance of each example from those next to it, [count].
float rpFindRoughness(const rpExampleSet* set, double mean, const float* values, int stride, int dimension, float* own);

/// Leave an example out.
void rpExampleSet_Remove(rpExampleSet* set, int index);

/// The motion of an example, cut out of its take again. NULL with *isChanged where the take is not as it was.
RP_NODISCARD rpMotion* rpCutSpaceExample(const rpMotion* take, const rpSpaceExample* example, bool* isChanged,
										 rpError* error);

/// "walk-3 1.20-2.40 s~" for messages.
void rpExampleSet_Name(const rpExampleSet* set, int index, char* out, size_t size);

// ---- samples (space_sample.c)

/// Add samples to a space whose samples are its examples, until requests are met.
RP_NODISCARD bool rpSampleSpace(rpSpace* space, const rpFeatureList* features, const rpSpaceDef* def,
								rpSpaceBuildReport* report, rpError* error);

// ---- motions (space_maker.c)

struct rpSpaceMaker
{
	void* bytes;
	rpBundle* bundle;
	rpSpaceModel model;
};

/// Add the chunks of an rpSpace that a player needs.
RP_NODISCARD bool rpAddSpaceBundle(const void* space, rpBundleWriter* writer, rpError* error);

/// Add the frames of several spaces: all examples, in their order, for rpSpaceFrames_Read.
RP_NODISCARD bool rpAddSpaceFrames(const rpSpace* const* spaces, int count, rpBundleWriter* writer, rpError* error);

/// Measure a space's features on the blend of some weights; out is [parameterCount]. *isPhysical may be NULL.
RP_NODISCARD bool rpSpaceMaker_Measure(const rpSpaceMaker* maker, const rpFeatureList* features,
									   const rpSpaceWeight* weights, int count, float* out, bool* isPhysical,
									   rpError* error);
