/// A GLB file, taken apart again: its nodes, animated by its samplers, are where forward kinematics has them.
/// `test_glb FOLDER` writes files of every kind there instead, for the Khronos validator
/// (test/browser/glb_validator.sh).
#include "floor_scene.h"
#include "support.h"

#include "file/glb_body.h"
#include "file/writer.h"
#include "reprise/edit.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static rpMotion* perform(rpAct act)
{
	rpPerformDef def = rpDefaultPerformDef(act);
	def.seconds = 1.0;
	rpError error = {0};
	rpMotion* motion = rpPerform(&def, &error);
	if (motion == NULL)
	{
		fail_msg("%s", error.message);
	}
	return motion;
}

// No person: a chain of three joints with names to be escaped, turned in the rest pose, stretching bones.
static rpMotion* makeSnake(bool stretching)
{
	rpJoint joints[3] = {rpDefaultJoint(), rpDefaultJoint(), rpDefaultJoint()};
	joints[0].name = "tail \"\\\x01";
	joints[1].name = "middle \xff";
	joints[2].name = "k\xc3\xb6pf";
	for (int i = 1; i < 3; ++i)
	{
		joints[i].parent = i - 1;
		joints[i].offset = (rpVec3){0.1f, 0.2f, 0.7f};
		joints[i].rest = rpFromEuler((rpVec3){0.3f * (float)i, 0.5f, -0.2f}, rp_orderXYZ);
	}
	const rpEndSite end = {NULL, 2, {0.0f, 0.0f, 0.2f}};
	rpSkeletonDef def = rpDefaultSkeletonDef();
	def.joints = joints;
	def.jointCount = 3;
	def.ends = &end;
	def.endCount = 1;
	rpSkeleton* skeleton = rpCreateSkeleton(&def, NULL);
	assert_non_null(skeleton);
	rpMotion* motion = rpCreateMotion(skeleton, "wind\n", 30.0, 20, NULL);
	rpReleaseSkeleton(skeleton);
	motion->translations = stretching ? rpAllocate(60, sizeof(rpVec3), NULL) : NULL;
	rpRandom random = rpSeedRandom(3);
	for (int i = 0; i < 60; ++i)
	{
		rpVec3 turn = {rpRandom_Normal(&random), rpRandom_Normal(&random), rpRandom_Normal(&random)};
		motion->rotations[i] = rpExpQuat(rpScale(0.3f, turn));
		motion->rootPositions[i % 20] = turn;
		if (stretching)
		{
			motion->translations[i] = i % 3 == 0 ? rpVec3_zero : turn;
		}
	}
	return motion;
}

static rpMotion* makePoint(void)
{
	rpJoint joint = rpDefaultJoint();
	joint.name = "point";
	rpSkeletonDef def = rpDefaultSkeletonDef();
	def.joints = &joint;
	def.jointCount = 1;
	rpSkeleton* skeleton = rpCreateSkeleton(&def, NULL);
	rpMotion* motion = rpCreateMotion(skeleton, "", 60.0, 1, NULL);
	rpReleaseSkeleton(skeleton);
	return motion;
}

/// A GLB file taken apart.
typedef struct Parsed
{
	rpText text;
	json_t* root;
	const char* bytes;
	size_t byteCount;
	/// The node of the first joint: the figure comes before it, and the root bone if there is one.
	int firstJoint;
} Parsed;

