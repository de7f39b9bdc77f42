#include "learn/fit_rows.h"

#include "base/error.h"
#include "base/memory.h"
#include "learn/one_sided.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- terms

static void nameJoint(const rpSkeleton* skeleton, int joint, rpMetricTerm* term, int side)
{
	term->roles[side] = skeleton->joints[joint].role;
	snprintf(term->joints[side], sizeof(term->joints[side]), "%s", skeleton->joints[joint].name);
}

// "knee" for "left_knee": a term stands for both sides.
static void nameTerm(rpMetricTerm* term)
{
	const char* name = term->roles[0] != rp_roleNone ? rpRole_GetName(term->roles[0]) : term->joints[0];
	const char* line = term->roles[0] != rp_roleNone && term->joints[1][0] != 0 ? strchr(name, '_') : NULL;
	name = line != NULL ? line + 1 : name;
	snprintf(term->name, sizeof(term->name), "%s", name);
}

static void addJoint(rpFitRows* rows, const rpSkeleton* skeleton, int joint, const int* turnOfJoint)
{
	int mirror = skeleton->joints[joint].mirror;
	bool isPair = mirror > joint && turnOfJoint[mirror] >= 0;
	rpMetricTerm* term = &rows->terms[rows->termCount];
	*term = (rpMetricTerm){.kind = rp_fittedJoint};
	nameJoint(skeleton, joint, term, 0);
	if (isPair)
	{
		nameJoint(skeleton, mirror, term, 1);
	}
	nameTerm(term);
	rows->turns[rows->termCount][0] = turnOfJoint[joint];
	rows->turns[rows->termCount++][1] = isPair ? turnOfJoint[mirror] : -1;
}

static void addRoot(rpFitRows* rows, rpFittedKind kind, const char* name)
{
	rpMetricTerm* term = &rows->terms[rows->termCount];
	*term = (rpMetricTerm){.kind = kind};
	snprintf(term->name, sizeof(term->name), "%s", name);
	rows->turns[rows->termCount][0] = kind == rp_fittedTilt ? 0 : -1;
	rows->turns[rows->termCount++][1] = -1;
}

static bool addTerms(rpFitRows* rows, const rpMetric* metric, const rpFitDef* def, rpError* error)
{
	const rpSkeleton* skeleton = metric->skeleton;
	size_t max = (size_t)skeleton->jointCount + rp_fittedKindCount;
	rows->terms = rpAllocate(max, sizeof(rpMetricTerm), error);
	rows->turns = rpAllocate(max, sizeof(*rows->turns), error);
	int* turnOfJoint = rpAllocate((size_t)skeleton->jointCount, sizeof(int), error);
	bool done = rows->terms != NULL && rows->turns != NULL && turnOfJoint != NULL;
	for (int joint = 0; joint < skeleton->jointCount && done; ++joint)
	{
		turnOfJoint[joint] = -1;
	}
	for (int turn = 1; turn < metric->turnCount && done; ++turn)
	{
		turnOfJoint[metric->turnJoints[turn]] = turn;
	}
	if (done)
	{
		addRoot(rows, rp_fittedTilt, "tilt");
	}
	for (int joint = 1; joint < skeleton->jointCount && done; ++joint)
	{
		int mirror = skeleton->joints[joint].mirror;
		if (turnOfJoint[joint] >= 0 && (mirror >= joint || turnOfJoint[mirror] < 0))
		{
			addJoint(rows, skeleton, joint, turnOfJoint);
		}
	}
	if (done && def->root)
	{
		addRoot(rows, rp_fittedHeight, "height");
		addRoot(rows, rp_fittedTravel, "travel");
	}
	rpFree(turnOfJoint);
	return done;
}

// ---- rows

