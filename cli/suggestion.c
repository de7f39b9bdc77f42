#include "suggestion.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

enum
{
	/// Longer words are compared by their beginnings.
	longestWord = 63,
};

static int getMin(int a, int b)
{
	return a < b ? a : b;
}

// Optimal string alignment: Damerau's distance without edits inside a swapped pair.
int cliGetEditDistance(const char* a, const char* b)
{
	int m = getMin((int)strlen(a), longestWord), n = getMin((int)strlen(b), longestWord);
	int rows[3][longestWord + 1];
	int *older = rows[0], *old = rows[1], *row = rows[2];
	for (int j = 0; j <= n; ++j)
		old[j] = j;
	for (int i = 1; i <= m; ++i)
	{
		row[0] = i;
		for (int j = 1; j <= n; ++j)
		{
			int x = tolower((unsigned char)a[i - 1]), y = tolower((unsigned char)b[j - 1]);
			row[j] = getMin(getMin(old[j] + 1, row[j - 1] + 1), old[j - 1] + (x != y));
			bool isSwap =
				i > 1 && j > 1 && x == tolower((unsigned char)b[j - 2]) && tolower((unsigned char)a[i - 2]) == y;
			if (isSwap)
				row[j] = getMin(row[j], older[j - 2] + 1);
		}
		int* spare = older;
		older = old;
		old = row;
		row = spare;
	}
	return old[n];
}

void cliSuggest(const char* word, const char* candidate, const char** best, int* bestDistance)
{
	int distance = cliGetEditDistance(word, candidate);
	size_t length = strlen(word);
	// A beginning of at least two letters counts as one edit: "conv" means "convert".
	if (length >= 2 && distance > 1 && strncasecmp(word, candidate, length) == 0)
		distance = 1;
	int limit = length <= 3 ? 1 : length <= 6 ? 2 : 3;
	if (distance <= limit && (*best == NULL || distance < *bestDistance))
	{
		*best = candidate;
		*bestDistance = distance;
	}
}
