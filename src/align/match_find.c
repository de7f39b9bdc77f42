/// Everything in several motions that does the same as a stretch of one of them.
#include "align/match_gap.h"
#include "align/match_growth.h"
#include "align/match_web.h"
#include "align/time_path.h"
#include "base/error.h"
#include "base/memory.h"
#include "reprise/edit.h"
#include "reprise/match.h"

#include <math.h>

// Shortest and longest query, seconds: less than half a window of the metric around tells nothing apart, and the time
// that a search takes grows with the square of the query.
#define SHORTEST 0.2
#define LONGEST 30.0

rpMatchDef rpDefaultMatchDef(void)
{
	return (rpMatchDef){.chains = true, .slopeLimit = 3, .stretchLimit = 2.0};
}

/// A search at work.
typedef struct Hunt
{
	const rpMatchDef* def;
	const rpMetric* metric;
	rpMetric* ownMetric;

	/// A profile for each motion, then, where mirror images are searched, one for each of these.
	rpProfile** profiles;
	int motionCount, profileCount;

	rpMatchShape shape;
	rpMatchSearcher searcher;

	/// Where to look, and whether that is everywhere.
	rpStartRanges ranges;
	bool isWhole;
	rpMatchGrowth growth;
	rpFoundStretches found;
	int searchCount;
} Hunt;

static void freeHunt(Hunt* hunt)
{
	rpMatchSearcher_Free(&hunt->searcher);
	rpMatchGrowth_Free(&hunt->growth);
	rpFree(hunt->ranges.items);
	rpFree(hunt->found.items);
	for (int p = 0; hunt->profiles != NULL && p < hunt->profileCount; ++p)
	{
		rpDestroyProfile(hunt->profiles[p]);
	}
	rpFree(hunt->profiles);
	rpDestroyMetric(hunt->ownMetric);
}

// ---- what is asked for

static bool checkDef(const rpMatchDef* def, rpError* error)
{
	if (!(def->threshold >= 0.0f && def->threshold <= 10.0f))
	{
		return rpFail(error, rp_errorArgument, "a threshold of %g m; it must be 0 to 10", (double)def->threshold);
	}
	if (def->slopeLimit < 1 || def->slopeLimit > RP_MAX_MATCH_SLOPE)
	{
		return rpFail(error, rp_errorArgument, "a slope limit of %d steps; it must be 1 to %d", def->slopeLimit,
					  RP_MAX_MATCH_SLOPE);
	}
	if (!(def->stretchLimit >= 1.0 && def->stretchLimit <= 1.0 + def->slopeLimit))
	{
		return rpFail(error, rp_errorArgument, "matches up to %g times as long; it must be 1 to %d", def->stretchLimit,
					  1 + def->slopeLimit);
	}
	return true;
}

static bool checkQuery(const rpMotion* const* motions, int count, const rpStretch* query, const rpMatchDef* def,
					   rpError* error)
{
	if (query->clip < 0 || query->clip >= count || (query->isMirror && !def->mirror))
	{
		return rpFail(error, rp_errorArgument, "the query is in motion %d%s, which is not searched", query->clip,
					  query->isMirror ? "'s mirror image" : "");
	}
	const rpMotion* motion = motions[query->clip];
	double duration = rpMotion_GetDuration(motion), slack = 0.5 / motion->fps;
	if (!(query->start >= 0.0 && query->end > query->start && query->end <= duration + slack))
	{
		return rpFail(error, rp_errorArgument, "the query, %g to %g s, is not in \"%.100s\", which lasts %.3f s",
					  query->start, query->end, motion->name, duration);
	}
	if (query->end - query->start < SHORTEST - 1e-9 || query->end - query->start > LONGEST)
	{
		return rpFail(error, rp_errorArgument, "a query of %.3g s; it must be %g to %g s", query->end - query->start,
					  SHORTEST, LONGEST);
	}
	return true;
}

static bool checkMotions(const rpMotion* const* motions, int count, rpError* error)
{
	for (int m = 1; m < count; ++m)
	{
		if (!rpSkeleton_Matches(motions[m]->skeleton, motions[0]->skeleton))
		{
			return rpFail(error, rp_errorArgument, "\"%.100s\" has another skeleton than \"%.100s\"", motions[m]->name,
						  motions[0]->name);
		}
	}
	return true;
}

// ---- what is searched

static bool stop(rpError* error)
{
	return rpFail(error, rp_errorCancelled, "the search was stopped");
}

