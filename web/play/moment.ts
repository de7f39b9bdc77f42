// A pose and its report as views on a player's memory: one pair for what the last step showed, one for the last peek.

import type { MovementReport, Pose, Report } from "./public/reprise-play.d.ts";
import type { Address, Layout, Runtime } from "./runtime.ts";

/** Views are made when they are first asked for, and again only when the memory has grown. */
export class MomentPose implements Pose {
	private generation = 0;
	private root!: Float32Array;
	private turns!: Float32Array;
	private places!: Float32Array;
	private bearings!: Float32Array;
	private points!: Float32Array;

	constructor(private readonly runtime: Runtime, private readonly at: Address, private readonly jointCount: number) {}

	get rootPosition(): Float32Array { this.refresh(); return this.root; }
	get rotations(): Float32Array { this.refresh(); return this.turns; }
	get positions(): Float32Array { this.refresh(); return this.places; }
	get orientations(): Float32Array { this.refresh(); return this.bearings; }
	get effectors(): Float32Array { this.refresh(); return this.points; }

	private refresh(): void {
		const { runtime, at, jointCount } = this, layout = runtime.layout;
		if (this.generation === runtime.generation) return;
		const buffer = runtime.u8.buffer, follow = (offset: number) => runtime.u32[(at + offset) >> 2];
		this.root = new Float32Array(buffer, at + layout.rootPosition, 3);
		this.turns = new Float32Array(buffer, follow(layout.rotations), 4 * jointCount);
		this.places = new Float32Array(buffer, follow(layout.positions), 3 * jointCount);
		this.bearings = new Float32Array(buffer, follow(layout.orientations), 4 * jointCount);
		this.points = new Float32Array(buffer, at + layout.effectors, 3 * runtime.find("rp_effectorCount"));
		this.generation = runtime.generation;
	}
}

class MomentMovement implements MovementReport {
	private readonly layout: Layout;

	constructor(private readonly runtime: Runtime, private readonly at: Address) {
		this.layout = runtime.layout;
	}

	get kind(): string { return this.runtime.movements[this.int(this.layout.movementKind)]; }
	get number(): number { return this.int(this.layout.movementNumber); }
	get wantedGait(): string { return this.runtime.gaits[this.int(this.layout.wantedGait)]; }
	get wantedSpeed(): number { return this.float(this.layout.wantedSpeed); }
	get wantedTurn(): number { return this.float(this.layout.wantedTurn); }
	get speed(): number { return this.float(this.layout.movementSpeed); }
	get turn(): number { return this.float(this.layout.movementTurn); }
	get isAnswer(): boolean { return this.runtime.u8[this.at + this.layout.isAnswer] !== 0; }
	get response(): number { return this.float(this.layout.response); }

	private int(offset: number): number { return this.runtime.i32[(this.at + offset) >> 2]; }
	private float(offset: number): number { return this.runtime.f32[(this.at + offset) >> 2]; }
}

export class MomentReport implements Report {
	private readonly layout: Layout;
	private readonly movementReport: MomentMovement;
	private generation = 0;
	private heights!: Float32Array;
	private bits!: Uint32Array;
	private clips!: Int32Array;
	private times!: Float64Array;
	private weights!: Float32Array;

	constructor(private readonly runtime: Runtime, private readonly at: Address) {
		this.layout = runtime.layout;
		this.movementReport = new MomentMovement(runtime, at);
	}

	get time(): number { return this.runtime.f64[(this.at + this.layout.time) >> 3]; }
	get x(): number { return this.float(this.layout.x); }
	get z(): number { return this.float(this.layout.z); }
	get heading(): number { return this.float(this.layout.heading); }
	get contacts(): number { return this.int(this.layout.contacts); }
	get supportHeights(): Float32Array { this.refresh(); return this.heights; }
	get phase(): string { return this.runtime.phases[this.int(this.layout.phase)]; }
	get labelBits(): Uint32Array { this.refresh(); return this.bits; }
	get sourceCount(): number { return this.int(this.layout.sourceCount); }
	get sourceClips(): Int32Array { this.refresh(); return this.clips; }
	get sourceTimes(): Float64Array { this.refresh(); return this.times; }
	get sourceWeights(): Float32Array { this.refresh(); return this.weights; }

	/** Of 64 bits; a number of JavaScript holds 53 of them, and a big one would be garbage. */
	get span(): number {
		const index = (this.at + this.layout.span) >> 2;
		return this.runtime.u32[index] + this.runtime.i32[index + 1] * 4294967296;
	}

	get movement(): MovementReport | null {
		return this.int(this.layout.movementKind) < this.runtime.movements.length ? this.movementReport : null;
	}

	private int(offset: number): number { return this.runtime.i32[(this.at + offset) >> 2]; }
	private float(offset: number): number { return this.runtime.f32[(this.at + offset) >> 2]; }

	private refresh(): void {
		const { runtime, at, layout } = this;
		if (this.generation === runtime.generation) return;
		const buffer = runtime.u8.buffer, sourceCount = runtime.find("RP_MAX_SOURCES");
		this.heights = new Float32Array(buffer, at + layout.supportHeights, runtime.find("rp_effectorCount"));
		this.bits = new Uint32Array(buffer, at + layout.labels, 2);
		this.clips = new Int32Array(buffer, at + layout.sourceClips, sourceCount);
		this.times = new Float64Array(buffer, at + layout.sourceTimes, sourceCount);
		this.weights = new Float32Array(buffer, at + layout.sourceWeights, sourceCount);
		this.generation = runtime.generation;
	}
}
