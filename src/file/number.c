/// Decimal numbers from text.
///
/// Digits are gathered in an integer mantissa, eight at a time within a 64-bit word where they are few. A mantissa
/// below 2^53 times or over a power of ten up to 10^22 is one exact operation on doubles, hence correctly rounded
/// (Clinger, How to Read Floating Point Numbers Accurately, 1990). A longer mantissa gives a double a few units off;
/// when both ends of its error bar round to the same float, that float is the answer. Only what is left needs strtod,
/// which gets digits and an exponent, no decimal point, and so does not depend on the locale.
#include "file/number.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

// Mantissas up to here are exact as doubles.
#define EXACT_MANTISSA (UINT64_C(1) << 53)

// Digits that always fit in 64 bits.
#define MANTISSA_DIGITS 19

// Powers of ten that are exact as doubles.
#define EXACT_POWER 22

// More than the roundings of a mantissa of 19 digits, of its truncation, and of one operation can add up to.
#define ERROR_BAR 1e-15

// Digits beyond these never decide a rounding but as "more than nothing" (a double has at most 767, long double is
// only ever given short numbers).
#define LONGEST_DIGITS 800

// An exponent of this size is 0 or infinity, whatever the mantissa of a text that fits in memory.
#define LARGEST_EXPONENT INT64_C(1000000000000000)

// Bytes that the fast path may look at.
#define FAST_BYTES 24

// Eight characters '0'.
#define ZEROS UINT64_C(0x3030303030303030)

static const double s_powers[EXACT_POWER + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
												 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

static const uint64_t s_integerPowers[8] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000};

// A number taken apart: ±(mantissa * 10^exponent), from the text's bytes digits … digitsEnd.
typedef struct Parts
{
	const char* digits;
	const char* digitsEnd;
	// The first digits, up to MANTISSA_DIGITS significant ones, and the power of ten of the last of them.
	uint64_t mantissa;
	int64_t exponent;
	// Power of ten of the last digit in the text.
	int64_t lastExponent;
	// Significant digits, and those of them that the mantissa has no room for.
	int64_t digitCount, lostCount;
	bool negative;
} Parts;

static inline uint64_t loadWord(const char* text)
{
	uint64_t word;
	memcpy(&word, text, sizeof(word));
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	word = __builtin_bswap64(word);
#endif
	return word;
}

// Marks, by the top bit of their bytes, the characters that are no digits; '0' is taken from every byte of word.
static inline uint64_t markOthers(uint64_t word)
{
	return (((word & 0x7f7f7f7f7f7f7f7f) + 0x7676767676767676) | word) & 0x8080808080808080;
}

// The value of eight digits, the first in the lowest byte: neighbours are joined to pairs, fours and all eight.
static inline uint64_t joinDigits(uint64_t word)
{
	word = word * 10 + (word >> 8);
	return ((word & 0x000000ff000000ff) * 0x000f424000000064 +
			((word >> 16) & 0x000000ff000000ff) * 0x0000271000000001) >>
		   32;
}

static inline float setSign(float value, bool negative)
{
	// Not a branch: signs in captures are a coin's toss.
	uint32_t bits;
	memcpy(&bits, &value, sizeof(bits));
	bits ^= (uint32_t)negative << 31;
	memcpy(&value, &bits, sizeof(bits));
	return value;
}

// The usual number: a point, at most eight characters after the sign, then a space. FAST_BYTES must be readable. NULL:
// not of this kind. No branch depends on where the point is or how long the number is.
static inline const char* parseShort(const char* text, char decimal, float* out)
{
	bool negative = *text == '-';
	text += negative;
	uint64_t word = loadWord(text) ^ ZEROS;
	uint64_t marks = markOthers(word);
	uint64_t afterPoint = marks & (marks - 1);
	uint64_t beforePoint = (marks ^ (marks - 1)) >> 8;
	if (marks == 0)
	{
		return NULL;
	}
	int point = __builtin_ctzll(marks) >> 3;
	// Eight times the length, less one; eight characters when no mark follows the point.
	int bits = __builtin_ctzll((afterPoint >> 8) | (UINT64_C(1) << 63));
	int size = (bits + 1) >> 3;
	if (text[point] != decimal || text[size] != ' ' || size < 2)
	{
		return NULL;
	}
	// Close the gap of the point, then move the digits to the end, so that zeros come before them.
	uint64_t digits = ((word & beforePoint) | ((word >> 8) & ~beforePoint)) << (71 - bits);
	double value = (double)(int64_t)joinDigits(digits) / s_powers[size - point - 1];
	*out = setSign((float)value, negative);
	return text + size;
}

