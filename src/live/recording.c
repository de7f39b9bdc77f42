#include "reprise/play/recording.h"

#include "base/error.h"
#include "base/memory.h"
#include "timeline/note_taker.h"

#include <stdio.h>
#include <string.h>

// How often progress is reported, frames.
#define PROGRESS_FRAMES 256

/// A recording in the making.
typedef struct Making
{
	rpPlayer* player;
	const rpRecordDef* def;
	rpRecording* out;
	rpNoteTaker taker;
	rpPlayerReport* report;
	rpFrameNotes* notes;
	int64_t span;
} Making;

rpRecordDef rpDefaultRecordDef(void)
{
	return (rpRecordDef){.fps = 60.0, .seconds = 10.0};
}

rpGait rpPlayerInput_GetGait(const rpPlayerInput* input)
{
	rpVec2 d = input->stick;
	bool isSteered = d.x * d.x + d.y * d.y >= 0.01f;
	bool isGait = input->request >= 0 && input->request < rp_gaitCount;
	rpGait gait = isGait ? (rpGait)input->request : rp_gaitStand;
	return isSteered && gait == rp_gaitStand ? rp_gaitWalk : gait;
}

static const char* getLabel(const void* player, int index)
{
	return rpPlayer_GetLabel(player, index);
}

static const char* getClip(const void* player, int index)
{
	return rpPlayer_GetClipName(player, index);
}

// ---- frames

static void copyReport(Making* making)
{
	const rpPlayerReport* report = making->report;
	rpFrameNotes* notes = making->notes;
	notes->contacts = report->contacts;
	memcpy(notes->supportHeights, report->supportHeights, sizeof(notes->supportHeights));
	notes->labels = report->labels;
	notes->sourceCount = report->sourceCount;
	memcpy(notes->sources, report->sources, (size_t)report->sourceCount * sizeof(rpFrameSource));
}

// A stand is one movement, however many pieces it is planned in.
static bool goesOn(const Making* making, int frame)
{
	const rpMovementReport *before = &making->out->movements[frame - 1], *now = before + 1;
	return making->report->span == making->span || (before->kind == rp_movementS && now->kind == rp_movementS);
}

static bool noteMovement(Making* making, int frame, rpError* error)
{
	rpAnnotations* notes = &making->out->motion->annotations;
	const rpMovementReport* movement = &making->out->movements[frame];
	double time = frame / making->def->fps;
	bool isNew = frame == 0 || !goesOn(making, frame);
	making->out->seamCount += isNew && frame > 0;
	making->span = making->report->span;
	if (isNew && frame > 0 && !rpAnnotations_AddEvent(notes, "seam", time, error))
	{
		return false;
	}
	if (!isNew || movement->kind == rp_movementKindCount)
	{
		return true;
	}
	char name[24];
	snprintf(name, sizeof(name), "string:%s", rpMovementKind_GetString(movement->kind));
	return rpAnnotations_AddEvent(notes, name, time, error);
}

static double getSeconds(const rpRecordDef* def)
{
	return def->getSeconds != NULL ? def->getSeconds() : 0.0;
}

static bool recordFrame(Making* making, int frame, const rpPlayerInput* input, rpError* error)
{
	rpMotion* motion = making->out->motion;
	rpPose pose = {.rotations = motion->rotations + (size_t)frame * (size_t)motion->skeleton->jointCount};
	double start = getSeconds(making->def);
	rpPlayer_Step(making->player, frame > 0 ? 1.0 / making->def->fps : 0.0, input, &pose, making->report);
	making->out->stepSeconds += getSeconds(making->def) - start;
	motion->rootPositions[frame] = pose.rootPosition;
	making->out->movements[frame] = making->report->movement;
	making->out->asked[frame] = rpPlayerInput_GetGait(input);
	copyReport(making);
	return noteMovement(making, frame, error) && rpNoteTaker_Add(&making->taker, frame, making->notes, error);
}

static bool reportProgress(const rpRecordDef* def, double share, rpError* error)
{
	bool goesOn = def->progress == NULL || def->progress(share, "playing", def->progressContext);
	return goesOn || rpFail(error, rp_errorCancelled, "the recording was stopped");
}

static bool record(Making* making, rpError* error)
{
	const rpRecordDef* def = making->def;
	rpMotion* motion = making->out->motion;
	int frame = 0, frameCount = motion->frameCount;
	bool done = true, isOver = false;
	for (; frame < frameCount && done && !isOver; ++frame)
	{
		rpPlayerInput input = {0};
		isOver = def->steer != NULL && !def->steer(def->context, making->player, frame / def->fps, &input) && frame > 0;
		if (isOver)
		{
			break;
		}
		done = recordFrame(making, frame, &input, error) &&
			   (frame % PROGRESS_FRAMES != 0 || reportProgress(def, (double)frame / frameCount, error));
	}
	motion->frameCount = frame;
	rpMotion_FixHemispheres(motion);
	return done && rpNoteTaker_Finish(&making->taker, frame, error);
}

// ---- all of it

static bool allocate(Making* making, rpError* error)
{
	const rpRecordDef* def = making->def;
	double frames = floor(def->seconds * def->fps + 1e-6) + 1.0;
	if (!(def->fps > 0.0) || !(frames >= 1.0) || !(frames <= RP_MAX_FRAMES))
	{
		return rpFail(error, rp_errorArgument, "a recording of %g s at %g frames per second", def->seconds, def->fps);
	}
	rpRecording* out = making->out;
	out->motion = rpCreateMotion(rpPlayer_GetSkeleton(making->player), "played", def->fps, (int)frames, error);
	out->movements = rpAllocate((size_t)frames, sizeof(rpMovementReport), error);
	out->asked = rpAllocate((size_t)frames, sizeof(rpGait), error);
	making->report = rpAllocateZero(1, sizeof(rpPlayerReport), error);
	making->notes = rpAllocateZero(1, sizeof(rpFrameNotes), error);
	return out->motion != NULL && out->movements != NULL && out->asked != NULL && making->report != NULL &&
		   making->notes != NULL;
}

bool rpRecordPlayer(rpPlayer* player, const rpRecordDef* def, rpRecording* out, rpError* error)
{
	Making making = {.player = player, .def = def, .out = out};
	*out = (rpRecording){0};
	bool done = allocate(&making, error);
	if (done)
	{
		making.taker = rpStartNoteTaker(out->motion, getLabel, getClip, player);
		done = record(&making, error);
	}
	rpFree(making.report);
	rpFree(making.notes);
	if (!done)
	{
		rpRecording_Free(out);
	}
	return done;
}

void rpRecording_Free(rpRecording* recording)
{
	rpDestroyMotion(recording->motion);
	rpFree(recording->movements);
	rpFree(recording->asked);
	*recording = (rpRecording){0};
}
