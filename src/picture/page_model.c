/// Each model holds its body's figure, as clips do; where each point of it is, a joint and x, y, z in the joint's frame
/// ("points"); and the bytes of its bundle, folded and compressed ("bundle").
#include "picture/page_model.h"

#include "picture/assets.h"
#include "picture/escape.h"
#include "picture/page_figure.h"
#include "picture/page_text.h"
#include "reprise/play/player.h"

// A point is a joint, an end site or a heel.
static rpAttachment getPlace(const rpSkeleton* skeleton, const rpFigure* figure, int point)
{
	if (point < skeleton->jointCount)
	{
		return (rpAttachment){.joint = point};
	}
	point -= skeleton->jointCount;
	if (point < skeleton->endCount)
	{
		return (rpAttachment){skeleton->ends[point].joint, skeleton->ends[point].offset};
	}
	return figure->extras[point - skeleton->endCount];
}

static void appendPoints(const rpSkeleton* skeleton, const rpPageFigure* figure, rpText* out)
{
	rpText_AppendString(out, ",\"points\":[");
	for (int i = 0; i < figure->figure.pointCount; ++i)
	{
		if (figure->numbers[i] < 0)
		{
			continue;
		}
		rpAttachment place = getPlace(skeleton, &figure->figure, i);
		const float offset[3] = {place.offset.x, place.offset.y, place.offset.z};
		rpText_Print(out, "%s[%d", figure->numbers[i] > 0 ? "," : "", place.joint);
		for (int k = 0; k < 3; ++k)
		{
			rpText_AppendString(out, ",");
			rpAppendJsonNumber(out, (double)offset[k]);
		}
		rpText_AppendString(out, "]");
	}
	rpText_AppendString(out, "]");
}

static bool appendBody(const rpPageModel* model, const rpSkeleton* skeleton, rpText* out, rpError* error)
{
	rpPageFigure figure;
	if (!rpMakePageFigure(skeleton, &figure, error))
	{
		return false;
	}
	rpText_AppendString(out, "{\"name\":");
	rpAppendJsonString(out, model->name != NULL && model->name[0] != 0 ? model->name : "model");
	rpPageFigure_Append(&figure, out);
	appendPoints(skeleton, &figure, out);
	rpPageFigure_Free(&figure);
	return true;
}

static bool appendBundle(const rpBundle* bundle, rpText* out, rpError* error)
{
	size_t size;
	void* folded = rpFoldBundle(bundle, &size, error);
	rpText_AppendString(out, ",\"bundle\":");
	bool ok = folded != NULL && rpAppendJsonPacked(out, folded, size, error);
	rpText_AppendString(out, "}");
	rpFreeBytes(folded);
	return ok;
}

bool rpAppendPageModel(const rpPageModel* model, rpText* out, rpError* error)
{
	rpBundle* bundle = rpCreateBundle(model->bytes, model->size, error);
	rpPlayer* player = bundle != NULL ? rpCreatePlayer(bundle, NULL, error) : NULL;
	bool ok = player != NULL && appendBody(model, rpPlayer_GetSkeleton(player), out, error);
	rpDestroyPlayer(player);
	ok = ok && appendBundle(bundle, out, error);
	rpDestroyBundle(bundle);
	return ok;
}

bool rpAppendPageRuntime(rpText* out, rpError* error)
{
	return rpAppendJsonPacked(out, rpAsset_reprise_play_wasm, rpAsset_reprise_play_wasm_size, error);
}
