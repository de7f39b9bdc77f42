// The squares of the floor, for both stages.
import type { Camera } from "./camera.js";

// Seen from farther than that many cells, squares are ten times as large.
const FAR_CELLS = 30;

/** How far around the target lines go, in cells, and how far at least and at most. */
export const REACH = 1.8, MIN_REACH = 6, MAX_REACH = 26;

/** Metres of a square: 1, 10 or 100. */
export function cellOf(camera: Camera): number {
	return camera.distance > 10 * FAR_CELLS ? 100 : camera.distance > FAR_CELLS ? 10 : 1;
}

/** How far lines of a cell go, metres. */
export function reachOf(camera: Camera, cell: number): number {
	return cell * Math.min(Math.max(REACH * camera.distance / cell, MIN_REACH), MAX_REACH);
}

/** How much of the next larger squares is seen, 0 to 1: they come in before the smaller ones go. */
export function blendOf(camera: Camera, cell: number): number {
	const t = Math.min(Math.max((camera.distance / (cell * FAR_CELLS) - 0.6) / 0.4, 0), 1);
	return cell < 100 ? t * t * (3 - 2 * t) : 0;
}
