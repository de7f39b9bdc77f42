/// Registration curves of two or more motions (L. Kovar & M. Gleicher, Flexible automatic motion blending with
/// registration curves, 2003): keys of time and place at even distances, and where feet come down or leave the ground.
#include "align/contact_match.h"
#include "align/registration_chain.h"
#include "base/error.h"
#include "base/memory.h"

// Even keys nearer than this part of their distance to a contact's key are left out.
#define CLOSEST_SHARE 0.35

// Contacts are matched if that takes the motions no further apart than this share of their distance along the path, and
// so many metres: what was found of contacts may be wrong. Of 41 pairs of neighbouring walks of 16, 35 and 69, whole
// feet take those that match 1 to 4 mm further apart, which is what a frame or two of a walker's contacts are worth. Of
// heels and balls more is asked: heels rise slowly, and whole feet are left to try.
#define WORST_SHARE 1.06
#define WORST_METRES 0.004
#define WORST_POINT_SHARE 1.03
#define WORST_POINT_METRES 0.002

// Between contacts no motion is slower than this share of its mean speed there.
#define MIN_SPEED 0.25

rpRegistrationDef rpDefaultRegistrationDef(void)
{
	return (rpRegistrationDef){.slopeLimit = 3, .knotSpacing = 0.1, .reference = -1};
}

static bool checkMotion(const rpMotion* const* motions, int m, rpError* error)
{
	if (!rpSkeleton_Matches(motions[m]->skeleton, motions[0]->skeleton))
	{
		rpFail(error, rp_errorArgument, "\"%s\" has another skeleton than \"%s\"", motions[m]->name, motions[0]->name);
		rpError_SetHint(error, "bring one of them onto the other's: reprise convert %s --onto %s -o OUT.bvh",
						motions[m]->name, motions[0]->name);
		return false;
	}
	if (motions[m]->frameCount < 2)
	{
		return rpFail(error, rp_errorArgument, "\"%s\" has a single frame, and no time that could be aligned",
					  motions[m]->name);
	}
	return true;
}

static bool checkDef(const rpMotion* const* motions, int count, const rpRegistrationDef* def, rpError* error)
{
	if (count < 2)
	{
		return rpFail(error, rp_errorArgument, "%d motions; a registration needs two or more", count);
	}
	if (def->slopeLimit < 1 || def->slopeLimit > 1000)
	{
		return rpFail(error, rp_errorArgument, "a slope limit of %d steps; it must be 1 to 1000", def->slopeLimit);
	}
	if (!(def->knotSpacing >= 1e-3 && def->knotSpacing <= 1e3))
	{
		return rpFail(error, rp_errorArgument, "keys %g s apart; the distance must be 0.001 to 1000 s",
					  def->knotSpacing);
	}
	if (def->reference >= count)
	{
		return rpFail(error, rp_errorArgument, "reference %d of %d motions", def->reference, count);
	}
	bool done = true;
	for (int m = 0; done && m < count; ++m)
	{
		done = checkMotion(motions, m, error);
	}
	return done;
}

/// Keys while they are found: times of all motions, key by key.
typedef struct KeyList
{
	const rpMotionChain* chain;

	/// [keyCount * motionCount]
	double* times;
	int keyCount, capacity;

	/// [motionCount] each: where the last fixed key was and the next one is; and room for one key.
	double *from, *to, *now;
	double *fromShift, *toShift;
} KeyList;

static void freeKeys(KeyList* keys)
{
	rpFree(keys->times);
	rpFree(keys->from);
}

static bool addKey(KeyList* keys, const double* times, rpError* error)
{
	size_t size = sizeof(double) * (size_t)keys->chain->count;
	if (!rpGrow(&keys->times, &keys->capacity, keys->keyCount, size, error))
	{
		return false;
	}
	for (int m = 0; m < keys->chain->count; ++m)
	{
		keys->times[(ptrdiff_t)keys->keyCount * keys->chain->count + m] = times[m];
	}
	++keys->keyCount;
	return true;
}

