#include "live/space_names.h"

#include "base/memory.h"

#include <stdio.h>
#include <string.h>

static const char* getTakeName(const rpSpace* space, int clip)
{
	const char* name = space->clipNames;
	for (int i = 0; i < clip; ++i)
	{
		name += strlen(name) + 1;
	}
	return name;
}

static void measure(const rpSpace* space, int* count, size_t* size)
{
	*count += space->exampleCount;
	for (int i = 0; i < space->exampleCount; ++i)
	{
		*size += strlen(getTakeName(space, space->examples[i].clip)) + sizeof("~");
	}
}

bool rpSpaceNames_List(rpSpaceNames* names, const rpSpace* const* spaces, int spaceCount, rpError* error)
{
	size_t size = 0;
	int count = 0;
	for (int n = 0; n < spaceCount; ++n)
	{
		measure(spaces[n], &count, &size);
	}
	names->names = rpAllocateZero((size_t)count, sizeof(char*), error);
	names->text = rpAllocate(size, 1, error);
	if (names->names == NULL || names->text == NULL)
	{
		return false;
	}
	char* at = names->text;
	for (int n = 0; n < spaceCount; ++n)
	{
		for (int i = 0; i < spaces[n]->exampleCount; ++i)
		{
			const rpSpaceExample* example = &spaces[n]->examples[i];
			names->names[names->count++] = at;
			at += snprintf(at, size - (size_t)(at - names->text), "%s%s", getTakeName(spaces[n], example->clip),
						   example->isMirror ? "~" : "") +
				  1;
		}
	}
	return true;
}

void rpSpaceNames_Free(rpSpaceNames* names)
{
	rpFree(names->names);
	rpFree(names->text);
}

const char* rpSpaceNames_Get(const rpSpaceNames* names, int example)
{
	return example >= 0 && example < names->count ? names->names[example] : NULL;
}
