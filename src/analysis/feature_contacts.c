/// Features of what rests on what, by the contacts that the motion has: heights and lengths of steps, seats, jumps.
#include "analysis/feature_kinds.h"
#include "analysis/feature_place.h"
#include "base/error.h"

#include <math.h>

// A jump goes backwards if it is within 60 degrees of that.
#define BACKWARDS 0.5f

// Feet that leave, or land, within this of the other one jump together, seconds: captured jumps from both feet are up
// to 0.1 apart, steps of runs 0.3.
#define TOGETHER 0.2

// After the first foot has landed its ball is down within this, seconds: the longest roll over the heel.
#define ROLL 0.35

// A foot's place is where it is so long before it leaves and after it has landed, seconds, if it rests for longer than
// twice that: at its ends a contact may slide.
#define SETTLED 0.08

// The shortest gap between contacts that is a flight, seconds: half of the shortest flight of a run.
#define SHORTEST_FLIGHT 0.05

static bool isBall(const rpInterval* contact)
{
	return contact->effector == rp_leftBall || contact->effector == rp_rightBall;
}

static bool isOfFoot(const rpInterval* contact, int foot)
{
	return contact->track == rp_trackContact && rpEffector_GetFoot(contact->effector) == foot;
}

static bool failWithoutContacts(const rpFeatureStretch* stretch, const char* what, rpError* error)
{
	const rpAnnotations* annotations = &stretch->motion->annotations;
	bool hasContacts = false;
	for (int i = 0; i < annotations->intervalCount; ++i)
	{
		hasContacts = hasContacts || annotations->intervals[i].track == rp_trackContact;
	}
	rpFail(error, rp_errorMissing, "\"%.80s\" has no %s from %.3f to %.3f s", stretch->motion->name, what,
		   stretch->start, stretch->end);
	if (!hasContacts)
	{
		rpError_SetHint(error, "no contacts are known of it; rpDetectContacts finds those of whole takes");
	}
	return false;
}

static rpVec3 getEffector(const rpMotion* motion, rpEffector effector, double seconds)
{
	return rpGetPoint(motion, motion->skeleton->effectors[effector], seconds);
}

static float getFloorDistance(rpVec3 a, rpVec3 b)
{
	float x = b.x - a.x, z = b.z - a.z;
	return sqrtf(x * x + z * z);
}

// ---- supports

/// A foot that comes to rest in the stretch, and what it rested on before.
typedef struct Support
{
	const rpInterval* contact;
	float before;
} Support;

// What a foot, or (-1) the higher one, rests on as the stretch begins, or rested on last. False if on nothing.
static bool findFirstSupport(const rpFeatureStretch* stretch, int foot, float* height, const rpInterval** out)
{
	const rpAnnotations* annotations = &stretch->motion->annotations;
	const rpInterval* best = NULL;
	bool bestRests = false;
	for (int i = 0; i < annotations->intervalCount; ++i)
	{
		const rpInterval* contact = &annotations->intervals[i];
		if (!rpInterval_IsSoleContact(contact) || (foot >= 0 && !isOfFoot(contact, foot)) ||
			contact->start > stretch->start)
		{
			continue;
		}
		bool rests = contact->end > stretch->start;
		bool isBetter = best == NULL || (rests && !bestRests) ||
						(rests == bestRests && (rests ? contact->supportHeight > *height : contact->end > best->end));
		if (isBetter)
		{
			best = contact;
			bestRests = rests;
			*height = contact->supportHeight;
		}
	}
	*out = best;
	return best != NULL;
}

// The support that differs most in height from the first one.
static bool findSupport(const rpFeatureStretch* stretch, Support* out, rpError* error)
{
	const rpAnnotations* annotations = &stretch->motion->annotations;
	const rpInterval* first;
	*out = (Support){0};
	if (!findFirstSupport(stretch, -1, &out->before, &first))
	{
		failWithoutContacts(stretch, "foot that rests as it begins,", error);
		return false;
	}
	float most = -1.0f;
	for (int i = 0; i < annotations->intervalCount; ++i)
	{
		const rpInterval* contact = &annotations->intervals[i];
		float difference = fabsf(contact->supportHeight - out->before);
		if (rpInterval_IsSoleContact(contact) && contact->start > stretch->start && contact->start <= stretch->end &&
			difference > most)
		{
			most = difference;
			out->contact = contact;
		}
	}
	if (out->contact == NULL)
	{
		failWithoutContacts(stretch, "foot that comes to rest", error);
		return false;
	}
	return true;
}

