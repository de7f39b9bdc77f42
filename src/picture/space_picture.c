/// The picture of a parametric space: maps of its examples, samples and what they cover (Heck's thesis, Fig. 3.7), and
/// motions across it as thumbnails.
#include "base/error.h"
#include "picture/canvas.h"
#include "picture/thumbnail.h"
#include "reprise/picture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define INK 0x1c2333
#define QUIET 0x6b7488
#define LINE 0xd9dee8
#define COVER 0x9db8f2
#define SAMPLE 0x6b7488
#define EXAMPLE 0xc0392b
#define SIGHT 0x0b7a4b

enum
{
	margin = 40,
	titleHeight = 84,
	mapWidth = 394,
	mapHeight = 340,
	// Left of a map and below it, for its scales.
	scaleWidth = 58,
	scaleHeight = 56,
	lineHeight = 110,
	// Of the only map of two parameters.
	wideWidth = 860,
	wideHeight = 440,
	cardWidth = 440,
	cardHeight = 190,
	gap = 18,
	poses = 5,
	acrossCount = 3,
	mostMaps = 6,
	mostParameters = 4,
	// Cells of a map along its width and height, and values of the other parameters that are tried in each.
	cells = 40,
	tries = 16,
	// Samples near a cell whose other parameters are tried there too.
	nearTries = 4,
	// More samples than this are drawn smaller.
	manySamples = 400,
};

// Cells are shaded less and less up to a miss of so many times what counts as inside: a request that is missed by
// little is no hole.
#define FADE 3.0f

/// A map: parameters along its width and height; the latter is -1 in a space of one parameter.
typedef struct Map
{
	rpCanvas* canvas;
	const rpSpace* space;
	int across, up;
	double left, top, width, height;
} Map;

static void write(rpCanvas* canvas, double x, double y, double size, double align, unsigned color, const char* text)
{
	rpCanvas_SetColor(canvas, rpColor_FromHex(color), 1.0);
	rpCanvas_DrawText(canvas, x, y, size, false, align, text);
}

static float getShare(const rpSpaceParameter* parameter, float value)
{
	float range = parameter->high - parameter->low;
	return range > 0.0f ? (value - parameter->low) / range : 0.5f;
}

// In a space of one parameter `row` is the height, 0 to 1.
static rpVec2 place(const Map* map, const float* values, float row)
{
	const rpSpaceParameter* parameters = map->space->parameters;
	float x = getShare(&parameters[map->across], values[map->across]);
	float y = map->up >= 0 ? getShare(&parameters[map->up], values[map->up]) : row;
	// Half a cell of room on all sides.
	return (rpVec2){(float)(map->left + map->width * (0.03 + 0.94 * (double)x)),
					(float)(map->top + map->height * (0.97 - 0.94 * (double)y))};
}

// ---- what is covered

// Evenly spread numbers from 0 to 1: the radical inverse (van der Corput 1935).
static float invert(int index, int base)
{
	float result = 0.0f, part = 1.0f;
	for (; index > 0; index /= base)
	{
		part /= (float)base;
		result += part * (float)(index % base);
	}
	return result;
}

static float pick(const rpSpaceParameter* parameter, float share)
{
	return parameter->low + share * (parameter->high - parameter->low);
}

// How much the space has of a request: 1 where it is inside, 0 where it is far from all that there is.
static float getHold(const rpSpace* space, const float* asked)
{
	rpSpaceAnswer answer;
	float miss = rpSpace_Weigh(space, asked, NULL, &answer, NULL) ? answer.error / RP_SPACE_INSIDE : FADE;
	return fminf(fmaxf((FADE - miss) / (FADE - 1.0f), 0.0f), 1.0f);
}

static void setCell(const Map* map, float x, float y, float* asked)
{
	asked[map->across] = pick(&map->space->parameters[map->across], x);
	if (map->up >= 0)
	{
		asked[map->up] = pick(&map->space->parameters[map->up], y);
	}
}

// The share of what the other parameters may be that the space has together with these.
static float getShareOfOthers(const Map* map, float x, float y)
{
	static const int primes[RP_MAX_SPACE_PARAMETERS] = {2, 3, 5, 7, 11, 13};
	const rpSpace* space = map->space;
	int count = space->parameterCount > 2 ? tries : 1;
	float sum = 0.0f;
	for (int n = 0; n < count; ++n)
	{
		float asked[RP_MAX_SPACE_PARAMETERS];
		for (int k = 0; k < space->parameterCount; ++k)
		{
			asked[k] = pick(&space->parameters[k], invert(n + 1, primes[k]));
		}
		setCell(map, x, y, asked);
		sum += getHold(space, asked);
	}
	return sum / (float)count;
}

