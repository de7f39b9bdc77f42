/// Takes of the captured data (REPRISE_MOCAP), chosen by their labels in the manifest.
#pragma once

#include "reprise/reprise.h"

/// One line of the manifest.
typedef struct CaptureTake
{
	/// Below the folder of the captured data.
	char file[96];
	char labels[96];
	int subject;

	/// Kept for its bad rows.
	bool defect;

	/// The true rate of capture, which is not always what the file says.
	double fps;
} CaptureTake;

/// The takes of the manifest in its order, at most capacity of them; their number, 0 if there is no manifest.
int benchListTakes(const char* folder, CaptureTake* out, int capacity);

/// Load a take at its true rate, mended by the doctor. NULL if it cannot be read; free with rpDestroyMotion.
rpMotion* benchLoadTake(const char* folder, const CaptureTake* take);

/// Whether a list separated by semicolons holds a word.
bool benchHasWord(const char* list, const char* word);
