#include "realism_makers.h"

#include "capture_takes.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Takes that are walks and runs, of people who also do other things: the lists of ../shared/judge/README.md,
// "Baseline". Of other people all takes.
static const struct
{
	int subject;
	const char* trials;
} s_lists[] = {
	{16, "11-32,35-58"},
	{69, "1,3,20-33"},
	{104, "1,4,6,8,9,10,19,22,37,48,53,54,56,57"},
	{127, "3-20"},
};

// What the performer does: as many takes as a person has, straight and in bends.
static const char* const s_acts[] = {
	"walk --speed 1.0",
	"walk --speed 1.2",
	"walk --speed 1.4",
	"walk --speed 1.6",
	"run --speed 2.5",
	"run --speed 3",
	"run --speed 3.4",
	"walk --speed 1.2 --turn 40",
	"walk --speed 1.2 --turn -40",
	"walk --speed 1.5 --turn 20",
	"walk --speed 1.5 --turn -20",
	"stand",
};

static const char* const s_names[] = {
#define X(enumerator, name) name,
	REALISM_MAKERS(X)
#undef X
};

const char* realismGetMakerName(RealismMaker maker)
{
	return s_names[maker];
}

__attribute__((format(printf, 2, 3))) static bool run(const RealismScene* scene, const char* format, ...)
{
	char command[2048], arguments[1536];
	va_list list;
	va_start(list, format);
	vsnprintf(arguments, sizeof(arguments), format, list);
	va_end(list);
	snprintf(command, sizeof(command), "'%s' %s -q >>'%s/log' 2>&1", scene->program, arguments, scene->folder);
	return system(command) == 0;
}

// A file that was made, if it is there.
__attribute__((format(printf, 2, 3))) static char* addFile(RealismFiles* files, const char* format, ...)
{
	char* path = files->paths[files->count < realismMaxFiles - 1 ? files->count : realismMaxFiles - 1];
	va_list list;
	va_start(list, format);
	vsnprintf(path, realismPathSize, format, list);
	va_end(list);
	return path;
}

static void keepFile(RealismFiles* files, bool isMade)
{
	files->count += isMade && files->count < realismMaxFiles - 1;
}

// ---- takes

static bool isInList(const char* list, int trial)
{
	for (const char* at = list; *at != 0;)
	{
		char* end;
		long first = strtol(at, &end, 10), last = *end == '-' ? strtol(end + 1, &end, 10) : first;
		if (trial >= first && trial <= last)
		{
			return true;
		}
		at = *end == ',' ? end + 1 : end;
	}
	return *list == 0;
}

static void listTakes(RealismScene* scene)
{
	static CaptureTake takes[512];
	int count = scene->mocap != NULL ? benchListTakes(scene->mocap, takes, 512) : 0, subject = atoi(scene->person);
	const char* trials = "";
	for (size_t i = 0; i < sizeof(s_lists) / sizeof(s_lists[0]); ++i)
	{
		trials = s_lists[i].subject == subject ? s_lists[i].trials : trials;
	}
	for (int i = 0; i < count; ++i)
	{
		const char* underline = strrchr(takes[i].file, '_');
		bool isMeant = takes[i].subject == subject && underline != NULL && isInList(trials, atoi(underline + 1));
		addFile(&scene->takes, "%s/%s", scene->mocap, takes[i].file);
		keepFile(&scene->takes, isMeant);
	}
}

static void performTakes(RealismScene* scene)
{
	for (size_t i = 0; i < sizeof(s_acts) / sizeof(s_acts[0]); ++i)
	{
		const char* path = addFile(&scene->takes, "%s/take%02d.bvh", scene->folder, (int)i);
		keepFile(&scene->takes,
				 run(scene, "perform %s --seconds 8 --seed %d -o '%s' --no-sidecar", s_acts[i], (int)i + 1, path));
	}
}

// The name of a file, without folders.
static const char* getName(const char* path)
{
	const char* slash = strrchr(path, '/');
	return slash != NULL ? slash + 1 : path;
}

// The same command for each take: OUTPUT is its name in the folder after a prefix.
static void treatTakes(const RealismScene* scene, const char* command, const char* prefix, RealismFiles* out)
{
	for (int i = 0; i < scene->takes.count; ++i)
	{
		const char* take = scene->takes.paths[i];
		const char* path = addFile(out, "%s/%s_%s", scene->folder, prefix, getName(take));
		keepFile(out, run(scene, "%s '%s' -o '%s' --no-sidecar", command, take, path));
	}
}

// All takes in one folder, to be added at once.
static void linkTakes(const RealismScene* scene)
{
	char path[realismPathSize];
	snprintf(path, sizeof(path), "%s/takes", scene->folder);
	bool done = mkdir(path, 0700) == 0;
	for (int i = 0; i < scene->takes.count && done; ++i)
	{
		snprintf(path, sizeof(path), "%s/takes/%s", scene->folder, getName(scene->takes.paths[i]));
		char* take = realpath(scene->takes.paths[i], NULL);
		done = take != NULL && symlink(take, path) == 0;
		free(take);
	}
}

