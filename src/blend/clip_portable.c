/// Mean rotations, four joints at once, on any machine: the reference of the other kernels, which give its bits.
#include "blend/clip.h"

#include <string.h>

/// Four numbers that one instruction works on; the compiler finds it (SSE, NEON), or does without.
typedef float Four __attribute__((vector_size(16)));
typedef uint32_t FourBits __attribute__((vector_size(16)));
typedef int32_t FourIntegers __attribute__((vector_size(16)));

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

static inline uint32_t loadBits(const uint8_t* bytes)
{
	uint32_t own;
	memcpy(&own, bytes, sizeof(own));
	return own;
}

// Four numbers of a slot, from one of its windows.
__attribute__((always_inline)) static inline Four unpackSlot(const rpPackedGroup* group, const uint8_t* row, int slot,
															 int lane)
{
	FourBits masks;
	Four scales, bases;
	const uint8_t* window = row + group->windows[slot][lane / LANE_COUNT];
	const uint8_t* bytes = group->bytes[slot] + 4 * lane;
	FourBits bits = {loadBits(window + bytes[0]), loadBits(window + bytes[4]), loadBits(window + bytes[8]),
					 loadBits(window + bytes[12])};
	memcpy(&masks, group->masks[slot] + lane, sizeof(masks));
	memcpy(&scales, group->scales[slot] + lane, sizeof(scales));
	memcpy(&bases, group->bases[slot] + lane, sizeof(bases));
	return __builtin_convertvector((FourIntegers)(bits & masks), Four) * scales + bases;
}

static inline Four takeRoots(Four squares)
{
	return (Four){sqrtf(squares[0]), sqrtf(squares[1]), sqrtf(squares[2]), sqrtf(squares[3])};
}

// In slots, w being what was left out.
__attribute__((always_inline)) static inline Rotations unpack(const rpPackedGroup* group, const uint8_t* row, int lane)
{
	Rotations r = {.x = unpackSlot(group, row, 0, lane),
				   .y = unpackSlot(group, row, 1, lane),
				   .z = unpackSlot(group, row, 2, lane)};
	Four rest = fill(1.0f) - r.x * r.x - r.y * r.y - r.z * r.z;
	r.w = takeRoots((Four)((FourBits)rest & (FourBits)(rest > fill(0.0f))));
	return r;
}

static inline Four choose(FourBits mask, Four yes, Four no)
{
	return (Four)((FourBits)no ^ (((FourBits)yes ^ (FourBits)no) & mask));
}

// w goes where the slot says so, and what was left out takes its place.
static inline Four swapSlot(const rpPackedGroup* group, int slot, int lane, Four value, Four left, Four* w)
{
	FourBits swap;
	memcpy(&swap, group->swaps[slot] + lane, sizeof(swap));
	*w = choose(swap, value, *w);
	return choose(swap, left, value);
}

// From slots to rotations.
static inline Rotations arrange(const rpPackedGroup* group, int lane, Rotations slots)
{
	FourBits signs;
	memcpy(&signs, group->signs + lane, sizeof(signs));
	Four left = (Four)((FourBits)slots.w ^ signs);
	Rotations r = {.w = left};
	r.x = swapSlot(group, 0, lane, slots.x, left, &r.w);
	r.y = swapSlot(group, 1, lane, slots.y, left, &r.w);
	r.z = swapSlot(group, 2, lane, slots.z, left, &r.w);
	return r;
}

static inline Rotations load(const rpClipRow* row, size_t joint)
{
	const float* half = row->floats + joint / rp_clipLanes * rp_clipGroup + joint % rp_clipLanes;
	Rotations r;
	memcpy(&r.w, half, sizeof(Four));
	memcpy(&r.x, half + rp_clipLanes, sizeof(Four));
	memcpy(&r.y, half + 2 * rp_clipLanes, sizeof(Four));
	memcpy(&r.z, half + 3 * rp_clipLanes, sizeof(Four));
	return r;
}

static inline Four dot(const Rotations* a, const Rotations* b)
{
	return (a->w * b->w + a->x * b->x) + (a->y * b->y + a->z * b->z);
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

// Rotations between two, times the part's weight.
static inline Rotations mix(const rpClipPart* part, Rotations a, Rotations b)
{
	Four u = dot(&a, &b) - fill(1.0f);
	Four from = evaluate(part->fromShares, u), to = evaluate(part->toShares, u);
	return (Rotations){from * a.w + to * b.w, from * a.x + to * b.x, from * a.y + to * b.y, from * a.z + to * b.z};
}

// One part's rotations between its rows, times its weight. Those of one block are mixed in slots, and arranged once.
__attribute__((always_inline)) static inline Rotations sample(const rpClipPart* part, size_t joint)
{
	if (part->from.block == NULL)
	{
		return mix(part, load(&part->from, joint), load(&part->to, joint));
	}
	const rpPackedGroup *from = &part->from.block->groups[joint / rp_clipLanes],
						*to = &part->to.block->groups[joint / rp_clipLanes];
	int lane = (int)(joint % rp_clipLanes);
	Rotations a = unpack(from, part->from.bytes, lane), b = unpack(to, part->to.bytes, lane);
	if (from == to)
	{
		return arrange(from, lane, mix(part, a, b));
	}
	return mix(part, arrange(from, lane, a), arrange(to, lane, b));
}

static inline Rotations normalize(Rotations r)
{
	Four scale = fill(1.0f) / takeRoots(dot(&r, &r));
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
		Rotations first = sample(parts, (size_t)joint), sum = first;
		for (int i = 1; i < count; ++i)
		{
			Rotations next = sample(parts + i, (size_t)joint);
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
