// A pose and its report as views on a player's memory: one pair for what the last step showed, one for the last peek.

import type { MovementReport, ParametricReport, Pose, Report, SpaceReport } from "./public/reprise-play.d.ts";
import type { Address, Runtime } from "./runtime.ts";

/** Views are made at once, so that all objects have one shape, and again only when the memory has grown. */
export class MomentPose implements Pose {
	private generation = 0;
	private root!: Float32Array;
	private turns!: Float32Array;
	private places!: Float32Array;
	private bearings!: Float32Array;
	private points!: Float32Array;

	constructor(private readonly runtime: Runtime, private readonly at: Address, private readonly jointCount: number) {
		this.refresh();
	}

	get rootPosition(): Float32Array { this.refresh(); return this.root; }
	get rotations(): Float32Array { this.refresh(); return this.turns; }
	get positions(): Float32Array { this.refresh(); return this.places; }
	get orientations(): Float32Array { this.refresh(); return this.bearings; }
	get effectors(): Float32Array { this.refresh(); return this.points; }

	private refresh(): void {
		if (this.generation !== this.runtime.generation) this.view();
	}

	private view(): void {
		const { runtime, at, jointCount } = this, layout = runtime.layout;
		const buffer = runtime.u8.buffer, follow = (offset: number) => runtime.u32[(at + offset) >> 2];
		this.root = new Float32Array(buffer, at + layout.rootPosition, 3);
		this.turns = new Float32Array(buffer, follow(layout.rotations), 4 * jointCount);
		this.places = new Float32Array(buffer, follow(layout.positions), 3 * jointCount);
		this.bearings = new Float32Array(buffer, follow(layout.orientations), 4 * jointCount);
		this.points = new Float32Array(buffer, at + layout.effectors, 3 * runtime.find("rp_effectorCount"));
		this.generation = runtime.generation;
	}
}

// The numbers of reports are fields, filled after each step: a getter that is not inlined would box what it returns, and
// frames would make garbage. They begin as NaN, so that they are kept as doubles from the start.
class MomentMovement implements MovementReport {
	kind = "";
	number = 0;
	wantedGait = "";
	wantedSpeed = NaN;
	wantedTurn = NaN;
	speed = NaN;
	turn = NaN;
	isAnswer = false;
	response = NaN;

	fill(runtime: Runtime, at: Address): void {
		const { layout, f32, i32 } = runtime;
		this.kind = runtime.movements[i32[(at + layout.movementKind) >> 2]];
		this.number = i32[(at + layout.movementNumber) >> 2];
		this.wantedGait = runtime.gaits[i32[(at + layout.wantedGait) >> 2]];
		this.wantedSpeed = f32[(at + layout.wantedSpeed) >> 2];
		this.wantedTurn = f32[(at + layout.wantedTurn) >> 2];
		this.speed = f32[(at + layout.movementSpeed) >> 2];
		this.turn = f32[(at + layout.movementTurn) >> 2];
		this.isAnswer = runtime.u8[at + layout.isAnswer] !== 0;
		this.response = f32[(at + layout.response) >> 2];
	}
}

class MomentSpace implements SpaceReport {
	number = 0;
	private generation = 0;
	private asked!: Float32Array;
	private met!: Float32Array;

	constructor(private readonly runtime: Runtime, private readonly at: Address, private readonly count: number) {
		this.refresh();
	}

	get requested(): Float32Array { this.refresh(); return this.asked; }
	get nearest(): Float32Array { this.refresh(); return this.met; }

	fill(): void {
		this.number = this.runtime.i32[(this.at + this.runtime.layout.spaceNumber) >> 2];
	}

	private refresh(): void {
		if (this.generation !== this.runtime.generation) this.view();
	}

	private view(): void {
		const { runtime, at, count } = this, { layout } = runtime;
		this.asked = new Float32Array(runtime.u8.buffer, at + layout.requested, count);
		this.met = new Float32Array(runtime.u8.buffer, at + layout.nearest, count);
		this.generation = runtime.generation;
	}
}

class MomentParametric implements ParametricReport {
	number = 0;
	node = 0;
	requestedNode = -1;
	start = NaN;
	end = NaN;
	distance = NaN;
	bad = NaN;
	repairs = 0;
	isForced = false;
	isAnswer = false;
	response = NaN;
	private generation = 0;
	// A view for each node, as long as it has parameters.
	private asked!: readonly Float32Array[];
	private least!: readonly Float32Array[];
	private most!: readonly Float32Array[];
	private given!: readonly Float32Array[];
	private met!: readonly Float32Array[];

	/** counts: how many parameters each node has. */
	constructor(private readonly runtime: Runtime, private readonly at: Address, private readonly counts: readonly number[]) {
		this.refresh();
	}

