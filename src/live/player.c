/// What all players share: a timeline that their kind appends spans to, rendered at a fixed rate, as far ahead as feet
/// are looked at, and interpolated for whatever tick is asked for.
#include "base/assert.h"
#include "base/error.h"
#include "base/memory.h"
#include "live/layer_chunk.h"
#include "live/player_kind.h"
#include "timeline/renderer.h"

#include <string.h>

// A tick that is this much short of a frame is at the frame, in frames.
#define FRAME_SLACK 1e-6

// The longest look-ahead, frames.
#define MAX_AHEAD 240.0

// The longest step, seconds: a caller that was asleep need not see all that it missed.
#define LONGEST_STEP 60.0

static const rpPlayerKind* const s_kinds[] = {&rpGraphPlayerKind, &rpLocomotionPlayerKind, &rpSpacePlayerKind,
											  &rpParametricPlayerKind};

struct rpPlayer
{
	const rpPlayerKind* kind;
	void* model;
	rpSkeleton* skeleton;
	rpRenderer renderer;
	double time;
	rpPlayerInput input;

	/// What is in play; and where it is led on to without going on.
	void *state, *spareState;
	rpTimeline *timeline, *spareTimeline;
	rpSampler spareSampler;
	rpFrameNotes* spareNotes;
	rpQuat* spareRotations;

	/// What the kind alone knows of frames: as the renderer's ring of those made.
	rpSpanReport* reports;
};

rpPlayerDef rpDefaultPlayerDef(void)
{
	return (rpPlayerDef){
		.fps = 60.0,
		.lockFeet = true,
		.locomotion = {.maxNeighbours = 30, .minWeight = 0.01f, .maxBend = 0.5f},
	};
}

// ---- making and freeing

static bool checkDef(const rpPlayerDef* def, rpError* error)
{
	bool isSound = def->fps >= 10.0 && def->fps <= 240.0 && !isnan(def->lookAhead) && def->locomotion.maxBend >= 0.0f &&
				   def->locomotion.maxBend <= 10.0f && isfinite(def->start.turn) && isfinite(def->start.shift.x) &&
				   isfinite(def->start.shift.y) && isfinite(def->start.shift.z);
	return isSound ||
		   rpFail(error, rp_errorArgument, "a player at %g frames per second, %g s ahead; 10 to 240 are allowed",
				  def->fps, def->lookAhead);
}

static const rpPlayerKind* findKind(const rpBundle* bundle, rpError* error)
{
	for (size_t i = 0; i < sizeof(s_kinds) / sizeof(s_kinds[0]); ++i)
	{
		if (rpBundle_HasChunk(bundle, s_kinds[i]->chunk))
		{
			return s_kinds[i];
		}
	}
	rpFail(error, rp_errorMissing, "the bundle holds no model that this library can play");
	return NULL;
}

static bool allocate(rpPlayer* player, rpError* error)
{
	size_t frameCount = (size_t)player->renderer.made.mask + 1;
	player->state = rpAllocateZero(1, player->kind->stateSize, error);
	player->spareState = rpAllocateZero(1, player->kind->stateSize, error);
	player->timeline = rpAllocateZero(1, sizeof(rpTimeline), error);
	player->spareTimeline = rpAllocateZero(1, sizeof(rpTimeline), error);
	player->spareNotes = rpAllocateZero(1, sizeof(rpFrameNotes), error);
	player->spareRotations = rpAllocateZero((size_t)player->skeleton->jointCount, sizeof(rpQuat), error);
	player->reports = rpAllocateZero(frameCount, sizeof(rpSpanReport), error);
	return player->state != NULL && player->spareState != NULL && player->timeline != NULL &&
		   player->spareTimeline != NULL && player->spareNotes != NULL && player->spareRotations != NULL &&
		   player->reports != NULL;
}

static bool createRenderer(rpPlayer* player, const rpPlayerDef* def, rpError* error)
{
	rpRendererDef rendering = {.skeleton = player->skeleton,
							   .fps = def->fps,
							   .lookAhead = (int)fmin(fmax(round(def->lookAhead * def->fps), 0.0), MAX_AHEAD),
							   .lockFeet = def->lockFeet};
	const rpFootRig* rig = &player->renderer.rig;
	return rpRenderer_Create(&player->renderer, &rendering, error) &&
		   rpSampler_Create(&player->spareSampler, player->skeleton, false, player->renderer.hasLegs ? rig : NULL,
							error);
}

