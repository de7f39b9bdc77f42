/// Blend two motions of one action, off-line and live: a run between a slow one and a fast one.
/// blend_runs [A B OUT]; without files it blends two runs that it makes by itself and writes sample_blended.glb.
#include "reprise/reprise.h"

#include <stdio.h>
#include <stdlib.h>

static rpMotion* load(const char* path, float speed, rpError* error)
{
	rpPerformDef def = rpDefaultPerformDef(rp_actRun);
	def.seconds = 3.0;
	def.parameters[rp_paramSpeed] = speed;
	rpMotion* motion = path != NULL ? rpLoadMotion(path, NULL, NULL, error) : rpPerform(&def, error);
	// Contacts determine the phases, which make a blend physically correct.
	if (motion != NULL && path != NULL && !rpDetectContacts(motion, NULL, NULL, error))
	{
		rpDestroyMotion(motion);
		motion = NULL;
	}
	return motion;
}

// A whole motion: first bring both into one time and one place, then mix them.
static rpMotion* blend(const rpMotion* const motions[2], rpError* error)
{
	rpRegistrationDef registrationDef = rpDefaultRegistrationDef();
	registrationDef.freeEnds = true;
	rpRegistration* registration = rpCreateRegistration(motions, 2, &registrationDef, error);
	const float weights[] = {0.4f, 0.6f};
	rpBlendDef def = rpDefaultBlendDef();
	def.weights = weights;
	rpBlendReport report;
	rpMotion* result = registration != NULL ? rpRegistration_Blend(registration, &def, &report, error) : NULL;
	if (result != NULL)
	{
		printf("%s, %d phases, %d flights, velocity jumps by %.3f m/s at most\n",
			   report.scheme == rp_blendPhysical ? "physical" : "plain", report.phaseCount, report.flightCount,
			   (double)report.velocityJump);
	}
	rpDestroyRegistration(registration);
	return result;
}

// One pose, as a game does it in every frame: nothing is allocated.
static bool showPose(const rpMotion* const motions[2], rpError* error)
{
	rpClip *a = rpCreateClip(motions[0], error), *b = a != NULL ? rpCreateClip(motions[1], error) : NULL;
	if (b != NULL)
	{
		rpQuat rotations[RP_MAX_JOINTS];
		rpTransform world[RP_MAX_JOINTS];
		rpPose pose = {.rotations = rotations};
		const rpShare shares[] = {{a, 0.5, 0.4f, rpGroundTransform_identity},
								  {b, 0.6, 0.6f, rpGroundTransform_identity}};
		rpBlendClipsForward(shares, 2, &pose, world);
		printf("hips at %.3f m\n", (double)world[0].p.y);
	}
	rpDestroyClip(a);
	rpDestroyClip(b);
	return b != NULL;
}

int main(int argc, char** argv)
{
	rpError error = {0};
	bool hasFiles = argc > 3;
	const char* path = hasFiles ? argv[3] : "sample_blended.glb";
	rpMotion* slow = load(hasFiles ? argv[1] : NULL, 2.5f, &error);
	rpMotion* fast = slow != NULL ? load(hasFiles ? argv[2] : NULL, 4.0f, &error) : NULL;
	const rpMotion* const motions[2] = {slow, fast};
	rpMotion* result = fast != NULL ? blend(motions, &error) : NULL;
	bool done = result != NULL && showPose(motions, &error) && rpSaveMotion(result, path, NULL, &error);
	if (done)
	{
		printf("%s: %.2f s\n", path, rpMotion_GetDuration(result));
	}
	rpDestroyMotion(slow);
	rpDestroyMotion(fast);
	rpDestroyMotion(result);
	return done ? EXIT_SUCCESS : (fprintf(stderr, "%s\n", error.message), EXIT_FAILURE);
}
