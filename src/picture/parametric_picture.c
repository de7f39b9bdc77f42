/// The picture of a parametric graph: its nodes and edges; of one edge the boxes that motions of the source lead to
/// (Heck's thesis, Fig. 6.2 and 6.3), and how range and accuracy hang on its threshold (6.2.4).
#include "base/error.h"
#include "picture/canvas.h"
#include "reprise/picture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define INK 0x1c2333
#define QUIET 0x6b7488
#define LINE 0xd9dee8
#define NODE 0xeef2fb
#define EDGE 0x2f5fc4
#define SEEN_EDGE 0xe8752c
#define COVER 0x9db8f2
#define SAMPLE 0x2f5fc4
#define EXAMPLE 0xb9c0cd
#define NEAREST 0xc0392b
#define LEAST 0x0b7a4b

// Blends of what is farther apart than this are seen, metres, as pgraph build has it.
#define SEEN RP_PARAMETRIC_SEEN

enum
{
	pictureWidth = 1160,
	margin = 40,
	titleHeight = 84,
	nodeWidth = 176,
	nodeHeight = 62,
	loopRadius = 30,
	// Room for a label.
	labelWidth = 58,
	labelHeight = 18,
	// Along a curve, to find where it leaves and enters nodes.
	curveSteps = 200,
	headingHeight = 40,
	scaleWidth = 64,
	scaleHeight = 60,
	plotHeight = 280,
	flatHeight = 150,
	panelColumns = 3,
	panelCount = 6,
	panelHeight = 230,
	// Values of the source that are looked up.
	bandSteps = 240,
};

rpParametricPictureDef rpDefaultParametricPictureDef(void)
{
	return (rpParametricPictureDef){.edge = -1, .axes = {0, 1}};
}

/// The picture at work.
typedef struct Sheet
{
	rpCanvas canvas;
	const rpParametricGraph* graph;
	const rpParametricPictureDef* def;

	/// Middles of the nodes, of the labels that were written, and how high the graph is.
	rpVec2 places[RP_MAX_PARAMETRIC_NODES];
	rpVec2 labels[RP_MAX_PARAMETRIC_EDGES];
	int labelCount;
	double graphHeight;
} Sheet;

static void write(rpCanvas* canvas, double x, double y, double size, double align, unsigned color, const char* text)
{
	rpCanvas_SetColor(canvas, rpColor_FromHex(color), 1.0);
	rpCanvas_DrawText(canvas, x, y, size, false, align, text);
}

static void writeBold(rpCanvas* canvas, double x, double y, double size, double align, const char* text)
{
	rpCanvas_SetColor(canvas, rpColor_FromHex(INK), 1.0);
	rpCanvas_DrawText(canvas, x, y, size, true, align, text);
}

static void drawDot(rpCanvas* canvas, double x, double y, double radius, unsigned color, double alpha)
{
	cairo_new_path(canvas->cairo);
	cairo_arc(canvas->cairo, x, y, radius, 0.0, 2.0 * RP_PI);
	rpCanvas_SetColor(canvas, rpColor_FromHex(color), alpha);
	cairo_fill(canvas->cairo);
}

static void drawLine(rpCanvas* canvas, double x1, double y1, double x2, double y2)
{
	cairo_move_to(canvas->cairo, x1, y1);
	cairo_line_to(canvas->cairo, x2, y2);
	cairo_stroke(canvas->cairo);
}

// ---- nodes and edges

// The part of its target that motions of an edge lead to, on the average.
static double getMeanShare(const rpParametricGraph* graph, const rpParametricEdge* edge)
{
	const rpSpace* space = graph->nodes[edge->target].space;
	double sum = 0.0;
	for (int i = 0; i < edge->sampleCount; ++i)
	{
		const float* width = graph->samples[edge->firstSample + i].width;
		double share = width[0] >= 0.0f ? 1.0 : 0.0;
		for (int k = 0; k < space->parameterCount && width[0] >= 0.0f; ++k)
		{
			double range = (double)(space->parameters[k].high - space->parameters[k].low);
			share *= range > 0.0 ? fmin((double)width[k] / range, 1.0) : 1.0;
		}
		sum += share;
	}
	return edge->sampleCount > 0 ? sum / edge->sampleCount : 0.0;
}

// Side by side where there are two, on an ellipse where there are more.
static void layNodes(Sheet* sheet)
{
	int count = sheet->graph->nodeCount;
	sheet->graphHeight = count <= 2 ? 210.0 : count <= 4 ? 420.0 : count <= 8 ? 560.0 : 760.0;
	double middle = titleHeight + 0.5 * sheet->graphHeight, across = 0.5 * (pictureWidth - nodeWidth) - margin - 80.0,
		   up = 0.5 * (sheet->graphHeight - nodeHeight) - 60.0;
	for (int i = 0; i < count; ++i)
	{
		double angle = count == 2 ? RP_PI * (1 - i) : 2.0 * RP_PI * i / count - 0.5 * RP_PI;
		double reach = count == 1 ? 0.0 : count == 2 ? 0.72 : 1.0;
		sheet->places[i] = (rpVec2){(float)(0.5 * pictureWidth + reach * across * cos(angle)),
									(float)(middle + (count > 2 ? up * sin(angle) : 0.0))};
	}
}

