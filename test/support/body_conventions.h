/// How the world names the joints of a body: the tables behind bodies.h.
#pragma once

#include "reprise/play/skeleton.h"

/// Places in a body 1.78 m tall that stands at the origin and looks along +Z, arms straight out. Left side.
/// X(name, x, y, z)
#define TEST_PLACES(X)                  \
	X(ground, 0.0, 0.0, 0.0)            \
	X(pelvis, 0.0, 0.95, 0.0)           \
	X(pelvisTop, 0.0, 0.98, -0.01)      \
	X(spine1, 0.0, 1.05, -0.01)         \
	X(spine2, 0.0, 1.14, -0.02)         \
	X(spine3, 0.0, 1.23, -0.03)         \
	X(chest, 0.0, 1.32, -0.03)          \
	X(upperChest, 0.0, 1.38, -0.04)     \
	X(neck, 0.0, 1.49, -0.03)           \
	X(neck2, 0.0, 1.54, -0.01)          \
	X(head, 0.0, 1.60, 0.0)             \
	X(headTop, 0.0, 1.78, 0.02)         \
	X(eye, 0.03, 1.68, 0.09)            \
	X(jaw, 0.0, 1.62, 0.04)             \
	X(breast, 0.09, 1.30, 0.10)         \
	X(buttock, 0.08, 0.94, 0.0)         \
	X(hip, 0.09, 0.90, 0.0)             \
	X(thighMiddle, 0.095, 0.69, 0.0)    \
	X(knee, 0.10, 0.48, 0.01)           \
	X(shinMiddle, 0.10, 0.28, 0.0)      \
	X(ankle, 0.10, 0.08, -0.02)         \
	X(ball, 0.11, 0.02, 0.11)           \
	X(toe, 0.11, 0.02, 0.18)            \
	X(heel, 0.10, 0.01, -0.06)          \
	X(clavicle, 0.02, 1.44, -0.01)      \
	X(scapula, 0.12, 1.45, -0.04)       \
	X(shoulder, 0.17, 1.45, -0.03)      \
	X(armMiddle, 0.31, 1.45, -0.03)     \
	X(elbow, 0.46, 1.45, -0.03)         \
	X(forearmMiddle, 0.58, 1.45, -0.03) \
	X(wrist, 0.71, 1.45, -0.03)         \
	X(palm, 0.76, 1.45, -0.03)          \
	X(thumb1, 0.74, 1.44, 0.01)         \
	X(thumb2, 0.77, 1.43, 0.03)         \
	X(index1, 0.80, 1.45, 0.0)          \
	X(index2, 0.84, 1.45, 0.0)          \
	X(index3, 0.865, 1.45, 0.0)         \
	X(middle1, 0.805, 1.45, -0.02)      \
	X(middle2, 0.85, 1.45, -0.02)       \
	X(middle3, 0.88, 1.45, -0.02)       \
	X(pinky1, 0.79, 1.45, -0.06)        \
	X(pinky2, 0.82, 1.45, -0.06)        \
	X(handTip, 0.89, 1.45, -0.02)

typedef enum TestPlace
{
#define X(name, x, y, z) at_##name,
	TEST_PLACES(X)
#undef X
} TestPlace;

/// One line of a convention; '@' in a name stands for the side, and makes two joints of the line.
typedef struct TestLine
{
	const char* name;
	const char* parent;
	TestPlace place;
	/// The part of the expected role ("knee"), or NULL.
	const char* part;
} TestLine;

typedef struct TestConvention
{
	const char* name;
	const char* left;
	const char* right;
	const TestLine* lines;
	bool ends;
	bool shapeIsMisleading;
} TestConvention;

extern const TestConvention test_conventions[];
extern const int test_conventionCount;
