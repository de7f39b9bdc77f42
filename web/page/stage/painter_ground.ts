// The floor on a 2D canvas: its squares, lines and marks.
import { NEAR, project, view, type Camera, type Eye } from "./camera.js";
import { reachOf } from "./grid.js";
import type { Easel } from "./painter.js";
import type { Line, Mark } from "./scene.js";

const from = [0, 0, 0], to = [0, 0, 0], cut = [0, 0, 0], start = [0, 0, 0], end = [0, 0, 0];

// Where the segment from `behind` to `ahead` of the eye begins to be seen.
function cutSegment(behind: number[], ahead: number[]): number[] {
	const t = (NEAR - behind[2]) / (ahead[2] - behind[2]);
	for (let k = 0; k < 3; ++k) cut[k] = behind[k] + t * (ahead[k] - behind[k]);
	return cut;
}

/** Add from … to, which are in the eye's frame, to the path; cut where it passes behind the eye. */
function traceSegment(pen: CanvasRenderingContext2D, eye: Eye, joins: boolean): void {
	if (from[2] < NEAR && to[2] < NEAR) return;
	project(eye, from[2] < NEAR ? cutSegment(from, to) : from, start);
	project(eye, to[2] < NEAR ? cutSegment(to, from) : to, end);
	if (!joins || from[2] < NEAR) pen.moveTo(start[0], start[1]);
	pen.lineTo(end[0], end[1]);
}

function traceEdge(pen: CanvasRenderingContext2D, eye: Eye, y: number, x0: number, z0: number, x1: number, z1: number): void {
	view(eye, x0, y, z0, from);
	view(eye, x1, y, z1, to);
	traceSegment(pen, eye, false);
}

// Pieces of the squares' lines in a few groups of equal paleness: each group is one stroke.
const GROUPS = 6;

function groupPieces(reach: number, step: number): number[][] {
	const groups: number[][] = Array.from({ length: GROUPS }, () => []);
	for (let i = -reach; i <= reach; ++i)
		for (let j = -reach; j < reach; j += step) {
			const group = Math.floor((1 - Math.hypot(i, j + step / 2) / reach) * GROUPS);
			if (group >= 0) groups[Math.min(group, GROUPS - 1)].push(i, j);
		}
	return groups;
}

/** Squares around what is looked at, paler with distance. */
export function paintGrid({ pen, eye, palette }: Easel, camera: Camera, cell: number, floor: number): void {
	const reach = Math.ceil(reachOf(camera, cell) / cell), step = reach > 14 ? 2 : 1;
	const cx = cell * Math.round((camera.target[0] + camera.pan[0]) / cell), cz = cell * Math.round((camera.target[2] + camera.pan[2]) / cell);
	pen.strokeStyle = palette.css("grid");
	pen.lineWidth = 1;
	groupPieces(reach, step).forEach((pairs, group) => {
		pen.globalAlpha = (group + 1) / (GROUPS + 0.5);
		pen.beginPath();
		for (let k = 0; k < pairs.length; k += 2) {
			const i = cell * pairs[k], j = cell * pairs[k + 1], next = j + cell * step;
			traceEdge(pen, eye, floor, cx + i, cz + j, cx + i, cz + next);
			traceEdge(pen, eye, floor, cx + j, cz + i, cx + next, cz + i);
		}
		pen.stroke();
	});
	pen.globalAlpha = 1;
}

// Pixels of a dash, and from it to the next.
const DASHES = [9, 7];

export function paintLine({ pen, eye, palette }: Easel, line: Line): void {
	const p = line.points;
	pen.beginPath();
	for (let k = 3; k < 3 * line.count; k += 3) {
		view(eye, p[k - 3], p[k - 2], p[k - 1], from);
		view(eye, p[k], p[k + 1], p[k + 2], to);
		traceSegment(pen, eye, k > 3);
	}
	pen.strokeStyle = palette.css(line.paint);
	pen.globalAlpha = line.opacity;
	pen.lineWidth = line.width;
	pen.lineJoin = "round";
	pen.lineCap = line.dashed ? "butt" : "round";
	pen.setLineDash(line.dashed ? DASHES : []);
	pen.stroke();
	pen.setLineDash([]);
	pen.lineCap = "butt";
	pen.globalAlpha = 1;
}

const CIRCLE_STEPS = 24;

export function paintMark({ pen, eye, palette }: Easel, mark: Mark): void {
	pen.beginPath();
	for (let k = 0; k < CIRCLE_STEPS; ++k) {
		const turn = 2 * Math.PI * k / CIRCLE_STEPS;
		view(eye, mark.x + mark.radius * Math.cos(turn), mark.y, mark.z + mark.radius * Math.sin(turn), from);
		if (from[2] < NEAR) return;
		project(eye, from, start);
		if (k) pen.lineTo(start[0], start[1]); else pen.moveTo(start[0], start[1]);
	}
	pen.closePath();
	pen.globalAlpha = mark.opacity;
	pen.strokeStyle = pen.fillStyle = palette.css(mark.paint);
	pen.lineWidth = mark.width ?? 2;
	if (mark.isRing) pen.stroke(); else pen.fill();
	pen.globalAlpha = 1;
}
