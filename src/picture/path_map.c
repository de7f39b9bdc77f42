/// A walk against its path: seen from above, ahead is up, the character's left is to the left.
#include "base/error.h"
#include "base/memory.h"
#include "math/path_distance.h"
#include "picture/canvas.h"
#include "picture/escape.h"
#include "reprise/picture.h"

#include <stdio.h>
#include <string.h>

// Pixels: the picture is as wide as that and at most as high; below and above the map there is room for words.
#define SIZE 1000.0
#define MARGIN 40.0
#define HEAD 84.0
#define FOOT 56.0
#define MIN_HEIGHT 260.0

#define INK 0x1c2333
#define QUIET 0x6b7280
#define GRID 0xe3e7ee
#define WANTED 0x9aa3b5
#define FORBIDDEN 0xd6336c

// Metres around what is shown, and the least that is shown.
#define AROUND 0.7f
#define LEAST 2.0f

// Pixels between two places whose words would cover each other.
#define SAME_PLACE 48.0f

// Max pieces that the line of the walk is drawn in.
#define PIECES 4000

// The walk's colours, label by label: hues that stay apart for the colour-blind (Wong, Nature Methods 8, 2011),
// darkened to be seen on white. Others, and what has no label, are grey.
static const unsigned s_colors[] = {0x6d4dfa, 0x00805c, 0xb8407f, 0x8f6c00, 0x0072b2, 0xc25500, 0x2f7fa8};
#define COLORS ((int)(sizeof(s_colors) / sizeof(s_colors[0])))
#define NO_LABEL 0x596275

/// What is drawn and where.
typedef struct Map
{
	const rpMotion* motion;
	const rpPathMapDef* def;

	/// The wanted path; NULL if there is none.
	const rpCurve* wanted;
	rpCanvas canvas;

	/// Metres on the floor: the smallest and the greatest x and z of what is shown.
	float minX, maxX, minZ, maxZ;
	double scale, width, height;

	/// Names of labels in the order of their colours.
	const char* labels[COLORS];
	int labelCount;
} Map;

rpPathMapDef rpDefaultPathMapDef(void)
{
	return (rpPathMapDef){.errorMean = (double)NAN, .errorMax = (double)NAN};
}

// ---- the map

static void include(Map* map, float x, float z, float around)
{
	map->minX = fminf(map->minX, x - around);
	map->maxX = fmaxf(map->maxX, x + around);
	map->minZ = fminf(map->minZ, z - around);
	map->maxZ = fmaxf(map->maxZ, z + around);
}

// Where the root is on the floor, and where it looks.
static rpGroundTransform getGround(const Map* map, int frame)
{
	return map->def->trail != NULL ? map->def->trail[frame] : rpMotion_GetGround(map->motion, frame);
}

static rpVec2 getWanted(const Map* map, int key)
{
	return (rpVec2){map->wanted->values[3 * key], map->wanted->values[3 * key + 2]};
}

static double getMiddleX(const Map* map)
{
	return 0.5 * ((double)map->minX + (double)map->maxX);
}

static double getMiddleZ(const Map* map)
{
	return 0.5 * ((double)map->minZ + (double)map->maxZ);
}

static void measureMap(Map* map)
{
	map->minX = map->minZ = INFINITY;
	map->maxX = map->maxZ = -INFINITY;
	for (int i = 0; i < map->motion->frameCount; ++i)
	{
		rpVec3 p = getGround(map, i).shift;
		include(map, p.x, p.z, AROUND);
	}
	for (int i = 0; map->wanted != NULL && i < map->wanted->keyCount; ++i)
	{
		rpVec2 p = getWanted(map, i);
		include(map, p.x, p.y, AROUND);
	}
	for (int i = 0; i < map->def->forbiddenCount; ++i)
	{
		const rpForbidden* area = map->def->forbidden + i;
		include(map, area->center.x, area->center.y, area->radius);
	}
	if (map->def->goal != NULL)
	{
		include(map, map->def->goal->shift.x, map->def->goal->shift.z, AROUND);
	}
	include(map, (float)getMiddleX(map), (float)getMiddleZ(map), 0.5f * LEAST);
}

