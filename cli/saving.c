#include "saving.h"

#include "progress_bar.h"

#include <stdlib.h>
#include <string.h>

static double getUnitsPerMetre(const char* unit)
{
	static const struct
	{
		const char* name;
		double perMetre;
	} units[] = {{"m", 1.0}, {"cm", 100.0}, {"mm", 1000.0}, {"in", 1.0 / 0.0254}};
	for (size_t i = 0; unit != NULL && i < sizeof(units) / sizeof(units[0]); ++i)
	{
		if (strcmp(unit, units[i].name) == 0)
			return units[i].perMetre;
	}
	return 1.0;
}

bool cliGetSaving(cliRun* run, const char* path, rpSaveDef* out)
{
	const char *unit = cliGet(run, "unit"), *loop = cliGet(run, "loop");
	*out = rpDefaultSaveDef();
	out->format = rpFormat_FromPath(path);
	out->mesh = !cliHas(run, "no-mesh");
	out->rootBone = !cliHas(run, "no-root");
	out->loop = loop == NULL ? rp_loopAuto : strcmp(loop, "yes") == 0 ? rp_loopYes : rp_loopNo;
	out->rotations = cliHas(run, "rotations");
	out->sidecar = !cliHas(run, "no-sidecar");
	out->unitsPerMetre = getUnitsPerMetre(unit);
	if (unit != NULL && out->format == rp_formatGlb && strcmp(unit, "m") != 0)
		return cliFailUsage(run, "leave --unit out", "GLB files are always in metres");
	if (out->rotations && out->format != rp_formatCsv)
		return cliFailUsage(run, "leave --rotations out", "--rotations is for CSV files only: others always have them");
	if (loop != NULL && out->format != rp_formatGlb)
		return cliFailUsage(run, "leave --loop out", "--loop is for GLB files only");
	return true;
}

// The lowest rate that motions are made at, frames per second.
#define MIN_FPS 1.0

bool cliGetRate(cliRun* run, double* out)
{
	return cliGetNumberIn(run, "fps", MIN_FPS, RP_MAX_FPS, "captures have 30 to some hundred", out);
}

bool cliGetDuration(cliRun* run, double* out)
{
	return cliGetNumberIn(run, "seconds", 0.1, CLI_MAX_SECONDS, "make several motions, of ten hours at most each", out);
}

bool cliSave(cliRun* run, const rpMotion* const* motions, int count, const char* path, const rpSaveDef* def)
{
	if (cliGetInterruption() != 0)
		return cliFail(run, cli_exitInterrupted, &(rpError){0});
	// Now all inputs are known.
	if (!cliCheckOutput(run, path))
		return false;
	rpSaveDef own = *def;
	rpError error = {0};
	char* parameters = cliFormatParameters(run);
	own.parameters = parameters;
	bool done =
		count == 1 ? rpSaveMotion(motions[0], path, &own, &error) : rpSaveMotions(motions, count, path, &own, &error);
	free(parameters);
	return done || cliFailWork(run, &error);
}

// ---- frame by frame

bool cliStartStream(cliRun* run, const char* path, const rpSaveDef* def, cliStream* out)
{
	*out = (cliStream){.path = path, .def = *def};
	if (!cliCheckOutput(run, path))
		return false;
	out->parameters = cliFormatParameters(run);
	out->def.parameters = out->parameters;
	return true;
}

bool cliAddFrame(void* context, const rpMotion* motion, int frame, const rpPose* pose, rpError* error)
{
	cliStream* stream = context;
	if (frame == 0)
		stream->writer = rpOpenMotionWriter(motion, stream->path, &stream->def, error);
	return stream->writer != NULL && rpMotionWriter_Add(stream->writer, pose, error);
}

bool cliFinishStream(cliRun* run, cliStream* stream, const rpMotion* motion)
{
	rpError error = {0};
	cliNoteInputs(run, motion);
	if (cliGetInterruption() != 0)
		return cliFail(run, cli_exitInterrupted, &error);
	return rpMotionWriter_Finish(stream->writer, &error) || cliFailWork(run, &error);
}

void cliFreeStream(cliStream* stream)
{
	rpDestroyMotionWriter(stream->writer);
	free(stream->parameters);
	*stream = (cliStream){0};
}

json_t* cliMakeOutput(const char* path, const rpMotion* motion)
{
	json_t* result = json_object();
	json_object_set_new(result, "file", cliMakeText(path));
	json_object_set_new(result, "frames", json_integer(motion->frameCount));
	json_object_set_new(result, "fps", cliMakeReal(motion->fps));
	json_object_set_new(result, "seconds", cliMakeReal(rpMotion_GetDuration(motion)));
	return result;
}

void cliPrintOutput(cliRun* run, const char* path, const rpMotion* motion)
{
	cliPrint(run, "%s: %.2f s, %d frame%s at %g fps", path, rpMotion_GetDuration(motion), motion->frameCount,
			 cliPlural(motion->frameCount), motion->fps);
}

bool cliWriteText(cliRun* run, const char* path, const char* text)
{
	rpError error = {0};
	return cliCheckOutput(run, path) && (rpSaveBytes(path, text, strlen(text), &error) || cliFailWork(run, &error));
}
