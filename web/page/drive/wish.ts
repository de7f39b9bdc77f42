// What somebody at the controls wants in a tick, before it becomes what a model understands. Devices write into one wish.
import { lengthOf } from "../length.js";

export interface Wish {
	/** Where to go in the world, x and z, at most 1 long; and whether its length means a speed (a stick does, a key does not). */
	x: number;
	z: number;
	isAnalog: boolean;
	/** Without a direction: ahead, 0 to 1, and to the left, -1 to 1. */
	ahead: number;
	turn: number;
	run: boolean;
	/** Stand, whatever else is said. */
	stand: boolean;
}

export function makeWish(): Wish {
	return { x: 0, z: 0, isAnalog: false, ahead: 0, turn: 0, run: false, stand: false };
}

export function clearWish(wish: Wish): void {
	wish.x = wish.z = wish.ahead = wish.turn = 0;
	wish.isAnalog = wish.run = wish.stand = false;
}

/** Somebody says something: a direction or a turn. */
export function isActive(wish: Wish): boolean {
	return lengthOf(wish.x, wish.z) > 0.1 || Math.abs(wish.ahead) > 0.1 || Math.abs(wish.turn) > 0.1;
}

/** Set the direction from the right and ahead of a camera at a yaw. */
export function setByCamera(wish: Wish, right: number, ahead: number, yaw: number): void {
	const c = Math.cos(yaw), s = Math.sin(yaw), long = Math.max(lengthOf(right, ahead), 1);
	wish.x = (right * c - ahead * s) / long;
	wish.z = (-right * s - ahead * c) / long;
}

/** How directions are meant: as seen by the camera, or as turns of the character. */
export type Scheme = "camera" | "turn";
