/// Binary glTF 2.0: one scene of one root, bones as nodes in the rest pose, a skinned body around them, an animation
/// per motion. Bones are the skeleton's joints, and before them, where it is wanted, one on the floor that carries
/// where the body goes. Khronos, glTF 2.0 Specification (ISO/IEC 12113:2022).
#include "base/error.h"
#include "file/glb_body.h"
#include "file/glb_tracks.h"
#include "file/json_text.h"
#include "file/writer.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

// glTF's names for the kinds of numbers and buffers.
#define GL_UNSIGNED_SHORT 5123
#define GL_UNSIGNED_INT 5125
#define GL_FLOAT 5126
#define GL_ARRAY_BUFFER 34962
#define GL_ELEMENT_ARRAY_BUFFER 34963

// Node 0 is the figure: it bears the body, and the first bone is its only child.
#define FIRST_BONE_NODE 1

/// The accessors of the body.
typedef struct BodyAccessors
{
	int position, normal, joints, weights, indices;
} BodyAccessors;

/// A file in the making: the numbers of the body, those of the animations, and what describes them.
typedef struct Glb
{
	rpFrameWriter base;
	rpText bytes, views, accessors, animations;
	int viewCount, accessorCount;
	// NULL until the first motion begins, and of all motions.
	const rpMotion* first;
	// [jointCount], the rest pose, standing on the floor.
	rpTransform* rest;
	rpBodyMesh body;
	// Bones before the first joint: the root bone, or none.
	int extraCount;
	BodyAccessors bodyAccessors;
	int inverseBind;
	rpGlbTracks tracks;
	// Bytes of the animations that are over.
	uint64_t trackSize;
} Glb;

static void appendFloats(rpText* out, const float* values, int count)
{
	rpText_AppendString(out, "[");
	for (int i = 0; i < count; ++i)
	{
		rpText_AppendString(out, i > 0 ? "," : "");
		rpText_AppendFloat(out, values[i]);
	}
	rpText_AppendString(out, "]");
}

static void appendVec3(rpText* out, rpVec3 v)
{
	appendFloats(out, (const float[3]){v.x, v.y, v.z}, 3);
}

// Everything written is a multiple of four bytes, so views need no padding.
static int addView(Glb* glb, uint64_t start, uint64_t size, int target)
{
	rpText_Print(&glb->views, "%s{\"buffer\":0,\"byteOffset\":%llu,\"byteLength\":%llu", glb->viewCount > 0 ? "," : "",
				 (unsigned long long)start, (unsigned long long)size);
	if (target != 0)
	{
		rpText_Print(&glb->views, ",\"target\":%d", target);
	}
	rpText_AppendString(&glb->views, "}");
	return glb->viewCount++;
}

// lower and upper may be NULL.
static int addAccessor(Glb* glb, int view, size_t offset, int component, int count, const char* type,
					   const float* lower, const float* upper, int width)
{
	rpText* out = &glb->accessors;
	rpText_Print(out, "%s{\"bufferView\":%d,\"byteOffset\":%zu,\"componentType\":%d,\"count\":%d,\"type\":\"%s\"",
				 glb->accessorCount > 0 ? "," : "", view, offset, component, count, type);
	if (lower != NULL && upper != NULL)
	{
		rpText_AppendString(out, ",\"min\":");
		appendFloats(out, lower, width);
		rpText_AppendString(out, ",\"max\":");
		appendFloats(out, upper, width);
	}
	rpText_AppendString(out, "}");
	return glb->accessorCount++;
}

// The numbers written since `start` as a view and accessor of their own.
static int addArray(Glb* glb, size_t start, int target, int component, int count, const char* type)
{
	int view = addView(glb, start, glb->bytes.size - start, target);
	return addAccessor(glb, view, 0, component, count, type, NULL, NULL, 0);
}

