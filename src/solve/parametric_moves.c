#include "solve/parametric_moves.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

// Points of a grid of values along each axis, and of choices, by how many axes there are: some four thousand steps of
// an edge at most, under half a second.
static const int s_divisions[RP_MAX_SPACE_PARAMETERS + 1] = {1, 33, 9, 5, 3, 2, 2};
static const int s_choices[RP_MAX_SPACE_PARAMETERS + 1] = {1, 9, 5, 3, 3, 3, 2};

// ---- grids

static rpMoveGrid makeGrid(int dimension, int divisions)
{
	rpMoveGrid grid = {dimension, divisions, 1};
	for (int k = 0; k < dimension; ++k)
	{
		grid.count *= divisions;
	}
	return grid;
}

void rpMoveGrid_GetPart(const rpMoveGrid* grid, int index, float* out)
{
	for (int k = 0; k < grid->dimension; ++k, index /= grid->divisions)
	{
		out[k] = grid->divisions > 1 ? (float)(index % grid->divisions) / (float)(grid->divisions - 1) : 0.5f;
	}
}

void rpParametricBox_Get(const rpParametricBox* box, int dimension, const float* part, float* out)
{
	for (int k = 0; k < dimension; ++k)
	{
		// Never beyond the box, whatever rounding does.
		out[k] = fminf(fmaxf(box->low[k] + part[k] * (box->high[k] - box->low[k]), box->low[k]), box->high[k]);
	}
}

rpParametricBox rpSpace_GetBox(const rpSpace* space)
{
	rpParametricBox box = {0};
	for (int k = 0; k < space->parameterCount; ++k)
	{
		box.low[k] = space->parameters[k].low;
		box.high[k] = space->parameters[k].high;
	}
	return box;
}

enum
{
	maxCorners = 1 << RP_MAX_SPACE_PARAMETERS,
};

/// The points of a grid around values, and their weights.
typedef struct Corners
{
	int points[maxCorners];
	float weights[maxCorners];
	int count;
} Corners;

static void findCorners(const rpSpace* space, const rpMoveGrid* grid, const float* asked, Corners* out)
{
	out->count = 1;
	out->points[0] = 0;
	out->weights[0] = 1.0f;
	for (int k = 0, stride = 1; k < grid->dimension; ++k, stride *= grid->divisions)
	{
		float low = space->parameters[k].low, range = space->parameters[k].high - low;
		float part = range > 0.0f ? fminf(fmaxf((asked[k] - low) / range, 0.0f), 1.0f) : 0.0f;
		float place = part * (float)(grid->divisions - 1);
		int cell = grid->divisions > 1 ? (int)fminf(floorf(place), (float)(grid->divisions - 2)) : 0;
		float t = place - (float)cell;
		int count = out->count;
		for (int i = 0; i < count; ++i)
		{
			out->points[i] += cell * stride;
			if (t > 0.0f)
			{
				out->points[out->count] = out->points[i] + stride;
				out->weights[out->count++] = t * out->weights[i];
				out->weights[i] *= 1.0f - t;
			}
		}
	}
}

static void getValues(const rpSpace* space, const rpMoveGrid* grid, int point, float* out)
{
	float part[RP_MAX_SPACE_PARAMETERS] = {0};
	rpParametricBox box = rpSpace_GetBox(space);
	rpMoveGrid_GetPart(grid, point, part);
	rpParametricBox_Get(&box, grid->dimension, part, out);
}

// ---- places

rpMovePlace rpMovePlace_Compose(rpMovePlace a, rpMovePlace b)
{
	float s, c;
	rpSinCos(a.turn, &s, &c);
	return (rpMovePlace){a.x + c * b.x + s * b.z, a.z + c * b.z - s * b.x, a.turn + b.turn};
}

static rpGroundTransform getRoot(const rpParametricModel* model, const rpSpan* span, double seconds)
{
	rpPose pose = {.rotations = model->cloud.rotations};
	rpSpan_Sample(span, seconds, &pose);
	return rpPose_GetGround(&pose);
}

// Of a ground transform as seen from another; the turn that is nearest to `about`.
static rpMovePlace seeFrom(rpGroundTransform from, rpGroundTransform place, float about)
{
	rpGroundTransform seen = rpGroundTransform_Compose(rpGroundTransform_Invert(from), place);
	return (rpMovePlace){seen.shift.x, seen.shift.z, about + rpWrapAngle(seen.turn - about)};
}

rpMovePlace rpMove_GetPlace(const rpMove* move, float seconds)
{
	float place = fminf(fmaxf(seconds / move->seconds, 0.0f), 1.0f) * (float)(rp_moveMoments - 1);
	int i = (int)fminf(floorf(place), (float)(rp_moveMoments - 2));
	float t = place - (float)i;
	const rpMovePlace *a = &move->places[i], *b = a + 1;
	return (rpMovePlace){a->x + t * (b->x - a->x), a->z + t * (b->z - a->z), a->turn + t * (b->turn - a->turn)};
}

