// What a character showed in the last minute, tick by tick: what is drawn live, looked at again, and what was asked then. All
// of its memory is taken when it is made.
import { lengthOf } from "../length.js";
import type { ParametricReport, Player, Pose, Report, SpaceReport } from "../../play/reprise-play.js";

/** Ticks per second, and ticks that are kept: a minute. */
export const RATE = 60;
export const TICK = 1 / RATE;
export const KEPT = 60 * RATE + 1;

/** Sources of a frame that are kept, the heaviest ones; and places on the path ahead. */
export const SOURCES = 4;
export const AHEAD = 12;

/** Seconds between places on the path ahead. */
export const AHEAD_STEP = 0.2;

/** What was asked for in a tick. */
export interface Asked {
	stickX: number;
	stickZ: number;
	request: number;
	speed: number;
	/** rad/s. */
	turn: number;
	/** Of a space, or of the node that is requested, its parameters, as people read them: degrees, as they stand in a script. Not a
	    number: not given. */
	values: readonly number[];
	/** Of a parametric graph: a place; not numbers: none. */
	targetX: number;
	targetY: number;
	targetZ: number;
}

/** Nothing is asked for. */
export const STAY: Asked = { stickX: 0, stickZ: 0, request: 0, speed: 0, turn: 0, values: [], targetX: NaN, targetY: NaN, targetZ: NaN };

/** How a figure's points follow from joints. */
export interface FigurePoints {
	readonly count: number;
	readonly joints: Int32Array;
	/** x, y, z in the joint's frame. */
	readonly offsets: Float32Array;
}

export class Tape {
	/** Ticks so far; the last KEPT of them are there. */
	count = 0;
	private oldest = 0;
	readonly points: Float32Array;
	readonly effectors: Float32Array;
	readonly contacts = new Uint32Array(KEPT);
	readonly supports: Float32Array;
	/** x, z, heading. */
	readonly ground = new Float32Array(3 * KEPT);
	/** Direction, speed and turn asked for; what was asked of the movement in play, and what it has (speed, turn). */
	readonly asked = new Float32Array(5 * KEPT);
	readonly movement = new Float32Array(4 * KEPT);
	/** Of the movement, "LDR"; "" where there is none. */
	readonly kinds: string[] = new Array<string>(KEPT).fill("");
	readonly phases = new Uint8Array(KEPT);
	readonly spans = new Int32Array(KEPT);
	readonly labels = new Uint32Array(2 * KEPT);
	readonly sourceClips = new Int32Array(SOURCES * KEPT);
	readonly sourceTimes = new Float32Array(SOURCES * KEPT);
	readonly sourceWeights = new Float32Array(SOURCES * KEPT);
	readonly ahead = new Float32Array(2 * AHEAD * KEPT);
	/** Of a space or a node: the number of the motion, what was asked of it and what there is, by parameter. */
	readonly motions: Int32Array;
	readonly requested: Float32Array;
	readonly nearest: Float32Array;
	/** Of a parametric graph: the node, what was granted; how far from the motion before, the most that is allowed; other ways that were
	    tried, -1: forced; the place that was asked for. */
	readonly nodes: Int16Array;
	readonly granted: Float32Array;
	readonly seams: Float32Array;
	readonly repairs: Int16Array;
	readonly targets: Float32Array;

	/** parameterCount: at most, where there are nodes. */
	constructor(private readonly figure: FigurePoints, private readonly effectorCount: number, readonly parameterCount: number, readonly hasNodes: boolean) {
		const kept = hasNodes ? KEPT : 0;
		this.motions = new Int32Array(parameterCount > 0 ? KEPT : kept);
		this.requested = new Float32Array(parameterCount * KEPT);
		this.nearest = new Float32Array(parameterCount * KEPT);
		this.nodes = new Int16Array(kept);
		this.granted = new Float32Array(parameterCount * kept);
		this.seams = new Float32Array(2 * kept);
		this.repairs = new Int16Array(kept);
		this.targets = new Float32Array(3 * kept);
		this.points = new Float32Array(3 * figure.count * KEPT);
		this.effectors = new Float32Array(3 * effectorCount * KEPT);
		this.supports = new Float32Array(effectorCount * KEPT);
	}

	/** The first tick that is still there. */
	get first(): number {
		return Math.max(this.count - KEPT, this.oldest);
	}

