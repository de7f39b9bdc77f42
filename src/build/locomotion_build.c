/// Building the two-level graph of Kwon & Shin 2005, section 4.5: fine nodes are the kinds of movement, fine edges join
/// kinds that follow one another in a take, coarse ones follow from them.
#include "build/locomotion_build.h"

#include "base/error.h"
#include "base/findings.h"
#include "base/memory.h"
#include "reprise/analysis.h"
#include "reprise/edit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

rpLocomotionDef rpDefaultLocomotionDef(void)
{
	return (rpLocomotionDef){.movements = rpDefaultMovementDef()};
}

// ---- takes

static rpMotion* copyTake(const rpMotion* take, rpError* error)
{
	rpMotion* copy = rpCopyMotion(take, error);
	if (copy != NULL && rpMotion_GetIntervals(copy, rp_trackContact, NULL, 0) == 0 &&
		!rpDetectContacts(copy, NULL, NULL, error))
	{
		rpDestroyMotion(copy);
		copy = NULL;
	}
	return copy;
}

rpMotion* rpMirrorTake(const rpMotion* take, rpError* error)
{
	rpText name = {0};
	rpText_Print(&name, "%s~", take->name);
	rpMotion* mirrored = rpMirrorMotion(take, error);
	if (mirrored != NULL && (name.failed || !rpMotion_SetName(mirrored, name.data, error)))
	{
		rpDestroyMotion(mirrored);
		mirrored = NULL;
	}
	rpText_Free(&name);
	return mirrored;
}

static bool takeTakes(rpLocomotion* model, const rpMotion* const* takes, int count, bool mirror, rpError* error)
{
	model->takeCount = mirror ? 2 * count : count;
	model->originalCount = count;
	model->takes = rpAllocateZero((size_t)model->takeCount, sizeof(rpMotion*), error);
	bool done = model->takes != NULL;
	for (int i = 0; i < count && done; ++i)
	{
		if (!rpSkeleton_Matches(takes[0]->skeleton, takes[i]->skeleton))
		{
			rpFail(error, rp_errorArgument, "\"%.100s\" and \"%.100s\" are of two bodies; a model is of one",
				   takes[0]->name, takes[i]->name);
			rpError_SetHint(error, "bring the takes onto one skeleton first: reprise convert TAKE --onto OTHER");
			return false;
		}
		done = (model->takes[i] = copyTake(takes[i], error)) != NULL &&
			   (!mirror || (model->takes[count + i] = rpMirrorTake(model->takes[i], error)) != NULL);
	}
	return done;
}

// ---- movements

static rpMovementKind mirrorKind(rpMovementKind kind)
{
	char string[8] = "";
	const char* from = rpMovementKind_GetString(kind);
	for (int i = 0; from[i] != 0; ++i)
	{
		string[i] = (char)(from[i] == 'L' ? 'R' : from[i] == 'R' ? 'L' : from[i]);
	}
	return rpMovementKind_Find(string);
}

static bool isUsable(const rpMovement* movement)
{
	double seconds = movement->end - movement->start;
	return seconds >= RP_SHORTEST_MOVEMENT && seconds <= RP_LONGEST_MOVEMENT;
}

// In the order of the takes, mirror images after the others; one that is left out breaks the succession.
static bool takeMovements(rpLocomotion* model, const rpMovements* movements, rpError* error)
{
	bool mirror = model->takeCount > model->originalCount;
	model->movements = rpAllocate((size_t)movements->count * (mirror ? 2 : 1), sizeof(rpMovement), error);
	if (model->movements == NULL)
	{
		return false;
	}
	for (int pass = 0; pass < (mirror ? 2 : 1); ++pass)
	{
		for (int i = 0; i < movements->count; ++i)
		{
			rpMovement movement = movements->items[i];
			if (!isUsable(&movement))
			{
				continue;
			}
			movement.isSuccessor = movement.isSuccessor && i > 0 && isUsable(&movements->items[i - 1]);
			movement.kind = pass == 1 ? mirrorKind(movement.kind) : movement.kind;
			movement.turn = pass == 1 ? -movement.turn : movement.turn;
			movement.take += pass == 1 ? model->originalCount : 0;
			model->movements[model->movementCount++] = movement;
		}
	}
	return true;
}

static int compareMovements(const void* a, const void* b)
{
	const rpMovement *x = a, *y = b;
	if (x->kind != y->kind)
	{
		return x->kind < y->kind ? -1 : 1;
	}
	if (x->take != y->take)
	{
		return x->take < y->take ? -1 : 1;
	}
	return (x->start > y->start) - (x->start < y->start);
}

// Edges and rules need the order of the takes, nodes that of the kinds.
static void connect(rpLocomotion* model)
{
	for (int i = 1; i < model->movementCount; ++i)
	{
		if (model->movements[i].isSuccessor)
		{
			model->nodes[model->movements[i - 1].kind].successors |= 1u << model->movements[i].kind;
		}
	}
	model->turnRules[rp_gaitWalk] = rpFitTurnRule(model->movements, model->movementCount, rp_gaitWalk);
	model->turnRules[rp_gaitRun] = rpFitTurnRule(model->movements, model->movementCount, rp_gaitRun);
	qsort(model->movements, (size_t)model->movementCount, sizeof(rpMovement), compareMovements);
	rpLocomotion_Derive(model);
}

