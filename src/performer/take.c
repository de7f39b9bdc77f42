/// Long takes that mix standing, walking, running and turning, from a script or at random, as a performer does who is
/// told to move as he likes.
#include "base/error.h"
#include "base/memory.h"
#include "performer/journey.h"

#include <string.h>

// The performer turns back when he is farther than this from where he began, metres.
#define ROOM 4.5f
// The longest script, stretches.
#define LONGEST_SCRIPT 10000

/// A script while it is written; where and how it stands by now, roughly.
typedef struct Script
{
	rpStretch* stretches;
	int count, capacity;
	double seconds;
	float x, z, heading;
} Script;

static bool addStretch(Script* script, rpStretch stretch, rpError* error)
{
	if (script->count >= LONGEST_SCRIPT)
	{
		return rpFail(error, rp_errorLimit, "a script of more than %d stretches", LONGEST_SCRIPT);
	}
	if (!rpGrow(&script->stretches, &script->capacity, script->count, sizeof(rpStretch), error))
	{
		return false;
	}
	script->stretches[script->count++] = stretch;
	float seconds = (float)stretch.seconds, middle = script->heading + 0.5f * stretch.turn * seconds;
	script->seconds += stretch.seconds;
	script->x += stretch.speed * seconds * sinf(middle);
	script->z += stretch.speed * seconds * cosf(middle);
	script->heading += stretch.turn * seconds;
	return true;
}

// A turn that leads back if the way out is too long, else any.
static float chooseTurn(const Script* script, rpRandom* random, float most, double seconds)
{
	float away = hypotf(script->x, script->z);
	float home = rpWrapAngle(atan2f(-script->x, -script->z) - script->heading);
	float wanted = away > ROOM ? home / (float)seconds : rpRandom_Range(random, -most, most);
	float straight = rpRandom_Range(random, 0.0f, 1.0f) < 0.35f && away < ROOM ? 0.0f : wanted;
	return fminf(fmaxf(straight, -most), most);
}

static bool addMove(Script* script, rpRandom* random, rpGaitKind gait, rpError* error)
{
	bool runs = gait == rp_gaitRun;
	double seconds = (double)(runs ? rpRandom_Range(random, 1.5f, 3.5f) : rpRandom_Range(random, 2.0f, 5.5f));
	float speed = runs ? rpRandom_Range(random, 2.1f, 3.8f) : rpRandom_Range(random, 0.7f, 1.9f);
	float turn = chooseTurn(script, random, runs ? 0.8f : 1.1f, seconds);
	return addStretch(script, (rpStretch){gait, seconds, speed, turn}, error);
}

static bool addStand(Script* script, rpRandom* random, rpGaitKind from, rpError* error)
{
	// Out of a run one step is walked before standing.
	rpStretch step = {rp_gaitWalk, 0.1, 0.7f, 0.0f};
	rpStretch stand = {rp_gaitStand, (double)rpRandom_Range(random, 1.2f, 3.5f), 0.0f, 0.0f};
	return (from != rp_gaitRun || addStretch(script, step, error)) && addStretch(script, stand, error);
}

static bool addSpotTurn(Script* script, rpRandom* random, rpError* error)
{
	float turn = rpRandom_Range(random, 0.5f, 1.0f) * (rpRandom_Index(random, 2) == 0 ? 1.0f : -1.0f);
	rpStretch turning = {rp_gaitWalk, (double)rpRandom_Range(random, 1.2f, 3.0f), 0.0f, turn};
	return addStretch(script, turning, error) && addStand(script, random, rp_gaitWalk, error);
}

static bool improvise(Script* script, uint64_t seed, double seconds, rpError* error)
{
	rpRandom random = rpSeedRandom(seed ^ 0x74616b65u);
	bool ok = addStretch(script, (rpStretch){.gait = rp_gaitStand, .seconds = 1.2}, error);
	rpGaitKind now = rp_gaitStand;
	while (ok && script->seconds < seconds + 2.0)
	{
		float chance = rpRandom_Range(&random, 0.0f, 1.0f);
		if (now == rp_gaitStand && chance < 0.2f)
		{
			ok = addSpotTurn(script, &random, error);
			continue;
		}
		rpGaitKind next = chance < 0.55f ? rp_gaitWalk : chance < 0.78f ? rp_gaitRun : rp_gaitStand;
		next = now == rp_gaitStand && next == rp_gaitStand ? rp_gaitWalk : next;
		ok = next == rp_gaitStand ? addStand(script, &random, now, error) : addMove(script, &random, next, error);
		now = next;
	}
	return ok;
}

