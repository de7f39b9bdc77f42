/// Seams: how one span becomes the next, against formulas and against a direct integration.
#include "support.h"
#include "tiny_motion.h"

#include "motion/draft.h"
#include "timeline/seam.h"

enum
{
	joints = 5,
	/// Formula motions last 1.2 s at this rate, of which 16 frames are those that velocities at cuts are taken from.
	rate = 960,
	frameCount = 1153,
};

static const double s_cut = 0.6;

static rpVec3 drawVector(rpRandom* random, float size)
{
	return (rpVec3){rpRandom_Range(random, -size, size), rpRandom_Range(random, -size, size),
					rpRandom_Range(random, -size, size)};
}

static void assertNear(rpVec3 a, rpVec3 b, float tolerance)
{
	if (!(rpDistance(a, b) <= tolerance))
	{
		fail_msg("(%g, %g, %g) is not (%g, %g, %g)", (double)a.x, (double)a.y, (double)a.z, (double)b.x, (double)b.y,
				 (double)b.z);
	}
}

// ---- decay

typedef rpVec3 DecayFn(const rpOffset* offset, float time, float length);
static DecayFn* const s_decays[] = {rpDecayCubic, rpDecayQuintic};

static rpOffset drawOffset(rpRandom* random)
{
	return (rpOffset){drawVector(random, 0.5f), drawVector(random, 2.0f)};
}

// The slope at the first of three values, of second order.
static rpVec3 getSlope(rpVec3 first, rpVec3 second, rpVec3 third, float h)
{
	return rpScale(0.5f / h, rpSub(rpSub(rpScale(4.0f, second), rpScale(3.0f, first)), third));
}

// Value and slope at the start as given, nothing left at the end, and nothing beyond it.
static void testDecayEnds(void** state)
{
	(void)state;
	rpRandom random = rpSeedRandom(1);
	for (int n = 0; n < 400; ++n)
	{
		DecayFn* decay = s_decays[n % 2];
		rpOffset offset = drawOffset(&random);
		float length = rpRandom_Range(&random, 0.12f, 1.0f), h = 1e-3f;
		rpVec3 atStart = decay(&offset, 0.0f, length);
		rpVec3 slope = getSlope(atStart, decay(&offset, h, length), decay(&offset, 2.0f * h, length), h);
		assertNear(atStart, offset.value, 1e-6f);
		assertNear(slope, offset.rate, 0.01f * rpLength(offset.rate) + 0.05f);
		assertNear(decay(&offset, length, length), rpVec3_zero, 0.0f);
		assertNear(decay(&offset, 1.5f * length, length), rpVec3_zero, 0.0f);
		// The last hundredth: no slope is left.
		assert_true(rpLength(decay(&offset, 0.99f * length, length)) < 1e-3f);
	}
}

// Without velocity the cubic is the thesis' 2t³-3t²+1.
static void testThesisFunction(void** state)
{
	(void)state;
	rpOffset offset = {{1.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}};
	for (int i = 0; i <= 20; ++i)
	{
		float t = (float)i / 20.0f;
		float value = rpDecayCubic(&offset, t * 0.4f, 0.4f).x;
		assert_true(fabsf(value - (2.0f * t * t * t - 3.0f * t * t + 1.0f)) < 1e-6f);
	}
}

// An offset that decreases to zero: the quintic arrives and stays; it grows no larger than it was. One that has nearly
// arrived overshoots by less than a tenth of what its speed makes in a tenth of a second.
static void testNoOvershoot(void** state)
{
	(void)state;
	for (float speed = 0.0f; speed <= 8.0f; speed += 0.25f)
	{
		rpOffset offset = {{0.0f, 0.2f, 0.0f}, {0.0f, -speed, 0.0f}};
		float before = 0.2f;
		for (int i = 0; i <= 100; ++i)
		{
			float value = rpDecayQuintic(&offset, 0.005f * (float)i, 0.5f).y;
			assert_true(value >= 0.0f && value <= before + 1e-6f);
			before = value;
		}
	}
	rpOffset offset = {{0.0f, 1e-4f, 0.0f}, {0.0f, -4.0f, 0.0f}};
	float min = 0.0f;
	for (int i = 0; i <= 100; ++i)
	{
		min = fminf(min, rpDecayQuintic(&offset, 0.005f * (float)i, 0.5f).y);
	}
	assert_true(min < 0.0f && min > -0.1f * 4.0f * 0.1f);
}

