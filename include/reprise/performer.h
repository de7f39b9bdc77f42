/// The embedded performer: motion made by formula, so that Reprise runs with no data but its own.
#pragma once

#include "reprise/motion.h"

#ifdef __cplusplus
extern "C"
{
#endif

	/// What the performer can do.
	typedef enum rpAct
	{
		rp_actStand,
		rp_actWalk,
		rp_actRun,
		rp_actJump,
		rp_actWave,
		rp_actCount,
	} rpAct;

	/// "walk"
	RP_API const char* rpAct_GetName(rpAct act);

	/// rp_actCount if there is none of that name.
	RP_API rpAct rpAct_Find(const char* name);

	/// How to perform. Must come from rpDefaultPerformDef(act).
	typedef struct rpPerformDef
	{
		rpAct act;
		/// Frames per second and length in seconds.
		double fps, seconds;
		/// Forward speed, m/s, and turning to the left, rad/s; walking and running only.
		float speed, turn;
	} rpPerformDef;

	RP_API rpPerformDef rpDefaultPerformDef(rpAct act);

	/// Perform, with label and contacts as annotations. error may be NULL. Free with rpDestroyMotion.
	RP_API RP_NODISCARD rpMotion* rpPerform(const rpPerformDef* def, rpError* error);

	/// The performer's skeleton, 1.75 m tall, named as captures name theirs. Give it back with rpReleaseSkeleton.
	RP_API RP_NODISCARD rpSkeleton* rpCreatePerformerSkeleton(rpError* error);

#ifdef __cplusplus
}
#endif
