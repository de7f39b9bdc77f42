/// Searches for matches against the definition: every stretch of small libraries measured by a plain dynamic programme
/// over every state of a path, local minima taken, the nearest accepted one by one.
#include "align/match_growth.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

enum
{
	clipCount = 3,
	maxLimit = 7,
};

/// A small library.
typedef struct Scene
{
	rpMotion* motions[clipCount];
	rpMetric* metric;
	rpProfile* profiles[clipCount];
} Scene;

static rpMotion* perform(rpAct act, double seconds, uint64_t seed)
{
	rpPerformDef def = rpDefaultPerformDef(act);
	def.fps = 30.0;
	def.seconds = seconds;
	def.seed = seed;
	rpMotion* motion = rpPerform(&def, NULL);
	assert_non_null(motion);
	return motion;
}

static void makeScene(Scene* scene, uint64_t seed, double seconds)
{
	const rpAct acts[clipCount] = {rp_actWalk, rp_actTake, rp_actMarch};
	for (int m = 0; m < clipCount; ++m)
	{
		scene->motions[m] = perform(acts[m], seconds - 0.4 * m, seed + (uint64_t)m);
	}
	rpMetricDef def = rpDefaultMetricDef();
	scene->metric = rpCreateMetric(scene->motions[0]->skeleton, &def, NULL);
	for (int m = 0; m < clipCount; ++m)
	{
		scene->profiles[m] = rpCreateProfile(scene->metric, scene->motions[m], NULL);
		assert_non_null(scene->profiles[m]);
	}
}

static void freeScene(Scene* scene)
{
	for (int m = 0; m < clipCount; ++m)
	{
		rpDestroyProfile(scene->profiles[m]);
		rpDestroyMotion(scene->motions[m]);
	}
	rpDestroyMetric(scene->metric);
}

// ---- the definition

/// Distances of a query's rows, every hop-th frame, from all frames of a clip.
typedef struct Rows
{
	const float* grid;
	int first, columns;
	rpMatchShape shape;
} Rows;

static double getCell(const Rows* rows, int i, int start, int j)
{
	return (double)rows->grid[(size_t)(rows->first + i * rows->shape.hop) * (size_t)rows->columns +
							  (size_t)(start + j * rows->shape.hop)];
}

// Sums of the cheapest paths from a start to all steps in the last row. State 0 came diagonally, 1 … W after so many
// steps to the right, W+1 … 2W downwards; any step may follow any other.
static void sumPaths(const Rows* rows, int start, int width, double* out)
{
	int limit = rows->shape.slopeLimit, states = 2 * limit + 1, count = rows->shape.rows;
	double* costs = malloc(sizeof(double) * (size_t)(count * width * states));
	for (int i = 0; i < count; ++i)
	{
		for (int j = 0; j < width; ++j)
		{
			double distance = getCell(rows, i, start, j);
			double* own = costs + (i * width + j) * states;
			for (int s = 0; s < states; ++s)
			{
				int run = s == 0 ? 0 : (s - 1) % limit + 1;
				bool down = s > limit;
				int fromI = i - (s == 0 || down), fromJ = j - (s == 0 || !down);
				own[s] = s == 0 && i == 0 && j == 0 ? distance : (double)INFINITY;
				for (int f = 0; fromI >= 0 && fromJ >= 0 && f < states; ++f)
				{
					bool sameKind = f > 0 && s > 0 && (f > limit) == down;
					bool follows = s == 0 || (sameKind ? f == s - 1 : run == 1);
					double cost = costs[(fromI * width + fromJ) * states + f] + distance;
					own[s] = follows && cost < own[s] ? cost : own[s];
				}
			}
		}
	}
	for (int j = 0; j < width; ++j)
	{
		out[j] = (double)INFINITY;
		for (int s = 0; s < states; ++s)
		{
			double cost = costs[((count - 1) * width + j) * states + s];
			out[j] = cost < out[j] ? cost : out[j];
		}
	}
	free(costs);
}

