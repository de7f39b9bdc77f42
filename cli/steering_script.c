#include "steering_script.h"

#include "clip.h"
#include "suggestion.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS                                                                                                      \
	"or name the columns in a first line: time, direction, magnitude, x, y, gait, speed, turn, and layers by their " \
	"names"

static const char s_directionHint[] =
	"write lines \"time,direction\" (seconds, degrees to the left) or \"time,x,y\" (a stick), " COLUMNS;
static const char s_gaitHint[] = "write lines \"time,gait,speed,turn\", for example \"2.5,walk,1.3,-20\": seconds, "
								 "stand, walk or run, m/s, degrees per second to the left; " COLUMNS;

static const char s_nodeHint[] =
	"name the columns in a first line: time, node, parameters of nodes by key or name, direction, magnitude, x, y, "
	"target_x, target_y, target_z, and layers; or write lines \"time,direction\" or \"time,x,y\"";

// How much later than a tick a line may be and still hold in it, seconds: times are written with nine decimals.
#define TICK_SLACK 1e-9

/// What a column holds. Those from columnParameter on are parameters of the space that is played, or of nodes, those
/// from columnLayer on layers of the player.
typedef enum Column
{
	columnTime,
	columnDirection,
	columnMagnitude,
	columnX,
	columnY,
	columnGait,
	columnSpeed,
	columnTurn,
	columnNode,
	columnTargetX,
	columnTargetY,
	columnTargetZ,
	columnParameter,
	columnLayer = columnParameter + cli_maxCells,
	columnCount = columnLayer + cli_maxCells,
} Column;

static const char* const s_names[columnParameter] = {
	"time", "direction", "magnitude", "x", "y", "gait", "speed", "turn", "node", "target_x", "target_y", "target_z"};

/// Who has which columns; layers are everybody's.
static const Column s_playerColumns[] = {columnTime, columnDirection, columnMagnitude, columnX,
										 columnY,    columnGait,      columnSpeed,     columnTurn};
static const Column s_spaceColumns[] = {columnTime};
static const Column s_graphColumns[] = {columnTime, columnDirection, columnMagnitude, columnX,      columnY,
										columnNode, columnTargetX,   columnTargetY,   columnTargetZ};

#define COUNT(list) ((int)(sizeof(list) / sizeof((list)[0])))

/// What a number may be, and its unit.
typedef struct Range
{
	double min, max;
	const char* unit;
} Range;

static const Range s_ranges[columnParameter] = {
	[columnTime] = {0.0, CLI_LATEST_STEER, " s"},
	[columnDirection] = {-CLI_MAX_DEGREES, CLI_MAX_DEGREES, " degrees"},
	[columnMagnitude] = {0.0, 1.0, ""},
	[columnX] = {-CLI_MAX_DEGREES, CLI_MAX_DEGREES, ""},
	[columnY] = {-CLI_MAX_DEGREES, CLI_MAX_DEGREES, ""},
	[columnSpeed] = {0.0, 20.0, " m/s"},
	[columnTurn] = {-CLI_MAX_DEGREES, CLI_MAX_DEGREES, " degrees per second"},
	[columnTargetX] = {-CLI_FARTHEST, CLI_FARTHEST, " m"},
	[columnTargetY] = {-CLI_FARTHEST, CLI_FARTHEST, " m"},
	[columnTargetZ] = {-CLI_FARTHEST, CLI_FARTHEST, " m"},
};

/// What is read, and what each cell of a line is.
typedef struct Reading
{
	cliScriptForm form;
	int columns[cli_maxCells];
	int columnCount;
	bool isNamed;

	/// Those that columns may be: all of a space, those of nodes that the first line names.
	const rpSpaceParameter* parameters[cli_maxCells];
	int parameterCount;

	/// What columns may be called, and which column each name is.
	const char* names[columnCount];
	int named[columnCount];
	int nameCount;

	/// How each column is called, by Column; those of layers are copies.
	const char* titles[columnCount];
	char* layerNames[cli_maxCells];
	cliScript* script;

	/// Said with errors where a space is played.
	char hint[RP_MAX_SPACE_PARAMETERS * 256];
} Reading;

