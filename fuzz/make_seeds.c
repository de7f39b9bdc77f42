/// make_seeds FOLDER: writes FOLDER/HARNESS/… for every fuzz harness: small good files to start from.
#include "../test/support/tiny_graph.h"
#include "../test/support/tiny_locomotion.h"
#include "../test/support/tiny_parametric.h"
#include "kept_library.h"

#include <sqlite3.h>
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

static void writeAmcSeeds(void)
{
	writeText(
		"amc", "plain",
		"# skeleton\n:version 1.10\n:units\n  mass 1.0\n  length 0.45\n  angle deg\n:documentation\n text\n:root\n"
		"  order TX TY TZ RX RY RZ\n  axis XYZ\n  position 0 0 0\n  orientation 0 0 0\n:bonedata\n  begin\n    id "
		"1\n    name spine\n    direction 0 1 0\n    length 2\n    axis 0 0 20 XYZ\n    dof rx ry rz\n    limits "
		"(-20.0 45.0)\n    (-inf inf)\n    (-30 30)\n  end\n  begin\n    name arm\n    direction 1 0 0\n    length "
		"3e0\n    axis 0 0 90 ZXY\n    dof rx l\n  end\n:hierarchy\n  begin\n    root spine\n    spine arm\n  end\n"
		"\x01#!OML\n:FULLY-SPECIFIED\n:DEGREES\n1\nroot 1 2 3 0 90 0\nspine 0 0 90\narm 90 1\n2\nroot 1 2.5 3 0 "
		"90 0\nspine 0 0 0\narm 0 1\n");
	writeText(
		"amc", "radians",
		":units\r\nangle rad\r\n:bonedata begin name a direction 1 0 0 length 1 axis 0 0 1.5 XYZ dof rx limits (-1 "
		"2) end\r\n:hierarchy\r\nroot a\r\n\x01:RADIANS\r\n:SAMPLES-PER-SECOND 60\r\n1\r\nroot 0 0 0 0 0 "
		"0\r\n3\r\na 1");
}

static void writeSvgSeeds(void)
{
	writeText("svg", "curve", "<svg><path d=\"M0 0C1 2 3 4 5 6S7 8 9 1Q1 2 3 4T5 6A7 8 9 0 1 2 3Z\"/></svg>");
	writeText("svg", "line", "<svg><g><polyline points=\"0,0 1.5,2e1 -3,4\"/></g></svg>");
}

static void writeSidecarSeeds(void)
{
	writeText(
		"sidecar", "plain",
		"{\"schema\": \"reprise-motion-1\", \"file\": \"fuzz.bvh\", \"hash\": "
		"\"0123456789abcdef0123456789abcdef\", \"units_per_metre\": 100, \"joints\": 3, \"roles\": {\"pelvis\": "
		"\"Hips\", \"head\": \"Head\"}, \"skeleton\": {\"Spine\": {\"rest_wxyz\": [0.8, 0.6, 0, 0], "
		"\"axes_wxyz\": [0, 0, 1, 0], \"freedoms\": \"xz\", \"limits_deg\": [[-20, 45], null, [-1, 1]]}}, \"name\": "
		"\"fuzz\", \"fps\": 30, \"frames\": 31, \"seconds\": 1, \"labels\": [{\"start_s\": 0, \"end_s\": 1, "
		"\"name\": \"walk\"}], \"contacts\": [{\"start_s\": 0.1, \"end_s\": 0.5, \"effector\": \"left_heel\", "
		"\"support_height_m\": 0.1}], \"phases\": [{\"start_s\": 0, \"end_s\": 1, \"name\": \"L\"}], \"sources\": "
		"[{\"start_s\": 0, \"end_s\": 1, \"clip\": \"c\", \"clip_start_s\": 5, \"clip_end_s\": 6}], \"events\": "
		"[{\"time_s\": 0.5, \"name\": \"seam\"}], \"curves\": [{\"name\": \"gaze\", \"kind\": \"point\", "
		"\"times_s\": [0, 1], \"values\": [0, 0, 0, 1, 1e-3, 1]}, {\"name\": \"turn\", \"kind\": \"sided\", "
		"\"times_s\": [0], \"values\": [-0.0]}], \"provenance\": {\"inputs\": [{\"name\": \"a.bvh\", \"hash\": "
		"\"\"}], \"program\": \"reprise\", \"version\": \"0.1.0\", \"parameters\": {\"seed\": 7}}}");
	writeText("sidecar", "clips",
			  "{\"schema\": \"reprise-motion-1\", \"hash\": \"0123456789abcdef0123456789abcdef\", "
			  "\"units_per_metre\": 1, \"clips\": []}");
}