// The same for up to seven digits on either side of the point.
static const char* parseMedium(const char* text, char decimal, float* out)
{
	bool negative = *text == '-';
	text += negative;
	uint64_t word = loadWord(text) ^ ZEROS;
	uint64_t marks = markOthers(word);
	int point = marks != 0 ? __builtin_ctzll(marks) >> 3 : 0;
	if (marks == 0 || text[point] != decimal)
	{
		return NULL;
	}
	uint64_t places = loadWord(text + point + 1) ^ ZEROS;
	uint64_t placeMarks = markOthers(places);
	int placeCount = placeMarks != 0 ? __builtin_ctzll(placeMarks) >> 3 : 8;
	const char* next = text + point + 1 + placeCount;
	if (placeMarks == 0 || point + placeCount == 0 || !rpIsBlank(*next))
	{
		return NULL;
	}
	uint64_t mantissa = joinDigits((word << (56 - 8 * point)) << 8) * s_integerPowers[placeCount] +
						joinDigits((places << (56 - 8 * placeCount)) << 8);
	*out = setSign((float)((double)(int64_t)mantissa / s_powers[placeCount]), negative);
	return next;
}

static void addDigit(Parts* parts, int digit)
{
	if (parts->digitCount < MANTISSA_DIGITS)
	{
		parts->mantissa = 10 * parts->mantissa + (uint64_t)digit;
	}
	else
	{
		++parts->lostCount;
	}
	parts->digitCount += parts->digitCount > 0 || digit > 0;
}

// The exponent after a number, text being at its 'e': *text moves on if there is one.
static int64_t readExponent(const char** text, const char* end)
{
	const char* p = *text + 1;
	bool negative = p < end && *p == '-';
	p += p < end && (*p == '-' || *p == '+');
	if (p == end || !rpIsDigit(*p))
	{
		return 0;
	}
	int64_t exponent = 0;
	for (; p < end && rpIsDigit(*p); ++p)
	{
		exponent = exponent < LARGEST_EXPONENT ? 10 * exponent + (*p - '0') : exponent;
	}
	*text = p;
	return negative ? -exponent : exponent;
}

static const char* takeApart(const char* text, const char* end, char decimal, Parts* parts)
{
	*parts = (Parts){0};
	const char* p = text;
	parts->negative = p < end && *p == '-';
	p += p < end && (*p == '-' || *p == '+');
	parts->digits = p;
	int64_t seen = 0, places = 0;
	for (; p < end && rpIsDigit(*p); ++p, ++seen)
	{
		addDigit(parts, *p - '0');
	}
	if (p < end && *p == decimal)
	{
		for (++p; p < end && rpIsDigit(*p); ++p, ++places)
		{
			addDigit(parts, *p - '0');
		}
	}
	if (seen + places == 0)
	{
		return NULL;
	}
	parts->digitsEnd = p;
	parts->lastExponent = -places + (p < end && (*p | 0x20) == 'e' ? readExponent(&p, end) : 0);
	parts->exponent = parts->lastExponent + parts->lostCount;
	return p;
}

// Digits and exponent without a decimal point, for strtod. What is beyond LONGEST_DIGITS is represented by a final 1.
static void printParts(const Parts* parts, char out[LONGEST_DIGITS + 40])
{
	int64_t exponent = parts->lastExponent;
	int count = 0;
	bool more = false;
	out[count++] = parts->negative ? '-' : '+';
	for (const char* p = parts->digits; p < parts->digitsEnd; ++p)
	{
		if (!rpIsDigit(*p) || (count == 1 && *p == '0'))
		{
			continue;
		}
		if (count <= LONGEST_DIGITS)
		{
			out[count++] = *p;
			continue;
		}
		more = more || *p != '0';
		++exponent;
	}
	if (more)
	{
		out[count++] = '1';
		--exponent;
	}
	if (count == 1)
	{
		out[count++] = '0';
		exponent = 0;
	}
	exponent = exponent > 99999 ? 99999 : exponent < -99999 ? -99999 : exponent;
	snprintf(out + count, 32, "e%d", (int)exponent);
}

static double computeExact(const Parts* parts)
{
	char digits[LONGEST_DIGITS + 40];
	printParts(parts, digits);
	return strtod(digits, NULL);
}

// The value of the mantissa's digits, correctly rounded if *exact, else within ERROR_BAR of it. False: out of reach.
static bool computeQuickly(const Parts* parts, double* out, bool* exact)
{
	if (parts->exponent < -EXACT_POWER || parts->exponent > EXACT_POWER)
	{
		return false;
	}
	double mantissa = (double)parts->mantissa;
	double value = parts->exponent < 0 ? mantissa / s_powers[-parts->exponent] : mantissa * s_powers[parts->exponent];
	*exact = parts->mantissa <= EXACT_MANTISSA && parts->lostCount == 0;
	*out = parts->negative ? -value : value;
	return true;
}

