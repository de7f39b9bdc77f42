#include "judge/evidence.h"

#include "judge/extent.h"

// The last so many frames of a stance are its push-off: 0.2 s.
#define PUSHOFF_FRAMES 12

// Steps and cycles that are shorter or longer than this, seconds, are stops, jumps or lost stances.
#define SHORTEST_STEP 0.2
#define LONGEST_STEP 1.2

static bool add(rpEvidence* evidence, rpEvidenceKind kind, double value, double key, rpError* error)
{
	return rpSamples_Add(&evidence->kinds[kind], value, key, error);
}

// Angle between vectors, degrees.
static double getAngle(rpVec3 a, rpVec3 b)
{
	return atan2((double)rpLength(rpCross(a, b)), (double)rpDot(a, b)) / RP_DEGREE;
}

static double getKneeBend(rpFilmLeg leg, int frame)
{
	return getAngle(rpSub(leg.knee[frame], leg.hip[frame]), rpSub(leg.ankle[frame], leg.knee[frame]));
}

// ---- stances

static bool addFrames(rpEvidence* evidence, const rpFootfalls* falls, const rpFootfall* fall, rpError* error)
{
	bool done = true;
	int end = fall->end - RP_FOOTFALL_EDGE, side = fall->side;
	for (int f = fall->first + RP_FOOTFALL_EDGE; f < end && done; ++f)
	{
		double speed = (double)falls->speeds[side][f], seconds = f / RP_FILM_RATE;
		bool isPushoff = fall->hasEnd && f >= end - PUSHOFF_FRAMES;
		done = add(evidence, rp_evidenceSpeed, speed, seconds, error) &&
			   (!isPushoff || add(evidence, rp_evidencePushoff, speed, seconds, error)) &&
			   add(evidence, rp_evidenceLow, (double)falls->lows[side][f], seconds, error) &&
			   add(evidence, rp_evidenceLift, fmax((double)falls->heights[side][f], 0.0), seconds, error);
	}
	return done;
}

static bool addStance(rpEvidence* evidence, const rpFilm* film, const rpFootfall* fall, rpError* error)
{
	rpFilmLeg leg = rpFilm_GetLeg(film, fall->side);
	rpExtent extent = {0};
	double bend = INFINITY;
	for (int f = fall->first; f < fall->end; ++f)
	{
		bool isCore = f >= fall->first + RP_FOOTFALL_EDGE && f < fall->end - RP_FOOTFALL_EDGE;
		bend = fmin(bend, getKneeBend(leg, f));
		if (isCore)
		{
			rpExtent_Grow(&extent, leg.ball[f]);
		}
	}
	return add(evidence, rp_evidenceSlide, rpExtent_GetDiameter(&extent), fall->first / RP_FILM_RATE, error) &&
		   add(evidence, rp_evidenceKnee, bend, fall->pace, error);
}

// ---- steps

// A step goes from the beginning of a stance to that of the next, of the other foot. Returns its time, NaN if it is
// none.
static double getStepTime(const rpFootfall* from, const rpFootfall* to)
{
	double time = (to->first - from->first) / RP_FILM_RATE;
	bool isStep = from->hasOnset && from->side != to->side && time >= SHORTEST_STEP && time <= LONGEST_STEP;
	return isStep ? time : (double)NAN;
}

static bool addSteps(rpEvidence* evidence, const rpFilm* film, const rpFootfalls* falls, rpError* error)
{
	const rpVec3* pelvis = film->points[rp_rolePelvis];
	double before = NAN;
	bool done = true;
	for (int i = 0; i + 1 < falls->count && done; ++i)
	{
		const rpFootfall *from = &falls->falls[i], *to = from + 1;
		double time = getStepTime(from, to);
		if (!isnan(time))
		{
			double pace = rpGetFloorDistance(pelvis[to->first], pelvis[from->first]) / time;
			done = add(evidence, rp_evidenceStepTime, time, pace, error) &&
				   add(evidence, rp_evidenceStepLength, rpGetFloorDistance(to->place, from->place), pace, error) &&
				   (isnan(before) || add(evidence, rp_evidenceStepRatio, fabs(log(time / before)), pace, error));
		}
		before = time;
	}
	return done;
}

// A cycle goes from the beginning of a stance to that of the same foot's next.
static bool addDuties(rpEvidence* evidence, const rpFootfalls* falls, rpError* error)
{
	const rpFootfall* last[2] = {NULL, NULL};
	bool done = true;
	for (int i = 0; i < falls->count && done; ++i)
	{
		const rpFootfall *to = &falls->falls[i], *from = last[to->side];
		double frames = from != NULL ? to->first - from->first : 0.0, time = frames / RP_FILM_RATE;
		if (from != NULL && from->hasOnset && time >= 2.0 * SHORTEST_STEP && time <= 2.0 * LONGEST_STEP)
		{
			done = add(evidence, rp_evidenceDuty, (from->end - from->first) / frames, from->pace, error);
		}
		last[to->side] = to;
	}
	return done;
}

// ---- the body

