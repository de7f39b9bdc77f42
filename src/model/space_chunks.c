#include "model/space_chunks.h"

#include "base/error.h"
#include "base/memory.h"
#include "model/locomotion_chunks.h"
#include "model/model_name.h"
#include "motion/plausible.h"

#include <math.h>
#include <string.h>

/// SHDR, one record.
typedef struct SpaceHeader
{
	int32_t parameterCount, exampleCount, keyCount, sampleCount, eventCount, clipCount;
	float roughness;
	int32_t padding;
} SpaceHeader;

/// SPAR, one for each parameter.
typedef struct ParameterRecord
{
	char name[80], key[96];
	float low, high;
	int32_t isAngle, padding;
} ParameterRecord;

/// SEXA, one for each example.
typedef struct ExampleRecord
{
	double from, to, start, end, margin;
	int32_t clip, isMirror, parent;
	float distance;
} ExampleRecord;

_Static_assert(sizeof(SpaceHeader) == 32 && sizeof(ParameterRecord) == 192 && sizeof(ExampleRecord) == 56 &&
				   sizeof(rpSpaceWeight) == 8,
			   "the layout of the file");

// Weights and times are rounded.
#define WEIGHT_TOLERANCE 1e-3f
#define TIME_TOLERANCE 1e-9

// An example may be late in a long take, seconds; this one lasts a day.
#define LONGEST_TAKE 86400.0

void rpDestroySpace(rpSpace* space)
{
	if (space == NULL)
	{
		return;
	}
	for (int i = 0; space->motions != NULL && i < space->exampleCount; ++i)
	{
		rpDestroyMotion(space->motions[i]);
	}
	rpFree(space->motions);
	rpFree(space->examples);
	rpFree(space->keytimes);
	rpFree(space->values);
	rpFree(space->weights);
	rpFree(space->events);
	rpFree(space->eventTimes);
	rpFree(space->clipNames);
	rpFree(space->hashes);
	rpFree(space);
}

// ---- writing

static bool writeParameters(rpBundleWriter* writer, const rpSpace* space, rpError* error)
{
	ParameterRecord records[RP_MAX_SPACE_PARAMETERS];
	memset(records, 0, sizeof(records));
	for (int i = 0; i < space->parameterCount; ++i)
	{
		const rpSpaceParameter* parameter = &space->parameters[i];
		ParameterRecord* record = &records[i];
		memcpy(record->name, parameter->name, sizeof(record->name));
		memcpy(record->key, parameter->key, sizeof(record->key));
		record->low = parameter->low;
		record->high = parameter->high;
		record->isAngle = parameter->isAngle;
	}
	return rpBundleWriter_Add(writer, "SPAR", records, space->parameterCount, sizeof(ParameterRecord), error) &&
		   rpBundleWriter_Add(writer, "SFEA", space->features, RP_MAX_SPACE_TEXT, 1, error);
}

static bool writeExamples(rpBundleWriter* writer, const rpSpace* space, rpError* error)
{
	ExampleRecord* records = rpBundleWriter_Reserve(writer, "SEXA", space->exampleCount, sizeof(ExampleRecord), error);
	for (int i = 0; records != NULL && i < space->exampleCount; ++i)
	{
		const rpSpaceExample* example = &space->examples[i];
		records[i] = (ExampleRecord){.from = example->from,
									 .to = example->to,
									 .start = example->start,
									 .end = example->end,
									 .margin = example->margin,
									 .clip = example->clip,
									 .isMirror = example->isMirror,
									 .parent = example->parent,
									 .distance = example->distance};
	}
	return records != NULL && rpBundleWriter_Add(writer, "SKEY", space->keytimes, space->exampleCount * space->keyCount,
												 sizeof(double), error);
}

static bool writeSamples(rpBundleWriter* writer, const rpSpace* space, rpError* error)
{
	int d = space->parameterCount;
	return rpBundleWriter_Add(writer, "SVAL", space->values, space->sampleCount * d, sizeof(float), error) &&
		   rpBundleWriter_Add(writer, "SWEI", space->weights, space->sampleCount * (d + 1), sizeof(rpSpaceWeight),
							  error);
}

static bool writeEvents(rpBundleWriter* writer, const rpSpace* space, rpError* error)
{
	return space->eventCount == 0 ||
		   (rpBundleWriter_Add(writer, "SEVN", space->events, space->eventSize, 1, error) &&
			rpBundleWriter_Add(writer, "SEVT", space->eventTimes, space->exampleCount * space->eventCount,
							   sizeof(double), error));
}

bool rpWriteSpaceChunks(rpBundleWriter* writer, const rpSpace* space, rpError* error)
{
	SpaceHeader header = {.parameterCount = space->parameterCount,
						  .exampleCount = space->exampleCount,
						  .keyCount = space->keyCount,
						  .sampleCount = space->sampleCount,
						  .eventCount = space->eventCount,
						  .clipCount = space->clipCount,
						  .roughness = space->roughness};
	return rpBundleWriter_Add(writer, "SHDR", &header, 1, sizeof(header), error) &&
		   writeParameters(writer, space, error) && writeExamples(writer, space, error) &&
		   writeSamples(writer, space, error) && writeEvents(writer, space, error) &&
		   rpBundleWriter_Add(writer, "STXT", space->clipNames, space->clipNameSize, 1, error);
}

