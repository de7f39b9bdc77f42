/// How well a player of locomotion did what it was asked to.
#include "reprise/play/recording.h"

#include <math.h>

// Frames of a run from first on and before end.
static int countFrames(const rpRecording* recording, int run, int first, int end)
{
	bool isLast = run + 1 == recording->runCount;
	int start = recording->runs[run].first,
		stop = isLast ? recording->motion->frameCount : recording->runs[run + 1].first;
	start = start > first ? start : first;
	stop = stop < end ? stop : end;
	return stop > start ? stop - start : 0;
}

// The run that a frame belongs to.
static int findRun(const rpRecording* recording, int frame)
{
	int low = 0, high = recording->runCount;
	while (high - low > 1)
	{
		int middle = low + (high - low) / 2;
		*(recording->runs[middle].first <= frame ? &low : &high) = middle;
	}
	return low;
}

// Whether a movement begins with a run, and that at or after a frame.
static bool begins(const rpRecording* recording, int run, int first)
{
	const rpMovementRun* now = &recording->runs[run];
	return now->first >= first && (run == 0 || now->movement.number != now[-1].movement.number);
}

// What was planned when the order held: knots come later than that.
static bool belongsTo(const rpMovementReport* movement, rpGait gait)
{
	return movement->wantedGait == gait && rpMovementKind_GetBefore(movement->kind) == gait &&
		   rpMovementKind_GetAfter(movement->kind) == gait;
}

static void addStretch(rpAnswer* answer, const rpMovementReport* movement, double seconds)
{
	answer->seconds += seconds;
	answer->speed += seconds * (double)movement->speed;
	answer->turn += seconds * (double)movement->turn;
	answer->plainSpeed += seconds * (double)movement->plainSpeed;
	answer->plainTurn += seconds * (double)movement->plainTurn;
}

static void divide(rpAnswer* answer)
{
	double scale = answer->seconds > 0.0 ? 1.0 / answer->seconds : (double)NAN;
	answer->speed *= scale;
	answer->turn *= scale;
	answer->plainSpeed *= scale;
	answer->plainTurn *= scale;
}

static rpAnswer judge(const rpRecording* recording, const rpOrder* order, double end)
{
	const rpMotion* motion = recording->motion;
	rpAnswer answer = {.start = order->time, .end = end, .response = -1.0};
	rpGait gait = rpPlayerInput_GetGait(&order->input);
	bool isShown = false;
	int first = rpMotion_GetFrame(motion, order->time), last = rpMotion_GetFrame(motion, end);
	for (int i = findRun(recording, first); first < last && i < recording->runCount && recording->runs[i].first < last;
		 ++i)
	{
		const rpMovementReport* movement = &recording->runs[i].movement;
		if (begins(recording, i, first) && movement->isAnswer && answer.response < 0.0)
		{
			answer.response = (double)movement->response;
		}
		isShown = isShown || rpMovementKind_GetAfter(movement->kind) == gait;
		if (answer.response >= 0.0 && belongsTo(movement, gait))
		{
			addStretch(&answer, movement, countFrames(recording, i, first, last) / motion->fps);
		}
	}
	// Another gait is no answer.
	answer.response = isShown ? answer.response : -1.0;
	divide(&answer);
	return answer;
}

// Orders without a speed of their own are not judged by it, nor those with a direction by a turn.
static bool isJudged(const rpAnswer* answer, const rpPlayerInput* input)
{
	rpVec2 d = input->stick;
	bool isSteered = d.x * d.x + d.y * d.y >= 0.01f;
	return answer->seconds > 0.0 && input->request != rp_gaitStand && input->locomotion.speed > 0.0f && !isSteered;
}

static void addAnswer(rpAnswerSummary* sums, const rpAnswer* answer, const rpPlayerInput* input)
{
	if (answer->response >= 0.0)
	{
		sums->responseMean += answer->response;
		sums->responseMax = fmax(sums->responseMax, answer->response);
		++sums->responseCount;
	}
	if (isJudged(answer, input))
	{
		sums->speedError += fabs(answer->speed / (double)input->locomotion.speed - 1.0);
		sums->plainSpeedError += fabs(answer->plainSpeed / (double)input->locomotion.speed - 1.0);
		sums->turnError += fabs(answer->turn - (double)input->locomotion.turn);
		sums->plainTurnError += fabs(answer->plainTurn - (double)input->locomotion.turn);
		++sums->judgedCount;
	}
}

void rpRecording_Judge(const rpRecording* recording, const rpOrder* orders, int orderCount, rpAnswer* answers,
					   rpAnswerSummary* summary)
{
	rpAnswerSummary sums = {0};
	double last = rpMotion_GetDuration(recording->motion);
	for (int i = 0; i < orderCount; ++i)
	{
		rpAnswer answer = judge(recording, &orders[i], i + 1 < orderCount ? fmin(orders[i + 1].time, last) : last);
		addAnswer(&sums, &answer, &orders[i].input);
		if (answers != NULL)
		{
			answers[i] = answer;
		}
	}
	if (summary != NULL)
	{
		double scale = 1.0 / fmax(sums.judgedCount, 1.0);
		sums.speedError *= scale;
		sums.plainSpeedError *= scale;
		sums.turnError *= scale;
		sums.plainTurnError *= scale;
		sums.responseMean /= fmax(sums.responseCount, 1.0);
		*summary = sums;
	}
}

// Runs in which one gait was asked for.
static void addMiss(const rpRecording* recording, int first, int end, unsigned gaits, double patience, rpGaitMiss* miss)
{
	int frameCount = 0, frames[rp_gaitCount] = {0};
	rpGait gait = recording->runs[first].asked;
	for (int i = first; i < end; ++i)
	{
		int count = countFrames(recording, i, 0, recording->motion->frameCount);
		frames[rpMovementKind_GetAfter(recording->runs[i].movement.kind)] += count;
		frameCount += count;
	}
	double fps = recording->motion->fps;
	if (frames[gait] > 0 || ((gaits >> gait & 1) != 0 && frameCount / fps < patience))
	{
		return;
	}
	miss->seconds += frameCount / fps;
	for (int i = 0; i < rp_gaitCount; ++i)
	{
		miss->shown[i] += frames[i] / fps;
	}
}

void rpRecording_FindMisses(const rpRecording* recording, unsigned gaits, double patience, rpGaitMiss* misses)
{
	const rpMovementRun* runs = recording->runs;
	for (int i = 0; i < rp_gaitCount; ++i)
	{
		misses[i] = (rpGaitMiss){0};
	}
	for (int first = 0, end; first < recording->runCount; first = end)
	{
		for (end = first + 1; end < recording->runCount && runs[end].asked == runs[first].asked;)
		{
			++end;
		}
		addMiss(recording, first, end, gaits, patience, &misses[runs[first].asked]);
	}
}
