/// The steps of building a parametric graph.
#pragma once

#include "build/space_build.h"
#include "model/parametric_model.h"
#include "reprise/parametric_build.h"

// ---- how motions of one space lead to those of another (parametric_table.c)

/// Motions of a source against those of a target: how near they come, and where. Parts are as rpParametricSample has
/// them.
typedef struct rpTransitionTable
{
	const rpSpace *source, *target;
	int sourceCount, targetCount;

	/// [count * parameterCount] of their space.
	float *sourceValues, *targetValues;

	/// [sourceCount * targetCount], a row for each motion of the source: metres, and when.
	float *distances, *from, *to;
} rpTransitionTable;

/// What is compared, and how. Pointers are borrowed.
typedef struct rpTransitionTableDef
{
	const rpSpaceModel *source, *target;
	const rpMetric* metric;
	int sourceCount, targetCount;

	/// Seconds to either side of the ends of cores.
	double margin;
	uint64_t seed;
	int threads;
} rpTransitionTableDef;

/// Fill it. Free with rpTransitionTable_Free, after failure too.
RP_NODISCARD bool rpTransitionTable_Make(rpTransitionTable* table, const rpTransitionTableDef* def, rpError* error);
void rpTransitionTable_Free(rpTransitionTable* table);

/// Choose motions of a space: the ends of all parameters, then at random, each as the space has it; out is [count *
/// parameterCount]. Those that are spread are far from each other: between sources boxes are interpolated. Returns how
/// many there are.
int rpChooseMotions(const rpSpace* space, int count, uint64_t seed, bool isSpread, float* out);

// ---- boxes (parametric_boxes.c)

/// What was found of a source's motion besides its sample.
typedef struct rpBoxNotes
{
	/// Motions of the target in the box; whether it was made smaller for what is bad.
	int insideCount;
	bool isTrimmed;
} rpBoxNotes;

/// The box of what a motion of the source leads to: around what is at most `good`, without what is above `bad`
/// (6.1.1.2). dead, which may be NULL, marks motions of the target that count as bad, [targetCount]. notes may be NULL.
void rpFindBox(const rpTransitionTable* table, int source, float good, float bad, const bool* dead,
			   rpParametricSample* out, rpBoxNotes* notes);

/// Whether values are in a sample's box.
bool rpParametricSample_Contains(const rpParametricSample* sample, const float* values, int dimension);

/// The least `good` with which that part of the source's motions, `coverage`, leads to that part of the target each; bad is
/// badFactor times as much. INFINITY where there is none.
float rpFindThreshold(const rpTransitionTable* table, float share, float badFactor, float coverage);

// ---- partial edges (parametric_close.c)

/// Make boxes smaller until none holds a motion from which nothing leads on. tables is [edgeCount].
RP_NODISCARD bool rpCloseParametricGraph(rpParametricGraph* graph, const rpTransitionTable* tables, rpError* error);

// ---- the whole (parametric_build.c, parametric_library.c)

/// Make the graph's tables of markers and window of a metric.
RP_NODISCARD bool rpTakeMetric(rpParametricGraph* graph, const rpMetric* metric, rpError* error);

/// What a parameter has to do with the world, by the feature that it is.
rpAxisMeaning rpFindAxisMeaning(const char* name);
