/// Loading a motion: reading its file, then the sidecar or the doctor.
#include "base/error.h"
#include "base/findings.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "doctor/doctor.h"
#include "doctor/role_fixes.h"
#include "file/amc_reader.h"
#include "file/bytes.h"
#include "file/number.h"
#include "file/sidecar.h"
#include "reprise/edit.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

// An AMC says how it is written near its top.
#define LOOK_AHEAD 4096

// What is being loaded, from wherever it comes.
typedef struct Source
{
	const char* bytes;
	size_t size;

	/// For messages, and for the clip's name.
	const char* name;

	/// NULL when it comes from memory.
	const char* path;

	const rpReadDef* def;
	rpFindings* findings;
	rpError* error;

	/// NULL where it decides alone.
	rpTake* take;
} Source;

// ---- format ----

static bool holds(const char* text, size_t size, const char* word)
{
	size_t length = strlen(word);
	for (size_t i = 0; i + length <= size; ++i)
	{
		if (strncasecmp(text + i, word, length) == 0)
		{
			return true;
		}
	}
	return false;
}

// After a byte order mark and blanks.
static const char* skipMark(const char* text, const char* end)
{
	return rpSkipBlanks(end - text >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? text + 3 : text, end);
}

static bool startsBvh(const char* text, size_t size)
{
	return size >= 9 && strncasecmp(text, "HIERARCHY", 9) == 0;
}

static rpFormat guessFormat(const char* bytes, size_t size)
{
	const char* text = skipMark(bytes, bytes + size);
	size_t rest = (size_t)(bytes + size - text), left = rest < LOOK_AHEAD ? rest : LOOK_AHEAD;
	if (startsBvh(text, left))
	{
		return rp_formatBvh;
	}
	bool marked = left > 0 && (text[0] == ':' || text[0] == '#');
	return marked && holds(text, left, ":FULLY-SPECIFIED") ? rp_formatAmc : rp_formatAuto;
}

static rpFormat findFormat(const Source* source)
{
	rpFormat format = source->def->format;
	format = format != rp_formatAuto ? format : rpFormat_FromPath(source->name);
	return format != rp_formatAuto ? format : guessFormat(source->bytes, source->size);
}

// Whether the head of a file leaves a chance to read it. Where it does not, reading the head alone fails with the same
// message, and at once, however large the file is.
static bool isPromising(const char* head, size_t size, const void* context)
{
	Source source = *(const Source*)context;
	source.bytes = head;
	source.size = size;
	const char* text = skipMark(head, head + size);
	if (text == head + size)
	{
		return true;
	}
	rpFormat format = findFormat(&source);
	return format == rp_formatBvh ? startsBvh(text, (size_t)(head + size - text))
								  : format == rp_formatAmc && *text != 0;
}

// ---- reading ----

static bool readAmcWith(const Source* source, const char* asf, size_t size, const char* asfName, rpReading* out)
{
	return rpReadAmc(source->bytes, source->size, asf, size, asfName, source->def, out, source->findings,
					 source->error);
}

static bool readAmc(const Source* source, rpReading* out)
{
	const rpReadDef* def = source->def;
	if (def->skeletonBytes != NULL)
	{
		return readAmcWith(source, def->skeletonBytes, def->skeletonSize, "the skeleton", out);
	}
	char found[4096];
	const char* path = def->skeletonPath;
	if (path == NULL && source->path != NULL && rpFindSkeletonFile(source->path, found, sizeof(found)))
	{
		path = found;
	}
	if (path == NULL)
	{
		rpFail(source->error, rp_errorMissing, "an AMC file needs its skeleton (.asf), and none lies beside it");
		rpError_SetHint(source->error, "name the skeleton file with --asf FILE.asf");
		return false;
	}
	rpBytes asf;
	if (!rpOpenBytes(path, &asf, source->error))
	{
		return false;
	}
	bool done = readAmcWith(source, asf.data, asf.size, path, out);
	rpCloseBytes(&asf);
	return done;
}

