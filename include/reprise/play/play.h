/// The runtime: what libreprise_play holds, and all that a game or a browser needs. Link it with libc and libm alone.
/// What these headers declare is in libreprise_play and in libreprise; what stands beside this folder (reprise/file.h,
/// reprise/graph_build.h, ...) is for building and editing, and in libreprise alone.
#pragma once

#include "reprise/play/annotation.h"
#include "reprise/play/base.h"
#include "reprise/play/blend.h"
#include "reprise/play/body.h"
#include "reprise/play/bundle.h"
#include "reprise/play/extend.h"
#include "reprise/play/feet.h"
#include "reprise/play/findings.h"
#include "reprise/play/gait_path.h"
#include "reprise/play/graph.h"
#include "reprise/play/layer.h"
#include "reprise/play/limb.h"
#include "reprise/play/locomotion.h"
#include "reprise/play/locomotion_model.h"
#include "reprise/play/math.h"
#include "reprise/play/motion.h"
#include "reprise/play/parametric_graph.h"
#include "reprise/play/player.h"
#include "reprise/play/recording.h"
#include "reprise/play/registered_blend.h"
#include "reprise/play/skeleton.h"
#include "reprise/play/space.h"
#include "reprise/play/version.h"