static bool isSpace(const Reading* reading)
{
	return rpPlayer_GetParameter(reading->script->player, 0, 0) != NULL;
}

static bool isGraphOfSpaces(const Reading* reading)
{
	return strcmp(rpPlayer_GetModel(reading->script->player), "pgraph") == 0;
}

static bool has(uint64_t found, Column column)
{
	return (found >> column & 1) != 0;
}

// Once, if nodes have it in common.
static void addParameter(Reading* reading, const rpSpaceParameter* parameter)
{
	int i = 0;
	while (i < reading->parameterCount && strcmp(reading->parameters[i]->key, parameter->key) != 0)
		++i;
	if (i == reading->parameterCount && i < cli_maxCells)
		reading->parameters[reading->parameterCount++] = parameter;
}

static void listParameters(Reading* reading)
{
	const rpSpaceParameter* parameter;
	for (int i = 0; (parameter = rpPlayer_GetParameter(reading->script->player, 0, i)) != NULL; ++i)
		addParameter(reading, parameter);
}

// ---- the line of names

static void addName(Reading* reading, const char* name, int column)
{
	reading->names[reading->nameCount] = name;
	reading->named[reading->nameCount++] = column;
	reading->titles[column] = name;
}

static bool isCell(const cliRow* row, const char* text)
{
	int i = 0;
	while (i < row->count && strcmp(row->cells[i], text) != 0)
		++i;
	return i < row->count;
}

// Those of all nodes that the line names, by their keys or by their names.
static void listNodeParameters(Reading* reading, const cliRow* row)
{
	const rpPlayer* player = reading->script->player;
	const rpSpaceParameter* parameter;
	for (int node = 1; isGraphOfSpaces(reading) && rpPlayer_GetRequest(player, node) != NULL; ++node)
		for (int i = 0; (parameter = rpPlayer_GetParameter(player, node, i)) != NULL; ++i)
			if (isCell(row, parameter->key) || isCell(row, parameter->name))
				addParameter(reading, parameter);
}

// What can be asked for beside parameters, which go by their keys or by their names.
static void findNames(Reading* reading, const cliRow* row)
{
	bool isOfSpace = isSpace(reading), isOfNodes = isGraphOfSpaces(reading);
	const Column* columns = isOfSpace ? s_spaceColumns : isOfNodes ? s_graphColumns : s_playerColumns;
	int count = isOfSpace ? COUNT(s_spaceColumns) : isOfNodes ? COUNT(s_graphColumns) : COUNT(s_playerColumns);
	for (int i = 0; i < count; ++i)
		addName(reading, s_names[columns[i]], (int)columns[i]);
	listNodeParameters(reading, row);
	for (int i = 0; i < reading->parameterCount; ++i)
	{
		const rpSpaceParameter* parameter = reading->parameters[i];
		addName(reading, isCell(row, parameter->key) ? parameter->key : parameter->name, columnParameter + i);
	}
}

// Columns that are layers become names to look for.
static void findLayers(Reading* reading, const cliRow* row)
{
	cliScript* script = reading->script;
	for (int i = 0; i < row->count; ++i)
	{
		int layer = rpPlayer_FindLayer(script->player, row->cells[i]), known = 0;
		while (known < script->layerCount && script->layers[known] != layer)
			++known;
		if (layer < 0 || known < script->layerCount)
			continue;
		reading->layerNames[script->layerCount] = cliCopyText(row->cells[i]);
		addName(reading, reading->layerNames[script->layerCount], columnLayer + script->layerCount);
		// Layers of players are on, and stay so until a line says otherwise.
		script->switched[script->layerCount] = 1.0f;
		script->layers[script->layerCount++] = layer;
	}
}

// What only other models understand is named before anything else is said of it.
static bool checkSpace(const cliRowFile* rows, const cliRow* row, const Reading* reading)
{
	for (int i = 0; i < row->count && isSpace(reading); ++i)
	{
		bool isKnown = false, isOther = false;
		for (int k = 0; k < reading->nameCount; ++k)
			isKnown = isKnown || strcmp(row->cells[i], reading->names[k]) == 0;
		for (int k = 0; k < columnParameter; ++k)
			isOther = isOther || strcmp(row->cells[i], s_names[k]) == 0;
		if (isOther && !isKnown)
			return cliFailInRow(rows, row->columns[i],
								"\"%s\" is not asked of a space, which has parameters of its own", row->cells[i]);
	}
	return true;
}

