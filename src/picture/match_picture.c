/// The picture of a match web: every match as a thumbnail of three poses, in the order in which they were found, and a
/// line to each from the match that led to it.
#include "base/error.h"
#include "picture/canvas.h"
#include "picture/escape.h"
#include "picture/thumbnail.h"
#include "reprise/picture.h"

#include <math.h>
#include <stdio.h>

#define INK 0x1c2333
#define QUIET 0x6b7488
#define EDGE 0x7a5af8
#define CARD 0xf3f5f9

// Thumbnails that are drawn at most: more would be a poster.
#define MOST 120

enum
{
	poses = 3,
	columns = 10,
	cardWidth = 132,
	cardHeight = 132,
	gapX = 20,
	gapY = 34,
	margin = 40,
	titleHeight = 76,
	// Room for the title.
	leastWidth = 640,
};

// Lines bend by this share of their length, at most so far, pixels: those of the first row stay below the title.
#define BEND 0.18
#define MOST_BEND 120.0

/// The picture at work.
typedef struct Sheet
{
	rpCanvas canvas;
	const rpMotion* const* motions;
	const rpMatches* matches;
	rpThumbnail thumbnail;
	int count;
} Sheet;

static rpVec2 getCorner(int index)
{
	int row = index / columns, column = index % columns;
	return (rpVec2){(float)(margin + column * (cardWidth + gapX)),
					(float)(titleHeight + margin + row * (cardHeight + gapY))};
}

static void drawThumbnail(Sheet* sheet, int index)
{
	const rpStretch* stretch = &sheet->matches->items[index].stretch;
	rpVec2 corner = getCorner(index);
	rpThumbnailDef def = {sheet->motions[stretch->clip], stretch->start, stretch->end, stretch->isMirror, poses, NAN};
	rpThumbnail_Draw(&sheet->thumbnail, &sheet->canvas, corner, cardWidth, cardHeight, &def);
}

static void drawCard(Sheet* sheet, int index)
{
	cairo_t* cairo = sheet->canvas.cairo;
	rpVec2 corner = getCorner(index);
	cairo_rectangle(cairo, (double)corner.x, (double)corner.y, cardWidth, cardHeight);
	rpCanvas_SetColor(&sheet->canvas, rpColor_FromHex(CARD), index == 0 ? 1.0 : 0.8);
	cairo_fill_preserve(cairo);
	rpCanvas_SetColor(&sheet->canvas, rpColor_FromHex(index == 0 ? EDGE : 0xd9dee8), 1.0);
	cairo_set_line_width(cairo, index == 0 ? 2.5 : 1.0);
	cairo_stroke(cairo);
}

// Angles have no unit.
static void printDistance(const Sheet* sheet, double distance, char* text, size_t size)
{
	bool isAngle = sheet->matches->isAngle;
	snprintf(text, size, isAngle ? "%.3g" : "%.1f cm", isAngle ? distance : 100.0 * distance);
}

static void writeCard(Sheet* sheet, int index)
{
	const rpMatch* match = &sheet->matches->items[index];
	char clean[64], text[160], distance[32];
	rpVec2 corner = getCorner(index);
	rpCleanText(sheet->motions[match->stretch.clip]->name, clean, sizeof(clean));
	snprintf(text, sizeof(text), "%.14s%s %.1f\xE2\x80\x93%.1f s", clean, match->stretch.isMirror ? "~" : "",
			 match->stretch.start, match->stretch.end);
	rpCanvas_SetColor(&sheet->canvas, rpColor_FromHex(INK), 1.0);
	rpCanvas_DrawText(&sheet->canvas, (double)corner.x + 4, (double)corner.y + cardHeight + 12, 10.5, false, 0.0, text);
	if (index == 0)
	{
		snprintf(text, sizeof(text), "query");
	}
	else
	{
		printDistance(sheet, (double)match->distance, distance, sizeof(distance));
		snprintf(text, sizeof(text), "%d from %d: %s", index, match->parent, distance);
	}
	rpCanvas_SetColor(&sheet->canvas, rpColor_FromHex(QUIET), 1.0);
	rpCanvas_DrawText(&sheet->canvas, (double)corner.x + 4, (double)corner.y + 12, 9.5, false, 0.0, text);
}

// ---- lines

