/// Motions from and to files. Loading is reading, then the doctor: what is wrong with the clip is found, said and
/// mended.
#pragma once

#include "reprise/play/findings.h"
#include "reprise/play/motion.h"

#ifdef __cplusplus
extern "C"
{
#endif

typedef enum rpFormat
{
	/// By the file's ending, or by its first bytes.
	rp_formatAuto,
	/// Biovision hierarchy, in and out.
	rp_formatBvh,
	/// Acclaim motion, in; needs its skeleton (.asf).
	rp_formatAmc,
	/// Binary glTF 2.0, out.
	rp_formatGlb,
	/// Joint positions as a table, out.
	rp_formatCsv,
	rp_formatCount,
} rpFormat;

/// By the ending of a path; rp_formatAuto if unknown.
RP_API rpFormat rpFormat_FromPath(const char* path);

typedef enum rpUpAxis
{
	/// Found out by the doctor.
	rp_upAuto,
	rp_upY,
	rp_upZ,
	rp_upX,
} rpUpAxis;

/// A correction of a guessed role.
typedef struct rpRoleFix
{
	rpRole role;
	/// Empty: no joint has this role.
	const char* joint;
} rpRoleFix;

/// How to read. Must come from rpDefaultReadDef(). Pointers are borrowed for the call.
typedef struct rpReadDef
{
	rpFormat format;

	/// Frames per second instead of what the file says; 0: what it says.
	double fps;

	/// Metres per unit of the file; 0: found out by the doctor.
	double scale;

	rpUpAxis up;

	/// Mend what the doctor finds (true by default). False: only report. Units and up axis are then still
	/// brought to metres and Y-up, since everything else depends on them.
	bool repair;

	/// Keep a rest-pose first row as a frame.
	bool keepRestRow;

	/// Leave the floor as it is: neither level it nor put it at y = 0.
	bool keepFloor;

	/// Position channels below the root are added to the joint's OFFSET instead of replacing it.
	bool addOffsets;

	/// Do not look for the JSON sidecar.
	bool ignoreSidecar;

	/// AMC only: the skeleton, as a path, or as bytes. Neither: the path's .asf of the same name, or of the part
	/// before '_', or the only one in its folder.
	const char* skeletonPath;
	const void* skeletonBytes;
	size_t skeletonSize;

	/// [roleFixCount]
	const rpRoleFix* roleFixes;
	int roleFixCount;
} rpReadDef;

RP_API rpReadDef rpDefaultReadDef(void);

/// Load a motion file. def may be NULL for the defaults. findings may be NULL; it is added to, and is
/// filled also when loading fails. error may be NULL; for a bad file it holds line and column. Takes the JSON
/// sidecar beside the file when there is one and its hash fits. Returns NULL on failure; free with rpDestroyMotion.
RP_API RP_NODISCARD rpMotion* rpLoadMotion(const char* path, const rpReadDef* def, rpFindings* findings,
										   rpError* error);

/// The same from memory. name is used in messages and as the clip's name; its ending selects the format if def does
/// not.
RP_API RP_NODISCARD rpMotion* rpReadMotion(const void* bytes, size_t size, const char* name, const rpReadDef* def,
										   rpFindings* findings, rpError* error);

/// What a GLB file says of its animations: do they repeat?
typedef enum rpLoopFlag
{
	/// Where rpMotion_Repeats says so.
	rp_loopAuto,
	rp_loopYes,
	rp_loopNo,
} rpLoopFlag;

/// How to save. Must come from rpDefaultSaveDef().
typedef struct rpSaveDef
{
	rpFormat format;

	/// Units of the file per metre, for BVH and CSV: 1 (default) metres, 100 centimetres.
	double unitsPerMetre;

	/// GLB: add a low-poly skinned body (true by default).
	bool mesh;

	/// GLB: a bone "root" on the floor above the skeleton's own root (true by default). It carries where the body goes:
	/// place and heading on the floor, smoothed, exact at both ends; the skeleton's root carries the rest. What is
	/// shown is the same with and without it.
	bool rootBone;

	/// GLB: "loop" in the extras of each animation.
	rpLoopFlag loop;

	/// CSV: after the positions, the local rotation of each joint as a quaternion w, x, y, z; the root's is in the
	/// world. False by default.
	bool rotations;

	/// Write the JSON sidecar beside the file (true by default).
	bool sidecar;

	/// How the motion was made, as a JSON object in text, for the sidecar; may be NULL.
	const char* parameters;
} rpSaveDef;

RP_API rpSaveDef rpDefaultSaveDef(void);

/// Save a motion: written beside and renamed, so that the path holds the old file or the whole new one. def may
/// be NULL. Several motions of one skeleton can be saved to a GLB, as one animation each; other formats take one.
RP_API RP_NODISCARD bool rpSaveMotion(const rpMotion* motion, const char* path, const rpSaveDef* def, rpError* error);
RP_API RP_NODISCARD bool rpSaveMotions(const rpMotion* const* motions, int count, const char* path,
									   const rpSaveDef* def, rpError* error);

/// A motion file that is written frame by frame as they are made: it takes little memory, however long the motion is.
typedef struct rpMotionWriter rpMotionWriter;

/// Begin to save a motion, usually a bare one (rpCreateBareMotion), which is borrowed until the writer is destroyed, as
/// is def->parameters. def may be NULL, and so may error. The file has its name once it is finished: until then, and if
/// it never is, the path holds what it held; only a pipe or device gets its bytes as they come. A motion whose
/// frameCount is 0 says how many frames there were when it is finished; a BVH file then needs its room on the disk
/// twice, as GLB always does. NULL, at once and not after long work, if nothing can be written there or the format
/// cannot hold so much; free with rpDestroyMotionWriter.
RP_API RP_NODISCARD rpMotionWriter* rpOpenMotionWriter(const rpMotion* motion, const char* path, const rpSaveDef* def,
													   rpError* error);

/// The next frame. pose->translations is only looked at where the motion has some of its own.
RP_API RP_NODISCARD bool rpMotionWriter_Add(rpMotionWriter* writer, const rpPose* pose, rpError* error);

/// All frames were added: put the file in its place and its sidecar beside it, with the name, annotations and inputs
/// that the motion has now. The bytes are those of rpSaveMotion.
RP_API RP_NODISCARD bool rpMotionWriter_Finish(rpMotionWriter* writer, rpError* error);

/// NULL does nothing. A file that was not finished is as if it had never been begun.
RP_API void rpDestroyMotionWriter(rpMotionWriter* writer);

/// Write a motion into memory in a format, without sidecar. *bytes is freed with rpFreeBytes.
RP_API RP_NODISCARD bool rpWriteMotion(const rpMotion* motion, const rpSaveDef* def, void** bytes, size_t* size,
									   rpError* error);

/// Write bytes to a file, beside and renamed: the path holds the old file or the whole new one, whatever happens.
RP_API RP_NODISCARD bool rpSaveBytes(const char* path, const void* bytes, size_t size, rpError* error);

/// Read the first path, polyline or polygon of an SVG file, or where it has none the first line, rectangle, circle or
/// ellipse, as points (x, z) on the floor, seen from above with +Z up the page: curves become chords within 5 mm. The
/// transforms of the shape and of the elements around it are applied; one that cannot be read, is not finite or is
/// singular is an error. What is not drawn is not taken: the inside of defs, clipPath, symbol, marker, mask and
/// pattern, and what has display="none". A unit of the page is metresPerUnit; viewBox, width, height, x and y of <svg>
/// are not looked at. strokeCount, which may be NULL, is how many such shapes and parts of paths are drawn: all but the
/// first are left out. *points is freed with rpFreeBytes. error names the place in the file.
RP_API RP_NODISCARD bool rpLoadSvgPath(const char* path, double metresPerUnit, rpVec2** points, int* count,
									   int* strokeCount, rpError* error);
RP_API RP_NODISCARD bool rpReadSvgPath(const void* bytes, size_t size, double metresPerUnit, rpVec2** points,
									   int* count, int* strokeCount, rpError* error);

#ifdef __cplusplus
}
#endif
