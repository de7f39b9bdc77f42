#include "library/session.h"

#include "base/error.h"
#include "base/findings.h"
#include "base/memory.h"
#include "doctor/take.h"
#include "file/sidecar.h"
#include "library/take_blob.h"

#include <stdlib.h>
#include <string.h>

/// A session on the table.
typedef struct Session
{
	rpLibrary* library;
	rpClipId lastOld;

	/// [count] each, in the order of the clips' contents, so that it does not matter in which order they were added.
	rpClipId* ids;
	rpTake* takes;
	rpTreatment* olds;
	rpTreatment* news;
	int count, capacity;

	/// [changedCount], owned.
	char** changed;
	int changedCount, changedCapacity;

	rpFindings findings;
} Session;

static void freeSession(Session* session)
{
	for (int i = 0; i < session->count && session->takes != NULL; ++i)
	{
		rpTake_Free(session->takes + i);
	}
	for (int i = 0; i < session->changedCount; ++i)
	{
		rpFree(session->changed[i]);
	}
	rpFree(session->ids);
	rpFree(session->takes);
	rpFree(session->olds);
	rpFree(session->news);
	rpFree(session->changed);
	rpFindings_Free(&session->findings);
}

// ---- reading ----

static bool listTakes(Session* session, int64_t family, rpError* error)
{
	sqlite3_stmt* query = rpStore_Query(session->library, error,
										"SELECT clips.id FROM clips JOIN skeletons ON skeletons.id = clips.skeleton "
										"JOIN takes ON takes.clip = clips.id WHERE family = ? ORDER BY content",
										"i", family);
	bool failed = query == NULL;
	while (!failed && rpStore_Step(session->library, query, &failed, error))
	{
		failed = !rpGrow(&session->ids, &session->capacity, session->count, sizeof(rpClipId), error) ||
				 !rpStore_ReadInteger(session->library, query, 0, 1, INT64_MAX, session->ids + session->count, error);
		session->count += !failed;
	}
	sqlite3_finalize(query);
	return !failed;
}

static bool readTake(Session* session, int index, rpError* error)
{
	rpClipRecord record = {0};
	bool done = rpReadClipRecord(session->library, session->ids[index], &record, error) &&
				rpDecodeTake(record.take.data, record.take.size, session->takes + index, session->olds + index, error);
	session->olds[index].fps = record.fps;
	rpClipRecord_Free(&record);
	return done;
}

static bool readTakes(Session* session, rpError* error)
{
	size_t count = (size_t)session->count;
	session->takes = rpAllocateZero(count, sizeof(rpTake), error);
	session->olds = session->takes != NULL ? rpAllocateZero(count, sizeof(rpTreatment), error) : NULL;
	session->news = session->olds != NULL ? rpAllocateZero(count, sizeof(rpTreatment), error) : NULL;
	bool done = session->news != NULL;
	for (int i = 0; i < session->count && done; ++i)
	{
		done = readTake(session, i, error);
	}
	return done;
}

// ---- writing ----

// Labels and other annotations stay on their frames.
static bool setRate(rpClipRecord* record, double fps, rpError* error)
{
	rpAnnotations annotations = {0};
	rpText text = {0};
	double factor = record->fps / fps;
	bool done = rpReadAnnotations(record->annotations, strlen(record->annotations), &annotations, error);
	if (done)
	{
		rpScaleTimes(&annotations, factor);
		done = rpWriteAnnotations(&annotations, &text, error) &&
			   (!text.failed || rpFail(error, rp_errorMemory, "out of memory"));
	}
	if (done)
	{
		rpFree(record->annotations);
		record->annotations = text.data;
		rpScaleTimes(&record->labels, factor);
		record->fps = fps;
	}
	else
	{
		rpText_Free(&text);
	}
	rpAnnotations_Free(&annotations);
	return done;
}

static bool noteChange(Session* session, const rpClipRecord* record, rpError* error)
{
	if (record->id > session->lastOld)
	{
		return true;
	}
	if (!rpGrow(&session->changed, &session->changedCapacity, session->changedCount, sizeof(char*), error))
	{
		return false;
	}
	char* name = rpCopyString(record->name, error);
	session->changed[session->changedCount] = name;
	session->changedCount += name != NULL;
	return name != NULL;
}

