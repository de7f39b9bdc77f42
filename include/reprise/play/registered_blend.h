/// Motions registered with each other (reprise/registration.h), and what is blended of them.
///
/// Blending after Kovar & Gleicher, "Flexible automatic motion blending with registration curves" (2003), and Safonova
/// & Hodgins, "Analyzing the physical correctness of interpolated human motion" (2005).
#pragma once

#include "reprise/play/motion.h"

#ifdef __cplusplus
extern "C"
{
#endif

/// A stretch of all motions of a registration with the same effectors in contact; its keys are first … last.
typedef struct rpStage
{
	/// Keys of the registration at its start and end; the next stage starts where this one ends.
	int firstKey, lastKey;

	/// Bits (1u << rpEffector) of heels and balls that are in contact in all motions; of a foot that rests on different
	/// parts in each, the ball. 0: a flight.
	unsigned contacts;
} rpStage;

/// Motions registered with each other. Key k says: at times[m * keyCount + k] of motion m they all do the same, and
/// grounds[m * keyCount + k] takes motion m's frame there onto motion 0's. Fields are there to be read.
typedef struct rpRegistration
{
	/// [motionCount], borrowed: must outlive the registration. All of one skeleton.
	const rpMotion** motions;
	int motionCount;

	/// [motionCount * keyCount], strictly increasing for each motion; motion 0 is the reference. Between keys a
	/// monotone cubic (rpWarp, smooth) in motion 0's time. Turns of the grounds are unwrapped: consecutive keys differ
	/// by less than half a turn.
	double* times;
	rpGroundTransform* grounds;
	int keyCount;

	/// Mean distance along the path of motion m from its neighbour in the chain, metres; 0 for the reference.
	/// [motionCount]
	float* costs;

	/// Motion that motion m was compared with: far ones go through a chain of near ones. -1 for the reference.
	int* links;

	/// Phases, where every motion has the same sequence of contacts of heels and balls, or of feet, within the
	/// registered stretch; their ends are keys. Otherwise stageCount is 0.
	rpStage* stages;
	int stageCount;
} rpRegistration;

RP_API void rpDestroyRegistration(rpRegistration* registration);

/// Time of motion m where motion 0 is at `seconds`; beyond the keys it goes on at the end's speed.
RP_API double rpRegistration_GetTime(const rpRegistration* registration, int motion, double seconds);

/// The ground transform that takes motion m's root, at rpRegistration_GetTime, onto motion 0 there: a cubic through the
/// keys, smooth in speed, the turn unwrapped; beyond the keys that of the end. The identity for motion 0.
RP_API rpGroundTransform rpRegistration_GetGround(const rpRegistration* registration, int motion, double seconds);

typedef enum rpBlendScheme
{
	/// Physical where the registration has stages, plain otherwise.
	rp_blendAuto,
	/// Rotation means, roots along alignment curves, constant weights or changing.
	rp_blendPlain,
	/// Safonova & Hodgins: time linear inside a flight, centre of mass interpolated, feet as constraints in stance, T =
	/// sqrt(sum of w T²) for each phase. Weights that change are held in flight and, for a foot, while it rests; in
	/// stance the body goes over from one phase's weights to the next's smoothly.
	rp_blendPhysical,
	rp_blendSchemeCount,
} rpBlendScheme;

/// How to blend registered motions. Must come from rpDefaultBlendDef().
typedef struct rpBlendDef
{
	/// [motionCount], or [weightKeyCount * motionCount] for weights that change: linear between keys in the fraction of
	/// the registered stretch (in motion 0's time) weightKeys ([weightKeyCount], 0 … 1, increasing; NULL for constant
	/// weights). They are made to sum to 1. NULL: all are equal. Borrowed.
	const float* weights;
	const float* weightKeys;
	int weightKeyCount;

	rpBlendScheme scheme;

	/// Frames per second; 0: those of motion 0.
	double fps;
} rpBlendDef;

/// What was done.
typedef struct rpBlendReport
{
	rpBlendScheme scheme;

	/// Why it is plain where physical was wanted, or empty.
	char reason[160];

	/// Greatest jump of the velocity of the centre of mass at a change of phase, m/s; 0 in the plain scheme.
	float velocityJump;

	/// Greatest distance of a resting foot from where it shall rest, because its leg is too short, metres; 0 in the
	/// plain scheme.
	float footMiss;

	/// 0 in the plain scheme.
	int phaseCount, flightCount;
} rpBlendReport;

RP_API rpBlendDef rpDefaultBlendDef(void);

/// Blend. def, report and error may be NULL. With all weight on one motion that motion comes back, over the registered
/// stretch and moved as the registration has it at its start. Contacts, labels, events and curves are carried along;
/// those of matching intervals at the weighted mean of their times. NULL when weights are wrong, when more than
/// RP_MAX_SHARES motions have weight, when motions are of different bodies or hold numbers that are not finite, or when
/// memory ran out.
RP_API RP_NODISCARD rpMotion* rpRegistration_Blend(const rpRegistration* registration, const rpBlendDef* def,
												   rpBlendReport* report, rpError* error);

#ifdef __cplusplus
}
#endif
