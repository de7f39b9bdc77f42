/// Contacts: does what is stored beside the frames agree with what the frames show?
#include "base/memory.h"
#include "judge/footfalls.h"
#include "judge/series.h"

// Frames of the film around the edges of a stance, or of a stored contact, that may differ: 3 frames of 60 Hz are the
// difference between two methods of timing the same touch.
#define EDGE_FRAMES 3

// A ball that is slower than this in space over 0.1 s, m/s, and above its running floor stands on a step or is held up:
// the judge cannot know, and such frames do not count.
#define STILL_SPEED 0.1f

/// What is stored about one foot, [frameCount] each.
typedef struct Claim
{
	/// Heel, ball or toe touch; ball or toe do.
	bool *any, *front;

	/// Near an edge of a contact or a stance, or nothing that the judge can decide.
	bool* isOpen;
} Claim;

static int getFrame(double seconds, int frameCount)
{
	return (int)fmin(fmax(ceil(seconds * RP_FILM_RATE - 1e-3), 0.0), frameCount);
}

static void markEdge(Claim* claim, int frame, int frameCount)
{
	int first = frame - EDGE_FRAMES > 0 ? frame - EDGE_FRAMES : 0;
	for (int f = first; f < frame + EDGE_FRAMES && f < frameCount; ++f)
	{
		claim->isOpen[f] = true;
	}
}

// The edges of a row of frames; what goes on beyond the film has none there.
static void markEdges(Claim* claim, const bool* row, int frameCount)
{
	for (int f = 1; f < frameCount; ++f)
	{
		if (row[f] != row[f - 1])
		{
			markEdge(claim, f, frameCount);
		}
	}
}

// speeds and averages are room, [frameCount] each.
static void markStill(Claim* claim, const rpFilm* film, const rpFootfalls* falls, int side, float* speeds,
					  float* averages)
{
	rpGetSpeeds(rpFilm_GetLeg(film, side).ball, film->frameCount, true, speeds);
	rpAverage(speeds, film->frameCount, averages);
	for (int f = 0; f < film->frameCount; ++f)
	{
		claim->isOpen[f] |= averages[f] < STILL_SPEED && !falls->isDown[side][f];
	}
}

static void readClaims(const rpMeasureInput* input, Claim* claims, int frameCount)
{
	for (int i = 0; i < input->contactCount; ++i)
	{
		const rpInterval* contact = &input->contacts[i];
		Claim* claim = &claims[contact->effector >= rp_rightHeel];
		bool isHeel = contact->effector == rp_leftHeel || contact->effector == rp_rightHeel;
		int first = getFrame(contact->start, frameCount), end = getFrame(contact->end, frameCount);
		for (int f = first; f < end; ++f)
		{
			claim->any[f] = true;
			claim->front[f] |= !isHeel;
		}
	}
}

// A foot that rests with no contact at all, or a ball or toe that is said to rest and does not. A heel may rest alone.
static void compare(Claim* claim, const bool* isDown, int frameCount, rpMeasures* out, int* wrong, int* all)
{
	markEdges(claim, claim->any, frameCount);
	markEdges(claim, claim->front, frameCount);
	markEdges(claim, isDown, frameCount);
	for (int f = 0; f < frameCount; ++f)
	{
		bool disagrees = isDown[f] ? !claim->any[f] : claim->front[f];
		*all += !claim->isOpen[f];
		if (disagrees && !claim->isOpen[f])
		{
			double* time = &out->times[rp_measureContactsDisagree];
			*time = *wrong == 0 ? f / RP_FILM_RATE : *time;
			++*wrong;
		}
	}
}

bool rpMeasureContacts(const rpMeasureInput* input, const rpFilm* film, const rpFootfalls* falls, rpMeasures* out,
					   rpError* error)
{
	out->contactCount = input->contactCount;
	if (input->contactCount == 0 || falls->memory == NULL)
	{
		return true;
	}
	size_t count = (size_t)film->frameCount;
	bool* rows = rpAllocateZero(count * 6, sizeof(bool), error);
	float* speeds = rpAllocate(count * 2, sizeof(float), error);
	if (rows == NULL || speeds == NULL)
	{
		rpFree(rows);
		rpFree(speeds);
		return false;
	}
	Claim claims[2];
	for (int side = 0; side < 2; ++side)
	{
		bool* own = rows + count * (size_t)(3 * side);
		claims[side] = (Claim){own, own + count, own + 2 * count};
	}
	readClaims(input, claims, film->frameCount);
	int wrong = 0, all = 0;
	for (int side = 0; side < 2; ++side)
	{
		markStill(&claims[side], film, falls, side, speeds, speeds + count);
		compare(&claims[side], falls->isDown[side], film->frameCount, out, &wrong, &all);
	}
	out->values[rp_measureContactsDisagree] = all > 0 ? (double)wrong / all : (double)NAN;
	rpFree(speeds);
	rpFree(rows);
	return true;
}
