/// Models of locomotion: nodes and edges as the takes show them, rules, mirror images, what is missing; kept and
/// written.
#include "build/locomotion_build.h"
#include "build/take_split.h"
#include "locomotion_scene.h"
#include "tiny_locomotion.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

// Nodes and edges are those that a count over the takes gives, by another route.
static void testGraph(void** state)
{
	(void)state;
	TestLocomotion scene = testPerformAllGaits(60.0, 1);
	rpLocomotion* model = testBuildLocomotion(&scene, false);
	uint32_t edges[rp_movementKindCount] = {0};
	for (int i = 0; i < scene.movements.count; ++i)
	{
		for (int k = 0; k < scene.movements.count; ++k)
		{
			const rpMovement *a = &scene.movements.items[i], *b = &scene.movements.items[k];
			edges[a->kind] |= a->take == b->take && fabs(a->end - b->start) < 1e-6 ? 1u << b->kind : 0;
		}
	}
	for (int kind = 0; kind < rp_movementKindCount; ++kind)
	{
		const rpLocomotionNode* node = &model->nodes[kind];
		assert_int_equal(node->movementCount, scene.movements.counts[kind]);
		assert_int_equal(node->successors, edges[kind]);
		for (int i = 0; i < node->movementCount; ++i)
		{
			const rpMovement* movement = &model->movements[node->firstMovement + i];
			assert_int_equal(movement->kind, kind);
			assert_true(movement->speed >= node->lows[rp_movementSpeed] &&
						movement->speed <= node->highs[rp_movementSpeed]);
		}
	}
	// Every gait can be gone on in, and leads to each.
	for (int gait = 0; gait < rp_gaitCount; ++gait)
	{
		assert_int_equal(model->reachable[gait], 7);
	}
	assert_int_equal(rpLocomotion_FindCore(model), (1u << rp_movementKindCount) - 1);
	rpDestroyLocomotion(model);
	testFreeLocomotion(&scene);
}

static rpMovement makeHalfCycle(bool isLeft, float speed, float turn, double start)
{
	return (rpMovement){.kind = isLeft ? rp_movementLDR : rp_movementRDL,
						.start = start,
						.end = start + 0.5,
						.keytimes = {start, start + 0.2, start + 0.3, start + 0.5},
						.keytimeCount = 4,
						.speed = speed,
						.turn = turn,
						.isSuccessor = start > 0.0};
}

// A take's end and the next one's begin are no succession.
static void testTakeEnds(void** state)
{
	(void)state;
	rpMotion* takes[2] = {tinyMakeTake(), tinyMakeTake()};
	rpMovement items[] = {tinyMakeMovement(rp_movementLDR, 0, 6),   tinyMakeMovement(rp_movementRDL, 6, 12),
						  tinyMakeMovement(rp_movementLDR, 12, 18), tinyMakeMovement(rp_movementFLF, 0, 6),
						  tinyMakeMovement(rp_movementFRF, 6, 12),  tinyMakeMovement(rp_movementFLF, 12, 18)};
	items[3].take = items[4].take = items[5].take = 1;
	rpMovements movements = {.items = items, .count = 6};
	rpFindings missing = {0};
	rpLocomotion* model = rpBuildLocomotionFrom((const rpMotion* const*)takes, 2, &movements, NULL, &missing, NULL);
	assert_non_null(model);
	// Of two gaits without a path between them one is left out, and that is said.
	assert_non_null(rpFindings_Find(&missing, "unreachable_gait"));
	rpFindings_Free(&missing);
	assert_int_equal(model->nodes[rp_movementLDR].successors, 1u << rp_movementRDL);
	assert_int_equal(model->nodes[rp_movementRDL].successors, 1u << rp_movementLDR);
	assert_int_equal(model->nodes[rp_movementFLF].successors, 1u << rp_movementFRF);
	assert_int_equal(model->reachable[rp_gaitWalk], 1u << rp_gaitWalk);
	rpDestroyLocomotion(model);
	rpDestroyMotion(takes[0]);
	rpDestroyMotion(takes[1]);
}

// ---- the rule of turns

