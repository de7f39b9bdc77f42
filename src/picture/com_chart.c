/// Takes cut into movements, drawn as Fig. 1 of Kwon & Shin 2005: the height of the centre of mass, phases, boundaries
/// and strings. A take goes on from row to row, as a text does.
#include "analysis/footstep_take.h"
#include "base/error.h"
#include "base/memory.h"
#include "picture/canvas.h"
#include "picture/escape.h"
#include "reprise/picture.h"

#include <stdio.h>
#include <string.h>

#define WIDTH 1500
#define LEFT 74.0
#define RIGHT 20.0
#define HEAD 58.0
#define NAME 30.0
#define PLOT 120.0
#define BAND 16.0
#define STRINGS 22.0
#define SCALE 20.0
#define ROW (NAME + PLOT + BAND + STRINGS + SCALE)
// A row shows this much, seconds, or more where the picture would be too high.
#define ROW_SECONDS 8.0
#define HIGHEST 16000.0
#define INK 0x1c2333
#define QUIET 0x6b7488
#define FAINT 0xd5d9e2
#define BAD 0xc62828

/// A letter and its colour.
typedef struct Tint
{
	char letter;
	unsigned color;
	const char* text;
} Tint;

static const Tint s_tints[] = {
	{'L', 0x4c9be8, "L left"},   {'R', 0xf2a03d, "R right"}, {'D', 0x8a7fd0, "D both"},
	{'F', 0x59c27a, "F flight"}, {'S', 0xb9bfca, "S stand"},
};

enum
{
	tintCount = sizeof(s_tints) / sizeof(s_tints[0]),
};

/// Everything that drawing needs.
typedef struct Chart
{
	rpCanvas canvas;
	const rpMotion* const* takes;
	const rpMovements* movements;
	double rowSeconds;

	/// The take being drawn, the heights of its plot, metres.
	int take;
	rpFootstepTake view;
	float low, high;

	/// The row: its upper edge, its first second and its end.
	double top, from, to;
} Chart;

static void drawText(Chart* chart, double x, double y, double size, bool bold, double align, unsigned color,
					 const char* text)
{
	rpCanvas_SetColor(&chart->canvas, rpColor_FromHex(color), 1.0);
	rpCanvas_DrawText(&chart->canvas, x, y, size, bold, align, text);
}

static double placeTime(const Chart* chart, double time)
{
	return LEFT + (WIDTH - LEFT - RIGHT) * (time - chart->from) / chart->rowSeconds;
}

static double placeHeight(const Chart* chart, float height)
{
	return chart->top + NAME + PLOT * (double)((chart->high - height) / (chart->high - chart->low));
}

static unsigned getTint(char letter)
{
	int i = 0;
	while (i + 1 < tintCount && s_tints[i].letter != letter)
	{
		++i;
	}
	return s_tints[i].color;
}

static int countRows(double duration, double rowSeconds)
{
	return (int)fmax(ceil(duration / rowSeconds - 1e-9), 1.0);
}

static double getHeight(const rpMotion* const* takes, int count, double rowSeconds)
{
	double rows = 0.0;
	for (int i = 0; i < count; ++i)
	{
		rows += countRows(rpMotion_GetDuration(takes[i]), rowSeconds);
	}
	return HEAD + ROW * rows + 10.0;
}

// ---- a row

static void drawPhases(Chart* chart)
{
	for (int i = 0; i < chart->view.phases.count; ++i)
	{
		const rpFootstepPhase* phase = chart->view.phases.items + i;
		double start = fmax(phase->start, chart->from), end = fmin(phase->end, chart->to);
		if (end <= start)
		{
			continue;
		}
		double x = placeTime(chart, start), width = placeTime(chart, end) - x, y = chart->top + NAME;
		char letter[2] = {phase->letter, 0};
		rpColor color = rpColor_FromHex(getTint(phase->letter));
		rpCanvas_SetColor(&chart->canvas, color, 0.22);
		cairo_rectangle(chart->canvas.cairo, x, y, width, PLOT);
		cairo_fill(chart->canvas.cairo);
		rpCanvas_SetColor(&chart->canvas, color, 1.0);
		cairo_rectangle(chart->canvas.cairo, x, y + PLOT, width, BAND);
		cairo_fill(chart->canvas.cairo);
		if (width > 9.0)
		{
			drawText(chart, x + 0.5 * width, y + PLOT + 12.0, 11.0, true, 0.5, INK, letter);
		}
	}
}

