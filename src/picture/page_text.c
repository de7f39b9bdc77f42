#include "picture/page_text.h"

#include "base/error.h"
#include "picture/escape.h"

#include <limits.h>
#include <zlib.h>

void rpAppendJsonNumber(rpText* out, double value)
{
	char number[32];
	rpText_AppendString(out, rpFormatNumber(number, value, 9, true));
}

void rpAppendJsonMember(rpText* out, const char* name, double value)
{
	rpText_Print(out, ",\"%s\":", name);
	rpAppendJsonNumber(out, value);
}

void rpAppendJsonBytes(rpText* out, const void* bytes, size_t size)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const unsigned char* read = bytes;
	char* write = rpText_Reserve(out, (size + 2) / 3 * 4 + 2);
	if (write == NULL)
	{
		return;
	}
	*write++ = '"';
	for (size_t i = 0; i < size; i += 3)
	{
		unsigned left = size - i < 3 ? (unsigned)(size - i) : 3, b1 = left > 1 ? read[i + 1] : 0,
				 b2 = left > 2 ? read[i + 2] : 0;
		unsigned group = (unsigned)read[i] << 16 | b1 << 8 | b2;
		*write++ = digits[group >> 18];
		*write++ = digits[group >> 12 & 63];
		*write++ = left > 1 ? digits[group >> 6 & 63] : '=';
		*write++ = left > 2 ? digits[group & 63] : '=';
	}
	*write++ = '"';
	*write = 0;
	out->size = (size_t)(write - out->data);
}

// ---- compressed

// zlib takes memory as we do.
static void* takeMemory(void* context, unsigned count, unsigned size)
{
	return rpAllocate(count, size, context);
}

static void giveBack(void* context, void* memory)
{
	(void)context;
	rpFree(memory);
}

bool rpAppendJsonPacked(rpText* out, const void* bytes, size_t size, rpError* error)
{
	z_stream stream = {.zalloc = takeMemory, .zfree = giveBack, .opaque = error};
	if (size > UINT_MAX / 2)
	{
		return rpFail(error, rp_errorLimit, "%zu bytes are too many for a page", size);
	}
	if (deflateInit(&stream, Z_BEST_COMPRESSION) != Z_OK)
	{
		return rpFail(error, rp_errorMemory, "no memory to compress");
	}
	size_t capacity = deflateBound(&stream, size);
	unsigned char* packed = rpAllocate(capacity, 1, error);
	bool ok = packed != NULL;
	if (ok)
	{
		stream.next_in = (unsigned char*)bytes;
		stream.avail_in = (unsigned)size;
		stream.next_out = packed;
		stream.avail_out = (unsigned)capacity;
		ok = deflate(&stream, Z_FINISH) == Z_STREAM_END || rpFail(error, rp_errorMemory, "no memory to compress");
	}
	if (ok)
	{
		rpAppendJsonBytes(out, packed, capacity - stream.avail_out);
	}
	deflateEnd(&stream);
	rpFree(packed);
	return ok;
}