	/** Where in the arrays a tick is. */
	slot(tick: number): number {
		return tick % KEPT;
	}

	/** Forget the ticks from this one on. Those that were written over do not come back. */
	cut(count: number): void {
		this.oldest = Math.min(this.first, count);
		this.count = Math.min(this.count, count);
	}

	/** Add what a player shows. */
	record(pose: Pose, report: Report, asked: Asked): void {
		const slot = this.slot(this.count++);
		placePoints(this.figure, pose, this.points, 3 * this.figure.count * slot);
		this.recordReport(report, slot);
		this.effectors.set(pose.effectors, 3 * this.effectorCount * slot);
		const a = this.asked, at = 5 * slot;
		a[at] = asked.stickX;
		a[at + 1] = asked.stickZ;
		a[at + 2] = asked.request;
		a[at + 3] = asked.speed;
		a[at + 4] = asked.turn;
		if (!this.hasNodes) return;
		this.targets[3 * slot] = asked.targetX;
		this.targets[3 * slot + 1] = asked.targetY;
		this.targets[3 * slot + 2] = asked.targetZ;
	}

	private recordReport(report: Report, slot: number): void {
		this.ground[3 * slot] = report.x;
		this.ground[3 * slot + 1] = report.z;
		this.ground[3 * slot + 2] = report.heading;
		this.contacts[slot] = report.contacts;
		this.phases[slot] = PHASES.indexOf(report.phase);
		this.spans[slot] = report.span;
		this.labels[2 * slot] = report.labelBits[0];
		this.labels[2 * slot + 1] = report.labelBits[1];
		for (let e = 0; e < this.effectorCount; ++e) this.supports[this.effectorCount * slot + e] = report.supportHeights[e];
		const movement = report.movement, m = this.movement;
		this.kinds[slot] = movement ? movement.kind : "";
		m[4 * slot] = movement ? movement.wantedSpeed : NaN;
		m[4 * slot + 1] = movement ? movement.wantedTurn : NaN;
		m[4 * slot + 2] = movement ? movement.speed : NaN;
		m[4 * slot + 3] = movement ? movement.turn : NaN;
		if (report.space) this.recordSpace(report.space, slot);
		if (report.parametric) this.recordMotion(report.parametric, slot);
		this.recordSources(report, SOURCES * slot);
	}

	private recordMotion(motion: ParametricReport, slot: number): void {
		const { requested, granted, achieved } = motion, at = this.parameterCount * slot;
		this.motions[slot] = motion.number;
		this.nodes[slot] = motion.node;
		for (let k = 0; k < requested.length; ++k) {
			this.requested[at + k] = requested[k];
			this.granted[at + k] = granted[k];
			this.nearest[at + k] = achieved[k];
		}
		this.seams[2 * slot] = motion.distance;
		this.seams[2 * slot + 1] = motion.bad;
		this.repairs[slot] = motion.isForced ? -1 : motion.repairs;
	}

	private recordSpace(space: SpaceReport, slot: number): void {
		const { parameterCount } = this, { requested, nearest } = space, at = parameterCount * slot;
		this.motions[slot] = space.number;
		for (let k = 0; k < parameterCount; ++k) {
			this.requested[at + k] = requested[k];
			this.nearest[at + k] = nearest[k];
		}
	}

	// The heaviest ones, in order.
	private recordSources(report: Report, at: number): void {
		const clips = this.sourceClips, times = this.sourceTimes, weights = this.sourceWeights;
		for (let k = 0; k < SOURCES; ++k) {
			clips[at + k] = -1;
			weights[at + k] = 0;
		}
		for (let i = 0; i < report.sourceCount; ++i) {
			const weight = report.sourceWeights[i];
			let k = SOURCES;
			while (k > 0 && weight > weights[at + k - 1]) --k;
			for (let j = SOURCES - 1; j > k; --j) {
				clips[at + j] = clips[at + j - 1];
				times[at + j] = times[at + j - 1];
				weights[at + j] = weights[at + j - 1];
			}
			if (k < SOURCES) {
				clips[at + k] = report.sourceClips[i];
				times[at + k] = report.sourceTimes[i];
				weights[at + k] = weight;
			}
		}
	}