	get requested(): Float32Array { this.refresh(); return this.asked[this.node]; }
	get low(): Float32Array { this.refresh(); return this.least[this.node]; }
	get high(): Float32Array { this.refresh(); return this.most[this.node]; }
	get granted(): Float32Array { this.refresh(); return this.given[this.node]; }
	get achieved(): Float32Array { this.refresh(); return this.met[this.node]; }

	fill(): void {
		const { runtime, at } = this, { layout, u8, i32, f32, f64 } = runtime;
		this.number = i32[(at + layout.motionNumber) >> 2];
		this.node = i32[(at + layout.node) >> 2];
		this.requestedNode = i32[(at + layout.requestedNode) >> 2];
		this.start = f64[(at + layout.start) >> 3];
		this.end = f64[(at + layout.end) >> 3];
		this.distance = f32[(at + layout.distance) >> 2];
		this.bad = f32[(at + layout.bad) >> 2];
		this.repairs = i32[(at + layout.repairs) >> 2];
		this.isForced = u8[at + layout.isForced] !== 0;
		this.isAnswer = u8[at + layout.motionIsAnswer] !== 0;
		this.response = f32[(at + layout.motionResponse) >> 2];
	}

	private refresh(): void {
		if (this.generation !== this.runtime.generation) this.view();
	}

	private view(): void {
		const { runtime, at, counts } = this, { layout } = runtime, { buffer } = runtime.u8;
		const see = (offset: number) => counts.map(count => new Float32Array(buffer, at + offset, count));
		this.asked = see(layout.motionRequested);
		this.least = see(layout.low);
		this.most = see(layout.high);
		this.given = see(layout.granted);
		this.met = see(layout.achieved);
		this.generation = runtime.generation;
	}
}

export class MomentReport implements Report {
	time = NaN;
	x = NaN;
	z = NaN;
	heading = NaN;
	contacts = 0;
	phase = "";
	sourceCount = 0;
	span = NaN;
	movement: MomentMovement | null = null;
	readonly space: MomentSpace | null;
	readonly parametric: MomentParametric | null;
	private readonly filledMovement = new MomentMovement();
	private generation = 0;
	private heights!: Float32Array;
	private bits!: Uint32Array;
	private clips!: Int32Array;
	private times!: Float64Array;
	private weights!: Float32Array;

	/** parameterCount is 0 where no space is played; nodeCounts, of a parametric graph how many each node has, is empty for others. */
	constructor(private readonly runtime: Runtime, private readonly at: Address, parameterCount: number, nodeCounts: readonly number[]) {
		this.space = parameterCount > 0 ? new MomentSpace(runtime, at, parameterCount) : null;
		this.parametric = nodeCounts.length > 0 ? new MomentParametric(runtime, at, nodeCounts) : null;
		this.refresh();
		this.fill();
	}

	get supportHeights(): Float32Array { this.refresh(); return this.heights; }
	get labelBits(): Uint32Array { this.refresh(); return this.bits; }
	get sourceClips(): Int32Array { this.refresh(); return this.clips; }
	get sourceTimes(): Float64Array { this.refresh(); return this.times; }
	get sourceWeights(): Float32Array { this.refresh(); return this.weights; }

	/** Take over what the runtime has written. */
	fill(): void {
		const { runtime, at } = this, { layout, f32, i32 } = runtime, span = (at + layout.span) >> 2;
		this.time = runtime.f64[(at + layout.time) >> 3];
		this.x = f32[(at + layout.x) >> 2];
		this.z = f32[(at + layout.z) >> 2];
		this.heading = f32[(at + layout.heading) >> 2];
		this.contacts = i32[(at + layout.contacts) >> 2];
		this.phase = runtime.phases[i32[(at + layout.phase) >> 2]];
		this.sourceCount = i32[(at + layout.sourceCount) >> 2];
		// Of 64 bits; a number of JavaScript holds 53 of them, and a big one would be garbage.
		this.span = runtime.u32[span] + i32[span + 1] * 4294967296;
		const isMovement = i32[(at + layout.movementKind) >> 2] < runtime.movements.length;
		if (isMovement) this.filledMovement.fill(runtime, at);
		this.movement = isMovement ? this.filledMovement : null;
		this.space?.fill();
		this.parametric?.fill();
	}

	private refresh(): void {
		if (this.generation !== this.runtime.generation) this.view();
	}

	private view(): void {
		const { runtime, at } = this, { layout } = runtime;
		const buffer = runtime.u8.buffer, sourceCount = runtime.find("RP_MAX_SOURCES");
		this.heights = new Float32Array(buffer, at + layout.supportHeights, runtime.find("rp_effectorCount"));
		this.bits = new Uint32Array(buffer, at + layout.labels, 2);
		this.clips = new Int32Array(buffer, at + layout.sourceClips, sourceCount);
		this.times = new Float64Array(buffer, at + layout.sourceTimes, sourceCount);
		this.weights = new Float32Array(buffer, at + layout.sourceWeights, sourceCount);
		this.generation = runtime.generation;
	}
}