// It makes no difference in which axes an offset is written.
static void testAxes(void** state)
{
	(void)state;
	rpRandom random = rpSeedRandom(2);
	for (int n = 0; n < 200; ++n)
	{
		rpOffset offset = drawOffset(&random);
		rpQuat turn = rpExpQuat(drawVector(&random, 2.0f));
		rpOffset turned = {rpRotate(turn, offset.value), rpRotate(turn, offset.rate)};
		float time = rpRandom_Range(&random, 0.0f, 0.4f);
		rpVec3 rest = s_decays[n % 2](&offset, time, 0.4f);
		assertNear(s_decays[n % 2](&turned, time, 0.4f), rpRotate(turn, rest), 1e-5f);
	}
}

// ---- motions by formula

/// Root, joints and bones that are accelerated evenly; time is from the cut.
typedef struct Formula
{
	rpVec3 place, velocity, acceleration;
	rpQuat turns[joints];
	rpVec3 rates[joints], rateChanges[joints];
	rpVec3 bones[joints], growths[joints];
} Formula;

static Formula drawFormula(rpRandom* random, float turn)
{
	Formula formula = {.place = drawVector(random, 1.0f)};
	formula.velocity = drawVector(random, 2.0f);
	formula.acceleration = drawVector(random, 10.0f);
	for (int i = 0; i < joints; ++i)
	{
		formula.turns[i] = rpExpQuat(drawVector(random, turn));
		formula.rates[i] = drawVector(random, 2.0f);
		formula.rateChanges[i] = drawVector(random, 6.0f);
		formula.bones[i] = drawVector(random, 0.3f);
		formula.growths[i] = drawVector(random, 0.1f);
	}
	return formula;
}

/// A pose with its memory.
typedef struct Posture
{
	rpPose pose;
	rpQuat rotations[joints];
	rpVec3 translations[joints];
} Posture;

static rpPose* getPose(Posture* posture)
{
	posture->pose.rotations = posture->rotations;
	posture->pose.translations = posture->translations;
	return &posture->pose;
}

static void evaluate(const Formula* formula, float time, rpPose* pose)
{
	float half = 0.5f * time * time;
	pose->rootPosition = rpMulAdd(rpMulAdd(formula->place, time, formula->velocity), half, formula->acceleration);
	for (int i = 0; i < joints; ++i)
	{
		rpVec3 turn = rpMulAdd(rpScale(time, formula->rates[i]), half, formula->rateChanges[i]);
		pose->rotations[i] = rpMulQuat(rpExpQuat(turn), formula->turns[i]);
		pose->translations[i] = rpMulAdd(formula->bones[i], time, formula->growths[i]);
	}
}

static rpMotion* makeMotion(const Formula* formula)
{
	rpJoint parts[joints];
	for (int i = 0; i < joints; ++i)
	{
		static const char* const names[joints] = {"a", "b", "c", "d", "e"};
		parts[i] = rpDefaultJoint();
		parts[i].name = names[i];
		parts[i].parent = i - 1;
	}
	rpSkeletonDef def = rpDefaultSkeletonDef();
	def.joints = parts;
	def.jointCount = joints;
	rpSkeleton* body = rpCreateSkeleton(&def, NULL);
	rpMotion* motion = rpCreateMotion(body, "formula", rate, frameCount, NULL);
	rpReleaseSkeleton(body);
	assert_non_null(motion);
	assert_true(rpAddTranslations(motion, NULL));
	for (int f = 0; f < frameCount; ++f)
	{
		rpPose pose = {.rotations = motion->rotations + f * joints, .translations = motion->translations + f * joints};
		evaluate(formula, (float)((double)f / rate - s_cut), &pose);
		motion->rootPositions[f] = pose.rootPosition;
	}
	return motion;
}

