/// A motion as the judge sees it: points of the body over time, 60 frames a second whatever the motion's own rate, so
/// that one definition of each measure serves all. Nothing but frames goes in: no contact, label or source.
#pragma once

#include "judge/measure_input.h"

/// Frames per second of a film. Above it the noise of a capture drowns what people see.
#define RP_FILM_RATE 60.0

/// The points of a film: the joints with a role, and what has none.
enum
{
	rp_filmHeels = rp_roleCount,
	rp_filmToes = rp_filmHeels + 2,
	rp_filmCenter = rp_filmToes + 2,
	rp_filmPointCount,
};

/// Points over time. Zero-initialised is empty.
typedef struct rpFilm
{
	int frameCount;

	/// [frameCount] each, in the world, metres; NULL where the body has no such point. Roles by their number, heels and
	/// toes of the left foot and then of the right one, the centre of mass.
	rpVec3* points[rp_filmPointCount];
	rpVec3* memory;
} rpFilm;

/// The joints of a leg, the left one's by side 0. A ball is there where the capture has no joint for it, too.
typedef struct rpFilmLeg
{
	const rpVec3 *hip, *knee, *ankle, *ball, *heel, *toe;
} rpFilmLeg;

/// Film a motion; rpFilm_Free frees it, after failure too. False: memory ran out.
bool rpFilm_Shoot(rpFilm* film, const rpMeasureInput* input, rpError* error);
void rpFilm_Free(rpFilm* film);

/// One leg of the body.
rpFilmLeg rpFilm_GetLeg(const rpFilm* film, int side);

/// Whether both legs have hip, knee, ankle, ball and toe, and there is a pelvis.
bool rpFilm_HasLegs(const rpFilm* film);

/// Whether hitches and jerk are looked for in a joint of that role. Clavicles lie where the chest is in most captures.
bool rpFilm_Counts(rpRole role);
