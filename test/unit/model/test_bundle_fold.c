/// Folded bundles: back to the same byte, whatever the bundle; and damage at any place does no harm.
#include "play_scene.h"
#include "tiny_graph.h"

#include "model/bundle_fold.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static size_t compressedSize(const void* bytes, size_t size)
{
	uLongf out = compressBound(size);
	unsigned char* packed = malloc(out);
	assert_int_equal(compress2(packed, &out, bytes, size, 9), Z_OK);
	free(packed);
	return out;
}

static void* fold(const void* bytes, size_t size, size_t* folded)
{
	rpError error = {0};
	rpBundle* bundle = rpCreateBundle(bytes, size, &error);
	assert_non_null(bundle);
	void* out = rpFoldBundle(bundle, folded, &error);
	assert_non_null(out);
	rpDestroyBundle(bundle);
	return out;
}

static void* pack(const void* bytes, size_t size, size_t* packed)
{
	rpBundle* bundle = rpCreateBundle(bytes, size, NULL);
	void* out = rpPackBundle(bundle, NULL, packed, NULL);
	assert_non_null(out);
	rpDestroyBundle(bundle);
	return out;
}

static void expectSame(const void* bytes, size_t size)
{
	size_t folded, opened;
	rpError error = {0};
	void* bent = fold(bytes, size, &folded);
	assert_true(rpIsFolded(bent, folded));
	rpBundle* bundle = rpCreateBundle(bent, folded, &error);
	assert_string_equal(error.message, "");
	const void* back = rpBundle_GetBytes(bundle, &opened);
	assert_int_equal(opened, size);
	assert_memory_equal(back, bytes, size);
	rpDestroyBundle(bundle);
	bundle = rpOpenBundle(testWriteFile("folded.rpb", bent, folded), &error);
	assert_memory_equal(rpBundle_GetBytes(bundle, &opened), bytes, size);
	// Folded again it is what it was.
	size_t again;
	void* twice = rpFoldBundle(bundle, &again, NULL);
	assert_int_equal(again, folded);
	assert_memory_equal(twice, bent, folded);
	rpFreeBytes(twice);
	rpDestroyBundle(bundle);
	rpFreeBytes(bent);
}

static void testComesBack(void** state)
{
	(void)state;
	void* bytes;
	size_t size, packedSize, folded;
	rpBundle* bundle = testMakeWalkBundle(3.0, &bytes, &size);
	rpDestroyBundle(bundle);
	void* packed = pack(bytes, size, &packedSize);
	expectSame(bytes, size);
	expectSame(packed, packedSize);
	void* bent = fold(packed, packedSize, &folded);
	size_t plain = compressedSize(packed, packedSize), better = compressedSize(bent, folded);
	print_message("packed %zu bytes, with zlib %zu, folded %zu\n", packedSize, plain, better);
	assert_true(better < 0.7 * (double)plain);
	rpFreeBytes(bent);
	rpFreeBytes(packed);
	rpFreeBytes(bytes);
}

// Chunks of all record sizes, empty ones among them; and rows that are none: those are left as they are.
static void testOddChunks(void** state)
{
	(void)state;
	static const size_t sizes[] = {1, 2, 3, 4, 6, 8, 12, 56};
	unsigned char content[56 * 7];
	size_t size;
	rpBundleWriter writer = {0};
	for (size_t i = 0; i < sizeof(content); ++i)
	{
		content[i] = (unsigned char)(i * i * 31 + 7);
	}
	for (int i = 0; i < 8; ++i)
	{
		char type[5] = {'O', 'D', 'D', (char)('0' + i), 0};
		assert_true(rpBundleWriter_Add(&writer, type, content, i == 5 ? 0 : 7, sizes[i], NULL));
	}
	void* bytes = rpBundleWriter_Finish(&writer, &size, NULL);
	expectSame(bytes, size);
	rpFreeBytes(bytes);
	assert_true(rpBundleWriter_Add(&writer, "PBLK", content, 1, 36, NULL));
	assert_true(rpBundleWriter_Add(&writer, "PROW", content, 100, 1, NULL));
	bytes = rpBundleWriter_Finish(&writer, &size, NULL);
	size_t folded;
	void* bent = fold(bytes, size, &folded);
	assert_int_equal(folded, size);
	assert_memory_equal(bent, bytes, size);
	rpFreeBytes(bent);
	rpFreeBytes(bytes);
	rpBundleWriter_Free(&writer);
}

