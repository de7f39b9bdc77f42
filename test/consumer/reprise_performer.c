// An outside program: performs, saves, loads, compares.
#include <reprise/reprise.h>

#include <stdio.h>

int main(int argumentCount, char** arguments)
{
	const char* path = argumentCount > 1 ? arguments[1] : "out.bvh";
	rpError error = {0};
	rpPerformDef def = rpDefaultPerformDef(rp_actWalk);
	rpMotion* walk = rpPerform(&def, &error);
	rpMotion* back = NULL;
	if (walk == NULL || !rpSaveMotion(walk, path, NULL, &error) ||
		(back = rpLoadMotion(path, NULL, NULL, &error)) == NULL)
	{
		fprintf(stderr, "%s: %s\n", error.file, error.message);
		rpDestroyMotion(walk);
		return 1;
	}
	bool same = rpMotion_Agrees(walk, back, 1e-5f);
	printf("Reprise %s: %d frames, %s\n", rpVersion(), back->frameCount, same ? "the same" : "different");
	rpDestroyMotion(walk);
	rpDestroyMotion(back);
	return same ? 0 : 1;
}