// From middle to middle, bent so that lines along a row do not cover each other; the nearer, the stronger.
static void drawEdge(Sheet* sheet, int index)
{
	const rpMatch* match = &sheet->matches->items[index];
	cairo_t* cairo = sheet->canvas.cairo;
	rpVec2 from = getCorner(match->parent), to = getCorner(index);
	double x0 = (double)from.x + 0.5 * cardWidth, y0 = (double)from.y + 0.5 * cardHeight;
	double x1 = (double)to.x + 0.5 * cardWidth, y1 = (double)to.y + 0.5 * cardHeight;
	double length = fmax(hypot(x1 - x0, y1 - y0), 1.0), bend = MOST_BEND * (1.0 - exp(-BEND * length / MOST_BEND));
	double bx = 0.5 * (x0 + x1) + bend * (y1 - y0) / length, by = 0.5 * (y0 + y1) - bend * (x1 - x0) / length;
	double near = (double)sheet->matches->items[sheet->matches->count - 1].farthest;
	double weight = near > 0.0 ? 1.0 - 0.7 * fmin((double)match->distance / near, 1.0) : 1.0;
	cairo_move_to(cairo, x0, y0);
	cairo_curve_to(cairo, bx, by, bx, by, x1, y1);
	rpCanvas_SetColor(&sheet->canvas, rpColor_FromHex(EDGE), 0.25 + 0.45 * weight);
	cairo_set_line_width(cairo, 1.0 + 2.0 * weight);
	cairo_stroke(cairo);
}

static void writeTitle(Sheet* sheet)
{
	const rpMatches* matches = sheet->matches;
	char text[200], threshold[32];
	printDistance(sheet, (double)matches->threshold, threshold, sizeof(threshold));
	snprintf(text, sizeof(text), "%d match%s within %s%s", matches->count - 1, matches->count == 2 ? "" : "es",
			 threshold,
			 matches->isToPhase   ? ", up to another phase"
			 : matches->isFromGap ? ", from the gap"
								  : "");
	rpCanvas_SetColor(&sheet->canvas, rpColor_FromHex(INK), 1.0);
	rpCanvas_DrawText(&sheet->canvas, margin, 46, 22, true, 0.0, text);
	snprintf(text, sizeof(text), "nearest first; a line from each to those that it led to%s",
			 sheet->count < matches->count ? "; the first of them" : "");
	rpCanvas_SetColor(&sheet->canvas, rpColor_FromHex(QUIET), 1.0);
	rpCanvas_DrawText(&sheet->canvas, margin, 68, 14, false, 0.0, text);
}

static void drawAll(Sheet* sheet, int width, int height)
{
	cairo_rectangle(sheet->canvas.cairo, 0, 0, width, height);
	rpCanvas_SetColor(&sheet->canvas, (rpColor){1.0, 1.0, 1.0}, 1.0);
	cairo_fill(sheet->canvas.cairo);
	writeTitle(sheet);
	for (int k = 0; k < sheet->count; ++k)
	{
		drawCard(sheet, k);
	}
	for (int k = 1; k < sheet->count; ++k)
	{
		drawEdge(sheet, k);
	}
	for (int k = 0; k < sheet->count; ++k)
	{
		drawThumbnail(sheet, k);
		writeCard(sheet, k);
	}
}

bool rpDrawMatches(const rpMotion* const* motions, const rpMatches* matches, const char* path, rpError* error)
{
	Sheet sheet = {.motions = motions, .matches = matches, .count = matches->count < MOST ? matches->count : MOST};
	if (!rpThumbnail_Make(&sheet.thumbnail, motions[matches->items[0].stretch.clip]->skeleton, error))
	{
		return false;
	}
	int across = sheet.count < columns ? sheet.count : columns, rows = (sheet.count + columns - 1) / columns;
	int width = 2 * margin + across * (cardWidth + gapX) - gapX;
	int height = titleHeight + 2 * margin + rows * (cardHeight + gapY);
	width = width > leastWidth ? width : leastWidth;
	bool done = rpCanvas_Open(&sheet.canvas, path, width, height, error);
	if (done)
	{
		drawAll(&sheet, width, height);
		done = rpCanvas_Save(&sheet.canvas, path, error);
	}
	rpThumbnail_Free(&sheet.thumbnail);
	return done;
}
