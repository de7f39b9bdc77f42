/// The film strip: a motion at a glance. Figures over a floor grid, their path and what they touch marked on the floor.
#include "reprise/picture.h"

#include "base/memory.h"
#include "picture/canvas.h"
#include "picture/escape.h"
#include "picture/strip_layout.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INK 0x1c2333
#define QUIET 0x6b7488
#define PAPER_TOP 0xffffff
#define PAPER_BOTTOM 0xf3f5f9
#define GRID 0xd9dee8
#define PATH 0x7a5af8
static const unsigned s_sideColors[rp_sideCount] = {0x98a1b3, 0x2478d6, 0xe8772e};

// Max points of the root path that are drawn.
#define PATH_POINTS 1200
// The direction in which a figure goes is measured over so many seconds before and after; slower than this, in statures
// per second, it stays.
#define GOING_TIME 0.15
#define GOING_SPEED 0.2f

/// Everything that drawing needs.
typedef struct Strip
{
	const rpMotion* motion;
	const rpFigure* figure;
	const rpStripLayout* layout;
	rpCanvas canvas;
	double width, height;

	/// Time that the first frame is labelled with.
	double start;

	/// Size of the texts against those of a picture 1600 wide.
	double unit;

	/// From metres on the picture's plane to the picture.
	double scale, left, top;
} Strip;

rpStripDef rpDefaultStripDef(void)
{
	return (rpStripDef){.width = 1600, .height = 600};
}

static rpVec2 place(const Strip* strip, rpVec3 point)
{
	rpVec2 p = rpView_Project(strip->layout->view, point);
	return (rpVec2){(float)(strip->left + strip->scale * p.x), (float)(strip->top + strip->scale * p.y)};
}

static void drawPaper(Strip* strip)
{
	rpColor top = rpColor_FromHex(PAPER_TOP), bottom = rpColor_FromHex(PAPER_BOTTOM);
	cairo_pattern_t* paper = cairo_pattern_create_linear(0, 0, 0, strip->height);
	cairo_pattern_add_color_stop_rgb(paper, 0.0, top.r, top.g, top.b);
	cairo_pattern_add_color_stop_rgb(paper, 1.0, bottom.r, bottom.g, bottom.b);
	cairo_set_source(strip->canvas.cairo, paper);
	cairo_paint(strip->canvas.cairo);
	cairo_pattern_destroy(paper);
}

// Fit the figures, with room for title, times and legend.
static void fitStrip(Strip* strip)
{
	const rpBox* box = &strip->layout->box;
	double stature = strip->figure->stature;
	double wide = fmax(box->right - box->left, 0.3 * stature), high = fmax(box->bottom - box->top, 0.3 * stature);
	double margin = 40 * strip->unit, upper = (strip->layout->sideBySide ? 100 : 86) * strip->unit,
		   lower = 84 * strip->unit;
	double roomX = fmax(strip->width - 2 * margin, 8), roomY = fmax(strip->height - upper - lower, 8);
	// A lonely figure need not fill the picture.
	strip->scale = fmin(fmin(roomX / wide, roomY / high), roomY / (0.9 * stature));
	strip->left = 0.5 * strip->width - strip->scale * 0.5 * (box->left + box->right);
	strip->top = upper + 0.5 * roomY - strip->scale * 0.5 * (box->top + box->bottom);
}

// 1 m for a human; a power of ten near the body's size for others.
static double getGridStep(const Strip* strip)
{
	double stature = strip->figure->stature;
	return stature > 0.35 && stature < 6.0 ? 1.0 : pow(10.0, floor(log10(stature) + 0.25));
}

