// The stage: a canvas on which viewer and driver show their scenes. WebGL where there is one (gl_stage.ts), otherwise the
// painter of film strips (canvas_stage.ts), which is slower.
import type { Camera } from "./camera.js";
import type { Scene } from "./scene.js";

export interface Stage {
	readonly kind: "webgl" | "canvas";
	/** Makes no garbage with WebGL. */
	draw(scene: Scene, camera: Camera): void;
	/** Read the colours of the page anew: light or dark. */
	readColors(): void;
	/** Fit the canvas, and the camera's width and height, to its box; what was drawn last is drawn again. */
	resize(camera: Camera): void;
	/** Metres of the squares of the floor that were drawn last: 1, 10 or 100. */
	readonly cell: number;
}

// More pixels than that are not seen, and cost.
const MAX_RATIO = 2;

/** Device pixels of a CSS pixel that are drawn. */
export function getPixelRatio(): number {
	return Math.min(devicePixelRatio || 1, MAX_RATIO);
}

/** Make a canvas, and its camera, as large as its box. Whether the canvas was of another size: it is blank then. */
export function fitCanvas(canvas: HTMLCanvasElement, camera: Camera): boolean {
	const box = canvas.getBoundingClientRect(), ratio = getPixelRatio();
	camera.width = Math.max(box.width, 1);
	camera.height = Math.max(box.height, 1);
	const width = Math.round(camera.width * ratio), height = Math.round(camera.height * ratio);
	if (canvas.width === width && canvas.height === height) return false;
	canvas.width = width;
	canvas.height = height;
	return true;
}
