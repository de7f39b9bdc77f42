/// The clips that a made clip is held against.
#pragma once

#include "clip.h"

/// Clips that were loaded. Zero-initialised is empty; free with cliFreeReferences.
typedef struct cliReferences
{
	cliClip* clips;
	int count, capacity;
} cliReferences;

/// Add what a --reference names: a file, a folder, a pattern, a clip of a library, or a whole library. Of a whole
/// library, those clips that the made clip says it was made from: by the hashes of its inputs, or by the names of its
/// sources where it has no inputs. False: reported.
bool cliAddReferences(cliRun* run, cliReferences* references, const char* text, const cliClip* made);
void cliFreeReferences(cliReferences* references);
