/// The skeletons of a library. Each is read once while the library is open, so that its clips share it.
#pragma once

#include "library/store.h"

/// A skeleton as it is kept.
typedef struct rpKnownSkeleton
{
	int64_t id;

	/// Number of the first skeleton that it can be blended with: rpClipInfo's skeletonId.
	int64_t family;

	/// Of its bytes.
	char hash[33];

	/// Borrowed from the cache.
	rpSkeleton* skeleton;
} rpKnownSkeleton;

RP_NODISCARD rpSkeletonCache* rpCreateSkeletonCache(rpError* error);

/// NULL does nothing.
void rpDestroySkeletonCache(rpSkeletonCache* cache);

/// The skeleton of that number, inside a transaction. Its hash is checked.
RP_NODISCARD bool rpReadKnownSkeleton(const rpLibrary* library, int64_t id, rpKnownSkeleton* out, rpError* error);

/// The kept skeleton with those bytes, inside a transaction that writes; put there if it is new. out->skeleton is NULL
/// then: what is not committed is not cached.
RP_NODISCARD bool rpKeepSkeleton(const rpLibrary* library, const rpSkeleton* skeleton, const void* bytes, size_t size,
								 const char* hash, rpKnownSkeleton* out, rpError* error);
