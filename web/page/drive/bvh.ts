// BVH out, as src/file/bvh_writer.c writes it: joints depth first, each in its own order of rotations, angles that go on
// from frame to frame, metres.
import type { Pose, Skeleton } from "../../play/reprise-play.js";

const DEGREE = Math.PI / 180;

/** Joints in the order of the file: children before siblings. */
function orderJoints(skeleton: Skeleton): number[] {
	const children: number[][] = skeleton.joints.map(() => []);
	skeleton.joints.forEach((joint, i) => { if (joint.parent >= 0) children[joint.parent].push(i); });
	const order: number[] = [], waiting = [0];
	for (let joint = waiting.pop(); joint !== undefined; joint = waiting.pop()) {
		order.push(joint);
		for (let k = children[joint].length - 1; k >= 0; --k) waiting.push(children[joint][k]);
	}
	return order;
}

const put = (offset: readonly number[]) => offset.map(x => x.toFixed(7)).join(" ");

// A joint and all below it. Skeletons are some tens of joints deep at most.
function printJoint(skeleton: Skeleton, index: number, depth: number): string {
	const joint = skeleton.joints[index], tab = "\t".repeat(depth), rotations = [...joint.order].map(axis => `${axis}rotation`).join(" ");
	const ends = skeleton.ends.filter(end => end.joint === index);
	const children = skeleton.joints.map((_, i) => i).filter(i => skeleton.joints[i].parent === index);
	const channels = index === 0 ? `6 Xposition Yposition Zposition ${rotations}` : `3 ${rotations}`;
	const inside = [
		...children.map(i => printJoint(skeleton, i, depth + 1)),
		...ends.map(end => `${tab}\tEnd Site\n${tab}\t{\n${tab}\t\tOFFSET ${put(end.offset)}\n${tab}\t}\n`),
	];
	return `${tab}${index === 0 ? "ROOT" : "JOINT"} ${joint.name}\n${tab}{\n${tab}\tOFFSET ${put(joint.offset)}\n${tab}\tCHANNELS ${channels}\n${inside.join("")}${tab}}\n`;
}

// Rotation matrix, row by row.
function toMatrix(w: number, x: number, y: number, z: number, m: Float64Array): void {
	m[0] = 1 - 2 * (y * y + z * z); m[1] = 2 * (x * y - w * z); m[2] = 2 * (x * z + w * y);
	m[3] = 2 * (x * y + w * z); m[4] = 1 - 2 * (x * x + z * z); m[5] = 2 * (y * z - w * x);
	m[6] = 2 * (x * z - w * y); m[7] = 2 * (y * z + w * x); m[8] = 1 - 2 * (x * x + y * y);
}

/** Angles of R = R_i(a) R_j(b) R_k(c), three different axes; the way round that stays nearest to the angles before. */
export function findAngles(m: ArrayLike<number>, axes: readonly number[], last: Float64Array | number[], at: number): void {
	const [i, j, k] = axes, sign = (j - i + 3) % 3 === 1 ? 1 : -1, at_ = (r: number, c: number) => m[3 * r + c];
	const sine = Math.min(Math.max(sign * at_(i, k), -1), 1);
	let a: number, b = Math.asin(sine), c: number;
	if (Math.abs(sine) < 1 - 1e-9) {
		a = Math.atan2(-sign * at_(j, k), at_(k, k));
		c = Math.atan2(-sign * at_(i, j), at_(i, i));
	} else {
		// Locked: the first angle stays, the third takes the rest.
		a = last[at];
		const turned = Math.atan2(sign * at_(j, i), at_(j, j));
		c = sine > 0 ? turned - a : turned + a;
	}
	const near = (x: number, before: number) => x + 2 * Math.PI * Math.round((before - x) / (2 * Math.PI));
	const one = [near(a, last[at]), near(b, last[at + 1]), near(c, last[at + 2])];
	const other = [near(a + Math.PI, last[at]), near(Math.PI - b, last[at + 1]), near(c + Math.PI, last[at + 2])];
	const far = (v: number[]) => v.reduce((sum, x, n) => sum + Math.abs(x - last[at + n]), 0);
	const best = far(one) <= far(other) ? one : other;
	for (let n = 0; n < 3; ++n) last[at + n] = best[n];
}

/** Takes poses one after the other, gives the file. */
export class BvhWriter {
	private readonly order: number[];
	private readonly axes: number[][];
	private readonly last: Float64Array;
	private readonly matrix = new Float64Array(9);
	private readonly rows: string[] = [];

	constructor(private readonly skeleton: Skeleton, private readonly fps: number) {
		this.order = orderJoints(skeleton);
		this.axes = skeleton.joints.map(joint => [...joint.order].map(axis => "XYZ".indexOf(axis)));
		this.last = new Float64Array(3 * skeleton.joints.length);
	}

	add(pose: Pose): void {
		const cells = [0, 1, 2].map(k => pose.rootPosition[k].toFixed(7)), q = pose.rotations;
		for (const joint of this.order) {
			toMatrix(q[4 * joint], q[4 * joint + 1], q[4 * joint + 2], q[4 * joint + 3], this.matrix);
			findAngles(this.matrix, this.axes[joint], this.last, 3 * joint);
			for (let k = 0; k < 3; ++k) cells.push((this.last[3 * joint + k] / DEGREE).toFixed(6));
		}
		this.rows.push(cells.join(" "));
	}

	finish(): string {
		return `HIERARCHY\n${printJoint(this.skeleton, 0, 0)}MOTION\nFrames: ${this.rows.length}\nFrame Time: ${(1 / this.fps).toFixed(9)}\n${this.rows.join("\n")}\n`;
	}
}
