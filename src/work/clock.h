/// How long work takes.
#pragma once

/// Seconds since some moment; never goes back.
double rpGetSeconds(void);
