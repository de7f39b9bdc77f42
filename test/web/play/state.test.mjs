// Players: their bodies and reports, peeking, starting anew, going back to a snapshot, layers, several at once.
import assert from "node:assert/strict";
import test from "node:test";
import { newEngine, play, readBundle, thrown } from "./support.mjs";

const engine = await newEngine();
const models = ["graph", "locomotion", "space", "pgraph"];

function ask(player, i) {
	const angle = 0.7 * Math.floor(i / 120);
	const request = player.requests.length > 0 ? 1 + Math.floor(i / 200) % 2 : 0;
	const parameters = player.parametersOf(request).map(({ low, high }, k) => (player.model === "pgraph" && k === 0 ? NaN : Math.floor(i / 250) % 2 === 0 ? high : low));
	return { stickX: Math.sin(angle), stickZ: Math.cos(angle), request, parameters };
}

// All numbers of a player's pose and report.
function record(player) {
	const { pose } = player, report = player.report();
	return [pose.rootPosition, pose.rotations, pose.positions, pose.orientations, pose.effectors, [report.time, report.x, report.z, report.contacts, report.span],
		report.labelBits, report.supportHeights].map(numbers => Array.from(numbers));
}

function playOn(player, from, count) {
	const frames = [];
	for (let i = from; i < from + count; ++i) {
		player.step(1 / 60, ask(player, i));
		frames.push(record(player));
	}
	return frames;
}

const withPlayer = (model, options, call) => {
	const bundle = engine.openBundle(readBundle(model));
	call(bundle.createPlayer(options), bundle);
	bundle.destroy();
};

