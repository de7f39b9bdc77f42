// Bodies and their shadows: one mesh, drawn as often as all bodies have pieces.
import { Palette, paintOfSide, DARK, EDGE, LIGHT, type Color } from "./colors.js";
import { BODY_FRAGMENT, BODY_VERTEX, SHADOW_FRAGMENT, SHADOW_VERTEX } from "./gl_shaders.js";
import { bindColor, bindFloats, makeBuffer, makePill, makeProgram, Stream, type Program } from "./gl_tools.js";
import { countPieces, PIECE, placePiece, sideOfPiece } from "./pieces.js";
import type { Body, Scene } from "./scene.js";

// An instance: a piece, its colour, and how much farther away it counts as.
const INSTANCE = PIECE + 2, STRIDE = 4 * INSTANCE;

// Where a limb's ball is the trunk's too, the limb is to be seen: nearer by more than what meshes of the two differ by, in radii.
const BEHIND = -0.06;

// Meridians of a piece, steps of each over half a ball: at 40 pixels its outline is 0.5 pixels within the circle at most.
const MERIDIANS = 20, STEPS = 7;

// Steps of half a shadow's round end.
const SHADOW_STEPS = 9;

function makeMesh(): { vertices: Float32Array; indices: Uint16Array } {
	const rings = 2 * (STEPS + 1), vertices = new Float32Array(4 * MERIDIANS * rings), indices = new Uint16Array(6 * MERIDIANS * (rings - 1));
	for (let ring = 0, at = 0; ring < rings; ++ring)
		for (let k = 0; k < MERIDIANS; ++k, at += 4) {
			const turn = 2 * Math.PI * k / MERIDIANS, end = ring > STEPS ? 1 : 0;
			vertices.set([Math.cos(turn), Math.sin(turn), (ring - end * (STEPS + 1)) / STEPS, end], at);
		}
	for (let ring = 0, at = 0; ring < rings - 1; ++ring)
		for (let k = 0; k < MERIDIANS; ++k, at += 6) {
			const a = ring * MERIDIANS + k, b = ring * MERIDIANS + (k + 1) % MERIDIANS, c = a + MERIDIANS, d = b + MERIDIANS;
			indices.set([a, b, c, b, d, c], at);
		}
	return { vertices, indices };
}

/** The pieces of some bodies, ready to be drawn. */
class Pieces {
	count = 0;
	readonly solid: WebGLVertexArrayObject;
	readonly flat: WebGLVertexArrayObject;
	private readonly stream: Stream;

	constructor(private readonly gl: WebGL2RenderingContext, mesh: WebGLBuffer, indices: WebGLBuffer, pill: WebGLBuffer) {
		this.stream = new Stream(gl);
		this.solid = this.bind(mesh, 4);
		gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, indices);
		this.flat = this.bind(pill, 3);
		gl.bindVertexArray(null);
	}

	private bind(shape: WebGLBuffer, size: number): WebGLVertexArrayObject {
		const { gl } = this, array = gl.createVertexArray()!;
		gl.bindVertexArray(array);
		gl.bindBuffer(gl.ARRAY_BUFFER, shape);
		bindFloats(gl, 0, size, 0, 0, 0);
		gl.bindBuffer(gl.ARRAY_BUFFER, this.stream.buffer);
		bindFloats(gl, 1, 4, STRIDE, 0, 1);
		bindFloats(gl, 2, 4, STRIDE, 16, 1);
		bindColor(gl, 3, STRIDE, 4 * PIECE);
		bindFloats(gl, 4, 1, STRIDE, 4 * PIECE + 4, 1);
		return array;
	}

	/** Take the pieces of those bodies that are ghosts, or of those that are not. */
	fill(scene: Scene, palette: Palette, ghosts: boolean): void {
		let room = 0;
		for (let i = 0; i < scene.bodyCount; ++i) room += countPieces(scene.bodies[i].figure);
		this.stream.reserve(room * INSTANCE);
		this.count = 0;
		for (let i = 0; i < scene.bodyCount; ++i) {
			const body = scene.bodies[i];
			if (body.opacity > 0.003 && body.opacity < 0.997 === ghosts) this.add(body, palette);
		}
		if (this.count) this.stream.upload(this.count * INSTANCE);
	}

	private add(body: Body, palette: Palette): void {
		const { floats, words } = this.stream, count = countPieces(body.figure), opacity = Math.round(255 * Math.min(body.opacity, 1));
		for (let piece = 0; piece < count; ++piece) {
			const at = this.count++ * INSTANCE;
			const side = sideOfPiece(body.figure, piece);
			placePiece(body, piece, floats, at);
			words[at + PIECE] = packColor(palette.get(body.paint ?? paintOfSide(side)), opacity);
			floats[at + PIECE + 1] = side ? BEHIND * floats[at + 3] : 0;
		}
	}
}

