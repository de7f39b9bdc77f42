#include "file/spool.h"

#include "base/error.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

// Bytes that are copied at once.
#define BLOCK_SIZE ((uint64_t)1 << 16)

// An rpDrainFn.
static bool writeOut(void* context, const void* bytes, size_t size)
{
	rpSpool* spool = context;
	spool->file = spool->file >= 0 ? spool->file : rpCreateScratch(spool->output->path, spool->output->isThrough);
	spool->reason = spool->file >= 0 ? rpWriteAll(spool->file, bytes, size) : errno;
	spool->fileSize += size;
	return spool->reason == 0;
}

void rpSpool_Start(rpSpool* spool, const rpOutput* output, size_t room)
{
	*spool = (rpSpool){.output = output, .file = -1};
	if (output != NULL)
	{
		spool->text = (rpText){.drain = writeOut, .drainContext = spool, .drainSize = room};
	}
}

uint64_t rpSpool_GetSize(const rpSpool* spool)
{
	return spool->fileSize + spool->text.size;
}

bool rpSpool_Fail(const rpSpool* spool, rpError* error)
{
	return spool->reason != 0
			   ? rpFailFile(error, spool->output->path, "cannot keep what waits for it in a file", spool->reason)
			   : rpFail(error, rp_errorMemory, "out of memory while writing a file");
}

// 0 or the system's reason.
static int readBlock(int file, uint64_t offset, char* out, size_t size)
{
	while (size > 0)
	{
		ssize_t got = pread(file, out, size, (off_t)offset);
		if (got == 0 || (got < 0 && errno != EINTR))
		{
			return got == 0 ? EIO : errno;
		}
		out += got > 0 ? got : 0;
		offset += got > 0 ? (uint64_t)got : 0;
		size -= got > 0 ? (size_t)got : 0;
	}
	return 0;
}

static bool copyFromFile(rpSpool* spool, uint64_t offset, uint64_t size, rpText* out)
{
	while (size > 0 && spool->reason == 0)
	{
		size_t count = (size_t)(size < BLOCK_SIZE ? size : BLOCK_SIZE);
		char* place = rpText_Reserve(out, count);
		if (place == NULL)
		{
			return true;
		}
		spool->reason = readBlock(spool->file, offset, place, count);
		place[count] = 0;
		out->size += count;
		offset += count;
		size -= count;
	}
	return spool->reason == 0;
}

// Where there is a file, all is in it.
bool rpSpool_Copy(rpSpool* spool, uint64_t offset, uint64_t size, rpText* out, rpError* error)
{
	if (spool->file >= 0)
	{
		rpText_Drain(&spool->text);
	}
	bool isKept = !spool->text.failed;
	if (isKept && spool->file < 0)
	{
		rpText_Append(out, spool->text.data + offset, (size_t)size);
		return true;
	}
	return (isKept && copyFromFile(spool, offset, size, out)) || rpSpool_Fail(spool, error);
}

void rpSpool_Free(rpSpool* spool)
{
	if (spool->output != NULL && spool->file >= 0)
	{
		close(spool->file);
	}
	rpText_Free(&spool->text);
	*spool = (rpSpool){.file = -1};
}
