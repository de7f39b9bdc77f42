/// The frame rate: nothing that a body does makes its centre of mass fall faster than g, and in the air it falls with g
/// exactly. Read at twice the true rate it falls with 4 g. Many captures of 60 Hz lie about with a header of 120.
///
/// A flight is a stretch in which both feet are well above where they mostly are and the centre of mass follows a
/// parabola: heights alone, so that a false rate does not hide it. Flights that agree on an impossible gravity correct
/// the rate to the nearest one in use that makes them fall rightly. A weaker doubt is reported, and nothing is done.
#include "base/findings.h"
#include "base/memory.h"
#include "doctor/patient.h"
#include "reprise/play/body.h"

// Both feet are this much above where they mostly are, in parts of the leg's length.
#define CLEARANCE_PART 0.06f
// A flight has this many rows at least; some at both ends are left out, since feet clear the floor late and early.
#define FEWEST_ROWS 7
// A parabola misses the centre of mass by no more than this part of the height fallen through (root mean square).
#define MISS_PART 0.03
// Gravities that are beyond doubt wrong, in g, and those that are merely odd.
#define IMPOSSIBLE 2.8
#define ODD_HIGH 1.6
#define ODD_LOW 0.45
// A corrected rate makes bodies fall with g within this factor's logarithm: masses are estimates, and runners' flights
// short. A rate that does not divide the header's must be so much better.
#define TOLERANCE 0.4
#define UNEVEN_COST 0.35
// Flights agree whose gravities differ from the median by less than this, as a logarithm.
#define AGREE 0.25
// With a foot down, a body that falls faster than this for as long as SUSTAINED is odd, in g and seconds.
#define FALL_LIMIT 2.5
#define SUSTAINED 0.1

enum
{
	maxFlights = 64,
};

// Rates in use, frames per second.
static const double s_rates[] = {24.0, 25.0,  30.0,  48.0,  50.0,  60.0,  72.0,
								 90.0, 100.0, 120.0, 150.0, 180.0, 200.0, 240.0};

/// What is measured on the rows that passed.
typedef struct Fall
{
	/// [count] each: height of the centre of mass, and of the lowest point of the feet, metres.
	float* centers;
	float* lowest;
	float* sorted;
	int count;

	double gravities[maxFlights];
	int flightCount;
	int firstRow, rowCount; // of the longest flight
} Fall;

static void measureRows(const rpPatient* patient, const rpBody* body, Fall* fall)
{
	const rpMotion* motion = patient->motion;
	const rpSkeleton* skeleton = motion->skeleton;
	rpTransform pose[RP_MAX_JOINTS];
	for (int i = 0; i < fall->count; ++i)
	{
		rpMotion_Forward(motion, patient->first + i, pose);
		fall->centers[i] = rpBody_GetCenter(body, pose).y;
		fall->lowest[i] = INFINITY;
		for (int effector = rp_leftHeel; effector <= rp_rightToe; ++effector)
		{
			rpAttachment at = skeleton->effectors[effector];
			fall->lowest[i] = fminf(fall->lowest[i], rpTransformPoint(pose[at.joint], at.offset).y);
		}
	}
}

/// A parabola through rows by least squares: its curvature per row squared, and what it misses.
typedef struct Parabola
{
	double curvature, miss;
} Parabola;

static Parabola fitParabola(const float* heights, int count)
{
	double s2 = 0.0, s4 = 0.0, y0 = 0.0, y1 = 0.0, y2 = 0.0, middle = 0.5 * (count - 1);
	for (int i = 0; i < count; ++i)
	{
		double t = i - middle, y = (double)(heights[i] - heights[0]);
		s2 += t * t;
		s4 += t * t * t * t;
		y0 += y;
		y1 += y * t;
		y2 += y * t * t;
	}
	double c = (count * y2 - s2 * y0) / (count * s4 - s2 * s2), b = y1 / s2, a = (y0 - c * s2) / count, sum = 0.0;
	for (int i = 0; i < count; ++i)
	{
		double t = i - middle, off = (double)(heights[i] - heights[0]) - a - t * (b + t * c);
		sum += off * off;
	}
	return (Parabola){2.0 * c, sqrt(sum / count)};
}

