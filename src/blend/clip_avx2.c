/// Mean rotations, eight joints to an instruction: for processors with AVX2. Operation for operation as the portable
/// kernel, without fused products, so that both give the same bits.
#include "blend/clip.h"

#ifdef __x86_64__

#include <immintrin.h>

#include <string.h>

#define KERNEL __attribute__((target("avx2"), always_inline)) static inline

typedef struct Rotations
{
	__m256 w, x, y, z;
} Rotations;

// Eight numbers of a slot, four from each of its windows.
KERNEL __m256 unpackSlot(const rpPackedGroup* group, const uint8_t* row, int slot)
{
	__m128i low = _mm_loadu_si128((const __m128i_u*)(row + group->windows[slot][0]));
	__m128i high = _mm_loadu_si128((const __m128i_u*)(row + group->windows[slot][1]));
	__m256i bytes = _mm256_loadu_si256((const __m256i_u*)group->bytes[slot]);
	__m256i bits = _mm256_shuffle_epi8(_mm256_set_m128i(high, low), bytes);
	bits = _mm256_and_si256(bits, _mm256_loadu_si256((const __m256i_u*)group->masks[slot]));
	__m256 value = _mm256_mul_ps(_mm256_cvtepi32_ps(bits), _mm256_loadu_ps(group->scales[slot]));
	return _mm256_add_ps(value, _mm256_loadu_ps(group->bases[slot]));
}

// In slots, w being what was left out.
KERNEL Rotations unpack(const rpPackedGroup* group, const uint8_t* row)
{
	Rotations r = {.x = unpackSlot(group, row, 0), .y = unpackSlot(group, row, 1), .z = unpackSlot(group, row, 2)};
	__m256 rest = _mm256_sub_ps(_mm256_set1_ps(1.0f), _mm256_mul_ps(r.x, r.x));
	rest = _mm256_sub_ps(_mm256_sub_ps(rest, _mm256_mul_ps(r.y, r.y)), _mm256_mul_ps(r.z, r.z));
	r.w = _mm256_sqrt_ps(_mm256_max_ps(rest, _mm256_setzero_ps()));
	return r;
}

// w goes where the slot says so, and what was left out takes its place.
KERNEL __m256 swapSlot(const rpPackedGroup* group, int slot, __m256 value, __m256 left, __m256* w)
{
	__m256 swap = _mm256_loadu_ps((const float*)group->swaps[slot]);
	*w = _mm256_blendv_ps(*w, value, swap);
	return _mm256_blendv_ps(value, left, swap);
}

// From slots to rotations.
KERNEL Rotations arrange(const rpPackedGroup* group, Rotations slots)
{
	__m256 left = _mm256_xor_ps(slots.w, _mm256_loadu_ps((const float*)group->signs));
	Rotations r = {.w = left};
	r.x = swapSlot(group, 0, slots.x, left, &r.w);
	r.y = swapSlot(group, 1, slots.y, left, &r.w);
	r.z = swapSlot(group, 2, slots.z, left, &r.w);
	return r;
}

KERNEL Rotations load(const rpClipRow* row, size_t group)
{
	const float* at = row->floats + group * rp_clipGroup;
	return (Rotations){_mm256_loadu_ps(at), _mm256_loadu_ps(at + rp_clipLanes), _mm256_loadu_ps(at + 2 * rp_clipLanes),
					   _mm256_loadu_ps(at + 3 * rp_clipLanes)};
}

KERNEL __m256 addProducts(__m256 a, __m256 b, __m256 c, __m256 d)
{
	return _mm256_add_ps(_mm256_mul_ps(a, b), _mm256_mul_ps(c, d));
}

KERNEL __m256 dot(Rotations a, Rotations b)
{
	__m256 low = addProducts(a.w, b.w, a.x, b.x), high = addProducts(a.y, b.y, a.z, b.z);
	return _mm256_add_ps(low, high);
}

KERNEL __m256 evaluate(const float* shares, __m256 u)
{
	__m256 sum = _mm256_broadcast_ss(shares + rp_slerpTerms);
	for (int i = rp_slerpTerms - 1; i >= 0; --i)
	{
		sum = _mm256_add_ps(_mm256_mul_ps(sum, u), _mm256_broadcast_ss(shares + i));
	}
	return sum;
}

