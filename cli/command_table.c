/// The table of commands: what help, man pages, shell completion and docs/commands.md say.
#include "command.h"
#include "reprise/evaluate.h"

#include <stddef.h>

const cliOption cliCommonOptions[] = {
	{"json", 0, NULL, "Report on standard output as JSON, failures too."},
	{"quiet", 'q', NULL, "No warnings, no progress bar, no remarks; failures are still told."},
	{"help", 'h', NULL, "Show how the command is used."},
	{"version", 0, NULL, "Show the version of Reprise."},
	{0},
};

#define OUTPUT(help)                \
	{                               \
		"output", 'o', "FILE", help \
	}
#define FORCE                                                                     \
	{                                                                             \
		"force", 0, NULL, "Overwrite the output even if it is one of the inputs." \
	}

/// How to read a clip, for every command that reads files.
#define READING_OPTIONS                                                                                      \
	{"no-repair", 0, NULL, "Only report what the doctor finds; mend nothing but units and up axis."},        \
		{"scale", 0, "METRES",                                                                               \
		 "Metres in one unit of the file, or m, cm, mm, in or cmu, instead of the doctor's guess."},         \
		{"up", 0, "x|y|z", "The axis that points up in the file, instead of the doctor's guess."},           \
		{"keep-rest-row", 0, NULL, "Keep a first row that holds a rest pose as a frame of the motion."},     \
		{"read-fps", 0, "F", "Frames per second of the file, whatever it says itself."},                     \
		{"add-offsets", 0, NULL,                                                                             \
		 "Add position channels below the root to the joint's OFFSET instead of replacing it."},             \
		{"asf", 0, "FILE", "The skeleton (.asf) of an AMC file, where it is not beside it."},                \
		{"role", 0, "ROLE=JOINT",                                                                            \
		 "Correct a guessed role, for example left_knee=LeftLeg. May be given several times."},              \
	{                                                                                                        \
		"ignore-sidecar", 0, NULL, "Do not look for the JSON file with labels and contacts beside the clip." \
	}

static const cliOption readingOptions[] = {
	READING_OPTIONS,
	{"fps", 0, "F", "The same as --read-fps."},
	{0},
};

/// Where --fps is the rate of the result.
static const cliOption sourceOptions[] = {READING_OPTIONS, {0}};

static const cliOption infoOptions[] = {
	{"joints", 0, NULL, "Show the skeleton as a tree as well."},
	{0},
};

static const cliOption convertOptions[] = {
	OUTPUT("The file to write; its ending, .bvh, .glb or .csv, tells the format."),
	{"fps", 0, "F", "Resample to this rate."},
	{"crop", 0, "A..B", "Keep only this stretch, in seconds or frames: 1.5..3, 30f..90f, 2.."},
	{"retime", 0, "FACTOR|FILE",
	 "Play it this many times as fast, or along the lines \"new,old\" (seconds) of a CSV file."},
	{"smooth", 0, NULL, "With a CSV file for --retime: change the speed smoothly between its lines."},
	{"mirror", 0, NULL, "Exchange left and right."},
	{"turn", 0, "DEGREES", "Turn it about the vertical axis, to the left."},
	{"shift", 0, "X,Z", "Move it over the floor by this many metres, after turning."},
	{"join", 0, "as-is|aligned|smooth",
	 "How several clips are joined: each where it is (the default); turned and moved over the floor to where the one "
	 "before ends; or that, and the step in pose and velocity led to nothing on both sides."},
	{"onto", 0, "CLIP",
	 "Put it onto the skeleton of this clip, whose joints have the same names and parents: rotations are kept, the way "
	 "grows with the legs, feet are locked."},
	{"no-lock", 0, NULL, "With --onto: leave the feet where the new legs take them."},
	{"unit", 0, "m|cm|mm|in", "Unit of length of a BVH or CSV file; metres if not given."},
	{"each", 0, NULL, "GLB only: make each clip an animation of its own instead of joining them."},
	{"no-mesh", 0, NULL, "GLB only: the skeleton alone, without a body."},
	{"no-sidecar", 0, NULL, "Do not write the JSON file with labels, contacts and provenance beside the output."},
	FORCE,
	{0},
};

static const cliOption compareOptions[] = {
	{"picture", 0, "FILE", "Draw the distances as a heat map with the minima marked, .png or .svg."},
	{"csv", 0, "FILE", "Write the distances as a table, one row for each frame of the first clip."},
	{"metric", 0, "NAME",
	 "cloud: points of the body and where they go, after one clip is moved over the floor to where it fits best (the "
	 "default). angle: angles and angular velocities of the joints."},
	{"window", 0, "S", "Seconds of motion around each frame that are compared with it, 0.5 if not given."},
	{"threshold", 0, "M", "Report only minima under this distance."},
	FORCE,
	{0},
};

static const cliOption alignOptions[] = {
	OUTPUT("The file to write, .bvh, .glb or .csv."),
	{"picture", 0, "FILE", "Draw the distances of all moments and the path through them, .png or .svg."},
	{"free-ends", 0, NULL, "Align the stretch that fits best; what hangs over at the ends is left out."},
	{"slope", 0, "N",
	 "At most this many frames (of 30 a second) of one clip in a row for one of the other; 3 if not given."},
	{"unit", 0, "m|cm|mm|in", "Unit of length of a BVH or CSV file; metres if not given."},
	{"no-mesh", 0, NULL, "GLB only: the skeleton alone, without a body."},
	{"no-sidecar", 0, NULL, "Do not write the JSON file with labels, contacts and provenance beside the output."},
	FORCE,
	{0},
};

static const cliOption transitionOptions[] = {
	OUTPUT("The file to write, .bvh, .glb or .csv."),
	{"blend", 0, "S", "Length of the transition in seconds; 0.5 if not given, 0 is a jump cut."},
	{"kind", 0, "fade|linear|displace|inertial",
	 "Cross-fade smoothly (the default) or by a straight line; or cut and lead the differences in pose and velocity to "
	 "nothing, on both sides of the cut or after it alone."},
	{"align", 0, "centre|ends",
	 "The two moments coincide (the default), or the transition starts at the first and ends at the second."},
	{"no-lock", 0, NULL, "Leave feet that slide in the transition as they are."},
	{"unit", 0, "m|cm|mm|in", "Unit of length of a BVH or CSV file; metres if not given."},
	{"no-mesh", 0, NULL, "GLB only: the skeleton alone, without a body."},
	{"no-sidecar", 0, NULL, "Do not write the JSON file with labels, contacts and provenance beside the output."},
	FORCE,
	{0},
};

