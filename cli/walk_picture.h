/// A walk beside what was asked for: noted in the motion, and drawn from above, --picture.
#pragma once

#include "run.h"

#define CLI_WALK_PICTURE                                                                                   \
	{                                                                                                      \
		"picture", 0, "FILE",                                                                              \
			"Draw from above what was asked for and what was walked, with styles and seams: .png or .svg." \
	}

/// What was asked for; pointers are borrowed. Begin with cliNothingAsked(); free with cliFreeAsked.
typedef struct cliAsked
{
	/// The path to follow, [count]; NULL: none.
	const rpVec2* points;
	int count;

	/// Circles, goal, and how far off the walk is.
	rpPathMapDef map;

	/// Where the root was in each frame: frames themselves are written as they are made, and gone. Only where it is
	/// needed, for a path or a picture.
	bool keepsTrail;
	rpGroundTransform* trail;
	int trailCount, trailCapacity;
} cliAsked;

cliAsked cliNothingAsked(void);
void cliFreeAsked(cliAsked* asked);

/// The next frame.
void cliKeepTrail(cliAsked* asked, const rpPose* pose);

/// Whether the picture, if one is wanted, can be made. False: reported.
bool cliCheckWalkPicture(cliRun* run);

/// Note the path in the motion, so that pages and pictures of it show it. False: reported.
bool cliNoteAsked(cliRun* run, const cliAsked* asked, rpMotion* motion);

/// Draw the picture if one is wanted, and add it to what is reported. False: reported.
bool cliDrawWalk(cliRun* run, const cliAsked* asked, const rpMotion* motion, json_t* facts);
