/// Pictures of motion graphs: the clips as bars in their labels' colours with the transitions as arcs between them, and
/// how connectivity grows with the threshold.
#include "base/error.h"
#include "picture/canvas.h"
#include "reprise/graph.h"
#include "reprise/picture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MARGIN 40.0
#define NAME_WIDTH 130.0
#define BAR_HEIGHT 8.0

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
} Map;

static double getX(const Map* map, int frame)
{
	return map->left + map->perFrame * frame;
}

static double getY(const Map* map, int clip)
{
	return map->top + map->rowHeight * (clip + 0.5);
}

static int getFirstLabel(uint64_t labels)
{
	int label = 0;
	while (label < RP_MAX_GRAPH_LABELS - 1 && (labels >> label & 1) == 0)
	{
		++label;
	}
	return label;
}

static void drawStretch(const Map* map, const rpGraphEdge* edge)
{
	const rpGraphNode *from = &map->graph->nodes[edge->from], *to = &map->graph->nodes[edge->to];
	double y = getY(map, from->clip);
	rpCanvas_SetColor(map->canvas, getLabelColor(getFirstLabel(edge->labels)), 1.0);
	cairo_rectangle(map->canvas->cairo, getX(map, from->frame), y - 0.5 * BAR_HEIGHT,
					getX(map, to->frame) - getX(map, from->frame), BAR_HEIGHT);
	cairo_fill(map->canvas->cairo);
}

static void drawTransition(const Map* map, const rpGraphEdge* edge, double alpha)
{
	const rpGraphNode *from = &map->graph->nodes[edge->from], *to = &map->graph->nodes[edge->to];
	double x1 = getX(map, edge->fromMiddle), y1 = getY(map, from->clip);
	double x2 = getX(map, edge->toMiddle), y2 = getY(map, to->clip);
	double bow = from->clip == to->clip ? 0.45 * map->rowHeight : 0.0, side = x2 > x1 ? -1.0 : 1.0;
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
		snprintf(name, sizeof(name), "%.20s", map->graph->clips[c].name);
		write(map->canvas, map->left - 8.0, getY(map, c) + 4.0, fmin(11.0, map->rowHeight * 0.8), 1.0, 0x333333, name);
		rpCanvas_SetColor(map->canvas, rpColor_FromHex(0xdddddd), 1.0);
		cairo_rectangle(map->canvas->cairo, getX(map, 0), getY(map, c) - 0.15 * BAR_HEIGHT,
						map->perFrame * map->graph->clips[c].frameCount, 0.3 * BAR_HEIGHT);
		cairo_fill(map->canvas->cairo);
	}
}

static void drawLegend(const Map* map, double y)
{
	double x = map->left;
	for (int i = 0; i < map->graph->labelCount; ++i)
	{
		rpCanvas_SetColor(map->canvas, getLabelColor(i), 1.0);
		cairo_rectangle(map->canvas->cairo, x, y - 8.0, 10.0, 8.0);
		cairo_fill(map->canvas->cairo);
		char name[32];
		snprintf(name, sizeof(name), "%.28s", map->graph->labels[i]);
		rpCanvas_SetColor(map->canvas, rpColor_FromHex(0x333333), 1.0);
		x += 30.0 + rpCanvas_DrawText(map->canvas, x + 14.0, y, 11.0, false, 0.0, name);
	}
}

bool rpDrawGraph(const rpGraph* graph, const char* path, rpError* error)
{
	rpCanvas canvas;
	int width = 1400, longest = 1;
	double rowHeight = fmin(40.0, fmax(14.0, 900.0 / graph->clipCount));
	int height = (int)fmin(16000.0, 2.0 * MARGIN + 40.0 + rowHeight * graph->clipCount);
	if (!rpCanvas_Open(&canvas, path, width, height, error))
	{
		return false;
	}
	clear(&canvas, width, height);
	for (int c = 0; c < graph->clipCount; ++c)
	{
		longest = graph->clips[c].frameCount > longest ? graph->clips[c].frameCount : longest;
	}
	Map map = {&canvas, graph, MARGIN + NAME_WIDTH, MARGIN + 20.0, rowHeight, 0.0};
	map.perFrame = (width - map.left - MARGIN) / longest;
	int transitionCount = 0;
	for (int e = 0; e < graph->edgeCount; ++e)
	{
		transitionCount += graph->edges[e].distance >= 0.0f;
	}
	drawClipNames(&map);
	for (int e = 0; e < graph->edgeCount; ++e)
	{
		if (graph->edges[e].distance >= 0.0f)
		{
			drawTransition(&map, &graph->edges[e], fmax(0.05, fmin(0.6, 150.0 / transitionCount)));
		}
	}
	for (int e = 0; e < graph->edgeCount; ++e)
	{
		if (graph->edges[e].distance < 0.0f)
		{
			drawStretch(&map, &graph->edges[e]);
		}
	}
	char title[160];
	snprintf(title, sizeof(title), "%d clips, %d nodes, %d edges, %d of them transitions; %.1f s the longest clip",
			 graph->clipCount, graph->nodeCount, graph->edgeCount, transitionCount, longest / graph->fps);
	write(&canvas, MARGIN, MARGIN - 8.0, 14.0, 0.0, 0x222222, title);
	drawLegend(&map, height - 0.5 * MARGIN);
	return rpCanvas_Save(&canvas, path, error);
}

// ---- connectivity against threshold

/// The axes of a diagram: thresholds to the right, share upwards.
typedef struct Diagram
{
	rpCanvas* canvas;
	double left, top, width, height;

	/// The greatest threshold, and whether they are metres.
	double most;
	bool isLength;
} Diagram;

static void formatThreshold(const Diagram* diagram, double threshold, int decimals, char out[16])
{
	snprintf(out, 16, diagram->isLength ? "%.*f cm" : "%.*f", diagram->isLength ? decimals : decimals + 1,
			 diagram->isLength ? 100.0 * threshold : threshold);
}

static double toX(const Diagram* diagram, double threshold)
{
	return diagram->left + diagram->width * fmin(threshold / diagram->most, 1.0);
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
		double t = diagram->most * i / 6.0;
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
static double getMost(const rpGraphReport* report)
{
	double most = 0.0;
	for (int i = 0; i < report->connectivityCount; ++i)
	{
		const rpConnectivity* row = &report->connectivity[i];
		most = row->isChosen ? most : fmax(most, (double)row->threshold);
	}
	return most > 0.0 ? most : 1.0;
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
	Diagram diagram = {&canvas, 80.0, 50.0, 820.0, 520.0, getMost(report), !report->isAngle};
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
