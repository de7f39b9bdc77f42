/// Parameters of spaces as people read them.
#include "reprise/play/space.h"

#include <string.h>

static bool endsIn(const char* text, const char* ending)
{
	size_t size = strlen(text), length = strlen(ending);
	return size >= length && strcmp(text + size - length, ending) == 0;
}

const char* rpSpaceParameter_GetUnit(const rpSpaceParameter* parameter)
{
	bool isRate = endsIn(parameter->key, "_per_s");
	if (parameter->isAngle)
	{
		return isRate ? "deg/s" : "deg";
	}
	return isRate ? "m/s" : endsIn(parameter->key, "_s") ? "s" : "m";
}

float rpSpaceParameter_GetScale(const rpSpaceParameter* parameter)
{
	return parameter->isAngle ? 180.0f / RP_PI : 1.0f;
}
