/// Saving: the format by the path's ending, the file, then its sidecar, each whole or not at all.
#include "base/error.h"
#include "base/memory.h"
#include "file/bytes.h"
#include "file/writer.h"

#include <limits.h>
#include <string.h>
#include <strings.h>

rpReadDef rpDefaultReadDef(void)
{
	return (rpReadDef){.repair = true};
}

rpSaveDef rpDefaultSaveDef(void)
{
	return (rpSaveDef){.unitsPerMetre = 1.0, .mesh = true, .sidecar = true};
}

rpFormat rpFormat_FromPath(const char* path)
{
	static const struct
	{
		const char* ending;
		rpFormat format;
	} endings[] = {{".bvh", rp_formatBvh}, {".amc", rp_formatAmc}, {".glb", rp_formatGlb}, {".csv", rp_formatCsv}};
	const char* dot = strrchr(rpGetFileName(path), '.');
	for (size_t i = 0; dot != NULL && i < sizeof(endings) / sizeof(endings[0]); ++i)
	{
		if (strcasecmp(dot, endings[i].ending) == 0)
		{
			return endings[i].format;
		}
	}
	return rp_formatAuto;
}

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
	(void)count;
	switch (def->format)
	{
	case rp_formatBvh:
		return rpWriteBvh(motions[0], def, out, error);
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

bool rpSaveMotions(const rpMotion* const* motions, int count, const char* path, const rpSaveDef* def, rpError* error)
{
	rpSaveDef chosen = def != NULL ? *def : rpDefaultSaveDef();
	chosen.format = chosen.format != rp_formatAuto ? chosen.format : rpFormat_FromPath(path);
	rpText text = {0};
	bool done = writeText(motions, count, &chosen, &text, error) && rpReplaceFile(path, text.data, text.size, error);
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

void rpFreeBytes(void* bytes)
{
	rpFree(bytes);
}