// Least squares by Gram & Schmidt on the columns, as a second route.
static void solveDirectly(const double (*terms)[3], const double* values, int count, double out[3])
{
	double* basis = malloc(3 * (size_t)count * sizeof(double));
	double r[3][3] = {{0}}, q[3] = {0};
	for (int k = 0; k < 3; ++k)
	{
		double* column = basis + (size_t)k * (size_t)count;
		for (int i = 0; i < count; ++i)
		{
			column[i] = terms[i][k];
		}
		for (int j = 0; j < k; ++j)
		{
			const double* other = basis + (size_t)j * (size_t)count;
			for (int i = 0; i < count; ++i)
			{
				r[j][k] += other[i] * terms[i][k];
			}
			for (int i = 0; i < count; ++i)
			{
				column[i] -= r[j][k] * other[i];
			}
		}
		double square = 0.0;
		for (int i = 0; i < count; ++i)
		{
			square += column[i] * column[i];
		}
		r[k][k] = sqrt(square);
		for (int i = 0; i < count; ++i)
		{
			column[i] /= r[k][k];
			q[k] += column[i] * values[i];
		}
	}
	for (int k = 2; k >= 0; --k)
	{
		out[k] = q[k];
		for (int j = k + 1; j < 3; ++j)
		{
			out[k] -= r[k][j] * out[j];
		}
		out[k] /= r[k][k];
	}
	free(basis);
}

static void testTurnRule(void** state)
{
	(void)state;
	enum
	{
		count = 200
	};
	static rpMovement movements[count];
	static double terms[count][3], values[count];
	rpRandom random = rpSeedRandom(3);
	for (int i = 0; i < count; ++i)
	{
		float speed = rpRandom_Range(&random, 0.8f, 1.8f), turn = rpRandom_Range(&random, -0.5f, 0.5f);
		float half = 0.5f * (0.2f * speed - 0.3f * turn + 0.1f) + 0.05f * rpRandom_Normal(&random);
		movements[i] = makeHalfCycle(i % 2 == 0, speed, i % 2 == 0 ? turn + half : turn - half, 0.5 * i);
	}
	for (int i = 1; i < count; ++i)
	{
		const rpMovement *left = &movements[i % 2 == 0 ? i : i - 1], *right = &movements[i % 2 == 0 ? i - 1 : i];
		terms[i - 1][0] = 0.5 * ((double)left->speed + (double)right->speed);
		terms[i - 1][1] = 0.5 * ((double)left->turn + (double)right->turn);
		terms[i - 1][2] = 1.0;
		values[i - 1] = (double)left->turn - (double)right->turn;
	}
	double direct[3];
	solveDirectly((const double(*)[3])terms, values, count - 1, direct);
	rpTurnRule rule = rpFitTurnRule(movements, count, rp_gaitWalk);
	assert_int_equal(rule.pairCount, count - 1);
	assert_float_equal(rule.bySpeed, direct[0], 1e-5);
	assert_float_equal(rule.byTurn, direct[1], 1e-5);
	assert_float_equal(rule.constant, direct[2], 1e-5);
	assert_int_equal(rpFitTurnRule(movements, count, rp_gaitRun).pairCount, 0);

	// Where nothing varies there is a constant alone.
	for (int i = 0; i < count; ++i)
	{
		movements[i] = makeHalfCycle(i % 2 == 0, 1.3f, i % 2 == 0 ? 0.2f : -0.1f, 0.5 * i);
	}
	rule = rpFitTurnRule(movements, count, rp_gaitWalk);
	assert_float_equal(rule.constant, 0.3, 1e-6);
	assert_true(rule.bySpeed == 0.0f && rule.byTurn == 0.0f);
}

// ---- mirror images, and what is missing

static rpLocomotion* build(const TestLocomotion* scene, bool mirror, rpFindings* missing)
{
	rpLocomotionDef def = rpDefaultLocomotionDef();
	def.mirror = mirror;
	rpError error = {0};
	rpLocomotion* model = rpBuildLocomotionFrom((const rpMotion* const*)scene->takes, scene->takeCount,
												&scene->movements, &def, missing, &error);
	if (model == NULL)
	{
		fail_msg("%s", error.message);
	}
	return model;
}

static bool isMissing(const rpFindings* missing, const char* text)
{
	bool found = false;
	for (int i = 0; i < missing->count; ++i)
	{
		found = found || strstr(missing->items[i].message, text) != NULL;
	}
	return found;
}