// Models without requests know neither gaits nor what belongs to them.
static bool checkKind(const cliRowFile* rows, const cliRow* row, const Reading* reading)
{
	if (isSpace(reading) || rpPlayer_GetRequest(reading->script->player, 0) != NULL)
		return true;
	for (int i = 0; i < row->count; ++i)
		if (reading->columns[i] >= columnGait && reading->columns[i] <= columnTurn)
			return cliFailInRow(rows, row->columns[i],
								"\"%s\" is for models of locomotion; this is a motion graph, steered by direction, or "
								"by x and y",
								row->cells[i]);
	return true;
}

static bool checkTarget(const cliRowFile* rows, uint64_t found)
{
	return (has(found, columnTargetX) == has(found, columnTargetZ) &&
			(has(found, columnTargetX) || !has(found, columnTargetY))) ||
		   cliFailInRow(rows, 1, "a target has target_x and target_z, and target_y where its height matters");
}

static bool checkColumns(const cliRowFile* rows, const cliRow* row, const Reading* reading, uint64_t found)
{
	if (isSpace(reading))
		return (has(found, columnTime) && row->count > 1) ||
			   cliFailInRow(rows, 1, "the columns are time and what is asked for then");
	bool isSound = has(found, columnTime) && row->count > 1 && has(found, columnX) == has(found, columnY) &&
				   !(has(found, columnX) && has(found, columnDirection)) &&
				   (has(found, columnDirection) || !has(found, columnMagnitude));
	return (isSound || cliFailInRow(rows, 1,
									"the columns are time and direction, or time, x and y, and what else is asked "
									"for")) &&
		   checkTarget(rows, found);
}

static bool readNames(const cliRowFile* rows, const cliRow* row)
{
	Reading* reading = rows->context;
	uint64_t found = 0;
	if (reading->isNamed)
		return cliFailInRow(rows, 1, "the columns have names already");
	findNames(reading, row);
	findLayers(reading, row);
	if (!checkSpace(rows, row, reading) ||
		cliFindColumns(rows, row, reading->names, reading->nameCount, reading->columns) == 0)
		return false;
	for (int i = 0; i < row->count; ++i)
	{
		reading->columns[i] = reading->named[reading->columns[i]];
		found |= (uint64_t)1 << reading->columns[i];
	}
	reading->columnCount = row->count;
	reading->isNamed = true;
	return checkColumns(rows, row, reading, found) && checkKind(rows, row, reading);
}

// A time and the parameters in their order.
static bool takeValues(const cliRowFile* rows, const cliRow* row)
{
	Reading* reading = rows->context;
	for (int i = 0; i < reading->parameterCount; ++i)
	{
		reading->columns[i + 1] = columnParameter + i;
		reading->titles[columnParameter + i] = reading->parameters[i]->name;
	}
	reading->columns[0] = columnTime;
	reading->columnCount = reading->parameterCount + 1;
	return row->count > 1 ||
		   cliFailInRow(rows, 1, "a time and at least one number with a comma between them are needed");
}

// Without names. The lines of a file may differ.
static bool takeForm(const cliRowFile* rows, const cliRow* row)
{
	static const int turned[] = {columnTime, columnDirection}, pushed[] = {columnTime, columnX, columnY},
					 gaits[] = {columnTime, columnGait, columnSpeed, columnTurn};
	Reading* reading = rows->context;
	bool isOfGaits = reading->form == cli_scriptOfGaits;
	if (isSpace(reading))
		return takeValues(rows, row);
	if (!isOfGaits && row->count > 3)
		return cliFailInRow(rows, row->columns[3], "there are more than three numbers");
	if (!isOfGaits && row->count < 2)
		return cliFailInRow(rows, 1, "two or three numbers with commas between them are needed");
	if (isOfGaits && (row->count < 2 || row->cells[1][0] == 0))
		return cliFailInRow(rows, 1, "a time and a gait are needed");
	reading->columnCount = isOfGaits ? 4 : row->count;
	memcpy(reading->columns,
		   isOfGaits         ? gaits
		   : row->count == 2 ? turned
							 : pushed,
		   (size_t)reading->columnCount * sizeof(int));
	return true;
}

