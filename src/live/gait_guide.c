/// A guide that leads a player of locomotion along a path (Kwon & Shin 2005, section 6.2, Fig. 4). The paper takes
/// speed and turn from the path's tangents alone, so that errors add up; here what is off where the next movement will
/// begin, in direction and in place, is turned back as well.
#include "base/assert.h"
#include "reprise/play/gait_path.h"

#include <math.h>

// The time of a step, seconds. A movement is planned in the middle of the one before it, so that the next one that is
// not planned yet begins about half of that after the newest frame, and a change of gait shows from there on. Over a
// cycle, two of them, nobody sways.
#define HALF_CYCLE 0.5
#define NEXT_MOVEMENT (HALF_CYCLE / 2.0)
#define CYCLE (HALF_CYCLE * 2.0)

// So often it is looked ahead: ten times in a step.
#define LOOK_TIME (HALF_CYCLE / 10.0)

// What is shorter has no direction, metres: half a step.
#define SHORT_DISTANCE 0.3

// How much of a wrong direction is turned back in a half cycle. A turn shows in about two of them: with 0.75 the walk
// of test_gait_path swings on a straight line.
#define TURN_SHARE 0.6f

// How far ahead of the last place on the path the next one is looked for, metres: farther than anybody comes between
// two looks, and near enough to keep to one branch where a path crosses itself.
#define SEARCH_DISTANCE 1.0

// How far ahead bends are looked for that cannot be run, metres: two seconds of running, in which somebody comes to a
// walk. Where one is walked, twice as far, for a run that is shorter is not worth it, and until it would lead off by
// less than this part of what it may: with all of that, 16 random paths of 40 m were left by up to 0.66 m on the
// average, not 0.39 m.
#define BEND_DISTANCE 6.0
#define BEND_OVER 0.3f

// The default of rpGaitStretch.seconds.
#define USUAL_STAND 2.0f

rpGaitPath rpDefaultGaitPath(void)
{
	return (rpGaitPath){.maxTurnRate = 1.2f, .maxDeviation = 0.5f};
}

// ---- the path

