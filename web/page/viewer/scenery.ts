// The scene of the viewer at a moment: bodies, the way each takes, the path it was to take, seams, contacts.
import { addBody, addLine, addMark, addPoint, clearScene } from "../stage/fill.js";
import { paintOfSide, type Palette } from "../stage/colors.js";
import type { Line, Paint, Scene } from "../stage/scene.js";
import type { Clip } from "./clip.js";
import type { State } from "./state.js";

// A long motion leaves more prints, and a longer way, than can be told apart: those of some seconds are shown.
const MANY_PRINTS = 150, PRINT_TIME = 3, PATH_TIME = 12;

// The most points of a way.
const MAX_POINTS = 1500;

const WANTED_WIDTH = 9, WANTED_OPACITY = 0.3;

/** Lines of a way: of what is past and of what is to come; stronger where a wanted path lies under it. */
const PAST_OPACITY = 0.9, AHEAD_OPACITY = 0.32, AHEAD_ON_WANTED = 0.5, WIDTH = 2, WIDTH_ON_WANTED = 3;

const SEAM_RADIUS = 0.03, SEAM_WIDTH = 1.5;

function addRoot(line: Line, clip: Clip, frame: number): void {
	addPoint(line, clip.roots[3 * frame] + clip.lane[0], clip.data.floor + clip.lane[1], clip.roots[3 * frame + 2] + clip.lane[2]);
}

/** Lines of frames first … last, one for each stretch of the same style. */
function addWay(scene: Scene, clip: Clip, palette: Palette, first: number, last: number, step: number, opacity: number): void {
	const width = clip.data.wanted ? WIDTH_ON_WANTED : WIDTH, styleOf = (frame: number) => clip.styles?.frames[frame] ?? -1;
	for (let frame = first; frame < last;) {
		const style = styleOf(frame), line = addLine(scene, palette.paintOfStyle(style), opacity, width);
		addRoot(line, clip, frame);
		do {
			// At multiples of the step, so that points stay where they are as time goes on.
			frame = Math.min(frame + step - frame % step, last);
			addRoot(line, clip, frame);
		} while (frame < last && styleOf(frame) === style);
	}
}

// All of its way, or, followed, that of some seconds; what is past over what is to come.
function addPath(scene: Scene, clip: Clip, state: State, palette: Palette): void {
	const { rate, count, wanted } = clip.data, now = clip.locate(state.time).before, window = state.follow ? Math.round(PATH_TIME * rate) : count;
	const first = Math.max(now - window, 0), last = Math.min(now + window, count - 1), step = Math.ceil((last - first + 1) / MAX_POINTS);
	if (wanted) addWanted(scene, clip, state, wanted);
	addWay(scene, clip, palette, now, last, step, wanted ? AHEAD_ON_WANTED : AHEAD_OPACITY);
	addWay(scene, clip, palette, first, now, step, PAST_OPACITY);
	if (wanted) addSeams(scene, clip, state);
}

// The path that was asked for, broad and pale under the one that was walked: time, x, z of each point.
function addWanted(scene: Scene, clip: Clip, state: State, wanted: readonly number[]): void {
	const window = state.follow ? PATH_TIME : Infinity, line = addLine(scene, "quiet", WANTED_OPACITY, WANTED_WIDTH);
	const isNear = (i: number) => wanted[i] >= state.time - window && wanted[i] <= state.time + window;
	for (let i = 0; i < wanted.length; i += 3)
		if (isNear(i) || (i >= 3 && isNear(i - 3)) || (i + 3 < wanted.length && isNear(i + 3)))
			addPoint(line, wanted[i + 1] + clip.lane[0], clip.data.floor + clip.lane[1], wanted[i + 2] + clip.lane[2]);
}

function addSeams(scene: Scene, clip: Clip, state: State): void {
	const window = state.follow ? PATH_TIME : Infinity, radius = SEAM_RADIUS * clip.data.stature, y = clip.data.floor + clip.lane[1];
	for (const { name, time } of clip.data.events) {
		if (name !== "seam" || Math.abs(time - state.time) > window) continue;
		const x = clip.stand(time, 0), z = clip.stand(time, 2);
		addMark(scene, x, y, z, radius, "panel", 1);
		addMark(scene, x, y, z, radius, "ink", 1, SEAM_WIDTH);
	}
}

function addContacts(scene: Scene, clip: Clip, time: number): void {
	const { contacts, stature } = clip.data, areMany = contacts.length > MANY_PRINTS, lane = clip.lane;
	for (const { start, end, side, radius, at } of contacts) {
		if (areMany && (end < time - PRINT_TIME || start > time + PRINT_TIME)) continue;
		const isLit = time >= start && time < end, size = radius * stature * (isLit ? 1.3 : 1), paint: Paint = paintOfSide(side);
		const x = at[0] + lane[0], y = at[1] + lane[1], z = at[2] + lane[2];
		addMark(scene, x, y, z, size, paint, isLit ? 0.75 : 0.13);
		addMark(scene, x, y, z, size, paint, isLit ? 1 : 0.4, isLit ? 2 : 1);
	}
}

/** Fill the scene with what is to be seen now; lanes are laid. */
export function fillScene(scene: Scene, state: State, palette: Palette): void {
	const { shown, main, time } = state;
	clearScene(scene, main ? main.data.floor : 0);
	for (const clip of shown) {
		if (state.path) addPath(scene, clip, state, palette);
		if (state.contacts) addContacts(scene, clip, time);
		const body = addBody(scene, clip.data, clip.pose(time));
		if (shown.length > 1) body.name = clip.data.name;
	}
}
