#include "base/memory.h"

#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void* defaultAllocate(size_t size, void* context)
{
	(void)context;
	return malloc(size);
}

static void* defaultReallocate(void* memory, size_t size, void* context)
{
	(void)context;
	return realloc(memory, size);
}

static void defaultRelease(void* memory, void* context)
{
	(void)context;
	free(memory);
}

static const rpAllocator s_default = {defaultAllocate, defaultReallocate, defaultRelease, NULL};
static rpAllocator s_allocator = {defaultAllocate, defaultReallocate, defaultRelease, NULL};

void rpSetAllocator(const rpAllocator* allocator)
{
	s_allocator = allocator != NULL ? *allocator : s_default;
}

static bool getByteCount(size_t count, size_t size, size_t* bytes, rpError* error)
{
	if (__builtin_mul_overflow(count, size, bytes) || *bytes > (size_t)PTRDIFF_MAX)
	{
		return rpFail(error, rp_errorMemory, "%zu elements of %zu bytes do not fit in memory", count, size);
	}
	*bytes = *bytes == 0 ? 1 : *bytes;
	return true;
}

void* rpAllocate(size_t count, size_t size, rpError* error)
{
	return rpReallocate(NULL, count, size, error);
}

void* rpAllocateZero(size_t count, size_t size, rpError* error)
{
	void* memory = rpAllocate(count, size, error);
	return memory != NULL ? memset(memory, 0, count * size) : NULL;
}

void* rpReallocate(void* memory, size_t count, size_t size, rpError* error)
{
	size_t bytes;
	if (!getByteCount(count, size, &bytes, error))
	{
		return NULL;
	}
	void* result = memory == NULL ? s_allocator.allocate(bytes, s_allocator.context)
								  : s_allocator.reallocate(memory, bytes, s_allocator.context);
	if (result == NULL)
	{
		rpFail(error, rp_errorMemory, "out of memory (%zu bytes)", bytes);
	}
	return result;
}

void rpFree(const void* memory)
{
	if (memory != NULL)
	{
		s_allocator.release((void*)(uintptr_t)memory, s_allocator.context);
	}
}

char* rpCopyString(const char* text, rpError* error)
{
	size_t size = (text != NULL ? strlen(text) : 0) + 1;
	char* copy = rpAllocate(size, 1, error);
	return copy != NULL ? memcpy(copy, text != NULL ? text : "", size) : NULL;
}

bool rpGrow(void* array, int* capacity, int count, size_t elementSize, rpError* error)
{
	if (count < *capacity)
	{
		return true;
	}
	if (count > INT32_MAX / 2)
	{
		return rpFail(error, rp_errorLimit, "more than %d elements in a list", INT32_MAX / 2);
	}
	int wanted = *capacity < 8 ? 8 : 2 * *capacity;
	void* old;
	memcpy(&old, array, sizeof(old));
	void* grown = rpReallocate(old, (size_t)wanted, elementSize, error);
	if (grown == NULL)
	{
		return false;
	}
	memcpy(array, &grown, sizeof(grown));
	*capacity = wanted;
	return true;
}

void rpText_Drain(rpText* text)
{
	if (!text->failed && text->size > 0)
	{
		text->failed = !text->drain(text->drainContext, text->data, text->size);
		text->size = 0;
	}
}

char* rpText_Reserve(rpText* text, size_t size)
{
	size_t needed;
	if (text->drain != NULL && text->size >= text->drainSize)
	{
		rpText_Drain(text);
	}
	if (text->failed || __builtin_add_overflow(text->size + 1, size, &needed))
	{
		text->failed = true;
		return NULL;
	}
	if (needed > text->capacity)
	{
		size_t capacity = needed > 2 * text->capacity ? needed : 2 * text->capacity;
		capacity = capacity < 256 ? 256 : capacity;
		char* grown = rpReallocate(text->data, capacity, 1, NULL);
		if (grown == NULL)
		{
			text->failed = true;
			return NULL;
		}
		text->data = grown;
		text->capacity = capacity;
	}
	return text->data + text->size;
}

void rpText_Append(rpText* text, const void* bytes, size_t size)
{
	char* end = rpText_Reserve(text, size);
	if (end != NULL)
	{
		// Nothing may be at no place.
		memcpy(end, size > 0 ? bytes : "", size);
		end[size] = 0;
		text->size += size;
	}
}

void rpText_AppendString(rpText* text, const char* string)
{
	rpText_Append(text, string, strlen(string));
}

void rpText_Print(rpText* text, const char* format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	int size = vsnprintf(NULL, 0, format, arguments);
	va_end(arguments);
	char* end = size < 0 ? NULL : rpText_Reserve(text, (size_t)size);
	if (end == NULL)
	{
		text->failed = true;
		return;
	}
	va_start(arguments, format);
	vsnprintf(end, (size_t)size + 1, format, arguments);
	va_end(arguments);
	text->size += (size_t)size;
}

void rpText_Free(rpText* text)
{
	rpFree(text->data);
	*text = (rpText){0};
}

void rpFreeBytes(void* bytes)
{
	rpFree(bytes);
}

void rpFreeText(char* text)
{
	rpFree(text);
}
