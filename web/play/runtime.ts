// The compiled runtime: its memory, seen as numbers, what bridge.c exports, and where things are in it.

import { RepriseError } from "./error.ts";

/** An address in the runtime's memory, bytes; 0 is none. */
export type Address = number;

/** What bridge.c exports, which says more. */
export interface Exports {
	memory: WebAssembly.Memory;
	_initialize(): void;
	getLayout(): Address;
	getVersion(): Address;
	getPhaseName(phase: number): Address;
	getGaitName(gait: number): Address;
	getMovementName(kind: number): Address;
	getEffectorName(effector: number): Address;
	getError(): Address;
	getErrorName(): Address;
	allocate(size: number): Address;
	release(memory: Address): void;
	openBundle(bytes: Address, size: number): Address;
	closeBundle(bundle: Address): void;
	getLayer(bundle: Address, index: number): Address;
	getPlayerDef(): Address;
	setSeed(seed: number): void;
	createPlayer(bundle: Address): Address;
	destroyPlayer(player: Address): void;
	stepPlayer(player: Address, dt: number): void;
	peekPlayer(player: Address, seconds: number): void;
	resetPlayer(player: Address, x: number, z: number, heading: number): void;
	getLookAhead(player: Address): number;
	getGaitLimits(player: Address, gait: number): Address;
	getModel(player: Address): Address;
	getParameter(player: Address, request: number, index: number): Address;
	getRequest(player: Address, request: number): Address;
	getClip(player: Address, clip: number): Address;
	getLabel(player: Address, label: number): Address;
	getJointName(skeleton: Address, joint: number): Address;
	getJointParent(skeleton: Address, joint: number): number;
	getJointOffset(skeleton: Address, joint: number): Address;
	getJointOrder(skeleton: Address, joint: number): Address;
	getJointRole(skeleton: Address, joint: number): Address;
	getEndJoint(skeleton: Address, end: number): number;
	getEndOffset(skeleton: Address, end: number): Address;
	getLeanDef(): Address;
	addLean(player: Address): number;
	switchLayer(player: Address, layer: number, weight: number, seconds: number): void;
	getSnapshotSize(player: Address): number;
	takeSnapshot(player: Address, block: Address): void;
	restorePlayer(player: Address, block: Address): number;
}

/** Offsets that each frame needs, bytes; the names in C are in readLayout. */
export interface Layout {
	stickX: number;
	stickZ: number;
	request: number;
	speed: number;
	turn: number;
	isGiven: number;
	parameters: number;
	hasTarget: number;
	target: number;
	rootPosition: number;
	rotations: number;
	positions: number;
	orientations: number;
	effectors: number;
	time: number;
	heading: number;
	x: number;
	z: number;
	contacts: number;
	supportHeights: number;
	phase: number;
	labels: number;
	sourceCount: number;
	sourceTimes: number;
	sourceClips: number;
	sourceWeights: number;
	span: number;
	movementKind: number;
	movementNumber: number;
	wantedGait: number;
	wantedSpeed: number;
	wantedTurn: number;
	movementSpeed: number;
	movementTurn: number;
	isAnswer: number;
	response: number;
	spaceNumber: number;
	requested: number;
	nearest: number;
	motionNumber: number;
	node: number;
	requestedNode: number;
	motionRequested: number;
	low: number;
	high: number;
	granted: number;
	achieved: number;
	start: number;
	end: number;
	distance: number;
	bad: number;
	repairs: number;
	isForced: number;
	motionIsAnswer: number;
	motionResponse: number;
}

