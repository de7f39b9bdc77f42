/// Drawing a heat map: colours, scales, minima, a path.
#include "picture/heat_map.h"

#include "base/error.h"
#include "picture/canvas.h"
#include "picture/escape.h"

#include <stdio.h>
#include <string.h>

#define INK 0x1c2333
#define QUIET 0x6b7488
#define PAPER 0xffffff
#define MINIMUM 0x3ddc84
#define PATH 0xffffff
#define PATH_EDGE 0x1c2333

// Near is dark, far is light.
static const unsigned s_scale[] = {0x0b0724, 0x3b0f70, 0x8c2981, 0xde4968, 0xfe9f6d, 0xfcfdbf};

#define STOP_COUNT (int)(sizeof(s_scale) / sizeof(s_scale[0]))

// A grid that is long in one direction is stretched in the other, up to this share of the longer side.
#define FLATTEST 0.2

/// Everything that drawing needs.
typedef struct Drawing
{
	const rpHeatMap* map;
	const rpHeatMapDef* def;
	rpCanvas canvas;

	/// The map in the picture.
	double left, top, width, height;

	/// Size of the texts.
	double text;

	/// Distance at the upper end of the colours.
	double largest;
} Drawing;

rpHeatMapDef rpDefaultHeatMapDef(void)
{
	return (rpHeatMapDef){.size = 900, .unit = "m"};
}

static rpColor getColor(double share)
{
	double place = fmin(fmax(share, 0.0), 1.0) * (STOP_COUNT - 1);
	int stop = place < STOP_COUNT - 1 ? (int)place : STOP_COUNT - 2;
	return rpColor_Mix(rpColor_FromHex(s_scale[stop]), rpColor_FromHex(s_scale[stop + 1]), place - stop);
}

// Time 0 is the middle of the first cell.
static double placeColumn(const Drawing* drawing, double seconds)
{
	return drawing->left + drawing->width * (seconds * drawing->map->fps + 0.5) / drawing->map->columns;
}

static double placeRow(const Drawing* drawing, double seconds)
{
	return drawing->top + drawing->height * (1.0 - (seconds * drawing->map->fps + 0.5) / drawing->map->rows);
}

static uint32_t packColor(rpColor color)
{
	return (uint32_t)(255.0 * color.r + 0.5) << 16 | (uint32_t)(255.0 * color.g + 0.5) << 8 |
		   (uint32_t)(255.0 * color.b + 0.5);
}

// One pixel for each pooled cell, the first row at the bottom.
static cairo_surface_t* makeImage(const Drawing* drawing)
{
	const rpHeatMap* map = drawing->map;
	cairo_surface_t* image = cairo_image_surface_create(CAIRO_FORMAT_RGB24, map->width, map->height);
	unsigned char* data = cairo_image_surface_get_data(image);
	if (data == NULL)
	{
		return image;
	}
	int stride = cairo_image_surface_get_stride(image);
	for (int y = 0; y < map->height; ++y)
	{
		const float* values = map->values + (size_t)(map->height - 1 - y) * (size_t)map->width;
		for (int x = 0; x < map->width; ++x)
		{
			uint32_t pixel = packColor(getColor(drawing->largest > 0.0 ? values[x] / drawing->largest : 0.0));
			memcpy(data + (ptrdiff_t)y * stride + 4 * (ptrdiff_t)x, &pixel, sizeof(pixel));
		}
	}
	cairo_surface_mark_dirty(image);
	return image;
}

static void drawMap(Drawing* drawing)
{
	const rpHeatMap* map = drawing->map;
	cairo_t* cairo = drawing->canvas.cairo;
	cairo_surface_t* image = makeImage(drawing);
	// The last pixel of a pooled side may stand for fewer cells: the image is a little larger than the grid.
	double cellWidth = drawing->width / map->columns, cellHeight = drawing->height / map->rows;
	double imageHeight = (double)map->height * map->pool * cellHeight;
	cairo_save(cairo);
	cairo_rectangle(cairo, drawing->left, drawing->top, drawing->width, drawing->height);
	cairo_clip(cairo);
	cairo_translate(cairo, drawing->left, drawing->top + drawing->height - imageHeight);
	cairo_scale(cairo, cellWidth * map->pool, cellHeight * map->pool);
	cairo_set_source_surface(cairo, image, 0, 0);
	// Cells are seen as cells; smaller ones than pixels are averaged.
	cairo_pattern_set_filter(cairo_get_source(cairo),
							 cellWidth * map->pool >= 1.0 ? CAIRO_FILTER_NEAREST : CAIRO_FILTER_GOOD);
	cairo_paint(cairo);
	cairo_restore(cairo);
	cairo_surface_destroy(image);
}