rpMetric* rpCreateRuler(const rpSkeleton* skeleton, const rpFitDef* def, rpError* error)
{
	rpMetricDef ruler = rpDefaultMetricDef();
	float* weights = rpAllocate((size_t)skeleton->jointCount, sizeof(float), error);
	if (weights == NULL)
	{
		return NULL;
	}
	for (int i = 0; i < skeleton->jointCount; ++i)
	{
		weights[i] = def->everyJoint || skeleton->joints[i].role != rp_roleNone ? 1.0f : 0.0f;
	}
	ruler.kind = rp_metricAngle;
	ruler.fps = def->fps;
	ruler.jointWeights = weights;
	ruler.velocityWeight = ruler.heightWeight = ruler.tiltWeight = ruler.travelWeight = 1.0f;
	rpMetric* metric = rpCreateMetric(skeleton, &ruler, error);
	rpFree(weights);
	return metric;
}

static double squareFeatures(const rpProfile* a, int i, const rpProfile* b, int j, int first, int count)
{
	double sum = 0.0;
	for (int k = first; k < first + count; ++k)
	{
		double difference = (double)a->features[(size_t)k * (size_t)a->formStride + (size_t)i] -
							(double)b->features[(size_t)k * (size_t)b->formStride + (size_t)j];
		sum += difference * difference;
	}
	return sum;
}

static void measure(const rpFitRows* rows, int term, const rpProfile* a, int i, const rpProfile* b, int j,
					double* angle, double* velocity)
{
	int travel = 3 * a->turnCount;
	*angle = *velocity = 0.0;
	for (int side = 0; side < 2; ++side)
	{
		int turn = rows->turns[term][side];
		if (turn >= 0)
		{
			*angle += rpAngle_SquareTurn(a, i, b, j, turn);
			*velocity += squareFeatures(a, i, b, j, 3 * turn, 3);
		}
	}
	if (rows->terms[term].kind == rp_fittedTravel)
	{
		*angle = squareFeatures(a, i, b, j, travel, 3);
	}
	else if (rows->terms[term].kind == rp_fittedHeight)
	{
		*angle = squareFeatures(a, i, b, j, travel + 3, 1);
	}
}

/// The moment of an example in one of its clips.
typedef struct Place
{
	const rpMotion* motion;
	double time;
	int number, line, column;
} Place;

static bool findFrame(const Place* place, double fps, int* frame, rpError* error)
{
	double duration = rpMotion_GetDuration(place->motion);
	if (!(place->time >= 0.0 && place->time <= duration + 0.5 / fps))
	{
		return rpFailAt(error, rp_errorArgument, place->line, place->column,
						"example %d is at %g s of \"%.150s\", which lasts %.3f s", place->number, place->time,
						place->motion->name, duration);
	}
	*frame = (int)lround(fmin(place->time, duration) * fps);
	return true;
}

static bool fillRow(rpFitRows* rows, int row, const rpMotion* const* motions, rpProfile* const* profiles,
					const rpJoinExample* example, double fps, rpError* error)
{
	const rpProfile *a = profiles[example->a], *b = profiles[example->b];
	int i = 0, j = 0;
	Place from = {motions[example->a], example->aTime, row + 1, example->line, example->columns[1]};
	Place to = {motions[example->b], example->bTime, row + 1, example->line, example->columns[3]};
	if (!findFrame(&from, fps, &i, error) || !findFrame(&to, fps, &j, error))
	{
		return false;
	}
	i = i < a->frameCount ? i : a->frameCount - 1;
	j = j < b->frameCount ? j : b->frameCount - 1;
	for (int term = 0; term < rows->termCount; ++term)
	{
		size_t at = (size_t)row * (size_t)rows->termCount + (size_t)term;
		measure(rows, term, a, i, b, j, &rows->angles[at], &rows->velocities[at]);
	}
	rows->wanted[row] = example->isGood ? 0.0 : 1.0;
	return true;
}

static bool makeProfiles(const rpMetric* metric, const rpMotion* const* motions, int count, rpProfile** out,
						 rpError* error)
{
	for (int i = 0; i < count; ++i)
	{
		out[i] = rpCreateProfile(metric, motions[i], error);
		if (out[i] == NULL)
		{
			return false;
		}
	}
	return true;
}