static void drawCurve(Chart* chart)
{
	const rpCenterTrack* track = &chart->view.track;
	cairo_t* cairo = chart->canvas.cairo;
	int first = (int)ceil(chart->from * track->fps), last = (int)floor(chart->to * track->fps);
	cairo_new_path(cairo);
	for (int i = first; i <= last && i < track->frameCount; ++i)
	{
		cairo_line_to(cairo, placeTime(chart, i / track->fps), placeHeight(chart, track->places[i].y));
	}
	rpCanvas_SetColor(&chart->canvas, rpColor_FromHex(INK), 1.0);
	cairo_set_line_width(cairo, 1.6);
	cairo_stroke(cairo);
}

static void drawBound(Chart* chart, double time, unsigned color)
{
	if (time < chart->from || time > chart->to)
	{
		return;
	}
	double x = placeTime(chart, time), y = chart->top + NAME;
	rpCanvas_SetColor(&chart->canvas, rpColor_FromHex(color), 0.9);
	cairo_set_line_width(chart->canvas.cairo, 1.0);
	cairo_move_to(chart->canvas.cairo, x, y - 4.0);
	cairo_line_to(chart->canvas.cairo, x, y + PLOT + BAND + STRINGS);
	cairo_stroke(chart->canvas.cairo);
}

// A segment that goes on in the next row has its string where more of it is.
static void drawSegment(Chart* chart, double start, double end, const char* string, unsigned color)
{
	drawBound(chart, start, color == BAD ? BAD : INK);
	drawBound(chart, end, color == BAD ? BAD : INK);
	double from = fmax(start, chart->from), to = fmin(end, chart->to);
	if (to - from > 0.5 * (end - start))
	{
		double x = placeTime(chart, 0.5 * (from + to));
		drawText(chart, x, chart->top + NAME + PLOT + BAND + 15.0, 11.0, false, 0.5, color, string);
	}
}

static void drawSegments(Chart* chart)
{
	const rpMovements* movements = chart->movements;
	for (int i = 0; i < movements->droppedCount; ++i)
	{
		const rpDroppedMovement* dropped = movements->dropped + i;
		if (dropped->take == chart->take)
		{
			drawSegment(chart, dropped->start, dropped->end, dropped->string, BAD);
		}
	}
	for (int i = 0; i < movements->count; ++i)
	{
		const rpMovement* movement = movements->items + i;
		if (movement->take == chart->take)
		{
			drawSegment(chart, movement->start, movement->end, rpMovementKind_GetString(movement->kind), INK);
		}
	}
}

static void drawScales(Chart* chart)
{
	char text[32];
	double bottom = chart->top + NAME + PLOT + BAND + STRINGS;
	drawText(chart, LEFT - 6.0, chart->top + NAME + 10.0, 11.0, false, 1.0, QUIET,
			 rpFormatNumber(text, (double)chart->high, 2, false));
	drawText(chart, LEFT - 6.0, chart->top + NAME + PLOT, 11.0, false, 1.0, QUIET,
			 rpFormatNumber(text, (double)chart->low, 2, false));
	for (int second = (int)ceil(chart->from - 1e-9); second <= (int)floor(chart->to); ++second)
	{
		double time = second;
		double x = placeTime(chart, time);
		rpCanvas_SetColor(&chart->canvas, rpColor_FromHex(FAINT), 1.0);
		cairo_set_line_width(chart->canvas.cairo, 1.0);
		cairo_move_to(chart->canvas.cairo, x, bottom);
		cairo_line_to(chart->canvas.cairo, x, bottom + 4.0);
		cairo_stroke(chart->canvas.cairo);
		drawText(chart, x, bottom + 15.0, 10.0, false, 0.5, QUIET, rpFormatNumber(text, time, 0, true));
	}
}

static void drawName(Chart* chart)
{
	char name[120], text[200];
	rpCleanText(chart->takes[chart->take]->name, name, sizeof(name));
	snprintf(text, sizeof(text), "%s, height of the centre of mass in m over seconds", name);
	drawText(chart, LEFT, chart->top + NAME - 10.0, 13.0, true, 0.0, INK, text);
}