bool rpMeasureSupportHeight(const rpFeatureStretch* stretch, int joint, const char* moment, float* out, rpError* error)
{
	(void)joint;
	(void)moment;
	Support support;
	if (!findSupport(stretch, &support, error))
	{
		return false;
	}
	*out = support.contact->supportHeight - support.before;
	return true;
}

// Where a foot rests while a contact lasts: its effector soon after it has come down.
static double getSettledTime(const rpInterval* contact)
{
	return fmin(contact->start + SETTLED, 0.5 * (contact->start + contact->end));
}

bool rpMeasureSupportLength(const rpFeatureStretch* stretch, int joint, const char* moment, float* out, rpError* error)
{
	(void)joint;
	(void)moment;
	Support support;
	const rpInterval* first;
	float height;
	if (!findSupport(stretch, &support, error))
	{
		return false;
	}
	if (!findFirstSupport(stretch, rpEffector_GetFoot(support.contact->effector), &height, &first))
	{
		return failWithoutContacts(stretch, "rest of that foot as it begins,", error);
	}
	rpEffector effector = support.contact->effector;
	if (stretch->motion->skeleton->effectors[effector].joint < 0)
	{
		return rpFail(error, rp_errorMissing, "the body has no %s, whose contact there is",
					  rpEffector_GetName(effector));
	}
	double before = fmin(stretch->start, fmax(first->end - SETTLED, 0.5 * (first->start + first->end)));
	*out = getFloorDistance(getEffector(stretch->motion, effector, before),
							getEffector(stretch->motion, effector, getSettledTime(support.contact)));
	return true;
}

bool rpMeasureSeatHeight(const rpFeatureStretch* stretch, int joint, const char* moment, float* out, rpError* error)
{
	(void)joint;
	(void)moment;
	const rpAnnotations* annotations = &stretch->motion->annotations;
	for (int i = 0; i < annotations->intervalCount; ++i)
	{
		const rpInterval* contact = &annotations->intervals[i];
		if (contact->track == rp_trackContact && contact->effector == rp_seat && contact->start <= stretch->end &&
			contact->end > stretch->start)
		{
			*out = contact->supportHeight;
			return true;
		}
	}
	return failWithoutContacts(stretch, "contact with a seat", error);
}

// ---- jumps

/// The longest time without a foot on the ground, and which feet leave for it and land after it (bit 0 left, 1 right).
typedef struct Jump
{
	double start, end;
	unsigned leaving, landing;
} Jump;

// Contacts are in the order of their starts.
static bool findFlight(const rpFeatureStretch* stretch, Jump* out, rpError* error)
{
	const rpAnnotations* annotations = &stretch->motion->annotations;
	double covered = INFINITY, longest = SHORTEST_FLIGHT;
	*out = (Jump){0};
	for (int i = 0; i < annotations->intervalCount; ++i)
	{
		const rpInterval* contact = &annotations->intervals[i];
		if (!rpInterval_IsFootContact(contact))
		{
			continue;
		}
		if (contact->start - covered > longest && covered >= stretch->start && contact->start <= stretch->end)
		{
			longest = contact->start - covered;
			out->start = covered;
			out->end = contact->start;
		}
		covered = isfinite(covered) ? fmax(covered, contact->end) : contact->end;
	}
	return longest > SHORTEST_FLIGHT || failWithoutContacts(stretch, "flight", error);
}

static void findFeet(const rpAnnotations* annotations, Jump* jump)
{
	for (int i = 0; i < annotations->intervalCount; ++i)
	{
		const rpInterval* contact = &annotations->intervals[i];
		if (!rpInterval_IsFootContact(contact))
		{
			continue;
		}
		unsigned bit = 1u << rpEffector_GetFoot(contact->effector);
		jump->leaving |= contact->end <= jump->start && contact->end > jump->start - TOGETHER ? bit : 0u;
		jump->landing |= contact->start >= jump->end && contact->start < jump->end + TOGETHER ? bit : 0u;
	}
}

