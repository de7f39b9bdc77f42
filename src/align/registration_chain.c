/// Far examples through the chain of near ones: every pair is measured, a minimum spanning tree joins those that are
/// nearest (R. C. Prim, Shortest connection networks and some generalizations, 1957), and registrations are composed
/// along it.
#include "align/registration_chain.h"
#include "base/error.h"
#include "base/memory.h"

// Max frame pairs of a grid that is kept whole, 1 GB.
#define MAX_CELLS 268435456.0

/// What is needed to register pairs.
typedef struct Workshop
{
	const rpRegistrationDef* def;
	const rpMetric* metric;

	/// [count], the chain's.
	rpProfile** profiles;
	int count;

	/// Room for the largest grid of two.
	float* grid;

	/// [count * count]
	double* costs;
} Workshop;

void rpMotionChain_Free(rpMotionChain* chain)
{
	for (int m = 0; chain->curves != NULL && m < chain->count; ++m)
	{
		rpTimeCurve_Free(chain->curves + m);
	}
	for (int m = 0; chain->profiles != NULL && m < chain->count; ++m)
	{
		rpDestroyProfile(chain->profiles[m]);
	}
	rpFree(chain->profiles);
	rpDestroyMetric(chain->ownMetric);
	rpFree(chain->links);
	rpFree(chain->curves);
	rpFree(chain->order);
	rpFree(chain->towards);
	*chain = (rpMotionChain){0};
}

static void freeWorkshop(Workshop* shop)
{
	rpFree(shop->grid);
	rpFree(shop->costs);
}

static bool makeProfiles(rpMotionChain* chain, const rpMetric* metric, rpError* error)
{
	if (metric == NULL)
	{
		rpMetricDef metricDef = rpDefaultMetricDef();
		metric = chain->ownMetric = rpCreateMetric(chain->motions[0]->skeleton, &metricDef, error);
	}
	chain->metric = metric;
	chain->profiles = metric != NULL ? rpAllocateZero((size_t)chain->count, sizeof(rpProfile*), error) : NULL;
	bool done = chain->profiles != NULL;
	for (int m = 0; done && m < chain->count; ++m)
	{
		chain->profiles[m] = rpCreateProfile(metric, chain->motions[m], error);
		done = chain->profiles[m] != NULL;
	}
	return done;
}

static bool makeGrid(Workshop* shop, rpError* error)
{
	// The two longest meet somewhere.
	double longest = 0.0, second = 0.0;
	for (int m = 0; m < shop->count; ++m)
	{
		double frames = rpProfile_GetFrameCount(shop->profiles[m]);
		second = fmax(second, fmin(frames, longest));
		longest = fmax(longest, frames);
	}
	if (longest * second > MAX_CELLS)
	{
		rpFail(error, rp_errorLimit, "motions of %.0f and %.0f frames at %g Hz are too long to be registered", longest,
			   second, rpMetric_GetRate(shop->metric));
		rpError_SetHint(error, "crop them to the action that they have in common");
		return false;
	}
	shop->grid = rpAllocate((size_t)(longest * second), sizeof(float), error);
	return shop->grid != NULL;
}

static bool makeWorkshop(Workshop* shop, const rpMotionChain* chain, const rpRegistrationDef* def, rpError* error)
{
	size_t count = (size_t)chain->count;
	*shop = (Workshop){def, chain->metric, chain->profiles, chain->count, NULL, NULL};
	shop->costs = rpAllocateZero(count * count, sizeof(double), error);
	return shop->costs != NULL && makeGrid(shop, error);
}

static bool measurePairs(Workshop* shop, rpError* error)
{
	bool done = true;
	for (int a = 0; done && a < shop->count; ++a)
	{
		for (int b = a + 1; done && b < shop->count; ++b)
		{
			double cost = 0.0;
			// A pair needs no choice.
			done = shop->count == 2 || rpMeasurePair(shop->def, shop->metric, shop->profiles[a], shop->profiles[b],
													 shop->grid, &cost, error);
			shop->costs[a * shop->count + b] = shop->costs[b * shop->count + a] = cost;
		}
	}
	return done;
}

// The one nearest to all others.
static int chooseRoot(const Workshop* shop)
{
	int root = 0;
	double min = INFINITY;
	for (int m = 0; m < shop->count; ++m)
	{
		double sum = 0.0;
		for (int other = 0; other < shop->count; ++other)
		{
			sum += shop->costs[m * shop->count + other];
		}
		root = sum < min ? m : root;
		min = fmin(sum, min);
	}
	return root;
}

// Prim: again and again the motion outside that is nearest to one inside. -2 marks those outside.
static bool linkNearest(const Workshop* shop, rpMotionChain* chain, int root, rpError* error)
{
	int count = chain->count;
	for (int m = 0; m < count; ++m)
	{
		chain->links[m] = m == root ? -1 : -2;
	}
	for (int n = 1; n < count; ++n)
	{
		int from = -1, to = -1;
		double min = INFINITY;
		for (int pair = 0; pair < count * count; ++pair)
		{
			int inside = pair / count, outside = pair % count;
			if (chain->links[inside] != -2 && chain->links[outside] == -2 && shop->costs[pair] < min)
			{
				min = shop->costs[pair];
				from = inside;
				to = outside;
			}
		}
		if (to < 0)
		{
			rpFail(error, rp_errorNoSolution, "no path brings all %d motions into one time: one is too long", count);
			rpError_SetHint(error, "crop the longer ones, allow a steeper path, or leave the ends free");
			return false;
		}
		chain->links[to] = from;
	}
	return true;
}