// ---- reading

static bool fail(rpError* error, const char* what)
{
	return rpFail(error, rp_errorFormat, "the space is damaged: %s", what);
}

static bool isCount(int count, int low, int high)
{
	return count >= low && count <= high;
}

static bool readHeader(const rpBundle* bundle, rpSpace* space, rpError* error)
{
	int count;
	const SpaceHeader* header = rpBundle_GetChunk(bundle, "SHDR", sizeof(SpaceHeader), &count, error);
	if (header == NULL)
	{
		return false;
	}
	bool isSound =
		count == 1 && isCount(header->parameterCount, 1, RP_MAX_SPACE_PARAMETERS) &&
		isCount(header->exampleCount, 1, RP_MAX_SPACE_EXAMPLES) && isCount(header->keyCount, 2, RP_MAX_SPACE_KEYS) &&
		isCount(header->sampleCount, header->exampleCount, RP_MAX_SPACE_SAMPLES) &&
		isCount(header->eventCount, 0, RP_MAX_SPACE_EVENTS) && isCount(header->clipCount, 1, header->exampleCount) &&
		rpIsWithin(header->roughness, RP_DAMAGE_LIMIT);
	space->parameterCount = header->parameterCount;
	space->exampleCount = header->exampleCount;
	space->keyCount = header->keyCount;
	space->sampleCount = header->sampleCount;
	space->eventCount = header->eventCount;
	space->clipCount = header->clipCount;
	space->roughness = header->roughness;
	return isSound || fail(error, "its header");
}

static bool isText(const char* text, size_t size)
{
	return memchr(text, 0, size) != NULL && rpIsUtf8(text, strlen(text));
}

// Text that is shown: terminated, UTF-8.
static bool readParameters(const rpBundle* bundle, rpSpace* space, rpError* error)
{
	int count, size;
	const ParameterRecord* records = rpBundle_GetChunk(bundle, "SPAR", sizeof(ParameterRecord), &count, error);
	const char* features = records != NULL ? rpBundle_GetChunk(bundle, "SFEA", 1, &size, error) : NULL;
	if (features == NULL)
	{
		return false;
	}
	bool isSound = count == space->parameterCount && size == RP_MAX_SPACE_TEXT && isText(features, (size_t)size);
	for (int i = 0; i < count && isSound; ++i)
	{
		const ParameterRecord* record = &records[i];
		rpSpaceParameter* parameter = &space->parameters[i];
		isSound = isText(record->name, sizeof(record->name)) && isText(record->key, sizeof(record->key)) &&
				  rpIsWithin(record->low, RP_FARTHEST) && rpIsWithin(record->high, RP_FARTHEST) &&
				  record->low <= record->high && (record->isAngle & ~1) == 0;
		memcpy(parameter->name, record->name, sizeof(parameter->name));
		memcpy(parameter->key, record->key, sizeof(parameter->key));
		parameter->low = record->low;
		parameter->high = record->high;
		parameter->isAngle = record->isAngle != 0;
	}
	if (isSound)
	{
		memcpy(space->features, features, RP_MAX_SPACE_TEXT);
	}
	return isSound || fail(error, "its parameters");
}

static bool readExample(const rpSpace* space, const ExampleRecord* record, int index, rpSpaceExample* out)
{
	*out = (rpSpaceExample){.clip = record->clip,
							.isMirror = record->isMirror != 0,
							.from = record->from,
							.to = record->to,
							.start = record->start,
							.end = record->end,
							.margin = record->margin,
							.parent = record->parent,
							.distance = record->distance};
	bool isSound = isCount(record->clip, 0, space->clipCount - 1) && (record->isMirror & ~1) == 0 &&
				   isCount(record->parent, -1, index - 1) && rpIsWithin(record->distance, RP_FARTHEST);
	isSound = isSound && record->from >= 0.0 && record->to <= LONGEST_TAKE && record->start >= 0.0 &&
			  record->margin >= 0.0 && record->margin <= RP_LONGEST_MOVEMENT && record->end <= RP_LONGEST_MOVEMENT &&
			  record->end - record->start >= RP_SHORTEST_MOVEMENT;
	return isSound && fabs((record->to - record->from) - (record->end - record->start)) < 0.1;
}

static bool areSoundKeys(const double* times, int count, const rpSpaceExample* example)
{
	bool isSound =
		fabs(times[0] - example->start) < TIME_TOLERANCE && fabs(times[count - 1] - example->end) < TIME_TOLERANCE;
	for (int k = 1; k < count && isSound; ++k)
	{
		isSound = times[k] > times[k - 1];
	}
	return isSound;
}

// A copy of a chunk of so many records; NULL when it has another number of them.
static void* copyChunk(const rpBundle* bundle, const char* type, int64_t expected, size_t size, rpError* error)
{
	int count;
	const void* chunk = rpBundle_GetChunk(bundle, type, size, &count, error);
	if (chunk == NULL || (count != expected && !fail(error, "its tables are of different sizes")))
	{
		return NULL;
	}
	void* copy = rpAllocate((size_t)count + 1, size, error);
	if (copy != NULL)
	{
		memcpy(copy, chunk, (size_t)count * size);
	}
	return copy;
}

