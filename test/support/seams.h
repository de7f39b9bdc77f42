/// What is measured where motions were joined.
#pragma once

#include "support.h"

/// The largest change of a joint's velocity from one frame to the next between two times, m/s. which may be NULL:
/// becomes the joint's name. when may be NULL: becomes its time.
double testMeasureVelocityJump(const rpMotion* motion, double start, double end, const char** which, double* when);

/// The largest displacement of a joint from one frame to the next between two times, metres.
double testMeasurePoseJump(const rpMotion* motion, double start, double end);

/// The moment of b, at least `margin` seconds from its ends, at which a transition from a's moment fits best; its
/// distance, metres, if distance is not NULL.
double testFindMoment(const rpMotion* a, double ta, const rpMotion* b, double margin, float* distance);
