/// Speed, turning and acceleration of a movement.
#pragma once

#include "analysis/center_track.h"

/// Fill speed, turn and acceleration of a movement from the track of the centre of mass between its start and end.
void rpMeasureMovement(const rpCenterTrack* track, rpMovement* movement);
