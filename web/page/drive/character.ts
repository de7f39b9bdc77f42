// Somebody who is driven: a player, what it showed, and the layers it has.
import { EFFECTORS, type Layer, type Player, type PlayerInput, type PlayerOptions, type Pose, type Start } from "../../play/reprise-play.ts";
import type { Paint } from "../stage/scene.js";
import type { Entry, Log } from "./log.js";
import type { Model } from "./model.js";
import { toValue } from "./parameter.js";
import { RATE, STAY, Tape, TICK, type Asked } from "./tape.js";

/** What makes one character another than the next. */
export interface CharacterDef {
	model: Model;
	name: string;
	paint: Paint | null;
	start: Start;
	options: PlayerOptions;
	/** Layers that it shall have beyond those of its bundle. */
	layers: readonly "lean"[];
	/** Whether its path ahead is wanted. */
	looksAhead: boolean;
}

/** Ticks from snapshot to snapshot, and how many are kept: those of the tape. */
const SNAPSHOT_TICKS = 2 * RATE;
const SNAPSHOTS = 32;

/** Who is not at rest after this many seconds will not be. */
const REST_SECONDS = 3;

/** Seconds in which a layer comes or goes, but at the beginning: as `reprise play` has it. */
export const LAYER_SECONDS = 0.3;

export class Character {
	readonly player: Player;
	readonly tape: Tape;
	/** Where its figure's points are drawn. */
	readonly points: Float32Array;
	/** Weights of its layers, as they were asked for last. */
	readonly weights: number[];
	/** Sees each pose, which is the player's own. */
	onPose: ((pose: Pose) => void) | null = null;
	private readonly input: PlayerInput & Asked = { ...STAY, parameters: undefined };
	/** What a space or a node is asked for, by request. */
	private readonly values: readonly Float32Array[];
	private block: Uint8Array | undefined;
	private readonly snapshots: Uint8Array[] = [];
	private readonly snapshotTicks = new Int32Array(SNAPSHOTS).fill(-1);

	constructor(readonly def: CharacterDef) {
		this.player = def.model.createPlayer({ ...def.options, start: def.start });
		for (const layer of def.layers) this.player.addLayer(layer);
		const { player } = this, requestCount = Math.max(player.requests.length, 1);
		this.values = Array.from({ length: requestCount }, (_, request) => new Float32Array(player.parametersOf(request).length));
		const parameterCount = this.values.reduce((most, { length }) => Math.max(most, length), 0);
		this.tape = new Tape(def.model.points, EFFECTORS.length, parameterCount, player.model === "pgraph");
		this.points = new Float32Array(3 * def.model.points.count);
		this.weights = this.player.layers.map(() => 1);
	}

	get layers(): readonly Layer[] {
		return this.player.layers;
	}

	/** Ticks by which what it shows is later than what was asked. */
	get delay(): number {
		return Math.round(this.player.lookAhead * RATE);
	}

	/** One tick: the first shows the beginning, as `reprise play` does. */
	step(asked: Asked, weights: readonly number[]): void {
		const tick = this.tape.count, input = this.input;
		if (tick % SNAPSHOT_TICKS === 0) this.takeSnapshot(tick);
		this.switchLayers(weights, tick > 0 ? LAYER_SECONDS : 0);
		input.stickX = asked.stickX;
		input.stickZ = asked.stickZ;
		input.request = asked.request;
		input.speed = asked.speed;
		input.turn = asked.turn;
		this.takeValues(asked);
		const pose = this.player.step(tick > 0 ? TICK : 0, input);
		this.onPose?.(pose);
		this.tape.record(pose, this.player.report(), asked);
		if (this.def.looksAhead) this.tape.recordAhead(this.player);
	}

	private takeValues({ request, values, targetX, targetY, targetZ }: Asked): void {
		const { input } = this, own = this.values[request], parameters = this.player.parametersOf(request);
		let isGiven = false;
		for (let k = 0; k < own.length && k < values.length; ++k) {
			own[k] = toValue(parameters[k].isAngle, values[k]);
			isGiven ||= values[k] === values[k];
		}
		// Where nothing is given, nothing is, as in a script.
		input.parameters = isGiven && values.length === own.length ? own : undefined;
		input.targetX = targetX;
		input.targetY = targetY;
		input.targetZ = targetZ;
	}

	private switchLayers(weights: readonly number[], seconds: number): void {
		for (let i = 0; i < this.weights.length && i < weights.length; ++i)
			if (this.weights[i] !== weights[i]) {
				this.weights[i] = weights[i];
				this.player.switchLayer(this.layers[i], weights[i], seconds);
			}
	}

	// Before the step of a tick.
	private takeSnapshot(tick: number): void {
		const k = (tick / SNAPSHOT_TICKS) % SNAPSHOTS;
		this.snapshots[k] = this.player.snapshot(this.snapshots[k]);
		this.snapshotTicks[k] = tick;
	}

	/** Whether it can go back to a tick. */
	remembers(tick: number): boolean {
		return tick >= this.tape.first && this.findSnapshot(tick) >= 0;
	}

	// The last one that was taken before a tick was done.
	private findSnapshot(tick: number): number {
		let best = -1;
		for (let k = 0; k < SNAPSHOTS; ++k) {
			const taken = this.snapshotTicks[k];
			if (taken >= 0 && taken <= tick && (best < 0 || taken > this.snapshotTicks[best])) best = k;
		}
		return best;
	}

	/** Go back to just after the step of a tick that it remembers; the log says what was asked for on the way there. */
	goBack(tick: number, log: Log): void {
		const best = this.findSnapshot(tick), from = this.snapshotTicks[best];
		this.player.restore(this.snapshots[best]);
		for (let k = 0; k < SNAPSHOTS; ++k) if (this.snapshotTicks[k] > tick) this.snapshotTicks[k] = -1;
		this.recallWeights(from > 0 ? log.find(from - 1) : null);
		this.tape.cut(from);
		this.replay(log, tick + 1);
	}

	/** Where its root would rest if it went on for some seconds and nothing were asked then: found by doing so, and taken back. */
	findRest(asked: Asked, seconds: number, out: { x: number; z: number }): void {
		this.block = this.player.snapshot(this.block);
		if (seconds > 0) this.player.step(seconds, asked);
		for (let i = 0; i < REST_SECONDS; ++i) this.player.step(1, STAY);
		const report = this.player.report();
		out.x = report.x;
		out.z = report.z;
		this.player.restore(this.block);
	}

	/** Begin anew. */
	restart(): void {
		this.player.reset(this.def.start);
		// Weights are the player's own, and reset leaves them alone.
		this.player.layers.forEach((layer, i) => {
			this.player.switchLayer(layer, 1, 0);
			this.weights[i] = 1;
		});
		this.snapshotTicks.fill(-1);
		this.tape.cut(0);
	}

	private recallWeights(entry: Entry | null): void {
		for (let i = 0; i < this.weights.length; ++i) this.weights[i] = entry ? entry.layers[i] ?? 1 : 1;
	}

	/** Do what the log says until so many ticks are done. */
	replay(log: Log, count: number): void {
		while (this.tape.count < count) {
			const entry = log.find(this.tape.count);
			this.step(entry ?? STAY, entry ? entry.layers : this.weights);
		}
	}

	destroy(): void {
		this.player.destroy();
	}
}
