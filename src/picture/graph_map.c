/// Pictures of motion graphs: the clips as bars in their labels' colours with the transitions as arcs between them, and
/// how connectivity grows with the threshold.
#include "base/error.h"
#include "picture/canvas.h"
#include "reprise/picture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MARGIN 40.0
#define NAME_WIDTH 130.0
#define BAR_HEIGHT 11.0

// Clips that are longer than most go on in further rows; those of up to so many times as much need not.
#define LONG_CLIP 1.5

static const unsigned s_labelColors[] = {0x2f7ed8, 0xe8752c, 0x3aa655, 0x9b59b6,
										 0xc0392b, 0x16a2a2, 0xb8860b, 0x7f8c8d};

static rpColor getLabelColor(int label)
{
	return rpColor_FromHex(s_labelColors[label % (int)(sizeof(s_labelColors) / sizeof(s_labelColors[0]))]);
}

static void clear(rpCanvas* canvas, int width, int height)
{
	rpCanvas_SetColor(canvas, rpColor_FromHex(0xffffff), 1.0);
	cairo_rectangle(canvas->cairo, 0, 0, width, height);
	cairo_fill(canvas->cairo);
}

static void write(rpCanvas* canvas, double x, double y, double size, double align, unsigned color, const char* text)
{
	rpCanvas_SetColor(canvas, rpColor_FromHex(color), 1.0);
	rpCanvas_DrawText(canvas, x, y, size, false, align, text);
}

// ---- the map of a graph

/// Where clips and their frames are drawn.
typedef struct Map
{
	rpCanvas* canvas;
	const rpGraph* graph;
	double left, top, rowHeight, perFrame;

	/// Frames in a row, and [clipCount + 1] the rows in which clips begin.
	int rowFrames;
	int* firstRows;

	/// Of the clip at hand.
	int64_t labelFrames[RP_MAX_GRAPH_LABELS];
} Map;

static double getX(const Map* map, int frame)
{
	return map->left + map->perFrame * (frame % map->rowFrames);
}

static double getRowY(const Map* map, int row)
{
	return map->top + map->rowHeight * (row + 0.5);
}

static double getY(const Map* map, int clip, int frame)
{
	return getRowY(map, map->firstRows[clip] + frame / map->rowFrames);
}

static int compareInts(const void* a, const void* b)
{
	return *(const int*)a - *(const int*)b;
}

// Most clips, nine in ten, fit into a row; of the longest an eighth does at least.
static bool layRows(Map* map, rpError* error)
{
	const rpGraph* graph = map->graph;
	int count = graph->clipCount;
	map->firstRows = rpAllocateZero((size_t)count + 1, sizeof(int), error);
	int* lengths = rpAllocate((size_t)count + 1, sizeof(int), error);
	bool done = map->firstRows != NULL && lengths != NULL;
	if (done)
	{
		for (int c = 0; c < count; ++c)
		{
			lengths[c] = graph->clips[c].frameCount;
		}
		qsort(lengths, (size_t)count, sizeof(int), compareInts);
		int longest = lengths[count - 1], usual = lengths[(int)(0.9 * (count - 1))];
		usual = usual > longest / 8 ? usual : longest / 8;
		map->rowFrames = (longest <= LONG_CLIP * usual ? longest : usual) + 1;
		for (int c = 0; c < count; ++c)
		{
			map->firstRows[c + 1] = map->firstRows[c] + (graph->clips[c].frameCount - 1) / map->rowFrames + 1;
		}
	}
	rpFree(lengths);
	return done;
}

static void countLabels(Map* map, int clip)
{
	memset(map->labelFrames, 0, sizeof(map->labelFrames));
	for (int e = 0; e < map->graph->edgeCount; ++e)
	{
		const rpGraphEdge* edge = &map->graph->edges[e];
		bool isOf = !rpGraphEdge_IsTransition(edge) && map->graph->nodes[edge->from].clip == clip;
		for (int i = 0; i < map->graph->labelCount && isOf; ++i)
		{
			map->labelFrames[i] += (edge->labels >> i & 1) != 0 ? edge->frameCount : 0;
		}
	}
}

// Of several labels the one that the clip has least of says most: a leap in a run. -1: none.
static int getRarest(const Map* map, uint64_t labels)
{
	int rarest = -1;
	for (int i = 0; i < map->graph->labelCount; ++i)
	{
		if ((labels >> i & 1) != 0 && (rarest < 0 || map->labelFrames[i] < map->labelFrames[rarest]))
		{
			rarest = i;
		}
	}
	return rarest;
}

