/// The player of a locomotion model (Kwon & Shin 2005, section 5): half cycles, stands and the transitions between them
/// are blended from those of the takes, one after the other, each planned in the middle of the one before it.
#include "base/memory.h"
#include "feet/feet_track.h"
#include "live/gait_director.h"
#include "live/movement_stitch.h"
#include "live/player_kind.h"

#include <math.h>
#include <string.h>

// Velocities at a knot are measured from poses so far apart, seconds: about the frames of takes, between which they are
// interpolated.
#define KNOT_SECONDS (1.0 / 60.0)

// The share of a movement that is over when the next one is planned.
#define LOOK_AHEAD 0.5

// How far the next movement is shifted at most so that resting feet stay where they are, metres.
#define GREATEST_SHIFT 0.2f

// A way that is shorter has no direction, metres.
#define SHORTEST_WAY 0.05f

// A stitch is led to nothing over at most this time on either side, seconds.
#define LONGEST_STITCH 0.3

/// Poses that knots are measured at.
enum
{
	tailPoses,
	headPoses = tailPoses + 3,
	scratchCount = headPoses + 3,
};

/// A movement in play.
typedef struct Stage
{
	rpMovementPlan plan;
	rpMovementReport report;

	/// When it begins, seconds, and where.
	double start;
	rpGround placement;
} Stage;

/// All that changes while it plays.
typedef struct Course
{
	rpGaitDirector director;

	/// The current movement and, once it is planned, the next one.
	Stage stages[2];
	int current;
	bool isNextReady;

	/// At the end of the current movement, and at the start of whatever began last.
	rpStitch tail, head;
	/// Whether the head belongs to the current movement already, or to the next.
	bool isHeadCurrent;

	/// How the way of the movement before the current one led beside its heading.
	float slip;

	/// What the last input was, when it came, and whether a movement has answered it.
	rpPlayerInput input;
	double askedAt;
	bool isAnswered;
} Course;

typedef struct LocomotionPlayer
{
	rpGaitModel model;
	Course course;

	/// Where the course is led on to without going on, and poses for that.
	Course* spare;
	rpQuat* scratch;
	rpTransform* world;
	rpBend* bends;

	/// The legs; without them feet are not looked at.
	bool hasLegs;
	rpFootRig rig;

	/// By gait; zeros where there is none.
	rpGaitLimits limits[rp_gaitCount];
} LocomotionPlayer;

// ---- knots

static rpPose getScratch(const LocomotionPlayer* player, int i)
{
	size_t jointCount = (size_t)player->model.clips.skeleton->jointCount;
	return (rpPose){.rotations = player->scratch + (size_t)i * jointCount};
}

static rpKnotSide sampleSide(const LocomotionPlayer* player, const Stage* stage, int scratch, double time,
							 double seconds)
{
	rpKnotSide side = {getScratch(player, scratch), getScratch(player, scratch + 1), getScratch(player, scratch + 2),
					   (float)seconds};
	rpMovementPlan_Sample(&stage->plan, time, stage->placement, &side.at);
	rpMovementPlan_Sample(&stage->plan, time + seconds, stage->placement, &side.beside);
	rpMovementPlan_Sample(&stage->plan, time + 2.0 * seconds, stage->placement, &side.beyond);
	return side;
}

static float getStitchLength(const Stage* stage)
{
	return (float)fmin((1.0 - LOOK_AHEAD) * rpMovementPlan_GetDuration(&stage->plan), LONGEST_STITCH);
}

static void sampleFeet(const LocomotionPlayer* player, const rpPose* pose, rpFootSample out[rp_legCount])
{
	if (!player->hasLegs)
	{
		return;
	}
	rpFootRig_Forward(&player->rig, pose->rootPosition, pose->rotations, NULL, player->world);
	for (int side = 0; side < rp_legCount; ++side)
	{
		if (player->rig.legs[side].isThere)
		{
			rpLeg_Sample(&player->rig.legs[side], player->world, &out[side]);
		}
	}
}