static const cliOption blendOptions[] = {
	OUTPUT("The file to write, .bvh, .glb or .csv."),
	{"weights", 0, "W,W,...", "How much of each clip, relative to their sum; the same of each if not given."},
	{"scheme", 0, "auto|plain|physical",
	 "Physically correct wherever the phases of the clips are known (auto and physical), or plain means."},
	{"ends", 0, "auto|whole|free",
	 "Register whole clips; or the best stretch, ends may hang over; or (auto, if not given) the whole where it has "
	 "common phases, else whatever fits better."},
	{"fps", 0, "F", "Rate of the result; that of the first clip if not given."},
	{"lock", 0, NULL, "Lock feet that rest, in case they slide in the clips or in the blend."},
	{"unit", 0, "m|cm|mm|in", "Unit of length of a BVH or CSV file; metres if not given."},
	{"no-mesh", 0, NULL, "GLB only: the skeleton alone, without a body."},
	{"no-sidecar", 0, NULL, "Do not write the JSON file with labels, contacts and provenance beside the output."},
	FORCE,
	{0},
};

static const cliOption cleanOptions[] = {
	OUTPUT("The file to write, .bvh, .glb or .csv."),
	{"contacts", 0, "auto|stored", "Find the contacts in the clip (the default), or take those that came with it."},
	{"stretch", 0, "PERCENT", "How far a leg may be stretched where nothing else helps; 3 if not given."},
	{"ease", 0, "S", "Seconds over which a lock is eased in before a contact and out after it; 0.2 if not given."},
	{"no-ground", 0, NULL, "Leave resting feet at the heights they have."},
	{"unit", 0, "m|cm|mm|in", "Unit of length of a BVH or CSV file; metres if not given."},
	{"no-mesh", 0, NULL, "GLB only: the skeleton alone, without a body."},
	{"no-sidecar", 0, NULL, "Do not write the JSON file with labels, contacts and provenance beside the output."},
	FORCE,
	{0},
};

static const cliOption pictureOptions[] = {
	OUTPUT("The picture to write, .png or .svg."),
	{"figures", 0, "N", "How many figures to draw, instead of as many as can be told apart."},
	{"size", 0, "WxH", "Size in pixels, for example 1600x500."},
	{"title", 0, "TEXT", "The line above the picture; empty for none."},
	FORCE,
	{0},
};

static const cliOption showOptions[] = {
	OUTPUT("The page to write, .html."),
	{"title", 0, "TEXT", "Title of the page."},
	FORCE,
	{0},
};

static const cliOption performOptions[] = {
	OUTPUT("The file to write, .bvh, .glb or .csv."),
	{"list", 0, NULL, "List the acts that the performer knows."},
	{"speed", 0, "M/S", "Forward speed in metres per second."},
	{"turn", 0, "DEG/S", "Turn to the left by this many degrees per second; negative: to the right."},
	{"angle", 0, "DEG", "Turn to the left by this many degrees in all."},
	{"foot", 0, "0|1", "Which foot: 0 the left, 1 the right."},
	{"hand", 0, "0|1", "Which hand: 0 the left, 1 the right."},
	{"height", 0, "M", "Height of the target, seat, step or jump."},
	{"reach", 0, "M", "How far ahead the target is."},
	{"side", 0, "M", "How far to the left the target is."},
	{"distance", 0, "M", "Length of the jump or leap."},
	{"seed", 0, "N", "The manner: cadence, arm swing, bounce, variation from step to step. 0 is plain."},
	{"script", 0, "SCRIPT",
	 "What a take does: stretches separated by ;. stand, walk, run and styles take seconds, speed, turn; acts what is "
	 "asked of them, by name or in order: \"walk 4 1.3 20; punch height=1.3; jump 1.2\"."},
	{"stature", 0, "M", "Height of the body, 1.2 to 2.1."},
	{"seconds", 0, "S", "How long."},
	{"fps", 0, "F", "Frames per second."},
	{"no-mesh", 0, NULL, "GLB only: the skeleton alone, without a body."},
	{"no-sidecar", 0, NULL, "Do not write the JSON file with labels, contacts and provenance beside the output."},
	{0},
};

static const cliOption demoOptions[] = {
	{"output", 'o', "FOLDER", "Where to put it all; demo-out if not given."},
	{0},
};

static const cliOption evaluateOptions[] = {
	{"reference", 0, "CLIP", "A clean clip to compare smoothness with. May be given several times."},
	{"path", 0, "FILE", "The path it should follow: a CSV file with lines \"x,z\", metres."},
	{"contacts", 0, "auto|stored", "Find contacts anew, or take those beside the clip; stored if there are any."},
	{"truth", 0, "CLIP", "A clip whose contacts are the truth for contact_f1."},
	{"limits", 0, "FILE|default",
	 "Exit with 5 beyond these limits: Reprise's own, or a JSON file {\"slide_mm_mean\": 5}."},
#define X(enumerator, key, option, limit, text) {"max-" option, 0, "N", "Exit with 5 if " key " is greater."},
	RP_MEASURES(X)
#undef X
		{0},
};

#define GRAPH_NAME                                                                     \
	{                                                                                  \
		"name", 0, "NAME", "Name of the graph in the library; \"graph\" if not given." \
	}

static const cliOption graphBuildOptions[] = {
	GRAPH_NAME,
	{"threshold", 0, "METRES|auto|FILE",
	 "Largest distance of a transition, for all; auto (the default) chooses it for each pair of labels; or a CSV file "
	 "with "
	 "lines \"from,to,metres\", with never or auto for metres."},
	{"mirror", 0, NULL, "Mirror images of the clips as extra examples."},
	{"blend", 0, "SECONDS", "Length of the transitions; the metric's window if not given."},
	{"window", 0, "SECONDS", "Window of the metric, 0.5 if not given."},
	{"share", 0, "PERCENT", "auto: share of a label's frames that must hang together, 90 if not given."},
	{"switch", 0, "SECONDS", "auto: longest time until another label is reached, 3 if not given."},
	{"per-cell", 0, "N", "At most this many transitions in each half second by half second, 2 if not given."},
	{"same-contacts", 0, NULL, "Transitions only where the same parts of the feet touch the ground."},
	{"picture", 0, "FILE", "Draw how connectivity grows with the threshold, .png or .svg."},
	{"csv", 0, "FILE", "The same as a table."},
	{0},
};