static bool isSkeleton(const Source* source)
{
	size_t length = strlen(source->name);
	return length >= 4 && strcasecmp(source->name + length - 4, ".asf") == 0;
}

static bool readFrames(const Source* source, rpReading* out)
{
	switch (findFormat(source))
	{
	case rp_formatBvh:
		return rpReadBvh(source->bytes, source->size, source->def, out, source->findings, source->error);
	case rp_formatAmc:
		return readAmc(source, out);
	case rp_formatAuto:
		rpFail(source->error, rp_errorFormat, "this is no motion file that Reprise knows");
		rpError_SetHint(source->error, isSkeleton(source) ? "this is a skeleton: name the AMC file with its motion"
														  : "motions are read from BVH and from ASF/AMC files");
		return false;
	default:
		rpFail(source->error, rp_errorFormat, "this kind of file can be written but not read");
		rpError_SetHint(source->error, "motions are read from BVH and from ASF/AMC files");
		return false;
	}
}

// ---- where it comes from ----

// File names are bytes; names in libraries, pages and sidecars are UTF-8.
static char* copyFileName(const Source* source)
{
	const char* fileName = rpGetFileName(source->name);
	size_t size = strlen(fileName);
	char* name = rpAllocate(2 * size + 1, 1, source->error);
	if (name != NULL && rpIsUtf8(fileName, size))
	{
		memcpy(name, fileName, size + 1);
	}
	else if (name != NULL)
	{
		rpWriteLatin1(fileName, size, name);
	}
	return name;
}

static bool setNames(const Source* source, const char* hash, rpMotion* motion)
{
	char* name = copyFileName(source);
	if (name == NULL || !rpMotion_AddInput(motion, name, hash, source->error))
	{
		rpFree(name);
		return false;
	}
	char* dot = strrchr(name, '.');
	if (dot != NULL && dot != name)
	{
		*dot = 0;
	}
	double end = motion->frameCount / motion->fps;
	rpInterval interval = {.track = rp_trackSource, .end = end, .name = name, .sourceEnd = end};
	bool done = rpMotion_SetName(motion, name, source->error) &&
				rpAnnotations_AddInterval(&motion->annotations, &interval, source->error);
	rpFree(name);
	return done;
}

// ---- sidecar ----

typedef enum Fit
{
	fitNone, // there is none, or it is not to be used
	fitGood,
	fitFailed, // no memory
} Fit;

static Fit refuse(const Source* source, const rpError* error, const char* why)
{
	if (error->code == rp_errorMemory)
	{
		if (source->error != NULL)
		{
			*source->error = *error;
		}
		return fitFailed;
	}
	rpFinding* finding =
		rpFindings_Add(source->findings, "sidecar", "%s%s%s", why, error->message[0] != 0 ? ": " : "", error->message);
	rpFinding_SetAction(finding, false, "nothing; the sidecar is not used");
	return fitNone;
}

// In metres, or in the unit that the user sets over it.
static Fit putSidecar(const Source* source, const rpBytes* text, const char* hash, double scale, rpMotion* motion)
{
	rpSidecar sidecar;
	rpError error = {0};
	rpMotion* scaled = rpScaleMotion(motion, (float)scale, source->error);
	if (scaled == NULL)
	{
		return fitFailed;
	}
	Fit fit = fitGood;
	if (!rpReadSidecar(text->data, text->size, hash, scaled, &sidecar, &error))
	{
		fit = refuse(source, &error, "the sidecar does not fit");
	}
	else
	{
		// The motion's owner keeps its address.
		rpMotion old = *motion;
		*motion = *scaled;
		*scaled = old;
	}
	rpDestroyMotion(scaled);
	return fit;
}