static void drawFloorLine(Strip* strip, rpVec3 a, rpVec3 b, double alpha)
{
	rpVec2 from = place(strip, a), to = place(strip, b);
	cairo_pattern_t* fade = cairo_pattern_create_linear(from.x, from.y, to.x, to.y);
	rpColor color = rpColor_FromHex(GRID);
	cairo_pattern_add_color_stop_rgba(fade, 0.0, color.r, color.g, color.b, 0.0);
	cairo_pattern_add_color_stop_rgba(fade, 0.12, color.r, color.g, color.b, alpha);
	cairo_pattern_add_color_stop_rgba(fade, 0.88, color.r, color.g, color.b, alpha);
	cairo_pattern_add_color_stop_rgba(fade, 1.0, color.r, color.g, color.b, 0.0);
	cairo_set_source(strip->canvas.cairo, fade);
	cairo_set_line_width(strip->canvas.cairo, fmax(1.2 * strip->unit, 0.5));
	cairo_move_to(strip->canvas.cairo, from.x, from.y);
	cairo_line_to(strip->canvas.cairo, to.x, to.y);
	cairo_stroke(strip->canvas.cairo);
	cairo_pattern_destroy(fade);
}

// Where the figures stand, in a frame turned by yaw on the floor.
static rpBox boundFloor(const Strip* strip, float yaw)
{
	rpBox box = {INFINITY, INFINITY, -INFINITY, -INFINITY};
	for (int i = 0; i < strip->layout->figureCount; ++i)
	{
		rpVec3 root = rpRotate(rpYaw(-yaw), strip->layout->points[(size_t)i * (size_t)strip->figure->pointCount]);
		box.left = fminf(box.left, root.x);
		box.right = fmaxf(box.right, root.x);
		box.top = fminf(box.top, root.z);
		box.bottom = fmaxf(box.bottom, root.z);
	}
	return box;
}

// Lines of the world's own metres; side by side, where places mean nothing, lines that follow the view.
static void drawGrid(Strip* strip)
{
	float yaw = strip->layout->sideBySide ? strip->layout->view.azimuth : 0.0f;
	float step = (float)getGridStep(strip), margin = 0.7f * strip->figure->stature;
	rpBox box = boundFloor(strip, yaw);
	int left = (int)floorf((box.left - margin) / step), right = (int)ceilf((box.right + margin) / step);
	int top = (int)floorf((box.top - margin) / step), bottom = (int)ceilf((box.bottom + margin) / step);
	rpQuat turn = rpYaw(yaw);
	for (int x = left; x <= right; ++x)
	{
		drawFloorLine(
			strip, rpRotate(turn, (rpVec3){(float)x * step, strip->layout->floor, ((float)top - 0.5f) * step}),
			rpRotate(turn, (rpVec3){(float)x * step, strip->layout->floor, ((float)bottom + 0.5f) * step}), 1.0);
	}
	for (int z = top; z <= bottom; ++z)
	{
		drawFloorLine(
			strip, rpRotate(turn, (rpVec3){((float)left - 0.5f) * step, strip->layout->floor, (float)z * step}),
			rpRotate(turn, (rpVec3){((float)right + 0.5f) * step, strip->layout->floor, (float)z * step}), 1.0);
	}
}

static rpVec3 getPathPoint(const Strip* strip, int i, int count)
{
	int frame = count > 1 ? (int)((long long)i * (strip->motion->frameCount - 1) / (count - 1)) : 0;
	rpVec3 p = strip->motion->rootPositions[frame];
	return isfinite(p.x) && isfinite(p.z) ? (rpVec3){p.x, strip->layout->floor, p.z} : rpVec3_zero;
}

static void drawArrowHead(Strip* strip, rpVec2 at, double angle, double size)
{
	cairo_t* cairo = strip->canvas.cairo;
	cairo_move_to(cairo, at.x + 0.8 * size * cos(angle), at.y + 0.8 * size * sin(angle));
	cairo_line_to(cairo, at.x + size * cos(angle + 2.5), at.y + size * sin(angle + 2.5));
	cairo_line_to(cairo, at.x + size * cos(angle - 2.5), at.y + size * sin(angle - 2.5));
	cairo_close_path(cairo);
	rpCanvas_SetColor(&strip->canvas, rpColor_FromHex(PATH), 0.9);
	cairo_fill(cairo);
}

