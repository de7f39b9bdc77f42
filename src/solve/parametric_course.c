#include "solve/parametric_course.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

bool rpCourse_Create(rpCourse* course, const rpParametricModel* model, rpGroundTransform start, rpError* error)
{
	*course = (rpCourse){.model = model, .start = start};
	course->step = rpAllocateZero(1, sizeof(rpParametricStep), error);
	return course->step != NULL;
}

void rpCourse_Free(rpCourse* course)
{
	rpFree(course->motions);
	rpFree(course->step);
	*course = (rpCourse){0};
}

bool rpCourse_MakeRoom(rpCourse* course, rpError* error)
{
	return rpGrow(&course->motions, &course->capacity, course->count, sizeof(rpCourseMotion), error);
}

static const rpSpace* getSpace(const rpCourse* course, int node)
{
	return course->model->graph->nodes[node].space;
}

// ---- laying

static void layFirst(rpCourse* course, int node, const float* requested)
{
	rpCourseMotion* own = &course->motions[0];
	memmove(own->requested, requested, sizeof(own->requested));
	own->edge = -1;
	own->settled = 0.0;
	own->distance = 0.0f;
	own->isForced = false;
	rpParametricMotion_Begin(course->model, node, own->requested, course->start, &own->motion);
}

static void layNext(rpCourse* course, int index, int edge, const float* requested)
{
	rpCourseMotion *own = &course->motions[index], *before = own - 1;
	rpParametricStep* step = course->step;
	memmove(own->requested, requested, sizeof(own->requested));
	own->edge = edge;
	rpParametricStep_Make(course->model, &before->motion, edge, own->requested, step);
	double cut = before->motion.span.start + step->from;
	// As the player has it: after a short motion seams are shorter.
	own->settled =
		cut + fmin(0.5 * (double)course->model->graph->edges[edge].length, fmax(cut - before->settled, 1e-3));
	own->motion = step->next;
	own->distance = step->distance;
	own->isForced = step->isForced;
	++course->madeCount;
}

void rpCourse_Begin(rpCourse* course, int node, const float* requested)
{
	course->count = 1;
	layFirst(course, node, requested);
}

bool rpCourse_Append(rpCourse* course, int edge, const float* requested)
{
	const rpCourseMotion* last = &course->motions[course->count - 1];
	if (rpParametricGraph_LookUp(course->model->graph, edge, last->motion.clip.values).isEmpty)
	{
		return false;
	}
	layNext(course, course->count++, edge, requested);
	return true;
}

// ---- by parts

static bool layPart(rpCourse* course, int index, int edge)
{
	const rpParametricGraph* graph = course->model->graph;
	rpCourseMotion* own = &course->motions[index];
	rpParametricBox box = rpParametricGraph_LookUp(graph, edge, own[-1].motion.clip.values);
	float requested[RP_MAX_SPACE_PARAMETERS] = {0};
	rpParametricBox_Get(&box, getSpace(course, graph->edges[edge].target)->parameterCount, own->part, requested);
	if (!box.isEmpty)
	{
		layNext(course, index, edge, requested);
	}
	return !box.isEmpty;
}

static void layFirstPart(rpCourse* course, int node)
{
	const rpSpace* space = getSpace(course, node);
	rpParametricBox box = rpSpace_GetBox(space);
	float requested[RP_MAX_SPACE_PARAMETERS] = {0};
	rpParametricBox_Get(&box, space->parameterCount, course->motions[0].part, requested);
	layFirst(course, node, requested);
}

void rpCourse_BeginAt(rpCourse* course, int node, const float* part)
{
	course->count = 1;
	memcpy(course->motions[0].part, part, sizeof(course->motions[0].part));
	layFirstPart(course, node);
}

bool rpCourse_AppendAt(rpCourse* course, int edge, const float* part)
{
	memcpy(course->motions[course->count].part, part, sizeof(course->motions[0].part));
	bool done = layPart(course, course->count, edge);
	course->count += done;
	return done;
}

bool rpCourse_LayAgain(rpCourse* course, int first)
{
	bool done = true;
	if (first == 0)
	{
		layFirstPart(course, course->motions[0].motion.clip.node);
	}
	for (int i = first > 0 ? first : 1; i < course->count && done; ++i)
	{
		done = layPart(course, i, course->motions[i].edge);
	}
	return done;
}

// ---- looking at it

bool rpCourse_FindAlone(const rpCourse* course, int index, double* first, double* last)
{
	const rpCourseMotion* own = &course->motions[index];
	const rpParametricMotion* motion = &own->motion;
	*first = fmax(own->settled, motion->span.start + motion->clip.start);
	*last = motion->span.start + rpParametricMotion_FindLeave(course->model, motion);
	return *first <= *last;
}

rpGroundTransform rpCourse_GetRoot(const rpCourse* course, int index, double seconds)
{
	const rpSpan* span = &course->motions[index].motion.span;
	rpPose pose = {.rotations = course->model->cloud.rotations};
	rpSpan_Sample(span, seconds - span->start, &pose);
	return rpPose_GetGround(&pose);
}
