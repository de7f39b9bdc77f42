/// How well a metric picks transitions, by the truth of the contacts: for every moment of one motion in which it steps,
/// where would one go over to the other, and is that the same moment of the gait cycle?
#include "analysis/landings.h"
#include "base/assert.h"
#include "base/memory.h"
#include "distance/metric.h"
#include "learn/step_clock.h"
#include "reprise/metric_fit.h"

#include <math.h>

// Picks that are farther off than this are seen, frames of 30 Hz.
#define LATE_SECONDS 0.1

/// The nearest frame of b for each frame of a, [rows].
typedef struct Nearest
{
	float* distances;
	int* columns;
	// Which frames of b may be picked: those in which it steps, but for its ends. [columns]
	bool* isOpen;
} Nearest;

static bool takeTile(const rpTile* tile, void* context)
{
	Nearest* nearest = context;
	for (int r = 0; r < tile->rowCount; ++r)
	{
		for (int c = 0; c < tile->columnCount; ++c)
		{
			float distance = tile->values[r * tile->stride + c];
			int row = tile->row + r, column = tile->column + c;
			if (nearest->isOpen[column] && (nearest->columns[row] < 0 || distance < nearest->distances[row]))
			{
				nearest->distances[row] = distance;
				nearest->columns[row] = column;
			}
		}
	}
	return true;
}

/// Two motions and their clocks.
typedef struct Pair
{
	const rpMotion *a, *b;
	rpStepClock aClock, bClock;
	double fps;
} Pair;

static bool isStepping(const rpStepClock* clock, double time)
{
	double phase, cycle;
	return rpStepClock_Read(clock, time, &phase, &cycle);
}

static bool findNearest(const rpMetric* metric, const Pair* pair, const rpProfile* a, const rpProfile* b, Nearest* out,
						rpError* error)
{
	rpGridDef def = rpDefaultGridDef();
	int margin = metric->halfWindow;
	out->distances = rpAllocate((size_t)a->frameCount, sizeof(float), error);
	out->columns = rpAllocate((size_t)a->frameCount, sizeof(int), error);
	out->isOpen = rpAllocate((size_t)b->frameCount, sizeof(bool), error);
	if (out->distances == NULL || out->columns == NULL || out->isOpen == NULL)
	{
		return false;
	}
	for (int i = 0; i < a->frameCount; ++i)
	{
		out->columns[i] = -1;
	}
	for (int j = 0; j < b->frameCount; ++j)
	{
		out->isOpen[j] = j >= margin && j < b->frameCount - margin && isStepping(&pair->bClock, j / pair->fps);
	}
	def.visit = takeTile;
	def.visitContext = out;
	return rpMetric_VisitGrid(metric, a, b, &def, error);
}

// Judge going over from frame i to frame j; false where one of them does not step.
static bool judge(const Pair* pair, int i, int j, double* frames, bool* isWrongFoot)
{
	double aTime = i / pair->fps, bTime = j / pair->fps, aPhase, bPhase, aCycle, bCycle;
	if (!rpStepClock_Read(&pair->aClock, aTime, &aPhase, &aCycle) ||
		!rpStepClock_Read(&pair->bClock, bTime, &bPhase, &bCycle))
	{
		return false;
	}
	unsigned aFeet = rpGetSupport(pair->a, aTime), bFeet = rpGetSupport(pair->b, bTime);
	*frames = rpGetPhaseDistance(aPhase, bPhase) * bCycle * pair->fps;
	// On one foot each, and not on the same.
	*isWrongFoot = aFeet + bFeet == 3 && aFeet != 0 && bFeet != 0;
	return true;
}

static void score(const Pair* pair, const Nearest* nearest, int margin, int rows, rpPickScore* out)
{
	int best = -1;
	for (int i = margin; i < rows - margin; ++i)
	{
		double frames;
		bool isWrong;
		if (nearest->columns[i] >= 0 && judge(pair, i, nearest->columns[i], &frames, &isWrong))
		{
			best = best < 0 || nearest->distances[i] < nearest->distances[best] ? i : best;
			++out->momentCount;
			out->phaseFrames += frames;
			out->lateCount += frames > LATE_SECONDS * pair->fps - 1e-9;
			out->wrongFootCount += isWrong;
		}
	}
	out->bestPhaseFrames = -1.0;
	if (best >= 0)
	{
		judge(pair, best, nearest->columns[best], &out->bestPhaseFrames, &out->isBestWrongFoot);
	}
}

bool rpScorePicks(const rpMetric* metric, const rpMotion* a, const rpMotion* b, rpPickScore* out, rpError* error)
{
	RP_ASSERT(metric != NULL && a != NULL && b != NULL && a != b && out != NULL);
	Pair pair = {.a = a, .b = b, .fps = metric->fps};
	Nearest nearest = {0};
	*out = (rpPickScore){0};
	rpProfile* aProfile = rpCreateProfile(metric, a, error);
	rpProfile* bProfile = aProfile != NULL ? rpCreateProfile(metric, b, error) : NULL;
	bool done = bProfile != NULL && rpStepClock_Create(&pair.aClock, a, error) &&
				rpStepClock_Create(&pair.bClock, b, error) &&
				findNearest(metric, &pair, aProfile, bProfile, &nearest, error);
	if (done)
	{
		score(&pair, &nearest, metric->halfWindow, aProfile->frameCount, out);
	}
	rpStepClock_Free(&pair.aClock);
	rpStepClock_Free(&pair.bClock);
	rpFree(nearest.distances);
	rpFree(nearest.columns);
	rpFree(nearest.isOpen);
	rpDestroyProfile(aProfile);
	rpDestroyProfile(bProfile);
	return done;
}
