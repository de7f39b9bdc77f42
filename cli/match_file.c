#include "match_file.h"

#include "clip.h"
#include "clip_listing.h"
#include "saving.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SCHEMA "reprise-matches-1"

// More than any library has; and seconds, distances beyond which something is wrong.
#define MAX_MATCHES 1000000
#define MAX_SECONDS 1e6
#define MAX_DISTANCE 1e3

// What editors put before UTF-8.
#define BYTE_ORDER_MARK "\xef\xbb\xbf"

void cliFreeMatches(cliMatchFile* file)
{
	for (int i = 0; i < file->count; ++i)
	{
		free(file->items[i].name);
		free(file->items[i].times);
	}
	free(file->items);
	free(file->library);
	*file = (cliMatchFile){0};
}

// ---- keys

/// Of what is in metres, unless the metric has no unit.
typedef enum Key
{
	keyThreshold,
	keyGap,
	keyDistance,
	keyFarthest,
	keyCount,
} Key;

static const char* getKey(bool isAngle, Key key)
{
	static const char* const s_keys[keyCount][2] = {
		{"threshold_m", "threshold"}, {"gap_m", "gap"}, {"distance_m", "distance"}, {"farthest_m", "farthest"}};
	return s_keys[key][isAngle];
}

// ---- writing

static json_t* makeTimes(const cliMatch* match)
{
	json_t* times = json_array();
	for (int k = 0; k < match->timeCount; ++k)
		json_array_append_new(
			times, json_pack("[o,o]", cliMakeReal(match->times[k].parent), cliMakeReal(match->times[k].own)));
	return times;
}

json_t* cliMakeMatch(const cliMatchFile* file, int index, bool withTimes)
{
	const cliMatch* match = &file->items[index];
	json_t* item =
		json_pack("{s:i,s:o,s:o,s:b,s:o,s:o,s:o,s:o,s:o,s:b}", "number", index, "clip", cliMakeText(match->name),
				  "hash", cliMakeText(match->hash), "mirror", (int)match->isMirror, "start_s",
				  cliMakeReal(match->start), "end_s", cliMakeReal(match->end), getKey(file->isAngle, keyDistance),
				  cliMakeReal(match->distance), getKey(file->isAngle, keyFarthest), cliMakeReal(match->farthest),
				  "parent", match->parent >= 0 ? json_integer(match->parent) : json_null(), "keep", (int)match->keep);
	if (withTimes)
		json_object_set_new(item, "times_s", makeTimes(match));
	return item;
}

json_t* cliMakeMatchSummary(const cliMatchFile* file)
{
	json_t* gap =
		file->isFromGap ? json_pack("[o,o]", cliMakeReal(file->gapLow), cliMakeReal(file->gapHigh)) : json_null();
	return json_pack("{s:o,s:o,s:s,s:o,s:i,s:i,s:i}", "library", cliMakeText(file->library),
					 getKey(file->isAngle, keyThreshold), cliMakeReal(file->threshold), "threshold_from",
					 file->isToPhase   ? "phase"
					 : file->isFromGap ? "gap"
									   : "given",
					 getKey(file->isAngle, keyGap), gap, "searches", file->searchCount, "clips", file->clipCount,
					 "clips_of_other_skeletons", file->leftOutCount);
}

static void addText(char** text, size_t* size, const char* more)
{
	size_t length = strlen(more);
	*text = cliReallocate(*text, *size + length + 1);
	memcpy(*text + *size, more, length + 1);
	*size += length;
}

static void addJson(char** text, size_t* size, json_t* value)
{
	char* dumped = json_dumps(value, JSON_COMPACT | JSON_REAL_PRECISION(10) | JSON_ENCODE_ANY);
	addText(text, size, dumped != NULL ? dumped : "null");
	free(dumped);
	json_decref(value);
}

