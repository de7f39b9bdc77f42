/// Tables of examples of transitions: whatever the bytes, examples or an error with a place; and what was read is
/// written and read again.
#include "reprise/reprise.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static void readAgain(const rpJoinExamples* examples)
{
	rpJoinExamples again;
	char* text = rpJoinExamples_Format(examples, NULL);
	if (text == NULL)
	{
		return;
	}
	// Rounding times may bring moments together that contradict each other then.
	if (rpJoinExamples_Parse(&again, text, strlen(text), NULL))
	{
		if (again.count != examples->count)
		{
			abort();
		}
		rpJoinExamples_Free(&again);
	}
	rpFreeText(text);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
	rpJoinExamples examples;
	rpError error = {0};
	if (!rpJoinExamples_Parse(&examples, (const char*)data, size, &error))
	{
		if (error.code == rp_errorNone || error.line <= 0 || examples.items != NULL)
		{
			abort();
		}
		return 0;
	}
	for (int i = 0; i < examples.count; ++i)
	{
		const rpJoinExample* example = &examples.items[i];
		if (example->a < 0 || example->a >= examples.clipCount || example->b < 0 || example->b >= examples.clipCount ||
			!(example->aTime >= 0.0) || !(example->bTime >= 0.0) || example->line <= 0)
		{
			abort();
		}
	}
	readAgain(&examples);
	rpJoinExamples_Free(&examples);
	return 0;
}
