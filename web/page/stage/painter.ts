// Bodies and their shadows on a 2D canvas: film strips, and the stage where there is no WebGL. Pieces are painted from the
// farthest to the nearest.
import { NEAR, project, view, type Eye } from "./camera.js";
import { paintOfSide, type Palette, type Tones } from "./colors.js";
import { countPieces, isHead, PIECE, placePiece, sideOfPiece } from "./pieces.js";
import type { Body, Paint } from "./scene.js";

/** What is painted on, from where, in which colours. */
export interface Easel {
	readonly pen: CanvasRenderingContext2D;
	readonly eye: Eye;
	readonly palette: Palette;
}

type Point = [number, number, number];

/** A piece on the picture: its balls' middles and radii in pixels, and how far away it counts as. */
interface Piece {
	a: Point;
	b: Point;
	ra: number;
	rb: number;
	paint: Paint;
	isHead: boolean;
	isNeck: boolean;
	depth: number;
}

const balls = new Float32Array(PIECE);

function see(eye: Eye, x: number, y: number, z: number): Point {
	const out: Point = [0, 0, 0];
	view(eye, x, y, z, out);
	return out;
}

function onPicture(eye: Eye, v: Point): Point {
	const out: Point = [0, 0, 0];
	project(eye, v, out);
	return out;
}

/* ---------------------------------------------------------------- shadows */

// Steps of half the round end of a shadow.
const SHADOW_STEPS = 5;

// The outline of a piece on the floor; empty where some of it is behind the eye.
function outlineShadow(eye: Eye, floor: number): Point[] {
	const ends = [0, 4].map(k => {
		const height = Math.max(balls[k + 1] - floor, 0);
		return [balls[k] + 0.16 * height, balls[k + 2] - 0.12 * height, balls[k + 3]];
	});
	const angle = Math.atan2(ends[1][1] - ends[0][1], ends[1][0] - ends[0][0]), outline: Point[] = [];
	for (let k = 0; k < 2 * (SHADOW_STEPS + 1); ++k) {
		const first = k > SHADOW_STEPS, end = ends[first ? 0 : 1], step = first ? k - SHADOW_STEPS - 1 : k;
		const turn = angle + Math.PI * (step / SHADOW_STEPS + (first ? 0.5 : -0.5));
		outline.push(see(eye, end[0] + end[2] * Math.cos(turn), floor, end[1] + end[2] * Math.sin(turn)));
	}
	return outline.some(v => v[2] < NEAR) ? [] : outline.map(v => onPicture(eye, v));
}

/** Pieces flattened on the floor, in one path so that they do not darken one another. */
export function paintShadow({ pen, eye, palette }: Easel, body: Body, floor: number): void {
	pen.beginPath();
	for (let piece = 0, count = countPieces(body.figure); piece < count; ++piece) {
		placePiece(body, piece, balls, 0);
		outlineShadow(eye, floor).forEach((p, k) => { if (k) pen.lineTo(p[0], p[1]); else pen.moveTo(p[0], p[1]); });
		pen.closePath();
	}
	pen.fillStyle = palette.css("shadow");
	pen.globalAlpha = body.opacity;
	pen.fill();
	pen.globalAlpha = 1;
}

/* ----------------------------------------------------------------- bodies */

function tracePiece(pen: CanvasRenderingContext2D, { a, b, ra, rb }: Piece): void {
	const dx = b[0] - a[0], dy = b[1] - a[1], length = Math.hypot(dx, dy);
	pen.beginPath();
	if (length <= Math.abs(ra - rb) + 1e-6) {
		const [c, r] = ra > rb ? [a, ra] : [b, rb];
		pen.arc(c[0], c[1], r, 0, 2 * Math.PI);
		return;
	}
	const along = Math.atan2(dy, dx), tilt = Math.acos((ra - rb) / length);
	pen.arc(a[0], a[1], ra, along + tilt, along - tilt + 2 * Math.PI);
	pen.arc(b[0], b[1], rb, along - tilt, along + tilt);
	pen.closePath();
}

