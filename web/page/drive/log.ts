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
		const { stickX, stickZ, request, speed, turn } = asked;
		this.entries.push({ tick, stickX, stickZ, request, speed, turn, turnDegrees, layers: [...layers] });
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
	/** Names of requests and layers of the player. */
	readonly requests: readonly string[];
	readonly layers: readonly string[];
}

/** The script that `reprise play` reads: a line for each change. x is to the right and y ahead of somebody who faces +z. */
export function writeScript(log: Log, header: ScriptHeader): string {
	const hasGaits = header.requests.length > 0;
	const lines = [["time", "x", "y", ...(hasGaits ? ["gait", "speed", "turn"] : []), ...header.layers].join(",")];
	for (const entry of log.entries) {
		const cells = [(entry.tick / RATE).toFixed(9), printFloat(entry.stickX === 0 ? 0 : -entry.stickX), printFloat(entry.stickZ)];
		if (hasGaits) cells.push(header.requests[entry.request], printFloat(entry.speed), String(entry.turnDegrees));
		lines.push([...cells, ...entry.layers.map(printFloat)].join(","));
	}
	return lines.join("\n") + "\n";
}
