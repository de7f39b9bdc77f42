/// What is allowed: by the references where there are any, else by what captures show.
#include "reprise/evaluate.h"

/// How a measure is held against that of the references.
typedef enum Rule
{
	/// At most `tolerance` times as much.
	ruleTimes,
	/// No further away than `tolerance`, or that share of it.
	ruleWithin,
	ruleShare,
} Rule;

/// The rules are those of ../shared/judge/README.md. A reference may be cleaner than any capture (performed, or
/// cleaned): `clean` is allowed in any case, what the cleanest twentieth of the captures with six stances or more show.
/// `min` is what is allowed without a reference. Both from docs/measures.md, "What captured motion shows".
static const struct
{
	rpMeasure measure;
	Rule rule;
	double tolerance, clean, min;
} s_rules[] = {
	{rp_measureSkateRatio, ruleTimes, 1.0, 0.015, -INFINITY}, {rp_measurePushoff, ruleTimes, 1.0, 0.04, -INFINITY},
	{rp_measureStanceSpeed, ruleTimes, 1.0, 0.1, -INFINITY},  {rp_measureSlideMean, ruleTimes, 1.0, 14.0, -INFINITY},
	{rp_measureSlideMedian, ruleTimes, 1.0, 12.0, -INFINITY}, {rp_measureSlideHigh, ruleTimes, 1.0, 25.0, -INFINITY},
	{rp_measureFloor, ruleWithin, 10.0, 0.0, -8.0},           {rp_measureStepTime, ruleShare, 0.1, 0.0, -INFINITY},
	{rp_measureStepLength, ruleShare, 0.1, 0.0, -INFINITY},   {rp_measureIrregularity, ruleTimes, 1.5, 0.05, -INFINITY},
	{rp_measureDuty, ruleWithin, 0.05, 0.0, -INFINITY},       {rp_measureKnee, ruleWithin, 3.0, 0.0, -INFINITY},
	{rp_measureHitch, ruleTimes, 1.2, 0.8, -INFINITY},        {rp_measureJitter, ruleShare, 0.2, 0.0, -INFINITY},
};

void rpMeasures_GetRange(const rpMeasures* measures, rpMeasure measure, double* min, double* max)
{
	double standard = measures->standards[measure];
	*min = -INFINITY;
	*max = rpMeasure_GetDefaultLimit(measure);
	int i = 0, count = sizeof s_rules / sizeof s_rules[0];
	while (i < count && s_rules[i].measure != measure)
	{
		++i;
	}
	if (i == count || isnan(standard))
	{
		*min = i < count ? s_rules[i].min : *min;
		return;
	}
	double tolerance = s_rules[i].tolerance, reach = tolerance * (s_rules[i].rule == ruleShare ? fabs(standard) : 1.0);
	*min = s_rules[i].rule == ruleTimes ? -INFINITY : standard - reach;
	*max = s_rules[i].rule == ruleTimes ? fmax(tolerance * standard, s_rules[i].clean) : standard + reach;
}
