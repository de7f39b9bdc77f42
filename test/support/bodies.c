#include "bodies.h"

#include "body_conventions.h"
#include "support.h"

#include <stdio.h>
#include <string.h>

static const rpVec3 s_places[] = {
#define X(name, x, y, z) {(float)(x), (float)(y), (float)(z)},
	TEST_PLACES(X)
#undef X
};

int testCountBodies(void)
{
	return test_conventionCount;
}

TestBodyDef testDefaultBodyDef(void)
{
	return (TestBodyDef){.scale = 1.0f, .turn = rpQuat_identity};
}

// '@' becomes the side; "@@" the side in full.
static void spell(char* out, const char* pattern, const char* side)
{
	size_t length = 0;
	for (const char* c = pattern; *c != 0; ++c)
	{
		const char* text = side;
		if (c[0] == '@' && c[1] == '@')
		{
			text = side[0] == 'L' || side[0] == 'l' ? "Left" : "Right";
			++c;
		}
		else if (c[0] != '@')
		{
			out[length++] = *c;
			continue;
		}
		memcpy(out + length, text, strlen(text));
		length += strlen(text);
	}
	out[length] = 0;
}

static rpVec3 getPlace(const TestBodyDef* def, TestPlace place, float side)
{
	rpVec3 p = s_places[place];
	if (def->armsDown && place > at_shoulder)
	{
		rpVec3 shoulder = s_places[at_shoulder];
		p = rpAdd(shoulder, rpRotate(rpAxisAngle((rpVec3){0.0f, 0.0f, 1.0f}, -0.8f), rpSub(p, shoulder)));
	}
	p.x *= side;
	return rpRotate(def->turn, rpScale(def->scale, p));
}

/// What is needed while a body is put together.
typedef struct Maker
{
	const TestBodyDef* def;
	const TestConvention* convention;
	TestBody* body;
	rpTransform world[128];
	/// The line and the side that each joint came from.
	const TestLine* lines[128];
	int sides[128];
	int count;
	rpRandom random;
} Maker;

static int findJoint(const Maker* maker, const char* name)
{
	for (int i = 0; i < maker->count; ++i)
	{
		if (strcmp(maker->body->names[i], name) == 0)
		{
			return i;
		}
	}
	return -1;
}

static rpRole getRole(const char* part, int side)
{
	char name[64];
	snprintf(name, sizeof(name), "%s%s", side > 0 ? "left_" : side < 0 ? "right_" : "", part);
	return rpRole_Find(name);
}

static void addJoint(Maker* maker, const TestLine* line, int side)
{
	const char* text = side >= 0 ? maker->convention->left : maker->convention->right;
	TestBody* body = maker->body;
	int i = maker->count;
	rpJoint* joint = body->joints + i;
	char parent[64];
	*joint = rpDefaultJoint();
	spell(body->names[i], line->name, text);
	if (line->parent != NULL)
	{
		spell(parent, line->parent, text);
		joint->parent = findJoint(maker, parent);
	}
	joint->name = body->names[i];
	if (maker->def->turnedFrames)
	{
		joint->rest = rpExpQuat((rpVec3){rpRandom_Normal(&maker->random), rpRandom_Normal(&maker->random), 0.5f});
	}
	// The frame of the world is kept, the offset is what leads there.
	rpVec3 place = getPlace(maker->def, line->place, side < 0 ? -1.0f : 1.0f);
	rpTransform above = joint->parent >= 0 ? maker->world[joint->parent] : (rpTransform){place, rpQuat_identity};
	joint->offset = rpRotate(rpConjugate(above.q), rpSub(place, above.p));
	maker->world[i] = (rpTransform){place, rpMulQuat(above.q, joint->rest)};
	body->expected[i] = line->part != NULL ? getRole(line->part, side) : rp_roleNone;
	maker->lines[i] = line;
	maker->sides[i] = side;
	maker->count = i + 1;
}

static void findMirrors(Maker* maker)
{
	for (int i = 0; i < maker->count; ++i)
	{
		for (int j = 0; j < maker->count; ++j)
		{
			if (maker->lines[i] == maker->lines[j] && maker->sides[i] == -maker->sides[j])
			{
				maker->body->mirrors[i] = j;
			}
		}
	}
}

