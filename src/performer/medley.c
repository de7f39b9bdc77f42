/// Scenes of a medley are performances of their own, described in frames of their own. Where one ends and the next
/// begins both stand with the same feet on the same places, so that posture alone is blended there.
#include "performer/medley.h"

#include "performer/laws.h"
#include "reprise/play/extend.h"

// The next scene takes over from so long before its beginning to so long after, seconds.
#define JOIN_HALF 0.2
// A scene is met this long before its own beginning, seconds.
#define MEET_BEFORE 0.12
// A journey's last foot has closed this long when the next scene begins.
#define CLOSED 0.6
// A journey that is shown backwards begins, in its own time, this long after its beginning.
#define BACKWARDS_FROM 0.1

/// A scene, laid out.
typedef struct Part
{
	rpPerformance performance;

	/// When it begins and ends, in the medley's time, and what its own time is when it begins.
	double start, end, from;

	/// Where it is.
	rpFrame frame;
} Part;

typedef struct Medley
{
	Part* parts;
	int count;
} Medley;

bool rpAct_FitsMedley(rpAct act, rpAct* follower)
{
	*follower = rp_actCount;
	switch (act)
	{
	case rp_actSitDown:
		*follower = rp_actRise;
		return true;
	case rp_actStepUp:
		*follower = rp_actStepDown;
		return true;
	case rp_actPickUp:
		*follower = rp_actPutDown;
		return true;
	case rp_actTurn:
	case rp_actSneak:
	case rp_actTiptoe:
	case rp_actMarch:
	case rp_actBackwards:
	case rp_actWave:
	case rp_actPunch:
	case rp_actKick:
	case rp_actReach:
	case rp_actDuck:
	case rp_actGesture:
	case rp_actDance:
	case rp_actBoxDance:
	case rp_actJump:
	case rp_actHop:
	case rp_actLeap:
		return true;
	default:
		return false;
	}
}

static void freeMedley(void* state)
{
	Medley* medley = state;
	for (int i = 0; i < medley->count; ++i)
	{
		rpPerformance_End(&medley->parts[i].performance);
	}
	rpFree(medley->parts);
}

static bool isJourney(rpAct act)
{
	return act == rp_actTake || act == rp_actSneak || act == rp_actTiptoe || act == rp_actMarch ||
		   act == rp_actBackwards;
}

// How a foot stands in the end.
static const rpStance* getLast(const rpPerformance* performance, int side)
{
	return performance->stances[side] + performance->stanceCount[side] - 1;
}

// The frame of someone who stands at ease with the feet of a scene's end.
static rpFrame getEndFrame(const rpPerformance* performance)
{
	rpFrame frame = {0};
	for (int side = 0; side < 2; ++side)
	{
		const rpStance* stance = getLast(performance, side);
		rpVec3 back = rpRotate(rpYaw(stance->heading), (rpVec3){0.0f, 0.0f, -BALL_OFFSET.z});
		frame.turn += 0.5f * stance->heading;
		frame.shift = rpMulAdd(frame.shift, 0.5f, rpAdd(stance->ball, back));
	}
	frame.shift.y = 0.0f;
	return frame;
}

// When the last foot of a journey has closed, in the journey's time; how long it goes if it does not end with a stand.
static double getJourneyEnd(const rpPerformance* performance, const rpMedleyDef* def, const rpScene* scene)
{
	double seconds = 0.0;
	const rpStretch* stretches = def->stretches + scene->firstStretch;
	for (int i = 0; i < scene->stretchCount; ++i)
	{
		seconds += stretches[i].seconds;
	}
	double strike = fmax(getLast(performance, 0)->strike, getLast(performance, 1)->strike);
	bool stands = stretches[scene->stretchCount - 1].gait == rp_gaitStand && scene->stretchCount > 1;
	return stands ? strike + fmax(CLOSED, stretches[scene->stretchCount - 1].seconds) : seconds;
}

// Journeys begin with the centre of mass over the origin, acts with the ankles.
static rpFrame toJourney(rpFrame frame)
{
	return rpFrame_Follow(frame, (rpFrame){{0.0f, 0.0f, STAND_CENTER_FORWARD}, 0.0f});
}

static bool travel(rpPerformance* performance, const rpMedleyDef* def, const rpScene* scene, int index, bool backwards,
				   rpError* error)
{
	rpJourneyDef journey = {.stretches = def->stretches + scene->firstStretch, .stretchCount = scene->stretchCount};
	journey.leaps = def->leaps != NULL ? def->leaps + scene->firstStretch : NULL;
	journey.style = rpGetGaitStyle(scene->act);
	journey.backwards = backwards;
	journey.anchor = scene->anchored ? 1 : 0;
	journey.anchorSide = !scene->anchored && rpChance(performance->manner.seed, 18, index) > 0.0f ? 1 : 0;
	journey.angle = scene->angle;
	performance->plan = rpPerformance_PlanTravel;
	return rpPerformance_Travel(performance, &journey, error);
}