// ---- lines

static bool failRequest(const cliRowFile* rows, int at, const Reading* reading, const char* text)
{
	const rpPlayer* player = reading->script->player;
	char list[200] = "";
	const char* best = NULL;
	int distance = -1;
	for (int i = 0; rpPlayer_GetRequest(player, i) != NULL; ++i)
	{
		size_t size = strlen(list);
		bool isLast = rpPlayer_GetRequest(player, i + 1) == NULL;
		snprintf(list + size, sizeof list - size, "%s%s",
				 i == 0   ? ""
				 : isLast ? " and "
						  : ", ",
				 rpPlayer_GetRequest(player, i));
		cliSuggest(text, rpPlayer_GetRequest(player, i), &best, &distance);
	}
	if (isGraphOfSpaces(reading) && best != NULL)
		return cliFailInRow(rows, at, "there is no node \"%.40s\"; did you mean \"%s\"? There are %s", text, best,
							list);
	return cliFailInRow(rows, at,
						isGraphOfSpaces(reading) ? "there is no node \"%.40s\"; there are %s"
												 : "\"%.40s\" is no gait; there are %s",
						text, list);
}

static bool readRequest(const cliRowFile* rows, const char* text, int at, int* out)
{
	const Reading* reading = rows->context;
	const char* name;
	for (int i = 0; (name = rpPlayer_GetRequest(reading->script->player, i)) != NULL; ++i)
		if (strcmp(text, name) == 0)
		{
			*out = i;
			return true;
		}
	return failRequest(rows, at, reading, text);
}

static Range getRange(const Reading* reading, Column column)
{
	if (column < columnParameter)
		return s_ranges[column];
	if (column >= columnLayer)
		return (Range){0.0, 1.0, ""};
	bool isAngle = reading->parameters[(int)column - columnParameter]->isAngle;
	return isAngle ? (Range){-CLI_MAX_DEGREES, CLI_MAX_DEGREES, " degrees"} : (Range){-CLI_FARTHEST, CLI_FARTHEST, ""};
}

static bool readNumber(const cliRowFile* rows, const char* text, int at, Column column, double* out)
{
	const Reading* reading = rows->context;
	Range range = getRange(reading, column);
	if (!cliParseNumber(text, out))
		return cliFailInRow(rows, at, "\"%.40s\" is no number", text);
	return (*out >= range.min && *out <= range.max) ||
		   cliFailInRow(rows, at, "a %s of %.40s%s; %g to %g are allowed",
						column < columnParameter ? s_names[column] : reading->titles[column], text, range.unit,
						range.min, range.max);
}

// Numbers that are not there are not numbers. Without names, what makes a stick has to be there.
static bool readCells(const cliRowFile* rows, const cliRow* row, double numbers[columnCount], int* request)
{
	const Reading* reading = rows->context;
	if (row->count > reading->columnCount)
		return cliFailInRow(rows, row->columns[reading->columnCount],
							reading->isNamed ? "there are %d cells for the %d columns that the first line names"
											 : "there are %d cells; %d at most are allowed",
							row->count, reading->columnCount);
	for (int i = 0; i < row->count; ++i)
	{
		Column column = (Column)reading->columns[i];
		const char* text = row->cells[i];
		bool isStick = column == columnDirection || column == columnX || column == columnY;
		bool isNeeded = column == columnTime || (isStick && !reading->isNamed);
		if (text[0] == 0 && !isNeeded)
			continue;
		if (column == columnGait || column == columnNode
				? !readRequest(rows, text, row->columns[i], request)
				: !readNumber(rows, text, row->columns[i], column, &numbers[column]))
			return false;
	}
	if (isnan(numbers[columnTime]))
		return cliFailInRow(rows, 1, "there is no time");
	if (isnan(numbers[columnX]) != isnan(numbers[columnY]))
		return cliFailInRow(rows, 1, "a stick has both x and y, or neither");
	return (isnan(numbers[columnTargetX]) == isnan(numbers[columnTargetZ]) &&
			(!isnan(numbers[columnTargetX]) || isnan(numbers[columnTargetY]))) ||
		   cliFailInRow(rows, 1, "a target has target_x and target_z, or neither");
}

