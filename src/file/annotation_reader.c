/// Annotations from JSON. Nothing in the text is trusted: kinds, ranges and counts are checked, and entries are sorted
/// before they are added, so that a list in the worst order costs no more than one in the best.
#include "base/error.h"
#include "file/annotation_json.h"
#include "file/sidecar.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Room for the name of a place in the text, "contacts[999999]".
#define PLACE_SIZE 64

json_t* rpParseJson(const char* text, size_t size, rpError* error)
{
	if (size > RP_MAX_JSON_SIZE)
	{
		rpFail(error, rp_errorLimit, "%zu bytes of JSON; at most %zu are read", size, RP_MAX_JSON_SIZE);
		return NULL;
	}
	json_error_t reason;
	json_t* root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &reason);
	if (root == NULL)
	{
		// Where jansson finds no memory it mostly says nothing at all.
		bool memory = reason.text[0] == 0 || json_error_code(&reason) == json_error_out_of_memory;
		rpFailAt(error, memory ? rp_errorMemory : rp_errorFormat, memory ? 0 : reason.line, memory ? 0 : reason.column,
				 "%s", memory ? "out of memory while reading JSON" : reason.text);
		return NULL;
	}
	if (!json_is_object(root))
	{
		json_decref(root);
		rpFailAt(error, rp_errorFormat, 1, 1, "a JSON object was expected");
		return NULL;
	}
	return root;
}

static bool failMember(rpError* error, const char* place, const char* key, const char* expected)
{
	return rpFail(error, rp_errorFormat, "\"%s\"%s%s: expected %s", key, place[0] != 0 ? " of " : "", place, expected);
}

bool rpGetJsonNumber(const json_t* object, const char* key, const char* place, double* out, rpError* error)
{
	const json_t* value = json_object_get(object, key);
	*out = json_number_value(value);
	return (json_is_number(value) && isfinite(*out)) || failMember(error, place, key, "a number");
}

bool rpGetJsonString(const json_t* object, const char* key, const char* place, const char** out, rpError* error)
{
	*out = json_string_value(json_object_get(object, key));
	return *out != NULL || failMember(error, place, key, "a text");
}

bool rpGetJsonFloats(const json_t* list, const char* place, float* out, size_t count, rpError* error)
{
	if (!json_is_array(list) || json_array_size(list) != count)
	{
		return rpFail(error, rp_errorFormat, "%s: expected a list of %zu numbers", place, count);
	}
	for (size_t i = 0; i < count; ++i)
	{
		const json_t* value = json_array_get(list, i);
		out[i] = (float)json_number_value(value);
		if (!json_is_number(value) || !isfinite(out[i]))
		{
			return rpFail(error, rp_errorFormat, "%s[%zu]: expected a number that a float can hold", place, i);
		}
	}
	return true;
}

// The list of that name, NULL where there is none (*count is 0 then).
static bool getList(const json_t* object, const char* key, const json_t** list, size_t* count, rpError* error)
{
	*list = json_object_get(object, key);
	*count = json_array_size(*list);
	if (*list != NULL && !json_is_array(*list))
	{
		return failMember(error, "", key, "a list");
	}
	return *count <= RP_MAX_JSON_ITEMS ||
		   rpFail(error, rp_errorLimit, "\"%s\" has %zu entries; at most %d are read", key, *count, RP_MAX_JSON_ITEMS);
}

// The object at a place of a list; also names the place.
static const json_t* getEntry(const json_t* list, const char* key, size_t index, char place[PLACE_SIZE], rpError* error)
{
	snprintf(place, PLACE_SIZE, "%s[%zu]", key, index);
	const json_t* entry = json_array_get(list, index);
	if (!json_is_object(entry))
	{
		rpFail(error, rp_errorFormat, "%s: expected an object", place);
		return NULL;
	}
	return entry;
}

