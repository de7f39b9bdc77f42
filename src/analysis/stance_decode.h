/// The stages of both feet over time.
#pragma once

#include "analysis/foot_evidence.h"

/// What a foot does. A stance goes through its stages in this order, and may begin and end with any of them; a heel may
/// come down again, and someone who walks backwards ends a stance on it.
typedef enum rpFootStage
{
	rp_stageSwing,

	/// On the heel, which has just struck.
	rp_stageHeel,
	rp_stageFlat,

	/// The heel is up.
	rp_stageBall,

	/// Heel and ball are up.
	rp_stageToe,

	/// On the heel, and about to leave.
	rp_stageLastHeel,
	rp_stageCount,
} rpFootStage;

/// Whether a part of the foot bears in a stage.
bool rpStage_Bears(rpFootStage stage, int part);

/// Find the likeliest stages of a foot, into stages, [frameCount]. False, with an error, when memory ran out.
RP_NODISCARD bool rpDecodeStances(const rpFootEvidence* evidence, const rpFeet* feet, int side, unsigned char* stages,
								  rpError* error);
