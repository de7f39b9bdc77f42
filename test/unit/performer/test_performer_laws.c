/// What the performer does, a body could do: in flight its angular momentum stays, on the ground it presses on its
/// soles.
#include "performance.h"
#include "support.h"

#include "body/support_load.h"
#include "performer/body_plan.h"

#include <stdio.h>
#include <stdlib.h>

#define FPS 120.0
#define GRAVITY 9.81
// How much a component of the momentum may change within a flight, kg m²/s; captured jumps: 3 to 5.
#define MOST_CHANGE 1.0f
/// A performance with its momentum between frames, [frameCount].
typedef struct Dynamics
{
	rpMotion* motion;
	rpBody body;
	rpVec3* momenta;
} Dynamics;

static Dynamics open(const rpPerformDef* def)
{
	rpPerformDef even = *def;
	even.fps = FPS;
	Dynamics d = {.motion = testPerform(&even)};
	int count = d.motion->frameCount;
	assert_true(rpWeighSkeleton(d.motion->skeleton, NULL, &d.body, NULL));
	d.momenta = calloc((size_t)count, sizeof(rpVec3));
	for (int f = 0; f + 1 < count; ++f)
	{
		rpTransform before[rp_performerJointCount], after[rp_performerJointCount];
		rpMotion_Forward(d.motion, f, before);
		rpMotion_Forward(d.motion, f + 1, after);
		d.momenta[f] = rpBody_GetMomentum(&d.body, before, after, (float)(1.0 / FPS)).angular;
	}
	return d;
}

static void close(Dynamics* d)
{
	free(d->momenta);
	rpDestroyMotion(d->motion);
}

// The largest change of a component within a flight.
static float getChange(const Dynamics* d)
{
	rpInterval phases[512];
	int count = rpMotion_GetIntervals(d->motion, rp_trackPhase, phases, 512);
	float change = 0.0f;
	for (int k = 0; k < count; ++k)
	{
		int first = (int)ceil(phases[k].start * FPS), end = (int)floor(fmin(phases[k].end, 1e6) * FPS);
		end = end < d->motion->frameCount ? end : d->motion->frameCount - 1;
		for (int i = 0; i < 3 && phases[k].name[0] == 'F'; ++i)
		{
			float low = INFINITY, high = -INFINITY;
			for (int f = first; f < end; ++f)
			{
				low = fminf(low, (&d->momenta[f].x)[i]);
				high = fmaxf(high, (&d->momenta[f].x)[i]);
			}
			change = fmaxf(change, high - low);
		}
	}
	return change;
}

static void testMomentum(void** state)
{
	(void)state;
	enum
	{
		manners = 3
	};
	for (int act = 0; act < rp_actCount; ++act)
	{
		float change = 0.0f;
		for (uint64_t seed = 0; seed < manners; ++seed)
		{
			rpPerformDef def = rpDefaultPerformDef((rpAct)act);
			def.seed = seed;
			Dynamics d = open(&def);
			change = fmaxf(change, getChange(&d));
			close(&d);
		}
		printf("%-15s momentum changes by %.2f kg m²/s\n", rpAct_GetName((rpAct)act), (double)change);
		assert_true(change < MOST_CHANGE);
	}
}

// Whatever is asked of a jump: captured people's jumps are the reason for the law.
static void testJumps(void** state)
{
	(void)state;
	for (int act = 0; act < rp_actCount; ++act)
	{
		for (uint64_t draw = 4; rpAct_GetKind((rpAct)act) == rp_kindJump && draw < 16; ++draw)
		{
			rpPerformDef def = testDrawPerformance((rpAct)act, draw);
			Dynamics d = open(&def);
			float change = getChange(&d);
			close(&d);
			if (!(change < MOST_CHANGE))
			{
				printf("%s, draw %d: %g\n", rpAct_GetName((rpAct)act), (int)draw, (double)change);
			}
			assert_true(change < MOST_CHANGE);
		}
	}
}

// ---- on the ground

// What is looked at: below this frequency, Hz, as captured motion is.
#define CUTOFF 6.0
// A filter knows too little this near to the ends, seconds.
#define MARGIN 0.25
// Half the breadth of a sole at heel, ball and tip of the toes, metres.
static const float s_halfBreadths[3] = {0.03f, 0.045f, 0.035f};
// How far outside of the soles the body may press, metres, and in which part of the frames that stand.
#define MOST_OUTSIDE 0.06f
#define MOST_FRAMES 0.05