static bool isOnNode(rpVec2 node, rpVec2 point)
{
	return fabsf(point.x - node.x) <= 0.5f * nodeWidth + 3.0f && fabsf(point.y - node.y) <= 0.5f * nodeHeight + 3.0f;
}

static void drawArrow(rpCanvas* canvas, rpVec2 tip, rpVec2 from)
{
	double angle = atan2((double)(tip.y - from.y), (double)(tip.x - from.x));
	cairo_move_to(canvas->cairo, (double)tip.x, (double)tip.y);
	for (int side = -1; side <= 1; side += 2)
	{
		cairo_line_to(canvas->cairo, (double)tip.x - 11.0 * cos(angle + 0.4 * side),
					  (double)tip.y - 11.0 * sin(angle + 0.4 * side));
	}
	cairo_close_path(canvas->cairo);
	cairo_fill(canvas->cairo);
}

static rpVec2 curveAt(const rpVec2* points, float t)
{
	float a = (1.0f - t) * (1.0f - t), b = 2.0f * t * (1.0f - t), c = t * t;
	return (rpVec2){a * points[0].x + b * points[1].x + c * points[2].x,
					a * points[0].y + b * points[1].y + c * points[2].y};
}

// From node to node, bowed to the right of the way, so that there is room for the way back.
static void makeCurve(rpVec2 from, rpVec2 to, rpVec2* out)
{
	float dx = to.x - from.x, dy = to.y - from.y, length = fmaxf(sqrtf(dx * dx + dy * dy), 1.0f);
	float bow = fminf(0.18f * length, 70.0f);
	out[0] = from;
	out[1] =
		(rpVec2){0.5f * (from.x + to.x) + 2.0f * bow * dy / length, 0.5f * (from.y + to.y) - 2.0f * bow * dx / length};
	out[2] = to;
}

// Its arrow is where it meets the second node.
static void drawCurve(Sheet* sheet, const rpVec2* points)
{
	cairo_t* cairo = sheet->canvas.cairo;
	rpVec2 last = points[0];
	bool isBegun = false, isOver = false;
	for (int i = 0; i <= curveSteps && !isOver; ++i)
	{
		rpVec2 at = curveAt(points, (float)i / curveSteps);
		isOver = isBegun && isOnNode(points[2], at);
		if (isOver)
		{
			cairo_stroke(cairo);
			cairo_set_dash(cairo, NULL, 0, 0.0);
			drawArrow(&sheet->canvas, at, last);
		}
		else if (!isOnNode(points[0], at))
		{
			(isBegun ? cairo_line_to : cairo_move_to)(cairo, (double)at.x, (double)at.y);
			isBegun = true;
		}
		last = i % 4 == 0 ? at : last;
	}
	cairo_new_path(cairo);
}

// The circle of an edge from a node back to itself, away from the others; 1: it is below the node, -1: above.
static rpVec2 findLoop(const Sheet* sheet, int node, float* side)
{
	rpVec2 place = sheet->places[node];
	*side = place.y > (float)(titleHeight + 0.5 * sheet->graphHeight) + 1.0f ? 1.0f : -1.0f;
	return (rpVec2){place.x, place.y + *side * (0.5f * nodeHeight + 0.75f * loopRadius)};
}

static void drawLoop(Sheet* sheet, int node)
{
	float side;
	rpVec2 middle = findLoop(sheet, node, &side);
	cairo_t* cairo = sheet->canvas.cairo;
	double open = 0.85, turn = -0.5 * (double)side * RP_PI, end = turn - open;
	cairo_new_path(cairo);
	cairo_arc(cairo, (double)middle.x, (double)middle.y, loopRadius, turn + open, turn + 2.0 * RP_PI - open);
	cairo_stroke(cairo);
	cairo_set_dash(cairo, NULL, 0, 0.0);
	rpVec2 tip = {middle.x + (float)(loopRadius * cos(end)), middle.y + (float)(loopRadius * sin(end))};
	rpVec2 from = {middle.x + (float)(loopRadius * cos(end - 0.3)), middle.y + (float)(loopRadius * sin(end - 0.3))};
	drawArrow(&sheet->canvas, tip, from);
}

static void drawEdge(Sheet* sheet, const rpParametricEdge* edge, bool isMarked)
{
	rpCanvas* canvas = &sheet->canvas;
	const double dashes[] = {7.0, 5.0};
	rpCanvas_SetColor(canvas, rpColor_FromHex(edge->good > SEEN ? SEEN_EDGE : EDGE), isMarked ? 1.0 : 0.8);
	cairo_set_line_width(canvas->cairo, 1.2 + 4.0 * getMeanShare(sheet->graph, edge));
	cairo_set_dash(canvas->cairo, dashes, edge->isPartial ? 2 : 0, 0.0);
	if (edge->source == edge->target)
	{
		drawLoop(sheet, edge->source);
		return;
	}
	rpVec2 points[3];
	makeCurve(sheet->places[edge->source], sheet->places[edge->target], points);
	drawCurve(sheet, points);
}