static uint32_t readWord(const char* bytes)
{
	const unsigned char* b = (const unsigned char*)bytes;
	return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static Parsed writeAs(const rpMotion* const* motions, int count, const rpSaveDef* def)
{
	Parsed parsed = {.firstJoint = def->rootBone ? 2 : 1};
	rpError error = {0};
	rpSaveDef glb = *def;
	glb.format = rp_formatGlb;
	if (!rpWriteMotions(motions, count, &glb, &parsed.text, &error))
	{
		fail_msg("%s", error.message);
	}
	const char* data = parsed.text.data;
	assert_memory_equal(data, "glTF", 4);
	assert_int_equal(readWord(data + 4), 2);
	assert_int_equal(readWord(data + 8), parsed.text.size);
	uint32_t size = readWord(data + 12);
	assert_memory_equal(data + 16, "JSON", 4);
	assert_int_equal(size % 4, 0);
	parsed.root = json_loadb(data + 20, size, JSON_REJECT_DUPLICATES, NULL);
	assert_non_null(parsed.root);
	parsed.byteCount = readWord(data + 20 + size);
	assert_memory_equal(data + 24 + size, "BIN", 4);
	parsed.bytes = data + 28 + size;
	assert_int_equal(28 + size + parsed.byteCount, parsed.text.size);
	return parsed;
}

static Parsed write(const rpMotion* const* motions, int count, bool mesh)
{
	rpSaveDef def = rpDefaultSaveDef();
	def.mesh = mesh;
	return writeAs(motions, count, &def);
}

static void freeParsed(Parsed* parsed)
{
	json_decref(parsed->root);
	rpText_Free(&parsed->text);
}

static const json_t* item(const Parsed* parsed, const char* list, int index)
{
	const json_t* found = json_array_get(json_object_get(parsed->root, list), (size_t)index);
	assert_non_null(found);
	return found;
}

static int number(const json_t* object, const char* key)
{
	assert_true(json_is_integer(json_object_get(object, key)));
	return (int)json_integer_value(json_object_get(object, key));
}

// The numbers of an accessor, checked to lie in the file.
static const void* access(const Parsed* parsed, int index, int size, int* count)
{
	const json_t* accessor = item(parsed, "accessors", index);
	const json_t* view = item(parsed, "bufferViews", number(accessor, "bufferView"));
	*count = number(accessor, "count");
	int offset = number(accessor, "byteOffset");
	assert_int_equal((number(view, "byteOffset") + offset) % 4, 0);
	assert_true(offset + *count * size <= number(view, "byteLength"));
	assert_true((size_t)(number(view, "byteOffset") + number(view, "byteLength")) <= parsed->byteCount);
	return parsed->bytes + number(view, "byteOffset") + offset;
}

static void readFloats(const json_t* list, float* out, size_t count)
{
	assert_int_equal(json_array_size(list), count);
	for (size_t i = 0; i < count; ++i)
	{
		out[i] = (float)json_number_value(json_array_get(list, i));
	}
}

// Parents of the nodes, -1 for those of the scene; each node hangs below the scene's one root.
static int findParents(const Parsed* parsed, int* parents)
{
	json_t* nodes = json_object_get(parsed->root, "nodes");
	int count = (int)json_array_size(nodes);
	for (int i = 0; i < count; ++i)
	{
		parents[i] = -1;
	}
	for (int i = 0; i < count; ++i)
	{
		json_t* children = json_object_get(json_array_get(nodes, (size_t)i), "children");
		for (size_t k = 0; k < json_array_size(children); ++k)
		{
			int child = (int)json_integer_value(json_array_get(children, k));
			assert_int_equal(parents[child], -1);
			parents[child] = i;
		}
	}
	json_t* roots = json_object_get(item(parsed, "scenes", 0), "nodes");
	assert_int_equal(json_array_size(roots), 1);
	for (int i = 0; i < count; ++i)
	{
		assert_true((parents[i] < 0) == (i == json_integer_value(json_array_get(roots, 0))));
	}
	return count;
}

// Nodes in the world; locals come from the file and, with an animation, from its samplers at a frame.
static void poseNodes(const Parsed* parsed, int animation, int frame, rpTransform* world)
{
	int parents[64];
	int count = findParents(parsed, parents);
	rpTransform local[64];
	for (int i = 0; i < count; ++i)
	{
		const json_t* node = item(parsed, "nodes", i);
		float p[3] = {0}, q[4] = {0.0f, 0.0f, 0.0f, 1.0f};
		if (json_object_get(node, "translation") != NULL)
		{
			readFloats(json_object_get(node, "translation"), p, 3);
		}
		if (json_object_get(node, "rotation") != NULL)
		{
			readFloats(json_object_get(node, "rotation"), q, 4);
		}
		local[i] = (rpTransform){{p[0], p[1], p[2]}, {q[3], q[0], q[1], q[2]}};
	}
	json_t* channels = animation < 0 ? NULL : json_object_get(item(parsed, "animations", animation), "channels");
	json_t* samplers = animation < 0 ? NULL : json_object_get(item(parsed, "animations", animation), "samplers");
	for (size_t i = 0; i < json_array_size(channels); ++i)
	{
		const json_t* channel = json_array_get(channels, i);
		const json_t* sampler = json_array_get(samplers, (size_t)number(channel, "sampler"));
		const json_t* target = json_object_get(channel, "target");
		bool turn = strcmp(json_string_value(json_object_get(target, "path")), "rotation") == 0;
		int keyCount;
		const char* bytes = access(parsed, number(sampler, "output"), turn ? 16 : 12, &keyCount);
		float v[4];
		memcpy(v, bytes + (turn ? 16 : 12) * frame, turn ? 16 : 12);
		rpTransform* t = local + number(target, "node");
		t->p = turn ? t->p : (rpVec3){v[0], v[1], v[2]};
		t->q = turn ? (rpQuat){v[3], v[0], v[1], v[2]} : t->q;
	}
	for (int i = 0; i < count; ++i)
	{
		world[i] = parents[i] < 0 ? local[i] : rpMulTransform(world[parents[i]], local[i]);
	}
}

static void assertNear(rpVec3 a, rpVec3 b)
{
	assert_true(rpDistance(a, b) < 1e-5f * (1.0f + rpLength(a)));
}

static void checkAnimation(const Parsed* parsed, int animation, const rpMotion* motion)
{
	const json_t* sampler = json_array_get(json_object_get(item(parsed, "animations", animation), "samplers"), 0);
	assert_string_equal(json_string_value(json_object_get(sampler, "interpolation")), "LINEAR");
	int count;
	const float* times = access(parsed, number(sampler, "input"), 4, &count);
	assert_int_equal(count, motion->frameCount);
	float low, high;
	readFloats(json_object_get(item(parsed, "accessors", number(sampler, "input")), "min"), &low, 1);
	readFloats(json_object_get(item(parsed, "accessors", number(sampler, "input")), "max"), &high, 1);
	assert_true(low == times[0] && low == 0.0f && high == times[count - 1]);
	rpTransform expected[RP_MAX_JOINTS], world[64];
	for (int frame = 0; frame < motion->frameCount; ++frame)
	{
		assert_true(fabs(times[frame] - frame / motion->fps) < 1e-6);
		rpMotion_Forward(motion, frame, expected);
		poseNodes(parsed, animation, frame, world);
		for (int i = 0; i < motion->skeleton->jointCount; ++i)
		{
			assertNear(world[parsed->firstJoint + i].p, expected[i].p);
		}
		for (int i = 0; i < motion->skeleton->endCount; ++i)
		{
			const rpEndSite* end = motion->skeleton->ends + i;
			assertNear(world[parsed->firstJoint + motion->skeleton->jointCount + i].p,
					   rpTransformPoint(expected[end->joint], end->offset));
		}
	}
}

// Inverse bind matrices undo the rest pose, so that the body stands as it was made.
static void checkSkin(const Parsed* parsed, const rpSkeleton* skeleton)
{
	const json_t* skin = item(parsed, "skins", 0);
	json_t* joints = json_object_get(skin, "joints");
	int boneCount = parsed->firstJoint - 1 + skeleton->jointCount;
	assert_int_equal(json_array_size(joints), boneCount);
	assert_int_equal(number(skin, "skeleton"), 1);
	int count;
	const float* matrices = access(parsed, number(skin, "inverseBindMatrices"), 64, &count);
	assert_int_equal(count, boneCount);
	rpTransform world[64];
	poseNodes(parsed, -1, 0, world);
	for (int i = 0; i < count; ++i)
	{
		const float* m = matrices + 16 * i;
		rpTransform node = world[json_integer_value(json_array_get(joints, (size_t)i))];
		assert_true(m[3] == 0.0f && m[7] == 0.0f && m[11] == 0.0f && m[15] == 1.0f);
		rpVec3 v = {0.3f, -0.4f, 0.5f};
		rpVec3 u = {m[0] * v.x + m[4] * v.y + m[8] * v.z + m[12], m[1] * v.x + m[5] * v.y + m[9] * v.z + m[13],
					m[2] * v.x + m[6] * v.y + m[10] * v.z + m[14]};
		assertNear(rpTransformPoint(node, u), v);
	}
}

static void checkBody(const Parsed* parsed, const rpSkeleton* skeleton)
{
	const json_t* primitive = json_array_get(json_object_get(item(parsed, "meshes", 0), "primitives"), 0);
	const json_t* attributes = json_object_get(primitive, "attributes");
	int count, other;
	const rpVec3* positions = access(parsed, number(attributes, "POSITION"), 12, &count);
	const rpVec3* normals = access(parsed, number(attributes, "NORMAL"), 12, &other);
	assert_int_equal(other, count);
	const uint16_t(*joints)[4] = access(parsed, number(attributes, "JOINTS_0"), 8, &other);
	const float(*weights)[4] = access(parsed, number(attributes, "WEIGHTS_0"), 16, &other);
	float low = positions[0].y;
	for (int i = 0; i < count; ++i)
	{
		low = fminf(low, positions[i].y);
		assert_true(fabsf(rpLength(normals[i]) - 1.0f) < 1e-5f);
		float sum = 0.0f;
		for (int k = 0; k < 4; ++k)
		{
			assert_true(joints[i][k] < parsed->firstJoint - 1 + skeleton->jointCount && weights[i][k] >= 0.0f);
			// Nothing hangs on the root bone.
			assert_true(weights[i][k] == 0.0f || joints[i][k] >= parsed->firstJoint - 1);
			assert_true(weights[i][k] > 0.0f || joints[i][k] == 0);
			sum += weights[i][k];
		}
		assert_true(fabsf(sum - 1.0f) < 1e-6f);
	}
	assert_true(fabsf(low) < 1e-5f);
	int indexCount;
	const uint32_t* indices = access(parsed, number(primitive, "indices"), 4, &indexCount);
	assert_int_equal(indexCount % 3, 0);
	for (int i = 0; i < indexCount; ++i)
	{
		assert_true(indices[i] < (uint32_t)count);
	}
}

static void testPerson(void** state)
{
	(void)state;
	rpMotion* walk = perform(rp_actWalk);
	rpMotion* run = perform(rp_actRun);
	const rpMotion* motions[] = {walk, run};
	Parsed parsed = write(motions, 2, true);
	assert_int_equal(json_array_size(json_object_get(parsed.root, "animations")), 2);
	checkAnimation(&parsed, 0, walk);
	checkAnimation(&parsed, 1, run);
	checkSkin(&parsed, walk->skeleton);
	checkBody(&parsed, walk->skeleton);
	const char* generator = json_string_value(json_object_get(json_object_get(parsed.root, "asset"), "generator"));
	assert_string_equal(generator, "Reprise 0.1.0");
	assert_string_equal(json_string_value(json_object_get(item(&parsed, "animations", 1), "name")), run->name);

	// The same bytes every time.
	Parsed again = write(motions, 2, true);
	assert_int_equal(again.text.size, parsed.text.size);
	assert_memory_equal(again.text.data, parsed.text.data, parsed.text.size);
	freeParsed(&again);
	freeParsed(&parsed);
	rpDestroyMotion(walk);
	rpDestroyMotion(run);
}

static void testSnake(void** state)
{
	(void)state;
	for (int stretching = 0; stretching < 2; ++stretching)
	{
		rpMotion* snake = makeSnake(stretching);
		Parsed parsed = write((const rpMotion* const*)&snake, 1, true);
		checkAnimation(&parsed, 0, snake);
		checkSkin(&parsed, snake->skeleton);
		checkBody(&parsed, snake->skeleton);
		assert_string_equal(json_string_value(json_object_get(item(&parsed, "nodes", 2), "name")), "tail \"\\\x01");
		assert_string_equal(json_string_value(json_object_get(item(&parsed, "nodes", 3), "name")), "middle \xc3\xbf");
		freeParsed(&parsed);
		rpDestroyMotion(snake);
	}
}

// The root bone stays on the floor and turns about the vertical alone; the hips stay near it, and at both ends above
// it.
static void checkRootBone(const Parsed* parsed, const rpMotion* motion)
{
	rpTransform world[64];
	float farthest = 0.0f, turn = 0.0f, last = 0.0f;
	for (int frame = 0; frame < motion->frameCount; ++frame)
	{
		poseNodes(parsed, 0, frame, world);
		rpVec3 up = rpRotate(world[1].q, (rpVec3){0.0f, 1.0f, 0.0f});
		assert_true(world[1].p.y == 0.0f && up.y > 1.0f - 1e-6f);
		rpVec3 hips = motion->rootPositions[frame];
		farthest = fmaxf(farthest, hypotf(hips.x - world[1].p.x, hips.z - world[1].p.z));
		float heading = rpHeading(world[1].q);
		turn = frame > 0 ? fmaxf(turn, fabsf(rpWrapAngle(heading - last))) : 0.0f;
		last = heading;
		if (frame == 0 || frame + 1 == motion->frameCount)
		{
			rpGroundTransform ground = rpMotion_GetGround(motion, frame);
			assert_true(rpDistance(world[1].p, ground.shift) < 1e-5f);
			assert_true(fabsf(rpWrapAngle(heading - ground.turn)) < 1e-5f);
		}
	}
	print_message("%s: hips up to %.3f m from the root bone, which turns by %.2f degrees a frame\n", motion->name,
				  (double)farthest, (double)turn / RP_DEGREE);
	assert_true(farthest < 0.12f);
	// Half a turn within two thirds of a second, at 60 frames per second.
	assert_true(turn < 4.5f * (float)RP_DEGREE);
}

static void testRootBone(void** state)
{
	(void)state;
	static const rpAct acts[] = {rp_actWalk, rp_actRun, rp_actTurnInStride, rp_actJump};
	for (int i = 0; i < 4; ++i)
	{
		rpPerformDef perform = rpDefaultPerformDef(acts[i]);
		rpMotion* motion = rpPerform(&perform, NULL);
		rpSaveDef def = rpDefaultSaveDef();
		Parsed with = writeAs((const rpMotion* const*)&motion, 1, &def);
		assert_string_equal(json_string_value(json_object_get(item(&with, "nodes", 1), "name")), "root");
		checkAnimation(&with, 0, motion);
		checkSkin(&with, motion->skeleton);
		checkRootBone(&with, motion);
		def.rootBone = false;
		Parsed without = writeAs((const rpMotion* const*)&motion, 1, &def);
		assert_string_equal(json_string_value(json_object_get(item(&without, "nodes", 1), "name")), "Hips");
		checkAnimation(&without, 0, motion);
		checkSkin(&without, motion->skeleton);
		checkBody(&without, motion->skeleton);
		freeParsed(&with);
		freeParsed(&without);
		rpDestroyMotion(motion);
	}
}

// Two nodes of one name confuse engines.
static void testRootName(void** state)
{
	(void)state;
	rpMotion* point = makePoint();
	rpSkeletonDef def = rpSkeleton_GetDef(point->skeleton);
	rpJoint joint = def.joints[0];
	joint.name = "Root";
	def.joints = &joint;
	rpSkeleton* skeleton = rpCreateSkeleton(&def, NULL);
	rpMotion* motion = rpCreateMotion(skeleton, "still", 30.0, 2, NULL);
	Parsed parsed = write((const rpMotion* const*)&motion, 1, false);
	assert_string_equal(json_string_value(json_object_get(item(&parsed, "nodes", 1), "name")), "root_motion");
	freeParsed(&parsed);
	rpDestroyMotion(motion);
	rpReleaseSkeleton(skeleton);
	rpDestroyMotion(point);
}

// Goes ahead and round, and nods once a second; its frames are 2 s and some more.
static rpMotion* makeNodding(int more)
{
	rpSkeleton* skeleton = rpCreatePerformerSkeleton(1.75f, NULL);
	rpMotion* motion = rpCreateMotion(skeleton, "nod", 60.0, 121 + more, NULL);
	int head = skeleton->roles[rp_roleHead];
	for (int i = 0; i < motion->frameCount; ++i)
	{
		float t = (float)i / 60.0f;
		rpQuat* rotations = motion->rotations + (size_t)i * (size_t)skeleton->jointCount;
		motion->rootPositions[i] = (rpVec3){sinf(t), 0.95f, cosf(t)};
		rotations[0] = rpYaw(0.5f + t);
		rotations[head] = rpExpQuat((rpVec3){0.4f * sinf(2.0f * (float)RP_PI * t), 0.0f, 0.0f});
	}
	rpMotion_FixHemispheres(motion);
	rpReleaseSkeleton(skeleton);
	return motion;
}

static bool saysLoop(const rpMotion* motion, rpLoopFlag flag)
{
	rpSaveDef def = rpDefaultSaveDef();
	def.loop = flag;
	Parsed parsed = writeAs(&motion, 1, &def);
	const json_t* loop = json_object_get(json_object_get(item(&parsed, "animations", 0), "extras"), "loop");
	assert_true(json_is_boolean(loop));
	bool says = json_is_true(loop);
	freeParsed(&parsed);
	return says;
}

// Half a second more, and the head nods the other way: the same pose, another velocity.
static void testLoop(void** state)
{
	(void)state;
	rpMotion* whole = makeNodding(0);
	rpMotion* half = makeNodding(30);
	rpMotion* quarter = makeNodding(15);
	assert_true(saysLoop(whole, rp_loopAuto));
	assert_false(saysLoop(half, rp_loopAuto));
	assert_false(saysLoop(quarter, rp_loopAuto));
	assert_true(saysLoop(half, rp_loopYes));
	assert_false(saysLoop(whole, rp_loopNo));
	rpDestroyMotion(whole);
	rpDestroyMotion(half);
	rpDestroyMotion(quarter);
}

// A walk by formula repeats after each stride, to half a frame, and not between them.
static void testStrides(void** state)
{
	(void)state;
	rpPerformDef def = rpDefaultPerformDef(rp_actWalk);
	rpMotion* walk = rpPerform(&def, NULL);
	int found = 0, last = 0;
	for (int length = 30; length <= 100; ++length)
	{
		rpMotion* part = rpCropMotion(walk, 1.0, 1.0 + length / walk->fps, NULL);
		bool repeats;
		assert_true(rpMotion_Repeats(part, &repeats, NULL));
		assert_true(!repeats || found == 0 || length <= last + 1);
		found += repeats;
		last = repeats ? length : last;
		rpDestroyMotion(part);
	}
	print_message("repeats after %d frames of %.0f a second (%d lengths)\n", last, walk->fps, found);
	assert_in_range(found, 1, 3);
	// Strides of people who walk take about a second.
	assert_in_range(last, 55, 80);
	rpDestroyMotion(walk);
}

// Engines find animations by their names.
static void testSameNames(void** state)
{
	(void)state;
	rpMotion* walk = perform(rp_actWalk);
	rpMotion* run = perform(rp_actRun);
	assert_true(rpMotion_SetName(run, walk->name, NULL));
	const rpMotion* motions[] = {walk, run};
	Parsed parsed = write(motions, 2, false);
	char second[64];
	snprintf(second, sizeof(second), "%s-2", walk->name);
	assert_string_equal(json_string_value(json_object_get(item(&parsed, "animations", 0), "name")), walk->name);
	assert_string_equal(json_string_value(json_object_get(item(&parsed, "animations", 1), "name")), second);
	freeParsed(&parsed);
	rpDestroyMotion(walk);
	rpDestroyMotion(run);
}

static void testWithoutBody(void** state)
{
	(void)state;
	rpMotion* walk = perform(rp_actWalk);
	Parsed parsed = write((const rpMotion* const*)&walk, 1, false);
	assert_null(json_object_get(parsed.root, "meshes"));
	checkSkin(&parsed, walk->skeleton);
	checkAnimation(&parsed, 0, walk);
	freeParsed(&parsed);
	rpDestroyMotion(walk);
}

// The surface is closed: every edge is walked once in each direction. And it encloses a person's volume.
static void testBodyIsClosed(void** state)
{
	(void)state;
	rpSkeleton* skeleton = rpCreatePerformerSkeleton(1.75f, NULL);
	rpTransform rest[RP_MAX_JOINTS];
	rpSkeleton_GetRest(skeleton, rest);
	rpBodyMesh body;
	assert_true(rpMakeBodyMesh(skeleton, rest, &body, NULL));
	assert_in_range(body.indexCount / 3, 500, 2000);
	double volume = 0.0;
	for (int i = 0; i < body.indexCount; i += 3)
	{
		rpVec3 a = body.vertices[body.indices[i]].position;
		rpVec3 b = body.vertices[body.indices[i + 1]].position;
		rpVec3 c = body.vertices[body.indices[i + 2]].position;
		volume += (double)rpDot(a, rpCross(b, c)) / 6.0;
	}
	for (int i = 0; i < body.indexCount; ++i)
	{
		int balance = 0;
		uint32_t from = body.indices[i], to = body.indices[i - i % 3 + (i + 1) % 3];
		for (int k = 0; k < body.indexCount; ++k)
		{
			uint32_t start = body.indices[k], end = body.indices[k - k % 3 + (k + 1) % 3];
			balance += (start == from && end == to) - (start == to && end == from);
		}
		assert_int_equal(balance, 0);
	}
	// Litres; parts overlap a little at the joints.
	assert_true(volume > 0.045 && volume < 0.095);
	rpVec3 low = body.vertices[0].position, high = low;
	for (int i = 0; i < body.vertexCount; ++i)
	{
		low.y = fminf(low.y, body.vertices[i].position.y);
		high.y = fmaxf(high.y, body.vertices[i].position.y);
	}
	assert_true(high.y - low.y > 1.6f && high.y - low.y < 1.95f);
	rpFreeBodyMesh(&body);
	rpReleaseSkeleton(skeleton);
}

// Limbs are known, but nothing of the spine: still a person, and no memory that nobody wrote.
static void testWithoutSpine(void** state)
{
	(void)state;
	rpSkeleton* whole = rpCreatePerformerSkeleton(1.75f, NULL);
	rpSkeletonDef def = rpSkeleton_GetDef(whole);
	rpJoint joints[RP_MAX_JOINTS];
	for (int i = 0; i < def.jointCount; ++i)
	{
		joints[i] = def.joints[i];
		joints[i].role = joints[i].role == rpRole_Mirror(joints[i].role) ? rp_roleNone : joints[i].role;
	}
	def.joints = joints;
	rpSkeleton* skeleton = rpCreateSkeleton(&def, NULL);
	rpMotion* motion = rpCreateMotion(skeleton, "still", 30.0, 2, NULL);
	Parsed parsed = write((const rpMotion* const*)&motion, 1, true);
	checkSkin(&parsed, skeleton);
	checkBody(&parsed, skeleton);
	freeParsed(&parsed);
	rpDestroyMotion(motion);
	rpReleaseSkeleton(skeleton);
	rpReleaseSkeleton(whole);
}

static void testRefusals(void** state)
{
	(void)state;
	rpMotion* walk = perform(rp_actWalk);
	rpMotion* snake = makeSnake(false);
	const rpMotion* motions[] = {walk, snake};
	rpSaveDef def = rpDefaultSaveDef();
	def.format = rp_formatGlb;
	rpText text = {0};
	rpError error = {0};
	assert_false(rpWriteMotions(motions, 2, &def, &text, &error));
	assert_int_equal(error.code, rp_errorArgument);
	assert_non_null(strstr(error.message, "different skeletons"));
	snake->rotations[17].x = NAN;
	assert_false(rpWriteMotions(motions + 1, 1, &def, &text, &error));
	assert_int_equal(error.code, rp_errorArgument);
	assert_non_null(strstr(error.message, "frame 5"));
	snake->rotations[17] = rpQuat_identity;
	snake->fps = 1e50;
	assert_false(rpWriteMotions(motions + 1, 1, &def, &text, &error));
	assert_int_equal(error.code, rp_errorLimit);
	rpText_Free(&text);
	rpDestroyMotion(walk);
	rpDestroyMotion(snake);
}

static void testOutOfMemory(void** state)
{
	(void)state;
	rpMotion* walk = perform(rp_actWalk);
	int live = testCountLiveBlocks();
	rpSaveDef def = rpDefaultSaveDef();
	def.format = rp_formatGlb;
	bool done = false;
	int attempts = 0;
	for (; !done; ++attempts)
	{
		rpText text = {0};
		rpError error = {0};
		testFailAllocation(attempts);
		done = rpWriteMotions((const rpMotion* const*)&walk, 1, &def, &text, &error);
		testFailAllocation(-1);
		assert_true(done || error.code == rp_errorMemory);
		rpText_Free(&text);
		assert_int_equal(testCountLiveBlocks(), live);
	}
	assert_true(attempts > 10);
	rpDestroyMotion(walk);
}

static void writeFile(const char* folder, const char* name, const rpMotion* const* motions, int count, bool mesh)
{
	char path[1024];
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	rpSaveDef def = rpDefaultSaveDef();
	def.format = rp_formatGlb;
	def.mesh = mesh;
	rpText text = {0};
	FILE* file = rpWriteMotions(motions, count, &def, &text, NULL) ? fopen(path, "wb") : NULL;
	if (file == NULL || fwrite(text.data, 1, text.size, file) != text.size || fclose(file) != 0)
	{
		perror(path);
	}
	rpText_Free(&text);
}

static int writeFiles(const char* folder)
{
	rpMotion* acts[rp_actCount];
	for (int i = 0; i < rp_actCount; ++i)
	{
		acts[i] = perform((rpAct)i);
	}
	rpMotion* odd[] = {makeSnake(false), makeSnake(true), makePoint()};
	const char* const names[] = {"snake.glb", "stretching.glb", "point.glb"};
	const char* const bareNames[] = {"snake_bare.glb", "stretching_bare.glb", "point_bare.glb"};
	writeFile(folder, "walk.glb", (const rpMotion* const*)acts + rp_actWalk, 1, true);
	writeFile(folder, "walk_bare.glb", (const rpMotion* const*)acts + rp_actWalk, 1, false);
	writeFile(folder, "acts.glb", (const rpMotion* const*)acts, rp_actCount, true);
	for (int i = 0; i < 3; ++i)
	{
		writeFile(folder, names[i], (const rpMotion* const*)odd + i, 1, true);
		writeFile(folder, bareNames[i], (const rpMotion* const*)odd + i, 1, false);
		rpDestroyMotion(odd[i]);
	}
	for (int i = 0; i < rp_actCount; ++i)
	{
		rpDestroyMotion(acts[i]);
	}
	return 0;
}

// ---- the floor ----

// While a sole rests on the floor, so does the body.
static void bodiesStandOnTheFloor(void** state)
{
	(void)state;
	static const rpAct acts[] = {rp_actStand, rp_actWalk, rp_actRun, rp_actSneak};
	for (int i = 0; i < 4; ++i)
	{
		rpMotion* motion = perform(acts[i]);
		rpTransform rest[RP_MAX_JOINTS], pose[RP_MAX_JOINTS];
		rpBodyMesh body;
		rpSkeleton_GetRest(motion->skeleton, rest);
		assert_true(rpMakeBodyMesh(motion->skeleton, rest, &body, NULL));
		for (int frame = 0; frame < motion->frameCount; ++frame)
		{
			double time = frame / motion->fps;
			if (rpMotion_IsInContact(motion, rp_leftBall, time) || rpMotion_IsInContact(motion, rp_rightBall, time))
			{
				rpMotion_Forward(motion, frame, pose);
				assert_true(fabsf(testGetLowestCorner(&body, rest, pose)) < 0.005f);
			}
		}
		rpFreeBodyMesh(&body);
		rpDestroyMotion(motion);
	}
}

int main(int argumentCount, char** arguments)
{
	if (argumentCount > 1)
	{
		return writeFiles(arguments[1]);
	}
	testUseCountingAllocator();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bodiesStandOnTheFloor), cmocka_unit_test(testPerson),       cmocka_unit_test(testSnake),
		cmocka_unit_test(testWithoutBody),       cmocka_unit_test(testRefusals),     cmocka_unit_test(testWithoutSpine),
		cmocka_unit_test(testOutOfMemory),       cmocka_unit_test(testBodyIsClosed), cmocka_unit_test(testRootBone),
		cmocka_unit_test(testRootName),          cmocka_unit_test(testLoop),         cmocka_unit_test(testStrides),
		cmocka_unit_test(testSameNames),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
