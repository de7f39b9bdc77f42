#include "timeline/layers.h"

#include "base/error.h"
#include "base/memory.h"

#include <string.h>

static const rpLayerKind* const s_kinds[] = {&rpLeanLayer};

const rpLayerKind* rpFindLayerKind(const char* name)
{
	for (size_t i = 0; i < sizeof(s_kinds) / sizeof(s_kinds[0]); ++i)
	{
		if (strcmp(s_kinds[i]->name, name) == 0)
		{
			return s_kinds[i];
		}
	}
	return NULL;
}

void rpLayers_Free(rpLayers* layers)
{
	rpFree(layers->states);
	rpFree(layers->spare);
	*layers = (rpLayers){0};
}

// States lie on multiples of 16 bytes.
static bool growStates(rpLayers* layers, size_t stateSize, rpError* error)
{
	size_t size = layers->size + (stateSize + 15) / 16 * 16;
	char *states = rpAllocateZero(size + 1, 1, error), *spare = rpAllocateZero(size + 1, 1, error);
	if (states == NULL || spare == NULL)
	{
		rpFree(states);
		rpFree(spare);
		return false;
	}
	if (layers->size > 0)
	{
		memcpy(states, layers->states, layers->size);
	}
	rpFree(layers->states);
	rpFree(layers->spare);
	layers->states = states;
	layers->spare = spare;
	layers->size = size;
	return true;
}

int rpLayers_Add(rpLayers* layers, const rpLayerKind* kind, const void* def, rpError* error)
{
	size_t state = layers->size;
	if (layers->count == RP_MAX_LAYERS)
	{
		rpFail(error, rp_errorLimit, "a layer \"%s\" on %d others; at most %d are allowed", kind->name, layers->count,
			   RP_MAX_LAYERS);
		return -1;
	}
	if (kind->defSize > RP_MAX_LAYER_DEF || (kind->check != NULL && !kind->check(def)))
	{
		rpFail(error, rp_errorArgument, "the definition of the layer \"%s\" makes no sense", kind->name);
		return -1;
	}
	if (!growStates(layers, kind->stateSize, error))
	{
		return -1;
	}
	rpLayer* layer = &layers->items[layers->count];
	*layer = (rpLayer){.kind = kind, .weight = 1.0f, .goal = 1.0f, .state = state};
	memcpy(layer->def, def, kind->defSize);
	return layers->count++;
}

void rpLayers_Switch(rpLayers* layers, int index, float weight, double seconds)
{
	rpLayer* layer = &layers->items[index];
	layer->goal = fminf(fmaxf(weight, 0.0f), 1.0f);
	layer->left = seconds > 0.0 ? (float)seconds : 0.0f;
	if (layer->left == 0.0f)
	{
		layer->weight = layer->goal;
		layer->rate = 0.0f;
	}
}

void rpLayers_Reset(rpLayers* layers)
{
	for (int i = 0; i < layers->count; ++i)
	{
		rpLayers_Switch(layers, i, layers->items[i].goal, 0.0);
	}
	if (layers->size > 0)
	{
		memset(layers->states, 0, layers->size);
	}
}

// Along the cubic that is at the goal, at rest, in the time that is left.
static void ease(rpLayer* layer, float seconds)
{
	float left = layer->left, s = left > seconds ? seconds / left : 1.0f;
	float gap = layer->goal - layer->weight, slope = layer->rate * left;
	float value = s * (slope + s * (3.0f * gap - 2.0f * slope + s * (slope - 2.0f * gap)));
	float rate = slope + s * (2.0f * (3.0f * gap - 2.0f * slope) + 3.0f * s * (slope - 2.0f * gap));
	layer->weight = s < 1.0f ? layer->weight + value : layer->goal;
	layer->rate = s < 1.0f ? rate / left : 0.0f;
	layer->left = s < 1.0f ? left - seconds : 0.0f;
}

void rpLayers_Apply(rpLayers* layers, bool spare, const rpSkeleton* skeleton, double time, float seconds,
					const rpFrameNotes* notes, rpPose* pose)
{
	rpLayerFrame frame = {.skeleton = skeleton,
						  .time = time,
						  .seconds = seconds,
						  .contacts = notes->contacts,
						  .supportHeights = notes->supportHeights,
						  .labels = notes->labels,
						  .sources = notes->sources,
						  .sourceCount = notes->sourceCount};
	if (spare && layers->size > 0)
	{
		memcpy(layers->spare, layers->states, layers->size);
	}
	for (int i = 0; i < layers->count; ++i)
	{
		rpLayer copy = layers->items[i], *layer = spare ? &copy : &layers->items[i];
		ease(layer, seconds);
		frame.weight = layer->weight;
		if (frame.weight > 0.0f)
		{
			layer->kind->apply(layer->def, (spare ? layers->spare : layers->states) + layer->state, &frame, pose);
		}
	}
}
