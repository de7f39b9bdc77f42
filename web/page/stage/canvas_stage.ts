// The stage without WebGL: everything painted on a 2D canvas, bodies from the farthest to the nearest.
import { aim, makeEye, NEAR, view, type Camera } from "./camera.js";
import { Palette } from "./colors.js";
import { cellOf } from "./grid.js";
import { writeNames } from "./names.js";
import { paintBody, paintShadow, type Easel } from "./painter.js";
import { paintGrid, paintLine, paintMark } from "./painter_ground.js";
import type { Body, Scene } from "./scene.js";
import { fitCanvas, type Stage } from "./stage.js";

const point = [0, 0, 0];

class CanvasStage implements Stage {
	readonly kind = "canvas";
	cell = 1;
	private readonly easel: Easel;
	// A ghost is painted on a sheet of its own, and shown as one thing.
	private ghost: Easel | null = null;
	private last: Scene | null = null;

	constructor(private readonly canvas: HTMLCanvasElement, pen: CanvasRenderingContext2D) {
		this.easel = { pen, eye: makeEye(), palette: new Palette() };
	}

	readColors(): void {
		this.easel.palette.read();
	}

	resize(camera: Camera): void {
		if (fitCanvas(this.canvas, camera) && this.last) this.draw(this.last, camera);
	}

	draw(scene: Scene, camera: Camera): void {
		const { easel, canvas } = this, { pen, eye } = easel;
		this.last = scene;
		this.cell = cellOf(camera);
		aim(camera, eye);
		pen.setTransform(canvas.width / camera.width, 0, 0, canvas.height / camera.height, 0, 0);
		pen.clearRect(0, 0, camera.width, camera.height);
		paintGrid(easel, camera, this.cell, scene.floor);
		for (let i = 0; i < scene.lineCount; ++i) paintLine(easel, scene.lines[i]);
		for (let i = 0; i < scene.bodyCount; ++i) paintShadow(easel, scene.bodies[i], scene.floor);
		for (let i = 0; i < scene.markCount; ++i) paintMark(easel, scene.marks[i]);
		for (const body of this.orderBodies(scene))
			if (body.opacity < 1) this.paintGhost(body); else paintBody(easel, body);
		writeNames(pen, scene, eye, NEAR, easel.palette);
	}

	private orderBodies(scene: Scene): Body[] {
		const depth = (body: Body) => {
			view(this.easel.eye, body.points[0], 0, body.points[2], point);
			return point[2];
		};
		return scene.bodies.slice(0, scene.bodyCount).sort((a, b) => depth(b) - depth(a));
	}

	private paintGhost(body: Body): void {
		const { easel, canvas } = this, sheet = this.ghost?.pen.canvas ?? document.createElement("canvas");
		this.ghost ??= { ...easel, pen: sheet.getContext("2d")! };
		const { pen } = this.ghost;
		sheet.width = canvas.width;
		sheet.height = canvas.height;
		pen.setTransform(easel.pen.getTransform());
		paintBody(this.ghost, body);
		easel.pen.save();
		easel.pen.setTransform(1, 0, 0, 1, 0, 0);
		easel.pen.globalAlpha = body.opacity;
		easel.pen.drawImage(sheet, 0, 0);
		easel.pen.restore();
	}
}

export function makeCanvasStage(canvas: HTMLCanvasElement): Stage {
	return new CanvasStage(canvas, canvas.getContext("2d")!);
}