// The text is read twice: its units must be known before its annotations, which are in metres, can be put on.
static Fit applySidecar(const Source* source, const rpBytes* text, const char* hash, rpMotion* motion)
{
	rpSidecar sidecar;
	rpError error = {0};
	if (!rpReadSidecar(text->data, text->size, "", motion, &sidecar, &error))
	{
		return refuse(source, &error, "the sidecar is malformed");
	}
	if (strcmp(sidecar.hash, hash) != 0)
	{
		return refuse(source, &error, "the sidecar belongs to another version of the file");
	}
	if (!(sidecar.unitsPerMetre > 0.0))
	{
		return refuse(source, &error, "the sidecar does not say the units");
	}
	double scale = source->def->scale > 0.0 ? source->def->scale : 1.0 / sidecar.unitsPerMetre;
	return putSidecar(source, text, hash, scale, motion);
}

static Fit useSidecar(const Source* source, const char* hash, rpMotion* motion)
{
	char path[4096];
	bool turned = source->def->up == rp_upX || source->def->up == rp_upZ;
	if (source->path == NULL || source->def->ignoreSidecar || turned ||
		!rpGetSidecarPath(source->path, path, sizeof(path)))
	{
		return fitNone;
	}
	rpBytes text;
	rpError error = {0};
	if (!rpOpenBytes(path, &text, &error))
	{
		return error.code == rp_errorMemory ? refuse(source, &error, "") : fitNone;
	}
	// A JSON file of somebody else's is none of our business.
	Fit fit = rpIsSidecar(text.data, text.size) ? applySidecar(source, &text, hash, motion) : fitNone;
	rpCloseBytes(&text);
	return fit;
}

// ---- all of it ----

static rpMotion* loadSource(const Source* source)
{
	rpReading reading = {0};
	if (!readFrames(source, &reading))
	{
		return NULL;
	}
	char hash[33];
	rpHashBytes(source->bytes, source->size, hash);
	if (!setNames(source, hash, reading.motion))
	{
		rpDestroyMotion(reading.motion);
		return NULL;
	}
	Fit fit = useSidecar(source, hash, reading.motion);
	if (fit == fitFailed)
	{
		rpDestroyMotion(reading.motion);
		return NULL;
	}
	rpMotion* motion = fit == fitGood
						   ? reading.motion
						   : rpTreatTake(reading, source->def, source->take, source->findings, source->error);
	if (motion != NULL && !rpFixRoles(motion, source->def, source->error))
	{
		rpDestroyMotion(motion);
		return NULL;
	}
	return motion;
}

rpMotion* rpReadMotion(const void* bytes, size_t size, const char* name, const rpReadDef* def, rpFindings* findings,
					   rpError* error)
{
	rpReadDef defaults = rpDefaultReadDef();
	Source source = {.bytes = bytes,
					 .size = size,
					 .name = name != NULL ? name : "",
					 .def = def != NULL ? def : &defaults,
					 .findings = findings,
					 .error = error};
	rpMotion* motion = loadSource(&source);
	if (motion == NULL)
	{
		rpError_SetFile(error, source.name);
	}
	return motion;
}

rpMotion* rpLoadMotion(const char* path, const rpReadDef* def, rpFindings* findings, rpError* error)
{
	return rpLoadTake(path, def, NULL, findings, error);
}

rpMotion* rpLoadTake(const char* path, const rpReadDef* def, rpTake* take, rpFindings* findings, rpError* error)
{
	rpReadDef defaults = rpDefaultReadDef();
	Source source = {.name = path,
					 .path = path,
					 .def = def != NULL ? def : &defaults,
					 .findings = findings,
					 .error = error,
					 .take = take};
	rpBytes bytes;
	if (!rpOpenAccepted(path, isPromising, &source, &bytes, error))
	{
		return NULL;
	}
	source.bytes = bytes.data;
	source.size = bytes.size;
	rpMotion* motion = loadSource(&source);
	rpCloseBytes(&bytes);
	if (motion == NULL)
	{
		rpError_SetFile(error, path);
	}
	return motion;
}
