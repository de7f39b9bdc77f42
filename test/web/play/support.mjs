// What the tests of the module share: where things are, the module itself, the cases that test_web_twin wrote.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

/** build-web, and the folder that `test_web_twin --write` filled. */
export const web = process.env.REPRISE_WEB, twins = process.env.REPRISE_TWINS;
if (!web || !twins) throw new Error("start these tests by test/browser/play_module.sh");

// In its package: Node 18 knows a module by package.json alone.
export const moduleUrl = pathToFileURL(path.join(web, "npm", "reprise-play.js")).href;
export const play = await import(moduleUrl);
export const wasm = fs.readFileSync(path.join(web, "reprise-play.wasm"));
export const readBundle = name => fs.readFileSync(path.join(twins, `${name}.rpb`));
export const newEngine = () => play.createEngine(wasm);

function readNumbers(file, Kind) {
	const bytes = fs.readFileSync(path.join(twins, file));
	return new Kind(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
}

/** What players were asked for natively and what they showed. */
export function readCases() {
	return fs.readFileSync(path.join(twins, "cases.txt"), "utf8").trim().split("\n").map(line => {
		const [name, bundle, lookAhead, jointCount] = line.split(" ");
		return { name, bundle: bundle.slice(0, -4), lookAhead: Number(lookAhead), jointCount: Number(jointCount) };
	});
}

/** The numbers of a case: rows of dt, stickX, stickZ, request, speed, turn, whether parameters are given, those, whether there is a
    target, x, y, z; x, y, z of joints; span, contacts, clip, number of the space's motion, and what was requested and is nearest as
    bits; then a parametric graph's report, also as bits (readMotion). */
export const MOST_PARAMETERS = 6, INPUTS = 11 + MOST_PARAMETERS, SPACE_TRACES = 4 + 2 * MOST_PARAMETERS;
export const TRACES = SPACE_TRACES + 13 + 5 * MOST_PARAMETERS;
export const readInputs = name => readNumbers(`${name}.inputs`, Float64Array);
export const readPositions = name => readNumbers(`${name}.positions`, Float32Array);
export const readTrace = name => readNumbers(`${name}.trace`, Int32Array);

/** What a parametric graph said natively, from where it stands in a trace on; count: how many parameters the node has. */
export function readMotion(trace, at, count) {
	const view = new DataView(trace.buffer), float = k => view.getFloat32(4 * (at + k), true), double = k => view.getFloat64(4 * (at + k), true);
	const values = list => Array.from({ length: count }, (_, k) => float(13 + list * MOST_PARAMETERS + k));
	const [number, node, requestedNode, repairs, isForced, isAnswer] = trace.subarray(at, at + 6);
	return {
		number, node, requestedNode, repairs, isForced: isForced !== 0, isAnswer: isAnswer !== 0,
		distance: float(6), bad: float(7), response: float(8), start: double(9), end: double(11),
		requested: values(0), low: values(1), high: values(2), granted: values(3), achieved: values(4),
	};
}

/** Fill an input of a player from row i, and give its dt. */
export function takeInput(rows, i, input, player) {
	const at = INPUTS * i, request = rows[at + 3], count = player.parametersOf(request).length, hasTarget = rows[at + 13] !== 0;
	input.stickX = rows[at + 1];
	input.stickZ = rows[at + 2];
	input.request = request;
	input.speed = rows[at + 4];
	input.turn = rows[at + 5];
	input.targetX = hasTarget ? rows[at + 14] : NaN;
	input.targetY = hasTarget ? rows[at + 15] : NaN;
	input.targetZ = hasTarget ? rows[at + 16] : NaN;
	// Arrays are used again.
	const values = ((input.values ??= [])[count] ??= new Float32Array(count));
	for (let k = 0; k < count; ++k) values[k] = rows[at + 7 + k];
	input.parameters = rows[at + 6] !== 0 ? values : undefined;
	return rows[at];
}

/** What a call throws; fails where it throws nothing, or no error of ours. */
export function thrown(call) {
	try {
		call();
	} catch (error) {
		if (error instanceof play.RepriseError) return error;
		throw error;
	}
	throw new Error("nothing was thrown");
}
