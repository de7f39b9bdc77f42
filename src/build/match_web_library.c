/// Match webs of a library's clips: woven of what is not known, kept by what is in the clips.
#include "reprise/match_web.h"

#include "base/error.h"
#include "base/memory.h"
#include "build/match_web_store.h"
#include "file/bytes.h"
#include "library/clip_finder.h"
#include "reprise/edit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

rpMatchWebDef rpDefaultMatchWebDef(void)
{
	return (rpMatchWebDef){0};
}

// What the web of a metric and a skeleton is kept under.
static void nameWeb(const rpMetricDef* given, const rpSkeleton* skeleton, char out[64])
{
	rpMetricDef def = given != NULL ? *given : rpDefaultMetricDef();
	rpText text = {0};
	char hash[33];
	rpText_Print(&text, "1 %d %.17g %.17g %d %d %d %.9g %.9g %.9g %.9g", def.kind, def.fps, def.window, def.shape,
				 def.placed, def.weights, (double)def.velocityWeight, (double)def.heightWeight, (double)def.tiltWeight,
				 (double)def.travelWeight);
	for (int i = 0; i < def.markerCount && def.markers != NULL; ++i)
	{
		rpText_Append(&text, &def.markers[i], sizeof(rpMarker));
	}
	if (def.kind == rp_metricAngle && def.jointWeights != NULL)
	{
		rpText_Append(&text, def.jointWeights, (size_t)skeleton->jointCount * sizeof(float));
	}
	// Bones tell bodies apart.
	rpText_Append(&text, skeleton->offsets, (size_t)skeleton->jointCount * sizeof(rpVec3));
	rpHashBytes(text.data != NULL ? text.data : "", text.size, hash);
	rpText_Free(&text);
	snprintf(out, 64, "web-%.16s", hash);
}

// ---- the clips that are asked for

/// Clips, then, where they are asked for, their mirror images.
typedef struct Asked
{
	/// [count]: their hashes; and the order of these.
	char (*hashes)[34];
	int* order;
	int clipCount, count;
	char name[64];
} Asked;

static void freeAsked(Asked* asked)
{
	rpFree(asked->hashes);
	rpFree(asked->order);
}

/// For qsort, which has no context.
typedef struct Ordered
{
	const char* hash;
	int index;
} Ordered;

static int compareHashes(const void* a, const void* b)
{
	return strcmp(((const Ordered*)a)->hash, ((const Ordered*)b)->hash);
}

static bool orderHashes(Asked* asked, rpError* error)
{
	Ordered* items = rpAllocate((size_t)asked->count + 1, sizeof(Ordered), error);
	for (int k = 0; items != NULL && k < asked->count; ++k)
	{
		items[k] = (Ordered){asked->hashes[k], k};
	}
	if (items != NULL && asked->count > 0)
	{
		qsort(items, (size_t)asked->count, sizeof(Ordered), compareHashes);
	}
	for (int k = 0; items != NULL && k < asked->count; ++k)
	{
		asked->order[k] = items[k].index;
	}
	rpFree(items);
	return items != NULL;
}

static bool ask(const rpLibrary* library, const rpClipId* clips, int count, const rpMatchWebDef* def, Asked* out,
				rpError* error)
{
	// Pairs have sizes, which a library must be able to keep.
	size_t images = (size_t)count * (def->mirror ? 2 : 1);
	if (count <= 0)
	{
		return rpFail(error, rp_errorArgument, "a match web of no clips");
	}
	if (images > RP_MAX_MODEL_SIZE / (images * sizeof(int32_t)))
	{
		return rpFail(error, rp_errorLimit,
					  "a match web of %zu clips and mirror images; a library keeps those of fewer", images);
	}
	*out = (Asked){.clipCount = count, .count = def->mirror ? 2 * count : count};
	out->hashes = rpAllocateZero((size_t)out->count, sizeof(out->hashes[0]), error);
	out->order = rpAllocate((size_t)out->count, sizeof(int), error);
	bool done = out->hashes != NULL && out->order != NULL;
	for (int k = 0; k < count && done; ++k)
	{
		done = rpHashClip(library, clips[k], out->hashes[k], error);
		if (done && def->mirror)
		{
			memcpy(out->hashes[count + k], out->hashes[k], 32);
			out->hashes[count + k][32] = '~';
		}
	}
	rpMotion* first = done ? rpLibrary_LoadClip(library, clips[0], error) : NULL;
	done = first != NULL && orderHashes(out, error);
	if (first != NULL)
	{
		nameWeb(def->metric, first->skeleton, out->name);
	}
	rpDestroyMotion(first);
	return done;
}

// What is kept; one without clips where there is nothing. NULL: an error.
static rpWovenWeb* loadKept(const rpLibrary* library, const char* name, rpError* error)
{
	rpError why = {0};
	rpWovenWeb* web = rpModelKind_Load(&rpMatchWebModelKind, library, name, &why);
	if (web == NULL && why.code == rp_errorMissing)
	{
		return rpAllocateZero(1, sizeof(rpWovenWeb), error);
	}
	if (web == NULL && error != NULL)
	{
		*error = why;
	}
	return web;
}

