/// A clip's frames: checked, hashed, written and read in parts.
#pragma once

#include "library/clip_record.h"

/// Whether all frames are finite and all rotations unit.
RP_NODISCARD bool rpCheckFrames(const rpMotion* motion, rpError* error);

/// One hash over positions, rotations and translations.
void rpHashFrames(const rpMotion* motion, char out[33]);

/// Write a motion's frames as those of a clip, inside a transaction.
RP_NODISCARD bool rpInsertFrames(const rpLibrary* library, rpClipId clip, const rpMotion* motion, rpError* error);

/// A motion with the frames of a clip and nothing else, checked against the record's hash.
RP_NODISCARD rpMotion* rpReadFrames(const rpLibrary* library, const rpClipRecord* record, rpError* error);