// [columns * steps], infinite where a stretch would leave the clip.
static double* measureAll(const Rows* rows)
{
	const rpMatchShape* shape = &rows->shape;
	int steps = shape->maxSteps - shape->minSteps + 1;
	double* all = malloc(sizeof(double) * (size_t)(rows->columns * steps));
	for (int start = 0; start < rows->columns; ++start)
	{
		int width = (rows->columns - 1 - start) / shape->hop + 1;
		width = width < shape->maxSteps + 1 ? width : shape->maxSteps + 1;
		double sums[512];
		assert_true(shape->maxSteps < 512);
		sumPaths(rows, start, width, sums);
		for (int k = 0; k < steps; ++k)
		{
			int j = shape->minSteps + k;
			double length = 1.0 + 0.5 * (shape->rows - 1 + j);
			all[start * steps + k] = j < width ? sums[j] / length : (double)INFINITY;
		}
	}
	return all;
}

// Equal ones aside, which single precision makes.
static bool isMinimum(const double* all, int columns, int steps, int start, int k, double slack)
{
	bool is = true;
	for (int s = start - 1; s <= start + 1; ++s)
	{
		for (int e = k - 1; e <= k + 1; ++e)
		{
			bool isOther = (s != start || e != k) && s >= 0 && s < columns && e >= 0 && e < steps;
			is = is && (!isOther || all[s * steps + e] >= all[start * steps + k] - slack);
		}
	}
	return is;
}

static bool isFound(const rpFoundStretches* found, int profile, int first, int last, double distance)
{
	bool is = false;
	for (int k = 0; k < found->count && !is; ++k)
	{
		const rpFoundStretch* item = &found->items[k];
		is = item->stretch.profile == profile && item->stretch.first == first && item->stretch.last == last;
		assert_true(!is || fabs((double)item->distance - distance) < 1e-5);
	}
	return is;
}

// Every clear minimum is found; what is found is a minimum, but for rounding. Returns how many there are.
static int checkSearch(const Scene* scene, rpFrameStretch query, const rpMatchShape* shape, float threshold,
					   const rpFoundStretches* found)
{
	int clear = 0, possible = 0;
	for (int m = 0; m < clipCount; ++m)
	{
		int columns = rpProfile_GetFrameCount(scene->profiles[m]);
		int rowCount = rpProfile_GetFrameCount(scene->profiles[query.profile]);
		int steps = shape->maxSteps - shape->minSteps + 1;
		float* grid = malloc(sizeof(float) * (size_t)(rowCount * columns));
		assert_true(rpMetric_FillGrid(scene->metric, scene->profiles[query.profile], scene->profiles[m], grid, NULL));
		Rows rows = {grid, query.first, columns, *shape};
		double* all = measureAll(&rows);
		for (int start = 0; start < columns; ++start)
		{
			for (int k = 0; k < steps; ++k)
			{
				double distance = all[start * steps + k];
				int last = start + (shape->minSteps + k) * shape->hop;
				bool isClear = distance < (double)threshold - 1e-6 && isMinimum(all, columns, steps, start, k, -2e-6);
				bool isPossible = distance < (double)threshold + 1e-6 && isMinimum(all, columns, steps, start, k, 2e-6);
				bool is = isPossible && isFound(found, m, start, last, distance);
				assert_true(is || !isClear);
				clear += isClear;
				possible += is;
			}
		}
		free(all);
		free(grid);
	}
	assert_int_equal(possible, found->count);
	return clear;
}

static void search(const Scene* scene, rpFrameStretch query, const rpMatchShape* shape, float threshold, int threads,
				   int pieces, rpFoundStretches* out)
{
	rpMatchSearcher searcher;
	rpStartRanges ranges = {0};
	assert_true(rpMatchSearcher_Make(&searcher, scene->metric, (const rpProfile* const*)scene->profiles, clipCount,
									 shape, query.last - query.first + 1, threads, NULL));
	if (pieces == 0)
	{
		assert_true(rpMatchSearcher_ListAll(&searcher, &ranges, NULL));
	}
	for (int m = 0; m < clipCount && pieces > 0; ++m)
	{
		int starts = rpProfile_GetFrameCount(scene->profiles[m]) - shape->minSteps * shape->hop;
		for (int first = 0; first < starts; first += pieces)
		{
			int left = starts - first;
			assert_true(rpStartRanges_Add(&ranges, m, first, left < pieces ? left : pieces, NULL));
		}
	}
	assert_true(rpMatchSearcher_Find(&searcher, query, threshold, &ranges, out, NULL));
	rpMatchSearcher_Free(&searcher);
	rpFreeBytes(ranges.items);
}

