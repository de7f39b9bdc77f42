// What pointers on a canvas do to its camera: drag to turn, shift-drag, two fingers or another button to move, wheel or
// pinch to zoom; and clicks, which are the caller's.
import { aim, makeEye, type Camera } from "./camera.js";

export interface OrbitListener {
	/** The camera changed. */
	onChange(): void;
	/** A click or tap without a drag, in CSS pixels of the canvas. */
	onClick?(x: number, y: number): void;
	/** A double click: usually, look at all of it again. */
	onDoubleClick?(): void;
}

// A press that moves less, and is shorter, is a click: pixels, milliseconds.
const CLICK_WAY = 5, CLICK_TIME = 400;

// Radians that a pixel turns.
const TURN = 0.0075;

const MIN_PITCH = -0.12, MAX_PITCH = 1.5;
const MIN_DISTANCE = 0.4, MAX_DISTANCE = 400;

// How much a wheel's pixel zooms, and the most pixels of one event that count; some wheels count lines or pages.
const WHEEL = 0.0016, MAX_WHEEL = 200, WHEEL_UNITS = [1, 33, 400];

const clamp = (x: number, low: number, high: number) => Math.min(Math.max(x, low), high);

/** Change the camera's distance by a factor. */
export function zoom(camera: Camera, factor: number): void {
	camera.distance = clamp(camera.distance * factor, MIN_DISTANCE, MAX_DISTANCE);
}

function turn(camera: Camera, dx: number, dy: number): void {
	camera.yaw -= TURN * dx;
	camera.pitch = clamp(camera.pitch + TURN * dy, MIN_PITCH, MAX_PITCH);
}

const eye = makeEye();

function move(camera: Camera, dx: number, dy: number): void {
	aim(camera, eye);
	const s = camera.distance / eye.focal;
	for (let k = 0; k < 3; ++k) camera.pan[k] += s * (dy * eye.up[k] - dx * eye.right[k]);
}

interface Finger {
	x: number;
	y: number;
}

class Orbit {
	private readonly fingers = new Map<number, Finger>();
	/** Where and when a press began that may become a click. */
	private press: { x: number; y: number; time: number } | null = null;

	constructor(private readonly canvas: HTMLCanvasElement, private readonly camera: Camera, private readonly listener: OrbitListener) {
		canvas.addEventListener("pointerdown", event => this.onDown(event));
		canvas.addEventListener("pointermove", event => this.onMove(event));
		canvas.addEventListener("pointerup", event => this.onUp(event));
		canvas.addEventListener("pointercancel", event => this.onUp(event));
		canvas.addEventListener("wheel", event => this.onWheel(event), { passive: false });
		canvas.addEventListener("contextmenu", event => event.preventDefault());
		canvas.addEventListener("dblclick", () => listener.onDoubleClick?.());
	}

	private onDown(event: PointerEvent): void {
		this.canvas.setPointerCapture(event.pointerId);
		this.fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
		this.canvas.classList.add("turning");
		const isPlain = this.fingers.size === 1 && event.button === 0 && !event.shiftKey;
		this.press = isPlain ? { x: event.clientX, y: event.clientY, time: event.timeStamp } : null;
	}

	private onMove(event: PointerEvent): void {
		const finger = this.fingers.get(event.pointerId);
		if (!finger || this.waitsForClick(event)) return;
		const dx = event.clientX - finger.x, dy = event.clientY - finger.y;
		if (dx === 0 && dy === 0) return;
		if (this.fingers.size === 2) this.pinch(event, finger, dx, dy);
		else if (event.shiftKey || event.buttons & 6) move(this.camera, dx, dy);
		else turn(this.camera, dx, dy);
		finger.x = event.clientX;
		finger.y = event.clientY;
		this.listener.onChange();
	}

	// A hand that clicks trembles: nothing turns before it is a drag.
	private waitsForClick(event: PointerEvent): boolean {
		if (this.press && Math.hypot(event.clientX - this.press.x, event.clientY - this.press.y) >= CLICK_WAY) this.press = null;
		return this.press !== null;
	}

	private pinch(event: PointerEvent, finger: Finger, dx: number, dy: number): void {
		for (const [id, other] of this.fingers) {
			if (id === event.pointerId) continue;
			const was = Math.hypot(finger.x - other.x, finger.y - other.y), is = Math.hypot(event.clientX - other.x, event.clientY - other.y);
			if (was > 10 && is > 10) zoom(this.camera, was / is);
		}
		move(this.camera, dx / 2, dy / 2);
	}

	private onUp(event: PointerEvent): void {
		if (!this.fingers.delete(event.pointerId)) return;
		if (!this.fingers.size) this.canvas.classList.remove("turning");
		const { press } = this;
		this.press = null;
		if (!press || event.type !== "pointerup" || event.timeStamp - press.time > CLICK_TIME) return;
		const box = this.canvas.getBoundingClientRect();
		this.listener.onClick?.(event.clientX - box.left, event.clientY - box.top);
	}

	private onWheel(event: WheelEvent): void {
		event.preventDefault();
		const pixels = event.deltaY * WHEEL_UNITS[event.deltaMode];
		zoom(this.camera, Math.exp(WHEEL * clamp(pixels, -MAX_WHEEL, MAX_WHEEL)));
		this.listener.onChange();
	}
}

export function listenToPointers(canvas: HTMLCanvasElement, camera: Camera, listener: OrbitListener): void {
	new Orbit(canvas, camera, listener);
}
