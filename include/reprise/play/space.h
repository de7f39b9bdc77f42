/// Parametric spaces: from a few examples of one action every motion between them, by numbers that say what it does:
/// where a fist hits, how far a walker turns.
///
/// After L. Kovar & M. Gleicher, "Automated extraction and parameterization of motions in large data sets" (2004), as
/// R. Heck's thesis uses it (3.5). Examples are registered with each other; blends of them are made and measured, until
/// these samples lie densely enough; a motion that is asked for is a blend of the samples around it.
#pragma once

#include "reprise/play/bundle.h"
#include "reprise/play/motion.h"

#ifdef __cplusplus
extern "C"
{
#endif

/// Most parameters of a space, and letters of its features as text.
#define RP_MAX_SPACE_PARAMETERS 6
#define RP_MAX_SPACE_TEXT 256

/// One of the numbers that say what a motion of a space does.
typedef struct rpSpaceParameter
{
	/// For people, "right_wrist.x@hit"; for JSON, with the unit in it, "right_wrist_x_hit_m".
	char name[80];
	char key[96];

	/// Radians in the library, degrees where people read it.
	bool isAngle;

	/// What the samples reach. Differences are divided by the range between.
	float low, high;
} rpSpaceParameter;

/// What people read it in, "m", "s", "deg", "m/s" or "deg/s", and what a value is multiplied by for that: 180 / pi for
/// angles, 1 for the others.
RP_API const char* rpSpaceParameter_GetUnit(const rpSpaceParameter* parameter);
RP_API float rpSpaceParameter_GetScale(const rpSpaceParameter* parameter);

/// A stretch of a clip that is an example of the action.
typedef struct rpSpaceExample
{
	/// Which of the space's clips, whether of its mirror image, and seconds in it.
	int clip;
	bool isMirror;
	double from, to;

	/// The same moments in the example's own motion, which begins before and goes on after that by a margin, seconds.
	double start, end, margin;

	/// The example that it was registered with, -1 for the reference, and the mean distance from it, metres.
	int parent;
	float distance;
} rpSpaceExample;

/// An example's part in a sample or in a motion; weights of one add up to 1.
typedef struct rpSpaceWeight
{
	int example;
	float weight;
} rpSpaceWeight;

/// A space. Const once built; fields are there to be read.
typedef struct rpSpace
{
	rpSpaceParameter parameters[RP_MAX_SPACE_PARAMETERS];
	int parameterCount;

	/// The features that the parameters are, as they were asked for.
	char features[RP_MAX_SPACE_TEXT];

	/// [exampleCount]
	rpSpaceExample* examples;
	int exampleCount;

	/// [exampleCount * keyCount], seconds in each example's motion: at key k all do the same. The first and last are
	/// start and end.
	double* keytimes;
	int keyCount;

	/// [sampleCount * parameterCount] and [sampleCount * (parameterCount + 1)]; the first exampleCount samples are the
	/// examples. Weights that are not needed are 0.
	float* values;
	rpSpaceWeight* weights;
	int sampleCount;

	/// Names of events, one after the other, each with a zero; and when they happen, [exampleCount * eventCount],
	/// seconds in each example's motion.
	char* events;
	int eventCount, eventSize;
	double* eventTimes;

	/// How far examples are apart that are next to each other in parameters, as a share of how far any two are: small
	/// where parameters say what a motion is like, 1 where they have nothing to do with it.
	float roughness;

	/// Of all examples: names of the clips that they are of, one after the other, each with a zero.
	char* clipNames;
	int clipCount, clipNameSize;

	/// [clipCount] of what the library's clips hold, 32 hexadecimal digits each; NULL where they are not known.
	char (*hashes)[33];

	/// [exampleCount], with their margins, moved so that what bears them at first is at height 0; NULL where the space
	/// is read from a bundle, whose clips they are.
	rpMotion** motions;
} rpSpace;

RP_API void rpDestroySpace(rpSpace* space);

/// How to find weights. Must come from rpDefaultSpaceWeighDef().
typedef struct rpSpaceWeighDef
{
	/// How many of the nearest samples; 0: twice as many as a simplex has corners.
	int neighbours;

	/// Whether weights by inverse distance (eq. 6.1, 6.2) are corrected so that they meet the request; true.
	bool correct;

	/// Whether samples count, or examples alone; true.
	bool samples;
} rpSpaceWeighDef;

RP_API rpSpaceWeighDef rpDefaultSpaceWeighDef(void);

/// Most examples in one motion.
#define RP_MAX_SPACE_WEIGHTS 32

/// A request that is met within this, in ranges of the parameters, is inside of the space: less than people see.
#define RP_SPACE_INSIDE 0.01f

/// What a space has for a request.
typedef struct rpSpaceAnswer
{
	/// By parameter: what was asked for, and the nearest to it that the space has.
	float requested[RP_MAX_SPACE_PARAMETERS], nearest[RP_MAX_SPACE_PARAMETERS];

	/// How far they are apart, in ranges of the parameters.
	float error;

	/// Heaviest first.
	rpSpaceWeight weights[RP_MAX_SPACE_WEIGHTS];
	int weightCount;
} rpSpaceAnswer;

/// Find the examples' weights for values that are asked for, [parameterCount]; what is outside of a parameter's range
/// counts as its end. def may be NULL. False with rp_errorArgument for what is no number. Allocates nothing.
RP_API RP_NODISCARD bool rpSpace_Weigh(const rpSpace* space, const float* asked, const rpSpaceWeighDef* def,
									   rpSpaceAnswer* out, rpError* error);

/// Where the motions of a space come from: a blend of examples (rpSpaceMaker_AsSource), or a formula
/// (rpOpenPerformedSpace). What is built on spaces need not know which.
typedef struct rpMotionSource
{
	rpSpaceParameter parameters[RP_MAX_SPACE_PARAMETERS];
	int parameterCount;

	/// The motion for values, [parameterCount]: its root starts at the origin, facing +Z. What is outside of the space
	/// is brought in; nearest, [parameterCount], tells to what. NULL: error says why; free with rpDestroyMotion.
	rpMotion* (*make)(const void* context, const float* asked, double fps, float* nearest, rpError* error);

	/// Borrowed.
	const void* context;
} rpMotionSource;

#ifdef __cplusplus
}
#endif
