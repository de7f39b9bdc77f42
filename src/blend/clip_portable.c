/// Mean rotations, four joints at once, on any machine: the reference of the other kernels.
#include "blend/clip.h"

#include <string.h>

/// Four numbers that one instruction works on; the compiler finds it (SSE, NEON), or does without.
typedef float Four __attribute__((vector_size(16)));
typedef uint32_t FourBits __attribute__((vector_size(16)));

// Half a group.
#define LANE_COUNT 4

typedef struct Rotations
{
	Four w, x, y, z;
} Rotations;

static inline Four fill(float value)
{
	return (Four){value, value, value, value};
}

static inline Rotations load(const float* half)
{
	Rotations r;
	memcpy(&r.w, half, sizeof(Four));
	memcpy(&r.x, half + rp_clipLanes, sizeof(Four));
	memcpy(&r.y, half + 2 * rp_clipLanes, sizeof(Four));
	memcpy(&r.z, half + 3 * rp_clipLanes, sizeof(Four));
	return r;
}

static inline Four dot(const Rotations* a, const Rotations* b)
{
	return a->w * b->w + a->x * b->x + a->y * b->y + a->z * b->z;
}

static inline Four evaluate(const float* shares, Four u)
{
	Four sum = fill(shares[rp_slerpTerms]);
	for (int i = rp_slerpTerms - 1; i >= 0; --i)
	{
		sum = sum * u + fill(shares[i]);
	}
	return sum;
}

// One part's rotations between its rows, times its weight.
static inline Rotations mix(const rpClipPart* part, size_t place)
{
	Rotations a = load(part->from + place), b = load(part->to + place);
	Four u = dot(&a, &b) - fill(1.0f);
	Four from = evaluate(part->fromShares, u), to = evaluate(part->toShares, u);
	return (Rotations){from * a.w + to * b.w, from * a.x + to * b.x, from * a.y + to * b.y, from * a.z + to * b.z};
}

static inline Rotations normalize(Rotations r)
{
	Four scale = dot(&r, &r);
	for (int k = 0; k < LANE_COUNT; ++k)
	{
		scale[k] = 1.0f / sqrtf(scale[k]);
	}
	return (Rotations){r.w * scale, r.x * scale, r.y * scale, r.z * scale};
}

static inline void store(Rotations r, int count, rpQuat* out)
{
	for (int k = 0; k < count; ++k)
	{
		out[k] = (rpQuat){r.w[k], r.x[k], r.y[k], r.z[k]};
	}
}

void rpBlendRowsPortable(const rpClipPart* parts, int count, int jointCount, rpQuat* out)
{
	for (int joint = 0; joint < jointCount; joint += LANE_COUNT)
	{
		size_t lane = (size_t)joint, place = lane / rp_clipLanes * rp_clipGroup + lane % rp_clipLanes;
		Rotations first = mix(parts, place), sum = first;
		for (int i = 1; i < count; ++i)
		{
			Rotations next = mix(parts + i, place);
			FourBits sign = (FourBits)dot(&first, &next) & (FourBits)fill(-0.0f);
			sum.w += (Four)((FourBits)next.w ^ sign);
			sum.x += (Four)((FourBits)next.x ^ sign);
			sum.y += (Four)((FourBits)next.y ^ sign);
			sum.z += (Four)((FourBits)next.z ^ sign);
		}
		int left = jointCount - joint;
		store(normalize(sum), left < LANE_COUNT ? left : LANE_COUNT, out + joint);
	}
}
