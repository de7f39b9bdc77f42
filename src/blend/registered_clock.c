/// The clock of a blend: which moment of each motion is shown when.
///
/// Plain: time advances by the weighted mean of the motions' steps along the registration curve (Kovar & Gleicher
/// 2003). Physical: a phase lasts T = sqrt(sum of w T²), so that gravity and the ground's forces come out right
/// (Safonova & Hodgins 2005, eq. 5.7); inside a flight time is linear. Between knots a motion's time is a monotone
/// cubic of the result's (Fritsch & Butland 1984); where a flight meets a stance the stance takes over the flight's
/// speed, so that velocities do not jump there.
#include "base/error.h"
#include "base/memory.h"
#include "blend/registered_blend.h"
#include "motion/draft.h"

#include <string.h>

// Knots of the plain scheme while weights change, seconds.
#define KNOT_SPACING 0.1

// Slopes of a cubic up to three times its chord keep it monotone.
#define STEEPEST 3.0

// ---- weights

// Which keys of the weights a fraction of the registered stretch lies between, and where.
static int findWeights(const rpBlendDef* def, double fraction, double* t)
{
	int low = 0;
	*t = 0.0;
	if (def->weightKeys == NULL || def->weightKeyCount < 2)
	{
		return 0;
	}
	while (low + 2 < def->weightKeyCount && (double)def->weightKeys[low + 1] <= fraction)
	{
		++low;
	}
	double from = (double)def->weightKeys[low], to = (double)def->weightKeys[low + 1];
	*t = fmin(fmax((fraction - from) / (to - from), 0.0), 1.0);
	return low;
}

// Weights asked for at a fraction of the registered stretch.
static void getWantedWeights(const rpBlendWork* work, double fraction, double* out)
{
	const rpBlendDef* def = work->def;
	double t, sum = 0.0;
	int count = work->motionCount, low = findWeights(def, fraction, &t), high = t > 0.0 ? low + 1 : low;
	for (int i = 0; i < count; ++i)
	{
		double a = def->weights != NULL ? (double)def->weights[low * count + i] : 1.0;
		double b = def->weights != NULL ? (double)def->weights[high * count + i] : 1.0;
		out[i] = a + t * (b - a);
		sum += out[i];
	}
	for (int i = 0; i < count; ++i)
	{
		out[i] /= sum;
	}
}

static double getFraction(const rpBlendWork* work, double referenceSeconds)
{
	const rpRegistration* r = work->registration;
	return (referenceSeconds - r->times[0]) / (r->times[r->keyCount - 1] - r->times[0]);
}

static const double* getPhaseWeights(const rpBlendWork* work, int phase)
{
	return work->phaseWeights + (ptrdiff_t)phase * work->motionCount;
}

// The weight of a motion where a phase begins: that of the flight if one side is one.
static double getBorderWeight(const rpBlendWork* work, int phase, int motion)
{
	int before = phase > 0 ? phase - 1 : phase, after = phase < work->phaseCount ? phase : phase - 1;
	double a = getPhaseWeights(work, before)[motion], b = getPhaseWeights(work, after)[motion];
	return work->phases[before].isFlight ? a : work->phases[after].isFlight ? b : 0.5 * (a + b);
}

void rpBlendWork_GetWeights(const rpBlendWork* work, double seconds, double* out)
{
	int phase = rpBlendWork_FindPhase(work, seconds);
	if (phase < 0)
	{
		getWantedWeights(work, getFraction(work, rpBlendWork_GetTime(work, 0, seconds)), out);
		return;
	}
	const rpBlendPhase* p = work->phases + phase;
	double s = rpSmoothstep((seconds - p->start) / (p->end - p->start));
	for (int i = 0; i < work->motionCount; ++i)
	{
		double from = getBorderWeight(work, phase, i), to = getBorderWeight(work, phase + 1, i);
		out[i] = p->isFlight ? getPhaseWeights(work, phase)[i] : from + s * (to - from);
	}
}

// ---- knots

static double getKeyTime(const rpBlendWork* work, int motion, int key)
{
	return work->registration->times[(ptrdiff_t)motion * work->registration->keyCount + key];
}

static double* getKnotTime(const rpBlendWork* work, int motion, int knot)
{
	return work->times + (ptrdiff_t)motion * work->knotCount + knot;
}

