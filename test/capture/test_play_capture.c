/// A captured person, steered: walks of one subject become a graph, a bundle, a player.
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Walks straight on, along curves and round corners, of one person.
static const int s_takes[] = {11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 31, 32, 47, 58};

enum
{
	takeCount = sizeof(s_takes) / sizeof(s_takes[0]),
	ticks = 60 * 32,
};

static void loadTakes(rpMotion* motions[takeCount])
{
	for (int i = 0; i < takeCount; ++i)
	{
		char name[32];
		snprintf(name, sizeof(name), "16_%02d", s_takes[i]);
		rpMotion* motion = testLoadTake(name);
		rpInterval label = {.track = rp_trackLabel, .name = "walk", .end = rpMotion_GetDuration(motion)};
		assert_true(rpAnnotations_AddInterval(&motion->annotations, &label, NULL));
		motions[i] = motion;
	}
}

static rpBundle* makeBundle(void** bytes, rpMotion** references)
{
	rpMotion* motions[takeCount];
	rpError error = {0};
	rpGraphDef def = rpDefaultGraphDef();
	size_t size;
	def.threshold = 0.12f;
	loadTakes(motions);
	rpGraph* graph = rpBuildGraphOf((const rpMotion* const*)motions, takeCount, &def, NULL, &error);
	if (graph == NULL)
	{
		fail_msg("%s", error.message);
	}
	rpSteeringReport report;
	assert_true(rpGraph_MakeSteering(graph, NULL, &report, &error));
	print_message("%d nodes, %d edges; to any direction %.2f m/s of %.2f, %.0f degrees off\n", graph->nodeCount,
				  graph->edgeCount, report.progress, report.speed, report.deviation / RP_DEGREE);
	*bytes = rpWriteGraphBundle(graph, &size, &error);
	assert_non_null(*bytes);
	*references = motions[0];
	for (int i = 1; i < takeCount; ++i)
	{
		rpDestroyMotion(motions[i]);
	}
	rpDestroyGraph(graph);
	return rpCreateBundle(*bytes, size, &error);
}

static void addContacts(rpMotion* motion, const rpPlayerReport* reports)
{
	for (int effector = 0; effector < rp_effectorCount; ++effector)
	{
		for (int i = 0; i < motion->frameCount; ++i)
		{
			int first = i;
			while (i < motion->frameCount && (reports[i].contacts >> effector & 1) != 0)
			{
				++i;
			}
			rpInterval contact = {.track = rp_trackContact,
								  .effector = (rpEffector)effector,
								  .start = first / motion->fps,
								  .end = fmin(i, motion->frameCount - 1) / motion->fps};
			if (i > first + 1)
			{
				contact.supportHeight = reports[first].supportHeights[effector];
				assert_true(rpAnnotations_AddInterval(&motion->annotations, &contact, NULL));
			}
		}
	}
}

// Eight seconds to each side of a square; the last five of each are on its line.
static void testSquare(void** state)
{
	(void)state;
	void* bytes;
	rpMotion* reference;
	rpBundle* bundle = makeBundle(&bytes, &reference);
	rpPlayer* player = rpCreatePlayer(bundle, NULL, NULL);
	assert_non_null(player);
	const rpSkeleton* skeleton = rpPlayer_GetSkeleton(player);
	rpMotion* motion = rpCreateMotion(skeleton, "square", 60.0, ticks, NULL);
	rpPlayerReport* reports = calloc(ticks, sizeof(rpPlayerReport));
	for (int i = 0; i < ticks; ++i)
	{
		double angle = 0.5 * RP_PI * (i / 480);
		rpPlayerInput input = {.stick = {(float)sin(angle), (float)cos(angle)}};
		rpPose pose = {.rotations = motion->rotations + (size_t)i * (size_t)skeleton->jointCount};
		rpPlayer_Step(player, 1.0 / 60.0, &input, &pose, &reports[i]);
		motion->rootPositions[i] = pose.rootPosition;
		if (i % 480 == 479)
		{
			rpVec3 displacement = rpSub(pose.rootPosition, motion->rootPositions[i - 300]);
			double off = (double)rpWrapAngle(atan2f(displacement.x, displacement.z) - (float)angle) / RP_DEGREE;
			print_message("to %3.0f: %.2f m in 5 s, %.0f degrees off\n", angle / RP_DEGREE,
						  hypot((double)displacement.x, (double)displacement.z), off);
			assert_true(fabs(off) < 25.0 && hypot((double)displacement.x, (double)displacement.z) > 3.5);
		}
	}
	rpMotion_FixHemispheres(motion);
	addContacts(motion, reports);
	rpEvaluateDef def = rpDefaultEvaluateDef();
	rpMeasures measures;
	def.references = (const rpMotion* const*)&reference;
	def.referenceCount = 1;
	assert_true(rpEvaluate(motion, &def, &measures, NULL));
	static const rpMeasure kept[] = {rp_measureSkateRatio,  rp_measureSlideMean, rp_measureSlideMax,
									 rp_measurePenetration, rp_measureFloat,     rp_measureJerk,
									 rp_measureLimit,       rp_measureStretch};
	for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); ++i)
	{
		print_message("%s %.3f\n", rpMeasure_GetKey(kept[i]), measures.values[kept[i]]);
		assert_true(measures.values[kept[i]] <= rpMeasure_GetDefaultLimit(kept[i]));
	}
	free(reports);
	rpDestroyMotion(motion);
	rpDestroyMotion(reference);
	rpDestroyPlayer(player);
	rpDestroyBundle(bundle);
	rpFreeBytes(bytes);
}

int main(void)
{
	testSkipWithoutMocap();
	const struct CMUnitTest tests[] = {cmocka_unit_test(testSquare)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