// How long one is that is shown backwards: it is laid out forwards once to know.
static bool measureBackwards(const Part* part, const rpMedleyDef* def, const rpScene* scene, int index, double* out,
							 rpError* error)
{
	rpPerformance trial = part->performance;
	trial.seconds = 1.0;
	bool ok = travel(&trial, def, scene, index, false, error);
	*out = ok ? getJourneyEnd(&trial, def, scene) : 0.0;
	rpPerformance_End(&trial);
	return ok;
}

static bool layJourney(Part* part, const rpMedleyDef* def, const rpScene* scene, int index, double max, rpError* error)
{
	bool backwards = scene->act == rp_actBackwards;
	double seconds = 0.0;
	if (backwards && !measureBackwards(part, def, scene, index, &seconds, error))
	{
		return false;
	}
	for (int i = 0; !backwards && i < scene->stretchCount; ++i)
	{
		// Speeds that change take time, so there is some more to be looked at.
		seconds += def->stretches[scene->firstStretch + i].seconds + 0.8;
	}
	part->performance.seconds = backwards ? seconds : fmin(seconds, max);
	if (!travel(&part->performance, def, scene, index, backwards, error))
	{
		return false;
	}
	if (!rpPerformance_KeepLaws(&part->performance, error))
	{
		return false;
	}
	part->end = part->start + (backwards ? seconds - BACKWARDS_FROM : getJourneyEnd(&part->performance, def, scene));
	part->frame = toJourney(part->frame);
	return true;
}

static bool layAct(Part* part, const rpScene* scene, bool first, rpError* error)
{
	rpPerformance* performance = &part->performance;
	performance->row = rpFindActRow(scene->act);
	performance->seconds = scene->seconds > 0.0 ? scene->seconds : performance->row->seconds;
	for (int i = 0; i < rp_parameterCount; ++i)
	{
		performance->parameters[i] = scene->parameters[i];
	}
	part->from = first ? 0.0 : -MEET_BEFORE;
	part->end = part->start + performance->seconds - part->from;
	if (performance->row->plan == rpPerformance_PlanTravel)
	{
		part->frame = toJourney(part->frame);
	}
	return rpPerformance_Prepare(performance, error);
}

// Each scene has a manner of its own, but for what the body is like; what goes on from another one has that one's.
static rpManner getManner(const rpPerformance* performance, const rpMedleyDef* def, int index)
{
	rpAct follower;
	bool follows =
		index > 0 && rpAct_FitsMedley(def->scenes[index - 1].act, &follower) && follower == def->scenes[index].act;
	rpManner manner = performance->manner;
	manner.seed += manner.seed != 0 ? (uint64_t)(follows ? index - 1 : index) * 7919u : 0;
	return manner;
}

static bool layPart(const rpPerformance* performance, const rpMedleyDef* def, int index, Part* part, rpError* error)
{
	const rpScene* scene = def->scenes + index;
	part->performance = (rpPerformance){.row = performance->row,
										.manner = getManner(performance, def, index),
										.lengthScale = performance->lengthScale,
										.skeleton = performance->skeleton,
										.body = performance->body};
	double max = performance->seconds > 0.0 ? performance->seconds - part->start + 1.0 : INFINITY;
	return isJourney(scene->act) ? layJourney(part, def, scene, index, fmax(max, 1.0), error)
								 : layAct(part, scene, index == 0, error);
}

// ---- the truth

// A foothold in the medley's time and place; the first one of a scene goes on with the last one of that before.
static bool reportStance(rpPerformance* performance, const Part* part, const rpStance* stance, bool joins,
						 rpError* error)
{
	double shift = part->start - part->from;
	rpStance reported = *stance;
	reported.strike += shift;
	reported.flat += shift;
	reported.lift += shift;
	reported.off += shift;
	reported.ball = rpFrame_Place(part->frame, stance->ball);
	reported.heading += part->frame.turn;
	rpStance* last = joins ? performance->stances[stance->side] + performance->stanceCount[stance->side] - 1 : NULL;
	if (joins && !last->backwards && !reported.backwards)
	{
		last->lift = reported.lift;
		last->off = reported.off;
		last->liftPitch = reported.liftPitch;
		return true;
	}
	if (joins)
	{
		// Heel and ball meet and leave the ground in another order: two stances, without a gap.
		last->lift = last->off = part->start;
		reported.strike = reported.flat = part->start;
	}
	return rpPerformance_AddStance(performance, &reported, error);
}

static bool reportFeet(rpPerformance* performance, const Part* part, bool first, rpError* error)
{
	bool ok = true;
	for (int side = 0; ok && side < 2; ++side)
	{
		for (int i = 0; ok && i < part->performance.stanceCount[side]; ++i)
		{
			ok = reportStance(performance, part, part->performance.stances[side] + i, i == 0 && !first, error);
		}
	}
	return ok;
}

