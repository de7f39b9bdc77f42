/// Folding: what zlib and its like see poorly is put in order first, and back to the same bytes.
///
/// A folded bundle is header and table of the bundle, with the letters RPF, and the chunks one after the other. The
/// words of a chunk's records are columns, as they are or as differences from the record before, and these are cut into
/// planes of first, second, third and fourth bytes. The rows of packed frames (PROW), whose numbers begin anywhere in a
/// byte, become what each number differs by from what those before it lead to expect: constant, straight on, or curved.
#include "model/bundle_fold.h"

#include "base/error.h"
#include "base/memory.h"
#include "blend/packed_rows.h"

#include <string.h>

enum
{
	/// Differences that are taken of a number, at most: of a quadratic nothing is left.
	maxOrder = 3,

	/// A difference that does not fit into a byte is this one, and stands among the large ones.
	escape = 255,

	/// An unfolded bundle is at most so much larger: what is claimed is in proportion to what is there.
	maxGrowth = 8,

	/// Numbers of a row: the root's place, and rotations.
	maxNumbers = 3 + 3 * 4096,
};

static uint32_t zigzag(uint32_t difference)
{
	return difference << 1 ^ (0u - (difference >> 31));
}

static uint32_t unzigzag(uint32_t number)
{
	return number >> 1 ^ (0u - (number & 1));
}

static bool failFolded(rpError* error)
{
	rpFail(error, rp_errorFormat, "the folded bundle is damaged");
	rpError_SetHint(error, "make it anew");
	return false;
}

bool rpIsFolded(const void* bytes, size_t size)
{
	return bytes != NULL && size >= sizeof(rpBundleHeader) && memcmp(bytes, RP_FOLDED_MAGIC, 4) == 0;
}

// ---- columns of words