// Flexion of the hip: the thigh against the trunk, forwards. Degrees.
static double getFlexion(const rpFilm* film, int side, int f)
{
	const rpVec3* const* p = (const rpVec3* const*)film->points;
	rpVec3 hips = rpAdd(p[rp_roleLeftHip][f], p[rp_roleRightHip][f]);
	rpVec3 shoulders = rpAdd(p[rp_roleLeftShoulder][f], p[rp_roleRightShoulder][f]);
	rpVec3 left = rpNormalize(rpSub(p[rp_roleLeftHip][f], p[rp_roleRightHip][f])), up = rpSub(shoulders, hips);
	up = rpNormalize(rpMulAdd(up, -rpDot(up, left), left));
	rpFilmLeg leg = rpFilm_GetLeg(film, side);
	rpVec3 thigh = rpSub(leg.knee[f], leg.hip[f]);
	return atan2((double)rpDot(thigh, rpCross(left, up)), -(double)rpDot(thigh, up)) / RP_DEGREE;
}

static bool addFlexions(rpEvidence* evidence, const rpFilm* film, rpError* error)
{
	bool done = true;
	bool hasTrunk = film->points[rp_roleLeftShoulder] != NULL && film->points[rp_roleRightShoulder] != NULL;
	for (int f = 0; hasTrunk && f < film->frameCount && done; ++f)
	{
		done = add(evidence, rp_evidenceFlexion, getFlexion(film, 0, f), f / RP_FILM_RATE, error) &&
			   add(evidence, rp_evidenceFlexion, getFlexion(film, 1, f), f / RP_FILM_RATE, error);
	}
	return done;
}

static bool addChanges(rpEvidence* evidence, const rpFilm* film, rpError* error)
{
	bool done = true;
	for (int role = 0; role < rp_roleCount && done; ++role)
	{
		const rpVec3* p = rpFilm_Counts((rpRole)role) ? film->points[role] : NULL;
		for (int f = 1; p != NULL && f + 1 < film->frameCount && done; ++f)
		{
			rpVec3 change = rpSub(rpSub(p[f + 1], p[f]), rpSub(p[f], p[f - 1]));
			double size = (double)rpLength(change) * RP_FILM_RATE;
			done = rpSamples_Add(&evidence->changes[role], size, f / RP_FILM_RATE, error);
		}
	}
	return done;
}

static double getJerk(const rpFilm* film, int f)
{
	double sum = 0.0;
	int count = 0;
	for (int role = 0; role < rp_roleCount; ++role)
	{
		const rpVec3* p = rpFilm_Counts((rpRole)role) ? film->points[role] : NULL;
		if (p != NULL)
		{
			// The third difference: p3 - 3 p2 + 3 p1 - p0.
			rpVec3 rise = rpSub(p[f + 3], p[f]), fall = rpSub(p[f + 1], p[f + 2]);
			sum += (double)rpLength(rpMulAdd(rise, 3.0f, fall));
			++count;
		}
	}
	return count > 0 ? sum / count * RP_FILM_RATE * RP_FILM_RATE * RP_FILM_RATE : (double)NAN;
}

static bool addJerks(rpEvidence* evidence, const rpFilm* film, rpError* error)
{
	bool done = true;
	for (int f = 0; f + 3 < film->frameCount && done; ++f)
	{
		double jerk = getJerk(film, f);
		done = isnan(jerk) || add(evidence, rp_evidenceJerk, jerk, f / RP_FILM_RATE, error);
	}
	return done;
}

bool rpEvidence_Add(rpEvidence* evidence, const rpFilm* film, const rpFootfalls* falls, rpError* error)
{
	bool done = addChanges(evidence, film, error) && addJerks(evidence, film, error);
	for (int i = 0; i < falls->count && done; ++i)
	{
		done =
			addFrames(evidence, falls, &falls->falls[i], error) && addStance(evidence, film, &falls->falls[i], error);
	}
	if (!done || !rpFilm_HasLegs(film))
	{
		return done;
	}
	return addSteps(evidence, film, falls, error) && addDuties(evidence, falls, error) &&
		   addFlexions(evidence, film, error);
}

bool rpEvidence_AddMotion(rpEvidence* evidence, const rpMotion* motion, rpError* error)
{
	rpMeasureInput exhibit;
	rpFilm film = {0};
	rpFootfalls falls = {0};
	bool done = rpMeasureInput_Open(&exhibit, motion, error) && rpFilm_Shoot(&film, &exhibit, error) &&
				rpFootfalls_Find(&falls, &film, error) && rpEvidence_Add(evidence, &film, &falls, error);
	rpFootfalls_Free(&falls);
	rpFilm_Free(&film);
	rpMeasureInput_Free(&exhibit);
	return done;
}

void rpEvidence_Free(rpEvidence* evidence)
{
	for (int i = 0; i < rp_evidenceKindCount; ++i)
	{
		rpSamples_Free(&evidence->kinds[i]);
	}
	for (int i = 0; i < rp_roleCount; ++i)
	{
		rpSamples_Free(&evidence->changes[i]);
	}
}