static void drawPath(Strip* strip)
{
	cairo_t* cairo = strip->canvas.cairo;
	int count = strip->motion->frameCount < PATH_POINTS ? strip->motion->frameCount : PATH_POINTS;
	if (strip->layout->sideBySide || count < 2)
	{
		return;
	}
	rpVec2 last = {0, 0}, p = {0, 0};
	for (int i = 0; i < count; ++i)
	{
		p = place(strip, getPathPoint(strip, i, count));
		if (i == 0)
		{
			cairo_move_to(cairo, p.x, p.y);
		}
		cairo_line_to(cairo, p.x, p.y);
		last = i == count - 1 - count / 40 ? p : last;
	}
	rpCanvas_SetColor(&strip->canvas, rpColor_FromHex(PATH), 0.75);
	cairo_set_line_width(cairo, 2.2 * strip->unit);
	cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND);
	cairo_set_line_cap(cairo, CAIRO_LINE_CAP_ROUND);
	cairo_stroke(cairo);

	// An arrow head shows where it goes.
	drawArrowHead(strip, p, atan2((double)(p.y - last.y), (double)(p.x - last.x)), 11 * strip->unit);
}

// A motion that hardly leaves its place has no path to be shown.
static bool goesSomewhere(const Strip* strip)
{
	return strip->layout->extent >= 0.4f * strip->figure->stature;
}

// Below each figure that gets along, an arrow that shows where to, which reveals walking backwards.
static void drawGoing(Strip* strip)
{
	const rpMotion* motion = strip->motion;
	cairo_t* cairo = strip->canvas.cairo;
	if (!goesSomewhere(strip))
	{
		return;
	}
	int apart = (int)fmax(floor(GOING_TIME * motion->fps + 0.5), 1.0);
	for (int i = 0; i < strip->layout->figureCount; ++i)
	{
		int frame = strip->layout->frames[i], last = motion->frameCount - 1;
		int before = frame - apart > 0 ? frame - apart : 0, after = frame + apart < last ? frame + apart : last;
		rpVec3 from = motion->rootPositions[before], to = motion->rootPositions[after];
		float seconds = (float)((after - before) / motion->fps);
		rpVec3 displacement = {to.x - from.x, 0.0f, to.z - from.z};
		float speed = seconds > 0.0f ? rpLength(displacement) / (seconds * strip->figure->stature) : 0.0f;
		if (!(speed > GOING_SPEED))
		{
			continue;
		}
		rpVec3 root = strip->layout->points[(size_t)i * (size_t)strip->figure->pointCount];
		root.y = strip->layout->floor;
		rpVec3 along = rpScale(strip->figure->stature, rpNormalize(displacement));
		rpVec2 a = place(strip, rpMulAdd(root, 0.2f, along)), b = place(strip, rpMulAdd(root, 0.36f, along));
		cairo_move_to(cairo, a.x, a.y);
		cairo_line_to(cairo, b.x, b.y);
		rpCanvas_SetColor(&strip->canvas, rpColor_FromHex(PATH), 0.75);
		cairo_set_line_width(cairo, 2.6 * strip->unit);
		cairo_stroke(cairo);
		drawArrowHead(strip, b, atan2((double)(b.y - a.y), (double)(b.x - a.x)), 9 * strip->unit);
	}
}

// A disc lying on the floor.
static void traceDisc(Strip* strip, rpVec3 centre, double radius)
{
	cairo_t* cairo = strip->canvas.cairo;
	rpVec2 p = place(strip, centre);
	cairo_new_sub_path(cairo);
	cairo_save(cairo);
	cairo_translate(cairo, p.x, p.y);
	cairo_scale(cairo, 1.0, fmax(sin((double)strip->layout->view.elevation), 0.05));
	cairo_arc(cairo, 0, 0, fmax(radius * strip->scale, 0.1), 0, 2 * RP_PI);
	cairo_restore(cairo);
}

