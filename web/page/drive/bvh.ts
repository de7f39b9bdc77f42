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

/** As good as gimbal lock for rotations in float: the vanishing pair below says nothing any more. */
const GIMBAL_LOCK = 1e-6;

/** The principal angles of a rotation about three different axes, degrees, as src/file/bvh_angles.c finds them (Bernardes & Viollet
    2022): well-conditioned for any middle angle. `last` are those of the frame before, which say what lock leaves open. */
function findPrincipal(w0: number, v: readonly number[], axes: readonly number[], last: ArrayLike<number>): number[] {
	const sign = (axes[1] - axes[0] + 3) % 3 === 1 ? 1 : -1, w = w0, x = v[axes[0]], y = v[axes[1]], z = sign * v[axes[2]];
	const sumLength = Math.hypot(w + y, x + z), differenceLength = Math.hypot(w - y, x - z);
	let sum = Math.atan2(x + z, w + y), difference = Math.atan2(x - z, w - y);
	if (sumLength < GIMBAL_LOCK) sum = 0.5 * DEGREE * (last[0] + sign * last[2]);
	else if (differenceLength < GIMBAL_LOCK) difference = 0.5 * DEGREE * (last[0] - sign * last[2]);
	return [(sum + difference) / DEGREE, 2 * Math.atan2(sumLength, differenceLength) / DEGREE - 90, sign * (sum - difference) / DEGREE];
}

/** The angles of a rotation that go on from those of the frame before, which they replace in `last`. */
export function findAngles(w: number, v: readonly number[], axes: readonly number[], last: Float64Array): void {
	const near = (angles: readonly number[]) => angles.map((x, n) => x + 360 * Math.round((last[n] - x) / 360));
	const far = (angles: readonly number[]) => angles.reduce((all, x, n) => all + Math.abs(x - last[n]), 0);
	const [a, b, c] = findPrincipal(w, v, axes, last), one = near([a, b, c]), other = near([a + 180, 180 - b, c + 180]);
	last.set(far(one) <= far(other) ? one : other);
}

/** Takes poses one after the other, gives the file. */
export class BvhWriter {
	private readonly order: number[];
	private readonly axes: number[][];
	private readonly last: Float64Array[];
	private readonly rows: string[] = [];

	constructor(private readonly skeleton: Skeleton, private readonly fps: number) {
		this.order = orderJoints(skeleton);
		this.axes = skeleton.joints.map(joint => [...joint.order].map(axis => "XYZ".indexOf(axis)));
		this.last = skeleton.joints.map(() => new Float64Array(3));
	}

	add(pose: Pose): void {
		const cells = [0, 1, 2].map(k => pose.rootPosition[k].toFixed(7)), q = pose.rotations;
		for (const joint of this.order) {
			const at = 4 * joint, last = this.last[joint];
			findAngles(q[at], [q[at + 1], q[at + 2], q[at + 3]], this.axes[joint], last);
			cells.push(last[0].toFixed(6), last[1].toFixed(6), last[2].toFixed(6));
		}
		this.rows.push(cells.join(" "));
	}

	finish(): string {
		return `HIERARCHY\n${printJoint(this.skeleton, 0, 0)}MOTION\nFrames: ${this.rows.length}\nFrame Time: ${(1 / this.fps).toFixed(9)}\n${this.rows.join("\n")}\n`;
	}
}
