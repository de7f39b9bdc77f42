// What a body is drawn from: pieces, each the hull of two balls. Limbs are such hulls already; the head is one, wider above
// than at the chin; and a figure without limbs is a ball at its root.
import { lengthOf3 } from "../length.js";
import type { Body, Figure } from "./scene.js";

/** Numbers of a piece: x, y, z and radius of either ball. */
export const PIECE = 8;

// The head about its middle, in its radius: the crown's ball, and the chin's and how large that is.
const CROWN = 0.26, CHIN = -0.4, CHIN_SIZE = 0.87;

// Where the head's middle is on the way from the neck, and the longest way that counts, in statures.
const HEAD_MIDDLE = 0.55, HEAD_LENGTH = 0.1;

// Radius of the ball that stands for a body without limbs, in statures.
const BALL = 0.03;

export function countPieces(figure: Figure): number {
	return Math.max(figure.limbs.length + (figure.head ? 1 : 0), 1);
}

export function isHead(figure: Figure, piece: number): boolean {
	return figure.head !== null && piece === figure.limbs.length;
}

/** 0 middle, 1 left, 2 right. */
export function sideOfPiece(figure: Figure, piece: number): number {
	return piece < figure.limbs.length ? figure.limbs[piece][4] : 0;
}

function placeBall(points: Float32Array, point: number, radius: number, out: Float32Array, at: number): void {
	out[at] = points[3 * point];
	out[at + 1] = points[3 * point + 1];
	out[at + 2] = points[3 * point + 2];
	out[at + 3] = radius;
}

function placeHead(body: Body, out: Float32Array, at: number): void {
	const head = body.figure.head!, from = head[0], radius = head[2], p = body.points, a = 3 * from, b = 3 * head[1];
	const x = p[b] - p[a], y = p[b + 1] - p[a + 1], z = p[b + 2] - p[a + 2], length = lengthOf3(x, y, z), inverse = length > 0 ? 1 / length : 0;
	const middle = HEAD_MIDDLE * Math.min(length, HEAD_LENGTH * body.figure.stature);
	placeBall(p, from, CHIN_SIZE * radius, out, at);
	placeBall(p, from, radius, out, at + 4);
	for (let end = 0; end < 2; ++end) {
		const way = middle + (end ? CROWN : CHIN) * radius, k = at + 4 * end;
		out[k] += way * x * inverse;
		out[k + 1] += way * (length > 0 ? y * inverse : 1);
		out[k + 2] += way * z * inverse;
	}
}

/** Write the balls of a body's piece to out[at ...]. */
export function placePiece(body: Body, piece: number, out: Float32Array, at: number): void {
	const { figure, points } = body;
	if (piece < figure.limbs.length) {
		const limb = figure.limbs[piece];
		placeBall(points, limb[0], limb[2], out, at);
		placeBall(points, limb[1], limb[3], out, at + 4);
	} else if (figure.head) placeHead(body, out, at);
	else {
		placeBall(points, 0, BALL * figure.stature, out, at);
		placeBall(points, 0, BALL * figure.stature, out, at + 4);
	}
}
