/// Drawing on cairo, as the pictures of this room need it.
#include "picture/canvas.h"

#include "base/error.h"
#include "file/output.h"

#include <cairo-svg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define SMALLEST 32
#define LARGEST 16384

#if defined(__SANITIZE_ADDRESS__)
// Fontconfig, which finds cairo's fonts, keeps what it found until the process ends: no leak of ours.
RP_API const char* __lsan_default_suppressions(void);
const char* __lsan_default_suppressions(void)
{
	return "leak:libfontconfig\n";
}
#endif

static cairo_status_t appendBytes(void* closure, const unsigned char* data, unsigned length)
{
	rpText* bytes = closure;
	rpText_Append(bytes, data, length);
	return bytes->failed ? CAIRO_STATUS_NO_MEMORY : CAIRO_STATUS_SUCCESS;
}

static bool endsWith(const char* text, const char* end)
{
	size_t length = strlen(text), endLength = strlen(end);
	return length >= endLength && strcasecmp(text + length - endLength, end) == 0;
}

void rpCanvas_Drop(rpCanvas* canvas)
{
	cairo_destroy(canvas->cairo);
	cairo_surface_destroy(canvas->surface);
	rpText_Free(&canvas->bytes);
}

bool rpCanvas_Open(rpCanvas* canvas, const char* path, int width, int height, rpError* error)
{
	*canvas = (rpCanvas){.vector = endsWith(path, ".svg")};
	if (!canvas->vector && !endsWith(path, ".png"))
	{
		rpFail(error, rp_errorArgument, "a picture's name must end in .png or .svg");
		rpError_SetFile(error, path);
		return false;
	}
	if (width < SMALLEST || height < SMALLEST || width > LARGEST || height > LARGEST)
	{
		return rpFail(error, rp_errorArgument, "a picture of %d x %d; %d to %d are possible", width, height, SMALLEST,
					  LARGEST);
	}
	canvas->surface = canvas->vector ? cairo_svg_surface_create_for_stream(appendBytes, &canvas->bytes, width, height)
									 : cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height);
	canvas->cairo = cairo_create(canvas->surface);
	if (cairo_status(canvas->cairo) != CAIRO_STATUS_SUCCESS)
	{
		rpFail(error, rp_errorMemory, "no picture of %d x %d: %s", width, height,
			   cairo_status_to_string(cairo_status(canvas->cairo)));
		rpCanvas_Drop(canvas);
		return false;
	}
	return true;
}

// The number of a part of an SVG file, "image5" or "#image5", where a text starts with one; else -1.
static long readPart(const char* text, const char* mark, char** end)
{
	size_t size = strlen(mark);
	bool isPart = (text[0] == '"' || text[0] == '#') && strncmp(text + 1, mark, size) == 0 && text[size + 1] >= '0' &&
				  text[size + 1] <= '9';
	return isPart ? strtol(text + size + 1, end, 10) : -1;
}

// cairo numbers the surfaces, images and gradients of an SVG file by counters of the whole process; the same picture
// shall be the same bytes, so each kind is numbered anew from its smallest. Text is drawn as outlines, so no name can
// look like one.
static void renumberParts(rpText* svg, const char* mark)
{
	char* end = NULL;
	const char* stop = svg->data + svg->size;
	long min = -1;
	for (const char* read = svg->data; read < stop; ++read)
	{
		long number = readPart(read, mark, &end);
		min = number >= 0 && (min < 0 || number < min) ? number : min;
	}
	char* write = svg->data;
	for (const char* read = svg->data; read < stop;)
	{
		long number = readPart(read, mark, &end);
		*write++ = *read++;
		if (number >= 0)
		{
			// A smaller number is never longer, so writing stays behind reading.
			char anew[32];
			int size = snprintf(anew, sizeof(anew), "%s%ld", mark, number - min);
			memcpy(write, anew, (size_t)size);
			write += size;
			read = end;
		}
	}
	svg->size = (size_t)(write - svg->data);
}

bool rpCanvas_Save(rpCanvas* canvas, const char* path, rpError* error)
{
	cairo_status_t status = cairo_status(canvas->cairo);
	cairo_surface_flush(canvas->surface);
	if (status == CAIRO_STATUS_SUCCESS && !canvas->vector)
	{
		status = cairo_surface_write_to_png_stream(canvas->surface, appendBytes, &canvas->bytes);
	}
	cairo_surface_finish(canvas->surface);
	status = status == CAIRO_STATUS_SUCCESS ? cairo_surface_status(canvas->surface) : status;
	bool ok = status == CAIRO_STATUS_SUCCESS && !canvas->bytes.failed && canvas->bytes.size > 0;
	if (!ok)
	{
		rpFail(error, rp_errorMemory, "the picture could not be drawn: %s", cairo_status_to_string(status));
	}
	else
	{
		if (canvas->vector)
		{
			renumberParts(&canvas->bytes, "surface");
			renumberParts(&canvas->bytes, "image");
			renumberParts(&canvas->bytes, "linear");
		}
		ok = rpReplaceFile(path, canvas->bytes.data, canvas->bytes.size, error);
	}
	rpCanvas_Drop(canvas);
	return ok;
}

rpColor rpColor_FromHex(unsigned hex)
{
	return (rpColor){((hex >> 16) & 255) / 255.0, ((hex >> 8) & 255) / 255.0, (hex & 255) / 255.0};
}

rpColor rpColor_Mix(rpColor a, rpColor b, double t)
{
	return (rpColor){a.r + t * (b.r - a.r), a.g + t * (b.g - a.g), a.b + t * (b.b - a.b)};
}

