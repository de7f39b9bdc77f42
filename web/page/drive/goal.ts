// Go there: steers to a place on the floor and stops on it.
import { lengthOf } from "../length.js";
import type { Wish } from "./wish.js";

/** How a character moves, as far as a goal needs to know. */
export interface Mover {
	x: number;
	z: number;
	heading: number;
	/** m/s now. */
	speed: number;
	/** Metres of the smallest circle that it can walk. */
	radius: number;
	/** Where it would come to rest if it stopped now; false where it cannot say. */
	findRest(out: { x: number; z: number }): boolean;
}

/** From here on nobody runs, and stops are thought of, metres. */
const WALK_FROM = 3;
/** Who cannot say where he would rest stops this near. */
const NEAR = 0.5;
/** Near enough to a rest; and ticks from one look at it to the next. */
const CLOSE = 0.1;
const LOOK_EVERY = 4;

export class Goal {
	isSet = false;
	x = 0;
	z = 0;
	private isStopping = false;
	/** How far from the goal a stop would have ended, when it was looked at last. */
	private lastMiss = Infinity;
	private ticks = 0;
	private readonly rest = { x: 0, z: 0 };

	set(x: number, z: number): void {
		this.isSet = true;
		this.isStopping = false;
		this.lastMiss = Infinity;
		this.x = x;
		this.z = z;
	}

	clear(): void {
		this.isSet = false;
	}

	read(wish: Wish, mover: Mover): void {
		if (!this.isSet) return;
		const dx = this.x - mover.x, dz = this.z - mover.z, distance = lengthOf(dx, dz);
		this.isStopping ||= distance < WALK_FROM && this.isTimeToStop(distance, mover);
		if (this.isStopping) {
			if (mover.speed < 0.1) this.clear();
			return;
		}
		if (distance < WALK_FROM) wish.run = false;
		// Who is inside the circle that somebody turns on is never met by turning: straight on, until he is outside.
		if (this.isInsideTurn(dx, dz, mover)) {
			wish.x = Math.sin(mover.heading);
			wish.z = Math.cos(mover.heading);
		} else {
			wish.x = dx / distance;
			wish.z = dz / distance;
		}
	}

	// A stop ends where it ends: now, if that is there, or if it was nearer before.
	private isTimeToStop(distance: number, mover: Mover): boolean {
		if (++this.ticks % LOOK_EVERY !== 0) return false;
		if (!mover.findRest(this.rest)) return distance < NEAR;
		const miss = lengthOf(this.x - this.rest.x, this.z - this.rest.z), isWorse = miss > this.lastMiss && this.lastMiss < NEAR;
		this.lastMiss = miss;
		return miss < CLOSE || isWorse;
	}

	private isInsideTurn(dx: number, dz: number, mover: Mover): boolean {
		if (mover.speed < 0.3) return false;
		// To the left of who faces +z is +x.
		const left = dx * Math.cos(mover.heading) - dz * Math.sin(mover.heading), ahead = dx * Math.sin(mover.heading) + dz * Math.cos(mover.heading);
		return lengthOf(Math.abs(left) - mover.radius, ahead) < 0.9 * mover.radius;
	}
}
