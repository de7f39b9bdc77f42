/// Feet, legs, steps, hitches and jerk: what the motion shows, and what its references show at the same pace.
#include "judge/evidence.h"

// A foot in stance that is faster than this is seen to skate, m/s: common usage.
#define SKATE_SPEED 0.15

// Hitches are the changes of velocity that one frame in a thousand exceeds.
#define HITCH_SHARE 0.999

// Steps that are less regular than nine of ten are reported.
#define IRREGULAR_SHARE 0.9

typedef enum Statistic
{
	shareAbove,
	quantile,
	mean,
	/// The median, of references at the paces of the motion.
	medianAtPace,
} Statistic;

static const struct Figure
{
	rpMeasure measure;
	rpEvidenceKind kind;
	Statistic statistic;
	double parameter, scale;
} s_figures[] = {
	{rp_measureSkateRatio, rp_evidenceSpeed, shareAbove, SKATE_SPEED, 1.0},
	{rp_measurePushoff, rp_evidencePushoff, shareAbove, SKATE_SPEED, 1.0},
	{rp_measureStanceSpeed, rp_evidenceSpeed, quantile, 0.95, 1.0},
	{rp_measureSlideMean, rp_evidenceSlide, mean, 0.0, 1e3},
	{rp_measureSlideMedian, rp_evidenceSlide, quantile, 0.5, 1e3},
	{rp_measureSlideHigh, rp_evidenceSlide, quantile, 0.95, 1e3},
	{rp_measureSlideMax, rp_evidenceSlide, quantile, 1.0, 1e3},
	{rp_measureFloor, rp_evidenceLow, quantile, 0.5, 1e3},
	{rp_measureFloat, rp_evidenceLift, mean, 0.0, 1e3},
	{rp_measureStepTime, rp_evidenceStepTime, medianAtPace, 0.5, 1.0},
	{rp_measureStepLength, rp_evidenceStepLength, medianAtPace, 0.5, 1.0},
	{rp_measureIrregularity, rp_evidenceStepRatio, quantile, IRREGULAR_SHARE, 1.0},
	{rp_measureDuty, rp_evidenceDuty, medianAtPace, 0.5, 1.0},
	{rp_measureKnee, rp_evidenceKnee, medianAtPace, 0.5, 1.0},
	{rp_measureFlexion, rp_evidenceFlexion, mean, 0.0, 1.0},
	{rp_measureJitter, rp_evidenceJerk, mean, 0.0, 0.01},
};

static double compute(const struct Figure* figure, rpSamples* samples)
{
	switch (figure->statistic)
	{
	case shareAbove:
		return figure->scale * rpSamples_GetShareAbove(samples, figure->parameter);
	case mean:
		return figure->scale * rpSamples_GetMean(samples);
	default:
		return figure->scale * rpSamples_GetQuantile(samples, figure->parameter);
	}
}

// Whether the moment of the greatest sample is where the figure is worst.
static bool hasMoment(rpEvidenceKind kind)
{
	return kind == rp_evidenceSlide || kind == rp_evidenceSpeed || kind == rp_evidencePushoff ||
		   kind == rp_evidenceLow || kind == rp_evidenceLift || kind == rp_evidenceJerk;
}

static bool putFigures(rpEvidence* own, rpEvidence* others, rpMeasures* out, rpError* error)
{
	bool done = true;
	int count = sizeof s_figures / sizeof s_figures[0];
	// References first: they are looked up by the paces of the motion, which are lost when its samples are sorted.
	for (int i = 0; i < count && done; ++i)
	{
		const struct Figure* figure = &s_figures[i];
		rpSamples *mine = &own->kinds[figure->kind], *theirs = &others->kinds[figure->kind];
		double* standard = &out->standards[figure->measure];
		if (figure->statistic == medianAtPace)
		{
			done = rpGetMedianAtPace(theirs, mine, standard, error);
			*standard *= figure->scale;
		}
		else
		{
			*standard = compute(figure, theirs);
		}
		out->times[figure->measure] = hasMoment(figure->kind) ? rpSamples_GetWorstKey(mine) : (double)NAN;
	}
	for (int i = 0; i < count && done; ++i)
	{
		out->values[s_figures[i].measure] = compute(&s_figures[i], &own->kinds[s_figures[i].kind]);
	}
	return done;
}

// The joint that is worst against the references, or hitches most where there are none.
static void putHitch(rpEvidence* own, rpEvidence* others, rpMeasures* out)
{
	double worst = -1.0;
	for (int role = 0; role < rp_roleCount; ++role)
	{
		double moment = rpSamples_GetWorstKey(&own->changes[role]);
		double mine = rpSamples_GetQuantile(&own->changes[role], HITCH_SHARE);
		double theirs = rpSamples_GetQuantile(&others->changes[role], HITCH_SHARE);
		double against = isnan(theirs) ? mine : mine / fmax(theirs, 1e-9);
		if (against > worst)
		{
			worst = against;
			out->values[rp_measureHitch] = mine;
			out->standards[rp_measureHitch] = theirs;
			out->times[rp_measureHitch] = moment;
			out->hitchRole = (rpRole)role;
		}
	}
}

static void putJump(rpEvidence* own, rpEvidence* others, rpMeasures* out)
{
	rpSamples *mine = &own->changes[rp_rolePelvis], *theirs = &others->changes[rp_rolePelvis];
	out->times[rp_measureHipJump] = rpSamples_GetWorstKey(mine);
	out->values[rp_measureHipJump] = rpSamples_GetQuantile(mine, 1.0);
	out->standards[rp_measureHipJump] = rpSamples_GetQuantile(theirs, 1.0);
}

bool rpMeasureEvidence(rpEvidence* own, rpEvidence* others, rpMeasures* out, rpError* error)
{
	out->stanceCount = own->kinds[rp_evidenceSlide].count;
	out->stepCount = own->kinds[rp_evidenceStepTime].count;
	if (!putFigures(own, others, out, error))
	{
		return false;
	}
	double standard = out->standards[rp_measureJitter];
	out->values[rp_measureJerk] = standard > 0.0 ? out->values[rp_measureJitter] / standard : (double)NAN;
	putJump(own, others, out);
	putHitch(own, others, out);
	return true;
}

bool rpMeasureGait(const rpFilm* film, const rpFootfalls* falls, const rpEvaluateDef* def, rpMeasures* out,
				   rpError* error)
{
	rpEvidence own = {0}, others = {0};
	bool done = rpEvidence_Add(&own, film, falls, error);
	for (int i = 0; i < def->referenceCount && done; ++i)
	{
		done = rpEvidence_AddMotion(&others, def->references[i], error);
	}
	done = done && rpMeasureEvidence(&own, &others, out, error);
	rpEvidence_Free(&own);
	rpEvidence_Free(&others);
	return done;
}