static int addPositions(Glb* glb)
{
	const rpBodyMesh* body = &glb->body;
	size_t start = glb->bytes.size;
	rpVec3 low = body->vertices[0].position, high = low;
	for (int i = 0; i < body->vertexCount; ++i)
	{
		rpVec3 p = body->vertices[i].position;
		low = (rpVec3){fminf(low.x, p.x), fminf(low.y, p.y), fminf(low.z, p.z)};
		high = (rpVec3){fmaxf(high.x, p.x), fmaxf(high.y, p.y), fmaxf(high.z, p.z)};
		rpText_Append(&glb->bytes, &p, sizeof(p));
	}
	int view = addView(glb, start, glb->bytes.size - start, GL_ARRAY_BUFFER);
	return addAccessor(glb, view, 0, GL_FLOAT, body->vertexCount, "VEC3", (const float[3]){low.x, low.y, low.z},
					   (const float[3]){high.x, high.y, high.z}, 3);
}

static int addNormals(Glb* glb)
{
	size_t start = glb->bytes.size;
	for (int i = 0; i < glb->body.vertexCount; ++i)
	{
		rpText_Append(&glb->bytes, &glb->body.vertices[i].normal, sizeof(rpVec3));
	}
	return addArray(glb, start, GL_ARRAY_BUFFER, GL_FLOAT, glb->body.vertexCount, "VEC3");
}

// A joint without weight must be joint 0.
static bool usesSecond(const rpBodyVertex* vertex)
{
	return vertex->weight < 1.0f && vertex->joints[0] != vertex->joints[1];
}

static int addVertexJoints(Glb* glb)
{
	size_t start = glb->bytes.size;
	for (int i = 0; i < glb->body.vertexCount; ++i)
	{
		const rpBodyVertex* vertex = glb->body.vertices + i;
		int first = glb->extraCount + vertex->joints[0], second = glb->extraCount + vertex->joints[1];
		const uint16_t joints[4] = {(uint16_t)first, (uint16_t)(usesSecond(vertex) ? second : 0)};
		rpText_Append(&glb->bytes, joints, sizeof(joints));
	}
	return addArray(glb, start, GL_ARRAY_BUFFER, GL_UNSIGNED_SHORT, glb->body.vertexCount, "VEC4");
}

static int addWeights(Glb* glb)
{
	size_t start = glb->bytes.size;
	for (int i = 0; i < glb->body.vertexCount; ++i)
	{
		const rpBodyVertex* vertex = glb->body.vertices + i;
		float weight = usesSecond(vertex) ? vertex->weight : 1.0f;
		const float weights[4] = {weight, 1.0f - weight};
		rpText_Append(&glb->bytes, weights, sizeof(weights));
	}
	return addArray(glb, start, GL_ARRAY_BUFFER, GL_FLOAT, glb->body.vertexCount, "VEC4");
}

static int addIndices(Glb* glb)
{
	size_t start = glb->bytes.size;
	rpText_Append(&glb->bytes, glb->body.indices, (size_t)glb->body.indexCount * sizeof(uint32_t));
	return addArray(glb, start, GL_ELEMENT_ARRAY_BUFFER, GL_UNSIGNED_INT, glb->body.indexCount, "SCALAR");
}

// From the body's space to a bone's, by columns.
static void addInverseBind(Glb* glb, rpTransform rest)
{
	rpQuat inverse = rpConjugate(rpNormalizeQuat(rest.q));
	rpVec3 x = rpRotate(inverse, (rpVec3){1.0f, 0.0f, 0.0f});
	rpVec3 y = rpRotate(inverse, (rpVec3){0.0f, 1.0f, 0.0f});
	rpVec3 z = rpRotate(inverse, (rpVec3){0.0f, 0.0f, 1.0f});
	rpVec3 p = rpRotate(inverse, rpScale(-1.0f, rest.p));
	const float matrix[16] = {x.x, x.y, x.z, 0.0f, y.x, y.y, y.z, 0.0f, z.x, z.y, z.z, 0.0f, p.x, p.y, p.z, 1.0f};
	rpText_Append(&glb->bytes, matrix, sizeof(matrix));
}

// The root bone rests at the origin.
static int addInverseBinds(Glb* glb, int jointCount)
{
	size_t start = glb->bytes.size;
	for (int i = 0; i < glb->extraCount; ++i)
	{
		addInverseBind(glb, (rpTransform){rpVec3_zero, rpQuat_identity});
	}
	for (int i = 0; i < jointCount; ++i)
	{
		addInverseBind(glb, glb->rest[i]);
	}
	return addArray(glb, start, 0, GL_FLOAT, glb->extraCount + jointCount, "MAT4");
}

