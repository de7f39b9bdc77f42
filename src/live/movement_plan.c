/// Blending movements of one kind: incremental time warping by their key times (Park, Shin & Shin 2004), their ground
/// frames' velocities blended and added up, and what rests by majority.
///
/// Between two key times all times of takes run along cubics whose coefficients are the same for all shares, so that
/// they are computed once.
#include "live/movement_plan.h"

#include "blend/clip.h"

#include <math.h>
#include <string.h>

// Pieces per second of a plan's way.
#define STEP_RATE 60.0

// Phases that are shorter last this long, seconds: nothing is divided by nothing.
#define SHORTEST_PHASE 1e-4

enum
{
	/// Effectors that are asked for what rests.
	effectorBits = rp_effectorCount,
	leastSteps = 4,
};

/// Where a time is among the key times, and how values and slopes there count for the value between and its slope.
typedef struct Spot
{
	int phase;
	double value[4];
	double slope[4];
} Spot;

double rpMovementPlan_GetDuration(const rpMovementPlan* plan)
{
	return plan->keytimes[plan->keytimeCount - 1];
}

static Spot findSpot(const rpMovementPlan* plan, double time)
{
	int phase = 0;
	while (phase + 2 < plan->keytimeCount && time >= plan->keytimes[phase + 1])
	{
		++phase;
	}
	double length = plan->keytimes[phase + 1] - plan->keytimes[phase];
	double s = fmin(fmax((time - plan->keytimes[phase]) / length, 0.0), 1.0), rest = 1.0 - s;
	return (Spot){
		phase,
		{rest * rest * (1.0 + 2.0 * s), rest * rest * s * length, s * s * (3.0 - 2.0 * s), -s * s * rest * length},
		{-6.0 * s * rest / length, rest * (1.0 - 3.0 * s), 6.0 * s * rest / length, s * (3.0 * s - 2.0)}};
}

static double mix(const rpPlanShare* share, int phase, const double* factors)
{
	return factors[0] * share->times[phase] + factors[1] * share->rates[phase] + factors[2] * share->times[phase + 1] +
		   factors[3] * share->rates[phase + 1];
}

double rpMovementPlan_GetTakeTime(const rpMovementPlan* plan, int share, double time)
{
	Spot spot = findSpot(plan, time);
	return mix(&plan->shares[share], spot.phase, spot.value);
}

// ---- times

// Durations of phases are means, by weight.
static void setKeytimes(rpMovementPlan* plan, const rpLocomotion* graph, const rpNeighbour* neighbours, int count)
{
	plan->keytimeCount = graph->movements[neighbours[0].movement].keytimeCount;
	plan->keytimes[0] = 0.0;
	for (int k = 1; k < plan->keytimeCount; ++k)
	{
		double length = 0.0;
		for (int i = 0; i < count; ++i)
		{
			const double* times = graph->movements[neighbours[i].movement].keytimes;
			length += (double)neighbours[i].weight * (times[k] - times[k - 1]);
		}
		plan->keytimes[k] = plan->keytimes[k - 1] + fmax(length, SHORTEST_PHASE);
	}
}

static double getPace(const rpMovementPlan* plan, const rpPlanShare* share, int phase)
{
	return (share->times[phase + 1] - share->times[phase]) / (plan->keytimes[phase + 1] - plan->keytimes[phase]);
}

// At key times the harmonic mean of the paces around, which keeps time from running backwards (Fritsch & Carlson 1980).
static void setRates(const rpMovementPlan* plan, rpPlanShare* share)
{
	int last = plan->keytimeCount - 1;
	double before = getPace(plan, share, 0);
	share->rates[0] = before;
	for (int k = 1; k < last; ++k)
	{
		double after = getPace(plan, share, k);
		share->rates[k] = before > 0.0 && after > 0.0 ? 2.0 * before * after / (before + after) : 0.0;
		before = after;
	}
	share->rates[last] = before;
}

static void setShare(const rpMovementPlan* plan, const rpGaitModel* model, const rpNeighbour* neighbour,
					 rpPlanShare* share)
{
	const rpMovement* movement = &model->graph->movements[neighbour->movement];
	share->clip = model->clips.clips[movement->take].clip;
	share->take = movement->take;
	share->movement = neighbour->movement;
	share->weight = neighbour->weight;
	memcpy(share->times, movement->keytimes, sizeof(share->times));
	setRates(plan, share);
}

// ---- the way

/// What is added up of all shares.
typedef struct Tally
{
	/// Velocities of the ground frame in the middle of each piece.
	rpGroundRate rates[RP_MOST_STEPS];

	/// Weight of the shares in which an effector rests at each piece's end.
	float votes[RP_MOST_STEPS + 1][effectorBits];
} Tally;

