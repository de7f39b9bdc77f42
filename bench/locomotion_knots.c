#include "locomotion_knots.h"

#include "live/gait_director.h"
#include "math/order.h"
#include "reprise/play/blend.h"
#include "timeline/seam.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
	knotCount = 60,
	/// Frames around a knot.
	halfWindow = 18,
	frameCount = 2 * halfWindow + 1,
	/// The changes of velocity that frames on both sides of a knot have a part in.
	nearCount = 1,
	/// Around a knot of running, which is at the top of a flight, the foot strikes so soon.
	strikeCount = 2,
};

#define FPS 60.0
#define BESIDE (1.0 / 60.0)

/// Two movements that follow one another, and poses to work with.
typedef struct Pair
{
	rpMovementPlan a, b;
	rpGroundTransform start, knot;
	const rpSkeleton* skeleton;
	/// Two of them, [jointCount] each.
	rpQuat* rotations;
	rpSeam seam;
	rpTransform* world;
	/// [frameCount * jointCount]
	rpVec3* places;
} Pair;

/// Accelerations (changes of velocity per second) in m/s², root mean square of all joints.
typedef struct Tally
{
	float *stitched, *faded, *inside;
	int knots, insides;

	/// The highest within strikeCount frames of any knot.
	float strike;
} Tally;

// A plan goes on beyond its ends as it is there.
static void sampleBeyond(const rpMovementPlan* plan, double time, rpGroundTransform placement, rpPose* pose)
{
	const rpSpan* span = &plan->span;
	double end = rpMovementPlan_GetDuration(plan), inside = fmin(fmax(time, 0.0), end);
	double step = time < inside ? BESIDE : -BESIDE, factor = (time - inside) / step;
	rpShare shares[RP_MAX_SHARES];
	rpGroundTransform at = rpGroundPath_Get(&span->path, inside), beside = rpGroundPath_Get(&span->path, inside + step);
	rpGroundTransform ground = {at.turn + (float)factor * (beside.turn - at.turn),
								rpMulAdd(at.shift, (float)factor, rpSub(beside.shift, at.shift))};
	rpSpanSpot spot = rpSpan_FindSpot(span, inside), besideSpot = rpSpan_FindSpot(span, inside + step);
	for (int i = 0; i < span->shareCount; ++i)
	{
		const rpSpanShare* share = &span->shares[i];
		double own = rpSpanShare_GetTime(share, &spot), other = rpSpanShare_GetTime(share, &besideSpot);
		shares[i] = (rpShare){share->clip, own + factor * (other - own), share->weights[0], rpGroundTransform_identity};
	}
	ground = rpGroundTransform_Compose(placement, ground);
	rpBlendClips(shares, span->shareCount, pose);
	pose->rootPosition = rpGroundTransform_Apply(ground, pose->rootPosition);
	pose->rotations[0] = rpMulQuat(rpYaw(ground.turn), pose->rotations[0]);
}

static rpPose getPose(const Pair* pair, int i)
{
	return (rpPose){.rotations = pair->rotations + (size_t)i * (size_t)pair->skeleton->jointCount};
}

static void keepPlaces(Pair* pair, int frame, const rpPose* pose)
{
	int jointCount = pair->skeleton->jointCount;
	rpSkeleton_Forward(pair->skeleton, pose->rootPosition, pose->rotations, NULL, pair->world);
	for (int i = 0; i < jointCount; ++i)
	{
		pair->places[frame * jointCount + i] = pair->world[i].p;
	}
}

static float getAcceleration(const Pair* pair, int frame)
{
	int jointCount = pair->skeleton->jointCount;
	double squares = 0.0;
	for (int i = 0; i < jointCount; ++i)
	{
		const rpVec3* p = pair->places + frame * jointCount + i;
		rpVec3 change = rpAdd(rpSub(p[jointCount], rpScale(2.0f, p[0])), p[-jointCount]);
		squares += (double)rpDot(change, change);
	}
	return (float)(sqrt(squares / jointCount) * FPS * FPS);
}

// The highest near the knot; those away from it are collected.
static float judge(const Pair* pair, Tally* tally, bool collects)
{
	float highest = 0.0f;
	for (int frame = 1; frame + 1 < frameCount; ++frame)
	{
		bool isNear = abs(frame - halfWindow) <= nearCount;
		float size = getAcceleration(pair, frame);
		highest = isNear ? fmaxf(highest, size) : highest;
		if (collects && !isNear)
		{
			tally->inside[tally->insides++] = size;
		}
		if (collects && abs(frame - halfWindow) <= strikeCount)
		{
			tally->strike = fmaxf(tally->strike, size);
		}
	}
	return highest;
}