// A number without exponent, whatever the locale; how many characters it takes, 0 if it is none.
static size_t readDecimal(const char* text, double* out)
{
	size_t i = text[0] == '-' || text[0] == '+' ? 1 : 0, digits = 0;
	double value = 0.0, unit = 0.0;
	for (; (text[i] >= '0' && text[i] <= '9') || (text[i] == '.' && unit == 0.0); ++i)
	{
		bool point = text[i] == '.';
		value = point ? value : unit == 0.0 ? 10.0 * value + (text[i] - '0') : value + unit * (text[i] - '0');
		unit = point ? 0.1 : 0.1 * unit;
		digits += point ? 0 : 1;
	}
	if (digits == 0)
	{
		return 0;
	}
	*out = text[0] == '-' ? -value : value;
	return i;
}

// One stretch of a written script: "walk SECONDS SPEED TURN", the last two in m/s and degrees per second.
static bool readStretch(Script* script, const char* text, size_t length, rpError* error)
{
	static const char* const names[] = {"stand", "walk", "run"};
	char line[96], name[16] = "";
	if (length >= sizeof(line))
	{
		return rpFail(error, rp_errorArgument, "a stretch of the script is too long: %.40s", text);
	}
	memcpy(line, text, length);
	line[length] = 0;
	size_t start = strspn(line, " \t\r"), word = strcspn(line + start, " \t\r");
	memcpy(name, line + start, word < sizeof(name) ? word : sizeof(name) - 1);
	const char* rest = line + start + word;
	if (*name == 0)
	{
		return true;
	}
	int gait = 0;
	while (gait < 3 && strcmp(name, names[gait]) != 0)
	{
		++gait;
	}
	double values[3] = {2.0, gait == rp_gaitRun ? 3.0 : 1.35, 0.0};
	for (int i = 0; i < 3; ++i)
	{
		rest += strspn(rest, " \t\r");
		rest += readDecimal(rest, values + i);
	}
	rest += strspn(rest, " \t\r");
	double low = gait == rp_gaitRun ? 1.8 : 0.0, high = gait == rp_gaitRun ? 5.0 : 2.2;
	if (gait == 3 || *rest != 0 || !(values[0] > 0.0 && values[0] <= 3600.0) ||
		!(values[1] >= low && values[1] <= high) || !(fabs(values[2]) <= 90.0))
	{
		return rpFail(error, rp_errorArgument,
					  "\"%s\" is no stretch of a script: stand, walk or run, then seconds, speed in m/s, turn in deg/s",
					  line + start);
	}
	bool stands = gait == rp_gaitStand;
	rpStretch stretch = {(rpGaitKind)gait, values[0], stands ? 0.0f : (float)values[1],
						 stands ? 0.0f : (float)(values[2] * RP_DEGREE)};
	rpGaitKind last = script->count > 0 ? script->stretches[script->count - 1].gait : rp_gaitWalk;
	if (stands && last == rp_gaitStand && script->count > 0)
	{
		// One long stand.
		script->stretches[script->count - 1].seconds += values[0];
		return true;
	}
	rpStretch step = {rp_gaitWalk, 0.1, 0.7f, 0.0f};
	return (!stands || last != rp_gaitRun || addStretch(script, step, error)) && addStretch(script, stretch, error);
}

static bool readScript(Script* script, const char* text, rpError* error)
{
	bool ok = true;
	while (ok && *text != 0)
	{
		size_t length = strcspn(text, ";\n");
		ok = readStretch(script, text, length, error);
		text += length + (text[length] != 0);
	}
	return ok && (script->count > 0 || rpFail(error, rp_errorArgument, "the script is empty"));
}

static bool prepareTake(rpPerformance* performance, rpError* error)
{
	Script script = {0};
	bool ok = performance->script != NULL ? readScript(&script, performance->script, error)
										  : improvise(&script, performance->manner.seed, performance->seconds, error);
	rpJourneyDef def = {.stretches = script.stretches, .stretchCount = script.count};
	ok = ok && rpPerformance_Travel(performance, &def, error);
	rpFree(script.stretches);
	return ok;
}

const rpActRow rp_takeRows[] = {
	{.act = rp_actTake, .seconds = 60.0, .prepare = prepareTake, .plan = rpPerformance_PlanTravel},
	{.act = rp_actCount},
};
