/// A model in a page, as the bundle that its players run from.
#pragma once

#include "base/memory.h"
#include "reprise/picture.h"

/// Append it as a JSON object. False, and the player's error, if it cannot be played.
RP_NODISCARD bool rpAppendPageModel(const rpPageModel* model, rpText* out, rpError* error);

/// Append what runs models in a browser: reprise-play.wasm, compressed.
RP_NODISCARD bool rpAppendPageRuntime(rpText* out, rpError* error);
