/// Parametric graphs as models: kept in a library, opened by the table, played as they are, packed and folded; and with each
/// byte changed.
#include "parametric_scene.h"
#include "tiny_parametric.h"

#include "../../../fuzz/bundle_mutator.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Where it gets under a stick, and whether all it shows are numbers.
static rpVec3 play(const void* bytes, size_t size)
{
	rpError error = {0};
	rpBundle* bundle = rpCreateBundle(bytes, size, &error);
	rpPlayer* player = bundle != NULL ? rpCreatePlayer(bundle, NULL, &error) : NULL;
	if (player == NULL)
	{
		fail_msg("%s", error.message);
	}
	rpQuat rotations[RP_MAX_JOINTS];
	rpPose pose = {.rotations = rotations};
	for (int i = 0; i < 600; ++i)
	{
		rpPlayerInput input = {.stick = {i / 200 == 1 ? 0.7f : 0.0f, 0.5f}};
		rpPlayer_Step(player, 1.0 / 60.0, &input, &pose, NULL);
		assert_true(isfinite(pose.rootPosition.x) && fabsf(rpDotQuat(rotations[4], rotations[4]) - 1.0f) < 1e-3f);
	}
	rpDestroyPlayer(player);
	rpDestroyBundle(bundle);
	return pose.rootPosition;
}

// Walks as a library has them.
static rpSpace* makeSpaceOf(rpLibrary* library)
{
	rpMotion* walks[testWalkCount];
	rpMatch matches[testWalkCount];
	rpSpaceDef def = rpDefaultSpaceDef();
	def.features = "turn";
	testMakeWalks(walks, matches);
	for (int i = 0; i < testWalkCount; ++i)
	{
		rpMotion* walk = walks[i];
		assert_true(rpLibrary_AddClip(library, walk, NULL, NULL, NULL) != 0);
		walks[i] = rpLibrary_LoadClip(library, rpLibrary_FindClip(library, walk->name, NULL), NULL);
		rpDestroyMotion(walk);
	}
	rpSpace* space =
		rpBuildSpace((const rpMotion* const*)walks, testWalkCount, matches, testWalkCount, &def, NULL, NULL, NULL);
	testDestroyWalks(walks);
	assert_non_null(space);
	return space;
}

static void testKept(void** state)
{
	(void)state;
	static const char* const names[] = {"walk"};
	rpError error = {0};
	rpLibrary* library = rpOpenLibrary(testPath("pgraph.reprise"), rp_openCreate, NULL);
	rpSpace* space = makeSpaceOf(library);
	rpParametricGraph* graph = testMakeParametricGraph((const rpSpace* const*)&space, names, 1);
	assert_true(rpLibrary_PutParametricGraph(library, "walking", graph, &error));
	rpModel* model = rpLibrary_OpenModel(library, "walking", &error);
	assert_true(model != NULL && strcmp(rpModel_GetKind(model)->name, "pgraph") == 0);
	rpModelCount counts[RP_MAX_MODEL_COUNTS];
	assert_int_equal(rpModel_GetCounts(model, counts), 3);
	assert_true(counts[0].count == 1 && counts[1].count == 1 && counts[2].count == space->exampleCount);
	size_t size, ownSize, packedSize, foldedSize;
	void *bytes = rpModel_WriteBundle(model, &size, &error), *own = rpWriteParametricBundle(graph, &ownSize, &error);
	assert_true(size == ownSize && memcmp(bytes, own, size) == 0);
	rpBundle* bundle = rpCreateBundle(bytes, size, &error);
	void* packed = rpPackBundle(bundle, NULL, &packedSize, &error);
	assert_true(packed != NULL && 2 * packedSize < size);
	rpDestroyBundle(bundle);
	bundle = rpCreateBundle(packed, packedSize, &error);
	void* folded = rpFoldBundle(bundle, &foldedSize, &error);
	rpVec3 exact = play(bytes, size), small = play(packed, packedSize), again = play(folded, foldedSize);
	assert_true(rpLength(exact) > 3.0f && rpDistance(exact, small) < 0.2f && rpDistance(small, again) == 0.0f);
	rpDestroyBundle(bundle);
	rpFreeBytes(folded);
	rpFreeBytes(packed);
	rpFreeBytes(own);
	rpFreeBytes(bytes);
	rpDestroyModel(model);
	rpDestroyParametricGraph(graph);
	rpDestroySpace(space);

	// Without one of its clips it says which, and what to do.
	assert_true(rpLibrary_RemoveClip(library, rpLibrary_FindClip(library, "walk-2", NULL), &error));
	assert_null(rpLibrary_LoadParametricGraph(library, "walking", &error));
	assert_int_equal(error.code, rp_errorMissing);
	assert_true(strstr(error.message, "walk-2") != NULL && error.hint[0] != 0);
	assert_null(rpLibrary_LoadParametricGraph(library, "nothing", &error));
	rpCloseLibrary(library);
}

// Each byte of a small one changed, its checksum made to fit: it is refused, or numbers are shown.
static void testSpoilt(void** state)
{
	(void)state;
	size_t size;
	rpSpace* space = tinyMakeSpace();
	rpParametricGraph* graph = space != NULL ? tinyMakeParametric(space) : NULL;
	assert_non_null(graph);
	uint8_t* bytes = rpWriteParametricBundle(graph, &size, NULL);
	int played = 0, refused = 0;
	for (size_t i = 0; i < size; ++i)
	{
		rpError error = {0};
		// Frames are many and alike.
		i += i > 10000 ? 61 : 2;
		uint8_t* at = bytes + (i < size ? i : size - 1);
		*at ^= 0x41;
		fitBundle(bytes, size);
		rpBundle* bundle = rpCreateBundle(bytes, size, &error);
		rpPlayer* player = bundle != NULL ? rpCreatePlayer(bundle, NULL, &error) : NULL;
		rpQuat rotations[RP_MAX_JOINTS];
		rpPose pose = {.rotations = rotations};
		for (int k = 0; k < 30 && player != NULL; ++k)
		{
			rpPlayerInput input = {.stick = {1.0f, 0.0f}, .request = k / 10};
			rpPlayer_Step(player, 0.1, &input, &pose, NULL);
			assert_true(isfinite(pose.rootPosition.x) && isfinite(rotations[0].w));
		}
		*(player != NULL ? &played : &refused) += 1;
		assert_true(player != NULL || error.message[0] != 0);
		rpDestroyPlayer(player);
		rpDestroyBundle(bundle);
		*at ^= 0x41;
	}
	print_message("%d played, %d refused\n", played, refused);
	assert_true(played > 50 && refused > 100);
	rpFreeBytes(bytes);
	rpDestroyParametricGraph(graph);
	rpDestroySpace(space);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testKept),
		cmocka_unit_test(testSpoilt),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
