/// The JSON file beside a motion: labels, contacts, seams, source frames, provenance. OUT.bvh has OUT.json; OUT.glb has
/// OUT.glb.json and OUT.csv OUT.csv.json, so that one motion saved in several formats keeps each its own.
#pragma once

#include "base/memory.h"
#include "reprise/file.h"

/// Path of the sidecar of a motion file: the ending .bvh or .amc replaced by .json, or .json appended to any other.
/// False when it does not fit.
RP_NODISCARD bool rpGetSidecarPath(const char* path, char* out, size_t capacity);

/// The sidecar's text. fileName is the motion file's, its folders are left out; hash is that of its bytes. Several
/// motions make an array of clips. No times of day, no absolute paths. False when memory ran out or def->parameters is
/// no JSON object.
RP_NODISCARD bool rpWriteSidecar(const rpMotion* const* motions, int count, const rpSaveDef* def, const char* fileName,
								 const char* hash, rpText* out, rpError* error);

/// Whether parameters (rpSaveDef) are a JSON object, or NULL.
RP_NODISCARD bool rpCheckParameters(const char* parameters, rpError* error);

/// Whether a text is a sidecar by its schema, however it is laid out; the rest of it may be malformed.
bool rpIsSidecar(const char* text, size_t size);

/// What a sidecar says beyond the annotations.
typedef struct rpSidecar
{
	/// Hash of the motion file it belongs to.
	char hash[33];

	/// Units of the motion file per metre.
	double unitsPerMetre;
} rpSidecar;

/// Read a sidecar's text; fills out, and if hash equals out->hash puts annotations, inputs, the exact rate and
/// the skeleton's roles, rest pose, freedoms and limits on the motion, whose rate (within 0.1 %) and frame count must
/// agree. What the motion had of these is replaced, but for the inputs, which are added to. False if it is malformed
/// (line and column where the JSON itself is) or memory ran out; the motion then keeps what it had, but for inputs.
RP_NODISCARD bool rpReadSidecar(const char* text, size_t size, const char* hash, rpMotion* motion, rpSidecar* out,
								rpError* error);

/// Annotations as a JSON object and back, for sidecar and library alike. out must be empty when reading; nothing is to
/// be freed on failure.
RP_NODISCARD bool rpWriteAnnotations(const rpAnnotations* annotations, rpText* out, rpError* error);
RP_NODISCARD bool rpReadAnnotations(const char* text, size_t size, rpAnnotations* out, rpError* error);
