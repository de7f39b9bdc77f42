// Parameters of spaces, and of nodes that are spaces, as people read and set them: degrees for angles, metres, seconds.
import type { Parameter } from "../../play/reprise-play.ts";

const DEGREE = Math.PI / 180;

/** How far beyond what the space reaches a slider goes, as a part of that. */
const BEYOND = 0.15;

/** A parameter with its numbers as they are shown. */
export interface Setting {
	readonly key: string;
	readonly title: string;
	readonly unit: string;
	readonly isAngle: boolean;
	/** What the space reaches, and from where to where it can be asked for. */
	readonly low: number;
	readonly high: number;
	readonly min: number;
	readonly max: number;
	readonly step: number;
	readonly digits: number;
	/** What is asked for until somebody says something else: straight on, the middle. */
	readonly usual: number;
}

const axes: Record<string, string> = { x: "to the left", y: "height", z: "ahead" };

// Moments that are no events, as a person would say them.
const moments: Record<string, string> = {
	start: "at the start", middle: "in the middle", end: "at the end", highest: "when highest", lowest: "when lowest", fastest: "when fastest",
	farthest: "when farthest out", ahead: "when farthest ahead", back: "when farthest back", left: "when farthest left", right: "when farthest right",
};

// "right_wrist.y@hit" is the right wrist's height at the hit.
function printTitle(name: string): string {
	return name.replace(/\.([xyz])(?=@|$)/g, (_, axis: string) => ` ${axes[axis]}`)
		.replace(/@(\w+)/g, (_, moment: string) => ` ${moments[moment] ?? `at ${moment}`}`).replace(/_/g, " ");
}

/** What a parameter of a node has to do with the world, as rpAxisMeaning has it: how a direction or a place becomes its value. */
export type Meaning = "plain" | "turn" | "facing" | "speed" | "x" | "y" | "z";

export function findMeaning({ name }: Parameter): Meaning {
	// A difference of places is none.
	const axis = /[+-]/.test(name) ? undefined : /\.([xyz])@/.exec(name)?.[1];
	return axis !== undefined ? axis as Meaning : name === "turn" || name === "facing" || name === "speed" ? name : "plain";
}

export function isPlace(meaning: Meaning): boolean {
	return meaning === "x" || meaning === "y" || meaning === "z";
}

export function makeSetting(parameter: Parameter): Setting {
	const { key, isAngle } = parameter, low = toNumber(isAngle, parameter.low), high = toNumber(isAngle, parameter.high), range = high - low;
	const digits = range > 20 ? 0 : range > 4 ? 1 : 2, step = 10 ** -digits, round = (x: number) => +x.toFixed(digits) + 0;
	return {
		key, isAngle, low, high, digits,
		title: printTitle(parameter.name),
		unit: isAngle ? `\u00b0${parameter.unit.slice(3)}` : ` ${parameter.unit}`,
		step: +step.toFixed(digits),
		min: round(low - BEYOND * range - 0.5 * step),
		max: round(high + BEYOND * range + 0.5 * step),
		usual: isAngle && low <= 0 && high >= 0 ? 0 : round(0.5 * (low + high)),
	};
}

/** What a player is asked for, as `reprise play` makes it of the number in a script: a product in double precision, then a float. */
export function toValue(isAngle: boolean, x: number): number {
	return Math.fround(isAngle ? x * DEGREE : x);
}

export function toNumber(isAngle: boolean, value: number): number {
	return isAngle ? value / DEGREE : value;
}

/** With a minus that is one, and no zero below zero. */
export function printNumber({ digits, unit }: Setting, x: number): string {
	const text = x.toFixed(digits);
	return `${+text === 0 ? text.replace("-", "") : text.replace("-", "\u2212")}${unit}`;
}

/** What was asked for and what became of it, on one line: a unit of letters stands once. */
export function printAnswer(setting: Setting, requested: number, nearest: number, verb = "the space has"): string {
	const asked = printNumber(setting, requested), has = printNumber(setting, nearest), { unit } = setting;
	if (asked === has) return `now ${has}, as asked`;
	return `asked ${unit.startsWith(" ") ? asked.slice(0, -unit.length) : asked}, ${verb} ${has}`;
}
