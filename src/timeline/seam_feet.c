/// When the feet pass from one span to the next in a fade.
///
/// Kovar's thesis (section 4.1.2) lets constraints of the one clip hold to the middle of a blend, and those of the
/// other from there on. A foot that rests in both clips goes on resting. But one that rests in the first and swings in
/// the second has been taken along for half of the blend by then: nailed down until the middle, it has to catch up at
/// once. So it is let go where the blend takes it away from its place, and one that is about to rest is held only when
/// it has come there.
#include "feet/feet_track.h"
#include "timeline/seam.h"

// A foot is where it rests up to this distance, metres: what the feet stage mends without being seen.
#define TAKEN_AWAY 0.02f

static bool rests(const rpSpan* span, int foot, double time)
{
	float heights[rp_effectorCount];
	return rpGetBearing(foot, rpSpan_GetContacts(span, time - span->start, NULL, heights)) != 0;
}

static rpVec3 getSole(const rpSeam* seam, const rpFootRig* rig, const rpPose* pose, int foot)
{
	rpFootSample sample;
	rpFootRig_Forward(rig, pose->rootPosition, pose->rotations, pose->translations, seam->world);
	rpLeg_Sample(&rig->legs[foot], seam->world, &sample);
	return rpScale(0.5f, rpAdd(sample.sole[0], sample.sole[1]));
}

// Whether the blend has a foot elsewhere than a span.
static bool isAway(rpSeam* seam, const rpSpan* span, const rpFootRig* rig, int foot, double time)
{
	rpPose *own = &seam->poses[2], *made = &seam->poses[3];
	rpSpan_Sample(span, time - span->start, own);
	rpVec3 sole = getSole(seam, rig, own, foot);
	rpSeam_Sample(seam, time, made);
	return rpDistance(sole, getSole(seam, rig, made, foot)) > TAKEN_AWAY;
}

// From one end of a seam to its middle a blend takes a foot away more and more, or brings it nearer: so the moment
// between is found by halves, in 60ths of a second from the end.
static double findMoment(rpSeam* seam, const rpFootRig* rig, int foot, bool leaves)
{
	double from = leaves ? seam->def.start : seam->def.end, way = seam->def.cut - from;
	int near = -1, away = (int)ceil(fabs(way) * RP_SEAM_RATE);
	while (away - near > 1)
	{
		int middle = (near + away) / 2;
		double time = from + copysign(middle / RP_SEAM_RATE, way);
		*(isAway(seam, leaves ? seam->from : seam->to, rig, foot, time) ? &away : &near) = middle;
	}
	double moment = from + copysign(away / RP_SEAM_RATE, way);
	return leaves ? fmin(moment, seam->def.cut) : fmax(moment, seam->def.cut);
}

void rpSeam_HandOverFeet(rpSeam* seam, const rpFootRig* rig)
{
	double cut = seam->def.cut;
	for (int foot = 0; foot < rp_legCount; ++foot)
	{
		bool before = rests(seam->from, foot, cut), after = rests(seam->to, foot, cut);
		bool isBorne = rests(seam->from, 1 - foot, cut) && rests(seam->to, 1 - foot, cut);
		if (!rig->legs[foot].isThere || !isBorne || before == after)
		{
			continue;
		}
		// The first moment at which it is taken away from where the span before has it; or the last at which it has not
		// yet come to where the next one has it.
		*(before ? &seam->leave[foot] : &seam->enter[foot]) = findMoment(seam, rig, foot, before);
	}
}
