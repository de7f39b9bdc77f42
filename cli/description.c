#include "description.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double measurePath(const rpMotion* motion)
{
	rpVec2* points = cliAllocate((size_t)motion->frameCount * sizeof(rpVec2));
	rpMotion_GetRootPath(motion, 0.0, points);
	double length = 0.0;
	for (int i = 1; i < motion->frameCount; ++i)
		length += hypot((double)points[i].x - points[i - 1].x, (double)points[i].y - points[i - 1].y);
	free(points);
	return length;
}

static int getIntervals(const rpMotion* motion, rpTrack track, rpInterval** out)
{
	int count = rpMotion_GetIntervals(motion, track, NULL, 0);
	*out = cliAllocate((size_t)count * sizeof(rpInterval));
	return rpMotion_GetIntervals(motion, track, *out, count);
}

// ---- JSON

static json_t* makeRoles(const rpSkeleton* skeleton)
{
	json_t* roles = json_object();
	for (int role = 1; role < rp_roleCount; ++role)
	{
		int joint = skeleton->roles[role];
		if (joint >= 0)
			json_object_set_new(roles, rpRole_GetName((rpRole)role), cliMakeText(skeleton->joints[joint].name));
	}
	return roles;
}

static json_t* makeLabels(const rpMotion* motion)
{
	rpInterval* labels;
	int count = getIntervals(motion, rp_trackLabel, &labels);
	json_t* list = json_array();
	for (int i = 0; i < count; ++i)
	{
		json_t* label = json_object();
		json_object_set_new(label, "name", cliMakeText(labels[i].name));
		json_object_set_new(label, "start_s", cliMakeReal(labels[i].start));
		json_object_set_new(label, "end_s", cliMakeReal(labels[i].end));
		json_array_append_new(list, label);
	}
	free(labels);
	return list;
}

static json_t* makeSkeleton(const rpSkeleton* skeleton)
{
	json_t* list = json_array();
	for (int i = 0; i < skeleton->jointCount; ++i)
	{
		const rpJoint* joint = &skeleton->joints[i];
		json_t* item = json_object();
		json_object_set_new(item, "name", cliMakeText(joint->name));
		json_object_set_new(item, "parent", json_integer(joint->parent));
		json_object_set_new(item, "role",
							joint->role != rp_roleNone ? cliMakeText(rpRole_GetName(joint->role)) : json_null());
		json_t* offset = json_array();
		json_array_append_new(offset, cliMakeReal((double)joint->offset.x));
		json_array_append_new(offset, cliMakeReal((double)joint->offset.y));
		json_array_append_new(offset, cliMakeReal((double)joint->offset.z));
		json_object_set_new(item, "offset_m", offset);
		json_array_append_new(list, item);
	}
	return list;
}

json_t* cliMakeDescription(const cliClip* clip, bool withJoints)
{
	const rpMotion* motion = clip->motion;
	double seconds = rpMotion_GetDuration(motion), length = measurePath(motion);
	json_t* result = json_object();
	json_object_set_new(result, "file", cliMakeText(clip->name));
	json_object_set_new(result, "name", cliMakeText(motion->name));
	if (clip->id != 0)
		json_object_set_new(result, "id", json_integer(clip->id));
	json_object_set_new(result, "frames", json_integer(motion->frameCount));
	// As exact as they are: seconds must be (frames - 1) / fps for anyone who checks it.
	json_object_set_new(result, "fps", json_real(motion->fps));
	json_object_set_new(result, "seconds", json_real(seconds));
	json_object_set_new(result, "joints", json_integer(motion->skeleton->jointCount));
	json_object_set_new(result, "height_m", cliMakeReal((double)motion->skeleton->height));
	json_object_set_new(result, "leg_length_m", cliMakeReal((double)motion->skeleton->legLength));
	json_object_set_new(result, "path_length_m", cliMakeReal(length));
	json_object_set_new(result, "mean_speed_m_per_s", cliMakeReal(seconds > 0.0 ? length / seconds : 0.0));
	json_object_set_new(result, "roles", makeRoles(motion->skeleton));
	json_object_set_new(result, "labels", makeLabels(motion));
	json_object_set_new(result, "contacts", json_integer(rpMotion_GetIntervals(motion, rp_trackContact, NULL, 0)));
	json_object_set_new(result, "events", json_integer(motion->annotations.eventCount));
	json_object_set_new(result, "findings", cliMakeFindings(&clip->findings));
	if (withJoints)
		json_object_set_new(result, "skeleton", makeSkeleton(motion->skeleton));
	return result;
}

// ---- for people

enum
{
	/// Deeper joints are drawn as if they hung at this depth.
	deepestJoint = 64,
};

