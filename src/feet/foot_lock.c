/// Foot lock over a whole motion: a stream with all the look-ahead it can use, and its figures.
#include "base/error.h"
#include "feet/contact_sweep.h"
#include "feet/feet_track.h"

rpFootLockDef rpDefaultFootLockDef(void)
{
	return (rpFootLockDef){.ease = 0.2, .ground = true};
}

/// What is measured of a motion with the contacts that it has.
typedef struct Measure
{
	rpSlide all, heels, balls;

	/// The fastest change of a knee's bend, radians from frame to frame.
	float kneeSpeed;
} Measure;

/// The contact that a point is in.
typedef struct Touch
{
	/// Its index counted from 1; 0: none.
	int contact;
	rpVec3 place;
	float distance;
} Touch;

static void addSlide(rpSlide* slide, float distance)
{
	slide->mean = (slide->mean * (float)slide->contactCount + distance) / (float)(slide->contactCount + 1);
	slide->max = fmaxf(slide->max, distance);
	++slide->contactCount;
}

static void endTouch(Measure* measure, int point, Touch* touch)
{
	if (touch->contact > 0 && point != rp_toeBears)
	{
		addSlide(&measure->all, touch->distance);
		addSlide(point == rp_heelBears ? &measure->heels : &measure->balls, touch->distance);
	}
	touch->contact = 0;
}

// A point that touches by a contact, 0: by none.
static void noteTouch(Measure* measure, int point, Touch* touch, int contact, rpVec3 place)
{
	bool goesOn = contact > 0 && contact == touch->contact;
	if (!goesOn)
	{
		endTouch(measure, point, touch);
		*touch = (Touch){.contact = contact};
	}
	touch->distance += goesOn ? rpHypot(place.x - touch->place.x, place.z - touch->place.z) : 0.0f;
	touch->place = place;
}

static float getBend(const rpFootSample* sample)
{
	return rpAtan2(rpLength(rpCross(sample->thigh, sample->shank)), rpDot(sample->thigh, sample->shank));
}

static const rpVec3* getTranslations(const rpMotion* motion, int frame)
{
	return motion->translations != NULL ? motion->translations + (size_t)frame * (size_t)motion->skeleton->jointCount
										: NULL;
}

// Whether a contact holds its point firmly in a frame: it has done so for a while and will for a while, or is cut by an
// end of the motion.
static bool isFirm(const rpMotion* motion, const rpInterval* contact, int frame)
{
	double time = frame / motion->fps;
	return (contact->start <= 0.0 || time >= contact->start + RP_SOFT_SECONDS) &&
		   (contact->end >= rpMotion_GetDuration(motion) || time <= contact->end - RP_SOFT_SECONDS);
}

static void measureFoot(Measure* measure, const rpContactSweep* sweep, unsigned contacts, int frame, int side,
						const rpFootSample* sample, Touch* touches)
{
	for (int point = 0; point < rp_bearerCount; ++point)
	{
		rpEffector effector = rpBearers[side][point];
		int current = sweep->current[effector];
		bool isHeld = (contacts >> effector & 1) != 0 &&
					  isFirm(sweep->motion, sweep->motion->annotations.intervals + current, frame);
		noteTouch(measure, point, touches + point, isHeld ? current + 1 : 0, rpGetBearer(sample, point));
	}
}

static Measure measureMotion(const rpMotion* motion, const rpFeetTrack* track)
{
	Measure measure = {0};
	rpContactSweep sweep = rpStartContactSweep(motion);
	Touch touches[rp_legCount][rp_bearerCount] = {0};
	float bends[rp_legCount] = {0};
	for (int frame = 0; frame < motion->frameCount; ++frame)
	{
		float supportHeights[rp_effectorCount];
		unsigned contacts = rpContactSweep_Step(&sweep, frame, supportHeights);
		rpFootRig_Forward(&track->rig, motion->rootPositions[frame], rpMotion_GetRotations(motion, frame),
						  getTranslations(motion, frame), track->world);
		for (int side = 0; side < rp_legCount; ++side)
		{
			if (track->rig.legs[side].isThere)
			{
				rpFootSample sample;
				rpLeg_Sample(&track->rig.legs[side], track->world, &sample);
				measureFoot(&measure, &sweep, contacts, frame, side, &sample, touches[side]);
				float bend = getBend(&sample);
				measure.kneeSpeed = fmaxf(measure.kneeSpeed, frame > 0 ? fabsf(bend - bends[side]) : 0.0f);
				bends[side] = bend;
			}
		}
	}
	for (int i = 0; i < rp_legCount * rp_bearerCount; ++i)
	{
		endTouch(&measure, i % rp_bearerCount, &touches[i / rp_bearerCount][i % rp_bearerCount]);
	}
	return measure;
}