/// Acts that press outside in more of their frames than that, and in how many at most. The dances are left as they are:
/// they go from foot to foot faster than a centre of mass could that is over a foot whenever it is slow, as promised.
/// What is outside in running jumps are the first and last three frames of stances between long flights, when the body
/// presses with less than a third of its weight.
static const struct
{
	rpAct act;
	double most;
} s_exceptions[] = {
	{rp_actBoxDance, 0.75},   {rp_actDance, 0.5},        {rp_actRunningJump, 0.12},
	{rp_actGuardPunch, 0.19}, {rp_actWalkStepOff, 0.27},
};

enum
{
	/// Points of the soles, at most: two at either side of heel, ball and toes of both feet.
	maxSolePoints = 12,
};

// Butterworth's low-pass of second order, once over a channel; from `first` on by `step`.
static void filterOnce(double* x, int count, bool backwards)
{
	double k = tan(RP_PI * CUTOFF / FPS), norm = 1.0 / (1.0 + sqrt(2.0) * k + k * k);
	double b = k * k * norm, a1 = 2.0 * (k * k - 1.0) * norm, a2 = (1.0 - sqrt(2.0) * k + k * k) * norm;
	int last = count - 1;
	double start = backwards ? x[last] : x[0], in1 = start, in2 = start, out1 = start, out2 = start;
	for (int i = 0; i < count; ++i)
	{
		double* at = x + (backwards ? last - i : i);
		double in = *at, out = b * (in + 2.0 * in1 + in2) - a1 * out1 - a2 * out2;
		in2 = in1;
		in1 = in;
		out2 = out1;
		out1 = out;
		*at = out;
	}
}

// The same forwards and backwards, without a shift in time.
static void filter(double* x, int count)
{
	filterOnce(x, count, false);
	filterOnce(x, count, true);
}

/// Force and moment about the centre of mass between the ground and the body, of every frame; newtons, metres.
typedef struct Load
{
	double *center[3], *momentum[3];
} Load;

static Load weigh(const Dynamics* d)
{
	Load load;
	int count = d->motion->frameCount;
	rpVec3* centers = calloc((size_t)count, sizeof(rpVec3));
	rpBody_GetCenters(&d->body, d->motion, centers);
	for (int k = 0; k < 3; ++k)
	{
		load.center[k] = calloc((size_t)count, sizeof(double));
		load.momentum[k] = calloc((size_t)count, sizeof(double));
		// The ends' line is taken away, so that the filter begins and ends at rest.
		double first = (double)(&centers[0].x)[k], slope = ((double)(&centers[count - 1].x)[k] - first) / (count - 1);
		for (int f = 0; f < count; ++f)
		{
			load.center[k][f] = (double)(&centers[f].x)[k] - first - slope * f;
			load.momentum[k][f] = (double)(&d->momenta[f < count - 1 ? f : f - 1].x)[k];
		}
		filter(load.center[k], count);
		filter(load.momentum[k], count - 1);
		for (int f = 0; f < count; ++f)
		{
			load.center[k][f] += first + slope * f;
		}
	}
	free(centers);
	return load;
}

static void unweigh(Load* load)
{
	for (int k = 0; k < 3; ++k)
	{
		free(load->center[k]);
		free(load->momentum[k]);
	}
}

// Where the body presses on the ground in a frame: the force through that point accelerates the centre of mass and
// changes the momentum about it.
static rpVec2 getPressure(const Dynamics* d, const Load* load, int f, double ground)
{
	double force[3], moment[3];
	for (int k = 0; k < 3; ++k)
	{
		const double* c = load->center[k];
		force[k] = (double)d->body.mass * ((c[f + 1] - 2.0 * c[f] + c[f - 1]) * FPS * FPS + (k == 1 ? GRAVITY : 0.0));
		// The momentum of f is that from f to f + 1.
		moment[k] = (load->momentum[k][f] - load->momentum[k][f - 1]) * FPS;
	}
	double height = load->center[1][f] - ground;
	return (rpVec2){(float)(load->center[0][f] + (moment[2] - height * force[0]) / force[1]),
					(float)(load->center[2][f] - (moment[0] + height * force[2]) / force[1])};
}

// Both sides of the sole at a point that touches the ground; returns the count.
static int addSole(const Dynamics* d, int f, rpEffector effector, rpVec2* points, int count)
{
	rpVec3 at, heel, toe;
	int side = rpEffector_GetFoot(effector), point = ((int)effector - rp_leftHeel) % 3;
	rpMotion_GetEffector(d->motion, f, effector, &at);
	rpMotion_GetEffector(d->motion, f, side == 0 ? rp_leftHeel : rp_rightHeel, &heel);
	rpMotion_GetEffector(d->motion, f, side == 0 ? rp_leftToe : rp_rightToe, &toe);
	rpVec3 ahead = rpSub(toe, heel);
	float scale = s_halfBreadths[point] / hypotf(ahead.x, ahead.z);
	points[count] = (rpVec2){at.x + scale * ahead.z, at.z - scale * ahead.x};
	points[count + 1] = (rpVec2){at.x - scale * ahead.z, at.z + scale * ahead.x};
	return count + 2;
}

