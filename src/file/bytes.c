/// Whole files in and out. Files are read, not mapped: a mapped file that someone cuts short while it is parsed would
/// end the program with SIGBUS, and the copy costs little beside the parsing.
#include "file/bytes.h"

#include "base/error.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

// The largest file that is read, bytes: some five million rows of a BVH file.
#define MAX_FILE_SIZE ((size_t)1 << 32)

// Names tried for the temporary file before giving up.
#define NAME_ATTEMPTS 100

static bool failFile(rpError* error, const char* path, const char* what, int reason)
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
			return failFile(error, reading->path, "cannot read it", errno);
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
		return failFile(error, path, "cannot open it", errno);
	}
	struct stat status;
	bool done;
	if (fstat(file, &status) != 0)
	{
		done = failFile(error, path, "cannot look at it", errno);
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

// 0 or the system's reason.
static int writeAll(int file, const char* bytes, size_t size)
{
	while (size > 0)
	{
		ssize_t wrote = write(file, bytes, size);
		if (wrote < 0 && errno != EINTR)
		{
			return errno;
		}
		bytes += wrote > 0 ? wrote : 0;
		size -= wrote > 0 ? (size_t)wrote : 0;
	}
	return 0;
}

// A pipe or a device has nothing to keep, and nothing to rename.
static bool writeThrough(const char* path, const void* bytes, size_t size, rpError* error)
{
	int file = open(path, O_WRONLY | O_CLOEXEC);
	int reason = file < 0 ? errno : writeAll(file, bytes, size);
	if (file >= 0 && close(file) != 0 && reason == 0)
	{
		reason = errno;
	}
	return reason == 0 || failFile(error, path, "cannot write it", reason);
}

// A file without a name in the folder of path: nothing is left of it if the program ends before it is named. -1 where
// the file system has none.
static int createUnnamed(const char* path)
{
	char folder[PATH_MAX];
	int length = (int)(rpGetFileName(path) - path);
	snprintf(folder, sizeof(folder), "%.*s", length, path);
	return open(length > 0 ? folder : ".", O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666);
}

static int nameFile(int file, const char* name)
{
	char own[64];
	snprintf(own, sizeof(own), "/proc/self/fd/%d", file);
	return linkat(AT_FDCWD, own, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0 ? file : -1;
}

// Give a file a new name in the folder of path, or create one if it is -1; the name does not depend on the path's last
// part, which may already be as long as names can be. Returns the descriptor, or -1 with errno.
static int nameBeside(int unnamed, const char* path, char* temporary, size_t capacity)
{
	int folderLength = (int)(rpGetFileName(path) - path);
	for (int attempt = 0; attempt < NAME_ATTEMPTS; ++attempt)
	{
		uint64_t number;
		if (getrandom(&number, sizeof(number), 0) != (ssize_t)sizeof(number))
		{
			return -1;
		}
		if (snprintf(temporary, capacity, "%.*s.reprise-%016llx.tmp", folderLength, path, (unsigned long long)number) >=
			(int)capacity)
		{
			errno = ENAMETOOLONG;
			return -1;
		}
		int file = unnamed >= 0 ? nameFile(unnamed, temporary)
								: open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (file >= 0 || errno != EEXIST)
		{
			return file;
		}
	}
	return -1;
}

// After a rename the folder itself must reach the disk; not every file system can say so, which is no failure.
static void syncFolder(const char* path)
{
	char folder[PATH_MAX];
	int length = (int)(rpGetFileName(path) - path);
	snprintf(folder, sizeof(folder), "%.*s", length, path);
	int file = open(length > 0 ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (file >= 0)
	{
		fsync(file);
		close(file);
	}
}

// old is NULL where there is no file yet.
static int fillTemporary(int file, const struct stat* old, const void* bytes, size_t size)
{
	int reason = writeAll(file, bytes, size);
	if (reason == 0 && old != NULL && fchmod(file, old->st_mode & 07777) != 0)
	{
		reason = errno;
	}
	if (reason == 0 && fsync(file) != 0)
	{
		reason = errno;
	}
	return reason;
}

static bool replaceRegular(const char* path, const struct stat* old, const void* bytes, size_t size, rpError* error)
{
	char temporary[PATH_MAX] = "";
	int unnamed = createUnnamed(path), file = unnamed >= 0 ? unnamed : nameBeside(-1, path, temporary, PATH_MAX);
	if (file < 0)
	{
		return failFile(error, path, "cannot write in its folder", errno);
	}
	int reason = fillTemporary(file, old, bytes, size);
	if (reason == 0 && unnamed >= 0 && nameBeside(unnamed, path, temporary, PATH_MAX) < 0)
	{
		reason = errno;
	}
	if (close(file) != 0 && reason == 0)
	{
		reason = errno;
	}
	if (reason == 0 && rename(temporary, path) != 0)
	{
		reason = errno;
	}
	if (reason != 0)
	{
		if (temporary[0] != 0)
		{
			unlink(temporary);
		}
		return failFile(error, path, "cannot write it", reason);
	}
	syncFolder(path);
	return true;
}

bool rpReplaceFile(const char* path, const void* bytes, size_t size, rpError* error)
{
	struct stat status;
	if (stat(path, &status) != 0)
	{
		return replaceRegular(path, NULL, bytes, size, error);
	}
	if (S_ISDIR(status.st_mode))
	{
		return failFile(error, path, "cannot write it", EISDIR);
	}
	if (!S_ISREG(status.st_mode))
	{
		return writeThrough(path, bytes, size, error);
	}
	// A link stays one: what it leads to is replaced.
	char* target = realpath(path, NULL);
	if (target == NULL)
	{
		return failFile(error, path, "cannot find where it leads", errno);
	}
	bool done = replaceRegular(target, &status, bytes, size, error);
	free(target);
	return done;
}

void rpHashBytes(const void* bytes, size_t size, char out[33])
{
	XXH128_hash_t hash = XXH3_128bits(bytes, size);
	snprintf(out, 33, "%016llx%016llx", (unsigned long long)hash.high64, (unsigned long long)hash.low64);
}

const char* rpGetFileName(const char* path)
{
	const char* slash = strrchr(path, '/');
	return slash != NULL ? slash + 1 : path;
}
