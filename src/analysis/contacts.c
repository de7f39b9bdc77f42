/// When heels, balls and toes bear: the driver. The feet are followed (foot_track.c), each frame is judged
/// (foot_evidence.c), the stages of stances are decoded (stance_decode.c) and timed (stances.c).
#include "analysis/fall.h"
#include "analysis/stances.h"
#include "base/error.h"
#include "base/memory.h"

#include <string.h>

#define DEFAULT_SHORTEST 0.06
// A heel this much higher than its ball, or a ball than its heel, hangs in the air, in parts of the leg's length; less
// than that, when both rest, is how the capture's foot is made.
#define HANGING_PART 0.02f

// The floor is at this quantile of the heights of contacts: feet are on stairs and platforms for less than most of a
// take; otherwise it cannot be known.
#define FLOOR_PART 0.25

/// All there is while contacts are detected.
typedef struct Detection
{
	rpFeet feet;
	rpRestLimits limits;
	double shortest;
	rpFootEvidence evidence;

	/// By side, [frameCount]: rpFootStage.
	unsigned char* stages;
	rpRestStretches rests;
	rpHolds holds;
} Detection;

rpContactDef rpDefaultContactDef(void)
{
	return (rpContactDef){.shortest = DEFAULT_SHORTEST};
}

static bool addContacts(const Detection* detection, rpAnnotations* out, rpError* error)
{
	for (int i = 0; i < detection->rests.count; ++i)
	{
		const rpRestStretch* rest = detection->rests.items + i;
		rpInterval contact = {.track = rp_trackContact,
							  .start = rest->start,
							  .end = rest->end,
							  .effector = rp_footPoints[rest->point],
							  .supportHeight = rest->height - detection->feet.sole};
		if (!rpAnnotations_AddInterval(out, &contact, error))
		{
			return false;
		}
	}
	return true;
}

static bool hasContact(const rpAnnotations* annotations, rpEffector effector)
{
	bool found = false;
	for (int i = 0; i < annotations->intervalCount && !found; ++i)
	{
		const rpInterval* interval = annotations->intervals + i;
		found = interval->track == rp_trackContact && interval->effector == effector;
	}
	return found;
}

// Seats and hands that the motion has are known better than by their weight.
static bool addHolds(const Detection* detection, const rpMotion* motion, rpAnnotations* out, rpError* error)
{
	bool done = true;
	for (int i = 0; done && i < detection->holds.count; ++i)
	{
		const rpInterval* hold = detection->holds.items + i;
		done = hasContact(&motion->annotations, hold->effector) || rpAnnotations_AddInterval(out, hold, error);
	}
	return done;
}

// All annotations but the feet's contacts; the motion's own stay whole, should memory run out.
static bool copyOthers(const rpAnnotations* from, rpAnnotations* out, rpError* error)
{
	bool done = true;
	for (int i = 0; done && i < from->intervalCount; ++i)
	{
		done =
			rpInterval_IsFootContact(from->intervals + i) || rpAnnotations_AddInterval(out, from->intervals + i, error);
	}
	for (int i = 0; done && i < from->eventCount; ++i)
	{
		done = rpAnnotations_AddEvent(out, from->events[i].name, from->events[i].time, error);
	}
	for (int i = 0; done && i < from->curveCount; ++i)
	{
		done = rpAnnotations_AddCurve(out, from->curves + i, error);
	}
	return done;
}

static bool replaceContacts(const Detection* detection, rpMotion* motion, rpError* error)
{
	rpAnnotations fresh = {0};
	if (!copyOthers(&motion->annotations, &fresh, error) || !addContacts(detection, &fresh, error) ||
		!addHolds(detection, motion, &fresh, error))
	{
		rpAnnotations_Free(&fresh);
		return false;
	}
	rpAnnotations_Free(&motion->annotations);
	motion->annotations = fresh;
	return true;
}

// The lowest height at which heels and balls often rest, for their soles.
static float findFloor(const Detection* detection)
{
	float* heights = detection->feet.scratch;
	int count = 0;
	for (int i = 0; i < detection->rests.count; ++i)
	{
		const rpRestStretch* rest = detection->rests.items + i;
		if (rest->point < rp_footPointCount && count < detection->feet.frameCount)
		{
			heights[count++] = rest->height;
		}
	}
	return rpTakeQuantile(heights, count, FLOOR_PART) - detection->feet.sole;
}

