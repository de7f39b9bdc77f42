// Memory: it does not grow while players play, come and go; a frame makes no garbage; and there may be too little.
import assert from "node:assert/strict";
import test from "node:test";
import { newEngine, play, readBundle, readCases, readInputs, takeInput, thrown, wasm } from "./support.mjs";

// Garbage of the engine itself, which boxes a number now and then until code is optimised, bytes a frame.
const MOST_GARBAGE = 2;

function playRound(player, inputs, input, seen) {
	for (let i = 0; i < inputs.length / 6; ++i) {
		const pose = player.step(takeInput(inputs, i, input), input), report = player.report();
		seen[0] += pose.positions[0] + pose.rotations[0] + pose.effectors[0] + pose.rootPosition[1] + report.x + report.contacts;
		if (report.movement !== null) seen[1] += report.movement.speed;
		if (i % 10 === 0) seen[1] += player.peek(0.3).orientations[0] + player.peekReport().heading;
	}
}

const firstCases = readCases().filter(played => /^(graph|locomotion)-0$/.test(played.name));
for (const played of firstCases) {
	test(`${played.bundle}: ten minutes make no garbage, and the memory stays as it is`, t => newEngine().then(engine => {
		const player = engine.openBundle(readBundle(played.bundle)).createPlayer(), inputs = readInputs(played.name);
		const input = { stickX: 0, stickZ: 0, request: 0, speed: 0, turn: 0 }, seen = new Float64Array(2), block = player.snapshot();
		const round = () => {
			playRound(player, inputs, input, seen);
			player.snapshot(block);
			player.restore(block);
			player.reset();
		};
		for (let i = 0; i < 3; ++i) round();
		globalThis.gc();
		const size = engine.memorySize, before = process.memoryUsage().heapUsed;
		for (let i = 0; i < 10; ++i) round();
		const made = process.memoryUsage().heapUsed - before, frames = 10 * inputs.length / 6;
		t.diagnostic(`${played.bundle}: ${frames} frames made ${made} bytes of garbage: ${(made / frames).toFixed(3)} a frame, ` +
			`${(made / 1024 / 600).toFixed(3)} kB for each second of motion; memory ${size} bytes`);
		assert.equal(engine.memorySize, size);
		assert.ok(made / frames < MOST_GARBAGE);
		assert.ok(Number.isFinite(seen[0]));
	}));
}

test("two hundred players and bundles that come and go leave nothing", async () => {
	const engine = await newEngine(), bytes = ["graph-lean", "locomotion"].map(readBundle);
	const cycle = () => {
		for (const one of bytes) {
			const bundle = engine.openBundle(one), player = bundle.createPlayer({ lookAhead: 0.2 }), other = bundle.createPlayer();
			other.addLayer("lean");
			player.step(0.1, { stickZ: 1 });
			other.restore(other.snapshot());
			player.destroy();
			bundle.destroy();
			thrown(() => engine.openBundle(one.subarray(0, one.length - 64)));
		}
	};
	for (let i = 0; i < 5; ++i) cycle();
	const size = engine.memorySize;
	for (let i = 0; i < 200; ++i) cycle();
	assert.equal(engine.memorySize, size);
});

function readNumber(bytes, at) {
	let value = 0, shift = 0, byte;
	do {
		byte = bytes[at++];
		value |= (byte & 127) << shift;
		shift += 7;
	} while (byte & 128);
	return { value, at };
}

function writeNumber(value) {
	const bytes = [];
	for (; value > 127; value >>>= 7) bytes.push(value & 127 | 128);
	return [...bytes, value];
}

// The module with a memory of so many pages at most: its section of memory (5) gets a maximum.
function limitMemory(bytes, pages) {
	for (let at = 8; at < bytes.length;) {
		const { value: size, at: start } = readNumber(bytes, at + 1);
		if (bytes[at] === 5) {
			const section = [1, 1, ...writeNumber(readNumber(bytes, start + 2).value), ...writeNumber(pages)];
			return Buffer.concat([bytes.subarray(0, at + 1), Buffer.from([...writeNumber(section.length), ...section]), bytes.subarray(start + size)]);
		}
		at = start + size;
	}
	throw new Error("no memory");
}

test("out of memory is an error, at whatever allocation, and leaves nothing behind", async () => {
	const bytes = readBundle("locomotion"), failed = new Set();
	for (let pages = 17; pages < 60; ++pages) {
		const engine = await play.createEngine(limitMemory(wasm, pages));
		const players = [];
		let bundle = null;
		const error = thrown(() => {
			bundle = engine.openBundle(bytes);
			for (;;) {
				players.push(bundle.createPlayer());
				players[players.length - 1].snapshot();
			}
		});
		assert.equal(error.code, "memory");
		assert.match(error.message, /out of memory \(\d+ bytes\)/);
		failed.add(players.length);
		for (const player of players) assert.ok(player.step(0.1, { stickZ: 1 }).positions.every(Number.isFinite));
		const count = players.length;
		if (bundle === null) continue;
		// What was given back can be had again.
		for (const player of players) player.destroy();
		for (let i = 0; i < count - 1; ++i) bundle.createPlayer();
	}
	assert.ok(failed.size > 3 && failed.has(0));
});