/** Four bytes as every machine that runs WebGL has them, the lowest first. */
export function packColor(color: Color, opacity: number): number {
	return (color[0] | color[1] << 8 | color[2] << 16 | opacity << 24) >>> 0;
}

export class BodyLayer {
	private readonly solids: Pieces;
	private readonly ghosts: Pieces;
	private readonly body: Program;
	private readonly shadow: Program;
	private readonly indexCount: number;

	constructor(private readonly gl: WebGL2RenderingContext) {
		const { vertices, indices } = makeMesh();
		const mesh = makeBuffer(gl, gl.ARRAY_BUFFER, vertices), pill = makeBuffer(gl, gl.ARRAY_BUFFER, makePill(SHADOW_STEPS));
		gl.bindVertexArray(null);
		const order = makeBuffer(gl, gl.ELEMENT_ARRAY_BUFFER, indices);
		this.indexCount = indices.length;
		this.solids = new Pieces(gl, mesh, order, pill);
		this.ghosts = new Pieces(gl, mesh, order, pill);
		this.body = makeProgram(gl, BODY_VERTEX, BODY_FRAGMENT, ["outline", "edge", "shares"]);
		this.shadow = makeProgram(gl, SHADOW_VERTEX, SHADOW_FRAGMENT, ["shadow"]);
	}

	fill(scene: Scene, palette: Palette): void {
		this.solids.fill(scene, palette, false);
		this.ghosts.fill(scene, palette, true);
	}

	/** Whoever calls it has set the stencil so that no pixel darkens twice. */
	drawShadows(palette: Palette): void {
		const { gl } = this, [r, g, b, a] = palette.get("shadow");
		gl.useProgram(this.shadow.program);
		gl.uniform4f(this.shadow.at.shadow, r / 255, g / 255, b / 255, a / 255);
		this.drawFlat(this.solids);
		this.drawFlat(this.ghosts);
	}

	private drawFlat(pieces: Pieces): void {
		if (!pieces.count) return;
		this.gl.bindVertexArray(pieces.flat);
		this.gl.drawArraysInstanced(this.gl.TRIANGLE_FAN, 0, 2 * (SHADOW_STEPS + 1), pieces.count);
	}

	/** Fills and outlines; ghosts last, and of each only what is nearest, so that limbs do not show through one another. */
	drawBodies(palette: Palette): void {
		const { gl } = this, [r, g, b] = palette.get("edge");
		gl.useProgram(this.body.program);
		gl.uniform3f(this.body.at.edge, r / 255, g / 255, b / 255);
		gl.uniform3f(this.body.at.shares, LIGHT, DARK, EDGE);
		gl.enable(gl.DEPTH_TEST);
		gl.enable(gl.CULL_FACE);
		gl.disable(gl.BLEND);
		this.drawSolid(this.solids);
		if (this.ghosts.count) {
			gl.colorMask(false, false, false, false);
			this.drawSolid(this.ghosts);
			gl.colorMask(true, true, true, true);
			gl.enable(gl.BLEND);
			gl.depthFunc(gl.LEQUAL);
			this.drawSolid(this.ghosts);
			gl.depthFunc(gl.LESS);
		}
		gl.enable(gl.BLEND);
		gl.disable(gl.CULL_FACE);
		gl.disable(gl.DEPTH_TEST);
	}

	private drawSolid(pieces: Pieces): void {
		if (!pieces.count) return;
		const { gl } = this;
		gl.bindVertexArray(pieces.solid);
		for (let outline = 0; outline < 2; ++outline) {
			gl.cullFace(outline ? gl.FRONT : gl.BACK);
			gl.uniform1f(this.body.at.outline, outline);
			gl.drawElementsInstanced(gl.TRIANGLES, this.indexCount, gl.UNSIGNED_SHORT, 0, pieces.count);
		}
	}
}
