/// Segment masses of a body, its centre of mass and its momentum.
#pragma once

#include "reprise/play/motion.h"

#ifdef __cplusplus
extern "C"
{
#endif

/// What falls freely gains this much speed, m/s².
#define RP_GRAVITY 9.81

/// A rigid part of the body that moves with a joint: a slim solid, symmetric about its long axis.
typedef struct rpSegment
{
	int joint;

	/// Kilograms.
	float mass;

	/// Its own centre of mass and long axis (unit), in the joint's frame.
	rpVec3 center;
	rpVec3 axis;

	/// Moments of inertia about the long axis and across it, through its centre, kg m².
	float along, across;
} rpSegment;

/// How to weigh a body. Must come from rpDefaultBodyDef().
typedef struct rpBodyDef
{
	/// Kilograms; 0 takes a body mass index of 22 for the skeleton's height.
	float mass;
} rpBodyDef;

RP_API rpBodyDef rpDefaultBodyDef(void);

/// Max segments of a body: fourteen limbs and head, three parts of the trunk, and room for more.
#define RP_MAX_SEGMENTS 32

/// Segments of a skeleton. A plain value; it does not own the skeleton.
typedef struct rpBody
{
	float mass;
	int segmentCount;
	rpSegment segments[RP_MAX_SEGMENTS];
} rpBody;

/// Weigh a skeleton: masses, centres and radii of gyration after de Leva (1996), for the segments that its roles
/// identify. The mass of a part that the skeleton lacks is carried by the others, in proportion. def may be NULL. False
/// for a skeleton without pelvis or without legs, which has no known proportions. error may be NULL.
RP_API RP_NODISCARD bool rpWeighSkeleton(const rpSkeleton* skeleton, const rpBodyDef* def, rpBody* out, rpError* error);

/// Centre of mass of a pose ([jointCount], world), metres.
RP_API rpVec3 rpBody_GetCenter(const rpBody* body, const rpTransform* pose);

/// Centre of mass of every frame of a motion; out is [frameCount].
RP_API void rpBody_GetCenters(const rpBody* body, const rpMotion* motion, rpVec3* out);

/// Linear momentum in kg m/s, and angular momentum about the centre of mass in kg m²/s.
typedef struct rpMomentum
{
	rpVec3 linear;
	rpVec3 angular;
} rpMomentum;

/// The momentum half-way between two poses that are `seconds` apart.
RP_API rpMomentum rpBody_GetMomentum(const rpBody* body, const rpTransform* before, const rpTransform* after,
									 float seconds);

#ifdef __cplusplus
}
#endif
