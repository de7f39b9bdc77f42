/// Stretches of clips in which the same happens, blended into a span: incremental time warping by key times (Park, Shin
/// & Shin 2004), velocities of their ground frames blended and added up, what rests by majority. For movements of
/// locomotion as for motions of a space; nothing is allocated.
///
/// The clips' roots are relative to ground frames, whose rates are apart from them.
#pragma once

#include "timeline/span.h"

/// One of the stretches. What is pointed to is borrowed, the clip for as long as the span.
typedef struct rpStretchShare
{
	const rpClip* clip;
	int source;
	float weight;

	/// [keyCount], seconds in the clip: at each of them all stretches do the same.
	const double* keytimes;

	/// How the clip's ground frame moves, and bits (1u << rpEffector) of what rests; [frameCount] of the clip.
	const rpGroundRate* rates;
	const uint16_t* contacts;
} rpStretchShare;

typedef struct rpStretchBlendDef
{
	/// Weights add up to 1.
	const rpStretchShare* shares;
	int shareCount;

	/// 2 … rp_maxSpanKeys.
	int keyCount;

	/// Bit k: from key k to the next all bodies fly. Such a phase lasts sqrt(sum of w T²), and times run straight in
	/// it, so that what is blended falls as bodies fall (Safonova & Hodgins 2005, eq. 5.7).
	uint64_t flights;

	/// How long it shall last, whatever the shares say; 0: as they say.
	double seconds;
} rpStretchBlendDef;

/// How far its path is and how much it turns, metres and radians.
typedef struct rpStretchBlend
{
	float length, turn;
} rpStretchBlend;

/// Fill keys, shares, path and contacts of a span that starts at its placement.
rpStretchBlend rpSpan_BlendStretches(rpSpan* span, const rpStretchBlendDef* def);
