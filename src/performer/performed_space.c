/// Acts as spaces: the performer's own parameters, within their ranges.
#include "reprise/edit.h"
#include "reprise/performer.h"
#include "reprise/play/extend.h"

#include <math.h>
#include <stdio.h>

static bool isSide(rpParameter parameter)
{
	return parameter == rp_paramFoot || parameter == rp_paramHand;
}

rpPerformedSpace rpDefaultPerformedSpace(rpAct act)
{
	rpPerformedSpace space = {.def = rpDefaultPerformDef(act)};
	for (int i = 0; i < rp_parameterCount && space.parameterCount < RP_MAX_SPACE_PARAMETERS; ++i)
	{
		rpParameterRange range;
		if (!isSide((rpParameter)i) && rpAct_GetRange(act, (rpParameter)i, &range) && range.high > range.low)
		{
			space.parameters[space.parameterCount++] = (rpParameter)i;
		}
	}
	return space;
}

// Asked for at the origin, facing +Z, as all motions of spaces are.
static rpMotion* putAtOrigin(rpMotion* motion, rpError* error)
{
	if (motion == NULL)
	{
		return NULL;
	}
	rpGroundTransform start = rpMotion_GetGround(motion, 0);
	start.shift.y = 0.0f;
	rpMotion* moved = rpMoveMotion(motion, rpGroundTransform_Invert(start), error);
	rpDestroyMotion(motion);
	return moved;
}

static rpMotion* make(const void* context, const float* asked, double fps, float* nearest, rpError* error)
{
	const rpPerformedSpace* space = context;
	rpPerformDef def = space->def;
	for (int i = 0; i < space->parameterCount; ++i)
	{
		rpParameterRange range;
		rpParameter parameter = space->parameters[i];
		if (!isfinite(asked[i]))
		{
			rpFail(error, rp_errorArgument, "%s is no number", rpParameter_GetName(parameter));
			return NULL;
		}
		bool isThere = rpAct_GetRange(def.act, parameter, &range);
		nearest[i] = isThere ? fminf(fmaxf(asked[i], range.low), range.high) : asked[i];
		def.parameters[parameter] = nearest[i];
	}
	def.fps = fps > 0.0 ? fps : def.fps;
	return putAtOrigin(rpPerform(&def, error), error);
}

bool rpOpenPerformedSpace(const rpPerformedSpace* space, rpMotionSource* out, rpError* error)
{
	*out = (rpMotionSource){.parameterCount = space->parameterCount, .make = make, .context = space};
	for (int i = 0; i < space->parameterCount; ++i)
	{
		rpParameterRange range;
		rpParameter parameter = space->parameters[i];
		rpSpaceParameter* own = &out->parameters[i];
		if (!rpAct_GetRange(space->def.act, parameter, &range))
		{
			return rpFail(error, rp_errorArgument, "%s takes no %s", rpAct_GetName(space->def.act),
						  rpParameter_GetName(parameter));
		}
		snprintf(own->name, sizeof(own->name), "%s", rpParameter_GetName(parameter));
		snprintf(own->key, sizeof(own->key), "%s", rpParameter_GetKey(parameter));
		own->isAngle = rpParameter_IsAngle(parameter);
		own->low = range.low;
		own->high = range.high;
	}
	return true;
}
