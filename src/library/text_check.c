/// Whether bytes are UTF-8 (RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF).
#include "base/memory.h"
#include "library/store.h"

#include <string.h>

static bool isTail(unsigned char byte)
{
	return (byte & 0xc0) == 0x80;
}

// Length of the character at the start of text, 0 if there is none. size is at least 1.
static size_t getCharacterSize(const unsigned char* text, size_t size)
{
	unsigned char first = text[0];
	if (first < 0x80)
	{
		return first != 0;
	}
	if (first >= 0xc2 && first <= 0xdf)
	{
		return size >= 2 && isTail(text[1]) ? 2 : 0;
	}
	if ((first & 0xf0) == 0xe0)
	{
		bool good = size >= 3 && isTail(text[1]) && isTail(text[2]);
		bool overlong = good && first == 0xe0 && text[1] < 0xa0;
		bool surrogate = good && first == 0xed && text[1] >= 0xa0;
		return good && !overlong && !surrogate ? 3 : 0;
	}
	if (first >= 0xf0 && first <= 0xf4)
	{
		bool good = size >= 4 && isTail(text[1]) && isTail(text[2]) && isTail(text[3]);
		bool outside = good && ((first == 0xf0 && text[1] < 0x90) || (first == 0xf4 && text[1] >= 0x90));
		return good && !outside ? 4 : 0;
	}
	return 0;
}

bool rpIsText(const char* bytes, size_t size)
{
	size_t length = 1;
	for (size_t i = 0; i < size && length > 0; i += length)
	{
		length = getCharacterSize((const unsigned char*)bytes + i, size - i);
	}
	return length > 0;
}

char* rpCopyAsText(const char* bytes, rpError* error)
{
	char* copy = rpCopyString(bytes, error);
	size_t size = copy != NULL ? strlen(copy) : 0;
	for (size_t i = 0; i < size;)
	{
		size_t length = getCharacterSize((const unsigned char*)copy + i, size - i);
		if (length == 0)
		{
			copy[i] = '?';
			length = 1;
		}
		if (i + length > RP_LIBRARY_MAX_COPY)
		{
			copy[i] = 0;
			break;
		}
		i += length;
	}
	return copy;
}
