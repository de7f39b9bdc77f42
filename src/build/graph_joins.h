/// Which joins a blend can do, judged by feet and limbs.
#pragma once

#include "build/graph_draft.h"

/// Look up what each foot rests on in every frame of the examples, and where it is: fills feet. False: no memory.
bool rpExamples_GatherFeet(rpExamples* examples, rpError* error);

/// What stands against a join.
typedef enum rpHindrance
{
	rp_hindranceNone,
	/// The bodies face in different directions.
	rp_hindranceFacing,
	/// A joint is turned so far that it is not clear in which direction it should go.
	rp_hindranceTwist,
	/// Feet rest at different heights.
	rp_hindranceHeight,
	/// One body rests on the one foot and the other on the other, or one on both and the other on none.
	rp_hindranceSupport,
	/// A foot that rests in one clip is somewhere else in the other.
	rp_hindranceDrag,
} rpHindrance;

/// What stands against blending frame i of clip a with frame j of clip b moved by alignment, in a blend that takes as
/// long as most do, or as there is room for. The same for both directions.
rpHindrance rpExamples_CheckJoin(const rpExamples* examples, int a, int i, int b, int j, rpGroundTransform alignment);