bool realismOpen(RealismScene* scene)
{
	snprintf(scene->folder, sizeof(scene->folder), "/tmp/reprise-bench-XXXXXX");
	if (mkdtemp(scene->folder) == NULL)
	{
		fprintf(stderr, "reprise-bench: no temporary folder\n");
		return false;
	}
	if (strcmp(scene->person, "performer") == 0)
	{
		performTakes(scene);
	}
	else
	{
		listTakes(scene);
	}
	treatTakes(scene, "convert", "source", &scene->sources);
	bool done = scene->sources.count > 0;
	linkTakes(scene);
	run(scene, "library add '%s/lib.reprise' '%s/takes'", scene->folder, scene->folder);
	// A person whose takes make no model has no motions by it.
	run(scene, "graph build '%s/lib.reprise'", scene->folder);
	run(scene, "locomotion build '%s/lib.reprise' --mirror", scene->folder);
	run(scene, "bundle '%s/lib.reprise' -o '%s/lib.rpb'", scene->folder, scene->folder);
	if (!done)
	{
		fprintf(stderr, "reprise-bench: no takes of \"%s\"\n", scene->person);
		realismClose(scene);
	}
	return done;
}

void realismClose(RealismScene* scene)
{
	char command[320];
	snprintf(command, sizeof(command), "rm -rf '%s'", scene->folder);
	if (scene->folder[0] != 0 && system(command) != 0)
	{
		fprintf(stderr, "reprise-bench: %s could not be removed\n", scene->folder);
	}
}

// ---- what is asked for

// 12 m straight; a circle of radius 3 m; x = 2 sin 2a, z = 4 sin a.
static void writePath(const RealismScene* scene, int seed)
{
	char path[realismPathSize];
	snprintf(path, sizeof(path), "%s/path.csv", scene->folder);
	FILE* file = fopen(path, "w");
	for (int i = 0; file != NULL && i <= 240; ++i)
	{
		double a = 2.0 * 3.14159265358979 * i / 240.0;
		double x = seed % 3 == 0 ? 2.0 * sin(2.0 * a) : seed % 3 == 1 ? 0.0 : 3.0 - 3.0 * cos(a);
		double z = seed % 3 == 0 ? 4.0 * sin(a) : seed % 3 == 1 ? 0.05 * i : 3.0 * sin(a);
		fprintf(file, "%.4f,%.4f\n", x, z);
	}
	if (file != NULL)
	{
		fclose(file);
	}
}

// Every five seconds something else: walk, run and stand with turns for locomotion, directions for a graph.
static void writeScripts(const RealismScene* scene, int seed)
{
	static const double turns[] = {0.0, 20.0, -20.0, 45.0, -45.0}, bends[] = {0.0, 45.0, -45.0, 90.0, -90.0};
	char gaits[realismPathSize], steer[realismPathSize];
	snprintf(gaits, sizeof(gaits), "%s/gaits.csv", scene->folder);
	snprintf(steer, sizeof(steer), "%s/steer.csv", scene->folder);
	FILE *gait = fopen(gaits, "w"), *stick = fopen(steer, "w");
	rpRandom random = rpSeedRandom((uint64_t)seed);
	double direction = 0.0;
	for (int t = 0; gait != NULL && stick != NULL && t < scene->seconds; t += 5)
	{
		int kind = rpRandom_Index(&random, 4);
		float speed = kind == 3   ? 0.0f
					  : kind == 2 ? rpRandom_Range(&random, 2.3f, 3.4f)
								  : rpRandom_Range(&random, 1.0f, 1.6f);
		double turn = turns[rpRandom_Index(&random, 5)];
		fprintf(gait, "%d,%s,%.2f,%g\n", t,
				kind == 3   ? "stand"
				: kind == 2 ? "run"
							: "walk",
				(double)speed, kind == 3 ? 0.0 : turn);
		direction += bends[rpRandom_Index(&random, 5)];
		fprintf(stick, "%d,%g\n", t, direction);
	}
	if (gait != NULL)
	{
		fclose(gait);
	}
	if (stick != NULL)
	{
		fclose(stick);
	}
}

static bool makeOne(const RealismScene* scene, RealismMaker maker, int seed, const char* path)
{
	const char* folder = scene->folder;
	switch (maker)
	{
	case makerWalk:
		return run(scene, "graph walk '%s/lib.reprise' --seconds %d --seed %d -o '%s'", folder, scene->seconds, seed,
				   path);
	case makerPath:
		writePath(scene, seed);
		// How real it looks, not how near to the path it is.
		return run(scene, "graph path '%s/lib.reprise' --path '%s/path.csv' --best-effort -o '%s'", folder, folder,
				   path);
	case makerGaits:
		writeScripts(scene, seed);
		return run(scene, "locomotion play '%s/lib.reprise' --script '%s/gaits.csv' --seconds %d --seed %d -o '%s'",
				   folder, folder, scene->seconds, seed, path);
	default:
		writeScripts(scene, seed);
		return run(scene, "play '%s/lib.rpb' --script '%s/steer.csv' --seconds %d -o '%s'", folder, folder,
				   scene->seconds, path);
	}
}

void realismMake(const RealismScene* scene, RealismMaker maker, RealismFiles* out)
{
	out->count = 0;
	if (maker == makerClean)
	{
		treatTakes(scene, "clean", "clean", out);
		return;
	}
	for (int seed = 1; seed <= scene->seedCount; ++seed)
	{
		const char* path = addFile(out, "%s/made%d_%d.bvh", scene->folder, (int)maker, seed);
		keepFile(out, makeOne(scene, maker, seed, path));
	}
}