static bool isSame(const rpTreatment* a, const rpTreatment* b)
{
	return a->floor.slopeX == b->floor.slopeX && a->floor.slopeZ == b->floor.slopeZ &&
		   a->floor.height == b->floor.height && a->floor.isSteep == b->floor.isSteep && a->fps == b->fps;
}

static bool updateClip(Session* session, int index, rpError* error)
{
	const rpTreatment* new = session->news + index;
	if (isSame(session->olds + index, new))
	{
		return true;
	}
	rpClipRecord record = {0};
	bool done = rpReadClipRecord(session->library, session->ids[index], &record, error);
	rpText_Free(&record.take);
	done = done && rpEncodeTake(session->takes + index, new, &record.take, error) &&
		   (record.fps == new->fps || setRate(&record, new->fps, error)) &&
		   rpUpdateClipRecord(session->library, &record, error) && noteChange(session, &record, error);
	rpClipRecord_Free(&record);
	return done;
}

// ---- what is said ----

static int countOpenFloors(const Session* session, int* any)
{
	int count = 0;
	for (int i = 0; i < session->count; ++i)
	{
		*any = session->takes[i].isFloorOpen ? i : *any;
		count += session->takes[i].isFloorOpen;
	}
	return count;
}

static void reportFloor(Session* session)
{
	int any = -1, count = countOpenFloors(session, &any);
	if (count < 2 || !(rpFloor_GetTilt(&session->news[any].floor) > 0.0))
	{
		return;
	}
	const rpFloor* floor = &session->news[any].floor;
	rpFinding* finding = rpFindings_Add(&session->findings, "floor", "the floor of %d takes tilts by %.1f cm/m", count,
										100.0 * rpFloor_GetTilt(floor));
	rpFinding_SetAction(finding, !floor->isSteep, "%s",
						floor->isSteep ? "nothing; it is a ramp, or the takes lie askew" : "levelled in all of them");
}

static void reportRate(Session* session)
{
	int voters = 0, led = 0, first = -1;
	for (int i = 0; i < session->count; ++i)
	{
		const rpTake* take = session->takes + i;
		bool isLed = take->isRateOpen && session->news[i].fps != take->ownFps;
		voters += take->isRateOpen && take->ownFps != take->fileFps;
		led += isLed;
		first = isLed && first < 0 ? i : first;
	}
	if (led > 0)
	{
		rpFinding* finding =
			rpFindings_Add(&session->findings, "frame_rate",
						   "bodies in %d of %d takes fall as at %.6g frames per second, not as at the file's %.6g",
						   voters, session->count, session->news[first].fps, session->takes[first].fileFps);
		rpFinding_SetAction(finding, true,
							"%d takes that do not show it are read the same way; --read-fps sets another", led);
	}
}

static int compareNames(const void* a, const void* b)
{
	return strcmp(*(char* const*)a, *(char* const*)b);
}

// ---- all of it ----

static bool decideInside(Session* session, int64_t family, rpError* error)
{
	bool has = false;
	bool done = rpStore_HasTakes(session->library, &has, error) &&
				(!has || (listTakes(session, family, error) && readTakes(session, error) &&
						  rpDecideSession(session->takes, session->count, session->news, error)));
	for (int i = 0; i < session->count && done; ++i)
	{
		rpTreatment* new = session->news + i;
		new->fps = new->fps > 0.0 ? new->fps : session->olds[i].fps;
		done = updateClip(session, i, error);
	}
	return done;
}

bool rpDecideFamily(rpLibrary* library, int64_t family, rpClipId lastOld, const rpAddDef* def, rpError* error)
{
	Session session = {.library = library, .lastOld = lastOld};
	bool done = rpStore_BeginWrite(library, error) && decideInside(&session, family, error);
	done = rpStore_End(library, done, error);
	if (done && def->sessionDone != NULL && session.count > 0)
	{
		reportFloor(&session);
		reportRate(&session);
		if (session.changedCount > 0)
		{
			qsort(session.changed, (size_t)session.changedCount, sizeof(char*), compareNames);
		}
		rpSession report = {.skeletonId = family,
							.takeCount = session.count,
							.findings = &session.findings,
							.changed = session.changed,
							.changedCount = session.changedCount};
		def->sessionDone(&report, def->fileContext);
	}
	freeSession(&session);
	return done;
}
