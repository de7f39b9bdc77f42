/// Blending movements of one kind: incremental time warping by their key times (Park, Shin & Shin 2004), their ground
/// frames' velocities blended and added up, and what rests by majority.
///
/// Between two key times all times of takes run along cubics whose coefficients are the same for all shares, so that
/// they are computed once.
#include "live/movement_plan.h"

#include "blend/clip.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Pieces per second of a plan's path.
#define STEP_RATE 60.0

// Phases that are shorter last this long, seconds: nothing is divided by nothing.
#define SHORTEST_PHASE 1e-4

// What rests at an end of a movement rests for so long beyond it, seconds: seams and time beyond its end are shorter.
#define BEYOND 1.0f

enum
{
	/// Effectors that are asked for what rests.
	effectorBits = rp_effectorCount,
	minSteps = 4,
};

double rpMovementPlan_GetDuration(const rpMovementPlan* plan)
{
	return rpSpan_GetDuration(&plan->span);
}

rpGroundTransform rpMovementPlan_GetEnd(const rpMovementPlan* plan)
{
	return rpGroundPath_Get(&plan->span.path, rpMovementPlan_GetDuration(plan));
}

// ---- times

// Durations of phases are means, by weight.
static void setKeytimes(rpMovementPlan* plan, const rpLocomotion* graph, const rpNeighbour* neighbours, int count)
{
	rpSpan* span = &plan->span;
	span->keyCount = graph->movements[neighbours[0].movement].keytimeCount;
	span->keys[0] = 0.0;
	for (int k = 1; k < span->keyCount; ++k)
	{
		double length = 0.0;
		for (int i = 0; i < count; ++i)
		{
			const double* times = graph->movements[neighbours[i].movement].keytimes;
			length += (double)neighbours[i].weight * (times[k] - times[k - 1]);
		}
		span->keys[k] = span->keys[k - 1] + fmax(length, SHORTEST_PHASE);
	}
}

static double getPace(const rpSpan* span, const rpSpanShare* share, int phase)
{
	return (share->times[phase + 1] - share->times[phase]) / (span->keys[phase + 1] - span->keys[phase]);
}

// At key times the harmonic mean of the paces around, which keeps time from running backwards (Fritsch & Carlson 1980).
static void setRates(const rpSpan* span, rpSpanShare* share)
{
	int last = span->keyCount - 1;
	double before = getPace(span, share, 0);
	share->rates[0] = before;
	for (int k = 1; k < last; ++k)
	{
		double after = getPace(span, share, k);
		share->rates[k] = before > 0.0 && after > 0.0 ? 2.0 * before * after / (before + after) : 0.0;
		before = after;
	}
	share->rates[last] = before;
}

static void setWeight(rpSpanShare* share, float weight)
{
	for (int k = 0; k < rp_maxSpanKeys; ++k)
	{
		share->weights[k] = weight;
	}
}

static void setShare(rpMovementPlan* plan, const rpGaitModel* model, const rpNeighbour* neighbour, int index)
{
	const rpMovement* movement = &model->graph->movements[neighbour->movement];
	rpSpanShare* share = &plan->span.shares[index];
	*share = (rpSpanShare){.clip = model->clips.clips[movement->take], .source = movement->take};
	memcpy(share->times, movement->keytimes, sizeof(share->times));
	setWeight(share, neighbour->weight);
	setRates(&plan->span, share);
	plan->movements[index] = neighbour->movement;
}

// ---- the path

/// What is added up of all shares.
typedef struct Tally
{
	/// Velocities of the ground frame in the middle of each piece.
	rpGroundRate rates[RP_MAX_GROUND_STEPS];

	/// Bits (1u << rpEffector) of what rests at each piece's end, by majority.
	uint16_t rests[RP_MAX_GROUND_STEPS + 1];
} Tally;

static int clampFrame(const rpClip* clip, double frame)
{
	return frame > 0.0 ? (frame < clip->frameCount - 1 ? (int)frame : clip->frameCount - 1) : 0;
}

static void addRate(const rpGaitModel* model, const rpSpanShare* share, double time, float factor, rpGroundRate* sum)
{
	double place = time * share->clip->fps;
	int frame = clampFrame(share->clip, place), next = clampFrame(share->clip, frame + 1);
	const rpGroundRate* rates = model->rates + model->firstFrames[share->source];
	float t = fminf(fmaxf((float)(place - frame), 0.0f), 1.0f);
	sum->x += factor * (rates[frame].x + t * (rates[next].x - rates[frame].x));
	sum->z += factor * (rates[frame].z + t * (rates[next].z - rates[frame].z));
	sum->turn += factor * (rates[frame].turn + t * (rates[next].turn - rates[frame].turn));
}