// Whether the key `now` is after the last one and before the next fixed one in every motion.
static bool isBetween(const KeyList* keys)
{
	int count = keys->chain->count;
	const double* last = keys->times + (ptrdiff_t)(keys->keyCount - 1) * count;
	bool between = true;
	for (int m = 0; m < count; ++m)
	{
		double min = 1e-3 * (keys->to[m] - keys->from[m]);
		between = between && keys->now[m] > last[m] + 1e-2 * min && keys->now[m] < keys->to[m] - min;
	}
	return between;
}

// A key between two fixed ones: where the chain has it, moved as they were moved, and not too near to one of them in
// any motion.
static void placeKey(KeyList* keys, double seconds)
{
	double share = (seconds - keys->from[0]) / (keys->to[0] - keys->from[0]);
	rpMotionChain_GetTimes(keys->chain, seconds, keys->now);
	for (int m = 1; m < keys->chain->count; ++m)
	{
		double length = keys->to[m] - keys->from[m];
		double time = keys->now[m] + keys->fromShift[m] + share * (keys->toShift[m] - keys->fromShift[m]);
		double earliest = keys->from[m] + MIN_SPEED * share * length;
		double latest = keys->to[m] - MIN_SPEED * (1.0 - share) * length;
		keys->now[m] = fmin(fmax(time, earliest), latest);
	}
}

// Even keys up to the next fixed one, and that.
static bool addStretch(KeyList* keys, double spacing, double start, const double* to, rpError* error)
{
	int count = keys->chain->count;
	rpMotionChain_GetTimes(keys->chain, to[0], keys->toShift);
	for (int m = 0; m < count; ++m)
	{
		keys->to[m] = to[m];
		keys->toShift[m] = to[m] - keys->toShift[m];
	}
	double closest = CLOSEST_SHARE * spacing;
	double first = ceil((keys->from[0] + closest - start) / spacing);
	bool done = true;
	for (double n = first; done && start + n * spacing <= to[0] - closest; ++n)
	{
		placeKey(keys, start + n * spacing);
		done = !isBetween(keys) || addKey(keys, keys->now, error);
	}
	for (int m = 0; m < count; ++m)
	{
		keys->from[m] = keys->to[m];
		keys->fromShift[m] = keys->toShift[m];
	}
	return done && addKey(keys, to, error);
}

static double toReference(void* context, int motion, double seconds)
{
	return rpMotionChain_GetReference(context, motion, seconds);
}

static bool makeStages(rpRegistration* registration, const rpContactMatch* match, const int* fixedKeys, rpError* error)
{
	if (!match->same)
	{
		return true;
	}
	registration->stageCount = match->momentCount + 1;
	registration->stages = rpAllocate((size_t)registration->stageCount, sizeof(rpStage), error);
	for (int s = 0; registration->stages != NULL && s < registration->stageCount; ++s)
	{
		registration->stages[s] = (rpStage){fixedKeys[s], fixedKeys[s + 1], match->contacts[s]};
	}
	return registration->stages != NULL;
}

// All keys between two moments, and the stages between contacts.
static bool fillKeys(KeyList* keys, const rpRegistrationDef* def, const double* starts, const double* ends,
					 const rpContactMatch* match, rpRegistration* registration, rpError* error)
{
	int momentCount = match->momentCount;
	int* fixedKeys = rpAllocate((size_t)momentCount + 2, sizeof(int), error);
	bool done = fixedKeys != NULL && addKey(keys, starts, error);
	// Even keys share the rest of the stretch, so that they are evenly spaced where nothing is fixed.
	double length = ends[0] - starts[0];
	double spacing = length / fmax(round(length / def->knotSpacing), 1.0);
	for (int m = 0; done && m < keys->chain->count; ++m)
	{
		keys->from[m] = starts[m];
		keys->fromShift[m] = 0.0;
	}
	for (int n = 0; done && n <= momentCount; ++n)
	{
		fixedKeys[n] = keys->keyCount - 1;
		done = addStretch(keys, spacing, starts[0],
						  n < momentCount ? match->times + (ptrdiff_t)n * keys->chain->count : ends, error);
	}
	if (done)
	{
		fixedKeys[momentCount + 1] = keys->keyCount - 1;
		done = makeStages(registration, match, fixedKeys, error);
	}
	rpFree(fixedKeys);
	return done;
}

