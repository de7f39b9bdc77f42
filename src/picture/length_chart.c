/// What a blend costs at every length: the curve of all joints with what was chosen, and below the part of each joint.
/// J. Wang's thesis, figures V.2 and V.6.
#include "base/error.h"
#include "picture/canvas.h"
#include "reprise/picture.h"

#include <math.h>
#include <stdio.h>

#define WIDTH 960
#define HEIGHT 760
#define LEFT 84.0
#define PLOT_WIDTH 640.0

static const unsigned s_colors[] = {0x2f7ed8, 0xe8752c, 0x3aa655, 0x9b59b6, 0xc0392b, 0x16a2a2,
									0xb8860b, 0x7f8c8d, 0x1a5276, 0xd35400, 0x196f3d, 0x6c3483};

enum
{
	colorCount = sizeof(s_colors) / sizeof(s_colors[0]),
	maxNames = 12,
};

/// One plot: seconds to the right, cost upwards.
typedef struct Plot
{
	rpCanvas* canvas;
	double top, height;

	/// At the right and upper ends.
	double seconds, cost;
} Plot;

static double toX(const Plot* plot, double seconds)
{
	return LEFT + PLOT_WIDTH * seconds / plot->seconds;
}

static double toY(const Plot* plot, double cost)
{
	return plot->top + plot->height * (1.0 - cost / plot->cost);
}

static void write(rpCanvas* canvas, double x, double y, double size, double align, unsigned color, const char* text)
{
	rpCanvas_SetColor(canvas, rpColor_FromHex(color), 1.0);
	rpCanvas_DrawText(canvas, x, y, size, false, align, text);
}

static void drawLine(rpCanvas* canvas, double x1, double y1, double x2, double y2)
{
	cairo_move_to(canvas->cairo, x1, y1);
	cairo_line_to(canvas->cairo, x2, y2);
	cairo_stroke(canvas->cairo);
}

// A step of a scale, 1, 2 or 5 times a power of ten, that makes about so many.
static double chooseStep(double largest, int count)
{
	double rough = largest / count, power = pow(10.0, floor(log10(rough))), rest = rough / power;
	return power * (rest > 5.0 ? 10.0 : rest > 2.0 ? 5.0 : rest > 1.0 ? 2.0 : 1.0);
}

static void drawScale(const Plot* plot, const char* title)
{
	rpCanvas* canvas = plot->canvas;
	char text[32];
	cairo_set_line_width(canvas->cairo, 1.0);
	double step = chooseStep(plot->cost, 5);
	for (int i = 0; i * step <= plot->cost * (1.0 + 1e-9); ++i)
	{
		rpCanvas_SetColor(canvas, rpColor_FromHex(i == 0 ? 0x555555 : 0xe4e6ee), 1.0);
		drawLine(canvas, LEFT, toY(plot, i * step), LEFT + PLOT_WIDTH, toY(plot, i * step));
		snprintf(text, sizeof(text), "%.4g", i * step);
		write(canvas, LEFT - 8.0, toY(plot, i * step) + 4.0, 12.0, 1.0, 0x555555, text);
	}
	step = chooseStep(plot->seconds, 8);
	for (int i = 0; i * step <= plot->seconds * (1.0 + 1e-9); ++i)
	{
		snprintf(text, sizeof(text), "%.4g s", i * step);
		write(canvas, toX(plot, i * step), plot->top + plot->height + 18.0, 12.0, 0.5, 0x555555, text);
	}
	write(canvas, LEFT, plot->top - 10.0, 13.0, 0.0, 0x333333, title);
}

static void drawCurve(const Plot* plot, const double* lengths, const double* costs, int count, unsigned color,
					  double width)
{
	rpCanvas_SetColor(plot->canvas, rpColor_FromHex(color), 1.0);
	cairo_set_line_width(plot->canvas->cairo, width);
	for (int i = 0; i < count; ++i)
	{
		(i == 0 ? cairo_move_to : cairo_line_to)(plot->canvas->cairo, toX(plot, lengths[i]), toY(plot, costs[i]));
	}
	cairo_stroke(plot->canvas->cairo);
}

static double findMax(const double* values, int count)
{
	double max = 1e-9;
	for (int i = 0; i < count; ++i)
	{
		max = fmax(max, values[i]);
	}
	return max;
}

