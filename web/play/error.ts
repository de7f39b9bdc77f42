// What goes wrong: errors of the library, and those of who calls it.

/** The library could not do what was asked; see public/reprise-play.d.ts. */
export class RepriseError extends Error {
	readonly code: string;
	readonly hint: string;

	constructor(code: string, message: string, hint = "") {
		super(message);
		this.name = "RepriseError";
		this.code = code;
		this.hint = hint;
	}
}

/** The caller's mistake. */
export function refuse(message: string, hint = ""): never {
	throw new RepriseError("argument", message, hint);
}

// The largest number that fits into a float of 32 bits.
const MAX_FLOAT = 3.4028234663852886e38;

function show(value: unknown): string {
	return typeof value === "number" ? `${value}` : value === null ? "null" : `a ${typeof value}`;
}

/** The number itself; what is none, or none that the library can hold, is refused by name. */
export function checkNumber(value: number, name: string): number {
	if (typeof value !== "number" || !(value >= -MAX_FLOAT && value <= MAX_FLOAT)) {
		refuse(`${name} must be a finite number, not ${show(value)}`);
	}
	return value;
}

/** A time that is none; one that is endless is. */
export function refuseSeconds(value: unknown, name: string): never {
	refuse(`${name} must be a number of seconds, not ${show(value)}`);
}

/** A whole number from 0 to below a count. */
export function checkIndex(value: number, count: number, name: string): number {
	if (!Number.isInteger(value) || value < 0 || value >= count) {
		refuse(`${name} must be a whole number from 0 to ${count - 1}, not ${show(value)}`);
	}
	return value;
}

/** Bytes as such, whatever they are kept in. */
export function checkBytes(bytes: unknown, name: string): Uint8Array {
	if (ArrayBuffer.isView(bytes)) return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const kind = Object.prototype.toString.call(bytes);
	if (kind === "[object ArrayBuffer]" || kind === "[object SharedArrayBuffer]") return new Uint8Array(bytes as ArrayBuffer);
	return refuse(`${name} must be a Uint8Array or an ArrayBuffer, not ${show(bytes)}`);
}