static void showStitched(Pair* pair)
{
	double end = rpMovementPlan_GetDuration(&pair->a), next = rpMovementPlan_GetDuration(&pair->b);
	rpSeamDef def = {rp_seamDisplace, end - fmin(0.5 * end, 0.3), end, end + fmin(0.5 * next, 0.3)};
	pair->a.span.start = 0.0;
	pair->a.span.placement = pair->start;
	pair->b.span.start = end;
	pair->b.span.placement = pair->knot;
	rpSeam_Prepare(&pair->seam, &def, &pair->a.span, &pair->b.span, NULL);
	for (int frame = 0; frame < frameCount; ++frame)
	{
		double time = (frame - halfWindow) / FPS;
		rpPose pose = getPose(pair, 0);
		time < 0.0 ? sampleBeyond(&pair->a, end + time, pair->start, &pose)
				   : sampleBeyond(&pair->b, time, pair->knot, &pose);
		rpSeam_Displace(&pair->seam, end + time, &pose);
		keepPlaces(pair, frame, &pose);
	}
}

// As long as the stitch is, on both sides.
static void showFaded(Pair* pair)
{
	double end = rpMovementPlan_GetDuration(&pair->a), next = rpMovementPlan_GetDuration(&pair->b);
	double half = fmin(0.5 * fmin(end, next), 0.3);
	for (int frame = 0; frame < frameCount; ++frame)
	{
		double time = (frame - halfWindow) / FPS;
		float t = (float)fmin(fmax((time + half) / (2.0 * half), 0.0), 1.0), weight = rpSmoothstepFloat(t);
		rpPose from = getPose(pair, 0), to = getPose(pair, 1);
		sampleBeyond(&pair->a, end + time, pair->start, &from);
		sampleBeyond(&pair->b, time, pair->knot, &to);
		for (int i = 0; i < pair->skeleton->jointCount; ++i)
		{
			from.rotations[i] = rpSlerp(from.rotations[i], to.rotations[i], weight);
		}
		from.rootPosition = rpLerp(from.rootPosition, to.rootPosition, weight);
		keepPlaces(pair, frame, &from);
	}
}

static double getMean(const float* values, int count)
{
	double sum = 0.0;
	for (int i = 0; i < count; ++i)
	{
		sum += (double)values[i];
	}
	return sum / count;
}

static void sortTally(Tally* tally)
{
	qsort(tally->inside, (size_t)tally->insides, sizeof(float), rpCompareFloats);
	qsort(tally->stitched, (size_t)tally->knots, sizeof(float), rpCompareFloats);
}

// The highest of all knots against the 95th percentile inside.
static double getRatio(const Tally* tally)
{
	return (double)(tally->stitched[tally->knots - 1] / tally->inside[tally->insides * 95 / 100]);
}

// From knot to knot of a gait, at speeds and turns that change.
static void walk(Pair* pair, const rpGaitModel* model, rpGait gait, Tally* tally)
{
	rpWeightDef weights = {30, 0.01f};
	rpGaitDirector director = rpStartGaitDirector(1, &weights, 0.0f);
	rpMovementPlan plan;
	rpGroundTransform ground = rpGroundTransform_identity;
	*tally = (Tally){.stitched = tally->stitched, .faded = tally->faded, .inside = tally->inside};
	rpGaitDirector_PlanFirst(&director, model, &plan);
	while (tally->knots < knotCount)
	{
		double slow = gait == rp_gaitWalk ? 1.0 : 2.6;
		rpGaitWish wish = {gait, (float)(slow + 0.1 * (tally->knots / 6 % 6)),
						   0.1f * (float)(tally->knots / 5 % 7 - 3)};
		pair->a = plan;
		pair->start = ground;
		rpGaitDirector_PlanNext(&director, model, &pair->a, &wish, &plan);
		rpGaitDirector_CloseLoop(&director, &plan);
		pair->b = plan;
		ground = rpGroundTransform_Compose(ground, rpMovementPlan_GetEnd(&pair->a));
		pair->knot = ground;
		bool isSteady = rpMovementKind_GetBefore(pair->a.kind) == gait && rpMovementKind_GetAfter(plan.kind) == gait;
		if (isSteady)
		{
			showFaded(pair);
			tally->faded[tally->knots] = judge(pair, tally, false);
			showStitched(pair);
			tally->stitched[tally->knots++] = judge(pair, tally, true);
		}
	}
	sortTally(tally);
}

/// What takes show where one half cycle of a gait becomes the next, as knots are judged.
typedef struct TakeKnots
{
	double mean, ratio;
} TakeKnots;

