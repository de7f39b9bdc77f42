// Filling a scene anew for each frame with the items that it has already: only a larger scene than ever before makes new ones.
import type { Body, Line, Mark, Paint, Scene } from "./scene.js";

export function makeScene(): Scene {
	return { floor: 0, bodies: [], bodyCount: 0, lines: [], lineCount: 0, marks: [], markCount: 0 };
}

export function clearScene(scene: Scene, floor: number): void {
	scene.floor = floor;
	scene.bodyCount = scene.lineCount = scene.markCount = 0;
}

/** A body more; its figure and points are the caller's. */
export function addBody(scene: Scene, figure: Body["figure"], points: Float32Array): Body {
	const body = scene.bodies[scene.bodyCount] ??= { figure, points, opacity: 1, paint: null, name: "" };
	++scene.bodyCount;
	body.figure = figure;
	body.points = points;
	body.opacity = 1;
	body.paint = null;
	body.name = "";
	return body;
}

/** A line more, without points yet. */
export function addLine(scene: Scene, paint: Paint, opacity: number, width: number): Line {
	const line = scene.lines[scene.lineCount] ??= { points: new Float32Array(96), count: 0, paint, opacity, width, dashed: false };
	++scene.lineCount;
	line.count = 0;
	line.paint = paint;
	line.opacity = opacity;
	line.width = width;
	line.dashed = false;
	return line;
}

export function addPoint(line: Line, x: number, y: number, z: number): void {
	const at = 3 * line.count++;
	if (at + 3 > line.points.length) {
		const longer = new Float32Array(2 * line.points.length);
		longer.set(line.points);
		line.points = longer;
	}
	line.points[at] = x;
	line.points[at + 1] = y;
	line.points[at + 2] = z;
}

/** A disc more, or with a width a ring. */
export function addMark(scene: Scene, x: number, y: number, z: number, radius: number, paint: Paint, opacity: number, width = 0): Mark {
	const mark = scene.marks[scene.markCount] ??= { x, y, z, radius, paint, opacity, isRing: false };
	++scene.markCount;
	mark.x = x;
	mark.y = y;
	mark.z = z;
	mark.radius = radius;
	mark.paint = paint;
	mark.opacity = opacity;
	mark.isRing = width > 0;
	mark.width = width;
	return mark;
}
