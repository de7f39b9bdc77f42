/// Weights of a space for what is asked for: of samples strewn at random, without motions.
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
	exampleCount = 12,
	sampleCount = 150,
	maxValues = sampleCount * RP_MAX_SPACE_PARAMETERS,
	maxWeights = sampleCount * (RP_MAX_SPACE_PARAMETERS + 1),
};

/// A space and its arrays.
typedef struct Scene
{
	rpSpace space;
	rpSpaceExample examples[exampleCount];
	float values[maxValues];
	rpSpaceWeight weights[maxWeights];
} Scene;

// A blend of d + 1 examples at random, whose values are a little off the mean; an example itself.
static void drawSample(Scene* scene, int index, rpRandom* random)
{
	int dimension = scene->space.parameterCount;
	float sum = 0.0f, *values = scene->values + index * dimension;
	rpSpaceWeight* weights = scene->weights + index * (dimension + 1);
	for (int k = 0; k <= dimension; ++k)
	{
		weights[k] = index < exampleCount
						 ? (rpSpaceWeight){index, k == 0 ? 1.0f : 0.0f}
						 : (rpSpaceWeight){(rpRandom_Index(random, exampleCount - k) + k) % exampleCount,
										   rpRandom_Range(random, 0.0f, 1.0f)};
		sum += weights[k].weight;
	}
	for (int k = 0; k <= dimension; ++k)
	{
		weights[k].weight /= sum;
	}
	for (int k = 0; k < dimension; ++k)
	{
		values[k] = index < exampleCount ? rpRandom_Range(random, -1.0f, 3.0f) : rpRandom_Range(random, -0.02f, 0.02f);
		for (int j = 0; index >= exampleCount && j <= dimension; ++j)
		{
			values[k] += weights[j].weight * scene->values[weights[j].example * dimension + k];
		}
	}
}

// Samples that are built are never next to each other.
static bool isApart(const Scene* scene, int index)
{
	int dimension = scene->space.parameterCount;
	bool apart = true;
	for (int i = 0; i < index && apart; ++i)
	{
		float square = 0.0f;
		for (int k = 0; k < dimension; ++k)
		{
			float difference = scene->values[i * dimension + k] - scene->values[index * dimension + k];
			square += difference * difference;
		}
		apart = square > 0.04f * 0.04f;
	}
	return apart;
}

static Scene* makeScene(int dimension, uint64_t seed)
{
	Scene* scene = calloc(1, sizeof(Scene));
	rpRandom random = rpSeedRandom(seed);
	rpSpace* space = &scene->space;
	*space = (rpSpace){.parameterCount = dimension,
					   .examples = scene->examples,
					   .exampleCount = exampleCount,
					   .values = scene->values,
					   .weights = scene->weights};
	for (int draw = 0; draw < 20 * sampleCount && space->sampleCount < sampleCount; ++draw)
	{
		drawSample(scene, space->sampleCount, &random);
		space->sampleCount += isApart(scene, space->sampleCount);
	}
	for (int k = 0; k < dimension; ++k)
	{
		space->parameters[k] = (rpSpaceParameter){.name = "p", .low = INFINITY, .high = -INFINITY};
		for (int i = 0; i < space->sampleCount; ++i)
		{
			space->parameters[k].low = fminf(space->parameters[k].low, scene->values[i * dimension + k]);
			space->parameters[k].high = fmaxf(space->parameters[k].high, scene->values[i * dimension + k]);
		}
	}
	return scene;
}

static void drawPoint(const rpSpace* space, rpRandom* random, float* out)
{
	for (int k = 0; k < space->parameterCount; ++k)
	{
		out[k] = rpRandom_Range(random, space->parameters[k].low - 0.5f, space->parameters[k].high + 0.5f);
	}
}

static void expand(const rpSpaceAnswer* answer, float* out)
{
	memset(out, 0, exampleCount * sizeof(float));
	for (int i = 0; i < answer->weightCount; ++i)
	{
		out[answer->weights[i].example] = answer->weights[i].weight;
	}
}

// Sum 1, none negative, heaviest first, none twice; a request inside is met, one outside comes to the rim.
static void testAnswers(void** state)
{
	(void)state;
	static const int dimensions[] = {1, 2, 3, 6};
	for (int n = 0; n < 4; ++n)
	{
		Scene* scene = makeScene(dimensions[n], 3);
		rpRandom random = rpSeedRandom(5);
		int metCount = 0;
		for (int draw = 0; draw < 2000; ++draw)
		{
			float asked[RP_MAX_SPACE_PARAMETERS], sum = 0.0f;
			rpSpaceAnswer answer;
			drawPoint(&scene->space, &random, asked);
			assert_true(rpSpace_Weigh(&scene->space, asked, NULL, &answer, NULL));
			for (int i = 0; i < answer.weightCount; ++i)
			{
				assert_true(answer.weights[i].weight > 0.0f);
				assert_true(i == 0 || answer.weights[i].weight <= answer.weights[i - 1].weight);
				for (int k = 0; k < i; ++k)
				{
					assert_true(answer.weights[k].example != answer.weights[i].example);
				}
				sum += answer.weights[i].weight;
			}
			assert_float_equal(sum, 1.0f, 1e-5);
			for (int k = 0; k < dimensions[n]; ++k)
			{
				assert_true(answer.requested[k] == asked[k]);
				assert_true(answer.nearest[k] >= scene->space.parameters[k].low - 1e-4f);
				assert_true(answer.nearest[k] <= scene->space.parameters[k].high + 1e-4f);
			}
			metCount += answer.error < 1e-3f;
		}
		// The box is larger than what the samples span, by far in many dimensions.
		assert_true(metCount > (n == 0 ? 1500 : n == 1 ? 350 : n == 2 ? 50 : -1));
		free(scene);
	}
}

