/// Spans: what a timeline is made of. A span is a blend of clips: which ones, how their times and weights run, where it
/// lies on the ground, and what rests in it. It is a function of time: nothing in it changes once it is made.
#pragma once

#include "blend/clip.h"
#include "math/ground_path.h"

#include <math.h>

enum
{
	/// Two more than any stretch has: what is before and after it.
	rp_maxSpanKeys = 26,
	rp_maxSpanContacts = 64,
};

/// A share at one moment: seconds in its clip, its weight, and what takes the clip's root onto the ground of the span.
typedef struct rpShareMoment
{
	double time;
	float weight;
	rpGroundTransform ground;
} rpShareMoment;

/// How a share runs where the span's few keys could not say it: moments at a fixed rate from the span's start on,
/// straight between them.
typedef struct rpShareTrack
{
	/// [count], borrowed.
	const rpShareMoment* moments;
	int count;
	double fps;
} rpShareTrack;

/// One clip's part in a span.
typedef struct rpSpanShare
{
	const rpClip* clip;

	/// What reports call the clip.
	int source;

	/// At the span's keys: seconds in the clip, how fast they run (clip seconds per second), and its weight.
	double times[rp_maxSpanKeys];
	double rates[rp_maxSpanKeys];
	float weights[rp_maxSpanKeys];

	/// Takes the clip's root onto the ground of the span.
	rpGroundTransform ground;

	/// In place of times, rates, weights and ground; NULL: these hold. Borrowed.
	const rpShareTrack* track;

	/// [jointCount]: whether a joint takes part; NULL: all do. Shares of one mask are blended with each other.
	/// Borrowed.
	const bool* mask;
} rpSpanShare;

typedef struct rpSpan
{
	/// Seconds in the timeline.
	double start;

	/// Seconds from its start. Between keys clip times run along cubics and weights along lines. With a single key,
	/// clips run on at the rates there, for ever.
	double keys[rp_maxSpanKeys];
	int keyCount;

	rpSpanShare shares[RP_MAX_SHARES];
	int shareCount;

	/// Takes its start into the world, and how its ground moves from there.
	rpGroundTransform placement;
	rpGroundPath path;

	/// What rests: contacts sorted by their starts, in seconds that are `contactShift` less than those from the span's
	/// start, on supports that are `rise` lower. NULL: ownContacts.
	const rpClipContact* contacts;
	int contactCount;
	double contactShift;
	float rise;
	rpClipContact ownContacts[rp_maxSpanContacts];

	/// Bits, whatever they mean to its maker.
	uint64_t labels;
} rpSpan;

/// Seconds from its start to its last key; infinite with a single one.
double rpSpan_GetDuration(const rpSpan* span);

/// Where a moment is among the keys, and how values and slopes there count for the value between and its slope.
typedef struct rpSpanSpot
{
	double seconds;
	int key;
	double value[4], slope[4];
	float t;
} rpSpanSpot;

rpSpanSpot rpSpan_FindSpot(const rpSpan* span, double seconds);

/// Seconds in a share's clip, how fast they run, and its weight, relative to the others'.
double rpSpanShare_GetTime(const rpSpanShare* share, const rpSpanSpot* spot);
double rpSpanShare_GetRate(const rpSpanShare* share, const rpSpanSpot* spot);
float rpSpanShare_GetWeight(const rpSpanShare* share, const rpSpanSpot* spot);

/// The ground in the world some seconds after the span's start.
rpGroundTransform rpSpan_GetGround(const rpSpan* span, double seconds);

/// The pose some seconds after the span's start. pose->rotations is [jointCount], and so is pose->translations, which
/// may be NULL.
void rpSpan_Sample(const rpSpan* span, double seconds, rpPose* pose);

/// The same with the ground somewhere else.
void rpSpan_SampleAt(const rpSpan* span, double seconds, rpGroundTransform ground, rpPose* pose);

/// The root's place alone.
rpVec3 rpSpan_GetRoot(const rpSpan* span, double seconds);

/// Bits (1u << rpEffector) of what rests some seconds after the span's start; heights is [rp_effectorCount], metres in
/// the world, written for those that rest. Contacts that begin later need not be looked at: *first, 0 at first, is how
/// many at the beginning of the list have ended for a reader that goes on in time; NULL: all are looked at.
unsigned rpSpan_GetContacts(const rpSpan* span, double seconds, int* first, float* heights);

/// A span that plays one clip from a time of it on, at its own pace, placed so that its floor is that of the placement.
void rpSpan_PlayClip(rpSpan* span, const rpClip* clip, int source, double start, double clipTime,
					 rpGroundTransform placement);

/// The same, at the heights that the clip has.
void rpSpan_PlayClipAsIs(rpSpan* span, const rpClip* clip, int source, double start, double clipTime,
						 rpGroundTransform placement);
