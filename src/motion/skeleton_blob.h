/// A skeleton as bytes and back, for the library and for bundles.
#pragma once

#include "base/memory.h"
#include "reprise/play/skeleton.h"

/// The longest name of a joint that is kept, bytes.
#define RP_SKELETON_MAX_NAME 4000

/// Append a skeleton's bytes: the same skeleton gives the same bytes. False where a name is no UTF-8, with
/// rp_errorFormat, or memory ran out.
RP_NODISCARD bool rpEncodeSkeleton(const rpSkeleton* skeleton, rpText* out, rpError* error);

/// Read it back, bit for bit the same. The bytes are not trusted. Release with rpReleaseSkeleton.
RP_NODISCARD rpSkeleton* rpDecodeSkeleton(const void* bytes, size_t size, rpError* error);
