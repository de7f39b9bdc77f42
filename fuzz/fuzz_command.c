/// Whole commands: the input is a bundle that is played and written, or, where its first letter is another than that of
/// one, a script that the kept bundle is played by.
#include "bundle_mutator.h"
#include "kept_library.h"
#include "run.h"

static char s_bundle[120], s_good[120], s_script[120], s_input[120], s_output[120], s_sidecar[120];

static void removeFiles(void)
{
	unlink(s_bundle);
	unlink(s_good);
	unlink(s_script);
	unlink(s_input);
	unlink(s_output);
	unlink(s_sidecar);
}

static bool writeFile(const char* path, const void* bytes, size_t size)
{
	FILE* file = fopen(path, "wb");
	bool done = file != NULL && fwrite(bytes, 1, size, file) == size;
	return (file == NULL || fclose(file) == 0) && done;
}

int LLVMFuzzerInitialize(int* argumentCount, char*** arguments)
{
	(void)argumentCount, (void)arguments;
	// Directions, or the first parameter of a space.
	static const char script[] = "0,0\n0.3,120\n0.6,-90\n";
	nameScratch(s_bundle, ".rpb");
	nameScratch(s_good, "-good.rpb");
	nameScratch(s_script, ".csv");
	nameScratch(s_input, "-input.csv");
	nameScratch(s_output, ".bvh");
	nameScratch(s_sidecar, ".json");
	atexit(removeFiles);
	rpLibrary* library = openKept();
	rpModel* model = library != NULL ? rpLibrary_OpenModel(library, getKeptName(1), NULL) : NULL;
	bool done = model != NULL && rpModel_SaveBundle(model, s_good, NULL) &&
				writeFile(s_script, script, sizeof(script) - 1) && freopen("/dev/null", "w", stdout) != NULL;
	rpDestroyModel(model);
	rpCloseLibrary(library);
	return !done;
}

static void runCommand(int count, const char** arguments)
{
	cliRun run = {.program = "reprise", .warnings = json_array(), .inputs = json_array()};
	if (cliParse(&run, count, (char**)(uintptr_t)arguments))
	{
		run.command->run(&run);
	}
	cliEndRun(&run);
	if (run.exit == cli_exitFailed)
	{
		// A file that is wrong is bad input, and nothing else.
		abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
	bool isBundle = size > 0 && data[0] == 'R';
	uint8_t* bytes = malloc(size + 1);
	memcpy(bytes, data, size);
	if (isBundle)
	{
		fitBundle(bytes, size);
	}
	if (writeFile(isBundle ? s_bundle : s_input, bytes, size))
	{
		const char* arguments[] = {"reprise",
								   "play",
								   isBundle ? s_bundle : s_good,
								   "--script",
								   isBundle ? s_script : s_input,
								   "-o",
								   s_output,
								   "--seconds",
								   "1",
								   "--fps",
								   "30",
								   "--json",
								   NULL};
		runCommand(12, arguments);
	}
	free(bytes);
	return 0;
}

#ifdef RP_FUZZING
size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t maxSize, unsigned seed)
{
	return size > 0 && data[0] == 'R' ? mutateBundle(data, size, maxSize, seed, 0)
									  : LLVMFuzzerMutate(data, size, maxSize);
}
#endif