// A whole body, so that the doctor has something to do; the first byte chooses options.
static void writeExampleSeeds(void)
{
	writeText("examples", "plain", "clip_a,a_s,clip_b,b_s,verdict\nwalk,1.5,run,0.25,good\n# no\nrun,2,walk,3,bad\n");
	writeText("examples", "quoted", "\xef\xbb\xbf\"a, b\" , 1e-1 ,c,2,bad\r\n\r\nc,0,\"a, b\",7,good");
}

static void writeLoadSeeds(void)
{
	rpPerformDef def = rpDefaultPerformDef(rp_actWalk);
	def.fps = 20.0;
	def.seconds = 0.4;
	rpSaveDef save = rpDefaultSaveDef();
	save.format = rp_formatBvh;
	save.unitsPerMetre = 100.0;
	rpMotion* motion = rpPerform(&def, NULL);
	char* bytes = NULL;
	size_t size = 0;
	if (motion != NULL && rpWriteMotion(motion, &save, (void**)&bytes, &size, NULL) && size < 15000)
	{
		char seed[16000] = {0};
		memcpy(seed + 1, bytes, size);
		writeSeed("load", "walk", seed, size + 1);
		seed[0] = 15;
		writeSeed("load", "options", seed, size + 1);
	}
	rpFreeBytes(bytes);
	rpDestroyMotion(motion);
	writeText("load", "acclaim",
			  "@:FULLY-SPECIFIED\n:DEGREES\n1\nroot 0 0 0 0 0 0\na 1 2 3\n2\nroot 0 1 0 0 0 0\na 1 2 4\n");
}

static void addSmallClip(rpLibrary* library, const rpSkeleton* body, int number)
{
	rpMotion* motion = rpCreateMotion(body, number == 0 ? "walk" : "run", 30.0, 2 + number, NULL);
	rpInterval label = {.track = rp_trackLabel, .name = "walk", .start = 0.0, .end = 0.03};
	rpInterval contact = {.track = rp_trackContact, .effector = rp_leftHeel, .start = 0.0, .end = 0.02};
	if (motion != NULL && rpAnnotations_AddInterval(&motion->annotations, &label, NULL) &&
		rpAnnotations_AddInterval(&motion->annotations, &contact, NULL) &&
		rpMotion_AddInput(motion, "walk.bvh", "", NULL))
	{
		(void)!rpLibrary_AddClip(library, motion, NULL, NULL, NULL);
	}
	rpDestroyMotion(motion);
}

// Small pages, so that a seed is small.
static void writeLibrarySeed(const char* name, int clipCount)
{
	char path[1024];
	writeText("library", name, "");
	snprintf(path, sizeof(path), "%s/library/%s", s_folder, name);
	rpLibrary* library = rpOpenLibrary(path, rp_openCreate, NULL);
	for (int i = 0; i < clipCount && library != NULL; ++i)
	{
		rpJoint joints[2] = {rpDefaultJoint(), rpDefaultJoint()};
		joints[0].name = "hips";
		joints[1].name = i == 0 ? "spine" : "tail";
		joints[1].parent = 0;
		joints[1].offset.y = 0.5f;
		rpEndSite end = {"top", 1, {0.0f, 0.2f, 0.0f}};
		rpSkeletonDef def = rpDefaultSkeletonDef();
		def.joints = joints;
		def.jointCount = 2;
		def.ends = &end;
		def.endCount = 1;
		rpSkeleton* body = rpCreateSkeleton(&def, NULL);
		if (body != NULL)
		{
			addSmallClip(library, body, i);
		}
		rpReleaseSkeleton(body);
	}
	rpCloseLibrary(library);
	sqlite3* db = NULL;
	sqlite3_open(path, &db);
	sqlite3_exec(db, "PRAGMA page_size=512; VACUUM", NULL, NULL, NULL);
	sqlite3_close(db);
}

