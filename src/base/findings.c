#include "base/findings.h"

#include "base/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

rpFinding* rpFindings_Add(rpFindings* findings, const char* code, const char* format, ...)
{
	if (findings == NULL || !rpGrow(&findings->items, &findings->capacity, findings->count, sizeof(rpFinding), NULL))
	{
		return NULL;
	}
	rpFinding* finding = findings->items + findings->count++;
	*finding = (rpFinding){.action = "nothing", .firstRow = -1};
	snprintf(finding->code, sizeof(finding->code), "%s", code);
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(finding->message, sizeof(finding->message), format, arguments);
	va_end(arguments);
	return finding;
}

void rpFinding_SetAction(rpFinding* finding, bool repaired, const char* format, ...)
{
	if (finding == NULL)
	{
		return;
	}
	finding->repaired = repaired;
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(finding->action, sizeof(finding->action), format, arguments);
	va_end(arguments);
}

void rpFindings_Free(rpFindings* findings)
{
	rpFree(findings->items);
	*findings = (rpFindings){0};
}

const rpFinding* rpFindings_Find(const rpFindings* findings, const char* code)
{
	for (int i = 0; i < findings->count; ++i)
	{
		if (strcmp(findings->items[i].code, code) == 0)
		{
			return findings->items + i;
		}
	}
	return NULL;
}