static BodyAccessors addBody(Glb* glb)
{
	BodyAccessors accessors;
	accessors.position = addPositions(glb);
	accessors.normal = addNormals(glb);
	accessors.joints = addVertexJoints(glb);
	accessors.weights = addWeights(glb);
	accessors.indices = addIndices(glb);
	return accessors;
}

// ---- animations

// Seconds are floats, and samplers want them strictly increasing.
static bool checkTimes(const rpMotion* motion, int first, int end, rpError* error)
{
	for (int frame = first; frame < end; ++frame)
	{
		float before = (float)((frame - 1) / motion->fps), seconds = (float)(frame / motion->fps);
		if (!(seconds > before) || !isfinite(seconds))
		{
			rpFail(error, rp_errorLimit,
				   "frame %d of \"%.100s\" is too near the one before it for glTF, whose times are floats", frame,
				   motion->name);
			rpError_SetHint(error, "use a lower rate or a shorter motion, or write .bvh");
			return false;
		}
	}
	return true;
}

static bool checkTotal(uint64_t total, rpError* error)
{
	if (total > UINT32_MAX)
	{
		rpFail(error, rp_errorLimit, "%llu bytes; a GLB file holds less than 4 GiB", (unsigned long long)total);
		rpError_SetHint(error, "use a lower rate or a shorter motion, or write .bvh");
		return false;
	}
	return true;
}

static uint64_t getAnimationSize(const Glb* glb, const rpMotion* motion, int frameCount)
{
	return (uint64_t)frameCount * (sizeof(float) + rpGetGlbFrameSize(rpGetGlbBones(motion, glb->extraCount > 0)));
}

// Whether so many frames of the motion at hand will fit.
static bool checkFrames(const Glb* glb, int first, int end, rpError* error)
{
	const rpMotion* motion = glb->base.motion;
	return checkTotal(glb->bytes.size + glb->trackSize + getAnimationSize(glb, motion, end), error) &&
		   checkTimes(motion, first, end, error);
}

// One sampler per channel.
static void appendChannels(rpText* out, rpGlbBones bones, int input, int firstOutput)
{
	int count = rpCountGlbArrays(bones);
	rpText_AppendString(out, ",\"channels\":[");
	for (int i = 0; i < count; ++i)
	{
		rpGlbArray array = rpGetGlbArray(bones, i);
		rpText_Print(out, "%s{\"sampler\":%d,\"target\":{\"node\":%d,\"path\":\"%s\"}}", i > 0 ? "," : "", i,
					 FIRST_BONE_NODE + array.bone, array.isRotation ? "rotation" : "translation");
	}
	rpText_AppendString(out, "],\"samplers\":[");
	for (int i = 0; i < count; ++i)
	{
		rpText_Print(out, "%s{\"input\":%d,\"interpolation\":\"LINEAR\",\"output\":%d}", i > 0 ? "," : "", input,
					 firstOutput + i);
	}
	rpText_AppendString(out, "]");
}

// Accessors of the arrays of an animation, in their order; returns that of the times.
static int addAnimationAccessors(Glb* glb, const rpGlbTrack* track)
{
	int count = track->motion->frameCount;
	uint64_t size = getAnimationSize(glb, track->motion, count);
	int view = addView(glb, glb->bytes.size + glb->trackSize, size, 0);
	size_t offset = (size_t)count * sizeof(float);
	float last = (float)((count - 1) / track->motion->fps);
	int input = addAccessor(glb, view, 0, GL_FLOAT, count, "SCALAR", (const float[1]){0.0f}, &last, 1);
	for (int i = 0; i < rpCountGlbArrays(track->bones); ++i)
	{
		rpGlbArray array = rpGetGlbArray(track->bones, i);
		addAccessor(glb, view, offset, GL_FLOAT, count, array.isRotation ? "VEC4" : "VEC3", NULL, NULL, 0);
		offset += (size_t)count * array.size;
	}
	glb->trackSize += size;
	return input;
}

// The motion's own name, and a number behind it where motions before it are called the same: engines find animations by
// their names.
static void appendAnimationName(rpText* out, const rpGlbTracks* tracks)
{
	const char* own = tracks->items[tracks->count - 1].motion->name;
	const char* name = own[0] != 0 ? own : "motion";
	int number = 1;
	for (int i = 0; i + 1 < tracks->count; ++i)
	{
		number += strcmp(tracks->items[i].motion->name, own) == 0;
	}
	rpText text = {0};
	rpText_AppendString(&text, name);
	if (number > 1)
	{
		rpText_Print(&text, "-%d", number);
	}
	rpText_AppendJsonString(out, text.failed ? name : text.data);
	out->failed = out->failed || text.failed;
	rpText_Free(&text);
}

