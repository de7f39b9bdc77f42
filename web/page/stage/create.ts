// Which stage a canvas gets.
import { makeCanvasStage } from "./canvas_stage.js";
import { makeGlStage } from "./gl_stage.js";
import type { Stage } from "./stage.js";

/** The stage of a canvas that nothing was drawn on: WebGL where there is one, or the painter's. */
export function createStage(canvas: HTMLCanvasElement, preferred: "webgl" | "canvas" = "webgl"): Stage {
	return (preferred === "webgl" ? makeGlStage(canvas) : null) ?? makeCanvasStage(canvas);
}
