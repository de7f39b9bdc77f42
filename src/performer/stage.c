/// The stage: performances are prepared, planned frame by frame, settled and recorded, with their truth.
#include "performer/stage.h"

#include "performer/laws.h"
#include "performer/medley.h"
#include "performer/truth.h"
#include "reprise/play/extend.h"

// Standing at ease: the ankles beside the middle, the toes outwards.
#define EASE_HALF_WIDTH 0.1f
#define EASE_TOE_OUT 0.13f

static bool addNote(rpNotes* notes, const char* name, double start, double end, rpError* error)
{
	if (!rpGrow(&notes->items, &notes->capacity, notes->count, sizeof(rpNote), error))
	{
		return false;
	}
	notes->items[notes->count++] = (rpNote){start, end, name};
	return true;
}

bool rpPerformance_AddLabel(rpPerformance* performance, const char* name, double start, double end, rpError* error)
{
	return addNote(&performance->labels, name, start, end, error);
}

bool rpPerformance_AddStand(rpPerformance* performance, double start, double end, rpError* error)
{
	return addNote(&performance->stands, "S", start, end, error);
}

bool rpPerformance_AddEvent(rpPerformance* performance, const char* name, double time, rpError* error)
{
	return addNote(&performance->events, name, time, time, error);
}

bool rpPerformance_AddRest(rpPerformance* performance, const rpRest* rest, rpError* error)
{
	if (!rpGrow(&performance->rests, &performance->restCapacity, performance->restCount, sizeof(rpRest), error))
	{
		return false;
	}
	performance->rests[performance->restCount++] = *rest;
	return true;
}

rpStance rpManner_MakeEaseStance(const rpManner* manner, int side, double strike, double off)
{
	float heading = SIDE(side) * (EASE_TOE_OUT + manner->toeOut);
	rpVec3 ankle = {SIDE(side) * EASE_HALF_WIDTH * manner->width, 0.0f, 0.0f};
	rpVec3 ball = rpAdd(ankle, rpRotate(rpYaw(heading), (rpVec3){0.0f, 0.0f, BALL_OFFSET.z}));
	return rpMakeFlatStance(side, strike, off, ball, heading);
}

rpStance rpPerformance_MakeEaseStance(const rpPerformance* performance, int side, double strike, double off)
{
	return rpManner_MakeEaseStance(&performance->manner, side, strike, off);
}

bool rpPerformance_StandAtEase(rpPerformance* performance, double start, double end, rpError* error)
{
	rpStance left = rpPerformance_MakeEaseStance(performance, 0, start, end);
	rpStance right = rpPerformance_MakeEaseStance(performance, 1, start, end);
	return rpPerformance_AddStance(performance, &left, error) && rpPerformance_AddStance(performance, &right, error) &&
		   rpPerformance_AddStand(performance, start, end, error);
}

// Weight goes from foot to foot every few seconds and stays a while: -1 on the right one, 1 on the left one.
static float shiftWeight(const rpManner* manner, double t)
{
	float plain = sinf((float)(2.0 * RP_PI * fmod(t / 7.3, 1.0))), drawn = 2.6f * rpNoise(manner->seed, 20, 0.3 * t);
	float wanted = manner->variation > 0.0f ? manner->variation * drawn : 1.3f * plain;
	return tanhf(wanted);
}

void rpPerformance_PlanStand(const rpPerformance* performance, double t, rpBodyPlan* plan)
{
	const rpManner* manner = &performance->manner;
	float breath = sinf((float)(2.0 * RP_PI * fmod(t / 4.0, 1.0))), shift = shiftWeight(manner, t);
	float plain = 1.0f - manner->variation;
	float rock = plain * 0.6f * sinf((float)(2.0 * RP_PI * fmod(t / 3.1, 1.0))) +
				 manner->variation * rpNoise(manner->seed, 21, 0.6 * t);
	float look = plain * 0.5f * sinf((float)(2.0 * RP_PI * fmod(t / 7.1, 1.0))) +
				 manner->variation * rpNoise(manner->seed, 22, 0.4 * t);
	*plan = (rpBodyPlan){.pelvis = {0.0f, PELVIS_HEIGHT, 0.0f}};
	rpPerformance_PlanFeet(performance, t, plan);
	plan->center = (rpVec3){STAND_SHIFT * shift, STAND_CENTER_HEIGHT, STAND_CENTER_FORWARD + 0.005f * rock};
	// The leg that bears is straight; the hip of the other one drops, and its knee gives way.
	plan->holds[0] = plan->holds[2] = true;
	plan->legReach = STAND_REACH;
	plan->pelvisRoll = 0.045f * shift;
	plan->pelvisTurn = 0.035f * shift;
	plan->lean = manner->lean;
	plan->trunkBend = 0.02f - 0.018f * breath + 0.01f * rock;
	plan->trunkSide = 0.02f * shift;
	plan->trunkTurn = 0.05f * look;
	plan->headTurn = 0.16f * look;
	plan->headTilt = -0.015f * shift;
	plan->headNod = manner->nod - 0.5f * manner->lean + 0.008f * breath;
	for (int side = 0; side < 2; ++side)
	{
		float hang = 0.03f * manner->variation * rpNoise(manner->seed, 23 + side, 0.5 * t);
		plan->arms[side] = (rpArmPlan){.swing = 0.04f + 0.012f * breath + hang,
									   .spread = 0.11f + 0.012f * breath - SIDE(side) * 0.02f * shift,
									   .twist = 0.1f,
									   .elbow = 0.22f + manner->elbow + 0.6f * hang,
									   .wrist = 0.1f,
									   .shrug = 0.012f * breath};
	}
}

