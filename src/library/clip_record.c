/// A clip's row, labels and inputs. The seal in the row is a hash over all of them, the skeleton's and the frames'
/// hashes included: whatever is lost, exchanged or altered, the seal no longer fits.
#include "library/clip_record.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "file/bytes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void rpClipRecord_Free(rpClipRecord* record)
{
	rpFree(record->name);
	rpFree(record->source);
	rpFree(record->annotations);
	rpAnnotations_Free(&record->labels);
	for (int i = 0; i < record->inputCount; ++i)
	{
		rpFree((void*)(uintptr_t)record->inputs[i].name);
	}
	rpFree(record->inputs);
	rpText_Free(&record->take);
	*record = (rpClipRecord){0};
}

bool rpClipRecord_AddInput(rpClipRecord* record, const char* name, const char* hash, rpError* error)
{
	if (!rpGrow(&record->inputs, &record->inputCapacity, record->inputCount, sizeof(rpInput), error))
	{
		return false;
	}
	rpInput* input = record->inputs + record->inputCount;
	snprintf(input->hash, sizeof(input->hash), "%s", rpIsUtf8(hash, strlen(hash)) ? hash : "");
	input->name = rpCopyAsText(name, error);
	record->inputCount += input->name != NULL;
	return input->name != NULL;
}

// With its size before it, so that no two lists of texts give the same bytes.
static void putText(rpText* out, const char* text)
{
	rpText_Print(out, "%zu:", strlen(text));
	rpText_AppendString(out, text);
}

static void putReal(rpText* out, double number)
{
	uint64_t bits;
	number += 0.0; // SQLite keeps no sign of zero
	memcpy(&bits, &number, sizeof(bits));
	rpText_Print(out, "%016llx;", (unsigned long long)bits);
}

static bool seal(const rpClipRecord* record, char out[33], rpError* error)
{
	rpText text = {0};
	rpText_Print(&text, "clip %lld %lld %lld %d;", (long long)record->id, (long long)record->skeleton.id,
				 (long long)record->skeleton.family, record->frameCount);
	putReal(&text, record->fps);
	putText(&text, record->name);
	putText(&text, record->source);
	putText(&text, record->skeleton.hash);
	putText(&text, record->framesHash);
	putText(&text, record->content);
	putText(&text, record->annotations);
	rpText_Print(&text, "labels %d;", record->labels.intervalCount);
	for (int i = 0; i < record->labels.intervalCount; ++i)
	{
		putText(&text, record->labels.intervals[i].name);
		putReal(&text, record->labels.intervals[i].start);
		putReal(&text, record->labels.intervals[i].end);
	}
	rpText_Print(&text, "inputs %d;", record->inputCount);
	for (int i = 0; i < record->inputCount; ++i)
	{
		putText(&text, record->inputs[i].name);
		putText(&text, record->inputs[i].hash);
	}
	if (record->take.size > 0)
	{
		char hash[33];
		rpHashBytes(record->take.data, record->take.size, hash);
		rpText_Print(&text, "take %s;", hash);
	}
	bool done = !text.failed || rpFail(error, rp_errorMemory, "out of memory");
	if (done)
	{
		rpHashBytes(text.data, text.size, out);
	}
	rpText_Free(&text);
	return done;
}

static bool readRow(const rpLibrary* library, sqlite3_stmt* query, rpClipRecord* out, char sealed[33], rpError* error)
{
	int64_t skeletonId, frameCount;
	bool done = rpStore_ReadText(library, query, 0, RP_LIBRARY_MAX_NAME, &out->name, error) &&
				rpStore_ReadText(library, query, 1, RP_LIBRARY_MAX_NAME, &out->source, error) &&
				rpStore_ReadInteger(library, query, 2, 1, INT64_MAX, &skeletonId, error) &&
				rpStore_ReadReal(library, query, 3, &out->fps, error) &&
				rpStore_ReadInteger(library, query, 4, 1, RP_MAX_FRAMES, &frameCount, error) &&
				rpStore_ReadHash(library, query, 5, out->framesHash, error) &&
				rpStore_ReadHash(library, query, 6, out->content, error) &&
				rpStore_ReadText(library, query, 7, RP_LIBRARY_MAX_ANNOTATIONS, &out->annotations, error) &&
				rpStore_ReadHash(library, query, 8, sealed, error);
	if (!done)
	{
		return false;
	}
	out->frameCount = (int)frameCount;
	if (!(out->fps > 0.0) || out->name[0] == 0)
	{
		return rpStore_FailDamaged(library, error, "clip %lld has no name or no rate", (long long)out->id);
	}
	return rpReadKnownSkeleton(library, skeletonId, &out->skeleton, error);
}

static bool readLabels(const rpLibrary* library, rpClipRecord* out, rpError* error)
{
	sqlite3_stmt* query = rpStore_Query(
		library, error, "SELECT label, start_s, end_s FROM labels WHERE clip = ? ORDER BY start_s, end_s, label", "i",
		out->id);
	bool failed = query == NULL;
	while (!failed && rpStore_Step(library, query, &failed, error))
	{
		char* label = NULL;
		rpInterval interval = {.track = rp_trackLabel};
		failed = !rpStore_ReadText(library, query, 0, RP_LIBRARY_MAX_NAME, &label, error) ||
				 !rpStore_ReadReal(library, query, 1, &interval.start, error) ||
				 !rpStore_ReadReal(library, query, 2, &interval.end, error);
		interval.name = label;
		failed = failed || !rpAnnotations_AddInterval(&out->labels, &interval, error);
		rpFree(label);
	}
	sqlite3_finalize(query);
	return !failed;
}

