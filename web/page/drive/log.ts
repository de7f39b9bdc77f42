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
	if (!Object.is(a.targetX, b.targetX) || !Object.is(a.targetY, b.targetY) || !Object.is(a.targetZ, b.targetZ)) return false;
	for (let i = 0; i < b.values.length; ++i) if (!Object.is(a.values[i], b.values[i])) return false;
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
	readonly model: string;
	/** Names of requests and layers of the player, and the keys of the parameters that go with each request. */
	readonly requests: readonly string[];
	readonly parameters: readonly (readonly string[])[];
	readonly layers: readonly string[];
}

/** A column: its name, and what stands in it of an entry; nothing where nothing is asked for. */
interface Column {
	readonly name: string;
	print(entry: Entry): string;
}

// x is to the right and y ahead of somebody who faces +z.
const stick: readonly Column[] = [
	{ name: "x", print: entry => printFloat(entry.stickX === 0 ? 0 : -entry.stickX) },
	{ name: "y", print: entry => printFloat(entry.stickZ) },
];

const printNumber = (x: number) => (x === x ? String(x) : "");

function listGaitColumns({ requests }: ScriptHeader): Column[] {
	return [
		{ name: "gait", print: entry => requests[entry.request] }, { name: "speed", print: entry => printFloat(entry.speed) },
		{ name: "turn", print: entry => String(entry.turnDegrees) },
	];
}

// Nodes may have a parameter in common. What was never given has no column.
function listNodeColumns(log: Log, { requests, parameters }: ScriptHeader): Column[] {
	const targets = (["X", "Y", "Z"] as const).map(axis => ({ name: `target_${axis.toLowerCase()}`, print: (entry: Entry) => printNumber(entry[`target${axis}`]) }));
	const values = [...new Set(parameters.flat())].map(key => ({ name: key, print: (entry: Entry) => printNumber(entry.values[parameters[entry.request].indexOf(key)] ?? NaN) }));
	const isUsed = (column: Column) => log.entries.some(entry => column.print(entry) !== "");
	return [{ name: "node", print: entry => requests[entry.request] }, ...stick, ...(targets.some(isUsed) ? targets : []), ...values.filter(isUsed)];
}

function listColumns(log: Log, header: ScriptHeader): readonly Column[] {
	if (header.model === "pgraph") return listNodeColumns(log, header);
	if (header.model === "space") return header.parameters[0].map((name, k) => ({ name, print: entry => String(entry.values[k]) }));
	return header.requests.length > 0 ? [...stick, ...listGaitColumns(header)] : stick;
}

/** The script that `reprise play` reads: a line for each change. */
export function writeScript(log: Log, header: ScriptHeader): string {
	const columns = listColumns(log, header), lines = [["time", ...columns.map(({ name }) => name), ...header.layers].join(",")];
	for (const entry of log.entries)
		lines.push([(entry.tick / RATE).toFixed(9), ...columns.map(column => column.print(entry)), ...entry.layers.map(printFloat)].join(","));
	return lines.join("\n") + "\n";
}
