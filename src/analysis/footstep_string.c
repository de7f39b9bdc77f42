/// The refinement of footstep strings (Kwon & Shin 2005, section 4.3): small peaks of the centre of mass that cut a
/// transition to a slower gait are ignored, peaks that were missed in a transition to a faster one are put in.
#include "analysis/footstep_string.h"

#include <stdio.h>
#include <string.h>

bool rpJoinFootsteps(const char* a, const char* b, char out[RP_FOOTSTEP_SIZE])
{
	size_t length = strlen(a), skipped = length > 0 && a[length - 1] == b[0] ? 1 : 0;
	int joined = snprintf(out, RP_FOOTSTEP_SIZE, "%s%s", a, b + skipped);
	return joined < RP_FOOTSTEP_SIZE;
}

bool rpIsMovement(const char* string)
{
	return rpMovementKind_Find(string) != rp_movementKindCount;
}

bool rpIsSlowing(const char* string)
{
	rpMovementKind kind = rpMovementKind_Find(string);
	return kind != rp_movementKindCount && rpMovementKind_GetAfter(kind) < rpMovementKind_GetBefore(kind);
}

static bool isTransition(const char* string)
{
	rpMovementKind kind = rpMovementKind_Find(string);
	return kind != rp_movementKindCount && rpMovementKind_GetAfter(kind) != rpMovementKind_GetBefore(kind);
}

static bool isMerged(const char* a, const char* b, bool (*isWanted)(const char* string))
{
	char joined[RP_FOOTSTEP_SIZE];
	return a[0] != 0 && b[0] != 0 && rpJoinFootsteps(a, b, joined) && isWanted(joined);
}

int rpChooseMerge(const char* before, const char* string, const char* after)
{
	return isMerged(before, string, rpIsSlowing) ? -1 : isMerged(string, after, rpIsSlowing) ? 1 : 0;
}

int rpChooseTransition(const char* before, const char* string, const char* after)
{
	return isMerged(before, string, isTransition) ? -1 : isMerged(string, after, isTransition) ? 1 : 0;
}

// Whether a peak can be in the phase at an index, with a movement on both sides of it.
static bool isSplit(const char* string, int index)
{
	char first[RP_FOOTSTEP_SIZE];
	memcpy(first, string, (size_t)index + 1);
	first[index + 1] = 0;
	return strchr("LRF", string[index]) != NULL && rpIsMovement(first) && rpIsMovement(string + index);
}

int rpChooseSplit(const char* string)
{
	int length = (int)strlen(string);
	for (int i = 1; i + 1 < length && length < RP_FOOTSTEP_SIZE; ++i)
	{
		if (isSplit(string, i))
		{
			return i;
		}
	}
	return -1;
}

int rpChooseFirstSplit(const char* string)
{
	int length = (int)strlen(string), index = rpChooseSplit(string);
	for (int i = 1; index < 0 && i + 1 < length && length < RP_FOOTSTEP_SIZE; ++i)
	{
		char first[RP_FOOTSTEP_SIZE];
		memcpy(first, string, (size_t)i + 1);
		first[i + 1] = 0;
		bool isFirst = strchr("LRF", string[i]) != NULL && rpIsMovement(first);
		index = isFirst && rpChooseFirstSplit(string + i) >= 0 ? i : -1;
	}
	return index;
}

bool rpIsMissedDouble(const char* a, const char* b)
{
	size_t length = strlen(a);
	char joined[RP_FOOTSTEP_SIZE];
	if (length == 0 || (a[length - 1] != 'F' && b[0] != 'F') || !rpJoinFootsteps(a, b, joined))
	{
		return false;
	}
	joined[a[length - 1] == 'F' ? length - 1 : length] = 'D';
	return isTransition(joined);
}