static bool fillRows(rpFitRows* rows, const rpMetric* metric, const rpMotion* const* motions,
					 const rpJoinExamples* examples, rpError* error)
{
	rpProfile** profiles = rpAllocateZero((size_t)examples->clipCount, sizeof(rpProfile*), error);
	size_t size = (size_t)examples->count * (size_t)rows->termCount;
	rows->count = examples->count;
	rows->angles = rpAllocate(size, sizeof(double), error);
	rows->velocities = rpAllocate(size, sizeof(double), error);
	rows->wanted = rpAllocate((size_t)examples->count, sizeof(double), error);
	bool done = profiles != NULL && rows->angles != NULL && rows->velocities != NULL && rows->wanted != NULL &&
				makeProfiles(metric, motions, examples->clipCount, profiles, error);
	for (int row = 0; row < examples->count && done; ++row)
	{
		done = fillRow(rows, row, motions, profiles, &examples->items[row], metric->fps, error);
	}
	for (int i = 0; profiles != NULL && i < examples->clipCount; ++i)
	{
		rpDestroyProfile(profiles[i]);
	}
	rpFree(profiles);
	return done;
}

bool rpFitRows_Create(rpFitRows* rows, const rpMotion* const* motions, const rpJoinExamples* examples,
					  const rpFitDef* def, rpError* error)
{
	*rows = (rpFitRows){0};
	rpMetric* metric = rpCreateRuler(motions[0]->skeleton, def, error);
	bool done =
		metric != NULL && addTerms(rows, metric, def, error) && fillRows(rows, metric, motions, examples, error);
	rpDestroyMetric(metric);
	if (!done)
	{
		rpFitRows_Free(rows);
	}
	return done;
}

void rpFitRows_Free(rpFitRows* rows)
{
	rpFree(rows->terms);
	rpFree(rows->turns);
	rpFree(rows->angles);
	rpFree(rows->velocities);
	rpFree(rows->wanted);
	*rows = (rpFitRows){0};
}

void rpFitRows_Get(const rpFitRows* rows, int row, double velocityWeight, double* out)
{
	size_t first = (size_t)row * (size_t)rows->termCount;
	for (int term = 0; term < rows->termCount; ++term)
	{
		out[term] = rows->angles[first + (size_t)term] + velocityWeight * rows->velocities[first + (size_t)term];
	}
}

// ---- the solution

float rpGetEvenWeight(rpFittedKind kind)
{
	return kind == rp_fittedTravel ? rpDefaultMetricDef().travelWeight : 1.0f;
}

/// Even weights and how strongly others are drawn to them, with the memory of all rows.
typedef struct Draft
{
	/// [count * termCount], and the same with even weights, [count].
	double *matrix, *evenly;
	/// [termCount]
	double* centre;
} Draft;

static void fillDraft(const rpFitRows* rows, double velocityWeight, Draft* draft)
{
	for (int row = 0; row < rows->count; ++row)
	{
		double* values = draft->matrix + (size_t)row * (size_t)rows->termCount;
		rpFitRows_Get(rows, row, velocityWeight, values);
		draft->evenly[row] = 0.0;
		for (int term = 0; term < rows->termCount; ++term)
		{
			draft->evenly[row] += (double)rpGetEvenWeight(rows->terms[term].kind) * values[term];
		}
	}
}

// The squared length of the longest column: what a weight of 1 does at most.
static double findLongest(const rpOneSided* problem)
{
	double longest = 0.0;
	for (int column = 0; column < problem->columnCount; ++column)
	{
		double sum = 0.0;
		for (int row = 0; row < problem->rowCount; ++row)
		{
			double value = problem->rows[(size_t)row * (size_t)problem->columnCount + (size_t)column];
			sum += row != problem->left ? value * value : 0.0;
		}
		longest = fmax(longest, sum);
	}
	return longest;
}

