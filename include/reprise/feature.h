/// Features: numbers that tell motions of one action apart, measured on frames. Where does the fist hit, how far does
/// it turn, how high is the step?
///
/// A feature is written as "turn", "right_wrist@hit", "head.y@lowest", "left_ankle@hit-right_ankle@hit": a kind of
/// feature, or a joint by its role, what of it counts, and the moment. Several, separated by commas, make a list, the
/// parameters of a space.
///
/// A joint at a moment is a place, three numbers: x to the left and z ahead of where the root is when the stretch
/// begins, by the way it then faces, and the height y above the floor; one of them with ".x" behind the joint or the
/// moment. Other kinds that need a joint stand there too: "right_wrist.speed@hit". Moments are names of events of the
/// motion (the first in the stretch; the performer's punches have "hit") and those of rpGetFeatureMoment: "highest",
/// "ahead", "end" … Features of one unit and as many numbers are added and subtracted.
#pragma once

#include "reprise/play/motion.h"

#ifdef __cplusplus
extern "C"
{
#endif

typedef enum rpFeatureUnit
{
	rp_unitMetre,
	rp_unitSecond,
	rp_unitRadian,
	rp_unitMetrePerSecond,
	rp_featureUnitCount,
} rpFeatureUnit;

/// The stretch of a motion that is measured, seconds in it: what is around it, its margins, is there for derivatives
/// alone. Ways over the floor are smoothed over 0.75 s to either side: turns of walks are as with more in margins of
/// 0.5 s (0.2 degrees), 2 degrees off in those of 0.25 s and 11 without any. Other features need none.
typedef struct rpFeatureStretch
{
	const rpMotion* motion;
	double start, end;
} rpFeatureStretch;

/// Values that a feature has at most: x, y, z of a place.
#define RP_MAX_FEATURE_VALUES 3

/// What has to be written with a kind, as bits: a joint before it, a moment behind it.
enum
{
	rp_featureNeedsJoint = 1,
	rp_featureNeedsMoment = 2,
};

/// A kind of feature: a row of the table. Callers may add rows of their own (rpFeatureDef.kinds).
typedef struct rpFeatureKind
{
	/// As it is written, "turn"; and one line for people.
	const char* name;
	const char* text;
	rpFeatureUnit unit;

	/// Measure; joint and moment are what stands before and behind the "@", joint -1 and moment NULL where the kind
	/// needs none. False with rp_errorMissing where the motion lacks what it takes.
	bool (*measure)(const rpFeatureStretch* stretch, int joint, const char* moment, float* out, rpError* error);

	/// How many values it writes, 1 to RP_MAX_FEATURE_VALUES.
	int valueCount;

	/// Bits: rp_featureNeedsJoint …
	unsigned needs;
} rpFeatureKind;

/// The kinds that are there, in their order; NULL beyond the last. A name may be there twice, with a joint and without.
RP_API const rpFeatureKind* rpGetFeatureKind(int index);

/// A moment that is found by the frames.
typedef struct rpFeatureMoment
{
	/// As it is written, "highest"; and one line for people.
	const char* name;
	const char* text;
} rpFeatureMoment;

/// The moments that any motion has, in their order; NULL beyond the last. Events of these names are not found.
RP_API const rpFeatureMoment* rpGetFeatureMoment(int index);

/// The time of a moment in a stretch, for measuring functions: an event, or by the place of a joint (-1: only those
/// that need none). error may be NULL. False with rp_errorMissing, which says what events there are.
RP_API RP_NODISCARD bool rpFindFeatureMoment(const rpFeatureStretch* stretch, int joint, const char* moment,
											 double* out, rpError* error);

/// Most numbers of a list.
#define RP_MAX_PARAMETERS 6

/// What is known of one number of a list.
typedef struct rpFeatureInfo
{
	/// For people and options, "right_wrist.x@hit"; and for JSON, with the unit in it, "right_wrist_x_hit_m",
	/// "turn_deg".
	char name[80];
	char key[96];
	rpFeatureUnit unit;
} rpFeatureInfo;

/// A list of features for a skeleton. Const once made.
typedef struct rpFeatureList rpFeatureList;

/// How to read a list. Must come from rpDefaultFeatureDef().
typedef struct rpFeatureDef
{
	/// [kindCount], more kinds, which come before those of the table; borrowed, must outlive the list.
	const rpFeatureKind* kinds;
	int kindCount;
} rpFeatureDef;

RP_API rpFeatureDef rpDefaultFeatureDef(void);

/// Read "turn,speed". def and error may be NULL. NULL with rp_errorArgument, saying where (line 1 and the column) and
/// what there is, for text that is no list, with rp_errorMissing for a role that the skeleton lacks, and with
/// rp_errorLimit for more than RP_MAX_PARAMETERS numbers; free with rpDestroyFeatureList.
RP_API RP_NODISCARD rpFeatureList* rpCreateFeatureList(const char* text, const rpSkeleton* skeleton,
													   const rpFeatureDef* def, rpError* error);
RP_API void rpDestroyFeatureList(rpFeatureList* list);

/// How many numbers it measures, 1 to RP_MAX_PARAMETERS, and what they are.
RP_API int rpFeatureList_GetCount(const rpFeatureList* list);
RP_API const rpFeatureInfo* rpFeatureList_GetInfo(const rpFeatureList* list, int index);

/// Measure a stretch of a motion whose joints are those of the list's skeleton; out is [count]. error may be NULL.
/// False with rp_errorMissing where an event, a contact or travel is not there.
RP_API RP_NODISCARD bool rpFeatureList_Measure(const rpFeatureList* list, const rpFeatureStretch* stretch, float* out,
											   rpError* error);

/// The time of the first moment in the list, "hit" of "right_wrist@hit"; false where it has none or it cannot be found.
RP_API bool rpFeatureList_FindMoment(const rpFeatureList* list, const rpFeatureStretch* stretch, double* out);

/// The unit as people and keys have it, "m", "s", "deg", "m/s", and what a value is multiplied by for them: 180 / pi
/// for angles, 1 for the others.
RP_API const char* rpFeatureUnit_GetName(rpFeatureUnit unit);
RP_API float rpFeatureUnit_GetScale(rpFeatureUnit unit);

#ifdef __cplusplus
}
#endif