static bool isFree(const Sheet* sheet, rpVec2 at)
{
	bool is = true;
	for (int i = 0; i < sheet->labelCount && is; ++i)
	{
		is = fabsf(at.x - sheet->labels[i].x) > labelWidth || fabsf(at.y - sheet->labels[i].y) > labelHeight;
	}
	for (int i = 0; i < sheet->graph->nodeCount && is; ++i)
	{
		is = fabsf(at.x - sheet->places[i].x) > 0.5f * (nodeWidth + labelWidth) ||
			 fabsf(at.y - sheet->places[i].y) > 0.5f * (nodeHeight + labelHeight);
	}
	return is;
}

// In the middle of its edge, or beside that where another label or a node stands there.
static rpVec2 placeLabel(const Sheet* sheet, const rpParametricEdge* edge)
{
	static const float parts[] = {0.5f, 0.42f, 0.58f, 0.34f, 0.66f, 0.26f, 0.74f};
	if (edge->source == edge->target)
	{
		float side;
		rpVec2 middle = findLoop(sheet, edge->source, &side);
		middle.y += side * (loopRadius + (side > 0.0f ? 5.0f : 0.0f));
		return middle;
	}
	rpVec2 points[3];
	makeCurve(sheet->places[edge->source], sheet->places[edge->target], points);
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); ++i)
	{
		rpVec2 at = curveAt(points, parts[i]);
		if (isFree(sheet, at))
		{
			return at;
		}
	}
	return curveAt(points, parts[0]);
}

static void writeLabel(Sheet* sheet, const rpParametricEdge* edge, bool isMarked)
{
	rpCanvas* canvas = &sheet->canvas;
	char text[64];
	rpVec2 at = placeLabel(sheet, edge);
	sheet->labels[sheet->labelCount++] = at;
	snprintf(text, sizeof(text), "%.3f m", (double)edge->good);
	double width = rpCanvas_MeasureText(canvas, 12.5, isMarked, text);
	rpCanvas_SetColor(canvas, rpColor_FromHex(0xffffff), 0.92);
	cairo_rectangle(canvas->cairo, (double)at.x - 0.5 * width - 3.0, (double)at.y - 9.0, width + 6.0, 17.0);
	cairo_fill(canvas->cairo);
	rpCanvas_SetColor(canvas, rpColor_FromHex(INK), 1.0);
	rpCanvas_DrawText(canvas, (double)at.x, (double)at.y + 4.5, 12.5, isMarked, 0.5, text);
}

// Text that fits a node; the rest is left out.
static void writeInNode(rpCanvas* canvas, rpVec2 place, double y, double size, bool isBold, unsigned color,
						const char* text)
{
	char shown[RP_MAX_SPACE_TEXT];
	snprintf(shown, sizeof(shown), "%.200s", text);
	for (size_t n = strlen(shown); n > 4 && rpCanvas_MeasureText(canvas, size, isBold, shown) > nodeWidth - 12.0;)
	{
		// Whole characters: bytes of UTF-8 that go on with one begin with 10.
		do
		{
			--n;
		} while (n > 4 && ((unsigned char)shown[n] & 0xc0) == 0x80);
		memcpy(shown + n, "…", 4);
	}
	rpCanvas_SetColor(canvas, rpColor_FromHex(color), 1.0);
	rpCanvas_DrawText(canvas, (double)place.x, (double)place.y + y, size, isBold, 0.5, shown);
}

static void drawNode(Sheet* sheet, int index)
{
	rpCanvas* canvas = &sheet->canvas;
	cairo_t* cairo = canvas->cairo;
	const rpParametricNode* node = &sheet->graph->nodes[index];
	rpVec2 place = sheet->places[index];
	double x = (double)place.x - 0.5 * nodeWidth, y = (double)place.y - 0.5 * nodeHeight, r = 10.0;
	char text[RP_MAX_SPACE_PARAMETERS * 100] = "";
	cairo_new_path(cairo);
	cairo_arc(cairo, x + nodeWidth - r, y + r, r, -0.5 * RP_PI, 0.0);
	cairo_arc(cairo, x + nodeWidth - r, y + nodeHeight - r, r, 0.0, 0.5 * RP_PI);
	cairo_arc(cairo, x + r, y + nodeHeight - r, r, 0.5 * RP_PI, RP_PI);
	cairo_arc(cairo, x + r, y + r, r, RP_PI, 1.5 * RP_PI);
	cairo_close_path(cairo);
	rpCanvas_SetColor(canvas, rpColor_FromHex(NODE), 1.0);
	cairo_fill_preserve(cairo);
	rpCanvas_SetColor(canvas, rpColor_FromHex(INK), 1.0);
	cairo_set_line_width(cairo, 1.2);
	cairo_stroke(cairo);
	writeInNode(canvas, place, -10.0, 16.0, true, INK, node->name);
	snprintf(text, sizeof(text), "%d examples", node->space->exampleCount);
	writeInNode(canvas, place, 7.0, 12.0, false, QUIET, text);
	size_t size = 0;
	for (int k = 0; k < node->space->parameterCount && size < sizeof(text); ++k)
	{
		size += (size_t)snprintf(text + size, sizeof(text) - size, "%s%s", k > 0 ? ", " : "",
								 node->space->parameters[k].name);
	}
	writeInNode(canvas, place, 23.0, 12.0, false, QUIET, text);
}