// All weights are angles against angles, and so one scale is all that even ones leave open.
static bool findCentre(const rpFitRows* rows, const rpFitDef* def, int left, Draft* draft, rpError* error)
{
	double scale;
	rpOneSided even = {.rows = draft->evenly,
					   .wanted = rows->wanted,
					   .rowCount = rows->count,
					   .columnCount = 1,
					   .left = left,
					   .isOneSided = def->isOneSided};
	if (!rpSolveOneSided(&even, &scale, NULL, error))
	{
		return false;
	}
	for (int term = 0; term < rows->termCount; ++term)
	{
		draft->centre[term] = scale * (double)rpGetEvenWeight(rows->terms[term].kind);
	}
	return true;
}

static bool solveDraft(const rpFitRows* rows, const rpFitDef* def, int left, Draft* draft, rpFitSolution* out,
					   rpLeastSquares* plain, rpError* error)
{
	rpOneSided problem = {.rows = draft->matrix,
						  .wanted = rows->wanted,
						  .rowCount = rows->count,
						  .columnCount = rows->termCount,
						  .left = left,
						  .isOneSided = def->isOneSided,
						  .centre = draft->centre};
	fillDraft(rows, out->velocityWeight, draft);
	problem.pull = (double)def->evenness * findLongest(&problem);
	if (!findCentre(rows, def, left, draft, error) || !rpSolveOneSided(&problem, out->weights, plain, error))
	{
		return false;
	}
	out->residual = rpOneSided_GetResidual(&problem, out->weights);
	return true;
}

bool rpFitRows_Solve(const rpFitRows* rows, const rpFitDef* def, int left, rpFitSolution* out, rpLeastSquares* plain,
					 rpError* error)
{
	size_t count = (size_t)rows->count, termCount = (size_t)rows->termCount;
	double* memory = rpAllocate(count * termCount + count + termCount, sizeof(double), error);
	if (memory == NULL)
	{
		return false;
	}
	Draft draft = {memory, memory + count * termCount, memory + count * termCount + count};
	bool done = solveDraft(rows, def, left, &draft, out, plain, error);
	rpFree(memory);
	return done;
}

// ---- contradictions

/// The moments of an example as frames.
typedef struct Moments
{
	int a, b, index;
	double i, j;
	bool isGood;
} Moments;

static int compareMoments(const void* first, const void* second)
{
	const Moments *x = first, *y = second;
	int order = x->a != y->a ? x->a - y->a : x->b - y->b;
	order = order != 0 ? order : (x->i > y->i) - (x->i < y->i);
	order = order != 0 ? order : (x->j > y->j) - (x->j < y->j);
	return order != 0 ? order : x->index - y->index;
}

static bool areSame(const Moments* x, const Moments* y)
{
	return x->a == y->a && x->b == y->b && x->i == y->i && x->j == y->j;
}

bool rpJoinExamples_FindContradiction(const rpJoinExamples* examples, double fps, int* first, int* second,
									  rpError* error)
{
	Moments* moments = rpAllocate((size_t)examples->count, sizeof(Moments), error);
	*first = *second = -1;
	if (moments == NULL)
	{
		return false;
	}
	for (int i = 0; i < examples->count; ++i)
	{
		const rpJoinExample* example = &examples->items[i];
		moments[i] = (Moments){example->a,     example->b, i, round(example->aTime * fps), round(example->bTime * fps),
							   example->isGood};
	}
	if (examples->count > 0)
	{
		qsort(moments, (size_t)examples->count, sizeof(Moments), compareMoments);
	}
	for (int i = 1; i < examples->count && *first < 0; ++i)
	{
		if (areSame(&moments[i - 1], &moments[i]) && moments[i - 1].isGood != moments[i].isGood)
		{
			*first = moments[i - 1].index;
			*second = moments[i].index;
		}
	}
	rpFree(moments);
	return true;
}
