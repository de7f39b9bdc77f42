#include "timeline/timeline.h"

#include "base/assert.h"

static size_t getSlot(int64_t number)
{
	return (size_t)(number % rp_timelineSpans);
}

rpSpan* rpTimeline_GetNext(rpTimeline* timeline)
{
	return &timeline->spans[getSlot(timeline->count)];
}

void rpTimeline_Append(rpTimeline* timeline, const rpSeamDef* seam)
{
	timeline->seams[getSlot(timeline->count)] = seam != NULL ? *seam : (rpSeamDef){0};
	++timeline->count;
}

void rpTimeline_SetLabels(rpTimeline* timeline, uint64_t labels)
{
	timeline->spans[getSlot(timeline->count - 1)].labels = labels;
}

const rpSpan* rpTimeline_Get(const rpTimeline* timeline, int64_t number)
{
	RP_ASSERT(number >= 0 && number < timeline->count && number > timeline->count - rp_timelineSpans);
	return &timeline->spans[getSlot(number)];
}

const rpSeamDef* rpTimeline_GetSeam(const rpTimeline* timeline, int64_t number)
{
	RP_ASSERT(number > 0 && number < timeline->count);
	return &timeline->seams[getSlot(number)];
}

int64_t rpTimeline_Find(const rpTimeline* timeline, double time)
{
	// Of spans before the last few it is known that their seams are over.
	int64_t number = timeline->count - rp_timelineSpans + 1 > 0 ? timeline->count - rp_timelineSpans + 1 : 0;
	while (number + 1 < timeline->count && time >= rpTimeline_GetSeam(timeline, number + 1)->end)
	{
		++number;
	}
	return number;
}
