// Everything at the controls: keys, gamepad, touch stick and goal become one wish a tick.
import { Gamepads, Keyboard, TouchStick } from "./devices.js";
import { Goal, type Mover } from "./goal.js";
import { clearWish, isActive, makeWish, type Scheme, type Wish } from "./wish.js";

export class Controls {
	readonly keyboard = new Keyboard();
	readonly pads = new Gamepads();
	readonly goal = new Goal();
	scheme: Scheme = "camera";
	/** The button beside the touch stick. */
	runs = false;
	private readonly stick: TouchStick;
	private readonly wish = makeWish();

	constructor(ring: HTMLElement, knob: HTMLElement) {
		this.stick = new TouchStick(ring, knob);
	}

	/** What is wanted now. Whoever steers by hand gives up the goal. */
	read(yaw: number, mover: Mover): Wish {
		const wish = this.wish;
		clearWish(wish);
		this.keyboard.read(wish, yaw, this.scheme);
		this.pads.read(wish, yaw, this.scheme);
		this.stick.read(wish, yaw, this.scheme);
		wish.run ||= this.runs;
		if (isActive(wish) || wish.stand) this.goal.clear();
		this.goal.read(wish, mover);
		return wish;
	}

	release(): void {
		this.keyboard.release();
		this.stick.release();
	}
}