static void addVotes(const rpGaitModel* model, const rpSpanShare* share, double time, float* votes)
{
	int frame = clampFrame(share->clip, time * share->clip->fps + 0.5);
	unsigned bits = model->contacts[model->firstFrames[share->source] + frame];
	for (int i = 0; i < effectorBits; ++i)
	{
		votes[i] += (bits >> i & 1) != 0 ? share->weights[0] : 0.0f;
	}
}

static uint16_t countVotes(const float* votes)
{
	unsigned bits = 0;
	for (int i = 0; i < effectorBits; ++i)
	{
		bits |= votes[i] > 0.5f ? 1u << i : 0;
	}
	return (uint16_t)bits;
}

static void tally(const rpMovementPlan* plan, const rpGaitModel* model, Tally* out)
{
	const rpSpan* span = &plan->span;
	memset(out, 0, sizeof(*out));
	for (int n = 0; n <= span->path.stepCount; ++n)
	{
		double step = (double)span->path.step;
		rpSpanSpot end = rpSpan_FindSpot(span, n * step), middle = rpSpan_FindSpot(span, (n + 0.5) * step);
		float votes[effectorBits] = {0};
		for (int i = 0; i < span->shareCount; ++i)
		{
			const rpSpanShare* share = &span->shares[i];
			addVotes(model, share, rpSpanShare_GetTime(share, &end), votes);
			if (n < span->path.stepCount)
			{
				float pace = (float)rpSpanShare_GetRate(share, &middle);
				addRate(model, share, rpSpanShare_GetTime(share, &middle), share->weights[0] * pace, &out->rates[n]);
			}
		}
		out->rests[n] = countVotes(votes);
	}
}

// What rests by majority becomes contacts, from half-way between two ends of pieces to half-way between two others.
// What rests at an end of the movement does so beyond it, too.
static void addContacts(rpMovementPlan* plan, const Tally* tally, int effector)
{
	rpSpan* span = &plan->span;
	int last = span->path.stepCount, first = -1;
	for (int n = 0; n <= last + 1; ++n)
	{
		bool rests = n <= last && (tally->rests[n] >> effector & 1) != 0;
		first = rests && first < 0 ? n : first;
		if (!rests && first >= 0 && span->contactCount < rp_maxSpanContacts)
		{
			float start = first == 0 ? -BEYOND : ((float)first - 0.5f) * span->path.step;
			float end = ((float)n - 0.5f) * span->path.step + (n > last ? BEYOND : 0.0f);
			span->ownContacts[span->contactCount++] = (rpClipContact){start, end, plan->supports[effector], effector};
		}
		first = rests ? first : -1;
	}
}

static int compareStarts(const void* a, const void* b)
{
	const rpClipContact *x = a, *y = b;
	return x->start != y->start ? (x->start > y->start ? 1 : -1) : x->effector - y->effector;
}

static void listContacts(rpMovementPlan* plan, const Tally* tally)
{
	rpSpan* span = &plan->span;
	span->contacts = NULL;
	span->contactCount = 0;
	span->contactShift = 0.0;
	for (int i = 0; i < effectorBits; ++i)
	{
		addContacts(plan, tally, i);
	}
	qsort(span->ownContacts, (size_t)span->contactCount, sizeof(rpClipContact), compareStarts);
}

// The ground frame from piece to piece, each with its heading in the middle.
static void addUp(rpMovementPlan* plan, const Tally* tally)
{
	rpGroundPath* path = &plan->span.path;
	float step = path->step, length = 0.0f;
	// The frame's velocity in the middle of each piece, along the axes of the plan's start.
	rpGroundRate middles[RP_MAX_GROUND_STEPS] = {{0}};
	path->places[0] = (rpGroundRate){0};
	for (int n = 0; n < path->stepCount; ++n)
	{
		const rpGroundRate *rate = &tally->rates[n], *from = &path->places[n];
		float heading = from->turn + 0.5f * step * rate->turn, s, c;
		rpSinCos(heading, &s, &c);
		middles[n] = (rpGroundRate){c * rate->x + s * rate->z, c * rate->z - s * rate->x, rate->turn};
		path->places[n + 1] = (rpGroundRate){from->x + step * middles[n].x, from->z + step * middles[n].z,
											 from->turn + step * middles[n].turn};
		length += step * sqrtf(rate->x * rate->x + rate->z * rate->z);
	}
	int last = path->stepCount;
	for (int n = 0; n <= last; ++n)
	{
		// At the ends as the two pieces beside them go on.
		const rpGroundRate* a = n == 0 ? &middles[1] : n == last ? &middles[last - 2] : &middles[n - 1];
		const rpGroundRate* b = n == 0 ? &middles[0] : n == last ? &middles[last - 1] : &middles[n];
		float far = n == 0 || n == last ? -0.5f : 0.5f, near = 1.0f - far;
		path->rates[n] =
			(rpGroundRate){far * a->x + near * b->x, far * a->z + near * b->z, far * a->turn + near * b->turn};
	}
	float seconds = (float)rpMovementPlan_GetDuration(plan);
	plan->speed = length / seconds;
	plan->turn = path->places[last].turn / seconds;
}

