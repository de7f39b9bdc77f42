/// rpEvaluate: all measures of one motion.
#include "base/error.h"
#include "judge/film.h"
#include "judge/footfalls.h"

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

rpEvaluateDef rpDefaultEvaluateDef(void)
{
	return (rpEvaluateDef){0};
}

static bool measure(const rpMeasureInput* input, const rpFilm* film, const rpFootfalls* falls, const rpEvaluateDef* def,
					rpMeasures* out, rpError* error)
{
	return rpMeasureRhythm(input->motion, falls, out, error) && rpMeasureGait(film, falls, def, out, error) &&
		   rpMeasureContacts(input, film, falls, out, error) && rpMeasurePhysics(input, film, out, error) &&
		   rpMeasurePath(input, def, out, error) && rpMeasureSeams(input, def, out, error) &&
		   rpMeasureJoints(input, out, error);
}

bool rpEvaluate(const rpMotion* motion, const rpEvaluateDef* def, rpMeasures* out, rpError* error)
{
	rpEvaluateDef plain = rpDefaultEvaluateDef();
	def = def != NULL ? def : &plain;
	*out = (rpMeasures){.contactF1 = (double)NAN};
	for (int i = 0; i < rp_measureCount; ++i)
	{
		out->values[i] = out->times[i] = out->standards[i] = (double)NAN;
	}
	if (!rpMotion_CheckFinite(motion, error))
	{
		return false;
	}
	rpMeasureInput input;
	rpFilm film = {0};
	rpFootfalls falls = {0};
	bool done = rpMeasureInput_Open(&input, motion, error) && rpFilm_Shoot(&film, &input, error) &&
				rpFootfalls_Find(&falls, &film, error) && measure(&input, &film, &falls, def, out, error);
	if (done && def->truth != NULL)
	{
		out->contactF1 = rpScoreContacts(motion, def->truth);
	}
	rpFootfalls_Free(&falls);
	rpFilm_Free(&film);
	rpMeasureInput_Free(&input);
	return done;
}
