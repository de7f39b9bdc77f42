/// What the tests of the WebAssembly module hold against it (test/web/play): bundles, what players of them are asked
/// for, and what they show natively; and what is no bundle, with what is said of it.
///
/// --write FOLDER CORPUS…   bundles of the performer's motion, their cases and the verdicts on spoilt bundles
/// --play FOLDER NAME FILE  the cases of a bundle, added to those in FOLDER
/// --time FILE              microseconds of a step
#include "locomotion_scene.h"
#include "parametric_scene.h"
#include "play_scene.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define RP_FUZZING
#include "../../../fuzz/bundle_mutator.h"

enum
{
	tickCount = 60 * 60,
	inputSize = 11 + RP_MAX_SPACE_PARAMETERS,
	spaceTraceSize = 4 + 2 * RP_MAX_SPACE_PARAMETERS,
	traceSize = spaceTraceSize + 13 + 5 * RP_MAX_SPACE_PARAMETERS,
	spoiltOfEach = 150,
};

// ---- what is asked for

/// A tick and what is asked for in it, as JavaScript reads it: numbers of 64 bits.
typedef struct Ask
{
	double dt, stickX, stickZ, request, speed, turn;

	/// Of a space or of the node that is requested, and whether they are given; asks make shares of their ranges of
	/// them first. Not a number: that one is not given.
	double isGiven, values[RP_MAX_SPACE_PARAMETERS];

	/// Of a parametric graph: a place in the world.
	double hasTarget, target[3];
} Ask;

_Static_assert(sizeof(Ask) == inputSize * sizeof(double), "rows of a file");

typedef Ask AskFn(int tick);

static Ask askDirection(int tick)
{
	double angle = 0.7 * (tick / 240);
	bool rests = tick / 240 % 7 == 6;
	return (Ask){.dt = 1.0 / 60.0, .stickX = rests ? 0.0 : sin(angle), .stickZ = rests ? 0.0 : cos(angle)};
}

// Stand, walk and run, straight on and in curves, at several speeds.
static Ask askGait(int tick)
{
	double turn = 0.4 * (tick / 200 % 3 - 1),
		   speed = tick / 400 % 3 == 2 ? 2.4 + 0.3 * (tick / 150 % 4) : 0.9 + 0.2 * (tick / 150 % 4);
	return (Ask){.dt = 1.0 / 60.0, .request = tick / 400 % 3, .speed = tick / 600 % 2 == 0 ? speed : 0, .turn = turn};
}

static Ask askGaitAndDirection(int tick)
{
	Ask ask = askDirection(tick);
	ask.request = 1 + tick / 900 % 2;
	ask.stickX *= 0.5 + 0.5 * (tick / 300 % 2);
	ask.stickZ *= 0.5 + 0.5 * (tick / 300 % 2);
	return ask;
}

// As a browser on a busy machine.
static double getUnevenTick(int tick)
{
	return tick % 97 == 0 ? 0.11 : (tick * 7 % 5 + 2) / 240.0;
}

static Ask askDirectionUnevenly(int tick)
{
	Ask ask = askDirection(tick);
	ask.dt = getUnevenTick(tick);
	return ask;
}

static Ask askGaitUnevenly(int tick)
{
	Ask ask = askGait(tick);
	ask.dt = getUnevenTick(tick);
	return ask;
}

// All over the ranges and somewhat beyond; now and then nothing.
static Ask askParameters(int tick)
{
	Ask ask = {.dt = 1.0 / 60.0, .isGiven = tick / 300 % 5 != 4};
	for (int i = 0; i < RP_MAX_SPACE_PARAMETERS; ++i)
	{
		ask.values[i] = 0.5 + 0.65 * sin(0.9 * (tick / 90) * (i + 1) + i);
	}
	return ask;
}

static Ask askParametersUnevenly(int tick)
{
	Ask ask = askParameters(tick);
	ask.dt = getUnevenTick(tick);
	return ask;
}

// Of a parametric graph: a direction, and one node after the other.
static Ask askNodeAndDirection(int tick)
{
	Ask ask = askDirection(tick);
	ask.request = tick / 300;
	return ask;
}

// Values of nodes, now and then some that follow from the stick.
static Ask askNodeValues(int tick)
{
	Ask ask = askParameters(tick);
	ask.request = tick / 270;
	ask.stickX = tick / 180 % 2;
	for (int i = 0; i < RP_MAX_SPACE_PARAMETERS; ++i)
	{
		ask.values[i] = (tick / 120 + i) % 4 == 3 ? NAN : ask.values[i];
	}
	return ask;
}

