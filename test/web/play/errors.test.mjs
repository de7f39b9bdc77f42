// What the library refuses natively is refused here with the same words; and wrong use says what is wrong.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import test from "node:test";
import { newEngine, play, readBundle, thrown, twins, wasm } from "./support.mjs";

const engine = await newEngine();

// Bundles, sound and spoilt, with what is said of them natively: code, message, hint.
function* readCorpus() {
	const bytes = fs.readFileSync(path.join(twins, "corpus.bin"));
	let at = 0;
	const take = () => {
		const size = bytes.readUInt32LE(at);
		at += 4 + size;
		return bytes.subarray(at - size, at);
	};
	while (at < bytes.length) yield { bytes: take(), verdict: [take(), take(), take()].map(String) };
}

function judge(bytes) {
	let bundle = null;
	try {
		bundle = engine.openBundle(bytes);
		return { player: bundle.createPlayer(), verdict: ["none", "", ""] };
	} catch (error) {
		if (!(error instanceof play.RepriseError)) throw error;
		bundle?.destroy();
		return { player: null, verdict: [error.code, error.message, error.hint] };
	}
}

// As fuzz/playing.h: whatever a player is made of, it shows numbers.
function playOn(player) {
	for (let i = 0; i < 40; ++i) {
		const request = player.requests.length > 0 ? (i >> 3) % Math.min(player.requests.length, 3) : 0;
		const parameters = player.parametersOf(request).map(({ low, high }, k) => (i % 11 === 10 ? 1e30 : low + (high - low) * ((i >> 2) + k) / 5));
		player.step(0.03, { stickX: i % 3 - 1, stickZ: i % 5 - 2, request, speed: i % 7, parameters });
	}
	for (const pose of [player.pose, player.peek(0.7)]) {
		assert.ok(pose.rootPosition.every(Number.isFinite));
		for (let k = 0; k < pose.rotations.length; k += 4) {
			assert.ok(Math.abs(Math.hypot(...pose.rotations.subarray(k, k + 4)) - 1) < 0.01);
		}
	}
}

test("the corpus of the fuzzers, and bundles spoilt in other ways, are judged as natively", t => {
	const counts = { sound: 0, refused: 0 };
	for (const { bytes, verdict } of readCorpus()) {
		const { player, verdict: own } = judge(bytes);
		assert.deepEqual(own, verdict);
		counts[player !== null ? "sound" : "refused"] += 1;
		if (player !== null) {
			playOn(player);
			player.bundle.destroy();
		}
	}
	t.diagnostic(`${counts.refused} refused, ${counts.sound} played; ${engine.memorySize} bytes of memory`);
	assert.ok(counts.refused > 500 && counts.sound > 50);
});

test("bundles that are cut off, changed, of another kind or newer", () => {
	const good = readBundle("graph"), changed = Buffer.from(good), newer = Buffer.from(good);
	changed[good.length >> 1] ^= 1;
	newer.writeUInt32LE(99, 4);
	const expected = [
		[good.subarray(0, good.length - 1), "format", /cut off/],
		[good.subarray(0, 10), "format", /10 bytes are no bundle/],
		[new Uint8Array(0), "format", /0 bytes are no bundle/],
		[changed, "format", /checksum/],
		[newer, "version", /version 99/],
		[Buffer.alloc(1000, 65), "format", /does not begin with RPB/],
	];
	for (const [bytes, code, message] of expected) {
		const error = thrown(() => engine.openBundle(bytes));
		assert.equal(error.code, code);
		assert.match(error.message, message);
	}
	assert.match(thrown(() => engine.openBundle(changed)).hint, /reprise bundle/);
	assert.match(thrown(() => engine.openBundle(newer)).hint, /newer Reprise/);
});

test("bytes may be a Uint8Array, a part of one, a DataView or an ArrayBuffer; nothing else", () => {
	const bytes = readBundle("graph"), padded = new Uint8Array(bytes.length + 3);
	padded.set(bytes, 3);
	const plain = padded.slice(3);
	for (const good of [plain, padded.subarray(3), plain.buffer, new DataView(plain.buffer)]) engine.openBundle(good).destroy();
	for (const bad of ["graph.rpb", 5, null, undefined, [1, 2, 3], {}]) {
		const error = thrown(() => engine.openBundle(bad));
		assert.equal(error.code, "argument");
		assert.match(error.message, /Uint8Array/);
	}
});

test("the module itself may be missing, broken or another", async () => {
	await assert.rejects(play.createEngine(new Uint8Array(8)), { code: "format", message: /no reprise-play.wasm/ });
	await assert.rejects(play.createEngine("reprise-play.wasm"), { code: "argument", message: /Uint8Array/ });
	const empty = new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);
	await assert.rejects(play.createEngine(empty), { code: "format", message: /no reprise-play.wasm/ });
	await assert.rejects(play.loadBundle(readBundle("graph"), { wasm: "nowhere.wasm" }), { code: "file", message: /nowhere\.wasm/, hint: /options\.wasm/ });
	await assert.rejects(play.loadBundle(readBundle("graph"), { wasm: "data:application/wasm;base64,AAAA" }), { code: "format" });
	// A call that failed is not remembered.
	const player = await play.loadBundle(readBundle("graph"), { wasm });
	player.destroy();
});

