// A clip of the page: its numbers, unpacked when it is first shown, and where its body is at a time.
import { decodeBase64 } from "../bytes.js";
import type { ClipData } from "../data.js";

// Offsets from the root are whole numbers, the farthest one this.
const FARTHEST = 32767;

// Half the time over which the root's way is smoothed, seconds: about a step.
const SMOOTH_TIME = 0.35;

// Frames that are enough to tell how high and wide a body gets.
const MEASURED_FRAMES = 300;

const FLOAT = 4, SHORT = 2;

/** Numbers of a text, from one on and so many; little-endian, whatever the machine is. */
function decodeNumbers(text: string, size: typeof FLOAT | typeof SHORT, first = 0, count = Infinity): Float32Array | Int16Array {
	// Three bytes are four letters.
	const start = size * first, group = Math.floor(start / 3), end = Math.ceil((start + size * count) / 3);
	const bytes = decodeBase64(text.slice(4 * group, 4 * end)), skipped = start - 3 * group;
	const view = new DataView(bytes.buffer, skipped, Math.min(size * count, bytes.byteLength - skipped));
	const out = size === FLOAT ? new Float32Array(view.byteLength / size) : new Int16Array(view.byteLength / size);
	for (let i = 0; i < out.length; ++i) out[i] = size === FLOAT ? view.getFloat32(i * size, true) : view.getInt16(i * size, true);
	return out;
}

/** Where a body goes on the floor, the highest it gets, and the widest from its way. */
export interface Bounds {
	/** x and z. */
	low: [number, number];
	high: [number, number];
	top: number;
	girth: number;
	/** From corner to corner. */
	extent: number;
}

/** Names of labels in the order of their colours, and which of them each frame has, -1 for none. */
export interface Styles {
	names: string[];
	frames: Int16Array;
}

/** Between two frames of those that are shown. */
interface Moment {
	before: number;
	after: number;
	/** 0 to 1 from the one to the other. */
	share: number;
}

export class Clip {
	isShown = false;
	/** What places it beside the others: x, y and z. */
	readonly lane: [number, number, number] = [0, 0, 0];
	/** Points of the body as pose left them. */
	readonly points: Float32Array;
	roots = new Float32Array(0);
	/** The root's way without the sway of each step, x and z of each frame. */
	path = new Float32Array(0);
	styles: Styles | null = null;
	bounds: Bounds = { low: [0, 0], high: [0, 0], top: 0, girth: 0, extent: 0 };
	private offsets: Int16Array | null = null;
	private readonly unit: number;
	private readonly moment: Moment = { before: 0, after: 0, share: 0 };

	constructor(readonly data: ClipData, readonly index: number) {
		this.unit = data.reach / FARTHEST;
		this.points = new Float32Array(3 * data.pointCount);
	}

	/** Unpack it: a page may hold many. */
	load(): void {
		const { data } = this;
		if (this.offsets) return;
		this.roots = decodeNumbers(data.root!, FLOAT) as Float32Array;
		this.offsets = decodeNumbers(data.data!, SHORT) as Int16Array;
		data.root = data.data = null;
		this.path = this.smoothPath();
		this.styles = data.wanted ? this.findStyles() : null;
		this.bounds = this.measure();
	}

	/** Points of one frame about where the root is on the floor, without unpacking all the others. */
	snap(frame: number): Float32Array {
		const { data } = this, n = 3 * data.pointCount;
		const root = data.root === null ? this.roots.slice(3 * frame, 3 * frame + 3) : decodeNumbers(data.root, FLOAT, 3 * frame, 3);
		const offsets = data.data === null ? this.offsets!.slice(n * frame, n * frame + n) : decodeNumbers(data.data, SHORT, n * frame, n);
		return Float32Array.from(offsets, (q, k) => this.unit * q + (k % 3 === 1 ? root[1] : 0));
	}

