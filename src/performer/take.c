/// Long takes that mix everything, from a script or at random, as a performer does who is asked to move freely.
#include "performer/take_script.h"
#include "reprise/play/extend.h"

// The performer turns back when he is farther than this from where he began, metres.
#define ROOM 4.5f
// Radians per second round a corner.
#define CORNER_RATE 1.4f

// Acts of which each is done once before one is done again.
#define DECK_MAX 24
typedef struct Deck
{
	rpAct cards[DECK_MAX];
	int count, left;
} Deck;

/// What comes to mind: chance, what was not done recently, and what is done on the spot and in passing.
typedef struct Mind
{
	rpRandom random;
	Deck acts, styles;
} Mind;

static rpAct deal(Deck* deck, rpRandom* random)
{
	deck->left = deck->left > 0 ? deck->left : deck->count;
	int index = (int)rpRandom_Index(random, (uint32_t)deck->left--);
	rpAct card = deck->cards[index];
	deck->cards[index] = deck->cards[deck->left];
	deck->cards[deck->left] = card;
	return card;
}

static Mind makeMind(uint64_t seed)
{
	static const rpAct styles[] = {rp_actSneak, rp_actTiptoe, rp_actMarch, rp_actBackwards};
	// Jumps, blows and talking come twice: they have many variants.
	static const rpAct acts[] = {rp_actWave,    rp_actPunch,  rp_actKick,    rp_actReach,   rp_actPickUp,
								 rp_actSitDown, rp_actStepUp, rp_actDuck,    rp_actDance,   rp_actGesture,
								 rp_actJump,    rp_actHop,    rp_actLeap,    rp_actTurn,    rp_actJump,
								 rp_actPunch,   rp_actKick,   rp_actGesture, rp_actBoxDance};
	Mind mind = {.random = rpSeedRandom(seed ^ 0x74616b65u)};
	mind.acts.count = (int)(sizeof(acts) / sizeof(acts[0]));
	mind.styles.count = (int)(sizeof(styles) / sizeof(styles[0]));
	for (int i = 0; i < mind.acts.count; ++i)
	{
		mind.acts.cards[i] = acts[i];
	}
	for (int i = 0; i < mind.styles.count; ++i)
	{
		mind.styles.cards[i] = styles[i];
	}
	return mind;
}

// A turn that leads back if the place is too far out, else any.
static float chooseTurn(const rpScript* script, rpRandom* random, float max, double seconds)
{
	float away = hypotf(script->x, script->z);
	float home = rpWrapAngle(atan2f(-script->x, -script->z) - script->heading);
	float wanted = away > ROOM ? home / (float)seconds : rpRandom_Range(random, -max, max);
	float straight = rpRandom_Range(random, 0.0f, 1.0f) < 0.35f && away < ROOM ? 0.0f : wanted;
	return fminf(fmaxf(straight, -max), max);
}

static bool addMove(rpScript* script, rpRandom* random, rpGaitKind gait, rpError* error)
{
	bool runs = gait == rp_gaitRun;
	double seconds = (double)(runs ? rpRandom_Range(random, 1.5f, 3.5f) : rpRandom_Range(random, 2.0f, 5.5f));
	float speed = runs ? rpRandom_Range(random, 2.1f, 3.8f) : rpRandom_Range(random, 0.7f, 1.9f);
	float turn = chooseTurn(script, random, runs ? 0.8f : 1.1f, seconds);
	return rpScript_AddStretch(script, (rpStretch){gait, seconds, speed, turn}, 0.0f, error);
}

// A run with a jump in it.
static bool addRunningJump(rpScript* script, rpRandom* random, rpError* error)
{
	float speed = rpRandom_Range(random, 3.0f, 3.4f), leap = rpGetLeapTime(speed, rpRandom_Range(random, 1.5f, 1.8f));
	float turn = chooseTurn(script, random, 0.6f, 1.6);
	return rpScript_AddStretch(script, (rpStretch){rp_gaitRun, 1.6, speed, turn}, 0.0f, error) &&
		   rpScript_AddStretch(script, (rpStretch){rp_gaitRun, 1.3, speed, 0.0f}, leap, error);
}

static bool addStand(rpScript* script, rpRandom* random, rpError* error)
{
	rpStretch stand = {rp_gaitStand, (double)rpRandom_Range(random, 1.2f, 3.5f), 0.0f, 0.0f};
	return rpScript_AddStretch(script, stand, 0.0f, error);
}

static bool addSpotTurn(rpScript* script, rpRandom* random, rpError* error)
{
	float turn = rpRandom_Range(random, 0.5f, 1.0f) * (rpRandom_Index(random, 2) == 0 ? 1.0f : -1.0f);
	rpStretch turning = {rp_gaitWalk, (double)rpRandom_Range(random, 1.2f, 3.0f), 0.0f, turn};
	return rpScript_AddStretch(script, turning, 0.0f, error) && addStand(script, random, error);
}