static void freeKept(rpWovenWeb* web)
{
	if (web != NULL)
	{
		rpWovenWeb_Free(web);
		rpFree(web);
	}
}

// ---- opening

/// What rpDestroyMatchWeb frees: the web is the first member.
typedef struct OpenWeb
{
	rpMatchWeb web;
	rpWovenWeb* kept;
} OpenWeb;

void rpDestroyMatchWeb(rpMatchWeb* web)
{
	if (web != NULL)
	{
		rpFree(web->pairs);
		freeKept(((OpenWeb*)web)->kept);
		rpFree(web);
	}
}

static bool bindPairs(OpenWeb* open, const Asked* asked, rpError* error)
{
	const rpWovenWeb* kept = open->kept;
	int count = asked->count;
	int* numbers = rpAllocate((size_t)count, sizeof(int), error);
	open->web.profileCount = count;
	open->web.pairs = rpAllocateZero((size_t)count * (size_t)count, sizeof(rpWebPair), error);
	bool done = numbers != NULL && open->web.pairs != NULL;
	for (int k = 0; k < count && done; ++k)
	{
		numbers[k] = rpWovenWeb_Find(kept, asked->hashes[k]);
		done = numbers[k] >= 0 || rpFail(error, rp_errorMissing, "the library has no match web of these clips");
	}
	for (int k = 0; k < count * count && done; ++k)
	{
		open->web.pairs[k] = kept->pairs[numbers[k / count] * kept->count + numbers[k % count]];
	}
	rpFree(numbers);
	return done;
}

rpMatchWeb* rpLibrary_OpenMatchWeb(const rpLibrary* library, const rpClipId* clips, int count, const rpMatchWebDef* def,
								   rpError* error)
{
	rpMatchWebDef plain = rpDefaultMatchWebDef();
	Asked asked = {0};
	OpenWeb* open = rpAllocateZero(1, sizeof(OpenWeb), error);
	bool done = open != NULL && ask(library, clips, count, def != NULL ? def : &plain, &asked, error);
	if (done)
	{
		open->kept = loadKept(library, asked.name, error);
		done = open->kept != NULL && bindPairs(open, &asked, error);
	}
	freeAsked(&asked);
	if (!done && open != NULL)
	{
		rpDestroyMatchWeb(&open->web);
		return NULL;
	}
	return done ? &open->web : NULL;
}

// ---- weaving

/// A web at work: its clips are those that are asked for, each content once.
typedef struct Weaver
{
	const rpMatchWebDef* def;
	rpMetric* metric;
	rpProfile** profiles;
	rpWovenWeb web;

	/// Index of the clip among those that were asked for, [web.count].
	int* sources;

	/// Pairs that are to be compared, [pairCount], and what they are.
	int (*pairs)[2];
	rpWebPair* woven;
	int pairCount;
} Weaver;

static void freeWeaver(Weaver* weaver)
{
	for (int k = 0; weaver->profiles != NULL && k < weaver->web.count; ++k)
	{
		rpDestroyProfile(weaver->profiles[k]);
	}
	rpFree(weaver->profiles);
	rpDestroyMetric(weaver->metric);
	rpFree(weaver->sources);
	rpFree(weaver->pairs);
	rpFree(weaver->woven);
	rpWovenWeb_Free(&weaver->web);
}

// Clips of one content are one.
static bool listClips(Weaver* weaver, const Asked* asked, rpError* error)
{
	weaver->web.clips = rpAllocateZero((size_t)asked->count, sizeof(rpWovenClip), error);
	weaver->sources = rpAllocate((size_t)asked->count, sizeof(int), error);
	weaver->profiles = rpAllocateZero((size_t)asked->count, sizeof(rpProfile*), error);
	if (weaver->web.clips == NULL || weaver->sources == NULL || weaver->profiles == NULL)
	{
		return false;
	}
	for (int k = 0; k < asked->count; ++k)
	{
		const char* hash = asked->hashes[asked->order[k]];
		if (k > 0 && strcmp(hash, asked->hashes[asked->order[k - 1]]) == 0)
		{
			continue;
		}
		memcpy(weaver->web.clips[weaver->web.count].hash, hash, 34);
		weaver->sources[weaver->web.count++] = asked->order[k];
	}
	return true;
}

static rpMotion* loadImage(const rpLibrary* library, rpClipId clip, bool isMirror, rpError* error)
{
	rpMotion* motion = rpLibrary_LoadClip(library, clip, error);
	rpMotion* image = motion != NULL && isMirror ? rpMirrorMotion(motion, error) : motion;
	if (image != motion)
	{
		rpDestroyMotion(motion);
	}
	return image;
}

