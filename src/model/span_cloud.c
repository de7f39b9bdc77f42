#include "model/span_cloud.h"

// What is less high is no step, metres: half of a low stair (0.12 m). Heights of contacts of flat captured walks are
// within 4 cm of the floor.
#define LEAST_STEP 0.06f

static void place(const rpSpanCloud* cloud, const rpSpanMoment* moment, int frame, rpTransform* world)
{
	rpPose pose = {.rotations = cloud->rotations};
	rpSpan_Sample(moment->span, moment->seconds + (frame - cloud->halfWindow) * cloud->step, &pose);
	rpSkeleton_Forward(cloud->skeleton, pose.rootPosition, pose.rotations, NULL, world);
}

// Places are taken from the origins, which are near the markers: nothing is lost where eq. 4.2 subtracts.
rpSpanMoment rpSpan_GetMoment(const rpSpan* span, double seconds, double bearing)
{
	rpVec3 root = rpSpan_GetRoot(span, seconds);
	return (rpSpanMoment){span, seconds, {root.x, rpSpan_FindSupport(span, bearing), root.z}};
}

static rpVec3 placeMarker(const rpParametricMarker* marker, const rpTransform* world, rpVec3 origin)
{
	rpVec3 offset = {marker->offset[0], marker->offset[1], marker->offset[2]};
	return rpSub(rpTransformPoint(world[marker->joint], offset), origin);
}

void rpSpanCloud_Add(const rpSpanCloud* cloud, const rpSpanMoment* a, const rpSpanMoment* b, int frame,
					 rpCloudSums* sums)
{
	rpTransform *worldA = cloud->world, *worldB = cloud->world + cloud->skeleton->jointCount;
	place(cloud, a, frame, worldA);
	place(cloud, b, frame, worldB);
	for (int m = 0; m < cloud->markerCount; ++m)
	{
		const rpParametricMarker* marker = &cloud->markers[m];
		rpVec3 p = placeMarker(marker, worldA, a->origin), q = placeMarker(marker, worldB, b->origin);
		double w = (double)cloud->window[frame] * (double)marker->weight;
		double x = (double)p.x, z = (double)p.z, x2 = (double)q.x, z2 = (double)q.z, dy = (double)p.y - (double)q.y;
		sums->x += w * x;
		sums->z += w * z;
		sums->x2 += w * x2;
		sums->z2 += w * z2;
		sums->along += w * (x * x2 + z * z2);
		sums->across += w * (x * z2 - z * x2);
		sums->floor += w * (x * x + z * z + x2 * x2 + z2 * z2);
		sums->height += w * dy * dy;
	}
}

float rpSpanCloud_Finish(const rpSpanMoment* a, const rpSpanMoment* b, const rpCloudSums* sums,
						 rpGroundTransform* alignment)
{
	double along = sums->along - (sums->x * sums->x2 + sums->z * sums->z2);
	double across = sums->across - (sums->x * sums->z2 - sums->z * sums->x2);
	double squares = sums->x * sums->x + sums->z * sums->z + sums->x2 * sums->x2 + sums->z2 * sums->z2;
	double spread = sums->floor - squares + sums->height;
	double square = spread - 2.0 * sqrt(along * along + across * across);
	if (alignment != NULL)
	{
		float turn = rpAtan2((float)across, (float)along), s, c;
		rpVec3 p = a->origin, q = b->origin;
		rpSinCos(turn, &s, &c);
		float x2 = q.x + (float)sums->x2, z2 = q.z + (float)sums->z2;
		*alignment = (rpGroundTransform){
			turn, {p.x + (float)sums->x - c * x2 - s * z2, p.y - q.y, p.z + (float)sums->z + s * x2 - c * z2}};
	}
	return (float)sqrt(fmax(square, 0.0));
}

float rpSpanCloud_Compare(const rpSpanCloud* cloud, const rpSpanMoment* a, const rpSpanMoment* b,
						  rpGroundTransform* alignment)
{
	rpCloudSums sums = {0};
	for (int frame = 0; frame <= 2 * cloud->halfWindow; ++frame)
	{
		rpSpanCloud_Add(cloud, a, b, frame, &sums);
	}
	return rpSpanCloud_Finish(a, b, &sums, alignment);
}

// ---- support

static bool isFoot(int effector)
{
	return rpEffector_GetFoot((rpEffector)effector) >= 0;
}

// How long before a contact begins, or after it ends, a moment is.
static double getGap(const rpClipContact* contact, double seconds)
{
	return fmax(fmax((double)contact->start - seconds, seconds - (double)contact->end), 0.0);
}

float rpSpan_FindSupport(const rpSpan* span, double seconds)
{
	const rpClipContact* contacts = span->contacts != NULL ? span->contacts : span->ownContacts;
	double nearest = INFINITY, sum = 0.0;
	int count = 0;
	seconds -= span->contactShift;
	for (int i = 0; i < span->contactCount; ++i)
	{
		double gap = isFoot(contacts[i].effector) ? getGap(&contacts[i], seconds) : INFINITY;
		if (gap > nearest || isinf(gap))
		{
			continue;
		}
		sum = (gap < nearest ? 0.0 : sum) + (double)contacts[i].support;
		count = gap < nearest ? 1 : count + 1;
		nearest = gap;
	}
	float floor = span->placement.shift.y, support = count > 0 ? span->rise + (float)(sum / count) : floor;
	return fabsf(support - floor) >= LEAST_STEP ? support : floor;
}
