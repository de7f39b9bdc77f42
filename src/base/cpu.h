/// What the machine can do.
#pragma once

#include "reprise/play/base.h"

/// Whether kernels for AVX2 may be used: the processor has it, and the environment does not ask for the portable ones
/// (REPRISE_KERNEL=portable). Looks each time; ask once and keep the answer.
bool rpHasAvx2(void);

/// The same for AVX-512 (F, DQ, VL); REPRISE_KERNEL=avx2 forbids it too.
bool rpHasAvx512(void);