static void drawGraph(Sheet* sheet)
{
	const rpParametricGraph* graph = sheet->graph;
	for (int i = 0; i < graph->edgeCount; ++i)
	{
		drawEdge(sheet, &graph->edges[i], i == sheet->def->edge);
	}
	for (int i = 0; i < graph->edgeCount; ++i)
	{
		writeLabel(sheet, &graph->edges[i], i == sheet->def->edge);
	}
	for (int i = 0; i < graph->nodeCount; ++i)
	{
		drawNode(sheet, i);
	}
}

static void writeTitle(Sheet* sheet)
{
	rpCanvas* canvas = &sheet->canvas;
	const rpParametricGraph* graph = sheet->graph;
	const char* title = sheet->def->title != NULL ? sheet->def->title : "parametric graph";
	char text[96];
	rpCanvas_SetColor(canvas, rpColor_FromHex(INK), 1.0);
	double width = rpCanvas_DrawText(canvas, margin, 40.0, 20.0, true, 0.0, title);
	snprintf(text, sizeof(text), "%d node%s, %d edge%s", graph->nodeCount, graph->nodeCount == 1 ? "" : "s",
			 graph->edgeCount, graph->edgeCount == 1 ? "" : "s");
	write(canvas, margin + width + 16.0, 40.0, 14.0, 0.0, QUIET, text);
	bool hasSeen = false, hasPartial = false;
	for (int i = 0; i < graph->edgeCount; ++i)
	{
		hasSeen = hasSeen || graph->edges[i].good > SEEN;
		hasPartial = hasPartial || graph->edges[i].isPartial;
	}
	char legend[256];
	snprintf(legend, sizeof(legend),
			 "numbers: what counts as a good transition; the wider, the more of the target it leads to%s%s",
			 hasSeen ? "; orange: blends of so much are seen" : "",
			 hasPartial ? "; dashed: some motions lead nowhere" : "");
	write(canvas, margin, 62.0, 12.5, 0.0, QUIET, legend);
}

// ---- plots

/// A plot: what its width and height are, and where it stands.
typedef struct Plot
{
	rpCanvas* canvas;
	double left, top, width, height;
	double lowX, highX, lowY, highY;
} Plot;

static double toX(const Plot* plot, double value)
{
	double range = plot->highX - plot->lowX;
	return plot->left + plot->width * (range > 0.0 ? (value - plot->lowX) / range : 0.5);
}

static double toY(const Plot* plot, double value)
{
	double range = plot->highY - plot->lowY;
	return plot->top + plot->height * (1.0 - (range > 0.0 ? (value - plot->lowY) / range : 0.5));
}

// A step of a scale, 1, 2 or 5 times a power of ten, that makes at most so many.
static double chooseStep(double range, int count)
{
	double rough = range / count, power = pow(10.0, floor(log10(rough))), rest = rough / power;
	return power * (rest > 5.0 ? 10.0 : rest > 2.0 ? 5.0 : rest > 1.0 ? 2.0 : 1.0);
}

// Along the width, or up at the left or at the right; values are shown times scale.
typedef enum Side
{
	sideBelow,
	sideLeft,
	sideRight,
} Side;

static void drawScale(const Plot* plot, Side side, double low, double high, double scale, unsigned color)
{
	double range = scale * (high - low), step = range > 0.0 ? chooseStep(range, side == sideBelow ? 7 : 6) : 1.0;
	for (double value = ceil(scale * low / step - 1e-6) * step; value <= scale * high + 1e-6 * step; value += step)
	{
		char text[32];
		double share = range > 0.0 ? (value - scale * low) / range : 0.5;
		double x = side == sideBelow  ? plot->left + plot->width * share
				   : side == sideLeft ? plot->left - 7.0
									  : plot->left + plot->width + 7.0;
		double y = side == sideBelow ? plot->top + plot->height + 16.0 : plot->top + plot->height * (1.0 - share) + 4.0;
		snprintf(text, sizeof(text), "%.4g", fabs(value) < 1e-6 * step ? 0.0 : value);
		write(plot->canvas, x, y, 11.5, side == sideBelow ? 0.5 : side == sideLeft ? 1.0 : 0.0, color, text);
	}
}

static void drawFrame(const Plot* plot)
{
	cairo_rectangle(plot->canvas->cairo, plot->left, plot->top, plot->width, plot->height);
	rpCanvas_SetColor(plot->canvas, rpColor_FromHex(LINE), 1.0);
	cairo_set_line_width(plot->canvas->cairo, 1.0);
	cairo_stroke(plot->canvas->cairo);
}