// How far outside of the soles that bear it presses in a frame, metres; negative if no sole bears it, or other things
// do, too.
static float getOutside(const Dynamics* d, const Load* load, const rpInterval* contacts, int contactCount, int f)
{
	rpVec2 points[maxSolePoints];
	int count = 0;
	double ground = 0.0, t = f / FPS;
	for (int k = 0; k < contactCount; ++k)
	{
		const rpInterval* contact = contacts + k;
		if (t < contact->start || t > contact->end)
		{
			continue;
		}
		if (!rpInterval_IsFootContact(contact))
		{
			return -1.0f;
		}
		assert_true(count + 2 <= maxSolePoints);
		count = addSole(d, f, contact->effector, points, count);
		ground += 2.0 * (double)contact->supportHeight;
	}
	return count == 0 ? -1.0f : rpGetHullDistance(points, count, getPressure(d, load, f, ground / count));
}

/// How many frames stand, and how many of them press too far outside.
typedef struct Standing
{
	int frames, outside;
} Standing;

static void countOutside(const rpPerformDef* def, Standing* out)
{
	Dynamics d = open(def);
	Load load = weigh(&d);
	int count = rpMotion_GetIntervals(d.motion, rp_trackContact, NULL, 0);
	rpInterval* contacts = calloc((size_t)count + 1, sizeof(rpInterval));
	rpMotion_GetIntervals(d.motion, rp_trackContact, contacts, count);
	int margin = (int)(MARGIN * FPS);
	for (int f = margin; f + margin < d.motion->frameCount; ++f)
	{
		float outside = getOutside(&d, &load, contacts, count, f);
		out->frames += outside >= 0.0f;
		out->outside += outside > MOST_OUTSIDE;
	}
	free(contacts);
	unweigh(&load);
	close(&d);
}

static double getMost(rpAct act)
{
	double most = MOST_FRAMES;
	for (size_t i = 0; i < sizeof(s_exceptions) / sizeof(s_exceptions[0]); ++i)
	{
		most = s_exceptions[i].act == act ? s_exceptions[i].most : most;
	}
	return most;
}

static void holdPressure(rpAct act, const char* what, const Standing* standing, double most)
{
	double share = (double)standing->outside / fmax(standing->frames, 1.0);
	printf("%-15s %-8s presses outside in %.1f %% of %d frames\n", rpAct_GetName(act), what, 100.0 * share,
		   standing->frames);
	assert_true(share <= most);
}

static void testPressure(void** state)
{
	(void)state;
	for (int act = 0; act < rp_actCount; ++act)
	{
		Standing standing = {0, 0};
		for (uint64_t seed = 0; seed < 3; ++seed)
		{
			rpPerformDef def = rpDefaultPerformDef((rpAct)act);
			def.seed = seed;
			countOutside(&def, &standing);
		}
		holdPressure((rpAct)act, "", &standing, getMost((rpAct)act));
	}
}

// At the speeds that people go at; captured people walk at up to 1.6 m/s, and beyond the bar is a wider one.
static void testSpeeds(void** state)
{
	(void)state;
	static const struct
	{
		rpAct act;
		float speed;
		const char* name;
		double most;
	} cases[] = {
		{rp_actWalk, 0.8f, "0.8 m/s", MOST_FRAMES}, {rp_actWalk, 1.4f, "1.4 m/s", MOST_FRAMES},
		{rp_actWalk, 2.1f, "2.1 m/s", 0.09},        {rp_actRun, 2.5f, "2.5 m/s", MOST_FRAMES},
		{rp_actRun, 3.5f, "3.5 m/s", MOST_FRAMES},  {rp_actRun, 4.5f, "4.5 m/s", MOST_FRAMES},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i)
	{
		Standing standing = {0, 0};
		for (uint64_t seed = 0; seed < 3; ++seed)
		{
			rpPerformDef def = rpDefaultPerformDef(cases[i].act);
			def.seed = seed;
			def.parameters[rp_paramSpeed] = cases[i].speed;
			countOutside(&def, &standing);
		}
		holdPressure(cases[i].act, cases[i].name, &standing, cases[i].most);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testMomentum),
		cmocka_unit_test(testJumps),
		cmocka_unit_test(testPressure),
		cmocka_unit_test(testSpeeds),
	};
	return cmocka_run_group_tests_name("performer_laws", tests, NULL, NULL);
}
