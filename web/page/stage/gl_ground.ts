// What lies on the floor: its squares, lines and marks. All of it is drawn before the bodies, in order, and without depth.
import { lengthOf3 } from "../length.js";
import type { Camera } from "./camera.js";
import type { Palette } from "./colors.js";
import { writeColor } from "./gl_bodies.js";
import { GRID_FRAGMENT, GRID_VERTEX, LINE_FRAGMENT, LINE_VERTEX, MARK_FRAGMENT, MARK_VERTEX } from "./gl_shaders.js";
import { bindColor, bindFloats, makeBuffer, makePill, makeProgram, setColor, setNumber, setVector, Stream, type Program } from "./gl_tools.js";
import { blendOf, reachOf } from "./grid.js";
import type { Line, Scene } from "./scene.js";

// Steps of a line's round end, and of a mark's circle.
const CAP_STEPS = 5, CIRCLE_STEPS = 40;

// About how many pixels it is from dash to dash at the middle of the view.
const DASH = 16;

// Stencil numbers have eight bits; the last is for shadows.
const LAST_STENCIL = 255;

export class GridLayer {
	private readonly program: Program;
	private readonly array: WebGLVertexArrayObject;

	constructor(private readonly gl: WebGL2RenderingContext) {
		this.program = makeProgram(gl, GRID_VERTEX, GRID_FRAGMENT, ["centre", "reach", "paint", "pixel"]);
		this.array = gl.createVertexArray()!;
		gl.bindVertexArray(this.array);
		makeBuffer(gl, gl.ARRAY_BUFFER, new Float32Array([-1, -1, 1, -1, -1, 1, 1, 1]));
		bindFloats(gl, 0, 2, 0, 0, 0);
		gl.bindVertexArray(null);
	}

	draw(camera: Camera, palette: Palette, cell: number, pixel: number): void {
		const { gl } = this, { at } = this.program;
		const x = camera.target[0] + camera.pan[0], z = camera.target[2] + camera.pan[2];
		// Counted from a crossing nearby, so that numbers stay small.
		const cx = 10 * cell * Math.round(x / (10 * cell)), cz = 10 * cell * Math.round(z / (10 * cell));
		gl.useProgram(this.program.program);
		setVector(gl, at.centre, cx, cz, x - cx, z - cz);
		setVector(gl, at.reach, reachOf(camera, cell), reachOf(camera, 10 * cell), cell, blendOf(camera, cell));
		setColor(gl, at.paint, palette.get("grid"), 1);
		setNumber(gl, at.pixel, pixel);
		gl.bindVertexArray(this.array);
		gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
	}
}

export class LineLayer {
	private readonly program: Program;
	private readonly array: WebGLVertexArrayObject;
	private readonly stream: Stream;

	constructor(private readonly gl: WebGL2RenderingContext) {
		this.program = makeProgram(gl, LINE_VERTEX, LINE_FRAGMENT, ["paint", "radius", "dash"]);
		this.stream = new Stream(gl);
		this.array = gl.createVertexArray()!;
		gl.bindVertexArray(this.array);
		makeBuffer(gl, gl.ARRAY_BUFFER, makePill(CAP_STEPS));
		bindFloats(gl, 0, 3, 0, 0, 0);
		gl.bindVertexArray(null);
	}

	private fill(scene: Scene): void {
		let count = 0;
		for (let i = 0; i < scene.lineCount; ++i) count += scene.lines[i].count;
		this.stream.reserve(4 * count);
		let at = 0;
		for (let i = 0; i < scene.lineCount; ++i) {
			writeLine(scene.lines[i], this.stream.floats, at);
			at += 4 * scene.lines[i].count;
		}
		this.stream.upload(at);
	}

