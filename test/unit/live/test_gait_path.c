/// A player of locomotion led along paths, with gaits along them.
#include "locomotion_scene.h"
#include "support.h"

#include <math.h>
#include <string.h>

enum
{
	pointCount = 200,
};

static TestLocomotion s_takes;
static rpLocomotion* s_model;

static int setUp(void** state)
{
	(void)state;
	static const char* const scripts[] = {
		"stand 2; walk 4 1.3; walk 4 1.2 45; walk 4 1.2 -45; run 3 2.8; walk 3 1.5; stand 2; walk 3 1; stand 2",
		"stand 2; run 4 2.6; run 3 2.4 30; run 3 2.4 -30; stand 2; walk 3 1.4; run 2 3; stand 2; walk 2; stand 2"};
	s_takes = testPerformLocomotion(scripts, 2, 60.0, 3);
	s_model = testBuildLocomotion(&s_takes, true);
	return 0;
}

static int tearDown(void** state)
{
	(void)state;
	rpDestroyLocomotion(s_model);
	testFreeLocomotion(&s_takes);
	return 0;
}

/// What became of a path.
typedef struct Trip
{
	bool hasArrived;
	double seconds, mean, max;

	/// How far the last place is from the path's end, metres.
	double left;

	/// Frames shown in movements of each gait, and stands in between that were left again.
	int frames[rp_gaitCount];
	int standCount;

	/// Metres that were walked where running was asked for.
	double walkedBends;
} Trip;

static double measure(const rpGaitPath* path, rpVec3 place)
{
	double min = INFINITY;
	for (int i = 0; i < path->pointCount; ++i)
	{
		min = fmin(min, hypot((double)(path->points[i].x - place.x), (double)(path->points[i].y - place.z)));
	}
	return min;
}

static Trip followWith(const rpLocomotion* model, const rpGaitPath* path, double fps)
{
	size_t size;
	rpError error = {0};
	void* bytes = rpWriteLocomotionBundle(model, &size, &error);
	rpBundle* bundle = rpCreateBundle(bytes, size, &error);
	rpPlayerDef def = rpDefaultPlayerDef();
	def.start = rpGaitPath_GetStart(path);
	rpPlayer* player = rpCreatePlayer(bundle, &def, &error);
	assert_non_null(player);
	rpQuat rotations[128];
	rpPose pose = {.rotations = rotations};
	rpPlayerReport report = {0};
	rpGaitGuide guide = {0};
	Trip trip = {0};
	int frames = 0;
	bool stood = true;
	for (; frames < (int)(120.0 * fps) && !guide.hasArrived; ++frames)
	{
		rpPlayerInput input = rpGaitGuide_Step(&guide, path, player);
		rpPlayer_Step(player, frames > 0 ? 1.0 / fps : 0.0, &input, &pose, &report);
		double off = measure(path, report.ground.shift);
		rpMovementKind kind = report.movement.kind;
		trip.mean += off;
		trip.max = fmax(trip.max, off);
		trip.frames[rpMovementKind_GetBefore(kind)] += rpMovementKind_GetBefore(kind) == rpMovementKind_GetAfter(kind);
		trip.standCount += stood && kind != rp_movementS;
		stood = kind == rp_movementS;
	}
	rpVec2 end = path->points[path->pointCount - 1];
	trip.left = hypot((double)(end.x - report.ground.shift.x), (double)(end.y - report.ground.shift.z));
	trip.hasArrived = guide.hasArrived;
	trip.walkedBends = guide.walkedBends;
	trip.seconds = frames / fps;
	trip.mean /= frames;
	rpDestroyPlayer(player);
	rpDestroyBundle(bundle);
	rpFreeBytes(bytes);
	return trip;
}

static Trip follow(const rpGaitPath* path, double fps)
{
	return followWith(s_model, path, fps);
}

static rpGaitPath makePath(rpVec2* points, rpVec2 (*shape)(double t))
{
	rpGaitPath path = rpDefaultGaitPath();
	for (int i = 0; i < pointCount; ++i)
	{
		points[i] = shape(i / (pointCount - 1.0));
	}
	path.points = points;
	path.pointCount = pointCount;
	return path;
}

static rpVec2 line(double t)
{
	return (rpVec2){(float)(3.0 + 12.0 * t), (float)(1.0 - 9.0 * t)};
}

static rpVec2 circle(double t)
{
	return (rpVec2){(float)(5.0 - 5.0 * cos(2.0 * RP_PI * t)), (float)(5.0 * sin(2.0 * RP_PI * t))};
}

static rpVec2 wave(double t)
{
	return (rpVec2){(float)(1.5 * sin(2.0 * RP_PI * 1.5 * t)), (float)(20.0 * t)};
}

static void checkTrip(const char* name, const Trip* trip, double mean, double max)
{
	print_message("%s: %.1f s, %.3f m off, %.3f at most, %.2f m from its end\n", name, trip->seconds, trip->mean,
				  trip->max, trip->left);
	assert_true(trip->hasArrived);
	assert_true(trip->mean < mean);
	assert_true(trip->max < max);
	assert_true(trip->left < 0.7);
}

