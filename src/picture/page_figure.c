#include "picture/page_figure.h"

#include "picture/page_text.h"

static void numberPoints(rpPageFigure* page)
{
	const rpFigure* figure = &page->figure;
	page->numbers[0] = 1;
	for (int i = 0; i < figure->limbCount; ++i)
	{
		page->numbers[figure->limbs[i].from] = 1;
		page->numbers[figure->limbs[i].to] = 1;
	}
	if (figure->headFrom >= 0)
	{
		page->numbers[figure->headFrom] = 1;
		page->numbers[figure->headTo] = 1;
	}
	for (int i = 0; i < figure->pointCount; ++i)
	{
		page->numbers[i] = page->numbers[i] != 0 ? page->usedCount++ : -1;
	}
}

bool rpMakePageFigure(const rpSkeleton* skeleton, rpPageFigure* out, rpError* error)
{
	*out = (rpPageFigure){0};
	if (!rpMakeFigure(skeleton, &out->figure, error))
	{
		return false;
	}
	out->numbers = rpAllocateZero((size_t)out->figure.pointCount, sizeof(int), error);
	if (out->numbers == NULL)
	{
		rpPageFigure_Free(out);
		return false;
	}
	numberPoints(out);
	return true;
}

void rpPageFigure_Free(rpPageFigure* figure)
{
	rpFigure_Free(&figure->figure);
	rpFree(figure->numbers);
	*figure = (rpPageFigure){0};
}

void rpPageFigure_Append(const rpPageFigure* page, rpText* out)
{
	const rpFigure* figure = &page->figure;
	rpAppendJsonMember(out, "pointCount", page->usedCount);
	rpAppendJsonMember(out, "stature", (double)figure->stature);
	rpText_AppendString(out, ",\"limbs\":[");
	for (int i = 0; i < figure->limbCount; ++i)
	{
		const rpFigureLimb* limb = figure->limbs + i;
		rpText_Print(out, "%s[%d,%d,", i > 0 ? "," : "", page->numbers[limb->from], page->numbers[limb->to]);
		rpAppendJsonNumber(out, (double)limb->fromRadius);
		rpText_AppendString(out, ",");
		rpAppendJsonNumber(out, (double)limb->toRadius);
		rpText_Print(out, ",%d,%d]", (int)limb->side, limb->neck);
	}
	rpText_AppendString(out, "],\"head\":");
	if (figure->headFrom < 0)
	{
		rpText_AppendString(out, "null");
		return;
	}
	rpText_Print(out, "[%d,%d,", page->numbers[figure->headFrom], page->numbers[figure->headTo]);
	rpAppendJsonNumber(out, (double)figure->headRadius);
	rpText_AppendString(out, "]");
}