static void sizeMap(Map* map)
{
	double wide = (double)map->maxX - (double)map->minX, deep = (double)map->maxZ - (double)map->minZ;
	double room = SIZE - 2.0 * MARGIN;
	map->scale = fmin(room / wide, room / deep);
	map->width = SIZE;
	map->height = fmax(deep * map->scale, MIN_HEIGHT);
}

static double getX(const Map* map, double x)
{
	return 0.5 * map->width - map->scale * (x - getMiddleX(map));
}

static double getY(const Map* map, double z)
{
	return HEAD + 0.5 * map->height - map->scale * (z - getMiddleZ(map));
}

// ---- words

static double write(Map* map, double x, double y, double size, bool bold, double align, unsigned color,
					const char* text)
{
	char clean[200];
	rpCleanText(text, clean, sizeof(clean));
	rpCanvas_SetColor(&map->canvas, rpColor_FromHex(color), 1.0);
	return rpCanvas_DrawText(&map->canvas, x, y, size, bold, align, clean);
}

// ---- labels

// The label of a moment that began last: of two that overlap it is the newer, or the more special.
static int findLabel(const Map* map, double time)
{
	const rpInterval* last = NULL;
	for (int i = 0; i < map->motion->annotations.intervalCount; ++i)
	{
		const rpInterval* interval = map->motion->annotations.intervals + i;
		bool covers = interval->track == rp_trackLabel && interval->start <= time && time < interval->end;
		last = covers && (last == NULL || interval->start >= last->start) ? interval : last;
	}
	for (int i = 0; i < map->labelCount && last != NULL; ++i)
	{
		if (strcmp(map->labels[i], last->name) == 0)
		{
			return i;
		}
	}
	return -1;
}

static void listLabels(Map* map)
{
	for (int i = 0; i < map->motion->annotations.intervalCount && map->labelCount < COLORS; ++i)
	{
		const rpInterval* interval = map->motion->annotations.intervals + i;
		bool isKnown = interval->track != rp_trackLabel;
		for (int k = 0; k < map->labelCount && !isKnown; ++k)
		{
			isKnown = strcmp(map->labels[k], interval->name) == 0;
		}
		if (!isKnown)
		{
			map->labels[map->labelCount++] = interval->name;
		}
	}
}

static rpColor getLabelColor(int label)
{
	return rpColor_FromHex(label >= 0 ? s_colors[label] : NO_LABEL);
}

// ---- the picture's parts

// 1, 2 or 5 times a power of ten, so that there are some lines, and not too many.
static double getGridStep(const Map* map)
{
	double step = 0.1;
	for (int i = 0; step * map->scale < 38.0; ++i)
	{
		step *= i % 3 == 1 ? 2.5 : 2.0;
	}
	return step;
}

static void drawGrid(Map* map)
{
	cairo_t* cairo = map->canvas.cairo;
	double step = getGridStep(map), halfX = 0.5 * map->width / map->scale, halfZ = 0.5 * map->height / map->scale;
	double firstX = ceil((getMiddleX(map) - halfX) / step), firstZ = ceil((getMiddleZ(map) - halfZ) / step);
	for (int i = 0; i <= 2.0 * halfX / step; ++i)
	{
		double x = getX(map, step * (firstX + i));
		cairo_move_to(cairo, x, HEAD);
		cairo_line_to(cairo, x, HEAD + map->height);
	}
	for (int i = 0; i <= 2.0 * halfZ / step; ++i)
	{
		double y = getY(map, step * (firstZ + i));
		cairo_move_to(cairo, 0.0, y);
		cairo_line_to(cairo, map->width, y);
	}
	rpCanvas_SetColor(&map->canvas, rpColor_FromHex(GRID), 1.0);
	cairo_set_line_width(cairo, 1.0);
	cairo_stroke(cairo);
}

