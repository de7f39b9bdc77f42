/// Whole files in, and hashes. Files are read, not mapped: a mapped file that someone cuts short while it is parsed
/// would end the program with SIGBUS, and the copy costs little beside the parsing.
#include "file/bytes.h"

#include "base/error.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

// The largest file that is read, bytes: some five million rows of a BVH file.
#define MAX_FILE_SIZE ((size_t)1 << 32)

bool rpFailFile(rpError* error, const char* path, const char* what, int reason)
{
	char text[160];
	rpFail(error, rp_errorFile, "%s: %s", what, strerror_r(reason, text, sizeof(text)));
	rpError_SetFile(error, path);
	return false;
}

// A file being read.
typedef struct Reading
{
	int file;
	const char* path;
	char* data;
	size_t size, capacity;
} Reading;

static bool reserve(Reading* reading, size_t capacity, rpError* error)
{
	char* grown = rpReallocate(reading->data, capacity, 1, error);
	reading->data = grown != NULL ? grown : reading->data;
	reading->capacity = grown != NULL ? capacity : reading->capacity;
	return grown != NULL;
}

// Read until the block is full or the file at its end.
static bool fill(Reading* reading, bool* atEnd, rpError* error)
{
	*atEnd = false;
	while (reading->size < reading->capacity && !*atEnd)
	{
		ssize_t got = read(reading->file, reading->data + reading->size, reading->capacity - reading->size);
		if (got < 0 && errno != EINTR)
		{
			return rpFailFile(error, reading->path, "cannot read it", errno);
		}
		*atEnd = got == 0;
		reading->size += got > 0 ? (size_t)got : 0;
	}
	return true;
}

// expectedSize is what the file says of itself, 0 where it cannot know: a pipe.
static bool readAll(Reading* reading, size_t expectedSize, rpAcceptFn* accept, const void* context, rpError* error)
{
	// One byte more than its size, so that the end is met without growing.
	size_t whole = expectedSize > 0 ? expectedSize + 1 : RP_HEAD_SIZE;
	bool atEnd;
	if (!reserve(reading, whole < RP_HEAD_SIZE ? whole : RP_HEAD_SIZE, error) || !fill(reading, &atEnd, error))
	{
		return false;
	}
	if (accept != NULL && !accept(reading->data, reading->size, context))
	{
		return true;
	}
	while (!atEnd)
	{
		if (reading->size > MAX_FILE_SIZE)
		{
			return rpFail(error, rp_errorLimit, "the file has more than %zu bytes", MAX_FILE_SIZE);
		}
		size_t more = reading->capacity < whole ? whole : 2 * reading->capacity;
		more = more <= MAX_FILE_SIZE ? more : MAX_FILE_SIZE + 1;
		if (!reserve(reading, more, error) || !fill(reading, &atEnd, error))
		{
			return false;
		}
	}
	return true;
}

bool rpOpenBytes(const char* path, rpBytes* out, rpError* error)
{
	return rpOpenAccepted(path, NULL, NULL, out, error);
}

bool rpOpenAccepted(const char* path, rpAcceptFn* accept, const void* context, rpBytes* out, rpError* error)
{
	*out = (rpBytes){0};
	int file = open(path, O_RDONLY | O_CLOEXEC);
	if (file < 0)
	{
		return rpFailFile(error, path, "cannot open it", errno);
	}
	struct stat status;
	bool done;
	if (fstat(file, &status) != 0)
	{
		done = rpFailFile(error, path, "cannot look at it", errno);
	}
	else if (S_ISDIR(status.st_mode))
	{
		done = rpFail(error, rp_errorFile, "this is a folder; a file was expected");
		rpError_SetFile(error, path);
	}
	else if (status.st_size > (off_t)MAX_FILE_SIZE)
	{
		done = rpFail(error, rp_errorLimit, "the file has more than %zu bytes", MAX_FILE_SIZE);
		rpError_SetFile(error, path);
	}
	else
	{
		Reading reading = {.file = file, .path = path};
		done = readAll(&reading, status.st_size > 0 ? (size_t)status.st_size : 0, accept, context, error);
		*out = done ? (rpBytes){reading.data, reading.size} : *out;
		if (!done)
		{
			rpFree(reading.data);
			rpError_SetFile(error, path);
		}
	}
	close(file);
	return done;
}

void rpCloseBytes(rpBytes* bytes)
{
	rpFree((void*)(uintptr_t)bytes->data);
	*bytes = (rpBytes){0};
}

static void printHash(XXH128_hash_t hash, char out[33])
{
	snprintf(out, 33, "%016llx%016llx", (unsigned long long)hash.high64, (unsigned long long)hash.low64);
}

void rpHashBytes(const void* bytes, size_t size, char out[33])
{
	printHash(XXH3_128bits(bytes, size), out);
}

struct rpHash
{
	XXH3_state_t* state;
};

rpHash* rpCreateHash(rpError* error)
{
	// The state is to be aligned as no allocator promises.
	const size_t alignment = _Alignof(XXH3_state_t);
	rpHash* hash = rpAllocate(1, sizeof(rpHash) + sizeof(XXH3_state_t) + alignment, error);
	if (hash != NULL)
	{
		uintptr_t place = (uintptr_t)(hash + 1);
		hash->state = (XXH3_state_t*)(place + (alignment - place % alignment) % alignment);
		XXH3_INITSTATE(hash->state);
		XXH3_128bits_reset(hash->state);
	}
	return hash;
}

void rpHash_Add(rpHash* hash, const void* bytes, size_t size)
{
	XXH3_128bits_update(hash->state, bytes, size);
}

void rpHash_Get(const rpHash* hash, char out[33])
{
	printHash(XXH3_128bits_digest(hash->state), out);
}

const char* rpGetFileName(const char* path)
{
	const char* slash = strrchr(path, '/');
	return slash != NULL ? slash + 1 : path;
}
