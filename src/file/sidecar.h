/// The JSON file beside a motion: labels, contacts, seams, source frames, provenance. OUT.bvh has OUT.json.
#pragma once

#include "base/memory.h"
#include "reprise/file.h"

/// Path of the sidecar of a motion file: its ending replaced by ".json". False when it does not fit.
RP_NODISCARD bool rpGetSidecarPath(const char* path, char* out, size_t capacity);

/// The sidecar's text. hash is that of the motion file's bytes. No times of day, no absolute paths.
RP_NODISCARD bool rpWriteSidecar(const rpMotion* const* motions, int count, const rpSaveDef* def, const char* hash,
								 rpText* out, rpError* error);

/// What a sidecar says beyond the annotations.
typedef struct rpSidecar
{
	/// Hash of the motion file it belongs to.
	char hash[33];

	/// Units of the motion file per metre.
	double unitsPerMetre;
} rpSidecar;

/// Read a sidecar's text; fills out, and if hash equals out->hash puts annotations, inputs, name and the skeleton's
/// roles, rest pose and limits on the motion, whose rate and frame count must agree. False if it is malformed (line and
/// column).
RP_NODISCARD bool rpReadSidecar(const char* text, size_t size, const char* hash, rpMotion* motion, rpSidecar* out,
								rpError* error);

/// Annotations as JSON text and back, for sidecar and library alike.
RP_NODISCARD bool rpWriteAnnotations(const rpAnnotations* annotations, rpText* out, rpError* error);
RP_NODISCARD bool rpReadAnnotations(const char* text, size_t size, rpAnnotations* out, rpError* error);
