/// Where the joints are: forward kinematics of a pose, of a motion, and what follows from it.
#include "motion/kinematics.h"

#include "base/assert.h"
#include "base/memory.h"
#include "reprise/play/motion.h"

#include <string.h>

// Frames, or rotations, that are worked on at once.
#define LANE_COUNT 4

// From this cosine on rpSlerp takes the straight line.
#define STRAIGHT_COSINE 0.9995f

// Larger skeletons go frame by frame, which keeps the stack small.
#define MAX_LANE_JOINTS 256

void rpSkeleton_Forward(const rpSkeleton* skeleton, rpVec3 rootPosition, const rpQuat* rotations,
						const rpVec3* translations, rpTransform* out)
{
	const int* parents = skeleton->parents;
	const rpVec3* offsets = translations != NULL ? translations : skeleton->offsets;
	int jointCount = skeleton->jointCount;
	out[0] = (rpTransform){rootPosition, rotations[0]};
	for (int i = 1; i < jointCount; ++i)
	{
		out[i] = rpMulTransform(out[parents[i]], (rpTransform){offsets[i], rotations[i]});
	}
}

static const rpVec3* getTranslations(const rpMotion* motion, int frame)
{
	return motion->translations != NULL ? motion->translations + (size_t)frame * (size_t)motion->skeleton->jointCount
										: NULL;
}

/// Four numbers that one instruction works on; the compiler finds it (SSE, NEON), or does without.
typedef float Four __attribute__((vector_size(16)));
typedef uint32_t FourBits __attribute__((vector_size(16)));

/// Several rotations, and places where they are needed, at once: one lane each. Each lane is computed by the same
/// operations in the same order as the functions that take one, and gives the same bits.
typedef struct Lanes
{
	Four w, x, y, z;
	Four px, py, pz;
} Lanes;

static Four fill(float value)
{
	return (Four){value, value, value, value};
}

static Four loadQuat(const rpQuat* q)
{
	Four row;
	memcpy(&row, q, sizeof(row));
	return row;
}

// Rows become columns.
static void transpose(Four* a, Four* b, Four* c, Four* d)
{
	Four lowAB = __builtin_shufflevector(*a, *b, 0, 4, 1, 5), highAB = __builtin_shufflevector(*a, *b, 2, 6, 3, 7);
	Four lowCD = __builtin_shufflevector(*c, *d, 0, 4, 1, 5), highCD = __builtin_shufflevector(*c, *d, 2, 6, 3, 7);
	*a = __builtin_shufflevector(lowAB, lowCD, 0, 1, 4, 5);
	*b = __builtin_shufflevector(lowAB, lowCD, 2, 3, 6, 7);
	*c = __builtin_shufflevector(highAB, highCD, 0, 1, 4, 5);
	*d = __builtin_shufflevector(highAB, highCD, 2, 3, 6, 7);
}

static void loadRotations(const rpQuat* rotations, size_t stride, Lanes* out)
{
	out->w = loadQuat(rotations);
	out->x = loadQuat(rotations + stride);
	out->y = loadQuat(rotations + 2 * stride);
	out->z = loadQuat(rotations + 3 * stride);
	transpose(&out->w, &out->x, &out->y, &out->z);
}

static void storeRotations(const Lanes* lanes, size_t stride, rpQuat* rotations)
{
	Four a = lanes->w, b = lanes->x, c = lanes->y, d = lanes->z;
	transpose(&a, &b, &c, &d);
	memcpy(rotations, &a, sizeof(rpQuat));
	memcpy(rotations + stride, &b, sizeof(rpQuat));
	memcpy(rotations + 2 * stride, &c, sizeof(rpQuat));
	memcpy(rotations + 3 * stride, &d, sizeof(rpQuat));
}

static Four getLengths(Four squares)
{
	for (int k = 0; k < LANE_COUNT; ++k)
	{
		squares[k] = sqrtf(squares[k]);
	}
	return squares;
}

static bool areAllNear(Four cosines)
{
	bool areNear = true;
	for (int k = 0; k < LANE_COUNT; ++k)
	{
		areNear = areNear & (fabsf(cosines[k]) >= STRAIGHT_COSINE);
	}
	return areNear;
}

