/// Clips: motions laid out for sampling and blending at any times, without allocation.
///
/// Neighbouring rows are mixed by slerp, whose two shares sin(t a)/sin(a) and sin((1-t) a)/sin(a) are evaluated as
/// polynomials in the cosine of the angle a (D. Eberly, "A fast and accurate algorithm for computing SLERP", 2011): the
/// coefficients depend on t alone, so that they are computed once for all joints.
#include "blend/clip.h"

#include "base/assert.h"
#include "base/cpu.h"
#include "base/error.h"
#include "base/memory.h"

#include <string.h>

// Rows start on a cache line.
#define EDGE 64

// The last term stands for those that are left out: this factor balances the error, which is below 1e-6 for rotations
// that differ by up to 120 degrees from one frame to the next.
#define LAST_TERM 1.3

int rpGetClipStride(const rpSkeleton* skeleton)
{
	return 4 * ((skeleton->jointCount + rp_clipLanes - 1) / rp_clipLanes) * rp_clipLanes;
}

static void setRotation(float* row, int joint, rpQuat q)
{
	float* group = row + joint / rp_clipLanes * rp_clipGroup + joint % rp_clipLanes;
	group[0] = q.w;
	group[rp_clipLanes] = q.x;
	group[2 * rp_clipLanes] = q.y;
	group[3 * rp_clipLanes] = q.z;
}

static rpQuat getRotation(const float* row, int joint)
{
	const float* group = row + joint / rp_clipLanes * rp_clipGroup + joint % rp_clipLanes;
	return (rpQuat){group[0], group[rp_clipLanes], group[2 * rp_clipLanes], group[3 * rp_clipLanes]};
}

rpClipRow rpClip_GetRow(const rpClip* clip, int frame)
{
	if (clip->packed != NULL)
	{
		const uint8_t* bytes;
		const rpPackedBlock* block = rpPackedRows_Find(clip->packed, frame, &bytes);
		return (rpClipRow){.bytes = bytes, .block = block};
	}
	return (rpClipRow){.floats = clip->rows + (size_t)frame * (size_t)clip->stride};
}

static rpVec3 getPlace(const rpClip* clip, const rpClipRow* row, int frame)
{
	return row->block != NULL ? rpPackedBlock_GetRoot(row->block, row->bytes) : clip->roots[frame];
}

rpVec3 rpClip_GetPlace(const rpClip* clip, int frame)
{
	// Views of roots alone have no rows.
	rpClipRow row = clip->packed != NULL ? rpClip_GetRow(clip, frame) : (rpClipRow){0};
	return getPlace(clip, &row, frame);
}

rpQuat rpClipRow_GetRotation(const rpClipRow* row, int joint)
{
	return row->block != NULL
			   ? rpPackedGroup_Get(&row->block->groups[joint / rp_clipLanes], row->bytes, joint % rp_clipLanes)
			   : getRotation(row->floats, joint);
}

static void fillRow(const rpMotion* motion, int frame, const float* before, float* row)
{
	const rpQuat* rotations = rpMotion_GetRotations(motion, frame);
	int jointCount = motion->skeleton->jointCount;
	int laneCount = rpGetClipStride(motion->skeleton) / 4;
	for (int i = 0; i < laneCount; ++i)
	{
		rpQuat q = i < jointCount ? rpNormalizeQuat(rotations[i]) : rpQuat_identity;
		bool flip = before != NULL && rpDotQuat(q, getRotation(before, i)) < 0.0f;
		setRotation(row, i, flip ? rpNegateQuat(q) : q);
	}
}

static rpClipKernel* chooseKernel(void)
{
#ifdef __x86_64__
	if (rpHasAvx2())
	{
		return rpBlendRowsAvx2;
	}
#endif
	return rpBlendRowsPortable;
}

static void fillClip(rpClip* clip, const rpMotion* motion)
{
	size_t excess = (size_t)((uintptr_t)clip->memory % EDGE);
	float* rows = (float*)((char*)clip->memory + (excess > 0 ? EDGE - excess : 0));
	clip->rows = rows;
	clip->roots = clip->ownRoots;
	memcpy(clip->ownRoots, motion->rootPositions, (size_t)motion->frameCount * sizeof(rpVec3));
	const float* before = NULL;
	for (int frame = 0; frame < motion->frameCount; ++frame)
	{
		float* row = rows + (size_t)frame * (size_t)clip->stride;
		fillRow(motion, frame, before, row);
		before = row;
	}
}

static rpClip* createEmpty(const rpSkeleton* skeleton, double fps, int frameCount, rpError* error)
{
	rpClip* clip = rpAllocateZero(1, sizeof(rpClip), error);
	if (clip != NULL)
	{
		clip->skeleton = rpRetainSkeleton(skeleton);
		clip->fps = fps;
		clip->frameCount = frameCount;
		clip->stride = rpGetClipStride(skeleton);
		clip->kernel = chooseKernel();
	}
	return clip;
}