static void drawContact(Strip* strip, const rpInterval* contact, int frame, rpVec3 shift)
{
	rpVec3 at;
	if (!rpMotion_GetEffector(strip->motion, frame, contact->effector, &at) || !isfinite(at.x) || !isfinite(at.z))
	{
		return;
	}
	rpEffector e = contact->effector;
	bool left = e == rp_leftHeel || e == rp_leftBall || e == rp_leftToe || e == rp_leftHand;
	rpSide side = e == rp_seat ? rp_sideMiddle : left ? rp_sideLeft : rp_sideRight;
	bool heel = e == rp_leftHeel || e == rp_rightHeel;
	at.y = strip->layout->floor + contact->supportHeight;
	traceDisc(strip, rpAdd(at, shift), (heel ? 0.026 : 0.034) * strip->figure->stature);
	rpCanvas_SetColor(&strip->canvas, rpColor_FromHex(s_sideColors[side]), 0.42);
	cairo_fill_preserve(strip->canvas.cairo);
	rpCanvas_SetColor(&strip->canvas, rpColor_FromHex(s_sideColors[side]), 0.9);
	cairo_set_line_width(strip->canvas.cairo, strip->unit);
	cairo_stroke(strip->canvas.cairo);
}

// Along the path every contact where it is; side by side those of each figure's moment.
static void drawContacts(Strip* strip)
{
	const rpAnnotations* annotations = &strip->motion->annotations;
	for (int i = 0; i < annotations->intervalCount; ++i)
	{
		const rpInterval* interval = annotations->intervals + i;
		if (interval->track != rp_trackContact)
		{
			continue;
		}
		if (!strip->layout->sideBySide)
		{
			double middle = 0.5 * (interval->start + interval->end);
			drawContact(strip, interval, rpMotion_GetFrame(strip->motion, middle), rpVec3_zero);
			continue;
		}
		for (int k = 0; k < strip->layout->figureCount; ++k)
		{
			double time = strip->layout->frames[k] / strip->motion->fps;
			if (time >= interval->start && time < interval->end)
			{
				drawContact(strip, interval, strip->layout->frames[k], strip->layout->shifts[k]);
			}
		}
	}
}

// The shadow falls to the right and a little backwards; one path, so that limbs do not darken one another.
static void drawShadow(Strip* strip, const rpVec3* points)
{
	cairo_t* cairo = strip->canvas.cairo;
	rpView view = strip->layout->view;
	float flat = fmaxf(sinf(view.elevation), 0.05f);
	rpVec3 slant = rpRotate(rpYaw(view.azimuth), (rpVec3){0.22f, 0.0f, -0.18f});
	cairo_new_path(cairo);
	for (int i = 0; i < strip->figure->limbCount; ++i)
	{
		const rpFigureLimb* limb = strip->figure->limbs + i;
		rpVec2 ends[2];
		for (int k = 0; k < 2; ++k)
		{
			rpVec3 p = points[k == 0 ? limb->from : limb->to];
			float height = p.y - strip->layout->floor;
			p = rpMulAdd(p, fmaxf(height, 0.0f), slant);
			p.y = strip->layout->floor;
			ends[k] = place(strip, p);
			ends[k].y /= flat;
		}
		cairo_save(cairo);
		cairo_scale(cairo, 1.0, flat);
		rpCanvas_TraceCapsule(&strip->canvas, ends[0], limb->fromRadius * strip->scale, ends[1],
							  limb->toRadius * strip->scale);
		cairo_restore(cairo);
	}
	rpCanvas_SetColor(&strip->canvas, rpColor_FromHex(INK), 0.09);
	cairo_fill(cairo);
}

/// A limb, or the head, and how near it is.
typedef struct Piece
{
	float depth;
	int limb;
} Piece;

static int comparePieces(const void* a, const void* b)
{
	const Piece *left = a, *right = b;
	return left->depth < right->depth ? -1 : left->depth > right->depth ? 1 : left->limb - right->limb;
}

