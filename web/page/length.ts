// Lengths without garbage: Math.hypot is called with its numbers as objects, each time (V8).

/** How long x, y is. */
export function lengthOf(x: number, y: number): number {
	return Math.sqrt(x * x + y * y);
}

/** How long x, y, z is. */
export function lengthOf3(x: number, y: number, z: number): number {
	return Math.sqrt(x * x + y * y + z * z);
}
