// What the page can do with its stage: view clips, or drive a model. One mode is on at a time; page.ts runs the clock and
// hands it what the user does.
import type { Camera } from "./stage/camera.js";
import type { Scene } from "./stage/scene.js";

export interface Mode {
	/** What it shows. */
	readonly scene: Scene;

	/** It takes the stage, its controls are shown; and it gives it back. */
	enter(): void;
	leave(): void;

	/** Time goes on by some seconds (0 to 0.1). Whether there is something new to draw. */
	advance(seconds: number): boolean;

	/** A key went down or up. Whether it meant something, so that the page does not scroll. */
	onKey(event: KeyboardEvent, isDown: boolean): boolean;

	/** The floor was clicked or tapped, without a drag. */
	onFloorClick(x: number, z: number): void;

	/** Look at what it shows from where one sees it best. */
	resetView(): void;

	/** The stage has another size, or other colours. */
	onResize(): void;
}

/** What the page gives to its modes. */
export interface Host {
	readonly camera: Camera;
	/** Draw again, though no time went on. */
	touch(): void;
	/** Let another mode take the stage. */
	choose(mode: Mode): void;
}