// The stretch that all have in common, in each one's time.
static bool getEnds(const rpMotionChain* chain, const rpRegistrationDef* def, double* starts, double* ends,
					rpError* error)
{
	double start, end;
	rpMotionChain_GetStretch(chain, &start, &end);
	if (!(end - start > 1.0 / chain->motions[0]->fps))
	{
		return rpFail(error, rp_errorNoSolution, "the %d motions have no stretch in common", chain->count);
	}
	rpMotionChain_GetTimes(chain, start, starts);
	rpMotionChain_GetTimes(chain, end, ends);
	for (int m = 0; m < chain->count; ++m)
	{
		double duration = rpMotion_GetDuration(chain->motions[m]);
		starts[m] = def->freeEnds ? fmin(fmax(starts[m], 0.0), duration) : 0.0;
		ends[m] = def->freeEnds ? fmin(fmax(ends[m], 0.0), duration) : duration;
	}
	return true;
}

// Whether the motions are about as near to each other at the keys as the path has them at the same moments of the
// first.
static bool agreesWithPath(const KeyList* keys, bool wholeFeet)
{
	double matched = 0.0, along = 0.0;
	for (int k = 0; k < keys->keyCount; ++k)
	{
		const double* times = keys->times + (ptrdiff_t)k * keys->chain->count;
		matched += rpMotionChain_Measure(keys->chain, times) / keys->keyCount;
		rpMotionChain_GetTimes(keys->chain, times[0], keys->now);
		along += rpMotionChain_Measure(keys->chain, keys->now) / keys->keyCount;
	}
	return matched <= (wholeFeet ? WORST_SHARE * along + WORST_METRES : WORST_POINT_SHARE * along + WORST_POINT_METRES);
}

// Keys with contacts; *agrees says whether those agree with the path.
static bool tryKeys(KeyList* keys, const rpRegistrationDef* def, const double* starts, const double* ends,
					const rpContactMatch* match, rpRegistration* registration, bool wholeFeet, bool* agrees,
					rpError* error)
{
	rpFree(registration->stages);
	registration->stages = NULL;
	registration->stageCount = 0;
	keys->keyCount = 0;
	bool done = fillKeys(keys, def, starts, ends, match, registration, error);
	*agrees = done && (!match->same || agreesWithPath(keys, wholeFeet));
	return done;
}

// Keys with contacts of heels and balls, or of whole feet, whichever agree with the path; else without.
static bool chooseKeys(KeyList* keys, const rpRegistrationDef* def, const double* starts, const double* ends,
					   rpRegistration* registration, rpError* error)
{
	const rpMotionChain* chain = keys->chain;
	bool done = true, agrees = false;
	for (int i = 0; done && !agrees && i < 2; ++i)
	{
		rpContactMatchDef matchDef = {chain->motions, chain->count, starts, ends, toReference, (void*)chain, i == 1};
		rpContactMatch match = {0};
		done = rpMatchContacts(&matchDef, &match, error) &&
			   tryKeys(keys, def, starts, ends, &match, registration, i == 1, &agrees, error);
		rpContactMatch_Free(&match);
	}
	const rpContactMatch none = {0};
	return done && (agrees || tryKeys(keys, def, starts, ends, &none, registration, true, &agrees, error));
}

static bool makeKeys(KeyList* keys, const rpRegistrationDef* def, rpRegistration* registration, rpError* error)
{
	const rpMotionChain* chain = keys->chain;
	size_t count = (size_t)chain->count;
	double* memory = rpAllocate(7 * count, sizeof(double), error);
	if (memory == NULL)
	{
		return false;
	}
	keys->from = memory;
	keys->to = memory + count;
	keys->now = memory + 2 * count;
	keys->fromShift = memory + 3 * count;
	keys->toShift = memory + 4 * count;
	double *starts = memory + 5 * count, *ends = memory + 6 * count;
	return getEnds(chain, def, starts, ends, error) && chooseKeys(keys, def, starts, ends, registration, error);
}