// The mean of the shares' supports, by how long they touch in the movement.
static void findSupports(rpMovementPlan* plan)
{
	double sums[rp_effectorCount] = {0}, weights[rp_effectorCount] = {0};
	for (int i = 0; i < plan->span.shareCount; ++i)
	{
		const rpSpanShare* share = &plan->span.shares[i];
		const rpClip* clip = share->clip;
		double a = share->times[0], b = share->times[plan->span.keyCount - 1];
		for (int k = 0; k < clip->contactCount; ++k)
		{
			const rpClipContact* contact = &clip->contacts[k];
			double seconds = fmin((double)contact->end, fmax(a, b)) - fmax((double)contact->start, fmin(a, b));
			double weight = (double)share->weights[0] * fmax(seconds, 0.0);
			sums[contact->effector] += weight * (double)(contact->support - clip->floor);
			weights[contact->effector] += weight;
		}
	}
	for (int i = 0; i < rp_effectorCount; ++i)
	{
		plan->supports[i] = weights[i] > 0.0 ? (float)(sums[i] / weights[i]) : 0.0f;
	}
}

static void layPath(rpMovementPlan* plan, const rpGaitModel* model)
{
	Tally sums;
	double seconds = rpMovementPlan_GetDuration(plan), steps = ceil(seconds * STEP_RATE);
	plan->span.path.stepCount = (int)fmin(fmax(steps, minSteps), RP_MAX_GROUND_STEPS);
	plan->span.path.step = (float)(seconds / plan->span.path.stepCount);
	tally(plan, model, &sums);
	addUp(plan, &sums);
	findSupports(plan);
	listContacts(plan, &sums);
	plan->span.labels = 1ull << rpMovementKind_GetBefore(plan->kind) | 1ull << rpMovementKind_GetAfter(plan->kind);
}

void rpMovementPlan_Make(rpMovementPlan* plan, const rpGaitModel* model, rpMovementKind kind, const float* asked,
						 const rpWeightDef* def)
{
	rpNeighbour neighbours[RP_MAX_SHARES];
	plan->kind = kind;
	memcpy(plan->asked, asked, sizeof(plan->asked));
	plan->span.shareCount = rpWeighMovements(model->graph, kind, asked, def, neighbours, &plan->weighed);
	setKeytimes(plan, model->graph, neighbours, plan->span.shareCount);
	for (int i = 0; i < plan->span.shareCount; ++i)
	{
		setShare(plan, model, &neighbours[i], i);
	}
	layPath(plan, model);
}

static rpGroundRate turnRate(rpGroundRate rate, float angle)
{
	float s, c;
	rpSinCos(angle, &s, &c);
	return (rpGroundRate){c * rate.x + s * rate.z, c * rate.z - s * rate.x, rate.turn};
}

void rpMovementPlan_Bend(rpMovementPlan* plan, float rate)
{
	rpGroundPath* path = &plan->span.path;
	rpGroundRate before = path->places[0];
	for (int n = 0; n <= path->stepCount; ++n)
	{
		float time = (float)n * path->step;
		rpGroundRate old = path->places[n], *place = &path->places[n];
		path->rates[n] = turnRate(path->rates[n], rate * time);
		path->rates[n].turn += rate;
		if (n > 0)
		{
			rpGroundRate step = {old.x - before.x, old.z - before.z, 0.0f};
			step = turnRate(step, rate * (time - 0.5f * path->step));
			*place = (rpGroundRate){place[-1].x + step.x, place[-1].z + step.z, old.turn + rate * time};
		}
		before = old;
	}
	plan->turn += rate;
}

void rpMovementPlan_MakeStand(rpMovementPlan* plan, const rpGaitModel* model, int movement, double from, double to,
							  double seconds)
{
	const rpMovement* stand = &model->graph->movements[movement];
	double length = fmax(seconds, SHORTEST_PHASE), pace = (to - from) / length;
	plan->kind = rp_movementS;
	memset(plan->asked, 0, sizeof(plan->asked));
	plan->weighed = (rpWeighed){0};
	plan->span.keyCount = 2;
	plan->span.keys[0] = 0.0;
	plan->span.keys[1] = length;
	plan->span.shareCount = 1;
	plan->movements[0] = movement;
	plan->span.shares[0] = (rpSpanShare){
		.clip = model->clips.clips[stand->take], .source = stand->take, .times = {from, to}, .rates = {pace, pace}};
	setWeight(&plan->span.shares[0], 1.0f);
	layPath(plan, model);
}
