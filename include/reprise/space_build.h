/// Making parametric spaces: from examples, found by rpFindMatches or chosen by hand; spaces kept in a library; motions
/// of a space as whole motions.
#pragma once

#include "reprise/feature.h"
#include "reprise/library.h"
#include "reprise/match.h"
#include "reprise/play/findings.h"
#include "reprise/play/registered_blend.h"
#include "reprise/play/space.h"
#include "reprise/registration.h"

#ifdef __cplusplus
extern "C"
{
#endif

/// How to build. Must come from rpDefaultSpaceDef(). Pointers are borrowed for the call.
typedef struct rpSpaceDef
{
	/// What the parameters are: "turn,speed" (reprise/feature.h); more kinds of feature, or NULL.
	const char* features;
	const rpFeatureDef* featureDef;

	/// Seconds before and after each example that are kept with it, as far as the take has them, 0.4: transitions need
	/// them.
	double margin;

	/// How examples are registered with each other: slope limit, spacing of keys, metric.
	rpRegistrationDef registration;

	/// How far a motion may be from what it was asked for, by unit (rpFeatureUnit): 0.01 m, 0.02 s, 1 degree, 0.03 m/s.
	/// Samples are added until requests meet that on the average.
	float tolerances[rp_featureUnitCount];

	/// Most samples, examples included, 1500; 0: examples alone.
	int maxSamples;

	/// Leave out examples that others make redundant, true.
	bool thin;

	/// Seed of the choice of samples, 1.
	uint64_t seed;

	/// Called now and then; may be NULL. Return false to stop.
	rpProgressFn* progress;
	void* progressContext;
} rpSpaceDef;

RP_API rpSpaceDef rpDefaultSpaceDef(void);

/// What became of the examples.
typedef struct rpSpaceBuildReport
{
	/// Error of requests inside, in tolerances: the mean before samples were added and after, the 95th percentile; and
	/// the mean by inverse distance alone, uncorrected. How many requests were tried.
	float missBefore, missMean, miss95, plainMiss;
	int requestCount;

	/// Of the blends that were made for it: in how many all examples touch the ground alike.
	int physicalCount, plainCount;

	/// Registrations that were made.
	int registrationCount;
} rpSpaceBuildReport;

/// Build a space from stretches of motions of one skeleton, whole takes with their contacts. Each match is
/// registered with its parent, an earlier one; with a parent of -1 to that which does most nearly the same; `distance`
/// and `times` are not read. What is left out
/// and why is told in findings, which may be NULL: "out_of_phase", "redundant", "not_registered", "no_feature"; and
/// what is odd about what stays: "not_smooth" (an example unlike its neighbours), "rough" (all of them), "flat" (a
/// parameter that has one value alone). report and error may be NULL. NULL with rp_errorNoSolution where no two
/// examples are left, with rp_errorArgument for wrong features or two skeletons, when stopped, or when memory ran out;
/// free with rpDestroySpace.
RP_API RP_NODISCARD rpSpace* rpBuildSpace(const rpMotion* const* motions, int motionCount, const rpMatch* matches,
										  int matchCount, const rpSpaceDef* def, rpFindings* findings,
										  rpSpaceBuildReport* report, rpError* error);

/// Keep a space in the library under a name, in place of one of that name: its motions must be clips of the library.
RP_API RP_NODISCARD bool rpLibrary_PutSpace(rpLibrary* library, const char* name, const rpSpace* space, rpError* error);

/// A space that was kept, with its examples. NULL with rp_errorMissing if there is none of that name, or if a clip is
/// gone or changed; free with rpDestroySpace.
RP_API RP_NODISCARD rpSpace* rpLibrary_LoadSpace(rpLibrary* library, const char* name, rpError* error);

/// A deep copy, examples included; free with rpDestroySpace.
RP_API RP_NODISCARD rpSpace* rpCopySpace(const rpSpace* space, rpError* error);

/// The space as a bundle for players; *size bytes, free with rpFreeBytes. error may be NULL.
RP_API RP_NODISCARD void* rpWriteSpaceBundle(const rpSpace* space, size_t* size, rpError* error);

/// What makes motions of a space. Borrows nothing.
typedef struct rpSpaceMaker rpSpaceMaker;
RP_API RP_NODISCARD rpSpaceMaker* rpCreateSpaceMaker(const rpSpace* space, rpError* error);
RP_API void rpDestroySpaceMaker(rpSpaceMaker* maker);

/// How a motion of a space was made.
typedef struct rpSpaceMotion
{
	rpSpaceAnswer answer;

	/// Physical where all its examples touch the ground in the same order.
	rpBlendScheme scheme;
	double seconds;
} rpSpaceMotion;

/// The motion that meets a request best: its root starts at the origin, facing +Z. fps 0: that of the first example.
/// Contacts, events and sources are annotated. weighing and report may be NULL, and so may error. NULL for requests
/// that are no numbers, or when memory ran out; free with rpDestroyMotion.
RP_API RP_NODISCARD rpMotion* rpSpaceMaker_Make(const rpSpaceMaker* maker, const float* asked,
												const rpSpaceWeighDef* weighing, double fps, rpSpaceMotion* report,
												rpError* error);

/// The motion of given weights, 1 to RP_MAX_SPACE_WEIGHTS of them, none negative, that add up to 1. NULL with
/// rp_errorArgument for others.
RP_API RP_NODISCARD rpMotion* rpSpaceMaker_Blend(const rpSpaceMaker* maker, const rpSpaceWeight* weights, int count,
												 double fps, rpSpaceMotion* report, rpError* error);

/// The maker as a source of motions, which borrows it.
RP_API rpMotionSource rpSpaceMaker_AsSource(const rpSpaceMaker* maker);

/// How much of the examples' differences each feature explains: of all that can be measured on every example.
typedef struct rpFeatureRank
{
	char name[80];

	/// 1 - the mean distance of examples that are next to each other in it, over that of all pairs: 0 for what has
	/// nothing to do with how examples differ.
	float explained;
	float low, high;
	rpFeatureUnit unit;
} rpFeatureRank;

/// Rank the features of a space's examples, the best first, into out; returns how many there are, at most capacity, -1
/// when memory ran out.
RP_API int rpSpace_RankFeatures(const rpSpace* space, rpFeatureRank* out, int capacity, rpError* error);

#ifdef __cplusplus
}
#endif
