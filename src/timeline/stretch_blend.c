/// Between two key times all times of clips run along cubics whose coefficients are the same for all shares, so that
/// they are computed once.
#include "timeline/stretch_blend.h"

#include "base/assert.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

// Phases that are shorter last this long, seconds: nothing is divided by nothing.
#define SHORTEST_PHASE 1e-4

// What rests at an end of a span rests for so long beyond it, seconds: seams and time beyond its end are shorter.
#define BEYOND 1.0f

// Slopes of a cubic up to three times its chord keep it monotone (Fritsch & Carlson 1980).
#define STEEPEST 3.0

enum
{
	minSteps = 4,
};

// ---- times

static bool isFlight(const rpStretchBlendDef* def, int phase)
{
	return phase >= 0 && phase + 1 < def->keyCount && (def->flights >> phase & 1) != 0;
}

// Durations of phases are means, by weight; those of flights such that gravity stays.
static void setKeys(rpSpan* span, const rpStretchBlendDef* def)
{
	span->keyCount = def->keyCount;
	span->keys[0] = 0.0;
	for (int k = 1; k < def->keyCount; ++k)
	{
		double sum = 0.0;
		bool flies = isFlight(def, k - 1);
		for (int i = 0; i < def->shareCount; ++i)
		{
			const rpStretchShare* share = &def->shares[i];
			double length = share->keytimes[k] - share->keytimes[k - 1];
			sum += (double)share->weight * (flies ? length * length : length);
		}
		span->keys[k] = span->keys[k - 1] + fmax(flies ? sqrt(fmax(sum, 0.0)) : sum, SHORTEST_PHASE);
	}
	double factor = def->seconds > 0.0 ? def->seconds / span->keys[def->keyCount - 1] : 1.0;
	for (int k = 1; k < def->keyCount; ++k)
	{
		span->keys[k] *= factor;
	}
}

static double getPace(const rpSpan* span, const rpSpanShare* share, int phase)
{
	return (share->times[phase + 1] - share->times[phase]) / (span->keys[phase + 1] - span->keys[phase]);
}

// At key times the harmonic mean of the paces around, which keeps time from running backwards (Fritsch & Carlson 1980);
// where a flight begins or ends its pace.
static void setRates(const rpSpan* span, const rpStretchBlendDef* def, rpSpanShare* share)
{
	int last = span->keyCount - 1;
	double before = getPace(span, share, 0);
	share->rates[0] = before;
	for (int k = 1; k < last; ++k)
	{
		double after = getPace(span, share, k);
		double mean = before > 0.0 && after > 0.0 ? 2.0 * before * after / (before + after) : 0.0;
		share->rates[k] = isFlight(def, k - 1) ? fmin(before, STEEPEST * after)
						  : isFlight(def, k)   ? fmin(after, STEEPEST * before)
											   : mean;
		before = after;
	}
	share->rates[last] = before;
}

static void setShare(rpSpan* span, const rpStretchBlendDef* def, int index)
{
	const rpStretchShare* from = &def->shares[index];
	rpSpanShare* share = &span->shares[index];
	share->clip = from->clip;
	share->source = from->source;
	share->ground = rpGroundTransform_identity;
	share->track = NULL;
	share->mask = NULL;
	for (int k = 0; k < def->keyCount; ++k)
	{
		share->times[k] = from->keytimes[k];
		share->weights[k] = from->weight;
	}
	setRates(span, def, share);
}

// ---- the path

static int clampFrame(const rpClip* clip, double frame)
{
	return frame > 0.0 ? (frame < clip->frameCount - 1 ? (int)frame : clip->frameCount - 1) : 0;
}

static void addRate(const rpStretchShare* share, double time, float factor, rpGroundRate* sum)
{
	double place = time * share->clip->fps;
	int frame = clampFrame(share->clip, place), next = clampFrame(share->clip, frame + 1);
	const rpGroundRate *a = share->rates + frame, *b = share->rates + next;
	float t = fminf(fmaxf((float)(place - frame), 0.0f), 1.0f);
	sum->x += factor * (a->x + t * (b->x - a->x));
	sum->z += factor * (a->z + t * (b->z - a->z));
	sum->turn += factor * (a->turn + t * (b->turn - a->turn));
}

