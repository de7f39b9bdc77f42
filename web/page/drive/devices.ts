// Keyboard, gamepad and touch stick: each adds to a wish what it says.
import { lengthOf } from "../length.js";
import { setByCamera, type Scheme, type Wish } from "./wish.js";

const KEYS: Record<string, readonly [number, number]> = {
	ArrowUp: [0, 1], KeyW: [0, 1], ArrowDown: [0, -1], KeyS: [0, -1],
	ArrowLeft: [-1, 0], KeyA: [-1, 0], ArrowRight: [1, 0], KeyD: [1, 0],
};

function steer(wish: Wish, right: number, ahead: number, yaw: number, scheme: Scheme): void {
	if (scheme === "camera") setByCamera(wish, right, ahead, yaw);
	else {
		wish.turn = -right;
		wish.ahead = Math.max(ahead, 0);
	}
}

export class Keyboard {
	private readonly down = new Set<string>();
	/** What keys of directions that are down say together. */
	private right = 0;
	private ahead = 0;

	/** Whether the key means something to who drives. */
	onKey(code: string, isDown: boolean): boolean {
		if (!(code in KEYS) && code !== "Space" && !code.startsWith("Shift")) return false;
		if (isDown) this.down.add(code); else this.down.delete(code);
		this.addUp();
		return true;
	}

	release(): void {
		this.down.clear();
		this.addUp();
	}

	private addUp(): void {
		this.right = this.ahead = 0;
		for (const code of this.down) {
			this.right += KEYS[code]?.[0] ?? 0;
			this.ahead += KEYS[code]?.[1] ?? 0;
		}
	}

	read(wish: Wish, yaw: number, scheme: Scheme): void {
		const right = Math.sign(this.right), ahead = Math.sign(this.ahead);
		if (right !== 0 || ahead !== 0) steer(wish, right, ahead, yaw, scheme);
		wish.run ||= this.down.has("ShiftLeft") || this.down.has("ShiftRight");
		wish.stand ||= this.down.has("Space");
	}
}

/** What a stick says below this is its own trembling. */
const DEAD = 0.15;

export class Gamepads {
	/** What the right stick turns the camera by: right and up, -1 to 1. */
	readonly look = { x: 0, y: 0 };
	private count = 0;

	constructor() {
		addEventListener("gamepadconnected", () => { ++this.count; });
		addEventListener("gamepaddisconnected", () => { this.count = Math.max(this.count - 1, 0); });
	}

	read(wish: Wish, yaw: number, scheme: Scheme): void {
		this.look.x = this.look.y = 0;
		if (this.count === 0) return;
		for (const pad of navigator.getGamepads()) {
			if (!pad || pad.axes.length < 2) continue;
			const [x, y] = pad.axes;
			if (lengthOf(x, y) > DEAD) {
				steer(wish, x, -y, yaw, scheme);
				wish.isAnalog = scheme === "camera";
			}
			if (pad.axes.length >= 4 && lengthOf(pad.axes[2], pad.axes[3]) > DEAD) {
				this.look.x = pad.axes[2];
				this.look.y = pad.axes[3];
			}
			const isDown = (k: number) => pad.buttons[k]?.pressed ?? false;
			// The south button or the right trigger; the east button.
			wish.run ||= isDown(0) || isDown(7);
			wish.stand ||= isDown(1);
		}
	}
}

/** A stick on the screen: a ring with a knob that a finger pulls. */
export class TouchStick {
	private x = 0;
	private y = 0;
	private pointer = -1;

	constructor(private readonly ring: HTMLElement, private readonly knob: HTMLElement) {
		ring.addEventListener("pointerdown", event => {
			this.pointer = event.pointerId;
			ring.setPointerCapture(event.pointerId);
			this.pull(event);
		});
		ring.addEventListener("pointermove", event => { if (event.pointerId === this.pointer) this.pull(event); });
		for (const type of ["pointerup", "pointercancel"] as const)
			ring.addEventListener(type, event => { if (event.pointerId === this.pointer) this.release(); });
	}

	release(): void {
		this.pointer = -1;
		this.x = this.y = 0;
		this.knob.style.transform = "";
	}

	read(wish: Wish, yaw: number, scheme: Scheme): void {
		if (lengthOf(this.x, this.y) < 0.12) return;
		steer(wish, this.x, this.y, yaw, scheme);
		wish.isAnalog = scheme === "camera";
	}

	private pull(event: PointerEvent): void {
		const box = this.ring.getBoundingClientRect(), radius = box.width / 2;
		const dx = (event.clientX - box.left - radius) / radius, dy = (event.clientY - box.top - radius) / radius, long = Math.max(lengthOf(dx, dy), 1);
		this.x = dx / long;
		this.y = -dy / long;
		this.knob.style.transform = `translate(${(this.x * radius * 0.6).toFixed(1)}px, ${(-this.y * radius * 0.6).toFixed(1)}px)`;
	}
}
