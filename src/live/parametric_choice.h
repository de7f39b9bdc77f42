/// What is asked of the player of a parametric graph, as the next motion: which edge, which values. A function for each
/// node that makes values of requests (Heck, 6.2.2.3) is what its axes mean.
#pragma once

#include "model/parametric_step.h"
#include "reprise/play/player.h"

/// The first edge of the way of fewest motions from one node to another, -1 where there is none. Free with
/// rpParametricRoutes_Free.
typedef struct rpParametricRoutes
{
	/// [nodeCount * nodeCount], by where from, then where to.
	int* edges;
	int nodeCount;
} rpParametricRoutes;

RP_NODISCARD bool rpParametricRoutes_Find(rpParametricRoutes* routes, const rpParametricGraph* graph, rpError* error);
void rpParametricRoutes_Free(rpParametricRoutes* routes);

/// The node that an input requests, -1: none.
int rpParametricInput_GetNode(const rpParametricGraph* graph, const rpPlayerInput* input);

/// The edge to take from a node, of those marked usable, [edgeCount]; -1 if there is none. random is gone on with where
/// the input asks for chance.
int rpChooseParametricEdge(const rpParametricGraph* graph, const rpParametricRoutes* routes, int node,
						   const rpPlayerInput* input, const bool* usable, rpRandom* random);

/// What is wanted of a motion of a node that begins there, and what of it a box allows: both [parameterCount]. last is
/// what the motion before it had where it was of the same node, else NULL.
void rpChooseParametricValues(const rpParametricGraph* graph, int node, const rpPlayerInput* input,
							  const rpParametricBeginning* beginning, const rpParametricBox* box, const float* last,
							  rpRandom* random, float* wanted, float* granted);

/// Whether what is wanted depends on where exactly the motion begins.
bool rpParametricInput_Aims(const rpParametricGraph* graph, int node, const rpPlayerInput* input);
