/// The kinds of movement that locomotion is made of: Table 1 of Kwon & Shin 2005, "Motion modeling for on-line
/// locomotion synthesis".
#include "base/assert.h"
#include "reprise/play/locomotion.h"

#include <string.h>

/// A row of the table.
typedef struct KindRow
{
	const char* string;
	rpGait before, after;
	char foot;
} KindRow;

static const KindRow s_rows[rp_movementKindCount] = {
#define X(string, before, after, foot) {#string, rp_gait##before, rp_gait##after, foot},
	RP_MOVEMENTS(X)
#undef X
};

const char* rpGait_GetName(rpGait gait)
{
	static const char* const names[rp_gaitCount] = {"stand", "walk", "run"};
	RP_ASSERT((int)gait >= 0 && gait < rp_gaitCount);
	return names[gait];
}

static const KindRow* getRow(rpMovementKind kind)
{
	RP_ASSERT((int)kind >= 0 && kind < rp_movementKindCount);
	return s_rows + kind;
}

const char* rpMovementKind_GetString(rpMovementKind kind)
{
	return getRow(kind)->string;
}

rpGait rpMovementKind_GetBefore(rpMovementKind kind)
{
	return getRow(kind)->before;
}

rpGait rpMovementKind_GetAfter(rpMovementKind kind)
{
	return getRow(kind)->after;
}

char rpMovementKind_GetFoot(rpMovementKind kind)
{
	return getRow(kind)->foot;
}

rpMovementKind rpMovementKind_Find(const char* string)
{
	int kind = 0;
	while (kind < rp_movementKindCount && strcmp(string, s_rows[kind].string) != 0)
	{
		++kind;
	}
	return (rpMovementKind)kind;
}
