// Bodies and their shadows: one mesh, drawn as often as all bodies have pieces.
import { NEAR, type Eye } from "./camera.js";
import { Palette, paintOfSide, DARK, EDGE, LIGHT, type Color } from "./colors.js";
import { BODY_FRAGMENT, BODY_VERTEX, OUTLINE_FRAGMENT, OUTLINE_VERTEX, SHADOW_FRAGMENT, SHADOW_VERTEX } from "./gl_shaders.js";
import { bindColor, bindFloats, makeBuffer, makePill, makeProgram, setColor, Stream, type Program } from "./gl_tools.js";
import { countPieces, PIECE, placePiece, sideOfPiece } from "./pieces.js";
import type { Body, Scene } from "./scene.js";
import { getPixelRatio } from "./stage.js";

// An instance: a piece, its colour, and how much farther away it counts as.
const INSTANCE = PIECE + 2, STRIDE = 4 * INSTANCE;

// Where a limb's ball is the trunk's too, the limb is to be seen: nearer by more than what meshes of the two differ by, in radii.
const BEHIND = -0.06;

/** Meshes of a piece: meridians, steps of each over half a ball, steps of a round end of its outline and its shadow; and the
    largest radius in pixels that they are for. */
interface Detail {
	readonly meridians: number;
	readonly steps: number;
	readonly pillSteps: number;
	readonly radius: number;
}

// Seen along its axis, a ball of n meridians is up to 1 - cos(pi / n) of its radius within its circle: hardly half a pixel. An
// outline is to be within 0.15 pixels of its circle, as it is hardly a pixel wide.
const DETAILS: readonly Detail[] = [
	{ meridians: 10, steps: 3, pillSteps: 9, radius: 9 }, { meridians: 14, steps: 4, pillSteps: 12, radius: 19 },
	{ meridians: 24, steps: 6, pillSteps: 19, radius: 48 }, { meridians: 40, steps: 10, pillSteps: 30, radius: Infinity },
];

// About the largest radius of a body, a head's or a chest's, in statures.
const LARGEST = 0.075;

/** Meshes in buffers. */
interface Mesh {
	readonly pill: WebGLBuffer;
	readonly pillCount: number;
	readonly vertices: WebGLBuffer;
	readonly indices: WebGLBuffer;
	readonly indexCount: number;
}

function makeMesh(gl: WebGL2RenderingContext, { meridians, steps, pillSteps }: Detail): Mesh {
	const rings = 2 * (steps + 1), vertices = new Float32Array(4 * meridians * rings), indices = new Uint16Array(6 * meridians * (rings - 1));
	for (let ring = 0, at = 0; ring < rings; ++ring)
		for (let k = 0; k < meridians; ++k, at += 4) {
			const turn = 2 * Math.PI * k / meridians, end = ring > steps ? 1 : 0;
			vertices.set([Math.cos(turn), Math.sin(turn), (ring - end * (steps + 1)) / steps, end], at);
		}
	for (let ring = 0, at = 0; ring < rings - 1; ++ring)
		for (let k = 0; k < meridians; ++k, at += 6) {
			const a = ring * meridians + k, b = ring * meridians + (k + 1) % meridians, c = a + meridians, d = b + meridians;
			indices.set([a, b, c, b, d, c], at);
		}
	gl.bindVertexArray(null);
	return {
		pill: makeBuffer(gl, gl.ARRAY_BUFFER, makePill(pillSteps)), pillCount: 2 * (pillSteps + 1),
		vertices: makeBuffer(gl, gl.ARRAY_BUFFER, vertices), indices: makeBuffer(gl, gl.ELEMENT_ARRAY_BUFFER, indices), indexCount: indices.length,
	};
}

/** The pieces of some bodies, ready to be drawn. */
class Pieces {
	count = 0;
	/** One for each mesh. */
	readonly solid: readonly WebGLVertexArrayObject[];
	readonly flat: readonly WebGLVertexArrayObject[];
	private readonly stream: Stream;

	constructor(private readonly gl: WebGL2RenderingContext, meshes: readonly Mesh[]) {
		this.stream = new Stream(gl);
		this.solid = meshes.map(mesh => {
			const array = this.bind(mesh.vertices, 4);
			gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, mesh.indices);
			return array;
		});
		this.flat = meshes.map(mesh => this.bind(mesh.pill, 3));
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
		const { floats, bytes } = this.stream, count = countPieces(body.figure), opacity = Math.round(255 * Math.min(body.opacity, 1));
		for (let piece = 0; piece < count; ++piece) {
			const at = this.count++ * INSTANCE;
			const side = sideOfPiece(body.figure, piece);
			placePiece(body, piece, floats, at);
			writeColor(palette.get(body.paint ?? paintOfSide(side)), opacity, bytes, 4 * (at + PIECE));
			floats[at + PIECE + 1] = side ? BEHIND * floats[at + 3] : 0;
		}
	}
}

