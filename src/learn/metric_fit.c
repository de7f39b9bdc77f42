/// Weights of the angle metric, fitted from examples of good and bad transitions: J. Wang, thesis, section IV.2
/// (J. Wang & B. Bodenheimer, "An evaluation of a cost metric for selecting transitions between motion segments",
/// 2003).
#include "base/assert.h"
#include "base/error.h"
#include "base/memory.h"
#include "learn/fit_rows.h"

#include <math.h>
#include <string.h>

// nu is searched from here to there, s², in so many steps of equal ratio, and then by golden section; and at 0.
#define MIN_VELOCITY 1e-6
#define MAX_VELOCITY 1.0
#define VELOCITY_STEPS 25
#define GOLDEN_STEPS 24

rpFitDef rpDefaultFitDef(void)
{
	return (rpFitDef){.fps = 30.0, .velocityWeight = 0.004f, .isOneSided = true, .evenness = 0.02f};
}

void rpJoinExamples_Free(rpJoinExamples* examples)
{
	for (int i = 0; i < examples->clipCount; ++i)
	{
		rpFree(examples->clips[i]);
	}
	rpFree(examples->clips);
	rpFree(examples->items);
	*examples = (rpJoinExamples){0};
}

void rpMetricFit_Free(rpMetricFit* fit)
{
	rpFree(fit->terms);
	*fit = (rpMetricFit){0};
}

// ---- checks

static bool checkCounts(const rpJoinExamples* examples, rpError* error)
{
	int good = 0;
	for (int i = 0; i < examples->count; ++i)
	{
		good += examples->items[i].isGood;
	}
	if (good > 0 && good < examples->count)
	{
		return true;
	}
	rpFail(error, rp_errorArgument, "%d good and %d bad examples; some of both are needed", good,
		   examples->count - good);
	rpError_SetHint(error, "mark more, or generate them: reprise metric examples LIB");
	return false;
}

static bool checkContradictions(const rpJoinExamples* examples, double fps, rpError* error)
{
	int first, second;
	if (!rpJoinExamples_FindContradiction(examples, fps, &first, &second, error))
	{
		return false;
	}
	if (first < 0)
	{
		return true;
	}
	rpFailAt(error, rp_errorArgument, examples->items[second].line, 0,
			 "examples %d and %d are of the same moments, and one is good, one bad", first + 1, second + 1);
	rpError_SetHint(error, "decide for one of them");
	return false;
}

static bool checkDef(const rpFitDef* def, rpError* error)
{
	if (!(def->fps > 0.0 && def->fps <= 1000.0))
	{
		return rpFail(error, rp_errorArgument, "a metric's rate must be above 0 and at most 1000 Hz, not %g", def->fps);
	}
	if (!(isfinite(def->evenness) && def->evenness >= 0.0f))
	{
		return rpFail(error, rp_errorArgument, "the pull to even weights must be a number that is not negative");
	}
	return (isfinite(def->velocityWeight) && def->velocityWeight >= 0.0f) ||
		   rpFail(error, rp_errorArgument, "the weight of velocities must be a number that is not negative");
}

static bool checkRows(const rpFitRows* rows, rpError* error)
{
	if (rows->count >= rows->termCount)
	{
		return true;
	}
	rpFail(error, rp_errorArgument, "%d examples do not determine %d weights; at least as many are needed", rows->count,
		   rows->termCount);
	rpError_SetHint(error, "mark more, or generate them: reprise metric examples LIB");
	return false;
}

// ---- the solution

static bool solve(const rpFitRows* rows, const rpFitDef* def, double velocityWeight, rpFitSolution* out, rpError* error)
{
	out->velocityWeight = velocityWeight;
	return rpFitRows_Solve(rows, def, -1, out, NULL, error);
}

// The residual need not have one minimum: all steps are tried, and the valley around the best is followed down.
static bool searchSteps(const rpFitRows* rows, const rpFitDef* def, rpFitSolution* solution, double* best, double* min,
						rpError* error)
{
	double ratio = pow(MAX_VELOCITY / MIN_VELOCITY, 1.0 / (VELOCITY_STEPS - 1));
	*min = (double)INFINITY;
	for (int step = -1; step < VELOCITY_STEPS; ++step)
	{
		double velocityWeight = step < 0 ? 0.0 : MIN_VELOCITY * pow(ratio, step);
		if (!solve(rows, def, velocityWeight, solution, error))
		{
			return false;
		}
		if (solution->residual < *min)
		{
			*min = solution->residual;
			*best = velocityWeight;
		}
	}
	return true;
}