for (const model of models) {
	test(`${model}: a body and what can be asked of it`, () => withPlayer(model, {}, (player, bundle) => {
		assert.equal(engine.version, play.version ?? engine.version);
		assert.equal(player.model, model);
		assert.equal(player.bundle, bundle);
		const { joints, ends, height, legLength, soleHeight } = player.skeleton;
		assert.equal(joints[0].parent, -1);
		joints.forEach((joint, i) => assert.ok(i === 0 || (joint.parent >= 0 && joint.parent < i)));
		joints.forEach(joint => assert.ok(joint.name !== "" && /^[XYZ]{3}$/.test(joint.order) && joint.offset.every(Number.isFinite)));
		assert.equal(new Set(joints.map(joint => joint.name)).size, joints.length);
		for (const role of ["pelvis", "left_knee", "right_ankle", "head"]) assert.equal(joints.filter(joint => joint.role === role).length, 1);
		assert.ok(ends.length > 0 && ends.every(end => end.joint < joints.length && Math.hypot(...end.offset) < 1));
		assert.ok(height > 1.5 && height < 2 && legLength > 0.7 && legLength < 1 && soleHeight > 0 && soleHeight < 0.2);
		assert.ok(player.clips.length > 0);
		assert.deepEqual(player.requests, { locomotion: ["stand", "walk", "run"], pgraph: ["any", "walk", "punch"] }[model] ?? []);
		const walk = player.gaitLimits("walk");
		assert.equal(player.gaitLimits("fly"), null);
		assert.ok(model !== "locomotion" ? walk === null : walk.slowest < walk.usual && walk.usual < walk.fastest && walk.halfCycle > 0.3);
		assert.deepEqual(player.layers, []);
		assert.equal(player.parameters.length, model === "space" ? 1 : 0);
	}));

	test(`${model}: the pose is where its rotations say`, () => withPlayer(model, {}, player => {
		playOn(player, 0, 50);
		const { positions, orientations, rotations, rootPosition } = player.pose;
		assert.deepEqual(Array.from(positions.subarray(0, 3)), Array.from(rootPosition));
		player.skeleton.joints.forEach((joint, i) => {
			if (i === 0) return;
			const bone = Math.hypot(...[0, 1, 2].map(k => positions[3 * i + k] - positions[3 * joint.parent + k]));
			assert.ok(Math.abs(bone - Math.hypot(...joint.offset)) < 1e-5);
			const [aw, ax, ay, az] = orientations.subarray(4 * joint.parent), [bw, bx, by, bz] = rotations.subarray(4 * i);
			const w = aw * bw - ax * bx - ay * by - az * bz, x = aw * bx + ax * bw + ay * bz - az * by;
			assert.ok(Math.abs(w - orientations[4 * i]) < 1e-5 && Math.abs(x - orientations[4 * i + 1]) < 1e-5);
		});
	}));

	test(`${model}: reports`, () => withPlayer(model, { start: { x: 3, z: -4, heading: 1 } }, player => {
		const report = player.report();
		assert.ok(Math.abs(report.x - 3) < 0.01 && Math.abs(report.z + 4) < 0.01 && Math.abs(report.heading - 1) < 0.05);
		assert.equal(report.time, 0);
		const phases = new Set(), kinds = new Set();
		for (let i = 0; i < 600; ++i) {
			player.step(1 / 60, ask(player, i));
			assert.equal(player.report(), report);
			phases.add(report.phase);
			kinds.add(report.movement?.kind);
			let sum = 0;
			for (let k = 0; k < report.sourceCount; ++k) {
				sum += report.sourceWeights[k];
				assert.ok(report.sourceClips[k] < player.clips.length && report.sourceTimes[k] > -0.1);
			}
			assert.ok(report.sourceCount > 0 && Math.abs(sum - 1) < 1e-4);
		}
		assert.ok(Math.abs(report.time - 10) < 1e-6 && report.span > 1);
		assert.ok(["double", "left", "right"].every(phase => phases.has(phase)));
		assert.ok(model !== "locomotion" ? report.movement === null : kinds.has("LDR") && kinds.has("FLF"));
		if (report.movement !== null) assert.ok(["walk", "run"].includes(report.movement.wantedGait) && report.movement.wantedSpeed > 0.5 && report.movement.number > 5);
		assert.equal(report.space === null, model !== "space");
		assert.equal(report.labelBits.length, 2);
		assert.equal(report.supportHeights.length, play.EFFECTORS.length);
	}));

	test(`${model}: peeking changes nothing, and sees what comes`, () => withPlayer(model, { lookAhead: 0.2 }, (player, bundle) => {
		const other = bundle.createPlayer({ lookAhead: 0.2 }), input = ask(player, 0);
		let seen = null, most = 0;
		for (let i = 0; i < 120; ++i) {
			player.step(1 / 60, input);
			other.step(1 / 60, input);
			// But for feet that are yet to settle.
			if (seen !== null) player.pose.positions.forEach((x, k) => (most = Math.max(most, Math.abs(x - seen[k]))));
			const before = record(player), near = Array.from(player.peek(1 / 60).positions);
			seen = i % 2 === 0 && i > 10 ? near : null;
			player.peek(1.5);
			assert.ok(Math.abs(player.peekReport().time - player.report().time - 1.5) < 1e-9);
			assert.deepEqual(record(player), before);
			assert.deepEqual(before, record(other));
		}
		assert.ok(most < 0.03, `${most} m`);
	}));

	test(`${model}: a reset is as a new player; what was shown before the first step changes nothing`, () => withPlayer(model, {}, (player, bundle) => {
		const start = { x: 2, z: 1, heading: -0.4 };
		playOn(player, 0, 200);
		player.reset(start);
		const fresh = bundle.createPlayer({ start });
		assert.deepEqual(record(player), record(fresh));
		assert.deepEqual(playOn(player, 0, 200), playOn(fresh, 0, 200));
	}));

	test(`${model}: a snapshot goes back to the bit`, () => withPlayer(model, { lookAhead: 0.1 }, (player, bundle) => {
		playOn(player, 0, 100);
		const block = player.snapshot(), shown = record(player), after = playOn(player, 100, 300);
		player.restore(block);
		assert.deepEqual(record(player), shown);
		assert.deepEqual(playOn(player, 100, 300), after);
		const own = new Uint8Array(player.snapshotSize);
		assert.equal(player.snapshot(own), own);
		// Of another player, and changed: nothing changes.
		const other = bundle.createPlayer({ lookAhead: 0.1 }), before = record(other);
		assert.match(thrown(() => other.restore(block)).message, /no snapshot of this player/);
		assert.deepEqual(record(other), before);
		for (let i = 0; i < block.length; i += 997) {
			const spoilt = block.slice();
			spoilt[i] ^= 0x10;
			assert.match(thrown(() => player.restore(spoilt)).message, /no snapshot of this player/);
		}
		player.restore(block);
	}));

	test(`${model}: layers`, () => withPlayer(model, {}, (player, bundle) => {
		const plain = bundle.createPlayer();
		const layer = player.addLayer("lean", { gain: 1 });
		assert.deepEqual({ ...layer }, { index: 0, name: "lean" });
		assert.deepEqual(player.layers, [layer]);
		assert.equal(player.addLayer("lean").index, 1);
		player.switchLayer(player.layers[1], 0, 0);
		const tilt = (a, b) => Math.max(...a.pose.positions.map((x, i) => Math.abs(x - b.pose.positions[i])));
		let most = 0;
		for (let i = 0; i < 400; ++i) {
			plain.step(1 / 60, ask(plain, i));
			player.step(1 / 60, ask(player, i));
			most = Math.max(most, tilt(plain, player));
		}
		assert.ok(most > 0.01);
		player.switchLayer(layer, 0, 0.2);
		playOn(player, 400, 60);
		playOn(plain, 400, 60);
		assert.ok(tilt(plain, player) < 0.02);
		assert.match(thrown(() => plain.switchLayer(layer, 1)).message, /not one of this player's/);
		assert.equal(thrown(() => { for (;;) player.addLayer("lean"); }).code, "limit");
		assert.equal(player.layers.length, 16);
	}));
}

test("a space's parameters, and what became of what was asked for", () => withPlayer("punches", {}, player => {
	assert.deepEqual(player.parameters.map(({ name, key, unit, isAngle }) => [name, key, unit, isAngle]), ["x", "y", "z"].map(axis =>
		[`right_wrist.${axis}@hit`, `right_wrist_${axis}_hit_m`, "m", false]));
	assert.ok(player.parameters.every(({ low, high }) => low < high && high - low < 1));
	const middle = player.parameters.map(({ low, high }) => Math.fround(0.5 * (low + high))), far = player.parameters.map(({ high }) => high + 1);
	player.step(0, { parameters: middle });
	const { space } = player.report();
	assert.deepEqual([space.number, Array.from(space.requested)], [0, middle]);
	assert.ok(Array.from(space.nearest).every((x, k) => Math.abs(x - middle[k]) < 0.02));
	for (let i = 0; i < 60; ++i) player.step(0.1, { parameters: Float64Array.from(far) });
	assert.equal(player.report().space, space);
	assert.ok(space.number >= 1);
	assert.deepEqual(Array.from(space.requested), far.map(Math.fround));
	assert.ok(Array.from(space.nearest).every((x, k) => x < far[k] - 0.5));
	for (let i = 0; i < 60; ++i) player.step(0.1, {});
	assert.deepEqual(Array.from(space.requested), middle);
	// Of a walk by its turn, an angle; other models have none and take no notice.
	const other = engine.openBundle(readBundle("space")).createPlayer(), [turn] = other.parameters;
	assert.deepEqual([turn.name, turn.key, turn.unit, turn.isAngle], ["turn", "turn_deg", "rad", true]);
	assert.ok(turn.low < -0.2 && turn.high > 0.2);
	const graph = engine.openBundle(readBundle("graph")).createPlayer();
	graph.step(0.1, { parameters: [1, 2, 3] });
	assert.deepEqual([graph.parameters, graph.report().space], [[], null]);
	other.bundle.destroy();
	graph.bundle.destroy();
}));

test("a parametric graph's nodes, and what became of what was asked for", () => withPlayer("pgraph", {}, player => {
	assert.deepEqual(player.requests.map((_, request) => player.parametersOf(request).map(({ name }) => name)),
		[[], ["turn"], ["right_wrist.x@hit", "right_wrist.y@hit", "right_wrist.z@hit"]]);
	const [walk, punch] = ["walk", "punch"].map(name => player.requests.indexOf(name)), places = player.parametersOf(punch);
	const middle = places.map(({ low, high }) => Math.fround(0.5 * (low + high)));
	const until = (node, input) => {
		for (let i = 0; i < 200 && player.report().parametric.node !== node - 1; ++i) player.step(0.05, input);
		return player.report().parametric;
	};
	// What is asked for first is played first.
	player.step(0, { request: punch, parameters: middle });
	const { parametric } = player.report();
	assert.deepEqual([parametric.number, parametric.node, parametric.requestedNode, player.requests[parametric.node + 1]], [0, punch - 1, punch - 1, "punch"]);
	assert.deepEqual(["requested", "granted"].map(key => Array.from(parametric[key])), [middle, middle]);
	assert.ok(Array.from(parametric.achieved).every((x, k) => Math.abs(x - middle[k]) < 0.02));
	assert.ok(parametric.start >= 0 && parametric.end > parametric.start + 0.3);
	const before = parametric.end;
	assert.equal(until(walk, { request: walk, parameters: [0.2] }), parametric);
	assert.deepEqual([parametric.number, parametric.requested.length, parametric.isAnswer], [1, 1, true]);
	assert.ok(Math.abs(parametric.requested[0] - 0.2) < 1e-6 && parametric.low[0] <= parametric.granted[0] && parametric.granted[0] <= parametric.high[0]);
	assert.ok(parametric.start > before - 0.5 && parametric.response > 0 && parametric.bad > 0 && (parametric.distance <= parametric.bad || parametric.isForced));
	// A place in the world: of what is not given, what it takes to hit it.
	const { x, z, heading } = player.report(), far = 1;
	until(punch, { request: punch, parameters: [NaN, 1.3, NaN], targetX: x + far * Math.sin(heading), targetY: 1, targetZ: z + far * Math.cos(heading) });
	assert.ok(Math.abs(parametric.requested[1] - 1.3) < 1e-6 && !Object.is(parametric.requested[0], parametric.requested[2]));
	const other = engine.openBundle(readBundle("graph")).createPlayer();
	other.step(0.1, { targetX: 1 });
	assert.deepEqual([other.parametersOf(0), other.report().parametric], [[], null]);
	other.bundle.destroy();
}));

test("a bundle's layers are its players'", () => withPlayer("graph-lean", {}, player => {
	assert.deepEqual(player.layers.map(layer => layer.name), ["lean"]);
	player.switchLayer(player.layers[0], 0);
}));

test("the effectors are the library's", () => withPlayer("graph", {}, player => {
	assert.equal(player.pose.effectors.length, 3 * play.EFFECTORS.length);
	const heel = 3 * play.EFFECTORS.indexOf("left_heel"), ankle = player.skeleton.joints.findIndex(joint => joint.role === "left_ankle");
	const { effectors, positions } = player.pose;
	assert.ok(Math.hypot(effectors[heel] - positions[3 * ankle], effectors[heel + 2] - positions[3 * ankle + 2]) < 0.15);
	assert.ok(effectors[heel + 1] < positions[3 * ankle + 1]);
	const bit = play.EFFECTORS.indexOf("left_heel");
	assert.ok((player.report().contacts >> bit & 1) === 0 || Math.abs(effectors[heel + 1] - player.skeleton.soleHeight) < 0.05);
}));

test("views outlive a memory that grows", async () => {
	const own = await newEngine(), first = own.openBundle(readBundle("graph")).createPlayer();
	first.step(0.5, { stickZ: 1 });
	const { pose } = first, report = first.report(), before = record(first), size = own.memorySize;
	while (own.memorySize === size) own.openBundle(readBundle("graph-exact"));
	assert.deepEqual(record(first), before);
	assert.equal(pose, first.pose);
	assert.equal(pose.positions.length, 3 * first.skeleton.joints.length);
	assert.equal(report.time, 0.5);
});

test("loadBundle's bundles go with their players", async () => {
	const player = await play.loadBundle(readBundle("locomotion"), { seed: 5, lockFeet: false });
	const other = player.bundle.createPlayer();
	player.destroy();
	other.step(0.1);
	other.destroy();
	assert.match(thrown(() => player.bundle.createPlayer()).message, /bundle was destroyed/);
});