static void addFlight(const rpPatient* patient, Fall* fall, int first, int last)
{
	int margin = 1 + (last - first) / 10, count = last - first + 1 - 2 * margin;
	if (count < FEWEST_ROWS || fall->flightCount >= maxFlights ||
		rpPatient_WasSaid(patient, patient->first + first, patient->first + last))
	{
		return;
	}
	Parabola fit = fitParabola(fall->centers + first + margin, count);
	// How far it falls from the middle to the ends, if it is symmetric.
	double drop = -0.125 * fit.curvature * count * count;
	if (drop > 0.0 && fit.miss < MISS_PART * drop)
	{
		fall->gravities[fall->flightCount++] = -fit.curvature * patient->motion->fps * patient->motion->fps;
		if (last - first + 1 > fall->rowCount)
		{
			fall->firstRow = patient->first + first;
			fall->rowCount = last - first + 1;
		}
	}
}

static void findFlights(const rpPatient* patient, Fall* fall)
{
	for (int i = 0; i < fall->count; ++i)
	{
		fall->sorted[i] = fall->lowest[i];
	}
	float floor = rpTakeMedian(fall->sorted, fall->count);
	float clear = floor + CLEARANCE_PART * patient->motion->skeleton->legLength;
	for (int i = 0, first = -1; i < fall->count; ++i)
	{
		bool up = fall->lowest[i] > clear;
		if (first >= 0 && !up)
		{
			// Flights at the ends of the clip are cut, and may have begun with something else.
			if (first > 0)
			{
				addFlight(patient, fall, first, i - 1);
			}
			first = -1;
		}
		first = up && first < 0 ? i : first;
	}
}

static double getMedian(const double* values, int count)
{
	float copies[maxFlights] = {0};
	for (int i = 0; i < count; ++i)
	{
		copies[i] = (float)values[i];
	}
	return (double)rpTakeMedian(copies, count);
}

static int countAgreeing(const Fall* fall, double median)
{
	int count = 0;
	for (int i = 0; i < fall->flightCount; ++i)
	{
		count += fabs(log(fall->gravities[i] / median)) < AGREE;
	}
	return count;
}

// How unlikely a rate is: by the gravity that it makes, and if the header is no multiple of it, since captures are
// thinned by whole numbers.
static double getSurprise(double rate, double fps, double gravity)
{
	double times = fps / rate, whole = fabs(times - round(times));
	return fabs(log(gravity / (times * times * RP_GRAVITY))) + (times > 1.0 && whole < 0.01 ? 0.0 : UNEVEN_COST);
}

// The rate that makes bodies fall rightly, 0 if none in use does.
static double findRate(double fps, double gravity)
{
	double best = 0.0;
	for (int i = 0; i < (int)(sizeof(s_rates) / sizeof(s_rates[0])); ++i)
	{
		double times = fps / s_rates[i];
		bool right = fabs(log(gravity / (times * times * RP_GRAVITY))) < TOLERANCE;
		if (right && (best == 0.0 || getSurprise(s_rates[i], fps, gravity) < getSurprise(best, fps, gravity)))
		{
			best = s_rates[i];
		}
	}
	return best;
}

static void correct(rpPatient* patient, const Fall* fall, double gravity, double rate)
{
	double fps = patient->motion->fps;
	rpFinding* finding = rpFindings_Add(
		patient->findings, "frame_rate",
		"the body falls with %.1f g in the air (%d flight%s, the longest from row %d) at the file's %.6g frames per "
		"second; at %.6g it falls with %.2f g",
		gravity / RP_GRAVITY, fall->flightCount, fall->flightCount == 1 ? "" : "s", fall->firstRow, fps, rate,
		gravity / RP_GRAVITY * rate * rate / (fps * fps));
	if (patient->def->repair)
	{
		rpSetRate(patient->motion, rate);
		rpFinding_SetAction(finding, true, "taken as %.6g frames per second; --read-fps sets another", rate);
		return;
	}
	rpFinding_SetAction(finding, false, "nothing; --read-fps %.6g reads it so", rate);
}

