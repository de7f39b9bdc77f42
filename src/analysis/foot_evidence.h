/// What the frames show about each point of the feet, and the weight about each foot: evidence that it bears.
#pragma once

#include "analysis/foot_track.h"
#include "analysis/holds.h"

/// Evidence is 1 where nothing speaks against it, 0 where it is in doubt, and down to -RP_MAX_DOUBT.
#define RP_MAX_DOUBT 3.0f

/// Of both feet; arrays are [frameCount].
typedef struct rpFootEvidence
{
	/// By side and point: that it rests on what is under it.
	float* points[2][rp_footPartCount];

	/// By side: that the body needs the foot, or, negative, that it flies.
	float* loads[2];

	/// By side: height of what is under the foot, for its ball, metres.
	float* levels[2];

	void* memory;
} rpFootEvidence;

/// The limits in use, of rpContactDef.
typedef struct rpRestLimits
{
	/// m/s and metres at which it is in doubt whether a point rests; 0: adapted to the movement around.
	float speed, height;
} rpRestLimits;

/// Judge all frames. load is NULL for a body that cannot be weighed. False, with an error, when memory ran out.
RP_NODISCARD bool rpFootEvidence_Gather(rpFootEvidence* evidence, rpFeet* feet, const rpRestLimits* limits,
										const rpSupportLoad* load, const rpHolds* holds, rpError* error);
void rpFootEvidence_Free(rpFootEvidence* evidence);

/// The speed at which it is in doubt whether a point rests in a frame, m/s, and the height, metres.
float rpGetRestSpeed(const rpFeet* feet, const rpRestLimits* limits, int track, int frame);
float rpGetRestHeight(const rpFeet* feet, const rpRestLimits* limits, int frame);