static void measuresPaths(void** state)
{
	(void)state;
	rpVec2 points[pointCount];
	rpGaitPath path = makePath(points, line);
	assert_true(fabs(rpGaitPath_GetLength(&path) - 15.0) < 1e-3);
	rpGroundTransform start = rpGaitPath_GetStart(&path);
	assert_true(fabsf(start.shift.x - 3.0f) < 1e-6f && fabsf(start.shift.z - 1.0f) < 1e-6f);
	assert_true(fabsf(start.turn - atan2f(12.0f, -9.0f)) < 1e-3f);
	path = makePath(points, circle);
	assert_true(fabs(rpGaitPath_GetLength(&path) - 10.0 * RP_PI) < 0.01);
}

static void walksAlong(void** state)
{
	(void)state;
	rpVec2 points[pointCount];
	rpGaitPath path = makePath(points, line);
	Trip trip = follow(&path, 60.0);
	checkTrip("line", &trip, 0.08, 0.25);
	path = makePath(points, circle);
	trip = follow(&path, 60.0);
	checkTrip("circle", &trip, 0.1, 0.3);
	path = makePath(points, wave);
	trip = follow(&path, 60.0);
	checkTrip("wave", &trip, 0.12, 0.4);
	assert_int_equal(trip.frames[rp_gaitRun], 0);
}

// Ticks of another length show nearly the same path: what is asked for is asked for at other times.
static void walksAtAnyRate(void** state)
{
	(void)state;
	rpVec2 points[pointCount];
	rpGaitPath path = makePath(points, circle);
	Trip trip = follow(&path, 25.0);
	checkTrip("circle at 25 Hz", &trip, 0.1, 0.3);
}

static void changesGaits(void** state)
{
	(void)state;
	rpVec2 points[pointCount];
	rpGaitStretch stretches[] = {
		{.gait = rp_gaitWalk}, {.start = 5.0, .gait = rp_gaitRun, .speed = 2.5f}, {.start = 11.0, .gait = rp_gaitWalk}};
	rpGaitPath path = makePath(points, line);
	path.stretches = stretches;
	path.stretchCount = 3;
	Trip trip = follow(&path, 60.0);
	checkTrip("walk, run, walk", &trip, 0.15, 0.5);
	assert_true(trip.frames[rp_gaitRun] > 60 && trip.frames[rp_gaitWalk] > 120);
	// Six metres at 2.5 m/s, with what the changes take.
	assert_true(trip.frames[rp_gaitRun] < 240);
}

static void standsOnTheWay(void** state)
{
	(void)state;
	rpVec2 points[pointCount];
	rpGaitStretch stretches[] = {{.gait = rp_gaitWalk}, {.start = 7.0, .gait = rp_gaitStand, .seconds = 3.0f}};
	rpGaitPath path = makePath(points, line);
	Trip through = follow(&path, 60.0);
	path.stretches = stretches;
	path.stretchCount = 2;
	Trip trip = follow(&path, 60.0);
	checkTrip("with a stand", &trip, 0.1, 0.3);
	assert_int_equal(through.standCount, 1);
	assert_int_equal(trip.standCount, 2);
	assert_true(trip.seconds > through.seconds + 3.0 && trip.seconds < through.seconds + 8.0);
}

// Straight, then round a bend of a radius for so many radians, then straight.
static rpGaitPath makeBend(rpVec2* points, double radius, double angle, double straight)
{
	rpGaitPath path = rpDefaultGaitPath();
	double length = 2.0 * straight + radius * angle, x = 0.0, z = 0.0, heading = 0.0, step = length / (pointCount - 1);
	for (int i = 0; i < pointCount; ++i)
	{
		points[i] = (rpVec2){(float)x, (float)z};
		double along = i * step;
		heading += along > straight && along < straight + radius * angle ? step / radius : 0.0;
		x += step * sin(heading);
		z += step * cos(heading);
	}
	path.points = points;
	path.pointCount = pointCount;
	return path;
}

// Runs of these takes turn by about 0.4 rad/s: 2.8 m/s is too fast for a bend of 5.5 m.
static void slowsForBends(void** state)
{
	(void)state;
	rpVec2 points[pointCount];
	rpGaitStretch run = {.gait = rp_gaitRun, .speed = 2.8f};
	rpGaitPath path = makeBend(points, 5.5, RP_PI, 8.0);
	path.stretches = &run;
	path.stretchCount = 1;
	Trip trip = follow(&path, 60.0);
	checkTrip("a bend, running", &trip, 0.15, 0.5);
	assert_true(trip.walkedBends == 0.0 && trip.frames[rp_gaitRun] > trip.frames[rp_gaitWalk]);
}

