/// What foot lock reports: slides on the contacts that a motion came with, and how fast its knees bend.
#pragma once

#include "blend/foot_lock_track.h"

/// Slides of all contacts, of heels and of balls, measured on the motion as it is now.
void rpMeasureSlides(const rpMotion* motion, const rpFootTrack* track, rpSlide* all, rpSlide* heels, rpSlide* balls);

/// The fastest change of a knee's bend between two frames, rad/s.
float rpMeasureKneeSpeed(const rpMotion* motion, const rpFootRig* rig);
