/// Names of joints, read word by word. Files spell the same joint "LeftUpLeg", "mixamorig:LeftUpLeg", "Bip01 L Thigh",
/// "thigh_l", "lfemur" or "LTHIGH": a name is cut at separators, at changes of case and at digits, and what is left
/// without a cut ("lowerback", "leftupleg") is covered by known words.
#include "motion/role_names.h"

#include <string.h>

#define MAX_WORDS 24
// A run of letters longer than this is no word that we know.
#define MAX_RUN 40

// How strongly a name speaks for a part.
#define SURE 3.0f
#define LIKELY 2.0f
#define PERHAPS 1.0f
#define HARDLY 0.5f

typedef enum Meaning
{
	means_nothing,
	means_left,
	means_right,
	means_upper,
	means_lower,
	means_joint,
	means_helper,
	means_twist,
	means_digit,
	means_thumb,
	means_middle,
	means_pelvis,
	means_hip,
	means_body,
	means_spine,
	means_chest,
	means_neck,
	means_head,
	means_clavicle,
	means_shoulder,
	means_upperArm,
	means_arm,
	means_foreArm,
	means_wrist,
	means_hand,
	means_buttock,
	means_thigh,
	means_leg,
	means_shin,
	means_ankle,
	means_foot,
	means_toe,
	means_count,
} Meaning;

typedef struct Word
{
	const char* text;
	Meaning meaning;
} Word;

static const Word s_words[] = {
	{"left", means_left},         {"lft", means_left},          {"lf", means_left},
	{"lt", means_left},           {"right", means_right},       {"rgt", means_right},
	{"rt", means_right},          {"upper", means_upper},       {"up", means_upper},
	{"lower", means_lower},       {"low", means_lower},         {"lo", means_lower},
	{"fore", means_lower},        {"joint", means_joint},       {"jnt", means_joint},
	{"bone", means_nothing},      {"base", means_nothing},      {"bend", means_nothing},
	{"big", means_nothing},       {"to", means_nothing},        {"def", means_nothing},
	{"org", means_nothing},       {"twist", means_twist},       {"share", means_helper},
	{"corrective", means_helper}, {"calcn", means_helper},      {"patella", means_helper},
	{"roll", means_helper},       {"ik", means_helper},         {"pole", means_helper},
	{"target", means_helper},     {"ctrl", means_helper},       {"control", means_helper},
	{"helper", means_helper},     {"dummy", means_helper},      {"mch", means_helper},
	{"nub", means_helper},        {"end", means_helper},        {"tip", means_helper},
	{"top", means_helper},        {"site", means_helper},       {"leaf", means_helper},
	{"heel", means_helper},       {"effector", means_helper},   {"eye", means_helper},
	{"eyes", means_helper},       {"eyelid", means_helper},     {"lid", means_helper},
	{"brow", means_helper},       {"eyebrow", means_helper},    {"face", means_helper},
	{"forehead", means_helper},   {"temple", means_helper},     {"cheek", means_helper},
	{"chin", means_helper},       {"nose", means_helper},       {"jaw", means_helper},
	{"lip", means_helper},        {"ear", means_helper},        {"hair", means_helper},
	{"teeth", means_helper},      {"tongue", means_helper},     {"ponytail", means_helper},
	{"tail", means_helper},       {"breast", means_helper},     {"pectoral", means_helper},
	{"muscle", means_helper},     {"weapon", means_helper},     {"prop", means_helper},
	{"footsteps", means_helper},  {"finger", means_digit},      {"fingers", means_digit},
	{"thumb", means_thumb},       {"index", means_digit},       {"ring", means_digit},
	{"pinky", means_digit},       {"little", means_digit},      {"palm", means_digit},
	{"carpal", means_digit},      {"metacarpal", means_digit},  {"middle", means_middle},
	{"mid", means_middle},        {"pelvis", means_pelvis},     {"hips", means_pelvis},
	{"hip", means_hip},           {"body", means_body},         {"spine", means_spine},
	{"back", means_spine},        {"abdomen", means_spine},     {"ab", means_spine},
	{"belly", means_spine},       {"stomach", means_spine},     {"waist", means_spine},
	{"torso", means_spine},       {"lumbar", means_spine},      {"chest", means_chest},
	{"thorax", means_chest},      {"ribcage", means_chest},     {"ribs", means_chest},
	{"sternum", means_chest},     {"neck", means_neck},         {"head", means_head},
	{"skull", means_head},        {"clavicle", means_clavicle}, {"clav", means_clavicle},
	{"collar", means_clavicle},   {"scapula", means_clavicle},  {"blade", means_clavicle},
	{"shoulder", means_shoulder}, {"shldr", means_shoulder},    {"humerus", means_upperArm},
	{"uarm", means_upperArm},     {"arm", means_arm},           {"farm", means_foreArm},
	{"elbow", means_foreArm},     {"radius", means_foreArm},    {"ulna", means_foreArm},
	{"wrist", means_wrist},       {"hand", means_hand},         {"buttock", means_buttock},
	{"thigh", means_thigh},       {"femur", means_thigh},       {"leg", means_leg},
	{"knee", means_shin},         {"shin", means_shin},         {"shank", means_shin},
	{"calf", means_shin},         {"tibia", means_shin},        {"ankle", means_ankle},
	{"talus", means_ankle},       {"foot", means_foot},         {"ball", means_toe},
	{"toe", means_toe},           {"toes", means_toe},          {"forefoot", means_toe},
};