rpPlayer* rpCreatePlayer(const rpBundle* bundle, const rpPlayerDef* def, rpError* error)
{
	rpPlayerDef chosen = def != NULL ? *def : rpDefaultPlayerDef();
	const rpPlayerKind* kind = checkDef(&chosen, error) ? findKind(bundle, error) : NULL;
	rpPlayer* player = kind != NULL ? rpAllocateZero(1, sizeof(rpPlayer), error) : NULL;
	if (player == NULL)
	{
		return NULL;
	}
	player->kind = kind;
	player->model = kind->create(bundle, &chosen, error);
	player->skeleton = player->model != NULL ? kind->getSkeleton(player->model) : NULL;
	if (player->skeleton == NULL || !createRenderer(player, &chosen, error) || !allocate(player, error) ||
		!rpReadLayers(bundle, &player->renderer.layers, error))
	{
		rpDestroyPlayer(player);
		return NULL;
	}
	rpPlayer_Reset(player, chosen.start);
	return player;
}

void rpDestroyPlayer(rpPlayer* player)
{
	if (player == NULL)
	{
		return;
	}
	rpRenderer_Free(&player->renderer);
	rpSampler_Free(&player->spareSampler);
	rpFree(player->state);
	rpFree(player->spareState);
	rpFree(player->timeline);
	rpFree(player->spareTimeline);
	rpFree(player->spareNotes);
	rpFree(player->spareRotations);
	rpFree(player->reports);
	if (player->model != NULL)
	{
		player->kind->destroy(player->model);
	}
	rpFree(player);
}

void rpPlayer_Reset(rpPlayer* player, rpGroundTransform start)
{
	memset(player->state, 0, player->kind->stateSize);
	memset(player->timeline, 0, sizeof(rpTimeline));
	rpRenderer_Reset(&player->renderer);
	player->time = 0.0;
	player->input = (rpPlayerInput){0};
	player->kind->begin(player->model, player->state, start, player->timeline);
}

// ---- frames

// Seconds that a caller may go on by.
static double limitTime(double seconds)
{
	return seconds > 0.0 ? fmin(seconds, LONGEST_STEP) : 0.0;
}

const char* rpGaitPhase_GetName(rpGaitPhase phase)
{
	static const char* const names[rp_gaitPhaseCount] = {"flight", "left", "right", "double"};
	return names[phase];
}

static rpGaitPhase findPhase(unsigned contacts)
{
	bool left = rpIsResting(contacts, rp_leftHeel) || rpIsResting(contacts, rp_leftBall);
	bool right = rpIsResting(contacts, rp_rightHeel) || rpIsResting(contacts, rp_rightBall);
	return left && right ? rp_phaseDouble : left ? rp_phaseLeft : right ? rp_phaseRight : rp_phaseFlight;
}

static rpSpanReport getReport(const rpPlayer* player, const void* state, int64_t span)
{
	return player->kind->getReport != NULL ? player->kind->getReport(state, span) : rpGetEmptyReport();
}

// Make the next frame, and show the one that is so far behind it.
static void makeFrame(rpPlayer* player)
{
	rpRenderer* renderer = &player->renderer;
	int64_t frame = renderer->madeCount;
	player->kind->produce(player->model, player->state, (double)frame / renderer->fps, &player->input,
						  player->timeline);
	rpRenderer_Make(renderer, player->timeline);
	rpSpanReport* report = &player->reports[(size_t)frame & renderer->made.mask];
	*report = getReport(player, player->state, rpRenderer_GetNotes(renderer, frame)->span);
	// What was made ahead is seen later.
	report->movement.response += report->movement.isAnswer ? (float)(renderer->lookAhead / renderer->fps) : 0.0f;
	if (frame >= renderer->lookAhead)
	{
		rpRenderer_Show(renderer);
	}
}