// Rotations so near to each other that rpSlerp takes the straight line. False if one pair is not.
static bool mixLanes(const Lanes* a, const Lanes* b, float t, rpQuat* out)
{
	Four cosines = a->w * b->w + a->x * b->x + a->y * b->y + a->z * b->z;
	if (!areAllNear(cosines))
	{
		return false;
	}
	// Along the shorter arc: the weight takes the sign of the cosine.
	Four wa = fill(1.0f - t), wb = (Four)((FourBits)fill(t) ^ ((FourBits)cosines & (FourBits)fill(-0.0f)));
	Lanes mixed;
	mixed.w = wa * a->w + wb * b->w;
	mixed.x = wa * a->x + wb * b->x;
	mixed.y = wa * a->y + wb * b->y;
	mixed.z = wa * a->z + wb * b->z;
	Four squares = mixed.w * mixed.w + mixed.x * mixed.x + mixed.y * mixed.y + mixed.z * mixed.z;
	Four scale = fill(1.0f) / getLengths(squares);
	mixed.w *= scale;
	mixed.x *= scale;
	mixed.y *= scale;
	mixed.z *= scale;
	storeRotations(&mixed, 1, out);
	return true;
}

void rpSlerpMany(const rpQuat* a, const rpQuat* b, float t, int count, rpQuat* out)
{
	int i = 0;
	for (; i + LANE_COUNT <= count; i += LANE_COUNT)
	{
		Lanes from, to;
		loadRotations(a + i, 1, &from);
		loadRotations(b + i, 1, &to);
		bool isMixed = mixLanes(&from, &to, t, out + i);
		for (int k = i; !isMixed && k < i + LANE_COUNT; ++k)
		{
			out[k] = rpSlerp(a[k], b[k], t);
		}
	}
	for (; i < count; ++i)
	{
		out[i] = rpSlerp(a[i], b[i], t);
	}
}

void rpMotion_Sample(const rpMotion* motion, double seconds, rpPose* out)
{
	double place = seconds * motion->fps;
	place = place > 0.0 ? fmin(place, motion->frameCount - 1) : 0.0;
	int frame = (int)place < motion->frameCount - 1 ? (int)place : motion->frameCount - 1;
	int next = frame + 1 < motion->frameCount ? frame + 1 : frame;
	float t = (float)(place - frame);
	const rpQuat* from = rpMotion_GetRotations(motion, frame);
	const rpQuat* to = rpMotion_GetRotations(motion, next);
	int jointCount = motion->skeleton->jointCount;
	out->rootPosition = rpLerp(motion->rootPositions[frame], motion->rootPositions[next], t);
	if (t > 0.0f)
	{
		rpSlerpMany(from, to, t, jointCount, out->rotations);
	}
	else
	{
		memcpy(out->rotations, from, (size_t)jointCount * sizeof(rpQuat));
	}
	if (motion->translations != NULL && out->translations != NULL)
	{
		const rpVec3* old = getTranslations(motion, frame);
		const rpVec3* new = getTranslations(motion, next);
		for (int i = 0; i < jointCount; ++i)
		{
			out->translations[i] = rpLerp(old[i], new[i], t);
		}
	}
}

void rpMotion_Forward(const rpMotion* motion, int frame, rpTransform* out)
{
	rpSkeleton_Forward(motion->skeleton, motion->rootPositions[frame], rpMotion_GetRotations(motion, frame),
					   getTranslations(motion, frame), out);
}

static void loadPlaces(const rpVec3* places, size_t stride, Lanes* out)
{
	const rpVec3 *a = places, *b = a + stride, *c = b + stride, *d = c + stride;
	out->px = (Four){a->x, b->x, c->x, d->x};
	out->py = (Four){a->y, b->y, c->y, d->y};
	out->pz = (Four){a->z, b->z, c->z, d->z};
}

static void storePlaces(const Lanes* lanes, size_t stride, rpVec3* places)
{
	Four a = lanes->px, b = lanes->py, c = lanes->pz, d = lanes->pz;
	transpose(&a, &b, &c, &d);
	memcpy(places, &a, sizeof(rpVec3));
	memcpy(places + stride, &b, sizeof(rpVec3));
	memcpy(places + 2 * stride, &c, sizeof(rpVec3));
	memcpy(places + 3 * stride, &d, sizeof(rpVec3));
}

// As rpMulQuat has it.
static void multiplyRotations(const Lanes* a, const Lanes* b, Lanes* out)
{
	out->w = a->w * b->w - a->x * b->x - a->y * b->y - a->z * b->z;
	out->x = a->w * b->x + a->x * b->w + a->y * b->z - a->z * b->y;
	out->y = a->w * b->y - a->x * b->z + a->y * b->w + a->z * b->x;
	out->z = a->w * b->z + a->x * b->y - a->y * b->x + a->z * b->w;
}

// As rpTransformPoint has it.
static void transformPlaces(const Lanes* a, const Lanes* b, Lanes* out)
{
	Four two = fill(2.0f);
	Four tx = two * (a->y * b->pz - a->z * b->py);
	Four ty = two * (a->z * b->px - a->x * b->pz);
	Four tz = two * (a->x * b->py - a->y * b->px);
	out->px = ((b->px + a->w * tx) + (a->y * tz - a->z * ty)) + a->px;
	out->py = ((b->py + a->w * ty) + (a->z * tx - a->x * tz)) + a->py;
	out->pz = ((b->pz + a->w * tz) + (a->x * ty - a->y * tx)) + a->pz;
}

