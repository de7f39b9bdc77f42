/// Time warps: strictly increasing maps between the seconds of two motions, as lines or as a monotone cubic.
///
/// F. N. Fritsch & R. E. Carlson, Monotone piecewise cubic interpolation, SIAM J. Numer. Anal. 17, 1980; slopes at the
/// knots as in F. N. Fritsch & J. Butland, A method for constructing local monotone piecewise cubic interpolants, 1984.
/// Slopes depend on three knots only, so that nothing needs to be kept between calls.
#include "base/assert.h"
#include "reprise/play/motion.h"

// Newton's method is quadratic and guarded by bisection, which alone needs 53 steps.
#define MAX_STEPS 64

// Slopes of a piece up to three times its chord keep the cubic monotone; a third of it keeps the end moving.
#define STEEPEST 3.0

/// One piece: from (x, y), as long as (width, rise), with these slopes at its ends.
typedef struct Piece
{
	double x, y, width, rise;
	double startSlope, endSlope;
} Piece;

// The piece that holds a value of the given axis; the first or last one for values outside.
static int findPiece(const double* knots, int count, double value)
{
	int low = 0, high = count - 1;
	while (high - low > 1)
	{
		int middle = low + (high - low) / 2;
		*(knots[middle] <= value ? &low : &high) = middle;
	}
	return low;
}

static double getChord(const rpWarp* warp, int i)
{
	return (warp->oldTimes[i + 1] - warp->oldTimes[i]) / (warp->newTimes[i + 1] - warp->newTimes[i]);
}

// At an end: the parabola through the three nearest knots, as far as the cubic stays monotone.
static double getEndSlope(double chord, double nextChord, double width, double nextWidth)
{
	double slope = ((2.0 * width + nextWidth) * chord - width * nextChord) / (width + nextWidth);
	return fmin(fmax(slope, chord / STEEPEST), STEEPEST * chord);
}

static double getSlope(const rpWarp* warp, int knot)
{
	int last = warp->count - 1;
	if (last == 1)
	{
		return getChord(warp, 0);
	}
	const double* x = warp->newTimes;
	if (knot == 0)
	{
		return getEndSlope(getChord(warp, 0), getChord(warp, 1), x[1] - x[0], x[2] - x[1]);
	}
	if (knot == last)
	{
		return getEndSlope(getChord(warp, last - 1), getChord(warp, last - 2), x[last] - x[last - 1],
						   x[last - 1] - x[last - 2]);
	}
	// A weighted harmonic mean of the chords on both sides: positive, and at most three times the smaller.
	double before = x[knot] - x[knot - 1], after = x[knot + 1] - x[knot];
	double weightBefore = 2.0 * after + before, weightAfter = after + 2.0 * before;
	return (weightBefore + weightAfter) /
		   (weightBefore / getChord(warp, knot - 1) + weightAfter / getChord(warp, knot));
}

static Piece getPiece(const rpWarp* warp, int i)
{
	double chord = getChord(warp, i);
	return (Piece){
		.x = warp->newTimes[i],
		.y = warp->oldTimes[i],
		.width = warp->newTimes[i + 1] - warp->newTimes[i],
		.rise = warp->oldTimes[i + 1] - warp->oldTimes[i],
		.startSlope = warp->smooth ? getSlope(warp, i) : chord,
		.endSlope = warp->smooth ? getSlope(warp, i + 1) : chord,
	};
}

// Rise of the piece at a fraction s of its width, and its derivative by s.
static double evaluate(const Piece* piece, double s, double* derivative)
{
	double start = piece->startSlope * piece->width, end = piece->endSlope * piece->width;
	double square = 3.0 * piece->rise - 2.0 * start - end;
	double cube = start + end - 2.0 * piece->rise;
	*derivative = start + s * (2.0 * square + 3.0 * s * cube);
	return s * (start + s * (square + s * cube));
}

// The fraction at which the piece has risen by `rise`: Newton's method, kept inside a shrinking bracket.
static double solve(const Piece* piece, double rise)
{
	double low = 0.0, high = 1.0;
	double s = rise / piece->rise;
	for (int step = 0; step < MAX_STEPS && low < high; ++step)
	{
		double derivative;
		double excess = evaluate(piece, s, &derivative) - rise;
		if (excess == 0.0)
		{
			break;
		}
		*(excess > 0.0 ? &high : &low) = s;
		double next = s - excess / derivative;
		next = next > low && next < high ? next : 0.5 * (low + high);
		if (next == s)
		{
			break;
		}
		s = next;
	}
	return s;
}

double rpWarp_Apply(const rpWarp* warp, double newSeconds)
{
	RP_ASSERT(warp->count >= 2);
	Piece piece = getPiece(warp, findPiece(warp->newTimes, warp->count, newSeconds));
	double offset = newSeconds - piece.x;
	if (offset <= 0.0)
	{
		return piece.y + piece.startSlope * offset;
	}
	if (offset >= piece.width)
	{
		return piece.y + piece.rise + piece.endSlope * (offset - piece.width);
	}
	double derivative;
	return piece.y +
		   (warp->smooth ? evaluate(&piece, offset / piece.width, &derivative) : piece.rise * (offset / piece.width));
}

double rpWarp_Invert(const rpWarp* warp, double oldSeconds)
{
	RP_ASSERT(warp->count >= 2);
	Piece piece = getPiece(warp, findPiece(warp->oldTimes, warp->count, oldSeconds));
	double offset = oldSeconds - piece.y;
	if (offset <= 0.0)
	{
		return piece.x + offset / piece.startSlope;
	}
	if (offset >= piece.rise)
	{
		return piece.x + piece.width + (offset - piece.rise) / piece.endSlope;
	}
	return piece.x + piece.width * (warp->smooth ? solve(&piece, offset) : offset / piece.rise);
}