static void* makeTiny(size_t* size)
{
	TinyGraph tiny;
	size_t exactSize;
	assert_true(tinyMake(&tiny));
	void* exact = rpWriteGraphBundle(&tiny.graph, &exactSize, NULL);
	void* packed = pack(exact, exactSize, size);
	tinyFree(&tiny);
	rpFreeBytes(exact);
	return packed;
}

// What is cut off, changed or claimed is refused, or comes to a bundle that is checked as all are.
static void testDamage(void** state)
{
	(void)state;
	static const unsigned char changes[] = {0x01, 0x80, 0xff, 0x7f};
	size_t size, folded;
	void* bytes = makeTiny(&size);
	unsigned char* bent = fold(bytes, size, &folded);
	int blocks = testCountLiveBlocks();
	for (size_t i = 4; i < folded; ++i)
	{
		for (size_t k = 0; k < sizeof(changes); ++k)
		{
			rpError error = {0};
			bent[i] ^= changes[k];
			rpBundle* bundle = rpCreateBundle(bent, folded, &error);
			// Some changes mean nothing: a flag has more bits than one.
			assert_true(bundle != NULL || error.message[0] != 0);
			rpDestroyBundle(bundle);
			bent[i] ^= changes[k];
		}
	}
	for (size_t cut = 0; cut < folded; cut += 1 + cut / 50)
	{
		rpError error = {0};
		assert_null(rpCreateBundle(bent, cut, &error));
		assert_true(error.message[0] != 0);
	}
	// A size that is far too large takes no memory.
	uint64_t claimed = (uint64_t)1 << 40;
	rpError error = {0};
	memcpy(bent + 16, &claimed, sizeof(claimed));
	assert_null(rpCreateBundle(bent, folded, &error));
	assert_int_equal(error.code, rp_errorFormat);
	assert_int_equal(testCountLiveBlocks(), blocks);
	rpFreeBytes(bent);
	rpFreeBytes(bytes);
}

static void testMemoryRunsOut(void** state)
{
	(void)state;
	size_t size, folded;
	void* bytes = makeTiny(&size);
	rpBundle* bundle = rpCreateBundle(bytes, size, NULL);
	int blocks = testCountLiveBlocks();
	void* bent = NULL;
	for (int n = 0; bent == NULL; ++n)
	{
		rpError error = {0};
		testFailAllocation(n);
		bent = rpFoldBundle(bundle, &folded, &error);
		testFailAllocation(-1);
		assert_true(bent != NULL || error.code == rp_errorMemory);
		assert_int_equal(testCountLiveBlocks(), blocks + (bent != NULL));
	}
	blocks = testCountLiveBlocks();
	rpBundle* opened = NULL;
	for (int n = 0; opened == NULL; ++n)
	{
		rpError error = {0};
		testFailAllocation(n);
		opened = rpCreateBundle(bent, folded, &error);
		testFailAllocation(-1);
		assert_true(opened != NULL || error.code == rp_errorMemory);
		assert_true(opened != NULL || testCountLiveBlocks() == blocks);
	}
	rpDestroyBundle(opened);
	rpDestroyBundle(bundle);
	rpFreeBytes(bent);
	rpFreeBytes(bytes);
}

int main(void)
{
	testUseCountingAllocator();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testComesBack),
		cmocka_unit_test(testOddChunks),
		cmocka_unit_test(testDamage),
		cmocka_unit_test(testMemoryRunsOut),
	};
	return cmocka_run_group_tests_name("bundle_fold", tests, NULL, NULL);
}