static const cliOption graphInfoOptions[] = {
	GRAPH_NAME,
	{0},
};

static const cliOption graphOutputOptions[] = {
	GRAPH_NAME,
	OUTPUT("The file to write."),
	{0},
};

#define GRAPH_RESULT                                                                                                \
	OUTPUT("The motion to write, .bvh, .glb or .csv."),                                                             \
		{"fps", 0, "F", "Frames per second of the result; those of the first clip if not given."},                  \
		{"no-lock", 0, NULL, "Leave the feet as the blends have them."},                                            \
		{"unit", 0, "m|cm|mm|in", "Unit of length of a BVH or CSV file; metres if not given."},                     \
		{"no-mesh", 0, NULL, "GLB only: the skeleton alone, without a body."},                                      \
	{                                                                                                               \
		"no-sidecar", 0, NULL, "Do not write the JSON file with labels, contacts and provenance beside the output." \
	}

static const cliOption graphWalkOptions[] = {
	GRAPH_NAME,
	{"seconds", 0, "S", "How long, 30 if not given."},
	{"seed", 0, "N", "Which walk, 0 if not given."},
	{"label", 0, "LABEL", "Only motion with this label. May be given several times."},
	{"from", 0, "CLIP|LABEL", "With --to: where the fastest walk starts."},
	{"to", 0, "CLIP|LABEL", "The fastest walk there instead of one at random."},
	GRAPH_RESULT,
	{0},
};

static const cliOption graphPathOptions[] = {
	GRAPH_NAME,
	{"path", 0, "FILE", "The path: an SVG file with one path, or a CSV file with lines \"x,z\", metres."},
	{"scale", 0, "METRES", "Metres in one unit of the SVG file, 0.01 if not given."},
	{"style", 0, "STYLES", "What to do where, in metres along the path: \"walk:0..5,sneak:5..9\"."},
	{"avoid", 0, "X,Z,R", "Stay out of this circle, metres. May be given several times."},
	{"even-speed", 0, "WEIGHT", "Keep the speed even on straight stretches; 0 (the default) does not mind, 0.05 does."},
	{"max-error", 0, "METRES", "Fail with exit code 4 if the mean distance from the path is greater."},
	{"effort", 0, "N", "Edges that branch and bound looks at for each second of motion, 20000 if not given."},
	{"choices", 0, "N", "Choose at random among this many of the best walks of each second, 1 if not given."},
	{"seed", 0, "N", "Which of them, 0 if not given."},
	GRAPH_RESULT,
	{0},
};

static const cliOption graphGoOptions[] = {
	GRAPH_NAME,
	{"start", 0, "X,Z,DEG", "Where the walk starts and which way it looks; 0,0,0 if not given."},
	{"goal", 0, "X,Z,DEG", "Where it shall end, and which way it shall look."},
	{"max-error", 0, "METRES", "Fail with exit code 4 if it ends farther from the goal."},
	{"from", 0, "CLIP|LABEL", "What it starts with."},
	{"to", 0, "CLIP|LABEL", "What it ends with."},
	{"effort", 0, "N", "Edges that branch and bound looks at for each second of motion, 20000 if not given."},
	GRAPH_RESULT,
	{0},
};

static const cliOption graphSteerOptions[] = {
	GRAPH_NAME,
	{"seconds", 0, "S", "How far ahead to look, 3 if not given."},
	{"speed", 0, "M/S", "The speed to travel with; that of the graph's faster motion if not given."},
	{0},
};

static const cliOption graphReachOptions[] = {
	GRAPH_NAME,
	{"seconds", 0, "S", "Within how long, 5 if not given."},
	{"from", 0, "CLIP", "The clip to start in; the first if not given."},
	{"cell", 0, "METRES", "Size of the cells that the floor is looked at in, 0.25 if not given."},
	{"picture", 0, "FILE", "Draw it from above, .png or .svg."},
	{0},
};

static const cliOption bundleOptions[] = {
	OUTPUT("The bundle to write, .rpb."),
	{"model", 0, "NAME", "The model of the library; \"graph\" if not given."},
	FORCE,
	{0},
};

static const cliOption playOptions[] = {
	OUTPUT("The motion to write, .bvh, .glb or .csv."),
	{"script", 0, "FILE",
	 "What the player is told: a CSV file with lines \"time,direction\" (degrees to the left) or \"time,x,y\" (a "
	 "stick: "
	 "right and ahead; 0,0 stays)."},
	{"seconds", 0, "S", "How long; five seconds behind the script's last line if not given."},
	{"fps", 0, "F", "Ticks per second, 60 if not given."},
	{"look-ahead", 0, "S", "How much later than it is made a frame is shown, for the feet's sake; 0.7 if not given."},
	{"no-lock", 0, NULL, "Leave the feet as the blends have them."},
	{"unit", 0, "m|cm|mm|in", "Unit of length of a BVH or CSV file; metres if not given."},
	{"no-mesh", 0, NULL, "GLB only: the skeleton alone, without a body."},
	{"no-sidecar", 0, NULL, "Do not write the JSON file with labels, contacts and provenance beside the output."},
	FORCE,
	{0},
};

static const cliOption helpOptions[] = {
	{"man", 0, NULL, "Write the man page of the command, or reprise.1, as roff."},
	{"completion", 0, "bash|zsh|fish", "Write the completion script of a shell."},
	{"commands", 0, NULL, "List the names of all commands, one per line, with a dash inside: library-add."},
	{"markdown", 0, NULL, "Write the help of all commands as Markdown."},
	{0},
};

static const cliOption addOptions[] = {
	{"label", 0, "LABEL", "Put this label on every clip that is added. May be given several times."},
	{"name", 0, "NAME", "Name of the clip, when only one is added."},
	{0},
};

