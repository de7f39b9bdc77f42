/// Weights of the angle metric, fitted from examples of good and bad transitions; and how good the transitions are that
/// a metric picks. After J. Wang's thesis, chapter IV (Wang & Bodenheimer 2003).
///
/// An example is a pair of moments and whether going over from one to the other looks well. The fit wants the squared
/// distance of good ones to be 0 and of bad ones 1 at least, so that 0.5 lies between them whatever the body.
#pragma once

#include "reprise/metric.h"

#ifdef __cplusplus
extern "C"
{
#endif

/// Two moments, and whether one could go over from the first to the second.
typedef struct rpJoinExample
{
	/// Indices of the clips, and seconds from their starts.
	int a, b;
	double aTime, bTime;
	bool isGood;

	/// Line of the file it was read from, and the columns of clip, time, clip, time in it, counted from 1; 0: of none.
	int line, columns[4];
} rpJoinExample;

/// Examples and the names of the clips they are of. Owned by the caller; zero-initialised is empty.
typedef struct rpJoinExamples
{
	char** clips;
	int clipCount, clipCapacity;
	rpJoinExample* items;
	int count, capacity;
} rpJoinExamples;

RP_API void rpJoinExamples_Free(rpJoinExamples* examples);

/// Read a table: lines "clip A, seconds, clip B, seconds, good|bad". Names may stand in quotation marks; empty lines,
/// those that start with # and a line of names at the top are passed over. A line that cannot be read, and one that
/// contradicts an earlier one (the same moments within half a frame of 30 Hz, one good, one bad), is an error with
/// line and column. error may be NULL.
RP_API RP_NODISCARD bool rpJoinExamples_Parse(rpJoinExamples* examples, const char* text, size_t size, rpError* error);

/// As a table that rpJoinExamples_Parse reads; free with rpFreeText.
RP_API RP_NODISCARD char* rpJoinExamples_Format(const rpJoinExamples* examples, rpError* error);

/// How to generate examples where nobody has marked any. Must come from rpDefaultJoinExampleDef().
typedef struct rpJoinExampleDef
{
	/// How many, 16 and 26 as in the thesis; they are spread evenly over the labels of the motions.
	int goodCount, badCount;

	/// Which ones.
	uint64_t seed;

	/// Frames per second that moments lie on, 30.
	double fps;
} rpJoinExampleDef;

RP_API rpJoinExampleDef rpDefaultJoinExampleDef(void);

/// Generate examples from motions of one skeleton whose contacts say the truth (those of performed motions do; detect
/// them in captured ones first). Good: one frame left out of continuous motion; and the same moment of the gait cycle
/// with the same feet on the ground in another cycle, of the same motion, of another with the same label, or of another
/// gait. Bad: another moment of the cycle, the same moment of the other foot's, and near misses, 3 to 8 frames beside a
/// good one with the same feet on the ground. Where a motion has no steps, its bad ones are near misses and leaps
/// within it that move a part of the body by 10 cm at least. The clips are named as the motions are. error may be NULL.
/// False with rp_errorNoSolution where the motions do not hold so many.
RP_API RP_NODISCARD bool rpJoinExamples_Generate(rpJoinExamples* examples, const rpMotion* const* motions, int count,
												 const rpJoinExampleDef* def, rpError* error);

/// What a fitted weight belongs to.
typedef enum rpFittedKind
{
	/// A joint, or one and its counterpart on the other side: 1/rad².
	rp_fittedJoint,
	/// The root's orientation without heading, 1/rad².
	rp_fittedTilt,
	/// The root's height, 1/m², and its velocity as seen from where it faces, s²/m².
	rp_fittedHeight,
	rp_fittedTravel,
	rp_fittedKindCount,
} rpFittedKind;

/// A weight and what it belongs to.
typedef struct rpMetricTerm
{
	rpFittedKind kind;

	/// For people: "knee" for both knees, "tilt".
	char name[64];

	/// Joints only: the joint's role and name; the second is its counterpart's, rp_roleNone and empty on the midline.
	rpRole roles[2];
	char joints[2][64];

	float weight;

	/// False: the examples leave the weight open, and it is drawn to an even one alone. What is wrong with it is known
	/// too: the joint does not move in them, or another weight does as well.
	bool isDetermined;
	bool isMoving;
} rpMetricTerm;

/// How to fit. Must come from rpDefaultFitDef().
typedef struct rpFitDef
{
	/// Frames per second that motions are compared at, 30.
	double fps;

	/// nu, s², as in rpMetricDef: 0.004, with which picks were best where the truth is known (docs/transitions.md);
	/// Wang's is 1/900. searchVelocity: search it, for the smallest residual.
	float velocityWeight;
	bool searchVelocity;

	/// A weight for every joint; false (the default): for those with a role in the body, which other bodies have too.
	bool everyJoint;

	/// Weights for the root's height and travel too. False (the default): they do not count, as in the thesis.
	bool root;

	/// A bad example that costs more than 1 is no error (the default). False: it shall cost 1, as in the thesis; then
	/// the worst ones, which any weights recognize, keep down the weights of those joints that show them best.
	bool isOneSided;

	/// How strongly weights are drawn to even ones, where the examples say little: a share of what the joint that
	/// moves most weighs in them, 0.02. 0: not at all, as in the thesis.
	float evenness;
} rpFitDef;

/// A metric that was fitted. Free with rpMetricFit_Free.
typedef struct rpMetricFit
{
	rpMetricTerm* terms;
	int termCount;
	double fps;
	float velocityWeight;
	int goodCount, badCount;

	/// Root mean square of the squared distances' error; their means over good and bad ones, wanted 0 and 1 (at least);
	/// examples on the wrong side of 0.5.
	double residual;
	double goodMean, badMean;
	int misjudgedCount;
} rpMetricFit;

RP_API rpFitDef rpDefaultFitDef(void);

/// Fit weights to examples (eq. IV.5): not negative, equal on both sides of the body. motions are those of
/// examples->clips, in their order, of one skeleton. error may be NULL. False when a time lies outside its motion, when
/// good or bad examples are missing, when there are fewer examples than weights, when two contradict each other, when
/// all weights vanish, or when memory ran out; the error names the example by its line, or by its number.
RP_API RP_NODISCARD bool rpFitMetric(const rpMotion* const* motions, const rpJoinExamples* examples,
									 const rpFitDef* def, rpMetricFit* out, rpError* error);
RP_API void rpMetricFit_Free(rpMetricFit* fit);

/// The definition of the metric for a skeleton, which need not be the one it was fitted on: joints are found by role,
/// those without one by name. jointWeights is [jointCount], and out points at it.
RP_API void rpMetricFit_GetDef(const rpMetricFit* fit, const rpSkeleton* skeleton, float* jointWeights,
							   rpMetricDef* out);

/// The same terms and velocities with even weights (1; 0.1 for the root's travel): what fitted weights are measured
/// against.
RP_API void rpMetricFit_GetEvenDef(const rpMetricFit* fit, const rpSkeleton* skeleton, float* jointWeights,
								   rpMetricDef* out);

/// Leave-one-out cross-validation (section IV.3).
typedef struct rpMetricTrial
{
	/// Examples, each left out in turn.
	int caseCount;

	/// How far the best transition between the example's two clips moves when the weights are fitted without it: the
	/// greater of both clips' shifts, frames, mean and median; and how often it does not move. Between clips that
	/// repeat themselves it may go over to another cycle.
	double shiftMean, shiftMedian;
	int sameCount;

	/// How far it then is from the nearest transition that is as good: whose distance by the weights of all examples
	/// is at most 5 % more than that of the best one, as another cycle's is. And how much more its own is than that of
	/// the best one, on the mean, as a share.
	double tiedShiftMean, tiedShiftMedian;
	int tiedSameCount;
	double regretMean;

	/// The same of the best transition within half a second of the example's moments; not of those within one clip that
	/// are nearer than that to each other.
	int nearCaseCount;
	double nearShiftMean, nearShiftMedian;
	int nearSameCount;

	/// Left-out examples on the wrong side of 0.5.
	int misjudgedCount;

	/// The same of the best transition between two motions that no example is of; caseCount 0 without such.
	int unseenCaseCount;
	double unseenShiftMean, unseenShiftMedian;
	int unseenSameCount;
} rpMetricTrial;

/// Cross-validate a fit. unseenA and unseenB may be NULL (both); they may be one motion. error may be NULL.
RP_API RP_NODISCARD bool rpMetricFit_Validate(const rpMetricFit* fit, const rpMotion* const* motions,
											  const rpJoinExamples* examples, const rpFitDef* def,
											  const rpMotion* unseenA, const rpMotion* unseenB, rpMetricTrial* out,
											  rpError* error);

/// The best transition from one motion to another: the smallest of all local minima of the grid. error may be NULL.
/// False with rp_errorNoSolution where the motions are too short to have one.
RP_API RP_NODISCARD bool rpMetric_FindBest(const rpMetric* metric, const rpProfile* a, const rpProfile* b,
										   rpMinimum* out, rpError* error);

/// How well a metric picks transitions between two motions, by the truth of their contacts.
typedef struct rpPickScore
{
	/// Moments of the first motion that were asked about, each frame in which it steps, but for the ends: where would
	/// one go over to the second?
	int momentCount;

	/// How far the pick is from the same moment of the gait cycle, frames of the metric: sum, and how many are off by
	/// three frames and more, and picks that stand on the other foot.
	double phaseFrames;
	int lateCount, wrongFootCount;

	/// The best transition of all: how far off, frames (negative: it has no steps there), and whether on the wrong
	/// foot.
	double bestPhaseFrames;
	bool isBestWrongFoot;
} rpPickScore;

/// Score the picks of a metric. a and b must not be the same motion, and have contacts. error may be NULL. False when
/// memory ran out; momentCount is 0 where one of them has no steps.
RP_API RP_NODISCARD bool rpScorePicks(const rpMetric* metric, const rpMotion* a, const rpMotion* b, rpPickScore* out,
									  rpError* error);

/// A difference, and the bounds that 95 % of its likely values lie between.
typedef struct rpPickDifference
{
	double value, low, high;
} rpPickDifference;

/// How the picks of two metrics differ: the first one's figure minus the second one's, and so below 0 where the first
/// picks better. Frames off on the mean, shares of the moments, and frames that the best transition of a pair is off.
typedef struct rpPickComparison
{
	rpPickDifference frames, lateShare, wrongFootShare, bestFrames;
} rpPickComparison;

/// Compare scores of two metrics on the same clips, [clipCount * clipCount] each, that of going from clip a to clip b
/// at a * clipCount + b; those of a clip with itself are not read. The bounds come from 2000 draws of as many clips,
/// with replacement (the bootstrap), since moments of one clip are alike. error may be NULL.
RP_API RP_NODISCARD bool rpComparePicks(const rpPickScore* first, const rpPickScore* second, int clipCount,
										rpPickComparison* out, rpError* error);

#ifdef __cplusplus
}
#endif
