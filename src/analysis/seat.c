/// Sitting is recognized by the weight: the pelvis is still, the thighs are bent, and what the body presses on is where
/// no foot is, even if both stood wholly. From such a stretch the seat is held for as long as the pelvis stays there.
#include "analysis/holds.h"

#include "base/memory.h"

// Outside of both feet by this much there is something else, metres: half the breadth of a foot and some more.
#define OUTSIDE_FEET 0.08
// The pressure is taken from this long before a moment to this long after it, seconds.
#define PRESSURE_HALF_WINDOW 0.1
// For this long at least, seconds, the pelvis is slower than this, m/s.
#define SHORTEST_SIT 0.3
#define STILL_PELVIS 0.15
#define SPEED_HALF_WINDOW 0.05
// The cosine of the smallest angle of both thighs against the vertical: 30 degrees, as on a high stool.
#define STANDING_THIGH 0.866f
// Someone who sits stays this near to where the weight shows it, metres, and is still at the beginning and the end.
#define SEAT_WIDTH 0.06f

/// What is looked at.
typedef struct Search
{
	const rpFeet* feet;
	const rpSupportLoad* load;

	/// [frameCount]: where the seat is, and whether the thighs are bent.
	rpVec3* places;
	bool* isBent;
} Search;

static bool isThighBent(const rpSkeleton* skeleton, const rpTransform* pose, rpRole hip, rpRole knee)
{
	int upper = skeleton->roles[hip], lower = skeleton->roles[knee];
	rpVec3 down = upper >= 0 && lower >= 0 ? rpSub(pose[upper].p, pose[lower].p) : rpVec3_zero;
	return down.y < STANDING_THIGH * rpLength(down);
}

static void lookAtBody(const rpMotion* motion, Search* search)
{
	const rpSkeleton* skeleton = motion->skeleton;
	rpAttachment seat = skeleton->effectors[rp_seat];
	rpTransform pose[RP_MAX_JOINTS];
	for (int f = 0; f < motion->frameCount; ++f)
	{
		rpMotion_Forward(motion, f, pose);
		search->places[f] = rpTransformPoint(pose[seat.joint], seat.offset);
		search->isBent[f] = isThighBent(skeleton, pose, rp_roleLeftHip, rp_roleLeftKnee) &&
							isThighBent(skeleton, pose, rp_roleRightHip, rp_roleRightKnee);
	}
}

static bool isStill(const Search* search, int frame)
{
	int halfWindow = (int)fmax(lround(SPEED_HALF_WINDOW * search->feet->fps), 1.0), last = search->feet->frameCount - 1;
	int before = frame > halfWindow ? frame - halfWindow : 0,
		after = frame + halfWindow < last ? frame + halfWindow : last;
	double travelled = (double)rpDistance(search->places[before], search->places[after]);
	return travelled * search->feet->fps < STILL_PELVIS * (after - before);
}

// Whether the feet do not bear the body in a frame, wherever they touch.
static bool isOffFeet(const Search* search, int frame)
{
	rpVec2 points[rp_footTrackCount];
	float ground = INFINITY;
	for (int i = 0; i < rp_footTrackCount; ++i)
	{
		rpVec3 place = search->feet->tracks[i].smooth[frame];
		points[i] = (rpVec2){place.x, place.z};
		ground = fminf(ground, place.y);
	}
	return rpSupportLoad_GetOutside(search->load, frame, points, rp_footTrackCount, ground, PRESSURE_HALF_WINDOW) >
		   OUTSIDE_FEET;
}

static bool isSeated(const Search* search, int frame)
{
	return search->isBent[frame] && isStill(search, frame) && isOffFeet(search, frame);
}

static rpVec3 getMean(const rpVec3* places, int first, int last)
{
	rpVec3 sum = rpVec3_zero;
	for (int f = first; f <= last; ++f)
	{
		sum = rpAdd(sum, rpSub(places[f], places[first]));
	}
	return rpMulAdd(places[first], 1.0f / (float)(last - first + 1), sum);
}

// The seat that the weight shows in frames first … last, for as long as it is held; *last becomes its last frame.
static bool addSeat(const Search* search, int first, int* last, rpHolds* out, rpError* error)
{
	rpVec3 place = getMean(search->places, first, *last);
	int earliest = out->count > 0 ? (int)ceil(out->items[out->count - 1].end * search->feet->fps) : 0;
	while (first > earliest && rpDistance(search->places[first - 1], place) < SEAT_WIDTH)
	{
		--first;
	}
	while (*last + 1 < search->feet->frameCount && rpDistance(search->places[*last + 1], place) < SEAT_WIDTH)
	{
		++*last;
	}
	while (first < *last && !isStill(search, first))
	{
		++first;
	}
	while (first < *last && !isStill(search, *last))
	{
		--*last;
	}
	if (!rpGrow(&out->items, &out->capacity, out->count, sizeof(rpInterval), error))
	{
		return false;
	}
	out->items[out->count++] = (rpInterval){.track = rp_trackContact,
											.start = first / search->feet->fps,
											.end = *last / search->feet->fps,
											.effector = rp_seat,
											.supportHeight = place.y};
	return true;
}

static bool addSeats(const Search* search, rpHolds* out, rpError* error)
{
	int count = 0;
	for (int f = 0; f < search->feet->frameCount; ++f)
	{
		count = isSeated(search, f) ? count + 1 : 0;
		if (count > SHORTEST_SIT * search->feet->fps)
		{
			int last = f;
			if (!addSeat(search, f - count + 1, &last, out, error))
			{
				return false;
			}
			f = last;
			count = 0;
		}
	}
	return true;
}

bool rpFindSeats(const rpMotion* motion, const rpFeet* feet, const rpSupportLoad* load, rpHolds* out, rpError* error)
{
	if (motion->skeleton->effectors[rp_seat].joint < 0)
	{
		return true;
	}
	size_t count = (size_t)motion->frameCount;
	Search search = {feet, load, rpAllocate(count, sizeof(rpVec3), error), rpAllocate(count, sizeof(bool), error)};
	bool done = search.places != NULL && search.isBent != NULL;
	if (done)
	{
		lookAtBody(motion, &search);
		done = addSeats(&search, out, error);
	}
	rpFree(search.places);
	rpFree(search.isBent);
	return done;
}

bool rpHolds_Cover(const rpHolds* holds, double seconds)
{
	for (int i = 0; i < holds->count; ++i)
	{
		if (holds->items[i].start <= seconds && seconds <= holds->items[i].end)
		{
			return true;
		}
	}
	return false;
}
