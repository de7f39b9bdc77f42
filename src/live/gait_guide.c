/// A guide that leads a player of locomotion along a path (Kwon & Shin 2005, section 6.2, Fig. 4). The paper takes
/// speed and turn from the path's tangents alone, so that errors add up; here the turn is that of the arc from where
/// the next movement will begin to a point of the path ahead, which leads back to it (pure pursuit: Coulter 1992).
#include "base/assert.h"
#include "reprise/gait_path.h"

#include <math.h>

// The next movement that is not planned yet begins about this long after the newest frame, seconds.
#define NEXT_MOVEMENT 0.25
// The direction of going is compared with the pelvis's over this long, seconds: about a cycle, lest it sway; in
// samples.
#define CYCLE 1.0
#define CYCLE_SAMPLES 6
// Half of it: the time of a step, seconds.
#define HALF_CYCLE 0.5
// Shorter ways have no direction, metres.
#define LEAST_WAY 0.3f
// Turning back: rad/s for a radian off the path's direction, and for a metre off the path. A turn shows in about a
// second, and more would swing (at 1.3 m/s: 0.9 rad/s, damped with 0.7).
#define HEADING_GAIN 1.2f
#define PLACE_GAIN 0.6f
#define MOST_OFF 1.2f
// The bend of the path is taken from the next movement's place on over this long, seconds; tangents over these metres.
#define BEND_TIME 0.8f
#define TANGENT 0.15
// Bends this far ahead are gone slowly, seconds.
#define BRAKE_TIME 1.6f
// How far ahead of the last place on the path the next one is looked for, metres, and in how many steps.
#define SEARCH_REACH 1.0
#define SEARCH_STEPS 50
// What is gone from the moment that a stop is asked for, in seconds at the speed before, walking and running.
#define WALK_STOP 0.8f
#define RUN_STOP 1.1f
// A gait is asked for this long before its stretch begins, seconds: the transition takes that.
#define CHANGE_TIME 0.3f
// Speeds of who has told none, m/s.
#define USUAL_WALK 1.3f
#define USUAL_RUN 2.8f
// So often it is looked ahead, seconds.
#define GUIDE_TIME 0.015
// Who is farther from the path than this, metres, goes slower, by this part for a metre: he could not turn so fast.
#define NEAR_PATH 0.25f
#define OFF_PACE 0.6f
// No slower than this part of the speed in bends.
#define LEAST_PACE 0.5f
#define USUAL_STAND 2.0f

rpGaitPath rpDefaultGaitPath(void)
{
	return (rpGaitPath){.mostTurn = 1.2f};
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

// How much the path bends from a place on, rad/m.
static float getBend(const rpGaitPath* path, double along, float length)
{
	return rpWrapAngle(getTangent(path, along + (double)length) - getTangent(path, along)) / length;
}

// Where somebody goes at a time ahead: where the pelvis faces there, and by how much he went elsewhere in the cycle
// before.
static float getDirection(const rpPlayer* player, double ahead, rpGround ground)
{
	rpMovementKind kind;
	rpGround first = look(player, ahead - CYCLE, &kind);
	float x = ground.shift.x - first.shift.x, z = ground.shift.z - first.shift.z, sum = 0.0f;
	if (hypotf(x, z) < LEAST_WAY)
	{
		return ground.turn;
	}
	float way = atan2f(x, z);
	for (int i = 0; i < CYCLE_SAMPLES; ++i)
	{
		double time = ahead - CYCLE * (i + 0.5) / CYCLE_SAMPLES;
		sum += rpWrapAngle(way - look(player, time, &kind).turn);
	}
	return ground.turn + sum / CYCLE_SAMPLES;
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

static float getStopLength(const rpGaitStretch* stretch)
{
	return getSpeed(stretch) * (stretch->gait == rp_gaitRun ? RUN_STOP : WALK_STOP);
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
	if (stand == NULL || guide->along + (double)getStopLength(gone) < stand->start)
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

// Slower where the path bends so much that the turn would be too fast.
static float getPace(const rpGaitPath* path, double along, float speed)
{
	float worst = 0.0f, span = 0.5f * BEND_TIME * speed;
	for (int i = 0; i < 8; ++i)
	{
		worst = fmaxf(worst, fabsf(getBend(path, along + (double)(BRAKE_TIME * speed) * i / 8.0, span)));
	}
	return fminf(speed, fmaxf(path->mostTurn / fmaxf(worst, 1e-3f), LEAST_PACE * speed));
}

static rpPlayerInput steer(const rpGaitPath* path, const rpPlayer* player, const rpGaitStretch* stretch,
						   rpGround ground, double along)
{
	float speed = getPace(path, along, getSpeed(stretch)), tangent = getTangent(path, along);
	rpVec2 nearest = getPoint(path, along);
	float x = ground.shift.x - nearest.x, z = ground.shift.z - nearest.y;
	// To the left of the path, as +x is to the left of +z.
	float left = fminf(fmaxf(x * cosf(tangent) - z * sinf(tangent), -MOST_OFF), MOST_OFF);
	float off = rpWrapAngle(getDirection(player, rpPlayer_GetLookAhead(player) + NEXT_MOVEMENT, ground) - tangent);
	float pace = 1.0f - OFF_PACE * fmaxf(fabsf(left) - NEAR_PATH, 0.0f);
	speed *= fmaxf(pace, LEAST_PACE);
	float turn = speed * getBend(path, along, BEND_TIME * speed) - HEADING_GAIN * off - PLACE_GAIN * left;
	return (rpPlayerInput){
		.gait = stretch->gait, .speed = speed, .turn = fminf(fmaxf(turn, -path->mostTurn), path->mostTurn)};
}

static rpPlayerInput guideOn(rpGaitGuide* guide, const rpGaitPath* path, const rpPlayer* player, rpMovementKind shown)
{
	rpMovementKind kind;
	rpGround ground = lookEvenly(player, rpPlayer_GetLookAhead(player) + NEXT_MOVEMENT, &kind);
	guide->along = findNearest(path, guide->along, (rpVec2){ground.shift.x, ground.shift.z});
	rpGaitStretch stretch = getStretch(path, guide->along);
	stretch = getStretch(path, guide->along + (double)(CHANGE_TIME * getSpeed(&stretch)));
	double rest = rpGaitPath_GetLength(path) - guide->along;
	guide->isStopping = guide->isStopping || rest < (double)getStopLength(&stretch);
	guide->hasArrived = guide->isStopping && shown == rp_movementS && kind == rp_movementS;
	bool stands = guide->isStopping || waits(guide, path, player, &stretch);
	return stands ? (rpPlayerInput){.gait = rp_gaitStand} : steer(path, player, &stretch, ground, guide->along);
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
		guide->input = guideOn(guide, path, player, report.movement.kind);
		guide->nextTime = report.time + GUIDE_TIME;
	}
	return guide->input;
}