static void doubt(rpPatient* patient, const char* what, double gravity)
{
	rpFinding* finding =
		rpFindings_Add(patient->findings, "frame_rate", "%s with %.1f g at the file's %.6g frames per second", what,
					   gravity / RP_GRAVITY, patient->motion->fps);
	rpFinding_SetAction(finding, false, "nothing; if it plays too fast or too slowly, --read-fps sets the rate");
}

// The fastest that the centre of mass falls for a while, whatever the feet do.
static double findFastestFall(const rpPatient* patient, const Fall* fall)
{
	double fps = patient->motion->fps, fastest = 0.0;
	int count = (int)ceil(SUSTAINED * fps) + 1;
	for (int i = 0; count >= FEWEST_ROWS && i + count <= fall->count; ++i)
	{
		int row = patient->first + i;
		// Rows that are known to be bad fall as they like.
		if (!rpPatient_WasSaid(patient, row, row + count - 1))
		{
			fastest = fmax(fastest, -fitParabola(fall->centers + i, count).curvature * fps * fps);
		}
	}
	return fastest;
}

// What is beyond doubt.
static void judgeRate(rpPatient* patient, const Fall* fall)
{
	double gravity = getMedian(fall->gravities, fall->flightCount);
	if (patient->take != NULL)
	{
		patient->take->gravity = gravity;
	}
	double rate = gravity > IMPOSSIBLE * RP_GRAVITY ? findRate(patient->motion->fps, gravity) : 0.0;
	if (rate > 0.0 && 3 * countAgreeing(fall, gravity) >= 2 * fall->flightCount)
	{
		correct(patient, fall, gravity, rate);
		patient->rateWasSaid = true;
	}
}

static void judgeFalls(rpPatient* patient, const Fall* fall)
{
	double gravity = getMedian(fall->gravities, fall->flightCount), fastest = 0.0;
	bool odd = gravity > ODD_HIGH * RP_GRAVITY || (gravity < ODD_LOW * RP_GRAVITY && countAgreeing(fall, gravity) >= 2);
	if (fall->flightCount > 0 && odd)
	{
		doubt(patient, "the body falls in the air", gravity);
	}
	else if (fall->flightCount == 0 && (fastest = findFastestFall(patient, fall)) > FALL_LIMIT * RP_GRAVITY)
	{
		doubt(patient, "the body falls for a tenth of a second", fastest);
	}
}

static bool examine(rpPatient* patient, void (*judge)(rpPatient* patient, const Fall* fall))
{
	const rpSkeleton* skeleton = patient->motion->skeleton;
	rpBody body;
	bool hasFeet = skeleton->effectors[rp_leftToe].joint >= 0 && skeleton->effectors[rp_rightToe].joint >= 0;
	// A rate that was asked for is not doubted.
	if (patient->def->fps > 0.0 || patient->rateWasSaid || !hasFeet || !rpWeighSkeleton(skeleton, NULL, &body, NULL))
	{
		return true;
	}
	Fall fall = {.count = patient->last - patient->first + 1};
	fall.centers = rpAllocate(3 * (size_t)fall.count, sizeof(float), patient->error);
	if (fall.centers == NULL)
	{
		return false;
	}
	fall.lowest = fall.centers + fall.count;
	fall.sorted = fall.lowest + fall.count;
	measureRows(patient, &body, &fall);
	findFlights(patient, &fall);
	judge(patient, &fall);
	rpFree(fall.centers);
	return true;
}

bool rpExamineRate(rpPatient* patient)
{
	double fileFps = patient->motion->fps;
	bool done = examine(patient, judgeRate);
	if (patient->take != NULL)
	{
		patient->take->isRateOpen = patient->def->repair && !(patient->def->fps > 0.0);
		patient->take->fileFps = fileFps;
		patient->take->ownFps = patient->motion->fps;
	}
	return done;
}

bool rpExamineFalls(rpPatient* patient)
{
	return examine(patient, judgeFalls);
}