static const char* parseLong(const char* text, const char* end, char decimal, float* out)
{
	Parts parts;
	const char* next = takeApart(text, end, decimal, &parts);
	if (next == NULL)
	{
		return NULL;
	}
	double value;
	bool exact;
	if (computeQuickly(&parts, &value, &exact))
	{
		float low = (float)(value * (1.0 - ERROR_BAR)), high = (float)(value * (1.0 + ERROR_BAR));
		if (exact || low == high)
		{
			*out = (float)value;
			return next;
		}
	}
	*out = (float)computeExact(&parts);
	return next;
}

const char* rpParseFloat(const char* text, const char* end, char decimal, float* out)
{
	const char* next = NULL;
	if (end - text >= FAST_BYTES)
	{
		next = parseShort(text, decimal, out);
		next = next != NULL ? next : parseMedium(text, decimal, out);
	}
	return next != NULL ? next : parseLong(text, end, decimal, out);
}

const char* rpParseDouble(const char* text, const char* end, char decimal, double* out)
{
	Parts parts;
	const char* next = takeApart(text, end, decimal, &parts);
	bool exact;
	if (next != NULL && !(computeQuickly(&parts, out, &exact) && exact))
	{
		*out = computeExact(&parts);
	}
	return next;
}

const char* rpParseLongDouble(const char* text, const char* end, char decimal, long double* out, int* digits)
{
	Parts parts;
	const char* next = takeApart(text, end, decimal, &parts);
	if (next != NULL)
	{
		char copy[LONGEST_DIGITS + 40];
		printParts(&parts, copy);
		*out = strtold(copy, NULL);
		if (digits != NULL)
		{
			*digits = parts.digitCount > INT_MAX ? INT_MAX : (int)parts.digitCount;
		}
	}
	return next;
}

static inline bool endsNumber(const char* text, const char* end)
{
	return text >= end || rpIsBlank(*text) || *text == '-' || *text == '+';
}

// A bit for each of the next 64 bytes that is blank.
static inline uint64_t markBlanks(const char* text)
{
	uint64_t marks = 0;
#ifdef __SSE2__
	for (int i = 0; i < 4; ++i)
	{
		__m128i bytes = _mm_loadu_si128((const __m128i*)(const void*)(text + 16 * i));
		__m128i fromTab = _mm_sub_epi8(bytes, _mm_set1_epi8('\t'));
		__m128i control = _mm_cmpeq_epi8(_mm_min_epu8(fromTab, _mm_set1_epi8('\r' - '\t')), fromTab);
		__m128i space = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(' '));
		marks |= (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_or_si128(control, space)) << (16 * i);
	}
#else
	for (int i = 0; i < 64; ++i)
	{
		marks |= (uint64_t)rpIsBlank(text[i]) << i;
	}
#endif
	return marks;
}

// Numbers one after the other, each found where the one before it ends.
static const char* parseInTurn(const char* text, const char* end, char decimal, float* out, int count, int* read)
{
	int i = 0;
	for (; i < count; ++i)
	{
		const char* next = rpParseFloat(rpSkipBlanks(text, end), end, decimal, out + i);
		if (next == NULL || !endsNumber(next, end))
		{
			break;
		}
		text = next;
	}
	*read += i;
	return text;
}

// Numbers found by the blanks before them, 64 bytes at a time, so that none waits for the end of the one before it.
// Stops near the end of the text, or at what is not a number followed by a blank: *usual says which.
static const char* parseBlocks(const char* text, const char* end, char decimal, float* out, int count, int* read,
							   bool* usual)
{
	int i = 0;
	uint64_t before = 1;
	for (const char* block = text; end - block >= 64 + FAST_BYTES; block += 64)
	{
		uint64_t blanks = markBlanks(block);
		uint64_t starts = ~blanks & (blanks << 1 | before);
		before = blanks >> 63;
		for (; starts != 0; starts &= starts - 1)
		{
			const char* start = block + __builtin_ctzll(starts);
			if (i == count)
			{
				*usual = true;
				*read += i;
				return text;
			}
			const char* next = parseShort(start, decimal, out + i);
			if (__builtin_expect(next == NULL, 0))
			{
				next = parseMedium(start, decimal, out + i);
				next = next != NULL ? next : parseLong(start, end, decimal, out + i);
				if (next == NULL || (next < end && !rpIsBlank(*next)))
				{
					*usual = false;
					*read += i;
					return text;
				}
			}
			text = next;
			++i;
		}
	}
	*read += i;
	*usual = true;
	return text;
}

const char* rpParseFloats(const char* text, const char* end, char decimal, float* out, int count, int* read)
{
	*read = 0;
	while (*read < count)
	{
		bool usual;
		text = parseBlocks(text, end, decimal, out + *read, count - *read, read, &usual);
		// One in its turn, such as the first of "0.0-7.5", or all that are left near the end of the text.
		int before = *read, left = count - before;
		text = parseInTurn(text, end, decimal, out + before, usual || left == 0 ? left : 1, read);
		if (usual || *read == before)
		{
			break;
		}
	}
	return text;
}