static const cliOption listOptions[] = {
	{"label", 0, "LABEL", "Only clips with this label."},
	{0},
};

static const cliOption labelOptions[] = {
	{"remove", 0, NULL, "Take the labels away instead."},
	{0},
};

static const cliOption exportOptions[] = {
	{"output", 'o', "FILE|FOLDER", "A file for one clip; a folder, made if need be, for several."},
	{"all", 0, NULL, "Export every clip."},
	{"format", 0, "bvh|glb|csv", "Format of the files in a folder; BVH if not given."},
	{"unit", 0, "m|cm|mm|in", "Unit of length of a BVH or CSV file; metres if not given."},
	{"no-mesh", 0, NULL, "GLB only: the skeleton alone, without a body."},
	{"no-sidecar", 0, NULL, "Do not write the JSON files with labels, contacts and provenance."},
	{0},
};

const cliCommand cliCommands[] = {
	{
		.name = "info",
		.summary = "Show what a clip holds and what is wrong with it",
		.usage = "CLIP... [OPTIONS]",
		.about = "Shows the length of a clip, its body, how far it travels, which joint plays which role in the body, "
				 "its labels and contacts, and what the import doctor found and did about it.\n\n"
				 "A library without #CLIP stands for all its clips.",
		.options = {infoOptions, readingOptions},
		.examples = {{"reprise info walk.bvh", "What is in this file?"},
					 {"reprise info walk.bvh --joints --no-repair", "Its skeleton as it stands in the file."},
					 {"reprise info *.bvh --json | jq -r '.clips[] | [.file, .seconds] | @tsv'",
					  "A table of lengths."}},
		.minimum = 1,
		.maximum = -1,
		.run = cliRunInfo,
	},
	{
		.name = "convert",
		.summary = "Change a clip's format, rate, length, side, timing or place",
		.usage = "CLIP... -o FILE [OPTIONS]",
		.about =
			"Reads a clip, mends it, edits it and writes it. The edits are made in this order: onto, crop, retime, "
			"mirror, turn, shift, resample. Labels and contacts go through every edit into the JSON file beside the "
			"output.\n\n"
			"Several clips are joined one after the other, each where it is on the floor or, with --join, where the "
			"one "
			"before ends; they need the same skeleton, which --onto gives them. reprise transition joins two clips at "
			"moments of your choice.\n\n"
			"--fps is the rate of the result. To overrule the rate that the file gives for itself, use --read-fps; a "
			"file that gives none takes --fps for it.",
		.options = {convertOptions, sourceOptions},
		.examples = {{"reprise convert walk.bvh -o walk.glb --fps 30", "For a game engine or a glTF viewer."},
					 {"reprise convert 'walk.bvh@1.5..3' -o step.bvh --mirror",
					  "One stretch, left and right exchanged."},
					 {"reprise convert take.amc --asf body.asf -o take.bvh --unit cm",
					  "From ASF/AMC, in centimetres."}},
		.minimum = 1,
		.maximum = -1,
		.run = cliRunConvert,
	},
	{
		.name = "compare",
		.summary = "Find out where two clips are alike",
		.usage = "CLIP CLIP [OPTIONS]",
		.about =
			"Compares every moment of one clip with every moment of another, at 30 frames a second, and reports the "
			"local minima of the distance: the moments at which one could go over to the other, how far apart the body "
			"is there, and the turn and shift over the floor that take the second clip onto the first.\n\n"
			"Compared with itself, a clip is searched for moments at least a window apart that are alike. The clips "
			"need "
			"the same skeleton (convert --onto gives them one).",
		.options = {compareOptions, readingOptions},
		.examples = {{"reprise compare walk.bvh run.bvh --picture grid.png", "Draw where they are alike."},
					 {"reprise compare walk.bvh walk.bvh --threshold 0.05 --json",
					  "Where a walk repeats itself, within 5 cm, for a program."},
					 {"reprise compare a.bvh b.bvh --metric angle --csv grid.csv", "All distances by joint angles."}},
		.minimum = 2,
		.maximum = 2,
		.run = cliRunCompare,
	},
	{
		.name = "align",
		.summary = "Bring one clip into the time and place of another",
		.usage = "CLIP CLIP -o FILE [OPTIONS]",
		.about =
			"Finds which moment of the first clip belongs to which moment of the second, so that both do the same at "
			"the same time, then plays the first along it, moved over the floor to where the second starts. The first "
			"frames belong together, and the last, unless the ends are free.\n\n"
			"Where both clips have the same sequence of contacts of heels and balls, these fall on the same moments "
			"exactly; contacts that nobody stored are found. The clips need the same skeleton (convert --onto gives "
			"them "
			"one).",
		.options = {alignOptions, readingOptions},
		.examples = {{"reprise align slow.bvh fast.bvh -o slow_as_fast.bvh", "A slow walk at the pace of a fast one."},
					 {"reprise align a.bvh b.bvh -o a_onto_b.bvh --free-ends --picture map.png",
					  "The stretch that both have in common, and a map of it."},
					 {"reprise align 'moves.reprise#jab@1..3' 'moves.reprise#hook' -o jab.bvh --json",
					  "From a library, for a program."}},
		.minimum = 2,
		.maximum = 2,
		.run = cliRunAlign,
	},
	{
		.name = "transition",
		.summary = "Go from one clip over to another",
		.usage = "CLIP@MOMENT CLIP@MOMENT -o FILE [OPTIONS]",
		.about =
			"Plays the first clip up to its moment, then the second from its own, and makes the way from one to the "
			"other smooth. The second clip is turned and moved over the floor to where it fits best; how well it fits "
			"is told as a distance.\n\n"
			"The clips need the same skeleton (convert --onto gives them one); the result has the rate of the first. "
			"Contacts are the first clip's before the seam and the second's after it; where a clip has none, they are "
			"found. Feet that rest in or near the transition are locked. A cross-fade needs both clips over the whole "
			"of it, a displaced cut does not.",
		.options = {transitionOptions, readingOptions},
		.examples = {{"reprise transition walk.bvh@2 run.bvh@1.4 -o faster.bvh", "Walk, then run."},
					 {"reprise transition a.bvh@90f b.bvh@40f -o ab.bvh --kind displace --blend 0.4",
					  "Cut at frames, and displace both sides."},
					 {"reprise transition 'moves.reprise#stand@1' 'moves.reprise#punch@0.5' -o p.glb --json",
					  "From a library, for a program."}},
		.minimum = 2,
		.maximum = 2,
		.run = cliRunTransition,
	},
	{
		.name = "blend",
		.summary = "Mix clips of one action into one between them",
		.usage = "CLIP CLIP... -o FILE [OPTIONS]",
		.about =
			"Brings clips of one action (two walks, three jumps) into one time and one place, and mixes them: with "
			"weights 0.5,0.5 of a slow walk and a fast one comes a walk of the speed between.\n\n"
			"Where all clips have the same sequence of contacts, the mix is physically correct if they are: phases "
			"last "
			"as gravity wants it, the centre of mass falls in flight, feet that rest do not slide. Otherwise joints "
			"and "
			"roots are averaged, and a warning says why. Contacts are found where a clip has none.\n\n"
			"The clips need the same skeleton (convert --onto gives them one). The registration is told as the stretch "
			"of each clip that was used and its mean distance from its neighbour.",
		.options = {blendOptions, sourceOptions},
		.examples = {{"reprise blend slow.bvh fast.bvh -o walk.bvh", "Half of each."},
					 {"reprise blend left.bvh ahead.bvh right.bvh --weights 1,2,0.5 -o turn.bvh --json",
					  "Three of them, for a program."},
					 {"reprise blend 'moves.reprise#jump-1@1..3' 'moves.reprise#jump-2' -o jump.glb --lock",
					  "Stretches from a library, with feet locked."}},
		.minimum = 2,
		.maximum = -1,
		.run = cliRunBlend,
	},
	{
		.name = "clean",
		.summary = "Keep resting feet from sliding",
		.usage = "CLIP -o FILE [OPTIONS]",
		.about =
			"Locks heels and balls where they rest: each stays at one place for the whole of a contact. The body "
			"follows its planted feet, legs are bent anew so that knees keep their direction, and corrections are "
			"eased off around each contact. Where planted feet show that the whole body shakes, the shaking is taken "
			"out.\n\n"
			"The report says how far heels and balls slid per contact before and after, measured on the contacts of "
			"the clip as it came: found in it, or stored with it. A clip without contacts is left as it is, with a "
			"warning.",
		.options = {cleanOptions, readingOptions},
		.examples = {{"reprise clean walk.bvh -o clean.bvh", "Feet that rest do not slide."},
					 {"reprise clean blend.bvh -o clean.glb --contacts stored", "Use the contacts stored beside it."},
					 {"reprise clean take.bvh@2..8 -o clean.bvh --stretch 0 --json",
					  "A stretch of it, no bone longer than it is, figures for a program."}},
		.minimum = 1,
		.maximum = 1,
		.run = cliRunClean,
	},
	{
		.name = "picture",
		.summary = "Draw a film strip of a clip",
		.usage = "CLIP -o FILE [OPTIONS]",
		.about =
			"Draws figures along the path of the root over the floor grid, with the contacts marked, so that one sees "
			"at a glance what the motion is. A clip without contacts has those of its feet found first.",
		.options = {pictureOptions, readingOptions},
		.examples = {{"reprise picture walk.bvh -o walk.png", "A strip of the whole clip."},
					 {"reprise picture 'moves.reprise#jump@0.5..2' -o jump.svg --figures 9", "Nine figures of a jump."},
					 {"reprise picture walk.bvh -o walk.png --size 1600x500 --title ''", "Wide, without a title."}},
		.minimum = 1,
		.maximum = 1,
		.run = cliRunPicture,
	},
	{
		.name = "show",
		.summary = "Make a page that plays clips in a browser",
		.usage = "CLIP... -o FILE.html [OPTIONS]",
		.about =
			"Writes one HTML file that shows and plays the clips: orbit, scrub, speed, floor, root path, contacts "
			"(those of the feet are found if none are known). It needs nothing else and works without a server.\n\n"
			"A library without #CLIP stands for all its clips.",
		.options = {showOptions, readingOptions},
		.examples = {{"reprise show walk.bvh -o walk.html", "Then open walk.html."},
					 {"reprise show walk.bvh run.bvh -o gaits.html --title Gaits", "Several clips on one page."},
					 {"reprise show moves.reprise -o moves.html", "A whole library."}},
		.minimum = 1,
		.maximum = -1,
		.run = cliRunShow,
	},
	{
		.name = "library",
		.summary = "Keep many clips in one file",
		.usage = "add|list|show|label|remove|rename|export|check LIB.reprise ...",
		.about = "A motion library is one file that keeps skeletons, clips and their annotations. Every change is made "
				 "whole or not at all, even when the power fails. Clips in it are named LIB.reprise#CLIP.",
		.examples = {{"reprise library add moves.reprise takes/", "Put all clips of a folder into a library."},
					 {"reprise library list moves.reprise", "What is in it?"},
					 {"reprise info 'moves.reprise#walk'", "Use one of its clips."}},
		.maximum = -1,
	},
	{
		.name = "library add",
		.summary = "Add clips to a library, which is made if need be",
		.usage = "LIB.reprise FILE|FOLDER|CLIP... [OPTIONS]",
		.about =
			"Takes files, folders (searched for *.bvh and *.amc, with all folders inside), patterns in quotes, and "
			"clips or stretches of other libraries. Adding the same content twice changes nothing. A file that cannot "
			"be read is told and does not stop the others; the exit code is then 3.",
		.options = {addOptions, readingOptions},
		.examples = {{"reprise library add moves.reprise takes/ --label walk", "A whole folder, labelled."},
					 {"reprise library add moves.reprise 'takes/16_*.bvh'", "By pattern."},
					 {"reprise library add moves.reprise 'long.bvh@12..15' --name kick", "A stretch of a long take."}},
		.minimum = 2,
		.maximum = -1,
		.run = cliRunLibraryAdd,
	},
	{
		.name = "library list",
		.summary = "List the clips of a library",
		.usage = "LIB.reprise [OPTIONS]",
		.about = "One line per clip: its number, name, length, rate, frames, skeleton and labels. Clips with the same "
				 "skeleton number can be blended with each other.",
		.options = {listOptions},
		.examples = {{"reprise library list moves.reprise", "All clips."},
					 {"reprise library list moves.reprise --label walk", "Those labelled walk."},
					 {"reprise library list moves.reprise --json | jq '[.clips[].seconds] | add'", "Seconds in all."}},
		.minimum = 1,
		.maximum = 1,
		.run = cliRunLibraryList,
	},
	{
		.name = "library show",
		.summary = "Show a library, or one clip of it",
		.usage = "LIB.reprise [CLIP] [OPTIONS]",
		.about =
			"Without a clip: how many clips, skeletons, seconds and labels the library holds. With one: the same as "
			"info, and where the clip came from.",
		.options = {infoOptions},
		.examples = {{"reprise library show moves.reprise", "What the library holds in all."},
					 {"reprise library show moves.reprise walk", "One clip, by name."},
					 {"reprise library show moves.reprise 3 --json", "One clip, by number, for a program."}},
		.minimum = 1,
		.maximum = 2,
		.run = cliRunLibraryShow,
	},
	{
		.name = "library label",
		.summary = "Put labels on a clip or a stretch of it, or take them away",
		.usage = "LIB.reprise CLIP LABEL[@A..B]... [--remove]",
		.about =
			"A label says what the performer does. Without a stretch it is put on the whole clip. With --remove it is "
			"taken away; a stretch of it leaves the rest.",
		.options = {labelOptions},
		.examples = {{"reprise library label moves.reprise walk walk", "Label the whole clip \"walk\" as walk."},
					 {"reprise library label moves.reprise long walk@0..4.2 jump@4.2..6",
					  "Two stretches of a long take."},
					 {"reprise library label moves.reprise long walk --remove", "Take the label away."}},
		.minimum = 3,
		.maximum = -1,
		.run = cliRunLibraryLabel,
	},
	{
		.name = "library remove",
		.summary = "Remove clips from a library",
		.usage = "LIB.reprise CLIP...",
		.about =
			"Removes all the clips named, or none if one of them is not there. Numbers of clips are never used again.",
		.examples = {{"reprise library remove moves.reprise walk", "By name."},
					 {"reprise library remove moves.reprise 3 4 7", "By number."},
					 {"reprise library remove moves.reprise walk --json", "What was removed, for a program."}},
		.minimum = 2,
		.maximum = -1,
		.run = cliRunLibraryRemove,
	},
	{
		.name = "library rename",
		.summary = "Give a clip another name",
		.usage = "LIB.reprise CLIP NAME",
		.about = "Names are unique in a library.",
		.examples = {{"reprise library rename moves.reprise 16_15 walk", "16_15 is called walk now."},
					 {"reprise library rename moves.reprise 3 walk-left", "By number."},
					 {"reprise library rename moves.reprise walk 'walk slowly'", "Names may hold spaces."}},
		.minimum = 3,
		.maximum = 3,
		.run = cliRunLibraryRename,
	},
	{
		.name = "library export",
		.summary = "Write clips of a library to files",
		.usage = "LIB.reprise CLIP... | --all -o FILE|FOLDER [OPTIONS]",
		.about =
			"One clip goes to the file named, several into a folder, each under its own name. What was there under "
			"the same names is overwritten.",
		.options = {exportOptions},
		.examples = {{"reprise library export moves.reprise walk -o walk.bvh", "One clip."},
					 {"reprise library export moves.reprise --all -o out/ --format glb", "All of them, as GLB."},
					 {"reprise library export moves.reprise walk run -o out/", "Two of them, as BVH."}},
		.minimum = 1,
		.maximum = -1,
		.run = cliRunLibraryExport,
	},
	{
		.name = "library check",
		.summary = "Look for damage in a library",
		.usage = "LIB.reprise",
		.about =
			"Reads everything in the library and names whatever is not as it was written. Nothing is changed. The exit "
			"code is 0 when all is well, 3 when there is damage.",
		.examples = {{"reprise library check moves.reprise", "Is it sound?"},
					 {"reprise library check moves.reprise --json", "The same for a program."},
					 {"reprise library check moves.reprise --quiet && cp moves.reprise backup/",
					  "Back up what is sound."}},
		.minimum = 1,
		.maximum = 1,
		.run = cliRunLibraryCheck,
	},
	{
		.name = "perform",
		.summary = "Let the embedded performer make a clip by formula",
		.usage = "ACT -o FILE [OPTIONS] | repertoire -o LIB.reprise [--seed N] | --list",
		.about = "Makes a motion that needs no captured data, with its ground truth: labels, contacts, phases, "
				 "footstep strings, "
				 "centre of mass. repertoire makes a whole library of all acts.",
		.options = {performOptions},
		.examples = {{"reprise perform --list", "What can it do?"},
					 {"reprise perform walk --speed 1.4 --turn 20 --seconds 10 -o walk.bvh",
					  "Ten seconds along a curve."},
					 {"reprise perform take --seconds 180 --seed 1 -o take.bvh",
					  "A long mixture; the truth beside it."}},
		.minimum = 0,
		.maximum = 1,
		.run = cliRunPerform,
	},
	{
		.name = "graph",
		.summary = "Motion graphs: endless motion from a library of clips",
		.usage = "build|info|picture|export|walk|path|go|steer|reach LIB.reprise ...",
		.about =
			"A motion graph joins the clips of a library wherever they are alike, so that a walk on it is new motion "
			"that goes on for as long as one likes. Graphs are kept in the library under a name.",
		.examples = {{"reprise graph build moves.reprise", "Build one from all clips."},
					 {"reprise graph info moves.reprise", "What does it connect?"},
					 {"reprise graph picture moves.reprise -o graph.png", "See it."}},
		.maximum = -1,
	},
	{
		.name = "graph build",
		.summary = "Build a motion graph from the clips of a library",
		.usage = "LIB.reprise [CLIP...] [OPTIONS]",
		.about = "Compares every clip with every other and with itself, makes transitions where they are alike, and "
				 "drops what "
				 "leads to a dead end. Clips that were compared before are not compared again.\n\n"
				 "Thresholds are chosen for each pair of labels: within a label the smallest with which enough of its "
				 "frames "
				 "hang together, between two the smallest with which the other is reached in time. The table and the "
				 "picture "
				 "show what others would give.",
		.options = {graphBuildOptions},
		.examples = {{"reprise graph build moves.reprise", "All clips, thresholds chosen."},
					 {"reprise graph build moves.reprise --mirror --picture thresholds.png", "Twice as much motion."},
					 {"reprise graph build moves.reprise walk turn-left --name small --threshold 0.08",
					  "Two clips, one threshold."}},
		.minimum = 1,
		.maximum = -1,
		.run = cliRunGraphBuild,
	},
	{
		.name = "graph info",
		.summary = "Show what a motion graph holds and connects",
		.usage = "LIB.reprise [OPTIONS]",
		.about = "Clips, nodes, edges, transitions, and for each label how much of its motion can go on for ever.",
		.options = {graphInfoOptions},
		.examples = {{"reprise graph info moves.reprise", "The graph called graph."},
					 {"reprise graph info moves.reprise --name small", "Another one."},
					 {"reprise graph info moves.reprise --json", "For a program."}},
		.minimum = 1,
		.maximum = 1,
		.run = cliRunGraphInfo,
	},
	{
		.name = "graph picture",
		.summary = "Draw a motion graph",
		.usage = "LIB.reprise -o FILE [OPTIONS]",
		.about = "Clips are bars in the colours of their labels, grey where no walk goes; transitions are arcs.",
		.options = {graphOutputOptions},
		.examples = {{"reprise graph picture moves.reprise -o graph.png", "As PNG."},
					 {"reprise graph picture moves.reprise -o graph.svg", "As SVG."},
					 {"reprise graph picture moves.reprise --name small -o small.png", "Another graph."}},
		.minimum = 1,
		.maximum = 1,
		.run = cliRunGraphPicture,
	},
	{
		.name = "graph export",
		.summary = "Write a motion graph as text",
		.usage = "LIB.reprise -o FILE [OPTIONS]",
		.about = "One line for each label, clip, node and edge; the same graph gives the same bytes.",
		.options = {graphOutputOptions},
		.examples = {{"reprise graph export moves.reprise -o graph.txt", "All of it."},
					 {"reprise graph export moves.reprise -o /dev/stdout | grep -c transition", "Count transitions."},
					 {"reprise graph export moves.reprise --name small -o small.txt", "Another graph."}},
		.minimum = 1,
		.maximum = 1,
		.run = cliRunGraphExport,
	},
	{
		.name = "graph walk",
		.summary = "Walk on a motion graph, at random or the fastest way",
		.usage = "LIB.reprise -o FILE [OPTIONS]",
		.about =
			"At random: any length; motion that was used less often is used more often. With --to: the walk that takes "
			"the least time from one clip or label to another.",
		.options = {graphWalkOptions},
		.examples = {{"reprise graph walk moves.reprise --seconds 60 --seed 1 -o out.bvh", "A minute."},
					 {"reprise graph walk moves.reprise --seconds 20 --label walk -o walk.bvh", "Walking alone."},
					 {"reprise graph walk moves.reprise --from walk --to kick -o kick.bvh", "From walking to a kick."}},
		.minimum = 1,
		.maximum = 1,
		.run = cliRunGraphWalk,
	},
	{
		.name = "graph path",
		.summary = "Follow a path with motion from a graph",
		.usage = "LIB.reprise --path FILE -o FILE [OPTIONS]",
		.about = "Searches the walk whose root stays nearest the path. An SVG file holds one path (or polyline), seen "
				 "from above: "
				 "its right is the right of somebody who looks up the page, so that the point x,y of the "
				 "drawing lies at -x,-y (times --scale) on the floor. The report gives the distance from the "
				 "path, the "
				 "transitions and the time taken; the clip and time of every frame stand in the JSON file beside the "
				 "output.",
		.options = {graphPathOptions},
		.examples = {{"reprise graph path moves.reprise --path circle.svg -o out.bvh", "Along a drawing."},
					 {"reprise graph path moves.reprise --path p.csv --style 'walk:0..5,sneak:5..9' -o out.bvh",
					  "Walk here, sneak there."},
					 {"reprise graph path moves.reprise --path p.svg --max-error 0.3 -o out.bvh --json",
					  "Only if it can be done well."}},
		.minimum = 1,
		.maximum = 1,
		.run = cliRunGraphPath,
	},
	{
		.name = "graph go",
		.summary = "Go to a place and heading with motion from a graph",
		.usage = "LIB.reprise --goal X,Z,DEG -o FILE [OPTIONS]",
		.about = "Finds a walk from one place and heading to another, and so connects two clips that lie on the floor: "
				 "--from and --to say with what it starts and ends.",
		.options = {graphGoOptions},
		.examples = {{"reprise graph go moves.reprise --goal 3,4,90 -o out.bvh",
					  "To 3 m left, 4 m ahead, facing left."},
					 {"reprise graph go moves.reprise --goal 0,5,0 --from walk --to kick -o out.bvh",
					  "Walk up to a kick."},
					 {"reprise graph go moves.reprise --goal -2,0,180 -o out.bvh --json", "For a program."}},
		.minimum = 1,
		.maximum = 1,
		.run = cliRunGraphGo,
	},
	{
		.name = "graph steer",
		.summary = "Work out how to steer a motion graph live",
		.usage = "LIB.reprise [OPTIONS]",
		.about =
			"For every place in the graph and each of 16 directions: the edge to go on with, the first of the walk "
			"that keeps nearest to the wanted velocity. The table is kept with the graph, for bundles.",
		.options = {graphSteerOptions},
		.examples = {{"reprise graph steer moves.reprise", "With the defaults, as bundle does by itself."},
					 {"reprise graph steer moves.reprise --seconds 5 --speed 1.2", "Look farther, go more slowly."},
					 {"reprise graph steer moves.reprise --name small --json", "For a program."}},
		.minimum = 1,
		.maximum = 1,
		.run = cliRunGraphSteer,
	},
	{
		.name = "graph reach",
		.summary = "Show where a motion graph can lead within some time",
		.usage = "LIB.reprise [OPTIONS]",
		.about =
			"Where the character can be and which way it can face, from one moment of a clip on; how long it takes "
			"on average to go from one label to another; how long it goes without a choice.",
		.options = {graphReachOptions},
		.examples = {{"reprise graph reach moves.reprise --picture reach.png", "Within five seconds."},
					 {"reprise graph reach moves.reprise --seconds 3 --from walk", "Within three, from one clip."},
					 {"reprise graph reach moves.reprise --json", "For a program."}},
		.minimum = 1,
		.maximum = 1,
		.run = cliRunGraphReach,
	},
	{
		.name = "bundle",
		.summary = "Write a model of a library as a bundle, for players",
		.usage = "LIB.reprise -o FILE.rpb [OPTIONS]",
		.about =
			"A bundle holds all that a game or a browser needs to play a model live, and nothing else: the body, the "
			"clips in the runtime's layout, the graph and its steering table (made if it has none).",
		.options = {bundleOptions},
		.examples = {{"reprise bundle moves.reprise -o moves.rpb", "The graph called graph."},
					 {"reprise bundle moves.reprise --model small -o small.rpb", "Another one."},
					 {"reprise bundle moves.reprise -o moves.rpb --json", "For a program."}},
		.minimum = 1,
		.maximum = 1,
		.run = cliRunBundle,
	},
	{
		.name = "play",
		.summary = "Run a player without a screen",
		.usage = "FILE.rpb --script FILE -o FILE [OPTIONS]",
		.about =
			"Steers the character as the script says and writes what it does, with contacts, labels, seams and the "
			"source of every frame.",
		.options = {playOptions},
		.examples = {{"reprise play moves.rpb --script steer.csv -o out.bvh", "As a game would show it."},
					 {"reprise play moves.rpb --script steer.csv -o out.bvh --fps 30 --seconds 60",
					  "A minute at 30 Hz."},
					 {"reprise play moves.rpb --script steer.csv -o out.bvh --json", "How well was it steered?"}},
		.minimum = 1,
		.maximum = 1,
		.run = cliRunPlay,
	},
	{
		.name = "evaluate",
		.summary = "Measure the quality of a clip: feet, seams, smoothness, joints, physics, path",
		.usage = "CLIP [OPTIONS]",
		.about =
			"Prints each measure with the moment of its worst. Formulas, thresholds and their sources stand in "
			"docs/measures.md. A measure that the clip gives no occasion for (no seam, no flight, no path) is left "
			"out; "
			"in JSON it is null.\n\n"
			"With limits the exit code is 5 if one of them is exceeded. A clip passes evaluate if it keeps the limits "
			"of --limits default.",
		.options = {evaluateOptions, readingOptions},
		.examples = {{"reprise evaluate walk.bvh", "How good is it?"},
					 {"reprise evaluate new.bvh --reference walk.bvh --limits default", "Is it as good as a capture?"},
					 {"reprise evaluate new.bvh --path path.csv --max-path 0.3 --json", "Does it keep to a path?"}},
		.minimum = 1,
		.maximum = 1,
		.run = cliRunEvaluate,
	},
	{
		.name = "demo",
		.summary = "Show at work what Reprise does, without any data",
		.usage = "[-o FOLDER]",
		.about =
			"Performs a few clips and writes them to a folder as BVH and GLB, with film strips, a library, and a page "
			"index.html that shows and plays them.",
		.options = {demoOptions},
		.examples = {{"reprise demo", "Everything goes to demo-out/; open demo-out/index.html."},
					 {"reprise demo -o /tmp/try", "Somewhere else."},
					 {"reprise demo --json", "What was made, for a program."}},
		.minimum = 0,
		.maximum = 0,
		.run = cliRunDemo,
	},
	{
		.name = "help",
		.summary = "Show how a command is used",
		.usage = "[COMMAND|TOPIC] [OPTIONS]",
		.about = "Without a command: what there is.",
		.options = {helpOptions},
		.examples = {{"reprise help convert", "All about convert."},
					 {"reprise help library add", "All about one of the library's commands."},
					 {"reprise help --completion bash > ~/.local/share/bash-completion/completions/reprise",
					  "Completion for bash."}},
		.minimum = 0,
		.maximum = 2,
		.run = cliRunHelp,
	},
	{
		.name = "version",
		.summary = "Show the version of Reprise",
		.usage = "",
		.about = "One line: the name of the program and its version.",
		.examples = {{"reprise version", "For people."},
					 {"reprise --version", "The same."},
					 {"reprise version --json", "For programs."}},
		.minimum = 0,
		.maximum = 0,
		.run = cliRunVersion,
	},
	{0},
};

