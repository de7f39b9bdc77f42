// A page for the tests of the stage: it offers the stage's modules to them, and a body that needs no file.
import { aim, makeCamera, makeEye, pickFloor, project, view } from "../../web/page/stage/camera.ts";
import { createStage } from "../../web/page/stage/create.ts";
import { addBody, addLine, addMark, addPoint, clearScene, makeScene } from "../../web/page/stage/fill.ts";
import { listenToPointers, zoom } from "../../web/page/stage/orbit.ts";

// Pelvis, chest, neck, head, crown; hip, knee, ankle, toe and shoulder, elbow, wrist of the left side, then of the right.
const side = (first, number) => [
	[0, first, 0.085, 0.085, number, 0], [first, first + 1, 0.085, 0.055, number, 0], [first + 1, first + 2, 0.055, 0.04, number, 0],
	[first + 2, first + 3, 0.045, 0.03, number, 0], [1, first + 4, 0.06, 0.055, number, 0], [first + 4, first + 5, 0.05, 0.04, number, 0],
	[first + 5, first + 6, 0.04, 0.03, number, 0],
];
const figure = {
	pointCount: 19, stature: 1.75, head: [3, 4, 0.105],
	limbs: [[0, 1, 0.13, 0.15, 0, 0], [1, 2, 0.15, 0.09, 0, 0], [2, 3, 0.05, 0.05, 0, 1], ...side(5, 1), ...side(12, 2)],
};

// A step of a walk in place: phase 0 to 1.
function pose(points, x, z, phase) {
	const put = (k, px, py, pz) => points.set([x + px, py, z + pz], 3 * k), swing = Math.sin(2 * Math.PI * phase);
	[[0, 0.95], [1, 1.3], [2, 1.47], [3, 1.55], [4, 1.73]].forEach(([k, y]) => put(k, 0, y, 0));
	for (const [first, sign] of [[5, 1], [12, -1]]) {
		const s = sign * swing, wide = 0.1 * sign, lift = Math.max(s, 0) * 0.15;
		put(first, wide, 0.92, 0);
		put(first + 1, wide, 0.5 + 0.3 * lift, 0.2 * s + 0.06);
		put(first + 2, wide, 0.09 + lift, 0.35 * s - 0.3 * lift);
		put(first + 3, wide, 0.03 + lift, 0.35 * s + 0.16);
		put(first + 4, 2 * wide, 1.42, 0);
		put(first + 5, 2.6 * wide, 1.14, -0.12 * s);
		put(first + 6, 2.7 * wide, 0.95, -0.25 * s + 0.1);
	}
	return points;
}

const makePoints = () => new Float32Array(3 * figure.pointCount);

// A stage on a canvas of its own, and an empty scene of it.
function set(kind) {
	const canvas = document.createElement("canvas"), box = document.querySelector(".stage");
	box.replaceChildren(canvas);
	canvas.style.cssText = "position:absolute;inset:0;width:100%;height:100%;touch-action:none";
	const stage = createStage(canvas, kind), camera = makeCamera(), scene = makeScene();
	stage.resize(camera);
	return { canvas, stage, camera, scene };
}

// Pixels of a canvas, whatever it is drawn with.
function read(canvas) {
	const copy = document.createElement("canvas"), pen = copy.getContext("2d");
	copy.width = canvas.width;
	copy.height = canvas.height;
	pen.drawImage(canvas, 0, 0);
	return pen.getImageData(0, 0, copy.width, copy.height).data;
}

globalThis.room = {
	addBody, addLine, addMark, addPoint, aim, clearScene, createStage, figure, listenToPointers, makeCamera, makeEye, makePoints, makeScene, pickFloor, pose,
	project, read, set, view, zoom,
};
