#include "timeline/renderer.h"

#include "base/memory.h"
#include "feet/foot_hold.h"
#include "motion/draft.h"
#include "motion/kinematics.h"

#include <string.h>

// ---- making and freeing

static bool createRing(rpFrameRing* ring, unsigned count, const rpRendererDef* def, rpError* error)
{
	unsigned size = 1;
	while (size < count)
	{
		size *= 2;
	}
	size_t rotationCount = (size_t)size * (size_t)def->skeleton->jointCount;
	ring->mask = size - 1;
	ring->roots = rpAllocateZero(size, sizeof(rpVec3), error);
	ring->rotations = rpAllocateZero(rotationCount, sizeof(rpQuat), error);
	ring->translations = def->hasTranslations ? rpAllocateZero(rotationCount, sizeof(rpVec3), error) : NULL;
	return ring->roots != NULL && ring->rotations != NULL && (ring->translations != NULL || !def->hasTranslations);
}

static void freeRing(rpFrameRing* ring)
{
	rpFree(ring->roots);
	rpFree(ring->rotations);
	rpFree(ring->translations);
}

static bool createFeet(rpRenderer* renderer, const rpRendererDef* def, rpError* error)
{
	rpFootLockDef lock = rpDefaultFootLockDef();
	renderer->hasLegs = rpFootRig_Init(&renderer->rig, def->skeleton);
	renderer->isLocking = renderer->hasLegs && def->lockFeet;
	renderer->lookAhead = renderer->isLocking ? def->lookAhead : 0;
	return !renderer->isLocking ||
		   rpFeetTrack_Create(&renderer->feet, def->skeleton, def->fps, renderer->lookAhead, &lock, error);
}

bool rpRenderer_Create(rpRenderer* renderer, const rpRendererDef* def, rpError* error)
{
	*renderer = (rpRenderer){.skeleton = def->skeleton, .fps = def->fps};
	if (!createFeet(renderer, def, error) ||
		!rpSampler_Create(&renderer->sampler, def->skeleton, def->hasTranslations,
						  renderer->hasLegs ? &renderer->rig : NULL, error) ||
		!createRing(&renderer->made, (unsigned)renderer->lookAhead + 4, def, error) ||
		!createRing(&renderer->shown, 2, def, error))
	{
		return false;
	}
	renderer->notes = rpAllocateZero((size_t)renderer->made.mask + 1, sizeof(rpFrameNotes), error);
	renderer->world = rpAllocate(3 * (size_t)def->skeleton->jointCount, sizeof(rpTransform), error);
	return renderer->notes != NULL && renderer->world != NULL;
}

void rpRenderer_Free(rpRenderer* renderer)
{
	rpSampler_Free(&renderer->sampler);
	rpLayers_Free(&renderer->layers);
	rpFeetTrack_Free(&renderer->feet);
	freeRing(&renderer->made);
	freeRing(&renderer->shown);
	rpFree(renderer->notes);
	rpFree(renderer->world);
	*renderer = (rpRenderer){0};
}

void rpRenderer_Reset(rpRenderer* renderer)
{
	rpSampler_Reset(&renderer->sampler);
	rpLayers_Reset(&renderer->layers);
	renderer->madeCount = renderer->shownCount = 0;
	if (renderer->isLocking)
	{
		rpFeetTrack_Reset(&renderer->feet);
	}
}

static void visitRing(const rpRenderer* renderer, rpFrameRing* ring, rpPieceFn* visit, void* context)
{
	size_t size = (size_t)ring->mask + 1, count = size * (size_t)renderer->skeleton->jointCount;
	visit(context, ring->roots, size * sizeof(rpVec3));
	visit(context, ring->rotations, count * sizeof(rpQuat));
	if (ring->translations != NULL)
	{
		visit(context, ring->translations, count * sizeof(rpVec3));
	}
}

void rpRenderer_VisitState(rpRenderer* renderer, rpPieceFn* visit, void* context)
{
	visit(context, &renderer->madeCount, sizeof(renderer->madeCount));
	visit(context, &renderer->shownCount, sizeof(renderer->shownCount));
	visit(context, &renderer->sampler, sizeof(renderer->sampler));
	visit(context, renderer->sampler.seam.block, rpSeam_CountBytes(&renderer->sampler.seam));
	visit(context, renderer->layers.items, sizeof(renderer->layers.items));
	if (renderer->layers.size > 0)
	{
		visit(context, renderer->layers.states, renderer->layers.size);
	}
	visitRing(renderer, &renderer->made, visit, context);
	visitRing(renderer, &renderer->shown, visit, context);
	visit(context, renderer->notes, ((size_t)renderer->made.mask + 1) * sizeof(rpFrameNotes));
	if (renderer->isLocking)
	{
		rpFeetTrack_VisitState(&renderer->feet, visit, context);
	}
}

