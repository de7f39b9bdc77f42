#include "library/take_blob.h"

#include "base/error.h"

#include <string.h>

/// What stands before the places. Little-endian, as frames are.
typedef struct Head
{
	double fileFps, ownFps, gravity;
	double slopeX, slopeZ, height;
	uint32_t flags;
	uint32_t placeCount;
} Head;

_Static_assert(sizeof(Head) == 56 && sizeof(rpVec3) == 12, "takes are kept without gaps");

enum
{
	flagFloor = 1,
	flagRate = 2,
	flagSteep = 4,
	allFlags = 7,
};

bool rpEncodeTake(const rpTake* take, const rpTreatment* treatment, rpText* out, rpError* error)
{
	Head head = {
		.fileFps = take->fileFps,
		.ownFps = take->ownFps,
		.gravity = take->gravity,
		.slopeX = treatment->floor.slopeX,
		.slopeZ = treatment->floor.slopeZ,
		.height = treatment->floor.height,
		.flags = (take->isFloorOpen ? flagFloor : 0u) | (take->isRateOpen ? flagRate : 0u) |
				 (treatment->floor.isSteep ? flagSteep : 0u),
		.placeCount = (uint32_t)take->places.count,
	};
	rpText_Append(out, (const char*)&head, sizeof(head));
	rpText_Append(out, (const char*)take->places.items, (size_t)take->places.count * sizeof(rpVec3));
	return !out->failed || rpFail(error, rp_errorMemory, "out of memory");
}

static bool isSound(const Head* head)
{
	bool isRateGiven = (head->flags & flagRate) == 0 || (head->fileFps > 0.0 && head->ownFps > 0.0);
	// A floor that was steeper than the rest would not have been levelled.
	return isRateGiven && (head->flags & ~(uint32_t)allFlags) == 0 && isfinite(head->fileFps) &&
		   isfinite(head->ownFps) && isfinite(head->gravity) && isfinite(head->slopeX) && isfinite(head->slopeZ) &&
		   isfinite(head->height);
}

bool rpDecodeTake(const void* bytes, size_t size, rpTake* take, rpTreatment* treatment, rpError* error)
{
	Head head;
	*take = (rpTake){0};
	*treatment = (rpTreatment){0};
	if (size < sizeof(head))
	{
		return rpFail(error, rp_errorFormat, "a take is too short");
	}
	memcpy(&head, bytes, sizeof(head));
	if (!isSound(&head) || size != sizeof(head) + (size_t)head.placeCount * sizeof(rpVec3))
	{
		return rpFail(error, rp_errorFormat, "a take makes no sense");
	}
	take->isFloorOpen = (head.flags & flagFloor) != 0;
	take->isRateOpen = (head.flags & flagRate) != 0;
	take->fileFps = head.fileFps;
	take->ownFps = head.ownFps;
	take->gravity = head.gravity;
	treatment->floor = (rpFloor){head.slopeX, head.slopeZ, head.height, (head.flags & flagSteep) != 0};
	take->places.items = rpAllocate((size_t)head.placeCount, sizeof(rpVec3), error);
	if (take->places.items == NULL)
	{
		return false;
	}
	take->places.count = take->places.capacity = (int)head.placeCount;
	memcpy(take->places.items, (const char*)bytes + sizeof(head), (size_t)head.placeCount * sizeof(rpVec3));
	for (int i = 0; i < take->places.count; ++i)
	{
		rpVec3 p = take->places.items[i];
		if (!isfinite(p.x) || !isfinite(p.y) || !isfinite(p.z))
		{
			return rpFail(error, rp_errorFormat, "a place of a take is not finite");
		}
	}
	return true;
}