static int clampFrame(const rpClip* clip, double frame)
{
	return frame > 0.0 ? (frame < clip->frameCount - 1 ? (int)frame : clip->frameCount - 1) : 0;
}

static void addRate(const rpGaitModel* model, const rpPlanShare* share, double time, float factor, rpGroundRate* sum)
{
	double place = time * share->clip->fps;
	int frame = clampFrame(share->clip, place), next = clampFrame(share->clip, frame + 1);
	const rpGroundRate* rates = model->rates + model->firstFrames[share->take];
	float t = fminf(fmaxf((float)(place - frame), 0.0f), 1.0f);
	sum->x += factor * (rates[frame].x + t * (rates[next].x - rates[frame].x));
	sum->z += factor * (rates[frame].z + t * (rates[next].z - rates[frame].z));
	sum->turn += factor * (rates[frame].turn + t * (rates[next].turn - rates[frame].turn));
}

static void addVotes(const rpGaitModel* model, const rpPlanShare* share, double time, float* votes)
{
	int frame = clampFrame(share->clip, time * share->clip->fps + 0.5);
	unsigned bits = model->contacts[model->firstFrames[share->take] + frame];
	for (int i = 0; i < effectorBits; ++i)
	{
		votes[i] += (bits >> i & 1) != 0 ? share->weight : 0.0f;
	}
}