static void nameAxes(const Plot* plot, const rpParametricNode* across, int i, const rpParametricNode* up, int j)
{
	char text[200];
	const rpSpaceParameter *x = &across->space->parameters[i], *y = &up->space->parameters[j];
	drawScale(plot, sideBelow, plot->lowX, plot->highX, (double)rpSpaceParameter_GetScale(x), QUIET);
	drawScale(plot, sideLeft, plot->lowY, plot->highY, (double)rpSpaceParameter_GetScale(y), QUIET);
	snprintf(text, sizeof(text), "%s of %s, %s", x->name, across->name, rpSpaceParameter_GetUnit(x));
	write(plot->canvas, plot->left + plot->width, plot->top + plot->height + 33.0, 12.0, 1.0, INK, text);
	snprintf(text, sizeof(text), "%s of %s, %s", y->name, up->name, rpSpaceParameter_GetUnit(y));
	write(plot->canvas, plot->left, plot->top - 7.0, 12.0, 0.0, INK, text);
}

// ---- the boxes of an edge

static const rpParametricEdge* getEdge(const Sheet* sheet)
{
	return &sheet->graph->edges[sheet->def->edge];
}

static const rpParametricNode* getSource(const Sheet* sheet)
{
	return &sheet->graph->nodes[getEdge(sheet)->source];
}

static const rpParametricNode* getTarget(const Sheet* sheet)
{
	return &sheet->graph->nodes[getEdge(sheet)->target];
}

static Plot makePlot(Sheet* sheet, const rpSpaceParameter* x, const rpSpaceParameter* y, double left, double top,
					 double width, double height)
{
	return (Plot){&sheet->canvas, left,           top, width, height, (double)x->low, (double)x->high,
				  (double)y->low, (double)y->high};
}

// What is reached over the only parameter of the source, as it is looked up.
static void drawBand(const Sheet* sheet, const Plot* plot, int axis)
{
	double step = plot->width / bandSteps;
	cairo_set_antialias(plot->canvas->cairo, CAIRO_ANTIALIAS_NONE);
	rpCanvas_SetColor(plot->canvas, rpColor_FromHex(COVER), 0.75);
	for (int i = 0; i < bandSteps; ++i)
	{
		float value = (float)(plot->lowX + (plot->highX - plot->lowX) * (i + 0.5) / bandSteps);
		rpParametricBox box = rpParametricGraph_LookUp(sheet->graph, sheet->def->edge, &value);
		if (!box.isEmpty)
		{
			double low = toY(plot, (double)box.low[axis]), high = toY(plot, (double)box.high[axis]);
			cairo_rectangle(plot->canvas->cairo, plot->left + i * step, high, step, fmax(low - high, 1.0));
			cairo_fill(plot->canvas->cairo);
		}
	}
	cairo_set_antialias(plot->canvas->cairo, CAIRO_ANTIALIAS_DEFAULT);
}

// The boxes of samples as bars, and what is nearest as dots; empty ones as rings at the foot.
static void drawBars(const Sheet* sheet, const Plot* plot, int across, int axis)
{
	const rpParametricEdge* edge = getEdge(sheet);
	cairo_set_line_width(plot->canvas->cairo, 1.4);
	for (int i = 0; i < edge->sampleCount; ++i)
	{
		const rpParametricSample* sample = &sheet->graph->samples[edge->firstSample + i];
		double x = toX(plot, (double)sample->values[across]);
		double middle = (double)sample->center[axis], half = 0.5 * (double)sample->width[axis];
		if (sample->width[0] >= 0.0f)
		{
			rpCanvas_SetColor(plot->canvas, rpColor_FromHex(SAMPLE), 0.7);
			drawLine(plot->canvas, x, toY(plot, middle - half), x, toY(plot, middle + half));
		}
		drawDot(plot->canvas, x, toY(plot, (double)sample->best[axis]), 2.6, sample->width[0] >= 0.0f ? NEAREST : QUIET,
				0.9);
	}
}

static void drawReach(Sheet* sheet, int axis, double left, double top, double width)
{
	const rpParametricNode *source = getSource(sheet), *target = getTarget(sheet);
	int across = source->space->parameterCount > 1 ? sheet->def->axes[0] : 0;
	Plot plot = makePlot(sheet, &source->space->parameters[across], &target->space->parameters[axis], left, top, width,
						 plotHeight);
	drawFrame(&plot);
	if (source->space->parameterCount == 1)
	{
		drawBand(sheet, &plot, axis);
	}
	drawBars(sheet, &plot, across, axis);
	nameAxes(&plot, source, across, target, axis);
}

