/// The version of Reprise, the only place where it is written down. The build reads it from here.
#pragma once

#define RP_VERSION_MAJOR 0
#define RP_VERSION_MINOR 1
#define RP_VERSION_PATCH 0
