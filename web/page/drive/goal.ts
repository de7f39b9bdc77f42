// Go there: steers to a place on the floor and stops on it.
import type { Wish } from "./wish.js";

/** How a character moves, as far as a goal needs to know. */
export interface Mover {
	x: number;
	z: number;
	heading: number;
	/** m/s now. */
	speed: number;
	/** Metres that a stop takes, and of the smallest circle that it can walk. */
	stop: number;
	radius: number;
}

/** Come this near: a step. */
const NEAR = 0.3;
/** From here on nobody runs, metres. */
const WALK_FROM = 3;

export class Goal {
	isSet = false;
	x = 0;
	z = 0;
	/** It came within its stop of the goal, and stands. */
	private isStopping = false;

	set(x: number, z: number): void {
		this.isSet = true;
		this.isStopping = false;
		this.x = x;
		this.z = z;
	}

	clear(): void {
		this.isSet = false;
	}

	read(wish: Wish, mover: Mover): void {
		if (!this.isSet) return;
		const dx = this.x - mover.x, dz = this.z - mover.z, distance = Math.hypot(dx, dz);
		if (this.isStopping || distance < Math.max(mover.stop, NEAR)) {
			this.isStopping = true;
			if (mover.speed < 0.15) this.clear();
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

	private isInsideTurn(dx: number, dz: number, mover: Mover): boolean {
		if (mover.speed < 0.3) return false;
		// To the left of who faces +z is +x.
		const left = dx * Math.cos(mover.heading) - dz * Math.sin(mover.heading), ahead = dx * Math.sin(mover.heading) + dz * Math.cos(mover.heading);
		return Math.hypot(Math.abs(left) - mover.radius, ahead) < 0.9 * mover.radius;
	}
}
