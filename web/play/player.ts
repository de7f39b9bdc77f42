// Players and what they are made of: bundles, bodies, layers.

import { checkIndex, checkNumber, refuse, refuseSeconds } from "./error.ts";
import { MomentPose, MomentReport } from "./moment.ts";
import type {
	Bundle, GaitLimits, Joint, Layer, LayerDefs, Parameter, Player, PlayerInput, PlayerOptions, Pose, Report, Skeleton, Start,
} from "./public/reprise-play.d.ts";
import type { Address, Runtime } from "./runtime.ts";

function readJoint(runtime: Runtime, skeleton: Address, index: number): Joint {
	const calls = runtime.exports;
	return {
		name: runtime.text(calls.getJointName(skeleton, index)),
		parent: calls.getJointParent(skeleton, index),
		offset: runtime.vector(calls.getJointOffset(skeleton, index)),
		order: runtime.text(calls.getJointOrder(skeleton, index)),
		role: runtime.text(calls.getJointRole(skeleton, index)),
	};
}

function readSkeleton(runtime: Runtime, at: Address): Skeleton {
	const calls = runtime.exports;
	const int = (name: string) => runtime.i32[(at + runtime.find(`rpSkeleton.${name}`)) >> 2];
	const float = (name: string) => runtime.f32[(at + runtime.find(`rpSkeleton.${name}`)) >> 2];
	return {
		joints: Array.from({ length: int("jointCount") }, (_, i) => readJoint(runtime, at, i)),
		ends: Array.from({ length: int("endCount") }, (_, i) => ({
			joint: calls.getEndJoint(at, i),
			offset: runtime.vector(calls.getEndOffset(at, i)),
		})),
		height: float("height"),
		legLength: float("legLength"),
		soleHeight: float("soleHeight"),
	};
}

function readLimits(runtime: Runtime, at: Address): GaitLimits {
	const float = (name: string) => runtime.f32[(at + runtime.find(`rpGaitLimits.${name}`)) >> 2];
	return {
		slowest: float("slowest"),
		usual: float("usual"),
		fastest: float("fastest"),
		maxTurnLeft: float("maxTurnLeft"),
		maxTurnRight: float("maxTurnRight"),
		halfCycle: float("halfCycle"),
		stop: float("stop"),
	};
}

// The key ends in the unit; that of an angle is the unit in which people read it.
function readUnit(key: string, isAngle: boolean): string {
	const isRate = key.endsWith("_per_s");
	if (isAngle) return isRate ? "rad/s" : "rad";
	return isRate ? "m/s" : key.endsWith("_s") ? "s" : "m";
}

function readParameter(runtime: Runtime, at: Address): Parameter {
	const place = (name: string) => at + runtime.find(`rpSpaceParameter.${name}`);
	const key = runtime.text(place("key")), isAngle = runtime.u8[place("isAngle")] !== 0;
	return {
		name: runtime.text(place("name")),
		key,
		unit: readUnit(key, isAngle),
		isAngle,
		low: runtime.f32[place("low") >> 2],
		high: runtime.f32[place("high") >> 2],
	};
}

// Those that go with a request.
function readParameters(runtime: Runtime, player: Address, request: number): Parameter[] {
	const parameters: Parameter[] = [], get = () => runtime.exports.getParameter(player, request, parameters.length);
	for (let at = get(); at !== 0; at = get()) parameters.push(readParameter(runtime, at));
	return parameters;
}

// Fill the definition of the next player.
function writeOptions(runtime: Runtime, options: PlayerOptions): void {
	const at = runtime.exports.getPlayerDef(), start = options.start ?? {};
	const place = (name: string) => at + runtime.find(`rpPlayerDef.${name}`);
	const setFloat = (name: string, value: number | undefined, what: string) => {
		if (value !== undefined) runtime.f32[place(name) >> 2] = checkNumber(value, what);
	};
	const setDouble = (name: string, value: number | undefined, what: string) => {
		if (value !== undefined) runtime.f64[place(name) >> 3] = checkNumber(value, what);
	};
	setFloat("start.turn", start.heading, "start.heading");
	setFloat("start.shift.x", start.x, "start.x");
	setFloat("start.shift.z", start.z, "start.z");
	setDouble("fps", options.fps, "fps");
	setDouble("lookAhead", options.lookAhead, "lookAhead");
	setFloat("locomotion.maxBend", options.maxBend, "maxBend");
	if (options.lockFeet !== undefined) runtime.u8[place("lockFeet")] = options.lockFeet ? 1 : 0;
	if (options.seed !== undefined) runtime.exports.setSeed(checkIndex(options.seed, 2 ** 53, "seed"));
}

