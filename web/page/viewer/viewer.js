// The viewer of a Reprise page: plays motions on a plain 2D canvas, so that it runs wherever a browser does, from
// file:// too, with nothing loaded. Metres, seconds, y up. See docs of rpWritePage for the data it reads.
"use strict";
(() => {
const $ = id => document.getElementById(id);
const clamp = (x, low, high) => Math.min(Math.max(x, low), high);
const narrow = matchMedia("(max-width: 760px)");
const scene = $("scene"), tracks = $("tracks");
// What is drawn with: the scene's, and for a moment that of a film strip in the list.
let pen = scene.getContext("2d");
// The tracks are painted once, on a canvas of their own, and shown with the playhead over them.
const sheet = document.createElement("canvas"), ink = sheet.getContext("2d");

/* ------------------------------------------------------------------ clips */

function decodeBytes(text) {
	const binary = atob(text), bytes = new Uint8Array(binary.length);
	for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
	return bytes.buffer;
}

// Numbers are written little-endian; almost every machine is. With `first` and `count`, only some of them.
function decodeNumbers(text, size, read, first = 0, count = Infinity) {
	const start = size * first, group = Math.floor(start / 3), end = Math.ceil((start + size * count) / 3);
	const bytes = decodeBytes(text.slice(4 * group, 4 * end)), skipped = start - 3 * group;
	const view = new DataView(bytes, skipped, Math.min(size * count, bytes.byteLength - skipped)), out = new (size === 4 ? Float32Array : Int16Array)(view.byteLength / size);
	for (let i = 0; i < out.length; ++i) out[i] = view[read](i * size, true);
	return out;
}

class Clip {
	constructor(source, index) {
		Object.assign(this, source);
		this.index = index;
		this.shown = false;
		// Offsets from the root are whole numbers, the farthest one 32767.
		this.unit = this.reach / 32767;
		this.lane = [0, 0];
		this.points = new Float32Array(3 * this.pointCount);
	}

	// Unpacked when first shown: a page may hold many.
	load() {
		if (this.roots) return;
		this.roots = decodeNumbers(this.root, 4, "getFloat32");
		this.offsets = decodeNumbers(this.data, 2, "getInt16");
		this.root = this.data = null;
		this.path = this.smoothPath();
		this.styles = this.wanted ? this.findStyles() : null;
		this.bounds = this.measure();
	}

	// Points of one frame about where the root is on the floor, without unpacking all the others.
	snap(frame) {
		const n = 3 * this.pointCount;
		const root = this.roots ? this.roots.slice(3 * frame, 3 * frame + 3) : decodeNumbers(this.root, 4, "getFloat32", 3 * frame, 3);
		const offsets = this.offsets ? this.offsets.slice(n * frame, n * frame + n) : decodeNumbers(this.data, 2, "getInt16", n * frame, n);
		return Float32Array.from(offsets, (q, k) => this.unit * q + (k % 3 === 1 ? root[1] : 0));
	}

	// Names of labels in the order of their colours, and which of them each frame has: the one that began last.
	findStyles() {
		const names = [...new Set(this.labels.map(label => label.name))], frames = new Int16Array(this.count).fill(-1);
		for (const label of [...this.labels].sort((a, b) => a.start - b.start))
			for (let i = Math.ceil(label.start * this.rate); i < Math.min(label.end * this.rate, this.count); ++i) frames[i] = names.indexOf(label.name);
		return { names, frames };
	}

	// Where the root is on the floor at a time, lane included.
	stand(time) {
		const [i, u] = this.locate(time), j = Math.min(i + 1, this.count - 1), r = this.roots;
		return [0, 2].map((k, n) => r[3 * i + k] + u * (r[3 * j + k] - r[3 * i + k]) + this.lane[n]);
	}

	// The root's way on the floor without the sway of each step, for the camera to follow.
	smoothPath() {
		const half = Math.round(0.35 * this.rate), out = new Float32Array(2 * this.count), sums = [[0], [0]];
		for (let i = 0; i < this.count; ++i) {
			sums[0].push(sums[0][i] + this.roots[3 * i]);
			sums[1].push(sums[1][i] + this.roots[3 * i + 2]);
		}
		for (let i = 0; i < this.count; ++i) {
			const reach = Math.min(half, i, this.count - 1 - i), low = i - reach, high = i + reach + 1;
			for (let k = 0; k < 2; ++k) out[2 * i + k] = (sums[k][high] - sums[k][low]) / (high - low);
		}
		return out;
	}

	// Where the body goes: its way on the floor, and the highest and widest it gets, from some hundred frames.
	measure() {
		const low = [Infinity, Infinity], high = [-Infinity, -Infinity];
		let top = this.floor + 0.3 * this.stature, girth = 0.2 * this.stature;
		for (let i = 0; i < this.count; ++i)
			for (let k = 0; k < 2; ++k) {
				low[k] = Math.min(low[k], this.path[2 * i + k]);
				high[k] = Math.max(high[k], this.path[2 * i + k]);
			}
		for (let i = 0; this.wanted && i < this.wanted.length; i += 3)
			for (let k = 0; k < 2; ++k) {
				low[k] = Math.min(low[k], this.wanted[i + 1 + k]);
				high[k] = Math.max(high[k], this.wanted[i + 1 + k]);
			}
		for (let i = 0; i < this.count; i += 1 + Math.floor(this.count / 300))
			for (let k = 0; k < this.pointCount; ++k) {
				const at = 3 * (i * this.pointCount + k), q = this.offsets;
				top = Math.max(top, this.roots[3 * i + 1] + this.unit * q[at + 1]);
				girth = Math.max(girth, this.unit * Math.hypot(q[at], q[at + 2]));
			}
		return { low, high, top, girth, extent: Math.hypot(high[0] - low[0], high[1] - low[1]) };
	}

	// The frame before a time and how far it is to the next.
	locate(time) {
		const f = clamp(time * this.rate, 0, this.count - 1), i = Math.min(Math.floor(f), Math.max(this.count - 2, 0));
		return [i, this.count > 1 ? f - i : 0];
	}

	follow(time) {
		const [i, u] = this.locate(time), j = Math.min(i + 1, this.count - 1), p = this.path;
		return [0, 1].map(k => p[2 * i + k] + u * (p[2 * j + k] - p[2 * i + k]) + this.lane[k]);
	}

	// Points of the body at a time, straight between frames.
	pose(time) {
		const [i, u] = this.locate(time), j = Math.min(i + 1, this.count - 1), n = 3 * this.pointCount;
		const a = i * n, b = j * n, out = this.points, q = this.offsets, r = this.roots, s = this.unit;
		const x = [0, 1, 2].map(k => r[3 * i + k] + u * (r[3 * j + k] - r[3 * i + k]));
		x[0] += this.lane[0];
		x[2] += this.lane[1];
		for (let k = 0; k < n; ++k) out[k] = x[k % 3] + s * (q[a + k] + u * (q[b + k] - q[a + k]));
		return out;
	}
}

const data = JSON.parse($("data").textContent);
const clips = data.clips.map((source, index) => new Clip(source, index));

/* ------------------------------------------------------------------ state */

const state = { time: 0, playing: false, speed: 1, loop: true, follow: false, path: true, contacts: true, main: null, dirty: true };
const camera = { yaw: 0.7, pitch: 0.28, distance: 4, lift: 0.9, target: [0, 0.9, 0], pan: [0, 0, 0], row: [1, 0] };
let colors = {}, size = { width: 1, height: 1, ratio: 1 };

const shown = () => clips.filter(clip => clip.shown);
const duration = () => Math.max(...shown().map(clip => clip.duration), 0);
const touch = () => { state.dirty = true; };

function readColors() {
	const style = getComputedStyle(document.documentElement);
	for (const name of ["ink", "quiet", "accent", "grid", "body", "left", "right", "edge", "shadow", "label", "phase", "line", "label-ink", "panel"])
		colors[name] = style.getPropertyValue("--" + name).trim();
	tracks.stale = true;
	colors.sides = ["body", "left", "right"].map(name => shades(colors[name]));
	colors.styles = style.getPropertyValue("--styles").trim().split(/[ ,]+/);
	for (const strip of document.querySelectorAll(".strip.seen")) drawStrip(strip);
	touch();
}

function mix(hex, other, t) {
	const parse = h => [1, 3, 5].map(i => parseInt(h.slice(i, i + 2), 16)), a = parse(hex), b = parse(other);
	return `rgb(${a.map((x, i) => Math.round(x + t * (b[i] - x))).join(",")})`;
}

const shades = hex => ({ light: mix(hex, "#ffffff", 0.26), base: mix(hex, "#ffffff", 0), dark: mix(hex, colors.edge, 0.3), edge: mix(hex, colors.edge, 0.55) });

/* ----------------------------------------------------------------- camera */

const NEAR = 0.05;
const eye = { right: [1, 0, 0], up: [0, 1, 0], back: [0, 0, 1], at: [0, 0, 0], focal: 1 };

function aim() {
	const sy = Math.sin(camera.yaw), cy = Math.cos(camera.yaw), sp = Math.sin(camera.pitch), cp = Math.cos(camera.pitch);
	eye.right = [cy, 0, -sy];
	eye.back = [sy * cp, sp, cy * cp];
	eye.up = [-sy * sp, cp, -cy * sp];
	eye.at = camera.target.map((x, i) => x + camera.pan[i] + camera.distance * eye.back[i]);
	eye.focal = 1.35 * Math.min(size.height, 1.3 * size.width);
}

// Into the eye's frame: right, up, and how far ahead.
function view(x, y, z) {
	const dx = x - eye.at[0], dy = y - eye.at[1], dz = z - eye.at[2], r = eye.right, u = eye.up, b = eye.back;
	return [dx * r[0] + dy * r[1] + dz * r[2], dx * u[0] + dy * u[1] + dz * u[2], -(dx * b[0] + dy * b[1] + dz * b[2])];
}

function project(v) {
	const s = eye.focal / Math.max(v[2], NEAR);
	return [size.width / 2 + s * v[0], size.height / 2 - s * v[1], s];
}

const see = (x, y, z) => project(view(x, y, z));

// Add a line on the floor to the path, cut where it passes behind the eye.
function traceLine(x0, y0, z0, x1, y1, z1) {
	let a = view(x0, y0, z0), b = view(x1, y1, z1);
	if (a[2] < NEAR && b[2] < NEAR) return;
	if (a[2] < NEAR || b[2] < NEAR) {
		const t = (NEAR - a[2]) / (b[2] - a[2]), cut = a.map((x, i) => x + t * (b[i] - x));
		if (a[2] < NEAR) a = cut; else b = cut;
	}
	const p = project(a), q = project(b);
	pen.moveTo(p[0], p[1]);
	pen.lineTo(q[0], q[1]);
}

// Corners of what is to be seen: where the bodies go, or, followed, the space around one.
function listCorners() {
	const corners = [];
	for (const clip of shown()) {
		const { low, high, top, girth } = clip.bounds, [fx, fz] = clip.follow(state.time), [lx, lz] = clip.lane;
		const box = state.follow ? [fx, fx, fz, fz] : [low[0] + lx, high[0] + lx, low[1] + lz, high[1] + lz];
		for (let k = 0; k < 8; ++k)
			corners.push([box[k & 1] + (k & 1 ? girth : -girth), k & 2 ? top + 0.06 * clip.stature : clip.floor, box[2 + (k >> 2)] + (k & 4 ? girth : -girth)]);
	}
	return corners;
}

function resetView() {
	const clip = state.main;
	if (!clip) return;
	camera.yaw = clip.heading - 0.87;
	camera.row = [Math.cos(camera.yaw), -Math.sin(camera.yaw)];
	layLanes();
	const corners = listCorners(), middle = k => (Math.min(...corners.map(c => c[k])) + Math.max(...corners.map(c => c[k]))) / 2;
	camera.pan = [0, 0, 0];
	camera.pitch = 0.22;
	camera.target = [middle(0), middle(1), middle(2)];
	camera.lift = camera.target[1] - clip.floor;
	// As near as everything fits, leaving room for the texts above and below.
	let near = 0.5 * clip.stature, far = 2000;
	for (let k = 0; k < 40; ++k) {
		camera.distance = Math.sqrt(near * far);
		aim();
		const fits = corners.every(c => {
			const v = view(...c), p = project(v);
			return v[2] > NEAR && p[0] > 0.04 * size.width && p[0] < 0.96 * size.width && p[1] > (narrow.matches ? 0.27 : 0.13) * size.height && p[1] < 0.92 * size.height;
		});
		if (fits) far = camera.distance; else near = camera.distance;
	}
	touch();
}

/* ---------------------------------------------------------------- drawing */

// Lines every metre, or every ten or hundred when seen from afar, fading with distance.
function drawGrid() {
	const centre = camera.target.map((x, i) => x + camera.pan[i]), floor = state.main.floor;
	const cell = camera.distance > 300 ? 100 : camera.distance > 30 ? 10 : 1;
	const reach = Math.ceil(clamp(1.8 * camera.distance / cell, 6, 26)), cx = cell * Math.round(centre[0] / cell), cz = cell * Math.round(centre[2] / cell);
	// Pieces in a few groups of equal paleness: each group is one stroke.
	const step = reach > 14 ? 2 : 1, groups = [[], [], [], [], [], []];
	for (let i = -reach; i <= reach; ++i)
		for (let j = -reach; j < reach; j += step) {
			const d = Math.hypot(i, j + step / 2) / reach, group = Math.floor((1 - d) * 6);
			if (group >= 0) groups[Math.min(group, 5)].push(cell * i, cell * j);
		}
	$("cell").textContent = `${cell} m`;
	pen.strokeStyle = colors.grid;
	pen.lineWidth = 1;
	groups.forEach((pairs, group) => {
		pen.globalAlpha = (group + 1) / 6.5;
		pen.beginPath();
		for (let k = 0; k < pairs.length; k += 2) {
			const i = pairs[k], j = pairs[k + 1], end = j + cell * step;
			traceLine(cx + i, floor, cz + j, cx + i, floor, cz + end);
			traceLine(cx + j, floor, cz + i, cx + end, floor, cz + i);
		}
		pen.stroke();
	});
	pen.globalAlpha = 1;
}

// A long motion leaves more prints, and a longer way, than can be told apart: those of some seconds are shown.
const PRINTS = 150, PRINT_TIME = 3, PATH_TIME = 12;

// The frames whose way is shown: all, or, followed, those of some seconds, in pieces short enough to look round.
function listPieces(clip) {
	const [now] = clip.locate(state.time), window = state.follow ? Math.round(PATH_TIME * clip.rate) : clip.count;
	const start = Math.max(now - window, 0), length = Math.min(now + window, clip.count - 1) - start, pieces = Math.min(length, 700);
	return Array.from({ length: pieces }, (_, k) => [start + Math.floor(k * length / pieces), start + Math.floor((k + 1) * length / pieces)]);
}

const styleColor = style => (style < 0 ? colors.accent : colors.styles[style % colors.styles.length]);

// One stroke for each colour, what is past darker.
function drawPath(clip) {
	const [now] = clip.locate(state.time), strokes = new Map(), r = clip.roots, [x, z] = clip.lane;
	for (const [i, j] of listPieces(clip)) {
		const style = clip.styles ? clip.styles.frames[i] : -1, key = 2 * style + (j <= now);
		if (!strokes.has(key)) strokes.set(key, { style, past: j <= now, pieces: [] });
		strokes.get(key).pieces.push([i, j]);
	}
	if (clip.wanted) drawWanted(clip);
	pen.lineWidth = clip.wanted ? 3 : 2;
	for (const { style, past, pieces } of [...strokes.values()].sort((a, b) => a.past - b.past)) {
		pen.beginPath();
		for (const [i, j] of pieces) traceLine(r[3 * i] + x, clip.floor, r[3 * i + 2] + z, r[3 * j] + x, clip.floor, r[3 * j + 2] + z);
		pen.strokeStyle = styleColor(style);
		pen.globalAlpha = past ? 0.9 : clip.wanted ? 0.5 : 0.32;
		pen.stroke();
	}
	pen.globalAlpha = 1;
	if (clip.wanted) drawSeams(clip);
}

// The path that was asked for, broad and pale under the one that was walked.
function drawWanted(clip) {
	const w = clip.wanted, [x, z] = clip.lane, window = state.follow ? PATH_TIME : Infinity;
	pen.beginPath();
	for (let i = 3; i < w.length; i += 3)
		if (w[i] >= state.time - window && w[i - 3] <= state.time + window) traceLine(w[i - 2] + x, clip.floor, w[i - 1] + z, w[i + 1] + x, clip.floor, w[i + 2] + z);
	pen.strokeStyle = colors.quiet;
	pen.globalAlpha = 0.3;
	pen.lineWidth = 9;
	pen.lineCap = "round";
	pen.stroke();
	pen.lineCap = "butt";
}

function drawSeams(clip) {
	const window = state.follow ? PATH_TIME : Infinity;
	pen.lineWidth = 1.5;
	for (const { name, time } of clip.events) {
		if (name !== "seam" || Math.abs(time - state.time) > window) continue;
		const [x, z] = clip.stand(time);
		pen.beginPath();
		traceRing(x, clip.floor, z, 0.03 * clip.stature);
		pen.fillStyle = colors.panel;
		pen.strokeStyle = colors.ink;
		pen.fill();
		pen.stroke();
	}
}

// A closed ring on the floor, as points on the picture; null when part of it is behind the eye.
function traceRing(x, y, z, radius) {
	for (let k = 0; k < 14; ++k) {
		const a = 2 * Math.PI * k / 14, v = view(x + radius * Math.cos(a), y, z + radius * Math.sin(a));
		if (v[2] < NEAR) return;
		const p = project(v);
		if (k === 0) pen.moveTo(p[0], p[1]); else pen.lineTo(p[0], p[1]);
	}
	pen.closePath();
}

function drawContacts(clip) {
	const many = clip.contacts.length > PRINTS;
	for (const contact of clip.contacts) {
		if (many && (contact.end < state.time - PRINT_TIME || contact.start > state.time + PRINT_TIME)) continue;
		const lit = state.time >= contact.start && state.time < contact.end;
		const color = colors[["body", "left", "right"][contact.side]];
		pen.beginPath();
		traceRing(contact.at[0] + clip.lane[0], contact.at[1], contact.at[2] + clip.lane[1], contact.radius * clip.stature * (lit ? 1.3 : 1));
		pen.fillStyle = pen.strokeStyle = color;
		pen.globalAlpha = lit ? 0.75 : 0.13;
		pen.fill();
		pen.globalAlpha = lit ? 1 : 0.4;
		pen.lineWidth = lit ? 2 : 1;
		pen.stroke();
	}
	pen.globalAlpha = 1;
}

// Limbs flattened on the floor, in one path so that they do not darken one another.
function drawShadow(clip, p) {
	const floor = clip.floor;
	pen.beginPath();
	for (const [a, b, ra, rb] of clip.limbs) {
		const ends = [[a, ra], [b, rb]].map(([k, r]) => {
			const h = Math.max(p[3 * k + 1] - floor, 0);
			return [p[3 * k] + 0.16 * h, p[3 * k + 2] - 0.12 * h, r];
		});
		const angle = Math.atan2(ends[1][1] - ends[0][1], ends[1][0] - ends[0][0]), outline = [];
		for (let k = 0; k < 12; ++k) {
			const end = ends[k < 6 ? 1 : 0], t = angle + Math.PI * (k < 6 ? k / 5 - 0.5 : (k - 6) / 5 + 0.5);
			outline.push(view(end[0] + end[2] * Math.cos(t), floor, end[1] + end[2] * Math.sin(t)));
		}
		if (outline.some(v => v[2] < NEAR)) continue;
		outline.forEach((v, k) => { const q = project(v); if (k) pen.lineTo(q[0], q[1]); else pen.moveTo(q[0], q[1]); });
		pen.closePath();
	}
	pen.fillStyle = colors.shadow;
	pen.fill();
}

function traceCapsule(a, ra, b, rb) {
	const dx = b[0] - a[0], dy = b[1] - a[1], d = Math.hypot(dx, dy);
	pen.beginPath();
	if (d <= Math.abs(ra - rb) + 1e-6) {
		const [c, r] = ra > rb ? [a, ra] : [b, rb];
		pen.arc(c[0], c[1], r, 0, 2 * Math.PI);
		return;
	}
	const along = Math.atan2(dy, dx), tilt = Math.acos((ra - rb) / d);
	pen.arc(a[0], a[1], ra, along + tilt, along - tilt + 2 * Math.PI);
	pen.arc(b[0], b[1], rb, along - tilt, along + tilt);
	pen.closePath();
}

// Light falls across a limb from the upper left.
function shade(x, y, radius, nx, ny, tone) {
	const sign = -0.55 * nx - 0.83 * ny >= 0 ? 1 : -1, ox = sign * nx * radius, oy = sign * ny * radius;
	const fill = pen.createLinearGradient(x + ox, y + oy, x - ox, y - oy);
	fill.addColorStop(0, tone.light);
	fill.addColorStop(0.45, tone.base);
	fill.addColorStop(1, tone.dark);
	return fill;
}

function drawPiece(piece, pass) {
	const tone = colors.sides[piece.side];
	pen.lineJoin = "round";
	if (piece.head) {
		const { centre, angle, long, wide } = piece;
		pen.beginPath();
		pen.ellipse(centre[0], centre[1], long, wide, angle, 0, 2 * Math.PI);
		if (pass === 0) { pen.strokeStyle = tone.edge; pen.lineWidth = clamp(0.07 * wide, 0.8, 2.4); pen.stroke(); }
		else { pen.fillStyle = shade(centre[0], centre[1], wide, -0.55, -0.83, tone); pen.fill(); }
		return;
	}
	const { a, b, ra, rb } = piece, radius = Math.max(ra, rb);
	traceCapsule(a, ra, b, rb);
	if (pass === 0) {
		pen.strokeStyle = tone.edge;
		pen.lineWidth = clamp(0.1 * radius, 0.8, 2.4);
		pen.stroke();
		return;
	}
	const dx = b[0] - a[0], dy = b[1] - a[1], d = Math.hypot(dx, dy);
	pen.fillStyle = d > 1e-6 ? shade((a[0] + b[0]) / 2, (a[1] + b[1]) / 2, radius, -dy / d, dx / d, tone) : shade(a[0], a[1], radius, -0.55, -0.83, tone);
	pen.fill();
}

function gatherPieces(clip, p) {
	const pieces = [];
	for (const [i, j, ri, rj, side, neck] of clip.limbs) {
		const va = view(p[3 * i], p[3 * i + 1], p[3 * i + 2]), vb = view(p[3 * j], p[3 * j + 1], p[3 * j + 2]);
		if (va[2] < NEAR || vb[2] < NEAR) continue;
		const a = project(va), b = project(vb);
		pieces.push({ a, b, ra: ri * a[2], rb: rj * b[2], side, neck, depth: (va[2] + vb[2]) / 2 - 0.3 * (ri + rj) });
	}
	// A known body's trunk is one thing: no limb comes between its pieces, and the neck goes behind it and the head.
	const trunk = clip.head ? pieces.filter(piece => piece.side === 0 && !piece.neck) : [];
	const mean = trunk.reduce((sum, piece) => sum + piece.depth, 0) / Math.max(trunk.length, 1);
	for (const piece of trunk) piece.depth = mean + 1e-3 * (piece.depth - mean);
	if (clip.head) {
		const [i, j, radius] = clip.head, axis = [0, 1, 2].map(k => p[3 * j + k] - p[3 * i + k]), length = Math.hypot(...axis);
		const unit = length > 0 ? axis.map(x => x / length) : [0, 1, 0], reach = 0.55 * Math.min(length, 0.1 * clip.stature);
		const middle = view(...unit.map((x, k) => p[3 * i + k] + reach * x)), centre = project(middle);
		const tip = view(...unit.map((x, k) => p[3 * i + k] + (reach + 0.1) * x)), along = [tip[0] - middle[0], tip[1] - middle[1]];
		if (middle[2] > NEAR) {
			for (const piece of pieces) if (piece.neck) piece.depth = Math.max(mean, middle[2] - 0.6 * radius) + 0.01 * clip.stature;
			const wide = radius * centre[2], seen = Math.min(Math.hypot(...along) / 0.1, 1);
			pieces.push({ head: true, side: 0, centre, wide, long: wide * (1 + 0.28 * seen), angle: Math.atan2(-along[1], along[0]), depth: middle[2] - 0.6 * radius });
		}
	}
	if (!pieces.length) {
		const v = view(p[0], p[1], p[2]), c = project(v);
		if (v[2] > NEAR) pieces.push({ a: c, b: c, ra: 0.03 * clip.stature * c[2], rb: 0, side: 0, depth: v[2] });
	}
	return pieces.sort((x, y) => y.depth - x.depth);
}

// Pieces of one hue that follow one another are one body: edges first, then all of them.
function drawBody(clip, p) {
	const pieces = gatherPieces(clip, p);
	for (let first = 0; first < pieces.length;) {
		let next = first + 1;
		while (next < pieces.length && pieces[next].side === pieces[first].side) ++next;
		for (let pass = 0; pass < 2; ++pass)
			for (let k = first; k < next; ++k) drawPiece(pieces[k], pass);
		first = next;
	}
}

function drawName(clip, p) {
	const top = see(p[0], clip.floor + 1.12 * clip.stature, p[2]);
	pen.font = "600 13px system-ui, sans-serif";
	pen.textAlign = "center";
	pen.fillStyle = colors.quiet;
	pen.fillText(clip.name, top[0], top[1]);
}

function draw() {
	const list = shown();
	pen.setTransform(size.ratio, 0, 0, size.ratio, 0, 0);
	pen.clearRect(0, 0, size.width, size.height);
	if (!state.main) return;
	if (state.follow) {
		layLanes();
		const [x, z] = list.length > 1 ? [0, 0] : state.main.follow(state.time);
		camera.target = [x, state.main.floor + camera.lift, z];
	}
	aim();
	drawGrid();
	const bodies = list.map(clip => ({ clip, points: clip.pose(state.time) }));
	for (const { clip, points } of bodies) {
		if (state.path) drawPath(clip);
		drawShadow(clip, points);
		if (state.contacts) drawContacts(clip);
	}
	bodies.sort((a, b) => view(b.points[0], 0, b.points[2])[2] - view(a.points[0], 0, a.points[2])[2]);
	for (const { clip, points } of bodies) {
		drawBody(clip, points);
		if (list.length > 1) drawName(clip, points);
	}
}

/* --------------------------------------------------------------- timeline */

const ROW = 17;
// Room for the rows' names; none are needed when there are no rows.
const gutter = () => (tracks.rows && tracks.rows.length ? (narrow.matches ? 54 : 78) : 8);

// Rows of the tracks under the bar: labels, phases, one per effector that touches.
function listRows(clip) {
	const rows = [], effectors = new Map();
	for (const contact of clip.contacts) {
		if (!effectors.has(contact.name)) effectors.set(contact.name, []);
		effectors.get(contact.name).push(contact);
	}
	// Labels may overlap: as many rows as it takes.
	const lanes = [];
	for (const label of clip.labels) {
		const lane = lanes.find(l => l[l.length - 1].end <= label.start + 1e-9);
		if (lane) lane.push(label); else lanes.push([label]);
	}
	lanes.slice(0, 4).forEach((items, k) => rows.push({ title: k ? "" : "label", kind: "label", items }));
	if (clip.phases.length) rows.push({ title: "phase", kind: "phase", items: clip.phases });
	// Left above right, heel above ball; hands and seat come last.
	const order = ["left_heel", "left_ball", "left_toe", "right_heel", "right_ball", "right_toe"];
	const rank = name => (order.indexOf(name) + 1 || order.length + 1);
	for (const [name, items] of [...effectors].sort((a, b) => rank(a[0]) - rank(b[0]))) rows.push({ title: name.replace("left", "L").replace("right", "R").replace("_", " "), kind: "contact", items });
	return rows;
}

function layTracks() {
	const rows = state.main ? listRows(state.main) : [], width = tracks.clientWidth;
	tracks.rows = rows;
	$("scrub").style.setProperty("--gutter", gutter() + "px");
	const height = Math.max(rows.length * ROW + 4, 6);
	tracks.style.height = height + "px";
	tracks.width = Math.round(width * size.ratio);
	tracks.height = Math.round(height * size.ratio);
	tracks.stale = true;
}

function drawItem(item, kind, x0, x1, y) {
	const w = Math.max(x1 - x0 - 1, 1), h = kind === "contact" ? 7 : ROW - 4, top = y + (ROW - h) / 2;
	// A clip along a path has its labels in the colours that they have there.
	const styles = kind === "label" ? state.main.styles : null;
	ink.fillStyle = styles ? styleColor(styles.names.indexOf(item.name)) : kind === "label" ? colors.label : kind === "phase" ? colors.phase : colors[["body", "left", "right"][item.side]];
	ink.beginPath();
	ink.roundRect(x0, top, w, h, Math.min(3.5, w / 2));
	ink.fill();
	if (kind !== "contact" && w > 12) {
		ink.save();
		ink.clip();
		ink.fillStyle = styles ? colors.panel : kind === "label" ? colors["label-ink"] : colors.quiet;
		ink.textAlign = w > 60 ? "left" : "center";
		ink.fillText(item.name, w > 60 ? x0 + 6 : x0 + w / 2, y + ROW / 2 + 0.5);
		ink.restore();
	}
}

function paintTracks() {
	const width = tracks.clientWidth, left = gutter(), scale = (width - left) / (duration() || 1);
	sheet.width = tracks.width;
	sheet.height = tracks.height;
	ink.setTransform(size.ratio, 0, 0, size.ratio, 0, 0);
	ink.font = "11px system-ui, sans-serif";
	ink.textBaseline = "middle";
	tracks.rows.forEach((row, k) => {
		ink.textAlign = "right";
		ink.fillStyle = colors.quiet;
		ink.fillText(row.title, left - 10, k * ROW + ROW / 2 + 0.5);
		for (const item of row.items) drawItem(item, row.kind, left + scale * item.start, left + scale * item.end, k * ROW);
	});
	ink.fillStyle = colors.quiet;
	ink.globalAlpha = 0.35;
	for (const event of state.main.events) ink.fillRect(left + scale * event.time, 0, 1, tracks.clientHeight);
	ink.globalAlpha = 1;
}

function drawTracks() {
	const out = tracks.getContext("2d"), left = gutter(), scale = (tracks.clientWidth - left) / (duration() || 1);
	if (tracks.stale) paintTracks();
	tracks.stale = false;
	out.setTransform(1, 0, 0, 1, 0, 0);
	out.clearRect(0, 0, tracks.width, tracks.height);
	out.drawImage(sheet, 0, 0);
	out.setTransform(size.ratio, 0, 0, size.ratio, 0, 0);
	out.fillStyle = colors.accent;
	out.fillRect(left + scale * state.time - 0.75, 0, 1.5, tracks.clientHeight);
}

/* ----------------------------------------------------------------- clocks */

// How much of a slider lies behind its thumb, for the style.
function fillBar(bar) {
	const part = (bar.value - bar.min) / (bar.max - bar.min || 1);
	bar.style.setProperty("--done", `calc(${(100 * part).toFixed(3)}% + ${(8 - 16 * part).toFixed(3)}px)`);
}

function showTime() {
	const clip = state.main, frame = Math.round(clamp(state.time, 0, clip.duration) * clip.fps);
	$("time").textContent = state.time.toFixed(2);
	$("frame").textContent = `frame ${frame} of ${clip.frames}`;
	$("scrub").value = state.time;
	fillBar($("scrub"));
	$("scrub").setAttribute("aria-valuetext", `${state.time.toFixed(2)} seconds, frame ${frame}`);
}

function setTime(time) {
	state.time = clamp(time, 0, duration());
	touch();
}

function step(frames) {
	play(false);
	const fps = state.main.fps;
	setTime((Math.round(state.time * fps) + frames) / fps);
}

function play(on) {
	state.playing = on;
	if (on && !state.loop && state.time >= duration() - 1e-6) state.time = 0;
	$("play").setAttribute("aria-label", on ? "Pause" : "Play");
	$("play-icon").setAttribute("d", on ? "M5.500 3.500h3.300v13H5.500zM11.200 3.500h3.300v13h-3.300z" : "M6 3.500v13l10.500-6.500z");
	touch();
}

let last = 0;
function tick(now) {
	const dt = Math.min((now - last) / 1000, 0.1), total = duration();
	last = now;
	if (state.playing && state.main) {
		state.time += dt * state.speed;
		if (state.time > total) {
			if (state.loop && total > 0) state.time %= total;
			else { state.time = total; play(false); }
		}
		touch();
	}
	if (state.dirty && state.main) {
		state.dirty = false;
		draw();
		drawTracks();
		showTime();
	}
	requestAnimationFrame(tick);
}

/* ------------------------------------------------------------------ clips */

// Bodies side by side: each clip in a lane as wide as its way; or, followed, all kept in a row across the view.
function layLanes() {
	const list = shown();
	for (const clip of clips) clip.lane = [0, 0];
	if (list.length < 2) return;
	const pitch = Math.max(...list.map(clip => 1.1 * clip.bounds.girth + 0.4 * clip.stature));
	let x = 0;
	list.forEach((clip, k) => {
		const { low, high } = clip.bounds;
		if (state.follow) {
			const [px, pz] = clip.follow(state.time), slot = pitch * (k - (list.length - 1) / 2);
			clip.lane = [slot * camera.row[0] - px, slot * camera.row[1] - pz];
		} else {
			clip.lane = [x - low[0] + 0.4 * clip.stature, -clip.path[1]];
			x += high[0] - low[0] + 0.9 * clip.stature;
		}
	});
}

function refresh(keepView) {
	const list = shown(), clip = state.main;
	layLanes();
	clips.forEach((c, i) => {
		const item = $("clip-list").children[i];
		item.classList.toggle("shown", c.shown);
		item.firstChild.setAttribute("aria-current", c === clip ? "true" : "false");
		item.lastChild.setAttribute("aria-pressed", String(c.shown));
		item.lastChild.textContent = c.shown ? "\u2212" : "+";
		// The only clip shown cannot be taken away.
		item.lastChild.style.visibility = c.shown && list.length === 1 ? "hidden" : "";
	});
	$("clip-name").textContent = list.length > 1 ? `${list.length} clips side by side` : clip.name;
	$("clip-facts").textContent = list.length > 1 ? `tracks of ${clip.name}` : `${clip.duration.toFixed(2)} s \u00b7 ${clip.frames} frame${clip.frames === 1 ? "" : "s"} at ${+clip.fps.toFixed(3)} Hz \u00b7 ${clip.joints} joints \u00b7 ${clip.stature.toFixed(2)} m tall`;
	$("path-legend").hidden = !list.some(c => c.wanted);
	$("scrub").max = duration() || 1;
	setTime(state.time);
	layTracks();
	if (!keepView) resetView();
}

function select(index, beside) {
	const clip = clips[index];
	clip.load();
	if (beside) {
		if (clip.shown && shown().length === 1) return;
		clip.shown = !clip.shown;
		state.main = clip.shown ? clip : shown()[0];
		setFollow(shown().some(c => c.bounds.extent > 2.5 * c.stature));
	} else {
		for (const c of clips) c.shown = c === clip;
		state.main = clip;
		state.time = 0;
		setFollow(clip.bounds.extent > 2.5 * clip.stature);
	}
	refresh(false);
}

function setFollow(on) {
	state.follow = on;
	$("follow").setAttribute("aria-pressed", String(on));
	touch();
}

// Several bodies stand elsewhere when followed, so the view starts anew.
function toggleFollow() {
	setFollow(!state.follow);
	layLanes();
	if (shown().length > 1) resetView();
}

// A film strip of a clip for the list: moments side by side, each seen as the clip is when it is chosen.
const STRIP_CELL = 0.72; // of its height
function drawStrip(strip) {
	const clip = clips[strip.dataset.clip], ratio = Math.min(devicePixelRatio || 1, 2), { clientWidth: width, clientHeight: height } = strip;
	const cell = STRIP_CELL * height, count = Math.max(Math.min(Math.floor(width / cell), clip.count), 1);
	if (width < 1 || height < 1) return;
	const poses = Array.from({ length: count }, (_, k) => clip.snap(count > 1 ? Math.round(k * (clip.count - 1) / (count - 1)) : 0));
	const top = Math.max(...poses.map(p => Math.max(...p.filter((_, k) => k % 3 === 1))), clip.floor + clip.stature);
	const middle = (top + clip.floor) / 2, distance = 12 * clip.stature;
	const kept = { pen, size, eye: { ...eye }, camera: { ...camera } };
	strip.width = Math.round(width * ratio);
	strip.height = Math.round(height * ratio);
	pen = strip.getContext("2d");
	size = { width: width / count, height, ratio };
	Object.assign(camera, { yaw: clip.heading - 0.87, pitch: 0.12, distance, target: [0, middle, 0], pan: [0, 0, 0] });
	aim();
	eye.focal = 0.88 * height / Math.max(top - clip.floor, 1e-3) * distance;
	poses.forEach((points, k) => {
		pen.setTransform(ratio, 0, 0, ratio, ratio * k * size.width, 0);
		drawShadow(clip, points);
		drawBody(clip, points);
	});
	({ pen, size } = kept);
	Object.assign(eye, kept.eye);
	Object.assign(camera, kept.camera);
	strip.classList.add("seen");
}

// Drawn when it comes into sight: a page may hold hundreds.
const sight = new IntersectionObserver(entries => {
	for (const { isIntersecting, target } of entries) if (isIntersecting) { sight.unobserve(target); drawStrip(target); }
}, { rootMargin: "200px" });

function makeStrip(clip, index) {
	const strip = document.createElement("canvas");
	strip.className = "strip";
	strip.dataset.clip = index;
	strip.setAttribute("role", "img");
	strip.setAttribute("aria-label", `Film strip of ${clip.name}`);
	sight.observe(strip);
	return strip;
}

function buildList() {
	$("clip-count").textContent = clips.length > 1 ? clips.length : "";
	clips.forEach((clip, i) => {
		const item = document.createElement("li"), button = document.createElement("button"), beside = document.createElement("button");
		const name = document.createElement("b"), facts = document.createElement("span");
		name.textContent = clip.name;
		facts.textContent = `${clip.duration.toFixed(2)} s \u00b7 ${+clip.fps.toFixed(2)} Hz`;
		button.type = beside.type = "button";
		button.className = "clip";
		button.append(name, facts);
		if (clips.length > 1) button.append(makeStrip(clip, i));
		button.title = clip.name;
		button.addEventListener("click", event => select(i, event.ctrlKey || event.metaKey));
		beside.className = "beside";
		beside.setAttribute("aria-label", `Show ${clip.name} beside`);
		beside.title = "Show beside the others";
		beside.addEventListener("click", () => select(i, true));
		beside.hidden = clips.length < 2;
		item.append(button, beside);
		$("clip-list").append(item);
	});
}

/* ------------------------------------------------------------------ input */

function zoom(factor) {
	camera.distance = clamp(camera.distance * factor, 0.4, 400);
	touch();
}

function orbit(dx, dy) {
	camera.yaw -= 0.0075 * dx;
	camera.pitch = clamp(camera.pitch + 0.0075 * dy, -0.12, 1.5);
	touch();
}

function pan(dx, dy) {
	const s = camera.distance / eye.focal;
	camera.pan = camera.pan.map((x, i) => x - s * dx * eye.right[i] + s * dy * eye.up[i]);
	touch();
}

function listenToPointers() {
	const pointers = new Map();
	scene.addEventListener("pointerdown", event => {
		scene.setPointerCapture(event.pointerId);
		pointers.set(event.pointerId, [event.clientX, event.clientY]);
		scene.classList.add("turning");
	});
	scene.addEventListener("pointermove", event => {
		const before = pointers.get(event.pointerId);
		if (!before) return;
		const now = [event.clientX, event.clientY], dx = now[0] - before[0], dy = now[1] - before[1];
		if (pointers.size === 2) {
			const other = [...pointers].find(([id]) => id !== event.pointerId)[1];
			const was = Math.hypot(before[0] - other[0], before[1] - other[1]), is = Math.hypot(now[0] - other[0], now[1] - other[1]);
			if (was > 10 && is > 10) zoom(was / is);
			pan(dx / 2, dy / 2);
		} else if (event.shiftKey || event.buttons & 6) pan(dx, dy);
		else orbit(dx, dy);
		pointers.set(event.pointerId, now);
	});
	for (const type of ["pointerup", "pointercancel"])
		scene.addEventListener(type, event => {
			pointers.delete(event.pointerId);
			if (!pointers.size) scene.classList.remove("turning");
		});
	scene.addEventListener("wheel", event => { event.preventDefault(); zoom(Math.exp(clamp(event.deltaY, -200, 200) * 0.0016)); }, { passive: false });
	scene.addEventListener("contextmenu", event => event.preventDefault());
	scene.addEventListener("dblclick", resetView);
}

function listenToTracks() {
	const seek = event => {
		const box = tracks.getBoundingClientRect(), left = gutter();
		setTime((event.clientX - box.left - left) / Math.max(box.width - left, 1) * duration());
	};
	tracks.addEventListener("pointerdown", event => { tracks.setPointerCapture(event.pointerId); seek(event); });
	tracks.addEventListener("pointermove", event => { if (event.buttons) seek(event); });
}

function toggle(name, id) {
	state[name] = !state[name];
	$(id).setAttribute("aria-pressed", String(state[name]));
	touch();
}

const keys = {
	" ": () => play(!state.playing),
	",": () => step(-1),
	".": () => step(1),
	ArrowLeft: event => step(event.shiftKey ? -10 : -1),
	ArrowRight: event => step(event.shiftKey ? 10 : 1),
	ArrowUp: () => select((state.main.index + clips.length - 1) % clips.length, false),
	ArrowDown: () => select((state.main.index + 1) % clips.length, false),
	Home: () => setTime(0),
	End: () => setTime(duration()),
	f: toggleFollow,
	l: () => toggle("loop", "loop"),
	p: () => toggle("path", "show-path"),
	c: () => toggle("contacts", "show-contacts"),
	r: resetView,
	"+": () => zoom(0.9),
	"=": () => zoom(0.9),
	"-": () => zoom(1 / 0.9),
	"[": () => setSpeed(state.speed - 0.1),
	"]": () => setSpeed(state.speed + 0.1),
};

function listenToKeys() {
	addEventListener("keydown", event => {
		if (event.ctrlKey || event.metaKey || event.altKey || !state.main) return;
		const target = event.target, key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
		// A button takes the space bar itself, the speed its arrows; time's arrows go frame by frame.
		if (key === " " && target.tagName === "BUTTON") return;
		if (target.id === "speed" && (key.startsWith("Arrow") || key === "Home" || key === "End")) return;
		if (!Object.hasOwn(keys, key)) return;
		event.preventDefault();
		keys[key](event);
	});
}

function setSpeed(speed) {
	state.speed = clamp(Math.round(speed * 20) / 20, 0.1, 2);
	$("speed").value = state.speed;
	fillBar($("speed"));
	$("speed-value").textContent = state.speed.toFixed(2) + "\u00d7";
}

function listen() {
	$("play").addEventListener("click", () => play(!state.playing));
	$("back").addEventListener("click", () => step(-1));
	$("forward").addEventListener("click", () => step(1));
	$("to-start").addEventListener("click", () => setTime(0));
	$("loop").addEventListener("click", () => toggle("loop", "loop"));
	$("follow").addEventListener("click", toggleFollow);
	$("show-path").addEventListener("click", () => toggle("path", "show-path"));
	$("show-contacts").addEventListener("click", () => toggle("contacts", "show-contacts"));
	$("reset").addEventListener("click", resetView);
	$("scrub").addEventListener("input", event => setTime(+event.target.value));
	$("speed").addEventListener("input", event => setSpeed(+event.target.value));
	matchMedia("(prefers-color-scheme: dark)").addEventListener("change", readColors);
	new ResizeObserver(resize).observe(scene);
	listenToPointers();
	listenToTracks();
	listenToKeys();
}

function resize() {
	const box = scene.getBoundingClientRect(), ratio = Math.min(devicePixelRatio || 1, 2);
	size = { width: Math.max(box.width, 1), height: Math.max(box.height, 1), ratio };
	scene.width = Math.round(size.width * ratio);
	scene.height = Math.round(size.height * ratio);
	layTracks();
	aim();
	for (const strip of document.querySelectorAll(".strip.seen")) if (strip.width !== Math.round(strip.clientWidth * ratio)) drawStrip(strip);
	touch();
}

readColors();
setSpeed(1);
buildList();
listen();
resize();
if (clips.length) {
	select(0, false);
	play(!matchMedia("(prefers-reduced-motion: reduce)").matches);
}
requestAnimationFrame(tick);
})();