// What the space has where the other parameters are those of samples near by: where it is a thin sheet, numbers at
// random miss it.
static float getHoldNear(const Map* map, float x, float y)
{
	const rpSpace* space = map->space;
	int nearest[nearTries], count = 0;
	float distances[nearTries], best = 0.0f;
	for (int i = 0; i < space->sampleCount; ++i)
	{
		const float* values = space->values + (size_t)i * (size_t)space->parameterCount;
		float dx = getShare(&space->parameters[map->across], values[map->across]) - x;
		float dy = getShare(&space->parameters[map->up], values[map->up]) - y, distance = dx * dx + dy * dy;
		int at = count < nearTries ? count++ : distance < distances[count - 1] ? count - 1 : nearTries;
		for (; at > 0 && at < nearTries && distances[at - 1] > distance; --at)
		{
			distances[at] = distances[at - 1];
			nearest[at] = nearest[at - 1];
		}
		if (at < nearTries)
		{
			distances[at] = distance;
			nearest[at] = i;
		}
	}
	for (int i = 0; i < count; ++i)
	{
		float asked[RP_MAX_SPACE_PARAMETERS];
		memcpy(asked, space->values + (size_t)nearest[i] * (size_t)space->parameterCount,
			   (size_t)space->parameterCount * sizeof(float));
		setCell(map, x, y, asked);
		best = fmaxf(best, getHold(space, asked));
	}
	return best;
}

// How strongly a cell is shaded.
static double getShade(const Map* map, float x, float y)
{
	float share = getShareOfOthers(map, x, y);
	if (map->space->parameterCount < 3)
	{
		return 0.8 * (double)share;
	}
	float hold = fmaxf(share, getHoldNear(map, x, y));
	return (double)hold * (0.4 + 0.5 * (double)share);
}

static void drawCover(const Map* map)
{
	cairo_t* cairo = map->canvas->cairo;
	int rows = map->up >= 0 ? cells : 1;
	cairo_set_antialias(cairo, CAIRO_ANTIALIAS_NONE);
	for (int i = 0; i < cells * rows; ++i)
	{
		int column = i % cells, row = i / cells;
		double shade = getShade(map, ((float)column + 0.5f) / cells, ((float)row + 0.5f) / (float)rows);
		double w = 0.94 * map->width / cells, h = 0.94 * map->height / rows;
		if (shade > 0.0)
		{
			rpCanvas_SetColor(map->canvas, rpColor_FromHex(COVER), shade);
			cairo_rectangle(cairo, map->left + 0.03 * map->width + column * w,
							map->top + 0.97 * map->height - (row + 1) * h, w, h);
			cairo_fill(cairo);
		}
	}
	cairo_set_antialias(cairo, CAIRO_ANTIALIAS_DEFAULT);
}

// ---- dots

static void drawDot(const Map* map, rpVec2 at, double radius, unsigned color, double alpha)
{
	cairo_new_path(map->canvas->cairo);
	cairo_arc(map->canvas->cairo, (double)at.x, (double)at.y, radius, 0.0, 2.0 * RP_PI);
	rpCanvas_SetColor(map->canvas, rpColor_FromHex(color), alpha);
	cairo_fill(map->canvas->cairo);
}

// Rows of a map of one parameter.
#define SAMPLE_ROW 0.3f
#define EXAMPLE_ROW 0.55f
#define SIGHT_ROW 0.8f

static void drawDots(const Map* map)
{
	const rpSpace* space = map->space;
	bool isMany = space->sampleCount > manySamples;
	for (int i = space->sampleCount - 1; i >= 0; --i)
	{
		const float* values = space->values + (size_t)i * (size_t)space->parameterCount;
		bool isExample = i < space->exampleCount;
		rpVec2 at = place(map, values, isExample ? EXAMPLE_ROW : SAMPLE_ROW);
		drawDot(map, at, isExample ? 5.0 : isMany ? 1.5 : 2.2, isExample ? EXAMPLE : SAMPLE, isExample ? 0.85 : 0.5);
	}
}

static void drawSights(const Map* map, const rpSpaceSight* sights, int count)
{
	for (int i = 0; i < count; ++i)
	{
		char text[16];
		rpVec2 at = place(map, sights[i].values, SIGHT_ROW);
		snprintf(text, sizeof(text), "%d", i + 1);
		drawDot(map, at, 8.5, SIGHT, 0.9);
		write(map->canvas, (double)at.x, (double)at.y + 4.0, 11.0, 0.5, 0xffffff, text);
	}
}

// ---- scales

