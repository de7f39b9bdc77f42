#include "graph_examples.h"

#include "capture_takes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FRAME_COUNT 6200
#define RATE 30.0

void benchFreeExamples(GraphExamples* examples)
{
	for (int i = 0; i < examples->count; ++i)
	{
		rpDestroyMotion(examples->motions[i]);
	}
	*examples = (GraphExamples){0};
}

static bool add(GraphExamples* examples, rpMotion* motion)
{
	if (motion == NULL || examples->count == graphMaxExamples)
	{
		rpDestroyMotion(motion);
		return false;
	}
	examples->motions[examples->count++] = motion;
	examples->frameCount += (int)floor(rpMotion_GetDuration(motion) * RATE + 1e-3) + 1;
	return true;
}

// ---- the performer

static const char* const s_scripts[] = {
	"walk 3 1.3 0; walk 3 1.2 40; walk 3 1.2 -40; walk 3 1.0 75; walk 2 1.3 0; walk 3 1.0 -75; walk 3 1.4 12",
	"walk 2 1.4 -12; walk 3 1.1 25; walk 3 1.1 -25; walk 3 0.8 85; walk 2 1.0 0; walk 3 0.8 -85; walk 2 1.2 55",
	"walk 3 1.2 -55; walk 2 1.6 0; walk 3 1.5 25; walk 3 1.5 -25; walk 3 0.9 -60; walk 2 0.7 0",
	"walk 2; sneak 4 0.7 0; sneak 3 0.7 30; sneak 3 0.7 -30; sneak 3 0.6 40; walk 2",
};

// A fighter walks about between one blow and the next. What lies between the first walk and the last is martial arts.
static const char* const s_fights[] = {
	"walk 2; stand 0.4; punch; walk 1.5 0.7 30; kick; walk 1.5 0.6 -40; duck; walk 2 0.8 0; punch 1.2; walk 1.5 0.7 "
	"70; "
	"kick 0.7; walk 2 0.7 -70; stand 0.4; walk 2",
	"walk 2; stand 0.4; kick 0.8; walk 2 0.6 60; punch 1.3; walk 1.5 0.8 -20; duck; walk 2 0.7 -60; kick; walk 2 0.7 "
	"15; "
	"punch; stand 0.4; walk 2",
};

static const float s_turns[] = {90.0f, -90.0f, 120.0f, -120.0f, 150.0f, -150.0f};

static rpMotion* perform(rpPerformDef def)
{
	def.fps = RATE;
	def.seed = 7;
	rpError error = {0};
	rpMotion* motion = rpPerform(&def, &error);
	if (motion == NULL)
	{
		fprintf(stderr, "reprise-bench: %s\n", error.message);
		return NULL;
	}
	// What all of a take is called says nothing about how it goes on.
	rpAnnotations_Clear(&motion->annotations, rp_trackLabel, "take");
	rpAnnotations_Clear(&motion->annotations, rp_trackLabel, "turn-in-stride");
	return motion;
}

static rpMotion* performScript(const char* script)
{
	rpPerformDef def = rpDefaultPerformDef(rp_actTake);
	def.script = script;
	def.seconds = 0.0;
	return perform(def);
}

// One label from the end of the first walk to the beginning of the last.
static rpMotion* performFight(const char* script)
{
	rpMotion* motion = performScript(script);
	rpInterval labels[64];
	int count = motion != NULL ? rpMotion_GetIntervals(motion, rp_trackLabel, labels, 64) : 0;
	if (count < 3 || count > 64)
	{
		rpDestroyMotion(motion);
		return NULL;
	}
	rpInterval first = labels[0], last = labels[count - 1];
	rpInterval walks[] = {{.track = rp_trackLabel, .name = "walk", .start = first.start, .end = first.end},
						  {.track = rp_trackLabel, .name = "martial", .start = first.end, .end = last.start},
						  {.track = rp_trackLabel, .name = "walk", .start = last.start, .end = last.end}};
	rpAnnotations_Clear(&motion->annotations, rp_trackLabel, NULL);
	for (int i = 0; i < 3; ++i)
	{
		if (!rpAnnotations_AddInterval(&motion->annotations, &walks[i], NULL))
		{
			rpDestroyMotion(motion);
			return NULL;
		}
	}
	return motion;
}