static void checkSame(const rpFoundStretches* a, const rpFoundStretches* b)
{
	assert_int_equal(a->count, b->count);
	for (int k = 0; k < a->count; ++k)
	{
		assert_memory_equal(&a->items[k], &b->items[k], sizeof(a->items[k]));
	}
}

// One search, of short queries and of long ones, seen every few frames; the same however it is cut and for any number
// of threads.
static void testOneSearch(void** state)
{
	(void)state;
	Scene scene;
	makeScene(&scene, 3, 7.0);
	const int lengths[] = {8, 20, 34, 85, 130};
	int total = 0;
	for (int n = 0; n < 5; ++n)
	{
		int limit = n == 1 ? 1 : n == 2 ? maxLimit : 3;
		rpMatchShape shape = rpMatchShape_Make(lengths[n], limit, n == 1 ? 1.5 : 2.0);
		rpFrameStretch query = {n % 2, 11 + n, 11 + n + (shape.rows - 1) * shape.hop};
		rpFoundStretches one = {0}, two = {0}, cut = {0};
		float threshold = 0.12f + 0.02f * (float)n;
		search(&scene, query, &shape, threshold, 1, 0, &one);
		search(&scene, query, &shape, threshold, 2, 0, &two);
		search(&scene, query, &shape, threshold, 2, 13, &cut);
		checkSame(&one, &two);
		checkSame(&one, &cut);
		total += checkSearch(&scene, query, &shape, threshold, &one);
		rpFreeBytes(one.items);
		rpFreeBytes(two.items);
		rpFreeBytes(cut.items);
	}
	assert_true(total > 20);
	freeScene(&scene);
}

// ---- what is made of searches

static rpMatches* find(const Scene* scene, const rpStretch* query, float threshold, int threads)
{
	rpMatchDef def = rpDefaultMatchDef();
	rpError error = {0};
	def.threshold = threshold;
	def.threads = threads;
	rpMatches* matches = rpFindMatches((const rpMotion* const*)scene->motions, clipCount, query, &def, &error);
	assert_string_equal(error.message, "");
	assert_non_null(matches);
	return matches;
}

// What two stretches have in common, as a share of the shorter one, in frames, whose ends belong to them.
static double getOverlap(const rpStretch* a, const rpStretch* b, double rate)
{
	if (a->clip != b->clip || a->isMirror != b->isMirror)
	{
		return 0.0;
	}
	double common = fmin(a->end, b->end) - fmax(a->start, b->start) + 1.0 / rate;
	return fmax(common, 0.0) / (fmin(a->end - a->start, b->end - b->start) + 1.0 / rate);
}

static void checkMatches(const rpMatches* matches, double rate)
{
	const rpMatch* query = matches->items;
	double length = query->stretch.end - query->stretch.start;
	assert_int_equal(query->parent, -1);
	for (int k = 0; k < matches->count; ++k)
	{
		const rpMatch* match = &matches->items[k];
		const rpMatch* parent = &matches->items[k > 0 ? match->parent : 0];
		double own = match->stretch.end - match->stretch.start;
		assert_true(k == 0 || (match->parent >= 0 && match->parent < k));
		assert_true(own >= 0.5 * length - 1e-9 && own <= 2.0 * length + 1e-9);
		assert_true(match->farthest == fmaxf(parent->farthest, match->distance));
		assert_true(k == 0 || match->farthest >= match[-1].farthest);
		assert_true(matches->threshold <= 0.0f || match->farthest <= matches->threshold);
		assert_true(match->timeCount >= 2);
		assert_true(fabs(match->times[0].own - match->stretch.start) < 1e-9);
		assert_true(fabs(match->times[0].parent - parent->stretch.start) < 1e-9);
		assert_true(fabs(match->times[match->timeCount - 1].own - match->stretch.end) < 1e-9);
		assert_true(fabs(match->times[match->timeCount - 1].parent - parent->stretch.end) < 1e-9);
		for (int t = 1; t < match->timeCount; ++t)
		{
			assert_true(match->times[t].own > match->times[t - 1].own);
			assert_true(match->times[t].parent > match->times[t - 1].parent);
		}
		for (int other = 0; other < k; ++other)
		{
			assert_true(getOverlap(&match->stretch, &matches->items[other].stretch, rate) <= 2.0 / 3.0 + 1e-9);
		}
	}
}