// A joint's line of the tree: bars for the ancestors that have more children to come.
static void addJointRow(cliTable* table, const rpSkeleton* skeleton, const int* lastChild, int index)
{
	int chain[deepestJoint], depth = 0;
	for (int joint = index; joint > 0 && depth < deepestJoint; joint = skeleton->parents[joint])
		chain[depth++] = joint;
	char stem[3 * deepestJoint + 1] = "";
	for (int i = depth - 1; i >= 0; --i)
	{
		bool isLast = lastChild[skeleton->parents[chain[i]]] == chain[i];
		const char* part = i > 0 ? (isLast ? "   " : "|  ") : (isLast ? "`- " : "|- ");
		memcpy(stem + 3 * (size_t)(depth - 1 - i), part, 4);
	}
	const rpJoint* joint = &skeleton->joints[index];
	cliTable_Add(table, "%s%s", stem, joint->name);
	cliTable_Add(table, "%.3f m", (double)rpLength(joint->offset));
	cliTable_Add(table, "%s", joint->role != rp_roleNone ? rpRole_GetName(joint->role) : "");
}

// Joints come parents first, but not always branch by branch: walk the tree.
static void addBranch(cliTable* table, const rpSkeleton* skeleton, const int* lastChild, int index)
{
	addJointRow(table, skeleton, lastChild, index);
	for (int child = index + 1; child <= lastChild[index]; ++child)
	{
		if (skeleton->parents[child] == index)
			addBranch(table, skeleton, lastChild, child);
	}
}

static void printSkeleton(const rpSkeleton* skeleton)
{
	int* lastChild = cliAllocate((size_t)skeleton->jointCount * sizeof(int));
	for (int i = 0; i < skeleton->jointCount; ++i)
	{
		lastChild[i] = -1;
		if (i > 0)
			lastChild[skeleton->parents[i]] = i;
	}
	cliTable table = {.columnCount = 3, .right = 2};
	addBranch(&table, skeleton, lastChild, 0);
	printf("  skeleton (bone length, role)\n");
	cliTable_Print(&table, stdout, 4);
	free(lastChild);
}

static void addLabels(cliTable* table, const rpMotion* motion)
{
	rpInterval* labels;
	int count = getIntervals(motion, rp_trackLabel, &labels);
	for (int i = 0; i < count; ++i)
	{
		cliTable_Add(table, "%s", i == 0 ? "labels" : "");
		cliTable_Add(table, "%s  %.2f..%.2f s", labels[i].name, labels[i].start, labels[i].end);
	}
	free(labels);
}

static void addRoles(cliTable* table, const rpSkeleton* skeleton)
{
	int known = 0;
	char* missing = cliCopyText("");
	for (int role = 1; role < rp_roleCount; ++role)
	{
		if (skeleton->roles[role] >= 0)
		{
			++known;
			continue;
		}
		char* more = cliFormat("%s%s%s", missing, missing[0] != 0 ? ", " : "", rpRole_GetName((rpRole)role));
		free(missing);
		missing = more;
	}
	cliTable_Add(table, "roles");
	if (known == 0)
		cliTable_Add(table, "none known; give them with --role ROLE=JOINT");
	else if (missing[0] != 0)
		cliTable_Add(table, "%d of %d known; not %s", known, rp_roleCount - 1, missing);
	else
		cliTable_Add(table, "all %d known", known);
	free(missing);
}

static void addBody(cliTable* table, const rpSkeleton* skeleton)
{
	cliTable_Add(table, "body");
	if (skeleton->legLength > 0.0f)
		cliTable_Add(table, "%d joints, %.2f m tall, legs %.2f m", skeleton->jointCount, (double)skeleton->height,
					 (double)skeleton->legLength);
	else
		cliTable_Add(table, "%d joints, %.2f m tall", skeleton->jointCount, (double)skeleton->height);
}

static void addFindings(cliTable* table, const rpFindings* findings)
{
	for (int i = 0; i < findings->count; ++i)
	{
		char* text = cliFormatFinding(&findings->items[i]);
		cliTable_Add(table, "%s", i == 0 ? "findings" : "");
		cliTable_Add(table, "%s", text);
		free(text);
	}
}

void cliPrintDescription(const cliClip* clip, bool withJoints)
{
	const rpMotion* motion = clip->motion;
	double seconds = rpMotion_GetDuration(motion), length = measurePath(motion);
	cliTable table = {.columnCount = 2};
	cliTable_Add(&table, "length");
	cliTable_Add(&table, "%.2f s, %d frame%s at %g fps", seconds, motion->frameCount, cliPlural(motion->frameCount),
				 motion->fps);
	addBody(&table, motion->skeleton);
	cliTable_Add(&table, "travel");
	cliTable_Add(&table, "%.2f m, %.2f m/s on average", length, seconds > 0.0 ? length / seconds : 0.0);
	addRoles(&table, motion->skeleton);
	addLabels(&table, motion);
	int contacts = rpMotion_GetIntervals(motion, rp_trackContact, NULL, 0);
	if (contacts > 0)
	{
		cliTable_Add(&table, "contacts");
		cliTable_Add(&table, "%d", contacts);
	}
	addFindings(&table, &clip->findings);
	cliLine(stdout, "%s", clip->name);
	cliTable_Print(&table, stdout, 2);
	if (withJoints)
		printSkeleton(motion->skeleton);
}
