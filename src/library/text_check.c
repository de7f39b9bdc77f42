/// Names that go into the library.
#include "base/memory.h"
#include "base/utf8.h"
#include "library/store.h"

#include <string.h>

char* rpCopyAsText(const char* bytes, rpError* error)
{
	char* copy = rpCopyString(bytes, error);
	size_t size = copy != NULL ? strlen(copy) : 0;
	for (size_t i = 0; i < size;)
	{
		size_t length = rpMeasureUtf8(copy + i, size - i, NULL);
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