static void testMirror(void** state)
{
	(void)state;
	static const char* const scripts[] = {"stand 2; walk 3 1.2 20; run 3 2.8; stand 2; walk 2",
										  "stand 1.5; walk 3 1; stand 1; walk 2"};
	TestLocomotion scene = testPerformLocomotion(scripts, 2, 60.0, 1);
	rpFindings missing = {0}, none = {0};
	rpLocomotion *model = build(&scene, false, &missing), *both = build(&scene, true, &none);
	for (int i = 0; i < missing.count; ++i)
	{
		print_message("%s; %s\n", missing.items[i].message, missing.items[i].action);
	}
	// Runs end in stands on one foot alone.
	bool left = model->nodes[rp_movementFRDLS].movementCount > 0;
	assert_true(left != (model->nodes[rp_movementFLDRS].movementCount > 0));
	assert_true(isMissing(&missing, left ? "no run→stand ending on the right foot in these takes (FLDRS)"
										 : "no run→stand ending on the left foot in these takes (FRDLS)"));
	assert_true(isMissing(&missing, "no run→walk ending on the left foot in these takes (FRDL)"));
	assert_false(isMissing(&none, "FLDRS"));
	assert_false(isMissing(&none, "FRDLS"));
	assert_true(isMissing(&none, "(FRDL)"));
	assert_int_equal(both->takeCount, 4);
	assert_string_equal(both->takes[2]->name, "take0~");
	assert_int_equal(both->movementCount, 2 * model->movementCount);
	assert_int_equal(both->nodes[rp_movementLDR].movementCount,
					 model->nodes[rp_movementLDR].movementCount + model->nodes[rp_movementRDL].movementCount);
	assert_float_equal(both->nodes[rp_movementLDR].lows[rp_movementTurn],
					   -both->nodes[rp_movementRDL].highs[rp_movementTurn], 1e-6);
	rpDestroyLocomotion(model);
	rpDestroyLocomotion(both);
	rpFindings_Free(&missing);
	rpFindings_Free(&none);
	testFreeLocomotion(&scene);
}

static void testNothing(void** state)
{
	(void)state;
	rpMotion* take = tinyMakeTake();
	const rpMotion* takes[1] = {take};
	rpMovement one = tinyMakeMovement(rp_movementLDR, 0, 6);
	rpMovements movements = {.items = &one, .count = 1}, none = {0};
	rpError error = {0};
	assert_null(rpBuildLocomotionFrom(takes, 1, &movements, NULL, NULL, &error));
	assert_int_equal(error.code, rp_errorNoSolution);
	error = (rpError){0};
	assert_null(rpBuildLocomotionFrom(takes, 1, &none, NULL, NULL, &error));
	assert_int_equal(error.code, rp_errorNoSolution);
	rpDestroyMotion(take);
}

// Bodies that differ are refused.
static void testBodies(void** state)
{
	(void)state;
	rpPerformDef def = rpDefaultPerformDef(rp_actWalk);
	rpMotion *tall = rpPerform(&def, NULL), *tiny = tinyMakeTake();
	const rpMotion* takes[2] = {tiny, tall};
	rpMovement items[2] = {tinyMakeMovement(rp_movementLDR, 0, 6), tinyMakeMovement(rp_movementRDL, 6, 12)};
	rpMovements movements = {.items = items, .count = 2};
	rpError error = {0};
	assert_null(rpBuildLocomotionFrom(takes, 2, &movements, NULL, NULL, &error));
	assert_int_equal(error.code, rp_errorArgument);
	rpDestroyMotion(tall);
	rpDestroyMotion(tiny);
}

// ---- keeping

static void expectSame(const rpLocomotion* a, const rpLocomotion* b)
{
	assert_int_equal(a->takeCount, b->takeCount);
	assert_int_equal(a->movementCount, b->movementCount);
	for (int i = 0; i < a->takeCount; ++i)
	{
		assert_string_equal(a->takes[i]->name, b->takes[i]->name);
		assert_true(rpMotion_Agrees(a->takes[i], b->takes[i], 1e-6f));
	}
	for (int i = 0; i < a->movementCount; ++i)
	{
		const rpMovement *x = &a->movements[i], *y = &b->movements[i];
		assert_true(x->kind == y->kind && x->take == y->take && x->start == y->start && x->end == y->end &&
					x->speed == y->speed && x->turn == y->turn && x->acceleration == y->acceleration &&
					x->isSuccessor == y->isSuccessor && x->keytimeCount == y->keytimeCount);
		assert_memory_equal(x->keytimes, y->keytimes, (size_t)x->keytimeCount * sizeof(double));
	}
	assert_memory_equal(a->nodes, b->nodes, sizeof(a->nodes));
	assert_memory_equal(a->turnRules, b->turnRules, sizeof(a->turnRules));
	assert_memory_equal(a->reachable, b->reachable, sizeof(a->reachable));
}