// A step of 1, 2 or 5 times a power of ten that divides a range into about so many parts.
static double getStep(double range, double parts)
{
	double rough = fmax(range, 1e-9) / fmax(parts, 1.0);
	double power = pow(10.0, floor(log10(rough)));
	double share = rough / power;
	return power * (share > 5.0 ? 10.0 : share > 2.0 ? 5.0 : share > 1.0 ? 2.0 : 1.0);
}

static int getDecimals(double step)
{
	return step >= 1.0 ? 0 : (int)fmin(ceil(-log10(step) - 1e-9), 6.0);
}

static void drawTick(Drawing* drawing, double x, double y, double dx, double dy)
{
	cairo_move_to(drawing->canvas.cairo, x, y);
	cairo_line_to(drawing->canvas.cairo, x + dx, y + dy);
	cairo_stroke(drawing->canvas.cairo);
}

static void drawColumnScale(Drawing* drawing)
{
	double seconds = (drawing->map->columns - 1) / drawing->map->fps, bottom = drawing->top + drawing->height;
	double step = getStep(seconds, drawing->width / (6.0 * drawing->text));
	for (int n = 0; n * step <= seconds * (1.0 + 1e-9); ++n)
	{
		char text[32];
		double x = placeColumn(drawing, n * step);
		rpCanvas_SetColor(&drawing->canvas, rpColor_FromHex(QUIET), 1.0);
		drawTick(drawing, x, bottom, 0.0, 0.35 * drawing->text);
		rpCanvas_DrawText(&drawing->canvas, x, bottom + 1.5 * drawing->text, drawing->text, false, 0.5,
						  rpFormatNumber(text, n * step, getDecimals(step), false));
	}
}

static void drawRowScale(Drawing* drawing)
{
	double seconds = (drawing->map->rows - 1) / drawing->map->fps;
	double step = getStep(seconds, drawing->height / (4.0 * drawing->text));
	for (int n = 0; n * step <= seconds * (1.0 + 1e-9); ++n)
	{
		char text[32];
		double y = placeRow(drawing, n * step);
		rpCanvas_SetColor(&drawing->canvas, rpColor_FromHex(QUIET), 1.0);
		drawTick(drawing, drawing->left, y, -0.35 * drawing->text, 0.0);
		rpCanvas_DrawText(&drawing->canvas, drawing->left - 0.6 * drawing->text, y + 0.35 * drawing->text,
						  drawing->text, false, 1.0, rpFormatNumber(text, n * step, getDecimals(step), false));
	}
}

// "walk.bvh, s", cut where there is no room.
static void drawAxisName(Drawing* drawing, const char* name, double room)
{
	char clean[160], text[200];
	rpCleanText(name != NULL ? name : "", clean, sizeof(clean));
	for (size_t size = strlen(clean);; --size)
	{
		// Never within a character.
		while (size > 0 && ((unsigned char)clean[size] & 0xc0) == 0x80)
		{
			--size;
		}
		bool cut = clean[size] != 0;
		snprintf(text, sizeof(text), "%.*s%s%stime, s", (int)size, clean, cut ? "…" : "", size > 0 ? ": " : "");
		if (size == 0 || rpCanvas_MeasureText(&drawing->canvas, drawing->text, false, text) <= room)
		{
			break;
		}
	}
	rpCanvas_SetColor(&drawing->canvas, rpColor_FromHex(INK), 1.0);
	rpCanvas_DrawText(&drawing->canvas, 0.0, 0.0, drawing->text, false, 0.5, text);
}