// Turns of consecutive keys differ by less than half a turn.
static void unwrapGrounds(rpGroundTransform* grounds, int count)
{
	for (int k = 1; k < count; ++k)
	{
		grounds[k].turn = grounds[k - 1].turn + rpWrapAngle(grounds[k].turn - grounds[k - 1].turn);
	}
}

static bool checkKeys(const rpRegistration* registration, rpError* error)
{
	for (int m = 0; m < registration->motionCount; ++m)
	{
		const double* times = registration->times + (ptrdiff_t)m * registration->keyCount;
		for (int k = 1; k < registration->keyCount; ++k)
		{
			if (!(times[k] > times[k - 1]))
			{
				return rpFail(error, rp_errorNoSolution, "time would stand still in \"%s\" at %g s",
							  registration->motions[m]->name, times[k]);
			}
		}
	}
	return true;
}

// Keys by motion, with what takes each motion onto the first.
static bool storeKeys(const KeyList* keys, rpRegistration* registration, rpError* error)
{
	const rpMotionChain* chain = keys->chain;
	size_t count = (size_t)chain->count, keyCount = (size_t)keys->keyCount;
	registration->keyCount = keys->keyCount;
	registration->times = rpAllocate(count * keyCount, sizeof(double), error);
	registration->grounds =
		registration->times != NULL ? rpAllocate(count * keyCount, sizeof(rpGroundTransform), error) : NULL;
	rpGroundTransform* grounds =
		registration->grounds != NULL ? rpAllocate(count, sizeof(rpGroundTransform), error) : NULL;
	for (size_t k = 0; grounds != NULL && k < keyCount; ++k)
	{
		rpMotionChain_GetGrounds(chain, keys->times + k * count, grounds);
		for (size_t m = 0; m < count; ++m)
		{
			registration->times[m * keyCount + k] = keys->times[k * count + m];
			registration->grounds[m * keyCount + k] = grounds[m];
		}
	}
	for (size_t m = 0; grounds != NULL && m < count; ++m)
	{
		unwrapGrounds(registration->grounds + m * keyCount, registration->keyCount);
	}
	rpFree(grounds);
	return grounds != NULL && checkKeys(registration, error);
}

static bool storeChain(const rpMotionChain* chain, rpRegistration* registration, rpError* error)
{
	size_t count = (size_t)chain->count;
	registration->motionCount = chain->count;
	registration->motions = rpAllocate(count, sizeof(rpMotion*), error);
	registration->costs = registration->motions != NULL ? rpAllocate(count, sizeof(float), error) : NULL;
	registration->links = registration->costs != NULL ? rpAllocate(count, sizeof(int), error) : NULL;
	for (size_t m = 0; registration->links != NULL && m < count; ++m)
	{
		registration->motions[m] = chain->motions[m];
		registration->costs[m] = (float)chain->curves[m].cost;
		registration->links[m] = chain->links[m];
	}
	return registration->links != NULL;
}

static bool build(const rpMotion* const* motions, int count, const rpRegistrationDef* def, rpRegistration* registration,
				  rpError* error)
{
	rpMotionChain chain;
	KeyList keys = {.chain = &chain};
	bool done = rpMotionChain_Init(&chain, motions, count, def, error) && storeChain(&chain, registration, error) &&
				makeKeys(&keys, def, registration, error) && storeKeys(&keys, registration, error);
	freeKeys(&keys);
	rpMotionChain_Free(&chain);
	return done;
}

rpRegistration* rpCreateRegistration(const rpMotion* const* motions, int count, const rpRegistrationDef* def,
									 rpError* error)
{
	rpRegistrationDef ownDef = def != NULL ? *def : rpDefaultRegistrationDef();
	if (!checkDef(motions, count, &ownDef, error))
	{
		return NULL;
	}
	rpRegistration* registration = rpAllocateZero(1, sizeof(rpRegistration), error);
	if (registration != NULL && !build(motions, count, &ownDef, registration, error))
	{
		rpDestroyRegistration(registration);
		registration = NULL;
	}
	return registration;
}