static bool readInputs(const rpLibrary* library, rpClipRecord* out, rpError* error)
{
	sqlite3_stmt* query =
		rpStore_Query(library, error, "SELECT name, hash FROM inputs WHERE clip = ? ORDER BY id", "i", out->id);
	bool failed = query == NULL;
	while (!failed && rpStore_Step(library, query, &failed, error))
	{
		char *name = NULL, *hash = NULL;
		failed = !rpStore_ReadText(library, query, 0, RP_LIBRARY_MAX_NAME, &name, error) ||
				 !rpStore_ReadText(library, query, 1, 32, &hash, error) ||
				 !rpClipRecord_AddInput(out, name, hash, error);
		rpFree(name);
		rpFree(hash);
	}
	sqlite3_finalize(query);
	return !failed;
}

static bool readTake(const rpLibrary* library, rpClipRecord* out, rpError* error)
{
	bool has = false;
	if (!rpStore_HasTakes(library, &has, error))
	{
		return false;
	}
	if (!has)
	{
		return true;
	}
	sqlite3_stmt* query = rpStore_Query(library, error, "SELECT data FROM takes WHERE clip = ?", "i", out->id);
	bool failed = query == NULL;
	if (!failed && rpStore_Step(library, query, &failed, error))
	{
		const void* data = NULL;
		size_t size = 0;
		failed = !rpStore_ReadBlob(library, query, 0, &data, &size, error);
		rpText_Append(&out->take, data, failed ? 0 : size);
		failed = failed || (out->take.failed && !rpFail(error, rp_errorMemory, "out of memory"));
	}
	sqlite3_finalize(query);
	return !failed;
}

bool rpReadClipRecord(const rpLibrary* library, rpClipId clip, rpClipRecord* out, rpError* error)
{
	char kept[33], computed[33];
	*out = (rpClipRecord){.id = clip};
	sqlite3_stmt* query = rpStore_Query(library, error,
										"SELECT name, source, skeleton, fps, frame_count, frames_hash, content, "
										"annotations, seal FROM clips WHERE id = ?",
										"i", clip);
	bool failed = query == NULL;
	bool row = !failed && rpStore_Step(library, query, &failed, error);
	bool done = row && readRow(library, query, out, kept, error);
	sqlite3_finalize(query);
	if (!row && !failed)
	{
		return rpFail(error, rp_errorMissing, "there is no clip %lld", (long long)clip);
	}
	done = done && readLabels(library, out, error) && readInputs(library, out, error) &&
		   readTake(library, out, error) && seal(out, computed, error);
	return done &&
		   (strcmp(kept, computed) == 0 ||
			rpStore_FailDamaged(library, error, "what is kept of clip %lld does not fit its seal", (long long)clip));
}

static bool insertLabels(const rpLibrary* library, const rpClipRecord* record, rpError* error)
{
	bool done = true;
	for (int i = 0; done && i < record->labels.intervalCount; ++i)
	{
		const rpInterval* label = record->labels.intervals + i;
		done = rpStore_Run(library, error, "INSERT INTO labels(clip, label, start_s, end_s) VALUES(?, ?, ?, ?)", "isdd",
						   record->id, label->name, label->start, label->end);
	}
	return done;
}

static bool insertInputs(const rpLibrary* library, const rpClipRecord* record, rpError* error)
{
	bool done = true;
	for (int i = 0; done && i < record->inputCount; ++i)
	{
		done = rpStore_Run(library, error, "INSERT INTO inputs(clip, name, hash) VALUES(?, ?, ?)", "iss", record->id,
						   record->inputs[i].name, record->inputs[i].hash);
	}
	return done;
}

static bool updateRow(const rpLibrary* library, const rpClipRecord* record, rpError* error)
{
	char computed[33];
	return seal(record, computed, error) &&
		   rpStore_Run(library, error, "UPDATE clips SET name = ?, fps = ?, annotations = ?, seal = ? WHERE id = ?",
					   "sdssi", record->name, record->fps, record->annotations, computed, record->id);
}

static bool writeTake(const rpLibrary* library, const rpClipRecord* record, rpError* error)
{
	return record->take.size == 0 ||
		   (rpStore_MakeTakes(library, error) &&
			rpStore_Run(library, error, "INSERT OR REPLACE INTO takes(clip, data) VALUES(?, ?)", "ib", record->id,
						record->take.data, record->take.size));
}

bool rpInsertClipRecord(const rpLibrary* library, rpClipRecord* record, rpError* error)
{
	if (!rpStore_Run(library, error,
					 "INSERT INTO clips(name, source, skeleton, fps, frame_count, frames_hash, content, annotations, "
					 "seal) VALUES(?, ?, ?, ?, ?, ?, ?, ?, '')",
					 "ssidisss", record->name, record->source, record->skeleton.id, record->fps,
					 (int64_t)record->frameCount, record->framesHash, record->content, record->annotations))
	{
		return false;
	}
	// The seal holds the number, so it comes second.
	record->id = sqlite3_last_insert_rowid(library->db);
	return insertLabels(library, record, error) && insertInputs(library, record, error) &&
		   writeTake(library, record, error) && updateRow(library, record, error);
}

bool rpUpdateClipRecord(const rpLibrary* library, const rpClipRecord* record, rpError* error)
{
	return rpStore_Run(library, error, "DELETE FROM labels WHERE clip = ?", "i", record->id) &&
		   insertLabels(library, record, error) && writeTake(library, record, error) &&
		   updateRow(library, record, error);
}