static bool reportRests(rpPerformance* performance, const Part* part, rpError* error)
{
	double shift = part->start - part->from;
	bool ok = true;
	for (int i = 0; ok && i < part->performance.restCount; ++i)
	{
		rpRest rest = part->performance.rests[i];
		rest.start = fmax(rest.start + shift, part->start);
		rest.end = fmin(rest.end + shift, part->end);
		rpRest* last = performance->restCount > 0 ? performance->rests + performance->restCount - 1 : NULL;
		bool goesOn = last != NULL && last->effector == rest.effector && last->end >= rest.start - 1e-6;
		if (goesOn)
		{
			last->end = rest.end;
		}
		ok = goesOn || rpPerformance_AddRest(performance, &rest, error);
	}
	return ok;
}

// Stands, moments and labels of a scene within its time.
static bool reportNotes(rpPerformance* performance, const Part* part, rpAct act, rpError* error)
{
	const rpPerformance* own = &part->performance;
	double shift = part->start - part->from;
	bool ok = true;
	for (int i = 0; ok && i < own->stands.count; ++i)
	{
		double start = fmax(own->stands.items[i].start + shift, part->start);
		double end = fmin(own->stands.items[i].end + shift, part->end);
		ok = end <= start || rpPerformance_AddStand(performance, start, end, error);
	}
	bool travels = isJourney(act);
	ok = ok && (travels || rpPerformance_AddEvent(performance, "stand", part->start, error));
	for (int i = 0; ok && i < own->events.count; ++i)
	{
		double time = own->events.items[i].start + shift;
		ok = time < part->start || time >= part->end ||
			 rpPerformance_AddEvent(performance, own->events.items[i].name, time, error);
	}
	for (int i = 0; ok && act == rp_actTake && i < own->labels.count; ++i)
	{
		double start = fmax(own->labels.items[i].start + shift, part->start);
		double end = fmin(own->labels.items[i].end + shift, part->end);
		ok = end <= start || rpPerformance_AddLabel(performance, own->labels.items[i].name, start, end, error);
	}
	return ok &&
		   (act == rp_actTake
				? own->labels.count > 0 || rpPerformance_AddLabel(performance, "stand", part->start, part->end, error)
				: rpPerformance_AddLabel(performance, rpAct_GetName(act), part->start, part->end, error));
}

bool rpPerformance_PlayMedley(rpPerformance* performance, const rpMedleyDef* def, rpError* error)
{
	Medley* medley = rpAllocateZero(1, sizeof(Medley), error);
	performance->state = medley;
	if (medley == NULL)
	{
		return false;
	}
	performance->freeState = freeMedley;
	medley->parts = rpAllocateZero((size_t)def->sceneCount, sizeof(Part), error);
	bool ok = medley->parts != NULL;
	double length = 0.0;
	rpFrame frame = {0};
	if (ok && isJourney(def->scenes[0].act))
	{
		frame.shift.z = -STAND_CENTER_FORWARD;
	}
	for (int i = 0; ok && i < def->sceneCount; ++i)
	{
		Part* part = medley->parts + medley->count++;
		part->start = length;
		part->frame = frame;
		ok = layPart(performance, def, i, part, error);
		if (ok && i + 1 == def->sceneCount)
		{
			length = part->end;
			part->end = INFINITY;
		}
		ok = ok && reportFeet(performance, part, i == 0, error) && reportRests(performance, part, error) &&
			 reportNotes(performance, part, def->scenes[i].act, error);
		if (ok && i + 1 < def->sceneCount)
		{
			frame = rpFrame_Follow(part->frame, getEndFrame(&part->performance));
			length = part->end;
		}
	}
	performance->seconds = performance->seconds > 0.0 ? performance->seconds : length;
	return ok;
}

// ---- the plan

static void planPart(const Part* part, double t, rpBodyPlan* plan)
{
	const rpPerformance* performance = &part->performance;
	*plan = (rpBodyPlan){0};
	rpPerformance_Plan(performance, t - part->start + part->from, plan);
	rpFrame_MovePlan(part->frame, plan);
}

// Settled, so that two plans of which one holds the centre of mass and one does not can be blended.
static void planSettled(const Part* part, double t, rpBodyPlan* plan)
{
	rpQuat rotations[rp_performerJointCount];
	planPart(part, t, plan);
	rpBodyPlan_Settle(plan, part->performance.skeleton, part->performance.body, rotations);
	plan->holds[0] = plan->holds[1] = plan->holds[2] = false;
	plan->legReach = 0.0f;
}

void rpPerformance_PlanMedley(const rpPerformance* performance, double t, rpBodyPlan* plan)
{
	const Medley* medley = performance->state;
	int low = 0, high = medley->count;
	while (high - low > 1)
	{
		int middle = (low + high) / 2;
		bool begun = medley->parts[middle].start - JOIN_HALF <= t;
		low = begun ? middle : low;
		high = begun ? high : middle;
	}
	const Part* part = medley->parts + low;
	if (low == 0 || t >= part->start + JOIN_HALF)
	{
		planPart(part, t, plan);
		return;
	}
	rpBodyPlan before, after;
	planSettled(part - 1, t, &before);
	planSettled(part, t, &after);
	rpBlendPlans(&before, &after, rpEase(part->start - JOIN_HALF, part->start + JOIN_HALF, t), plan);
}
