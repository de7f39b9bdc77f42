/// The page: one HTML file with viewer, style and motions inside.
///
/// The motions stand in it as JSON. Each clip holds the points that its figure is drawn from, at 60 frames per second
/// at most ("rate", "count"): the root's place as float32 x, y, z per frame ("root"), and every point's offset from it
/// as int16 x, y, z per point and frame ("data"), 32767 standing for "reach" metres; both little-endian, base64.
/// "fps", "frames" and "duration" are the motion's own. Times are seconds, places metres. "wanted", where a motion was
/// to follow a path, is that path: time, x, z of each point.
#include "reprise/picture.h"

#include "base/error.h"
#include "base/memory.h"
#include "file/output.h"
#include "picture/assets.h"
#include "picture/escape.h"
#include "picture/figure.h"
#include "reprise/edit.h"

#include <string.h>

#define FASTEST 60.0

// Max points of a wanted path that are shown; one of 100 m has then one every 5 cm.
#define WANTED_POINTS 2000
#define FARTHEST 32767.0f

rpPageDef rpDefaultPageDef(void)
{
	return (rpPageDef){0};
}

static void appendNumber(rpText* out, double value)
{
	char number[32];
	rpText_AppendString(out, rpFormatNumber(number, value, 9, true));
}

// "name": number and a comma before it.
static void appendMember(rpText* out, const char* name, double value)
{
	rpText_Print(out, ",\"%s\":", name);
	appendNumber(out, value);
}

static void appendBase64(rpText* out, const unsigned char* bytes, size_t size)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	char* write = rpText_Reserve(out, (size + 2) / 3 * 4);
	if (write == NULL)
	{
		return;
	}
	for (size_t i = 0; i < size; i += 3)
	{
		unsigned left = (unsigned)(size - i), b1 = left > 1 ? bytes[i + 1] : 0, b2 = left > 2 ? bytes[i + 2] : 0;
		unsigned group = (unsigned)bytes[i] << 16 | b1 << 8 | b2;
		*write++ = digits[group >> 18];
		*write++ = digits[group >> 12 & 63];
		*write++ = left > 1 ? digits[group >> 6 & 63] : '=';
		*write++ = left > 2 ? digits[group & 63] : '=';
	}
	*write = 0;
	out->size = (size_t)(write - out->data);
}

static void putFloat(unsigned char* out, float value)
{
	uint32_t bits;
	memcpy(&bits, &value, sizeof(bits));
	for (int i = 0; i < 4; ++i)
	{
		out[i] = (unsigned char)(bits >> (8 * i));
	}
}

/// What writing a clip needs.
typedef struct Clip
{
	const rpMotion* motion;
	rpFigure figure;

	/// Which points the figure is drawn from, and their new numbers; [figure.pointCount], -1 where unused.
	int* numbers;
	int usedCount;

	/// Scratch of one frame.
	rpTransform* world;
	rpVec3* points;
} Clip;

static void freeClip(Clip* clip)
{
	rpFigure_Free(&clip->figure);
	rpFree(clip->numbers);
	rpFree(clip->world);
	rpFree(clip->points);
}

static bool openClip(Clip* clip, const rpMotion* motion, rpError* error)
{
	*clip = (Clip){.motion = motion};
	if (!rpMakeFigure(motion->skeleton, &clip->figure, error))
	{
		return false;
	}
	size_t pointCount = (size_t)clip->figure.pointCount;
	clip->numbers = rpAllocateZero(pointCount, sizeof(int), error);
	clip->world = rpAllocate((size_t)motion->skeleton->jointCount, sizeof(rpTransform), error);
	clip->points = rpAllocate(pointCount, sizeof(rpVec3), error);
	if (clip->numbers == NULL || clip->world == NULL || clip->points == NULL)
	{
		freeClip(clip);
		return false;
	}
	return true;
}

// The root is always the first.
static void numberPoints(Clip* clip)
{
	const rpFigure* figure = &clip->figure;
	clip->numbers[0] = 1;
	for (int i = 0; i < figure->limbCount; ++i)
	{
		clip->numbers[figure->limbs[i].from] = 1;
		clip->numbers[figure->limbs[i].to] = 1;
	}
	if (figure->headFrom >= 0)
	{
		clip->numbers[figure->headFrom] = 1;
		clip->numbers[figure->headTo] = 1;
	}
	for (int i = 0; i < figure->pointCount; ++i)
	{
		clip->numbers[i] = clip->numbers[i] != 0 ? clip->usedCount++ : -1;
	}
}