// ---- frames

static rpPose getPose(const rpRenderer* renderer, const rpFrameRing* ring, int64_t frame)
{
	size_t slot = (size_t)frame & ring->mask, first = slot * (size_t)renderer->skeleton->jointCount;
	return (rpPose){ring->roots[slot], ring->rotations + first,
					ring->translations != NULL ? ring->translations + first : NULL};
}

// Rotations in the hemisphere of those in the frame before.
static void alignHemispheres(const rpRenderer* renderer, const rpFrameRing* ring, int64_t frame)
{
	rpPose pose = getPose(renderer, ring, frame), before = getPose(renderer, ring, frame - 1);
	for (int i = 0; frame > 0 && i < renderer->skeleton->jointCount; ++i)
	{
		rpQuat q = pose.rotations[i];
		pose.rotations[i] = rpDotQuat(q, before.rotations[i]) < 0.0f ? rpNegateQuat(q) : q;
	}
}

void rpRenderer_Make(rpRenderer* renderer, const rpTimeline* timeline)
{
	int64_t frame = renderer->madeCount++;
	size_t slot = (size_t)frame & renderer->made.mask;
	rpPose pose = getPose(renderer, &renderer->made, frame);
	rpFrameNotes* notes = &renderer->notes[slot];
	double time = (double)frame / renderer->fps;
	rpSampler_Sample(&renderer->sampler, timeline, time, &pose, notes);
	rpLayers_Apply(&renderer->layers, false, renderer->skeleton, time, frame > 0 ? (float)(1.0 / renderer->fps) : 0.0f,
				   notes, &pose);
	renderer->made.roots[slot] = pose.rootPosition;
	alignHemispheres(renderer, &renderer->made, frame);
	if (renderer->isLocking)
	{
		rpFeetTrack_Add(&renderer->feet, &pose, notes->contacts, notes->supportHeights);
	}
}

void rpRenderer_Show(rpRenderer* renderer)
{
	int64_t frame = renderer->shownCount++;
	rpPose made = getPose(renderer, &renderer->made, frame), out = getPose(renderer, &renderer->shown, frame);
	size_t jointCount = (size_t)renderer->skeleton->jointCount;
	if (renderer->isLocking)
	{
		(void)rpFeetTrack_Show(&renderer->feet, (int)frame, &out);
	}
	else
	{
		out.rootPosition = made.rootPosition;
		memcpy(out.rotations, made.rotations, jointCount * sizeof(rpQuat));
	}
	if (made.translations != NULL)
	{
		memcpy(out.translations, made.translations, jointCount * sizeof(rpVec3));
	}
	renderer->shown.roots[(size_t)frame & renderer->shown.mask] = out.rootPosition;
	alignHemispheres(renderer, &renderer->shown, frame);
}

rpPose rpRenderer_GetFrame(const rpRenderer* renderer, int64_t frame)
{
	return getPose(renderer, frame < renderer->shownCount ? &renderer->shown : &renderer->made, frame);
}

const rpFrameNotes* rpRenderer_GetNotes(const rpRenderer* renderer, int64_t frame)
{
	return &renderer->notes[(size_t)frame & renderer->made.mask];
}

unsigned rpRenderer_GetContacts(const rpRenderer* renderer, int64_t frame, float t)
{
	unsigned contacts = rpRenderer_GetNotes(renderer, frame)->contacts;
	return t > (float)RP_FRAME_SLACK ? contacts & rpRenderer_GetNotes(renderer, frame + 1)->contacts : contacts;
}

void rpRenderer_Interpolate(const rpRenderer* renderer, int64_t frame, float t, rpPose* pose)
{
	bool isShown = frame + 1 < renderer->shownCount;
	const rpFrameRing* ring = isShown ? &renderer->shown : &renderer->made;
	rpPose a = getPose(renderer, ring, frame), b = getPose(renderer, ring, frame + 1);
	if (t <= (float)RP_FRAME_SLACK)
	{
		pose->rootPosition = a.rootPosition;
		memcpy(pose->rotations, a.rotations, (size_t)renderer->skeleton->jointCount * sizeof(rpQuat));
		return;
	}
	rpSlerpMany(a.rotations, b.rotations, t, renderer->skeleton->jointCount, pose->rotations);
	pose->rootPosition = rpLerp(a.rootPosition, b.rootPosition, t);
	if (renderer->isLocking && isShown)
	{
		unsigned contacts = rpRenderer_GetContacts(renderer, frame, t);
		rpHoldFeet(&renderer->rig, &a, &b, t, contacts, renderer->world, pose);
	}
}
