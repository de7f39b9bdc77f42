/// A space as chunks of a bundle, and back.
#pragma once

#include "reprise/play/bundle.h"
#include "reprise/play/space.h"

/// Most examples and samples of a space, keys of an example, events.
#define RP_MAX_SPACE_EXAMPLES 10000
#define RP_MAX_SPACE_SAMPLES 100000
#define RP_MAX_SPACE_KEYS 16
#define RP_MAX_SPACE_EVENTS 64

/// Add the chunks SHDR, SPAR, SFEA, SEXA, SKEY, SVAL, SWEI, SEVN, SEVT and STXT: all but the examples' frames.
RP_NODISCARD bool rpWriteSpaceChunks(rpBundleWriter* writer, const rpSpace* space, rpError* error);

/// A space from a bundle, every index and number checked but for times against clips, which are not known here: its
/// motions and hashes are NULL. NULL when it is damaged or memory ran out; free with rpDestroySpace.
RP_NODISCARD rpSpace* rpReadSpaceChunks(const rpBundle* bundle, rpError* error);