static void fillReport(const Detection* detection, rpContactReport* report)
{
	int count = detection->rests.count;
	*report = (rpContactReport){
		.floorHeight = count > 0 ? findFloor(detection) : 0.0f,
		.noise = detection->feet.noise,
		.contactCount = count,
	};
	for (int i = 0; i < count; ++i)
	{
		const rpRestStretch* rest = detection->rests.items + i;
		report->speed +=
			rpGetRestSpeed(&detection->feet, &detection->limits, rest->point, rest->coreFirst) / (float)count;
		report->height += rpGetRestHeight(&detection->feet, &detection->limits, rest->coreFirst) / (float)count;
	}
}

// Find the stages of both feet, and what else bears. load is NULL for a body that cannot be weighed.
static bool decode(Detection* detection, const rpMotion* motion, const rpSupportLoad* load, rpError* error)
{
	rpFeet* feet = &detection->feet;
	rpStanceTakes takes = {
		feet, &detection->evidence, {detection->stages, detection->stages + feet->frameCount}, detection->shortest};
	return (load == NULL || rpFindSeats(motion, feet, load, &detection->holds, error)) &&
		   rpFootEvidence_Gather(&detection->evidence, feet, &detection->limits, load, &detection->holds, error) &&
		   rpDecodeStances(&detection->evidence, feet, 0, takes.stages[0], error) &&
		   rpDecodeStances(&detection->evidence, feet, 1, takes.stages[1], error) &&
		   rpListStances(&takes, &detection->rests, error) &&
		   (load == NULL ||
			rpFindHands(motion, load, &detection->rests, findFloor(detection), &detection->holds, error));
}

static bool weighAndDecode(Detection* detection, const rpMotion* motion, rpError* error)
{
	rpBody body;
	if (!rpWeighSkeleton(motion->skeleton, NULL, &body, NULL))
	{
		return decode(detection, motion, NULL, error);
	}
	rpVec3* centers = rpAllocate((size_t)motion->frameCount, sizeof(rpVec3), error);
	if (centers == NULL)
	{
		return false;
	}
	rpBody_GetCenters(&body, motion, centers);
	rpSupportLoad load = {centers, motion->frameCount, motion->fps};
	bool done = decode(detection, motion, &load, error);
	rpFree(centers);
	return done;
}

bool rpDetectContacts(rpMotion* motion, const rpContactDef* def, rpContactReport* report, rpError* error)
{
	rpContactDef defaults = rpDefaultContactDef();
	def = def != NULL ? def : &defaults;
	Detection detection = {.limits = {def->speed, def->height}, .shortest = def->shortest};
	if (!rpFeet_Follow(&detection.feet, motion, error))
	{
		return false;
	}
	detection.feet.hanging = HANGING_PART * motion->skeleton->legLength;
	detection.stages = rpAllocate(2 * (size_t)motion->frameCount, 1, error);
	bool done = detection.stages != NULL && weighAndDecode(&detection, motion, error) &&
				replaceContacts(&detection, motion, error);
	if (done && report != NULL)
	{
		fillReport(&detection, report);
	}
	rpFree(detection.holds.items);
	rpFree(detection.rests.items);
	rpFree(detection.stages);
	rpFootEvidence_Free(&detection.evidence);
	rpFeet_Free(&detection.feet);
	return done;
}

bool rpMotion_IsInContact(const rpMotion* motion, rpEffector effector, double seconds)
{
	double duration = rpMotion_GetDuration(motion);
	for (int i = 0; i < motion->annotations.intervalCount; ++i)
	{
		const rpInterval* interval = motion->annotations.intervals + i;
		bool last = interval->end >= duration && seconds >= duration && interval->end >= seconds;
		if (interval->track == rp_trackContact && interval->effector == effector && interval->start <= seconds &&
			(seconds < interval->end || last))
		{
			return true;
		}
	}
	return false;
}