static void fillBar(const Map* map, int row, int first, int end, double height, rpColor color)
{
	rpCanvas_SetColor(map->canvas, color, 1.0);
	cairo_rectangle(map->canvas->cairo, map->left + map->perFrame * first, getRowY(map, row) - 0.5 * height,
					map->perFrame * (end - first), height);
	cairo_fill(map->canvas->cairo);
}

/// What is drawn of a clip: frames first … end.
typedef struct Run
{
	int clip, first, end, label;
} Run;

// A bar for each row that a run has frames in; its label's name on it, where there is room, or a plain line.
static void drawRun(const Map* map, const Run* run, bool isNamed)
{
	int rowFrames = map->rowFrames;
	for (int row = run->first / rowFrames; row <= run->end / rowFrames; ++row)
	{
		int start = row * rowFrames, first = run->first > start ? run->first - start : 0;
		int end = run->end < start + rowFrames ? run->end - start : rowFrames;
		double y = getRowY(map, map->firstRows[run->clip] + row);
		if (run->label < 0)
		{
			fillBar(map, map->firstRows[run->clip] + row, first, end, 2.4, rpColor_FromHex(0xcccccc));
			continue;
		}
		const char* name = map->graph->labels[run->label];
		double room = map->perFrame * (end - first), size = 9.0;
		if (!isNamed)
		{
			fillBar(map, map->firstRows[run->clip] + row, first, end, BAR_HEIGHT, getLabelColor(run->label));
		}
		else if (rpCanvas_MeasureText(map->canvas, size, true, name) < room - 4.0)
		{
			rpCanvas_SetColor(map->canvas, rpColor_FromHex(0xffffff), 1.0);
			rpCanvas_DrawText(map->canvas, map->left + map->perFrame * first + 3.0, y + 3.2, size, true, 0.0, name);
		}
	}
}

// Stretches that follow each other with one label are one run. Names come last, over the marks between them.
static void drawRuns(Map* map, bool isNamed)
{
	const rpGraph* graph = map->graph;
	Run run = {.clip = -1};
	for (int e = 0; e < graph->edgeCount; ++e)
	{
		const rpGraphEdge* edge = &graph->edges[e];
		const rpGraphNode *from = &graph->nodes[edge->from], *to = &graph->nodes[edge->to];
		if (rpGraphEdge_IsTransition(edge))
		{
			continue;
		}
		if (run.clip != from->clip)
		{
			countLabels(map, from->clip);
		}
		int label = getRarest(map, edge->labels);
		bool goesOn = run.clip == from->clip && run.end == from->frame && run.label == label;
		if (!goesOn && run.clip >= 0)
		{
			drawRun(map, &run, isNamed);
		}
		run = goesOn ? run : (Run){from->clip, from->frame, to->frame, label};
		run.end = to->frame;
	}
	if (run.clip >= 0)
	{
		drawRun(map, &run, isNamed);
	}
}

static void drawTransition(const Map* map, const rpGraphEdge* edge, double alpha)
{
	const rpGraphNode *from = &map->graph->nodes[edge->from], *to = &map->graph->nodes[edge->to];
	double x1 = getX(map, edge->fromMiddle), y1 = getY(map, from->clip, edge->fromMiddle);
	double x2 = getX(map, edge->toMiddle), y2 = getY(map, to->clip, edge->toMiddle);
	double bow = y1 == y2 ? 0.45 * map->rowHeight : 0.0, side = x2 > x1 ? -1.0 : 1.0;
	rpCanvas_SetColor(map->canvas, rpColor_FromHex(0x444444), alpha);
	cairo_set_line_width(map->canvas->cairo, 0.6);
	cairo_move_to(map->canvas->cairo, x1, y1);
	cairo_curve_to(map->canvas->cairo, x1, y1 + side * bow, x2, y2 + side * bow, x2, y2);
	cairo_stroke(map->canvas->cairo);
}

static void drawClipNames(const Map* map)
{
	for (int c = 0; c < map->graph->clipCount; ++c)
	{
		char name[24];
		Run whole = {c, 0, map->graph->clips[c].frameCount - 1, -1};
		snprintf(name, sizeof(name), "%.20s", map->graph->clips[c].name);
		write(map->canvas, map->left - 8.0, getY(map, c, 0) + 4.0, fmin(11.0, map->rowHeight * 0.8), 1.0, 0x333333,
			  name);
		drawRun(map, &whole, false);
	}
}