static bool report(const Hunt* hunt, double fraction, const char* what, rpError* error)
{
	const rpMatchDef* def = hunt->def;
	return def->progress == NULL || def->progress(fraction, what, def->progressContext) || stop(error);
}

static bool seeMirrored(Hunt* hunt, const rpMotion* motion, int at, rpError* error)
{
	rpMotion* mirrored = rpMirrorMotion(motion, error);
	hunt->profiles[at] = mirrored != NULL ? rpCreateProfile(hunt->metric, mirrored, error) : NULL;
	rpDestroyMotion(mirrored);
	return hunt->profiles[at] != NULL;
}

static bool see(Hunt* hunt, const rpMotion* const* motions, rpError* error)
{
	hunt->profiles = rpAllocateZero((size_t)hunt->profileCount, sizeof(rpProfile*), error);
	bool done = hunt->profiles != NULL;
	for (int m = 0; m < hunt->motionCount && done; ++m)
	{
		hunt->profiles[m] = rpCreateProfile(hunt->metric, motions[m], error);
		done = hunt->profiles[m] != NULL &&
			   (!hunt->def->mirror || seeMirrored(hunt, motions[m], hunt->motionCount + m, error)) &&
			   report(hunt, 0.0, "looking at clips", error);
	}
	return done;
}

static bool makeMetric(Hunt* hunt, const rpSkeleton* skeleton, rpError* error)
{
	if (hunt->metric == NULL)
	{
		rpMetricDef def = rpDefaultMetricDef();
		hunt->metric = hunt->ownMetric = rpCreateMetric(skeleton, &def, error);
	}
	return hunt->metric != NULL;
}

static int toFrame(const rpProfile* profile, double rate, double seconds)
{
	int frame = (int)lround(seconds * rate), last = rpProfile_GetFrameCount(profile) - 1;
	return frame < last ? frame : last;
}

// Whether the web is of as many motions of the same lengths.
static bool fitsWeb(const Hunt* hunt)
{
	const rpMatchWeb* web = hunt->def->web;
	bool fits = web->profileCount == hunt->profileCount;
	for (int k = 0; fits && k < web->profileCount * web->profileCount; ++k)
	{
		int rows = rpWeb_CountTiles(rpProfile_GetFrameCount(hunt->profiles[k / web->profileCount]));
		int columns = rpWeb_CountTiles(rpProfile_GetFrameCount(hunt->profiles[k % web->profileCount]));
		fits = web->pairs[k].rows == rows && web->pairs[k].columns == columns;
	}
	return fits;
}

static bool begin(Hunt* hunt, const rpMotion* const* motions, const rpStretch* query, rpError* error)
{
	if (!makeMetric(hunt, motions[0]->skeleton, error) || !see(hunt, motions, error))
	{
		return false;
	}
	if (hunt->def->web != NULL && !fitsWeb(hunt))
	{
		return rpFail(error, rp_errorArgument, "the match web is one of other motions");
	}
	double rate = rpMetric_GetRate(hunt->metric);
	int profile = query->clip + (query->isMirror ? hunt->motionCount : 0);
	rpFrameStretch stretch = {profile, toFrame(hunt->profiles[profile], rate, query->start),
							  toFrame(hunt->profiles[profile], rate, query->end)};
	int frames = stretch.last - stretch.first + 1;
	if (frames < 3)
	{
		return rpFail(error, rp_errorArgument, "the query has %d frames at the metric's %g per second", frames, rate);
	}
	hunt->shape = rpMatchShape_Make(frames, hunt->def->slopeLimit, hunt->def->stretchLimit);
	stretch.last = stretch.first + (hunt->shape.rows - 1) * hunt->shape.hop;
	return rpMatchSearcher_Make(&hunt->searcher, hunt->metric, (const rpProfile* const*)hunt->profiles,
								hunt->profileCount, &hunt->shape, hunt->shape.maxSteps * hunt->shape.hop + 1,
								hunt->def->threads, error) &&
		   rpMatchGrowth_Begin(&hunt->growth, stretch, hunt->profileCount, error);
}

// ---- one after another