// Rotations between two, times the part's weight.
KERNEL Rotations mix(const rpClipPart* part, Rotations a, Rotations b)
{
	__m256 u = _mm256_sub_ps(dot(a, b), _mm256_set1_ps(1.0f));
	__m256 from = evaluate(part->fromShares, u), to = evaluate(part->toShares, u);
	return (Rotations){addProducts(from, a.w, to, b.w), addProducts(from, a.x, to, b.x),
					   addProducts(from, a.y, to, b.y), addProducts(from, a.z, to, b.z)};
}

// One part's rotations between its rows, times its weight. Those of one block are mixed in slots, and arranged once.
KERNEL Rotations sample(const rpClipPart* part, size_t group)
{
	const rpPackedBlock *from = part->from.block, *to = part->to.block;
	if (from == NULL)
	{
		return mix(part, load(&part->from, group), load(&part->to, group));
	}
	Rotations a = unpack(&from->groups[group], part->from.bytes), b = unpack(&to->groups[group], part->to.bytes);
	if (from == to)
	{
		return arrange(&from->groups[group], mix(part, a, b));
	}
	return mix(part, arrange(&from->groups[group], a), arrange(&to->groups[group], b));
}

// Add with the sign of a cosine.
KERNEL __m256 addSigned(__m256 sum, __m256 next, __m256 sign)
{
	return _mm256_add_ps(sum, _mm256_xor_ps(next, sign));
}

KERNEL Rotations normalize(Rotations r)
{
	__m256 scale = _mm256_div_ps(_mm256_set1_ps(1.0f), _mm256_sqrt_ps(dot(r, r)));
	return (Rotations){_mm256_mul_ps(r.w, scale), _mm256_mul_ps(r.x, scale), _mm256_mul_ps(r.y, scale),
					   _mm256_mul_ps(r.z, scale)};
}

// Columns become rows: eight quaternions.
KERNEL void store(Rotations r, float* out)
{
	__m256 wxLow = _mm256_unpacklo_ps(r.w, r.x), wxHigh = _mm256_unpackhi_ps(r.w, r.x);
	__m256 yzLow = _mm256_unpacklo_ps(r.y, r.z), yzHigh = _mm256_unpackhi_ps(r.y, r.z);
	__m256 q04 = _mm256_shuffle_ps(wxLow, yzLow, 0x44), q15 = _mm256_shuffle_ps(wxLow, yzLow, 0xee);
	__m256 q26 = _mm256_shuffle_ps(wxHigh, yzHigh, 0x44), q37 = _mm256_shuffle_ps(wxHigh, yzHigh, 0xee);
	_mm256_storeu_ps(out, _mm256_permute2f128_ps(q04, q15, 0x20));
	_mm256_storeu_ps(out + 8, _mm256_permute2f128_ps(q26, q37, 0x20));
	_mm256_storeu_ps(out + 16, _mm256_permute2f128_ps(q04, q15, 0x31));
	_mm256_storeu_ps(out + 24, _mm256_permute2f128_ps(q26, q37, 0x31));
}

KERNEL Rotations blendGroup(const rpClipPart* parts, int count, size_t group)
{
	Rotations first = sample(parts, group), sum = first;
	for (int i = 1; i < count; ++i)
	{
		Rotations next = sample(parts + i, group);
		__m256 sign = _mm256_and_ps(dot(first, next), _mm256_set1_ps(-0.0f));
		sum.w = addSigned(sum.w, next.w, sign);
		sum.x = addSigned(sum.x, next.x, sign);
		sum.y = addSigned(sum.y, next.y, sign);
		sum.z = addSigned(sum.z, next.z, sign);
	}
	return normalize(sum);
}

__attribute__((target("avx2"))) void rpBlendRowsAvx2(const rpClipPart* parts, int count, int jointCount, rpQuat* out)
{
	int joint = 0;
	for (; joint + rp_clipLanes <= jointCount; joint += rp_clipLanes)
	{
		store(blendGroup(parts, count, (size_t)joint / rp_clipLanes), &out[joint].w);
	}
	if (joint < jointCount)
	{
		rpQuat last[rp_clipLanes];
		store(blendGroup(parts, count, (size_t)joint / rp_clipLanes), &last[0].w);
		memcpy(out + joint, last, (size_t)(jointCount - joint) * sizeof(rpQuat));
	}
}

#endif
