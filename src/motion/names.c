/// Names of roles, effectors and tracks, made from the lists in the headers.
#include "reprise/play/annotation.h"

#include <string.h>

#define X(enumerator, name, mirrored) [rp_##enumerator] = name,
static const char* const s_roleNames[rp_roleCount] = {[rp_roleNone] = "none", RP_ROLES(X)};
static const char* const s_effectorNames[rp_effectorCount] = {RP_EFFECTORS(X)};
#undef X

#define X(enumerator, name, mirrored) [rp_##enumerator] = rp_##mirrored,
static const rpRole s_mirroredRoles[rp_roleCount] = {[rp_roleNone] = rp_roleNone, RP_ROLES(X)};
static const rpEffector s_mirroredEffectors[rp_effectorCount] = {RP_EFFECTORS(X)};
#undef X

static int findName(const char* const* names, int count, const char* name)
{
	for (int i = 0; i < count; ++i)
	{
		if (strcmp(names[i], name) == 0)
		{
			return i;
		}
	}
	return -1;
}

const char* rpRole_GetName(rpRole role)
{
	return (unsigned)role < rp_roleCount ? s_roleNames[role] : "none";
}

rpRole rpRole_Find(const char* name)
{
	int index = findName(s_roleNames, rp_roleCount, name);
	return index < 0 ? rp_roleNone : (rpRole)index;
}

rpRole rpRole_Mirror(rpRole role)
{
	return (unsigned)role < rp_roleCount ? s_mirroredRoles[role] : rp_roleNone;
}

const char* rpEffector_GetName(rpEffector effector)
{
	return (unsigned)effector < rp_effectorCount ? s_effectorNames[effector] : "none";
}

rpEffector rpEffector_Find(const char* name)
{
	int index = findName(s_effectorNames, rp_effectorCount, name);
	return index < 0 ? rp_effectorCount : (rpEffector)index;
}

rpEffector rpEffector_Mirror(rpEffector effector)
{
	return (unsigned)effector < rp_effectorCount ? s_mirroredEffectors[effector] : rp_effectorCount;
}

const char* rpTrack_GetName(rpTrack track)
{
	static const char* const names[rp_trackCount] = {"label", "contact", "phase", "source"};
	return (unsigned)track < rp_trackCount ? names[track] : "none";
}
