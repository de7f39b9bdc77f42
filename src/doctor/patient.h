/// The clip on the doctor's table, and the examinations it goes through.
#pragma once

#include "doctor/doctor.h"

/// Rows first … last are those that passed so far; the others are cut off at the end, if repairs are wanted, and are
/// looked at by no later examination in any case. Rows are frames of the motion until then, and so rows of the file.
typedef struct rpPatient
{
	/// Owned. An examination may put another in its place.
	rpMotion* motion;

	/// Metres per unit that the file states, or 0.
	double metresPerUnit;

	const rpReadDef* def;
	rpFindings* findings;
	rpError* error;

	int first, last;

	/// Rest-pose rows at the start of the file.
	int restRowCount;

	/// Whether the rest pose is a standing body, so that it can be measured along y.
	bool stands;

	/// Whether rows were changed.
	bool touched;

	/// Whether something was said about the frame rate.
	bool rateWasSaid;

	/// What the take reports to its session; NULL where it decides alone.
	rpTake* take;

	/// [frameCount], rows that something was said about; later examinations leave them alone.
	bool* said;
} rpPatient;

/// The examinations, in their order. Each adds what it finds, mends it if the patient's def says so, and returns false
/// only when memory ran out.
RP_NODISCARD bool rpExamineReferenceRoot(rpPatient* patient);
RP_NODISCARD bool rpExamineRestRow(rpPatient* patient);
RP_NODISCARD bool rpExamineAxes(rpPatient* patient);
RP_NODISCARD bool rpExamineUnits(rpPatient* patient);
RP_NODISCARD bool rpExamineBoneLengths(rpPatient* patient);
RP_NODISCARD bool rpExamineLostBones(rpPatient* patient);
RP_NODISCARD bool rpExamineRootAtOrigin(rpPatient* patient);
RP_NODISCARD bool rpExamineFrozenRows(rpPatient* patient);
RP_NODISCARD bool rpExamineRate(rpPatient* patient);
RP_NODISCARD bool rpExamineSpikes(rpPatient* patient);
RP_NODISCARD bool rpExamineJumps(rpPatient* patient);
RP_NODISCARD bool rpExamineFalls(rpPatient* patient);
RP_NODISCARD bool rpExamineFloor(rpPatient* patient);

/// Put another motion in the patient's place; NULL (no memory) leaves the old one and returns false.
RP_NODISCARD bool rpPatient_Replace(rpPatient* patient, rpMotion* motion);

/// A copy of the skeleton's joints, to be changed and given to rpPatient_SetJoints; free it with rpFree.
RP_NODISCARD rpJoint* rpPatient_CopyJoints(const rpPatient* patient);

/// Give the motion a skeleton with these joints, as many as it has, end sites kept. Frames are left alone.
/// guessRoles: forget the roles and guess them anew.
RP_NODISCARD bool rpPatient_SetJoints(rpPatient* patient, const rpJoint* joints, bool guessRoles);

/// The rest pose with the root's own frame as the world, [jointCount].
void rpPatient_GetRest(const rpPatient* patient, rpTransform* out);

/// Put rows firstRow … firstRow+rowCount-1 on the path from the row before to the row after them, which must exist: the
/// rotations of the joints that `joints` marks (NULL: all), and the root's place if asked for.
void rpPatient_Interpolate(rpPatient* patient, int firstRow, int rowCount, const bool* joints, bool rootPosition);

/// The angle between two orientations in radians, exact for tiny ones too.
float rpGetStepAngle(rpQuat a, rpQuat b);

/// The middle one of the values, which are put in order; 0 if there are none.
float rpTakeMedian(float* values, int count);

/// "row 4" or "rows 4 to 7".
typedef struct rpRowText
{
	char text[40];
} rpRowText;
rpRowText rpNameRows(int firstRow, int rowCount);

/// Whether something was said about any of the rows first … last, which may lie outside.
bool rpPatient_WasSaid(const rpPatient* patient, int first, int last);

/// Add a finding about rows.
rpFinding* rpPatient_AddRows(rpPatient* patient, const char* code, int firstRow, int rowCount, const char* format, ...)
	RP_PRINTF(5, 6);