	// Of labels that overlap, a frame has the one that began last.
	private findStyles(): Styles {
		const { labels, count, rate } = this.data;
		const names = [...new Set(labels.map(label => label.name))], frames = new Int16Array(count).fill(-1);
		for (const label of [...labels].sort((a, b) => a.start - b.start))
			for (let i = Math.ceil(label.start * rate); i < Math.min(label.end * rate, count); ++i) frames[i] = names.indexOf(label.name);
		return { names, frames };
	}

	private smoothPath(): Float32Array {
		const { count, rate } = this.data, half = Math.round(SMOOTH_TIME * rate), out = new Float32Array(2 * count), sums = [[0], [0]];
		for (let i = 0; i < count; ++i) {
			sums[0].push(sums[0][i] + this.roots[3 * i]);
			sums[1].push(sums[1][i] + this.roots[3 * i + 2]);
		}
		for (let i = 0; i < count; ++i) {
			const reach = Math.min(half, i, count - 1 - i), low = i - reach, high = i + reach + 1;
			for (let k = 0; k < 2; ++k) out[2 * i + k] = (sums[k][high] - sums[k][low]) / (high - low);
		}
		return out;
	}

	private measure(): Bounds {
		const { floor, stature, count } = this.data, low: [number, number] = [Infinity, Infinity], high: [number, number] = [-Infinity, -Infinity];
		const include = (x: number, z: number) => [x, z].forEach((value, k) => {
			low[k] = Math.min(low[k], value);
			high[k] = Math.max(high[k], value);
		});
		for (let i = 0; i < count; ++i) include(this.path[2 * i], this.path[2 * i + 1]);
		const { wanted } = this.data;
		for (let i = 0; wanted && i < wanted.length; i += 3) include(wanted[i + 1], wanted[i + 2]);
		const bounds = { low, high, top: floor + 0.3 * stature, girth: 0.2 * stature, extent: Math.hypot(high[0] - low[0], high[1] - low[1]) };
		for (let i = 0; i < count; i += 1 + Math.floor(count / MEASURED_FRAMES)) this.measureFrame(i, bounds);
		return bounds;
	}

	private measureFrame(frame: number, bounds: Bounds): void {
		const { pointCount } = this.data, q = this.offsets!;
		for (let k = 0; k < pointCount; ++k) {
			const at = 3 * (frame * pointCount + k);
			bounds.top = Math.max(bounds.top, this.roots[3 * frame + 1] + this.unit * q[at + 1]);
			bounds.girth = Math.max(bounds.girth, this.unit * Math.hypot(q[at], q[at + 2]));
		}
	}

	/** The frames about a time. What it returns is the clip's own, and good until the next call. */
	locate(time: number): Moment {
		const { count, rate } = this.data, { moment } = this, frame = Math.min(Math.max(time * rate, 0), count - 1);
		moment.before = Math.min(Math.floor(frame), Math.max(count - 2, 0));
		moment.after = Math.min(moment.before + 1, count - 1);
		moment.share = count > 1 ? frame - moment.before : 0;
		return moment;
	}

	/** Where the root is above the floor at a time, x or z, its lane included. */
	stand(time: number, axis: 0 | 2): number {
		const { before, after, share } = this.locate(time), r = this.roots;
		return r[3 * before + axis] + share * (r[3 * after + axis] - r[3 * before + axis]) + this.lane[axis];
	}

	/** The same without the sway of steps. */
	follow(time: number, axis: 0 | 2): number {
		const { before, after, share } = this.locate(time), p = this.path, k = axis >> 1;
		return p[2 * before + k] + share * (p[2 * after + k] - p[2 * before + k]) + this.lane[axis];
	}

	/** Points of the body at a time, straight between frames. */
	pose(time: number): Float32Array {
		const { before, after, share } = this.locate(time), n = 3 * this.data.pointCount, a = before * n, b = after * n;
		const out = this.points, q = this.offsets!, r = this.roots, s = this.unit;
		for (let axis = 0; axis < 3; ++axis) {
			const root = r[3 * before + axis] + share * (r[3 * after + axis] - r[3 * before + axis]) + this.lane[axis];
			for (let k = axis; k < n; k += 3) out[k] = root + s * (q[a + k] + share * (q[b + k] - q[a + k]));
		}
		return out;
	}
}
