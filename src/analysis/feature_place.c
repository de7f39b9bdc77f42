/// Joints at moments: where they are, how far out, how fast; and the moments, by events and by extrema of a place.
#include "analysis/feature_place.h"

#include "analysis/feature_kinds.h"
#include "base/error.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Times that differ by less are the same, seconds: a tenth of a frame at the highest rate.
#define SAME_TIME 1e-4

// ---- points

rpVec3 rpGetPointAt(const rpMotion* motion, rpAttachment point, int frame)
{
	const rpSkeleton* skeleton = motion->skeleton;
	const rpQuat* rotations = rpMotion_GetRotations(motion, frame);
	const rpVec3* offsets = motion->translations != NULL
								? motion->translations + (size_t)frame * (size_t)skeleton->jointCount
								: skeleton->offsets;
	rpVec3 place = rpRotate(rotations[point.joint], point.offset);
	for (int joint = point.joint; joint > 0; joint = skeleton->parents[joint])
	{
		place = rpRotate(rotations[skeleton->parents[joint]], rpAdd(offsets[joint], place));
	}
	return rpAdd(motion->rootPositions[frame], place);
}

/// Frames around a time, and their weights in the cubic through them (Lagrange).
typedef struct Around
{
	int first, count;
	float weights[4];
} Around;

static Around findAround(const rpMotion* motion, double seconds)
{
	int last = motion->frameCount - 1;
	double frame = fmin(fmax(seconds * motion->fps, 0.0), (double)last);
	Around around = {.count = motion->frameCount < 4 ? motion->frameCount : 4};
	int first = (int)floor(frame) - (around.count - 1) / 2, latest = motion->frameCount - around.count;
	around.first = first < 0 ? 0 : first > latest ? latest : first;
	for (int i = 0; i < around.count; ++i)
	{
		double weight = 1.0;
		for (int k = 0; k < around.count; ++k)
		{
			weight *= k != i ? (frame - around.first - k) / (i - k) : 1.0;
		}
		around.weights[i] = (float)weight;
	}
	return around;
}

rpVec3 rpGetPoint(const rpMotion* motion, rpAttachment point, double seconds)
{
	Around around = findAround(motion, seconds);
	rpVec3 place = rpVec3_zero;
	for (int i = 0; i < around.count; ++i)
	{
		place = rpMulAdd(place, around.weights[i], rpGetPointAt(motion, point, around.first + i));
	}
	return place;
}

rpGroundTransform rpGetRootGround(const rpMotion* motion, double seconds)
{
	Around around = findAround(motion, seconds);
	rpGroundTransform ground = {0};
	float first = rpMotion_GetGround(motion, around.first).turn;
	for (int i = 0; i < around.count; ++i)
	{
		rpGroundTransform own = rpMotion_GetGround(motion, around.first + i);
		ground.turn += around.weights[i] * rpWrapAngle(own.turn - first);
		ground.shift = rpMulAdd(ground.shift, around.weights[i], own.shift);
	}
	ground.turn = rpWrapAngle(ground.turn + first);
	ground.shift.y = 0.0f;
	return ground;
}

rpVec3 rpSeeFrom(rpGroundTransform ground, rpVec3 point)
{
	return rpGroundTransform_Apply(rpGroundTransform_Invert(ground), point);
}

double rpGetRootTurn(const rpMotion* motion, double start, double end)
{
	float before = rpGetRootGround(motion, start).turn, turn;
	double sum = 0.0;
	for (int i = (int)ceil(start * motion->fps); i < end * motion->fps && i < motion->frameCount; ++i, before = turn)
	{
		turn = rpMotion_GetGround(motion, i > 0 ? i : 0).turn;
		sum += (double)rpWrapAngle(turn - before);
	}
	return sum + (double)rpWrapAngle(rpGetRootGround(motion, end).turn - before);
}

// ---- moments

/// What is to be greatest at a moment, as seen from where the root is when the stretch begins. place is that of the
/// joint, body the root's, speed the joint's in m/s.
typedef struct Sight
{
	rpVec3 place, body;
	float speed;
} Sight;

typedef float GetHeightFn(const Sight* sight);

static float getUp(const Sight* sight)
{
	return sight->place.y;
}

static float getDown(const Sight* sight)
{
	return -sight->place.y;
}

static float getAhead(const Sight* sight)
{
	return sight->place.z;
}

static float getBack(const Sight* sight)
{
	return -sight->place.z;
}

