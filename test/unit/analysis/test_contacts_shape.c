/// Shapes of arrivals judged for many times at once, against the normal equations of each time; quantiles against
/// sorting.
#include "analysis/foot_track.h"
#include "analysis/touch_shape.h"
#include "math/order.h"
#include "support.h"

#include <stdlib.h>

enum
{
	frameCount = 60,
};

static rpTouchFit drawFit(rpRandom* random, rpVec3* places, rpTouches* at)
{
	rpTouchFit fit = {.places = places, .fps = 60.0 * (1.0 + (double)rpRandom_Range(random, 0.0f, 3.0f))};
	at->start = (double)rpRandom_Range(random, 10.0f, 25.0f) / fit.fps;
	at->end = (double)rpRandom_Range(random, 30.0f, 50.0f) / fit.fps;
	for (int i = 0; i < frameCount; ++i)
	{
		float before = fmaxf((float)(at->start - i / fit.fps), 0.0f),
			  after = fmaxf((float)(i / fit.fps - at->end), 0.0f);
		rpVec3 noise = {rpRandom_Normal(random), rpRandom_Normal(random), rpRandom_Normal(random)};
		rpVec3 displacement = {2.0f * before - after, before * before + 4.0f * after * after, 0.3f * before};
		places[i] = rpMulAdd(displacement, 0.001f, noise);
	}
	fit.origin = places[frameCount / 2];
	fit.first = (int)rpRandom_Range(random, 0.0f, 9.0f);
	fit.last = (int)rpRandom_Range(random, 51.0f, 59.9f);
	for (int group = 0; group < rp_touchGroupCount; ++group)
	{
		fit.startSoftness[group] = (double)rpRandom_Range(random, 0.01f, 0.3f);
		fit.endSoftness[group] = (double)rpRandom_Range(random, 0.01f, 0.3f);
	}
	return fit;
}

static void compareTimes(rpTouchFit fit, rpTouches at, bool isStart)
{
	rpTouchOthers others[] = {rpTouchFit_LookAtOthers(&fit, rp_touchUp, &at, isStart),
							  rpTouchFit_LookAtOthers(&fit, rp_touchAlong, &at, isStart)};
	double* softness = isStart ? fit.startSoftness : fit.endSoftness;
	softness[rp_touchAlong] = softness[rp_touchUp];
	rpTouchTimes times = {.from = 3, .to = rp_touchTimeCount - 2};
	for (int i = 0; i < rp_touchTimeCount; ++i)
	{
		times.times[i] = (isStart ? at.start : at.end) + (i - rp_touchTimeCount / 2) * 0.08 / fit.fps;
	}
	double up[rp_touchTimeCount], along[rp_touchTimeCount];
	rpTouchFit_JudgeTimes(&fit, others, isStart, &times, up, along);
	for (int i = times.from; i < times.to; ++i)
	{
		*(isStart ? &at.start : &at.end) = times.times[i];
		double directUp = rpTouchFit_Judge(&fit, rp_touchUp, &at);
		assert_true(fabs(up[i] - directUp) <= 1e-9 * directUp + 1e-15);
		if (!fit.minJerk)
		{
			double direct = rpTouchFit_Judge(&fit, rp_touchAlong, &at);
			assert_true(fabs(along[i] - direct) <= 1e-9 * direct + 1e-15);
		}
	}
}

static void timesAreJudgedAtOnce(void** state)
{
	(void)state;
	rpRandom random = rpSeedRandom(7);
	for (int round = 0; round < 200; ++round)
	{
		rpVec3 places[frameCount];
		rpTouches at;
		rpTouchFit fit = drawFit(&random, places, &at);
		fit.hasStart = true;
		compareTimes(fit, at, true);
		fit.minJerk = fit.rolls = true;
		fit.rollStart = at.start - (double)rpRandom_Range(&random, 0.0f, 0.1f);
		compareTimes(fit, at, true);
		fit.hasEnd = true;
		compareTimes(fit, at, false);
		fit.minJerk = fit.rolls = false;
		compareTimes(fit, at, true);
		compareTimes(fit, at, false);
		fit.hasStart = false;
		compareTimes(fit, at, false);
	}
}

static void quantilesAreSelected(void** state)
{
	(void)state;
	rpRandom random = rpSeedRandom(8);
	for (int round = 0; round < 2000; ++round)
	{
		float values[100], sorted[100];
		int count = 1 + (int)rpRandom_Range(&random, 0.0f, 99.9f);
		double part = (double)rpRandom_Range(&random, 0.0f, 1.0f);
		for (int i = 0; i < count; ++i)
		{
			// Many are equal.
			values[i] = sorted[i] = floorf(rpRandom_Range(&random, -20.0f, 20.0f));
		}
		qsort(sorted, (size_t)count, sizeof(float), rpCompareFloats);
		assert_float_equal(rpTakeQuantile(values, count, part), sorted[(int)(part * (count - 1))], 0.0f);
	}
	assert_float_equal(rpTakeQuantile(NULL, 0, 0.5), 0.0f, 0.0f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(timesAreJudgedAtOnce),
		cmocka_unit_test(quantilesAreSelected),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
