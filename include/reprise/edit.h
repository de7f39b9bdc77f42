/// Edits: each makes a new motion, annotations included. error may be NULL everywhere; NULL is returned when an
/// argument is out of range or memory ran out; free results with rpDestroyMotion.
///
/// A motion that has a name but no source intervals is its own source: crop, join and retime note in their result which
/// of its moments each frame comes from. A frame stands for the time up to the next one, so that intervals of a motion
/// lie in [0, frameCount / fps).
#pragma once

#include "reprise/play/feet.h"
#include "reprise/play/motion.h"

#ifdef __cplusplus
extern "C"
{
#endif

/// At another rate, by lerp and slerp, over the same time. The last frame is the last multiple of 1/fps that the
/// motion covers (within a thousandth of a frame).
RP_API RP_NODISCARD rpMotion* rpResampleMotion(const rpMotion* motion, double fps, rpError* error);

/// The frames from start to end seconds, both included, each rounded to the nearest frame; the first becomes time
/// 0.
RP_API RP_NODISCARD rpMotion* rpCropMotion(const rpMotion* motion, double start, double end, rpError* error);

/// Frames first … first+count-1.
RP_API RP_NODISCARD rpMotion* rpCropFrames(const rpMotion* motion, int first, int count, rpError* error);

/// One after the other, as they are, each placed where it is: the next one's frame 0 follows one frame after the
/// last. Skeletons must match, rates must be equal. A "seam" event marks each joint.
RP_API RP_NODISCARD rpMotion* rpJoinMotions(const rpMotion* const* motions, int count, rpError* error);

/// Left and right exchanged, reflected in the plane x = 0. On a skeleton that is not symmetric, each
/// side's rotations go to the other side's bones.
RP_API RP_NODISCARD rpMotion* rpMirrorMotion(const rpMotion* motion, rpError* error);

/// The motion played along a warp, at the same rate: frame i shows the old motion at warp(i / fps), for as long as
/// that is inside.
RP_API RP_NODISCARD rpMotion* rpRetimeMotion(const rpMotion* motion, const rpWarp* warp, rpError* error);

/// The same motion elsewhere on the ground.
RP_API RP_NODISCARD rpMotion* rpMoveMotion(const rpMotion* motion, rpGroundTransform ground, rpError* error);

/// A body of another size: offsets, positions and heights multiplied by a factor.
RP_API RP_NODISCARD rpMotion* rpScaleMotion(const rpMotion* motion, float factor, rpError* error);

/// The same motion in other axes: every vector v of it becomes rotate(rotation, v), in the skeleton too.
/// So a Z-up capture becomes Y-up, rest pose included.
RP_API RP_NODISCARD rpMotion* rpChangeAxes(const rpMotion* motion, rpQuat rotation, rpError* error);

/// The same frames on another skeleton with equal joints by name and parent: rotations kept as they are.
RP_API RP_NODISCARD rpMotion* rpReplaceSkeleton(const rpMotion* motion, const rpSkeleton* skeleton, rpError* error);

/// How a motion is put onto another body. Must come from rpDefaultRetargetDef().
typedef struct rpRetargetDef
{
	/// Lock the feet afterwards, true. They are where the legs of the new body take them, which is not where they rest.
	bool lockFeet;

	/// How they are locked: as rpDefaultFootLockDef() has it, but without any stretch, so that the bones stay rigid.
	rpFootLockDef lock;
} rpRetargetDef;

/// What was done.
typedef struct rpRetargetReport
{
	/// Places and heights were multiplied by it: the ratio of the legs' lengths, or of the bodies' heights where one of
	/// them has no legs.
	float factor;

	/// By how much the body was raised then, metres, so that resting feet are on their supports on the average. Heights
	/// of the contacts follow where single feet of the new body are higher or lower than the old one's.
	float rise;

	/// All zero when nothing was locked.
	rpFootLockReport lock;
} rpRetargetReport;

RP_API rpRetargetDef rpDefaultRetargetDef(void);

/// The motion as a body of another size would do it, on a skeleton with equal joints by name and parent: rotations are
/// kept, the root's places and heights grow with the legs, feet are locked where the contact track says that they rest
/// (rpDetectContacts finds contacts; without any, nothing is locked). So several people's takes can be blended. Joints
/// whose rest poses differ in direction keep their rotations all the same. def, report and error may be NULL.
RP_API RP_NODISCARD rpMotion* rpRetargetMotion(const rpMotion* motion, const rpSkeleton* skeleton,
											   const rpRetargetDef* def, rpRetargetReport* report, rpError* error);

/// The root's path on the floor: points (x, z) of each frame, [frameCount], smoothed by a Gaussian of this
/// deviation in seconds (0: as it is).
RP_API void rpMotion_GetRootPath(const rpMotion* motion, double smoothing, rpVec2* out);

#ifdef __cplusplus
}
#endif