static float getLeft(const Sight* sight)
{
	return sight->place.x;
}

static float getRight(const Sight* sight)
{
	return -sight->place.x;
}

static float getOut(const Sight* sight)
{
	float x = sight->place.x - sight->body.x, z = sight->place.z - sight->body.z;
	return sqrtf(x * x + z * z);
}

static float getSpeed(const Sight* sight)
{
	return sight->speed;
}

/// A moment by the frames: an extremum, or a part of the stretch.
typedef struct Moment
{
	rpFeatureMoment info;
	GetHeightFn* get;
	double part;
} Moment;

static const Moment s_moments[] = {
	{.info = {"start", "the stretch begins"}, .part = 0.0},
	{.info = {"middle", "half of the stretch is over"}, .part = 0.5},
	{.info = {"end", "the stretch ends"}, .part = 1.0},
	{.info = {"highest", "the joint is highest"}, .get = getUp},
	{.info = {"lowest", "the joint is lowest"}, .get = getDown},
	{.info = {"ahead", "the joint is farthest ahead, by the heading at the start"}, .get = getAhead},
	{.info = {"back", "the joint is farthest back"}, .get = getBack},
	{.info = {"left", "the joint is farthest to the left"}, .get = getLeft},
	{.info = {"right", "the joint is farthest to the right"}, .get = getRight},
	{.info = {"farthest", "the joint is farthest from the root, over the floor: where a punch or a reach ends"},
	 .get = getOut},
	{.info = {"fastest", "the joint is fastest"}, .get = getSpeed},
};

enum
{
	momentCount = sizeof(s_moments) / sizeof(s_moments[0]),
};

const rpFeatureMoment* rpGetFeatureMoment(int index)
{
	return index >= 0 && index < momentCount ? &s_moments[index].info : NULL;
}

static const Moment* findMoment(const char* name)
{
	for (int i = 0; i < momentCount; ++i)
	{
		if (strcmp(s_moments[i].info.name, name) == 0)
		{
			return &s_moments[i];
		}
	}
	return NULL;
}

/// An extremum that is looked for.
typedef struct Search
{
	const rpMotion* motion;
	rpAttachment point;
	rpGroundTransform origin;
	GetHeightFn* get;
} Search;

// At a frame, or between two. Speed by what is half a frame away on either side.
static float getHeight(const Search* search, double frame)
{
	const rpMotion* motion = search->motion;
	Sight sight = {0};
	if (search->get == getSpeed)
	{
		rpVec3 before = rpGetPoint(motion, search->point, (frame - 0.5) / motion->fps);
		rpVec3 after = rpGetPoint(motion, search->point, (frame + 0.5) / motion->fps);
		sight.speed = (float)motion->fps * rpDistance(before, after);
		return search->get(&sight);
	}
	bool isFrame = frame == floor(frame) && frame >= 0.0 && frame < motion->frameCount;
	sight.place = isFrame ? rpGetPointAt(motion, search->point, (int)frame)
						  : rpGetPoint(motion, search->point, frame / motion->fps);
	sight.place = rpSeeFrom(search->origin, sight.place);
	if (search->get == getOut)
	{
		sight.body = rpSeeFrom(search->origin, rpMotion_GetPlace(motion, frame / motion->fps));
	}
	return search->get(&sight);
}

// The top of the parabola through a frame and its neighbours.
static double refine(const Search* search, int frame, float height)
{
	double before = (double)getHeight(search, frame - 1), after = (double)getHeight(search, frame + 1);
	double bend = before - 2.0 * (double)height + after;
	double shift = bend < 0.0 ? 0.5 * (before - after) / bend : 0.0;
	return frame + fmin(fmax(shift, -0.5), 0.5);
}

// The best of the ends and the frames between, all as frames.
static double findExtremum(const Search* search, double start, double end)
{
	double best = start;
	float bestHeight = getHeight(search, start), height = getHeight(search, end);
	int last = search->motion->frameCount - 1, bestFrame = -1;
	if (height > bestHeight)
	{
		best = end;
		bestHeight = height;
	}
	for (int i = (int)fmax(ceil(start), 0.0); i <= last && i <= end; ++i)
	{
		height = getHeight(search, i);
		if (height > bestHeight)
		{
			best = bestFrame = i;
			bestHeight = height;
		}
	}
	bool isBetween = bestFrame > 0 && bestFrame < last;
	return isBetween ? fmin(fmax(refine(search, bestFrame, bestHeight), start), end) : best;
}

