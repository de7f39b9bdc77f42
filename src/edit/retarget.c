/// A motion on another person's skeleton of the same hierarchy: rotations kept, the root scaled by the legs, feet
/// locked.
#include "edit/annotation_edit.h"
#include "motion/draft.h"
#include "reprise/edit.h"

rpRetargetDef rpDefaultRetargetDef(void)
{
	rpRetargetDef def = {.lockFeet = true, .lock = rpDefaultFootLockDef()};
	return def;
}

static float getFactor(const rpSkeleton* old, const rpSkeleton* new)
{
	if (old->legLength > 0.0f && new->legLength > 0.0f)
	{
		return new->legLength / old->legLength;
	}
	return old->height > 0.0f && new->height > 0.0f ? new->height / old->height : 1.0f;
}

// Bones that change their length do so by as much, for the size of the body.
static void carryTranslations(const rpMotion* from, float factor, rpMotion* to)
{
	size_t jointCount = (size_t)from->skeleton->jointCount;
	for (size_t i = 0; i < (size_t)from->frameCount * jointCount && to->translations != NULL; ++i)
	{
		rpVec3 change = rpSub(from->translations[i], from->skeleton->offsets[i % jointCount]);
		to->translations[i] = rpMulAdd(to->skeleton->offsets[i % jointCount], factor, change);
	}
}

static bool isOnSole(rpEffector effector)
{
	return effector == rp_leftHeel || effector == rp_leftBall || effector == rp_rightHeel || effector == rp_rightBall;
}

/// How high the points of the soles are above their supports while they rest, less the sole.
typedef struct RestHeights
{
	/// Sums over all frames of all contacts, metres, and how many frames.
	double sums[rp_effectorCount];
	long long counts[rp_effectorCount];
} RestHeights;

static void addContact(const rpMotion* motion, const rpInterval* contact, RestHeights* heights)
{
	int first = (int)fmin(fmax(ceil(contact->start * motion->fps - RP_FRAME_SLACK), 0.0), motion->frameCount);
	double end = fmin(contact->end * motion->fps - RP_FRAME_SLACK, motion->frameCount);
	for (int frame = first; frame < end; ++frame)
	{
		rpVec3 place;
		if (rpMotion_GetEffector(motion, frame, contact->effector, &place))
		{
			heights->sums[contact->effector] +=
				(double)place.y - (double)contact->supportHeight - (double)motion->skeleton->soleHeight;
			++heights->counts[contact->effector];
		}
	}
}

static RestHeights measureRestHeights(const rpMotion* motion)
{
	RestHeights heights = {0};
	for (int i = 0; i < motion->annotations.intervalCount; ++i)
	{
		const rpInterval* contact = motion->annotations.intervals + i;
		if (contact->track == rp_trackContact && isOnSole(contact->effector))
		{
			addContact(motion, contact, &heights);
		}
	}
	return heights;
}

// Feet and legs of other proportions are off their supports, each point of the soles by its own height (captured
// skeletons are not symmetric: on some, one foot walks centimetres above the other). The body is raised by the mean of
// that and the supports by the rest, so that the lock need not bend knees for it. Returns the rise.
static float settle(const rpMotion* from, rpMotion* to)
{
	RestHeights old = measureRestHeights(from), new = measureRestHeights(to);
	double off[rp_effectorCount] = {0.0}, sum = 0.0;
	long long count = 0;
	for (int i = 0; i < rp_effectorCount; ++i)
	{
		if (old.counts[i] > 0 && new.counts[i] > 0)
		{
			off[i] = new.sums[i] / (double)new.counts[i] - old.sums[i] / (double)old.counts[i];
			sum += off[i] * (double)new.counts[i];
			count += new.counts[i];
		}
	}
	float rise = count > 0 ? (float)(-sum / (double)count) : 0.0f;
	for (int frame = 0; frame < to->frameCount; ++frame)
	{
		to->rootPositions[frame].y += rise;
	}
	for (int i = 0; i < to->annotations.intervalCount; ++i)
	{
		rpInterval* contact = to->annotations.intervals + i;
		contact->supportHeight += contact->track == rp_trackContact ? rise + (float)off[contact->effector] : 0.0f;
	}
	return rise;
}

rpMotion* rpRetargetMotion(const rpMotion* motion, const rpSkeleton* skeleton, const rpRetargetDef* def,
						   rpRetargetReport* report, rpError* error)
{
	rpRetargetDef chosen = def != NULL ? *def : rpDefaultRetargetDef();
	rpRetargetReport ignored;
	report = report != NULL ? report : &ignored;
	*report = (rpRetargetReport){.factor = getFactor(motion->skeleton, skeleton)};
	rpMotion* result = rpReplaceSkeleton(motion, skeleton, error);
	if (result == NULL)
	{
		return NULL;
	}
	for (int frame = 0; frame < result->frameCount; ++frame)
	{
		result->rootPositions[frame] = rpScale(report->factor, motion->rootPositions[frame]);
	}
	carryTranslations(motion, report->factor, result);
	rpMoveAnnotations(&result->annotations, report->factor, rpQuat_identity, rpVec3_zero);
	report->rise = settle(motion, result);
	if (chosen.lockFeet && skeleton->legLength > 0.0f && !rpLockFeet(result, &chosen.lock, &report->lock, error))
	{
		rpDestroyMotion(result);
		return NULL;
	}
	return result;
}
