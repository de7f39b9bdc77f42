/**
 * Reprise's players in a browser, a worker or Node: bundles (.rpb) that `reprise bundle` wrote become characters that are
 * steered live. As reprise/play/player.h of the C library, which says more; the same bundle and input give the same motion.
 *
 * Metres, seconds, radians. Right-handed, y up; a character at rest faces +z, so +x is its left. Quaternions are w, x, y, z.
 *
 * A step makes no garbage: poses and reports belong to their player, are views on its memory, and show what the last step,
 * peek or reset said. Copy what you keep.
 */

/** The library could not do what was asked: message is its own, hint what to do about it, or empty. */
export class RepriseError extends Error {
	/** "format", "version", "argument", "memory", "missing" … */
	readonly code: string;
	readonly hint: string;
	constructor(code: string, message: string, hint?: string);
}

/** A joint of a body. The root is joint 0, and parents come before their children. */
export interface Joint {
	readonly name: string;
	/** -1 for the root. */
	readonly parent: number;
	/** From the parent's origin, in the parent's frame. */
	readonly offset: readonly [number, number, number];
	/** How its rotation is written as three angles, in the order of a BVH file: "ZXY". */
	readonly order: string;
	/** "left_knee", or "" where none is known. */
	readonly role: string;
}

/** The end of a chain: a point that moves with its joint. */
export interface EndSite {
	readonly joint: number;
	readonly offset: readonly [number, number, number];
}

export interface Skeleton {
	readonly joints: readonly Joint[];
	readonly ends: readonly EndSite[];
	/** Lowest to highest point in the rest pose. */
	readonly height: number;
	readonly legLength: number;
	/** How high a resting heel or ball is above what it rests on. */
	readonly soleHeight: number;
}

/** Views on the memory of a player; they show the last step or peek. Get them anew from the player each frame. */
export interface Pose {
	/** x, y, z of the root. */
	readonly rootPosition: Float32Array;
	/** Local rotations, w, x, y, z for each joint; the root's is in the world. */
	readonly rotations: Float32Array;
	/** Where each joint is in the world, x, y, z, and how it is turned there, w, x, y, z. */
	readonly positions: Float32Array;
	readonly orientations: Float32Array;
	/** Where each effector (see EFFECTORS) is in the world, x, y, z; not a number where the body has none. */
	readonly effectors: Float32Array;
}

/** The points that touch the world, in the order of the bits of a report's contacts. */
export const EFFECTORS: readonly string[];

/** What a player knows about a pose. One object for each player, filled anew. */
export interface Report {
	/** Seconds since the start. */
	readonly time: number;
	/** The root's place on the floor and its heading, to the left of +z. */
	readonly x: number;
	readonly z: number;
	readonly heading: number;
	/** Bits (1 << effector) of what rests, and the heights of what each rests on. */
	readonly contacts: number;
	readonly supportHeights: Float32Array;
	/** "flight", "left", "right", "double": which feet rest. */
	readonly phase: string;
	/** Labels of the frame: bits of player.labels, two words of 32. */
	readonly labelBits: Uint32Array;
	/** Where the frame comes from: clips (player.clips), times in them, weights that add up to 1. */
	readonly sourceCount: number;
	readonly sourceClips: Int32Array;
	readonly sourceTimes: Float64Array;
	readonly sourceWeights: Float32Array;
	/** The number of the span in play; it changes in the middle of each seam. */
	readonly span: number;
	/** Of models of locomotion, null for others. */
	readonly movement: MovementReport | null;
	/** Of parametric spaces, null for others. */
	readonly space: SpaceReport | null;
	/** Of parametric graphs, null for others. */
	readonly parametric: ParametricReport | null;
}