static void testLibrary(void** state)
{
	(void)state;
	static const char* const scripts[] = {"stand 2; walk 4 1.2 20; stand 2", "stand 1.5; walk 3 1; run 3; stand 1"};
	TestLocomotion scene = testPerformLocomotion(scripts, 2, 60.0, 1);
	rpError error = {0};
	rpLibrary* library = rpOpenLibrary(testPath("gaits.reprise"), rp_openCreate, &error);
	assert_non_null(library);
	for (int i = 0; i < scene.takeCount; ++i)
	{
		rpAddDef def = rpDefaultAddDef();
		assert_true(rpLibrary_AddClip(library, scene.takes[i], &def, NULL, &error) > 0);
	}
	rpLocomotionDef def = rpDefaultLocomotionDef();
	def.mirror = true;
	rpLocomotion* model = rpBuildLocomotion(library, &def, NULL, &error);
	if (model == NULL)
	{
		fail_msg("%s", error.message);
	}
	assert_true(rpLibrary_PutLocomotion(library, "gaits", model, &error));
	rpLocomotion* loaded = rpLibrary_LoadLocomotion(library, "gaits", &error);
	assert_non_null(loaded);
	expectSame(model, loaded);
	rpDestroyLocomotion(loaded);
	assert_null(rpLibrary_LoadLocomotion(library, "others", &error));
	assert_int_equal(error.code, rp_errorMissing);

	// By name, and what is not there.
	const char* names[2] = {"take0", "none"};
	def.clips = names;
	def.clipCount = 1;
	loaded = rpBuildLocomotion(library, &def, NULL, &error);
	assert_non_null(loaded);
	assert_int_equal(loaded->takeCount, 2);
	rpDestroyLocomotion(loaded);
	def.clipCount = 2;
	assert_null(rpBuildLocomotion(library, &def, NULL, &error));
	assert_int_equal(error.code, rp_errorMissing);

	// A clip that is gone.
	assert_true(rpLibrary_RemoveClip(library, rpLibrary_FindClip(library, "take1", NULL), &error));
	error = (rpError){0};
	assert_null(rpLibrary_LoadLocomotion(library, "gaits", &error));
	assert_int_equal(error.code, rp_errorMissing);
	assert_true(strstr(error.message, "take1") != NULL);
	rpDestroyLocomotion(model);
	rpCloseLibrary(library);
	testFreeLocomotion(&scene);
}

// ---- takes in two parts

// The path's velocities added up, and the body put back onto it, give the take.
static void testSplit(void** state)
{
	(void)state;
	rpPerformDef def = rpDefaultPerformDef(rp_actTake);
	def.script = "walk 3 1.3 30; run 3 3 -20";
	def.fps = 60.0;
	def.seconds = 0.0;
	rpMotion* take = rpPerform(&def, NULL);
	rpGroundRate* rates = malloc((size_t)take->frameCount * sizeof(rpGroundRate));
	float floor;
	assert_true(rpFindTakeFloor(take, &floor, NULL));
	rpMotion* local = rpSplitTake(take, floor, rates, NULL);
	assert_non_null(local);
	rpGroundTransform start = rpMotion_GetGround(take, 0), own = rpMotion_GetGround(local, 0);
	rpGroundTransform ground = rpGroundTransform_Compose(start, rpGroundTransform_Invert(own));
	float worst = 0.0f;
	for (int i = 0; i < take->frameCount; ++i)
	{
		rpVec3 root = rpGroundTransform_Apply(ground, local->rootPositions[i]);
		worst = fmaxf(worst, rpDistance(root, take->rootPositions[i]));
		// The body stays near its path.
		assert_true(hypotf(local->rootPositions[i].x, local->rootPositions[i].z) < 0.12f);
		int next = i + 1 < take->frameCount ? i + 1 : i;
		float turn = 0.5f * (rates[i].turn + rates[next].turn) / 60.0f;
		rpGroundTransform step = {
			turn, {0.5f * (rates[i].x + rates[next].x) / 60.0f, 0.0f, 0.5f * (rates[i].z + rates[next].z) / 60.0f}};
		rpGroundTransform half = {0.5f * turn, rpVec3_zero};
		step.shift = rpGroundTransform_Apply(half, step.shift);
		ground = rpGroundTransform_Compose(ground, step);
	}
	print_message("put together again: %.4f m off after %.1f m\n", (double)worst,
				  (double)rpDistance(take->rootPositions[0], take->rootPositions[take->frameCount - 1]));
	assert_true(worst < 0.02f);
	rpDestroyMotion(local);
	rpDestroyMotion(take);
	free(rates);
}

