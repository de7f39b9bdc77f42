/// Memory through the allocation hooks, and growing arrays and texts on top of it.
#pragma once

#include "reprise/base.h"

/// NULL when memory ran out, and error then says so. count * size is checked for overflow; 0 gives a valid pointer.
RP_NODISCARD void* rpAllocate(size_t count, size_t size, rpError* error);

/// The same, zeroed.
RP_NODISCARD void* rpAllocateZero(size_t count, size_t size, rpError* error);

/// As realloc, with the old block kept on failure.
RP_NODISCARD void* rpReallocate(void* memory, size_t count, size_t size, rpError* error);

/// NULL does nothing. Strings and arrays are const to their readers, so their owner may hand in a const pointer.
void rpFree(const void* memory);

/// A copy of a string, NULL becomes "".
RP_NODISCARD char* rpCopyString(const char* text, rpError* error);

/// Make room for one more element behind `count`: doubles *capacity when needed. array is the address of the pointer.
RP_NODISCARD bool rpGrow(void* array, int* capacity, int count, size_t elementSize, rpError* error);

/// A growing text or byte buffer. Zero-initialised is empty. After a failure (memory) it stays `failed`, and further
/// appends do nothing, so that a writer needs to look only once, at the end.
typedef struct rpText
{
	char* data; // zero-terminated when not NULL
	size_t size;
	size_t capacity;
	bool failed;
} rpText;

void rpText_Append(rpText* text, const void* bytes, size_t size);
void rpText_AppendString(rpText* text, const char* string);
void rpText_Print(rpText* text, const char* format, ...) RP_PRINTF(2, 3);

/// Room for size more bytes, to be written by the caller, who then adds to size. NULL when memory ran out.
char* rpText_Reserve(rpText* text, size_t size);
void rpText_Free(rpText* text);
