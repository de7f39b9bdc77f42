/// Contacts found against contacts known, and the damage that captures do to a motion.
#pragma once

#include "reprise/analysis.h"

/// What a capture does to a motion.
typedef struct TestDamage
{
	/// White noise of the heels and balls, metres, in each coordinate: half of its power in the root's place, half in
	/// the rotations of hips, knees and ankles.
	float noise;

	/// How far the whole motion drifts to and fro in each coordinate, metres from end to end, within ten seconds.
	float drift;

	/// Added to all heights, metres.
	float offset;
	uint64_t seed;
} TestDamage;

void testDamageMotion(rpMotion* motion, const TestDamage* damage);

/// How contacts agree. Add up by calling testScoreContacts several times on one score.
typedef struct ContactScore
{
	/// Contacts known, found, and matched one to one: of one effector, with an overlap of at least half of what both
	/// cover together.
	int known, found, matched;

	/// [matched], seconds, found less known: of those that begin, or end, inside the motion.
	float* onsets;
	float* ends;
	int onsetCount, endCount, onsetCapacity, endCapacity;

	/// And of the ends those of toes.
	float* toeOffs;
	int toeOffCount, toeOffCapacity;

	/// The largest difference of support heights of a match, metres.
	float height;
} ContactScore;

/// Compare the feet's contacts of two motions of equal length. What is left of a contact at an end of the
/// motion counts on neither side if it is shorter than 60 ms. raise: added to the known support heights.
void testScoreContacts(ContactScore* score, const rpMotion* known, const rpMotion* found, float raise);
float testGetContactF1(const ContactScore* score);

/// The part-th quantile of the absolute onset, end or toe-off differences.
float testGetOnsetError(const ContactScore* score, double part);
float testGetEndError(const ContactScore* score, double part);
float testGetToeOffError(const ContactScore* score, double part);
void testFreeContactScore(ContactScore* score);

/// Which feet are down from one time to another: L, R, D for both, F for none, in turn, without what both ends cut to
/// less than `min` seconds. Heels, balls and toes count. text is [capacity].
void testGetSteps(const rpMotion* motion, double from, double to, double min, char* text, int capacity);
