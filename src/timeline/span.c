#include "timeline/span.h"

#include "base/assert.h"

#include <string.h>

// Contacts begin and end on frames, and their times are floats: a moment so much earlier is that frame already,
// seconds. Floats are off by less up to half an hour, and frames at 960 Hz are ten times as far apart.
#define SAME_TIME 1e-4

double rpSpan_GetDuration(const rpSpan* span)
{
	return span->keyCount > 1 ? span->keys[span->keyCount - 1] : INFINITY;
}

rpSpanSpot rpSpan_FindSpot(const rpSpan* span, double seconds)
{
	int key = 0;
	if (span->keyCount == 1)
	{
		return (rpSpanSpot){.seconds = seconds, .value = {1.0, seconds - span->keys[0]}, .slope = {0.0, 1.0}};
	}
	while (key + 2 < span->keyCount && seconds >= span->keys[key + 1])
	{
		++key;
	}
	double length = span->keys[key + 1] - span->keys[key];
	double s = fmin(fmax((seconds - span->keys[key]) / length, 0.0), 1.0), rest = 1.0 - s;
	return (rpSpanSpot){
		seconds,
		key,
		{rest * rest * (1.0 + 2.0 * s), rest * rest * s * length, s * s * (3.0 - 2.0 * s), -s * s * rest * length},
		{-6.0 * s * rest / length, rest * (1.0 - 3.0 * s), 6.0 * s * rest / length, s * (3.0 * s - 2.0)},
		(float)s};
}

// With a single key the one after it counts for nothing.
static double mix(const rpSpanShare* share, int key, const double* factors)
{
	return factors[0] * share->times[key] + factors[1] * share->rates[key] + factors[2] * share->times[key + 1] +
		   factors[3] * share->rates[key + 1];
}

static rpShareMoment readTrack(const rpShareTrack* track, double seconds)
{
	double place = fmin(fmax(seconds * track->fps, 0.0), track->count - 1);
	int first = (int)place, next = first + 1 < track->count ? first + 1 : first;
	const rpShareMoment *a = track->moments + first, *b = track->moments + next;
	float t = (float)(place - first);
	return (rpShareMoment){
		a->time + (place - first) * (b->time - a->time),
		a->weight + t * (b->weight - a->weight),
		{a->ground.turn + t * (b->ground.turn - a->ground.turn), rpLerp(a->ground.shift, b->ground.shift, t)},
	};
}

double rpSpanShare_GetTime(const rpSpanShare* share, const rpSpanSpot* spot)
{
	return share->track != NULL ? readTrack(share->track, spot->seconds).time : mix(share, spot->key, spot->value);
}

double rpSpanShare_GetRate(const rpSpanShare* share, const rpSpanSpot* spot)
{
	if (share->track == NULL)
	{
		return mix(share, spot->key, spot->slope);
	}
	double step = 0.5 / share->track->fps;
	double from = readTrack(share->track, spot->seconds - step).time;
	return (readTrack(share->track, spot->seconds + step).time - from) * share->track->fps;
}

float rpSpanShare_GetWeight(const rpSpanShare* share, const rpSpanSpot* spot)
{
	if (share->track != NULL)
	{
		return readTrack(share->track, spot->seconds).weight;
	}
	float a = share->weights[spot->key], b = share->weights[spot->key + 1];
	return spot->t > 0.0f ? a + spot->t * (b - a) : a;
}

static rpGroundTransform getShareGround(const rpSpanShare* share, const rpSpanSpot* spot)
{
	return share->track != NULL ? readTrack(share->track, spot->seconds).ground : share->ground;
}

rpGroundTransform rpSpan_GetGround(const rpSpan* span, double seconds)
{
	return span->path.stepCount == 0
			   ? span->placement
			   : rpGroundTransform_Compose(span->placement, rpGroundPath_Get(&span->path, seconds));
}

// ---- poses

static bool isElastic(const rpShare* shares, int count)
{
	bool found = false;
	for (int i = 0; i < count && !found; ++i)
	{
		found = shares[i].clip->translations != NULL;
	}
	return found;
}

static void addTranslations(const rpShare* share, float weight, rpVec3* sums)
{
	const rpClip* clip = share->clip;
	int jointCount = clip->skeleton->jointCount;
	double place = fmin(fmax(share->time * clip->fps, 0.0), clip->frameCount - 1);
	int frame = (int)place, next = frame + 1 < clip->frameCount ? frame + 1 : frame;
	const rpVec3* a =
		clip->translations != NULL ? clip->translations + (size_t)frame * (size_t)jointCount : clip->skeleton->offsets;
	const rpVec3* b =
		clip->translations != NULL ? clip->translations + (size_t)next * (size_t)jointCount : clip->skeleton->offsets;
	for (int i = 0; i < jointCount; ++i)
	{
		sums[i] = rpMulAdd(sums[i], weight, rpLerp(a[i], b[i], (float)(place - frame)));
	}
}

static void blendTranslations(const rpShare* shares, int count, rpVec3* out)
{
	const rpSkeleton* skeleton = shares[0].clip->skeleton;
	float sum = 0.0f;
	if (!isElastic(shares, count))
	{
		memcpy(out, skeleton->offsets, (size_t)skeleton->jointCount * sizeof(rpVec3));
		return;
	}
	for (int i = 0; i < count; ++i)
	{
		sum += shares[i].weight;
	}
	memset(out, 0, (size_t)skeleton->jointCount * sizeof(rpVec3));
	for (int i = 0; i < count; ++i)
	{
		addTranslations(&shares[i], shares[i].weight / sum, out);
	}
}