bool rpPerformance_Prepare(rpPerformance* performance, rpError* error)
{
	performance->plan = performance->row->plan;
	bool ok = performance->row->prepare != NULL ? performance->row->prepare(performance, error)
												: rpPerformance_StandAtEase(performance, -INFINITY, INFINITY, error);
	// Medleys consist of performances that keep to the laws by themselves.
	return ok && (performance->row->plan == rpPerformance_PlanMedley || rpPerformance_KeepLaws(performance, error));
}

void rpPerformance_Plan(const rpPerformance* performance, double t, rpBodyPlan* plan)
{
	performance->plan(performance, t, plan);
	rpPerformance_AddLaws(performance, t, plan);
}

void rpPerformance_End(rpPerformance* performance)
{
	if (performance->freeState != NULL && performance->state != NULL)
	{
		performance->freeState(performance->state);
	}
	rpFree(performance->state);
	rpFree(performance->stances[0]);
	rpFree(performance->stances[1]);
	rpFree(performance->labels.items);
	rpFree(performance->stands.items);
	rpFree(performance->events.items);
	rpFree(performance->rests);
	rpFree(performance->laws.turns);
	rpFree(performance->laws.shifts);
}

/// Record every frame, and the centre of mass into the annotations.
static bool record(const rpPerformance* performance, double timeScale, float lengthScale, rpMotion* motion,
				   rpError* error)
{
	size_t count = (size_t)motion->frameCount;
	double* times = rpAllocate(count, sizeof(double), error);
	rpVec3* centers = times != NULL ? rpAllocate(count, sizeof(rpVec3), error) : NULL;
	bool ok = centers != NULL;
	for (size_t frame = 0; ok && frame < count; ++frame)
	{
		rpBodyPlan plan = {0};
		times[frame] = (double)frame / motion->fps;
		rpPerformance_Plan(performance, times[frame] / timeScale, &plan);
		rpQuat* rotations = motion->rotations + frame * rp_performerJointCount;
		rpVec3 center = rpBodyPlan_Settle(&plan, performance->skeleton, performance->body, rotations);
		motion->rootPositions[frame] = rpScale(lengthScale, plan.pelvis);
		centers[frame] = rpScale(lengthScale, center);
	}
	rpCurve curve = {"com", rp_curvePoint, motion->frameCount, times, (const float*)centers};
	ok = ok && rpAnnotations_AddCurve(&motion->annotations, &curve, error);
	rpFree(times);
	rpFree(centers);
	return ok;
}

// Bring what is asked for to a body of 1.75 m: lengths go with the stature, times and speeds with its root.
static void scaleParameters(const rpPerformDef* def, double timeScale, float lengthScale, float* out)
{
	for (int i = 0; i < rp_parameterCount; ++i)
	{
		rpParameter parameter = (rpParameter)i;
		out[i] = def->parameters[i] / rpParameter_GetScale(parameter, (float)timeScale, lengthScale);
	}
}

rpMotion* rpPerformOnStage(const rpActRow* row, const rpPerformDef* def, rpError* error)
{
	float lengthScale = def->stature / PERFORMER_HEIGHT;
	double timeScale = sqrt((double)lengthScale);
	// A script knows its own length.
	double natural = def->script != NULL && row->act == rp_actTake ? 0.0 : row->seconds * timeScale;
	double seconds = def->seconds > 0.0 ? def->seconds : natural;
	rpSkeleton* skeleton = rpCreatePerformerSkeleton(def->stature, error);
	rpSkeleton* model = skeleton != NULL ? rpCreatePerformerSkeleton(PERFORMER_HEIGHT, error) : NULL;
	rpBody body;
	bool ok = model != NULL && rpWeighSkeleton(model, NULL, &body, error);
	rpPerformance performance = {.row = row, .skeleton = model, .body = &body};
	performance.manner = rpMakeManner(def->seed);
	performance.script = def->script;
	performance.lengthScale = lengthScale;
	performance.seconds = seconds / timeScale;
	scaleParameters(def, timeScale, lengthScale, performance.parameters);
	ok = ok && rpPerformance_Prepare(&performance, error);
	seconds = performance.seconds * timeScale;
	int frameCount = 1 + (int)floor(seconds * def->fps + 1e-6);
	rpMotion* motion = ok ? rpCreateMotion(skeleton, rpAct_GetName(def->act), def->fps, frameCount, error) : NULL;
	ok = motion != NULL && record(&performance, timeScale, lengthScale, motion, error) &&
		 rpWriteTruth(&performance, def, timeScale, lengthScale, motion, error);
	rpPerformance_End(&performance);
	rpReleaseSkeleton(model);
	rpReleaseSkeleton(skeleton);
	if (!ok)
	{
		rpDestroyMotion(motion);
		return NULL;
	}
	rpMotion_FixHemispheres(motion);
	return motion;
}