// One of 1.5 m cannot be run by them: it is walked, unless that is not wanted.
static void walksTightBends(void** state)
{
	(void)state;
	rpVec2 points[pointCount];
	rpGaitStretch run = {.gait = rp_gaitRun, .speed = 2.8f};
	rpGaitPath path = makeBend(points, 1.5, RP_PI, 10.0);
	path.stretches = &run;
	path.stretchCount = 1;
	Trip walked = follow(&path, 60.0);
	checkTrip("a tight bend, walked", &walked, 0.2, 0.8);
	path.maxDeviation = INFINITY;
	Trip ran = follow(&path, 60.0);
	print_message("a tight bend, run: %.3f m off, %.3f at most; walked %.1f m of it\n", ran.mean, ran.max,
				  walked.walkedBends);
	assert_true(walked.walkedBends > 3.0 && walked.walkedBends < 12.0);
	assert_true(ran.walkedBends == 0.0);
	assert_true(ran.max > walked.max + 0.3);
}

// What the takes cover.
static void reportsLimits(void** state)
{
	(void)state;
	size_t size;
	rpGaitLimits walk, run, stand;
	void* bytes = rpWriteLocomotionBundle(s_model, &size, NULL);
	rpBundle* bundle = rpCreateBundle(bytes, size, NULL);
	rpPlayer* player = rpCreatePlayer(bundle, NULL, NULL);
	assert_true(rpPlayer_GetGaitLimits(player, rp_gaitWalk, &walk));
	assert_true(rpPlayer_GetGaitLimits(player, rp_gaitRun, &run));
	assert_false(rpPlayer_GetGaitLimits(player, rp_gaitStand, &stand));
	assert_true(walk.slowest > 0.5f && walk.slowest < walk.usual && walk.usual < walk.fastest);
	assert_true(walk.fastest < run.fastest && run.fastest < 3.5f);
	// With mirror images both sides are alike; walks of 45 degrees per second, runs of 30.
	assert_float_equal(walk.maxTurnLeft, walk.maxTurnRight, 1e-4);
	assert_true(walk.maxTurnLeft > 0.6f && walk.maxTurnLeft < 1.0f);
	assert_true(run.maxTurnLeft > 0.35f && run.maxTurnLeft < 0.7f);
	assert_true(stand.fastest == 0.0f);
	assert_true(walk.halfCycle > 0.4f && walk.halfCycle < 0.7f && run.halfCycle > 0.25f && run.halfCycle < 0.45f);
	assert_true(walk.stop > 0.2f && walk.stop < 0.8f && run.stop > walk.stop && run.stop < 1.5f);
	assert_true(rpPlayer_GetLookAhead(player) == 0.0);
	rpDestroyPlayer(player);
	rpDestroyBundle(bundle);
	rpFreeBytes(bytes);
}

// A model that cannot stand ends where the path does, and goes through where it was to stand; asked to run, one that
// cannot walks.
static void endsWithoutStands(void** state)
{
	(void)state;
	static const char* const scripts[] = {"walk 8 1.3", "walk 6 1.2 20", "walk 6 1.2 -20"};
	static const rpGaitStretch stretches[] = {{0.0, rp_gaitRun, 2.8f, 0.0f}, {6.0, rp_gaitStand, 0.0f, 2.0f}};
	TestLocomotion takes = testPerformLocomotion(scripts, 3, 60.0, 3);
	rpLocomotion* model = testBuildLocomotion(&takes, true);
	rpVec2 points[pointCount];
	rpGaitPath path = makePath(points, line);
	path.stretches = stretches;
	path.stretchCount = 2;
	Trip trip = followWith(model, &path, 60.0);
	checkTrip("without stands", &trip, 0.2, 0.5);
	assert_int_equal(trip.frames[rp_gaitStand] + trip.frames[rp_gaitRun], 0);
	assert_true(trip.seconds < 16.0);
	rpDestroyLocomotion(model);
	testFreeLocomotion(&takes);
}

// From a stand too: a character that cannot run and should, walks.
static void walksInsteadOfRunning(void** state)
{
	(void)state;
	static const char* const scripts[] = {"stand 2; walk 4 1.3; stand 2; walk 4 1.2 30; stand 2; walk 3; stand 2"};
	static const rpGaitStretch stretches[] = {{0.0, rp_gaitRun, 2.8f, 0.0f}};
	TestLocomotion takes = testPerformLocomotion(scripts, 1, 60.0, 3);
	rpLocomotion* model = testBuildLocomotion(&takes, true);
	rpVec2 points[pointCount];
	rpGaitPath path = makePath(points, line);
	path.stretches = stretches;
	path.stretchCount = 1;
	Trip trip = followWith(model, &path, 60.0);
	checkTrip("walked, not run", &trip, 0.2, 0.5);
	assert_true(trip.frames[rp_gaitWalk] > 300);
	rpDestroyLocomotion(model);
	testFreeLocomotion(&takes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(measuresPaths),         cmocka_unit_test(walksAlong),     cmocka_unit_test(walksAtAnyRate),
		cmocka_unit_test(changesGaits),          cmocka_unit_test(standsOnTheWay), cmocka_unit_test(slowsForBends),
		cmocka_unit_test(walksTightBends),       cmocka_unit_test(reportsLimits),  cmocka_unit_test(endsWithoutStands),
		cmocka_unit_test(walksInsteadOfRunning),
	};
	return cmocka_run_group_tests(tests, setUp, tearDown);
}
