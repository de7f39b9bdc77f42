/// Adding to a list of findings.
#pragma once

#include "reprise/play/findings.h"

/// Add a finding; NULL findings takes none. The message is given as a format. Returns the new item so that
/// the caller can fill in action, rows and repaired, or NULL where there is no list or no memory (a remark that does
/// not fit is dropped: it must never stop a load).
rpFinding* rpFindings_Add(rpFindings* findings, const char* code, const char* format, ...) RP_PRINTF(3, 4);

/// Set what was done about it; finding may be NULL.
void rpFinding_SetAction(rpFinding* finding, bool repaired, const char* format, ...) RP_PRINTF(3, 4);
