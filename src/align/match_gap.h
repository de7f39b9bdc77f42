/// The threshold that the distances found suggest.
///
/// A threshold lets a list of matches grow (align/match_growth.h). While it takes in what does the same, little is new
/// from step to step, or nothing; once it lets in something else, much is. So the best threshold is at the end of a
/// wide gap: a range of distances, wide in proportion, in which the list hardly grows.
///
/// What is repeated, as strides are, shows sooner where something else begins: matches come in that lie between others,
/// half a cycle off. Nothing after them is taken.
#pragma once

#include "align/match_growth.h"

/// Where growth begins to look for a gap, and ends, metres: frames of one act done twice alike are 1 to 2 cm apart, and
/// 15 cm lie between walk, run and punch.
#define RP_MATCH_GAP_START 0.03f
#define RP_MATCH_GAP_END 0.15f

typedef struct rpMatchGap
{
	/// Little is new between these, metres; the threshold is before the upper one, within which `count` matches are.
	float low, high, threshold;
	int count;

	/// How much it stands out; 0: none was found.
	double score;

	/// It ends where another phase of what is repeated comes in.
	bool isToPhase;
} rpMatchGap;

/// The gap that stands out most of the matches up to `end`, beyond which nothing is known.
rpMatchGap rpFindMatchGap(const rpMatchGrowth* growth, float end);

/// Whether another phase of what is repeated has come in: growth need not go on.
bool rpMatchGrowth_IsMixed(const rpMatchGrowth* growth);

/// Whether growth has gone so far beyond the gap that there is none to be looked for.
bool rpMatchGap_IsPassed(const rpMatchGap* gap, const rpMatchGrowth* growth);