static void drawForbidden(Map* map)
{
	cairo_t* cairo = map->canvas.cairo;
	for (int i = 0; i < map->def->forbiddenCount; ++i)
	{
		const rpForbidden* area = map->def->forbidden + i;
		cairo_new_path(cairo);
		cairo_arc(cairo, getX(map, area->center.x), getY(map, area->center.y), map->scale * (double)area->radius, 0.0,
				  2.0 * RP_PI);
		rpCanvas_SetColor(&map->canvas, rpColor_FromHex(FORBIDDEN), 0.13);
		cairo_fill_preserve(cairo);
		rpCanvas_SetColor(&map->canvas, rpColor_FromHex(FORBIDDEN), 0.8);
		cairo_set_line_width(cairo, 1.5);
		cairo_stroke(cairo);
	}
}

static void drawWanted(Map* map)
{
	cairo_t* cairo = map->canvas.cairo;
	if (map->wanted == NULL)
	{
		return;
	}
	cairo_new_path(cairo);
	for (int i = 0; i < map->wanted->keyCount; ++i)
	{
		rpVec2 p = getWanted(map, i);
		cairo_line_to(cairo, getX(map, p.x), getY(map, p.y));
	}
	rpCanvas_SetColor(&map->canvas, rpColor_FromHex(WANTED), 0.55);
	cairo_set_line_width(cairo, 9.0);
	cairo_stroke(cairo);
}

// One stroke for each stretch of one label.
static void drawWalked(Map* map)
{
	cairo_t* cairo = map->canvas.cairo;
	int last = map->motion->frameCount - 1, pieces = last < PIECES ? last : PIECES, before = -2;
	cairo_set_line_width(cairo, 3.0);
	cairo_new_path(cairo);
	for (int i = 0; i <= pieces && pieces > 0; ++i)
	{
		int frame = (int)((int64_t)i * last / pieces);
		rpVec3 p = getGround(map, frame).shift;
		int label = findLabel(map, frame / map->motion->fps);
		cairo_line_to(cairo, getX(map, p.x), getY(map, p.z));
		if (i == pieces || (label != before && i > 0))
		{
			rpCanvas_SetColor(&map->canvas, getLabelColor(before == -2 ? label : before), 1.0);
			cairo_stroke(cairo);
			cairo_move_to(cairo, getX(map, p.x), getY(map, p.z));
		}
		before = label;
	}
	cairo_new_path(cairo);
}

static void drawSeams(Map* map)
{
	cairo_t* cairo = map->canvas.cairo;
	cairo_set_line_width(cairo, 1.5);
	for (int i = 0; i < map->motion->annotations.eventCount; ++i)
	{
		const rpEvent* event = map->motion->annotations.events + i;
		if (strcmp(event->name, "seam") != 0)
		{
			continue;
		}
		double frame = round(event->time * map->motion->fps);
		rpVec3 p = getGround(map, (int)fmin(fmax(frame, 0.0), map->motion->frameCount - 1)).shift;
		cairo_new_path(cairo);
		cairo_arc(cairo, getX(map, p.x), getY(map, p.z), 4.5, 0.0, 2.0 * RP_PI);
		rpCanvas_SetColor(&map->canvas, rpColor_FromHex(0xffffff), 1.0);
		cairo_fill_preserve(cairo);
		rpCanvas_SetColor(&map->canvas, rpColor_FromHex(INK), 1.0);
		cairo_stroke(cairo);
	}
}

// An arrow head that points where somebody looks, filled or, for what was only asked for, hollow.
static void drawArrow(Map* map, rpGroundTransform ground, bool filled)
{
	cairo_t* cairo = map->canvas.cairo;
	cairo_save(cairo);
	cairo_translate(cairo, getX(map, ground.shift.x), getY(map, ground.shift.z));
	// To the left, as seen from above, is against the clock, and so to cairo a negative angle.
	cairo_rotate(cairo, -(double)ground.turn);
	cairo_new_path(cairo);
	cairo_move_to(cairo, 0.0, -15.0);
	cairo_line_to(cairo, -8.0, 8.0);
	cairo_line_to(cairo, 0.0, 3.0);
	cairo_line_to(cairo, 8.0, 8.0);
	cairo_close_path(cairo);
	cairo_restore(cairo);
	rpCanvas_SetColor(&map->canvas, rpColor_FromHex(filled ? INK : 0xffffff), filled ? 1.0 : 0.7);
	cairo_fill_preserve(cairo);
	rpCanvas_SetColor(&map->canvas, rpColor_FromHex(filled ? 0xffffff : FORBIDDEN), 1.0);
	cairo_set_line_width(cairo, filled ? 1.0 : 2.0);
	cairo_stroke(cairo);
}

