/// When exactly a point comes to rest and leaves again.
#pragma once

#include "analysis/rest_stretch.h"

/// Fit both ends of all stretches to the frames and set their start and end. Ends at the ends of the motion stay there.
void rpFitAllTouches(const rpFeet* feet, rpRestStretches* rests);
