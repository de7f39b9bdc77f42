#include "blend/foot_lock_plan.h"

#include <stdlib.h>

// Contacts of one point that follow each other sooner than this, seconds, leave no time for a step.
#define SHORTEST_STEP 0.08

// Contacts shorter than this, seconds, are what seams leave of others, and give way to them.
#define STUB 0.05

// Nearer than this, metres, they are at one place.
#define ONE_PLACE 0.04f

// In a gap shorter than this, seconds, no foot is moved: seams leave such between the contacts of two clips. They are
// one, unless they are farther from each other than this, metres.
#define SPLIT 0.03
#define SPLIT_PLACE 0.12f

bool rpIsSoleContact(const rpInterval* interval)
{
	return interval->track == rp_trackContact &&
		   (interval->effector == rp_leftHeel || interval->effector == rp_leftBall ||
			interval->effector == rp_rightHeel || interval->effector == rp_rightBall);
}

int rpGetFirstFrame(const rpMotion* motion, double seconds)
{
	double frame = ceil(seconds * motion->fps - 1e-6);
	return (int)fmin(fmax(frame, 0.0), motion->frameCount);
}

int rpGetEndFrame(const rpMotion* motion, double seconds)
{
	// What lasts to the end of the motion lasts through its last frame; what ends just before it does not.
	bool lasts = seconds * motion->fps >= motion->frameCount - 1 - 1e-6;
	return lasts ? motion->frameCount : rpGetFirstFrame(motion, seconds);
}

// By foot, by point, by time.
static int comparePoints(const void* a, const void* b)
{
	const rpPlant *x = a, *y = b;
	int pointX = x->side * rp_solePointCount + x->point, pointY = y->side * rp_solePointCount + y->point;
	return pointX != pointY ? pointX - pointY : x->first - y->first;
}

static int compareStarts(const void* a, const void* b)
{
	const rpPlant *x = a, *y = b;
	return x->first != y->first ? x->first - y->first : comparePoints(a, b);
}

static rpVec3 getMiddle(const rpMotion* motion, const rpFootRig* rig, const rpPlant* plant)
{
	rpTransform world[RP_MAX_JOINTS];
	rpFootSample sample;
	int frame = plant->first + (plant->last - plant->first) / 2;
	const rpVec3* translations = motion->translations != NULL
									 ? motion->translations + (size_t)frame * (size_t)motion->skeleton->jointCount
									 : NULL;
	rpFootRig_Forward(rig, motion->rootPositions[frame], rpMotion_GetRotations(motion, frame), translations, world);
	rpLeg_Sample(rig->legs + plant->side, world, &sample);
	return sample.sole[plant->point];
}

// Make two plants of one point one, or give the foot time between them. True if they are one now.
static bool reconcile(const rpMotion* motion, const rpFootRig* rig, rpPlant* old, rpPlant* new)
{
	int shortest = (int)ceil(SHORTEST_STEP * motion->fps), gap = new->first - old->last - 1;
	if (gap >= shortest)
	{
		return false;
	}
	int oldLength = old->last - old->first + 1, newLength = new->last - new->first + 1;
	bool isSplit = gap < (int)ceil(SPLIT * motion->fps);
	if (rpDistance(getMiddle(motion, rig, old), getMiddle(motion, rig, new)) < (isSplit ? SPLIT_PLACE : ONE_PLACE))
	{
		old->support = newLength > oldLength ? new->support : old->support;
		old->last = new->last > old->last ? new->last : old->last;
		return true;
	}
	int stub = (int)ceil(STUB * motion->fps);
	if (oldLength < stub || newLength < stub)
	{
		*old = newLength > oldLength ? *new : *old;
		return true;
	}
	int missing = shortest - gap, oldHalf = (old->last - old->first) / 2, newHalf = (new->last - new->first) / 2;
	int fromOld = missing / 2 < oldHalf ? missing / 2 : oldHalf;
	int fromNew = missing - fromOld < newHalf ? missing - fromOld : newHalf;
	old->last -= fromOld;
	new->first += fromNew;
	return false;
}

static void addPlants(rpFootTrack* track, const rpMotion* motion)
{
	for (int i = 0; i < motion->annotations.intervalCount; ++i)
	{
		const rpInterval* contact = motion->annotations.intervals + i;
		if (!rpIsSoleContact(contact))
		{
			continue;
		}
		int side = contact->effector == rp_leftHeel || contact->effector == rp_leftBall ? 0 : 1;
		int point = contact->effector == rp_leftHeel || contact->effector == rp_rightHeel ? 0 : 1;
		int first = rpGetFirstFrame(motion, contact->start), end = rpGetEndFrame(motion, contact->end);
		if (first < end && track->rig.legs[side].isThere)
		{
			track->plants[track->plantCount++] = (rpPlant){
				.first = first, .last = end - 1, .side = side, .point = point, .support = contact->supportHeight};
		}
	}
}

void rpFootTrack_Plan(rpFootTrack* track, const rpMotion* motion)
{
	rpPlant* plants = track->plants;
	addPlants(track, motion);
	qsort(plants, (size_t)track->plantCount, sizeof(rpPlant), comparePoints);
	int kept = 0;
	for (int i = 0; i < track->plantCount; ++i)
	{
		bool isOfSamePoint =
			kept > 0 && plants[kept - 1].side == plants[i].side && plants[kept - 1].point == plants[i].point;
		// One that lies inside another says nothing new.
		bool isInside = isOfSamePoint && plants[i].last <= plants[kept - 1].last;
		if (isInside || (isOfSamePoint && reconcile(motion, &track->rig, plants + kept - 1, plants + i)))
		{
			continue;
		}
		if (isOfSamePoint && plants[i].first <= plants[kept - 1].last)
		{
			plants[i].first = plants[kept - 1].last + 1;
		}
		plants[kept++] = plants[i];
	}
	track->plantCount = kept;
	qsort(plants, (size_t)track->plantCount, sizeof(rpPlant), compareStarts);
}
