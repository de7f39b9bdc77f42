/// Where feet rest: one place for each contact, and one foot for heel and ball.
#include "blend/foot_lock_place.h"

// A planted point that is as fast as this, m/s, counts half.
#define ROLLING_SPEED 0.15f

// What a foot's correction changes by from one contact to the next is no faster than this, m/s.
#define STEP_SPEED 0.6f

// Places of heel and ball that are farther from where the foot has them than this share of it are none of one foot.
#define CARRIED 0.5f

float rpFootTrack_GetStillness(const rpFootTrack* track, const rpPlant* plant, int frame)
{
	int span = track->spans.slope;
	int from = frame - span > plant->first ? frame - span : plant->first;
	int to = frame + span < plant->last ? frame + span : plant->last;
	if (from == to)
	{
		return 0.5f;
	}
	rpVec3 old = rpFootTrack_Get(track, from)->feet[plant->side].sample.sole[plant->point];
	rpVec3 new = rpFootTrack_Get(track, to)->feet[plant->side].sample.sole[plant->point];
	rpVec3 speed = rpScale((float)track->fps / (ROLLING_SPEED * (float)(to - from)), rpSub(new, old));
	return 1.0f / (1.0f + rpDot(speed, speed));
}

static rpVec3 getMeanPlace(const rpFootTrack* track, const rpPlant* plant)
{
	int last = plant->last < plant->first + track->spans.sight ? plant->last : plant->first + track->spans.sight;
	double x = 0.0, y = 0.0, z = 0.0, count = 0.0;
	for (int i = plant->first; i <= last; ++i)
	{
		rpVec3 p = rpFootTrack_Get(track, i)->feet[plant->side].sample.sole[plant->point];
		double stillness = rpFootTrack_GetStillness(track, plant, i), weight = stillness * stillness;
		x += weight * p.x;
		y += weight * p.y;
		z += weight * p.z;
		count += weight;
	}
	return (rpVec3){(float)(x / count), (float)(y / count), (float)(z / count)};
}

// How much higher than the ball the toes end in a plant of the ball, as far as it can be seen; negative: lower.
static double getToeRise(const rpFootTrack* track, const rpPlant* plant)
{
	int last = plant->last < plant->first + track->spans.sight ? plant->last : plant->first + track->spans.sight;
	double sum = 0.0;
	for (int i = plant->first; i <= last; ++i)
	{
		const rpFootSample* sample = &rpFootTrack_Get(track, i)->feet[plant->side].sample;
		sum += (double)sample->toe.y - sample->sole[1].y;
	}
	return sum / (last - plant->first + 1);
}

void rpFootTrack_AddClearance(rpFootTrack* track, const rpPlant* plant)
{
	track->clearances[plant->point] += getMeanPlace(track, plant).y - plant->support;
	++track->clearanceCounts[plant->point];
	track->toeRises += plant->point == 1 ? getToeRise(track, plant) : 0.0;
}

static rpVec3 findPlace(const rpFootTrack* track, const rpPlant* plant)
{
	rpVec3 place = getMeanPlace(track, plant);
	if (track->def.ground)
	{
		place.y = plant->support + (float)(track->clearances[plant->point] / track->clearanceCounts[plant->point]);
	}
	return place;
}

// How the ball lies from the heel over the frames of a plant that a plant of the other point shares with it, on
// average, as far as they can be seen.
static rpVec3 getMeanFoot(const rpFootTrack* track, const rpPlant* plant, const rpPlant* companion)
{
	int last = plant->last < companion->last ? plant->last : companion->last;
	last = last < plant->first + track->spans.sight ? last : plant->first + track->spans.sight;
	rpVec3 sum = rpVec3_zero;
	for (int i = plant->first; i <= last; ++i)
	{
		const rpFootSample* sample = &rpFootTrack_Get(track, i)->feet[plant->side].sample;
		sum = rpAdd(sum, rpSub(sample->sole[1], sample->sole[0]));
	}
	return rpScale(1.0f / (float)(last - plant->first + 1), sum);
}

// Two places of one foot as far apart as heel and ball are. foot is how they lie to each other while both rest: each
// place is a mean over its own time, and a foot that is carried along by the blends in between has them far from each
// other, or one where the other is; then the foot's own direction counts, not theirs. Heights stay, unless the foot is
// too steep for that. share is the part of the difference that `moved` takes.
static void fitFoot(rpVec3* kept, rpVec3* moved, float share, rpVec3 foot, float distance)
{
	rpVec3 way = rpSub(*moved, *kept), wrong = rpSub(way, foot);
	bool isCarried = hypotf(wrong.x, wrong.z) > CARRIED * distance;
	rpVec3 along = isCarried ? foot : way;
	float level = sqrtf(fmaxf(distance * distance - way.y * way.y, 0.0f)), old = hypotf(along.x, along.z);
	bool isSteep = !(old > 0.1f * distance) || level == 0.0f;
	rpVec3 whole = isSteep ? foot : (rpVec3){level / old * along.x, way.y, level / old * along.z};
	rpVec3 change = rpSub(whole, way);
	*kept = rpMulAdd(*kept, share - 1.0f, change);
	*moved = rpMulAdd(*moved, share, change);
}