static bool findJump(const rpFeatureStretch* stretch, Jump* out, rpError* error)
{
	if (!findFlight(stretch, out, error))
	{
		return false;
	}
	findFeet(&stretch->motion->annotations, out);
	return true;
}

// The contact of a foot's ball that is next to the flight, or of its heel where the ball has none.
static const rpInterval* findRest(const rpFeatureStretch* stretch, const Jump* jump, int foot, bool isLanding)
{
	const rpAnnotations* annotations = &stretch->motion->annotations;
	const rpInterval* best = NULL;
	for (int i = 0; i < annotations->intervalCount; ++i)
	{
		const rpInterval* contact = &annotations->intervals[i];
		bool isThere = isLanding ? contact->start >= jump->end && contact->start < jump->end + ROLL
								 : contact->end <= jump->start && contact->end > jump->start - ROLL;
		if (!isOfFoot(contact, foot) || !rpInterval_IsSoleContact(contact) || !isThere)
		{
			continue;
		}
		bool isNearer = best == NULL || (isLanding ? contact->start < best->start : contact->end > best->end);
		if (best == NULL || isBall(contact) > isBall(best) || (isBall(contact) == isBall(best) && isNearer))
		{
			best = contact;
		}
	}
	return best;
}

/// Where a foot is before it leaves or after it has landed, and which way it points.
typedef struct Print
{
	rpVec3 place;
	float heading;
	bool isKnown;
} Print;

// A foot is where its ankle would be if it were flat on the ground, from the ball, which stays when the heel rises: so
// feet that turn have not gone away.
static void layDown(const rpFeatureStretch* stretch, int foot, double time, Print* print)
{
	const rpSkeleton* skeleton = stretch->motion->skeleton;
	int ankle = rpSkeleton_FindRole(skeleton, foot == 0 ? rp_roleLeftAnkle : rp_roleRightAnkle);
	rpVec3 ball = print->place, heel = getEffector(stretch->motion, foot == 0 ? rp_leftHeel : rp_rightHeel, time);
	rpVec3 sole = rpSub(ball, heel), along = rpNormalize((rpVec3){sole.x, 0.0f, sole.z});
	print->heading = rpAtan2(sole.x, sole.z);
	if (ankle >= 0 && rpLength(sole) > 0.0f)
	{
		rpVec3 lower = rpSub(ball, rpGetPoint(stretch->motion, (rpAttachment){.joint = ankle}, time));
		print->place = rpMulAdd(ball, -rpDot(lower, rpNormalize(sole)), along);
	}
}

static Print getPrint(const rpFeatureStretch* stretch, const Jump* jump, int foot, bool isLanding)
{
	const rpInterval* rest = findRest(stretch, jump, foot, isLanding);
	rpEffector heel = foot == 0 ? rp_leftHeel : rp_rightHeel, ball = foot == 0 ? rp_leftBall : rp_rightBall;
	bool hasBall = stretch->motion->skeleton->effectors[ball].joint >= 0;
	bool hasHeel = stretch->motion->skeleton->effectors[heel].joint >= 0;
	if (rest == NULL || !(hasBall || hasHeel))
	{
		return (Print){0};
	}
	double middle = 0.5 * (rest->start + rest->end);
	double time = isLanding ? fmin(rest->start + SETTLED, middle) : fmax(rest->end - SETTLED, middle);
	Print print = {.place = getEffector(stretch->motion, hasBall ? ball : heel, time), .isKnown = true};
	if (hasBall && hasHeel)
	{
		layDown(stretch, foot, time, &print);
	}
	return print;
}

