/// Measures of quality: feet, legs, steps, seams, smoothness, joints, physics, path. They are taken from frames alone,
/// by means that share nothing with what finds contacts or locks feet. Formulas and sources: docs/measures.md.
#pragma once

#include "reprise/play/motion.h"

#ifdef __cplusplus
extern "C"
{
#endif

/// What is measured.
/// X(enumerator, key in JSON, name of its limit on the command line, limit of `--limits default`, what it is)
#define RP_MEASURES(X)                                                                                                \
	X(measureSkateRatio, "skate_ratio", "skate", 0.5, "share of stance in which the ball moves over 0.15 m/s")        \
	X(measurePushoff, "pushoff_ratio", "pushoff", 0.7, "the same in the last 0.2 s of stances")                       \
	X(measureStanceSpeed, "stance_speed_p95", "stance-speed", 0.45,                                                   \
	  "speed of the ball in stance, 95th percentile, m/s")                                                            \
	X(measureSlideMean, "slide_mm_mean", "slide", 50.0, "how far the ball gets on the floor in a stance, mean")       \
	X(measureSlideMedian, "slide_mm_median", "slide-median", 50.0, "the same, median")                                \
	X(measureSlideHigh, "slide_mm_p95", "slide-p95", 115.0, "the same, 95th percentile")                              \
	X(measureSlideMax, "slide_mm_max", "slide-max", 140.0, "the same, the worst stance")                              \
	X(measureFloor, "floor_mm", "floor", 76.0, "height over y = 0 of the lowest point of a foot in stance, median")   \
	X(measurePenetration, "penetration_mm_max", "penetration", 60.0,                                                  \
	  "deepest that a foot sinks below where it rests around then")                                                   \
	X(measureFloat, "float_mm_mean", "float", 20.0,                                                                   \
	  "height of the ball in stance over where it rests around then, mean")                                           \
	X(measureStepTime, "step_time_s", "step-time", INFINITY, "from one foot's touch to the other's, median")          \
	X(measureStepLength, "step_length_m", "step-length", INFINITY,                                                    \
	  "from where one ball rests to where the other does, median")                                                    \
	X(measureIrregularity, "step_irregularity", "irregularity", 1.6,                                                  \
	  "|log| of the ratio of one step's time to the next's, 90th percentile")                                         \
	X(measureDuty, "duty", "duty", INFINITY, "share of a foot's cycle in stance, median")                             \
	X(measureKnee, "knee_least_deg", "knee", INFINITY, "least bend of the knee in a stance, median")                  \
	X(measureFlexion, "hip_flexion_deg", "hip-flexion", INFINITY, "bend of the thighs against the trunk, mean")       \
	X(measureHitch, "hitch_mps", "hitch", 20.0,                                                                       \
	  "change of velocity in a frame of 60 Hz that one in 1000 exceeds, worst joint")                                 \
	X(measureHipJump, "hip_jump_mps", "hip-jump", 2.2, "greatest change of the pelvis' velocity in a frame of 60 Hz") \
	X(measureContactsDisagree, "contacts_disagree", "contacts-disagree", INFINITY,                                    \
	  "share of frames in which stored contacts say what the frames do not")                                          \
	X(measureSeamPose, "seam_pose_ratio_max", "seam-pose", 1.7,                                                       \
	  "greatest step of the joints at a seam against the reference's 95th percentile, or what is around it")          \
	X(measureSeamVelocity, "seam_velocity_ratio_max", "seam-velocity", 3.5,                                           \
	  "greatest change of the joints' velocity at a seam against the reference's 95th percentile, or what is around " \
	  "it")                                                                                                           \
	X(measureSeamAcceleration, "seam_acceleration_ratio_max", "seam-acceleration", 4.5,                               \
	  "greatest change of the joints' acceleration at a seam against the reference's 95th percentile, or what is "    \
	  "around it")                                                                                                    \
	X(measurePhase, "foot_phase_error_max", "phase", INFINITY,                                                        \
	  "how far the landing after a seam is from the rhythm on both sides, strides")                                   \
	X(measureJerk, "jerk_ratio", "jerk", 2.0, "mean jerk of the joints against the reference's")                      \
	X(measureJitter, "jitter", "jitter", 30.0, "mean jerk of the joints, 100 m/s³")                                   \
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

/// The limit of `--limits default` without a reference; infinite where there is none.
RP_API double rpMeasure_GetDefaultLimit(rpMeasure measure);

/// What to measure with. Must come from rpDefaultEvaluateDef(). All pointers are borrowed for the call.
typedef struct rpEvaluateDef
{
	/// Captured motions to compare with, best all that it was made from, [referenceCount]. None: smoothness of seams is
	/// compared with the motion itself away from them, and the rest with what captures show.
	const rpMotion* const* references;
	int referenceCount;

	/// The path it should follow on the floor, (x, z), metres; NULL: none.
	const rpVec2* path;
	int pathCount;

	/// Its contacts are the truth that the motion's are scored by; NULL: none.
	const rpMotion* truth;
} rpEvaluateDef;

RP_API rpEvaluateDef rpDefaultEvaluateDef(void);

/// What was measured.
typedef struct rpMeasures
{
	/// NaN where there is nothing to measure (no seam, no flight, no path).
	double values[rp_measureCount];

	/// The same of the references, where that is compared: at the paces of the motion for steps, stances and knees. NaN
	/// where there is none.
	double standards[rp_measureCount];

	/// F1 of the contacts over intervals against the truth, NaN without one (see rpScoreContacts).
	double contactF1;

	/// Stored contacts of feet; stances, steps and flights that were seen in the frames; seams.
	int contactCount, stanceCount, stepCount, flightCount, seamCount;

	/// The joint that hitches most, for measureHitch.
	rpRole hitchRole;

	/// Where the worst of a measure is, seconds; NaN where it has no place.
	double times[rp_measureCount];
} rpMeasures;

/// Measure a motion. error may be NULL. False for a motion with numbers that are not finite, or when memory ran out.
/// Measures that its body does not allow (no feet, no legs) are NaN.
RP_API RP_NODISCARD bool rpEvaluate(const rpMotion* motion, const rpEvaluateDef* def, rpMeasures* out, rpError* error);

/// The range that `--limits default` allows a measure: by what the references show where that was compared, else by
/// what captures show. Infinite where it is open.
RP_API void rpMeasures_GetRange(const rpMeasures* measures, rpMeasure measure, double* min, double* max);

/// F1 of the contacts of heels and balls over intervals: two of one effector match if they overlap by half of their
/// union or more. NaN if neither has any.
RP_API double rpScoreContacts(const rpMotion* motion, const rpMotion* truth);

#ifdef __cplusplus
}
#endif