rpClip* rpCreateClipView(const rpSkeleton* skeleton, double fps, int frameCount, const float* rows, const rpVec3* roots,
						 rpError* error)
{
	rpClip* clip = createEmpty(skeleton, fps, frameCount, error);
	if (clip != NULL)
	{
		clip->rows = rows;
		clip->roots = roots;
	}
	return clip;
}

static bool copyTranslations(rpClip* clip, const rpMotion* motion, rpError* error)
{
	size_t count = (size_t)motion->frameCount * (size_t)motion->skeleton->jointCount;
	clip->translations = motion->translations != NULL ? rpAllocate(count, sizeof(rpVec3), error) : NULL;
	if (clip->translations != NULL)
	{
		memcpy(clip->translations, motion->translations, count * sizeof(rpVec3));
	}
	return motion->translations == NULL || clip->translations != NULL;
}

rpClip* rpCreateElasticClip(const rpMotion* motion, rpError* error)
{
	rpClip* clip = rpMotion_CheckFinite(motion, error)
					   ? createEmpty(motion->skeleton, motion->fps, motion->frameCount, error)
					   : NULL;
	if (clip == NULL)
	{
		return NULL;
	}
	size_t frameCount = (size_t)motion->frameCount;
	clip->memory = rpAllocate(frameCount * (size_t)clip->stride * sizeof(float) + EDGE, 1, error);
	clip->ownRoots = rpAllocate(frameCount, sizeof(rpVec3), error);
	if (clip->memory == NULL || clip->ownRoots == NULL || !copyTranslations(clip, motion, error) ||
		!rpClip_CopyContacts(clip, motion, error))
	{
		rpDestroyClip(clip);
		return NULL;
	}
	fillClip(clip, motion);
	return clip;
}

rpClip* rpCreateClip(const rpMotion* motion, rpError* error)
{
	if (motion->translations != NULL)
	{
		rpFail(error, rp_errorArgument, "the bones of \"%s\" change their lengths; a clip needs rigid ones",
			   motion->name);
		return NULL;
	}
	return rpCreateElasticClip(motion, error);
}

void rpDestroyClip(rpClip* clip)
{
	if (clip == NULL)
	{
		return;
	}
	rpReleaseSkeleton(clip->skeleton);
	rpFree(clip->memory);
	rpFree(clip->ownRoots);
	rpDestroyPackedRows(clip->packed);
	rpFree(clip->translations);
	rpFree(clip->ownContacts);
	rpFree(clip);
}

double rpClip_GetDuration(const rpClip* clip)
{
	return (clip->frameCount - 1) / clip->fps;
}

/// Where a share is in its clip.
typedef struct Place
{
	int frame, next;
	float t;
	float weight;
} Place;

static Place findPlace(const rpShare* share, float scale)
{
	const rpClip* clip = share->clip;
	double place = share->time * clip->fps;
	place = place > 0.0 ? fmin(place, clip->frameCount - 1) : 0.0;
	int frame = (int)place;
	int next = frame + 1 < clip->frameCount ? frame + 1 : frame;
	return (Place){frame, next, (float)(place - frame), scale * share->weight};
}

rpVec3 rpClip_GetRoot(const rpClip* clip, double seconds)
{
	Place place = findPlace(&(rpShare){.clip = clip, .time = seconds}, 1.0f);
	return rpLerp(rpClip_GetPlace(clip, place.frame), rpClip_GetPlace(clip, place.next), place.t);
}

rpQuat rpClip_GetRotation(const rpClip* clip, int joint, double seconds)
{
	Place place = findPlace(&(rpShare){.clip = clip, .time = seconds}, 1.0f);
	rpClipRow row = rpClip_GetRow(clip, place.frame), next = rpClip_GetRow(clip, place.next);
	return rpSlerp(rpClipRow_GetRotation(&row, joint), rpClipRow_GetRotation(&next, joint), place.t);
}

// Coefficients of weight * sin(t a) / sin(a) in powers of cos(a) - 1.
static void expandShare(float t, float weight, float* out)
{
	// Of term i: t² / (i (2i + 1)) and i / (2i + 1).
	static const float squares[rp_slerpTerms] = {1.0f / 3.0f,  1.0f / 10.0f, 1.0f / 21.0f,
												 1.0f / 36.0f, 1.0f / 55.0f, (float)(LAST_TERM / 78.0)};
	static const float constants[rp_slerpTerms] = {1.0f / 3.0f, 2.0f / 5.0f,  3.0f / 7.0f,
												   4.0f / 9.0f, 5.0f / 11.0f, (float)(LAST_TERM * 6.0 / 13.0)};
	out[0] = weight * t;
	for (int i = 0; i < rp_slerpTerms; ++i)
	{
		out[i + 1] = out[i] * (squares[i] * t * t - constants[i]);
	}
}