// The velocity of the ground frame at a moment, in its own axes.
static rpGroundRate getRate(const rpSpan* span, const rpStretchBlendDef* def, double seconds)
{
	rpGroundRate rate = {0};
	rpSpanSpot spot = rpSpan_FindSpot(span, seconds);
	for (int i = 0; i < span->shareCount; ++i)
	{
		const rpSpanShare* share = &span->shares[i];
		float pace = (float)rpSpanShare_GetRate(share, &spot);
		addRate(&def->shares[i], rpSpanShare_GetTime(share, &spot), def->shares[i].weight * pace, &rate);
	}
	return rate;
}

static void beginPath(rpStretchBlending* blending, rpSpan* span)
{
	rpGroundPath* path = &span->path;
	double seconds = rpSpan_GetDuration(span), steps = ceil(seconds * RP_LOOK_RATE);
	path->stepCount = (int)fmin(fmax(steps, minSteps), RP_MAX_GROUND_STEPS);
	path->step = (float)(seconds / path->stepCount);
	path->places[0] = (rpGroundRate){0};
	blending->piece = 0;
	blending->length = 0.0f;
}

// The ground frame from piece to piece, each with its heading in the middle.
static void layPiece(rpStretchBlending* blending, rpSpan* span, const rpStretchBlendDef* def)
{
	rpGroundPath* path = &span->path;
	int n = blending->piece++;
	float step = path->step;
	const rpGroundRate rate = getRate(span, def, (n + 0.5) * (double)step), *from = &path->places[n];
	float heading = from->turn + 0.5f * step * rate.turn, s, c;
	rpSinCos(heading, &s, &c);
	rpGroundRate middle = {c * rate.x + s * rate.z, c * rate.z - s * rate.x, rate.turn};
	path->places[n + 1] =
		(rpGroundRate){from->x + step * middle.x, from->z + step * middle.z, from->turn + step * middle.turn};
	blending->middles[n] = middle;
	blending->length += step * sqrtf(rate.x * rate.x + rate.z * rate.z);
}

static void endPath(const rpStretchBlending* blending, rpSpan* span)
{
	rpGroundPath* path = &span->path;
	const rpGroundRate* middles = blending->middles;
	int last = path->stepCount;
	for (int n = 0; n <= last; ++n)
	{
		// At the ends as the two pieces beside them go on.
		const rpGroundRate* a = n == 0 ? &middles[1] : n == last ? &middles[last - 2] : &middles[n - 1];
		const rpGroundRate* b = n == 0 ? &middles[0] : n == last ? &middles[last - 1] : &middles[n];
		float far = n == 0 || n == last ? -0.5f : 0.5f, near = 1.0f - far;
		path->rates[n] =
			(rpGroundRate){far * a->x + near * b->x, far * a->z + near * b->z, far * a->turn + near * b->turn};
	}
}

// ---- what rests

static unsigned getBits(const rpStretchShare* share, double time)
{
	return share->contacts[clampFrame(share->clip, time * share->clip->fps + 0.5)];
}

// What rests by majority.
static unsigned vote(const rpSpan* span, const rpStretchBlendDef* def, double seconds)
{
	float votes[rp_effectorCount] = {0};
	unsigned rests = 0;
	rpSpanSpot spot = rpSpan_FindSpot(span, seconds);
	for (int i = 0; i < span->shareCount; ++i)
	{
		unsigned bits = getBits(&def->shares[i], rpSpanShare_GetTime(&span->shares[i], &spot));
		for (int effector = 0; effector < rp_effectorCount; ++effector)
		{
			votes[effector] += (bits >> effector & 1) != 0 ? def->shares[i].weight : 0.0f;
		}
	}
	for (int effector = 0; effector < rp_effectorCount; ++effector)
	{
		rests |= votes[effector] > 0.5f ? 1u << effector : 0;
	}
	return rests;
}

// The height of a support above the clip's floor, where an effector rests at a time or, if it rests next to it, there.
static bool findSupport(const rpClip* clip, int effector, double from, double to, float* height, float* seconds)
{
	*seconds = 0.0f;
	for (int i = 0; i < clip->contactCount && (double)clip->contacts[i].start < to; ++i)
	{
		const rpClipContact* contact = &clip->contacts[i];
		float common = fminf(contact->end, (float)to) - fmaxf(contact->start, (float)from);
		if (contact->effector == effector && common > *seconds)
		{
			*seconds = common;
			*height = contact->support - clip->floor;
		}
	}
	return *seconds > 0.0f;
}

