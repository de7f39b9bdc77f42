/// A motion graph as a bundle for players.
#pragma once

#include "reprise/play/bundle.h"

/// Add the chunks of an rpGraph: topology, clips, and a steering table, which is made if there is none.
RP_NODISCARD bool rpAddGraphBundle(const void* model, rpBundleWriter* writer, rpError* error);