static bool seeClips(Weaver* weaver, const rpLibrary* library, const rpClipId* clips, int clipCount, rpError* error)
{
	bool done = true;
	for (int k = 0; k < weaver->web.count && done; ++k)
	{
		int source = weaver->sources[k];
		rpMotion* motion = loadImage(library, clips[source % clipCount], source >= clipCount, error);
		if (motion != NULL && weaver->metric == NULL)
		{
			rpMetricDef plain = rpDefaultMetricDef();
			weaver->metric =
				rpCreateMetric(motion->skeleton, weaver->def->metric != NULL ? weaver->def->metric : &plain, error);
		}
		weaver->profiles[k] =
			motion != NULL && weaver->metric != NULL ? rpCreateProfile(weaver->metric, motion, error) : NULL;
		done = weaver->profiles[k] != NULL;
		weaver->web.clips[k].tiles = done ? rpWeb_CountTiles(rpProfile_GetFrameCount(weaver->profiles[k])) : 0;
		rpDestroyMotion(motion);
	}
	return done;
}

static bool copyPair(const rpWebPair* from, rpWebPair* to, rpError* error)
{
	*to = *from;
	to->bytes = rpAllocate(from->size + 1, 1, error);
	if (to->bytes != NULL)
	{
		memcpy(to->bytes, from->bytes, from->size);
	}
	return to->bytes != NULL;
}

// A pair that is known, and sound, is taken over; the others are listed.
static bool takeKnown(Weaver* weaver, const rpWovenWeb* kept, rpError* error)
{
	int count = weaver->web.count;
	size_t all = (size_t)count * (size_t)count;
	int* numbers = rpAllocate((size_t)count, sizeof(int), error);
	weaver->web.pairs = rpAllocateZero(all, sizeof(rpWebPair), error);
	weaver->pairs = rpAllocate(all, sizeof(weaver->pairs[0]), error);
	weaver->woven = rpAllocateZero(all, sizeof(rpWebPair), error);
	bool done = numbers != NULL && weaver->web.pairs != NULL && weaver->pairs != NULL && weaver->woven != NULL;
	for (int k = 0; k < count && done; ++k)
	{
		numbers[k] = rpWovenWeb_Find(kept, weaver->web.clips[k].hash);
	}
	for (size_t k = 0; k < all && done; ++k)
	{
		int row = (int)k / count, column = (int)k % count, i = numbers[row], j = numbers[column];
		const rpWovenClip *a = &weaver->web.clips[row], *b = &weaver->web.clips[column];
		const rpWebPair* known = i >= 0 && j >= 0 ? &kept->pairs[i * kept->count + j] : NULL;
		if (known != NULL && known->rows == a->tiles && known->columns == b->tiles && rpWebPair_IsSound(known))
		{
			done = copyPair(known, &weaver->web.pairs[k], error);
			continue;
		}
		weaver->pairs[weaver->pairCount][0] = row;
		weaver->pairs[weaver->pairCount++][1] = column;
	}
	rpFree(numbers);
	return done;
}

static bool weaveNew(Weaver* weaver, rpError* error)
{
	const rpMatchWebDef* def = weaver->def;
	if (weaver->pairCount == 0)
	{
		return true;
	}
	bool done =
		rpWeb_Compute(weaver->metric, (const rpProfile* const*)weaver->profiles, (const int(*)[2])weaver->pairs,
					  weaver->pairCount, def->threads, def->progress, def->progressContext, weaver->woven, error);
	for (int p = 0; p < weaver->pairCount && done; ++p)
	{
		weaver->web.pairs[weaver->pairs[p][0] * weaver->web.count + weaver->pairs[p][1]] = weaver->woven[p];
	}
	return done;
}

static void tell(const Weaver* weaver, rpMatchWebReport* report)
{
	if (report == NULL)
	{
		return;
	}
	*report = (rpMatchWebReport){.pairCount = weaver->web.count * weaver->web.count, .newPairCount = weaver->pairCount};
	for (int k = 0; k < report->pairCount; ++k)
	{
		report->size += weaver->web.pairs[k].size + sizeof(int32_t);
	}
}

bool rpLibrary_WeaveMatchWeb(rpLibrary* library, const rpClipId* clips, int count, const rpMatchWebDef* def,
							 rpMatchWebReport* report, rpError* error)
{
	rpMatchWebDef plain = rpDefaultMatchWebDef();
	Asked asked = {0};
	Weaver weaver = {.def = def != NULL ? def : &plain};
	bool done = ask(library, clips, count, weaver.def, &asked, error);
	rpWovenWeb* kept = done ? loadKept(library, asked.name, error) : NULL;
	done = kept != NULL && listClips(&weaver, &asked, error) && seeClips(&weaver, library, clips, count, error) &&
		   takeKnown(&weaver, kept, error);
	freeKept(kept);
	// What is known has all of it, and maybe mirror images that were not asked for now.
	done = done && weaveNew(&weaver, error) &&
		   (weaver.pairCount == 0 || rpModelKind_Put(&rpMatchWebModelKind, library, asked.name, &weaver.web, error));
	if (done)
	{
		tell(&weaver, report);
	}
	freeWeaver(&weaver);
	freeAsked(&asked);
	return done;
}
