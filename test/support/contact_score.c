/// Matching contacts, and damaging motions.
#include "contact_score.h"

#include "support.h"

#include <stdlib.h>

#define DRIFT_SECONDS 10.0
#define STUMP 0.06

static rpVec3 drawNoise(rpRandom* random, float deviation)
{
	rpVec3 v = {rpRandom_Normal(random), rpRandom_Normal(random), rpRandom_Normal(random)};
	return rpScale(deviation, v);
}

// How far heel and ball are from a joint, along the bones, taken together.
static float getReach(const rpSkeleton* skeleton, const rpTransform* rest, int joint, int side)
{
	float sum = 0.0f;
	for (int i = 0; i < 2; ++i)
	{
		rpAttachment at = skeleton->effectors[(side == 0 ? rp_leftHeel : rp_rightHeel) + i];
		sum += 0.5f * rpDistance(rpTransformPoint(rest[at.joint], at.offset), rest[joint].p);
	}
	return sum;
}

// Three joints to a leg share half of the noise's power; each moves the foot by two of three coordinates.
static void shakeLegs(rpMotion* motion, float noise, rpRandom* random)
{
	static const rpRole roles[2][3] = {{rp_roleLeftHip, rp_roleLeftKnee, rp_roleLeftAnkle},
									   {rp_roleRightHip, rp_roleRightKnee, rp_roleRightAnkle}};
	const rpSkeleton* skeleton = motion->skeleton;
	rpTransform rest[RP_MAX_JOINTS];
	rpSkeleton_GetRest(skeleton, rest);
	for (int k = 0; k < 6; ++k)
	{
		int joint = skeleton->roles[roles[k / 3][k % 3]];
		float angle = noise * sqrtf(0.5f / 3.0f * 1.5f) / getReach(skeleton, rest, joint, k / 3);
		for (int f = 0; f < motion->frameCount; ++f)
		{
			rpQuat* q = motion->rotations + (size_t)f * (size_t)skeleton->jointCount + joint;
			*q = rpMulQuat(*q, rpExpQuat(drawNoise(random, angle)));
		}
	}
}

void testDamageMotion(rpMotion* motion, const TestDamage* damage)
{
	rpRandom random = rpSeedRandom(damage->seed);
	float phases[3];
	for (int i = 0; i < 3; ++i)
	{
		phases[i] = rpRandom_Range(&random, 0.0f, (float)(2.0 * RP_PI));
	}
	for (int f = 0; f < motion->frameCount; ++f)
	{
		// Half a period leads from one end to the other.
		float t = (float)(f / motion->fps * RP_PI / DRIFT_SECONDS);
		rpVec3 drift = {sinf(t + phases[0]), sinf(t + phases[1]), sinf(t + phases[2])};
		rpVec3 noise = drawNoise(&random, sqrtf(0.5f) * damage->noise);
		rpVec3* p = motion->rootPositions + f;
		*p = rpAdd(rpMulAdd(*p, 0.5f * damage->drift, drift), noise);
		p->y += damage->offset;
	}
	shakeLegs(motion, damage->noise, &random);
	rpMotion_FixHemispheres(motion);
}

static bool isFoot(const rpInterval* interval)
{
	return rpInterval_IsFootContact(interval);
}

static double getOverlap(const rpInterval* a, const rpInterval* b)
{
	double both = fmin(a->end, b->end) - fmax(a->start, b->start);
	double all = fmax(a->end, b->end) - fmin(a->start, b->start);
	return all > 0.0 ? both / all : 0.0;
}

static void append(float** values, int* count, int* capacity, float value)
{
	if (*count == *capacity)
	{
		*capacity = *capacity == 0 ? 256 : 2 * *capacity;
		*values = realloc(*values, (size_t)*capacity * sizeof(float));
		assert_non_null(*values);
	}
	(*values)[(*count)++] = value;
}

// Intervals that cover more than half of what both cover are at most one for each, so matching is plain search.
static const rpInterval* findMatch(const rpMotion* motion, const rpInterval* known)
{
	for (int i = 0; i < motion->annotations.intervalCount; ++i)
	{
		const rpInterval* interval = motion->annotations.intervals + i;
		if (isFoot(interval) && interval->effector == known->effector && getOverlap(interval, known) >= 0.5)
		{
			return interval;
		}
	}
	return NULL;
}

// What is left of a contact at an end of the motion, too short to be judged.
static bool isStump(const rpInterval* interval, double duration)
{
	return interval->end - interval->start < STUMP && (interval->start <= 0.0 || interval->end >= duration);
}

