/// Lists of features as they are written: numbers separated by commas, each a sum of words such as "turn",
/// "right_wrist.x@hit" or "head.reach@lowest".
#include "analysis/feature_list.h"
#include "base/error.h"

#include <stdio.h>
#include <string.h>

static const char* const s_axes[] = {"x", "y", "z"};

enum
{
	maxWord = 96,
};

/// The text as far as it is read.
typedef struct Reader
{
	const char *text, *at;
	const rpSkeleton* skeleton;
	const rpFeatureDef* def;
	rpFeatureList* list;
	rpError* error;
} Reader;

/// A word in its parts: what stands before a dot, behind it, behind the "@"; empty where there is nothing. The axis is
/// -1, or 0 to 2.
typedef struct Word
{
	char whole[maxWord], first[maxWord], second[maxWord], moment[maxWord];
	int column, axis;
} Word;

/// What the word means: values of a feature.
typedef struct Meaning
{
	rpFeature feature;
	int firstValue, valueCount;
} Meaning;

static bool failAt(const Reader* reader, int column, const char* format, const char* what)
{
	rpFailAt(reader->error, rp_errorArgument, 1, column, format, what);
	return false;
}

// ---- kinds

// Those of the caller first; NULL beyond the last.
static const rpFeatureKind* getKind(const Reader* reader, int index)
{
	const rpFeatureDef* def = reader->def;
	return index < def->kindCount ? &def->kinds[index] : rpGetFeatureKind(index - def->kindCount);
}

static const rpFeatureKind* findKind(const Reader* reader, const char* name, bool hasJoint)
{
	const rpFeatureKind* kind;
	for (int i = 0; (kind = getKind(reader, i)) != NULL; ++i)
	{
		if (strcmp(kind->name, name) == 0 && ((kind->needs & rp_featureNeedsJoint) != 0) == hasJoint)
		{
			return kind;
		}
	}
	return NULL;
}

// Levenshtein's distance.
static int getEdits(const char* a, const char* b)
{
	int row[maxWord + 1], length = (int)strnlen(b, maxWord);
	for (int j = 0; j <= length; ++j)
	{
		row[j] = j;
	}
	for (int i = 1; a[i - 1] != 0; ++i)
	{
		int diagonal = row[0];
		row[0] = i;
		for (int j = 1; j <= length; ++j)
		{
			int least = row[j] < row[j - 1] ? row[j] + 1 : row[j - 1] + 1, change = diagonal + (a[i - 1] != b[j - 1]);
			diagonal = row[j];
			row[j] = change < least ? change : least;
		}
	}
	return row[length];
}

// Keep the name that is nearer.
static void compare(const char* wanted, const char* name, const char** best, int* edits)
{
	int own = getEdits(wanted, name);
	if (own < *edits)
	{
		*best = name;
		*edits = own;
	}
}

// The nearest name, or all that there are.
static void hintAtKinds(const Reader* reader, const char* wanted, bool hasJoint)
{
	const char* best = NULL;
	const rpFeatureKind* kind;
	char names[200] = "";
	size_t size = 0;
	int edits = (int)strnlen(wanted, maxWord) / 2 + 1;
	for (int i = 0; (kind = getKind(reader, i)) != NULL; ++i)
	{
		if (((kind->needs & rp_featureNeedsJoint) != 0) == hasJoint)
		{
			compare(wanted, kind->name, &best, &edits);
			int length = snprintf(names + size, sizeof(names) - size, "%s%s", size > 0 ? ", " : "", kind->name);
			size = size + (size_t)length < sizeof(names) ? size + (size_t)length : size;
			names[size] = 0;
		}
	}
	for (int i = rp_roleNone + 1; i < rp_roleCount && !hasJoint; ++i)
	{
		compare(wanted, rpRole_GetName((rpRole)i), &best, &edits);
	}
	rpError_SetHint(reader->error,
					best != NULL ? "did you mean \"%s\"?"
					: hasJoint   ? "there are x, y, z, %s"
								 : "there are %s, and joints by their roles",
					best != NULL ? best : names);
}

static void hintAtMoments(const Reader* reader)
{
	char names[160] = "";
	const rpFeatureMoment* moment;
	size_t size = 0;
	for (int i = 0; (moment = rpGetFeatureMoment(i)) != NULL && size < sizeof(names); ++i)
	{
		size += (size_t)snprintf(names + size, sizeof(names) - size, "%s%s", i > 0 ? ", " : "", moment->name);
	}
	rpError_SetHint(reader->error, "an event, or one of %s", names);
}