bool benchPerformExamples(GraphExamples* out)
{
	*out = (GraphExamples){0};
	bool done = true;
	for (size_t i = 0; i < sizeof(s_scripts) / sizeof(s_scripts[0]) && done; ++i)
	{
		done = add(out, performScript(s_scripts[i]));
	}
	for (size_t i = 0; i < sizeof(s_fights) / sizeof(s_fights[0]) && done; ++i)
	{
		done = add(out, performFight(s_fights[i]));
	}
	for (size_t i = 0; i < sizeof(s_turns) / sizeof(s_turns[0]) && done; ++i)
	{
		rpPerformDef def = rpDefaultPerformDef(rp_actTurnInStride);
		def.parameters[rp_paramAngle] = s_turns[i] * (float)RP_PI / 180.0f;
		done = add(out, perform(def));
	}
	// Straight on for what is left.
	rpPerformDef rest = rpDefaultPerformDef(rp_actWalk);
	rest.seconds = (FRAME_COUNT - out->frameCount - 1) / RATE;
	done = done && rest.seconds > 0.0 && add(out, perform(rest));
	if (!done)
	{
		fprintf(stderr, "reprise-bench: the performer could not play the examples: %d frames\n", out->frameCount);
		benchFreeExamples(out);
	}
	return done;
}

// ---- captured people

// The walker, whose skeleton all are retargeted to.
#define WALKER 69

/// What the others do.
static const struct
{
	int subject;
	const char* word;
	const char* label;
} s_parts[] = {
	{WALKER, "turn_right", "walk"}, {WALKER, "turn_left", "walk"}, {WALKER, "curve_right", "walk"},
	{WALKER, "curve_left", "walk"}, {WALKER, "straight", "walk"},  {120, "sneak", "sneak"},
	{135, "kick", "martial"},       {135, "punch", "martial"},     {144, "punch", "martial"},
};

static const char* findLabel(const CaptureTake* take)
{
	for (size_t i = 0; i < sizeof(s_parts) / sizeof(s_parts[0]); ++i)
	{
		if (take->subject == s_parts[i].subject && benchHasWord(take->labels, s_parts[i].word) && !take->defect)
		{
			return s_parts[i].label;
		}
	}
	return NULL;
}

static rpMotion* loadRetargeted(const char* folder, const CaptureTake* take, const rpSkeleton* skeleton)
{
	rpMotion* motion = benchLoadTake(folder, take);
	if (motion == NULL || !rpDetectContacts(motion, NULL, NULL, NULL) || skeleton == NULL ||
		rpSkeleton_Matches(motion->skeleton, skeleton))
	{
		return motion;
	}
	rpMotion* moved = rpRetargetMotion(motion, skeleton, NULL, NULL, NULL);
	rpDestroyMotion(motion);
	return moved;
}

static bool addTake(GraphExamples* examples, const char* folder, const CaptureTake* take, const char* label)
{
	rpMotion* motion = loadRetargeted(folder, take, examples->count > 0 ? examples->motions[0]->skeleton : NULL);
	rpInterval interval = {.track = rp_trackLabel, .name = (char*)label};
	if (motion != NULL)
	{
		interval.end = rpMotion_GetDuration(motion) + 1.0 / motion->fps;
	}
	return motion != NULL && rpAnnotations_AddInterval(&motion->annotations, &interval, NULL) && add(examples, motion);
}

bool benchCaptureExamples(GraphExamples* out)
{
	static CaptureTake takes[512];
	const char* folder = getenv("REPRISE_MOCAP");
	int count = folder != NULL ? benchListTakes(folder, takes, 512) : 0;
	*out = (GraphExamples){0};
	// The walker first, for the skeleton.
	for (int pass = 0; pass < 2; ++pass)
	{
		for (int i = 0; i < count; ++i)
		{
			const char* label = findLabel(&takes[i]);
			if (label != NULL && (takes[i].subject == WALKER) == (pass == 0) && !addTake(out, folder, &takes[i], label))
			{
				fprintf(stderr, "reprise-bench: %s cannot be used\n", takes[i].file);
			}
		}
	}
	return out->count > 0;
}
