// Microseconds of a step beside those of the same player natively, in one run: the fastest of some rounds of each, in turn.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import path from "node:path";
import test from "node:test";
import { newEngine, readBundle, readInputs, takeInput, twins } from "./support.mjs";

const MOST_TIMES = 4;

function time(player, inputs, rounds) {
	const input = { stickX: 0, stickZ: 0, request: 0, speed: 0, turn: 0 }, ticks = inputs.length / 6;
	let best = Infinity;
	for (let round = 0; round < rounds; ++round) {
		const start = performance.now();
		for (let i = 0; i < ticks; ++i) player.step(takeInput(inputs, i, input), input);
		best = Math.min(best, performance.now() - start);
	}
	return 1000 * best / ticks;
}

const timeNatively = name => Number(execFileSync(process.env.REPRISE_TWIN_PROGRAM, ["--time", path.join(twins, `${name}.rpb`)]));

const engine = await newEngine();
for (const name of ["graph", "locomotion", "graph-exact", "locomotion-exact"]) {
	test(`${name}: a step takes at most ${MOST_TIMES} times as long as natively`, t => {
		const player = engine.openBundle(readBundle(name)).createPlayer(), inputs = readInputs(`${name}-0`);
		let own = Infinity, native = Infinity;
		for (let i = 0; i < 3; ++i) {
			own = Math.min(own, time(player, inputs, 8));
			native = Math.min(native, timeNatively(name));
		}
		t.diagnostic(`${name}: step_us ${own.toFixed(2)}, natively ${native.toFixed(2)}: ${(own / native).toFixed(2)} times`);
		assert.ok(own < MOST_TIMES * native);
	});
}