static void appendFigure(const Clip* clip, rpText* out)
{
	const rpFigure* figure = &clip->figure;
	appendMember(out, "pointCount", clip->usedCount);
	appendMember(out, "stature", (double)figure->stature);
	rpText_AppendString(out, ",\"limbs\":[");
	for (int i = 0; i < figure->limbCount; ++i)
	{
		const rpFigureLimb* limb = figure->limbs + i;
		rpText_Print(out, "%s[%d,%d,", i > 0 ? "," : "", clip->numbers[limb->from], clip->numbers[limb->to]);
		appendNumber(out, (double)limb->fromRadius);
		rpText_AppendString(out, ",");
		appendNumber(out, (double)limb->toRadius);
		rpText_Print(out, ",%d,%d]", (int)limb->side, limb->neck);
	}
	rpText_AppendString(out, "],\"head\":");
	if (figure->headFrom < 0)
	{
		rpText_AppendString(out, "null");
		return;
	}
	rpText_Print(out, "[%d,%d,", clip->numbers[figure->headFrom], clip->numbers[figure->headTo]);
	appendNumber(out, (double)figure->headRadius);
	rpText_AppendString(out, "]");
}

static void appendNamed(const rpMotion* motion, rpTrack track, const char* key, rpText* out)
{
	rpText_Print(out, ",\"%s\":[", key);
	bool first = true;
	for (int i = 0; i < motion->annotations.intervalCount; ++i)
	{
		const rpInterval* interval = motion->annotations.intervals + i;
		if (interval->track == track)
		{
			rpText_AppendString(out, first ? "{\"name\":" : ",{\"name\":");
			rpAppendJsonString(out, interval->name != NULL ? interval->name : "");
			appendMember(out, "start", interval->start);
			appendMember(out, "end", interval->end);
			rpText_AppendString(out, "}");
			first = false;
		}
	}
	rpText_AppendString(out, "]");
}

// Left is 1 and right is 2, as rpSide has it.
static int getEffectorSide(rpEffector effector)
{
	bool left = effector == rp_leftHeel || effector == rp_leftBall || effector == rp_leftToe || effector == rp_leftHand;
	return effector == rp_seat ? 0 : left ? 1 : 2;
}

static void appendContacts(const rpMotion* motion, float floor, rpText* out)
{
	rpText_AppendString(out, ",\"contacts\":[");
	bool first = true;
	for (int i = 0; i < motion->annotations.intervalCount; ++i)
	{
		const rpInterval* contact = motion->annotations.intervals + i;
		int frame = rpMotion_GetFrame(motion, 0.5 * (contact->start + contact->end));
		rpVec3 at;
		if (contact->track != rp_trackContact || !rpMotion_GetEffector(motion, frame, contact->effector, &at))
		{
			continue;
		}
		bool heel = contact->effector == rp_leftHeel || contact->effector == rp_rightHeel;
		rpText_Print(out, "%s{\"name\":\"%s\",\"side\":%d", first ? "" : ",", rpEffector_GetName(contact->effector),
					 getEffectorSide(contact->effector));
		appendMember(out, "start", contact->start);
		appendMember(out, "end", contact->end);
		appendMember(out, "radius", heel ? 0.024 : 0.03);
		rpText_AppendString(out, ",\"at\":[");
		appendNumber(out, (double)at.x);
		rpText_AppendString(out, ",");
		appendNumber(out, (double)(floor + contact->supportHeight));
		rpText_AppendString(out, ",");
		appendNumber(out, (double)at.z);
		rpText_AppendString(out, "]}");
		first = false;
	}
	rpText_AppendString(out, "]");
}

static void appendEvents(const rpMotion* motion, rpText* out)
{
	rpText_AppendString(out, ",\"events\":[");
	for (int i = 0; i < motion->annotations.eventCount; ++i)
	{
		rpText_AppendString(out, i > 0 ? ",{\"name\":" : "{\"name\":");
		rpAppendJsonString(out, motion->annotations.events[i].name);
		appendMember(out, "time", motion->annotations.events[i].time);
		rpText_AppendString(out, "}");
	}
	rpText_AppendString(out, "]");
}

