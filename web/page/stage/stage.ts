// The stage: a canvas on which viewer and driver show their scenes. WebGL where there is one (gl_stage.ts), otherwise the
// painter of film strips (canvas_stage.ts), which is slower.
import type { Camera } from "./camera.js";
import type { Scene } from "./scene.js";

export interface Stage {
	readonly kind: "webgl" | "canvas";
	draw(scene: Scene, camera: Camera): void;
	/** Read the colours of the page anew: light or dark. */
	readColors(): void;
	/** Fit the canvas to its box. */
	resize(): void;
}