// The members of an object, a line each.
static void addMembers(char** text, size_t* size, json_t* object)
{
	const char* key;
	json_t* value;
	json_object_foreach(object, key, value)
	{
		addText(text, size, "\t");
		addJson(text, size, cliMakeText(key));
		addText(text, size, ": ");
		addJson(text, size, json_incref(value));
		addText(text, size, ",\n");
	}
	json_decref(object);
}

static json_t* makeProvenance(const cliRun* run)
{
	char* parameters = cliFormatParameters(run);
	json_t* provenance = json_pack("{s:s}", "version", rpVersion());
	json_t* command = json_loads(parameters, 0, NULL);
	json_object_update(provenance, command);
	json_decref(command);
	free(parameters);
	return provenance;
}

bool cliWriteMatches(cliRun* run, const char* path, const cliMatchFile* file)
{
	char* text = NULL;
	size_t size = 0;
	addText(&text, &size, "{\n");
	addMembers(&text, &size, json_pack("{s:s}", "schema", SCHEMA));
	addMembers(&text, &size, cliMakeMatchSummary(file));
	addMembers(&text, &size, json_pack("{s:o}", "provenance", makeProvenance(run)));
	addText(&text, &size, "\t\"matches\": [\n");
	for (int i = 0; i < file->count; ++i)
	{
		addText(&text, &size, "\t\t");
		addJson(&text, &size, cliMakeMatch(file, i, true));
		addText(&text, &size, i + 1 < file->count ? ",\n" : "\n");
	}
	addText(&text, &size, "\t]\n}\n");
	bool done = cliWriteText(run, path, text);
	free(text);
	return done;
}

// ---- reading

/// A file while it is read.
typedef struct Reading
{
	cliRun* run;
	const char* path;
	const char* text;
	cliMatchFile* out;

	/// What comes next in the text, for lines of matches.
	const char* at;
	int line;
} Reading;

#define HOW_TO_WRITE "reprise space find LIB#CLIP@A..B -o MATCHES.json writes such a file"

static bool failAt(cliRun* run, const char* path, int line, int column, const char* message)
{
	rpError error = {.code = rp_errorFormat, .line = line, .column = column, .hint = HOW_TO_WRITE};
	snprintf(error.file, sizeof error.file, "%s", path);
	snprintf(error.message, sizeof error.message, "%s", message);
	return cliFail(run, cli_exitInput, &error);
}

static char* readText(cliRun* run, const char* path)
{
	FILE* file = fopen(path, "r");
	char* text = NULL;
	size_t capacity = 0;
	ssize_t size = file != NULL ? getdelim(&text, &capacity, 0, file) : -1;
	if (size < 0 && (file == NULL || ferror(file)))
	{
		rpError error = {.code = rp_errorFile};
		snprintf(error.file, sizeof error.file, "%s", path);
		snprintf(error.message, sizeof error.message, "cannot read it: %s", strerror(errno));
		snprintf(error.hint, sizeof error.hint, "%s", HOW_TO_WRITE);
		cliFail(run, cli_exitInput, &error);
		free(text);
		text = NULL;
	}
	else if (size < 0)
	{
		free(text);
		text = cliFormat("%s", "");
	}
	if (file != NULL)
		fclose(file);
	return text;
}

// Past a string, whose first quote is at `at`.
static const char* skipString(const char* at)
{
	for (++at; *at != 0 && *at != '"'; ++at)
		at += *at == '\\' && at[1] != 0 ? 1 : 0;
	return *at != 0 ? at + 1 : at;
}

// Go on to the next opening brace at this depth of braces and brackets, counting lines; the text is sound JSON.
static void goToObject(Reading* reading, int* depth, int wanted)
{
	while (*reading->at != 0)
	{
		char sign = *reading->at;
		if (sign == '"')
		{
			reading->at = skipString(reading->at);
			continue;
		}
		++reading->at;
		reading->line += sign == '\n' ? 1 : 0;
		*depth -= sign == '}' || sign == ']' ? 1 : 0;
		bool opens = sign == '{' || sign == '[';
		if (opens && ++*depth == wanted && sign == '{')
			return;
	}
}

