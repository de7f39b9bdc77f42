/// Fill a motion library, list it, and take a clip out again.
/// fill_a_library [LIBRARY FILE…]; without files it fills sample.reprise anew with motions that it makes by itself.
#include "reprise/reprise.h"

#include <stdio.h>
#include <stdlib.h>

static bool addFiles(rpLibrary* library, char** paths, int count, rpError* error)
{
	static const char* const labels[] = {"sample"};
	rpAddDef def = rpDefaultAddDef();
	def.labels = labels;
	def.labelCount = 1;
	return rpLibrary_AddFiles(library, (const char* const*)paths, count, &def, error) == count;
}

// One clip of each act. Adding the same motion twice changes nothing.
static bool addActs(rpLibrary* library, rpError* error)
{
	bool done = true;
	for (int act = 0; done && act < rp_actCount; ++act)
	{
		rpPerformDef def = rpDefaultPerformDef((rpAct)act);
		rpMotion* motion = rpPerform(&def, error);
		done = motion != NULL && rpLibrary_AddClip(library, motion, NULL, NULL, error) != 0;
		rpDestroyMotion(motion);
	}
	return done;
}

static bool list(const rpLibrary* library, rpError* error)
{
	rpClipInfo* infos = NULL;
	int count = rpLibrary_ListClips(library, &infos, error);
	for (int i = 0; i < count; ++i)
	{
		printf("%3d %-20s %7.2f s  %s\n", (int)infos[i].id, infos[i].name, (infos[i].frameCount - 1) / infos[i].fps,
			   infos[i].labels);
	}
	rpMotion* first = count > 0 ? rpLibrary_LoadClip(library, infos[0].id, error) : NULL;
	bool done = first != NULL && rpSaveMotion(first, "sample_clip.bvh", NULL, error);
	rpDestroyMotion(first);
	rpFreeClipInfos(infos, count);
	return done;
}

int main(int argc, char** argv)
{
	rpError error = {0};
	if (argc < 2)
	{
		remove("sample.reprise");
	}
	rpLibrary* library = rpOpenLibrary(argc > 1 ? argv[1] : "sample.reprise", rp_openCreate, &error);
	bool done =
		library != NULL && (argc > 2 ? addFiles(library, argv + 2, argc - 2, &error) : addActs(library, &error));
	done = done && list(library, &error);
	rpCloseLibrary(library);
	return done ? EXIT_SUCCESS : (fprintf(stderr, "%s\n", error.message), EXIT_FAILURE);
}