// From the feet that leave to those that land: how far feet go that do both, or from the middle of the ones to the
// middle of the others; and how much feet turn that do both (how many there are is the result).
static int measureFeet(const rpFeatureStretch* stretch, const Jump* jump, rpVec3* way, double* turn, double rootTurn)
{
	rpVec3 places[2] = {rpVec3_zero, rpVec3_zero}, ways = rpVec3_zero;
	int counts[2] = {0, 0}, both = 0;
	*turn = 0.0;
	for (int foot = 0; foot < 2; ++foot)
	{
		Print prints[2];
		for (int isLanding = 0; isLanding < 2; ++isLanding)
		{
			bool takesPart = ((isLanding == 1 ? jump->landing : jump->leaving) >> foot & 1u) != 0;
			prints[isLanding] = takesPart ? getPrint(stretch, jump, foot, isLanding == 1) : (Print){0};
			places[isLanding] = rpAdd(places[isLanding], prints[isLanding].place);
			counts[isLanding] += prints[isLanding].isKnown;
		}
		if (prints[0].isKnown && prints[1].isKnown)
		{
			++both;
			ways = rpAdd(ways, rpSub(prints[1].place, prints[0].place));
			*turn += (double)rpWrapAngle(prints[1].heading - prints[0].heading - (float)rootTurn);
		}
	}
	*turn = rootTurn + (both > 0 ? *turn / both : 0.0);
	bool isKnown = counts[0] > 0 && counts[1] > 0;
	*way = both > 0  ? rpScale(1.0f / (float)both, ways)
		   : isKnown ? rpSub(rpScale(1.0f / (float)counts[1], places[1]), rpScale(1.0f / (float)counts[0], places[0]))
					 : rpVec3_zero;
	return isKnown ? both : -1;
}

// How far feet go that leave and land; less than nothing backwards.
static float getSignedLength(const rpFeatureStretch* stretch, rpVec3 way)
{
	int frame = rpMotion_GetFrame(stretch->motion, stretch->start);
	rpVec3 ahead = rpRotate(rpYaw(rpMotion_GetGround(stretch->motion, frame).turn), (rpVec3){0.0f, 0.0f, 1.0f});
	float length = rpHypot(way.x, way.z), along = rpDot(way, ahead);
	return along < -BACKWARDS * length ? -length : length;
}

// From one foot to the other: what goes aside of where the body goes is no length.
static float getLengthAhead(const rpFeatureStretch* stretch, const Jump* jump, rpVec3 way)
{
	rpVec3 body = rpSub(rpMotion_GetPlace(stretch->motion, jump->end), rpMotion_GetPlace(stretch->motion, jump->start));
	body.y = 0.0f;
	return rpDot(way, rpNormalize(body));
}

bool rpMeasureJumpLength(const rpFeatureStretch* stretch, int joint, const char* moment, float* out, rpError* error)
{
	(void)joint;
	(void)moment;
	Jump jump;
	rpVec3 way;
	double turn;
	if (!findJump(stretch, &jump, error))
	{
		return false;
	}
	int both = measureFeet(stretch, &jump, &way, &turn, 0.0);
	if (both < 0)
	{
		return failWithoutContacts(stretch, "foot that leaves the ground and one that lands", error);
	}
	*out = both > 0 ? getSignedLength(stretch, way) : getLengthAhead(stretch, &jump, way);
	return true;
}

bool rpMeasureJumpTurn(const rpFeatureStretch* stretch, int joint, const char* moment, float* out, rpError* error)
{
	(void)joint;
	(void)moment;
	Jump jump;
	rpVec3 way;
	double turn;
	if (!findJump(stretch, &jump, error))
	{
		return false;
	}
	// The body begins to turn before the feet leave and ends after they have landed; what feet turn is that, up to
	// whole turns.
	double rootTurn = rpGetRootTurn(stretch->motion, stretch->start, stretch->end);
	bool done = measureFeet(stretch, &jump, &way, &turn, rootTurn) >= 0;
	*out = (float)turn;
	return done || failWithoutContacts(stretch, "foot that leaves the ground and one that lands", error);
}

bool rpMeasureFlight(const rpFeatureStretch* stretch, int joint, const char* moment, float* out, rpError* error)
{
	(void)joint;
	(void)moment;
	Jump jump;
	if (!findFlight(stretch, &jump, error))
	{
		return false;
	}
	*out = (float)(jump.end - jump.start);
	return true;
}