/// A seam between two spans.
typedef struct Scene
{
	rpClip* clips[2];
	rpSpan spans[2];
	rpSeam seam;
} Scene;

static Scene s_scene;

static void playMotion(Scene* scene, int index, rpMotion* motion, rpGroundTransform placement)
{
	scene->clips[index] = rpCreateElasticClip(motion, NULL);
	assert_non_null(scene->clips[index]);
	rpSpan_PlayClipAsIs(&scene->spans[index], scene->clips[index], index, 0.0, 0.0, placement);
	rpDestroyMotion(motion);
}

static void prepare(Scene* scene, int jointCount, rpSeamDef def, const rpFootRig* rig)
{
	assert_true(rpSeam_Create(&scene->seam, jointCount, scene->clips[0]->translations != NULL, NULL));
	rpSeam_Prepare(&scene->seam, &def, &scene->spans[0], &scene->spans[1], rig);
}

static void freeScene(Scene* scene)
{
	rpSeam_Free(&scene->seam);
	rpDestroyClip(scene->clips[0]);
	rpDestroyClip(scene->clips[1]);
}

static Scene* makeFormulas(const Formula* a, const Formula* b, rpSeamDef def)
{
	playMotion(&s_scene, 0, makeMotion(a), rpGroundTransform_identity);
	playMotion(&s_scene, 1, makeMotion(b), rpGroundTransform_identity);
	prepare(&s_scene, joints, def, NULL);
	return &s_scene;
}

// ---- cuts

/// Velocities: of the root, the joints and the bones.
typedef struct Speeds
{
	rpVec3 root, spins[joints], growths[joints];
} Speeds;

static rpVec3 getSpin(const Posture* poses, int joint, float h)
{
	rpQuat back = rpConjugate(poses[0].rotations[joint]);
	return getSlope(rpVec3_zero, rpLogQuat(rpMulQuat(poses[1].rotations[joint], back)),
					rpLogQuat(rpMulQuat(poses[2].rotations[joint], back)), h);
}

static Speeds getSpeeds(const Posture* p, float h)
{
	Speeds speeds = {.root = getSlope(p[0].pose.rootPosition, p[1].pose.rootPosition, p[2].pose.rootPosition, h)};
	for (int i = 0; i < joints; ++i)
	{
		speeds.spins[i] = getSpin(p, i, h);
		speeds.growths[i] = getSlope(p[0].translations[i], p[1].translations[i], p[2].translations[i], h);
	}
	return speeds;
}

/// The pose at the cut on one side of it, and its speeds from two more, which lie on frames.
static Speeds measureSide(Scene* scene, double side, Posture* poses)
{
	double h = side * 2.0 / rate;
	for (int k = 0; k < 3; ++k)
	{
		rpSeam_Sample(&scene->seam, k == 0 && side < 0.0 ? s_cut - 1e-9 : s_cut + k * h, getPose(&poses[k]));
	}
	return getSpeeds(poses, (float)h);
}

static Speeds evaluateSide(const Formula* formula, Posture* poses)
{
	for (int k = 0; k < 3; ++k)
	{
		evaluate(formula, (float)k * 1e-3f, getPose(&poses[k]));
	}
	return getSpeeds(poses, 1e-3f);
}

static void checkMeeting(const Posture* past, const Speeds* u, const Posture* next, const Speeds* v)
{
	assertNear(past->pose.rootPosition, next->pose.rootPosition, 2e-5f);
	assertNear(u->root, v->root, 0.02f);
	for (int i = 0; i < joints; ++i)
	{
		assert_true(rpAngleBetween(past->rotations[i], next->rotations[i]) < 1e-3f);
		assertNear(u->spins[i], v->spins[i], 0.03f);
		assertNear(past->translations[i], next->translations[i], 2e-5f);
		assertNear(u->growths[i], v->growths[i], 0.02f);
	}
}

