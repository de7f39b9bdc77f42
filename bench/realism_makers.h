/// What the program makes of one person's takes, in a folder of its own: as a user would, through `reprise`.
#pragma once

#include <stdbool.h>

/// The makers.
/// X(enumerator, name, whether it needs a model)
#define REALISM_MAKERS(X)       \
	X(makerClean, "clean")      \
	X(makerWalk, "graph walk")  \
	X(makerPath, "graph path")  \
	X(makerGaits, "locomotion") \
	X(makerPlay, "play")

typedef enum RealismMaker
{
#define X(enumerator, name) enumerator,
	REALISM_MAKERS(X)
#undef X
		makerCount,
} RealismMaker;

enum
{
	realismMaxFiles = 256,
	realismPathSize = 512,
};

/// Files that were made, BVH.
typedef struct RealismFiles
{
	char paths[realismMaxFiles][realismPathSize];
	int count;
} RealismFiles;

/// A person's work place.
typedef struct RealismScene
{
	/// "16", or "performer".
	const char* person;

	/// The program, the captured data (NULL: none), and the folder, which is removed with all it holds at the end.
	const char* program;
	const char* mocap;
	char folder[256];

	/// How many seeds, and seconds of each walk and play.
	int seedCount, seconds;

	/// The takes as they are, and as `reprise convert` writes them.
	RealismFiles takes, sources;
} RealismScene;

const char* realismGetMakerName(RealismMaker maker);

/// Make the folder, the sources, the library and its models. False: said on stderr.
bool realismOpen(RealismScene* scene);
void realismClose(RealismScene* scene);

/// Make motions. None where the takes do not allow it.
void realismMake(const RealismScene* scene, RealismMaker maker, RealismFiles* out);