static void copyNotes(const rpFrameNotes* notes, rpPlayerReport* out)
{
	out->contacts = notes->contacts;
	memcpy(out->supportHeights, notes->supportHeights, sizeof(out->supportHeights));
	out->labels = notes->labels;
	out->span = notes->span;
	out->sourceCount = notes->sourceCount;
	memcpy(out->sources, notes->sources, (size_t)notes->sourceCount * sizeof(rpFrameSource));
}

static void copyReport(const rpSpanReport* report, rpPlayerReport* out)
{
	out->movement = report->movement;
	out->space = report->space;
	out->parametric = report->parametric;
}

static void finishReport(const rpPose* pose, double time, rpPlayerReport* report)
{
	report->time = time;
	report->ground =
		(rpGroundTransform){rpHeading(pose->rotations[0]), {pose->rootPosition.x, 0.0f, pose->rootPosition.z}};
}

// The report of a frame, brought to a time shortly after it; the phase goes on until the next frame.
static void fillReport(const rpPlayer* player, int64_t frame, double time, float t, const rpPose* pose,
					   rpPlayerReport* out)
{
	const rpRenderer* renderer = &player->renderer;
	copyNotes(rpRenderer_GetNotes(renderer, frame), out);
	copyReport(&player->reports[(size_t)frame & renderer->made.mask], out);
	out->phase = findPhase(out->contacts);
	out->contacts = rpRenderer_GetContacts(renderer, frame, t);
	for (int i = 0; i < out->sourceCount; ++i)
	{
		out->sources[i].time += time - (double)frame / renderer->fps;
		if (player->kind->getClipStart != NULL)
		{
			out->sources[i].time += player->kind->getClipStart(player->model, out->sources[i].clip);
		}
	}
	finishReport(pose, time, out);
}

static void interpolate(const rpPlayer* player, double time, rpPose* pose, rpPlayerReport* report)
{
	const rpRenderer* renderer = &player->renderer;
	int64_t frame = (int64_t)floor(time * renderer->fps + FRAME_SLACK);
	float t = (float)fmax(time * renderer->fps - (double)frame, 0.0);
	rpRenderer_Interpolate(renderer, frame, t, pose);
	if (report != NULL)
	{
		fillReport(player, frame, time, t, pose, report);
	}
}

// The frame after a time is there too, for interpolation.
static bool isThere(const rpPlayer* player, double time, int64_t count)
{
	return (int64_t)floor(time * player->renderer.fps + FRAME_SLACK) + 1 < count;
}

void rpPlayer_Step(rpPlayer* player, double dt, const rpPlayerInput* input, rpPose* pose, rpPlayerReport* report)
{
	player->input = input != NULL ? *input : (rpPlayerInput){0};
	player->time += limitTime(dt);
	while (!isThere(player, player->time, player->renderer.shownCount))
	{
		makeFrame(player);
	}
	interpolate(player, player->time, pose, report);
}

// Lead a copy of what is in play on to a time.
static void predict(const rpPlayer* player, double time, rpPose* pose, rpPlayerReport* report)
{
	memcpy(player->spareState, player->state, player->kind->stateSize);
	memcpy(player->spareTimeline, player->timeline, sizeof(rpTimeline));
	player->kind->produce(player->model, player->spareState, time, &player->input, player->spareTimeline);
	rpSampler* sampler = (rpSampler*)&player->spareSampler;
	rpSampler_Reset(sampler);
	rpSampler_Sample(sampler, player->spareTimeline, time, pose, player->spareNotes);
	rpRenderer* renderer = (rpRenderer*)&player->renderer;
	double last = (double)(renderer->madeCount - 1) / renderer->fps;
	rpLayers_Apply(&renderer->layers, true, player->skeleton, time, (float)fmax(time - last, 0.0), player->spareNotes,
				   pose);
	if (report != NULL)
	{
		copyNotes(player->spareNotes, report);
		rpSpanReport own = getReport(player, player->spareState, player->spareNotes->span);
		copyReport(&own, report);
		report->phase = findPhase(report->contacts);
		finishReport(pose, time, report);
	}
}

void rpPlayer_Peek(const rpPlayer* player, double seconds, rpPose* pose, rpPlayerReport* report)
{
	double time = player->time + limitTime(seconds);
	rpPose unseen = {.rotations = player->spareRotations};
	pose = pose != NULL ? pose : &unseen;
	isThere(player, time, player->renderer.madeCount) ? interpolate(player, time, pose, report)
													  : predict(player, time, pose, report);
}