// Both sides meet in place and velocity in every degree of freedom: half-way where offsets decay on both sides,
// otherwise at the first motion as it is. Later draws are up to half a turn apart, where logarithms change their
// branch.
static void testMeeting(void** state)
{
	(void)state;
	rpRandom random = rpSeedRandom(3);
	for (int n = 0; n < 40; ++n)
	{
		Formula a = drawFormula(&random, n < 20 ? 0.4f : 1.8f), b = drawFormula(&random, n < 20 ? 0.4f : 1.8f);
		bool isInertial = n % 2 != 0;
		rpSeamDef def = {isInertial ? rp_seamInertial : rp_seamDisplace, 0.3, s_cut, 0.9};
		Scene* scene = makeFormulas(&a, &b, def);
		Posture past[3], next[3], own[3], other[3];
		Speeds u = measureSide(scene, -1.0, past), v = measureSide(scene, 1.0, next);
		checkMeeting(past, &u, next, &v);

		Speeds ofA = evaluateSide(&a, own), ofB = evaluateSide(&b, other);
		float share = isInertial ? 0.0f : 0.5f;
		assertNear(next->pose.rootPosition, rpLerp(own->pose.rootPosition, other->pose.rootPosition, share), 2e-5f);
		assertNear(v.root, rpLerp(ofA.root, ofB.root, share), 0.02f);
		for (int i = 0; i < joints; ++i)
		{
			float whole = rpAngleBetween(own->rotations[i], other->rotations[i]);
			assert_float_equal(rpAngleBetween(own->rotations[i], next->rotations[i]), share * whole, 2e-3f);
			assertNear(v.spins[i], rpLerp(ofA.spins[i], ofB.spins[i], share), 0.03f);
		}
		freeScene(scene);
	}
}

// At its ends and beyond them a seam of offsets leaves spans as they are.
static void testBeyond(void** state)
{
	(void)state;
	rpRandom random = rpSeedRandom(4);
	Formula a = drawFormula(&random, 0.4f), b = drawFormula(&random, 0.4f);
	for (int kind = rp_seamDisplace; kind <= rp_seamInertial; ++kind)
	{
		Scene* scene = makeFormulas(&a, &b, (rpSeamDef){(rpSeamKind)kind, 0.3, s_cut, 0.9});
		for (int side = 0; side < 2; ++side)
		{
			Posture plain, joined;
			double time = side == 0 ? 0.3 : 0.9;
			rpSpan_Sample(&scene->spans[side], time, getPose(&plain));
			rpSeam_Sample(&scene->seam, time, getPose(&joined));
			assert_memory_equal(plain.rotations, joined.rotations, sizeof(plain.rotations));
			assert_memory_equal(plain.translations, joined.translations, sizeof(plain.translations));
			assert_memory_equal(&plain.pose.rootPosition, &joined.pose.rootPosition, sizeof(rpVec3));
		}
		freeScene(scene);
	}
}

// ---- fades

static double getWeight(double time, const rpSeamDef* def)
{
	double t = (time - def->start) / (def->end - def->start);
	return (2.0 * t - 3.0) * t * t + 1.0;
}

static rpVec3 getDifference(const Formula* a, const Formula* b, double time, int row)
{
	Posture p, q;
	evaluate(a, (float)(time - s_cut), getPose(&p));
	evaluate(b, (float)(time - s_cut), getPose(&q));
	return row == 0       ? rpSub(p.pose.rootPosition, q.pose.rootPosition)
		   : row > joints ? rpSub(p.translations[row - 1 - joints], q.translations[row - 1 - joints])
						  : rpLogQuat(rpMulQuat(rpConjugate(q.rotations[row - 1]), p.rotations[row - 1]));
}

