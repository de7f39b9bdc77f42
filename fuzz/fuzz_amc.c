/// Fuzzes the Acclaim reader: skeleton and motion in one input, parted by the first byte 1.
#include "file/reader.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
	const char* text = (const char*)data;
	const char* part = size > 0 ? memchr(text, 1, size) : NULL;
	size_t asfSize = part != NULL ? (size_t)(part - text) : size;
	const char* amc = part != NULL ? part + 1 : "1\nroot 0 1 0 0 0 0\n";
	size_t amcSize = part != NULL ? size - asfSize - 1 : strlen(amc);
	rpReadDef def = rpDefaultReadDef();
	rpReading reading;
	rpFindings findings = {0};
	rpError error = {0};
	if (rpReadAmc(amc, amcSize, text, asfSize, "fuzz.asf", &def, &reading, &findings, &error))
	{
		rpDestroyMotion(reading.motion);
	}
	rpFindings_Free(&findings);
	return 0;
}
