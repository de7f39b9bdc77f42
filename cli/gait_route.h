/// A path over the floor with gaits along it, from the options --path, --scale and --gaits.
#pragma once

#include "floor_path.h"

/// path borrows the other members. Free with cliFreeGaitRoute.
typedef struct cliGaitRoute
{
	rpGaitPath path;
	cliFloorPath floor;
	rpGaitStretch* stretches;
} cliGaitRoute;

/// Read it; --path must be given. False: reported; free it all the same.
bool cliGetGaitRoute(cliRun* run, cliGaitRoute* out);
void cliFreeGaitRoute(cliGaitRoute* route);