// ---- what is missing

static void nameMissing(rpMovementKind kind, char* out, size_t size)
{
	rpGait before = rpMovementKind_GetBefore(kind), after = rpMovementKind_GetAfter(kind);
	const char* foot = rpMovementKind_GetFoot(kind) == 'L' ? "left" : "right";
	// Table 1 gives the foot that supports first, or, for what slows down to walking or starts to walk, the last.
	bool isFinal = before == rp_gaitRun || (before == rp_gaitStand && after == rp_gaitWalk);
	if (before == rp_gaitStand && after == rp_gaitStand)
	{
		snprintf(out, size, "no stand");
	}
	else if (before == after)
	{
		snprintf(out, size, "no %s on the %s foot", before == rp_gaitWalk ? "walking" : "running", foot);
	}
	else
	{
		snprintf(out, size, "no %s→%s %s on the %s foot", rpGait_GetName(before), rpGait_GetName(after),
				 isFinal ? "ending" : "beginning", foot);
	}
}

static void noteMissing(const rpLocomotion* model, rpFindings* missing)
{
	for (int kind = 0; kind < rp_movementKindCount; ++kind)
	{
		if (model->nodes[kind].movementCount == 0)
		{
			char text[80];
			nameMissing((rpMovementKind)kind, text, sizeof(text));
			rpFinding* finding = rpFindings_Add(missing, "missing_movement", "%s in these takes (%s)", text,
												rpMovementKind_GetString((rpMovementKind)kind));
			bool couldMirror = model->nodes[mirrorKind((rpMovementKind)kind)].movementCount > 0;
			rpFinding_SetAction(finding, false, couldMirror ? "nothing; mirror images would fill it" : "nothing");
		}
	}
}

// A gait that goes on, but has no path to the others and back, is left out by players.
static void noteUnreachable(const rpLocomotion* model, uint32_t core, rpFindings* missing)
{
	static const char* const names[rp_gaitCount] = {"standing", "walking", "running"};
	for (int gait = 0; gait < rp_gaitCount; ++gait)
	{
		bool isInCore = false;
		for (int kind = 0; kind < rp_movementKindCount; ++kind)
		{
			isInCore =
				isInCore || ((core >> kind & 1) != 0 && (int)rpMovementKind_GetBefore((rpMovementKind)kind) == gait &&
							 (int)rpMovementKind_GetAfter((rpMovementKind)kind) == gait);
		}
		if ((model->reachable[gait] >> gait & 1) != 0 && !isInCore)
		{
			rpFinding* finding =
				rpFindings_Add(missing, "unreachable_gait",
							   "%s leads to no other gait and back in these takes: players leave it out", names[gait]);
			rpFinding_SetAction(finding, false, "nothing; takes with the transitions would connect it");
		}
	}
}

rpLocomotion* rpBuildLocomotionFrom(const rpMotion* const* takes, int count, const rpMovements* movements,
									const rpLocomotionDef* def, rpFindings* missing, rpError* error)
{
	rpLocomotionDef chosen = def != NULL ? *def : rpDefaultLocomotionDef();
	rpLocomotion* model = count > 0 && movements->count > 0 ? rpAllocateZero(1, sizeof(rpLocomotion), error) : NULL;
	if (model == NULL)
	{
		if (count <= 0 || movements->count <= 0)
		{
			rpFail(error, rp_errorNoSolution, "there is no locomotion in these takes");
		}
		return NULL;
	}
	if (!takeTakes(model, takes, count, chosen.mirror, error) || !takeMovements(model, movements, error))
	{
		rpDestroyLocomotion(model);
		return NULL;
	}
	connect(model);
	uint32_t core = rpLocomotion_FindCore(model);
	if (core == 0)
	{
		rpFail(error, rp_errorNoSolution,
			   "no gait can go on: %d movements, but none that follow one another for two steps", model->movementCount);
		rpError_SetHint(error, "longer takes help, and mirror images where one foot's steps are missing");
		rpDestroyLocomotion(model);
		return NULL;
	}
	noteMissing(model, missing);
	noteUnreachable(model, core, missing);
	return model;
}

rpLocomotion* rpBuildLocomotionOf(const rpMotion* const* takes, int count, const rpLocomotionDef* def,
								  rpFindings* missing, rpError* error)
{
	rpLocomotionDef chosen = def != NULL ? *def : rpDefaultLocomotionDef();
	rpMovements* movements = rpFindMovements(takes, count, &chosen.movements, error);
	rpLocomotion* model =
		movements != NULL ? rpBuildLocomotionFrom(takes, count, movements, &chosen, missing, error) : NULL;
	rpDestroyMovements(movements);
	return model;
}
