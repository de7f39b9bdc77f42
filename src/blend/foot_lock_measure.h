/// What foot lock reports: slides on the contacts that a motion came with, and how fast its knees bend.
#pragma once

#include "blend/foot_lock_track.h"

/// Slides on all contacts of the motion, of heels and of balls, measured on its frames as they are now.
void rpMeasureSlides(const rpMotion* motion, const rpFootRig* rig, rpSlide* all, rpSlide* heels, rpSlide* balls);

/// The fastest change of a knee's bend between two frames, rad/s.
float rpMeasureKneeSpeed(const rpMotion* motion, const rpFootRig* rig);