// ---- bundles

enum
{
	headerSize = 32,
	checksumOffset = 24,
};

static void seal(unsigned char* bytes, size_t size)
{
	uint64_t checksum = XXH3_64bits(bytes + headerSize, size - headerSize);
	memcpy(bytes + checksumOffset, &checksum, sizeof(checksum));
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
		for (int i = 0; i < 60; ++i)
		{
			rpPlayerInput input = {.request = (rpGait)(i / 10 % 3), .locomotion.speed = 1.0f, .locomotion.turn = 0.2f};
			rpPlayer_Step(player, 0.02, &input, &pose, &report);
			assert_true(report.sourceCount > 0 && rpPlayer_GetClipName(player, report.sources[0].clip) != NULL);
			assert_true(isfinite(pose.rootPosition.x) && isfinite(pose.rotations[1].w));
		}
		rpPlayer_Peek(player, 1.0, &pose, &report);
	}
	bool done = player != NULL;
	rpDestroyPlayer(player);
	rpDestroyBundle(bundle);
	return done;
}

static void testDamage(void** state)
{
	(void)state;
	size_t size;
	rpLocomotion* model = tinyMakeLocomotion();
	assert_non_null(model);
	unsigned char* bytes = rpWriteLocomotionBundle(model, &size, NULL);
	assert_non_null(bytes);
	assert_true(play(bytes, size, NULL));
	static const unsigned char changes[] = {0x01, 0x80, 0xff, 0x7f};
	int blocks = testCountLiveBlocks(), refused = 0, played = 0;
	for (size_t i = headerSize; i < size; ++i)
	{
		for (size_t k = 0; k < sizeof(changes); ++k)
		{
			rpError error = {0};
			bytes[i] ^= changes[k];
			seal(bytes, size);
			bool done = play(bytes, size, &error);
			assert_true(done || error.message[0] != 0);
			played += done;
			refused += !done;
			bytes[i] ^= changes[k];
			assert_int_equal(testCountLiveBlocks(), blocks);
		}
	}
	print_message("%zu bytes: %d changes refused, %d played\n", size, refused, played);
	assert_true(refused > 1000 && played > 1000);
	seal(bytes, size);
	assert_true(play(bytes, size, NULL));
	rpFreeBytes(bytes);
	rpDestroyLocomotion(model);
}

static void testMemory(void** state)
{
	(void)state;
	int blocks = testCountLiveBlocks();
	for (int n = 0;; ++n)
	{
		size_t size;
		testFailAllocation(n);
		rpLocomotion* model = tinyMakeLocomotion();
		void* bytes = model != NULL ? rpWriteLocomotionBundle(model, &size, NULL) : NULL;
		bool done = bytes != NULL && play(bytes, size, NULL);
		testFailAllocation(-1);
		rpFreeBytes(bytes);
		rpDestroyLocomotion(model);
		assert_int_equal(testCountLiveBlocks(), blocks);
		if (done)
		{
			print_message("%d allocations\n", n);
			break;
		}
	}
}

int main(void)
{
	testUseCountingAllocator();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testGraph),  cmocka_unit_test(testTakeEnds), cmocka_unit_test(testTurnRule),
		cmocka_unit_test(testMirror), cmocka_unit_test(testNothing),  cmocka_unit_test(testBodies),
		cmocka_unit_test(testSplit),  cmocka_unit_test(testLibrary),  cmocka_unit_test(testDamage),
		cmocka_unit_test(testMemory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