static void checkEqual(const rpMatches* a, const rpMatches* b, int count)
{
	for (int k = 0; k < count; ++k)
	{
		const rpMatch *x = &a->items[k], *y = &b->items[k];
		assert_true(x->stretch.clip == y->stretch.clip && x->stretch.start == y->stretch.start &&
					x->stretch.end == y->stretch.end && x->stretch.isMirror == y->stretch.isMirror);
		assert_true(x->parent == y->parent && x->distance == y->distance && x->timeCount == y->timeCount);
		assert_memory_equal(x->times, y->times, sizeof(*x->times) * (size_t)x->timeCount);
	}
}

// Strides lead to strides; the list is what it must be, the same for any number of threads, and cut off anywhere what a
// smaller threshold gives.
static void testChains(void** state)
{
	(void)state;
	Scene scene;
	makeScene(&scene, 5, 16.0);
	rpStretch query = {0, false, 3.0, 4.1};
	rpMatches* all = find(&scene, &query, 0.09f, 1);
	rpMatches* again = find(&scene, &query, 0.09f, 2);
	checkMatches(all, rpMetric_GetRate(scene.metric));
	assert_true(all->count > 8);
	assert_int_equal(all->searchCount, all->count);
	assert_int_equal(all->count, again->count);
	checkEqual(all, again, all->count);
	rpMatches* fewer = find(&scene, &query, 0.05f, 0);
	assert_true(fewer->count > 1 && fewer->count < all->count);
	assert_true(all->items[fewer->count].farthest > 0.05f && fewer->items[fewer->count - 1].farthest <= 0.05f);
	checkEqual(all, fewer, fewer->count);
	rpMatches* gap = find(&scene, &query, 0.0f, 0);
	assert_true(gap->isFromGap && gap->gapLow < gap->gapHigh && gap->threshold <= gap->gapHigh);
	checkMatches(gap, rpMetric_GetRate(scene.metric));
	checkEqual(all, gap, gap->count < all->count ? gap->count : all->count);
	rpDestroyMatches(all);
	rpDestroyMatches(again);
	rpDestroyMatches(fewer);
	rpDestroyMatches(gap);
	freeScene(&scene);
}

// What is found of a near match is what registering the two stretches says.
static void testRegistration(void** state)
{
	(void)state;
	Scene scene;
	makeScene(&scene, 7, 12.0);
	rpStretch query = {0, false, 3.0, 4.1};
	rpMatches* matches = find(&scene, &query, 0.06f, 0);
	assert_true(matches->count > 3);
	for (int k = 1; k < 4; ++k)
	{
		const rpMatch *match = &matches->items[k], *parent = &matches->items[match->parent];
		double sum = 0.0;
		for (int t = 0; t < match->timeCount; ++t)
		{
			double rate = rpMetric_GetRate(scene.metric);
			sum += rpMetric_Distance(scene.metric, scene.profiles[parent->stretch.clip],
									 (int)lround(match->times[t].parent * rate), scene.profiles[match->stretch.clip],
									 (int)lround(match->times[t].own * rate), NULL);
		}
		// The steps in one motion alone are not among the times.
		assert_true(fabs(sum / match->timeCount - (double)match->distance) < 0.2 * (double)match->distance + 0.002);
	}
	rpDestroyMatches(matches);
	freeScene(&scene);
}

// A mirrored stride is a stride of the other foot.
static void testMirror(void** state)
{
	(void)state;
	Scene scene;
	makeScene(&scene, 5, 10.0);
	rpStretch query = {0, false, 3.0, 4.1};
	rpMatchDef def = rpDefaultMatchDef();
	def.threshold = 0.06f;
	def.mirror = true;
	rpMatches* matches = rpFindMatches((const rpMotion* const*)scene.motions, clipCount, &query, &def, NULL);
	assert_non_null(matches);
	int mirrored = 0;
	for (int k = 0; k < matches->count; ++k)
	{
		mirrored += matches->items[k].stretch.isMirror;
	}
	assert_true(mirrored > 2 && mirrored < matches->count);
	rpDestroyMatches(matches);
	freeScene(&scene);
}

static void expectFailure(const Scene* scene, rpStretch query, const rpMatchDef* def)
{
	rpError error = {0};
	assert_null(rpFindMatches((const rpMotion* const*)scene->motions, clipCount, &query, def, &error));
	assert_int_equal(error.code, rp_errorArgument);
	assert_true(error.message[0] != 0);
}