// Places around where it started, at heights that hands reach.
static Ask askTarget(int tick)
{
	double angle = 0.9 * (tick / 200);
	return (Ask){.dt = 1.0 / 60.0,
				 .request = tick / 330,
				 .hasTarget = tick / 200 % 6 != 5,
				 .target = {1.0 + 1.5 * sin(angle), 1.2 + 0.1 * (tick / 100 % 5), -2.0 + 1.5 * cos(angle)}};
}

static Ask askNodesUnevenly(int tick)
{
	Ask ask = tick / 900 % 2 == 0 ? askNodeValues(tick) : askTarget(tick);
	ask.dt = getUnevenTick(tick);
	return ask;
}

// ---- what is shown

/// A bundle's name, how it is played, what is asked for.
typedef struct Case
{
	const char* name;
	double lookAhead;
	AskFn* ask;
} Case;

static void writeFile(const char* folder, const char* name, const char* ending, const void* bytes, size_t size)
{
	char path[4096];
	snprintf(path, sizeof(path), "%s/%s.%s", folder, name, ending);
	FILE* file = fopen(path, "wb");
	if (file == NULL || fwrite(bytes, 1, size, file) != size || fclose(file) != 0)
	{
		perror(path);
		exit(1);
	}
}

// Requests go round, where there are some; shares of ranges become values; what is no parameter is not asked for.
static void fitAsk(const rpPlayer* player, Ask* ask)
{
	int count = 1;
	while (rpPlayer_GetRequest(player, count) != NULL)
	{
		++count;
	}
	ask->request = fmod(ask->request, count);
	// Of any node no values are asked.
	ask->isGiven = rpPlayer_GetParameter(player, (int)ask->request, 0) != NULL ? ask->isGiven : 0.0;
	for (int i = 0; i < RP_MAX_SPACE_PARAMETERS; ++i)
	{
		const rpSpaceParameter* parameter = rpPlayer_GetParameter(player, (int)ask->request, i);
		ask->values[i] = parameter != NULL
							 ? (double)parameter->low + ask->values[i] * (double)(parameter->high - parameter->low)
							 : 0.0;
	}
}

static int* addWords(int* at, const void* words, size_t size)
{
	memcpy(at, words, size);
	return at + size / sizeof(int);
}

// All that a parametric graph says: test/web/play/support.mjs reads the same, in this order.
static void traceParametric(const rpParametricReport* report, int* at)
{
	const int counts[] = {report->number,  report->node,     report->requestedNode,
						  report->repairs, report->isForced, report->isAnswer};
	const float figures[] = {report->distance, report->bad, report->response};
	const double times[] = {report->start, report->end};
	at = addWords(at, counts, sizeof(counts));
	at = addWords(at, figures, sizeof(figures));
	at = addWords(at, times, sizeof(times));
	at = addWords(at, report->requested, sizeof(report->requested));
	at = addWords(at, report->low, sizeof(report->low));
	at = addWords(at, report->high, sizeof(report->high));
	at = addWords(at, report->granted, sizeof(report->granted));
	addWords(at, report->achieved, sizeof(report->achieved));
}

static void playTick(rpPlayer* player, const Ask* ask, float* positions, int* trace)
{
	static rpQuat rotations[RP_MAX_JOINTS];
	static rpTransform world[RP_MAX_JOINTS];
	const rpSkeleton* skeleton = rpPlayer_GetSkeleton(player);
	rpPose pose = {.rotations = rotations};
	rpPlayerReport report;
	rpPlayerInput input = {.stick = {(float)ask->stickX, (float)ask->stickZ},
						   .request = (int)ask->request,
						   .locomotion = {(float)ask->speed, (float)ask->turn},
						   .space.isGiven = ask->isGiven != 0.0,
						   .parametric.hasTarget = ask->hasTarget != 0.0};
	for (int i = 0; i < RP_MAX_SPACE_PARAMETERS; ++i)
	{
		input.space.values[i] = (float)ask->values[i];
	}
	if (input.parametric.hasTarget)
	{
		input.parametric.target = (rpVec3){(float)ask->target[0], (float)ask->target[1], (float)ask->target[2]};
	}
	rpPlayer_Step(player, ask->dt, &input, &pose, &report);
	rpSkeleton_Forward(skeleton, pose.rootPosition, rotations, NULL, world);
	for (int i = 0; i < skeleton->jointCount; ++i)
	{
		memcpy(positions + 3 * i, &world[i].p, sizeof(rpVec3));
	}
	trace[0] = (int)report.span;
	trace[1] = (int)report.contacts;
	trace[2] = report.sources[0].clip;
	trace[3] = report.space.number;
	memcpy(trace + 4, report.space.requested, sizeof(report.space.requested));
	memcpy(trace + 4 + RP_MAX_SPACE_PARAMETERS, report.space.nearest, sizeof(report.space.nearest));
	traceParametric(&report.parametric, trace + spaceTraceSize);
}

