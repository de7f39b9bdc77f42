/// A guide that leads a player of locomotion along a path (Kwon & Shin 2005, section 6.2, Fig. 4). The paper takes
/// speed and turn from the path's tangents alone, so that errors add up; here the turn is that of the arc from where
/// the next movement will begin to a point of the path ahead, which leads back to it (pure pursuit: Coulter 1992).
#include "base/assert.h"
#include "reprise/gait_path.h"

#include <math.h>

// The next movement that is not planned yet begins about this long after the newest frame, seconds.
#define NEXT_MOVEMENT 0.25
// The direction of going is compared with the pelvis's over about this long, seconds: a cycle, lest it sway.
#define CYCLE 1.0f
// Half of it: the time of a step, seconds.
#define HALF_CYCLE 0.5
// Shorter ways have no direction, metres.
#define LEAST_WAY 0.3f
// Turning back: rad/s for a radian off the path's direction, and for a metre off the path in a second at a speed. A
// turn shows in about a second, and more would swing (0.9 rad/s, damped with 0.7).
#define HEADING_GAIN 1.2f
#define PLACE_GAIN 0.6f
#define MOST_OFF 1.2f
// The bend of the path is taken from the next movement's place on over this long, seconds; tangents over these metres.
#define BEND_TIME 0.8f
#define TANGENT 0.15
// Bends this far ahead are gone slowly, seconds.
#define BRAKE_TIME 1.6f
// How far ahead bends are looked for that cannot be run, metres, and in which steps. Those that were walked are over
// where running would lead off by less than this part of what it may, for as long as a run is worth it.
#define BEND_REACH 6.0
#define RUN_REACH 12.0
#define BEND_STEP 0.5
#define BEND_OVER 0.3f
// From run to walk it takes this far, metres; and who is so many times as far off as he may be is lost.
#define BEND_CHANGE 1.0
#define LOST 3.0f
// How far ahead of the last place on the path the next one is looked for, metres, and in how many steps.
#define SEARCH_REACH 1.0
#define SEARCH_STEPS 50
// What is gone from the moment that a stop is asked for where the takes show none out of the gait, in seconds at the
// speed before, walking and running.
#define WALK_STOP 0.8f
#define RUN_STOP 1.1f
// A gait is asked for this long before its stretch begins, seconds: the transition takes that.
#define CHANGE_TIME 0.3f
// Speeds of who has told none, m/s.
#define USUAL_WALK 1.3f
#define USUAL_RUN 2.8f
// So often it is looked ahead, seconds.
#define GUIDE_TIME 0.05
// Who is farther from the path than this, metres, goes slower, by this part for a metre: he could not turn so fast.
#define NEAR_PATH 0.25f
#define OFF_PACE 0.6f
// No slower than this part of the speed.
#define LEAST_PACE 0.5f
// Whoever cannot turn at all turns this little, rad/s: nothing is divided by nothing.
#define LEAST_TURN 0.02f
#define USUAL_STAND 2.0f

rpGaitPath rpDefaultGaitPath(void)
{
	return (rpGaitPath){.mostTurn = 1.2f, .mostOff = 0.5f};
}

// ---- the path

static double getPieceLength(const rpGaitPath* path, int i)
{
	rpVec2 a = path->points[i], b = path->points[i + 1];
	return (double)hypotf(b.x - a.x, b.y - a.y);
}

double rpGaitPath_GetLength(const rpGaitPath* path)
{
	double length = 0.0;
	for (int i = 0; i + 1 < path->pointCount; ++i)
	{
		length += getPieceLength(path, i);
	}
	return length;
}

