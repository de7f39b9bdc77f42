// Memory: it does not grow while players play, come and go; a frame makes no garbage; and there may be too little.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import path from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { newEngine, play, readBundle, thrown, wasm } from "./support.mjs";

// What V8 boxes, bytes a frame: dt, where the call is not inlined in the caller, is 16.
const MOST_GARBAGE = 20;

for (const name of ["graph", "locomotion", "space", "pgraph"]) {
	test(`${name}: ten minutes make no garbage, and the memory stays as it is`, t => {
		const script = path.join(path.dirname(fileURLToPath(import.meta.url)), "garbage.mjs");
		const found = JSON.parse(execFileSync(process.execPath, ["--expose-gc", script, name], { encoding: "utf8" }));
		t.diagnostic(`${name}: ${found.least.toFixed(2)} to ${found.most.toFixed(2)} bytes of garbage a frame, ` +
			`${(found.least * 60 / 1024).toFixed(3)} kB/s; memory ${found.size} bytes, ${found.snapshotSize} of a snapshot`);
		assert.equal(found.endSize, found.size);
		assert.ok(found.least < MOST_GARBAGE);
	});
}

test("two hundred players and bundles that come and go leave nothing", async () => {
	const engine = await newEngine(), bytes = ["graph-lean", "locomotion", "pgraph"].map(readBundle);
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

// The runtime may take memory in whatever it is asked, so that views on it are void before the answer is read.
test("players with layers are made while the memory grows", async () => {
	const engine = await newEngine(), bundle = engine.openBundle(readBundle("graph-lean")), sizes = new Set();
	for (let i = 0; i < 300; ++i) {
		const player = bundle.createPlayer();
		assert.deepEqual(player.layers.map(layer => layer.name), ["lean"]);
		sizes.add(engine.memorySize);
	}
	assert.ok(sizes.size > 10);
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
	for (let pages = 17; pages < 200; pages += 3) {
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
	assert.ok(failed.size > 3 && failed.has(0), [...failed].join(" "));
});
