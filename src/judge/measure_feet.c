/// Feet: do they slide, sink or float while they rest?
#include "judge/exhibit.h"

// A foot that moves faster than this over SKATE_SPAN seconds is seen to skate.
#define SKATE_SPEED 0.15
#define SKATE_SPAN 0.1

/// The extent of places on the floor, along eight directions: the diameter, to 2 %.
typedef struct Extent
{
	float low[8], high[8];
} Extent;

static void growExtent(Extent* extent, rpVec3 place, bool isFirst)
{
	for (int i = 0; i < 8; ++i)
	{
		float angle = (float)(RP_PI / 8.0) * (float)i;
		float along = cosf(angle) * place.x + sinf(angle) * place.z;
		extent->low[i] = isFirst ? along : fminf(extent->low[i], along);
		extent->high[i] = isFirst ? along : fmaxf(extent->high[i], along);
	}
}

static double getDiameter(const Extent* extent)
{
	float diameter = 0.0f;
	for (int i = 0; i < 8; ++i)
	{
		diameter = fmaxf(diameter, extent->high[i] - extent->low[i]);
	}
	return diameter;
}

static double getFloorSpeed(const rpExhibit* exhibit, rpEffector effector, int frame, int first, int end)
{
	int half = (int)lround(0.5 * SKATE_SPAN * exhibit->motion->fps);
	int before = frame - half > first ? frame - half : first;
	int after = frame + half < end ? frame + half : end - 1;
	if (after <= before)
	{
		return 0.0;
	}
	rpVec3 way =
		rpSub(rpExhibit_GetEffector(exhibit, effector, after), rpExhibit_GetEffector(exhibit, effector, before));
	return hypot((double)way.x, (double)way.z) * exhibit->motion->fps / (after - before);
}

/// Sums over all contacts.
typedef struct Sums
{
	double slide, floating;
	int contacts, frames, skating;
} Sums;

static void measureContact(const rpExhibit* exhibit, const rpInterval* contact, Sums* sums, rpMeasures* out)
{
	int first, end;
	rpExhibit_GetFrames(exhibit, contact, &first, &end);
	Extent extent = {0};
	for (int f = first; f < end; ++f)
	{
		rpVec3 place = rpExhibit_GetEffector(exhibit, contact->effector, f);
		growExtent(&extent, place, f == first);
		double over = (double)place.y - contact->supportHeight - exhibit->motion->skeleton->soleHeight;
		sums->floating += fmax(over, 0.0);
		sums->skating += getFloorSpeed(exhibit, contact->effector, f, first, end) > SKATE_SPEED;
		rpMeasures_Worsen(out, rp_measurePenetration, 1e3 * fmax(-over, 0.0), f / exhibit->motion->fps);
	}
	if (end > first)
	{
		double slide = getDiameter(&extent);
		sums->slide += slide;
		sums->frames += end - first;
		++sums->contacts;
		rpMeasures_Worsen(out, rp_measureSlideMax, 1e3 * slide, contact->start);
	}
}

// The lowest support: nothing sinks below it.
static float getFloor(const rpExhibit* exhibit)
{
	float floor = INFINITY;
	for (int i = 0; i < exhibit->contactCount; ++i)
	{
		floor = fminf(floor, exhibit->contacts[i].supportHeight);
	}
	return floor;
}

static void measureSinking(const rpExhibit* exhibit, rpMeasures* out)
{
	// Toes end at the sole; they may touch the ground, the joints behind them only come near it.
	float floor = getFloor(exhibit);
	for (rpEffector effector = rp_leftHeel; effector <= rp_rightToe; ++effector)
	{
		bool isThere = exhibit->motion->skeleton->effectors[effector].joint >= 0;
		for (int f = 0; isThere && f < exhibit->frameCount; ++f)
		{
			double under = floor - rpExhibit_GetEffector(exhibit, effector, f).y;
			rpMeasures_Worsen(out, rp_measurePenetration, 1e3 * fmax(under, 0.0), f / exhibit->motion->fps);
		}
	}
}

void rpMeasureFeet(const rpExhibit* exhibit, rpMeasures* out)
{
	Sums sums = {0};
	for (int i = 0; i < exhibit->contactCount; ++i)
	{
		// Toes that are down bend and slip; nothing holds them.
		rpEffector effector = exhibit->contacts[i].effector;
		if (effector != rp_leftToe && effector != rp_rightToe)
		{
			measureContact(exhibit, &exhibit->contacts[i], &sums, out);
		}
	}
	if (sums.contacts == 0)
	{
		return;
	}
	out->contactCount = sums.contacts;
	out->values[rp_measureSkateRatio] = (double)sums.skating / sums.frames;
	out->values[rp_measureSlideMean] = 1e3 * sums.slide / sums.contacts;
	out->values[rp_measureFloat] = 1e3 * sums.floating / sums.frames;
	measureSinking(exhibit, out);
}
