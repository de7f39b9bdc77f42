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

/** The numbers of a case: rows of dt, stickX, stickZ, request, speed, turn; x, y, z of joints; span, contacts, clip. */
export const readInputs = name => readNumbers(`${name}.inputs`, Float64Array);
export const readPositions = name => readNumbers(`${name}.positions`, Float32Array);
export const readTrace = name => readNumbers(`${name}.trace`, Int32Array);

/** Fill an input from row i, and give its dt. */
export function takeInput(rows, i, input) {
	input.stickX = rows[6 * i + 1];
	input.stickZ = rows[6 * i + 2];
	input.request = rows[6 * i + 3];
	input.speed = rows[6 * i + 4];
	input.turn = rows[6 * i + 5];
	return rows[6 * i];
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