// Where to look: what the web says, or everywhere.
static bool listStarts(Hunt* hunt, rpFrameStretch query, float threshold, rpError* error)
{
	bool isWoven = hunt->def->web != NULL && rpWeb_Reaches(threshold);
	bool isWhole = hunt->isWhole;
	hunt->isWhole = !isWoven;
	if (!isWoven && isWhole)
	{
		return true;
	}
	hunt->ranges.count = 0;
	rpMatchShape shape = hunt->shape;
	shape.rows = (query.last - query.first) / shape.hop + 1;
	return isWoven
			   ? rpMatchWeb_ListStarts(hunt->def->web, query, &shape, threshold, &hunt->searcher, &hunt->ranges, error)
			   : rpMatchSearcher_ListAll(&hunt->searcher, &hunt->ranges, error);
}

static bool searchFrom(Hunt* hunt, int index, float threshold, rpError* error)
{
	rpFrameStretch query = hunt->growth.items[index].stretch;
	hunt->found.count = 0;
	++hunt->searchCount;
	return listStarts(hunt, query, threshold, error) &&
		   rpMatchSearcher_Find(&hunt->searcher, query, threshold, &hunt->ranges, &hunt->found, error) &&
		   rpMatchGrowth_Offer(&hunt->growth, index, &hunt->found, error);
}

// Accept what is within the threshold and search from it. *gap, which may be NULL, ends it where it is passed.
static bool growTo(Hunt* hunt, float threshold, rpMatchGap* gap, bool* isPassed, rpError* error)
{
	rpMatchGrowth* growth = &hunt->growth;
	bool accepted = true, done = true;
	while (done && accepted && !*isPassed)
	{
		float before = growth->items[growth->count - 1].farthest;
		done = rpMatchGrowth_Accept(growth, &accepted, error);
		if (!done || !accepted)
		{
			break;
		}
		// How many there will be is not known: those that wait are as many as that for all one can tell.
		double fraction = growth->count / (double)(growth->count + growth->waitingCount + 1);
		done = report(hunt, fraction, "searching", error) &&
			   (!hunt->def->chains || searchFrom(hunt, growth->count - 1, threshold, error));
		float reached = growth->items[growth->count - 1].farthest;
		bool isMixed = gap != NULL && rpMatchGrowth_IsMixed(growth);
		if (gap != NULL && (reached > before || isMixed))
		{
			*gap = rpFindMatchGap(growth, reached);
		}
		*isPassed = isMixed || (gap != NULL && rpMatchGap_IsPassed(gap, growth));
	}
	return done;
}

// Search again from all that were accepted, with another threshold.
static bool searchAgain(Hunt* hunt, float threshold, rpError* error)
{
	bool done = true;
	int count = hunt->def->chains ? hunt->growth.count : 1;
	for (int k = 0; k < count && done; ++k)
	{
		done = report(hunt, 0.0, "searching", error) && searchFrom(hunt, k, threshold, error);
	}
	return done;
}

// The threshold rises until the gap is passed: searches are the faster the lower it is. The list is that of one growth
// up to the last threshold.
#define GAP_STEP 1.4f

static bool growToGap(Hunt* hunt, rpMatchGap* gap, rpError* error)
{
	bool done = true, isPassed = false;
	float threshold = RP_MATCH_GAP_START / GAP_STEP;
	while (done && !isPassed && threshold < RP_MATCH_GAP_END)
	{
		threshold = fminf(threshold * GAP_STEP, RP_MATCH_GAP_END);
		done = searchAgain(hunt, threshold, error) && growTo(hunt, threshold, gap, &isPassed, error);
	}
	if (!isPassed)
	{
		*gap = rpFindMatchGap(&hunt->growth, RP_MATCH_GAP_END);
	}
	return done;
}

static bool growToThreshold(Hunt* hunt, float threshold, rpError* error)
{
	bool isPassed = false;
	return searchFrom(hunt, 0, threshold, error) && growTo(hunt, threshold, NULL, &isPassed, error);
}

// ---- what is told

// The diagonal steps of a path: where both motions go on. Its ends are among them.
static bool copyTimes(const Hunt* hunt, const rpTimePath* path, const rpGrownMatch* own, rpFrameStretch parent,
					  rpMatch* out, rpError* error)
{
	double rate = rpMetric_GetRate(hunt->metric);
	out->times = rpAllocate((size_t)path->count, sizeof(rpMatchedTime), error);
	int i = -1, j = -1, last = path->count - 1;
	for (int k = 0; out->times != NULL && k <= last; ++k)
	{
		bool isEnd = k == last, isBoth = path->i[k] > i && path->j[k] > j;
		if (!isBoth && !isEnd)
		{
			continue;
		}
		// The last cell may be beside the one before: it takes its place.
		out->timeCount -= isBoth ? 0 : 1;
		i = path->i[k];
		j = path->j[k];
		out->times[out->timeCount++] = (rpMatchedTime){(parent.first + i) / rate, (own->stretch.first + j) / rate};
	}
	return out->times != NULL;
}