// Beside somebody who looks up or down the picture, above or below one who looks across it; side is 1 or -1.
static void writeAt(Map* map, rpGroundTransform ground, double side, unsigned color, const char* text)
{
	bool isAcross = fabs(sin((double)ground.turn)) > fabs(cos((double)ground.turn));
	double x = getX(map, ground.shift.x), y = getY(map, ground.shift.z) + 5.0;
	x += isAcross ? 0.0 : 16.0 * side;
	y += isAcross ? 24.0 * side : 0.0;
	write(map, x, y, 14.0, true, isAcross ? 0.5 : 0.5 - 0.5 * side, color, text);
}

static void drawEnds(Map* map)
{
	rpGroundTransform start = getGround(map, 0), stop = getGround(map, map->motion->frameCount - 1);
	drawArrow(map, start, true);
	drawArrow(map, stop, true);
	if (map->def->goal != NULL)
	{
		drawArrow(map, *map->def->goal, false);
	}
	bool isRound = rpDistance(start.shift, stop.shift) * (float)map->scale < SAME_PLACE;
	writeAt(map, start, 1.0, INK, isRound ? "start, end" : "start");
	writeAt(map, stop, 1.0, INK, isRound ? "" : "end");
	if (map->def->goal != NULL)
	{
		writeAt(map, *map->def->goal, -1.0, FORBIDDEN, "goal");
	}
}

// ---- around the map

static double drawKey(Map* map, double x, double y, rpColor color, double alpha, double thickness, const char* text)
{
	cairo_t* cairo = map->canvas.cairo;
	rpCanvas_SetColor(&map->canvas, color, alpha);
	cairo_set_line_width(cairo, thickness);
	cairo_move_to(cairo, x, y - 5.0);
	cairo_line_to(cairo, x + 24.0, y - 5.0);
	cairo_stroke(cairo);
	return x + 32.0 + write(map, x + 32.0, y, 14.0, false, 0.0, QUIET, text) + 20.0;
}

static bool hasSeams(const Map* map)
{
	bool has = false;
	for (int i = 0; i < map->motion->annotations.eventCount && !has; ++i)
	{
		has = strcmp(map->motion->annotations.events[i].name, "seam") == 0;
	}
	return has;
}

static void drawLegend(Map* map)
{
	double x = MARGIN, y = HEAD + map->height + 34.0;
	if (map->wanted != NULL)
	{
		x = drawKey(map, x, y, rpColor_FromHex(WANTED), 0.55, 9.0, "wanted");
	}
	for (int i = 0; i < map->labelCount && x < SIZE - 320.0; ++i)
	{
		x = drawKey(map, x, y, getLabelColor(i), 1.0, 3.0, map->labels[i]);
	}
	if (map->labelCount == 0)
	{
		x = drawKey(map, x, y, getLabelColor(-1), 1.0, 3.0, "walked");
	}
	if (hasSeams(map))
	{
		cairo_new_path(map->canvas.cairo);
		cairo_arc(map->canvas.cairo, x + 5.0, y - 5.0, 4.5, 0.0, 2.0 * RP_PI);
		rpCanvas_SetColor(&map->canvas, rpColor_FromHex(INK), 1.0);
		cairo_set_line_width(map->canvas.cairo, 1.5);
		cairo_stroke(map->canvas.cairo);
		write(map, x + 16.0, y, 14.0, false, 0.0, QUIET, "seam");
	}
	char text[64], number[32];
	double bar = getGridStep(map) * map->scale, right = SIZE - MARGIN;
	snprintf(text, sizeof(text), "%s m", rpFormatNumber(number, getGridStep(map), 2, true));
	double width = write(map, right, y, 14.0, false, 1.0, QUIET, text) + 10.0;
	cairo_rectangle(map->canvas.cairo, right - width - bar, y - 7.0, bar, 4.0);
	rpCanvas_SetColor(&map->canvas, rpColor_FromHex(INK), 1.0);
	cairo_fill(map->canvas.cairo);
}