void rpCanvas_SetColor(rpCanvas* canvas, rpColor color, double alpha)
{
	cairo_set_source_rgba(canvas->cairo, color.r, color.g, color.b, alpha);
}

static void selectFont(rpCanvas* canvas, double size, bool bold)
{
	cairo_select_font_face(canvas->cairo, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL,
						   bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
	cairo_set_font_size(canvas->cairo, size);
}

double rpCanvas_MeasureText(rpCanvas* canvas, double size, bool bold, const char* text)
{
	cairo_text_extents_t extents;
	selectFont(canvas, size, bold);
	cairo_text_extents(canvas->cairo, text, &extents);
	return extents.x_advance;
}

double rpCanvas_DrawText(rpCanvas* canvas, double x, double y, double size, bool bold, double align, const char* text)
{
	double width = rpCanvas_MeasureText(canvas, size, bold, text);
	cairo_move_to(canvas->cairo, x - align * width, y);
	cairo_show_text(canvas->cairo, text);
	cairo_new_path(canvas->cairo);
	return width;
}

void rpCanvas_TraceCapsule(rpCanvas* canvas, rpVec2 a, double ra, rpVec2 b, double rb)
{
	double dx = b.x - a.x, dy = b.y - a.y, distance = hypot(dx, dy);
	cairo_t* cairo = canvas->cairo;
	cairo_new_sub_path(cairo);
	if (distance <= fabs(ra - rb) + 1e-9)
	{
		// One disc hides the other.
		cairo_arc(cairo, ra > rb ? a.x : b.x, ra > rb ? a.y : b.y, fmax(fmax(ra, rb), 1e-3), 0, 2 * RP_PI);
		return;
	}
	double along = atan2(dy, dx), tilt = acos((ra - rb) / distance);
	cairo_arc(cairo, a.x, a.y, ra, along + tilt, along - tilt + 2 * RP_PI);
	cairo_arc(cairo, b.x, b.y, rb, along - tilt, along + tilt);
	cairo_close_path(cairo);
}

static const rpColor s_dark = {0.07, 0.09, 0.16};

static void edgePath(rpCanvas* canvas, double radius, rpColor color)
{
	rpCanvas_SetColor(canvas, rpColor_Mix(color, s_dark, 0.5), 1.0);
	cairo_set_line_width(canvas->cairo, fmin(fmax(0.1 * radius, 0.6), 1.8));
	cairo_stroke(canvas->cairo);
}

// Fill the path with light falling across from the upper left.
static void shadePath(rpCanvas* canvas, double x, double y, double radius, double nx, double ny, rpColor color)
{
	static const rpColor white = {1, 1, 1};
	// The side that faces the light is the bright one.
	double sign = nx * -0.55 + ny * -0.83 >= 0 ? 1 : -1;
	cairo_pattern_t* shade = cairo_pattern_create_linear(x + sign * nx * radius, y + sign * ny * radius,
														 x - sign * nx * radius, y - sign * ny * radius);
	rpColor light = rpColor_Mix(color, white, 0.25), shadow = rpColor_Mix(color, s_dark, 0.26);
	cairo_pattern_add_color_stop_rgb(shade, 0.0, light.r, light.g, light.b);
	cairo_pattern_add_color_stop_rgb(shade, 0.45, color.r, color.g, color.b);
	cairo_pattern_add_color_stop_rgb(shade, 1.0, shadow.r, shadow.g, shadow.b);
	cairo_set_source(canvas->cairo, shade);
	cairo_fill(canvas->cairo);
	cairo_pattern_destroy(shade);
}

void rpCanvas_EdgeCapsule(rpCanvas* canvas, rpVec2 a, double ra, rpVec2 b, double rb, rpColor color)
{
	cairo_new_path(canvas->cairo);
	rpCanvas_TraceCapsule(canvas, a, ra, b, rb);
	edgePath(canvas, fmax(ra, rb), color);
}

void rpCanvas_DrawCapsule(rpCanvas* canvas, rpVec2 a, double ra, rpVec2 b, double rb, rpColor color)
{
	double dx = b.x - a.x, dy = b.y - a.y, distance = hypot(dx, dy);
	double nx = distance > 1e-9 ? -dy / distance : -0.55, ny = distance > 1e-9 ? dx / distance : -0.83;
	cairo_new_path(canvas->cairo);
	rpCanvas_TraceCapsule(canvas, a, ra, b, rb);
	shadePath(canvas, 0.5 * (a.x + b.x), 0.5 * (a.y + b.y), fmax(fmax(ra, rb), 1e-3), nx, ny, color);
}

static void traceEgg(cairo_t* cairo, rpVec2 centre, double angle, double length, double wide)
{
	cairo_new_path(cairo);
	cairo_save(cairo);
	cairo_translate(cairo, centre.x, centre.y);
	cairo_rotate(cairo, angle);
	cairo_scale(cairo, fmax(length, 1e-3), fmax(wide, 1e-3));
	cairo_arc(cairo, 0, 0, 1, 0, 2 * RP_PI);
	cairo_restore(cairo);
}

void rpCanvas_DrawEgg(rpCanvas* canvas, rpVec2 centre, double angle, double length, double wide, rpColor color)
{
	traceEgg(canvas->cairo, centre, angle, length, wide);
	edgePath(canvas, 0.6 * wide, color);
	traceEgg(canvas->cairo, centre, angle, length, wide);
	shadePath(canvas, centre.x, centre.y, fmax(wide, 1e-3), -0.55, -0.83, color);
}
