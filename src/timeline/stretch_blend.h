/// Stretches of clips in which the same happens, blended into a span: incremental time warping by key times (Park, Shin
/// & Shin 2004), velocities of their ground frames blended and added up, what rests by majority. For movements of
/// locomotion as for motions of a space; nothing is allocated.
///
/// The clips' roots are relative to ground frames, whose rates are apart from them.
#pragma once

#include "timeline/span.h"

/// Looks per second at what rests, and pieces of a path, if there are not too many of them.
#define RP_LOOK_RATE 60.0

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

/// The same bit by bit, for those who plan while they play: first the path, piece by piece, then what rests, look by
/// look.
typedef struct rpStretchBlending
{
	/// What is next: the path's pieces, then the looks.
	int piece, look;

	/// The frame's velocity in the middle of each piece, along the axes of the span's start; the path's length so far.
	rpGroundRate middles[RP_MAX_GROUND_STEPS];
	float length;

	/// Seconds between looks, the last one, and those at which what rests now came to rest, -1: it does not.
	double lookStep;
	int lastLook;
	int starts[rp_effectorCount];
} rpStretchBlending;

/// Keys and shares. Of def's shares the key times are not read later.
void rpStretchBlending_Begin(rpStretchBlending* blending, rpSpan* span, const rpStretchBlendDef* def);

/// At most so many pieces or looks. True once it is done.
bool rpStretchBlending_GoOn(rpStretchBlending* blending, rpSpan* span, const rpStretchBlendDef* def, int count);
rpStretchBlend rpStretchBlending_GetResult(const rpStretchBlending* blending, const rpSpan* span);
