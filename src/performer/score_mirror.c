/// A score for the other hand: left and right exchanged.
#include "performer/score.h"

static void flip(float* x)
{
	*x = -*x;
}

static void flipChannel(rpScore* score, int channel)
{
	for (int i = 0; i < score->keyCount[channel]; ++i)
	{
		flip(&score->keys[channel][i].value);
	}
}

static void exchangeChannels(rpScore* score, int a, int b)
{
	int count = score->keyCount[a];
	score->keyCount[a] = score->keyCount[b];
	score->keyCount[b] = count;
	for (int i = 0; i < SCORE_KEYS; ++i)
	{
		rpKey key = score->keys[a][i];
		score->keys[a][i] = score->keys[b][i];
		score->keys[b][i] = key;
	}
}

static void flipSwing(rpSwing* swing)
{
	flip(&swing->carry.shift.x);
	flip(&swing->carry.turn);
	for (int i = 0; i < swing->pointCount; ++i)
	{
		flip(&swing->points[i].foot.ankle.x);
		flip(&swing->points[i].foot.heading);
	}
}

static void exchangeFeet(rpScore* score)
{
	int count = score->stanceCount[0];
	score->stanceCount[0] = score->stanceCount[1];
	score->stanceCount[1] = count;
	for (int i = 0; i < SCORE_STANCES; ++i)
	{
		rpStance stance = score->stances[0][i];
		rpSwing swing = score->swings[0][i];
		score->stances[0][i] = score->stances[1][i];
		score->swings[0][i] = score->swings[1][i];
		score->stances[1][i] = stance;
		score->swings[1][i] = swing;
	}
	for (int side = 0; side < 2; ++side)
	{
		for (int i = 0; i < score->stanceCount[side]; ++i)
		{
			score->stances[side][i].side = side;
			flip(&score->stances[side][i].ball.x);
			flip(&score->stances[side][i].heading);
			flipSwing(score->swings[side] + i);
		}
	}
}

static void exchangeHands(rpScore* score)
{
	rpGrasp grasp = score->grasps[0];
	score->grasps[0] = score->grasps[1];
	score->grasps[1] = grasp;
	for (int side = 0; side < 2; ++side)
	{
		flip(&score->grasps[side].target.x);
		flip(&score->grasps[side].elbowDirection.x);
		flip(&score->grasps[side].carried.x);
	}
	for (int i = 0; i < 6; ++i)
	{
		exchangeChannels(score, rp_channelLeftArm + i, rp_channelRightArm + i);
	}
}

static void flipKnots(rpKnot* knots, int count)
{
	for (int i = 0; i < count; ++i)
	{
		knots[i].p[0] = -knots[i].p[0];
		knots[i].v[0] = -knots[i].v[0];
		knots[i].a[0] = -knots[i].a[0];
	}
}

void rpScore_Mirror(rpScore* score)
{
	static const int sided[] = {rp_channelX,         rp_channelPelvisTurn, rp_channelPelvisRoll, rp_channelTrunkTurn,
								rp_channelTrunkSide, rp_channelHeadTurn,   rp_channelHeadTilt};
	for (size_t i = 0; i < sizeof(sided) / sizeof(sided[0]); ++i)
	{
		flipChannel(score, sided[i]);
	}
	exchangeFeet(score);
	exchangeHands(score);
	flipKnots(score->path, score->pathCount);
	flipKnots(score->turns, score->turnCount);
	flip(&score->next.shift.x);
	flip(&score->next.turn);
	flip(&score->seat.x);
}