static void appendWanted(const rpMotion* motion, rpText* out)
{
	const rpCurve* path = rpAnnotations_FindCurve(&motion->annotations, RP_WANTED_PATH);
	if (path == NULL || path->kind != rp_curvePoint || path->keyCount < 2)
	{
		return;
	}
	int last = path->keyCount - 1, count = last < WANTED_POINTS ? last : WANTED_POINTS;
	rpText_AppendString(out, ",\"wanted\":[");
	for (int i = 0; i <= count; ++i)
	{
		int key = (int)((int64_t)i * last / count);
		rpText_AppendString(out, i > 0 ? "," : "");
		appendNumber(out, path->times[key]);
		rpText_AppendString(out, ",");
		appendNumber(out, (double)path->values[3 * key]);
		rpText_AppendString(out, ",");
		appendNumber(out, (double)path->values[3 * key + 2]);
	}
	rpText_AppendString(out, "]");
}

static float measureReach(Clip* clip)
{
	float reach = 0.0f;
	for (int frame = 0; frame < clip->motion->frameCount; ++frame)
	{
		rpFigure_Place(&clip->figure, clip->motion, frame, clip->world, clip->points);
		for (int i = 0; i < clip->figure.pointCount; ++i)
		{
			rpVec3 p = rpSub(clip->points[i], clip->points[0]);
			float far = fmaxf(fabsf(p.x), fmaxf(fabsf(p.y), fabsf(p.z)));
			reach = clip->numbers[i] >= 0 ? fmaxf(reach, far) : reach;
		}
	}
	return reach > 1e-6f ? reach : 1e-6f;
}

// One whole number of an offset.
static void putOffset(unsigned char* out, float offset, float reach)
{
	long value = lrintf(fminf(fmaxf(offset / reach, -1.0f), 1.0f) * FARTHEST);
	out[0] = (unsigned char)(value & 255);
	out[1] = (unsigned char)(value >> 8 & 255);
}

static void packFrame(const Clip* clip, float reach, unsigned char* root, unsigned char* data)
{
	const float place[3] = {clip->points[0].x, clip->points[0].y, clip->points[0].z};
	for (int k = 0; k < 3; ++k)
	{
		putFloat(root + 4 * k, place[k]);
	}
	for (int i = 0; i < clip->figure.pointCount; ++i)
	{
		if (clip->numbers[i] >= 0)
		{
			rpVec3 p = rpSub(clip->points[i], clip->points[0]);
			unsigned char* at = data + 6 * (size_t)clip->numbers[i];
			putOffset(at, p.x, reach);
			putOffset(at + 2, p.y, reach);
			putOffset(at + 4, p.z, reach);
		}
	}
}

static bool appendFrames(Clip* clip, rpText* out, rpError* error)
{
	size_t frameCount = (size_t)clip->motion->frameCount, stride = 6 * (size_t)clip->usedCount;
	float reach = measureReach(clip);
	unsigned char* roots = rpAllocate(frameCount, 12, error);
	unsigned char* data = rpAllocate(frameCount, stride, error);
	bool ok = roots != NULL && data != NULL;
	for (size_t frame = 0; ok && frame < frameCount; ++frame)
	{
		rpFigure_Place(&clip->figure, clip->motion, (int)frame, clip->world, clip->points);
		packFrame(clip, reach, roots + 12 * frame, data + stride * frame);
	}
	if (ok)
	{
		appendMember(out, "rate", clip->motion->fps);
		appendMember(out, "count", (double)frameCount);
		appendMember(out, "reach", (double)reach);
		rpText_AppendString(out, ",\"root\":\"");
		appendBase64(out, roots, 12 * frameCount);
		rpText_AppendString(out, "\",\"data\":\"");
		appendBase64(out, data, stride * frameCount);
		rpText_AppendString(out, "\"");
	}
	rpFree(roots);
	rpFree(data);
	return ok;
}