static double getPieceLength(const rpGaitPath* path, int i)
{
	rpVec2 a = path->points[i], b = path->points[i + 1];
	return (double)rpHypot(b.x - a.x, b.y - a.y);
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

rpGroundTransform rpGaitPath_GetStart(const rpGaitPath* path)
{
	RP_ASSERT(path->pointCount >= 2);
	rpVec2 a = getPoint(path, 0.0), b = getPoint(path, SHORT_DISTANCE);
	return (rpGroundTransform){rpAtan2(b.x - a.x, b.y - a.y), {a.x, 0.0f, a.y}};
}

// How far along a piece of the path its nearest point is, metres.
static double project(rpVec2 a, rpVec2 b, double length, rpVec2 place)
{
	float dot = (place.x - a.x) * (b.x - a.x) + (place.y - a.y) * (b.y - a.y);
	return length > 0.0 ? (double)dot / length : 0.0;
}

// The nearest point that is not behind the last one; beyond the end the path goes straight on.
static double findNearest(const rpGaitPath* path, double from, rpVec2 place)
{
	double best = from, start = 0.0;
	float min = INFINITY;
	for (int i = 0; i + 1 < path->pointCount && start <= from + SEARCH_DISTANCE; ++i)
	{
		double length = getPieceLength(path, i), end = i + 2 < path->pointCount ? start + length : INFINITY;
		double along = start + project(path->points[i], path->points[i + 1], length, place);
		along = fmin(fmax(along, fmax(start, from)), fmin(end, from + SEARCH_DISTANCE));
		rpVec2 p = getPoint(path, along);
		float distance = rpHypot(p.x - place.x, p.y - place.y);
		if (end >= from && distance < min)
		{
			min = distance;
			best = along;
		}
		start += length;
	}
	return best;
}

// ---- what is asked for

static rpGroundTransform look(const rpPlayer* player, double seconds, rpMovementKind* kind)
{
	rpPlayerReport report;
	rpPlayer_Peek(player, fmax(seconds, 0.0), NULL, &report);
	*kind = report.movement.kind;
	return report.ground;
}

// The same without the sway of steps: between two moments half a cycle apart.
static rpGroundTransform lookEvenly(const rpPlayer* player, double seconds, rpMovementKind* kind)
{
	rpGroundTransform a = look(player, seconds - 0.5 * HALF_CYCLE, kind),
					  b = look(player, seconds + 0.5 * HALF_CYCLE, kind);
	return (rpGroundTransform){a.turn + 0.5f * rpWrapAngle(b.turn - a.turn), rpLerp(a.shift, b.shift, 0.5f)};
}

static float getTangent(const rpGaitPath* path, double along)
{
	double start = fmax(along - 0.5 * SHORT_DISTANCE, 0.0);
	rpVec2 a = getPoint(path, start), b = getPoint(path, start + SHORT_DISTANCE);
	return rpAtan2(b.x - a.x, b.y - a.y);
}

// How far somebody is off the path, to the left of it, metres; +x is to the left of +z.
static float getOff(const rpGaitPath* path, rpGroundTransform ground, double along)
{
	rpVec2 nearest = getPoint(path, along);
	float x = ground.shift.x - nearest.x, z = ground.shift.z - nearest.y, s, c;
	rpSinCos(getTangent(path, along), &s, &c);
	return x * c - z * s;
}

// How much the path bends from a place on, rad/m.
static float getBend(const rpGaitPath* path, double along, float length)
{
	length = fmaxf(length, (float)SHORT_DISTANCE);
	return rpWrapAngle(getTangent(path, along + (double)length) - getTangent(path, along)) / length;
}

// Where somebody who faces somewhere goes: as in the recent past. (Feet to either side let the pelvis sway.)
static float getDirection(const rpGaitGuide* guide, rpGroundTransform ground)
{
	bool hasDirection = rpHypot(guide->lately.x, guide->lately.y) > (float)SHORT_DISTANCE;
	return ground.turn + (hasDirection ? rpAtan2(guide->lately.x, guide->lately.y) : 0.0f);
}

// What was gone since the last look, in the axes of the pelvis; what is longer ago counts less and less.
static void noteDirection(rpGaitGuide* guide, rpGroundTransform shown, float seconds)
{
	rpVec3 gone = guide->hasBegun ? rpSub(shown.shift, guide->last.shift) : rpVec3_zero;
	rpVec3 displacement = rpRotate(rpYaw(-shown.turn), gone);
	float kept = rpExp(-seconds / (float)CYCLE);
	guide->lately = (rpVec2){kept * guide->lately.x + displacement.x, kept * guide->lately.y + displacement.z};
	guide->last = shown;
	guide->hasBegun = true;
}

// The speed of a stretch; where it has none, that of the takes.
static float getSpeed(const rpGaitStretch* stretch, const rpPlayer* player)
{
	rpGaitLimits limits;
	rpPlayer_GetGaitLimits(player, stretch->gait, &limits);
	return stretch->speed > 0.0f ? stretch->speed : limits.usual;
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

// From where the next movement that is not planned yet may begin to where somebody stands: a knot has to come first. A
// gait that takes show no stop out of changes into another first, in a cycle.
static float getStopLength(const rpPlayer* player, const rpGaitStretch* stretch)
{
	rpGaitLimits limits;
	rpPlayer_GetGaitLimits(player, stretch->gait, &limits);
	float speed = fminf(fmaxf(getSpeed(stretch, player), limits.slowest), limits.fastest);
	float travelled = limits.stop > 0.0f ? limits.stop : speed * (float)CYCLE;
	return travelled + speed * fmaxf(limits.halfCycle - (float)NEXT_MOVEMENT, 0.0f);
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

// Whether somebody stands in between; a stand counts from where it shows.
static bool waits(rpGaitGuide* guide, const rpGaitPath* path, const rpPlayer* player, const rpGaitStretch* gone)
{
	const rpGaitStretch* stand = findStand(guide, path);
	if (stand == NULL || !canStand(player) || guide->along + (double)getStopLength(player, gone) < stand->start)
	{
		return false;
	}
	rpPlayerReport report;
	rpPlayer_Peek(player, rpPlayer_GetLookAhead(player), NULL, &report);
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
static float getMaxTurnRate(const rpGaitPath* path, const rpGaitLimits* limits, float bend)
{
	return fminf(path->maxTurnRate, bend > 0.0f ? limits->maxTurnLeft : limits->maxTurnRight);
}

// The fastest that somebody can be in a bend. The fastest go straight on: from the usual speed on what can be turned
// becomes less and less.
static float getBendSpeed(const rpGaitPath* path, const rpGaitLimits* limits, float bend)
{
	float size = fmaxf(fabsf(bend), 1e-3f), turn = getMaxTurnRate(path, limits, bend);
	float straight = turn * limits->fastest / (turn + size * (limits->fastest - limits->usual));
	return turn < size * limits->usual ? turn / size : straight;
}

// Slower where the path bends so much that the turn would be too fast.
static float getPace(const rpGaitPath* path, const rpGaitLimits* limits, double along, float speed)
{
	float pace = speed, span = (float)HALF_CYCLE * speed;
	for (double ahead = 0.0; ahead < 2.0 * CYCLE * (double)speed; ahead += SHORT_DISTANCE)
	{
		pace = fminf(pace, getBendSpeed(path, limits, getBend(path, along + ahead, span)));
	}
	return fminf(speed, fmaxf(pace, limits->slowest));
}

// How far off the bends ahead would lead somebody who goes as takes usually do: the direction is off by the turn that
// is missing.
static float findStray(const rpGaitPath* path, const rpGaitLimits* limits, double along, double reach)
{
	float max = 0.0f, off = 0.0f, direction = 0.0f, step = (float)SHORT_DISTANCE;
	for (double s = 0.0; s < reach; s += SHORT_DISTANCE)
	{
		float bend = getBend(path, along + s, 2.0f * step);
		float can = getMaxTurnRate(path, limits, bend) / limits->usual;
		float lack = bend > can ? bend - can : bend < -can ? bend + can : 0.0f;
		// Once the bend is over, what was missed is made up for.
		float back = lack == 0.0f ? fminf(can * step, fabsf(direction)) : 0.0f;
		direction += lack * step - (direction > 0.0f ? back : -back);
		off += direction * step;
		max = fmaxf(max, fabsf(off));
	}
	return max;
}

// Whether a run would lead too far off.
static bool isToWalk(const rpGaitGuide* guide, const rpGaitPath* path, const rpGaitLimits* run)
{
	float stray = findStray(path, run, guide->along, guide->isWalkingBend ? 2.0 * BEND_DISTANCE : BEND_DISTANCE);
	return stray > path->maxDeviation * (guide->isWalkingBend ? BEND_OVER : 1.0f);
}

static void walkBends(rpGaitGuide* guide, const rpGaitPath* path, const rpPlayer* player, rpGaitStretch* stretch)
{
	rpGaitLimits run, walk;
	bool canChoose = stretch->gait == rp_gaitRun && rpPlayer_GetGaitLimits(player, rp_gaitRun, &run) &&
					 rpPlayer_GetGaitLimits(player, rp_gaitWalk, &walk);
	guide->isWalkingBend = canChoose && isToWalk(guide, path, &run);
	if (guide->isWalkingBend)
	{
		*stretch = (rpGaitStretch){.gait = rp_gaitWalk, .speed = walk.usual};
	}
}

// A character that cannot run walks, at the usual speed, and the reverse.
static rpGaitStretch makePossible(const rpPlayer* player, rpGaitStretch stretch)
{
	rpGaitLimits limits;
	rpGait other = stretch.gait == rp_gaitRun ? rp_gaitWalk : rp_gaitRun;
	bool isOther =
		!rpPlayer_GetGaitLimits(player, stretch.gait, &limits) && rpPlayer_GetGaitLimits(player, other, &limits);
	return isOther ? (rpGaitStretch){.start = stretch.start, .gait = other, .speed = limits.usual} : stretch;
}

static rpPlayerInput steer(const rpGaitGuide* guide, const rpGaitPath* path, const rpPlayer* player,
						   const rpGaitStretch* stretch, rpGroundTransform ground)
{
	double along = guide->along;
	rpGaitLimits limits;
	rpPlayer_GetGaitLimits(player, stretch->gait, &limits);
	float speed = getPace(path, &limits, along, getSpeed(stretch, player)), tangent = getTangent(path, along);
	float gain = TURN_SHARE / (limits.halfCycle > 0.0f ? limits.halfCycle : (float)HALF_CYCLE);
	// The path is approached at an angle that grows with the distance, as the Stanley vehicle does (Thrun et al. 2006);
	// with the gain over the speed it is damped by a half.
	float approach = rpAtan2(gain * getOff(path, ground, along), speed);
	float off = rpWrapAngle(getDirection(guide, ground) - tangent + approach);
	float turn = speed * getBend(path, along, (float)CYCLE * speed) - gain * off;
	return (rpPlayerInput){.request = stretch->gait,
						   .locomotion.speed = speed,
						   .locomotion.turn = fminf(fmaxf(turn, -path->maxTurnRate), path->maxTurnRate)};
}

// Whether a place is beyond the end of the path, for a guide that is near it.
static bool isPastEnd(const rpGaitGuide* guide, const rpGaitPath* path, rpVec3 place)
{
	double length = rpGaitPath_GetLength(path);
	rpVec2 end = getPoint(path, length);
	float s, c;
	rpSinCos(getTangent(path, length), &s, &c);
	float past = (place.x - end.x) * s + (place.z - end.y) * c;
	return guide->along >= length - SEARCH_DISTANCE && past >= 0.0f;
}

static rpPlayerInput guideOn(rpGaitGuide* guide, const rpGaitPath* path, const rpPlayer* player,
							 const rpPlayerReport* shown)
{
	rpMovementKind kind;
	double before = guide->along;
	rpGroundTransform ground = lookEvenly(player, rpPlayer_GetLookAhead(player) + NEXT_MOVEMENT, &kind);
	guide->along = findNearest(path, guide->along, (rpVec2){ground.shift.x, ground.shift.z});
	guide->walkedBends += guide->isWalkingBend ? guide->along - before : 0.0;
	rpGaitStretch stretch = getStretch(path, guide->along);
	stretch = getStretch(path, guide->along + NEXT_MOVEMENT * (double)getSpeed(&stretch, player));
	rpGait asked = stretch.gait;
	stretch = makePossible(player, stretch);
	walkBends(guide, path, player, &stretch);
	double rest = rpGaitPath_GetLength(path) - guide->along;
	bool stops = canStand(player);
	guide->isStopping = guide->isStopping || (stops && rest < (double)getStopLength(player, &stretch));
	// A character that cannot stand has arrived where the path ends.
	guide->hasArrived = stops ? guide->isStopping && shown->movement.kind == rp_movementS && kind == rp_movementS
							  : isPastEnd(guide, path, shown->ground.shift);
	if (guide->isStopping || waits(guide, path, player, &stretch))
	{
		return (rpPlayerInput){.request = rp_gaitStand};
	}
	rpPlayerInput input = steer(guide, path, player, &stretch, ground);
	// Bends that cannot be run are walked on purpose; what the model lacks is asked for all the same, and reported.
	input.request = guide->isWalkingBend ? input.request : (int)asked;
	return input;
}

rpPlayerInput rpGaitGuide_Step(rpGaitGuide* guide, const rpGaitPath* path, const rpPlayer* player)
{
	RP_ASSERT(path->pointCount >= 2);
	rpPlayerReport report;
	rpPlayer_Peek(player, 0.0, NULL, &report);
	// Movements are planned a few times in a second: there is no need to look ahead in each tick.
	if (report.time >= guide->nextTime)
	{
		noteDirection(guide, report.ground, (float)(report.time - guide->nextTime + LOOK_TIME));
		guide->input = guideOn(guide, path, player, &report);
		guide->nextTime = report.time + LOOK_TIME;
	}
	return guide->input;
}