/** Write the four bytes of a colour with an opacity, 0 to 255, of its own. */
export function writeColor(color: Color, opacity: number, bytes: Uint8Array, at: number): void {
	bytes[at] = color[0];
	bytes[at + 1] = color[1];
	bytes[at + 2] = color[2];
	bytes[at + 3] = opacity;
}

// How far ahead of the eye a body's root is.
function depthOf({ at, back }: Eye, points: Float32Array): number {
	return (at[0] - points[0]) * back[0] + (at[1] - points[1]) * back[1] + (at[2] - points[2]) * back[2];
}

// About the largest radius of a piece, in pixels.
function findRadius(scene: Scene, eye: Eye): number {
	let largest = 0;
	for (let i = 0; i < scene.bodyCount; ++i) {
		const { figure, points } = scene.bodies[i];
		const depth = depthOf(eye, points);
		if (depth > -figure.stature) largest = Math.max(largest, LARGEST * figure.stature * eye.focal / Math.max(depth - 0.3 * figure.stature, NEAR));
	}
	return largest;
}

export class BodyLayer {
	private readonly solids: Pieces;
	private readonly ghosts: Pieces;
	private readonly body: Program;
	private readonly outline: Program;
	private readonly shadow: Program;
	private readonly meshes: readonly Mesh[];
	/** Which mesh is fine enough. */
	private detail = 0;

	constructor(private readonly gl: WebGL2RenderingContext) {
		this.meshes = DETAILS.map(detail => makeMesh(gl, detail));
		this.solids = new Pieces(gl, this.meshes);
		this.ghosts = new Pieces(gl, this.meshes);
		this.body = makeProgram(gl, BODY_VERTEX, BODY_FRAGMENT, ["edge", "shares"]);
		this.outline = makeProgram(gl, OUTLINE_VERTEX, OUTLINE_FRAGMENT, ["edge"]);
		this.shadow = makeProgram(gl, SHADOW_VERTEX, SHADOW_FRAGMENT, ["shadow"]);
	}

	fill(scene: Scene, palette: Palette, eye: Eye): void {
		const radius = findRadius(scene, eye) * getPixelRatio();
		this.detail = 0;
		while (DETAILS[this.detail].radius < radius) ++this.detail;
		this.solids.fill(scene, palette, false);
		this.ghosts.fill(scene, palette, true);
	}

	/** Whoever calls it has set the stencil so that no pixel darkens twice. */
	drawShadows(palette: Palette): void {
		const { gl } = this, shadow = palette.get("shadow");
		gl.useProgram(this.shadow.program);
		setColor(gl, this.shadow.at.shadow, shadow, shadow[3] / 255);
		this.drawFlat(this.solids);
		this.drawFlat(this.ghosts);
	}

	private drawFlat(pieces: Pieces): void {
		if (!pieces.count) return;
		this.gl.bindVertexArray(pieces.flat[this.detail]);
		this.gl.drawArraysInstanced(this.gl.TRIANGLE_FAN, 0, this.meshes[this.detail].pillCount, pieces.count);
	}

	/** Fills and outlines; ghosts last, and of each only what is nearest, so that limbs do not show through one another. */
	drawBodies(palette: Palette): void {
		const { gl } = this;
		this.setColors(palette);
		gl.enable(gl.DEPTH_TEST);
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
		gl.disable(gl.DEPTH_TEST);
	}

	private setColors(palette: Palette): void {
		const { gl } = this, edge = palette.get("edge");
		gl.useProgram(this.body.program);
		setColor(gl, this.body.at.edge, edge, 1);
		gl.uniform2f(this.body.at.shares, LIGHT, DARK);
		gl.useProgram(this.outline.program);
		setColor(gl, this.outline.at.edge, edge, EDGE);
	}

	private drawSolid(pieces: Pieces): void {
		if (!pieces.count) return;
		const { gl } = this;
		gl.useProgram(this.body.program);
		gl.enable(gl.CULL_FACE);
		gl.bindVertexArray(pieces.solid[this.detail]);
		gl.drawElementsInstanced(gl.TRIANGLES, this.meshes[this.detail].indexCount, gl.UNSIGNED_SHORT, 0, pieces.count);
		gl.disable(gl.CULL_FACE);
		gl.useProgram(this.outline.program);
		this.drawFlat(pieces);
	}
}
