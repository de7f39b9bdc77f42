/// Each clip holds the points that its figure is drawn from, at 60 frames per second at most ("rate", "count"): the
/// root's place as float32 x, y, z per frame ("root"), and every point's offset from it as int16 x, y, z per point and
/// frame
/// ("data"), 32767 standing for "reach" metres; both little-endian, base64. "fps", "frames" and "duration" are the
/// motion's own. "wanted", where a motion was to follow a path, is that path: time, x, z of each point.
#include "picture/page_clip.h"

#include "base/error.h"
#include "picture/escape.h"
#include "picture/page_figure.h"
#include "picture/page_text.h"
#include "reprise/edit.h"

#include <string.h>

#define FASTEST 60.0

// Max points of a wanted path that are shown; one of 100 m has then one every 5 cm.
#define WANTED_POINTS 2000
#define FARTHEST 32767.0f

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
	rpPageFigure figure;

	/// Scratch of one frame.
	rpTransform* world;
	rpVec3* points;
} Clip;

static void freeClip(Clip* clip)
{
	rpPageFigure_Free(&clip->figure);
	rpFree(clip->world);
	rpFree(clip->points);
}

static bool openClip(Clip* clip, const rpMotion* motion, rpError* error)
{
	*clip = (Clip){.motion = motion};
	if (!rpMakePageFigure(motion->skeleton, &clip->figure, error))
	{
		return false;
	}
	clip->world = rpAllocate((size_t)motion->skeleton->jointCount, sizeof(rpTransform), error);
	clip->points = rpAllocate((size_t)clip->figure.figure.pointCount, sizeof(rpVec3), error);
	if (clip->world == NULL || clip->points == NULL)
	{
		freeClip(clip);
		return false;
	}
	return true;
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
			rpAppendJsonMember(out, "start", interval->start);
			rpAppendJsonMember(out, "end", interval->end);
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
		rpAppendJsonMember(out, "start", contact->start);
		rpAppendJsonMember(out, "end", contact->end);
		rpAppendJsonMember(out, "radius", heel ? 0.024 : 0.03);
		rpText_AppendString(out, ",\"at\":[");
		rpAppendJsonNumber(out, (double)at.x);
		rpText_AppendString(out, ",");
		rpAppendJsonNumber(out, (double)(floor + contact->supportHeight));
		rpText_AppendString(out, ",");
		rpAppendJsonNumber(out, (double)at.z);
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
		rpAppendJsonMember(out, "time", motion->annotations.events[i].time);
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
		rpAppendJsonNumber(out, path->times[key]);
		rpText_AppendString(out, ",");
		rpAppendJsonNumber(out, (double)path->values[3 * key]);
		rpText_AppendString(out, ",");
		rpAppendJsonNumber(out, (double)path->values[3 * key + 2]);
	}
	rpText_AppendString(out, "]");
}

static float measureReach(Clip* clip)
{
	float reach = 0.0f;
	for (int frame = 0; frame < clip->motion->frameCount; ++frame)
	{
		rpFigure_Place(&clip->figure.figure, clip->motion, frame, clip->world, clip->points);
		for (int i = 0; i < clip->figure.figure.pointCount; ++i)
		{
			rpVec3 p = rpSub(clip->points[i], clip->points[0]);
			float far = fmaxf(fabsf(p.x), fmaxf(fabsf(p.y), fabsf(p.z)));
			reach = clip->figure.numbers[i] >= 0 ? fmaxf(reach, far) : reach;
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
	for (int i = 0; i < clip->figure.figure.pointCount; ++i)
	{
		if (clip->figure.numbers[i] >= 0)
		{
			rpVec3 p = rpSub(clip->points[i], clip->points[0]);
			unsigned char* at = data + 6 * (size_t)clip->figure.numbers[i];
			putOffset(at, p.x, reach);
			putOffset(at + 2, p.y, reach);
			putOffset(at + 4, p.z, reach);
		}
	}
}

static bool appendFrames(Clip* clip, rpText* out, rpError* error)
{
	size_t frameCount = (size_t)clip->motion->frameCount, stride = 6 * (size_t)clip->figure.usedCount;
	float reach = measureReach(clip);
	unsigned char* roots = rpAllocate(frameCount, 12, error);
	unsigned char* data = rpAllocate(frameCount, stride, error);
	bool ok = roots != NULL && data != NULL;
	for (size_t frame = 0; ok && frame < frameCount; ++frame)
	{
		rpFigure_Place(&clip->figure.figure, clip->motion, (int)frame, clip->world, clip->points);
		packFrame(clip, reach, roots + 12 * frame, data + stride * frame);
	}
	if (ok)
	{
		rpAppendJsonMember(out, "rate", clip->motion->fps);
		rpAppendJsonMember(out, "count", (double)frameCount);
		rpAppendJsonMember(out, "reach", (double)reach);
		rpText_AppendString(out, ",\"root\":");
		rpAppendJsonBytes(out, roots, 12 * frameCount);
		rpText_AppendString(out, ",\"data\":");
		rpAppendJsonBytes(out, data, stride * frameCount);
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
	bool ok = rpFindFloor(&clip.figure.figure, frames, &floor, error);
	if (ok)
	{
		rpText_AppendString(out, "{\"name\":");
		rpAppendJsonString(out, motion->name[0] != 0 ? motion->name : "motion");
		rpAppendJsonMember(out, "fps", motion->fps);
		rpAppendJsonMember(out, "frames", motion->frameCount);
		rpAppendJsonMember(out, "duration", rpMotion_GetDuration(motion));
		rpAppendJsonMember(out, "joints", motion->skeleton->jointCount);
		rpAppendJsonMember(out, "heading", (double)rpMotion_GetGround(motion, 0).turn);
		rpAppendJsonMember(out, "floor", (double)floor);
		rpPageFigure_Append(&clip.figure, out);
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
bool rpAppendPageClip(const rpMotion* motion, rpText* out, rpError* error)
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
