/// What films of one person show of feet, legs and steps: all that is compared between a motion and its references.
#pragma once

#include "judge/footfalls.h"
#include "judge/series.h"

/// The kinds of samples, and what their keys are.
typedef enum rpEvidenceKind
{
	/// Speed of a ball in stance, m/s, a frame each.
	rp_evidenceSpeed,
	/// The same in the last 0.2 s of stances that end.
	rp_evidencePushoff,
	/// Extent of a ball's places in a stance, metres; key: the stance's beginning, seconds.
	rp_evidenceSlide,
	/// Height of the lowest point of a foot in stance, metres, a frame each; key: seconds.
	rp_evidenceLow,
	/// Height of a ball in stance above its running floor, metres, a frame each; key: seconds.
	rp_evidenceLift,
	/// Time of a step, seconds, and its length, metres; key: pace.
	rp_evidenceStepTime,
	rp_evidenceStepLength,
	/// |log| of the ratio of a step's time to that of the step before.
	rp_evidenceStepRatio,
	/// Share of a foot's cycle in which it is in stance; key: pace.
	rp_evidenceDuty,
	/// Min bend of the knee in a stance, degrees; key: pace.
	rp_evidenceKnee,
	/// Flexion of a thigh against the trunk, degrees, a frame each.
	rp_evidenceFlexion,
	/// Jerk, mean of the joints with roles, m/s³, a frame each; key: seconds.
	rp_evidenceJerk,
	rp_evidenceKindCount,
} rpEvidenceKind;

/// Zero-initialised is empty.
typedef struct rpEvidence
{
	rpSamples kinds[rp_evidenceKindCount];

	/// Change of a joint's velocity from frame to frame, m/s; key: seconds.
	rpSamples changes[rp_roleCount];
} rpEvidence;

/// Add what a film shows, or all of a motion. False: memory ran out.
RP_NODISCARD bool rpEvidence_Add(rpEvidence* evidence, const rpFilm* film, const rpFootfalls* falls, rpError* error);
RP_NODISCARD bool rpEvidence_AddMotion(rpEvidence* evidence, const rpMotion* motion, rpError* error);
void rpEvidence_Free(rpEvidence* evidence);

/// The measures of gait, hitches and jerk, and what the others show, which may be nothing. Sorts samples of
/// both; those of the others can be used again. False: memory ran out.
RP_NODISCARD bool rpMeasureEvidence(rpEvidence* own, rpEvidence* others, rpMeasures* out, rpError* error);
