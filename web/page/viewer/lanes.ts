// Where clips stand beside one another, and where they are seen from.
import { aim, makeEye, NEAR, project, view, type Camera } from "../stage/camera.js";
import type { State } from "./state.js";

// The camera looks at bodies from the front and a little from the side, and from above: radians.
export const SIDE_VIEW = 0.87;
const PITCH = 0.22;

// Room between lanes and about them, in statures.
const GAP = 0.9, MARGIN = 0.4, HEADROOM = 0.06;

/** Give each clip its lane: as wide as its way, or, followed, all in a row across a view that was turned by `yaw`. */
export function layLanes(state: State, yaw: number): void {
	const { shown, main } = state;
	for (const clip of state.clips) clip.lane.fill(0);
	if (shown.length < 2 || !main) return;
	// Floors of clips may differ; all stand on that of the first.
	for (const clip of shown) clip.lane[1] = main.data.floor - clip.data.floor;
	if (state.follow) layRow(state, yaw); else laySideBySide(state);
}

function layRow(state: State, yaw: number): void {
	const { shown, time } = state, pitch = Math.max(...shown.map(clip => 1.1 * clip.bounds.girth + MARGIN * clip.data.stature));
	shown.forEach((clip, k) => {
		const slot = pitch * (k - (shown.length - 1) / 2), x = clip.follow(time, 0), z = clip.follow(time, 2);
		clip.lane[0] = slot * Math.cos(yaw) - x;
		clip.lane[2] = -slot * Math.sin(yaw) - z;
	});
}

function laySideBySide(state: State): void {
	let x = 0;
	for (const clip of state.shown) {
		const { low, high } = clip.bounds, { stature } = clip.data;
		clip.lane[0] = x - low[0] + MARGIN * stature;
		clip.lane[2] = -clip.path[1];
		x += high[0] - low[0] + GAP * stature;
	}
}

// Corners of what is to be seen: where the bodies go, or, followed, the space around each.
function listCorners(state: State): [number, number, number][] {
	const corners: [number, number, number][] = [];
	for (const clip of state.shown) {
		const { low, high, top, girth } = clip.bounds, { floor, stature } = clip.data, lane = clip.lane;
		const x = clip.follow(state.time, 0), z = clip.follow(state.time, 2);
		const box = state.follow ? [x, x, z, z] : [low[0] + lane[0], high[0] + lane[0], low[1] + lane[2], high[1] + lane[2]];
		for (let k = 0; k < 8; ++k)
			corners.push([box[k & 1] + (k & 1 ? girth : -girth), (k & 2 ? top + HEADROOM * stature : floor) + lane[1], box[2 + (k >> 2)] + (k & 4 ? girth : -girth)]);
	}
	return corners;
}

// Parts of the canvas that are kept free: at the sides, below, and above, where texts are; a narrow page has two rows of them.
const SIDES = 0.04, BELOW = 0.08, ABOVE = 0.13, ABOVE_NARROW = 0.27;

function fits(corners: readonly [number, number, number][], camera: Camera, above: number): boolean {
	const eye = makeEye(), { width, height } = camera;
	aim(camera, eye);
	return corners.every(corner => {
		const p = [0, 0, 0];
		view(eye, ...corner, p);
		const isAhead = p[2] > NEAR;
		project(eye, p, p);
		return isAhead && p[0] > SIDES * width && p[0] < (1 - SIDES) * width && p[1] > above * height && p[1] < (1 - BELOW) * height;
	});
}

/** Look at all that is shown, from as near as it fits. Lanes are laid for that view. */
export function resetView(state: State, camera: Camera, isNarrow: boolean): void {
	const { main } = state;
	if (!main) return;
	camera.yaw = main.data.heading - SIDE_VIEW;
	camera.pitch = PITCH;
	camera.pan = [0, 0, 0];
	layLanes(state, camera.yaw);
	const corners = listCorners(state);
	const middle = (k: number) => (Math.min(...corners.map(corner => corner[k])) + Math.max(...corners.map(corner => corner[k]))) / 2;
	camera.target = [middle(0), middle(1), middle(2)];
	let near = 0.5 * main.data.stature, far = 2000;
	for (let k = 0; k < 40; ++k) {
		camera.distance = Math.sqrt(near * far);
		if (fits(corners, camera, isNarrow ? ABOVE_NARROW : ABOVE)) far = camera.distance; else near = camera.distance;
	}
}
