/// The likeliest path through the stages of a foot: a hidden semi-Markov model, decoded as Viterbi does, in which each
/// stage has a min duration and each step from one to another a cost. Evidence is summed over time, so that prices are
/// seconds of evidence beyond doubt, and frame rates agree.
#include "analysis/stance_decode.h"

#include "base/memory.h"

// Steps that cannot be.
#define NEVER INFINITY

// In someone who walks backwards a foot moves backwards by this much, metres, within this time, seconds.
#define BACK_DISTANCE 0.15f
#define BACK_TIME 0.3

/// By stage: its min duration, seconds. Half of the shortest captured ones: swings of 0.16 s (dance steps of 120), flat
/// feet of 0.1 s (runners), rolls of one frame of 60 Hz.
static const double s_shortest[rp_stageCount] = {
	[rp_stageSwing] = 0.12, [rp_stageHeel] = 0.02, [rp_stageFlat] = 0.05,
	[rp_stageBall] = 0.05,  [rp_stageToe] = 0.02,  [rp_stageLastHeel] = 0.06,
};

/// From stage to stage: the price, seconds. What feet do all the time is free, what they seldom do must be seen for
/// longer.
static const double s_prices[rp_stageCount][rp_stageCount] = {
	[rp_stageSwing] = {0.0, 0.02, 0.02, 0.02, 0.06, NEVER}, [rp_stageHeel] = {0.1, 0.0, 0.0, 0.02, NEVER, NEVER},
	[rp_stageFlat] = {0.02, NEVER, 0.0, 0.0, 0.02, 0.06},   [rp_stageBall] = {0.0, NEVER, 0.02, 0.0, 0.0, NEVER},
	[rp_stageToe] = {0.0, NEVER, NEVER, 0.02, 0.0, NEVER},  [rp_stageLastHeel] = {0.0, NEVER, 0.04, NEVER, NEVER, 0.0},
};

/// By stage: what speaks against it all the time, as evidence. Feet roll over their heels, but nobody stands on them.
static const double s_burdens[rp_stageCount] = {[rp_stageHeel] = 1.0, [rp_stageLastHeel] = 1.0};

/// Which parts bear, by stage.
static const bool s_bears[rp_stageCount][rp_footPartCount] = {
	[rp_stageHeel] = {true, false, false},     [rp_stageFlat] = {true, true, true},
	[rp_stageBall] = {false, true, true},      [rp_stageToe] = {false, false, true},
	[rp_stageLastHeel] = {true, false, false},
};

/// What is known of a stage that lasts up to a frame.
typedef struct Node
{
	/// The evidence of the stage from the first frame to this one, and of the best path that ends with it here.
	double sum, best;

	/// What came before: the stage itself, if the frame before was of it and it had lasted long enough; else another,
	/// its min duration ago; -1 if nothing did.
	int before;
} Node;

/// All nodes, [frameCount][rp_stageCount].
typedef struct Lattice
{
	Node (*nodes)[rp_stageCount];
	int frameCount;

	/// Min frames of a stage.
	int shortest[rp_stageCount];
} Lattice;

bool rpStage_Bears(rpFootStage stage, int part)
{
	return s_bears[stage][part];
}

// Whether a foot is about to go backwards.
static bool goesBack(const rpFeet* feet, int side, int frame)
{
	const rpVec3* heels = feet->tracks[rpGetFootTrack(side, rp_footHeel)].smooth;
	rpVec3 ahead = rpSub(feet->tracks[rpGetFootTrack(side, rp_footBall)].smooth[frame], heels[frame]);
	int next = frame + (int)lround(BACK_TIME * feet->fps);
	rpVec3 displacement = rpSub(heels[next < feet->frameCount ? next : feet->frameCount - 1], heels[frame]);
	return displacement.x * ahead.x + displacement.z * ahead.z < -BACK_DISTANCE * hypotf(ahead.x, ahead.z);
}

