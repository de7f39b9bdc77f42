// What was asked for since the beginning, change by change: enough to do all of it again, here or with `reprise play`.
import type { Asked } from "./tape.js";
import { RATE } from "./tape.js";

/** What was asked for from a tick on; weights of the player's layers beside it. */
export interface Entry extends Asked {
	tick: number;
	/** As it stands in a script, degrees a second: turn follows from it. */
	turnDegrees: number;
	layers: number[];
}

export class Log {
	readonly entries: Entry[] = [];

	/** Note what is asked for in a tick; nothing is added where nothing changed. */
	note(tick: number, asked: Asked, turnDegrees: number, layers: readonly number[]): void {
		const last = this.entries[this.entries.length - 1];
		if (last && isSame(last, asked, layers)) return;
		this.entries.push({ ...asked, values: [...asked.values], tick, turnDegrees, layers: [...layers] });
	}

	/** What held in a tick. */
	find(tick: number): Entry | null {
		let low = 0, high = this.entries.length;
		while (low < high) {
			const middle = (low + high) >> 1;
			if (this.entries[middle].tick <= tick) low = middle + 1; else high = middle;
		}
		return low > 0 ? this.entries[low - 1] : null;
	}

	/** Forget what was asked from a tick on. */
	cut(tick: number): void {
		while (this.entries.length && this.entries[this.entries.length - 1].tick >= tick) this.entries.pop();
	}

	clear(): void {
		this.entries.length = 0;
	}
}

function isSame(a: Asked & { layers: readonly number[] }, b: Asked, layers: readonly number[]): boolean {
	if (a.stickX !== b.stickX || a.stickZ !== b.stickZ || a.request !== b.request || a.speed !== b.speed || a.turn !== b.turn) return false;
	for (let i = 0; i < b.values.length; ++i) if (a.values[i] !== b.values[i]) return false;
	for (let i = 0; i < layers.length; ++i) if (a.layers[i] !== layers[i]) return false;
	return true;
}

/** The shortest decimal that is this float again when it is read. */
export function printFloat(x: number): string {
	for (let digits = 1; digits < 9; ++digits) {
		const text = x.toPrecision(digits);
		if (Math.fround(+text) === x) return String(+text);
	}
	return String(+x.toPrecision(9));
}

/** What a script is written of. */
export interface ScriptHeader {
	/** Names of requests, parameters and layers of the player. */
	readonly requests: readonly string[];
	readonly parameters: readonly string[];
	readonly layers: readonly string[];
}

// What models other than spaces are asked for.
function printSteering(entry: Entry, requests: readonly string[]): string[] {
	const stick = [printFloat(entry.stickX === 0 ? 0 : -entry.stickX), printFloat(entry.stickZ)];
	return requests.length > 0 ? [...stick, requests[entry.request], printFloat(entry.speed), String(entry.turnDegrees)] : stick;
}

/** The script that `reprise play` reads: a line for each change. x is to the right and y ahead of somebody who faces +z. */
export function writeScript(log: Log, header: ScriptHeader): string {
	const { requests, parameters, layers } = header, isSpace = parameters.length > 0;
	const steering = requests.length > 0 ? ["x", "y", "gait", "speed", "turn"] : ["x", "y"];
	const lines = [["time", ...(isSpace ? parameters : steering), ...layers].join(",")];
	for (const entry of log.entries) {
		const asked = isSpace ? entry.values.map(String) : printSteering(entry, requests);
		lines.push([(entry.tick / RATE).toFixed(9), ...asked, ...entry.layers.map(printFloat)].join(","));
	}
	return lines.join("\n") + "\n";
}
