/// Saving frame by frame: the format by the path's ending, the file, then its sidecar, each whole or not at all.
#include "file/motion_writer.h"
#include "base/error.h"

#include <sys/stat.h>

// What lies at the sidecar's path may be something of the user's own.
static bool checkSidecarPath(const char* path, rpError* error)
{
	struct stat status;
	if (stat(path, &status) != 0)
	{
		return true;
	}
	rpBytes old;
	if (!S_ISREG(status.st_mode) || !rpOpenBytes(path, &old, error))
	{
		return rpFail(error, rp_errorFile, "something else stands where the sidecar belongs");
	}
	bool ours = rpIsSidecar(old.data, old.size);
	rpCloseBytes(&old);
	if (!ours)
	{
		rpFail(error, rp_errorFile, "a file that is no sidecar of Reprise stands where the sidecar belongs");
		rpError_SetHint(error, "choose another name, move that file away, or save without a sidecar");
		rpError_SetFile(error, path);
	}
	return ours;
}

// A pipe or a device takes the motion alone.
static bool takesSidecar(const char* path, const rpSaveDef* def)
{
	struct stat status;
	return def->sidecar && (stat(path, &status) != 0 || S_ISREG(status.st_mode));
}

// ---- opening

static bool getSidecarPath(rpMotionWriter* writer, rpError* error)
{
	return rpGetSidecarPath(writer->path, writer->sidecarPath, sizeof(writer->sidecarPath)) ||
		   rpFail(error, rp_errorArgument, "the path is too long");
}

// What would be found out at the end only, after long work: parameters, and a sidecar's place that is taken.
static bool checkSidecar(rpMotionWriter* writer, rpError* error)
{
	writer->hasSidecar = takesSidecar(writer->path, &writer->frames->def);
	return !writer->hasSidecar || (getSidecarPath(writer, error) && checkSidecarPath(writer->sidecarPath, error) &&
								   rpCheckParameters(writer->frames->def.parameters, error));
}

static bool openWriter(rpMotionWriter* writer, const char* path, const rpSaveDef* def, rpError* error)
{
	rpSaveDef chosen = def != NULL ? *def : rpDefaultSaveDef();
	chosen.format = chosen.format != rp_formatAuto ? chosen.format : rpFormat_FromPath(path);
	writer->output.file = -1;
	writer->path = rpCopyString(path, error);
	writer->frames =
		writer->path != NULL ? rpCreateFrameWriter(&chosen, &writer->output.text, &writer->output, error) : NULL;
	return writer->frames != NULL && checkSidecar(writer, error) && rpOutput_Open(&writer->output, path, error);
}

rpMotionWriter* rpCreateMotionWriter(const char* path, const rpSaveDef* def, rpError* error)
{
	rpMotionWriter* writer = rpAllocateZero(1, sizeof(rpMotionWriter), error);
	if (writer != NULL && !openWriter(writer, path, def, error))
	{
		rpDestroyMotionWriter(writer);
		writer = NULL;
	}
	if (writer == NULL)
	{
		rpError_SetFile(error, path);
	}
	return writer;
}

rpMotionWriter* rpOpenMotionWriter(const rpMotion* motion, const char* path, const rpSaveDef* def, rpError* error)
{
	rpMotionWriter* writer = rpCreateMotionWriter(path, def, error);
	if (writer != NULL && !rpFrameWriter_Begin(writer->frames, motion, error))
	{
		rpError_SetFile(error, path);
		rpDestroyMotionWriter(writer);
		writer = NULL;
	}
	return writer;
}

void rpDestroyMotionWriter(rpMotionWriter* writer)
{
	if (writer != NULL)
	{
		rpDestroyFrameWriter(writer->frames);
		rpOutput_Discard(&writer->output);
		rpFree(writer->path);
		rpFree(writer);
	}
}

// ---- writing

bool rpMotionWriter_Add(rpMotionWriter* writer, const rpPose* pose, rpError* error)
{
	bool done = rpFrameWriter_Add(writer->frames, pose, error);
	if (!done)
	{
		rpError_SetFile(error, writer->path);
	}
	return done;
}

// Both files are whole before either is put in its place. The motion comes first: an old sidecar beside a new motion is
// known by its hash and left alone.
static bool commitBoth(rpMotionWriter* writer, const rpMotion* const* motions, int count, const char* hash,
					   rpError* error)
{
	rpOutput sidecar;
	char ownHash[33];
	if (!checkSidecarPath(writer->sidecarPath, error) || !rpOutput_Open(&sidecar, writer->sidecarPath, error))
	{
		return false;
	}
	bool done = (rpWriteSidecar(motions, count, &writer->frames->def, writer->path, hash, &sidecar.text, error) ||
				 (sidecar.reason != 0 && rpOutput_Fail(&sidecar, error))) &&
				rpOutput_Complete(&sidecar, ownHash, error) && rpOutput_Commit(&writer->output, error) &&
				rpOutput_Commit(&sidecar, error);
	rpOutput_Discard(&sidecar);
	return done;
}

bool rpMotionWriter_Commit(rpMotionWriter* writer, const rpMotion* const* motions, int count, rpError* error)
{
	char hash[33];
	bool done = rpOutput_Complete(&writer->output, hash, error) &&
				(writer->hasSidecar ? commitBoth(writer, motions, count, hash, error)
									: rpOutput_Commit(&writer->output, error));
	if (!done)
	{
		rpError_SetFile(error, writer->path);
	}
	return done;
}

bool rpMotionWriter_Finish(rpMotionWriter* writer, rpError* error)
{
	const rpMotion* motion = writer->frames->motion;
	if (!rpFrameWriter_End(writer->frames, error) || !rpFrameWriter_Finish(writer->frames, error))
	{
		rpError_SetFile(error, writer->path);
		return false;
	}
	return rpMotionWriter_Commit(writer, &motion, 1, error);
}
