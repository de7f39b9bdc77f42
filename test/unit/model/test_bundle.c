/// Bundles: what goes in comes out, and damage at any place does no harm.
#include "play_scene.h"
#include "tiny_graph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum
{
	headerSize = 32,
	sizeOffset = 16,
	checksumOffset = 24,
	versionOffset = 4,
};

// As an attacker would do it: the checksum fits.
static void seal(unsigned char* bytes, size_t size)
{
	uint64_t checksum = XXH3_64bits(bytes + headerSize, size - headerSize);
	memcpy(bytes + checksumOffset, &checksum, sizeof(checksum));
}

static void* makeTiny(size_t* size)
{
	TinyGraph tiny;
	rpError error = {0};
	assert_true(tinyMake(&tiny));
	void* bytes = rpWriteGraphBundle(&tiny.graph, size, &error);
	if (bytes == NULL)
	{
		fail_msg("%s", error.message);
	}
	tinyFree(&tiny);
	return bytes;
}

static void* makePacked(size_t* size, rpPacking* packing)
{
	size_t exactSize;
	rpError error = {0};
	void* exact = makeTiny(&exactSize);
	rpBundle* bundle = rpCreateBundle(exact, exactSize, &error);
	void* bytes = rpPackBundle(bundle, packing, size, &error);
	if (bytes == NULL)
	{
		fail_msg("%s", error.message);
	}
	rpDestroyBundle(bundle);
	rpFreeBytes(exact);
	return bytes;
}

// Whether a bundle can be played; it is, for a while.
static bool play(const void* bytes, size_t size, rpError* error)
{
	rpBundle* bundle = rpCreateBundle(bytes, size, error);
	rpPlayerDef def = rpDefaultPlayerDef();
	def.lockFeet = false;
	rpPlayer* player = bundle != NULL ? rpCreatePlayer(bundle, &def, error) : NULL;
	if (player != NULL)
	{
		rpQuat rotations[RP_MAX_JOINTS];
		rpPose pose = {.rotations = rotations};
		rpPlayerReport report;
		for (int i = 0; i < 50; ++i)
		{
			rpPlayerInput input = {.stick = {(float)sin(i), (float)cos(i)}};
			rpPlayer_Step(player, 0.02, &input, &pose, &report);
			assert_true(report.sourceCount > 0 && rpPlayer_GetClipName(player, report.sources[0].clip) != NULL);
		}
		rpPlayer_Peek(player, 1.0, &pose, &report);
	}
	bool done = player != NULL;
	rpDestroyPlayer(player);
	rpDestroyBundle(bundle);
	return done;
}

static void testWhole(void** state)
{
	(void)state;
	size_t size;
	rpError error = {0};
	void* bytes = makeTiny(&size);
	assert_true(play(bytes, size, &error));
	rpBundle* bundle = rpCreateBundle(bytes, size, &error);
	int count;
	assert_true(rpBundle_HasChunk(bundle, "GEDG"));
	assert_false(rpBundle_HasChunk(bundle, "NONE"));
	assert_non_null(rpBundle_GetChunk(bundle, "ROOT", sizeof(rpVec3), &count, &error));
	assert_int_equal(count, tinyFrames);
	assert_null(rpBundle_GetChunk(bundle, "ROOT", 16, &count, &error));
	assert_int_equal(error.code, rp_errorFormat);
	rpDestroyBundle(bundle);

	// From a file as well; and one that is not there.
	bundle = rpOpenBundle(testWriteFile("tiny.rpb", bytes, size), &error);
	assert_non_null(bundle);
	rpDestroyBundle(bundle);
	assert_null(rpOpenBundle(testPath("none.rpb"), &error));
	assert_int_equal(error.code, rp_errorFile);
	rpFreeBytes(bytes);
}

// Without a fitting checksum every change is an error; with one it is an error, or does no harm.
static void damage(unsigned char* bytes, size_t size)
{
	static const unsigned char changes[] = {0x01, 0x80, 0xff, 0x7f};
	int blocks = testCountLiveBlocks(), refused = 0, played = 0;
	for (size_t i = 0; i < size; ++i)
	{
		for (size_t k = 0; k < sizeof(changes); ++k)
		{
			rpError error = {0};
			bytes[i] ^= changes[k];
			// The word after the count of chunks says nothing yet.
			bool isReserved = i >= 12 && i < sizeOffset;
			assert_true(play(bytes, size, &error) == isReserved);
			assert_true(isReserved || error.message[0] != 0);
			if (i >= headerSize)
			{
				seal(bytes, size);
				bool done = play(bytes, size, &error);
				played += done;
				refused += !done;
			}
			bytes[i] ^= changes[k];
			seal(bytes, size);
			assert_int_equal(testCountLiveBlocks(), blocks);
		}
	}
	print_message("%zu bytes: %d changes refused, %d played\n", size, refused, played);
	assert_true(refused > 1000 && played > 1000);
	assert_true(play(bytes, size, NULL));
}

static void testDamage(void** state)
{
	(void)state;
	size_t size;
	void* bytes = makeTiny(&size);
	damage(bytes, size);
	rpFreeBytes(bytes);
	bytes = makePacked(&size, NULL);
	damage(bytes, size);
	rpFreeBytes(bytes);
}

static void truncate(const unsigned char* bytes, size_t size)
{
	unsigned char* part = malloc(size);
	for (size_t length = 0; length < size; ++length)
	{
		rpError error = {0};
		memcpy(part, bytes, length);
		assert_false(play(part, length, &error));
		assert_int_equal(error.code, rp_errorFormat);
		if (length >= headerSize)
		{
			uint64_t claimed = length;
			memcpy(part + sizeOffset, &claimed, sizeof(claimed));
			seal(part, length);
			// What is cut off may be the padding after the last chunk.
			(void)play(part, length, &error);
		}
	}
	free(part);
}