// ---- motions

double rpParametricMotion_FindLeave(const rpParametricModel* model, const rpParametricMotion* motion)
{
	const rpParametricGraph* graph = model->graph;
	double leave = motion->clip.end;
	for (int e = 0; e < graph->edgeCount; ++e)
	{
		if (graph->edges[e].source == motion->clip.node)
		{
			rpParametricBox box = rpParametricGraph_LookUp(graph, e, motion->clip.values);
			double seam = rpParametricClip_GetTime(&motion->clip, box.from) - 0.5 * (double)graph->edges[e].length;
			leave = box.isEmpty ? leave : fmin(leave, seam);
		}
	}
	return leave;
}

static void measureMove(const rpParametricModel* model, const rpParametricMotion* motion, rpMove* out)
{
	const rpParametricClip* clip = &motion->clip;
	rpGroundTransform from = getRoot(model, &motion->span, clip->start);
	float turn = 0.0f;
	out->seconds = (float)(clip->end - clip->start);
	out->leave = (float)(rpParametricMotion_FindLeave(model, motion) - clip->start);
	out->length = 0.0f;
	for (int i = 0; i < rp_moveMoments; ++i)
	{
		double seconds = rpParametricClip_GetTime(clip, (float)i / (float)(rp_moveMoments - 1));
		rpMovePlace* place = &out->places[i];
		*place = seeFrom(from, getRoot(model, &motion->span, seconds), turn);
		turn = place->turn;
		out->length += i > 0 ? rpHypot(place->x - place[-1].x, place->z - place[-1].z) : 0.0f;
	}
}

static void begin(const rpParametricMoves* moves, int node, int point)
{
	float asked[RP_MAX_SPACE_PARAMETERS];
	getValues(moves->model->graph->nodes[node].space, &moves->nodes[node].grid, point, asked);
	rpParametricMotion_Begin(moves->model, node, asked, rpGroundTransform_identity, moves->now);
}

static bool createNode(rpParametricMoves* moves, int node, rpError* error)
{
	rpMoveNode* own = &moves->nodes[node];
	int dimension = moves->model->graph->nodes[node].space->parameterCount;
	own->grid = makeGrid(dimension, s_divisions[dimension]);
	own->moves = rpAllocate((size_t)own->grid.count, sizeof(rpMove), error);
	for (int i = 0; i < own->grid.count && own->moves != NULL; ++i)
	{
		begin(moves, node, i);
		measureMove(moves->model, moves->now, &own->moves[i]);
	}
	return own->moves != NULL;
}

static void addPlace(rpMovePlace* sum, float weight, rpMovePlace place)
{
	sum->x += weight * place.x;
	sum->z += weight * place.z;
	sum->turn += weight * place.turn;
}

void rpParametricMoves_Get(const rpParametricMoves* moves, int node, const float* asked, rpMove* out)
{
	const rpMoveNode* own = &moves->nodes[node];
	Corners corners;
	findCorners(moves->model->graph->nodes[node].space, &own->grid, asked, &corners);
	memset(out, 0, sizeof(*out));
	for (int i = 0; i < corners.count; ++i)
	{
		const rpMove* move = &own->moves[corners.points[i]];
		float weight = corners.weights[i];
		out->seconds += weight * move->seconds;
		out->leave += weight * move->leave;
		out->length += weight * move->length;
		for (int m = 0; m < rp_moveMoments; ++m)
		{
			addPlace(&out->places[m], weight, move->places[m]);
		}
	}
}

// ---- steps

static bool createEdge(rpParametricMoves* moves, int edge, int finer, rpError* error)
{
	const rpParametricGraph* graph = moves->model->graph;
	rpMoveEdge* own = &moves->edges[edge];
	int dimension = graph->nodes[graph->edges[edge].target].space->parameterCount;
	size_t points = (size_t)moves->nodes[graph->edges[edge].source].grid.count;
	own->choices = makeGrid(dimension, finer * (s_choices[dimension] - 1) + 1);
	own->steps = rpAllocate(points * (size_t)own->choices.count, sizeof(rpMoveStep), error);
	own->isKnown = rpAllocateZero(points, sizeof(bool), error);
	return own->steps != NULL && own->isKnown != NULL;
}

