#include "timeline/sampler.h"

#include <string.h>

bool rpSampler_Create(rpSampler* sampler, const rpSkeleton* skeleton, bool hasTranslations, const rpFootRig* rig,
					  rpError* error)
{
	*sampler = (rpSampler){.rig = rig};
	rpSampler_Reset(sampler);
	return rpSeam_Create(&sampler->seam, skeleton->jointCount, hasTranslations, error);
}

void rpSampler_Free(rpSampler* sampler)
{
	rpSeam_Free(&sampler->seam);
}

void rpSampler_Reset(rpSampler* sampler)
{
	sampler->prepared = sampler->overOf = -1;
	sampler->over[0] = sampler->over[1] = 0;
}

// ---- what is known of a frame

static void addSources(const rpSpan* span, double seconds, float weight, rpFrameNotes* notes)
{
	rpSpanSpot spot = rpSpan_FindSpot(span, seconds);
	float sum = 0.0f;
	for (int i = 0; i < span->shareCount; ++i)
	{
		sum += rpSpanShare_GetWeight(&span->shares[i], &spot);
	}
	for (int i = 0; i < span->shareCount; ++i)
	{
		const rpSpanShare* share = &span->shares[i];
		float own = weight * rpSpanShare_GetWeight(share, &spot) / sum;
		if (own > 0.0f)
		{
			notes->sources[notes->sourceCount++] =
				(rpFrameSource){share->source, rpSpanShare_GetTime(share, &spot), own};
		}
	}
}

static unsigned getContacts(const rpSpan* span, double time, int* over, float* heights)
{
	return rpSpan_GetContacts(span, time - span->start, over, heights);
}

// Contacts of a seam: each foot's are those of the span before until it leaves that, then those of the next.
static unsigned mixContacts(const rpSeam* seam, double time, unsigned before, const float* heights, unsigned after,
							float* out)
{
	unsigned bits = 0;
	for (int i = 0; i < rp_effectorCount; ++i)
	{
		int foot = rpEffector_GetFoot((rpEffector)i);
		double leave = foot >= 0 ? seam->leave[foot] : seam->def.cut, enter = foot >= 0 ? seam->enter[foot] : leave;
		bool isBefore = time < leave, isAfter = time >= enter && !isBefore;
		bits |= (isBefore ? before : isAfter ? after : 0) & 1u << i;
		out[i] = isBefore ? heights[i] : out[i];
	}
	return bits;
}

static void noteSpan(rpSampler* sampler, const rpSpan* span, int64_t number, double time, rpFrameNotes* notes)
{
	if (sampler->overOf != number)
	{
		sampler->over[0] = sampler->overOf == number - 1 ? sampler->over[1] : 0;
		sampler->over[1] = 0;
		sampler->overOf = number;
	}
	notes->span = number;
	notes->labels = span->labels;
	notes->contacts = getContacts(span, time, &sampler->over[0], notes->supportHeights);
	addSources(span, time - span->start, 1.0f, notes);
}

static void noteSeam(rpSampler* sampler, double time, rpFrameNotes* notes)
{
	const rpSeam* seam = &sampler->seam;
	const rpSpan *from = seam->from, *to = seam->to;
	float heights[rp_effectorCount] = {0}, weight = rpSeam_GetWeight(seam, time);
	memset(notes->supportHeights, 0, sizeof(notes->supportHeights));
	unsigned before = getContacts(from, time, &sampler->over[0], heights);
	unsigned after = getContacts(to, time, &sampler->over[1], notes->supportHeights);
	notes->contacts = mixContacts(seam, time, before, heights, after, notes->supportHeights);
	notes->span += time >= seam->def.cut;
	notes->labels = from->labels | to->labels;
	notes->sourceCount = 0;
	addSources(from, time - from->start, weight, notes);
	addSources(to, time - to->start, 1.0f - weight, notes);
}

// ---- frames

static void applyBend(const rpBend* bend, double time, rpPose* pose)
{
	rpGroundTransform ground = rpBend_Get(bend, time);
	pose->rootPosition = rpGroundTransform_Apply(ground, pose->rootPosition);
	pose->rotations[0] = rpMulQuat(rpYaw(ground.turn), pose->rotations[0]);
}

static void sample(rpSampler* sampler, const rpTimeline* timeline, double time, rpPose* pose, rpFrameNotes* notes)
{
	int64_t number = rpTimeline_Find(timeline, time), next = number + 1;
	const rpSpan* span = rpTimeline_Get(timeline, number);
	notes->sourceCount = 0;
	memset(notes->supportHeights, 0, sizeof(notes->supportHeights));
	noteSpan(sampler, span, number, time, notes);
	if (next >= timeline->count || time < rpTimeline_GetSeam(timeline, next)->start)
	{
		if (pose != NULL)
		{
			rpSpan_Sample(span, time - span->start, pose);
		}
		return;
	}
	if (sampler->prepared != next)
	{
		rpSeam_Prepare(&sampler->seam, rpTimeline_GetSeam(timeline, next), span, rpTimeline_Get(timeline, next),
					   sampler->rig);
		sampler->prepared = next;
	}
	if (pose != NULL)
	{
		rpSeam_Sample(&sampler->seam, time, pose);
	}
	noteSeam(sampler, time, notes);
}

void rpSampler_Sample(rpSampler* sampler, const rpTimeline* timeline, double time, rpPose* pose, rpFrameNotes* notes)
{
	sample(sampler, timeline, time, pose, notes);
	if (timeline->bend.knots != NULL && pose != NULL)
	{
		applyBend(&timeline->bend, time, pose);
	}
}