static bool readContact(const json_t* entry, const char* place, rpInterval* out, rpError* error)
{
	const char* name;
	double height;
	if (!rpGetJsonString(entry, "effector", place, &name, error) ||
		!rpGetJsonNumber(entry, "support_height_m", place, &height, error))
	{
		return false;
	}
	out->effector = rpEffector_Find(name);
	out->supportHeight = (float)height;
	return out->effector != rp_effectorCount ||
		   failMember(error, place, "effector", "a name such as left_heel or right_hand");
}

static bool readSource(const json_t* entry, const char* place, rpInterval* out, rpError* error)
{
	return rpGetJsonString(entry, "clip", place, &out->name, error) &&
		   rpGetJsonNumber(entry, "clip_start_s", place, &out->sourceStart, error) &&
		   rpGetJsonNumber(entry, "clip_end_s", place, &out->sourceEnd, error);
}

static bool readInterval(const json_t* entry, rpTrack track, const char* place, rpInterval* out, rpError* error)
{
	*out = (rpInterval){.track = track};
	if (!rpGetJsonNumber(entry, "start_s", place, &out->start, error) ||
		!rpGetJsonNumber(entry, "end_s", place, &out->end, error))
	{
		return false;
	}
	switch (track)
	{
	case rp_trackContact:
		return readContact(entry, place, out, error);
	case rp_trackSource:
		return readSource(entry, place, out, error);
	default:
		return rpGetJsonString(entry, "name", place, &out->name, error);
	}
}

static int compareIntervals(const void* left, const void* right)
{
	const rpInterval *a = left, *b = right;
	int order = (a->start > b->start) - (a->start < b->start);
	order = order != 0 ? order : (a->end > b->end) - (a->end < b->end);
	order = order != 0 ? order : (int)a->effector - (int)b->effector;
	return order != 0 || a->name == NULL ? order : strcmp(a->name, b->name);
}

static bool readTrack(const json_t* object, rpTrack track, const char* key, rpAnnotations* out, rpError* error)
{
	const json_t* list;
	size_t count;
	if (!getList(object, key, &list, &count, error))
	{
		return false;
	}
	rpInterval* intervals = rpAllocate(count, sizeof(rpInterval), error);
	bool done = intervals != NULL;
	for (size_t i = 0; done && i < count; ++i)
	{
		char place[PLACE_SIZE];
		const json_t* entry = getEntry(list, key, i, place, error);
		done = entry != NULL && readInterval(entry, track, place, intervals + i, error);
	}
	if (done)
	{
		qsort(intervals, count, sizeof(rpInterval), compareIntervals);
	}
	for (size_t i = 0; done && i < count; ++i)
	{
		done = rpAnnotations_AddInterval(out, intervals + i, error);
	}
	rpFree(intervals);
	return done;
}

static int compareEvents(const void* left, const void* right)
{
	const rpEvent *a = left, *b = right;
	int order = (a->time > b->time) - (a->time < b->time);
	return order != 0 ? order : strcmp(a->name, b->name);
}

static bool readEvents(const json_t* object, rpAnnotations* out, rpError* error)
{
	const json_t* list;
	size_t count;
	if (!getList(object, "events", &list, &count, error))
	{
		return false;
	}
	rpEvent* events = rpAllocate(count, sizeof(rpEvent), error);
	bool done = events != NULL;
	for (size_t i = 0; done && i < count; ++i)
	{
		char place[PLACE_SIZE];
		const json_t* entry = getEntry(list, "events", i, place, error);
		done = entry != NULL && rpGetJsonNumber(entry, "time_s", place, &events[i].time, error) &&
			   rpGetJsonString(entry, "name", place, &events[i].name, error);
	}
	if (done)
	{
		qsort(events, count, sizeof(rpEvent), compareEvents);
	}
	for (size_t i = 0; done && i < count; ++i)
	{
		done = rpAnnotations_AddEvent(out, events[i].name, events[i].time, error);
	}
	rpFree(events);
	return done;
}