static void playCase(const rpBundle* bundle, const Case* played, const char* folder, int number, FILE* list)
{
	rpPlayerDef def = rpDefaultPlayerDef();
	def.lookAhead = played->lookAhead;
	def.start = (rpGroundTransform){0.5f, {1.0f, 0.0f, -2.0f}};
	rpPlayer* player = rpCreatePlayer(bundle, &def, NULL);
	int jointCount = rpPlayer_GetSkeleton(player)->jointCount;
	char name[512];
	snprintf(name, sizeof(name), "%s-%d", played->name, number);
	Ask* asks = calloc(tickCount, sizeof(Ask));
	float* positions = calloc((size_t)tickCount * (size_t)jointCount, 3 * sizeof(float));
	int* trace = calloc(tickCount, traceSize * sizeof(int));
	for (int i = 0; i < tickCount; ++i)
	{
		asks[i] = played->ask(i);
		fitAsk(player, &asks[i]);
		playTick(player, &asks[i], positions + 3 * (size_t)i * (size_t)jointCount, trace + traceSize * i);
	}
	writeFile(folder, name, "inputs", asks, tickCount * sizeof(Ask));
	writeFile(folder, name, "positions", positions, (size_t)tickCount * (size_t)jointCount * 3 * sizeof(float));
	writeFile(folder, name, "trace", trace, tickCount * traceSize * sizeof(int));
	fprintf(list, "%s %s.rpb %g %d\n", name, played->name, played->lookAhead, jointCount);
	rpDestroyPlayer(player);
	free(asks);
	free(positions);
	free(trace);
}

/// The cases of a kind of model, up to one without an ask; its first ask is that of --time.
typedef struct Kind
{
	const char* chunk;
	struct
	{
		double lookAhead;
		AskFn* ask;
	} cases[5];
} Kind;

static const Kind s_kinds[] = {
	{"GHDR", {{0.0, askDirection}, {0.25, askDirection}, {0.0, askDirectionUnevenly}}},
	{"LHDR", {{0.0, askGait}, {0.0, askGaitAndDirection}, {0.25, askGait}, {0.0, askGaitUnevenly}}},
	{"SHDR", {{0.0, askParameters}, {0.25, askParameters}, {0.0, askParametersUnevenly}}},
	{"PHDR", {{0.0, askNodeAndDirection}, {0.25, askNodeValues}, {0.0, askTarget}, {0.0, askNodesUnevenly}}},
};

static const Kind* findKind(const rpBundle* bundle)
{
	const Kind* kind = s_kinds;
	while (!rpBundle_HasChunk(bundle, kind->chunk))
	{
		++kind;
	}
	return kind;
}

// All that a bundle's player can be asked for.
static void playBundle(const rpBundle* bundle, const char* folder, const char* name)
{
	const Kind* kind = findKind(bundle);
	char path[4096];
	snprintf(path, sizeof(path), "%s/cases.txt", folder);
	FILE* list = fopen(path, "a");
	for (int i = 0; list != NULL && kind->cases[i].ask != NULL; ++i)
	{
		const Case played = {name, kind->cases[i].lookAhead, kind->cases[i].ask};
		playCase(bundle, &played, folder, i, list);
	}
	if (list == NULL || fclose(list) != 0)
	{
		perror(path);
		exit(1);
	}
}

static void writeBundle(const void* bytes, size_t size, const char* folder, const char* name)
{
	rpBundle* bundle = bytes != NULL ? rpCreateBundle(bytes, size, NULL) : NULL;
	if (bundle == NULL)
	{
		fprintf(stderr, "no bundle %s\n", name);
		exit(1);
	}
	writeFile(folder, name, "rpb", bytes, size);
	playBundle(bundle, folder, name);
	rpDestroyBundle(bundle);
}