static void writeFoldedSeed(const char* name, const void* bytes, size_t size)
{
	char foldedName[40];
	size_t foldedSize;
	rpBundle* bundle = rpCreateBundle(bytes, size, NULL);
	void* folded = bundle != NULL ? rpFoldBundle(bundle, &foldedSize, NULL) : NULL;
	snprintf(foldedName, sizeof foldedName, "%s-folded", name);
	if (folded != NULL)
	{
		writeSeed("bundle", foldedName, folded, foldedSize);
	}
	rpFreeBytes(folded);
	rpDestroyBundle(bundle);
}

// A bundle as it is, packed, and packed and folded.
static void writeBundleSeeds(const char* name, const void* bytes, size_t size)
{
	char packedName[40];
	size_t packedSize;
	rpBundle* bundle = rpCreateBundle(bytes, size, NULL);
	void* packed = bundle != NULL ? rpPackBundle(bundle, NULL, &packedSize, NULL) : NULL;
	snprintf(packedName, sizeof packedName, "%s-packed", name);
	writeSeed("bundle", name, bytes, size);
	writeSeed("command", name, bytes, size);
	if (packed != NULL)
	{
		writeSeed("bundle", packedName, packed, packedSize);
		writeSeed("command", packedName, packed, packedSize);
		writeFoldedSeed(name, packed, packedSize);
	}
	rpFreeBytes(packed);
	rpDestroyBundle(bundle);
}

static void writeLocomotionSeed(void)
{
	rpLocomotion* model = tinyMakeLocomotion();
	size_t size;
	void* bytes = model != NULL ? rpWriteLocomotionBundle(model, &size, NULL) : NULL;
	if (bytes != NULL)
	{
		writeBundleSeeds("locomotion", bytes, size);
	}
	rpFreeBytes(bytes);
	rpDestroyLocomotion(model);
}

static void writeSpaceSeed(void)
{
	rpSpace* space = tinyMakeSpace();
	size_t size;
	void* bytes = space != NULL ? rpWriteSpaceBundle(space, &size, NULL) : NULL;
	if (bytes != NULL)
	{
		writeBundleSeeds("space", bytes, size);
	}
	rpFreeBytes(bytes);
	rpDestroySpace(space);
}

static void writeParametricSeed(void)
{
	rpSpace* space = tinyMakeSpace();
	rpParametricGraph* graph = space != NULL ? tinyMakeParametric(space) : NULL;
	size_t size;
	void* bytes = graph != NULL ? rpWriteParametricBundle(graph, &size, NULL) : NULL;
	if (bytes != NULL)
	{
		writeBundleSeeds("pgraph", bytes, size);
	}
	rpFreeBytes(bytes);
	rpDestroyParametricGraph(graph);
	rpDestroySpace(space);
}

static void writeBundleSeed(void)
{
	TinyGraph tiny;
	size_t size;
	void* bytes = tinyMake(&tiny) ? rpWriteGraphBundle(&tiny.graph, &size, NULL) : NULL;
	if (bytes != NULL)
	{
		writeBundleSeeds("tiny", bytes, size);
	}
	rpFreeBytes(bytes);
	tinyFree(&tiny);
}

// Of each kind of model as a library keeps it, and as bundles.
static void writeModelSeeds(void)
{
	rpLibrary* library = openKept();
	for (int kind = 0; kind < keptKindCount && library != NULL; ++kind)
	{
		size_t size;
		uint8_t* bytes = rpLibrary_LoadModel(library, getKeptName(kind), s_keptKinds[kind], NULL, &size, NULL);
		uint8_t* seed = bytes != NULL ? malloc(size + 1) : NULL;
		if (seed != NULL)
		{
			seed[0] = (uint8_t)kind;
			memcpy(seed + 1, bytes, size);
			writeSeed("model", s_keptKinds[kind], seed, size + 1);
			seed[0] |= keptFlag;
			writeSeed("model", kind == 0 ? "graph-fitted" : s_keptKinds[kind], seed, size + 1);
		}
		free(seed);
		rpFreeBytes(bytes);
	}
	rpCloseLibrary(library);
}

// The first byte tells what the rest is.
static void writeScript(const char* name, char kind, const char* text)
{
	char seed[200];
	size_t size = strlen(text);
	seed[0] = kind;
	memcpy(seed + 1, text, size);
	writeSeed("script", name, seed, size + 1);
}