// A line at the length that was chosen.
static void markLength(const Plot* plot, const rpBlendLength* length)
{
	static const double dash[] = {4.0, 4.0};
	double x = toX(plot, fmin(length->seconds, plot->seconds));
	cairo_set_dash(plot->canvas->cairo, dash, 2, 0.0);
	cairo_set_line_width(plot->canvas->cairo, 1.2);
	rpCanvas_SetColor(plot->canvas, rpColor_FromHex(0x222222), 0.8);
	drawLine(plot->canvas, x, plot->top, x, plot->top + plot->height);
	cairo_set_dash(plot->canvas->cairo, NULL, 0, 0.0);
}

static void drawSum(rpCanvas* canvas, const rpBlendLength* length, double seconds)
{
	Plot plot = {canvas, 84.0, 250.0, seconds, 1.08 * findMax(length->costs, length->lengthCount)};
	char text[96];
	drawScale(&plot, "mean cost of the blend, rad\302\262");
	drawCurve(&plot, length->lengths, length->costs, length->lengthCount, 0x22304a, 2.4);
	markLength(&plot, length);
	double y = toY(&plot, fmin(length->cost, plot.cost));
	rpCanvas_SetColor(canvas, rpColor_FromHex(0xc0392b), 1.0);
	cairo_arc(canvas->cairo, toX(&plot, fmin(length->seconds, seconds)), y, 5.0, 0.0, 2.0 * RP_PI);
	cairo_fill(canvas->cairo);
	snprintf(text, sizeof(text), "%s: %.3f s", rpLengthRule_GetName(length->rule), length->seconds);
	write(canvas, LEFT + PLOT_WIDTH + 20.0, plot.top + 14.0, 15.0, 0.0, 0xc0392b, text);
	snprintf(text, sizeof(text), "cost %.4g rad\302\262", length->cost);
	write(canvas, LEFT + PLOT_WIDTH + 20.0, plot.top + 36.0, 13.0, 0.0, 0x333333, text);
	snprintf(text, sizeof(text), "%.3f s of the first clip, %.3f s of the second", length->fromSeconds,
			 length->toSeconds);
	if (length->keyCount > 0)
	{
		write(canvas, LEFT, plot.top + plot.height + 36.0, 12.0, 0.0, 0x555555, text);
	}
}

static void drawParts(rpCanvas* canvas, const rpBlendLength* length, const rpSkeleton* skeleton, double seconds)
{
	int count = length->lengthCount;
	Plot plot = {canvas, 430.0, 250.0, seconds, 1.08 * findMax(length->jointCosts, count * length->jointCount)};
	drawScale(&plot, "the part of each joint, rad\302\262");
	for (int k = 0; k < length->jointCount; ++k)
	{
		unsigned color = s_colors[k % colorCount];
		drawCurve(&plot, length->lengths, length->jointCosts + (size_t)k * (size_t)count, count, color, 1.8);
		if (k < maxNames)
		{
			const rpJoint* joint = &skeleton->joints[length->joints[k]];
			double y = plot.top + 10.0 + 20.0 * k;
			rpCanvas_SetColor(canvas, rpColor_FromHex(color), 1.0);
			cairo_rectangle(canvas->cairo, LEFT + PLOT_WIDTH + 20.0, y - 7.0, 16.0, 4.0);
			cairo_fill(canvas->cairo);
			write(canvas, LEFT + PLOT_WIDTH + 44.0, y, 13.0, 0.0, 0x333333,
				  joint->role != rp_roleNone ? rpRole_GetName(joint->role) : joint->name);
		}
	}
	markLength(&plot, length);
	write(canvas, LEFT + PLOT_WIDTH, plot.top + plot.height + 38.0, 13.0, 1.0, 0x333333, "length of the blend");
}

bool rpDrawBlendLength(const rpBlendLength* length, const rpSkeleton* skeleton, const char* title, const char* path,
					   rpError* error)
{
	rpCanvas canvas;
	if (length->lengthCount < 1)
	{
		return rpFail(error, rp_errorArgument, "there is no room for a blend whose length could be drawn");
	}
	if (!rpCanvas_Open(&canvas, path, WIDTH, HEIGHT, error))
	{
		return false;
	}
	rpCanvas_SetColor(&canvas, rpColor_FromHex(0xffffff), 1.0);
	cairo_paint(canvas.cairo);
	double seconds = fmax(length->lengths[length->lengthCount - 1], length->seconds);
	rpCanvas_SetColor(&canvas, rpColor_FromHex(0x222222), 1.0);
	rpCanvas_DrawText(&canvas, LEFT, 38.0, 17.0, true, 0.0, title != NULL ? title : "Blend length");
	drawSum(&canvas, length, seconds);
	drawParts(&canvas, length, skeleton, seconds);
	return rpCanvas_Save(&canvas, path, error);
}
