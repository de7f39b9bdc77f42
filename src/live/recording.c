#include "reprise/play/recording.h"

#include "base/error.h"
#include "base/memory.h"
#include "motion/draft.h"
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
	int runCapacity;
	rpNoteTaker taker;
	rpPlayerReport* report;
	rpFrameNotes* notes;
	int64_t span;

	/// Rotations of a frame and of the one before it, by turns: [2 * jointCount].
	rpQuat* rotations;
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

static bool isSame(const rpMovementReport* a, const rpMovementReport* b)
{
	return a->number == b->number && a->kind == b->kind && a->wantedGait == b->wantedGait &&
		   a->wantedSpeed == b->wantedSpeed && a->wantedTurn == b->wantedTurn && a->speed == b->speed &&
		   a->turn == b->turn && a->plainSpeed == b->plainSpeed && a->plainTurn == b->plainTurn &&
		   a->isAnswer == b->isAnswer && a->response == b->response;
}

static bool noteRun(Making* making, int frame, rpGait asked, rpError* error)
{
	rpRecording* out = making->out;
	const rpMovementRun* last = out->runCount > 0 ? &out->runs[out->runCount - 1] : NULL;
	const rpPlayerReport* report = making->report;
	if (last != NULL && last->asked == asked && isSame(&last->movement, &report->movement) &&
		last->space.number == report->space.number && last->parametric.number == report->parametric.number)
	{
		return true;
	}
	if (!rpGrow(&out->runs, &making->runCapacity, out->runCount, sizeof(rpMovementRun), error))
	{
		return false;
	}
	out->runs[out->runCount++] = (rpMovementRun){frame, report->movement, report->space, report->parametric, asked};
	return true;
}

// A stand is one movement, however many pieces it is planned in. before is the movement of the frame before.
static bool goesOn(const Making* making, rpMovementKind before)
{
	return making->report->span == making->span ||
		   (before == rp_movementS && making->report->movement.kind == rp_movementS);
}

static bool noteMovement(Making* making, int frame, rpMovementKind before, rpError* error)
{
	rpAnnotations* notes = &making->out->motion->annotations;
	const rpMovementReport* movement = &making->report->movement;
	double time = frame / making->def->fps;
	bool isNew = frame == 0 || !goesOn(making, before);
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

static bool handOn(Making* making, int frame, const rpPose* pose, rpError* error)
{
	const rpRecordDef* def = making->def;
	rpMotion* motion = making->out->motion;
	return def->addFrame != NULL ? def->addFrame(def->frameContext, motion, frame, pose, error)
								 : rpStoreFrame(motion, motion, frame, pose, error);
}

static bool recordFrame(Making* making, int frame, const rpPlayerInput* input, rpError* error)
{
	int jointCount = making->out->motion->skeleton->jointCount;
	rpMovementKind before = making->report->movement.kind;
	rpPose pose = {.rotations = making->rotations + (frame % 2) * jointCount};
	double start = getSeconds(making->def);
	rpPlayer_Step(making->player, frame > 0 ? 1.0 / making->def->fps : 0.0, input, &pose, making->report);
	making->out->stepSeconds += getSeconds(making->def) - start;
	rpFixRotations(frame > 0 ? making->rotations + (frame + 1) % 2 * jointCount : NULL, jointCount, pose.rotations);
	copyReport(making);
	return handOn(making, frame, &pose, error) && noteRun(making, frame, rpPlayerInput_GetGait(input), error) &&
		   noteMovement(making, frame, before, error) && rpNoteTaker_Add(&making->taker, frame, making->notes, error);
}

static bool reportProgress(const rpRecordDef* def, double share, rpError* error)
{
	bool goesOn = def->progress == NULL || def->progress(share, "playing", def->progressContext);
	return goesOn || rpFail(error, rp_errorCancelled, "the recording was stopped");
}

static bool record(Making* making, int frameCount, rpError* error)
{
	const rpRecordDef* def = making->def;
	int frame = 0;
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
	making->out->motion->frameCount = frame;
	return done && rpNoteTaker_Finish(&making->taker, frame, error);
}

// ---- all of it

// The most frames there can be, 0: what is asked for makes no sense.
static int countFrames(const rpRecordDef* def, rpError* error)
{
	double frames = floor(def->seconds * def->fps + 1e-6) + 1.0;
	if (!rpCheckRate(def->fps, 0.0, error))
	{
		return 0;
	}
	if (!(frames >= 1.0) || !(frames <= RP_MAX_FRAMES))
	{
		rpFail(error, rp_errorArgument, "a recording of %g s at %g frames per second; up to %d frames are made",
			   def->seconds, def->fps, RP_MAX_FRAMES);
		return 0;
	}
	return (int)frames;
}

static bool allocate(Making* making, int frameCount, rpError* error)
{
	const rpRecordDef* def = making->def;
	const rpSkeleton* skeleton = rpPlayer_GetSkeleton(making->player);
	making->out->motion = def->addFrame != NULL
							  ? rpCreateBareMotion(skeleton, "played", def->fps, def->mayEnd ? 0 : frameCount, error)
							  : rpCreateMotion(skeleton, "played", def->fps, frameCount, error);
	making->report = rpAllocateZero(1, sizeof(rpPlayerReport), error);
	making->notes = rpAllocateZero(1, sizeof(rpFrameNotes), error);
	making->rotations = rpAllocate(2 * (size_t)skeleton->jointCount, sizeof(rpQuat), error);
	return making->out->motion != NULL && making->report != NULL && making->notes != NULL && making->rotations != NULL;
}

bool rpRecordPlayer(rpPlayer* player, const rpRecordDef* def, rpRecording* out, rpError* error)
{
	Making making = {.player = player, .def = def, .out = out};
	*out = (rpRecording){0};
	int frameCount = countFrames(def, error);
	bool done = frameCount > 0 && allocate(&making, frameCount, error);
	if (done)
	{
		making.taker = rpStartNoteTaker(out->motion, getLabel, getClip, player);
		done = record(&making, frameCount, error);
		rpNoteTaker_Free(&making.taker);
	}
	rpFree(making.report);
	rpFree(making.notes);
	rpFree(making.rotations);
	if (!done)
	{
		rpRecording_Free(out);
	}
	return done;
}

void rpRecording_Free(rpRecording* recording)
{
	rpDestroyMotion(recording->motion);
	rpFree(recording->runs);
	*recording = (rpRecording){0};
}