/** The movement of locomotion that a frame belongs to. */
export interface MovementReport {
	/** "LDR", "FLF", "S" … */
	readonly kind: string;
	readonly number: number;
	/** What was asked for when it was planned: "stand", "walk", "run", m/s, rad/s to the left; and what it has. */
	readonly wantedGait: string;
	readonly wantedSpeed: number;
	readonly wantedTurn: number;
	readonly speed: number;
	readonly turn: number;
	/** Whether it is the first that answers a change of the input, and seconds from that change until it was shown. */
	readonly isAnswer: boolean;
	readonly response: number;
}

/** The motion of a space that a frame belongs to. */
export interface SpaceReport {
	/** How many came before it. */
	readonly number: number;
	/** By parameter (player.parameters): what was asked for when it was planned, and the nearest to it that the space has. */
	readonly requested: Float32Array;
	readonly nearest: Float32Array;
}

/** The motion of a parametric graph that a frame belongs to. */
export interface ParametricReport {
	/** How many came before it. */
	readonly number: number;
	/** Its node, and the one that was requested, -1 if none was; their names are player.requests[node + 1]. */
	readonly node: number;
	readonly requestedNode: number;
	/** By parameter of the node (player.parametersOf(node + 1)): what was asked of it, from what to what it could be, the nearest in
	    there, which was granted, and the nearest to that which the node has. */
	readonly requested: Float32Array;
	readonly low: Float32Array;
	readonly high: Float32Array;
	readonly granted: Float32Array;
	readonly achieved: Float32Array;
	/** When its core begins and ends, seconds since the start. */
	readonly start: number;
	readonly end: number;
	/** How far it was from the one before it where one became the other, metres, the most that is allowed, and how many other ways
	    were tried for that. */
	readonly distance: number;
	readonly bad: number;
	readonly repairs: number;
	/** None was good enough: it is the one that was found to follow when the graph was built. */
	readonly isForced: boolean;
	/** Whether it is the first that answers a change of the input, and seconds from that change until it began. */
	readonly isAnswer: boolean;
	readonly response: number;
}

/** What is asked of a player in a tick. What is left out is 0: stay. The object may be used again for the next tick. */
export interface PlayerInput {
	/** Where to go in the world. Shorter than 0.1 in all: stay. */
	stickX?: number;
	stickZ?: number;
	/** What to do: an index of player.requests. */
	request?: number;
	/** Locomotion: m/s, 0 for what the length of the stick says; and, without a direction, the turn to the left, rad/s. */
	speed?: number;
	turn?: number;
	/** Spaces: a value for each of player.parameters, by which the next motion is made; left out: the middles of their ranges.
	    Parametric graphs: one for each of player.parametersOf(request), NaN where it follows from the target or the stick. */
	parameters?: ArrayLike<number>;
	/** Parametric graphs: a place in the world that is to be hit, or gone to; x and z, or NaN both: none. Its height, 0. */
	targetX?: number;
	targetY?: number;
	targetZ?: number;
}

/** Where a character begins: its place on the floor and its heading to the left of +z. */
export interface Start {
	x?: number;
	z?: number;
	heading?: number;
}

/** How to play; what is left out is as rpDefaultPlayerDef() has it. */
export interface PlayerOptions {
	start?: Start;
	/** Frames made per second, 60. */
	fps?: number;
	/** Whether feet that bear are held, true; frames are made lookAhead seconds before they are shown, 0. */
	lockFeet?: boolean;
	lookAhead?: number;
	/** Locomotion: seed of random choices, 0; turns beyond the takes' by bending, rad/m, 0.5. */
	seed?: number;
	maxBend?: number;
}

/** What a player covers of a gait. */
export interface GaitLimits {
	readonly slowest: number;
	readonly usual: number;
	readonly fastest: number;
	readonly maxTurnLeft: number;
	readonly maxTurnRight: number;
	readonly halfCycle: number;
	/** Metres of a stop out of the gait. */
	readonly stop: number;
}