static double measureLength(const Map* map)
{
	double length = 0.0;
	for (int i = 1; i < map->motion->frameCount; ++i)
	{
		rpVec3 a = getGround(map, i - 1).shift, b = getGround(map, i).shift;
		length += hypot((double)(b.x - a.x), (double)(b.z - a.z));
	}
	return length;
}

static void drawHead(Map* map, double mean, double max)
{
	char text[200], length[32], seconds[32], first[32], second[32];
	const char* name = map->motion->name[0] != 0 ? map->motion->name : "walk";
	write(map, MARGIN, 38.0, 21.0, true, 0.0, INK, map->def->title != NULL ? map->def->title : name);
	int size = snprintf(text, sizeof(text), "%s m in %s s", rpFormatNumber(length, measureLength(map), 1, false),
						rpFormatNumber(seconds, rpMotion_GetDuration(map->motion), 1, false));
	if (isfinite(mean) && isfinite(max))
	{
		snprintf(text + size, sizeof(text) - (size_t)size, "; from the path%s %s m on average, %s m at most",
				 map->def->forbiddenCount > 0 ? ", led around the circles," : "", rpFormatNumber(first, mean, 3, false),
				 rpFormatNumber(second, max, 2, false));
	}
	write(map, MARGIN, 64.0, 15.0, false, 0.0, QUIET, text);
}

// ---- all of it

// How far the walk is from the wanted path, where nobody has said it.
static bool measureErrors(const Map* map, double* mean, double* max, rpError* error)
{
	*mean = map->def->errorMean;
	*max = map->def->errorMax;
	if (isfinite(*mean) || map->wanted == NULL || map->wanted->keyCount < 2)
	{
		return true;
	}
	int frameCount = map->motion->frameCount, keyCount = map->wanted->keyCount;
	rpVec2* points = rpAllocate((size_t)frameCount + (size_t)keyCount, sizeof(rpVec2), error);
	if (points == NULL)
	{
		return false;
	}
	for (int i = 0; i < frameCount; ++i)
	{
		rpVec3 p = getGround(map, i).shift;
		points[i] = (rpVec2){p.x, p.z};
	}
	for (int i = 0; i < keyCount; ++i)
	{
		points[frameCount + i] = getWanted(map, i);
	}
	rpPathErrors errors = rpMeasureNearest(points, frameCount, points + frameCount, keyCount);
	*mean = errors.mean;
	*max = errors.max;
	rpFree(points);
	return true;
}

static void drawFloor(Map* map)
{
	cairo_t* cairo = map->canvas.cairo;
	cairo_save(cairo);
	cairo_rectangle(cairo, 0.0, HEAD, map->width, map->height);
	cairo_clip(cairo);
	cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND);
	cairo_set_line_cap(cairo, CAIRO_LINE_CAP_ROUND);
	drawGrid(map);
	drawForbidden(map);
	drawWanted(map);
	drawWalked(map);
	drawSeams(map);
	drawEnds(map);
	cairo_restore(cairo);
}

bool rpDrawPathMap(const rpMotion* motion, const char* path, const rpPathMapDef* def, rpError* error)
{
	rpPathMapDef defaults = rpDefaultPathMapDef();
	Map map = {.motion = motion, .def = def != NULL ? def : &defaults};
	const rpCurve* wanted = rpAnnotations_FindCurve(&motion->annotations, RP_WANTED_PATH);
	double mean, max;
	map.wanted = wanted != NULL && wanted->kind == rp_curvePoint ? wanted : NULL;
	if ((map.def->trail == NULL && !rpMotion_CheckFinite(motion, error)) || !measureErrors(&map, &mean, &max, error))
	{
		return false;
	}
	measureMap(&map);
	sizeMap(&map);
	listLabels(&map);
	if (!rpCanvas_Open(&map.canvas, path, (int)map.width, (int)(HEAD + map.height + FOOT), error))
	{
		return false;
	}
	rpCanvas_SetColor(&map.canvas, rpColor_FromHex(0xffffff), 1.0);
	cairo_paint(map.canvas.cairo);
	drawFloor(&map);
	drawHead(&map, mean, max);
	drawLegend(&map);
	return rpCanvas_Save(&map.canvas, path, error);
}