static void storeLanes(const Lanes* lanes, size_t stride, rpVec3* positions, rpQuat* orientations)
{
	if (positions != NULL)
	{
		storePlaces(lanes, stride, positions);
	}
	if (orientations != NULL)
	{
		storeRotations(lanes, stride, orientations);
	}
}

// LANE_COUNT frames from firstFrame on; the outputs are those of the first.
static void forwardLanes(const rpMotion* motion, int firstFrame, rpVec3* positions, rpQuat* orientations)
{
	const rpSkeleton* skeleton = motion->skeleton;
	size_t stride = (size_t)skeleton->jointCount, first = (size_t)firstFrame * stride;
	Lanes pose[MAX_LANE_JOINTS], local;
	loadRotations(motion->rotations + first, stride, pose);
	loadPlaces(motion->rootPositions + firstFrame, 1, pose);
	storeLanes(pose, stride, positions, orientations);
	for (size_t i = 1; i < stride; ++i)
	{
		bool isRigid = motion->translations == NULL;
		loadRotations(motion->rotations + first + i, stride, &local);
		loadPlaces(isRigid ? skeleton->offsets + i : motion->translations + first + i, isRigid ? 0 : stride, &local);
		const Lanes* parent = pose + skeleton->parents[i];
		multiplyRotations(parent, &local, pose + i);
		transformPlaces(parent, &local, pose + i);
		storeLanes(pose + i, stride, positions != NULL ? positions + i : NULL,
				   orientations != NULL ? orientations + i : NULL);
	}
}

static void forwardFrame(const rpMotion* motion, int frame, rpVec3* positions, rpQuat* orientations)
{
	rpTransform pose[RP_MAX_JOINTS];
	rpMotion_Forward(motion, frame, pose);
	for (int i = 0; positions != NULL && i < motion->skeleton->jointCount; ++i)
	{
		positions[i] = pose[i].p;
	}
	for (int i = 0; orientations != NULL && i < motion->skeleton->jointCount; ++i)
	{
		orientations[i] = pose[i].q;
	}
}

void rpMotion_ForwardAll(const rpMotion* motion, int firstFrame, int frameCount, rpVec3* positions,
						 rpQuat* orientations)
{
	RP_ASSERT(firstFrame >= 0 && frameCount >= 0 && firstFrame <= motion->frameCount - frameCount);
	int jointCount = motion->skeleton->jointCount;
	int step = jointCount <= MAX_LANE_JOINTS ? LANE_COUNT : 1;
	for (int frame = 0; frame < frameCount; frame += step)
	{
		// The last few frames go one by one.
		step = frame + step <= frameCount ? step : 1;
		size_t first = (size_t)frame * (size_t)jointCount;
		(step > 1 ? forwardLanes : forwardFrame)(motion, firstFrame + frame,
												 positions != NULL ? positions + first : NULL,
												 orientations != NULL ? orientations + first : NULL);
	}
}

bool rpMotion_GetEffector(const rpMotion* motion, int frame, rpEffector effector, rpVec3* out)
{
	rpAttachment attachment = motion->skeleton->effectors[effector];
	if (attachment.joint < 0)
	{
		return false;
	}
	rpTransform pose[RP_MAX_JOINTS];
	rpMotion_Forward(motion, frame, pose);
	*out = rpTransformPoint(pose[attachment.joint], attachment.offset);
	return true;
}

bool rpMotion_GetVelocities(const rpMotion* motion, int frame, rpVec3* linear, rpVec3* angular, rpError* error)
{
	int before = frame > 0 ? frame - 1 : frame;
	int after = frame + 1 < motion->frameCount ? frame + 1 : frame;
	int jointCount = motion->skeleton->jointCount;
	float rate = after > before ? (float)(motion->fps / (after - before)) : 0.0f;
	rpTransform* poses = rpAllocate(2 * (size_t)jointCount, sizeof(rpTransform), error);
	if (poses == NULL)
	{
		return false;
	}
	const rpTransform *old = poses, *new = poses + jointCount;
	rpMotion_Forward(motion, before, poses);
	rpMotion_Forward(motion, after, poses + jointCount);
	for (int i = 0; i < jointCount; ++i)
	{
		if (linear != NULL)
		{
			linear[i] = rpScale(rate, rpSub(new[i].p, old[i].p));
		}
		if (angular != NULL)
		{
			angular[i] = rpScale(rate, rpLogQuat(rpMulQuat(new[i].q, rpConjugate(old[i].q))));
		}
	}
	rpFree(poses);
	return true;
}
