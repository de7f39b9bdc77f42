/// Saving: the format by the path's ending, the file, then its sidecar, each whole or not at all.
#include "base/error.h"
#include "base/memory.h"
#include "file/bytes.h"
#include "file/sidecar.h"
#include "file/writer.h"

#include <limits.h>
#include <sys/stat.h>

static bool checkDef(const rpSaveDef* def, int count, rpError* error)
{
	if (!(def->unitsPerMetre > 0.0) || !isfinite(def->unitsPerMetre))
	{
		return rpFail(error, rp_errorArgument, "%g units per metre; the number must be positive", def->unitsPerMetre);
	}
	if (count < 1)
	{
		return rpFail(error, rp_errorArgument, "no motion to save");
	}
	if (count > 1 && def->format != rp_formatGlb)
	{
		rpFail(error, rp_errorArgument, "%d motions for one file; only GLB holds several", count);
		rpError_SetHint(error, "save each to a file of its own, or all to one .glb");
		return false;
	}
	return true;
}

static bool writeFormat(const rpMotion* const* motions, int count, const rpSaveDef* def, rpText* out, rpError* error)
{
	switch (def->format)
	{
	case rp_formatBvh:
		return rpWriteBvh(motions[0], def, out, error);
	case rp_formatGlb:
		return rpWriteGlb(motions, count, def, out, error);
	case rp_formatCsv:
		return rpWriteCsv(motions[0], def, out, error);
	case rp_formatAmc:
		rpFail(error, rp_errorArgument, "Acclaim motion (.amc) is read, never written");
		break;
	default:
		rpFail(error, rp_errorArgument, "no format to write is known by this ending");
		break;
	}
	rpError_SetHint(error, "use .bvh, .glb or .csv");
	return false;
}

// On failure the text is freed. A writer that ran out of memory may say so in the text alone.
static bool writeText(const rpMotion* const* motions, int count, const rpSaveDef* def, rpText* out, rpError* error)
{
	if (checkDef(def, count, error) && writeFormat(motions, count, def, out, error))
	{
		if (!out->failed)
		{
			return true;
		}
		rpFail(error, rp_errorMemory, "out of memory while writing the motion");
	}
	rpText_Free(out);
	return false;
}

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

// Both texts are ready before either file is touched. The motion comes first: an old sidecar beside a new motion is
// known by its hash and left alone.
static bool saveWithSidecar(const rpMotion* const* motions, int count, const char* path, const rpSaveDef* def,
							const rpText* text, rpError* error)
{
	char sidecarPath[PATH_MAX];
	if (!rpGetSidecarPath(path, sidecarPath, sizeof(sidecarPath)))
	{
		return rpFail(error, rp_errorArgument, "the path is too long");
	}
	char hash[33];
	rpHashBytes(text->data, text->size, hash);
	rpText sidecar = {0};
	bool done = checkSidecarPath(sidecarPath, error) &&
				rpWriteSidecar(motions, count, def, path, hash, &sidecar, error) &&
				rpReplaceFile(path, text->data, text->size, error) &&
				rpReplaceFile(sidecarPath, sidecar.data, sidecar.size, error);
	rpText_Free(&sidecar);
	return done;
}

bool rpSaveMotions(const rpMotion* const* motions, int count, const char* path, const rpSaveDef* def, rpError* error)
{
	rpSaveDef chosen = def != NULL ? *def : rpDefaultSaveDef();
	chosen.format = chosen.format != rp_formatAuto ? chosen.format : rpFormat_FromPath(path);
	rpText text = {0};
	bool done = writeText(motions, count, &chosen, &text, error);
	if (done && takesSidecar(path, &chosen))
	{
		done = saveWithSidecar(motions, count, path, &chosen, &text, error);
	}
	else if (done)
	{
		done = rpReplaceFile(path, text.data, text.size, error);
	}
	rpText_Free(&text);
	if (!done)
	{
		rpError_SetFile(error, path);
	}
	return done;
}

bool rpSaveMotion(const rpMotion* motion, const char* path, const rpSaveDef* def, rpError* error)
{
	return rpSaveMotions(&motion, 1, path, def, error);
}

bool rpWriteMotion(const rpMotion* motion, const rpSaveDef* def, void** bytes, size_t* size, rpError* error)
{
	rpSaveDef chosen = def != NULL ? *def : rpDefaultSaveDef();
	chosen.format = chosen.format != rp_formatAuto ? chosen.format : rp_formatBvh;
	rpText text = {0};
	*bytes = NULL;
	*size = 0;
	if (!writeText(&motion, 1, &chosen, &text, error))
	{
		return false;
	}
	*bytes = text.data;
	*size = text.size;
	return true;
}

bool rpSaveBytes(const char* path, const void* bytes, size_t size, rpError* error)
{
	return rpReplaceFile(path, bytes, size, error);
}
