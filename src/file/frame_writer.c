/// What the writers of all formats share: motions come frame by frame, as many as were announced.
#include "base/error.h"
#include "file/writer.h"

static const rpWriterKind* findKind(rpFormat format, rpError* error)
{
	switch (format)
	{
	case rp_formatBvh:
		return &rpBvhWriterKind;
	case rp_formatGlb:
		return &rpGlbWriterKind;
	case rp_formatCsv:
		return &rpCsvWriterKind;
	case rp_formatAmc:
		rpFail(error, rp_errorArgument, "Acclaim motion (.amc) is read, never written");
		break;
	default:
		rpFail(error, rp_errorArgument, "no format to write is known by this ending");
		break;
	}
	rpError_SetHint(error, "use .bvh, .glb or .csv");
	return NULL;
}

rpFrameWriter* rpCreateFrameWriter(const rpSaveDef* def, rpText* out, const rpOutput* output, rpError* error)
{
	if (!(def->unitsPerMetre > 0.0) || !isfinite(def->unitsPerMetre))
	{
		rpFail(error, rp_errorArgument, "%g units per metre; the number must be positive", def->unitsPerMetre);
		return NULL;
	}
	const rpWriterKind* kind = findKind(def->format, error);
	rpFrameWriter* writer = kind != NULL ? rpAllocateZero(1, kind->size, error) : NULL;
	if (writer != NULL)
	{
		writer->kind = kind;
		writer->def = *def;
		writer->out = out;
		writer->output = output;
	}
	return writer;
}

void rpDestroyFrameWriter(rpFrameWriter* writer)
{
	if (writer != NULL && writer->kind->release != NULL)
	{
		writer->kind->release(writer);
	}
	rpFree(writer);
}

// A kind may leave it to its text to say that it failed.
static bool checkText(const rpFrameWriter* writer, rpError* error)
{
	return !writer->out->failed ||
		   (writer->output != NULL ? rpOutput_Fail(writer->output, error)
								   : rpFail(error, rp_errorMemory, "out of memory while writing the motion"));
}

bool rpFrameWriter_Begin(rpFrameWriter* writer, const rpMotion* motion, rpError* error)
{
	writer->motion = motion;
	writer->frameCount = 0;
	return writer->kind->begin(writer, error) && checkText(writer, error);
}

bool rpFrameWriter_Add(rpFrameWriter* writer, const rpPose* pose, rpError* error)
{
	int announced = writer->motion->frameCount > 0 ? writer->motion->frameCount : RP_MAX_FRAMES;
	if (writer->frameCount >= announced)
	{
		return rpFail(error, rp_errorArgument, "more than the %d frames of \"%.100s\" that there should be", announced,
					  writer->motion->name);
	}
	bool done = writer->kind->add(writer, pose, error) && checkText(writer, error);
	++writer->frameCount;
	return done;
}

bool rpFrameWriter_End(rpFrameWriter* writer, rpError* error)
{
	if (writer->frameCount == 0 || writer->frameCount != writer->motion->frameCount)
	{
		return rpFail(error, rp_errorArgument, "\"%.100s\" should have %d frames, and %d came", writer->motion->name,
					  writer->motion->frameCount, writer->frameCount);
	}
	return writer->kind->end(writer, error) && checkText(writer, error);
}

bool rpFrameWriter_Finish(rpFrameWriter* writer, rpError* error)
{
	return (writer->kind->finish == NULL || writer->kind->finish(writer, error)) && checkText(writer, error);
}

static bool writeMotion(rpFrameWriter* writer, const rpMotion* motion, rpError* error)
{
	bool done = rpFrameWriter_Begin(writer, motion, error);
	for (int frame = 0; frame < motion->frameCount && done; ++frame)
	{
		rpPose pose = rpMotion_GetPose(motion, frame);
		done = rpFrameWriter_Add(writer, &pose, error);
	}
	return done && rpFrameWriter_End(writer, error);
}

static bool checkCount(const rpFrameWriter* writer, int count, rpError* error)
{
	if (count < 1)
	{
		return rpFail(error, rp_errorArgument, "no motion to save");
	}
	if (count > 1 && writer->kind != &rpGlbWriterKind)
	{
		rpFail(error, rp_errorArgument, "%d motions for one file; only GLB holds several", count);
		rpError_SetHint(error, "save each to a file of its own, or all to one .glb");
		return false;
	}
	return true;
}

bool rpFrameWriter_WriteAll(rpFrameWriter* writer, const rpMotion* const* motions, int count, rpError* error)
{
	bool done = checkCount(writer, count, error);
	for (int i = 0; i < count && done; ++i)
	{
		done = writeMotion(writer, motions[i], error);
	}
	return done && rpFrameWriter_Finish(writer, error);
}

bool rpWriteMotions(const rpMotion* const* motions, int count, const rpSaveDef* def, rpText* out, rpError* error)
{
	rpFrameWriter* writer = rpCreateFrameWriter(def, out, NULL, error);
	bool done = writer != NULL && rpFrameWriter_WriteAll(writer, motions, count, error);
	rpDestroyFrameWriter(writer);
	if (!done)
	{
		rpText_Free(out);
	}
	return done;
}