// Knots between a key and the next in the plain scheme, the next not counted.
static int countPieces(const rpBlendWork* work, int key)
{
	double span = getKeyTime(work, 0, key + 1) - getKeyTime(work, 0, key);
	return work->def->weightKeys != NULL ? (int)fmin(ceil(span / KNOT_SPACING), 1e6) : 1;
}

static bool isInsideFlight(const rpBlendWork* work, int key)
{
	for (int i = 0; i < work->phaseCount; ++i)
	{
		const rpStage* stage = work->registration->stages + i;
		if (work->phases[i].isFlight && key > stage->firstKey && key < stage->lastKey)
		{
			return true;
		}
	}
	return false;
}

static int countKnots(const rpBlendWork* work)
{
	int count = 1;
	for (int key = 0; key + 1 < work->registration->keyCount; ++key)
	{
		count += work->isPhysical ? !isInsideFlight(work, key + 1) : countPieces(work, key);
	}
	return count;
}

static bool allocateKnots(rpBlendWork* work, rpError* error)
{
	work->knotCount = countKnots(work);
	size_t count = (size_t)work->knotCount * (size_t)work->motionCount;
	work->knots = rpAllocateZero((size_t)work->knotCount, sizeof(double), error);
	work->times = rpAllocateZero(count, sizeof(double), error);
	work->slopes = rpAllocateZero(2 * count, sizeof(double), error);
	return work->knots != NULL && work->times != NULL && work->slopes != NULL;
}

static void setKeyKnot(rpBlendWork* work, int knot, int key)
{
	for (int i = 0; i < work->motionCount; ++i)
	{
		*getKnotTime(work, i, knot) = getKeyTime(work, i, key);
	}
}

// The result's time from one knot to the next, by weights.
static double getStep(const rpBlendWork* work, int knot, const double* weights)
{
	double step = 0.0;
	for (int i = 0; i < work->motionCount; ++i)
	{
		step += weights[i] * (*getKnotTime(work, i, knot + 1) - *getKnotTime(work, i, knot));
	}
	return step;
}

static void setPlainKnots(rpBlendWork* work)
{
	const rpRegistration* r = work->registration;
	int knot = 0;
	for (int key = 0; key + 1 < r->keyCount; ++key)
	{
		int pieceCount = countPieces(work, key);
		double first = getKeyTime(work, 0, key), span = getKeyTime(work, 0, key + 1) - first;
		setKeyKnot(work, knot++, key);
		for (int piece = 1; piece < pieceCount; ++piece, ++knot)
		{
			double seconds = first + span * piece / pieceCount;
			for (int i = 0; i < work->motionCount; ++i)
			{
				*getKnotTime(work, i, knot) = rpRegistration_GetTime(r, i, seconds);
			}
		}
	}
	setKeyKnot(work, knot, r->keyCount - 1);
	for (int i = 0; i + 1 < work->knotCount; ++i)
	{
		double middle = 0.5 * (*getKnotTime(work, 0, i) + *getKnotTime(work, 0, i + 1));
		getWantedWeights(work, getFraction(work, middle), work->scratch);
		work->knots[i + 1] = work->knots[i] + getStep(work, i, work->scratch);
	}
}

// ---- phases

// Whether an effector is in contact, or any with rp_effectorCount.
static bool isInContact(const rpMotion* motion, rpEffector effector, double seconds)
{
	for (int i = 0; i < motion->annotations.intervalCount; ++i)
	{
		const rpInterval* interval = motion->annotations.intervals + i;
		if (interval->track == rp_trackContact && interval->start <= seconds && seconds < interval->end &&
			(effector == rp_effectorCount || effector == interval->effector))
		{
			return true;
		}
	}
	return false;
}

bool rpBlendWork_IsResting(const rpBlendWork* work, rpEffector effector, double seconds)
{
	bool rests = true;
	for (int i = 0; rests && i < work->motionCount; ++i)
	{
		// Ends of contacts are knots of the clock, where rounding decides on which side a moment is.
		double time = rpBlendWork_GetTime(work, i, seconds) + RP_SAME_MOMENT;
		bool counts = work->def->weights == NULL || work->def->weightKeys != NULL || work->def->weights[i] > 0.0f;
		rests = !counts || isInContact(work->registration->motions[i], effector, time);
	}
	return rests;
}

static bool isFlight(const rpBlendWork* work, const rpStage* stage)
{
	bool isFree = stage->contacts == 0;
	for (int i = 0; isFree && i < work->motionCount; ++i)
	{
		double middle = 0.5 * (getKeyTime(work, i, stage->firstKey) + getKeyTime(work, i, stage->lastKey));
		// Hands, seat and toes keep a body from flying as well.
		isFree = !isInContact(work->registration->motions[i], rp_effectorCount, middle);
	}
	return isFree;
}

