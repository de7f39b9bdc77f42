/// rpEvaluate: all measures of one motion.
#include "base/error.h"
#include "judge/exhibit.h"
#include "reprise/analysis.h"

#include <string.h>

static const struct
{
	const char* key;
	const char* option;
	double limit;
	const char* text;
} s_measures[] = {
#define X(enumerator, key, option, limit, text) {key, option, limit, text},
	RP_MEASURES(X)
#undef X
};

const char* rpMeasure_GetKey(rpMeasure measure)
{
	return s_measures[measure].key;
}

const char* rpMeasure_GetLimitName(rpMeasure measure)
{
	return s_measures[measure].option;
}

const char* rpMeasure_GetText(rpMeasure measure)
{
	return s_measures[measure].text;
}

double rpMeasure_GetDefaultLimit(rpMeasure measure)
{
	return s_measures[measure].limit;
}

rpMeasure rpMeasure_Find(const char* key)
{
	int i = 0;
	while (i < rp_measureCount && strcmp(s_measures[i].key, key) != 0)
	{
		++i;
	}
	return (rpMeasure)i;
}

const char* rpContactSource_GetName(rpContactSource source)
{
	static const char* const names[] = {"none", "stored", "detected"};
	return names[source];
}

rpEvaluateDef rpDefaultEvaluateDef(void)
{
	return (rpEvaluateDef){0};
}

static bool hasContacts(const rpMotion* motion)
{
	return rpMotion_GetIntervals(motion, rp_trackContact, NULL, 0) > 0;
}

// A copy of the motion with the contacts to judge it by. A body without feet has none, and no measure of them.
static rpMotion* makeWitness(const rpMotion* motion, const rpEvaluateDef* def, rpMeasures* out, rpError* error)
{
	rpMotion* witness = rpCopyMotion(motion, error);
	if (witness == NULL)
	{
		return NULL;
	}
	out->contactSource = hasContacts(motion) ? rp_contactsStored : rp_contactsNone;
	if (def->detectContacts || !hasContacts(motion))
	{
		rpError why = {0};
		if (rpDetectContacts(witness, NULL, NULL, &why))
		{
			out->contactSource = hasContacts(witness) ? rp_contactsDetected : rp_contactsNone;
		}
		else if (why.code == rp_errorMemory)
		{
			rpDestroyMotion(witness);
			rpFail(error, rp_errorMemory, "no memory to find contacts");
			return NULL;
		}
	}
	return witness;
}

static bool measure(const rpMotion* witness, const rpEvaluateDef* def, rpMeasures* out, rpError* error)
{
	rpExhibit exhibit;
	bool done = rpExhibit_Open(&exhibit, witness, error);
	if (done)
	{
		rpMeasureFeet(&exhibit, out);
		rpMeasureRhythm(&exhibit, out);
		done = rpMeasurePath(&exhibit, def, out, error) && rpMeasureSmoothness(&exhibit, def, out, error) &&
			   rpMeasureJoints(&exhibit, out, error) && rpMeasurePhysics(&exhibit, out, error);
	}
	rpExhibit_Free(&exhibit);
	return done;
}

bool rpEvaluate(const rpMotion* motion, const rpEvaluateDef* def, rpMeasures* out, rpError* error)
{
	rpEvaluateDef plain = rpDefaultEvaluateDef();
	def = def != NULL ? def : &plain;
	*out = (rpMeasures){.contactF1 = (double)NAN};
	for (int i = 0; i < rp_measureCount; ++i)
	{
		out->values[i] = out->times[i] = (double)NAN;
	}
	if (!rpMotion_CheckFinite(motion, error))
	{
		return false;
	}
	rpMotion* witness = makeWitness(motion, def, out, error);
	bool done = witness != NULL && measure(witness, def, out, error);
	const rpMotion* truth = def->truth != NULL                           ? def->truth
							: def->detectContacts && hasContacts(motion) ? motion
																		 : NULL;
	if (done && truth != NULL)
	{
		out->contactF1 = rpScoreContacts(witness, truth);
	}
	rpDestroyMotion(witness);
	return done;
}