/** A bundle in the runtime's memory. */
export class PlayedBundle implements Bundle {
	readonly players = new Set<PlayingPlayer>();

	/** Whether it goes with its last player. */
	isShortLived = false;

	private constructor(readonly runtime: Runtime, private at: Address, private readonly bytes: Address) {}

	static open(runtime: Runtime, bytes: Uint8Array): PlayedBundle {
		const copy = runtime.expect(runtime.exports.allocate(bytes.length));
		runtime.u8.set(bytes, copy);
		const at = runtime.exports.openBundle(copy, bytes.length);
		if (at === 0) {
			const error = runtime.takeError();
			runtime.exports.release(copy);
			throw error;
		}
		runtime.refresh();
		return new PlayedBundle(runtime, at, copy);
	}

	createPlayer(options: PlayerOptions = {}): Player {
		if (this.at === 0) refuse("the bundle was destroyed");
		writeOptions(this.runtime, options);
		const player = new PlayingPlayer(this, this.runtime.expect(this.runtime.exports.createPlayer(this.at)));
		this.players.add(player);
		return player;
	}

	layers(): Layer[] {
		const names = this.runtime.list(i => this.runtime.exports.getLayer(this.at, i));
		this.runtime.refresh();
		return names.map((name, index) => ({ index, name }));
	}

	destroy(): void {
		if (this.at === 0) return;
		this.isShortLived = false;
		for (const player of this.players) player.destroy();
		this.runtime.exports.closeBundle(this.at);
		this.runtime.exports.release(this.bytes);
		this.at = 0;
	}
}

/** A character. */
export class PlayingPlayer implements Player {
	readonly model: string;
	readonly skeleton: Skeleton;
	readonly requests: readonly string[];
	readonly labels: readonly string[];
	readonly clips: readonly string[];
	readonly parameters: readonly Parameter[];
	/** By request. */
	private readonly parameterLists: readonly (readonly Parameter[])[];
	private readonly hasNodes: boolean;
	readonly lookAhead: number;
	private readonly runtime: Runtime;
	private readonly requestCount: number;
	private readonly layerList: Layer[];
	private readonly poses: { step: Pose; peek: Pose };
	private readonly reports: { step: MomentReport; peek: MomentReport };

	// The scratch memory of snapshots as bytes, and when and where that was.
	private block = new Uint8Array(0);
	private blockGeneration = 0;

	constructor(readonly bundle: PlayedBundle, private at: Address) {
		const runtime = (this.runtime = bundle.runtime), calls = runtime.exports;
		this.model = runtime.text(calls.getModel(at));
		this.layerList = bundle.layers();
		this.skeleton = readSkeleton(runtime, runtime.u32[(at + runtime.find("Player.skeleton")) >> 2]);
		this.requests = runtime.list(i => calls.getRequest(at, i));
		this.requestCount = Math.max(this.requests.length, 1);
		this.labels = runtime.list(i => calls.getLabel(at, i));
		this.clips = runtime.list(i => calls.getClip(at, i));
		this.parameterLists = Array.from({ length: this.requestCount }, (_, request) => readParameters(runtime, at, request));
		this.parameters = this.parameterLists[0];
		this.hasNodes = this.model === "pgraph";
		this.lookAhead = calls.getLookAhead(at);
		const step = at + runtime.find("Player.step"), peek = at + runtime.find("Player.peek");
		const jointCount = this.skeleton.joints.length, count = this.parameters.length;
		// The first request is any node.
		const nodeCounts = this.hasNodes ? this.parameterLists.slice(1).map(list => list.length) : [];
		this.poses = { step: new MomentPose(runtime, step, jointCount), peek: new MomentPose(runtime, peek, jointCount) };
		this.reports = { step: new MomentReport(runtime, step, count, nodeCounts), peek: new MomentReport(runtime, peek, count, nodeCounts) };
	}

	get pose(): Pose {
		this.check();
		return this.poses.step;
	}

	step(dt: number, input?: PlayerInput): Pose {
		this.check();
		if (!input) this.writeNothing();
		else this.write(input);
		if (typeof dt !== "number" || dt !== dt) refuseSeconds(dt, "dt");
		this.runtime.exports.stepPlayer(this.at, dt);
		this.reports.step.fill();
		return this.poses.step;
	}

	peek(seconds: number): Pose {
		this.check();
		if (typeof seconds !== "number" || seconds !== seconds) refuseSeconds(seconds, "seconds");
		this.runtime.exports.peekPlayer(this.at, seconds);
		this.reports.peek.fill();
		return this.poses.peek;
	}