static double getOr(double number, double otherwise)
{
	return isnan(number) ? otherwise : number;
}

// Ahead is +z, and the right of somebody who looks there is -x. No zero is negative: straight back has one angle.
static rpVec2 makeStick(const double* numbers)
{
	if (!isnan(numbers[columnX]))
		return (rpVec2){0.0f - (float)numbers[columnX], (float)numbers[columnY] + 0.0f};
	if (isnan(numbers[columnDirection]))
		return (rpVec2){0.0f, 0.0f};
	double angle = numbers[columnDirection] * RP_DEGREE, length = getOr(numbers[columnMagnitude], 1.0);
	return (rpVec2){(float)(length * sin(angle)), (float)(length * cos(angle))};
}

static rpSpaceInput makeValues(const Reading* reading, const double* numbers)
{
	rpSpaceInput input = {0};
	for (int i = 0; i < RP_MAX_SPACE_PARAMETERS && i < reading->parameterCount; ++i)
	{
		double number = numbers[columnParameter + i];
		input.values[i] = (float)(reading->parameters[i]->isAngle ? number * RP_DEGREE : number);
		input.isGiven = input.isGiven || !isnan(number);
	}
	return input;
}

// Of the node that is requested. What it does not have cannot be asked of it.
static bool makeNodeValues(const cliRowFile* rows, const cliRow* row, const double* numbers, int* request,
						   rpSpaceInput* out)
{
	const Reading* reading = rows->context;
	const rpPlayer* player = reading->script->player;
	const rpSpaceParameter* parameter;
	*out = (rpSpaceInput){0};
	// The only node need not be named.
	int node = *request == 0 && rpPlayer_GetRequest(player, 2) == NULL ? 1 : *request;
	for (int i = 0; i < RP_MAX_SPACE_PARAMETERS; ++i)
		out->values[i] = NAN;
	for (int i = 0; i < row->count; ++i)
	{
		int column = reading->columns[i], k = 0;
		if (column < columnParameter || column >= columnLayer || isnan(numbers[column]))
			continue;
		const rpSpaceParameter* asked = reading->parameters[column - columnParameter];
		if (node == 0)
			return cliFailInRow(rows, row->columns[i], "%s is asked of a node; name it in the same line",
								reading->titles[column]);
		while ((parameter = rpPlayer_GetParameter(player, node, k)) != NULL && strcmp(parameter->key, asked->key) != 0)
			++k;
		if (parameter == NULL)
			return cliFailInRow(rows, row->columns[i], "%s has no parameter %s", rpPlayer_GetRequest(player, node),
								reading->titles[column]);
		out->values[k] = (float)(asked->isAngle ? numbers[column] * RP_DEGREE : numbers[column]);
		out->isGiven = true;
	}
	*request = out->isGiven ? node : *request;
	return true;
}

// Of a place whose height does not matter it is 0.
static rpParametricInput makeTarget(const double* numbers)
{
	rpParametricInput input = {.hasTarget = !isnan(numbers[columnTargetX])};
	if (input.hasTarget)
		input.target = (rpVec3){(float)numbers[columnTargetX], (float)getOr(numbers[columnTargetY], 0.0),
								(float)numbers[columnTargetZ]};
	return input;
}

