#include "base/memory.h"
#include "motion/annotation_parts.h"

bool rpTrackLists_Add(rpTrackLists* lists, const rpInterval* interval, rpError* error)
{
	// What is on no track is an error of the list's.
	int track = (unsigned)interval->track < rp_trackCount ? (int)interval->track : 0;
	return rpAnnotations_AddInterval(&lists->tracks[track], interval, error);
}

static int count(const rpTrackLists* lists)
{
	int sum = 0;
	for (int i = 0; i < rp_trackCount; ++i)
	{
		sum += lists->tracks[i].intervalCount;
	}
	return sum;
}

// From the last to the first, into the room behind those that are there: none is overwritten before it was moved.
static int moveTrack(rpAnnotations* list, rpAnnotations* out, int place)
{
	while (list->intervalCount > 0)
	{
		const rpInterval* last = &list->intervals[list->intervalCount - 1];
		bool isOther = out->intervalCount > 0 && rpCompareIntervals(&out->intervals[out->intervalCount - 1], last) > 0;
		rpAnnotations* from = isOther ? out : list;
		out->intervals[--place] = from->intervals[--from->intervalCount];
	}
	return place;
}

bool rpTrackLists_Store(rpTrackLists* lists, rpAnnotations* out, rpError* error)
{
	int total = out->intervalCount + count(lists);
	if (total > out->intervalCapacity)
	{
		rpInterval* grown = rpReallocate(out->intervals, (size_t)total, sizeof(rpInterval), error);
		if (grown == NULL)
		{
			return false;
		}
		out->intervals = grown;
		out->intervalCapacity = total;
	}
	int place = total;
	for (int i = rp_trackCount - 1; i >= 0; --i)
	{
		place = moveTrack(&lists->tracks[i], out, place);
	}
	out->intervalCount = total;
	return true;
}

void rpTrackLists_Free(rpTrackLists* lists)
{
	for (int i = 0; i < rp_trackCount; ++i)
	{
		rpAnnotations_Free(&lists->tracks[i]);
	}
}
