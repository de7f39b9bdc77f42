/// Reading small BVH texts in tests, and looking at what comes of them.
#pragma once

#include "support.h"

#include "file/reader.h"

#define ROOT_LINES \
	"HIERARCHY\nROOT Hips\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation\n"
#define MOTION_LINES "MOTION\nFrames: 1\nFrame Time: 0.01\n"

/// A root, a joint with position channels, and a joint below that.
#define POSITION_JOINT \
	ROOT_LINES         \
	"JOINT A\n{\nOFFSET 0 10 0\nCHANNELS 3 Xposition Yposition Zposition\nJOINT B\n{\nOFFSET 0 4 0\n}\n}\n}\n"

/// What a reading gives.
typedef struct BvhReading
{
	rpReading reading;
	rpFindings findings;
	rpError error;
	bool done;
} BvhReading;

/// def may be NULL. Free with testFreeBvh.
BvhReading testReadBvhBytes(const void* bytes, size_t size, const rpReadDef* def);
BvhReading testReadBvh(const char* text);
void testFreeBvh(BvhReading* read);

/// The motion; fails the test, with the error, where there is none.
const rpMotion* testNeedMotion(const BvhReading* read);

void testCheckFinding(const BvhReading* read, const char* code, bool expected);
void testCheckNoFindings(const BvhReading* read);

/// Reading fails at that place, and the message and the hint contain these.
void testCheckBvhError(const char* text, rpErrorCode code, int line, int column, const char* part, const char* hint);

/// Within 1e-5 in each coordinate.
void testCheckVector(rpVec3 v, float x, float y, float z);

/// Unit, and the same rotation within what a float holds.
void testCheckRotation(rpQuat q, rpQuat expected);
