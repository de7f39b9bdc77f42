#include "metric_report.h"

#include <math.h>

static double findLargest(const rpMetricFit* fit)
{
	double largest = 0.0;
	for (int i = 0; i < fit->termCount; ++i)
	{
		if (fit->terms[i].kind == rp_fittedJoint)
			largest = fmax(largest, (double)fit->terms[i].weight);
	}
	return largest;
}

static const char* getUnit(rpFittedKind kind)
{
	return kind == rp_fittedHeight ? "1/m²" : kind == rp_fittedTravel ? "s²/m²" : "1/rad²";
}

static json_t* makeTerms(const rpMetricFit* fit)
{
	json_t* list = json_array();
	double largest = findLargest(fit);
	for (int i = 0; i < fit->termCount; ++i)
	{
		const rpMetricTerm* term = &fit->terms[i];
		json_t* item = json_pack("{s:o,s:o,s:s,s:b,s:b}", "name", cliMakeText(term->name), "weight",
								 cliMakeReal((double)term->weight), "unit", getUnit(term->kind), "determined",
								 term->isDetermined, "moving", term->isMoving);
		if (term->kind == rp_fittedJoint)
		{
			json_t* joints = json_array();
			for (int side = 0; side < 2 && term->joints[side][0] != 0; ++side)
				json_array_append_new(joints, cliMakeText(term->joints[side]));
			json_object_set_new(item, "joints", joints);
			json_object_set_new(item, "relative", cliMakeReal((double)term->weight / largest));
		}
		json_array_append_new(list, item);
	}
	return list;
}

json_t* cliMakeFit(const char* name, const rpMetricFit* fit)
{
	return json_pack("{s:o,s:o,s:o,s:o,s:i,s:i,s:o,s:o,s:o,s:i}", "name", cliMakeText(name), "weights", makeTerms(fit),
					 "fps", cliMakeReal(fit->fps), "velocity_weight_s2", cliMakeReal((double)fit->velocityWeight),
					 "good", fit->goodCount, "bad", fit->badCount, "residual_rms", cliMakeReal(fit->residual),
					 "good_mean", cliMakeReal(fit->goodMean), "bad_mean", cliMakeReal(fit->badMean), "misjudged",
					 fit->misjudgedCount);
}

static void addRow(cliTable* table, const rpMetricTerm* term, double largest)
{
	cliTable_Add(table, "%s", term->name);
	cliTable_Add(table, "%.4f", (double)term->weight);
	cliTable_Add(table, "%s", getUnit(term->kind));
	if (term->kind == rp_fittedJoint)
		cliTable_Add(table, "%.4f", (double)term->weight / largest);
	else
		cliTable_Add(table, "%s", "");
	cliTable_Add(table, "%s", term->isDetermined ? "" : term->isMoving ? "not determined" : "does not move");
}

void cliPrintFit(cliRun* run, const char* name, const rpMetricFit* fit)
{
	static const char* const headings[] = {"weight of", "weight", "", "relative", ""};
	cliTable table = {.columnCount = 5, .right = 2 | 8};
	if (run->json)
		return;
	cliAnswer(run, "%s: from %d good and %d bad examples, %d of them misjudged", name, fit->goodCount, fit->badCount,
			  fit->misjudgedCount);
	cliAnswer(run, "good ones %.3f on the mean (wanted 0), bad ones %.3f (wanted 1), root mean square error %.3f",
			  fit->goodMean, fit->badMean, fit->residual);
	for (int i = 0; i < 5; ++i)
		cliTable_Add(&table, "%s", headings[i]);
	double largest = findLargest(fit);
	for (int i = 0; i < fit->termCount; ++i)
		addRow(&table, &fit->terms[i], largest);
	cliTable_Print(&table, stdout, 0);
	cliAnswer(run, "velocities weigh %.6f s² of that (1/900 is 1 in radians per frame)", (double)fit->velocityWeight);
}