static void drawHead(Strip* strip, const rpVec3* points, rpColor color)
{
	const rpFigure* figure = strip->figure;
	rpVec3 from = points[figure->headFrom], to = points[figure->headTo];
	rpVec3 along = rpSub(to, from);
	float reach = fminf(rpLength(along), 0.1f * figure->stature);
	rpVec3 axis = rpNormalize(along);
	rpVec2 centre = place(strip, rpMulAdd(from, 0.55f * reach, axis)), ahead = place(strip, rpAdd(from, axis)),
		   behind = place(strip, from);
	// The egg is longest where its axis lies in the picture's plane.
	double shown = hypot((double)(ahead.x - behind.x), (double)(ahead.y - behind.y)) / strip->scale;
	double wide = figure->headRadius * strip->scale;
	double angle = atan2((double)(ahead.y - behind.y), (double)(ahead.x - behind.x));
	rpCanvas_DrawEgg(&strip->canvas, centre, angle, wide * (1.0 + 0.28 * shown), wide, color);
}

static void drawLimb(Strip* strip, const rpVec3* points, int index, double pale, bool edge)
{
	static const rpColor white = {1, 1, 1};
	const rpFigureLimb* limb = strip->figure->limbs + index;
	(edge ? rpCanvas_EdgeCapsule
		  : rpCanvas_DrawCapsule)(&strip->canvas, place(strip, points[limb->from]), limb->fromRadius * strip->scale,
								  place(strip, points[limb->to]), limb->toRadius * strip->scale,
								  rpColor_Mix(rpColor_FromHex(s_sideColors[limb->side]), white, pale));
}

// Pieces of one hue that follow one another in depth are one body: their edges first, then all of them.
static void drawPieces(Strip* strip, const rpVec3* points, const Piece* pieces, int count, double pale)
{
	static const rpColor white = {1, 1, 1};
	for (int pass = 0; pass < 2; ++pass)
	{
		for (int i = 0; i < count; ++i)
		{
			if (pieces[i].limb < strip->figure->limbCount)
			{
				drawLimb(strip, points, pieces[i].limb, pale, pass == 0);
			}
			else if (pass == 1)
			{
				drawHead(strip, points, rpColor_Mix(rpColor_FromHex(s_sideColors[rp_sideMiddle]), white, pale));
			}
		}
	}
}

static float getPieceDepth(const Strip* strip, const rpVec3* points, int a, int b, float radius)
{
	// The front of a thick limb is nearer than its axis.
	return rpView_GetDepth(strip->layout->view, rpLerp(points[a], points[b], 0.5f)) + 0.6f * radius;
}

// A known body's trunk is one thing: its pieces keep their order among themselves, no limb comes between, and the neck
// goes behind head and trunk.
static void gatherTrunk(const rpFigure* figure, float headDepth, Piece* pieces)
{
	float sum = 0.0f;
	int count = 0;
	for (int i = 0; i < figure->limbCount; ++i)
	{
		bool trunk = figure->limbs[i].side == rp_sideMiddle && !figure->limbs[i].neck;
		sum += trunk ? pieces[i].depth : 0.0f;
		count += trunk;
	}
	float mean = count > 0 ? sum / (float)count : 0.0f;
	for (int i = 0; i < figure->limbCount; ++i)
	{
		bool trunk = figure->limbs[i].side == rp_sideMiddle && !figure->limbs[i].neck;
		pieces[i].depth = trunk ? mean + 1e-3f * (pieces[i].depth - mean) : pieces[i].depth;
		pieces[i].depth = figure->limbs[i].neck ? fminf(mean, headDepth) - 0.01f * figure->stature : pieces[i].depth;
	}
}

static int gatherPieces(const Strip* strip, const rpVec3* points, Piece* pieces)
{
	const rpFigure* figure = strip->figure;
	int count = 0;
	for (; count < figure->limbCount; ++count)
	{
		const rpFigureLimb* limb = figure->limbs + count;
		float radius = 0.5f * (limb->fromRadius + limb->toRadius);
		pieces[count] = (Piece){getPieceDepth(strip, points, limb->from, limb->to, radius), count};
	}
	if (figure->headFrom >= 0)
	{
		float depth = getPieceDepth(strip, points, figure->headFrom, figure->headTo, figure->headRadius);
		gatherTrunk(figure, depth, pieces);
		pieces[count] = (Piece){depth, count};
		++count;
	}
	qsort(pieces, (size_t)count, sizeof(Piece), comparePieces);
	return count;
}

