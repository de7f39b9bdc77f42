/// When heels and balls rest on something. Points that rest are found by their speed (rest_stretch.c); those that have
/// nothing under them are dropped here: the heel of a foot on its ball, a foot held in the air. What is left becomes
/// the contact track.
#include "analysis/foot_stance.h"
#include "analysis/holds.h"
#include "analysis/support_gap.h"
#include "analysis/touch_fit.h"
#include "analysis/weight_stance.h"
#include "base/error.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

// Rests within this of a level are on it, metres.
#define LEVEL_HEIGHT 0.036f
#define DEFAULT_SHORTEST 0.06
// A foot that stands on something above the floor, without bearing the body alone, does so for this long, seconds.
#define ELEVATED_TIME 0.4
// A foot that is down for less than this is a runner's, seconds, whose heel may touch for a part of the shortest time.
#define RUNNING_TIME 0.34
#define RUNNING_PART 0.4
// And swings faster than this, in speeds of a pendulum as long as the leg, √(g l).
#define RUNNING_SPEED 1.8f
// Levels this near are one, metres.
#define LEVEL_WIDTH 0.03f
// A heel this much higher than its ball, or a ball than its heel, hangs in the air, in parts of the leg's length; less
// than that, when both rest, is how the capture's foot is made.
#define HANGING_PART 0.02f

/// All there is while contacts are detected.
typedef struct Detection
{
	rpFeet feet;
	rpRestLimits limits;
	rpRestStretches rests;
	float floor;

	/// The feet of a runner swing faster than this, m/s.
	float runningSpeed;

	rpHolds holds;
} Detection;

rpContactDef rpDefaultContactDef(void)
{
	return (rpContactDef){.shortest = DEFAULT_SHORTEST};
}

static float getLength(const rpRestStretch* rest)
{
	return (float)(rest->coreLast - rest->coreFirst + 1);
}

// How much rests within a level's width of a height.
static float weighLevel(const Detection* detection, float height)
{
	float sum = 0.0f, most = (float)detection->feet.fps;
	for (int i = 0; i < detection->rests.count; ++i)
	{
		const rpRestStretch* rest = detection->rests.items + i;
		float away = fabsf(rest->height - height) / LEVEL_WIDTH;
		sum += away < 1.0f ? (1.0f - away) * fminf(getLength(rest), most) : 0.0f;
	}
	return sum;
}

// The lowest level among those on which the feet rest often.
static void findFloor(Detection* detection)
{
	float best = 0.0f;
	for (int i = 0; i < detection->rests.count; ++i)
	{
		best = fmaxf(best, weighLevel(detection, detection->rests.items[i].height));
	}
	detection->floor = INFINITY;
	float weight = 0.0f;
	for (int i = 0; i < detection->rests.count; ++i)
	{
		float height = detection->rests.items[i].height, own = weighLevel(detection, height);
		if (own > 0.25f * best &&
			(height < detection->floor - LEVEL_WIDTH || (height < detection->floor + LEVEL_WIDTH && own > weight)))
		{
			detection->floor = height;
			weight = own;
		}
	}
}

// How much higher the heels are than the balls where both rest, if that can be how the feet are made.
static void findHeelOffset(Detection* detection, int side, float* scratch)
{
	rpFeet* feet = &detection->feet;
	int count = 0;
	for (int i = 0; i < detection->rests.count; ++i)
	{
		const rpRestStretch* heel = detection->rests.items + i;
		for (int k = 0; k < detection->rests.count && heel->point == 2 * side; ++k)
		{
			const rpRestStretch* ball = detection->rests.items + k;
			int first = heel->coreFirst > ball->coreFirst ? heel->coreFirst : ball->coreFirst;
			int last = heel->coreLast < ball->coreLast ? heel->coreLast : ball->coreLast;
			for (int f = first; ball->point == heel->point + 1 && f <= last; ++f)
			{
				float above = feet->tracks[2 * side].smooth[f].y - feet->tracks[2 * side + 1].smooth[f].y;
				if (fabsf(above) < feet->hanging)
				{
					scratch[count++] = above;
				}
			}
		}
	}
	feet->heelOffset[side] = rpTakeQuantile(scratch, count, 0.5);
}

// A heel above its resting ball, or a ball above its heel, hangs in the air.
static bool hangs(const Detection* detection, const rpRestStretch* rest)
{
	const rpFeet* feet = &detection->feet;
	int partner = rpGetFootPartner(rest->point), over = 0, count = rest->coreLast - rest->coreFirst + 1;
	float offset = (rest->point & 1) == 0 ? feet->heelOffset[rest->point >> 1] : -feet->heelOffset[rest->point >> 1];
	for (int i = rest->coreFirst; i <= rest->coreLast; ++i)
	{
		float above = feet->tracks[rest->point].smooth[i].y - feet->tracks[partner].smooth[i].y - offset;
		over += above > feet->hanging;
	}
	return 2 * over > count;
}