// Where the transition is over the only parameter of the source, parts of the cores.
static void drawMoments(Sheet* sheet, double top)
{
	const rpParametricNode* source = getSource(sheet);
	const rpParametricEdge* edge = getEdge(sheet);
	const rpSpaceParameter* x = &source->space->parameters[0];
	Plot plot = {&sheet->canvas,
				 margin + scaleWidth,
				 top,
				 pictureWidth - 2 * margin - scaleWidth,
				 flatHeight,
				 (double)x->low,
				 (double)x->high,
				 -0.15,
				 1.25};
	drawFrame(&plot);
	for (int i = 0; i < edge->sampleCount; ++i)
	{
		const rpParametricSample* sample = &sheet->graph->samples[edge->firstSample + i];
		if (sample->width[0] >= 0.0f)
		{
			drawDot(plot.canvas, toX(&plot, (double)sample->values[0]), toY(&plot, (double)sample->from), 3.0, SAMPLE,
					0.9);
			drawDot(plot.canvas, toX(&plot, (double)sample->values[0]), toY(&plot, (double)sample->to), 3.0, LEAST,
					0.9);
		}
	}
	drawScale(&plot, sideBelow, plot.lowX, plot.highX, (double)rpSpaceParameter_GetScale(x), QUIET);
	drawScale(&plot, sideLeft, plot.lowY, plot.highY, 1.0, QUIET);
	char text[300];
	snprintf(text, sizeof(text),
			 "where the transition is, parts of the motions: %s is left (blue), %s is entered (green)", source->name,
			 getTarget(sheet)->name);
	write(plot.canvas, plot.left, plot.top - 7.0, 12.0, 0.0, INK, text);
}

// ---- boxes of a few motions of the source, over two parameters of the target

static double getDistance(const rpSpace* space, const float* a, const float* b)
{
	double sum = 0.0;
	for (int k = 0; k < space->parameterCount; ++k)
	{
		double range = (double)(space->parameters[k].high - space->parameters[k].low);
		double d = range > 0.0 ? (double)(a[k] - b[k]) / range : 0.0;
		sum += d * d;
	}
	return sum;
}

// The most central motion that leads anywhere, then always the one that is farthest from all before it.
static int chooseSamples(const Sheet* sheet, int* out)
{
	const rpParametricEdge* edge = getEdge(sheet);
	const rpParametricSample* samples = &sheet->graph->samples[edge->firstSample];
	const rpSpace* space = getSource(sheet)->space;
	float middle[RP_MAX_SPACE_PARAMETERS];
	for (int k = 0; k < space->parameterCount; ++k)
	{
		middle[k] = 0.5f * (space->parameters[k].low + space->parameters[k].high);
	}
	int count = 0;
	while (count < panelCount)
	{
		int best = -1;
		double most = -INFINITY;
		for (int i = 0; i < edge->sampleCount; ++i)
		{
			double distance = count == 0 ? -getDistance(space, samples[i].values, middle) : INFINITY;
			for (int n = 0; n < count; ++n)
			{
				distance = fmin(distance, getDistance(space, samples[i].values, samples[out[n]].values));
			}
			if (samples[i].width[0] >= 0.0f && distance > most && (count == 0 || distance > 0.0))
			{
				best = i;
				most = distance;
			}
		}
		if (best < 0)
		{
			break;
		}
		out[count++] = best;
	}
	return count;
}

// "turn -20 deg, speed 1.20 m/s"
static void writeValues(const rpSpace* space, const float* values, char* text, size_t capacity)
{
	size_t size = 0;
	for (int k = 0; k < space->parameterCount && size < capacity; ++k)
	{
		const rpSpaceParameter* parameter = &space->parameters[k];
		float fine = parameter->isAngle ? 1.0f : 100.0f;
		// No "-0".
		float value = roundf(fine * values[k] * rpSpaceParameter_GetScale(parameter)) / fine + 0.0f;
		size += (size_t)snprintf(text + size, capacity - size, "%s%.*f %s", k > 0 ? ", " : "",
								 parameter->isAngle ? 0 : 2, (double)value, rpSpaceParameter_GetUnit(parameter));
	}
}

