/// Scripts of takes: written down scene by scene, or read from a text.
///
/// A text is a row of stretches separated by ";" or line ends. Each is a word and what is asked for, as numbers in the
/// order that the word knows or by name: "walk 4 1.3 20", "jump 1.2", "punch height=1.3 hand=0".
#include "performer/take_script.h"

#include "reprise/play/extend.h"

#include <stdio.h>
#include <string.h>

// The longest script, scenes and stretches.
#define LONGEST_SCRIPT 10000
// Seconds and degrees per second of one stretch.
#define LONGEST_STRETCH 3600.0
#define FASTEST_TURN 90.0
// The longest word.
#define WORD 24

void rpScript_Free(rpScript* script)
{
	rpFree(script->scenes);
	rpFree(script->stretches);
	rpFree(script->leaps);
	*script = (rpScript){0};
}

// ---- writing

static rpScene* addScene(rpScript* script, rpAct act, rpError* error)
{
	if (script->sceneCount + script->stretchCount >= LONGEST_SCRIPT)
	{
		rpFail(error, rp_errorLimit, "a script of more than %d stretches", LONGEST_SCRIPT);
		return NULL;
	}
	if (!rpGrow(&script->scenes, &script->sceneCapacity, script->sceneCount, sizeof(rpScene), error))
	{
		return NULL;
	}
	rpScene* scene = script->scenes + script->sceneCount++;
	*scene = (rpScene){.act = act, .firstStretch = script->stretchCount};
	return scene;
}

// The place after a distance and a turn.
static void moveOn(rpScript* script, double seconds, float distance, float turn)
{
	float middle = script->heading + 0.5f * turn;
	script->seconds += seconds;
	script->x += distance * sinf(middle);
	script->z += distance * cosf(middle);
	script->heading += turn;
}

// Append a stretch to the last scene.
static bool pushStretch(rpScript* script, rpStretch stretch, float leap, rpError* error)
{
	if (script->sceneCount + script->stretchCount >= LONGEST_SCRIPT)
	{
		return rpFail(error, rp_errorLimit, "a script of more than %d stretches", LONGEST_SCRIPT);
	}
	int count = script->stretchCount;
	if (!rpGrow(&script->stretches, &script->stretchCapacity, count, sizeof(rpStretch), error) ||
		!rpGrow(&script->leaps, &script->leapCapacity, count, sizeof(float), error))
	{
		return false;
	}
	script->stretches[count] = stretch;
	script->leaps[count] = leap;
	++script->stretchCount;
	++script->scenes[script->sceneCount - 1].stretchCount;
	float seconds = (float)stretch.seconds;
	moveOn(script, stretch.seconds, stretch.speed * seconds, stretch.turn * seconds);
	return true;
}

// The journey that goes on, or NULL.
static rpScene* getJourney(const rpScript* script)
{
	rpScene* last = script->sceneCount > 0 ? script->scenes + script->sceneCount - 1 : NULL;
	return last != NULL && last->act == rp_actTake ? last : NULL;
}

bool rpScript_AddStretch(rpScript* script, rpStretch stretch, float leap, rpError* error)
{
	bool stands = stretch.gait == rp_gaitStand;
	rpStretch ready = {rp_gaitStand, MEDLEY_STAND, 0.0f, 0.0f}, step = {rp_gaitWalk, 0.1, 0.7f, 0.0f};
	if (getJourney(script) == NULL)
	{
		bool first = script->sceneCount == 0;
		stretch.seconds = stands && !first ? fmax(stretch.seconds, MEDLEY_STAND) : stretch.seconds;
		return addScene(script, rp_actTake, error) != NULL &&
			   (first || stands || pushStretch(script, ready, 0.0f, error)) &&
			   pushStretch(script, stretch, leap, error);
	}
	rpStretch* last = script->stretches + script->stretchCount - 1;
	if (stands && last->gait == rp_gaitStand)
	{
		// One long stand.
		last->seconds += stretch.seconds;
		script->seconds += stretch.seconds;
		return true;
	}
	// Out of a run one step is walked before standing.
	return (!stands || last->gait != rp_gaitRun || pushStretch(script, step, 0.0f, error)) &&
		   pushStretch(script, stretch, leap, error);
}

