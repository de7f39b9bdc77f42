#include "file/glb_loft.h"

#include "base/memory.h"

#define ROD_SIDES 7

static bool addVertex(rpBodyMesh* body, rpVec3 position, rpInfluence influence, rpError* error)
{
	if (!rpGrow(&body->vertices, &body->vertexCapacity, body->vertexCount, sizeof(rpBodyVertex), error))
	{
		return false;
	}
	body->vertices[body->vertexCount++] =
		(rpBodyVertex){.position = position, .joints = {influence.first, influence.second}, .weight = influence.weight};
	return true;
}

static bool addTriangle(rpBodyMesh* body, int a, int b, int c, bool flip, rpError* error)
{
	const int corners[3] = {a, flip ? c : b, flip ? b : c};
	for (int i = 0; i < 3; ++i)
	{
		if (!rpGrow(&body->indices, &body->indexCapacity, body->indexCount, sizeof(uint32_t), error))
		{
			return false;
		}
		body->indices[body->indexCount++] = (uint32_t)corners[i];
	}
	return true;
}

static float bulge(float value, float squareness)
{
	return copysignf(powf(fabsf(value), squareness), value);
}

static bool addRing(rpBodyMesh* body, const rpRing* ring, int sides, float squareness, rpError* error)
{
	for (int i = 0; i < sides; ++i)
	{
		float angle = (float)(2.0 * RP_PI * i / sides);
		float across = ring->width * bulge(cosf(angle), squareness);
		float along = bulge(sinf(angle), squareness);
		along *= along > 0.0f ? ring->ahead : ring->behind;
		rpVec3 position = rpMulAdd(rpMulAdd(ring->center, across, ring->side), along, ring->front);
		if (!addVertex(body, position, ring->influence, error))
		{
			return false;
		}
	}
	return true;
}

// The band between two rings whose vertices start at a and b.
static bool addBand(rpBodyMesh* body, int a, int b, int sides, bool flip, rpError* error)
{
	for (int i = 0; i < sides; ++i)
	{
		int next = (i + 1) % sides;
		if (!addTriangle(body, a + i, a + next, b + next, flip, error) ||
			!addTriangle(body, a + i, b + next, b + i, flip, error))
		{
			return false;
		}
	}
	return true;
}

static bool addLid(rpBodyMesh* body, const rpRing* ring, rpVec3 outwards, int first, int sides, bool flip,
				   rpError* error)
{
	int center = body->vertexCount;
	// A little outwards, so that ends are round.
	float rise = 0.4f * fminf(ring->width, fminf(ring->ahead, ring->behind));
	if (!addVertex(body, rpMulAdd(ring->center, rise, outwards), ring->influence, error))
	{
		return false;
	}
	for (int i = 0; i < sides; ++i)
	{
		if (!addTriangle(body, center, first + (i + 1) % sides, first + i, flip, error))
		{
			return false;
		}
	}
	return true;
}

// Each vertex's normal is the mean of its triangles', by area.
static void computeNormals(rpBodyMesh* body, int firstVertex, int firstIndex, rpVec3 axis)
{
	for (int i = firstIndex; i + 2 < body->indexCount; i += 3)
	{
		rpBodyVertex* corners[3];
		for (int k = 0; k < 3; ++k)
		{
			corners[k] = body->vertices + body->indices[i + k];
		}
		rpVec3 normal = rpCross(rpSub(corners[1]->position, corners[0]->position),
								rpSub(corners[2]->position, corners[0]->position));
		for (int k = 0; k < 3; ++k)
		{
			corners[k]->normal = rpAdd(corners[k]->normal, normal);
		}
	}
	for (int i = firstVertex; i < body->vertexCount; ++i)
	{
		rpVec3 normal = rpNormalize(body->vertices[i].normal);
		// Twice, since a tiny sum loses digits; a vertex without a surface still needs a normal.
		normal = rpNormalize(rpScale(1e3f, normal));
		body->vertices[i].normal = rpDot(normal, normal) > 0.5f ? normal : axis;
	}
}

bool rpBodyMesh_AddLoft(rpBodyMesh* body, const rpRing* rings, int ringCount, int sides, float squareness,
						rpError* error)
{
	int firstVertex = body->vertexCount, firstIndex = body->indexCount;
	rpVec3 along = rpSub(rings[ringCount - 1].center, rings[0].center);
	bool flip = rpDot(rpCross(rings[0].side, rings[0].front), along) < 0.0f;
	for (int i = 0; i < ringCount; ++i)
	{
		int first = body->vertexCount;
		if (!addRing(body, rings + i, sides, squareness, error) ||
			(i > 0 && !addBand(body, first - sides, first, sides, flip, error)))
		{
			return false;
		}
	}
	int last = body->vertexCount - sides;
	rpVec3 axis = rpNormalize(along);
	if (!addLid(body, rings, rpScale(-1.0f, axis), firstVertex, sides, flip, error) ||
		!addLid(body, rings + ringCount - 1, axis, last, sides, !flip, error))
	{
		return false;
	}
	computeNormals(body, firstVertex, firstIndex, rings[0].side);
	return true;
}

bool rpBodyMesh_AddRod(rpBodyMesh* body, rpVec3 a, rpVec3 b, float ra, float middle, float rm, float rb, int joint,
					   rpError* error)
{
	rpVec3 axis = rpNormalize(rpSub(b, a));
	axis = rpDot(axis, axis) > 0.5f ? axis : (rpVec3){0.0f, 1.0f, 0.0f};
	rpVec3 aside = fabsf(axis.x) < 0.7f ? (rpVec3){1.0f, 0.0f, 0.0f} : (rpVec3){0.0f, 0.0f, 1.0f};
	rpVec3 front = rpNormalize(rpCross(axis, aside));
	rpVec3 side = rpCross(front, axis);
	// Where each ring is and how wide: the round ends have one step more, at sine and cosine of 45 degrees.
	const struct
	{
		rpVec3 center;
		float radius;
	} steps[] = {
		{rpMulAdd(a, -0.707f * ra, axis), 0.707f * ra}, {a, ra}, {rpLerp(a, b, middle), rm}, {b, rb},
		{rpMulAdd(b, 0.707f * rb, axis), 0.707f * rb},
	};
	enum
	{
		stepCount = sizeof(steps) / sizeof(steps[0])
	};
	rpRing rings[stepCount];
	for (int i = 0; i < stepCount; ++i)
	{
		float r = steps[i].radius;
		rings[i] = (rpRing){steps[i].center, side, front, r, r, r, {joint, joint, 1.0f}};
	}
	return rpBodyMesh_AddLoft(body, rings, stepCount, ROD_SIDES, 1.0f, error);
}
