#include "new_library.h"

#include "progress_bar.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool fillPart(cliRun* run, const char* part, cliFillFn* fill, void* context)
{
	rpError error = {0};
	rpLibrary* library = rpOpenLibrary(part, rp_openCreate, &error);
	bool done = library != NULL && fill(library, context, &error);
	rpCloseLibrary(library);
	return (done || cliFailWork(run, &error)) &&
		   (cliGetInterruption() == 0 || cliFail(run, cli_exitInterrupted, &error));
}

bool cliMakeLibrary(cliRun* run, const char* path, cliFillFn* fill, void* context)
{
	char* part = cliFormat("%s.%ld.part", path, (long)getpid());
	bool done = fillPart(run, part, fill, context);
	if (done && rename(part, path) != 0)
		done = cliFailUsage(run, NULL, "cannot replace %s: %s", path, strerror(errno));
	if (!done)
		unlink(part);
	free(part);
	return done;
}

bool cliCheckNew(cliRun* run, const char* path)
{
	struct stat status;
	return stat(path, &status) != 0 || cliHas(run, "force") ||
		   cliFailUsage(run, "choose another name, or give --force to replace it", "%s is there already", path);
}