// A journey ends with a stand before something else.
static bool closeJourney(rpScript* script, rpError* error)
{
	rpStretch stand = {rp_gaitStand, MEDLEY_STAND, 0.0f, 0.0f};
	bool moves = getJourney(script) != NULL && script->stretches[script->stretchCount - 1].gait != rp_gaitStand;
	return !moves || rpScript_AddStretch(script, stand, 0.0f, error);
}

bool rpScript_AddStyle(rpScript* script, rpAct act, rpStretch stretch, rpError* error)
{
	rpStretch stand = {rp_gaitStand, MEDLEY_STAND, 0.0f, 0.0f};
	bool backwards = act == rp_actBackwards;
	// What goes backwards is planned forwards.
	stretch.turn = backwards ? -stretch.turn : stretch.turn;
	bool ok = closeJourney(script, error) && addScene(script, act, error) != NULL &&
			  pushStretch(script, stand, 0.0f, error) && pushStretch(script, stretch, 0.0f, error) &&
			  pushStretch(script, stand, 0.0f, error);
	if (ok && backwards)
	{
		float seconds = (float)stretch.seconds;
		moveOn(script, 0.0, -2.0f * stretch.speed * seconds, -2.0f * stretch.turn * seconds);
	}
	return ok;
}

bool rpScript_AddAct(rpScript* script, rpAct act, const float* parameters, double seconds, rpError* error)
{
	rpAct follower = rp_actCount;
	bool ok = closeJourney(script, error) && rpAct_FitsMedley(act, &follower);
	for (rpAct next = act; ok && next != rp_actCount; next = next == act ? follower : rp_actCount)
	{
		const rpActRow* row = rpFindActRow(next);
		rpScene* scene = addScene(script, next, error);
		ok = scene != NULL;
		for (int i = 0; ok && i < rp_parameterCount; ++i)
		{
			scene->parameters[i] = parameters != NULL ? parameters[i] : row->ranges[i].normal;
		}
		if (ok)
		{
			scene->seconds = next == act ? seconds : 0.0;
			bool goes = act == rp_actJump || act == rp_actHop || act == rp_actLeap;
			moveOn(script, scene->seconds > 0.0 ? scene->seconds : row->seconds,
				   goes ? scene->parameters[rp_paramDistance] : 0.0f, scene->parameters[rp_paramAngle]);
		}
	}
	return ok;
}

// ---- reading

/// Where the reading is.
typedef struct Reader
{
	rpScript* script;
	const char *text, *at;
	float lengthScale;
	rpError* error;
} Reader;

/// A stretch as it is read: seconds, and parameters in radians and for a body of 1.75 m; which of them are given.
typedef struct Phrase
{
	rpAct act;
	const char* start;
	double seconds;
	bool timed, given[rp_parameterCount];
	float parameters[rp_parameterCount];
} Phrase;

// What is said by its place stands for seconds or a parameter.
#define SECONDS (-1)
#define NOTHING (-2)

static int getPlace(rpAct act, int index)
{
	static const int travels[] = {SECONDS, rp_paramSpeed, rp_paramTurn}, stays[] = {SECONDS, NOTHING, NOTHING},
					 jumps[] = {rp_paramDistance, rp_paramAngle, NOTHING}, turns[] = {rp_paramAngle, NOTHING, NOTHING},
					 runs[] = {rp_paramDistance, rp_paramSpeed, NOTHING}, turning[] = {SECONDS, rp_paramAngle, NOTHING},
					 aims[] = {rp_paramHeight, rp_paramReach, rp_paramSide};
	rpActKind kind = rpAct_GetKind(act);
	bool spot = act == rp_actWave || act == rp_actGesture || act == rp_actDance, boxes = act == rp_actBoxDance;
	const int* places = act == rp_actTurn                                   ? turns
						: act == rp_actRunningJump                          ? runs
						: act == rp_actJump || act == rp_actHop             ? jumps
						: act == rp_actLeap                                 ? jumps
						: kind == rp_kindLocomotion || kind == rp_kindStyle ? travels
						: boxes                                             ? turning
						: spot                                              ? stays
																			: aims;
	return index < 3 ? places[index] : NOTHING;
}

// Fails at a place of the text: line and column from 1.
static bool failAt(const Reader* reader, const char* place, const char* what, const char* hint)
{
	int line = 1, column = 1;
	for (const char* c = reader->text; c < place; ++c)
	{
		line += *c == '\n' ? 1 : 0;
		column = *c == '\n' ? 1 : column + 1;
	}
	rpFailAt(reader->error, rp_errorArgument, line, column, "line %d, column %d of the script: %s", line, column, what);
	if (hint != NULL)
	{
		rpError_SetHint(reader->error, "%s", hint);
	}
	return false;
}