// ---- words

static bool isLetter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static void skipSpace(Reader* reader)
{
	while (*reader->at == ' ' || *reader->at == '\t' || *reader->at == '\n' || *reader->at == '\r')
	{
		++reader->at;
	}
}

static int getColumn(const Reader* reader)
{
	return (int)(reader->at - reader->text) + 1;
}

static bool failHere(const Reader* reader)
{
	char found[16];
	snprintf(found, sizeof(found), "'%.1s'", reader->at);
	return failAt(reader, getColumn(reader), "expected a feature, such as \"turn\" or \"right_wrist@hit\", found %s",
				  *reader->at != 0 ? found : "the end");
}

static int findAxis(const char* name)
{
	for (int i = 0; i < 3; ++i)
	{
		if (strcmp(s_axes[i], name) == 0)
		{
			return i;
		}
	}
	return -1;
}

// Split at the last dot; the rest moves to `after`.
static bool split(char* name, char* after)
{
	char* dot = strrchr(name, '.');
	after[0] = 0;
	if (dot != NULL)
	{
		snprintf(after, maxWord, "%s", dot + 1);
		*dot = 0;
	}
	return dot == NULL || (name[0] != 0 && after[0] != 0 && strchr(name, '.') == NULL);
}

// The axis may stand behind the joint or behind the moment.
static bool splitWord(Word* word)
{
	char axis[maxWord] = "";
	char* at = strchr(word->first, '@');
	if (at != NULL)
	{
		snprintf(word->moment, sizeof(word->moment), "%s", at + 1);
		*at = 0;
	}
	bool isWord = split(word->first, word->second) && split(word->moment, axis) && word->first[0] != 0 &&
				  (at == NULL || word->moment[0] != 0);
	word->axis = findAxis(word->second);
	if (word->axis >= 0)
	{
		word->second[0] = 0;
	}
	bool isTwice = axis[0] != 0 && word->axis >= 0;
	word->axis = axis[0] != 0 ? findAxis(axis) : word->axis;
	return isWord && !isTwice && (axis[0] == 0 || word->axis >= 0);
}

static bool readWord(Reader* reader, Word* out)
{
	skipSpace(reader);
	*out = (Word){.column = getColumn(reader)};
	size_t size = 0;
	for (const char* c = reader->at; isLetter(*c) || *c == '.' || *c == '@' || *c == ':'; ++c)
	{
		++size;
	}
	if (size == 0)
	{
		return failHere(reader);
	}
	snprintf(out->whole, sizeof(out->whole), "%.*s", (int)(size < maxWord ? size : maxWord - 1), reader->at);
	snprintf(out->first, sizeof(out->first), "%s", out->whole);
	bool isWord = size < maxWord && splitWord(out) && strlen(out->moment) < sizeof(((rpFeature*)NULL)->moment);
	reader->at += size;
	skipSpace(reader);
	if (!isWord)
	{
		failAt(reader, out->column, "\"%s\" is no feature", out->whole);
		rpError_SetHint(reader->error,
						"one is written as turn, right_wrist@hit, head.y@lowest or right_wrist.speed@hit");
	}
	return isWord;
}

// ---- meaning

static bool findJoint(const Reader* reader, const Word* word, rpRole role, int* out)
{
	*out = reader->skeleton->roles[role];
	return *out >= 0 || rpFailAt(reader->error, rp_errorMissing, 1, word->column,
								 "the skeleton has no %s, which \"%s\" is about", rpRole_GetName(role), word->whole);
}

static bool findWordsKind(const Reader* reader, const Word* word, rpFeature* feature)
{
	bool hasJoint = feature->role != rp_roleNone;
	const char* name = !hasJoint ? word->first : word->second[0] != 0 ? word->second : "place";
	feature->kind = findKind(reader, name, hasJoint);
	if (feature->kind == NULL && !hasJoint && findKind(reader, name, true) != NULL)
	{
		return failAt(reader, word->column, "\"%s\" is of a joint, as in right_wrist.reach@hit", name);
	}
	if (feature->kind == NULL)
	{
		failAt(reader, word->column, hasJoint ? "there is no feature \"%s\" of a joint" : "there is no feature \"%s\"",
			   name);
		hintAtKinds(reader, name, hasJoint);
		return false;
	}
	return hasJoint || word->second[0] == 0 || failAt(reader, word->column, "\"%s\" is not of a joint", word->first);
}

