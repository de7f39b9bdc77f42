/// The second opinion: ../shared/judge/realism.py, a judge that shares no code with this house.
#pragma once

#include "realism_makers.h"

/// One row of its table. NaN where it says nothing.
typedef struct SecondRow
{
	char name[48];
	double source, made;
} SecondRow;

typedef struct SecondOpinion
{
	SecondRow rows[64];
	int count;
} SecondOpinion;

/// Where its script is, or NULL, with the reason on stderr: looked for beside the captured data, and tried.
const char* realismFindSecond(const char* mocap);

/// Ask it; with `classifies` for visible_auc too. False where it could not decide.
bool realismAskSecond(const char* script, const RealismFiles* sources, const RealismFiles* made, bool classifies,
					  SecondOpinion* out);

/// The row whose name is, or begins with, this and a blank; NULL if there is none.
const SecondRow* realismFindRow(const SecondOpinion* opinion, const char* name);
