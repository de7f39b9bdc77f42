/// How long a transition should take, computed from the two motions.
///
/// After J. Wang's thesis, chapter V (J. Wang & B. Bodenheimer, "Synthesis and evaluation of linear motion
/// transitions", 2008): the geodesic rule for motion that steps, the velocity rule for other activities, and a
/// time-warped one.
///
/// Costs are weighted sums of squared angles of joints, rad² (eq. V.2). A length is the time from the first moment of a
/// blend to its last: a blend of b frames, as the thesis counts them, takes b - 1 steps from frame to frame. So a
/// motion that is cut and joined with itself again gets the time that it took.
#pragma once

#include "reprise/analysis.h"
#include "reprise/metric.h"
#include "reprise/play/blend.h"

#ifdef __cplusplus
extern "C"
{
#endif

/// How a length is found.
typedef enum rpLengthRule
{
	/// Geodesic where either side steps, velocity elsewhere.
	rp_lengthAuto,
	/// Anchored at its ends: the length of minimum mean cost (eq. V.1, V.2). Anchored at its centre, where that would
	/// shrink to one frame: the longest up to which the mean cost stays under a multiple of that at the centre.
	rp_lengthGeodesic,
	/// The difference of the major joint that has the greatest, divided by its mean speed at both moments (eq. V.3,
	/// V.4).
	rp_lengthVelocity,
	/// The two lengths, one in each motion, whose frames fit best when one is stretched to the other (eq. V.5, V.6),
	/// by the mean over the longer one: sums would always prefer short blends. Anchored at its ends only.
	rp_lengthWarp,
	/// The same with any monotone time path within the slope limit, by dynamic programming. Anchored at its ends only.
	rp_lengthDynamic,
	/// As given.
	rp_lengthFixed,
	rp_lengthRuleCount,
} rpLengthRule;

/// "auto", "geodesic", "velocity", "warp", "dynamic", "fixed".
RP_API const char* rpLengthRule_GetName(rpLengthRule rule);

/// rp_lengthRuleCount if there is none of that name.
RP_API rpLengthRule rpLengthRule_Find(const char* name);

/// How to find a length. Must come from rpDefaultBlendLengthDef(). All pointers are borrowed for the call.
typedef struct rpBlendLengthDef
{
	rpLengthRule rule;
	rpTransitionAnchor anchor;

	/// Lengths that are looked at, in steps of 1/fps: fps is 30 whatever the motions' rates are. Seconds; shortest is
	/// 1/30, for blends anchored at their centre, for the velocity rule and for rp_lengthAuto 0.1 at least; longest
	/// is 2. Where a clip ends before, less.
	double fps;
	double shortest, longest;

	/// rp_lengthFixed: the length, seconds.
	double seconds;

	/// Weights of the joints, [jointCount], not negative, the root's not read. NULL: hips 1, knees 0.0901, shoulders
	/// 0.7884, elbows 0.0247, as Wang found them; where the body has none of these, every joint 1.
	const float* jointWeights;

	/// Where no weights are given, those of this metric of angles; NULL, or clouds: as above. Borrowed.
	const rpMetric* metric;

	/// Blends anchored at their centre: how many times the cost at the centre the mean cost may be, 1.2; costs below
	/// centreFloor, rad², 0.02, count as that much. Fitted on the performer (reprise-bench transitions).
	double centreRatio;
	double centreFloor;

	/// The longest blend that the geodesic rule may choose, seconds: 0.5, which is a step. Feet that rest in one motion
	/// while they swing in the other, as they do in all longer blends of gaits that differ, would slide.
	double centreLongest;

	/// Velocity: joints slower than this, rad/s, count as that fast: at rest at both ends a limb still has a speed at
	/// which people move it. 1.
	double slowest;

	/// Time-warped: how many times as fast as the other one motion may pass, 2.
	int steepest;
} rpBlendLengthDef;

RP_API rpBlendLengthDef rpDefaultBlendLengthDef(void);

/// A length that was found, and how. Free with rpBlendLength_Free; zero-initialised is empty.
typedef struct rpBlendLength
{
	/// Never rp_lengthAuto.
	rpLengthRule rule;
	rpTransitionAnchor anchor;

	/// Length of the blend; and what it takes of a and of b, which is the same unless time is warped. Seconds.
	double seconds;
	double fromSeconds, toSeconds;

	/// Mean cost at that length, rad²; for a length that no curve has, the next one's.
	double cost;

	/// Whether a longer blend would have been looked at if the clips had the room.
	bool isCut;

	/// The mean cost of every length that was looked at, as the anchor has it: seconds and rad², [lengthCount]. Parts
	/// of it by joint: joints [jointCount] (indices), jointCosts [jointCount * lengthCount], joint by joint.
	double* lengths;
	double* costs;
	int lengthCount;
	int* joints;
	double* jointCosts;
	int jointCount;

	/// Velocity: the joint that needs the longest, -1 by other rules; its difference, rad, and its mean speed, rad/s.
	int joint;
	double difference, speed;

	/// Time-warped: which moments of a and of b belong together, [keyCount], increasing, from the first to the last
	/// moment of the blend. NULL, and 0 keys, by other rules.
	double* fromTimes;
	double* toTimes;
	int keyCount;
} rpBlendLength;

RP_API void rpBlendLength_Free(rpBlendLength* length);

/// Find the length of a transition from a's moment ta to b's moment tb, seconds: anchored at its ends the blend starts
/// at ta and ends at tb; at its centre both coincide in the middle. out is filled or empty. error may be NULL. False
/// when the skeletons differ, a moment lies outside its motion, a clip is too short for the shortest blend (says by how
/// much), a number is not finite, the rule cannot be had with that anchor, or memory ran out.
RP_API RP_NODISCARD bool rpFindBlendLength(const rpMotion* a, double ta, const rpMotion* b, double tb,
										   const rpBlendLengthDef* def, rpBlendLength* out, rpError* error);

/// Make the transition with a length that was found: as rpMakeTransition, whose definition gives kind and alignment
/// alone; time-warped blends play both motions along their common time path, at their own speed where they stand alone.
/// def, report and error may be NULL; report->from and ->to are ta and tb.
RP_API RP_NODISCARD rpMotion* rpMakeBlend(const rpMotion* a, double ta, const rpMotion* b, double tb,
										  const rpBlendLength* length, const rpTransitionDef* def,
										  rpTransitionReport* report, rpError* error);

/// What a blend cannot do well.
typedef enum rpJoinFault
{
	/// A limb passes through the body, which it does in neither motion.
	rp_faultCollision,
	/// One motion rests on the one foot while the other rests on the other.
	rp_faultSupport,
	/// Both step, but at different places of their strides.
	rp_faultPhase,
	rp_joinFaultCount,
} rpJoinFault;

/// "collision", "support", "phase".
RP_API const char* rpJoinFault_GetName(rpJoinFault fault);

/// What is wrong with a join, and where a better one is.
typedef struct rpJoinReport
{
	/// Bits 1u << rpJoinFault; 0: nothing.
	unsigned faults;

	/// How bad: metres that a limb is inside; share of the blend, by how much of each motion there is, on different
	/// feet; strides apart. NaN where there is nothing to measure.
	double values[rp_joinFaultCount];

	/// One sentence for each fault, without full stop; empty where there is none.
	char texts[rp_joinFaultCount][160];

	/// The most alike moments within half a second of both at which the same blend has no fault: whether there are any,
	/// and how far apart the motions are there, metres.
	bool hasBetter;
	double from, to;
	float distance;
} rpJoinReport;

/// Look at a join with a length that was found for it. Both motions need contacts for what is about feet. error may be
/// NULL. False when the transition cannot be made or memory ran out.
RP_API RP_NODISCARD bool rpCheckJoin(const rpMotion* a, double ta, const rpMotion* b, double tb,
									 const rpBlendLength* length, rpJoinReport* out, rpError* error);

/// Choose the moments of a transition: those of minimum distance by the metric (NULL: the default clouds), at least
/// `margin` seconds from the ends of both motions, for a blend with that anchor; of an anchor at the ends they are as
/// far apart as the centred blend there is long. *from and *to are those of a and b: one that is given (not NaN) is
/// kept. distance may be NULL. error may be NULL. False when a motion is too short, or memory ran out.
RP_API RP_NODISCARD bool rpFindJoin(const rpMotion* a, const rpMotion* b, const rpMetric* metric,
									rpTransitionAnchor anchor, double margin, double* from, double* to, float* distance,
									rpError* error);

#ifdef __cplusplus
}
#endif