// Light falls across a piece from the upper left.
function shade(pen: CanvasRenderingContext2D, piece: Piece, tones: Tones): CanvasGradient {
	const { a, b } = piece, radius = Math.max(piece.ra, piece.rb), x = (a[0] + b[0]) / 2, y = (a[1] + b[1]) / 2;
	const length = Math.hypot(b[0] - a[0], b[1] - a[1]), isBall = piece.isHead || length < 1e-6;
	const nx = isBall ? -0.55 : -(b[1] - a[1]) / length, ny = isBall ? -0.83 : (b[0] - a[0]) / length;
	const reach = -0.55 * nx - 0.83 * ny >= 0 ? radius : -radius;
	const fill = pen.createLinearGradient(x + reach * nx, y + reach * ny, x - reach * nx, y - reach * ny);
	fill.addColorStop(0, tones.light);
	fill.addColorStop(0.45, tones.base);
	fill.addColorStop(1, tones.dark);
	return fill;
}

function paintPiece({ pen, palette }: Easel, piece: Piece, isOutline: boolean): void {
	const tones = palette.tonesOf(piece.paint);
	tracePiece(pen, piece);
	if (isOutline) {
		pen.lineJoin = "round";
		pen.strokeStyle = tones.edge;
		pen.lineWidth = Math.min(Math.max(0.1 * Math.max(piece.ra, piece.rb), 0.8), 2.4);
		pen.stroke();
	} else {
		pen.fillStyle = shade(pen, piece, tones);
		pen.fill();
	}
}

function seePiece(eye: Eye, body: Body, index: number): Piece | null {
	const { figure } = body;
	placePiece(body, index, balls, 0);
	const va = see(eye, balls[0], balls[1], balls[2]), vb = see(eye, balls[4], balls[5], balls[6]);
	if (va[2] < NEAR || vb[2] < NEAR) return null;
	const a = onPicture(eye, va), b = onPicture(eye, vb), head = isHead(figure, index), depth = (va[2] + vb[2]) / 2;
	return {
		a, b, ra: balls[3] * a[2], rb: balls[7] * b[2], paint: body.paint ?? paintOfSide(sideOfPiece(figure, index)),
		isHead: head, isNeck: index < figure.limbs.length && figure.limbs[index][5] > 0,
		depth: depth - (head ? 0.6 * balls[7] : 0.3 * (balls[3] + balls[7])),
	};
}

// A known body's trunk is one thing: no limb comes between its pieces, and the neck goes behind it and the head.
function orderTrunk(body: Body, pieces: Piece[], trunk: Piece[]): void {
	const mean = trunk.reduce((sum, piece) => sum + piece.depth, 0) / Math.max(trunk.length, 1);
	for (const piece of trunk) piece.depth = mean + 1e-3 * (piece.depth - mean);
	const head = pieces.find(piece => piece.isHead);
	if (!head) return;
	for (const piece of pieces) if (piece.isNeck) piece.depth = Math.max(mean, head.depth) + 0.01 * body.figure.stature;
}

function gatherPieces(eye: Eye, body: Body): Piece[] {
	const { figure } = body, pieces: Piece[] = [], trunk: Piece[] = [];
	for (let i = 0, count = countPieces(figure); i < count; ++i) {
		const piece = seePiece(eye, body, i);
		if (!piece) continue;
		pieces.push(piece);
		if (figure.head && sideOfPiece(figure, i) === 0 && !piece.isNeck && !piece.isHead) trunk.push(piece);
	}
	orderTrunk(body, pieces, trunk);
	return pieces.sort((x, y) => y.depth - x.depth);
}

/** Pieces of one hue that follow one another are one body: outlines first, then all of them. */
export function paintBody(easel: Easel, body: Body): void {
	const pieces = gatherPieces(easel.eye, body);
	for (let first = 0; first < pieces.length;) {
		let next = first + 1;
		while (next < pieces.length && pieces[next].paint === pieces[first].paint) ++next;
		for (let pass = 0; pass < 2; ++pass)
			for (let k = first; k < next; ++k) paintPiece(easel, pieces[k], pass === 0);
		first = next;
	}
}