// An example's own parameters give the example back.
static void testExamples(void** state)
{
	(void)state;
	for (int dimension = 1; dimension <= RP_MAX_SPACE_PARAMETERS; ++dimension)
	{
		Scene* scene = makeScene(dimension, 11);
		for (int i = 0; i < exampleCount; ++i)
		{
			rpSpaceAnswer answer;
			assert_true(rpSpace_Weigh(&scene->space, scene->values + i * dimension, NULL, &answer, NULL));
			assert_int_equal(answer.weightCount, 1);
			assert_int_equal(answer.weights[0].example, i);
			assert_true(answer.error < 1e-5f);
		}
		free(scene);
	}
}

// Along random lines inside and outside weights do not jump: with half the step the greatest change is about half.
static void testContinuity(void** state)
{
	(void)state;
	for (int dimension = 1; dimension <= 3; ++dimension)
	{
		Scene* scene = makeScene(dimension, 17);
		rpRandom random = rpSeedRandom(23);
		float worst[2] = {0.0f, 0.0f};
		for (int line = 0; line < 20; ++line)
		{
			float a[RP_MAX_SPACE_PARAMETERS], b[RP_MAX_SPACE_PARAMETERS];
			drawPoint(&scene->space, &random, a);
			drawPoint(&scene->space, &random, b);
			for (int fine = 0; fine < 2; ++fine)
			{
				int steps = fine == 0 ? 2000 : 20000;
				float last[exampleCount];
				for (int i = 0; i <= steps; ++i)
				{
					float at[RP_MAX_SPACE_PARAMETERS], weights[exampleCount];
					rpSpaceAnswer answer;
					for (int k = 0; k < dimension; ++k)
					{
						at[k] = a[k] + (b[k] - a[k]) * (float)i / (float)steps;
					}
					assert_true(rpSpace_Weigh(&scene->space, at, NULL, &answer, NULL));
					expand(&answer, weights);
					for (int k = 0; k < exampleCount && i > 0; ++k)
					{
						worst[fine] = fmaxf(worst[fine], fabsf(weights[k] - last[k]));
					}
					memcpy(last, weights, sizeof(last));
				}
			}
		}
		print_message("%d: greatest change of a weight %.4f, with a tenth of the step %.4f\n", dimension,
					  (double)worst[0], (double)worst[1]);
		assert_true(worst[1] < 0.5f * worst[0] + 0.004f);
		free(scene);
	}
}

// Without samples and corrections: eq. 6.1 and 6.2 of the thesis, as they stand there.
static void testDirect(void** state)
{
	(void)state;
	const rpSpaceWeighDef def = {.neighbours = 5};
	for (int dimension = 1; dimension <= 3; ++dimension)
	{
		Scene* scene = makeScene(dimension, 29);
		rpRandom random = rpSeedRandom(31);
		for (int draw = 0; draw < 200; ++draw)
		{
			float asked[RP_MAX_SPACE_PARAMETERS], weights[exampleCount];
			double distances[exampleCount], direct[exampleCount] = {0}, sum = 0.0;
			rpSpaceAnswer answer;
			for (int k = 0; k < dimension; ++k)
			{
				const rpSpaceParameter* parameter = &scene->space.parameters[k];
				asked[k] = rpRandom_Range(&random, parameter->low, parameter->high);
			}
			for (int i = 0; i < exampleCount; ++i)
			{
				distances[i] = 0.0;
				for (int k = 0; k < dimension; ++k)
				{
					double range = (double)scene->space.parameters[k].high - (double)scene->space.parameters[k].low;
					double miss = ((double)asked[k] - (double)scene->values[i * dimension + k]) / range;
					distances[i] += miss * miss;
				}
				distances[i] = sqrt(distances[i]);
			}
			// Those nearer than the sixth, which is the rim: it is the first that gets no weight.
			for (int i = 0; i < exampleCount; ++i)
			{
				double rim = 0.0;
				int nearer = 0;
				for (int k = 0; k < exampleCount; ++k)
				{
					int count = 0;
					for (int j = 0; j < exampleCount; ++j)
					{
						count += distances[j] < distances[k];
					}
					rim = count == 5 ? distances[k] : rim;
				}
				for (int j = 0; j < exampleCount; ++j)
				{
					nearer += distances[j] < distances[i];
				}
				direct[i] = nearer < 5 ? 1.0 / distances[i] - 1.0 / rim : 0.0;
				sum += direct[i];
			}
			assert_true(rpSpace_Weigh(&scene->space, asked, &def, &answer, NULL));
			expand(&answer, weights);
			for (int i = 0; i < exampleCount; ++i)
			{
				// Weights below a thousandth are dropped.
				assert_float_equal((double)weights[i], direct[i] / sum, 3e-3);
			}
		}
		free(scene);
	}
}

