#include "live/layer_chunk.h"

#include "base/error.h"
#include "base/memory.h"
#include "reprise/play/player.h"

#include <string.h>

/// LAYR: a kind's name with its zero, and its definition.
typedef struct LayerRecord
{
	char kind[16];
	_Alignas(8) char def[RP_MAX_LAYER_DEF];
} LayerRecord;

_Static_assert(sizeof(LayerRecord) == 64, "the layout of the file");

static const LayerRecord* getRecords(const rpBundle* bundle, int* count, rpError* error)
{
	*count = 0;
	return rpBundle_HasChunk(bundle, "LAYR") ? rpBundle_GetChunk(bundle, "LAYR", sizeof(LayerRecord), count, error)
											 : NULL;
}

static const rpLayerKind* findKind(const LayerRecord* record, rpError* error)
{
	bool isText = memchr(record->kind, 0, sizeof(record->kind)) != NULL;
	const rpLayerKind* kind = isText ? rpFindLayerKind(record->kind) : NULL;
	if (kind == NULL)
	{
		rpFail(error, rp_errorFormat, "the bundle has a layer that this library does not know: \"%.15s\"",
			   record->kind);
	}
	return kind;
}

bool rpReadLayers(const rpBundle* bundle, rpLayers* layers, rpError* error)
{
	int count;
	const LayerRecord* records = getRecords(bundle, &count, error);
	bool done = records != NULL || !rpBundle_HasChunk(bundle, "LAYR");
	for (int i = 0; i < count && done; ++i)
	{
		const rpLayerKind* kind = findKind(&records[i], error);
		done = kind != NULL && rpLayers_Add(layers, kind, records[i].def, error) >= 0;
	}
	return done;
}

static bool fillRecord(LayerRecord* record, const rpLayerKind* kind, const void* def, rpError* error)
{
	bool isSound = rpFindLayerKind(kind->name) == kind && strlen(kind->name) < sizeof(record->kind) &&
				   kind->defSize <= sizeof(record->def) && kind->check(def);
	if (!isSound)
	{
		return rpFail(error, rp_errorArgument, "no bundle can hold the layer \"%.40s\" as it is defined", kind->name);
	}
	memcpy(record->kind, kind->name, strlen(kind->name));
	memcpy(record->def, def, kind->defSize);
	return true;
}

void* rpBundle_WithLayer(const rpBundle* bundle, const rpLayerKind* kind, const void* def, size_t* size, rpError* error)
{
	LayerRecord records[RP_MAX_LAYERS] = {{{0}, {0}}};
	rpBundleWriter writer = {0};
	int count;
	const LayerRecord* before = getRecords(bundle, &count, error);
	if (count >= RP_MAX_LAYERS)
	{
		rpFail(error, rp_errorLimit, "a bundle holds at most %d layers", RP_MAX_LAYERS);
		return NULL;
	}
	if (before != NULL)
	{
		memcpy(records, before, (size_t)count * sizeof(LayerRecord));
	}
	bool done = fillRecord(&records[count], kind, def, error) &&
				rpBundleWriter_AddAllBut(&writer, bundle, "LAYR", error) &&
				rpBundleWriter_Add(&writer, "LAYR", records, count + 1, sizeof(LayerRecord), error);
	void* bytes = done ? rpBundleWriter_Finish(&writer, size, error) : NULL;
	rpBundleWriter_Free(&writer);
	return bytes;
}