// What was added to b.
static rpVec3 getAdded(const Formula* b, double time, const Posture* made, int row)
{
	Posture q;
	evaluate(b, (float)(time - s_cut), getPose(&q));
	return row == 0       ? rpSub(made->pose.rootPosition, q.pose.rootPosition)
		   : row > joints ? rpSub(made->translations[row - 1 - joints], q.translations[row - 1 - joints])
						  : rpLogQuat(rpMulQuat(rpConjugate(q.rotations[row - 1]), made->rotations[row - 1]));
}

// Two routes: p' = b' + w d' + w' m, with m the mean of d over the fade, integrated at 2000 Hz from p = a at its start.
// The seam looks at d 30 times in half a second, so that its integrals are 1/30² of d short.
static void checkRow(Scene* scene, const Formula* a, const Formula* b, int row)
{
	const rpSeamDef* def = &scene->seam.def;
	int count = (int)lround((def->end - def->start) * 2000.0);
	double step = (def->end - def->start) / count;
	rpVec3 mean = rpVec3_zero, sum = getDifference(a, b, def->start, row);
	for (int k = 0; k < count; ++k)
	{
		double time = def->start + k * step;
		float loss = (float)(getWeight(time, def) - getWeight(time + step, def));
		mean = rpMulAdd(mean, loss, getDifference(a, b, time + 0.5 * step, row));
	}
	for (int k = 0; k < count; ++k)
	{
		double time = def->start + k * step;
		float loss = (float)(getWeight(time, def) - getWeight(time + step, def));
		rpVec3 change = rpSub(getDifference(a, b, time + step, row), getDifference(a, b, time, row));
		sum = rpMulAdd(rpMulAdd(sum, (float)getWeight(time + 0.5 * step, def), change), -loss, mean);
		if (k % 100 == 99)
		{
			Posture made;
			rpSeam_Sample(&scene->seam, time + step, getPose(&made));
			assertNear(getAdded(b, time + step, &made, row), sum, 2e-3f);
		}
	}
}

static void testIntegration(void** state)
{
	(void)state;
	rpRandom random = rpSeedRandom(5);
	for (int n = 0; n < 4; ++n)
	{
		Formula a = drawFormula(&random, 0.3f), b = drawFormula(&random, 0.3f);
		Scene* scene = makeFormulas(&a, &b, (rpSeamDef){rp_seamVelocity, 0.35, s_cut, 0.85});
		for (int row = 0; row < 1 + 2 * joints; ++row)
		{
			checkRow(scene, &a, &b, row);
		}
		freeScene(scene);
	}
}

// The root alone is found as with the body.
static void testRootAlone(void** state)
{
	(void)state;
	rpRandom random = rpSeedRandom(6);
	Formula a = drawFormula(&random, 0.3f), b = drawFormula(&random, 0.3f);
	Scene* scene = makeFormulas(&a, &b, (rpSeamDef){rp_seamVelocity, 0.35, s_cut, 0.85});
	rpSeam alone;
	assert_true(rpSeam_Create(&alone, 0, false, NULL));
	rpSeam_Prepare(&alone, &scene->seam.def, &scene->spans[0], &scene->spans[1], NULL);
	for (double time = 0.35; time < 0.85; time += 0.01)
	{
		Posture made;
		rpPose root = {0};
		rpSeam_Sample(&scene->seam, time, getPose(&made));
		rpSeam_Sample(&alone, time, &root);
		assertNear(made.pose.rootPosition, root.rootPosition, 1e-6f);
	}
	rpSeam_Free(&alone);
	freeScene(scene);
}

enum
{
	tinyFrames = 91,
};

static const rpSeamDef s_tinyFade = {rp_seamVelocity, 30.0 / 30.0, 45.5 / 30.0, 61.0 / 30.0};

