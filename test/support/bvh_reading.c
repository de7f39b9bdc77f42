#include "bvh_reading.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

BvhReading testReadBvhBytes(const void* bytes, size_t size, const rpReadDef* def)
{
	BvhReading read = {0};
	rpReadDef defaults = rpDefaultReadDef();
	// At the very end of a block, so that a sanitizer sees one byte read too many.
	char* copy = malloc(size + 1);
	memcpy(copy + 1, bytes, size);
	read.done = rpReadBvh(copy + 1, size, def != NULL ? def : &defaults, &read.reading, &read.findings, &read.error);
	free(copy);
	assert_true(read.done == (read.reading.motion != NULL));
	return read;
}

BvhReading testReadBvh(const char* text)
{
	return testReadBvhBytes(text, strlen(text), NULL);
}

const rpMotion* testNeedMotion(const BvhReading* read)
{
	if (!read->done)
	{
		fail_msg("%d:%d: %s", read->error.line, read->error.column, read->error.message);
	}
	return read->reading.motion;
}

void testFreeBvh(BvhReading* read)
{
	rpDestroyMotion(read->reading.motion);
	rpFindings_Free(&read->findings);
}

void testCheckFinding(const BvhReading* read, const char* code, bool expected)
{
	assert_int_equal(rpFindings_Find(&read->findings, code) != NULL, expected);
}

void testCheckNoFindings(const BvhReading* read)
{
	assert_int_equal(read->findings.count, 0);
}

void testCheckBvhError(const char* text, rpErrorCode code, int line, int column, const char* part, const char* hint)
{
	BvhReading read = testReadBvh(text);
	assert_false(read.done);
	if (read.error.code != code || read.error.line != line || read.error.column != column ||
		strstr(read.error.message, part) == NULL || strstr(read.error.hint, hint) == NULL)
	{
		fail_msg("%d at %d:%d: %s (%s)", read.error.code, read.error.line, read.error.column, read.error.message,
				 read.error.hint);
	}
	testFreeBvh(&read);
}

void testCheckVector(rpVec3 v, float x, float y, float z)
{
	if (fabsf(v.x - x) > 1e-5f || fabsf(v.y - y) > 1e-5f || fabsf(v.z - z) > 1e-5f)
	{
		fail_msg("(%g %g %g) instead of (%g %g %g)", v.x, v.y, v.z, x, y, z);
	}
}

void testCheckRotation(rpQuat q, rpQuat expected)
{
	assert_true(fabsf(rpDotQuat(q, q) - 1.0f) < 1e-6f);
	if (fabsf(rpDotQuat(q, expected)) < 1.0f - 1e-6f)
	{
		fail_msg("(%g %g %g %g) instead of (%g %g %g %g)", q.w, q.x, q.y, q.z, expected.w, expected.x, expected.y,
				 expected.z);
	}
}
