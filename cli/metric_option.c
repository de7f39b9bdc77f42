#include "metric_option.h"

#include "clip.h"
#include "model_list.h"

#include <stdlib.h>
#include <string.h>

/// The metrics that Reprise brings along.
static const struct
{
	const char* name;
	rpMetricKind kind;
	rpAngleWeights weights;
} s_metrics[] = {
	{"cloud", rp_metricCloud, rp_weightsLee}, {"angle", rp_metricAngle, rp_weightsLee},
	{"lee", rp_metricAngle, rp_weightsLee},   {"wang", rp_metricAngle, rp_weightsWang},
	{"even", rp_metricAngle, rp_weightsEven},
};

bool cliIsOwnMetric(const char* name)
{
	for (size_t i = 0; i < sizeof(s_metrics) / sizeof(s_metrics[0]); ++i)
	{
		if (strcmp(name, s_metrics[i].name) == 0)
			return true;
	}
	return false;
}

static bool loadMetric(cliRun* run, const rpLibrary* library, const char* name, const rpSkeleton* skeleton,
					   cliMetric* out)
{
	rpMetricFit fit;
	rpError error = {0};
	if (!rpLibrary_LoadMetric(library, name, &fit, &error))
	{
		if (error.code == rp_errorMissing)
			cliHintAtModels(library, "metric", "fit one: reprise metric fit EXAMPLES.csv LIB --name NAME", &error);
		if (error.file[0] == 0)
			snprintf(error.file, sizeof error.file, "%s", run->libraryPath);
		return cliFailInput(run, &error);
	}
	out->jointWeights = cliAllocate((size_t)skeleton->jointCount * sizeof(float));
	out->evenWeights = cliAllocate((size_t)skeleton->jointCount * sizeof(float));
	rpMetricFit_GetDef(&fit, skeleton, out->jointWeights, &out->def);
	rpMetricFit_GetEvenDef(&fit, skeleton, out->evenWeights, &out->evenDef);
	rpMetricFit_Free(&fit);
	return true;
}

bool cliFindMetric(cliRun* run, const char* name, const rpSkeleton* skeleton, cliMetric* out)
{
	name = name != NULL ? name : "cloud";
	*out = (cliMetric){.def = rpDefaultMetricDef()};
	for (size_t i = 0; i < sizeof(s_metrics) / sizeof(s_metrics[0]); ++i)
	{
		if (strcmp(name, s_metrics[i].name) == 0)
		{
			out->def.kind = s_metrics[i].kind;
			out->def.weights = s_metrics[i].weights;
			out->name = cliCopyText(name);
			return true;
		}
	}
	const char* hash = strstr(name, ".reprise#");
	const char* model = hash != NULL ? hash + strlen(".reprise#") : name;
	char* path = hash != NULL ? cliFormat("%.*s", (int)(model - 1 - name), name) : NULL;
	const rpLibrary* library = path != NULL ? cliOpenLibrary(run, path, rp_openRead) : run->library;
	free(path);
	if (library == NULL && hash == NULL)
		return cliFailUsage(run, "those of a library are named LIB.reprise#NAME; reprise metric fit makes one",
							"there is no metric \"%s\"; there are cloud and angle, lee, wang, even", name);
	if (library == NULL || !loadMetric(run, library, model, skeleton, out))
		return false;
	out->name = cliCopyText(model);
	return true;
}

void cliFreeMetric(cliMetric* metric)
{
	free(metric->name);
	free(metric->jointWeights);
	free(metric->evenWeights);
	*metric = (cliMetric){0};
}