static void drawPanel(Sheet* sheet, const rpParametricSample* sample, double left, double top, double width)
{
	const rpParametricNode *source = getSource(sheet), *target = getTarget(sheet);
	const rpSpace* space = target->space;
	int i = sheet->def->axes[0], j = sheet->def->axes[1];
	Plot plot = makePlot(sheet, &space->parameters[i], &space->parameters[j], left, top, width, panelHeight);
	cairo_t* cairo = sheet->canvas.cairo;
	drawFrame(&plot);
	for (int n = 0; n < space->exampleCount; ++n)
	{
		const float* values = space->values + (size_t)n * (size_t)space->parameterCount;
		drawDot(plot.canvas, toX(&plot, (double)values[i]), toY(&plot, (double)values[j]), 2.2, EXAMPLE, 1.0);
	}
	double x = toX(&plot, (double)(sample->center[i] - 0.5f * sample->width[i])),
		   y = toY(&plot, (double)(sample->center[j] + 0.5f * sample->width[j]));
	cairo_rectangle(cairo, x, y, toX(&plot, (double)(sample->center[i] + 0.5f * sample->width[i])) - x,
					toY(&plot, (double)(sample->center[j] - 0.5f * sample->width[j])) - y);
	rpCanvas_SetColor(plot.canvas, rpColor_FromHex(COVER), 0.55);
	cairo_fill_preserve(cairo);
	rpCanvas_SetColor(plot.canvas, rpColor_FromHex(SAMPLE), 1.0);
	cairo_set_line_width(cairo, 1.4);
	cairo_stroke(cairo);
	drawDot(plot.canvas, toX(&plot, (double)sample->best[i]), toY(&plot, (double)sample->best[j]), 4.0, NEAREST, 0.95);
	if (getEdge(sheet)->source == getEdge(sheet)->target)
	{
		double cx = toX(&plot, (double)sample->values[i]), cy = toY(&plot, (double)sample->values[j]);
		rpCanvas_SetColor(plot.canvas, rpColor_FromHex(INK), 1.0);
		drawLine(plot.canvas, cx - 6.0, cy, cx + 6.0, cy);
		drawLine(plot.canvas, cx, cy - 6.0, cx, cy + 6.0);
	}
	char values[200], text[300];
	drawScale(&plot, sideBelow, plot.lowX, plot.highX, (double)rpSpaceParameter_GetScale(&space->parameters[i]), QUIET);
	drawScale(&plot, sideLeft, plot.lowY, plot.highY, (double)rpSpaceParameter_GetScale(&space->parameters[j]), QUIET);
	writeValues(source->space, sample->values, values, sizeof(values));
	snprintf(text, sizeof(text), "from %s", values);
	write(plot.canvas, left, top - 7.0, 12.0, 0.0, INK, text);
}

static bool hasPanels(const Sheet* sheet)
{
	return getSource(sheet)->space->parameterCount > 1 && getTarget(sheet)->space->parameterCount > 1;
}

static double drawPanels(Sheet* sheet, double top)
{
	int chosen[panelCount], count = chooseSamples(sheet, chosen);
	double width = (pictureWidth - 2 * margin) / (double)panelColumns - scaleWidth;
	for (int n = 0; n < count; ++n)
	{
		drawPanel(sheet, &sheet->graph->samples[getEdge(sheet)->firstSample + chosen[n]],
				  margin + scaleWidth + n % panelColumns * (width + scaleWidth),
				  top + (double)(n / panelColumns) * (panelHeight + scaleHeight), width);
	}
	return top + (double)((count + panelColumns - 1) / panelColumns) * (panelHeight + scaleHeight);
}

// ---- range and accuracy against the threshold

static void drawTradeLine(const Plot* plot, const Sheet* sheet, int which, unsigned color)
{
	const rpParametricPictureDef* def = sheet->def;
	rpCanvas_SetColor(plot->canvas, rpColor_FromHex(color), 1.0);
	cairo_set_line_width(plot->canvas->cairo, 2.0);
	bool isBegun = false;
	for (int i = 0; i < def->tradeCount; ++i)
	{
		const rpParametricTrade* trade = &def->trades[i];
		float value = which == 0 ? trade->shareMean : which == 1 ? trade->shareMin : trade->distance;
		// What leads nowhere has no distance.
		if (which < 2 || trade->shareMean > 0.0f)
		{
			(isBegun ? cairo_line_to : cairo_move_to)(plot->canvas->cairo, toX(plot, (double)trade->good),
													  toY(plot, (double)value));
			isBegun = true;
		}
	}
	cairo_stroke(plot->canvas->cairo);
}

static void drawTrade(Sheet* sheet, double top)
{
	static const unsigned colors[] = {EDGE, LEAST, NEAREST};
	static const char* const names[] = {"range: the part of the target that is led to, the mean", "the least",
										"accuracy: how far that is from where it comes from, m (at the right)"};
	const rpParametricPictureDef* def = sheet->def;
	double largest = 0.0, last = (double)def->trades[def->tradeCount - 1].good, x = margin + scaleWidth;
	for (int i = 0; i < def->tradeCount; ++i)
	{
		largest = fmax(largest, (double)def->trades[i].distance);
	}
	Plot share = {&sheet->canvas,
				  margin + scaleWidth,
				  top,
				  pictureWidth - 2 * margin - 2 * scaleWidth,
				  plotHeight,
				  0.0,
				  last,
				  0.0,
				  1.0};
	Plot distance = share;
	distance.highY = largest > 0.0 ? largest : 1.0;
	drawFrame(&share);
	drawTradeLine(&share, sheet, 0, colors[0]);
	drawTradeLine(&share, sheet, 1, colors[1]);
	drawTradeLine(&distance, sheet, 2, colors[2]);
	const double dashes[] = {5.0, 4.0};
	double at = toX(&share, (double)getEdge(sheet)->good);
	if (at <= share.left + share.width)
	{
		rpCanvas_SetColor(share.canvas, rpColor_FromHex(INK), 0.8);
		cairo_set_line_width(share.canvas->cairo, 1.0);
		cairo_set_dash(share.canvas->cairo, dashes, 2, 0.0);
		drawLine(share.canvas, at, share.top, at, share.top + share.height);
		cairo_set_dash(share.canvas->cairo, NULL, 0, 0.0);
		write(share.canvas, at + 5.0, share.top + share.height - 7.0, 12.0, 0.0, INK, "of this graph");
	}
	drawScale(&share, sideBelow, 0.0, last, 1.0, QUIET);
	drawScale(&share, sideLeft, 0.0, 1.0, 1.0, QUIET);
	drawScale(&distance, sideRight, 0.0, distance.highY, 1.0, NEAREST);
	write(share.canvas, share.left + share.width, share.top + share.height + 33.0, 12.0, 1.0, INK,
		  "what counts as a good transition, m");
	for (int i = 0; i < 3; ++i)
	{
		drawDot(share.canvas, x + 5.0, top - 11.0, 4.5, colors[i], 1.0);
		rpCanvas_SetColor(share.canvas, rpColor_FromHex(INK), 1.0);
		x += 14.0 + rpCanvas_DrawText(share.canvas, x + 14.0, top - 7.0, 12.0, false, 0.0, names[i]) + 16.0;
	}
}

