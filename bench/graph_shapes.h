/// Paths over the floor that motions are asked to follow, of a size for people.
#pragma once

#include "reprise/play/math.h"

/// X(enumerator, its name in keys)
#define GRAPH_SHAPES(X)      \
	X(shapeCircle, "circle") \
	X(shapeSpiral, "spiral") \
	X(shapeS, "s")           \
	X(shapeSquare, "square") \
	X(shapeHello, "hello")

typedef enum GraphShape
{
#define X(enumerator, name) enumerator,
	GRAPH_SHAPES(X)
#undef X
		graphShapeCount,
	/// Eights, one after the other, long enough for a minute.
	shapeLong = graphShapeCount,
} GraphShape;

enum
{
	graphShapePoints = 2048,
};

/// Draw a shape into out, [graphShapePoints]; returns how many points it has.
int benchDrawShape(GraphShape shape, rpVec2* out);