static bool searchVelocity(const rpFitRows* rows, const rpFitDef* def, rpFitSolution* solution, rpError* error)
{
	double best = 0.0, min;
	if (!searchSteps(rows, def, solution, &best, &min, error))
	{
		return false;
	}
	double ratio = pow(MAX_VELOCITY / MIN_VELOCITY, 1.0 / (VELOCITY_STEPS - 1)), golden = 0.5 * (sqrt(5.0) - 1.0);
	double low = log(fmax(best, MIN_VELOCITY) / ratio), high = log(fmax(best, MIN_VELOCITY) * ratio);
	for (int step = 0; step < GOLDEN_STEPS && best > 0.0; ++step)
	{
		double inner[2] = {high - golden * (high - low), low + golden * (high - low)}, residuals[2];
		for (int k = 0; k < 2; ++k)
		{
			if (!solve(rows, def, exp(inner[k]), solution, error))
			{
				return false;
			}
			residuals[k] = solution->residual;
			best = residuals[k] < min ? exp(inner[k]) : best;
			min = fmin(residuals[k], min);
		}
		high = residuals[0] <= residuals[1] ? inner[1] : high;
		low = residuals[0] <= residuals[1] ? low : inner[0];
	}
	return solve(rows, def, best, solution, error);
}

// ---- what is reported

// Open is what the examples leave open, whatever even weights make of it: asked of the least squares of those that
// matter to the solution, alone.
static bool findOpen(const rpLeastSquares* plain, bool* isOpen, rpError* error)
{
	double* weights = rpAllocate((size_t)plain->count, sizeof(double), error);
	bool done = weights != NULL && rpSolveNonNegative(plain, weights, error) &&
				rpFindOpenWeights(plain, weights, isOpen, error);
	rpFree(weights);
	return done;
}

static bool isMoving(const rpFitRows* rows, int term, double velocityWeight)
{
	double sum = 0.0;
	for (int row = 0; row < rows->count; ++row)
	{
		size_t at = (size_t)row * (size_t)rows->termCount + (size_t)term;
		double value = rows->angles[at] + velocityWeight * rows->velocities[at];
		sum += value * value;
	}
	return sum > 1e-12 * rows->count;
}

static bool reportWeights(const rpFitRows* rows, const rpFitDef* def, rpFitSolution* solution, rpMetricFit* out,
						  rpError* error)
{
	rpLeastSquares plain = {0};
	bool* isOpen = rpAllocateZero((size_t)rows->termCount, sizeof(bool), error);
	bool done =
		isOpen != NULL && rpFitRows_Solve(rows, def, -1, solution, &plain, error) && findOpen(&plain, isOpen, error);
	for (int i = 0; i < rows->termCount && done; ++i)
	{
		out->terms[i].weight = (float)solution->weights[i];
		out->terms[i].isDetermined = !isOpen[i];
		out->terms[i].isMoving = isMoving(rows, i, solution->velocityWeight);
	}
	rpLeastSquares_Free(&plain);
	rpFree(isOpen);
	return done;
}

static double getSum(const rpFitRows* rows, int row, const rpMetricFit* fit)
{
	double sum = 0.0;
	size_t first = (size_t)row * (size_t)rows->termCount;
	for (int i = 0; i < rows->termCount; ++i)
	{
		sum += (double)fit->terms[i].weight *
			   (rows->angles[first + (size_t)i] + (double)fit->velocityWeight * rows->velocities[first + (size_t)i]);
	}
	return sum;
}

static void reportErrors(const rpFitRows* rows, bool isOneSided, rpMetricFit* out)
{
	double sum = 0.0;
	for (int row = 0; row < rows->count; ++row)
	{
		bool isBad = rows->wanted[row] > 0.5;
		double value = getSum(rows, row, out), error = value - rows->wanted[row];
		sum += isOneSided && isBad && error > 0.0 ? 0.0 : error * error;
		out->goodCount += !isBad;
		out->badCount += isBad;
		*(isBad ? &out->badMean : &out->goodMean) += value;
		out->misjudgedCount += (value > 0.5) != isBad;
	}
	out->residual = sqrt(sum / rows->count);
	out->goodMean /= out->goodCount;
	out->badMean /= out->badCount;
}