static void testTruncated(void** state)
{
	(void)state;
	size_t size;
	void* bytes = makeTiny(&size);
	truncate(bytes, size);
	rpFreeBytes(bytes);
	bytes = makePacked(&size, NULL);
	truncate(bytes, size);
	rpFreeBytes(bytes);
}

static uint32_t getVersion(const void* bytes)
{
	uint32_t version;
	memcpy(&version, (const char*)bytes + versionOffset, sizeof(version));
	return version;
}

static bool packTiny(void* context, rpError* error)
{
	size_t size;
	void* bytes = rpPackBundle(context, NULL, &size, error);
	bool done = bytes != NULL && play(bytes, size, error);
	rpFreeBytes(bytes);
	return done;
}

// A packed one is of a version that those before it refuse, with or without layers; exact ones are as they were.
static void testPacked(void** state)
{
	(void)state;
	size_t size, layeredSize, exactSize;
	rpError error = {0};
	rpPacking packing;
	void *bytes = makePacked(&size, &packing), *again = makePacked(&layeredSize, NULL), *exact = makeTiny(&exactSize);
	assert_int_equal(size, layeredSize);
	assert_memory_equal(bytes, again, size);
	rpFreeBytes(again);
	assert_true(getVersion(bytes) == 2 && getVersion(exact) == 1);
	assert_true(packing.maxTravel > 0.0f && packing.maxTravel <= 1e-4f);
	assert_true(packing.maxTurn > 0.0f && packing.maxTurn <= 0.05f * (float)RP_DEGREE);
	rpBundle *packed = rpCreateBundle(bytes, size, NULL), *plain = rpCreateBundle(exact, exactSize, NULL);
	static const char* const gone[] = {"ROWS", "ROOT", "GPTH", "GLEN", "GSID"};
	for (int i = 0; i < 5; ++i)
	{
		assert_false(rpBundle_HasChunk(packed, gone[i]));
	}
	assert_null(rpPackBundle(packed, NULL, &size, &error));
	assert_int_equal(error.code, rp_errorArgument);
	rpLeanDef lean = rpDefaultLeanDef();
	void* layered = rpBundle_WithLayer(packed, rpFindLayerKind("lean"), &lean, &layeredSize, &error);
	assert_true(layered != NULL && getVersion(layered) == 2 && play(layered, layeredSize, &error));
	rpFreeBytes(layered);
	testFailEach(packTiny, plain, 20);
	rpDestroyBundle(packed);
	rpDestroyBundle(plain);
	rpFreeBytes(bytes);
	rpFreeBytes(exact);
}

static void testNewer(void** state)
{
	(void)state;
	size_t size;
	unsigned char* bytes = makeTiny(&size);
	rpError error = {0};
	uint32_t version = RP_BUNDLE_VERSION + 1;
	memcpy(bytes + versionOffset, &version, sizeof(version));
	assert_null(rpCreateBundle(bytes, size, &error));
	assert_int_equal(error.code, rp_errorVersion);
	assert_true(strstr(error.message, "version 3") != NULL);
	rpFreeBytes(bytes);
}

// Bundles of old versions stay readable.
static void testOld(void** state)
{
	(void)state;
	const char* source = getenv("REPRISE_SOURCE");
	if (source == NULL)
	{
		skip();
	}
	char path[1024];
	size_t size;
	rpError error = {0};
	snprintf(path, sizeof(path), "%s/test/keep/bundle/version-1", source);
	char* bytes = testReadFile(path, &size);
	assert_non_null(bytes);
	assert_true(play(bytes, size, &error));
	free(bytes);
}

// The clips of a real one are those of the graph, used where they lie.
static void testBytes(void** state)
{
	(void)state;
	rpGraph* graph = testMakeWalkGraph(3.0, false);
	size_t size, again;
	void *bytes = rpWriteGraphBundle(graph, &size, NULL), *same = rpWriteGraphBundle(graph, &again, NULL);
	assert_int_equal(size, again);
	assert_memory_equal(bytes, same, size);
	assert_true(rpSaveGraphBundle(graph, testPath("walk.rpb"), NULL));
	char* file = testReadFile(testPath("walk.rpb"), &again);
	assert_int_equal(size, again);
	assert_memory_equal(bytes, file, size);
	free(file);

	// Bytes that are aligned to 8 alone do as well.
	unsigned char* shifted = malloc(size + 8);
	memcpy(shifted + 8, bytes, size);
	assert_true(play(shifted + 8, size, NULL));
	free(shifted);
	rpFreeBytes(bytes);
	rpFreeBytes(same);

	// Bones that change their lengths are refused.
	rpMotion* motion = graph->clips[1].motion;
	size_t count = (size_t)motion->frameCount * (size_t)motion->skeleton->jointCount;
	rpError error = {0};
	rpVec3* stretched = calloc(count, sizeof(rpVec3));
	motion->translations = stretched;
	assert_null(rpWriteGraphBundle(graph, &size, &error));
	assert_int_equal(error.code, rp_errorArgument);
	motion->translations = NULL;
	free(stretched);
	rpDestroyGraph(graph);
}

int main(void)
{
	testUseCountingAllocator();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testWhole),  cmocka_unit_test(testDamage), cmocka_unit_test(testTruncated),
		cmocka_unit_test(testNewer),  cmocka_unit_test(testOld),    cmocka_unit_test(testBytes),
		cmocka_unit_test(testPacked),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