// Whether in some frame of a stretch no other foot rests.
static bool bearsAlone(const Detection* detection, const rpRestStretch* rest)
{
	for (int i = rest->coreFirst; i <= rest->coreLast; ++i)
	{
		bool other = false;
		for (int k = 0; k < detection->rests.count && !other; ++k)
		{
			const rpRestStretch* r = detection->rests.items + k;
			other = (r->point >> 1) != (rest->point >> 1) && r->first <= i && i <= r->last &&
					r->height < rest->height + LEVEL_WIDTH;
		}
		if (!other)
		{
			return true;
		}
	}
	return false;
}

static bool isSupported(const Detection* detection, const rpRestStretch* rest)
{
	if (hangs(detection, rest))
	{
		return false;
	}
	if (fabsf(rest->height - detection->floor) < LEVEL_HEIGHT)
	{
		return true;
	}
	return bearsAlone(detection, rest) || getLength(rest) > ELEVATED_TIME * detection->feet.fps;
}

static void dropUnsupported(Detection* detection)
{
	rpRestStretch* rests = detection->rests.items;
	int count = 0;
	for (int i = 0; i < detection->rests.count; ++i)
	{
		if (rests[i].supported)
		{
			rests[count++] = rests[i];
		}
	}
	detection->rests.count = count;
}

// All are judged before any goes, since they bear each other out.
static void judgeSupports(Detection* detection)
{
	for (int i = 0; i < detection->rests.count; ++i)
	{
		detection->rests.items[i].supported = isSupported(detection, detection->rests.items + i);
	}
	dropUnsupported(detection);
}

// Toes are not asked where they are: they move while they are down.
static bool isOneContact(const Detection* detection, const rpRestStretch* a, const rpRestStretch* b)
{
	const rpVec3* places = detection->feet.tracks[a->point].smooth;
	return a->point == b->point && b->start - a->end < detection->limits.shortest &&
		   (a->point >= rp_footPointCount || b->start <= a->end ||
			rpDistance(places[a->coreLast], places[b->coreFirst]) < LEVEL_HEIGHT);
}

static void join(Detection* detection)
{
	rpRestStretch* rests = detection->rests.items;
	int count = 0;
	for (int i = 0; i < detection->rests.count; ++i)
	{
		if (count > 0 && isOneContact(detection, rests + count - 1, rests + i))
		{
			rpRestStretch* last = rests + count - 1;
			last->end = fmax(last->end, rests[i].end);
			last->last = rests[i].last > last->last ? rests[i].last : last->last;
			last->coreLast = rests[i].coreLast > last->coreLast ? rests[i].coreLast : last->coreLast;
			continue;
		}
		rests[count++] = rests[i];
	}
	detection->rests.count = count;
}

static int compareRests(const void* a, const void* b)
{
	const rpRestStretch *x = a, *y = b;
	return x->point != y->point ? x->point - y->point : (x->start > y->start) - (x->start < y->start);
}

// What was added is put in its place, and does not reach beyond the motion.
static void sortRests(Detection* detection)
{
	double end = (detection->feet.frameCount - 1) / detection->feet.fps;
	for (int i = 0; i < detection->rests.count; ++i)
	{
		rpRestStretch* rest = detection->rests.items + i;
		rest->start = fmax(rest->start, 0.0);
		rest->end = fmin(rest->end, end);
	}
	qsort(detection->rests.items, (size_t)detection->rests.count, sizeof(rpRestStretch), compareRests);
}

// Whether the other point of the foot is down meanwhile, and as short as runners' are.
static bool isRunning(const Detection* detection, const rpRestStretch* rest)
{
	for (int i = 0; i < detection->rests.count; ++i)
	{
		const rpRestStretch* other = detection->rests.items + i;
		if (other->point == rpGetFootPartner(rest->point) && other->start < rest->end + 0.05 &&
			rest->start < other->end)
		{
			return (other->last - other->first) / detection->feet.fps < RUNNING_TIME &&
				   detection->feet.tracks[rest->point].peaks[rest->coreFirst] > detection->runningSpeed;
		}
	}
	return false;
}

// A contact that was fitted too short is taken as it was found; one that was found too short is none.
static bool isLongEnough(const Detection* detection, rpRestStretch* rest)
{
	const rpFeet* feet = &detection->feet;
	double shortest = detection->limits.shortest;
	bool cut = rest->start <= 0.0 || rest->last == feet->frameCount - 1;
	if (rest->end - rest->start >= shortest || (cut && rest->end > rest->start))
	{
		return true;
	}
	if ((rest->point & 1) == 0 && isRunning(detection, rest))
	{
		return rest->end - rest->start >= RUNNING_PART * shortest;
	}
	rest->start = rest->coreFirst / feet->fps;
	rest->end = rest->coreLast / feet->fps;
	return rest->end - rest->start >= shortest;
}