static bool readKind(const json_t* entry, const char* place, rpCurveKind* out, rpError* error)
{
	const char* name;
	if (!rpGetJsonString(entry, "kind", place, &name, error))
	{
		return false;
	}
	for (int i = 0; i < rp_curveKindCount; ++i)
	{
		if (strcmp(name, rpGetCurveKindName((rpCurveKind)i)) == 0)
		{
			*out = (rpCurveKind)i;
			return true;
		}
	}
	return failMember(error, place, "kind", "scalar, sided, point or vector");
}

static bool readTimes(const json_t* list, const char* place, double* out, rpError* error)
{
	size_t count = json_array_size(list);
	for (size_t i = 0; i < count; ++i)
	{
		const json_t* value = json_array_get(list, i);
		out[i] = json_number_value(value);
		if (!json_is_number(value) || !isfinite(out[i]))
		{
			return rpFail(error, rp_errorFormat, "%s: times_s[%zu]: expected a number", place, i);
		}
	}
	return true;
}

static bool readCurve(const json_t* entry, const char* place, rpAnnotations* out, rpError* error)
{
	rpCurve curve = {0};
	const json_t* times = json_object_get(entry, "times_s");
	size_t count = json_array_size(times);
	if (!rpGetJsonString(entry, "name", place, &curve.name, error) || !readKind(entry, place, &curve.kind, error))
	{
		return false;
	}
	if (count < 1 || count > INT32_MAX / 4)
	{
		return failMember(error, place, "times_s", "a list of at least one number");
	}
	curve.keyCount = (int)count;
	size_t width = (size_t)rpCurveKind_GetWidth(curve.kind);
	double* seconds = rpAllocate(count, sizeof(double), error);
	float* values = rpAllocate(count * width, sizeof(float), error);
	char valuesPlace[PLACE_SIZE + 16];
	snprintf(valuesPlace, sizeof(valuesPlace), "%s.values", place);
	curve.times = seconds;
	curve.values = values;
	bool done = seconds != NULL && values != NULL && readTimes(times, place, seconds, error) &&
				rpGetJsonFloats(json_object_get(entry, "values"), valuesPlace, values, count * width, error) &&
				rpAnnotations_AddCurve(out, &curve, error);
	rpFree(seconds);
	rpFree(values);
	return done;
}

// Max curves, few enough that finding each one's place takes no time.
#define MAX_CURVES 4096

static bool readCurves(const json_t* object, rpAnnotations* out, rpError* error)
{
	const json_t* list;
	size_t count;
	if (!getList(object, "curves", &list, &count, error))
	{
		return false;
	}
	if (count > MAX_CURVES)
	{
		return rpFail(error, rp_errorLimit, "%zu curves; at most %d are read", count, MAX_CURVES);
	}
	bool done = true;
	for (size_t i = 0; done && i < count; ++i)
	{
		char place[PLACE_SIZE];
		const json_t* entry = getEntry(list, "curves", i, place, error);
		done = entry != NULL && readCurve(entry, place, out, error);
	}
	return done;
}

bool rpReadAnnotationMembers(const json_t* object, rpAnnotations* out, rpError* error)
{
	bool done = readTrack(object, rp_trackLabel, "labels", out, error) &&
				readTrack(object, rp_trackContact, "contacts", out, error) &&
				readTrack(object, rp_trackPhase, "phases", out, error) &&
				readTrack(object, rp_trackSource, "sources", out, error) && readEvents(object, out, error) &&
				readCurves(object, out, error);
	if (!done)
	{
		rpAnnotations_Free(out);
	}
	return done;
}

bool rpReadAnnotations(const char* text, size_t size, rpAnnotations* out, rpError* error)
{
	*out = (rpAnnotations){0};
	json_t* root = rpParseJson(text, size, error);
	bool done = root != NULL && rpReadAnnotationMembers(root, out, error);
	json_decref(root);
	return done;
}
