/// The map of a graph's reach: seen from above, ahead is up, the character's left is to the left.
#include "picture/canvas.h"
#include "reprise/picture.h"

#include <stdio.h>
#include <stdlib.h>

#define SIZE 1000.0
#define MARGIN 40.0
#define HEAD 60.0
#define FOOT 60.0
#define INK 0x1c2333
#define QUIET 0x6b7280

// From soon to late.
static const unsigned s_scale[] = {0xfde725, 0x7ad151, 0x22a884, 0x2a788e, 0x414487, 0x440154};

#define LAST_STOP ((int)(sizeof(s_scale) / sizeof(s_scale[0])) - 1)

// Headings are drawn where a cell has this many pixels.
#define STAR_CELL 9.0

typedef struct Map
{
	rpCanvas* canvas;
	const rpReach* reach;
	/// Cells from the middle to the farthest that is reached; pixels of a cell.
	int radius;
	double pixels;
	/// Colours say with how many headings a cell is reached, not when.
	bool isByHeadings;
} Map;

static rpColor getColor(double share)
{
	double place = fmin(fmax(share, 0.0), 1.0) * LAST_STOP;
	int stop = place < LAST_STOP ? (int)place : LAST_STOP - 1;
	return rpColor_Mix(rpColor_FromHex(s_scale[stop]), rpColor_FromHex(s_scale[stop + 1]), place - stop);
}

static void write(const Map* map, double x, double y, double size, double align, unsigned color, const char* text)
{
	rpCanvas_SetColor(map->canvas, rpColor_FromHex(color), 1.0);
	rpCanvas_DrawText(map->canvas, x, y, size, false, align, text);
}

static int findRadius(const rpReach* reach)
{
	int middle = reach->width / 2, radius = 2;
	for (int i = 0; i < reach->width * reach->width; ++i)
	{
		if (isfinite(reach->times[i]))
		{
			int x = abs(i % reach->width - middle), z = abs(i / reach->width - middle);
			radius = x > radius ? x : radius;
			radius = z > radius ? z : radius;
		}
	}
	return radius;
}

// A stroke for each heading from the middle of the cell.
static void drawStar(const Map* map, double x, double y, unsigned headings, bool isDark)
{
	cairo_t* cairo = map->canvas->cairo;
	rpCanvas_SetColor(map->canvas, rpColor_FromHex(isDark ? 0xffffff : INK), 0.75);
	cairo_set_line_width(cairo, fmax(0.05 * map->pixels, 0.6));
	for (int k = 0; k < rp_reachHeadings; ++k)
	{
		double angle = 2.0 * RP_PI * k / rp_reachHeadings;
		if ((headings >> k & 1) != 0)
		{
			cairo_move_to(cairo, x, y);
			cairo_line_to(cairo, x - 0.42 * map->pixels * sin(angle), y - 0.42 * map->pixels * cos(angle));
		}
	}
	cairo_stroke(cairo);
}

static void drawCell(const Map* map, int index)
{
	const rpReach* reach = map->reach;
	int middle = reach->width / 2, x = index % reach->width - middle, z = index / reach->width - middle;
	double left = 0.5 * SIZE - (x + 0.5) * map->pixels, top = HEAD + 0.5 * SIZE - (z + 0.5) * map->pixels;
	int count = __builtin_popcount(reach->headings[index]);
	// From many to few, as from soon to late.
	double share = map->isByHeadings ? 1.0 - (count - 1.0) / (rp_reachHeadings - 1.0)
									 : (double)reach->times[index] / reach->seconds;
	rpCanvas_SetColor(map->canvas, getColor(share), 1.0);
	cairo_rectangle(map->canvas->cairo, left, top, map->pixels, map->pixels);
	cairo_fill(map->canvas->cairo);
	if (map->pixels >= STAR_CELL)
	{
		drawStar(map, left + 0.5 * map->pixels, top + 0.5 * map->pixels, reach->headings[index], share > 0.5);
	}
}

