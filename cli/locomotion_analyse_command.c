#include "clip.h"
#include "command_options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// The takes, and what they are made of.
typedef struct Work
{
	cliClip* clips;
	const rpMotion** motions;
	int count;
	rpMovementDef def;
	const char* picture;
	rpMovements* movements;
} Work;

static bool getOptions(cliRun* run, Work* work)
{
	double prominence, speed;
	work->def = rpDefaultMovementDef();
	prominence = (double)work->def.prominence;
	speed = (double)work->def.standSpeed;
	work->picture = cliGet(run, "picture");
	if (!cliGetNumber(run, "prominence", 0.0, 1.0, &prominence) ||
		!cliGetNumber(run, "stand-speed", 0.0, 10.0, &speed) ||
		!cliGetNumber(run, "stand-seconds", 0.0, 60.0, &work->def.standSeconds))
		return false;
	work->def.prominence = (float)prominence;
	work->def.standSpeed = (float)speed;
	if (work->picture != NULL && !cliHasEnding(work->picture, ".png .svg"))
		return cliFailUsage(run, NULL, "--picture needs a name that ends in .png or .svg, not \"%s\"", work->picture);
	return true;
}

static bool load(cliRun* run, char** texts, Work* work)
{
	int count = 0;
	while (texts[count] != NULL)
		++count;
	work->clips = cliAllocate((size_t)count * sizeof(cliClip));
	work->motions = cliAllocate((size_t)count * sizeof(rpMotion*));
	for (; work->count < count; ++work->count)
	{
		cliClip* clip = &work->clips[work->count];
		if (!cliLoadClip(run, texts[work->count], clip))
			return false;
		cliSumFindings(run, clip->name, &clip->findings);
		work->motions[work->count] = clip->motion;
	}
	return work->picture == NULL || cliCheckOutput(run, work->picture);
}

static bool analyse(cliRun* run, Work* work)
{
	rpError error = {0};
	work->movements = rpFindMovements(work->motions, work->count, &work->def, &error);
	if (work->movements == NULL)
		return cliFailWork(run, &error);
	return work->picture == NULL ||
		   rpDrawMovements(work->motions, work->count, work->movements, &work->def, work->picture, &error) ||
		   cliFailWork(run, &error);
}

// ---- what is reported

static int countGroups(const rpMovements* movements)
{
	int count = 0;
	for (int i = 0; i < rp_movementKindCount; ++i)
		count += movements->counts[i] > 0;
	return count;
}

static double getShare(const rpMovements* movements)
{
	return movements->locomotionSeconds > 0.0 ? movements->validSeconds / movements->locomotionSeconds : 0.0;
}

static json_t* makeTimes(const rpMovement* movement, double start)
{
	json_t* times = json_array();
	for (int i = 0; i < movement->keytimeCount; ++i)
		json_array_append_new(times, cliMakeReal(start + movement->keytimes[i]));
	return times;
}

static json_t* makeMovement(const Work* work, const rpMovement* movement)
{
	const cliClip* clip = &work->clips[movement->take];
	char foot[2] = {rpMovementKind_GetFoot(movement->kind), 0};
	return json_pack(
		"{s:o,s:s,s:s,s:s,s:s,s:o,s:o,s:o,s:o,s:o,s:o,s:b}", "clip", cliMakeText(clip->name), "string",
		rpMovementKind_GetString(movement->kind), "from", rpGait_GetName(rpMovementKind_GetBefore(movement->kind)),
		"to", rpGait_GetName(rpMovementKind_GetAfter(movement->kind)), "foot", foot, "start_s",
		cliMakeReal(clip->start + movement->start), "end_s", cliMakeReal(clip->start + movement->end), "keytimes_s",
		makeTimes(movement, clip->start), "speed_m_per_s", cliMakeReal((double)movement->speed), "turn_deg_per_s",
		cliMakeReal((double)movement->turn * 180.0 / M_PI), "acceleration_m_per_s2",
		cliMakeReal((double)movement->acceleration), "follows", movement->isSuccessor);
}

static json_t* makeDropped(const Work* work)
{
	json_t* list = json_array();
	for (int i = 0; i < work->movements->droppedCount; ++i)
	{
		const rpDroppedMovement* dropped = &work->movements->dropped[i];
		const cliClip* clip = &work->clips[dropped->take];
		json_array_append_new(list, json_pack("{s:o,s:s,s:o,s:o}", "clip", cliMakeText(clip->name), "string",
											  dropped->string, "start_s", cliMakeReal(clip->start + dropped->start),
											  "end_s", cliMakeReal(clip->start + dropped->end)));
	}
	return list;
}

static json_t* makeResult(const Work* work)
{
	const rpMovements* movements = work->movements;
	json_t *items = json_array(), *strings = json_object();
	for (int i = 0; i < movements->count; ++i)
		json_array_append_new(items, makeMovement(work, &movements->items[i]));
	for (int i = 0; i < rp_movementKindCount; ++i)
		json_object_set_new(strings, rpMovementKind_GetString((rpMovementKind)i), json_integer(movements->counts[i]));
	json_t* result = json_pack(
		"{s:i,s:o,s:i,s:i,s:i,s:i,s:i,s:i,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o}", "clips", work->count, "seconds",
		cliMakeReal(movements->seconds), "segments_before", movements->countBefore, "segments_after", movements->count,
		"merged", movements->mergedCount, "split", movements->splitCount, "groups", countGroups(movements),
		"out_of_phase", movements->outOfPhaseCount, "irregularity", cliMakeReal((double)movements->irregularity),
		"strings", strings, "locomotion_s", cliMakeReal(movements->locomotionSeconds), "valid_s",
		cliMakeReal(movements->validSeconds), "valid_share", cliMakeReal(getShare(movements)), "prominence_m",
		cliMakeReal((double)work->def.prominence), "dropped", makeDropped(work), "movements", items);
	if (work->picture != NULL)
		json_object_set_new(result, "picture", cliMakeText(work->picture));
	return result;
}