/// The meanings found in a name so far.
typedef struct Words
{
	Meaning meanings[MAX_WORDS];
	int lengths[MAX_WORDS];
	int count;
} Words;

/// One run of letters or digits of a name, lower case.
typedef struct Run
{
	char text[MAX_RUN + 1];
	int length;
} Run;

rpRole rpBodyPart_GetRole(rpBodyPart part, int side)
{
	int toRight = (int)rp_roleRightClavicle - (int)rp_roleLeftClavicle;
	return (rpRole)((int)part + 1 + (part >= rp_partClavicle && side < 0 ? toRight : 0));
}

rpBodyPart rpRole_GetPart(rpRole role, int* side)
{
	*side = role < rp_roleLeftClavicle ? 0 : role < rp_roleRightClavicle ? 1 : -1;
	int toRight = (int)rp_roleRightClavicle - (int)rp_roleLeftClavicle;
	return (rpBodyPart)((int)role - 1 - (*side < 0 ? toRight : 0));
}

static bool isLower(char c)
{
	return c >= 'a' && c <= 'z';
}

static bool isUpper(char c)
{
	return c >= 'A' && c <= 'Z';
}

static bool isDigit(char c)
{
	return c >= '0' && c <= '9';
}

// Bytes of other scripts count as letters.
static bool isLetter(char c)
{
	return isLower(c) || isUpper(c) || (unsigned char)c >= 0x80;
}

static bool pushMeaning(Words* words, Meaning meaning, int length)
{
	if (words->count == MAX_WORDS)
	{
		return false;
	}
	words->meanings[words->count] = meaning;
	words->lengths[words->count++] = length;
	return true;
}

static const Word* findWord(const char* text, int length)
{
	for (size_t i = 0; i < sizeof(s_words) / sizeof(s_words[0]); ++i)
	{
		if (strncmp(s_words[i].text, text, (size_t)length) == 0 && s_words[i].text[length] == 0)
		{
			return s_words + i;
		}
	}
	return NULL;
}

static Meaning readLetter(char letter)
{
	return letter == 'l'   ? means_left
		   : letter == 'r' ? means_right
		   : letter == 'u' ? means_upper
		   : letter == 'f' ? means_lower
						   : means_nothing;
}

// Cover text by known words, longest first; one letter of side may stand at either end. False if nothing fits.
static bool cover(const char* text, int length, bool first, Words* words)
{
	if (length == 0)
	{
		return true;
	}
	int count = words->count;
	for (int part = length; part >= 2; --part)
	{
		const Word* word = findWord(text, part);
		if (word != NULL && pushMeaning(words, word->meaning, part) && cover(text + part, length - part, false, words))
		{
			return true;
		}
		words->count = count;
	}
	if ((text[0] == 'l' || text[0] == 'r') && (first || length == 1) && pushMeaning(words, readLetter(text[0]), 1) &&
		cover(text + 1, length - 1, false, words))
	{
		return true;
	}
	words->count = count;
	return false;
}

