// garbage.mjs MODEL: twenty minutes of a player; prints what the last ten left behind, as JSON. In a process of its own, since
// V8 boxes numbers in code that it has seen doing other things as well.
import { INPUTS, newEngine, readBundle, readInputs, takeInput } from "./support.mjs";

const name = process.argv[2], engine = await newEngine(), player = engine.openBundle(readBundle(name)).createPlayer();
const inputs = readInputs(`${name}-0`), ticks = inputs.length / INPUTS, block = player.snapshot(), seen = new Float64Array(4);
const input = { stickX: 0, stickZ: 0, request: 0, speed: 0, turn: 0, targetX: NaN, targetY: NaN, targetZ: NaN };

function playMinute() {
	for (let i = 0; i < ticks; ++i) {
		takeInput(inputs, i, input, player);
		const pose = player.step(inputs[INPUTS * i], input), report = player.report();
		seen[0] += pose.positions[0] + pose.rotations[0] + pose.effectors[0] + pose.rootPosition[1];
		seen[1] += report.x + report.contacts + report.sourceWeights[0];
		if (report.movement !== null) seen[2] += report.movement.speed;
		if (report.parametric !== null) seen[2] += report.parametric.achieved[0] + report.parametric.distance + report.parametric.start;
		if (i % 10 === 0) seen[3] += player.peek(0.3).orientations[0];
	}
}

// Bytes a frame, none of which are collected meanwhile.
function countGarbage() {
	globalThis.gc();
	const before = process.memoryUsage().heapUsed;
	playMinute();
	return (process.memoryUsage().heapUsed - before) / ticks;
}

const found = { least: Infinity, most: 0, size: 0, endSize: 0, snapshotSize: player.snapshotSize };
for (let minute = -10; minute < 10; ++minute) {
	const made = countGarbage();
	player.snapshot(block);
	player.restore(block);
	player.reset();
	if (minute < 0) found.size = engine.memorySize;
	else Object.assign(found, { least: Math.min(found.least, made), most: Math.max(found.most, made) });
	// V8 optimises beside.
	await new Promise(resolve => setTimeout(resolve, 10));
}
found.endSize = engine.memorySize;
if (!seen.every(Number.isFinite)) throw new Error("not a number");
console.log(JSON.stringify(found));