test("numbers that are none, and options out of range, are refused by name", () => {
	const bundle = engine.openBundle(readBundle("locomotion")), player = bundle.createPlayer();
	const refusals = [
		[() => player.step(NaN), /^dt /],
		[() => player.step("1"), /^dt /],
		[() => player.step(), /^dt /],
		[() => player.peek(NaN), /^seconds /],
		[() => player.step(0.1, { stickX: NaN }), /^stickX .*NaN/],
		[() => player.step(0.1, { stickZ: Infinity }), /^stickZ /],
		[() => player.step(0.1, { speed: "fast" }), /^speed /],
		[() => player.step(0.1, { turn: 1e300 }), /^turn /],
		[() => player.step(0.1, { request: 3 }), /^request .* 0 to 2/],
		[() => player.step(0.1, { request: 0.5 }), /^request /],
		[() => player.reset({ x: NaN }), /^x /],
		[() => player.switchLayer({ index: 0, name: "lean" }, 1), /layer/],
		[() => player.switchLayer(undefined, 1), /layer/],
		[() => player.addLayer("swim"), /"swim"/],
		[() => player.addLayer("lean", { gain: 99 }), /lean/],
		[() => player.addLayer("lean", { gain: NaN }), /^gain /],
		[() => player.restore(new Uint8Array(5)), /snapshot/],
		[() => player.restore("x"), /snapshot/],
		[() => player.snapshot(new Uint8Array(5)), /bytes/],
		[() => bundle.createPlayer({ fps: 5 }), /5 frames per second/],
		[() => bundle.createPlayer({ fps: NaN }), /^fps /],
		[() => bundle.createPlayer({ seed: -1 }), /^seed /],
		[() => bundle.createPlayer({ seed: 0.5 }), /^seed /],
		[() => bundle.createPlayer({ start: { heading: NaN } }), /^start.heading /],
		[() => bundle.createPlayer({ maxBend: -1 }), /./],
	];
	for (const [call, message] of refusals) {
		const error = thrown(call);
		assert.equal(error.code, "argument", `${call}: ${error.message}`);
		assert.match(error.message, message);
	}
	player.step(-1);
	player.step(Infinity, {});
	player.step(0.1, { stickX: 3e38, stickZ: -3e38, speed: 3e38, turn: -3e38, request: 2 });
	assert.ok(player.pose.positions.every(Number.isFinite));
	bundle.destroy();
});

test("parameters that are none are refused by name", () => {
	const bundle = engine.openBundle(readBundle("punches")), player = bundle.createPlayer(), good = player.parameters.map(({ low }) => low);
	const refusals = [
		[[], /^parameters must hold 3 numbers: right_wrist.x@hit, /],
		[[1, 2], /3 numbers/],
		[[1, 2, 3, 4], /3 numbers/],
		[null, /3 numbers/],
		[5, /3 numbers/],
		["abc", /^parameters\[0\] \(right_wrist.x@hit\) must be a finite number/],
		[[1, NaN, 3], /^parameters\[1\] \(right_wrist.y@hit\) .*NaN/],
		[[1, 2, Infinity], /^parameters\[2\] /],
		[[1, 2, 1e300], /^parameters\[2\] /],
		[[1, undefined, 3], /^parameters\[1\] /],
	];
	for (const [parameters, message] of refusals) {
		const error = thrown(() => player.step(0.1, { parameters }));
		assert.equal(error.code, "argument");
		assert.match(error.message, message);
	}
	player.step(0.1, { parameters: good });
	player.step(9, { parameters: [3e38, -3e38, 0] });
	assert.ok(player.pose.positions.every(Number.isFinite));
	bundle.destroy();
});

test("what is asked of a node is refused by name", () => {
	const bundle = engine.openBundle(readBundle("pgraph")), player = bundle.createPlayer(), punch = player.requests.indexOf("punch");
	const refusals = [
		[{ request: punch, parameters: [1, 2] }, /^parameters must hold 3 numbers of punch: right_wrist.x@hit, /],
		[{ request: punch, parameters: null }, /3 numbers of punch/],
		[{ request: punch, parameters: [NaN, NaN, Infinity] }, /^parameters\[2\] \(right_wrist.z@hit\) must be a finite number/],
		[{ request: 3 }, /^request .* 0 to 2/],
		[{ targetX: 1 }, /both targetX and targetZ/],
		[{ targetZ: 1, targetY: 2 }, /both targetX and targetZ/],
		[{ targetX: 1, targetZ: Infinity }, /^targetZ must be a finite number, not Infinity/],
		[{ targetX: 1, targetY: 1e300, targetZ: 1 }, /^targetY /],
	];
	for (const [input, message] of refusals) {
		const error = thrown(() => player.step(0.1, input));
		assert.equal(error.code, "argument");
		assert.match(error.message, message);
	}
	for (const request of [-1, 3, 0.5, undefined]) assert.match(thrown(() => player.parametersOf(request)).message, /^request /);
	// Any node has no values of its own; a height is no place; far away is one.
	for (const input of [{ parameters: [1, 2] }, { targetY: 5 }, { targetX: NaN, targetZ: NaN }, { request: punch, parameters: [NaN, NaN, NaN] },
		{ request: punch, targetX: 3e38, targetZ: -3e38 }, { request: punch, parameters: [3e38, NaN, -3e38] }]) player.step(2, input);
	assert.ok(player.pose.positions.every(Number.isFinite));
	bundle.destroy();
});

test("what was destroyed says so", () => {
	const bundle = engine.openBundle(readBundle("graph")), player = bundle.createPlayer(), other = bundle.createPlayer();
	player.destroy();
	player.destroy();
	const calls = ["step", "peek", "report", "peekReport", "reset", "snapshot", "restore", "addLayer", "switchLayer", "gaitLimits", "parametersOf"];
	for (const call of calls) assert.match(thrown(() => player[call](0)).message, /player was destroyed/);
	assert.match(thrown(() => player.snapshotSize).message, /destroyed/);
	assert.match(thrown(() => player.pose).message, /destroyed/);
	bundle.destroy();
	bundle.destroy();
	assert.match(thrown(() => other.step(0.1)).message, /destroyed/);
	assert.match(thrown(() => bundle.createPlayer()).message, /bundle was destroyed/);
});