// All frames through the stream.
static void runTrack(rpFeetTrack* track, rpMotion* motion, int lookAhead, rpFootLockReport* report)
{
	size_t jointCount = (size_t)motion->skeleton->jointCount;
	rpContactSweep sweep = rpStartContactSweep(motion);
	for (int frame = 0; frame < motion->frameCount; ++frame)
	{
		while (track->newest < motion->frameCount - 1 && track->newest < frame + lookAhead)
		{
			int next = track->newest + 1;
			float supportHeights[rp_effectorCount];
			unsigned contacts = rpContactSweep_Step(&sweep, next, supportHeights);
			rpVec3* translations =
				motion->translations != NULL ? motion->translations + (size_t)next * jointCount : NULL;
			rpPose in = {motion->rootPositions[next], motion->rotations + (size_t)next * jointCount, translations};
			rpFeetTrack_Add(track, &in, contacts, supportHeights);
		}
		rpPose out = {.rotations = motion->rotations + (size_t)frame * jointCount};
		float missed = rpFeetTrack_Show(track, frame, &out);
		report->rootShift = fmaxf(report->rootShift, rpDistance(out.rootPosition, motion->rootPositions[frame]));
		report->missed = fmaxf(report->missed, missed);
		motion->rootPositions[frame] = out.rootPosition;
	}
	rpMotion_FixHemispheres(motion);
}

static bool hasFootContacts(const rpMotion* motion)
{
	bool found = false;
	for (int i = 0; i < motion->annotations.intervalCount && !found; ++i)
	{
		const rpInterval* interval = motion->annotations.intervals + i;
		found = rpInterval_IsFootContact(interval);
	}
	return found;
}

static void lockFeet(rpFeetTrack* track, rpMotion* motion, int lookAhead, rpFootLockReport* report)
{
	Measure before = measureMotion(motion, track);
	report->contactCount = before.all.contactCount;
	runTrack(track, motion, lookAhead, report);
	Measure after = measureMotion(motion, track);
	report->before = before.all;
	report->heelBefore = before.heels;
	report->ballBefore = before.balls;
	report->kneeSpeedBefore = before.kneeSpeed * (float)motion->fps;
	report->after = after.all;
	report->heelAfter = after.heels;
	report->ballAfter = after.balls;
	report->kneeSpeedAfter = after.kneeSpeed * (float)motion->fps;
}

bool rpCheckFootLockDef(const rpFootLockDef* def, rpError* error)
{
	return (def->ease >= 0.0 && def->ease <= 10.0) ||
		   rpFail(error, rp_errorArgument, "feet eased over %g s; 0 to 10 are allowed", def->ease);
}

bool rpLockFeet(rpMotion* motion, const rpFootLockDef* def, rpFootLockReport* report, rpError* error)
{
	rpFootLockDef chosen = def != NULL ? *def : rpDefaultFootLockDef();
	rpFootLockReport ignored;
	report = report != NULL ? report : &ignored;
	*report = (rpFootLockReport){0};
	if (!rpCheckFootLockDef(&chosen, error))
	{
		return false;
	}
	rpFeetTrack track;
	int lookAhead = rpGetFullLookAhead(motion->fps);
	bool done = rpFeetTrack_Create(&track, motion->skeleton, motion->fps, lookAhead, &chosen, error) &&
				rpMotion_CheckFinite(motion, error);
	if (done && hasFootContacts(motion))
	{
		lockFeet(&track, motion, lookAhead, report);
	}
	rpFeetTrack_Free(&track);
	return done;
}