// The shares of one mask at a moment; returns how many.
static int listShares(const rpSpan* span, const rpSpanSpot* spot, const bool* mask, rpShare* out)
{
	int count = 0;
	for (int i = 0; i < span->shareCount; ++i)
	{
		const rpSpanShare* share = &span->shares[i];
		if (share->mask == mask)
		{
			out[count++] = (rpShare){share->clip, rpSpanShare_GetTime(share, spot), rpSpanShare_GetWeight(share, spot),
									 getShareGround(share, spot)};
		}
	}
	return count;
}

// Joints of a mask come from the shares that have it, one by one: nothing is allocated, and masks are few.
static void blendMasked(const rpShare* shares, int count, const bool* mask, rpPose* pose)
{
	rpQuat rotations[RP_MAX_SHARES];
	float weights[RP_MAX_SHARES];
	for (int joint = 0; joint < shares[0].clip->skeleton->jointCount; ++joint)
	{
		for (int i = 0; mask[joint] && i < count; ++i)
		{
			rotations[i] = rpClip_GetRotation(shares[i].clip, joint, shares[i].time);
			weights[i] = shares[i].weight;
		}
		pose->rotations[joint] = mask[joint] ? rpMeanQuat(rotations, weights, count) : pose->rotations[joint];
	}
}

static bool isFirstOfMask(const rpSpan* span, int index)
{
	bool isFirst = true;
	for (int i = 0; i < index && isFirst; ++i)
	{
		isFirst = span->shares[i].mask != span->shares[index].mask;
	}
	return isFirst;
}

void rpSpan_SampleAt(const rpSpan* span, double seconds, rpGroundTransform ground, rpPose* pose)
{
	rpShare shares[RP_MAX_SHARES];
	rpSpanSpot spot = rpSpan_FindSpot(span, seconds);
	int count = listShares(span, &spot, NULL, shares);
	RP_ASSERT(count > 0);
	rpBlendClips(shares, count, pose);
	if (pose->translations != NULL)
	{
		blendTranslations(shares, count, pose->translations);
	}
	for (int i = 0; i < span->shareCount; ++i)
	{
		if (span->shares[i].mask != NULL && isFirstOfMask(span, i))
		{
			count = listShares(span, &spot, span->shares[i].mask, shares);
			blendMasked(shares, count, span->shares[i].mask, pose);
		}
	}
	pose->rootPosition = rpGroundTransform_Apply(ground, pose->rootPosition);
	pose->rotations[0] = rpMulQuat(rpYaw(ground.turn), pose->rotations[0]);
}

void rpSpan_Sample(const rpSpan* span, double seconds, rpPose* pose)
{
	rpSpan_SampleAt(span, seconds, rpSpan_GetGround(span, seconds), pose);
}

rpVec3 rpSpan_GetRoot(const rpSpan* span, double seconds)
{
	rpSpanSpot spot = rpSpan_FindSpot(span, seconds);
	rpVec3 sum = rpVec3_zero;
	float weights = 0.0f;
	for (int i = 0; i < span->shareCount; ++i)
	{
		const rpSpanShare* share = &span->shares[i];
		float weight = share->mask == NULL ? rpSpanShare_GetWeight(share, &spot) : 0.0f;
		rpVec3 root = rpClip_GetRoot(share->clip, rpSpanShare_GetTime(share, &spot));
		sum = rpMulAdd(sum, weight, rpGroundTransform_Apply(getShareGround(share, &spot), root));
		weights += weight;
	}
	return rpGroundTransform_Apply(rpSpan_GetGround(span, seconds), rpScale(1.0f / weights, sum));
}

// ---- contacts

unsigned rpSpan_GetContacts(const rpSpan* span, double seconds, int* first, float* heights)
{
	const rpClipContact* contacts = span->contacts != NULL ? span->contacts : span->ownContacts;
	double own = seconds - span->contactShift + SAME_TIME;
	unsigned bits = 0;
	int i = first != NULL ? *first : 0;
	while (first != NULL && i < span->contactCount && contacts[i].end <= own)
	{
		*first = ++i;
	}
	for (; i < span->contactCount && contacts[i].start <= own; ++i)
	{
		if (own < contacts[i].end)
		{
			bits |= 1u << contacts[i].effector;
			heights[contacts[i].effector] = contacts[i].support + span->rise;
		}
	}
	return bits;
}

void rpSpan_PlayClip(rpSpan* span, const rpClip* clip, int source, double start, double clipTime,
					 rpGroundTransform placement)
{
	placement.shift.y -= clip->floor;
	rpSpan_PlayClipAsIs(span, clip, source, start, clipTime, placement);
}

void rpSpan_PlayClipAsIs(rpSpan* span, const rpClip* clip, int source, double start, double clipTime,
						 rpGroundTransform placement)
{
	span->start = start;
	span->keyCount = 1;
	span->keys[0] = 0.0;
	span->shareCount = 1;
	span->shares[0] =
		(rpSpanShare){.clip = clip, .source = source, .times = {clipTime}, .rates = {1.0}, .weights = {1.0f}};
	span->placement = placement;
	span->path.stepCount = 0;
	span->contacts = clip->contacts;
	span->contactCount = clip->contactCount;
	span->contactShift = -clipTime;
	span->rise = placement.shift.y;
	span->labels = 0;
}