// The last one.
static bool describeAnimation(Glb* glb, rpError* error)
{
	const rpGlbTrack* track = &glb->tracks.items[glb->tracks.count - 1];
	rpLoopFlag flag = glb->base.def.loop;
	bool repeats = flag == rp_loopYes;
	if (flag == rp_loopAuto && !rpGlbTracks_Repeats(&glb->tracks, &repeats, error))
	{
		return false;
	}
	int input = addAnimationAccessors(glb, track);
	rpText* out = &glb->animations;
	rpText_AppendString(out, out->size > 0 ? ",{\"name\":" : "{\"name\":");
	appendAnimationName(out, &glb->tracks);
	appendChannels(out, track->bones, input, input + 1);
	rpText_Print(out, ",\"extras\":{\"loop\":%s}}", repeats ? "true" : "false");
	return true;
}

// ---- nodes

// Child joints, then end sites; their nodes follow those of the joints.
static void appendChildren(rpText* out, const Glb* glb, const rpSkeleton* skeleton, int joint)
{
	int count = 0, firstJoint = FIRST_BONE_NODE + glb->extraCount;
	for (int i = joint + 1; i < skeleton->jointCount; ++i)
	{
		if (skeleton->parents[i] == joint)
		{
			rpText_Print(out, "%s%d", count++ > 0 ? "," : ",\"children\":[", firstJoint + i);
		}
	}
	for (int i = 0; i < skeleton->endCount; ++i)
	{
		if (skeleton->ends[i].joint == joint)
		{
			rpText_Print(out, "%s%d", count++ > 0 ? "," : ",\"children\":[", firstJoint + skeleton->jointCount + i);
		}
	}
	rpText_AppendString(out, count > 0 ? "]" : "");
}

static void appendJoint(rpText* out, const Glb* glb, const rpSkeleton* skeleton, int joint)
{
	rpQuat rest = skeleton->joints[joint].rest;
	rpText_AppendString(out, ",{\"name\":");
	rpText_AppendJsonString(out, skeleton->joints[joint].name);
	rpText_AppendString(out, ",\"translation\":");
	appendVec3(out, joint == 0 ? glb->rest[0].p : skeleton->offsets[joint]);
	rpText_AppendString(out, ",\"rotation\":");
	appendFloats(out, (const float[4]){rest.x, rest.y, rest.z, rest.w}, 4);
	appendChildren(out, glb, skeleton, joint);
	rpText_AppendString(out, "}");
}

static void appendEnd(rpText* out, const rpSkeleton* skeleton, const rpEndSite* end)
{
	rpText name = {0};
	rpText_AppendString(&name, skeleton->joints[end->joint].name);
	rpText_AppendString(&name, "_end");
	bool named = end->name != NULL && end->name[0] != 0;
	rpText_AppendString(out, ",{\"name\":");
	rpText_AppendJsonString(out, named ? end->name : name.data);
	rpText_AppendString(out, ",\"translation\":");
	appendVec3(out, end->offset);
	rpText_AppendString(out, ",\"extras\":{\"end_site\":true}}");
	out->failed = out->failed || name.failed;
	rpText_Free(&name);
}

static bool hasName(const rpSkeleton* skeleton, const char* name)
{
	bool found = false;
	for (int i = 0; i < skeleton->jointCount && !found; ++i)
	{
		found = strcasecmp(skeleton->joints[i].name, name) == 0;
	}
	return found;
}

// Engines look for "root"; a skeleton whose own root is called so gets "root_motion" above it.
static void appendRootBone(rpText* out, const rpSkeleton* skeleton)
{
	char name[32] = "root";
	for (int i = 1; hasName(skeleton, name); ++i)
	{
		snprintf(name, sizeof(name), i > 1 ? "root_motion%d" : "root_motion", i);
	}
	rpText_Print(out, ",{\"name\":\"%s\",\"children\":[%d]}", name, FIRST_BONE_NODE + 1);
}