// Two samples at one place are as one: their examples share its weight, and which comes first does not matter.
static void testTies(void** state)
{
	(void)state;
	Scene* scene = makeScene(2, 37);
	rpRandom random = rpSeedRandom(41);
	memcpy(scene->values + 2, scene->values, 2 * sizeof(float));
	const rpSpaceWeighDef def = {.neighbours = 6, .correct = true};
	for (int draw = 0; draw < 200; ++draw)
	{
		float asked[RP_MAX_SPACE_PARAMETERS], weights[exampleCount];
		rpSpaceAnswer answer;
		drawPoint(&scene->space, &random, asked);
		assert_true(rpSpace_Weigh(&scene->space, draw == 0 ? scene->values : asked, &def, &answer, NULL));
		expand(&answer, weights);
		assert_float_equal(weights[0], weights[1], 2e-3);
		assert_true(draw > 0 || weights[0] > 0.499f);
	}
	free(scene);
}

static void testNoNumber(void** state)
{
	(void)state;
	Scene* scene = makeScene(2, 3);
	rpSpaceAnswer answer;
	rpError error = {0};
	const float bad[][2] = {{NAN, 0.0f}, {0.0f, INFINITY}, {-INFINITY, NAN}};
	for (int i = 0; i < 3; ++i)
	{
		assert_false(rpSpace_Weigh(&scene->space, bad[i], NULL, &answer, &error));
		assert_int_equal(error.code, rp_errorArgument);
	}
	free(scene);
}

// However far outside, what is given is what is given at the ends of the ranges: in one dimension the last sample.
static void testFar(void** state)
{
	(void)state;
	rpRandom random = rpSeedRandom(43);
	for (int dimension = 1; dimension <= 3; ++dimension)
	{
		Scene* scene = makeScene(dimension, 3);
		const rpSpaceParameter* parameters = scene->space.parameters;
		for (int draw = 0; draw < 200; ++draw)
		{
			rpSpaceAnswer near, far;
			float asked[RP_MAX_SPACE_PARAMETERS], rim[RP_MAX_SPACE_PARAMETERS];
			int outside = rpRandom_Index(&random, dimension);
			drawPoint(&scene->space, &random, asked);
			memcpy(rim, asked, sizeof(rim));
			rim[outside] = draw % 2 == 0 ? parameters[outside].high : parameters[outside].low;
			asked[outside] =
				draw % 2 == 0 ? rpRandom_Range(&random, 4.0f, 1e30f) : rpRandom_Range(&random, -1e30f, -2.0f);
			assert_true(rpSpace_Weigh(&scene->space, asked, NULL, &far, NULL));
			assert_true(rpSpace_Weigh(&scene->space, rim, NULL, &near, NULL));
			assert_memory_equal(far.nearest, near.nearest, sizeof(far.nearest));
			assert_memory_equal(far.weights, near.weights, (size_t)far.weightCount * sizeof(far.weights[0]));
			assert_true(far.requested[outside] == asked[outside] && far.error > near.error);
			assert_true(dimension > 1 || fabsf(far.nearest[0] - rim[0]) < 1e-5f);
		}
		free(scene);
	}
}

// A parameter that all samples have alike does not count.
static void testOneValue(void** state)
{
	(void)state;
	Scene* scene = makeScene(2, 3);
	for (int i = 0; i < scene->space.sampleCount; ++i)
	{
		scene->values[2 * i + 1] = 0.5f;
	}
	scene->space.parameters[1].low = scene->space.parameters[1].high = 0.5f;
	const float asked[] = {1.0f, 7.0f};
	rpSpaceAnswer answer;
	assert_true(rpSpace_Weigh(&scene->space, asked, NULL, &answer, NULL));
	assert_float_equal(answer.nearest[0], 1.0f, 1e-3);
	assert_float_equal(answer.nearest[1], 0.5f, 1e-4);
	free(scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testAnswers),  cmocka_unit_test(testExamples), cmocka_unit_test(testContinuity),
		cmocka_unit_test(testDirect),   cmocka_unit_test(testTies),     cmocka_unit_test(testNoNumber),
		cmocka_unit_test(testOneValue), cmocka_unit_test(testFar),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