static Scene* makeTiny(TinyPace from, TinyPace to, rpGroundTransform placement)
{
	playMotion(&s_scene, 0, tinyMakeMotion("from", tinyFrames, 0.1, from), rpGroundTransform_identity);
	playMotion(&s_scene, 1, tinyMakeMotion("to", tinyFrames, 0.1, to), placement);
	prepare(&s_scene, 2, s_tinyFade, NULL);
	return &s_scene;
}

// A frame of all: the spans themselves before and after the fade.
static void sampleTiny(Scene* scene, int frame, Posture* out)
{
	double time = frame / 30.0;
	if (time < s_tinyFade.start || time >= s_tinyFade.end)
	{
		rpSpan_Sample(&scene->spans[time >= s_tinyFade.end], time, getPose(out));
		return;
	}
	rpSeam_Sample(&scene->seam, time, getPose(out));
}

// Where places and poses differ by the same all the time, a velocity fade is the cross-fade of eq. 4.11-4.13.
static void testConstantDifference(void** state)
{
	(void)state;
	TinyPace pace = {.tailTurn = 0.02f};
	Scene* scene = makeTiny(pace, pace, (rpGroundTransform){0.6f, {0.2f, 0.1f, 0.0f}});
	for (int f = 30; f <= 60; ++f)
	{
		Posture own, next, made;
		float weight = (float)getWeight(f / 30.0, &s_tinyFade);
		rpSpan_Sample(&scene->spans[0], f / 30.0, getPose(&own));
		rpSpan_Sample(&scene->spans[1], f / 30.0, getPose(&next));
		sampleTiny(scene, f, &made);
		assertNear(made.pose.rootPosition, rpLerp(next.pose.rootPosition, own.pose.rootPosition, weight), 1e-5f);
		for (int j = 0; j < 2; ++j)
		{
			assert_true(rpAngleBetween(rpSlerp(next.rotations[j], own.rotations[j], weight), made.rotations[j]) <
						1e-3f);
		}
	}
	freeScene(scene);
}

// A body that goes faster afterwards, and is even in the middle, speeds up all the time and never beyond: by no more
// than 1.5 times the mean.
static void testVelocities(void** state)
{
	(void)state;
	TinyPace slow = {.step = 0.02f, .tailTurn = 0.01f}, fast = {.step = 0.05f, .tailTurn = 0.03f};
	Scene* scene = makeTiny(slow, fast, (rpGroundTransform){0.0f, {0.0f, 0.0f, (slow.step - fast.step) * 45.5f}});
	Posture frames[3];
	for (int f = 1; f + 1 < tinyFrames; ++f)
	{
		for (int k = 0; k < 3; ++k)
		{
			sampleTiny(scene, f - 1 + k, &frames[k]);
		}
		float before = frames[1].pose.rootPosition.z - frames[0].pose.rootPosition.z;
		float after = frames[2].pose.rootPosition.z - frames[1].pose.rootPosition.z;
		assert_true(before > slow.step - 1e-5f && before < fast.step + 1e-5f);
		assert_true(after - before > -1e-5f && after - before < (fast.step - slow.step) * 1.5f / 31.0f * 1.02f);
		// The tails are 0.91 rad apart in the middle, which are faded as well.
		assert_true(rpAngleBetween(frames[0].rotations[1], frames[1].rotations[1]) < 0.1f);
	}
	freeScene(scene);
}

// A seam is a function of time: a walk that ends within it, or shows other frames, has the same bytes where both are.
static void testCutShort(void** state)
{
	(void)state;
	TinyPace slow = {.step = 0.02f, .rootTurn = 0.01f}, fast = {.step = 0.05f, .rootTurn = -0.02f};
	Scene* scene = makeTiny(slow, fast, rpGroundTransform_identity);
	Posture whole[31], again;
	for (int f = 30; f <= 60; ++f)
	{
		sampleTiny(scene, f, &whole[f - 30]);
	}
	rpSeam_Prepare(&scene->seam, &s_tinyFade, &scene->spans[0], &scene->spans[1], NULL);
	for (int f = 41; f >= 30; f -= 3)
	{
		sampleTiny(scene, f, &again);
		assert_memory_equal(&whole[f - 30].pose.rootPosition, &again.pose.rootPosition, sizeof(rpVec3));
		assert_memory_equal(whole[f - 30].rotations, again.rotations, 2 * sizeof(rpQuat));
	}
	freeScene(scene);
}

