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
	/** Where it would come to rest if it stopped in some seconds; false where it cannot say. */
	findRest(seconds: number, out: { x: number; z: number }): boolean;
}

/** From here on nobody runs, and stops are thought of, metres. */
const WALK_FROM = 3;
/** Nobody stops farther from the goal than a step. */
const NEAR = 0.6;
/** Seconds of a step or a little more: who stops a step later rests farther on. And ticks from one look to the next. */
const STEP_SECONDS = 0.6;
const LOOK_EVERY = 4;
/** Ticks of a stop before it may be over. */
const SLOW_TICKS = 60;

export class Goal {
	isSet = false;
	x = 0;
	z = 0;
	private isStopping = false;
	private ticks = 0;
	private stopTicks = 0;
	private readonly rest = { x: 0, z: 0 };

	set(x: number, z: number): void {
		this.isSet = true;
		this.isStopping = false;
		this.stopTicks = 0;
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
			// Who was told to stop as he began to go is slow at first, too.
			if (++this.stopTicks > SLOW_TICKS && mover.speed < 0.1) this.clear();
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

	// Rests are a step apart. Now, if that is near, and nearer than a step later.
	private isTimeToStop(distance: number, mover: Mover): boolean {
		if (++this.ticks % LOOK_EVERY !== 0) return false;
		if (!mover.findRest(0, this.rest)) return distance < NEAR;
		const miss = this.measureMiss();
		return miss < NEAR && miss < this.measureLater(mover);
	}

	private measureMiss(): number {
		return lengthOf(this.x - this.rest.x, this.z - this.rest.z);
	}

	private measureLater(mover: Mover): number {
		mover.findRest(STEP_SECONDS, this.rest);
		return this.measureMiss();
	}

	private isInsideTurn(dx: number, dz: number, mover: Mover): boolean {
		if (mover.speed < 0.3) return false;
		// To the left of who faces +z is +x.
		const left = dx * Math.cos(mover.heading) - dz * Math.sin(mover.heading), ahead = dx * Math.sin(mover.heading) + dz * Math.cos(mover.heading);
		return lengthOf(Math.abs(left) - mover.radius, ahead) < 0.9 * mover.radius;
	}
}