static void drawAxes(Drawing* drawing)
{
	cairo_t* cairo = drawing->canvas.cairo;
	cairo_set_line_width(cairo, 1.0);
	drawColumnScale(drawing);
	drawRowScale(drawing);
	cairo_save(cairo);
	cairo_translate(cairo, drawing->left + 0.5 * drawing->width, drawing->top + drawing->height + 3.2 * drawing->text);
	drawAxisName(drawing, drawing->def->columnName, drawing->width + 4.0 * drawing->text);
	cairo_restore(cairo);
	cairo_save(cairo);
	cairo_translate(cairo, 1.6 * drawing->text, drawing->top + 0.5 * drawing->height);
	cairo_rotate(cairo, -0.5 * RP_PI);
	drawAxisName(drawing, drawing->def->rowName, drawing->height + 4.0 * drawing->text);
	cairo_restore(cairo);
	rpCanvas_SetColor(&drawing->canvas, rpColor_FromHex(INK), 0.6);
	cairo_rectangle(cairo, drawing->left - 0.5, drawing->top - 0.5, drawing->width + 1.0, drawing->height + 1.0);
	cairo_stroke(cairo);
}

// The colours with their distances, on the right.
static void drawKey(Drawing* drawing)
{
	cairo_t* cairo = drawing->canvas.cairo;
	double unit = drawing->text, wide = 1.4 * unit, x = drawing->left + drawing->width + 1.8 * unit;
	double high = fmin(drawing->height, 24.0 * unit), bottom = drawing->top + drawing->height;
	cairo_pattern_t* shade = cairo_pattern_create_linear(0, bottom, 0, bottom - high);
	for (int i = 0; i < STOP_COUNT; ++i)
	{
		rpColor color = rpColor_FromHex(s_scale[i]);
		cairo_pattern_add_color_stop_rgb(shade, (double)i / (STOP_COUNT - 1), color.r, color.g, color.b);
	}
	cairo_rectangle(cairo, x, bottom - high, wide, high);
	cairo_set_source(cairo, shade);
	cairo_fill(cairo);
	cairo_pattern_destroy(shade);
	double range = drawing->largest > 0.0 ? drawing->largest : 1.0;
	double step = getStep(range, high / (3.5 * unit));
	for (int n = 0; n * step <= range * (1.0 + 1e-9); ++n)
	{
		char text[32];
		double y = bottom - high * n * step / range;
		rpCanvas_SetColor(&drawing->canvas, rpColor_FromHex(QUIET), 1.0);
		drawTick(drawing, x + wide, y, 0.35 * unit, 0.0);
		rpCanvas_DrawText(&drawing->canvas, x + wide + 0.6 * unit, y + 0.35 * unit, unit, false, 0.0,
						  rpFormatNumber(text, n * step, getDecimals(step), false));
	}
	const char* measure = drawing->def->unit;
	char text[64], clean[32];
	rpCleanText(measure != NULL ? measure : "", clean, sizeof(clean));
	snprintf(text, sizeof(text), clean[0] != 0 ? "distance, %s" : "distance%s", clean);
	rpCanvas_SetColor(&drawing->canvas, rpColor_FromHex(INK), 1.0);
	cairo_save(cairo);
	cairo_translate(cairo, x + wide + 4.6 * unit, bottom - 0.5 * high);
	cairo_rotate(cairo, -0.5 * RP_PI);
	rpCanvas_DrawText(&drawing->canvas, 0.0, 0.0, unit, false, 0.5, text);
	cairo_restore(cairo);
}

// So many that rings would hide the map.
#define MANY_MINIMA 2000

static void drawMinimum(Drawing* drawing, double x, double y, double radius)
{
	cairo_t* cairo = drawing->canvas.cairo;
	cairo_arc(cairo, x, y, radius, 0.0, 2.0 * RP_PI);
	cairo_set_line_width(cairo, 0.28 * drawing->text);
	rpCanvas_SetColor(&drawing->canvas, rpColor_FromHex(PATH_EDGE), 0.8);
	cairo_stroke_preserve(cairo);
	cairo_set_line_width(cairo, 0.14 * drawing->text);
	rpCanvas_SetColor(&drawing->canvas, rpColor_FromHex(MINIMUM), 1.0);
	cairo_stroke(cairo);
}

static void drawMinima(Drawing* drawing)
{
	const rpHeatMapDef* def = drawing->def;
	cairo_t* cairo = drawing->canvas.cairo;
	bool many = def->minimumCount > MANY_MINIMA;
	rpCanvas_SetColor(&drawing->canvas, rpColor_FromHex(MINIMUM), 0.7);
	for (int i = 0; i < def->minimumCount; ++i)
	{
		double x = placeColumn(drawing, def->minima[i].j / drawing->map->fps);
		double y = placeRow(drawing, def->minima[i].i / drawing->map->fps);
		if (many)
		{
			cairo_rectangle(cairo, x - 0.6, y - 0.6, 1.2, 1.2);
			cairo_fill(cairo);
		}
		else
		{
			drawMinimum(drawing, x, y, (def->minimumCount > MANY_MINIMA / 5 ? 0.18 : 0.3) * drawing->text);
		}
	}
}