static bool checkMoment(const Reader* reader, const Word* word, const rpFeatureKind* kind)
{
	bool needs = (kind->needs & rp_featureNeedsMoment) != 0;
	if (needs && word->moment[0] == 0)
	{
		failAt(reader, word->column, "\"%s\" lacks the moment, as in right_wrist@hit", word->whole);
		hintAtMoments(reader);
		return false;
	}
	return needs || word->moment[0] == 0 ||
		   failAt(reader, word->column, "\"%s\" is of the whole stretch, and has no moment", kind->name);
}

static bool understand(const Reader* reader, const Word* word, Meaning* out)
{
	rpFeature feature = {.joint = -1, .role = rpRole_Find(word->first)};
	if ((feature.role != rp_roleNone && !findJoint(reader, word, feature.role, &feature.joint)) ||
		!findWordsKind(reader, word, &feature) || !checkMoment(reader, word, feature.kind))
	{
		return false;
	}
	snprintf(feature.moment, sizeof(feature.moment), "%.*s", (int)sizeof(feature.moment) - 1, word->moment);
	*out = (Meaning){.feature = feature, .valueCount = feature.kind->valueCount};
	if (word->axis >= 0)
	{
		bool hasAxis = feature.kind->valueCount > 1 && word->axis < feature.kind->valueCount;
		*out = (Meaning){.feature = feature, .firstValue = word->axis, .valueCount = 1};
		return hasAxis || failAt(reader, word->column, "\"%s\" is one number, and has no axis", feature.kind->name);
	}
	return true;
}

// Each is measured once.
static int addFeature(rpFeatureList* list, const rpFeature* feature)
{
	for (int i = 0; i < list->featureCount; ++i)
	{
		const rpFeature* own = &list->features[i];
		if (own->kind == feature->kind && own->joint == feature->joint && strcmp(own->moment, feature->moment) == 0)
		{
			return i;
		}
	}
	list->features[list->featureCount] = *feature;
	return list->featureCount++;
}

// ---- sums

/// A sum while it is read: as many numbers as each of its words.
typedef struct Sum
{
	int firstNumber, width, termCount;
	rpFeatureUnit unit;
} Sum;

static bool startSum(const Reader* reader, const Word* word, const Meaning* meaning, Sum* sum)
{
	rpFeatureList* list = reader->list;
	*sum = (Sum){.firstNumber = list->numberCount, .width = meaning->valueCount, .unit = meaning->feature.kind->unit};
	if (sum->firstNumber + sum->width > RP_MAX_PARAMETERS)
	{
		rpFailAt(reader->error, rp_errorLimit, 1, word->column, "with \"%s\" there are more than %d numbers",
				 word->whole, RP_MAX_PARAMETERS);
		rpError_SetHint(reader->error, "a place is three: name those that count, as in right_wrist.x@hit");
		return false;
	}
	list->numberCount += sum->width;
	return true;
}

static bool addTerm(const Reader* reader, const Word* word, const Meaning* meaning, float sign, Sum* sum)
{
	if (meaning->valueCount != sum->width)
	{
		rpFailAt(reader->error, rp_errorArgument, 1, word->column, "\"%s\" is %d number%s, what stands before it %d",
				 word->whole, meaning->valueCount, meaning->valueCount == 1 ? "" : "s", sum->width);
		return false;
	}
	if (meaning->feature.kind->unit != sum->unit)
	{
		rpFailAt(reader->error, rp_errorArgument, 1, word->column, "\"%s\" is in %s, what stands before it in %s",
				 word->whole, rpFeatureUnit_GetName(meaning->feature.kind->unit), rpFeatureUnit_GetName(sum->unit));
		return false;
	}
	if (sum->termCount == rp_maxFeatureTerms)
	{
		return rpFailAt(reader->error, rp_errorLimit, 1, word->column, "more than %d features make a number",
						rp_maxFeatureTerms);
	}
	++sum->termCount;
	int feature = addFeature(reader->list, &meaning->feature);
	for (int i = 0; i < sum->width; ++i)
	{
		rpFeatureNumber* number = &reader->list->numbers[sum->firstNumber + i];
		number->terms[number->termCount++] = (rpFeatureTerm){feature, meaning->firstValue + i, sign};
	}
	return true;
}

