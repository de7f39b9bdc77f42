// From a wish to what a model understands. Each kind of input says which players it fits, which controls it wants in the panel,
// and what it asks of the player; what a page offers follows from the bundle. A new kind of model adds a kind here.
import type { GaitLimits, Player } from "../../play/reprise-play.ts";
import type { Gauge, Panel } from "./panel.js";
import { makeSetting, printAnswer, printNumber, toNumber, type Setting } from "./parameter.js";
import { wrap, type Asked, type Tape } from "./tape.js";
import type { Wish } from "./wish.js";

/** What somebody set in the panel. */
export interface Input {
	/** What it takes, in a line; and whether a wish leads it anywhere. */
	readonly hint: string;
	readonly steers: boolean;
	/** Put its controls into the panel. */
	addControls(panel: Panel): void;
	/** Say in them what became of it in a tick. */
	show(tape: Tape, slot: number): void;
	/** Ask, of somebody who faces a heading; gives the turn in the degrees per second that a script is written with, or 0. */
	fill(wish: Wish, asked: Asked, heading: number): number;
	/** What a goal needs: the radius of the smallest circle, and whether it comes to rest if nothing is asked. */
	readonly rests: boolean;
	getRadius(isRunning: boolean): number;
}

const GOING = "Arrows or WASD, Shift runs, Space stands; click the floor to go there";

/** A graph is turned by directions so far to the side, radians. */
const ASIDE = 1.2;

/** Directions alone: motion graphs. */
class DirectionInput implements Input {
	readonly hint = GOING;
	readonly steers = true;
	readonly rests = false;

	addControls(): void {
	}

	show(): void {
	}

	fill(wish: Wish, asked: Asked, heading: number): number {
		// Who is turned goes where that leads him.
		const isTurned = wish.x === 0 && wish.z === 0 && (wish.ahead > 0.1 || Math.abs(wish.turn) > 0.1), angle = heading + ASIDE * wish.turn;
		asked.stickX = toStick(wish.stand ? 0 : isTurned ? Math.sin(angle) : wish.x);
		asked.stickZ = toStick(wish.stand ? 0 : isTurned ? Math.cos(angle) : wish.z);
		asked.request = 0;
		asked.speed = asked.turn = 0;
		return 0;
	}

	// A graph does not know: as people walk.
	getRadius(): number {
		return 0.8;
	}
}

/** Degrees to radians as `reprise play` reads a script: the product in double precision, then a float. */
const DEGREE = Math.PI / 180;

/** Gaits with speeds and turns: models of locomotion. */
class GaitInput implements Input {
	readonly hint = GOING;
	readonly steers = true;
	readonly rests = true;
	private readonly walk: number;
	private readonly run: number;
	private readonly limits: (GaitLimits | null)[];
	private readonly speeds: number[];

	constructor(player: Player) {
		this.limits = player.requests.map(gait => player.gaitLimits(gait));
		this.speeds = this.limits.map(limits => (limits ? round(limits.usual) : 0));
		this.walk = player.requests.indexOf("walk");
		this.run = player.requests.indexOf("run");
	}

	addControls(panel: Panel): void {
		for (const [gait, title] of [[this.walk, "Walk at"], [this.run, "Run at"]] as const) {
			const limits = this.limits[gait];
			if (limits)
				panel.addSlider(title, { min: round(limits.slowest), max: round(limits.fastest), step: 0.05, value: this.speeds[gait], unit: " m/s" },
					value => { this.speeds[gait] = value; });
		}
	}

	show(): void {
	}

	fill(wish: Wish, asked: Asked): number {
		const gait = this.getGait(wish), isFree = wish.x === 0 && wish.z === 0;
		asked.stickX = toStick(wish.stand ? 0 : wish.x);
		asked.stickZ = toStick(wish.stand ? 0 : wish.z);
		asked.request = gait;
		// How far a stick is pushed is a speed already.
		asked.speed = gait > 0 && !wish.isAnalog ? Math.fround(this.speeds[gait]) : 0;
		const degrees = isFree && gait > 0 ? this.getTurn(wish.turn, gait) : 0;
		asked.turn = Math.fround(degrees * DEGREE);
		return degrees;
	}

	getRadius(isRunning: boolean): number {
		const limits = this.limits[isRunning ? this.run : this.walk];
		return limits ? limits.usual / Math.max(Math.min(limits.maxTurnLeft, limits.maxTurnRight), 0.2) : 1;
	}

