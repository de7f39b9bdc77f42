/// What a motion shows: when its feet rest on something, and when the body flies.
#pragma once

#include "reprise/play/motion.h"

#ifdef __cplusplus
extern "C"
{
#endif

/// How to find contacts. Must come from rpDefaultContactDef(). A limit of 0 is adapted to the capture: to the speed of
/// the feet around, and to how they slide.
typedef struct rpContactDef
{
	/// The speed, m/s, and the height above what is under it, metres, at which it is in doubt whether a point of a foot
	/// bears. Doubtful frames are decided by the frames around, the other points and the weight.
	float speed;
	float height;

	/// No contact, and no gap between two of one effector at one place, is shorter than this, seconds; but a runner's
	/// heel may touch for 0.4 of it, and a contact may be cut by an end of the motion. 0.06 by default.
	double shortest;
} rpContactDef;

/// What the detector found out about a capture.
typedef struct rpContactReport
{
	/// Height of the floor under the heels and balls, metres; the middle of its drift.
	float floorHeight;

	/// Deviation of the noise of a resting foot, metres.
	float noise;

	/// The limits of rpContactDef in use, as a mean over the contacts.
	float speed, height;
	int contactCount;
} rpContactReport;

RP_API rpContactDef rpDefaultContactDef(void);

/// Find the contacts of both feet and put them on the motion's contact track, in place of those of heels, balls and
/// toes there. A foot's stance is the union of its contacts that overlap; they are its stages: each lasts for as long
/// as that point bears and is held. Toes come down with the ball or later; the heel leaves first, then the ball, then
/// the toes: a stance lasts until toe-off. Runners, and people on tiptoe, land on the ball, and the heel may follow or
/// not. Only someone who walks backwards rolls from the toes to the heel, which leaves last. The seat of a person who
/// sits is found too, by the weight, and so are hands that bear a body without feet: those that the motion has stay,
/// and are not looked for. Each contact carries the height of its own support: floor, step or platform; that is the
/// height of heel and ball less the thickness of the sole, as the rest pose has it; of toes, that of their ball. Begin
/// and end are times between frames. def, report and error may be NULL. False for a body without feet, frames that are
/// not finite, or when memory ran out; the motion is unchanged then.
RP_API RP_NODISCARD bool rpDetectContacts(rpMotion* motion, const rpContactDef* def, rpContactReport* report,
										  rpError* error);

/// Whether an effector has a contact at a time.
RP_API bool rpMotion_IsInContact(const rpMotion* motion, rpEffector effector, double seconds);

/// A stretch in which nothing touches anything and the centre of mass falls.
typedef struct rpFlight
{
	/// Seconds, end not included.
	double start, end;

	/// Downward acceleration of the centre of mass, m/s², and its standard error, from a parabola fitted to the
	/// flight's frames but for 15 % at both ends, where toes may still touch; 0 if less than five are left.
	float gravity;
	float gravityError;

	/// How far the frames are from that parabola, metres, root mean square.
	float residual;
} rpFlight;

/// The flights between the contacts that the motion has (detect them first; a gap in which the body neither falls nor
/// lifts both feet by 3 cm is none), in order, into out; returns how many
/// there are, whatever the capacity; -1 for a body that cannot be weighed or when memory ran out. error may be NULL.
RP_API int rpFindFlights(const rpMotion* motion, rpFlight* out, int capacity, rpError* error);

/// What a body is about at a moment.
typedef enum rpActivity
{
	/// It hardly moves.
	rp_activityStill,
	/// It walks, runs, turns on its feet: what matters is which foot is where.
	rp_activityStepping,
	/// Anything else: it boxes, dances, waves, reaches.
	rp_activityOther,
	rp_activityCount,
} rpActivity;

/// "still", "stepping", "other".
RP_API const char* rpActivity_GetName(rpActivity activity);

/// What the decision was based on, within a second to both sides.
typedef struct rpActivityReport
{
	/// A label of the moment said so; the rest is measured all the same.
	bool isLabelled;

	/// Landings of one foot that follow one of the other. 0 where the motion has no contacts.
	int stepCount;

	/// From where the root is at the start to where it is at the end, m/s, and its turning, rad/s.
	float speed;
	float turn;

	/// How alike the swing of the legs is to itself one period later, 0 … 1, and that period, seconds; 0 where they
	/// hardly swing. Taken from a second and a half to both sides.
	float periodicity;
	float period;

	/// Mean angular speed of the joints, rad/s.
	float stir;
} rpActivityReport;

/// What a motion is about at a moment. Labels there whose words are known ("walk", "jog-turn", "punch") decide;
/// otherwise contacts (find them first), travel and periodicity do. report may be NULL.
RP_API rpActivity rpFindActivity(const rpMotion* motion, double seconds, rpActivityReport* report);

#ifdef __cplusplus
}
#endif