void testScoreContacts(ContactScore* score, const rpMotion* known, const rpMotion* found, float raise)
{
	double duration = rpMotion_GetDuration(known), frame = 0.5 / known->fps;
	for (int i = 0; i < found->annotations.intervalCount; ++i)
	{
		const rpInterval* interval = found->annotations.intervals + i;
		const rpInterval* match = isFoot(interval) ? findMatch(known, interval) : NULL;
		// A stump counts if what it is found for does.
		bool counts = match != NULL ? !isStump(match, duration) : !isStump(interval, duration);
		score->found += isFoot(interval) && counts;
	}
	for (int i = 0; i < known->annotations.intervalCount; ++i)
	{
		const rpInterval* interval = known->annotations.intervals + i;
		if (!isFoot(interval) || isStump(interval, duration))
		{
			continue;
		}
		score->known += 1;
		const rpInterval* match = findMatch(found, interval);
		if (match == NULL)
		{
			continue;
		}
		score->matched += 1;
		score->height = fmaxf(score->height, fabsf(match->supportHeight - interval->supportHeight - raise));
		if (interval->start > frame)
		{
			append(&score->onsets, &score->onsetCount, &score->onsetCapacity, (float)(match->start - interval->start));
		}
		if (interval->end < duration - frame)
		{
			float late = (float)(match->end - interval->end);
			append(&score->ends, &score->endCount, &score->endCapacity, late);
			if (interval->effector == rp_leftToe || interval->effector == rp_rightToe)
			{
				append(&score->toeOffs, &score->toeOffCount, &score->toeOffCapacity, late);
			}
		}
	}
}

float testGetContactF1(const ContactScore* score)
{
	int all = score->known + score->found;
	return all > 0 ? 2.0f * (float)score->matched / (float)all : 1.0f;
}

static int compareSizes(const void* a, const void* b)
{
	float x = fabsf(*(const float*)a), y = fabsf(*(const float*)b);
	return (x > y) - (x < y);
}

static float getQuantile(float* values, int count, double part)
{
	if (count == 0)
	{
		return 0.0f;
	}
	qsort(values, (size_t)count, sizeof(float), compareSizes);
	int index = (int)ceil(part * count) - 1;
	return fabsf(values[index < 0 ? 0 : index]);
}

float testGetOnsetError(const ContactScore* score, double part)
{
	return getQuantile(score->onsets, score->onsetCount, part);
}

float testGetEndError(const ContactScore* score, double part)
{
	return getQuantile(score->ends, score->endCount, part);
}

float testGetToeOffError(const ContactScore* score, double part)
{
	return getQuantile(score->toeOffs, score->toeOffCount, part);
}

void testFreeContactScore(ContactScore* score)
{
	free(score->toeOffs);
	free(score->onsets);
	free(score->ends);
	*score = (ContactScore){0};
}

static int getFeetDown(const rpMotion* motion, double time)
{
	int feet = 0;
	for (int i = 0; i < motion->annotations.intervalCount; ++i)
	{
		const rpInterval* interval = motion->annotations.intervals + i;
		if (rpInterval_IsFootContact(interval) && interval->start <= time && time < interval->end)
		{
			feet |= interval->effector <= rp_leftToe ? 1 : 2;
		}
	}
	return feet;
}

// The next time after `time` at which a contact of a foot begins or ends; `otherwise` if there is none before it.
static double findNextChange(const rpMotion* motion, double time, double otherwise)
{
	double next = otherwise;
	for (int i = 0; i < motion->annotations.intervalCount; ++i)
	{
		const rpInterval* interval = motion->annotations.intervals + i;
		if (rpInterval_IsFootContact(interval))
		{
			next = interval->start > time ? fmin(next, interval->start) : next;
			next = interval->end > time ? fmin(next, interval->end) : next;
		}
	}
	return next;
}

void testGetSteps(const rpMotion* motion, double from, double to, double min, char* text, int capacity)
{
	int count = 0;
	for (double time = from; time < to;)
	{
		int feet = getFeetDown(motion, time);
		double next = findNextChange(motion, time, to);
		while (next < to && getFeetDown(motion, next) == feet)
		{
			next = findNextChange(motion, next, to);
		}
		bool isStump = next - time < min && (time <= from || next >= to);
		if (!isStump && count + 1 < capacity)
		{
			text[count++] = "FLRD"[feet];
		}
		time = next;
	}
	text[count] = '\0';
}