static uint32_t readWord(const unsigned char* at)
{
	return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static void writeWord(unsigned char* at, uint32_t word)
{
	for (int i = 0; i < 4; ++i)
	{
		at[i] = (unsigned char)(word >> (8 * i));
	}
}

static int countBytes(uint32_t number)
{
	int count = 0;
	for (; number > 0; number >>= 8)
	{
		++count;
	}
	return count;
}

// Whether differences are shorter than the words themselves.
static bool areDifferencesShorter(const unsigned char* column, size_t stride, size_t count)
{
	int64_t gain = 0;
	uint32_t last = 0;
	for (size_t i = 0; i < count; ++i)
	{
		uint32_t word = readWord(column + i * stride);
		gain += countBytes(word) - countBytes(zigzag(word - last));
		last = word;
	}
	return gain > 0;
}

static void foldColumn(const unsigned char* column, size_t stride, size_t count, unsigned char* out)
{
	bool isDifference = areDifferencesShorter(column, stride, count);
	uint32_t last = 0;
	*out++ = isDifference;
	for (size_t i = 0; i < count; ++i)
	{
		uint32_t word = readWord(column + i * stride), number = isDifference ? zigzag(word - last) : word;
		last = word;
		for (size_t k = 0; k < 4; ++k)
		{
			out[k * count + i] = (unsigned char)(number >> (8 * k));
		}
	}
}

static void unfoldColumn(const unsigned char* in, size_t stride, size_t count, unsigned char* column)
{
	bool isDifference = *in++ != 0;
	uint32_t last = 0;
	for (size_t i = 0; i < count; ++i)
	{
		uint32_t number = 0;
		for (size_t k = 0; k < 4; ++k)
		{
			number |= (uint32_t)in[k * count + i] << (8 * k);
		}
		last = isDifference ? last + unzigzag(number) : number;
		writeWord(column + i * stride, last);
	}
}

// Bytes that a chunk takes, folded: for each column one says what it is.
static uint64_t getFoldedSize(const rpBundleEntry* entry)
{
	uint64_t size = entry->count * entry->recordSize;
	return entry->recordSize % 4 == 0 ? size + entry->recordSize / 4 : size;
}

static void foldChunk(const rpBundleEntry* entry, const unsigned char* chunk, rpText* out)
{
	size_t count = entry->count, columns = entry->recordSize % 4 == 0 ? entry->recordSize / 4 : 0;
	unsigned char* at = (unsigned char*)rpText_Reserve(out, getFoldedSize(entry));
	if (at == NULL)
	{
		return;
	}
	if (columns == 0)
	{
		memcpy(at, chunk, count * entry->recordSize);
	}
	for (size_t k = 0; k < columns; ++k)
	{
		foldColumn(chunk + 4 * k, entry->recordSize, count, at + k * (1 + 4 * count));
	}
	out->size += getFoldedSize(entry);
}

static void unfoldChunk(const rpBundleEntry* entry, const unsigned char* in, unsigned char* chunk)
{
	size_t count = entry->count, columns = entry->recordSize % 4 == 0 ? entry->recordSize / 4 : 0;
	if (columns == 0)
	{
		memcpy(chunk, in, count * entry->recordSize);
	}
	for (size_t k = 0; k < columns; ++k)
	{
		unfoldColumn(in + k * (1 + 4 * count), entry->recordSize, count, chunk + 4 * k);
	}
}

// ---- rows of packed frames

/// Where the numbers of a block's rows are: bits of each, in the order of the row.
typedef struct Layout
{
	int frameCount, numberCount;
	uint8_t widths[maxNumbers];
	size_t rowSize;
} Layout;

/// The blocks and rows of a bundle.
typedef struct Frames
{
	const unsigned char* blocks;
	size_t blockCount;
	int jointCount;
	size_t byteCount;
} Frames;

static void addWidth(Layout* layout, uint8_t width)
{
	layout->widths[layout->numberCount++] = width;
}

// As blend/packed_rows.h has it. False if the block makes no sense.
static bool readLayout(const Frames* frames, size_t block, Layout* out)
{
	const unsigned char* at = frames->blocks + block * rpGetPackedBlockSize(frames->jointCount);
	rpPackedHead head;
	rpPackedJoint joint;
	size_t bits = 0;
	memcpy(&head, at, sizeof(head));
	out->frameCount = head.frameCount;
	out->numberCount = 0;
	for (int i = 0; i < 3; ++i)
	{
		addWidth(out, head.widths[i]);
	}
	for (int first = 0; first < frames->jointCount; first += rp_packedLanes)
	{
		for (int slot = 0; slot < rp_packedSlots; ++slot)
		{
			for (int i = first; i < first + rp_packedLanes && i < frames->jointCount; ++i)
			{
				memcpy(&joint, at + sizeof(head) + (size_t)i * sizeof(joint), sizeof(joint));
				addWidth(out, joint.widths[slot]);
			}
		}
	}
	bool isSound = out->frameCount > 0;
	for (int i = 0; i < out->numberCount; ++i)
	{
		isSound = isSound && out->widths[i] <= rp_packedMaxWidth;
		bits += out->widths[i];
	}
	out->rowSize = bits > 0 ? (bits + 7) / 8 : 1;
	return isSound;
}

static uint32_t getBits(const unsigned char* row, size_t bit, unsigned width)
{
	uint32_t number = 0;
	for (unsigned i = 0; i < width;)
	{
		unsigned shift = (unsigned)((bit + i) & 7), taken = 8 - shift < width - i ? 8 - shift : width - i;
		number |= ((uint32_t)row[(bit + i) >> 3] >> shift & ((1u << taken) - 1)) << i;
		i += taken;
	}
	return number;
}

static void putBits(unsigned char* row, size_t bit, unsigned width, uint32_t number)
{
	for (unsigned i = 0; i < width;)
	{
		unsigned shift = (unsigned)((bit + i) & 7), taken = 8 - shift < width - i ? 8 - shift : width - i;
		row[(bit + i) >> 3] |= (unsigned char)((number >> i & ((1u << taken) - 1)) << shift);
		i += taken;
	}
}

// What the last numbers lead to expect, newest first; where there are fewer, by fewer.
static uint32_t expect(const uint32_t* last, int order)
{
	switch (order)
	{
	case 0:
		return 0;
	case 1:
		return last[0];
	case 2:
		return 2 * last[0] - last[1];
	default:
		return 3 * last[0] - 3 * last[1] + last[2];
	}
}

/// Numbers of a column one after the other.
typedef struct Trend
{
	uint32_t last[maxOrder];
	int seen;
} Trend;

static uint32_t expectNext(const Trend* trend, int order)
{
	return expect(trend->last, order < trend->seen ? order : trend->seen);
}

static void addNumber(Trend* trend, uint32_t number)
{
	trend->last[2] = trend->last[1];
	trend->last[1] = trend->last[0];
	trend->last[0] = number;
	trend->seen += trend->seen < maxOrder;
}

static int countBits(uint32_t number)
{
	int count = 0;
	for (; number > 0; number >>= 1)
	{
		++count;
	}
	return count;
}

/// Folded rows in the making: how each column is expected, differences in a byte each, and those that are larger.
typedef struct RowFolder
{
	rpText orders, bytes, large;
} RowFolder;

static int chooseOrder(const unsigned char* rows, const Layout* layout, size_t bit, unsigned width)
{
	int64_t sizes[maxOrder + 1] = {0};
	Trend trend = {0};
	int best = 0;
	for (int i = 0; i < layout->frameCount; ++i)
	{
		uint32_t number = getBits(rows + (size_t)i * layout->rowSize, bit, width);
		for (int order = 0; order <= maxOrder; ++order)
		{
			sizes[order] += countBits(zigzag(number - expectNext(&trend, order)));
		}
		addNumber(&trend, number);
	}
	for (int order = 1; order <= maxOrder; ++order)
	{
		best = sizes[order] < sizes[best] ? order : best;
	}
	return best;
}

static void foldNumbers(RowFolder* out, const unsigned char* rows, const Layout* layout, size_t bit, unsigned width)
{
	int order = chooseOrder(rows, layout, bit, width);
	unsigned char code = (unsigned char)order;
	Trend trend = {0};
	rpText_Append(&out->orders, &code, 1);
	for (int i = 0; i < layout->frameCount; ++i)
	{
		uint32_t number = getBits(rows + (size_t)i * layout->rowSize, bit, width);
		uint32_t difference = zigzag(number - expectNext(&trend, order));
		unsigned char byte = difference < escape ? (unsigned char)difference : escape;
		rpText_Append(&out->bytes, &byte, 1);
		if (byte == escape)
		{
			unsigned char word[4];
			writeWord(word, difference);
			rpText_Append(&out->large, word, sizeof(word));
		}
		addNumber(&trend, number);
	}
}

static void appendSize(rpText* out, size_t size)
{
	unsigned char word[4];
	writeWord(word, (uint32_t)size);
	rpText_Append(out, word, sizeof(word));
}

// Sizes, the three lists, and what is behind the rows. False where blocks and rows do not fit.
static bool foldRows(const Frames* frames, const unsigned char* rows, Layout* layout, rpText* out)
{
	RowFolder folder = {0};
	size_t done = 0;
	bool isSound = true;
	for (size_t i = 0; i < frames->blockCount && isSound; ++i)
	{
		isSound =
			readLayout(frames, i, layout) && (size_t)layout->frameCount <= (frames->byteCount - done) / layout->rowSize;
		size_t bit = 0;
		for (int k = 0; k < layout->numberCount && isSound; ++k)
		{
			if (layout->widths[k] > 0)
			{
				foldNumbers(&folder, rows + done, layout, bit, layout->widths[k]);
			}
			bit += layout->widths[k];
		}
		done += isSound ? (size_t)layout->frameCount * layout->rowSize : 0;
	}
	appendSize(out, folder.orders.size);
	appendSize(out, folder.bytes.size);
	appendSize(out, folder.large.size);
	rpText_Append(out, folder.orders.data, folder.orders.size);
	rpText_Append(out, folder.bytes.data, folder.bytes.size);
	rpText_Append(out, folder.large.data, folder.large.size);
	rpText_Append(out, rows + done, frames->byteCount - done);
	out->failed = out->failed || folder.orders.failed || folder.bytes.failed || folder.large.failed;
	rpText_Free(&folder.orders);
	rpText_Free(&folder.bytes);
	rpText_Free(&folder.large);
	return isSound;
}

/// Bytes to be read.
typedef struct Source
{
	const unsigned char* at;
	size_t left;
} Source;

// NULL if there are not so many.
static const unsigned char* take(Source* source, uint64_t size)
{
	const unsigned char* at = source->at;
	if (size > source->left)
	{
		return NULL;
	}
	source->at += size;
	source->left -= (size_t)size;
	return at;
}

static bool unfoldNumbers(Source* orders, Source* bytes, Source* large, const Layout* layout, size_t bit,
						  unsigned width, unsigned char* rows)
{
	const unsigned char* order = take(orders, 1);
	const unsigned char* differences = take(bytes, (uint64_t)layout->frameCount);
	Trend trend = {0};
	bool isSound = order != NULL && differences != NULL && *order <= maxOrder;
	for (int i = 0; i < layout->frameCount && isSound; ++i)
	{
		const unsigned char* word = differences[i] == escape ? take(large, 4) : NULL;
		isSound = differences[i] != escape || word != NULL;
		uint32_t difference = word != NULL ? readWord(word) : differences[i];
		uint32_t number = expectNext(&trend, *order) + unzigzag(difference);
		isSound = isSound && number >> width == 0;
		if (isSound)
		{
			putBits(rows + (size_t)i * layout->rowSize, bit, width, number);
		}
		addNumber(&trend, number);
	}
	return isSound;
}

// Into rows that are all zero.
static bool unfoldRows(const Frames* frames, Source* source, Layout* layout, unsigned char* rows)
{
	const unsigned char* sizes = take(source, 12);
	if (sizes == NULL)
	{
		return false;
	}
	Source lists[3];
	for (int i = 0; i < 3; ++i)
	{
		size_t size = readWord(sizes + 4 * i);
		lists[i] = (Source){take(source, size), size};
		if (lists[i].at == NULL)
		{
			return false;
		}
	}
	size_t done = 0;
	for (size_t i = 0; i < frames->blockCount; ++i)
	{
		if (!readLayout(frames, i, layout) || (size_t)layout->frameCount > (frames->byteCount - done) / layout->rowSize)
		{
			return false;
		}
		size_t bit = 0;
		for (int k = 0; k < layout->numberCount; ++k)
		{
			unsigned width = layout->widths[k];
			if (width > 0 && !unfoldNumbers(&lists[0], &lists[1], &lists[2], layout, bit, width, rows + done))
			{
				return false;
			}
			bit += width;
		}
		done += (size_t)layout->frameCount * layout->rowSize;
	}
	const unsigned char* rest = take(source, frames->byteCount - done);
	if (rest != NULL)
	{
		memcpy(rows + done, rest, frames->byteCount - done);
	}
	return rest != NULL;
}

// ---- bundles

// The blocks of a bundle's rows, which stand before them; false if it has none.
static bool findFrames(const unsigned char* bundle, const rpBundleEntry* entries, int rows, Frames* out)
{
	bool found = false;
	for (int i = 0; i < rows; ++i)
	{
		const rpBundleEntry* entry = &entries[i];
		size_t head = sizeof(rpPackedHead), joint = sizeof(rpPackedJoint), size = entry->recordSize;
		if (memcmp(entry->type, "PBLK", 4) == 0 && size > head && (size - head) % joint == 0 &&
			3 * (size - head) / joint <= maxNumbers - 3)
		{
			*out = (Frames){bundle + entry->offset, entry->count, (int)((size - head) / joint),
							entries[rows].count * entries[rows].recordSize};
			found = true;
		}
	}
	return found && memcmp(entries[rows].type, "PROW", 4) == 0 && entries[rows].recordSize == 1;
}

static bool foldAll(const unsigned char* bytes, const rpBundleHeader* header, Layout* layout, rpText* out)
{
	const rpBundleEntry* entries = (const rpBundleEntry*)(const void*)(bytes + sizeof(rpBundleHeader));
	Frames frames;
	bool isSound = true;
	rpText_Append(out, RP_FOLDED_MAGIC, 4);
	rpText_Append(out, bytes + 4, sizeof(rpBundleHeader) - 4 + header->chunkCount * sizeof(rpBundleEntry));
	for (int i = 0; i < (int)header->chunkCount && isSound; ++i)
	{
		const unsigned char* chunk = bytes + entries[i].offset;
		if (findFrames(bytes, entries, i, &frames))
		{
			isSound = foldRows(&frames, chunk, layout, out);
		}
		else
		{
			foldChunk(&entries[i], chunk, out);
		}
	}
	return isSound;
}

static bool isInside(const rpBundleEntry* entry, size_t size)
{
	return entry->recordSize > 0 && entry->offset <= size && entry->count <= (size - entry->offset) / entry->recordSize;
}

static bool unfoldAll(Source* source, const rpBundleHeader* header, const rpBundleEntry* entries, Layout* layout,
					  unsigned char* out)
{
	Frames frames;
	for (int i = 0; i < (int)header->chunkCount; ++i)
	{
		if (!isInside(&entries[i], header->size))
		{
			return false;
		}
		if (findFrames(out, entries, i, &frames))
		{
			if (!unfoldRows(&frames, source, layout, out + entries[i].offset))
			{
				return false;
			}
			continue;
		}
		const unsigned char* chunk = take(source, getFoldedSize(&entries[i]));
		if (chunk == NULL)
		{
			return false;
		}
		unfoldChunk(&entries[i], chunk, out + entries[i].offset);
	}
	return source->left == 0;
}

void* rpUnfoldBundle(const void* bytes, size_t folded, size_t* size, rpError* error)
{
	Source source = {bytes, folded};
	rpBundleHeader header;
	memcpy(&header, take(&source, sizeof(header)), sizeof(header));
	size_t tableSize = header.chunkCount * sizeof(rpBundleEntry);
	if (header.chunkCount > RP_MAX_BUNDLE_CHUNKS || header.size / maxGrowth > folded || header.size > SIZE_MAX ||
		header.size < sizeof(header) + tableSize || tableSize > source.left)
	{
		failFolded(error);
		return NULL;
	}
	unsigned char* out = rpAllocateZero(header.size, 1, error);
	rpBundleEntry* entries = rpAllocate(header.chunkCount, sizeof(rpBundleEntry), error);
	Layout* layout = rpAllocate(1, sizeof(Layout), error);
	bool hasMemory = out != NULL && entries != NULL && layout != NULL, done = false;
	if (hasMemory)
	{
		// The table is read from a copy: a chunk may claim to lie on it.
		memcpy(entries, take(&source, tableSize), tableSize);
		memcpy(out, bytes, sizeof(header) + tableSize);
		memcpy(out, "RPB\x1a", 4);
		done = unfoldAll(&source, &header, entries, layout, out) || failFolded(error);
	}
	rpFree(entries);
	rpFree(layout);
	if (!done)
	{
		rpFree(out);
		return NULL;
	}
	*size = header.size;
	return out;
}

// Whether it comes back to the same bytes: rows need not be as packing leaves them.
static bool comesBack(const rpText* folded, const void* bytes, size_t size, bool* same, rpError* error)
{
	rpError own = {0};
	size_t unfolded = 0;
	void* back = rpUnfoldBundle(folded->data, folded->size, &unfolded, &own);
	*same = back != NULL && unfolded == size && memcmp(back, bytes, size) == 0;
	rpFree(back);
	return back != NULL || own.code != rp_errorMemory || rpFail(error, rp_errorMemory, "out of memory");
}

void* rpFoldBundle(const rpBundle* bundle, size_t* size, rpError* error)
{
	const unsigned char* bytes = rpBundle_GetBytes(bundle, size);
	rpText folded = {0};
	bool same = false;
	Layout* layout = rpAllocate(1, sizeof(Layout), error);
	if (layout == NULL)
	{
		return NULL;
	}
	bool isFolded = foldAll(bytes, (const rpBundleHeader*)(const void*)bytes, layout, &folded);
	rpFree(layout);
	bool done = !folded.failed || rpFail(error, rp_errorMemory, "out of memory");
	done = done && (!isFolded || comesBack(&folded, bytes, *size, &same, error));
	if (done && !same)
	{
		folded.size = 0;
		rpText_Append(&folded, bytes, *size);
		done = !folded.failed || rpFail(error, rp_errorMemory, "out of memory");
	}
	if (!done)
	{
		rpText_Free(&folded);
		return NULL;
	}
	*size = folded.size;
	return folded.data;
}