	report(): Report {
		this.check();
		return this.reports.step;
	}

	peekReport(): Report {
		this.check();
		return this.reports.peek;
	}

	reset(start: Start = {}): void {
		this.check();
		const x = checkNumber(start.x ?? 0, "x"), z = checkNumber(start.z ?? 0, "z");
		this.runtime.exports.resetPlayer(this.at, x, z, checkNumber(start.heading ?? 0, "heading"));
		this.fillReports();
	}

	get snapshotSize(): number {
		this.check();
		return this.runtime.exports.getSnapshotSize(this.at);
	}

	snapshot(into?: Uint8Array): Uint8Array {
		const size = this.snapshotSize, out = into ?? new Uint8Array(size);
		if (!(out instanceof Uint8Array) || out.length !== size) refuse(`a snapshot of this player takes a Uint8Array of ${size} bytes`);
		const block = this.getBlock(size);
		this.runtime.exports.takeSnapshot(this.at, this.runtime.scratch);
		out.set(block);
		return out;
	}

	restore(block: Uint8Array): void {
		const size = this.snapshotSize;
		if (!(block instanceof Uint8Array) || block.length !== size) refuse("this is no snapshot of this player: it has another size");
		this.getBlock(size).set(block);
		if (this.runtime.exports.restorePlayer(this.at, this.runtime.scratch) === 0) throw this.runtime.takeError();
		this.fillReports();
	}

	get layers(): readonly Layer[] {
		return this.layerList;
	}

	addLayer<K extends keyof LayerDefs>(name: K, def: LayerDefs[K] = {}): Layer {
		this.check();
		if (name !== "lean") refuse(`there is no layer "${String(name)}"`, "layers are: lean");
		const { runtime } = this, at = runtime.exports.getLeanDef();
		for (const field of ["gain", "maxLean"] as const) {
			const value = def[field];
			if (value !== undefined) runtime.f32[(at + runtime.find(`rpLeanDef.${field}`)) >> 2] = checkNumber(value, field);
		}
		const index = runtime.exports.addLean(this.at);
		if (index < 0) throw runtime.takeError();
		runtime.refresh();
		this.layerList.push({ index, name });
		return this.layerList[index];
	}

	switchLayer(layer: Layer, weight: number, seconds = 0.3): void {
		this.check();
		if (!layer || this.layerList[layer.index] !== layer) refuse("the layer is not one of this player's");
		const goal = checkNumber(weight, "weight");
		this.runtime.exports.switchLayer(this.at, layer.index, goal, checkNumber(seconds, "seconds"));
	}

	parametersOf(request: number): readonly Parameter[] {
		this.check();
		return this.parameterLists[checkIndex(request, this.requestCount, "request")];
	}

	gaitLimits(gait: string): GaitLimits | null {
		this.check();
		const index = this.runtime.gaits.indexOf(gait);
		const at = index >= 0 ? this.runtime.exports.getGaitLimits(this.at, index) : 0;
		return at !== 0 ? readLimits(this.runtime, at) : null;
	}

	destroy(): void {
		if (this.at === 0) return;
		this.runtime.exports.destroyPlayer(this.at);
		this.at = 0;
		this.bundle.players.delete(this);
		if (this.bundle.isShortLived && this.bundle.players.size === 0) this.bundle.destroy();
	}

	private check(): void {
		if (this.at === 0) refuse("the player was destroyed");
	}

	// Of its own, since an input of another shape would have the numbers of the usual one boxed.
	private writeNothing(): void {
		const { at, runtime } = this, { layout, f32 } = runtime;
		f32[(at + layout.stickX) >> 2] = f32[(at + layout.stickZ) >> 2] = 0;
		f32[(at + layout.speed) >> 2] = f32[(at + layout.turn) >> 2] = 0;
		runtime.i32[(at + layout.request) >> 2] = 0;
		runtime.u8[at + layout.isGiven] = runtime.u8[at + layout.hasTarget] = 0;
		const target = (at + layout.target) >> 2;
		f32[target] = f32[target + 1] = f32[target + 2] = 0;
	}