/** One of the numbers that say what a motion of a space, or of a node of a parametric graph, does. */
export interface Parameter {
	/** "right_wrist.x@hit"; and with the unit in it, as scripts and JSON have it: "turn_deg". */
	readonly name: string;
	readonly key: string;
	/** Of its values here: "m", "s", "m/s", "rad", "rad/s". An angle is degrees where people read it. */
	readonly unit: string;
	readonly isAngle: boolean;
	/** What the space reaches; of several parameters not each combination. */
	readonly low: number;
	readonly high: number;
}

/** A layer of a player: its number, and its kind's name. */
export interface Layer {
	readonly index: number;
	readonly name: string;
}

export interface LayerDefs {
	lean: { gain?: number; maxLean?: number };
}

export interface Player {
	readonly bundle: Bundle;
	/** The kind of model that is played: "graph", "locomotion", "space", "pgraph". What it can be asked for depends on it. */
	readonly model: string;
	readonly skeleton: Skeleton;
	/** Names of what can be requested ("stand", "walk", "run"; "any", then the nodes of a parametric graph), of labels, of clips. */
	readonly requests: readonly string[];
	readonly labels: readonly string[];
	readonly clips: readonly string[];
	/** What tells motions of a space apart; empty for other models, whose nodes may have some. */
	readonly parameters: readonly Parameter[];
	/** Seconds by which frames are shown later than they are made. */
	readonly lookAhead: number;
	/** The pose of the last step; before the first, and after a reset or restore, the one that it begins with. */
	readonly pose: Pose;

	/** Go on by dt seconds and give the pose there; input left out: stay. Makes no garbage. */
	step(dt: number, input?: PlayerInput): Pose;
	/** The pose some seconds ahead if the input stays; changes nothing. The pose of the last step is not touched. */
	peek(seconds: number): Pose;
	/** What is known of the pose of the last step, or of the last peek. */
	report(): Report;
	peekReport(): Report;
	/** Begin anew. */
	reset(start?: Start): void;
	/** The whole state as bytes; into a block of snapshotSize bytes if one is given. restore goes back to it, to the bit. */
	readonly snapshotSize: number;
	snapshot(into?: Uint8Array): Uint8Array;
	/** Throws a RepriseError if the block is no snapshot of this player; nothing changes then. */
	restore(block: Uint8Array): void;

	readonly layers: readonly Layer[];
	/** Lay something on the frames, on top of the layers that are there. */
	addLayer<K extends keyof LayerDefs>(name: K, def?: LayerDefs[K]): Layer;
	/** Change the weight of a layer, 0 to 1, over some seconds (0.3). */
	switchLayer(layer: Layer, weight: number, seconds?: number): void;

	/** What can be asked for with a request: the parameters of a space (0), of a node of a parametric graph; otherwise none. */
	parametersOf(request: number): readonly Parameter[];

	/** null where the model has no such gait. */
	gaitLimits(gait: string): GaitLimits | null;

	/** Give its memory back; nothing else may be called after. */
	destroy(): void;
}

/** A bundle in memory: any number of players share it. */
export interface Bundle {
	createPlayer(options?: PlayerOptions): Player;
	/** Destroys its players too. */
	destroy(): void;
}

/** The runtime, compiled: one memory, any number of bundles. */
export interface Engine {
	/** "0.3.0" */
	readonly version: string;
	/** Throws a RepriseError with the library's message where the bytes are no bundle, damaged, or from a newer version. */
	openBundle(bytes: Uint8Array | ArrayBuffer): Bundle;
	/** Bytes of its memory. */
	readonly memorySize: number;
}

/** Make a runtime of the bytes of reprise-play.wasm, or of a module compiled from them. */
export function createEngine(wasm: Uint8Array | ArrayBuffer | WebAssembly.Module): Promise<Engine>;

/**
 * A player of a bundle, in one call, in an engine that all such players share. Where reprise-play.wasm is not beside this
 * module, say where it is (a URL, a data URL too, or its bytes) in the first call.
 */
export function loadBundle(
	bytes: Uint8Array | ArrayBuffer,
	options?: PlayerOptions & { wasm?: string | URL | Uint8Array | ArrayBuffer | WebAssembly.Module },
): Promise<Player>;