// The line on which the array of matches begins.
static void goToMatches(Reading* reading)
{
	int depth = 0;
	const char* key = "\"matches\"";
	reading->at = reading->text;
	reading->line = 1;
	while (*reading->at != 0 && !(depth == 1 && strncmp(reading->at, key, strlen(key)) == 0 &&
								  reading->at[strlen(key) + strspn(reading->at + strlen(key), " \t\r\n")] == ':'))
	{
		char sign = *reading->at;
		depth += sign == '{' || sign == '[' ? 1 : sign == '}' || sign == ']' ? -1 : 0;
		reading->line += sign == '\n' ? 1 : 0;
		reading->at = sign == '"' ? skipString(reading->at) : reading->at + 1;
	}
}

RP_PRINTF(3, 4) static bool failMatch(const Reading* reading, int line, const char* format, ...)
{
	char message[200];
	va_list list;
	va_start(list, format);
	vsnprintf(message, sizeof message, format, list);
	va_end(list);
	return failAt(reading->run, reading->path, line, 1, message);
}

static bool takeNumber(const Reading* reading, json_t* object, int line, const char* key, double high, double* out)
{
	json_t* value = json_object_get(object, key);
	*out = json_is_number(value) ? json_number_value(value) : (double)NAN;
	return (*out >= 0.0 && *out <= high) || failMatch(reading, line, "\"%s\" is no number from 0 to %g", key, high);
}

static bool takeText(const Reading* reading, json_t* object, int line, const char* key, const char** out)
{
	*out = json_string_value(json_object_get(object, key));
	return (*out != NULL && **out != 0) || failMatch(reading, line, "\"%s\" is no text", key);
}

static bool takeHash(const Reading* reading, json_t* object, cliMatch* match)
{
	const char* hash = json_string_value(json_object_get(object, "hash"));
	bool is = hash != NULL && strlen(hash) == 32 && strspn(hash, "0123456789abcdef") == 32;
	if (is)
		memcpy(match->hash, hash, sizeof match->hash);
	return is || failMatch(reading, match->line, "\"hash\" is no clip's hash, 32 hexadecimal digits");
}

// From start to end of both stretches, increasing.
static bool takeTimes(const Reading* reading, json_t* object, cliMatch* match, const cliMatch* parent)
{
	json_t* times = json_object_get(object, "times_s");
	size_t count = json_array_size(times);
	const double slack = 2e-6;
	if (count < 2)
		return failMatch(reading, match->line, "\"times_s\" is no list of pairs of times");
	match->times = cliAllocate(count * sizeof(rpMatchedTime));
	match->timeCount = (int)count;
	for (size_t k = 0; k < count; ++k)
	{
		json_t* pair = json_array_get(times, k);
		rpMatchedTime* time = &match->times[k];
		bool isPair = json_array_size(pair) == 2 && json_is_number(json_array_get(pair, 0)) &&
					  json_is_number(json_array_get(pair, 1));
		if (!isPair)
			return failMatch(reading, match->line, "\"times_s\" is no list of pairs of times");
		*time = (rpMatchedTime){json_number_value(json_array_get(pair, 0)), json_number_value(json_array_get(pair, 1))};
		if (k > 0 && !(time->parent > time[-1].parent && time->own > time[-1].own))
			return failMatch(reading, match->line, "\"times_s\" does not increase");
	}
	const rpMatchedTime *first = match->times, *last = match->times + count - 1;
	bool fits = fabs(first->own - match->start) <= slack && fabs(last->own - match->end) <= slack &&
				fabs(first->parent - parent->start) <= slack && fabs(last->parent - parent->end) <= slack;
	return fits || failMatch(reading, match->line, "\"times_s\" is not from start to end of the match and its parent");
}

