/// Moments at which the same happens to the feet of several motions.
#pragma once

#include "reprise/registration.h"

/// Motions with a stretch of each, and how their times belong together.
typedef struct rpContactMatchDef
{
	const rpMotion* const* motions;
	int count;

	/// [count], seconds: the stretch that is registered.
	const double* starts;
	const double* ends;

	/// The time of the first motion that belongs to one of another.
	double (*toReference)(void* context, int motion, double seconds);
	void* context;

	/// Match whole feet, even if their heels and balls would match.
	bool wholeFeet;
} rpContactMatchDef;

/// Moments, in order, at which feet come down or leave the ground in all motions. Zero-initialised is empty.
typedef struct rpContactMatch
{
	/// Whether all motions have the same sequence of contacts.
	bool same;

	/// [momentCount * count], strictly increasing for each motion.
	double* times;
	int momentCount;

	/// [momentCount + 1], bits (1u << rpEffector) of heels and balls that are in contact in all motions
	/// before, between and after the moments; where they rest on different parts of a foot, its ball.
	unsigned* contacts;
} rpContactMatch;

void rpContactMatch_Free(rpContactMatch* match);

/// Match the contacts of heels and balls, or where those differ those of the feet. What happens within 50 ms may happen
/// in another order in each motion: it then counts as one moment. `same` is false where a motion has no contacts, or
/// others. False when memory ran out.
RP_NODISCARD bool rpMatchContacts(const rpContactMatchDef* def, rpContactMatch* out, rpError* error);
