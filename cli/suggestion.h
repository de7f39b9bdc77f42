/// "Did you mean …?"
#pragma once

/// Edits (insert, delete, replace, swap neighbours) between two words, without regard to case of ASCII letters.
int cliGetEditDistance(const char* a, const char* b);

/// Keep the better of two suggestions. Start with NULL and best distance -1: *best becomes candidate when that is near
/// enough to word and nearer than what was found before.
void cliSuggest(const char* word, const char* candidate, const char** best, int* bestDistance);