static bool setPhases(rpBlendWork* work, rpError* error)
{
	const rpRegistration* r = work->registration;
	work->phaseCount = r->stageCount;
	work->phases = rpAllocateZero((size_t)r->stageCount, sizeof(rpBlendPhase), error);
	work->phaseWeights = rpAllocateZero((size_t)r->stageCount * (size_t)work->motionCount, sizeof(double), error);
	if (work->phases == NULL || work->phaseWeights == NULL)
	{
		return false;
	}
	for (int i = 0; i < r->stageCount; ++i)
	{
		const rpStage* stage = r->stages + i;
		double middle = 0.5 * (getKeyTime(work, 0, stage->firstKey) + getKeyTime(work, 0, stage->lastKey));
		work->phases[i].contacts = stage->contacts;
		work->phases[i].isFlight = isFlight(work, stage);
		getWantedWeights(work, getFraction(work, middle), work->phaseWeights + (ptrdiff_t)i * work->motionCount);
	}
	return true;
}

// By how much a phase lasts longer than the mean of the motions' says.
static double getStretch(const rpBlendWork* work, int phase)
{
	const rpStage* stage = work->registration->stages + phase;
	const double* weights = getPhaseWeights(work, phase);
	double squares = 0.0, mean = 0.0;
	for (int i = 0; i < work->motionCount; ++i)
	{
		double span = getKeyTime(work, i, stage->lastKey) - getKeyTime(work, i, stage->firstKey);
		squares += weights[i] * span * span;
		mean += weights[i] * span;
	}
	return sqrt(squares) / mean;
}

static void setPhysicalKnots(rpBlendWork* work)
{
	int knot = 0;
	setKeyKnot(work, 0, 0);
	for (int phase = 0; phase < work->phaseCount; ++phase)
	{
		const rpStage* stage = work->registration->stages + phase;
		double stretch = getStretch(work, phase);
		work->phases[phase].start = work->knots[knot];
		for (int key = stage->firstKey + 1; key <= stage->lastKey; ++key)
		{
			if (!work->phases[phase].isFlight || key == stage->lastKey)
			{
				setKeyKnot(work, knot + 1, key);
				work->knots[knot + 1] = work->knots[knot] + stretch * getStep(work, knot, getPhaseWeights(work, phase));
				++knot;
			}
		}
		work->phases[phase].end = work->knots[knot];
	}
}

// ---- slopes

static double getChord(const rpBlendWork* work, int motion, int knot)
{
	return (*getKnotTime(work, motion, knot + 1) - *getKnotTime(work, motion, knot)) /
		   (work->knots[knot + 1] - work->knots[knot]);
}

static bool isPieceOfFlight(const rpBlendWork* work, int knot)
{
	int phase = rpBlendWork_FindPhase(work, 0.5 * (work->knots[knot] + work->knots[knot + 1]));
	return phase >= 0 && work->phases[phase].isFlight;
}

// At an end: the parabola through the three nearest knots, as far as the cubic stays monotone.
static double getEndSlope(double chord, double nextChord, double width, double nextWidth)
{
	double slope = ((2.0 * width + nextWidth) * chord - width * nextChord) / (width + nextWidth);
	return fmin(fmax(slope, chord / STEEPEST), STEEPEST * chord);
}

static double chooseSlope(const rpBlendWork* work, int motion, int knot)
{
	int last = work->knotCount - 1;
	const double* x = work->knots;
	if (knot == 0 || knot == last)
	{
		int piece = knot == 0 ? 0 : last - 1, next = knot == 0 ? 1 : last - 2;
		return last == 1 ? getChord(work, motion, 0)
						 : getEndSlope(getChord(work, motion, piece), getChord(work, motion, next),
									   x[piece + 1] - x[piece], x[next + 1] - x[next]);
	}
	double chordBefore = getChord(work, motion, knot - 1), chordAfter = getChord(work, motion, knot);
	if (isPieceOfFlight(work, knot - 1))
	{
		return chordBefore;
	}
	if (isPieceOfFlight(work, knot))
	{
		return chordAfter;
	}
	double before = x[knot] - x[knot - 1], after = x[knot + 1] - x[knot];
	double weightBefore = 2.0 * after + before, weightAfter = after + 2.0 * before;
	return (weightBefore + weightAfter) / (weightBefore / chordBefore + weightAfter / chordAfter);
}