static void skipBlanks(Reader* reader)
{
	reader->at += strspn(reader->at, " \t\r");
}

static bool isAtEnd(const Reader* reader)
{
	return *reader->at == 0 || *reader->at == ';' || *reader->at == '\n';
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

// A word of letters and hyphens; too long a one is cut, and so is none that is known.
static void readWord(Reader* reader, char word[WORD])
{
	size_t length = strspn(reader->at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_");
	size_t kept = length < WORD - 1 ? length : WORD - 1;
	memcpy(word, reader->at, kept);
	word[kept] = 0;
	reader->at += length;
}

// What a parameter may be in a take: a journey's stretches reach from standing on the spot to the fastest.
static rpParameterRange getRange(rpAct act, int parameter)
{
	rpParameterRange range = rpFindActRow(act)->ranges[parameter];
	float turn = (float)(FASTEST_TURN * RP_PI / 180.0);
	bool plain = act == rp_actWalk || act == rp_actRun || act == rp_actJog;
	if (plain && parameter == rp_paramTurn)
	{
		return (rpParameterRange){-turn, 0.0f, turn};
	}
	if (act == rp_actWalk && parameter == rp_paramSpeed)
	{
		range.low = 0.0f;
	}
	if (act == rp_actRun && parameter == rp_paramSpeed)
	{
		range.low = 1.8f;
	}
	return range;
}

static bool takeSeconds(Reader* reader, Phrase* phrase, double value, const char* place)
{
	if (!(value > 0.0 && value <= LONGEST_STRETCH))
	{
		return failAt(reader, place, "a stretch takes more than 0 and up to 3600 seconds", NULL);
	}
	phrase->seconds = value / sqrt((double)reader->lengthScale);
	phrase->timed = true;
	return true;
}

static bool takeParameter(Reader* reader, Phrase* phrase, int parameter, double value, const char* place)
{
	rpParameterRange range = getRange(phrase->act, parameter);
	const char* name = rpParameter_GetName((rpParameter)parameter);
	char text[160];
	if (range.low == range.high)
	{
		snprintf(text, sizeof(text), "%s takes no %s", rpAct_GetName(phrase->act), name);
		return failAt(reader, place, text, NULL);
	}
	double unit = rpParameter_IsAngle((rpParameter)parameter) ? 180.0 / RP_PI : 1.0;
	float scale = rpParameter_GetScale((rpParameter)parameter, sqrtf(reader->lengthScale), reader->lengthScale);
	float own = (float)(value / unit) / scale, slack = 1e-3f * (range.high - range.low);
	if (!(own >= range.low - slack && own <= range.high + slack))
	{
		snprintf(text, sizeof(text), "%s with a %s of %g %s; %g to %g are possible", rpAct_GetName(phrase->act), name,
				 value, rpParameter_GetUnit((rpParameter)parameter), unit * (double)(range.low * scale),
				 unit * (double)(range.high * scale));
		return failAt(reader, place, text, NULL);
	}
	phrase->parameters[parameter] = own;
	phrase->given[parameter] = true;
	return true;
}

// "height=1.2"
static bool readNamed(Reader* reader, Phrase* phrase)
{
	const char* place = reader->at;
	char name[WORD];
	double value;
	readWord(reader, name);
	int parameter = 0;
	while (parameter < rp_parameterCount && strcmp(name, rpParameter_GetName((rpParameter)parameter)) != 0)
	{
		++parameter;
	}
	bool seconds = strcmp(name, "seconds") == 0;
	if (*name == 0 || *reader->at != '=' || (parameter == rp_parameterCount && !seconds))
	{
		return failAt(reader, place, "a number was expected, or a name with one such as height=1.2", NULL);
	}
	const char* number = ++reader->at;
	size_t length = readDecimal(number, &value);
	reader->at += length;
	return length == 0 ? failAt(reader, number, "a number was expected", NULL)
		   : seconds   ? takeSeconds(reader, phrase, value, place)
					   : takeParameter(reader, phrase, parameter, value, place);
}

static bool readValues(Reader* reader, Phrase* phrase)
{
	bool ok = true;
	int index = 0;
	for (skipBlanks(reader); ok && !isAtEnd(reader); skipBlanks(reader))
	{
		const char* place = reader->at;
		double value;
		size_t length = readDecimal(reader->at, &value);
		if (length == 0)
		{
			ok = readNamed(reader, phrase);
			continue;
		}
		reader->at += length;
		int meant = getPlace(phrase->act, index++);
		ok = phrase->act == rp_actStand && meant != SECONDS
				 ? meant != NOTHING || failAt(reader, place, "more numbers than a stretch takes", NULL)
			 : meant == SECONDS ? takeSeconds(reader, phrase, value, place)
			 : meant == NOTHING ? failAt(reader, place, "more numbers than this takes", NULL)
								: takeParameter(reader, phrase, meant, value, place);
	}
	return ok;
}

// Running up, and the stretch that begins with the jump's strike.
static bool addRunningJump(Reader* reader, const Phrase* phrase)
{
	float speed = phrase->parameters[rp_paramSpeed];
	float leap = rpGetLeapTime(speed, phrase->parameters[rp_paramDistance]);
	rpStretch run = {rp_gaitRun, 1.4, speed, 0.0f};
	return rpScript_AddStretch(reader->script, run, 0.0f, reader->error) &&
		   rpScript_AddStretch(reader->script, run, leap, reader->error);
}

static bool addPhrase(Reader* reader, const Phrase* phrase)
{
	rpScript* script = reader->script;
	rpStretch stretch = {rp_gaitStand, phrase->timed ? phrase->seconds : 2.0, phrase->parameters[rp_paramSpeed],
						 phrase->parameters[rp_paramTurn]};
	rpAct follower;
	switch (phrase->act)
	{
	case rp_actStand:
	case rp_actWalk:
	case rp_actRun:
	case rp_actJog:
		stretch.gait = phrase->act == rp_actStand ? rp_gaitStand : phrase->act == rp_actWalk ? rp_gaitWalk : rp_gaitRun;
		return rpScript_AddStretch(script, stretch, 0.0f, reader->error);
	case rp_actSneak:
	case rp_actTiptoe:
	case rp_actMarch:
	case rp_actBackwards:
		stretch.gait = rp_gaitWalk;
		stretch.seconds = phrase->timed ? phrase->seconds : 4.0;
		return rpScript_AddStyle(script, phrase->act, stretch, reader->error);
	case rp_actRunningJump:
		return addRunningJump(reader, phrase);
	default:
		return rpAct_FitsMedley(phrase->act, &follower) &&
			   rpScript_AddAct(script, phrase->act, phrase->parameters, phrase->timed ? phrase->seconds : 0.0,
							   reader->error);
	}
}

static bool isKnown(rpAct act)
{
	rpAct follower;
	return act == rp_actStand || act == rp_actWalk || act == rp_actRun || act == rp_actJog ||
		   act == rp_actRunningJump || (act != rp_actCount && rpAct_FitsMedley(act, &follower));
}

// One stretch, up to its end.
static bool readPhrase(Reader* reader)
{
	skipBlanks(reader);
	if (isAtEnd(reader))
	{
		return true;
	}
	Phrase phrase = {.start = reader->at};
	char word[WORD], text[100];
	readWord(reader, word);
	phrase.act = rpAct_Find(word);
	if (!isKnown(phrase.act))
	{
		snprintf(text, sizeof(text), "\"%s\" is no stretch of a script", *word != 0 ? word : (char[]){*reader->at, 0});
		return failAt(reader, phrase.start, text,
					  "stand, walk or run, then seconds, speed in m/s, turn in deg/s; or an act that begins and ends "
					  "standing, such as sneak, punch, jump");
	}
	const rpActRow* row = rpFindActRow(phrase.act);
	for (int i = 0; i < rp_parameterCount; ++i)
	{
		phrase.parameters[i] = row->ranges[i].normal;
	}
	return readValues(reader, &phrase) && addPhrase(reader, &phrase);
}

bool rpScript_Read(rpScript* script, const char* text, float lengthScale, rpError* error)
{
	Reader reader = {script, text, text, lengthScale, error};
	bool ok = true;
	while (ok && *reader.at != 0)
	{
		ok = readPhrase(&reader);
		reader.at += ok && *reader.at != 0 ? 1 : 0;
	}
	return ok && (script->sceneCount > 0 || rpFail(error, rp_errorArgument, "the script is empty"));
}