static void drawPath(Drawing* drawing)
{
	const rpHeatMapDef* def = drawing->def;
	cairo_t* cairo = drawing->canvas.cairo;
	if (def->pathCount < 2)
	{
		return;
	}
	for (int i = 0; i < def->pathCount; ++i)
	{
		double x = placeColumn(drawing, def->pathColumns[i]), y = placeRow(drawing, def->pathRows[i]);
		(i == 0 ? cairo_move_to : cairo_line_to)(cairo, x, y);
	}
	cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND);
	cairo_set_line_cap(cairo, CAIRO_LINE_CAP_ROUND);
	cairo_set_line_width(cairo, 0.34 * drawing->text);
	rpCanvas_SetColor(&drawing->canvas, rpColor_FromHex(PATH_EDGE), 0.7);
	cairo_stroke_preserve(cairo);
	cairo_set_line_width(cairo, 0.17 * drawing->text);
	rpCanvas_SetColor(&drawing->canvas, rpColor_FromHex(PATH), 1.0);
	cairo_stroke(cairo);
}

static void drawTitle(Drawing* drawing)
{
	char clean[240];
	rpCleanText(drawing->def->title != NULL ? drawing->def->title : "", clean, sizeof(clean));
	rpCanvas_SetColor(&drawing->canvas, rpColor_FromHex(INK), 1.0);
	rpCanvas_DrawText(&drawing->canvas, drawing->left, drawing->top - 1.1 * drawing->text, 1.15 * drawing->text, true,
					  0.0, clean);
}

// A second is as long upwards as to the right, unless the map would become a line.
static void layOut(Drawing* drawing)
{
	double rows = drawing->map->rows, columns = drawing->map->columns;
	double longer = fmax(rows, columns), size = drawing->def->size;
	drawing->text = fmin(fmax(size / 60.0, 9.0), 26.0);
	drawing->width = floor(size * fmax(columns / longer, FLATTEST));
	drawing->height = floor(size * fmax(rows / longer, FLATTEST));
	drawing->left = floor(6.0 * drawing->text);
	bool titled = drawing->def->title != NULL && drawing->def->title[0] != 0;
	drawing->top = floor((titled ? 3.4 : 1.6) * drawing->text);
}

static bool checkDef(const rpHeatMapDef* def, rpError* error)
{
	if (def->size < 100 || def->size > 4000)
	{
		return rpFail(error, rp_errorArgument, "a heat map of %d pixels; 100 to 4000 are possible", def->size);
	}
	return true;
}

bool rpHeatMap_Draw(const rpHeatMap* map, const char* path, const rpHeatMapDef* def, rpError* error)
{
	rpHeatMapDef ownDef = def != NULL ? *def : rpDefaultHeatMapDef();
	Drawing drawing = {.map = map, .def = &ownDef};
	if (!checkDef(&ownDef, error))
	{
		return false;
	}
	drawing.largest = ownDef.largest > 0.0f ? (double)ownDef.largest : (double)map->largest;
	layOut(&drawing);
	int width = (int)(drawing.left + drawing.width + 8.6 * drawing.text);
	int height = (int)(drawing.top + drawing.height + 4.4 * drawing.text);
	if (!rpCanvas_Open(&drawing.canvas, path, width, height, error))
	{
		return false;
	}
	rpCanvas_SetColor(&drawing.canvas, rpColor_FromHex(PAPER), 1.0);
	cairo_paint(drawing.canvas.cairo);
	drawMap(&drawing);
	drawAxes(&drawing);
	drawKey(&drawing);
	cairo_rectangle(drawing.canvas.cairo, drawing.left, drawing.top, drawing.width, drawing.height);
	cairo_clip(drawing.canvas.cairo);
	drawPath(&drawing);
	drawMinima(&drawing);
	cairo_reset_clip(drawing.canvas.cairo);
	drawTitle(&drawing);
	return rpCanvas_Save(&drawing.canvas, path, error);
}