static bool takeParent(const Reading* reading, json_t* object, cliMatch* match, int index)
{
	json_t* value = json_object_get(object, "parent");
	match->parent = json_is_integer(value) ? (int)fmin(fmax((double)json_integer_value(value), -1.0), 2e9) : -1;
	if (index == 0)
		return json_is_null(value) || failMatch(reading, match->line, "the query, the first match, has no \"parent\"");
	return (match->parent >= 0 && match->parent < index) ||
		   failMatch(reading, match->line, "\"parent\" is no number of a match before this one");
}

static bool takeMatch(Reading* reading, json_t* object, int index)
{
	cliMatch* match = &reading->out->items[index];
	*match = (cliMatch){.line = reading->line};
	++reading->out->count;
	const char* name;
	bool isAngle = reading->out->isAngle;
	json_t *mirror = json_object_get(object, "mirror"), *keep = json_object_get(object, "keep");
	if (!json_is_object(object))
		return failMatch(reading, match->line, "match %d is no object", index);
	if (!takeText(reading, object, match->line, "clip", &name) || !takeHash(reading, object, match) ||
		!takeNumber(reading, object, match->line, "start_s", MAX_SECONDS, &match->start) ||
		!takeNumber(reading, object, match->line, "end_s", MAX_SECONDS, &match->end) ||
		!takeNumber(reading, object, match->line, getKey(isAngle, keyDistance), MAX_DISTANCE, &match->distance) ||
		!takeNumber(reading, object, match->line, getKey(isAngle, keyFarthest), MAX_DISTANCE, &match->farthest) ||
		!takeParent(reading, object, match, index))
		return false;
	match->name = cliCopyText(name);
	match->isMirror = json_is_true(mirror);
	match->keep = !json_is_false(keep);
	if (!json_is_boolean(mirror) || (keep != NULL && !json_is_boolean(keep)))
		return failMatch(reading, match->line, "\"mirror\" or \"keep\" is neither true nor false");
	if (!(match->end > match->start))
		return failMatch(reading, match->line, "match %d ends before it starts", index);
	return takeTimes(reading, object, match, index > 0 ? &reading->out->items[match->parent] : match);
}

static bool takeMatches(Reading* reading, json_t* root)
{
	json_t* list = json_object_get(root, "matches");
	size_t count = json_array_size(list);
	int depth = 1;
	goToMatches(reading);
	if (!json_is_array(list) || count == 0 || count > MAX_MATCHES)
		return failMatch(reading, reading->line, "\"matches\" is no list of one match or more");
	reading->out->items = cliAllocate(count * sizeof(cliMatch));
	bool done = true;
	for (size_t k = 0; k < count && done; ++k)
	{
		// A match that is no object has no brace of its own.
		if (json_is_object(json_array_get(list, k)))
			goToObject(reading, &depth, 3);
		done = takeMatch(reading, json_array_get(list, k), (int)k);
	}
	return done;
}

static bool takeGap(const Reading* reading, json_t* root)
{
	cliMatchFile* out = reading->out;
	const char* key = getKey(out->isAngle, keyGap);
	json_t* gap = json_object_get(root, key);
	const char* from = json_string_value(json_object_get(root, "threshold_from"));
	if (from == NULL || (strcmp(from, "gap") != 0 && strcmp(from, "phase") != 0 && strcmp(from, "given") != 0))
		return failMatch(reading, 1, "\"threshold_from\" is not \"gap\", \"phase\" or \"given\"");
	out->isToPhase = strcmp(from, "phase") == 0;
	out->isFromGap = out->isToPhase || strcmp(from, "gap") == 0;
	if (!out->isFromGap)
		return true;
	out->gapLow = json_number_value(json_array_get(gap, 0));
	out->gapHigh = json_number_value(json_array_get(gap, 1));
	bool is = json_array_size(gap) == 2 && out->gapLow >= 0.0 && out->gapHigh >= out->gapLow;
	return is || failMatch(reading, 1, "\"%s\" is no range of distances", key);
}

static int takeCount(json_t* root, const char* key)
{
	double value = json_number_value(json_object_get(root, key));
	return value >= 0.0 && value <= 2e9 ? (int)value : 0;
}

