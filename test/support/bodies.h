/// Bodies in the naming conventions of the world, made of plausible human proportions: for the tests of roles,
/// effectors and whatever needs a skeleton of a given kind.
#pragma once

#include "reprise/play/skeleton.h"

/// How a body is laid out.
typedef struct TestBodyDef
{
	/// Index of the convention, 0 … testCountBodies() - 1.
	int convention;

	/// Arms lowered by 45 degrees instead of straight out.
	bool armsDown;

	/// Metres times this.
	float scale;

	/// The whole body turned (units of the file, before any doctor).
	rpQuat turn;

	/// Random local frames: rest rotations that are not the identity.
	bool turnedFrames;

	/// Names that say nothing, in place of the convention's.
	bool nonsense;

	/// The right side before the left in the file.
	bool rightFirst;

	/// Names of the sides exchanged: what is called left lies on the right.
	bool swappedNames;
} TestBodyDef;

/// A definition with the memory it borrows. Zero-terminated; joints[i].role is rp_roleNone.
typedef struct TestBody
{
	rpJoint joints[128];
	char names[128][64];
	rpEndSite ends[16];

	/// The role each joint must get.
	rpRole expected[128];

	/// The counterpart it must get.
	int mirrors[128];

	/// Whether shape alone cannot identify this body's trunk (collar bones on the neck and the like).
	bool shapeIsMisleading;
	const char* convention;
	rpSkeletonDef def;
} TestBody;

int testCountBodies(void);

/// The index of the convention of a name; the test fails if there is none.
int testFindBody(const char* name);
TestBodyDef testDefaultBodyDef(void);
void testLayOutBody(const TestBodyDef* def, TestBody* body);
