#include "base/error.h"

#include "base/assert.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define TEXT_OF(number) #number
#define VERSION_TEXT(major, minor, patch) TEXT_OF(major) "." TEXT_OF(minor) "." TEXT_OF(patch)

const char* rpVersion(void)
{
	return VERSION_TEXT(RP_VERSION_MAJOR, RP_VERSION_MINOR, RP_VERSION_PATCH);
}

const char* rpErrorCode_GetName(rpErrorCode code)
{
	static const char* const names[rp_errorCodeCount] = {
		[rp_errorNone] = "none",           [rp_errorArgument] = "argument",      [rp_errorMemory] = "memory",
		[rp_errorFile] = "file",           [rp_errorFormat] = "format",          [rp_errorVersion] = "version",
		[rp_errorBusy] = "busy",           [rp_errorMissing] = "missing",        [rp_errorLimit] = "limit",
		[rp_errorCancelled] = "cancelled", [rp_errorNoSolution] = "no_solution",
	};
	return code >= 0 && code < rp_errorCodeCount ? names[code] : "unknown";
}

static void fill(rpError* error, rpErrorCode code, int line, int column, const char* format, va_list arguments)
{
	if (error == NULL)
	{
		return;
	}
	*error = (rpError){.code = code, .line = line, .column = column};
	vsnprintf(error->message, sizeof(error->message), format, arguments);
}

bool rpFail(rpError* error, rpErrorCode code, const char* format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	fill(error, code, 0, 0, format, arguments);
	va_end(arguments);
	return false;
}

bool rpFailAt(rpError* error, rpErrorCode code, int line, int column, const char* format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	fill(error, code, line, column, format, arguments);
	va_end(arguments);
	return false;
}

void rpError_SetHint(rpError* error, const char* format, ...)
{
	if (error != NULL)
	{
		va_list arguments;
		va_start(arguments, format);
		vsnprintf(error->hint, sizeof(error->hint), format, arguments);
		va_end(arguments);
	}
}

void rpError_SetFile(rpError* error, const char* file)
{
	if (error != NULL && error->file[0] == 0 && file != NULL)
	{
		snprintf(error->file, sizeof(error->file), "%s", file);
	}
}

static rpAssertFn* s_assertHandler;

void rpSetAssertHandler(rpAssertFn* handler)
{
	s_assertHandler = handler;
}

#ifdef RP_ASSERTIONS
void rpAssertFailed(const char* condition, const char* file, int line)
{
	if (s_assertHandler == NULL || s_assertHandler(condition, file, line))
	{
		abort();
	}
}
#endif