// What takes feet that rest on both sides of a knot to one place, over the floor; where none does, the root. (Ground
// frames are smoothed ways, which roots are before or behind where they brake or set off: these need not meet.)
static rpVec3 findShift(const LocomotionPlayer* player, const rpPose* before, const rpPose* after, unsigned resting)
{
	rpFootSample from[rp_legCount], to[rp_legCount];
	rpVec3 sum = rpVec3_zero;
	int count = 0;
	sampleFeet(player, before, from);
	sampleFeet(player, after, to);
	for (int i = 0; i < rp_legCount * rp_bearerCount; ++i)
	{
		int side = i / rp_bearerCount, point = i % rp_bearerCount;
		if (player->hasLegs && player->rig.legs[side].isThere && (resting >> rpBearers[side][point] & 1) != 0)
		{
			sum = rpAdd(sum, rpSub(rpGetBearer(&from[side], point), rpGetBearer(&to[side], point)));
			++count;
		}
	}
	rpVec3 gap = count > 0 ? rpScale(1.0f / (float)count, sum) : rpSub(before->rootPosition, after->rootPosition);
	rpVec3 shift = {gap.x, 0.0f, gap.z};
	float length = rpLength(shift);
	return length > GREATEST_SHIFT ? rpScale(GREATEST_SHIFT / length, shift) : shift;
}

// Lay the next movement where resting feet stay, and bend both towards one another.
static void stitch(const LocomotionPlayer* player, Course* course, const Stage* from, Stage* to)
{
	double end = rpMovementPlan_GetDuration(&from->plan);
	rpKnotSide before = sampleSide(player, from, tailPoses, end, -KNOT_SECONDS);
	rpKnotSide after = sampleSide(player, to, headPoses, 0.0, KNOT_SECONDS);
	unsigned resting = rpMovementPlan_GetContacts(&from->plan, end) & rpMovementPlan_GetContacts(&to->plan, 0.0);
	rpVec3 shift = findShift(player, &before.at, &after.at, resting);
	to->placement.shift = rpAdd(to->placement.shift, shift);
	after.at.rootPosition = rpAdd(after.at.rootPosition, shift);
	after.beside.rootPosition = rpAdd(after.beside.rootPosition, shift);
	after.beyond.rootPosition = rpAdd(after.beyond.rootPosition, shift);
	rpMakeStitch(&before, &after, getStitchLength(from), getStitchLength(to), &course->tail, &course->head);
	course->isHeadCurrent = false;
}

// ---- the course

static void noteInput(Course* course, double time, const rpPlayerInput* input)
{
	const rpPlayerInput* last = &course->input;
	bool isSame = last->direction.x == input->direction.x && last->direction.y == input->direction.y &&
				  last->gait == input->gait && last->speed == input->speed && last->turn == input->turn;
	if (!isSame)
	{
		course->input = *input;
		course->askedAt = time;
		course->isAnswered = false;
	}
}

// By how much the way of a movement leads beside its heading, to the left; radians.
static float getSlip(const Stage* stage)
{
	const rpGroundRate* end = &stage->plan.places[stage->plan.stepCount];
	bool isWay = sqrtf(end->x * end->x + end->z * end->z) > SHORTEST_WAY;
	return isWay ? atan2f(end->x, end->z) - 0.5f * end->turn : 0.0f;
}

// Where somebody goes at the end of a movement. Left and right half cycles sway to either side, so the last two count.
static float getDirection(const Course* course, const Stage* stage)
{
	float turn = stage->plan.places[stage->plan.stepCount].turn;
	return rpWrapAngle(stage->placement.turn + turn + 0.5f * (course->slip + getSlip(stage)));
}

static void fillMovement(Course* course, const rpGaitWish* wish, Stage* next, const Stage* last)
{
	const rpMovementPlan* plan = &next->plan;
	next->report = (rpMovementReport){
		.kind = plan->kind,
		.number = last->report.number + 1,
		.wantedGait = wish->gait,
		.wantedSpeed = wish->speed,
		.wantedTurn = wish->turn,
		.speed = plan->speed,
		.turn = plan->turn,
		.plainSpeed = plan->weighed.plainSpeed,
		.plainTurn = plan->weighed.plainTurn,
		.isAnswer = !course->isAnswered,
		.response = course->isAnswered ? 0.0f : (float)(next->start - course->askedAt),
	};
	course->isAnswered = true;
}

// What the shift at the knot adds to the way counts for its speed.
static void closeLoop(Course* course, Stage* next, const Stage* last)
{
	rpGround end = rpGround_Compose(last->placement,
									rpMovementPlan_GetGround(&last->plan, rpMovementPlan_GetDuration(&last->plan)));
	rpVec3 shift = rpSub(next->placement.shift, end.shift);
	const rpGroundRate* way = &next->plan.places[next->plan.stepCount];
	rpVec3 ahead = rpNormalize(rpRotate(rpYaw(next->placement.turn), (rpVec3){way->x, 0.0f, way->z}));
	next->plan.speed += rpDot(shift, ahead) / (float)rpMovementPlan_GetDuration(&next->plan);
	rpGaitDirector_CloseLoop(&course->director, &next->plan);
}