static void setSlopes(rpBlendWork* work)
{
	for (int i = 0; i < work->motionCount; ++i)
	{
		for (int knot = 0; knot + 1 < work->knotCount; ++knot)
		{
			double* slopes = work->slopes + 2 * ((ptrdiff_t)i * work->knotCount + knot);
			double chord = getChord(work, i, knot);
			bool isStraight = isPieceOfFlight(work, knot);
			slopes[0] = isStraight ? chord : fmin(chooseSlope(work, i, knot), STEEPEST * chord);
			slopes[1] = isStraight ? chord : fmin(chooseSlope(work, i, knot + 1), STEEPEST * chord);
		}
	}
}

// ---- reading the clock

static int findPiece(const double* values, int count, double value)
{
	int low = 0, high = count - 1;
	while (high - low > 1)
	{
		int middle = low + (high - low) / 2;
		*(values[middle] <= value ? &low : &high) = middle;
	}
	return low;
}

int rpBlendWork_FindPhase(const rpBlendWork* work, double seconds)
{
	int phase = work->phaseCount - 1;
	while (phase > 0 && work->phases[phase].start > seconds)
	{
		--phase;
	}
	return phase;
}

static double getPieceTime(const rpBlendWork* work, int motion, int knot, double seconds)
{
	const double* slopes = work->slopes + 2 * ((ptrdiff_t)motion * work->knotCount + knot);
	double start = *getKnotTime(work, motion, knot), rise = *getKnotTime(work, motion, knot + 1) - start;
	double width = work->knots[knot + 1] - work->knots[knot];
	double s = fmin(fmax((seconds - work->knots[knot]) / width, 0.0), 1.0);
	double a = slopes[0] * width, b = slopes[1] * width;
	return start + s * (a + s * (3.0 * rise - 2.0 * a - b + s * (a + b - 2.0 * rise)));
}

double rpBlendWork_GetTime(const rpBlendWork* work, int motion, double seconds)
{
	return getPieceTime(work, motion, findPiece(work->knots, work->knotCount, seconds), seconds);
}

double rpBlendWork_FindTime(const rpBlendWork* work, int motion, double motionSeconds)
{
	int knot = findPiece(getKnotTime(work, motion, 0), work->knotCount, motionSeconds);
	double low = work->knots[knot], high = work->knots[knot + 1];
	// Bisection to the last bit; the cubic is monotone.
	for (double middle = 0.5 * (low + high); middle > low && middle < high; middle = 0.5 * (low + high))
	{
		*(getPieceTime(work, motion, knot, middle) < motionSeconds ? &low : &high) = middle;
	}
	return high;
}

double rpBlendWork_GetSlope(const rpBlendWork* work, int motion, int knot, bool before)
{
	return work->slopes[2 * ((ptrdiff_t)motion * work->knotCount + knot - before) + before];
}

static bool setFrames(rpBlendWork* work, rpError* error)
{
	double frames = floor(work->knots[work->knotCount - 1] * work->fps + RP_FRAME_SLACK) + 1.0;
	if (!(frames <= RP_MAX_FRAMES))
	{
		return rpFail(error, rp_errorLimit, "the blend would have %.0f frames; at most %d are allowed", frames,
					  RP_MAX_FRAMES);
	}
	work->frameCount = (int)frames;
	size_t count = (size_t)work->frameCount * (size_t)work->motionCount;
	work->frameTimes = rpAllocate(count, sizeof(double), error);
	work->frameWeights = rpAllocate(count, sizeof(double), error);
	if (work->frameTimes == NULL || work->frameWeights == NULL)
	{
		return false;
	}
	for (int frame = 0; frame < work->frameCount; ++frame)
	{
		size_t first = (size_t)frame * (size_t)work->motionCount;
		for (int i = 0; i < work->motionCount; ++i)
		{
			work->frameTimes[first + (size_t)i] = rpBlendWork_GetTime(work, i, frame / work->fps);
		}
		rpBlendWork_GetWeights(work, frame / work->fps, work->frameWeights + first);
	}
	return true;
}

bool rpBlendWork_SetClock(rpBlendWork* work, rpError* error)
{
	if ((work->isPhysical && !setPhases(work, error)) || !allocateKnots(work, error))
	{
		return false;
	}
	(work->isPhysical ? setPhysicalKnots : setPlainKnots)(work);
	setSlopes(work);
	return setFrames(work, error);
}