static bool addStyle(rpScript* script, Mind* mind, rpError* error)
{
	rpRandom* random = &mind->random;
	rpAct act = deal(&mind->styles, random);
	rpParameterRange speeds = rpFindActRow(act)->ranges[rp_paramSpeed];
	double seconds = (double)rpRandom_Range(random, 2.5f, 5.0f);
	float speed = rpRandom_Range(random, speeds.low, 0.5f * (speeds.normal + speeds.high));
	float turn = chooseTurn(script, random, 0.6f, seconds);
	return rpScript_AddStyle(script, act, (rpStretch){rp_gaitWalk, seconds, speed, turn}, error);
}

// Somewhere between the ends of a parameter's range, mostly near what is usual.
static float chooseValue(rpRandom* random, rpParameterRange range, int parameter)
{
	float part = rpRandom_Range(random, -1.0f, 1.0f);
	if (parameter == rp_paramFoot || parameter == rp_paramHand)
	{
		return part < 0.0f ? range.low : range.high;
	}
	float to = part < 0.0f ? range.low : range.high;
	return range.normal + 0.7f * fabsf(part) * (to - range.normal);
}

// Something done on the spot.
static bool addAct(rpScript* script, Mind* mind, rpError* error)
{
	rpRandom* random = &mind->random;
	rpAct act = deal(&mind->acts, random);
	const rpActRow* row = rpFindActRow(act);
	float parameters[rp_parameterCount];
	for (int i = 0; i < rp_parameterCount; ++i)
	{
		parameters[i] = chooseValue(random, row->ranges[i], i);
	}
	if (act == rp_actJump)
	{
		// Either far or round.
		bool far = rpRandom_Index(random, 2) == 0;
		parameters[far ? rp_paramAngle : rp_paramDistance] *= far ? 0.0f : 0.3f;
	}
	bool longer = act == rp_actDance || act == rp_actGesture || act == rp_actWave || act == rp_actBoxDance;
	double seconds = longer ? row->seconds * (double)rpRandom_Range(random, 0.7f, 1.2f) : 0.0;
	return rpScript_AddAct(script, act, parameters, seconds, error);
}

// Round a corner, or back, within a few steps.
static bool addCorner(rpScript* script, rpRandom* random, rpError* error)
{
	float angle = rpRandom_Index(random, 3) == 0 ? (float)RP_PI : 0.5f * (float)RP_PI;
	float side = rpRandom_Index(random, 2) == 0 ? 1.0f : -1.0f, speed = rpRandom_Range(random, 0.9f, 1.3f);
	rpStretch corner = {rp_gaitWalk, (double)(angle / CORNER_RATE), speed, side * CORNER_RATE};
	return rpScript_AddStretch(script, corner, 0.0f, error) && addMove(script, random, rp_gaitWalk, error);
}

static bool improvise(rpScript* script, uint64_t seed, double seconds, rpError* error)
{
	Mind mind = makeMind(seed);
	rpRandom* random = &mind.random;
	bool ok = rpScript_AddStretch(script, (rpStretch){.gait = rp_gaitStand, .seconds = 1.2}, 0.0f, error);
	rpGaitKind now = rp_gaitStand;
	while (ok && script->seconds < seconds + 2.0)
	{
		float chance = rpRandom_Range(random, 0.0f, 1.0f);
		if (now == rp_gaitStand && chance < 0.72f)
		{
			ok = chance < 0.08f   ? addSpotTurn(script, random, error)
				 : chance < 0.22f ? addStyle(script, &mind, error)
								  : addAct(script, &mind, error);
			continue;
		}
		if (now == rp_gaitRun && chance > 0.85f)
		{
			ok = addRunningJump(script, random, error);
			continue;
		}
		if (now == rp_gaitWalk && chance > 0.8f)
		{
			ok = addCorner(script, random, error);
			continue;
		}
		rpGaitKind next = chance < 0.4f                                   ? rp_gaitStand
						  : chance < (now == rp_gaitStand ? 0.87f : 0.7f) ? rp_gaitWalk
																		  : rp_gaitRun;
		ok = next == rp_gaitStand ? addStand(script, random, error) : addMove(script, random, next, error);
		now = next;
	}
	return ok;
}

// A journey that the script ends with goes on for as long as the take.
static void prolong(rpScript* script, double seconds)
{
	const rpScene* last = script->scenes + script->sceneCount - 1;
	if (last->act == rp_actTake && seconds > script->seconds)
	{
		script->stretches[script->stretchCount - 1].seconds += seconds - script->seconds;
	}
}

static bool prepareTake(rpPerformance* performance, rpError* error)
{
	rpScript script = {0};
	bool ok = performance->script != NULL ? rpScript_Read(&script, performance->script, performance->lengthScale, error)
										  : improvise(&script, performance->manner.seed, performance->seconds, error);
	if (ok)
	{
		prolong(&script, performance->seconds);
	}
	rpMedleyDef def = {
		.scenes = script.scenes, .sceneCount = script.sceneCount, .stretches = script.stretches, .leaps = script.leaps};
	ok = ok && rpPerformance_PlayMedley(performance, &def, error);
	rpScript_Free(&script);
	return ok;
}

const rpActRow rp_takeRows[] = {
	{.act = rp_actTake, .seconds = 60.0, .prepare = prepareTake, .plan = rpPerformance_PlanMedley},
	{.act = rp_actCount},
};