static void tally(const rpMovementPlan* plan, const rpGaitModel* model, Tally* out)
{
	double step = rpMovementPlan_GetDuration(plan) / plan->stepCount;
	memset(out, 0, sizeof(*out));
	for (int n = 0; n <= plan->stepCount; ++n)
	{
		Spot end = findSpot(plan, n * step), middle = findSpot(plan, (n + 0.5) * step);
		for (int i = 0; i < plan->shareCount; ++i)
		{
			const rpPlanShare* share = &plan->shares[i];
			addVotes(model, share, mix(share, end.phase, end.value), out->votes[n]);
			if (n < plan->stepCount)
			{
				double pace = mix(share, middle.phase, middle.slope);
				addRate(model, share, mix(share, middle.phase, middle.value), share->weight * (float)pace,
						&out->rates[n]);
			}
		}
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

// The ground frame from piece to piece, each with its heading in the middle.
static void addUp(rpMovementPlan* plan, const Tally* tally)
{
	float step = (float)(rpMovementPlan_GetDuration(plan) / plan->stepCount), way = 0.0f;
	// The frame's velocity in the middle of each piece, along the axes of the plan's start.
	rpGroundRate middles[RP_MOST_STEPS] = {{0}};
	plan->places[0] = (rpGroundRate){0};
	for (int n = 0; n < plan->stepCount; ++n)
	{
		const rpGroundRate *rate = &tally->rates[n], *from = &plan->places[n];
		float heading = from->turn + 0.5f * step * rate->turn, c = cosf(heading), s = sinf(heading);
		middles[n] = (rpGroundRate){c * rate->x + s * rate->z, c * rate->z - s * rate->x, rate->turn};
		plan->places[n + 1] = (rpGroundRate){from->x + step * middles[n].x, from->z + step * middles[n].z,
											 from->turn + step * middles[n].turn};
		way += step * sqrtf(rate->x * rate->x + rate->z * rate->z);
	}
	int last = plan->stepCount;
	for (int n = 0; n <= last; ++n)
	{
		// At the ends as the two pieces beside them go on.
		const rpGroundRate* a = n == 0 ? &middles[1] : n == last ? &middles[last - 2] : &middles[n - 1];
		const rpGroundRate* b = n == 0 ? &middles[0] : n == last ? &middles[last - 1] : &middles[n];
		float far = n == 0 || n == last ? -0.5f : 0.5f, near = 1.0f - far;
		plan->rates[n] =
			(rpGroundRate){far * a->x + near * b->x, far * a->z + near * b->z, far * a->turn + near * b->turn};
		plan->contacts[n] = countVotes(tally->votes[n]);
	}
	float seconds = (float)rpMovementPlan_GetDuration(plan);
	plan->speed = way / seconds;
	plan->turn = plan->places[last].turn / seconds;
}

static void layWay(rpMovementPlan* plan, const rpGaitModel* model)
{
	Tally sums;
	double steps = ceil(rpMovementPlan_GetDuration(plan) * STEP_RATE);
	plan->stepCount = (int)fmin(fmax(steps, leastSteps), RP_MOST_STEPS);
	tally(plan, model, &sums);
	addUp(plan, &sums);
}

// The mean of the shares' supports, by how long they touch in the movement.
static void findSupports(rpMovementPlan* plan, const rpGaitModel* model)
{
	double sums[rp_effectorCount] = {0}, weights[rp_effectorCount] = {0};
	for (int i = 0; i < plan->shareCount; ++i)
	{
		const rpPlanShare* share = &plan->shares[i];
		const rpBundleClip* clip = &model->clips.clips[share->take];
		double a = share->times[0], b = share->times[plan->keytimeCount - 1];
		for (int k = 0; k < clip->contactCount; ++k)
		{
			const rpClipContact* contact = &clip->contacts[k];
			double seconds = fmin((double)contact->end, fmax(a, b)) - fmax((double)contact->start, fmin(a, b));
			double weight = (double)share->weight * fmax(seconds, 0.0);
			sums[contact->effector] += weight * (double)(contact->support - clip->floor);
			weights[contact->effector] += weight;
		}
	}
	for (int i = 0; i < rp_effectorCount; ++i)
	{
		plan->supports[i] = weights[i] > 0.0 ? (float)(sums[i] / weights[i]) : 0.0f;
	}
}

void rpMovementPlan_Make(rpMovementPlan* plan, const rpGaitModel* model, rpMovementKind kind, const float* asked,
						 const rpWeightDef* def)
{
	rpNeighbour neighbours[RP_MOST_NEIGHBOURS];
	plan->kind = kind;
	memcpy(plan->asked, asked, sizeof(plan->asked));
	plan->shareCount = rpWeighMovements(model->graph, kind, asked, def, neighbours, &plan->weighed);
	setKeytimes(plan, model->graph, neighbours, plan->shareCount);
	for (int i = 0; i < plan->shareCount; ++i)
	{
		setShare(plan, model, &neighbours[i], &plan->shares[i]);
	}
	layWay(plan, model);
	findSupports(plan, model);
}

void rpMovementPlan_MakeStand(rpMovementPlan* plan, const rpGaitModel* model, int movement, double from, double to,
							  double seconds)
{
	const rpMovement* stand = &model->graph->movements[movement];
	double length = fmax(seconds, SHORTEST_PHASE), pace = (to - from) / length;
	plan->kind = rp_movementS;
	memset(plan->asked, 0, sizeof(plan->asked));
	plan->weighed = (rpWeighed){0};
	plan->keytimeCount = 2;
	plan->keytimes[0] = 0.0;
	plan->keytimes[1] = length;
	plan->shareCount = 1;
	plan->shares[0] = (rpPlanShare){.clip = model->clips.clips[stand->take].clip,
									.take = stand->take,
									.movement = movement,
									.weight = 1.0f,
									.times = {from, to},
									.rates = {pace, pace}};
	layWay(plan, model);
	findSupports(plan, model);
}

// ---- sampling

static float mixPlace(float a, float slopeA, float b, float slopeB, const float* factors)
{
	return factors[0] * a + factors[1] * slopeA + factors[2] * b + factors[3] * slopeB;
}

rpGround rpMovementPlan_GetGround(const rpMovementPlan* plan, double time)
{
	float step = (float)(rpMovementPlan_GetDuration(plan) / plan->stepCount);
	float place = fmaxf((float)time / step, 0.0f);
	int n = place < (float)plan->stepCount ? (int)place : plan->stepCount - 1;
	float t = fminf(place - (float)n, 1.0f), rest = 1.0f - t;
	float factors[4] = {rest * rest * (1.0f + 2.0f * t), rest * rest * t * step, t * t * (3.0f - 2.0f * t),
						-t * t * rest * step};
	const rpGroundRate *a = &plan->places[n], *b = &plan->places[n + 1], *u = &plan->rates[n], *v = &plan->rates[n + 1];
	return (rpGround){mixPlace(a->turn, u->turn, b->turn, v->turn, factors),
					  {mixPlace(a->x, u->x, b->x, v->x, factors), 0.0f, mixPlace(a->z, u->z, b->z, v->z, factors)}};
}

void rpMovementPlan_Sample(const rpMovementPlan* plan, double time, rpGround placement, rpPose* pose)
{
	rpShare shares[RP_MOST_NEIGHBOURS];
	Spot spot = findSpot(plan, time);
	rpGround ground = rpGround_Compose(placement, rpMovementPlan_GetGround(plan, time));
	for (int i = 0; i < plan->shareCount; ++i)
	{
		const rpPlanShare* share = &plan->shares[i];
		shares[i] = (rpShare){share->clip, mix(share, spot.phase, spot.value), share->weight, rpGround_identity};
	}
	rpBlendClips(shares, plan->shareCount, pose);
	pose->rootPosition = rpGround_Apply(ground, pose->rootPosition);
	pose->rotations[0] = rpMulQuat(rpYaw(ground.turn), pose->rotations[0]);
}

unsigned rpMovementPlan_GetContacts(const rpMovementPlan* plan, double time)
{
	double place = time / rpMovementPlan_GetDuration(plan) * plan->stepCount + 0.5;
	int n = place > 0.0 ? (place < plan->stepCount ? (int)place : plan->stepCount) : 0;
	return plan->contacts[n];
}