	// Written first and looked at then: numbers that went through a function would be boxed where it is not inlined.
	private write(input: PlayerInput): void {
		const { at, runtime } = this, { layout, f32, i32 } = runtime;
		const stickX = (at + layout.stickX) >> 2, stickZ = (at + layout.stickZ) >> 2;
		const speed = (at + layout.speed) >> 2, turn = (at + layout.turn) >> 2, wanted = (at + layout.request) >> 2;
		const request = input.request ?? 0;
		f32[stickX] = input.stickX ?? 0;
		f32[stickZ] = input.stickZ ?? 0;
		f32[speed] = input.speed ?? 0;
		f32[turn] = input.turn ?? 0;
		i32[wanted] = request;
		// What is not finite is no number when it is taken from itself.
		const isFinite = f32[stickX] - f32[stickX] + f32[stickZ] - f32[stickZ] + f32[speed] - f32[speed] + f32[turn] - f32[turn] === 0;
		if (!isFinite || i32[wanted] !== request || request < 0 || request >= this.requestCount) this.refuseInput(input);
		const parameters = this.parameterLists[request];
		runtime.u8[at + layout.isGiven] = 0;
		if (parameters.length > 0) this.writeParameters(input, parameters.length);
		if (this.hasNodes) this.writeTarget(input);
	}

	private writeParameters(input: PlayerInput, count: number): void {
		const { at, runtime, hasNodes } = this, { layout, f32 } = runtime, given = input.parameters, place = (at + layout.parameters) >> 2;
		if (given === undefined) return;
		if (given === null || given.length !== count) this.refuseInput(input);
		let isFinite = true;
		for (let k = 0; k < count; ++k) {
			f32[place + k] = given[k];
			// Of a node, what is no number is not given.
			isFinite &&= f32[place + k] - f32[place + k] === 0 || (hasNodes && f32[place + k] !== f32[place + k]);
		}
		if (!isFinite) this.refuseInput(input);
		runtime.u8[at + layout.isGiven] = 1;
	}

	// What is no number is not given; a height alone is no place.
	private writeTarget(input: PlayerInput): void {
		const { at, runtime } = this, { layout, f32 } = runtime, x = (at + layout.target) >> 2, y = x + 1, z = x + 2;
		f32[x] = input.targetX ?? NaN;
		f32[y] = input.targetY ?? NaN;
		f32[z] = input.targetZ ?? NaN;
		const isGiven = f32[x] === f32[x] || f32[z] === f32[z];
		if (f32[y] !== f32[y] || !isGiven) f32[y] = 0;
		if (!isGiven) f32[x] = f32[z] = 0;
		if (f32[x] - f32[x] + f32[y] - f32[y] + f32[z] - f32[z] !== 0) this.refuseInput(input);
		runtime.u8[at + layout.hasTarget] = isGiven ? 1 : 0;
	}

	// Say what is wrong with it.
	private refuseInput(input: PlayerInput): never {
		this.writeNothing();
		checkNumber(input.stickX ?? 0, "stickX");
		checkNumber(input.stickZ ?? 0, "stickZ");
		checkNumber(input.speed ?? 0, "speed");
		checkNumber(input.turn ?? 0, "turn");
		checkIndex(input.request ?? 0, this.requestCount, "request");
		this.refuseParameters(input);
		if (this.hasNodes) this.refuseTarget(input);
		refuse("the input must hold numbers");
	}

	private refuseParameters({ request, parameters: given }: PlayerInput): void {
		const parameters = this.parameterLists[request ?? 0], count = parameters.length, names = parameters.map(parameter => parameter.name).join(", ");
		if (count === 0 || given === undefined) return;
		const of = this.hasNodes ? ` of ${this.requests[request ?? 0]}` : "";
		if (given === null || given.length !== count) refuse(`parameters must hold ${count} number${count === 1 ? "" : "s"}${of}: ${names}`);
		for (let k = 0; k < count; ++k) if (!this.hasNodes || given[k] === given[k]) checkNumber(given[k], `parameters[${k}] (${parameters[k].name})`);
	}

	private refuseTarget(input: PlayerInput): void {
		for (const field of ["targetX", "targetY", "targetZ"] as const) {
			const value = input[field];
			if (value !== undefined && value === value) checkNumber(value, field);
		}
		refuse("a target needs both targetX and targetZ");
	}

	private fillReports(): void {
		this.runtime.refresh();
		this.reports.step.fill();
		this.reports.peek.fill();
	}

	// The scratch memory as so many bytes.
	private getBlock(size: number): Uint8Array {
		const { runtime } = this;
		runtime.reserve(size);
		if (this.block.byteOffset !== runtime.scratch || this.block.length !== size || this.blockGeneration !== runtime.generation) {
			this.block = new Uint8Array(runtime.u8.buffer, runtime.scratch, size);
			this.blockGeneration = runtime.generation;
		}
		return this.block;
	}
}