// Joints that are nearly half a turn away keep to one direction of turning, and change by little from frame to frame.
static void testHalfTurn(void** state)
{
	(void)state;
	// The tail is between 166 and 184 degrees away, and 175 in the middle.
	rpMotion* still = tinyMakeMotion("still", tinyFrames, 0.1, (TinyPace){0});
	for (int f = 0; f < tinyFrames; ++f)
	{
		still->rotations[2 * f + 1] = rpYaw(0.455f - 3.054f);
	}
	playMotion(&s_scene, 0, still, rpGroundTransform_identity);
	playMotion(&s_scene, 1, tinyMakeMotion("to", tinyFrames, 0.1, (TinyPace){.tailTurn = 0.01f}),
			   rpGroundTransform_identity);
	for (int kind = rp_seamVelocity; kind <= rp_seamLinear; ++kind)
	{
		rpSeamDef def = s_tinyFade;
		def.kind = (rpSeamKind)kind;
		prepare(&s_scene, 2, def, NULL);
		Posture before, now;
		sampleTiny(&s_scene, 0, &before);
		for (int f = 1; f < tinyFrames; ++f)
		{
			sampleTiny(&s_scene, f, &now);
			assert_true(rpAngleBetween(before.rotations[1], now.rotations[1]) < 0.25f);
			before = now;
		}
		rpSeam_Free(&s_scene.seam);
	}
	freeScene(&s_scene);
}

// ---- feet

static const double s_start = 1.2, s_middle = 1.5, s_end = 1.8;

/// One stands, the other walks; the swinging foot of the walk is where it stands in the middle of the fade.
typedef struct Feet
{
	rpFootRig rig;
	rpPose pose;
	rpQuat rotations[RP_MAX_JOINTS];
	rpTransform world[RP_MAX_JOINTS];
} Feet;

static Feet s_feet;

static rpMotion* perform(rpAct act)
{
	rpPerformDef def = rpDefaultPerformDef(act);
	def.fps = 60.0;
	def.seconds = 4.0;
	rpMotion* motion = rpPerform(&def, NULL);
	assert_non_null(motion);
	return motion;
}

static bool rests(const rpSpan* span, double time, int foot)
{
	float heights[rp_effectorCount];
	unsigned bits = rpSpan_GetContacts(span, time - span->start, NULL, heights), own = 0;
	for (int i = 0; i < rp_effectorCount; ++i)
	{
		own |= rpEffector_GetFoot((rpEffector)i) == foot ? bits & 1u << i : 0;
	}
	return own != 0;
}

static rpVec3 getSole(const rpPose* pose, int foot)
{
	rpFootSample sample;
	rpFootRig_Forward(&s_feet.rig, pose->rootPosition, pose->rotations, NULL, s_feet.world);
	rpLeg_Sample(&s_feet.rig.legs[foot], s_feet.world, &sample);
	return rpScale(0.5f, rpAdd(sample.sole[0], sample.sole[1]));
}

static rpVec3 getSpanSole(const rpSpan* span, double time, int foot)
{
	rpSpan_Sample(span, time - span->start, &s_feet.pose);
	return getSole(&s_feet.pose, foot);
}

static rpVec3 getSeamSole(Scene* scene, double time, int foot)
{
	rpSeam_Sample(&scene->seam, time, &s_feet.pose);
	return getSole(&s_feet.pose, foot);
}