static rpSide getPieceSide(const Strip* strip, int piece)
{
	return piece < strip->figure->limbCount ? strip->figure->limbs[piece].side : rp_sideMiddle;
}

static void drawFigure(Strip* strip, const rpVec3* points, double pale, Piece* pieces)
{
	int count = gatherPieces(strip, points, pieces);
	for (int first = 0, next; first < count; first = next)
	{
		next = first + 1;
		while (next < count && getPieceSide(strip, pieces[next].limb) == getPieceSide(strip, pieces[first].limb))
		{
			++next;
		}
		drawPieces(strip, points, pieces + first, next - first, pale);
	}
	if (count == 0)
	{
		// A body of one point.
		rpVec2 p = place(strip, points[0]);
		rpCanvas_DrawCapsule(&strip->canvas, p, 0.03 * strip->figure->stature * strip->scale, p, 0.0,
							 rpColor_FromHex(s_sideColors[rp_sideMiddle]));
	}
}

static void drawTime(Strip* strip, int index)
{
	const rpStripLayout* layout = strip->layout;
	rpVec3 root = layout->points[(size_t)index * (size_t)strip->figure->pointCount];
	root.y = layout->floor;
	char number[32], text[40];
	snprintf(text, sizeof(text), "%s s",
			 rpFormatNumber(number, strip->start + layout->frames[index] / strip->motion->fps, 2, false));
	rpVec2 p = place(strip, root);
	double x = p.x, y = p.y + strip->scale * 0.13 * strip->figure->stature + 16 * strip->unit;
	if (layout->sideBySide)
	{
		x = strip->left + strip->scale * layout->centres[index];
		y = strip->top + strip->scale * layout->box.bottom + 22 * strip->unit;
	}
	rpCanvas_SetColor(&strip->canvas, rpColor_FromHex(QUIET), 1.0);
	rpCanvas_DrawText(&strip->canvas, x, y, 12.5 * strip->unit, false, 0.5, text);
}

// Far figures first; earlier ones paler, so that the eye follows time.
static bool drawFigures(Strip* strip, rpError* error)
{
	const rpStripLayout* layout = strip->layout;
	size_t pointCount = (size_t)strip->figure->pointCount;
	Piece* pieces = rpAllocate((size_t)strip->figure->limbCount + 1, sizeof(Piece), error);
	Piece* order = rpAllocate((size_t)layout->figureCount, sizeof(Piece), error);
	bool ok = pieces != NULL && order != NULL;
	for (int i = 0; ok && i < layout->figureCount; ++i)
	{
		const rpVec3* points = layout->points + (size_t)i * pointCount;
		order[i] = (Piece){rpView_GetDepth(layout->view, (rpVec3){points[0].x, 0.0f, points[0].z}), i};
		drawShadow(strip, points);
	}
	if (ok)
	{
		drawContacts(strip);
		drawGoing(strip);
		qsort(order, (size_t)layout->figureCount, sizeof(Piece), comparePieces);
	}
	for (int i = 0; ok && i < layout->figureCount; ++i)
	{
		int k = order[i].limb;
		double late = layout->figureCount > 1 ? (double)k / (layout->figureCount - 1) : 1.0;
		drawFigure(strip, layout->points + (size_t)k * pointCount, (layout->sideBySide ? 0.12 : 0.5) * (1.0 - late),
				   pieces);
	}
	for (int i = 0; ok && i < layout->figureCount; ++i)
	{
		drawTime(strip, i);
	}
	rpFree(pieces);
	rpFree(order);
	return ok;
}

