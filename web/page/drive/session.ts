// A drive: characters under one set of controls, tick by tick, and the log of what was asked for.
import type { Player, PlayerOptions, Pose } from "../../play/reprise-play.ts";
import { AnswerMeter } from "./answer.js";
import { Character, STAY, type CharacterDef } from "./character.js";
import { createInput, type Input } from "./inputs.js";
import { Log } from "./log.js";
import type { Model } from "./model.js";
import type { Asked } from "./tape.js";
import type { Wish } from "./wish.js";

/** A way to play a model that differs from the usual one. */
export interface Variant {
	name: string;
	options: PlayerOptions;
	layers: readonly "lean"[];
	/** Layers of the bundle that are off. */
	without: boolean;
}

export const PLAIN: Variant = { name: "", options: {}, layers: [], without: false };

/** Who drives beside the first, and how many go with him. */
export interface Cast {
	model: Model;
	rival: { model: Model; variant: Variant } | null;
	count: number;
}

/** Somebody with controls: what a wish means to him, and how soon he answers. */
export interface Driven {
	readonly character: Character;
	readonly input: Input;
	readonly answers: AnswerMeter;
	readonly variant: Variant;
	readonly asked: Asked;
}

/** Metres between those who go together. */
const APART = 1.4;

// Rows behind the first, as wide as they are deep.
function placeOf(index: number, count: number): { x: number; z: number } {
	const wide = Math.ceil(Math.sqrt(count)), row = Math.floor(index / wide), column = index % wide;
	return { x: APART * (column - (Math.min(wide, count) - 1) / 2), z: -APART * row };
}

export class Session {
	readonly main: Driven;
	readonly rival: Driven | null;
	/** Those who go along: they are asked for what the first is. */
	readonly others: Character[] = [];
	/** The first as he would be if his feet were not held. */
	ghost: Character | null = null;
	readonly log = new Log();
	/** Weights of the first one's layers. */
	readonly weights: number[];

	constructor(private readonly cast: Cast) {
		const both = cast.rival !== null;
		this.main = this.makeDriven(cast.model, PLAIN, both ? 0.7 : 0, both ? cast.model.name : "");
		this.rival = cast.rival ? this.makeDriven(cast.rival.model, cast.rival.variant, -0.7, cast.rival.variant.name || cast.rival.model.name) : null;
		this.weights = this.main.character.layers.map(() => 1);
		for (let i = 1; i < cast.count; ++i) this.others.push(this.makeOther(i));
	}

	private makeDriven(model: Model, variant: Variant, x: number, name: string): Driven {
		const isRival = variant !== PLAIN || x < 0;
		const def: CharacterDef = {
			model, name, paint: isRival ? "other" : null, start: { x }, options: variant.options, layers: variant.layers, looksAhead: true,
		};
		const character = new Character(def);
		return { character, input: createInput(character.player), answers: new AnswerMeter(), variant, asked: { ...STAY } };
	}

	// Behind the first, each with chances of its own.
	private makeOther(index: number): Character {
		const first = placeOf(0, this.cast.count), place = placeOf(index, this.cast.count);
		return new Character({
			model: this.cast.model, name: "", paint: null, start: { x: place.x - first.x, z: place.z - first.z }, options: { seed: index }, layers: [], looksAhead: false,
		});
	}

	get ticks(): number {
		return this.main.character.tape.count;
	}

	get player(): Player {
		return this.main.character.player;
	}

	/** Go on by a tick. */
	tick(wish: Wish): void {
		const { main, rival } = this, turnDegrees = main.input.fill(wish, main.asked);
		this.log.note(this.ticks, main.asked, turnDegrees, this.weights);
		main.character.step(main.asked, this.weights);
		main.answers.see(main.character.tape, main.asked);
		this.ghost?.step(main.asked, this.weights);
		for (const other of this.others) other.step(main.asked, this.weights);
		if (rival) {
			rival.input.fill(wish, rival.asked);
			rival.character.step(rival.asked, rival.variant.without ? OFF : rival.character.weights);
			rival.answers.see(rival.character.tape, rival.asked);
		}
	}

	/** Begin anew. */
	restart(): void {
		this.log.clear();
		for (const character of this.characters()) character.restart();
		this.main.answers.clear();
		this.rival?.answers.clear();
	}

	/** Drive on from a tick of the past; those beside the first come to where they were then. False: it is too long ago. */
	goBack(tick: number): boolean {
		if (this.rival) {
			// What a second model was asked for stands on its own tape.
			const log = this.readLog(this.rival.character);
			if (!this.rival.character.goBack(tick, log)) return false;
		}
		for (const character of [this.main.character, ...this.others]) if (!character.goBack(tick, this.log)) return false;
		this.log.cut(tick + 1);
		if (this.ghost) this.showGhost(true);
		this.main.answers.clear();
		this.rival?.answers.clear();
		return true;
	}

	private readLog(character: Character): Log {
		const log = new Log(), tape = character.tape;
		for (let tick = tape.first; tick < tape.count; ++tick) {
			const at = 5 * tape.slot(tick), a = tape.asked;
			log.note(tick, { stickX: a[at], stickZ: a[at + 1], request: a[at + 2], speed: a[at + 3], turn: a[at + 4] }, 0, character.weights);
		}
		return log;
	}

	/** Let the first one's ghost come or go. He catches up with all that was asked for. */
	showGhost(on: boolean): void {
		this.ghost?.destroy();
		this.ghost = null;
		if (!on) return;
		const def = this.main.character.def;
		this.ghost = new Character({ ...def, name: "", paint: "accent", options: { ...def.options, lockFeet: false, lookAhead: 0 }, looksAhead: false });
		this.ghost.replay(this.log, this.ticks);
	}

	/** All of what was shown since the beginning, done again by a player of its own. */
	repeat(see: (pose: Pose) => void): void {
		const character = new Character({ ...this.main.character.def, looksAhead: false });
		character.onPose = see;
		character.replay(this.log, this.ticks);
		character.destroy();
	}

	*characters(): Iterable<Character> {
		yield this.main.character;
		if (this.rival) yield this.rival.character;
		if (this.ghost) yield this.ghost;
		yield* this.others;
	}

	destroy(): void {
		for (const character of this.characters()) character.destroy();
	}
}

const OFF: readonly number[] = new Array<number>(16).fill(0);
