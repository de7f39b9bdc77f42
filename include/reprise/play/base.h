/// What every other header needs: export macros, errors, hooks, progress, random numbers.
#pragma once

#include "reprise/play/version.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C"
{
#endif

/// Marks what the libraries export. Define RP_STATIC where the static runtime is linked on Windows.
#if defined(_WIN32) && !defined(RP_STATIC)
#ifdef RP_BUILDING
#define RP_API __declspec(dllexport)
#else
#define RP_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define RP_API __attribute__((visibility("default")))
#else
#define RP_API
#endif

#ifdef __GNUC__
#define RP_NODISCARD __attribute__((warn_unused_result))
#define RP_PRINTF(formatIndex, firstArgument) __attribute__((format(printf, formatIndex, firstArgument)))
#else
#define RP_NODISCARD
#define RP_PRINTF(formatIndex, firstArgument)
#endif

/// A value of a small type: RP_LITERAL(rpVec3){x, y, z}. C and C++ write it differently.
#ifdef __cplusplus
#define RP_LITERAL(type) type
#else
#define RP_LITERAL(type) (type)
#endif

/// The version of the library in use, "0.1.0".
RP_API const char* rpVersion(void);

/// What kind of thing went wrong. The program's exit code follows from it.
typedef enum rpErrorCode
{
	rp_errorNone,
	/// The caller asked for something that cannot be (a negative rate, a crop outside the clip).
	rp_errorArgument,
	/// No memory.
	rp_errorMemory,
	/// A file or folder could not be opened, read or written.
	rp_errorFile,
	/// A file was read, but what stands in it is wrong.
	rp_errorFormat,
	/// A file is of a newer version than this library knows.
	rp_errorVersion,
	/// Somebody else holds the file.
	rp_errorBusy,
	/// What was asked for by name is not there.
	rp_errorMissing,
	/// A limit of this library was exceeded (too many joints, too large a file).
	rp_errorLimit,
	/// The progress function asked to stop.
	rp_errorCancelled,
	/// The request is well formed, but nothing satisfies it.
	rp_errorNoSolution,
	rp_errorCodeCount,
} rpErrorCode;

/// What went wrong, where, and what to do about it. Zero-initialised means no error.
/// Every fallible function takes a pointer to one, which may be NULL, and fills it only when it fails.
typedef struct rpError
{
	rpErrorCode code;

	/// What is wrong and what was expected: one line, without file name or full stop.
	char message[480];

	/// What to do about it, one line, or empty.
	char hint[240];

	/// The file at fault, or empty.
	char file[240];

	/// Place in the file, counted from 1, or 0 where there is none.
	int line;
	int column;
} rpError;

/// A short stable name for a code ("format", "busy"), for programs that read our output.
RP_API const char* rpErrorCode_GetName(rpErrorCode code);

/// Memory functions. All memory of the library comes from them (that of its dependencies does not).
/// allocate may return NULL; size is never 0. reallocate follows realloc. context is passed through.
typedef struct rpAllocator
{
	void* (*allocate)(size_t size, void* context);
	void* (*reallocate)(void* memory, size_t size, void* context);
	void (*release)(void* memory, void* context);
	void* context;
} rpAllocator;

/// Use other memory functions from now on; NULL goes back to malloc. Call it before anything is allocated.
RP_API void rpSetAllocator(const rpAllocator* allocator);

/// Free bytes, or a text, that the library returned. NULL does nothing.
RP_API void rpFreeBytes(void* bytes);
RP_API void rpFreeText(char* text);

/// Called when a caller's bug is found, with the broken condition. Return true to go on to abort(), which is
/// the default; a test may longjmp out. Assertions exist in debug and test builds only.
typedef bool rpAssertFn(const char* condition, const char* file, int line);
RP_API void rpSetAssertHandler(rpAssertFn* handler);

/// Called now and then by long work with the fraction done (0 to 1) and what is being done (borrowed).
/// Return false to stop: the work then ends with rp_errorCancelled and leaves nothing half made.
typedef bool rpProgressFn(double fraction, const char* what, void* context);

/// A random sequence (PCG32). The same seed gives the same sequence on every machine.
typedef struct rpRandom
{
	uint64_t state;
	uint64_t stream;
} rpRandom;

RP_API rpRandom rpSeedRandom(uint64_t seed);

/// Uniform over all 32-bit numbers.
RP_API uint32_t rpRandom_Next(rpRandom* random);

/// Uniform in [low, high).
RP_API float rpRandom_Range(rpRandom* random, float low, float high);

/// Uniform in 0 … count-1; count must be positive.
RP_API int rpRandom_Index(rpRandom* random, int count);

/// Normal, mean 0, deviation 1.
RP_API float rpRandom_Normal(rpRandom* random);

#ifdef __cplusplus
}
#endif
