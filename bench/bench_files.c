/// How fast BVH is read: against a plain strtod parser of the same numbers, and against memcpy of the bytes; and how
/// fast it is written.
#include "bench.h"

#include "base/memory.h"
#include "file/number.h"
#include "file/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define JOINT_COUNT 31
#define FRAME_COUNT 12000
#define REPETITIONS 15

// A long text like those of the CMU database: 31 joints, 96 channels, four to six decimals, mostly small angles.
static void writeHierarchy(rpText* text)
{
	rpText_AppendString(text, "HIERARCHY\nROOT Joint0\n{\n\tOFFSET 0 0 0\n\tCHANNELS 6 Xposition Yposition Zposition "
							  "Zrotation Yrotation Xrotation\n");
	for (int i = 1; i < JOINT_COUNT; ++i)
	{
		rpText_Print(text, "JOINT Joint%d\n{\n\tOFFSET 0.%d 1.5 -0.25\n\tCHANNELS 3 Zrotation Yrotation Xrotation\n", i,
					 i);
		if (i % 5 == 0)
		{
			rpText_AppendString(text, "End Site\n{\nOFFSET 0 1 0\n}\n}\n}\n}\n}\n}\n");
		}
	}
	rpText_Print(text, "}\nMOTION\nFrames: %d\nFrame Time: .0083333\n", FRAME_COUNT);
}

static bool writeFile(rpText* text)
{
	writeHierarchy(text);
	rpRandom random = rpSeedRandom(1);
	double values[3 * JOINT_COUNT + 3];
	for (int i = 0; i < 3 * JOINT_COUNT + 3; ++i)
	{
		values[i] = rpRandom_Normal(&random) * 20.0;
	}
	for (int frame = 0; frame < FRAME_COUNT; ++frame)
	{
		for (int i = 0; i < 3 * JOINT_COUNT + 3; ++i)
		{
			values[i] += rpRandom_Normal(&random) * 0.5 - 0.01 * values[i];
			rpText_Print(text, i % 7 == 0 ? "%.6f " : i % 3 == 0 ? "%.5f " : "%.4f ", values[i]);
		}
		rpText_AppendString(text, "\n");
	}
	return !text->failed;
}

static bool loadFile(const char* path, rpText* text)
{
	FILE* file = fopen(path, "rb");
	if (file == NULL)
	{
		perror(path);
		return false;
	}
	char buffer[65536];
	for (size_t size; (size = fread(buffer, 1, sizeof(buffer), file)) > 0;)
	{
		rpText_Append(text, buffer, size);
	}
	fclose(file);
	return !text->failed && text->size > 0;
}

// The numbers start after the line of the frame time.
static const char* findRows(const rpText* text)
{
	const char* line = strstr(text->data, "Frame Time");
	const char* rows = line != NULL ? strpbrk(line, "\r\n") : NULL;
	return rows != NULL ? rows : text->data + text->size;
}

static size_t parseWithStrtod(const char* rows, float* out)
{
	size_t count = 0;
	for (;; ++count)
	{
		char* next;
		double value = strtod(rows, &next);
		if (next == rows)
		{
			return count;
		}
		out[count] = (float)value;
		rows = next;
	}
}

static size_t parseWithOurs(const char* rows, const char* end, float* out)
{
	size_t count = 0;
	for (int read = 1; read > 0; count += (size_t)read)
	{
		rows = rpParseFloats(rows, end, '.', out + count, 96, &read);
	}
	return count;
}

// Bytes that live, and the most that ever did, through the library's allocation hooks.
static size_t s_bytes, s_peak;

static void* countAllocate(size_t size, void* context)
{
	(void)context;
	size_t* block = malloc(size + 16);
	if (block == NULL)
	{
		return NULL;
	}
	*block = size;
	s_bytes += size;
	s_peak = s_bytes > s_peak ? s_bytes : s_peak;
	return block + 2;
}

static void countRelease(void* memory, void* context)
{
	(void)context;
	size_t* block = (size_t*)memory - 2;
	s_bytes -= *block;
	free(block);
}

// Old and new block live side by side, as in the worst realloc.
static void* countReallocate(void* memory, size_t size, void* context)
{
	void* moved = countAllocate(size, context);
	if (moved != NULL)
	{
		size_t old = ((size_t*)memory)[-2];
		memcpy(moved, memory, old < size ? old : size);
		countRelease(memory, context);
	}
	return moved;
}

static rpMotion* readBvh(const rpText* text)
{
	rpReading reading;
	rpReadDef def = rpDefaultReadDef();
	rpError error = {0};
	if (!rpReadBvh(text->data, text->size, &def, &reading, NULL, &error))
	{
		fprintf(stderr, "reprise-bench: %d:%d: %s\n", error.line, error.column, error.message);
		return NULL;
	}
	return reading.motion;
}

static bool measurePeak(const rpText* text, BenchReport* report)
{
	static const rpAllocator allocator = {countAllocate, countReallocate, countRelease, NULL};
	rpSetAllocator(&allocator);
	s_bytes = s_peak = 0;
	rpMotion* motion = readBvh(text);
	double kept = (double)text->size + (double)s_bytes, peak = (double)text->size + (double)s_peak;
	bool done = motion != NULL;
	rpDestroyMotion(motion);
	rpSetAllocator(NULL);
	benchPut(report, "bvh_read_peak_ratio", peak / kept,
			 "most memory while reading, file included, over file plus motion");
	return done;
}

