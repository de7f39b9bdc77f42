/// Everything.
#pragma once

#include "reprise/annotation.h"
#include "reprise/base.h"
#include "reprise/body.h"
#include "reprise/edit.h"
#include "reprise/file.h"
#include "reprise/findings.h"
#include "reprise/library.h"
#include "reprise/math.h"
#include "reprise/motion.h"
#include "reprise/performer.h"
#include "reprise/picture.h"
#include "reprise/skeleton.h"
