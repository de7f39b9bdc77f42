/// The skeleton: joints, their roles in a body, end sites, freedoms, rest pose. Immutable once made, counted.
#pragma once

#include "reprise/play/math.h"

#ifdef __cplusplus
extern "C"
{
#endif

/// What a joint is in a human body. A role belongs to the joint whose *origin* is at that place: the left knee is
/// the joint that bends the shank, whatever the file calls it ("LeftLeg", "LeftShin", "ltibia").
/// The pelvis is where the legs and the spine branch, the spine the first joint above it at a place of its own, the
/// chest where the arms and the neck branch, the neck the first joint above that, the ball where the toes bend.
/// X(enumerator, name, enumerator of the mirrored role)
#define RP_ROLES(X)                                          \
	X(rolePelvis, "pelvis", rolePelvis)                      \
	X(roleSpine, "spine", roleSpine)                         \
	X(roleChest, "chest", roleChest)                         \
	X(roleNeck, "neck", roleNeck)                            \
	X(roleHead, "head", roleHead)                            \
	X(roleLeftClavicle, "left_clavicle", roleRightClavicle)  \
	X(roleLeftShoulder, "left_shoulder", roleRightShoulder)  \
	X(roleLeftElbow, "left_elbow", roleRightElbow)           \
	X(roleLeftWrist, "left_wrist", roleRightWrist)           \
	X(roleLeftHip, "left_hip", roleRightHip)                 \
	X(roleLeftKnee, "left_knee", roleRightKnee)              \
	X(roleLeftAnkle, "left_ankle", roleRightAnkle)           \
	X(roleLeftBall, "left_ball", roleRightBall)              \
	X(roleRightClavicle, "right_clavicle", roleLeftClavicle) \
	X(roleRightShoulder, "right_shoulder", roleLeftShoulder) \
	X(roleRightElbow, "right_elbow", roleLeftElbow)          \
	X(roleRightWrist, "right_wrist", roleLeftWrist)          \
	X(roleRightHip, "right_hip", roleLeftHip)                \
	X(roleRightKnee, "right_knee", roleLeftKnee)             \
	X(roleRightAnkle, "right_ankle", roleLeftAnkle)          \
	X(roleRightBall, "right_ball", roleLeftBall)

typedef enum rpRole
{
	rp_roleNone,
#define X(enumerator, name, mirrored) rp_##enumerator,
	RP_ROLES(X)
#undef X
		rp_roleCount,
} rpRole;

/// "left_knee"; "none" for rp_roleNone.
RP_API const char* rpRole_GetName(rpRole role);

/// The role of that name, rp_roleNone if there is none.
RP_API rpRole rpRole_Find(const char* name);

/// The same role on the other side; a role of the midline is its own.
RP_API rpRole rpRole_Mirror(rpRole role);

/// The parts of the body that touch the world. Heel, ball and toe are points on the foot, virtual where a
/// capture has no joint there.
/// X(enumerator, name, mirrored enumerator)
#define RP_EFFECTORS(X)                  \
	X(leftHeel, "left_heel", rightHeel)  \
	X(leftBall, "left_ball", rightBall)  \
	X(leftToe, "left_toe", rightToe)     \
	X(rightHeel, "right_heel", leftHeel) \
	X(rightBall, "right_ball", leftBall) \
	X(rightToe, "right_toe", leftToe)    \
	X(leftHand, "left_hand", rightHand)  \
	X(rightHand, "right_hand", leftHand) \
	X(seat, "seat", seat)

typedef enum rpEffector
{
#define X(enumerator, name, mirrored) rp_##enumerator,
	RP_EFFECTORS(X)
#undef X
		rp_effectorCount,
} rpEffector;

RP_API const char* rpEffector_GetName(rpEffector effector);

/// The foot that an effector belongs to: 0 left, 1 right, -1 for hands and the seat.
static inline int rpEffector_GetFoot(rpEffector effector)
{
	bool isLeft = effector == rp_leftHeel || effector == rp_leftBall || effector == rp_leftToe;
	bool isRight = effector == rp_rightHeel || effector == rp_rightBall || effector == rp_rightToe;
	return isLeft ? 0 : isRight ? 1 : -1;
}

/// rp_effectorCount if there is none of that name.
RP_API rpEffector rpEffector_Find(const char* name);
RP_API rpEffector rpEffector_Mirror(rpEffector effector);

/// Rotations a joint is free to make, as bits.
enum
{
	rp_freeX = 1,
	rp_freeY = 2,
	rp_freeZ = 4,
	rp_freeAll = 7,
};

/// One joint, as given to rpCreateSkeleton and as kept by the skeleton. Get one from rpDefaultJoint().
typedef struct rpJoint
{
	/// UTF-8, unique in the skeleton, never empty. One that is not UTF-8 is taken as Latin-1.
	const char* name;

	/// Index of the parent, smaller than the joint's own; -1 for the root, which is joint 0.
	int parent;

	/// From the parent's origin, in the parent's frame, metres. The root's is kept, and not part of its motion.
	rpVec3 offset;

	/// Local rotation in the rest pose.
	rpQuat rest;

	/// How to write its rotation as three angles.
	rpEulerOrder order;

	/// Which of its rotations are free (rp_freeX …), in the frame `axes`, and their limits in radians
	/// (lower > upper in a component means no limit is known there).
	int freedoms;
	rpQuat axes;
	rpVec3 lower, upper;

	/// Its role. Given: kept. rp_roleNone: guessed, if the definition asks for guesses.
	rpRole role;

	/// Its counterpart on the other side; itself on the midline. Computed by rpCreateSkeleton.
	int mirror;
} rpJoint;

/// The end of a chain: a point that moves with its joint ("End Site" of a BVH file).
typedef struct rpEndSite
{
	/// May be NULL or empty.
	const char* name;
	int joint;
	/// In the joint's frame, metres.
	rpVec3 offset;
} rpEndSite;

/// A point that moves with a joint. joint is -1 where the body has no such point.
typedef struct rpAttachment
{
	int joint;
	rpVec3 offset;
} rpAttachment;

/// Max joints of a skeleton.
#define RP_MAX_JOINTS 1024

/// What a skeleton is made of. Must come from rpDefaultSkeletonDef(). All pointers are borrowed for the call.
typedef struct rpSkeletonDef
{
	const rpJoint* joints;
	int jointCount;
	const rpEndSite* ends;
	int endCount;

	/// Guess the roles of joints that have none, from names and geometry. True by default.
	bool guessRoles;
} rpSkeletonDef;

/// A body's joints. Read the fields; they never change once the skeleton is made.
typedef struct rpSkeleton
{
	int jointCount;
	int endCount;

	/// [jointCount]
	const rpJoint* joints;

	/// [endCount]
	const rpEndSite* ends;

	/// [jointCount], copies of the joints' own, for tight loops.
	const int* parents;
	const rpVec3* offsets;

	/// Joint of each role, -1 if the body has none.
	int roles[rp_roleCount];

	/// Where each effector is.
	rpAttachment effectors[rp_effectorCount];

	/// Lowest to highest point in the rest pose, end sites included, along y, metres.
	float height;

	/// Hip to ankle along the bones, mean of both legs, metres; 0 if the body has no legs.
	float legLength;

	/// How high a resting heel or ball is above what it rests on, metres: the joints of a foot are above its sole. A
	/// contact's supportHeight is the height under the sole.
	float soleHeight;
} rpSkeleton;

RP_API rpJoint rpDefaultJoint(void);
RP_API rpSkeletonDef rpDefaultSkeletonDef(void);

/// Make a skeleton; it starts with one reference. error may be NULL. Returns NULL when the definition is wrong
/// (says which joint: a name or role given twice, a parent that does not come before, a number that is not
/// finite) or memory ran out. Give it back with rpReleaseSkeleton.
RP_API RP_NODISCARD rpSkeleton* rpCreateSkeleton(const rpSkeletonDef* def, rpError* error);

/// One more owner; returns the same skeleton. Counting is atomic.
RP_API rpSkeleton* rpRetainSkeleton(const rpSkeleton* skeleton);

/// One owner less; the last one frees it. NULL does nothing.
RP_API void rpReleaseSkeleton(rpSkeleton* skeleton);

/// The definition of a skeleton, borrowing its arrays: copy, change and create anew to correct a role.
RP_API rpSkeletonDef rpSkeleton_GetDef(const rpSkeleton* skeleton);

/// Index of the joint with that name, -1 if there is none.
RP_API int rpSkeleton_FindJoint(const rpSkeleton* skeleton, const char* name);

/// Index of the joint with that role, -1 if there is none.
RP_API int rpSkeleton_FindRole(const rpSkeleton* skeleton, rpRole role);

/// Whether motions of a and b can be blended: the same joints by name and parent, and offsets equal within
/// 1e-4 m. Roles, rest pose and limits may differ.
RP_API bool rpSkeleton_Matches(const rpSkeleton* a, const rpSkeleton* b);

/// Forward kinematics of one pose. translations (local, [jointCount]) may be NULL: then the skeleton's offsets
/// are used. out is [jointCount], in world coordinates. rotations is [jointCount]; the root's is in the world.
RP_API void rpSkeleton_Forward(const rpSkeleton* skeleton, rpVec3 rootPosition, const rpQuat* rotations,
							   const rpVec3* translations, rpTransform* out);

/// The rest pose in world coordinates, root at the origin. out is [jointCount].
RP_API void rpSkeleton_GetRest(const rpSkeleton* skeleton, rpTransform* out);

#ifdef __cplusplus
}
#endif