static void measureStep(const rpParametricModel* model, const rpParametricMotion* now, const rpParametricStep* step,
						float turn, rpMoveStep* out)
{
	const rpParametricMotion* next = &step->next;
	rpGroundTransform from = getRoot(model, &now->span, now->clip.start);
	rpGroundTransform to = getRoot(model, &next->span, next->clip.start);
	out->place = seeFrom(from, to, turn);
	out->seconds = (float)(next->span.start + next->clip.start - (now->span.start + now->clip.start));
	out->settled = (float)(step->to + 0.5 * (double)model->graph->edges[step->edge].length - next->clip.start);
	memcpy(out->asked, next->clip.asked, sizeof(out->asked));
	out->forced = step->isForced ? 1.0f : 0.0f;
	out->isThere = true;
}

static void makeRow(rpParametricMoves* moves, int edge, int point)
{
	const rpParametricModel* model = moves->model;
	const rpParametricEdge* own = &model->graph->edges[edge];
	const rpMoveGrid* choices = &moves->edges[edge].choices;
	rpMoveStep* row = &moves->edges[edge].steps[(size_t)point * (size_t)choices->count];
	float turn = moves->nodes[own->source].moves[point].places[rp_moveMoments - 1].turn;
	begin(moves, own->source, point);
	rpParametricBox box = rpParametricGraph_LookUp(model->graph, edge, moves->now->clip.values);
	for (int i = 0; i < choices->count; ++i)
	{
		row[i].isThere = false;
		if (!box.isEmpty)
		{
			float part[RP_MAX_SPACE_PARAMETERS], asked[RP_MAX_SPACE_PARAMETERS];
			rpMoveGrid_GetPart(choices, i, part);
			rpParametricBox_Get(&box, choices->dimension, part, asked);
			rpParametricStep_Make(model, moves->now, edge, asked, moves->step);
			measureStep(model, moves->now, moves->step, turn, &row[i]);
			++moves->madeCount;
		}
	}
	moves->edges[edge].isKnown[point] = true;
}

static void addStep(rpMoveStep* sum, float weight, const rpMoveStep* step)
{
	addPlace(&sum->place, weight, step->place);
	sum->seconds += weight * step->seconds;
	sum->settled += weight * step->settled;
	sum->forced += weight * step->forced;
	for (int k = 0; k < RP_MAX_SPACE_PARAMETERS; ++k)
	{
		sum->asked[k] += weight * step->asked[k];
	}
}

bool rpParametricMoves_Choose(rpParametricMoves* moves, int edge, const float* asked, int choice, rpMoveStep* out)
{
	int source = moves->model->graph->edges[edge].source;
	const rpMoveEdge* own = &moves->edges[edge];
	Corners corners;
	findCorners(moves->model->graph->nodes[source].space, &moves->nodes[source].grid, asked, &corners);
	*out = (rpMoveStep){.isThere = true};
	for (int i = 0; i < corners.count; ++i)
	{
		if (!own->isKnown[corners.points[i]])
		{
			makeRow(moves, edge, corners.points[i]);
		}
		const rpMoveStep* step = &own->steps[(size_t)corners.points[i] * (size_t)own->choices.count + (size_t)choice];
		if (!step->isThere)
		{
			return false;
		}
		addStep(out, corners.weights[i], step);
	}
	return true;
}

// ---- all of it

bool rpParametricMoves_Create(rpParametricMoves* moves, const rpParametricModel* model, int finer, rpError* error)
{
	const rpParametricGraph* graph = model->graph;
	*moves = (rpParametricMoves){.model = model};
	moves->nodes = rpAllocateZero((size_t)graph->nodeCount, sizeof(rpMoveNode), error);
	moves->edges = rpAllocateZero((size_t)graph->edgeCount, sizeof(rpMoveEdge), error);
	moves->now = rpAllocateZero(1, sizeof(rpParametricMotion), error);
	moves->step = rpAllocateZero(1, sizeof(rpParametricStep), error);
	bool done = moves->nodes != NULL && moves->edges != NULL && moves->now != NULL && moves->step != NULL;
	for (int i = 0; i < graph->nodeCount && done; ++i)
	{
		done = createNode(moves, i, error);
	}
	for (int e = 0; e < graph->edgeCount && done; ++e)
	{
		done = createEdge(moves, e, finer, error);
	}
	return done;
}

void rpParametricMoves_Free(rpParametricMoves* moves)
{
	for (int i = 0; moves->nodes != NULL && i < moves->model->graph->nodeCount; ++i)
	{
		rpFree(moves->nodes[i].moves);
	}
	for (int e = 0; moves->edges != NULL && e < moves->model->graph->edgeCount; ++e)
	{
		rpFree(moves->edges[e].steps);
		rpFree(moves->edges[e].isKnown);
	}
	rpFree(moves->nodes);
	rpFree(moves->edges);
	rpFree(moves->now);
	rpFree(moves->step);
	*moves = (rpParametricMoves){0};
}