static bool addLine(const cliRowFile* rows, const cliRow* row, const double* numbers, int request)
{
	const Reading* reading = rows->context;
	cliScript* script = reading->script;
	size_t layerCount = (size_t)script->layerCount;
	if (script->count > 0 && numbers[columnTime] <= script->items[script->count - 1].time)
		return cliFailInRow(rows, row->columns[0], "the times do not increase");
	if (script->count == script->capacity)
	{
		script->capacity = script->capacity * 2 + 16;
		script->items = cliReallocate(script->items, (size_t)script->capacity * sizeof(rpOrder));
		script->weights = cliReallocate(script->weights, (size_t)script->capacity * layerCount * sizeof(float));
	}
	for (size_t i = 0; i < layerCount; ++i)
		script->weights[(size_t)script->count * layerCount + i] = (float)getOr(numbers[columnLayer + i], -1.0);
	rpPlayerInput input = {.stick = makeStick(numbers), .request = request};
	if (!isGraphOfSpaces(reading))
		input.space = makeValues(reading, numbers);
	else if (!makeNodeValues(rows, row, numbers, &input.request, &input.space))
		return false;
	input.parametric = makeTarget(numbers);
	input.locomotion.speed = (float)getOr(numbers[columnSpeed], 0.0);
	input.locomotion.turn = (float)(getOr(numbers[columnTurn], 0.0) * RP_DEGREE);
	script->items[script->count++] = (rpOrder){numbers[columnTime], input};
	return true;
}

static bool takeRow(const cliRowFile* rows, const cliRow* row)
{
	const Reading* reading = rows->context;
	double numbers[columnCount];
	int request = 0;
	if (row->isNames)
		return readNames(rows, row);
	if (!reading->isNamed && !takeForm(rows, row))
		return false;
	for (int i = 0; i < columnCount; ++i)
		numbers[i] = NAN;
	return readCells(rows, row, numbers, &request) && addLine(rows, row, numbers, request);
}

// How lines for a space are written; where there are many parameters, the first of them.
static void writeHint(Reading* reading)
{
	size_t size = sizeof reading->hint, used = 0;
	for (int i = 0; used < size && i < reading->parameterCount; ++i)
	{
		const rpSpaceParameter* parameter = reading->parameters[i];
		double unit = parameter->isAngle ? RP_DEGREE : 1.0;
		used += (size_t)snprintf(reading->hint + used, size - used, "%s%s (%.3g to %.3g)",
								 i == 0 ? "name the columns in a first line, or write a time and all of these: " : ", ",
								 parameter->key, (double)parameter->low / unit, (double)parameter->high / unit);
	}
}

bool cliReadScript(cliRun* run, const char* path, rpPlayer* player, cliScriptForm form, cliScript* out)
{
	*out = (cliScript){.player = player};
	bool isOfGaits = form == cli_scriptOfGaits;
	Reading reading = {.form = form, .script = out};
	listParameters(&reading);
	writeHint(&reading);
	cliRowFile rows = {.run = run,
					   .path = path,
					   .hint = isSpace(&reading)           ? reading.hint
							   : isGraphOfSpaces(&reading) ? s_nodeHint
							   : isOfGaits                 ? s_gaitHint
														   : s_directionHint,
					   .takeRow = takeRow,
					   .context = &reading,
					   .min = 1,
					   .tooFew =
						   isOfGaits ? "there is no line with a time and a gait" : "there is no line with numbers"};
	bool done = cliReadRows(&rows);
	for (int i = 0; i < cli_maxCells; ++i)
		free(reading.layerNames[i]);
	if (!done)
		cliFreeScript(out);
	return done;
}

void cliFreeScript(cliScript* script)
{
	free(script->items);
	free(script->weights);
	*script = (cliScript){0};
}

// ---- steering

bool cliSteerByScript(void* context, const rpPlayer* player, double time, rpPlayerInput* out)
{
	(void)player;
	cliScript* script = context;
	double seconds = script->next == 0 && time == 0.0 ? 0.0 : CLI_SWITCH_SECONDS;
	float weights[cli_maxCells];
	memcpy(weights, script->switched, sizeof weights);
	for (; script->next < script->count && script->items[script->next].time <= time + TICK_SLACK; ++script->next)
		for (int i = 0; i < script->layerCount; ++i)
		{
			float weight = script->weights[(size_t)script->next * (size_t)script->layerCount + (size_t)i];
			weights[i] = weight >= 0.0f ? weight : weights[i];
		}
	for (int i = 0; i < script->layerCount; ++i)
		if (weights[i] != script->switched[i])
			rpPlayer_SwitchLayer(script->player, script->layers[i], weights[i], seconds);
	memcpy(script->switched, weights, sizeof weights);
	*out = script->next > 0 ? script->items[script->next - 1].input : (rpPlayerInput){0};
	return true;
}