static void planNext(const LocomotionPlayer* player, Course* course)
{
	const Stage* stage = &course->stages[course->current];
	Stage* next = &course->stages[1 - course->current];
	double duration = rpMovementPlan_GetDuration(&stage->plan);
	rpGaitWish wish = rpFindGaitWish(&player->model, &course->input, getDirection(course, stage));
	course->slip = getSlip(stage);
	rpGaitDirector_PlanNext(&course->director, &player->model, &stage->plan, &wish, &next->plan);
	next->start = stage->start + duration;
	next->placement = rpGround_Compose(stage->placement, rpMovementPlan_GetGround(&stage->plan, duration));
	next->placement.turn = rpWrapAngle(next->placement.turn);
	stitch(player, course, stage, next);
	closeLoop(course, next, stage);
	fillMovement(course, &wish, next, stage);
	course->isNextReady = true;
}

static void advance(const LocomotionPlayer* player, Course* course, double time, const rpPlayerInput* input)
{
	noteInput(course, time, input);
	for (;;)
	{
		const Stage* stage = &course->stages[course->current];
		double duration = rpMovementPlan_GetDuration(&stage->plan);
		if (!course->isNextReady && time >= stage->start + LOOK_AHEAD * duration)
		{
			planNext(player, course);
		}
		if (!course->isNextReady || time < stage->start + duration)
		{
			return;
		}
		course->current = 1 - course->current;
		course->isNextReady = false;
		course->isHeadCurrent = true;
	}
}

// ---- frames

static void fillSources(const Stage* stage, double time, rpPlayerReport* report)
{
	const rpMovementPlan* plan = &stage->plan;
	int count = plan->shareCount < RP_MAX_SOURCES ? plan->shareCount : RP_MAX_SOURCES;
	float sum = 0.0f;
	for (int i = 0; i < count; ++i)
	{
		sum += plan->shares[i].weight;
	}
	for (int i = 0; i < count; ++i)
	{
		report->sources[i] = (rpPlayerSource){plan->shares[i].take, rpMovementPlan_GetTakeTime(plan, i, time),
											  plan->shares[i].weight / sum};
	}
	report->sourceCount = count;
}

static void fillReport(const Stage* stage, double time, rpPlayerReport* report)
{
	rpMovementKind kind = stage->plan.kind;
	report->contacts = rpMovementPlan_GetContacts(&stage->plan, time);
	for (int i = 0; i < rp_effectorCount; ++i)
	{
		report->supportHeights[i] = stage->placement.shift.y + stage->plan.supports[i];
	}
	report->labels = 1ull << rpMovementKind_GetBefore(kind) | 1ull << rpMovementKind_GetAfter(kind);
	report->movement = stage->report;
	fillSources(stage, time, report);
}

static void sample(const Course* course, double time, rpPose* pose, rpPlayerReport* report)
{
	const Stage* stage = &course->stages[course->current];
	double passed = time - stage->start, rest = rpMovementPlan_GetDuration(&stage->plan) - passed;
	rpMovementPlan_Sample(&stage->plan, passed, stage->placement, pose);
	if (course->isHeadCurrent)
	{
		rpStitch_Apply(&course->head, (float)passed, pose);
	}
	if (course->isNextReady)
	{
		rpStitch_Apply(&course->tail, (float)rest, pose);
	}
	fillReport(stage, passed, report);
}

static void make(void* state, double time, const rpPlayerInput* input, rpPose* pose, rpPlayerReport* report)
{
	LocomotionPlayer* player = state;
	Course* course = &player->course;
	advance(player, course, time, input);
	sample(course, time, pose, report);
}

static void copyCourse(const Course* from, Course* to)
{
	rpBend *tail = to->tail.joints, *head = to->head.joints;
	size_t size = (size_t)from->tail.jointCount * sizeof(rpBend);
	*to = *from;
	to->tail.joints = tail;
	to->head.joints = head;
	memcpy(tail, from->tail.joints, size);
	memcpy(head, from->head.joints, size);
}

