// From a wish to what a model understands. Each kind of input says which players it fits, which controls it wants in the panel,
// and what it asks of the player; what a page offers follows from the bundle. A new kind of model adds a kind here.
import type { GaitLimits, Player } from "../../play/reprise-play.ts";
import type { Panel } from "./panel.js";
import type { Asked } from "./tape.js";
import type { Wish } from "./wish.js";

/** What somebody set in the panel. */
export interface Input {
	/** Put its controls into the panel. */
	addControls(panel: Panel): void;
	/** Ask, of somebody who faces a heading; gives the turn in the degrees per second that a script is written with, or 0. */
	fill(wish: Wish, asked: Asked, heading: number): number;
	/** What a goal needs: the radius of the smallest circle, and whether it comes to rest if nothing is asked. */
	readonly rests: boolean;
	getRadius(isRunning: boolean): number;
}

/** A graph is turned by directions so far to the side, radians. */
const ASIDE = 1.2;

/** Directions alone: motion graphs. */
class DirectionInput implements Input {
	readonly rests = false;

	addControls(): void {
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

// As a script gives it back: a float, and no zero with a sign, which would turn who is to go straight back to the other side.
const toStick = (x: number) => Math.fround(x) + 0;

const round = (x: number) => Math.round(20 * x) / 20;

/** The first that fits takes a player. */
const kinds: readonly { fits(player: Player): boolean; create(player: Player): Input }[] = [
	{ fits: player => player.requests.includes("walk"), create: player => new GaitInput(player) },
	{ fits: () => true, create: () => new DirectionInput() },
];

export function createInput(player: Player): Input {
	return kinds.find(kind => kind.fits(player))!.create(player);
}