function readLayout(runtime: Runtime): Layout {
	const input = (path: string) => runtime.find(`Player.input.${path}`);
	const moment = (path: string) => runtime.find(`Moment.${path}`);
	return {
		stickX: input("stick.x"),
		stickZ: input("stick.y"),
		request: input("request"),
		speed: input("locomotion.speed"),
		turn: input("locomotion.turn"),
		isGiven: input("space.isGiven"),
		parameters: input("space.values"),
		hasTarget: input("parametric.hasTarget"),
		target: input("parametric.target"),
		rootPosition: moment("pose.rootPosition"),
		rotations: moment("pose.rotations"),
		positions: moment("positions"),
		orientations: moment("orientations"),
		effectors: moment("effectors"),
		time: moment("report.time"),
		heading: moment("report.ground.turn"),
		x: moment("report.ground.shift.x"),
		z: moment("report.ground.shift.z"),
		contacts: moment("report.contacts"),
		supportHeights: moment("report.supportHeights"),
		phase: moment("report.phase"),
		labels: moment("report.labels"),
		sourceCount: moment("report.sourceCount"),
		sourceTimes: moment("sourceTimes"),
		sourceClips: moment("sourceClips"),
		sourceWeights: moment("sourceWeights"),
		span: moment("report.span"),
		movementKind: moment("report.movement.kind"),
		movementNumber: moment("report.movement.number"),
		wantedGait: moment("report.movement.wantedGait"),
		wantedSpeed: moment("report.movement.wantedSpeed"),
		wantedTurn: moment("report.movement.wantedTurn"),
		movementSpeed: moment("report.movement.speed"),
		movementTurn: moment("report.movement.turn"),
		isAnswer: moment("report.movement.isAnswer"),
		response: moment("report.movement.response"),
		spaceNumber: moment("report.space.number"),
		requested: moment("report.space.requested"),
		nearest: moment("report.space.nearest"),
		motionNumber: moment("report.parametric.number"),
		node: moment("report.parametric.node"),
		requestedNode: moment("report.parametric.requestedNode"),
		motionRequested: moment("report.parametric.requested"),
		low: moment("report.parametric.low"),
		high: moment("report.parametric.high"),
		granted: moment("report.parametric.granted"),
		achieved: moment("report.parametric.achieved"),
		start: moment("report.parametric.start"),
		end: moment("report.parametric.end"),
		distance: moment("report.parametric.distance"),
		bad: moment("report.parametric.bad"),
		repairs: moment("report.parametric.repairs"),
		isForced: moment("report.parametric.isForced"),
		motionIsAnswer: moment("report.parametric.isAnswer"),
		motionResponse: moment("report.parametric.response"),
	};
}

/** One instance of the module, and views on all of its memory. */
export class Runtime {
	readonly exports: Exports;
	readonly layout: Layout;
	readonly phases: readonly string[];
	readonly gaits: readonly string[];
	readonly movements: readonly string[];
	u8!: Uint8Array;
	i32!: Int32Array;
	u32!: Uint32Array;
	f32!: Float32Array;
	f64!: Float64Array;

	/** Counts how often the memory has grown: views that were made before are void. */
	generation = 0;

	/** For snapshots on their way in or out; players share it. */
	scratch: Address = 0;
	private scratchSize = 0;
	private readonly decoder = new TextDecoder();
	private readonly offsets = new Map<string, number>();

	constructor(exports: Exports) {
		this.exports = exports;
		exports._initialize();
		this.refresh();
		for (let line = exports.getLayout(); this.u32[line >> 2] !== 0; line += 8) {
			this.offsets.set(this.text(this.u32[line >> 2]), this.i32[(line >> 2) + 1]);
		}
		this.layout = readLayout(this);
		this.phases = this.list(exports.getPhaseName);
		this.gaits = this.list(exports.getGaitName);
		this.movements = this.list(exports.getMovementName);
	}

	/** Call it after whatever may have taken memory. */
	refresh(): void {
		const buffer = this.exports.memory.buffer;
		if (this.u8 !== undefined && this.u8.buffer === buffer) return;
		this.u8 = new Uint8Array(buffer);
		this.i32 = new Int32Array(buffer);
		this.u32 = new Uint32Array(buffer);
		this.f32 = new Float32Array(buffer);
		this.f64 = new Float64Array(buffer);
		++this.generation;
	}

	/** Where something is in what it is part of, by its name in C. */
	find(name: string): number {
		const offset = this.offsets.get(name);
		if (offset === undefined) {
			throw new RepriseError("version", `reprise-play.wasm knows no ${name}: it is not of this module's version`);
		}
		return offset;
	}

	/** The text at an address. Whoever told it may have taken memory to do so. */
	text(at: Address): string {
		this.refresh();
		let end = at;
		while (this.u8[end] !== 0) ++end;
		return this.decoder.decode(this.u8.subarray(at, end));
	}

	/** Texts by number, up to the first that is none. */
	list(get: (index: number) => Address): string[] {
		const texts: string[] = [];
		for (let at = get(0); at !== 0; at = get(texts.length)) texts.push(this.text(at));
		return texts;
	}

	vector(at: Address): [number, number, number] {
		return [this.f32[at >> 2], this.f32[(at >> 2) + 1], this.f32[(at >> 2) + 2]];
	}

	/** What the library says of what it could not do. */
	takeError(): RepriseError {
		this.refresh();
		const at = this.exports.getError();
		const message = this.text(at + this.find("rpError.message")), hint = this.text(at + this.find("rpError.hint"));
		return new RepriseError(this.text(this.exports.getErrorName()), message, hint);
	}

	/** What a call returned; 0 is a failure. */
	expect(result: Address): Address {
		if (result === 0) throw this.takeError();
		this.refresh();
		return result;
	}

	/** Make scratch hold so many bytes. */
	reserve(size: number): void {
		if (size <= this.scratchSize) return;
		this.exports.release(this.scratch);
		this.scratch = this.scratchSize = 0;
		this.scratch = this.expect(this.exports.allocate(size));
		this.scratchSize = size;
	}
}
