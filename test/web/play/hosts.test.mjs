// Where it runs: in a worker, without eval, from the file beside it, from a data URL; and as a package.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import test from "node:test";
import { Worker } from "node:worker_threads";
import { moduleUrl, play, readBundle, wasm, web } from "./support.mjs";

const bundlePath = JSON.stringify(path.join(process.env.REPRISE_TWINS, "graph.rpb"));

// A character walks a second; prints where it is.
const walk = (module, options = "{}") => `
	import fs from "node:fs";
	import { loadBundle } from ${JSON.stringify(module)};
	const player = await loadBundle(fs.readFileSync(${bundlePath}), ${options});
	for (let i = 0; i < 60; ++i) player.step(1 / 60, { stickZ: 1 });
	const place = Array.from(player.pose.rootPosition).join(" ");`;

const run = (script, ...options) =>
	execFileSync(process.execPath, [...options, "--input-type=module", "-e", script], { encoding: "utf8" }).trim();

async function walkHere(options) {
	const player = await play.loadBundle(readBundle("graph"), options);
	for (let i = 0; i < 60; ++i) player.step(1 / 60, { stickZ: 1 });
	const place = Array.from(player.pose.rootPosition).join(" ");
	player.destroy();
	return place;
}

test("the file beside the module is found, and eval is not needed", async () => {
	const wanted = await walkHere({});
	assert.equal(run(walk(moduleUrl) + "console.log(place);", "--disallow-code-generation-from-strings"), wanted);
});

test("the runtime may be a data URL, a URL, a path beside the module, or a compiled module", async () => {
	const wanted = await walkHere({});
	const data = `data:application/wasm;base64,${wasm.toString("base64")}`;
	const plain = `data:application/wasm,${Array.from(wasm, byte => "%" + byte.toString(16).padStart(2, "0")).join("")}`;
	const file = JSON.stringify(new URL("reprise-play.wasm", moduleUrl).href);
	const script = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "reprise-")), "walk.mjs");
	const variants = [JSON.stringify(data), JSON.stringify(plain), file, `new URL(${file})`, `"./reprise-play.wasm"`,
		`new WebAssembly.Module(fs.readFileSync(new URL(${file})))`, `fs.readFileSync(new URL(${file}))`];
	for (const variant of variants) {
		fs.writeFileSync(script, walk(moduleUrl, `{ wasm: ${variant} }`) + "console.log(place);");
		const place = execFileSync(process.execPath, [script], { encoding: "utf8" }).trim();
		assert.equal(place, wanted);
	}
	fs.rmSync(path.dirname(script), { recursive: true });
});

test("it runs in a worker", async () => {
	const script = walk(moduleUrl) + `import { parentPort } from "node:worker_threads"; parentPort.postMessage(place);`;
	const url = new URL(`data:text/javascript,${encodeURIComponent(script)}`);
	const place = await new Promise((resolve, reject) => new Worker(url).once("message", resolve).once("error", reject));
	assert.equal(place, await walkHere({}));
});

test("the module needs nothing of its host, and builds no code from text", () => {
	assert.deepEqual(WebAssembly.Module.imports(new WebAssembly.Module(wasm)), []);
	const source = fs.readFileSync(path.join(web, "reprise-play.js"), "utf8");
	assert.doesNotMatch(source, /\beval\b|new Function/);
	assert.ok(wasm.length < 300_000, `${wasm.length} bytes`);
});

// Debian's Node comes without npm.
const hasNpm = spawnSync("npm", ["--version"]).status === 0;

test("it packs as a package, which another project can use", { skip: !hasNpm && "no npm on this machine" }, t => {
	const folder = path.join(web, "npm"), home = fs.mkdtempSync(path.join(os.tmpdir(), "reprise-"));
	const npm = (...options) => execFileSync("npm", [...options, "--offline", "--cache", path.join(home, "cache")], { cwd: folder, encoding: "utf8" });
	const [packed] = JSON.parse(npm("pack", "--json", "--pack-destination", home));
	assert.deepEqual(packed.files.map(file => file.path).sort(), ["LICENSE", "README.md", "package.json", "reprise-play.d.ts", "reprise-play.js", "reprise-play.wasm"]);
	const about = JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8"));
	assert.equal(about.name, "reprise-play");
	assert.equal(about.license, "MIT");
	assert.equal(about.dependencies, undefined);
	t.diagnostic(`${packed.filename}: ${packed.size} bytes`);
	const project = path.join(home, "node_modules", "reprise-play");
	fs.mkdirSync(project, { recursive: true });
	execFileSync("tar", ["-xzf", path.join(home, packed.filename), "-C", project, "--strip-components=1"]);
	const script = path.join(home, "walk.mjs");
	fs.writeFileSync(script, walk("reprise-play") + "console.log(place);");
	assert.match(execFileSync(process.execPath, [script], { encoding: "utf8" }), /^-?\d/);
	return play.createEngine(wasm).then(engine => {
		assert.equal(about.version, engine.version);
		fs.rmSync(home, { recursive: true });
	});
});
