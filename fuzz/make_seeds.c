/// make_seeds FOLDER: writes FOLDER/HARNESS/… for every fuzz harness: small good files to start from.
#include "reprise/reprise.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static const char* s_folder;

static void writeSeed(const char* harness, const char* name, const void* bytes, size_t size)
{
	char path[1024];
	snprintf(path, sizeof(path), "%s/%s", s_folder, harness);
	mkdir(path, 0777);
	snprintf(path, sizeof(path), "%s/%s/%s", s_folder, harness, name);
	FILE* file = fopen(path, "wb");
	if (file == NULL || fwrite(bytes, 1, size, file) != size)
	{
		perror(path);
	}
	if (file != NULL)
	{
		fclose(file);
	}
}

static void writeText(const char* harness, const char* name, const char* text)
{
	writeSeed(harness, name, text, strlen(text));
}

static void writeBvhSeeds(void)
{
	writeText(
		"bvh", "plain",
		"HIERARCHY\nROOT Hips\n{\n\tOFFSET 0 0 0\n\tCHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation "
		"Xrotation\n\tJOINT Spine\n\t{\n\t\tOFFSET 0 5.2 0\n\t\tCHANNELS 3 Zrotation Xrotation Yrotation\n\t\tEnd "
		"Site\n\t\t{\n\t\t\tOFFSET 0 1e1 0\n\t\t}\n\t}\n}\nMOTION\nFrames: 2\nFrame Time: .0083333\n0 17 0 1 2 3 4 5 "
		"6\n0 17.5 0.0-7.5 2 3 4 5 6\n");
	writeText(
		"bvh", "positions",
		"HIERARCHY\r\nROOT a b:c.d\r\n{\r\nOFFSET 0 0 0\r\nCHANNELS 0\r\nJOINT x\r\n{\r\nOFFSET 1 0 "
		"0\r\nCHANNELS 6 Xposition Yposition Zposition Xrotation Yrotation Zrotation\r\n}\r\n}\r\nMOTION\r\nFrames: "
		"1\r\nFrame Time: 0,0333\r\n1 0 0 0 0 90");
}

int main(int argumentCount, char** arguments)
{
	s_folder = argumentCount > 1 ? arguments[1] : "seeds";
	mkdir(s_folder, 0777);
	writeBvhSeeds();
	return 0;
}