// The mean of the shares' supports for what rests from one moment to another, by how long they rest.
static float getSupport(const rpSpan* span, int effector, double from, double to)
{
	float sum = 0.0f, weights = 0.0f, height, seconds;
	rpSpanSpot start = rpSpan_FindSpot(span, from), end = rpSpan_FindSpot(span, to);
	for (int i = 0; i < span->shareCount; ++i)
	{
		const rpSpanShare* share = &span->shares[i];
		double a = rpSpanShare_GetTime(share, &start), b = rpSpanShare_GetTime(share, &end);
		// Stands may run backwards.
		if (findSupport(share->clip, effector, fmin(a, b), fmax(a, b), &height, &seconds))
		{
			sum += share->weights[0] * seconds * height;
			weights += share->weights[0] * seconds;
		}
	}
	return weights > 0.0f ? sum / weights : 0.0f;
}

// A contact from half-way between two looks to half-way between two others. What rests at an end of the span does so
// beyond it, too.
static void closeContact(rpStretchBlending* blending, rpSpan* span, int effector, int n)
{
	int first = blending->starts[effector];
	blending->starts[effector] = -1;
	if (first < 0 || span->contactCount == rp_maxSpanContacts)
	{
		return;
	}
	double step = blending->lookStep, from = fmax((first - 0.5) * step, 0.0),
		   to = fmin((n - 0.5) * step, blending->lastLook * step);
	float start = first == 0 ? -BEYOND : (float)from, end = n > blending->lastLook ? (float)to + BEYOND : (float)to;
	span->ownContacts[span->contactCount++] =
		(rpClipContact){start, end, getSupport(span, effector, from, to), effector};
}

static int compareStarts(const void* a, const void* b)
{
	const rpClipContact *x = a, *y = b;
	return x->start != y->start ? (x->start > y->start ? 1 : -1) : x->effector - y->effector;
}

static void beginLooks(rpStretchBlending* blending, rpSpan* span)
{
	double seconds = rpSpan_GetDuration(span);
	blending->look = 0;
	blending->lastLook = (int)fmax(ceil(seconds * RP_LOOK_RATE), minSteps);
	blending->lookStep = seconds / blending->lastLook;
	memset(blending->starts, -1, sizeof(blending->starts));
	span->contacts = NULL;
	span->contactCount = 0;
	span->contactShift = 0.0;
}

static void look(rpStretchBlending* blending, rpSpan* span, const rpStretchBlendDef* def)
{
	int n = blending->look++;
	unsigned bits = n <= blending->lastLook ? vote(span, def, n * blending->lookStep) : 0;
	for (int effector = 0; effector < rp_effectorCount; ++effector)
	{
		bool rests = (bits >> effector & 1) != 0;
		if (!rests)
		{
			closeContact(blending, span, effector, n);
		}
		else if (blending->starts[effector] < 0)
		{
			blending->starts[effector] = n;
		}
	}
}

static void endLooks(rpSpan* span)
{
	qsort(span->ownContacts, (size_t)span->contactCount, sizeof(rpClipContact), compareStarts);
}

// ---- the whole

void rpStretchBlending_Begin(rpStretchBlending* blending, rpSpan* span, const rpStretchBlendDef* def)
{
	RP_ASSERT(def->keyCount >= 2 && def->keyCount <= rp_maxSpanKeys && def->shareCount <= RP_MAX_SHARES);
	setKeys(span, def);
	span->shareCount = def->shareCount;
	for (int i = 0; i < def->shareCount; ++i)
	{
		setShare(span, def, i);
	}
	beginPath(blending, span);
	beginLooks(blending, span);
}

bool rpStretchBlending_GoOn(rpStretchBlending* blending, rpSpan* span, const rpStretchBlendDef* def, int count)
{
	for (; count > 0 && blending->piece < span->path.stepCount; --count)
	{
		layPiece(blending, span, def);
		if (blending->piece == span->path.stepCount)
		{
			endPath(blending, span);
		}
	}
	for (; count > 0 && blending->look < blending->lastLook + 2; --count)
	{
		look(blending, span, def);
		if (blending->look == blending->lastLook + 2)
		{
			endLooks(span);
		}
	}
	return blending->look == blending->lastLook + 2;
}

rpStretchBlend rpStretchBlending_GetResult(const rpStretchBlending* blending, const rpSpan* span)
{
	return (rpStretchBlend){blending->length, span->path.places[span->path.stepCount].turn};
}

rpStretchBlend rpSpan_BlendStretches(rpSpan* span, const rpStretchBlendDef* def)
{
	rpStretchBlending blending;
	rpStretchBlending_Begin(&blending, span, def);
	rpStretchBlending_GoOn(&blending, span, def, INT_MAX);
	return rpStretchBlending_GetResult(&blending, span);
}
