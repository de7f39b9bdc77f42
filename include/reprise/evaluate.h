/// Measures of quality: feet, seams, smoothness, joints, physics, path. Formulas and sources: docs/measures.md.
#pragma once

#include "reprise/motion.h"

#ifdef __cplusplus
extern "C"
{
#endif

/// What is measured. Smaller is better.
/// X(enumerator, key in JSON, name of its limit on the command line, limit of `--limits default`, what it is)
#define RP_MEASURES(X)                                                                                                \
	X(measureSkateRatio, "skate_ratio", "skate", 0.1, "share of contact time in which the foot moves over 0.15 m/s")  \
	X(measureSlideMean, "slide_mm_mean", "slide", 15.0,                                                               \
	  "way of a resting heel or ball on the floor, mean of contacts")                                                 \
	X(measureSlideMax, "slide_mm_max", "slide-max", 60.0, "the same, the worst contact")                              \
	X(measurePenetration, "penetration_mm_max", "penetration", 60.0, "deepest that a heel, ball or toe sinks in")     \
	X(measureFloat, "float_mm_mean", "float", 20.0, "height of a resting heel or ball over its support, mean")        \
	X(measureSeamPose, "seam_pose_ratio_max", "seam-pose", 1.7,                                                       \
	  "greatest step of the joints at a seam against the reference's 95th percentile, or what is around it")          \
	X(measureSeamVelocity, "seam_velocity_ratio_max", "seam-velocity", 3.5,                                           \
	  "greatest change of the joints' velocity at a seam against the reference's 95th percentile, or what is around " \
	  "it")                                                                                                           \
	X(measureSeamAcceleration, "seam_acceleration_ratio_max", "seam-acceleration", 4.5,                               \
	  "greatest change of the joints' acceleration at a seam against the reference's 95th percentile, or what is "    \
	  "around it")                                                                                                    \
	X(measurePhase, "foot_phase_error_max", "phase", INFINITY,                                                        \
	  "how far the step over a seam is from the rhythm on both sides, strides; half for a foot that steps twice")     \
	X(measureJerk, "jerk_ratio", "jerk", 2.0, "mean jerk of the joints against the reference's")                      \
	X(measureJitter, "jitter", "jitter", INFINITY, "mean jerk of the joints, 100 m/s³")                               \
	X(measureLimit, "limit_excess_deg_max", "limit-excess", 10.0, "how far a joint goes beyond human limits")         \
	X(measureStretch, "stretch_percent_max", "stretch", 3.5, "greatest change of a bone's length")                    \
	X(measureGravity, "flight_gravity_error", "gravity", 0.3,                                                         \
	  "how far the fall in flight is from 9.81 m/s², as a share, mean over flights")                                  \
	X(measureBalance, "balance_outside_ratio", "balance", 0.2,                                                        \
	  "share of slow frames in which neither the centre of mass nor what it presses on is over the support")          \
	X(measurePathMean, "path_error_mean_m", "path", 0.5, "distance from the path, nearest point going forward")       \
	X(measurePathMax, "path_error_max_m", "path-max", 1.5, "the same, the greatest")                                  \
	X(measurePathRms, "path_error_rms_m", "path-rms", 0.7, "the same, root mean square")                              \
	X(measureArcMean, "path_arc_error_mean_m", "path-arc", INFINITY, "distance from the path at equal arc length")    \
	X(measureArcMax, "path_arc_error_max_m", "path-arc-max", INFINITY, "the same, the greatest")                      \
	X(measureArcRms, "path_arc_error_rms_m", "path-arc-rms", INFINITY, "the same, root mean square")

typedef enum rpMeasure
{
#define X(enumerator, key, option, limit, text) rp_##enumerator,
	RP_MEASURES(X)
#undef X
		rp_measureCount,
} rpMeasure;

/// "slide_mm_mean", the name of its limit "slide", and what it is, one line.
RP_API const char* rpMeasure_GetKey(rpMeasure measure);
RP_API const char* rpMeasure_GetLimitName(rpMeasure measure);
RP_API const char* rpMeasure_GetText(rpMeasure measure);

/// rp_measureCount if there is none of that key.
RP_API rpMeasure rpMeasure_Find(const char* key);

/// The limit of `--limits default`; infinite where there is none.
RP_API double rpMeasure_GetDefaultLimit(rpMeasure measure);

/// Where the contacts came from.
typedef enum rpContactSource
{
	/// The motion had none and shows none.
	rp_contactsNone,
	/// From its contact track.
	rp_contactsStored,
	/// Found by rpDetectContacts.
	rp_contactsDetected,
	rp_contactSourceCount,
} rpContactSource;

RP_API const char* rpContactSource_GetName(rpContactSource source);

/// What to measure with. Must come from rpDefaultEvaluateDef(). All pointers are borrowed for the call.
typedef struct rpEvaluateDef
{
	/// Clean motions to compare smoothness with, [referenceCount]; none: the motion itself away from its seams.
	const rpMotion* const* references;
	int referenceCount;

	/// The path it should follow on the floor, (x, z), metres; NULL: none.
	const rpVec2* path;
	int pathCount;

	/// Find contacts anew even if the motion has some; those that it has are the truth for contact_f1 then.
	bool detectContacts;

	/// Contacts to take as the truth instead; NULL: none. Borrowed.
	const rpMotion* truth;
} rpEvaluateDef;

RP_API rpEvaluateDef rpDefaultEvaluateDef(void);

/// What was measured.
typedef struct rpMeasures
{
	/// NaN where there is nothing to measure (no seam, no flight, no path).
	double values[rp_measureCount];

	rpContactSource contactSource;

	/// F1 of the contacts over intervals against the truth, NaN without one (see rpScoreContacts).
	double contactF1;
	int contactCount, flightCount, seamCount;

	/// Where the worst of a measure is, seconds; NaN where it has no place.
	double times[rp_measureCount];
} rpMeasures;

/// Measure a motion. error may be NULL. False for a motion with numbers that are not finite, or when memory ran out.
/// Measures that its body does not allow (no feet, no legs) are NaN.
RP_API RP_NODISCARD bool rpEvaluate(const rpMotion* motion, const rpEvaluateDef* def, rpMeasures* out, rpError* error);

/// F1 of the contacts of heels and balls over intervals: two of one effector match if they overlap by half of their
/// union or more. NaN if neither has any.
RP_API double rpScoreContacts(const rpMotion* motion, const rpMotion* truth);

#ifdef __cplusplus
}
#endif