static void writeScriptSeeds(void)
{
	writeScript("thresholds", 0, "from,to,distance\nwalk,walk,0.12\nwalk,run,never\nrun,walk,auto\n");
	writeScript("chosen", 0, "from,to,distance,share,chosen\na,b,0.1,0.5,1\nb,a,0.2,0.7,0\n");
	writeScript("gaits", 1, "time,gait,speed,turn\n0,stand,,\n1,walk,1.3,-20\n2.5,run,3,\n# no\n4,stand,0,0\n");
	writeScript("headings", 1, "time,gait,direction,magnitude\n0,walk,90,0.5\n1,run,-1e1,1\n");
	writeScript("sticks", 2, "time,x,y\n0,0,1\n1.5,-1,0\n2,0,0\n");
	writeScript("directions", 2, "0,0\n1,90\n2,-45.5\n");
	writeScript("layers", 2, "time,x,y,gait,speed,turn,lean\n0,0,1,run,3,,1\n0.5,,,walk,,-20,0\n1,0,0\n");
	writeScript("parameters", 3, "time,turn_deg,lean\n0,20,\n0.5,-1e2,0\n1\n2,0,1\n");
	writeScript("values", 3, "0,20\n0.5,-100\n");
	writeScript("nodes", 4, "time,node,turn,target_x,target_y,target_z\n0,stride,20,,,\n1,any,,1,1.4,-2\n2,,,,,\n");
	writeScript("aims", 4, "node,time,x,y,turn_deg,lean\nstride,0,0,1,,0\nstride,1,,,-1e1,1\n,2,1,0\n");
	writeText("command", "script", "0,0\n0.5,90\n0.8,-45.5\n");
}

static void writeMatchSeeds(void)
{
	static const char query[] =
		"{\"number\":0,\"clip\":\"a\",\"hash\":\"0123456789abcdef0123456789abcdef\",\"mirror\":false,\"start_s\":1.0,"
		"\"end_s\":2.0,\"distance_m\":0.0,\"farthest_m\":0.0,\"parent\":null,\"keep\":true,\"times_s\":[[1,1],[2,2]]}";
	static const char match[] =
		"{\"number\":1,\"clip\":\"b\",\"hash\":\"0123456789abcdef0123456789abcdef\",\"mirror\":true,\"start_s\":0.5,"
		"\"end_s\":1.7,\"distance_m\":0.03,\"farthest_m\":0.03,\"parent\":0,\"keep\":false,\"times_s\":[[1,0.5],[1.4,1]"
		","
		"[2,1.7]]}";
	char text[2000];
	snprintf(text, sizeof text,
			 "{\n\t\"schema\": \"reprise-matches-1\",\n\t\"library\": \"a.reprise\",\n\t\"threshold_m\": 0.05,\n"
			 "\t\"threshold_from\": \"gap\",\n\t\"gap_m\": [0.03,0.07],\n\t\"searches\": 2,\n\t\"clips\": 2,\n"
			 "\t\"clips_of_other_skeletons\": 0,\n\t\"matches\": [\n\t\t%s,\n\t\t%s\n\t]\n}\n",
			 query, match);
	writeText("matches", "plain", text);
	writeText("matches", "angles",
			  "\xef\xbb\xbf{\"schema\":\"reprise-matches-1\",\"library\":\"a\",\"threshold\":0.1,\"threshold_from\":"
			  "\"given\",\"gap\":null,\"matches\":[{\"clip\":\"a\",\"hash\":\"0123456789abcdef0123456789abcdef\","
			  "\"mirror\":false,\"start_s\":0,\"end_s\":1,\"distance\":0,\"farthest\":0,\"parent\":null,\"times_s\":"
			  "[[0,0],[1,1]]}]}");
}

int main(int argumentCount, char** arguments)
{
	s_folder = argumentCount > 1 ? arguments[1] : "seeds";
	mkdir(s_folder, 0777);
	writeBvhSeeds();
	writeAmcSeeds();
	writeSvgSeeds();
	writeSidecarSeeds();
	writeLoadSeeds();
	writeExampleSeeds();
	writeLibrarySeed("empty", 0);
	writeLibrarySeed("pair", 2);
	writeBundleSeed();
	writeLocomotionSeed();
	writeSpaceSeed();
	writeParametricSeed();
	writeModelSeeds();
	writeScriptSeeds();
	writeMatchSeeds();
	return 0;
}
