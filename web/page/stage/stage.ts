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
	/** Fit the canvas, and the camera's width and height, to its box. */
	resize(camera: Camera): void;
	/** Metres of the squares of the floor that were drawn last: 1, 10 or 100. */
	readonly cell: number;
}
