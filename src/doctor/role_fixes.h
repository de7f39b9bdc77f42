/// The user's corrections of guessed roles.
#pragma once

#include "reprise/file.h"

/// Give the motion a skeleton with def's role fixes. False when a joint is not there (names the nearest as a hint) or
/// memory ran out; the motion is as it was then.
RP_NODISCARD bool rpFixRoles(rpMotion* motion, const rpReadDef* def, rpError* error);