// The evidence for a stage in a frame: each part bears, or does not.
static double judgeStage(const rpFootEvidence* evidence, const rpFeet* feet, int side, int stage, int frame)
{
	if (stage == rp_stageLastHeel && !goesBack(feet, side, frame))
	{
		return -rp_footPartCount * (double)RP_MAX_DOUBT;
	}
	double load = (double)evidence->loads[side][frame];
	double sum = (stage == rp_stageSwing ? -load : load) - s_burdens[stage];
	for (int part = 0; part < rp_footPartCount; ++part)
	{
		double own = (double)evidence->points[side][part][frame];
		sum += s_bears[stage][part] ? own : -own;
	}
	return sum;
}

static void sumEvidence(const rpFootEvidence* evidence, const rpFeet* feet, int side, Lattice* lattice)
{
	for (int stage = 0; stage < rp_stageCount; ++stage)
	{
		double sum = 0.0;
		for (int f = 0; f < lattice->frameCount; ++f)
		{
			sum += judgeStage(evidence, feet, side, stage, f) / feet->fps;
			lattice->nodes[f][stage].sum = sum;
		}
		lattice->shortest[stage] = (int)fmax(lround(s_shortest[stage] * feet->fps), 1.0);
	}
}

// Motions may begin within any stage, and the last one before their end may be cut short: `length` frames of it.
static Node enter(const Lattice* lattice, int frame, int stage, int length)
{
	Node node = lattice->nodes[frame][stage];
	int from = frame - length;
	node.best = from < 0 ? node.sum : -INFINITY;
	node.before = -1;
	for (int other = 0; from >= 0 && other < rp_stageCount; ++other)
	{
		const Node* last = lattice->nodes[from] + other;
		double best = last->best - s_prices[other][stage] + node.sum - lattice->nodes[from][stage].sum;
		if (other != stage && best > node.best)
		{
			node.best = best;
			node.before = other;
		}
	}
	return node;
}

static void fillNode(Lattice* lattice, int frame, int stage)
{
	Node node = enter(lattice, frame, stage, lattice->shortest[stage]);
	if (frame > 0)
	{
		const Node* last = lattice->nodes[frame - 1] + stage;
		double stay = last->best + node.sum - last->sum;
		node.before = stay >= node.best ? stage : node.before;
		node.best = fmax(node.best, stay);
	}
	lattice->nodes[frame][stage] = node;
}

// The best end: of a stage that has lasted, or of one that the motion's end cuts short after `length` frames.
static int findEnd(const Lattice* lattice, int* length, int* before)
{
	int last = lattice->frameCount - 1, found = 0;
	double best = -INFINITY;
	for (int stage = 0; stage < rp_stageCount; ++stage)
	{
		for (int k = 1; k <= lattice->shortest[stage] && k <= last; ++k)
		{
			Node cut = k < lattice->shortest[stage] ? enter(lattice, last, stage, k) : lattice->nodes[last][stage];
			if (cut.best > best)
			{
				best = cut.best;
				found = stage;
				*length = k;
				*before = cut.before;
			}
		}
	}
	return found;
}

static void trace(const Lattice* lattice, unsigned char* stages)
{
	int frame = lattice->frameCount - 1, length = 1, before = -1, stage = findEnd(lattice, &length, &before);
	while (frame >= 0)
	{
		bool stays = before == stage;
		int count = stays ? 1 : before < 0 ? frame + 1 : length;
		for (int k = 0; k < count; ++k)
		{
			stages[frame--] = (unsigned char)stage;
		}
		if (frame >= 0)
		{
			stage = before;
			before = lattice->nodes[frame][stage].before;
			length = lattice->shortest[stage];
		}
	}
}

bool rpDecodeStances(const rpFootEvidence* evidence, const rpFeet* feet, int side, unsigned char* stages,
					 rpError* error)
{
	Lattice lattice = {.frameCount = feet->frameCount};
	lattice.nodes = rpAllocate((size_t)feet->frameCount, sizeof(lattice.nodes[0]), error);
	if (lattice.nodes == NULL)
	{
		return false;
	}
	sumEvidence(evidence, feet, side, &lattice);
	for (int f = 0; f < lattice.frameCount; ++f)
	{
		for (int stage = 0; stage < rp_stageCount; ++stage)
		{
			fillNode(&lattice, f, stage);
		}
	}
	trace(&lattice, stages);
	rpFree(lattice.nodes);
	return true;
}