static bool readExamples(const rpBundle* bundle, rpSpace* space, rpError* error)
{
	int count;
	const ExampleRecord* records = rpBundle_GetChunk(bundle, "SEXA", sizeof(ExampleRecord), &count, error);
	if (records == NULL || (count != space->exampleCount && !fail(error, "its examples")))
	{
		return false;
	}
	space->examples = rpAllocateZero((size_t)count, sizeof(rpSpaceExample), error);
	space->keytimes = copyChunk(bundle, "SKEY", (int64_t)count * space->keyCount, sizeof(double), error);
	bool done = space->examples != NULL && space->keytimes != NULL;
	for (int i = 0; i < count && done; ++i)
	{
		done = (readExample(space, &records[i], i, &space->examples[i]) &&
				areSoundKeys(space->keytimes + (size_t)i * (size_t)space->keyCount, space->keyCount,
							 &space->examples[i])) ||
			   fail(error, "an example");
	}
	return done;
}

static bool areSoundWeights(const rpSpace* space, const rpSpaceWeight* weights)
{
	float sum = 0.0f;
	bool isSound = true;
	for (int i = 0; i <= space->parameterCount && isSound; ++i)
	{
		sum += weights[i].weight;
		isSound = isCount(weights[i].example, 0, space->exampleCount - 1) && weights[i].weight >= 0.0f;
	}
	return isSound && fabsf(sum - 1.0f) < WEIGHT_TOLERANCE;
}

static bool readSamples(const rpBundle* bundle, rpSpace* space, rpError* error)
{
	int d = space->parameterCount;
	space->values = copyChunk(bundle, "SVAL", (int64_t)space->sampleCount * d, sizeof(float), error);
	space->weights = space->values != NULL ? copyChunk(bundle, "SWEI", (int64_t)space->sampleCount * (d + 1),
													   sizeof(rpSpaceWeight), error)
										   : NULL;
	if (space->weights == NULL)
	{
		return false;
	}
	bool isSound = true;
	for (int i = 0; i < space->sampleCount && isSound; ++i)
	{
		isSound = areSoundWeights(space, space->weights + (size_t)i * (size_t)(d + 1));
		for (int k = 0; k < d && isSound; ++k)
		{
			isSound = rpIsWithin(space->values[(size_t)i * (size_t)d + (size_t)k], RP_FARTHEST);
		}
	}
	return isSound || fail(error, "a sample");
}

// So many names, one behind the other, each with a zero.
static bool areSoundNames(const char* names, int size, int count)
{
	const char* end = names + size;
	bool isSound = true;
	for (int i = 0; i < count && isSound; ++i)
	{
		const char* zero = names < end ? memchr(names, 0, (size_t)(end - names)) : NULL;
		isSound = zero != NULL && rpIsModelName(names, false);
		names = isSound ? zero + 1 : names;
	}
	return isSound && names == end;
}

static char* copyNames(const rpBundle* bundle, const char* type, int count, int* size, rpError* error)
{
	const char* names = rpBundle_GetChunk(bundle, type, 1, size, error);
	if (names == NULL || (!areSoundNames(names, *size, count) && !fail(error, "its names")))
	{
		return NULL;
	}
	char* copy = rpAllocate((size_t)*size, 1, error);
	if (copy != NULL)
	{
		memcpy(copy, names, (size_t)*size);
	}
	return copy;
}

// An event that an example lacks is not a number.
static bool readEvents(const rpBundle* bundle, rpSpace* space, rpError* error)
{
	int64_t count = (int64_t)space->exampleCount * space->eventCount;
	if (space->eventCount == 0)
	{
		return true;
	}
	space->events = copyNames(bundle, "SEVN", space->eventCount, &space->eventSize, error);
	space->eventTimes = space->events != NULL ? copyChunk(bundle, "SEVT", count, sizeof(double), error) : NULL;
	bool isSound = space->eventTimes != NULL;
	for (int64_t i = 0; isSound && i < count; ++i)
	{
		isSound =
			isnan(space->eventTimes[i]) || fabs(space->eventTimes[i]) <= RP_LONGEST_MOVEMENT || fail(error, "an event");
	}
	return isSound;
}

rpSpace* rpReadSpaceChunks(const rpBundle* bundle, rpError* error)
{
	rpSpace* space = rpAllocateZero(1, sizeof(rpSpace), error);
	if (space == NULL)
	{
		return NULL;
	}
	bool done = readHeader(bundle, space, error) && readParameters(bundle, space, error) &&
				readExamples(bundle, space, error) && readSamples(bundle, space, error) &&
				readEvents(bundle, space, error);
	space->clipNames = done ? copyNames(bundle, "STXT", space->clipCount, &space->clipNameSize, error) : NULL;
	if (space->clipNames == NULL)
	{
		rpDestroySpace(space);
		return NULL;
	}
	return space;
}
