/// Paths from SVG: whatever the bytes, an answer or an error with a place.
#include "reprise/reprise.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
	rpVec2* points = NULL;
	int count = 0;
	rpError error = {0};
	if (rpReadSvgPath(data, size, 0.01, &points, &count, NULL, &error))
	{
		if (count < 2)
		{
			abort();
		}
		rpFreeBytes(points);
	}
	else if (error.code == rp_errorNone)
	{
		abort();
	}
	return 0;
}
