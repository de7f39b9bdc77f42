/// Whole motions to files and to memory.
#include "base/error.h"
#include "file/motion_writer.h"

bool rpSaveMotions(const rpMotion* const* motions, int count, const char* path, const rpSaveDef* def, rpError* error)
{
	rpMotionWriter* writer = rpCreateMotionWriter(path, def, error);
	bool done = writer != NULL && rpFrameWriter_WriteAll(writer->frames, motions, count, error) &&
				rpMotionWriter_Commit(writer, motions, count, error);
	rpDestroyMotionWriter(writer);
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
	bool done = rpWriteMotions(&motion, 1, &chosen, &text, error);
	*bytes = text.data;
	*size = text.size;
	return done;
}

bool rpSaveBytes(const char* path, const void* bytes, size_t size, rpError* error)
{
	return rpReplaceFile(path, bytes, size, error);
}