static void predict(const void* state, double time, const rpPlayerInput* input, rpPose* pose, rpPlayerReport* report)
{
	const LocomotionPlayer* player = state;
	copyCourse(&player->course, player->spare);
	advance(player, player->spare, time, input);
	sample(player->spare, time, pose, report);
}

// ---- making and freeing

static void destroy(void* state)
{
	LocomotionPlayer* player = state;
	rpGaitModel_Free(&player->model);
	rpFree(player->spare);
	rpFree(player->scratch);
	rpFree(player->world);
	rpFree(player->bends);
	rpFree(player);
}

static bool allocate(LocomotionPlayer* player, rpError* error)
{
	int jointCount = player->model.clips.skeleton->jointCount;
	size_t count = (size_t)jointCount;
	player->spare = rpAllocateZero(1, sizeof(Course), error);
	player->scratch = rpAllocateZero(scratchCount * count, sizeof(rpQuat), error);
	player->world = rpAllocateZero(count, sizeof(rpTransform), error);
	player->bends = rpAllocateZero(4 * count, sizeof(rpBend), error);
	if (player->spare == NULL || player->scratch == NULL || player->world == NULL || player->bends == NULL)
	{
		return false;
	}
	player->hasLegs = rpFootRig_Init(&player->rig, player->model.clips.skeleton);
	player->course.tail = (rpStitch){.joints = player->bends, .jointCount = jointCount};
	player->course.head = (rpStitch){.joints = player->bends + count, .jointCount = jointCount};
	player->spare->tail.joints = player->bends + 2 * count;
	player->spare->head.joints = player->bends + 3 * count;
	return true;
}

// The first movement begins where the root is to be.
static void start(LocomotionPlayer* player, const rpPlayerDef* def)
{
	Course* course = &player->course;
	Stage* stage = &course->stages[0];
	int most = def->neighbours > 1 ? def->neighbours : 1;
	rpWeightDef weights = {most < RP_MOST_NEIGHBOURS ? most : RP_MOST_NEIGHBOURS,
						   def->leastWeight > 0.0f ? fminf(def->leastWeight, 0.5f) : 0.0f};
	course->director = rpStartGaitDirector(def->seed, &weights);
	course->isAnswered = true;
	rpGaitDirector_PlanFirst(&course->director, &player->model, &stage->plan);
	stage->report = (rpMovementReport){.kind = stage->plan.kind, .speed = stage->plan.speed, .turn = stage->plan.turn};
	rpPose pose = getScratch(player, 0);
	rpMovementPlan_Sample(&stage->plan, 0.0, rpGround_identity, &pose);
	rpGround root = {rpHeading(pose.rotations[0]), {pose.rootPosition.x, 0.0f, pose.rootPosition.z}};
	stage->placement = rpGround_Compose(def->start, rpGround_Invert(root));
}

static void* create(const rpBundle* bundle, const rpPlayerDef* def, rpError* error)
{
	LocomotionPlayer* player = rpAllocateZero(1, sizeof(LocomotionPlayer), error);
	if (player == NULL)
	{
		return NULL;
	}
	if (!rpGaitModel_Read(&player->model, bundle, error) || !allocate(player, error))
	{
		destroy(player);
		return NULL;
	}
	for (int gait = 0; gait < rp_gaitCount; ++gait)
	{
		player->limits[gait] = rpFindGaitLimits(&player->model, (rpGait)gait);
	}
	start(player, def);
	return player;
}

static bool getLimits(const void* state, rpGait gait, rpGaitLimits* out)
{
	*out = ((const LocomotionPlayer*)state)->limits[gait];
	return out->fastest > 0.0f;
}

static rpSkeleton* getSkeleton(const void* state)
{
	return ((const LocomotionPlayer*)state)->model.clips.skeleton;
}

static const char* getClipName(const void* state, int clip)
{
	const rpGaitModel* model = &((const LocomotionPlayer*)state)->model;
	return clip >= 0 && clip < model->graph->takeCount ? model->names[clip] : NULL;
}

static const char* getLabel(const void* state, int label)
{
	(void)state;
	return label >= 0 && label < rp_gaitCount ? rpGait_GetName((rpGait)label) : NULL;
}

const rpPlayerKind rpLocomotionPlayerKind = {
	.chunk = "LHDR",
	.create = create,
	.destroy = destroy,
	.make = make,
	.predict = predict,
	.getLimits = getLimits,
	.getSkeleton = getSkeleton,
	.getClipName = getClipName,
	.getLabel = getLabel,
};
