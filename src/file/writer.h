/// The writers, one per format: motions to bytes, frame by frame. error may be NULL.
#pragma once

#include "file/spool.h"
#include "reprise/file.h"

typedef struct rpFrameWriter rpFrameWriter;

/// A format. All of it may fail, and says why; that its text failed is found by who calls.
typedef struct rpWriterKind
{
	/// Bytes of its writer, which begins with an rpFrameWriter.
	size_t size;

	/// A motion begins, writer->motion, which may be bare. Translations are known then: bare motions have none.
	bool (*begin)(rpFrameWriter* writer, rpError* error);

	/// Its next frame, number writer->frameCount.
	bool (*add)(rpFrameWriter* writer, const rpPose* pose, rpError* error);

	/// It is over: its name and frame count are final.
	bool (*end)(rpFrameWriter* writer, rpError* error);

	/// No motion is to come; NULL: nothing is left to write.
	bool (*finish)(rpFrameWriter* writer, rpError* error);

	/// NULL: there is nothing to free.
	void (*release)(rpFrameWriter* writer);
} rpWriterKind;

extern const rpWriterKind rpBvhWriterKind, rpCsvWriterKind, rpGlbWriterKind;

/// What all writers have.
struct rpFrameWriter
{
	const rpWriterKind* kind;
	rpSaveDef def;

	/// Where bytes go; and the file that this is, NULL: none, they stay in memory.
	rpText* out;
	const rpOutput* output;

	/// The motion at hand, borrowed, and how many of its frames came.
	const rpMotion* motion;
	int frameCount;
};

/// A writer of def->format to a text, or to a file where output is not NULL: out is its text then. NULL if def makes no
/// sense or memory ran out; free with rpDestroyFrameWriter.
RP_NODISCARD rpFrameWriter* rpCreateFrameWriter(const rpSaveDef* def, rpText* out, const rpOutput* output,
												rpError* error);
void rpDestroyFrameWriter(rpFrameWriter* writer);

/// A motion, frame by frame: as many as it announces, unless that is 0 at first. It must stay until the writer is
/// finished.
RP_NODISCARD bool rpFrameWriter_Begin(rpFrameWriter* writer, const rpMotion* motion, rpError* error);
RP_NODISCARD bool rpFrameWriter_Add(rpFrameWriter* writer, const rpPose* pose, rpError* error);
RP_NODISCARD bool rpFrameWriter_End(rpFrameWriter* writer, rpError* error);

/// All motions, of one skeleton, were given: one, or for GLB any number.
RP_NODISCARD bool rpFrameWriter_Finish(rpFrameWriter* writer, rpError* error);

/// Whole motions from begin to finish.
RP_NODISCARD bool rpFrameWriter_WriteAll(rpFrameWriter* writer, const rpMotion* const* motions, int count,
										 rpError* error);

/// The same to memory. On failure the text is freed.
RP_NODISCARD bool rpWriteMotions(const rpMotion* const* motions, int count, const rpSaveDef* def, rpText* out,
								 rpError* error);