// The plant of a foot's other point that lasts at this frame or ended not long ago; NULL if there is none.
static const rpPlant* findCompanion(const rpFootTrack* track, const rpPlant* plant)
{
	int at = plant->first;
	for (; at >= track->oldest && at >= plant->first - track->spans.turnEase; --at)
	{
		const rpFootState* foot = rpFootTrack_Get(track, at)->feet + plant->side;
		if (at < plant->first && foot->plants[plant->point] >= 0)
		{
			return NULL;
		}
		if (foot->plants[1 - plant->point] >= 0)
		{
			return rpFootTrack_GetPlant(track, foot->plants[1 - plant->point]);
		}
	}
	return NULL;
}

// A point that is put down right after the other was lifted: its place follows from the other's, the less the longer
// ago.
static rpVec3 tie(const rpFootTrack* track, const rpPlant* plant, const rpPlant* companion, rpVec3 place)
{
	rpVec3 old = rpFootTrack_Get(track, companion->last)->feet[plant->side].sample.sole[companion->point];
	rpVec3 new = rpFootTrack_Get(track, plant->first)->feet[plant->side].sample.sole[plant->point];
	rpVec3 tied = rpAdd(companion->place, rpSub(new, old));
	float share = (float)(plant->first - companion->last) / (float)(track->spans.turnEase + 1);
	tied.y = place.y;
	return rpLerp(tied, place, share);
}

int rpFootTrack_FindLastPlanted(const rpFootTrack* track, int frame, int side)
{
	if (frame <= track->oldest)
	{
		return -1;
	}
	const rpRuns* runs = &rpFootTrack_Get(track, frame - 1)->feet[side].planted;
	return runs->start >= 0 ? frame - 1 : runs->before;
}

// A foot that was put down a little way back is not put down farther from where that has it than it can go in between.
static rpVec3 limitWay(const rpFootTrack* track, const rpPlant* plant, rpVec3 place)
{
	int last = rpFootTrack_FindLastPlanted(track, plant->first, plant->side);
	if (last < track->oldest || last == plant->first - 1)
	{
		return place;
	}
	const rpFootState* before = rpFootTrack_Get(track, last)->feet + plant->side;
	int bearer = rpFootState_GetBearer(before);
	rpVec3 held = rpSub(rpFootTrack_GetPlant(track, before->plants[bearer])->place, before->sample.sole[bearer]);
	rpVec3 tied = rpAdd(rpFootTrack_Get(track, plant->first)->feet[plant->side].sample.sole[plant->point], held);
	float most = STEP_SPEED * (float)(plant->first - last) / (float)track->fps;
	float way = hypotf(place.x - tied.x, place.z - tied.z), share = way > most ? most / way : 1.0f;
	return (rpVec3){tied.x + share * (place.x - tied.x), place.y, tied.z + share * (place.z - tied.z)};
}

// Find the place of a plant that begins: consistent with the foot's other point where that rests, or rested just now.
static void settlePlant(rpFootTrack* track, rpPlant* plant)
{
	plant->place = findPlace(track, plant);
	const rpPlant* companion = findCompanion(track, plant);
	bool isTied = companion != NULL && companion->last < plant->first;
	if (companion == NULL || isTied)
	{
		plant->place = isTied ? tie(track, plant, companion, plant->place) : plant->place;
		plant->place = limitWay(track, plant, plant->place);
		return;
	}
	if (companion->first == plant->first)
	{
		return;
	}
	const rpFootSample* sample = &rpFootTrack_Get(track, plant->first)->feet[plant->side].sample;
	rpVec3 kept = companion->place, foot = getMeanFoot(track, plant, companion);
	fitFoot(&kept, &plant->place, 1.0f, rpScale(plant->point == 1 ? 1.0f : -1.0f, foot),
			rpDistance(sample->sole[0], sample->sole[1]));
}

static void settleFoot(rpFootTrack* track, rpFootState* foot, int frame)
{
	bool areNew = true;
	for (int point = 0; point < rp_solePointCount; ++point)
	{
		rpPlant* plant = foot->plants[point] >= 0 ? rpFootTrack_GetPlant(track, foot->plants[point]) : NULL;
		bool isNew = plant != NULL && plant->first == frame;
		areNew = areNew && isNew;
		if (isNew)
		{
			settlePlant(track, plant);
		}
	}
	if (foot->flat.start < 0)
	{
		return;
	}
	rpPlant *heel = rpFootTrack_GetPlant(track, foot->plants[0]), *ball = rpFootTrack_GetPlant(track, foot->plants[1]);
	if (areNew)
	{
		// Neither was there first: both give way.
		fitFoot(&heel->place, &ball->place, 0.5f, getMeanFoot(track, heel, ball),
				rpDistance(foot->sample.sole[0], foot->sample.sole[1]));
	}
	rpVec3 old = rpSub(foot->sample.sole[1], foot->sample.sole[0]);
	foot->turn = rpLogQuat(rpRotationBetween(old, rpSub(ball->place, heel->place)));
}

void rpFootTrack_Settle(rpFootTrack* track, int frame)
{
	rpTrackFrame* entry = rpFootTrack_Get(track, frame);
	for (int side = 0; side < rp_legCount; ++side)
	{
		if (track->rig.legs[side].isThere && entry->feet[side].planted.start >= 0)
		{
			settleFoot(track, entry->feet + side, frame);
		}
	}
}
