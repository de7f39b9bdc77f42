/// The process that holds a file's lock. The kernel's list is read instead of asking with fcntl(F_GETLK), since that
/// needs the file opened, and closing it again would drop the POSIX locks that this very program may hold on it.
#include "library/store.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

// Where SQLite puts its locks: pending, reserved, then 510 bytes of shared ones (sqlite.org/fileformat2.html#lock).
#define FIRST_LOCK 0x40000000LL
#define LAST_LOCK (FIRST_LOCK + 511)

typedef struct Lock
{
	long pid;
	bool writes;
	bool sameDevice;
} Lock;

// "1: POSIX  ADVISORY  WRITE 1234 fd:00:5678 1073741825 1073741825"
static bool parseLock(const char* line, const struct stat* file, Lock* out)
{
	char kind[16], access[16], last[32];
	unsigned high, low;
	unsigned long inode;
	long long first;
	if (sscanf(line, "%*d: POSIX %15s %15s %ld %x:%x:%lu %lld %31s", kind, access, &out->pid, &high, &low, &inode,
			   &first, last) != 8)
	{
		return false;
	}
	out->writes = strcmp(access, "WRITE") == 0;
	out->sameDevice = high == major(file->st_dev) && low == minor(file->st_dev);
	return inode == file->st_ino && first >= FIRST_LOCK && first <= LAST_LOCK && out->pid > 0;
}

// The one that writes before those that read; some file systems show another device than stat() does.
static bool isBetter(const Lock* lock, const Lock* best)
{
	int rank = 2 * lock->sameDevice + lock->writes;
	return best->pid == 0 || rank > 2 * best->sameDevice + best->writes;
}

static Lock findLock(const struct stat* file)
{
	Lock best = {0};
	FILE* list = fopen("/proc/locks", "re");
	char line[256];
	while (list != NULL && fgets(line, sizeof(line), list) != NULL)
	{
		Lock lock;
		if (parseLock(line, file, &lock) && isBetter(&lock, &best))
		{
			best = lock;
		}
	}
	if (list != NULL)
	{
		fclose(list);
	}
	return best;
}

static void readProcessName(long pid, char* out, size_t capacity)
{
	char path[64];
	snprintf(path, sizeof(path), "/proc/%ld/comm", pid);
	FILE* file = fopen(path, "re");
	out[0] = 0;
	if (file != NULL)
	{
		if (fgets(out, (int)capacity, file) == NULL)
		{
			out[0] = 0;
		}
		out[strcspn(out, "\n")] = 0;
		fclose(file);
	}
	// A program may call itself anything; this goes into a message.
	for (char* c = out; *c != 0; ++c)
	{
		*c = *c >= ' ' && *c <= '~' ? *c : '?';
	}
}

void rpDescribeLockHolder(const char* path, char* out, size_t capacity)
{
	struct stat file;
	out[0] = 0;
	Lock lock = stat(path, &file) == 0 ? findLock(&file) : (Lock){0};
	if (lock.pid == 0)
	{
		return;
	}
	char name[64];
	readProcessName(lock.pid, name, sizeof(name));
	if (lock.pid == (long)getpid())
	{
		snprintf(out, capacity, " by this program itself");
	}
	else
	{
		snprintf(out, capacity, " by %s (process %ld)", name[0] != 0 ? name : "another program", lock.pid);
	}
}
