// The stage with WebGL 2. A frame is: the floor's squares, lines, shadows, marks, bodies, ghosts; then names.
import { aim, makeEye, NEAR, type Camera } from "./camera.js";
import { Palette } from "./colors.js";
import { BodyLayer } from "./gl_bodies.js";
import { GridLayer, LineLayer, MarkLayer } from "./gl_ground.js";
import { cellOf } from "./grid.js";
import { NameLayer } from "./names.js";
import type { Scene } from "./scene.js";
import { fitCanvas, type Stage } from "./stage.js";

/** All that a context holds; another one has to make it anew. */
interface Layers {
	grid: GridLayer;
	lines: LineLayer;
	marks: MarkLayer;
	bodies: BodyLayer;
	eye: WebGLBuffer;
}

// From far away, what is nearest to the eye lets depth tell limbs apart better.
const NEAR_SHARE = 0.01;

function makeLayers(gl: WebGL2RenderingContext): Layers {
	const eye = gl.createBuffer()!;
	gl.bindBuffer(gl.UNIFORM_BUFFER, eye);
	gl.bufferData(gl.UNIFORM_BUFFER, 96, gl.DYNAMIC_DRAW);
	gl.bindBufferBase(gl.UNIFORM_BUFFER, 0, eye);
	return { grid: new GridLayer(gl), lines: new LineLayer(gl), marks: new MarkLayer(gl), bodies: new BodyLayer(gl), eye };
}

export class GlStage implements Stage {
	readonly kind = "webgl";
	cell = 1;
	private readonly palette = new Palette();
	private readonly eye = makeEye();
	private readonly block = new Float32Array(24);
	private readonly names: NameLayer;
	private layers: Layers | null;
	private last: { scene: Scene; camera: Camera } | null = null;

	constructor(private readonly canvas: HTMLCanvasElement, private readonly gl: WebGL2RenderingContext) {
		this.names = new NameLayer(canvas);
		this.layers = makeLayers(gl);
		canvas.addEventListener("webglcontextlost", event => {
			// Otherwise it would not come back.
			event.preventDefault();
			this.layers = null;
		});
		canvas.addEventListener("webglcontextrestored", () => {
			this.layers = makeLayers(gl);
			this.redraw();
		});
	}

	readColors(): void {
		this.palette.read();
	}

	resize(camera: Camera): void {
		if (fitCanvas(this.canvas, camera)) this.redraw();
	}

	private redraw(): void {
		if (this.last) this.draw(this.last.scene, this.last.camera);
	}

	private fillEye(camera: Camera, floor: number, near: number): void {
		const { block, eye } = this;
		for (let k = 0; k < 3; ++k) {
			block[k] = eye.right[k];
			block[4 + k] = eye.up[k];
			block[8 + k] = eye.back[k];
			block[12 + k] = eye.at[k];
		}
		block[16] = 2 * eye.focal / camera.width;
		block[17] = 2 * eye.focal / camera.height;
		block[18] = eye.focal;
		block[19] = near;
		block[20] = camera.width / 2;
		block[21] = camera.height / 2;
		block[22] = floor;
	}

	draw(scene: Scene, camera: Camera): void {
		this.last ??= { scene, camera };
		this.last.scene = scene;
		this.last.camera = camera;
		this.cell = cellOf(camera);
		if (!this.layers || this.gl.isContextLost()) return;
		const near = Math.max(NEAR, NEAR_SHARE * camera.distance);
		aim(camera, this.eye);
		this.fillEye(camera, scene.floor, near);
		this.drawLayers(this.layers, scene, camera);
		this.names.draw(scene, camera, this.eye, near, this.palette);
	}

	private drawLayers(layers: Layers, scene: Scene, camera: Camera): void {
		const { gl, palette, canvas } = this;
		gl.bindBuffer(gl.UNIFORM_BUFFER, layers.eye);
		gl.bufferSubData(gl.UNIFORM_BUFFER, 0, this.block);
		gl.viewport(0, 0, canvas.width, canvas.height);
		gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT);
		gl.enable(gl.BLEND);
		gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
		layers.grid.draw(camera, palette, this.cell, canvas.width / camera.width);
		layers.bodies.fill(scene, palette);
		gl.enable(gl.STENCIL_TEST);
		gl.stencilOp(gl.KEEP, gl.KEEP, gl.REPLACE);
		const stencil = layers.lines.draw(scene, palette, camera.distance / this.eye.focal, 1);
		gl.stencilFunc(gl.GREATER, Math.min(stencil, 255), 255);
		layers.bodies.drawShadows(palette);
		gl.disable(gl.STENCIL_TEST);
		layers.marks.draw(scene, palette);
		layers.bodies.drawBodies(palette);
		gl.bindVertexArray(null);
	}
}

/** Null where there is no WebGL 2; the canvas can then be drawn on otherwise. */
export function makeGlStage(canvas: HTMLCanvasElement): Stage | null {
	const gl = canvas.getContext("webgl2", { alpha: true, antialias: true, depth: true, stencil: true, premultipliedAlpha: true });
	return gl && new GlStage(canvas, gl);
}