// Side by side the path is not seen, so it is shown from above in the corner.
static void drawMap(Strip* strip)
{
	cairo_t* cairo = strip->canvas.cairo;
	int count = strip->motion->frameCount < PATH_POINTS ? strip->motion->frameCount : PATH_POINTS;
	if (!strip->layout->sideBySide || !goesSomewhere(strip) || count < 2)
	{
		return;
	}
	// Turned as the figures are: to the right is to the right.
	rpQuat turn = rpYaw(-strip->layout->view.azimuth);
	rpBox box = {INFINITY, INFINITY, -INFINITY, -INFINITY};
	for (int i = 0; i < count; ++i)
	{
		rpVec3 p = rpRotate(turn, getPathPoint(strip, i, count));
		box = (rpBox){fminf(box.left, p.x), fminf(box.top, p.z), fmaxf(box.right, p.x), fmaxf(box.bottom, p.z)};
	}
	double roomX = 150 * strip->unit, roomY = 46 * strip->unit;
	double scale = fmin(roomX / fmax(box.right - box.left, 1e-3), roomY / fmax(box.bottom - box.top, 1e-3));
	double right = strip->width - 40 * strip->unit, top = 22 * strip->unit;
	double x0 = right - scale * box.right, y0 = top - scale * box.top + 0.5 * (roomY - scale * (box.bottom - box.top));
	for (int i = 0; i < count; ++i)
	{
		rpVec3 p = rpRotate(turn, getPathPoint(strip, i, count));
		cairo_line_to(cairo, x0 + scale * p.x, y0 + scale * p.z);
	}
	rpCanvas_SetColor(&strip->canvas, rpColor_FromHex(PATH), 0.8);
	cairo_set_line_width(cairo, 1.8 * strip->unit);
	cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND);
	cairo_stroke(cairo);
	for (int i = 0; i < strip->layout->figureCount; ++i)
	{
		rpVec3 p = rpRotate(turn, strip->motion->rootPositions[strip->layout->frames[i]]);
		cairo_arc(cairo, x0 + scale * p.x, y0 + scale * p.z, 2.6 * strip->unit, 0, 2 * RP_PI);
		rpCanvas_SetColor(&strip->canvas, rpColor_FromHex(PATH), 1.0);
		cairo_fill(cairo);
	}
	char number[32], text[64];
	rpFormatNumber(number, (double)strip->layout->extent, strip->layout->extent < 10.0f ? 1 : 0, false);
	snprintf(text, sizeof(text), "seen from above, %s m across", number);
	rpCanvas_SetColor(&strip->canvas, rpColor_FromHex(QUIET), 1.0);
	rpCanvas_DrawText(&strip->canvas, right, top + roomY + 20 * strip->unit, 11.5 * strip->unit, false, 1.0, text);
}

// A text cut with an ellipsis to a width.
static double drawFitted(Strip* strip, double x, double y, double size, bool bold, double room, const char* text)
{
	char clean[400], cut[404];
	rpCleanText(text, clean, sizeof(clean));
	size_t length = strlen(clean);
	snprintf(cut, sizeof(cut), "%s", clean);
	while (length > 1 && rpCanvas_MeasureText(&strip->canvas, size, bold, cut) > room)
	{
		--length;
		while (length > 1 && ((unsigned char)clean[length] & 0xC0) == 0x80)
		{
			--length;
		}
		snprintf(cut, sizeof(cut), "%.*s\xE2\x80\xA6", (int)length, clean);
	}
	return rpCanvas_DrawText(&strip->canvas, x, y, size, bold, 0.0, cut);
}

static void drawTitle(Strip* strip, const rpStripDef* def)
{
	double x = 40 * strip->unit, y = 46 * strip->unit, size = 22 * strip->unit, room = strip->width - 300 * strip->unit;
	rpCanvas_SetColor(&strip->canvas, rpColor_FromHex(INK), 1.0);
	if (def->title != NULL)
	{
		drawFitted(strip, x, y, size, true, room, def->title);
		return;
	}
	char facts[128], seconds[32], rate[32];
	snprintf(facts, sizeof(facts), "%s s  \xC2\xB7  %d frame%s at %s Hz",
			 rpFormatNumber(seconds, rpMotion_GetDuration(strip->motion), 2, false), strip->motion->frameCount,
			 strip->motion->frameCount == 1 ? "" : "s", rpFormatNumber(rate, strip->motion->fps, 3, true));
	double taken = rpCanvas_MeasureText(&strip->canvas, 14 * strip->unit, false, facts) + 18 * strip->unit;
	const char* name = strip->motion->name[0] != 0 ? strip->motion->name : "motion";
	x += drawFitted(strip, x, y, size, true, room - taken, name) + 18 * strip->unit;
	rpCanvas_SetColor(&strip->canvas, rpColor_FromHex(QUIET), 1.0);
	drawFitted(strip, x, y, 14 * strip->unit, false, room, facts);
}

