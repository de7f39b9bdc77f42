// Where a scene is seen from: an eye that turns about a target. One perspective for every stage and for clicks on the floor.

export interface Camera {
	/** Radians; at yaw 0 and pitch 0 the eye is on the +z side of the target. */
	yaw: number;
	pitch: number;
	/** Metres from the target. */
	distance: number;
	/** x, y, z: what is followed, and what the user moved away from it. */
	target: [number, number, number];
	pan: [number, number, number];
	/** CSS pixels of the canvas. */
	width: number;
	height: number;
}

/** What is nearer to the eye is not drawn, metres. */
export const NEAR = 0.05;

/** A camera's axes in the world, its place, and its focal length in pixels: made anew for each frame by aim. */
export interface Eye {
	right: [number, number, number];
	up: [number, number, number];
	/** From the target to the eye. */
	back: [number, number, number];
	at: [number, number, number];
	focal: number;
	/** Pixels of the middle. */
	cx: number;
	cy: number;
}

export function makeCamera(): Camera {
	return { yaw: 0.7, pitch: 0.28, distance: 4, target: [0, 0.9, 0], pan: [0, 0, 0], width: 1, height: 1 };
}

export function makeEye(): Eye {
	return { right: [1, 0, 0], up: [0, 1, 0], back: [0, 0, 1], at: [0, 0, 0], focal: 1, cx: 0, cy: 0 };
}

/** Fill the eye from the camera. */
export function aim(camera: Camera, eye: Eye): void {
	const sy = Math.sin(camera.yaw), cy = Math.cos(camera.yaw), sp = Math.sin(camera.pitch), cp = Math.cos(camera.pitch);
	eye.right[0] = cy; eye.right[1] = 0; eye.right[2] = -sy;
	eye.back[0] = sy * cp; eye.back[1] = sp; eye.back[2] = cy * cp;
	eye.up[0] = -sy * sp; eye.up[1] = cp; eye.up[2] = -cy * sp;
	for (let i = 0; i < 3; ++i) eye.at[i] = camera.target[i] + camera.pan[i] + camera.distance * eye.back[i];
	// A window that is narrow sees less.
	eye.focal = 1.35 * Math.min(camera.height, 1.3 * camera.width);
	eye.cx = camera.width / 2;
	eye.cy = camera.height / 2;
}

/** Into the eye's frame: right, up, and how far ahead. */
export function view(eye: Eye, x: number, y: number, z: number, out: Float64Array | number[]): void {
	const dx = x - eye.at[0], dy = y - eye.at[1], dz = z - eye.at[2], r = eye.right, u = eye.up, b = eye.back;
	out[0] = dx * r[0] + dy * r[1] + dz * r[2];
	out[1] = dx * u[0] + dy * u[1] + dz * u[2];
	out[2] = -(dx * b[0] + dy * b[1] + dz * b[2]);
}

/** Pixels of what stands in the eye's frame, and pixels a metre there. */
export function project(eye: Eye, v: ArrayLike<number>, out: Float64Array | number[]): void {
	const s = eye.focal / Math.max(v[2], NEAR);
	out[0] = eye.cx + s * v[0];
	out[1] = eye.cy - s * v[1];
	out[2] = s;
}

/** Where on the floor a pixel is; false, and out as it was, where the ray meets no floor within 200 m. */
export function pickFloor(camera: Camera, px: number, py: number, floor: number, out: { x: number; z: number }): boolean {
	const eye = makeEye();
	aim(camera, eye);
	const u = (px - eye.cx) / eye.focal, v = -(py - eye.cy) / eye.focal;
	const ray = [0, 1, 2].map(i => u * eye.right[i] + v * eye.up[i] - eye.back[i]);
	const t = (floor - eye.at[1]) / ray[1];
	if (!(t > 0) || t * Math.hypot(ray[0], ray[2]) > 200) return false;
	out.x = eye.at[0] + t * ray[0];
	out.z = eye.at[2] + t * ray[2];
	return true;
}
