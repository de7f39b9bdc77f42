/// replay FOLDER…: runs one fuzz harness over every file of the folders, so that each crash once found stays a test
/// in every kind of build. Linked with one fuzz/fuzz_NAME.c.
#include <dirent.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);
int LLVMFuzzerInitialize(int* argumentCount, char*** arguments) __attribute__((weak));

static int replayFile(const char* path)
{
	FILE* file = fopen(path, "rb");
	if (file == NULL)
	{
		perror(path);
		return 1;
	}
	fseek(file, 0, SEEK_END);
	size_t size = (size_t)ftell(file);
	rewind(file);
	uint8_t* bytes = malloc(size + (size == 0));
	size_t got = bytes != NULL ? fread(bytes, 1, size, file) : 0;
	fclose(file);
	if (got == size)
	{
		LLVMFuzzerTestOneInput(bytes, size);
	}
	free(bytes);
	return got != size;
}

static int replayFolder(const char* folder, int* count)
{
	DIR* entries = opendir(folder);
	if (entries == NULL)
	{
		return 0; // no crash of this harness has been found
	}
	int failed = 0;
	for (struct dirent* entry = readdir(entries); entry != NULL; entry = readdir(entries))
	{
		if (entry->d_name[0] != '.')
		{
			char path[4096];
			snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
			failed |= replayFile(path);
			++*count;
		}
	}
	closedir(entries);
	return failed;
}

int main(int argumentCount, char** arguments)
{
	if (LLVMFuzzerInitialize != NULL)
	{
		LLVMFuzzerInitialize(&argumentCount, &arguments);
	}
	int failed = 0, count = 0;
	for (int i = 1; i < argumentCount; ++i)
	{
		failed |= replayFolder(arguments[i], &count);
	}
	printf("%d files replayed\n", count);
	return failed || count == 0;
}