static double drawKey(Strip* strip, double x, double y, unsigned color, const char* text)
{
	double size = 12.5 * strip->unit;
	cairo_arc(strip->canvas.cairo, x + 5 * strip->unit, y - 4.5 * strip->unit, 5 * strip->unit, 0, 2 * RP_PI);
	rpCanvas_SetColor(&strip->canvas, rpColor_FromHex(color), 1.0);
	cairo_fill(strip->canvas.cairo);
	rpCanvas_SetColor(&strip->canvas, rpColor_FromHex(QUIET), 1.0);
	return x + rpCanvas_DrawText(&strip->canvas, x + 15 * strip->unit, y, size, false, 0.0, text) + 34 * strip->unit;
}

static void drawLegend(Strip* strip)
{
	double x = 40 * strip->unit, y = strip->height - 20 * strip->unit;
	x = drawKey(strip, x, y, s_sideColors[rp_sideLeft], "left");
	x = drawKey(strip, x, y, s_sideColors[rp_sideRight], "right");
	if (!strip->layout->sideBySide || goesSomewhere(strip))
	{
		drawKey(strip, x, y, PATH, strip->layout->sideBySide ? "direction of travel" : "root path");
	}
	char note[128], step[32];
	snprintf(note, sizeof(note), "%sgrid %s m",
			 strip->layout->sideBySide ? "figures side by side, in order of time  \xC2\xB7  " : "",
			 rpFormatNumber(step, getGridStep(strip), 9, true));
	rpCanvas_SetColor(&strip->canvas, rpColor_FromHex(QUIET), 1.0);
	rpCanvas_DrawText(&strip->canvas, strip->width - 40 * strip->unit, y, 12.5 * strip->unit, false, 1.0, note);
}

static bool drawAll(Strip* strip, const char* path, const rpStripDef* def, rpError* error)
{
	if (!rpCanvas_Open(&strip->canvas, path, def->width, def->height, error))
	{
		return false;
	}
	fitStrip(strip);
	drawPaper(strip);
	drawGrid(strip);
	drawPath(strip);
	bool ok = drawFigures(strip, error);
	drawMap(strip);
	drawTitle(strip, def);
	drawLegend(strip);
	return ok ? rpCanvas_Save(&strip->canvas, path, error) : (rpCanvas_Drop(&strip->canvas), false);
}

bool rpDrawStrip(const rpMotion* motion, const char* path, const rpStripDef* def, rpError* error)
{
	rpStripDef defaults = rpDefaultStripDef();
	def = def != NULL ? def : &defaults;
	rpFigure figure;
	rpStripLayout layout;
	if (!rpMakeFigure(motion->skeleton, &figure, error))
	{
		return false;
	}
	Strip strip = {.motion = motion, .figure = &figure, .layout = &layout, .start = def->start};
	strip.width = def->width;
	strip.height = def->height;
	strip.unit = fmin(fmax(fmin(strip.width / 1600.0, strip.height / 560.0), 0.3), 6.0);
	double aspect = fmax(strip.width - 80 * strip.unit, 8) / fmax(strip.height - 170 * strip.unit, 8);
	bool ok = rpMakeStripLayout(motion, &figure, def->figureCount, aspect, &layout, error);
	if (ok)
	{
		ok = drawAll(&strip, path, def, error);
		rpStripLayout_Free(&layout);
	}
	rpFigure_Free(&figure);
	return ok;
}
