// A drive: characters under one set of controls, tick by tick, and the log of what was asked for.
import type { Player, PlayerOptions, Pose } from "../../play/reprise-play.ts";
import { AnswerMeter } from "./answer.js";
import { Character, type CharacterDef } from "./character.js";
import { createInput, type Input } from "./inputs.js";
import { Log } from "./log.js";
import type { Paint } from "../stage/scene.js";
import type { Model } from "./model.js";
import { STAY, type Asked } from "./tape.js";
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
	/** What he was asked for, which depends on what his model understands. */
	readonly log: Log;
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
	/** Weights of the first one's layers. */
	readonly weights: number[];

	constructor(private readonly cast: Cast) {
		const both = cast.rival !== null;
		// Beside himself, played in another way, one name is enough.
		this.main = this.makeDriven(cast.model, PLAIN, both ? 0.7 : 0, both && cast.rival?.model !== cast.model ? cast.model.name : "", null, null);
		this.rival = cast.rival ? this.makeDriven(cast.rival.model, cast.rival.variant, -0.7, cast.rival.variant.name || cast.rival.model.name, "other", this.main.input) : null;
		this.weights = this.main.character.layers.map(() => 1);
		for (let i = 1; i < cast.count; ++i) this.others.push(this.makeOther(i));
	}

	// The second one has the controls of the first where he can use them.
	private makeDriven(model: Model, variant: Variant, x: number, name: string, paint: Paint | null, beside: Input | null): Driven {
		const def: CharacterDef = {
			model, name, paint, start: { x }, options: variant.options, layers: variant.layers, looksAhead: true,
		};
		const character = new Character(def);
		return { character, input: createInput(character.player, beside), answers: new AnswerMeter(), variant, asked: { ...STAY }, log: new Log() };
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

	/** What the first was asked for, and those who go along. */
	get log(): Log {
		return this.main.log;
	}

	get player(): Player {
		return this.main.character.player;
	}

	/** Go on by a tick. */
	tick(wish: Wish): void {
		const { main, rival } = this;
		this.drive(main, wish, this.weights);
		this.ghost?.step(main.asked, this.weights);
		for (let i = 0; i < this.others.length; ++i) this.others[i].step(main.asked, this.weights);
		if (rival) this.drive(rival, wish, rival.variant.without ? OFF : rival.character.weights);
	}

	private drive(driven: Driven, wish: Wish, weights: readonly number[]): void {
		const { character, asked } = driven, { tape } = character, heading = tape.count > 0 ? tape.ground[3 * tape.slot(tape.count - 1) + 2] : 0;
		const turnDegrees = driven.input.fill(wish, asked, heading);
		driven.log.note(character.tape.count, asked, turnDegrees, weights);
		character.step(asked, weights);
		driven.answers.see(character.tape, asked);
	}

	/** Begin anew. */
	restart(): void {
		for (const character of this.characters()) character.restart();
		for (const driven of this.listDriven()) {
			driven.log.clear();
			driven.answers.clear();
		}
	}

	/** Drive on from a tick of the past, everybody from where he was then. False: it is too long ago. */
	goBack(tick: number): boolean {
		if (![...this.characters()].every(character => character.remembers(tick))) return false;
		for (const driven of this.listDriven()) {
			driven.character.goBack(tick, driven.log);
			driven.log.cut(tick + 1);
			driven.answers.clear();
		}
		for (const other of this.others) other.goBack(tick, this.log);
		if (this.ghost) this.showGhost(true);
		return true;
	}

	private listDriven(): Driven[] {
		return this.rival ? [this.main, this.rival] : [this.main];
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