static void dropShort(Detection* detection)
{
	rpRestStretch* rests = detection->rests.items;
	for (int i = 0; i < detection->rests.count; ++i)
	{
		rests[i].supported = isLongEnough(detection, rests + i);
	}
	dropUnsupported(detection);
}

static bool isFootContact(const rpInterval* interval)
{
	return interval->track == rp_trackContact && interval->effector <= rp_rightToe;
}

// The mean height between begin and end: what was found before they were known may have hovered at first.
static float getSupport(const Detection* detection, const rpRestStretch* rest)
{
	const rpFeet* feet = &detection->feet;
	if (rest->point >= rp_footPointCount)
	{
		return rest->height - feet->sole;
	}
	int first = (int)ceil(rest->start * feet->fps), last = (int)floor(rest->end * feet->fps), count = 0;
	double sum = 0.0;
	for (int i = first; i <= last && i < feet->frameCount; ++i, ++count)
	{
		sum += (double)feet->tracks[rest->point].places[i].y;
	}
	return (count > 0 ? (float)(sum / count) : rest->height) - feet->sole;
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
							  .supportHeight = getSupport(detection, rest)};
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
		done = isFootContact(from->intervals + i) || rpAnnotations_AddInterval(out, from->intervals + i, error);
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

static void fillReport(const Detection* detection, rpContactReport* report)
{
	int count = detection->rests.count;
	*report = (rpContactReport){
		.floorHeight = count > 0 ? detection->floor - detection->feet.sole : 0.0f,
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

// Between two places of one point there is time to move.
static void partRests(Detection* detection)
{
	for (int i = 1; i < detection->rests.count; ++i)
	{
		rpRestStretch *rest = detection->rests.items + i, *before = rest - 1;
		double earliest = before->end + detection->limits.shortest;
		if (rest->point == before->point && rest->start < earliest)
		{
			rest->start = fmin(earliest, rest->end - detection->limits.shortest);
		}
	}
}

// What the weight tells: who sits, which feet bear without resting, and where nothing does. Nothing of a body that
// cannot be weighed.
static bool askWeight(Detection* detection, const rpMotion* motion, rpError* error)
{
	rpBody body;
	if (!rpWeighSkeleton(motion->skeleton, NULL, &body, NULL))
	{
		return true;
	}
	rpVec3* centers = rpAllocate((size_t)motion->frameCount, sizeof(rpVec3), error);
	if (centers == NULL)
	{
		return false;
	}
	rpBody_GetCenters(&body, motion, centers);
	rpBearing bearing = {centers, motion->frameCount, motion->fps};
	const rpFeet* feet = &detection->feet;
	bool done =
		rpFindSeats(motion, feet, &bearing, &detection->holds, error) &&
		rpCloseSupportGaps(feet, &bearing, &detection->holds, detection->limits.shortest, &detection->rests, error) &&
		rpAddBearingStances(feet, &bearing, &detection->holds, &detection->rests, error) &&
		rpFindHands(motion, &bearing, &detection->rests, detection->floor - feet->sole, &detection->holds, error);
	rpFree(centers);
	return done;
}

// Points that rest are not all: a foot is down for longer.
static bool completeStances(Detection* detection, const rpMotion* motion, rpError* error)
{
	if (!rpGrowStances(&detection->feet, detection->limits.shortest, &detection->rests, error) ||
		!askWeight(detection, motion, error))
	{
		return false;
	}
	sortRests(detection);
	join(detection);
	partRests(detection);
	return true;
}

bool rpDetectContacts(rpMotion* motion, const rpContactDef* def, rpContactReport* report, rpError* error)
{
	rpContactDef defaults = rpDefaultContactDef();
	def = def != NULL ? def : &defaults;
	Detection detection = {
		.limits = {def->speed, def->height, def->shortest},
	};
	if (!rpFeet_Follow(&detection.feet, motion, error))
	{
		return false;
	}
	detection.runningSpeed = RUNNING_SPEED * sqrtf(9.81f * motion->skeleton->legLength);
	detection.feet.hanging = HANGING_PART * motion->skeleton->legLength;
	bool done = rpFindRests(&detection.feet, &detection.limits, &detection.rests, error);
	if (done)
	{
		findFloor(&detection);
		findHeelOffset(&detection, 0, detection.feet.scratch);
		findHeelOffset(&detection, 1, detection.feet.scratch);
		judgeSupports(&detection);
		rpFitAllTouches(&detection.feet, &detection.rests);
		join(&detection);
		dropShort(&detection);
		join(&detection);
		done = completeStances(&detection, motion, error) && replaceContacts(&detection, motion, error);
	}
	if (done && report != NULL)
	{
		fillReport(&detection, report);
	}
	rpFree(detection.holds.items);
	rpFree(detection.rests.items);
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
