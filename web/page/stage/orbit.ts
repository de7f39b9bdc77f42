// What pointers on a canvas do to its camera: drag to turn, shift-drag, two fingers or another button to move, wheel or
// pinch to zoom; and clicks, which are the caller's.
import type { Camera } from "./camera.js";

export interface OrbitListener {
	/** The camera changed. */
	onChange(): void;
	/** A click or tap without a drag, in CSS pixels of the canvas. */
	onClick?(x: number, y: number): void;
	/** A double click: usually, look at all of it again. */
	onDoubleClick?(): void;
}

export function listenToPointers(_canvas: HTMLCanvasElement, _camera: Camera, _listener: OrbitListener): void {
}

export function zoom(_camera: Camera, _factor: number): void {
}
