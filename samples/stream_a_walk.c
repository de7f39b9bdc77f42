/// Write an hour of motion as it is made: a random walk on a graph goes into a file frame by frame, in little memory.
#include "reprise/reprise.h"

#include <stdio.h>
#include <stdlib.h>

/// A file that is begun with the first frame, when all about the motion is known.
typedef struct Stream
{
	const char* path;
	rpMotionWriter* writer;
} Stream;

static bool addFrame(void* context, const rpMotion* motion, int frame, const rpPose* pose, rpError* error)
{
	Stream* stream = context;
	if (frame == 0)
	{
		stream->writer = rpOpenMotionWriter(motion, stream->path, NULL, error);
	}
	return stream->writer != NULL && rpMotionWriter_Add(stream->writer, pose, error);
}

static rpGraph* buildGraph(rpError* error)
{
	rpPerformDef performing = rpDefaultPerformDef(rp_actWalk);
	performing.seconds = 8.0;
	rpMotion* walk = rpPerform(&performing, error);
	rpGraphDef def = rpDefaultGraphDef();
	def.threshold = 0.1f;
	rpGraph* graph = walk != NULL ? rpBuildGraphOf((const rpMotion* const*)&walk, 1, &def, NULL, error) : NULL;
	rpDestroyMotion(walk);
	return graph;
}

static bool writeWalk(const rpGraph* graph, double seconds, const char* path, rpError* error)
{
	Stream stream = {.path = path};
	rpWalk* walk = rpGraph_WalkAtRandom(graph, seconds, 0, 1, error);
	rpWalkRenderDef def = rpDefaultWalkRenderDef();
	def.addFrame = addFrame;
	def.frameContext = &stream;
	rpMotion* motion = walk != NULL ? rpWalk_Render(walk, graph, &def, error) : NULL;
	bool done = motion != NULL && rpMotionWriter_Finish(stream.writer, error);
	if (done)
	{
		printf("%s: %.0f s, %d frames, %d annotations\n", path, rpMotion_GetDuration(motion), motion->frameCount,
			   motion->annotations.intervalCount + motion->annotations.eventCount);
	}
	// Before its motion, which it borrows. What was not finished leaves no file.
	rpDestroyMotionWriter(stream.writer);
	rpDestroyMotion(motion);
	rpDestroyWalk(walk);
	return done;
}

int main(int argc, char** argv)
{
	rpError error = {0};
	double seconds = argc > 1 ? strtod(argv[1], NULL) : 60.0;
	rpGraph* graph = buildGraph(&error);
	bool done = graph != NULL && writeWalk(graph, seconds, "long.bvh", &error);
	if (!done)
	{
		fprintf(stderr, "%s\n", error.message);
	}
	rpDestroyGraph(graph);
	return done ? EXIT_SUCCESS : EXIT_FAILURE;
}