static bool checkWeights(const rpFitRows* rows, const rpFitSolution* solution, rpError* error)
{
	bool hasJoint = false;
	for (int i = 0; i < rows->termCount; ++i)
	{
		hasJoint |= rows->terms[i].kind == rp_fittedJoint && (float)solution->weights[i] > 0.0f;
	}
	if (hasJoint)
	{
		return true;
	}
	rpFail(error, rp_errorNoSolution, "no joint keeps a weight: the bad examples are as near as the good ones");
	rpError_SetHint(error, "look through the examples, and mark more");
	return false;
}

static bool fit(rpFitRows* rows, const rpFitDef* def, rpMetricFit* out, rpError* error)
{
	rpFitSolution solution = {.weights = rpAllocate((size_t)rows->termCount, sizeof(double), error)};
	bool done = solution.weights != NULL &&
				(def->searchVelocity ? searchVelocity(rows, def, &solution, error)
									 : solve(rows, def, (double)def->velocityWeight, &solution, error)) &&
				checkWeights(rows, &solution, error);
	if (done)
	{
		*out = (rpMetricFit){.terms = rows->terms,
							 .termCount = rows->termCount,
							 .fps = def->fps,
							 .velocityWeight = (float)solution.velocityWeight};
		done = reportWeights(rows, def, &solution, out, error);
		reportErrors(rows, def->isOneSided, out);
		rows->terms = NULL;
	}
	rpFree(solution.weights);
	return done;
}

bool rpFitMetric(const rpMotion* const* motions, const rpJoinExamples* examples, const rpFitDef* def, rpMetricFit* out,
				 rpError* error)
{
	RP_ASSERT(motions != NULL && examples != NULL && def != NULL && out != NULL);
	rpFitRows rows;
	*out = (rpMetricFit){0};
	if (!checkDef(def, error) || !checkCounts(examples, error) || !checkContradictions(examples, def->fps, error) ||
		!rpFitRows_Create(&rows, motions, examples, def, error))
	{
		return false;
	}
	bool done = checkRows(&rows, error) && fit(&rows, def, out, error);
	rpFitRows_Free(&rows);
	if (!done)
	{
		rpMetricFit_Free(out);
	}
	return done;
}

// ---- the metric

static int findJoint(const rpSkeleton* skeleton, const rpMetricTerm* term, int side)
{
	if (term->roles[side] != rp_roleNone)
	{
		return rpSkeleton_FindRole(skeleton, term->roles[side]);
	}
	for (int i = 1; term->joints[side][0] != 0 && i < skeleton->jointCount; ++i)
	{
		// Long names were cut.
		if (strncmp(skeleton->joints[i].name, term->joints[side], sizeof(term->joints[side]) - 1) == 0)
		{
			return i;
		}
	}
	return -1;
}

static void makeDef(const rpMetricFit* fit, bool isEven, const rpSkeleton* skeleton, float* jointWeights,
					rpMetricDef* out)
{
	*out = rpDefaultMetricDef();
	out->kind = rp_metricAngle;
	out->fps = fit->fps;
	out->jointWeights = jointWeights;
	out->velocityWeight = fit->velocityWeight;
	out->heightWeight = out->tiltWeight = out->travelWeight = 0.0f;
	memset(jointWeights, 0, (size_t)skeleton->jointCount * sizeof(float));
	for (int i = 0; i < fit->termCount; ++i)
	{
		const rpMetricTerm* term = &fit->terms[i];
		float weight = isEven ? rpGetEvenWeight(term->kind) : term->weight;
		float* weights[rp_fittedKindCount] = {[rp_fittedTilt] = &out->tiltWeight,
											  [rp_fittedHeight] = &out->heightWeight,
											  [rp_fittedTravel] = &out->travelWeight};
		for (int side = 0; side < 2 && term->kind == rp_fittedJoint; ++side)
		{
			int joint = findJoint(skeleton, term, side);
			if (joint > 0)
			{
				jointWeights[joint] = weight;
			}
		}
		if (term->kind != rp_fittedJoint)
		{
			*weights[term->kind] = weight;
		}
	}
}

void rpMetricFit_GetDef(const rpMetricFit* fit, const rpSkeleton* skeleton, float* jointWeights, rpMetricDef* out)
{
	makeDef(fit, false, skeleton, jointWeights, out);
}

void rpMetricFit_GetEvenDef(const rpMetricFit* fit, const rpSkeleton* skeleton, float* jointWeights, rpMetricDef* out)
{
	makeDef(fit, true, skeleton, jointWeights, out);
}
