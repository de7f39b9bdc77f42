/// Long chains of edits in random order: the source track still says where every frame comes from, as a second account
/// kept frame by frame has it.
#include "edit_scene.h"

#include <stdlib.h>
#include <string.h>

/// Where a frame comes from: which placing of a clip (-1: between two of them), and the moment of the clip.
typedef struct Origin
{
	int placing;
	double seconds;
} Origin;

typedef struct Chain
{
	rpRandom random;
	rpMotion* motion;
	Origin* origins;
	/// Name of the clip of each placing.
	char names[64][8];
	int placingCount;
} Chain;

static void replace(Chain* chain, rpMotion* motion, Origin* origins)
{
	assert_non_null(motion);
	rpDestroyMotion(chain->motion);
	free(chain->origins);
	chain->motion = motion;
	chain->origins = origins;
}

// Where the old motion's moment `place`, in frames, comes from.
static Origin mixOrigins(const Chain* chain, double place)
{
	int last = chain->motion->frameCount - 1;
	place = fmin(fmax(place, 0.0), last);
	int frame = (int)(place + 1e-6), next = place - frame > 1e-6 && frame < last ? frame + 1 : frame;
	Origin from = chain->origins[frame], to = chain->origins[next];
	bool isOne = from.placing == to.placing;
	return (Origin){isOne ? from.placing : -1, from.seconds + (place - frame) * (to.seconds - from.seconds)};
}

static rpMotion* makeClip(Chain* chain, const rpSkeleton* body, double fps)
{
	char* name = chain->names[chain->placingCount++];
	name[0] = (char)('a' + rpRandom_Index(&chain->random, 3));
	return testMakeMotion(body, name, fps, 100 + rpRandom_Index(&chain->random, 100), (uint64_t)name[0]);
}

static Origin* makeOrigins(const rpMotion* clip, int placing)
{
	Origin* origins = malloc((size_t)clip->frameCount * sizeof(Origin));
	for (int i = 0; i < clip->frameCount; ++i)
	{
		origins[i] = (Origin){placing, i / clip->fps};
	}
	return origins;
}

static void cropSome(Chain* chain)
{
	int first = rpRandom_Index(&chain->random, 1 + chain->motion->frameCount / 4);
	int count = chain->motion->frameCount - first - rpRandom_Index(&chain->random, 1 + chain->motion->frameCount / 4);
	Origin* origins = malloc((size_t)count * sizeof(Origin));
	memcpy(origins, chain->origins + first, (size_t)count * sizeof(Origin));
	replace(chain, rpCropFrames(chain->motion, first, count, NULL), origins);
}

static void joinAnother(Chain* chain)
{
	rpMotion* clip = makeClip(chain, chain->motion->skeleton, chain->motion->fps);
	Origin* later = makeOrigins(clip, chain->placingCount - 1);
	size_t count = (size_t)chain->motion->frameCount, more = (size_t)clip->frameCount;
	Origin* origins = malloc((count + more) * sizeof(Origin));
	memcpy(origins, chain->origins, count * sizeof(Origin));
	memcpy(origins + count, later, more * sizeof(Origin));
	const rpMotion* const both[] = {chain->motion, clip};
	replace(chain, rpJoinMotions(both, 2, NULL), origins);
	rpDestroyMotion(clip);
	free(later);
}

static void resampleSome(Chain* chain)
{
	double fps = rpRandom_Range(&chain->random, 24.0f, 120.0f), old = chain->motion->fps;
	rpMotion* result = rpResampleMotion(chain->motion, fps, NULL);
	Origin* origins = malloc((size_t)result->frameCount * sizeof(Origin));
	for (int i = 0; i < result->frameCount; ++i)
	{
		origins[i] = mixOrigins(chain, i / fps * old);
	}
	replace(chain, result, origins);
}

static void retimeSome(Chain* chain)
{
	double newTimes[4] = {0.0}, oldTimes[4] = {0.0}, fps = chain->motion->fps;
	for (int i = 1; i < 4; ++i)
	{
		oldTimes[i] = oldTimes[i - 1] + rpMotion_GetDuration(chain->motion) / 3.0;
		newTimes[i] = newTimes[i - 1] + (oldTimes[i] - oldTimes[i - 1]) * rpRandom_Range(&chain->random, 0.6f, 1.6f);
	}
	rpWarp warp = {newTimes, oldTimes, 4, rpRandom_Index(&chain->random, 2) == 0};
	rpMotion* result = rpRetimeMotion(chain->motion, &warp, NULL);
	assert_non_null(result);
	Origin* origins = malloc((size_t)result->frameCount * sizeof(Origin));
	for (int i = 0; i < result->frameCount; ++i)
	{
		origins[i] = mixOrigins(chain, rpWarp_Apply(&warp, i / fps) * fps);
	}
	replace(chain, result, origins);
}

static Origin* copyOrigins(const Chain* chain)
{
	size_t size = (size_t)chain->motion->frameCount * sizeof(Origin);
	return memcpy(malloc(size), chain->origins, size);
}

static void mirror(Chain* chain)
{
	replace(chain, rpMirrorMotion(chain->motion, NULL), copyOrigins(chain));
}

static void move(Chain* chain)
{
	rpGroundTransform ground = {rpRandom_Normal(&chain->random), {rpRandom_Normal(&chain->random), 0.0f, 1.0f}};
	replace(chain, rpMoveMotion(chain->motion, ground, NULL), copyOrigins(chain));
}

static int checkOrigins(const Chain* chain)
{
	int checked = 0;
	for (int i = 0; i < chain->motion->frameCount; ++i)
	{
		double seconds = 0.0;
		const char* name = testFindSource(chain->motion, i / chain->motion->fps, &seconds);
		Origin origin = chain->origins[i];
		assert_non_null(name);
		if (origin.placing >= 0)
		{
			assert_string_equal(name, chain->names[origin.placing]);
			// Smooth warps are followed to a tenth of a frame each, at 24 frames per second and up.
			assert_true(fabs(seconds - origin.seconds) < 0.02);
			++checked;
		}
	}
	return checked;
}

static void testChains(void** state)
{
	(void)state;
	void (*const edits[])(Chain*) = {cropSome, joinAnother, resampleSome, retimeSome, mirror, move};
	rpSkeleton* body = testMakePuppet(false);
	int checked = 0;
	for (uint64_t seed = 0; seed < 100; ++seed)
	{
		Chain chain = {.random = rpSeedRandom(seed)};
		chain.motion = makeClip(&chain, body, 60.0);
		chain.origins = makeOrigins(chain.motion, 0);
		// One that changes times, so that the clip has a source track.
		cropSome(&chain);
		for (int i = 0; i < 12; ++i)
		{
			edits[rpRandom_Index(&chain.random, 6)](&chain);
			testCheckMotion(chain.motion);
			checked += checkOrigins(&chain);
		}
		rpDestroyMotion(chain.motion);
		free(chain.origins);
	}
	assert_true(checked > 100000);
	rpReleaseSkeleton(body);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(testChains)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
