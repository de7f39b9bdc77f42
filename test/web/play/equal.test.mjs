// The same bundle and input give the same motion as natively, to the bit: a minute of each case that test_web_twin played.
import assert from "node:assert/strict";
import test from "node:test";
import { newEngine, readBundle, readCases, readInputs, readPositions, readTrace, readMotion, takeInput, INPUTS, MOST_PARAMETERS, SPACE_TRACES, TRACES } from "./support.mjs";

// The farthest joint of a tick.
function measure(positions, wanted, offset) {
	let most = 0;
	for (let k = 0; k < positions.length; k += 3) {
		const x = positions[k] - wanted[offset + k], y = positions[k + 1] - wanted[offset + k + 1], z = positions[k + 2] - wanted[offset + k + 2];
		most = Math.max(most, Math.hypot(x, y, z));
	}
	return most;
}

// Whether a space says the same as natively, to the bit.
function isSameSpace(space, trace, values, at) {
	if (space === null) return true;
	const isSame = (own, from) => own.every((x, k) => Object.is(x, values[from + k]));
	return space.number === trace[at + 3] && isSame(space.requested, at + 4) && isSame(space.nearest, at + 4 + MOST_PARAMETERS);
}

// Whether a parametric graph does; what it says nothing of is not said.
function isSameMotion(motion, trace, at, player) {
	if (motion === null) return true;
	const said = readMotion(trace, at, player.parametersOf(motion.node + 1).length);
	return Object.entries(said).every(([key, x]) => (Array.isArray(x) ? x.length === motion[key].length && x.every((y, k) => Object.is(y, motion[key][k])) : Object.is(x, motion[key])));
}

function compare(player, played) {
	const inputs = readInputs(played.name), wanted = readPositions(played.name), trace = readTrace(played.name), values = new Float32Array(trace.buffer);
	const apart = { most: 0, at: 0, mostBefore: 0, otherChoice: -1, ticks: inputs.length / INPUTS };
	for (let i = 0, input = {}; i < apart.ticks; ++i) {
		const pose = player.step(takeInput(inputs, i, input, player), input), report = player.report(), at = TRACES * i;
		const far = measure(pose.positions, wanted, 3 * played.jointCount * i);
		if (far > apart.most) Object.assign(apart, { most: far, at: i });
		const isSame = report.span === trace[at] && report.contacts === trace[at + 1] && report.sourceClips[0] === trace[at + 2] && isSameSpace(report.space, trace, values, at)
			&& isSameMotion(report.parametric, trace, at + SPACE_TRACES, player);
		if (!isSame && apart.otherChoice < 0) Object.assign(apart, { otherChoice: i, mostBefore: apart.most });
	}
	return apart;
}

const engine = await newEngine();
for (const played of readCases()) {
	test(`${played.name} is as natively`, t => {
		const bundle = engine.openBundle(readBundle(played.bundle));
		const player = bundle.createPlayer({ lookAhead: played.lookAhead, start: { x: 1, z: -2, heading: 0.5 } });
		assert.equal(player.skeleton.joints.length, played.jointCount);
		const apart = compare(player, played);
		t.diagnostic(`${played.name}: ${apart.ticks} ticks, at most ${(1000 * apart.most).toFixed(5)} mm apart (tick ${apart.at})` +
			(apart.otherChoice < 0 ? "" : `, another choice at tick ${apart.otherChoice}`));
		assert.equal(apart.most, 0, `${apart.most} m apart`);
		assert.equal(apart.otherChoice, -1);
		bundle.destroy();
	});
}