// What events there are, each name once, as far as it fits.
static void hintAtEvents(const rpFeatureStretch* stretch, rpError* error)
{
	const rpAnnotations* annotations = &stretch->motion->annotations;
	char names[160] = "";
	size_t size = 0;
	for (int i = 0; i < annotations->eventCount; ++i)
	{
		const rpEvent* event = &annotations->events[i];
		bool isNew = event->time >= stretch->start - SAME_TIME && event->time <= stretch->end + SAME_TIME;
		for (int k = 0; k < i && isNew; ++k)
		{
			isNew = annotations->events[k].time < stretch->start - SAME_TIME ||
					strcmp(annotations->events[k].name, event->name) != 0;
		}
		size_t length = strlen(event->name);
		if (isNew && size + length + 3 < sizeof(names))
		{
			size += (size_t)snprintf(names + size, sizeof(names) - size, "%s%s", size > 0 ? ", " : "", event->name);
		}
	}
	rpError_SetHint(error,
					size > 0 ? "it has %s; \"highest\", \"ahead\" and such need none"
							 : "it has none%s; \"highest\", \"ahead\" and such need none",
					names);
}

static bool findEvent(const rpFeatureStretch* stretch, const char* name, double* out, rpError* error)
{
	const rpAnnotations* annotations = &stretch->motion->annotations;
	for (int i = 0; i < annotations->eventCount; ++i)
	{
		const rpEvent* event = &annotations->events[i];
		if (event->time >= stretch->start - SAME_TIME && event->time <= stretch->end + SAME_TIME &&
			strcmp(event->name, name) == 0)
		{
			*out = event->time;
			return true;
		}
	}
	rpFail(error, rp_errorMissing, "\"%.80s\" has no event \"%.60s\" from %.3f to %.3f s", stretch->motion->name, name,
		   stretch->start, stretch->end);
	hintAtEvents(stretch, error);
	return false;
}

bool rpFindFeatureMoment(const rpFeatureStretch* stretch, int joint, const char* moment, double* out, rpError* error)
{
	const Moment* own = findMoment(moment);
	if (own == NULL)
	{
		return findEvent(stretch, moment, out, error);
	}
	if (own->get == NULL)
	{
		*out = stretch->start + own->part * (stretch->end - stretch->start);
		return true;
	}
	if (joint < 0)
	{
		return rpFail(error, rp_errorArgument, "the moment \"%s\" is one of a joint", moment);
	}
	Search search = {.motion = stretch->motion,
					 .point = {.joint = joint},
					 .origin = rpGetRootGround(stretch->motion, stretch->start),
					 .get = own->get};
	double fps = stretch->motion->fps;
	*out = findExtremum(&search, stretch->start * fps, stretch->end * fps) / fps;
	return true;
}

// ---- features

bool rpMeasurePlace(const rpFeatureStretch* stretch, int joint, const char* moment, float* out, rpError* error)
{
	double time = 0.0;
	if (!rpFindFeatureMoment(stretch, joint, moment, &time, error))
	{
		return false;
	}
	rpVec3 place = rpSeeFrom(rpGetRootGround(stretch->motion, stretch->start),
							 rpGetPoint(stretch->motion, (rpAttachment){.joint = joint}, time));
	out[0] = place.x;
	out[1] = place.y;
	out[2] = place.z;
	return true;
}

bool rpMeasureReach(const rpFeatureStretch* stretch, int joint, const char* moment, float* out, rpError* error)
{
	double time = 0.0;
	if (!rpFindFeatureMoment(stretch, joint, moment, &time, error))
	{
		return false;
	}
	rpVec3 place = rpGetPoint(stretch->motion, (rpAttachment){.joint = joint}, time);
	rpVec3 root = rpGetRootGround(stretch->motion, time).shift;
	root.y = place.y;
	*out = rpDistance(place, root);
	return true;
}

bool rpMeasureJointSpeed(const rpFeatureStretch* stretch, int joint, const char* moment, float* out, rpError* error)
{
	Search search = {.motion = stretch->motion, .point = {.joint = joint}, .get = getSpeed};
	double time = 0.0;
	if (!rpFindFeatureMoment(stretch, joint, moment, &time, error))
	{
		return false;
	}
	*out = getHeight(&search, time * stretch->motion->fps);
	return true;
}