// Circles every so many metres.
static void drawRings(const Map* map)
{
	cairo_t* cairo = map->canvas->cairo;
	double extent = map->radius * (double)map->reach->cell, step = extent > 12.0 ? 5.0 : extent > 5.0 ? 2.0 : 1.0;
	cairo_set_line_width(cairo, 1.0);
	for (int i = 1; i * step <= extent; ++i)
	{
		char text[32];
		double r = i * step, radius = r / (double)map->reach->cell * map->pixels;
		rpCanvas_SetColor(map->canvas, rpColor_FromHex(QUIET), 0.6);
		cairo_new_path(cairo);
		cairo_arc(cairo, 0.5 * SIZE, HEAD + 0.5 * SIZE, radius, 0.0, 2.0 * RP_PI);
		cairo_stroke(cairo);
		snprintf(text, sizeof(text), "%.0f m", r);
		// Legible on any cell.
		rpCanvas_SetColor(map->canvas, rpColor_FromHex(0xffffff), 0.8);
		cairo_rectangle(cairo, 0.5 * SIZE + 1.0, HEAD + 0.5 * SIZE - radius - 17.0, 38.0, 16.0);
		cairo_fill(cairo);
		write(map, 0.5 * SIZE + 4.0, HEAD + 0.5 * SIZE - radius - 4.0, 13.0, 0.0, QUIET, text);
	}
}

// Where it starts, and in which direction it looks.
static void drawStart(const Map* map)
{
	cairo_t* cairo = map->canvas->cairo;
	double x = 0.5 * SIZE, y = HEAD + 0.5 * SIZE;
	rpCanvas_SetColor(map->canvas, rpColor_FromHex(0xd6336c), 1.0);
	cairo_move_to(cairo, x, y - 16.0);
	cairo_line_to(cairo, x - 8.0, y + 8.0);
	cairo_line_to(cairo, x + 8.0, y + 8.0);
	cairo_close_path(cairo);
	cairo_fill(cairo);
}

static void drawScale(const Map* map)
{
	cairo_t* cairo = map->canvas->cairo;
	double y = HEAD + SIZE + 16.0, width = 300.0;
	char text[64];
	for (int i = 0; i < 100; ++i)
	{
		rpCanvas_SetColor(map->canvas, getColor(i / 99.0), 1.0);
		cairo_rectangle(cairo, MARGIN + width * i / 100.0, y, width / 100.0 + 0.5, 12.0);
		cairo_fill(cairo);
	}
	if (map->isByHeadings)
	{
		snprintf(text, sizeof(text), "headings: %d … 1 of %d", rp_reachHeadings, rp_reachHeadings);
	}
	else
	{
		snprintf(text, sizeof(text), "reached after 0 … %.1f s", map->reach->seconds);
	}
	write(map, MARGIN + width + 10.0, y + 11.0, 14.0, 0.0, QUIET, text);
	write(map, SIZE - MARGIN, y + 11.0, 14.0, 1.0, QUIET, "strokes: headings that can be had there");
}

static void drawHead(const Map* map)
{
	const rpReach* reach = map->reach;
	char text[160];
	snprintf(text, sizeof(text), "Within %.1f s: %.0f m², %.0f of %d headings on average", reach->seconds, reach->area,
			 rp_reachHeadings * reach->headingShare, rp_reachHeadings);
	write(map, MARGIN, 36.0, 20.0, 0.0, INK, text);
	if (isfinite(reach->longestWithoutChoice))
	{
		snprintf(text, sizeof(text), "a choice every %.2f s, at the longest after %.2f s", reach->meanWithoutChoice,
				 reach->longestWithoutChoice);
		write(map, SIZE - MARGIN, 36.0, 14.0, 1.0, QUIET, text);
	}
}

static bool draw(const rpReach* reach, bool isByHeadings, const char* path, rpError* error)
{
	rpCanvas canvas;
	if (!rpCanvas_Open(&canvas, path, (int)SIZE, (int)(HEAD + SIZE + FOOT), error))
	{
		return false;
	}
	Map map = {&canvas, reach, findRadius(reach), 0.0, isByHeadings};
	map.pixels = (SIZE - 2.0 * MARGIN) / (2 * map.radius + 1);
	rpCanvas_SetColor(&canvas, rpColor_FromHex(0xffffff), 1.0);
	cairo_paint(canvas.cairo);
	for (int i = 0; i < reach->width * reach->width; ++i)
	{
		if (isfinite(reach->times[i]))
		{
			drawCell(&map, i);
		}
	}
	drawRings(&map);
	drawStart(&map);
	drawScale(&map);
	drawHead(&map);
	return rpCanvas_Save(&canvas, path, error);
}

bool rpDrawReach(const rpReach* reach, const char* path, rpError* error)
{
	return draw(reach, false, path, error);
}

bool rpDrawReachHeadings(const rpReach* reach, const char* path, rpError* error)
{
	return draw(reach, true, path, error);
}