static uint64_t hashBytes(uint64_t hash, const char* text, int length)
{
	for (int i = 0; i < length; ++i)
	{
		hash = (hash ^ (unsigned char)text[i]) * UINT64_C(1099511628211);
	}
	return hash;
}

// A run that known words do not cover may still start with a side ("leftgizmo").
static void pushUnknown(const Run* run, Words* words)
{
	bool left = strncmp(run->text, "left", 4) == 0, right = strncmp(run->text, "right", 5) == 0;
	int length = left ? 4 : right ? 5 : 0;
	if (length > 0)
	{
		pushMeaning(words, left ? means_left : means_right, length);
	}
	pushMeaning(words, means_nothing, run->length - length);
}

static void readRun(const Run* run, Words* words, rpNameReading* reading)
{
	int start = words->count;
	if (run->length == 1)
	{
		pushMeaning(words, readLetter(run->text[0]), 1);
	}
	else if (!cover(run->text, run->length, true, words))
	{
		pushUnknown(run, words);
	}
	// The hash goes over what is not side, so that it is the same on both.
	int place = 0;
	for (int i = start; i < words->count; ++i)
	{
		if (words->meanings[i] != means_left && words->meanings[i] != means_right)
		{
			reading->key = hashBytes(reading->key, run->text + place, words->lengths[i]);
		}
		place += words->lengths[i];
	}
}

// Whether a new word starts at name[i], which follows a letter of a word from `start` on. "LUArm" is L, U, Arm;
// "IKFoot" is IK, Foot; "LTHIGH" is one run.
static bool startsWord(const char* name, int start, int i, bool mixedCase)
{
	if (!mixedCase || !isUpper(name[i]))
	{
		return false;
	}
	bool afterSide = i == start + 1 && (name[start] == 'L' || name[start] == 'R');
	return isLower(name[i - 1]) || isLower(name[i + 1]) || (afterSide && isUpper(name[i + 1]) && isLower(name[i + 2]));
}

static bool hasMixedCase(const char* name)
{
	bool lower = false, upper = false;
	for (; *name != 0; ++name)
	{
		lower = lower || isLower(*name);
		upper = upper || isUpper(*name);
	}
	return lower && upper;
}

// The name without its namespace ("mixamorig:") or path ("|root|hips").
static const char* skipNamespace(const char* name)
{
	const char* start = name;
	for (const char* c = name; *c != 0; ++c)
	{
		start = (*c == ':' || *c == '|') && c[1] != 0 ? c + 1 : start;
	}
	return start;
}

static void cutIntoWords(const char* name, Words* words, rpNameReading* reading)
{
	bool mixedCase = hasMixedCase(name);
	for (int i = 0; name[i] != 0;)
	{
		Run run = {.length = 0};
		int start = i;
		while (isLetter(name[i]) && (i == start || !startsWord(name, start, i, mixedCase)))
		{
			if (run.length < MAX_RUN)
			{
				run.text[run.length++] = (char)(isUpper(name[i]) ? name[i] - 'A' + 'a' : name[i]);
			}
			++i;
		}
		if (run.length > 0)
		{
			readRun(&run, words, reading);
			continue;
		}
		// Digits count in the hash, separators do not.
		reading->key = isDigit(name[i]) ? hashBytes(reading->key, name + i, 1) : reading->key;
		++i;
	}
}

// "L5", "T12" (Xsens): the vertebrae, not the left side.
static bool readVertebra(const char* name, rpNameReading* reading)
{
	char letter = (char)(isUpper(name[0]) ? name[0] - 'A' + 'a' : name[0]);
	int digits = 0;
	while (name[0] != 0 && isDigit(name[1 + digits]))
	{
		++digits;
	}
	if ((letter != 'l' && letter != 't' && letter != 'c') || digits < 1 || digits > 2 || name[1 + digits] != 0)
	{
		return false;
	}
	reading->votes[letter == 'c' ? rp_partNeck : rp_partSpine] = PERHAPS;
	return true;
}

static void vote(rpNameReading* reading, rpBodyPart part, float strength)
{
	reading->votes[part] = strength > reading->votes[part] ? strength : reading->votes[part];
}