static rpClipPart makePart(const rpClip* clip, const Place* place)
{
	rpClipPart part = {.from = rpClip_GetRow(clip, place->frame), .to = rpClip_GetRow(clip, place->next)};
	expandShare(1.0f - place->t, place->weight, part.fromShares);
	expandShare(place->t, place->weight, part.toShares);
	return part;
}

static float evaluate(const float* shares, float u)
{
	float sum = shares[rp_slerpTerms];
	for (int i = rp_slerpTerms - 1; i >= 0; --i)
	{
		sum = sum * u + shares[i];
	}
	return sum;
}

// The root of one share on its ground, times its weight.
static rpQuat getRootTurn(const rpClipPart* part, rpQuat yaw)
{
	rpQuat a = rpClipRow_GetRotation(&part->from, 0), b = rpClipRow_GetRotation(&part->to, 0);
	float u = rpDotQuat(a, b) - 1.0f;
	float from = evaluate(part->fromShares, u), to = evaluate(part->toShares, u);
	rpQuat mixed = {from * a.w + to * b.w, from * a.x + to * b.x, from * a.y + to * b.y, from * a.z + to * b.z};
	return rpMulQuat(yaw, mixed);
}

// As rpGroundTransform_Apply, by the yaw's quaternion.
static rpVec3 getRootPlace(const rpShare* share, const rpClipPart* part, const Place* place, rpQuat yaw)
{
	const rpClip* clip = share->clip;
	rpVec3 from = getPlace(clip, &part->from, place->frame), to = getPlace(clip, &part->to, place->next);
	rpVec3 p = rpLerp(from, to, place->t);
	float c = yaw.w * yaw.w - yaw.y * yaw.y, s = 2.0f * yaw.w * yaw.y;
	rpVec3 turned = {c * p.x + s * p.z, p.y, c * p.z - s * p.x};
	return rpAdd(turned, share->ground.shift);
}

static rpQuat addQuat(rpQuat a, float sign, rpQuat b)
{
	return (rpQuat){a.w + sign * b.w, a.x + sign * b.x, a.y + sign * b.y, a.z + sign * b.z};
}

static int findHeaviest(const rpShare* shares, int count)
{
	int heaviest = 0;
	for (int i = 1; i < count; ++i)
	{
		heaviest = shares[i].weight > shares[heaviest].weight ? i : heaviest;
	}
	return heaviest;
}

static float addWeights(const rpShare* shares, int count)
{
	float sum = 0.0f;
	for (int i = 0; i < count; ++i)
	{
		RP_ASSERT(shares[i].weight >= 0.0f);
		RP_ASSERT(shares[i].clip->stride == shares[0].clip->stride);
		sum += shares[i].weight;
	}
	RP_ASSERT(sum > 0.0f);
	return sum;
}

/// What has been added up so far.
typedef struct Sum
{
	rpVec3 root;
	rpQuat turn, firstTurn;
} Sum;

static rpClipPart addShare(const rpShare* share, float scale, Sum* sum)
{
	Place place = findPlace(share, scale);
	rpQuat yaw = rpYaw(share->ground.turn);
	rpClipPart part = makePart(share->clip, &place);
	rpQuat turn = getRootTurn(&part, yaw);
	sum->turn = addQuat(sum->turn, rpDotQuat(sum->firstTurn, turn) < 0.0f ? -1.0f : 1.0f, turn);
	sum->root = rpMulAdd(sum->root, place.weight, getRootPlace(share, &part, &place, yaw));
	return part;
}

void rpBlendClips(const rpShare* shares, int count, rpPose* out)
{
	RP_ASSERT(count > 0 && count <= RP_MAX_SHARES);
	rpClipPart parts[RP_MAX_SHARES];
	float scale = 1.0f / addWeights(shares, count);
	int heaviest = findHeaviest(shares, count), partCount = 1;
	Sum sum = {0};
	parts[0] = addShare(shares + heaviest, scale, &sum);
	sum.firstTurn = sum.turn;
	for (int i = 0; i < count; ++i)
	{
		if (i != heaviest && shares[i].weight > 0.0f)
		{
			parts[partCount++] = addShare(shares + i, scale, &sum);
		}
	}
	shares[0].clip->kernel(parts, partCount, shares[0].clip->skeleton->jointCount, out->rotations);
	out->rotations[0] = rpNormalizeQuat(sum.turn);
	out->rootPosition = sum.root;
}

void rpBlendClipsForward(const rpShare* shares, int count, rpPose* out, rpTransform* world)
{
	rpBlendClips(shares, count, out);
	rpSkeleton_Forward(shares[0].clip->skeleton, out->rootPosition, out->rotations, NULL, world);
}
