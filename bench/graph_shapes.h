/// Paths over the floor that motions are asked to follow, of a size for people.
#pragma once

#include "reprise/math.h"

/// X(enumerator, key of its path error, the same of the thesis' search, the same for captured people)
#define GRAPH_SHAPES(X)                                                                                \
	X(shapeCircle, "path_error_circle_m", "path_error_circle_thesis_m", "capture_path_error_circle_m") \
	X(shapeSpiral, "path_error_spiral_m", "path_error_spiral_thesis_m", "capture_path_error_spiral_m") \
	X(shapeS, "path_error_s_m", "path_error_s_thesis_m", "capture_path_error_s_m")                     \
	X(shapeSquare, "path_error_square_m", "path_error_square_thesis_m", "capture_path_error_square_m") \
	X(shapeHello, "path_error_hello_m", "path_error_hello_thesis_m", "capture_path_error_hello_m")

typedef enum GraphShape
{
#define X(enumerator, key, thesisKey, captureKey) enumerator,
	GRAPH_SHAPES(X)
#undef X
		graphShapeCount,
	/// Eights, one behind the other, long enough for a minute.
	shapeLong = graphShapeCount,
} GraphShape;

enum
{
	graphShapePoints = 2048,
};

/// Draw a shape into out, [graphShapePoints]; returns how many points it has.
int benchDrawShape(GraphShape shape, rpVec2* out);