static bool takeRoot(Reading* reading, json_t* root)
{
	const char *schema = json_string_value(json_object_get(root, "schema")), *library;
	if (schema == NULL || strcmp(schema, SCHEMA) != 0)
		return failMatch(reading, 1, "this is no file of matches: its \"schema\" is not " SCHEMA);
	cliMatchFile* out = reading->out;
	out->isAngle = json_object_get(root, getKey(false, keyThreshold)) == NULL &&
				   json_object_get(root, getKey(true, keyThreshold)) != NULL;
	if (!takeText(reading, root, 1, "library", &library) ||
		!takeNumber(reading, root, 1, getKey(out->isAngle, keyThreshold), MAX_DISTANCE, &out->threshold) ||
		!takeGap(reading, root))
		return false;
	out->library = cliCopyText(library);
	out->searchCount = takeCount(root, "searches");
	out->clipCount = takeCount(root, "clips");
	out->leftOutCount = takeCount(root, "clips_of_other_skeletons");
	return takeMatches(reading, root);
}

bool cliReadMatches(cliRun* run, const char* path, cliMatchFile* out)
{
	*out = (cliMatchFile){0};
	char* text = readText(run, path);
	if (text == NULL)
		return false;
	cliNotePath(run, path);
	json_error_t place;
	size_t mark = strlen(BYTE_ORDER_MARK);
	bool isMarked = strncmp(text, BYTE_ORDER_MARK, mark) == 0;
	json_t* root = json_loads(text + (isMarked ? mark : 0), JSON_REJECT_DUPLICATES, &place);
	Reading reading = {.run = run, .path = path, .text = text, .out = out};
	bool done = root != NULL ? takeRoot(&reading, root) : failAt(run, path, place.line, place.column, place.text);
	if (!done)
		cliFreeMatches(out);
	json_decref(root);
	free(text);
	return done;
}

// ---- their clips

// By hash, of several such that of the name; the clip of that name tells what is wrong otherwise.
static const rpClipInfo* findClip(const cliListing* listing, const cliMatch* match, bool* isChanged)
{
	const rpClipInfo* found = NULL;
	*isChanged = false;
	for (int i = 0; i < listing->count; ++i)
	{
		const rpClipInfo* info = &listing->infos[i];
		bool isNamed = strcmp(info->name, match->name) == 0, isSame = strcmp(info->hash, match->hash) == 0;
		found = isSame && (found == NULL || isNamed) ? info : found;
		*isChanged = *isChanged || (isNamed && !isSame);
	}
	return found;
}

static bool failClip(cliRun* run, const char* path, const cliMatch* match, const char* what)
{
	rpError error = {.code = rp_errorMissing, .line = match->line, .column = 1};
	snprintf(error.file, sizeof error.file, "%s", path);
	snprintf(error.message, sizeof error.message, "the clip \"%.150s\" %s", match->name, what);
	snprintf(error.hint, sizeof error.hint,
			 "find the matches anew (reprise space find), or leave those of it out (\"keep\": false, or --drop)");
	return cliFail(run, cli_exitInput, &error);
}

bool cliFindMatchClips(cliRun* run, const char* path, const rpLibrary* library, cliMatchFile* file)
{
	cliListing listing;
	if (!cliListClips(run, library, &listing))
		return false;
	bool done = true;
	for (int i = 0; i < file->count && done; ++i)
	{
		cliMatch* match = &file->items[i];
		bool isChanged;
		if (!match->keep)
			continue;
		const rpClipInfo* info = findClip(&listing, match, &isChanged);
		if (info == NULL)
			done =
				failClip(run, path, match, isChanged ? "has changed since it was searched" : "is not in the library");
		else if (match->end > cliGetClipSeconds(info) + 0.5 / info->fps + 1e-6)
			done = failClip(run, path, match, "ends before the match does");
		else
			match->clip = info->id;
	}
	cliFreeListing(&listing);
	return done;
}