static void appendNodes(rpText* out, const Glb* glb, const rpSkeleton* skeleton, bool mesh)
{
	rpText_Print(out, "\"nodes\":[{\"name\":\"Figure\",\"children\":[%d]%s}", FIRST_BONE_NODE,
				 mesh ? ",\"mesh\":0,\"skin\":0" : "");
	if (glb->extraCount > 0)
	{
		appendRootBone(out, skeleton);
	}
	for (int i = 0; i < skeleton->jointCount; ++i)
	{
		appendJoint(out, glb, skeleton, i);
	}
	for (int i = 0; i < skeleton->endCount; ++i)
	{
		appendEnd(out, skeleton, skeleton->ends + i);
	}
	rpText_AppendString(out, "],");
}

static void appendBody(rpText* out, BodyAccessors accessors)
{
	rpText_Print(out,
				 "\"meshes\":[{\"name\":\"Body\",\"primitives\":[{\"attributes\":{\"POSITION\":%d,\"NORMAL\":%d,"
				 "\"JOINTS_0\":%d,\"WEIGHTS_0\":%d},\"indices\":%d,\"material\":0}]}],",
				 accessors.position, accessors.normal, accessors.joints, accessors.weights, accessors.indices);
	rpText_AppendString(out, "\"materials\":[{\"name\":\"Clay\",\"pbrMetallicRoughness\":{\"baseColorFactor\":"
							 "[0.62,0.58,0.54,1],\"metallicFactor\":0,\"roughnessFactor\":0.9}}],");
}

// Without a body as well: importers learn from the skin which nodes are bones.
static void appendSkin(rpText* out, int inverseBind, int boneCount)
{
	rpText_Print(out, "\"skins\":[{\"name\":\"Skeleton\",\"inverseBindMatrices\":%d,\"skeleton\":%d,\"joints\":[",
				 inverseBind, FIRST_BONE_NODE);
	for (int i = 0; i < boneCount; ++i)
	{
		rpText_Print(out, "%s%d", i > 0 ? "," : "", FIRST_BONE_NODE + i);
	}
	rpText_AppendString(out, "]}],");
}

// accessors is NULL where there is no body.
static void appendDocument(rpText* out, const Glb* glb)
{
	const rpSkeleton* skeleton = glb->first->skeleton;
	rpText_Print(out,
				 "{\"asset\":{\"version\":\"2.0\",\"generator\":\"Reprise %s\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}"
				 "],",
				 rpVersion());
	appendNodes(out, glb, skeleton, glb->base.def.mesh);
	if (glb->base.def.mesh)
	{
		appendBody(out, glb->bodyAccessors);
	}
	appendSkin(out, glb->inverseBind, glb->extraCount + skeleton->jointCount);
	rpText_AppendString(out, "\"animations\":[");
	rpText_Append(out, glb->animations.data, glb->animations.size);
	rpText_AppendString(out, "],\"accessors\":[");
	rpText_Append(out, glb->accessors.data, glb->accessors.size);
	rpText_AppendString(out, "],\"bufferViews\":[");
	rpText_Append(out, glb->views.data, glb->views.size);
	rpText_Print(out, "],\"buffers\":[{\"byteLength\":%llu}]}", (unsigned long long)(glb->bytes.size + glb->trackSize));
	while (out->size % 4 != 0 && !out->failed)
	{
		rpText_AppendString(out, " ");
	}
}

static void appendWord(rpText* out, uint32_t word)
{
	const unsigned char bytes[4] = {word & 255, word >> 8 & 255, word >> 16 & 255, word >> 24};
	rpText_Append(out, bytes, 4);
}

// Header, the document's chunk, the numbers' chunk.
static bool appendChunks(Glb* glb, const rpText* document, rpError* error)
{
	rpText* out = glb->base.out;
	uint64_t numbers = glb->bytes.size + glb->trackSize, total = 12 + 8 + document->size + 8 + numbers;
	if (!checkTotal(total, error))
	{
		return false;
	}
	rpText_Append(out, "glTF", 4);
	appendWord(out, 2);
	appendWord(out, (uint32_t)total);
	appendWord(out, (uint32_t)document->size);
	rpText_Append(out, "JSON", 4);
	rpText_Append(out, document->data, document->size);
	appendWord(out, (uint32_t)numbers);
	rpText_Append(out, "BIN", 4);
	rpText_Append(out, glb->bytes.data, glb->bytes.size);
	return rpGlbTracks_Write(&glb->tracks, out, error);
}