static TakeKnots measureTakes(Pair* pair, const rpLocomotion* graph, rpMotion* const* takes, int takeCount, rpGait gait,
							  Tally* tally)
{
	int jointCount = pair->skeleton->jointCount;
	*tally = (Tally){.stitched = tally->stitched, .faded = tally->faded, .inside = tally->inside};
	for (int i = 0; i < graph->movementCount && tally->knots < knotCount; ++i)
	{
		const rpMovement* movement = &graph->movements[i];
		bool isHalfCycle =
			rpMovementKind_GetBefore(movement->kind) == gait && rpMovementKind_GetAfter(movement->kind) == gait;
		int middle = movement->take < takeCount ? rpMotion_GetFrame(takes[movement->take], movement->start) : 0;
		if (!isHalfCycle || !movement->isSuccessor || middle < halfWindow ||
			middle + halfWindow >= takes[movement->take]->frameCount)
		{
			continue;
		}
		for (int frame = 0; frame < frameCount; ++frame)
		{
			rpMotion_Forward(takes[movement->take], middle - halfWindow + frame, pair->world);
			for (int k = 0; k < jointCount; ++k)
			{
				pair->places[frame * jointCount + k] = pair->world[k].p;
			}
		}
		tally->stitched[tally->knots++] = judge(pair, tally, true);
	}
	sortTally(tally);
	return (TakeKnots){getMean(tally->stitched, tally->knots), getRatio(tally)};
}

static bool allocate(Pair* pair, Tally* tally, const rpSkeleton* skeleton)
{
	size_t jointCount = (size_t)skeleton->jointCount;
	*tally = (Tally){.stitched = malloc(knotCount * sizeof(float)),
					 .faded = malloc(knotCount * sizeof(float)),
					 .inside = malloc(knotCount * frameCount * sizeof(float))};
	pair->skeleton = skeleton;
	pair->rotations = malloc(2 * jointCount * sizeof(rpQuat));
	pair->world = malloc(jointCount * sizeof(rpTransform));
	pair->places = malloc(frameCount * jointCount * sizeof(rpVec3));
	return tally->stitched != NULL && tally->faded != NULL && tally->inside != NULL && pair->rotations != NULL &&
		   pair->world != NULL && pair->places != NULL && rpSeam_Create(&pair->seam, (int)jointCount, false, NULL);
}

static void release(Pair* pair, Tally* tally)
{
	free(pair->rotations);
	rpSeam_Free(&pair->seam);
	free(pair->world);
	free(pair->places);
	free(tally->stitched);
	free(tally->faded);
	free(tally->inside);
}

// Keys are the same for both gaits but for their ending.
static void putGait(BenchReport* report, Pair* pair, const rpGaitModel* model, rpMotion* const* takes, int takeCount,
					rpGait gait, Tally* tally)
{
	static const struct
	{
		const char *ratio, *takesRatio, *strike, *mean, *faded, *takes;
	} keys[2] = {{"knot_velocity_ratio", "knot_velocity_ratio_takes", "knot_velocity_ratio_2_frames",
				  "knot_acceleration", "knot_acceleration_cross_fade", "knot_acceleration_takes"},
				 {"knot_velocity_ratio_run", "knot_velocity_ratio_run_takes", "knot_velocity_ratio_run_2_frames",
				  "knot_acceleration_run", "knot_acceleration_run_cross_fade", "knot_acceleration_run_takes"}};
	int row = gait == rp_gaitRun;
	walk(pair, model, gait, tally);
	double ratio = getRatio(tally), faded = getMean(tally->faded, knotCount),
		   mean = getMean(tally->stitched, knotCount);
	double strike = (double)(tally->strike / tally->inside[tally->insides * 95 / 100]);
	TakeKnots own = measureTakes(pair, model->graph, takes, takeCount, gait, tally);
	benchPut(report, keys[row].ratio, ratio,
			 row == 0 ? "greatest change of velocity at a knot of walking against the 95th percentile inside"
					  : "the same of running, whose knots are in flight, where legs swing the fastest");
	benchPut(report, keys[row].takesRatio, own.ratio, "the same moments in the takes");
	benchPut(report, keys[row].strike, strike, "the greatest within two frames of a knot: a run's foot strike");
	benchPut(report, keys[row].mean, mean,
			 row == 0 ? "m/s² at knots of walking, mean" : "m/s² at knots of running, mean");
	benchPut(report, keys[row].faded, faded, "the same, cross-faded");
	benchPut(report, keys[row].takes, own.mean, "the same moments in the takes");
}

bool benchLocomotionKnots(const rpBundle* bundle, rpMotion* const* takes, int takeCount, BenchReport* report,
						  rpError* error)
{
	static Pair pair;
	Tally tally = {0};
	rpGaitModel model;
	bool done = rpGaitModel_Read(&model, bundle, error) && allocate(&pair, &tally, model.clips.skeleton);
	if (done)
	{
		putGait(report, &pair, &model, takes, takeCount, rp_gaitWalk, &tally);
		putGait(report, &pair, &model, takes, takeCount, rp_gaitRun, &tally);
	}
	release(&pair, &tally);
	rpGaitModel_Free(&model);
	return done;
}
