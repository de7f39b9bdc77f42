/// Numbers and bytes as they stand in a page's JSON.
#pragma once

#include "base/memory.h"

/// At most nine decimals.
void rpAppendJsonNumber(rpText* out, double value);

/// A comma and "name": number.
void rpAppendJsonMember(rpText* out, const char* name, double value);

/// The bytes as base64, in quotes.
void rpAppendJsonBytes(rpText* out, const void* bytes, size_t size);

/// The bytes compressed (zlib), as base64, in quotes. False when memory ran out.
RP_NODISCARD bool rpAppendJsonPacked(rpText* out, const void* bytes, size_t size, rpError* error);