// Frame by frame into a file, as walks and players are written; against the same text in memory alone.
static bool streamOnce(const rpMotion* motion, const char* path, double* seconds)
{
	rpSaveDef def = rpDefaultSaveDef();
	def.sidecar = false;
	double start = benchCpuTime();
	rpMotionWriter* writer = rpOpenMotionWriter(motion, path, &def, NULL);
	bool done = writer != NULL;
	for (int frame = 0; frame < motion->frameCount && done; ++frame)
	{
		rpPose pose = rpMotion_GetPose(motion, frame);
		done = rpMotionWriter_Add(writer, &pose, NULL);
	}
	done = done && rpMotionWriter_Finish(writer, NULL);
	rpDestroyMotionWriter(writer);
	*seconds = benchCpuTime() - start;
	return done;
}

static bool measureStream(const rpText* text, BenchReport* report)
{
	char path[] = "/tmp/reprise-bench-XXXXXX.bvh";
	int file = mkstemps(path, 4);
	rpMotion* motion = readBvh(text);
	double memory[REPETITIONS], stream[REPETITIONS];
	size_t size = 0;
	bool done = file >= 0 && motion != NULL;
	for (int i = 0; i < REPETITIONS && done; ++i)
	{
		void* bytes = NULL;
		double start = benchCpuTime();
		done = rpWriteMotion(motion, NULL, &bytes, &size, NULL);
		memory[i] = benchCpuTime() - start;
		rpFreeBytes(bytes);
		done = done && streamOnce(motion, path, &stream[i]);
	}
	if (file >= 0)
	{
		close(file);
		unlink(path);
	}
	rpDestroyMotion(motion);
	if (done)
	{
		double streamed = benchMedian(stream, REPETITIONS);
		benchPut(report, "bvh_stream_mb_per_s", 1e-6 * (double)size / streamed, "MB/s of text, written frame by frame");
		benchPut(report, "bvh_stream_vs_memory", benchMedian(memory, REPETITIONS) / streamed,
				 "times as fast as the whole text in memory, which is not written yet");
	}
	return done;
}

typedef struct Times
{
	double strtod[REPETITIONS], numbers[REPETITIONS], copy[REPETITIONS], full[REPETITIONS];
} Times;

static bool measureOnce(const rpText* text, float* theirs, float* ours, char* copy, Times* times, int i)
{
	const char *rows = findRows(text), *end = text->data + text->size;
	double start = benchCpuTime();
	size_t theirCount = parseWithStrtod(rows, theirs);
	double afterStrtod = benchCpuTime();
	size_t ourCount = parseWithOurs(rows, end, ours);
	double afterNumbers = benchCpuTime();
	memcpy(copy, text->data, text->size);
	benchKeep(copy);
	double afterCopy = benchCpuTime();
	rpMotion* motion = readBvh(text);
	double afterFull = benchCpuTime();
	times->strtod[i] = afterStrtod - start;
	times->numbers[i] = afterNumbers - afterStrtod;
	times->copy[i] = afterCopy - afterNumbers;
	times->full[i] = afterFull - afterCopy;
	bool done = motion != NULL;
	rpDestroyMotion(motion);
	if (theirCount != ourCount || memcmp(theirs, ours, ourCount * sizeof(float)) != 0)
	{
		fprintf(stderr, "reprise-bench: our numbers are not those of strtod\n");
		return false;
	}
	return done;
}

static bool measure(const rpText* text, float* theirs, float* ours, char* copy, BenchReport* report)
{
	Times times;
	for (int i = 0; i < REPETITIONS; ++i)
	{
		if (!measureOnce(text, theirs, ours, copy, &times, i))
		{
			return false;
		}
	}
	double megabytes = 1e-6 * (double)text->size, plain = benchMedian(times.strtod, REPETITIONS);
	double numbers = benchMedian(times.numbers, REPETITIONS), full = benchMedian(times.full, REPETITIONS);
	benchPut(report, "bvh_read_vs_strtod", plain / numbers, "times as fast as strtod, numbers alone, the same bits");
	benchPut(report, "bvh_full_read_vs_strtod", plain / full, "times as fast as strtod alone, rotations included");
	benchPut(report, "bvh_read_mb_per_s", megabytes / full, "MB/s of text, the whole reading");
	benchPut(report, "bvh_numbers_mb_per_s", megabytes / numbers, "MB/s of text, numbers alone");
	benchPut(report, "strtod_mb_per_s", megabytes / plain, "MB/s of text, strtod");
	benchPut(report, "memcpy_mb_per_s", megabytes / benchMedian(times.copy, REPETITIONS), "MB/s of text copied");
	return measurePeak(text, report) && measureStream(text, report);
}

bool benchFiles(const BenchOptions* options, BenchReport* report)
{
	rpText text = {0};
	if (!(options->file != NULL ? loadFile(options->file, &text) : writeFile(&text)))
	{
		rpText_Free(&text);
		return false;
	}
	float* theirs = malloc((text.size / 2 + 100) * sizeof(float));
	float* ours = malloc((text.size / 2 + 100) * sizeof(float));
	char* copy = malloc(text.size);
	bool done = theirs != NULL && ours != NULL && copy != NULL && measure(&text, theirs, ours, copy, report);
	free(theirs);
	free(ours);
	free(copy);
	rpText_Free(&text);
	return done;
}
