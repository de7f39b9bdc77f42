// Names above heads: text on a canvas of its own over the stage's, made when there is the first name.
import { project, view, type Camera, type Eye } from "./camera.js";
import type { Palette } from "./colors.js";
import type { Body, Scene } from "./scene.js";

// Where a name is, in statures above the floor; and how far above a head that is higher.
const NAME_HEIGHT = 1.12, NAME_GAP = 0.12;

const point = new Float64Array(3);

function findTop(body: Body, floor: number): number {
	const { figure, points } = body;
	const head = figure.head ? points[3 * figure.head[1] + 1] + NAME_GAP * figure.stature : floor;
	return Math.max(floor + NAME_HEIGHT * figure.stature, head);
}

/** Write the names of a scene's bodies with a pen of CSS pixels. */
export function writeNames(pen: CanvasRenderingContext2D, scene: Scene, eye: Eye, near: number, palette: Palette): void {
	pen.font = "600 13px system-ui, sans-serif";
	pen.textAlign = "center";
	pen.fillStyle = palette.css("quiet");
	for (let i = 0; i < scene.bodyCount; ++i) {
		const body = scene.bodies[i];
		if (!body.name) continue;
		view(eye, body.points[0], findTop(body, scene.floor), body.points[2], point);
		if (point[2] < near) continue;
		project(eye, point, point);
		pen.globalAlpha = Math.min(body.opacity, 1);
		pen.fillText(body.name, point[0], point[1]);
	}
	pen.globalAlpha = 1;
}

export class NameLayer {
	private pen: CanvasRenderingContext2D | null = null;
	private isBlank = true;

	/** Over that canvas, whose parent is the box of both. */
	constructor(private readonly below: HTMLCanvasElement) {}

	private make(): CanvasRenderingContext2D | null {
		const canvas = document.createElement("canvas");
		canvas.setAttribute("aria-hidden", "true");
		canvas.style.cssText = "position:absolute;inset:0;width:100%;height:100%;pointer-events:none";
		this.below.after(canvas);
		return canvas.getContext("2d");
	}

	draw(scene: Scene, camera: Camera, eye: Eye, near: number, palette: Palette): void {
		let some = false;
		for (let i = 0; i < scene.bodyCount; ++i) some ||= scene.bodies[i].name !== "";
		if (!some && this.isBlank) return;
		const pen = this.pen ??= this.make(), { below } = this;
		if (!pen) return;
		if (pen.canvas.width !== below.width) pen.canvas.width = below.width;
		if (pen.canvas.height !== below.height) pen.canvas.height = below.height;
		pen.setTransform(below.width / camera.width, 0, 0, below.height / camera.height, 0, 0);
		pen.clearRect(0, 0, camera.width, camera.height);
		this.isBlank = !some;
		if (some) writeNames(pen, scene, eye, near, palette);
	}
}
