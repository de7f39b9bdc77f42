// The little of WebGL that the layers of the stage share.
import type { Color } from "./colors.js";

export type Uniforms = Record<string, WebGLUniformLocation | null>;

export interface Program {
	readonly program: WebGLProgram;
	readonly at: Uniforms;
}

function compile(gl: WebGL2RenderingContext, kind: number, source: string): WebGLShader {
	const shader = gl.createShader(kind)!;
	gl.shaderSource(shader, source);
	gl.compileShader(shader);
	return shader;
}

/** A program whose block "Eye" is the first, and where its uniforms are. */
export function makeProgram(gl: WebGL2RenderingContext, vertex: string, fragment: string, names: readonly string[]): Program {
	const program = gl.createProgram()!, shaders = [compile(gl, gl.VERTEX_SHADER, vertex), compile(gl, gl.FRAGMENT_SHADER, fragment)];
	for (const shader of shaders) gl.attachShader(program, shader);
	gl.linkProgram(program);
	// A context that is lost links nothing, and is no fault of the shaders.
	if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost())
		throw new Error([gl.getProgramInfoLog(program), ...shaders.map(shader => gl.getShaderInfoLog(shader))].join("\n"));
	for (const shader of shaders) gl.deleteShader(shader);
	const at: Uniforms = {}, block = gl.getUniformBlockIndex(program, "Eye");
	for (const name of names) at[name] = gl.getUniformLocation(program, name);
	if (block !== gl.INVALID_INDEX) gl.uniformBlockBinding(program, block, 0);
	return { program, at };
}

// Uniforms are handed over in arrays: numbers that are no integers would each become an object on their way out of script.
const one = new Float32Array(1), four = new Float32Array(4);

export function setNumber(gl: WebGL2RenderingContext, at: WebGLUniformLocation | null, x: number): void {
	one[0] = x;
	gl.uniform1fv(at, one);
}

export function setVector(gl: WebGL2RenderingContext, at: WebGLUniformLocation | null, x: number, y: number, z: number, w: number): void {
	four[0] = x;
	four[1] = y;
	four[2] = z;
	four[3] = w;
	gl.uniform4fv(at, four);
}

/** A uniform colour: red, green, blue of a colour, and a number beside it. */
export function setColor(gl: WebGL2RenderingContext, at: WebGLUniformLocation | null, color: Color, fourth: number): void {
	setVector(gl, at, color[0] / 255, color[1] / 255, color[2] / 255, fourth);
}

export function makeBuffer(gl: WebGL2RenderingContext, target: number, data: BufferSource): WebGLBuffer {
	const buffer = gl.createBuffer()!;
	gl.bindBuffer(target, buffer);
	gl.bufferData(target, data, gl.STATIC_DRAW);
	return buffer;
}

/** Numbers that are written anew for each frame and uploaded at once. It only ever grows. */
export class Stream {
	floats = new Float32Array(0);
	bytes = new Uint8Array(0);
	readonly buffer: WebGLBuffer;
	private uploaded = 0;

	constructor(private readonly gl: WebGL2RenderingContext) {
		this.buffer = gl.createBuffer()!;
	}

	/** Make room for some words of 32 bits; what stood there is lost. */
	reserve(count: number): void {
		if (count <= this.floats.length) return;
		this.floats = new Float32Array(Math.max(count, 2 * this.floats.length, 256));
		this.bytes = new Uint8Array(this.floats.buffer);
	}

	/** Hand the first `count` words over. */
	upload(count: number): void {
		const { gl } = this;
		gl.bindBuffer(gl.ARRAY_BUFFER, this.buffer);
		if (this.uploaded < this.floats.length) {
			gl.bufferData(gl.ARRAY_BUFFER, this.floats.byteLength, gl.DYNAMIC_DRAW);
			this.uploaded = this.floats.length;
		}
		if (count > 0) gl.bufferSubData(gl.ARRAY_BUFFER, 0, this.floats, 0, count);
	}
}

/** An attribute of the buffer that is bound: `step` 0 for each vertex, 1 for each instance. Offset and stride in bytes. */
export function bindFloats(gl: WebGL2RenderingContext, at: number, size: number, stride: number, offset: number, step: number): void {
	gl.enableVertexAttribArray(at);
	gl.vertexAttribPointer(at, size, gl.FLOAT, false, stride, offset);
	gl.vertexAttribDivisor(at, step);
}

/** A colour of four bytes for each instance. */
export function bindColor(gl: WebGL2RenderingContext, at: number, stride: number, offset: number): void {
	gl.enableVertexAttribArray(at);
	gl.vertexAttribPointer(at, 4, gl.UNSIGNED_BYTE, true, stride, offset);
	gl.vertexAttribDivisor(at, 1);
}

/** A pill: half a circle at either end, as a fan; cosine, sine, which end. */
export function makePill(steps: number): Float32Array {
	const out = new Float32Array(6 * (steps + 1));
	for (let k = 0; k < 2 * (steps + 1); ++k) {
		const end = k > steps ? 1 : 0, u = (k - end * (steps + 1)) / steps - 0.5;
		// The second half goes on where the first ended.
		const turn = Math.PI * (end ? u : -u);
		out.set([Math.cos(turn), -Math.sin(turn), end], 3 * k);
	}
	return out;
}
