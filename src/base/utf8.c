#include "base/utf8.h"

static size_t getSize(unsigned char first)
{
	return first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
}

size_t rpMeasureUtf8(const char* text, size_t size, uint32_t* code)
{
	const unsigned char* bytes = (const unsigned char*)text;
	size_t length = size > 0 ? getSize(bytes[0]) : 0;
	uint32_t value = length == 0 ? 0 : length == 1 ? bytes[0] : bytes[0] & (0x7fu >> length);
	for (size_t i = 1; i < length; ++i)
	{
		if (i >= size || (bytes[i] & 0xc0) != 0x80)
		{
			return 0;
		}
		value = value << 6 | (bytes[i] & 0x3fu);
	}
	bool overlong = (length == 3 && value < 0x800) || (length == 4 && value < 0x10000);
	if (overlong || (value >= 0xd800 && value < 0xe000) || value > 0x10ffff)
	{
		return 0;
	}
	if (code != NULL)
	{
		*code = value;
	}
	return length;
}

bool rpIsUtf8(const char* bytes, size_t size)
{
	size_t length = 1;
	for (size_t i = 0; i < size && length > 0; i += length)
	{
		length = bytes[i] != 0 ? rpMeasureUtf8(bytes + i, size - i, NULL) : 0;
	}
	return length > 0;
}

size_t rpWriteLatin1(const char* bytes, size_t size, char* out)
{
	size_t written = 0;
	for (size_t i = 0; i < size; ++i)
	{
		unsigned char byte = (unsigned char)bytes[i];
		if (byte >= 0x80)
		{
			out[written++] = (char)(0xc0 | byte >> 6);
			byte = 0x80 | (byte & 0x3f);
		}
		out[written++] = (char)byte;
	}
	out[written] = 0;
	return written;
}