// A step of a scale, 1, 2 or 5 times a power of ten, that makes at most so many.
static double chooseStep(double range, int count)
{
	double rough = range / count, power = pow(10.0, floor(log10(rough))), rest = rough / power;
	return power * (rest > 5.0 ? 10.0 : rest > 2.0 ? 5.0 : rest > 1.0 ? 2.0 : 1.0);
}

static void drawScale(const Map* map, int index, bool isUp)
{
	const rpSpaceParameter* parameter = &map->space->parameters[index];
	rpCanvas* canvas = map->canvas;
	double scale = (double)rpSpaceParameter_GetScale(parameter);
	double low = scale * (double)parameter->low, high = scale * (double)parameter->high;
	double step = high > low ? chooseStep(high - low, isUp ? 6 : 7) : 1.0;
	char text[128];
	for (double value = ceil(low / step) * step; value <= high + 1e-9 * step; value += step)
	{
		float values[RP_MAX_SPACE_PARAMETERS] = {0.0f};
		values[index] = (float)(value / scale);
		rpVec2 at = place(map, values, 0.0f);
		snprintf(text, sizeof(text), "%.4g", fabs(value) < 1e-6 * step ? 0.0 : value);
		write(canvas, isUp ? map->left - 7.0 : (double)at.x, isUp ? (double)at.y + 4.0 : map->top + map->height + 16.0,
			  11.5, isUp ? 1.0 : 0.5, QUIET, text);
	}
	snprintf(text, sizeof(text), "%s, %s", parameter->name, rpSpaceParameter_GetUnit(parameter));
	if (isUp)
	{
		write(canvas, map->left, map->top - 8.0, 12.5, 0.0, INK, text);
	}
	else
	{
		write(canvas, map->left + map->width, map->top + map->height + 34.0, 12.5, 1.0, INK, text);
	}
}

static void drawMap(const Map* map, const rpSpaceSight* sights, int count)
{
	cairo_t* cairo = map->canvas->cairo;
	cairo_rectangle(cairo, map->left, map->top, map->width, map->height);
	rpCanvas_SetColor(map->canvas, rpColor_FromHex(LINE), 1.0);
	cairo_set_line_width(cairo, 1.0);
	cairo_stroke(cairo);
	drawCover(map);
	drawDots(map);
	drawSights(map, sights, count);
	drawScale(map, map->across, false);
	if (map->up >= 0)
	{
		drawScale(map, map->up, true);
	}
}

// ---- the whole

/// The picture at work.
typedef struct Sheet
{
	rpCanvas canvas;
	const rpSpace* space;
	const rpSpaceSight* sights;
	int sightCount;
	Map maps[mostMaps];
	int mapCount;
	double mapsEnd;
} Sheet;

static void layMaps(Sheet* sheet, double width)
{
	int d = sheet->space->parameterCount < mostParameters ? sheet->space->parameterCount : mostParameters;
	Map map = {.canvas = &sheet->canvas, .space = sheet->space, .up = -1};
	map.left = margin;
	map.top = titleHeight;
	map.width = d == 1 ? width - 2 * margin : d == 2 ? wideWidth : mapWidth;
	map.height = d == 1 ? lineHeight : d == 2 ? wideHeight : mapHeight;
	if (d == 1)
	{
		sheet->maps[sheet->mapCount++] = map;
	}
	for (int i = 0; i < d; ++i)
	{
		for (int j = i + 1; j < d; ++j)
		{
			int n = sheet->mapCount;
			map.across = i;
			map.up = j;
			map.left = margin + scaleWidth + (n % acrossCount) * (mapWidth + scaleWidth);
			map.top = titleHeight + 12.0 + (double)(n / acrossCount) * (mapHeight + scaleHeight);
			sheet->maps[sheet->mapCount++] = map;
		}
	}
	const Map* last = &sheet->maps[sheet->mapCount - 1];
	sheet->mapsEnd = last->top + last->height + scaleHeight;
}