// A time at which a foot is in the middle of its swing.
static double findSwing(const rpSpan* walk, int foot)
{
	double time = 1.5;
	while (rests(walk, time, foot) || rests(walk, time - 0.15, foot) || rests(walk, time + 0.15, foot))
	{
		time += 0.01;
		assert_true(time < 3.0);
	}
	return time;
}

static Scene* makeStep(int walking, int foot)
{
	Scene* scene = &s_scene;
	s_feet.pose = (rpPose){.rotations = s_feet.rotations};
	playMotion(scene, walking, perform(rp_actWalk), rpGroundTransform_identity);
	playMotion(scene, 1 - walking, perform(rp_actStand), rpGroundTransform_identity);
	assert_true(rpFootRig_Init(&s_feet.rig, scene->clips[0]->skeleton));
	rpSpan* walk = &scene->spans[walking];
	double swing = findSwing(walk, foot);
	rpVec3 shift = rpSub(getSpanSole(&scene->spans[1 - walking], s_middle, foot), getSpanSole(walk, swing, foot));
	rpGroundTransform placement = {0.0f, {shift.x, 0.0f, shift.z}};
	rpSpan_PlayClipAsIs(walk, scene->clips[walking], walking, s_middle - swing, 0.0, placement);
	prepare(scene, scene->clips[0]->skeleton->jointCount, (rpSeamDef){rp_seamVelocity, s_start, s_middle, s_end},
			&s_feet.rig);
	return scene;
}

// A foot that stands and then swings is let go before the middle, while it is still where it stood; one that goes on
// standing is not.
static void testLettingGo(void** state)
{
	(void)state;
	for (int foot = 0; foot < rp_legCount; ++foot)
	{
		Scene* scene = makeStep(1, foot);
		const rpSeam* seam = &scene->seam;
		double leave = seam->leave[foot];
		assert_true(leave < s_middle - 0.03 && leave > s_start);
		assert_float_equal(seam->enter[foot], s_middle, 1e-9);
		assert_float_equal(seam->leave[1 - foot], s_middle, 1e-9);
		assert_float_equal(seam->enter[1 - foot], s_middle, 1e-9);
		double last = leave - 1.0 / 60.0;
		rpVec3 stood = getSpanSole(&scene->spans[0], last, foot);
		assert_true(rpDistance(getSeamSole(scene, last, foot), stood) <= 0.02f);
		assert_true(rpDistance(getSeamSole(scene, s_middle, foot), stood) > 0.03f);
		freeScene(scene);
	}
}

// And one that swings and then stands is held once it has come.
static void testHolding(void** state)
{
	(void)state;
	for (int foot = 0; foot < rp_legCount; ++foot)
	{
		Scene* scene = makeStep(0, foot);
		const rpSeam* seam = &scene->seam;
		double enter = seam->enter[foot];
		assert_true(enter > s_middle + 0.03 && enter < s_end);
		assert_float_equal(seam->leave[foot], s_middle, 1e-9);
		assert_float_equal(seam->enter[1 - foot], s_middle, 1e-9);
		double first = enter + 1.0 / 60.0;
		rpVec3 stands = getSpanSole(&scene->spans[1], first, foot);
		assert_true(rpDistance(getSeamSole(scene, first, foot), stands) <= 0.02f);
		freeScene(scene);
	}
}

int main(void)
{
	testUseCountingAllocator();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testDecayEnds),
		cmocka_unit_test(testThesisFunction),
		cmocka_unit_test(testNoOvershoot),
		cmocka_unit_test(testAxes),
		cmocka_unit_test(testMeeting),
		cmocka_unit_test(testBeyond),
		cmocka_unit_test(testIntegration),
		cmocka_unit_test(testRootAlone),
		cmocka_unit_test(testConstantDifference),
		cmocka_unit_test(testVelocities),
		cmocka_unit_test(testCutShort),
		cmocka_unit_test(testHalfTurn),
		cmocka_unit_test(testLettingGo),
		cmocka_unit_test(testHolding),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