static void drawRow(Chart* chart)
{
	drawPhases(chart);
	drawCurve(chart);
	drawSegments(chart);
	drawScales(chart);
	if (chart->from == 0.0)
	{
		drawName(chart);
	}
}

// ---- takes

// All rows of a take have the same scale, at least 10 cm.
static void setScale(Chart* chart)
{
	const rpCenterTrack* track = &chart->view.track;
	float low = INFINITY, high = -INFINITY;
	for (int i = 0; i < track->frameCount; ++i)
	{
		low = fminf(low, track->places[i].y);
		high = fmaxf(high, track->places[i].y);
	}
	float spare = fmaxf(0.05f - 0.5f * (high - low), 0.0f) + 0.005f;
	chart->low = low - spare;
	chart->high = high + spare;
}

static bool drawTake(Chart* chart, const rpMovementDef* def, rpError* error)
{
	const rpMotion* motion = chart->takes[chart->take];
	bool ok = rpFootstepTake_Open(&chart->view, motion, def, error);
	if (ok)
	{
		double duration = rpMotion_GetDuration(motion);
		setScale(chart);
		for (int row = 0; row < countRows(duration, chart->rowSeconds); ++row)
		{
			chart->from = row * chart->rowSeconds;
			chart->to = fmin(chart->from + chart->rowSeconds, duration);
			drawRow(chart);
			chart->top += ROW;
		}
	}
	rpFootstepTake_Free(&chart->view);
	return ok;
}

static void drawHead(Chart* chart)
{
	char text[200];
	const rpMovements* movements = chart->movements;
	double share = movements->locomotionSeconds > 0.0 ? movements->validSeconds / movements->locomotionSeconds : 0.0;
	snprintf(text, sizeof(text), "%d movements, %d dropped, %.0f %% of %.1f s between boundaries are in movements",
			 movements->count, movements->droppedCount, 100.0 * share, movements->locomotionSeconds);
	cairo_set_source_rgb(chart->canvas.cairo, 1.0, 1.0, 1.0);
	cairo_paint(chart->canvas.cairo);
	drawText(chart, LEFT, 24.0, 15.0, true, 0.0, INK, text);
	double x = LEFT;
	for (int i = 0; i < tintCount; ++i)
	{
		rpCanvas_SetColor(&chart->canvas, rpColor_FromHex(s_tints[i].color), 1.0);
		cairo_rectangle(chart->canvas.cairo, x, 36.0, 14.0, 14.0);
		cairo_fill(chart->canvas.cairo);
		rpCanvas_SetColor(&chart->canvas, rpColor_FromHex(INK), 1.0);
		x += 20.0 + rpCanvas_DrawText(&chart->canvas, x + 20.0, 48.0, 12.0, false, 0.0, s_tints[i].text) + 22.0;
	}
	drawText(chart, x, 48.0, 12.0, false, 0.0, BAD, "dropped");
}

bool rpDrawMovements(const rpMotion* const* takes, int count, const rpMovements* movements, const rpMovementDef* def,
					 const char* path, rpError* error)
{
	rpMovementDef defaults = rpDefaultMovementDef();
	Chart chart = {.takes = takes, .movements = movements, .rowSeconds = ROW_SECONDS, .top = HEAD};
	while (getHeight(takes, count, chart.rowSeconds) > HIGHEST && chart.rowSeconds < 1e6)
	{
		chart.rowSeconds *= 1.5;
	}
	double height = getHeight(takes, count, chart.rowSeconds);
	if (height > HIGHEST)
	{
		return rpFail(error, rp_errorLimit, "%d takes are too many for one picture", count);
	}
	if (!rpCanvas_Open(&chart.canvas, path, WIDTH, (int)height, error))
	{
		return false;
	}
	drawHead(&chart);
	bool ok = true;
	for (chart.take = 0; ok && chart.take < count; ++chart.take)
	{
		ok = drawTake(&chart, def != NULL ? def : &defaults, error);
	}
	if (!ok)
	{
		rpCanvas_Drop(&chart.canvas);
		return false;
	}
	return rpCanvas_Save(&chart.canvas, path, error);
}