// The point at a length along the path; beyond its end straight on.
static rpVec2 getPoint(const rpGaitPath* path, double along)
{
	int i = 0;
	double length = getPieceLength(path, 0);
	while (i + 2 < path->pointCount && along > length)
	{
		along -= length;
		length = getPieceLength(path, ++i);
	}
	rpVec2 a = path->points[i], b = path->points[i + 1];
	float t = length > 0.0 ? (float)(along / length) : 0.0f;
	return (rpVec2){a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
}

rpGround rpGaitPath_GetStart(const rpGaitPath* path)
{
	RP_ASSERT(path->pointCount >= 2);
	rpVec2 a = getPoint(path, 0.0), b = getPoint(path, 0.3);
	return (rpGround){atan2f(b.x - a.x, b.y - a.y), {a.x, 0.0f, a.y}};
}

// The nearest point that is not behind the last one.
static double findNearest(const rpGaitPath* path, double from, rpVec2 place)
{
	double best = from;
	float least = INFINITY;
	for (int i = 0; i <= SEARCH_STEPS; ++i)
	{
		double along = from + SEARCH_REACH * i / SEARCH_STEPS;
		rpVec2 p = getPoint(path, along);
		float distance = hypotf(p.x - place.x, p.y - place.y);
		if (distance < least)
		{
			least = distance;
			best = along;
		}
	}
	return best;
}

// ---- what is asked for

static rpGround look(const rpPlayer* player, double seconds, rpMovementKind* kind)
{
	rpQuat rotations[RP_MAX_JOINTS];
	rpPose pose = {.rotations = rotations};
	rpPlayerReport report;
	rpPlayer_Peek(player, fmax(seconds, 0.0), &pose, &report);
	*kind = report.movement.kind;
	return report.ground;
}

// The same without the sway of steps: between two moments half a cycle apart.
static rpGround lookEvenly(const rpPlayer* player, double seconds, rpMovementKind* kind)
{
	rpGround a = look(player, seconds - 0.5 * HALF_CYCLE, kind), b = look(player, seconds + 0.5 * HALF_CYCLE, kind);
	return (rpGround){a.turn + 0.5f * rpWrapAngle(b.turn - a.turn), rpLerp(a.shift, b.shift, 0.5f)};
}

static float getTangent(const rpGaitPath* path, double along)
{
	rpVec2 a = getPoint(path, fmax(along - TANGENT, 0.0)),
		   b = getPoint(path, fmax(along - TANGENT, 0.0) + 2.0 * TANGENT);
	return atan2f(b.x - a.x, b.y - a.y);
}

// How far somebody is off the path, to the left of it, metres; +x is to the left of +z.
static float getOff(const rpGaitPath* path, rpGround ground, double along)
{
	rpVec2 nearest = getPoint(path, along);
	float tangent = getTangent(path, along), x = ground.shift.x - nearest.x, z = ground.shift.z - nearest.y;
	return x * cosf(tangent) - z * sinf(tangent);
}

// How much the path bends from a place on, rad/m.
static float getBend(const rpGaitPath* path, double along, float length)
{
	return rpWrapAngle(getTangent(path, along + (double)length) - getTangent(path, along)) / length;
}

// Where somebody who faces somewhere goes: as he went of late. (Feet to either side let the pelvis sway.)
static float getDirection(const rpGaitGuide* guide, rpGround ground)
{
	bool isWay = hypotf(guide->lately.x, guide->lately.y) > LEAST_WAY;
	return ground.turn + (isWay ? atan2f(guide->lately.x, guide->lately.y) : 0.0f);
}

// What was gone since the last look, in the axes of the pelvis; what is longer ago counts less and less.
static void noteWay(rpGaitGuide* guide, rpGround shown, float seconds)
{
	rpVec3 gone = guide->hasBegun ? rpSub(shown.shift, guide->last.shift) : rpVec3_zero;
	rpVec3 way = rpRotate(rpYaw(-shown.turn), gone);
	float kept = expf(-seconds / CYCLE);
	guide->lately = (rpVec2){kept * guide->lately.x + way.x, kept * guide->lately.y + way.z};
	guide->last = shown;
	guide->hasBegun = true;
}

static float getSpeed(const rpGaitStretch* stretch)
{
	float usual = stretch->gait == rp_gaitRun ? USUAL_RUN : USUAL_WALK;
	return stretch->speed > 0.0f ? stretch->speed : usual;
}

// The stretch that holds at a place of the path; stands have no length.
static rpGaitStretch getStretch(const rpGaitPath* path, double along)
{
	rpGaitStretch stretch = {.gait = rp_gaitWalk};
	for (int i = 0; i < path->stretchCount; ++i)
	{
		bool holds = path->stretches[i].start <= along && path->stretches[i].gait != rp_gaitStand;
		stretch = holds ? path->stretches[i] : stretch;
	}
	return stretch;
}

// From where the next movement that is not planned yet may begin to where somebody stands: a knot has to come first.
static float getStopLength(const rpPlayer* player, const rpGaitStretch* stretch)
{
	rpGaitLimits limits;
	float speed = getSpeed(stretch);
	if (!rpPlayer_GetGaitLimits(player, stretch->gait, &limits) || !(limits.stop > 0.0f))
	{
		return speed * (stretch->gait == rp_gaitRun ? RUN_STOP : WALK_STOP);
	}
	speed = fminf(fmaxf(speed, limits.slowest), limits.fastest);
	return limits.stop + speed * fmaxf(limits.halfCycle - (float)NEXT_MOVEMENT, 0.0f);
}

// Whether takes show how to come to a stand out of some gait.
static bool canStand(const rpPlayer* player)
{
	bool can = false;
	for (int gait = 0; gait < rp_gaitCount && !can; ++gait)
	{
		rpGaitLimits limits;
		can = rpPlayer_GetGaitLimits(player, (rpGait)gait, &limits) && limits.stop > 0.0f;
	}
	return can;
}

// The next stand that was not waited out yet, or NULL.
static const rpGaitStretch* findStand(const rpGaitGuide* guide, const rpGaitPath* path)
{
	int stands = 0;
	for (int i = 0; i < path->stretchCount; ++i)
	{
		if (path->stretches[i].gait == rp_gaitStand && stands++ == guide->stoodCount)
		{
			return path->stretches + i;
		}
	}
	return NULL;
}

// Whether somebody stands on the way; a stand counts from where it shows.
static bool waits(rpGaitGuide* guide, const rpGaitPath* path, const rpPlayer* player, const rpGaitStretch* gone)
{
	const rpGaitStretch* stand = findStand(guide, path);
	if (stand == NULL || !canStand(player) || guide->along + (double)getStopLength(player, gone) < stand->start)
	{
		return false;
	}
	rpQuat rotations[RP_MAX_JOINTS];
	rpPose pose = {.rotations = rotations};
	rpPlayerReport report;
	rpPlayer_Peek(player, rpPlayer_GetLookAhead(player), &pose, &report);
	if (!guide->isStanding && report.movement.kind == rp_movementS)
	{
		guide->isStanding = true;
		guide->standStart = report.time;
	}
	double seconds = (double)(stand->seconds > 0.0f ? stand->seconds : USUAL_STAND);
	if (guide->isStanding && report.time - guide->standStart >= seconds)
	{
		guide->isStanding = false;
		++guide->stoodCount;
		return false;
	}
	return true;
}

// How fast somebody may turn who follows a bend, rad/m to the left.
static float getMostTurn(const rpGaitPath* path, const rpGaitLimits* limits, float bend)
{
	return fmaxf(fminf(path->mostTurn, bend > 0.0f ? limits->mostLeft : limits->mostRight), LEAST_TURN);
}

// The fastest that somebody can be in a bend. The fastest go straight on: from the usual speed on what can be turned
// becomes less and less.
static float getBendSpeed(const rpGaitPath* path, const rpGaitLimits* limits, float bend)
{
	float size = fmaxf(fabsf(bend), 1e-3f), turn = getMostTurn(path, limits, bend);
	float straight = turn * limits->fastest / (turn + size * (limits->fastest - limits->usual));
	return turn < size * limits->usual ? turn / size : straight;
}

// Slower where the path bends so much that the turn would be too fast.
static float getPace(const rpGaitPath* path, const rpGaitLimits* limits, double along, float speed)
{
	float pace = speed, span = 0.5f * BEND_TIME * speed;
	for (int i = 0; i < 8; ++i)
	{
		float bend = getBend(path, along + (double)(BRAKE_TIME * speed) * i / 8.0, span);
		pace = fminf(pace, getBendSpeed(path, limits, bend));
	}
	return fminf(speed, fmaxf(pace, limits->slowest));
}

/// A bend ahead that cannot be gone: metres until it begins, and how far off it would lead.
typedef struct Stray
{
	double start;
	float off;
} Stray;

// Of somebody who goes as takes usually do: his direction is off by what he cannot turn.
static Stray findStray(const rpGaitPath* path, const rpGaitLimits* limits, double along, double reach)
{
	Stray stray = {INFINITY, 0.0f};
	float off = 0.0f, direction = 0.0f;
	for (int i = 0; i * BEND_STEP < reach; ++i)
	{
		double s = i * BEND_STEP;
		float bend = getBend(path, along + s, 2.0f * (float)BEND_STEP);
		float can = getMostTurn(path, limits, bend) / fmaxf(limits->usual, 0.1f);
		float lack = bend > can ? bend - can : bend < -can ? bend + can : 0.0f;
		// Once the bend is over, what was missed is made up for.
		float back = lack == 0.0f ? fminf(can * (float)BEND_STEP, fabsf(direction)) : 0.0f;
		stray.start = lack != 0.0f ? fmin(stray.start, s) : stray.start;
		direction += lack * (float)BEND_STEP - (direction > 0.0f ? back : -back);
		off += direction * (float)BEND_STEP;
		stray.off = fmaxf(stray.off, fabsf(off));
	}
	return stray;
}

// Whether a run would lead too far off. Changes of gait do not turn: in a bend it is too late for them, unless somebody
// has lost the path.
static bool isToWalk(const rpGaitGuide* guide, const rpGaitPath* path, const rpGaitLimits* run, rpGait gait, float off)
{
	Stray stray = findStray(path, run, guide->along, guide->isWalkingBend ? RUN_REACH : BEND_REACH);
	if (guide->isWalkingBend)
	{
		return fmaxf(stray.off, fabsf(off)) > BEND_OVER * path->mostOff;
	}
	bool isInTime = gait != rp_gaitRun || stray.start > BEND_CHANGE;
	return (stray.off > path->mostOff && isInTime) || fabsf(off) > LOST * path->mostOff;
}

static void walkBends(rpGaitGuide* guide, const rpGaitPath* path, const rpPlayer* player, rpGait gait, float off,
					  rpGaitStretch* stretch)
{
	rpGaitLimits run, walk;
	bool canChoose = stretch->gait == rp_gaitRun && rpPlayer_GetGaitLimits(player, rp_gaitRun, &run) &&
					 rpPlayer_GetGaitLimits(player, rp_gaitWalk, &walk);
	guide->isWalkingBend = canChoose && isToWalk(guide, path, &run, gait, off);
	if (guide->isWalkingBend)
	{
		*stretch = (rpGaitStretch){.gait = rp_gaitWalk, .speed = walk.usual};
	}
}

// Whoever cannot run walks, at the usual speed, and the other way round.
static rpGaitStretch makePossible(const rpPlayer* player, rpGaitStretch stretch)
{
	rpGaitLimits limits;
	rpGait other = stretch.gait == rp_gaitRun ? rp_gaitWalk : rp_gaitRun;
	bool isOther =
		!rpPlayer_GetGaitLimits(player, stretch.gait, &limits) && rpPlayer_GetGaitLimits(player, other, &limits);
	return isOther ? (rpGaitStretch){.start = stretch.start, .gait = other, .speed = limits.usual} : stretch;
}

static rpPlayerInput steer(const rpGaitGuide* guide, const rpGaitPath* path, const rpPlayer* player,
						   const rpGaitStretch* stretch, rpGround ground)
{
	double along = guide->along;
	rpGaitLimits limits;
	rpPlayer_GetGaitLimits(player, stretch->gait, &limits);
	float speed = getPace(path, &limits, along, getSpeed(stretch)), tangent = getTangent(path, along);
	float left = fminf(fmaxf(getOff(path, ground, along), -MOST_OFF), MOST_OFF);
	float off = rpWrapAngle(getDirection(guide, ground) - tangent);
	float pace = 1.0f - OFF_PACE * fmaxf(fabsf(left) - NEAR_PATH, 0.0f);
	speed *= fmaxf(pace, LEAST_PACE);
	float turn = speed * getBend(path, along, BEND_TIME * speed) - HEADING_GAIN * off - PLACE_GAIN * left;
	return (rpPlayerInput){
		.gait = stretch->gait, .speed = speed, .turn = fminf(fmaxf(turn, -path->mostTurn), path->mostTurn)};
}

// Whether a place is beyond the end of the path, for a guide that is near it.
static bool isPastEnd(const rpGaitGuide* guide, const rpGaitPath* path, rpVec3 place)
{
	double length = rpGaitPath_GetLength(path);
	rpVec2 end = getPoint(path, length);
	float tangent = getTangent(path, length);
	float past = (place.x - end.x) * sinf(tangent) + (place.z - end.y) * cosf(tangent);
	return guide->along >= length - SEARCH_REACH && past >= 0.0f;
}

static rpPlayerInput guideOn(rpGaitGuide* guide, const rpGaitPath* path, const rpPlayer* player,
							 const rpPlayerReport* shown)
{
	rpMovementKind kind;
	double before = guide->along;
	rpGround ground = lookEvenly(player, rpPlayer_GetLookAhead(player) + NEXT_MOVEMENT, &kind);
	guide->along = findNearest(path, guide->along, (rpVec2){ground.shift.x, ground.shift.z});
	guide->walkedBends += guide->isWalkingBend ? guide->along - before : 0.0;
	rpGaitStretch stretch = getStretch(path, guide->along);
	stretch = getStretch(path, guide->along + (double)(CHANGE_TIME * getSpeed(&stretch)));
	rpGait asked = stretch.gait;
	stretch = makePossible(player, stretch);
	walkBends(guide, path, player, rpMovementKind_GetAfter(kind), getOff(path, ground, guide->along), &stretch);
	double rest = rpGaitPath_GetLength(path) - guide->along;
	bool stops = canStand(player);
	guide->isStopping = guide->isStopping || (stops && rest < (double)getStopLength(player, &stretch));
	// Whoever cannot stand has arrived where the path ends.
	guide->hasArrived = stops ? guide->isStopping && shown->movement.kind == rp_movementS && kind == rp_movementS
							  : isPastEnd(guide, path, shown->ground.shift);
	if (guide->isStopping || waits(guide, path, player, &stretch))
	{
		return (rpPlayerInput){.gait = rp_gaitStand};
	}
	rpPlayerInput input = steer(guide, path, player, &stretch, ground);
	// Bends that cannot be run are walked on purpose; what the model lacks is asked for all the same, and told.
	input.gait = guide->isWalkingBend ? input.gait : asked;
	return input;
}

rpPlayerInput rpGaitGuide_Step(rpGaitGuide* guide, const rpGaitPath* path, const rpPlayer* player)
{
	RP_ASSERT(path->pointCount >= 2);
	rpQuat rotations[RP_MAX_JOINTS];
	rpPose pose = {.rotations = rotations};
	rpPlayerReport report;
	rpPlayer_Peek(player, 0.0, &pose, &report);
	// Movements are planned a few times in a second: there is no need to look ahead in each tick.
	if (report.time >= guide->nextTime)
	{
		noteWay(guide, report.ground, (float)(report.time - guide->nextTime + GUIDE_TIME));
		guide->input = guideOn(guide, path, player, &report);
		guide->nextTime = report.time + GUIDE_TIME;
	}
	return guide->input;
}
