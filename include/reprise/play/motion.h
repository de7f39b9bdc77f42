/// The motion: frames of one skeleton at one rate, with what is known about them.
#pragma once

#include "reprise/play/annotation.h"

#ifdef __cplusplus
extern "C"
{
#endif

/// A file or clip that a motion was made from.
typedef struct rpInput
{
	/// File name without folders, or the clip's name.
	const char* name;

	/// Hash of its bytes, 32 hexadecimal digits, or empty.
	char hash[33];
} rpInput;

/// Max frames of a motion, and max rotations (frames times joints), which bare motions need not heed.
#define RP_MAX_FRAMES 100000000
#define RP_MAX_ROTATIONS 2000000000LL

/// The highest rate at which motions are made, frames per second: captures have up to some hundred, and frames between
/// theirs hold nothing new. Files may have higher ones.
#define RP_MAX_FPS 1000.0

/// A motion M(t) = {root position, root orientation, joint rotations}. Fields are there to be read, and the
/// frames to be written, by whoever owns the motion. Between frames: lerp of positions, slerp of rotations.
///
/// A bare motion is all of this but the frames, which go elsewhere one by one as they are made (rpFrameFn):
/// rootPositions, rotations and translations are NULL. It can be named, annotated and asked for its duration; what
/// looks at frames must not be given one.
typedef struct rpMotion
{
	/// Counted; shared between motions.
	rpSkeleton* skeleton;

	/// Frames per second, positive.
	double fps;

	/// At least 1; of a bare motion 0 until it is known. Frame i is at i / fps seconds; the motion lasts
	/// (frameCount - 1) / fps.
	int frameCount;

	/// [frameCount], metres.
	rpVec3* rootPositions;

	/// [frameCount * jointCount], local rotations, unit; the root's is in the world. Consecutive frames of a
	/// joint are in one hemisphere.
	rpQuat* rotations;

	/// [frameCount * jointCount], local translations in place of the skeleton's offsets, for captures whose bones
	/// change length; the root's entry is its offset. NULL when every bone is rigid, which is the rule.
	rpVec3* translations;

	/// Name of the clip, for people. Never NULL.
	char* name;

	rpAnnotations annotations;

	/// [inputCount], what it was made from.
	rpInput* inputs;
	int inputCount;
} rpMotion;

/// One posture, owned by the caller: rotations (and translations, NULL when rigid) are [jointCount].
typedef struct rpPose
{
	rpVec3 rootPosition;
	rpQuat* rotations;
	rpVec3* translations;
} rpPose;

/// Make a motion of frameCount frames, all in the rest pose at the origin, with no annotations. Retains the
/// skeleton. name may be NULL. error may be NULL. Returns NULL when a size is out of range or memory ran out;
/// free with rpDestroyMotion.
RP_API RP_NODISCARD rpMotion* rpCreateMotion(const rpSkeleton* skeleton, const char* name, double fps, int frameCount,
											 rpError* error);

/// Make a bare motion; frameCount may be 0.
RP_API RP_NODISCARD rpMotion* rpCreateBareMotion(const rpSkeleton* skeleton, const char* name, double fps,
												 int frameCount, rpError* error);

/// Takes the frames of a motion one after the other as they are made. motion is the bare one that they belong to: its
/// skeleton, rate, inputs and, unless it is 0, frame count are final, its annotations are not yet. pose is borrowed for
/// the call. False: no more; error, which may be NULL, says why.
typedef bool rpFrameFn(void* context, const rpMotion* motion, int frame, const rpPose* pose, rpError* error);

/// A deep copy, skeleton shared.
RP_API RP_NODISCARD rpMotion* rpCopyMotion(const rpMotion* motion, rpError* error);

/// NULL does nothing.
RP_API void rpDestroyMotion(rpMotion* motion);

RP_API RP_NODISCARD bool rpMotion_SetName(rpMotion* motion, const char* name, rpError* error);

/// Note an input; one with the same name and hash is kept once.
RP_API RP_NODISCARD bool rpMotion_AddInput(rpMotion* motion, const char* name, const char* hash, rpError* error);

/// (frameCount - 1) / fps
RP_API double rpMotion_GetDuration(const rpMotion* motion);

/// The frame nearest to a time, clamped to the motion.
RP_API int rpMotion_GetFrame(const rpMotion* motion, double seconds);

/// Rotations of one frame, [jointCount].
RP_API const rpQuat* rpMotion_GetRotations(const rpMotion* motion, int frame);

/// One frame, to be read or written where it lies; the root's position is a copy.
RP_API rpPose rpMotion_GetPose(const rpMotion* motion, int frame);

/// The posture at a time, clamped to the motion. out->rotations must hold jointCount; out->translations is
/// filled when both it and the motion's are there.
RP_API void rpMotion_Sample(const rpMotion* motion, double seconds, rpPose* out);

/// Joints of one frame in the world; out is [jointCount].
RP_API void rpMotion_Forward(const rpMotion* motion, int frame, rpTransform* out);

/// Joints of many frames in the world, [frameCount * jointCount] each; either output may be NULL.
RP_API void rpMotion_ForwardAll(const rpMotion* motion, int firstFrame, int frameCount, rpVec3* positions,
								rpQuat* orientations);

/// Where an effector is in one frame. False if the body has none.
RP_API bool rpMotion_GetEffector(const rpMotion* motion, int frame, rpEffector effector, rpVec3* out);

/// Linear velocities of the joints at a frame in m/s, and angular ones in rad/s in the world, by central
/// differences (one-sided at the ends). [jointCount] each; either may be NULL. False if memory ran out.
RP_API RP_NODISCARD bool rpMotion_GetVelocities(const rpMotion* motion, int frame, rpVec3* linear, rpVec3* angular,
												rpError* error);

/// The root's ground transform at a frame: its heading and its place on the floor.
RP_API rpGroundTransform rpMotion_GetGround(const rpMotion* motion, int frame);

/// The same of a pose.
RP_API rpGroundTransform rpPose_GetGround(const rpPose* pose);

/// The root's place on the floor (its height left out) at a time, clamped to the motion.
RP_API rpVec3 rpMotion_GetPlace(const rpMotion* motion, double seconds);

/// Whether all its numbers are finite; if not, the error names the first frame that holds one which is not. error may
/// be NULL.
RP_API RP_NODISCARD bool rpMotion_CheckFinite(const rpMotion* motion, rpError* error);

/// The curve of points that says which path over the floor a motion was to follow.
#define RP_WANTED_PATH "wanted_path"

/// Note that path, (x, z) in metres, at least two points: each at the time when the root passes it, by its nearest
/// point going forward only; what it never comes to, at its end. A curve like any other: edits take it along, and a
/// crop keeps the part that was to be followed in it. trail is where the root is in each frame of a bare motion,
/// [frameCount]; NULL: by the motion's own frames.
RP_API RP_NODISCARD bool rpMotion_NotePath(rpMotion* motion, const rpGroundTransform* trail, const rpVec2* points,
										   int count, rpError* error);

/// Whether its last frame joins its first, so that it can be played again and again: seen from where the root is on the
/// floor, no joint, nor what is 10 cm from it, is off by more than 2 cm, or would be after going on for a tenth of a
/// second. Half a frame, and what changes by itself from frame to frame, does not count. *out is false for fewer than
/// three frames. False if memory ran out.
RP_API RP_NODISCARD bool rpMotion_Repeats(const rpMotion* motion, bool* out, rpError* error);

/// Bring consecutive frames of each joint into one hemisphere, and normalise.
RP_API void rpMotion_FixHemispheres(rpMotion* motion);

/// Whether two motions show the same: equal rate and frame count, every joint within `metres` in every frame.
RP_API bool rpMotion_Agrees(const rpMotion* a, const rpMotion* b, float metres);

/// Intervals of a track, in order, into out; returns how many there are, whatever the capacity.
/// Their names are borrowed from the motion.
RP_API int rpMotion_GetIntervals(const rpMotion* motion, rpTrack track, rpInterval* out, int capacity);

/// A strictly increasing map from seconds in a new motion to seconds in an old one.
typedef struct rpWarp
{
	/// [count], strictly increasing. At least 2.
	const double* newTimes;
	const double* oldTimes;
	int count;

	/// False: straight lines between the knots. True: a monotone cubic (Fritsch & Carlson 1980), smooth in speed.
	bool smooth;
} rpWarp;

/// Old time of a new one, and the reverse; extended beyond the ends by their end slopes.
RP_API double rpWarp_Apply(const rpWarp* warp, double newSeconds);
RP_API double rpWarp_Invert(const rpWarp* warp, double oldSeconds);

#ifdef __cplusplus
}
#endif
