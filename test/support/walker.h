/// A walker made by formula on a skeleton built like CMU's, with a little noise as captures have it: the clean take
/// that the doctor's tests damage.
#pragma once

#include "reprise/play/motion.h"

/// Metres, Y up, rest pose in T facing +Z; Neck and both shoulders have the offset of Spine1, finger bases and thumbs
/// half that of the hand. Free with rpDestroyMotion.
rpMotion* testMakeWalker(double fps, int frameCount);

/// Index of a joint; fails the test if it is not there.
int testFindJoint(const rpMotion* motion, const char* name);

/// The address of one rotation.
rpQuat* testRotation(rpMotion* motion, int frame, int joint);

/// Give a motion a skeleton with these joints (borrowed); frames are left alone.
void testSetJoints(rpMotion* motion, const rpJoint* joints);

/// Write a rest-pose row in front of a motion: no rotation but at arms, thighs and neck, root where the first frame has
/// it. Returns a new motion and frees the old one.
rpMotion* testAddRestRow(rpMotion* motion);