// A model's bundle as it is, packed, and packed with a layer.
static void writeBundles(void* bytes, size_t size, const char* folder, const char* name)
{
	char longName[256];
	size_t packedSize, leaningSize;
	rpLeanDef lean = rpDefaultLeanDef();
	snprintf(longName, sizeof(longName), "%s-exact", name);
	writeBundle(bytes, size, folder, longName);
	rpBundle* exact = rpCreateBundle(bytes, size, NULL);
	void* packed = rpPackBundle(exact, NULL, &packedSize, NULL);
	writeBundle(packed, packedSize, folder, name);
	rpBundle* bundle = rpCreateBundle(packed, packedSize, NULL);
	void* leaning = rpBundle_WithLayer(bundle, rpFindLayerKind("lean"), &lean, &leaningSize, NULL);
	snprintf(longName, sizeof(longName), "%s-lean", name);
	writeBundle(leaning, leaningSize, folder, longName);
	rpDestroyBundle(bundle);
	rpDestroyBundle(exact);
	rpFreeBytes(leaning);
	rpFreeBytes(packed);
	rpFreeBytes(bytes);
}

// ---- verdicts

/// What spoils bundles, and where they and the verdicts on them go.
typedef struct Corpus
{
	FILE* file;
	uint32_t state;
} Corpus;

static Corpus s_corpus;

size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t maxSize)
{
	(void)maxSize;
	if (size > 0)
	{
		data[nextRandom(&s_corpus.state) % size] = (uint8_t)nextRandom(&s_corpus.state);
	}
	return size;
}

static void writeText(const char* text)
{
	uint32_t size = (uint32_t)strlen(text);
	fwrite(&size, sizeof(size), 1, s_corpus.file);
	fwrite(text, 1, size, s_corpus.file);
}

// The bytes; code, message and hint, or "none" where a player can be made.
static void judge(const void* bytes, size_t size)
{
	rpError error = {0};
	uint32_t shortSize = (uint32_t)size;
	void* aligned = malloc(size + 1);
	memcpy(aligned, bytes, size);
	rpBundle* bundle = rpCreateBundle(aligned, size, &error);
	rpPlayer* player = bundle != NULL ? rpCreatePlayer(bundle, NULL, &error) : NULL;
	fwrite(&shortSize, sizeof(shortSize), 1, s_corpus.file);
	fwrite(bytes, 1, size, s_corpus.file);
	writeText(player != NULL ? "none" : rpErrorCode_GetName(error.code));
	writeText(player != NULL ? "" : error.message);
	writeText(player != NULL ? "" : error.hint);
	rpDestroyPlayer(player);
	rpDestroyBundle(bundle);
	free(aligned);
}

static void judgeSpoilt(const uint8_t* bytes, size_t size)
{
	uint8_t* copy = malloc(size + 1);
	for (int i = 0; i < spoiltOfEach; ++i)
	{
		// One byte changed; the same with a checksum that fits; numbers changed; cut off.
		size_t changedSize = size;
		memcpy(copy, bytes, size);
		if (i % 4 < 2)
		{
			copy[i < 64 && size > 64 ? (uint32_t)i : nextRandom(&s_corpus.state) % size] ^=
				(uint8_t)(1 + nextRandom(&s_corpus.state) % 255);
		}
		if (i % 4 == 1)
		{
			fitBundle(copy, size);
		}
		else if (i % 4 == 2)
		{
			changedSize = mutateBundle(copy, size, size, nextRandom(&s_corpus.state), 0);
		}
		else if (i % 4 == 3)
		{
			changedSize = nextRandom(&s_corpus.state) % size;
		}
		judge(copy, changedSize);
	}
	free(copy);
}

static void judgeFile(const char* path)
{
	size_t size;
	char* bytes = testReadFile(path, &size);
	if (bytes == NULL)
	{
		return;
	}
	judge(bytes, size);
	fitBundle((uint8_t*)bytes, size);
	judge(bytes, size);
	if (size > bundleHeader)
	{
		judgeSpoilt((const uint8_t*)bytes, size);
	}
	free(bytes);
}

