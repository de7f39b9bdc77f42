// The camera that follows the driven character.
import { lengthOf } from "../length.js";
import type { Camera } from "../stage/camera.js";
import { wrap } from "./tape.js";

/** How soon it is where it should be, seconds. */
const LAG = 0.12, TURN_LAG = 0.9;

export class Chase {
	/** Whether it turns behind the character. */
	turns = false;
	private readonly place = [0, 0];

	constructor(private readonly camera: Camera) {
	}

	reset(x: number, z: number, heading: number, stature: number): void {
		const camera = this.camera;
		camera.yaw = heading + Math.PI - 0.6;
		camera.pitch = 0.24;
		camera.distance = 2.9 * stature;
		camera.pan.fill(0);
		camera.target[1] = 0.5 * stature;
		this.place[0] = camera.target[0] = x;
		this.place[1] = camera.target[2] = z;
	}

	/** Go after somebody for some seconds; all at once where he is far away (scrubbing). */
	follow(x: number, z: number, heading: number, speed: number, seconds: number): void {
		const camera = this.camera, place = this.place, isFar = lengthOf(x - place[0], z - place[1]) > 1;
		const share = isFar ? 1 : 1 - Math.exp(-seconds / LAG);
		place[0] += share * (x - place[0]);
		place[1] += share * (z - place[1]);
		camera.target[0] = place[0];
		camera.target[2] = place[1];
		const behind = wrap(heading + Math.PI - camera.yaw);
		// Who comes towards the camera is looked in the face.
		if (this.turns && speed > 0.3 && Math.abs(behind) < 2.3) camera.yaw += behind * (1 - Math.exp(-seconds / TURN_LAG));
	}
}