static void addEnd(Maker* maker, int joint, TestPlace place, float side)
{
	rpTransform world = maker->world[joint];
	rpVec3 p = getPlace(maker->def, place, side);
	maker->body->ends[maker->body->def.endCount++] =
		(rpEndSite){NULL, joint, rpRotate(rpConjugate(world.q), rpSub(p, world.p))};
}

static bool isLeaf(const Maker* maker, int joint)
{
	for (int i = joint + 1; i < maker->count; ++i)
	{
		if (maker->body->joints[i].parent == joint)
		{
			return false;
		}
	}
	return true;
}

static void addEnds(Maker* maker)
{
	for (int i = 0; i < maker->count; ++i)
	{
		rpRole role = maker->body->expected[i];
		if (!isLeaf(maker, i))
		{
			continue;
		}
		if (role == rp_roleHead)
		{
			addEnd(maker, i, at_headTop, 1.0f);
		}
		else if (role == rp_roleLeftBall || role == rp_roleLeftAnkle)
		{
			addEnd(maker, i, at_toe, 1.0f);
		}
		else if (role == rp_roleRightBall || role == rp_roleRightAnkle)
		{
			addEnd(maker, i, at_toe, -1.0f);
		}
		else if (role == rp_roleLeftWrist || role == rp_roleRightWrist)
		{
			addEnd(maker, i, at_handTip, role == rp_roleLeftWrist ? 1.0f : -1.0f);
		}
	}
}

static void hideNames(Maker* maker)
{
	for (int i = 0; i < maker->count; ++i)
	{
		snprintf(maker->body->names[i], sizeof(maker->body->names[i]), "joint%d", (i * 37 + 11) % 128);
	}
}

// Exchange the names of each pair of joints.
static void swapNames(Maker* maker)
{
	for (int i = 0; i + 1 < maker->count; ++i)
	{
		rpRole role = maker->body->expected[i];
		for (int j = i + 1; j < maker->count; ++j)
		{
			if (role != rp_roleNone && rpRole_Mirror(role) != role && maker->body->expected[j] == rpRole_Mirror(role))
			{
				char name[64];
				memcpy(name, maker->body->names[i], 64);
				memcpy(maker->body->names[i], maker->body->names[j], 64);
				memcpy(maker->body->names[j], name, 64);
				maker->body->expected[i] = maker->body->expected[j];
				maker->body->expected[j] = role;
				break;
			}
		}
	}
}

static void addSide(Maker* maker, const TestLine* line, int side)
{
	// A run of sided lines is one side's limb after the other.
	for (; line->name != NULL && strchr(line->name, '@') != NULL; ++line)
	{
		addJoint(maker, line, side);
	}
}

void testLayOutBody(const TestBodyDef* def, TestBody* body)
{
	Maker maker = {
		.def = def, .convention = test_conventions + def->convention, .body = body, .random = rpSeedRandom(9)};
	memset(body, 0, sizeof(*body));
	body->convention = maker.convention->name;
	body->shapeIsMisleading = maker.convention->shapeIsMisleading;
	for (const TestLine* line = maker.convention->lines; line->name != NULL;)
	{
		if (strchr(line->name, '@') == NULL)
		{
			addJoint(&maker, line++, 0);
			continue;
		}
		addSide(&maker, line, def->rightFirst ? -1 : 1);
		addSide(&maker, line, def->rightFirst ? 1 : -1);
		while (line->name != NULL && strchr(line->name, '@') != NULL)
		{
			++line;
		}
	}
	body->def = rpDefaultSkeletonDef();
	findMirrors(&maker);
	if (maker.convention->ends)
	{
		addEnds(&maker);
	}
	if (def->swappedNames)
	{
		swapNames(&maker);
	}
	if (def->nonsense)
	{
		hideNames(&maker);
	}
	body->def.joints = body->joints;
	body->def.jointCount = maker.count;
	body->def.ends = body->ends;
}

int testFindBody(const char* name)
{
	static TestBody body;
	TestBodyDef def = testDefaultBodyDef();
	for (def.convention = 0; def.convention < testCountBodies(); ++def.convention)
	{
		testLayOutBody(&def, &body);
		if (strcmp(body.convention, name) == 0)
		{
			return def.convention;
		}
	}
	fail_msg("no convention %s", name);
	return -1;
}
