/// Memory through the allocation hooks (reprise/play/extend.h), and texts on top of it.
#pragma once

#include "reprise/play/extend.h"

/// As realloc, with the old block kept on failure.
RP_NODISCARD void* rpReallocate(void* memory, size_t count, size_t size, rpError* error);

/// A copy of a string, NULL becomes "".
RP_NODISCARD char* rpCopyString(const char* text, rpError* error);

/// Takes the bytes of a text on to where they belong. False: it could not.
typedef bool rpDrainFn(void* context, const void* bytes, size_t size);

/// A growing text or byte buffer. Zero-initialised is empty. After a failure (memory) it stays `failed`, and further
/// appends do nothing, so that a writer needs to look only once, at the end.
typedef struct rpText
{
	char* data; // zero-terminated when not NULL
	size_t size;
	size_t capacity;
	bool failed;

	/// A text that only passes: once it holds drainSize bytes they go to the drain, and it is empty again. NULL: it
	/// keeps them all.
	rpDrainFn* drain;
	void* drainContext;
	size_t drainSize;
} rpText;

void rpText_Append(rpText* text, const void* bytes, size_t size);
void rpText_AppendString(rpText* text, const char* string);
void rpText_Print(rpText* text, const char* format, ...) RP_PRINTF(2, 3);

/// Room for size more bytes, to be written by the caller, who then adds to size. NULL when memory ran out.
char* rpText_Reserve(rpText* text, size_t size);

/// Have the drain take what is there, however little.
void rpText_Drain(rpText* text);
void rpText_Free(rpText* text);