// Transitions are as faint as they are many: 40,000 would hide what they join.
static int drawTransitions(const Map* map)
{
	int count = 0;
	for (int e = 0; e < map->graph->edgeCount; ++e)
	{
		count += rpGraphEdge_IsTransition(&map->graph->edges[e]);
	}
	for (int e = 0; e < map->graph->edgeCount; ++e)
	{
		if (rpGraphEdge_IsTransition(&map->graph->edges[e]))
		{
			drawTransition(map, &map->graph->edges[e], fmax(0.015, fmin(0.6, 150.0 / count)));
		}
	}
	return count;
}

// Draw the colours of labels in as many lines as they need, or only see how many those are.
static int drawLegend(const Map* map, double y, double right, bool isDrawn)
{
	const double size = 11.0;
	double x = map->left;
	int lines = 1;
	for (int i = 0; i < map->graph->labelCount; ++i)
	{
		char name[32];
		snprintf(name, sizeof(name), "%.28s", map->graph->labels[i]);
		double width = 30.0 + rpCanvas_MeasureText(map->canvas, size, false, name);
		if (x > map->left && x + width > right)
		{
			x = map->left;
			y += 18.0;
			++lines;
		}
		if (isDrawn)
		{
			rpCanvas_SetColor(map->canvas, getLabelColor(i), 1.0);
			cairo_rectangle(map->canvas->cairo, x, y - 8.0, 10.0, 8.0);
			cairo_fill(map->canvas->cairo);
			write(map->canvas, x + 14.0, y, size, 0.0, 0x333333, name);
		}
		x += width;
	}
	return lines;
}

static void drawMap(Map* map, int width, double legendY)
{
	const rpGraph* graph = map->graph;
	map->perFrame = (width - map->left - MARGIN) / map->rowFrames;
	drawClipNames(map);
	int transitionCount = drawTransitions(map);
	drawRuns(map, false);
	drawRuns(map, true);
	int frameCount = 0;
	for (int c = 0; c < graph->clipCount; ++c)
	{
		frameCount += graph->clips[c].frameCount;
	}
	char title[160];
	snprintf(title, sizeof(title), "%d clips, %d nodes, %d edges, %d of them transitions; %.1f s in all, %.1f s a row",
			 graph->clipCount, graph->nodeCount, graph->edgeCount, transitionCount, frameCount / graph->fps,
			 map->rowFrames / graph->fps);
	write(map->canvas, MARGIN, MARGIN - 8.0, 14.0, 0.0, 0x222222, title);
	drawLegend(map, legendY, width - MARGIN, true);
}

// Only a canvas knows how wide letters are. 0: there is none.
static int countLegendLines(const Map* map, const char* path, double right, rpError* error)
{
	enum
	{
		small = 32,
	};
	bool isOpen = rpCanvas_Open(map->canvas, path, small, small, error);
	int lines = isOpen ? drawLegend(map, 0.0, right, false) : 0;
	if (isOpen)
	{
		rpCanvas_Drop(map->canvas);
	}
	return lines;
}

bool rpDrawGraph(const rpGraph* graph, const char* path, rpError* error)
{
	enum
	{
		width = 1400,
		tallest = 16000,
	};
	rpCanvas canvas;
	Map map = {.canvas = &canvas, .graph = graph, .left = MARGIN + NAME_WIDTH, .top = MARGIN + 20.0};
	if (!layRows(&map, error))
	{
		rpFree(map.firstRows);
		return false;
	}
	int rowCount = map.firstRows[graph->clipCount];
	map.rowHeight = fmin(40.0, fmax(14.0, 900.0 / rowCount));
	int lines = countLegendLines(&map, path, width - MARGIN, error);
	double legendY = fmin(tallest - 18.0 * lines, map.top + map.rowHeight * rowCount + 30.0);
	int height = (int)(legendY + 18.0 * (lines - 1) + 0.5 * MARGIN);
	bool done = lines > 0 && rpCanvas_Open(&canvas, path, width, height, error);
	if (done)
	{
		clear(&canvas, width, height);
		drawMap(&map, width, legendY);
		done = rpCanvas_Save(&canvas, path, error);
	}
	rpFree(map.firstRows);
	return done;
}

// ---- connectivity against threshold

/// The axes of a diagram: thresholds to the right, share upwards.
typedef struct Diagram
{
	rpCanvas* canvas;
	double left, top, width, height;

	/// The greatest threshold, and whether they are metres.
	double max;
	bool isLength;
} Diagram;

static void formatThreshold(const Diagram* diagram, double threshold, int decimals, char out[16])
{
	snprintf(out, 16, diagram->isLength ? "%.*f cm" : "%.*f", diagram->isLength ? decimals : decimals + 1,
			 diagram->isLength ? 100.0 * threshold : threshold);
}

static double toX(const Diagram* diagram, double threshold)
{
	return diagram->left + diagram->width * fmin(threshold / diagram->max, 1.0);
}