static void voteArm(const bool* has, rpNameReading* reading)
{
	if (has[means_clavicle])
	{
		vote(reading, rp_partClavicle, SURE);
	}
	else if (has[means_shoulder])
	{
		// The collar bone where an upper arm follows, the shoulder where a collar goes before.
		vote(reading, rp_partClavicle, LIKELY);
		vote(reading, rp_partShoulder, LIKELY);
	}
	if (has[means_upperArm] || (has[means_arm] && has[means_upper]))
	{
		vote(reading, rp_partShoulder, SURE);
	}
	else if (has[means_foreArm] || (has[means_arm] && has[means_lower]))
	{
		vote(reading, rp_partElbow, SURE);
	}
	else if (has[means_arm])
	{
		vote(reading, rp_partShoulder, LIKELY);
		vote(reading, rp_partElbow, HARDLY);
	}
	if (has[means_wrist] || has[means_hand])
	{
		vote(reading, rp_partWrist, has[means_wrist] ? SURE : LIKELY);
	}
}

static void voteLeg(const bool* has, rpNameReading* reading)
{
	if (has[means_hip] && reading->side != 0)
	{
		// "LHipJoint" is a dummy at the pelvis, "LeftHip" the hip.
		vote(reading, rp_partHip, has[means_joint] ? PERHAPS : SURE);
	}
	if (has[means_buttock])
	{
		vote(reading, rp_partHip, HARDLY);
	}
	if (has[means_thigh] || (has[means_leg] && has[means_upper]))
	{
		vote(reading, rp_partHip, SURE);
	}
	else if (has[means_shin] || (has[means_leg] && has[means_lower]))
	{
		vote(reading, rp_partKnee, SURE);
	}
	else if (has[means_leg])
	{
		// The shank in most files; where a knee follows, the thigh.
		vote(reading, rp_partKnee, LIKELY);
		vote(reading, rp_partHip, PERHAPS);
	}
	if (has[means_ankle])
	{
		vote(reading, rp_partAnkle, SURE);
	}
	if (has[means_toe])
	{
		vote(reading, rp_partBall, SURE);
	}
	else if (has[means_foot])
	{
		// The ankle in most files; where an ankle goes before (SMPL), the ball.
		vote(reading, rp_partAnkle, LIKELY);
		vote(reading, rp_partBall, PERHAPS);
	}
}

static void voteTrunk(const bool* has, rpNameReading* reading)
{
	if (reading->side != 0)
	{
		return;
	}
	if (has[means_pelvis] || has[means_hip] || (has[means_body] && has[means_lower]))
	{
		vote(reading, rp_partPelvis, SURE);
	}
	if (has[means_spine] || (has[means_body] && has[means_upper]))
	{
		vote(reading, rp_partSpine, SURE);
	}
	if (has[means_chest])
	{
		vote(reading, rp_partChest, SURE);
	}
	if (has[means_neck])
	{
		vote(reading, rp_partNeck, SURE);
	}
	else if (has[means_head])
	{
		vote(reading, rp_partHead, SURE);
	}
}

static void interpret(const Words* words, rpNameReading* reading)
{
	bool has[means_count] = {false};
	for (int i = 0; i < words->count; ++i)
	{
		has[words->meanings[i]] = true;
	}
	reading->side = has[means_left] == has[means_right] ? 0 : has[means_left] ? 1 : -1;
	// "NeckTwist01" (Character Creator) is the neck itself.
	reading->helper = has[means_helper] || (has[means_twist] && !has[means_neck]);
	bool trunk = has[means_spine] || has[means_chest] || has[means_neck];
	reading->thumb = has[means_thumb];
	reading->middle = has[means_middle] && !trunk;
	reading->digit = has[means_digit] || reading->thumb || reading->middle;
	if (reading->helper || reading->digit)
	{
		return;
	}
	voteTrunk(has, reading);
	voteArm(has, reading);
	voteLeg(has, reading);
}

rpNameReading rpReadJointName(const char* name)
{
	rpNameReading reading = {.key = UINT64_C(14695981039346656037)};
	Words words = {.count = 0};
	name = skipNamespace(name);
	cutIntoWords(name, &words, &reading);
	if (!readVertebra(name, &reading))
	{
		interpret(&words, &reading);
	}
	for (int i = 0; i < rp_partCount; ++i)
	{
		reading.known = reading.known || reading.votes[i] > 0.0f;
	}
	return reading;
}