const cliTopic cliTopics[] = {
	{"clips", "How clips and parts of them are named",
	 "A clip is a file (BVH, or AMC with its ASF), or a clip of a library by name or number:\n"
	 "\n"
	 "  walk.bvh\n"
	 "  moves.reprise#walk\n"
	 "  moves.reprise#3\n"
	 "\n"
	 "A moment or a stretch of it follows behind @, in seconds, or in frames counted from 0. Both ends belong to it:\n"
	 "\n"
	 "  walk.bvh@1.5           the moment 1.5 s\n"
	 "  walk.bvh@1.5..3        from 1.5 s to 3 s\n"
	 "  walk.bvh@1.5..         from 1.5 s to the end\n"
	 "  walk.bvh@..3           the first 3 s\n"
	 "  walk.bvh@30f..90f      frames 30 to 90\n"
	 "\n"
	 "A file that really has such a name wins: if a file walk@2.bvh exists, walk@2.bvh is that file. Numbers are "
	 "metres, "
	 "seconds and degrees. Arguments that begin with a dash go behind --."},
	{"codes", "What the exit codes mean",
	 "  0    done\n"
	 "  1    failed: the disk is full, there is no memory, somebody else holds the library\n"
	 "  2    wrong usage of the program\n"
	 "  3    bad input: a file is missing or malformed, a clip is not there\n"
	 "  4    the request is well formed, but nothing satisfies it\n"
	 "  5    a limit was exceeded\n"
	 "  130  interrupted; nothing is left half written\n"
	 "\n"
	 "Failures are told on standard error as \"reprise: FILE:LINE:COLUMN: what is wrong\", with a hint what to do; "
	 "with "
	 "--json on standard output as {\"error\": {code, exit, file, line, column, message, hint}}."},
	{0},
};