static double toY(const Diagram* diagram, double share)
{
	return diagram->top + diagram->height * (1.0 - share);
}

static void drawAxes(const Diagram* diagram)
{
	cairo_t* cairo = diagram->canvas->cairo;
	cairo_set_line_width(cairo, 1.0);
	for (int i = 0; i <= 10; ++i)
	{
		char text[16];
		double share = 0.1 * i;
		rpCanvas_SetColor(diagram->canvas, rpColor_FromHex(i == 0 ? 0x555555 : 0xe4e6ee), 1.0);
		cairo_move_to(cairo, diagram->left, toY(diagram, share));
		cairo_line_to(cairo, diagram->left + diagram->width, toY(diagram, share));
		cairo_stroke(cairo);
		snprintf(text, sizeof(text), "%d %%", 10 * i);
		write(diagram->canvas, diagram->left - 6.0, toY(diagram, share) + 4.0, 11.0, 1.0, 0x555555, text);
	}
	for (int i = 0; i <= 6; ++i)
	{
		char text[16];
		double t = diagram->max * i / 6.0;
		formatThreshold(diagram, t, 0, text);
		write(diagram->canvas, toX(diagram, t), diagram->top + diagram->height + 18.0, 11.0, 0.5, 0x555555, text);
	}
}

static bool isSamePair(const rpConnectivity* a, const rpConnectivity* b)
{
	return a->from == b->from && a->to == b->to;
}

// The lines of one pair of labels follow each other in the report, the chosen threshold first.
static void drawPair(const Diagram* diagram, const rpConnectivity* rows, int count, rpColor color)
{
	cairo_t* cairo = diagram->canvas->cairo;
	rpCanvas_SetColor(diagram->canvas, color, 0.9);
	cairo_set_line_width(cairo, rows[0].from == rows[0].to ? 2.5 : 1.2);
	cairo_move_to(cairo, toX(diagram, 0.0), toY(diagram, 0.0));
	for (int i = 1; i < count; ++i)
	{
		cairo_line_to(cairo, toX(diagram, rows[i].threshold), toY(diagram, rows[i].share));
	}
	cairo_stroke(cairo);
	if (rows[0].threshold > 0.0f)
	{
		cairo_arc(cairo, toX(diagram, rows[0].threshold), toY(diagram, rows[0].share), 4.0, 0.0, 2.0 * RP_PI);
		cairo_fill(cairo);
	}
}

// The greatest threshold of the table; those that were chosen may be beyond it.
static double getMax(const rpGraphReport* report)
{
	double max = 0.0;
	for (int i = 0; i < report->connectivityCount; ++i)
	{
		const rpConnectivity* row = &report->connectivity[i];
		max = row->isChosen ? max : fmax(max, (double)row->threshold);
	}
	return max > 0.0 ? max : 1.0;
}

bool rpDrawConnectivity(const rpGraphReport* report, char* const* labels, const char* path, rpError* error)
{
	rpCanvas canvas;
	int width = 1200, height = 640;
	if (!rpCanvas_Open(&canvas, path, width, height, error))
	{
		return false;
	}
	clear(&canvas, width, height);
	write(&canvas, MARGIN, 30.0, 14.0, 0.0, 0x222222,
		  "Connectivity against threshold: thick, share of a label's frames that hang together; thin, share from which "
		  "another label is reached");
	Diagram diagram = {&canvas, 80.0, 50.0, 820.0, 520.0, getMax(report), !report->isAngle};
	drawAxes(&diagram);
	int shown = 0;
	for (int i = 0, next; i < report->connectivityCount; i = next)
	{
		const rpConnectivity* rows = &report->connectivity[i];
		for (next = i + 1; next < report->connectivityCount && isSamePair(rows, &report->connectivity[next]); ++next)
		{
		}
		rpColor color = getLabelColor(shown);
		drawPair(&diagram, rows, next - i, color);
		if (shown < 24)
		{
			char text[96], threshold[16];
			double y = 60.0 + 22.0 * shown;
			rpCanvas_SetColor(&canvas, color, 1.0);
			cairo_rectangle(canvas.cairo, 930.0, y - 9.0, 12.0, rows->from == rows->to ? 6.0 : 3.0);
			cairo_fill(canvas.cairo);
			formatThreshold(&diagram, rows->threshold, 1, threshold);
			snprintf(text, sizeof(text), "%.16s to %.16s: %s", labels[rows->from], labels[rows->to], threshold);
			write(&canvas, 950.0, y, 12.0, 0.0, 0x333333, text);
		}
		++shown;
	}
	return rpCanvas_Save(&canvas, path, error);
}
