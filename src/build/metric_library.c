/// Fitted metrics in a library.
#include "reprise/metric_library.h"
#include "base/error.h"
#include "base/memory.h"
#include "build/model_kind.h"
#include "reprise/play/bundle.h"

#include <math.h>
#include <string.h>

/// FITM: what is not a term's.
typedef struct FitRecord
{
	double fps, velocityWeight;
	double residual, goodMean, badMean;
	int32_t goodCount, badCount, misjudgedCount, unused;
} FitRecord;

/// FITT: a term.
typedef struct TermRecord
{
	char name[64], joints[2][64];
	int32_t kind, roles[2], flags;
	float weight;
} TermRecord;

_Static_assert(sizeof(FitRecord) == 56 && sizeof(TermRecord) == 212, "the layout of the model");

enum
{
	flagDetermined = 1,
	flagMoving = 2,
	allFlags = flagDetermined | flagMoving,
};

// Frames per second, as of any metric; and weights beyond all that were fitted: bad joins come to a distance of about
// 1, and no two frames are nearer than 1e-4 rad by noise alone.
#define FASTEST 1000.0
#define GREATEST_WEIGHT 1e9

static void packTerm(const rpMetricTerm* term, TermRecord* out)
{
	memset(out, 0, sizeof(*out));
	memcpy(out->name, term->name, sizeof(out->name));
	memcpy(out->joints, term->joints, sizeof(out->joints));
	out->kind = (int32_t)term->kind;
	out->roles[0] = (int32_t)term->roles[0];
	out->roles[1] = (int32_t)term->roles[1];
	out->flags = (term->isDetermined ? flagDetermined : 0) | (term->isMoving ? flagMoving : 0);
	out->weight = term->weight;
}

static bool store(const rpLibrary* library, const void* model, rpBundleWriter* writer, rpError* error)
{
	(void)library;
	const rpMetricFit* fit = model;
	FitRecord record = {.fps = fit->fps,
						.velocityWeight = (double)fit->velocityWeight,
						.residual = fit->residual,
						.goodMean = fit->goodMean,
						.badMean = fit->badMean,
						.goodCount = fit->goodCount,
						.badCount = fit->badCount,
						.misjudgedCount = fit->misjudgedCount};
	TermRecord* terms = rpAllocate((size_t)fit->termCount, sizeof(TermRecord), error);
	for (int i = 0; terms != NULL && i < fit->termCount; ++i)
	{
		packTerm(&fit->terms[i], &terms[i]);
	}
	bool done = terms != NULL && rpBundleWriter_Add(writer, "FITM", &record, 1, sizeof(record), error) &&
				rpBundleWriter_Add(writer, "FITT", terms, fit->termCount, sizeof(TermRecord), error);
	rpFree(terms);
	return done;
}

static bool isText(const char* text, size_t size)
{
	return memchr(text, 0, size) != NULL;
}

// Not a number is none.
static bool isWeight(double weight)
{
	return weight >= 0.0 && weight <= GREATEST_WEIGHT;
}

static bool isRole(int32_t role)
{
	return role >= 0 && role < rp_roleCount;
}

static bool unpackTerm(const TermRecord* term, rpMetricTerm* out)
{
	if (!isText(term->name, sizeof(term->name)) || !isText(term->joints[0], sizeof(term->joints[0])) ||
		!isText(term->joints[1], sizeof(term->joints[1])) || term->name[0] == 0 || term->kind < 0 ||
		term->kind >= rp_fittedKindCount || !isRole(term->roles[0]) || !isRole(term->roles[1]) ||
		!isWeight((double)term->weight) || (term->flags & ~allFlags) != 0)
	{
		return false;
	}
	*out = (rpMetricTerm){.kind = (rpFittedKind)term->kind,
						  .roles = {(rpRole)term->roles[0], (rpRole)term->roles[1]},
						  .weight = term->weight,
						  .isDetermined = (term->flags & flagDetermined) != 0,
						  .isMoving = (term->flags & flagMoving) != 0};
	memcpy(out->name, term->name, sizeof(out->name));
	memcpy(out->joints, term->joints, sizeof(out->joints));
	return true;
}

static bool unpackFit(const FitRecord* record, rpMetricFit* out)
{
	out->fps = record->fps;
	out->velocityWeight = (float)record->velocityWeight;
	out->residual = record->residual;
	out->goodMean = record->goodMean;
	out->badMean = record->badMean;
	out->goodCount = record->goodCount;
	out->badCount = record->badCount;
	out->misjudgedCount = record->misjudgedCount;
	return out->fps > 0.0 && out->fps <= FASTEST && isWeight(record->velocityWeight) && isfinite(out->residual) &&
		   out->residual >= 0.0 && isfinite(out->goodMean) && isfinite(out->badMean) && out->goodCount >= 0 &&
		   out->badCount >= 0 && out->misjudgedCount >= 0 &&
		   out->misjudgedCount <= (int64_t)out->goodCount + out->badCount;
}

static bool readFit(const rpBundle* bundle, const char* name, rpMetricFit* out, rpError* error)
{
	int fitCount = 0, termCount = 0;
	const FitRecord* record = rpBundle_GetChunk(bundle, "FITM", sizeof(FitRecord), &fitCount, error);
	const TermRecord* terms =
		record != NULL ? rpBundle_GetChunk(bundle, "FITT", sizeof(TermRecord), &termCount, error) : NULL;
	if (terms == NULL)
	{
		return false;
	}
	out->terms = rpAllocate((size_t)termCount, sizeof(rpMetricTerm), error);
	if (out->terms == NULL)
	{
		return false;
	}
	bool isSound = fitCount == 1 && unpackFit(record, out);
	for (int i = 0; i < termCount && isSound; ++i)
	{
		isSound = unpackTerm(&terms[i], &out->terms[i]);
		out->termCount = i + 1;
	}
	if (!isSound)
	{
		rpFail(error, rp_errorFormat, "the metric \"%.150s\" in the library is damaged", name);
		rpError_SetHint(error, "fit it anew: reprise metric fit LIB --name NAME");
	}
	return isSound;
}

// ---- its row in the table of kinds

static void destroy(void* model)
{
	rpMetricFit_Free(model);
	rpFree(model);
}

static void* load(const rpLibrary* library, const rpBundle* bundle, const char* name, rpError* error)
{
	(void)library;
	rpMetricFit* fit = rpAllocateZero(1, sizeof(rpMetricFit), error);
	if (fit != NULL && !readFit(bundle, name, fit, error))
	{
		destroy(fit);
		fit = NULL;
	}
	return fit;
}

static int count(const void* model, rpModelCount* out)
{
	out[0] = (rpModelCount){"terms", "terms", ((const rpMetricFit*)model)->termCount};
	return 1;
}

const rpModelKind rpMetricModelKind = {
	.info = {"metric", "a fitted metric", "metric fit", false},
	.chunk = "FITM",
	.version = 1,
	.store = store,
	.load = load,
	.destroy = destroy,
	.count = count,
};

bool rpLibrary_PutMetric(rpLibrary* library, const char* name, const rpMetricFit* fit, rpError* error)
{
	return rpModelKind_Put(&rpMetricModelKind, library, name, fit, error);
}

bool rpLibrary_LoadMetric(const rpLibrary* library, const char* name, rpMetricFit* out, rpError* error)
{
	rpMetricFit* fit = rpModelKind_Load(&rpMetricModelKind, library, name, error);
	*out = fit != NULL ? *fit : (rpMetricFit){0};
	rpFree(fit);
	return fit != NULL;
}