// Tables 2 and 3 of the paper, for these takes.
static void printTables(const rpMovements* movements, int clipCount)
{
	cliTable second = {.columnCount = 5, .right = 31};
	static const char* const headings[] = {"clips", "length", "segments before", "after refinement", "groups"};
	for (int i = 0; i < 5; ++i)
		cliTable_Add(&second, "%s", headings[i]);
	cliTable_Add(&second, "%d", clipCount);
	cliTable_Add(&second, "%.1f s", movements->seconds);
	cliTable_Add(&second, "%d", movements->countBefore);
	cliTable_Add(&second, "%d", movements->count);
	cliTable_Add(&second, "%d", countGroups(movements));
	cliTable_Print(&second, stdout, 0);
	printf("\n");
	cliTable third = {.columnCount = 4, .right = 8};
	cliTable_Add(&third, "string");
	cliTable_Add(&third, "from");
	cliTable_Add(&third, "to");
	cliTable_Add(&third, "count");
	for (int i = 0; i < rp_movementKindCount; ++i)
	{
		rpMovementKind kind = (rpMovementKind)i;
		cliTable_Add(&third, "%s", rpMovementKind_GetString(kind));
		cliTable_Add(&third, "%s", rpGait_GetName(rpMovementKind_GetBefore(kind)));
		cliTable_Add(&third, "%s", rpGait_GetName(rpMovementKind_GetAfter(kind)));
		cliTable_Add(&third, "%d", movements->counts[i]);
	}
	cliTable_Print(&third, stdout, 0);
	printf("\n");
}

static bool reportResult(cliRun* run, const Work* work)
{
	const rpMovements* movements = work->movements;
	if (run->json)
		return cliReport(run, makeResult(work));
	printTables(movements, work->count);
	cliAnswer(run, "%.1f %% of %.1f s between the first boundary and the last are in valid movements",
			  100.0 * getShare(movements), movements->locomotionSeconds);
	cliAnswer(run, "%d merged over a spurious peak, %d split over a missed one, %d dropped, %d of them out of phase",
			  movements->mergedCount, movements->splitCount, movements->droppedCount, movements->outOfPhaseCount);
	if (!isnan(movements->irregularity))
		cliAnswer(run, "one in ten half cycles is longer or shorter than the one before it by %.0f %% or more",
				  100.0 * (exp((double)movements->irregularity) - 1.0));
	if (work->picture != NULL)
		cliPrint(run, "%s", work->picture);
	return true;
}

static bool runAnalyse(cliRun* run)
{
	Work work = {0};
	char** texts = getOptions(run, &work) ? cliExpandClips(run, run->arguments, run->argumentCount) : NULL;
	bool done = texts != NULL && load(run, texts, &work) && analyse(run, &work) && reportResult(run, &work);
	rpDestroyMovements(work.movements);
	for (int i = 0; i < work.count; ++i)
		cliFreeClip(&work.clips[i]);
	free(work.clips);
	free(work.motions);
	cliFreeTexts(texts);
	return done;
}

static const cliOption analyseOptions[] = {
	{"picture", 0, "FILE",
	 "Draw the height of the centre of mass, phases, boundaries and strings over time, .png or .svg."},
	{"prominence", 0, "M", "A peak of the centre of mass counts if it stands out by this much, 0.003 if not given."},
	{"stand-speed", 0, "M/S", "Someone who stands moves the centre of mass slower than this, 0.15 if not given,"},
	{"stand-seconds", 0, "S",
	 "for longer than this, 0.2 if not given; a moment counts the less the nearer it is to that speed."},
	CLI_FORCE,
	{0},
};

const cliCommand cliLocomotionCutCommand = {
	.name = "locomotion analyse",
	.summary = "Cut takes into half cycles of gaits, stands and transitions",
	.usage = "CLIP... [OPTIONS]",
	.about =
		"Cuts takes in which somebody stands, walks and runs at the peaks of the centre of mass, with nobody marking "
		"anything by hand, and classifies the movements by their footsteps: L left support, R right, D both, F flight, "
		"S "
		"stand. LDR is a half cycle of walking, FLF one of running, SRDL a start. Reported are how many segments there "
		"are before and after refinement, how many of each string, and how much of the time is in valid ones (Tables 2 "
		"and 3 of Kwon & Shin 2005); with --json each movement with its times, speed, turn and acceleration.\n\n"
		"A library without #CLIP stands for all its clips. Contacts stored with a clip are used, else they are found.",
	.options = {analyseOptions, cliReadingOptions},
	.examples = {{"reprise locomotion analyse walk.bvh", "What is the walk made of?"},
				 {"reprise locomotion analyse moves.reprise --picture com.png", "A whole library, drawn."},
				 {"reprise locomotion analyse take.bvh@10..40 --json", "A stretch of a take, for a program."}},
	.minimum = 1,
	.maximum = -1,
	.run = runAnalyse,
};