// ---- the whole

static double getEdgeHeight(const Sheet* sheet)
{
	if (sheet->def->edge < 0)
	{
		return 0.0;
	}
	int dimension = getTarget(sheet)->space->parameterCount, chosen[panelCount];
	int rows =
		hasPanels(sheet) ? (chooseSamples(sheet, chosen) + panelColumns - 1) / panelColumns : (dimension + 1) / 2;
	double height = headingHeight + 24.0 + rows * ((hasPanels(sheet) ? panelHeight : plotHeight) + scaleHeight);
	return height + (getSource(sheet)->space->parameterCount == 1 ? flatHeight + scaleHeight : 0.0) +
		   (sheet->def->tradeCount > 0 ? plotHeight + scaleHeight + 20.0 : 0.0);
}

static void writeHeading(Sheet* sheet, double top)
{
	const rpParametricEdge* edge = getEdge(sheet);
	char text[300];
	snprintf(text, sizeof(text), "%s → %s", getSource(sheet)->name, getTarget(sheet)->name);
	writeBold(&sheet->canvas, margin, top, 17.0, 0.0, text);
	double width = rpCanvas_MeasureText(&sheet->canvas, 17.0, true, text);
	const char* parameters = "";
	char axes[200];
	if (hasPanels(sheet))
	{
		const rpSpaceParameter* all = getTarget(sheet)->space->parameters;
		snprintf(axes, sizeof(axes), "; %s to the right, %s up%s", all[sheet->def->axes[0]].name,
				 all[sheet->def->axes[1]].name, edge->source == edge->target ? "; cross: itself" : "");
		parameters = axes;
	}
	snprintf(text, sizeof(text), "good up to %.3f m, never above %.3f m; blue: what can follow; red: what is nearest%s",
			 (double)edge->good, (double)edge->bad, parameters);
	write(&sheet->canvas, margin + width + 16.0, top, 12.5, 0.0, QUIET, text);
}

static void drawBoxes(Sheet* sheet)
{
	double top = titleHeight + sheet->graphHeight + headingHeight;
	int dimension = getTarget(sheet)->space->parameterCount;
	writeHeading(sheet, top);
	top += 34.0;
	if (hasPanels(sheet))
	{
		top = drawPanels(sheet, top);
	}
	else
	{
		double width =
			dimension == 1 ? pictureWidth - 2 * margin - scaleWidth : 0.5 * (pictureWidth - 2 * margin) - scaleWidth;
		for (int k = 0; k < dimension; ++k)
		{
			drawReach(sheet, k, margin + scaleWidth + k % 2 * (width + scaleWidth),
					  top + (double)(k / 2) * (plotHeight + scaleHeight), width);
		}
		top += (double)((dimension + 1) / 2) * (plotHeight + scaleHeight);
	}
	if (getSource(sheet)->space->parameterCount == 1)
	{
		drawMoments(sheet, top);
		top += flatHeight + scaleHeight;
	}
	if (sheet->def->tradeCount > 0)
	{
		drawTrade(sheet, top + 10.0);
	}
}

bool rpDrawParametricGraph(const rpParametricGraph* graph, const rpParametricPictureDef* def, const char* path,
						   rpError* error)
{
	rpParametricPictureDef usual = rpDefaultParametricPictureDef();
	Sheet sheet = {.graph = graph, .def = def != NULL ? def : &usual};
	layNodes(&sheet);
	double height = titleHeight + sheet.graphHeight + getEdgeHeight(&sheet) + margin;
	if (!rpCanvas_Open(&sheet.canvas, path, pictureWidth, (int)height, error))
	{
		return false;
	}
	rpCanvas_SetColor(&sheet.canvas, rpColor_FromHex(0xffffff), 1.0);
	cairo_paint(sheet.canvas.cairo);
	writeTitle(&sheet);
	drawGraph(&sheet);
	if (sheet.def->edge >= 0)
	{
		drawBoxes(&sheet);
	}
	return rpCanvas_Save(&sheet.canvas, path, error);
}
