/// The layers of a bundle.
#pragma once

#include "reprise/play/bundle.h"
#include "timeline/layers.h"

/// Add the layers of a bundle (chunk LAYR, if it has one) to others, every number checked.
RP_NODISCARD bool rpReadLayers(const rpBundle* bundle, rpLayers* layers, rpError* error);