static void testErrors(void** state)
{
	(void)state;
	Scene scene;
	makeScene(&scene, 3, 4.0);
	expectFailure(&scene, (rpStretch){0, false, 1.0, 1.1}, NULL);
	expectFailure(&scene, (rpStretch){0, false, 1.0, 9.0}, NULL);
	expectFailure(&scene, (rpStretch){0, false, -1.0, 2.0}, NULL);
	expectFailure(&scene, (rpStretch){0, false, 2.0, 1.0}, NULL);
	expectFailure(&scene, (rpStretch){0, false, (double)NAN, 2.0}, NULL);
	expectFailure(&scene, (rpStretch){0, false, 1.0, (double)NAN}, NULL);
	expectFailure(&scene, (rpStretch){7, false, 1.0, 2.0}, NULL);
	expectFailure(&scene, (rpStretch){0, true, 1.0, 2.0}, NULL);
	rpMatchDef def = rpDefaultMatchDef();
	def.threshold = (float)NAN;
	expectFailure(&scene, (rpStretch){0, false, 1.0, 2.0}, &def);
	def = rpDefaultMatchDef();
	def.slopeLimit = 0;
	expectFailure(&scene, (rpStretch){0, false, 1.0, 2.0}, &def);
	def = rpDefaultMatchDef();
	def.stretchLimit = (double)NAN;
	expectFailure(&scene, (rpStretch){0, false, 1.0, 2.0}, &def);
	// Longer than any query may be, and another body.
	rpMotion* all[] = {perform(rp_actWalk, 31.0, 1), rpScaleMotion(scene.motions[1], 0.8f, NULL)};
	rpStretch query = {0, false, 0.0, 30.5};
	rpError error = {0};
	assert_null(rpFindMatches((const rpMotion* const*)all, 1, &query, NULL, &error));
	assert_int_equal(error.code, rp_errorArgument);
	assert_non_null(strstr(error.message, "0.2 to 30 s"));
	query.end = 2.0;
	assert_null(rpFindMatches((const rpMotion* const*)all, 2, &query, NULL, &error));
	assert_int_equal(error.code, rp_errorArgument);
	assert_non_null(strstr(error.message, "another skeleton"));
	rpDestroyMotion(all[0]);
	rpDestroyMotion(all[1]);
	// All of a clip that is longer than the others and like none of them matches nothing.
	rpStretch whole = {1, false, 0.0, rpMotion_GetDuration(scene.motions[1])};
	rpMatches* alone = find(&scene, &whole, 0.001f, 0);
	assert_int_equal(alone->count, 1);
	rpDestroyMatches(alone);
	freeScene(&scene);
}

static bool stopAtOnce(double fraction, const char* what, void* context)
{
	(void)what;
	(void)context;
	assert_true(fraction >= 0.0 && fraction <= 1.0);
	return false;
}

static void testStop(void** state)
{
	(void)state;
	Scene scene;
	makeScene(&scene, 3, 4.0);
	rpMatchDef def = rpDefaultMatchDef();
	rpStretch query = {0, false, 1.0, 2.0};
	rpError error = {0};
	def.progress = stopAtOnce;
	assert_null(rpFindMatches((const rpMotion* const*)scene.motions, clipCount, &query, &def, &error));
	assert_int_equal(error.code, rp_errorCancelled);
	freeScene(&scene);
}

static bool attempt(void* context, rpError* error)
{
	const Scene* scene = context;
	rpStretch query = {0, false, 1.0, 2.0};
	rpMatchDef def = rpDefaultMatchDef();
	def.threshold = 0.05f;
	def.mirror = true;
	def.threads = 1;
	rpMatches* matches = rpFindMatches((const rpMotion* const*)scene->motions, clipCount, &query, &def, error);
	rpDestroyMatches(matches);
	return matches != NULL;
}

static void testMemory(void** state)
{
	(void)state;
	testUseCountingAllocator();
	Scene scene;
	makeScene(&scene, 3, 4.0);
	testFailEach(attempt, &scene, 30);
	freeScene(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testOneSearch), cmocka_unit_test(testChains), cmocka_unit_test(testRegistration),
		cmocka_unit_test(testMirror),    cmocka_unit_test(testErrors), cmocka_unit_test(testStop),
		cmocka_unit_test(testMemory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
