/// For libraries that build on Reprise and behave like it, as its performer does: memory from the same hooks
/// (rpSetAllocator), errors filled the same way.
#pragma once

#include "reprise/play/base.h"

#ifdef __cplusplus
extern "C"
{
#endif

/// NULL when memory ran out, and error then says so. count * size is checked for overflow; 0 gives a valid pointer.
RP_API RP_NODISCARD void* rpAllocate(size_t count, size_t size, rpError* error);

/// The same, zeroed.
RP_API RP_NODISCARD void* rpAllocateZero(size_t count, size_t size, rpError* error);

/// NULL does nothing. Strings and arrays are const to their readers, so their owner may hand in a const pointer.
RP_API void rpFree(const void* memory);

/// Make room for one more element after `count`: doubles *capacity when needed. array is the address of the pointer.
RP_API RP_NODISCARD bool rpGrow(void* array, int* capacity, int count, size_t elementSize, rpError* error);

/// Fill error (unless NULL) and return false, so that `return rpFail(error, …)` ends a function.
RP_API bool rpFail(rpError* error, rpErrorCode code, const char* format, ...) RP_PRINTF(3, 4);

/// The same, with the place in the text.
RP_API bool rpFailAt(rpError* error, rpErrorCode code, int line, int column, const char* format, ...) RP_PRINTF(5, 6);

/// Say what to do about it.
RP_API void rpError_SetHint(rpError* error, const char* format, ...) RP_PRINTF(2, 3);

#ifdef __cplusplus
}
#endif