// The rest pose is about the root; let it stand on the floor, so that a viewer that plays nothing shows it so.
static void standUp(Glb* glb, int jointCount)
{
	float low = glb->rest[0].p.y;
	for (int i = 0; i < jointCount; ++i)
	{
		low = fminf(low, glb->rest[i].p.y);
	}
	for (int i = 0; i < glb->body.vertexCount; ++i)
	{
		low = fminf(low, glb->body.vertices[i].position.y);
	}
	for (int i = 0; i < jointCount; ++i)
	{
		glb->rest[i].p.y -= low;
	}
	for (int i = 0; i < glb->body.vertexCount; ++i)
	{
		glb->body.vertices[i].position.y -= low;
	}
}

// ---- the writer

static bool checkSkeletons(const rpMotion* a, const rpMotion* b, rpError* error)
{
	return rpSkeleton_Matches(a->skeleton, b->skeleton) ||
		   rpFail(error, rp_errorArgument, "\"%.100s\" and \"%.100s\" have different skeletons; a GLB holds one",
				  a->name, b->name);
}

static bool prepare(Glb* glb, rpError* error)
{
	const rpSkeleton* skeleton = glb->base.motion->skeleton;
	glb->first = glb->base.motion;
	glb->extraCount = glb->base.def.rootBone;
	rpGlbTracks_Start(&glb->tracks, glb->base.output);
	glb->rest = rpAllocate((size_t)skeleton->jointCount, sizeof(rpTransform), error);
	if (glb->rest == NULL)
	{
		return false;
	}
	rpSkeleton_GetRest(skeleton, glb->rest);
	if (glb->base.def.mesh && !rpMakeBodyMesh(skeleton, glb->rest, &glb->body, error))
	{
		return false;
	}
	standUp(glb, skeleton->jointCount);
	if (glb->base.def.mesh)
	{
		glb->bodyAccessors = addBody(glb);
	}
	glb->inverseBind = addInverseBinds(glb, skeleton->jointCount);
	return true;
}

static bool begin(rpFrameWriter* base, rpError* error)
{
	Glb* glb = (Glb*)base;
	bool done = glb->first == NULL ? prepare(glb, error) : checkSkeletons(glb->first, base->motion, error);
	return done && checkFrames(glb, 1, base->motion->frameCount, error) &&
		   rpGlbTracks_Begin(&glb->tracks, base->motion, glb->extraCount > 0, error);
}

static bool add(rpFrameWriter* base, const rpPose* pose, rpError* error)
{
	Glb* glb = (Glb*)base;
	int frame = base->frameCount;
	bool isChecked = base->motion->frameCount > 0 || frame == 0;
	return (isChecked || checkFrames(glb, frame, frame + 1, error)) &&
		   rpGlbTracks_Add(&glb->tracks, frame, pose, error);
}

static bool end(rpFrameWriter* base, rpError* error)
{
	Glb* glb = (Glb*)base;
	return rpGlbTracks_End(&glb->tracks, error) && describeAnimation(glb, error);
}

static bool finish(rpFrameWriter* base, rpError* error)
{
	Glb* glb = (Glb*)base;
	rpText document = {0};
	appendDocument(&document, glb);
	bool failed =
		glb->bytes.failed || glb->views.failed || glb->accessors.failed || glb->animations.failed || document.failed;
	bool done =
		failed ? rpFail(error, rp_errorMemory, "out of memory while writing GLB") : appendChunks(glb, &document, error);
	rpText_Free(&document);
	return done;
}

static void release(rpFrameWriter* base)
{
	Glb* glb = (Glb*)base;
	rpText_Free(&glb->bytes);
	rpText_Free(&glb->views);
	rpText_Free(&glb->accessors);
	rpText_Free(&glb->animations);
	rpFree(glb->rest);
	rpFreeBodyMesh(&glb->body);
	rpGlbTracks_Free(&glb->tracks);
}

const rpWriterKind rpGlbWriterKind = {
	.size = sizeof(Glb), .begin = begin, .add = add, .end = end, .finish = finish, .release = release};