static void writeTitle(Sheet* sheet, const char* title)
{
	rpCanvas* canvas = &sheet->canvas;
	const rpSpace* space = sheet->space;
	static const unsigned colors[] = {EXAMPLE, SAMPLE, COVER, SIGHT};
	static const char* const names[] = {"examples", "samples between them", "what the space has", "motions below"};
	rpCanvas_SetColor(canvas, rpColor_FromHex(INK), 1.0);
	double width = rpCanvas_DrawText(canvas, margin, 40, 20, true, 0.0, title != NULL ? title : space->features),
		   x = margin;
	char text[96];
	snprintf(text, sizeof(text), "%d examples of %d clip%s, %d samples between them", space->exampleCount,
			 space->clipCount, space->clipCount == 1 ? "" : "s", space->sampleCount - space->exampleCount);
	write(canvas, margin + width + 16.0, 40, 14, 0.0, QUIET, text);
	for (int i = 0; i < (sheet->sightCount > 0 ? 4 : 3); ++i)
	{
		cairo_new_path(canvas->cairo);
		cairo_arc(canvas->cairo, x + 5.0, 58.0, 5.0, 0.0, 2.0 * RP_PI);
		rpCanvas_SetColor(canvas, rpColor_FromHex(colors[i]), 1.0);
		cairo_fill(canvas->cairo);
		rpCanvas_SetColor(canvas, rpColor_FromHex(QUIET), 1.0);
		x += 16.0 + rpCanvas_DrawText(canvas, x + 15.0, 62.0, 12.5, false, 0.0, names[i]) + 16.0;
	}
}

static void writeValues(Sheet* sheet, int index, double x, double y)
{
	const rpSpaceSight* sight = &sheet->sights[index];
	char text[256];
	int size = snprintf(text, sizeof(text), "%d:", index + 1);
	for (int k = 0; k < sheet->space->parameterCount; ++k)
	{
		const rpSpaceParameter* parameter = &sheet->space->parameters[k];
		float fine = parameter->isAngle ? 1.0f : 100.0f;
		// No "-0".
		float value = roundf(fine * sight->values[k] * rpSpaceParameter_GetScale(parameter)) / fine + 0.0f;
		size += snprintf(text + size, sizeof(text) - (size_t)size, "%s %.*f %s", k > 0 ? "," : "",
						 parameter->isAngle ? 0 : 2, (double)value, rpSpaceParameter_GetUnit(parameter));
	}
	write(&sheet->canvas, x, y, 12.5, 0.0, INK, text);
}

static void drawCard(Sheet* sheet, rpThumbnail* thumbnail, int index)
{
	cairo_t* cairo = sheet->canvas.cairo;
	rpVec2 corner = {(float)(margin + index % acrossCount * (cardWidth + gap)),
					 (float)(sheet->mapsEnd + (double)(index / acrossCount) * (cardHeight + gap))};
	const rpSpaceSight* sight = &sheet->sights[index];
	rpThumbnailDef def = {sight->motion, 0.0, rpMotion_GetDuration(sight->motion), false, poses, sight->moment};
	cairo_rectangle(cairo, (double)corner.x, (double)corner.y, cardWidth, cardHeight);
	rpCanvas_SetColor(&sheet->canvas, rpColor_FromHex(0xf3f5f9), 1.0);
	cairo_fill(cairo);
	rpThumbnail_Draw(thumbnail, &sheet->canvas, corner, cardWidth, cardHeight, &def);
	writeValues(sheet, index, (double)corner.x + 8.0, (double)corner.y + 18.0);
}

static bool drawCards(Sheet* sheet, rpError* error)
{
	rpThumbnail thumbnail;
	if (sheet->sightCount == 0)
	{
		return true;
	}
	if (!rpThumbnail_Make(&thumbnail, sheet->sights[0].motion->skeleton, error))
	{
		return false;
	}
	for (int i = 0; i < sheet->sightCount; ++i)
	{
		drawCard(sheet, &thumbnail, i);
	}
	rpThumbnail_Free(&thumbnail);
	return true;
}

bool rpDrawSpace(const rpSpace* space, const rpSpaceSight* sights, int count, const char* title, const char* path,
				 rpError* error)
{
	Sheet sheet = {.space = space, .sights = sights, .sightCount = sights != NULL ? count : 0};
	double width = 2 * margin + acrossCount * cardWidth + (acrossCount - 1) * gap;
	layMaps(&sheet, width);
	int rows = (sheet.sightCount + acrossCount - 1) / acrossCount;
	double height = sheet.mapsEnd + (double)rows * (cardHeight + gap) + margin;
	if (!rpCanvas_Open(&sheet.canvas, path, (int)width, (int)height, error))
	{
		return false;
	}
	rpCanvas_SetColor(&sheet.canvas, rpColor_FromHex(0xffffff), 1.0);
	cairo_paint(sheet.canvas.cairo);
	writeTitle(&sheet, title);
	for (int i = 0; i < sheet.mapCount; ++i)
	{
		drawMap(&sheet.maps[i], sheet.sights, sheet.sightCount);
	}
	if (!drawCards(&sheet, error))
	{
		rpCanvas_Drop(&sheet.canvas);
		return false;
	}
	return rpCanvas_Save(&sheet.canvas, path, error);
}
