/// Annotations as members of a JSON object: what sidecar and library share.
#pragma once

#include "base/memory.h"
#include "reprise/play/annotation.h"

#include <jansson.h>

/// The longest JSON text that is read, bytes, and the max entries of a list in it.
#define RP_MAX_JSON_SIZE ((size_t)256 << 20)
#define RP_MAX_JSON_ITEMS 1000000

/// Parse a text into an object; NULL with line and column when it is none, or memory ran out. Free with json_decref.
RP_NODISCARD json_t* rpParseJson(const char* text, size_t size, rpError* error);

/// Members of an object, checked: `place` names the object in messages ("labels[3]"). Numbers are finite.
RP_NODISCARD bool rpGetJsonNumber(const json_t* object, const char* key, const char* place, double* out,
								  rpError* error);
/// The text stays the object's.
RP_NODISCARD bool rpGetJsonString(const json_t* object, const char* key, const char* place, const char** out,
								  rpError* error);
/// A list of `count` floats, all finite.
RP_NODISCARD bool rpGetJsonFloats(const json_t* list, const char* place, float* out, size_t count, rpError* error);

/// The members labels, contacts, phases, sources, events and curves, each line starting with `indent`; the last one
/// without comma or line break.
void rpWriteAnnotationMembers(const rpAnnotations* annotations, const char* indent, rpText* out);

/// Take those members from an object; a missing one is empty. out must be empty, and is so again on failure.
RP_NODISCARD bool rpReadAnnotationMembers(const json_t* object, rpAnnotations* out, rpError* error);

/// "point"
const char* rpGetCurveKindName(rpCurveKind kind);
