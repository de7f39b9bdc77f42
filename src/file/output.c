#include "file/output.h"

#include "base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

// Names tried for the temporary file before giving up.
#define NAME_ATTEMPTS 100

// Bytes that are written at once: more make no difference to speed.
#define BLOCK_SIZE ((size_t)1 << 18)

// ---- names

// The folder of a path, "." if it names none.
static void getFolder(const char* path, char out[PATH_MAX])
{
	int length = (int)(rpGetFileName(path) - path);
	snprintf(out, PATH_MAX, "%.*s", length > 0 ? length : 1, length > 0 ? path : ".");
}

// A file without a name: nothing is left of it if the program ends before it is named. -1 where the file system has
// none.
static int createUnnamed(const char* path)
{
	char folder[PATH_MAX];
	getFolder(path, folder);
	return open(folder, O_RDWR | O_TMPFILE | O_CLOEXEC, 0666);
}

static int nameFile(int file, const char* name)
{
	char own[64];
	snprintf(own, sizeof(own), "/proc/self/fd/%d", file);
	return linkat(AT_FDCWD, own, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0 ? file : -1;
}

// Give a file a new name in the folder of path, or create one if it is -1; the name does not depend on the path's last
// part, which may already be as long as names can be. Returns the descriptor, or -1 with errno.
static int nameBeside(int unnamed, const char* path, char temporary[PATH_MAX])
{
	int folderLength = (int)(rpGetFileName(path) - path);
	for (int attempt = 0; attempt < NAME_ATTEMPTS; ++attempt)
	{
		uint64_t number;
		if (getrandom(&number, sizeof(number), 0) != (ssize_t)sizeof(number))
		{
			return -1;
		}
		if (snprintf(temporary, PATH_MAX, "%.*s.reprise-%016llx.tmp", folderLength, path, (unsigned long long)number) >=
			PATH_MAX)
		{
			errno = ENAMETOOLONG;
			return -1;
		}
		int file =
			unnamed >= 0 ? nameFile(unnamed, temporary) : open(temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
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
	getFolder(path, folder);
	int file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (file >= 0)
	{
		fsync(file);
		close(file);
	}
}

int rpCreateScratch(const char* path, bool isThrough)
{
	char beside[PATH_MAX], temporary[PATH_MAX];
	const char* folder = getenv("TMPDIR");
	snprintf(beside, sizeof(beside), "%s/", folder != NULL && folder[0] != 0 ? folder : "/tmp");
	path = isThrough ? beside : path;
	int file = createUnnamed(path);
	if (file < 0)
	{
		file = nameBeside(-1, path, temporary);
		if (file >= 0)
		{
			unlink(temporary);
		}
	}
	return file;
}

// ---- writing

int rpWriteAll(int file, const void* bytes, size_t size)
{
	for (const char* rest = bytes; size > 0;)
	{
		ssize_t wrote = write(file, rest, size);
		if (wrote < 0 && errno != EINTR)
		{
			return errno;
		}
		rest += wrote > 0 ? wrote : 0;
		size -= wrote > 0 ? (size_t)wrote : 0;
	}
	return 0;
}

// An rpDrainFn.
static bool writeOut(void* context, const void* bytes, size_t size)
{
	rpOutput* output = context;
	rpHash_Add(output->hash, bytes, size);
	output->reason = rpWriteAll(output->file, bytes, size);
	return output->reason == 0;
}

bool rpOutput_Fail(const rpOutput* output, rpError* error)
{
	return output->reason != 0 ? rpFailFile(error, output->path, "cannot write it", output->reason)
							   : rpFail(error, rp_errorMemory, "out of memory while writing a file");
}

// A pipe or a device has nothing to keep, and nothing to rename.
static bool openThrough(rpOutput* output, rpError* error)
{
	output->isThrough = true;
	output->file = open(output->path, O_WRONLY | O_CLOEXEC);
	return output->file >= 0 || rpFailFile(error, output->path, "cannot write it", errno);
}

static bool openBeside(rpOutput* output, rpError* error)
{
	output->file = createUnnamed(output->path);
	output->file = output->file >= 0 ? output->file : nameBeside(-1, output->path, output->temporary);
	return output->file >= 0 || rpFailFile(error, output->path, "cannot write in its folder", errno);
}

// A link stays one: what it leads to is replaced.
static bool followLinks(rpOutput* output, const char* path, bool isRegular, rpError* error)
{
	char* target = isRegular ? realpath(path, NULL) : NULL;
	if (isRegular && target == NULL)
	{
		return rpFailFile(error, path, "cannot find where it leads", errno);
	}
	int length = snprintf(output->path, PATH_MAX, "%s", target != NULL ? target : path);
	free(target);
	return length < PATH_MAX || rpFailFile(error, path, "cannot write it", ENAMETOOLONG);
}

bool rpOutput_Open(rpOutput* output, const char* path, rpError* error)
{
	struct stat status;
	bool exists = stat(path, &status) == 0, isRegular = exists && S_ISREG(status.st_mode);
	*output = (rpOutput){.file = -1, .mode = isRegular ? (int)(status.st_mode & 07777) : -1};
	output->text = (rpText){.drain = writeOut, .drainContext = output, .drainSize = BLOCK_SIZE};
	if (exists && S_ISDIR(status.st_mode))
	{
		return rpFailFile(error, path, "cannot write it", EISDIR);
	}
	output->hash = rpCreateHash(error);
	bool done = output->hash != NULL && followLinks(output, path, isRegular, error) &&
				(exists && !isRegular ? openThrough(output, error) : openBeside(output, error));
	if (!done)
	{
		rpOutput_Discard(output);
	}
	return done;
}

bool rpOutput_Complete(rpOutput* output, char hash[33], rpError* error)
{
	rpText_Drain(&output->text);
	rpHash_Get(output->hash, hash);
	return !output->text.failed || rpOutput_Fail(output, error);
}

// ---- its place

static int closeFile(rpOutput* output)
{
	int file = output->file;
	output->file = -1;
	return close(file) == 0 ? 0 : errno;
}

// 0 or the system's reason.
static int moveThere(const rpOutput* output)
{
	if (output->isNew)
	{
		if (renameat2(AT_FDCWD, output->temporary, AT_FDCWD, output->path, RENAME_NOREPLACE) == 0)
		{
			return 0;
		}
		if (errno == EEXIST)
		{
			unlink(output->temporary);
			return 0;
		}
		// Not every file system can do this.
	}
	return rename(output->temporary, output->path) == 0 ? 0 : errno;
}

// Everything reaches the disk under a name before that name replaces the old file's.
static int settle(rpOutput* output)
{
	if ((output->mode >= 0 && fchmod(output->file, (mode_t)output->mode) != 0) || fsync(output->file) != 0 ||
		(output->temporary[0] == 0 && nameBeside(output->file, output->path, output->temporary) < 0))
	{
		return errno;
	}
	int reason = closeFile(output);
	return reason != 0 ? reason : moveThere(output);
}

bool rpOutput_Commit(rpOutput* output, rpError* error)
{
	output->reason = output->isThrough ? closeFile(output) : settle(output);
	if (output->reason != 0)
	{
		return rpOutput_Fail(output, error);
	}
	if (!output->isThrough)
	{
		output->temporary[0] = 0;
		syncFolder(output->path);
	}
	return true;
}

void rpOutput_Discard(rpOutput* output)
{
	if (output->file >= 0)
	{
		closeFile(output);
	}
	if (output->temporary[0] != 0)
	{
		unlink(output->temporary);
	}
	rpText_Free(&output->text);
	rpFree(output->hash);
	*output = (rpOutput){.file = -1};
}

static bool writeFile(const char* path, bool isNew, const void* bytes, size_t size, rpError* error)
{
	rpOutput output;
	if (!rpOutput_Open(&output, path, error))
	{
		return false;
	}
	output.isNew = isNew;
	bool done = (writeOut(&output, bytes, size) || rpOutput_Fail(&output, error)) && rpOutput_Commit(&output, error);
	rpOutput_Discard(&output);
	return done;
}

bool rpReplaceFile(const char* path, const void* bytes, size_t size, rpError* error)
{
	return writeFile(path, false, bytes, size, error);
}

bool rpCreateFile(const char* path, const void* bytes, size_t size, rpError* error)
{
	return writeFile(path, true, bytes, size, error);
}