	/** Lines one over the other. Each has a stencil number of its own, from `stencil` on, so that it covers a pixel once; the
	    next number that is free is returned. */
	draw(scene: Scene, palette: Palette, metresPerPixel: number, stencil: number): number {
		if (!scene.lineCount) return stencil;
		const { gl } = this;
		gl.bindVertexArray(this.array);
		this.fill(scene);
		gl.useProgram(this.program.program);
		// Dashes are as long on the floor from all near by.
		const dash = 2 ** Math.round(Math.log2(DASH * metresPerPixel));
		for (let i = 0, at = 0; i < scene.lineCount; ++i) {
			const line = scene.lines[i];
			if (stencil === LAST_STENCIL) {
				gl.clear(gl.STENCIL_BUFFER_BIT);
				stencil = 1;
			}
			if (line.count > 1) this.drawLine(line, palette, at, dash, stencil++);
			at += line.count;
		}
		return stencil;
	}

	private drawLine(line: Line, palette: Palette, first: number, dash: number, stencil: number): void {
		const { gl } = this, { at } = this.program;
		gl.stencilFunc(gl.GREATER, stencil, 255);
		setColor(gl, at.paint, palette.get(line.paint), line.opacity);
		setNumber(gl, at.radius, line.width / 2);
		setNumber(gl, at.dash, line.dashed ? dash : 0);
		bindFloats(gl, 1, 4, 16, 16 * first, 1);
		bindFloats(gl, 2, 4, 16, 16 * first + 16, 1);
		gl.drawArraysInstanced(gl.TRIANGLE_FAN, 0, 2 * (CAP_STEPS + 1), line.count - 1);
	}
}

// Points, and how far along the line each is.
function writeLine(line: Line, out: Float32Array, at: number): void {
	const p = line.points;
	let along = 0;
	for (let k = 0; k < 3 * line.count; k += 3, at += 4) {
		if (line.dashed && k) along += lengthOf3(p[k] - p[k - 3], p[k + 1] - p[k - 2], p[k + 2] - p[k - 1]);
		out[at] = p[k];
		out[at + 1] = p[k + 1];
		out[at + 2] = p[k + 2];
		out[at + 3] = along;
	}
}

// An instance: place and radius, colour, width.
const MARK = 6;

export class MarkLayer {
	private readonly program: Program;
	private readonly array: WebGLVertexArrayObject;
	private readonly stream: Stream;

	constructor(private readonly gl: WebGL2RenderingContext) {
		const circle = new Float32Array(6 * (CIRCLE_STEPS + 1));
		for (let k = 0; k < 2 * (CIRCLE_STEPS + 1); ++k) {
			const turn = 2 * Math.PI * (k >> 1) / CIRCLE_STEPS;
			circle.set([Math.cos(turn), Math.sin(turn), k & 1], 3 * k);
		}
		this.program = makeProgram(gl, MARK_VERTEX, MARK_FRAGMENT, []);
		this.stream = new Stream(gl);
		this.array = gl.createVertexArray()!;
		gl.bindVertexArray(this.array);
		makeBuffer(gl, gl.ARRAY_BUFFER, circle);
		bindFloats(gl, 0, 3, 0, 0, 0);
		gl.bindBuffer(gl.ARRAY_BUFFER, this.stream.buffer);
		bindFloats(gl, 1, 4, 4 * MARK, 0, 1);
		bindColor(gl, 2, 4 * MARK, 16);
		bindFloats(gl, 3, 1, 4 * MARK, 20, 1);
		gl.bindVertexArray(null);
	}

	draw(scene: Scene, palette: Palette): void {
		if (!scene.markCount) return;
		const { gl, stream } = this;
		stream.reserve(MARK * scene.markCount);
		for (let i = 0; i < scene.markCount; ++i) {
			const mark = scene.marks[i], at = MARK * i;
			stream.floats[at] = mark.x;
			stream.floats[at + 1] = mark.y;
			stream.floats[at + 2] = mark.z;
			stream.floats[at + 3] = mark.radius;
			writeColor(palette.get(mark.paint), Math.round(255 * mark.opacity), stream.bytes, 4 * at + 16);
			stream.floats[at + 5] = mark.isRing ? mark.width ?? 2 : 0;
		}
		stream.upload(MARK * scene.markCount);
		gl.useProgram(this.program.program);
		gl.bindVertexArray(this.array);
		gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 2 * (CIRCLE_STEPS + 1), scene.markCount);
	}
}
