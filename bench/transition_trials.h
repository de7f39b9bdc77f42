/// Transitions of every kind, made with fixed and with computed lengths, and how good they are.
#pragma once

#include "reprise/reprise.h"

enum
{
	/// Joins of each kind.
	trialCount = 12,
	/// The performer's own transitions of a kind, that a trial is compared with.
	truthCount = 8,
	/// How joins are made: 10 frames at 30 Hz, and by the rules.
	ruleFixed = 0,
	ruleComputed,
	ruleDynamic,
	ruleCount,
};

/// A kind of transition.
typedef struct TransitionKind
{
	/// As people read it, and in keys.
	const char* name;
	const char* key;

	/// Whether a side steps; the rule that is measured follows from that.
	bool steps;

	/// Takes of the performer: before, after, and both in one, where %g is the length of the first stretch, seconds.
	const char* from;
	const char* to;
	const char* truth;

	/// Captured takes, before and after, of one person, and what they are.
	const char* fromFile;
	const char* toFile;
	const char* capturedName;
} TransitionKind;

extern const TransitionKind s_kinds[];
extern const int kindCount;

/// What was measured, means over the trials; NaN where there is nothing.
typedef struct TrialMeans
{
	double seconds, slide, jerk, phase, truth;
	int count;

	/// Trials whose feet have a rhythm.
	int phaseCount;
} TrialMeans;

/// Sums become means.
void trialFinish(TrialMeans* means);

/// The material of one kind in one manner: two motions with contacts, and the truth.
typedef struct TrialScene
{
	rpMotion *a, *b;
	rpMotion* truths[truthCount];

	/// How truths are compared: clouds over two seconds, at 30 Hz; and where their joints are, frame by frame.
	rpMetric* metric;
	rpProfile* profiles[truthCount];
	rpVec3* places[truthCount];
} TrialScene;

/// Perform a scene, or load one from the folder of captured data (which has no truth). False: it cannot be had.
bool trialPerform(const TransitionKind* kind, uint64_t seed, TrialScene* out);
bool trialLoad(const TransitionKind* kind, const char* folder, TrialScene* out);
void trialFree(TrialScene* scene);

/// The moments of a trial: any two for blends that are given by their ends, the most alike ones for centred ones.
bool trialChoose(const TrialScene* scene, int trial, rpTransitionAnchor anchor, double* from, double* to);

/// Distance of a join from the nearest of the performer's own over the two seconds around it, mm: root mean square of
/// places, velocities times 0.1 s and accelerations times its square, all joints, one laid on the other. NaN without
/// truth.
double trialCompare(const TrialScene* scene, const rpMotion* result, double seam);

/// How a rule makes joins of a kind.
rpBlendLengthDef trialGetDef(const TransitionKind* kind, int rule, rpTransitionAnchor anchor);

/// Make one join and add what it measures. False: it could not be made.
bool trialAdd(const TrialScene* scene, const rpBlendLengthDef* def, double from, double to, TrialMeans* sums);