static bool appendClip(const rpMotion* motion, const rpMotion* frames, rpText* out, rpError* error)
{
	Clip clip;
	float floor;
	if (!openClip(&clip, frames, error))
	{
		return false;
	}
	numberPoints(&clip);
	bool ok = rpFindFloor(&clip.figure, frames, &floor, error);
	if (ok)
	{
		rpText_AppendString(out, "{\"name\":");
		rpAppendJsonString(out, motion->name[0] != 0 ? motion->name : "motion");
		appendMember(out, "fps", motion->fps);
		appendMember(out, "frames", motion->frameCount);
		appendMember(out, "duration", rpMotion_GetDuration(motion));
		appendMember(out, "joints", motion->skeleton->jointCount);
		appendMember(out, "heading", (double)rpMotion_GetGround(motion, 0).turn);
		appendMember(out, "floor", (double)floor);
		appendFigure(&clip, out);
		appendNamed(motion, rp_trackLabel, "labels", out);
		appendNamed(motion, rp_trackPhase, "phases", out);
		appendContacts(motion, floor, out);
		appendEvents(motion, out);
		appendWanted(motion, out);
		ok = appendFrames(&clip, out, error);
		rpText_AppendString(out, "}");
	}
	freeClip(&clip);
	return ok;
}

// A fast motion is shown at the rate of a screen.
static bool appendMotion(const rpMotion* motion, rpText* out, rpError* error)
{
	if (motion->fps <= FASTEST * 1.001)
	{
		return appendClip(motion, motion, out, error);
	}
	rpMotion* slower = rpResampleMotion(motion, FASTEST, error);
	bool ok = slower != NULL && appendClip(motion, slower, out, error);
	rpDestroyMotion(slower);
	return ok;
}

static bool appendMotions(const rpMotion* const* motions, int count, rpText* out, rpError* error)
{
	rpText_AppendString(out, "{\"clips\":[");
	for (int i = 0; i < count; ++i)
	{
		rpText_AppendString(out, i > 0 ? ",\n" : "\n");
		if (!appendMotion(motions[i], out, error))
		{
			return false;
		}
	}
	rpText_AppendString(out, "]}");
	return true;
}

/// The page's parts, by their names in page.html.
typedef struct PageParts
{
	const rpMotion* const* motions;
	int count;
	const rpPageDef* def;
} PageParts;

static bool appendPart(const PageParts* parts, const char* name, size_t size, rpText* out, rpError* error)
{
	const rpPageDef* def = parts->def;
	if (strncmp(name, "TITLE", size) == 0)
	{
		rpAppendHtml(out, def->title != NULL ? def->title : "Reprise");
	}
	else if (strncmp(name, "VERSION", size) == 0)
	{
		rpAppendHtml(out, rpVersion());
	}
	else if (strncmp(name, "STYLE", size) == 0)
	{
		rpText_Append(out, rpAsset_page_css, rpAsset_page_css_size);
	}
	else if (strncmp(name, "SCRIPT", size) == 0)
	{
		rpText_Append(out, rpAsset_page_js, rpAsset_page_js_size);
	}
	else if (strncmp(name, "INTRODUCTION", size) == 0 && def->introduction != NULL)
	{
		rpText_AppendString(out, "<section class=\"introduction\">");
		rpText_AppendString(out, def->introduction);
		rpText_AppendString(out, "</section>");
	}
	else if (strncmp(name, "DATA", size) == 0)
	{
		return appendMotions(parts->motions, parts->count, out, error);
	}
	return true;
}

// The page is page.html with its @NAMES@ replaced.
static bool composePage(const PageParts* parts, rpText* out, rpError* error)
{
	const char* text = (const char*)rpAsset_page_html;
	for (;;)
	{
		const char* mark = strchr(text, '@');
		const char* end = mark != NULL ? strchr(mark + 1, '@') : NULL;
		if (end == NULL)
		{
			rpText_AppendString(out, text);
			break;
		}
		rpText_Append(out, text, (size_t)(mark - text));
		if (!appendPart(parts, mark + 1, (size_t)(end - mark - 1), out, error))
		{
			return false;
		}
		text = end + 1;
	}
	return !out->failed || rpFail(error, rp_errorMemory, "no memory for the page");
}

bool rpWritePage(const rpMotion* const* motions, int count, const char* path, const rpPageDef* def, rpError* error)
{
	rpPageDef defaults = rpDefaultPageDef();
	PageParts parts = {motions, count, def != NULL ? def : &defaults};
	if (count < 1)
	{
		return rpFail(error, rp_errorArgument, "a page needs at least one motion");
	}
	rpText page = {0};
	bool ok = composePage(&parts, &page, error) && rpReplaceFile(path, page.data, page.size, error);
	rpText_Free(&page);
	return ok;
}
