/// The container of a bundle: header, table, chunks. See reprise/play/bundle.h.
#include "reprise/play/bundle.h"

#include "base/error.h"
#include "base/memory.h"
#include "model/bundle_fold.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "numbers are used as they stand in memory");

#define MAGIC "RPB\x1a"
#define ALIGNMENT 64

typedef rpBundleHeader Header;
typedef rpBundleEntry Entry;

_Static_assert(sizeof(Header) == 32 && sizeof(Entry) == 24, "the layout of the file");

struct rpBundle
{
	const unsigned char* bytes;
	const Entry* entries;
	int entryCount;
	uint32_t version;
	/// The bytes, where the bundle read or unfolded them itself.
	void* owned;
};

// ---- reading

static bool failDamaged(rpError* error, const char* what)
{
	rpFail(error, rp_errorFormat, "the bundle is damaged: %s", what);
	rpError_SetHint(error, "make it anew with reprise bundle");
	return false;
}

static bool failOther(rpError* error, const char* what)
{
	rpFail(error, rp_errorFormat, "this is no bundle: %s", what);
	rpError_SetHint(error, "make one of a library: reprise bundle LIB.reprise -o FILE.rpb");
	return false;
}

static size_t align(size_t size)
{
	return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static bool checkEntry(const Entry* entry, size_t size, rpError* error)
{
	if (entry->offset % ALIGNMENT != 0 || entry->offset > size || entry->recordSize == 0)
	{
		return failDamaged(error, "a chunk lies outside of it");
	}
	return entry->count <= (size - entry->offset) / entry->recordSize && entry->count <= INT32_MAX
			   ? true
			   : failDamaged(error, "a chunk reaches beyond its end");
}

static bool checkHeader(const Header* header, size_t size, rpError* error)
{
	if (memcmp(header->magic, MAGIC, 4) != 0)
	{
		return failOther(error, "it does not begin with RPB");
	}
	if (header->version > RP_BUNDLE_VERSION)
	{
		rpFail(error, rp_errorVersion, "a bundle of version %u; this library knows version %d", header->version,
			   RP_BUNDLE_VERSION);
		rpError_SetHint(error, "use a newer Reprise");
		return false;
	}
	if (header->size != size || header->version == 0)
	{
		return failDamaged(error, "it is cut off, or has grown");
	}
	return header->chunkCount <= RP_MAX_BUNDLE_CHUNKS && sizeof(Header) + header->chunkCount * sizeof(Entry) <= size
			   ? true
			   : failDamaged(error, "its table reaches beyond its end");
}

static bool checkBundle(const unsigned char* bytes, size_t size, rpError* error)
{
	if (bytes == NULL || size < sizeof(Header))
	{
		rpFail(error, rp_errorFormat, "%zu bytes are no bundle", size);
		return false;
	}
	const Header* header = (const Header*)(const void*)bytes;
	if (!checkHeader(header, size, error))
	{
		return false;
	}
	if (XXH3_64bits(bytes + sizeof(Header), size - sizeof(Header)) != header->checksum)
	{
		return failDamaged(error, "its checksum does not fit");
	}
	const Entry* entries = (const Entry*)(const void*)(bytes + sizeof(Header));
	size_t filled = align(sizeof(Header) + header->chunkCount * sizeof(Entry));
	for (uint32_t i = 0; i < header->chunkCount; ++i)
	{
		if (!checkEntry(&entries[i], size, error))
		{
			return false;
		}
		filled += align(entries[i].count * entries[i].recordSize);
	}
	// The checksum does not cover the header: a table that lost lines would go unseen.
	return filled == size || failDamaged(error, "its chunks do not fill it");
}

static rpBundle* unfold(const void* bytes, size_t size, rpError* error)
{
	size_t unfolded = 0;
	void* owned = rpUnfoldBundle(bytes, size, &unfolded, error);
	rpBundle* bundle = owned != NULL ? rpCreateBundle(owned, unfolded, error) : NULL;
	if (bundle == NULL)
	{
		rpFree(owned);
		return NULL;
	}
	bundle->owned = owned;
	return bundle;
}

rpBundle* rpCreateBundle(const void* bytes, size_t size, rpError* error)
{
	if (rpIsFolded(bytes, size))
	{
		return unfold(bytes, size, error);
	}
	if (!checkBundle(bytes, size, error))
	{
		return NULL;
	}
	rpBundle* bundle = rpAllocateZero(1, sizeof(rpBundle), error);
	if (bundle != NULL)
	{
		const Header* header = bytes;
		bundle->bytes = bytes;
		bundle->entries = (const Entry*)(const void*)(bundle->bytes + sizeof(Header));
		bundle->entryCount = (int)header->chunkCount;
		bundle->version = header->version;
	}
	return bundle;
}

// A folder can be opened and even has an end, but no first byte.
static bool checkFirstByte(FILE* file, rpError* error)
{
	errno = 0;
	if (fgetc(file) != EOF)
	{
		return true;
	}
	if (!ferror(file))
	{
		return failOther(error, "it is empty");
	}
	return rpFail(error, rp_errorFile,
				  errno == EISDIR ? "this is a folder; a bundle was expected" : "it cannot be read");
}

static bool readFile(FILE* file, void** bytes, size_t* size, rpError* error)
{
	if (!checkFirstByte(file, error))
	{
		return false;
	}
	long end = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
	rewind(file);
	if (end <= 0)
	{
		return rpFail(error, rp_errorFile, "it cannot be read");
	}
	*size = (size_t)end;
	*bytes = rpAllocate(*size, 1, error);
	return *bytes != NULL &&
		   (fread(*bytes, 1, *size, file) == *size || rpFail(error, rp_errorFile, "it cannot be read"));
}

rpBundle* rpOpenBundle(const char* path, rpError* error)
{
	FILE* file = fopen(path, "rb");
	void* bytes = NULL;
	size_t size = 0;
	rpBundle* bundle = NULL;
	if (file == NULL)
	{
		rpFail(error, rp_errorFile, "it cannot be opened");
	}
	else
	{
		bundle = readFile(file, &bytes, &size, error) ? rpCreateBundle(bytes, size, error) : NULL;
		fclose(file);
	}
	if (bundle == NULL)
	{
		rpFree(bytes);
		rpError_SetFile(error, path);
		return NULL;
	}
	if (bundle->owned != NULL)
	{
		// It was folded: what was read is not needed any more.
		rpFree(bytes);
		return bundle;
	}
	bundle->owned = bytes;
	return bundle;
}

void rpDestroyBundle(rpBundle* bundle)
{
	if (bundle != NULL)
	{
		rpFree(bundle->owned);
		rpFree(bundle);
	}
}

static const Entry* findEntry(const rpBundle* bundle, const char* type)
{
	for (int i = 0; i < bundle->entryCount; ++i)
	{
		if (memcmp(bundle->entries[i].type, type, 4) == 0)
		{
			return &bundle->entries[i];
		}
	}
	return NULL;
}

bool rpBundle_HasChunk(const rpBundle* bundle, const char* type)
{
	return findEntry(bundle, type) != NULL;
}

const void* rpBundle_GetBytes(const rpBundle* bundle, size_t* size)
{
	*size = ((const Header*)(const void*)bundle->bytes)->size;
	return bundle->bytes;
}

const void* rpBundle_GetChunk(const rpBundle* bundle, const char* type, size_t recordSize, int* count, rpError* error)
{
	const Entry* entry = findEntry(bundle, type);
	if (entry == NULL || entry->recordSize != recordSize)
	{
		rpFail(error, rp_errorFormat, entry == NULL ? "the bundle has no %.4s" : "the bundle's %.4s is of another kind",
			   type);
		return NULL;
	}
	*count = (int)entry->count;
	return bundle->bytes + entry->offset;
}

// ---- writing

/// A chunk to be written.
struct rpBundlePart
{
	Entry entry;
	void* records;
};

void* rpBundleWriter_Reserve(rpBundleWriter* writer, const char* type, int count, size_t recordSize, rpError* error)
{
	if (!rpGrow(&writer->parts, &writer->capacity, writer->count, sizeof(struct rpBundlePart), error))
	{
		return NULL;
	}
	struct rpBundlePart part = {.entry = {.recordSize = (uint32_t)recordSize, .count = (uint64_t)count}};
	memcpy(part.entry.type, type, 4);
	part.records = rpAllocate((size_t)count, recordSize, error);
	if (part.records != NULL)
	{
		writer->parts[writer->count++] = part;
	}
	return part.records;
}

bool rpBundleWriter_Add(rpBundleWriter* writer, const char* type, const void* records, int count, size_t recordSize,
						rpError* error)
{
	void* copy = rpBundleWriter_Reserve(writer, type, count, recordSize, error);
	if (copy != NULL && count > 0)
	{
		memcpy(copy, records, (size_t)count * recordSize);
	}
	return copy != NULL;
}

static bool isAmong(const char* type, const char* types)
{
	bool found = false;
	for (; types[0] != 0 && !found; types += 4)
	{
		found = memcmp(type, types, 4) == 0;
	}
	return found;
}

bool rpBundleWriter_AddAllBut(rpBundleWriter* writer, const rpBundle* bundle, const char* types, rpError* error)
{
	bool done = true;
	writer->version = bundle->version > writer->version ? bundle->version : writer->version;
	for (int i = 0; i < bundle->entryCount && done; ++i)
	{
		const Entry* entry = &bundle->entries[i];
		done = isAmong(entry->type, types) || rpBundleWriter_Add(writer, entry->type, bundle->bytes + entry->offset,
																 (int)entry->count, entry->recordSize, error);
	}
	return done;
}

void* rpBundleWriter_Finish(const rpBundleWriter* writer, size_t* size, rpError* error)
{
	size_t head = sizeof(Header) + (size_t)writer->count * sizeof(Entry), total = align(head);
	for (int i = 0; i < writer->count; ++i)
	{
		total += align(writer->parts[i].entry.count * writer->parts[i].entry.recordSize);
	}
	unsigned char* bytes = rpAllocateZero(total, 1, error);
	if (bytes == NULL)
	{
		return NULL;
	}
	size_t offset = align(head);
	for (int i = 0; i < writer->count; ++i)
	{
		Entry entry = writer->parts[i].entry;
		size_t chunk = entry.count * entry.recordSize;
		entry.offset = offset;
		memcpy(bytes + sizeof(Header) + (size_t)i * sizeof(Entry), &entry, sizeof(entry));
		memcpy(bytes + offset, writer->parts[i].records, chunk);
		offset += align(chunk);
	}
	Header header = {
		.version = writer->version > 0 ? writer->version : 1, .chunkCount = (uint32_t)writer->count, .size = total};
	memcpy(header.magic, MAGIC, 4);
	header.checksum = XXH3_64bits(bytes + sizeof(Header), total - sizeof(Header));
	memcpy(bytes, &header, sizeof(header));
	*size = total;
	return bytes;
}

void rpBundleWriter_Free(rpBundleWriter* writer)
{
	for (int i = 0; i < writer->count; ++i)
	{
		rpFree(writer->parts[i].records);
	}
	rpFree(writer->parts);
	*writer = (rpBundleWriter){0};
}