static int compareNames(const struct dirent** a, const struct dirent** b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static void judgeFolder(const char* folder)
{
	struct dirent** entries = NULL;
	int count = scandir(folder, &entries, NULL, compareNames);
	for (int i = 0; i < count; ++i)
	{
		char path[4096];
		snprintf(path, sizeof(path), "%s/%s", folder, entries[i]->d_name);
		if (entries[i]->d_name[0] != '.')
		{
			judgeFile(path);
		}
		free(entries[i]);
	}
	free(entries);
}

static void writeSpaces(const char* folder)
{
	size_t size;
	rpSpace* space = testMakeWalkSpace();
	void* bytes = rpWriteSpaceBundle(space, &size, NULL);
	writeBundles(bytes, size, folder, "space");
	rpDestroySpace(space);
	space = testMakePunchSpace();
	bytes = rpWriteSpaceBundle(space, &size, NULL);
	writeBundles(bytes, size, folder, "punches");
	rpDestroySpace(space);
}

// Who walks and punches, by edges good or bad; and who only punches.
static void writeParametric(const char* folder)
{
	static const char* const names[] = {"walk", "punch"};
	size_t size;
	rpSpace *walks = testMakeWalkSpace(), *punches = testMakePunchSpace();
	const rpSpace* spaces[] = {walks, punches};
	void* bytes = testMakeParametricBundle(spaces, names, 2, &size);
	writeBundles(bytes, size, folder, "pgraph");
	bytes = testMakeParametricBundle(spaces + 1, names + 1, 1, &size);
	writeBundles(bytes, size, folder, "boxing");
	rpDestroySpace(punches);
	rpDestroySpace(walks);
}

static int writeAll(const char* folder, char** corpora, int corpusCount)
{
	char path[4096];
	size_t size;
	rpGraph* graph = testMakeWalkGraph(10.0, true);
	void* bytes = rpWriteGraphBundle(graph, &size, NULL);
	writeBundles(bytes, size, folder, "graph");
	rpDestroyGraph(graph);
	TestLocomotion takes = testPerformAllGaits(120.0, 1);
	rpLocomotion* model = testBuildLocomotion(&takes, true);
	bytes = rpWriteLocomotionBundle(model, &size, NULL);
	writeBundles(bytes, size, folder, "locomotion");
	rpDestroyLocomotion(model);
	testFreeLocomotion(&takes);
	writeSpaces(folder);
	writeParametric(folder);
	snprintf(path, sizeof(path), "%s/corpus.bin", folder);
	s_corpus = (Corpus){fopen(path, "wb"), 1};
	for (int i = 0; i < corpusCount; ++i)
	{
		judgeFolder(corpora[i]);
	}
	return fclose(s_corpus.file);
}

// ---- files

static rpBundle* openFile(const char* path)
{
	rpError error = {0};
	rpBundle* bundle = rpOpenBundle(path, &error);
	if (bundle == NULL)
	{
		fprintf(stderr, "%s: %s\n", path, error.message);
		exit(1);
	}
	return bundle;
}

static int playFile(const char* folder, const char* name, const char* path)
{
	rpBundle* bundle = openFile(path);
	playBundle(bundle, folder, name);
	rpDestroyBundle(bundle);
	return 0;
}

static double now(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

// The fastest of some rounds: others may be at work on the machine. With forward kinematics, as in the module.
static int timeFile(const char* path)
{
	rpBundle* bundle = openFile(path);
	rpPlayer* player = rpCreatePlayer(bundle, NULL, NULL);
	AskFn* ask = findKind(bundle)->cases[0].ask;
	static float positions[3 * RP_MAX_JOINTS];
	double best = INFINITY;
	for (int round = 0; round < 20; ++round)
	{
		double start = now();
		for (int i = 0; i < tickCount; ++i)
		{
			int trace[traceSize];
			Ask asked = ask(i);
			fitAsk(player, &asked);
			playTick(player, &asked, positions, trace);
		}
		best = fmin(best, now() - start);
	}
	printf("%.4f\n", 1e6 * best / tickCount);
	rpDestroyPlayer(player);
	rpDestroyBundle(bundle);
	return 0;
}

// ---- as a test of its own

// What is written is what a player shows, and it goes places.
static void testCasesMove(void** state)
{
	(void)state;
	void* bytes;
	size_t size;
	rpBundle* bundle = testMakeWalkBundle(4.0, &bytes, &size);
	const char* folder = testFolder();
	playBundle(bundle, folder, "small");
	float* positions = (float*)(void*)testReadFile(testPath("small-0.positions"), &size);
	assert_non_null(positions);
	assert_int_equal(size % (tickCount * 3 * sizeof(float)), 0);
	float* last = positions + size / sizeof(float) * (tickCount - 1) / tickCount;
	assert_true(hypotf(last[0] - positions[0], last[2] - positions[2]) > 1.0f);
	free(positions);
	rpDestroyBundle(bundle);
	rpFreeBytes(bytes);
}

int main(int argumentCount, char** arguments)
{
	const char* mode = argumentCount > 2 ? arguments[1] : "";
	if (strcmp(mode, "--write") == 0)
	{
		return writeAll(arguments[2], arguments + 3, argumentCount - 3);
	}
	if (strcmp(mode, "--play") == 0 && argumentCount == 5)
	{
		return playFile(arguments[2], arguments[3], arguments[4]);
	}
	if (strcmp(mode, "--time") == 0)
	{
		return timeFile(arguments[2]);
	}
	const struct CMUnitTest tests[] = {cmocka_unit_test(testCasesMove)};
	return cmocka_run_group_tests_name("web twin", tests, NULL, NULL);
}