	private getGait(wish: Wish): number {
		const goes = Math.hypot(wish.x, wish.z) > 0.1 || wish.ahead > 0.1 || Math.abs(wish.turn) > 0.1;
		if (wish.stand || !goes) return 0;
		const wanted = wish.run ? this.run : this.walk, other = wish.run ? this.walk : this.run;
		// Who only runs, runs.
		return this.limits[wanted] || !this.limits[other] ? Math.max(wanted, 0) : other;
	}

	// The sharpest turn, so much of it.
	private getTurn(share: number, gait: number): number {
		const limits = this.limits[gait];
		if (!limits) return 0;
		return Math.round(share * (share > 0 ? limits.maxTurnLeft : limits.maxTurnRight) / DEGREE);
	}
}

/** A direction becomes turns of so many degrees: a few lines of a script, and not one for each tick. */
const TURN_STEP = 5;

/** Parameters: spaces. A slider each says what the next motion does; one that turns follows directions, too. */
class ParameterInput implements Input {
	readonly hint: string;
	readonly steers: boolean;
	readonly rests = false;
	/** By key: whoever drives beside has the same. */
	private readonly values: Map<string, number>;
	private readonly settings: readonly Setting[];
	private readonly turn: number;
	private readonly asked: number[];
	private gauges: Gauge[] = [];

	constructor(player: Player, beside: Input | null) {
		this.settings = player.parameters.map(makeSetting);
		this.turn = player.parameters.findIndex(parameter => parameter.name === "turn" && parameter.unit === "rad");
		this.steers = this.turn >= 0;
		this.hint = `Sliders say what the next motion does${this.steers ? "; arrows or a click on the floor say where it turns" : ""}`;
		this.values = beside instanceof ParameterInput ? beside.values : new Map<string, number>();
		for (const { key, usual } of this.settings) if (!this.values.has(key)) this.values.set(key, usual);
		this.asked = this.settings.map(({ key }) => this.values.get(key)!);
	}

	addControls(panel: Panel): void {
		this.gauges = this.settings.map(setting => {
			const { key, title, min, max, step, low, high, unit } = setting, value = this.values.get(key)!;
			const def = { min, max, step, value, unit, region: [low, high] as const, print: (x: number) => printNumber(setting, x) };
			return panel.addGauge(title, def, x => this.values.set(key, x));
		});
	}

	show(tape: Tape, slot: number): void {
		const count = this.settings.length;
		for (let k = 0; k < count; ++k) {
			const setting = this.settings[k], { isAngle } = setting;
			const requested = toNumber(isAngle, tape.requested[count * slot + k]), nearest = toNumber(isAngle, tape.nearest[count * slot + k]);
			this.gauges[k]?.show(nearest, printAnswer(setting, requested, nearest));
		}
	}

	fill(wish: Wish, asked: Asked, heading: number): number {
		asked.stickX = asked.stickZ = asked.request = asked.speed = asked.turn = 0;
		for (let k = 0; k < this.settings.length; ++k) this.asked[k] = k === this.turn ? this.getTurn(wish, heading) : this.values.get(this.settings[k].key)!;
		asked.values = this.asked;
		return 0;
	}

	// As people walk.
	getRadius(): number {
		return 0.8;
	}

	// Towards where a stick points, or as far as it is pushed to a side; as the slider says where nobody steers.
	private getTurn(wish: Wish, heading: number): number {
		const { low, high, key } = this.settings[this.turn];
		const isDirected = wish.x !== 0 || wish.z !== 0, isTurned = wish.ahead > 0.1 || Math.abs(wish.turn) > 0.1;
		if (!isDirected && !isTurned) return this.values.get(key)!;
		const degrees = isDirected ? toNumber(true, wrap(Math.atan2(wish.x, wish.z) - heading)) : wish.turn * (wish.turn > 0 ? high : -low);
		return TURN_STEP * Math.round(Math.min(Math.max(degrees, low), high) / TURN_STEP) + 0;
	}
}

// As a script gives it back: a float, and no zero with a sign, which would turn who is to go straight back to the other side.
const toStick = (x: number) => Math.fround(x) + 0;

const round = (x: number) => Math.round(20 * x) / 20;

/** The first that fits takes a player. */
const kinds: readonly { fits(player: Player): boolean; create(player: Player, beside: Input | null): Input }[] = [
	{ fits: player => player.parameters.length > 0, create: (player, beside) => new ParameterInput(player, beside) },
	{ fits: player => player.requests.includes("walk"), create: player => new GaitInput(player) },
	{ fits: () => true, create: () => new DirectionInput() },
];

/** beside: the controls of who is driven already; null where there is nobody. */
export function createInput(player: Player, beside: Input | null): Input {
	return kinds.find(kind => kind.fits(player))!.create(player, beside);
}