// The order of motions, seen from motion 0.
static void orderFromFirst(rpMotionChain* chain)
{
	for (int m = 0; m < chain->count; ++m)
	{
		chain->towards[m] = m == 0 ? -1 : -2;
	}
	chain->order[0] = 0;
	for (int done = 0, known = 1; done < known; ++done)
	{
		int at = chain->order[done];
		for (int m = 0; m < chain->count; ++m)
		{
			bool joined = chain->links[m] == at || chain->links[at] == m;
			if (joined && chain->towards[m] == -2)
			{
				chain->towards[m] = at;
				chain->order[known++] = m;
			}
		}
	}
}

static bool registerPairs(const Workshop* shop, rpMotionChain* chain, rpError* error)
{
	bool done = true;
	for (int m = 0; done && m < chain->count; ++m)
	{
		int link = chain->links[m];
		done =
			link < 0 || rpRegisterPair(shop->def, shop->metric, shop->profiles[link], shop->profiles[m],
									   chain->motions[link], chain->motions[m], shop->grid, chain->curves + m, error);
	}
	return done;
}

bool rpMotionChain_Init(rpMotionChain* chain, const rpMotion* const* motions, int count, const rpRegistrationDef* def,
						rpError* error)
{
	*chain = (rpMotionChain){.motions = motions, .count = count};
	chain->links = rpAllocate((size_t)count, sizeof(int), error);
	chain->order = chain->links != NULL ? rpAllocate((size_t)count, sizeof(int), error) : NULL;
	chain->towards = chain->order != NULL ? rpAllocate((size_t)count, sizeof(int), error) : NULL;
	chain->curves = chain->towards != NULL ? rpAllocateZero((size_t)count, sizeof(rpTimeCurve), error) : NULL;
	Workshop shop = {0};
	bool done = chain->curves != NULL && makeProfiles(chain, def->metric, error) &&
				makeWorkshop(&shop, chain, def, error) && measurePairs(&shop, error);
	done = done && linkNearest(&shop, chain, def->reference >= 0 ? def->reference : chooseRoot(&shop), error);
	if (done)
	{
		orderFromFirst(chain);
		done = registerPairs(&shop, chain, error);
	}
	freeWorkshop(&shop);
	return done;
}

// The pair that a motion shares with its neighbour towards motion 0. `forward` where that neighbour is its a.
static rpTimeCurve* getPair(const rpMotionChain* chain, int motion, bool* forward)
{
	int next = chain->towards[motion];
	*forward = chain->links[motion] == next;
	return chain->curves + (*forward ? motion : next);
}

void rpMotionChain_GetTimes(const rpMotionChain* chain, double seconds, double* out)
{
	out[0] = seconds;
	for (int n = 1; n < chain->count; ++n)
	{
		int m = chain->order[n];
		bool forward;
		const rpTimeCurve* pair = getPair(chain, m, &forward);
		double from = out[chain->towards[m]];
		out[m] = forward ? rpTimeCurve_Apply(pair, from) : rpTimeCurve_Invert(pair, from);
	}
}

double rpMotionChain_GetReference(const rpMotionChain* chain, int motion, double seconds)
{
	for (int m = motion; m != 0; m = chain->towards[m])
	{
		bool forward;
		const rpTimeCurve* pair = getPair(chain, m, &forward);
		seconds = forward ? rpTimeCurve_Invert(pair, seconds) : rpTimeCurve_Apply(pair, seconds);
	}
	return seconds;
}

void rpMotionChain_GetStretch(const rpMotionChain* chain, double* start, double* end)
{
	*start = 0.0;
	*end = rpMotion_GetDuration(chain->motions[0]);
	for (int m = 1; m < chain->count; ++m)
	{
		bool forward;
		const rpTimeCurve* pair = getPair(chain, m, &forward);
		const double* times = pair->times + (forward ? 0 : pair->keyCount);
		int next = chain->towards[m];
		*start = fmax(*start, rpMotionChain_GetReference(chain, next, times[0]));
		*end = fmin(*end, rpMotionChain_GetReference(chain, next, times[pair->keyCount - 1]));
	}
}

void rpMotionChain_GetGrounds(const rpMotionChain* chain, const double* times, rpGroundTransform* out)
{
	out[0] = rpGroundTransform_identity;
	for (int n = 1; n < chain->count; ++n)
	{
		int m = chain->order[n], next = chain->towards[m];
		bool forward;
		rpTimeCurve* pair = getPair(chain, m, &forward);
		rpGroundTransform ground = rpTimeCurve_GetGround(pair, times[forward ? next : m], times[forward ? m : next]);
		out[m] = rpGroundTransform_Compose(out[next], forward ? ground : rpGroundTransform_Invert(ground));
	}
}

static int getFrame(const rpMotionChain* chain, int motion, double seconds)
{
	double last = rpProfile_GetFrameCount(chain->profiles[motion]) - 1;
	return (int)fmin(fmax(round(seconds * rpMetric_GetRate(chain->metric)), 0.0), last);
}

double rpMotionChain_Measure(const rpMotionChain* chain, const double* times)
{
	double sum = 0.0;
	for (int m = 0; m < chain->count; ++m)
	{
		int link = chain->links[m];
		sum += link < 0 ? 0.0
						: rpMetric_Distance(chain->metric, chain->profiles[link], getFrame(chain, link, times[link]),
											chain->profiles[m], getFrame(chain, m, times[m]), NULL);
	}
	return sum / (chain->count - 1);
}