	/** Where the root will be if nothing changes, beside the last tick. To look ahead is to plan ahead, which takes as long as many
	    ticks do: one place is looked at in each, and all of them in AHEAD ticks. */
	recordAhead(player: Player): void {
		const tick = this.count - 1, at = 2 * AHEAD * this.slot(tick), before = 2 * AHEAD * this.slot(Math.max(tick - 1, 0));
		if (tick > 0) this.ahead.copyWithin(at, before, before + 2 * AHEAD);
		for (let k = 0; k < AHEAD; ++k) {
			if (tick > 0 && k !== tick % AHEAD) continue;
			player.peek((k + 1) * AHEAD_STEP);
			const report = player.peekReport();
			this.ahead[at + 2 * k] = report.x;
			this.ahead[at + 2 * k + 1] = report.z;
		}
	}

	/** Metres a second and radians a second to the left, over the half second before a tick, from where the root was. */
	measure(tick: number, out: { speed: number; turn: number }): void {
		const before = Math.max(tick - RATE / 2, this.first), g = this.ground, a = 3 * this.slot(before), b = 3 * this.slot(tick);
		const seconds = (tick - before) * TICK;
		out.speed = seconds > 0 ? lengthOf(g[b] - g[a], g[b + 1] - g[a + 1]) / seconds : 0;
		out.turn = seconds > 0 ? wrap(g[b + 2] - g[a + 2]) / seconds : 0;
	}

	/** How far to the left of the direction that was asked for the root went in the half second before a tick, radians; not a
	    number where none was asked for or it hardly moved. */
	measureCourse(tick: number): number {
		const before = Math.max(tick - RATE / 2, this.first), g = this.ground, a = 3 * this.slot(before), b = 3 * this.slot(tick), at = 5 * this.slot(tick);
		const dx = g[b] - g[a], dz = g[b + 1] - g[a + 1], x = this.asked[at], z = this.asked[at + 1];
		if (dx * dx + dz * dz < 0.01 || x * x + z * z < 0.01) return NaN;
		return wrap(Math.atan2(dx, dz) - Math.atan2(x, z));
	}

	/** Points between two ticks, into an array of a figure's size. */
	blendPoints(time: number, out: Float32Array): void {
		const n = 3 * this.figure.count, last = this.count - 1, tick = Math.min(Math.max(Math.floor(time), this.first), last);
		const a = n * this.slot(tick), b = n * this.slot(Math.min(tick + 1, last)), u = Math.min(Math.max(time - tick, 0), 1), p = this.points;
		for (let i = 0; i < n; ++i) out[i] = p[a + i] + u * (p[b + i] - p[a + i]);
	}

	/** The root's place between two ticks: x, z. */
	blendPlace(time: number, out: Float64Array | number[]): void {
		const last = this.count - 1, tick = Math.min(Math.max(Math.floor(time), this.first), last);
		const a = 3 * this.slot(tick), b = 3 * this.slot(Math.min(tick + 1, last)), u = Math.min(Math.max(time - tick, 0), 1), g = this.ground;
		out[0] = g[a] + u * (g[b] - g[a]);
		out[1] = g[a + 1] + u * (g[b + 1] - g[a + 1]);
	}
}

/** As rpGaitPhase_GetName has them. */
export const PHASES: readonly string[] = ["flight", "left", "right", "double"];

/** To -pi … pi. */
export function wrap(angle: number): number {
	return angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));
}

// A point is fixed in its joint's frame: p + q v q*.
function placePoints(figure: FigurePoints, pose: Pose, out: Float32Array, at: number): void {
	const { joints, offsets } = figure, p = pose.positions, q = pose.orientations;
	for (let i = 0; i < figure.count; ++i, at += 3) {
		const j = joints[i], x = offsets[3 * i], y = offsets[3 * i + 1], z = offsets[3 * i + 2];
		const w = q[4 * j], a = q[4 * j + 1], b = q[4 * j + 2], c = q[4 * j + 3];
		// t = 2 q × v
		const tx = 2 * (b * z - c * y), ty = 2 * (c * x - a * z), tz = 2 * (a * y - b * x);
		out[at] = p[3 * j] + x + w * tx + b * tz - c * ty;
		out[at + 1] = p[3 * j + 1] + y + w * ty + c * tx - a * tz;
		out[at + 2] = p[3 * j + 2] + z + w * tz + a * ty - b * tx;
	}
}
