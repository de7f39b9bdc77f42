/// The picture of a parametric graph: the band is what is looked up, whatever nodes and edges there are, whatever
/// memory.
#include "parametric_scene.h"

#include <cairo.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// As in the picture: where the plot of the only edge of one node with one parameter lies, pixels.
#define PLOT_LEFT 104.0
#define PLOT_TOP 368.0
#define PLOT_WIDTH 1016.0
#define PLOT_HEIGHT 280.0

static rpSpace *s_walk, *s_punch;
static rpParametricGraph *s_walks, *s_both;

static int setUp(void** state)
{
	(void)state;
	s_walk = testMakeWalkSpace();
	s_punch = testMakePunchSpace();
	const rpSpace* spaces[] = {s_walk, s_punch};
	static const char* const names[] = {"walk", "punch"};
	s_walks = testMakeParametricGraph(spaces, names, 1);
	s_both = testMakeParametricGraph(spaces, names, 2);
	return s_walks != NULL && s_both != NULL ? 0 : -1;
}

static int tearDown(void** state)
{
	(void)state;
	rpDestroyParametricGraph(s_walks);
	rpDestroyParametricGraph(s_both);
	rpDestroySpace(s_walk);
	rpDestroySpace(s_punch);
	return 0;
}

// Blue, as the band, the bars on it and their ends; nearest motions are red dots.
static bool isBlue(cairo_surface_t* image, double x, double y)
{
	uint32_t pixel;
	const unsigned char* data = cairo_image_surface_get_data(image);
	memcpy(&pixel, data + (ptrdiff_t)y * cairo_image_surface_get_stride(image) + 4 * (ptrdiff_t)x, sizeof(pixel));
	int red = (int)(pixel >> 16 & 0xff), blue = (int)(pixel & 0xff);
	return blue > red + 20;
}

static void bandIsWhatIsLookedUp(void** state)
{
	(void)state;
	rpError error = {0};
	const char* path = testPath("band.png");
	rpParametricPictureDef def = rpDefaultParametricPictureDef();
	def.edge = 0;
	assert_true(rpDrawParametricGraph(s_walks, &def, path, &error));
	cairo_surface_t* image = cairo_image_surface_create_from_png(path);
	assert_int_equal(cairo_surface_status(image), CAIRO_STATUS_SUCCESS);
	const rpSpaceParameter* turn = &s_walks->nodes[0].space->parameters[0];
	double range = (double)(turn->high - turn->low);
	int count = 0, right = 0;
	for (int i = 1; i < 40; ++i)
	{
		float value = turn->low + (float)i / 40.0f * (turn->high - turn->low);
		rpParametricBox box = rpParametricGraph_LookUp(s_walks, 0, &value);
		for (int j = 1; j < 40; ++j)
		{
			double to = (double)turn->low + j / 40.0 * range;
			double edge = fmin(fabs(to - (double)box.low[0]), fabs(to - (double)box.high[0]));
			bool isIn = to > (double)box.low[0] && to < (double)box.high[0];
			// Not at the rim, whose steps are a few pixels wide.
			if (edge > 0.03 * range)
			{
				++count;
				right +=
					isIn == isBlue(image, PLOT_LEFT + PLOT_WIDTH * i / 40.0, PLOT_TOP + PLOT_HEIGHT * (1.0 - j / 40.0));
			}
		}
	}
	cairo_surface_destroy(image);
	assert_true(count > 1000);
	// Dots of what is nearest are red.
	assert_true(right > 0.98 * count);
}

static bool draw(const rpParametricGraph* graph, const rpParametricPictureDef* def, const char* name,
				 const char* expected)
{
	rpError error = {0};
	const char* path = testPath(name);
	bool done = rpDrawParametricGraph(graph, def, path, &error);
	size_t size = 0;
	char* text = done ? testReadFile(path, &size) : NULL;
	done = text != NULL && size > 3000 && strstr(text, expected) != NULL;
	free(text);
	return done;
}

// From and to one parameter and three: bands, bars, panels; with what hangs on the threshold and without.
static void drawsAllKindsOfEdges(void** state)
{
	(void)state;
	rpParametricTrade trades[] = {{0.0f, 0.0f, 0.0f, 0.0f}, {0.1f, 0.4f, 0.2f, 0.05f}, {0.2f, 1.0f, 0.9f, 0.09f}};
	assert_int_equal(s_both->edgeCount, 4);
	assert_true(draw(s_both, NULL, "graph.svg", "<svg"));
	for (int edge = 0; edge < 4; ++edge)
	{
		rpParametricPictureDef def = rpDefaultParametricPictureDef();
		def.title = "both";
		def.edge = edge;
		def.axes[1] = 2;
		assert_true(draw(s_both, &def, "edge.svg", "<svg"));
		def.trades = trades;
		def.tradeCount = 3;
		assert_true(draw(s_both, &def, "trade.svg", "<svg"));
	}
}

// Many nodes, names that are long and not in ASCII, edges whose motions lead nowhere.
static void drawsWhatIsOdd(void** state)
{
	(void)state;
	rpParametricNode nodes[RP_MAX_PARAMETRIC_NODES];
	rpParametricGraph graph = *s_walks;
	for (int i = 0; i < RP_MAX_PARAMETRIC_NODES; ++i)
	{
		nodes[i] = s_walks->nodes[0];
		snprintf(nodes[i].name, sizeof(nodes[i].name), "%s %d", "gehen – mit einem sehr langen Namen ü", i);
	}
	graph.nodes = nodes;
	graph.nodeCount = RP_MAX_PARAMETRIC_NODES;
	assert_true(draw(&graph, NULL, "many.svg", "<svg"));
	rpParametricSample* samples = malloc((size_t)graph.sampleCount * sizeof(rpParametricSample));
	memcpy(samples, s_walks->samples, (size_t)graph.sampleCount * sizeof(rpParametricSample));
	for (int i = 0; i < graph.sampleCount; ++i)
	{
		samples[i].width[0] = -1.0f;
	}
	graph.samples = samples;
	rpParametricPictureDef def = rpDefaultParametricPictureDef();
	def.edge = 0;
	assert_true(draw(&graph, &def, "empty.svg", "<svg"));
	free(samples);
}

static void refusesOthers(void** state)
{
	(void)state;
	rpError error = {0};
	assert_false(rpDrawParametricGraph(s_walks, NULL, testPath("graph.pdf"), &error));
	assert_true(error.message[0] != 0);
}

static bool drawOnce(void* context, rpError* error)
{
	return rpDrawParametricGraph(s_walks, context, testPath("memory.svg"), error);
}

static void survivesLackOfMemory(void** state)
{
	(void)state;
	rpParametricPictureDef def = rpDefaultParametricPictureDef();
	def.edge = 0;
	testFailEach(drawOnce, &def, 1);
}

int main(void)
{
	testUseCountingAllocator();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bandIsWhatIsLookedUp), cmocka_unit_test(drawsAllKindsOfEdges),
		cmocka_unit_test(drawsWhatIsOdd),       cmocka_unit_test(refusesOthers),
		cmocka_unit_test(survivesLackOfMemory),
	};
	return cmocka_run_group_tests(tests, setUp, tearDown);
}
