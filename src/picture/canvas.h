/// Drawing on cairo: surfaces that end as bytes, colours, text, round limbs.
#pragma once

#include "base/memory.h"
#include "reprise/play/math.h"

#include <cairo.h>

typedef struct rpColor
{
	double r, g, b;
} rpColor;

/// A picture being drawn. Draw on `cairo` between Open and Save.
typedef struct rpCanvas
{
	cairo_surface_t* surface;
	cairo_t* cairo;
	bool vector;
	/// Bytes of the finished picture.
	rpText bytes;
} rpCanvas;

/// Open a picture whose format follows from the path's ending: .png or .svg. Size in pixels or points, 32 to 16384.
RP_NODISCARD bool rpCanvas_Open(rpCanvas* canvas, const char* path, int width, int height, rpError* error);

/// Finish and write it to the path, beside and renamed; frees everything in any case.
RP_NODISCARD bool rpCanvas_Save(rpCanvas* canvas, const char* path, rpError* error);

/// Free it without writing.
void rpCanvas_Drop(rpCanvas* canvas);

/// 0xRRGGBB
rpColor rpColor_FromHex(unsigned hex);

/// a for t = 0, b for t = 1.
rpColor rpColor_Mix(rpColor a, rpColor b, double t);
void rpCanvas_SetColor(rpCanvas* canvas, rpColor color, double alpha);

/// Text with its baseline at (x, y); align 0 is left, 0.5 centred, 1 right. Returns its width.
double rpCanvas_DrawText(rpCanvas* canvas, double x, double y, double size, bool bold, double align, const char* text);
double rpCanvas_MeasureText(rpCanvas* canvas, double size, bool bold, const char* text);

/// Add the outline of two discs and what lies between them to the path.
void rpCanvas_TraceCapsule(rpCanvas* canvas, rpVec2 a, double ra, rpVec2 b, double rb);

/// The dark edge of a capsule, to be drawn before what covers its inner half; rpCanvas_DrawCapsule draws none.
void rpCanvas_EdgeCapsule(rpCanvas* canvas, rpVec2 a, double ra, rpVec2 b, double rb, rpColor color);

/// A capsule filled and shaded as a round limb lit from the upper left.
void rpCanvas_DrawCapsule(rpCanvas* canvas, rpVec2 a, double ra, rpVec2 b, double rb, rpColor color);

/// An egg, shaded, its long axis turned by angle; length and wide are half its size.
void rpCanvas_DrawEgg(rpCanvas* canvas, rpVec2 centre, double angle, double length, double wide, rpColor color);