static bool alignMatch(const Hunt* hunt, const rpGrownMatch* own, rpFrameStretch parent, rpMatch* out, rpError* error)
{
	int rows = parent.last - parent.first + 1, columns = own->stretch.last - own->stretch.first + 1;
	float* grid = rpAllocate((size_t)rows * (size_t)columns, sizeof(float), error);
	rpTimePath path = {0};
	bool done = grid != NULL && rpMatchSearcher_FillPair(&hunt->searcher, parent, own->stretch, grid, error) &&
				rpFindTimePath((rpGridView){grid, rows, columns}, hunt->def->slopeLimit, &path, error) &&
				copyTimes(hunt, &path, own, parent, out, error);
	rpTimePath_Free(&path);
	rpFree(grid);
	return done;
}

static bool tell(const Hunt* hunt, int index, rpMatch* out, rpError* error)
{
	const rpGrownMatch* own = &hunt->growth.items[index];
	double rate = rpMetric_GetRate(hunt->metric);
	*out = (rpMatch){
		.stretch = {.clip = own->stretch.profile % hunt->motionCount,
					.isMirror = own->stretch.profile >= hunt->motionCount,
					.start = own->stretch.first / rate,
					.end = own->stretch.last / rate},
		.parent = own->parent,
		.distance = own->distance,
		.farthest = own->farthest,
	};
	return alignMatch(hunt, own, hunt->growth.items[own->parent < 0 ? index : own->parent].stretch, out, error);
}

static rpMatches* tellAll(const Hunt* hunt, const rpMatchGap* gap, rpError* error)
{
	rpMatches* matches = rpAllocateZero(1, sizeof(rpMatches), error);
	bool done = matches != NULL;
	if (done)
	{
		matches->threshold = gap->threshold;
		matches->isAngle = hunt->metric->kind == rp_metricAngle;
		matches->isFromGap = hunt->def->threshold <= 0.0f;
		matches->isToPhase = gap->isToPhase;
		matches->gapLow = gap->low;
		matches->gapHigh = gap->high;
		matches->searchCount = hunt->searchCount;
		matches->items = rpAllocateZero((size_t)gap->count, sizeof(rpMatch), error);
		done = matches->items != NULL;
	}
	for (int k = 0; k < gap->count && done; ++k)
	{
		++matches->count;
		done = tell(hunt, k, &matches->items[k], error);
	}
	if (!done)
	{
		rpDestroyMatches(matches);
		matches = NULL;
	}
	return matches;
}

static rpMatches* hunt(Hunt* hunt, const rpMotion* const* motions, const rpStretch* query, rpError* error)
{
	rpMatchGap gap = {.threshold = hunt->def->threshold};
	bool isGiven = gap.threshold > 0.0f;
	if (!begin(hunt, motions, query, error) ||
		!(isGiven ? growToThreshold(hunt, gap.threshold, error) : growToGap(hunt, &gap, error)))
	{
		return NULL;
	}
	gap.count = isGiven ? hunt->growth.count : gap.count;
	return tellAll(hunt, &gap, error);
}

rpMatches* rpFindMatches(const rpMotion* const* motions, int count, const rpStretch* query, const rpMatchDef* def,
						 rpError* error)
{
	rpMatchDef defaults = rpDefaultMatchDef();
	def = def != NULL ? def : &defaults;
	if (!checkDef(def, error) || !checkMotions(motions, count, error) || !checkQuery(motions, count, query, def, error))
	{
		return NULL;
	}
	Hunt work = {
		.def = def, .metric = def->metric, .motionCount = count, .profileCount = def->mirror ? 2 * count : count};
	rpMatches* matches = hunt(&work, motions, query, error);
	freeHunt(&work);
	return matches;
}

void rpDestroyMatches(rpMatches* matches)
{
	if (matches == NULL)
	{
		return;
	}
	for (int k = 0; matches->items != NULL && k < matches->count; ++k)
	{
		rpFree(matches->items[k].times);
	}
	rpFree(matches->items);
	rpFree(matches);
}