// ---- snapshots

/// What begins a snapshot.
typedef struct SnapshotHeader
{
	const rpPlayer* owner;
	size_t size;
} SnapshotHeader;

static void visitState(rpPlayer* player, rpPieceFn* visit, void* context)
{
	visit(context, &player->time, sizeof(player->time));
	visit(context, &player->input, sizeof(player->input));
	visit(context, player->state, player->kind->stateSize);
	visit(context, player->timeline, sizeof(rpTimeline));
	visit(context, player->reports, ((size_t)player->renderer.made.mask + 1) * sizeof(rpSpanReport));
	rpRenderer_VisitState(&player->renderer, visit, context);
}

static void addSize(void* context, void* memory, size_t size)
{
	(void)memory;
	*(size_t*)context += size;
}

static void copyOut(void* context, void* memory, size_t size)
{
	char** at = context;
	memcpy(*at, memory, size);
	*at += size;
}

static void copyIn(void* context, void* memory, size_t size)
{
	const char** at = context;
	memcpy(memory, *at, size);
	*at += size;
}

size_t rpPlayer_GetSnapshotSize(const rpPlayer* player)
{
	size_t size = sizeof(SnapshotHeader);
	visitState((rpPlayer*)player, addSize, &size);
	return size;
}

void rpPlayer_TakeSnapshot(const rpPlayer* player, void* block)
{
	SnapshotHeader header = {player, rpPlayer_GetSnapshotSize(player)};
	char* at = (char*)block + sizeof(header);
	memcpy(block, &header, sizeof(header));
	visitState((rpPlayer*)player, copyOut, &at);
}

bool rpPlayer_Restore(rpPlayer* player, const void* block)
{
	SnapshotHeader header;
	memcpy(&header, block, sizeof(header));
	if (header.owner != player || header.size != rpPlayer_GetSnapshotSize(player))
	{
		return false;
	}
	const char* at = (const char*)block + sizeof(header);
	visitState(player, copyIn, &at);
	return true;
}

// ---- layers

int rpPlayer_AddLayer(rpPlayer* player, const rpLayerKind* kind, const void* def, rpError* error)
{
	return rpLayers_Add(&player->renderer.layers, kind, def, error);
}

void rpPlayer_SwitchLayer(rpPlayer* player, int layer, float weight, double seconds)
{
	RP_ASSERT(layer >= 0 && layer < player->renderer.layers.count);
	rpLayers_Switch(&player->renderer.layers, layer, weight, seconds);
}

int rpPlayer_FindLayer(const rpPlayer* player, const char* name)
{
	const rpLayers* layers = &player->renderer.layers;
	int found = layers->count - 1;
	while (found >= 0 && strcmp(layers->items[found].kind->name, name) != 0)
	{
		--found;
	}
	return found;
}

double rpPlayer_GetLookAhead(const rpPlayer* player)
{
	return player->renderer.lookAhead / player->renderer.fps;
}

bool rpPlayer_GetGaitLimits(const rpPlayer* player, rpGait gait, rpGaitLimits* out)
{
	*out = (rpGaitLimits){0};
	bool isGait = (int)gait >= 0 && gait < rp_gaitCount;
	return isGait && player->kind->getLimits != NULL && player->kind->getLimits(player->model, gait, out);
}

const rpSkeleton* rpPlayer_GetSkeleton(const rpPlayer* player)
{
	return player->skeleton;
}

const char* rpPlayer_GetModel(const rpPlayer* player)
{
	return player->kind->name;
}

const rpSpaceParameter* rpPlayer_GetParameter(const rpPlayer* player, int request, int index)
{
	return player->kind->getParameter != NULL ? player->kind->getParameter(player->model, request, index) : NULL;
}

const char* rpPlayer_GetRequest(const rpPlayer* player, int request)
{
	return player->kind->getRequest != NULL ? player->kind->getRequest(player->model, request) : NULL;
}

const char* rpPlayer_GetClipName(const rpPlayer* player, int clip)
{
	return player->kind->getClipName(player->model, clip);
}

const char* rpPlayer_GetLabel(const rpPlayer* player, int label)
{
	return player->kind->getLabel(player->model, label);
}
