/// The embedded performer's acts and parameters by name, and what may be asked for.
#include "reprise/performer.h"

#include "performer/stage.h"
#include "reprise/play/extend.h"

#include <string.h>

/// What is known of an act beside its row.
typedef struct Entry
{
	const char* name;
	rpActKind kind;
	const char* text;
} Entry;

static const Entry s_acts[rp_actCount] = {
#define X(enumerator, name, kind, text) {name, rp_##kind, text},
	RP_ACTS(X)
#undef X
};

/// What is known of a parameter.
typedef struct Quantity
{
	const char *name, *unit, *key, *text;
} Quantity;

static const Quantity s_parameters[rp_parameterCount] = {
#define X(enumerator, name, unit, key, text) {name, unit, key, text},
	RP_PARAMETERS(X)
#undef X
};

static const rpActRow* const s_families[] = {
#define X(rows) rp_##rows,
	RP_FAMILIES(X)
#undef X
};

static bool isAct(rpAct act)
{
	return (unsigned)act < rp_actCount;
}

const char* rpAct_GetName(rpAct act)
{
	return isAct(act) ? s_acts[act].name : "none";
}

const char* rpAct_GetText(rpAct act)
{
	return isAct(act) ? s_acts[act].text : "";
}

rpActKind rpAct_GetKind(rpAct act)
{
	return isAct(act) ? s_acts[act].kind : rp_actKindCount;
}

rpAct rpAct_Find(const char* name)
{
	int act = 0;
	while (act < rp_actCount && strcmp(name, s_acts[act].name) != 0)
	{
		++act;
	}
	return (rpAct)act;
}

const char* rpActKind_GetName(rpActKind kind)
{
	static const char* const names[rp_actKindCount] = {"locomotion", "transition", "style", "action",
													   "jump",       "take",       "chain"};
	return (unsigned)kind < rp_actKindCount ? names[kind] : "none";
}

const char* rpParameter_GetName(rpParameter parameter)
{
	return (unsigned)parameter < rp_parameterCount ? s_parameters[parameter].name : "none";
}

const char* rpParameter_GetUnit(rpParameter parameter)
{
	return (unsigned)parameter < rp_parameterCount ? s_parameters[parameter].unit : "";
}

const char* rpParameter_GetKey(rpParameter parameter)
{
	return (unsigned)parameter < rp_parameterCount ? s_parameters[parameter].key : "";
}

const char* rpParameter_GetText(rpParameter parameter)
{
	return (unsigned)parameter < rp_parameterCount ? s_parameters[parameter].text : "";
}

bool rpParameter_IsAngle(rpParameter parameter)
{
	return parameter == rp_paramTurn || parameter == rp_paramAngle;
}

float rpParameter_GetScale(rpParameter parameter, float timeScale, float lengthScale)
{
	switch (parameter)
	{
	case rp_paramSpeed:
		return lengthScale / timeScale;
	case rp_paramTurn:
		return 1.0f / timeScale;
	case rp_paramAngle:
	case rp_paramFoot:
	case rp_paramHand:
		return 1.0f;
	default:
		return lengthScale;
	}
}

const rpActRow* rpFindActRow(rpAct act)
{
	for (size_t i = 0; i < sizeof(s_families) / sizeof(s_families[0]); ++i)
	{
		for (const rpActRow* row = s_families[i]; row->act != rp_actCount; ++row)
		{
			if (row->act == act)
			{
				return row;
			}
		}
	}
	return NULL;
}

bool rpAct_GetRange(rpAct act, rpParameter parameter, rpParameterRange* out)
{
	const rpActRow* row = rpFindActRow(act);
	if (row == NULL || (unsigned)parameter >= rp_parameterCount)
	{
		return false;
	}
	*out = row->ranges[parameter];
	return out->low != out->high;
}

rpPerformDef rpDefaultPerformDef(rpAct act)
{
	rpPerformDef def = {.act = act, .fps = 60.0, .stature = PERFORMER_HEIGHT, .labels = true};
	const rpActRow* row = rpFindActRow(act);
	def.seconds = row != NULL ? row->seconds : 0.0;
	for (int i = 0; row != NULL && i < rp_parameterCount; ++i)
	{
		def.parameters[i] = row->ranges[i].normal;
	}
	return def;
}

static bool checkParameter(const rpPerformDef* def, const rpActRow* row, rpParameter parameter, rpError* error)
{
	float lengthScale = def->stature / PERFORMER_HEIGHT, value = def->parameters[parameter];
	float scale = rpParameter_GetScale(parameter, sqrtf(lengthScale), lengthScale);
	rpParameterRange range = row->ranges[parameter];
	// A thousandth more, so that what was rounded for a person to read and then typed is still in range.
	float slack = 1e-3f * (range.high - range.low) * scale;
	if (value >= range.low * scale - slack && value <= range.high * scale + slack)
	{
		return true;
	}
	double unit = rpParameter_IsAngle(parameter) ? 180.0 / RP_PI : 1.0;
	rpFail(error, rp_errorArgument, "%s with a %s of %g %s; %g to %g are possible", rpAct_GetName(def->act),
		   rpParameter_GetName(parameter), unit * (double)value, rpParameter_GetUnit(parameter),
		   unit * (double)(range.low * scale), unit * (double)(range.high * scale));
	return false;
}

static bool checkDef(const rpPerformDef* def, const rpActRow* row, rpError* error)
{
	if (row == NULL)
	{
		return rpFail(error, rp_errorArgument, "the performer knows no act %d", (int)def->act);
	}
	if (!(def->fps > 0.0) || !(def->fps <= RP_MAX_FPS) || !(def->seconds >= 0.0) || !(def->seconds <= 36000.0))
	{
		return rpFail(error, rp_errorArgument, "%g seconds at %g frames per second; up to 36000 and 1000 are possible",
					  def->seconds, def->fps);
	}
	if (!(def->stature >= 1.2f && def->stature <= 2.1f))
	{
		return rpFail(error, rp_errorArgument, "a stature of %g m; 1.2 to 2.1 m are possible", (double)def->stature);
	}
	bool ok = true;
	for (int i = 0; ok && i < rp_parameterCount; ++i)
	{
		ok = checkParameter(def, row, (rpParameter)i, error);
	}
	return ok;
}

rpMotion* rpPerform(const rpPerformDef* def, rpError* error)
{
	const rpActRow* row = rpFindActRow(def->act);
	return checkDef(def, row, error) ? rpPerformOnStage(row, def, error) : NULL;
}