static bool readSum(Reader* reader)
{
	Sum sum = {0};
	skipSpace(reader);
	do
	{
		Word word;
		Meaning meaning;
		bool isFirst = sum.termCount == 0, hasSign = *reader->at == '-' || *reader->at == '+';
		float sign = *reader->at == '-' ? -1.0f : 1.0f;
		reader->at += hasSign;
		if (!readWord(reader, &word) || !understand(reader, &word, &meaning) ||
			(isFirst && !startSum(reader, &word, &meaning, &sum)) || !addTerm(reader, &word, &meaning, sign, &sum))
		{
			return false;
		}
	} while (*reader->at == '-' || *reader->at == '+');
	return true;
}

// ---- names

// As one would write it, "right_wrist.x@hit".
static int printTerm(const rpFeatureList* list, const rpFeatureTerm* term, bool isFirst, char* out, size_t size)
{
	const rpFeature* feature = &list->features[term->feature];
	const rpFeatureKind* kind = feature->kind;
	bool hasJoint = feature->role != rp_roleNone, isPlace = hasJoint && strcmp(kind->name, "place") == 0;
	bool hasAxis = kind->valueCount > 1, hasMoment = feature->moment[0] != 0;
	return snprintf(out, size, "%s%s%s%s%s%s%s%s",
					term->sign < 0.0f ? "-"
					: isFirst         ? ""
									  : "+",
					hasJoint ? rpRole_GetName(feature->role) : "", hasJoint && !isPlace ? "." : "",
					isPlace ? "" : kind->name, hasAxis ? "." : "", hasAxis ? s_axes[term->value] : "",
					hasMoment ? "@" : "", feature->moment);
}

static size_t append(char* out, size_t used, size_t size, const char* text)
{
	size_t length = strlen(text);
	if (used + length < size)
	{
		memcpy(out + used, text, length + 1);
	}
	return used + length;
}

// Signs as words, other marks as "_", and the unit. False if it does not fit.
static bool makeKey(rpFeatureInfo* info)
{
	static const char* const units[rp_featureUnitCount] = {
		[rp_unitMetre] = "_m", [rp_unitSecond] = "_s", [rp_unitRadian] = "_deg", [rp_unitMetrePerSecond] = "_m_per_s"};
	size_t used = 0, size = sizeof(info->key);
	for (const char* c = info->name; *c != 0; ++c)
	{
		const char *minus = c == info->name ? "minus_" : "_minus_", letter[2] = {isLetter(*c) ? *c : '_', 0};
		used = append(info->key, used, size, *c == '-' ? minus : *c == '+' ? "_plus_" : letter);
	}
	return append(info->key, used, size, units[info->unit]) < size;
}

static bool nameNumber(const Reader* reader, int index)
{
	rpFeatureNumber* number = &reader->list->numbers[index];
	rpFeatureInfo* info = &number->info;
	size_t used = 0;
	for (int i = 0; i < number->termCount && used < sizeof(info->name); ++i)
	{
		int length = printTerm(reader->list, &number->terms[i], i == 0, info->name + used, sizeof(info->name) - used);
		used += (size_t)length;
	}
	info->unit = reader->list->features[number->terms[0].feature].kind->unit;
	if (used >= sizeof(info->name) || !makeKey(info))
	{
		return rpFail(reader->error, rp_errorLimit, "the name of number %d, \"%s …\", is too long", index + 1,
					  info->name);
	}
	for (int i = 0; i < index; ++i)
	{
		if (strcmp(reader->list->numbers[i].info.key, info->key) == 0)
		{
			return rpFail(reader->error, rp_errorArgument, "\"%s\" is there twice", info->name);
		}
	}
	return true;
}

bool rpReadFeatures(const char* text, const rpSkeleton* skeleton, const rpFeatureDef* def, rpFeatureList* list,
					rpError* error)
{
	Reader reader = {.text = text, .at = text, .skeleton = skeleton, .def = def, .list = list, .error = error};
	bool done = readSum(&reader);
	while (done && *reader.at == ',')
	{
		++reader.at;
		done = readSum(&reader);
	}
	if (done && *reader.at != 0)
	{
		char found[16];
		snprintf(found, sizeof(found), "'%.1s'", reader.at);
		done = failAt(&reader, getColumn(&reader), "expected a comma, + or -, found %s", found);
	}
	for (int i = 0; i < list->numberCount && done; ++i)
	{
		done = nameNumber(&reader, i);
	}
	return done;
}
