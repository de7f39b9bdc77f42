/// Annotations to JSON: one line per interval, event and curve, in the order in which they are kept.
#include "base/error.h"
#include "file/annotation_json.h"
#include "file/json_text.h"
#include "file/sidecar.h"

static void appendNumber(rpText* out, const char* key, double value)
{
	rpText_Print(out, "\"%s\": ", key);
	rpText_AppendNumber(out, value);
}

static void appendString(rpText* out, const char* key, const char* value)
{
	rpText_Print(out, ", \"%s\": ", key);
	rpText_AppendJsonString(out, value);
}

static void appendInterval(rpText* out, const rpInterval* interval)
{
	appendNumber(out, "start_s", interval->start);
	rpText_AppendString(out, ", ");
	appendNumber(out, "end_s", interval->end);
	switch (interval->track)
	{
	case rp_trackContact:
		appendString(out, "effector", rpEffector_GetName(interval->effector));
		rpText_AppendString(out, ", \"support_height_m\": ");
		rpText_AppendFloat(out, interval->supportHeight);
		break;
	case rp_trackSource:
		appendString(out, "clip", interval->name);
		rpText_AppendString(out, ", ");
		appendNumber(out, "clip_start_s", interval->sourceStart);
		rpText_AppendString(out, ", ");
		appendNumber(out, "clip_end_s", interval->sourceEnd);
		break;
	default:
		appendString(out, "name", interval->name);
	}
}

// Each entry on a line of its own; nothing between the brackets of an empty list.
static void startEntry(rpText* out, const char* indent, int* count)
{
	rpText_Print(out, "%s\n%s  {", (*count)++ > 0 ? "," : "", indent);
}

static void endList(rpText* out, const char* indent, int count, const char* after)
{
	rpText_Print(out, "%s%s]%s", count > 0 ? "\n" : "", count > 0 ? indent : "", after);
}

static void appendTrack(rpText* out, const rpAnnotations* annotations, rpTrack track, const char* key,
						const char* indent)
{
	int count = 0;
	rpText_Print(out, "%s\"%s\": [", indent, key);
	for (int i = 0; i < annotations->intervalCount; ++i)
	{
		if (annotations->intervals[i].track == track)
		{
			startEntry(out, indent, &count);
			appendInterval(out, annotations->intervals + i);
			rpText_AppendString(out, "}");
		}
	}
	endList(out, indent, count, ",\n");
}

static void appendEvents(rpText* out, const rpAnnotations* annotations, const char* indent)
{
	int count = 0;
	rpText_Print(out, "%s\"events\": [", indent);
	for (int i = 0; i < annotations->eventCount; ++i)
	{
		startEntry(out, indent, &count);
		appendNumber(out, "time_s", annotations->events[i].time);
		appendString(out, "name", annotations->events[i].name);
		rpText_AppendString(out, "}");
	}
	endList(out, indent, count, ",\n");
}

const char* rpGetCurveKindName(rpCurveKind kind)
{
	static const char* const names[rp_curveKindCount] = {
		[rp_curveScalar] = "scalar", [rp_curveSided] = "sided", [rp_curvePoint] = "point", [rp_curveVector] = "vector"};
	return names[kind];
}

static void appendCurve(rpText* out, const rpCurve* curve)
{
	rpText_AppendString(out, "\"name\": ");
	rpText_AppendJsonString(out, curve->name);
	appendString(out, "kind", rpGetCurveKindName(curve->kind));
	rpText_AppendString(out, ", \"times_s\": [");
	for (int i = 0; i < curve->keyCount; ++i)
	{
		rpText_AppendString(out, i > 0 ? ", " : "");
		rpText_AppendNumber(out, curve->times[i]);
	}
	rpText_AppendString(out, "], \"values\": [");
	int count = curve->keyCount * rpCurveKind_GetWidth(curve->kind);
	for (int i = 0; i < count; ++i)
	{
		rpText_AppendString(out, i > 0 ? ", " : "");
		rpText_AppendFloat(out, curve->values[i]);
	}
	rpText_AppendString(out, "]");
}

static void appendCurves(rpText* out, const rpAnnotations* annotations, const char* indent)
{
	int count = 0;
	rpText_Print(out, "%s\"curves\": [", indent);
	for (int i = 0; i < annotations->curveCount; ++i)
	{
		startEntry(out, indent, &count);
		appendCurve(out, annotations->curves + i);
		rpText_AppendString(out, "}");
	}
	endList(out, indent, count, "");
}

void rpWriteAnnotationMembers(const rpAnnotations* annotations, const char* indent, rpText* out)
{
	appendTrack(out, annotations, rp_trackLabel, "labels", indent);
	appendTrack(out, annotations, rp_trackContact, "contacts", indent);
	appendTrack(out, annotations, rp_trackPhase, "phases", indent);
	appendTrack(out, annotations, rp_trackSource, "sources", indent);
	appendEvents(out, annotations, indent);
	appendCurves(out, annotations, indent);
}

bool rpWriteAnnotations(const rpAnnotations* annotations, rpText* out, rpError* error)
{
	rpText_AppendString(out, "{\n");
	rpWriteAnnotationMembers(annotations, "  ", out);
	rpText_AppendString(out, "\n}\n");
	return !out->failed || rpFail(error, rp_errorMemory, "out of memory while writing annotations");
}
